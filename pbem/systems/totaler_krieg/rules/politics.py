"""4.5, 4.10, 4.15.3: Countries that join, fall and come back; political events; war and truce."""

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
    """Set a country's posture; return True if it changed."""
    t = T.of(board)
    before = dict(t.postures.get(country, {}))
    if before.get(faction, "war") == posture:
        return False
    t.postures[country] = {**before, faction: posture}
    return True


def realign(game: Board, country: str, state: State) -> None:
    """2.8, R-105: Give a country that changes its alignment the postures of its new faction."""
    t, world = T.of(game), world_of(game)
    t.countries[country] = state
    majors = [
        id
        for id, one in sorted(world.countries.items())
        if one.kind == "major" and t.countries[id].alignment == state.alignment and id != country
    ]
    if majors:
        t.postures[country] = dict(t.postures.get(majors[0], {}))


async def activate(game: Game, country: str, faction: str) -> None:
    """4.15.3: Activate a Minor Country with a faction; a die of its units are turned at once."""
    world = world_of(game)
    realign(game, country, State("active", faction))
    placed: list[Piece] = []
    for row in world.countries[country].setup:
        one = piece(game, row.unit)
        one.owner = faction
        if one.print.exp:
            send(one, "delay")
        elif one.print.res:
            send(one, "pool")
        else:
            put(one, row.hex, 1)
            placed.append(one)
    die = await roll("1d6", "mobilization", T.of(game).turn, country)
    able = tuple(one.id for one in sorted(placed, key=lambda one: one.id) if 2 in one.print.faces)
    count = min(die.total, len(able))
    turned: tuple[str, ...] = able[:count]
    if 0 < count < len(able):
        chosen = await ask_quoted(game, Mobilize(game.seat(faction), faction, country, count, able))
        turned = (*chosen, *(id for id in able if id not in chosen))[:count]
    for id in turned:
        piece(game, id).steps = 2
    game.emit(Mobilized(country, faction, die, tuple(one.id for one in placed), turned))


def conquer(board: Board, country: str, by: str) -> bool:
    """R-111: Take a country's ground units, and the partisan bases in it, out of the game.

    The ground units wherever they are.
    """
    t, world = T.of(board), world_of(board)
    state = t.countries[country]
    if state.status == "conquered" and state.conqueror == by:
        return False
    t.countries[country] = State("conquered", state.alignment, by)
    gone = [one for one in pieces(board) if one.country == country and one.print.ground and one.spot != "out"]
    gone += [
        one
        for one in pieces(board, spot="map")
        if one.role == "partisan" and world.country_of(one.hex or "") == country
    ]
    for one in gone:
        send(one, "out")
    before = t.removed.get(country, ())
    t.removed[country] = (*before, *(one.id for one in gone if one.print.ground and one.id not in before))
    return True


def liberate(board: Board, country: str, faction: str) -> bool:
    """R-111: Activate a country again with a faction; what conquest removed comes into its Force Pool."""
    t, world = T.of(board), world_of(board)
    state = t.countries[country]
    if state.status == "active" and state.alignment == faction:
        return False
    realign(board, country, State("active", faction))
    for one in (piece(board, id) for id in t.removed.get(country, ())):
        if one.spot == "out":
            one.owner = faction
            send(one, "pool")
    for one in pieces(board, spot="map"):
        if one.role == "partisan" and world.country_of(one.hex or "") == country:
            send(one, "pool")
    t.removed.pop(country, None)
    return True


async def eliminate_steps(game: Game, faction: str, country: str, n: int) -> None:
    """5.14: Take n steps of the owner's choice from a country's units; all of them if they have fewer."""
    on_map = [one for one in pieces(game, faction, "map") if one.role == "ground" and one.country == country]
    if not on_map:
        return
    able = tuple(one.id for one in on_map)
    asked = EventLosses(game.seat(faction), faction, country, n, able)
    answer: tuple[str, ...] = await ask_quoted(game, asked)
    chosen = list(answer)
    ids = list(able)
    for _ in range(n):
        alive = [id for id in ids if (one := maybe_piece(game, id)) is not None and one.spot == "map"]
        if not alive:
            return
        id = next((id for id in chosen if id in alive), min(alive))
        if id in chosen:
            chosen.remove(id)
        one = piece(game, id)
        lost = lose_step(game, one, await stand_in(game, one))
        if lost.instead and lost.instead not in ids:
            ids.append(lost.instead)
        game.emit(StepLost(faction, lost.unit, lost.hex, lost.left, lost.instead, lost.went, lost.steps))


