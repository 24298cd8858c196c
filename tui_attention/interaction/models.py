"""What people look for in a trained model: patterns, the lens by block, what adds to the answer, what is missed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tui_attention.engine.errors import BadInput
from tui_attention.interaction.dials import anew
from tui_attention.interaction.messages import PageLine, Reply, ReplyPage, notice
from tui_attention.walk.refs import CellRef

if TYPE_CHECKING:
    from tui_attention.engine.graph import Graph
    from tui_attention.interaction.controller import LessonController
    from tui_attention.models.files import FloatArray
    from tui_attention.models.graph import ModelGraph
    from tui_attention.models.running import Rows

SHADES = " .:-=+*#%@"
"""From no share to all of it, one mark for each token."""
SHOWN = 14
_BY_HEAD = ("qh", "qn", "qr", "kk", "vv", "dots", "scores", "shares", "heads")
_BY_KEY_HEAD = ("kh", "vh", "kn", "kr")


@dataclass(frozen=True, slots=True)
class Looked:
    """A model's graph with the float32 rows of all blocks, and the answer at the last place."""

    graph: ModelGraph
    rows: Rows
    logits: FloatArray

    @property
    def answer(self) -> int:
        return int(np.argmax(self.logits))

    def chance(self, token: int) -> float:
        from tui_attention.models.running import shares_of

        return float(shares_of(self.logits)[token])

    def text(self, token: int) -> str:
        from tui_attention.models.inspection import token_text

        return repr(token_text(self.graph.painted, token))

    @property
    def labels(self) -> tuple[str, ...]:
        return self.graph.tokens

    @property
    def blocks(self) -> int:
        return self.graph.house.checkpoint.spec.blocks

    def ranks(self, token: int) -> list[int]:
        """A token's place among all at the last token: after the embedding, and after each block."""
        from tui_attention.models.inspection import ranks_of

        last = np.stack([output[-1] for output in self.rows.outputs])
        return ranks_of(self.graph.painted.logits(last), token)


def uncovered(core: LessonController) -> ModelGraph:
    """The model at hand. Raises BadInput for a lesson, and while the numbers are covered."""
    from tui_attention.models.graph import ModelGraph

    graph = core.walk.opened.run.graph
    if not isinstance(graph, ModelGraph):
        raise BadInput("this is a lesson; only a trained model (`tui-attention model PATH`) has this page")
    if core.visible.cover or core.walk.held:
        raise BadInput("the numbers are covered, and this would give them away; uncover first")
    return graph


def look_here(core: LessonController) -> Looked:
    """The model at hand, worked out. Raises BadInput as `uncovered`."""
    return look_at(core, uncovered(core))


def look_at(core: LessonController, graph: Graph) -> Looked:
    """A model with the float32 rows of all its blocks, worked out block by block."""
    from tui_attention.models.graph import ModelGraph

    assert isinstance(graph, ModelGraph)
    rows = graph.painted_rows()
    for _ in core.slices(graph.painted.rest(rows), graph.house.checkpoint.spec.blocks - len(rows.past)):
        pass
    return Looked(graph, rows, graph.painted.next_logits(rows))


def block_at_hand(core: LessonController) -> int:
    """The block of the stage at hand; the last one behind the blocks, the first before them."""
    visible = core.visible
    match = re.fullmatch(r"block-(\d+)", visible.stage.block)
    if match:
        return int(match[1])
    return 0 if visible.place.stage == 0 else len(visible.blocks) - 1


def _head_at_hand(core: LessonController, argument: str) -> tuple[int, int]:
    """The head that is named (`23.4`), or that of the cell pointed at. Raises BadInput."""
    from tui_attention.models.inspection import parse_head

    graph = uncovered(core)
    spec = graph.house.checkpoint.spec
    if argument:
        return parse_head(argument, spec)
    return block_at_hand(core), _head_of(graph, core.focus) or 0


