"""What a TOML reader found wrong, said so that it can be mended, with its line and column."""

from __future__ import annotations

import re
from typing import NamedTuple

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_TWICE = re.compile(r"Cannot (?:declare|mutate immutable namespace|overwrite) ?\(?(?P<key>[^()]*)\)?")
_LIKE_QUOTES = "“”„‟‘’‚«»"
_LIKE_MINUS = "\u2212\u2013\u2014\u2010\u2011\ufe63\uff0d"
_FOUND = (
    (r"Illegal character '\\[rn]'", "a text in quotes ends on its line; the closing quote is missing"),
    ("Unclosed array", "a list is not closed: ] is missing"),
    ("Unclosed inline table|Expected '}'", "a table in braces is not closed: } is missing, on the same line"),
    ("Expected '=' after a key", "a line 'key = value' was expected; = is missing"),
    ("Unterminated string|Expected .*\"\"\"|Expected .*'''", "a text is not closed: quotes are missing at its end"),
    ("Expected ']' at the end of a table declaration", "a head [name] is not closed: ] is missing"),
    ("Expected ']]' at the end of an array declaration", "a head [[name]] is not closed: ]] is missing"),
    ("Expected newline or end of document", "the end of the line was expected behind a value"),
    ("Invalid initial character for a key part", "a key was expected: letters, digits, - and _"),
    ("Unescaped '\\\\' in a string", "a backslash begins a sign; write it twice, or use single quotes"),
)


class Fault(NamedTuple):
    """A sentence, and where; line and column are 0 where the reader does not say."""

    says: str
    line: int
    column: int


def fault(text: str, error: ValueError) -> Fault:
    """What is wrong with a text that is no TOML, by the error of the reader."""
    message = str(error)
    found = _AT.search(message)
    line, column = 0, 0
    if found is not None:
        message = message[: found.start()]
        ended = text.rstrip()
        line = int(found[1]) if found[1] else ended.count("\n") + 1
        column = int(found[2]) if found[2] else len(ended) - ended.rfind("\n")
    return Fault(f"not a TOML file: {_said(text, message, line, column)}", line, column)


def _said(text: str, message: str, line: int, column: int) -> str:
    twice = _TWICE.match(message)
    if "twice" in message or message.startswith("Cannot overwrite a value"):
        key = ".".join(re.findall(r"'([^']*)'", twice["key"])) if twice else ""
        head = f"[{key}]" if key else "a key"
        return f"{head} stands twice; once was expected"
    if message == "Invalid value":
        return _value(text, line, column)
    return next((says for pattern, says in _FOUND if re.match(pattern, message)), message)


def _value(text: str, line: int, column: int) -> str:
    rest = text.split("\n")[line - 1][column - 1 :] if line else ""
    word = re.match(r"[\w.+-]*", rest)
    told = "a value was expected: a text in quotes, a number, true, false, or a list in [ ]"
    if rest[:1] in _LIKE_QUOTES and rest:
        return f"{rest[0]} is no quote of TOML; a straight \" or ' was expected"
    if rest[:1] in _LIKE_MINUS and rest:
        return f"{rest[0]} is no minus of TOML; - was expected"
    if rest[:1] == ".":
        return f"a number has a digit before its point: 0{word[0] if word else ''}"
    if word and word[0] in ("True", "False"):
        return f"{word[0].lower()} was expected, not {word[0]}"
    if word and word[0][:1].isalpha():
        return f'a text stands in quotes: "{word[0][:40]}"'
    return told
