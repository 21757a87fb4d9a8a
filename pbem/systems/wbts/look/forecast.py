"""4.8.5-11: The forecast of a battle: strengths, ratio, each possible table by the dice."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from pbem.kit.odds import chances_of, total
from pbem.rules import Forecast, Game, Message

from ..rules.battle.defence import DefenceOrder, completed, eligible_commanders
from ..rules.battle.fight import chit_limit, eligible_to_commit, need_of, supply_sources
from ..rules.battle.leaving import exempt_hex
from ..rules.battle.losses import loss
from ..rules.battle.record import Battle, face
from ..rules.battle.strength import attack_lines, attacker_loss_factor, defence_lines, percent
from ..rules.command.forces import able, force
from ..rules.pieces import leader, left, units, world_of
from ..rules.zones import fort_of

FACES = range(1, 7)


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """Yield forecasts of the present battle with known strengths, or of the one that these units would
    fight."""
    if place is not None:
        yield from _planned(game, place, attackers)
    elif Battle.begun(game):
        battle = Battle.of(game)
        thrown = any(battle.percents) or bool(battle.code)
        if not battle.over and not thrown and all(battle.odds):
            yield from _each(game, battle, _tables(game, battle), ())


def outlook(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """4.8.9: Return the possible results of a battle's combat die by its table, ratio and leaders.

    If the hex exempts its defenders, no result drives them out (4.8.11).
    """
    if event.get("event") != "combat-rolled":
        return None
    tables, ratio, hex = world_of(game).tables, event.get("ratio"), str(event.get("hex"))
    shift = sum(int(one["value"]) for one in event.get("modifiers", ()))
    least, most = tables.numbers["row_least"], tables.numbers["row_most"]
    rows = [max(least, min(most, die + shift)) for die in FACES]
    cells = [str(tables.result(int(event["table"]), ratio, row).value) for row in rows]
    if any(exempt_hex(game, hex, side) for side in game.players):
        cells = [cell.removesuffix("D") for cell in cells]
    return Forecast(hex, (), chances=chances_of(cells))


def _planned(game: Game, place: str, attackers: Collection[str]) -> Iterator[Forecast]:
    """Yield forecasts of a battle set up on a copy of the position with the defender's usual choices."""
    coming = left(game, sorted(attackers))
    sides = {one.side for one in coming}
    there = [one for one in units(game, hex=place) if one.is_land and one.side not in sides and not one.is_hq]
    if not there or len(sides) != 1:
        return
    copy = Game(
        game.system,
        game.scenario,
        game.options,
        game.players,
        game.position.copy(),
        world=game.world,
        viewer=game.viewer,
    )
    stacks: dict[str, tuple[str, ...]] = {}
    for one in coming:
        stacks[one.hex] = (*stacks.get(one.hex, ()), one.id)
    naval, enemy = all(one.is_naval for one in coming), there[0].side
    battle = Battle.begin(
        copy, number=0, attacker=coming[0].side, defender=enemy, target=place, naval=naval, stacks=stacks
    )
    seen, hidden = [one for one in there if one.known], sum(1 for one in there if not one.known)
    fort = fort_of(game, place, enemy)
    if hidden == 0:
        battle.withheld, battle.inside = completed(battle, DefenceOrder())
    out = [u.id for u in seen if u.id in battle.withheld or (naval and u.id not in battle.inside)]
    battle.defenders = tuple(u.id for u in seen if u.id not in out)
    battle.attack = str(total(attack_lines(copy, battle.attacking(), place)))
    battle.defence = str(total(defence_lines(copy, battle.defending(), battle.inside)))
    battle.attacker_loss = attacker_loss_factor(copy, battle.defending(), battle.inside)
    if naval:
        if fort is None:
            return
        battle.attacker_loss, battle.table = world_of(game).tables.works[fort.kind].attacker_loss, 1
    elif not hidden and not battle.odds[1]:
        yield Forecast(
            place, _sides(battle), Message("wbts.forecast.overrun"), chances=(("0/0D", Fraction(1)),)
        )
        return
    yield from _each(copy, battle, _tables(copy, battle), ((enemy, hidden),) if hidden else ())


def _sides(battle: Battle) -> tuple[tuple[str, str], ...]:
    return tuple(zip(battle.sides, (battle.attack, battle.defence), strict=True))


def _is_hidden(game: Game, side: str) -> bool:
    """Return True if the reader of this game does not see a side's leaders and stocks (section 7)."""
    return bool(game.options["limited_intelligence"]) and game.viewer is not None and side != game.viewer


def _tables(game: Game, battle: Battle) -> tuple[int, ...]:
    """4.8.6: Return the tables that the intensity chits can still make, contact left out."""
    if battle.table >= 0:
        return (battle.table,) if battle.table else ()
    most = world_of(game).tables.numbers["intensity_most"]
    limits = [
        most if _is_hidden(game, side) else limit(game, battle)
        for side, limit in zip(battle.sides, (_attack_limit, _defence_limit), strict=True)
    ]
    return tuple(range(1, min(most, sum(limits)) + 1))


def _attack_limit(game: Game, battle: Battle) -> int:
    """Return the highest chit of the attack: that of its leader, else of any who could lead all of it."""
    if battle.leader is not None:
        return chit_limit(game, battle.leader)
    could = [who for who in able(game, battle.attacker) if {*battle.listed} <= {*force(who)}]
    could = [who for who in could if who.active] or could
    return max(
        (chit_limit(game, who.id) for who in could), default=world_of(game).tables.numbers["intensity_most"]
    )


