"""The answer key holds every number; the worksheet holds no covered one."""

from __future__ import annotations

import io
import math
import re

import numpy as np
import pytest

from tests.plain.talk import options
from tests.walk.swapped import Swapped, swapped
from tui_attention.engine.errors import BadInput
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.plain import run
from tui_attention.plain.document import pages
from tui_attention.plain.narration import Narrator
from tui_attention.plain.page import Paragraph
from tui_attention.walk.opened import OpenLesson
from tui_attention.walk.questions import QuestionPlan
from tui_attention.walk.walk import Walk

choose = QuestionPlan.choose


def document(lesson: str, **more: object) -> str:
    out = io.StringIO()
    assert run(options(lesson, all=True, **more), io.StringIO(), out) == 0
    return out.getvalue()


def hidden(run: LessonRun) -> LessonRun:
    """The run with other numbers wherever a pencil makes one; what is measured is printed on paper too."""
    graph = run.graph
    steps = [step.name for step in graph.program.steps if not graph.traced(step.name).view]
    first = {name: (0,) * len(graph.tensor(name).shape) for name in steps}
    made = [name for name in steps if graph.working(name, first[name]).kind != "measured"]
    cells = frozenset((name, index) for name in made for index in np.ndindex(*graph.tensor(name).shape))
    return LessonRun(run.lesson, Swapped(graph, cells))


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_every_number_of_every_tensor_is_on_the_answer_key(lesson: str) -> None:
    text = document(lesson)
    graph = open_run(lesson).graph
    missing = []
    for name in graph.names():
        tensor = graph.tensor(name)
        head = f"{name} ({tensor.title})" if tensor.title not in ("", name) else name
        at = [match.start() for match in re.finditer(rf"^{re.escape(head)}:?[ ,.]", text, re.MULTILINE)]
        rows = [text[place : place + 6000] for place in at]
        for index in np.ndindex(*tensor.shape):
            printed = tensor.text(index)
            shown = {"-inf": "masked", "True": "yes", "False": "no"}.get(printed, printed)
            if not any(f": {shown}" in row for row in rows):
                missing.append((name, index, shown))
    assert not missing


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_every_check_has_its_answer_on_the_key_and_room_for_it_on_the_worksheet(lesson: str) -> None:
    key, sheet = document(lesson), document(lesson, cover=True)
    checks = re.findall(r"^CHECK (\d+)\. ", key, re.MULTILINE)
    assert checks == re.findall(r"^CHECK (\d+)\. ", sheet, re.MULTILINE)
    assert checks == [str(number) for number in range(1, len(checks) + 1)]
    assert len(re.findall(r"^Answer: \S", key, re.MULTILINE)) == len(checks)
    assert len(re.findall(r"^Answer: _+$", sheet, re.MULTILINE)) == len(checks)
    assert "____" not in key


@pytest.mark.parametrize(
    ("lesson", "inputs"),
    [("press-h", {}), ("press-h", {"prompt": "ha b."}), ("bank", {}), ("bank", {"prompt": "the the bank"})],
)
def test_the_worksheet_is_the_same_whatever_the_covered_numbers_are(
    lesson: str, inputs: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = open_run(lesson, **inputs)  # type: ignore[arg-type]
    # Which cell is asked goes by its slips, and so by its number: here it is chosen once for both.
    desk = QuestionPlan(run)
    monkeypatch.setattr(QuestionPlan, "choose", lambda self, tensor, exclude: choose(desk, tensor, exclude))

    def sheet(of: LessonRun) -> list[Paragraph]:
        # How far another implementation is away is measured on whatever numbers there are.
        parts = [part for group in pages(OpenLesson.of(of), cover=True, width=72) for part in group]
        return [part for part in parts if not part.text.startswith("Compared now")]

    assert sheet(run) == sheet(hidden(run))
    assert list(pages(OpenLesson.of(run), cover=False, width=72)) != list(
        pages(OpenLesson.of(hidden(run)), cover=False, width=72)
    )


@pytest.mark.parametrize("lesson", ["press-h", "bank"])
def test_what_is_told_at_a_step_is_the_same_whatever_is_covered(lesson: str) -> None:
    walk = Walk(open_run(lesson))
    while True:
        told = []
        for one in (walk, swapped(walk)):
            narrator = Narrator(one.stage, one.visible, brief=True)
            parts = narrator.wall() + (narrator.step(one.place.step) if one.step else []) + narrator.end()
            told.append([part for part in parts if not part.text.startswith("Compared now")])
        assert told[0] == told[1], walk.place
        if walk.next().what == "nothing":
            break


def test_worksheet_and_key_are_the_same_text() -> None:
    # The worksheet's table of Phi is for any numbers, the key's for the lesson's own; a mark is blank like a number.
    other = re.compile(r"^Phi of .*?\n\n|^So after .*?\n\n", re.MULTILINE | re.DOTALL)
    key, sheet = (other.sub("", document("press-h", cover=cover)) for cover in (False, True))

    def words(text: str) -> list[str]:
        return [line for line in text.split("\n") if line and not re.search(r"[-\d_?]|yes|no|Worksheet|Answer", line)]

    assert words(key) == words(sheet)


def test_the_worksheet_has_a_table_of_phi_to_look_things_up_in() -> None:
    sheet = " ".join(document("press-h", cover=True, stage="mlp").split())
    table = dict(re.findall(r"z (\d\.\d): (0\.\d{4})", sheet))
    assert len(table) == 21
    assert table == {f"{z / 10:.1f}": f"{(1 + math.erf(z / 10 / math.sqrt(2))) / 2:.4f}" for z in range(21)}
    assert "Phi ____" not in sheet
    assert not re.search(r"z \d\.\d: 0\.", document("press-h", stage="mlp"))


def test_one_stage_alone() -> None:
    text = document("press-h", stage="heads")
    assert "STAGE 6 OF 16, HEADS." in text
    assert "STAGE 7" not in text
    with pytest.raises(BadInput, match="has no stage 'nowhere'"):
        document("press-h", stage="nowhere")


def test_a_document_touches_no_progress(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui_attention.session.opening.open_store", None)
    assert document("press-h", save=True)


def test_a_document_keeps_to_the_width_and_has_no_box_drawing() -> None:
    for lesson in ("press-h", "bank"):
        text = document(lesson, env={"COLUMNS": "40"})
        assert max(map(len, text.split("\n"))) <= 40
        assert text.isascii()
