"""A lesson's formula text, parsed to a tree. Only what is listed here is a formula; nothing is ever run as code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tui_attention.engine.errors import LessonError

COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")
MOST_CHARACTERS = 500
MOST_DEPTH = 30
MOST_LEVELS = 60  # of the tree: a sum of 60 terms written with +
NAME = re.compile(r"[A-Za-z_]\w{0,60}", re.ASCII)


class Num(NamedTuple):
    """A number, with its text as written."""

    value: float
    text: str
    column: int


class Name(NamedTuple):
    """A name of the lesson."""

    name: str
    column: int


@dataclass(frozen=True, slots=True)
class Label:
    """A quoted label; legal inside an index only."""

    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Neg:
    """A leading minus."""

    arg: Expr
    column: int


class Binary(NamedTuple):
    """Two operands and one of + - * / @ ** < > <= >= == != between them."""

    op: str
    left: Expr
    right: Expr
    column: int


class Transpose(NamedTuple):
    """`.T`, the last two axes exchanged."""

    arg: Expr
    column: int


class Slice(NamedTuple):
    """`start:stop:step` inside an index."""

    start: int | None
    stop: int | None
    step: int | None


class Indexed(NamedTuple):
    """A base with an index behind it."""

    base: Expr
    items: tuple[Expr | Slice, ...]
    column: int


class Call(NamedTuple):
    """A listed operation on operands."""

    op: str
    args: tuple[Expr, ...]
    column: int


Expr = Num | Name | Label | Neg | Binary | Transpose | Indexed | Call


class Step(NamedTuple):
    """One assignment. `inner` steps are shown and can be asked; workings go through them to their operands.

    `line` and `file` say where it is written, `before` how many columns stand before the text that was parsed.
    """

    name: str
    expr: Expr
    text: str
    caption: str
    inner: bool
    line: int
    file: str = ""
    before: int = 0


_TOKEN = re.compile(
    r"""\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<label>"[^"]*"|'[^']*')"""
    r"""|(?P<sign>\*\*|[<>=!]=|[-+*/@()\[\],:.<>]))""",
    re.ASCII,
)
_BODY = re.compile(r"""(?:[^#"']|"[^"]*"|'[^']*'|["'])*""")  # up to the comment; a label may hold a #
_STEP = re.compile(r"\s*(?P<inner>inner\s+)?(?P<name>[A-Za-z_]\w*)\s*=(?!=)", re.ASCII)


def _instead(text: str, position: int) -> str:
    """What would be right in place of a sign that other languages have."""
    mark = text[position]
    if mark == "=" and re.search(r"\([^()]*$", text[:position]):
        return "; operands are told apart by their order, without names"
    if mark == "^":
        return "; a power is written x ** 2"
    if mark in "×·∙⋅":
        return "; a product is written a * b, that of matrices a @ b"
    return "; a minus is written -" if mark in "\u2212\u2013\u2014" else ""


def _behind_a_point(base: Expr, word: str) -> str:
    only = "'.T' (exchange the last two axes) is the only thing that may follow a point"
    if isinstance(base, Name) and base.name in ("np", "numpy", "torch", "math", "F", "jnp"):
        return f"{only}; write {word}(...) without '{base.name}.'"
    return f"{only}; write .T" if word == "t" else only


