"""4.4, 4.9, 4.10: Lines in words are read as the orders that they mean: stacks, fuel, construction, fire,
attacks."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.game import Game
from pbem.rules import Part
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.actions import Action
from pbem.systems.ocs.rules.decisions.loop import Actions
from tests.unit.ocs.test_any_order import board


def read(game: Game, segment: str, *words: str) -> Action:
    """What the rules read in the words of a line, which must be legal."""
    draft = Actions("aster", segment, 1).draft(game)
    (found,) = SYSTEM.shorthand(draft, words)
    assert draft.faults(found.element) == []
    assert isinstance(found.element, Part)
    action: Action = found.element.value
    return action


@pytest.fixture
def tol() -> Game:
    return board("crossing_the_tol", "C", "aster")


@pytest.fixture
def guns() -> Game:
    game = board("crossing_the_tol", "F", "aster")
    game.position.move("A5-M", "07.06")
    return game


def test_a_stack_goes_by_the_cheapest_way_and_pays_fuel_only_if_it_needs_it(tol: Game) -> None:
    move = read(tol, "movement", "A5-1T", "A5-2T", "07.07").move
    assert move is not None and move.units == ("A5-1T", "A5-2T")
    assert move.path[-1] == "07.07" and move.fuel == "single"
    on_foot = read(tol, "movement", "A-31A", "A-41E", "07.07").move
    assert on_foot is not None and on_foot.path == ("07.07",) and on_foot.fuel is None


def test_a_place_stands_for_all_units_there(tol: Game) -> None:
    move = read(tol, "movement", "06.06", "07.07").move
    assert move is not None and move.units == ("A-31A", "A-41E") and move.path == ("07.07",)


def test_places_between_are_on_the_way(tol: Game) -> None:
    move = read(tol, "movement", "A-21", "06.06", "06.07").move
    assert move is not None and move.path == ("06.06", "06.07")


def test_fuel_is_for_a_formation_one_of_its_units_or_an_hq(tol: Game) -> None:
    for named in ("A5", "a5", "A5-M"):
        fuel = read(tol, "movement", "fuel", named).fuel
        assert fuel is not None and fuel.formation == "A5"
    hq = read(tol, "movement", "fuel", "A-HQ1").fuel
    assert hq is not None and hq.hq == "A-HQ1"


def test_construction_is_where_the_units_are(tol: Game) -> None:
    work = read(tol, "movement", "A-41E", "build", "hedgehog").build
    assert work is not None and (work.work, work.hex, work.reduce) == ("hedgehog", "06.06", False)


def test_fire_and_attacks_name_units_and_hex_in_any_order(guns: Game) -> None:
    fire = read(guns, "artillery", "A-31A", "fire", "08.06").fire
    assert fire is not None and fire.units == ("A-31A",) and fire.hex == "08.06"
    attack = read(guns, "combat", "attack", "08.06", "A-21", "A5-M").attack
    assert attack is not None and attack.units == ("A-21", "A5-M") and attack.hex == "08.06"


@pytest.mark.parametrize(
    "words",
    [
        ("A5-M",),
        ("A5-M", "A-21", "07.07"),
        ("fuel", "A9"),
        ("A5-M", "dances", "07.07"),
        ("A-31A", "fire", "attack", "08.06"),
        ("B-101", "07.07", "08.07"),
    ],
)
def test_what_is_no_such_line_is_not_guessed_at(tol: Game, words: tuple[str, ...]) -> None:
    """Nothing to do, units of two hexes, no formation, no verb, two verbs, an enemy."""
    draft: Any = Actions("aster", "movement", 1).draft(tol)
    assert SYSTEM.shorthand(draft, words) == []
