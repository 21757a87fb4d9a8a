"""The plans of the player: what counts is held, guns keep away, and with fog more is feared than is seen."""

from __future__ import annotations

from typing import Any

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.bot import defence
from pbem.systems.ocs.bot.plans import _likely, beaten, plans
from pbem.systems.ocs.rules.pieces import Unit


def board(phase: str = "C", side: str = "bren", options: Any = None, **hexes: str) -> Game:
    game = game_of(SYSTEM, start(SYSTEM, "crossing_the_tol", options or {}))
    game.tracks.update({"phase": phase, "acting": side, "turn": 1})
    for id, hex in hexes.items():
        game.position.move(id.replace("_", "-"), hex)
    return game


def actions(game: Game, side: str, segment: str) -> list[Any]:
    decision = SYSTEM.decision("actions", side, {"segment": segment, "round": 1})
    answer: Any = next(plans(game, decision))
    return list(answer.get("actions", []))


def test_each_place_that_counts_has_somebody_who_holds_it_or_comes() -> None:
    posts = defence.posts(board(), "bren")
    assert set(defence.places(board(), "bren")) <= set(posts.values())
    assert posts["B-101"] == "08.06", "who stands there stays"
    assert not {"B-HQ4", "B-61A"} & set(posts)


def test_a_headquarters_leaves_when_the_enemy_comes_near() -> None:
    moves = {id: a["move"] for a in actions(board(A5_M="10.05", A5_1T="10.05"), "bren", "movement")
             if "move" in a for id in a["move"]["units"]}  # fmt: skip
    game = board()
    assert game.world.distance(moves["B-HQ4"]["path"][-1], "10.05") > 2


def test_reserves_strike_who_is_weak_and_leave_who_is_strong() -> None:
    weak = board("E", "bren", A_24="12.04")
    weak.position.set("A-24", facing="move")
    struck = [a for a in actions(weak, "bren", "reaction") if "move" in a]
    assert struck and struck[0]["move"]["steps"][0]["overrun"]["hex"] == "12.04"
    strong = board("E", "bren", A_21="12.04", A5_M="12.04")
    assert not actions(strong, "bren", "reaction")


def test_with_fog_more_is_feared_than_is_seen() -> None:
    found = []
    for options in ({}, {"fow": "gm"}):
        game = board("F", "aster", options)
        own = [Unit(game, id) for id in ("A-21", "A5-M", "A5-1T", "A5-2T")]
        found.append(_likely(game, "08.06", own, [Unit(game, "B-101")]))
    assert found[1] < found[0]


def test_troops_aboard_sail_to_a_coast_near_what_counts_and_attack_a_weak_beach() -> None:
    """On the Reed Coast two regiments wait in a box at sea; nobody ever landed."""
    game = game_of(SYSTEM, start(SYSTEM, "reed_coast", {}))
    game.tracks.update({"phase": "C", "acting": "aster", "turn": 1})
    done = actions(game, "aster", "movement")
    assert [id for a in done if "embark" in a for id in a["embark"]["units"]] == ["A-1M", "A-2M"]
    (voyage,) = [a["naval"] for a in done if a.get("naval", {}).get("ships") == ["A-LC1"]]
    assert "08.03" in game.world.beside(voyage["path"][-1])


def test_who_has_lost_most_of_what_counts_attacks() -> None:
    game = game_of(SYSTEM, start(SYSTEM, "reed_coast", {}))
    assert not beaten(game, "bren")
    game.tracks["control"] = {**game.tracks["control"], "08.03": "aster"}
    assert beaten(game, "bren")
