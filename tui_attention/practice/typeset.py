"""A paper as Typst markup, and as a PDF. The only place that imports typst, which needs no LaTeX and no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tui_attention.engine.errors import BadInput
from tui_attention.judge.promise import PROMISE
from tui_attention.practice.paper import BLANK, Paper, PaperQuestion, PaperStage, PaperTable

if TYPE_CHECKING:
    import typst

SIZES = ("a4", "letter")
_TYPST_SIZE = {"a4": "a4", "letter": "us-letter"}
_WIDE = 14
"""Columns of a table, at most, that stand side by side on a page; a wider one is broken."""
_PART = 12
"""Columns of a part of such a table: two groups of six, as on the screen, so that no head is cut in two."""
_SENTENCE_LINES = 3

_HEAD = r"""
#set document(title: @TITLE@, date: none)
#set page(paper: @SIZE@, margin: (x: 1.7cm, top: 1.5cm, bottom: 1.6cm), footer: context [
  #set text(8pt)
  @FOOT@ #h(1fr) #counter(page).display("1 / 1", both: true)
])
#set text(font: "Libertinus Serif", size: 10pt, number-width: "tabular", lang: "en")
#set par(justify: false, leading: 0.55em)
#set heading(numbering: none)
#show heading.where(level: 1): set text(14pt)
#show heading.where(level: 2): set text(11pt)
#show heading.where(level: 2): it => block(above: 1.1em, below: 0.6em, sticky: true, it)
#let rule(width) = box(width: width, height: 0.8em, stroke: (bottom: 0.4pt))
#let gap = box(width: 1.12cm, height: 0.66cm, stroke: (bottom: 0.4pt))
#let small(body) = text(size: 8.5pt, body)
#let numbers(title, columns, ..cells) = block(breakable: false, above: 0.7em, below: 0.7em, stack(
  spacing: 0.35em, title,
  table(columns: columns, align: (x, y) => if x == 0 { left } else { right } + horizon, stroke: none,
    inset: (x: 3.5pt, y: 2.5pt), table.hline(y: 1, stroke: 0.4pt), table.vline(x: 1, stroke: 0.4pt), ..cells),
))
"""


def pdf(paper: Paper, size: str = "a4") -> bytes:
    """The paper as a PDF, the same bytes whenever it is made. Raises BadInput where typst is not installed."""
    installed()
    import typst

    compiler = typst.Compiler(markup(paper, size).encode(), font_paths=_fonts(), ignore_system_fonts=True)
    made = compiler.compile(format="pdf", timestamp=0, pdf_tags=False)  # on paper nobody hears the tags
    if not isinstance(made, bytes):
        raise BadInput("typst gave no PDF")
    return made


def installed() -> None:
    """Raises BadInput where typst is not installed."""
    if find_spec("typst") is None:
        raise BadInput("a PDF needs typst: pip install '.[paper]'; --text writes plain text without it")


def _fonts() -> typst.Fonts:
    """Those that typst brings along: the same on every machine."""
    import typst

    return typst.Fonts(include_system_fonts=False)


def markup(paper: Paper, size: str = "a4") -> str:
    """The paper as a Typst document. Raises BadInput for a size of paper that is not known."""
    if size not in SIZES:
        raise BadInput(f"the paper is {size[:20]!r}; it should be {' or '.join(SIZES)}")
    variant = f"variant {paper.variant}" if paper.variant else "the lesson's own numbers"
    kind = "key and marking guide" if paper.key else "worksheet"
    foot = f"{paper.lesson}, {variant}, {kind}"
    head = _HEAD.replace("@TITLE@", _string(f"{paper.title}: {kind}")).replace("@SIZE@", _string(_TYPST_SIZE[size]))
    parts = [head.replace("@FOOT@", _text(foot)), *_top(paper, variant, kind)]
    if paper.given:
        parts += ["== Given", *_beside(paper.given)]
    for stage in paper.stages:
        parts += _stage(stage, key=paper.key)
    return "\n".join(parts) + "\n"


def _top(paper: Paper, variant: str, kind: str) -> Iterator[str]:
    yield f"= {_text(paper.title)}"
    yield f"#grid(columns: (1fr, auto), align: (left, right), {_content(variant)}, strong[{_text(kind)}])"
    if not paper.key:
        yield "#v(0.2em)\nName #rule(8cm) #h(1em) Date #rule(3.5cm)\n"
    yield " #h(1.5em) ".join(map(_text, paper.about)) + "\n"
    if not paper.key:
        yield _text(f"{PROMISE} Where an address such as a[2] stands in a question, your own number belongs there.")


def _stage(stage: PaperStage, *, key: bool) -> Iterator[str]:
    if not stage.steps and not stage.questions:
        return
    yield f"== {_text(stage.title)}"
    for step in stage.steps:
        caption = f" #h(0.6em) #small[{_text(step.caption)}]" if step.caption else ""
        shapes = f" #h(1fr) #small[{_text(step.shapes)}]" if step.shapes else ""
        sticky = "true" if step.tables else "false"
        yield f"#block(sticky: {sticky}, above: 0.7em, below: 0.5em)[*{_text(step.formula)}*{caption}{shapes}]"
        yield from _beside(step.tables, titles=len(step.tables) > 1)
    for question in stage.questions:
        yield _key(question) if key else _asked(question)


def _asked(question: PaperQuestion) -> str:
    """A CHECK with room for the pencil."""
    ask = f"*{question.number}.* {_text(question.ask)}"
    if question.decimals is None:
        lines = "".join("#v(0.75em)#line(length: 100%, stroke: 0.3pt)" for _ in range(_SENTENCE_LINES))
        return f"#block(breakable: false, above: 0.9em, below: 0.9em)[{ask}\n{lines}]"
    room = f"#h(1fr) #small[{_text(_decimals(question.decimals))}] #h(0.5em) #rule(3.2cm)"
    return f"#block(breakable: false, above: 0.9em, below: 0.9em)[{ask}\n#v({_height(question.room)})\n{room}]"


def _height(lines: int) -> str:
    """Room for so many lines of handwriting, beside that left of the answer."""
    return f"{0.3 + 0.65 * lines:.2f}cm"


def _decimals(count: int) -> str:
    return "a whole number" if count == 0 else f"{count} decimal{'s' if count > 1 else ''}"


def _key(question: PaperQuestion) -> str:
    """A CHECK answered: the pencil line and its number, what else counts, and the mistakes behind wrong numbers."""
    lines = [f"*{question.number}.* {_text(question.ask)}"]
    if question.decimals is None:
        lines.append(f"#pad(left: 1.2em)[{_text(question.answer)}]")
    else:
        worked = f"{_text(question.line)} = " if question.line else ""
        also = f" #h(0.8em) #small[also right: {_text(question.also)}]" if question.also else ""
        lines.append(f"#pad(left: 1.2em)[{worked}*{_text(question.answer)}*{also}]")
    if question.mistakes:
        rows = ", ".join(f"{_content(slip.number)}, {_content(slip.says)}" for slip in question.mistakes)
        lines.append(
            "#pad(left: 1.2em, text(size: 8.5pt, grid(columns: (1.6cm, 1fr), align: (right, left), "
            f"inset: (x: 4pt, y: 2pt), {rows})))"
        )
    return "#block(above: 0.8em, below: 0.8em, breakable: false)[" + "\n\n".join(lines) + "]"


# ---------------------------------------------------------------- tables


def _beside(tables: Iterable[PaperTable], *, titles: bool = True) -> Iterator[str]:
    """Tables, side by side where they are narrow; a table that is too wide is broken into parts."""
    parts = [part for table in tables for part in _parts(table)]
    row: list[PaperTable] = []
    for part in parts:
        if row and sum(len(one.columns) + 2 for one in (*row, part)) > _WIDE + 3:
            yield _row(row, titles)
            row = []
        row.append(part)
    if row:
        yield _row(row, titles)


def _row(tables: list[PaperTable], titles: bool) -> str:
    made = [_table(table, titles) for table in tables]
    if len(made) == 1:
        return "#" + made[0]
    return f"#grid(columns: {len(made)}, column-gutter: 1.2em, row-gutter: 0.6em, {', '.join(made)})"


def _parts(table: PaperTable) -> Iterator[PaperTable]:
    """The table, or, where a page is too narrow for it, its parts, each with its heads and labels."""
    count = len(table.columns)
    if count <= _WIDE:
        yield table
        return
    for start in range(0, count, _PART):
        end = min(start + _PART, count)
        yield PaperTable(
            table.name,
            f"{table.title}, {table.corner} {table.columns[start]} to {table.columns[end - 1]}",
            table.corner,
            table.columns[start:end],
            table.labels,
            tuple(row[start:end] for row in table.rows),
        )


def _table(table: PaperTable, titles: bool) -> str:
    title = f"[*{_text(table.name)}* #small[{_text(table.title)}]]" if titles else "[]"
    cells = [f"[#small[{_text(table.corner)}]]", *(f"[#small[{_text(head)}]]" for head in table.columns)]
    for label, row in zip(table.labels, table.rows, strict=True):
        cells.append(f"[{_text(label or table.name)}]")
        cells += ["gap" if text == BLANK else _content(text) for text in row]
    return f"numbers({title}, {len(table.columns) + 1}, {', '.join(cells)})"


# ---------------------------------------------------------------- text


def _string(text: str) -> str:
    """A string of Typst's."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _content(text: str) -> str:
    return f"[{_text(text)}]"


def _text(text: str) -> str:
    """Text that stands for itself: nothing in it is markup."""
    return f"#{_string(text)}" if text else ""
