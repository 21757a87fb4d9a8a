"""D-02, D-03, D-06: depots, loads and command spans (4.3, 4.6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pbem.rules import Decision, Diagnostic, Game, Name, Option, decision, fact, to_json

from ..chain import chain
from ..command import (
    Fault,
    Span,
    able,
    as_track,
    commanded_hq,
    from_track,
    leader_fault,
    legal_spans,
    modified,
    span_faults,
    spans,
    unit_fault,
)
from ..depots import Load, MakeDepot, Share, depot_faults, load, load_faults, make_depot, stocks
from ..handling import release
from ..pieces import Board, Leader, Sim, leaders, unit, units, world_of
from ..statics import COMBAT


@dataclass(frozen=True)
class Named:
    """Whom one leader names, in standing orders."""

    units: tuple[Name, ...] = ()
    leaders: tuple[Name, ...] = ()


Standing = dict[str, Named]


@dataclass(frozen=True)
class Command:
    """One round of the command segment: depots, then loads, then spans. `more`: ask once more."""

    depots: tuple[MakeDepot, ...] = ()
    loads: tuple[Load, ...] = ()
    spans: tuple[Span, ...] = ()
    more: bool = False


@decision("command", rule="4.3", answer=Command, secrecy="sealed", standing=("span", Standing))
class CommandSegment(Decision[Command]):
    """Which depots are made, what is loaded, and whom do leaders command?"""

    player: str

    def options(self, game: Game, so_far: Command | None = None) -> Iterator[Option]:
        """One depot, load or name more; depots and loads come before spans."""
        now = so_far or Command()
        if so_far is None:
            yield Option({}, "nothing")
        board, _ = run_command(Sim.of(game), self.player, replace(now, spans=()))
        if not now.spans:
            if not now.loads:
                for one in depot_options(board, self.player):
                    shares = ", ".join(f"{s.sp} of {s.unit}" for s in one.from_)
                    yield _option(
                        replace(now, depots=(*now.depots, one)), f"depot in {one.hex} from {shares}"
                    )
            for one_load in load_options(board, self.player):
                text = f"{one_load.points} points from {one_load.source} to {one_load.train}"
                yield _option(replace(now, loads=(*now.loads, one_load)), text)
        for longer, text in span_options(board, self.player, now.spans):
            yield _option(replace(now, spans=longer), text)

    def check(self, game: Game, answer: Command) -> list[Diagnostic]:
        """Depots, then loads, then spans, each on what those before have made; all faults at once."""
        _, faults = run_command(Sim.of(game), self.player, answer)
        return [_ruled(fault) for fault in faults]

    def default(self, game: Game) -> Command:
        return Command()

    def repair(self, game: Game, answer: Command) -> Command:
        """Illegal actions are dropped, the others stand."""
        return mended(Sim.of(game), self.player, answer)

    def from_standing(self, game: Game, orders: list[Standing]) -> Command | None:
        if not orders:
            return None
        return Command(spans=legal_spans(game, self.player, from_standing(orders[0])))

    @fact
    def gt(self, game: Game) -> int:
        return int(game.tracks["gt"])

    @fact
    def chit(self, game: Game) -> int:
        return int(game.tracks["chit"][self.player])


Spans = tuple[Span, ...]


@decision("combat-command", rule="4.6", answer=Spans, secrecy="sealed", standing=("span", Standing))
class CombatCommand(Decision[Spans]):
    """Whom do leaders command in the combat phase?"""

    player: str

    def options(self, game: Game, so_far: Spans | None = None) -> Iterator[Option]:
        """The spans of the movement phase as far as they are legal, none at all, or one name more."""
        if so_far is None:
            yield Option([], "nobody is named")
            same = self.default(game)
            if same:
                yield Option(to_json(same), "the same as in the movement phase")
        for longer, text in span_options(Sim.of(game), self.player, so_far or ()):
            yield Option(to_json(longer), text)

    def check(self, game: Game, answer: Spans) -> list[Diagnostic]:
        return [fault.diagnostic("4.3.3") for fault in span_faults(game, self.player, answer)]

    def default(self, game: Game) -> Spans:
        return legal_spans(game, self.player, from_track(own_spans(game, self.player)))

    def repair(self, game: Game, answer: Spans) -> Spans:
        return legal_spans(game, self.player, answer)

    def from_standing(self, game: Game, orders: list[Standing]) -> Spans | None:
        return legal_spans(game, self.player, from_standing(orders[0])) if orders else None

    @fact
    def gt(self, game: Game) -> int:
        return int(game.tracks["gt"])


def own_spans(board: Board, side: str) -> dict[str, dict[str, list[str]]]:
    """The spans of a side's own leaders."""
    mine = {each.id for each in leaders(board, side)}
    return {who: span for who, span in spans(board).items() if who in mine}


def from_standing(order: Standing) -> Spans:
    """Spans as a standing order names them."""
    return tuple(Span(who, named.units, named.leaders) for who, named in sorted(order.items()))


# the segment on paper


