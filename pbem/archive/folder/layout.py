"""Names in a game folder (protocol 12.2, 17.16).

Files of a stranger are read if they are regular, of bounded size, and no links.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

GAME = "game.yaml"
IN_FORCE = "in-force.json"
"""In a stage folder: what amendments in its record left in force."""
STATE = "state.yaml"
ROSTER = "roster.json"
SCENARIO = "scenario.json"
"""The whole scenario, as its digest stands in the roster (protocol 17.34)."""
SIGNERS = "allowed_signers"
MODULE_LOCK = "module.lock"
STAGES = "stages"
INBOX = "inbox"
EARLY = "inbox/early"
JOINS = "inbox/joins"
LETTERS = "letters"
"""Letters to all, and private ones that were published after the game (protocol-letters 2.2, 2.6)."""
OUTBOX = "outbox"
OWN_LETTERS = "private/letters"
"""Letters with what one reader alone may know."""
RECEIPTS = "outbox/receipts"
"""Emails that tell senders what became of their statements; as ready to go as those beside them."""
DRAFTS = "outbox/drafts"
"""Emails that wait until their owner has looked at them."""
PRIVATE = "private"
PRESS = "private/press"
"""Private letters of the owner of the folder, with what opens them."""

PLAYER_LIMIT = 1 << 20
"""Bytes of a decoded statement by a player (protocol 5.3)."""
GM_LIMIT = 8 << 20
"""Bytes of a decoded statement by the GM (protocol 5.3)."""
BLOB_LIMIT = 8 << 20
"""Bytes of a sealed view: it came inside a statement of the GM."""
SIG_LIMIT = 4096
"""Characters of an armoured signature; 300 are needed."""
DERIVED_LIMIT = 64 << 20
"""Bytes of a file that is made anew and compared; it may be laid out for people."""
MAX_STAGES = 100_000
MOST_ENTRIES = 200_000
"""Names in one folder that are looked at: an archive of a stranger may hold any number (protocol 12.3)."""

MOST_LETTERS = 20_000
"""Letters of an archive that are read (protocol-letters 7)."""

MOST_STATEMENTS = 5_000
"""Statements in one stage that are read: each costs a signature to check."""

PARTY = r"[a-z][a-z0-9-]{0,15}"
_SID = r"[0-9a-f]{64}"
_STAGE_FILE = re.compile(
    rf"(?P<sid>{_SID})\.(?:(?P<json>json)|(?P<sig>sig)|(?P<co>{PARTY})(?P<new>\.new)?\.sig)"
)
_ROSTER_SIG = re.compile(rf"roster\.({PARTY})\.sig")
_VIEW_FILE = re.compile(rf"({PARTY})(?:\.([1-9][0-9]{{0,9}}))?\.bin")
_RENDERING = re.compile(rf"{PARTY}-[a-z]+-[1-9][0-9]{{0,9}}-[0-9a-f]{{8}}\.txt")
_BESIDE = (".git", ".gitattributes", ".gitignore", "orders", "README.md")
"""What people and git put beside an archive: git's own files, order files that were kept, a word about it."""
_IN_STAGE = re.compile(rf"{STAGES}/([0-9]{{4,10}})/({_SID})?")
_STAGE_DIR = re.compile(r"[0-9]{4,10}")


def is_sid(name: str) -> bool:
    """Return True if a name is the id of a statement."""
    return re.fullmatch(_SID, name) is not None


def stage_name(stage: int) -> str:
    """Return `stages/0012`; stages from 10000 on have as many digits as they need."""
    return f"{STAGES}/{stage:04d}"


def statement_name(stage: int, sid: str) -> str:
    """Return the name of a statement that came in time."""
    return f"{stage_name(stage)}/{sid}.json"


def signature_name(stage: int, sid: str, party: str | None = None) -> str:
    """Return the name of the signature by `from`, or with a party of a co-signature."""
    return f"{stage_name(stage)}/{sid}{'.' + party if party else ''}.sig"


