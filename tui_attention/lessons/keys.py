"""Which keys a lesson file may have where, and the nearest legal one to a key that it may not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys of a TOML table. `inside` are those that are tables or lists of tables themselves.

    `open` tables have names of the author's choice as keys; `each` is the shape of what stands under each.
    """

    keys: frozenset[str] = frozenset()
    inside: Mapping[str, Shape] = field(default_factory=dict)
    open: bool = False
    each: Shape | None = None

    def legal(self) -> list[str]:
        return sorted({*self.keys, *self.inside})


def _shape(keys: str, **inside: Shape) -> Shape:
    return Shape(frozenset(keys.split()), inside)


def _named(keys: str) -> Shape:
    return Shape(open=True, each=_shape(keys))


_NOTE = _shape("text at page_only")
_CHECK = _shape("ask ask_several cell of value answer asks page_only", says=_shape("slip text"))
_STAGE = _shape(
    "id title standard block wall earns steps glossary listing",
    note=_NOTE,
    diagram=_NOTE,
    table=_shape("columns rows phi_of at"),
    recap=_shape("of"),
    check=_CHECK,
    plot=_shape("kind of title file x y labels at"),
    compare=_shape("ours query key value mask"),
)
LESSON = _shape(
    "format id title summary next extends",
    vocabulary=_shape("marks split most"),
    inputs=_shape("prompt other ticket"),
    constants=Shape(open=True),
    facts=_named("value source prints"),
    tables=_named("title standard axes rows columns prints values continued_from"),
    tensors=_named("title standard prints asks axes"),
    defaults=_shape("prints"),
    variants=_shape(
        "pencil vetted",
        draw=_shape("tables from to decimals keep_zeros"),
        accept=_shape("cells above below within gap"),
    ),
    block=_shape("id title carry copy_title", copies=Shape(open=True)),
    stage=_STAGE,
    switch=_shape("id title", steps=Shape(open=True)),
)


def unknown(raw: object, shape: Shape = LESSON, where: str = "the lesson") -> Iterator[tuple[str, str]]:
    """Every key that nothing reads: where it stands, and a sentence that names the nearest legal one."""
    if not isinstance(raw, Mapping):
        return
    for key, value in raw.items():
        inside = shape.each if shape.open else shape.inside.get(key)
        if not shape.open and key not in shape.keys and inside is None:
            yield where, _sentence(str(key), shape.legal())
        elif inside is not None:
            if isinstance(value, list):
                for number, table in enumerate(value, 1):
                    yield from unknown(table, inside, _listed(where, key, table, number))
            else:
                yield from unknown(value, inside, f"{where[:-1]}.{key}]" if where.startswith("[") else f"[{key}]")


def _sentence(key: str, legal: list[str]) -> str:
    near = get_close_matches(key[:40], legal, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the keys here are: {' '.join(legal)}"
    return f"the key {key[:40]!r} means nothing here; {hint}"


def _listed(where: str, key: str, table: Any, number: int) -> str:
    """`stage flatten, check 2`: by id where there is one, else by number."""
    name = table.get("id") if isinstance(table, Mapping) else None
    here = f"{key} {name if isinstance(name, str) else number}"
    return here if where == "the lesson" else f"{where}, {here}"
