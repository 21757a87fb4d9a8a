"""4.7.3 to 4.7.5: Forecasts of fights at sea, of strikes and of bombardments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pbem.kit.fights import expect
from pbem.rules import End, Forecast, Game, Message

from ..rules.decisions.replies import NavalLoss
from ..rules.flying import legal_bases, result_of
from ..rules.naval import ports_in_range
from ..rules.pieces import Unit, controller, operating, port_damaged, round_half_up, side, side_units
from ..rules.procedures.missions import strike_factors, strike_targets
from ..rules.world import world_of

FACES = 10
Hit = tuple[tuple[str, ...], tuple[str, ...]]
"""Ships and aircraft that are sunk, and those that are aborted."""


STEPS = ("g", "a", "f")
"""4.7.4, 4.7.5: Strikes on what is in a hex and on ships in its port, and bombardment."""


def missions(
    game: Game, hex: str, planes: Sequence[Unit], steps: Sequence[str] = STEPS, target: str = ""
) -> Iterator[Forecast]:
    """4.7.4, 4.7.5: Yield what these aircraft may do to a hex if they get there: it always holds.

    In these steps of an impulse; `target` is that of a bombardment, both kinds where nobody says.
    """
    own = side(game, planes[0])
    for step in steps:
        if step == "f":
            yield from _bombs(game, hex, planes, target)
            continue
        targets = [u for u in strike_targets(game, hex, own, step) if step == "a" or not u.down]
        if targets:
            factors = strike_factors(game, hex, planes, step)
            sides = (planes[0].owner, str(factors)), (targets[0].owner, str(len(targets)))
            sentence = _struck("wif.forecast.strike", factors, len(targets), ships=step == "a")
            yield Forecast(hex, sides, sentence)


def _bombs(game: Game, hex: str, planes: Sequence[Unit], target: str) -> Iterator[Forecast]:
    """4.7.5: Yield the bombardment of the enemy's factories in a hex, and of its port."""
    holder, factors = controller(game, hex), sum(u.print.strategic for u in planes)
    if not factors or holder is None or world_of(game).side_of.get(holder) in (None, side(game, planes[0])):
        return
    sides = (planes[0].owner, str(factors)), (holder, "")
    here = world_of(game).sites.get(hex)
    if target != "port" and (most := operating(game, hex)):
        yield _bombed(game, hex, sides, factors, most)
    if target != "factories" and here is not None and here.port is not None and not port_damaged(game, hex):
        yield _bombed(game, hex, sides, factors, 0)


def bombed(game: Game, event: Mapping[str, Any]) -> Forecast:
    """4.7.5: Return what a bombardment that was flown could bring, where factories enough were there."""
    sides = ("", str(event["factors"])), (str(controller(game, str(event["hex"])) or ""), "")
    most = 0 if event["port"] else FACES
    return _bombed(game, str(event["hex"]), sides, int(event["factors"]), most, flown=True)


def _bombed(
    game: Game, hex: str, sides: tuple[Any, Any], factors: int, most: int, *, flown: bool = False
) -> Forecast:
    """4.7.5: Return a bombardment by every face of the die; `most` factories are there, 0 for a port."""
    chart = world_of(game).combat
    totals = [die + factors for die in range(1, FACES + 1)]
    if most:
        out = [min(most, int(result_of(chart["bombardment"], total, "out"))) for total in totals]
    else:
        out = [int(total >= int(chart["port_hit"])) for total in totals]
    sentence = Message(
        "wif.forecast.bombed",
        factors=factors,
        port=not most,
        chance=f"{100 * sum(map(bool, out)) // FACES}%",
        whole=sum(out) // FACES,
        tenths=sum(out) % FACES,
        flown=flown,
    )
    return Forecast(hex, sides, sentence)


def struck(event: Mapping[str, Any], owner: Callable[[str], str]) -> Forecast | None:
    """4.7.4: Return what a strike that was flown could bring, by its factors and its targets."""
    factors, targets = int(event["factors"]), [str(id) for id in event["dice"]]
    if not targets:
        return None
    sides = ("", str(factors)), (owner(targets[0]), str(len(targets)))
    return Forecast(str(event["hex"]), sides, _struck("wif.forecast.struck", factors, len(targets)))


def _struck(id: str, factors: int, count: int, **fields: bool) -> Message:
    tenths = factors * count
    chance = f"{100 * factors // FACES}%"
    return Message(
        id,
        factors=factors,
        chance=chance,
        count=count,
        whole=tenths // FACES,
        tenths=tenths % FACES,
        **fields,
    )


