"""One learner's walk through a lesson, kept: opened where it was left, written down after each change.

The app and the plain shell both work on a `Session`; neither knows the store.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from tui_attention.engine.errors import BadInput, LessonError
from tui_attention.engine.tensor import address
from tui_attention.lessons.load import Shelf, names
from tui_attention.lessons.run import LessonRun, on_variant
from tui_attention.models.opening import GUIDED
from tui_attention.options import Options
from tui_attention.session.persistence import SENTENCE, SavedInputs, StoreObserver
from tui_attention.store import Draft, Store, default_path, valid_learner
from tui_attention.walk.places import Place
from tui_attention.walk.view import DIGITS
from tui_attention.walk.walk import Walk
from tui_attention.whatif.scenario import Scenario, open_scenario, throw


class Opens(Protocol):
    """Opens a lesson with inputs, a variant and a scenario: `open_scenario`, or somebody's own way, which decides by
    itself what may be opened where files are switched off.
    """

    def __call__(
        self,
        lesson: str,
        prompt: str | None = None,
        other: str | None = None,
        ticket: float | None = None,
        *,
        scenario: Scenario | None = None,
        variant: int | str | None = None,
    ) -> LessonRun: ...


class Session:
    """An open lesson and the store behind it.

    `walk` is the learner's walk; every change of it is on the disk when the call that made it returns. `resumed`
    tells whether the walk goes on from where it was left rather than from the first stage.
    """

    def __init__(
        self,
        options: Options,
        store: Store,
        run: LessonRun | None = None,
        *,
        own_variant: str = "",
        opens: Opens = open_scenario,
    ) -> None:
        """`run` is what the options ask for; None: the lesson that was open last, or the first one. `own_variant` is
        the name whose variant is begun with, wherever a lesson has variants. `opens` opens lessons.
        """
        self.options = options
        self._opens = opens
        self._own_variant = own_variant
        self._ready: tuple[str, LessonRun] | None = None
        self._store = store
        self._observer, self.walk, self.resumed = self._opened(options, run)

    @property
    def store(self) -> Store:
        """What is kept of the learner, in all lessons."""
        return self._store

    @property
    def trouble(self) -> str | None:
        """One sentence when progress cannot be kept or a damaged file was set aside; it may come at any time."""
        return self._store.trouble

    @property
    def saves(self) -> bool:
        """Whether what is done now is still there at the next start."""
        return self._store.saves

    @property
    def lesson(self) -> str:
        """The name under which the lesson is kept: its id, or the path of its file."""
        return self._observer.lesson

    # ------------------------------------------------------------ opening

    @property
    def shelf(self) -> Shelf:
        """Where own lessons stand, the folder of the open one included."""
        return Shelf(self.options.lessons).beside(self.options.lesson)

    def kept_at(self, name: str) -> str:
        """Where the lesson is whose progress is kept under `name`. Raises BadInput where it is not here."""
        return self.shelf.kept(name, paths=self.options.files)

    def reload(self) -> Walk:
        """The open lesson read again from its file, on the inputs it has now.

        Raises BadInput or LessonError, and then nothing changes.
        """
        options = replace(self.options, lesson=self.lesson)
        self._observer, self.walk, self.resumed = self._opened(options, asked_course(options, self._opens))
        return self.walk

    def takes_time(self, name: str) -> bool:
        """Whether opening a lesson takes seconds, since its numbers are measured: `prepare` does that beside."""
        return name == GUIDED and (self._ready is None or self._ready[0] != name)

    def prepare(self, name: str) -> None:
        """Open another lesson without going over to it: `change_lesson` finds it. Raises BadInput or LessonError."""
        self._ready = name, asked_course(self._named(name), self._opens)

    def _named(self, name: str) -> Options:
        if self.options.lessons and name not in (*self.shelf.names(), GUIDED) and not Path(name).exists():
            raise BadInput(f"there is no lesson {name[:60]!r}; the lessons are: {' '.join(self.shelf.names())}")
        plain = replace(self.options, prompt=None, other=None, ticket=None, stage=None, scenario=None, variant=None)
        return replace(plain, lesson=self.shelf.resolved(name), named=True)

    def change_lesson(self, name: str) -> Walk:
        """Go over to another lesson, where it was left. Raises BadInput or LessonError, and then nothing changes."""
        options = self._named(name)
        ready = self._ready[1] if self._ready is not None and self._ready[0] == name else None
        self._observer, self.walk, self.resumed = self._opened(options, ready or asked_course(options, self._opens))
        self.options = options
        return self.walk

    def fresh_numbers(self) -> Walk:
        """The stage at hand anew, on the numbers of the next variant, with the same prompt; the record of this one is
        kept. Raises BadInput where the lesson has none.
        """
        here = self.walk.opened.run
        count = here.lesson.variants.count
        if not count:
            raise BadInput(f"{here.lesson.id} has no variants, so there are no fresh numbers")
        own, inputs = here.lesson.program.inputs, here.graph.inputs
        options = replace(
            self.options,
            lesson=self.lesson,
            named=True,
            prompt=None if inputs.prompt == own.prompt else inputs.prompt,
            other=None if inputs.other == own.other else inputs.other,
            ticket=None if inputs.ticket == own.ticket else inputs.ticket,
            stage=self.walk.stage.id,
            scenario=None,
            variant=here.variant % count + 1,
        )
        self._observer, self.walk, self.resumed = self._opened(options, asked_course(options, self._opens))
        return self.walk

    def _opened(self, options: Options, run: LessonRun | None) -> tuple[StoreObserver, Walk, bool]:
        name = options.lesson
        if run is None:
            name, run = self._remembered() or (name, self._opens(name))
        explicit = _explicit(options)
        observer = StoreObserver(self._store, key_of(name))
        start = None if explicit else observer.start()
        if start is None and not explicit and self._own_variant and run.lesson.variants.count:
            run = self._opens(name, variant=self._own_variant)
        run = as_left(run, start)
        left = self._store.load_place(observer.lesson)
        place = _place(run, options.stage, left.stage if left else "", left.step if left else 0)
        cover = options.cover is not False
        furthest = run.lesson.stage_index(observer.furthest())
        walk = Walk(
            run, cover=cover, learner=self._store.learner, place=place, furthest=max(0, furthest), observer=observer
        )
        digits = self.setting("digits")
        walk.digits = next((known for known in DIGITS if known == digits), walk.digits)
        turn_as_left(walk, start)
        observer.wake(walk)
        return observer, walk, left is not None and options.stage is None and walk.place != Place()

    def _remembered(self) -> tuple[str, LessonRun] | None:
        """The lesson that was open last, if it is still there and legal."""
        left = self._store.load_place()
        guarded = self.options.files or self._opens is not open_scenario or left is None or left.lesson in names()
        if left is None or not guarded:
            return None
        try:
            return left.lesson, self._opens(left.lesson)
        except (BadInput, LessonError, OSError):
            return None

    # ------------------------------------------------------------ what is kept beside the walk

    @property
    def draft(self) -> Draft | None:
        """The answer that was being typed when the lesson was left."""
        return self._store.load_draft(self.lesson)

    @property
    def drafts(self) -> tuple[Draft, ...]:
        """Every answer that was being typed, one for each question, the one typed last first."""
        return self._store.drafts(self.lesson)

    def save_draft(self, target: str, typed: str) -> None:
        """Keep a half-typed answer to a question (its key or address); the empty text lets it go.

        A question that is left for another keeps its draft; it is let go by itself when it is answered.
        """
        self._store.save_draft(self.lesson, target, typed)

    def sentences(self) -> dict[str, str]:
        """What was said last to each sentence CHECK, by its key."""
        said = (answer for answer in self._store.answers(self.lesson) if answer.verdict == SENTENCE)
        return {answer.cell: answer.typed for answer in said}

    def setting(self, name: str, default: str | None = None) -> str | None:
        """A setting of the learner, such as "theme" or "digits"."""
        return self._store.setting(name, default)

    def set_setting(self, name: str, value: str | None) -> None:
        """Keep a setting; None forgets it."""
        self._store.set_setting(name, value)

    def close(self) -> None:
        """Let go of the store; closing twice is fine."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_session(
    options: Options, path: Path | None = None, *, own_variant: str = "", opens: Opens = open_scenario
) -> Session:
    """The learner's session: the lesson that was named (or left last), at the step where it was left.

    `path` is the file of the learner's progress, by default the one in the user's data directory. `--prompt`,
    `--other`, `--ticket` and `--stage` stand above what was kept; naming any input leaves turned dials behind too.
    `own_variant` and `opens`: see `Session`. Raises BadInput or LessonError; never for the disk's sake.
    """
    # What is asked for is checked first: nothing is made on the disk for a command that is refused.
    run = asked_course(options, opens) if options.named or options.stage is not None or _explicit(options) else None
    store = open_store(options.learner, path, save=options.save)
    try:
        return Session(options, store, run, own_variant=own_variant, opens=opens)
    except BaseException:
        store.close()
        raise


