"""Places told by turning: pairs of coordinates rotated by an angle that grows with the place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tui_attention.engine.operation import TABLE, OpContext, OperandError, Operation, Site, Slip, TracedArray
from tui_attention.engine.ops.functions import power
from tui_attention.engine.ops.nodes import op, over
from tui_attention.engine.ops.shared import entry, needs_row
from tui_attention.engine.tensor import Array, Index
from tui_attention.engine.working import Const, Node, number

Pairing = Callable[[int, int], tuple[int, int]]  # pair, width -> its two coordinates


def neighbours(pair: int, width: int) -> tuple[int, int]:
    """Coordinates 0 and 1, 2 and 3, ... as the paper has them."""
    return 2 * pair, 2 * pair + 1


def halves(pair: int, width: int) -> tuple[int, int]:
    """A coordinate and the one half a row further, as most released weights have them."""
    return pair, pair + width // 2


def _angles(places: Array, theta: float, width: int) -> Array:
    return places[:, None] * theta ** (-2.0 * np.arange(width // 2) / width)  # [tokens, pairs]


def _places_of(x: TracedArray, given: TracedArray | None) -> Array:
    """The place of each row: its number, or what the formula says. Raises OperandError."""
    count = x.shape[-2]
    if given is None:
        return np.arange(count, dtype=np.float64)
    if given.shape not in ((), (count,)):
        raise OperandError(f"'rope' takes one place for each of the {count} rows, or a single one")
    return np.broadcast_to(given.values.astype(np.float64), (count,))


def _place(places: TracedArray | None, token: int) -> Node:
    return number(token) if places is None else places.at((token,) if places.shape else ())


def _own_place(site: Site) -> Node:
    return _place(site.args[2] if len(site.args) > 2 else None, site.index[-2])


def angle(place: Node, theta: Node, pair: int, width: int) -> Node:
    """place / theta^(2 pair / width): the first pair turns by the place itself."""
    return over(place, power(theta, number(2 * pair / width))) if pair else place


def _turned(first: Node, second: Node, by: Node, which: int) -> Node:
    """One coordinate of a pair (first, second), turned to the left by an angle."""
    cos, sin = op("cos", by), op("sin", by)
    if which == 0:
        return op("-", op("*", first, cos), op("*", second, sin))
    return op("+", op("*", first, sin), op("*", second, cos))


def _rope(pairing: Pairing) -> Callable[..., TracedArray]:
    def run(context: OpContext, x: TracedArray, theta: TracedArray, places: TracedArray | None = None) -> TracedArray:
        """[..., t, n], number, [t]? -> [..., t, n]: pair i of a row at place p turned by p / theta^(2i / n) radians
        (Su and others 2021). Places are 0 to t - 1 where none are given.

        Raises OperandError for an odd width, and for a theta that is not above 0.
        """
        rows = needs_row(x, "'rope'")
        width = x.shape[-1]
        if rows.ndim < 2 or width % 2:
            raise OperandError("'rope' takes rows [... x tokens x width] of an even width")
        if theta.shape or not theta.scalar() > 0:
            raise OperandError("'rope' takes one number above 0 for theta, such as 10000")
        angles = _angles(_places_of(x, places), theta.scalar(), width)  # [tokens, pairs]
        cos, sin = np.cos(angles), np.sin(angles)
        pairs = [pairing(pair, width) for pair in range(width // 2)]
        first, second = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        values = np.empty_like(rows)  # [..., tokens, width]
        values[..., first] = rows[..., first] * cos - rows[..., second] * sin
        values[..., second] = rows[..., first] * sin + rows[..., second] * cos
        where = {place: (pair, side) for pair, both in enumerate(pairs) for side, place in enumerate(both)}

        def at(index: Index) -> Node:
            *lead, token, place = index
            pair, side = where[place]
            a, b = (x.at((*lead, token, other)) for other in pairs[pair])
            own = _place(places, token)
            return _turned(a, b, angle(own, theta.at(()), pair, width), side)

        return TracedArray(values, x.axes, at)

    return run


def rope_speeds(
    context: OpContext, x: TracedArray, speeds: TracedArray, places: TracedArray | None = None
) -> TracedArray:
    """[..., t, n], [n / 2], [t]? -> [..., t, n]: as `rope_halves`, each pair with a speed of its own per place."""
    rows = needs_row(x, "'rope_speeds'")
    half = x.shape[-1] // 2
    if rows.ndim < 2 or x.shape[-1] % 2 or speeds.shape != (half,):
        raise OperandError("'rope_speeds' takes rows [... x tokens x width] and one speed for each pair, width / 2")
    angles = _places_of(x, places)[:, None] * speeds.values.astype(np.float64)  # [tokens, pairs]
    cos, sin = np.cos(angles), np.sin(angles)
    a, b = rows[..., :half], rows[..., half:]
    values = np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)

    def at(index: Index) -> Node:
        *lead, token, place = index
        side, pair = divmod(place, half)
        first, second = x.at((*lead, token, pair)), x.at((*lead, token, pair + half))
        return _turned(first, second, op("*", _place(places, token), speeds.at((pair,))), side)

    return TracedArray(values, x.axes, at)


# ---------------------------------------------------------------- what goes wrong


def _slip(
    pairing: Pairing, make: Callable[[Site, Node, Node, int, int], Iterator[Node]]
) -> Callable[[Site], Iterator[Node]]:
    """`make` is given the pair's two numbers, which of the two is asked, and which pair it is."""

    def build(site: Site) -> Iterator[Node]:
        x, (*lead, token, place) = site.args[0], site.index
        for pair in range(x.shape[-1] // 2):
            both = pairing(pair, x.shape[-1])
            if place in both:
                a, b = (x.at((*lead, token, other)) for other in both)
                yield from make(site, a, b, both.index(place), pair)

    return build


def _own_angle(site: Site, pair: int, step: int = 0) -> Node:
    place = _own_place(site)
    return angle(op("+", place, number(step)) if step else place, site.args[1].at(()), pair, site.args[0].shape[-1])


def _backward(site: Site, a: Node, b: Node, which: int, pair: int) -> Iterator[Node]:
    yield _turned(a, b, op("neg", _own_angle(site, pair)), which)


def _not_turned(site: Site, a: Node, b: Node, which: int, pair: int) -> Iterator[Node]:
    yield (a, b)[which]


def _from_one(site: Site, a: Node, b: Node, which: int, pair: int) -> Iterator[Node]:
    yield _turned(a, b, _own_angle(site, pair, 1), which)


def _exchanged(site: Site, a: Node, b: Node, which: int, pair: int) -> Iterator[Node]:
    cos, sin = op("cos", _own_angle(site, pair)), op("sin", _own_angle(site, pair))
    yield op("-", op("*", a, sin), op("*", b, cos)) if which == 0 else op("+", op("*", a, cos), op("*", b, sin))


def _one_angle(site: Site, a: Node, b: Node, which: int, pair: int) -> Iterator[Node]:
    if pair:
        yield _turned(a, b, _own_angle(site, 0), which)


def _pair_counted_once(site: Site, a: Node, b: Node, which: int, pair: int) -> Iterator[Node]:
    if pair:
        theta, width = site.args[1].at(()), site.args[0].shape[-1]
        yield _turned(a, b, over(_own_place(site), power(theta, number(pair / width))), which)


def _degrees(site: Site, a: Node, b: Node, which: int, pair: int) -> Iterator[Node]:
    yield _turned(a, b, op("*", _own_angle(site, pair), Const(np.pi / 180, "pi/180")), which)


def _one_term(site: Site, a: Node, b: Node, which: int, pair: int) -> Iterator[Node]:
    yield op("*", (a, b)[which], op("cos", _own_angle(site, pair)))


def _other_pairing(other: Pairing) -> Callable[[Site], Iterator[Node]]:
    return _slip(other, lambda site, a, b, which, pair: iter((_turned(a, b, _own_angle(site, pair), which),)))


def _slips(pairing: Pairing, other: Pairing, says: str) -> tuple[Slip, ...]:
    return (
        Slip("turned-backward", "the pair is turned the other way round", _slip(pairing, _backward)),
        Slip("not-turned", "the number is not turned at all", _slip(pairing, _not_turned)),
        Slip("counted-from-one", "the places are counted from 1", _slip(pairing, _from_one), TABLE),
        Slip("sine-cosine", "sine and cosine have changed places", _slip(pairing, _exchanged)),
        Slip("other-pairing", says, _other_pairing(other), TABLE),
        Slip("one-angle", "every pair turns by the angle of the first", _slip(pairing, _one_angle)),
        Slip(
            "pair-counted-once",
            "the pair's number is not doubled in the power of theta",
            _slip(pairing, _pair_counted_once),
        ),
        Slip("degrees", "the angle is read in degrees", _slip(pairing, _degrees)),
        Slip("partner-left-out", "the number's partner in the pair is left out", _slip(pairing, _one_term)),
    )


def _turning(
    name: str, pairs: tuple[Pairing, Pairing], says: str, other: str, *, plain: str, standard: str
) -> Operation:
    """Turning by the places: [..., t, n], number, [t]? -> [..., t, n]. `pairs`: how it pairs, and the other way."""
    pairing, beside = pairs
    return entry(
        name,
        "x theta places?",
        _rope(pairing),
        f"turn each {says} by the angle of its place",
        _slips(pairing, beside, other),
        shapes="[..., t, n], number, [t]? -> [..., t, n]",
        example=f"{name}(X, 10000)",
        plain=plain,
        standard=f"rotary position embedding, {standard} paired",
        role="turn",
    )


ENTRIES = (
    _turning(
        "rope",
        (neighbours, halves),
        "pair of neighbours",
        "a number is paired with the one half a row away, not with its neighbour",
        plain="turn_pairs",
        standard="neighbours",
    ),
    _turning(
        "rope_halves",
        (halves, neighbours),
        "number with the one half a row away",
        "a number is paired with its neighbour, not with the one half a row away",
        plain="turn_halves",
        standard="halves",
    ),
    entry(
        "rope_speeds",
        "x speeds places?",
        rope_speeds,
        "turn each number with the one half a row away, each pair at its own speed",
        (Slip("not-turned", "the number is not turned at all", lambda site: [site.args[0].at(site.index)]),),
        shapes="[..., t, n], [n / 2], [t]? -> [..., t, n]",
        example="rope_speeds(X, speeds)",
        plain="turn_at_speeds",
        standard="rotary position embedding, speeds given",
        role="turn",
    ),
)
