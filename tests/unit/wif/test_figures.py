"""What a player reads of units and places in lists (2.3, 2.4): figures, cost, state, damage."""

from __future__ import annotations

from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.model.facts import may_know
from pbem.report.muster import forces
from pbem.report.reader import View
from pbem.report.svg.draw import draw
from pbem.stages.views import PlayerView
from pbem.systems.wif import SYSTEM

SCENARIO = "narrow_sea_1943"


def board() -> Game:
    return game_of(SYSTEM, start(SYSTEM, SCENARIO))


def seen(game: Game, reader: str, lang: str = "en") -> View:
    known = {f.key: f.value for f in game.system.facts(game) if may_know(f.audience, reader)}
    return report_view(PlayerView(SYSTEM, SCENARIO, reader, 1, known, ()), lang)


def told(view: View, owner: str, reader: str) -> dict[str, str]:
    """By hex what a power has there, as the order of battle says it."""
    force = next(force for force in forces(view, reader) if force.owner == owner)
    return {stack.hex: stack.told(own=force.own) for stack in force.stacks}


def test_land_units_aircraft_and_ships_are_told_with_their_figures() -> None:
    here = told(seen(board(), "allied"), "CW", "allied")
    assert "CW-BB1 battleship (att 5 def 6 move 4 range 4, cost 2)" in here["0403"]
    assert "CW-F2 fighter (5/2/1/0, range 9, cost 3)" in here["0403"]
    assert "CW-G1 anti-aircraft unit (3-4, AA 3, cost 5)" in here["0403"]


def test_face_down_shattered_and_aboard_are_told_of_friend_and_enemy() -> None:
    game = board()
    game.position.set("CW-I1", face="down", shattered=True)
    game.position.set("CW-M1", aboard="CW-TR1")
    game.position.set("GE-A1", face="down")
    view = seen(game, "allied")
    mine = "; ".join(told(view, "CW", "allied").values())
    assert "CW-I1 infantry (5-3, cost 3), shattered, face-down" in mine
    assert "aboard CW-TR1" in mine
    assert "GE-A1 armour (8-5, cost 6), face-down" in "; ".join(told(view, "GE", "allied").values())


def test_damaged_ports_and_lost_factories_are_on_the_map_and_in_lists() -> None:
    game = board()
    game.position.tracks["damaged"] = ["0403"]
    game.position.tracks["factories_out"] = {"1105": 2}
    view = seen(game, "allied")
    assert told(view, "CW", "allied")["0403"].endswith("port damaged")
    assert told(view, "GE", "allied")["1105"].endswith("2 of 3 factories out")
    key = [text for _, text in draw(view, []).key]
    assert "port damaged" in key and "2 of 3 factories out" in key


def test_in_german_too() -> None:
    here = told(seen(board(), "allied", "de"), "CW", "allied")
    assert "CW-F2 Jäger (5/2/1/0, Reichweite 9, Kosten 3)" in here["0403"]
