"""More of what the world does to mail: clients, gateways, lists and editors beyond protocol 6.3."""

from __future__ import annotations

import base64
import gzip
import html
import io
import re
import zipfile
import zlib

from tests.unit.mail.damage import Damage, _html, _mime, mail
from tests.unit.mail.programs import tnef

__all__ = ["MORE"]


def _tnef(text: str) -> bytes:
    """Outlook's winmail.dat: the attachment lies in it as it is, between lengths and check sums."""
    data = tnef(text.replace("\n", "\r\n").encode())
    return mail(base64.encodebytes(data), 'application/ms-tnef; name="winmail.dat"', "base64")


def _soft_hyphens(text: str) -> bytes:
    """A web client lets long words break: <wbr> and soft hyphens within them."""
    broken = re.sub(r"([A-Za-z0-9+/=]{20})(?=[A-Za-z0-9+/=])", r"\1<wbr>", html.escape(text))
    broken = re.sub(r"([A-Za-z0-9+/]{9})(?=[A-Za-z0-9+/])", "\\1&shy;", broken, count=40)
    return mail(("<html><body>" + broken.replace("\n", "<br>\n") + "</body></html>").encode(), "text/html")


def _telephone_links(text: str) -> bytes:
    """A telephone finds numbers to call in it."""
    linked = re.sub(r"(\d{3,})", r'<a href="tel:\1" x-apple-data-detectors="true">\1</a>', html.escape(text))
    return mail(
        ("<div>" + linked.replace("\n", "</div>\n<div>") + "</div>").encode(), "text/html; charset=utf-8"
    )


def _table(text: str) -> bytes:
    rows = "".join(f"<tr><td>&nbsp;</td><td>{html.escape(line)}</td></tr>" for line in text.splitlines())
    return mail(f"<table border=0>{rows}</table>".encode(), "text/html; charset=utf-8")


def _gmail_quote(text: str) -> bytes:
    lines = "<br>".join(html.escape(line) for line in text.splitlines())
    quote = f'<div dir="ltr">Agreed!</div><br><div class="gmail_quote"><blockquote style="margin:0">{lines}'
    return mail(f"<html><body>{quote}</blockquote></div></body></html>".encode(), "text/html; charset=utf-8")


def _digest(text: str) -> bytes:
    inner = [_mime("something else").as_bytes(), _mime(text).as_bytes()]
    body = b"".join(b"--dd\r\n\r\n" + one + b"\r\n" for one in inner) + b"--dd--\r\n"
    return mail(body, "multipart/digest; boundary=dd")


def _plain_digest(text: str) -> bytes:
    """A list's digest in one text: messages with their headers between rulers."""
    parts = [
        "Today's Topics:\n\n   1. orders (north)\n",
        "Message: 1\nFrom: north\nSubject: orders\n\n" + text,
    ]
    return mail(("\n\n" + "-" * 30 + "\n\n").join(parts).encode())


def _double_encoded(text: str) -> bytes:
    """UTF-8 taken for Windows-1252 and made UTF-8 once more."""
    return mail(text.encode("utf-8").decode("cp1252", "replace").encode("utf-8"))


def _outlook_joined(text: str) -> bytes:
    """Outlook takes out line breaks it thinks are extra: lines of 40 letters and more are joined."""
    out = ""
    for line in text.splitlines():
        out += line + (" " if len(line) >= 40 else "\r\n")
    return mail(out.encode())


def _mime_in_mime(text: str) -> bytes:
    """A gateway wrapped the whole mail, headers included, into the text of another."""
    return mail(b"The following message was held:\r\n\r\n" + _mime(text).as_bytes())


def _signed_mail(text: str) -> bytes:
    body = (
        b"--ss\r\n" + _mime(text).as_bytes() + b"\r\n--ss\r\nContent-Type: application/pgp-signature\r\n\r\n"
    )
    return mail(
        body + b"-----BEGIN PGP SIGNATURE-----\r\n\r\nabcd\r\n-----END PGP SIGNATURE-----\r\n--ss--\r\n",
        'multipart/signed; protocol="application/pgp-signature"; boundary=ss',
    )


