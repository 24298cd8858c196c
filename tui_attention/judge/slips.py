"""All slips of one working: the generic ones, and those that its operations bring along."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.graph import Graph, Working
from tui_attention.engine.operation import TABLE, Operation, Site, Slip
from tui_attention.engine.ops import OPERATIONS
from tui_attention.engine.ops.nodes import other_text
from tui_attention.engine.working import Node, Op, Stated, rebuilt, walk
from tui_attention.judge import lookup_slips, neighbours, rewrites, sums
from tui_attention.judge.applied import AppliedSlip
from tui_attention.judge.rewrites import generic
from tui_attention.lessons.model import Check
from tui_attention.lessons.run import LessonRun

MOST_SITES = 16
# In a larger working, such as attention in one line over a long sentence, only the outermost operation goes wrong.
MOST_NODES = 500


def any_working() -> tuple[str, ...]:
    """The kinds of slip that belong to no operation: any sum, sign or quotient, any number read from a table."""
    return tuple(dict.fromkeys((*rewrites.KINDS, *sums.KINDS, *neighbours.KINDS, *lookup_slips.KINDS)))


def kinds() -> frozenset[str]:
    """The kinds of slip that there are."""
    own = {slip.kind for operation in OPERATIONS.values() for slip in operation.slips}
    return frozenset(own | set(any_working()))


def possible(run: LessonRun, check: Check) -> frozenset[str]:
    """The kinds of slip that the cell of a CHECK can have; none where it has no cell of its own."""
    try:
        working = run.check_working(check)
        return frozenset(made.kind for made in slips(run.graph, working)) if working is not None else frozenset()
    except (BadInput, LessonError):
        return frozenset()


def slips(graph: Graph, working: Working) -> Iterator[AppliedSlip]:
    """Every slip that the working can have, the operations' own first; a kind's weight is shared by its places."""
    made = tuple(_all(graph, working))
    places = Counter((slip.kind, slip.says) for slip in made)
    for slip in made:
        count = places[slip.kind, slip.says]
        yield replace(slip, weight=slip.weight / count) if count > 1 else slip


def main_slips(graph: Graph, working: Working) -> Iterator[AppliedSlip]:
    """The slips of the operations and of the result as a whole: enough to compare cells by."""
    if isinstance(working.root, Op):
        yield from _operations(working.root)
        yield from rewrites.of_operations(working.root)


def _all(graph: Graph, working: Working) -> Iterator[AppliedSlip]:
    root = working.root
    if working.kind == "dial":
        yield from lookup_slips.dial(graph, working)
    elif isinstance(root, Stated):
        if root.site is not None:
            yield from _made(root.site.op, root, [(root, root.site)], whole=True)
    elif isinstance(root, Op):
        yield from _operations(root)
        yield from generic(root)
        yield from neighbours.neighbours(graph, working)
        yield from _other_sentence(graph, working)


def _operations(root: Op) -> Iterator[AppliedSlip]:
    """The slips of the operations in the tree; one that stands in several places goes wrong in all of them alike."""
    large = sum(1 for _ in walk(root)) > MOST_NODES
    groups: dict[tuple[str, tuple[int, ...]], list[tuple[Node, Site]]] = {}
    for node in {id(part): part for part in walk(root)}.values():
        if isinstance(node, Op) and node.site is not None:
            key = node.site.op.name, tuple(id(arg.values) for arg in node.site.args)
            groups.setdefault(key, []).append((node, node.site))
    for sites in groups.values():
        whole = sites[0][0] is root
        if len(sites) <= MOST_SITES and (whole or not large):
            yield from _made(sites[0][1].op, root, sites, whole=whole)


def _made(operation: Operation, root: Node, sites: list[tuple[Node, Site]], *, whole: bool) -> Iterator[AppliedSlip]:
    for slip in operation.slips:
        if slip.whole and not whole:
            continue
        for replacements in zip(*(_built(slip, site) for _, site in sites), strict=False):
            swaps = {id(node): new for (node, _), new in zip(sites, replacements, strict=True)}
            yield AppliedSlip(slip.kind, slip.says, slip.weight, _swapped(root, swaps))


def _built(slip: Slip, site: Site) -> list[Node]:
    return list(slip.build(site))


def _swapped(root: Node, swaps: dict[int, Node]) -> Node:
    return rebuilt(root, lambda node: swaps.get(id(node)))


def _other_sentence(graph: Graph, working: Working) -> Iterator[AppliedSlip]:
    """The same cell of the tensor that is made from the other text."""
    steps = {step.name: step.expr for step in graph.program.steps}
    name = other_text(working.cell.tensor, steps)
    if name is not None and graph.tensor(name).shape == graph.tensor(working.cell.tensor).shape:
        twin = graph.working(name, working.cell.index)
        if isinstance(twin.root, Op):
            yield AppliedSlip("other-sentence", "the other sentence is worked", TABLE, twin.root)
