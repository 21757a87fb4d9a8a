"""The computations of worked examples (`compute:`): whole phases as small tables, as DATC has them.

    compute:
      phases:
        - units: {england: "A YOR, F NTH"}       # all units on the map
          centres: {england: "LON, EDI"}         # who holds what: then the orders are adjustments
          orders: {england: [A YOR - NWY, F NTH C A YOR - NWY]}
          retreats: {germany: [A NWY - SWE]}     # after the moves, if the case has retreats
          is:
            after: {england: "F NTH, A NWY"}     # the units after the orders, without the dislodged ones
            dislodged: {A NWY: [FIN, SWE]}       # the dislodged units, and where they can retreat to
            retreated: {england: "F NTH, A NWY"} # the units after the retreats
            refused: [A YOR - NWG]               # the orders that the check refuses

Everything goes the way of a game: the check refuses, the repair drops what it refused, the procedures do the
rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.kit.computed import computed
from pbem.rules import Decision, Game

from ..rules.adjudication import adjudicate
from ..rules.atlas import written
from ..rules.decisions import AdjustmentsAsked, Moves, MovesAsked, RetreatsAsked
from ..rules.drafts import adjusting
from ..rules.moving import Moving
from ..rules.notation import NotUnderstood, read
from ..rules.procedures import adjust, carry_out, retreat
from ..rules.state import State, Unit, dislodged, pieces_of, standing
from ..rules.world import world_of

Given = Mapping[str, Any]


def compute(game: Game, what: Mapping[str, Any]) -> list[str]:
    """Return faults of an example's computations."""
    return computed(game, what, {"phases": _phase, "reads": _reads})


def _reads(game: Game, case: Given) -> str:
    """7: Return an order in the notation of the program, or the code of its fault."""
    try:
        return read(world_of(game), case["line"]).text()
    except NotUnderstood as fault:
        return fault.fault.code


def _phase(game: Game, case: Given) -> dict[str, Any]:
    """Return the results of a phase."""
    copy = game.copy()
    _set_up(copy, case)
    refused: list[str] = []
    if "centres" in case:
        for player in copy.players:
            given = tuple(case.get("orders", {}).get(player, ()))
            if adjusting(copy, player).due:
                adjust(copy, player, legal(copy, AdjustmentsAsked(player), given, refused))
        return {"after": _units(copy), "refused": refused}
    _move(copy, case.get("orders", {}), refused)
    result: dict[str, Any] = {"after": _units(copy), "dislodged": _dislodged(copy)}
    if "retreats" in case:
        _retreat(copy, case["retreats"], refused)
        result["retreated"] = _units(copy)
    return {**result, "refused": refused}


def _set_up(game: Game, case: Given) -> None:
    for id in game.position.ids():
        game.position.remove(id)
    number = 0
    for player, listed in case["units"].items():
        for text in listed.split(", "):
            letter, node = text.split()
            number += 1
            place, _, coast = node.partition("/")
            type = "army" if letter == "A" else "fleet"
            Unit.add(game, f"U{number}", owner=player, type=type, hex=place, coast=coast)
    centres = {
        place: player for player, listed in case.get("centres", {}).items() for place in listed.split(", ")
    }
    State.of(game).centres = centres


def legal(game: Game, asked: Decision[Any], lines: Sequence[str], refused: list[str]) -> Any:
    """Return the legal rest of an answer, and note what the check refuses."""
    moves = asked.kind == "moves"
    answer: Any = Moves(tuple(lines)) if moves else tuple(lines)
    for fault in asked.check(game, answer):
        number = next(step for step in fault.path if isinstance(step, int))
        if lines[number] not in refused:
            refused.append(lines[number])
    repaired: Any = asked.repair(game, answer)
    return repaired.orders if moves else repaired


def _move(game: Game, orders: Mapping[str, Sequence[str]], refused: list[str]) -> None:
    pieces, places = pieces_of(game), {}
    moving = Moving(world_of(game), pieces)
    for player, lines in orders.items():
        for line in legal(game, MovesAsked(player), lines, refused):
            order = moving.order(line, player)
            places[order.place] = order
    carry_out(game, adjudicate(world_of(game).atlas, pieces, places))


def _retreat(game: Game, orders: Mapping[str, Sequence[str]], refused: list[str]) -> None:
    given = {
        player: legal(game, RetreatsAsked(player), tuple(orders.get(player, ())), refused)
        for player in game.players
    }
    retreat(game, given)


def _units(game: Game) -> dict[str, str]:
    by_owner: dict[str, list[str]] = {}
    for _, unit in standing(game).items():
        by_owner.setdefault(unit.owner, []).append(_text(unit))
    return {
        owner: ", ".join(sorted(units, key=lambda text: text[2:]))
        for owner, units in sorted(by_owner.items())
    }


def _text(unit: Unit) -> str:
    return f"{unit.piece.letter} {written(unit.piece.node)}"


def _dislodged(game: Game) -> dict[str, list[str]]:
    ways = State.of(game).retreats
    return {_text(unit): sorted(map(written, ways[unit.id])) for unit in dislodged(game).values()}
