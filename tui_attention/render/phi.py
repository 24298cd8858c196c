"""The table of Phi that a stage needs beside its pencil: no pencil makes it out of adding and dividing.

Phi(z) = (1 + erf(z / sqrt 2)) / 2, the part of a bell curve that lies below z. Printed to four decimals.
"""

from __future__ import annotations

import math

from tui_attention.engine.decimals import printed, rounded
from tui_attention.engine.tensor import Index
from tui_attention.engine.working import PHI_DECIMALS, apply
from tui_attention.walk.view import SHOWN, View

ROUND = tuple(tenth / 10 for tenth in range(21))
"""The z of a table for any numbers: 0.0 to 2.0."""


def phi(z: float) -> str:
    """Phi of a number, as printed."""
    return printed(apply("phi", [z]), PHI_DECIMALS)


def phi_at(view: View, index: Index) -> str | None:
    """Phi of a cell as it is printed; None where the cell may not be shown."""
    if view.states[index] != SHOWN or not math.isfinite(view.values[index]):
        return None
    return phi(rounded(float(view.values[index]), view.decimals))
