"""4.3, 4.6, D-02, D-03, D-06: The command segments of a player turn: orders and results."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from pbem.rules import (
    Diagnostic,
    Draft,
    Game,
    Growing,
    Message,
    Name,
    Next,
    Part,
    Points,
    ask,
    condition,
    dataclass,
    decision,
    fact,
    procedure,
    steps,
)

from ..asking import InWeek
from ..events.command import DepotCreated, SpanSpecified, SupplyLoaded
from ..pieces import leader, unit
from ..telling import skipped
from ..tracks import T
from .depots import Load, MakeDepot, depot_faults, load, load_faults, make_depot, next_depots, next_loads
from .forces import modified
from .spans import Names, Span, Spans, specified, specify

COMMAND = "1.a"


@dataclass(frozen=True)
class Named:
    """The units and leaders that one leader names in standing orders."""

    units: tuple[Name, ...] = ()
    leaders: tuple[Name, ...] = ()


Standing = dict[str, Named]


@dataclass(frozen=True)
class Command:
    """One round of the command segment: depots, loads, spans. With `more` another follows."""

    depots: tuple[MakeDepot, ...] = ()
    loads: tuple[Load, ...] = ()
    spans: Spans = ()
    more: bool = False


def ordered(orders: list[Standing]) -> Spans | None:
    """Return the spans that the first standing order names."""
    if not orders:
        return None
    return tuple(Span(who, named.units, named.leaders) for who, named in sorted(orders[0].items()))


class SpanDraft(Draft[Span]):
    """Spans one after another, the last one name by name. They do not change the board."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.names = Names(game, player)

    def next(self, of: str | None = None) -> Iterator[Next[Span]]:
        for span, text in self.names.longer(self.elements[-1] if self.elements else None):
            if self.concerns(of, span.leader):
                instead = bool(self.elements) and span.leader == self.elements[-1].leader
                points = Points((span.leader,), end=self.game.position.hex(span.names[-1]))
                yield Next(span, text, points, instead)

    def faults(self, element: Span) -> list[Diagnostic]:
        return list(self.names.faults(element))

    def do(self, element: Span) -> None:
        self.names.take(element)

    def lengthen(self, last: Span, longer: Span) -> bool:
        self.names.give_back(last)
        self.names.take(longer)
        return True

    def suppose(self, element: Span) -> None:
        self.names.take(element)

    def mend(self, element: Span) -> Span | None:
        return self.names.legal(element)

    def nothing(self) -> str:
        return Message("wbts.segment.nobody-named")


@decision("combat-command", rule="4.6", answer=Spans, secrecy="sealed", standing=("span", Standing))
class CombatCommand(InWeek[Spans], Growing[Spans]):
    """Whom do leaders command in the combat phase?"""

    player: str
    drafts = SpanDraft

    def default(self, game: Game) -> Spans:
        """Return the spans of the movement phase as far as they are legal."""
        return self.repair(game, specified(game, self.player))

    def from_standing(self, game: Game, orders: list[Standing]) -> Spans | None:
        listed = ordered(orders)
        return None if listed is None else self.repair(game, listed)


class CommandDraft(Draft[Part[Any]]):
    """Depots, then loads, then spans, each on the board after those before."""

    @cached_property
    def spans(self) -> SpanDraft:
        """Return the spans, begun when depots and loads are done."""
        return SpanDraft(self.game, self.player)

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        last = self.elements[-1].section if self.elements else "depots"
        if last == "depots":
            yield from next_depots(self.game, self.player)
        if last != "spans":
            yield from next_loads(self.game, self.player)
        spans = self.spans if last == "spans" else SpanDraft(self.game, self.player)
        for option in spans.next(of):
            yield Next(Part("spans", option.element), option.text, option.points, option.instead)

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        match element.value:
            case MakeDepot() as depot:
                return list(depot_faults(self.game, self.player, depot))
            case Load() as transfer:
                return list(load_faults(self.game, self.player, transfer))
            case Span() as span:
                return self.spans.faults(span)
        return []

    def do(self, element: Part[Any]) -> None:
        match element.value:
            case MakeDepot() as depot:
                make_depot(self.game, self.player, depot)
            case Load() as transfer:
                load(self.game, transfer)
            case Span() as span:
                self.spans.do(span)
                self.spans.elements.append(span)

    def lengthen(self, last: Part[Any], longer: Part[Any]) -> bool:
        self.spans.elements[-1] = longer.value
        return self.spans.lengthen(last.value, longer.value)

    def suppose(self, element: Part[Any]) -> None:
        if isinstance(element.value, Span):
            self.spans.suppose(element.value)

    def mend(self, element: Part[Any]) -> Part[Any] | None:
        left = self.spans.mend(element.value) if isinstance(element.value, Span) else None
        return None if left is None else Part("spans", left)


@decision("command", rule="4.3", answer=Command, secrecy="sealed", standing=("span", Standing))
class CommandSegment(InWeek[Command], Growing[Command]):
    """Which depots are made, what is loaded, and whom do leaders command?"""

    player: str
    drafts = CommandDraft

    def from_standing(self, game: Game, orders: list[Standing]) -> Command | None:
        listed = ordered(orders)
        return None if listed is None else self.repair(game, Command(spans=listed))

    @fact
    def chit(self, game: Game) -> int:
        return T.of(game).chit[self.player]


@condition("command_goes_on")
def command_goes_on(game: Game, phasing: str | None) -> bool:
    """4.3: Return True until the phasing player passes, because the segment is repeated."""
    tracks = T.of(game)
    return COMMAND not in tracks.done and tracks.result is None


@procedure("command_segment", rule="4.3")
async def command_segment(game: Game, phasing: str) -> None:
    """4.3: Play one round by one answer: depots, loads, spans.

    It is the last one unless the answer has `more`.
    """
    order = Command()

    async def create_depots() -> None:
        nonlocal order
        order = await ask(CommandSegment(phasing))
        for depot in order.depots:
            if not skipped(
                game,
                phasing,
                Message("wbts.segment.depot", hex=depot.hex),
                depot_faults(game, phasing, depot),
            ):
                id = make_depot(game, phasing, depot)
                game.emit(DepotCreated(phasing, id, depot.hex, depot.given))

    async def load_supply() -> None:
        for transfer in order.loads:
            if not skipped(game, phasing, f"load {transfer.train}", load_faults(game, phasing, transfer)):
                load(game, transfer)
                train, source = unit(game, transfer.train), unit(game, transfer.source)
                left, now = source.supply, train.supply
                game.emit(SupplyLoaded(phasing, source.id, train.id, train.hex, transfer.points, left, now))

    async def specify_spans() -> None:
        specify(game, order.spans)
        tell_spans(game, phasing, order.spans)
        if not order.more:
            T.of(game).pass_segment(COMMAND)

    await steps(game, [("1", create_depots), ("2", load_supply), ("3", specify_spans)])


@procedure("combat_command", rule="4.6")
async def combat_command(game: Game, phasing: str) -> None:
    """4.6: Ask for spans again for the combat phase."""
    listed = await ask(CombatCommand(phasing))
    for span in specified(game, phasing):
        del T.of(game).spans[span.leader]
    specify(game, listed)
    tell_spans(game, phasing, listed)


def tell_spans(game: Game, side: str, listed: Spans) -> None:
    """Report one line for each leader who names or releases a counter."""
    for span in listed:
        if not span.names and not span.release:
            continue
        who = leader(game, span.leader)
        now = modified(who)
        named = (span.leader, span.units, span.leaders, span.release)
        game.emit(SpanSpecified(side, *named, now.span, who.span, now.reasons))