def run_command(board: Sim, side: str, answer: Command) -> tuple[Sim, list[Fault]]:
    """Carry out what is legal of an order on a copy; the faults of the rest, with paths."""
    faults: list[Fault] = []
    for n, one in enumerate(answer.depots):
        found = depot_faults(board, side, one)
        if not found:
            make_depot(board, side, one)
        faults += [Fault(f.code, f.message, ("depots", n, *f.path)) for f in found]
    for n, each in enumerate(answer.loads):
        wrong = load_faults(board, side, each)
        if not wrong:
            load(board, each)
        faults += [Fault(f.code, f.message, ("loads", n, *f.path)) for f in wrong]
    if answer.spans:
        bad = span_faults(board, side, answer.spans)
        faults += [Fault(f.code, f.message, ("spans", *f.path)) for f in bad]
    return board, faults


def mended(board: Sim, side: str, answer: Command) -> Command:
    """The legal part of an order."""
    depots: list[MakeDepot] = []
    loads: list[Load] = []
    for one in answer.depots:
        if not depot_faults(board, side, one):
            make_depot(board, side, one)
            depots.append(one)
    for each in answer.loads:
        if not load_faults(board, side, each):
            load(board, each)
            loads.append(each)
    return Command(tuple(depots), tuple(loads), legal_spans(board, side, answer.spans), answer.more)


def specify(board: Board, side: str, listed: Spans) -> None:
    """Write the spans of a segment into the track and take the released off their rosters."""
    for span in listed:
        for id in span.release:
            release(board, id)
    track = spans(board)
    for span in listed:
        track.pop(span.leader, None)
    track.update(as_track(listed))


def _ruled(fault: Fault) -> Diagnostic:
    rules = {"DEP": "4.3.1", "LOAD": "4.3.2", "SPAN": "4.3.3"}
    return fault.diagnostic(rules[fault.code.split("-")[1]])


def _option(answer: Any, text: str) -> Option:
    return Option(to_json(answer), text)


# what is legal


def depot_options(board: Board, side: str) -> Iterator[MakeDepot]:
    """Depots that can be made: from one unit, or from two that give a point each."""
    wanted = world_of(board).tables.numbers["depot_cost"]
    for hex in board.position.occupied():
        here = [u for u in units(board, side, hex) if u.type in COMBAT and not u.entrained]
        if not here or any(u.type == "depot" for u in units(board, side, hex)):
            continue
        for giver in here:
            if giver.sp >= wanted:
                yield MakeDepot(hex, (Share(giver.id, wanted),))
        for n, one in enumerate(here):
            for other in here[n + 1 :]:
                if wanted == 2:
                    yield MakeDepot(hex, (Share(one.id, 1), Share(other.id, 1)))


def load_options(board: Board, side: str) -> Iterator[Load]:
    """Every transfer of as many points as can go, and of one."""
    most = world_of(board).tables.numbers["load_per_action"]
    carriers = [unit(board, id) for id in stocks(board, side)]
    for source in carriers:
        for train in carriers:
            if train.id == source.id or train.hex != source.hex:
                continue
            room = most if train.room is None else train.room
            points = min(most, room, source.supply)
            for amount in sorted({1, points}, reverse=True) if points >= 1 else ():
                yield Load(train.id, source.id, amount)


def span_options(board: Board, side: str, so_far: Spans) -> Iterator[tuple[Spans, str]]:
    """One unit or leader more for the last span, or the first one of a leader without a span."""
    reached = chain(board, side)
    taken = {id for span in so_far for id in (*span.units, *span.leaders)}
    begun = {span.leader for span in so_far}
    for who in able(board, side):
        last = so_far[-1] if so_far and so_far[-1].leader == who.id else None
        base = last or Span(who.id)
        full = len(base.units) + len(base.leaders) >= modified(board, who.id, reached).span
        if full or (who.id in begun and last is None):
            continue
        head = so_far[:-1] if last else so_far
        for id, longer, text in _names(board, who, base):
            if id not in taken:
                yield (*head, longer), text


def _names(board: Board, who: Leader, base: Span) -> Iterator[tuple[str, Span, str]]:
    """Whom a leader can name besides: units before leaders, each with the longer span."""
    hq = commanded_hq(board, who.id)
    near = [who.hex, *(world_of(board).neighbours(who.hex) if hq is not None else ())]
    if not base.leaders:
        for each in sorted((u for hex in near for u in units(board, who.side, hex)), key=lambda u: u.id):
            longer, text = replace(base, units=(*base.units, each.id)), f"{who.id} commands {each.id}"
            if each.hq is not None and (hq is None or each.hq != hq.id):
                longer = replace(longer, release=(*base.release, each.id))
                text += f", released from {each.hq}"
            if unit_fault(board, who, longer, each.id) is None:
                yield each.id, longer, text
    if hq is not None and hq.key == "army":
        for other in sorted((w for hex in near for w in leaders(board, who.side, hex)), key=lambda w: w.id):
            if leader_fault(board, who, other.id) is None:
                longer = replace(base, leaders=(*base.leaders, other.id))
                yield other.id, longer, f"{who.id} commands {other.id}"
