"""Ships: moves, loading, combat, landing (4.7.3, 4.7.6)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from fractions import Fraction

from pbem.rules import Game, Message, Roll, ask, roll

from .asking import left_undone, wants
from .decisions.replies import NavalLoss
from .entries import Carry, Sail, SeaFlight
from .events.moving import Flew, Landed, NavalSearch, NavalShots, Sailed
from .events.reorganizing import Destroyed, Turned
from .flying import legal_bases, sea_distance
from .land import MOVE, activity, capture, own_unit
from .pieces import (
    T,
    Unit,
    controller,
    destroy,
    grounded,
    held_by,
    maybe_unit,
    port_damaged,
    round_half_up,
    side,
    side_units,
    turn_down,
    units,
    use,
)
from .plans import Refusal
from .retreating import friendly_ports, has_room, left_hex, no_room, room_for_all
from .world import world_of


def areas_between(game: Game, start: str | None, area: str) -> int | None:
    """4.7.3: Return the number of sea areas that a move to an area enters, from sea or from a port."""
    world = world_of(game)
    origin = world.area_of.get(start or "")
    near = [origin] if origin is not None else list(world.coasts.get(start or "", ()))
    entered = 0 if origin is not None else 1
    seen = set(near)
    while near:
        if area in near:
            return entered
        near = [n for a in near for n in world.linked("sea_lane", a) if n not in seen]
        seen |= set(near)
        entered += 1
    return None


def to_port(game: Game, start: str | None, port: str) -> int | None:
    """Return the number of sea areas that a move to a port enters."""
    distances = [
        n for a in world_of(game).coasts.get(port, ()) if (n := areas_between(game, start, a)) is not None
    ]
    return min(distances, default=None)


def ports_in_range(game: Game, u: Unit) -> list[str]:
    """4.7.3, R-303: Return the friendly ports in a ship's range, the nearest first, then by id."""
    distances = {
        p: n for p in friendly_ports(game, side(game, u)) if (n := to_port(game, u.hex, p)) is not None
    }
    return sorted((p for p, n in distances.items() if n <= u.print.range), key=lambda p: (distances[p], p))


def sail_fault(game: Game, player: str, order: Sail) -> tuple[str, Refusal | None]:
    """Return the owner of a naval move, and its fault (step c)."""
    ships: list[Unit] = []
    for id in order.ships:
        u = own_unit(game, player, id)
        if isinstance(u, Refusal):
            return "", u
        ships.append(u)
    if not ships:
        return "", Refusal(MOVE, Message("wif.naval.naval-move-names-ships"))
    power = ships[0].owner
    t, world = T.of(game), world_of(game)
    for u in ships:
        if u.print.arm != "sea" or u.down or u.id in t.moved or u.owner != power:
            return power, Refusal(MOVE, Message("wif.naval.no-face-up-ship", u=u.id, power=power))
        if (u.area or u.hex) != (ships[0].area or ships[0].hex):
            return power, Refusal(MOVE, Message("wif.naval.ships-of-move-begin-in-one-port"))
    reach = min(u.print.range for u in ships)
    area = world.area_of.get(order.to or "")
    if area is not None:
        entered = areas_between(game, ships[0].hex, area)
    elif order.to in friendly_ports(game, side(game, ships[0])) and order.to is not None:
        entered = to_port(game, ships[0].hex, order.to)
    else:
        return power, Refusal(MOVE, Message("wif.naval.neither-sea-area-nor-friendly-port", to=order.to))
    if entered is None or entered > reach:
        return power, Refusal(
            MOVE, Message("wif.naval.sea-areas-away", to=order.to, entered=entered, most=reach)
        )
    highest = _box(game, ships, entered)
    if order.box is not None and (area is None or order.box > highest):
        return power, Refusal(MOVE, Message("wif.naval.highest-box", highest=highest))
    fault = _load_fault(game, player, ships, order) or activity(game, power, "naval_moves")
    if fault is None and area is None:
        fault = cargo_fault(game, ships, order.to or "", loaded_by(order))
    return power, fault


def loaded_by(order: Sail) -> list[str]:
    """Return the land units that go aboard by a naval move."""
    return [id for ids in (order.load or {}).values() for id in ids]


def cargo_fault(game: Game, ships: Sequence[Unit], port: str, loaded: Sequence[str] = ()) -> Refusal | None:
    """R-214: Return a refusal if a port has no room for the cargo of these ships."""
    cargo = [u for ship in ships for u in aboard(game, ship.id)] + [Unit(game, id) for id in loaded]
    if room_for_all(game, cargo, port):
        return None
    return Refusal(MOVE, Message("wif.naval.no-room-in-for-what-aboard", port=port), crowds=True)


