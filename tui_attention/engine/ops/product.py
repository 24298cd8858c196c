"""The product of rows and columns, and what goes wrong in it: a row through a table, a score, a blend by shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from tui_attention.engine import formula
from tui_attention.engine.arrays import MOST_NUMBERS, named
from tui_attention.engine.operation import (
    FINAL,
    FORMULA,
    PAIRING,
    RARE,
    TABLE,
    OpContext,
    OperandError,
    Site,
    Slip,
    TracedArray,
    numbers,
)
from tui_attention.engine.ops.nodes import (
    Places,
    Product,
    Row,
    added,
    beside,
    cells,
    dot,
    exps,
    further,
    is_table,
    op,
    other_text,
    others,
    over,
    seen,
    stretched,
    unmasked,
)
from tui_attention.engine.ops.shared import entry
from tui_attention.engine.tensor import Axis, Index
from tui_attention.engine.working import Masked, Node, Op, Ref, number

Make = Callable[[Site, Product], Iterable[Node]]


def matmul(context: OpContext, left: TracedArray, right: TracedArray) -> TracedArray:
    """[..., n, k], [..., k, m] -> [..., n, m]: rows times columns, in pairs, added. Leading axes run side by side.

    Where rows and columns count the same thing (words against words), the columns are called "other".
    Raises OperandError where the two do not fit.
    """
    a, b = numbers(left, "the left side"), numbers(right, "the right side")
    if not a.ndim or not b.ndim:
        raise OperandError("'@' takes tables or rows; use '*' with a single number")
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a.shape[-1] != inner:
        raise OperandError(_misfit(left, right, inner))
    try:
        lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        remedy = "; 'repeat_heads' gives each group of heads its own" if len(a.shape) == len(b.shape) == 3 else ""
        raise OperandError(f"{named(left)} @ {named(right)} do not fit in their leading axes{remedy}") from None
    size = np.prod((*lead, *a.shape[-2:-1], *(b.shape[-1:] if b.ndim > 1 else ())), initial=1.0)
    if size * inner > 100 * MOST_NUMBERS or size > MOST_NUMBERS:
        raise OperandError(f"a product of at most {MOST_NUMBERS:,} numbers was expected")
    with np.errstate(all="ignore"):
        values = np.asarray(np.matmul(a, b))  # [..., n, m]
    rows = left.axes[-2:-1] if a.ndim > 1 else ()
    columns = right.axes[-1:] if b.ndim > 1 else ()
    leading = left.axes[:-2] if a.ndim >= b.ndim else right.axes[:-2]
    if columns and columns[0].name in {axis.name for axis in (*leading, *rows)}:
        columns = (Axis(f"other {columns[0].name}", columns[0].labels),)

    def bare(index: Index) -> Node:
        head = index[: len(lead)]
        row = index[len(lead) : len(lead) + len(rows)]
        column = index[len(index) - len(columns) :] if columns else ()
        a_head = stretched(left.shape[:-2], head)
        b_head = stretched(right.shape[:-2], head)
        pairs = ((left.at((*a_head, *row, k)), right.at((*b_head, k, *column))) for k in range(inner))
        terms = tuple(Op("*", pair) for pair in pairs)
        return terms[0] if len(terms) == 1 else Op("sum", terms)

    return TracedArray(values, (*leading, *rows, *columns), bare)


def _misfit(left: TracedArray, right: TracedArray, inner: int) -> str:
    across = left.axes[-1]
    down = right.axes[-2] if len(right.axes) > 1 else right.axes[0]
    says = (
        f"{named(left)} @ {named(right)} do not fit: {left.shape[-1]} columns ({across.name}) "
        f"against {inner} rows ({down.name})"
    )
    if len(right.shape) > 1 and right.shape[-1] == left.shape[-1]:
        says += f"; {right.name or 'the right side'}.T pairs {across.name} with {right.axes[-1].name}"
    return says


def family(site: Site) -> str:
    """`blend`: shares times rows. `table`: a row times a table of dials. `score`: rows times rows."""
    left, right = site.args
    if left.role == "shares":
        return "blend"
    return "table" if is_table(right) else "score"


def _in(wanted: str, make: Make) -> Callable[[Site], Iterable[Node]]:
    return lambda site: make(site, Product.of(site)) if family(site) == wanted else ()


# ---------------------------------------------------------------- a row through a table


def _transposed(site: Site, p: Product) -> Iterator[Node]:
    if p.column is not None and p.column < p.right.shape[-2] and not p.head:
        yield dot(p.lefts(), cells(p.right, (p.column,)))


def _next_columns(site: Site, p: Product) -> Iterator[Node]:
    if p.column is not None:
        for column in beside(p.column, p.columns):
            yield dot(p.lefts(), p.rights(column))


def _unflattened(site: Site, p: Product) -> Iterator[Node]:
    if p.left.role == "norm":
        yield dot(cells(p.left.args[0], (p.row,) if p.row is not None else ()), p.rights())


def _other_tables(site: Site, p: Product) -> Iterator[Node]:
    """The same row through another table of the same shape that the lesson uses it with."""
    if p.right.role == "pack" and p.column is not None:
        width = p.right.args[0].shape[-1]
        for column in (p.column - width, p.column + width):
            if 0 <= column < p.columns:
                yield dot(p.lefts(), p.rights(column))
        return
    for expr in site.steps().values():
        match expr:
            case formula.Binary(op="@", left=formula.Name(name=left), right=formula.Name(name=right)):
                table = site.find(right) if left == p.left.name and right != p.right.name else None
                if table is not None and is_table(table) and table.shape == p.right.shape:
                    yield dot(p.lefts(), Product(p.left, table, p.head, p.row, p.column).rights())


def _unbent(site: Site, p: Product) -> Iterator[Node]:
    if p.left.role == "activation":
        yield dot(cells(p.left.args[0], (p.row,) if p.row is not None else ()), p.rights())


def _bent(site: Site, p: Product) -> Iterator[Node]:
    made = {name for name, expr in site.steps().items() if _is_product(expr, p)}
    if any(isinstance(e, formula.Call) and e.op == "gelu" and _names(e) & made for e in site.steps().values()):
        node = site.node()
        yield op("*", node, op("phi", node))


def _is_product(expr: formula.Expr, p: Product) -> bool:
    match expr:
        case formula.Binary(op="@", left=formula.Name(name=left), right=formula.Name(name=right)):
            return (left, right) == (p.left.name, p.right.name)
        case _:
            return False


def _names(call: formula.Call) -> set[str]:
    return {arg.name for arg in call.args if isinstance(arg, formula.Name)}


def _norm_rows(site: Site, p: Product) -> Iterator[TracedArray]:
    """The other flattened copies that there are before this product."""
    for name, expr in site.steps().items():
        if name == p.left.name:
            return
        if site.role(expr) == "norm":
            made = site.find(name)
            if made is not None and made.shape == p.left.shape:
                yield made


def _other_flattened(site: Site, p: Product) -> Iterator[Node]:
    if p.left.role == "norm" and p.left.name:
        for other in _norm_rows(site, p):
            yield dot(Product(other, p.right, p.head, p.row, p.column).lefts(), p.rights())


def _row_before(site: Site, p: Product) -> Iterator[Node]:
    """The row that went into the sum which was flattened: the token's own row, or the running row from before."""
    source = p.left.args[0] if p.left.role == "norm" else p.left
    if p.left.role == "norm" and source.op == "+" and source.args[0].shape == source.shape:
        yield dot(cells(source.args[0], (p.row,) if p.row is not None else ()), p.rights())


