"""Where blocks may go when they leave a battle, and where they go by default (rule 4.6.11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pbem.rules import Game, ask

from ..blocks import (
    Unit,
    airbases,
    controller,
    enemy_occupied,
    enemy_units,
    foreign_base,
    friendly_base,
    friendly_port,
    landing,
    mark,
    passengers,
    recompute_control,
    relocate,
    side_units,
    stack_room,
    world_of,
)
from ..decisions.battle import Destination
from ..doctrine import first_rule
from ..world import hexside
from .engagement import Battle
from .movement import tell_control

Why = Literal["retreat", "withdrawal", "rebase"]


def retreat_places(battle: Battle, block: Unit) -> list[str]:
    """Every legal hex for a block that leaves, the default first (4.6.11)."""
    match block.cls:
        case "air":
            return air_places(battle, block, stay=False)
        case "naval":
            return _by_default(battle, block, _naval_places(battle, block))
        case _:
            places = _land_places(battle, block)
            if not places and block.entry_kind == "assault":
                places = _by_sea(battle, block)
            return _by_default(battle, block, places)


def _land_places(battle: Battle, block: Unit) -> list[str]:
    """One hex, over a hexside with room, not where the enemy came from; attackers only back (4.6.11)."""
    game, world = battle.game, world_of(battle.game)
    role = battle.role(block.owner)
    places = []
    for to in world.neighbours(battle.hex):
        if world.is_sea(to) or world.march_cost(block.kind, battle.hex, to) is None:
            continue
        if enemy_occupied(game, block.owner, to) or foreign_base(game, block.owner, to):
            continue
        if not stack_room(game, block.owner, to, block.type):
            continue
        if battle.crossed.get((role, hexside(battle.hex, to)), 0) >= world.hexside_limit(battle.hex, to):
            continue
        came = to in battle.marched_from
        friendly = friendly_base(game, block.owner, to) or bool(side_units(game, block.owner, to))
        if (role == "defender" and not came) or (role == "attacker" and (came or friendly)):
            places.append(to)
    return places


def _by_sea(battle: Battle, block: Unit) -> list[str]:
    """Friendly ports that assaulting blocks reach over a few sea hexes without an enemy (4.6.11)."""
    game, world = battle.game, world_of(battle.game)
    ports: dict[str, bool] = {}
    seen: dict[str, int] = {battle.hex: 0}
    frontier = [battle.hex]
    while frontier:
        here = frontier.pop(0)
        for to in world.neighbours(here):
            if to in seen:
                continue
            if world.is_sea(to):
                if seen[here] < world.numbers.assault_sea_hexes and not enemy_occupied(game, block.owner, to):
                    seen[to] = seen[here] + 1
                    frontier.append(to)
            elif here != battle.hex and _port_with_room(battle, block, to):
                ports[to] = True
    return list(ports)


def _port_with_room(battle: Battle, block: Unit, hex: str) -> bool:
    game = battle.game
    if hex == battle.hex or not friendly_port(game, block.owner, hex):
        return False
    return not enemy_occupied(game, block.owner, hex) and stack_room(game, block.owner, hex, block.type)


def _naval_places(battle: Battle, block: Unit) -> list[str]:
    """One step to sea or a friendly port.

    Defenders not where attackers came from, attackers only back (4.6.11).
    """
    game, world = battle.game, world_of(battle.game)
    role = battle.role(block.owner)
    places = []
    for to in world.neighbours(battle.hex):
        port = friendly_port(game, block.owner, to) and not battle.land  # not over land
        if not (port or world.is_sea(to)) or not naval_room(battle, block, to):
            continue
        came = to in battle.sailed_from
        if port or (came if role == "attacker" else not came):
            places.append(to)
    return places


def naval_room(battle: Battle, block: Unit, to: str) -> bool:
    """No enemy there, and room for the ship and for what it carries (2.6)."""
    game = battle.game
    if enemy_occupied(game, block.owner, to) or not stack_room(game, block.owner, to, block.type):
        return False
    aboard = passengers(game, block.id)
    return not aboard or stack_room(game, block.owner, to, aboard[0].type, len(aboard))


def air_places(battle: Battle, block: Unit, *, stay: bool) -> list[str]:
    """Airbases with room within `mv`: the base it flew from, then the nearest, then by number (4.6.11).

    `stay`: the battle hex itself counts if it is an airbase now. Hexes with enemies never do: nobody
    joins a battle.
    """
    found = [h for h in bases_in_reach(battle.game, block) if stay or h != battle.hex]
    home = block.entry_from
    return [home, *(h for h in found if h != home)] if home in found else found


def bases_in_reach(game: Game, block: Unit) -> list[str]:
    """Airbases with room within `mv` of an air block, the nearest first, then by number (4.6.11).

    Its own hex counts, other hexes with enemies do not.
    """
    hexes = world_of(game).hexes
    shut = [h for h in hexes if h != block.hex and enemy_occupied(game, block.owner, h)]
    return [hex for hex, _ in airbases(game, block, block.hex, block.kind.mv, shut)]


def touch_down(game: Game, block: Unit, to: str) -> None:
    """Land an air block on an airbase, on a deck where that is the airbase (4.4.12)."""
    _, deck = landing(game, block.owner, block, to)
    relocate(game, block.id, to)
    mark(game, block.id, aboard=deck)


def _by_default(battle: Battle, block: Unit, places: Iterable[str]) -> list[str]:
    """Friendly bases first, then nearest to a friendly city, then by number (4.6.11)."""
    game, world = battle.game, world_of(battle.game)
    cities = [
        h
        for h, base in world.bases.items()
        if base.city and _friend(controller(game, h), block.owner, battle)
    ]

    def merit(hex: str) -> tuple[bool, int, str]:
        away = min((world.distance(hex, city) for city in cities), default=0)
        return not friendly_base(game, block.owner, hex), away, hex

    return sorted(places, key=merit)


def _friend(who: str | None, player: str, battle: Battle) -> bool:
    return who is not None and world_of(battle.game).allied(who, player)


def preferred(battle: Battle, block: Unit, places: Sequence[str]) -> str | None:
    """The first legal hex that the owner's doctrine names.

    `to` of the rule that holds, then `rebase` for aircraft.
    """
    doctrine = battle.doctrine(block.owner)
    rule = first_rule(doctrine, battle.situation(block))
    wishes = list(rule.to) if rule else []
    if block.cls == "air":
        wishes += doctrine.rebase.get(block.id, ())
    return next((hex for hex in wishes if hex in places), None)


async def choose_place(battle: Battle, block: Unit, places: Sequence[str], why: Why) -> str:
    """Where a block goes: by doctrine, else the default, else (interactive) as its owner answers."""
    wish = preferred(battle, block, places)
    if wish is not None:
        return wish
    if not battle.interactive or len(places) == 1:
        return places[0]
    question = Destination(
        block.owner,
        battle.hex,
        battle.round,
        battle.name(block),
        block.id,
        why,
        tuple(places),
    )
    return await ask(question)


def leave(battle: Battle, block: Unit, to: str) -> None:
    """Move a block out of the battle, count the hexside, put aircraft down where they land.

    What it garrisons there is its side's at once (4.6.11).
    """
    game = battle.game
    if block.cls == "air":
        touch_down(game, block, to)
    else:
        if block.kind.lands and world_of(game).adjacent(battle.hex, to):
            crossing = (battle.role(block.owner), hexside(battle.hex, to))
            battle.crossed[crossing] = battle.crossed.get(crossing, 0) + 1
        relocate(game, block.id, to)
    if to != battle.hex and not enemy_units(game, block.owner, to):
        tell_control(game, tuple(recompute_control(game, [to])))


def no_airbase(block: Unit) -> str:
    """In words, why an air block cannot land."""
    return f"no airbase with room within {block.kind.mv} hexes"


def why_barred(battle: Battle, block: Unit) -> str:
    """In words, why a block has nowhere to go."""
    if block.cls == "air":
        return no_airbase(block)
    if block.cls == "naval":
        return "no sea hex or friendly port to sail to"
    return "no hex to march to"
