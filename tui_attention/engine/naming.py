"""The two names of an operation: the field's, and a plain one that stands there until the other is earned."""

from __future__ import annotations

import re
from collections.abc import Callable

from tui_attention.engine import formula
from tui_attention.engine.formula import Expr, Step
from tui_attention.engine.operation import Operation
from tui_attention.engine.ops import OPERATIONS, PLAIN_NAMES

_CALL = re.compile(r"\"[^\"]*\"|'[^']*'|\b([A-Za-z_]\w*)(?=\s*\()", re.ASCII)


def parse(text: str, *, line: int = 0, offset: int = 0) -> Expr:
    """The tree of one formula, each operation under its own name whichever was written. Raises LessonError."""
    return formula.with_calls(formula.parse(text, line=line, offset=offset), PLAIN_NAMES)


def parse_steps(text: str) -> tuple[Step, ...]:
    """The assignments of a stage, each operation under its own name. Raises LessonError."""
    return tuple(step._replace(expr=formula.with_calls(step.expr, PLAIN_NAMES)) for step in formula.parse_steps(text))


def worded(text: str, earned: Callable[[Operation], bool]) -> str:
    """A formula as its author wrote it, each operation by its own name where that is `earned`, else by the plain."""

    def name(match: re.Match[str]) -> str:
        operation = OPERATIONS.get(PLAIN_NAMES.get(match[1], match[1])) if match[1] else None
        if operation is None or not operation.plain:
            return match[0]
        return operation.name if earned(operation) else operation.plain

    return _CALL.sub(name, text)