def _head_of(graph: ModelGraph, cell: CellRef | None) -> int | None:
    """The head that a cell belongs to: of those that share keys and values, the first. None where it is no head's."""
    local = None if cell is None else graph.house.locals.get(cell.tensor)
    if cell is None or local is None:
        return None
    spec = graph.house.checkpoint.spec
    share = spec.heads // spec.kv_heads
    if local.name in _BY_HEAD:
        return cell.index[0]
    if local.name in _BY_KEY_HEAD:
        return cell.index[0] * share
    if local.name in ("q", "blend"):
        return cell.index[1] // spec.head_width
    return cell.index[1] // spec.head_width * share if local.name in ("k", "v") else None


# ---------------------------------------------------------------- attention


def pattern(core: LessonController, argument: str) -> Reply:
    """What a head looks at: one line for each query, a shade for each key, and the keys with the largest shares."""
    block, head = _head_at_hand(core, argument)
    look = look_here(core)
    shares = look.graph.painted.trace(look.rows, block)["shares"][head]
    wide = max(map(len, look.labels))
    lines = [
        PageLine("A line for each query, a mark for each key: from ' ' (nothing) to '@' (all).", "caption"),
        PageLine(f"{'':<{wide}}  share on token 0, where a head rests that finds nothing", "caption"),
    ]
    for place, row in enumerate(shares):
        lines.append(_pattern_line(look, row[: place + 1], f"{look.labels[place]:<{wide}}", (block, head, place)))
    return Reply(page=ReplyPage(f"head {block}.{head}", tuple(lines)))


def _pattern_line(look: Looked, row: FloatArray, lead: str, where: tuple[int, int, int]) -> PageLine:
    block, head, place = where
    strip = "".join(SHADES[min(len(SHADES) - 1, int(share * len(SHADES)))] for share in row[-40:])
    best = [int(key) for key in np.argsort(-row)[:3] if key > 0 and row[key] >= 0.01]
    named = "  ".join(f"{look.labels[key]} {row[key]:.2f}" for key in best)
    ref = CellRef(f"shares_{block}", (head, place, best[0] if best else 0))
    return PageLine(f"{lead}  {row[0]:.2f}  |{strip}|  {named}".rstrip(), "number", ref)


def heads(core: LessonController, argument: str) -> Reply:
    """All heads of the block side by side, at the last place."""
    from tui_attention.models.looking import entropy

    look, block = look_here(core), _block_of(core, argument)
    shares = look.graph.painted.trace(look.rows, block)["shares"][:, -1]
    bits = entropy(shares)
    last = len(look.labels) - 1
    lines = [PageLine("From the last token: how spread the look is, the share on token 0, each key.", "caption")]
    for head, row in enumerate(shares):
        lead = f"{block}.{head:<2} {bits[head]:4.1f} bits"
        lines.append(_pattern_line(look, row, lead, (block, head, last)))
    return Reply(page=ReplyPage(f"the heads of block {block}", tuple(lines)))


def _block_of(core: LessonController, argument: str) -> int:
    spec = look_here(core).graph.house.checkpoint.spec
    if not argument.strip():
        return block_at_hand(core)
    if not re.fullmatch(r"\d{1,4}", argument.strip(), re.ASCII) or int(argument) >= spec.blocks:
        raise BadInput(f"there is no block {argument.strip()[:20]!r}; 0 to {spec.blocks - 1} are legal")
    return int(argument)


# ---------------------------------------------------------------- the answer


def token_of(look: Looked, word: str) -> tuple[int, str]:
    """The token that a person means by a word: that with a blank before it where there is such, but what stands in
    double quotes as it is written. Also a note where the word has more tokens. Raises BadInput.
    """
    from tui_attention.models.inspection import prompt_ids, word_id

    model = look.graph.painted
    if len(word) > 2 and word[0] == word[-1] == '"':
        return word_id(model, word[1:-1])
    if model.checkpoint.tokenizer is not None and len(prompt_ids(model, f" {word}")[0]) == 1:
        word = f" {word}"
    return word_id(model, word)


def _whose(core: LessonController, look: Looked, argument: str) -> tuple[int, str]:
    """The token that a page is about, and a note: the word that is named, else the one that was chosen, else the
    answer. Raises BadInput.
    """
    word = argument or core.word
    return token_of(look, word) if word else (look.answer, "")


