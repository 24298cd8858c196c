"""What is said about an answer. A fact about the typed number, never a charge, and never the right number."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tui_attention.engine.decimals import printed, rounded
from tui_attention.engine.working import (
    EXACT_ON_PRINTED,
    Cell,
    Const,
    Node,
    Op,
    Ref,
    Stated,
    evaluate,
    is_negation,
    line,
    operands,
    walk,
)
from tui_attention.judge.applied import AppliedSlip, terms
from tui_attention.judge.groups import SlipGroup
from tui_attention.judge.number import Number
from tui_attention.judge.promise import PROMISE, decimals
from tui_attention.judge.question import Prepared
from tui_attention.judge.region import Remark, same

MOST_SAID = 158
"""Characters of what is said about an answer: two lines of 80 columns."""
MOST_LINE, MOST_NAME = 48, 30
_ADDRESS = re.compile(r"\[[^\]]*\]")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_COMES_OUT = re.compile(r"(-?\d[\d,]*(?:\.\d+)?) is what comes out")
MOST_LIT = 12


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, the kind of slip that it speaks of, and the cells to light up. `fact` is its core,
    `apart` the part of the working to work out alone when another slip gives the same number.
    """

    says: str
    kind: str = ""
    cells: tuple[str, ...] = ()
    fact: str = ""
    apart: str = ""


def right(question: Prepared, number: Number, remark: Remark = "") -> str:
    """The number is the print, or has another number of its digits."""
    cell = question.working.cell
    shown = cell.value if cell.prints is None else rounded(cell.value, cell.prints)
    if remark == "digits":
        return f"{_up_to(question, number)} It is printed as {cell.printed}."
    if same(number.value, shown):
        return f"Right: {cell.printed}."
    return f"Right: {number.text}. It is printed as {cell.printed}."


def pencil(question: Prepared, number: Number, remark: Remark = "") -> str:
    """An honest pencil comes there, the machine elsewhere: both numbers."""
    printed = question.working.cell.printed
    if remark == "digits":
        return f"{_up_to(question, number)} The machine prints {printed}."
    if remark == "cut":
        return (
            f"Right, only cut off at its end: {number.text}. Rounded, it comes nearer; the machine prints {printed}."
        )
    decimals = question.asks if number.decimals is None else number.decimals
    by_rows = any(same(rounded(value, decimals), number.value) for value in question.region.values)
    gives = "the printed rows give" if by_rows else "with rounding on the way the printed rows can give"
    return f"Right by pencil: {gives} {number.text}; the machine, with all its digits, {printed}."


def _up_to(question: Prepared, number: Number) -> str:
    """To which digit a long number is right."""
    return f"{number.text}: right to {printed(number.value, question.asks)}, the further digits are not."


def own_row(question: Prepared) -> str:
    """Right, going on with numbers of one's own."""
    ends = f"The printed row gives {question.working.cell.printed}."
    for count in range(min(len(question.own_cells), 3), 0, -1):
        differ = ", ".join(_instead(question, cell) for cell in question.own_cells[:count])
        says = f"Right from your own row: you went on with {differ}. {ends}"
        if len(says) <= MOST_SAID:
            return says
    return f"Right from your own row. {ends}"


def _instead(question: Prepared, cell: Cell) -> str:
    return f"{question.name(cell)} = {question.own_text(cell)} where {cell.printed} is printed"


def as_far_as_it_goes(question: Prepared) -> str:
    """Right, with fewer decimals than are asked."""
    return f"Right as far as it goes: {decimals(question.asks)} {'are' if question.asks > 1 else 'is'} asked."


def ends_sooner(question: Prepared, number: Number) -> str:
    """Digits beyond the end of a number that has one."""
    return (
        f"{number.text} has a digit too many: nothing is rounded here, and it ends after {decimals(question.asks)}."
    )


def percent() -> str:
    """A share typed in percent without the sign."""
    return "Is that in percent? Then type a percent sign behind it, or the share itself, from 0 to 1."


def percent_too_many(number: Number) -> str:
    """A share typed as it is, and a percent sign behind it."""
    return f"With the percent sign that is {number.text}. If the share itself was meant, leave the sign out."


def early(question: Prepared, number: Number) -> str:
    """A step in between was rounded too early."""
    keeps = question.asks - 1
    few = "no decimals" if keeps == 0 else "one decimal" if keeps == 1 else f"{keeps} decimals"
    return f"{number.text} is what comes out when the steps in between keep {few}. {PROMISE}"


def exp_of_zero(question: Prepared) -> str:
    """exp(0) for the share of a lone score."""
    names = ", ".join(question.name(cell) for cell in question.operands[:1])
    return (
        f"exp(0) has put 0 in the place of the score, but {names} stays what it is, above the bar and below. "
        "What is a number over itself?"
    )


def unfinished(leads: bool | None) -> str:
    """Arithmetic that is not worked out; None where it is not written with the numbers of this line."""
    if leads is None:
        return "That is arithmetic, not yet a number. Work it out and type what it comes to."
    if leads:
        return "That set-up leads there. Work it out and type the number."
    return "That is arithmetic, not yet a number, and this set-up does not lead there."


