"""The command palette, and what random keys found in it."""

from __future__ import annotations

from rich.style import Style
from textual.events import Click

from tests.ui.seated import seated
from tui_attention.ui.guarded import Palette, PaletteCommands
from tui_attention.ui.keys import KEYS


async def test_it_names_every_action_with_its_key_as_it_is_pressed() -> None:
    async with seated() as (app, _):
        titles = {command.title for command in app.get_system_commands(app.screen)}
        assert {"Copy cell  (y)", "Copy matrix  (Y)", "Theme"} <= titles
        assert len(titles) == len([key for key in KEYS if key.palette])


async def test_it_opens_again_while_the_last_one_is_being_taken_away() -> None:
    async with seated() as (app, pilot):
        app.action_command_palette()
        await pilot.pause()
        first = app.screen
        assert isinstance(first, Palette)
        first.dismiss()
        app.action_command_palette()
        await pilot.pause()
        assert isinstance(app.screen, Palette)
        assert app.screen is not first
        app.action_command_palette()
        assert len(app.screen_stack) == 2


async def test_a_click_on_a_command_that_has_gone_does_nothing() -> None:
    async with seated() as (app, pilot):
        app.action_command_palette()
        await pilot.pause(0.2)
        commands = app.screen.query_one(PaletteCommands)
        gone = Style(meta={"option": commands.option_count + 100})
        commands.post_message(Click(commands, 1, 1, 0, 0, 1, False, False, False, style=gone))
        await pilot.pause()
        assert isinstance(app.screen, Palette)


async def test_what_it_runs_has_nothing_above_it() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("question_mark")
        app.action_command_palette()
        await pilot.pause()
        app.screen.dismiss()
        for command in app.get_system_commands(app.screen):
            if command.title.startswith("Help"):
                command.callback()
        await pilot.pause()
        assert len(app.screen_stack) == 2
