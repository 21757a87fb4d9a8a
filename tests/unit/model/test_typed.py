"""Typed views: what they show is the position, what they are given is in the position, in its JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.position import Fields, Position
from pbem.model.codec import Range, to_json
from pbem.model.typed import Board, Counter, Tracks, counter, counters, maybe, where_any


@dataclass(frozen=True)
class Bid:
    amount: int
    kind: str = "open"


@dataclass(frozen=True)
class Fight:
    hex: str
    rounds: tuple[int, ...] = ()
    bids: dict[str, Bid] = field(default_factory=dict)


class Piece(Counter):
    owner: Literal["red", "blue"]
    type: str
    hex: str | None = None

    @property
    def here(self) -> str:
        return self.hex or "nowhere"


class Block(Piece):
    steps: Annotated[int, Range(0, 4)] = 2
    revealed: bool = False
    aboard: str | None = None
    made_from: tuple[str, ...] = ()
    order: Bid | None = None
    stock: dict[str, int] = {}
    from_: str = ""

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["type"] != "leader"


class Leader(Piece):
    stars: int

    told_by = ("type",)

    @classmethod
    def is_one(cls, fields: Fields) -> bool:
        return fields["type"] == "leader"


class Table(Tracks):
    turn: int
    vp: dict[str, int]
    winner: str | None = None
    fight: Fight | None = None
    done: tuple[str, ...] = ()
    pool: dict[str, dict[str, int]] = {}
    bids: dict[str, Bid] = {}
    plans: dict[str, dict[str, Bid]] = {}


def board(counters: dict[str, Any] | None = None, tracks: dict[str, Any] | None = None) -> Board:
    return SimpleNamespace(position=Position(counters or {}, tracks or {}), world=None)


RED = {"owner": "red", "type": "infantry", "hex": "0405"}


def test_a_counter_shows_its_fields_and_the_defaults_of_the_others() -> None:
    block = counter(board({"r": RED | {"steps": 3, "from": "0404"}}), Block, "r")
    assert (block.owner, block.hex, block.steps, block.from_, block.here) == (
        "red",
        "0405",
        3,
        "0404",
        "0405",
    )
    assert (block.revealed, block.aboard, block.made_from, block.order, block.stock) == (
        False,
        None,
        (),
        None,
        {},
    )


def test_what_is_written_is_in_the_position_and_defaults_are_not() -> None:
    game = board({"r": RED})
    block = counter(game, Block, "r")
    block.steps, block.order, block.made_from, block.from_ = 3, Bid(2), ("a", "b"), "0101"
    block.stock = {"fuel": 1}
    written = {
        "steps": 3,
        "order": {"amount": 2},
        "made_from": ["a", "b"],
        "from": "0101",
        "stock": {"fuel": 1},
    }
    assert game.position.counters["r"] == RED | written
    assert block.order == Bid(2)
    assert block.made_from == ("a", "b")
    block.steps, block.order, block.made_from, block.from_, block.stock = 2, None, (), "", {}
    assert game.position.counters["r"] == RED


def test_a_field_without_a_default_is_kept_whatever_it_is() -> None:
    game = board({"l": {"owner": "red", "type": "leader", "stars": 3}})
    counter(game, Leader, "l").stars = 0
    assert game.position.counters["l"]["stars"] == 0


def test_a_counter_that_moves_is_found_where_it_went() -> None:
    game = board({"r": RED, "b": {"owner": "blue", "type": "infantry"}})
    assert counters(game, Block, at="0406") == []
    counter(game, Block, "r").hex = "0406"
    assert [block.id for block in counters(game, Block, at="0406")] == ["r"]
    counter(game, Block, "r").hex = None
    assert counters(game, Block, at="0406") == [] and "hex" not in game.position.counters["r"]


def test_what_was_read_does_not_change_the_counter() -> None:
    game = board({"r": RED | {"stock": {"fuel": 1}}})
    counter(game, Block, "r").stock["fuel"] = 9
    assert game.position.counters["r"]["stock"] == {"fuel": 1}


def test_counters_are_found_by_class_and_fields_in_the_order_of_their_ids() -> None:
    game = board(
        {
            "z": RED,
            "a": RED | {"steps": 2},
            "m": RED | {"owner": "blue", "revealed": True},
            "l": {"owner": "red", "type": "leader", "hex": "0405", "stars": 1},
        }
    )
    assert [counter.id for counter in counters(game, Block)] == ["a", "m", "z"]
    assert [counter.id for counter in counters(game, Piece)] == ["a", "l", "m", "z"]
    assert [counter.id for counter in counters(game, Block, owner="red")] == ["a", "z"]
    assert [counter.id for counter in counters(game, Block, steps=2, revealed=False)] == ["a", "z"]
    assert [counter.id for counter in counters(game, Leader, at="0405")] == ["l"]
    with pytest.raises(TypeError, match="no field 'ownr'"):
        counters(game, Block, ownr="red")


def test_a_counter_that_is_not_there_or_of_another_class() -> None:
    game = board({"r": RED})
    with pytest.raises(LookupError, match="there is no counter q"):
        counter(game, Block, "q")
    with pytest.raises(LookupError, match="r is no Leader"):
        counter(game, Leader, "r")
    assert maybe(game, Leader, "r") is None
    assert maybe(game, Block, None) is None
    assert maybe(game, Block, "r") == counter(game, Block, "r")
    gone = counter(game, Block, "r")
    gone.remove()
    assert not gone.there
    with pytest.raises(LookupError, match="there is no counter r"):
        _ = gone.owner


def test_a_field_that_a_counter_lacks_is_named_with_what_it_has() -> None:
    leader = counter(board({"l": {"owner": "red", "type": "leader", "star": 3}}), Leader, "l")
    with pytest.raises(AttributeError, match=r"counter l has no 'stars' \(Leader\): did you mean 'star'"):
        _ = leader.stars
    for fields, there in (({"type": "x", "owner": "red"}, "it has owner, type"), ({}, "it has nothing")):
        with pytest.raises(AttributeError, match=there):
            _ = Leader(board({"l": fields}), "l").stars


def test_a_misspelt_field_is_not_written() -> None:
    with pytest.raises(AttributeError):
        counter(board({"r": RED}), Block, "r").step = 1  # type: ignore[attr-defined]


def test_what_belongs_to_the_class_is_no_field() -> None:
    class Sea(Counter):
        kinds: ClassVar[tuple[str, ...]] = ("ship",)
        hex: str

    assert Sea.kinds == ("ship",)
    assert Sea.faults({"hex": "0101"}) == []


def test_a_field_cannot_take_a_name_that_views_use() -> None:
    with pytest.raises(TypeError, match="views use this name"):
        type("Wrong", (Counter,), {"__annotations__": {"remove": "int"}})


def test_new_counters_are_written_like_others() -> None:
    game = board()
    made = Block.add(game, "n", owner="blue", type="infantry", hex="0101", steps=2, order=Bid(1))
    assert game.position.counters["n"] == {
        "owner": "blue",
        "type": "infantry",
        "hex": "0101",
        "order": {"amount": 1},
    }
    assert made.steps == 2
    with pytest.raises(TypeError, match="needs type"):
        Block.add(game, "o", owner="blue")
    with pytest.raises(TypeError, match="did you mean 'steps'"):
        Block.add(game, "o", owner="blue", type="x", stps=1)


def test_faults_of_a_counter_in_json() -> None:
    faults = Block.faults({"owner": "green", "steps": 9, "stepz": 1}, ("counters", "r"))
    assert sorted((fault.code, fault.path[2:]) for fault in faults) == [
        ("missing-key", ()),
        ("not-one-of", ("owner",)),
        ("out-of-range", ("steps",)),
        ("unknown-key", ("stepz",)),
    ]
    assert Block.faults(RED) == []


def test_tracks_show_and_keep_what_is_written() -> None:
    game = board(tracks={"turn": 1, "vp": {"red": 0}})
    t = Table.of(game)
    t.turn += 1
    t.vp["red"] += 5
    t.winner = None
    t.fight = Fight("0405", (1, 2), {"red": Bid(3)})
    assert game.position.tracks == {
        "turn": 2,
        "vp": {"red": 5},
        "winner": None,
        "fight": {"hex": "0405", "rounds": [1, 2], "bids": {"red": {"amount": 3}}},
    }
    assert t.fight == Fight("0405", (1, 2), {"red": Bid(3)})
    del t.fight
    assert t.fight is None and "fight" not in game.position.tracks


def test_looking_at_a_track_that_is_not_there_does_not_make_it() -> None:
    game = board()
    t = Table.of(game)
    assert (t.pool, t.bids, t.done, t.winner) == ({}, {}, (), None)
    assert t.pool.get("red") is None and list(t.bids) == []
    assert game.position.tracks == {}
    with pytest.raises(AttributeError, match="the position has no 'turn'"):
        _ = t.turn


def test_a_mapping_that_is_not_there_yet_is_made_by_the_first_change() -> None:
    game = board()
    t = Table.of(game)
    pool = t.pool
    pool.setdefault("red", {})["infantry"] = 2
    pool["red"]["infantry"] += 1
    t.pool["blue"] = {}
    t.bids["red"] = Bid(4, "sealed")
    t.plans.setdefault("red", {})["a"] = Bid(1)
    t.plans["red"]["b"] = Bid(2)
    assert game.position.tracks == {
        "pool": {"red": {"infantry": 3}, "blue": {}},
        "bids": {"red": {"amount": 4, "kind": "sealed"}},
        "plans": {"red": {"a": {"amount": 1}, "b": {"amount": 2}}},
    }
    assert t.bids.pop("red") == Bid(4, "sealed")
    assert t.bids.pop("red", None) is None
    del t.plans["red"]["a"]
    assert game.position.tracks["bids"] == {} and game.position.tracks["plans"] == {
        "red": {"b": {"amount": 2}}
    }


def test_the_default_of_a_class_is_never_changed() -> None:
    Table.of(board()).pool["red"] = {"infantry": 1}
    assert Table.of(board()).pool == {}


CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.sampled_from("abc"), st.integers(0, 9)),
        st.tuples(st.just("del"), st.sampled_from("abc"), st.just(0)),
        st.tuples(st.just("setdefault"), st.sampled_from("abc"), st.integers(0, 9)),
        st.tuples(st.just("or"), st.sampled_from("abc"), st.integers(0, 9)),
        st.tuples(st.just("clear"), st.just(""), st.just(0)),
    )
)


@given(CHANGES, st.booleans())
def test_a_live_mapping_is_what_a_plain_one_would_be(
    changes: list[tuple[str, str, int]], there: bool
) -> None:
    game = board(tracks={"bids": {}} if there else {})
    plain: dict[str, Bid] = {}
    live = Table.of(game).bids
    for what, key, amount in changes:
        for mapping in (plain, live):
            match what:
                case "set":
                    mapping[key] = Bid(amount)
                case "del":
                    mapping.pop(key, None)
                case "setdefault":
                    mapping.setdefault(key, Bid(amount))
                case "or":
                    mapping |= {key: Bid(amount)}
                case "clear":
                    mapping.clear()
        assert live == plain == Table.of(game).bids
        assert game.position.tracks.get("bids", {}) == to_json(plain)
    json.dumps(game.position.to_json())


@pytest.mark.parametrize("kind", [Block, Leader])
def test_what_is_listed_follows_every_change_of_a_counter(kind: type[Piece]) -> None:
    """Whether the class says which fields tell it or not."""
    game = board({"a": RED, "b": RED | {"type": "leader", "stars": 2}})

    def listed() -> list[str]:
        return [each.id for each in counters(game, kind, owner="red")]

    mine = listed()
    game.position.set("a", type="leader", stars=1)
    game.position.set("b", type="infantry")
    assert sorted([*mine, *listed()]) == ["a", "b"]
    game.position.set("a", owner="blue")
    game.position.set("b", owner="blue")
    assert listed() == []


def revealed(block: Block) -> bool:
    return block.revealed


def test_places_are_those_where_a_counter_of_the_class_passes() -> None:
    game = board({"a": RED, "b": RED | {"hex": "0406", "revealed": True}, "c": RED | {"type": "leader"}})
    assert where_any(game, Block, revealed, owner="red") == {"0406"}
    assert where_any(game, Block, revealed, owner="blue") == set()
    counter(game, Block, "a").revealed = True
    counter(game, Block, "b").owner = "blue"
    assert where_any(game, Block, revealed, owner="red") == {"0405"}
    assert where_any(game, Block, revealed, owner="blue") == {"0406"}
