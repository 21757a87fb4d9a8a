"""Standings of a league: points, ratings with their uncertainty, and who met whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import Any

from pbem.cli.league.results import Result, Seat
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

Names = Mapping[str, str]
"""The name of a player by the fingerprint of a key."""


@dataclass
class Standing:
    """One player: games played, won alone or with others, drawn and lost, points, rating.

    A game is worth one point, which all in the first place share. `rating` and `spread` are the mean and the
    standard deviation of the skill; a player without a game has 25 and 25/3. `seats` counts the seats held.
    """

    name: str
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: Fraction = Fraction(0)
    rating: float = 25.0
    spread: float = 25.0 / 3
    seats: dict[str, int] = field(default_factory=dict)

    @property
    def surely(self) -> float:
        """Return the rating that the player surely has: three standard deviations below the mean."""
        return self.rating - 3 * self.spread


@dataclass
class Meeting:
    """Games in which two players met, from the first one's side."""

    ahead: int = 0
    level: int = 0
    behind: int = 0


@dataclass
class Table:
    """The standings, best first; meetings by two names; results that count, in their order; names by key."""

    standings: tuple[Standing, ...]
    meetings: Mapping[tuple[str, str], Meeting]
    results: Sequence[Result]
    names: Names


def players_of(results: Iterable[Result], listed: Names) -> dict[str, str]:
    """Return the name of each key: as listed, else that of its latest game.

    Two players of one name are told apart by the beginning of their keys.
    """
    names = dict(listed)
    latest = {seat.key: seat.name for result in results for seat in result.seats if seat.key not in names}
    taken = [*names.values(), *latest.values()]
    for key, name in latest.items():
        names[key] = name if taken.count(name) == 1 else f"{name} ({key.removeprefix('SHA256:')[:6]})"
    return names


def table(results: Sequence[Result], names: Names) -> Table:
    """Return the table of a league from results in the order in which the games ended."""
    standings: dict[str, Standing] = {}
    meetings: dict[tuple[str, str], Meeting] = {}
    model = _model()
    for result in results:
        by_seat = {
            seat.id: standings.setdefault(names[seat.key], Standing(names[seat.key])) for seat in result.seats
        }
        _count(result, by_seat)
        _meet(result, by_seat, meetings)
        _rate(model, result, by_seat)
    best_first = sorted(
        standings.values(),
        key=lambda standing: (-standing.points, -standing.won, -standing.surely, standing.name),
    )
    return Table(tuple(best_first), meetings, results, names)


def _count(result: Result, by_seat: Mapping[str, Standing]) -> None:
    everybody = len(result.best) == len(result.seats)
    for seat in result.seats:
        standing = by_seat[seat.id]
        standing.played += 1
        standing.seats[seat.id] = standing.seats.get(seat.id, 0) + 1
        if seat.id not in result.best:
            standing.lost += 1
            continue
        standing.points += Fraction(1, len(result.best))
        standing.won += not everybody
        standing.drawn += everybody


def _meet(result: Result, by_seat: Mapping[str, Standing], meetings: dict[tuple[str, str], Meeting]) -> None:
    for seat in result.seats:
        for other in result.seats:
            if by_seat[seat.id] is by_seat[other.id]:
                continue
            met = meetings.setdefault((by_seat[seat.id].name, by_seat[other.id].name), Meeting())
            first, second = seat.id in result.best, other.id in result.best
            met.ahead += first and not second
            met.behind += second and not first
            met.level += first == second


def teams(result: Result) -> list[list[Seat]]:
    """Return the seats that play together: those of one side."""
    sides: dict[str, list[Seat]] = {}
    for seat in result.seats:
        sides.setdefault(seat.side, []).append(seat)
    return list(sides.values())


def _rate(model: Any, result: Result, by_seat: Mapping[str, Standing]) -> None:
    """Rate a game; not one in which somebody held two seats, or in which all are on one side."""
    sides = teams(result)
    if len({id(standing) for standing in by_seat.values()}) < len(by_seat) or len(sides) < 2:
        return
    rated = [
        [model.rating(mu=by_seat[seat.id].rating, sigma=by_seat[seat.id].spread) for seat in side]
        for side in sides
    ]
    ranks = [1.0 if any(seat.id in result.best for seat in side) else 2.0 for side in sides]
    for side, after in zip(sides, model.rate(rated, ranks=ranks), strict=True):
        for seat, rating in zip(side, after, strict=True):
            by_seat[seat.id].rating, by_seat[seat.id].spread = rating.mu, rating.sigma


def _model() -> Any:
    """Return the rating model; Refused with the way out if its library is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        message = Message("cli.league.no-openskill")
        help_ = (Message("cli.league.install-openskill"),)
        raise Refused(Diagnostic("no-openskill", message, help=help_)) from None
    return PlackettLuce()
