"""What the world does to mail: from the text of a `.pbem.txt` to the bytes of a message (protocol 6.3)."""

from __future__ import annotations

import base64
import html
import quopri
import textwrap
from collections.abc import Callable
from email import policy
from email.message import EmailMessage

Damage = Callable[[str], bytes]
HEAD = "From: a@example.org\r\nTo: b@example.org\r\nSubject: orders\r\nMIME-Version: 1.0\r\n"


def mail(
    body: bytes, kind: str = "text/plain; charset=utf-8", encoding: str = "8bit", head: str = HEAD
) -> bytes:
    """A message with one part."""
    headers = f"{head}Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return headers.encode() + body


def _mime(text: str) -> EmailMessage:
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = "orders"
    message["From"] = "a@example.org"
    message.set_content(text)
    return message


def _attached(text: str, kind: tuple[str, str], name: str) -> bytes:
    message = _mime("see below")
    message.add_attachment(text.encode(), maintype=kind[0], subtype=kind[1], filename=name)
    return message.as_bytes()


def _forwarded(text: str, levels: int = 1) -> bytes:
    inner = _mime(text)
    for _ in range(levels):
        outer = _mime("for your information")
        outer.add_attachment(inner)
        inner = outer
    return inner.as_bytes()


def _forward_encoded(text: str) -> bytes:
    """A gateway's forward: message/rfc822 in base64, which the standard forbids."""
    inner = base64.encodebytes(_mime(text).as_bytes())
    return mail(inner, "message/rfc822", "base64")


def _quoted(prefix: str) -> Damage:
    return lambda text: mail("".join(f"{prefix}{line}\r\n" for line in text.splitlines()).encode())


def _wrapped(width: int, prefix: str = "") -> Damage:
    def damaged(text: str) -> bytes:
        lines = [piece for line in text.splitlines() for piece in textwrap.wrap(line, width) or [""]]
        return mail("\r\n".join(prefix + line for line in lines).encode())

    return damaged


def _flowed(text: str, delsp: bool = False, stated: bool = True) -> bytes:
    """RFC 3676: long lines are broken after a blank, and lines that begin with a blank are stuffed."""
    lines: list[str] = []
    for line in text.splitlines():
        stuffed = f" {line}" if line.startswith((" ", ">", "From ")) else line
        while len(stuffed) > 50:
            lines.append(stuffed[:50] + " ")
            stuffed = stuffed[50:]
        lines.append(stuffed)
    kind = (
        "text/plain; charset=utf-8" + ("; format=flowed" if stated else "") + ("; delsp=yes" if delsp else "")
    )
    return mail("\r\n".join(lines).encode(), kind)


def _html(line: str, join: str = "", around: str = "<html><body>{}</body></html>") -> Damage:
    def damaged(text: str) -> bytes:
        lines = join.join(line.format(html.escape(each)) for each in text.splitlines())
        return mail(around.format(lines).encode(), "text/html; charset=utf-8")

    return damaged


def _collapsed(text: str) -> bytes:
    return mail(("<p>" + " ".join(html.escape(text).split()) + "</p>").encode(), "text/html; charset=utf-8")


def _qp(text: str) -> bytes:
    return quopri.encodestring(text.encode())


def _html_qp(text: str) -> bytes:
    """HTML whose quoted-printable somebody forgot to declare."""
    body = quopri.encodestring(f'<div style="a:b">{html.escape(text)}</div>'.replace("\n", "<br>\n").encode())
    return mail(body, "text/html; charset=utf-8")


def _broken_998(text: str) -> bytes:
    """A server breaks lines of more than 998 bytes with CR LF SPACE."""
    joined = text.replace("\n", " ").encode()
    return mail(b"\r\n ".join(joined[i : i + 998] for i in range(0, len(joined), 998)))


def _smart(text: str) -> bytes:
    return mail(text.replace("-----", "\u2014\u2014-").replace('"', "\u201d").encode())


def _alternative(text: str) -> bytes:
    message = _mime("this mail is HTML")
    message.add_alternative("<pre>" + html.escape(text) + "</pre>", subtype="html")
    return message.as_bytes()


def _mbox(text: str) -> bytes:
    one = mail(b"nothing here\n\n>From the start\n").replace(b"\r\n", b"\n")
    two = mail(text.encode()).replace(b"\r\n", b"\n")
    return b"".join(b"From a@b Fri Nov 20 12:00:00 2026\n" + each + b"\n\n" for each in (one, two, one))


def _wrong_charset(declared: str, real: str = "utf-8") -> Damage:
    return lambda text: mail(text.encode(real), f'text/plain; charset="{declared}"')