def unload(game: Game, ship: Unit, port: str, *, ordered: bool = False) -> None:
    """4.7.3: Land a ship's cargo in a port hex. It stays aboard if it finds no room.

    A ship `ordered` there always lands it, for its room is judged with the step (R-214, R-216).
    """
    for u in aboard(game, ship.id):
        u.hex = port
        if ordered or has_room(game, u, port):
            u.aboard = None


def _box(game: Game, ships: Sequence[Unit], entered: int) -> int:
    most = int(world_of(game).combat["naval"]["box"])
    return max(0, min(most, min(u.print.move for u in ships) - entered))


def _load_fault(game: Game, player: str, ships: Sequence[Unit], order: Sail) -> Refusal | None:
    """R-105: Return the fault of a load.

    TRS carry 1 corps or 2 divisions, AMPH 1 MAR or division. The cargo is in the ships' port and
    has not moved.
    """
    taken: set[str] = set()
    for id, cargo in (order.load or {}).items():
        ship = next((u for u in ships if u.id == id), None)
        if ship is None or ship.type not in world_of(game).units["transports"] or ship.at_sea:
            return Refusal(MOVE, Message("wif.naval.cannot-load", id=id))
        room, kinds = 0, []
        for unit in cargo:
            u = own_unit(game, player, unit)
            if isinstance(u, Refusal):
                return u
            if (
                u.print.arm != "land"
                or u.hex != ship.hex
                or u.aboard
                or u.id in T.of(game).moved
                or unit in taken
            ):
                return Refusal(MOVE, Message("wif.naval.cannot-go-aboard", one=unit, id=id))
            taken.add(unit)
            kinds.append(u)
            room += 2 if u.print.corps else 1
        if ship.type == "AMPH":
            fits = len(kinds) <= 1 and all(u.type == "MAR" or not u.print.corps for u in kinds)
        else:
            fits = room <= int(world_of(game).combat["naval"]["capacity"]["TRS"])
        if not fits:
            return Refusal(MOVE, Message("wif.naval.cannot-carry-so-much", id=id))
    return None


def sail(game: Game, order: Sail) -> None:
    """Move the ships with their cargo (step c)."""
    t, world = T.of(game), world_of(game)
    ships = [Unit(game, id) for id in order.ships]
    power, origin = ships[0].owner, ships[0].place
    area = world.area_of.get(order.to or "")
    entered = (areas_between(game, origin, area) if area else to_port(game, origin, order.to or "")) or 0
    highest = _box(game, ships, entered)
    to = f"{area}.{min(highest, order.box if order.box is not None else highest)}" if area else order.to or ""
    loaded: list[str] = []
    for ship, cargo in (order.load or {}).items():
        for unit in cargo:
            u = Unit(game, unit)
            for turned in left_hex(game, u, u.place):
                game.emit(Turned(turned.owner, turned.id, "down", Message("wif.naval.carried-away")))
            u.aboard = ship
            loaded.append(unit)
    for u in ships:
        u.hex = to
        if not area:
            unload(game, u, to, ordered=True)
        for cargo_unit in aboard(game, u.id):
            cargo_unit.hex = to
    t.moved = (*t.moved, *order.ships, *loaded)
    use(game, power, "naval_moves")
    game.emit(Sailed(power, order.ships, origin, to, tuple(loaded)))
    if not area:
        for u in ships:
            down(game, u, Message("wif.naval.returned-to-port"))


def down(game: Game, u: Unit, reason: str) -> None:
    """Turn a unit face-down, and report it."""
    if not u.down:
        turn_down(u)
        game.emit(Turned(u.owner, u.id, "down", reason))


def aboard(game: Game, ship: str) -> list[Unit]:
    return [u for u in units(game) if u.aboard == ship]


def sea_flight_fault(game: Game, player: str, order: SeaFlight) -> tuple[str, Refusal | None]:
    """Return the owner of a naval air mission, and its fault (step b)."""
    world, power = world_of(game), ""
    area = world.area_of.get(order.area or "")
    if area is None or not order.aircraft:
        return power, Refusal(MOVE, Message("wif.naval.no-sea-area", area=order.area))
    for id in order.aircraft:
        u = own_unit(game, player, id)
        if isinstance(u, Refusal):
            return power, u
        power = power or u.owner
        if (
            u.owner != power
            or u.type not in world.units["naval_air"]
            or u.down
            or not world.land(u.hex or "")
        ):
            return power, Refusal("E-PROVIDER", Message("wif.naval.face-down-or-cannot-fly-to-sea", id=id))
        if grounded(game, area):
            return power, Refusal("E-WEATHER", Message("wif.naval.no-air-missions-in-storm-or-blizzard"))
        distance = sea_distance(world, u.place, area)
        if distance is None or distance > u.print.range:
            return power, Refusal(
                "E-RANGE", Message("wif.flying.target-hexes-away", far=distance, most=u.print.range)
            )
    return power, activity(game, power, "air_missions", len(order.aircraft))


