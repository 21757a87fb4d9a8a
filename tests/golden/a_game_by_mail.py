"""A game by mail of everything that can happen, told file by file: what lies where after each step.

GM, two players, an observer and a deputy have folders of their own, and nothing passes between them but the
emails that `pbem mail out` would send, to those they are addressed to. After each step each folder is
compared with what it was: names and modes of files, statements by kind, what emails say and to whom, what is
awaited. Ids have names here, so that no key or digest decides how it reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast

from pbem.archive import commits, layout, verify, waiting_letters
from pbem.cli.games.standing import stand
from pbem.cli.games.verified import own_side
from pbem.cli.post import handing
from pbem.cli.post.intake import TakenIn, take_in
from pbem.mail.read import read, together
from pbem.mail.settings import Out
from pbem.text.canonical import NotCanonical
from pbem.trust import statements
from pbem.trust.errors import BadStatement
from pbem.trust.statements import Statement
from tests.unit.archive.table import Seat

_HEX = re.compile(r"(?<![0-9a-z])[0-9a-f]{8,64}(?![0-9a-z])")
_ROLLED = re.compile(r"(?<=Weather: )[^;]+")
_WHEN = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?( UTC|Z)?")
_HEADERS = ("From", "To", "Cc", "Subject", "X-Unsent", "Auto-Submitted")
_TOLD = (layout.RECEIPTS, layout.DRAFTS, "outbox/refused-", "outbox/stage-")
_PLACES = (layout.OUTBOX, layout.OWN_LETTERS, layout.RECEIPTS)
_BEGIN = "-----BEGIN"
_SHOWN = ("accepted", "amends", "asked", "closed", "forfeits", "have", "stage", "standing", "unreadable")
"""What of a record or a statement is told, and not only that it is there."""


class Post:
    """The mail between folders: emails in the order in which they were sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, tuple[str, ...], bytes]] = []

    def hand_over(self, name: str, sender: str, to: Sequence[str], data: bytes) -> Mapping[str, str]:
        """Take an email for these addresses."""
        self.sent.append((name, sender, tuple(to), data))
        return {}

    def close(self) -> None:
        """Do nothing."""


def _statement(data: bytes) -> Statement | None:
    try:
        return statements.parse(data)
    except (NotCanonical, BadStatement):
        return None


def _in_turn(one: Statement) -> tuple[str, int, int, str]:
    shown = {name: value for name, value in one.data.get("body", one.data).items() if name in _SHOWN}  # type: ignore[union-attr]
    keys = f"{sorted(one.data.get('body', ()))} {json.dumps(shown)}"  # type: ignore[arg-type]
    return (one.type, one.data.get("stage", 0), one.data.get("rev", 0), keys)  # type: ignore[return-value]


@dataclass
class Names:
    """The names of statements, by their ids, in the order in which they were first seen."""

    when: re.Pattern[str] = _WHEN
    by_sid: dict[str, str] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)

    def learn(self, found: Iterable[bytes]) -> None:
        """Give statements names: kind, sender, readers, and a number; in an order that no id decides."""
        for one in sorted(filter(None, map(_statement, found)), key=_in_turn):
            if one.sid not in self.by_sid:
                label = one.type if one.type == "roster" else f"{one.type}-{one.sender}"
                if one.type == "letter":
                    label += f"-to-{'-'.join(one.letter.to or ('all',))}"
                number = self.count[label] = self.count.get(label, 0) + 1
                self.by_sid[one.sid] = f"<{label}-{number}>"

    def named(self, text: str) -> str:
        """Return a text with the names of statements for their ids, and without times."""

        def name(found: re.Match[str]) -> str:
            known = (label for sid, label in self.by_sid.items() if sid.startswith(found[0]))
            return next(known, "<hex>")

        return _ROLLED.sub("<dice>", self.when.sub("<time>", _HEX.sub(name, text)))