def _tied(site: Site, p: Product) -> Iterator[Node]:
    """The rows of the table that looks tokens up, in place of the columns of the last table."""
    if p.column is None or len(p.right.shape) != 2 or p.right.shape[0] == p.right.shape[1]:
        return
    steps = site.steps()
    looked_up = {
        expr.base.name
        for expr in steps.values()
        if isinstance(expr, formula.Indexed)
        and isinstance(expr.base, formula.Name)
        and _by_token(expr.items[0], steps)
    }
    for name in sorted(looked_up - {p.right.name}):
        table = site.find(name) if name not in site.steps() else None
        if table is not None and is_table(table) and table.shape == p.right.shape[::-1]:
            yield dot(p.lefts(), cells(table, (p.column,)))


def _by_token(item: formula.Expr | formula.Slice, steps: Mapping[str, formula.Expr]) -> bool:
    """Whether an index picks rows by the numbers of the tokens, not by their places."""
    while isinstance(item, formula.Name) and item.name in steps:
        item = steps[item.name]
    return isinstance(item, formula.Call) and item.op == "tokens"


def _no_table(site: Site, p: Product) -> Iterator[Node]:
    left = p.lefts()
    if p.column is not None and p.column < len(left) == p.columns:
        yield left[p.column]


def _glued(make: Callable[[Row, int], Row]) -> Make:
    """The glued row of several heads in another order."""

    def build(site: Site, p: Product) -> Iterator[Node]:
        if p.left.role == "join" and p.left.args[0].shape[0] > 1:
            yield dot(make(p.lefts(), p.left.args[0].shape[0]), p.rights())

    return build