async def resolve(game: Game, table: str) -> None:
    """4.5: Roll the die of a table with the Political DRM, from 1 to 6; apply the effects of that face."""
    t, world = T.of(game), world_of(game)
    faction = t.acting
    drm = t.drm[faction]["political"]
    die = await roll("1d6", "political", t.turn, faction, table)
    face = max(FIRST_DIE, min(LAST_DIE, die.total + drm))
    effects = world.tables_of_events[table].results[face]
    game.emit(PoliticalRolled(faction, table, die, drm, face, tuple(one.verb for one in effects)))
    await apply(game, effects)


async def apply(game: Game, effects: tuple[Effect, ...]) -> None:
    """Apply effects in the order listed; what ends the game ends them."""
    for one in effects:
        if T.of(game).result is None:
            await one.run(game)


# 6.1


def diplomacy_faults(board: Game, faction: str, given: Diplomacy) -> list[Diagnostic]:
    """4.10: Return the faults of a declaration, an offer or an acceptance."""
    named = [name for name in (given.declare, given.offer, given.accept) if name is not None]
    if len(named) != 1:
        return [illegal("E-WAR-01", RULE, Message("totaler-krieg.politics.one-of-declare"))]
    return list(_faults(board, faction, given))


def _faults(board: Game, faction: str, given: Diplomacy) -> Iterator[Diagnostic]:
    t, world = T.of(board), world_of(board)
    if given.declare is not None:
        yield from _declaration(board, faction, given.declare)
        return
    other = given.offer or given.accept or ""
    path = "offer" if given.offer else "accept"
    if other not in world.enemies(faction):
        yield illegal("E-WAR-01", RULE, Message("totaler-krieg.politics.no-other-faction", other=other), path)
    elif given.offer and given.turns is None:
        yield illegal("E-WAR-01", RULE, Message("totaler-krieg.politics.offer-of-truce-names-turns"), "turns")
    elif given.accept and not any(
        one.offered_by == other and one.to == faction and not one.accepted for one in t.truces
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


async def conduct(game: Game, faction: str, given: Diplomacy) -> None:
    """4.10: Carry out a declaration, an offer, an acceptance."""
    t, world = T.of(game), world_of(game)
    if given.declare is not None:
        country = given.declare
        joined = ""
        if t.countries[country].status == "neutral":
            joined = world.countries[country].responds_to or ""
            game.emit(WarDeclared(faction, country, joined))
            await activate(game, country, joined)
        else:
            game.emit(WarDeclared(faction, country, joined))
        set_posture(game, country, faction, "war")
    elif given.offer is not None and given.turns is not None:
        t.truces = (*t.truces, Truce(faction, given.offer, given.turns))
        game.emit(Truced(faction, given.offer, "offers", given.turns))
    elif given.accept is not None:
        _accept(game, faction, given.accept)


def _accept(game: Game, faction: str, other: str) -> None:
    """R-113: Accept a truce: valid at once, for all countries of both that are at war with the other."""
    t = T.of(game)
    found = next(
        one for one in t.truces if one.offered_by == other and one.to == faction and not one.accepted
    )
    bound = []
    for one, against in ((faction, other), (other, faction)):
        for country, state in sorted(t.countries.items()):
            if state.alignment == one and t.postures.get(country, {}).get(against, "war") == "war":
                set_posture(game, country, against, "truce")
                bound.append(country)
    held = Truce(found.offered_by, found.to, found.turns, True, tuple(bound))
    t.truces = tuple(held if one == found else one for one in t.truces)
    game.emit(Truced(faction, other, "accepts", found.turns))


def count_down(game: Game, faction: str) -> None:
    """R-113: Count down the truces in the offerer's 6.1; an offer that nobody took is void."""
    t = T.of(game)
    kept = []
    for one in t.truces:
        if one.offered_by != faction:
            kept.append(one)
            continue
        if not one.accepted:
            continue
        left = replace(one, turns=one.turns - 1)
        if left.turns > 0:
            kept.append(left)
            continue
        for side, against in ((one.offered_by, one.to), (one.to, one.offered_by)):
            for country in one.countries:
                if t.countries[country].alignment == side:
                    set_posture(game, country, against, "war")
        game.emit(Truced(one.offered_by, one.to, "ended", 0))
    t.truces = tuple(kept)