@dataclass
class Told:
    """A game whose folders are looked at after each step."""

    seats: dict[str, Seat]
    post: Post = field(default_factory=Post)
    names: Names = field(default_factory=Names)
    lines: list[str] = field(default_factory=list)
    away: set[str] = field(default_factory=set)
    """Who reads no emails."""
    _before: dict[str, dict[str, tuple[int, int, int]]] = field(default_factory=dict)
    _letters: dict[Path, set[str]] = field(default_factory=dict)
    _said: dict[str, list[str]] = field(default_factory=dict)

    def step(self, title: str) -> None:
        """Tell what has changed in each folder since the step before."""
        self.lines += ["", f"== {title}"]
        for name, seat in self.seats.items():
            if seat.root.exists():
                self._folder(name, seat)

    def carry(self) -> None:
        """Send all that waits, and have it read, until nothing is on its way."""
        while True:
            before = len(self.post.sent)
            for seat in self.seats.values():
                if seat.root.exists():
                    self._send(seat)
            new = self.post.sent[before:]
            if not new:
                return
            for reader, seat in self.seats.items():
                mine = [(name, data) for name, _, to, data in new if f"{reader}@example.org" in to]
                if mine and reader not in self.away:
                    self.read(seat, *mine)

    def read(self, seat: Seat, *mails: tuple[str, bytes]) -> None:
        """Have a seat take emails in, and tell what became of each statement that is not simply taken."""
        reading = together(read(data, name) for name, data in mails)
        self.names.learn(signed.data for signed in reading.signed)
        taken = TakenIn()
        take_in(seat.folder, reading, taken)
        told = [one for one in taken.receipts if one.outcome != "taken" or one.reason]
        self.lines += sorted(
            self.names.named(f"{seat.root.name} reads {one.words}: {one.outcome}")
            + (self.names.named(f": {one.reason}") if one.reason else "")
            for one in told
        )
        for where, text in [*((one.where, one.text) for one in taken.notes), *taken.warnings]:
            self.lines.append(self.names.named(f"{seat.root.name} is told of {where}: {text}"))

    def judged(self, name: str) -> None:
        """Tell what `pbem verify` says of a folder."""
        found = verify(self.seats[name].root, own=own_side(self.seats[name].root))
        said = sorted(
            {f"{one.kind} {one.code}" + (f" {one.party}" if one.party else "") for one in found.findings}
        )
        self.lines.append(f"{name} verifies: {'; '.join(said)}")

    def _send(self, seat: Seat) -> None:
        letters = {path.name for place in _PLACES for path in (seat.root / place).glob("*.eml")}
        if letters == self._letters.get(seat.root):
            return
        self._letters[seat.root], folder = letters, seat.folder
        ledger = waiting_letters.book(folder)
        waiting = [one for one in waiting_letters.letters(folder, ledger) if one.goes]
        if waiting:
            handing.hand_over(folder, ledger, Out(folder="out"), waiting, way=cast(Any, self.post))

    # ---- looking -----------------------------------------------------------------------------------------

    def _folder(self, name: str, seat: Seat) -> None:
        here = {
            path.relative_to(seat.root).as_posix(): (file.st_mode & 0o777, file.st_mtime_ns, file.st_ino)
            for path in sorted(seat.root.rglob("*"))
            if path.is_file() and path.name not in ("lock", "mail.log") and (file := path.stat())
        }
        before = self._before.get(name, {})
        changed = {file: (seat.root / file).read_bytes() for file in here if before.get(file) != here[file]}
        self.names.learn(
            data for file, data in changed.items() if file.endswith(".json") and _HEX.search(file)
        )
        blocks = [[f"  - {self.names.named(file)}"] for file in before if file not in here]
        for file, data in changed.items():
            mark = "~" if file in before else "+"
            blocks.append([f"  {mark} {here[file][0]:o} {self.names.named(file)}", *self._inside(file, data)])
        state = self._state(seat)
        new = [f"  {line}" for line in state if line not in self._said.get(name, [])]
        self._before[name], self._said[name] = here, state
        lines = [line for block in sorted(blocks) for line in block]
        self.lines += [f"-- {name}", *lines, *new] if lines or new else []

    def _inside(self, file: str, data: bytes) -> Iterator[str]:
        """Return what is in a file, as far as it does not hang on keys and digests."""
        if file.endswith(".eml"):
            yield from (f"      {line}" for line in self._email(file, data))
        elif file.endswith(".json") and file != layout.SCENARIO:
            yield f"      {self._json(json.loads(data))}"

    def _json(self, one: Any) -> str:
        if not isinstance(one, dict):
            return str(len(one))
        if isinstance(one.get("facts"), list):
            return f"stage {one.get('stage')}: {_counted(one['facts'])}"
        body = one.get("body", one)
        told = [f"rev {one['rev']}"] if one.get("rev", 1) != 1 else []
        for name, value in sorted(body.items()):
            told.append(f"{name} {self._short(value)}" if name in _SHOWN else name)
        return self.names.named(", ".join(told))

    def _short(self, value: Any) -> str:
        """Return a value with names for ids, sorted: as they are they may be in the order of their ids."""
        named = json.loads(self.names.named(json.dumps(value, sort_keys=True)))
        listed = sorted(named) if isinstance(named, list) else named
        return json.dumps(listed).replace('"', "")

    def _email(self, file: str, data: bytes) -> Iterator[str]:
        mail = cast(EmailMessage, message_from_bytes(data, policy=policy.default))
        yield self.names.named("; ".join(f"{name}: {mail[name]}" for name in _HEADERS if mail[name]))
        body = mail.get_body(("plain",)) if file.startswith(_TOLD) else None
        text = body.get_content() if body is not None else ""
        named = [self.names.named(line.rstrip()) for line in text.partition(_BEGIN)[0].splitlines()]
        lines = [line for line in named if line and not line.startswith(("<hex>", "====", "Last head"))]
        if "-report" not in file:
            yield from (f"  {line}" for line in (sorted(lines) if "-ack" in file else lines))

    def _state(self, seat: Seat) -> list[str]:
        """Return what `pbem status` says, and what would be committed."""
        folder = seat.folder
        said = stand(folder)
        lines = [f"= stage {said.stage}: {said.place}; next: {said.command}"]
        for one in said.parties:
            extra = (
                f" since {one.since}" if one.since else "",
                f" owes {', '.join(one.owes)}" if one.owes else "",
                f" because {one.reason}" if one.reason else "",
                "".join(f" [{step.what}: {step.words} {step.command}]" for step in one.steps),
            )
            lines.append(
                f"= {one.id}: {one.state}{' (awaited)' if one.awaited else ''}: {one.words}{''.join(extra)}"
            )
        lines += [f"= due {said.due}"] if said.due else []
        for title, listed in (
            ("warning", said.warnings),
            ("mine", said.mine),
            ("ahead", said.ahead),
            ("letters", said.letters),
        ):
            lines += [f"= {title}: {text}" for text in sorted(map(self.names.named, listed))]
        if folder.roster is not None:
            lines.append(f"= {len(commits.published(folder))} files are published")
        return [self.names.named(line) for line in lines]


def _counted(facts: Iterable[Any]) -> str:
    """Return how many facts there are of each section, by audience."""
    count: dict[str, int] = {}
    for one in facts:
        key, audience = (one["key"], one["audience"]) if isinstance(one, dict) else (one[0], one[2])
        name = f"{str(key).partition('/')[0]} of {'+'.join(audience) or 'nobody'}"
        count[name] = count.get(name, 0) + 1
    return ", ".join(f"{number} {name}" for name, number in sorted(count.items()))
