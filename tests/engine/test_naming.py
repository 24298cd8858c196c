"""Each operation has two names that both parse; the plain one stands there until the other is earned."""

from __future__ import annotations

import pytest

from tui_attention.engine import formula
from tui_attention.engine.naming import parse, worded
from tui_attention.engine.ops import OPERATIONS, PLAIN_NAMES
from tui_attention.lessons.run import open_run


def test_plain_names_are_no_other_operations() -> None:
    assert len(PLAIN_NAMES) == sum(bool(operation.plain) for operation in OPERATIONS.values())
    assert not PLAIN_NAMES.keys() & OPERATIONS.keys()
    assert {"layer_norm", "softmax", "gelu", "rms_norm", "rope", "argmax"} <= set(PLAIN_NAMES.values())


@pytest.mark.parametrize("text", ["flatten_copy(x0, mu1, sigma1)", "share_out(scores)", "bend_softly(wide)"])
def test_both_names_give_the_same(text: str) -> None:
    graph = open_run("press-h", prompt="had").graph
    standard = worded(text, lambda operation: True)
    assert standard != text
    assert (graph.evaluate(parse(text)).values == graph.evaluate(parse(standard)).values).all()
    assert formula.spell(parse(text)) == formula.spell(parse(standard))


def test_the_author_s_formula_is_kept_but_for_the_names() -> None:
    text = 'a  = layer_norm( x0,mu1, sigma1 ) + E["softmax("] * softmax(q)'
    assert worded(text, lambda operation: operation.name == "softmax") == text.replace("layer_norm(", "flatten_copy(")
    assert worded(text.replace("softmax(q)", "share_out(q)"), lambda operation: True) == text