def _unblended(site: Site, p: Product) -> Iterator[Node]:
    """The token's own row, as it was before the shares blended it with others."""
    if p.left.role != "join" or p.row is None:
        return
    blend = p.left.args[0]
    rows = blend.args[1] if blend.role == "projection" and len(blend.args) == 2 else None
    if rows is not None and blend.args[0].role == "shares" and rows.shape == blend.shape:
        own = tuple(rows.at((head, p.row, k)) for head in range(rows.shape[0]) for k in range(rows.shape[-1]))
        yield dot(own, p.rights())


def _swapped(row: Row, heads: int) -> Row:
    width = len(row) // heads
    return (*row[-width:], *row[:-width])


def _interleaved(row: Row, heads: int) -> Row:
    width = len(row) // heads
    return tuple(row[head * width + place] for place in range(width) for head in range(heads))


# ---------------------------------------------------------------- a score


def _other_head(site: Site, p: Product) -> Iterator[Node]:
    for head in p.heads():
        yield dot(p.lefts(head=head), p.rights(head=head))


def _all_coordinates(site: Site, p: Product) -> Iterator[Node]:
    heads = sorted((p.head, *p.heads()))
    if len(heads) > 1:
        yield dot(
            tuple(node for head in heads for node in p.lefts(head=head)),
            tuple(node for head in heads for node in p.rights(head=head)),
        )


def all_coordinates(made: TracedArray, index: Index) -> Iterator[Node]:
    """The dot product over all heads at a cell of one head's."""
    left, right = made.args
    if len(left.shape) == len(right.shape) == 3 and len(index) == 3 and left.shape[0] == right.shape[0] > 1:
        heads = range(left.shape[0])
        yield dot(
            tuple(node for head in heads for node in cells(left, (head, index[1]))),
            tuple(right.at((head, k, index[2])) for head in heads for k in range(right.shape[1])),
        )


def _value_rows(site: Site, shape: tuple[int, ...]) -> Iterator[TracedArray]:
    """What the lesson blends by shares: the rows that are handed over."""
    for expr in site.steps().values():
        match expr:
            case formula.Binary(op="@", left=formula.Name(name=shares), right=formula.Name(name=rows)):
                if shares in site.steps() and site.role(site.steps()[shares]) == "shares":
                    found = site.find(rows)
                    if found is not None and found.shape == shape:
                        yield found


def _query_value(site: Site, p: Product) -> Iterator[Node]:
    """The rows that ask against the rows that are handed over."""
    if p.row is not None and p.column is not None:
        shape = (*p.right.shape[:-2], p.right.shape[-1], p.right.shape[-2])
        for rows in _value_rows(site, shape):
            yield dot(p.lefts(), cells(rows, (*stretched(rows.shape[:-2], p.head), p.column)))


