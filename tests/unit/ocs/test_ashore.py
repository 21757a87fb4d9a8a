"""4.12.7: Forecasts of landings and beach assaults beside the real procedures, and in `orders check`."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.game import Game
from pbem.engine.play import Played
from pbem.kit.courses import courses
from pbem.model.codec import from_json
from pbem.model.forecasts import End, average, share
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.actions import Batch, Land
from pbem.systems.ocs.rules.afloat.landings import land
from pbem.systems.ocs.rules.decisions.loop import Actions
from pbem.systems.ocs.rules.pieces import maybe_unit, units
from pbem.testing.fights import Staged, differences
from pbem.testing.runner import prepare
from tests.nightly import in_ci

MARINES = {"A-1M": {"owner": "aster", "kind": "infantry_type"}}
TWO = {**MARINES, "A-3D": {"owner": "aster", "kind": "infantry_type"}}


def afloat(hex: str, phase: str, cargo: Any, remove: tuple[str, ...] = (), **craft: Any) -> Game:
    """The reed coast with units of Aster aboard a landing craft, which has carried them to this hex."""
    given = {"scenario": "reed_coast", "remove": [*cargo, *remove]}
    given |= {"tracks": {"phase": phase, "acting": "aster"}}
    return prepare(SYSTEM, {**given, "counters": {"A-LC1": {"hex": hex, "cargo": cargo, **craft}}})


@in_ci
@pytest.mark.parametrize(
    ("hex", "at", "cargo"),
    [
        ("05.02", "05.03", MARINES),
        ("07.02", "07.03", MARINES),
        pytest.param("07.02", "07.03", TWO, marks=pytest.mark.long),  # 1,296 throws
    ],
)
def test_a_landing_brings_what_is_forecast(hex: str, at: str, cargo: Any) -> None:
    game = afloat(hex, "C", cargo)
    (one,) = SYSTEM.forecasts(game, at, ["A-LC1"])
    assert one.faults() == []
    whole, dry, mean = Fraction(0), Fraction(0), Fraction(0)
    order = Land(("A-LC1",), at, tuple(sorted(cargo)))
    for chance, after in courses(game, lambda copy: land(copy, "aster", order)):
        told = [each.event for each in after.told]
        rolled = [each["result"] for each in told if each["event"] == "landing-rolled"]
        whole += chance * (set(rolled) == {"success"})
        dry += chance * ("craft and cargo lost" not in rolled)
        lost = [each for each in told if each["event"] in ("step-lost", "unit-eliminated")]
        mean += chance * sum(int(str(each["lost"])) for each in lost)
    said = one.case.fields  # type: ignore[attr-defined]
    assert (said["whole"], said["drown"], said["mean"]) == (share(whole), share(1 - dry), average(mean))


def judge(before: Game, after: Game, played: Played) -> tuple[End, tuple[int, int]]:
    """Who is on the beach, and the steps that are gone; the one attacker has a single step."""
    ashore = maybe_unit(after, "A-1M")
    steps = sum(u.steps for u in units(before, "bren")) - sum(u.steps for u in units(after, "bren"))
    lost = 1 - (ashore.steps if ashore else 0), steps
    if units(after, "bren", "06.03"):
        return ("held" if ashore else "eliminated"), lost
    return ("taken" if ashore else "cleared"), lost


@in_ci
def test_a_beach_assault_brings_what_is_forecast() -> None:
    """Who does not take the beach does not swim back."""
    game = afloat("06.02", "E", MARINES, load=4)
    game.tracks.update({"acting": "bren"})
    (one,) = SYSTEM.forecasts(game, "06.03", ["A-LC1"])
    assert one.faults() == [] and one.case.startswith("in a beach assault")
    assert {end for end, _ in one.ends} <= {"taken", "cleared", "eliminated"}
    assault = {"craft": ["A-LC1"], "hex": "06.03", "units": ["A-1M"]}
    staged = Staged(
        game, "T.2.F.2", "aster", {"aster": {"actions/combat": {"actions": [{"assault": assault}]}}}
    )
    assert differences(SYSTEM, one, staged, judge, sample=25, seed="beach") == []
    for _, after, played in staged.some(3, "cards"):
        card = SYSTEM.outlook(after, [each.event for each in played.told])
        assert card is not None and (card.ends, card.losses) == (one.ends, one.losses)


def check(game: Game, segment: str, action: Any) -> str:
    (said, *_) = Actions("aster", segment, 1).words(game, from_json(Batch, {"actions": [action]}))
    return said


def test_orders_check_says_what_pbem_odds_says() -> None:
    game = afloat("06.02", "F", MARINES, load=4)
    sentence = SYSTEM.forecasts(game, "06.03", ["A-LC1"])[0].sentence()
    assault = {"assault": {"craft": ["A-LC1"], "hex": "06.03", "units": ["A-1M"]}}
    assert check(game, "combat", assault) == f"assault A-1M, A-LC1, 06.03; {sentence}; then the dice"
    game = afloat("05.02", "C", MARINES)
    sentence = SYSTEM.forecasts(game, "05.03", ["A-LC1"])[0].sentence()
    landing = {"land": {"craft": ["A-LC1"], "hex": "05.03", "units": ["A-1M"]}}
    assert sentence in check(game, "movement", landing)


def test_craft_without_supply_bring_no_assault() -> None:
    game = afloat("06.02", "F", {"A-1M": {**MARINES["A-1M"], "internal": "exhausted"}})
    (one,) = SYSTEM.forecasts(game, "06.03", ["A-LC1"])
    assert (one.sentence(), one.ends) == ("the craft carry not enough supply for it", ())
