"""Mail that is ready to send: a `.pbem.txt` to attach or paste, and the same as an `.eml` to all parties
(protocol 6.1).

Everything is a function of the statements: no clock and no random boundary, so a mail made twice is one mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from pbem.archive.changes import Changes
from pbem.archive.layout import OUTBOX
from pbem.text.chars import FORBIDDEN
from pbem.trust import armour
from pbem.trust.armour import Signed
from pbem.trust.roster import Party

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")


@dataclass(frozen=True)
class Letter:
    """One mail: its file name without ending, subject, who writes to whom, what people read, what counts.

    `id` makes it this mail and no other (a sid); `answers` is the id of the mail it replies to.
    """

    name: str
    subject: str
    sender: Party
    others: Sequence[Party]
    readable: str
    items: Sequence[Signed]
    id: str
    answers: str = ""
    ending: str = ".pbem.txt"

    def text(self) -> str:
        """The `.pbem.txt`."""
        return armour.write(FORBIDDEN.sub("?", self.readable), self.items)

    def changes(self) -> Changes:
        """Both files, in `outbox/`."""
        changes = Changes()
        text = self.text()
        changes.write(f"{OUTBOX}/{self.name}{self.ending}", text)
        changes.write(f"{OUTBOX}/{self.name}.eml", build_eml(self, text))
        return changes


def build_eml(letter: Letter, text: str) -> bytes:
    """The mail: the text as its body and attached as well, in base64 so that no relay touches it."""
    message = EmailMessage(policy=SMTP.clone(max_line_length=78))
    message["Subject"] = _one_line(letter.subject)
    people = [one for one in letter.others if one.id != letter.sender.id]
    gm = [one for one in people if one.role == "gm"]
    to = gm or [one for one in people if one.role == "player"] or people
    for header, listed in (
        ("From", [letter.sender]),
        ("To", to),
        ("Cc", [one for one in people if one not in to]),
    ):
        addresses = [_address(one) for one in listed if _ADDRESS.fullmatch(one.mail)]
        if addresses:
            message[header] = addresses
    message["Message-ID"] = _message_id(letter.id)
    if letter.answers:
        message["In-Reply-To"] = message["References"] = _message_id(letter.answers)
    plain = text.isascii() and all(len(line) < 900 for line in text.split("\n"))
    message.set_content(text, charset="utf-8", cte="7bit" if plain else "quoted-printable")
    message.add_attachment(
        text.encode(),
        maintype="text",
        subtype="plain",
        cte="base64",
        filename=f"{letter.name}{letter.ending}",
        params={"charset": "utf-8"},
    )
    message.set_boundary(f"=_pbem_{letter.id[:40]}")
    return message.as_bytes()


def subject(game: str, *words: str) -> str:
    """`[pbem 94901e55] stage 12, north, orders rev 2`; for people, nothing is ever read from it."""
    return f"[pbem {game[:8]}] {', '.join(words)}"


def heading(title: str, lines: Iterable[str]) -> str:
    """The head of the readable part: title, then a line each."""
    rule = "=" * min(len(title), 78)
    return "\n".join([title, rule, *lines, ""])


def slug(text: str) -> str:
    """A title as a file name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "game"


def _message_id(id_: str) -> str:
    return f"<{id_[:40]}@pbem.invalid>"


def _address(party: Party) -> Address:
    return Address(display_name=_one_line(party.name), addr_spec=party.mail)


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
