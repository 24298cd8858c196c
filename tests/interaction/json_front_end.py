"""A front end that speaks JSON: an object in for a command or an answer, an object out. It knows the core alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tui_attention.interaction.controller import LessonController


def converse(core: LessonController, lines: Iterable[str]) -> Iterator[str]:
    """`{"do": "goto", "argument": "a"}`, `{"answer": "0.58"}` or `{"answer": "0.58", "cell": "a[0,0]"}`."""
    for line in lines:
        asked: dict[str, Any] = json.loads(line)
        if "do" in asked:
            reply = core.do(asked["do"], asked.get("argument", ""))
        else:
            reply = core.answer(asked["answer"], asked.get("cell"))
        now, asking = core.visible, core.asking()
        yield json.dumps(
            {
                "changes": [change.what for change in reply.changes],
                "messages": [message._asdict() | {"cells": [*map(str, message.cells)]} for message in reply.messages],
                "stage": now.stage.id,
                "step": now.place.step,
                "covered": now.cover,
                "asks": {"kind": asking.kind, "text": asking.ask, "decimals": asking.decimals},
                "tensors": {name: now.view(name).texts.tolist() for name in now.names()},
            }
        )
