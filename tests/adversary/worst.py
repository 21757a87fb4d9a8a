"""25 MiB of the worst for each reader of foreign bytes, and the memory that it takes."""

from __future__ import annotations

import base64
import gzip
import io
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

MOST = 25 * 1024 * 1024
BEGIN, END = b"-----BEGIN PBEM STATEMENT-----\n", b"-----END PBEM STATEMENT-----\n"


def much(piece: bytes, head: bytes = b"", tail: bytes = b"") -> bytes:
    """As many of one piece as 25 MiB hold, between a beginning and an end."""
    return head + piece * ((MOST - len(head) - len(tail)) // len(piece)) + tail


def mail(kind: str, piece: bytes, encoding: str = "8bit", tail: bytes = b"") -> bytes:
    """A mail of one part."""
    head = f"From: a@b.c\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode()
    return much(piece, head, tail)


def attached(*files: bytes) -> bytes:
    """A mail with these attachments, in base64."""
    made = b"From: a@b.c\nContent-Type: multipart/mixed; boundary=xx\n\n"
    for one in files:
        made += b"--xx\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
        made += base64.encodebytes(one) + b"\n"
    return made + b"--xx--\n"


def bomb(piece: bytes = b"PBEM", size: int = 2_000 * (1 << 20)) -> bytes:
    """A gzip file of a few megabytes that unpacks to `size`."""
    packer, block = zlib.compressobj(9, zlib.DEFLATED, 31), piece * ((1 << 20) // len(piece))
    return b"".join(packer.compress(block) for _ in range(size >> 20)) + packer.flush()


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return held.getvalue()


def tnef(*files: bytes) -> bytes:
    """A winmail.dat with these attachments."""
    attributes = (
        b"\x02\x0f\x80\x06\x00" + len(data).to_bytes(4, "little") + data + b"\0\0" for data in files
    )
    return b"\x78\x9f\x3e\x22\x01\x00" + b"".join(attributes)


def many_entries() -> bytes:
    """A zip with nothing but a directory: some hundred thousand files of no bytes."""
    one = zipped({"x": b""})
    begin = one.index(b"PK\x01\x02")
    entry = one[begin : one.index(b"PK\x05\x06")]
    count = (MOST // len(entry)) - 2
    end = b"PK\x05\x06\0\0\0\0" + (count & 0xFFFF).to_bytes(2, "little") * 2
    end += (count * len(entry)).to_bytes(4, "little") + begin.to_bytes(4, "little") + b"\0\0"
    return one[:begin] + entry * count + end


def nested(levels: int) -> bytes:
    """A packed text in so many archives."""
    data = much(b"PBEM \n")
    for _ in range(levels):
        data = gzip.compress(data, 1)
    return data


def mbox(piece: bytes) -> bytes:
    """A mailbox whose one mail has such a text."""
    return much(piece, b"From a@b Fri Nov 20 12:00:00 2026\nSubject: x\n\n")


AS_SIGNED = b"Statements as they were signed, with signatures (pbem 1):\n"
ARMOURED = BEGIN + base64.b64encode(b"{}" * 30) + b"\n" + END
EMOJI = "\U0001f600".encode()

MAILS: dict[str, Callable[[], bytes]] = {
    "empty lines": lambda: mail("text/plain", b"\n"),
    "short lines": lambda: mail("text/plain", b"a\n"),
    "short lines in a part": lambda: much(
        b"a\n", b"From: a@b.c\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n", b"--b--\n"
    ),
    "headers": lambda: much(b"X:\n"),
    "one header": lambda: much(b"a", b"Subject: "),
    "parts": lambda: much(b"--b\n\n", b"From: a@b.c\nContent-Type: multipart/mixed; boundary=b\n\n"),
    "forwards": lambda: much(b"Content-Type: message/rfc822\n\n"),
    "delivery report": lambda: much(
        b"Action: failed\n\n",
        b"From: a@b.c\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n"
        b"--b\nContent-Type: message/delivery-status\n\n",
    ),
    "wide characters": lambda: mail("text/plain; charset=utf-8", EMOJI + b"PBEM \n"),
    "UTF-16": lambda: mail("text/plain; charset=utf-16", "PBEM ä\n".encode("utf-16-le")),
    "UTF-7": lambda: mail("text/plain; charset=utf-7", b"PBEM +AOQ-\n"),
    "a charset that unpacks": lambda: mail("text/plain; charset=zlib", zlib.compress(bytes(1 << 28))),
    "flowed": lambda: mail("text/plain; format=flowed; delsp=yes", b"PBEM \n"),
    "flowed, short lines": lambda: mail("text/plain; format=flowed", b"\n", tail=b"PBEM"),
    "HTML tags": lambda: mail("text/html", b"ab<b>", tail=b"<p>PBEM"),
    "HTML references": lambda: mail("text/html", b"&#9731;", tail=b"PBEM"),
    "HTML and quoted-printable": lambda: mail("text/html", b"<p>=E2=98=83", "quoted-printable", b"PBEM"),
    "HTML of wide characters": lambda: mail("text/html; charset=utf-8", b"<br>" + EMOJI, tail=b"PBEM"),
    "quoted-printable": lambda: mail("text/plain", b"=50=42=45=4D =3D=35=30\n", "quoted-printable"),
    "quoted-printable twice": lambda: mail("text/plain", b"PBEM =3D=E2=98=83\n"),
    "base64": lambda: mail("text/plain", base64.b64encode(b"PBEM\n" * 9) + b"\n", "base64"),
    "base64 of empty lines": lambda: mail("text/plain", base64.b64encode(b"\n" * 45) + b"\n", "base64"),
    "base64 that nothing announces": lambda: much(b"QQ\n", b"From: a@b.c\n\n" + b"Q" * 60 + b"\n"),
    "uuencode": lambda: much(
        b"#4$)%\n", b"From: a@b.c\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 x\n"
    ),
    "markers": lambda: much(BEGIN, b"Subject: x\n\n"),
    "empty armours": lambda: much(BEGIN + END, b"Subject: x\n\n"),
    "small armours": lambda: much(ARMOURED, b"Subject: x\n\n"),
    "one armour": lambda: much(b"QUJD" * 16 + b"\n", b"Subject: x\n\n" + BEGIN, END),
    "an armour of quoted empty lines": lambda: much(b">\n", b"Subject: x\n\n" + BEGIN, END),
    "an armour of 15 MiB of quoted lines": lambda: (
        b"Subject: x\n\n" + BEGIN + b">QUJD\n" * (15 * (1 << 20) // 6) + END
    ),
    "an armour in one quoted line": lambda: b"Subject: x\n\n" + BEGIN + b"ab> QUJD" * 1_800_000 + b"\n" + END,
    "armours of wide characters": lambda: much(EMOJI + b"> QUJD\n", b"Subject: x\n\n" + BEGIN, END),
    "a bare file of braces": lambda: much(
        b"{\n", b"Statements as they were signed, with signatures (pbem 1):\n"
    ),
    "a packed file of braces": lambda: attached(gzip.compress(much(b"{\n", AS_SIGNED))),
    "a packed file of armours": lambda: attached(gzip.compress(much(ARMOURED))),
    "a gzip bomb": lambda: attached(bomb()),
    "a gzip bomb as a file": lambda: bomb(),
    "a gzip file of many members": lambda: attached(gzip.compress(b"PBEM\n" * 200_000) * 500),
    "gzip bombs side by side": lambda: attached(*[bomb(size=1 << 28)] * 20),
    "winmail.dat with two bombs": lambda: attached(tnef(bomb(), bomb())),
    "winmail.dat of nothing": lambda: attached(tnef(*[b""] * 1_000_000)),
    "gzip streams with anything between": lambda: attached(
        b"\x78\x9f\x3e\x22\x01\x00" + b"".join(bytes(40) + bomb(size=1 << 28) for _ in range(4))
    ),
    "a zip bomb": lambda: attached(zipped({"a": bytes(1 << 28), "b": bytes(1 << 28)})),
    "a zip of bzip2": lambda: attached(zipped({"a": bytes(1 << 28)}, zipfile.ZIP_BZIP2)),
    "a zip of lzma": lambda: attached(zipped({"a": bytes(1 << 28)}, zipfile.ZIP_LZMA)),
    "a zip of many files": many_entries,
    "a zip of zips": lambda: attached(zipped({f"{n}.zip": zipped({"a": bytes(1 << 26)}) for n in range(40)})),
    "packed twice": lambda: attached(nested(2)),
    "packed five times": lambda: attached(nested(5)),
    "a mail in a zip": lambda: attached(zipped({"a.eml": mail("text/html", b"ab<b>", tail=b"<p>PBEM")})),
    "an mbox of empty lines": lambda: mbox(b"\na"),
    "an mbox of short lines": lambda: mbox(b"a\n"),
    "an mbox of mails": lambda: much(b"From a\nA: b\n\n" + b"PBEM\n" * 20 + b"\n", b"From a@b\n"),
}
"""By name what makes it: mails as files."""

JSON = (b"[]", b'{"a":1}', b'"ab"', b"1", b'[["a"]]')
"""Values of which a text is made, as many as it holds."""


def values(piece: bytes, size: int = MOST) -> bytes:
    """An array of as many of these values as so many bytes hold."""
    return b"[" + (piece + b",") * (size // (len(piece) + 1) - 1) + piece + b"]"


FILES = ("roster.json", "module.lock", "game.yaml", "state.yaml", "allowed_signers")
STAGE = ("record.json", "events.json", "report.txt", "STATEMENT.json", "STATEMENT.sig", "VIEW.bin")

MEMORY = 250_000_000 // 1024  # KiB


def peak() -> int:
    """Most memory that this process ever had, in KiB, since it began this program."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    raise OSError("nobody says how much memory there was")


def read_mail(path: Path) -> None:
    """Read a mail, an mbox or a folder of them."""
    from pbem.mail.read import read_path

    assert read_path(path).messages


def read_order_file(path: Path) -> None:
    """Read what should be an order file, and mend what a mail program did to it."""
    from pbem.mail.mend import mend
    from pbem.text.diagnostics import Refused
    from pbem.text.yaml import load

    try:
        load(path.read_bytes(), path.name)
    except Refused:
        mend(path.read_bytes()[: 256 << 10], path.name)


def read_state(path: Path) -> None:
    """Read what should be the state of a game."""
    from pbem.text.diagnostics import Refused
    from pbem.text.json_first import read_state_text

    try:
        read_state_text(path.read_bytes(), path.name)
    except Refused:
        return


def read_statement(path: Path) -> None:
    """Read what should be a statement or a view, as its signer has made it."""
    from pbem.text import canonical
    from pbem.trust import statements
    from pbem.trust.errors import BadStatement

    data = path.read_bytes()
    for read in (statements.parse, canonical.loads):
        try:
            read(data)
        except (BadStatement, canonical.NotCanonical):
            continue


def read_page(path: Path) -> None:
    """Unpack what should be the archive of a game that somebody hands on."""
    from tempfile import TemporaryDirectory

    from pbem.cli.web.handing_on import unpacked
    from pbem.text.diagnostics import Refused

    with TemporaryDirectory() as into:
        try:
            unpacked(path.read_bytes(), Path(into))
        except Refused:
            return


def read_archive(path: Path) -> None:
    """Verify an archive."""
    from pbem.archive import verify
    from pbem.text.diagnostics import Refused

    try:
        verify(path)
    except Refused:
        return


READERS: dict[str, Callable[[Path], None]] = {
    "mail": read_mail,
    "order file": read_order_file,
    "state": read_state,
    "statement": read_statement,
    "page": read_page,
    "archive": read_archive,
}

if __name__ == "__main__":
    READERS[sys.argv[1]](Path(sys.argv[2]))
    print(peak())
