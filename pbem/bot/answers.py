"""The answers of bots: random legal ones, or sensible ones if the rules system has a player.

Long answers are grown: one drafting is kept, and one legal element after another added to it until the dice
say stop.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from typing import Any

from pbem.engine.rehearsal import Speaker
from pbem.rules import Decision, Drafting, Game, Growing, Json, Next
from pbem.text.messages import Message

Brain = Callable[[Game, Decision[Any], random.Random], Json]

THOROUGH = 400  # positions that the player at the table examines for one answer
STOP = 8  # stop at a complete answer with a chance of 1 in this many
MANY = 400  # with more elements than this, draw a counter first, then one of its elements
DRAWN = 20  # counters to draw before giving up and taking a first element


class DeadEnd(AssertionError):
    """A decision for which the rules list no legal answer that may be sent: a fault in a rules system."""


def answer(game: Game, decision: Decision[Any], rng: random.Random) -> Json:
    """Return a random legal answer.

    Raises `DeadEnd` if there is none.
    """
    if isinstance(decision, Growing):
        return _grown(Drafting(decision, game), rng)
    options = list(decision.options(game))
    if not options:
        raise DeadEnd(Message("bot.answers.no-legal-answer", called=_called(decision)))
    return rng.choice(options).answer


def clever(game: Game, decision: Decision[Any], rng: random.Random) -> Json:
    """Return the answer of the system's own player (`play_well`), or a random one without it."""
    hook = game.system.play_well_hook
    return hook(game, decision, rng.choice) if hook else answer(game, decision, rng)


def thorough(game: Game, decision: Decision[Any], rng: random.Random) -> Json:
    """Answer by the system's searching player; a planned answer needs no search."""
    game.budget = THOROUGH if game.asked else 0
    return clever(game, decision, rng)


def speaker(brain: Brain, seed: str) -> Speaker:
    """Return a brain for foreseen questions; it is the same each time it is made."""
    rng = random.Random(f"{seed}/ahead")
    return lambda game, decision, question: brain(game, decision, rng)


def _grown(drafting: Drafting[Any], rng: random.Random) -> Json:
    """Return an answer to which legal elements were added while the dice said so."""
    sent = drafting.json() if drafting.complete else None
    while sent is None or rng.randrange(STOP):
        element = _element(drafting, rng)
        if element is None:
            break
        drafting.add(element)
        sent = drafting.json() if drafting.complete else sent
    if sent is None:
        message = Message("bot.answers.no-complete-answer-beyond-elements", count=len(drafting.elements))
        raise DeadEnd(f"{_called(drafting.decision)}: {message}")
    return sent


def _element(drafting: Drafting[Any], rng: random.Random) -> Next[Any] | None:
    """Return a random next element.

    With many elements, mostly one of a randomly drawn counter, so that not all have to be listed.
    """
    first = list(islice(drafting.next(), MANY + 1))
    if len(first) <= MANY or not rng.randrange(STOP):
        return rng.choice(first) if first else None
    counters = drafting.draft.game.position.ids()
    for counter in rng.sample(counters, min(DRAWN, len(counters))):
        elements = list(drafting.next(counter))
        if elements:
            return rng.choice(elements)
    return rng.choice(first)


def _called(decision: Decision[Any]) -> str:
    return f"{decision.kind} of {decision.player}"
