"""The order of words on a command line: names may stand before or after options, and `-0.44` is no option.

argparse alone refuses names after options, and its intermixed parsing loses `--`; so the words are put in order here
and argparse only reads them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence

# Options that take the next word, whatever it looks like.
VALUED = frozenset(
    [
        "--prompt",
        "--other",
        "--ticket",
        "--stage",
        "--learner",
        "--format",
        "--lesson",
        "--batch",
        "--set",
        "--bend",
        "--top",
        "--greedy",
        "--memory",
        "--threads",
        "--variant",
        "--variant-for",
        "--for",
        "--export",
        "--import",
        "--minutes",
        "--stages",
        "--paper",
        "--tokens",
        "--tables",
        "--lessons",
        "--host",
        "--port",
        "--web",
        "--max",
        "--auth",
        "--authorized-keys",
        "--name",
        "--lessons",
        "--export",
        "--forget",
    ]
)
# Options that take the next word where it is of a form, or nothing.
PERHAPS = {"--lens": re.compile(r"(?!-)"), "--variants": re.compile(r"\d[\d,-]*$")}
# Options that take every following word of a form, up to the next option.
MANY = {
    "--own": re.compile(r"\s*[A-Za-z_]\w*\s*(\[.*\])?\s*="),
    "--of": re.compile(r"(?!-)"),
    "--head": re.compile(r"\d+\.\d+$"),
    "--without": re.compile(r"\d+\.\d+$"),
}
_NEGATIVE = re.compile(r"-(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")


def _is_option(word: str) -> bool:
    return len(word) > 1 and word.startswith("-") and not _NEGATIVE.match(word)


def _parts(words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The words as ("name", [word]) and ("option", [option, values ...]); `--` ends options."""
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == "--":
            for name in words[position:]:
                yield "name", [name]
            return
        if not _is_option(word):
            yield "name", [word]
            continue
        option = [word]
        if word in VALUED and position < len(words) and words[position] != "--":
            option.append(words[position])
            position += 1
        elif word in PERHAPS:
            if position < len(words) and not _is_option(words[position]) and PERHAPS[word].match(words[position]):
                option.append(words[position])
                position += 1
        elif word in MANY:
            while position < len(words) and words[position] != "--" and MANY[word].match(words[position]):
                option.append(words[position])
                position += 1
            if len(option) == 1 and position < len(words) and not _is_option(words[position]):
                option.append(words[position])  # of another form: the verb says what was expected
                position += 1
        yield "option", option


def verb_of(words: Sequence[str], verbs: Container[str]) -> tuple[str, list[str]]:
    """The verb, "" for none, and the other words: the first name is the verb if it is one."""
    names, options, found = list[str](), list[str](), ""
    first = True
    for kind, part in _parts(words):
        if kind == "option":
            options += part
        elif first and part[0] in verbs:
            found = part[0]
        else:
            names += part
        first = first and kind == "option"
    return found, [*options, *(["--", *names] if names else [])]


def arranged(words: Sequence[str]) -> list[str]:
    """The same words, options first, then `--` and the names; an option's single value is joined with `=`."""
    options, names = list[str](), list[str]()
    for kind, part in _parts(words):
        if kind == "name":
            names += part
        elif part[0] in VALUED | PERHAPS.keys() and len(part) == 2:
            options.append(f"{part[0]}={part[1]}")
        elif part[0] in MANY:
            options += [f"{part[0]}={value}" for value in part[1:]] or part
        else:
            options += part
    return [*options, *(["--", *names] if names else [])]
