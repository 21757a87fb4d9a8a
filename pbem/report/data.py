"""The turn report as data, for programs: the same events, dice, position and questions as in the text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.model.events import Told
from pbem.report import ledger
from pbem.report.reader import Meta, View, story
from pbem.report.text import summary


def as_json(reader: str | None, told: Iterable[Told], view: View, meta: Meta) -> dict[str, Any]:
    """What the report says, as plain data: events with their sentences, dice, position, questions."""
    seen = story(told, reader, umpire=meta.umpire)
    rolls = ledger.entries([one.event for one in seen], meta.stage, view.players, view.wording)
    return {
        "format": "pbem-report/1",
        "reader": reader,
        "title": meta.title,
        "game": meta.game,
        "system": meta.system,
        "stage": meta.stage,
        "place": meta.place,
        "players": {player: meta.names.get(player, player) for player in view.players},
        "summary": summary(reader, seen, view, meta),
        "events": [{"text": view.wording.event(one.event), **one.event} for one in seen],
        "dice": ledger.as_json(rolls),
        "position": view.position.to_json(),
        "asked": [
            {
                "party": asked.party,
                "decision": asked.kind,
                "text": view.wording.question(asked.kind, {"player": asked.party, **asked.fields}),
                "rule": asked.rule,
                "secret": asked.secret,
                "command": asked.command,
            }
            for asked in meta.asked
        ],
        "waiting": list(meta.waiting),
        "due": meta.due,
        "refused": list(meta.refused),
        "finished": meta.finished,
        "made_from": dict(sorted(meta.digests.items())),
        "command": meta.command,
    }
