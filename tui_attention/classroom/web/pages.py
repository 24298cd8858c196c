"""The two pages: where one comes in, and the terminal. Nothing in them is from elsewhere: classrooms are offline."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

SCRIPT: Final = "js/textual.js"
_STYLE: Final = """
@font-face { font-family: "Roboto Mono"; src: url("/static/fonts/RobotoMono-VariableFont_wght.ttf"); }
html, body { margin: 0; height: 100%; background: #16181d; color: #e6e6e6; font: 16px "Roboto Mono", monospace; }
main { max-width: 34em; margin: 0 auto; padding: 3em 1em; line-height: 1.5; }
label { display: block; margin: 1em 0 .2em; }
input, button { font: inherit; padding: .4em .6em; width: 100%; box-sizing: border-box; }
button { margin-top: 1.2em; }
.bad { color: #ff9d8a; }
#terminal { height: 100vh; width: 100vw; overflow: hidden; }
#closed, #broken { display: none; position: absolute; inset: 30% 10% auto; padding: 1.5em; background: #2b2f38; }
body.-closed #closed, body.-broken #broken { display: block; }
a { color: #8ec7ff; }
"""
_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf"}
STATIC: Final = ("js/textual.js", "css/xterm.css", "fonts/RobotoMono-VariableFont_wght.ttf")
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self' ws:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def shipped() -> Traversable:
    """The folder of what the terminal in the page is made of. Raises ModuleNotFoundError without the extra."""
    return files("textual_serve") / "static"


def static(name: str) -> tuple[bytes, str]:
    """A file of the page and its type. Raises KeyError for anything that is not listed."""
    if name not in STATIC:
        raise KeyError(name)
    return (shipped() / name).read_bytes(), _TYPES[name[name.rindex(".") :]]


def _page(title: str, body: str, head: str = "") -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css">{head}</head>'
        f"<body>{body}</body></html>\n"
    )


def style() -> str:
    """The style sheet of both pages."""
    return _STYLE


def join_page(title: str, notice: str, *, code: bool, bad: str = "", name: str = "") -> str:
    """Where one types name and code. `notice` says what is kept."""
    asks = '<label for="code">Class code</label><input id="code" name="code" autocomplete="off">' if code else ""
    told = f'<p class="bad">{escape(bad)}</p>' if bad else ""
    return _page(
        title,
        f"<main><h1>{escape(title)}</h1>{told}"
        '<form method="post" action="/join"><label for="name">Your name</label>'
        f'<input id="name" name="name" maxlength="24" autofocus value="{escape(name)}">{asks}'
        f'<button type="submit">Come in</button></form><p>{escape(notice)}</p></main>',
    )


def terminal_page(title: str, socket: str) -> str:
    """The terminal; `socket` is the address of its line."""
    return _page(
        title,
        f'<div id="terminal" class="textual-terminal" data-session-websocket-url="{escape(socket)}" '
        'data-font-size="16"></div>'
        '<div id="closed">The line is closed. <a href="/class">Go on</a>, or <a href="/">come in anew</a>.</div>'
        '<div id="broken">This browser cannot draw a terminal (it has no WebGL).</div>',
        '<link rel="stylesheet" href="/static/css/xterm.css"><script src="/check.js"></script>'
        f'<script src="/static/{SCRIPT}"></script>',
    )


CHECK: Final = 'window.addEventListener("error", () => document.body.classList.add("-broken"));\n'
