"""What frames a game turn: its conditions, victory, conditional events, delay, turn marker (0, 6, 7)."""

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
    """2.7 Phases 0 and 1 are played on seasonal turns only."""
    return bool(world_of(game).row(T.of(game).turn).seasonal)


@condition("seasonal_turn_goes_on")
def seasonal_turn_goes_on(game: Game, phasing: str | None) -> bool:
    return bool(world_of(game).row(T.of(game).turn).seasonal) and T.of(game).result is None


@power_order("faction_order")
def faction_order(game: Game) -> Sequence[str]:
    """3 Axis, western, soviet."""
    return world_of(game).factions


@procedure("victory_check", rule="4.1")
async def victory_check(game: Game, phasing: str | None) -> None:
    """4.1 The victory value, the marker, automatic victory."""
    check(game)


@procedure("conditional_events", rule="4.11")
async def conditional_events(game: Game, phasing: str | None) -> None:
    """4.11 Events of the box and of the current card in the order of their ids."""
    power, t, world = faction_of(phasing), T.of(game), world_of(game)
    enter_faction_turn(game, power)
    card = world.cards.get(t.current.get(power, ""))
    listed = {*t.boxes.get(power, ()), *(card.conditional_events if card else ())}
    for id in sorted(listed):
        event = world.conditional[id]
        if t.result is not None or id in t.happened.get(power, ()) or not event.when.holds(game):
            continue
        game.emit(ConditionalHappened(power, id, event.once))
        await apply(game, event.effects)
        if event.once:
            t.boxes[power] = tuple(one for one in t.boxes.get(power, ()) if one != id)
            t.happened[power] = (*t.happened.get(power, ()), id)
    await check_stacks(game)


@procedure("delay", rule="4.23")
async def delay(game: Game, phasing: str | None) -> None:
    """4.23 A die for each counter in a Delay Box."""
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
    """4.23 The next turn and its weather; counters that are due come back; after the last turn, and where the
    end marker is reached, the end."""
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
