"""Switches: another formula for a named step, to see what the step is there for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tui_attention.engine import formula, naming
from tui_attention.engine.errors import BadInput
from tui_attention.engine.formula import Expr, Name, Step
from tui_attention.engine.program import Program


@dataclass(frozen=True, eq=False, slots=True)
class Switch:
    """One thing that can be done otherwise, such as `scale`: no division by the root.

    `steps` has the other formula of each step that it touches, as text. Where such a formula reads the step's own
    name, that stands for the formula so far: so several switches can act on one step.
    """

    id: str
    title: str
    steps: Mapping[str, str]


def switched(program: Program, switches: Iterable[Switch]) -> Program:
    """The program with these switches thrown, in their order.

    Raises BadInput where two of them say different things of one step, LessonError for a formula that is none.
    """
    steps = {step.name: step for step in program.steps}
    said: dict[str, str] = {}
    thrown = tuple(switches)
    for switch in thrown:
        for name, text in switch.steps.items():
            wraps = name in formula.names(naming.parse(text))
            if name in said and not wraps:
                raise BadInput(f"{said[name]} and {switch.id} can't be had together: both say what {name} is")
            steps[name] = _under(steps[name], text)
            said.setdefault(name, switch.id)
    ordered = tuple(steps[step.name] for step in program.steps)
    return replace(program, steps=ordered, by_name=steps, switched=tuple(switch.id for switch in thrown))


def _under(step: Step, text: str) -> Step:
    """The step under another formula, in which its own name stands for the formula that it had."""

    def inside(name: Name) -> Expr:
        return step.expr if name.name == step.name else name

    spelled = formula.NAME.sub(lambda match: step.text if match[0] == step.name else match[0], text)
    return step._replace(expr=formula.mapped(naming.parse(text), inside), text=spelled)


__all__ = ["Switch", "switched"]
