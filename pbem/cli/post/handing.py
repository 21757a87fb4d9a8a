"""Handing letters over one by one, with the book kept before and after each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from email.utils import format_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.post.mail import log, now, password, stamp
from pbem.cli.shell.console import note, progress, ready
from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import safe
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, Waiting
    from pbem.mail.carriers import Carrier
    from pbem.mail.handing_book import Ledger
    from pbem.mail.settings import Out


@dataclass(frozen=True)
class Handed:
    """The result for one letter: sent, partly, failed or unsure; and why."""

    letter: Waiting
    outcome: str
    why: str = ""

    @property
    def good(self) -> bool:
        """Return True if it was sent to everybody."""
        return self.outcome == "sent"

    def data(self) -> dict[str, object]:
        """Return the result for programs."""
        to = list(self.letter.missing)
        return {"letter": self.letter.name, "outcome": self.outcome, "why": self.why, "to": to}


def unattended() -> bool:
    """Return True if nobody is there, as under cron or a timer: then nobody looks at what is sent."""
    return not any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def carrier(out: Out, root: Path) -> Carrier:
    """Return who sends the email; a password is fetched now, before anything is written down."""
    from pbem.mail import carriers

    if out.server is not None:
        return carriers.Smtp(out.server, password(out.server))
    if out.program:
        return carriers.Sendmail(out.program)
    return carriers.IntoFolder(root / Path(out.folder).expanduser())


def hand_over(
    folder: Folder,
    ledger: Ledger,
    out: Out,
    chosen: Sequence[Waiting],
    to: Sequence[str] = (),
    way: Carrier | None = None,
) -> list[Handed]:
    """Send all letters in turn.

    One that fails does not stop the next, unless the server cannot be reached. A `way` that is given is left
    open for the next game.
    """
    done: list[Handed] = []
    own = carrier(out, folder.root) if way is None else None
    by = own or way
    assert by is not None
    try:
        with progress(Message("cli.handing.sending")) as step:
            for letter in chosen:
                done.append(_hand_over_letter(folder, ledger, out, by, letter, to))
                step(len(done), len(chosen))
    finally:
        if own is not None:
            own.close()
    return done


def _hand_over_letter(
    folder: Folder, ledger: Ledger, out: Out, way: Carrier, letter: Waiting, to: Sequence[str]
) -> Handed:
    from pbem.archive import waiting_letters
    from pbem.mail.carriers import NotHanded, Unsure
    from pbem.mail.envelope import dressed, envelope

    data = waiting_letters.read(folder, letter.name)
    opened, known = envelope(data), ledger.of(letter.digest)
    people = list(to) or [person for person in letter.missing if out.cc_all or person in opened.to]
    moment = now()
    dress: dict[str, Any] = {
        "date": format_datetime(moment),
        "sender": out.sender,
        "to": list(to),
        "cc_all": out.cc_all,
        "automatic": unattended(),
        "one_subject": out.one_subject,
    }
    if letter.state == "unsure" and known.open and set(known.dress) == set(dress):
        people, dress = sorted(known.open), known.dress  # the same bytes to the same people
    name, at = letter.name, stamp(moment)
    ledger.write("begun", name, letter.digest, at, people, dress=dress)
    try:
        refused = way.hand_over(
            name.rpartition("/")[2].removesuffix(".eml"),
            dress["sender"] or opened.sender,
            people,
            dressed(data, **dress),
        )
    except NotHanded as fault:
        ledger.write("failed", name, letter.digest, at, people, why=str(fault))
        return _logged(folder, Handed(letter, "failed", str(fault)), len(people))
    except Unsure as fault:
        return _logged(folder, Handed(letter, "unsure", str(fault)), len(people))
    ledger.write(
        "sent", name, letter.digest, at, [person for person in people if person not in refused], refused
    )
    if not dress["cc_all"] and not dress["to"]:  # nobody else is meant to get it
        ledger.write("settled", name, letter.digest, at)
    why = "; ".join(f"{address}: {reason}" for address, reason in refused.items())
    return _logged(folder, Handed(letter, "partly" if refused else "sent", why), len(people))


def _logged(folder: Folder, handed: Handed, count: int) -> Handed:
    log(
        folder,
        Message(
            "cli.handing.mail-out",
            outcome=handed.outcome,
            letter=handed.letter.name,
            count=count,
            reason=handed.why,
        ),
    )
    return handed


def show(handed: Sequence[Handed]) -> None:
    """Print a line for each, and what to do about those that may have been sent."""
    for letter in handed:
        reason = f": {spoken(safe(letter.why, 400))}" if letter.why else ""
        ready(f"{spoken(letter.outcome):<8} {letter.letter.name}{reason}")
    unsure = [letter.letter.name for letter in handed if letter.outcome == "unsure"]
    if unsure:
        note(Message("cli.handing.letters-may-have-been-sent", count=len(unsure)))
        note(Message("cli.handing.if-it-is-there", letter=unsure[0]), before="  ")
