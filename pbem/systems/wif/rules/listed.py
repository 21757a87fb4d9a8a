"""6.1: Orders of a step as players list them.

Letters are asked for when the step comes. The first legal alternative of each entry is carried out,
and illegal ones are reported and skipped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, NamedTuple

from pbem.rules import Game, ask_each, to_json

from .actions import ACTIVITIES
from .asking import letter_of, wants
from .conditions import BadCondition, holds
from .crowding import Barred, Done, Key, arrivals, crowded_out
from .decisions.impulse_letter import ImpulseLetter
from .events.turn import ActivitiesLeft, OrderRefused
from .pieces import T, acting, limit, players_of, powers_of, used
from .steps import Impulse, labels_of, listed_ways, succeeded, wanted


async def ready(game: Game, step: str) -> None:
    """Make sure that the letters of the phasing side's players are there.

    A player is asked if the letter is missing, if its `stop_if` holds, or if `ask` lists this step.
    """
    t = T.of(game)
    asked = []
    for player in players_of(game, t.phasing or ""):
        missing = player not in t.letters
        if missing or _stopped(game, player, step) or (step != "I.1" and await wants(game, player, step)):
            asked.append(ImpulseLetter(player, step, t.impulse))
    if asked:
        for decision, answer in zip(asked, await ask_each(asked), strict=True):
            t.letters[decision.player] = to_json(answer)


def _stopped(game: Game, player: str, step: str) -> bool:
    stop = letter_of(game, player).stop_if
    if stop is None or stop.before != step:
        return False
    try:
        return holds(game, stop.if_, labels_of(game, player))
    except BadCondition:
        return True


Step = Callable[[Game, str | None], Awaitable[None]]


def counted(step: str) -> Callable[[Step], Step]:
    """4.10: Wrap a step to report what each power has left of the limited activities that it used."""

    def around(run: Step) -> Step:
        @wraps(run)
        async def told(game: Game, phasing: str | None) -> None:
            before = _left(game)
            await run(game, phasing)
            for power, left in _left(game).items():
                changed = {name: n for name, n in left.items() if n != before[power].get(name)}
                if changed:
                    game.emit(ActivitiesLeft(power, step, changed))

        return told

    return around


def _left(game: Game) -> dict[str, dict[str, int]]:
    """5.5: Return what is left of the limited activities of each acting power."""
    t, rest = T.of(game), {}
    for power in acting(game, t.phasing or ""):
        limits = {name: limit(game, power, name) for name in ACTIVITIES}
        left = {name: n - used(game, power, name) for name, n in limits.items() if n is not None}
        if "rail_moves" in left:
            left["rail_moves"] = t.rail_left.get(power, 0)
        rest[power] = left
    return rest


async def orders(game: Game, step: str) -> tuple[Impulse, list[tuple[str, int, Any]]]:
    """R-215: Return the entries of a step: players in the order of their powers, entries as listed."""
    await ready(game, f"I.3{step}")
    impulse = Impulse(game)
    players = players_of(game, impulse.side)
    entries = [
        (player, n, entry)
        for player in players
        for n, entry in enumerate(getattr(letter_of(game, player), step), 1)
    ]
    return impulse, entries


class Chosen(NamedTuple):
    """An order that is carried out now: its player, its power, and the alternative of the entry."""

    player: str
    power: str
    way: Any
    key: Key


def chosen(
    game: Game, impulse: Impulse, step: str, listed: tuple[str, int, Any], barred: Barred | None = None
) -> Chosen | None:
    """Return the first legal alternative of an entry that is reached now.

    An entry that is illegal, or barred because it would overfill a hex, is reported and skipped.
    """
    player, n, entry = listed
    if not wanted(game, entry, labels_of(game, player)):
        return None
    result = _legal(game, impulse, step, listed, barred or {})
    if isinstance(result, Chosen):
        succeeded(game, player, entry.label, result.way.label)
        return result
    if result is not None:
        owner = result.power or powers_of(game, player, impulse.side)[0]
        game.emit(OrderRefused(owner, f"I.3{step}", n, result.code, result.text))
    return None


class _Skipped(NamedTuple):
    """The owner of an entry that is not carried out, and the reason."""

    power: str
    code: str
    text: str


def _legal(
    game: Game, impulse: Impulse, step: str, listed: tuple[str, int, Any], barred: Barred
) -> Chosen | _Skipped | None:
    """Return the first legal alternative of an entry, or the reason why there is none."""
    first: _Skipped | None = None
    player, n, entry = listed
    labels = labels_of(game, player)
    for at, way in enumerate(listed_ways(entry)):
        if not wanted(game, way, labels):
            continue
        power, refused = impulse.fault(step, player, way)
        refused = refused or barred.get((player, n, at))
        if refused is None:
            return Chosen(player, power, way, (player, n, at))
        first = first or _Skipped(power, refused.code, refused.message)
    return first


async def plain(game: Game, step: str) -> list[str]:
    """Carry out a step without dice, and return the ships that turn face-down after it."""
    _, listed = await orders(game, step)
    ships: list[str] = []

    def run(board: Game, impulse: Impulse, barred: Barred) -> list[Done]:
        done: list[Done] = []
        ships.clear()
        for entry in listed:
            order = chosen(board, impulse, step, entry, barred)
            if order is not None:
                done.append((order.key, *arrivals(board, step, order.way)))
                ship = impulse.do(step, order.way)
                ships.extend([ship] if ship is not None and ship not in ships else [])
        return done

    run(game, Impulse(game, at_the_end=True), crowded_out(game, step, listed, run))
    return ships
