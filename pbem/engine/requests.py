"""The requests for which a procedure can wait, and the steps in which it plays them.

Each is an `async def`, so that a forgotten `await` is an error (architecture 2).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.engine.decisions import Decision
from pbem.model.events import Roll, Shuffle
from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from pbem.engine.game import Game

A = TypeVar("A")


class Request:
    """Handed to the driver of the leaf, which sends the result back or ends the run."""

    def __await__(self) -> Generator[Request, Any, Any]:
        result = yield self
        return result


@dataclass(frozen=True)
class AskRequest(Request):
    """A request for answers; `by` says how each came, once they are there (`How` in
    `engine/answers.py`).
    """

    decisions: tuple[Decision[Any], ...]
    together: bool
    by: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SealRequest(Request):
    decision: Decision[Any]
    lasting: bool = False


@dataclass(frozen=True)
class Sealed:
    """A commitment that its owner will open when the rules call for it."""

    key: str
    decision: Decision[Any]


@dataclass(frozen=True)
class LodgeRequest(Request):
    decision: Decision[Any]


@dataclass(frozen=True)
class OpenRequest(Request):
    sealed: Sealed


@dataclass(frozen=True)
class RollRequest(Request):
    dice: str
    words: tuple[str | int, ...]
    hidden: bool


@dataclass(frozen=True)
class ShuffleRequest(Request):
    items: tuple[str | int, ...]
    words: tuple[str | int, ...]
    hidden: bool


@dataclass(frozen=True)
class ConsultRequest(Request):
    player: str
    form: str


async def ask(decision: Decision[A]) -> A:
    """Ask one player; the leaf waits for the answer (reply, standing order or default) is there."""
    answers: list[A] = await AskRequest((decision,), together=False)
    return answers[0]


async def ask_all(decisions: Sequence[Decision[A]]) -> list[A]:
    """Ask several players at once: no answer is used or shown before all are in.

    Answers come in the order asked.
    """
    if not decisions:
        return []
    answers: list[A] = await AskRequest(tuple(decisions), together=True)
    return answers


async def ask_each(decisions: Sequence[Decision[Any]]) -> list[Any]:
    """Ask several open questions at the same time, of one player or of several.

    This takes one email instead of several. Use it for what is no secret and decides nothing for the others.
    """
    if not decisions:
        return []
    answers: list[Any] = await AskRequest(tuple(decisions), together=False)
    return answers


async def ask_how(decisions: Sequence[Decision[Any]]) -> list[tuple[Any, str]]:
    """Ask like `ask_each`, and return each answer with its origin.

    The origin is "standing" for a standing or an advance order, "default", else as it was sent ("open",
    "sealed", ...).
    """
    request = AskRequest(tuple(decisions), together=False)
    answers = await request if decisions else []
    return list(zip(answers, request.by or ["open"] * len(answers), strict=True))


async def seal(decision: Decision[Any], *, lasting: bool = False) -> Sealed:
    """Ask for a commitment only; `opened` asks for the value later, in the same leaf.

    A `lasting` one outlives its leaf, like that of `lodge`: keep the key in a track.
    """
    sealed: Sealed = await SealRequest(decision, lasting)
    return sealed


async def lodge(decision: Decision[Any]) -> Sealed | None:
    """Return a commitment that the player sent for this decision, or None; nobody is asked for one.

    It is sent as `kind` or `kind/subject`. Unlike that of `seal` it outlives its leaf: keep the key in a
    track, and have `opened(Sealed(key, decision))` ask for the value in a later leaf.
    """
    sealed: Sealed | None = await LodgeRequest(decision)
    return sealed


async def opened(sealed: Sealed) -> Any:
    """Return the value of a commitment; the game waits until its owner has opened it (protocol 8.1)."""
    return await OpenRequest(sealed)


async def roll(dice: str, *words: str | int, hidden: bool = False) -> Roll:
    """Roll `"2d6"`, `"d66"` ... for a procedure and its subjects.

    These words become the label, with an occurrence number (protocol 9.3).

    They come from ids of module and scenario, hex numbers and counters, never from text that a
    player chose. They never name what somebody may not know.
    """
    result: Roll = await RollRequest(dice, words, hidden)
    return result


async def shuffle(items: Sequence[str | int], *words: str | int, hidden: bool = False) -> Shuffle:
    """Shuffle a list by dice (protocol 9.2)."""
    result: Shuffle = await ShuffleRequest(tuple(items), words, hidden)
    return result


async def consult(player: str, form: str) -> list[Any]:
    """Return the player's standing orders of one form, typed.

    They are journaled, so that a later change does not disturb what began.
    """
    orders: list[Any] = await ConsultRequest(player, form)
    return orders


Part = Callable[[], Awaitable[object]]
Step = tuple[str, Part] | tuple[str, Part, Callable[[], bool]]


async def steps(game: Game, parts: Sequence[Step]) -> None:
    """Play the steps one after another.

    `[("6", intensity), ("8", commit, dice_decide)]` goes to step 6 and plays it, then to step 8 if its
    condition holds by then.

    A leaf that begins at one of its steps (`game.begin`: a saved game of an older outline, an example that
    plays a step) begins there, with the condition of that step; so what the parts hand on to each
    other belongs in the position.
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