DAMAGES: dict[str, Damage] = {
    "bare file": lambda text: text.encode(),
    "bare file with byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "bare file in UTF-16": lambda text: text.encode("utf-16"),
    "bare file in UTF-16 without mark": lambda text: text.encode("utf-16-le"),
    "bare file in Windows-1252": lambda text: text.encode("cp1252", "replace"),
    "8bit": lambda text: mail(text.encode()),
    "quoted-printable": lambda text: mail(_qp(text), encoding="quoted-printable"),
    "base64": lambda text: mail(base64.encodebytes(text.encode()), encoding="base64"),
    "quoted-printable left undecoded": lambda text: mail(_qp(text)),
    "base64 in an unknown encoding name": lambda text: mail(text.encode(), encoding="x-nonsense"),
    "CR CR LF": lambda text: mail(text.replace("\n", "\r\r\n").encode()),
    "CR alone": lambda text: mail(text.replace("\n", "\r").encode()),
    "blank line after every line": lambda text: mail(text.replace("\n", "\n\n").encode()),
    "no blank line at all": lambda text: mail("\n".join(x for x in text.split("\n") if x).encode()),
    "format=flowed": _flowed,
    "format=flowed with DelSp": lambda text: _flowed(text, delsp=True),
    "format=flowed, header lost": lambda text: _flowed(text, stated=False),
    "wrapped at 72": _wrapped(72),
    "wrapped at 60": _wrapped(60),
    "wrapped at 40": _wrapped(40),
    "quoted": _quoted("> "),
    "quoted twice": _quoted(">> "),
    "quoted twice, spaced": _quoted("> > "),
    "quoted with a bar": _quoted("| "),
    "quoted with initials": _quoted("JD> "),
    "quoted and wrapped again": _wrapped(60, "> "),
    "indented with no-break blanks": _quoted("\u00a0\u00a0"),
    "no-break blanks everywhere": lambda text: mail(text.replace(" ", "\u00a0").encode()),
    "smart quotes and dashes": _smart,
    "tabs as indentation": _quoted("\t"),
    "trailing blanks": lambda text: mail(text.replace("\n", "   \n").encode()),
    "zero-width blanks": lambda text: mail(text.replace("\n", "\u200b\n").encode()),
    "998-octet break": _broken_998,
    "list footer": lambda text: mail((text + "\n___\nA list\nhttp://lists.invalid/x\n").encode()),
    "warning banner": lambda text: mail(("CAUTION: this came from outside!\n\n" + text).encode()),
    "attached": lambda text: _attached(text, ("text", "plain"), "orders.pbem.txt"),
    "attached, renamed, octet-stream": lambda text: _attached(text, ("application", "octet-stream"), "x.bin"),
    "attached as a picture": lambda text: _attached(text, ("image", "png"), "x.png"),
    "attached mail with a wrong type": lambda text: _attached(
        _mime(text).as_string(), ("application", "octet-stream"), "mail.eml"
    ),
    "forwarded": _forwarded,
    "forwarded five times": lambda text: _forwarded(text, 5),
    "forwarded in base64": _forward_encoded,
    "in an mbox": _mbox,
    "HTML pre": _html("{}\n", around="<pre>{}</pre>"),
    "HTML div per line": _html("<div>{}</div>"),
    "HTML p per line": _html("<p class=MsoNormal><span lang=EN>{}</span></p>\n"),
    "HTML br": _html("{}", "<br/>"),
    "HTML with white space collapsed": _collapsed,
    "HTML in quoted-printable left undecoded": _html_qp,
    "HTML as alternative only": _alternative,
    "HTML called plain text": lambda text: mail(f"<html><p>{html.escape(text)}</p></html>".encode()),
    "charset unknown": _wrong_charset("x-klingon"),
    "charset with a NUL": _wrong_charset("utf\0-8"),
    "charset that is no text": _wrong_charset("zlib"),
    "charset UTF-16 for UTF-8": _wrong_charset("utf-16"),
    "charset ASCII for Windows-1252": lambda text: mail(text.encode("cp1252", "replace"), "text/plain"),
    "charset EUC-JP for UTF-8": _wrong_charset("euc-jp"),
    "multipart without parts": lambda text: mail(text.encode(), "multipart/mixed; boundary=xx"),
    "multipart without boundary": lambda text: mail(text.encode(), "multipart/mixed"),
    "bad date": lambda text: mail(text.encode(), head="Date: Mon, 99 Foo 99999 99:99:99 +999999\r\n" + HEAD),
}
