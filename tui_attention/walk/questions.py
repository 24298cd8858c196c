"""Which questions are asked where: the authored CHECKs of a step, and the cells that stand in for them."""

from __future__ import annotations

from dataclasses import dataclass

from tui_attention.engine import formula, naming
from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Working
from tui_attention.engine.tensor import Index, address, parse_address
from tui_attention.lessons.model import Check, Stage
from tui_attention.lessons.run import LessonRun
from tui_attention.walk.ledger import Ledger, State
from tui_attention.walk.places import Place


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `key` is the address of its cell, or `check:<id>` for a formula or a sentence.

    `check` is None when the learner put the cursor on a cell and typed. `sibling`: it is asked after the CHECK's own
    cell was borrowed or worked through.
    """

    key: str
    check: Check | None
    name: str = ""
    index: Index = ()
    sibling: bool = False

    @property
    def sentence(self) -> bool:
        return self.check is not None and self.check.sentence

    @property
    def of_cell(self) -> bool:
        return bool(self.name)


class QuestionPlan:
    """Where each CHECK of a course is asked. Computed once for one set of inputs and dials."""

    def __init__(self, run: LessonRun) -> None:
        self.run = run
        self._workings: dict[str, Working | None] = {}
        self._places: dict[str, int] = {}
        self._firsts: dict[str, str] = {}

    def working(self, check: Check) -> Working | None:
        if check.id not in self._workings:
            self._workings[check.id] = self.run.check_working(check)
        return self._workings[check.id]

    def present(self, check: Check) -> bool:
        """Whether this prompt and these dials have the CHECK at all."""
        if check.page_only and not self.run.graph.own:
            return False
        if check.sentence:
            return self.run.text(check.answer) is not None and self.run.text(self.run.ask(check)) is not None
        if check.of:
            return True
        return self.working(check) is not None and self.run.text(self.run.ask(check)) is not None

    def step_of(self, stage: Stage, check: Check) -> int:
        """The step of its stage at which a CHECK is asked: the one that makes its cell, a sentence at the end."""
        if check.id not in self._places:
            self._places[check.id] = self._step_of(stage, check)
        return self._places[check.id]

    def _step_of(self, stage: Stage, check: Check) -> int:
        last = max(0, len(stage.steps) - 1)
        if check.sentence:
            return last
        made = {step.name: number for number, step in enumerate(stage.steps)}
        if check.of:
            return made.get(check.of, last)
        if check.cell:
            return self._cell_step(stage, check, made, last)
        # A formula is asked once everything it reads stands there.
        read = [made[name] for name in formula.names(naming.parse(check.value)) if name in made]
        return min(max(read) + 1, last) if read else (0 if self._has_cells(check) else last)

    def _has_cells(self, check: Check) -> bool:
        known = self.run.lesson.program.by_name
        return any(name in known for name in formula.names(naming.parse(check.value)))

    def _cell_step(self, stage: Stage, check: Check, made: dict[str, int], last: int) -> int:
        name = parse_address(check.cell).name
        if name in made:
            return made[name]
        working = self.working(check)
        if working is not None and working.cell.tensor in made:
            return made[working.cell.tensor]
        reads = [number for number, step in enumerate(stage.steps) if name in formula.names(step.expr)]
        return reads[0] if reads else 0 if name == "splitter" else last

    def target(self, check: Check) -> tuple[str, Index] | None:
        """The cell of a CHECK, as its source; None for formulas, sentences and cells that the program chooses."""
        working = self.working(check)
        if working is None or working.cell.tensor.startswith("check:"):
            return None
        return working.cell.tensor, working.cell.index

    def first(self, check: Check) -> str:
        """The address of the cell that a CHECK asks first; empty where there is none."""
        if check.id not in self._firsts:
            target = self.target(check)
            chosen = address(*target) if target else self.choose(check.of, frozenset()) if check.of else ""
            self._firsts[check.id] = chosen
        return self._firsts[check.id]

    def choose(self, tensor: str, exclude: frozenset[str]) -> str:
        """The cell of a tensor whose slips are most visible; empty when none is left to ask."""
        from tui_attention.judge.choose import best_cell

        return best_cell(self.run, tensor, exclude) or ""

    def locate(self, key: str) -> tuple[str, Index]:
        """A typed address as its source cell. Raises BadInput."""
        graph = self.run.graph
        return graph.source(*graph.locate(key))

    # ------------------------------------------------------------ questions

    def of_check(self, check: Check, ledger: Ledger) -> list[Question]:
        """A CHECK's question, and behind it the siblings that were asked since."""
        if check.sentence or check.value:
            return [Question(f"check:{check.id}", check)]
        first = self.first(check)
        cells = ledger.chosen.get(check.id) or ((first,) if first else ())
        return [Question(key, check, *self.locate(key), sibling=n > 0) for n, key in enumerate(cells)]

    def at(self, place: Place, ledger: Ledger) -> tuple[Question, ...]:
        """The questions of a place, in the lesson's order."""
        stage = self.run.lesson.stages[place.stage]
        checks = [check for check in stage.checks if self.present(check) and self.step_of(stage, check) == place.step]
        return tuple(question for check in checks for question in self.of_check(check, ledger))

    def find(self, target: str, place: Place, ledger: Ledger) -> Question:
        """The question that a typed answer belongs to: a CHECK's key, or the address of any cell.

        Raises BadInput when there is no such cell, or when no pencil makes it.
        """
        here = {question.key: question for question in self.at(place, ledger)}
        if target in here:
            return here[target]
        if target.startswith("check:"):
            checks = (check for stage in self.run.lesson.stages for check in stage.checks)
            known = next((check for check in checks if f"check:{check.id}" == target), None)
            if known is None or not self.present(known):
                raise BadInput(f"there is no question {target!r}")
            return Question(target, known)
        name, index = self.locate(target)
        key = address(name, index)
        if key in here:
            return here[key]
        working = self.run.graph.working(name, index)
        if not working.askable:
            why = "it is a dial, given" if working.kind == "dial" else working.says
            raise BadInput(f"{key} is not asked: {why}")
        return Question(key, None, name, index)

    def asked_working(self, question: Question) -> Working:
        """The working that a question asks for. Raises BadInput for a sentence."""
        if question.of_cell:
            return self.run.graph.working(question.name, question.index)
        made = self.working(question.check) if question.check else None
        if made is None:
            raise BadInput("this question is answered with a sentence")
        return made

    def ask(self, question: Question, filled: str) -> str:
        """The question's text; `filled` is the CHECK's own text with its placeholders filled in."""
        if question.check is None:
            return f"{question.key}: which number stands there?"
        name = self.run.graph.tensor(question.name).short(question.index) if question.of_cell else ""
        if question.sibling:
            return f"Now its neighbour {name}: which number stands there?"
        return f"{filled} ({name})" if question.check.of and name not in filled else filled

    def states(self, stage: Stage, ledger: Ledger) -> tuple[tuple[str, State], ...]:
        """Key and state of every CHECK of a stage; cells that the program chooses are chosen only when asked."""
        found: list[tuple[str, State]] = []
        for check in stage.checks:
            if self.present(check):
                key = self._key(check, ledger)
                found.append((key, ledger.entry(key).state))
        return tuple(found)

    def _key(self, check: Check, ledger: Ledger) -> str:
        if check.sentence or check.value:
            return f"check:{check.id}"
        if check.id in ledger.chosen:
            return ledger.chosen[check.id][0]
        if check.of and check.id not in self._firsts:
            tensor = check.of
            settled = any(entry.settled and key.startswith(f"{tensor}[") for key, entry in ledger.entries.items())
            return self.first(check) if settled else f"check:{check.id}"
        return self.first(check)


__all__ = ["Question", "QuestionPlan"]
