"""4.13: Attacks that random games of totaler-krieg offer, fought by the real segments of the combat phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.game import Game
from pbem.engine.play import Played
from pbem.model.forecasts import End
from pbem.systems.totaler_krieg.rules.pieces import Piece, T, pieces, world_of
from pbem.testing.fights import Staged


def fights(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield hexes with enemy ground units, each with the units of one faction beside it."""
    world = world_of(game)
    ground = [piece for piece in pieces(game, spot="map") if piece.role == "ground"]
    for hex in sorted({str(one.hex) for one in ground}):
        there = {one.owner for one in ground if one.hex == hex}
        near = {one.owner for one in ground if world.adjacent(str(one.hex), hex)} - there
        for power in sorted(near if there else set()):
            able = [one for one in ground if one.owner == power and world.adjacent(str(one.hex), hex)]
            ids = tuple(one.id for one in able if one.type != "hq" and one.face.attack)
            if ids:
                yield hex, ids


def staged(game: Game, hex: str, ids: tuple[str, ...]) -> Staged:
    """The attack as the first of a regular segment, as if the turn of its faction began."""
    copy = game.copy()
    power = Piece(copy, ids[0]).owner
    T.of(copy).begun = ""
    attack = {"id": "G1", "target": hex, "units": list(ids)}
    return Staged(copy, "4.2", power, {copy.seat(power): {"combat": {"regular": [attack]}}})


def judge(hex: str, ids: tuple[str, ...]) -> Any:
    """Who is in the hex, and how many steps each faction has on the map."""

    def judged(before: Game, after: Game, played: Played) -> tuple[End, tuple[int, int]] | None:
        if any(event_told.event["event"] == "item-refused" for event_told in played.told):
            return None
        power = Piece(before, ids[0]).owner
        others = {piece.owner for piece in _ground(before)} - {power}
        lost = (
            _steps(before, {power}) - _steps(after, {power}),
            _steps(before, others) - _steps(after, others),
        )
        here = [piece for piece in _ground(after) if piece.hex == hex]
        old = {piece.id for piece in _ground(before)}
        # a counter that stands in for an attacker came onto the map
        left = [
            piece
            for piece in _ground(after)
            if piece.owner == power and (piece.id in ids or piece.id not in old)
        ]
        if all(piece.owner == power for piece in here):
            return ("taken" if here else "cleared"), lost
        starts = {Piece(before, id).hex for id in ids}
        moved = any(piece.hex not in starts for piece in left)
        return ("eliminated" if not left else "repelled" if moved else "held"), lost

    return judged


def _ground(game: Game) -> list[Piece]:
    return [piece for piece in pieces(game, spot="map") if piece.role == "ground"]


def _steps(game: Game, owners: set[str]) -> int:
    return sum(piece.steps for piece in _ground(game) if piece.owner in owners)
