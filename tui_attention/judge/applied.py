"""A slip made in one working, and ways to put other nodes into a tree: what rewrites are written with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tui_attention.engine.working import Node, Op, number

MOST_TERMS = 64
"""Sums longer than this get no slips term by term: nobody works them by pencil."""
TEN = number(10)

Rebuild = Callable[[Node], Node]


@dataclass(frozen=True, slots=True)
class AppliedSlip:
    """A slip made in one working: `root` is the working that it leads to, `part` what it rewrote.

    `says` follows on "is what comes out when"; each `{}` in it stands for the name of a part. `weight` says how usual
    the slip is in this place: a kind that can happen in six places has a sixth of its weight in each. `finish` does
    something to the result as it is written down with so many decimals. `copied`: the number is read off the page
    where it is printed, or worked again.
    """

    kind: str
    says: str
    weight: float
    root: Node
    part: tuple[Node, ...] = ()
    finish: Callable[[float, int], float] | None = None
    copied: bool = False


def places(root: Node, rebuild: Rebuild = lambda node: node) -> Iterator[tuple[Node, Rebuild]]:
    """Every node with the function that puts another in its place and gives the whole tree."""
    yield root, rebuild
    if isinstance(root, Op):
        for position, arg in enumerate(root.args):
            yield from places(arg, _swapper(root, position, rebuild))


def _swapper(parent: Op, position: int, rebuild: Rebuild) -> Rebuild:
    def swapped(node: Node) -> Node:
        args = (*parent.args[:position], node, *parent.args[position + 1 :])
        return rebuild(Op(parent.kind, args))

    return swapped


def terms(node: Node) -> tuple[Node, ...]:
    """The addends of a sum, a chain of + taken apart; a node that is no sum is its own only term."""
    if isinstance(node, Op) and node.kind in ("+", "sum"):
        return tuple(part for arg in node.args for part in terms(arg)) if node.kind == "+" else node.args
    return (node,)
