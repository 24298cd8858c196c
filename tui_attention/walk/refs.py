"""What an answer belongs to: a cell, or a CHECK that asks for no single cell."""

from __future__ import annotations

from dataclasses import dataclass

from tui_attention.engine.refs import CellRef

_CHECK = "check:"


@dataclass(frozen=True, slots=True, order=True)
class CheckRef:
    """A CHECK of the lesson by its id. As text `check:flatten.2`."""

    id: str

    def __str__(self) -> str:
        return _CHECK + self.id


Ref = CellRef | CheckRef


def parse_ref(text: str) -> Ref:
    """The inverse of `str` for both. Raises ValueError for anything else."""
    return CheckRef(text.removeprefix(_CHECK)) if text.startswith(_CHECK) else CellRef.parse(text)


__all__ = ["CellRef", "CheckRef", "Ref", "parse_ref"]
