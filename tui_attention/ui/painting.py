"""What every widget paints with: the styles of the theme at hand, and the ASCII fold where that is all there is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.segment import Segment
from textual.app import ReturnType
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip
from textual.theme import Theme

from tui_attention.output import speaks_unicode
from tui_attention.render.glyphs import ascii_text
from tui_attention.ui.colours import Styles, styles_of
from tui_attention.ui.guards.app import GuardedApp


class Strips:
    """Painted rows, made once for all apps that paint alike: what is in each is kept, and the oldest goes first."""

    most = 2000

    def __init__(self) -> None:
        self._kept: dict[object, Strip] = {}

    def get(self, key: object) -> Strip | None:
        """The strip that was kept under a key."""
        return self._kept.get(key)

    def keep(self, key: object, strip: Strip) -> None:
        """Keep one more."""
        if len(self._kept) >= self.most:
            del self._kept[next(iter(self._kept))]
        self._kept[key] = strip


class PaintedApp(GuardedApp[ReturnType]):
    """An app with the styles of its theme. `speaks_unicode` is whether the terminal has more than ASCII.

    `strips` are the rows that were painted, which apps of one process may share; `paint_kind` is what tells apart
    those that paint the same row in another way.
    """

    def __init__(self, env: Mapping[str, str], **options: Any) -> None:
        super().__init__(env, **options)
        self.speaks_unicode = speaks_unicode(env)
        if not self.speaks_unicode:
            self._filters.append(AsciiOnly())
        self.text_styles: Styles = {}
        self.strips = Strips()
        self.paint_kind: tuple[str, str, bool] = ("", "", True)

    def use_styles(self, theme: Theme) -> None:
        """The styles of a theme from now on."""
        self.text_styles = styles_of(theme, colourless=self.policy.colours == "none")
        self.paint_kind = theme.name, self.policy.colours, self.speaks_unicode


class AsciiOnly(LineFilter):
    """Every mark in ASCII, whoever drew it: the one fold, where the screen goes out."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(ascii_text(text), style, control) for text, style, control in segments]
