"""6.1, 7.2, R-4, R-305: Orders that stay sealed until their question comes, also in games without fog.

A standing order with `seal: true`, and every plan of actions sent ahead, travels in its own commitment. The
commitment's name says only which question it is for: `sealed-order/defence`, `sealed-order/actions/combat`.
It is opened when that question comes. A plan is then used once; a standing order stays in force, open to all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pbem.kit.faults import illegal
from pbem.kit.filed import Unasked
from pbem.kit.quoting import as_filed
from pbem.rules import (
    Board,
    Decision,
    Diagnostic,
    Game,
    Json,
    Message,
    Option,
    Sealed,
    System,
    decision,
    lodge,
    opened,
)
from pbem.rules import ask as ask_plainly

from .events.turn import OrderOpened, OrderSealed
from .pieces import SealedOne, T, world_of
from .views import hides

A = TypeVar("A")
PLANS = "actions"
SEGMENTS = ("movement", "air_naval", "reaction", "all_barrage", "artillery", "combat", "exploitation")
NEXT = "next"
"""The segment in the name of a plan that names none."""
WORDS = ("decision", "once", "subject", "when", "until", "unless", "on_illegal", "answer", "seal")


@decision("sealed-order", rule="7.2", answer=str, secrecy="kept")
class SealedOrder(Unasked[str]):
    """An order that stays sealed until its question comes. No player is asked for it."""

    player: str
    label: str

    def subject(self) -> tuple[str | int, ...]:
        return tuple(self.label.split("/"))

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("", "none")

    def check(self, game: Game, answer: str) -> list[Diagnostic]:
        if answer == "" or {label_of(game.system, order) for order in read(answer)} == {self.label}:
            return []
        return [illegal("E-ACTION", "7.2", Message("ocs.sealing.what-sealed-no-order", label=self.label))]

    def default(self, game: Game) -> str:
        return ""


def read(text: str) -> list[Mapping[str, Any]]:
    """Return the orders in a sealed text (one or a list), or nothing if the text holds none."""
    try:
        data = json.loads(text)
    except ValueError:
        return []
    orders = data if isinstance(data, list) else [data]
    return orders if all(isinstance(order, dict) for order in orders) else []


def _forms(system: System) -> Mapping[str, str]:
    """Return, for each decision whose orders may be sealed, its first standing form or its kind."""
    decisions = sorted(system.registry.decisions.items())
    return {
        kind: next(iter(decision.standing_forms), kind)
        for kind, decision in decisions
        if decision.secrecy != "kept"
    }


def label_of(system: System, entry: Mapping[str, Any]) -> str | None:
    """Return the label of an order's commitment, by the question it answers; None if it answers none."""
    kind = entry.get("decision")
    if kind is None:
        form = next((name for name in entry if name != "seal"), "")
        return form if form in _forms(system).values() else None
    if kind != PLANS:
        return _forms(system).get(str(kind))
    subject, when = entry.get("subject"), entry.get("when")
    named = subject[0] if isinstance(subject, list) and subject else None
    named = when.get("segment") if named is None and isinstance(when, dict) else named
    return f"{PLANS}/{named if named in SEGMENTS else NEXT}"


def sealed_as(system: System, entry: Mapping[str, Json], ahead: bool) -> str | None:
    """R-305: Return the name of the commitment that carries an entry; None if the entry is not sealed.

    Plans sent ahead are sealed unless they say `seal: false`; standing orders are sealed if they say so.
    """
    plan = ahead and entry.get("decision") == PLANS and "name" not in entry
    if not entry.get("seal", plan):
        return None
    label = label_of(system, entry)
    return None if label is None else f"{SealedOrder.kind}/{label}"


def labels(system: System) -> tuple[str, ...]:
    """Return the labels of all questions for which an order may be sealed."""
    return (*dict.fromkeys(_forms(system).values()), *(f"{PLANS}/{name}" for name in (*SEGMENTS, NEXT)))


async def lodge_orders(game: Game) -> None:
    """Accept the sealed orders sent so far; a later order replaces an earlier one."""
    t = T.of(game)
    named = labels(game.system)
    for side in world_of(game).seats if not hides(game) else ():
        for label in named:
            sealed = await lodge(SealedOrder(side, label))
            if sealed is not None:
                _forget(game, side, label)
                t.sealed_orders[f"{side}/{label}"] = SealedOne(sealed.key)
                game.emit(OrderSealed(side, label.partition("/")[0], label.partition("/")[2]))


def _forget(game: Game, side: str, label: str) -> None:
    """Forget the opened order for this question."""
    t = T.of(game)
    kept = [order for order in t.opened_orders.get(side, ()) if label_of(game.system, order) != label]
    if side in t.opened_orders:
        t.opened_orders[side] = kept


def _asked_for(question: Decision[Any]) -> Iterator[str]:
    """Yield the labels of sealed orders that may answer a question."""
    if question.kind != PLANS:
        yield from question.standing_forms or (question.kind,)
        return
    segment = str(question.fields_json()["segment"])
    if segment in ("reaction", "exploitation"):
        yield from question.standing_forms
    yield from (f"{PLANS}/{segment}", f"{PLANS}/{NEXT}")


async def open_for(game: Game, question: Decision[Any]) -> None:
    """R-4: Open what the player sealed for a question."""
    t, side = T.of(game), question.player
    for label in _asked_for(question) if t.sealed_orders else ():
        sealed = t.sealed_orders.get(f"{side}/{label}")
        if sealed is None:
            continue
        text = await opened(Sealed(sealed.key, SealedOrder(side, label)))
        del t.sealed_orders[f"{side}/{label}"]
        orders = read(text)
        holding = [dict(order) for order in orders if not (sealed.attacked and "unless" in order)]
        lapsed = bool(orders) and not holding
        kind, _, segment = label.partition("/")
        text = "; ".join(as_filed(order) for order in orders if order.get("answer", True))
        game.emit(OrderOpened(side, kind, segment, text, lapsed))
        if holding:
            t.opened_orders[side] = [*holding, *t.opened_orders.get(side, ())]


async def ask(game: Game, question: Decision[A]) -> A:
    """Ask a question, after opening what its player sealed for it."""
    await open_for(game, question)
    answer = await ask_plainly(question)
    spend(game, question)
    return answer


def spend(game: Game, question: Decision[Any]) -> None:
    """Remove the plans that were opened for a question; each is used once."""
    t, side = T.of(game), question.player
    if t.opened_orders.get(side):
        t.opened_orders[side] = [
            order
            for order in t.opened_orders[side]
            if "once" not in order or order.get("decision") != question.kind
        ]


def laid_open(game: Game, side: str) -> list[Json]:
    """Return the orders of a side that were sealed and are now open."""
    return list(T.of(game).opened_orders.get(side, ()))


def note_attack(game: Game, side: str) -> None:
    """Mark sealed orders of a side as attacked, so that those with `unless: attacked` lapse."""
    t = T.of(game)
    for name, sealed in list(t.sealed_orders.items()):
        if name.partition("/")[0] == side:
            t.sealed_orders[name] = SealedOne(sealed.key, True)


def end_plans(game: Board, phasing: str) -> None:
    """Discard the unopened plans for the segments of a player turn, at its end."""
    t = T.of(game)
    for name in list(t.sealed_orders):
        side, _, label = name.partition("/")
        kind, _, segment = label.partition("/")
        ended = segment != "reaction" if side == phasing else segment in ("reaction", "all_barrage", NEXT)
        if kind == PLANS and ended:
            del t.sealed_orders[name]
