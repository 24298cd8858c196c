"""The join page: how one comes in, what to do when a line drops, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from tui_attention.classroom.auth import Auth, readable
from tui_attention.render.rows import EMPTY, Row, Span, paragraph, text_row

KEPT = (
    "Kept on this machine, in the class's folder: names, where each learner is, every typed answer with its time, "
    "verdict, slips and hints. Nothing leaves the machine. `tui-attention class --forget {name}` deletes the class, "
    "with `--learner NAME` one learner of it."
)
DROPPED = (
    "A dropped line loses nothing: come in again by the same name. If the terminal stays strange afterwards, type "
    "reset and press Enter, even if you cannot see it."
)
PLAIN = "Line by line, for a screen reader or a small screen: put the word plain behind it (ssh -t ... plain)."


@dataclass(frozen=True, slots=True)
class Door:
    """How a class is reached. `host` is what the server listens on, `hosts` by what names it may be called."""

    name: str
    host: str
    port: int
    auth: Auth
    code: str
    fingerprint: str
    hosts: tuple[str, ...] = ()
    web: int = 0

    @property
    def called(self) -> str:
        """The name to type behind the @."""
        return self.hosts[0] if self.hosts else self.host

    def line(self, who: str = "YOU") -> str:
        """What a learner types."""
        port = "" if self.port == 22 else f"-p {self.port} "
        return f"ssh {port}{who}@{self.called}"

    def page(self) -> str:
        """The address of the page with a terminal; empty without one."""
        host = f"[{self.called}]" if ":" in self.called else self.called
        return f"http://{host}:{self.web}/" if self.web else ""


def join_lines(door: Door) -> list[tuple[str, str]]:
    """What is on the page, as label and text."""
    asked = {
        "code": readable(door.code),
        "keys": "none: your own key lets you in",
        "none": "none: whoever reaches this address may come in",
    }[door.auth]
    lines = [("type", door.line()), ("class code", asked)]
    if door.page():
        lines.append(("or, in a browser", door.page()))
    lines.append(("host key", door.fingerprint))
    if len(door.hosts) > 1:
        lines.append(("also called", ", ".join(door.hosts[1:])))
    return lines


def join_rows(door: Door, width: int) -> list[Row]:
    """The page as rows."""
    lines = join_lines(door)
    room = max(len(label) for label, _ in lines) + 2
    strong = {"type", "class code", "or, in a browser"}
    rows: list[Row] = []
    for label, text in lines:
        lead: Row = (Span(f"{label:<{room}}", "label"),)
        rows += [*paragraph(text, width, "name" if label in strong else "told", lead), EMPTY]
    rows += [*paragraph("YOU is your own name, as the class shall see it.", width, "told"), EMPTY]
    rows += [text_row("when something goes wrong", "section"), *paragraph(DROPPED, width, "told"), EMPTY]
    rows += [*paragraph(PLAIN, width, "told"), EMPTY]
    rows += [*paragraph("On a slow link, ssh -C sends an eighth of the bytes.", width, "told"), EMPTY]
    kept = KEPT.format(name=door.name)
    return [*rows, text_row("what is kept", "section"), *paragraph(kept, width, "told")]
