"""Makes `sample_games/victory-sarn-strait`: `python -m tests.tools.make_sample`.

A whole game of three sensible players over four game turns, by mail, signed with the published keys of
`tests/data/keys`, unsealed at the end. What is kept is the GM's archive as it would be pushed to a public
git host: no private side, no outbox; and beside it `orders/`, what each player ordered.

The game is played from these order files. The roster names the files of the rules and every seed hangs
on the roster, so after a change of the rules the dice fall otherwise: what was ordered counts where it is
asked and still legal, for the rest the sensible player thinks anew, and the order files follow. Without
them, and where a game is over before its fourth game turn, another game is played.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pbem.archive.verify import verify
from pbem.cli._table import Table
from pbem.engine.system import find
from pbem.text.canonical import Json
from pbem.text.flow import flow
from pbem.text.loading import load_data

ROOT = Path(__file__).parents[2]
KEYS = ROOT / "tests/data/keys"
SAMPLE = ROOT / "sample_games/victory-sarn-strait"
ORDERS = SAMPLE / "orders"
SCENARIO, TURNS, MOST_TRIES = "sarn_strait", 4, 20
PARTIES = {"gm": "Gwen Example", "red": "Rosa Example", "blue": "Bert Example", "green": "Gisela Example"}
LEFT_OUT = ("private", "outbox", "inbox")
STANDING: Mapping[str, list[Json]] = {
    "red": [
        {"doctrine": {"rules": [{"when": {"role": "defender", "own_le_enemy": [1, 3]}, "do": "retreat"}]}},
        {"pass_if": {"su_steps_at_most": 2}},
    ],
    "blue": [{"air_response": {"min_attackers": 2, "keep_home": 1}}, {"pass_if": {"su_steps_at_most": 2}}],
    "green": [{"pass_if": {"su_steps_at_most": 2}}],
}


def ordered() -> dict[str, dict[str, Json]]:
    """The answers in the order files, by party and question."""
    files = {party: ORDERS / f"{party}.yaml" for party in PARTIES}
    return {
        party: load_data(path.read_bytes(), path.name)["answers"]
        for party, path in files.items()
        if path.is_file()
    }


def write_orders(table: Table) -> None:
    """The order files of the game that was played."""
    ORDERS.mkdir()
    for seat in table.players:
        lines = [f"# What {seat.id} ordered, by question; see tests/tools/make_sample.py.", "answers:"]
        lines += [f"  {key}: {flow(answer)}" for key, answer in seat.given.items()]
        (ORDERS / f"{seat.id}.yaml").write_text("\n".join(lines) + "\n", "utf-8")


def play(root: Path, seed: str, answers: Mapping[str, Mapping[str, Json]]) -> Table | None:
    """One game; None if it is over before its last game turn."""
    table = Table(root, find("victory"), SCENARIO, seed)
    keys = {party: (KEYS / party).read_bytes() for party in PARTIES}
    table.sit_down("The Sarn Strait", keys, PARTIES)
    for party, orders in STANDING.items():
        table.seats[party].standing = orders
        table.seats[party].written = answers.get(party, {})
    table.play(TURNS)
    reached = table.gm.folder.state().position.tracks["turn"]
    print(
        f"{seed}: over in game turn {reached}, {table.gm.folder.stage} stages, {table.mails} mails",
        flush=True,
    )
    if reached != TURNS:
        return None
    table.unseal()
    return table


def publish(table: Table, to: Path) -> None:
    """Copy what is public of the GM's folder, in place of what was there."""
    if to.exists():
        shutil.rmtree(to)
    shutil.copytree(table.gm.root, to, ignore=shutil.ignore_patterns(*LEFT_OUT))


def main() -> int:
    """Play until a game has all its turns, check it, put it in place."""
    answers: Mapping[str, Mapping[str, Json]] = ordered()
    for number in range(1, MOST_TRIES + 1):
        with tempfile.TemporaryDirectory() as folder:
            table = play(Path(folder), f"sample-{number}", answers)
            if table is None:
                answers = {}
                continue
            publish(table, SAMPLE)
            write_orders(table)
            kept = sum(answers.get(s.id, {}).get(k) == a for s in table.players for k, a in s.given.items())
            print(
                f"{kept} of {sum(len(s.given) for s in table.players)} answers are those of the order files"
            )
            checked = verify(SAMPLE, table.gm.folder.need_roster().game)
            for finding in checked.findings:
                print(finding)
            print(f"{SAMPLE.relative_to(ROOT)}: {'sound' if checked.ok else 'NOT SOUND'}")
            return 0 if checked.ok else 1
    print(f"no game of {TURNS} game turns in {MOST_TRIES} tries", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
