"""Letters for pages: what waits to be sent, what came in, what is taken in."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.mail.read import Reading


def take_in(folder: Folder, reading: Reading) -> list[str]:
    """Take in what was read; return a line for each statement, in the words of its receipt."""
    from pbem.cli.post.intake import TakenIn
    from pbem.cli.post.intake import take_in as taking
    from pbem.cli.shell.keys import passphrase_is

    taken = TakenIn()
    with passphrase_is(""):
        taking(folder, reading, taken)
    lines = [_receipt(receipt) for receipt in taken.receipts] + taken.plain + taken.links + taken.returned
    about = "text.diagnostics.about"
    lines += [Message(about, what=where, message=text) for where, text in taken.warnings]
    lines += [Message("cli.web.refused-before-again", count=len(taken.before))] if taken.before else []
    return lines


def nothing_in(reading: Reading) -> str:
    """Return what to say of emails in which there was nothing to take in."""
    if reading.telling:
        return Message("cli.intake.letters-to-read", count=reading.telling)
    return Message("cli.web.nothing-was-found")


def read(sent: Sequence[tuple[str, bytes]]) -> Reading:
    """Read emails and files with what they are called."""
    from pbem.mail.read import read_stream, together

    return together(read_stream(BytesIO(data), called) for called, data in sent)


def _receipt(receipt: Any) -> str:
    return Message("cli.web.receipt", outcome=receipt.shown, words=receipt.words, reason=receipt.reason)


@dataclass(frozen=True)
class Letter:
    """A letter for a page.

    `file` is its name in addresses, `link` writes it in a mail program, `text` is its attachment to copy.
    """

    file: str
    name: str
    to: str
    words: str
    state: str
    link: str
    text: str


def letters(folder: Folder, *, whole: bool = False) -> list[Letter]:
    """Return the letters of a game, newest first: those that wait or failed, with `whole` all."""
    from pbem.archive import waiting_letters

    waiting = waiting_letters.letters(folder, waiting_letters.book(folder))
    kept = [letter for letter in waiting if whole or letter.state in ("ready", "partly", "unsure", "draft")]
    return [_letter(folder, letter) for letter in reversed(kept)]


def _letter(folder: Folder, letter: Any) -> Letter:
    from pbem.archive import waiting_letters
    from pbem.mail.envelope import mail_link
    from pbem.mail.read import read as signed_in
    from pbem.trust import armour

    path = folder.root / letter.name
    beside = path.with_suffix(".pbem.txt")
    text = beside.read_text("utf-8") if beside.is_file() and not beside.is_symlink() else ""
    link = ""
    if letter.state == "ready" and len(text) < MAX_TEXT:
        data = waiting_letters.read(folder, letter.name)
        signed = signed_in(data).signed
        short = "\n".join(armour.armour(part) for part in signed)
        link = mail_link(data, text or short, armour_only=short) if signed else ""
    return Letter(
        path.name, letter.name, ", ".join(letter.to), letter.words, letter.state, link, text[:MAX_TEXT]
    )


MAX_TEXT = 20_000
"""Characters of a letter that are shown to be copied; a longer one is saved as a file."""


def letter(folder: Folder, file: str) -> bytes:
    """Return a letter, or the invitation, by its file name; Refused for any other name."""
    from pbem.archive import waiting_letters

    for letter in waiting_letters.letters(folder, waiting_letters.book(folder)):
        if letter.name.rpartition("/")[2] == file:
            return waiting_letters.read(folder, letter.name)
    if file in invitations(folder):
        return (folder.root / "outbox" / file).read_bytes()
    raise Refused(Diagnostic("no-file", Message("cli.web.no-file")))


def invitations(folder: Folder) -> list[str]:
    """Return the invitation to be sent, while seats are free."""
    if not folder.initiates or folder.roster is not None:
        return []
    paths = (folder.root / "outbox").glob("*.pbem-invitation")
    return sorted(path.name for path in paths if path.is_file() and not path.is_symlink())


def came_in(folder: Folder, most: int = 30) -> list[tuple[str, str]]:
    """Return what others sent, newest first: in words, and when it came, if noted."""
    from pbem.archive import arrivals
    from pbem.stages.receipts import words_for

    times = arrivals.arrivals(folder)
    words = (
        [
            (words_for(statement), times.get(statement.sid, ""))
            for stage in range(folder.progress.open_stage, -1, -1)
            for statement, _ in folder.statements(stage)
            if statement.sender != folder.me
        ]
        if folder.stage >= 0
        else []
    )
    return words[:most]
