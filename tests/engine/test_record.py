"""The quick dataclasses are dataclasses in all that this program relies on, and standard ones in all the rest."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
import pkgutil
from typing import Any, ClassVar

import pytest

import tui_attention
from tui_attention.engine import record
from tui_attention.engine.record import dataclass, field, replace

quick: Any = record._record
standard: Any = dataclasses.dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A point."""

    x: int
    y: int = 2
    tags: list[str] = field(default_factory=list, compare=False, repr=False)

    def far(self) -> int:
        return self.x + self.y


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same, made by the standard decorator."""

    x: int
    y: int = 2
    tags: list[str] = dataclasses.field(default_factory=list, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Same:
    value: int


@pytest.mark.parametrize("kind", [Point, Standard])
def test_both_kinds_are_alike(kind: Any) -> None:
    point: Any = kind(1)
    assert (point.x, point.y, point.tags) == (1, 2, [])
    assert kind(1).tags is not point.tags
    assert point == kind(1, 2, ["ignored"])
    assert point != kind(1, 3)
    assert point != (1, 2)
    assert hash(point) == hash(kind(x=1)) == hash((1, 2))
    assert repr(point) == f"{kind.__name__}(x=1, y=2)"
    assert replace(point, y=5) == kind(1, 5)
    assert [one.name for one in dataclasses.fields(point)] == ["x", "y", "tags"]
    assert dataclasses.asdict(point) == {"x": 1, "y": 2, "tags": []}
    assert copy.copy(point) == copy.deepcopy(point) == point == pickle.loads(pickle.dumps(point))
    assert list(inspect.signature(kind).parameters) == ["x", "y", "tags"]
    assert inspect.signature(kind).parameters["y"].default == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    with pytest.raises(TypeError):
        kind()
    with pytest.raises(TypeError):
        kind(1, z=3)
    assert not hasattr(point, "__dict__")
    assert dataclasses.is_dataclass(kind)


def test_it_can_be_matched() -> None:
    match Point(1):
        case Point(x, y, _):
            assert (x, y) == (1, 2)


def test_what_it_adds_nothing_to() -> None:
    assert Point(2).far() == 4
    assert Point.__doc__ == "A point."
    assert (Point.__name__, Point.__module__) == ("Point", __name__)
    assert Same(1) != Same(1)
    assert len({Same(1), Same(1)}) == 2


@pytest.mark.parametrize("make", [quick, standard])
def test_a_single_field_is_compared_as_a_tuple_is(make: Any) -> None:
    class One:
        value: Any

    one = make(frozen=True, slots=True)(One)
    nan = float("nan")
    assert one(nan) == one(nan)  # the same object
    assert one([1]) == one([1])
    assert hash(one(3)) == hash((3,))


@pytest.mark.parametrize("make", [quick, standard])
def test_what_is_not_plain_is_made_by_the_standard_one(make: Any) -> None:
    class Counted:
        limit: ClassVar[int] = 3
        x: int = 1

    class Late:
        x: int
        doubled: int = dataclasses.field(init=False, default=0)

    class Named:
        _: dataclasses.KW_ONLY
        x: int = 1

    class Loud:
        x: int = 1

        def __hash__(self) -> int:
            return 7

    class Child(Point):
        z: int = 9

    frozen = make(frozen=True, slots=True)
    counted = frozen(Counted)
    assert (counted.limit, counted().x) == (3, 1)
    assert [one.name for one in dataclasses.fields(counted)] == ["x"]
    with pytest.raises(TypeError):
        frozen(Late)(1, 2)
    with pytest.raises(TypeError):
        frozen(Named)(1)
    assert hash(frozen(Loud)()) == 7
    child = frozen(Child)(1, z=4)
    assert (child.x, child.y, child.z, child.far()) == (1, 2, 4, 3)
    mutable = type("Mutable", (), {"__annotations__": {"x": "list[int]"}, "x": []})
    with pytest.raises(ValueError, match="default_factory"):
        frozen(mutable)


def test_the_classes_of_the_program_are_made_the_quick_way() -> None:
    """Falling back costs time at the start and nothing else, so only a count can notice it."""
    found: set[type] = set()
    for package in ("engine", "lessons", "judge", "walk"):
        top = importlib.import_module(f"tui_attention.{package}")
        for module in pkgutil.walk_packages(top.__path__, f"{tui_attention.__name__}.{package}."):
            found |= {
                kind
                for kind in vars(importlib.import_module(module.name)).values()
                if isinstance(kind, type) and dataclasses.is_dataclass(kind) and kind.__module__ == module.name
            }
    slow = {kind.__name__ for kind in found if kind.__dict__.get("__getstate__") is not record._getstate}
    # A cached question, an evaluation that counts its cost, a table that checks itself, two without fields.
    assert slow == {"Prepared", "Evaluation", "Fields", "Masked", "_Like"}
    assert len(found) > 50
