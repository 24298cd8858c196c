"""What is computed beside the loop when a stage shows it: the experiment, and the comparison with another head."""

from __future__ import annotations

from tui_attention.engine.formula import Step
from tui_attention.render.shapes import SLOW, calls
from tui_attention.walk.walk import Walk


def warm(walk: Walk) -> None:
    """Run the slow steps of the stage at hand, so that drawing them finds their numbers ready."""
    slow: list[Step] = [step for step in walk.stage.steps if SLOW & calls(step.expr)]
    for step in slow:
        walk.course.graph.tensor(step.name)


def compared(walk: Walk) -> tuple[str, ...]:
    """Sentences on how far our head is from another implementation's, which is named."""
    from tui_attention.export.compare import compare

    found = compare(walk.course)
    with_what = f"PyTorch {found.torch}, {found.label}" if found.torch else found.label
    return (
        f"Compared with {with_what}, on {found.inputs}: the largest difference in any number is "
        f"{found.gap:.1e}; with the causal mask on both sides {found.masked_gap:.1e}.",
    )
