"""What is offered is legal, what is legal is offered, and a move made leaves the board in order."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pbem.engine.game import Game
from pbem.rules import Capture
from pbem.systems.victory.examples.invariants import invariants
from pbem.systems.victory.rules.blocks import Block, units
from pbem.systems.victory.rules.moves import Mover
from pbem.systems.victory.rules.orders import Move, MoveKind
from pbem.systems.victory.rules.sides import Side, control_now
from pbem.systems.victory.rules.supply import Lines
from tests.unit.victory.boards import board

EVERYWHERE = {
    "R-IN1": {"hex": "0506"},
    "R-AR1": {"hex": "0607"},
    "R-MA1": {"hex": "0505"},
    "R-SU1": {"hex": "0405"},
    "R-RS1": {"hex": "0306"},
    "R-BB1": {"hex": "0604"},
    "R-F1": {"hex": "0305"},
    "B-DD1": {"hex": "0603"},
    "B-IN3": {"hex": "0906"},
    "B-AB1": {"hex": "0406"},
}


def moved_about(player: str) -> tuple[Game, Mover]:
    """Red in the middle of things, all units of one player active."""
    game = board(counters=EVERYWHERE, tracks={"active": player, "control": {"0906": "blue"}})
    for block in units(game, player):
        block.activated = True
    return game, Mover(game, player)


@pytest.mark.parametrize("player", ["red", "blue", "green"])
def test_every_move_that_is_offered_is_legal_and_listed_once(player: str) -> None:
    sim, mover = moved_about(player)
    offered = [move for block in units(sim, player) for move in mover.options(block)]
    assert len(offered) > 60
    assert [move.text for move in offered if mover.faults(move)] == []
    assert len({move.text for move in offered}) == len(offered)


def all_paths(sim: Game, start: str, length: int) -> list[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = [(start,)]
    for _ in range(length):
        paths += [(*p, n) for p in paths if len(p) == len(paths[-1]) for n in sim.world.neighbours(p[-1])]
    return [p for p in paths if len(p) > 1]


@pytest.mark.parametrize("id", ["R-IN1", "R-AR1", "R-SU1", "R-RS1", "R-BB1", "R-MA1"])
def test_no_end_that_can_be_reached_is_left_out(id: str) -> None:
    """Every path of up to three steps is tried by hand; its end and last hexside must be offered."""
    sim, mover = moved_about("red")
    block = Block(sim, id)
    kinds = ("sail",) if block.cls == "naval" else ("march",)
    tried = [Move(id, kind, p) for kind in kinds for p in all_paths(sim, block.hex, 3)]
    legal = [move for move in tried if not mover.faults(move) and move.end != block.hex]

    def gist(move: Move) -> tuple[str, str]:
        return (move.end, move.path[-2] if mover.side.enemy_in(move.end) else "")

    offered = {gist(move) for move in mover.options(block) if move.kind in kinds and len(move.path) <= 4}
    assert {gist(move) for move in legal} == offered


@pytest.mark.parametrize("player", ["red", "blue"])
def test_a_move_made_keeps_stacks_and_cargo_in_order(player: str) -> None:
    sim, mover = moved_about(player)
    offered = [move for block in units(sim, player) for move in mover.options(block)][::7]
    for move in offered:
        game = board(counters=EVERYWHERE, tracks={"active": player, "control": {"0906": "blue"}})
        for block in units(game, player):
            Block(game, block.id).activated = True
        made = Mover(game, player).make(move)
        assert Block(game, move.unit).hex == move.end == made.path[-1]
        assert Block(game, move.unit).moved
        assert invariants(game) == [], move.text


def test_aircraft_aboard_go_where_their_carrier_goes() -> None:
    game = board()
    Block(game, "B-AC1").activated = True
    path = ("0902", "0801", "0802")
    made = Mover(game, "blue").make(Move("B-AC1", "sail", path))
    assert Block(game, "B-DB1").hex == "0802" and Block(game, "B-DB1").aboard == "B-AC1"
    assert made.blocks == 2


def test_a_launched_aircraft_is_aboard_no_longer_and_remembers_its_base() -> None:
    game = board(counters={"R-BB1": {"hex": "0803"}}, tracks={"active": "blue"})
    Block(game, "B-DB1").activated = True
    mover = Mover(game, "blue")
    move = Move("B-DB1", "mission", to="0803")
    assert mover.faults(move) == []
    mover.make(move)
    flown = Block(game, "B-DB1")
    assert (flown.hex, flown.aboard, flown.entry_from, flown.entry_kind) == ("0803", None, "0902", "mission")


def test_a_carrier_deck_takes_one_wing_and_only_types_that_can_land_there() -> None:
    game = board(counters={"B-AC1": {"hex": "0802"}, "B-DB1": {"hex": "0802"}, "B-F1": {"hex": "0902"}})
    for block in units(game, "blue"):
        Block(game, block.id).activated = True
    mover = Mover(game, "blue")
    full = mover.faults(Move("B-F1", "rebase", to="0802"))
    assert [f.code for f in full] == ["E-MOV-14"]
    game.position.remove("B-DB1")
    assert mover.faults(Move("B-F1", "rebase", to="0802")) == []
    assert mover.make(Move("B-F1", "rebase", to="0802")).path == ("0902", "0802")
    assert Block(game, "B-F1").aboard == "B-AC1"


def test_an_engineer_that_stays_is_an_airbase_and_one_that_moved_is_not() -> None:
    game = board(counters={"R-EN1": {"owner": "red", "type": "EN", "cv": 3, "hex": "0403"}})
    for id in ("R-F1", "R-EN1"):
        Block(game, id).activated = True
    mover = Mover(game, "red")
    assert mover.faults(Move("R-F1", "rebase", to="0403")) == []
    Block(game, "R-EN1").moved = True
    assert [f.code for f in mover.faults(Move("R-F1", "rebase", to="0403"))] == ["E-MOV-14"]


def test_two_marines_share_a_beach_two_infantry_do_not() -> None:
    marines = {"R-MA2": {"owner": "red", "type": "MA", "cv": 3, "hex": "0505"}, "R-MA1": {"hex": "0505"}}
    game = board(counters={**marines, "R-IN3": {"hex": "0505"}}, tracks={"active": "red"}, remove=["R-DB1"])
    for block in units(game, "red"):
        Block(game, block.id).activated = True
    path = ("0505", "0605", "0606")
    mover = Mover(game, "red")
    mover.make(Move("R-MA1", "assault", path))
    assert [f.code for f in mover.faults(Move("R-IN3", "assault", path))] == ["E-MOV-07"]
    assert mover.faults(Move("R-MA2", "assault", path)) == []


def test_an_assault_comes_ashore_in_no_mountain(monkeypatch: pytest.MonkeyPatch) -> None:
    game = board(counters={"R-MA1": {"hex": "0505"}}, tracks={"active": "red"})
    Block(game, "R-MA1").activated = True
    mover, landing = Mover(game, "red"), Move("R-MA1", "assault", ("0505", "0605", "0606"))
    assert mover.faults(landing) == []
    monkeypatch.setitem(game.world.ground, "0606", game.world.ground["0104"])
    assert [f.code for f in mover.faults(landing)] == ["E-MOV-04"]


def test_a_drop_reaches_three_hexes_and_no_mountain() -> None:
    game = board(counters={"B-AB1": {"hex": "1005"}}, tracks={"active": "blue"})
    Block(game, "B-AB1").activated = True
    mover = Mover(game, "blue")
    codes = {
        to: [f.code for f in mover.faults(Move("B-AB1", "drop", to=to))] for to in ("0705", "1105", "0904")
    }
    assert codes == {"0705": ["E-MOV-04"], "1105": ["E-MOV-04"], "0904": []}
    assert [f.code for f in mover.faults(Move("B-AB1", "drop", to="0505"))] == ["E-MOV-13"]
    Block(game, "B-AB1").activated = True
    game.position.move("B-AB1", "1004")
    assert [f.code for f in mover.faults(Move("B-AB1", "drop", to="0904"))] == ["E-MOV-14"]


def test_ships_pass_a_canal_their_side_holds_and_may_not_stay_there() -> None:
    game = board(
        only=["R-BB1", "R-IN1", "B-IN1"], counters={"R-BB1": {"hex": "0505"}, "R-IN1": {"hex": "0506"}}
    )
    game.world.canals = ("0506",)
    Block(game, "R-BB1").activated = True
    mover = Mover(game, "red")
    through = Move("R-BB1", "sail", ("0505", "0506", "0606"))
    assert [f.code for f in mover.faults(through)] == ["E-MOV-04"]  # Haska is no friendly port
    assert [f.code for f in mover.faults(Move("R-BB1", "sail", ("0505", "0506")))] == ["E-MOV-04"]
    game.tracks["control"]["0606"] = "red"
    assert mover.faults(through) == []
    game.position.move("R-IN1", "0305")
    assert [f.code for f in mover.faults(through)] == ["E-MOV-04"]


def test_leaving_a_foreign_base_gives_it_back_at_once() -> None:
    game = board(counters={"R-IN1": {"hex": "0906"}}, remove=["B-IN3"], tracks={"active": "red"})
    game.tracks["control"]["0906"] = "red"
    Block(game, "R-IN1").activated = True
    made = Mover(game, "red").make(Move("R-IN1", "march", ("0906", "0907")))
    assert made.control == (Capture("0906", "red", ""),)


def test_what_was_vacant_and_neutral_as_the_turn_began_stays_closed_to_road_moves() -> None:
    game = board(counters={"B-IN4": {"hex": "0905"}}, tracks={"active": "blue"})
    for block in units(game, "blue"):
        Block(game, block.id).activated = True
    mover = Mover(game, "blue")
    mover.make(Move("B-IN4", "march", ("0905", "0906")))
    assert game.tracks["control"]["0906"] == "blue"
    on = Move("B-IN3", "road_strat", ("1005", "0906", "0907", "0807", "0908"))
    assert [f.code for f in mover.faults(on)] == ["E-MOV-10"]


def test_supply_lines_agree_with_a_search_of_every_chain() -> None:
    """An oracle without queues: costs are lowered until nothing changes any more."""
    game = board(counters=EVERYWHERE)
    world = game.world
    for player, goal in (("red", "0305"), ("red", "0505"), ("blue", "1005"), ("green", "0707")):
        lines = Lines(Side(game, player), [goal])
        assert {h for h in world.hexes if lines.reach(h)} == chains(game, player, goal)
        for hex in world.hexes:
            path = lines.path(hex)
            assert path is None or (path[0] == hex and path[-1] == goal)
            assert path is None or all(world.adjacent(a, b) for a, b in pairwise(path))


def chains(game: Game, player: str, goal: str) -> set[str]:
    world, side = game.world, Side(game, player)

    def step(one: str, to: str) -> int | None:
        if side.enemy_in(to) or side.foreign_base(to):
            return None
        land = [h for h in (one, to) if not world.is_sea(h)]
        if len(land) < 2:
            return 0 if all(side.friendly_port(h) for h in land) else None
        return 0 if world.road(one, to) else 1

    cost = {hex: (0 if hex == goal else 99) for hex in world.hexes}
    for _ in world.hexes:
        for hex in world.hexes:
            for to in world.neighbours(hex):
                price = step(hex, to)
                if price is not None:
                    cost[hex] = min(cost[hex], cost[to] + price)
    return {hex for hex, spent in cost.items() if spent <= 2}


def test_an_aircraft_lands_on_the_carrier_that_is_named() -> None:
    """R-46: the lowest id where none is named; a carrier that is not there is refused."""
    ship = {"owner": "blue", "type": "AC", "cv": 3, "hex": "0802"}
    ours = {"B-AC1": {"hex": "0802"}, "B-AC2": ship, "B-DB1": {"hex": "0902", "aboard": None}}
    for carrier, onto in ((None, "B-AC1"), ("B-AC2", "B-AC2"), ("B-AC9", None)):
        game = board(counters=ours)
        Block(game, "B-DB1").activated = True
        mover, move = Mover(game, "blue"), Move("B-DB1", "rebase", to="0802", carrier=carrier)
        assert [f.code for f in mover.faults(move)] == ([] if onto else ["E-MOV-14"])
        if onto:
            mover.make(move)
            assert Block(game, "B-DB1").aboard == onto


@pytest.mark.parametrize(
    ("type", "kinds"),
    [
        ("F", {"mission", "rebase"}),
        ("AB", {"march", "road_strat", "drop"}),
        ("IN", {"march", "road_strat"}),
        ("SU", {"march", "road_strat"}),
    ],
)
def test_each_class_of_block_is_offered_its_own_kinds_of_move(type: str, kinds: set[str]) -> None:
    mine = {"owner": "red", "type": type, "cv": 2, "hex": "0202", "activated": True}
    enemy = {"B-IN1": {"hex": "0303"}}
    game = board(only=["R-IN1", "B-IN1"], counters={"R-X1": mine, **enemy, "R-IN1": {"hex": "0507"}})
    offered = list(Mover(game, "red").options(Block(game, "R-X1")))
    assert {move.kind for move in offered} == kinds
    into = {move.kind for move in offered if move.end == "0303"}
    assert into == {"mission"} if type == "F" else "mission" not in into


@pytest.mark.parametrize(
    ("kind", "path", "code", "at"),
    [
        ("sea_strat", ("0505", "0605", "0606"), "E-MOV-10", 2),  # Haska is no friendly port
        ("sea_strat", ("0505", "0506", "0606"), "E-MOV-10", 1),  # 0506 is no sea
        ("assault", ("0505", "0605", "0505"), "E-MOV-10", 2),  # a friendly port
        ("assault", ("0505", "0605", "0604"), "E-MOV-04", 2),  # the sea is no beach
    ],
)
def test_a_fault_of_a_move_by_sea_leads_to_the_hex_that_is_wrong(
    kind: MoveKind, path: tuple[str, ...], code: str, at: int
) -> None:
    game = board(counters={"R-MA1": {"hex": "0505", "activated": True}}, tracks={"active": "red"})
    found = [(fault.code, fault.path) for fault in Mover(game, "red").faults(Move("R-MA1", kind, path))]
    assert (code, ("path", at)) in found


def test_a_move_into_a_battle_says_how_many_meet() -> None:
    """Those who are there, and the one who comes."""
    game = board(
        only=["R-IN1", "R-AR1", "G-IN1", "G-IN2"],
        counters={"R-AR1": {"hex": "0606"}, "R-IN1": {"hex": "0507"}},
    )
    move = Move("R-IN1", "march", ("0507", "0606"))
    assert Mover(game, "red").points(move).risk == "2 against 2 blocks"


def test_a_home_base_stays_its_owners_while_an_ally_is_in_it_among_others() -> None:
    """2.5, step 3: the home player is allied with a member of O."""
    game = board(only=["R-IN1", "B-IN1"], counters={"R-IN1": {"hex": "0606"}, "B-IN1": {"hex": "0606"}})
    assert control_now(game, "0606") == "green"
