"""Games by email of `diplomacy` that end as their players voted, for a league of many."""

from __future__ import annotations

import random
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.setting_up import before_the_game
from pbem.archive.setting_up.before_the_game import Person
from pbem.engine.resolve import Question
from pbem.engine.system import find
from pbem.text.writing import thrown_away
from tests.unit.archive.table import Seat, Table, signer_of

SEATS = ("aldar", "brenn", "corva")
PLAYERS = tuple(f"{name} {number}" for name in ("Ann", "Bob", "Cem", "Dora") for number in (1, 2, 3))


@dataclass(frozen=True)
class Ended:
    """The end of a game of the league, as its players agreed: who held which seat, and the seats in front."""

    people: dict[str, str]
    best: tuple[str, ...]


class Votes(Table):
    """Three people who make a few moves and then agree on how the game ends, by their votes."""

    def __init__(self, root: Path, people: dict[str, str]) -> None:
        self.system = find("diplomacy")
        self.gm, self.sent = Seat(root / "gm", "gm"), []
        self.players = {seat: Seat(root / seat, seat) for seat in SEATS}
        terms: dict[str, Any] = {"title": root.name, "chain_length": 64}
        before_the_game.new_game(self.gm.root, self.system, "three_shores", self.gm.person, **terms)
        (invitation,) = (self.gm.root / "outbox").glob("*.pbem-invitation")
        found = before_the_game.read_invitation(invitation.read_bytes())
        for name, seat in self.players.items():
            seat.signer = signer_of(people[name])
            person = Person(people[name], f"{name}@example.org", seat.signer)
            before_the_game.join(seat.root, found, name, person)

    def end(self, best: tuple[str, ...], moves: int) -> None:
        """Let so many stages pass, then vote; two or more in front mean a draw of all."""

        def choose(seat: Seat, question: Question) -> Any:
            if moves > self.progress.stage or "moves" not in question.key:
                return {"orders": []}
            if len(best) == 1 and seat.name != best[0]:
                return {"orders": [], "vote": best[0]}
            return {"orders": [], "vote": "draw"} if len(best) > 1 else {"orders": []}

        while not self.progress.over:
            self.play_stage(choose)
        unseal(self.gm.folder, self.gm.signer)


def games(root: Path, count: int, seed: str = "league") -> list[Ended]:
    """Play so many games; their archives are in `root`, the first first."""
    rng, told = random.Random(seed), []
    with thrown_away(), tempfile.TemporaryDirectory() as scratch:
        for number in range(count):
            people = dict(zip(SEATS, rng.sample(PLAYERS, 3), strict=True))
            best = SEATS if rng.random() < 0.3 else (rng.choice(SEATS),)
            table = Votes(Path(scratch) / f"game {number}", people)
            table.start()
            table.end(best, rng.randrange(2))
            shutil.move(table.gm.root, root / f"game-{number:03d}")
            told.append(Ended(people, best))
    return told