def letter_name(sid: str) -> str:
    """Return the name of a letter that everybody may read."""
    return f"{LETTERS}/{sid}.json"


def view_name(stage: int, party: str, rev: int | None = None) -> str:
    """Return the name of a party's sealed view; with `rev` of one that a correction replaced."""
    return f"{stage_name(stage)}/views/{party}{f'.{rev}' if rev else ''}.bin"


def roster_signature_name(party: str) -> str:
    """Return the name of a party's signature under the roster."""
    return f"roster.{party}.sig"


@dataclass(frozen=True)
class StageFiles:
    """The names in one stage folder.

    `strange` are misplaced names, `renderings` statements in words, made for people.
    """

    statements: tuple[str, ...]
    signatures: frozenset[str]
    strange: tuple[str, ...]
    renderings: tuple[str, ...] = ()


def letter_sids(root: Path) -> tuple[list[str], list[str]]:
    """Return the ids of the letters that everybody may read, and the other names there."""
    sids, strange = [], []
    names = {entry.name: None for entry in entries(root / LETTERS)}
    for name in names:
        sid, _, ending = name.partition(".")
        if ending == "json" and is_sid(sid):
            sids.append(sid)
        elif not (ending == "sig" and f"{sid}.json" in names and is_sid(sid)):
            strange.append(name)
    return sids, strange


def entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield the entries of a folder by name; none if it is missing or a link.

    Raises Refused if there are more than any game could have.
    """
    if folder.is_symlink() or not folder.is_dir():
        return
    with os.scandir(folder) as listing:
        listed = list(islice(listing, MOST_ENTRIES + 1))
    if len(listed) > MOST_ENTRIES:
        raise odd_file(folder.name, Message("archive.folder.has-more-than-most-entries", most=MOST_ENTRIES))
    yield from sorted(listed, key=lambda entry: entry.name)


def as_written(data: bytes) -> bytes:
    """Return a text file as pbem wrote it, with its own line ends."""
    return data.replace(b"\r\n", b"\n")


def stage_numbers(root: Path) -> list[int]:
    """Return the numbers of the stage folders, ascending.

    Other names, links, numbers written in two ways and folders without a file are left out.
    """
    numbers = set()
    for entry in entries(root / STAGES):
        if _STAGE_DIR.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
            number = int(entry.name)
            if f"{number:04d}" == entry.name and holds_files(Path(entry.path)):
                numbers.add(number)
    return sorted(numbers)


def stages_with(root: Path, file: str) -> Iterator[int]:
    """Yield the stages whose folders have a file of this name, the newest first."""
    folder = os.path.join(root, STAGES)
    if os.path.islink(folder) or not os.path.isdir(folder):
        return
    numbers = (int(name) for name in os.listdir(folder) if _STAGE_DIR.fullmatch(name))
    for number in sorted(set(numbers), reverse=True):
        inside = os.path.join(root, stage_name(number))
        if os.path.isfile(os.path.join(inside, file)) and not os.path.islink(inside):
            yield number


def of_stage(name: str) -> tuple[int | None, str]:
    """Return a file's stage by its name, and the id of its statement ("" for none).

    The stage is None for files elsewhere.
    """
    match = _IN_STAGE.match(name)
    return (int(match[1]), match[2] or "") if match else (None, "")


def holds_files(folder: Path, deep: int = 1) -> bool:
    """Return True if a folder, or one of those in it, has anything but folders."""
    with os.scandir(folder) as listing:
        return any(
            deep > 0 and holds_files(Path(entry.path), deep - 1)
            if entry.is_dir(follow_symlinks=False)
            else True
            for entry in listing
        )


def stage_files(root: Path, stage: int) -> StageFiles:
    """Sort the names in a stage folder; reads nothing."""
    statements: list[str] = []
    signatures: set[str] = set()
    strange: list[str] = []
    renderings: list[str] = []
    for entry in entries(root / stage_name(stage)):
        match = _STAGE_FILE.fullmatch(entry.name)
        if match:
            if match["json"]:
                statements.append(match["sid"])
            else:
                signatures.add(entry.name)
        elif _RENDERING.fullmatch(entry.name):
            renderings.append(entry.name)
        elif entry.name not in ("record.json", "events.json", "report.txt", "views", IN_FORCE):
            strange.append(entry.name)
    return StageFiles(tuple(statements), frozenset(signatures), tuple(strange), tuple(renderings))


def signatures(root: Path, stage: int, sid: str) -> tuple[str, ...]:
    """Return all signatures beside a statement, that of its sender first; Refused for odd files."""
    own = signature_name(stage, sid)
    folder = stage_name(stage)
    beside = (
        f"{folder}/{name}" for name in sorted(stage_files(root, stage).signatures) if name.startswith(sid)
    )
    names = [own, *(name for name in beside if name != own)]
    files = (read(root, name, SIG_LIMIT) for name in names)
    return tuple(data.decode("ascii", "replace") for data in files if data is not None)


def roster_signers(root: Path) -> list[str]:
    """Return the parties with a roster signature in the folder, sorted."""
    matches = (_ROSTER_SIG.fullmatch(entry.name) for entry in entries(root))
    return sorted(match[1] for match in matches if match)


def view_files(root: Path, stage: int) -> list[tuple[str, int | None, str]]:
    """Return (party, rev or None, name) of the sealed views of a stage."""
    matches = ((_VIEW_FILE.fullmatch(e.name), e.name) for e in entries(root / stage_name(stage) / "views"))
    return [
        (m[1], int(m[2]) if m[2] else None, f"{stage_name(stage)}/views/{name}") for m, name in matches if m
    ]


def strange_views(root: Path, stage: int) -> list[str]:
    """Return misplaced names among the sealed views."""
    names = (entry.name for entry in entries(root / stage_name(stage) / "views"))
    return [name for name in names if not _VIEW_FILE.fullmatch(name)]


def strange_in_root(root: Path) -> list[str]:
    """Return misplaced names beside the stages, of an archive or a game folder."""
    known = {
        GAME,
        STATE,
        ROSTER,
        SCENARIO,
        SIGNERS,
        MODULE_LOCK,
        STAGES,
        LETTERS,
        INBOX,
        OUTBOX,
        PRIVATE,
        *_BESIDE,
    }
    names = (entry.name for entry in entries(root))
    return [name for name in names if name not in known and not _ROSTER_SIG.fullmatch(name)]


def read(root: Path, name: str, limit: int) -> bytes | None:
    """Return a regular file below `root`, or None if there is none.

    Raises Refused if a link leads to it or it is too big.

    No component below `root` may be a link, so a hostile archive cannot make us read another file (protocol
    12.3). An armoured signature comes with the line ends it was written with.
    """
    path = os.fspath(root)
    for part in name.split("/"):
        path = f"{path}{os.sep}{part}"
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        if stat.S_ISLNK(mode):
            raise odd_file(name, Message("archive.folder.is-link-only-regular-files-are-read"))
    if not stat.S_ISREG(mode):
        raise odd_file(name, Message("archive.folder.is-no-regular-file"))
    try:
        with open(path, "rb") as file:
            data = file.read(limit + 1)
    except OSError as fault:
        raise odd_file(name, Message("archive.folder.cannot-read", reason=fault.strerror)) from None
    if len(data) > limit:
        raise odd_file(name, Message("archive.folder.is-larger-than-limit-bytes-allowed", limit=limit))
    return as_written(data) if name.endswith(".sig") else data


def odd_file(name: str, why: str) -> Refused:
    """Return the refusal of a file."""
    return Refused(Diagnostic("odd-file", Message("archive.folder.odd-file", name=name, why=why)))
