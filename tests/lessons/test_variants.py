"""Other numbers for a lesson: the same for everybody for ever, vetted, refused in a sentence where there are none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.lessons import vetting
from tui_attention.lessons.lint import lint
from tui_attention.lessons.load import load, names
from tui_attention.lessons.run import LessonRun, open_run, varied
from tui_attention.lessons.variants import Accept, chosen_for, numbers_file, read_all

LEAST = {"press-h": 60}
TOY = """\
format = 1
id = "two-dots"
title = "Two dot products"

[vocabulary]
marks = ["sun", "sea"]
split = "words"

[inputs]
prompt = "sun sea"

# how to practise
[variants] # by the author
pencil = 30

[[variants.draw]]
tables = ["words"]
from = -1
to = 1
decimals = 1
keep_zeros = true

[[variants.accept]]
cells = "S[0]"
gap = 0.1

[tables.words]
axes = ["word", "axis"]
prints = 1
values = [[0.9, 0.0], [0.3, 0.8]]

[[stage]]
id = "scores"
title = "scores"
wall = "A wall."
steps = '''
X = words[tokens(prompt)]     # read each word's row
S = X @ X.T                   # every word against every word
A = softmax(S)                # shares of each row
'''
[[stage.check]]
ask = "What is the score of the first word with itself?"
cell = "S[0,0]"
[[stage.check]]
page_only = true
ask = "Why is {S[0,0]} the larger one?"
answer = "Because of {X[0,0]}."
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    file = tmp_path / "two-dots.toml"
    file.write_text(TOY)
    return file


def grown(file: Path, wanted: int) -> None:
    lesson = load(str(file))
    more = wanted - lesson.variants.count
    vetting.keep(lesson, [draw for _, draw in vetting.search(lesson, more) if draw is not None])


# ---------------------------------------------------------------- the lessons that come with the program


@pytest.mark.parametrize("name", names())
def test_every_lesson_has_its_variants(name: str) -> None:
    lesson = load(name)
    assert lesson.variants.count >= LEAST.get(name, 30)
    assert list(vetting.misfits(lesson)) == []
    assert len(set(lesson.variants.vetted)) == lesson.variants.count


@pytest.mark.parametrize("name", names())
def test_variants_meet_the_conditions_of_their_lesson(name: str) -> None:
    lesson = load(name)
    for number in range(1, lesson.variants.count + 1, 7):
        assert list(vetting.faults(lesson, varied(lesson, number).program)) == [], number


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_all_variants_meet_the_conditions_of_their_lesson(name: str) -> None:
    assert list(vetting.doubts(load(name))) == []


def test_a_variant_is_the_same_for_ever() -> None:
    program = open_run("press-h", variant=7).graph.program
    assert program.tables["E"].values[7].tolist() == [-0.42, -0.76, -0.24, -0.87, 0.11, 0.34]
    assert program.tables["Wlm"].values[0].tolist() == [-0.4, 0.4, 0.0, 0.5, 0.1, -0.4, 0.5, -0.5, 0.2, 0.4]
    assert open_run("bank", variant=1).graph.program.tables["words"].values.tolist() == [
        [0.0, 0.0, 0.0, 1.1],
        [1.2, 0.0, 0.8, 0.0],
        [0.0, 1.1, 1.2, 0.0],
        [0.4, 0.4, 0.5, 0.0],
    ]


def test_only_what_the_lesson_names_is_redrawn() -> None:
    own, other = load("press-h").program, varied(load("press-h"), 3).program
    drawn = set(load("press-h").variants.tables())
    for name, table in own.tables.items():
        assert np.array_equal(table.values, other.tables[name].values) is (name not in drawn), name
    assert other.tables["P"].continued_from is None
    words = [varied(load("bank"), number).program.tables["words"].values for number in range(0, 31, 6)]
    assert all(((table == 0) == (words[0] == 0)).all() for table in words)


