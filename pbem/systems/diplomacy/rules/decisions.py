"""Questions of Diplomacy: moves with a vote, ballots, retreats, adjustments, notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pbem.kit.faults import illegal, under
from pbem.rules import (
    Decision,
    Diagnostic,
    Game,
    Growing,
    Message,
    Name,
    NoDefault,
    Option,
    Pattern,
    dataclass,
    decision,
    fact,
)

from .drafts import Adjustments, Movements, Retreats, adjusting, retreating
from .events import Noted
from .state import State, standing
from .voting import sharing_faults, titled, vote_faults, vote_in_words, votes

OrderLine = Annotated[str, Pattern("[^\\n\\r]{1,120}", "an order such as A PAR - BUR")]


@dataclass(frozen=True)
class Moves:
    """Orders of units, one a line, and a vote: `draw`, or the power to which you concede the game.

    `sharing`: the powers that share the draw, in games with that option.
    """

    orders: tuple[OrderLine, ...] = ()
    vote: Name = "none"
    sharing: tuple[Name, ...] = ()


@dataclass(frozen=True)
class Ballot:
    """A secret vote: `none`, `draw`, or the power to which you concede. `sharing`: as with orders."""

    vote: Name = "none"
    sharing: tuple[Name, ...] = ()


NoteText = Annotated[str, Pattern("[^\\n\\r]{1,400}", "a text of one line, at most 400 characters")]


@dataclass(frozen=True)
class Note:
    """A note: the powers that may read it, and its text."""

    to: tuple[Name, ...]
    text: NoteText


class _Phase(Growing[Any]):
    """A question of one phase. Without an answer in time its power is in civil disorder, by option (6.5)."""

    player: str

    def default(self, game: Game) -> Any:
        if not game.options["civil_disorder"]:
            raise NoDefault(Message("diplomacy.decisions.game-waits"))
        return super().default(game)

    @fact
    def year(self, game: Game) -> int:
        return State.of(game).year


@decision("moves", rule="2.1", answer=Moves, secrecy="together")
class MovesAsked(_Phase):
    """What do your units do? Write one order a line; all are opened together. You may add a vote."""

    player: str
    drafts = Movements

    def waits(self, game: Game) -> bool:
        return bool(standing(game, self.player))


@decision("ballot", rule="6.6", answer=Ballot, secrecy="sealed")
class BallotAsked(Decision[Ballot]):
    """How do you vote? Only the GM sees it; after the game everyone can check the count."""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        for vote in ("none", *votes(game, self.player)):
            yield Option({} if vote == "none" else {"vote": vote}, vote_in_words(vote))

    def check(self, game: Game, answer: Ballot) -> list[Diagnostic]:
        faults = list(under(vote_faults(game, self.player, answer.vote), "vote"))
        for n, power in enumerate(answer.sharing):
            faults += under(sharing_faults(game, power, answer.sharing[:n]), "sharing", n)
        return faults

    def words(self, game: Game, answer: Ballot) -> list[str]:
        shared = [Message("diplomacy.voting.shares", player=titled(power)) for power in answer.sharing]
        return [vote_in_words(answer.vote), *shared]

    def default(self, game: Game) -> Ballot:
        return Ballot()


@decision("retreats", rule="4.2", answer=tuple[OrderLine, ...], secrecy="together")
class RetreatsAsked(_Phase):
    """Where do your dislodged units retreat to? Those without an order disband."""

    player: str
    drafts = Retreats

    def waits(self, game: Game) -> bool:
        return any(nodes for _, nodes in retreating(game, self.player).units.values())


@decision("adjustments", rule="5.1", answer=tuple[OrderLine, ...], secrecy="together")
class AdjustmentsAsked(_Phase):
    """What do you build, or disband? Builds without an order are waived."""

    player: str
    drafts = Adjustments

    def waits(self, game: Game) -> bool:
        return adjusting(game, self.player).due != 0


@decision("note", rule="7.3", answer=Note, secrecy="readers")
class NoteSent(Decision[Note]):
    """What note goes with your orders, and to whom? Only these powers and the GM read it."""

    player: str

    def options(self, game: Game) -> Iterator[Option]:
        yield from ()

    def check(self, game: Game, answer: Note) -> list[Diagnostic]:
        wrong = [power for power in answer.to if power == self.player or power not in game.players]
        wrong += [power for power in dict.fromkeys(answer.to) if answer.to.count(power) > 1]
        if not wrong and answer.to:
            return []
        listed = ", ".join(power for power in game.players if power != self.player)
        message = Message("diplomacy.decisions.note-to", power=", ".join(wrong), listed=listed)
        return [illegal("E-DIP-21", "7.3", message)]

    def words(self, game: Game, answer: Note) -> list[str]:
        return [Message("diplomacy.decisions.note", to=answer.to, text=answer.text)]

    def readers(self, answer: Note) -> tuple[str, ...]:
        return answer.to

    def tells(self, answer: Note) -> Iterator[Noted]:
        yield Noted(self.player, answer.to, answer.text)
