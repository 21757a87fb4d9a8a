"""The consequences of receiving mail: receipts for senders, drafts for the owner, arrival times.

A receipt goes to the sender of a statement alone, in plain email that others may read on its way. So it tells
what everybody may know of the statement and that its seals open, never what is sealed; nor whether a sealed
answer is legal, for what the whole truth allows or forbids is a secret as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.joined import joined
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.arrivals import arrivals, book, noted
from pbem.archive.letters.last_head import compared, of_folder
from pbem.archive.letters.outbox import Letter
from pbem.archive.ordering.signing import public_part
from pbem.archive.receiving.text_beside_block import Others, misleading
from pbem.mail.read import Carried, Plain, Reading
from pbem.mail.write import Subject
from pbem.stages.plain_replies import writers
from pbem.stages.receipts import Receipt
from pbem.text.canonical import NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, Worded
from pbem.trust import statements
from pbem.trust.errors import BadStatement, TrustError
from pbem.trust.roster import Party
from pbem.trust.statements import Statement

_ANSWERED = ("taken", "duplicate", "early", "late")
_BEFORE = "join"
_MOST = 20_000  # number of arrivals kept


@dataclass(frozen=True)
class Intake:
    """The results of an intake: warnings about texts beside statements, and the letters written."""

    warnings: tuple[tuple[str, str], ...]
    receipts: tuple[str, ...]
    drafts: tuple[str, ...]


def of_another_game(folder: Readable, data: bytes) -> bool:
    """Return True if a statement names another game than this folder's: several may share a mailbox."""
    try:
        content = json.loads(data)
        game, salt = content.get("game"), content.get("salt")
    except (ValueError, RecursionError, AttributeError):
        return False
    if isinstance(salt, str):
        return salt != folder.terms.salt.hex()
    roster = folder.roster
    return isinstance(game, str) and roster is not None and game != roster.game


def follow_up(
    folder: Folder,
    reading: Reading,
    receipts: Sequence[Receipt],
    at: str,
    *,
    answer: bool = True,
    others: Others = lambda stage: (),
) -> Intake:
    """Write receipts, drafts and arrivals; `at` is the time now.

    Repeating it changes nothing. `others` makes reports of a stage in other languages, to compare with the
    text beside the signed one.
    """
    with folder.working():
        by_sid = {statements.sid(statement.signed.data): statement for statement in reading.statements}
        changes = Changes()
        arrived = _arrived(folder, receipts, at, changes)
        warnings = _warnings(folder, receipts, by_sid, others)
        letters: list[str] = []
        drafts: list[str] = []
        if answer and folder.acting:
            beside = dict(warnings)
            for receipt in receipts:
                carried = by_sid.get(receipt.sid)
                if carried is not None and receipt.outcome in _ANSWERED:
                    letters += _receipt(
                        folder, receipt, carried, beside.get(receipt.sid, ""), arrived, changes
                    )
            letters += _to_joiners(folder, reading, receipts, changes)
        if answer and folder.roster is not None and (folder.acting or folder.roster.terms.arbiter is None):
            drafts = [name for mail in reading.plain for name in _draft(folder, mail, changes)]
            drafts += [name for mail in reading.damaged for name in _damaged(folder, mail, changes)]
        if changes:
            folder.commit(changes)
        where = {sid: by_sid[sid].where for sid, _ in warnings}
        warned = dict.fromkeys((where[sid], text) for sid, text in warnings)
        return Intake(tuple(warned), tuple(letters), tuple(drafts))


def _arrived(folder: Readable, receipts: Iterable[Receipt], at: str, changes: Changes) -> dict[str, str]:
    """Note when each statement came first."""
    known = arrivals(folder)
    new = {
        receipt.sid: at
        for receipt in receipts
        if receipt.sid and receipt.outcome != "unsigned" and receipt.sid not in known
    }
    if new:
        kept = dict(sorted({**known, **new}.items(), key=lambda entry: entry[1])[-_MOST:])
        book(changes, {**noted(folder), "arrived": dict(kept)})
    return known | new


def _warnings(
    folder: Readable, receipts: Iterable[Receipt], by_sid: Mapping[str, Carried], others: Others
) -> list[tuple[str, str]]:
    warnings = []
    for receipt in receipts:
        carried = by_sid.get(receipt.sid)
        if carried is not None and receipt.good:
            texts = (
                compared(folder, carried.beside),
                misleading(folder, carried.signed.data, carried.beside, others),
            )
            warnings += [(receipt.sid, text) for text in texts if text]
    return warnings


