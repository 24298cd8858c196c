"""Verbs for practice: sheets on paper."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from tui_attention.engine.errors import BadInput
from tui_attention.output import put
from tui_attention.verbs.queries import course_of, folder_of, scenario_from, variant_from


def worksheet(args: Namespace) -> int:
    """Write sheets and keys, and say where they are."""
    from tui_attention.models.opening import model_name
    from tui_attention.practice import sheets

    run = course_of(args, args.lesson)
    if model_name(run):
        raise BadInput(
            "a trained model asks nothing, so no sheet is made of it; a lesson was expected, such as inside-smollm2"
        )
    folder = folder_of(args.dir)
    wanted = variant_from(args)
    if wanted is not None and (args.variants is not None or args.names is not None):
        raise BadInput("--variant is for one sheet, --variants and --for are for many: one of them was expected")
    numbers: tuple[int, ...] = (run.variant,)
    if args.variants is not None:
        if not run.lesson.variants.count:
            raise BadInput(
                f"{run.lesson.id} has no variants; its author finds some with `tui-attention lint --variants`"
            )
        numbers = sheets.numbers_in(args.variants, run.lesson.variants.count)
    elif args.names is not None:
        chosen = sheets.of_names(args.lesson, sheets.names_in(Path(args.names)))
        numbers = tuple(sorted(set(chosen.values())))
        for name, number in chosen.items():
            put(f"{name}: variant {number}")
    stages = tuple(part.strip() for part in (args.stages or args.stage or "").split(",") if part.strip())
    order = sheets.Order(
        args.lesson,
        args.prompt,
        args.other,
        args.ticket,
        scenario_from(args),
        stages,
        args.paper,
        args.text,
    )
    made = list(sheets.write(folder, order, numbers))
    put(f"{len(made)} files in {folder}: {made[0]} to {made[-1]}")
    return 0
