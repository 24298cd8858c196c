"""Which part of a step's matrices is drawn where there is no room for all of them: the part around what is lit.

Nothing is scaled down. Lines that are left out are marked by the span that is shown (`rows 6 to 8 of 10`), parts of
the columns by the labels of those that stand there, and whole matrices by a last row that names them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from tui_attention.engine.refs import CellRef
from tui_attention.render.matrix import Grid, GridLine, MatrixBlock, flow, grid_blocks
from tui_attention.render.rows import Row, Span, cells_of, paragraph, width_of

CONTEXT = (6, 4, 2, 1, 0)
"""How many lines beside a lit one are shown, at first and where that is still too much."""


@dataclass(frozen=True, eq=False, slots=True)
class Focus:
    """What has to be on the screen: the cells that are asked or lit, by their source, and the rows there are for it.

    `asked` is the cell that is asked, if it is one; `order` the tensors that it reads, as its pencil line has them.
    """

    wanted: frozenset[CellRef]
    rows: int
    asked: CellRef | None = None
    order: tuple[str, ...] = ()


def reach(rows: Sequence[Row], wanted: Collection[CellRef]) -> int:
    """How many rows there are down to the last one that holds a wanted cell."""
    return max((y + 1 for y, _, _, key in cells_of(rows) if key.source in wanted), default=0)


def far(rows: Sequence[Row], wanted: Collection[CellRef]) -> int:
    """How many rows it takes until every wanted cell has stood there once."""
    first: dict[CellRef, int] = {}
    for y, _, _, key in cells_of(rows):
        if key.source in wanted:
            first.setdefault(key.source, y + 1)
    return max(first.values(), default=0)


def sources(line: GridLine) -> Iterator[CellRef]:
    """The cells that the cells of a line are."""
    return (line.view.sources[index] for index in line.indices)


def windowed(grid: Grid, wanted: Collection[CellRef], context: int) -> tuple[Grid, str] | None:
    """The lines of a grid that hold a wanted cell, and `context` more beside each; None where it holds none.

    With it the span that is shown, empty where that is everything.
    """
    lit = [n for n, line in enumerate(grid.lines) if any(source in wanted for source in sources(line))]
    if not lit:
        return None
    kept = sorted({n for at in lit for n in range(at - context, at + context + 1) if 0 <= n < len(grid.lines)})
    if len(kept) == len(grid.lines):
        return grid, ""
    lines = tuple(grid.lines[n] for n in kept)
    same = {line.view.name for line in grid.lines}
    span = f"{spans(kept)} of {len(grid.lines)}" if len(same) == 1 else ""
    return replace(grid, lines=lines), span


def spans(kept: Sequence[int]) -> str:
    """`row 7`, `rows 6 to 8`, `rows 1, 3`."""
    runs: list[list[int]] = []
    for n in kept:
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    said = ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
    return f"row{'' if len(kept) == 1 else 's'} {said}"


def spanned(block: MatrixBlock, span: str, width: int) -> MatrixBlock | None:
    """The block with its span beside the first row; None where that is too wide."""
    first, *rest = block.rows
    if width_of(first) + 2 + len(span) > width:
        return None
    return MatrixBlock(((*first, Span("  "), Span(span, "part")), *rest))


def fitted(
    whole: list[Row], grids: Sequence[Grid], width: int, focus: Focus, *, first: int, instead: Sequence[Grid] = ()
) -> list[Row]:
    """Grids as rows in which everything wanted stands within the rows there are, as far as that is possible.

    `whole` are all their rows, `first` is the number of the first block. `instead` are grids of the same cells in
    another arrangement, for where even the wanted lines alone are too many.
    """
    if reach(whole, focus.wanted) <= focus.rows:
        return whole
    best = whole
    for context in CONTEXT:
        part = _laid(grids, width, first, context, focus.wanted)
        if reach(part, focus.wanted) <= focus.rows:
            return part
        if reach(part, focus.wanted) < reach(best, focus.wanted):
            best = part
    if instead:
        other = _laid(instead, width, first, 0, focus.wanted)
        best = min(best, other, key=lambda rows: reach(rows, focus.wanted))
    return best


def _laid(grids: Sequence[Grid], width: int, first: int, context: int, wanted: Collection[CellRef]) -> list[Row]:
    """The wanted lines of the grids, with so many beside each, and a last row that says what is left out."""
    blocks: list[MatrixBlock] = []
    left: dict[str, list[str]] = {"": [], "rows of ": [], "columns of ": []}
    for number, grid in enumerate(grids, first):
        chosen = windowed(grid, wanted, context)
        if chosen is None:
            left[""].append(name_of(grid))
            continue
        made = grid_blocks(chosen[0], number, width, dense=True)
        parts = [part for part in made if reach(part.rows, wanted)]
        if len(parts) < len(made):
            left["columns of "].append(name_of(grid))
        if chosen[1]:
            marked = [spanned(part, chosen[1], width) for part in parts[:1]]
            left["rows of "] += [name_of(grid)] if None in marked else []
            parts[:1] = [marked[0] or parts[0]]
        blocks += parts
    rows = flow(blocks, width, gap=False)
    named = [what + ", ".join(dict.fromkeys(names)) for what, names in left.items() if names]
    if named:
        rows += paragraph(f"Left out (z shows it): {', '.join(named)}", width, "more")
    return rows


def name_of(grid: Grid) -> str:
    """What a grid is called in a mark: its tensor, and which head where it is one of several."""
    where = grid.title[1].text if len(grid.title) > 1 and grid.title[1].text.startswith("  head ") else ""
    return grid.lines[0].view.name + " ".join(["", *where.split()]) if grid.lines else ""


__all__ = ["Focus", "far", "fitted", "name_of", "reach", "spanned", "spans", "windowed"]
