"""Supply, zones, fronts and strategic hexes as areas of the map (2.8, 2.9, 4.1, 4.12, 4.14)."""

from __future__ import annotations

from pbem.board.fronts import front
from pbem.rules import Game, Overlay

from ..rules.ground import Ground
from ..rules.pieces import T, world_of
from ..rules.supply import Supply
from .holding import held


def areas(game: Game) -> list[Overlay]:
    """Return the areas of supply and zones of control, for maps.

    Where units of a faction's Major Countries would be supplied, which of its units are not (each by the
    sources of its own country), and which hexes its zones reach.
    """
    world, supply, overlays = world_of(game), Supply(game), []
    states = T.of(game).countries
    for faction in world.factions:
        lands = [
            id
            for id, country in world.countries.items()
            if country.kind == "major" and states[id].alignment == faction
        ]
        fed = {hex for id in lands for hex in supply.net(id, faction)}
        zone = supply.ground.projected_by(faction)
        owner = game.seat(faction)
        overlays.append(Overlay("supply", owner, tuple(hex for hex in world.hexes if hex in fed)))
        overlays.append(Overlay("zoc", owner, tuple(sorted(zone))))
        standing = supply.ground.by_role.get("ground", {}).values()
        mine = [unit for here in standing for unit in here if unit.owner == faction]
        hungry = sorted(unit.id for unit in mine if not supply.supplied(unit))
        overlays.append(Overlay("unsupplied", owner, (), counters=tuple(hungry)))
    strategic = Overlay("objective", "", tuple(sorted(world.strategic)))
    return [*overlays, _front(game, supply.ground), strategic]


def _front(game: Game, ground: Ground) -> Overlay:
    """2.8, 2.9: Return the hexsides where factions at war touch and both have ground units near."""
    standing = [
        (unit.owner, hex) for hex, there in ground.by_role.get("ground", {}).items() for unit in there
    ]
    return Overlay("front", "", front(game.map, held(ground), standing, ground.at_war))
