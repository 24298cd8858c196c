"""The same to plain Textual: dismissed twice, keys on two routes, sizes that chase each other, late input."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import ClassVar

import pytest
from rich.console import RenderableType
from textual import events
from textual.app import App, ComposeResult, ScreenStackError
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from tui_attention.ui.guards.app import GuardedApp
from tui_attention.ui.guards.layer import GuardedLayer, GuardedScreen

ENV = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}


# ---------------------------------------------------------------- dismissed twice


class PlainLayer(ModalScreen[None]):
    pass


class OurLayer(GuardedLayer[None]):
    pass


async def test_textual_still_dismisses_whatever_is_on_top() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        layer = PlainLayer()
        await app.push_screen(layer)
        layer.dismiss()
        with pytest.raises((ScreenStackError, IndexError)):
            layer.dismiss()
        await pilot.pause()


async def test_a_guarded_layer_is_dismissed_once() -> None:
    app: GuardedApp[None] = GuardedApp(ENV)
    async with app.run_test() as pilot:
        below, above = OurLayer(), OurLayer()
        await app.push_screen(below)
        await app.push_screen(above)
        above.dismiss()
        above.dismiss()
        await pilot.pause()
        assert app.screen is below
        below.dismiss()
        below.dismiss()
        await pilot.pause()
        assert len(app.screen_stack) == 1


# ---------------------------------------------------------------- one route for keys


class Typed:
    """Takes letters as text, and `x` as a bound key that takes the last one back."""

    text = ""

    def typed(self, event: events.Key) -> bool:
        if event.key == "x" or not event.character:
            return False
        self.text += event.character
        return True

    def take_back(self) -> None:
        self.text = self.text[:-1]


BACK: list[BindingType] = [Binding("x", "take_back", show=False)]


class PlainTyping(App[None], Typed):
    BINDINGS: ClassVar[list[BindingType]] = BACK

    def compose(self) -> ComposeResult:
        yield Field()

    def action_take_back(self) -> None:
        self.take_back()


class Field(Widget, can_focus=True):
    def on_mount(self) -> None:
        self.focus()

    def on_key(self, event: events.Key) -> None:
        app = self.app
        assert isinstance(app, PlainTyping)
        if app.typed(event):
            event.stop()


class OurTyping(GuardedScreen[None], Typed):
    BINDINGS: ClassVar[list[BindingType]] = BACK

    def take_input(self, event: events.Event) -> bool:
        return isinstance(event, events.Key) and self.typed(event)

    def action_take_back(self) -> None:
        self.take_back()


class OurApp(GuardedApp[None]):
    def __init__(self, main: GuardedScreen[None]) -> None:
        super().__init__(ENV)
        self.main = main

    def get_default_screen(self) -> Screen[None]:
        return self.main


BURST = "baxck"


async def test_textual_still_lets_a_bound_key_be_overtaken() -> None:
    app = PlainTyping()
    async with app.run_test() as pilot:
        await pilot.pause()
        for key in BURST:
            app.simulate_key(key)
        await pilot.pause()
        await pilot.pause()
        assert app.text != "bck"


async def test_keys_are_done_with_in_their_order() -> None:
    screen = OurTyping()
    app = OurApp(screen)
    async with app.run_test() as pilot:
        await pilot.pause()
        for key in BURST * 20:
            app.simulate_key(key)
        await pilot.pause()
        assert screen.text == "bck" * 20


class SlowTyping(OurTyping):
    """Takes a while for each key, and shows what was typed."""

    def compose(self) -> ComposeResult:
        yield Static(id="typed")

    def take_input(self, event: events.Event) -> bool:
        time.sleep(0.01)
        return super().take_input(event)

    def draw(self) -> None:
        self.query_one("#typed", Static).update(self.text)


async def test_keys_in_a_row_do_not_keep_the_screen_from_being_painted() -> None:
    screen = SlowTyping()
    app = OurApp(screen)
    async with app.run_test() as pilot:
        await pilot.pause(0.1)
        painted: list[int] = []
        display = app._display

        def counted(top: Screen[object], update: RenderableType | None) -> None:
            if update is not None and top is screen:
                painted.append(len(screen.text))
            display(top, update)

        app._display = counted  # type: ignore[method-assign, assignment]
        for _ in range(60):
            app.simulate_key("a")
        while len(screen.text) < 60:
            await asyncio.sleep(0.01)
        assert len([typed for typed in painted if typed < 60]) >= 3


# ---------------------------------------------------------------- a screen that is not there yet


class SlowLayer(GuardedLayer[None]):
    """Comes only when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.got = ""
        self.may_come = asyncio.Event()

    async def _on_compose(self) -> None:  # type: ignore[override, unused-ignore]
        await self.may_come.wait()

    def take_input(self, event: events.Event) -> bool:
        if isinstance(event, events.Key) and event.character:
            assert self.is_laid_out
            assert self.size.width
            self.got += event.character
            return True
        return False


async def test_keys_wait_for_a_screen_that_is_not_laid_out_and_keep_their_order() -> None:
    main = OurTyping()
    app = OurApp(main)
    async with app.run_test() as pilot:
        await pilot.pause()
        layer = SlowLayer()
        app.push_screen(layer)
        for key in "abcdef":
            app.simulate_key(key)
        await asyncio.sleep(0.05)
        assert layer.got == ""
        layer.may_come.set()
        while not layer.is_laid_out:
            await asyncio.sleep(0.01)
        for key in "ghi":
            app.simulate_key(key)
        await pilot.pause()
        assert layer.got == "abcdefghi"
        assert main.text == ""


# ---------------------------------------------------------------- leaving


