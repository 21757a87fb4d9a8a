"""4.9 to 4.12: Accounts of fights from their events, and the results that their dice could have had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.kit.fights import expect, first_of, why
from pbem.rules import End, Forecast, Fought, Game, Message

from ..rules.fighting.strength import Result, hex_terrains
from ..rules.pieces import maybe_unit, world_of
from ..rules.views import hides
from .barrages import barraged, facility, fired_at_ship
from .dogfights import fought_in_the_air
from .forecast import BEACH, LOSSES, PLENTY, end_of, results, steps_lost

TOGETHER = "together"
"""The unit of a line that sums several, as they are told with fog."""
SHOTS = ("barraged", "facility-barraged", "ship-fired-at")
AFAR = ("step-lost", "unit-eliminated", "plane-hit", "aircraft-checked")
"""Events of a barrage or an air battle that tell losses, with whom."""


def fought(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.9 to 4.12: Return how an attack, an overrun, a barrage or an air mission ended."""
    if any(event["event"] == "combat-declared" for event in events):
        return _on_the_ground(game, events)
    return _from_afar(game, events)


def _on_the_ground(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.9: Return how an attack or an overrun ended, from its events."""
    began, ended = first_of(events, "combat-declared"), first_of(events, "combat-ended")
    if began is None or ended is None:
        return None
    side, other, hex = str(began["attacker"]), str(began["defender"]), str(began["hex"])
    back = {str(event["player"]) for event in events if event["event"] == "retreated"}
    dead = {
        str(event["unit"]): str(event["player"]) for event in events if event["event"] == "unit-eliminated"
    }
    listed = [event for event in events if event["event"] == "forces" and event["owner"] == side]
    came = {str(id) for id in (listed[0] if listed else began)["units"]}
    dark = hides(game) and not listed and game.viewer is not None  # 7.2: only the tops of stacks are named
    end = end_of(events, dark or bool(came - {*dead}))
    reason = why(end, retreated=other in back, eliminated=other in dead.values())
    reason = Message("ocs.forecast.stayed") if end == "held" else reason
    return Fought(hex, (side,), (other,), end, steps_lost(events, side), why=reason)


def _from_afar(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.10 to 4.12: Return the losses of a barrage or an air mission, which takes no hex."""
    shots = [event for event in events if event["event"] in SHOTS]
    flown = [event for event in events if event["event"] in ("mission-flown", "mission-ended")]
    if not shots and not (flown and flown[-1]["event"] == "mission-ended"):
        return None
    side = str((flown or shots)[0]["player"])
    other = world_of(game).enemy(side)
    lost = [0, 0]
    for event in events:
        if event["event"] in AFAR:
            lost[str(event["player"]) != side] += int(event["lost"])
    sentence, reason = _shot(shots[-1]) if shots else _mission(flown[-1])
    hex = str((shots or flown)[-1]["hex"])
    return Fought(hex, (side,), (other,), "held", (lost[0], lost[1]), why=reason, said=sentence)


def _shot(shot: Mapping[str, Any]) -> tuple[Message, Message]:
    """4.10, 4.12.3: Return the result of a barrage, and its strength."""
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


def outlook(game: Game, events: Sequence[Mapping[str, Any]]) -> Forecast | None:
    """4.9, 4.10: Return the results that an attack or a barrage could have had."""
    for event in events:
        if event["event"] == "combat-resolved":
            return _resolved(game, event, events)
        if event["event"] in SHOTS:
            of = {"barraged": barraged, "facility-barraged": facility, "ship-fired-at": fired_at_ship}
            return of[str(event["event"])](game, event)
    fought = first_of(events, "air-round")
    return fought_in_the_air(game, fought) if fought is not None else None


def _resolved(game: Game, event: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> Forecast | None:
    """4.9.6, 4.9.7: Return the results that surprise and combat could have had, by column and ratings.

    None if the terrain does not say which column that was. The position before it is gone: retreats count
    as open.
    """
    world, hex, attacker = world_of(game), str(event["hex"]), str(event["attacker"])
    began, odds = first_of(events, "combat-declared"), world.combat["odds"]
    lines = [
        odds[row]
        for row in sorted({world.combat["hex"][terrain]["row"] for terrain in hex_terrains(world, hex)})
    ]
    able = {line.index(event["column"]) for line in lines if {event["column"], event["modified"]} <= {*line}}
    if len(able) != 1:
        return None
    net = {str(modifier["name"]): int(modifier["value"]) for modifier in event["modifiers"]}
    kind = str(began["type"]) if began is not None else "regular"
    thrown = results(world, kind, min(able), net.get("ratings", 0), -net.get("hedgehog", 0))
    other = next(who for who in game.players if who != attacker)
    mine, theirs = (_steps(game, events, event[lines]) for lines in ("attack", "defence"))
    by_result = _on_a_beach if kind == BEACH else _by_result
    ends, losses = expect((likely, *by_result(result, mine, theirs)) for result, likely in thrown)
    return Forecast(
        hex,
        ((attacker, str(event["strength"])), (other, str(event["against"]))),
        Message("ocs.forecast.on-card"),
        str(event["odds"]),
        tuple((result.code, likely) for result, likely in thrown),
        ends=ends,
        losses=losses,
    )


def _by_result(result: Result, mine: int, theirs: int) -> tuple[End, tuple[int, int]]:
    """4.9.8 to 4.9.10: Return the end of a result: attackers take options as losses, defenders retreat.

    Where no attacker stays beside them the defenders ignore their option.
    """
    stay = mine > result.a_lose + result.a_option
    lost = min(mine, result.a_lose + (result.a_option if stay else 0)), min(theirs, result.d_lose)
    empty = lost[1] == theirs or (bool(result.d_option) and stay)
    if lost[0] == mine:
        return "cleared" if empty else "eliminated", lost
    return ("taken" if empty else "held") if stay else ("cleared" if empty else "repelled"), lost


def _on_a_beach(result: Result, mine: int, theirs: int) -> tuple[End, tuple[int, int]]:
    """4.12.7: Return the end of a result on a beach: options are losses, and who fails to take it
    is lost.
    """
    lost = min(mine, result.a_lose + result.a_option), min(theirs, result.d_lose)
    if lost[1] == theirs or (result.d_option and lost[0] < mine):
        return ("taken" if lost[0] < mine else "cleared"), lost
    return "eliminated", (mine, lost[1])


def _steps(game: Game, events: Sequence[Mapping[str, Any]], lines: Sequence[Mapping[str, Any]]) -> int:
    """Return the steps with which units fought, lost ones included; with fog a very large number."""
    if any(line["unit"] == TOGETHER for line in lines):
        return PLENTY
    ids = {str(line["unit"]) for line in lines}
    lost = sum(int(event["lost"]) for event in events if event["event"] in LOSSES and event["unit"] in ids)
    return lost + sum(u.steps for id in ids if (u := maybe_unit(game, id)) is not None)
