"""The quick dataclasses are dataclasses in all that this program relies on."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from tui_attention.engine.record import dataclass, field, replace


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
    assert hash(point) == hash(kind(x=1))
    assert repr(point) == f"{kind.__name__}(x=1, y=2)"
    assert replace(point, y=5) == kind(1, 5)
    assert [one.name for one in dataclasses.fields(point)] == ["x", "y", "tags"]
    assert copy.copy(point) == point == pickle.loads(pickle.dumps(point))
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    with pytest.raises(TypeError):
        kind()
    with pytest.raises(TypeError):
        kind(1, z=3)
    assert not hasattr(point, "__dict__")


def test_it_can_be_matched() -> None:
    match Point(1):
        case Point(x, y, _):
            assert (x, y) == (1, 2)


def test_what_it_adds_nothing_to() -> None:
    assert Point(2).far() == 4
    assert Point.__doc__ == "A point."
    assert Same(1) != Same(1)
    assert len({Same(1), Same(1)}) == 2
