"""The way from statements to an email that is ready to send (protocol 6.1).

The `.pbem.txt` is the body and an attachment. A page with a small map is an alternative to the body.

Everything is a function of the arguments: no clock, no random boundary or id, so that building twice gives
the same bytes. Mail programs add `Date:` when they send.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from email.headerregistry import Address
    from email.message import EmailMessage

DOMAIN = "pbem.invalid"
"""Right side of message ids; reserved for names that do not exist (RFC 2606)."""
_END = "\r\n"
_WORD = 60  # characters that fit a header line beside its name
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")
MUCH_ATTACHED = 24_000
"""Bytes of statements, above which they are packed as a gzip file."""
_LABEL = 8  # hex digits of the game id in a subject
_TITLE = 30  # characters of the game's title in a subject
_WHAT = 110  # characters of the news in a subject


@dataclass(frozen=True)
class Person:
    """A sender or recipient of an email, as the roster names them."""

    name: str
    mail: str


@dataclass(frozen=True)
class Subject:
    """The subject of an email, `The Sarn Strait 38: Blue took Haska; green to move [pbem 94901e55]`.

    Its order suits the email list of a phone; the mark for filters comes last. It is for people: nothing is
    ever read from it. `game` is empty before there is a roster.
    """

    game: str
    title: str
    stage: int | None
    what: str

    @property
    def text(self) -> str:
        """Return the whole line; a long title is cut, so that the rest stays visible."""
        number = f" {self.stage}" if self.stage is not None else ""
        return f"{self._shown}{number}: {_cut(_one_line(self.what), _WHAT)} {self._mark}"

    @property
    def topic(self) -> str:
        """Return the common subject of the game, `The Sarn Strait [pbem 94901e55]`; "" before the game."""
        return f"{self._shown} {self._mark}" if self.game else ""

    @property
    def _shown(self) -> str:
        return _cut(_one_line(self.title), _TITLE)

    @property
    def _mark(self) -> str:
        return f"[pbem {self.game[:_LABEL]}]" if self.game else "[pbem]"


@dataclass(frozen=True)
class Mail:
    """An email to build.

    `id` identifies it, such as the sid of its statement; `answers` are the ids of
    the emails before it in the thread, the oldest first. `file_name` is that of the attachment; without one
    nothing is attached, and it holds the text once more unless `attached` says otherwise; `whole` is the file
    of 6.1, which is packed where there is much in it. `automatic`: a
    program wrote it, so no program should answer it (RFC 3834). `page` is the content as HTML,
    which shows `picture` (PNG) as `cid:map`.
    """

    subject: Subject
    sender: Person
    to: Sequence[Person]
    cc: Sequence[Person]
    text: str
    file_name: str
    id: str
    answers: Sequence[str] = ()
    automatic: bool = False
    attached: str = ""
    whole: str = ""
    page: str = ""
    picture: bytes = b""


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def build(mail: Mail) -> bytes:
    """Return the email as bytes with CRLF; people without a usable address are left out."""
    from email.message import EmailMessage
    from email.policy import SMTP

    from pbem.mail.envelope import UNSENT

    message = EmailMessage(policy=SMTP.clone(max_line_length=78))
    for header, people in (("From", [mail.sender]), ("To", mail.to), ("Cc", mail.cc)):
        addresses = [address for person in people if (address := _address(person)) is not None]
        if addresses:
            message[header] = addresses
    message["Message-ID"] = message_id(mail.id)
    if mail.answers:
        message["In-Reply-To"] = message_id(mail.answers[-1])
        message["References"] = " ".join(message_id(answer) for answer in mail.answers)
    if mail.subject.topic:
        message["Thread-Topic"] = _one_line(mail.subject.topic)
    if mail.automatic:
        message["Auto-Submitted"] = "auto-generated"
    message[UNSENT] = "1"
    message.set_content(mail.text, charset="utf-8", cte=_body_encoding(mail.text))
    if mail.page:
        _add_page(message, mail)
    if mail.file_name:
        _attach(message, mail)
    return _subject_line(_one_line(mail.subject.text)) + message.as_bytes()


def _subject_line(text: str) -> bytes:
    """Return the subject header.

    The standard library would break it before the first word of a long line (some programs then show
    nothing), and add second blanks between encoded words.
    """
    from email.header import Header

    if not text.isascii() or "=?" in text or max(map(len, text.split()), default=0) > _WORD:
        return f"Subject: {Header(text, 'utf-8', 76, 'Subject').encode(linesep=_END)}{_END}".encode("ascii")
    return (f"{_END} ".join(textwrap.wrap(f"Subject: {text}", 76, break_on_hyphens=False)) + _END).encode()


PICTURE_ID = "map"
"""By what a page names the picture in its mail: `cid:map`."""


def _add_page(message: EmailMessage, mail: Mail) -> None:
    """Add the page as the other form of the body (RFC 2046, 5.1.4), with its picture (RFC 2387)."""
    from email.message import EmailMessage

    message.add_alternative(mail.page, subtype="html", charset="utf-8", cte="quoted-printable")
    page = message.get_payload()[1]  # type: ignore[index]
    assert isinstance(page, EmailMessage)
    if mail.picture:
        page.add_related(
            mail.picture,
            maintype="image",
            subtype="png",
            cid=f"<{PICTURE_ID}>",
            filename="map.png",
            disposition="inline",
        )
        page.set_boundary(f"=_pbem_page_{_token(mail.id)}")
    message.set_boundary(f"=_pbem_both_{_token(mail.id)}")


def _attach(message: EmailMessage, mail: Mail) -> None:
    """Attach the text as a file in base64, so that no relay changes it (6.1), or what replaces it.

    What is in the email once alone is a text at its end (`inline`): programs show it there or as a file, and
    lists that drop attachments keep it as they keep texts. It is base64 already, in lines that everybody lets
    through: once more would cost a third. Where it is much it is packed, else it is most of the email
    (decision 28).
    """
    if packed := _packed(mail.attached, mail.whole):
        name = f"{mail.file_name}.gz"
        message.add_attachment(packed, maintype="application", subtype="gzip", cte="base64", filename=name)
    elif mail.attached:
        message.add_attachment(
            mail.attached,
            charset="utf-8",
            cte=_body_encoding(mail.attached),
            filename=mail.file_name,
            disposition="inline",
        )
    else:
        message.add_attachment(
            mail.text.encode(),
            maintype="text",
            subtype="plain",
            cte="base64",
            filename=mail.file_name,
            params={"charset": "utf-8"},
        )
    message.set_boundary(f"=_pbem_{_token(mail.id)}")


def _packed(attached: str, whole: str) -> bytes:
    """Return the gzip file at the end of an email, which holds the file of 6.1 (17.28).

    b"" if the armour is small.
    """
    if len(attached) <= MUCH_ATTACHED:
        return b""
    import gzip

    return gzip.compress(whole.encode(), mtime=0)


def message_id(id: str) -> str:
    """Return the Message-ID of an id; it is the same for the same id, so threads stay together."""
    return f"<{_token(id)}@{DOMAIN}>"


def _token(id: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", id)[:40]


def _address(person: Person) -> Address | None:
    """Return the address as in a header.

    A name is free text: it gets no line break into a header.
    """
    if not _ADDRESS.fullmatch(person.mail):
        return None
    from email.headerregistry import Address

    return Address(display_name=_one_line(person.name), addr_spec=person.mail)


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _body_encoding(text: str) -> str:
    """Return "7bit" if every mail server accepts it, else quoted-printable, which people can read."""
    plain = text.isascii() and all(len(line) < 900 for line in text.split("\n"))
    return "7bit" if plain else "quoted-printable"
