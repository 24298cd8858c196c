"""The one table of commands.

Bindings, footer, palette, help, the words of plain mode and the README's table are all made from it. A new command is
one entry here and the function that it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui_attention.interaction.command import Argument, Command, FrontEnd, Group

GROUPS: tuple[tuple[Group, str], ...] = (
    ("walking", "Walking"),
    ("answering", "Answering"),
    ("numbers", "Numbers"),
    ("dials", "Dials"),
    ("reading", "Reading"),
    ("program", "Program"),
)

COMMANDS: tuple[Command, ...] = (
    Command(
        "next", "walking:next_step", "next", "One step on", "walking",
        keys=("n", "space", "pagedown"), shown="n", also="Space, PageDown", footer=1,
        word="next", says="one step on; a question left open may be answered later",
    ),
    Command(
        "back", "walking:back", "back", "One step back", "walking",
        keys=("p", "pageup"), shown="p", also="PageUp", footer=2,
        word="back", says="one step back",
    ),
    Command(
        "next_stage", "walking:next_stage", "stage on", "To the next stage", "walking", keys=("N",), shown="N",
    ),
    Command(
        "back_stage", "walking:back_stage", "stage back", "To the start of this stage, or the stage before",
        "walking", keys=("P",), shown="P",
    ),
    Command(
        "goto", "walking:goto", "go to", "Go to a stage or to a cell, by its name, number or address", "walking",
        keys=("g",), shown="g",
        word="goto", says="to a stage, or to the step that makes a cell",
        argument=Argument("place", "goto {stage}, goto 2, goto {cell}", "go to"),
    ),
    Command(
        "find", "looks:find", "find", "Find a stage by its words: a block, a title, a step", "walking",
        keys=("slash",), shown="/",
        word="find", says="to the next stage with these words: a block, a title, a step; without words, further",
        argument=Argument("text", "find {stage}", "find (empty: further)"),
    ),
    Command(
        "pane", FrontEnd("pane"), "pane", "To the pipeline and back", "walking",
        keys=("tab", "shift+tab"), shown="Tab",
    ),
    Command(
        "lessons", FrontEnd("lessons"), "lessons", "Choose another lesson", "walking", keys=("L",), shown="L",
        word="lessons", says="the lessons; with a name, go over to that one",
        argument=Argument("lesson", "lessons {lesson}"),
    ),
    Command(
        "again", FrontEnd("again"), "again", "Read this step once more", "reading",
        word="again", aliases=("repeat",), says="read this step once more, from its beginning", palette=False,
    ),
    Command(
        "values", FrontEnd("values"), "values", "Read tensors out", "reading",
        word="values", says="read the tensors of this step, or those you name",
        argument=Argument("names", "values {tensor} {cell}"), palette=False,
    ),
    Command(
        "why", "answering:why", "why", "Where a number comes from", "reading",
        word="why", says="where a number comes from: its pencil line and what it reads",
        argument=Argument("cell", "why {cell}"), palette=False,
    ),
    Command(
        "answer", FrontEnd("answer"), "answer", "Answer; on a shown cell, its working", "answering",
        keys=("enter",), shown="enter", footer=4,
    ),
    Command(
        "hint", "answering:hint", "hint", "One hint more; the last one is the number itself", "answering",
        keys=("h",), shown="h", footer=5,
        word="hint", says="a hint to the question, each time a stronger one; the last is the number",
        argument=Argument("cell", "hint"),
    ),
    Command(
        "reveal", "answering:reveal", "reveal", "Borrow the number; a neighbour is asked instead", "answering",
        keys=("r",), shown="r", footer=6,
        word="reveal", says="read the answer out; the number is then borrowed, not paid",
        argument=Argument("cell", "reveal"),
    ),
    Command(
        "keep", "answering:keep", "keep mine", "Keep your number after a named slip", "answering",
        keys=("k",), shown="k",
        word="keep", says="go on with your own number, after it has been explained",
    ),
    Command(
        "cover", "walking:cover", "cover", "Cover or uncover; what is seen is paid with help at most",
        "answering", keys=("c",), shown="c", footer=3,
        word="cover", says="cover or uncover all numbers",
    ),
    Command(
        "review", FrontEnd("review"), "review", "Review what you got wrong, on fresh numbers; once more ends it",
        "answering", keys=("R",), shown="R",
        word="review", says="review what you got wrong, on fresh numbers; with a kind of slip, three cells for it",
        argument=Argument("word", "review"),
    ),
    Command(
        "afresh", FrontEnd("afresh"), "fresh numbers", "This stage anew, on the numbers of the next variant",
        "answering", keys=("F",), shown="F",
        word="afresh", says="this stage anew, on the numbers of the next variant",
    ),
    Command(
        "ledger", FrontEnd("ledger"), "ledger", "What is paid, borrowed and open, stage by stage", "answering",
        keys=("l",), shown="l",
    ),
    Command(
        "checks", "walking:checks", "checks", "The questions of this stage", "reading",
        word="checks", says="the questions of this stage; checks all: of the lesson",
        argument=Argument("all", "checks all"), palette=False,
    ),
    Command(
        "where", "walking:where", "where", "Where you are and what is paid", "reading",
        word="where", says="where you are and what is paid", palette=False,
    ),
    Command(
        "digits", "dials:digits", "digits", "Show printed digits, the pencil's, or all of them", "numbers",
        keys=("d",), shown="d",
        word="digits", says="read numbers as printed, as a pencil gets them, or with all digits",
    ),
    Command(
        "order", "looks:order", "largest", "Large tables: the largest numbers of the row first, or in their places",
        "numbers", keys=("S",), shown="S",
    ),
    Command(
        "shades", "looks:shades", "shades", "Shades: of shares, of every number by row, or by factors of ten",
        "numbers", keys=("number_sign",), shown="#",
    ),
    Command(
        "first_key", "looks:first_key", "key 0", "Hide the first key of scores and shares, or show it again",
        "numbers", keys=("j",), shown="j",
    ),
    Command(
        "head_on", "looks:head_on", "head on", "The same place in the next head", "walking",
        keys=("greater_than_sign",), shown=">",
    ),
    Command(
        "head_back", "looks:head_back", "head back", "The same place in the head before", "walking",
        keys=("less_than_sign",), shown="<",
    ),
    Command(
        "zoom", FrontEnd("zoom"), "zoom", "The matrix at the cursor on the full screen", "numbers",
        keys=("z",), shown="z",
    ),
    Command(
        "copy_cell", FrontEnd("copy_cell"), "copy cell", "Copy the cell: its address = its number", "numbers",
        keys=("y",), shown="y",
    ),
    Command(
        "copy_matrix", FrontEnd("copy_matrix"), "copy matrix", "Copy the whole matrix", "numbers",
        keys=("Y",), shown="Y",
    ),
    Command(
        "turn", "dials:turn", "turn", "Turn the dial at the cursor to another number", "dials",
        keys=("t",), shown="t",
        word="turn", says="turn a dial, a number of an input table",
        argument=Argument("dial", "turn {dial} 0.5", "turn it to"),
    ),
    Command(
        "undo", "dials:undo", "undo", "Take the last change back", "dials", keys=("u",), shown="u",
        word="undo", says="take the last change back",
    ),
    Command(
        "redo", "whatif:redo", "redo", "Make the change again that was taken back", "dials", keys=("U",), shown="U",
        word="redo", says="make the change again that was taken back",
    ),
    Command(
        "reset_dials", "whatif:reset", "reset", "Set one dial back, or all dials and switches", "dials",
        keys=("X",), shown="X",
        word="unchange", says="set one dial back, or all dials and switches",
        argument=Argument("dial", "unchange {dial}", "set back (empty: all)"),
    ),
    Command(
        "switch", "whatif:switch", "switch", "Throw a switch: a head off, no mask, no norm, another bend, and more",
        "dials", keys=("W",), shown="W",
        word="switch", says="throw a switch of the lesson, or put it back; without a name, which there are",
        argument=Argument("word", "switch scale", "switch (empty: which there are)"),
    ),
    Command(
        "zero", "whatif:zero", "zero", "Set a whole table, a row Wq[2] or Wq head 1 to zero", "dials",
        word="zero", says="set a whole table, a row or a head's columns to zero",
        argument=Argument("word", "zero {table}", "zero"),
    ),
    Command(
        "scale", "whatif:scale", "scale", "Multiply a whole table, a row or a head's columns", "dials",
        word="scale", says="multiply a whole table, a row or a head's columns",
        argument=Argument("word", "scale {table} 0.5", "scale"),
    ),
    Command(
        "redraw", "whatif:redraw", "redraw", "Draw a whole table, a row or a head's columns anew", "dials",
        word="redraw", says="draw a whole table, a row or a head's columns anew, with a seed",
        argument=Argument("word", "redraw {table} 7", "redraw"),
    ),
    Command(
        "predict", "whatif:predict", "predict", "Predict the cell at the cursor before you change something", "dials",
        keys=("e",), shown="e",
        word="predict", says="choose a cell whose new number you will say before you see it",
        argument=Argument("cell", "predict {cell}"),
    ),
    Command(
        "moved", "whatif:moved", "moved", "What moved by the last change", "dials", keys=("D",), shown="D",
        word="moved", says="what moved by the last change, before and after", slow=True,
    ),
    Command(
        "compare", "whatif:compare", "compare", "Another prompt beside this one", "dials", keys=("C",), shown="C",
        word="compare", says="another prompt beside this one, the largest differences first",
        argument=Argument("text", "compare {prompt}", "compare with"), slow=True,
    ),
    Command(
        "next_token", "writing:next_token", "next mark", "The next mark: where the ticket lands", "dials",
        keys=("o",), shown="o",
        word="token", says="the next mark, and where the ticket lands", slow=True,
    ),
    Command(
        "write_on", "writing:write_on", "write on", "Append the next mark to the prompt", "dials",
        keys=("O",), shown="O",
        word="write", says="append the next mark to the prompt", slow=True,
    ),
    Command(
        "sampling", "writing:sampling", "sampling", "Temperature, top-k, top-p and the seed of tickets", "dials",
        word="sampling", says="set temperature, top-k, top-p or the seed of tickets",
        argument=Argument("word", "sampling temperature 0.5", "sampling"),
    ),
    Command(
        "lens", "writing:lens", "lens", "What the final table would say before the end", "dials",
        keys=("V",), shown="V",
        word="lens", says="what the final table would say at every place before the end", slow=True,
    ),
    Command(
        "block_on", "models:next_block", "block on", "The same stage of the next block", "walking",
        keys=("b",), shown="b", word="deeper", says="to the same stage of the next block",
    ),
    Command(
        "block_back", "models:back_block", "block back", "The same stage of the block before", "walking",
        keys=("B",), shown="B", word="shallower", says="to the same stage of the block before",
    ),
    Command(
        "pattern", "models:pattern", "pattern", "In a model: what the head at the cursor looks at", "reading",
        keys=("m",), shown="m", word="pattern", says="what a head of a model looks at",
        argument=Argument("word", "pattern 23.4"), slow=True,
    ),
    Command(
        "heads", "models:heads", "heads", "In a model: all heads of this block side by side", "reading",
        keys=("M",), shown="M", word="heads", says="all heads of a block of a model side by side",
        argument=Argument("word", "heads 23"), slow=True,
    ),
    Command(
        "sources", "models:sources", "sources", "In a model: what adds to the answer, heads and blocks", "reading",
        keys=("A",), shown="A", word="sources", says="what adds to a model's answer, or to a word",
        argument=Argument("word", "sources"), slow=True,
    ),
    Command(
        "word", "model_moves:word", "word", "In a model: the word that the pages are about, with its rank and chance",
        "reading",
        keys=("v",), shown="v", word="word", says="the word that a model's pages are about; without one, the answer",
        argument=Argument("text", "word Tokyo", "the word (empty: the answer)"), slow=True,
    ),
    Command(
        "effects", "models:effects", "effects", "In a model: the answer without each head of this block", "reading",
        keys=("E",), shown="E", word="effects", says="the answer's chance without each head of a block",
        argument=Argument("word", "effects 23"), slow=True,
    ),
    Command(
        "head_off", "models:toggle_head", "head off", "In a model: switch the head at the cursor off or on", "dials",
        keys=("x",), shown="x", word="off", says="switch a head of a model off, or on again",
        argument=Argument("word", "off 23.4"), slow=True,
    ),
    Command(
        "hand_on", "whatif:hand_on", "command line", "The command line that brings this state back", "dials",
        keys=("K",), shown="K",
        word="command", says="the command line that brings this state back",
    ),
    Command(
        "prompt", "dials:prompt", "prompt", "Change the prompt", "dials", keys=("i",), shown="i",
        word="prompt", says="another prompt", argument=Argument("text", "prompt {prompt}", "prompt"),
    ),
    Command(
        "other", "dials:other", "other", "Change the other sentence, in lessons that have one", "dials",
        keys=("I",), shown="I",
        word="other", says="another second sentence, in lessons that have one",
        argument=Argument("text", "", "other sentence"),
    ),
    Command(
        "ticket", "dials:ticket", "ticket", "Change the ticket, in lessons that draw one", "dials",
        keys=("T",), shown="T",
        word="ticket", says="another ticket, in lessons that draw one",
        argument=Argument("number", "ticket 0.4", "ticket"),
    ),
    Command(
        "scroll_up", FrontEnd("scroll_up"), "up", "Scroll up", "reading",
        keys=("left_square_bracket", "ctrl+up"), shown="[",
    ),
    Command(
        "scroll_down", FrontEnd("scroll_down"), "down", "Scroll down", "reading",
        keys=("right_square_bracket", "ctrl+down"), shown="]",
    ),
    Command(
        "big", FrontEnd("big"), "big", "The step alone in the middle, for a projector, and back", "reading",
        keys=("Z",), shown="Z",
    ),
    Command(
        "names", FrontEnd("names"), "names", "Cover the standard names of the sheet of names", "reading",
        keys=("H",), shown="H",
    ),
    Command(
        "wall", FrontEnd("wall"), "wall", "Read the wall of this stage, or fold it to one line", "reading",
        keys=("w",), shown="w",
    ),
    Command(
        "glossary", FrontEnd("glossary"), "glossary", "Plain names beside the standard ones", "reading",
        keys=("G",), shown="G",
        word="glossary", says="plain names and standard names", argument=Argument("word", "glossary query"),
    ),
    Command(
        "save", FrontEnd("save"), "save", "Save this stage as a picture and as text", "program",
        keys=("s",), shown="s",
    ),
    Command(
        "reload", FrontEnd("reload"), "reload", "Read the lesson file again, and stay at this place", "program",
        keys=("J",), shown="J",
        word="reload", says="read the lesson file again, and stay at this place",
    ),
    Command("theme", FrontEnd("theme"), "theme", "Choose other colours, light or dark", "program"),
    Command(
        "help", FrontEnd("help"), "help", "All keys", "program", keys=("question_mark", "f1"), shown="?", footer=7,
        word="help", aliases=("?",), says="this list",
    ),
    Command(
        "palette", FrontEnd("palette"), "palette", "Every action by its name", "program",
        keys=("ctrl+p",), shown="ctrl+p", palette=False,
    ),
    Command(
        "quit", FrontEnd("quit"), "quit", "Leave; you go on from here next time", "program",
        keys=("q",), shown="q", footer=8,
        word="quit", says="leave; what you did is kept",
    ),
    Command(
        "interrupt", FrontEnd("interrupt"), "copy, quit", "Copy the selection, or quit", "program",
        keys=("ctrl+c",), shown="ctrl+c", palette=False,
    ),
    Command(
        "escape", FrontEnd("escape"), "close", "Close the top layer; never the app", "program",
        keys=("escape",), shown="Esc", palette=False,
    ),
)  # fmt: skip

BY_ID: Mapping[str, Command] = {command.id: command for command in COMMANDS}
BY_WORD: Mapping[str, Command] = {
    word: command for command in COMMANDS for word in (command.word, *command.aliases) if word
}
WORDS: tuple[Command, ...] = tuple(command for command in COMMANDS if command.word)
"""What may be typed where there are no keys, in the order of its list of help."""

ARROWS = "Arrows move the cell cursor; in the pipeline they choose a stage"
OPENS = "a digit, sign, point, `(`, `=` or Enter"
OPENS_SAYS = "Open the answer line; until Enter or Esc every letter belongs to it"


def footer() -> Sequence[Command]:
    """What the footer shows, in its order: eight at most."""
    return sorted((command for command in COMMANDS if command.footer), key=lambda command: command.footer)


def command_of_letter(mark: str | None) -> str:
    """The id of the command that a letter is once a number has been judged; empty for what begins another number.

    `q` stays a letter: it never quits while something is typed.
    """
    found = (command.id for command in COMMANDS if mark and mark == command.shown and command.id != "quit")
    return next(found, "")


def readme_table() -> str:
    """The README's table of keys and words."""
    rows = [
        "| key | in plain mode | what it does |",
        "|---|---|---|",
        f"| arrows |  | {ARROWS} |",
        f"| {OPENS} |  | {OPENS_SAYS} |",
    ]
    for command in COMMANDS:
        if command.shown or command.word:
            keys = ", ".join(key for key in (_named(command.shown), command.also) if key)
            rows.append(f"| {keys} | {command.word} | {command.help} |")
    return "\n".join(rows)


def _named(shown: str) -> str:
    return "+".join(
        part.capitalize() if len(part) > 1 else part.upper() if "+" in shown else part for part in shown.split("+")
    )
