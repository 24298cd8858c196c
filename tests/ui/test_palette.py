"""The palette: every action by its name."""

from __future__ import annotations

from tests.ui.seated import code, screen_text, seated
from tui_attention.interaction.commands import COMMANDS
from tui_attention.ui.screens.main import MainScreen
from tui_attention.ui.screens.palette import PaletteScreen, entries_of


async def test_it_names_every_action_with_its_key_as_it_is_pressed() -> None:
    async with seated(size=(100, 100)) as (app, pilot):
        await pilot.press("ctrl+p")
        await pilot.pause()
        shown = screen_text(app)
        for entry in entries_of(COMMANDS):
            assert entry.name + (f"  ({entry.key})" if entry.key else "") in shown
        assert len(entries_of(COMMANDS)) == len([key for key in COMMANDS if key.palette])


async def test_what_is_typed_chooses_and_enter_does_it() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("ctrl+p", *"zoom", "enter")
        await pilot.pause()
        assert "copy matrix" in screen_text(app)
        await pilot.press("escape", "ctrl+p", *"nothing of that name")
        await pilot.pause()
        assert "Nothing is called that." in screen_text(app)
        await pilot.press("enter", "escape")
        assert isinstance(app.screen, MainScreen)


async def test_letters_are_searched_for_whatever_they_do_elsewhere() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("ctrl+p", *"quit?", "backspace")
        assert isinstance(app.screen, PaletteScreen)
        assert app.screen.editor.text == "quit"
        await pilot.press("enter")
        assert code(app) == 0


async def test_a_theme_is_chosen_by_its_name() -> None:
    async with seated(stage="flatten") as (app, pilot):
        await pilot.press("ctrl+p", *"theme", "enter", *"nord", "enter")
        await pilot.pause()
        assert app.theme == "nord"
        assert isinstance(app.screen, MainScreen)


async def test_the_list_follows_the_choice_and_a_click_does_it() -> None:
    async with seated(stage="flatten", size=(60, 12)) as (app, pilot):
        await pilot.press("ctrl+p", "pagedown", "pagedown", "pagedown", "pagedown", "pagedown", "up", "up")
        await pilot.pause()
        assert isinstance(app.screen, PaletteScreen)
        last = entries_of(COMMANDS)[app.screen.chosen]
        assert last.says[:20] in screen_text(app)
        await pilot.press(*"help")
        await pilot.pause()
        await pilot.click("#body", offset=(4, 3))
        await pilot.pause()
        assert "All keys" not in screen_text(app)
        assert "help" in screen_text(app).split("\n")[0]
