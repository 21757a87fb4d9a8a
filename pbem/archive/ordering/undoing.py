"""Taking back an order that was signed and has left nobody's hands yet.

The number of its revision is never used again: should somebody have it after all, what is signed later is a
later revision, and nobody is seen to have said two things with one number (protocol 17.25).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Posted
from pbem.archive.letters.waiting_letters import Waiting, book, letters
from pbem.archive.ordering.undone import UNDONE, used_revisions
from pbem.stages.receipts import words_for
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.trust.statements import Statement

if TYPE_CHECKING:
    from pbem.archive.folder.parts import Filed


_TYPES = ("order", "standing")


@dataclass(frozen=True)
class Signed:
    """What may be taken back: the statement and its letter."""

    statement: Statement
    letter: Waiting | None

    @property
    def words(self) -> str:
        """`order of red for stage 3, revision 2`."""
        return words_for(self.statement)


def last_signed(folder: Posted) -> Signed:
    """The order that I signed last in the open stage; Refused if there is none, or if it is away."""
    me = folder.need_me("player")
    mine = [
        one
        for one, _ in folder.statements(folder.progress.open_stage)
        if one.sender == me and one.type in _TYPES
    ]
    if folder.stage < 0 or not mine:
        help_ = (
            "a proposal is withdrawn by signing another, an answer sent ahead by `pbem orders withdraw`",
        )
        raise Refused(
            Diagnostic("nothing-to-undo", "you have signed no orders in the open stage", help=help_)
        )
    found = {_stem(one): one for one in letters(folder, book(folder))}
    newest = max(mine, key=lambda one: (one.type, one.rev))  # standing orders alone come later
    signed = Signed(newest, found.get(letter_name(newest)))
    _need_here(folder, signed)
    return signed


def take_back(folder: Folder, signed: Signed) -> list[Path]:
    """Remove the statement, its openings and its letter, and remember the revision. Gives what is gone."""
    one = signed.statement
    with folder.working():
        _need_here(folder, signed)
        names = [
            layout.statement_name(one.stage, one.sid),
            layout.signature_name(one.stage, one.sid),
            private_side.openings_name(one.stage, one.type, one.rev),
            *(f"{layout.OUTBOX}/{letter_name(one)}{ending}" for ending in (".eml", ".pbem.txt")),
        ]
        changes = Changes()
        for name in names:
            if (folder.root / name).exists():
                changes.remove(name)
        used = used_revisions(folder, one.stage)
        used[one.type] = max(one.rev, used.get(one.type, 0))
        changes.write(UNDONE, private_side.to_text({"stage": one.stage, "used": dict(used)}))
        folder.commit(changes)
        return [folder.root / name for name in names]


def letter_name(one: Statement) -> str:
    """How the letter with an order is called."""
    what = "orders" if one.type == "order" else "standing-orders"
    return f"stage-{one.stage:04d}-{one.sender}-{what}-rev{one.rev}"


def _need_here(folder: Filed, signed: Signed) -> None:
    """Refused where somebody may have it: it was handed over, or another statement builds on it."""
    letter = signed.letter
    if letter is not None and letter.state in ("sent", "partly", "unsure"):
        help_ = ("change your order file and sign again: until the report is out the last revision counts",)
        message = f"{signed.words} cannot be taken back: its letter was {letter.words}"
        raise Refused(Diagnostic("mailed-already", message, help=help_))
    for other, _ in folder.statements(signed.statement.stage):
        if other.sid != signed.statement.sid and signed.statement.sid in json.dumps(other.body):
            message = f"{signed.words} cannot be taken back: a {other.type} of {other.sender} names it"
            raise Refused(Diagnostic("mailed-already", message))


def _stem(letter: Waiting) -> str:
    return letter.name.rpartition("/")[2].removesuffix(".eml")
