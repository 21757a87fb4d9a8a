"""4.12.3, 4.12.4: Forecasts of fire at ships beside the real procedure, by every throw."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.game import Game
from pbem.kit.courses import courses
from pbem.model.codec import from_json
from pbem.model.forecasts import share
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.actions import Batch
from pbem.systems.ocs.rules.decisions.loop import Actions
from pbem.systems.ocs.rules.fighting.barrage import Shot, at_ship, broadside
from pbem.systems.ocs.rules.pieces import Ship, ships
from pbem.testing.runner import prepare

ENEMY = {"owner": "bren", "kind": "ship", "hex": "06.03", "printed": {
    "single": False, "full": {"barrage": 4, "range": 2, "flak": 0, "protection": 2},
    "reduced": {"barrage": 2, "range": 2, "flak": 0, "protection": 1}}}  # fmt: skip


def at_sea(**state: Any) -> Game:
    """A destroyer of Aster three hexes from a cruiser of Bren."""
    return prepare(SYSTEM, {"counters": {"B-CA": {**ENEMY, **state}, "A-DD": {"hex": "06.01"}}})


@pytest.mark.parametrize(
    "state", [{}, {"hits": 1}, {"dg": True}, {"hits": 1, "dg": True}], ids=["whole", "hit", "DG", "both"]
)
def test_fire_at_a_ship_brings_what_is_forecast(state: dict[str, Any]) -> None:
    game = at_sea(**state)
    (one,) = SYSTEM.forecasts(game, "06.03", ["A-DD"])
    assert one.faults() == []
    fleet = [s for s in ships(game, "aster") if s.id == "A-DD"]
    shot = Shot("aster", ("A-DD",), "ship", broadside(game, fleet))
    effect, sunk = Fraction(0), Fraction(0)
    card = set()
    for chance, after in courses(game, lambda copy: at_ship(copy, shot, Ship(copy, "B-CA"))):
        told = [each.event for each in after.told if each.event["event"] == "ship-fired-at"]
        effect += chance * (told[0]["effect"] != "nothing")
        sunk += chance * all(s.id != "B-CA" for s in ships(after, "bren"))
        shown = SYSTEM.outlook(game, told)
        assert shown is not None
        card.add(shown.case)
    said = one.case.fields  # type: ignore[attr-defined]
    assert (said["effect"], said["sunk"]) == (share(effect), share(sunk))
    (told_after,) = card
    assert one.case.startswith(f"{told_after}, "), "a card says the same but for what was hit before"


def test_orders_check_says_of_fire_at_a_ship_what_pbem_odds_says() -> None:
    game = at_sea()
    game.tracks.update({"phase": "D", "acting": "aster"})
    (one,) = SYSTEM.forecasts(game, "06.03", ["A-DD"])
    fire = {"fire": {"hex": "06.03", "units": ["A-DD"], "target": "ship", "ship": "B-CA"}}
    (said, *_) = Actions("aster", "air_naval", 1).words(game, from_json(Batch, {"actions": [fire]}))
    assert one.sentence() in said
