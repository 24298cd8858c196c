"""A learner for the plain shell: reads what it says, and answers it."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from tui_attention.engine.decimals import printed
from tui_attention.lessons.run import LessonRun, open_run
from tui_attention.options import Options
from tui_attention.plain import run

WIDE = {"COLUMNS": "500"}
NOTHING, NUMBER, SENTENCE, MARK = "> ", "number> ", "sentence> ", "mark> "


def options(lesson: str = "press-h", **more: object) -> Options:
    return replace(Options(lesson=lesson, named=True, save=False, env=WIDE), **more)  # type: ignore[arg-type]


class Learner(io.StringIO):
    """Standard input that answers: `answer(new text, prompt)` gives the next line, None the end."""

    def __init__(self, out: io.StringIO, answer: Callable[[str, str], str | None]) -> None:
        super().__init__()
        self._out = out
        self._answer = answer
        self._read = 0

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        text = self._out.getvalue()
        new, self._read = text[self._read :], len(text)
        body, _, prompt = new.rpartition("\n")
        line = self._answer(body, prompt)
        return "" if line is None else f"{line}\n"


def converse(answer: Callable[[str, str], str | None], opts: Options | None = None) -> str:
    """The whole conversation; it has to end well."""
    out = io.StringIO()
    assert run(opts or options(), Learner(out, answer), out) == 0
    return out.getvalue()


def say(lines: Iterable[str], opts: Options | None = None) -> str:
    """A conversation with these lines, whatever is asked."""
    out = io.StringIO()
    assert run(opts or options(), io.StringIO("".join(f"{line}\n" for line in lines)), out) == 0
    return out.getvalue()


class Blind:
    """Follows only the text: asks `why`, works the line out or looks the cell up, types the number, goes on."""

    def __init__(self, run: LessonRun, *, number: Callable[[str], str] = str) -> None:
        self.run = run
        self.number = number
        self.answered = 0
        self.waits = False
        self.question = ""

    def __call__(self, new: str, prompt: str) -> str | None:
        asked = re.findall(r"^CHECK(?: \d+ of \d+)?\. (.*)$", new, re.MULTILINE)
        self.question = asked[-1] if asked else self.question
        if prompt == NUMBER:
            if not self.waits:
                self.waits = True
                return "why"
            self.waits = False
            self.answered += 1
            return self.number(self.right(new))
        if prompt == SENTENCE:
            return "I would say that it follows from the step before"
        if prompt == MARK:
            return "had"
        assert prompt == NOTHING, prompt
        return "quit" if "This was the last step" in new else "next"

    def right(self, new: str) -> str:
        """The right number: of the cell that `why` names, or of the question that has no cell."""
        if "asks for no single cell" in new:
            return self.formula()
        name = next(line for line in new.split("\n") if " = " in line).partition(" = ")[0]
        graph = self.run.graph
        working = graph.working(*graph.source(*graph.locate(name)))
        return printed(working.cell.value, working.asks)

    def formula(self) -> str:
        """The number of the question that was read last, by its text in the lesson."""
        for stage in self.run.lesson.stages:
            for check in stage.checks:
                if check.value and self.run.text(check.ask) == self.question:
                    working = self.run.check_working(check)
                    assert working is not None
                    return printed(working.cell.value, working.asks)
        raise AssertionError(f"no such question: {self.question}")


def blind(lesson: str, **more: object) -> tuple[Blind, str]:
    follower = Blind(open_run(lesson))
    return follower, converse(follower, options(lesson, **more))
