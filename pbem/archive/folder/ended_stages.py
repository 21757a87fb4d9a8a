"""The ends of earlier stages on the private side: for rewinds, corrections, and takeovers.

A file a stage, `private/past/0012.z`: state, facts and kept openings as their files held them, compressed.
A folder of an earlier revision has none; there the newest stage can be read from the files themselves.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.stage_files import kept_from, kept_json
from pbem.model import state as states
from pbem.model.facts import PUBLIC, Fact
from pbem.model.state import GameState
from pbem.stages.inputs import Kept, Setting
from pbem.stages.running import Run
from pbem.stages.views import roster_facts
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import groups

_LIMIT = 64 << 20


@dataclass(frozen=True)
class EndedStage:
    """The owner's knowledge at the end of a stage; no state where the owner may not know it."""

    facts: Sequence[groups.Fact]
    state: GameState | None = None
    kept: Kept | None = None


def ended_by(setting: Setting, run: Run) -> EndedStage:
    """Return the end of a run that has just finished."""
    return EndedStage(roster_facts(run.facts, setting.audience), run.state, run.kept)


def ended_file(stage: int, past: EndedStage) -> Changes:
    """Return the file that keeps how a stage ended."""
    data: dict[str, Any] = {"facts": [list(fact) for fact in past.facts]}
    if past.state is not None:
        data["state"] = past.state.to_json()
    if past.kept is not None:
        data["kept"] = kept_json(past.kept)
    changes = Changes()
    changes.write(_name(stage), zlib.compress(json.dumps(data, sort_keys=True).encode(), 6))
    return changes


def forgotten(stage: int) -> Changes:
    """Return what removes the file of a stage that was played and no longer counts."""
    changes = Changes()
    changes.remove(_name(stage))
    return changes


def ended_at(folder: Readable, stage: int) -> EndedStage:
    """Return how a stage ended; Refused if it is not known here."""
    path = folder.root / _name(stage)
    if path.is_file():
        try:
            reader = zlib.decompressobj()
            data = json.loads(reader.decompress(path.read_bytes(), _LIMIT))
        except (zlib.error, ValueError):
            raise Refused(
                Diagnostic("damaged-file", Message("archive.adjudicating.damaged-file", path=_name(stage)))
            ) from None
        return _read(data)
    if stage == folder.stage:
        complete = folder.knows_all or not folder.system.hidden
        kept = kept_from(folder.private.json(private_side.KEPT)) if folder.knows_all else {}
        return EndedStage(folder.facts(), folder.state() if complete else None, kept)
    message = Message("archive.folder.no-past", stage=stage, name=_name(stage))
    help_ = (Message("archive.folder.stages-that-earlier-revision-of-pbem-played-were"),)
    raise Refused(Diagnostic("no-past", message, help=help_))


def engine_facts(setting: Setting, facts: Sequence[groups.Fact]) -> tuple[Fact, ...]:
    """Return the facts with audiences as the engine names them: the reverse of `roster_facts`."""
    everybody, gm = setting.roster.everybody, setting.roster.terms.arbiter
    return tuple(
        Fact(
            key,
            value,
            PUBLIC if audience == everybody else tuple(reader for reader in audience if reader != gm),
        )
        for key, value, audience in facts
    )


def _name(stage: int) -> str:
    return f"{layout.PRIVATE}/past/{stage:04d}.z"


def _read(data: Mapping[str, Any]) -> EndedStage:
    facts = [groups.Fact(key, value, tuple(audience)) for key, value, audience in data["facts"]]
    state = states.from_json(data["state"]) if "state" in data else None
    return EndedStage(facts, state, kept_from(data["kept"]) if "kept" in data else None)
