"""Who holds what, and the points as they stand, where no track of the position says it of everything."""

from __future__ import annotations

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import find
from pbem.report.reader import View
from pbem.report.whole.ending import points
from pbem.report.whole.ledger import ALL
from pbem.report.whole.stats import holdings
from pbem.report.wording import Wording


def view_of_start(name: str, scenario: str) -> View:
    """The public view of a game as it begins."""
    system = find(name)
    state = start(system, scenario, None)
    game = game_of(system, state, state.position, stage=0)
    return View(
        state.position,
        game.players,
        Wording(system.wording),
        system.map_of(game.world),
        events=system.registry.events,
        holders_from=lambda: system.holders(game),
        points_from=lambda: system.points(game),
    )


@pytest.mark.parametrize(
    ("name", "scenario", "hex", "holder", "held"),
    [
        ("wif", "narrow_sea_1943", "0403", "CW", {"CW": 6, "USA": 2, "GE": 8}),
        ("totaler-krieg", "lodestar", "0603", "axis", {"axis": 5, "western": 3, "soviet": 2}),
    ],
)
def test_places_are_held_from_the_start(
    name: str, scenario: str, hex: str, holder: str, held: dict[str, int]
) -> None:
    view = view_of_start(name, scenario)
    assert view.holder(hex) == holder
    assert {one.player: one.places for one in holdings(view)} == held


def test_points_that_are_counted_at_the_end_stand_at_every_stage() -> None:
    view = view_of_start("ocs", "crossing_the_tol")
    assert "vp" not in view.position.tracks
    assert points(view) == {ALL: 0}
    shores = view_of_start("diplomacy", "three_shores")
    shores.position.tracks["centres"] = {"ROK": "brenn", "SPI": "brenn", "ZOR": "corva"}
    assert points(shores) == {"aldar": 0, "brenn": 2, "corva": 1}
