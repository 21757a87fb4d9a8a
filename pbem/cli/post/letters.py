"""The letters of a run of `pbem mail out`, and the notes made before any leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.cli.post.mail import now, stamp
from pbem.cli.shell.console import note, print_json, result
from pbem.cli.shell.words import listed
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, Waiting
    from pbem.cli.post.handing import Handed
    from pbem.mail.handing_book import Ledger


def chosen(
    folder: Folder,
    letters: Sequence[Waiting],
    names: Sequence[str],
    *,
    again: bool,
    to: Sequence[str],
    sent: bool,
) -> list[Waiting]:
    """Return those that wait, or those named; Refused if a named one may not be sent."""
    from pbem.archive import waiting_letters
    from pbem.text.diagnostics import Diagnostic, Refused

    if not names:
        return [letter for letter in letters if letter.goes]
    chosen, unknown = waiting_letters.named(letters, names, folder.root)
    if unknown:
        help_ = (Message("cli.letters.mail-list-shows-all"),)
        raise Refused(
            Diagnostic("no-letter", Message("cli.letters.no-letter", unknown=listed(unknown)), help=help_)
        )
    for letter in chosen:
        # a new invitee, or a refused recipient at another address
        fresh = bool(to) and not letter.done.intersection(to) and (not letter.to or letter.state == "partly")
        if letter.state in ("sent", "unsure", "partly") and not (again or sent or fresh):
            message = Message("text.diagnostics.about", what=letter.name, message=letter.words)
            raise Refused(Diagnostic("sent-already", message, help=(f"pbem mail out --again {letter.name}",)))
        if not (letter.to or to or sent):
            help_ = (Message("cli.letters.say-to-whom"),)
            raise Refused(
                Diagnostic("no-address", Message("cli.letters.no-address", letter=letter.name), help=help_)
            )
    return [replace(letter, missing=letter.to) for letter in chosen] if again else chosen


def begin(ledger: Ledger, letters: Sequence[Waiting], again: Sequence[Waiting]) -> None:
    """Note letters older than the book, and those to be sent once more."""
    at = stamp(now())
    for letter in letters:
        if letter.state == "old":
            ledger.write(
                "settled",
                letter.name,
                letter.digest,
                at,
                letter.to,
                why=Message("cli.letters.older-than-the-book"),
            )
    for letter in again:
        ledger.write("again", letter.name, letter.digest, at)


def settle(ledger: Ledger, chosen: Sequence[Waiting]) -> None:
    """Note letters as sent by hand."""
    for letter in chosen:
        why = Message("cli.letters.by-hand")
        ledger.write("settled", letter.name, letter.digest, stamp(now()), letter.to, why=why)
        result(Message("cli.letters.noted", letter=letter.name))


def would(chosen: Sequence[Waiting], to: Sequence[str], as_json: bool) -> None:
    """Say what would go."""
    if as_json:
        print_json([{"letter": letter.name, "to": list(to or letter.missing)} for letter in chosen])
        return
    for letter in chosen:
        result(Message("cli.letters.would-go", letter=letter.name, to=tuple(to or letter.missing)))
    if not chosen:
        note(Message("cli.letters.nothing-waits"))


def rest(
    letters: Sequence[Waiting],
    handed: Sequence[Handed],
    left: Sequence[Waiting],
    lost: Sequence[Waiting],
    missed: Sequence[str],
) -> None:
    """Print what was not sent, and why."""
    for letter in left:
        result(Message("cli.letters.unsure", letter=letter.name, words=letter.words))
        note(Message("cli.letters.say-whether-it-is-there", letter=letter.name), before="  ")
    drafts = [letter for letter in letters if letter.state == "draft"]
    if drafts:
        note(
            Message(
                "cli.letters.drafts-to-look-at",
                count=len(drafts),
                drafts=listed([draft.name for draft in drafts]),
            )
        )
    for line in missed:
        note(line)
    for letter in lost:
        note(Message("cli.letters.send-it-to-an-address", letter=letter.name))
    old = sum(letter.state == "old" for letter in letters)
    if old and handed:
        note(Message("cli.letters.older-letters-count-as-sent", count=old))
    if not handed and not left:
        note(Message("cli.letters.nothing-waits"))


def nobodys(letters: Sequence[Waiting], ledger: Ledger) -> list[Waiting]:
    """Return letters to nobody, each once."""
    lost = [letter for letter in letters if letter.state == "nobody" and not letter.told]
    for letter in lost:
        ledger.write("told", letter.name, letter.digest, stamp(now()))
    return lost
