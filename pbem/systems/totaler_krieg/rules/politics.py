"""4.5, 4.10, 4.15.3: Countries that join, fall and return, political events, war and truce."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.kit.effects import Effect
from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Game, Message, roll

from .asking import ask_quoted
from .decisions.defence import stand_in
from .decisions.politics import EventLosses, Mobilize
from .events.fighting import StepLost
from .events.politics import Mobilized, PoliticalRolled, Truced, WarDeclared
from .ground import Ground
from .losing import lose_step
from .orders import Diplomacy
from .pieces import Piece, State, T, Truce, maybe_piece, piece, pieces, put, send, world_of
from .printed import FIRST_DIE, LAST_DIE, Posture

RULE = "4.10"


def set_posture(board: Board, country: str, faction: str, posture: Posture) -> bool:
    """Set a country's posture, and return True if it changed."""
    t = T.of(board)
    before = dict(t.postures.get(country, {}))
    if before.get(faction, "war") == posture:
        return False
    t.postures[country] = {**before, faction: posture}
    return True


def realign(game: Board, country: str, state: State) -> None:
    """2.8, R-105: Set a country's state, and give it the postures of its new faction."""
    t, world = T.of(game), world_of(game)
    t.countries[country] = state
    majors = [
        id
        for id, other in sorted(world.countries.items())
        if other.kind == "major" and t.countries[id].alignment == state.alignment and id != country
    ]
    if majors:
        t.postures[country] = dict(t.postures.get(majors[0], {}))


async def activate(game: Game, country: str, faction: str) -> None:
    """4.15.3: Activate a Minor Country with a faction.

    A die decides how many of its units get a second step.
    """
    world = world_of(game)
    realign(game, country, State("active", faction))
    placed: list[Piece] = []
    for row in world.countries[country].setup:
        unit = piece(game, row.unit)
        unit.owner = faction
        if unit.print.exp:
            send(unit, "delay")
        elif unit.print.res:
            send(unit, "pool")
        else:
            put(unit, row.hex, 1)
            placed.append(unit)
    die = await roll("1d6", "mobilization", T.of(game).turn, country)
    able = tuple(unit.id for unit in sorted(placed, key=lambda unit: unit.id) if 2 in unit.print.faces)
    count = min(die.total, len(able))
    turned: tuple[str, ...] = able[:count]
    if 0 < count < len(able):
        chosen = await ask_quoted(game, Mobilize(game.seat(faction), faction, country, count, able))
        turned = (*chosen, *(id for id in able if id not in chosen))[:count]
    for id in turned:
        piece(game, id).steps = 2
    game.emit(Mobilized(country, faction, die, tuple(unit.id for unit in placed), turned))


def conquer(board: Board, country: str, by: str) -> bool:
    """R-111: Take a country's ground units, and partisan bases in it, out of the game.

    The units are taken from wherever they are.
    """
    t, world = T.of(board), world_of(board)
    state = t.countries[country]
    if state.status == "conquered" and state.conqueror == by:
        return False
    t.countries[country] = State("conquered", state.alignment, by)
    gone = [
        counter
        for counter in pieces(board)
        if counter.country == country and counter.print.ground and counter.spot != "out"
    ]
    gone += [
        counter
        for counter in pieces(board, spot="map")
        if counter.role == "partisan" and world.country_of(counter.hex or "") == country
    ]
    for counter in gone:
        send(counter, "out")
    before = t.removed.get(country, ())
    t.removed[country] = (
        *before,
        *(counter.id for counter in gone if counter.print.ground and counter.id not in before),
    )
    return True


def liberate(board: Board, country: str, faction: str) -> bool:
    """R-111: Activate a country again with a faction.

    Units that conquest removed go to the faction's Force Pool.
    """
    t, world = T.of(board), world_of(board)
    state = t.countries[country]
    if state.status == "active" and state.alignment == faction:
        return False
    realign(board, country, State("active", faction))
    for counter in (piece(board, id) for id in t.removed.get(country, ())):
        if counter.spot == "out":
            counter.owner = faction
            send(counter, "pool")
    for counter in pieces(board, spot="map"):
        if counter.role == "partisan" and world.country_of(counter.hex or "") == country:
            send(counter, "pool")
    t.removed.pop(country, None)
    return True


async def eliminate_steps(game: Game, faction: str, country: str, n: int) -> None:
    """5.14: Take n steps of the owner's choice from a country's units, or all if they have fewer."""
    on_map = [
        unit for unit in pieces(game, faction, "map") if unit.role == "ground" and unit.country == country
    ]
    if not on_map:
        return
    able = tuple(unit.id for unit in on_map)
    asked = EventLosses(game.seat(faction), faction, country, n, able)
    answer: tuple[str, ...] = await ask_quoted(game, asked)
    chosen = list(answer)
    ids = list(able)
    for _ in range(n):
        alive = [id for id in ids if (unit := maybe_piece(game, id)) is not None and unit.spot == "map"]
        if not alive:
            return
        id = next((id for id in chosen if id in alive), min(alive))
        if id in chosen:
            chosen.remove(id)
        unit = piece(game, id)
        lost = lose_step(game, unit, await stand_in(game, unit))
        if lost.instead and lost.instead not in ids:
            ids.append(lost.instead)
        game.emit(StepLost(faction, lost.unit, lost.hex, lost.left, lost.instead, lost.went, lost.steps))


