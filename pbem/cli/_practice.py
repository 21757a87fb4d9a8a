"""A game on one computer: the owner of one seat plays, the computer plays the others and is the game master.

Keys, folders, statements, seals and dice are those of any game, and every command works in the folders;
only the mails are carried from folder to folder instead of through the post. What is going on stands in
the folders alone, so a game can be left at any moment and taken up again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from pbem.archive import Folder, StageResult
    from pbem.cli._table import Seat, Table
    from pbem.engine.system import System

NAME = "table.json"
KEPT, BACK, GONE = "before", "taking-back", "taken-back"
MOST_KEPT = 10
"""Answers that can be taken back, one after the other."""
Watch = Callable[["Practice", "StageResult"], None]


@dataclass
class Practice:
    """A table at which `you` is played by a person."""

    root: Path
    you: str
    scenario: str
    seats: list[str]
    dice: str = "swift"

    @property
    def folder(self) -> Path:
        """The game folder of the person."""
        return self.root / self.you

    def table(self, system: System) -> Table:
        """The seats as their folders have them."""
        from pbem.archive import GM
        from pbem.cli._table import KEY, Seat, Table
        from pbem.trust.keys import FileSigner

        seats: dict[str, Seat] = {}
        for party in self.seats:
            root = self.root / party
            seat = Seat(party, party, root, FileSigner.load((root / KEY).read_bytes()))
            if party not in (self.you, GM):
                seat.standing = system.standing_well(party)
                seat.filed = any(root.glob(f"outbox/stage-*-{party}-orders-*"))
            seats[party] = seat
        mails = len(list((self.root / "mails").glob("*")))
        return Table(self.root, system, self.scenario, seats=seats, mails=mails, dice=self.dice)


def practice_of(folder: Folder) -> Practice | None:
    """The table that a folder belongs to as the person's; None for a game by mail."""
    found = table_in(folder.root.parent)
    return found if found is not None and found.folder == folder.root else None


def table_in(root: Path) -> Practice | None:
    """The table whose folder this is; None if it is none, or was not finished."""
    data = _data(root)
    if data is None or not data.get("ready"):
        return None
    if (root / BACK).is_dir():
        _finish(root)
    return Practice(root, data["you"], data["scenario"], data["seats"], data["dice"])


# ---- taking back ---------------------------------------------------------------------------------------


def keep(folder: Folder) -> None:
    """Put a table aside as it is, before its owner signs and the others act on it. A folder that is at no
    table stays as it is."""
    practice = practice_of(folder)
    if practice is None:
        return
    before = practice.root / KEPT
    before.mkdir(mode=0o700, exist_ok=True)
    kept = _kept(practice.root)
    goal = before / f"{int(kept[-1].name) + 1 if kept else 1:05d}"
    making = before / f"{goal.name}.tmp"
    shutil.rmtree(making, ignore_errors=True)
    for name in (*practice.seats, "mails"):
        if (practice.root / name).is_dir():
            shutil.copytree(practice.root / name, making / name)
    making.rename(goal)
    for old in _kept(practice.root)[:-MOST_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def can_take_back(practice: Practice) -> bool:
    """Is there an answer that can be taken back?"""
    return bool(_kept(practice.root))


def take_back(practice: Practice) -> None:
    """Bring the table back to where its owner signed last: his draft, the others, the dice not yet rolled.

    Cut short, it is finished by whoever opens the table next.
    """
    kept = _kept(practice.root)
    assert kept, "something was put aside"
    kept[-1].rename(practice.root / BACK)
    _finish(practice.root)


def _kept(root: Path) -> list[Path]:
    return sorted(path for path in (root / KEPT).glob("*") if path.name.isdigit() and path.is_dir())


def _finish(root: Path) -> None:
    """Put what was kept in place, folder by folder."""
    gone = root / GONE
    for path in sorted((root / BACK).iterdir()):
        shutil.rmtree(gone, ignore_errors=True)
        if (root / path.name).exists():
            (root / path.name).rename(gone)
        path.rename(root / path.name)
    shutil.rmtree(gone, ignore_errors=True)
    (root / BACK).rmdir()


def _data(root: Path) -> dict[str, Any] | None:
    path = root / NAME
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_bytes())
    except ValueError:
        return None
    known = isinstance(data, dict) and {"you", "scenario", "seats", "dice"} <= set(data)
    return data if known else None


def begin(
    root: Path, system: System, scenario: str, you: str, *, dice: str, title: str, name: str
) -> Practice:
    """Lay a table: keys and folders, invitation, roster, the first report."""
    from pbem.archive import GM
    from pbem.cli._table import Table

    players = system.players(system.scenario(scenario))
    left = _data(root)
    if left is not None and not left.get("ready"):  # a run before was cut short; nothing has begun there
        for party in (*left["seats"], "mails"):
            shutil.rmtree(root / party, ignore_errors=True)
    _note(root, Practice(root, you, scenario, [GM, *players], dice), ready=False)
    table = Table(root, system, scenario, dice=dice)
    table.sit_down(title, people={you: name})
    done = Practice(root, you, scenario, list(table.seats), dice)
    _note(root, done, ready=True)
    return done


def _note(root: Path, table: Practice, *, ready: bool) -> None:
    from pbem.text.writing import write_all

    data = {
        "about": "a game on one computer: `pbem next` here plays on",
        "you": table.you,
        "scenario": table.scenario,
        "seats": table.seats,
        "dice": table.dice,
        "ready": ready,
    }
    write_all({root / NAME: (json.dumps(data, indent=2) + "\n").encode()})


def play_on(practice: Practice, watch: Watch | None = None) -> int:
    """Carry the mails, let the others answer and the stages run, until the person is asked or the game is
    over. Gives the number of stages that were run."""
    from pbem.archive import Folder, unsealed

    table = practice.table(Folder.open(practice.folder).system)
    _carry(table)
    count = 0
    while True:
        folder = table.gm.folder
        if folder.line.over:
            if not unsealed(folder):
                table.unseal()
            return count
        asked = folder.line.asked
        if practice.you in asked and not _answered(table.seats[practice.you]):
            return count
        for party in asked:
            if party != practice.you and not _answered(table.seats[party]):
                table.answer(table.seats[party])
        _carry(table, always=True)
        done = table.adjudicate()
        count += 1
        if watch is not None and done.run is not None:
            watch(practice, done)


def _answered(seat: Seat) -> bool:
    """Has he signed orders for the open stage?"""
    folder = seat.folder
    return any(one.sender == seat.id for one in folder.of(folder.line.open_stage, "order"))


def _carry(table: Table, *, always: bool = False) -> None:
    """Every letter that somebody lacks goes to him: also what was left lying when a run was cut short.

    Without `always` only where the folders stand at different stages.
    """
    from pbem.archive import receive
    from pbem.cli._telling import renderer
    from pbem.mail.read import read_path

    stages = {party: seat.folder.stage for party, seat in table.seats.items()}
    if len(set(stages.values())) == 1 and not always:
        return
    for party, seat in table.seats.items():
        letters = [
            path
            for other in table.seats.values()
            if other is not seat
            for path in sorted((other.root / "outbox").glob("stage-*.eml"))
            if _stage(path) > stages[party]
        ]
        folder = seat.folder
        found = [signed for path in letters for signed in read_path(path).signed]
        if found:
            receive(folder, found, render=renderer(folder))


def _stage(path: Path) -> int:
    number = path.name.split("-")[1]
    return int(number) if number.isdigit() else -1
