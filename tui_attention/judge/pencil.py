"""Working a tree in all honest styles at once."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping

from tui_attention.engine.working import (
    ROOTS,
    Const,
    Node,
    Op,
    Ref,
    Style,
    apply,
    even_styles,
    kept,
    leaf,
    operands,
    short_styles,
    styles,
)

Values = tuple[float, ...]


def has_root(node: Node, without: Container[int] = ()) -> bool:
    """Whether the root of a constant stands in the tree: only then do tables of roots matter.

    `without`: the ids of nodes that are known to have none.
    """
    seen: set[int] = set()
    left = [node]
    while left:
        part = left.pop()
        if isinstance(part, Op) and id(part) not in seen and id(part) not in without:
            if part.kind == "sqrt" and isinstance(part.args[0], Const):
                return True
            seen.add(id(part))
            left += part.args
    return False


def distinct(found: tuple[Style, ...], rooted: bool) -> tuple[Style, ...]:
    """The styles that can differ: without the root of a constant, those with other tables of roots do not."""
    return found if rooted else tuple(style for style in found if style.roots in (None, ROOTS[0]))


class Pencil:
    """Evaluates trees in several styles. Every part is worked once, however often and in how many trees it stands.

    A slip's tree, which shares most of its parts with the working, then costs only what is new in it. Parts are
    numbered: a part is known by its operation and the numbers of what goes in.
    """

    def __init__(self, root: Node, found: tuple[Style, ...]) -> None:
        self.styles = found
        # Styles that read an operand alike: the first of each, and which of them a style is.
        self._reads = tuple({(style.inputs, style.short): style for style in found}.values())
        order = {(style.inputs, style.short): place for place, style in enumerate(self._reads)}
        self._reader = tuple(order[style.inputs, style.short] for style in found)
        self._numbers: dict[object, int] = {}
        self._worked: list[Values] = []  # by number: with all digits
        self._kept: list[Values] = []  # by number: with the digits that the style writes down
        self.known: dict[int, int] = {}  # number by id, which is good while `_pinned` keeps the nodes alive
        self._pinned = root
        self._number(root, self.known)

    def values(self, node: Node) -> Values:
        """The tree's number in each style; the last operation itself is not rounded."""
        return self._worked[self._number(node, {})]

    def _number(self, node: Node, seen: dict[int, int]) -> int:
        """`seen` remembers ids for as long as the tree is in hand."""
        known = self.known.get(id(node))
        if known is None:
            known = seen.get(id(node))
        if known is None:
            match node:
                case Op(kind, args):
                    inside = [self._number(arg, seen) for arg in args]
                    key: object = (kind, *inside)
                    known = self._numbers.get(key)
                    if known is None:
                        known = self._add(key, *self._operation(node, inside))
                case Ref(cell):
                    key = cell.tensor, cell.index
                    known = self._numbers.get(key)
                    if known is None:
                        known = self._add(key, *(self._leaf(node),) * 2)
                case _:
                    known = self._numbers.get(node)
                    if known is None:
                        known = self._add(node, *(self._leaf(node),) * 2)
            seen[id(node)] = known
        return known

    def _add(self, key: object, worked: Values, kept_values: Values) -> int:
        self._numbers[key] = len(self._worked)
        self._worked.append(worked)
        self._kept.append(kept_values)
        return self._numbers[key]

    def _operation(self, node: Op, inside: list[int]) -> tuple[Values, Values]:
        kind = node.kind
        columns = [self._kept[number] for number in inside]
        worked = tuple([apply(kind, list(row)) for row in zip(*columns, strict=True)])
        return worked, tuple([kept(node, value, style) for value, style in zip(worked, self.styles, strict=True)])

    def _leaf(self, node: Node) -> Values:
        found = [leaf(node, style) for style in self._reads]
        return tuple([found[place] for place in self._reader])


def early(asks: int) -> tuple[Style, ...]:
    """The styles that keep one decimal too few in the steps between; none where no decimal is asked."""
    if asks < 1:
        return ()
    return tuple(Style("printed", asks - 1, roots) for roots in (*ROOTS, asks - 1))


class Pencils:
    """The pencil of a working, and a second one with all tables of roots for workings that bring a root in.

    The first two styles should be the machine's and exact arithmetic on the printed rows.
    """

    def __init__(self, root: Node, found: tuple[Style, ...]) -> None:
        self._root, self._found = root, found
        rooted = has_root(root)
        self.own = Pencil(root, distinct(self._found, rooted))
        self._rooted = self.own if rooted else None

    def values(self, node: Node) -> Values:
        """The tree's number in each style that can matter for it."""
        if self._rooted is not self.own and has_root(node, self.own.known):
            self._rooted = self._rooted or Pencil(self._root, self._found)
            return self._rooted.values(node)
        return self.own.values(node)


def honest_styles(root: Node, asks: int, own: Mapping[str, float] | None = None) -> tuple[Style, ...]:
    """All honest styles of a working, the thirteen first; then halves to the even digit, and short operands."""
    return (*styles(asks, own), *even_styles(asks, own), *(short_styles(asks, own) if longer(root, asks) else ()))


def slip_styles(root: Node, asks: int, own: Mapping[str, float] | None = None) -> tuple[Style, ...]:
    """The styles in which a slip is worked: those of the thirteen that tell its outcomes apart; short operands."""
    found = [style for style in styles(asks, own) if style.inner != asks + 2]
    short = short_styles(asks, own) if longer(root, asks) else ()
    return (*found, *(style for style in short if style.inner in (None, asks)))


def longer(root: Node, asks: int) -> bool:
    """Whether an operand prints more decimals than are asked, as a mean does."""
    return any(cell.prints is not None and not cell.exact and cell.prints > asks for cell in operands(root))


def finite(values: Values) -> Values:
    """The values that are numbers."""
    return tuple(value for value in values if math.isfinite(value))
