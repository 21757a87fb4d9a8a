"""What the computer prefers where one answer is clearly best: units kept, retreats, disbands, votes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.bot.answers import clever
from pbem.engine.game import Game
from pbem.rules import Json
from pbem.systems.diplomacy import SYSTEM
from pbem.systems.diplomacy.bot.searching import CENTRE, Search
from pbem.systems.diplomacy.bot.wishes import Wishes
from pbem.systems.diplomacy.rules.world import world_of
from pbem.testing.runner import prepare

AROUND = ("BOH", "TYR", "SIL", "BER", "KIE", "RUH", "BUR")
"""What borders on Munich."""


def board(units: dict[str, str], year: int = 1902, season: str = "fall", **tracks: Any) -> Game:
    """Return a board with these units and no others; all centres but Munich and Paris are Germany's."""
    standard = prepare(SYSTEM, {"scenario": "standard"})
    held = dict.fromkeys(world_of(standard).atlas.centres, "germany") | {"MUN": "france", "PAR": "france"}
    counters: dict[str, Any] = {}
    for id, hex in units.items():
        owner = {"FR": "france", "GE": "germany"}[id[:2]]
        counters[id] = {"owner": owner, "type": "army", "hex": hex}
    given = {
        "scenario": "standard",
        "only": [id for id in counters if id in standard.position.counters],
        "counters": counters,
        "tracks": {"year": year, "season": season, "centres": held, **tracks},
    }
    return prepare(SYSTEM, given)


def answer(game: Game, kind: str, player: str) -> Json:
    return clever(game, SYSTEM.decision(kind, player, {}), random.Random(1))


def standing_still(*enemies: str) -> int:
    """Return what it is worth to a French army in Munich to hold, with German armies around it."""
    game = board({"FR2": "MUN", **{f"GE{n}": hex for n, hex in enumerate(enemies, 1)}})
    game.tracks["centres"] = {**game.tracks["centres"], "PAR": "germany"}
    return Search(game, Wishes(game, "france"), 100).worth({})


def test_a_unit_without_a_retreat_is_a_greater_loss_than_one_that_can_go() -> None:
    assert standing_still(*AROUND) < standing_still(*AROUND[1:])


def test_a_dislodged_unit_holds_no_centre_any_more() -> None:
    """Alone it would hold; two armies drive it out, as one of two guesses says; it counts double."""
    assert standing_still("BER") - standing_still("BER", "KIE") > 2 * CENTRE


def test_two_dislodged_units_go_to_two_provinces() -> None:
    game = board(
        {"FR2": "BUR", "FR3": "GAS"}, retreats={"FR2": ["PAR", "MAR"], "FR3": ["BRE", "MAR"]}, season="fall"
    )
    for id in ("FR2", "FR3"):
        game.position.set(id, dislodged=True)
    lines: Any = answer(game, "retreats", "france")
    assert len(lines) == 2 and len({line.split()[-1] for line in lines}) == 2


def test_who_must_disband_gives_up_the_unit_farthest_from_what_it_wants() -> None:
    game = board({"FR2": "BUR", "FR3": "SPA", "FR4": "MUN"}, season="winter")
    lines: Any = answer(game, "adjustments", "france")
    assert len(lines) == 1 and "SPA" not in lines[0], "the one that is in a centre of another's stays"


@pytest.mark.parametrize(
    ("year", "budget", "leads", "votes"),
    [
        (1903, 0, False, False),
        (1904, 0, False, True),
        (1904, 1, False, False),
        (1909, 1, False, False),
        (1910, 1, False, True),
        (1910, 1, True, False),
        (1913, 1, True, False),
        (1914, 1, True, True),
    ],
)
def test_a_draw_is_wanted_late_and_latest_by_who_leads(
    year: int, budget: int, leads: bool, votes: bool
) -> None:
    """After 4 years; with a look ahead after 10, and after 14 for the one who has most centres."""
    game = board({"FR2": "BUR", "GE1": "BER"}, year=year, season="spring")
    game.budget = budget
    player = "germany" if leads else "france"
    assert ("vote" in str(answer(game, "moves", player))) is votes


def test_with_a_single_power_left_nobody_votes() -> None:
    game = board({"GE1": "BER"}, year=1920, season="spring")
    game.tracks["centres"] = dict.fromkeys(game.tracks["centres"], "germany")
    assert "vote" not in str(answer(game, "moves", "germany"))
