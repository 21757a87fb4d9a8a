"""Files of other programs: bounds, XML without declarations, and what is read from one.

Nothing is unpacked. Modules are large, but a member of one is read within the bound of a file.
"""

from __future__ import annotations

import lzma
import struct
import zlib
from collections.abc import Callable
from dataclasses import field
from typing import Any
from xml.etree import ElementTree
from zipfile import BadZipFile

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

MOST, MOST_MODULE = 16 << 20, 256 << 20
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
    """Return the root of a file of XML; Refused if it is damaged or declares anything."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refused("damaged-file", Message("workshop.importing.damaged")) from None
    return root_of(text)


def root_of(text: str) -> ElementTree.Element:
    """Return the root of a text of XML; Refused if it is damaged or has a DOCTYPE."""
    if "<!" in text.replace("<!--", "").replace("<![CDATA[", ""):
        raise refused("doctype", Message("workshop.importing.doctype"))
    try:
        return ElementTree.fromstring(text.partition("?>")[2] if text.startswith("<?xml") else text)
    except (ElementTree.ParseError, RecursionError, ValueError):
        raise refused("damaged-file", Message("workshop.importing.damaged")) from None


def damaged() -> Refused:
    """Return the refusal of a file that is not what its name says."""
    return refused("damaged-file", Message("workshop.importing.damaged"))


def refused(code: str, said: Message) -> Refused:
    """Return the refusal of a file."""
    return Refused(Diagnostic(code, said))
