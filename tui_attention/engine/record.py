"""Frozen dataclasses that cost little to define.

The standard decorator writes and compiles six methods for every class, half a millisecond each time: with a hundred
classes a good part of what the program takes to start. This one compiles `__init__` alone and shares the others.
`dataclasses.replace`, `fields`, `asdict`, `copy` and `pickle` work on the result. Whatever is not plain (other
options than frozen, slots and eq; bases; ClassVar and its like; fields with options of their own; methods that the
decorator would write) it leaves to the standard one.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

Fields = dict[str, "Field[Any]"]

_NO_FIELDS = ("ClassVar", "InitVar", "KW_ONLY")  # annotations that are no ordinary fields
_WRITTEN = frozenset(
    {"__init__", "__post_init__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__getstate__", "__setstate__"}
)


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
    """The fields of a class body, in order; none where it is not plain."""
    found: Fields = {}
    annotations = inspect.get_annotations(cls)
    if cls.__bases__ != (object,) or type(cls) is not type or _WRITTEN & set(cls.__dict__):
        return {}
    if any(word in str(kind) for kind in annotations.values() for word in _NO_FIELDS):
        return {}
    for name in annotations:
        default = cls.__dict__.get(name, MISSING)
        one: Any = default if isinstance(default, Field) else field(default=default)
        options = not one.init or one.hash is not None or one.kw_only is True
        mutable = one.default is not MISSING and type(one.default).__hash__ is None
        if options or mutable:
            return {}
        found[name] = one
    for name, one in found.items():
        one.name, one.type, one.kw_only = name, annotations[name], False
        one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
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
    """`__eq__` and `__hash__` over the fields that count, as tuples."""
    names = [name for name, one in fields.items() if one.compare]
    get: Callable[[Any], Any] = attrgetter(*names) if len(names) > 1 else lambda record: _few(record, names)

    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        return get(self) == get(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(get(self))

    return __eq__, __hash__


def _few(record: Any, names: list[str]) -> tuple[Any, ...]:
    return tuple([getattr(record, name) for name in names])


def _record(
    cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True, **others: Any
) -> Any:
    """As `dataclasses.dataclass`."""
    if cls is None:
        return lambda body: _record(body, frozen=frozen, slots=slots, eq=eq, **others)
    own = _fields(cls) if frozen and slots and not others else {}
    if not own:
        return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq, **others)(cls)
    dropped = {*own, "__dict__", "__weakref__"}
    made = {name: value for name, value in cls.__dict__.items() if name not in dropped}
    made |= {
        "__slots__": tuple(own),
        "__init__": _init(own),
        "__setattr__": _set,
        "__delattr__": _delete,
        "__getstate__": _getstate,
        "__setstate__": _setstate,
        "__match_args__": tuple(own),
        "__dataclass_fields__": own,
        "__dataclass_params__": _Like.__dataclass_params__,  # type: ignore[attr-defined]
    }
    made.setdefault("__repr__", _repr)
    if eq:
        made["__eq__"], made["__hash__"] = _compared(own)
    new = type(cls.__name__, cls.__bases__, made)
    new.__qualname__ = cls.__qualname__
    return new


@dataclasses.dataclass(frozen=True, slots=True)
class _Like:
    """What a standard dataclass says of its options: a dataclass made out of one of ours asks for it."""


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _record

__all__ = ["dataclass", "field", "replace"]
