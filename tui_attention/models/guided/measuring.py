"""The numbers of the guided lesson, measured on the model; the lesson itself is a file like the others."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tui_attention.lessons.load import read
from tui_attention.lessons.model import Lesson
from tui_attention.models.checkpoint import open_checkpoint
from tui_attention.models.inspection import parse_head, prompt_ids, ranks_of, word_id
from tui_attention.models.running import Model, Rows, Switches, shares_of
from tui_attention.models.shipped import SMOLLM2, model_path

GUIDED = "inside-smollm2"
_FOLDER = Path(__file__).parent


def guided_lesson() -> Lesson:
    """The lesson with its tables. Raises BadInput where the model is not installed, LessonError for a faulty file."""
    model = Model(open_checkpoint(model_path(SMOLLM2)))
    body = (_FOLDER / f"{GUIDED}.toml").read_text("utf-8")
    measures = tomllib.loads((_FOLDER / "measures.toml").read_text("utf-8"))
    prompts = {entry["prompt"] for entry in measures.values()}
    rows = {prompt: model.run(prompt_ids(model, prompt)[0]) for prompt in prompts}
    tables = "\n".join(
        _table(name, *_measured(model, rows[entry["prompt"]], entry)) for name, entry in measures.items()
    )
    return read(f"{body}\n{tables}".encode(), f"{GUIDED}.toml")


def _table(name: str, labels: list[str], values: list[float], decimals: int) -> str:
    """A table of one row in the lesson language."""
    numbers = ", ".join(repr(value) for value in values)
    columns = ", ".join(json.dumps(label) for label in labels)
    return (
        f'[tables.{name}]\naxes = ["row", "place"]\nrows = ["0"]\ncolumns = [{columns}]\nprints = {decimals}\n'
        f"values = [[{numbers}]]\n"
    )


def _measured(model: Model, rows: Rows, entry: Mapping[str, Any]) -> tuple[list[str], list[float], int]:
    """Labels, numbers as they are printed, and their decimals."""
    match entry["of"]:
        case "chances":
            labels = [" ".join(off) or "all heads" for off in entry["without"]]
            return labels, _rounded(_chances(model, rows, entry), 3), 3
        case "ranks":
            token, _ = word_id(model, entry["word"])
            logits = model.logits(np.stack([rows.outputs[block + 1][-1] for block in entry["after"]]))
            return [f"after {block}" for block in entry["after"]], [float(r) for r in ranks_of(logits, token)], 0
    block, head = parse_head(entry["head"], model.spec)
    trace, labels = model.trace(rows, block), _labels(model, rows)
    match entry["of"]:
        case "scores":
            return labels, _rounded(trace["scores"][head, -1], 2), 2
        case "shares":
            return labels, _rounded(trace["shares"][head, -1], 3), 3
        case "sizes":
            group = model.spec.heads // model.spec.kv_heads
            return labels, _rounded(np.linalg.norm(trace["vh"][head // group], axis=-1), 2), 2
        case _:
            looks = [trace["shares"][head, place, place - 1] for place in range(1, len(labels))]
            return labels[1:], _rounded(looks, 3), 3


def _chances(model: Model, rows: Rows, entry: Mapping[str, Any]) -> Iterator[float]:
    token, _ = word_id(model, entry["word"])
    for off in entry["without"]:
        switches = Switches(frozenset(parse_head(name, model.spec) for name in off))
        found = rows.begun(switches.first_other(rows.switches, model.spec.blocks), switches)
        for _ in model.rest(found):
            pass
        yield float(shares_of(model.next_logits(found))[token])


def _labels(model: Model, rows: Rows) -> list[str]:
    """The tokens, each behind its place where another one has the same text."""
    tokenizer = model.checkpoint.tokenizer
    texts = [str(token) if tokenizer is None else tokenizer.label(token) for token in rows.ids]
    return [f"{place}:{text}" if texts.count(text) > 1 else text for place, text in enumerate(texts)]


def _rounded(values: Any, decimals: int) -> list[float]:
    """The numbers as the lesson prints them: what a pencil works with is what stands there."""
    return [round(float(value), decimals) + 0.0 for value in values]
