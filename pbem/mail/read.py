"""Signed statements in messages: every armour with a good signature, wherever it is (protocol 6.2).

Nothing here raises on what a message holds. Who signed, and whether it may count, is for the archive.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from pathlib import Path
from typing import BinaryIO, Literal

from pbem.mail import packed, plain
from pbem.mail.boxes import MAX_MESSAGE, Message, messages, messages_from, messages_in
from pbem.mail.mime import Entity
from pbem.mail.parts import Part, Walk, leaf_parts, looks_like_mail
from pbem.mail.replies import MOST as MOST_OF_REPLY
from pbem.mail.replies import Reply, said_in
from pbem.mail.returned import Returned, returned
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message as Sentence
from pbem.trust import armour
from pbem.trust.armour import Signed

# what pbem writes without a statement: receipts, answers to emails that do not count, refusals, reminders,
# and what a postmaster tells its game master
_TELLING = re.compile(r"<(?:receipts|drafts|refused|reminder|postmaster)-[A-Za-z0-9-]{1,40}@pbem\.invalid>")
_MARKER = re.compile(r"PBEM[\s>|]{1,80}STATEMENT")
_LINE = re.compile(rb"[^\n]+")
_BASE64_LINE = re.compile(rb"[ \t>|]{0,40}([A-Za-z0-9+/]{2,}={0,2})[ \t\r]{0,40}")
_LONG_LINE = 40  # characters of a first base64 line without a header
_MOST_RUNS = 20  # runs of base64 to try as statements
MOST_NOTED = 1000
"""Messages of a reading of which something is noted: a mailbox may have millions with nothing in them."""
_MOST_EMPTY = 20  # empty messages to name
_BESIDE = 64 * 1024  # characters of a text that are kept for comparison
_ALL_BESIDE = 8 * 1024 * 1024  # the same for all texts of one reading

Kind = Literal["nothing", "damaged", "limit", "unreadable"]
Step = Callable[[int], None]


@dataclass(frozen=True)
class Note:
    """A note for the reader of a message; `where` names message and part."""

    where: str
    text: str
    kind: Kind = "unreadable"


@dataclass(frozen=True)
class Carried:
    """A statement with good signatures, and in which message it was found first.

    `beside` are the texts of the parts that it was in, and of the plain parts of that email without any: what
    people read there, which counts for nothing.
    """

    where: str
    signed: Signed
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plain:
    """An unsigned message that looks like orders, or one with a damaged statement.

    `sender` is what it claims; `digest` identifies it.
    """

    where: str
    sender: str
    digest: str


@dataclass
class Reading:
    """The result of reading messages.

    `messages` counts those looked at. `replies` are people's own emails, which may answer a question of a
    game. `plain` and `damaged` are emails whose writers should be told that they
    do not count. `returned` names undelivered letters, `telling` counts letters of pbem that only inform,
    such as receipts, and `empty` messages without content. Each list keeps only the first MOST_NOTED.
    `senders` has the address from which each statement came, which proves nothing.
    """

    notes: list[Note] = field(default_factory=list)
    messages: int = 0
    plain: list[Plain] = field(default_factory=list)
    damaged: list[Plain] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    returned: list[Returned] = field(default_factory=list)
    telling: int = 0
    empty: int = 0
    senders: dict[bytes, str] = field(default_factory=dict)
    _found: dict[bytes, Carried] = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _kept: int = 0

    @property
    def statements(self) -> tuple[Carried, ...]:
        """Return each statement once, in order of appearance."""
        return tuple(self._found.values())

    @property
    def signed(self) -> tuple[Signed, ...]:
        """Return the statements without the messages they were in."""
        return tuple(carried.signed for carried in self._found.values())

    def add(self, where: str, new: Signed, beside: Iterable[str] = ()) -> None:
        """Take in a statement; one seen before only brings its further signatures."""
        known = self._found.get(new.data)
        if known is not None:
            self._found[new.data] = Carried(known.where, _joined(known.signed, new), known.beside)
            return
        texts = (self._keep(text) for text in dict.fromkeys(beside))
        self._found[new.data] = Carried(where, new, tuple(text for text in texts if text is not None))

    def only(self, wanted: Callable[[bytes], bool]) -> Reading:
        """Return what was read without the statements that are not wanted."""
        kept = Reading(self.notes, self.messages, self.plain, self.damaged, self.replies, self.returned)
        kept.telling, kept.empty, kept.senders = self.telling, self.empty, self.senders
        for statement in self.statements:
            if wanted(statement.signed.data):
                kept.add(statement.where, statement.signed, statement.beside)
        return kept

    def _keep(self, text: str) -> str | None:
        """Return the text as kept once for all statements beside it, or None if there is no room."""
        if text not in self._texts:
            if self._kept + len(text) > _ALL_BESIDE:
                return None
            self._kept += len(text)
            self._texts[text] = text
        return self._texts[text]

    def take(self, message: Message) -> tuple[Signed, ...]:
        """Read one message more, and return what was found in it."""
        taken = self._take(message)
        for kept in (self.notes, self.plain, self.damaged, self.replies, self.returned):
            del kept[MOST_NOTED:]
        return taken

    def _take(self, message: Message) -> tuple[Signed, ...]:
        self.messages += 1
        if message.fault:
            self.notes.append(Note(message.name, message.fault))
            return ()
        if message.data is None:
            limit = f"{MAX_MESSAGE // (1024 * 1024)} MiB"
            self.notes.append(
                Note(
                    message.name,
                    Sentence("mail.read.is-larger-than-limit-and-was-not-looked", limit=limit),
                    "limit",
                )
            )
            return ()
        try:
            return _read_message(message.name, message.data, self)
        except Exception as fault:  # a hostile message must not stop the next one
            self.notes.append(
                Note(message.name, Sentence("mail.read.cannot-read", name=type(fault).__name__))
            )
        return ()


def together(readings: Iterable[Reading]) -> Reading:
    """Return several readings as one: a statement from several emails has the signatures of all."""
    all_ = Reading()
    for reading in readings:
        for statement in reading.statements:
            all_.add(statement.where, statement.signed, statement.beside)
        all_.notes += reading.notes
        all_.plain += reading.plain
        all_.damaged += reading.damaged
        all_.replies += reading.replies
        all_.returned += reading.returned
        all_.messages += reading.messages
        all_.telling += reading.telling
        all_.empty += reading.empty
        all_.senders |= reading.senders
    return all_


def _joined(signed: Signed, other: Signed) -> Signed:
    return Signed(signed.data, tuple(dict.fromkeys((*signed.signatures, *other.signatures))))


def read(data: bytes, name: str = "standard input") -> Reading:
    """Return everything signed in these bytes: an email, an mbox or a bare file."""
    return _read_all(messages_in(data, name))


def read_stream(stream: BinaryIO, name: str = "standard input") -> Reading:
    """Return everything signed in a stream."""
    return _read_all(messages_from(stream, name))


def read_path(path: Path, step: Step | None = None) -> Reading:
    """Return everything signed in a file, mbox, Maildir or folder.

    Raises OSError only for `path` itself.

    `step` is told the bytes of each message once it is read.
    """
    return _read_all(messages(path), step)


def _read_all(messages: Iterator[Message], step: Step | None = None) -> Reading:
    reading = Reading()
    for message in messages:
        reading.take(message)
        if step is not None:
            step(message.size)
    return reading


@dataclass
class _Seen:
    """The content of one message.

    That is good statements with the texts beside them, texts without any, the beginnings of what people read,
    and armours without a good signature by place.
    """

    good: dict[bytes, Signed] = field(default_factory=dict)
    beside: dict[bytes, list[str]] = field(default_factory=dict)
    to_read: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    unclear: list[bytes] = field(default_factory=list)
    damaged: dict[tuple[str, ...], str] = field(default_factory=dict)
    like_orders: bool = False

    def take(self, signed: Signed, text: str) -> None:
        """Keep a statement with a good signature, and the text that it stood in."""
        known = self.good.get(signed.data)
        self.good[signed.data] = signed if known is None else _joined(known, signed)
        beside = self.beside.setdefault(signed.data, [])
        if text not in beside:
            beside.append(text)


def _read_message(name: str, data: bytes, reading: Reading) -> tuple[Signed, ...]:
    back = returned(data, name)
    if back is not None:  # it holds our own letter
        reading.returned += back
        return ()
    walk, seen = Walk(), _Seen()
    for part in leaf_parts(data, walk):
        _in_part(part, seen)
    if not (seen.good or seen.damaged or walk.notes):  # the parser may have misread a part
        _in_part(Part("the text", data, "latin-1"), seen, bare=True)
    if not seen.good:
        unclear, seen.unclear = seen.unclear, []
        for part in _bare_base64([data, *unclear], walk):
            _in_part(part, seen, bare=True)
    if len(seen.good) > armour.MAX_STATEMENTS:
        walk.notes.append(Sentence("mail.read.holds-more-than-most-statements", most=armour.MAX_STATEMENTS))
    taken = tuple(list(seen.good.values())[: armour.MAX_STATEMENTS])
    address = plain.sender(data) if taken and looks_like_mail(data) else ""
    for signed in taken:
        if address:
            reading.senders.setdefault(signed.data, address)
        reading.add(name, signed, [*seen.beside.get(signed.data, ()), *seen.to_read])
    _note(name, data, seen, reading)
    if seen.written and len(reading.replies) < MOST_NOTED and looks_like_mail(data):
        reading.replies += _replied(name, data, seen.written[0])
    reading.notes += [Note(name, text, "limit") for text in walk.notes]
    return taken


def _replied(name: str, data: bytes, text: str) -> list[Reply]:
    """Return an email as a reply, unless a program wrote it: its first text is what people read."""
    entity = Entity(data)
    if plain.automatic(data) or entity.header("Message-ID").endswith("@pbem.invalid>"):
        return []
    sender = plain.sender(data)
    digest = hashlib.sha256(data).hexdigest()
    if _MARKER.search(said_in(text)):
        return []
    return [Reply(name, sender, digest, plain.decoded(entity.header("Subject")), text)] if sender else []


def _bare_base64(texts: Iterable[bytes], walk: Walk) -> Iterator[Part]:
    """Yield the content of undeclared base64 in a message and its texts.

    It may be statements, or a packed file of them, if no other was unpacked or refused.
    """
    left, announced = _MOST_RUNS, walk.unpacked > 0 or bool(walk.notes)
    for run in (run for text in texts for run in _base64_runs(text)):
        decoded = base64.b64decode(run[: len(run) // 4 * 4])
        if not left:
            return
        if packed.is_packed(decoded) and not announced:
            left -= 1
            yield from leaf_parts(decoded, walk)
        elif b"PBEM" in decoded:
            left -= 1
            yield Part(Sentence("mail.read.base64-in-text"), decoded)


def _base64_runs(data: bytes) -> Iterator[bytes]:
    """Yield joined lines of base64 only; such a run begins with a line of some length."""
    run = bytearray()
    for line in _LINE.finditer(data):
        match = _BASE64_LINE.fullmatch(line[0])
        if match is not None and (run or len(match[1]) >= _LONG_LINE):
            run += match[1]
        elif run:
            yield bytes(run)
            run = bytearray()
    if run:
        yield bytes(run)


def _note(name: str, data: bytes, seen: _Seen, reading: Reading) -> None:
    """Note what the reader should know of a message: damage, or that it is empty."""
    fitting = {signature for statement in seen.good.values() for signature in statement.signatures}
    for signatures, where in seen.damaged.items():
        if not fitting.intersection(signatures) and (signatures or not seen.good):
            text = Sentence("mail.read.holds-damaged-statement", where=where)
            reading.notes.append(Note(name, text, "damaged"))
            if not seen.good and looks_like_mail(data) and not plain.automatic(data):
                reading.damaged.append(Plain(name, plain.sender(data), hashlib.sha256(data).hexdigest()))
                return
    if seen.good or seen.damaged:
        return
    if looks_like_mail(data) and _TELLING.match(Entity(data).header("Message-ID")):
        reading.telling += 1
        return
    reading.empty += 1
    if not seen.like_orders:
        if reading.empty <= _MOST_EMPTY:
            reading.notes.append(
                Note(
                    name,
                    Sentence("mail.read.holds-no-armoured-statement"),
                    "nothing",
                )
            )
        return
    reading.notes.append(Note(name, Sentence("mail.read.holds-unsigned-orders"), "nothing"))
    if looks_like_mail(data) and not plain.automatic(data):
        reading.plain.append(Plain(name, plain.sender(data), hashlib.sha256(data).hexdigest()))


def _in_part(part: Part, seen: _Seen, *, bare: bool = False) -> None:
    """Take the armours in a part; the next of its texts is tried as long as none gave a good signature.

    `bare`: not a part of its own, but one read in another way; what people read in it is known already.
    """
    heads: list[str] = []
    armours = sound = marked = False
    for text in part.texts():
        heads.append(text.head)
        marked = marked or _MARKER.search(text.whole) is not None
        unfit: list[tuple[str, ...]] = []
        fitting: set[str] = set()
        for match in armour.search(text.whole, flowed=part.flowed, delsp=part.delsp):
            armours = True
            for signed in armour.sound([match]):
                sound = True
                seen.take(signed, text.head[:_BESIDE])
                fitting.update(signed.signatures)
            if not fitting.intersection(match.signatures):
                unfit.append(match.signatures)
        for signatures in unfit:
            if not fitting.intersection(signatures):
                seen.damaged.setdefault(signatures, part.where)
        if sound:
            break
        del text  # free the memory for the next one
    if heads and (part.plain or part.is_html) and not bare:
        seen.written.append(heads[0][:MOST_OF_REPLY])
    if armours or bare:
        return
    if part.plain:
        seen.to_read.append(heads[0][:_BESIDE])
        seen.unclear.append(part.data)
    if marked:
        seen.damaged.setdefault((), part.where)
    seen.like_orders = seen.like_orders or plain.like_orders(heads)
