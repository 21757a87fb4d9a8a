"""Every course that a procedure may take by the dice, with default answers.

    for chance, after in courses(game, lambda copy: Battle(copy, power, order).fight()):
        lost += chance * losses(game, after)

So a forecast comes from the rules themselves. Each course runs on a copy of the position. This is for
procedures with few dice: three six-sided dice are 216 courses.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from fractions import Fraction
from typing import Any

from pbem.engine.decisions import Decision
from pbem.engine.game import Game
from pbem.engine.requests import AskRequest, ConsultRequest, LodgeRequest, RollRequest
from pbem.model.events import Roll, results_of

Throws = tuple[tuple[int, ...], ...]
Thrower = Callable[[str], tuple[int, ...] | None]
"""The throw of these dice, or None if nobody throws them."""
Begin = Callable[[Game], Coroutine[Any, Any, Any]]
Answer = Callable[[Game, Decision[Any]], Any]


def by_default(game: Game, decision: Decision[Any]) -> Any:
    """Return the default answer of the rules."""
    return decision.default(game)


def courses(
    game: Game, begin: Begin, answer: Answer = by_default, thrown: Throws = ()
) -> Iterator[tuple[Fraction, Game]]:
    """Yield each course with its chance and the game after it.

    `begin` makes the procedure on a copy; `answer` answers its questions, `thrown` how
    its first dice fell.
    """
    waiting: list[tuple[Fraction, Throws]] = [(Fraction(1), thrown)]
    while waiting:
        chance, throws = waiting.pop()
        copy = game.copy()
        dice = driven(copy, begin(copy), thrower(throws), answer)
        if dice is None:
            yield chance, copy
            continue
        results = list(results_of(dice))
        waiting += [(chance * Fraction(1, len(results)), (*throws, result)) for result in results]


def thrower(throws: Throws) -> Thrower:
    """Return what throws these, one after the other, and then no more."""
    rest = iter(throws)
    return lambda dice: next(rest, None)


def driven(
    game: Game, procedure: Coroutine[Any, Any, Any], thrown: Thrower, answer: Answer = by_default
) -> str | None:
    """Run a procedure with these throws. Return the dice that nobody throws for it, or None if it ended."""
    result: Any = None
    while True:
        try:
            request = procedure.send(result)
        except StopIteration:
            return None
        match request:
            case AskRequest():
                request.by.extend("default" for _ in request.decisions)
                result = [answer(game, decision) for decision in request.decisions]
            case RollRequest():
                throw = thrown(request.dice)
                if throw is None:
                    procedure.close()
                    return request.dice
                result = Roll(request.words, request.dice, throw)
            case ConsultRequest():
                result = []
            case LodgeRequest():
                result = None
            case _:
                raise AssertionError(f"a forecast cannot answer {request!r}")