def test_prose_about_the_page_is_left_out() -> None:
    run = open_run("press-h", variant=1)
    assert not run.graph.own
    assert run.text("The page.", page_only=True) is None
    assert run.text("{x0[0,0]}") != open_run("press-h").text("{x0[0,0]}")


@pytest.mark.parametrize("name", names())
def test_every_check_of_a_variant_can_be_asked(name: str) -> None:
    own, lesson = open_run(name), load(name)
    checks = [check for stage in lesson.stages for check in stage.checks if not check.page_only]
    for number in (1, lesson.variants.count):
        run = open_run(name, variant=number)
        for check in checks:
            assert (own.check_working(check) is None) == (run.check_working(check) is None), check.id
            assert run.text(check.ask), check.id


# ---------------------------------------------------------------- which one


@given(name=st.text(min_size=1).filter(lambda text: text.strip()), count=st.integers(1, 80))
@settings(max_examples=60, deadline=None)
def test_a_name_has_one_variant_and_keeps_it(name: str, count: int) -> None:
    chosen = chosen_for(name, "press-h", count)
    assert 1 <= chosen <= count
    assert chosen_for(name, "press-h", count + 1) in (chosen, count + 1)


def test_a_name_chooses_the_same_on_every_machine() -> None:
    chosen = [chosen_for(name, "press-h", 60) for name in ("Ada", "ada ", "Grace", "Weiß", "weiss")]
    assert chosen == [33, 33, 26, 24, 59]
    assert len({chosen_for(str(number), "press-h", 60) for number in range(300)}) > 50


