"""The app as it is in a class: on a remote terminal or the server's own, doing nothing to the server's machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import events

from tui_attention.classroom.terminal.driver import RemoteDriver, Routed, put_on_wire, take_crash
from tui_attention.session import Session
from tui_attention.ui.attention import AttentionApp
from tui_attention.ui.painting import Strips

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui_attention.classroom.terminal.remote import RemoteTerminal


class WiredApp(AttentionApp, inherit_bindings=False):
    """An app of a class. Without a terminal of its own it runs on the server's, as any app does."""

    def __init__(
        self,
        session: Session,
        routed: Routed,
        *,
        terminal: RemoteTerminal | None,
        crashed: Callable[[str], object],
        strips: Strips | None = None,
    ) -> None:
        super().__init__(session)
        if strips is not None:
            self.strips = strips
        self.terminal = terminal
        self._crashed = crashed
        routed.route(self)
        if terminal is not None:
            put_on_wire(self, terminal)

    def _on_load(self, event: events.Load) -> None:
        """Signals are the server's, not those of an app on a wire: what `on_load` of the app alone does is left."""
        if self.terminal is not None:
            event.prevent_default()

    def _print_error_renderables(self) -> None:
        # The end of one app is no business of the server's terminal.
        if self.terminal is None:
            super()._print_error_renderables()
        elif told := take_crash(self):
            self._crashed(told)

    def turn_mouse(self) -> bool | None:
        """Turn reports of clicks on or off; None where that is not ours to do."""
        driver: Any = self._driver
        return driver.turn_mouse(not driver.mouse) if isinstance(driver, RemoteDriver) else None
