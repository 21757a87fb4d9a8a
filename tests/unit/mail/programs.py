"""What mail programs, lists and gateways make of a whole mail of ours: text, page, picture and statements.

`damage.py` is about the text of a `.pbem.txt`; this is about the message around it.
"""

from __future__ import annotations

import base64
import email
import gzip
import html
import io
import quopri
import re
import textwrap
import zipfile
from collections.abc import Callable
from email import policy
from email.message import EmailMessage

Way = Callable[[bytes], bytes]
HEAD = b"From: a@example.org\r\nTo: b@example.org\r\nSubject: Fwd: a game\r\nMIME-Version: 1.0\r\n"


def parsed(data: bytes) -> EmailMessage:
    message = email.message_from_bytes(data, policy=policy.SMTP)
    assert isinstance(message, EmailMessage)
    return message


def _text(data: bytes, kind: str = "plain") -> str:
    part = parsed(data).get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""


def _files(data: bytes) -> list[EmailMessage]:
    """What stands beside text and page: the statements, and the picture."""
    return [one for one in parsed(data).walk() if one.get_filename() and not one.is_multipart()]


def _new(text: str, page: str = "") -> EmailMessage:
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = "Re: a game"
    message["From"] = "a@example.org"
    message.set_content(text, cte="quoted-printable")
    if page:
        message.add_alternative(page, subtype="html", cte="quoted-printable")
    return message


def _content(one: EmailMessage) -> bytes:
    data = one.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data


def _attach(message: EmailMessage, one: EmailMessage, kind: str = "", name: str = "") -> None:
    main, _, sub = (kind or one.get_content_type()).partition("/")
    message.add_attachment(_content(one), maintype=main, subtype=sub, filename=name or one.get_filename())


def _quoted(text: str, prefix: str = "> ") -> str:
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


def forwarded_inline(data: bytes) -> bytes:
    """The text below a line, the files attached again."""
    begin = "---------- Forwarded message ---------\nFrom: Gm <gm@example.org>\n\n"
    page = f"<div>fyi<br>{html.escape(begin)}</div>{_text(data, 'html') or html.escape(_text(data))}"
    message = _new(f"fyi\n\n{begin}{_text(data)}", page)
    for path in _files(data):
        _attach(message, path)
    return message.as_bytes()


def replied_on_top(data: bytes) -> bytes:
    """An answer above the whole text in quotes, as Outlook sends it with the files kept."""
    message = _new(f"Well done!\n\n-----Original Message-----\n{_quoted(_text(data))}")
    for path in _files(data):
        _attach(message, path)
    return message.as_bytes()


def page_alone(data: bytes) -> bytes:
    """A program that knows pages only; a mail without one becomes one."""
    page = _text(data, "html") or f"<pre>{html.escape(_text(data))}</pre>"
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = "Fwd: a game"
    message.set_content(page, subtype="html", cte="base64")
    for path in _files(data):
        _attach(message, path)
    return message.as_bytes()


def renamed(kind: str, name: str) -> Way:
    """Every file under another type and name."""

    def way(data: bytes) -> bytes:
        message = _new(_text(data))
        for number, one in enumerate(_files(data)):
            _attach(message, one, kind, name.format(n=number))
        return message.as_bytes()

    return way


def zipped(data: bytes) -> bytes:
    """A gateway packs all files into one."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, one in enumerate(_files(data)):
            archive.writestr(f"{number}-{one.get_filename()}", _content(one))
    message = _new(_text(data))
    message.add_attachment(held.getvalue(), maintype="application", subtype="zip", filename="files.zip")
    return message.as_bytes()


def tnef(*files: bytes) -> bytes:
    """Outlook's winmail.dat: attributes of a level, a name, a length, bytes as they are, and a check sum."""
    made = b"\x78\x9f\x3e\x22\x01\x00"
    attributes = [(1, 0x00089006, b"\0\0\1\0"), *((2, 0x0006800F, data) for data in files)]
    for level, name, data in attributes:
        made += bytes([level]) + name.to_bytes(4, "little") + len(data).to_bytes(4, "little")
        made += data + (sum(data) & 0xFFFF).to_bytes(2, "little")
    return made


