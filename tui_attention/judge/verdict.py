"""The verdict on one typed answer: the rule of the judge, in its order. See `region` for what is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.working import Cell, Op
from tui_attention.judge import feedback
from tui_attention.judge.groups import SlipGroup
from tui_attention.judge.number import Number, shifted
from tui_attention.judge.own_slips import own_slips
from tui_attention.judge.question import Prepared
from tui_attention.judge.question import prepare as prepare_on
from tui_attention.judge.reading import Reading, is_exp_of_zero, looks_like_percent, read
from tui_attention.judge.region import Region, Remark
from tui_attention.judge.setups import leads
from tui_attention.lessons.run import LessonRun

Kind = Literal[
    "right", "pencil", "own-row", "one-more-decimal", "early", "slip", "wrong",
    "unfinished", "percent", "empty", "unreadable",
]  # fmt: skip
ACCEPTED: frozenset[str] = frozenset({"right", "pencil", "own-row"})
ATTEMPTS: frozenset[str] = ACCEPTED | {"early", "slip", "wrong"}
MOST_GROUPS = 2
BEATS_NOISE = 0.06
"""A slip at least so usual, of all slips of a cell, explains a number better than unlucky rounding does. On
`tests.bench.judge` 0.02 % of honest pencils are judged wrong then, and 0.36 % of slips right; with 0 it is 0.08 %
and 0.20 %.
"""
# Of two readings of one line, the kinder verdict counts.
_KINDEST: tuple[Kind, ...] = ("right", "pencil", "own-row", "one-more-decimal", "slip", "early", "percent", "wrong")


@dataclass(frozen=True, slots=True)
class NamedSlip:
    """A slip that gives the typed number. `also` are other kinds of slip that are the same arithmetic here.

    `cells` are the full addresses of the cells to light up.
    """

    kind: str
    says: str
    cells: tuple[str, ...] = ()
    weight: float = 0.0
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a typed answer is worth, and what to say about it.

    `value` and `decimals` are the number as it was judged, None when none was read. `ambiguous`: accepted although
    a slip gives it too. `own_cells`: the operands where the learner went on with a number of their own. `cells`:
    what to light up.
    """

    kind: Kind
    read: Reading
    says: str
    value: float | None = None
    decimals: int | None = None
    slips: tuple[NamedSlip, ...] = ()
    ambiguous: bool = False
    own_cells: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether the answer counts as right."""
        return self.kind in ACCEPTED

    @property
    def attempt(self) -> bool:
        """Whether the answer counts as one: what could not be judged does not."""
        return self.kind in ATTEMPTS


def prepare(
    run: LessonRun | Graph,
    working: Working,
    *,
    own: Mapping[str, float] | None = None,
    says: Mapping[str, str] | None = None,
    shares: bool | None = None,
    shown: Callable[[Cell], bool] | None = None,
) -> Prepared:
    """Make a question ready to be judged; see `question.prepare`. Takes milliseconds: do it when it opens."""
    if not isinstance(run, LessonRun):
        return prepare_on(run, working, own=own, says=says, shares=shares, shown=shown)
    extra = own_slips(run, working)
    return prepare_on(run.graph, working, own=own, says=says, shares=shares, extra=extra, shown=shown)


def judge(question: Prepared, typed: str) -> Verdict:
    """The verdict on what was typed. Never raises."""
    reading = read(typed, shares=question.shares)
    if reading.kind == "unfinished":
        return _unfinished(question, reading)
    if reading.kind != "number":
        return Verdict(reading.kind, reading, reading.why)
    if question.shares and (asked := _percent(question, reading)):
        return Verdict("percent", reading, asked, reading.numbers[0].value, reading.numbers[0].decimals)
    found = [_number(question, reading, number) for number in reading.numbers]
    return min(found, key=lambda verdict: _KINDEST.index(verdict.kind))


def _percent(question: Prepared, reading: Reading) -> str:
    """What to ask when a share seems to be meant in percent, or has a percent sign too many; empty when not.

    Below 1 it can be a share that is merely wrong; with decimals and above 1, a slip.
    """
    region, number = question.region, reading.numbers[0]
    if reading.percent:
        bare = shifted(number, -2)
        return feedback.percent_too_many(number) if not region.accepts(number) and region.accepts(bare) else ""
    large = all(found.value >= 1 for found in reading.numbers)
    if large and looks_like_percent(reading, region.full, question.asks):
        return feedback.percent()
    if region.accepts(number) or region.short(number):
        return ""
    whole = number.decimals == 0 and 2 <= number.value <= 100
    usual = 1 < number.value <= 100 and not question.likely.named(number)
    return feedback.percent() if whole or usual else ""


def _number(question: Prepared, reading: Reading, number: Number) -> Verdict:
    named = question.likely.named(number)
    if all(likely.between for likely in named) and question.too_early(number):
        named = ()  # one way of rounding explains it better than a mixture of several
    found = _accepted(question, number, named=bool(named) and named[0].chance >= BEATS_NOISE)
    own = question.own_likely
    if found is None and not named and own is not None:
        named = own.named(number)
        question = question.on_own_rows() if named or question.astray else question
    own_cells = question.own_cells if found is not None and found.kind == "own-row" else ()

    def verdict(kind: Kind, says: str, slips: tuple[NamedSlip, ...] = (), cells: tuple[str, ...] = ()) -> Verdict:
        ambiguous = kind in ACCEPTED and question.likely.possible(number)
        addresses = tuple(cell.address for cell in own_cells)
        return Verdict(
            kind, reading, says, number.value, number.decimals, slips, ambiguous, addresses, cells or addresses
        )

    if found is not None:
        return verdict(found.kind, _praise(question, number, found))
    if named:
        told = _told(question, tuple(likely.group for likely in named), number)
        slips = tuple(slip for slip, _ in told)
        lit = tuple(dict.fromkeys(cell for slip in slips for cell in slip.cells))
        says = feedback.joined(question, tuple(one for _, one in told), number)
        return verdict("slip", says, slips, lit)
    if question.invented(number):
        return verdict("wrong", feedback.ends_sooner(question, number))
    if question.too_early(number):
        return verdict("early", feedback.early(question, number))
    ask = feedback.wrong(question)
    return verdict("wrong", ask.says, cells=ask.cells)


@dataclass(frozen=True, slots=True)
class _Found:
    """Verdicts 2 to 6: which, and with what remark."""

    kind: Kind
    remark: Remark = ""


def _accepted(question: Prepared, number: Number, *, named: bool) -> _Found | None:
    """On the printed rows, then on the learner's own."""
    found = _in_region(question.region, number, named=named)
    for own in question.own_regions if found is None else ():
        found = _in_region(own, number, named=named)
        if found is not None:
            return found if found.kind == "one-more-decimal" else _Found("own-row", found.remark)
    return found


