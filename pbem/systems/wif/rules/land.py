"""Movement on land and by rail (4.7.1, 4.7.2)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kit.paths import flood, reach
from pbem.rules import Game, Message

from .entries import Carry, Move
from .events.moving import Marched, PortDamaged, Railed, Taken
from .events.reorganizing import Destroyed, Turned
from .ground import Ground
from .pieces import (
    T,
    Unit,
    controller,
    destroy,
    held_by,
    limit,
    maybe_unit,
    side,
    take,
    turn_down,
    use,
    used,
    weather_at,
)
from .plans import Refusal
from .retreating import damage_port, flee, has_room, left_hex, no_room, overrun
from .sources import Supply
from .world import world_of

MOVE = "E-MOVE"


def own_unit(game: Game, player: str, id: str | None) -> Unit | Refusal:
    """Return a unit that this player orders now, or the reason why it is not."""
    u = maybe_unit(game, id)
    if u is None:
        return Refusal("E-UNIT", Message("wif.battle.no-such-unit-of-yours", id=id))
    if game.seat(u.owner) != player or side(game, u) != T.of(game).phasing:
        return Refusal("E-UNIT", Message("wif.land.unit-of-whom-you-do-not-order", id=id, owner=u.owner))
    return u


def activity(game: Game, power: str, name: str, count: int = 1) -> Refusal | None:
    """5.5: Return a refusal if the power has passed or has used up this activity."""
    if T.of(game).action.get(power, "pass") == "pass":
        return Refusal("E-PASS", Message("wif.land.has-passed", power=power))
    most = limit(game, power, name)
    if most is not None and used(game, power, name) + count > most:
        return Refusal("E-LIMIT", Message("wif.land.activity-limit", name=name, most=most))
    return None


class Land:
    """Land movement of a side in one step. Its ground is worked out once, as none fight meanwhile."""

    def __init__(self, game: Game, own: str) -> None:
        self.game, self.side, self.world = game, own, world_of(game)
        self.ground = Ground(game, own)
        self._supply: Supply | None = None

    def cost(self, u: Unit, start: str, to: str) -> int | None:
        """4.7.1: Return the movement points for a step, or None if it is closed."""
        world, chart = self.world, self.world.combat
        if to not in world.beside(start) or not world.land(to) or not world.open_side(start, to):
            return None
        if controller(self.game, to) is None or to in self.ground.enemies:
            return None
        kind = world.terrain[to]
        extra = int(chart["mechanised"].get(kind, 0)) if u.print.mechanised else 0
        wet = int(world.weather_chart["wet"].get(weather_at(self.game, to), 0))
        return int(chart["move"][kind]) + extra + wet

    def able(self, u: Unit) -> Refusal | None:
        """R-209: Return the reason why this unit cannot begin a move.

        It moves once in an impulse, by rail or on foot.
        """
        if u.print.arm != "land" or u.at_sea or u.aboard is not None:
            return Refusal(MOVE, Message("wif.land.no-land-unit-on-land", u=u.id))
        if u.down:
            return Refusal(MOVE, Message("wif.land.face-down", u=u.id))
        if u.id in T.of(self.game).moved:
            return Refusal(MOVE, Message("wif.land.has-moved-in-impulse", u=u.id))
        return activity(self.game, u.owner, "land_moves")

    def fault(self, player: str, order: Move) -> tuple[str, Refusal | None]:
        """Return the owner of an order, and its fault."""
        u = own_unit(self.game, player, order.unit)
        if isinstance(u, Refusal):
            return "", u
        return u.owner, self.able(u) or self._path_fault(u, order.path)

    def _path_fault(self, u: Unit, path: tuple[str, ...]) -> Refusal | None:
        if not path:
            return Refusal(MOVE, Message("wif.land.move-has-path"))
        at, spent = u.place, 0
        for n, to in enumerate(path):
            cost = self.cost(u, at, to)
            if cost is None:
                return Refusal(MOVE, Message("wif.land.cannot-enter", u=u.id, to=to, here=at))
            if n and at in self.ground.zoc:
                return Refusal(MOVE, Message("wif.land.entered-enemy-zone-of-control", u=u.id, here=at))
            spent += cost
            if spent > u.print.move and len(path) > 1:
                return Refusal(
                    MOVE, Message("wif.land.costs-has", to=to, spent=spent, u=u.id, move=u.print.move)
                )
            at = to
        return no_room(self.game, u, at)

    def ways(self, u: Unit) -> Iterator[tuple[tuple[str, ...], int]]:
        """Yield the cheapest path to every hex that a unit can reach, with its cost."""
        if self.able(u) is not None:
            return
        world = self.world
        reached = reach(
            world.map.table,
            world.index[u.place],
            u.print.move,
            lambda a, b: self.cost(u, world.locations[a], world.locations[b]),
            stop=lambda i: world.locations[i] in self.ground.zoc,
            first_hex_always=True,
        )
        for i, cost in reached.costs.items():
            end = world.locations[i]
            if end != u.hex and has_room(self.game, u, end):
                yield tuple(world.locations[j] for j in reached.way(i)[1:]), cost

    def march(self, u: Unit, path: tuple[str, ...]) -> None:
        """4.7.1: Move the unit. It takes enemy hexes on its way.

        If it ends out of supply, it turns face-down, whatever moves after it (R-201).
        """
        game, origin, taken = self.game, u.place, False
        game.emit(Marched(u.owner, u.id, origin, path))
        for hex in path:
            u.hex = hex
            if not u.print.support:
                taken = not held_by(game, hex, self.side) or taken
                capture(game, hex, u.owner)
        for turned in left_hex(game, u, origin):
            game.emit(
                Turned(
                    turned.owner,
                    turned.id,
                    "down",
                    Message("wif.land.active-supply-unit-or-headquarters-moved"),
                )
            )
        t = T.of(game)
        t.moved = (*t.moved, u.id)
        use(game, u.owner, "land_moves")
        if self._supply is None:
            self._supply = Supply(game, self.side)
        else:
            source = u.print.headquarters or u.type == "SUPPLY"
            self._supply.moved((origin, *path), sources=taken or source)
        if not u.down and not self._supply.in_supply(u):
            turn_down(u)
            game.emit(Turned(u.owner, u.id, "down", Message("wif.land.ended-move-out-of-supply")))


def capture(game: Game, hex: str, power: str, *, damages: bool = False) -> None:
    """Take a hex: control, units that are driven out, and with `damages` a damaged port."""
    world = world_of(game)
    if held_by(game, hex, world.side_of[power]):
        return
    for u, to in overrun(game, hex, world.side_of[power]):
        if to is None:
            game.emit(Destroyed(u.owner, (u.id,), Message("wif.battle.taken", hex=hex)))
            destroy(game, u)
        else:
            flee(game, u, to)
            game.emit(Turned(u.owner, u.id, "down", Message("wif.land.driven-out", hex=hex, to=to)))
    changed = take(game, hex, power)
    if changed is not None:
        game.emit(Taken(changed.after, hex, changed.before))
    if damages and damage_port(game, hex):
        game.emit(PortDamaged(hex))


def rail_fault(game: Game, ground: Ground, player: str, order: Carry) -> tuple[str, Refusal | None]:
    """4.7.2: Return the owner of a rail move, and its fault."""
    u = own_unit(game, player, order.unit)
    if isinstance(u, Refusal):
        return "", u
    world, t = world_of(game), T.of(game)
    if t.action.get(u.owner, "pass") == "pass":
        return u.owner, Refusal("E-PASS", Message("wif.land.has-passed", power=u.owner))
    kinds = world.activity["rail_kinds"].get(t.action.get(u.owner), ("land", "air"))
    if world.options.get("impulse_choices", True) and u.print.arm not in kinds:
        return u.owner, Refusal(MOVE, Message("wif.land.action-moves-no-units-by-rail", arm=u.print.arm))
    if u.print.arm == "sea" or u.aboard is not None or u.at_sea or u.id in t.moved:
        return u.owner, Refusal(MOVE, Message("wif.land.cannot-go-by-rail-now", u=u.id))
    if t.rail_left.get(u.owner, 0) <= 0:
        return u.owner, Refusal(
            "E-LIMIT",
            Message("wif.land.activity-limit-for-rail-moves", limit=limit(game, u.owner, "rail_moves") or 0),
        )
    if order.to is None or order.to not in rail_reach(game, ground, u):
        return u.owner, Refusal(MOVE, Message("wif.land.no-free-railway-leads", hex=u.hex, to=order.to))
    return u.owner, no_room(game, u, order.to)


def rail_reach(game: Game, ground: Ground, u: Unit) -> set[str]:
    """Return the hexes joined by rail through friendly hexes free of enemy zones of control."""
    world, start = world_of(game), u.place

    def free(hex: str) -> bool:
        clear = hex not in ground.enemies and (hex not in ground.zoc or hex in ground.ours)
        return clear and held_by(game, hex, ground.side)

    return set(flood([start], lambda hex: filter(free, world.linked("rail", hex)))) - {start}


def by_rail(game: Game, u: Unit, to: str) -> None:
    """Move the unit by rail."""
    t, origin = T.of(game), u.place
    u.hex = to
    t.rail_left[u.owner] = t.rail_left.get(u.owner, 0) - 1
    t.moved = (*t.moved, u.id)
    game.emit(Railed(u.owner, u.id, origin, to))
    for turned in left_hex(game, u, origin):
        game.emit(
            Turned(
                turned.owner, turned.id, "down", Message("wif.land.active-supply-unit-or-headquarters-moved")
            )
        )
