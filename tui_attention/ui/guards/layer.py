"""Screens that take their input from `GuardedApp`, and are dismissed once.

What it guards against in Textual 8.2.8:

- `dismiss` takes away whatever screen is on top: Enter and Escape in one burst dismiss a screen twice, and the second
  time takes the one below, or raises ScreenStackError and ends the app (Textualize/textual#2575 and #4884).
- A screen that gets two sizes with anything between them lays itself out for both in turn, tells itself of each, and
  never comes to an end while the app does; and a size that it has told itself takes the place of a newer one that the
  terminal has sent, so that the screen stays blank or torn (no report found). Here every size counts as the one that
  the terminal has now.
- A cache of the background's styles counts the painted rows of each widget as its own: those of the last thousand
  widgets, a megabyte for each app of a process, stay after the app has ended (no report found). What is empty is
  painted here without it.
"""

from __future__ import annotations

from typing import Any, Final

from textual import events
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.geometry import Region
from textual.message import Message
from textual.screen import Screen, ScreenResultType
from textual.strip import Strip
from textual.widget import Widget

AT_LATEST: Final = 0.5
"""Seconds after which a screen counts as laid out, whatever became of its first frame."""


def is_leaving(app: App[Any]) -> bool:
    """Whether the app has been told to end or ends: nothing is typed, resized or drawn from then on.

    While Textual takes the screens away, widget by widget, an app is no longer running and not yet closing.
    """
    return app._exit or app._closing or app._closed or not app._running


class LaidOut(Message, bubble=False):
    """Sent to the app by a screen whose widgets have their sizes: what was typed for it meanwhile may come."""


class Blank(Widget):
    """Nothing but its background."""

    def render_lines(self, crop: Region) -> list[Strip]:
        strip = Strip.blank(crop.width, self.visual_style.rich_style)
        for each in self.get_line_filters():
            strip = strip.apply_filter(each, self.background_colors[1])
        return [strip] * crop.height


class GuardedScreen(Blank, Screen[ScreenResultType]):
    """A screen that `GuardedApp` gives its keys to, one by one, and that draws when nothing else is waiting."""

    stale = False
    """Whether something has changed since it was drawn."""
    is_laid_out = False
    """Whether its widgets have their sizes."""

    def take_input(self, event: events.Event) -> bool:
        """A key that is text rather than a binding, or a paste; True where it is one. Drawn afterwards, not here."""
        return False

    def is_text(self, burst: str) -> bool:
        """Whether letters that arrived at once are a text here, and no keys."""
        return False

    def after_input(self) -> None:
        """A key or a paste has been dealt with, its action done."""

    def draw(self) -> None:
        """Bring every widget up to date. Only draws."""

    def redraw(self) -> None:
        """Something has changed: drawn once all that is waiting has been done."""
        self.stale = True
        self.check_idle()

    def on_idle(self) -> None:
        self.draw_if_stale()

    def draw_if_stale(self) -> bool:
        """Whether there was something to draw, and a screen for it: while leaving, its widgets are taken away."""
        if not (self.stale and self.is_laid_out and self.is_current) or is_leaving(self.app):
            return False
        self.stale = False
        self.draw()
        return True

    def on_mount(self) -> None:
        self.call_after_refresh(self._laid_out)
        self.set_timer(AT_LATEST, self._laid_out)

    def on_screen_resume(self) -> None:
        self.redraw()

    def _laid_out(self) -> None:
        if not self.is_laid_out:
            self.is_laid_out = True
            self.redraw()
            self.app.post_message(LaidOut())

    def on_resize(self, event: events.Resize) -> None:
        if is_leaving(self.app):
            event.stop()
            event.prevent_default()
        elif event.size != self.app.size:  # it may have taken the place of the true one: the true one it becomes
            event.size = event.virtual_size = event.container_size = self.app.size


class GuardedLayer(GuardedScreen[ScreenResultType]):
    """A screen above another that dismisses itself: once."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        if self.app.screen is not self:
            done: AwaitComplete = AwaitComplete.nothing()  # type: ignore[no-untyped-call]
            return done
        return super().dismiss(result)