def _receipt(
    folder: Readable,
    receipt: Receipt,
    carried: Carried,
    beside: str,
    arrived: Mapping[str, str],
    changes: Changes,
) -> list[str]:
    """Write the receipt for one statement; none for the GM's own or very old ones."""
    try:
        statement = statements.parse(carried.signed.data)
    except (NotCanonical, BadStatement):
        return []
    roster, progress = folder.need_roster(), folder.progress
    if statement.sender not in roster.by_id or statement.sender == folder.me:
        return []
    if receipt.outcome == "duplicate" and statement.stage != progress.open_stage:
        return []
    lines: list[str] = [Message("text.diagnostics.about", what=receipt.words, message=_became(receipt))]
    if statement.sid in arrived:
        lines.append(Message("archive.receiving.came", arrived=arrived[statement.sid]))
    lines += ["", *_understood(folder, statement)]
    if beside:
        lines += ["", beside[0].upper() + beside[1:] + "."]
    lines += ["", *_next(receipt, statement)]
    name = f"stage-{statement.stage:04d}-{statement.sender}-{statement.sid[:8]}-received-{statement.type}"
    if receipt.outcome == "late":  # a letter read again in a later stage is reported once
        name = f"too-late-{statement.sid[:16]}-{statement.sender}"
    to = roster.by_id[statement.sender]
    what = (
        Message("archive.receiving.from-party-too-late", party=to.id)
        if receipt.outcome == "late"
        else Message("archive.receiving.received-from", party=to.id)
    )
    return _letter(folder, layout.RECEIPTS, name, to, what, lines, statement.sid, changes)


def _became(receipt: Receipt) -> str:
    if receipt.outcome == "late":
        return Message("archive.receiving.it-does-not-count", reason=receipt.reason)
    if receipt.outcome == "early":
        return Message("archive.receiving.here", reason=receipt.reason)
    return Message("archive.receiving.it-is-here", reason=receipt.reason)


def _understood(folder: Readable, statement: Statement) -> list[str]:
    """Return the public content of a statement, and the questions that it leaves open."""
    if statement.kind.group != "orders":
        return []
    public = public_part(statement, folder.say)[2:]
    lines = [Message("archive.receiving.understood"), *(Worded(f"  {line}") for line in public)]
    if statement.said.sealed:
        lines.append(Message("archive.receiving.what-is-sealed-opens"))
    asked = (
        folder.progress.asked.get(statement.sender, ())
        if statement.stage == folder.progress.open_stage
        else ()
    )
    if statement.type == "order":
        lines += [
            Message("archive.receiving.not-answered", key=key)
            for key in asked
            if not _answers(statement, key)
        ]
    return lines


def _answers(statement: Statement, key: str) -> bool:
    """Return True if an order answers a question, by its key or by its kind."""
    given = statement.order.answered
    return key in given or bool(given & set(key.split("/"))) or key == "ready"


def _next(receipt: Receipt, statement: Statement) -> list[str]:
    if receipt.outcome == "late":
        return [Message("archive.receiving.take-in-newest-report-pbem-receive")]
    if statement.type == "order":
        return [Message("archive.receiving.nothing-more-to-do-until-report")]
    return [Message("archive.receiving.nothing-more-to-do")]


def _to_joiners(
    folder: Readable, reading: Reading, receipts: Sequence[Receipt], changes: Changes
) -> list[str]:
    """Write to those who joined; the others get a draft, as their identity is unknown."""
    from pbem.trust import joining

    if folder.roster is not None:
        return []
    by_words = {receipt.words: receipt for receipt in receipts if receipt.words.startswith(_BEFORE)}
    letters: list[str] = []
    for carried in reading.statements:
        for signature in carried.signed.signatures:
            try:
                party = joining.accept_join(carried.signed.data, signature, folder.terms)
            except (TrustError, NotCanonical):
                continue
            receipt = by_words.get(Message("archive.receiving.join", party=party.id, name=party.name))
            if receipt is not None and receipt.outcome in ("taken", "refused"):
                letters += _to_joiner(folder, receipt, party, carried, changes)
            break
    return letters


