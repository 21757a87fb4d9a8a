"""The texts of a message's leaf parts, forwarded messages included (protocol 6.2, rules 1, 2 and 8).

A part that cannot be read never stops the next. Texts are made when they are asked for, one after the other:
25 MiB of the worst take less than ten times as much memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import field

from pbem.mail import packed
from pbem.mail.charset import HEAD, Text, ladder
from pbem.mail.mime import Entity
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.armour import MAX_STATEMENTS
from pbem.trust.hypertext import looks_like_html, to_text
from pbem.trust.repairs import narrow

MAX_LEVELS = 10  # messages and archives within one another
MAX_DEPTH = 60  # nested parts, counted on through forwarded messages
MAX_PARTS = 200
MAX_HEADERS = 1 << 20  # bytes of all headers of a message
_BEFORE_HEADERS = b"\xef\xbb\xbf \t\r\n"  # what editors and gateways put before the first header
_HEAD = 64 * 1024  # bytes in which a mail-only header must appear
_ENCLOSED = ("base64", "quoted-printable")  # forbidden for message/rfc822, and done by some gateways
_HEADER = re.compile(rb"[!-9;-~]{1,76}:(?:[ \t]|\r?\n|[!-~])")
_BLOCK = re.compile(rb"BEGIN[\s>|]{1,80}PBEM[\s>|]{1,80}STATEMENT[ \t-]*([^-]{0,20000})")
_BLANKS = re.compile(rb"[\s>|]+")
_MAIL_HEADERS = frozenset(
    b"from to cc date subject received return-path delivered-to message-id mime-version content-type"
    b" reply-to sender x-received dkim-signature content-transfer-encoding content-disposition".split()
)


@dataclass(frozen=True)
class Part:
    """A leaf part: its place, its bytes, their name, and how its lines were made.

    `plain`: it is declared as text, and is.
    """

    where: str
    data: bytes
    charset: str | None = None
    is_html: bool = False
    flowed: bool = False
    delsp: bool = False
    plain: bool = False

    def texts(self) -> Iterator[Text]:
        """Yield the possible texts, likeliest first: as text, and HTML or what looks like it
        without tags.
        """
        for text in ladder(self.data, self.charset):
            if self.is_html or looks_like_html(text.whole):
                page = _page(text)
                yield from (page, text) if self.is_html else (text, page)
                del page
            else:
                yield text
            del text  # free the memory for the next one


def _page(text: Text) -> Text:
    """Return the text of a page, which most often is made once for people and for the search."""
    if text.head == text.whole:
        made = to_text(text.head)
        return Text(made, narrow(made))
    return Text(to_text(text.head)[:HEAD], to_text(text.whole, narrow))


@dataclass
class Walk:
    """The state of a walk through one message.

    `notes` are limits met and parts given up, `unpacked` the bytes out of archives, `statements` those that
    were in them.
    """

    parts: int = 0
    notes: list[str] = field(default_factory=list)
    unpacked: int = 0
    statements: set[bytes] = field(default_factory=set)


def leaf_parts(data: bytes, walk: Walk) -> Iterator[Part]:
    """Yield every leaf part of a message or bare file, in order; never raises."""
    yield from _from_bytes(data, Place(), walk)


@dataclass(frozen=True)
class Place:
    """A place in a message: numbers of parts ("2.1"), and the parts, messages and archives around it."""

    where: str = ""
    depth: int = 0
    levels: int = 0
    archives: int = 0

    def inside(self, number: int, *, level: bool = False, archive: bool = False) -> Place:
        """Return the place of a part, or of a whole message or archive, inside this one."""
        where = f"{self.where}.{number}" if self.where else str(number)
        return Place(where, self.depth + 1, self.levels + (level or archive), self.archives + archive)


def _from_bytes(data: bytes, place: Place, walk: Walk) -> Iterator[Part]:
    if packed.is_packed(data):
        yield from _from_archive(data, place, walk)
        if not packed.is_winmail(data):
            return
    data = _of_apple(data)
    if b"\r\r\n" in data[:_HEAD]:  # a server doubled the carriage return
        data = data.replace(b"\r\r\n", b"\n")
    if b"\n" not in data[:_HEAD] and b"\r" in data[:_HEAD]:
        data = data.replace(b"\r", b"\n")
    if looks_like_mail(data):
        if _header_size(data) <= MAX_HEADERS:
            yield from _from_entity(Entity(data.lstrip(_BEFORE_HEADERS)), place, walk)
            return
        walk.notes.append(Message("mail.parts.has-headers-of-more-than-most-mib", most=MAX_HEADERS >> 20))
    if _counted(walk, place):
        _count(data, place, walk)
        yield Part(place.where or Message("mail.parts.text"), data)


def _from_archive(data: bytes, place: Place, walk: Walk) -> Iterator[Part]:
    """Yield the parts in an archive.

    One beyond a limit is refused with all archives around it; the rest of the message counts (17.28).
    """
    if place.archives:
        yield from _unpacked(data, place, walk)
        return
    before = walk.parts, walk.unpacked, set(walk.statements)
    try:
        yield from list(_unpacked(data, place, walk))
    except packed.Refused as fault:
        walk.parts, walk.unpacked, walk.statements = before
        walk.notes.append(Message("mail.parts.left-unread", fault=fault))


def _unpacked(data: bytes, place: Place, walk: Walk) -> Iterator[Part]:
    if place.archives == packed.MAX_ARCHIVES:
        raise packed.Refused(Message("mail.parts.has-archives-within-archives", most=packed.MAX_ARCHIVES))
    room = packed.MAX_UNPACKED - walk.unpacked
    for number, inner in enumerate(packed.unpacked(data, room, MAX_PARTS), 1):
        walk.unpacked += len(inner)
        yield from _from_bytes(inner, place.inside(number, archive=True), walk)


def _count(data: bytes, place: Place, walk: Walk) -> None:
    """Count the statements of a part that was unpacked, before anything is made of it."""
    if not place.archives:
        return
    for block in _BLOCK.finditer(data):
        walk.statements.add(hashlib.sha256(_BLANKS.sub(b"", block[1])).digest())
        if len(walk.statements) > MAX_STATEMENTS:
            raise packed.Refused(
                Message("mail.parts.has-archive-of-more-than-most-statements", most=MAX_STATEMENTS)
            )


def _of_apple(data: bytes) -> bytes:
    """Return the message in a file of Apple Mail (`.emlx`): its size before it, a property list after it."""
    size, newline, _ = data[:20].partition(b"\n")
    if not newline or not size.strip().isdigit() or not looks_like_mail(data[len(size) + 1 :]):
        return data
    begin = len(size) + 1
    return data[begin : begin + int(size)]


def looks_like_mail(data: bytes) -> bool:
    """Return True if the data begins with the headers of an email, possibly after an mbox line."""
    head = data[:_HEAD].lstrip(_BEFORE_HEADERS)
    if head.startswith((b"From ", b">From ")):
        head = head.partition(b"\n")[2]
    if not _HEADER.match(head):
        return False
    head = head[: _header_size(head)]
    headers = (line for line in head.split(b"\n") if _HEADER.match(line))
    return any(line.partition(b":")[0].strip().lower() in _MAIL_HEADERS for line in headers)


def _header_size(data: bytes) -> int:
    """Return the number of bytes before the first empty line."""
    ends = [at for at in (data.find(b"\n\n"), data.find(b"\n\r\n")) if at >= 0]
    return min(ends, default=len(data))


def _from_entity(entity: Entity, place: Place, walk: Walk) -> Iterator[Part]:
    if place.levels > MAX_LEVELS or place.depth > MAX_DEPTH:
        why = Message("mail.parts.is-nested-deeper-than-most-levels", most=MAX_LEVELS)
        if place.archives:
            raise packed.Refused(why)
        walk.notes.append(Message("mail.parts.why-rest-was-left-unread", why=why))
        return
    if (encloses := entity.kind.startswith("message/")) and entity.encoding in _ENCLOSED:
        yield from _from_bytes(entity.payload(), place.inside(1, level=True), walk)
        return
    number = 0
    for number, child in enumerate(entity.children(), 1):
        if walk.parts > MAX_PARTS:
            return
        yield from _from_entity(child, place.inside(number, level=encloses), walk)
    if not number and _counted(walk, place):
        yield from _from_leaf(entity, place, walk)


def _from_leaf(entity: Entity, place: Place, walk: Walk) -> Iterator[Part]:
    data = entity.payload()
    is_packed = packed.is_packed(data)
    hidden = is_packed or looks_like_mail(_of_apple(data))
    if hidden and (place.depth or is_packed):  # an email attached under another type or name, or packed
        yield from _from_bytes(data, place.inside(1, level=not is_packed), walk)
        if is_packed:
            return
    _count(data, place, walk)
    yield Part(
        Message("mail.parts.part", part=place.where) if place.where else Message("mail.parts.text"),
        data,
        entity.charset,
        is_html=entity.kind == "text/html",
        flowed=entity.param("format") == "flowed",
        delsp=entity.param("delsp") == "yes",
        plain=entity.kind == "text/plain" and not hidden,
    )


def _counted(walk: Walk, place: Place) -> bool:
    walk.parts += 1
    if walk.parts <= MAX_PARTS:
        return True
    if place.archives:
        raise packed.Refused(Message("mail.parts.has-more-than-most-parts", most=MAX_PARTS))
    if walk.parts == MAX_PARTS + 1:
        walk.notes.append(Message("mail.parts.more-than-parts-and-rest-is-left", most=MAX_PARTS))
    return False
