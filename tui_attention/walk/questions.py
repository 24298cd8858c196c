"""Which questions are asked where: the authored CHECKs of a step, and the cells that stand in for them."""

from __future__ import annotations

from typing import NamedTuple

from tui_attention.engine import formula, naming
from tui_attention.engine.errors import BadInput
from tui_attention.engine.graph import Working
from tui_attention.engine.tensor import parse_address
from tui_attention.lessons.model import Check, Stage
from tui_attention.lessons.run import LessonRun
from tui_attention.walk.homes import Homes, homes_of
from tui_attention.walk.ledger import Ledger, State
from tui_attention.walk.places import Place
from tui_attention.walk.refs import CellRef, CheckRef, Ref
from tui_attention.walk.steps import head_dividers


class Question(NamedTuple):
    """One question: of a cell, or of a CHECK that asks for a formula or a sentence.

    `check` is None when the learner put the cursor on a cell and typed. `sibling`: it is asked after the CHECK's own
    cell was borrowed or worked through.
    """

    ref: Ref
    check: Check | None = None
    sibling: bool = False

    @property
    def cell(self) -> CellRef | None:
        """The cell that is asked for; None for a formula or a sentence."""
        return self.ref if isinstance(self.ref, CellRef) else None

    @property
    def sentence(self) -> bool:
        return self.check is not None and self.check.sentence


