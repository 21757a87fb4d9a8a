"""Marches, rides, sails and chains of supply beside the plainest way of finding them (rules 4.4, 4.11)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.game import Game
from pbem.rules import maybe
from pbem.systems.wbts.rules.chain import chain
from pbem.systems.wbts.rules.handling import settle_rosters
from pbem.systems.wbts.rules.moves.free import FreeInitiativeSegment
from pbem.systems.wbts.rules.moves.land import Ground, Stack, marching
from pbem.systems.wbts.rules.moves.model import Activation, FreeInitiative, Move, Sail
from pbem.systems.wbts.rules.moves.sea import next_sails, sail_fault
from pbem.systems.wbts.rules.pieces import Unit, unit, units
from pbem.systems.wbts.rules.zones import zone
from tests.unit.wbts.boards import board

LAND = [h for h, terrain in board().world.terrain.items() if terrain != "sea"]
MOVERS = ("U-1D", "U-C1", "U-MIL1", "UST1", "C-3D", "C-C2", "CST1")
ROSTERED = {id for each in units(board()) if each.hq for id in (each.id, each.hq)}
places = st.fixed_dictionaries({id: st.sampled_from(LAND) for id in MOVERS})


def scattered(where: dict[str, str], gt: int = 1) -> Game:
    """The start position with these units elsewhere; enemies in one hex are put apart by leaving them out."""
    game = board(tracks={"gt": gt})
    for id, hex in where.items():
        side = unit(game, id).side
        if not any(u.side != side for u in units(game, hex=hex)):
            game.position.move(id, hex)
            game.position.drop(id, "hq")
    return game


Way = tuple[str, ...]


def walks(game: Game, here: str, way: Way = ()) -> Iterator[Way]:
    """Every way up to four hexes on that is no walk in a circle."""
    yield way
    if len(way) < 4:
        for near in game.world.neighbours(way[-1] if way else here):
            if near not in (here, *way):
                yield from walks(game, here, (*way, near))


@settings(max_examples=12, deadline=None)
@given(where=places, mover=st.sampled_from(MOVERS), gt=st.sampled_from([1, 3]))
def test_a_hex_is_in_reach_if_and_only_if_some_way_there_is_legal(
    where: dict[str, str], mover: str, gt: int
) -> None:
    game = scattered(where, gt)
    here = unit(game, mover)
    ground, stack = Ground.of(game, here.side), Stack.of(game, [mover])
    travel = marching(game, ground, stack)
    found = travel.ways(here.hex)
    cheapest: dict[str, int] = {}
    for way in walks(game, here.hex):
        cost, fault = travel.judged(here.hex, way)
        if way and fault is None:
            cheapest[way[-1]] = min(cheapest.get(way[-1], 99), cost)
    assert {hex: found.cost(hex) for hex in found} == cheapest


@settings(max_examples=25, deadline=None)
@given(where=places)
def test_zones_hex_by_hex_are_the_zones_of_the_whole_map(where: dict[str, str]) -> None:
    game = scattered(where)
    for side in ("north", "south"):
        assert {hex for hex in game.world.hexes if ezoc(game, hex, side)} == zone(game, side)


def ezoc(game: Game, hex: str, side: str) -> bool:
    """R-7: beside an enemy of the field troops, over an open hexside or a river."""
    world, enemy = game.world, game.world.enemy(side)
    return any(
        u.type in ("infantry", "militia", "cavalry") and u.sp >= 1
        for near in world.beside(hex)
        if world.barrier(near, hex) in ("none", "river")
        for u in units(game, enemy, near)
    )


def plain_chain(game: Game, side: str) -> set[str]:
    """4.11 word by word: origins, rails, four steps, relays, until nothing new."""
    world, tracks = game.world, game.tracks
    enemy = world.enemy(side)

    def ok(hex: str) -> bool:
        if world.is_sea(hex) or any(u.is_combat or u.is_logistic for u in units(game, enemy, hex)):
            return False
        return not ezoc(game, hex, side) or any(u.is_combat for u in units(game, side, hex))

    def rail(hex: str) -> bool:
        return tracks["rail_owner"].get(hex) == side and hex not in tracks["rail_cut"]

    origins = {
        h
        for h, s in world.settlements.items()
        if s.supply_city == side and tracks["settlement_owner"].get(h) == side and ok(h)
    }
    origins |= {
        u.hex for u in units(game, side) if u.type == "naval_base" and world.beside_sea(u.hex) and ok(u.hex)
    }
    while True:
        lines = set(origins)
        for _ in world.hexes:
            lines |= {
                b for a in lines for b in world.neighbours(a)
                if world.joins("rail", a, b) and rail(a) and rail(b) and ok(b)
            }  # fmt: skip
        reach, edge = set(lines), set(lines)
        for _ in range(4):
            steps = {(a, b) for a in edge for b in world.neighbours(a) if ok(b)}
            edge = {b for a, b in steps if not world.prohibited(a, b)} - reach
            reach |= edge
        relays = {
            u.hex for u in units(game, side)
            if u.type == "depot" or (u.type == "supply_train" and u.supply) or (u.is_army)
        }  # fmt: skip
        grown = lines | (relays & reach)
        if grown == origins:
            return reach
        origins = grown


@settings(max_examples=15, deadline=None)
@given(
    where=places,
    cut=st.lists(st.sampled_from(["0503", "0506", "0607", "0707"]), unique=True),
    gone=st.lists(st.sampled_from(["CD1", "CST1", "UD1", "UST2", "UNB1"]), unique=True),
)
def test_the_chain_of_supply_is_what_the_rule_says(
    where: dict[str, str], cut: list[str], gone: list[str]
) -> None:
    game = scattered(where)
    game.tracks["rail_cut"] = sorted(cut)
    for id in gone:
        game.position.remove(id)
    for side in ("north", "south"):
        assert chain(game, side) == plain_chain(game, side)


def test_every_way_that_ships_are_offered_is_legal_and_no_hex_beyond_a_fort_is() -> None:
    game = board()
    offered = [each.element.value for each in next_sails(game, "north")]
    assert offered and all(sail_fault(game, "north", option) is None for option in offered)
    ends = {option.path[-1] for option in offered}
    assert {"0904", "0905", "1005"} <= ends, "hexes under the guns of Fort Tyler may be entered"
    assert not ends & {"1006", "0805"}, "they are the last of a way"


@pytest.mark.parametrize("hours", [("U-1D",), ("U-1D", "U-VANCE"), ("U-1D", "U-2D", "U-I", "U-VANCE")])
def test_a_stack_goes_as_far_as_its_slowest(hours: tuple[str, ...]) -> None:
    game = board(tracks={"chit": {"north": 1}})
    assert faults(game, Move(hours, ("0603", "0703"))) == []
    assert faults(game, Move(hours, ("0603", "0703", "0702"))) == ["E-MOV-6"]


def faults(game: Game, move: Move) -> list[str]:
    """What is wrong with a move of Vance's force."""
    order = FreeInitiative((Activation("U-VANCE", (move,)),))
    return [fault.code for fault in FreeInitiativeSegment("north", 1).check(game, order)]