class _FormulaParser:
    def __init__(self, text: str, offset: int, line: int) -> None:
        self.text, self.offset, self.line = text, offset, line
        self.tokens: list[tuple[str, str, int]] = []
        self.at = 0
        self.depth = 0
        if len(text) > MOST_CHARACTERS:
            raise self.fail(f"a formula of at most {MOST_CHARACTERS} characters was expected", 0)
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if not match:
                position += len(text[position:]) - len(text[position:].lstrip())
                raise self.fail(f"{text[position]!r} is not part of any formula{_instead(text, position)}", position)
            kind = str(match.lastgroup)
            self.tokens.append((kind, match[kind], match.start(kind)))
            position = match.end()
        self.tokens.append(("end", "the end of the formula", len(text.rstrip())))

    def fail(self, message: str, position: int | None = None) -> LessonError:
        position = self.tokens[self.at][2] if position is None else position
        return LessonError(message, line=self.line, column=self.offset + position + 1)

    def column(self) -> int:
        return self.offset + self.tokens[self.at][2] + 1

    def peek(self, *signs: str) -> bool:
        kind, text, _ = self.tokens[self.at]
        return kind == "sign" and text in signs

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1][1]

    def expect(self, sign: str) -> None:
        if not self.peek(sign):
            raise self.fail(f"{sign!r} was expected, not {self.tokens[self.at][1]!r}")
        self.at += 1

    def whole(self) -> Expr:
        result = self.comparison()
        if self.tokens[self.at][0] != "end":
            raise self.fail(f"an operator or the end of the formula was expected, not {self.tokens[self.at][1]!r}")
        return result

    def comparison(self) -> Expr:
        left = self.sum()
        if not self.peek(*COMPARISONS):
            return left
        column, op = self.column(), self.take()
        made = Binary(op, left, self.sum(), column)
        if self.peek(*COMPARISONS):
            raise self.fail("one comparison at a time was expected; join two by '*'")
        return made

    def sum(self) -> Expr:
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise self.fail(f"a formula nested at most {MOST_DEPTH} deep was expected")
        left = self.product()
        while self.peek("+", "-"):
            column, op = self.column(), self.take()
            left = Binary(op, left, self.product(), column)
        self.depth -= 1
        return left

    def product(self) -> Expr:
        left = self.unary()
        while self.peek("*", "/", "@"):
            column, op = self.column(), self.take()
            left = Binary(op, left, self.unary(), column)
        return left

    def unary(self) -> Expr:
        if not self.peek("-"):
            return self.power()
        column = self.column()
        self.take()
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise self.fail(f"a formula nested at most {MOST_DEPTH} deep was expected")
        arg = self.unary()
        self.depth -= 1
        if isinstance(arg, Num):
            return Num(-arg.value, f"-{arg.text}", column)
        return Neg(arg, column)

    def power(self) -> Expr:
        base = self.postfix()
        if not self.peek("**"):
            return base
        column, op = self.column(), self.take()
        return Binary(op, base, self.unary(), column)  # from the right, and tighter than a minus before it

    def postfix(self) -> Expr:
        base = self.atom()
        while self.peek("[", "."):
            column = self.column()
            if self.take() == ".":
                if self.tokens[self.at][1] != "T":
                    raise self.fail(_behind_a_point(base, self.tokens[self.at][1]))
                self.at += 1
                base = Transpose(base, column)
                continue
            items: list[Expr | Slice] = [self.item()]
            while self.peek(","):
                self.take()
                items.append(self.item())
            self.expect("]")
            base = Indexed(base, tuple(items), column)
        return base

    def item(self) -> Expr | Slice:
        if not self.peek(":"):
            if self.tokens[self.at][0] == "label":
                column = self.column()
                return Label(self.take()[1:-1], column)
            first = self.sum()
            if not self.peek(":"):
                return first
            start = self.place(first)
        else:
            start = None
        self.take()
        stop = None if self.peek(":", ",", "]") else self.place(self.sum())
        step = None
        if self.peek(":"):
            self.take()
            step = None if self.peek(",", "]") else self.place(self.sum())
            if step == 0:
                raise self.fail("a slice with a step other than 0 was expected")
        return Slice(start, stop, step)

    def place(self, expr: Expr) -> int:
        if isinstance(expr, Num) and expr.value == int(expr.value):
            return int(expr.value)
        raise self.fail("a slice takes whole numbers")

    def atom(self) -> Expr:
        column = self.column()
        kind, text, _ = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            if abs(float(text)) > 1e12:
                raise self.fail("a number of at most 1e12 was expected")
            return Num(float(text), text, column)
        if kind == "name":
            self.at += 1
            if not self.peek("("):
                return Name(text, column)
            self.take()
            args: list[Expr] = []
            while not self.peek(")"):
                args.append(self.comparison())
                if not self.peek(")", ","):
                    raise self.fail(f"',' or ')' was expected, not {self.tokens[self.at][1]!r}")
                if self.peek(","):
                    self.take()
            self.take()
            return Call(text, tuple(args), column)
        if self.peek("("):
            self.take()
            inside = self.comparison()
            self.expect(")")
            return inside
        aside = "; numbers in a list stand in a table, [tables.NAME]" if text == "[" else ""
        raise self.fail(f"a number, a name or '(' was expected, not {text!r}{aside}")


def parse(text: str, *, line: int = 0, offset: int = 0) -> Expr:
    """The tree of one formula. Raises LessonError with line and column (from 1) and what was expected."""
    expr = _FormulaParser(text, offset, line).whole()
    if _levels(expr) > MOST_LEVELS:
        message = f"a formula of at most {MOST_LEVELS} operations one after the other was expected"
        raise LessonError(message, line=line, column=offset + 1)
    return expr


