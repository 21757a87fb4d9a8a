"""`verify` of a long game, after `unseal`, beside the work that cannot be left out."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pbem.archive.verifying.verify import verify
from pbem.bot.answers import answer
from pbem.cli._table import Table
from pbem.engine.adjudicate import start
from pbem.engine.system import find
from pbem.trust import sshsig
from tests.benchmarks.timing import best, row


def game(root: Path, stages: int, turns: int, mode: str) -> Table:
    """A random game of at least so many stages; interactive battles ask often. Unsealed if it ended."""
    system = find("victory")
    for attempt in range(50):
        here = root / f"game-{attempt}"
        here.mkdir()
        table = Table(here, system, "sarn_strait", seed=f"bench-{attempt}", ahead=False)
        table.sit_down("Benchmark", options={"battle_mode": mode})
        for seat in table.players:
            seat.brain = answer
        if table.play(turns):
            table.unseal()
        if table.gm.folder.stage >= stages:
            return table
    raise AssertionError("no game was long enough")


def main(smoke: bool = False) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        size = (1, 1, "doctrine") if smoke else (100, 99, "interactive")
        table = game(Path(scratch), *size)
        root = table.gm.root
        stages = table.gm.folder.stage
        checked = verify(root)
        assert checked.ok, checked
        total = best(lambda: verify(root), 1 if smoke else 3)
        row(f"verify of {stages} stages (goal for 100: 5 s)", total)
        signatures = best(lambda: check_signatures(root), 1 if smoke else 3)
        row("  of this: Ed25519 checks of its statements alone", signatures)
        system = find("victory")
        row("  of this: setting the game up once", best(lambda: start(system, "sarn_strait"), 1))
        row(f"  per stage: {1000 * total / stages:.1f} ms", total / stages)


def check_signatures(root: Path) -> None:
    """What any verifier must do at least."""
    for path in sorted(root.glob("stages/*/*.json")):
        if len(path.stem) == 64:
            armour = path.with_suffix(".sig").read_text()
            public, _ = sshsig.decode(armour)
            sshsig.verify(public, armour, path.read_bytes())


if __name__ == "__main__":
    main()
