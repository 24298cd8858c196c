"""What makes a lesson's numbers wrong, or leaves some without any: such a lesson is not opened by any verb."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from tui_attention.engine.formula import Step
from tui_attention.engine.formula import names as names_in
from tui_attention.engine.naming import parse as parse_formula
from tui_attention.engine.tensor import Index, address
from tui_attention.engine.traits import is_slow
from tui_attention.engine.working import FULL, Node, Op, evaluate, line, walk
from tui_attention.lessons.findings import WORD, Finding, Ground
from tui_attention.lessons.model import Check, Plot, Stage
from tui_attention.lessons.positions import Path

MOST_CELLS = 5_000
_INDEX = re.compile(r"\[[^\]]*\]")
_HELD = re.compile(r"\{[^{}]+\}")


def errors(ground: Ground) -> Iterator[Finding]:
    """Every error of a lesson, in the order of its file: steps, references in texts, CHECKs, pictures, slips."""
    yield from _tensors(ground)
    yield from _accepts(ground)
    for stage in ground.lesson.stages:
        yield from _stage(ground, stage)
    for name, own in ground.lesson.slips.items():
        for place, slip in enumerate(own):
            path: Path = ("tensors", name, "slip", place, "value")
            if name in ground.graph.names() and not ground.hurt(f"{name} {slip.value}"):
                yield from _own_slip(ground, f"[tensors.{name}], slip {slip.kind}", path, slip.value, name)


# ---------------------------------------------------------------- the computation


def _tensors(ground: Ground) -> Iterator[Finding]:
    graph = ground.graph
    for name in graph.names():
        step = ground.lesson.program.by_name.get(name)
        if step is not None and names_in(step.expr) & ground.broken:
            ground.broken.add(name)
            continue
        if step is not None and is_slow(step.expr):
            continue
        where = f"step {name}" if step else f"[tables.{name}]"
        tensor, faults = ground.tried(where, ("tables", name), "", graph.tensor, name)
        yield from faults
        if faults:
            ground.broken.add(name)
        elif tensor is not None and step is not None and not tensor.values.size:
            ground.broken.add(name)
            yield _at(step, f"{name} holds no number: {'x'.join(map(str, tensor.shape))}")
        elif tensor is not None and step is not None and not graph.traced(name).view:
            bad = np.isnan(tensor.values) | np.isposinf(tensor.values)
            if bad.any():
                ground.broken.add(name)
                index = tuple(int(place) for place in np.argwhere(bad)[0])
                yield _at(step, f"{address(name, index)} has no finite value: {_why(ground, name, index)}")
                continue
            yield from _asks_above(ground, name)
            yield from ground.tried(where, (), "", graph.working, name, (0,) * tensor.values.ndim)[1]


def _at(step: Step, message: str) -> Finding:
    return Finding(f"step {step.name}", message, step.file, step.line, 1, error=True)


def _why(ground: Ground, name: str, index: Index) -> str:
    """Which part of its working has no value."""
    root = ground.graph.definition(name).at(index)
    for part in walk(root):
        if isinstance(part, Op) and part.kind == "/" and _value(part.args[1]) == 0:
            below = line(part.args[1], lambda cell: cell.address)
            return "it divides by 0" if below == "0" else f"it divides by {below}, which is 0"
    return "it becomes infinite or undefined"


def _value(node: Node) -> float:
    return evaluate(node, FULL)


def _asks_above(ground: Ground, name: str) -> Iterator[Finding]:
    tensor = ground.graph.tensor(name)
    prints = tensor.prints if isinstance(tensor.prints, tuple) else (tensor.prints,)
    asks = tensor.asks if isinstance(tensor.asks, tuple) else (tensor.asks,)
    pairs = list(zip(prints * len(asks) if len(prints) == 1 else prints, asks * len(prints), strict=False))
    if any(p is not None and a is not None and a > p >= 0 for p, a in pairs):
        says = f"'asks = {asks[0]}' is more than the {prints[0]} decimals that it prints; asks = prints at most"
        yield ground.finding(f"[tensors.{name}]", says, ("tensors", name, "asks"), error=True)


def _accepts(ground: Ground) -> Iterator[Finding]:
    for place, accept in enumerate(ground.lesson.variants.accepts):
        if not ground.hurt(accept.cells):
            where, path = f"[[variants.accept]] {accept.cells}", ("variants", "accept", place, "cells")
            yield from ground.tried(where, path, "", ground.run.formula, accept.cells)[1]


# ---------------------------------------------------------------- what the texts refer to


def _stage(ground: Ground, stage: Stage) -> Iterator[Finding]:
    path, where = ground.stage_path(stage), f"stage {stage.id}"
    for number, text in enumerate(stage.wall, 1):
        yield from references(ground, f"{where}, wall {number}", (*path, "wall"), text)
    for kind, notes in (("note", stage.notes), ("diagram", stage.diagrams)):
        for number, note in enumerate(notes):
            held = (*path, kind, number, "text")
            yield from references(ground, f"{where}, {kind} {number + 1}", held, note.text)
    yield from _shown(ground, stage, path, where)
    for number, plot in enumerate(stage.plots):
        yield from _plot(ground, f"{where}, plot {number + 1}", (*path, "plot", number), plot)
    for check in stage.checks:
        yield from _check(ground, stage, check)


def _shown(ground: Ground, stage: Stage, path: Path, where: str) -> Iterator[Finding]:
    """Small tables, recaps and comparisons."""
    for number, table in enumerate(stage.tables):
        for cell in (cell for row in (table.columns, *table.rows) for cell in row):
            yield from references(ground, f"{where}, table {number + 1}", (*path, "table", number), cell)
        if table.phi_of and table.phi_of not in ground.graph.names():
            says = f"'phi_of' names {table.phi_of!r}, which nothing makes"
            yield ground.finding(f"{where}, table {number + 1}", says, (*path, "table", number, "phi_of"), error=True)
    known = ground.graph.names()
    for name in stage.recap:
        if name not in known:
            says = f"nothing is called {name!r}"
            yield ground.finding(f"{where}, recap", says, (*path, "recap"), name, error=True)
    for number, compare in enumerate(stage.compare):
        for name in (compare.ours, compare.query, compare.key, compare.value, compare.mask):
            if name and name not in known:
                says = f"nothing is called {name[:40]!r}"
                yield ground.finding(f"{where}, compare", says, (*path, "compare", number), error=True)


def references(ground: Ground, where: str, path: Path, text: str) -> Iterator[Finding]:
    """Placeholders that do not resolve with the lesson's own inputs."""
    for placeholder in dict.fromkeys(_HELD.findall(text.replace("{{", "  ").replace("}}", "  "))):
        if ground.hurt(placeholder):
            continue
        filled, faults = ground.tried(f"{where}, {placeholder}", path, placeholder, ground.run.text, placeholder)
        yield from faults
        if filled is None and not faults:
            yield ground.finding(where, ground.lacking(placeholder), path, placeholder, error=True)


