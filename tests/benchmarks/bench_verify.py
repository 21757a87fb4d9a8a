"""`pbem verify` as a command, after `unseal`, beside the work that cannot be left out, and how it grows."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.verifying.findings import Notes
from pbem.archive.verifying.results import play_again
from pbem.archive.verifying.verify import read_evidence
from pbem.bot.answers import answer
from pbem.cli.games.table import Table
from pbem.engine.system import find
from pbem.stages.inputs import Setting
from pbem.stages.unseal_checks import openings_in
from pbem.text.writing import thrown_away
from tests.benchmarks.timing import growth, in_turn, play_stages, processor, row

PEER = "tests.benchmarks.bench_verify"


def game(root: Path, seed: int, most: int) -> Table:
    """A game of computers, unsealed at its end or after so many stages."""
    table = Table(root, find("victory"), "sarn_strait", seed=f"bench-{seed}", ahead=False)
    table.sit_down("Benchmark", options={"battle_mode": "interactive"})
    for seat in table.players:
        seat.brain = answer
    with thrown_away():
        play_stages(table, most)
        if table.gm.folder.progress.over:
            table.unseal()
        else:
            unseal(table.gm.folder, table.gm.signer, early=True)
    return table


def main(smoke: bool = False) -> None:
    points: list[tuple[float, float]] = []
    for seed in range(1 if smoke else 12):
        with tempfile.TemporaryDirectory() as scratch:
            table = game(Path(scratch), seed, 5 if smoke else 9999)
            root, stages = table.gm.root, table.gm.folder.stage
            peer = (sys.executable, "-m", PEER, str(root))
            total, least = in_turn(
                lambda root=root: processor(sys.executable, "-m", "pbem", "verify", where=root),
                lambda peer=peer: processor(*peer),
                1 if smoke else 3,
            )
            row(f"pbem verify of {stages} stages (goal for 100: 1.2 s)", total, least, "the least")
            row(f"  share of what no verifier spares: {100 * least / total:.0f} %; a stage", total / stages)
            points.append((stages, total))
        if points[-1][0] >= 100:
            break
    if len({size for size, _ in points}) > 1:
        print(f"  grows with the stages to the power of {growth(points):.2f}")


def unavoidable(root: Path) -> None:
    """What any verifier must do: read and check each statement, and adjudicate each stage once."""
    notes = Notes()
    found = read_evidence(root, None, notes)
    assert found is not None
    archive, _ = found
    opened = openings_in(archive.unseals, archive.find_any)
    setting = Setting(find("victory"), archive.roster)
    assert play_again(archive, setting, opened, lambda *_: None, notes) is not None, notes.findings


if __name__ == "__main__":
    if len(sys.argv) > 1 and Path(sys.argv[1]).is_dir():
        unavoidable(Path(sys.argv[1]))
    else:
        main("--smoke" in sys.argv)