def _split_strided(site: Site, p: Product) -> Iterator[Node]:
    """Every second coordinate to a head, in place of a half of the row each."""
    left = p.left
    if left.role == "split" and len(p.head) == 1 and p.row is not None and p.column is not None:
        heads, width = left.shape[0], left.shape[-1]
        own = left.args[0]
        keys = {node.cell.tensor for node in p.rights() if isinstance(node, Ref)}
        other = site.find(keys.pop()) if len(keys) == 1 else None
        if other is not None and other.shape[-1:] == own.shape[-1:]:
            places = [p.head[0] + heads * place for place in range(width)]
            yield dot(
                tuple(own.at((p.row, place)) for place in places),
                tuple(other.at((p.column, place)) for place in places),
            )


def _square(p: Product) -> bool:
    return p.row is not None and p.column is not None and p.column < p.rows and p.row < p.columns


def _query_query(site: Site, p: Product) -> Iterator[Node]:
    if _square(p):
        yield dot(p.lefts(), p.lefts(p.column))


def _key_key(site: Site, p: Product) -> Iterator[Node]:
    if _square(p):
        yield dot(p.rights(p.row), p.rights())


def _exchanged(site: Site, p: Product) -> Iterator[Node]:
    if _square(p):
        yield dot(p.lefts(p.column), p.rights(p.row))


def _scaled(site: Site, p: Product) -> Iterator[Node]:
    yield over(site.node(), op("sqrt", number(p.left.shape[-1])))


# ---------------------------------------------------------------- a blend by shares


def _other_shares(site: Site, p: Product) -> Iterator[Node]:
    near = others if p.left.name else beside  # shares worked out on the spot are dear
    for row in near(p.row or 0, p.rows):
        yield dot(p.lefts(row), p.rights())


def _column_of_shares(site: Site, p: Product) -> Iterator[Node]:
    if p.row is not None and p.rows == p.left.shape[-1]:
        lead = p.head if len(p.left.shape) > 2 else ()
        yield dot(tuple(p.left.at((*lead, t, p.row)) for t in range(p.rows)), p.rights())


def _own_row(site: Site, p: Product) -> Iterator[Node]:
    rows = p.rights()
    if p.row is not None and p.row < len(rows):
        yield rows[p.row]


def _scores(p: Product) -> Row:
    lead = (*(p.head if len(p.left.shape) > 2 else ()), *(() if p.row is None else (p.row,)))
    return cells(p.left.args[0], lead)


def _visible(p: Product) -> Row:
    pairs = zip(_scores(p), p.rights(), strict=True)
    return tuple(value for score, value in pairs if not isinstance(score, Masked))


def _average(site: Site, p: Product) -> Iterator[Node]:
    for rows in dict.fromkeys((_visible(p), p.rights())):
        yield over(added(rows), number(len(rows)))


def _no_shares(site: Site, p: Product) -> Iterator[Node]:
    yield added(_visible(p))


def _by_scores(site: Site, p: Product) -> Iterator[Node]:
    pairs = [pair for pair in zip(_scores(p), p.rights(), strict=True) if not isinstance(pair[0], Masked)]
    yield dot(*(tuple(side) for side in zip(*pairs, strict=True)))


def _other_coordinates(near: Places) -> Make:
    def build(site: Site, p: Product) -> Iterator[Node]:
        there = p.column is not None and (p.left.name or near is beside)  # shares worked out on the spot are dear
        for column in near(p.column or 0, p.columns) if there else ():
            yield dot(p.lefts(), p.rights(column))

    return build


def _other_heads_rows(site: Site, p: Product) -> Iterator[Node]:
    """The own shares with the rows of another head: the divider in the glued row overlooked."""
    for head in p.heads():
        for column in range(p.columns) if p.left.name else ():
            yield dot(p.lefts(), p.rights(column, head=head))


def _other_heads_blend(site: Site, p: Product) -> Iterator[Node]:
    for head in p.heads():
        yield dot(p.lefts(head=head), p.rights(head=head))


