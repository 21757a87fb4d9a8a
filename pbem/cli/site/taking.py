"""The runtime and the libraries of a site, each of a pinned version and checked.

`pinned.yaml` names them with their SHA-256. They come from a folder, or from the registries (npm, PyPI).
"""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

PINNED = Path(__file__).with_name("pinned.yaml")
_MOST = 64 << 20
_SECONDS = 120


@dataclass(frozen=True)
class Pinned:
    """An archive of one version: a package of npm, or a wheel or source archive of PyPI."""

    name: str
    version: str
    kind: str
    address: str
    sha256: str
    licence: str

    @property
    def file(self) -> str:
        """Return the name that the file has in a folder."""
        return self.address.rpartition("/")[2]


def pinned() -> list[Pinned]:
    """Return everything that a site needs."""
    from pbem.text.loading import load_file

    return [Pinned(**entry) for entry in load_file(PINNED, "site/pinned.yaml").data["archives"]]


def unwanted() -> list[str]:
    """Return the modules of Python's own library that a site leaves out."""
    from pbem.text.loading import load_file

    return list(load_file(PINNED, "site/pinned.yaml").data["left_out"])


def taken(archive: Pinned, folder: Path | None) -> bytes:
    """Return an archive from the folder, or fetched; Refused if it is not there or another one."""
    if folder is not None:
        path = folder / archive.file
        try:
            data = path.read_bytes()
        except OSError as fault:
            message = Message("cli.site.not-in-the-folder", file=archive.file, folder=folder)
            help_ = (Message("cli.site.where-it-is", address=archive.address),)
            raise Refused(Diagnostic("site-file", message, help=help_)) from fault
    else:
        data = _fetched(archive)
    if hashlib.sha256(data).hexdigest() != archive.sha256:
        raise Refused(Diagnostic("site-file", Message("cli.site.another-file", file=archive.file)))
    return data


def _fetched(archive: Pinned) -> bytes:
    from urllib.error import URLError
    from urllib.request import urlopen

    try:
        with urlopen(archive.address, timeout=_SECONDS) as answer:
            data: bytes = answer.read(_MOST + 1)
    except (URLError, OSError) as fault:
        message = Message("cli.site.cannot-fetch", address=archive.address, reason=str(fault))
        help_ = (Message("cli.site.take-a-folder"),)
        raise Refused(Diagnostic("site-file", message, help=help_)) from None
    return data[:_MOST]


def inside(archive: Pinned, data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive by their names, without the folder that holds all of a source archive."""
    if archive.kind == "wheel":
        with zipfile.ZipFile(io.BytesIO(data)) as wheel:
            for name in sorted(wheel.namelist()):
                if not name.endswith("/"):
                    yield name, wheel.read(name)
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for member in sorted(tar.getmembers(), key=lambda each: each.name):
            file = tar.extractfile(member) if member.isfile() else None
            if file is not None:
                yield member.name.partition("/")[2], file.read()