def in_winmail(data: bytes) -> bytes:
    """Outlook packs all files into its winmail.dat."""
    message = _new(_text(data))
    made = tnef(*(_content(path) for path in _files(data)))
    message.add_attachment(made, maintype="application", subtype="ms-tnef", filename="winmail.dat")
    return message.as_bytes()


def unpacked(data: bytes) -> bytes:
    """A gateway that looks into files sends on what is in them, as text."""
    message = _new(_text(data))
    for path in _files(data):
        content = _content(path)
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        main, _, sub = ("image", "", "png") if content.startswith(b"\x89PNG") else ("text", "", "plain")
        message.add_attachment(content, maintype=main, subtype=sub, filename="file")
    return message.as_bytes()


def reencoded(data: bytes) -> bytes:
    """A server that takes no long lines and no 8-bit writes every part anew."""
    message = parsed(data)
    for part in message.walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        text = part.get_content_maintype() == "text"
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = "quoted-printable" if text else "base64"
        made = quopri.encodestring(content) if text else base64.b64encode(content)
        wide = b"" if text else b"\n".join(made[i : i + 60] for i in range(0, len(made), 60))
        part.set_payload((wide or made).decode("ascii"))
    return message.as_bytes()


def in_charset(charset: str) -> Way:
    """Every text in another charset."""

    def way(data: bytes) -> bytes:
        message = parsed(data)
        for part in message.walk():
            if part.get_content_maintype() == "text" and not part.is_multipart():
                text = str(part.get_content())
                name, kind = part.get_filename(), part.get_content_subtype()
                made = base64.encodebytes(text.encode(charset, "replace")).decode()
                del part["Content-Transfer-Encoding"], part["Content-Type"]
                part["Content-Type"] = f'text/{kind}; charset="{charset}"' + (
                    f'; name="{name}"' if name else ""
                )
                part["Content-Transfer-Encoding"] = "base64"
                part.set_payload(made)
        return message.as_bytes()

    return way


def _each_text(change: Callable[[str], str], kind: str) -> Way:
    """Every plain text changed, those of files as well."""

    def way(data: bytes) -> bytes:
        message = parsed(data)
        for part in message.walk():
            if part.get_content_type() == "text/plain":
                text = str(part.get_content()).replace("\r\n", "\n")
                del part["Content-Transfer-Encoding"], part["Content-Type"]
                part["Content-Type"] = kind
                part["Content-Transfer-Encoding"] = "8bit"
                part.set_payload(change(text).encode("utf-8").decode("utf-8", "surrogateescape"), "utf-8")
        return message.as_bytes()

    return way


def _wrap(text: str, width: int = 66) -> str:
    lines = [piece for line in text.split("\n") for piece in textwrap.wrap(line, width) or [""]]
    return "\n".join(lines)


def _flow(text: str) -> str:
    lines: list[str] = []
    for line in text.split("\n"):
        stuffed = f" {line}" if line.startswith((" ", ">", "From ")) else line
        while len(stuffed) > 60:
            lines.append(stuffed[:60] + " ")
            stuffed = stuffed[60:]
        lines.append(stuffed.rstrip(" "))
    return "\n".join(lines)


def listed(data: bytes) -> bytes:
    """A list: a part above, a part with its footer below, and a sign in the subject."""
    inner = data.partition(b"\r\n\r\n")
    kind = re.search(rb"(?im)^content-type:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*\r\n", inner[0] + b"\r\n")
    assert kind is not None
    body = b"--ll\r\n" + kind[0] + b"\r\n" + inner[2]
    footer = (
        b"\r\n--ll\r\nContent-Type: text/plain\r\n\r\n____\r\nGames mailing list\r\nhttp://lists.invalid\r\n"
    )
    head = HEAD + b"List-Id: <games.invalid>\r\nContent-Type: multipart/mixed; boundary=ll\r\n\r\n"
    return head + body + footer + b"--ll--\r\n"


def in_digest(data: bytes) -> bytes:
    head = HEAD + b"Content-Type: multipart/digest; boundary=dd\r\n\r\n"
    other = _new("something else").as_bytes()
    return head + b"".join(b"--dd\r\n\r\n" + one + b"\r\n" for one in (other, data)) + b"--dd--\r\n"