def _other_heads_shares(site: Site, p: Product) -> Iterator[Node]:
    """Another head's shares with the own rows."""
    for head in p.heads():
        yield dot(p.lefts(head=head), p.rights())


def _roles(which: int) -> Make:
    """The rows that ask (0) or that are asked (1) are blended in place of those that are handed over."""

    def build(site: Site, p: Product) -> Iterator[Node]:
        scores = unmasked(p.left.args[0])
        scores = scores.args[0] if scores.op == "/" and scores.args else scores
        if scores.role != "projection" or len(scores.args) != 2 or p.column is None:
            return
        rows = scores.args[which]
        lead = stretched(rows.shape[:-2], p.head)
        size = p.right.shape[-2]
        wide = rows.shape[-1] if which == 0 else rows.shape[-2]
        if p.column < wide and size == (rows.shape[-2] if which == 0 else rows.shape[-1]):
            column = (
                rows.at((*lead, t, p.column)) if which == 0 else rows.at((*lead, p.column, t)) for t in range(size)
            )
            yield dot(p.lefts(), tuple(column))

    return build


def _strided_rows(site: Site, p: Product) -> Iterator[Node]:
    """The rows that are handed over, with every second coordinate given to a head."""
    if p.right.role == "split" and len(p.head) == 1 and p.column is not None:
        place = p.head[0] + p.right.shape[0] * p.column
        yield dot(p.lefts(), tuple(p.right.args[0].at((t, place)) for t in range(p.right.shape[-2])))


def _other_sentence(site: Site, p: Product) -> Iterator[Node]:
    twin = other_text(p.left.name, site.steps())
    shares = site.find(twin) if twin else None
    if shares is not None and shares.shape == p.left.shape:
        yield dot(Product(shares, p.right, p.head, p.row, p.column).lefts(), p.rights())


def _shared_out(scores: TracedArray, p: Product) -> Node:
    """The blend by shares that are made from other scores, worked out on the spot."""
    lead = (*(p.head if len(p.left.shape) > 2 else ()), *(() if p.row is None else (p.row,)))
    row = cells(scores, lead)
    powers = exps(seen(row))
    whole = added(powers)
    shares = iter(over(power, whole) for power in powers)
    pairs = [
        (next(shares), value) for node, value in zip(row, p.rights(), strict=True) if not isinstance(node, Masked)
    ]
    return dot(tuple(share for share, _ in pairs), tuple(value for _, value in pairs))


def _masked_counted(site: Site, p: Product) -> Iterator[Node]:
    scores = p.left.args[0]
    if scores.role == "mask" and len(_visible(p)) < len(p.rights()):
        yield _shared_out(unmasked(scores), p)


def _unscaled(site: Site, p: Product) -> Iterator[Node]:
    scores = unmasked(p.left.args[0])
    if scores.op == "/":
        masked = p.left.args[0].role == "mask"
        yield _shared_out(_masked_like(p.left.args[0], scores.args[0]) if masked else scores.args[0], p)


def _masked_like(masked: TracedArray, scores: TracedArray) -> TracedArray:
    """`scores` with the places struck out that are masked."""
    return TracedArray(
        scores.values,
        scores.axes,
        lambda index: Masked() if isinstance(masked.at(index), Masked) else scores.at(index),
    )


