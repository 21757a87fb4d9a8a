"""Node 2, Activation: rounds, passes, and the steps that open a Player Turn (rules 4.2, 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from pbem.rules import Game, ask, condition, from_json, player_order, procedure, to_json

from ..activation import activated, remote_costs
from ..blocks import in_play, mark, unit, world_of
from ..decisions.turn_order import PassOrTurn
from ..events.activation import (
    ActivationEnded,
    PlayerHadToPass,
    PlayerPassed,
    PlayerTurnBegan,
    RoundBegan,
    RoundEnded,
    SupplyUnitRevealed,
    TurnsWaived,
    UnitsActivated,
)
from ..initiative import Initiative, current_round, forced_pass
from ..moves.mover import Mover
from ..orders import TurnOrder

REASONS = {
    "no units": "no unit on the map",
    "quota": "has taken the turns bid for",
    "waived": "the turns still owed are waived",
    "no SU": "no supply unit in play",
}


@condition("rounds_go_on")
def rounds_go_on(game: Game, phasing: str | None) -> bool:
    """4.2.1: until everybody has passed in one round."""
    return current_round(game) == 0 or bool(game.tracks["acted"])


@condition("takes_a_player_turn")
def takes_a_player_turn(game: Game, phasing: str | None) -> bool:
    """4.2.3: the player in place did not pass."""
    return bool(game.tracks["taking"])


@player_order("clockwise_from_holder")
def clockwise_from_holder(game: Game) -> Sequence[str]:
    """4.2.1, 4.2.2: the same order in every round, from the holder's seat on."""
    playing = in_play(game)
    return [p for p in world_of(game).clockwise_from(Initiative.of(game).holder) if p in playing]


@procedure("begin_round", rule="4.2.1")
async def begin_round(game: Game, phasing: str | None) -> None:
    """4.2.1 Rounds are counted from 1."""
    game.tracks["round"] += 1
    game.tracks["acted"] = False
    game.tracks["passed"] = {}
    game.emit(RoundBegan(current_round(game), tuple(clockwise_from_holder(game))))


@procedure("pass_or_turn", rule="4.2.3")
async def pass_or_turn(game: Game, phasing: str) -> None:
    """4.2.3 Forced passes first; the holder who owes turns must act; everybody else is free."""
    tracks, now = game.tracks, current_round(game)
    tracks["taking"], tracks["place"] = False, phasing
    reason = forced_pass(game, phasing)
    if reason is not None:
        owed = Initiative.of(game).owed(phasing)
        if reason == "no SU" and owed:
            tracks["initiative"]["waived"] = True
            game.emit(TurnsWaived(phasing, owed))
        tracks["passed"][phasing] = REASONS[reason]
        game.emit(PlayerHadToPass(phasing, now, REASONS[reason]))
        return
    order = await ask(PassOrTurn(phasing, now, Initiative.of(game).owed(phasing)))
    if order.choice == "pass":
        tracks["passed"][phasing] = "by choice"
        game.emit(PlayerPassed(phasing, now))
        return
    tracks["taking"] = tracks["acted"] = True
    tracks["plan"][phasing] = to_json(order)


def plan_of(game: Game, player: str) -> TurnOrder:
    """The turn order of the Player Turn that is going on."""
    return cast(TurnOrder, from_json(TurnOrder, game.tracks["plan"].get(player, {"choice": "turn"})))


@procedure("reveal_supply_units", rule="4.3.1")
async def reveal_supply_units(game: Game, phasing: str) -> None:
    """4.3.1 The Player Turn begins; from round 2 on supply units are turned face up, all at once."""
    now, plan = current_round(game), plan_of(game, phasing)
    game.tracks["active"] = phasing
    mover = Mover(game, phasing)
    game.tracks["turn_began"] = cast("dict[str, Any]", mover.began())
    game.emit(PlayerTurnBegan(phasing, now, now <= 1))
    for one in plan.reveal:
        su = unit(game, one.su)
        used = None if one.mode == "local" else sum(remote_costs(game, su, one.targets).values())
        game.emit(SupplyUnitRevealed(phasing, su.hex, su.cv, one.mode, used))
    for one in plan.reveal:
        mark(game, one.su, revealed=True)


@procedure("mark_activated", rule="4.3.2")
async def mark_activated(game: Game, phasing: str) -> None:
    """4.3.2 What the reveals activate, from the position as it is before any move."""
    active = activated(game, phasing, plan_of(game, phasing).reveal)
    for id in active:
        mark(game, id, activated=True)
    game.emit(UnitsActivated(phasing, tuple(active)))


@procedure("end_round", rule="4.2.10")
async def end_round(game: Game, phasing: str | None) -> None:
    """4.2.10 The report of the round."""
    tracks, initiative = game.tracks, Initiative.of(game)
    order = clockwise_from_holder(game)
    acted = tuple(p for p in order if p not in tracks["passed"])
    passed = {p: tracks["passed"][p] for p in order if p in tracks["passed"]}
    holder = cast(str, initiative.holder)
    game.emit(RoundEnded(current_round(game), acted, passed, holder, initiative.taken, initiative.quota))
    tracks["place"] = None


@procedure("end_activation", rule="4.1.6")
async def end_activation(game: Game, phasing: str | None) -> None:
    """4.1.6 Whoever held the initiative is the previous holder now."""
    tracks = game.tracks
    game.emit(ActivationEnded(current_round(game)))
    tracks["initiative"]["previous_holder"] = tracks["initiative"]["holder"]
    tracks["round"], tracks["acted"], tracks["passed"] = 0, False, {}
