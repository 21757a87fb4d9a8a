"""4.11.2, 4.11.3: Forecast of air combat to its end: who flies on, and what it costs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.fights import average, share
from pbem.kit.odds import sums_of
from pbem.rules import Forecast, Game, Message, dataclass

from ..rules.decisions.flying import fighters
from ..rules.pieces import Plane, planes, world_of


@dataclass(frozen=True)
class Flier:
    """An aircraft in air combat; one `in_brackets` attacks nobody."""

    id: str
    rating: int
    in_brackets: bool = False

    @classmethod
    def of(cls, p: Plane) -> Flier:
        return cls(p.id, p.wing.rating, p.wing.paren)


Group = tuple[Flier, ...]
Left = tuple[Group, Group, int, int]
"""Attackers and defenders left in the hex, and the steps that each side lost."""
Brings = tuple[Fraction, Fraction, Fraction, Fraction]
"""Averages: attackers and defenders left in the hex, and the steps that each side loses."""


def there_and_coming(game: Game, enemy: str, hex: str) -> tuple[list[Plane], Plane | None]:
    """4.11.2, 4.11.3: Return active aircraft of an enemy in a hex, and the best other that may intercept."""
    there = [p for p in planes(game, enemy, hex) if p.active]
    ids = {p.id for p in there}
    coming = [p for p in fighters(game, enemy, hex) if p.id not in ids]
    return there, min(coming, key=lambda p: (-p.wing.rating, p.id), default=None)


def met_in_the_air(game: Game, hex: str, ids: Collection[str]) -> Forecast | None:
    """4.11.2, 4.11.3: Return what enemy aircraft in the hex do to these, else the best that may intercept."""
    team = [p for p in planes(game) if p.id in ids]
    if not team or len(team) != len({*ids}):
        return None
    side, enemy = team[0].owner, world_of(game).enemy(team[0].owner)
    there, best = there_and_coming(game, enemy, hex)
    ours = tuple(map(Flier.of, team))
    if there:
        fight = brought(game, ours, tuple(map(Flier.of, there)))
        return _forecast(hex, (side, enemy), (ours, there[0].id), (fight[0], *fight[2:]), met=True)
    if best is None:
        return None
    fight = brought(game, (Flier.of(best),), ours)
    return _forecast(hex, (side, enemy), (ours, best.id), (fight[1], fight[3], fight[2]), met=False)


def fought_in_the_air(game: Game, event: Mapping[str, Any]) -> Forecast:
    """4.11.2: Return what the first round of air combat could bring, by the ratings that its total tells."""
    edge = int(event["total"]) - sum(map(int, event["dice"]["result"]))
    ours = (Flier(str(event["plane"]), edge),)
    fight = brought(game, ours, (Flier(str(event["against"]), 0),))
    sides = str(event["attacker"]), str(event["defender"])
    return _forecast(
        str(event["hex"]), sides, (ours, str(event["against"])), (fight[0], *fight[2:]), met=True
    )


def _forecast(
    hex: str,
    sides: tuple[str, str],
    who: tuple[Group, str],
    brings: tuple[Fraction, Fraction, Fraction],
    *,
    met: bool,
) -> Forecast:
    left, mine, theirs = map(average, brings)
    ours, against = who
    alone = share(brings[0]) if len(ours) == 1 else ""
    sentence = Message(
        "ocs.forecast.dogfight",
        met=met,
        against=against,
        count=len(ours),
        alone=alone,
        left=left,
        a=mine,
        d=theirs,
    )
    return Forecast(hex, ((sides[0], str(len(ours))), (sides[1], "")), sentence)


def brought(game: Game, attack: Group, defend: Group) -> Brings:
    """4.11.2: Return the average result of air combat."""
    total = Fraction(0), Fraction(0), Fraction(0), Fraction(0)
    for (a, d, lost_a, lost_d), chance in courses_of(game, attack, defend).items():
        w, x, y, z = (
            old + chance * new for old, new in zip(total, (len(a), len(d), lost_a, lost_d), strict=True)
        )
        total = w, x, y, z
    return total


def courses_of(game: Game, attack: Group, defend: Group) -> dict[Left, Fraction]:
    """4.11.2: Return each end of air combat of the best of both sides, with its chance."""
    able = [flier for flier in attack if not flier.in_brackets]
    if not able and attack and any(not flier.in_brackets for flier in defend):
        turned = courses_of(game, defend, attack)
        return {(a, d, mine, theirs): chance for (d, a, theirs, mine), chance in turned.items()}
    if not able or not defend:
        return {(attack, defend, 0, 0): Fraction(1)}
    chart = world_of(game).tables["air"]["air_combat"]
    flier, other = _best(able), _best(defend)
    die = sums_of(chart["loss_die"])
    loss = sum((chance for face, chance in die if face >= chart["step_loss_at_least"]), Fraction(0))
    courses: dict[Left, Fraction] = {}
    for gone, chance in _aborts(chart, flier, other).items():
        left = tuple(p for p in attack if p not in gone), tuple(p for p in defend if p not in gone)
        for (a, d, mine, theirs), later in courses_of(game, *left).items():
            for lost, likely in ((0, 1 - loss), (1, loss)):
                end = a, d, mine + lost * (flier in gone), theirs + lost * (other in gone)
                courses[end] = courses.get(end, Fraction(0)) + chance * later * likely
    return courses


def _aborts(chart: Mapping[str, Any], flier: Flier, other: Flier) -> dict[Group, Fraction]:
    """4.11.2: Return who aborts in a round: the attacker, both, or the defender."""
    chances: dict[Group, Fraction] = {}
    for thrown, chance in sums_of(chart["dice"]):
        total = thrown + flier.rating - other.rating
        gone: Group = (flier,) if total <= chart["attacker_aborts_at_most"] else (other,)
        gone = (flier, other) if total == chart["both_abort"] else gone
        chances[gone] = chances.get(gone, Fraction(0)) + chance
    return chances


def _best(group: Sequence[Flier]) -> Flier:
    return min(group, key=lambda flier: (flier.in_brackets, -flier.rating, flier.id))
