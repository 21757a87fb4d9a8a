"""D.1, I.1, I.2, I.4: weather, letters, actions, the last impulse test."""

from __future__ import annotations

from pbem.rules import Game, Message, condition, consult, procedure, roll

from ..actions import (
    action_of,
    attackable,
    begin_impulse,
    chit_fault,
    choose_action,
    declare_war,
    limits,
    play_chit,
)
from ..actions import wanted as chit_wanted
from ..asking import letter_of
from ..decisions.replies import opponents
from ..events.turn import (
    ActionChosen,
    AnsweredBy,
    ImpulseBegan,
    LastImpulseTested,
    LeftUndone,
    MarkerMoved,
    OrderRefused,
    WeatherRolled,
)
from ..listed import ready
from ..pieces import T, acting, players_of, powers_of
from ..turning import move_marker, pass_bonus
from ..world import world_of


@condition("somebody_acts")
def somebody_acts(game: Game, phasing: str | None) -> bool:
    """I.3: Return True if a power of the phasing side did not pass."""
    return bool(acting(game, T.of(game).phasing or ""))


@condition("somebody_flies")
def somebody_flies(game: Game, phasing: str | None) -> bool:
    """p.1: Return True if a power that may fly did not pass.

    It is also True if a letter has flights, so that they are refused in the report.
    """
    t = T.of(game)
    own = t.phasing or ""
    return t.final or bool(acting(game, own)) or any(letter_of(game, p).atr for p in players_of(game, own))


@procedure("weather", rule="4.5.1")
async def weather(game: Game, phasing: str | None) -> None:
    """D.1: Roll one die for the weather of all zones in both impulses."""
    t, world = T.of(game), world_of(game)
    zones, dice = await world.weather.roll(world.seasons[max(1, t.turn) - 1], "weather")
    t.weather = zones
    t.phasing = None
    chart = world.weather_chart
    game.emit(WeatherRolled(dice[0], zones, int(chart["advance"][zones[chart["advance_zone"]]])))


@procedure("declarations", rule="4.5.2")
async def declarations(game: Game, phasing: str | None) -> None:
    """I.1: Begin the impulse, ask the side's players for letters, and declare wars."""
    begin_impulse(game)
    t = T.of(game)
    own = t.phasing or ""
    game.emit(ImpulseBegan(t.impulse, own))
    await ready(game, "I.1")
    for player in players_of(game, own):
        for n, name in enumerate(letter_of(game, player).declare, 1):
            power = powers_of(game, player, own)[0]
            if attackable(game, name):
                declare_war(game, power, name)
            else:
                game.emit(
                    OrderRefused(
                        power, "I.1", n, "E-MOVE", Message("wif.impulse.cannot-be-attacked", name=name)
                    )
                )


@procedure("actions", rule="4.5.2")
async def actions(game: Game, phasing: str | None) -> None:
    """I.2: Record each power's action, and play offensive chits."""
    own = T.of(game).phasing or ""
    await ready(game, "I.2")
    for player in players_of(game, own):
        letter = letter_of(game, player)
        standing = await consult(player, "action")
        for power in powers_of(game, player, own):
            action, by = action_of(game, power, letter, standing)
            choose_action(game, power, action)
            game.emit(ActionChosen(power, action, limits(game, power)))
            if by != "letter":
                game.emit(AnsweredBy(player, f"I.2 {power}", by))
            play = (letter.chit or {}).get(power)
            if play is None or not chit_wanted(game, play):
                continue
            refused = chit_fault(game, power, play)
            if refused is not None:
                game.emit(OrderRefused(power, "I.2", 1, refused.code, refused.message))
            else:
                play_chit(game, power, play)


@procedure("last_impulse", rule="4.8.1")
async def last_impulse(game: Game, phasing: str | None) -> None:
    """I.4: Roll for the end of the turn."""
    t, world = T.of(game), world_of(game)
    own = t.phasing or ""
    chart = world.weather_chart
    count = int(chart["advance"][t.weather.get(chart["advance_zone"], "fine")])
    bonus = pass_bonus(game, own)
    dice = [await roll("1d10", "last impulse") for _ in range(count)]
    t.number += sum(die.total + bonus for die in dice)
    ends = t.number >= world.threshold and dice[-1].total >= int(world.turn["last_die"])
    game.emit(LastImpulseTested(own, tuple(dice), bonus, t.number, world.threshold, ends))
    await _undone(game)
    t.action, t.chit, t.letters = {}, {}, {}
    if ends:
        t.ended = True
        if t.first_impulse == own and move_marker(game, own):
            game.emit(MarkerMoved(t.initiative))


async def _undone(game: Game) -> None:
    """6.1: Tell players, in the first two impulses, which standing orders they lack.

    Later each point is reported when it comes up.
    """
    t = T.of(game)
    for player in opponents(game):
        missing = [
            form for form in ("cap", "intercept", "retreat", "losses") if not await consult(player, form)
        ]
        if missing and t.turn <= 1 and t.impulse <= 2:
            game.emit(LeftUndone(player, tuple(missing), lacking=True), to=(player,))