def _plot(ground: Ground, where: str, path: Path, plot: Plot) -> Iterator[Finding]:
    if not plot.of:
        yield ground.finding(where, "'of' is empty", path, error=True)
    for label in plot.labels:
        yield from references(ground, where, (*path, "labels"), label)
    for text in plot.of:
        if ground.hurt(text) or _slow(ground, text):
            continue
        traced, faults = ground.tried(f"{where}, {text[:40]}", (*path, "of"), text, ground.run.formula, text)
        yield from faults
        if traced is None:
            continue
        rank = len(traced.shape)
        least, most = {"heatmap": (2, 4), "bars": (1, 3)}.get(plot.kind, (1, 1))
        if not least <= rank <= most or traced.values.size > MOST_CELLS:
            says = f"a picture of kind {plot.kind} cannot show {text[:40]!r} with {rank} axes"
            yield ground.finding(where, says, (*path, "of"), text, error=True)
        elif plot.kind in ("arrows", "plane"):
            for name in (plot.x, plot.y):
                if name not in traced.axes[0].labels:
                    says = f"{text[:40]!r} has no {name!r}; it has: {' '.join(traced.axes[0].labels)}"
                    yield ground.finding(where, says, path, error=True)


def _slow(ground: Ground, text: str) -> bool:
    steps = ground.lesson.program.by_name
    return any(is_slow(steps[name].expr) for name in WORD.findall(text) if name in steps)


# ---------------------------------------------------------------- CHECKs