def joined(question: Prepared, told: tuple[Told, ...], number: Number) -> str:
    """One slip, or two that give the same number about as often: then what tells them apart is asked for."""
    if len(told) < 2:
        return "".join(one.says for one in told)
    both = f"Several slips give {number.text}: {told[0].fact}; or {told[1].fact}."
    apart = next((one.apart for one in told if one.apart), "") or _first_part(question)
    ask = f" Work out {apart} alone." if apart else ""
    return both + ask if len(both + ask) <= MOST_SAID else both if len(both) <= MOST_SAID else told[0].says


def _first_part(question: Prepared) -> str:
    """The first step of the working, by its name: most slips differ in it."""
    inner = [part for part in walk(question.root) if isinstance(part, Op) and part is not question.root]
    plain = [part for part in inner if not any(isinstance(arg, Op) for arg in part.args)]
    told = [part for part in plain if operands(part) and not is_negation(part)]
    names = (_name(question, part) for part in told[:1])
    return next((name for name in names if len(name) <= MOST_NAME), "")


# ---------------------------------------------------------------- slips


def slip(question: Prepared, group: SlipGroup, number: Number) -> Told:
    """The sentence for a group of slips: the fact, and the lesson's own sentence where it has one.

    The lesson's stands alone when the fact would name no cell, or when both together are too long.
    """
    made = _first(question, group)
    cells = _lit(question, made)
    own = _of_this(_whole_sentences(question.says.get(made.kind, "")), question, number)
    fact = _fact(question, made)
    apart = next((_name(question, part) for part in made.part if isinstance(part, Op)), "")
    apart = apart if len(apart) <= MOST_NAME else ""
    bare = f"{'With your own row, ' if question.reads_own else ''}{number.text} is what comes out when {fact}"
    if not own:
        with_line = f"{bare}{_line(question, made)}."
        return Told(with_line if len(with_line) <= MOST_SAID else f"{bare}.", made.kind, cells, fact, apart)
    both = f"{bare}. {own}"
    says = both if "{}" in made.says and len(both) <= MOST_SAID else own
    return Told(says, made.kind, cells, fact, apart)


def _of_this(text: str, question: Prepared, number: Number) -> str:
    """A lesson's sentence that begins with the slip's number, said of the one that was typed.

    On the learner's own rows it may speak of other numbers: then it is left out.
    """
    if begins := _COMES_OUT.match(text):
        return number.text + text[begins.end(1) :]
    return "" if question.reads_own and _NUMBER.search(_ADDRESS.sub("", text)) else text


def _whole_sentences(text: str) -> str:
    """As much of a lesson's text as two lines hold, cut behind a sentence; nothing when the first is too long."""
    text = " ".join(text.split())
    while len(text) > MOST_SAID:
        text = text[:-1].rpartition(". ")[0]
        text = f"{text}." if text else ""
    return text


def _fact(question: Prepared, made: AppliedSlip) -> str:
    return made.says.format(*(_brief(question, part) for part in made.part))


def _brief(question: Prepared, node: Node) -> str:
    """The name of a part; what would be too long is called by what it is."""
    name = _name(question, node)
    if len(name) <= MOST_NAME or not isinstance(node, Op):
        return name
    if node.kind in ("+", "sum"):
        return "the total"
    first = next((question.name(cell) for cell in operands(node)), "")
    return f"with {first}" if first else "in brackets"


def _name(question: Prepared, node: Node) -> str:
    """A part of a working, in the form of its own formula: addresses, no numbers."""
    return line(node, question.name)


def _first(question: Prepared, group: SlipGroup) -> AppliedSlip:
    """Which of the same arithmetic to speak of.

    First what the lesson has words for, then a lost minus, then the most usual, and of these what names its cell.
    """
    told = [kind for kind, text in question.says.items() if text and kind in group.kinds]

    def order(made: AppliedSlip) -> tuple[int, bool, float, bool]:
        mine = told.index(made.kind) if made.kind in told else len(told)
        return mine, made.kind != "sign-lost", -made.weight, "{}" not in made.says

    return min(group.members, key=order)


def _line(question: Prepared, made: AppliedSlip) -> str:
    """The working that gives the number, where it is short. Cells that are no operands are named, not shown."""
    if made.finish is not None or made.kind in _OF_RESULT:
        return ""
    if not isinstance(made.root, Op) or any(
        isinstance(part, Op) and part.kind in _UNSPOKEN for part in walk(made.root)
    ):
        return _where(question, made)
    text = _worded(question, made.root if question.reads_own else _spoken(made.root))
    return f": {text}" if len(text) <= MOST_LINE and not _tells(question, text) else _where(question, made)


def _worded(question: Prepared, node: Node) -> str:
    """The pencil line of a part, with addresses where an operand's number happens to be the right one."""
    mine = question.operand_set
    text = line(node, lambda cell: question.printed(cell) if cell in mine else question.name(cell))
    return _name(question, node) if _tells(question, text) else text


