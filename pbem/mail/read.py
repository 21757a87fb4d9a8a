"""Messages to signed statements (protocol 6.2): every armour with a good signature, wherever it hid.

Nothing here raises on what a message holds. Who signed, and whether it may count, is for the archive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pbem.mail.boxes import MAX_MESSAGE, Message, messages, messages_in
from pbem.mail.parts import Part, Walk, leaf_parts
from pbem.trust import armour
from pbem.trust.armour import Signed

_MARKER = re.compile(r"PBEM[\s>|]{1,80}STATEMENT")
HOW_TO_SEND = "send the .pbem.txt file again, as an attachment or as the whole text of the mail"


@dataclass(frozen=True)
class Note:
    """Something the reader of a message should be told, in words; `where` names message and part."""

    where: str
    text: str


@dataclass(frozen=True)
class Carried:
    """A statement with good signatures, and in which message it was found first."""

    where: str
    signed: Signed


@dataclass
class Reading:
    """What was found. `messages` counts what was looked at."""

    notes: list[Note] = field(default_factory=list)
    messages: int = 0
    _found: dict[bytes, Carried] = field(default_factory=dict)

    @property
    def statements(self) -> tuple[Carried, ...]:
        """Each statement once, in order of appearance."""
        return tuple(self._found.values())

    @property
    def signed(self) -> tuple[Signed, ...]:
        """The statements without the messages they were in."""
        return tuple(one.signed for one in self._found.values())

    def add(self, where: str, new: Signed) -> None:
        """Take in a statement; one seen before only brings its further signatures."""
        known = self._found.setdefault(new.data, Carried(where, new))
        self._found[new.data] = Carried(known.where, _joined(known.signed, new))


def together(readings: Iterable[Reading]) -> Reading:
    """Several readings as one: a statement that came in several mails has the signatures of all of them."""
    all_ = Reading()
    for reading in readings:
        for one in reading.statements:
            all_.add(one.where, one.signed)
        all_.notes += reading.notes
        all_.messages += reading.messages
    return all_


def _joined(one: Signed, other: Signed) -> Signed:
    return Signed(one.data, tuple(dict.fromkeys((*one.signatures, *other.signatures))))


def read(data: bytes, name: str = "standard input") -> Reading:
    """Everything signed in these bytes: a mail, an mbox or a bare file."""
    return _read_all(messages_in(data, name))


def read_path(path: Path) -> Reading:
    """Everything signed in a file, mbox, Maildir or folder; OSError only for `path` itself."""
    return _read_all(messages(path))


def _read_all(found: Iterator[Message]) -> Reading:
    reading = Reading()
    for message in found:
        reading.messages += 1
        if message.data is None:
            limit = f"{MAX_MESSAGE // (1024 * 1024)} MiB"
            reading.notes.append(Note(message.name, f"is larger than {limit} and was not looked at"))
            continue
        try:
            _read_message(message.name, message.data, reading)
        except Exception as fault:  # whatever a hostile message does, the next one is read
            reading.notes.append(Note(message.name, f"cannot be read ({type(fault).__name__})"))
    return reading


def _read_message(name: str, data: bytes, reading: Reading) -> None:
    walk = Walk()
    good: dict[bytes, Signed] = {}
    damaged: dict[tuple[str, ...], str] = {}
    for part in leaf_parts(data, walk):
        found = _in_part(part, good, damaged)
        if not found and any(_MARKER.search(text) for text in part.texts):
            damaged.setdefault((), part.where)
    if not (good or damaged or walk.notes):  # the parser may have taken a part for something it is not
        _in_part(Part("the text", (data.decode("latin-1").replace("\0", ""),)), good, damaged)
    if len(good) > armour.MAX_STATEMENTS:
        walk.notes.append(f"holds more than {armour.MAX_STATEMENTS} statements: the rest was left unread")
    for signed in list(good.values())[: armour.MAX_STATEMENTS]:
        reading.add(name, signed)
    fitting = {signature for one in good.values() for signature in one.signatures}
    for signatures, where in damaged.items():
        if not fitting.intersection(signatures) and (signatures or not good):
            text = f"{where} holds a statement that was damaged or changed: its signature does not fit"
            reading.notes.append(Note(name, f"{text}; {HOW_TO_SEND}"))
    if not good and not damaged:
        reading.notes.append(Note(name, f"holds no armoured statement; {HOW_TO_SEND}"))
    reading.notes += [Note(name, text) for text in walk.notes]


def _in_part(part: Part, good: dict[bytes, Signed], damaged: dict[tuple[str, ...], str]) -> bool:
    """Collect what one part holds; the next of its texts is tried as long as none gave a good signature."""
    any_found = False
    for text in part.texts:
        found = armour.read(text, flowed=part.flowed, delsp=part.delsp)
        any_found = any_found or bool(found)
        sound = armour.sound(found)
        for one in sound:
            good[one.data] = _joined(good[one.data], one) if one.data in good else one
        fitting = {signature for one in sound for signature in one.signatures}
        for seen in found:
            if not fitting.intersection(seen.signatures):
                damaged.setdefault(seen.signatures, part.where)
        if sound:
            break
    return any_found
