"""Makes the sample games: `python -m tests.tools.make_sample [--reports] [SYSTEM]`, all without a system.

Each is a whole game of sensible players, by mail, signed with the published keys of `tests/data/keys`,
unsealed at the end. What is kept is the archive as it would be pushed to a public git host: no private
side, no outbox; and beside it `orders/`, what each player ordered.

A game is played from these order files. The roster names the files of the rules and every seed hangs on
the roster, so after a change of the rules the dice fall otherwise: what was ordered counts where it is
asked and still legal, for the rest the sensible player thinks anew, and the order files follow. Without
them, and where a game is over before its last game turn, another game is played.

With `--reports` no game is played: only the public reports of those that are there, which nobody has signed,
are told anew in the words of today.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.archive.verifying.verify import verify
from pbem.cli.games.table import Table
from pbem.cli.games.telling import renderer, renderers
from pbem.engine.system import find
from pbem.model.events import Told
from pbem.stages.views import PlayerView
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.flow import flow
from pbem.text.loading import load_data

ROOT = Path(__file__).parents[2]
KEYS = ROOT / "tests/data/keys"
MOST_TRIES = 20
LEFT_OUT = ("private", "outbox", "inbox", ".gitignore")  # which would keep `orders/` out of git
Answers = Mapping[str, Mapping[str, Json]]


@dataclass(frozen=True)
class Sample:
    """A sample game: which rules, who plays, for how many game turns, of which the first is `first_turn` on
    its track. `keys` names the key files of parties that have none of their own name, `days` is how long
    everybody has for an answer, `shows` the kinds of events that it is to have at least."""

    system: str
    scenario: str
    title: str
    turns: int
    turn_track: str
    people: Mapping[str, str]
    dice: str = "swift"
    days: int = 3
    first_turn: int = 1
    keys: Mapping[str, str] = field(default_factory=dict)
    standing: Mapping[str, list[Json]] = field(default_factory=dict)
    shows: frozenset[str] = frozenset()

    @property
    def folder(self) -> Path:
        return ROOT / "sample_games" / f"{self.system}-{self.scenario.replace('_', '-')}"

    @property
    def orders(self) -> Path:
        return self.folder / "orders"

    def key(self, party: str) -> bytes:
        return (KEYS / self.keys.get(party, party)).read_bytes()


SARN_STRAIT = Sample(
    "victory",
    "sarn_strait",
    "The Sarn Strait",
    turns=4,
    turn_track="turn",
    people={"gm": "Gwen Example", "red": "Rosa Example", "blue": "Bert Example", "green": "Gisela Example"},
    standing={
        "red": [
            {
                "doctrine": {
                    "rules": [{"when": {"role": "defender", "own_le_enemy": [1, 3]}, "do": "retreat"}]
                }
            },
            {"air_response": {"keep_home": 1}},
            {"pass_if": {"su_steps_at_most": 2}},
        ],
        "blue": [
            {"air_response": {"min_attackers": 2, "keep_home": 1}},
            {"air_response": {"keep_home": 2}},
            {"pass_if": {"su_steps_at_most": 2}},
        ],
        "green": [{"air_response": {"keep_home": 1}}, {"pass_if": {"su_steps_at_most": 2}}],
    },
    shows=frozenset(
        ("bids-revealed", "battle-began", "blocks-responded", "supply-unit-revealed", "blocks-built")
    ),
)
MARL_CROSSINGS = Sample(
    "wbts",
    "marl_crossings",
    "The Marl Crossings",
    turns=4,
    turn_track="gt",
    people={"north": "Nora Example", "south": "Saul Example"},
    dice="pair",
    keys={"north": "blue", "south": "red"},
    standing={side: find("wbts").standing_well(side) for side in ("north", "south")},
    shows=frozenset(
        ("activated", "leader-tried", "battle-began", "combat-rolled", "losses-taken", "supply-tested")
    ),
)
LODESTAR = Sample(
    "totaler-krieg",
    "lodestar",
    "Lodestar",
    turns=4,
    turn_track="turn",
    people={
        "gm": "Gwen Example",
        "axis": "Anna Example",
        "western": "Wim Example",
        "soviet": "Sonja Example",
    },
    keys={"axis": "red", "western": "blue", "soviet": "green"},
    standing={power: find("totaler-krieg").standing_well(power) for power in ("axis", "western", "soviet")},
)
NARROW_SEA = Sample(
    "wif",
    "narrow_sea_1943",
    "Narrow Sea 1943",
    turns=4,
    turn_track="turn",
    people={"gm": "Gwen Example", "allied": "Alma Example", "axis": "Anton Example"},
    keys={"allied": "blue", "axis": "red"},
    standing={side: find("wif").standing_well(side) for side in ("allied", "axis")},
)
CROSSING_THE_TOL = Sample(
    "ocs",
    "crossing_the_tol",
    "Crossing the Tol",
    turns=4,
    turn_track="turn",
    people={"gm": "Gwen Example", "aster": "Ada Example", "bren": "Bruno Example"},
    keys={"aster": "red", "bren": "blue"},
    standing={side: find("ocs").standing_well(side) for side in ("aster", "bren")},
)
THREE_SHORES = Sample(
    "diplomacy",
    "three_shores",
    "Three Shores",
    turns=3,
    turn_track="year",
    people={"gm": "Gwen Example", "aldar": "Alma Example", "brenn": "Bruno Example", "corva": "Cora Example"},
    first_turn=1901,
    keys={"aldar": "red", "brenn": "blue", "corva": "green"},
    shows=frozenset(("supported", "convoyed", "dislodged", "retreated", "disbanded", "built", "won")),
)
SAMPLES = {
    sample.system: sample
    for sample in (SARN_STRAIT, MARL_CROSSINGS, LODESTAR, NARROW_SEA, CROSSING_THE_TOL, THREE_SHORES)
}


def ordered(sample: Sample) -> dict[str, dict[str, Json]]:
    """Return the answers in the order files, by party and question."""
    files = {party: sample.orders / f"{party}.yaml" for party in sample.people}
    return {
        party: load_data(path.read_bytes(), path.name)["answers"]
        for party, path in files.items()
        if path.is_file()
    }


def write_orders(sample: Sample, table: Table) -> None:
    """Write the order files of the game that was played."""
    sample.orders.mkdir()
    for seat in table.players:
        lines = [f"# What {seat.id} ordered, by question; see tests/tools/make_sample.py.", "answers:"]
        lines += [f"  {key}: {flow(answer)}" for key, answer in seat.given.items()]
        (sample.orders / f"{seat.id}.yaml").write_text("\n".join(lines) + "\n", "utf-8")


def play(sample: Sample, root: Path, seed: str, answers: Answers) -> Table | None:
    """Play one game; return None if it ends before its last game turn, or shows too little."""
    table = Table(root, find(sample.system), sample.scenario, seed, dice=sample.dice, days=sample.days)
    keys = {party: sample.key(party) for party in sample.people}
    table.sit_down(sample.title, keys, sample.people)
    for seat in table.players:
        seat.standing = list(sample.standing.get(seat.id, []))
        seat.written = answers.get(seat.id, {})
    table.play(sample.turns)
    track = table.gm.folder.state().position.tracks[sample.turn_track]
    reached = narrow.number(track) - sample.first_turn + 1
    print(
        f"{seed}: over in game turn {reached}, {table.gm.folder.stage} stages, {table.mails} mails",
        flush=True,
    )
    told = {str(event["event"]) for n in range(1, table.gm.folder.stage + 1) for event in _told(table, n)}
    if reached != sample.turns or not told >= sample.shows:
        return None
    table.unseal()
    return table


def _told(table: Table, stage: int) -> list[dict[str, Json]]:
    """Return the public events of a stage."""
    return [narrow.mapping(event) for event in table.gm.folder.events(stage)]


def publish(table: Table, to: Path) -> None:
    """Copy what is public of the GM's folder, in place of what was there."""
    if to.exists():
        shutil.rmtree(to)
    shutil.copytree(table.gm.root, to, ignore=shutil.ignore_patterns(*LEFT_OUT))


