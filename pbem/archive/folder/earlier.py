"""The events that a reader saw in earlier stages.

A report begins with everything since the reader's last signed answer, and tells a battle whole that began
before this stage. So after three days one report is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from pbem.archive.folder.ended_stages import ended_at
from pbem.archive.folder.named_readers import apart_facts
from pbem.archive.folder.parts import Readable
from pbem.stages.views import PlayerView, known_to, told_to
from pbem.text.canonical import Json
from pbem.text.diagnostics import Refused
from pbem.trust.groups import Fact
from pbem.trust.records import Record


class Earlier(Protocol):
    """The known events of the stages before the current one."""

    def since(self, reader: str, record: Record) -> Sequence[Json]:
        """Return {stage, events} of earlier stages since the reader last signed something that counted.

        Oldest first; [] for a reader who never did.
        """

    def at(self, reader: str | None, stage: int) -> Sequence[Json]:
        """Return the events of a stage that a reader saw, in order; None: what is public."""


class _OfFolder:
    """The events in a folder; of private events those that it has kept."""

    def __init__(self, folder: Readable) -> None:
        self._folder = folder

    def since(self, reader: str, record: Record) -> list[Json]:
        stages = since_answer(reader, record, self._folder.record)
        return [{"stage": stage, "events": self.at(reader, stage)} for stage in stages]

    def at(self, reader: str | None, stage: int) -> list[Json]:
        try:
            return _events(self._folder, reader, stage)
        except Refused:  # late joiners and folders of older revisions lack some of them
            return []


def earlier(folder: Readable) -> Earlier:
    """Return the folder's knowledge of the stages before the current one."""
    return _OfFolder(folder)


def view_at(folder: Readable, stage: int, reader: str | None) -> PlayerView | None:
    """Return a reader's knowledge at the end of an earlier stage, from what this folder has kept.

    None if it has kept too little: then the whole history has to be computed.
    """
    roster = folder.need_roster()
    own = reader is None or (reader == folder.me and reader in roster.by_id)
    anybodys = reader in roster.by_id and (folder.knows_all or not folder.system.hidden)
    if not (own or anybodys) or folder.record(stage).closed:
        return None
    try:
        facts = [*ended_at(folder, stage).facts, *apart_facts(folder.private, stage)]
    except Refused:
        return None
    all_ = folder.me if folder.knows_all and reader == folder.me else ""
    known = known_to(facts, reader, roster.everybody, all_)
    events = told_to(folder.events(stage), known)
    return PlayerView(folder.system, roster.terms.scenario.name, reader, stage, known, events)


def since_answer(reader: str, record: Record, of: Callable[[int], Record]) -> list[int]:
    """Return the stages from the last with an answer of the reader to the one before the record."""
    last = stage = record.stage
    while not record.accepted.get(reader):
        stage -= 1
        if stage < 1:
            return []
        record = of(stage)
    return list(range(stage, last))


def _events(folder: Readable, reader: str | None, stage: int) -> list[Json]:
    facts: Sequence[Fact] = ()
    if reader is not None:
        try:
            facts = [fact for fact in ended_at(folder, stage).facts if fact.key.startswith("event/")]
        except Refused:  # older folders kept none: use what all were told
            facts = ()
        facts = [*facts, *apart_facts(folder.private, stage)]
    known = known_to(facts, reader, folder.need_roster().everybody, "")
    return [entry.event for entry in told_to(folder.events(stage), known)]
