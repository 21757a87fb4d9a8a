"""Makes games in mid-game as the installed revision writes them: `python -m tests.tools.make_old_games FILE`.

Done once for each revision whose games are kept in `tests/fixtures`; the file is never made
anew. It holds two games of the primer kept beside it, one that hides nothing and one with hidden units: the
folders of the GM and both players, private sides included, two stages played; north has answered the third
and their email is still under way.
"""

from __future__ import annotations

import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from pbem.engine import system as systems
from pbem.engine.system import System
from tests.fixtures.foundation.primer import FOG, SYSTEM
from tests.unit.archive.table import Table, chooser

SEATS = ["north", "south"]
STAGES = 2


def write_game(root: Path, system: System) -> None:
    """Play one game with its folders below `root`."""
    systems.find = lambda name: {SYSTEM.name: SYSTEM, FOG.name: FOG}[name]
    table = Table(root, system, "ford", SEATS, chain_length=64)
    table.start()
    for _ in range(STAGES):
        table.play_stage(chooser(7))
    north = table.players["north"]
    if north not in table.asked():
        raise SystemExit("north is not asked where the game stops; choose another number of stages")
    north.answer_all(chooser(7))


def main(file: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for system in (SYSTEM, FOG):
            write_game(Path(scratch) / system.name, system)
        for lock in Path(scratch).rglob("private/lock"):
            lock.unlink()
        with tarfile.open(file, "w:xz") as archive:
            for name in sorted(one.name for one in Path(scratch).iterdir()):
                archive.add(Path(scratch) / name, name, filter=_plain)
        shutil.rmtree(scratch, ignore_errors=True)


def _plain(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """Remove names and times."""
    info.uid = info.gid = info.mtime = 0
    info.uname = info.gname = ""
    return info


if __name__ == "__main__":
    main(Path(sys.argv[1]))
