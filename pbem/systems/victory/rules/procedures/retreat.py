"""Hexes for blocks that leave a battle, and the defaults (rule 4.6.11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.kit.paths import flood
from pbem.kit.retreats import nearest_first, wished
from pbem.rules import Message, ask

from ..blocks import Block
from ..decisions.battle import Destination, Why
from ..doctrine import first_rule
from ..sides import Side
from .engagement import Battle
from .movement import settle


def retreat_places(battle: Battle, block: Block) -> list[str]:
    """4.6.11: Return every legal hex for a block that leaves, the default first."""
    match block.cls:
        case "air":
            return air_places(battle, block, stay=False)
        case "naval":
            places = _naval_places(battle, block)
        case _:
            places = _land_places(battle, block)
            if not places and block.entry_kind == "assault":
                places = _by_sea(battle, block)
    side = battle.side(block)
    return nearest_first(
        places, side.cities(), battle.world.distance, rank=lambda hex: not side.friendly_base(hex)
    )


def _land_places(battle: Battle, block: Block) -> list[str]:
    """R-57: Return the adjacent hexes that a land block may enter.

    Defenders may not go where attackers came from; attackers may only go back, or to friends.
    """
    world, side, role = battle.world, battle.side(block), battle.role(block.owner)
    places = []
    for to in world.neighbours(battle.hex):
        if world.is_sea(to) or world.march_cost(block.kind, battle.hex, to) is None:
            continue
        if side.enemy_in(to) or side.foreign_base(to) or not side.room(to, block.type):
            continue
        if battle.crossed.get((role, world.hexside(battle.hex, to)), 0) >= world.hexside_limit(
            battle.hex, to
        ):
            continue
        came = to in battle.marched_from
        if not came if role == "defender" else came or side.friendly_base(to) or side.units(to):
            places.append(to)
    return places


def _by_sea(battle: Battle, block: Block) -> list[str]:
    """Return the friendly ports in reach of assaulting blocks, over sea hexes without enemies."""
    world, side = battle.world, battle.side(block)

    def open_sea(hex: str) -> list[str]:
        return [h for h in world.neighbours(hex) if world.is_sea(h) and not side.enemy_in(h)]

    seas = flood([battle.hex], open_sea, world.numbers.assault_sea_hexes)
    near = (h for sea in seas if sea != battle.hex for h in world.neighbours(sea))
    ports = dict.fromkeys(h for h in near if side.friendly_port(h))
    return [h for h in ports if h != battle.hex and not side.enemy_in(h) and side.room(h, block.type)]


def _naval_places(battle: Battle, block: Block) -> list[str]:
    """Return the adjacent sea hexes and friendly ports that a ship may enter.

    Defenders may not go where attackers came from, attackers only back there.
    """
    side, attacking = battle.side(block), battle.role(block.owner) == "attacker"
    places = []
    for to in battle.world.neighbours(battle.hex):
        port = side.friendly_port(to) and not battle.land  # not over land
        back = battle.world.is_sea(to) and (to in battle.sailed_from) == attacking
        if (port or back) and naval_room(side, block, to):
            places.append(to)
    return places


def naval_room(side: Side, block: Block, to: str) -> bool:
    """2.6: Return True if a hex has no enemy and has room for the ship and its passengers."""
    aboard = block.passengers
    if side.enemy_in(to) or not side.room(to, block.type):
        return False
    return not aboard or side.room(to, aboard[0].type, len(aboard))


def air_places(battle: Battle, block: Block, *, stay: bool) -> list[str]:
    """4.6.11: Return airbases with room within `mv`: the one it flew from, then the nearest, by number.

    `stay`: the battle hex itself counts if it is an airbase now.
    """
    bases, home = battle.side(block).bases_in_reach(block), block.entry_from
    return sorted((h for h in bases if stay or h != battle.hex), key=lambda hex: hex != home)


async def choose_place(battle: Battle, block: Block, places: Sequence[str], why: Why) -> str:
    """Return the place for a block: by doctrine, by default, or by answer.

    Doctrine is `to` of the rule that applies, and `rebase` for aircraft.
    """
    doctrine = battle.doctrine(block.owner)
    rule = first_rule(doctrine, battle.situation(block))
    wishes: Iterable[str] = (
        *(rule.to if rule else ()),
        *(doctrine.rebase.get(block.id, ()) if block.cls == "air" else ()),
    )
    wish = wished(places, wishes)
    if wish is not None:
        return wish
    if not battle.interactive or len(places) == 1:
        return places[0]
    who = (battle.name(block), block.id)
    return await ask(Destination(block.owner, battle.hex, battle.round, *who, why, tuple(places)))


def leave(battle: Battle, block: Block, to: str) -> None:
    """4.6.11: Move a block out of the battle, count the hexside, and land aircraft.

    The block's side controls a base that it garrisons at once.
    """
    if block.cls == "air":
        touch_down(block, to)
    else:
        if block.kind.lands and battle.world.adjacent(battle.hex, to):
            crossing = (battle.role(block.owner), battle.world.hexside(battle.hex, to))
            battle.crossed[crossing] = battle.crossed.get(crossing, 0) + 1
        block.go(to)
    if to != battle.hex and not battle.side(block).enemies(to):
        settle(battle.game, [to])


def touch_down(block: Block, to: str) -> None:
    """4.4.12: Land an air block on an airbase, or on the carrier that serves as one."""
    deck = Side(block.board, block.owner).landing(block, to)[1]
    block.go(to)
    block.aboard = deck


def no_airbase(block: Block) -> str:
    """Return why an air block cannot land, in words."""
    return Message("victory.retreat.no-airbase-with-room-within-hexes", mv=block.kind.mv)


def why_barred(block: Block) -> str:
    """Return why a block has no place to go, in words."""
    if block.cls == "air":
        return no_airbase(block)
    return (
        Message("victory.retreat.no-sea-hex-or-friendly-port")
        if block.cls == "naval"
        else Message("victory.retreat.no-hex-to-march")
    )
