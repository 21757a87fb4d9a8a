"""Supply and zones of control as areas of the map (4.12, 4.14)."""

from __future__ import annotations

from pbem.rules import Game, Overlay

from ..rules.pieces import T, world_of
from ..rules.supply import Supply


def areas(game: Game) -> list[Overlay]:
    """Return the areas of supply and zones of control, for maps.

    Where units of a faction's Major Countries would be supplied, which of its units are not (each by the
    sources of its own country), and which hexes its zones reach.
    """
    world, supply, found = world_of(game), Supply(game), []
    states = T.of(game).countries
    for faction in world.factions:
        lands = [
            id
            for id, one in world.countries.items()
            if one.kind == "major" and states[id].alignment == faction
        ]
        fed = {hex for id in lands for hex in supply.net(id, faction)}
        zone = supply.ground.projected_by(faction)
        owner = game.seat(faction)
        found.append(Overlay("supply", owner, tuple(hex for hex in world.hexes if hex in fed)))
        found.append(Overlay("zoc", owner, tuple(sorted(zone))))
        standing = supply.ground.by_role.get("ground", {}).values()
        mine = [one for here in standing for one in here if one.owner == faction]
        hungry = sorted(one.id for one in mine if not supply.supplied(one))
        found.append(Overlay("unsupplied", owner, (), counters=tuple(hungry)))
    return found
