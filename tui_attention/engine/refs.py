"""What is meant by an address or an id, as a value that can be compared, hashed and kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tui_attention.engine.tensor import Index, address

_CHECK = "check:"
_WRITTEN = re.compile(r"([A-Za-z_]\w*)(?:\[(\d{1,9}(?:,\d{1,9})*)\])?", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class CellRef:
    """One cell of a tensor. As text it is the full address, `q[0,2]`; of a single number the bare name."""

    tensor: str
    index: Index = ()

    def __str__(self) -> str:
        return address(self.tensor, self.index)

    @property
    def said(self) -> str:
        """For people: the address."""
        return str(self)

    @staticmethod
    def parse(text: str) -> CellRef:
        """The inverse of `str`. Raises ValueError for anything else, such as labels or spaces."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise ValueError(f"{text[:40]!r} is no full address of a cell")
        return CellRef(found[1], tuple(map(int, found[2].split(","))) if found[2] else ())


@dataclass(frozen=True, slots=True, order=True)
class CheckRef:
    """A CHECK of the lesson by its id, whether or not it asks for a single cell. As text `check:flatten.2`."""

    id: str

    def __str__(self) -> str:
        return _CHECK + self.id

    @property
    def said(self) -> str:
        """For people: `CHECK flatten.2`."""
        return f"CHECK {self.id}"

    @staticmethod
    def parse(text: str) -> CheckRef | None:
        """The inverse of `str`; None for anything else."""
        return CheckRef(text.removeprefix(_CHECK)) if text.startswith(_CHECK) else None


Ref = CellRef | CheckRef
"""What an answer belongs to."""


def parse_ref(text: str) -> Ref:
    """The inverse of `str` for both. Raises ValueError for anything else."""
    return CheckRef.parse(text) or CellRef.parse(text)


__all__ = ["CellRef", "CheckRef", "Ref", "parse_ref"]
