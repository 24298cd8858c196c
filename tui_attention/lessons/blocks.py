"""A block of stages that is repeated: the same law again, over other dials."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tui_attention.engine.formula import NAME, Step, rename
from tui_attention.lessons.model import Block, Stage
from tui_attention.lessons.reading import Fields

MOST_COPIES = 48
MOST_STAGES = 500

# A name in a formula: no label, no `.T`, no operation.
_NAMED = re.compile(r"\"[^\"]*\"|'[^']*'|\.\s*T\b|\b[A-Za-z_]\w*\b(?!\s*\()", re.ASCII)


@dataclass(frozen=True, slots=True)
class Repeated:
    """All stages with the copies between them, the tree's blocks, and for each copied tensor which one it copies.

    `renamed` has, for each further copy, the new names of what it makes and reads; `behind`, for each step that
    stands behind a block, those of what it reads.
    """

    stages: tuple[Stage, ...]
    blocks: tuple[Block, ...]
    copied: Mapping[str, str]
    renamed: tuple[Mapping[str, str], ...] = ()
    behind: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def repeated(stages: tuple[Stage, ...], blocks: list[Fields]) -> Repeated:
    """Blocks with `copies` written out: each further copy reads what the copy before it made, with its own dials.

    `carry = ["x0", "x2"]`: copy 2 reads x2 where copy 1 read x0; stages behind the block read the last copy's.
    `copies = [{Wq = "Wq_2"}, ...]` names the dials of the second copy, the third and so on. Copy n's names, stage
    ids and its block's end in `_n`; its stages have steps and titles alone. Raises LessonError.
    """
    tree: list[Block] = []
    copied: dict[str, str] = {}
    renamed: list[Mapping[str, str]] = []
    behind_of: dict[str, dict[str, str]] = {}
    for block in blocks:
        name, title = block.text("id"), block.text("title")
        tree.append(Block(name, title))
        copies = block.tables_of("copies")
        if not copies:
            continue
        if len(copies) > MOST_COPIES:
            raise block.fail(f"at most {MOST_COPIES} 'copies' were expected")
        inside = [stage for stage in stages if stage.block == name]
        carried_in, carried_out = block.pair("carry")
        made = {step.name for stage in inside for step in stage.steps}
        if carried_out not in made:
            raise block.fail(f"'carry' ends in {carried_out!r}, which the block {name!r} does not make")
        if carried_in in made:
            raise block.fail(f"'carry' begins with {carried_in!r}, which the block {name!r} makes itself")
        last = stages.index(inside[-1]) + 1
        extra: list[Stage] = []
        before = carried_out
        for number, dials in enumerate(copies, 2):
            new = {old: f"{old}_{number}" for old in made} | {carried_in: before} | _dials(block, dials, made)
            renamed.append(new)
            copied |= {f"{old}_{number}": old for old in made}
            extra += [_copy(stage, new, number) for stage in inside]
            before = new[carried_out]
            of_copy = block.text("copy_title", f"{title}, copy {{n}}")
            tree.append(Block(f"{name}_{number}", of_copy.replace("{n}", str(number))))
        for stage in stages[last:]:
            for step in stage.steps:
                behind_of.setdefault(step.name, {})[carried_out] = before
        behind = tuple(_renamed(stage, {carried_out: before}) for stage in stages[last:])
        stages = (*stages[:last], *extra, *behind)
        if len(stages) > MOST_STAGES:
            raise block.fail(f"at most {MOST_STAGES} stages, copies included, were expected")
    return Repeated(stages, tuple(tree), copied, tuple(renamed), behind_of)


def _dials(block: Fields, raw: Mapping[str, object], made: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for old, new in raw.items():
        if not isinstance(new, str) or not NAME.fullmatch(new) or not NAME.fullmatch(old) or old in made:
            raise block.fail("'copies' should be tables such as {Wq = \"Wq_2\"}, from a dial's name to another's")
        found[old] = new
    return found


def _copy(stage: Stage, new: Mapping[str, str], number: int) -> Stage:
    steps = _renamed(stage, new).steps
    return Stage(f"{stage.id}_{number}", stage.title, stage.standard, f"{stage.block}_{number}", steps=steps)


def _renamed(stage: Stage, new: Mapping[str, str]) -> Stage:
    return replace(stage, steps=tuple(_renamed_step(step, new) for step in stage.steps))


def _renamed_step(step: Step, new: Mapping[str, str]) -> Step:
    """The step over other names, its text as the author wrote it but for them."""
    text = spell_renamed(step.text, new)
    return replace(step, name=new.get(step.name, step.name), expr=rename(step.expr, new), text=text)


def spell_renamed(text: str, new: Mapping[str, str]) -> str:
    """A formula's text over other names, otherwise as the author wrote it."""
    return _NAMED.sub(lambda match: new.get(match[0], match[0]), text)
