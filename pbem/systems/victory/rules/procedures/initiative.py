"""Node 1, Initiative (rule 4.1): secret bids, ties, and turns without a bid."""

from __future__ import annotations

from pbem.rules import Game, Message, ask_all, condition, procedure, roll

from ..decisions.bid import Bid
from ..events import initiative as told
from ..state import Initiative, State, Tie, break_tie, highest_bidders, in_play
from ..world import world_of


@condition("game_goes_on")
def game_goes_on(game: Game, phasing: str | None) -> bool:
    """4.0: Return True if there is no result yet and a game turn is left."""
    return nobody_has_won(game, phasing) and State.of(game).turn < world_of(game).last_turn


@condition("nobody_has_won")
def nobody_has_won(game: Game, phasing: str | None) -> bool:
    """4.9.2: Return True if no condition has ended the game before Production."""
    return State.of(game).result is None


@condition("bids_still_tied")
def bids_still_tied(game: Game, phasing: str | None) -> bool:
    """4.1.4: Return True if the tie rules left more than one player."""
    return bool(State.of(game).tied)


@condition("somebody_has_the_initiative")
def somebody_has_the_initiative(game: Game, phasing: str | None) -> bool:
    """4.1.5: Return True if a player holds the initiative."""
    return State.of(game).initiative.holder is not None


@procedure("begin_game_turn", rule="4.0.1")
async def begin_game_turn(game: Game, phasing: str | None) -> None:
    """4.0.1: Begin the next game turn."""
    state = State.of(game)
    state.turn += 1
    game.emit(told.GameTurnBegan(state.turn, world_of(game).last_turn))


@procedure("bid", rule="4.1.1")
async def bid(game: Game, phasing: str | None) -> None:
    """4.1.1: Ask all players in play for secret bids; a 6 counts as no bid (R-1)."""
    players = in_play(game)
    answers = await ask_all([Bid(player) for player in players])
    zero = world_of(game).numbers.bid_zero_face
    State.of(game).bids = {p: 0 if b == zero else b for p, b in zip(players, answers, strict=True)}


@procedure("reveal_bids", rule="4.1.2")
async def reveal_bids(game: Game, phasing: str | None) -> None:
    """4.1.2: Publish all bids together."""
    game.emit(told.BidsRevealed(dict(State.of(game).bids)))


def tie_of(game: Game) -> tuple[int, tuple[str, ...], Tie]:
    """4.1.3, 4.1.4: Return the highest bid, its bidders, and the result of the scenario's tie rules."""
    state, rules = State.of(game), world_of(game).tie_rules
    quota, tied = highest_bidders(game, state.bids)
    if len(tied) == 1:
        return quota, tied, Tie(tied)
    return quota, tied, break_tie(rules, state.turn, tied, state.initiative.previous_holder)


@procedure("award_initiative", rule="4.1.3")
async def award_initiative(game: Game, phasing: str | None) -> None:
    """4.1.3, 4.1.4: Give the initiative to the highest bidder; tie rules come first, then dice."""
    quota, tied, tie = tie_of(game)
    if quota == 0:
        award(game, None, 0)
    elif len(tie.left) > 1:
        State.of(game).tied = tie.left
    else:
        if len(tied) > 1:
            game.emit(told.TieBroken(tied, tie.left[0], tie.number, tie.kind.replace("_", " ")))
        award(game, tie.left[0], quota)


@procedure("tie_roll_off", rule="4.1.4")
async def tie_roll_off(game: Game, phasing: str | None) -> None:
    """4.1.4: Roll a die for each tied player in seat order; the highest roll again until one is left."""
    state, (quota, _, tie) = State.of(game), tie_of(game)
    left, number = state.tied, 0
    del state.tied
    how = (
        Message("victory.initiative.tie-rule", number=tie.number, kind=tie.kind)
        if tie.number
        else Message("victory.initiative.no-tie-rule-decides")
    )
    while len(left) > 1:
        number += 1
        dice = {p: await roll("1d6", "initiative", state.turn, number, p) for p in left}
        best = max(die.total for die in dice.values())
        left = tuple(p for p, die in dice.items() if die.total == best)
        game.emit(told.TieRolled(how, dice, left))
    award(game, left[0], quota)


def award(game: Game, holder: str | None, quota: int) -> None:
    """4.1.3, 4.1.5: Set the holder; the previous holder stays known until Activation ends."""
    state = State.of(game)
    state.initiative = Initiative(holder, quota, 0, False, state.initiative.previous_holder)
    if holder is not None:
        game.emit(told.InitiativeTaken(holder, quota))


@procedure("all_zero_test", rule="4.1.5")
async def all_zero_test(game: Game, phasing: str | None) -> None:
    """4.1.5: Skip Activation if all bids are 0 and there is no holder."""
    del State.of(game).bids
    if State.of(game).initiative.holder is None:
        game.emit(told.ActivationSkipped())
