"""A sensible answer to a growing decision: always the best element, until none is worth it.

    def play_well(game, decision, pick):
        match decision:
            case Movement():
                return greedy(decision, game, lambda board, one: worth_of_move(board, one.points))

The worth of an element is judged on the board as the elements before it leave it. Rule of thumb: a player for
demonstrations needs no plan; it needs to see what is near, weak and dear. What must be there in every answer
(a choice, say) is worth more than anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.engine.drafting import Drafting
from pbem.engine.game import Game
from pbem.engine.growing import Growing, Next
from pbem.model.codec import to_json
from pbem.text.canonical import Json

Worth = Callable[[Game, Next[Any]], int | None]
MOST = 200  # limit of elements, against answers that grow in a circle


def greedy(decision: Growing[Any], game: Game, worth: Worth, *, most: int = MOST) -> Json:
    """Return the answer grown by the best element each time; of equals the one offered first.

    `worth` is None (or less than 1) for what is not wanted. An answer that cannot be sent as it is goes on
    with whatever may come next; where nothing may, it is the default.
    """
    drafting = Drafting(decision, game)
    for _ in range(most):
        best: tuple[int, Next[Any]] | None = None
        any_at_all: Next[Any] | None = None
        for option in drafting.next():
            any_at_all = any_at_all or option
            value = worth(drafting.draft.game, option) or 0
            if value > 0 and (best is None or value > best[0]):
                best = value, option
        if best is not None:
            drafting.add(best[1])
        elif any_at_all is not None and not drafting.complete:
            drafting.add(any_at_all)
        else:
            break
    return drafting.json() if drafting.complete else to_json(decision.default(game))
