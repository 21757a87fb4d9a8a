"""4.27, 7: Questions that standing orders may answer. The report quotes an order that did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pbem.rules import Decision, Game, Json, ask_how, consult, to_json

from .events.turn import StandingFired
from .pieces import pool

A = TypeVar("A")


async def ask_quoted(game: Game, decision: Decision[A], quoted: set[str] | None = None) -> A:
    """Ask a question, and quote the standing orders that answer it unless already `quoted`."""
    answer: A = (await ask_each_quoted(game, [decision], quoted))[0]
    return answer


async def ask_each_quoted(
    game: Game, decisions: Sequence[Decision[Any]], quoted: set[str] | None = None
) -> list[Any]:
    """Ask several questions at once, and quote the standing orders that answer some of them."""
    quoted = set() if quoted is None else quoted
    answered = await ask_how(decisions)
    for decision, (answer, how) in zip(decisions, answered, strict=True):
        if how == "standing" and answer not in ({}, ()):
            for form in sorted(decision.standing_forms):
                for quote in await _fired(game, decision, form, answer):
                    if quote not in quoted:
                        game.emit(StandingFired(_power(decision), decision.kind, quote))
                    quoted.add(quote)
    return [answer for answer, _ in answered]


def _power(decision: Decision[Any]) -> str:
    return str(decision.fields_json()["power"])


async def _fired(game: Game, decision: Decision[Any], form: str, answer: Any) -> list[str]:
    """Return the orders behind this answer: one that gives it alone, else all that give a part."""
    orders = await consult(decision.player, form)
    alone = [(order, decision.from_standing(game, [order])) for order in orders]
    fired = [order for order, given in alone if given == answer][:1]
    if not fired and orders and decision.from_standing(game, orders) == answer:
        fired = [order for order, given in alone if given not in (None, {}, ())]
    unseen = {
        counter.id for counter in pool(game, _power(decision)) if not counter.seen and game.system.hidden
    }
    return [f"{form}: {flow(public(to_json(order), unseen))}" for order in fired]


def public(value: Json, hidden: set[str]) -> Json:
    """7: Return an order without its empty parts and without counters that only their owner knows."""
    if isinstance(value, Mapping):
        parts = {key: public(part, hidden) for key, part in value.items()}
        return {key: part for key, part in parts.items() if part not in (None, [])}
    if isinstance(value, list):
        return [public(part, hidden) for part in value if not (isinstance(part, str) and part in hidden)]
    return value


def flow(value: Json) -> str:
    """Return a value of an order in one line without braces and quotes, for a sentence."""
    if isinstance(value, Mapping):
        return f"({', '.join(f'{key} {flow(part)}' for key, part in value.items())})"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    return str(value)
