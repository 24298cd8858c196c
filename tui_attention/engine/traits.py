"""What the operations of a formula do, whatever they are called."""

from __future__ import annotations

from tui_attention.engine import formula
from tui_attention.engine.formula import Expr
from tui_attention.engine.operation import Operation, Role
from tui_attention.engine.ops import OPERATIONS, PLAIN_NAMES


def operation_of(expr: Expr) -> Operation | None:
    """The operation that a formula ends in; None where it ends in none."""
    match expr:
        case formula.Call(op=op) | formula.Binary(op=op):
            return OPERATIONS.get(PLAIN_NAMES.get(op, op))
        case _:
            return None


def role_of(expr: Expr) -> Role:
    """What the operation that a formula ends in does; empty where it ends in none."""
    operation = operation_of(expr)
    return operation.role if operation else ""


def roles(expr: Expr) -> frozenset[Role]:
    """The roles of every operation in a formula, but for what stands in an index."""
    return frozenset(role_of(part) for part in formula.walk(expr, indices=False))


def is_slow(expr: Expr) -> bool:
    """Whether the formula is run when it is shown, and not before."""
    return any((found := operation_of(part)) is not None and found.slow for part in formula.walk(expr, indices=False))