def block_lens(core: LessonController, argument: str) -> Reply:
    """What the last place would answer after each block, and the rank of the answer or of a word."""
    from tui_attention.models.inspection import lens

    look = look_here(core)
    whose, note = _whose(core, look, argument)
    lines = [PageLine(note, "caption")] if note else []
    lines.append(PageLine(f"{'after':<10} first{'':12}    p    rank of {look.text(whose)}", "caption"))
    for entry in lens(look.graph.painted, look.rows, whose):
        first = repr(entry["token"])
        ref = None if entry["after"] == "embedding" else CellRef(f"x2_{entry['after']}", (len(look.labels) - 1, 0))
        says = f"{entry['after']!s:<10} {first:<16} {entry['p']:6.3f}   {entry['rank']:,}"
        lines.append(PageLine(says, "good" if entry["rank"] == 1 else "number", ref))
    return Reply(page=ReplyPage("logit lens, block by block", tuple(lines)))


def next_words(core: LessonController) -> Reply:
    """The likeliest next tokens, at the temperature and with the cuts that are set."""
    from tui_attention.whatif.next_token import choose

    look = look_here(core)
    choice = choose(look.logits.astype(np.float64), core.sampling, _ticket(core))
    lines = [PageLine(told) for told in choice.notices]
    for token in np.argsort(-look.logits)[:SHOWN]:
        mark = "  <- taken" if token == choice.token else ""
        bar = "#" * round(30 * float(choice.chances[token]))
        says = f"{look.text(int(token)):<16} {choice.chances[token]:.4f}  {look.logits[token]:8.3f}  {bar}{mark}"
        lines.append(PageLine(says, "good" if mark else "number"))
    return Reply(page=ReplyPage("next token", tuple(lines)))


def write_token(core: LessonController) -> Reply:
    """Append the next token to the prompt; the rows of the tokens before it are kept."""
    from tui_attention.models.inspection import token_text
    from tui_attention.whatif.next_token import choose

    look = look_here(core)
    token = choose(look.logits.astype(np.float64), core.sampling, _ticket(core)).token
    made = core.walk.opened.run.with_graph(look.graph.written(token))
    text = token_text(look.graph.painted, token)
    says = f"{text!r} is written; the rows of the {len(look.labels)} tokens before are kept."
    core.drawn += 1
    return core.applied(lambda: anew(core, core.walk.change(made), says))


def _ticket(core: LessonController) -> float:
    from tui_attention.whatif.next_token import ticket_of

    return ticket_of(core.seed if core.seed is not None else 0, core.drawn)


def sources(core: LessonController, argument: str) -> Reply:
    """What each head and MLP adds to the answer's logit directly, or to that of a word; the largest first."""
    from tui_attention.models.looking import direct

    look = look_here(core)
    token, note = _whose(core, look, argument)
    steps = core.slices(direct(look.graph.painted, look.rows, token), look.graph.house.checkpoint.spec.blocks + 2)
    parts = [part for step in steps for part in step]
    lines = [PageLine(note, "caption")] if note else []
    total = sum(part.logit for part in parts)
    lines += [
        PageLine(f"The parts of the last row add up to the logit of {look.text(token)}, {total:.2f}.", "caption"),
        PageLine(
            "A part is BLOCK.HEAD, or what a block's MLP adds. Enter goes there; E tells what is missed", "caption"
        ),
        PageLine("without each part of the block, which is another question.", "caption"),
    ]
    largest = sorted(parts, key=lambda part: -abs(part.logit))[:SHOWN]
    lines += [_source_line(look, part.name, part.logit) for part in largest]
    return Reply(page=ReplyPage("what adds to the answer", tuple(lines)))


def _source_line(look: Looked, name: str, logit: float) -> PageLine:
    """A part with what it adds; of a head also where it looks from the last token."""
    block, _, head = name.partition(".")
    says, ref = f"{name:<10} {logit:+8.3f}", _ref_of(look, name)
    if head.isdigit() and ref is not None:
        share = look.graph.painted.trace(look.rows, int(block))["shares"][int(head), -1, ref.index[-1]]
        says += f"   looks at {look.labels[ref.index[-1]]} {share:.2f}"
    return PageLine(says, "number", ref)


