"""A checkpoint as a lesson: the family's law, written out block by block, over the checkpoint's tables."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tui_attention.engine import formula, naming
from tui_attention.engine.formula import Binary, Expr, Name, Step
from tui_attention.engine.operation import Vocabulary
from tui_attention.engine.program import Inputs, Program, Table, TensorFormat
from tui_attention.engine.switch import Switch
from tui_attention.engine.tensor import Array, Axis
from tui_attention.lessons.model import Block, Lesson, Stage
from tui_attention.models.checkpoint import Checkpoint
from tui_attention.models.law import frequencies
from tui_attention.models.lazy import lazy_axis
from tui_attention.models.names import in_block
from tui_attention.models.spec import FAMILIES, ModelSpec

_LAWS = Path(__file__).parent / "laws"
_PLACED = re.compile(r"\{(columns |rows )?(\w+)\}")
PARTS = ("attn", "mlp")


@dataclass(frozen=True, slots=True)
class Local:
    """A name of the lesson as the law has it: block 23 and `q` for `q_23`; None outside the blocks."""

    name: str
    block: int | None = None


def law_text(spec: ModelSpec) -> str:
    """The law of the family, as its file has it."""
    return (_LAWS / ("gpt2.toml" if spec.family == "gpt2" else "llama.toml")).read_text("utf-8")


def build_lesson(
    checkpoint: Checkpoint,
    vocabulary: Vocabulary,
    prompt: str,
    values: Mapping[str, Array],
) -> tuple[Lesson, dict[str, Local]]:
    """The lesson of a model, and for each of its names the one of the law. `values` are the tables' arrays."""
    spec = checkpoint.spec
    law = tomllib.loads(law_text(spec))
    writer = _ModelWriter(spec, law, set(values))
    stages = tuple(writer.stages())
    steps = tuple(step for stage in stages for step in stage.steps)
    program = Program(
        vocabulary=vocabulary,
        inputs=Inputs(prompt),
        tables=dict(_tables(law, values, writer.locals)),
        constants=_constants(spec),
        facts={},
        settings={step.name: _format(law["tensors"].get(writer.locals[step.name].name, {})) for step in steps},
        steps=steps,
        prints=3,
        by_name={step.name: step for step in steps},
    )
    blocks = tuple(Block(f"block-{number}", f"block {number}") for number in range(spec.blocks))
    summary = (
        f"{FAMILIES[spec.family]}: {spec.blocks} blocks, rows of {spec.width}, {spec.heads} heads"
        + (f" over {spec.kv_heads} keys" if spec.kv_heads != spec.heads else "")
        + f", {spec.vocabulary:,} tokens"
    )
    lesson = Lesson(
        _identifier(checkpoint.name), checkpoint.name, summary, program, stages, blocks, switches=HeadSwitches(spec)
    )
    return lesson, writer.locals


def _identifier(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:60] or "model"


def _constants(spec: ModelSpec) -> dict[str, float]:
    found: dict[str, float] = {
        "n_heads": spec.heads,
        "n_kv_heads": spec.kv_heads,
        "group": spec.heads // spec.kv_heads,
        "head_width": spec.head_width,
        "row_width": spec.width,
        "hidden_width": spec.hidden,
        "eps": spec.eps,
    }
    if spec.rope:
        found |= {"theta": spec.rope.theta, "rope_factor": spec.rope.factor}
    window = next((window for window in spec.windows if window is not None), None)
    return found | ({} if window is None else {"window": window})


def turns_by_table(spec: ModelSpec) -> bool:
    """Whether the pairs turn at speeds that no base and factor say."""
    return spec.rope is not None and (spec.rope.kind == "llama3" or bool(spec.rope.divisors))


def speeds(spec: ModelSpec) -> Array:
    """The turn of each pair from one place to the next, [head width / 2]."""
    assert spec.rope is not None
    return np.asarray(frequencies(spec.rope, spec.head_width))


def _format(raw: Mapping[str, Any]) -> TensorFormat:
    return TensorFormat(
        prints=raw.get("prints"),
        axes=tuple(raw.get("axes", ())),
        title=raw.get("title", ""),
        standard=raw.get("standard", ""),
    )


def _tables(
    law: Mapping[str, Any], values: Mapping[str, Array], locals_: Mapping[str, Local]
) -> Iterator[tuple[str, Table]]:
    for name, numbers in values.items():
        raw = law["tables"][locals_[name].name]
        axes: tuple[Axis, ...] = tuple(
            lazy_axis(axis, size) for axis, size in zip(raw["axes"], numbers.shape, strict=True)
        )
        yield name, Table(name, numbers, axes, 4, raw["title"], raw.get("standard", ""))


