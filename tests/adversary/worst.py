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
    for file in files:
        made += b"--xx\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
        made += base64.encodebytes(file) + b"\n"
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


def many_entries(most: int = MOST) -> bytes:
    """A zip with nothing but a directory: some hundred thousand files of no bytes, or fewer."""
    one = zipped({"x": b""})
    begin = one.index(b"PK\x01\x02")
    entry = one[begin : one.index(b"PK\x05\x06")]
    count = min(most, MOST // len(entry) - 2)
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

SPOTS = b'{"type":"Topology","transform":{"scale":[1,1],"translate":[0,0]},"arcs":['
SVG, BUILD = b'<svg xmlns="http://www.w3.org/2000/svg">', b"<VASSAL.build.GameModule>"


def module(build: bytes) -> bytes:
    """A module of VASSAL with such a build file."""
    return zipped({"buildFile.xml": build})


def world(head: bytes, piece: bytes, tail: bytes = b"") -> bytes:
    """A map of Worldographer with as much of such a text as it may hold."""
    return gzip.compress(full(b"<map>" + head, piece, tail + b"</map>"), 1)


def parts(head: bytes, piece: bytes, tail: bytes, each: int = 1) -> bytes:
    """As many pieces of so many parts as are not too many."""
    return head + piece * (610_000 // each) + tail


def attributes(count: int) -> bytes:
    """So many attributes, each of another name."""
    return b"".join(b' a%x=""' % n for n in range(count))


def full(head: bytes, piece: bytes, tail: bytes = b"") -> bytes:
    """As many of one piece as an imported file may hold, between a beginning and an end."""
    room = (16 << 20) - len(head) - len(tail)
    return head + piece * (room // len(piece)) + tail


IMPORTS: dict[str, Callable[[], bytes]] = {
    "elements.svg": lambda: full(SVG, b"<a/>", b"</svg>"),
    "elements in each other.svg": lambda: full(SVG, b"<a>"),
    "attributes.svg": lambda: b"<svg" + attributes(1_300_000) + b"/>",
    "wide comments.svg": lambda: full(SVG + b"<!--" + EMOJI + b"-->", b"<!---->", b"</svg>"),
    "a path.svg": lambda: full(SVG + b'<path id="a" d="M', b"1 2 ", b'"/></svg>'),
    "rings.svg": lambda: full(SVG + b'<path id="a" d="', b"M1 2z", b'"/></svg>'),
    "curves.svg": lambda: full(SVG + b'<path id="a" d="M0 0', b"t1 1", b'"/></svg>'),
    "points.svg": lambda: full(SVG + b'<polygon id="a" points="', b"1 2 ", b'"/></svg>'),
    "transforms.svg": lambda: full(SVG + b'<g transform="', b"scale(1)", b'"/></svg>'),
    "lists.json": lambda: full(SPOTS, b"[],", b"[]]}"),
    "objects.json": lambda: full(SPOTS, b"{},", b"{}]}"),
    "numbers.json": lambda: full(SPOTS, b"999,", b"9]}"),
    "spots.json": lambda: full(SPOTS + b"[", b"[9,9],", b"[9,9]]]}"),
    "an arc many times.json": lambda: (
        SPOTS
        + b"["
        + b"[1,1]," * 90_000
        + b"[1,1]]],"
        + b'"objects":{"o":{"type":"Polygon","id":"a","arcs":[['
        + b"0," * 90_000
        + b"0]]}}}"
    ),
    "a variant of names.json": lambda: full(b'{"Nations":[', b'"abc",', b'""]}'),
    "wide names.json": lambda: full(b'{"Nations":["' + EMOJI, b"a", b'"]}'),
    "variants.xml": lambda: full(b"<VARIANTS>", b"<VARIANT/>", b"</VARIANTS>"),
    "tiles.tmj": lambda: full(b'{"tilesets":[],"layers":[{"type":"tilelayer","data":[', b"999,", b"9]}]}"),
    "tilesets.tmj": lambda: full(b'{"tilesets":[', b'{"firstgid":1},', b'{"firstgid":1}]}'),
    "packed tiles.tmj": lambda: full(
        b'{"tilesets":[],"layers":[{"type":"tilelayer","width":9,"data":"', b"/////w==", b'"}]}'
    ),
    "tiles.tmx": lambda: full(
        b'<map><layer width="9"><data encoding="csv">', b"999,", b"</data></layer></map>"
    ),
    "elements.tmx": lambda: full(b"<map><layer><data>", b"<tile/>", b"</data></layer></map>"),
    "unpacked.wxx": lambda: gzip.compress(bytes(1 << 28)),
    "elements.wxx": lambda: world(b"", b"<a/>"),
    "kinds.wxx": lambda: world(b"<terrainmap>", b"\t", b"</terrainmap>"),
    "words.wxx": lambda: world(b"<tilerow>", b"abc\n", b"</tilerow>"),
    "words that fit.wxx": lambda: gzip.compress(
        parts(b"<map><tilerow>", b"abcdefghijklmnopqrstuv\n", b"</tilerow></map>")
    ),
    "references.svg": lambda: full(SVG + b"<a>", b"abc&lt;", b"</a></svg>"),
    "lines.wxx": lambda: world(b"<tilerow>", b"a\n", b"</tilerow>"),
    "elements that fit.svg": lambda: parts(SVG, b"<a/>", b"</svg>"),
    "elements with texts that fit.svg": lambda: parts(SVG, b"<a>bcdefg</a>h", b"</svg>", 2),
    "attributes that fit.svg": lambda: b"<svg" + attributes(610_000) + b"/>",
    "elements with attributes that fit.svg": lambda: parts(SVG, b"<a b='cdefgh'/>", b"</svg>", 2),
    "wide texts that fit.svg": lambda: full(SVG + b"<a>" + EMOJI, b"a", b"</a></svg>"),
    "objects that fit.json": lambda: parts(SPOTS, b'{"abc":[]},', b"[]]}", 3),
    "lists that fit.json": lambda: parts(SPOTS, b"[[]],", b"[]]}", 3),
    "spots that fit.json": lambda: parts(SPOTS + b"[", b"[98765,99999],", b"[1,1]]]}", 3),
    "texts that fit.json": lambda: parts(b'{"Nations":[', b'"abcdefghijklmno",', b'""]}'),
    "members that fit.vmod": lambda: many_entries(19_000),
    "members.vmod": many_entries,
    "elements.vmod": lambda: module(full(BUILD, b"<a/>", b"</VASSAL.build.GameModule>")),
    "pieces.vmod": lambda: module(full(BUILD, b"<PieceSlot/>", b"</VASSAL.build.GameModule>")),
    "a large member.vmod": lambda: zipped({"buildFile.xml": bytes(1 << 28)}),
    "a build file of lzma.vmod": lambda: zipped({"buildFile.xml": bytes(1 << 24)}, zipfile.ZIP_LZMA),
    "rows.csv": lambda: full(b"hex,terrain\n", b"1,a\n"),
    "cells.csv": lambda: full(b"hex,terrain\n", b","),
    "returns.csv": lambda: full(b"hex,terrain\n", b"\r"),
}
"""By the name of the file what makes it: maps and modules of other programs."""


def key_backup(memory: int, piece: bytes = b"QUJD" * 16 + b"\n") -> bytes:
    """A copy of a private side that asks for so much memory: the binary logarithm of KiB."""
    from pbem.trust.repairs import mark_base64

    head = b"pbem-backup/1\n" + bytes([memory]) + bytes(28)
    begin, end = mark_base64("PBEM KEY BACKUP", head + bytes(40)).encode().rsplit(b"-----END", 1)
    return much(piece, begin, b"-----END" + end) if piece else begin + b"-----END" + end


BACKUPS: dict[str, Callable[[], bytes]] = {
    "lines": lambda: key_backup(1),
    "empty lines": lambda: key_backup(1, b"\n"),
    "quoted lines": lambda: key_backup(1, b"> \n"),
    **{f"two to the power of {n}": lambda n=n: key_backup(n, b"") for n in (16, 17, 18, 20)},  # type: ignore[misc]
}
"""By name what makes it: copies of a private side."""

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


def read_import(path: Path) -> None:
    """Import a file of another program, as a person does it."""
    from contextlib import redirect_stdout

    from pbem.cli.main import cli
    from pbem.text.diagnostics import Refused

    try:
        with redirect_stdout(io.StringIO()):
            cli.main(["scenario", "import", str(path), str(path.parent / "made")], standalone_mode=False)
    except Refused as fault:
        print(fault, file=sys.stderr)


def read_certificate(path: Path) -> None:
    """Check what should be a certificate."""
    from pbem.cli.league.certificate import check
    from pbem.text.diagnostics import Refused

    try:
        check(path.read_bytes().decode("utf-8", "replace"))
    except Refused:
        return


def read_backup(path: Path) -> None:
    """Open what should be the copy of a private side."""
    from pbem.trust.backup import restore
    from pbem.trust.errors import BadBackup

    try:
        restore(path.read_bytes().decode("ascii", "replace"), "a passphrase")
    except BadBackup:
        return


READERS: dict[str, Callable[[Path], None]] = {
    "mail": read_mail,
    "order file": read_order_file,
    "state": read_state,
    "statement": read_statement,
    "page": read_page,
    "archive": read_archive,
    "import": read_import,
    "certificate": read_certificate,
    "backup": read_backup,
}

if __name__ == "__main__":
    READERS[sys.argv[1]](Path(sys.argv[2]))
    print(peak())
