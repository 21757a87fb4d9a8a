"""The files that a finished stage leaves in a folder, for the GM and for everybody else."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.parts import Readable
from pbem.model.state import dump
from pbem.stages.running import Kept, Opening, Run, Setting
from pbem.stages.views import blank_state, known_to, roster_facts
from pbem.text.canonical import Json
from pbem.trust import groups
from pbem.trust.records import Record

PUBLIC_FORMAT = "pbem-public/1"
Asked = Mapping[str, Sequence[str]]


def record_files(record: Record, events: Sequence[Json]) -> Changes:
    """Return `record.json` and `events.json`; stage 0 has no events."""
    stage = record.stage
    changes = Changes()
    changes.write(f"{layout.stage_name(stage)}/record.json", private_side.to_text(record.data))
    if stage > 0:
        lines = ",\n".join(json.dumps(event, ensure_ascii=False, sort_keys=True) for event in events)
        changes.write(f"{layout.stage_name(stage)}/events.json", f"[\n{lines}\n]\n" if lines else "[]\n")
    return changes


def run_files(setting: Setting, run: Run, *, gm: bool) -> Changes:
    """Return state and facts of a party that ran the stage itself: the GM, or anybody in an open game."""
    changes = Changes()
    text = dump(run.state.to_json())
    facts = roster_facts(run.facts, setting.audience)
    if setting.system.hidden:
        changes.write(private_side.STATE, text)
        _public_state(changes, setting, run.record, facts, run.asked)
    else:
        changes.write(layout.STATE, text)
        changes.write(private_side.STATE_COPY, text)
    changes.write(private_side.FACTS, facts_text(run.record, facts, text))
    if gm:
        changes.write(private_side.KEPT, private_side.to_text(kept_json(run.kept)))
    return changes


def view_files(setting: Setting, record: Record, facts: Sequence[groups.Fact], asked: Asked) -> Changes:
    """Return a player's files of a stage with hidden units: the player's view, and the public part.

    Without facts (an observer, or a dropped player) the owner does not know the public part of the
    position, so no file has it.
    """
    changes = Changes()
    if facts:
        _public_state(changes, setting, record, facts, asked)
    else:
        changes.remove(layout.STATE)
        changes.remove(private_side.STATE_COPY)
    everything = {key: value for key, value, _ in facts}
    changes.write(private_side.VIEW, dump(public_part(setting, record, everything, asked)))
    changes.write(private_side.FACTS, facts_text(record, facts, None))
    return changes


def _public_state(
    changes: Changes,
    setting: Setting,
    record: Record,
    facts: Sequence[groups.Fact],
    asked: Asked,
) -> None:
    known = known_to(facts, None, setting.roster.everybody, "")
    text = dump(public_part(setting, record, known, asked))
    changes.write(layout.STATE, text)
    changes.write(private_side.STATE_COPY, text)


def public_part(setting: Setting, record: Record, facts: Mapping[str, Json], asked: Asked) -> dict[str, Json]:
    """Return the public part of a state, in the layout of a state.

    `asked`: who is asked next, and what.
    """
    roster = setting.roster
    blank = blank_state(setting.system, roster.terms.scenario.name)
    game: dict[str, Json] = {
        "id": roster.game,
        "title": roster.terms.title,
        "stage": record.stage,
        "head": record.head,
        "asked": {party: list(keys) for party, keys in asked.items()},
    }
    return {
        "format": PUBLIC_FORMAT,
        "rules": blank.rules,
        "game": game,
        "scenario": blank.scenario,
        "options": blank.options,
        "players": list(blank.players),
        "facts": _table(facts),
    }


def _table(facts: Mapping[str, Json]) -> dict[str, Json]:
    """Return facts by section (`counter`, `track`, ...), so that each gets a line of its own."""
    table: dict[str, dict[str, Json]] = {}
    for key in sorted(facts):
        section, _, name = key.partition("/")
        table.setdefault(section, {})[name] = facts[key]
    return {**table}


def facts_text(record: Record, facts: Sequence[groups.Fact], state: str | None) -> str:
    """Return `private/facts.json`: the owner's newest facts, one a line, with the state's digest."""
    lines = ",\n".join(
        json.dumps([key, value, list(audience)], ensure_ascii=False) for key, value, audience in facts
    )
    digest = f'"state": "{sha256(state.encode()).hexdigest()}",\n' if state is not None else ""
    return f'{{"stage": {record.stage},\n{digest}"facts": [\n{lines}\n]}}\n'


def kept_json(kept: Kept) -> dict[str, Json]:
    """Return openings that wait for their request, as the GM keeps them."""
    return {
        party: {
            commit: {"stage": opening.stage, "nonce": opening.nonce, "value": opening.value}
            for commit, opening in by_commit.items()
        }
        for party, by_commit in kept.items()
    }


def kept_from(data: Mapping[str, Mapping[str, Any]] | None) -> Kept:
    """Return the openings of `kept_json`; {} if there is no file."""
    return {
        party: {commit: Opening(e["stage"], e["nonce"], e["value"]) for commit, e in by_commit.items()}
        for party, by_commit in (data or {}).items()
    }


def older_views(folder: Readable, stage: int, rev: int) -> Changes:
    """Return files that keep the previous report's sealed views under its revision (17.16)."""
    changes = Changes()
    for party, older, name in layout.view_files(folder.root, stage):
        if older is None:
            data = layout.read(folder.root, name, layout.BLOB_LIMIT)
            changes.write(layout.view_name(stage, party, rev), data or b"")
    return changes
