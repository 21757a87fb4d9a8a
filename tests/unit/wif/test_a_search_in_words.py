"""4.7.3: `orders check` says of a fight at sea what `pbem odds` says of it."""

from __future__ import annotations

from pbem.rules import from_json
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.decisions.impulse_letter import ImpulseLetter
from pbem.systems.wif.rules.entries import Letter
from pbem.testing.runner import prepare

AT_SEA = {
    "counters": {"GE-SB1": {"hex": "NS.2"}},
    "tracks": {"turn": 1, "impulse": 1, "phasing": "allied", "action": {"CW": "naval", "USA": "naval"}},
}


def test_a_fight_at_sea_is_told_with_its_forecast() -> None:
    game = prepare(SYSTEM, AT_SEA)
    own = [id for id, one in game.position.counters.items() if one["owner"] == "CW"]
    (one,) = SYSTEM.forecasts(game, "NS", own)
    letter = from_json(Letter, {"action": {"CW": "naval"}, "d": [{"area": "NS"}]})
    said = ImpulseLetter("allied", "I.2", 1).words(game, letter)
    assert any(one.sentence() in each for each in said), said
