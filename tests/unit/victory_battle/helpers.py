"""Positions and scripts for these tests: the sample scenario with blocks put where a test wants them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import Played, play
from pbem.systems.victory import SYSTEM
from pbem.testing import prepare


def position(
    counters: Mapping[str, Any], *, only: Sequence[str] | None = None, tracks: Any = None, **options: Any
) -> Game:
    """The sample scenario; with `only` no other blocks than these and those named in `counters`."""
    given: dict[str, Any] = {"scenario": "sarn_strait", "options": options, "counters": dict(counters)}
    given["tracks"] = {"turn": 1, "round": 1, **(tracks or {})}
    if only is not None:
        known = SYSTEM.scenario("sarn_strait")["units"]
        given["only"] = [id for id in {*only, *counters} if id in known]
    return prepare(SYSTEM, given)


class AnyDice(ScriptedSource):
    """Rolls from a list of faces that goes round, so that a test need not count dice."""

    def __init__(self, faces: Sequence[int], orders: Any = None, standing: Any = None) -> None:
        super().__init__(orders or {}, (), standing or {}, ("red", "blue", "green"))
        self._faces = list(faces)
        self._at = 0

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int] | None:
        count = int(dice.partition("d")[0])
        found = [self._faces[(self._at + n) % len(self._faces)] for n in range(count)]
        self._at += count
        self.rolled.append(label)
        return found


def fight(game: Game, active: str, faces: Sequence[int], standing: Any = None, orders: Any = None) -> Played:
    """Fight every battle of a player turn with dice from a list."""
    game.tracks["active"] = active
    return play(game, "2.T.4.2", AnyDice(faces, orders, standing), active)


def came(hex: str, origin: str, kind: str = "march", **fields: Any) -> dict[str, Any]:
    """The fields of a block that has just moved into a battle."""
    return {"hex": hex, "activated": True, "moved": True, "entry_from": origin, "entry_kind": kind, **fields}


def block(owner: str, type: str, cv: int, **fields: Any) -> dict[str, Any]:
    """A block that the scenario does not have."""
    return {"owner": owner, "type": type, "cv": cv, **fields}
