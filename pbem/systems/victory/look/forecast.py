"""The expected result of a battle's first round, as far as a player sees (4.6.4 to 4.6.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from pbem.rules import Forecast, Game

from ..rules.blocks import Block, units
from ..rules.state import State

FACES = 6
LETTERS = {"ground": "G", "logistic": "G", "naval": "N", "air": "A"}


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """Yield forecasts of the Player Turn's open battles, or of the one in a place.

    Every block that is seen fires once with its strength at the class it hits best, as in a round in which
    nobody falls before he has fired; `attackers` come to those that are in the hex.
    """
    tracks = State.of(game)
    for hex in [place] if place is not None else tracks.battles:
        here = {block.id: block for block in units(game, hex=hex)}
        here |= {block.id: block for block in units(game) if block.id in attackers}
        sides = sorted({block.owner for block in here.values()})
        if len(sides) > 1:
            yield _forecast(hex, list(here.values()), _ordered(sides, tracks.active))


def _ordered(sides: list[str], active: str | None) -> list[str]:
    return sorted(sides, key=lambda side: (side != active, side))


def _forecast(hex: str, here: list[Block], sides: list[str]) -> Forecast:
    known = [block for block in here if block.known]
    hits = tuple(
        (side, "hits", sum((_hits(one, known) for one in known if one.owner == side), Fraction(0)))
        for side in sides
        if any(one.owner == side for one in known)
    )
    unknown = {side: sum(1 for one in here if one.owner == side and not one.known) for side in sides}
    strengths = tuple((side, _strength(side, known)) for side in sides)
    return Forecast(hex, strengths, expected=hits, unknown=tuple((s, n) for s, n in unknown.items() if n))


def _strength(side: str, known: list[Block]) -> str:
    return ", ".join(f"{one.type} {one.cv}" for one in known if one.owner == side)


def _hits(block: Block, known: list[Block]) -> Fraction:
    """4.6.5: Return the average hits: dice as many as its strength, each a hit at the rating or less.

    At anybody if nobody is known.
    """
    there = {LETTERS[one.cls] for one in known if one.owner != block.owner} or {"G", "N", "A"}
    ratings = [block.kind.rating(target) for target in sorted(there)]
    return Fraction(block.cv * max(ratings, default=0), FACES)
