"""Random moves, retreats and adjustments come to the same as with the Python package `diplomacy`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from pbem.systems.diplomacy import SYSTEM
from pbem.systems.diplomacy.rules.adjudication import Outcome, adjudicate
from pbem.systems.diplomacy.rules.adjusting import Adjusting
from pbem.systems.diplomacy.rules.atlas import Piece, coast_of, province_of, written
from pbem.systems.diplomacy.rules.moving import Moving
from pbem.systems.diplomacy.rules.notation import Line
from pbem.systems.diplomacy.rules.retreating import Retreating, open_nodes, retreated
from pbem.systems.diplomacy.rules.world import World, world_of
from pbem.testing.runner import prepare

pytestmark = pytest.mark.filterwarnings("ignore")
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


def a_game_of_theirs(package: Any, pieces: Pieces) -> Any:
    game = package.Game()
    game.clear_units()
    game.clear_centers()
    for power in sorted({piece.power for piece in pieces.values()}):
        game.set_units(power.upper(), [unit_of(one) for one in pieces.values() if one.power == power])
    return game


def their_units(game: Any) -> list[str]:
    """The units that stand; the other program marks dislodged ones with a star."""
    return sorted(
        f"{name.lower()} {unit}"
        for name, power in game.powers.items()
        for unit in power.units
        if "*" not in unit
    )


def ordered(package: Any, moving: Moving, lines: dict[str, Line]) -> tuple[Any, dict[str, Line]]:
    """Their game after the moves, and the orders that the other program took."""
    game = a_game_of_theirs(package, moving.pieces)
    for power in sorted({piece.power for piece in moving.pieces.values()}):
        mine = [place for place, piece in moving.pieces.items() if piece.power == power]
        game.set_orders(power.upper(), [as_theirs(moving, lines, place) for place in mine])
    taken = {unit for one in game.powers.values() for unit in one.orders}
    kept = {place: line for place, line in lines.items() if unit_of(moving.pieces[place]) in taken}
    game.process()
    return game, kept


def resolved(moving: Moving, lines: dict[str, Line]) -> tuple[Outcome, Pieces]:
    """What becomes of the orders, and the units that stand after them, by province."""
    orders = {place: moving.order(line.text(), moving.pieces[place].power) for place, line in lines.items()}
    outcome = adjudicate(moving.atlas, moving.pieces, orders)
    after = {}
    for place, verdict in outcome.verdicts.items():
        piece, order = moving.pieces[place], verdict.order
        if order.verb == "move" and verdict.done:
            after[order.to] = Piece(piece.power, piece.kind, order.to, order.coast)
        elif place not in outcome.dislodged:
            after[place] = piece
    return outcome, after


def said(pieces: Iterable[Piece]) -> list[str]:
    return sorted(f"{piece.power} {unit_of(piece)}" for piece in pieces)


@pytest.fixture(scope="module")
def package() -> Any:
    return pytest.importorskip("diplomacy", reason="needs the extra `bench`")


@pytest.fixture(scope="module")
def world() -> World:
    return world_of(prepare(SYSTEM, {"scenario": "standard"}))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_moves_come_to_the_same_as_with_another_program(package: Any, world: World, seed: int) -> None:
    chance = random.Random(f"phases {seed}")
    for number in range(PHASES):
        moving = Moving(world, a_position(world, chance))
        game, kept = ordered(package, moving, some_orders(moving, chance))
        _, after = resolved(moving, kept)
        orders = [line.text() for line in kept.values()]
        assert said(after.values()) == their_units(game), f"phase {number}: {orders}"


def dislodged_units(
    moving: Moving, outcome: Outcome, after: Pieces
) -> dict[str, tuple[Piece, tuple[str, ...]]]:
    return {
        place: (piece, open_nodes(moving.atlas, piece, origin, after, outcome.contested))
        for place, origin in outcome.dislodged.items()
        for piece in [moving.pieces[place]]
    }


def some_retreats(retreating: Retreating, chance: random.Random) -> dict[str, Line]:
    """A retreat of most units; where two can meet, they often do."""
    lines = {place: list(retreating.lines(place)) for place in retreating.units if chance.random() < 0.9}
    chosen = {place: chance.choice(open_lines) for place, open_lines in lines.items()}
    for goal in [line.to for line in chosen.values() if line.to]:
        for place, open_lines in lines.items():
            meets = [line for line in open_lines if line.to == goal]
            if meets and chance.random() < 0.3:
                chosen[place] = chance.choice(meets)
    return chosen


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_retreats_come_to_the_same_as_with_another_program(
    package: Any, world: World, seed: int
) -> None:
    chance, phases = random.Random(f"retreats {seed}"), 0
    while phases < PHASES:
        moving = Moving(world, a_position(world, chance))
        game, kept = ordered(package, moving, some_orders(moving, chance))
        outcome, after = resolved(moving, kept)
        units = dislodged_units(moving, outcome, after)
        if not any(nodes for _, nodes in units.values()):
            continue
        phases += 1
        assert open_to(units) == offered(game, after), f"phase {phases}"
        retreating = Retreating(world, units)
        lines = some_retreats(retreating, chance)
        for power in {piece.power for piece, _ in units.values()}:
            mine = [
                lines[place] for place, (piece, _) in units.items() if piece.power == power and place in lines
            ]
            game.set_orders(power.upper(), [retreat_as_theirs(units[line.place][0], line) for line in mine])
        game.process()
        goals = dict(retreating.order(line.text()) for line in lines.values())
        saved = retreated({place: node for place, node in goals.items() if node})
        for place, node in saved.items():
            piece = units[place][0]
            after[province_of(node)] = Piece(piece.power, piece.kind, province_of(node), coast_of(node))
        assert said(after.values()) == their_units(game), f"phase {phases}: {lines}"


def open_to(units: dict[str, tuple[Piece, tuple[str, ...]]]) -> dict[str, list[str]]:
    return {unit_of(piece): sorted(map(written, nodes)) for piece, nodes in units.values() if nodes}


def offered(game: Any, after: Pieces) -> dict[str, list[str]]:
    """Where units may retreat; with a convoyed attacker, their list has full provinces that they refuse."""
    found = {
        unit: sorted(where for where in nodes if where[:3] not in after)
        for power in game.powers.values()
        for unit, nodes in power.retreats.items()
    }
    return {unit: nodes for unit, nodes in found.items() if nodes}


def retreat_as_theirs(piece: Piece, line: Line) -> str:
    return f"{unit_of(piece)} " + (f"R {written(line.goal)}" if line.verb == "move" else "D")


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_adjustments_come_to_the_same_as_with_another_program(
    package: Any, world: World, seed: int
) -> None:
    """Orders are given for some of the builds and disbands: civil disorder does the rest.

    Of units of one kind that are as far from home, theirs disbands by abbreviation, ours by name.
    """
    chance = random.Random(f"adjustments {seed}")
    at = {place: world.atlas.provinces[place] for place in world.atlas.centres}
    for number in range(PHASES):
        pieces = a_position(world, chance)
        centres = {place: chance.choice((one.home, *world.powers)) for place, one in at.items()}
        game = a_game_of_theirs(package, pieces)
        for power in world.powers:
            game.set_centers(power.upper(), [place for place, owner in centres.items() if owner == power])
        game.set_current_phase("W1901A")
        due = {power: Adjusting(world, power, pieces, centres) for power in world.powers}
        for power, mine in due.items():
            for _ in range(chance.randint(0, abs(mine.due))):
                mine.done.append(mine.order(chance.choice(list(mine.lines())).text()))
            game.set_orders(power.upper(), [adjustment_as_theirs(pieces, line) for line in mine.done])
        game.process()
        for power, mine in due.items():
            words = f"phase {number}: {power}, {[line.text() for line in mine.done]}"
            here = sorted(game.powers[power.upper()].units)
            after = adjusted(mine)
            if len(mine.done) < -mine.due:
                assert sorted(map(far(world, power), after)) == sorted(map(far(world, power), here)), words
            else:
                assert after == here, words


def adjusted(due: Adjusting) -> list[str]:
    lines = [*due.done, *due.missing()]
    gone = {line.place for line in lines if line.verb == "disband"}
    built = [Piece(due.power, line.kind, line.place, line.coast) for line in lines if line.verb == "build"]
    return sorted(map(unit_of, [*(piece for place, piece in due.mine.items() if place not in gone), *built]))


def far(world: World, power: str) -> Callable[[str], tuple[str, int]]:
    """Return what decides which units civil disorder disbands: kind and steps from home."""

    def of(unit: str) -> tuple[str, int]:
        place, _, coast = unit[2:].partition("/")
        piece = Piece(power, "army" if unit[0] == "A" else "fleet", place, coast)
        return unit[0], world.atlas.distance(piece, world.atlas.homes(power))

    return of


def adjustment_as_theirs(pieces: Pieces, line: Line) -> str:
    if line.verb == "waive":
        return "WAIVE"
    unit = pieces[line.place] if line.verb == "disband" else Piece("", line.kind, line.place, line.coast)
    return f"{unit_of(unit)} {line.verb[0].upper()}"
