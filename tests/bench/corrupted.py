"""A hundred and twenty damaged model files at `inspect`: `python -m tests.bench.corrupted`.

Each has to be refused in one sentence with exit code 2, or to give the very numbers of the undamaged file. A byte in
the weights themselves is left alone: another number there is a legal one, and nothing in either format tells.
"""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import random
import struct
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.models import making
from tui_attention.cli import main as cli

ABSURD = (0, 1 << 31, (1 << 32) - 1, 1 << 40, (1 << 63) - 1, (1 << 64) - 1)


class Damaged(NamedTuple):
    """A model in a folder of its own, one file of it replaced: how it is called, which file, and its bytes."""

    name: str
    format: str
    file: str
    raw: bytes


def sound(folder: Path) -> dict[str, dict[str, bytes]]:
    """The files of a small model in either format."""
    made = making.folder(folder / "sound", making.CASES["llama"])
    files = {path.name: path.read_bytes() for path in made.iterdir()}
    return {"safetensors": files, "gguf": {"small.gguf": making.gguf(making.SMALL, making.small_tensors())}}


def damaged(files: dict[str, dict[str, bytes]], seed: int = 14) -> Iterator[Damaged]:
    """All of them, the same for the same seed."""
    stream = random.Random(seed)
    for kind, main in (("gguf", "small.gguf"), ("safetensors", "model.safetensors")):
        raw = files[kind][main]
        head = raw.index(b"output_norm.weight") if kind == "gguf" else 8 + int.from_bytes(raw[:8], "little")
        for at in sorted(stream.sample(range(len(raw)), 15)):
            yield Damaged(f"cut at {at:,}", kind, main, raw[:at])
        for more in (b"\0", b"\0" * 4096):
            yield Damaged(f"{len(more)} bytes more", kind, main, raw + more)
        for at in sorted(stream.sample(range(head), 20)):
            bit = 1 << stream.randrange(8)
            yield Damaged(f"bit at {at:,}", kind, main, raw[:at] + bytes([raw[at] ^ bit]) + raw[at + 1 :])
        for size in ABSURD:
            for at in (8, 16) if kind == "gguf" else (0,):
                yield Damaged(f"{size:,} at {at}", kind, main, raw[:at] + struct.pack("<Q", size) + raw[at + 8 :])
        yield Damaged("zeros", kind, main, bytes(len(raw)))
        yield Damaged("noise", kind, main, stream.randbytes(len(raw)))
        yield Damaged("pointer", kind, main, b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
        yield Damaged("pickle", kind, main, pickle.dumps({"weights": list(range(40))}, 2))
        yield Damaged("zipped pickle", kind, main, b"PK\x03\x04" + stream.randbytes(200))
        yield Damaged("nothing", kind, main, b"")
    raw = files["safetensors"]["model.safetensors"]
    length = int.from_bytes(raw[:8], "little")
    for name, old, new in (
        ("shape", b'"shape": [97, 24]', b'"shape": [97, 25]'),
        ("offsets", b'"data_offsets": [0,', b'"data_offsets": [4,'),
        ("type", b'"F32"', b'"F33"'), ("twice", b"layers.1.mlp.up_proj", b"layers.0.mlp.up_proj"),
        ("negative", b"[97, 24]", b"[97,-24]"), ("float", b"[97, 24]", b"[97.,24]"),
    ):  # fmt: skip
        assert old in raw[: 8 + length], name
        yield Damaged(name, "safetensors", "model.safetensors", raw.replace(old, new, 1))
    config = files["safetensors"]["config.json"]
    for at in sorted(stream.sample(range(len(config)), 6)):
        yield Damaged(f"config cut at {at}", "safetensors", "config.json", config[:at])
    for key, value in (("num_attention_heads", 0), ("hidden_size", 1 << 50), ("num_hidden_layers", 10**9)):
        strange = json.dumps({**json.loads(config), key: value}).encode()
        yield Damaged(f"{key} {value:,}", "safetensors", "config.json", strange)
    yield Damaged("deep config", "safetensors", "config.json", b"[" * 200_000)


def answer(folder: Path, files: dict[str, bytes], prompt: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of `inspect --json` on these files."""
    folder.mkdir(parents=True)
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    out, err = io.StringIO(), io.StringIO()
    target = folder if len(files) > 1 else folder / next(iter(files))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli(["inspect", str(target), "--prompt", prompt, "--lens", "--json"])
    return code, out.getvalue(), err.getvalue()


def fault(found: tuple[int, str, str], wanted: str) -> str:
    """What is wrong with how a damaged file was met; empty where nothing is."""
    code, out, err = found
    if code == 2:
        told = err.startswith("tui-attention: ") and err.count("\n") == 1 and len(err) > 30 and not out
        return "" if told else f"no one sentence: {err[:200]!r} {out[:80]!r}"
    if code != 0:
        return f"exit code {code}: {err[:200]!r}"
    return "" if out == wanted or err.strip() else "opened in silence with other numbers"


PROMPTS = {"gguf": "the cat", "safetensors": "3 1 4 1 5"}


def run(folder: Path, every: int = 1) -> tuple[int, int, list[str]]:
    """How many files were met, how many of them refused, and what was wrong; `every` so many-th one."""
    files = sound(folder)
    wanted = {kind: answer(folder / kind, files[kind], PROMPTS[kind]) for kind in files}
    assert all(code == 0 for code, _, _ in wanted.values()), wanted
    met, refused, wrong = 0, 0, []
    for number, case in enumerate(damaged(files)):
        if number % every:
            continue
        found = answer(folder / str(number), {**files[case.format], case.file: case.raw}, PROMPTS[case.format])
        met, refused = met + 1, refused + (found[0] == 2)
        why = fault(found, wanted[case.format][1])
        if why:
            wrong.append(f"{case.format}, {case.name}: {why}")
    return met, refused, wrong


def main() -> int:
    """Print what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        met, refused, wrong = run(Path(folder))
    for line in wrong:
        print(line)
    print(
        f"{met} damaged files: {refused} refused in one sentence, {met - refused - len(wrong)} gave the same numbers"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
