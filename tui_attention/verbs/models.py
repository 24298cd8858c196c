"""Verbs that open a trained model."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tui_attention.engine.errors import BadInput
from tui_attention.output import put

if TYPE_CHECKING:
    from tui_attention.models.running import Model, Switches


def open_model(args: Namespace) -> Model:
    """The model that the command line names; what is to be said of it goes to stderr. Raises BadInput."""
    from tui_attention.models.checkpoint import open_checkpoint
    from tui_attention.models.running import Model
    from tui_attention.models.shipped import model_path

    checkpoint = open_checkpoint(model_path(args.path))
    for note in checkpoint.notes:
        put(note, to=sys.stderr)
    return Model(checkpoint, args.memory)


def _switches(args: Namespace, model: Model) -> Switches:
    from tui_attention.models.inspection import parse_head
    from tui_attention.models.running import Switches

    return Switches(frozenset(parse_head(text, model.spec) for text in args.without))


def walk(args: Namespace) -> int:
    """The app on a model, or the plain shell where there is no screen."""
    from tui_attention.models.opening import is_model
    from tui_attention.models.shipped import model_path
    from tui_attention.verbs.interactive import app

    if args.path is None:
        raise BadInput("a model was expected: a GGUF file, a safetensors file, a folder, or smollm2")
    path = model_path(args.path)
    if not is_model(str(path)):
        open_model(args)  # says what is wrong with it
    args.lesson, args.other, args.ticket = str(path.resolve()), None, None
    args.variant, args.variant_for, args.files = None, None, True
    return app(args)


def inspect(args: Namespace) -> int:
    """Print what a model makes of a prompt."""
    from tui_attention.models.inspection import Wanted, parse_head, prompt_ids, word_id
    from tui_attention.models.inspection import inspect as look

    if args.path is None and args.lens and Path(args.lens).exists():
        args.path, args.lens = args.lens, ""  # `--lens PATH`: the word is optional, the path is not
    if args.path is None:
        raise BadInput("a model was expected: a GGUF file, a safetensors file, a folder, or smollm2")
    if args.prompt is None:
        raise BadInput("--prompt TEXT is missing: the text that the model is to read")
    model = open_model(args)
    ids, note = prompt_ids(model, args.prompt)
    word, more = word_id(model, args.lens) if args.lens else (None, "")
    wanted = Wanted(
        top=min(args.top, model.spec.vocabulary),
        heads=tuple(dict.fromkeys(parse_head(text, model.spec) for text in args.head)),
        without=_switches(args, model),
        lens=args.lens is not None,
        word=word,
        greedy=args.greedy,
    )
    for line in filter(None, (note, more)):
        put(line, to=sys.stderr)
    found = look(model, ids, wanted)
    put(json.dumps(found, allow_nan=False) if args.json else "\n".join(_lines(found, args)))
    return 0


def _lines(found: dict[str, Any], args: Namespace) -> list[str]:
    """The same for people."""
    tokens = [repr(token) for token in found["tokens"]]
    lines = [f"{len(tokens)} tokens: " + " ".join(tokens), "", "next token      p       logit"]
    lines += [f"{entry['token']!r:<14} {entry['p']:7.4f} {entry['logit']:8.3f}" for entry in found["top"]]
    for name, rows in found["attention"].items():
        lines += ["", f"head {name}: one row per query, one column per key"]
        wide = max(map(len, tokens))
        lines += [
            f"{token:<{wide}}  " + " ".join(f"{share:.2f}" for share in row[: place + 1])
            for place, (token, row) in enumerate(zip(tokens, rows, strict=True))
        ]
    if found["lens"]:
        whose = repr(args.lens) if args.lens else "the answer"
        lines += ["", f"after       norm      first           p    rank of {whose}"]
        for entry, norm in zip(found["lens"], found["norms"], strict=True):
            lines.append(
                f"{entry['after']!s:<9} {norm:9.2f}   {entry['token']!r:<12} {entry['p']:6.3f}   {entry['rank']:,}"
            )
    else:
        shown = " ".join(f"{norm:.1f}" for norm in found["norms"])
        lines += ["", f"norm of the last row, after the embedding and each block: {shown}"]
    if found["greedy"]["ids"]:
        lines += ["", f"goes on: {found['greedy']['text']!r}"]
    return lines
