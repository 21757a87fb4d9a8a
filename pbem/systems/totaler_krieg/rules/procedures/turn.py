"""0, 6, 7: Frame of a game turn: victory, conditional events, delay, turn marker."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Game, condition, power_order, procedure, roll

from ..events.politics import ConditionalHappened
from ..events.turn import Delayed, TurnBegan
from ..pieces import T, pieces, send, world_of
from ..politics import apply
from ..stacking_check import check_stacks
from ..victory import check, final
from .faction_turn import enter_faction_turn, faction_of


@condition("game_goes_on")
def game_goes_on(game: Game, phasing: str | None) -> bool:
    return T.of(game).result is None


@condition("seasonal_turn")
def seasonal_turn(game: Game, phasing: str | None) -> bool:
    """2.7: Return True if the turn is seasonal, so that phases 0 and 1 are played."""
    return bool(world_of(game).row(T.of(game).turn).seasonal)


@condition("seasonal_turn_goes_on")
def seasonal_turn_goes_on(game: Game, phasing: str | None) -> bool:
    return bool(world_of(game).row(T.of(game).turn).seasonal) and T.of(game).result is None


@power_order("faction_order")
def faction_order(game: Game) -> Sequence[str]:
    """Return the factions in order: Axis, western, soviet."""
    return world_of(game).factions


@procedure("victory_check", rule="4.1")
async def victory_check(game: Game, phasing: str | None) -> None:
    """4.1: Check the victory value, the marker, and automatic victory."""
    check(game)


@procedure("conditional_events", rule="4.11")
async def conditional_events(game: Game, phasing: str | None) -> None:
    """4.11: Apply events of the box and of the current card in the order of their ids."""
    power, t, world = faction_of(phasing), T.of(game), world_of(game)
    enter_faction_turn(game, power)
    for id in sorted(due_events(game, power)):
        event = world.conditional[id]
        # An earlier event may have ended the game or removed this one.
        if t.result is not None or id not in due_events(game, power) or not event.when.holds(game):
            continue
        game.emit(ConditionalHappened(power, id, event.once))
        await apply(game, event.effects)
        if event.once:
            t.boxes[power] = tuple(other for other in t.boxes.get(power, ()) if other != id)
            t.happened[power] = (*t.happened.get(power, ()), id)
    await check_stacks(game)


def due_events(game: Game, power: str) -> set[str]:
    """4.11, R-302: Return the events in the box, and unused ones of the current card.

    "Once" removes an event from the box. It may be put back and happen once more. An event of the
    card happens once while the card is current.
    """
    t = T.of(game)
    card = world_of(game).cards.get(t.current.get(power, ""))
    of_card = card.conditional_events if card else ()
    return {*t.boxes.get(power, ()), *(id for id in of_card if id not in t.happened.get(power, ()))}


@procedure("delay", rule="4.23")
async def delay(game: Game, phasing: str | None) -> None:
    """4.23: Roll a die for each counter in a Delay Box."""
    t, world = T.of(game), world_of(game)
    least = int(world.limits["delay"]["minimum"])
    for power in list(world.factions):
        waiting = [*pieces(game, power, "delay"), *pieces(game, power, "naval_delay")]
        for counter in waiting:
            die = await roll("1d6", "delay", t.turn, power, counter.id)
            drm = t.drm[power]["delay"]
            result = max(least, die.total + drm)
            send(counter, "track", t.turn + result)
            game.emit(Delayed(power, counter.id, die, drm, result, t.turn + result))


@procedure("turn_marker", rule="4.23")
async def turn_marker(game: Game, phasing: str | None) -> None:
    """4.23: Begin the next turn, or end the game after the last turn or at the end marker.

    A new turn brings its weather and the counters that are due.
    """
    t, world = T.of(game), world_of(game)
    if t.turn >= len(world.turns):
        final(game)
        return
    t.turn += 1
    back = [counter for counter in pieces(game, spot="track") if counter.due <= t.turn]
    for counter in back:
        send(counter, "pool")
    t.weather = world.weather_of(t.turn)
    game.emit(
        TurnBegan(t.turn, world.row(t.turn).name, dict(t.weather), tuple(counter.id for counter in back))
    )
    if world.row(t.turn).end:
        final(game)