def _to_joiner(
    folder: Readable, receipt: Receipt, party: Party, carried: Carried, changes: Changes
) -> list[str]:
    sid = statements.sid(carried.signed.data)
    taken = receipt.outcome == "taken"
    place = layout.RECEIPTS if taken else layout.DRAFTS
    what = (
        Message("archive.receiving.joined", party=party.id)
        if taken
        else Message("archive.receiving.party-could-not-join", party=party.id)
    )
    lines: list[str] = [Message("text.diagnostics.about", what=receipt.words, message=receipt.shown)]
    if taken:
        lines += ["", Message("archive.receiving.nothing-more-to-do-until-roster-comes")]
    else:
        lines += [receipt.reason, "", Message("archive.receiving.join-again-with-pbem-join")]
    return _letter(folder, place, f"join-{party.id}-{sid[:8]}", party, what, lines, sid, changes)


def _damaged(folder: Readable, reply: Plain, changes: Changes) -> list[str]:
    """Draft a reply to a damaged statement, for the owner to check: the sender is unknown."""
    lines = [
        Message("archive.receiving.mail-holds-damaged-statement"),
        Message("archive.receiving.its-signature-does-not-fit"),
        "",
        Message("archive.receiving.please-send-pbem-txt-file-again"),
        Message("archive.receiving.pbem-mail-out-again-letter-sends-it-once"),
    ]
    return _to_sender(
        folder, reply, "damaged", Message("archive.receiving.damaged-statement"), lines, changes
    )


def _draft(folder: Readable, reply: Plain, changes: Changes) -> list[str]:
    """Draft a reply to unsigned orders, for the owner to check: the sender is unknown."""
    lines = [
        Message("archive.receiving.mail-holds-unsigned-orders"),
        Message("archive.receiving.they-do-not-count"),
        "",
        Message("archive.letters.set-in", line=Message("archive.receiving.orders-new-does")),
        Message("archive.letters.set-in", line=Message("archive.receiving.orders-check-does")),
        Message("archive.letters.set-in", line=Message("archive.receiving.orders-sign-does")),
        "",
        Message("archive.receiving.then-mail-pbem-txt-to-everybody"),
        Message("archive.receiving.damaged-file-is-mended-by-fix"),
    ]
    return _to_sender(
        folder, reply, "unsigned", Message("archive.receiving.orders-without-signature"), lines, changes
    )


def _to_sender(
    folder: Readable, reply: Plain, name: str, what: str, lines: Sequence[str], changes: Changes
) -> list[str]:
    """Draft a reply to the party that an email seems to be from; none to strangers."""
    roster = folder.need_roster()
    by_plain = writers(roster)  # whose unsigned orders count
    known = [
        party
        for party in roster.parties
        if party.mail.lower() == reply.sender and party.id != folder.me and party.id not in by_plain
    ]
    if not known:
        return []
    to, file = known[0], f"{name}-{known[0].id}-{reply.digest[:12]}"
    return _letter(
        folder,
        layout.DRAFTS,
        file,
        to,
        Message("archive.receiving.what-from-whom", what=what, party=to.id),
        lines,
        reply.digest,
        changes,
    )


def _letter(
    folder: Readable,
    place: str,
    name: str,
    to: Party,
    what: str,
    lines: Sequence[str],
    id: str,
    changes: Changes,
) -> list[str]:
    """Put a letter to one person into a place, unless it is there, and return its name if it is new."""
    file = f"{place}/{name}.eml"
    if (folder.root / file).exists():
        return []
    me, roster = folder.need_me(), folder.need_roster() if folder.roster else None
    terms = folder.terms
    letter = Letter(
        name=name,
        subject=Subject(
            roster.game if roster else "",
            terms.title,
            folder.progress.open_stage if roster else None,
            what,
        ),
        sender=roster.by_id[me] if roster else joined(folder)[me],
        others=[to],
        readable=outbox.heading(terms.title, [*lines, *(of_folder(folder) if roster else [])]),
        items=[],
        id=f"{place.rpartition('/')[2]}-{id[:24]}",
        answers=id if len(id) == 64 and place == layout.RECEIPTS else "",
        thread=roster.game if roster else "",
    )
    changes.write(file, letter.eml(folder.say))
    return [file]
