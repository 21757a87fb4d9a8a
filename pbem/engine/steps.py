"""Runs the steps of a leaf in the order of its procedure, from the one at which the leaf begins."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.engine.game import Game

Part = Callable[[], Awaitable[object]]
Step = tuple[str, Part] | tuple[str, Part, Callable[[], bool]]


async def steps(game: Game, parts: Sequence[Step]) -> None:
    """Play the steps one after another.

    `[("6", intensity), ("8", commit, dice_decide)]` goes to step 6 and plays it, then to step 8 if its
    condition holds by then.

    A leaf that begins at one of its steps (`game.begin`: a saved game of an older outline, an example that
    plays a step) begins there, with the condition of that step; so what the parts hand on to each other
    belongs into the position.
    """
    assert game.here is not None, "steps() outside a leaf"
    leaf = game.here.leaf
    listed = [(leaf.step(part[0]), part) for part in parts]
    if game.begin is not None:
        known = [node.id for node, _ in listed]
        assert game.begin in known, f"the leaf {leaf.id} cannot begin at {game.begin}, only at one of {known}"
        listed = listed[known.index(game.begin) :]
    for node, part in listed:
        if len(part) == 3 and not part[2]():
            continue
        game.at(node.id)
        await part[1]()