def make(sample: Sample) -> int:
    """Play until a game has all its turns, check it, put it in place."""
    answers: Answers = ordered(sample)
    for number in range(1, MOST_TRIES + 1):
        with tempfile.TemporaryDirectory() as folder:
            table = play(sample, Path(folder), f"sample-{number}", answers)
            if table is None:
                answers = {}
                continue
            publish(table, sample.folder)
            write_orders(sample, table)
            kept = sum(answers.get(s.id, {}).get(k) == a for s in table.players for k, a in s.given.items())
            print(
                f"{kept} of {sum(len(s.given) for s in table.players)} answers are those of the order files"
            )
            return check(sample)
    print(f"no game of {sample.turns} game turns in {MOST_TRIES} tries", file=sys.stderr)
    return 1


def check(sample: Sample) -> int:
    """Verify a sample game, its reports too, and say what was found."""
    checked = verify(sample.folder, renderers=renderers)
    for finding in checked.findings:
        print(finding)
    print(f"{sample.folder.relative_to(ROOT)}: {'sound' if checked.ok else 'NOT SOUND'}")
    return 0 if checked.ok else 1


def retell(sample: Sample) -> int:
    """Write the public report of each stage as it is told by the words that are installed."""
    render, texts = renderer(), dict[str, str]()

    def tell(reader: str | None, told: Sequence[Told], view: PlayerView, facts: Mapping[str, Any]) -> str:
        texts[f"{facts['stage']:04}"] = text = render(reader, told, view, facts)
        return text

    verify(sample.folder, renderers=lambda: [tell])
    for stage, text in texts.items():
        (sample.folder / "stages" / stage / "report.txt").write_text(text, "utf-8")
    return check(sample)


def main(arguments: list[str]) -> int:
    """Make the samples of these systems, or all; with `--reports` tell them anew."""
    names = [name for name in arguments if name != "--reports"]
    do = make if names == arguments else retell
    return max([do(SAMPLES[name]) for name in names or SAMPLES])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
