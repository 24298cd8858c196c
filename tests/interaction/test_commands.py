"""One table of commands: whatever is bound, shown in a footer, typed or printed in the README comes from it."""

from __future__ import annotations

import ast
import inspect
import textwrap

import pytest

from tests.plain.talk import options, say
from tui_attention.interaction import commands
from tui_attention.interaction.command import Command, FrontEnd
from tui_attention.interaction.commands import BY_ID, BY_WORD, COMMANDS, WORDS, readme_table
from tui_attention.interaction.controller import LessonController
from tui_attention.interaction.messages import Reply, notice
from tui_attention.lessons.run import open_run
from tui_attention.plain.commands import LOCAL
from tui_attention.ui.screens.main import MainScreen
from tui_attention.walk.walk import Walk


def test_every_command_has_a_target_and_a_sentence_and_no_two_share_a_key_or_word() -> None:
    assert len(BY_ID) == len(COMMANDS)
    words = [word for command in COMMANDS for word in (command.word, *command.aliases) if word]
    keys = [key for command in COMMANDS for key in command.keys]
    assert len(set(words)) == len(words)
    assert len(set(keys)) == len(keys)
    for command in COMMANDS:
        assert command.local != callable(command.handler), command.id
        assert command.help[:1].isupper(), command.id
        assert command.keys or command.word or command.palette, command.id
        assert bool(command.word) == bool(command.says), command.id
        assert command.help in readme_table() or not (command.shown or command.word), command.id


def test_what_a_front_end_does_by_itself_is_there_in_each_that_names_it() -> None:
    local = [command for command in COMMANDS if isinstance(command.target, FrontEnd)]
    assert {command.target.name for command in local if command.word} == set(LOCAL)  # type: ignore[union-attr]
    keyed = {command.target.name for command in local if command.keys}  # type: ignore[union-attr]
    assert {name for name in keyed if not hasattr(MainScreen, f"action_{name}")} == set()


def test_no_action_of_the_screen_only_hands_on_what_the_core_does() -> None:
    tree = ast.parse(textwrap.dedent(inspect.getsource(MainScreen)))
    actions = {
        node.name.removeprefix("action_")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("action_")
    }
    core = {command.id for command in COMMANDS if not command.local}
    assert actions & core == set()


def greet(core: LessonController, argument: str) -> Reply:
    return notice(f"Hello, {argument or 'you'}.")


def test_a_new_command_is_one_entry_and_its_function(monkeypatch: pytest.MonkeyPatch) -> None:
    hello = Command(
        "hello", greet, "hello", "Say hello", "program", keys=("f9",), shown="F9", word="hello", says="say hello"
    )
    for table, key in ((BY_ID, "hello"), (BY_WORD, "hello")):
        monkeypatch.setitem(table, key, hello)
    monkeypatch.setattr(commands, "COMMANDS", (*COMMANDS, hello))
    monkeypatch.setattr("tui_attention.plain.shell.WORDS", (*WORDS, hello))
    assert LessonController(Walk(open_run("press-h"))).do("hello").messages[0].text == "Hello, you."
    assert "Hello, you." in say(["hello"], options())
    assert "hello: say hello." in say(["help"], options())
    assert "| F9 | hello | Say hello |" in readme_table()