def _defence_limit(game: Game, battle: Battle) -> int:
    """Return the highest chit of the defence: that of its commander, else of any who may command it."""
    if battle.number:
        return chit_limit(game, battle.commander)
    return max((chit_limit(game, who.id) for who in eligible_commanders(battle)), default=0)


def _each(
    game: Game, battle: Battle, tables: tuple[int, ...], unknown: tuple[tuple[str, int], ...]
) -> Iterator[Forecast]:
    """4.8.6: Yield a forecast for each table, which the still unknown chits determine."""
    ratio, settled = percent(*battle.odds), _is_settled(battle)
    led = any(_may_lead(game, battle, side) for side in battle.sides)
    unseen = next((side for side in battle.sides if not settled and _is_hidden(game, side)), None)
    for table in tables:
        found = _results(game, battle, table)
        chances: dict[str, Fraction] = {}
        for code, chance, _ in found:
            chances[code] = chances.get(code, Fraction(0)) + chance
        expected = [
            (side, "percent", sum((chance * lost[n] for _, chance, lost in found), Fraction(0)))
            for n, side in enumerate(battle.sides)
        ]
        for side, letter in zip(battle.sides, "AD", strict=True):
            goes = sum((chance for code, chance in chances.items() if code.endswith(letter)), Fraction(0))
            expected += [(side, "retreat", 100 * goes)] if goes else []
        yield Forecast(
            battle.target,
            _sides(battle),
            Message("wbts.forecast.table", table=table, led=led, unseen=unseen or ""),
            "" if ratio is None else f"{ratio} %",
            tuple(chances.items()),
            tuple(expected),
            unknown,
        )


def _may_lead(game: Game, battle: Battle, side: str) -> bool:
    """4.8.8: Check whether a leader of a side who may be committed could move the combat die."""
    return _is_hidden(game, side) or any(
        leader(game, id).combat for id in eligible_to_commit(game, battle, side)
    )


def _is_settled(battle: Battle) -> bool:
    """Check whether the supply dice of a battle that is going on are thrown: they follow the chits."""
    return bool(battle.number) and battle.table > 0


def _lacking(game: Game, battle: Battle, side: str, table: int) -> dict[bool, Fraction]:
    """4.8.7: Return how likely a side is to lack supply (True) or not; stocks that nobody sees suffice."""
    if _is_settled(battle):
        return {side in battle.unsupplied: Fraction(1)}
    if _is_hidden(game, side) or (battle.naval and side == battle.attacker):
        return {False: Fraction(1)}
    stock = sum(each.supply for each in supply_sources(game, battle, side))
    sp, tables = face(battle.troops(side)[0]), world_of(game).tables
    short = sum(need_of(tables.need(sp, die, table)) > stock for die in FACES)
    found = {False: Fraction(len(FACES) - short, len(FACES)), True: Fraction(short, len(FACES))}
    return {lacks: chance for lacks, chance in found.items() if chance}


def _results(game: Game, battle: Battle, table: int) -> list[tuple[str, Fraction, tuple[Fraction, Fraction]]]:
    """4.8.7, 4.8.9: Return the results of both supply dice and the combat die.

    Each has losses in per cent and who retreats, its chance, and the share of points that each side loses.
    """
    tables, found = world_of(game).tables, list[tuple[str, Fraction, tuple[Fraction, Fraction]]]()
    attack, defence = (_lacking(game, battle, side, table) for side in battle.sides)
    stays = _stays(battle)
    for (short, one), (lacks, other), die in product(attack.items(), defence.items(), FACES):
        odds = [
            _halved(strength) if fails and not _is_settled(battle) else strength
            for strength, fails in zip(battle.odds, (short, lacks), strict=True)
        ]
        cell = tables.result(table, percent(*odds), die)
        listed = {outcome.name: outcome for outcome in cell.outcomes}
        own = tables.works["unsupplied"].own_loss
        factors = (battle.attacker_loss * (own if short else 1), own if lacks else 1)
        shares = [
            (listed["losses"][role], factor)
            for role, factor in zip(("attacker", "defender"), factors, strict=True)
        ]
        lost = [_lost(battle, side, *share) for side, share in zip(battle.sides, shares, strict=True)]
        letter = "A" if "attacker_retreats" in listed and lost[0] < 100 else ""
        letter = "D" if "defender_retreats" in listed and lost[1] < 100 and not stays else letter
        code = "/".join(str(min(100, share * factor)) for share, factor in shares) + letter
        found.append((code, one * other * Fraction(1, len(FACES)), (lost[0], lost[1])))
    return found


def _halved(strength: Fraction) -> Fraction:
    """Return half of a strength, rounded down: the rest of an unsupplied side."""
    return Fraction(strength // 2)


def _lost(battle: Battle, side: str, share: int, factor: int) -> Fraction:
    """4.8.10: Return the percentage of its points that a side loses; of unknown points the plain share."""
    land, ships = battle.troops(side)
    sp, least = face(land) + face(ships), world_of(battle.board).tables.numbers["smallest_hit_percent"]
    if not sp:
        return Fraction(min(100, share * factor))
    return Fraction(100 * min(sp, loss(sp, share, least) * factor), sp)


def _stays(battle: Battle) -> bool:
    """4.8.11, 4.8.15: Check if no result drives the defender out.

    Ships attack, the hex exempts all, or all are inside a fort.
    """
    there = [each.id for each in battle.in_target() if not each.is_hq]
    inside = bool(battle.inside) and {*there} <= {*battle.inside}
    return battle.naval or inside or exempt_hex(battle.board, battle.target, battle.defender) is not None
