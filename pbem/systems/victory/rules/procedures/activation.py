"""Node 2, Activation: rounds, passes, and the first steps of a player turn (rules 4.2, 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.rules import Game, Message, ask, condition, player_order, procedure

from ..activation import activate_all, forced_pass, remote_costs, reveal
from ..blocks import Block, units
from ..decisions.turn_order import PassOrTurn
from ..events import activation as told
from ..moves import Mover
from ..state import State, in_play
from ..world import world_of

REASONS = {
    "no-units": "victory.activation.no-unit-on-map",
    "quota": "victory.activation.has-taken-turns-bid-for",
    "waived": "victory.activation.turns-still-owed-waived",
    "no-su": "victory.activation.no-supply-unit-in-play",
}


@condition("rounds_go_on")
def rounds_go_on(game: Game, phasing: str | None) -> bool:
    """4.2.1: Return True until all players have passed in one round."""
    return State.of(game).round == 0 or State.of(game).acted


@condition("takes_a_player_turn")
def takes_a_player_turn(game: Game, phasing: str | None) -> bool:
    """4.2.3: Return True if the player whose place it is did not pass."""
    return State.of(game).taking


@player_order("clockwise_from_holder")
def clockwise_from_holder(game: Game) -> Sequence[str]:
    """4.2.1, 4.2.2: Return the order of players in every round, beginning with the holder."""
    playing = in_play(game)
    return [p for p in world_of(game).clockwise_from(State.of(game).initiative.holder) if p in playing]


@procedure("begin_round", rule="4.2.1")
async def begin_round(game: Game, phasing: str | None) -> None:
    """4.2.1: Begin the next round; the first is 1."""
    state = State.of(game)
    state.round += 1
    state.acted, state.passed = False, {}
    game.emit(told.RoundBegan(state.round, tuple(clockwise_from_holder(game))))


@procedure("pass_or_turn", rule="4.2.3")
async def pass_or_turn(game: Game, phasing: str) -> None:
    """4.2.3: Apply a forced pass, or else ask; a holder who owes turns must act."""
    state = State.of(game)
    state.taking, state.place = False, phasing
    reason, owed = forced_pass(game, phasing), state.initiative.owed(phasing)
    if reason is not None:
        if reason == "no-su" and owed:
            state.initiative = replace(state.initiative, waived=True)
            game.emit(told.TurnsWaived(phasing, owed))
        why = state.passed[phasing] = Message(REASONS[reason])
        game.emit(told.PlayerHadToPass(phasing, state.round, why))
        return
    order = await ask(PassOrTurn(phasing, state.round, owed))
    if order.choice == "pass":
        state.passed[phasing] = Message("victory.activation.by-choice")
        game.emit(told.PlayerPassed(phasing, state.round))
        return
    state.taking = state.acted = True
    state.plan[phasing] = order


@procedure("reveal_supply_units", rule="4.3.1")
async def reveal_supply_units(game: Game, phasing: str) -> None:
    """4.3.1: Begin the player turn; from round 2 on, turn supply units face up, all at once."""
    state = State.of(game)
    state.active = phasing
    state.turn_began = Mover(game, phasing).began
    game.emit(told.PlayerTurnBegan(phasing, state.round, state.round <= 1))
    reveals = state.order_of(phasing).reveal
    for order in reveals:
        su = Block(game, order.su)
        used = None if order.mode == "local" else sum(remote_costs(su, order.targets).values())
        game.emit(told.SupplyUnitRevealed(phasing, su.hex, su.cv, order.mode, used))
    for order in reveals:
        Block(game, order.su).revealed = True


@procedure("mark_activated", rule="4.3.2")
async def mark_activated(game: Game, phasing: str) -> None:
    """4.3.2: Activate units by the reveals, from the position before any move."""
    activate_all(game, phasing)
    for order in State.of(game).order_of(phasing).reveal:
        reveal(game, order)
    game.emit(told.UnitsActivated(phasing, tuple(u.id for u in units(game, phasing) if u.activated)))


@procedure("end_round", rule="4.2.10")
async def end_round(game: Game, phasing: str | None) -> None:
    """4.2.10: Report the round."""
    state, order = State.of(game), clockwise_from_holder(game)
    initiative, passed = state.initiative, state.passed
    assert initiative.holder is not None
    acted = tuple(p for p in order if p not in passed)
    why = {p: passed[p] for p in order if p in passed}
    game.emit(told.RoundEnded(state.round, acted, why, initiative.holder, initiative.taken, initiative.quota))
    state.place = None


@procedure("end_activation", rule="4.1.6")
async def end_activation(game: Game, phasing: str | None) -> None:
    """4.1.6: Make the holder of the initiative the previous holder."""
    state = State.of(game)
    game.emit(told.ActivationEnded(state.round))
    state.initiative = replace(state.initiative, previous_holder=state.initiative.holder)
    state.round, state.acted, state.passed = 0, False, {}
