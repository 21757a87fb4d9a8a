"""4.8: Accounts of battles from their events, and the results that their dice could have had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.fights import expect, first_of, why
from pbem.kit.odds import chances_of
from pbem.rules import End, Forecast, Fought, Game

from ..rules.battle.leaving import exempt_hex
from ..rules.battle.losses import loss
from ..rules.pieces import world_of

FACES = range(1, 7)


def fought(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.8: Return how a battle ended: who holds the hex, and the strength points that both sides lost."""
    began = next((event for event in events if event["event"] == "battle-began"), None)
    ended = next((event for event in events if event["event"] == "battle-ended"), None)
    if began is None or ended is None or ended["hex"] != began["hex"]:
        return None
    attacker, defender = str(began["attacker"]), str(began["defender"])
    lost, strong = _lost(events), _strength(events)
    back = {str(event["side"]) for event in events if event["event"] == "units-retreated" and event["moves"]}
    if ended["holder"] == attacker:
        end: End = "taken"
    elif ended["holder"] != defender:
        end = "cleared"
    elif strong.get(attacker, 0) and lost.get(attacker, 0) >= strong[attacker]:
        end = "eliminated"
    else:
        end = "repelled" if attacker in back else "held"
    kinds = {str(event["event"]) for event in events}  # 4.8.3: cavalry alone may have left the hex
    fell = defender not in back and "target-emptied" not in kinds
    reason = why(end, retreated=defender in back or "rode-away" in kinds, eliminated=fell)
    losses = lost.get(attacker, 0), lost.get(defender, 0)
    return Fought(str(began["hex"]), (attacker,), (defender,), end, losses, "points", reason)


def _lost(events: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return the strength points that each side lost, in the battle and after it."""
    points = {"losses-taken": "points", "unit-trapped": "sp", "left-behind": "sp"}
    losses: dict[str, int] = {}
    for event in events:
        if (name := points.get(str(event["event"]))) is not None:
            losses[event["side"]] = losses.get(event["side"], 0) + int(event[name])
    return losses


def _strength(events: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return the strength points with which each side fought."""
    return {event["side"]: int(event["sp"]) for event in events if event["event"] == "losses-taken"}


def outlook(game: Game, events: Sequence[Mapping[str, Any]]) -> Forecast | None:
    """4.8.9: Return the results that the combat die of a battle could have had.

    By its table, ratio and leaders, the supply of both sides, and their strengths. Where the hex excuses its
    defenders no result drives them out (4.8.11). The losses of a battle that continues are left open.
    """
    event = first_of(events, "combat-rolled")
    if event is None:
        return None
    tables, ratio, hex = world_of(game).tables, event.get("ratio"), str(event.get("hex"))
    shift = sum(int(modifier["value"]) for modifier in event.get("modifiers", ()))
    least, most = tables.numbers["row_least"], tables.numbers["row_most"]
    rows = [max(least, min(most, die + shift)) for die in FACES]
    cells = [str(tables.result(int(event["table"]), ratio, row).value) for row in rows]
    if any(exempt_hex(game, hex, side) for side in game.players):
        cells = [cell.removesuffix("D") for cell in cells]
    strong, times = _strength(events), _times(game, events)
    names = [str(happening["side"]) for happening in events if happening["event"] == "losses-taken"][:2]
    sides = [(strong[side], times.get(side, 1)) for side in names]
    smallest = int(tables.numbers["smallest_hit_percent"])
    ends, losses = expect((Fraction(1, len(FACES)), *_by_cell(cell, sides, smallest)) for cell in cells)
    strengths = (("", str(event.get("attack"))), ("", str(event.get("defence"))))
    odds = "" if ratio is None else f"{ratio}%"
    return Forecast(
        hex,
        strengths,
        "",
        odds,
        chances_of(cells),
        ends=ends,
        losses=losses if sides else (None, None),
        unit="points",
    )


def _times(game: Game, events: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """4.8.7, 4.8.10: Return how often each side's losses count: against works, and without supply."""
    works, times = first_of(events, "defence-revealed"), dict[str, int]()
    for event in events:
        if event["event"] == "battle-began" and works is not None:
            times[str(event["attacker"])] = int(works["attacker_loss"])
        if event["event"] == "supply-tested" and not event["supplied"]:
            side = str(event["side"])
            times[side] = times.get(side, 1) * int(world_of(game).tables.works["unsupplied"].own_loss)
    return times


def _by_cell(cell: str, sides: Sequence[tuple[int, int]], smallest: int) -> tuple[End, tuple[int, int]]:
    """4.8.10, 4.8.11: Return the end that a cell brings and the losses of both sides.

    `sides` are their strengths with how often losses count; none where nobody knows yet.
    """
    letter, shares = cell[-1], map(int, cell.rstrip("AD").split("/"))
    lost = [
        min(sp, times * loss(sp, share, smallest)) for share, (sp, times) in zip(shares, sides, strict=False)
    ]
    gone = [bool(sp) and sp == loss for loss, (sp, _) in zip(lost, sides, strict=True)] or [False, False]
    total = (lost[0], lost[1]) if lost else (0, 0)
    if letter == "D" or gone[1]:
        return "cleared" if gone[0] else "taken", total
    return "eliminated" if gone[0] else "repelled" if letter == "A" else "held", total
