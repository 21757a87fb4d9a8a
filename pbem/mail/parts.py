"""A message to the texts of its leaf parts, forwarded messages included (protocol 6.2, rules 1, 2 and 8).

The standard library's parser raises odd things on odd mail (`LookupError`, `ValueError`, `KeyError`,
`RecursionError`), so every touch of it is guarded, and a part that cannot be read never stops the next.
"""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.feedparser import BytesFeedParser
from email.message import Message
from email.policy import compat32
from typing import Any

from pbem.mail.charset import ladder
from pbem.trust.hypertext import looks_like_html, to_text

MAX_LEVELS = 10
MAX_PARTS = 200
MAX_HEADER = 8192  # characters
MAX_HEADERS = 1 << 20  # bytes of all headers of a message
_ENCLOSED = ("base64", "quoted-printable")  # forbidden for message/rfc822, and done by some gateways
_OUTSIDE = re.compile(rb"[^A-Za-z0-9+/]")
_HEADER = re.compile(rb"[!-9;-~]{1,76}:(?:[ \t]|\r?\n|[!-~])")
_MAIL_HEADERS = frozenset(
    b"from to cc date subject received return-path delivered-to message-id mime-version content-type"
    b" reply-to sender x-received dkim-signature content-transfer-encoding content-disposition".split()
)


@dataclass(frozen=True)
class Part:
    """A leaf part: where it was, the texts it may stand for, likeliest first, and how its lines were made."""

    where: str
    texts: tuple[str, ...]
    flowed: bool = False
    delsp: bool = False


@dataclass
class Walk:
    """What a walk through one message has come across so far; `notes` are limits met and parts given up."""

    parts: int = 0
    notes: list[str] = field(default_factory=list)


class _TooManyParts(Exception):
    pass


class _Message(Message):
    """A message that cuts absurd headers: long ones take the library quadratic time."""

    def get(self, name: str, failobj: Any = None) -> Any:
        value = super().get(name, failobj)
        return value if not isinstance(value, str) or len(value) <= MAX_HEADER else value[:MAX_HEADER]


def leaf_parts(data: bytes, walk: Walk) -> Iterator[Part]:
    """Every leaf part of a message or bare file, in order; never raises."""
    yield from _from_bytes(data, "", 0, walk)


def _from_bytes(data: bytes, where: str, level: int, walk: Walk) -> Iterator[Part]:
    message = _parsed(data, walk) if looks_like_mail(data) else None
    if message is None:
        if _counted(walk):
            yield Part(where or "the text", _texts(data, None, False))
        return
    yield from _from_message(message, where, level, walk)


def looks_like_mail(data: bytes) -> bool:
    """Does it begin with the headers of a mail (an mbox line before them allowed)?"""
    head = data[:4096].lstrip(b"\r\n")
    if head.startswith((b"From ", b">From ")):
        head = head.partition(b"\n")[2]
    if not _HEADER.match(head):
        return False
    headers = [line for line in head.split(b"\n")[:60] if _HEADER.match(line)]
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
        parser.feed(data.lstrip(b"\r\n"))
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


def _from_message(message: Message, where: str, level: int, walk: Walk) -> Iterator[Part]:
    if level > MAX_LEVELS:
        walk.notes.append(f"is nested deeper than {MAX_LEVELS} levels: the rest was left unread")
        return
    children = _children(message)
    kind = _safe(message.get_content_type, "text/plain")
    encoding = _encoding(message)
    if children and kind.startswith("message/") and encoding in _ENCLOSED:
        yield from _from_bytes(_reencoded(children[0], encoding), _inside(where, 1), level + 1, walk)
        return
    for number, child in enumerate(children, 1):
        yield from _from_message(child, _inside(where, number), level + 1, walk)
    if children or not _counted(walk):
        return
    yield from _from_leaf(message, kind, where, level, walk)


def _from_leaf(message: Message, kind: str, where: str, level: int, walk: Walk) -> Iterator[Part]:
    data = _payload(message)
    if level and looks_like_mail(data):  # a mail attached under another type or name
        yield from _from_bytes(data, _inside(where, 1), level + 1, walk)
    charset = _safe(message.get_content_charset, None)
    texts = _texts(data, charset, kind == "text/html")
    flowed, delsp = _param(message, "format") == "flowed", _param(message, "delsp") == "yes"
    yield Part(f"part {where}" if where else "the text", texts, flowed, delsp)


def _texts(data: bytes, charset: str | None, is_html: bool) -> tuple[str, ...]:
    """What the bytes may say: as text, and where it is or looks like HTML, without the tags."""
    texts: list[str] = []
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
    if _encoding(message) == "base64" and decoded == b"".join(bare.splitlines()):
        return _cut_base64(bare)
    return decoded


def _cut_base64(data: bytes) -> bytes:
    """What is left of base64 that lost its end, which the library gives back undecoded."""
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
    return str(_safe(lambda: message.get("Content-Transfer-Encoding", ""), "")).strip().lower()


def _param(message: Message, name: str) -> str:
    return str(_safe(lambda: message.get_param(name, ""), "")).strip().lower()


def _counted(walk: Walk) -> bool:
    walk.parts += 1
    if walk.parts == MAX_PARTS + 1:
        walk.notes.append(f"has more than {MAX_PARTS} parts: the rest was left unread")
    return walk.parts <= MAX_PARTS


def _inside(where: str, number: int) -> str:
    return f"{where}.{number}" if where else str(number)


def _safe(call: Callable[[], Any], otherwise: Any) -> Any:
    """What the call gives, or `otherwise`: the standard library raises anything at all on odd mail."""
    try:
        return call()
    except Exception:
        return otherwise
