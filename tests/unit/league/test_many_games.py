"""A league of real archives by mail: its table against a second computation that shares no line with it."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.cli.play import pbem
from tests.unit.league.voted_games import Ended, games

BETA, TAU, KAPPA = 25 / 6, 25 / 300, 0.0001


@pytest.mark.parametrize("count", [5, 200])
def test_the_table_is_what_the_games_came_to(tmp_path: Path, count: int) -> None:
    told = games(tmp_path, count, f"league of {count}")
    found = pbem("league", tmp_path, "--json").json
    assert len(found["games"]) == count and not found["not_counted"]
    points: Counter[str] = Counter()
    ends: dict[str, Counter[str]] = {}
    meetings: dict[tuple[str, str], list[int]] = {}
    for one in told:
        _count(one, points, ends, meetings)
    ratings = _rated(told)
    assert {one["name"] for one in found["standings"]} == set(ends)
    for one in found["standings"]:
        name = one["name"]
        assert Fraction(one["points"]) == Fraction(points[name], 6), one
        assert {"won": one["won"], "drawn": one["drawn"], "lost": one["lost"]} == dict(ends[name])
        mean, spread = ratings[name]
        assert math.isclose(one["rating"], mean, abs_tol=1e-5), (one, mean)
        assert math.isclose(one["deviation"], spread, abs_tol=1e-5), (one, spread)
    kinds = ("ahead", "level", "behind")
    met = {(one["one"], one["other"]): [one[kind] for kind in kinds] for one in found["meetings"]}
    assert met == meetings


def _count(
    one: Ended,
    points: Counter[str],
    ends: dict[str, Counter[str]],
    meetings: dict[tuple[str, str], list[int]],
) -> None:
    """Points are counted in sixths."""
    for seat, name in one.people.items():
        first = seat in one.best
        points[name] += 6 // len(one.best) if first else 0
        end = "lost" if not first else "drawn" if len(one.best) == 3 else "won"
        ends.setdefault(name, Counter(won=0, drawn=0, lost=0))[end] += 1
        for other, rival in one.people.items():
            if other != seat:
                place = int(other in one.best) - int(first) + 1
                meetings.setdefault((name, rival), [0, 0, 0])[place] += 1


def _rated(told: list[Ended]) -> dict[str, tuple[float, float]]:
    """Weng and Lin (2011), algorithm 4, with the usual constants: three players, equals share a rank."""
    found: dict[str, tuple[float, float]] = {}
    for one in told:
        who = {seat: found.get(name, (25.0, 25 / 3)) for seat, name in one.people.items()}
        seats: dict[str, Any] = {seat: (mu, sigma * sigma + TAU * TAU) for seat, (mu, sigma) in who.items()}
        c = math.sqrt(sum(square + BETA * BETA for _, square in seats.values()))
        rank = {seat: 1 if seat in one.best else 2 for seat in seats}
        force = {seat: math.exp(mu / c) for seat, (mu, _) in seats.items()}
        equal = {seat: sum(rank[other] == rank[seat] for other in seats) for seat in seats}
        behind = {seat: sum(force[o] for o in seats if rank[o] >= rank[seat]) for seat in seats}
        for seat, (mu, square) in seats.items():
            omega = delta = 0.0
            for other in seats:
                if rank[other] <= rank[seat]:
                    share = force[seat] / behind[other]
                    omega += ((1 - share) if other == seat else -share) / equal[other]
                    delta += share * (1 - share) / equal[other]
            better = square / c * omega
            surer = max(1 - square / c**2 * delta * math.sqrt(square) / c, KAPPA)
            found[one.people[seat]] = (mu + better, math.sqrt(square * surer))
    return found
