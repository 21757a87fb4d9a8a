"""The letters of a game that wait to be sent, and those that do not and why.

A letter is known by the hash of its file: one that was written anew with other content is another letter.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pbem.archive.folder import layout
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.private_side import MAIL_SENT
from pbem.mail.envelope import Envelope, envelope
from pbem.mail.handing_book import MOST_TRIES, Ledger
from pbem.mail.returned import Returned
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, in_turn

State = Literal["ready", "sent", "partly", "unsure", "draft", "superseded", "over", "old", "nobody"]
_STATES: dict[str, str] = {
    "ready": "archive.letters.waits-sent",
    "sent": "archive.letters.sent",
    "partly": "archive.letters.did-not-reach-everybody",
    "unsure": "archive.letters.may-have-been-sent",
    "draft": "archive.letters.waits-until-you-have-looked",
    "superseded": "archive.letters.later-revision-takes-its-place",
    "over": "archive.letters.stage-over",
    "old": "archive.letters.older-than-first-pbem-mail-out-here",
    "nobody": "archive.letters.has-no-address-to-go",
}
_PLACES = (layout.OUTBOX, layout.OWN_LETTERS, layout.RECEIPTS, layout.DRAFTS)
_LIMIT = 64 << 20  # bytes of a letter; a report with the statements it took, twice in base64
_KEPT = 4096  # letters whose addresses a process keeps, as a postmaster looks at them again and again
_NAME = re.compile(r"stage-(?P<stage>\d{4,10})-(?P<what>.+?)(?:-rev(?P<rev>\d+))?")
# letters that are useless once their stage is closed
_OF_A_STAGE = re.compile(r".+-(orders|ack|link|lock|openings|reminder-.+)|amend-.+")


@dataclass(frozen=True)
class Waiting:
    """One letter: its name below the folder, its state, its recipients, and who has it.

    `missing` are the addresses that may still get it, `refused` those that never will, with the
    reason. `told`: the user has read that it has no address. `tries` counts sendings in a row that
    were cut short.
    """

    name: str
    digest: str
    state: State
    subject: str
    to: tuple[str, ...]
    missing: tuple[str, ...]
    done: frozenset[str] = frozenset()
    at: str = ""
    why: str = ""
    message_id: str = ""
    refused: tuple[tuple[str, str], ...] = ()
    told: bool = False
    tries: int = 0

    @property
    def goes(self) -> bool:
        """Return True if `pbem mail out` sends it without being told to."""
        if self.state == "unsure":
            return self.tries < MOST_TRIES
        return self.state == "ready" or (self.state == "partly" and bool(self.missing))

    @property
    def words(self) -> str:
        """Return its state, for people."""
        when = self.at if self.state in ("sent", "partly", "unsure") else ""
        state = Message(_STATES[self.state])
        return Message("archive.letters.state", state=state, when=when, why=self.why)


def book(folder: Readable) -> Ledger:
    """Return the book of letters sent from this folder."""
    return Ledger(folder.root / MAIL_SENT)


def letters(folder: Readable, ledger: Ledger, *, since: int = 0) -> list[Waiting]:
    """Return every letter in `outbox/`, and those for one reader alone, in order of name, with its state.

    Those of stages before `since` are not looked at.
    """
    files = {
        f"{place}/{entry.name}": entry.stat(follow_symlinks=False)
        for place in _PLACES
        for entry in layout.entries(folder.root / place)
        if entry.name.endswith(".eml")
        and entry.is_file(follow_symlinks=False)
        and _stage(entry.name) >= since
    }
    newest = _newest(files)
    return [_letter(folder, ledger, name, _stamp(file), newest) for name, file in files.items()]


def read(folder: Readable, name: str) -> bytes:
    """Return the bytes of a letter."""
    return _bytes(folder.root, name)


def _bytes(root: Path, name: str) -> bytes:
    data = layout.read(root, name, _LIMIT)
    return data if data is not None else b""


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    """Return values that change when the file is rewritten."""
    return status.st_ino, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=_KEPT)
def _envelope(root: Path, name: str, stamp: tuple[int, ...]) -> tuple[str, Envelope]:
    """Return the hash and the addresses of a letter, read once as long as its file is the same."""
    data = _bytes(root, name)
    return hashlib.sha256(data).hexdigest(), envelope(data)


def named(waiting: Iterable[Waiting], names: Iterable[str], root: Path) -> tuple[list[Waiting], list[str]]:
    """Return the letters of these names or paths, with or without ending, and the unknown names."""
    by_name: dict[str, Waiting] = {}
    for unsent in waiting:
        stem = unsent.name.removesuffix(".eml")
        by_name |= {unsent.name: unsent, stem: unsent, stem.rpartition("/")[2]: unsent}
    chosen, unknown = [], []
    for name in names:
        path = Path(name).absolute()
        inside = path.relative_to(root).as_posix() if path.is_relative_to(root) else name
        short = re.sub(r"\.(eml|pbem\.txt|pbem-invitation)$", "", inside)
        letter = by_name.get(short) or by_name.get(short.rpartition("/")[2])
        if letter is None:
            unknown.append(name)
        else:
            chosen.append(letter)
    return chosen, unknown


def undelivered(folder: Readable, waiting: Iterable[Waiting]) -> list[str]:
    """Return important letters that failed to arrive, or perhaps did, in words with help."""
    roster = folder.roster
    names = {party.mail.lower(): party.id for party in roster.parties} if roster is not None else {}
    lines: list[str] = []
    for letter in waiting:
        if _stage(letter.name) < folder.stage:
            continue
        short = _stem(letter.name)
        if letter.state == "unsure" and letter.goes:
            lines.append(Message("archive.letters.letter-may-have-been-sent", letter=short))
        elif letter.state == "unsure":
            lines.append(
                Message("archive.letters.letter-tries-were-cut-short", letter=short, tries=letter.tries)
            )
        if letter.state != "partly":
            continue
        for address, reason in letter.refused:
            party = names.get(address.lower(), "")
            lines.append(
                Message(
                    "archive.letters.letter-did-not-reach-party-say-how",
                    letter=short,
                    party=party,
                    address=address,
                    reason=reason,
                )
            )
    return lines


def came_back(folder: Readable, reports: Iterable[Returned], at: str) -> list[str]:
    """Note in the book what delivery reports say of our letters, and return it in words.

    A report read again, and letters that are not here, are skipped.
    """
    ledger = book(folder)
    by_id = {waiting.message_id: waiting for waiting in letters(folder, ledger) if waiting.message_id}
    notes: list[str] = []
    for report in reports:
        letter = by_id.get(report.message_id)
        address = (
            {known.lower(): known for known in letter.to}.get(report.address) if letter is not None else None
        )
        why = Message(
            "archive.letters.returned", why=report.why
        )  # must not look like a server's own "try later"
        if letter is None or address is None or dict(letter.refused).get(address) == why:
            continue
        if report.late:
            note = "archive.letters.letter-has-not-reached-address-yet"
        else:
            note = "archive.letters.letter-did-not-reach-address"
            ledger.write("returned", letter.name, letter.digest, at, [], {address: why})
        notes.append(Message(note, letter=_stem(letter.name), address=address, why=report.why))
    return notes


def _letter(
    folder: Readable, ledger: Ledger, name: str, stamp: tuple[int, ...], newest: dict[str, int]
) -> Waiting:
    digest, envelope = _envelope(folder.root, name, stamp)
    known = ledger.of(digest)
    soft = {address for address, reason in known.refused.items() if reason.startswith("4")}
    gone = known.done | (set(known.refused) - soft)
    missing = tuple(party for party in envelope.everybody if party not in gone)
    state: State = "ready"
    if known.open:
        passed = _by_name(folder, ledger, name, newest)
        state = passed if passed in ("over", "superseded") else "unsure"
    elif known.settled or ((known.done or known.refused) and not missing):
        elsewhere = known.done - set(envelope.everybody)  # a refused recipient got it at another address
        state = "partly" if known.refused and not elsewhere else "sent"
    elif name.startswith(f"{layout.DRAFTS}/"):
        state = "draft"
    elif not envelope.everybody:
        state = "nobody"
    else:
        state = _by_name(folder, ledger, name, newest)
    why = known.why or in_turn(
        Message("text.diagnostics.about", what=who, message=reason)
        for who, reason in sorted(known.refused.items())
    )
    return Waiting(
        name,
        digest,
        state,
        envelope.subject,
        envelope.everybody,
        missing,
        frozenset(known.done),
        known.at,
        why,
        envelope.message_id,
        tuple(sorted((who, reason) for who, reason in known.refused.items() if who not in soft)),
        known.told,
        known.tries,
    )


def _by_name(folder: Readable, ledger: Ledger, name: str, newest: dict[str, int]) -> State:
    """Return the state that a letter's name shows: newer revisions, closed stages, and its age."""
    match = _NAME.fullmatch(_stem(name))
    if match is None:
        early = ledger.is_new and folder.stage >= 0 and _stem(name).startswith(("join-", "roster-"))
        return "old" if early and not folder.coming_in else "ready"
    stage = int(match["stage"])
    passing = name.startswith(layout.RECEIPTS) or "-received-" in name  # those for one seat lie elsewhere
    if passing or _OF_A_STAGE.fullmatch(match["what"]):
        series, rev = _series(name), int(match["rev"] or 0)
        if newest.get(series, rev) > rev:
            return "superseded"
        if folder.roster is not None and stage <= folder.stage - (
            1 if passing else _stages_unknown_to_the_other(folder)
        ):
            return "over"
    return "old" if ledger.is_new and stage < folder.stage else "ready"


def _stage(name: str) -> int:
    """Return the stage that a letter is of; one of no stage counts for the newest."""
    match = _NAME.fullmatch(_stem(name))
    return int(match["stage"]) if match is not None else sys.maxsize


def _stages_unknown_to_the_other(folder: Readable) -> int:
    """Return 1 between two without a GM, where the last letter tells the other that the stage is closed."""
    return 1 if folder.terms.arbiter is None else 0


def _newest(names: Iterable[str]) -> dict[str, int]:
    """Return the highest revision of each series of letters."""
    newest: dict[str, int] = {}
    for name in names:
        match = _NAME.fullmatch(_stem(name))
        if match:
            newest[_series(name)] = max(newest.get(_series(name), 0), int(match["rev"] or 0))
    return newest


def _series(name: str) -> str:
    return re.sub(r"-rev\d+$", "", name.removesuffix(".eml"))


def _stem(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".eml")
