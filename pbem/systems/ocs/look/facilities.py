"""2.5, 2.7: Facilities on the map beside counters: dumps, air bases, hedgehogs, ports with damage."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Facility, Game

from ..rules.pieces import T
from ..rules.supply.trace import port_capacity
from ..rules.views import hides

QUARTERS = ("", "¼", "½", "¾")


def facilities(game: Game) -> Iterator[Facility]:
    """7.1: Yield all facilities by hex; with fog the content of enemy dumps is unknown."""
    t = T.of(game)
    for hex, dump in sorted(t.dumps.items()):
        counted = not hides(game) or game.viewer in (None, dump.owner)
        fields = {"t": dump.t, "sp": supply_points(dump.t)} if counted else {}
        yield Facility(hex, dump.owner, "dump", fields)
    for hex, base in sorted(t.bases.items()):
        yield Facility(hex, base.owner, "base", {"level": base.level})
    for hex, works in sorted(t.hedgehogs.items()):
        yield Facility(hex, works.owner, "hedgehog", {"level": works.level})
    for hex, port in sorted(t.ports.items()):
        yield Facility(hex, port.owner, "port", {"t": port_capacity(game, hex), "hits": port.hits})


def supply_points(t: int) -> str:
    """2.5: Return an amount in T as supply points: `3¼`."""
    whole, rest = divmod(t, 4)
    return f"{whole or ''}{QUARTERS[rest]}" or "0"
