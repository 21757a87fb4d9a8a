"""I.3: Steps b to e, h to l, n, o: moves at sea, on land and by rail, rebasing, combat."""

from __future__ import annotations

from pbem.rules import Game, Message, ask, procedure

from ..asking import left_undone, wants
from ..battle import Battle, attack_fault
from ..decisions.replies import NavalResponse, opponents
from ..entries import Attack
from ..events.turn import AnsweredBy
from ..land import capture
from ..listed import chosen, counted, orders, plain
from ..naval import defended, down, fight_at_sea, fighting_areas
from ..pieces import T, Unit, maybe_unit, use
from ..world import world_of


@procedure("naval_air", rule="4.7.3")
@counted("b")
async def naval_air(game: Game, phasing: str | None) -> None:
    """Fly aircraft to sea areas (step b)."""
    await plain(game, "b")


@procedure("naval_moves", rule="4.7.3")
@counted("c")
async def naval_moves(game: Game, phasing: str | None) -> None:
    """Move ships with their loads (step c)."""
    await plain(game, "c")


@procedure("own_naval_combat", rule="4.7.3")
@counted("d")
async def own_naval_combat(game: Game, phasing: str | None) -> None:
    """Fight at sea in the areas that the phasing side names (step d)."""
    impulse, listed = await orders(game, "d")
    for entry in list(listed):
        order = chosen(game, impulse, "d", entry)
        if order is not None:
            use(game, order.power, "own_naval_combat")
            await fight_at_sea(game, world_of(game).area_of[order.way.area], impulse.side)


@procedure("their_naval_combat", rule="4.7.3")
async def their_naval_combat(game: Game, phasing: str | None) -> None:
    """Fight at sea in the areas that the other side names (step e)."""
    t, world = T.of(game), world_of(game)
    theirs = world.enemy(t.phasing or "")
    for player in opponents(game):
        areas = tuple(a for a in fighting_areas(game, theirs) if a not in t.fought)
        if not areas:
            return
        asked = await wants(game, player, "I.3e")
        chosen = await ask(NavalResponse(player, areas, asked))
        if chosen and not asked:
            game.emit(AnsweredBy(player, "I.3e", "naval_response"))
        elif not asked:
            await left_undone(game, player, "naval_response")
        for area in chosen:
            if area in fighting_areas(game, theirs) and area not in t.fought:
                await fight_at_sea(game, area, theirs)


@procedure("rail_moves", rule="4.7.2")
@counted("h")
async def rail_moves(game: Game, phasing: str | None) -> None:
    """Carry out rail moves (step h)."""
    await plain(game, "h")


@procedure("land_moves", rule="4.7.1")
@counted("i")
async def land_moves(game: Game, phasing: str | None) -> None:
    """Carry out land moves. A unit that ends out of supply turns face-down (step i)."""
    await plain(game, "i")


@procedure("air_transport", rule="4.7.6")
@counted("j")
async def air_transport(game: Game, phasing: str | None) -> None:
    """Carry units by air between friendly cities (step j)."""
    await plain(game, "j")


async def _ships_down(game: Game, step: str) -> None:
    for id in await plain(game, step):
        u = maybe_unit(game, id)
        if u is not None:
            down(game, u, Message("wif.steps.put-units-ashore"))


@procedure("debarkation", rule="4.7.6")
@counted("k")
async def debarkation(game: Game, phasing: str | None) -> None:
    """Land units at sea in friendly ports (step k)."""
    await _ships_down(game, "k")


@procedure("invasions", rule="4.7.6")
@counted("l")
async def invasions(game: Game, phasing: str | None) -> None:
    """Land units at sea on enemy coasts. Against defenders they fight at step n (step l)."""
    await _ships_down(game, "l")


@procedure("rebasing", rule="4.7.8")
@counted("o")
async def rebasing(game: Game, phasing: str | None) -> None:
    """Change the bases of aircraft (step o)."""
    await plain(game, "o")


@procedure("land_combat", rule="4.7.7")
@counted("n")
async def land_combat(game: Game, phasing: str | None) -> None:
    """Fight attacks as listed, then the landings that no attack named (step n)."""
    t = T.of(game)
    impulse, listed = await orders(game, "n")
    for entry in list(listed):
        order = chosen(game, impulse, "n", entry)
        if order is not None:
            await Battle(game, order.power, order.way).fight()
    for hex in sorted(set(t.invading.values())):
        ids = tuple(
            id for id, to in sorted(t.invading.items()) if to == hex and maybe_unit(game, id) is not None
        )
        if not ids:
            continue
        power = Unit(game, ids[0]).owner
        own = t.phasing or ""
        if not defended(game, hex, own):
            for id in ids:
                _walk_ashore(game, id, hex)
            continue
        attack = Attack(hex, ids)
        if attack_fault(game, game.seat(power), attack)[1] is None:
            await Battle(game, power, attack).fight()
        else:
            Battle(game, power, attack).fail()
    t.invading = {}


def _walk_ashore(game: Game, id: str, hex: str) -> None:
    """Land a unit whose defenders are gone."""
    u = Unit(game, id)
    u.hex, u.aboard = hex, None
    capture(game, hex, u.owner, damages=True)
