"""Locations in answers: those that are not on the map are refused before any rule looks at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.engine.answers import ScriptedSource
from pbem.engine.leaf import StageNotes
from pbem.engine.resolve import Resolver, faults_of
from pbem.model.codec import from_json
from pbem.model.located import strays
from pbem.rules import Decision, Draft, Game, Growing, HexNumber, LocationId, Next, Option, System, decision

CHART = GameMap.from_data({"terrain": ["..", ".."], "legend": {".": "land"}, "boxes": {"Harbour": None}})


@dataclass(frozen=True)
class Move:
    unit: str
    path: tuple[LocationId, ...] = ()
    base: LocationId | None = None
    aim: LocationId | Literal["any"] = "any"


@dataclass(frozen=True)
class Turn:
    moves: tuple[Move, ...] = ()
    stores: dict[LocationId, int] | None = None
    printed: HexNumber = "0101"


@pytest.mark.parametrize(
    ("kind", "data", "paths"),
    [
        (LocationId, "0101", []),
        (LocationId, "Harbour", []),
        (LocationId, "0301", [()]),
        (LocationId | None, None, []),
        (tuple[LocationId, ...], ["0101", "Harbor", "0102", "0909"], [(1,), (3,)]),
        (Move, {"unit": "a", "path": ["0101", "x"], "base": "y", "aim": "any"}, [("path", 1), ("base",)]),
        (Move, {"unit": "a", "aim": "every"}, [("aim",)]),
        (Turn, {"moves": [{"unit": "a"}, {"unit": "b", "path": ["x"]}]}, [("moves", 1, "path", 0)]),
        (Turn, {"stores": {"0101": 1, "Harbor": 2}}, [("stores", "Harbor")]),
        (Turn, {"printed": "9999"}, []),
    ],
)
def test_every_location_that_is_none_is_found_with_its_path(kind: Any, data: Any, paths: list[Any]) -> None:
    found = list(strays(kind, from_json(kind, data), CHART))
    assert [fault.path for fault in found] == paths
    assert all(fault.code == "unknown-location" for fault in found)


@decision("go", rule="1", answer=LocationId)
class Go(Decision[str]):
    """Where to?"""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield from (Option(game.map.number(i), "there") for i in game.map.locations)

    def default(self, game: Game) -> str:
        return "0101"

    def repair(self, game: Game, answer: str) -> str:
        raise AssertionError("rules look at locations of the map alone")

    def check(self, game: Game, answer: str) -> list[Any]:
        assert answer in game.map, "rules look at locations of the map alone"
        return []


@decision("march", rule="2", answer=tuple[Move, ...])
class March(Growing[tuple[Move, ...]]):
    """Who goes where?"""

    player: str

    def draft(self, game: Game) -> Draft[Move]:
        return Marching(game, self.player)


class Marching(Draft[Move]):
    def next(self, of: str | None = None) -> Iterator[Next[Move]]:
        yield Next(Move("a", ("0102",)), "a goes to 0102")

    def faults(self, element: Move) -> list[Any]:
        assert all(hex in self.game.map for hex in element.path), "rules look at locations of the map alone"
        return []

    def do(self, element: Move) -> None:
        return None

    def suppose(self, element: Move) -> None:
        assert not self.faults(element)

    def mend(self, element: Move) -> Move | None:
        assert not self.faults(element)
        return None

    def words(self, element: Move) -> str:
        return element.unit


@pytest.fixture
def game() -> Game:
    system = System("toy", __name__, "1", 1, [], map_hook=lambda world: world)
    return Game(system, {}, {}, ("ann",), Position(), world=CHART)


def test_an_answer_is_refused_with_the_location_that_was_meant(game: Game) -> None:
    (fault,) = faults_of(game, Go("ann"), "Harbor")
    assert (fault.code, fault.help) == ("unknown-location", ("did you mean Harbour?",))
    assert not faults_of(game, Go("ann"), "Harbour")


def test_of_a_growing_answer_the_elements_that_stay_on_the_map_are_kept(game: Game) -> None:
    answer = [{"unit": "a", "path": ["0102"]}, {"unit": "b", "path": ["0102", "0309"]}, {"unit": "c"}]
    march = March("ann")
    assert [fault.path for fault in faults_of(game, march, answer)] == [(1, "path", 1)]
    left = march.repair(game, from_json(march.answer, answer))
    assert [move.unit for move in left] == ["a", "c"]


def test_what_is_final_falls_to_the_default_where_it_names_no_location_and_is_not_made_of_elements(
    game: Game,
) -> None:
    notes = StageNotes()
    resolver = Resolver(game, ScriptedSource({}), notes)
    assert resolver.final(Go("ann"), "Harbor") == "0101"
    assert [(who, fault.code) for who, fault in notes.diagnostics] == [("ann", "unknown-location")]
    answer = [{"unit": "a", "path": ["0909"]}, {"unit": "b"}]
    assert resolver.final(March("ann"), answer) == [{"unit": "b"}]


def test_a_system_without_a_map_has_no_such_check() -> None:
    game = Game(System("bare", __name__, "1", 1, []), {}, {}, ("ann",), Position(), world=CHART)
    assert not faults_of(game, March("ann"), [])
    with pytest.raises(LookupError, match="map_hook"):
        _ = game.map
    assert faults_of(game, Go("ann"), "no id!")[0].code == "bad-pattern"
