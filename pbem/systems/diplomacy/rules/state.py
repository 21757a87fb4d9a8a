"""The position: units, owners of supply centres, year and season."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Board, Counter, Game, Tracks, counters

from .atlas import Kind, Piece


class Unit(Counter):
    """An army or a fleet. A dislodged unit stays in its province until it retreats."""

    owner: str
    type: Kind
    hex: str
    coast: str = ""
    dislodged: bool = False

    @property
    def piece(self) -> Piece:
        """Return the unit as the rules of movement see it."""
        return Piece(self.owner, self.type, self.hex, self.coast)


class State(Tracks):
    """The tracks of a game."""

    year: int = 0
    season: str = ""
    centres: dict[str, str] = {}
    retreats: dict[str, tuple[str, ...]] = {}
    made: dict[str, int] = {}
    winner: str = ""
    over: bool = False


def standing(board: Board, owner: str | None = None) -> dict[str, Unit]:
    """Return the units that are not dislodged, by province."""
    wanted = {} if owner is None else {"owner": owner}
    units = {unit.hex: unit for unit in counters(board, Unit, **wanted) if not unit.dislodged}
    return dict(sorted(units.items()))


def dislodged(board: Board, owner: str | None = None) -> dict[str, Unit]:
    """Return the units that must retreat, by province."""
    wanted = {} if owner is None else {"owner": owner}
    units = {unit.hex: unit for unit in counters(board, Unit, **wanted) if unit.dislodged}
    return dict(sorted(units.items()))


def pieces_of(board: Board) -> dict[str, Piece]:
    """Return all units that are not dislodged, as the rules of movement see them."""
    return {place: unit.piece for place, unit in standing(board).items()}


def held(board: Board, power: str) -> tuple[str, ...]:
    """Return the supply centres of a power, sorted."""
    return tuple(sorted(place for place, owner in State.of(board).centres.items() if owner == power))


def counts(game: Game) -> Mapping[str, int]:
    """Return the number of supply centres of each power."""
    return {player: len(held(game, player)) for player in game.players}


def alive(game: Game) -> tuple[str, ...]:
    """6.1: Return the powers with a unit or a supply centre."""
    owners = {unit.owner for unit in counters(game, Unit)}
    return tuple(p for p in game.players if p in owners or held(game, p))
