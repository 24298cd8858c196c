from __future__ import annotations

from dataclasses import replace

import pytest

from tui_attention.classroom.hub import Hub, Member, RoomAnswer, RoomPlace, RoomState, tally
from tui_attention.classroom.hub.hub import NameRefusedError
from tui_attention.classroom.hub.people import anonymous, by_need

FLATTEN = RoomPlace("press-h", "flatten", 2)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hub(clock: Clock) -> Hub:
    return Hub(RoomState("7b", RoomPlace("press-h")), clock=clock, most=4)


def answer(member: int, value: str, *kinds: str, right: bool = False, at: RoomPlace = FLATTEN) -> RoomAnswer:
    verdict = "right" if right else "slip" if kinds else "wrong"
    return RoomAnswer(member, 1.0, at, "a[0,0]", value, verdict, right, value, kinds)


def test_every_change_counts_up_and_is_told_once(hub: Hub) -> None:
    told: list[RoomState] = []
    end = hub.subscribe(told.append)
    hub.step(FLATTEN, 9)
    hub.step(FLATTEN, 9)  # nothing new
    hub.lead(False)
    hub.lead(False)
    hub.cover(False)
    hub.allow_borrowing(True)
    assert [state.seq for state in told] == [1, 2, 3, 4]
    assert (told[-1].place, told[-1].led, told[-1].covered, told[-1].borrowing) == (FLATTEN, False, False, True)
    end()
    hub.lead(True)
    assert len(told) == 4


def test_the_front_is_the_furthest_of_each_lesson(hub: Hub) -> None:
    hub.step(FLATTEN, 9)
    hub.step(RoomPlace("press-h", "route"), 1)
    assert hub.state.front == 9
    hub.step(RoomPlace("bank", "words"), 0)
    assert hub.state.front == 0
    hub.step(RoomPlace("press-h", "route"), 1)
    assert hub.state.front == 9


def test_a_question_is_held_until_it_is_revealed(hub: Hub) -> None:
    first = hub.ask(FLATTEN, "a[0,0]", "a", "The first flattened coordinate?")
    assert hub.state.held == first
    assert hub.reveal()
    after: RoomState = hub.state
    assert after.held is None
    assert ("press-h", "a[0,0]") in hub.state.shown
    again = hub.ask(FLATTEN, "a[0,0]", "a", "Once more?")
    assert again.number == 2
    assert hub.state.held == again
    assert not hub.state.shown  # asked again, it is covered again
    hub.close_question()
    assert hub.state.question is None
    assert not hub.reveal()


def test_revealing_another_cell_leaves_the_question_covered(hub: Hub) -> None:
    asked = hub.ask(FLATTEN, "a[0,0]", "a", "?")
    hub.reveal("press-h", "a[0,1]")
    assert hub.state.held == asked
    hub.reveal("bank", "a[0,0]")  # of the same name in another lesson
    assert hub.state.held == asked


def test_a_live_name_is_kept_and_the_newcomer_told(hub: Hub) -> None:
    ada = hub.join("Ada")
    with pytest.raises(NameRefusedError, match="Ada is in the class already; come in by another name, such as Ada-2"):
        hub.join("ada")
    hub.line(ada.id, "away")
    assert hub.join("ADA").id == ada.id


def test_a_name_belongs_to_its_key(hub: Hub) -> None:
    ada = hub.join("ada", "SHA256:one")
    hub.line(ada.id, "away")
    with pytest.raises(NameRefusedError, match="another key"):
        hub.join("ada", "SHA256:two")
    with pytest.raises(NameRefusedError, match="another key"):
        hub.join("ada")
    assert hub.join("ada", "SHA256:one").id == ada.id
    with pytest.raises(NameRefusedError, match="Your key is ada's here"):
        hub.join("bob", "SHA256:one")


def test_the_class_takes_so_many_names(hub: Hub) -> None:
    for name in "abcd":
        hub.join(name)
    with pytest.raises(NameRefusedError, match="all the names"):
        hub.join("e")


def test_who_is_stuck_comes_first_and_who_is_away_last(hub: Hub, clock: Clock) -> None:
    ada, bob, eve, zoe = (hub.join(name).id for name in ("ada", "bob", "eve", "zoe"))
    for number in (ada, bob, eve, zoe):
        hub.stands(number, FLATTEN, asked="a[0,0]", following=True, forward=True)
    hub.answered(answer(eve, "0.58", "backward"))
    hub.line(zoe, "away")
    assert [m.name for m in by_need(hub.members, clock.now)] == ["eve", "ada", "bob", "zoe"]
    clock.now += 300
    hub.stands(ada, FLATTEN, asked="a[0,1]", following=True, forward=True)
    assert [m.name for m in by_need(hub.members, clock.now)] == ["eve", "bob", "ada", "zoe"]
    hub.answered(answer(eve, "1.73", right=True))
    assert [m.name for m in by_need(hub.members, clock.now)] == ["bob", "ada", "eve", "zoe"]


def test_tries_are_of_what_is_asked_now(hub: Hub) -> None:
    ada = hub.join("ada").id
    hub.stands(ada, FLATTEN, asked="a[0,0]", following=True)
    hub.answered(answer(ada, "0.58", "backward"))
    hub.answered(replace(answer(ada, "?"), attempt=False))
    assert hub.member(ada) is not None
    assert hub.members[0].tries == 1
    hub.stands(ada, FLATTEN, asked="a[0,1]", following=True)
    assert hub.members[0].tries == 0


def test_the_tally_counts_each_learner_once_and_keeps_the_right_number_covered(hub: Hub) -> None:
    for name in ("ada", "bob", "eve"):
        hub.join(name)
    for typed in (
        answer(1, "0.58", "backward"),
        answer(2, "0.58", "backward"),
        answer(3, "1.73", right=True),
        answer(1, "1.74", right=True),
        answer(3, "9"),  # after a right one
    ):
        hub.answered(typed)
    found = hub.tally("press-h", "a[0,0]")
    assert [(count.value, count.right, count.members) for count in found.values] == [
        ("", True, (3, 1)),
        ("0.58", False, (2,)),
    ]
    assert [(slip.kind, slip.members) for slip in found.slips] == [("backward", (2,))]
    assert (found.answered, found.right) == (3, 2)
    assert [(slip.kind, slip.members) for slip in hub.slips("press-h")] == [("backward", (1, 2))]
    assert found == tally(
        [answer(2, "0.58", "backward"), answer(3, "1.73", right=True), answer(1, "1.74", right=True)]
    )


def test_answers_of_strangers_count_nowhere(hub: Hub) -> None:
    hub.answered(answer(77, "0.58", "backward"))
    assert hub.tally("press-h", "a[0,0]").answered == 0


def test_a_forgotten_learner_is_in_no_count(hub: Hub) -> None:
    ada = hub.join("ada").id
    hub.answered(answer(ada, "0.58", "backward"))
    assert not hub.forget(ada)  # has a line
    hub.line(ada, "away")
    assert hub.forget(ada)
    assert not hub.members
    assert not hub.slips("press-h")
    assert hub.tally("press-h", "a[0,0]").answered == 0


def test_anonymous_names_stay_when_the_order_changes() -> None:
    people = (Member(3, "eve"), Member(1, "ada"))
    assert anonymous(people) == anonymous(people[::-1]) == {1: "learner 1", 3: "learner 2"}