def test_a_leader_alone_has_six_points() -> None:
    game = board(tracks={"chit": {"north": 1}})
    assert not faults(game, Move(("U-VANCE",), ("0503", "0502", "0501")))


def test_ships_of_two_hexes_do_not_sail_together() -> None:
    game = board()
    fault = sail_fault(game, "north", Sail(("U-NF1", "U-IC1"), ("1003",)))
    assert fault is not None and fault.code == "E-MOV-7"


@pytest.mark.parametrize(
    ("type", "sp", "exerts"),
    [
        ("infantry", 1, True),
        ("militia", 1, True),
        ("cavalry", 1, True),
        ("garrison", 9, False),
        ("depot", 2, False),
    ],
)
def test_one_point_of_field_troops_is_enough_for_a_zone(type: str, sp: int, exerts: bool) -> None:
    state = {"state": "north"} if type == "militia" else {}
    game = board({"C-X1": {"side": "south", "type": type, "sp": sp, "hex": "0108", **state}})
    assert ("0208" in zone(game, "north")) is exerts


@settings(max_examples=30, deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from(sorted(ROSTERED)), st.sampled_from([*LAND[:6], None]))))
def test_who_is_not_with_his_hq_is_on_its_roster_no_longer(changes: list[tuple[str, str | None]]) -> None:
    """4.3.3, however often they were looked over before and whoever moved since."""
    game = board()
    for id, hex in changes:
        game.position.move(id, hex)
        for side in game.players:
            away = {
                each.id
                for each in units(game, side)
                if (hq := maybe(game, Unit, each.hq)) is not None and hq.hex != each.hex and hq.side == side
            }
            assert set(settle_rosters(game, side)) == away
            assert not away & {each.id for each in units(game, side) if each.hq}