SLIPS = (
    # a row through a table
    Slip("transposed", "a row of the table is read in place of its column", _in("table", _transposed), TABLE),
    Slip("neighbour-column", "the column beside it is read", _in("table", _next_columns), TABLE),
    Slip("unflattened-row", "the row goes in before it is flattened", _in("table", _unflattened), FORMULA),
    Slip("neighbour-table", "another table of the same size is read", _in("table", _other_tables), TABLE),
    Slip("no-bend", "the row goes in before the bend", _in("table", _unbent), TABLE),
    Slip("bent-already", "the bend is done here already", _in("table", _bent), RARE, whole=True),
    Slip("other-flattened", "another flattened copy of the row goes in", _in("table", _other_flattened), TABLE),
    Slip("row-before", "the row from before the addition goes in", _in("table", _row_before), RARE),
    Slip("tied-table", "rows of the token table are read, not columns of this one", _in("table", _tied), PAIRING),
    Slip("table-forgotten", "the row stays as it is, without the table", _in("table", _no_table), PAIRING),
    Slip("kept-own-row", "the token's own row goes in, not the blend", _in("table", _unblended), FINAL),
    Slip("heads-swapped", "the heads are glued in the other order", _in("table", _glued(_swapped)), PAIRING),
    Slip("heads-interleaved", "the heads are glued number by number", _in("table", _glued(_interleaved)), FINAL),
    # a score
    Slip(
        "query-with-value",
        "the rows that ask meet the rows that are handed over",
        _in("score", _query_value),
        PAIRING,
    ),
    Slip("heads-interleaved", "every second number is given to a head", _in("score", _split_strided), FINAL),
    Slip("other-head", "the numbers of the other head are paired", _in("score", _other_head), TABLE),
    Slip("all-coordinates", "the coordinates of all heads are paired", _in("score", _all_coordinates), TABLE),
    Slip("query-with-query", "the rows that ask are paired with each other", _in("score", _query_query), TABLE),
    Slip("key-with-key", "the rows that are asked are paired with each other", _in("score", _key_key), TABLE),
    Slip("transposed", "query and key change places", _in("score", _exchanged), TABLE),
    Slip(
        "scaled",
        "it is divided by the root of the width, which is not done here",
        _in("score", _scaled),
        PAIRING,
        whole=True,
    ),
    # a blend by shares
    Slip(
        "column-of-shares",
        "a column of the shares is used in place of its row",
        _in("blend", _column_of_shares),
        TABLE,
    ),
    Slip("kept-own-row", "the own row is kept, unmixed", _in("blend", _own_row), TABLE),
    Slip("plain-average", "the rows are averaged, all with equal shares", _in("blend", _average)),
    Slip("other-word", "the shares of another row are used", _in("blend", _other_shares), TABLE),
    Slip("no-shares", "the rows are added without shares", _in("blend", _no_shares), TABLE),
    Slip("scores-not-shares", "the scores are used in place of the shares", _in("blend", _by_scores), TABLE),
    Slip("other-sentence", "the other sentence's shares are used", _in("blend", _other_sentence), TABLE),
    Slip(
        "neighbour-coordinate", "the coordinate beside it is mixed", _in("blend", _other_coordinates(beside)), TABLE
    ),
    Slip("neighbour-coordinate", "another coordinate is mixed", _in("blend", _other_coordinates(further)), FINAL),
    Slip("neighbour-coordinate", "a coordinate of the other head is mixed", _in("blend", _other_heads_rows), FINAL),
    Slip("other-head", "the other head is worked instead", _in("blend", _other_heads_blend), TABLE),
    Slip("other-head-shares", "the shares of the other head are used", _in("blend", _other_heads_shares), TABLE),
    Slip("query-for-value", "the rows that ask are blended, not those handed over", _in("blend", _roles(0)), PAIRING),
    Slip(
        "key-for-value",
        "the rows that are asked are blended, not those handed over",
        _in("blend", _roles(1)),
        PAIRING,
    ),
    Slip("heads-interleaved", "every second number is given to a head", _in("blend", _strided_rows), FINAL),
    Slip("masked-counted", "the shares count what is masked", _in("blend", _masked_counted), PAIRING),
    Slip("unscaled", "the shares are made from scores that were not divided", _in("blend", _unscaled), PAIRING),
)

ENTRIES = (
    entry(
        "@",
        "row columns",
        matmul,
        "multiply in pairs along row and column, then add",
        SLIPS,
        shapes="[..., n, k], [..., k, m] -> [..., n, m]",
        example="X @ W",
        standard="dot product",
        role="projection",
        cost=lambda rows, columns: rows.values.size * (columns.shape[-1] if len(columns.shape) > 1 else 1),
    ),
)
