"""4.8: Accounts of battles by what was told of them, and what their combat dice could bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.fights import expect, why
from pbem.kit.odds import chances_of
from pbem.rules import End, Forecast, Fought, Game

from ..rules.battle.leaving import exempt_hex
from ..rules.pieces import world_of

FACES = range(1, 7)


def fought(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.8: Return how a battle ended: who holds the hex, and the strength points that both sides lost."""
    began = next((one for one in events if one["event"] == "battle-began"), None)
    ended = next((one for one in events if one["event"] == "battle-ended"), None)
    if began is None or ended is None or ended["hex"] != began["hex"]:
        return None
    attacker, defender = str(began["attacker"]), str(began["defender"])
    lost, strong = _lost(events), _strength(events)
    back = {str(one["side"]) for one in events if one["event"] == "units-retreated" and one["moves"]}
    if ended["holder"] == attacker:
        end: End = "taken"
    elif ended["holder"] != defender:
        end = "cleared"
    elif strong.get(attacker, 0) and lost.get(attacker, 0) >= strong[attacker]:
        end = "eliminated"
    else:
        end = "repelled" if attacker in back else "held"
    reason = why(end, retreated=defender in back, eliminated=defender not in back)
    losses = lost.get(attacker, 0), lost.get(defender, 0)
    return Fought(str(began["hex"]), (attacker,), (defender,), end, losses, "points", reason)


def _lost(events: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return the strength points that each side lost, in the battle and after it."""
    points = {"losses-taken": "points", "unit-trapped": "sp", "left-behind": "sp"}
    found: dict[str, int] = {}
    for one in events:
        if (name := points.get(str(one["event"]))) is not None:
            found[one["side"]] = found.get(one["side"], 0) + int(one[name])
    return found


def _strength(events: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return the strength points with which each side fought."""
    return {one["side"]: int(one["sp"]) for one in events if one["event"] == "losses-taken"}


def outlook(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """4.8.9: Return what the combat die of a battle might have brought, by its table, ratio and leaders.

    Where the hex excuses its defenders no result drives them out (4.8.11). Points that were lost are not in
    the event.
    """
    if event.get("event") != "combat-rolled":
        return None
    tables, ratio, hex = world_of(game).tables, event.get("ratio"), str(event.get("hex"))
    shift = sum(int(one["value"]) for one in event.get("modifiers", ()))
    least, most = tables.numbers["row_least"], tables.numbers["row_most"]
    rows = [max(least, min(most, die + shift)) for die in FACES]
    cells = [str(tables.result(int(event["table"]), ratio, row).value) for row in rows]
    if any(exempt_hex(game, hex, side) for side in game.players):
        cells = [cell.removesuffix("D") for cell in cells]
    ends, _ = expect((Fraction(1, len(FACES)), _end(cell), (0, 0)) for cell in cells)
    strengths = (("", str(event.get("attack"))), ("", str(event.get("defence"))))
    odds = "" if ratio is None else f"{ratio}%"
    return Forecast(
        hex, strengths, "", odds, chances_of(cells), ends=ends, losses=(None, None), unit="points"
    )


def _end(cell: str) -> End:
    """Return the end that a cell brings where somebody is left on both sides."""
    return "taken" if cell.endswith("D") else "repelled" if cell.endswith("A") else "held"
