"""The screen of a lesson: it turns keys into what the learner does at the seat, and shows the seat."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Final

from textual import events, getters
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.interaction.command import Command, FrontEnd
from tui_attention.interaction.commands import BY_ID, COMMANDS
from tui_attention.interaction.messages import Reply
from tui_attention.render.pipeline import branches, tree_width
from tui_attention.render.rows import CellKey, Link
from tui_attention.session import Session
from tui_attention.ui.ahead import LookAhead
from tui_attention.ui.beside import Beside
from tui_attention.ui.drafts import Drafts
from tui_attention.ui.editor import MOST, Editor, opens_answer
from tui_attention.ui.guards.keyboard import EscapeTakenBack
from tui_attention.ui.guards.layer import Blank
from tui_attention.ui.lines import Lines
from tui_attention.ui.meant import Meant
from tui_attention.ui.parts import FooterLine, HeaderLine, Pipeline, StagePanel
from tui_attention.ui.reviewing import LOOK_AFTER, Reviewing
from tui_attention.ui.screens.layer import too_small
from tui_attention.ui.screens.ways import Ways
from tui_attention.walk.places import Place

NARROW: Final = 62
"""Below this many columns the tree folds away."""
LEAST: Final = (40, 12)
ARROWS: Final = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def _action(command: Command) -> str:
    """Textual's name for what does a command: the screen's own action, or the core."""
    return command.target.name if isinstance(command.target, FrontEnd) else f"perform('{command.id}')"


class MainScreen(Ways):
    """Header, pipeline, stage panel, footer."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(key.keys), _action(key), key.short, id=key.id, tooltip=key.tooltip, show=False)
        for key in COMMANDS
        if key.keys
    ]

    header = getters.query_one("#header", HeaderLine)
    pipeline = getters.query_one("#tree", Pipeline)
    panel = getters.query_one("#panel", StagePanel)
    footer = getters.query_one("#footer", FooterLine)
    small = getters.query_one("#small", Lines)

    def __init__(self, session: Session, *, ascii: bool = False) -> None:
        super().__init__()
        self.session = session
        self.ascii = ascii
        self.seat = self.seated(session.walk)
        self.ahead = LookAhead(self)
        self.beside = Beside(self)
        self.reviewing = Reviewing(self)
        self.drafts = Drafts(session)
        self.in_tree = False
        """Whether arrows and Enter belong to the tree of stages."""
        self.chosen = self.seat.walk.place.stage
        self.meant = Meant(self.set_timer, self.do, self.after_input)
        self._saves = False
        self._escaped: Editor | None = None

    def notes(self) -> str:
        """What the header says beside the state of the lesson."""
        return self.reviewing.label()

    def compose(self) -> ComposeResult:
        yield HeaderLine(id="header")
        with Blank(id="middle"):
            yield Pipeline(id="tree")
            yield StagePanel(id="panel")
        yield FooterLine(id="footer")
        yield Lines(id="small")

    def on_mount(self) -> None:
        self.drafts.take_up(self.seat)
        self.arrived()
        self.set_timer(LOOK_AFTER, self._begin)

    def _begin(self) -> None:
        """Once the first screen stands: a review that was asked for, or what there is to review."""
        minutes = self.session.options.review
        if minutes is not None:
            self.reviewing.toggle(minutes=minutes)
        else:
            self.reviewing.count()

    # ------------------------------------------------------------ drawing

    def draw(self) -> None:
        seat = self.seat
        columns, rows = self.app.size
        self._fold(columns, rows)
        unsaved = "not saved" if self.session.options.save and not self.session.saves else ""
        self.header.draw(seat, "  ".join(note for note in (self.notes(), unsaved) if note))
        self.pipeline.draw(seat, self.chosen, self.in_tree)
        self.panel.draw(seat, not self.in_tree)
        self.footer.draw(self.footer_keys(self.panel.first))
        self.small.show(too_small(columns, rows, LEAST))

    def _fold(self, columns: int, rows: int) -> None:
        """Arrange for a screen of this size."""
        self.set_class(columns < NARROW or self.seat.bare, "-narrow")
        self.set_class(columns < LEAST[0] or rows < LEAST[1], "-tiny")
        self.set_class((columns < NARROW or self.seat.bare) and self.in_tree, "-in-tree")
        if columns >= NARROW:
            self.pipeline.styles.width = tree_width(self.seat.walk.visible, columns)

    def on_resize(self, event: events.Resize) -> None:
        self.panel.follow = True  # the rows are others now: what was at the top may be anywhere
        self.redraw()

    # ------------------------------------------------------------ input

    def take_input(self, event: events.Event) -> bool:
        if isinstance(event, EscapeTakenBack):
            return self._reopen()
        self.meant.next_key()
        self._escaped = None
        if isinstance(event, events.Paste):
            return self._paste(event.text)
        return isinstance(event, events.Key) and self._key(event)

    def _key(self, event: events.Key) -> bool:
        """Keys that are text, or that mean something else in each state of the screen."""
        seat = self.seat
        if command := self.meant.confirmed(event.key):
            self.do(command)
            return True
        if self.panel.first and not self.in_tree and (event.key in ARROWS or opens_answer(event.character)):
            self._read_on()
        if seat.editor is not None:
            self._type(event)
        elif seat.marking and event.key in ("1", "2", "3"):
            seat.mark(event.key)
        elif self.in_tree and event.key in ("up", "down"):
            self._choose(1 if event.key == "down" else -1)
        elif event.key in ARROWS:
            self._move(*ARROWS[event.key])
        elif not self.in_tree and (
            opens_answer(event.character) or (not self.panel.first and self.seat.begins_sentence(event.character))
        ):
            self._open(event.character or "")
        else:
            return not self.in_tree and self.meant.waits(seat, event.character)
        return True

    def _type(self, event: events.Key) -> None:
        editor = self.seat.editor
        if editor is None:
            return
        if event.key == "enter":
            self._submit()
        elif event.key == "escape":
            self.action_escape()
        elif event.key == "ctrl+c":
            self.action_interrupt()
        elif self.seat.walks_on(event.character):
            self.do(self.letter(event.character))
        elif self.seat.judged and (letter := self.letter(event.character)):
            if not self.meant.waits(self.seat, event.character):
                self.do(letter)
        elif not editor.key(event.key) and event.is_printable and event.character:
            self._insert(event.character)

    def _open(self, first: str) -> None:
        if self.seat.open_answer(first):
            self.panel.show_cursor(self.seat)
        else:
            self.seat.say("Nothing is asked here that is still open.")

    def _insert(self, text: str) -> None:
        editor = self.seat.editor
        if editor is not None and not editor.insert(text):
            self.seat.say(f"A line takes {MOST} characters: what came behind them is left out.", "hint")

    def is_text(self, burst: str) -> bool:
        """Wherever a question is open, a burst of letters is text and never a chain of commands."""
        seat = self.seat
        return seat.editor is None and not self.in_tree and not seat.marking and seat.core.question() is not None

    def _paste(self, pasted: str) -> bool:
        text = " ".join(pasted.split())
        begins = opens_answer(text[:1]) or self.seat.asks_sentence()
        if self.seat.editor is None and not (begins and self.seat.open_answer()):
            if text and not begins:
                self.seat.say("That reads as text. A number is asked here: it begins with a digit or a sign.")
            return True
        self._insert(text)
        return True

    def _reopen(self) -> bool:
        """The Escape before was no key: what it closed is open again."""
        if self._escaped is not None and self.seat.editor is None:
            self.seat.hush()
            self.seat.editor = self._escaped
        return True

    def _submit(self) -> None:
        seat, walk = self.seat, self.seat.walk
        editor, place, edition = seat.editor, walk.place, walk.visible.edition
        if editor is None:
            return

        def done(reply: Reply) -> None:
            seat.submitted(editor, reply)
            self._turn_to_page()
            if walk.place != place or walk.visible.edition != edition:
                self.arrived(follow=walk.place != place)
            self.redraw()

        if not seat.takes_time(editor):
            done(seat.answer(editor))
        elif seat.is_slow(editor):
            self.beside.do(lambda: seat.answer(editor), done)
        else:
            self.beside.do(lambda: seat.warm(editor), lambda _: done(seat.answer(editor)))

    def _turn_to_page(self) -> None:
        """What a command has to say that is longer than a sentence or two."""
        page, self.seat.page = self.seat.page, None
        if page is not None:
            from tui_attention.ui.screens.reply import ReplyScreen

            self.seat.editor = None
            self.app.push_screen(ReplyScreen(page), self.follow_link)

    def _move(self, dx: int, dy: int) -> None:
        if self.seat.arrow(dx, dy):
            self.panel.show_cursor(self.seat)
        elif dy:
            self.panel.scroll_rows(dy)

    def _choose(self, by: int) -> None:
        stages = [branch.stage for branch in branches(self.seat.walk.visible) if branch.stage >= 0]
        self.chosen = stages[max(0, min(len(stages) - 1, stages.index(self.chosen) + by))]

    def after_input(self) -> None:
        self.seat.tell(self.drafts.trouble())
        if not self.reviewing.keep_typed():
            self.drafts.keep(self.seat)

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        self.meant.forget()
        key = message.key
        if isinstance(key, CellKey):
            self.in_tree = False
            self.seat.place_cursor(key)
        elif isinstance(key, Link):
            self.follow_link(key)
        elif message.lines in (self.pipeline, self.panel):
            self.in_tree = message.lines is self.pipeline
        self.after_input()
        self.redraw()

    def on_lines_wheeled(self, message: Lines.Wheeled) -> None:
        if message.lines is self.pipeline:
            self._choose(message.direction)
        else:
            self.panel.scroll_rows(3 * message.direction)
        self.redraw()

    # ------------------------------------------------------------ arriving

    def arrived(self, follow: bool = True) -> None:
        """The place, or what the lesson is computed from, is another one."""
        if self.is_mounted:
            self.panel.follow = follow
        self.chosen = self.seat.walk.place.stage
        self.ahead.look()
        self.redraw()

    def change_lesson(self, name: str, stage: str = "") -> None:
        """Another lesson, where it was left, or a stage of it. Raises BadInput."""
        if name != self.seat.walk.visible.id:
            self.seat = self.seated(self.session.change_lesson(name))
            self.drafts.take_up(self.seat)
        if stage:
            self.seat.walk.goto(stage)
            self.seat.settle_in()
        self.arrived()

    def follow_link(self, link: Link | None) -> None:
        """Something that leads somewhere, or does something, was chosen."""
        match link:
            case Link("stage", number):
                if self.seat.walk.move(Place(int(number))).what != "nothing":
                    self.seat.settle_in()
                self.arrived()
                self.in_tree = False
            case Link("place", where):
                stage, _, step = where.partition(".")
                self.seat.walk.move(Place(int(stage), int(step or 0)))
                self.seat.settle_in()
                self.arrived()
            case Link("lesson", name) if self.session.takes_time(name):
                self.beside.open(name)
            case Link("lesson", name):
                self.change_lesson(name)
            case Link("goto", where):
                self.seat.go_to(where)
                self.arrived()
            case Link("see", where):
                lesson, _, stage = where.partition("/")
                self.change_lesson(lesson or self.seat.walk.visible.id, stage)
            case Link("review", kind):
                self.reviewing.toggle(frozenset({kind}))
            case Link("mark", key):
                self.seat.mark(key)
            case Link(action, _):
                self.do(action)
        self.redraw()

    # ------------------------------------------------------------ actions, by the names of the table of commands

    def do(self, command: str) -> None:
        """One command of the table."""
        target = BY_ID[command].target
        if not isinstance(target, FrontEnd):
            self.action_perform(command)
        elif self.check_action(target.name, ()):
            getattr(self, f"action_{target.name}")()
        self.redraw()

    def action_perform(self, command: str) -> None:
        """A command of the core; one that needs an argument opens a line for it."""
        seat = self.seat
        if command == "next" and self.reviewing.goes_on():
            return
        if self.panel.first and command in ("next", "hint", "reveal"):
            self._read_on()
            if command == "next":
                return
        if BY_ID[command].argument.label:
            seat.open_for(command)
            return
        if BY_ID[command].slow and seat.core.in_model:
            self.beside.do(lambda: seat.core.do(command), self._done_beside)
            return
        before = seat.cursor
        reply = seat.help_with(command) if command in ("hint", "reveal") else seat.perform(command)
        if seat.cursor != before:
            self.panel.show_cursor(seat)
        if reply.changed("digits"):
            self.session.set_setting("digits", seat.walk.digits)
        if reply.changed("look"):
            self.panel.show_cursor(seat)
        if reply.changed("step", "stage", "dials"):
            self.arrived(follow=reply.changed("step", "stage"))
        self._turn_to_page()
        if reply.wish == "end":
            from tui_attention.ui.screens.ledger import EndScreen

            self.app.push_screen(EndScreen(seat.core.summary()), self.follow_link)

    def _done_beside(self, reply: Reply) -> None:
        self.seat.taken(reply)
        if reply.changed("dials"):
            self.arrived(follow=False)
        self._turn_to_page()
        self.redraw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action can be done now: while a sentence is marked, Enter is no answer."""
        return not (action == "answer" and self.seat.marking)

    def action_pane(self) -> None:
        self.chosen = self.seat.walk.place.stage
        self.in_tree = not self.in_tree

    def action_answer(self) -> None:
        if self.in_tree:
            self.follow_link(Link("stage", str(self.chosen)))
        elif self.panel.first:
            self._read_on()
        elif self.reviewing.settled:
            self.reviewing.goes_on()
        elif self.seat.enter() != "working":
            self.panel.show_cursor(self.seat)
        elif (cell := self.seat.cursor) is not None:
            from tui_attention.ui.screens.working import WorkingScreen

            short = self.seat.walk.visible.short(cell.ref)
            self.app.push_screen(WorkingScreen(self.seat.walk.visible, cell, short))

    def action_review(self) -> None:
        self.reviewing.toggle()

    def action_afresh(self) -> None:
        if self.reviewing.review is not None:
            self.seat.say("A review has fresh numbers already.")
            return
        try:
            walk = self.session.fresh_numbers()
        except BadInput as error:
            self.seat.say(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            return
        self.seat = self.seated(walk)
        self.seat.say(f"Variant {walk.visible.variant}: this stage on fresh numbers. What was done before is kept.")
        self.arrived()

    def action_ledger(self) -> None:
        from tui_attention.ui.screens.ledger import LedgerScreen

        self.app.push_screen(LedgerScreen(self.seat.core.summary()), self.follow_link)

    def action_zoom(self) -> None:
        if (cell := self.seat.cursor) is not None:
            from tui_attention.ui.screens.zoom import ZoomScreen

            self.app.push_screen(ZoomScreen(self.seat, cell), self._zoomed)

    def _zoomed(self, left_at: CellKey | None) -> None:
        cells = (key for *_, key in self.seat.document().cells)
        same = (key for key in cells if left_at and (key.name, key.at) == (left_at.name, left_at.at))
        self.seat.cursor = next(same, self.seat.cursor)
        self.session.set_setting("digits", self.seat.walk.digits)

    def action_copy_cell(self) -> None:
        self._copy(self.seat.cell_text(self.seat.cursor))

    def action_copy_matrix(self) -> None:
        self._copy(self.seat.matrix_text(self.seat.cursor))

    def _copy(self, text: str) -> None:
        if not text:
            self.seat.say("There is no number here to copy.")
            return
        self.app.copy_to_clipboard(text)
        first, _, rest = text.replace("\t", "  ").partition("\n")
        self.seat.say(f"Copied: {first}" if not rest else f"Copied: {rest.count(chr(10)) + 2} rows")

    def action_scroll_up(self) -> None:
        self.panel.scroll_rows(-self.panel.page)

    def action_scroll_down(self) -> None:
        self.panel.scroll_rows(self.panel.page)

    def action_big(self) -> None:
        self.seat.bare = not self.seat.bare
        self.panel.follow = True

    def action_names(self) -> None:
        self.seat.names_covered = not self.seat.names_covered

    def action_wall(self) -> None:
        self.seat.toggle_wall()
        self.panel.follow = True

    def _read_on(self) -> None:
        """From the wall to the first step."""
        self.seat.fold_wall()
        self.panel.follow = True
        self.redraw()

    def action_glossary(self) -> None:
        from tui_attention.ui.screens.glossary import GlossaryScreen

        self.app.push_screen(GlossaryScreen(self.seat.walk.visible), self.follow_link)

    def action_lessons(self) -> None:
        from tui_attention.ui.screens.lessons import LessonsScreen

        self.app.push_screen(LessonsScreen(self.seat.walk.visible.id, self.session.shelf), self.follow_link)

    def action_help(self) -> None:
        from tui_attention.ui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen())

    def action_reload(self) -> None:
        place = self.seat.walk.place
        try:
            walk = self.session.reload()
        except (BadInput, LessonError) as error:  # it is being written: what is open stays
            self.seat.say(str(error))
            self.redraw()
            return
        self.seat = self.seated(walk)
        self.drafts.take_up(self.seat)
        walk.move(Place(min(place.stage, len(walk.stages) - 1), place.step))
        self.seat.settle_in()
        self.seat.say("The lesson file was read again.")
        self.arrived()

    def action_save(self) -> None:
        from tui_attention.ui.saving import save_stage, stage_name

        if not self.session.options.files:
            self.seat.say("Writing files is switched off here.")
            return
        folder = Path.cwd()
        if not self._saves and not self.meant.sure("save"):
            name = stage_name(self.seat)
            self.seat.say(f"Enter writes {name}.svg and {name}.txt in {folder}; any other key does not.")
            return
        self._saves = True
        try:
            says = save_stage(self.seat, self._picture, folder)
        except OSError as error:
            says = f"Not saved: {error.strerror or error}."
        self.seat.say(says)

    def _picture(self) -> str:
        self.seat.hush()
        self.draw()
        return self.app.export_screenshot(title=self.seat.walk.visible.title)

    def action_theme(self) -> None:
        from tui_attention.ui.screens.palette import PaletteEntry, PaletteScreen

        entries = [PaletteEntry(name, name, "", "") for name in sorted(self.app.available_themes)]
        self.app.push_screen(PaletteScreen(entries, "theme", chosen=self.app.theme), self._themed)

    def _themed(self, name: str | None) -> None:
        if name:
            self.app.theme = name

    def action_palette(self) -> None:
        from tui_attention.ui.screens.palette import PaletteScreen

        self.app.push_screen(PaletteScreen(self.entries(), "every action by its name"), self._chosen_action)

    def _chosen_action(self, action: str | None) -> None:
        if action:
            self.meant.forget()
            self.do(action)
            self.after_input()

    def action_quit(self) -> None:
        unsent = next(reversed(self.seat.half_typed().values()), "")
        if unsent and not self.meant.sure("quit"):
            self.seat.say(f"Not sent yet: {unsent[:40]}. It is kept; Enter or q leaves.")
            return
        self.app.exit(return_code=0)

    def action_interrupt(self) -> None:
        selected = self.get_selected_text()
        if selected:
            self.app.copy_to_clipboard(selected)
            self.clear_selection()
            self.seat.say("Copied.")
        elif self.meant.sure("interrupt"):
            self.app.exit(return_code=130)
        else:
            self.seat.say("Ctrl+C once more quits; any other key goes on.")

    def action_escape(self) -> None:
        if self.seat.editor is not None:
            self._escaped = self.seat.editor
            self.seat.close()
        elif self.beside.leave():
            self.seat.say("Left: nothing was changed.")
        elif self.in_tree:
            self.action_pane()
        else:
            self.clear_selection()
            self.seat.letters_are_keys()
            self.seat.hush()
            self.seat.keep_cursor()
