"""The tests of `when:` in standing and advance orders, on facts of the question and of the position.

A plain name is a fact that the decision declares, or a field of the question. A name with `/` is a fact of
the position as the owner of the order may know it at that moment, and a way into its value: `track/vp/red`,
`block/R-AR1/hex`, `blocks/0507/blue`. A condition tells its author nothing hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.decisions import Decision
from pbem.model.facts import may_know
from pbem.text.canonical import Json

if TYPE_CHECKING:
    from pbem.engine.game import Game

Value = str | int | bool


def applies(game: Game, decision: Decision[Any], when: Json) -> bool:
    """Return True if all conditions hold or there is no mapping of them."""
    if not isinstance(when, dict):
        return True
    asked = decision.known(game)
    seen = known_to(game, decision.player) if any("/" in name for name in when) else {}
    return all(
        holds(find(seen, name), test) if "/" in name else name in asked and holds(asked[name], test)
        for name, test in when.items()
    )


def known_to(game: Game, player: str) -> dict[str, Json]:
    """Return the facts of the position that a player may know now."""
    return {fact.key: fact.value for fact in game.system.facts(game) if may_know(fact.audience, player)}


def find(facts: Mapping[str, Json], name: str) -> Value | None:
    """Return the value at a name with `/`, or None if there is no such simple value."""
    words = name.split("/")
    for length in range(len(words), 0, -1):
        key = "/".join(words[:length])
        if key in facts:
            value: Json = facts[key]
            for word in words[length:]:
                value = value.get(word) if isinstance(value, dict) else None
            return value if isinstance(value, str | int) else None
    return None


def holds(value: Value | None, test: Any) -> bool:
    """Return True if a value passes a test: equality, membership or bounds.

    The test language has nothing else. A missing value counts as 0 for bounds and is equal to nothing.
    """
    if isinstance(test, list):
        return value in test
    if isinstance(test, dict):
        number = 0 if value is None else value
        if not isinstance(number, int):
            return False
        return bool(test.get("at_least", number) <= number <= test.get("at_most", number))
    return value is not None and bool(value == test)
