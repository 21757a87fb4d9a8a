"""What is expected of missions of aircraft and of fights at sea, and how far every counter comes.

A line has a digest of each forecast. If a difference is meant, run `pytest tests/golden --update-golden`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.engine.system import System, find
from tests.golden.digests import digest
from tests.golden.test_crowded_boards import crowded, expected
from tests.nightly import IN_CI

SCENARIOS = {
    "ocs": ("crossing_the_tol", "reed_coast"),
    "totaler-krieg": ("lodestar",),
    "victory": ("sarn_strait",),
    "wbts": ("marl_crossings",),
    "wif": ("narrow_sea_1943", "two_fronts_1943"),
}
FLOWN = 9
"""Teams that are sent out on each board."""


def board(system: System, scenario: str) -> Game:
    state = start(system, scenario, {})
    return game_of(system, state, state.position)


def teams(game: Game, arms: Mapping[str, str], rng: random.Random) -> Iterator[list[str]]:
    """Yield some aircraft of one owner, from anywhere."""
    owners: dict[str, list[str]] = {}
    for id in sorted(arms):
        if arms[id] == "air":
            owners.setdefault(str(game.position.counters[id]["owner"]), []).append(id)
    for _ in range(FLOWN):
        mine = owners[rng.choice(sorted(owners))]
        yield rng.sample(mine, rng.randint(1, min(3, len(mine))))


def arms(game: Game) -> dict[str, str]:
    """Return what aircraft and ships are there."""
    if game.system.name == "ocs":
        from pbem.systems.ocs.rules.pieces import planes, ships

        return {p.id: "air" for p in planes(game)} | {s.id: "sea" for s in ships(game)}
    from pbem.systems.wif.rules.pieces import units

    return {u.id: u.print.arm for u in units(game)}


def met_at_sea(game: Game, rng: random.Random) -> Iterator[tuple[str, Game]]:
    """Yield boards with ships and aircraft of both sides of wif in one sea area."""
    from pbem.systems.wif.rules.world import world_of

    areas = sorted({*world_of(game).area_of.values()})
    for _ in range(FLOWN):
        after, area = game.copy(), rng.choice(areas)
        afloat = [id for id, arm in sorted(arms(game).items()) if arm != "land"]
        for id in rng.sample(afloat, min(len(afloat), rng.randint(2, 6))):
            after.position.set(id, hex=f"{area}.{rng.randint(0, 3)}", face=rng.choice(("up", "up", "down")))
        yield area, after


def lines(system: System, scenario: str) -> Iterator[str]:
    rng = random.Random(scenario)
    start = board(system, scenario)
    for number in range(2):
        game = crowded(start, rng)
        for id in game.position.ids():
            reach = system.reach(game, id)
            if reach is not None:
                told = [sorted(reach.ends), str(reach.has), reach.rule, sorted(dict(reach.costs).items())]
                yield f"{number} {id}: {len(reach.ends)} {digest(repr(told))[:6]}"
        if system.name not in ("ocs", "wif"):
            continue
        places = sorted({str(game.position.hex(id)) for id in game.position.ids()})
        for team in teams(game, arms(game), rng):
            for hex in rng.sample(places, 5):
                forecasts: Any = expected(system, game, hex, team)
                yield from (f"{number} {hex} {team}: {digest(repr(each))[:6]}" for each in forecasts)
        if system.name == "wif":
            for area, met in met_at_sea(game, rng):
                for each in expected(system, met, f"{area}.0", []):
                    yield f"{number} {area}: {each['ends']} {each['losses']} {digest(repr(each))[:6]}"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=IN_CI if name in ("ocs", "wif") else ()) for name in sorted(SCENARIOS)],
)
def test_missions_and_reaches_are_what_they_were(name: str, golden: Callable[[str, str], None]) -> None:
    system = find(name)
    told = (f"{line}\n" for scenario in SCENARIOS[name] for line in lines(system, scenario))
    golden(f"missions-{name}.txt", "".join(told))