def forwarded_whole(levels: int) -> Way:
    def way(data: bytes) -> bytes:
        inner = parsed(data)
        for _ in range(levels):
            outer = _new("see below", "<p>see below</p>")
            outer.add_attachment(inner)
            inner = outer
        return inner.as_bytes()

    return way


def as_text(data: bytes) -> bytes:
    """The source of the mail, pasted into another."""
    return _new("look at this:\n\n" + data.decode("utf-8", "replace").replace("\r\n", "\n")).as_bytes()


def as_quoted_source(data: bytes) -> bytes:
    return _new(_quoted(data.decode("utf-8", "replace").replace("\r\n", "\n"))).as_bytes()


def signed_by_pgp(data: bytes) -> bytes:
    head = HEAD + b'Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary=ss\r\n\r\n'
    kind = data[data.lower().index(b"content-type:") :]
    return (
        head
        + b"--ss\r\n"
        + kind
        + b"\r\n--ss\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--ss--\r\n"
    )


def texts_alone(data: bytes) -> bytes:
    """A list that keeps what is text and drops the rest."""
    message = _new(_text(data))
    for path in _files(data):
        if path.get_content_type() == "text/plain" and path.get_content_disposition() != "attachment":
            _attach(message, path)
    return message.as_bytes()


def answered_with_quote(data: bytes) -> bytes:
    """The text in quotes and no files: what most programs answer with."""
    return _new(f"I see.\n\nOn Friday Gm wrote:\n{_quoted(_text(data))}").as_bytes()


def cut_short(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


WHOLE: dict[str, Way] = {
    "as it is": lambda data: data,
    "forwarded inline": forwarded_inline,
    "replied on top, files kept": replied_on_top,
    "page alone, files kept": page_alone,
    "files renamed ATT00001.bin": renamed("application/octet-stream", "ATT0000{n}.bin"),
    "files renamed noname": renamed("application/x-unknown", "noname"),
    "files called pictures": renamed("image/jpeg", "image{n}.jpg"),
    "files called texts": renamed("text/plain", "part{n}.txt"),
    "files in a zip": zipped,
    "files in winmail.dat": in_winmail,
    "files unpacked on the way": unpacked,
    "every part encoded anew": reencoded,
    "texts in Windows-1252": in_charset("cp1252"),
    "texts in UTF-16": in_charset("utf-16"),
    "texts in ISO-2022-JP": in_charset("iso-2022-jp"),
    "texts in KOI8-R": in_charset("koi8-r"),
    "texts wrapped anew": _each_text(_wrap, "text/plain; charset=utf-8"),
    "texts in quotes": _each_text(_quoted, "text/plain; charset=utf-8"),
    "texts wrapped in quotes": _each_text(lambda t: _quoted(_wrap(t, 60)), "text/plain; charset=utf-8"),
    "texts flowed": _each_text(_flow, "text/plain; charset=utf-8; format=flowed; delsp=yes"),
    "texts with blanks at the ends": _each_text(
        lambda t: t.replace("\n", "  \n"), "text/plain; charset=utf-8"
    ),
    "line ends of Unix": lambda data: data.replace(b"\r\n", b"\n"),
    "line ends doubled": lambda data: data.replace(b"\r\n", b"\r\r\n"),
    "by a list with a footer": listed,
    "in a digest": in_digest,
    "forwarded as it is": forwarded_whole(1),
    "forwarded as it is, four times": forwarded_whole(4),
    "its source in the text of a mail": as_text,
    "its source in quotes": as_quoted_source,
    "signed by PGP": signed_by_pgp,
    "saved by Apple Mail": lambda data: b"%d      \n" % len(data) + data + b'<?xml version="1.0"?><plist/>\n',
    "in an mbox": lambda data: (
        b"From a@b Fri Nov 20 12:00:00 2026\n"
        + re.sub(rb"(?m)^(>*From )", rb">\1", data.replace(b"\r\n", b"\n"))
        + b"\n"
    ),
}
"""After these everything is found that the mail carries."""
LOSING: dict[str, Way] = {
    "texts alone": texts_alone,
    "answered with a quote": answered_with_quote,
    "cut short": cut_short,
}
"""These lose what they drop, and the reader is told so or finds nothing."""
