"""What is computed beside the loop when a stage shows it: the experiment, and the comparison with another head."""

from __future__ import annotations

from tui_attention.engine.formula import Step
from tui_attention.engine.traits import is_slow
from tui_attention.walk.walk import Walk


def warm(walk: Walk) -> None:
    """Run the slow steps of the stage at hand, so that drawing them finds their numbers ready."""
    slow: list[Step] = [step for step in walk.stage.steps if is_slow(step.expr)]
    for step in slow:
        walk.run.graph.tensor(step.name)


def compared(walk: Walk) -> tuple[str, ...]:
    """How far our head is from another implementation's, in sentences."""
    from tui_attention.export.compare import compare, told

    return (told(compare(walk.run)),)
