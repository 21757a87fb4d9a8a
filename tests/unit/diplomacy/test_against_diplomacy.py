"""Random phases come to the same as with the Python package `diplomacy` (extra `bench`)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.systems.diplomacy import SYSTEM
from pbem.systems.diplomacy.rules.adjudication import adjudicate
from pbem.systems.diplomacy.rules.atlas import Piece, coast_of, written
from pbem.systems.diplomacy.rules.moving import Moving
from pbem.systems.diplomacy.rules.notation import Line
from pbem.systems.diplomacy.rules.world import World, world_of
from pbem.testing.runner import prepare

SEEDS, PHASES = 20, 50
VERBS = ("move", "move", "move", "support", "support", "convoy", "convoy", "hold")
Pieces = dict[str, Piece]


def a_position(world: World, chance: random.Random) -> Pieces:
    """Units of all powers anywhere, as many as fill a board in the middle of a game."""
    spots = [("army", id) for id, one in world.atlas.provinces.items() if not one.sea]
    spots += [
        ("fleet", node)
        for id, one in world.atlas.provinces.items()
        if one.terrain != "inland"
        for node in world.atlas.nodes(id)
    ]
    chance.shuffle(spots)
    pieces: Pieces = {}
    size = chance.choice((22, 28, 34))
    for kind, node in spots:
        place = node.partition(".")[0]
        if place not in pieces and len(pieces) < size:
            pieces[place] = Piece(chance.choice(world.powers), kind, place, coast_of(node))  # type: ignore[arg-type]
    return dict(sorted(pieces.items()))


def some_orders(moving: Moving, chance: random.Random) -> dict[str, Line]:
    """A legal order for each unit; most of those that are helped do what they are helped with."""
    lines = {}
    for place in moving.pieces:
        by_verb: dict[str, list[Line]] = {}
        for line in moving.lines(place):
            by_verb.setdefault(line.verb, []).append(line)
        lines[place] = chance.choice(by_verb[chance.choice([verb for verb in VERBS if verb in by_verb])])
    for line in list(lines.values()):
        if line.verb in ("support", "convoy") and line.to and chance.random() < 0.7:
            fits = [one for one in moving.lines(line.of) if one.verb == "move" and one.to == line.to]
            lines[line.of] = chance.choice(fits) if fits else lines[line.of]
    return lines


def unit_of(piece: Piece) -> str:
    return f"{piece.letter} {written(piece.node)}"


def as_theirs(moving: Moving, lines: dict[str, Line], place: str) -> str:
    """An order as the other program writes it: with all coasts, and VIA for every convoy."""
    line, piece = lines[place], moving.pieces[place]
    if line.verb == "hold":
        return f"{unit_of(piece)} H"
    if line.verb == "move":
        by_sea = piece.kind == "army" and line.to not in moving.atlas.army[place]
        return f"{unit_of(piece)} - {written(line.goal)}{' VIA' if line.via or by_sea else ''}"
    helped = lines[line.of]
    exact = helped.goal if helped.verb == "move" and helped.to == line.to else line.to
    goal = exact if line.verb == "support" else line.to
    to = f" - {written(goal)}" if goal else ""
    return f"{unit_of(piece)} {line.verb[0].upper()} {unit_of(moving.pieces[line.of])}{to}"


def theirs(package: Any, moving: Moving, lines: dict[str, Line]) -> tuple[list[str], dict[str, Line]]:
    """The units after the phase, and the orders that the other program took."""
    game = package.Game()
    game.clear_units()
    game.clear_centers()
    powers = sorted({piece.power for piece in moving.pieces.values()})
    for power in powers:
        game.set_units(power.upper(), [unit_of(one) for one in moving.pieces.values() if one.power == power])
    for power in powers:
        mine = [place for place, piece in moving.pieces.items() if piece.power == power]
        game.set_orders(power.upper(), [as_theirs(moving, lines, place) for place in mine])
    taken = {unit for one in game.powers.values() for unit in one.orders}
    kept = {place: line for place, line in lines.items() if unit_of(moving.pieces[place]) in taken}
    game.process()
    after = [f"{name.lower()} {unit}" for name, power in game.powers.items() for unit in power.units]
    return sorted(after), kept


def ours(moving: Moving, lines: dict[str, Line]) -> list[str]:
    """The units after the phase, without the dislodged ones."""
    orders = {place: moving.order(line.text(), moving.pieces[place].power) for place, line in lines.items()}
    outcome = adjudicate(moving.atlas, moving.pieces, orders)
    after = []
    for place, verdict in outcome.verdicts.items():
        piece, order = moving.pieces[place], verdict.order
        if order.verb == "move" and verdict.done:
            after.append(f"{piece.power} {unit_of(Piece(piece.power, piece.kind, order.to, order.coast))}")
        elif place not in outcome.dislodged:
            after.append(f"{piece.power} {unit_of(piece)}")
    return sorted(after)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.filterwarnings("ignore")
def test_random_phases_come_to_the_same_as_with_another_program(seed: int) -> None:
    package = pytest.importorskip("diplomacy", reason="needs the extra `bench`")
    world = world_of(prepare(SYSTEM, {"scenario": "standard"}))
    chance = random.Random(f"phases {seed}")
    for number in range(PHASES):
        moving = Moving(world, a_position(world, chance))
        lines = some_orders(moving, chance)
        wanted, kept = theirs(package, moving, lines)
        assert ours(moving, kept) == wanted, f"phase {number}: {[line.text() for line in kept.values()]}"
