"""An order in words, as a dry run: what each action would do on this board, what it costs, where it stops.

What the rules would tell of an action is put into short sentences; from the first dice on nobody knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pbem.kit.odds import expected_losses
from pbem.rules import Diagnostic, Event, Game, Refused

from ..actions import Action
from ..combat_supply import amount, plan_attack
from ..events import air as air_events
from ..events import fighting, moving
from ..loops import carry_out, dry, holds
from ..pieces import T, maybe_unit, total_re, units, world_of
from ..strength import fight
from ..trace import Tracing
from ..views import hides


def told(game: Game, side: str, segment: str, action: Action, later: frozenset[str]) -> str:
    """One action in words; `game` is a board of its own and is changed."""
    if len(action.kinds) != 1:
        return "no action"
    if not holds(game, side, action.if_):
        return f"{action.kinds[0]}: its condition does not hold now; it is looked at when its turn comes"
    try:
        done = dry(carry_out(game, side, segment, action, later))
    except Refused as refused:
        return f"{action.kinds[0]}: not as the board stands: {refused.diagnostics[0].message}"
    said = [text for one in game.told if (text := _sentence(one.event))]
    if action.attack is not None:
        said = [_attack(game, side, action)]
    if action.move is not None and not done:
        said += [f"overrun of {step.overrun.hex}" for step in action.move.steps if step.overrun is not None]
    text = "; ".join(said) or f"{action.kinds[0]} {', '.join(_named(action))}"
    return text if done else f"{text}; then the dice"


def _named(action: Action) -> list[str]:
    what = action.what
    listed = [getattr(what, name, ()) for name in ("units", "points", "ships", "aircraft", "craft")]
    place = [getattr(what, name) for name in ("hex", "to") if isinstance(getattr(what, name, None), str)]
    return [*(id for ids in listed for id in ids), *place]


def _attack(game: Game, side: str, action: Action) -> str:
    """4.9 Supply, strengths and odds of an attack, as far as one sees."""
    order = action.attack
    assert order is not None
    paid = plan_attack(game.copy(), side, order.units, order.dumps, order.drop_if_short)
    attackers = [u for id in order.units if (u := maybe_unit(game, id)) is not None]
    defenders = units(game, world_of(game).enemy(side), order.hex)
    if not attackers or not defenders:
        return f"attack {order.hex}: judged when it comes to it"
    s = fight(game, order.hex, attackers, defenders, {})
    column = world_of(game).combat["odds"][s.row][s.column]
    supply = "" if paid is None else f", {amount(', '.join(paid.paid.values()))} T"
    seen = " as far as is seen" if hides(game) else ""
    said = f"{', '.join(order.units)} attack {order.hex}: {s.a} against {s.d}{seen}, column {column}{supply}"
    found = next(iter(game.system.forecasts(game, order.hex, order.units)), None)
    losses = expected_losses(found, "steps", ", options apart") if found is not None else ""
    return f"{said}; {losses}" if losses else said


def _ids(event: Any, name: str = "units") -> str:
    return ", ".join(event[name])


SAID: dict[type[Event], Callable[[Any], str]] = {
    moving.Moved: lambda e: (
        f"{_ids(e)} from {e['origin']} by {', '.join(e['path'])}, {e['spent']} of {e['of']} MP"
        + (f"; stops: {e['stopped']}" if e.get("stopped") else "")
    ),
    moving.ModeChanged: lambda e: f"{_ids(e)} in {e['hex']}: {e['mode']}",
    moving.Fuelled: lambda e: f"fuel ({e['what']}) for {_ids(e)}: {e['t']} T from {e['source']}",
    moving.Committed: lambda e: f"{e['unit']} must stay in {e['hex']} to hold the way open",
    moving.Built: lambda e: f"{_ids(e)} {e['work']} in {e['hex']}, {e['paid']} T",
    moving.Hauled: lambda e: (
        f"{_ids(e)} by {', '.join(e['path']) or e['origin']}, {e['spent']} of {e['of']} MP,"
        f" {e['loaded']} T on, {e['unloaded']} T off"
    ),
    moving.Railed: lambda e: f"rail: {_ids(e)} {e['t']} T to {e['path'][-1]}, {e['cost']} T of the cap",
    moving.Shipped: lambda e: f"sea: {_ids(e)} {e['t']} T to {e['hex']}, {e['cost']} T of the cap",
    moving.Sailed: lambda e: f"{_ids(e)} sail to {e['path'][-1]}",
    moving.Released: lambda e: f"{_ids(e)} released",
    moving.Embarked: lambda e: f"{_ids(e)} and {e['t']} T aboard {_ids(e, 'craft')}",
    air_events.MissionFlown: lambda e: f"{_ids(e, 'planes')} fly to {e['hex']}: {e['mission']}",
    fighting.CombatDeclared: lambda e: (
        f"overrun of {e['hex']} by {_ids(e)}, supply {', '.join(e['paid'].values())}"
    ),
}  # fmt: skip
BY_KIND = {cls.kind: say for cls, say in SAID.items()}


def _sentence(event: Any) -> str:
    say = BY_KIND.get(event["event"])
    return say(event) if say is not None else ""


def doubts(game: Game, side: str) -> Iterator[Diagnostic]:
    """What an order would leave behind: units without trace, too much in a hex."""
    world = world_of(game)
    if T.of(game).phase != "C":
        return
    traced = Tracing(game, side).whole()
    mine = [u for u in units(game, side) if u.hex in world.terrains]
    lost = [f"{u.id} ({u.hex})" for u in mine if u.id not in traced]
    if lost:
        yield Diagnostic(
            "without-trace", f"without trace supply after this: {', '.join(lost)}", severity="warning",
            family="illegal", rule="4.5.2",
        )  # fmt: skip
    most = int(world.numbers["stacking_re"])
    for hex in sorted({u.hex or "" for u in mine}):
        size = total_re([u for u in mine if u.hex == hex])
        if size > most:
            yield Diagnostic(
                "too-much-in-a-hex", f"{size} RE in {hex}, {most} may stay", severity="warning",
                family="illegal", rule="4.0.6",
            )  # fmt: skip