def _tells(question: Prepared, text: str) -> bool:
    """Whether the right number stands in a text."""
    return question.working.cell.printed in _NUMBER.findall(_ADDRESS.sub("", text))


def _spoken(node: Node) -> Node:
    """The tree as one says it: a number whose minus is lost is a number without a minus."""
    match node:
        case Op("neg", (Ref(cell),)) if cell.printed.startswith("-"):
            return Const(-cell.value, cell.printed[1:])
        case Op("neg", (Const(value, text),)) if text.startswith("-"):
            return Const(-value, text[1:])
        case Op(kind, args):
            return Op(kind, tuple(_spoken(arg) for arg in args))
        case _:
            return node


# What happens to a result is no other working.
_OF_RESULT = frozenset({"answer-sign", "point-moved", "carry"})
# These have no sign that a learner of the lesson has met.
_UNSPOKEN = frozenset({"abs", "relu", "pow2", "pow10", "logistic", "erf", "max", "min"})


def _where(question: Prepared, made: AppliedSlip) -> str:
    read = sorted(operands(made.root), key=lambda cell: (cell.tensor, cell.index)) if _is_tree(made.root) else []
    new = [cell for cell in read if cell not in question.operand_set]
    names = [question.name(cell) for cell in new]
    if not new or len(new) > MOST_LIT or len({name.partition("[")[0] for name in names}) > 1:
        return ""
    return f" (see {', '.join(names)})" if len(names) <= 3 else f" (see {names[0]} to {names[-1]})"


def _is_tree(node: Node) -> bool:
    return isinstance(node, Op | Ref)


def _lit(question: Prepared, made: AppliedSlip) -> tuple[str, ...]:
    """The cells that the slip is about: what it rewrote, else what it read beside the cell's own operands."""
    part = tuple(cell for node in made.part for cell in operands(node))
    if not part and _is_tree(made.root):
        part = tuple(cell for cell in operands(made.root) if cell not in question.operand_set)
    if not part:
        part = question.operands
    return tuple(dict.fromkeys(cell.address for cell in part))[:MOST_LIT]


# ---------------------------------------------------------------- a question that helps


def wrong(question: Prepared) -> Told:
    """No cause is invented: the term with the largest share of the sum is asked for, or else the first step."""
    root = question.root
    if isinstance(root, Stated) or question.working.kind == "dial":
        return Told(_look_again(question), cells=_addresses(question.operands))
    term, weighs = largest_term(root)
    text = _worded(question, term)
    text = text if len(text) <= MOST_LINE else _brief(question, term)
    if isinstance(term, Ref):
        name = question.name(term.cell)
        named = name if text == name else f"{name}, {text}"
        signs = any(cell.value < 0 for cell in question.operands)
        ask = f"The number that weighs most is {named}: is it in{', with its sign' if signs else ''}?"
    elif term is root:
        names = " and ".join(question.name(cell) for cell in operands(root)[:2])
        ask = f"Which numbers did you take for {names}?" if names else "Which numbers does the question name?"
    elif weighs:
        ask = f"The part that weighs most is {text}: what does it come to?"
    else:
        ask = f"Begin with {text}: what does it come to?"
    return Told(f"No usual slip gives that. {ask}", cells=_addresses(operands(term) or question.operands))


def _look_again(question: Prepared) -> str:
    working = question.working
    shape = question.graph.tensor(working.cell.tensor).shape if working.kind == "dial" else ()
    if working.kind == "dial":
        if len(shape) > 1:
            return "That is not the number of this line and column. Put a finger on the line, and go along it."
        return (
            "That is not the number of this line. Put a finger on it and read across." if shape else "Read it again."
        )
    if working.kind == "stated":
        return "That is not what is left here. Look at the mask first: may this one be looked at?"
    site = question.root.site if isinstance(question.root, Stated) else None
    if site is None or not question.operands:
        return "That is not its number in the list. Find its line; the lines are counted from 0."
    return f"That is not the one: {site.op.says}. Go along the row once more; places are counted from 0."


def largest_term(root: Node) -> tuple[Node, bool]:
    """The term with the largest share of the first sum, and True; where there is none, the first step or the root.

    Constants are no terms: the speck under the root of a spread makes no sum of it. Nor is the sum that divides: what
    is shared out weighs nothing by itself.
    """
    below = {
        id(part) for node in walk(root) if isinstance(node, Op) and node.kind == "/" for part in walk(node.args[1])
    }
    for part in walk(root):
        addends = [term for term in terms(part) if not isinstance(term, Const)]
        if len(addends) > 1 and id(part) not in below:
            return max(addends, key=lambda term: abs(evaluate(term, EXACT_ON_PRINTED))), True
    inner = [part for part in walk(root) if isinstance(part, Op) and part is not root and not is_negation(part)]
    plain = [part for part in inner if not any(isinstance(arg, Op) for arg in part.args)]
    return next(iter((*plain, *inner)), root), False


def _addresses(cells: tuple[Cell, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cell.address for cell in cells))[:MOST_LIT]
