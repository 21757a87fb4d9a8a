"""6.1, 7.2, R-4, R-305: Orders that stay sealed until their question comes, in a game without fog too.

Protocol 6.1, 7.2, R-4, R-305.

A standing order with `seal: true`, and every plan of actions sent ahead, travels as a commitment of its own.
Its name says for which question it is, and no more: `sealed-order/defence`, `sealed-order/actions/combat`.
When that question comes it is opened; a plan is used once, a standing order holds from then on for all to
read.
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
"""In the name of a plan that does not say for which segment it is."""
WORDS = ("decision", "once", "subject", "when", "until", "unless", "on_illegal", "answer", "seal")


@decision("sealed-order", rule="7.2", answer=str, secrecy="kept")
class SealedOrder(Unasked[str]):
    """An order that stays sealed until its question comes; nobody is asked for it."""

    player: str
    label: str

    def subject(self) -> tuple[str | int, ...]:
        return tuple(self.label.split("/"))

    def options(self, game: Game) -> Iterator[Option]:
        yield Option("", "none")

    def check(self, game: Game, answer: str) -> list[Diagnostic]:
        if answer == "" or {label_of(game.system, one) for one in read(answer)} == {self.label}:
            return []
        return [illegal("E-ACTION", "7.2", Message("ocs.sealing.what-sealed-no-order", label=self.label))]

    def default(self, game: Game) -> str:
        return ""


def read(text: str) -> list[Mapping[str, Any]]:
    """Return the orders that a sealed text holds, one or a list of them; nothing where it is none."""
    try:
        found = json.loads(text)
    except ValueError:
        return []
    listed = found if isinstance(found, list) else [found]
    return listed if all(isinstance(one, dict) for one in listed) else []


def _forms(system: System) -> Mapping[str, str]:
    """Return the first form of standing order of each decision for which one may be sealed, or its kind."""
    decisions = sorted(system.registry.decisions.items())
    return {kind: next(iter(one.standing_forms), kind) for kind, one in decisions if one.secrecy != "kept"}


def label_of(system: System, entry: Mapping[str, Any]) -> str | None:
    """Return for which question an order is, as its commitment is called; None where it fits none."""
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
    """R-305: Return the name of the commitment that carries an entry; None where all read it.

    Plans sent ahead are sealed unless they say `seal: false`, standing orders where they say so.
    """
    plan = ahead and entry.get("decision") == PLANS and "name" not in entry
    if not entry.get("seal", plan):
        return None
    label = label_of(system, entry)
    return None if label is None else f"{SealedOrder.kind}/{label}"


def labels(system: System) -> tuple[str, ...]:
    """Return every question for which an order may be sealed."""
    return (*dict.fromkeys(_forms(system).values()), *(f"{PLANS}/{name}" for name in (*SEGMENTS, NEXT)))


async def lodge_orders(game: Game) -> None:
    """Take in what was sealed and sent by now; a later one takes the place of an earlier one."""
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
    """Forget the order that was opened for this question."""
    t = T.of(game)
    left = [one for one in t.opened_orders.get(side, ()) if label_of(game.system, one) != label]
    if side in t.opened_orders:
        t.opened_orders[side] = left


def _asked_for(asked: Decision[Any]) -> Iterator[str]:
    """Yield the names of what may answer a question."""
    if asked.kind != PLANS:
        yield from asked.standing_forms or (asked.kind,)
        return
    segment = str(asked.fields_json()["segment"])
    if segment in ("reaction", "exploitation"):
        yield from asked.standing_forms
    yield from (f"{PLANS}/{segment}", f"{PLANS}/{NEXT}")


async def open_for(game: Game, asked: Decision[Any]) -> None:
    """R-4: Open what the player sealed for a question."""
    t, side = T.of(game), asked.player
    for label in _asked_for(asked) if t.sealed_orders else ():
        one = t.sealed_orders.get(f"{side}/{label}")
        if one is None:
            continue
        text = await opened(Sealed(one.key, SealedOrder(side, label)))
        del t.sealed_orders[f"{side}/{label}"]
        orders = read(text)
        holding = [dict(order) for order in orders if not (one.attacked and "unless" in order)]
        lapsed = bool(orders) and not holding
        what, _, segment = label.partition("/")
        text = "; ".join(as_filed(order) for order in orders if order.get("answer", True))
        game.emit(OrderOpened(side, what, segment, text, lapsed))
        if holding:
            t.opened_orders[side] = [*holding, *t.opened_orders.get(side, ())]


async def ask(game: Game, asked: Decision[A]) -> A:
    """Ask, after what its player sealed for this question is opened."""
    await open_for(game, asked)
    answer = await ask_plainly(asked)
    spend(game, asked)
    return answer


def spend(game: Game, asked: Decision[Any]) -> None:
    """Use up a plan that was opened for a question."""
    t, side = T.of(game), asked.player
    if t.opened_orders.get(side):
        t.opened_orders[side] = [
            one for one in t.opened_orders[side] if "once" not in one or one.get("decision") != asked.kind
        ]


def laid_open(game: Game, side: str) -> list[Json]:
    """Return the opened orders of a side that had been sealed."""
    return list(T.of(game).opened_orders.get(side, ()))


def note_attack(game: Game, side: str) -> None:
    """Let orders lapse that a side sealed to hold only unless it is attacked."""
    t = T.of(game)
    for name, one in list(t.sealed_orders.items()):
        if name.partition("/")[0] == side:
            t.sealed_orders[name] = SealedOne(one.key, True)


def end_plans(game: Board, phasing: str) -> None:
    """Let the plans for segments of a Player Turn lapse unopened at its end."""
    t = T.of(game)
    for name in list(t.sealed_orders):
        side, _, label = name.partition("/")
        kind, _, segment = label.partition("/")
        mine = segment != "reaction" if side == phasing else segment in ("reaction", "all_barrage", NEXT)
        if kind == PLANS and mine:
            del t.sealed_orders[name]
