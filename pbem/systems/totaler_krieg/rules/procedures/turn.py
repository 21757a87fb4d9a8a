"""0, 6, 7: Frame of a game turn: conditions, victory, conditional events, delay, turn marker."""

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
    """Return Axis, western, soviet."""
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
        # An event before it may have ended the game, or taken this one away.
        if t.result is not None or id not in due_events(game, power) or not event.when.holds(game):
            continue
        game.emit(ConditionalHappened(power, id, event.once))
        await apply(game, event.effects)
        if event.once:
            t.boxes[power] = tuple(one for one in t.boxes.get(power, ()) if one != id)
            t.happened[power] = (*t.happened.get(power, ()), id)
    await check_stacks(game)


def due_events(game: Game, power: str) -> set[str]:
    """4.11, R-302: Return the events of the box, and those of the current card that are not used up.

    "Once" takes an event out of the box. It may be put back and happen once more. An event of the card
    happens once while the card is current.
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
        for one in waiting:
            die = await roll("1d6", "delay", t.turn, power, one.id)
            drm = t.drm[power]["delay"]
            result = max(least, die.total + drm)
            send(one, "track", t.turn + result)
            game.emit(Delayed(power, one.id, die, drm, result, t.turn + result))


@procedure("turn_marker", rule="4.23")
async def turn_marker(game: Game, phasing: str | None) -> None:
    """4.23: Begin the next turn with its weather; bring back counters that are due; end the game when due.

    It ends after the last turn, and where the end marker is reached.
    """
    t, world = T.of(game), world_of(game)
    if t.turn >= len(world.turns):
        final(game)
        return
    t.turn += 1
    back = [one for one in pieces(game, spot="track") if one.due <= t.turn]
    for one in back:
        send(one, "pool")
    t.weather = world.weather_of(t.turn)
    game.emit(TurnBegan(t.turn, world.row(t.turn).name, dict(t.weather), tuple(one.id for one in back)))
    if world.row(t.turn).end:
        final(game)