def asked_course(options: Options, opens: Opens = open_scenario) -> LessonRun:
    """The lesson that the options name, with their inputs. Raises BadInput or LessonError."""
    if not options.files and opens is open_scenario and not _listed(options):
        raise BadInput(f"lesson files are switched off here; the lessons are: {' '.join(names())}")
    given = options.lesson, options.prompt, options.other, options.ticket
    opened = opens if options.memory is None else partial(open_scenario, megabytes=options.memory)
    run = opened(*given, scenario=options.scenario, variant=options.variant)
    if options.stage is not None:
        run.lesson.stage_named(options.stage)
    return run


def _listed(options: Options) -> bool:
    """Whether the lesson is one of the list, and no file that the learner named."""
    return options.lesson in names() or options.lesson in map(str, Shelf(options.lessons).files().values())


def _explicit(options: Options) -> bool:
    given = (options.prompt, options.other, options.ticket, options.scenario, options.variant)
    return any(one is not None for one in given)


def open_store(learner: str | None, path: Path | None = None, *, save: bool = True, make: bool = True) -> Store:
    """The learner's store; in memory without `save`, or where there is no file and none is to be made.

    Raises BadInput for a name that cannot be a learner's.
    """
    valid_learner(learner)
    where = (path or default_path(learner)) if save else None
    if where is not None and not make and not where.exists():
        where = None
    return Store.open(where, learner)


