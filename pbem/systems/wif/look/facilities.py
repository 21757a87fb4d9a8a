"""2.4: State of places, for reports and maps: damaged ports, factories that are out."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules import Facility, Game

from ..rules.pieces import T, controller, site


def facilities(game: Game) -> Iterator[Facility]:
    """Yield what is damaged, by hex; it belongs to the power that controls the hex."""
    t = T.of(game)
    for hex in sorted(t.damaged):
        yield Facility(hex, controller(game, hex) or "", "damaged-port", {})
    for hex, out in sorted(t.factories_out.items()):
        here = site(game, hex)
        if out and here is not None:
            fields = {"out": out, "factories": here.factories}
            yield Facility(hex, controller(game, hex) or "", "factories-out", fields)
