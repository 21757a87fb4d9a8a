"""Nodes B.1.a and B.2.a: depots, loads, command spans (4.3, 4.6)."""

from __future__ import annotations

from typing import cast

from pbem.rules import Game, ask, condition, from_json, procedure, to_json

from ..command import Span, as_track, modified
from ..decisions.command import CombatCommand, Command, CommandSegment, own_spans, specify
from ..depots import depot_faults, load, load_faults, make_depot
from ..events.command import DepotCreated, SpanSpecified, SupplyLoaded
from ..pieces import leader, unit
from ..telling import skipped
from .first_player import nobody_has_won

COMMAND = "1.a"


@condition("command_goes_on")
def command_goes_on(game: Game, phasing: str | None) -> bool:
    """4.3 The segment is repeated until the phasing player passes."""
    return COMMAND not in game.tracks["done"] and nobody_has_won(game, phasing)


def plan_of(game: Game, phasing: str) -> Command:
    """What was ordered for this round of the segment."""
    return cast(Command, from_json(Command, game.tracks["plan"].get(phasing, {})))


@procedure("create_depots", rule="4.3.1")
async def create_depots(game: Game, phasing: str) -> None:
    """4.3.1 Two strength points make a depot. The answer is for the whole round of the segment."""
    order = await ask(CommandSegment(phasing))
    game.tracks["plan"][phasing] = to_json(order)
    for one in order.depots:
        faults = depot_faults(game, phasing, one)
        skipped(game, phasing, f"depot in {one.hex}", faults)
        if not faults:
            id = make_depot(game, phasing, one)
            given: dict[str, int] = {}
            for share in one.from_:
                given[share.unit] = given.get(share.unit, 0) + share.sp
            game.emit(DepotCreated(phasing, id, one.hex, given))


@procedure("load_supply", rule="4.3.2")
async def load_supply(game: Game, phasing: str) -> None:
    """4.3.2 Supply points between depots, trains and army HQs of one hex."""
    for one in plan_of(game, phasing).loads:
        faults = load_faults(game, phasing, one)
        skipped(game, phasing, f"load {one.train}", faults)
        if not faults:
            load(game, one)
            train, source = unit(game, one.train), unit(game, one.source)
            event = SupplyLoaded(
                phasing, source.id, train.id, train.hex, one.points, source.supply, train.supply
            )
            game.emit(event)


@procedure("specify_spans", rule="4.3.3")
async def specify_spans(game: Game, phasing: str) -> None:
    """4.3.3 Leaders are told whom they command; then the segment is over unless the order asks for more."""
    order = plan_of(game, phasing)
    specify(game, phasing, order.spans)
    tell_spans(game, phasing, order.spans)
    game.tracks["plan"].pop(phasing, None)
    if not order.more:
        game.tracks["done"].append(COMMAND)


@procedure("combat_command", rule="4.6")
async def combat_command(game: Game, phasing: str) -> None:
    """4.6 Spans are specified afresh for the combat phase."""
    listed = await ask(CombatCommand(phasing))
    for who in own_spans(game, phasing):
        del game.tracks["spans"][who]
    specify(game, phasing, listed)
    tell_spans(game, phasing, listed)


def tell_spans(game: Game, side: str, listed: tuple[Span, ...]) -> None:
    """One line for each leader who names somebody."""
    for span in listed:
        if not as_track((span,)) and not span.release:
            continue
        values, printed = modified(game, span.leader), leader(game, span.leader).span
        event = SpanSpecified(
            side, span.leader, span.units, span.leaders, span.release, values.span, printed, values.reasons
        )
        game.emit(event)