def children(expr: Expr) -> tuple[Expr, ...]:
    """The formulas that a formula is made of, left to right."""
    match expr:
        case Neg(arg=arg) | Transpose(arg=arg):
            return (arg,)
        case Binary(left=left, right=right):
            return left, right
        case Indexed(base=base, items=items):
            return (base, *(item for item in items if not isinstance(item, Slice)))
        case Call(args=args):
            return args
        case _:
            return ()


def _levels(expr: Expr) -> int:
    """How many levels the tree has. Without recursion, which is what it guards."""
    most, stack = 0, [(expr, 1)]
    while stack:
        current, level = stack.pop()
        most = max(most, level)
        stack += [(child, level + 1) for child in children(current)]
    return most


def parse_steps(text: str) -> tuple[Step, ...]:
    """The assignments of a stage, one a line; `inner` may stand before, a `# caption` behind.

    Lines are counted from 1 inside `text`. Raises LessonError.
    """
    found = []
    for number, raw in enumerate(text.split("\n"), 1):
        body = _BODY.match(raw)[0]  # type: ignore[index]
        caption = raw[len(body) + 1 :]
        if not body.strip():
            if caption.strip():
                raise LessonError("a comment stands behind the step that it captions", line=number, column=1)
            continue
        match = _STEP.match(body)
        if "//" in body:
            raise LessonError("a comment begins with #, not with //", line=number, column=body.index("//") + 1)
        if not match:
            raise LessonError(
                "a step 'name = formula' was expected", line=number, column=len(body) - len(body.lstrip()) + 1
            )
        expr = parse(body[match.end() :], line=number, offset=match.end())
        formula = " ".join(body[match.end() :].split())
        found.append(Step(match["name"], expr, formula, caption.strip(), bool(match["inner"]), number))
    return tuple(found)


def spell(expr: Expr) -> str:
    """A canonical text: the same for formulas that are the same but for blanks and parentheses."""
    match expr:
        case Num(text=text) | Label(text=text):
            return text
        case Name(name=name):
            return name
        case Neg(arg=arg):
            return f"(-{spell(arg)})"
        case Binary(op=op, left=left, right=right):
            return f"({spell(left)} {op} {spell(right)})"
        case Transpose(arg=arg):
            return f"{spell(arg)}.T"
        case Indexed(base=base, items=items):
            return (
                f"{spell(base)}[{','.join(repr(item) if isinstance(item, Slice) else spell(item) for item in items)}]"
            )
        case Call(op=op, args=args):
            return f"{op}({','.join(spell(arg) for arg in args)})"


def walk(expr: Expr, *, indices: bool = True) -> Iterator[Expr]:
    """A formula and everything inside it, in reading order; without `indices`, but for what stands in an index."""
    yield expr
    inside = (expr.base,) if isinstance(expr, Indexed) and not indices else children(expr)
    for child in inside:
        yield from walk(child, indices=indices)


def names(expr: Expr) -> frozenset[str]:
    """The names that a formula reads."""
    return frozenset(part.name for part in walk(expr) if isinstance(part, Name))


def with_parts(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The same formula with something else in place of each part that stands directly in it."""
    match expr:
        case Neg(arg, column):
            return Neg(change(arg), column)
        case Transpose(arg, column):
            return Transpose(change(arg), column)
        case Binary(op, left, right, column):
            return Binary(op, change(left), change(right), column)
        case Indexed(base, items, column):
            return Indexed(
                change(base), tuple(item if isinstance(item, Slice) else change(item) for item in items), column
            )
        case Call(op, args, column):
            return Call(op, tuple(map(change, args)), column)
        case _:
            return expr


def mapped(expr: Expr, change: Callable[[Name], Expr]) -> Expr:
    """The same formula with something else in place of each name."""
    return change(expr) if isinstance(expr, Name) else with_parts(expr, lambda part: mapped(part, change))


def with_calls(expr: Expr, new: Mapping[str, str]) -> Expr:
    """The same formula with other names of operations; names that `new` lacks stay."""
    found = with_parts(expr, lambda part: with_calls(part, new))
    return Call(new.get(found.op, found.op), found.args, found.column) if isinstance(found, Call) else found


def rename(expr: Expr, new: Mapping[str, str]) -> Expr:
    """The same formula over other names; names that `new` lacks stay."""
    return mapped(expr, lambda name: Name(new.get(name.name, name.name), name.column))
