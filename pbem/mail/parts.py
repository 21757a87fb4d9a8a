"""A message to the texts of its leaf parts, forwarded messages included (protocol 6.2, rules 1, 2 and 8).

The standard library's parser raises odd things on odd mail (`LookupError`, `ValueError`, `KeyError`,
`RecursionError`), so every touch of it is guarded, and a part that cannot be read never stops the next.
"""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from email.feedparser import BytesFeedParser
from email.message import Message
from email.policy import compat32
from typing import Any

from pbem.mail import packed
from pbem.mail.charset import ladder
from pbem.text.dataclass import dataclass
from pbem.trust.armour import in_armour
from pbem.trust.hypertext import looks_like_html, to_text

MAX_LEVELS = 10  # messages within messages
MAX_DEPTH = 60  # of parts within parts, those of a forwarded message counted on
MAX_PARTS = 200
MAX_HEADER = 8192  # characters
MAX_HEADERS = 1 << 20  # bytes of all headers of a message
_BEFORE_HEADERS = b"\xef\xbb\xbf \t\r\n"  # what editors and gateways put before the first header
_HEAD = 64 * 1024  # bytes in which a header that only mail has must stand
_ENCLOSED = ("base64", "quoted-printable")  # forbidden for message/rfc822, and done by some gateways
_OUTSIDE = re.compile(rb"[^A-Za-z0-9+/]")
_HEADER = re.compile(rb"[!-9;-~]{1,76}:(?:[ \t]|\r?\n|[!-~])")
_MAIL_HEADERS = frozenset(
    b"from to cc date subject received return-path delivered-to message-id mime-version content-type"
    b" reply-to sender x-received dkim-signature content-transfer-encoding content-disposition".split()
)


@dataclass(frozen=True)
class Part:
    """A leaf part: where it was, the texts it may stand for, likeliest first, and how its lines were made;
    `plain`: it says that it is text, and is."""

    where: str
    texts: tuple[str, ...]
    flowed: bool = False
    delsp: bool = False
    plain: bool = False


@dataclass
class Walk:
    """What a walk through one message has come across so far; `notes` are limits met and parts given up,
    `unpacked` the bytes that came out of archives."""

    parts: int = 0
    notes: list[str] = field(default_factory=list)
    unpacked: int = 0


class _TooManyParts(Exception):
    pass


class _Message(Message):
    """A message that cuts absurd headers: long ones take the library quadratic time."""

    def get(self, name: str, failobj: Any = None) -> Any:
        value = super().get(name, failobj)
        return value if not isinstance(value, str) or len(value) <= MAX_HEADER else value[:MAX_HEADER]


def leaf_parts(data: bytes, walk: Walk) -> Iterator[Part]:
    """Every leaf part of a message or bare file, in order; never raises."""
    yield from _from_bytes(data, Place(), walk)


@dataclass(frozen=True)
class Place:
    """Where in a message: numbers of parts ("2.1"), how many parts and how many messages are around it."""

    where: str = ""
    depth: int = 0
    messages: int = 0

    def inside(self, number: int, *, message: bool = False) -> Place:
        """The place of a part of what is here, or of a whole message in it."""
        where = f"{self.where}.{number}" if self.where else str(number)
        return Place(where, self.depth + 1, self.messages + message)


def _from_bytes(data: bytes, place: Place, walk: Walk) -> Iterator[Part]:
    if packed.is_packed(data) and place.depth <= MAX_DEPTH:
        for number, inner in enumerate(packed.unpacked(data, walk), 1):
            yield from _from_bytes(inner, place.inside(number), walk)
        return
    data = _of_apple(data)
    if b"\r\r\n" in data[:_HEAD]:  # some server took a line end for half of one
        data = data.replace(b"\r\r\n", b"\r\n")
    message = _parsed(data, walk) if looks_like_mail(data) else None
    if message is None:
        if _counted(walk):
            yield Part(place.where or "the text", _texts(data, None, False))
        return
    yield from _from_message(message, place, walk)


def _of_apple(data: bytes) -> bytes:
    """The message in a file of Apple Mail (`.emlx`): its size before it, a property list behind."""
    size, newline, _ = data[:20].partition(b"\n")
    if not newline or not size.strip().isdigit() or not looks_like_mail(data[len(size) + 1 :]):
        return data
    begin = len(size) + 1
    return data[begin : begin + int(size)]


def looks_like_mail(data: bytes) -> bool:
    """Does it begin with the headers of a mail (an mbox line before them allowed)?"""
    head = data[:_HEAD].lstrip(_BEFORE_HEADERS)
    if head.startswith((b"From ", b">From ")):
        head = head.partition(b"\n")[2]
    if not _HEADER.match(head):
        return False
    head = head[: _header_size(head)]
    headers = (line for line in head.split(b"\n") if _HEADER.match(line))
    return any(line.partition(b":")[0].strip().lower() in _MAIL_HEADERS for line in headers)