def key_of(name: str) -> str:
    """The name under which a lesson's progress is kept: its id, or the full path of its folder or file."""
    if name in names() or name == GUIDED:
        return name
    path = Path(os.path.realpath(name))  # a loop of links is no accident
    return str(path.parent if path.name == "lesson.toml" else path)


def as_left(run: LessonRun, start: SavedInputs | None) -> LessonRun:
    """The course with the inputs it was left with; its own where those are no longer legal."""
    if start is None:
        return run
    if start.variant:
        with contextlib.suppress(BadInput, LessonError):  # a variant that the lesson no longer has
            run = on_variant(run.lesson, start.variant)
    try:
        if run.graph.inputs != run.graph.inputs.changed(start.prompt, start.other, start.ticket):
            run = run.with_graph(run.graph.with_inputs(start.prompt, start.other, start.ticket))
        return throw(run, start.switched) if start.switched else run
    except BadInput:
        return run


def turn_as_left(walk: Walk, start: SavedInputs | None) -> None:
    """Turn the dials as they were left, one by one, so that they can be taken back one by one."""
    for name, index, value, decimals in start.turned if start else ():
        with contextlib.suppress(BadInput):  # a dial that the lesson no longer has
            walk.turn(address(name, index), value, decimals)


def _place(run: LessonRun, wanted: str | None, left: str, step: int) -> Place:
    """The stage that was asked for, else where the lesson was left. Raises BadInput for an unknown stage."""
    if wanted is None:
        stage = run.lesson.stage_index(left)
        return Place(stage, step) if stage >= 0 else Place()
    return Place(run.lesson.stage_named(wanted), 0)
