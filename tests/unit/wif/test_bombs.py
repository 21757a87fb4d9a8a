"""4.7.4, 4.7.5: Forecasts of strikes and bombardments beside the rules, by every face of the die."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from pbem.engine.game import Game
from pbem.model.forecasts import Forecast, share
from pbem.report.text import fight_words
from pbem.systems.wif import SYSTEM
from pbem.testing.examples import examples
from pbem.testing.runner import played_of, prepare
from pbem.testing.said import report_of

FACES = range(1, 11)


def example(name: str, last: list[list[int]]) -> dict[str, Any]:
    data = deepcopy(next(data for known, data in examples(SYSTEM) if name in known))
    return {**data, "dice": [*data["dice"][: -len(last)], *last]}


def events(name: str, last: list[list[int]]) -> list[dict[str, Any]]:
    played = played_of(SYSTEM, example(name, last))
    assert played is not None
    return [dict(event_told.event) for event_told in played[1].told]


def expected(name: str, hex: str, *planes: str) -> list[Forecast]:
    game: Game = prepare(SYSTEM, example(name, [[1]])["given"])
    forecast = list(SYSTEM.forecasts(game, hex, planes))
    assert all(one.faults() == [] for one in forecast)
    return forecast


def outs(name: str) -> list[int]:
    """What the real procedure puts out with each face of the last die."""
    found = []
    for face in FACES:
        (bombed,) = [event for event in events(name, [[face]]) if event["event"] == "bombed"]
        found.append(int(bombed["out"]))
    return found


@pytest.mark.parametrize("name", ["I5-6 ", "I5-6b "])
def test_a_bombardment_puts_out_what_is_forecast(name: str) -> None:
    found = expected(name, "1105", "CW-B1")
    (one,) = [each for each in found if each.case.startswith("bombardment of factories")]
    out, said = outs(name), getattr(one.case, "fields")  # noqa: B009
    assert said["chance"] == share(Fraction(sum(map(bool, out)), len(FACES)))
    assert 10 * said["whole"] + said["tenths"] == sum(out)
    assert one.case.endswith("(if the aircraft get through)")


def test_a_port_is_damaged_as_often_as_is_forecast() -> None:
    found = expected("I5-7 ", "0606", "CW-B1")
    (one,) = [each for each in found if each.case.startswith("bombardment of the port")]
    hits = sum(any(e["event"] == "port-damaged" for e in events("I5-7 ", [[face]])) for face in FACES)
    assert getattr(one.case, "fields")["chance"] == share(Fraction(hits, len(FACES)))  # noqa: B009
    assert any(each.case.startswith("strike on ships in port") for each in found), "or its ships are struck"


def test_the_card_of_a_bombardment_has_its_forecast() -> None:
    played = played_of(SYSTEM, example("I5-6 ", [[2]]))
    assert played is not None
    made = report_of(*played, None)
    (card,) = made.fights
    assert any(
        line.startswith("forecast: bombardment of factories with 8 factors: 90% to put some out")
        for line in fight_words(card, made)
    )