class _ModelWriter:
    """Writes the law's stages out for one model."""

    def __init__(self, spec: ModelSpec, law: Mapping[str, Any], tables: set[str]) -> None:
        self.spec, self.law, self.tables = spec, law, tables
        self.locals: dict[str, Local] = {}
        self.parsed: dict[str, Step] = {}
        for name in tables:
            local, _, block = name.rpartition("_")
            known = local in law["tables"] and block.isdigit()
            self.locals[name] = Local(local, int(block)) if known else Local(name)
        self.made = {
            step.name for stage in law["stage"] if stage.get("repeat") for step in naming.parse_steps(stage["steps"])
        }

    def stages(self) -> Iterator[Stage]:
        repeated = [stage for stage in self.law["stage"] if stage.get("repeat")]
        carried_in, carried_out = self.law["carry"]
        yield self.stage(self.law["stage"][0], None, carried_in)
        carried = carried_in
        for block in range(self.spec.blocks):
            aliases: dict[str, str] = {}
            for stage in repeated:
                yield self.stage(stage, block, carried, aliases)
            carried = f"{carried_out}_{block}"
        yield self.stage(self.law["stage"][-1], None, carried)

    def stage(
        self, raw: Mapping[str, Any], block: int | None, carried: str, aliases: dict[str, str] | None = None
    ) -> Stage:
        """One stage, for one block; `aliases` are steps left out, with what is read in their place."""
        aliases = {} if aliases is None else aliases
        written = [self.step(line, block, carried, aliases) for line in raw["steps"].strip().split("\n")]
        steps = [step for step in written if step is not None]
        return Stage(
            id=raw["id"] if block is None else f"{raw['id']}_{block}",
            title=raw["title"],
            standard=raw["standard"],
            block="" if block is None else f"block-{block}",
            wall=(_PLACED.sub(lambda match: self.placed(match, block, carried), raw["wall"]),),
            steps=tuple(steps),
        )

    def placed(self, match: re.Match[str], block: int | None, carried: str) -> str:
        name = match[2]
        return "{" + (match[1] or "") + self.named(name, block, carried, {}) + "}"

    def named(self, name: str, block: int | None, carried: str, aliases: Mapping[str, str]) -> str:
        """A name of the law as this lesson has it."""
        name = aliases.get(name, name)
        if name == "x":
            return carried
        if block is None:
            return name
        return f"{name}_{block}" if name in self.made or f"{name}_{block}" in self.tables else name

    def step(self, line: str, block: int | None, carried: str, aliases: dict[str, str]) -> Step | None:
        """A step of the law for one block; None where a table that this model lacks makes the whole step."""
        line = self.instead(line, block)
        if line not in self.parsed:
            (self.parsed[line],) = naming.parse_steps(line)
        step = self.parsed[line]
        if step.name == "recent" and "window" not in _constants(self.spec):
            return None
        text, expr = step.text, step.expr
        while isinstance(expr, Binary) and expr.op == "+" and self.lacks(expr.right, block):
            assert isinstance(expr.right, Name)
            text, expr = text.removesuffix(f" + {expr.right.name}"), expr.left
        if any(self.lacks(part, block) for part in formula.walk(expr)):
            first = next(part.name for part in formula.walk(expr) if isinstance(part, Name))
            aliases[step.name] = aliases.get(first, first)
            return None
        new = {name: self.named(name, block, carried, aliases) for name in formula.names(expr)}
        name = self.named(step.name, block, carried, {})
        self.locals[name] = Local(step.name, block)
        text = re.sub(r"[A-Za-z_]\w*(?!\s*\()", lambda match: new.get(match[0], match[0]), text)
        return step._replace(name=name, expr=formula.rename(expr, new), text=text)

    def lacks(self, part: Expr, block: int | None) -> bool:
        """Whether it is the name of a table that this model does not have."""
        if not isinstance(part, Name) or part.name not in self.law["tables"]:
            return False
        return not {part.name, f"{part.name}_{block}"} & self.tables

    def instead(self, line: str, block: int | None) -> str:
        """The line with what this model has otherwise."""
        rope, changes = self.spec.rope, self.law["instead"]
        holds = {
            "tied": self.spec.tied,
            "linear": rope is not None and rope.kind == "linear" and not turns_by_table(self.spec),
            "speeds": turns_by_table(self.spec),
            "speeds_too": turns_by_table(self.spec),
            "window": block is not None and self.spec.windows[block] is not None,
            "gelu": self.spec.bend == "gelu",
            "relu": self.spec.bend == "relu",
        }
        for key, (old, new) in changes.items():
            line = line.replace(old, new) if holds[key] else line
        return line


class HeadSwitches(Mapping[str, Switch]):
    """What can be switched off in a model: `23.4` a head, `23.attn` and `23.mlp` the parts of a block."""

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec

    def __getitem__(self, name: str) -> Switch:
        found = parse_switch(name, self.spec)
        if found is None:
            raise KeyError(name)
        block, part = found
        if isinstance(part, int):
            title, steps = f"without head {name}", {f"heads_{block}": f"without_head(heads_{block}, {part})"}
        else:
            step = f"{'y' if part == 'attn' else 'm'}_{block}"
            title, steps = f"without {part} of block {block}", {step: f"{step} * 0"}
        return Switch(name, title, steps)

    def __iter__(self) -> Iterator[str]:
        for block in range(self.spec.blocks):
            yield from (f"{block}.{part}" for part in (*range(self.spec.heads), *PARTS))

    def __len__(self) -> int:
        return self.spec.blocks * (self.spec.heads + len(PARTS))

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and parse_switch(name, self.spec) is not None


def parse_switch(name: str, spec: ModelSpec) -> tuple[int, int | str] | None:
    """Block, and head or part, of `23.4`, `23.attn` or `23.mlp`; None for anything else."""
    match = re.fullmatch(r"(\d{1,4})\.(?:(\d{1,4})|(attn|mlp))", name, re.ASCII)
    if not match or int(match[1]) >= spec.blocks or (match[2] and int(match[2]) >= spec.heads):
        return None
    return int(match[1]), int(match[2]) if match[2] else match[3]


def table_name(key: str) -> str:
    """The lesson's name of a checkpoint's table: `Wq_3` for `b3.Wq`."""
    block, _, name = key.rpartition(".")
    return f"{name}_{block[1:]}" if block else name


def table_key(name: Local) -> str:
    """The inverse of `table_name`."""
    return name.name if name.block is None else in_block(name.block, name.name)
