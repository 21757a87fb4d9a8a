"""Positions: counters found by hex whatever was done to them, copies that go their own way, digests."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pbem.board.position import Position
from pbem.text.canonical import Json, dumps
from pbem.text.diagnostics import Refused

IDS = ["B-IN1", "G-F1", "R-AR1", "R-IN1", "R-IN2"]
PLACES = ["0101", "0102", "0203", "dead pile"]

scalars: st.SearchStrategy[Json] = (
    st.none() | st.booleans() | st.integers(-99, 99) | st.sampled_from(["a", "é", ""])
)
names = st.sampled_from(["cv", "hex", "entry", "owner"])
values: st.SearchStrategy[Json] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
counters = st.dictionaries(st.sampled_from(IDS), st.dictionaries(names, values, max_size=4))


def position() -> Position:
    return Position(
        {
            "R-IN2": {"hex": "0102", "cv": 3},
            "R-IN1": {"hex": "0102", "cv": 4},
            "B-IN1": {"hex": "0203", "cv": 2},
        },
        {"turn": 1, "vp": {"red": [1, 2]}},
    )


def test_a_hex_lists_its_counters_in_the_order_of_their_ids() -> None:
    here = position()
    assert here.at("0102") == ("R-IN1", "R-IN2")
    assert here.at("0101") == ()
    assert here.occupied() == ("0102", "0203")
    assert here.ids() == ("B-IN1", "R-IN1", "R-IN2")


def test_a_counter_that_moves_is_found_in_its_new_hex_and_not_in_the_old() -> None:
    here = position()
    assert here.at("0102") == ("R-IN1", "R-IN2")
    here.move("R-IN2", "0203")
    assert here.at("0102") == ("R-IN1",)
    assert here.at("0203") == ("B-IN1", "R-IN2")
    here.set("R-IN1", hex="0203", cv=1)
    assert here.occupied() == ("0203",)
    assert here.counters["R-IN1"] == {"hex": "0203", "cv": 1}


def test_a_counter_may_stand_nowhere() -> None:
    here = position()
    here.move("R-IN1", None)
    here.drop("R-IN2", "hex", "not there")
    assert here.at("0102") == ()
    assert (here.hex("R-IN1"), here.hex("R-IN2"), here.hex("B-IN1")) == (None, None, "0203")
    assert "R-IN1" in here.counters


def test_a_counter_taken_off_is_gone_and_gives_back_what_it_was() -> None:
    here = position()
    assert here.remove("B-IN1") == {"hex": "0203", "cv": 2}
    assert here.at("0203") == ()
    assert "B-IN1" not in here.counters


def test_counters_are_found_by_their_fields() -> None:
    here = position()
    assert here.find(hex="0102", cv=3) == ("R-IN2",)
    assert here.find() == here.ids()
    assert here.find(aboard=None, hex="0203") == ("B-IN1",)


def test_our_own_mistakes_are_not_passed_over() -> None:
    here = position()
    with pytest.raises(ValueError, match="in play already"):
        here.add("R-IN1", {"hex": "0101"})
    for act in (lambda: here.move("X", "0101"), lambda: here.remove("X"), lambda: here.set("X", cv=1)):
        with pytest.raises(KeyError):
            act()
    wrong: Any
    for wrong in (0.5, ("a",), {"a": [1.0]}, {1, 2}, b"x"):
        with pytest.raises(ValueError, match="can't be saved"):
            here.set("R-IN1", cv=wrong)
        with pytest.raises(ValueError, match="can't be saved"):
            here.add("X", {"cv": wrong})
    assert here == position()


def test_what_was_worked_out_from_counters_is_forgotten_when_one_changes() -> None:
    changes = (
        lambda here: here.set("a", hex="0102"),
        lambda here: here.drop("a", "steps"),
        lambda here: here.add("b", {"hex": "0101"}),
        lambda here: here.remove("a"),
    )
    for change in changes:
        here = Position({"a": {"hex": "0101", "steps": 2}})
        here.known["stacks"] = 1
        twin = here.copy()
        here.drop("a", "nothing that it has")
        assert here.known == {"stacks": 1}
        change(here)
        assert here.known == {} and twin.known == {"stacks": 1}
        assert twin.to_json()["counters"] == {"a": {"hex": "0101", "steps": 2}}


def test_a_copy_goes_its_own_way() -> None:
    here = position()
    assert here.at("0102")
    twin = here.copy()
    twin.move("R-IN1", "0101")
    twin.remove("B-IN1")
    twin.tracks["vp"]["red"].append(3)  # type: ignore[index, call-overload, union-attr]
    twin.tracks["turn"] = 2
    assert here == position()
    assert here.at("0102") == ("R-IN1", "R-IN2")
    assert twin.at("0101") == ("R-IN1",)
    here.set("R-IN2", cv=1)
    assert twin.counters["R-IN2"]["cv"] == 3


def test_what_was_saved_is_the_positions_own_no_longer() -> None:
    here = position()
    saved: Any = here.to_json()
    saved["counters"]["R-IN1"]["cv"] = 99
    saved["tracks"]["vp"]["red"].clear()
    assert here == position()
    loaded = Position.from_json(saved)
    loaded.set("R-IN1", cv=1)
    assert saved["counters"]["R-IN1"]["cv"] == 99


def test_the_digest_of_a_known_position() -> None:
    here = Position({"b": {"hex": "0101", "né": None}, "a": {}}, {"turn": 1})
    wanted = '{"counters":{"a":{},"b":{"hex":"0101","né":null}},"tracks":{"turn":1}}'
    assert here.canonical() == wanted.encode()
    assert here.digest() == sha256(wanted.encode()).hexdigest()


@given(counters, st.dictionaries(names, values, max_size=3), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_the_digest_does_not_depend_on_the_order_in_which_counters_came(
    found: dict[str, dict[str, Json]], tracks: dict[str, Json], random: Any
) -> None:
    shuffled = list(found.items())
    random.shuffle(shuffled)
    one, other = Position(found, tracks), Position(dict(shuffled), dict(reversed(tracks.items())))
    assert one == other
    assert one.digest() == other.digest()


@given(counters, st.dictionaries(names, values, max_size=3))
@settings(max_examples=50)
def test_saving_and_loading_gives_the_same_position(
    found: dict[str, dict[str, Json]], tracks: dict[str, Json]
) -> None:
    here = Position(found, tracks)
    again = Position.from_json(here.to_json())
    assert again == here
    assert again.digest() == here.digest()


def test_the_digests_bytes_are_the_canonical_bytes_of_the_saved_form() -> None:
    here = position()
    assert here.canonical() == dumps(here.to_json())


def test_every_change_shows_in_the_digest() -> None:
    seen = {position().digest()}
    changes: list[Any] = [
        lambda here: here.move("R-IN1", "0101"),
        lambda here: here.set("R-IN1", cv=3),
        lambda here: here.remove("R-IN1"),
        lambda here: here.add("X", {}),
        lambda here: here.drop("R-IN1", "cv"),
        lambda here: here.tracks.update(turn=2),
        lambda here: here.tracks.update(vp={"red": [2, 1]}),
    ]
    for change in changes:
        here = position()
        change(here)
        seen.add(here.digest())
    assert len(seen) == len(changes) + 1


@pytest.mark.parametrize(
    ("saved", "faults"),
    [
        ([], [("wrong-type", ("position",))]),
        ({"counters": []}, [("wrong-type", ("position", "counters"))]),
        ({"markers": {}, "tracks": 3},
         [("unknown-key", ("position", "markers")), ("wrong-type", ("position", "tracks"))]),
        ({"counters": {"a": None, "b": {"cv": 0.5}}, "tracks": {"t": [1.5]}},
         [("wrong-type", ("position", "counters", "a")), ("wrong-type", ("position", "counters", "b", "cv")),
          ("wrong-type", ("position", "tracks", "t"))]),
    ],
)  # fmt: skip
def test_a_saved_position_of_the_wrong_shape_is_refused_with_all_its_faults(saved: Any, faults: Any) -> None:
    with pytest.raises(Refused) as refused:
        Position.from_json(saved, ("position",))
    assert [(fault.code, fault.path) for fault in refused.value.diagnostics] == faults


def test_an_index_that_was_bypassed_is_noticed() -> None:
    here = position()
    here.at("0102")
    here.check()
    here.counters["R-IN1"]["hex"] = "0999"  # type: ignore[index]
    with pytest.raises(AssertionError, match="out of step"):
        here.check()


class Play(RuleBasedStateMachine):
    """Anything done in any order: what is looked up in an index is always what the counters tell."""

    @initialize()
    def begin(self) -> None:
        self.here = Position()
        self.model: dict[str, dict[str, Json]] = {}

    @rule(id=st.sampled_from(IDS), hex=st.sampled_from(PLACES) | st.none(), cv=st.integers(1, 4))
    def add_or_set(self, id: str, hex: str | None, cv: int) -> None:
        if id in self.model:
            self.here.set(id, hex=hex, cv=cv)
        else:
            self.here.add(id, {"hex": hex, "cv": cv})
        self.model[id] = {"hex": hex, "cv": cv}

    @rule(id=st.sampled_from(IDS), hex=st.sampled_from(PLACES))
    def move(self, id: str, hex: str) -> None:
        if id in self.model:
            self.here.move(id, hex)
            self.model[id]["hex"] = hex

    @rule(id=st.sampled_from(IDS))
    def remove(self, id: str) -> None:
        if id in self.model:
            assert self.here.remove(id) == self.model.pop(id)

    @rule()
    def go_on_with_a_copy(self) -> None:
        left, self.here = self.here, self.here.copy()
        left.tracks["gone"] = True
        for id in left.ids():
            left.remove(id)

    @rule(hex=st.sampled_from(PLACES))
    def ask(self, hex: str) -> None:
        assert self.here.at(hex) == tuple(sorted(id for id in self.model if self.model[id]["hex"] == hex))

    @rule(cv=st.integers(1, 4))
    def find(self, cv: int) -> None:
        assert self.here.find(cv=cv) == tuple(sorted(id for id in self.model if self.model[id]["cv"] == cv))
        strong = {f["hex"] for f in self.model.values() if f["hex"] is not None and f["cv"] == cv}
        found = self.here.where_any(cv, lambda ids: any(self.here.counters[id]["cv"] == cv for id in ids))
        assert found == strong

    @rule(id=st.sampled_from(IDS))
    def lose_a_field(self, id: str) -> None:
        if id in self.model:
            self.here.drop(id, "cv", "never there")
            self.model[id] = {"hex": self.model[id]["hex"], "cv": None}
            self.here.set(id, cv=None)

    @invariant()
    def index_agrees(self) -> None:
        self.here.check()
        assert self.here.counters == self.model
        assert self.here.tracks == {}


Play.TestCase.settings = settings(max_examples=30, stateful_step_count=20)
TestPlay = Play.TestCase


def test_what_was_looked_for_is_looked_for_again_when_a_counter_has_changed() -> None:
    """What is kept of a search must never tell of a board that was."""
    board = Position({"a": {"side": "red"}, "b": {"side": "blue"}})
    assert board.find(side="red") == board.find(side="red") == ("a",)
    twin = board.copy()
    twin.set("b", side="red")
    assert (board.find(side="red"), twin.find(side="red")) == (("a",), ("a", "b"))
    board.add("c", {"side": "red"})
    assert board.find(side="red") == ("a", "c")
    board.remove("a")
    board.drop("c", "side")
    assert board.find(side="red") == () and board.find(side=None) == ("c",)
    assert board.find(side=["no", "key"]) == ()


def test_a_place_is_looked_at_again_only_where_a_counter_has_changed() -> None:
    board, looked = Position({"a": {"hex": "0101", "cv": 2}, "b": {"hex": "0102"}}), []

    def armed(ids: tuple[str, ...]) -> bool:
        looked.append(ids)
        return any("cv" in board.counters[id] for id in ids)

    first = board.where_any("armed", armed)
    assert first == {"0101"} and looked == [("a",), ("b",)]
    board.set("b", moved=True)
    board.tracks["turn"] = 2
    assert board.where_any("armed", armed) is first, "what is the same stays the same object"
    assert looked == [("a",), ("b",), ("b",)]
    board.move("a", "0102")
    assert board.where_any("armed", armed) == {"0102"} and looked[3:] == [("a", "b")]


def test_work_is_done_once_until_a_counter_changes() -> None:
    board, done = Position({"a": {"side": "red"}}), []
    for _ in range(2):
        assert board.once("words", lambda: done.append(1) or "found") == "found"
    assert len(done) == 1
    board.tracks["turn"] = 2
    board.once("words", lambda: done.append(1) or "found")
    assert len(done) == 1, "a track is no counter"
    board.move("a", "0101")
    board.once("words", lambda: done.append(1) or "found")
    assert len(done) == 2
