"""Node 1, Initiative (rule 4.1): secret bids, ties, and what follows when nobody bids."""

from __future__ import annotations

from typing import cast

from pbem.rules import Game, ask_all, condition, procedure, roll

from ..blocks import in_play, world_of
from ..decisions.bid import Bid
from ..events.initiative import (
    ActivationSkipped,
    BidsRevealed,
    GameTurnBegan,
    InitiativeTaken,
    TieBroken,
    TieRolled,
)
from ..initiative import Initiative, Tie, break_tie, highest_bidders


@condition("game_goes_on")
def game_goes_on(game: Game, phasing: str | None) -> bool:
    """4.0: no result yet, and a game turn left."""
    return nobody_has_won(game, phasing) and bool(game.tracks["turn"] < world_of(game).last_turn)


@condition("nobody_has_won")
def nobody_has_won(game: Game, phasing: str | None) -> bool:
    """4.9.2: the first condition that is true ends the game before Production."""
    return game.tracks["result"] is None


@condition("bids_still_tied")
def bids_still_tied(game: Game, phasing: str | None) -> bool:
    """4.1.4: the tie rules left more than one."""
    return bool(game.tracks.get("tied"))


@condition("somebody_has_the_initiative")
def somebody_has_the_initiative(game: Game, phasing: str | None) -> bool:
    """4.1.5."""
    return Initiative.of(game).holder is not None


@procedure("begin_game_turn", rule="4.0.1")
async def begin_game_turn(game: Game, phasing: str | None) -> None:
    """4.0.1 The marker on the turn track moves on."""
    game.tracks["turn"] += 1
    game.emit(GameTurnBegan(game.tracks["turn"], world_of(game).last_turn))


@procedure("bid", rule="4.1.1")
async def bid(game: Game, phasing: str | None) -> None:
    """4.1.1 Everybody in play bids in secret. The 6 of a die counts as no bid."""
    players = in_play(game)
    answers = await ask_all([Bid(player) for player in players])
    zero = world_of(game).numbers.bid_zero_face
    game.tracks["bids"] = {p: 0 if b == zero else b for p, b in zip(players, answers, strict=True)}


@procedure("reveal_bids", rule="4.1.2")
async def reveal_bids(game: Game, phasing: str | None) -> None:
    """4.1.2 All bids become public together."""
    game.emit(BidsRevealed(dict(game.tracks["bids"])))


@procedure("award_initiative", rule="4.1.3")
async def award_initiative(game: Game, phasing: str | None) -> None:
    """4.1.3, 4.1.4 The highest bid takes it; the scenario's tie rules come first, then the dice."""
    before = Initiative.of(game)
    quota, tied = highest_bidders(game, game.tracks["bids"])
    if quota == 0:
        award(game, None, 0)
        return
    rules = world_of(game).tie_rules
    tie = Tie(tied) if len(tied) == 1 else break_tie(rules, game.tracks["turn"], tied, before.previous_holder)
    if tie.rolls:
        game.tracks["tied"] = list(tie.left)
        return
    if len(tied) > 1:
        game.emit(TieBroken(tied, tie.left[0], tie.number, tie.kind.replace("_", " ")))
    award(game, tie.left[0], quota)


@procedure("tie_roll_off", rule="4.1.4")
async def tie_roll_off(game: Game, phasing: str | None) -> None:
    """4.1.4 The tied roll one die each in seat order, the highest again until one is left."""
    left = cast("list[str]", game.tracks.pop("tied"))
    number, how = 0, _why_dice(game)
    while len(left) > 1:
        number += 1
        dice = {p: await roll("1d6", "initiative", game.tracks["turn"], number, p) for p in left}
        best = max(die.total for die in dice.values())
        left = [p for p, die in dice.items() if die.total == best]
        game.emit(TieRolled(how, dice, tuple(left)))
    award(game, left[0], max(game.tracks["bids"].values()))


def _why_dice(game: Game) -> str:
    """Which tie rule calls for dice, for the report (4.1.7)."""
    _, tied = highest_bidders(game, game.tracks["bids"])
    previous = Initiative.of(game).previous_holder
    tie = break_tie(world_of(game).tie_rules, game.tracks["turn"], tied, previous)
    return f"tie rule {tie.number}, {tie.kind}" if tie.number else "no tie rule decides"


def award(game: Game, holder: str | None, quota: int) -> None:
    """4.1.3, 4.1.5 Set the marker; the previous holder stays known until Activation ends."""
    previous = Initiative.of(game).previous_holder
    game.tracks["initiative"] = {
        "holder": holder,
        "quota": quota,
        "taken": 0,
        "waived": False,
        "previous_holder": previous,
    }
    if holder is not None:
        game.emit(InitiativeTaken(holder, quota))


@procedure("all_zero_test", rule="4.1.5")
async def all_zero_test(game: Game, phasing: str | None) -> None:
    """4.1.5 Where all bids are 0 there is no holder, and Activation is skipped."""
    game.tracks.pop("bids")
    if Initiative.of(game).holder is None:
        game.emit(ActivationSkipped())
