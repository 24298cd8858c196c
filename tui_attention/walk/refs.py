"""What an answer belongs to: a cell, or a CHECK that asks for no single cell."""

from __future__ import annotations

from tui_attention.engine.refs import CellRef, CheckRef, Ref, parse_ref

__all__ = ["CellRef", "CheckRef", "Ref", "parse_ref"]
