"""Procedures of the phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.kit.naming import new_id
from pbem.rules import Game, ask_all, condition, procedure

from .adjudication import Outcome, Verdict, adjudicate
from .atlas import Kind, Order, coast_of, province_of
from .decisions import AdjustmentsAsked, Ballot, BallotAsked, Moves, MovesAsked, RetreatsAsked
from .drafts import adjusting, retreating
from .events import (
    Built,
    CentresCounted,
    CentreTaken,
    Convoyed,
    Disbanded,
    Dislodged,
    Gone,
    Held,
    Moved,
    MoveFailed,
    PhaseBegan,
    Retreated,
    Supported,
    Waived,
)
from .moving import Moving
from .retreating import open_nodes, retreated
from .state import State, Unit, alive, counts, dislodged, pieces_of, standing
from .voting import Vote, count_votes, end_drawn, end_won, is_secret
from .world import world_of

SEASONS = {"S": "spring", "F": "fall", "W": "winter"}


@condition("game_goes_on")
def game_goes_on(game: Game, phasing: str | None) -> bool:
    """6: Return True until a power wins or all agree to end the game."""
    return not State.of(game).over


@condition("somebody_retreats")
def somebody_retreats(game: Game, phasing: str | None) -> bool:
    """4: Return True if a unit must retreat."""
    return bool(dislodged(game)) and not State.of(game).over


@condition("somebody_adjusts")
def somebody_adjusts(game: Game, phasing: str | None) -> bool:
    """5: Return True if a power may build or must disband."""
    return any(adjusting(game, player).due for player in game.players)


@procedure("moves", rule="2.1")
async def moves(game: Game, phasing: str | None) -> None:
    """2.1, 3: Ask for all orders together, carry them out at once, and count votes."""
    begin_phase(game)
    questions = [MovesAsked(player) for player in game.players if standing(game, player)]
    ballots = [BallotAsked(player) for player in alive(game)] if is_secret(game) else []
    answers: list[Any] = await ask_all([*questions, *ballots])
    given: dict[str, Moves] = {question.player: answers[n] for n, question in enumerate(questions)}
    cast: dict[str, Moves | Ballot] = {
        ballot.player: answers[len(questions) + n] for n, ballot in enumerate(ballots)
    }
    pieces = pieces_of(game)
    moving = Moving(world_of(game), pieces)
    orders: dict[str, Order] = {}
    for player, answer in given.items():
        for text in answer.orders:
            order = moving.order(text, player)
            orders[order.place] = order
    carry_out(game, adjudicate(world_of(game).atlas, pieces, orders))
    if game.options["draws"]:
        count_votes(game, {player: Vote(vote.vote, vote.sharing) for player, vote in (cast or given).items()})


def begin_phase(game: Game) -> None:
    """1.1: Begin the next season; each spring begins a year."""
    state, world = State.of(game), world_of(game)
    if not state.season:
        state.centres = first_centres(game)
    spring = state.season != "spring"
    if spring:
        state.year = state.year + 1 if state.year else world.first_year
    state.season = "spring" if spring else "fall"
    game.emit(PhaseBegan(state.year, "spring" if spring else "fall"))


def first_centres(game: Game) -> dict[str, str]:
    """1.2: Return the owners of supply centres at the start: home powers, or as the scenario says."""
    atlas = world_of(game).atlas
    homes = {place: atlas.provinces[place].home for place in atlas.centres}
    return {place: home for place, home in homes.items() if home} | dict(State.of(game).centres)


def carry_out(game: Game, outcome: Outcome) -> None:
    """3: Move the units, and report the result of each order."""
    units = standing(game)
    for player in game.players:
        for place, verdict in outcome.verdicts.items():
            if units[place].owner == player:
                tell(game, units[place], verdict)
    arrived = {
        place: verdict.order
        for place, verdict in outcome.verdicts.items()
        if verdict.order.verb == "move" and verdict.done
    }
    for place, order in arrived.items():
        units[place].hex, units[place].coast = order.to, order.coast
    occupied = {*units.keys() - arrived.keys() - outcome.dislodged.keys(), *(o.to for o in arrived.values())}
    comers = {order.to: units[place].owner for place, order in arrived.items()}
    ways = {}
    for place, origin in outcome.dislodged.items():
        unit = units[place]
        unit.dislodged = True
        nodes = open_nodes(world_of(game).atlas, unit.piece, origin, occupied, outcome.contested)
        ways[unit.id] = nodes
        places = tuple(dict.fromkeys(map(province_of, nodes)))
        game.emit(Dislodged(unit.owner, unit.id, unit.type, place, comers[place], places))
    State.of(game).retreats = ways


def tell(game: Game, unit: Unit, verdict: Verdict) -> None:
    """Report the result of one order."""
    order, why = verdict.order, verdict.why
    player, id, place = unit.owner, unit.id, order.place
    if order.verb == "move" and verdict.done:
        game.emit(Moved(player, id, unit.type, place, (order.to,), order.coast, verdict.by_sea))
    elif order.verb == "move":
        game.emit(MoveFailed(player, id, unit.type, place, order.to, why))
    elif order.verb == "support":
        game.emit(Supported(player, id, unit.type, place, order.of, order.to, why))
    elif order.verb == "convoy":
        game.emit(Convoyed(player, id, place, order.of, order.to, why))
    else:
        game.emit(Held(player, id, unit.type, place))


@procedure("retreats", rule="4.2")
async def retreats(game: Game, phasing: str | None) -> None:
    """4.2: Ask for retreats, and carry them out at once; units that go to one province disband."""
    able = {unit.owner for unit in dislodged(game).values() if State.of(game).retreats[unit.id]}
    questions = [RetreatsAsked(player) for player in game.players if player in able]
    answers: list[tuple[str, ...]] = await ask_all(questions)
    retreat(game, {question.player: lines for question, lines in zip(questions, answers, strict=True)})


def retreat(game: Game, given: Mapping[str, tuple[str, ...]]) -> None:
    """4.2: Carry out retreats; units without an order, or with the same goal, disband."""
    ordered: dict[str, str] = {}
    for player, lines in given.items():
        way = retreating(game, player)
        nodes = dict(way.order(line) for line in lines)
        mine = dislodged(game, player).values()
        ordered |= {unit.id: node for unit in mine if (node := nodes.get(unit.hex, ""))}
    goals = retreated(ordered)
    ways = State.of(game).retreats
    for unit in dislodged(game).values():
        if unit.id in goals:
            place, coast = province_of(goals[unit.id]), coast_of(goals[unit.id])
            game.emit(Retreated(unit.owner, unit.id, unit.type, unit.hex, (place,), coast))
            unit.hex, unit.coast, unit.dislodged = place, coast, False
        else:
            why: Gone = "met" if unit.id in ordered else ("ordered" if ways[unit.id] else "no-way")
            game.emit(Disbanded(unit.owner, unit.id, unit.type, unit.hex, {"unit": 1}, why))
            unit.remove()
    State.of(game).retreats = {}


@procedure("count", rule="5.3")
async def count(game: Game, phasing: str | None) -> None:
    """5.3, 6.2: Give supply centres to the units in them; a power with enough of them wins."""
    state = State.of(game)
    for place, unit in standing(game).items():
        before = state.centres.get(place, "")
        if place in world_of(game).atlas.centres and before != unit.owner:
            state.centres[place] = unit.owner
            game.emit(CentreTaken(place, before, unit.owner))
    totals = counts(game)
    game.emit(CentresCounted(dict(totals)))
    most = max(totals.values())
    leaders = [player for player in game.players if totals[player] == most]
    if most >= world_of(game).to_win and len(leaders) == 1:
        end_won(game, leaders[0], conceded=False)


@procedure("adjustments", rule="5.1")
async def adjustments(game: Game, phasing: str | None) -> None:
    """5.1, 5.2: Ask powers for builds in their home centres, or for disbands, and carry them out."""
    questions = [AdjustmentsAsked(player) for player in game.players if adjusting(game, player).due]
    answers: list[tuple[str, ...]] = await ask_all(questions)
    for question, lines in zip(questions, answers, strict=True):
        adjust(game, question.player, lines)


def adjust(game: Game, player: str, lines: tuple[str, ...]) -> None:
    """5.1, 5.2: Carry out the adjustments of one power."""
    due = adjusting(game, player)
    for text in lines:
        due.done.append(due.order(text))
    units = standing(game)
    for number, line in enumerate([*due.done, *due.missing()]):
        if line.verb == "disband":
            unit = units[line.place]
            why: Gone = "adjustment" if number < len(due.done) else "disorder"
            game.emit(Disbanded(player, unit.id, unit.type, unit.hex, {"unit": 1}, why))
            unit.remove()
        elif line.verb == "build":
            build(game, player, line.kind, line.place, line.coast)
    built = sum(line.verb == "build" for line in due.done)
    if due.due > built:
        game.emit(Waived(player, due.due - built))


def build(game: Game, player: str, kind: str, place: str, coast: str) -> None:
    """5.1: Put a new unit into a home supply centre."""
    made = State.of(game).made
    begun = game.scenario["counters"]
    prefix = player[:2].upper()
    id = new_id(made, prefix, lambda number: f"{prefix}{number}", begun)
    type: Kind = "army" if kind == "army" else "fleet"
    Unit.add(game, id, owner=player, type=type, hex=place, coast=coast)
    game.emit(Built(player, id, type, place, coast))


@procedure("year_end", rule="6.4")
async def year_end(game: Game, phasing: str | None) -> None:
    """6.4: End the game with a draw of the survivors after the last year, if it has one."""
    state = State.of(game)
    state.season = "winter"
    if game.options["last_year"] == str(state.year):
        end_drawn(game, alive(game), voted=False)
