"""The marks that are not ASCII, and what stands for each where a terminal has no more than ASCII."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len

_ASCII: Mapping[int, str] = str.maketrans(
    {
        "·": ".", "…": "~", "✓": "v", "▶": ">", "▸": ">", "▾": "-",
        "○": "o", "◐": "%", "●": "*", "│": "|", "─": "-", "━": "=",
        "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┼": "+", "▲": "^", "▼": "v",
        "▏": "_", "→": ">", "←": "<", "↑": "^", "↓": "v", "×": "x", "−": "-", "–": "-", "—": "-", "“": '"', "”": '"',
        "’": "'", "█": "#", "▓": "#", "▒": "+", "░": ".", "■": "#", "□": "o", "▁": "_", "▄": "=", "Σ": "S", "╌": "-",
        "▔": "-", "▂": "_", "▃": "_", "▅": "=", "▆": "#", "▇": "#", "🔎": "> ",
    }
)  # fmt: skip


def ascii_text(text: str) -> str:
    """The text in ASCII, as many columns wide: known marks by their stand-ins, everything else as `?`."""
    if text.isascii():
        return text
    return "".join(mark if mark.isascii() else "?" * cell_len(mark) for mark in text.translate(_ASCII))
