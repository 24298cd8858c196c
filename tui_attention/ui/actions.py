"""What each key of the table does. One method for each id."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from tui_attention.engine.errors import BadInput
from tui_attention.render.answer_panel import Said
from tui_attention.render.rows import Link
from tui_attention.walk.places import Place

if TYPE_CHECKING:
    from tui_attention.ui.screens.main import MainScreen
    from tui_attention.ui.seat import Seat
    from tui_attention.walk.events import Change


class Actions:
    """The actions of the lesson's screen, by the ids of the table of keys."""

    def __init__(self, screen: MainScreen) -> None:
        self.screen = screen
        self._asked_to_quit = False

    @property
    def seat(self) -> Seat:
        return self.screen.seat

    def run(self, action: str) -> None:
        """Do one action and draw what has changed."""
        if action != "interrupt":
            self.go_on()
        known = getattr(self, f"do_{action}", None)
        if known is None:
            raise KeyError(action)
        known()
        if self.screen.is_attached:
            self.screen.draw()

    def go_on(self) -> None:
        """Something else than a second Ctrl+C: the next one asks again."""
        self._asked_to_quit = False

    def follow(self, link: Link) -> None:
        """A click on something that does something."""
        match link:
            case Link("stage", number):
                self._walk(partial(self.seat.walk.move, Place(int(number))))
                self.screen.remove_class("-in-tree")
                self.screen.panel.focus()
            case Link("mark", key):
                self.seat.mark(key)
            case Link(action, _):
                self.run(action)
        self.screen.draw()

    # ------------------------------------------------------------ walking

    def _walk(self, move: Callable[[], Change]) -> None:
        wish = self.seat.go(move)
        self.screen.follow = not wish
        self.screen.chosen = self.seat.walk.place.stage
        if wish == "end":
            self.screen.attention.open_end()
        self.screen.attention.measure(self.seat)

    def do_next(self) -> None:
        self._walk(self.seat.walk.next)

    def do_back(self) -> None:
        self._walk(self.seat.walk.back)

    def do_next_stage(self) -> None:
        self._walk(self.seat.walk.next_stage)

    def do_back_stage(self) -> None:
        self._walk(self.seat.walk.back_stage)

    def do_goto(self) -> None:
        self.seat.open("goto")

    def do_pane(self) -> None:
        screen = self.screen
        screen.chosen = self.seat.walk.place.stage
        to_tree = not screen.in_tree
        screen.set_class(to_tree and screen.has_class("-narrow"), "-in-tree")
        (screen.pipeline if to_tree else screen.panel).focus()

    # ------------------------------------------------------------ answering

    def do_answer(self) -> None:
        if self.screen.in_tree:
            self.follow(Link("stage", str(self.screen.chosen)))
            return
        if self.seat.marking:
            return
        if self.seat.enter() == "working":
            self.screen.attention.open_working()
        else:
            self.screen.show_cursor()

    def do_submit(self) -> None:
        walk = self.seat.walk
        place, run = walk.place, walk.run
        self.seat.submit()
        if walk.place != place or walk.run is not run:
            self.screen.follow = walk.place != place
            self.screen.chosen = walk.place.stage
            self.screen.attention.measure(self.seat)

    def do_hint(self) -> None:
        self.seat.hint()

    def do_reveal(self) -> None:
        self.seat.reveal()

    def do_keep(self) -> None:
        self.seat.keep()

    def do_cover(self) -> None:
        self.seat.walk.toggle_cover()
        self.seat.hush()
        self.seat.changed()

    def do_ledger(self) -> None:
        self.screen.attention.open_ledger()

    # ------------------------------------------------------------ numbers and dials

    def do_digits(self) -> None:
        self.seat.digits()
        self.screen.attention.remember("digits", self.seat.walk.digits)

    def do_zoom(self) -> None:
        self.screen.attention.open_zoom()

    def do_copy_cell(self) -> None:
        self._copy(self.seat.cell_text())

    def do_copy_matrix(self) -> None:
        self._copy(self.seat.matrix_text())

    def _copy(self, text: str) -> None:
        if not text:
            self.seat.said = (Said("There is no number here to copy."),)
            return
        self.screen.app.copy_to_clipboard(text)
        first, _, rest = text.partition("\n")
        self.seat.said = (Said(f"Copied: {first}" if not rest else f"Copied: {rest.count(chr(10)) + 2} rows"),)

    def do_turn(self) -> None:
        self.seat.turn()

    def do_undo(self) -> None:
        self.seat.undo()

    def do_prompt(self) -> None:
        self.seat.edit_input("prompt")

    def do_other(self) -> None:
        self.seat.edit_input("other")

    def do_ticket(self) -> None:
        self.seat.edit_input("ticket")

    # ------------------------------------------------------------ reading

    def do_scroll_up(self) -> None:
        self.screen.scroll(-self.screen.page())

    def do_scroll_down(self) -> None:
        self.screen.scroll(self.screen.page())

    def do_glossary(self) -> None:
        self.screen.attention.open_glossary()

    def do_lessons(self) -> None:
        self.screen.attention.open_lessons()

    def do_help(self) -> None:
        self.screen.attention.open_help()

    # ------------------------------------------------------------ program

    def do_save(self) -> None:
        try:
            says = self.screen.attention.save_stage()
        except (OSError, BadInput) as error:
            says = f"Not saved: {error}"
        self.seat.said = (Said(says),)

    def do_theme(self) -> None:
        self.screen.app.search_themes()

    def do_palette(self) -> None:
        self.screen.app.action_command_palette()

    def do_quit(self) -> None:
        self.screen.app.exit(return_code=0)

    def do_interrupt(self) -> None:
        selected = self.screen.get_selected_text()
        if selected:
            self.screen.app.copy_to_clipboard(selected)
            self.screen.clear_selection()
            self.seat.said = (Said("Copied."),)
        elif self._asked_to_quit:
            self.screen.app.exit(return_code=130)
        else:
            self._asked_to_quit = True
            self.seat.said = (Said("Ctrl+C once more quits; any other key goes on."),)

    def do_escape(self) -> None:
        if self.seat.editor is not None:
            self.seat.close()
        elif self.screen.in_tree:
            self.do_pane()
        else:
            self.screen.clear_selection()
            self.seat.hush()
            self.seat.keep_cursor()
