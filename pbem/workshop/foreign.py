"""Files of other programs: bounds, XML without declarations, and what is read from one.

Nothing is unpacked. Modules are large, but a member of one is read within the bound of a file.
"""

from __future__ import annotations

import io
import json
import lzma
import re
import struct
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import field
from typing import Any
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

MOST, MOST_MODULE = 16 << 20, 256 << 20
MOST_PARTS, MOST_MEMBERS = 620_000, 20_000
"""Elements, attributes and values in a file, members of a module: Python builds an object for each."""
_IN_DIRECTORY = b"PK\x01\x02"  # what each member has in the directory of a zip
_DECLARED, _ATTRIBUTE = re.compile(rb"<!(?!--|\[CDATA\[)"), re.compile(rb"=\s*[\"']")
Beside = Callable[[str], bytes | None]
"""A reader of plain files beside the one that is read, by their names; None for a file that is not there."""
BUILD = ("buildFile.xml", "buildFile")
BAD_ZIP = (
    *(BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, LookupError, ValueError),
    *(zlib.error, lzma.LZMAError, struct.error),
)
"""Exceptions of the library for a damaged zip."""


@dataclass
class Imported:
    """The map as far as the file tells it, counters by name and side, and what a person should know."""

    map: dict[str, Any] = field(default_factory=dict)
    counters: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def xml(data: bytes) -> ElementTree.Element:
    """Return the root of XML in UTF-8; Refused if it is damaged, has a DOCTYPE or too many elements."""
    data = data.removeprefix(BOM_UTF8)
    if _DECLARED.search(data):
        raise refused("doctype", Message("workshop.importing.doctype"))
    parts = sum(map(data.count, (b"<", b"&", b"\n", b"\r")))  # a text comes in pieces that end there
    signs = data.count(b"=")
    if parts + signs > MOST_PARTS:  # a sign may stand in a text
        parts += sum(1 for _ in _ATTRIBUTE.finditer(data))
    _check_parts(parts)
    try:
        return ElementTree.fromstring(data.partition(b"?>")[2] if data.startswith(b"<?xml") else data)
    except (ElementTree.ParseError, RecursionError, ValueError, LookupError):
        raise damaged() from None


def from_json(data: bytes) -> Any:
    """Return what a file of JSON holds; Refused if it is damaged or has too many values."""
    _check_parts(sum(map(data.count, (b"[", b"{", b","))))
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise damaged() from None


def _check_parts(count: int) -> None:
    if count > MOST_PARTS:
        raise refused("too-many", Message("workshop.importing.too-many-parts", most=MOST_PARTS))


def opened(data: bytes) -> ZipFile:
    """Return a module that was opened; Refused if it is damaged or has too many members."""
    if data.count(_IN_DIRECTORY) > MOST_MEMBERS:
        raise refused("too-many", Message("workshop.importing.too-many-parts", most=MOST_MEMBERS))
    try:
        return ZipFile(io.BytesIO(data))
    except BAD_ZIP:
        raise damaged() from None


def damaged() -> Refused:
    """Return the refusal of a file that is not what its name says."""
    return refused("damaged-file", Message("workshop.importing.damaged"))


def refused(code: str, message: Message) -> Refused:
    """Return the refusal of a file."""
    return Refused(Diagnostic(code, message))
