"""A comparison of two records of one stage, for two players whose heads differ (12.1).

A record travels as the text of a signed protest: its author can't deny it, and no email program damages it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.archive.adjudicating import between_two
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.kept_aside import kept_aside
from pbem.archive.folder.parts import Readable
from pbem.archive.letters.protesting import protest
from pbem.stages.record_checks import first_difference
from pbem.stages.views import roster_facts
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.flow import flow
from pbem.text.messages import Message
from pbem.trust import records
from pbem.trust.accept import accept
from pbem.trust.armour import Signed
from pbem.trust.errors import BadRecord, NotAccepted
from pbem.trust.keys import Signer
from pbem.trust.records import Record
from pbem.trust.statements import MAX_FROM_PLAYER, Statement

if TYPE_CHECKING:
    from pbem.archive.folder.parts import Readable


FORMAT = "pbem-record/1"
_SHOWN = 300


@dataclass(frozen=True)
class Computed:
    """A stage as one party has computed it.

    `facts` are the public ones, empty where unknown.
    """

    by: str
    stage: int
    record: Record
    events: Sequence[Json] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)

    @property
    def head(self) -> str:
        """Return the head of the record."""
        return self.record.head

    def text(self) -> str:
        """Return the record as text; without the facts if they are too many for an email."""
        data: dict[str, Any] = {"format": FORMAT, "record": self.record.data, "events": list(self.events)}
        in_full = json.dumps(data | {"facts": dict(self.facts)}, sort_keys=True)
        short = len(in_full) < MAX_FROM_PLAYER // 2
        return in_full if short else json.dumps(data, sort_keys=True)


@dataclass(frozen=True)
class Difference:
    """The first member of two records that differs, and its contents in words; None if they agree."""

    member: str | None
    lines: Sequence[str] = ()


# --- one's own ------------------------------------------------------------------------------------------


def own(folder: Readable, stage: int | None = None) -> Computed:
    """Return this folder's result for a stage: the one in conflict, else the newest."""
    me = folder.need_me()
    link = _disputed(folder)
    if link is not None and stage in (None, link.stage):
        run = between_two.own_record(folder, link)
        facts = {key: value for key, value, _ in roster_facts(run.facts, folder.setting().audience)}
        return Computed(me, link.stage, run.record, run.events, facts)
    wanted = folder.stage if stage is None else stage
    if not 0 <= wanted <= folder.stage:
        message = Message("archive.adjudicating.no-stage", wanted=wanted, stage=folder.stage)
        raise Refused(Diagnostic("no-stage", message))
    known = {key: value for key, value, _ in folder.facts()} if wanted == folder.stage else {}
    return Computed(me, wanted, folder.record(wanted), folder.events(wanted), known)


def _disputed(folder: Readable) -> Statement | None:
    """Return the other's link whose head is not the one computed here."""
    if folder.fork() is None:
        return None
    stage = folder.progress.open_stage
    links = [aside.statement for aside in kept_aside(folder, b'"type":"link"')]
    return next((link for link in links if link.stage == stage and link.prev == folder.progress.head), None)


def disputed(folder: Readable) -> bool:
    """Return True if the two are known to disagree.

    This folder has stopped, or has the other's record, which differs from its own.
    """
    if folder.fork() is not None:
        return True
    for statement in folder.of(folder.progress.open_stage, "protest"):
        if statement.sender != folder.me and FORMAT in statement.protest.text:
            try:
                other = _computed(statement)
                differs = own(folder, other.stage).head != other.head
            except (BadRecord, Refused, ValueError, TypeError, KeyError, RecursionError):
                continue
            if differs:
                return True
    return False


def export(folder: Folder, signer: Signer) -> list[Path]:
    """Sign your own record and write the email with it. Return the files written."""
    mine = own(folder)
    return protest(folder, signer, mine.text())


# --- the other's ----------------------------------------------------------------------------------------


