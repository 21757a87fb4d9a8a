"""4.6.4: Forecasts of air-to-air combat beside the real procedure, and where they are told."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.kit.courses import driven
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.look.in_the_air import Line, brought, fought_in_the_air
from pbem.systems.wif.rules.missions import AirCombat, Flight, Sky
from pbem.systems.wif.rules.pieces import Unit, maybe_unit, units

HEX, MANY = "0706", 150


@pytest.fixture(scope="module")
def game() -> Game:
    state = start(SYSTEM, "narrow_sea_1943")
    return game_of(SYSTEM, state, state.position)


def aircraft(game: Game, power: str, kinds: set[str]) -> list[str]:
    return [u.id for u in units(game, power) if u.print.arm == "air" and u.type in kinds]


def lines(game: Game) -> list[Line]:
    """One bomber against one fighter; two with an escort against two."""
    fighters = aircraft(game, "CW", {"FTR"}), aircraft(game, "GE", {"FTR"})
    bombers = aircraft(game, "CW", {"LND", "LND4", "NAV", "ATR"})
    assert all(fighters) and len(bombers) > 1
    return [
        ((), (bombers[0],), (fighters[1][0],)),
        ((fighters[0][0],), tuple(bombers[:2]), tuple(fighters[1][:2])),
    ]


def fought(game: Game, line: Line, seed: str) -> tuple[int, int, int, Game]:
    """The real combat once: who got through, and the losses of both."""
    copy, dice = game.copy(), random.Random(seed)
    sky = Sky("g", "allied", [Flight("CW", HEX, [*line[1]], [*line[0]])])
    driven(
        copy,
        AirCombat(copy, sky, HEX, [*line[2]]).fight(),
        lambda _: (dice.randint(1, 10), dice.randint(1, 10)),
    )
    lost = [id for id in sky.lost if maybe_unit(copy, id) is None]
    mine = sum(1 for id in lost if id not in line[2])
    return len(sky.bombers(HEX)), mine, len(lost) - mine, copy


@pytest.mark.parametrize("n", [0, 1])
def test_air_combat_comes_out_as_forecast(game: Game, n: int) -> None:
    """p.1.5: within four and a half deviations, for those who get through and the losses of both."""
    line = lines(game)[n]
    wanted = brought(game, HEX, "allied", line, {})
    found = [fought(game, line, f"{n}/{one}")[:3] for one in range(MANY)]
    for expected, values in zip(wanted, zip(*found, strict=True), strict=True):
        mean = Fraction(sum(values), MANY)
        spread = sum((value - mean) ** 2 for value in values) / MANY
        assert (mean - expected) ** 2 * MANY <= Fraction(81, 4) * (spread + Fraction(2, MANY))


def test_a_card_says_the_same_though_aircraft_were_shot_down(game: Game) -> None:
    """The line-up of the first round is told, and what is printed on those who are gone is known."""
    line = lines(game)[0]
    for seed in range(40):
        *_, after = fought(game, line, str(seed))
        rounds = [one.event for one in after.told if one.event["event"] == "air-round"]
        card = fought_in_the_air(after, rounds[0])
        before = fought_in_the_air(game, rounds[0])
        assert card is not None and before is not None and card.faults() == []
        assert card.case == before.case and card.case.startswith(f"air combat against {line[2][0]}: ")
        if any(maybe_unit(after, id) is None for id in (*line[1], *line[2])):
            return
    pytest.fail("somebody is shot down in one of forty fights")


def test_the_odds_of_a_mission_name_the_fighter_that_may_meet_it(game: Game) -> None:
    """ "If GE-F1 intercepts" is beside the strike, which is "if the aircraft get through"."""
    for u in units(game, "CW"):
        found = list(SYSTEM.forecasts(game, HEX, [u.id])) if u.print.arm == "air" else []
        if any("intercept" in one.case for one in found):
            assert len(found) > 1 and "get through" in found[0].case
            return
    pytest.fail("a German fighter reaches 0706")


def test_the_odds_of_a_mission_name_the_fire_from_below(game: Game) -> None:
    """p.1.6, table 5.8: GE-AA1 has 3 factors; it needs a 7, and nobody is shot down by less than a 14."""
    bomber = next(u for u in units(game, "CW") if u.type == "LND")
    told = [str(one.case) for one in SYSTEM.forecasts(game, HEX, [bomber.id])]
    said = "anti-aircraft fire with 3 factors: 40% to turn an aircraft back, 0% to shoot one down"
    assert said in told
    quiet = game.copy()
    Unit(quiet, "GE-AA1").face = "down"
    assert not any("anti-aircraft" in str(one.case) for one in SYSTEM.forecasts(quiet, HEX, [bomber.id]))
