"""The note that `verify` leaves in your own folder: the last stage proved, and its state.

A later `verify --since` begins there, if its user says so.

The note is in `private/`, so nobody else can have written it. Signatures, history and
dice of a stage are looked at again as well, unless no byte of it and those before it has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.archive.folder.changes import Changes
from pbem.archive.folder.layout import PRIVATE
from pbem.archive.folder.private_side import Private
from pbem.archive.folder.stage_files import kept_from, kept_json
from pbem.archive.verifying.sealed_stages import PROGRAM, Sealed
from pbem.model import state as states
from pbem.model.state import GameState
from pbem.stages.inputs import Kept
from pbem.stages.running import Run
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

NAME = f"{PRIVATE}/verified.json"
FORMAT = "pbem-verified/1"


@dataclass(frozen=True)
class Verified:
    """Proved results up to the end of a stage with this head, by rules with this digest.

    `sealed` is what was found of the first stages, by that version of this `program`. `texts`: reports for
    people were compared as well.
    """

    game: str
    stage: int
    head: str
    rules: str
    state: GameState
    kept: Kept
    sealed: tuple[Sealed, ...] = ()
    program: str = PROGRAM
    texts: bool = False

    def changes(self) -> Changes:
        """Return the file that holds the note."""
        changes = Changes()
        data: dict[str, Json] = {
            "format": FORMAT,
            "game": self.game,
            "stage": self.stage,
            "head": self.head,
            "rules": self.rules,
            "state": self.state.to_json(),
            "kept": kept_json(self.kept),
            "program": self.program,
            "texts": self.texts,
            "sealed": [sealed.to_json() for sealed in self.sealed],
        }
        changes.write(NAME, json.dumps(data) + "\n")
        return changes


def of_run(game: str, rules: str, run: Run, sealed: Iterable[Sealed], *, texts: bool) -> Verified:
    """Return the note after a game was played again to the end of a stage."""
    stage, state = run.record.stage, run.state
    return Verified(game, stage, run.head, rules, state, run.kept, tuple(sealed), texts=texts)


def read(side: Private) -> Verified:
    """Return the note of an earlier verify; Refused if there is none that can be used."""
    data = side.json(NAME)
    help_ = (Message("archive.verifying.verify-without-since-leaves-note"),)
    if data is None:
        raise Refused(Diagnostic("no-note", Message("archive.verifying.no-note"), help=help_))
    try:
        return _of(data)
    except (KeyError, TypeError, ValueError, AttributeError, Refused):
        message = Message("archive.verifying.damaged-file", name=NAME)
        raise Refused(Diagnostic("damaged-file", message, help=help_)) from None


def _of(data: Mapping[str, Any]) -> Verified:
    if data["format"] != FORMAT:
        raise ValueError(data["format"])
    state = states.from_json(data["state"])
    texts = [str(data[name]) for name in ("game", "head", "rules")]
    sealed = tuple(Sealed.of(stage_sealed) for stage_sealed in data.get("sealed", ()))
    kept, program = kept_from(data["kept"]), str(data.get("program", ""))
    stage, compared = int(data["stage"]), data.get("texts") is True
    return Verified(texts[0], stage, texts[1], texts[2], state, kept, sealed, program, compared)
