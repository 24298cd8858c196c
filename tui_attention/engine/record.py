"""Frozen dataclasses that cost little to define.

The standard decorator writes and compiles six methods for every class, half a millisecond each time: with a hundred
classes a good part of what the program takes to start. This one compiles `__init__` alone and shares the others.
`dataclasses.replace` and `fields` work on the result. Whatever it does not know (mutable or inherited dataclasses,
other options) it leaves to the standard one.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

Fields = dict[str, "Field[Any]"]


def _set(record: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(record: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(record: Any) -> str:
    shown = (f"{one.name}={getattr(record, one.name)!r}" for one in dataclasses.fields(record) if one.repr)
    return f"{type(record).__qualname__}({', '.join(shown)})"


def _getstate(record: Any) -> list[Any]:
    return [getattr(record, one.name) for one in dataclasses.fields(record)]


def _setstate(record: Any, state: list[Any]) -> None:
    for one, value in zip(dataclasses.fields(record), state, strict=True):
        object.__setattr__(record, one.name, value)


def _fields(cls: type) -> Fields:
    """The fields of a class body, in order."""
    found: Fields = {}
    for name, kind in inspect.get_annotations(cls).items():
        if isinstance(kind, str) and kind.startswith("ClassVar"):
            continue
        default = cls.__dict__.get(name, MISSING)
        one: Any = default if isinstance(default, Field) else field(default=default)
        one.name, one.type, one.kw_only = name, kind, False
        one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
        found[name] = one
    return found


def _init(fields: Fields) -> Callable[..., None]:
    """`__init__` with the fields as its parameters. The text holds their names and nothing else."""
    known: dict[str, Any] = {"_put": object.__setattr__, "_missing": MISSING}
    parameters, lines = [], []
    for name, one in fields.items():
        value = name
        if one.default is not MISSING:
            known[f"_of_{name}"] = one.default
            parameters.append(f"{name}=_of_{name}")
        elif one.default_factory is not MISSING:
            known[f"_of_{name}"] = one.default_factory
            parameters.append(f"{name}=_missing")
            value = f"_of_{name}() if {name} is _missing else {name}"
        else:
            parameters.append(name)
        lines.append(f" _put(self, {name!r}, {value})")
    exec(f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(lines), known)  # noqa: S102
    made: Callable[..., None] = known["__init__"]
    return made


def _compared(fields: Fields) -> tuple[Callable[[Any, object], bool], Callable[[Any], int]]:
    """`__eq__` and `__hash__` over the fields that count."""
    names = tuple(name for name, one in fields.items() if one.compare)
    get = attrgetter(*names)

    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        return get(self) == get(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash((get(self),))

    return __eq__, __hash__


def _record(
    cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True, **others: Any
) -> Any:
    """As `dataclasses.dataclass`."""
    if cls is None:
        return lambda body: _record(body, frozen=frozen, slots=slots, eq=eq, **others)
    body = cls.__dict__
    own = _fields(cls) if frozen and slots and not others else {}
    plain = own and cls.__bases__ == (object,) and not {"__post_init__", "__init__", "__eq__"} & set(body)
    if not plain:
        return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq, **others)(cls)
    dropped = {*own, "__dict__", "__weakref__"}
    made = {name: value for name, value in body.items() if name not in dropped}
    made |= {
        "__slots__": tuple(own),
        "__init__": _init(own),
        "__setattr__": _set,
        "__delattr__": _delete,
        "__getstate__": _getstate,
        "__setstate__": _setstate,
        "__match_args__": tuple(own),
        "__dataclass_fields__": own,
    }
    made.setdefault("__repr__", _repr)
    if eq and any(one.compare for one in own.values()):
        made["__eq__"], made["__hash__"] = _compared(own)
    new = type(cls.__name__, cls.__bases__, made)
    new.__qualname__ = cls.__qualname__
    return new


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _record

__all__ = ["dataclass", "field", "replace"]