async def test_once_leaving_has_begun_no_key_and_no_size_reaches_a_screen() -> None:
    screen = OurTyping()
    app = OurApp(screen)
    async with app.run_test() as pilot:
        await pilot.pause()
        sizes: list[events.Resize] = []
        screen.on_resize = sizes.append  # type: ignore[method-assign, assignment]
        app.exit()
        app.simulate_key("a")
        app.post_message(events.Resize(app.size, app.size))
        await pilot.pause()
        assert screen.text == ""
        assert sizes == []


async def test_a_screen_whose_widgets_are_being_taken_away_is_not_drawn() -> None:
    """What waited for a layer comes when it is laid out; by then the app may have begun to take its screens away."""
    drawn = 0

    class Screenful(OurTyping):
        def draw(self) -> None:
            nonlocal drawn
            drawn += 1

    app = OurApp(Screenful())
    taken: list[int] = []

    async def close_all() -> None:
        before = drawn
        app._held.append(events.Key("a", "a"))
        await app.on_laid_out()
        app.on_idle()
        taken.append(drawn - before)
        await closed()

    closed = app._close_all
    app._close_all = close_all  # type: ignore[method-assign]
    async with app.run_test() as pilot:
        await pilot.pause()
        app._drawn = 0.0
    assert taken == [0]
    assert drawn > 0


async def test_what_a_layer_answers_is_not_heard_once_leaving_has_begun() -> None:
    heard: list[None] = []
    app = OurApp(OurTyping())
    async with app.run_test() as pilot:
        for leaving in (False, True):
            layer = OurLayer()
            await app.push_screen(layer, heard.append)
            await pilot.pause()
            layer.dismiss()
            if leaving:
                app.exit()
            await pilot.pause()
    assert heard == [None]


async def test_once_leaving_has_begun_nothing_is_drawn() -> None:
    """The widgets of a screen are taken away before it: to draw them would end the app with an error."""
    app = OurApp(OurTyping())
    async with app.run_test() as pilot:
        layer = OurLayer()
        await app.push_screen(layer)
        await pilot.pause()
        layer.draw = lambda: pytest.fail("it is drawn")  # type: ignore[method-assign]
        app.exit()
        layer.stale = True
        assert not layer.draw_if_stale()
        await pilot.pause()


# ---------------------------------------------------------------- sizes


MANY = 10
CHASE = f"""
import asyncio, os
from textual import events
from textual.app import App
from textual.screen import Screen

class Plain(Screen):
    sizes = 0
    def on_resize(self):
        self.sizes += 1
        if self.sizes > {MANY}:
            os._exit(7)  # it would go on for ever

class PlainApp(App):
    def get_default_screen(self):
        return plain

async def main():
    async with PlainApp().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        pilot.app._begin_batch()
        plain.sizes = 0
        for height in (20, 22):
            size = pilot.app.size.with_height(height)
            plain.post_message(events.Resize(size, size))
            plain.call_later(lambda: None)
        await asyncio.sleep(20)
        os._exit(0)

plain = Plain()
asyncio.run(main())
"""


def test_textual_still_chases_two_sizes() -> None:
    done = subprocess.run([sys.executable, "-c", CHASE], check=False, timeout=60, capture_output=True)
    assert done.returncode == 7, done.stderr[-500:]


async def test_a_guarded_screen_takes_the_size_that_the_terminal_has() -> None:
    laid_out: list[Size | None] = []

    class Ours(GuardedScreen[None]):
        def _refresh_layout(self, size: Size | None = None, scroll: bool = False) -> None:
            laid_out.append(size)
            super()._refresh_layout(size, scroll)

    screen = Ours()
    app = OurApp(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        laid_out.clear()
        app._begin_batch()
        for height in (20, 22):
            size = app.size.with_height(height)
            screen.post_message(events.Resize(size, size))
            screen.call_later(lambda: None)
        await asyncio.sleep(0.2)
        app._end_batch()
        assert not [size for size in laid_out if size is not None and size.height != 24]


async def _after_an_old_size(app: App[None]) -> Size:
    """The size of the screen, where one that it told itself before comes behind the terminal's newest."""
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        new, old = Size(100, 30), Size(60, 20)
        app._size = new
        app.screen.post_message(events.Resize(new, new))
        app.screen.post_message(events.Resize(old, old))
        await pilot.pause()
        await pilot.pause()
        return app.screen.outer_size


async def test_textual_still_takes_an_old_size_for_the_newest() -> None:
    assert await _after_an_old_size(App()) == Size(60, 20)


async def test_a_guarded_screen_loses_no_size() -> None:
    assert await _after_an_old_size(OurApp(OurTyping())) == Size(100, 30)


async def _drawn_after_a_size_for_a_moment(app: App[None]) -> int:
    """How often something is drawn when the terminal is larger for a moment that is too short to tell the screen."""
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.1)
        before, larger, drawn = app.size, Size(100, 30), 0
        display = app._display

        def counted(screen: Screen[object], update: RenderableType | None) -> None:
            nonlocal drawn
            drawn += update is not None
            display(screen, update)

        app._display = counted  # type: ignore[method-assign, assignment]
        app.post_message(events.Resize(larger, larger))
        while app.size != larger:
            await asyncio.sleep(0)
        app.post_message(events.Resize(before, before))
        await pilot.pause(0.1)
        return drawn


async def test_textual_still_draws_nothing_after_a_size_for_a_moment() -> None:
    assert await _drawn_after_a_size_for_a_moment(App()) == 0


async def test_a_guarded_app_draws_itself_anew_after_a_size_for_a_moment() -> None:
    assert await _drawn_after_a_size_for_a_moment(OurApp(OurTyping())) > 0
