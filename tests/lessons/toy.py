"""A small lesson for tests, put together from pieces of TOML."""

from __future__ import annotations

from tui_attention.engine.graph import Graph
from tui_attention.lessons.load import read
from tui_attention.lessons.run import LessonRun

HEAD = """
format = 1
id = "toy"
title = "toy"
[vocabulary]
marks = ["a", "b", " "]
[inputs]
prompt = "ab"
"""
TABLE = """
[tables.E]
axes = ["mark", "coordinate"]
rows = ["a", "b", " "]
prints = 2
values = [[0.25, -0.50, 0.10], [1.00, 0.00, -0.10], [0.05, -0.00, 0.30]]
"""
STAGE = """
[[stage]]
id = "one"
title = "one"
wall = "A wall with {x[0,1]}."
steps = '''
x = E[tokens(prompt)]      # look it up
y = x * 2                  # twice
'''
[[stage.check]]
ask = "How much is twice {x[0,0]}?"
cell = "y[0,0]"
"""
TOY = HEAD + TABLE + STAGE


def steps(*lines: str, name: str = "one") -> str:
    """A lesson of one stage with these steps."""
    written = "\n".join(lines)
    return f"{HEAD}{TABLE}\n[[stage]]\nid = '{name}'\ntitle = 'one'\nsteps = '''\n{written}\n'''\n"


def run(toml: str, prompt: str | None = None) -> LessonRun:
    lesson = read(toml.encode(), "toy.toml")
    return LessonRun(lesson, Graph(lesson.program, lesson.program.inputs.changed(prompt)))
