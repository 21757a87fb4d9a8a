"""Cards of totaler-krieg: the forecast with its ends, and powers with their article."""

from __future__ import annotations

from fractions import Fraction

from pbem.engine.adjudicate import game_of, start
from pbem.model.forecasts import Forecast
from pbem.report.composing.compose import party_of
from pbem.report.reader import Meta
from pbem.report.structure import Report
from pbem.report.text import fight_words
from pbem.systems.totaler_krieg import SYSTEM
from pbem.testing.examples import examples
from pbem.testing.runner import played_of
from pbem.testing.said import report_of


def report(example: str) -> Report:
    played = played_of(SYSTEM, next(data for name, data in examples(SYSTEM) if example in name))
    assert played is not None
    return report_of(*played, None)


def test_a_card_has_the_forecast_of_its_column() -> None:
    """4.13.6, by hand: five faces drive the defenders out of 1006, one sends the attackers back."""
    made = report("EX-12b")
    told = fight_words(made.fights[0], made)
    assert (
        told[1]
        == "The Axis cleared 1006 and did not stay. The Axis lost 1 step, the Soviet Union lost 1 step."
    )
    assert any(line.startswith("forecast: clear 1006: 83% · retreat: 17%") for line in told)


def test_a_defender_who_could_not_retreat_leaves_no_forecast_that_he_would() -> None:
    made = report("X-21 ")
    assert not any(line.startswith("forecast: ") for line in fight_words(made.fights[0], made))


def outlook(result: str, unit: str, *losses: dict[str, object]) -> Forecast:
    """The card of an attack of one unit of the Soviet Union on one in column 3-1, which brought this."""
    state = start(SYSTEM, "lodestar", None)
    game = game_of(SYSTEM, state, state.position)
    began: dict[str, object] = {"event": "attacked", "power": "soviet", "hex": "0902", "units": [unit]}
    began |= {"defender": "axis", "defenders": ["N-PZA"], "strength": 6, "defence": 2, "result": result}
    began |= {"weather": "snow", "working": {"column": "3-1"}}
    forecast = SYSTEM.outlook(game, [began, *losses])
    assert forecast is not None
    return forecast


def test_attackers_who_went_back_do_not_take_the_hex_that_an_exchange_empties() -> None:
    """4.13.6, 4.13.8: in snow column 3-1 has two faces of Ex 1/1, and N-PZA has one step."""
    back = {"event": "choice-made", "power": "soviet", "hex": "0902", "choice": "retreat"}
    lost = {"event": "step-lost", "power": "axis", "unit": "N-PZA", "hex": "0902", "left": 0, "steps": 1}
    lost |= {"instead": "", "went": "pool"}
    ends = dict(outlook("Ex 1/1", "R-SH1", back, lost).ends)
    assert ends["cleared"] == Fraction(1, 3)
    stayed = dict(outlook("Ex 1/1", "R-SH1", {**back, "choice": "loss"}, lost).ends)
    assert "cleared" not in stayed and "repelled" not in stayed


def test_a_seat_has_its_article_inside_a_sentence_alone() -> None:
    facts = Meta("Lodestar", "ab" * 32, "totaler-krieg", 1, "", names={"soviet": "Sonja"})
    party = party_of("soviet", report("EX-12b").view, facts)
    assert (party.text, party.inside) == ("Soviet Union (Sonja)", "the Soviet Union (Sonja)")
