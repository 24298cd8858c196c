"""`--variant` and `--variant-for` on the verbs, and `lint --variants`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lessons.test_variants import TOY
from tui_attention.cli import main
from tui_attention.lessons.load import load
from tui_attention.lessons.run import open_run
from tui_attention.walk.refs import CellRef
from tui_attention.walk.walk import Walk

Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_every_verb_works_on_the_variant(capsys: Capture) -> None:
    values = json.loads(said(capsys, "values", "press-h", "a", "--variant", "7", "--json"))
    number = values["tensors"]["a"]["values"][0][0]
    explained = json.loads(said(capsys, "explain", "press-h", "a[0,0]", "--json", "--variant", "7"))
    assert explained["value"] == number
    assert main(["judge", "press-h", "a[0,0]", f"{number:.2f}", "--variant", "7"]) == 0
    assert main(["judge", "press-h", "a[0,0]", "1.73", "--variant", "7"]) == 1
    capsys.readouterr()
    assert "Variant: 7." in said(
        capsys, "plain", "press-h", "--all", "--cover", "--stage", "flatten", "--variant", "7"
    )
    assert said(capsys, "proof", "--variant", "7") != said(capsys, "proof")


def test_a_number_of_a_variant_is_called_drawn(capsys: Capture) -> None:
    for words, says in (
        (["--variant", "7"], "a dial, drawn for variant 7: it is given, no step makes it"),
        ([], "a dial: it is given, no step makes it"),
    ):
        assert main(["explain", "press-h", "Wq[0,0]", *words]) == 0
        assert says in capsys.readouterr().out
    visible = Walk(open_run("press-h", variant=7)).visible
    assert visible.origin(CellRef("P", (3, 0))) == "a dial, drawn for variant 7"
    assert visible.origin(CellRef("n_heads", ())) == "a constant of the lesson"


def test_a_name_stands_for_its_variant(capsys: Capture) -> None:
    named = said(capsys, "values", "press-h", "x0", "--variant-for", "Ada")
    assert named == said(capsys, "values", "press-h", "x0", "--variant", "33")
    assert named != said(capsys, "values", "press-h", "x0", "--variant", "0")
    assert said(capsys, "values", "press-h", "x0", "--variant", "0") == said(capsys, "values", "press-h", "x0")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--variant", "61"], "there is no variant 61; press-h has variants 1 to 60, 0 is itself"),
        (["--variant", "seven"], "'seven' is no whole number"),
        (["--variant-for", ""], "takes a name"),
        (["--variant", "1", "--variant-for", "Ada"], "not allowed with"),
    ],
)
def test_what_there_is_not_is_one_sentence(capsys: Capture, words: list[str], says: str) -> None:
    assert main(["values", "press-h", "x0", *words]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def test_lint_finds_variants_and_then_only_tries_them(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "two-dots.toml"
    file.write_text(TOY)
    assert "5 of" in said(capsys, "lint", str(file), "--variants", "5")
    assert load(str(file)).variants.count == 5
    assert "its 5 variants are good exercises" in said(capsys, "lint", "--variants", "5", str(file))
    file.write_text(file.read_text().replace("gap = 0.1", "gap = 0.4"))
    assert main(["lint", str(file), "--variants"]) == 1
    out = capsys.readouterr().out
    assert "S[0] is not ahead by 0.4" in out
    assert "stays what it is for ever" in out


def test_lint_needs_to_know_what_may_be_redrawn(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "two-dots.toml"
    start, end = TOY.index("# how to practise"), TOY.index("[tables.words]")
    file.write_text(TOY[:start] + TOY[end:])
    assert main(["lint", "--variants", str(file)]) == 2
    assert "no [[variants.draw]]" in capsys.readouterr().err