def fly_to_sea(game: Game, order: SeaFlight) -> None:
    """Move aircraft to the highest box that their range allows (step b)."""
    world = world_of(game)
    area = world.area_of[order.area or ""]
    for id in order.aircraft:
        u = Unit(game, id)
        origin = u.place
        box = min(int(world.combat["naval"]["box"]), u.print.range - (sea_distance(world, origin, area) or 0))
        u.hex = f"{area}.{box}"
        game.emit(Flew(u.owner, u.id, origin, u.hex))
        use(game, u.owner, "air_missions")


def fighting_areas(game: Game, announcing: str) -> list[str]:
    """R-210: Return the sea areas with face-up ships or aircraft of a side, and any of the other."""
    own: set[str] = set()
    theirs: set[str] = set()
    for u in units(game):
        if u.area is not None and u.print.arm != "land":
            if side(game, u) != announcing:
                theirs.add(u.area)
            elif not u.down:
                own.add(u.area)
    return sorted(own & theirs)


def combat_fault(game: Game, player: str, area: str | None) -> tuple[str, Refusal | None]:
    """Return the owner and the fault of a search: one fight in an area (step d, R-211)."""
    world, t = world_of(game), T.of(game)
    name, phasing = world.area_of.get(area or ""), t.phasing or ""
    own = [u for u in _fleet(game, name or "", phasing) if game.seat(u.owner) == player and not u.down]
    if name is None or name not in fighting_areas(game, phasing) or not own:
        return "", Refusal(MOVE, Message("wif.naval.both-sides", area=area))
    if name in t.fought:
        return own[0].owner, Refusal(MOVE, Message("wif.naval.has-seen-combat-in-impulse", name=name))
    return own[0].owner, activity(game, own[0].owner, "own_naval_combat")


def _fleet(game: Game, area: str, own: str) -> list[Unit]:
    """R-210: Return the ships and aircraft of a side in an area. Face-down ones are only targets."""
    return [u for u in side_units(game, own) if u.area == area and u.print.arm != "land"]


def _attack(u: Unit) -> int:
    if u.down:
        return 0
    return u.print.ats if u.print.arm == "air" else u.print.attack


async def fight_at_sea(game: Game, area: str, announcing: str) -> None:
    """4.7.3: Fight one round: both sides search, finders shoot, losses are applied together."""
    world, t = world_of(game), T.of(game)
    chart, other = world.combat["naval"], world.enemy(announcing)
    t.fought = (*t.fought, area)
    dice: dict[str, Roll] = {}
    needed: dict[str, int] = {}
    for own in (announcing, other):
        dice[own] = await roll("1d10", "search", area, own)
        needed[own] = int(chart["found"]) + max(
            (world.box(u.hex) for u in _fleet(game, area, own) if not u.down), default=0
        )
    finders = tuple(own for own in (announcing, other) if dice[own].total <= needed[own])
    fleets = {own: [u.id for u in _fleet(game, area, own)] for own in (announcing, other)}
    game.emit(NavalSearch(area, dice, needed, finders, tuple(fleets[announcing]), tuple(fleets[other])))
    if not finders:
        return
    attacks = {own: sum(_attack(Unit(game, id)) for id in fleets[own]) for own in fleets}
    aborted: list[str] = []
    sunk: list[str] = []
    for own in finders:
        await _shoot(game, area, own, attacks[own], list(fleets[world.enemy(own)]), aborted, sunk)
    for ids in fleets.values():
        for id in ids:
            u = Unit(game, id)
            if u.print.arm == "air" and id not in sunk and id not in aborted:
                down(game, u, Message("wif.naval.fought-sea"))
    for id in sunk:
        u = Unit(game, id)
        game.emit(Destroyed(u.owner, (id,), Message("wif.naval.sunk", area=area)))
        destroy(game, u)
    for id in aborted:
        if maybe_unit(game, id) is not None:
            retire(game, Unit(game, id), area)


