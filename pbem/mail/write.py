"""Statements to a mail that is ready to send (protocol 6.1): the `.pbem.txt` as body and attached, and beside
the body, for who likes it better, what it tells as a page with a small map.

Everything is a function of the arguments: no clock, no random boundary or id, so that building twice gives
the same bytes. Mail programs add `Date:` when they send.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from email.headerregistry import Address
    from email.message import EmailMessage

DOMAIN = "pbem.invalid"
"""Right side of message ids; reserved for names that do not exist (RFC 2606)."""
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")
MUCH_ATTACHED = 32_000
"""Bytes of statements, above which they are packed as a gzip file."""
_LABEL = 8  # hex digits of the game id in a subject
_TITLE = 30  # letters of the game's title in it
_NEWS = 100  # letters of what happened


@dataclass(frozen=True)
class Person:
    """Somebody a mail is from or to, as the roster names him."""

    name: str
    mail: str


@dataclass(frozen=True)
class Mail:
    """A mail to build.

    `id` is what makes it this mail and no other, such as the sid of its statement; `answers` are the ids of
    the mails before it in the thread, the oldest first. `file_name` is that of the attachment; without one
    nothing is attached, and it holds the text once more unless `attached` says otherwise. `automatic`: a
    program wrote it, so no program should answer it (RFC 3834). `page` is what the text tells as HTML, which
    shows `picture` (PNG) as `cid:map`; `topic` is what programs that go by it call the thread.
    """

    subject: str
    sender: Person
    to: Sequence[Person]
    cc: Sequence[Person]
    text: str
    file_name: str
    id: str
    answers: Sequence[str] = ()
    automatic: bool = False
    attached: str = ""
    page: str = ""
    picture: bytes = b""
    topic: str = ""


def subject(game: str, title: str, stage: int | None, party: str, what: str, news: str = "") -> str:
    """`[pbem 94901e55] The Sarn Strait: stage 12, north, orders rev 2`; for people, nothing is ever read
    from it. With news `[pbem 94901e55] The Sarn Strait 38: Blue took Haska; green to answer`. A long title
    is cut, so that the rest stays in sight, and so are long news."""
    place = f"stage {stage}, " if stage is not None else ""
    shown = _cut(title, _TITLE)
    if not news:
        return _one_line(f"[pbem {game[:_LABEL]}] {shown}: {place}{party}, {what}")
    number = f" {stage}" if stage is not None else ""
    again = "" if what == "report" else f" ({what})"
    return _one_line(f"[pbem {game[:_LABEL]}] {shown}{number}{again}: {_cut(news, _NEWS)}")


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def build(mail: Mail) -> bytes:
    """The mail as bytes with CRLF, as mail programs open it. People without a usable address are left out."""
    from email.message import EmailMessage
    from email.policy import SMTP

    from pbem.mail.envelope import UNSENT

    message = EmailMessage(policy=SMTP.clone(max_line_length=78))
    message["Subject"] = _one_line(mail.subject)
    for header, people in (("From", [mail.sender]), ("To", mail.to), ("Cc", mail.cc)):
        addresses = [address for person in people if (address := _address(person)) is not None]
        if addresses:
            message[header] = addresses
    message["Message-ID"] = message_id(mail.id)
    if mail.answers:
        message["In-Reply-To"] = message_id(mail.answers[-1])
        message["References"] = " ".join(message_id(one) for one in mail.answers)
    if mail.topic:
        message["Thread-Topic"] = _one_line(mail.topic)
    if mail.automatic:
        message["Auto-Submitted"] = "auto-generated"
    message[UNSENT] = "1"
    message.set_content(mail.text, charset="utf-8", cte=_body_encoding(mail.text))
    if mail.page:
        _add_page(message, mail)
    if mail.file_name:
        _attach(message, mail)
    return message.as_bytes()


PICTURE_ID = "map"
"""By what a page names the picture in its mail: `cid:map`."""


def _add_page(message: EmailMessage, mail: Mail) -> None:
    """The page as the other form of the body (RFC 2046, 5.1.4), with its picture beside it (RFC 2387)."""
    from email.message import EmailMessage

    message.add_alternative(mail.page, subtype="html", charset="utf-8", cte="quoted-printable")
    page = message.get_payload()[1]  # type: ignore[index]
    assert isinstance(page, EmailMessage)
    if mail.picture:
        page.add_related(
            mail.picture, maintype="image", subtype="png", cid=f"<{PICTURE_ID}>", filename="map.png"
        )
        page.set_boundary(f"=_pbem_page_{_token(mail.id)}")
    message.set_boundary(f"=_pbem_both_{_token(mail.id)}")


def _attach(message: EmailMessage, mail: Mail) -> None:
    """The text once more as a file, or what is in its place; base64, so that no relay touches it (6.1).

    What is in the mail once alone is a text at its end (`inline`): programs show it there or as a file, and
    lists that drop attachments keep it as they keep texts. Of a large war it is packed, else it is most of
    the mail (decision 28).
    """
    data = (mail.attached or mail.text).encode()
    if mail.attached and len(data) > MUCH_ATTACHED:
        import gzip

        packed = gzip.compress(data, mtime=0)
        name = f"{mail.file_name}.gz"
        message.add_attachment(packed, maintype="application", subtype="gzip", cte="base64", filename=name)
        message.set_boundary(f"=_pbem_{_token(mail.id)}")
        return
    message.add_attachment(
        data,
        maintype="text",
        subtype="plain",
        cte="base64",
        filename=mail.file_name,
        disposition="inline" if mail.attached else "attachment",
        params={"charset": "utf-8"},
    )
    message.set_boundary(f"=_pbem_{_token(mail.id)}")


def message_id(id: str) -> str:
    """The Message-ID that belongs to an id; the same for the same id, so threads hold together."""
    return f"<{_token(id)}@{DOMAIN}>"


def _token(id: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", id)[:40]


def _address(person: Person) -> Address | None:
    """The address as a header has it. A name is somebody's free text: it gets no line break into a header."""
    if not _ADDRESS.fullmatch(person.mail):
        return None
    from email.headerregistry import Address

    return Address(display_name=_one_line(person.name), addr_spec=person.mail)


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _body_encoding(text: str) -> str:
    """Plain where every mail server lets it through, else quoted-printable: readable without our tool."""
    plain = text.isascii() and all(len(line) < 900 for line in text.split("\n"))
    return "7bit" if plain else "quoted-printable"
