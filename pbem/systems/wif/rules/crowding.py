"""4.7.1: Stacking at the end of a step (R-216).

Units may change places between full hexes. If a hex is too full, the last listed of the units that
went there do not go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pbem.rules import Game, Message

from .naval import aboard, loaded_by
from .pieces import T, Unit, maybe_unit
from .plans import Refusal
from .retreating import stack_class, stacked
from .steps import Impulse, listed_ways
from .world import world_of

Key = tuple[str, int, int]
"""An order of a step: its player, the number of the entry, the number of the alternative."""
Barred = dict[Key, Refusal]
Done = tuple[Key, str, list[Unit]]
"""An order that was carried out: its key, its destination, the units that moved."""
Listed = tuple[str, int, Any]
"""An entry of a step: its player, its number in their list, the entry."""
Run = Callable[[Game, Impulse, Barred], list[Done]]
"""A function that plays a step on a board without the barred orders, and returns the rest."""


def arrivals(game: Game, step: str, way: Any) -> tuple[str, list[Unit]]:
    """Return the destination of an order, and its units that count for stacking.

    At sea there is no limit, so none are returned.
    """
    named: list[Any]
    if step == "i":
        hex, named = next(reversed(way.path), ""), [way.unit]
    elif step == "o":
        hex, named = way.to or "", [way.aircraft]
    elif step == "c":
        ships = [u for id in way.ships if (u := maybe_unit(game, id)) is not None]
        hex = way.to or ""
        named = [*(u.id for ship in ships for u in aboard(game, ship.id)), *loaded_by(way)]
    elif step == "m":
        hex, named = way.hex or "", [way.unit]
    else:
        hex, named = getattr(way, "to", None) or "", [way.unit, way.atr] if step in "hjkl" else []
    if hex not in world_of(game).index:
        return "", []
    units = [u for id in named if (u := maybe_unit(game, id)) is not None]
    return hex, [u for u in units if stack_class(u.print)]


def leavers(game: Game, step: str, way: Any) -> Iterable[Unit]:
    """Return the units that an order of a step takes away from their hexes."""
    named: list[Any]
    if step == "c":
        named = loaded_by(way)
    elif step == "b":
        named = list(way.aircraft)
    elif step == "o":
        named = [way.aircraft]
    else:
        named = [getattr(way, "unit", None), getattr(way, "atr", None)]
    return [u for id in named if (u := maybe_unit(game, id)) is not None]


def crowded_out(game: Game, step: str, listed: Sequence[Listed], run: Run) -> Barred:
    """Return the orders of a step that are not carried out because they would overfill a hex."""
    barred: Barred = {}
    if _may_crowd(game, step, listed):
        while too_many := _too_many(game, run, barred):
            barred |= too_many
    return barred


def _may_crowd(game: Game, step: str, listed: Sequence[Listed]) -> bool:
    """Return True if a hex might be overfilled: if all came who are ordered there and none left."""
    coming: dict[tuple[str, str], set[str]] = {}
    for _, _, entry in listed:
        for way in listed_ways(entry):
            hex, units = arrivals(game, step, way)
            for u in units:
                coming.setdefault((hex, stack_class(u.print)), set()).add(u.id)
    own, most = T.of(game).phasing or "", world_of(game).units["stacking"]
    return any(
        len(ids | {u.id for u in stacked(game, own, hex, kind)}) > int(most[kind])
        for (hex, kind), ids in coming.items()
    )


def _too_many(game: Game, run: Run, barred: Barred) -> Barred:
    """Return the last order into each hex that is overfilled when all but the barred ones are done."""
    board = game.copy()
    done = run(board, Impulse(board, at_the_end=True), barred)
    own, most = T.of(board).phasing or "", world_of(board).units["stacking"]
    crowding: dict[tuple[str, str], tuple[Key, Refusal]] = {}
    for key, hex, came in done:
        for u in came:
            kind = stack_class(u.print)
            stack = [o.id for o in stacked(board, own, hex, kind)]
            if u.id in stack and len(stack) > int(most[kind]):
                others = ", ".join(id for id in stack if id != u.id)
                text = Message("wif.crowding.no-room", u=u.id, hex=hex, others=others)
                crowding[hex, kind] = key, Refusal("E-MOVE", text, crowds=True)
    return dict(crowding.values())
