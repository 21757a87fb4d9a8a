"""Taking back a signature before it is sent: of an order, an amendment or the roster.

The number of an order's revision is never used again: should somebody have the old order after all,
the new one is a later revision, so no number ever stands for two orders (protocol 17.25).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.letters.waiting_letters import Waiting, book, letters
from pbem.archive.ordering.undone import UNDONE, used_revisions
from pbem.stages.faults import type_words
from pbem.stages.receipts import words_for
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.statements import Statement

if TYPE_CHECKING:
    from pbem.archive.folder.parts import Readable


_AWAY = ("sent", "partly", "unsure")


@dataclass(frozen=True)
class Signed:
    """A signature to undo, in words: its files, its letter, and the statement of an order."""

    words: str
    names: tuple[str, ...]
    letter: Waiting | None
    statement: Statement | None = None


def last_signed(folder: Readable) -> Signed:
    """Return what I signed last and may undo.

    That is an order of the current stage, else a signature under an amendment, before the first
    report the one under the roster. Raises Refused if there is none, or it was sent.
    """
    me = folder.need_me()
    by_letter = {_stem(letter): letter for letter in letters(folder, book(folder))}
    if folder.stage < 0:
        return _here(folder, _roster(folder, me, by_letter))
    mine = [
        statement for statement, _ in folder.statements(folder.progress.open_stage) if statement.sender == me
    ]
    orders = [order for order in mine if order.kind.group == "orders"]
    if orders:
        newest = max(
            orders, key=lambda order: (order.type, order.rev)
        )  # standing orders on their own sort last
        return _here(folder, _order(newest, by_letter))
    amendment = _amendment(folder, me, by_letter)
    if amendment is None:
        help_ = (Message("archive.ordering.answer-sent-ahead-is-withdrawn-by-pbem-orders"),)
        message = Message("archive.ordering.you-have-signed-nothing-in-open-stage")
        raise Refused(Diagnostic("nothing-to-undo", message, help=help_))
    return _here(folder, amendment)


def _order(statement: Statement, by_letter: dict[str, Waiting]) -> Signed:
    names = (
        layout.statement_name(statement.stage, statement.sid),
        layout.signature_name(statement.stage, statement.sid),
        private_side.openings_name(statement.stage, statement.type, statement.rev),
        *_letter_files(letter_name(statement)),
    )
    return Signed(words_for(statement), names, by_letter.get(letter_name(statement)), statement)


def _roster(folder: Readable, me: str, by_letter: dict[str, Waiting]) -> Signed:
    """Undo my roster signature.

    The GM's also removes the roster, if nobody else has signed it.
    """
    signatures = folder.roster_signatures() if folder.roster is not None else {}
    if me not in signatures:
        help_ = (Message("archive.ordering.folder-that-only-joined-may-be-deleted"),)
        raise Refused(
            Diagnostic(
                "nothing-to-undo", Message("archive.ordering.you-have-signed-no-roster-here"), help=help_
            )
        )
    names = [layout.roster_signature_name(me), *_letter_files(f"roster-{me}")]
    if folder.initiates:
        if set(signatures) != {me}:
            message = Message("archive.ordering.your-signature-under-roster-cannot-be-taken-back")
            raise Refused(Diagnostic("mailed-already", message))
        names += [layout.ROSTER, layout.SIGNERS, layout.MODULE_LOCK]
    return Signed(
        Message("archive.ordering.your-signature-under-roster"), tuple(names), by_letter.get(f"roster-{me}")
    )


def _amendment(folder: Readable, me: str, by_letter: dict[str, Waiting]) -> Signed | None:
    """Undo my signature under an amendment of the current stage.

    If I proposed it and nobody else has signed, all of it is removed.
    """
    stage = folder.progress.open_stage
    for amendment in reversed(
        [statement for statement, _ in folder.statements(stage) if statement.type == "amend"]
    ):
        stem = f"stage-{stage:04d}-amend-{amendment.sid[:12]}-{me}"
        letter = by_letter.get(stem)
        if letter is None:
            continue
        if amendment.sender != me:
            names = [layout.signature_name(stage, amendment.sid, me)]
        elif len(layout.signatures(folder.root, stage, amendment.sid)) > 1:
            continue  # others build on it
        else:
            names = [layout.statement_name(stage, amendment.sid), layout.signature_name(stage, amendment.sid)]
            names.append(private_side.ruling_name(amendment.sid))
        words = Message("archive.ordering.your-signature-under-amendment", sid=amendment.sid[:12])
        return Signed(words, (*names, *_letter_files(stem)), letter)
    return None


def take_back(folder: Folder, signed: Signed) -> list[Path]:
    """Remove a statement and its email, and remember the revision of an order. Return what was removed."""
    with folder.working():
        _here(folder, signed)
        changes, gone = Changes(), []
        for name in signed.names:
            if (folder.root / name).exists():
                changes.remove(name)
                gone.append(folder.root / name)
        statement = signed.statement
        if statement is not None:
            used = used_revisions(folder, statement.stage)
            used[statement.type] = max(statement.rev, used.get(statement.type, 0))
            changes.write(UNDONE, private_side.to_text({"stage": statement.stage, "used": dict(used)}))
        folder.commit(changes)
        return gone


def _letter_files(stem: str) -> tuple[str, str]:
    return f"{layout.OUTBOX}/{stem}.eml", f"{layout.OUTBOX}/{stem}.pbem.txt"


def letter_name(statement: Statement) -> str:
    """Return the name of the letter with an order."""
    what = "orders" if statement.type == "order" else "standing-orders"
    return f"stage-{statement.stage:04d}-{statement.sender}-{what}-rev{statement.rev}"


def _here(folder: Readable, signed: Signed) -> Signed:
    """Return the signature; Refused if somebody may have it or another statement builds on it."""
    letter, order = signed.letter, signed.statement
    if letter is not None and letter.state in _AWAY:
        again = Message("archive.ordering.change-your-order-file-and-sign-again")
        help_ = (again,) if order is not None else ()
        message = Message(
            "archive.ordering.letter-was-handed-over", what=signed.words, letter_words=letter.words
        )
        raise Refused(Diagnostic("mailed-already", message, help=help_))
    for other, _ in folder.statements(order.stage) if order is not None else ():
        if order is not None and other.sid != order.sid and order.sid in json.dumps(other.body):
            message = Message(
                "archive.ordering.statement-names-what-is-to-be-taken-back",
                what=signed.words,
                type=type_words(other.type),
                sender=other.sender,
            )
            raise Refused(Diagnostic("mailed-already", message))
    return signed


def _stem(letter: Waiting) -> str:
    return letter.name.rpartition("/")[2].removesuffix(".eml")
