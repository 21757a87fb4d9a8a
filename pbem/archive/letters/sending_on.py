"""Sending on in a game with pseudonyms, where players have the GM's address alone (letters 4).

The armour goes in an email of the GM's own: no header, file name or text of the sender's goes along. It never
goes at once, because the time would show who wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.stages import deputies, gunboat
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import armour, statements
from pbem.trust.armour import Signed
from pbem.trust.statements import Statement

WAITING = f"{layout.PRIVATE}/forward"
"""Private letters to others, which only their readers can open."""
SENT = f"{layout.PRIVATE}/sent-on.json"
_TYPES = ("amend", "protest", "unseal")
"""What no report carries, and everyone must get."""


@dataclass(frozen=True)
class _Item:
    """A statement that waits: its readers (None: all but its sender), and where it is kept until it goes."""

    statement: Statement
    signed: Signed
    to: tuple[str, ...] | None
    name: str = ""

    @property
    def mark(self) -> str:
        """Return a mark of the statement that differs if it has more signatures."""
        return f"{self.statement.sid}/{len(self.signed.signatures)}"


def keep_for_others(letter: Statement, signed: Signed) -> Changes:
    """Return the files of a private letter that waits until it is sent on."""
    changes = Changes()
    changes.write_signed(f"{WAITING}/{letter.sid}", signed)
    return changes


def carries(folder: Readable) -> bool:
    """Return True if letters between others come here because players have no other address."""
    return folder.role in ("gm", "deputy") and gunboat.of(folder.terms)


def knows(folder: Readable, sid: str) -> bool:
    """Return True if a private letter waits, or was sent on."""
    return (folder.root / f"{WAITING}/{sid}.json").exists() or any(
        mark.startswith(f"{sid}/") for mark in _sent(folder)
    )


def waiting(folder: Readable) -> int:
    """Return how many statements wait to be sent on by the owner of this folder."""
    return len(_items(folder)) if folder.acting and carries(folder) else 0


def unacknowledged(folder: Readable) -> bool:
    """Return True if orders are here that no acknowledgement of the GM lists (5.5)."""
    stage = folder.progress.open_stage
    listed = {
        sid for statement in folder.of(stage, "ack") for sid in narrow.texts(statement.body.get("have", []))
    }
    return any(
        statement.kind.group == "orders" and statement.sid not in listed
        for statement, _ in folder.statements(stage)
    )


def send_on(folder: Folder) -> list[Path]:
    """Write an email to each player with what others sent to them, and return the files written."""
    with folder.working():
        if folder.roster is None or not folder.acting or not carries(folder):
            return []
        items = _items(folder)
        if not items:
            return []
        roster, me = folder.need_roster(), folder.need_me()
        changes, sent = Changes(), _sent(folder)
        number = sum(mark.startswith("#") for mark in sent) + 1
        for reader in roster.active:
            mine = [
                waiting_item
                for waiting_item in items
                if waiting_item.statement.sender != reader.id
                and reader.id in (waiting_item.to or roster.by_id)
            ]
            if reader.id == me or not mine:
                continue
            stage = folder.progress.open_stage
            letter = Letter(
                name=f"stage-{stage:04d}-{me}-sent-on-{number}-{reader.id}",
                subject=outbox.subject_of(roster, stage, Message("archive.letters.sent-on")),
                sender=roster.by_id[me],
                others=[reader] * (2 if reader.id in _to_be_taken_over(mine) else 1),
                readable=outbox.heading(
                    roster.terms.title,
                    [
                        Message("archive.letters.sent-on-by-gm"),
                        *map(_words, (waiting_item.statement for waiting_item in mine)),
                    ],
                ),
                items=[waiting_item.signed for waiting_item in mine],
                id=f"{me}-sent-on-{number}-{reader.id}-{roster.game[:16]}",
                thread=roster.game,
            )
            changes.write(f"{layout.OUTBOX}/{letter.name}.eml", letter.eml(folder.say))
        for item in items:
            for ending in ("json", "sig") if item.name else ():
                changes.remove(f"{item.name}.{ending}")
        marks = [*sent, *(item.mark for item in items), f"#{number}"]
        changes.write(SENT, private_side.to_text(list[Json](marks)))
        return folder.commit(changes)


def _to_be_taken_over(items: Sequence[_Item]) -> set[str]:
    """Return the seats whose newcomers must read this too: an email that names a seat twice is for both."""
    amendments = [item.statement.amendment for item in items if item.statement.type == "amend"]
    return {str(op["party"]) for amendment in amendments for op in amendment.ops if op["op"] == "party"}


def _words(statement: Statement) -> str:
    return Message(
        "archive.letters.sent-on-item", type=Message(statement.kind.words), sender=statement.sender
    )


def _sent(folder: Readable) -> list[str]:
    return [str(mark) for mark in folder.private.json(SENT) or ()]


def _items(folder: Readable) -> list[_Item]:
    """Return what waits, by sid: that order tells nothing about who wrote first.

    A deputy in charge begins with the stage before the charge: all else the GM has sent on.
    """
    done, charged = set(_sent(folder)), None
    if folder.role == "deputy":
        charged = deputies.mandate(folder.progress, folder)
    since = charged.charge.stage - 1 if charged is not None else 0
    items = [
        letter for letter in (*_letters(folder), *_statements(folder)) if letter.statement.stage >= since
    ]
    return sorted((item for item in items if item.mark not in done), key=lambda item: item.statement.sid)


def _letters(folder: Readable) -> Iterator[_Item]:
    for place in (WAITING, layout.LETTERS):
        for entry in layout.entries(folder.root / place):
            if not entry.name.endswith(".json"):
                continue
            name = f"{place}/{entry.name.removesuffix('.json')}"
            data = layout.read(folder.root, f"{name}.json", layout.PLAYER_LIMIT) or b""
            sig = layout.read(folder.root, f"{name}.sig", layout.SIG_LIMIT) or b""
            letter = statements.parse(data)
            if letter.sender != folder.me:
                signed = Signed(data, armour.signatures(sig.decode("ascii", "replace")))
                yield _Item(letter, signed, letter.letter.to, name if place == WAITING else "")


def _statements(folder: Readable) -> Iterator[_Item]:
    stage = folder.progress.open_stage
    for statement, signed in folder.statements(stage):
        if statement.type in _TYPES:
            all_signed = folder.signatures(stage, statement.sid)
            if statement.sender != folder.me or len(all_signed) > 1:
                yield _Item(statement, Signed(signed.data, tuple(all_signed)), None)
