"""Votes for a draw and concessions, opened with their stage or by a ballot that only the GM sees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.kit.faults import illegal
from pbem.rules import GM_ONLY, Diagnostic, Game, Message, dataclass

from .events import Drawn, Voted, Won
from .state import State, alive, counts


@dataclass(frozen=True)
class Vote:
    """A vote: `none`, `draw`, or the power to concede to; and the powers that share a draw, if not all."""

    vote: str = "none"
    sharing: tuple[str, ...] = ()


def is_secret(game: Game) -> bool:
    """6.6: Return True if only the GM sees the votes."""
    return bool(game.options["draws"]) and game.options.get("ballot") == "secret"


def lists_sharers(game: Game) -> bool:
    """6.7: Return True if a vote for a draw may name the powers that share it."""
    return bool(game.options["draws"]) and game.options.get("draw_shared_by") == "list"


def votes(game: Game, player: str) -> tuple[str, ...]:
    """6.3: Return the votes that a player may cast: a draw, or a concession to another survivor."""
    if not game.options["draws"]:
        return ()
    return ("draw", *(other for other in alive(game) if other != player))


def vote_faults(game: Game, player: str, vote: str) -> list[Diagnostic]:
    """6.3: Return the faults of a vote."""
    listed = votes(game, player)
    if vote in listed or vote == "none":
        return []
    message = Message("diplomacy.drafts.no-vote", vote=vote, listed=", ".join(listed) or "none")
    return [illegal("E-DIP-20", "6.3", message)]


def sharing_faults(game: Game, name: str, before: Iterable[str]) -> list[Diagnostic]:
    """6.7: Return the faults of a power named to share a draw."""
    listed = ", ".join(alive(game))
    if lists_sharers(game) and name in alive(game) and name not in before:
        return []
    message = Message("diplomacy.voting.no-sharer", power=name, listed=listed, lists=lists_sharers(game))
    return [illegal("E-DIP-22", "6.7", message)]


def no_vote_here() -> list[Diagnostic]:
    """6.6: Return the fault of a vote that goes with the moves, where all would read it."""
    return [illegal("E-DIP-20", "6.6", Message("diplomacy.voting.by-ballot"))]


def vote_in_words(vote: str) -> str:
    """Return a vote in words."""
    if vote == "none":
        return Message("diplomacy.drafts.vote-none")
    if vote == "draw":
        return Message("diplomacy.drafts.vote-draw")
    return Message("diplomacy.drafts.vote-concede", player=titled(vote))


def titled(power: str) -> str:
    """Return a power as a name in a sentence: `England`."""
    return power.replace("_", " ").title()


def count_votes(game: Game, given: Mapping[str, Vote]) -> None:
    """6.3: End the game if all votes agree on a draw or on a survivor who wins.

    Survivors without units are not asked (R-15). 6.6: Only the GM learns of a secret ballot, unless it ends
    the game.
    """
    living = alive(game)
    cast = {player: given[player] for player in living if player in given}
    if all(vote.vote == "none" for vote in cast.values()):
        return
    draw = {player: shared(game, vote) for player, vote in cast.items() if vote.vote == "draw"}
    conceding = {player: vote.vote for player, vote in cast.items() if vote.vote in living}
    against = tuple(player for player, vote in cast.items() if vote.vote == "none")
    sharing = draw if lists_sharers(game) and draw else None
    game.emit(Voted(tuple(draw), conceding, against, sharing), to=GM_ONLY if is_secret(game) else None)
    if len(draw) == len(cast) and len(set(draw.values())) == 1:
        end_drawn(game, next(iter(draw.values())), voted=True)
        return
    for leader in dict.fromkeys(conceding.values()):
        if all(vote.vote == leader for player, vote in cast.items() if player != leader):
            end_won(game, leader, conceded=True)
            return


def shared(game: Game, vote: Vote) -> tuple[str, ...]:
    """6.7: Return the powers that would share the draw of a vote, in the order of the powers."""
    named = vote.sharing if lists_sharers(game) and vote.sharing else alive(game)
    return tuple(player for player in alive(game) if player in named)


def end_drawn(game: Game, players: tuple[str, ...], *, voted: bool) -> None:
    """6.3, 6.4: End the game with a draw of these powers."""
    State.of(game).over = True
    game.emit(Drawn(players, voted))


def end_won(game: Game, winner: str, *, conceded: bool) -> None:
    """6.2: End the game with a win."""
    state = State.of(game)
    state.over, state.winner = True, winner
    game.emit(Won(winner, counts(game)[winner], conceded))