async def resolve(game: Game, table: str) -> None:
    """4.5: Roll a die with the Political DRM on a table, and apply the effects.

    The result is at least 1 and at most 6.
    """
    t, world = T.of(game), world_of(game)
    faction = t.acting
    drm = t.drm[faction]["political"]
    die = await roll("1d6", "political", t.turn, faction, table)
    face = max(FIRST_DIE, min(LAST_DIE, die.total + drm))
    effects = world.tables_of_events[table].results[face]
    game.emit(PoliticalRolled(faction, table, die, drm, face, tuple(effect.verb for effect in effects)))
    await apply(game, effects)


async def apply(game: Game, effects: tuple[Effect, ...]) -> None:
    """Apply effects in order, until one ends the game."""
    for effect in effects:
        if T.of(game).result is None:
            await effect.run(game)


def diplomacy_faults(board: Game, faction: str, order: Diplomacy) -> list[Diagnostic]:
    """4.10: Return the faults of a declaration, an offer or an acceptance."""
    named = [name for name in (order.declare, order.offer, order.accept) if name is not None]
    if len(named) != 1:
        return [illegal("E-WAR-01", RULE, Message("totaler-krieg.politics.one-of-declare"))]
    return list(_faults(board, faction, order))


def _faults(board: Game, faction: str, order: Diplomacy) -> Iterator[Diagnostic]:
    t, world = T.of(board), world_of(board)
    if order.declare is not None:
        yield from _declaration(board, faction, order.declare)
        return
    other = order.offer or order.accept or ""
    path = "offer" if order.offer else "accept"
    if other not in world.enemies(faction):
        yield illegal("E-WAR-01", RULE, Message("totaler-krieg.politics.no-other-faction", other=other), path)
    elif order.offer and order.turns is None:
        yield illegal("E-WAR-01", RULE, Message("totaler-krieg.politics.offer-of-truce-names-turns"), "turns")
    elif order.accept and not any(
        truce.offered_by == other and truce.to == faction and not truce.accepted for truce in t.truces
    ):
        yield illegal(
            "E-WAR-01", RULE, Message("totaler-krieg.politics.has-offered-no-truce", other=other), path
        )


def _declaration(board: Game, faction: str, country: str) -> Iterator[Diagnostic]:
    t, world, ground = T.of(board), world_of(board), Ground(board)
    state = t.countries.get(country)
    if state is None:
        yield illegal(
            "E-WAR-01", RULE, Message("totaler-krieg.politics.no-country", country=country), "declare"
        )
        return
    if state.status != "neutral" and ground.posture(country, faction) == "war":
        yield illegal(
            "E-WAR-01",
            RULE,
            Message("totaler-krieg.politics.war-with-already", faction=faction, country=country),
            "declare",
        )
    allowed = world.may_declare.get((faction, country))
    if allowed is None or not allowed.holds(board):
        yield illegal(
            "E-WAR-01",
            RULE,
            Message("totaler-krieg.politics.may-not-declare-war-on-now", faction=faction, country=country),
            "declare",
        )
    if t.war_state == "limited" and faction != world.factions[0]:
        yield illegal(
            "E-WAR-01", "2.8", Message("totaler-krieg.politics.limited-war-allies-may-not-declare"), "declare"
        )


async def conduct(game: Game, faction: str, order: Diplomacy) -> None:
    """4.10: Carry out a declaration, an offer or an acceptance."""
    t, world = T.of(game), world_of(game)
    if order.declare is not None:
        country = order.declare
        joined = ""
        if t.countries[country].status == "neutral":
            joined = world.countries[country].responds_to or ""
            game.emit(WarDeclared(faction, country, joined))
            await activate(game, country, joined)
        else:
            game.emit(WarDeclared(faction, country, joined))
        set_posture(game, country, faction, "war")
    elif order.offer is not None and order.turns is not None:
        t.truces = (*t.truces, Truce(faction, order.offer, order.turns))
        game.emit(Truced(faction, order.offer, "offers", order.turns))
    elif order.accept is not None:
        _accept(game, faction, order.accept)


def _accept(game: Game, faction: str, other: str) -> None:
    """R-113: Accept a truce at once, for all countries of one side at war with the other."""
    t = T.of(game)
    offer = next(
        truce
        for truce in t.truces
        if truce.offered_by == other and truce.to == faction and not truce.accepted
    )
    bound = []
    for side, against in ((faction, other), (other, faction)):
        for country, state in sorted(t.countries.items()):
            if state.alignment == side and t.postures.get(country, {}).get(against, "war") == "war":
                set_posture(game, country, against, "truce")
                bound.append(country)
    held = Truce(offer.offered_by, offer.to, offer.turns, True, tuple(bound))
    t.truces = tuple(held if truce == offer else truce for truce in t.truces)
    game.emit(Truced(faction, other, "accepts", offer.turns))


def count_down(game: Game, faction: str) -> None:
    """R-113: Count down the truces in the offerer's segment 6.1. An unaccepted offer ends."""
    t = T.of(game)
    kept = []
    for truce in t.truces:
        if truce.offered_by != faction:
            kept.append(truce)
            continue
        if not truce.accepted:
            continue
        left = replace(truce, turns=truce.turns - 1)
        if left.turns > 0:
            kept.append(left)
            continue
        for side, against in ((truce.offered_by, truce.to), (truce.to, truce.offered_by)):
            for country in truce.countries:
                if t.countries[country].alignment == side:
                    set_posture(game, country, against, "war")
        game.emit(Truced(truce.offered_by, truce.to, "ended", 0))
    t.truces = tuple(kept)
