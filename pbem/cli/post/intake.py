"""Taking mail in and telling what became of it; for `pbem receive` and `pbem mail in`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from pbem.cli.post.mail import letters_in, log, now, stamp
from pbem.cli.shell.console import bad, good, note, print_json, ready, result, to_send
from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder, Receipt
    from pbem.mail.read import Note, Reading

REFUSED = "private/refused.json"
_REMEMBERED = 2000  # refused statements to remember
_OVER = ("refused", "late", "unreadable")
_FEW = 10  # empty messages to name one by one


@dataclass
class TakenIn:
    """The intake of one run, from one or several mailboxes."""

    receipts: list[Receipt] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    warnings: list[tuple[str, str]] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)
    drafts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    before: list[Receipt] = field(default_factory=list)
    messages: int = 0
    telling: int = 0
    empty: int = 0

    @property
    def good(self) -> bool:
        """Return True if something was found, and none of it is a problem."""
        anything = self.receipts or self.before or self.telling or self.plain
        return bool(anything) and all(receipt.good for receipt in self.receipts)


def take_in(
    folder: Folder, reading: Reading, taken: TakenIn, *, late: bool = False, answer: bool = True
) -> list[Receipt]:
    """Judge what was read, and write drafts. Return the receipts in the order of the statements."""
    from pbem.archive import Intake, follow_up, receive, seat_addresses
    from pbem.cli.games.telling import in_other_languages, renderer

    signed = reading.signed
    receipts = receive(folder, signed, late=late, render=renderer(letters_in(folder))) if signed else []
    if receipts and reading.senders:
        seat_addresses.note_joins(folder, reading.senders)
    done = Intake((), (), ())
    if signed or reading.plain or reading.damaged:
        done = follow_up(
            folder, reading, receipts, stamp(now()), answer=answer, others=in_other_languages(folder)
        )
    for receipt in receipts:
        if not (receipt.sid or receipt.outcome == "taken") or receipt.outcome == "duplicate":
            continue  # strangers and repeats must not fill the disk
        why = f": {receipt.reason}" if receipt.reason else ""
        log(folder, f"received: {receipt.outcome} {receipt.words}{why}")
    for name in done.drafts:
        log(folder, f"draft written: {name}")
    if reading.returned:
        taken.returned += _came_back(folder, reading)
    taken.links += _links(folder)
    taken.plain += _plain(folder, reading)
    fresh, before = _new_and_old(folder, receipts)
    taken.receipts += fresh
    taken.before += before
    taken.notes += reading.notes
    taken.warnings += done.warnings
    taken.letters += done.receipts
    taken.drafts += done.drafts
    taken.messages += reading.messages
    taken.telling += reading.telling
    taken.empty += reading.empty
    return receipts


def _plain(folder: Folder, reading: Reading) -> list[str]:
    """Take in replies of players whose keys the GM of this folder holds."""
    if not reading.replies or not folder.is_gm:
        return []
    from pbem.cli.post.plain_replies import take

    lines = take(folder, reading.replies)
    for line in lines:
        log(folder, line)
    return lines


def _new_and_old(folder: Folder, receipts: list[Receipt]) -> tuple[list[Receipt], list[Receipt]]:
    """Return the receipts to show, and those rejected and shown in an earlier run."""
    from pbem.text.writing import write_all

    bad = [receipt for receipt in receipts if receipt.outcome in _OVER and receipt.sid]
    if not bad:
        return receipts, []
    path = folder.root / REFUSED
    try:
        known = list(json.loads(path.read_bytes()))
    except (OSError, ValueError):
        known = []
    old = [receipt for receipt in bad if receipt.sid in known]
    fresh = [receipt.sid for receipt in bad if receipt.sid not in known]
    if fresh and (folder.root / "private").is_dir():
        write_all({path: json.dumps([*known, *fresh][-_REMEMBERED:]).encode()}, private=[path])
    return [receipt for receipt in receipts if receipt not in old], old


def _came_back(folder: Folder, reading: Reading) -> list[str]:
    """Note which letters of ours came back."""
    from pbem.archive import came_back, one_command

    with one_command.hold(folder.root, one_command.MAIL, wait=True):
        lines = came_back(folder, reading.returned, stamp(now()))
    for line in lines:
        log(folder, f"delivery report: {line}")
    return lines


def _links(folder: Folder) -> list[str]:
    """Give my link, if only that is wanted of me and no passphrase is needed; return the email to send.

    A player with a passphrase types it at `pbem link`.
    """
    from pbem.archive import Folder as Opened
    from pbem.archive import give_link, link_due
    from pbem.cli.games.telling import renderer
    from pbem.cli.shell.keys import key_at_hand, known_passphrase
    from pbem.text.diagnostics import Refused

    if not link_due(folder):
        return []
    signer = key_at_hand(folder)
    if signer is None:
        return []
    quiet = Opened.open(folder.root, known_passphrase, wait=folder.wait)
    try:
        written = give_link(quiet, signer, render=renderer(letters_in(quiet)))
    except Refused as fault:
        note(Message("cli.intake.link-could-not-be-given", message=fault.diagnostics[0].message))
        return []
    folder.refresh()
    return to_send(written)


def show(folder: Folder, taken: TakenIn, before: int, as_json: bool) -> None:
    """Show the results; `before` is the stage the folder was in."""
    if as_json:
        print_json(data_of(folder, taken))
        return
    strangers, here = 0, sum(came.outcome == "duplicate" for came in taken.receipts)
    reports = {came.words for came in taken.receipts if came.good and came.words.startswith("report ")}
    for receipt in taken.receipts:
        if receipt.outcome == "duplicate" and here > 1:
            continue
        if receipt.good and receipt.words.replace("view ", "report ", 1) in reports - {receipt.words}:
            continue  # statements that a report carries
        strangers += receipt.outcome == "unsigned"
        if receipt.outcome == "unsigned" and strangers > _FEW:
            continue
        ready(_line(receipt))
        if receipt.mail:
            note(Message("cli.intake.tell-its-sender", mail=receipt.mail))
    if strangers > _FEW:
        result(Message("cli.intake.more-that-are-unsigned", count=strangers - _FEW))
    if here > 1:
        result(
            Message("cli.intake.statements-here-already", count=here),
            before=f"{good(_column(Message('cli.intake.duplicate')))} ",
        )
    if taken.before:
        result(Message("cli.intake.refused-before-and-again", count=len(taken.before)))
    for where, text in taken.warnings:
        note(text, before=f"{safe(where)}: ")
    for entry in taken.notes:
        if entry.kind != "nothing" or taken.empty <= _FEW:
            note(entry.text, before=f"{safe(entry.where)}: ")
    if taken.empty > _FEW:
        note(Message("cli.intake.messages-without-statements", empty=taken.empty, messages=taken.messages))
    if taken.telling and not taken.receipts:
        note(Message("cli.intake.letters-to-read", count=taken.telling))
    for line in taken.returned:
        result(safe(line, 400), before=f"{bad(_column(Message('cli.intake.returned')))} ")
    for line in taken.plain:
        result(line)
    for name in taken.links:
        result(name)
    if taken.links:
        note(Message("cli.intake.link-was-made"))
    for name in taken.drafts:
        note(Message("cli.intake.draft-to-look-at", name=name))
    _next(folder, before)


def _line(receipt: Receipt) -> str:
    outcome = _column(receipt.shown)
    mark = good(outcome) if receipt.good else bad(outcome)
    reason = f": {safe(spoken(receipt.reason), 400)}" if receipt.reason else ""
    return f"{mark} {safe(spoken(receipt.words))}{reason}"


def _column(word: str) -> Worded:
    return Worded(f"{spoken(word):<12}")


def _next(folder: Folder, before: int) -> None:
    """Say what the folder can do now that it could not before."""
    from pbem.archive import link_due

    if folder.stage > before:
        note(Message("cli.intake.game-went-on", stages=folder.stage - before))
    elif not folder.is_gm and link_due(folder):
        note(Message("cli.intake.link-is-wanted"))
    elif folder.roster is not None and folder.me in folder.unsigned():
        note(Message("cli.intake.roster-is-here"))


def data_of(folder: Folder, taken: TakenIn) -> dict[str, Any]:
    """Return the results for programs."""
    notes = [
        note_of_file for note_of_file in taken.notes if note_of_file.kind != "nothing" or taken.empty <= _FEW
    ]
    return {
        "receipts": [
            {"outcome": r.outcome, "what": r.words, "reason": r.reason, "sid": r.sid, "mail": r.mail}
            for r in taken.receipts
        ],
        "notes": _places([(note_of_file.where, note_of_file.text) for note_of_file in notes])
        + _places(taken.warnings),
        "messages": taken.messages,
        "without": taken.empty,
        "letters": taken.letters,
        "drafts": taken.drafts,
        "links": taken.links,
        "returned": taken.returned,
        "plain": taken.plain,
        "stage": folder.stage,
    }


def _places(places: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"where": where, "text": text} for where, text in places]
