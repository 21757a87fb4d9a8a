"""The note that an own `verify` leaves: up to where the results were proved, and the state there. A later
`verify --since` begins from it, if its user says so.

The note lies in `private/`, so it is one's own word to oneself; nobody hands it over. Signatures, history and
dice are looked at from the first stage always: they cost little. Only playing again is spared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.archive.folder import private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.layout import PRIVATE
from pbem.archive.folder.private_side import Private
from pbem.archive.folder.stage_files import kept_from, kept_json
from pbem.model import state as states
from pbem.model.state import GameState
from pbem.stages.inputs import Kept
from pbem.stages.running import Run
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused

NAME = f"{PRIVATE}/verified.json"
FORMAT = "pbem-verified/1"


@dataclass(frozen=True)
class Verified:
    """Results were proved up to the end of a stage with this head, by rules with this digest."""

    game: str
    stage: int
    head: str
    rules: str
    state: GameState
    kept: Kept

    def changes(self) -> Changes:
        """The file that holds the note."""
        changes = Changes()
        data: dict[str, Json] = {
            "format": FORMAT,
            "game": self.game,
            "stage": self.stage,
            "head": self.head,
            "rules": self.rules,
            "state": self.state.to_json(),
            "kept": kept_json(self.kept),
        }
        changes.write(NAME, private_side.to_text(data))
        return changes


def of_run(game: str, rules: str, run: Run) -> Verified:
    """What is noted when a game was played again to the end of a stage."""
    return Verified(game, run.record.stage, run.head, rules, run.state, run.kept)


def read(side: Private) -> Verified:
    """The note of an earlier verify; Refused if there is none that can be used."""
    data = side.json(NAME)
    help_ = ("`pbem verify` without --since looks at everything, and leaves such a note",)
    if data is None:
        raise Refused(Diagnostic("no-note", "no earlier verify has left a note in this folder", help=help_))
    try:
        return _of(data)
    except (KeyError, TypeError, ValueError, AttributeError, Refused):
        message = f"{NAME} is damaged or of another version"
        raise Refused(Diagnostic("damaged-file", message, help=help_)) from None


def _of(data: Mapping[str, Any]) -> Verified:
    if data["format"] != FORMAT:
        raise ValueError(data["format"])
    state = states.from_json(data["state"])
    texts = [str(data[name]) for name in ("game", "head", "rules")]
    return Verified(texts[0], int(data["stage"]), texts[1], texts[2], state, kept_from(data["kept"]))
