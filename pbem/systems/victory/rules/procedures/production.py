"""Node 5, Production (rule 4.10): points, orders of all players at once, growth of resource blocks."""

from __future__ import annotations

from pbem.rules import Game, Message, ask_all, procedure

from ..blocks import place_new, units
from ..decisions.production import Ledger, Production, ProductionOrder
from ..events import production as told
from ..sides import Side, controller
from ..state import State, in_play
from ..supply import city_yield
from ..world import world_of


@procedure("collect", rule="4.10.1")
async def collect(game: Game, phasing: str | None) -> None:
    """4.10.1: Report the points of every city to its controller; spending computes them again."""
    world = world_of(game)
    for hex, base in world.bases.items():
        owner = controller(game, hex)
        if base.city and owner is not None:
            pp = city_yield(game, hex, bool(game.options["city_supply"]))
            game.emit(told.PointsCollected(owner, hex, world.place(hex), pp))


@procedure("spend", rule="4.10.2")
async def spend(game: Game, phasing: str | None) -> None:
    """4.10.2-4.10.5: Ask all players at once for deliveries and purchases.

    Every account is opened before the first purchase, so that all are simultaneous.
    """
    players = in_play(game)
    answers = await ask_all([Production(player) for player in players])
    ledgers = [Ledger(game, player) for player in players]
    for accounts, answer in zip(ledgers, answers, strict=True):
        _carry_out(game, accounts, answer)


def _carry_out(game: Game, accounts: Ledger, order: ProductionOrder) -> None:
    """4.10.7: Apply a player's deliveries and purchases, and report each."""
    world, player = world_of(game), accounts.player
    for id in order.deliver:
        hex, cv, pp = accounts.deliver(id)
        game.emit(told.ResourceDelivered(player, hex, world.place(hex), cv, world.bases[hex].pp, pp))
    for purchase in order.spend:
        price = accounts.price(purchase)
        hex, id, before, now = accounts.spend(purchase)
        if purchase.how == "build":
            game.emit(told.UnitBuilt(player, id, purchase.what, hex, now, price))
        else:
            game.emit(told.UnitReinforced(player, id, hex, before, now, price))
    built = list(accounts.new.values())
    for hex in sorted(dict.fromkeys(built)):
        game.emit(told.BlocksBuilt(player, hex, world.place(hex), built.count(hex)))
    for hex in sorted(accounts.points):
        if accounts.left(hex) > 0:
            game.emit(told.PointsLost(player, hex, world.place(hex), accounts.left(hex)))


@procedure("grow_resources", rule="4.10.6")
async def grow_resources(game: Game, phasing: str | None) -> None:
    """4.10.6: Add a step to the resource block on each controlled site, or add a new block."""
    for site in world_of(game).sites:
        owner = controller(game, site)
        if owner is not None:
            _grow(game, site, owner)


def _grow(game: Game, site: str, owner: str) -> None:
    side, most = Side(game, owner), world_of(game).numbers.rs_max
    there = [u for u in units(game, owner, site) if u.type == "RS"]
    growing = next((u for u in there if u.cv < most), None)
    if growing is not None:
        growing.gain_step()
        game.emit(told.ResourceGrew(owner, site))
    elif there:
        game.emit(
            told.ResourceStayed(
                owner, site, Message("victory.production.resource-block-has-steps", most=most)
            )
        )
    elif State.of(game).pool.get(owner, {}).get("RS", 0) < 1:
        game.emit(told.ResourceStayed(owner, site, Message("victory.production.no-resource-block-in-pool")))
    elif side.enemy_in(site):
        game.emit(told.ResourceStayed(owner, site, Message("victory.production.an-enemy-block-stands-there")))
    elif not side.room(site, "RS"):
        game.emit(
            told.ResourceStayed(
                owner, site, Message("victory.production.stack-limit-for-logistic-blocks-reached")
            )
        )
    else:
        place_new(game, owner, "RS", world_of(game).types["RS"].steps[-1], site)
        game.emit(told.ResourceAppeared(owner, site))