def _in_region(region: Region, number: Number, *, named: bool) -> _Found | None:
    if accepted := region.accepted(number):
        return _Found(accepted.kind, accepted.remark)
    if region.short(number):
        return _Found("one-more-decimal")
    if region.by_noise(number) and not named:
        return _Found("pencil")
    return None


def _praise(question: Prepared, number: Number, found: _Found) -> str:
    match found.kind:
        case "right":
            return feedback.right(question, number, found.remark)
        case "pencil":
            return feedback.pencil(question, number, found.remark)
        case "own-row":
            return feedback.own_row(question)
        case _:
            return feedback.as_far_as_it_goes(question)


def _told(
    question: Prepared, groups: tuple[SlipGroup, ...], number: Number
) -> tuple[tuple[NamedSlip, feedback.Told], ...]:
    """The first groups that have something of their own to say: near twins of one slip are told once."""
    found: dict[str, tuple[NamedSlip, feedback.Told]] = {}
    for group in groups:
        told = feedback.slip(question, group, number)
        also = tuple(kind for kind in group.kinds if kind != told.kind)
        found.setdefault(told.fact, (NamedSlip(told.kind, told.says, told.cells, group.weight, also), told))
        if len(found) == MOST_GROUPS:
            break
    return tuple(found.values())


def _unfinished(question: Prepared, reading: Reading) -> Verdict:
    """Arithmetic left undone: whether the set-up leads there is said, its value never."""
    if reading.expression is None:
        return Verdict("unfinished", reading, reading.why)
    if is_exp_of_zero(reading) and _lone_share(question):
        says = question.says.get("replaced-by-zero") or feedback.exp_of_zero(question)
        return Verdict("unfinished", reading, says, cells=tuple(cell.address for cell in question.operands))
    return Verdict("unfinished", reading, feedback.unfinished(leads(question, reading.expression)))


def _lone_share(question: Prepared) -> bool:
    """Whether the cell is a share of a row with one single score."""
    root = question.root
    return (
        isinstance(root, Op)
        and root.kind == "/"
        and all(isinstance(arg, Op) and arg.kind == "exp" for arg in root.args)
        and root.args[0] == root.args[1]
    )


__all__ = ["ACCEPTED", "ATTEMPTS", "Kind", "NamedSlip", "Prepared", "Verdict", "judge", "prepare"]
