"""DATC as somebody else wrote it down: the cases of the Python package `diplomacy`, judged by our rules.

The package (extra `bench`) has a test class with every case of DATC 2.4. Here its game is ours: units and
orders go through our notation, check and procedures, and its own assertions look at what came of them.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.game import Game
from pbem.systems.diplomacy import SYSTEM
from pbem.systems.diplomacy.examples.computing import legal
from pbem.systems.diplomacy.rules.adjudication import Outcome, adjudicate
from pbem.systems.diplomacy.rules.atlas import Piece, written
from pbem.systems.diplomacy.rules.decisions import AdjustmentsAsked, MovesAsked, RetreatsAsked
from pbem.systems.diplomacy.rules.drafts import adjusting
from pbem.systems.diplomacy.rules.moving import Moving
from pbem.systems.diplomacy.rules.procedures import adjust, carry_out, retreat
from pbem.systems.diplomacy.rules.state import State, Unit, dislodged, pieces_of, standing
from pbem.systems.diplomacy.rules.world import world_of
from pbem.testing.runner import prepare

pytestmark = pytest.mark.filterwarnings("ignore")
DIFFERENT = {
    "6_a_5": "it orders the fleet in London twice, and DATC the one in the North Sea",
    "6_b_9": "it overlooks the coast that a support names; DATC prefers that the support then fails (R-8)",
    "6_j_4": "it puts an army into LIV, which is no province",
}
"""Cases of theirs that differ from DATC itself."""


def some(value: str | Iterable[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def unit_of(piece: Piece) -> str:
    return f"{piece.letter} {written(piece.node)}"


class Ours:
    """A game of ours with what the cases of the other program set, ask and look at."""

    def __init__(self, game: Game) -> None:
        self.game, self.phase_type = game, "M"
        self.lines: dict[str, list[str]] = {}
        self.failed: set[str] = set()  # units whose move failed
        self.refused: set[str] = set()
        self.helpers: set[str] = (
            set()
        )  # units that stayed: why their help was of no effect each calls otherwise
        self.dislodged: dict[str, str] = {}  # unit -> the province its attacker came from

    def add(self, power: str, texts: Iterable[str]) -> None:
        for text in texts:
            letter, node = text.split()
            place, _, coast = node.partition("/")
            type = "army" if letter == "A" else "fleet"
            id = f"U{len(self.game.position.ids())}"
            Unit.add(self.game, id, owner=power.lower(), type=type, hex=place, coast=coast)

    def lines_of(self, question: Any) -> Any:
        refused: list[str] = []
        lines = tuple(self.lines.get(question.player, ()))
        good = legal(self.game, question, lines, refused)
        self.refused |= {" ".join(line.split()[:2]) for line in refused}
        return good

    def process(self) -> None:
        self.failed, self.refused, self.helpers = set(), set(), set()
        {"M": self.move, "R": self.retreat, "A": self.adjust}[self.phase_type]()
        self.lines = {}

    def move(self) -> None:
        pieces = pieces_of(self.game)
        moving = Moving(world_of(self.game), pieces)
        asked = [MovesAsked(player) for player in self.game.players if standing(self.game, player)]
        found = [moving.order(line, one.player) for one in asked for line in self.lines_of(one)]
        outcome = adjudicate(world_of(self.game).atlas, pieces, {order.place: order for order in found})
        carry_out(self.game, outcome)
        moves = {place: one for place, one in outcome.verdicts.items() if one.order.verb == "move"}
        self.failed = {unit_of(pieces[place]) for place, one in moves.items() if not one.done}
        self.helpers = {unit_of(pieces[place]) for place in outcome.verdicts.keys() - moves.keys()}
        self.dislodged = {unit_of(pieces[place]): attacker(outcome, place) for place in outcome.dislodged}
        self.phase_type = "R" if self.dislodged else "M"

    def retreat(self) -> None:
        before = {unit_of(unit.piece): unit.id for unit in dislodged(self.game).values()}
        retreat(self.game, {player: self.lines_of(RetreatsAsked(player)) for player in self.game.players})
        there = {unit.id for unit in standing(self.game).values()}
        self.failed = {unit for unit, id in before.items() if id not in there}
        self.dislodged, self.phase_type = {}, "M"

    def adjust(self) -> None:
        for player in self.game.players:
            if adjusting(self.game, player).due:
                adjust(self.game, player, self.lines_of(AdjustmentsAsked(player)))
            else:
                self.refused |= {" ".join(line.split()[:2]) for line in self.lines.get(player, ())}


def attacker(outcome: Outcome, place: str) -> str:
    """Return the province that the unit came from which took a place."""
    return next(
        origin
        for origin, one in outcome.verdicts.items()
        if one.done and one.order.verb == "move" and one.order.to == place
    )


@pytest.fixture(scope="module")
def begun() -> Game:
    return prepare(SYSTEM, {"scenario": "standard"})


def cases() -> list[str]:
    """Return their cases without importing them, as every run of the tests collects this file."""
    found = importlib.util.find_spec("diplomacy")
    if found is None or found.origin is None:
        return []
    file = Path(found.origin).parent / "tests" / "test_datc.py"
    return re.findall(r"def test_(6_[a-k]_\d+)\(", file.read_text("utf-8"))


def judge(module: Any, begun: Game) -> Any:
    """Return their cases with our game."""
    known = {value: name for name, value in vars(module).items() if name.isupper()}

    def create_game() -> Ours:
        return Ours(begun.copy())

    def clear_units(ours: Ours) -> None:
        for id in ours.game.position.ids():
            ours.game.position.remove(id)

    def clear_centers(ours: Ours) -> None:
        State.of(ours.game).centres = {}

    def set_centers(ours: Ours, power: str, centres: str | list[str]) -> None:
        state = State.of(ours.game)
        state.centres = {**state.centres, **dict.fromkeys(some(centres), power.lower())}

    def set_orders(ours: Ours, power: str, lines: str | list[str]) -> None:
        ours.lines[power.lower()] = some(lines)

    def owner_name(ours: Ours, unit: str) -> str | None:
        here = {unit_of(one.piece): one.owner.upper() for one in standing(ours.game).values()}
        if "/" not in unit:
            here |= {name.partition("/")[0]: owner for name, owner in here.items()}
        return here.get(unit)

    def check_results(ours: Ours, unit: str, value: Any, phase: str = "M") -> bool:
        wanted = {known.get(one, "OK") for one in (value if isinstance(value, list) else [value])}
        if "DISLODGED" in wanted:
            return unit in ours.dislodged
        failed = unit in ours.failed | ours.refused
        return failed == (wanted != {"OK"}) or (unit in ours.helpers and not failed)

    return type("Judged", (module.TestDATC,), {
        "create_game": staticmethod(create_game),
        "clear_units": staticmethod(clear_units),
        "clear_centers": staticmethod(clear_centers),
        "set_units": staticmethod(lambda ours, power, units: ours.add(power, some(units))),
        "set_centers": staticmethod(set_centers),
        "set_orders": staticmethod(set_orders),
        "process": staticmethod(Ours.process),
        "owner_name": staticmethod(owner_name),
        "check_results": staticmethod(check_results),
        "move_to_phase": staticmethod(lambda ours, phase: setattr(ours, "phase_type", phase[-1])),
    })()  # fmt: skip


@pytest.mark.parametrize(
    "case", cases() or [pytest.param("none", marks=pytest.mark.skip("needs the extra `bench`"))]
)
def test_a_case_ends_as_somebody_else_wrote_it_down(begun: Game, case: str) -> None:
    theirs = importlib.import_module("diplomacy.tests.test_datc")
    run = getattr(judge(theirs, begun), f"test_{case}")
    if case not in DIFFERENT:
        return run()
    with pytest.raises((AssertionError, KeyError)):
        run()
