"""A game that is won is worth more to the computer than any other, and one that is lost less."""

from __future__ import annotations

import pytest

from pbem.systems.ocs import SYSTEM as OCS
from pbem.systems.ocs.bot.value import Judge as SeatJudge
from pbem.systems.totaler_krieg import SYSTEM as TOTALER_KRIEG
from pbem.systems.totaler_krieg.bot.value import Judge as FactionJudge
from pbem.systems.wbts import SYSTEM as WBTS
from pbem.systems.wbts.bot.value import Judge as SideJudge
from pbem.systems.wbts.rules.tracks import Result, T
from pbem.testing.runner import prepare

MUCH = 50_000
"""More than counters and places come to."""


@pytest.mark.parametrize(
    ("result", "winners"),
    [
        ("axis", {"axis"}),
        ("western", {"western", "soviet"}),
        ("soviet", {"western", "soviet"}),
        ("allied", {"western", "soviet"}),
        ("joint", {"western", "soviet"}),
        ("draw", set[str]()),
    ],
)
def test_allies_win_together_and_a_draw_is_worth_nothing(result: str, winners: set[str]) -> None:
    game = prepare(TOTALER_KRIEG, {"tracks": {"result": result}})
    for player in ("axis", "western", "soviet"):
        value = FactionJudge(game, player)(game)
        if result == "draw":
            assert value == 0
        else:
            assert value > MUCH if player in winners else value < -MUCH, player


@pytest.mark.parametrize(("winner", "signs"), [("north", (1, -1)), ("south", (-1, 1)), (None, (0, 0))])
def test_a_side_wins_alone(winner: str | None, signs: tuple[int, int]) -> None:
    game = prepare(WBTS, {})
    T.of(game).result = Result(winner, "points")
    for side, sign in zip(("north", "south"), signs, strict=True):
        value = SideJudge(game, side)(game)
        assert value == 0 if not sign else sign * value > MUCH


@pytest.mark.parametrize("winner", ["aster", "bren"])
def test_who_has_won_in_ocs_has_everything(winner: str) -> None:
    game = prepare(OCS, {"tracks": {"result": winner}})
    for player in ("aster", "bren"):
        value = SeatJudge(game, player)(game)
        assert value > MUCH if player == winner else value < -MUCH
