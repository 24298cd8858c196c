"""A block of stages that is repeated: the same law again, over other dials."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tui_attention.engine.formula import NAME, Step, rename
from tui_attention.lessons.declare import Fields
from tui_attention.lessons.model import Block, Check, OwnSlip, Says, Stage
from tui_attention.lessons.parts import BlockPart

MOST_COPIES = 48
MOST_STAGES = 500

# A name in a formula: no label, no `.T`, no operation.
_NAMED = re.compile(r"\"[^\"]*\"|'[^']*'|\.\s*T\b|\b[A-Za-z_]\w*\b(?!\s*\()", re.ASCII)
_HELD = re.compile(r"\{\{|\}\}|\{[^{}]*\}")


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


def repeated(stages: tuple[Stage, ...], blocks: tuple[BlockPart, ...], top: Fields) -> Repeated:
    """Blocks with `copies` written out: each further copy reads what the copy before it made, with its own dials.

    `carry = ["x0", "x2"]`: copy 2 reads x2 where copy 1 read x0; stages behind the block read the last copy's.
    `copies = [{Wq = "Wq_2"}, ...]` names the dials of the second copy, the third and so on. Copy n's names, stage
    ids and its block's end in `_n`; its stages have steps, titles, the wall that is written for copies, and the
    CHECKs that are to be asked in copies. Raises LessonError.
    """
    tree: list[Block] = []
    copied: dict[str, str] = {}
    renamed: list[Mapping[str, str]] = []
    behind_of: dict[str, dict[str, str]] = {}
    for place, block in enumerate(blocks):
        tree.append(Block(block.id, block.title))
        fields = Fields(top.raw["block"][place], top.origin, top.at("block", place))
        if not block.copies:
            continue
        if len(block.copies) > MOST_COPIES:
            raise fields.fail(f"at most {MOST_COPIES} 'copies' were expected", "copies")
        if len(block.carry) != 2:
            raise fields.fail("'carry' should be a pair of names")
        inside = [stage for stage in stages if stage.block == block.id]
        carried_in, carried_out = block.carry
        made = {step.name for stage in inside for step in stage.steps}
        if carried_out not in made:
            message = f"'carry' ends in {carried_out!r}, which the block {block.id!r} does not make"
            raise fields.fail(message, "carry")
        if carried_in in made:
            raise fields.fail(
                f"'carry' begins with {carried_in!r}, which the block {block.id!r} makes itself", "carry"
            )
        last = stages.index(inside[-1]) + 1
        extra: list[Stage] = []
        before = carried_out
        for number, dials in enumerate(block.copies, 2):
            new = {old: f"{old}_{number}" for old in made} | {carried_in: before} | _dials(fields, dials, made)
            renamed.append(new)
            copied |= {f"{old}_{number}": old for old in made}
            extra += [_copy(stage, new, number) for stage in inside]
            before = new[carried_out]
            of_copy = block.copy_title or f"{block.title}, copy {{n}}"
            tree.append(Block(f"{block.id}_{number}", of_copy.replace("{n}", str(number))))
        for stage in stages[last:]:
            for step in stage.steps:
                behind_of.setdefault(step.name, {})[carried_out] = before
        behind = tuple(_renamed(stage, {carried_out: before}) for stage in stages[last:])
        stages = (*stages[:last], *extra, *behind)
        if len(stages) > MOST_STAGES:
            raise fields.fail(f"at most {MOST_STAGES} stages, copies included, were expected")
    return Repeated(stages, tuple(tree), copied, tuple(renamed), behind_of)


def _dials(fields: Fields, raw: Mapping[str, object], made: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for old, new in raw.items():
        if not isinstance(new, str) or not NAME.fullmatch(new) or not NAME.fullmatch(old) or old in made:
            message = "'copies' should be tables such as {Wq = \"Wq_2\"}, from a dial's name to another's"
            raise fields.fail(message, "copies")
        found[old] = new
    return found


def _copy(stage: Stage, new: Mapping[str, str], number: int) -> Stage:
    made = f"{stage.id}_{number}"
    asked = [check for check in stage.checks if check.in_copies]
    return Stage(
        made,
        stage.title,
        stage.standard,
        f"{stage.block}_{number}",
        wall=tuple(_prose(text, new, number) for text in stage.wall_in_copies),
        steps=_renamed(stage, new).steps,
        checks=tuple(_check(check, f"{made}.{place}", new, number) for place, check in enumerate(asked, 1)),
    )


def _prose(text: str, new: Mapping[str, str], number: int) -> str:
    """A text whose placeholders read the copy's tensors; `{n}` is the copy's number."""
    return _HELD.sub(
        lambda held: (
            str(number) if held[0] == "{n}" else held[0] if len(held[0]) == 2 else spell_renamed(held[0], new)
        ),
        text,
    )


def _check(check: Check, name: str, new: Mapping[str, str], number: int) -> Check:
    return replace(
        check,
        id=name,
        ask=_prose(check.ask, new, number),
        ask_several=_prose(check.ask_several, new, number),
        cell=spell_renamed(check.cell, new),
        of=spell_renamed(check.of, new),
        value=spell_renamed(check.value, new),
        answer=_prose(check.answer, new, number),
        says=tuple(Says(says.slip, _prose(says.text, new, number)) for says in check.says),
        slips=tuple(
            OwnSlip(own.kind, spell_renamed(own.value, new), _prose(own.text, new, number)) for own in check.slips
        ),
    )


def _renamed(stage: Stage, new: Mapping[str, str]) -> Stage:
    """A stage behind a repeated block: its formulas, and what its texts refer to, read the last copy's."""
    return replace(
        stage,
        steps=tuple(_renamed_step(step, new) for step in stage.steps),
        wall=tuple(_prose(text, new, 0) for text in stage.wall),
        notes=tuple(replace(note, text=_prose(note.text, new, 0)) for note in stage.notes),
        checks=tuple(_check(check, check.id, new, 0) for check in stage.checks),
    )


def _renamed_step(step: Step, new: Mapping[str, str]) -> Step:
    """The step over other names, its text as the author wrote it but for them."""
    return step._replace(
        name=new.get(step.name, step.name), expr=rename(step.expr, new), text=spell_renamed(step.text, new)
    )


def spell_renamed(text: str, new: Mapping[str, str]) -> str:
    """A formula's text over other names, otherwise as the author wrote it."""
    return _NAMED.sub(lambda match: new.get(match[0], match[0]), text)