def _boundary_lost(text: str) -> bytes:
    """The last boundary is gone, and an attachment is cut in the middle."""
    attached = base64.encodebytes(zlib.compress(text.encode()))[:50]
    body = b"--bb\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + text.encode()
    body += (
        b"\r\n--bb\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n" + attached
    )
    return mail(body, "multipart/mixed; boundary=bb")


def _cut_base64(text: str) -> bytes:
    """Base64 whose last group is not whole."""
    return mail(base64.encodebytes(text.encode() + b"\n\n\n").rstrip(b"=\n")[:-1], encoding="base64")


def _in(charset: str) -> Damage:
    return lambda text: mail(
        base64.encodebytes(text.encode(charset, "replace")), f"text/plain; charset={charset}", "base64"
    )


def _raw_base64(text: str) -> bytes:
    """A gateway that encoded the body and lost the header that says so."""
    return mail(b"see below\r\n\r\n" + base64.encodebytes(text.encode()), encoding="7bit")


def _forwarded_as_people_do(times: int) -> Damage:
    """Forwarded as an attachment again and again, each time with a word and a signature in HTML."""

    def damage(text: str) -> bytes:
        inner = _mime(text)
        for _ in range(times):
            outer = _mime("see below")
            outer.add_alternative("<p>see below</p>", subtype="html")
            outer.add_attachment(inner)
            outer.add_attachment(b"my logo", maintype="image", subtype="png")
            inner = outer
        return inner.as_bytes()

    return damage


