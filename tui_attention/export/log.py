"""The workshop log, line by line: its words are here, its numbers all come from the lesson."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from tui_attention.engine import formula
from tui_attention.engine.decimals import printed
from tui_attention.engine.tensor import Index, Tensor
from tui_attention.engine.working import line
from tui_attention.export.compare import Comparison, compare
from tui_attention.lessons.run import LessonRun

LESSON = "bank"
RULE = "=" * 72
HEAD_LINES = 5


@dataclass(frozen=True, slots=True)
class WrittenLog:
    """The log, and a note on what its measured lines rest on (empty where none is printed)."""

    lines: tuple[str, ...]
    note: str = ""


def write(run: LessonRun, stage: str | None = None, *, number: bool = False) -> WrittenLog:
    """The whole log, or with `stage` that stage's section alone; `number`: each line behind its number.

    For other sentences "bank" becomes the last word, and remarks that hold for the log's own sentences only are
    replaced by the numbers that they are about. The comparison is measured anew on seeded dials.
    """
    log = _Log(run)
    sections: dict[str, Callable[[], list[str]]] = {
        "toy-world": log.toy_world,
        "dots": log.dots,
        "raw": log.raw,
        "wired": log.wired,
        "scaling": log.scaling,
        "general": log.general,
    }
    # A section that nobody asked for is still counted, so that a line keeps its number.
    wanted = [name for name in sections if stage in (None, name)]
    counted = list(sections)[: list(sections).index(wanted[-1]) + 1] if number else wanted
    lines, first = log.head() if stage is None else [], 0
    for name in counted:
        section = ["", *sections[name](), *log.plots(name)]
        if name not in wanted:
            first += len(section)
        else:
            lines += section
    if stage is not None:
        lines, first = lines[1:], first + HEAD_LINES + 1
    if number:
        lines = [f"{place:>3}  {text}".rstrip() for place, text in enumerate(lines, first + 1)]
    return WrittenLog(tuple(lines), log.note() if "general" in wanted else "")


class _Log:
    """One printing of the log: the course, its words, and the comparison once it has been measured."""

    def __init__(self, run: LessonRun) -> None:
        self.run = run
        self.graph = run.graph
        self.first = self.tensor("X").axes[0].labels
        self.second = self.tensor("X2").axes[0].labels
        self.prompt, self.other = " ".join(self.first), " ".join(self.second)
        self.last, self.other_last = self.first[-1], self.second[-1]
        self.axes = self.tensor("words").axes[1].labels
        self.own_prompt = self.first == tuple(self.graph.program.inputs.prompt.split())
        self._comparison: Comparison | None = None

    # ------------------------------------------------------------ parts

    def tensor(self, name: str) -> Tensor:
        return self.graph.tensor(name)

    def fact(self, name: str) -> str:
        fact = self.run.lesson.facts[name]
        return printed(fact.value, fact.prints)

    def seed(self) -> int:
        """The first operand of the experiment's step."""
        step = self.graph.program.by_name["scaling"]
        match step.expr:
            case formula.Call(args=(formula.Num(value=seed), *_)):
                return int(seed)
        raise AssertionError("the step `scaling` begins with its seed")

    def comparison(self) -> Comparison:
        if self._comparison is None:
            self._comparison = compare(self.run, self.seed())
        return self._comparison

    def note(self) -> str:
        return f"note: the two max |difference| lines were measured on {self.comparison().inputs}"

    def plots(self, stage: str) -> list[str]:
        found = self.run.lesson.stages[self.run.lesson.stage_index(stage)].plots
        return [f"[plot saved: diagrams/{plot.file}.png]" for plot in found if plot.file]

    def row(self, name: str, *place: int, wide: int = 0) -> str:
        """`[0.185, 0.317, 0.498]`: the cells of the last axis; negative places count from the end."""
        tensor = self.tensor(name)
        lead = tuple(at % size for at, size in zip(place, tensor.shape, strict=False))
        cells = [tensor.text((*lead, last)) for last in range(tensor.shape[-1])]
        return f"[{', '.join(f'{cell:>{wide}}' for cell in cells)}]"

    def cell(self, name: str, *place: int) -> str:
        tensor = self.tensor(name)
        index: Index = tuple(at % size for at, size in zip(place, tensor.shape, strict=True))
        return tensor.text(index)

    def table(self, name: str) -> list[str]:
        tensor = self.tensor(name)
        rows, columns = (axis.labels for axis in tensor.axes)
        lines = [" " * 10 + "".join(f"{word:>8}" for word in columns)]
        for place, word in enumerate(rows):
            cells = (tensor.text((place, column)) for column in range(len(columns)))
            lines.append(f"    {word:<6}" + "".join(f"{cell:>8}" for cell in cells))
        return lines

    def named(self, name: str) -> str:
        """The last word's row, each number with its axis: `water=0.435  money=0.149`."""
        return "  ".join(f"{axis}={self.cell(name, -1, place)}" for place, axis in enumerate(self.axes))

    # ------------------------------------------------------------ sections

    def head(self) -> list[str]:
        torch = self.comparison().torch
        words = self.tensor("words").shape
        versions = (
            f"torch {torch}" if torch else "torch not installed",
            _version("numpy"),
            _version("matplotlib"),
            f"python {platform.python_version()}",
            f"seed {self.seed()}",
        )
        return [
            RULE,
            "LLM Self-Attention by Hand -- experiment log",
            " | ".join(versions),
            f"toy world: {words[0]}-word vocabulary, {words[1]} hand-named embedding axes",
            RULE,
        ]

    def toy_world(self) -> list[str]:
        words = self.tensor("words")
        rows = [
            f"  {word:<6}" + "".join(f"{self.cell('words', row, axis):>8}" for axis in range(len(self.axes)))
            for row, word in enumerate(words.axes[0].labels)
        ]
        return [
            "[S1] the toy world",
            f"embedding axes (hand-named): {', '.join(self.axes)}",
            "  word  " + "".join(f"{axis:>8}" for axis in self.axes),
            *rows,
            f'test sentences: "{self.prompt}"  /  "{self.other}"',
            f"note: '{self.last}' has exactly ONE row here, whichever sentence it is in",
        ]

    def dots(self) -> list[str]:
        # The neighbours before the last words, the first word, then the last word itself; each once.
        met = (*self.first[-2:-1], *self.second[-2:-1], self.first[0], self.last)
        partners = [*dict.fromkeys(word for word in met if word != self.last), self.last]
        lines = ["[S2] dot product and softmax, on their own"]
        for word in partners:
            name, index = self.graph.locate(f'word_dots["{self.last}","{word}"]')
            root = self.graph.working(name, index).root
            worked = f"{line(root)} = " if root is not None and word == partners[0] else ""
            lines.append(f"{self.last} . {word} = {worked}{self.tensor(name).text(index)}")
        total = printed(self.run.formula("sum(trio_shares)").scalar(), 6)
        sharp = self.tensor("sharp_shares").values
        remark = "one clear winner" if float(sharp.max()) > 0.8 else "no clear winner"
        return [
            *lines,
            f"softmax({self.row('trio')}) = {self.row('trio_shares')}   (sum = {total})",
            f"softmax(same scores x {self.factor()}) = {self.row('sharp_shares')}   ({remark})",
        ]

    def factor(self) -> str:
        """By how much the step `sharp_shares` multiplies the scores."""
        match self.graph.program.by_name["sharp_shares"].expr:
            case formula.Call(args=(formula.Binary(left=formula.Num(text=text)),)):
                return text
        raise AssertionError("the step `sharp_shares` begins with its factor")

    def raw(self) -> list[str]:
        same = f"'{self.last}' row identical in both sentences"
        if self.last != self.other_last:
            same = f"'{self.last}' row identical to the '{self.other_last}' row"
        whose = self.last if self.last == self.other_last else "last word"
        first, second = self.sentences()
        inside = max(len(self.prompt), len(self.other)) + 3
        water, money = self.axes[:2]
        symmetric = self.cell("S_symmetric")
        return [
            "[S3] attention with raw embeddings (no learned parts)",
            f"input check: {same} -> {self.cell('same_row')}",
            f'score matrix S = X @ X.T for "{self.prompt}":',
            *self.table("S"),
            f"symmetric? {symmetric} (S[i,j] always equals S[j,i] here)",
            f'attention weights (each row softmaxed) for "{self.prompt}":',
            *self.table("A"),
            f'attention weights for "{self.other}":',
            *self.table("A2"),
            f"{whose}'s output vector ({', '.join(self.axes)}):",
            f"  in {self.quoted(self.prompt):<{inside}}  {self.named('out')}",
            f"  in {self.quoted(self.other):<{inside}}  {self.named('out2')}",
            f"{water} vs {money}, {first} sentence: {self.cell('out', -1, 0)} vs {self.cell('out', -1, 1)}",
            f"{water} vs {money}, {second} sentence: {self.cell('out2', -1, 0)} vs {self.cell('out2', -1, 1)}",
        ]

    @staticmethod
    def quoted(sentence: str) -> str:
        return f'"{sentence}":'

    def sentences(self) -> tuple[str, str]:
        """A word for each sentence: the one before its last; "first" and "other" where these are the same."""
        first, second = ((*words[-2:-1], words[-1])[0] for words in (self.first, self.second))
        return (first, second) if first != second else ("first", "other")

    def wired(self) -> list[str]:
        channels = self.tensor("Wq").axes[1].labels
        rows = [
            f"  {word:<6} q = {self.row('Q', place, wide=5)}   k = {self.row('K', place, wide=5)}"
            for place, word in enumerate(self.first)
        ]
        return [
            "[S4] a hand-wired query/key head",
            f'queries and keys for "{self.prompt}" ({len(channels)} channels: {", ".join(channels)}):',
            *rows,
            "score matrix Q @ K.T:",
            *self.table("scores"),
            f"symmetric? {self.cell('scores_symmetric')}{self.both_ways()}",
            f"weights after dividing by sqrt({self.cell('d_k')}) and softmaxing each row:",
            *self.table("weights"),
            f"{self.last}'s row, raw vs wired:  {self.row('A', -1)} -> {self.row('weights', -1)}",
            f"'{self.first[0]}'s row, raw vs wired:  {self.row('A', 0)} -> {self.row('weights', 0)}",
            self.gaze(),
            f"{self.last}'s output vector: {self.named('mixed')}",
        ]

    def both_ways(self) -> str:
        """The score of the last word with the one before it, both ways; nothing for a single word."""
        if len(self.first) < 2:
            return ""
        before = self.first[-2]
        there, back = self.cell("scores", -1, -2), self.cell("scores", -2, -1)
        return f" ({self.last}->{before} = {there}, {before}->{self.last} = {back})"

    def gaze(self) -> str:
        """What the wiring changed: the log's words for its own sentence, else the largest shares."""
        if self.own_prompt:
            return "bank now takes half its update from 'river'; 'the' now looks at its noun"

        def largest(place: int) -> str:
            shares = self.tensor("weights").values[place]
            top = int(shares.argmax())
            return f"{self.cell('weights', place, top)} of its update from '{self.first[top]}'"

        more = f"; '{self.first[0]}' takes {largest(0)}" if len(self.first) > 1 else ""
        return f"{self.last} now takes {largest(-1)}{more}"

    def scaling(self) -> list[str]:
        tensor = self.tensor("scaling")
        rows = []
        for place, width in enumerate(tensor.axes[0].labels):
            std, root, unscaled, scaled = (tensor.text((place, column)) for column in range(4))
            rows.append(
                f"d = {width:>3}: dot-product std = {std:>5} (sqrt(d) = {root:>5}) | "
                f"avg top weight: unscaled = {unscaled}, scaled = {scaled}"
            )
        return [
            "[S5] why scores are divided by sqrt(d_k)",
            f"random q, k entries drawn from N(0,1); {self.fact('trial_keys')} keys per row; "
            f"{self.fact('trial_rows')} rows per size",
            *rows,
            "unscaled top weight heads for 1.0 (winner-take-all); scaled stays flat",
        ]

    def general(self) -> list[str]:
        found = self.comparison()
        sums = self.tensor("row_sums")
        turned = " ".join(self.tensor("Xr").axes[0].labels)
        width, head, heads, layers = map(self.fact, ("gpt2_width", "gpt2_head_width", "gpt2_heads", "gpt2_layers"))
        return [
            "[S6] the general head, checked against PyTorch",
            f"ours vs {found.label}:",
            f"  max |difference| = {found.gap:.2e}",
            "same comparison with the causal mask on both sides:",
            f"  max |difference| = {found.masked_gap:.2e}",
            "wired head with a causal mask (upper right forced to 0):",
            *self.table("causal_weights"),
            f"every row still sums to 1: {', '.join(sums.text((place,)) for place in range(sums.shape[0]))}",
            f'order-blindness: {self.last}\'s output in "{self.prompt}" equals its',
            f'  output in "{turned}" -> {self.cell("order_blind")} (real LLMs add position information)',
            f"one GPT-2 sized head: d_model = {width}, d_k = {head} -> "
            f"W_q + W_k + W_v = {self.cell('per_head')} numbers",
            f"{heads} heads x {layers} layers (+ output projections) -> {self.cell('gpt2_attention')} "
            f"attention parameters of GPT-2's ~{self.fact('gpt2_millions')}M",
        ]


def _version(package: str) -> str:
    """`numpy 2.2.6`, from what is installed, without importing it."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} not installed"