def _check(ground: Ground, stage: Stage, check: Check) -> Iterator[Finding]:
    path, where = ground.check_path(stage, check), f"check {check.id}"
    for key, text in (("ask", check.ask), ("ask_several", check.ask_several), ("answer", check.answer)):
        yield from references(ground, f"{where}, {key}", (*path, key), text)
    for number, says in enumerate(check.says):
        held = (*path, "says", number)
        yield from references(ground, f"{where}, {says.slip}", (*held, "text"), says.text)
        if ground.slips is not None and says.slip not in ground.slips and not _own_kind(ground, check, says.slip):
            possible = ground.possible(ground.run, check) if ground.possible else ()
            there = f"; those of this cell are: {' '.join(sorted(possible))}" if possible else ""
            message = f"there is no slip of kind {says.slip!r}{there}"
            yield ground.finding(where, message, (*held, "slip"), error=True)
    if not check.sentence:
        yield from _early(ground, stage, check, path)
        yield from _chosen(ground, check, path) if check.of else _asked(ground, check, path)
    for number, slip in enumerate(check.slips):
        held = (*path, "slip", number)
        yield from references(ground, f"{where}, {slip.kind}", (*held, "text"), slip.text)
        if check.sentence:
            yield ground.finding(where, "a sentence CHECK has no slips", held, error=True)
        elif not ground.hurt(f"{slip.value} {check.cell} {check.of} {check.value}"):
            tensor = WORD.match(check.cell or check.of)
            name = tensor[0] if tensor else ""
            yield from _own_slip(ground, f"{where}, slip {slip.kind}", (*held, "value"), slip.value, name)


def _own_kind(ground: Ground, check: Check, kind: str) -> bool:
    own = [slip.kind for slips in ground.lesson.slips.values() for slip in slips]
    return kind in own or kind in [slip.kind for slip in check.slips]


def _own_slip(ground: Ground, where: str, path: Path, value: str, name: str) -> Iterator[Finding]:
    """A slip of the lesson's own is one number, or has the tensor's shape."""
    made, faults = ground.tried(where, path, "", ground.run.formula, value)
    yield from faults
    shape = ground.graph.traced(name).shape if name in ground.graph.names() else ()
    if made is not None and made.values.size != 1 and made.shape != shape:
        wanted = f" or {'x'.join(map(str, shape))} of them, as {name} has" if shape else ""
        says = f"one number{wanted} was expected, not {'x'.join(map(str, made.shape))}"
        yield ground.finding(where, says, path, error=True)


def _early(ground: Ground, stage: Stage, check: Check, path: Path) -> Iterator[Finding]:
    """What a CHECK asks for is made in its stage or before."""
    now = ground.lesson.stages.index(stage)
    for name in WORD.findall(_INDEX.sub(" ", f"{check.cell} {check.of} {check.value}")):
        if (later := ground.lesson.stage_of(name)) > now:
            says = f"{name} is made later, in stage {ground.lesson.stages[later].id}"
            yield ground.finding(f"check {check.id}", says, path, name, error=True)


def _chosen(ground: Ground, check: Check, path: Path) -> Iterator[Finding]:
    """A CHECK whose cell the program chooses: some cell of the tensor must be one that can be asked."""
    where, path = f"check {check.id}", (*path, "of")
    if check.of not in ground.graph.names():
        yield ground.finding(where, f"'of' names {check.of!r}, which nothing makes", path, error=True)
        return
    if check.of in ground.broken:
        return
    tensor, faults = ground.tried(where, path, "", ground.graph.tensor, check.of)
    yield from faults
    if tensor is None:
        return
    indices = (index for _, index in zip(range(MOST_CELLS), np.ndindex(*tensor.shape), strict=False))
    if not any(ground.graph.working(check.of, index).askable for index in indices):
        yield ground.finding(where, f"no cell of {check.of} can be asked", path, error=True)


def _asked(ground: Ground, check: Check, path: Path) -> Iterator[Finding]:
    where, text = f"check {check.id}", check.cell or check.value
    path = (*path, "cell" if check.cell else "value")
    if ground.hurt(text):
        return
    working, faults = ground.tried(where, path, "", ground.run.check_working, check)
    yield from faults
    if faults:
        return
    if working is None:
        lacking = ground.lacking(text).replace(f"the cell of {text}", "the cell that it asks for")
        yield ground.finding(where, lacking, path, error=True)
    elif working.kind != "dial" and not working.askable:
        yield ground.finding(where, f"no pencil makes {text} ({working.kind})", path, error=True)
    elif not np.isfinite(working.cell.value):
        says = f"{text} is {working.cell.value}, which nobody can answer"
        yield ground.finding(where, says, path, error=True)
    elif check.cell and check.asks is not None:
        says = "'asks' belongs to 'value'; a cell is asked as its tensor says"
        yield ground.finding(where, says, (*path[:-1], "asks"), error=True)
    elif check.value and not names_in(parse_formula(check.value)):
        yield ground.finding(where, "its answer depends on nothing in the lesson", path, error=True)