def _zipped(text: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.txt", "my orders are in the other file")
        archive.writestr("orders/stage-12.pbem.txt", text)
    return _attachment(held.getvalue(), "application/zip", "orders.zip")


def _gzipped(text: str) -> bytes:
    return _attachment(gzip.compress(text.encode()), "application/octet-stream", "orders.pbem.txt.gz")


def _attachment(data: bytes, kind: str, name: str) -> bytes:
    message = _mime("see the attachment")
    main, _, sub = kind.partition("/")
    message.add_attachment(data, maintype=main, subtype=sub, filename=name)
    return message.as_bytes()


def _emlx(text: str) -> bytes:
    """A file of Apple Mail."""
    message = mail(text.encode())
    plist = b'<?xml version="1.0"?>\n<plist version="1.0"><dict><key>flags</key></dict></plist>\n'
    return b"%d        \n" % len(message) + message + plist


def _many_headers(text: str) -> bytes:
    """Headers of a company's gateway, more than 4 kB of them, before the first that every mail has."""
    head = "".join(f"X-Scan-{n:03}: {'v' * 60}\r\n" for n in range(90))
    return head.encode() + mail(base64.encodebytes(text.encode()), encoding="base64")


def _encoded(encoding: str) -> Damage:
    """base64 with something behind the word."""
    return lambda text: mail(base64.encodebytes(text.encode()), encoding=encoding)


def _in_words(character: str) -> Damage:
    """A character that nobody sees within the words of the markers."""
    return lambda text: mail(
        re.sub(r"(?<=[A-Z])(?=[A-Z])", character, text, count=12).encode(), "text/plain; charset=utf-8"
    )


def _soft_ends_in_dashes(text: str) -> bytes:
    """Quoted-printable soft ends between the dashes, in a part that says it is none."""
    broken = text.replace("-----BEGIN", "---=\n--BEGIN").replace("STATEMENT-----", "STATEMENT--=\n---")
    return mail(broken.encode(), encoding="7bit")


MORE: dict[str, Damage] = {
    "base64 that nothing announces": _raw_base64,
    "forwarded ten times as people do": _forwarded_as_people_do(10),
    "in a zip file": _zipped,
    "in a gzip file": _gzipped,
    "a file of Apple Mail": _emlx,
    "more than 4 kB of headers first": _many_headers,
    "base64 with a blank behind the word": _encoded("base64 "),
    "base64 with a comment behind the word": _encoded("base64 (as usual)"),
    "base64 in quotation marks": _encoded('"base64"'),
    "a blank before the headers": lambda text: (
        b" \t" + mail(base64.encodebytes(text.encode()), encoding="base64")
    ),
    "a byte order mark before the headers": lambda text: (
        b"\xef\xbb\xbf" + mail(base64.encodebytes(text.encode()), encoding="base64")
    ),
    "soft hyphens within the marker words": _in_words("\u00ad"),
    "marks of direction within the marker words": _in_words("\u200e"),
    "variation selectors within the marker words": _in_words("\ufe0f"),
    "word joiners within the marker words": _in_words("\u2060"),
    "one em dash for five hyphens": lambda text: mail(text.replace("-----", "\u2014").encode()),
    "one horizontal bar for five hyphens": lambda text: mail(text.replace("-----", "\u2015").encode()),
    "soft ends between the dashes": _soft_ends_in_dashes,
    "Outlook's winmail.dat": _tnef,
    "HTML with soft hyphens and breaks within words": _soft_hyphens,
    "HTML with numbers made into telephone links": _telephone_links,
    "HTML table, a row per line": _table,
    "HTML in Gmail's quote": _gmail_quote,
    "HTML with span per word": _html("<p>{}</p>", join="\n", around='<div style="x">{}</div><!-- PBEM -->'),
    "MIME digest of a list": _digest,
    "plain digest of a list": _plain_digest,
    "UTF-8 twice": _double_encoded,
    "lines joined by Outlook": _outlook_joined,
    "mail within the text of a mail": _mime_in_mime,
    "PGP signed mail": _signed_mail,
    "last boundary lost": _boundary_lost,
    "base64 cut at its end": _cut_base64,
    "charset UTF-7": _in("utf-7"),
    "charset UTF-32": _in("utf-32"),
    "charset EBCDIC": _in("cp037"),
    "charset Shift JIS": _in("shift_jis"),
    "charset KOI8-R": _in("koi8-r"),
    "initials of two quoters": lambda text: mail(
        "".join(f"AB> > {x}\r\n" for x in text.splitlines()).encode()
    ),
    "colon as quote mark": lambda text: mail("".join(f": {x}\r\n" for x in text.splitlines()).encode()),
    "hash as quote mark": lambda text: mail("".join(f"# {x}\r\n" for x in text.splitlines()).encode()),
    "asterisks of bold text around markers": lambda text: mail(
        re.sub(r"(-----\w.*)", r"*\1*", text).encode()
    ),
    "dashes escaped as PGP does": lambda text: mail(re.sub(r"(?m)^-", "- -", text).encode()),
    "underlined markers": lambda text: mail(text.replace("-----BEGIN", "_-----BEGIN").encode()),
    "figure dashes": lambda text: mail(text.replace("-", "\u2012").encode()),
    "ideographic blanks": lambda text: mail(text.replace(" ", "\u3000").encode()),
    "line separators": lambda text: mail(text.replace("\n", "\u2028").encode()),
    "form feeds between lines": lambda text: mail(text.replace("\n", "\f").encode()),
    "everything in one line": lambda text: mail(" ".join(text.split()).encode()),
    "vertical bars on both sides": lambda text: mail(
        "".join(f"| {x:<70} |\r\n" for x in text.splitlines()).encode()
    ),
    "body shown twice": lambda text: mail((text + "\n" + text).encode()),
    "a second mail's headers in front": lambda text: (
        b"From: x@y.z\r\nSubject: fwd\r\n\r\n" + mail(text.encode())
    ),
    "no headers but a blank line": lambda text: b"\r\n\r\n" + text.encode(),
    "header without end": lambda text: b"Subject: x\r\n" + text.encode(),
}
