"""The results of advance orders in words, for reports and status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.text.messages import Message
from pbem.text.recorded import recalled

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.report.wording import Wording
    from pbem.stages.views import PlayerView


def used(view: PlayerView, reader: str | None, words: Wording) -> list[str]:
    """Return how many advance orders answered in this stage, and what was left out of illegal ones."""
    used_ = [answered for answered in _results(view, reader) if answered["result"] == "used"]
    partly = [_sentence(fact, words) for fact in used_ if fact.get("why")]
    fully = len(used_) - len(partly)
    return [*([words.say("ahead-used", count=fully)] if fully else []), *partly]


def unused(
    view: PlayerView, reader: str | None, kept: Mapping[str, Sequence[str]], words: Wording
) -> list[str]:
    """Return the advance orders that did not answer, or are lost, and why.

    `kept` are the commitments of the stage that its record does not open.
    """
    tried = [
        _sentence(answered, words) for answered in _results(view, reader) if answered["result"] != "used"
    ]
    return tried + [
        words.say("ahead-unasked", decision=kind) for kind in _lost(view, kept.get(reader or "", ()))
    ]


def _results(view: PlayerView, reader: str | None) -> Iterable[dict[str, Any]]:
    for key, value in sorted(view.facts.items()):
        if key.startswith(f"ahead/{reader}/") and isinstance(value, dict):
            yield value


def _sentence(answered: Mapping[str, Any], words: Wording) -> str:
    why = "; ".join(words.text(str(recalled(fault["message"]))) for fault in answered.get("why", ()))
    name = "ahead-used-partly" if answered["result"] == "used" and why else f"ahead-{answered['result']}"
    return words.say(name, name=str(answered["name"]), decision=str(answered["decision"]), why=why)


def _lost(view: PlayerView, kept: Sequence[str]) -> list[str]:
    """Return the kinds of secrets that are lost with their stage.

    One that the rules keep for later is not opened in its stage either, and not lost.
    """
    kinds = view.system.registry.decisions
    return [kind for kind in kept if kind in kinds and kinds[kind].secrecy in ("open", "together")]


def listed(orders: Sequence[Any]) -> list[str]:
    """Return waiting advance orders, a line each: name, purpose, conditions, answer."""
    from pbem.engine.ahead import name_of
    from pbem.text.flow import flow

    lines: list[str] = []
    for order in orders:
        name = name_of(order)
        if name is not None:
            conditions = [
                f"{word} {flow(order[word])}"
                for word in ("subject", "when", "until", "unless")
                if word in order
            ]
            lines.append(
                f"{name}: {' '.join([str(order['decision']), *conditions])}: {flow(order['answer'])}"
            )
    return lines


def waiting(folder: Folder, orders: object) -> list[str]:
    """Return the owner's waiting advance orders, and those signed in the current stage."""
    from pbem.archive import answers_ahead

    there = listed(orders) if isinstance(orders, list) else []
    mine = answers_ahead.signed(folder) if folder.role == "player" else None
    new = [line for line in listed(mine or ()) if line not in there]
    return there + [Message("cli.standing.signed-in-stage", line=line) for line in new]