class QuestionPlan:
    """Where each CHECK of a course is asked. Computed once for one set of inputs and dials."""

    def __init__(self, run: LessonRun) -> None:
        self.run = run
        self.orders = {step.name: number for number, step in enumerate(run.lesson.program.steps)}
        self._dividers: dict[str, frozenset[int]] = {}
        self._homes: Homes | None = None
        self._asked: frozenset[CellRef] | None = None
        self._workings: dict[str, Working | None] = {}
        self._places: dict[str, int] = {}
        self._firsts: dict[str, CellRef | None] = {}
        self._present: dict[str, bool] = {}
        self._choosing: dict[str, list[Check]] = {}
        for check in (check for stage in run.lesson.stages for check in stage.checks if check.of):
            self._choosing.setdefault(check.of, []).append(check)

    def working(self, check: Check) -> Working | None:
        if check.id not in self._workings:
            self._workings[check.id] = self.run.check_working(check)
        return self._workings[check.id]

    @property
    def asked_cells(self) -> frozenset[CellRef]:
        """The cells that CHECKs name."""
        if self._asked is None:
            checks = (check for stage in self.run.lesson.stages for check in stage.checks if check.cell)
            found = (self.target(check) for check in checks)
            self._asked = frozenset(cell for cell in found if cell is not None)
        return self._asked

    def asks(self, cell: CellRef, ledger: Ledger) -> bool:
        """Whether a CHECK asks for a cell: of a CHECK whose cell the program chooses, any of its tensor.

        Which one that is depends on numbers that may be covered; it is known once one is settled or a sibling asked.
        """
        if cell in self.asked_cells:
            return True
        entries = ledger.entries.items()
        for check in self._choosing.get(cell.tensor, ()):
            chosen = ledger.chosen.get(CheckRef(check.id), ())
            settled = (ref for ref, entry in entries if entry.settled and isinstance(ref, CellRef))
            if cell in chosen or (not chosen and all(ref.tensor != cell.tensor for ref in settled)):
                return True
        return False

    @property
    def homes(self) -> Homes:
        """Where in the lesson each name first occurs."""
        if self._homes is None:
            self._homes = homes_of(self.run.lesson)
        return self._homes

    def order(self, tensor: str) -> int:
        """The number of the step that makes a tensor; -1 for what no step makes."""
        return self.orders.get(tensor, -1)

    def dividers(self, tensor: str, columns: int) -> frozenset[int]:
        """The columns at which a head begins."""
        if tensor not in self._dividers:
            self._dividers[tensor] = head_dividers(self.run.graph, tensor, columns)
        return self._dividers[tensor]

    def present(self, check: Check) -> bool:
        """Whether this prompt and these dials have the CHECK at all."""
        if check.id not in self._present:
            self._present[check.id] = self._is_present(check)
        return self._present[check.id]

    def _is_present(self, check: Check) -> bool:
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
            return next((number for number, step in enumerate(stage.steps) if step.name == check.at), last)
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

    def target(self, check: Check) -> CellRef | None:
        """The cell of a CHECK, as its source; None for formulas, sentences and cells that the program chooses."""
        working = self.working(check)
        return None if working is None or check.value else CellRef(working.cell.tensor, working.cell.index)

    def first(self, check: Check) -> CellRef | None:
        """The cell that a CHECK asks first; None where there is none."""
        if check.id not in self._firsts:
            target = self.target(check)
            self._firsts[check.id] = target or (self.choose(check.of, frozenset()) if check.of else None)
        return self._firsts[check.id]

    def choose(self, tensor: str, exclude: frozenset[CellRef]) -> CellRef | None:
        """The cell of a tensor whose slips are most visible; None when none is left to ask."""
        from tui_attention.judge.choose import best_cell

        found = best_cell(self.run, tensor, frozenset(map(str, exclude)))
        return CellRef.parse(found) if found else None

    def locate(self, text: str) -> CellRef:
        """A typed address as its source cell. Raises BadInput."""
        return self.source(CellRef(*self.run.graph.locate(text)))

    def source(self, ref: CellRef) -> CellRef:
        """The cell that a cell is: that of a view is its source's."""
        return CellRef(*self.run.graph.source(ref.tensor, ref.index))

    # ------------------------------------------------------------ questions

    def of_check(self, check: Check, ledger: Ledger) -> list[Question]:
        """A CHECK's question, and behind it the siblings that were asked since."""
        if check.sentence or check.value:
            return [Question(CheckRef(check.id), check)]
        first = self.first(check)
        cells = ledger.chosen.get(CheckRef(check.id)) or ((first,) if first else ())
        return [Question(cell, check, sibling=n > 0) for n, cell in enumerate(cells)]

    def at(self, place: Place, ledger: Ledger) -> tuple[Question, ...]:
        """The questions of a place, in the lesson's order."""
        stage = self.run.lesson.stages[place.stage]
        checks = [check for check in stage.checks if self.present(check) and self.step_of(stage, check) == place.step]
        return tuple(question for check in checks for question in self.of_check(check, ledger))

    def find(self, target: Ref, place: Place, ledger: Ledger) -> Question:
        """The question that an answer belongs to: a CHECK, or any cell; a CHECK's own cell is asked as its CHECK.

        Raises BadInput when there is no such question, or when no pencil makes the cell.
        """
        if isinstance(target, CheckRef):
            return self._check_question(target)
        cell = self.source(target)
        here = next((asked for asked in self.at(place, ledger) if asked.ref == cell), None)
        if here is not None:
            return here
        working = self.run.graph.working(cell.tensor, cell.index)
        if not working.askable:
            why = "it is a dial, given" if working.kind == "dial" else working.says
            raise BadInput(f"{cell} is not asked: {why}")
        return Question(cell)

    def _check_question(self, target: CheckRef) -> Question:
        checks = (check for stage in self.run.lesson.stages for check in stage.checks)
        known = next((check for check in checks if check.id == target.id), None)
        if known is None or not self.present(known):
            raise BadInput(f"there is no question {str(target)!r}")
        return Question(target, known)

    def speaking(self, question: Question, ledger: Ledger) -> tuple[Check, ...]:
        """The CHECKs whose own sentences for slips speak of a question's cell, wherever it is asked from."""
        if question.sibling:
            return ()  # they speak of the CHECK's first cell, not of a sibling
        if question.check is not None:
            return (question.check,)
        checks = (check for stage in self.run.lesson.stages for check in stage.checks if check.says)
        return tuple(check for check in checks if self.present(check) and self._asks_of(check, question, ledger))

    def _asks_of(self, check: Check, question: Question, ledger: Ledger) -> bool:
        cell = question.cell
        if cell is None:
            return False
        if check.cell:
            return self.target(check) == cell
        # What the program chooses is looked up only where its tensor is meant: choosing takes its time.
        if not check.of:
            return False
        mine = self.source(CellRef(check.of, (0,) * len(self.run.graph.traced(check.of).shape)))
        return mine.tensor == cell.tensor and self.of_check(check, ledger)[0].ref == cell

    def asked_working(self, question: Question) -> Working:
        """The working that a question asks for. Raises BadInput for a sentence."""
        cell = question.cell
        if cell is not None:
            return self.run.graph.working(cell.tensor, cell.index)
        made = self.working(question.check) if question.check else None
        if made is None:
            raise BadInput("this question is answered with a sentence")
        return made

    def ask(self, question: Question, filled: str) -> str:
        """The question's text; `filled` is the CHECK's own text with its placeholders filled in."""
        cell = question.cell
        if question.check is None:
            return f"{question.ref}: which number stands there?"
        name = self.run.graph.tensor(cell.tensor).short(cell.index) if cell is not None else ""
        if question.sibling:
            return f"Now its neighbour {name}: which number stands there?"
        return f"{filled} ({name})" if question.check.of and name not in filled else filled

    def states(self, stage: Stage, ledger: Ledger) -> tuple[tuple[Ref, State], ...]:
        """Reference and state of every CHECK of a stage; what the program chooses is chosen only when asked."""
        return tuple((ref, ledger.entry(ref).state) for _, ref in self.refs(stage, ledger))

    def refs(self, stage: Stage, ledger: Ledger) -> tuple[tuple[Check, Ref], ...]:
        """The CHECKs of a stage that this prompt has, each with what its state is kept under."""
        return tuple((check, self._ref(check, ledger)) for check in stage.checks if self.present(check))

    def numbered(self, place: Place, check: Check | None) -> tuple[int, int]:
        """The number of a CHECK among all that the lesson asks at a step, and how many these are.

        What this prompt leaves out is counted, and a sibling is not, so that a CHECK keeps its number. Two zeros for
        a CHECK of another place.
        """
        stage = self.run.lesson.stages[place.stage]
        here = [one for one in stage.checks if self.step_of(stage, one) == place.step]
        return (here.index(check) + 1, len(here)) if check in here else (0, 0)

    def _ref(self, check: Check, ledger: Ledger) -> Ref:
        asked = CheckRef(check.id)
        if check.sentence or check.value:
            return asked
        if asked in ledger.chosen:
            return ledger.chosen[asked][0]
        if check.of and check.id not in self._firsts:
            settled = any(
                entry.settled and isinstance(ref, CellRef) and ref.tensor == check.of
                for ref, entry in ledger.entries.items()
            )
            return (self.first(check) or asked) if settled else asked
        return self.first(check) or asked


__all__ = ["Question", "QuestionPlan"]
