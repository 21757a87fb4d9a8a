"""Places that changed hands by a march are told, and come before what was lost."""

from __future__ import annotations

from typing import Any

from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import find
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.news import news
from pbem.report.reader import Earlier, Meta, View
from pbem.report.structure import Report
from pbem.report.wording import Wording

TURN = "Game turn 3, Faction turn of soviet"
VALUE = {"event": "victory-checked", "rule": "4.1", "lost": [], "modifier": 0, "at": TURN}
VALUE |= {"before": "neutral", "marker": "neutral"}


def lodestar(hexes: dict[str, str] | None = None) -> View:
    """The public view of Lodestar as it begins, with counters put elsewhere."""
    system = find("totaler-krieg")
    state = start(system, "lodestar", None)
    for id, hex in (hexes or {}).items():
        state.position.counters[id] |= {"hex": hex, "spot": "map"}
    game = game_of(system, state, state.position, stage=0)
    return View(
        state.position,
        game.players,
        Wording(system.wording),
        system.map_of(game.world),
        events=system.registry.events,
        holders_from=lambda: system.holders(game),
        captures_from=lambda events: system.captures(game, events),
        titles_from=lambda: system.titles(game),
    )


def told(view: View, *events: dict[str, Any], reader: str | None = None, **meta: Any) -> Report:
    seen = [Told(PUBLIC, {"at": TURN, **one}, number) for number, one in enumerate(events)]
    facts = Meta("Lodestar", "ab" * 32, "totaler-krieg", 9, TURN, waiting=("axis",), **meta)
    return compose(reader, seen, view, facts)


def moved(power: str, unit: str, origin: str, *path: str) -> dict[str, Any]:
    return {
        "event": "moved", "rule": "4.8", "power": power, "unit": unit, "phase": "op", "origin": origin,
        "path": list(path), "mp": ["1"] * len(path), "stopped": "",
    }  # fmt: skip


LOST = {
    "event": "step-lost", "rule": "4.25", "power": "soviet", "unit": "R-TK1", "hex": "0904", "left": 0,
    "instead": "", "went": "pool", "steps": 1,
}  # fmt: skip
CLEARED = {"N-AR1": "0705", "N-AR2": "0705", "N-SS1": "0705"}


def test_a_capital_that_fell_to_a_march_is_the_first_news() -> None:
    view = lodestar({**CLEARED, "R-AR1": "0804"})
    report = told(view, LOST, moved("soviet", "R-AR1", "0904", "0804"))
    assert report.headlines[0] == "The Soviet Union took 0804 Ostgrad from the Axis"
    assert news(report).startswith("The Soviet Union took Ostgrad from the Axis")


def test_who_marches_to_his_own_city_takes_nothing() -> None:
    view = lodestar({"N-SS1": "0804"})
    report = told(view, moved("axis", "N-SS1", "0704", "0804"))
    assert not [line for line in report.headlines if "took" in line]


def test_an_advance_takes_a_city_from_him_who_defended_it() -> None:
    view = lodestar({**CLEARED, "R-AR1": "0804"})
    attacked = {
        "event": "attacked", "rule": "4.13", "power": "soviet", "attack": "B1", "segment": "blitz",
        "hex": "0804", "units": ["R-AR1"], "hq": "", "defender": "axis", "defenders": ["N-SS1"],
        "defender_hq": "", "strength": 6, "defence": 2, "result": "Dr1 0/0", "weather": "clear",
    }  # fmt: skip
    advanced = {"event": "advanced", "rule": "4.13.8", "power": "soviet", "unit": "R-AR1"}
    report = told(view, attacked, {**advanced, "origin": "0904", "path": ["0804"]})
    assert "The Soviet Union took 0804 Ostgrad from the Axis" in report.headlines


def test_a_second_unit_takes_nothing_from_its_own_side() -> None:
    view = lodestar({**CLEARED, "R-AR1": "0804", "R-AR2": "0804"})
    both = (moved("soviet", "R-AR1", "0904", "0804"), moved("soviet", "R-AR2", "0904", "0804"))
    lines = [line for line in told(view, *both).headlines if "Ostgrad" in line]
    assert lines == ["The Soviet Union took 0804 Ostgrad from the Axis"]


def test_a_city_that_fell_stages_ago_stands_in_what_happened_since() -> None:
    view = lodestar({**CLEARED, "R-AR1": "0804"})
    before = Earlier(8, [{"at": TURN, **moved("soviet", "R-AR1", "0904", "0804")}])
    report = told(view, LOST, reader="axis", earlier=[before])
    assert report.since is not None
    assert report.since.lines[0].text == "The Soviet Union took 0804 Ostgrad from the Axis"
    assert report.since.lines[0].stages == (8,)


def test_the_victory_value_is_news_when_it_has_changed() -> None:
    def before(stage: int) -> list[dict[str, Any]]:
        return [{**VALUE, "csv": 1, "held": ["0804"]}] if stage == 5 else []

    changed = told(lodestar(), LOST, {**VALUE, "csv": 0, "held": []}, before=before)
    assert changed.headlines[0] == "The victory value is 0: the Axis holds no enemy strategic hex"
    same = told(lodestar(), LOST, {**VALUE, "csv": 1, "held": ["0804"]}, before=before)
    assert not [line for line in same.headlines if "victory value" in line.lower()]