def effects(core: LessonController, argument: str) -> Reply:
    """What becomes of the answer's chance without each head and part of a block; the largest change first."""
    from tui_attention.models.lesson import PARTS
    from tui_attention.models.looking import head_effects

    look, block = look_here(core), _block_of(core, argument)
    token, _ = _whose(core, look, "")
    without = head_effects(look.graph.painted, look.rows, token, block)
    count = look.graph.house.checkpoint.spec.heads + len(PARTS)
    found = sorted(core.slices(without, count), key=lambda effect: -abs(effect.change))
    lines = [PageLine(f"chance of {look.text(token)}: {found[0].before:.3f}; without", "caption")]
    for effect in found:
        says = f"{effect.name:<10} {effect.after:.3f}   {effect.change:+.3f}"
        lines.append(PageLine(says, "number", _ref_of(look, effect.name)))
    return Reply(page=ReplyPage(f"what block {block} did to the answer", tuple(lines)))


def _ref_of(look: Looked, name: str) -> CellRef | None:
    """The cell that a part's line leads to: the largest share of a head, the first number of a part's row."""
    block, _, part = name.partition(".")
    last = len(look.labels) - 1
    if part.isdigit():
        row = look.graph.painted.trace(look.rows, int(block))["shares"][int(part), -1]
        keys = row[1:] if len(row) > 1 else row
        return CellRef(f"shares_{block}", (int(part), last, int(np.argmax(keys)) + (len(row) > 1)))
    if part:
        return CellRef(f"{'y' if part == 'attn' else 'm'}_{block}", (last, 0))
    return None


def toggle_head(core: LessonController, argument: str) -> Reply:
    """Switch the head at the cursor off, or on again: every number behind it is worked out anew."""
    from tui_attention.models.graph import ModelGraph
    from tui_attention.whatif.scenario import throw

    name = argument or _pointed(core)
    run = core.walk.opened.run
    thrown = run.graph.program.switched
    rest = tuple(one for one in thrown if one != name)
    look = look_here(core)
    made = throw(run, rest if name in thrown else (*rest, name))
    assert isinstance(made.graph, ModelGraph)
    answer, _ = _whose(core, look, "")
    before = look.chance(answer)
    after = look_at(core, made.graph).chance(answer)  # before the change: until then it can be left
    told = "is on again" if name in thrown else "is off"
    says = f"{name} {told}: the chance of {look.text(answer)} goes from {before:.3f} to {after:.3f}."
    return core.applied(lambda: anew(core, core.walk.change(made), says))


def _pointed(core: LessonController) -> str:
    """The head of the cell that is pointed at. Raises BadInput where it is no head's."""
    head = _head_of(uncovered(core), core.focus)
    if head is None:
        raise BadInput(
            "a number of a head was expected here, such as a share; `M` lists the heads, Enter goes to one"
        )
    return f"{block_at_hand(core)}.{head}"


# ---------------------------------------------------------------- through the blocks


def next_block(core: LessonController, argument: str) -> Reply:
    """To the same stage of the next block."""
    return _beside(core, 1)


def back_block(core: LessonController, argument: str) -> Reply:
    """To the same stage of the block before."""
    return _beside(core, -1)


def _beside(core: LessonController, by: int) -> Reply:
    stage = core.visible.stage.id
    match = re.fullmatch(r"(.+)_(\d+)", stage)
    wanted = f"{match[1]}_{int(match[2]) + by}" if match else ""
    if not any(known.id == wanted for known in core.visible.stages):
        return notice("There is no block on that side.")
    change = core.walk.goto(wanted)
    core.arrive()
    return Reply((change,))


__all__ = [
    "back_block", "block_lens", "effects", "heads", "next_block", "next_words", "pattern", "sources",
    "toggle_head", "write_token",
]  # fmt: skip