def at_sea(game: Game, area: str, announcing: str) -> Iterator[Forecast]:
    """4.7.3: Yield one round of combat in a sea area that a side begins: both search, who finds shoots."""
    world = world_of(game)
    fleets = {own: _fleet(game, area, own) for own in (announcing, world.enemy(announcing))}
    mine, theirs = fleets.values()
    if not theirs or not any(not u.down for u in mine):
        return
    chances = [_chance_to_find(game, fleet) for fleet in (mine, theirs)]
    attacks = [_attack(fleet) for fleet in (mine, theirs)]
    hits = [_hits(game, area, attacks[0], mine, theirs), _hits(game, area, attacks[1], theirs, mine)]
    ends, losses = expect(_courses(game, area, chances, hits, mine, theirs))
    sides = (mine[0].owner, str(attacks[0])), (theirs[0].owner, str(attacks[1]))
    table = tuple(
        (Message("wif.forecast.found", who=fleet[0].owner), chance)
        for fleet, chance in zip((mine, theirs), chances, strict=True)
    )
    yield Forecast(area, sides, chances=table, ends=ends, losses=losses, unit="units")


def _fleet(game: Game, area: str, own: str) -> list[Unit]:
    return [u for u in side_units(game, own) if u.area == area and u.print.arm != "land"]


def _attack(fleet: Sequence[Unit]) -> int:
    return sum(u.print.ats if u.print.arm == "air" else u.print.attack for u in fleet if not u.down)


def _chance_to_find(game: Game, fleet: Sequence[Unit]) -> Fraction:
    world = world_of(game)
    needed = int(world.combat["naval"]["found"]) + max(
        (world.box(u.hex) for u in fleet if not u.down), default=0
    )
    return Fraction(max(0, min(FACES, needed)), FACES)


def _hits(
    game: Game, area: str, attack: int, firing: Sequence[Unit], fleet: Sequence[Unit]
) -> dict[Hit, Fraction]:
    """4.7.3: Return what the shots of a side that has found the other do, shot by shot."""
    chart = world_of(game).combat["naval"]
    shots = max(1, round_half_up(Fraction(attack, int(chart["per_shot"])))) if attack else 0
    aborts, hits = int(chart["aborts"]), int(chart["hits"])
    now: dict[Hit, Fraction] = {((), ()): Fraction(1)}
    for _ in range(shots):
        after: dict[Hit, Fraction] = {}
        for (sunk, home), chance in now.items():
            left = tuple(u.id for u in fleet if u.id not in (*sunk, *home))
            for hit, likely in ((None, aborts - 1), (False, hits - aborts), (True, FACES + 1 - hits)):
                share = chance * Fraction(likely, FACES)
                if hit is None or not left:
                    _add(after, (sunk, home), share)
                    continue
                player = game.seat(firing[0].owner if hit else Unit(game, left[0]).owner)
                u = Unit(game, NavalLoss(player, area, hit, left, False).default(game))
                saves = int(chart["aircraft"]) if u.print.arm == "air" else u.print.defence
                saved = Fraction(max(0, min(FACES, saves)), FACES) if hit else Fraction(1)
                _add(after, (sunk, (*home, u.id)), share * saved)
                _add(after, ((*sunk, u.id), home), share * (1 - saved))
        now = after
    return now


def _add(into: dict[Hit, Fraction], hit: Hit, chance: Fraction) -> None:
    if chance:
        into[hit] = into.get(hit, Fraction(0)) + chance


def _courses(
    game: Game,
    area: str,
    chances: Sequence[Fraction],
    hits: Sequence[dict[Hit, Fraction]],
    mine: Sequence[Unit],
    theirs: Sequence[Unit],
) -> Iterator[tuple[Fraction, End, tuple[int, int]]]:
    nothing: dict[Hit, Fraction] = {((), ()): Fraction(1)}
    for finds in product((True, False), repeat=2):
        chance = Fraction(1)
        for sighted, chance_to_find in zip(finds, chances, strict=True):
            chance *= chance_to_find if sighted else 1 - chance_to_find
        ours, others = (hit if sighted else nothing for sighted, hit in zip(finds, hits, strict=True))
        for (at_them, first), (at_us, second) in product(ours.items(), others.items()):
            lost = _lost(game, area, at_us), _lost(game, area, at_them)
            yield chance * first * second, _end(mine, theirs, at_us, at_them, lost[0]), lost


def _lost(game: Game, area: str, hit: Hit) -> int:
    """4.7.3, R-303: Return how many are sunk, or aborted without a port or base to go to."""
    sunk, home = hit
    gone = 0
    for u in (Unit(game, id) for id in home):
        gone += not (legal_bases(game, u, area) if u.print.arm == "air" else ports_in_range(game, u))
    return len(sunk) + gone


def _end(mine: Sequence[Unit], theirs: Sequence[Unit], at_us: Hit, at_them: Hit, lost: int) -> End:
    """Return how the fight ended: whose ships and aircraft are left in the area."""
    we = len(mine) - sum(map(len, at_us))
    they = len(theirs) - sum(map(len, at_them))
    if not they:
        return "taken" if we else "cleared"
    if we:
        return "undecided"
    return "eliminated" if lost == len(mine) else "repelled"