async def _shoot(
    game: Game, area: str, own: str, attack: int, targets: list[str], aborted: list[str], sunk: list[str]
) -> None:
    """Shoot for one side, and add its hits to `aborted` and `sunk`, which are applied later."""
    world = world_of(game)
    chart = world.combat["naval"]
    shots = max(1, round_half_up(Fraction(attack, int(chart["per_shot"])))) if attack else 0
    dice: list[Roll] = []
    destroyed: list[str] = []
    returning: list[str] = []
    reminded = False
    for _ in range(shots):
        left = [id for id in targets if id not in destroyed and id not in returning]
        die = await roll("1d10", "shot", area, own)
        dice.append(die)
        if die.total < int(chart["aborts"]) or not left:
            continue
        hit = die.total >= int(chart["hits"])
        chooser = Unit(game, left[0]).owner if not hit else _fleet(game, area, own)[0].owner
        player = game.seat(chooser)
        asked = await wants(game, player, "naval hits")
        if len(left) > 1 and not reminded:
            await left_undone(game, player, "naval_losses")
            reminded = True
        id = await ask(NavalLoss(player, area, hit, tuple(left), asked))
        if hit:
            u = Unit(game, id)
            saved = await roll("1d10", "damage", area, id)
            dice.append(saved)
            limit_ = int(chart["aircraft"]) if u.print.arm == "air" else u.print.defence
            (returning if saved.total <= limit_ else destroyed).append(id)
        else:
            returning.append(id)
    sunk += destroyed
    aborted += returning
    game.emit(NavalShots(area, own, attack, tuple(dice), tuple(returning), tuple(destroyed)))


def retire(game: Game, u: Unit, area: str) -> None:
    """4.7.3, R-303: Send an aborted ship to its nearest port or an aircraft to a base, face-down.

    If there is none, it is destroyed.
    """
    havens = legal_bases(game, u, area) if u.print.arm == "air" else ports_in_range(game, u)
    if not havens:
        reason = (
            Message("wif.missions.no-base-in-range")
            if u.print.arm == "air"
            else Message("wif.naval.no-port-in-range")
        )
        game.emit(Destroyed(u.owner, (u.id,), reason))
        destroy(game, u)
        return
    u.hex = havens[0]
    unload(game, u, havens[0])
    turn_down(u)
    game.emit(Turned(u.owner, u.id, "down", Message("wif.naval.aborted", found=havens[0])))


def ashore_fault(
    game: Game, player: str, order: Carry, invasion: bool, beachheads: Container[str] = ()
) -> tuple[str, Refusal | None]:
    """Return the owner of a debarkation or an invasion, and its fault (steps k, l; R-213).

    An invasion is an attack. `beachheads` are hexes that others took in this step. More may land
    there.
    """
    u = own_unit(game, player, order.unit)
    if isinstance(u, Refusal):
        return "", u
    world, ship = world_of(game), maybe_unit(game, u.aboard)
    if ship is None or ship.area is None or (order.ship is not None and order.ship != ship.id):
        return u.owner, Refusal(
            MOVE, Message("wif.naval.not-aboard", u=u.id, ship=order.ship or Message("wif.naval.ship-sea"))
        )
    if ship.down or u.id in T.of(game).invading:
        return u.owner, Refusal(MOVE, Message("wif.naval.face-down", ship=ship.id, u=u.id))
    to = order.to or ""
    if ship.area not in world.coasts.get(to, ()):
        return u.owner, Refusal(MOVE, Message("wif.naval.does-not-border", to=to, area=ship.area))
    own = side(game, u)
    if invasion:
        if u.down:
            return u.owner, Refusal(MOVE, Message("wif.naval.face-down-and-does-not-invade", u=u.id))
        if controller(game, to) is None or (held_by(game, to, own) and to not in beachheads):
            return u.owner, Refusal(MOVE, Message("wif.naval.no-enemy-hex", to=to))
        return u.owner, activity(game, u.owner, "invasions") or no_room(game, u, to)
    if to not in friendly_ports(game, own) or port_damaged(game, to):
        return u.owner, Refusal(MOVE, Message("wif.naval.no-friendly-undamaged-port", to=to))
    return u.owner, activity(game, u.owner, "debark_at_sea") or no_room(game, u, to)


def ashore(game: Game, order: Carry, invasion: bool) -> str:
    """Land a unit, and return its ship, which turns face-down at the end of the step (k, l).

    Against defenders the unit fights at step n.
    """
    u = Unit(game, order.unit or "")
    ship = Unit(game, u.aboard or "")
    origin, to = u.place, order.to or ""
    use(game, u.owner, "invasions" if invasion else "debark_at_sea")
    if invasion and defended(game, to, side(game, u)):
        T.of(game).invading[u.id] = to
        game.emit(Landed(u.owner, u.id, origin, to, "invades"))
        return ship.id
    u.aboard, u.hex = None, to
    T.of(game).moved = (*T.of(game).moved, u.id)
    game.emit(Landed(u.owner, u.id, origin, to, "invades" if invasion else "debarks"))
    if invasion:
        capture(game, to, u.owner, damages=True)
    return ship.id


def defended(game: Game, hex: str, own: str) -> bool:
    """Return True if enemy land units are there."""
    return any(e.print.arm == "land" for e in side_units(game, world_of(game).enemy(own), hex))
