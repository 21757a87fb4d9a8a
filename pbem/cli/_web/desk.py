"""What the pages do in game folders: the same functions that the commands call."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.diagnostics import Diagnostic, PbemError, Refused

if TYPE_CHECKING:
    from pbem.archive import Folder

OUTGOING = (".eml", ".txt")


@dataclass(frozen=True)
class Desk:
    """The place where `pbem table` was started: the games there."""

    start: Path

    def games(self) -> dict[str, Path]:
        """The game folders, by a short name for addresses."""
        from pbem.cli._home import games

        return {_name(root): root for root in games(self.start)}

    def open(self, name: str, passphrase: str | None = None) -> Folder:
        """A game folder by its short name; Refused if there is none."""
        from pbem.archive import Folder

        root = self.games().get(name)
        if root is None:
            raise Refused(Diagnostic("no-game", "there is no such game here"))
        return Folder.open(root, lambda what: passphrase)

    def practice(self, system_name: str, seat: str) -> str:
        """Begin a game against the computer, or go back to it; its short name."""
        from pbem.cli._practice import begin, table_in
        from pbem.engine.system import find

        system = find(system_name)
        scenario = system.scenarios()[0]
        if seat not in system.players(system.scenario(scenario)):
            raise Refused(Diagnostic("unknown-seat", f"there is no seat '{seat}' in {scenario}"))
        root = self.start.absolute() / f"{system.name}-{seat}"
        there = table_in(root)
        if there is None:
            if root.exists() and any(root.iterdir()) and not (root / "table.json").is_file():
                raise Refused(Diagnostic("folder-in-use", f"{root} is not empty"))
            root.mkdir(parents=True, exist_ok=True)
            title = str(system.scenario(scenario).get("title") or system.title or system.name)
            there = begin(root, system, scenario, seat, dice="swift", title=title, name="You")
        self.play_on(there.folder)
        return _name(there.folder)

    def play_on(self, root: Path) -> int:
        """In a game against the computer let the others go on; gives the stages that were run."""
        from pbem.archive import Folder
        from pbem.cli._practice import play_on, practice_of

        found = practice_of(Folder.open(root))
        return play_on(found) if found is not None else 0


def _name(root: Path) -> str:
    return hashlib.sha256(str(root.absolute()).encode()).hexdigest()[:10]


@cache
def seats() -> dict[str, list[str]]:
    """Every installed system with the seats of its first scenario, for a game against the computer.

    A system of others that cannot be loaded keeps nobody from his games: it is not offered.
    """
    from pbem.engine.system import find, installed

    found: dict[str, list[str]] = {}
    for name in sorted(installed()):
        try:
            system = find(name)
            found[name] = list(system.players(system.scenario(system.scenarios()[0])))
        except (ImportError, PbemError):
            continue
    return found


def signer(folder: Folder, passphrase: str | None) -> Any:
    """Whoever signs for the owner of a folder; the passphrase is kept nowhere."""
    from pbem.cli._keys import folder_key, passphrase_is

    with passphrase_is(passphrase):
        return folder_key(folder, None)


def sign(folder: Folder, checked: Any, passphrase: str | None) -> list[str]:
    """Sign orders that were checked; the names of the files that are to be sent."""
    from pbem.archive import sign_orders

    files = sign_orders(folder, checked, signer(folder, passphrase))
    return [path.name for path in files if path.suffix in OUTGOING]


def take_in(folder: Folder, data: bytes, name: str) -> list[str]:
    """Take in a mail or a file; a line for each statement found, in the words of its receipt."""
    from pbem.archive import receive
    from pbem.cli._telling import renderer
    from pbem.mail.read import read_stream

    reading = read_stream(BytesIO(data), name)
    receipts = receive(folder, reading.signed, render=renderer(folder)) if reading.signed else []
    lines = [f"{one.outcome}: {one.words}" + (f" ({one.reason})" if one.reason else "") for one in receipts]
    return lines or ["nothing that was signed for a game was found"]


def letters(folder: Folder) -> list[str]:
    """The letters that lie ready, newest first, as mails to save or to open."""
    outbox = folder.root / "outbox"
    found = [path for path in outbox.glob("*.eml") if path.is_file() and not path.is_symlink()]
    return [path.name for path in sorted(found, key=lambda path: path.name, reverse=True)]


def letter(folder: Folder, name: str) -> bytes:
    """One of them; Refused for any other name."""
    if name not in letters(folder):
        raise Refused(Diagnostic("no-file", "there is no such letter"))
    return (folder.root / "outbox" / name).read_bytes()


def run_stage(folder: Folder, passphrase: str | None, by: str | None) -> list[str]:
    """Run the open stage as game master; what came of it, in words."""
    from pbem.archive import adjudicate
    from pbem.cli._telling import renderer

    done = adjudicate(folder, signer(folder, passphrase), by=by or None, render=renderer(folder))
    if done.done:
        return [f"stage {folder.stage} is done; the report lies in the outbox"]
    return ["the game waits: nothing was run"]


def verified(folder: Folder) -> tuple[bool, dict[str, list[str]]]:
    """What `pbem verify` finds: is it sound, and the findings by class."""
    from pbem.archive import verify
    from pbem.cli._telling import renderers
    from pbem.cli._verified import own_side

    found = verify(folder.root, None, None, own=own_side(folder.root), renderers=renderers)
    listed: dict[str, list[str]] = {}
    for one in found.findings:
        where = f"stage {one.stage}: " if one.stage is not None else ""
        listed.setdefault(one.kind, []).append(where + one.text)
    return found.ok, listed