@pytest.mark.parametrize(
    ("name", "variant", "says"),
    [
        ("press-h", 61, "there is no variant 61; press-h has variants 1 to 60"),
        ("press-h", -1, "there is no variant -1"),
        ("press-h", " ", "takes a name"),
    ],
)
def test_what_there_is_not_is_refused(name: str, variant: int | str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        open_run(name, variant=variant)


def test_a_lesson_without_variants_says_so(toy: Path) -> None:
    with pytest.raises(BadInput, match="two-dots has no variants"):
        open_run(str(toy), variant=1)
    assert open_run(str(toy), variant=0).graph.own


# ---------------------------------------------------------------- vetting


def test_vetting_adds_to_the_lesson_and_leaves_the_rest_as_it_is(toy: Path) -> None:
    grown(toy, 3)
    first, lines = toy.read_text(), numbers_file(str(toy)).read_text().splitlines()
    without = first[: first.index("vetted")] + first[first.index("]\n", first.index("vetted")) + 2 :]
    assert without == TOY
    grown(toy, 20)
    lesson = load(str(toy))
    assert lesson.variants.count == 20
    assert numbers_file(str(toy)).read_text().splitlines()[:3] == lines
    assert [*vetting.doubts(lesson), *vetting.misfits(lesson), *lint(str(toy))] == []
    for number in range(1, 21):
        run = open_run(str(toy), variant=number)
        shares = np.sort(run.graph.tensor("S").values[0])
        assert shares[-1] - shares[-2] >= 0.1
        assert run.graph.program.tables["words"].values[0, 1] == 0


def test_conditions_tell_good_from_bad(toy: Path) -> None:
    lesson = load(str(toy))

    def found(**words: list[list[float]]) -> list[str]:
        tables = {name: np.array(values) for name, values in words.items()}
        return list(vetting.faults(lesson, vetting.program_of(lesson, tables, 1)))

    assert found(words=[[0.9, 0.0], [0.3, 0.8]]) == []
    assert found(words=[[0.5, 0.0], [0.5, 0.8]]) == ["S[0] is not ahead by 0.1"]
    accepts = (Accept("S", within=0.5), Accept("S", above=0.0), Accept("S", below=2.0))
    lesson = replace(lesson, variants=replace(lesson.variants, accepts=accepts))
    assert found(words=[[0.9, 0.0], [-0.3, 1.4]]) == [
        "S is not nearer to zero than 0.5",
        "S is not above 0",
        "S is not below 2",
    ]


def test_masked_scores_are_no_numbers_of_a_condition() -> None:
    lesson = load("press-h")
    program = replace(lesson.program, inputs=lesson.program.inputs._replace(prompt="had"))
    assert "scores is not nearer to zero than 2" not in vetting.faults(replace(lesson, program=program), program)


def test_a_search_that_finds_nothing_ends(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vetting, "MOST_TRIES", 20)
    toy.write_text(TOY.replace("gap = 0.1", "gap = 9"))
    with pytest.raises(BadInput, match="0 of 20 draws pass"):
        list(vetting.search(load(str(toy)), 1))


# ---------------------------------------------------------------- files that are not as they should be


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "variant 1 has no line"),
        ("nonsense", "the numbers of variant 1 were expected"),
        ('{"variant": 2, "seed": 1, "tables": {}}', "the numbers of variant 1 were expected"),
        ('{"variant": 1, "seed": 1, "tables": {}}', "2 rows of 2 numbers were expected for words"),
        ('{"variant": 1, "seed": 1, "tables": {"words": [[1, 2]]}}', "2 rows of 2 numbers"),
        ('{"variant": 1, "seed": 1, "tables": {"words": [[1, 2], [3]]}}', "2 rows of 2 numbers"),
        ('{"variant": 1, "seed": 1, "tables": {"words": [[1, 2], [3, NaN]]}}', "2 rows of 2 numbers"),
        ('{"variant": 1, "seed": 1, "tables": {"words": [[1, 2], [3, true]]}}', "2 rows of 2 numbers"),
        ("[" * 100_000, "the numbers of variant 1 were expected"),
        ("x" * 2_000_000, "bytes were expected"),
    ],
)
def test_a_bad_file_of_numbers_is_one_sentence(toy: Path, line: str, says: str) -> None:
    toy.write_text(TOY.replace("pencil = 30", "pencil = 30\nvetted = [1]"))
    numbers_file(str(toy)).write_text(line + "\n" if line else "")
    with pytest.raises(LessonError, match=says):
        open_run(str(toy), variant=1)
    assert [str(finding) for finding in lint(str(toy))]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('tables = ["words"]\n', 'tables = ["nothing"]\n', "'nothing' is no table"),
        ('tables = ["words"]\n', 'tables = ["splitter"]\n', "'splitter' is no table"),
        ("from = -1", "from = 2", "a larger 'to'"),
        ("decimals = 1", "decimals = 9", "decimals"),
        ("gap = 0.1", "", "'above', 'below', 'within', 'gap'"),
        ("pencil = 30", 'vetted = ["a"]', "seeds"),
    ],
)
def test_a_bad_declaration_is_one_sentence(toy: Path, old: str, new: str, says: str) -> None:
    toy.write_text(TOY.replace(old, new))
    with pytest.raises(LessonError, match=says):
        load(str(toy))


def test_lint_tells_where_list_and_numbers_differ(toy: Path) -> None:
    grown(toy, 2)
    file = numbers_file(str(toy))
    file.write_text(file.read_text().splitlines()[0] + "\n")
    (finding,) = lint(str(toy))
    assert "'vetted' lists 2 seeds, two-dots.variants.jsonl has 1" in str(finding)
    toy.write_text(toy.read_text().replace('cells = "S[0]"', 'cells = "nothing[0]"'))
    assert any("nothing" in str(found) for found in lint(str(toy)))


def test_lines_are_plain_json(toy: Path) -> None:
    grown(toy, 1)
    (line,) = read_all(numbers_file(str(toy)))
    assert json.loads(numbers_file(str(toy)).read_text()) == line
    assert set(line) == {"variant", "seed", "tables"}


def test_another_prompt_keeps_the_numbers() -> None:
    one, two = open_run("press-h", variant=5), open_run("press-h", prompt="had", variant=5)
    assert isinstance(one, LessonRun)
    assert np.array_equal(one.graph.program.tables["Wq"].values, two.graph.program.tables["Wq"].values)
    assert two.variant == 5
