"""4.9 to 4.12: Accounts of fights by what was told of them, and what their dice could bring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.kit.fights import expect, why
from pbem.kit.odds import sums_of
from pbem.rules import End, Forecast, Fought, Game, Message

from ..rules.fighting.strength import Result, hex_terrains, read_result
from ..rules.pieces import maybe_unit, world_of
from ..rules.views import hides
from .barrages import barraged, facility
from .forecast import PLENTY, end_of, steps_lost

TOGETHER = "together"
"""The unit of a line that sums several, as they are told with fog."""
LEAST = Fraction(1, 20)
"""What an expectation is told from: less is nothing, to a tenth."""
SHOTS = ("barraged", "facility-barraged", "ship-fired-at")
AFAR = ("step-lost", "unit-eliminated", "plane-hit", "aircraft-checked")
"""Events of a barrage or an air battle that tell losses, with whom."""


def fought(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.9 to 4.12: Return how an attack, an overrun, a barrage or an air mission ended."""
    if any(one["event"] == "combat-declared" for one in events):
        return _on_the_ground(game, events)
    return _from_afar(game, events)


def _on_the_ground(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.9: Return how an attack or an overrun ended, by what was told of it."""
    began = next((one for one in events if one["event"] == "combat-declared"), None)
    ended = next((one for one in events if one["event"] == "combat-ended"), None)
    if began is None or ended is None:
        return None
    side, other, hex = str(began["attacker"]), str(began["defender"]), str(began["hex"])
    back = {str(one["player"]) for one in events if one["event"] == "retreated"}
    dead = {str(one["unit"]): str(one["player"]) for one in events if one["event"] == "unit-eliminated"}
    listed = [one for one in events if one["event"] == "forces" and one["owner"] == side]
    came = {str(id) for id in (listed[0] if listed else began)["units"]}
    dark = hides(game) and not listed and game.viewer is not None  # 7.2: only the tops of stacks are named
    end = end_of(events, dark or bool(came - {*dead}))
    reason = why(end, retreated=other in back, eliminated=other in dead.values())
    reason = Message("ocs.forecast.stayed") if end == "held" else reason
    return Fought(hex, (side,), (other,), end, steps_lost(events, side), why=reason)


def _from_afar(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.10 to 4.12: Return what a barrage or an air mission brought: nobody takes a hex by it."""
    shots = [one for one in events if one["event"] in SHOTS]
    flown = [one for one in events if one["event"] in ("mission-flown", "mission-ended")]
    if not shots and not (flown and flown[-1]["event"] == "mission-ended"):
        return None
    side = str((flown or shots)[0]["player"])
    other = world_of(game).enemy(side)
    lost = [0, 0]
    for one in events:
        if one["event"] in AFAR:
            lost[str(one["player"]) != side] += int(one["lost"])
    said, reason = _shot(shots[-1]) if shots else _mission(flown[-1])
    hex = str((shots or flown)[-1]["hex"])
    return Fought(hex, (side,), (other,), "held", (lost[0], lost[1]), why=reason, said=said)


def _shot(shot: Mapping[str, Any]) -> tuple[Message, Message]:
    """4.10, 4.12.3: Return what a barrage brought, and by what strength."""
    strong = Message("ocs.account.points", points=int(shot["strength"]), column=str(shot["column"]))
    if shot["event"] == "barraged":
        return Message("ocs.account.barrage", place="", effect=shot["result"] != "no effect"), strong
    what = "ship" if shot["event"] == "ship-fired-at" else str(shot["target"])
    return Message("ocs.account.shot", place="", what=what, effect=shot["effect"] != "nothing"), strong


def _mission(ended: Mapping[str, Any]) -> tuple[Message, Message]:
    """4.11.1: Return if a mission was flown to its end, and how many aircraft turned back."""
    done, back = len(ended["done"]), len(ended["turned_back"])
    return (
        Message("ocs.account.mission", place="", done=bool(done)),
        Message("ocs.account.aircraft", done=done, back=back),
    )


def outlook(game: Game, event: Mapping[str, Any]) -> Forecast | None:
    """4.9.7: Return what the combat roll might have brought in its column, with surprise settled.

    The ends by the default answers, then steps and options of both sides on average. None where the terrain
    does not say which column that was. The position before it is gone: retreats count as open, units as
    whole. 4.10: Of a barrage what its column could bring.
    """
    if event.get("event") == "barraged":
        return barraged(game, event)
    if event.get("event") == "facility-barraged":
        return facility(game, event)
    if event.get("event") != "combat-resolved":
        return None
    world, hex, attacker = world_of(game), str(event.get("hex")), str(event.get("attacker"))
    crt, odds, modified = world.combat["crt"], world.combat["odds"], event.get("modified")
    rows = {world.combat["hex"][terrain]["row"] for terrain in hex_terrains(world, hex)}
    columns = {odds[row].index(modified) for row in rows if modified in odds[row]}
    columns = {at for at in columns if read_result(world, at, int(event["total"])).code == event["result"]}
    if len(columns) != 1:
        return None
    at = min(columns)
    thrown = [
        (read_result(world, at, total + int(event["drm"])), likely) for total, likely in sums_of(crt["dice"])
    ]
    other = next(who for who in game.players if who != attacker)
    mine, theirs = (_most_steps(game, event[lines]) for lines in ("attack", "defence"))
    ends, losses = expect((likely, *_by_result(one, mine, theirs)) for one, likely in thrown)
    return Forecast(
        hex,
        ((attacker, str(event["strength"])), (other, str(event["against"]))),
        Message("ocs.forecast.on-card"),
        expected=tuple(
            (who, what, number)
            for who, side in ((attacker, "a"), (other, "d"))
            for what, field in (("steps", "lose"), ("option", "option"))
            if (number := _mean([(getattr(one, f"{side}_{field}"), likely) for one, likely in thrown]))
            >= LEAST
        ),
        ends=ends,
        losses=losses,
    )


def _by_result(result: Result, mine: int, theirs: int) -> tuple[End, tuple[int, int]]:
    """4.9.8 to 4.9.10: Return the end of a result: attackers take options as losses, defenders retreat."""
    stay = mine > result.a_lose + result.a_option
    lost = min(mine, result.a_lose + (result.a_option if stay else 0)), min(theirs, result.d_lose)
    empty = bool(result.d_option) or lost[1] == theirs
    if lost[0] == mine:
        return "cleared" if empty else "eliminated", lost
    return ("taken" if empty else "held") if stay else ("cleared" if empty else "repelled"), lost


def _most_steps(game: Game, lines: Sequence[Mapping[str, Any]]) -> int:
    """Return the printed steps of units that fought, also of those that are gone; with fog very many."""
    if any(one["unit"] == TOGETHER for one in lines):
        return PLENTY
    prints = {str(one["unit"]): world_of(game).units.get(str(one["unit"])) for one in lines}
    known = {u.id: u.print for id in prints if (u := maybe_unit(game, id)) is not None}
    return sum(one.steps if (one := known.get(id, prints[id])) is not None else 1 for id in prints)


def _mean(values: list[tuple[int, Fraction]]) -> Fraction:
    return sum((value * chance for value, chance in values), Fraction(0))
