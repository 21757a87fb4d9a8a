"""Pairings: everybody against everybody, or Swiss rounds; sides are balanced over all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from pbem.cli.league.standings import Meeting, Standing
from pbem.text.dataclass import dataclass

_TRIES = 20_000
"""Groupings of a Swiss round that are looked at before the best so far is taken."""


@dataclass(frozen=True)
class Pairing:
    """A game to be played: the player of each seat, by seat."""

    seats: Mapping[str, str]


@dataclass(frozen=True)
class Round:
    """The games of a round, and who has none in it."""

    games: tuple[Pairing, ...]
    free: tuple[str, ...] = ()


Counts = dict[str, dict[str, int]]
"""How often each player has held each seat."""


def round_robin(players: Sequence[str], seats: Sequence[str], held: Counts) -> list[Round]:
    """Return rounds in which each player meets every other one once (circle method), for two seats.

    With an odd number one player is free in each round.
    """
    assert len(seats) == 2, "a round robin is for two seats"
    circle: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    half, drawn = len(circle) // 2, list[tuple[list[tuple[str, str]], tuple[str, ...]]]()
    for _ in range(len(circle) - 1):
        pairs = list(zip(circle[:half], reversed(circle[half:]), strict=True))
        free = tuple(player or other or "" for player, other in pairs if player is None or other is None)
        drawn.append(([(player, other) for player, other in pairs if player and other], free))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    games = _balanced([pairs for pairs, _ in drawn], seats, held)
    return [
        Round(tuple(Pairing(dict(zip(seats, pair, strict=True))) for pair in pairs), free)
        for pairs, (_, free) in zip(games, drawn, strict=True)
    ]


def _balanced(
    rounds: Sequence[list[tuple[str, str]]], seats: Sequence[str], held: Counts
) -> list[list[tuple[str, str]]]:
    """Return the games with their players exchanged where the one has the first seat too often.

    Each exchange brings two players nearer to a balance, so it ends.
    """
    first, second = seats
    lead = {name: counts.get(first, 0) - counts.get(second, 0) for name, counts in held.items()}
    for player, other in (pair for pairs in rounds for pair in pairs):
        lead[player], lead[other] = lead.get(player, 0) + 1, lead.get(other, 0) - 1
    games, changed = [list(pairs) for pairs in rounds], True
    while changed:
        changed = False
        for pairs in games:
            for n, (player, other) in enumerate(pairs):
                if lead[player] - lead[other] > 2:
                    pairs[n], changed = (other, player), True
                    lead[player], lead[other] = lead[player] - 2, lead[other] + 2
    return games


def swiss(
    standings: Sequence[Standing],
    meetings: Mapping[tuple[str, str], Meeting],
    seats: Sequence[str],
) -> Round:
    """Return the next round: neighbours in the table meet, as far as possible for the first time.

    `standings` are best first. Players left over have no game: those who have played most, of these
    the last in the table.
    """
    names = [standing.name for standing in standings]
    spare = len(names) % len(seats)
    by_games = sorted(range(len(names)), key=lambda n: (-standings[n].played, -n))
    free = {names[n] for n in by_games[:spare]}
    playing = [name for name in names if name not in free]
    counts = {standing.name: dict(standing.seats) for standing in standings}
    games = [_seated(group, seats, counts) for group in _groups(playing, len(seats), meetings)]
    return Round(tuple(games), tuple(name for name in names if name in free))


def _groups(names: Sequence[str], size: int, meetings: Mapping[tuple[str, str], Meeting]) -> list[list[str]]:
    """Return groups of neighbours in which nobody meets again, or as few as could be found."""
    place = {name: n for n, name in enumerate(names)}
    best: tuple[int, list[list[str]]] | None = None
    tries = 0

    def again(group: Sequence[str], name: str) -> int:
        met = (meetings.get((player, name)) for player in group)
        return sum(meeting.ahead + meeting.level + meeting.behind for meeting in met if meeting is not None)

    def grow(groups: list[list[str]], left: list[str], repeats: int) -> bool:
        """Try the nearest player first; return True to stop."""
        nonlocal best, tries
        tries += 1
        if best is not None and repeats >= best[0]:
            return tries > _TRIES
        if not left:
            best = repeats, [list(group) for group in groups]
            return repeats == 0 or tries > _TRIES
        open_ = groups and len(groups[-1]) < size
        group = groups[-1] if open_ else []
        if not open_:
            groups.append(group)
        candidates = left if open_ else left[:1]
        ordered = sorted(candidates, key=lambda name: (again(group, name), place[name]))
        for name in ordered:
            group.append(name)
            if grow(groups, [other for other in left if other != name], repeats + again(group[:-1], name)):
                return True
            group.pop()
        if not open_:
            groups.pop()
        return False

    grow([], list(names), 0)
    return best[1] if best is not None else []


def _seated(group: Sequence[str], seats: Sequence[str], counts: Counts) -> Pairing:
    """Return the seating in which everybody gets the seat they have held least, and count it."""

    def cost(order: Sequence[str]) -> int:
        # what a seat adds to the squares of how often each player has held it
        return sum(counts.get(name, {}).get(seat, 0) for name, seat in zip(order, seats, strict=True))

    best = min(permutations(group), key=cost)
    for name, seat in zip(best, seats, strict=True):
        own = counts.setdefault(name, {})
        own[seat] = own.get(seat, 0) + 1
    return Pairing(dict(zip(seats, best, strict=True)))
