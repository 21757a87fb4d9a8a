"""Saved states of earlier formats, made into today's: one pure function a step, from JSON to JSON.

A step has a module of its own, `v1_to_v2.py`, and an entry in `STEPS` under the format it reads; `FORMAT`
in `model.state` is the format the last one gives. A step runs only at a checkpoint, where no leaf is open:
a journal replays under the format it was written in. With each step comes a game of the old format in
`tests/fixtures`. There is only one format so far, so there are no steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

Step = Callable[[dict[str, Any]], dict[str, Any]]
STEPS: dict[str, Step] = {}


def migrate(data: Mapping[str, Any], wanted: str) -> dict[str, Any]:
    """Return the data in the format `wanted`.

    Refused if no steps lead there: the format is of a later program or none of ours; or if a leaf is open.
    """
    format_, made = data.get("format"), dict(data)
    while made.get("format") != wanted:
        step = STEPS.get(str(made.get("format")))
        if step is None:
            help_ = (Message("model.migrations.later-pbem-may-read-pbem"),)
            message = Message("model.migrations.unknown-format", found=repr(format_), wanted=wanted)
            raise Refused([Diagnostic("unknown-format", message, help=help_)])
        if made.get("open"):
            message = Message("model.migrations.open-leaf", found=repr(format_))
            help_ = (Message("model.migrations.play-pbem-wrote-until-next"),)
            raise Refused([Diagnostic("open-leaf", message, help=help_)])
        made = step(made)
    return made
