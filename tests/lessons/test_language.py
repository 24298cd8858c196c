"""Every construct of the lesson language, on lessons small enough to check by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lessons.toy import HEAD, TABLE, TOY, run, steps
from tui_attention.engine import formula
from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.working import line
from tui_attention.lessons.model import Check
from tui_attention.lessons.reference import operations
from tui_attention.lessons.run import LessonRun, open_run

FACTS = """
[constants]
half = 0.5
[facts.big]
value = 50257
source = "counted"
prints = 0
[facts.small]
value = 0.125
source = "measured"
prints = 2
"""


def made(*lines: str, prompt: str | None = None) -> LessonRun:
    return run(steps(*lines).replace("[tables.E]", f"{FACTS}[tables.E]"), prompt)


def values(text: str, *lines: str) -> object:
    return made("x = E[tokens(prompt)]", *lines).formula(text).values.tolist()


def pencil(run: LessonRun, address: str) -> str:
    root = run.graph.working(*run.graph.locate(address)).root
    assert root is not None
    return line(root)


# ---------------------------------------------------------------- formulas

X = [[0.25, -0.5, 0.1], [1.0, 0.0, -0.1]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x", X),
        ("x[0]", X[0]),
        ("x[-1]", X[-1]),
        ("x[0][1]", -0.5),
        ("x[0,1]", -0.5),
        ("x[1,-1]", -0.1),
        ("x[:,0]", [0.25, 1.0]),
        ("x[::-1]", X[::-1]),
        ("x[0,1:]", [-0.5, 0.1]),
        ("x[:1]", [X[0]]),
        ("x.T", [[0.25, 1.0], [-0.5, 0.0], [0.1, -0.1]]),
        ("E[tokens(prompt)]", X),
        ('E["b",0]', 1.0),
        ('E[" ",0]', 0.05),
        ('splitter["b"]', 1),
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("8 - 4 - 2", 2.0),
        ("8 / 4 / 2", 1.0),
        ("-2 * -3", 6.0),
        ("-x[0,1]", 0.5),
        ("--2", 2.0),
        ("1e-3", 0.001),
        ("x[0] @ x[1]", 0.25 - 0.01),
        ("x[0] * half", [0.125, -0.25, 0.05]),
        ("big / 2", 25128.5),
        ("sum(x)", [-0.15, 0.9]),
        ("sqrt(4)", 2.0),
        ("cumsum(x[1])", [1.0, 1.0, 0.9]),
        ("argmax(x)", [0, 0]),
        ("slots(tokens(prompt))", [0, 1]),
        ("causal(tokens(prompt))", [[True, False], [True, True]]),
        ("equal(x, x)", True),
        ("max_gap(x, x)", 0.0),
        ("relu(x[0])", [0.25, 0.0, 0.1]),
        ("pack(x, x)[0]", [*X[0], *X[0]]),
        ("split_heads(x, 3)[2]", [[0.1], [-0.1]]),
        ("join_heads(split_heads(x, 3))", X),
        ("pick(cumsum(softmax(x)), 0)", [0, 0]),
    ],
)
def test_what_a_formula_means(text: str, value: object) -> None:
    np.testing.assert_allclose(np.array(values(text), dtype=float), np.array(value, dtype=float), atol=1e-12)


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("x +", 4, "a number, a name or '\\(' was expected, not 'the end of the formula'"),
        ("(x", 3, "'\\)' was expected"),
        ("x y", 3, "an operator or the end of the formula was expected, not 'y'"),
        ("x ? y", 3, "'\\?' is not part of any formula"),
        ("x.shape", 3, "'.T' \\(exchange the last two axes\\) is the only thing"),
        ("x[1.5:]", 6, "a slice takes whole numbers"),
        ("x[::0]", 6, "a step other than 0"),
        ("'a'", 1, "a number, a name or '\\(' was expected"),
        ("eval(x)", 1, "'eval' is not an operation; the operations are: argmax"),
        ("softmax()", 1, "'softmax' takes \\(row\\), not 0 operands"),
        ("nothing + 1", 1, "nothing is called 'nothing' here"),
        ("prompt", 1, "'prompt' is a text; only 'tokens\\(prompt\\)' takes it"),
        (
            "x @ x",
            3,
            "@ x .* do not fit: 3 columns \\(coordinate\\) against 2 rows \\(token\\); x.T pairs",
        ),
        ("x + E", 3, "x \\(2 token x 3 coordinate\\) and E \\(3 mark x 3 coordinate\\) do not fit each other"),
        ("x[0,0,0]", 2, "3 places in an index of 2 axes"),
        ("x[0.5]", 3, "an index takes whole numbers"),
        ('x["q"]', 3, "x has no token 'q'; 0 to 1 are legal \\(a b\\)"),
        ("ticket", 1, "nothing is called 'ticket' here"),
    ],
)
def test_a_wrong_formula_says_where_and_what_was_expected(text: str, column: int, says: str) -> None:
    here = made("x = E[tokens(prompt)]")
    with pytest.raises(LessonError, match=says) as caught:
        here.graph.evaluate(formula.parse(text))
    assert caught.value.column == column


def test_a_fault_of_a_step_names_its_line() -> None:
    toml = steps("x = E[tokens(prompt)]", "y = x + q")
    line_number = next(number for number, text in enumerate(toml.split("\n"), 1) if text == "y = x + q")
    with pytest.raises(LessonError, match=f"toml:{line_number}:9: nothing is called 'q' here"):
        run(toml).graph.tensor("y")


def test_a_step_reads_what_stands_before_it() -> None:
    with pytest.raises(LessonError, match="'y' is used before the step that makes it"):
        made("x = y", "y = E").graph.tensor("x")


def test_steps_have_captions_and_may_be_inner() -> None:
    found = formula.parse_steps("inner a = E @ E.T   # everybody with everybody\n\nb = E['#',0]# quoted")
    assert [(step.name, step.inner, step.text, step.caption, step.line) for step in found] == [
        ("a", True, "E @ E.T", "everybody with everybody", 1),
        ("b", False, "E['#',0]", "quoted", 3),
    ]


# ---------------------------------------------------------------- inner steps and views


def test_a_working_goes_through_an_inner_step_to_its_operands() -> None:
    through = made("x = E[tokens(prompt)]", "inner dots = x @ x.T", "scaled = dots / sqrt(3)")
    assert pencil(through, "scaled[0,1]") == "(0.25*1.00 + (-0.50)*0.00 + 0.10*(-0.10)) / sqrt(3)"
    assert pencil(through, "dots[0,1]") == "0.25*1.00 + (-0.50)*0.00 + 0.10*(-0.10)"
    assert through.graph.tensor("dots").origin == "inner"
    stopped = made("x = E[tokens(prompt)]", "dots = x @ x.T", "scaled = dots / sqrt(3)")
    assert pencil(stopped, "scaled[0,1]") == "0.24 / sqrt(3)"


@pytest.mark.parametrize(
    ("view", "cell", "source"),
    [
        ("x = E[tokens(prompt)]", "x[1,0]", "E[1,0]"),
        ("v = E.T", "v[0,2]", "E[2,0]"),
        ("v = E[::-1]", "v[0,1]", "E[2,1]"),
        ("v = E[1:,2]", "v[0]", "E[1,2]"),
        ("v = pack(E, E)", "v[1,4]", "E[1,1]"),
        ("v = split_heads(E, 3)", "v[2,1,0]", "E[1,2]"),
        ("v = join_heads(split_heads(E, 3))", "v[1,2]", "E[1,2]"),
    ],
)
def test_the_cell_of_a_view_is_its_source_cell(view: str, cell: str, source: str) -> None:
    graph = made(view).graph
    assert graph.source(*graph.locate(cell)) == graph.locate(source)
    assert graph.cell(*graph.locate(cell)).address == source
    assert graph.working(*graph.locate(cell)).kind == "dial"


def test_a_view_of_a_view_leads_to_the_computed_cell() -> None:
    graph = made("x = E * 2", "v = x.T", "w = v[::-1]").graph
    assert graph.cell(*graph.locate("w[0,1]")).address == "x[1,2]"
    assert graph.working(*graph.locate("w[0,1]")).cell.address == "x[1,2]"


def test_a_view_prints_as_its_source() -> None:
    toml = steps("x = E * 2", "v = x.T") + "[tensors.x]\nprints = 4\n"
    assert run(toml).graph.tensor("v").prints == 4


# ---------------------------------------------------------------- addresses and decimals


@pytest.mark.parametrize(
    ("address", "index"),
    [
        ("E[1,2]", (1, 2)),
        ("E[b,2]", (1, 2)),
        ('E["b",2]', (1, 2)),
        ("E[1][2]", (1, 2)),
        ("E[-1,-1]", (2, 2)),
        ('E[" ",0]', (2, 0)),
    ],
)
def test_an_address_may_use_labels_and_count_from_the_end(address: str, index: tuple[int, ...]) -> None:
    assert made("x = E").graph.locate(address) == ("E", index)


def test_leading_axes_of_length_one_may_be_left_out() -> None:
    graph = made("x = E[tokens(prompt)]", "s = sum(x)", prompt="a").graph
    assert graph.locate("x[2]") == ("x", (0, 2))
    assert graph.locate("s") == ("s", (0,))
    assert graph.tensor("x").short((0, 2)) == "x[2]"
    with pytest.raises(BadInput, match="E has 2 axes, not 1"):
        graph.locate("E[2]")


def test_a_label_that_stands_twice_needs_a_number() -> None:
    graph = made("x = E[tokens(prompt)]", prompt="aa").graph
    with pytest.raises(BadInput, match="more than one token called 'a'; use a number, 0 to 1 are legal"):
        graph.locate("x[a,0]")


def test_printed_and_asked_decimals() -> None:
    toml = steps("x = E[tokens(prompt)]", "s = sum(x)", "p = softmax(x)", "i = argmax(x)")
    graph = run(
        toml + "[tensors.s]\nprints = 4\nasks = 2\n[tensors.p]\nprints = [1, 2, 3]\n[defaults]\nprints = 5\n"
    ).graph
    assert (graph.tensor("s").text((0,)), graph.working("s", (0,)).asks) == ("-0.1500", 2)
    assert [graph.tensor("p").text((0, place)) for place in range(3)] == ["0.4", "0.20", "0.369"]
    assert graph.tensor("i").prints == 0
    assert graph.tensor("x").prints == 2


# ---------------------------------------------------------------- prose


@pytest.mark.parametrize(
    ("prose", "filled"),
    [
        ("plain", "plain"),
        ("{x[0,2]}", "0.10"),
        ("{x[-1,0]}", "1.00"),
        ("{E[b,0]}", "1.00"),
        ("{line y[0,0]}", "0.25*2"),
        ("{line y[0,0]} = {y[0,0]}", "0.25*2 = 0.50"),
        ("{x[0,0] * x[1,0]:+}", "+0.25"),
        ("{x[0,1] * x[1,0]:+}", "-0.50"),
        ("{x[0,0]:+}", "+0.25"),
        ("{big}", "50,257"),
        ("{small}", "0.13"),
        ("{half}", "0.5"),
        ("{big / half}", "100,514"),
        ("{rows E} x {columns E}", "3 x 3"),
        ("{prompt} ends in {last}", "ab ends in b"),
        ("{{x}}", "{x}"),
        ("{same}", "yes"),
    ],
)
def test_what_stands_for_a_reference_in_prose(prose: str, filled: str) -> None:
    here = made("x = E[tokens(prompt)]", "y = x * 2", "same = equal(x, x)")
    assert here.text(prose) == filled


@pytest.mark.parametrize("prose", ["{x[1,0]}", "{line y[1,0]}", "{x[1,0] + x[0,0]}", "fine {x[0,0]}, then {x[1,0]}"])
def test_a_reference_that_the_prompt_lacks_leaves_the_paragraph_out(prose: str) -> None:
    lines = ("x = E[tokens(prompt)]", "y = x * 2")
    assert made(*lines).text(prose) is not None
    assert made(*lines, prompt="a").text(prose) is None


@pytest.mark.parametrize("prose", ["{z[0,0]}", "{x[0,0,0]}", "{line}", "{rows}", "{}", "{rows z}", "{columns half}"])
def test_a_reference_that_no_prompt_has_is_a_fault(prose: str) -> None:
    with pytest.raises(LessonError):
        made("x = E[tokens(prompt)]", prompt="ab").text(prose)


def test_covered_cells_are_marks_and_so_is_what_is_computed_from_them() -> None:
    here = made("x = E[tokens(prompt)]", "y = x * 2")

    def show(cell: object) -> str:
        return "····"

    assert here.text("{y[0,0]} {line y[0,0]} {y[0,0] + 1:+}", show) == "···· ····*2 ····"


def test_page_only_is_left_out_once_something_is_not_the_lessons_own() -> None:
    own = run(TOY)
    assert own.text("the largest term", page_only=True) == "the largest term"
    assert run(TOY, "ba").text("the largest term", page_only=True) is None
    turned = own.with_graph(own.graph.turn("E", (0, 0), 0.75, 2))
    assert turned.text("the largest term", page_only=True) is None
    assert turned.text("{x[0,0]}") == "0.75"


# ---------------------------------------------------------------- CHECKs


def test_a_check_asks_for_a_cell_or_a_formula() -> None:
    here = made("x = E[tokens(prompt)]", "y = x * 2")
    cell = here.check_working(Check("one.1", "ask", cell="y[1,0]"))
    assert cell is not None
    assert (cell.cell.address, cell.cell.value, cell.asks, cell.askable) == ("y[1,0]", 2.0, 2, True)
    worked = here.check_working(Check("one.2", "ask", value="y[0,0] * y[1,0]", asks=1))
    assert worked is not None
    assert (str(worked.ref), worked.cell.value, worked.asks) == ("check:one.2", 1.0, 1)
    counted = here.check_working(Check("one.3", "ask", value="sqrt(big)", asks=0))
    assert counted is not None
    assert counted.askable


def test_a_check_whose_cell_the_prompt_lacks_is_not_there() -> None:
    here = made("x = E[tokens(prompt)]", "y = x * 2", prompt="a")
    assert here.check_working(Check("c", "ask", cell="y[1,0]")) is None
    assert here.check_working(Check("c", "ask", value="y[1,0] + 1")) is None
    assert here.check_working(Check("c", "ask", cell="y[0,0]", page_only=True)) is None


# ---------------------------------------------------------------- masks, measured and stated


def test_what_has_no_pencil_says_so() -> None:
    lines = ("x = E[tokens(prompt)]", "m = causal(tokens(prompt))", "s = masked(x @ x.T, m)", "p = softmax(s)")
    graph = made(*lines, "same = equal(x, x)", "gap = max_gap(x, x)").graph
    kinds = {
        cell: graph.working(*graph.locate(cell)) for cell in ("s[0,1]", "p[0,1]", "m[0,1]", "same", "gap", "p[1,0]")
    }
    assert [kinds[cell].kind for cell in kinds] == ["masked", "stated", "stated", "stated", "measured", "computed"]
    assert all(working.says for cell, working in kinds.items() if cell != "p[1,0]")
    assert [cell for cell in kinds if kinds[cell].askable] == ["p[1,0]"]


# ---------------------------------------------------------------- pictures and inputs


def test_a_picture_may_draw_formulas_and_its_labels_are_prose() -> None:
    lesson = open_run("bank").lesson
    plot = next(plot for stage in lesson.stages for plot in stage.plots if plot.kind == "plane")
    assert plot.of == ("X[-1]", "out[-1]", "out2[-1]")
    assert plot.labels == ("table row", "{prompt}", "{other}")
    assert (plot.x, plot.y) == ("water", "money")


def test_words_or_characters_are_split_and_nothing_is_trimmed() -> None:
    assert made("x = tokens(prompt)", prompt=" a ").graph.tensor("x").values.tolist() == [2, 0, 2]
    words = HEAD.replace('["a", "b", " "]', '["aa", "b"]\nsplit = "words"').replace('"ab"', '"b  aa"') + TABLE
    stage = "[[stage]]\nid = 's'\ntitle = 's'\nsteps = 'x = tokens(prompt)'\n"
    assert run(words + stage).graph.tensor("x").values.tolist() == [1, 0]
    for wrong in ("", "abc", "a" * 13):
        with pytest.raises(BadInput):
            made("x = tokens(prompt)", prompt=wrong)


def test_every_operation_says_its_shapes_and_what_it_computes() -> None:
    silent = [found["name"] for found in operations() if "->" not in found["computes"]]
    assert silent == []