def read(folder: Readable, links: Iterable[Signed]) -> Computed:
    """Return the other's record in an email; Refused without one signed by a party of this game."""
    roster = folder.need_roster()
    for signed in links:
        for signature in signed.signatures:
            try:
                statement = accept(
                    signed.data,
                    signature,
                    parties=roster.active,
                    game=roster.game,
                    dice=roster.terms.dice,
                )
                if statement.type == "protest" and statement.sender != folder.me:
                    return _computed(statement)
            except (NotAccepted, BadRecord, ValueError, TypeError, KeyError, RecursionError):
                continue
    help_ = (Message("archive.adjudicating.other-writes-it-with-pbem-compare-and-mails"),)
    raise Refused(
        Diagnostic("no-record", Message("archive.adjudicating.there-is-no-record-of-others"), help=help_)
    )


def _computed(statement: Statement) -> Computed:
    data = json.loads(statement.protest.text)
    if data["format"] != FORMAT:
        raise ValueError("another format")
    record = records.check(data["record"])
    events, facts = data.get("events", []), data.get("facts", {})
    if not isinstance(events, list) or not isinstance(facts, dict):
        raise ValueError("events, facts")
    return Computed(statement.sender, record.stage, record, events, facts)


def difference(mine: Computed, other: Computed) -> Difference:
    """Return the first difference between two records of a stage, causes before results."""
    member = first_difference(mine.record, other.record)
    if member is None:
        return Difference(None)
    lines = [
        _claim_line(mine.by, mine.record.data.get(member)),
        _claim_line(other.by, other.record.data.get(member)),
    ]
    if member == "events":
        lines = _first_event(mine, other) or lines
    elif member in ("groups", "state"):
        lines = _first_fact(mine, other) or lines
    return Difference(member, lines)


def _first_event(mine: Computed, other: Computed) -> list[str]:
    for number in range(max(len(mine.events), len(other.events))):
        pair_ = [
            computed.events[number] if number < len(computed.events) else None for computed in (mine, other)
        ]
        if pair_[0] != pair_[1]:
            return [f"event {number + 1}", _claim_line(mine.by, pair_[0]), _claim_line(other.by, pair_[1])]
    return []


def _first_fact(mine: Computed, other: Computed) -> list[str]:
    if not mine.facts or not other.facts:
        return []
    for key in sorted({*mine.facts, *other.facts}):
        if mine.facts.get(key) != other.facts.get(key):
            return [
                f"fact {key}",
                _claim_line(mine.by, mine.facts.get(key)),
                _claim_line(other.by, other.facts.get(key)),
            ]
    return []


def _claim_line(who: str, value: Json) -> str:
    text = "nothing" if value is None else flow(value)
    return f"{who}: {text if len(text) <= _SHOWN else text[: _SHOWN - 3] + '...'}"


# --- a partner who is gone ------------------------------------------------------------------------------


def claim(folder: Folder, signer: Signer, text: str = "") -> list[Path]:
    """Sign a lasting claim that the other player has stopped playing (14). Return the files written.

    Refused if it is your own turn, or there is a GM, who judges such things.
    """
    from pbem.stages.two_players import turn_of

    me, progress = folder.need_me("player"), folder.progress
    if progress.roster.terms.dice != "pair":
        help_ = (Message("archive.adjudicating.remind-him-or-replace-him-by-amendment"),)
        raise Refused(Diagnostic("has-gm", Message("archive.adjudicating.has-gm"), help=help_))
    if progress.stage < 0 or progress.over:
        raise Refused(Diagnostic("nothing-owed", Message("archive.adjudicating.nothing-owed")))
    turn = turn_of(progress, folder)
    if turn.to_write == me:
        raise Refused(
            Diagnostic("your-turn", Message("archive.adjudicating.your-turn", open_stage=progress.open_stage))
        )
    words = Message(
        "archive.adjudicating.claims-game",
        party=turn.to_write,
        link=turn.answered is not None,
        stage=progress.open_stage,
    )
    about = [progress.head] if progress.stage >= 0 else []
    return protest(folder, signer, f"{words} {text}".strip(), about)
