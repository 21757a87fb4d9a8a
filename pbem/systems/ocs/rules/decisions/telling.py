"""Dry runs in words: effects and costs of each action on this board.

The events of an action become short sentences, up to the first dice: what follows is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.kit.fights import Sent
from pbem.rules import Diagnostic, Event, Game, Message, Refused

from ..actions import Action, Fire, Overrun
from ..events import air as air_events
from ..events import fighting, moving
from ..fighting.combat_supply import amount, plan_attack
from ..fighting.strength import fight
from ..loops import carry_out, dry, holds
from ..pieces import T, Unit, maybe_unit, total_re, units, world_of
from ..supply.trace import Tracing
from ..views import hides

BARRAGES = ("barrage", "hip_shoot", "trainbusting")


def described(game: Game, side: str, segment: str, action: Action, later: frozenset[str]) -> str:
    """Return an action in words, by carrying it out; `game` must be a copy, which this changes."""
    if len(action.kinds) != 1:
        return Message("ocs.telling.no-action")
    if not holds(game, side, action.if_):
        return Message("ocs.telling.condition-does-not-hold-now", kinds=action.kinds[0])
    dice = action.attack or action.move or action.fire or action.air or action.land or action.assault
    before = game.copy() if dice is not None else game
    try:
        done = dry(carry_out(game, side, segment, action, later))
    except Refused as refused:
        return Message(
            "ocs.telling.not-as-board-stands", kinds=action.kinds[0], message=refused.diagnostics[0].message
        )
    sentences = [text for emitted in game.told if (text := _sentence(emitted.event))]
    if action.attack is not None:
        sentences = [_attack(before, side, action)]
    if action.fire is not None or action.air is not None:
        sentences = [_barrage(before, action, "; ".join(sentences))]
    boats = action.land or action.assault
    if boats is not None:
        names = "; ".join(sentences) or Message(
            "ocs.telling.fires", kind=action.kinds[0], names=tuple(_named(action))
        )
        sentences = [_expected(before, boats.hex, Sent.of(boats.craft, boats), names)]
    if action.move is not None and not done:
        ahead = [step.overrun for step in action.move.steps if step.overrun is not None]
        sentences += [_overrun(before, game, action.move.units, order) for order in ahead[:1]]
        sentences += [Message("ocs.telling.overrun", hex=order.hex) for order in ahead[1:]]
    text = (
        sentences[0]
        if len(sentences) == 1
        else "; ".join(sentences) or f"{action.kinds[0]} {', '.join(_named(action))}"
    )
    return text if done else Message("ocs.telling.then-dice", text=text)


def _named(action: Action) -> list[str]:
    order = action.order
    listed = [getattr(order, name, ()) for name in ("units", "points", "ships", "aircraft", "craft")]
    place = [getattr(order, name) for name in ("hex", "to") if isinstance(getattr(order, name, None), str)]
    return [*(id for ids in listed for id in ids), *place]


def _attack(game: Game, side: str, action: Action) -> str:
    """4.9: Return supply, strengths and odds of an attack, as far as the side knows."""
    order = action.attack
    assert order is not None
    paid = plan_attack(game.copy(), side, order.units, order.dumps, order.drop_if_short)
    attackers = [u for id in order.units if (u := maybe_unit(game, id)) is not None]
    defenders = units(game, world_of(game).enemy(side), order.hex)
    if not attackers or not defenders:
        return Message("ocs.telling.attack-judged-when-comes", hex=order.hex)
    s = fight(game, order.hex, attackers, defenders, {})
    column = world_of(game).combat["odds"][s.row][s.column]
    supply = "" if paid is None else str(amount(", ".join(paid.paid.values())))
    sentence = Message(
        "ocs.telling.attack-against",
        units=tuple(order.units),
        hex=order.hex,
        a=s.a,
        d=s.d,
        seen=hides(game),
        column=column,
        supply=supply,
    )
    return _expected(game, order.hex, Sent.of(order.units, order), sentence)


def _expected(game: Game, hex: str, sent: Sent, sentence: str) -> str:
    """Return the sentence of an action, with its forecast if there is one (that of `pbem odds`)."""
    forecast = next(iter(game.system.forecasts(game, hex, sent)), None)
    if forecast is None:
        return sentence
    return Message("ocs.telling.attack-expected", said=sentence, expected=forecast.sentence())


def _barrage(game: Game, action: Action, sentence: str) -> str:
    """4.10, 4.11.6, 4.12.3: Return a barrage in words, with its forecast."""
    order = action.fire or action.air
    assert order is not None
    sentence = sentence or Message("ocs.telling.fires", kind=action.kinds[0], names=tuple(_named(action)))
    if getattr(order, "kind", "barrage") not in BARRAGES:
        return sentence
    sent = Sent.of(order.units if isinstance(order, Fire) else order.aircraft, order)
    return _expected(game, order.hex, sent, sentence)


def _overrun(before: Game, board: Game, ids: Sequence[str], order: Overrun) -> str:
    """4.4.6: Return the first overrun of a move in words, forecast from the hex that the stack reached.

    Supply is that of `before`, because the dry run has already paid for the overrun.
    """
    sentence = Message("ocs.telling.overrun", hex=order.hex)
    copy = board.copy()
    T.of(copy).dumps = dict(T.of(before.copy()).dumps)
    moved = [u for id in ids if (u := maybe_unit(copy, id)) is not None and not u.done]
    for u in moved:
        u.internal = Unit(before, u.id).internal
    return _expected(copy, order.hex, Sent.of([u.id for u in moved], order), sentence)


def _ids(event: Any, name: str = "units") -> str:
    return ", ".join(event[name])


SENTENCES: dict[type[Event], Callable[[Any], str]] = {
    moving.Moved: lambda e: Message(
        "ocs.telling.moved",
        ids=_ids(e),
        origin=e["origin"],
        path=", ".join(e["path"]),
        spent=e["spent"],
        of=e["of"],
        stopped=e.get("stopped"),
    ),
    moving.ModeChanged: lambda e: f"{_ids(e)} in {e['hex']}: {e['mode']}",
    moving.Fuelled: lambda e: Message(
        "ocs.telling.fuel-for-t", what=e["what"], ids=_ids(e), t=e["t"], source=e["source"]
    ),
    moving.Committed: lambda e: Message(
        "ocs.telling.must-stay-in-to-hold-way-open", unit=e["unit"], hex=e["hex"]
    ),
    moving.Built: lambda e: f"{_ids(e)} {e['work']} in {e['hex']}, {e['paid']} T",
    moving.Hauled: lambda e: Message(
        "ocs.telling.hauled",
        ids=_ids(e),
        path=", ".join(e["path"]) or e["origin"],
        spent=e["spent"],
        of=e["of"],
        loaded=e["loaded"],
        unloaded=e["unloaded"],
    ),
    moving.Railed: lambda e: Message(
        "ocs.telling.by-rail", ids=_ids(e), t=e["t"], path=e["path"][-1], cost=e["cost"]
    ),
    moving.Shipped: lambda e: Message(
        "ocs.telling.by-sea", ids=_ids(e), t=e["t"], hex=e["hex"], cost=e["cost"]
    ),
    moving.Sailed: lambda e: Message("ocs.telling.sails", ids=_ids(e), path=e["path"][-1]),
    moving.Released: lambda e: Message("ocs.telling.released", ids=_ids(e)),
    moving.Embarked: lambda e: Message(
        "ocs.telling.goes-aboard", ids=_ids(e), t=e["t"], craft=_ids(e, "craft")
    ),
    air_events.MissionFlown: lambda e: Message(
        "ocs.telling.flies", ids=_ids(e, "planes"), hex=e["hex"], mission=e["mission"]
    ),
    fighting.CombatDeclared: lambda e: Message(
        "ocs.telling.overrun-of-by-supply", hex=e["hex"], ids=_ids(e), values=tuple(e["paid"].values())
    ),
}
BY_KIND = {cls.kind: say for cls, say in SENTENCES.items()}


def _sentence(event: Any) -> str:
    say = BY_KIND.get(event["event"])
    return say(event) if say is not None else ""


def doubts(game: Game, side: str) -> Iterator[Diagnostic]:
    """Yield warnings about an order: units without trace, overstacked hexes."""
    world = world_of(game)
    if T.of(game).phase != "C":
        return
    traced = Tracing(game, side).whole()
    mine = [u for u in units(game, side) if u.hex in world.terrains]
    lost = [f"{u.id} ({u.hex})" for u in mine if u.id not in traced]
    if lost:
        yield Diagnostic(
            "without-trace",
            Message("ocs.telling.without-trace", lost=tuple(lost)),
            severity="warning",
            family="illegal",
            rule="4.5.2",
        )
    most = int(world.numbers["stacking_re"])
    for hex in sorted({u.hex or "" for u in mine}):
        size = total_re([u for u in mine if u.hex == hex])
        if size > most:
            yield Diagnostic(
                "too-much-in-a-hex",
                Message("ocs.telling.too-much-in-a-hex", size=size, hex=hex, most=most),
                severity="warning",
                family="illegal",
                rule="4.0.6",
            )