def _parsed(data: bytes, walk: Walk) -> Message | None:
    """The message as a tree, or None where the parser gives up: then its bytes are looked at as they are."""
    if _header_size(data) > MAX_HEADERS:
        walk.notes.append(f"has headers of more than {MAX_HEADERS >> 20} MiB: read as plain text")
        return None
    made = 0

    def factory(policy: object = compat32) -> _Message:
        nonlocal made
        made += 1
        if made > 10 * MAX_PARTS:
            raise _TooManyParts
        return _Message(policy=compat32)

    try:
        parser = BytesFeedParser(factory, policy=compat32)
        parser.feed(data.lstrip(_BEFORE_HEADERS))
        message = parser.close()
        vars(parser).clear()  # it holds itself and all it was fed, and would wait for the collector
        return message
    except _TooManyParts:
        walk.notes.append(f"has more than {MAX_PARTS} parts: read as plain text")
    except Exception as fault:
        walk.notes.append(f"is no well-formed mail ({type(fault).__name__}): read as plain text")
    return None


def _header_size(data: bytes) -> int:
    """Bytes before the first empty line."""
    ends = [at for at in (data.find(b"\n\n"), data.find(b"\n\r\n")) if at >= 0]
    return min(ends, default=len(data))


def _from_message(message: Message, place: Place, walk: Walk) -> Iterator[Part]:
    if place.messages > MAX_LEVELS or place.depth > MAX_DEPTH:
        walk.notes.append(f"is nested deeper than {MAX_LEVELS} levels: the rest was left unread")
        return
    children = _children(message)
    kind = _safe(message.get_content_type, "text/plain")
    encoding, encloses = _encoding(message), kind.startswith("message/")
    if children and encloses and encoding in _ENCLOSED:
        yield from _from_bytes(_reencoded(children[0], encoding), place.inside(1, message=True), walk)
        return
    for number, child in enumerate(children, 1):
        yield from _from_message(child, place.inside(number, message=encloses), walk)
    if children or not _counted(walk):
        return
    yield from _from_leaf(message, kind, place, walk)


def _from_leaf(message: Message, kind: str, place: Place, walk: Walk) -> Iterator[Part]:
    data = _payload(message)
    hidden = packed.is_packed(data) or looks_like_mail(_of_apple(data))
    if place.depth and hidden:  # a mail attached under another type or name, or packed
        yield from _from_bytes(data, place.inside(1, message=True), walk)
    elif hidden and packed.is_packed(data):
        yield from _from_bytes(data, place.inside(1), walk)
    for number, inner in enumerate(packed.in_winmail(data, walk), 1):
        yield from _from_bytes(inner, place.inside(number), walk)
    charset = _safe(message.get_content_charset, None)
    texts = _texts(data, charset, kind == "text/html")
    flowed, delsp = _param(message, "format") == "flowed", _param(message, "delsp") == "yes"
    plain = kind == "text/plain" and not hidden
    yield Part(f"part {place.where}" if place.where else "the text", texts, flowed, delsp, plain)


def _texts(data: bytes, charset: str | None, is_html: bool) -> tuple[str, ...]:
    """What the bytes may say: as text, and where it is or looks like HTML, without the tags."""
    data, texts = in_armour(data), list[str]()
    for text in ladder(data, charset):
        if is_html or looks_like_html(text):
            texts += [to_text(text), text] if is_html else [text, to_text(text)]
            unquoted = quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
            texts.append(to_text(unquoted))
        else:
            texts.append(text)
    return tuple(dict.fromkeys(texts))


def _children(message: Message) -> list[Message]:
    payload = _safe(message.get_payload, None)
    return [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []


def _payload(message: Message) -> bytes:
    """The decoded bytes of a leaf; where decoding fails, the bytes as they came."""
    decoded = _safe(lambda: message.get_payload(decode=True), None)
    raw = _safe(message.get_payload, "")
    bare = raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""
    if not isinstance(decoded, bytes):
        return bare
    encoding = _encoding(message)
    if encoding == "base64" and decoded in (b"".join(bare.splitlines()), bare):
        return _cut_base64(bare)
    if encoding == "quoted-printable" and decoded == bare:  # the library wants the bare word
        return quopri.decodestring(bare)
    return decoded


def _cut_base64(data: bytes) -> bytes:
    """Base64 that the library gives back undecoded: it lost its end, or its header has more than the word."""
    kept = _OUTSIDE.sub(b"", data)
    decoded = _safe(lambda: base64.b64decode(kept[: len(kept) // 4 * 4]), b"")
    return decoded if isinstance(decoded, bytes) and decoded else data


def _reencoded(child: Message, encoding: str) -> bytes:
    """The bytes of an enclosed message that was wrongly sent base64 or quoted-printable."""
    wrapper = Message(policy=compat32)
    wrapper["Content-Transfer-Encoding"] = encoding
    wrapper.set_payload(_safe(child.as_string, "").lstrip("\n"))
    return _payload(wrapper)


def _encoding(message: Message) -> str:
    """The first word of the header, without blanks, comments and quotation marks around it."""
    value = str(_safe(lambda: message.get("Content-Transfer-Encoding", ""), ""))
    words = re.split(r"[\s;()\"']+", value[:MAX_HEADER].strip(" \t\r\n\"'"))
    return words[0].lower()


def _param(message: Message, name: str) -> str:
    return str(_safe(lambda: message.get_param(name, ""), "")).strip().lower()


def _counted(walk: Walk) -> bool:
    walk.parts += 1
    if walk.parts == MAX_PARTS + 1:
        walk.notes.append(f"has more than {MAX_PARTS} parts: the rest was left unread")
    return walk.parts <= MAX_PARTS


def _safe(call: Callable[[], Any], otherwise: Any) -> Any:
    """What the call gives, or `otherwise`: the standard library raises anything at all on odd mail."""
    try:
        return call()
    except Exception:
        return otherwise
