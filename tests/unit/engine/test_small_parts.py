"""Small parts of the engine at their bounds: answers, conditions, queues, schemas, powers, journals."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from pbem.board.position import Position
from pbem.engine import ahead, conditions, journal, powers
from pbem.engine.ahead import Queue, Result, Tried
from pbem.engine.answers import NOT_OPENED, Inputs, Reply, ScriptedSource, ScriptError, StageSource, short_key
from pbem.engine.fitting import fits
from pbem.engine.forced import is_empty
from pbem.engine.foreseen import does_nothing
from pbem.engine.points import Points
from pbem.engine.registry import Registry, condition, procedure
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.trust.dice import roll, shuffle
from tests.primer import SYSTEM
from tests.unit.archive.paper import last

# --- answers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "kind", "short"),
    [
        ("T1/north/attack/italy", "attack", "attack/italy"),
        ("T1/bid", "bid", "bid"),
        ("T1/bid", "card", "card"),
    ],
)
def test_a_key_is_short_from_its_kind_on(key: str, kind: str, short: str) -> None:
    assert short_key(key, kind) == short


def test_an_answer_is_used_once_by_its_key_before_its_kind() -> None:
    by_key, by_kind = Reply(1), Reply(2)
    source = StageSource(Inputs(4, {"north": {"T1/bid": by_key, "bid": by_kind}}))
    assert source.stage == 4
    assert source.reply("south", "T1/bid", "bid") is None
    assert source.reply("north", "T1/bid", "bid") == ("T1/bid", by_key)
    assert source.opening("north", "T1/bid") == by_key and source.opening("south", "T1/bid") is None
    assert source.reply("north", "T1/bid", "bid") == ("bid", by_kind)
    assert source.reply("north", "T1/bid", "bid") is None
    assert source.standing("north") == [] and StageSource(Inputs(1, standing={"north": [1]})).standing(
        "north"
    ) == [1]


def test_defaults_are_taken_for_whoever_is_late_with_what_was_asked_and_for_whoever_is_out() -> None:
    late = frozenset({"north"})

    def taken(**given: Any) -> list[bool]:
        source = StageSource(Inputs(1, **given))
        return [source.forfeits(party, key) for party in ("north", "south") for key in ("bid", "card")]

    assert taken() == [False] * 4
    assert taken(forfeits=late) == [True, True, False, False]
    assert taken(forfeits=late, asked={"north": ["bid"], "south": ["bid"]}) == [True, False, False, False]
    assert taken(forfeits=late, asked={"south": ["bid"]}) == [False] * 4
    assert taken(absent=late, asked={}) == [True, True, False, False]


def test_dice_come_of_the_seed_of_the_stage_and_hidden_ones_of_the_hidden_seed() -> None:
    seen, unseen = b"1" * 32, b"2" * 32
    both, blind = StageSource(Inputs(1, seed=seen, hidden_seed=unseen)), StageSource(Inputs(1, seed=seen))
    label: list[str | int] = ["attack", 1]
    cards: list[str | int] = [1, 2, 3, 4, 5, 6, 7, 8]
    assert both.roll("9d6", label, False) == roll("9d6", seen, label)
    assert both.roll("9d6", label, True) == roll("9d6", unseen, label)
    assert both.shuffle(cards, label, False) == shuffle(cards, seen, label)
    assert both.shuffle(cards, label, True) == shuffle(cards, unseen, label)
    assert blind.roll("9d6", label, True) is None and blind.shuffle(cards, label, True) is None
    assert StageSource(Inputs(1)).roll("9d6", label, False) is None


def test_an_example_gives_its_answers_in_turn_and_says_what_was_left() -> None:
    orders: dict[str, Any] = {
        "north": {
            "bid": {"in_turn": [1, 2]},
            "attack/italy": 3,
            "T1/card": 4,
            "more": {"in_turn": [5], "x": 1},
        },
        "south": {"bid": 0},
    }
    source = ScriptedSource(orders, [[1, 2], [3], [2, 1]], {"north": [7]}, ["south"])
    assert source.unused_orders() == [
        "north: bid",
        "north: attack/italy",
        "north: T1/card",
        "north: more",
        "south: bid",
    ]
    assert [source.reply("north", "T1/bid", "bid") for _ in range(3)] == [
        ("bid", Reply(1)),
        ("bid", Reply(2)),
        None,
    ]
    assert source.reply("north", "T2/attack/italy", "attack") == ("attack/italy", Reply(3))
    assert source.reply("north", "T2/attack/spain", "attack") is None
    assert source.reply("north", "T1/card", "card") == ("T1/card", Reply(4))
    assert source.reply("north", "T1/more", "more") == ("more", Reply({"in_turn": [5], "x": 1}))
    assert source.reply("west", "T1/bid", "bid") is None
    assert source.unused_orders() == ["south: bid"]
    assert source.standing("north") == [7] and source.standing("south") == []
    assert source.forfeits("south", "x") and not source.forfeits("north", "x")
    assert source.opening("north", "T1/card") is None
    assert source.roll("2d6", ["attack"], False) == [1, 2]
    with pytest.raises(ScriptError, match="2d6"):
        source.roll("2d6", ["attack"], False)
    assert source.shuffle(["a", "b"], ["deck"], False) == ["b", "a"] and source.rolled == [["attack"]]
    with pytest.raises(ScriptError, match="deck"):
        source.roll("d66", ["deck"], False)
    with pytest.raises(ScriptError, match="deck"):
        source.shuffle([], ["deck"], False)
    two = ScriptedSource({}, [[1, 2], [3]])
    assert two.roll("d66", [], False) == [1, 2] and two.leftover() == [[3]]


# --- conditions -----------------------------------------------------------------------------------------

FACTS: dict[str, Any] = {
    "track/vp": {"red": 3, "of": {"blue": True}},
    "unit/a": {"hex": "0101"},
    "unit/a/b": 7,
    "x/y": [1],
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("track/vp/red", 3),
        ("track/vp/of/blue", True),
        ("track/vp/of/green", None),
        ("track/vp", None),
        ("track/vp/red/more", None),
        ("unit/a/hex", "0101"),
        ("unit/a/b", 7),
        ("unit/z/hex", None),
        ("x/y", None),
    ],
)
def test_a_way_leads_into_a_fact_to_a_simple_value(name: str, value: Any) -> None:
    assert conditions.find(FACTS, name) == value


@pytest.mark.parametrize(
    ("value", "test", "holds"),
    [
        (3, 3, True),
        (3, 4, False),
        (None, None, False),
        ("a", ["a", "b"], True),
        ("c", ["a", "b"], False),
        (2, {"at_least": 2, "at_most": 2}, True),
        (1, {"at_least": 2}, False),
        (3, {"at_most": 2}, False),
        (None, {"at_most": 2}, True),
        (None, {"at_least": 1}, False),
        (None, {"at_least": 0}, True),
        ("3", {"at_least": 1}, False),
    ],
)
def test_a_condition_is_a_value_one_of_a_list_or_bounds(value: Any, test: Any, holds: bool) -> None:
    assert conditions.holds(value, test) is holds


# --- answers sent ahead ---------------------------------------------------------------------------------


def entry(name: str, **more: Any) -> dict[str, Any]:
    return {"decision": "bid", "once": name, "answer": 1, **more}


def test_an_entry_is_spent_when_it_is_used_expires_or_lapses() -> None:
    queue = Queue.of({"north": ["old"]})
    orders: list[Any] = [entry("old"), entry("a"), {"decision": "bid", "answer": 2}, entry("b"), "x"]
    assert [ahead.name_of(one) for one in queue.entries("north", orders)] == ["a", "b"]
    assert [ahead.name_of(one) for one in queue.entries("south", orders)] == ["old", "a", "b"]
    unused: tuple[Result, ...] = ("waits", "refused")
    for result in unused:
        queue.note(Tried("north", "a", "bid", "T1/bid", result))
    assert len(queue.entries("north", orders)) == 2
    gone: tuple[tuple[str, Result], ...] = (("a", "used"), ("b", "lapsed"), ("c", "expired"))
    for name, result in gone:
        queue.note(Tried("north", name, "bid", "", result))
    assert queue.entries("north", orders) == [] and len(queue.tried) == 5
    queue.spend("north", "a")
    queue.spent["south"] = []
    assert queue.remembered() == {"north": ["a", "b", "c", "old"]}
    assert queue.remaining({"north": orders, "south": orders, "west": [entry("a")]}) == {
        "north": [orders[2], "x"],
        "south": orders,
        "west": [entry("a")],
    }
    assert queue.remaining({"north": [entry("a")]}) == {}


def test_entries_lapse_or_expire_only_if_they_say_so() -> None:
    queue = Queue()
    lasting: list[Any] = [
        {"decision": "bid", "answer": 1, "unless": "attacked", "until": "T"},
        entry("plain"),
    ]
    orders: list[Any] = [*lasting, entry("peace", unless="attacked"), entry("turn", until="T")]
    queue.attacked("north", orders)
    assert [(one.name, one.result) for one in queue.tried] == [("peace", "lapsed")]
    named: Any = {"decision": "move", "name": "rest", "until": "M", "answer": {}}
    here = {"T": 1, "M": "north"}
    for after in (here, {**here, "X": 1}):
        queue.left("north", [*orders, named], here, after)
    assert len(queue.tried) == 1, "play has left nothing"
    queue.left("north", [*orders, named], {"M": "north"}, {"T": 2})
    assert queue.spent["north"] == ["peace", "rest"], "what was a pass for the rest is not reported"
    queue.left("north", [*orders, named], here, {**here, "T": 2})
    assert [(one.name, one.result) for one in queue.tried][1:] == [("turn", "expired")]
    assert (ahead.expires(named), ahead.expires(entry("x")), ahead.expires("x")) == (True, False, False)
    assert ahead.lapses(entry("x", unless="attacked")) and not ahead.lapses(lasting[0])


def test_a_new_list_replaces_the_old_one_and_names_that_are_gone_are_forgotten() -> None:
    spent = {"north": ["a", "b"], "south": ["c"]}
    listed: list[Any] = [entry("a"), entry("d"), {"decision": "bid", "answer": 2}]
    assert ahead.filed(spent, "north", listed) == (listed[1:], {"north": ["a"], "south": ["c"]})
    assert ahead.filed(spent, "north", []) == ([], {"south": ["c"]})
    assert ahead.filed(spent, "west", listed) == (listed, spent)
    why = Diagnostic("illegal", "not so", rule="3.1")
    tried = Tried("north", "a", "bid", "T1/bid", "refused", (why,))
    assert tried.to_json() == {
        "name": "a",
        "decision": "bid",
        "result": "refused",
        "key": "T1/bid",
        "why": [{"code": "illegal", "message": "not so", "rule": "3.1"}],
    }
    assert Tried("north", "a", "bid", "", "used").to_json() == {
        "name": "a",
        "decision": "bid",
        "result": "used",
    }


# --- quick schemas --------------------------------------------------------------------------------------

SCHEMA: dict[str, Any] = {
    "$defs": {"hex": {"type": "string", "pattern": "^[0-9]{4}$"}},
    "type": "object",
    "properties": {
        "hex": {"$ref": "#/$defs/hex"},
        "kind": {"enum": ["a", 1, True]},
        "steps": {"type": "integer", "minimum": 1, "maximum": 4},
        "name": {"type": ["string", "null"], "minLength": 1, "maxLength": 3},
        "list": {"type": "array", "items": {"$ref": "#/$defs/hex"}, "minItems": 1, "maxItems": 2},
        "pair": {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "boolean"}],
            "minItems": 2,
            "maxItems": 2,
        },
        "open": {},
        "table": {"type": "object", "propertyNames": {"pattern": "^[a-z]$"}, "maxProperties": 2},
        "many": {
            "type": "object",
            "patternProperties": {"^x": {"type": "integer"}},
            "additionalProperties": False,
        },
    },
    "allOf": [
        {
            "if": {"properties": {"steps": {"const": 4}}, "required": ["steps"]},
            "then": {"properties": {"extra": {"type": "string"}}, "required": ["extra"]},
        }
    ],
    "required": ["hex"],
    "unevaluatedProperties": False,
}
HEX = {"hex": "0101"}
VALUES: list[Any] = [
    HEX, {}, {"hex": "101"}, {"hex": 101}, [], "0101", None, {**HEX, "kind": "a"}, {**HEX, "kind": 1},
    {**HEX, "kind": True}, {**HEX, "kind": "b"}, {**HEX, "kind": False}, {**HEX, "steps": 1},
    {**HEX, "steps": 0}, {**HEX, "steps": 3}, {**HEX, "steps": 5}, {**HEX, "steps": True},
    {**HEX, "steps": 4}, {**HEX, "steps": 4, "extra": "x"}, {**HEX, "steps": 4, "extra": 5},
    {**HEX, "extra": "x"}, {**HEX, "name": None}, {**HEX, "name": ""}, {**HEX, "name": "a"},
    {**HEX, "name": "abc"}, {**HEX, "name": "abcd"}, {**HEX, "name": 5}, {**HEX, "list": []},
    {**HEX, "list": ["0101"]}, {**HEX, "list": ["0101", "0102"]}, {**HEX, "list": ["0101"] * 3},
    {**HEX, "list": ["0101", "x"]}, {**HEX, "pair": [1, True]}, {**HEX, "pair": [1, 2]},
    {**HEX, "pair": [1]}, {**HEX, "pair": [1, True, 1]}, {**HEX, "open": [{"a": 1}]},
    {**HEX, "table": {"a": 1, "b": 2}}, {**HEX, "table": {"a": 1, "b": 2, "c": 3}},
    {**HEX, "table": {"ab": 1}}, {**HEX, "many": {"x1": 1}}, {**HEX, "many": {"x1": "1"}},
    {**HEX, "many": {"y": 1}}, {**HEX, "other": 1},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_the_quick_answer_is_that_of_the_schema_s_own_language(value: Any) -> None:
    assert fits(value, SCHEMA) is jsonschema.Draft202012Validator(SCHEMA).is_valid(value)


# --- powers, journals, options --------------------------------------------------------------------------

POWERS: dict[str, Any] = {
    "powers": {"germany": {"seat": "axis"}, "italy": {"seat": "axis"}, "uk": {"seat": "allies"}},
    "cooperate": [["germany", "italy"]],
}
SEATS = ("axis", "allies")


def test_who_controls_a_power_is_what_the_track_says_now() -> None:
    position = Position({}, {})
    powers.put_up(POWERS, SEATS, position)
    assert position.tracks == {"seats": {"germany": "axis", "italy": "axis", "uk": "allies"}}
    moved = {"seats": {"italy": "allies"}}
    assert powers.seats(POWERS, moved, SEATS) == {"germany": "axis", "italy": "allies", "uk": "allies"}
    assert powers.seats({}, {}, SEATS) == {"axis": "axis", "allies": "allies"}
    kept = Position({}, {"seats": {"italy": "allies"}})
    powers.put_up(POWERS, SEATS, kept)
    assert kept.tracks == moved
    plain = Position({}, {})
    powers.put_up({}, SEATS, plain)
    assert plain.tracks == {}
    together = [
        (one, other)
        for one in POWERS["powers"]
        for other in POWERS["powers"]
        if powers.cooperate(POWERS, one, other)
    ]
    assert together == [
        ("germany", "germany"),
        ("germany", "italy"),
        ("italy", "germany"),
        ("italy", "italy"),
        ("uk", "uk"),
    ]


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (
            {"powers": {"germany": {"seat": "nobody"}}, "cooperate": []},
            ["powers.germany.seat power-seat-one"],
        ),
        ({"powers": {"germany": "axis"}, "cooperate": []}, ["powers.germany.seat power-seat-one"]),
        ({"powers": {"9": {"seat": "axis"}}, "cooperate": []}, ["powers.9 cannot-stand-in-key-letters"]),
        ({"powers": {"x" * 32: {"seat": "axis"}}, "cooperate": []}, []),
        (
            {"powers": {"x" * 33: {"seat": "axis"}}, "cooperate": []},
            [f"powers.{'x' * 33} cannot-stand-in-key-letters"],
        ),
        ({"cooperate": [["germany"], ["uk", "spain"]]}, ["cooperate.1 no-power-cooperate"]),
        ({"powers": {}, "cooperate": [["axis", "allies"]]}, []),
        ({"powers": {}, "cooperate": [["axis", "uk"]]}, ["cooperate.0 no-power-cooperate"]),
    ],
)
def test_every_power_that_cannot_be_is_named_with_its_place(
    change: dict[str, Any], faults: list[str]
) -> None:
    found: list[str] = []
    try:
        powers.put_up({**POWERS, **change}, SEATS, Position({}, {}))
    except Refused as refused:
        found = [f"{'.'.join(map(str, one.path))} {last(one.message)}" for one in refused.diagnostics]
    assert found == faults


def test_a_commitment_in_a_journal_keeps_its_value_only_where_it_is_known() -> None:
    known = journal.sealed("T1/card", "north", 3, "card", Reply("storm", committed=True, commit="c"))
    assert known == {
        "seal": "T1/card",
        "party": "north",
        "stage": 3,
        "as": "card",
        "commit": "c",
        "value": "storm",
    }
    closed = journal.sealed("T1/card", "north", 3, "card", Reply(NOT_OPENED, committed=True))
    assert closed == {"seal": "T1/card", "party": "north", "stage": 3, "as": "card"}


def test_a_commitment_that_was_lodged_waits_until_it_is_opened() -> None:
    earlier: Any = {"seal": "T1/card", "party": "north", "lodged": True}
    mine: Any = {"seal": "T1/card", "party": "south", "lodged": True, "h": "abc"}
    plain: Any = {"seal": "T2/card", "party": "south"}
    opened: Any = {"open": "T1/card", "party": "north"}
    lodged = {name: value for name, value in mine.items() if name != "h"}
    assert journal.still_kept([earlier], [mine, plain]) == (earlier, lodged)
    assert journal.still_kept([earlier], [opened, mine]) == (lodged,)
    assert journal.still_kept([], [mine, {**opened, "party": "south"}]) == ()


def test_an_entry_of_a_journal_is_shown_without_what_is_secret_or_long() -> None:
    told: Any = {
        "ask": "T1/bid",
        "party": "north",
        "answer": 1,
        "by": "open",
        "stage": 3,
        "h": "x",
        "value": 2,
        "orders": [],
    }
    assert journal.short(told) == "ask T1/bid, party north"
    assert journal.short({"h": "x"}) == "nothing"
    assert journal.words(["a", 1, None]) == ("a", 1) and journal.numbers([1, "a", 2]) == (1, 2)
    die = {"label": ["a"], "result": [1], "stage": 3}
    assert journal.without_stage({"die": die, "stage": 3, "list": [die, "x"]}) == {
        "die": {"label": ["a"], "result": [1]},
        "stage": 3,
        "list": [{"label": ["a"], "result": [1]}, "x"],
    }
    assert journal.without_stage({"label": ["a"], "stage": 3}) == {"label": ["a"], "stage": 3}


@pytest.mark.parametrize(
    ("answer", "empty"),
    [
        ([], True),
        (None, True),
        ({}, True),
        ({"a": [], "b": None}, True),
        ({"a": [], "b": [1]}, False),
        ([0], False),
        (0, False),
        ("", False),
    ],
)
def test_an_answer_without_an_element_in_any_section_is_empty(answer: Any, empty: bool) -> None:
    assert is_empty(answer) is empty


def test_a_list_of_actions_without_any_does_nothing() -> None:
    rests = SYSTEM.decision("resting", "north", {})
    answers: list[Any] = [[], {"a": []}, ["n1"], {"a": ["n1"]}, None]
    assert [does_nothing(rests, answer) for answer in answers] == [True, True, False, False, False]
    assert not does_nothing(SYSTEM.decision("bid", "north", {}), 0)


def test_what_an_option_costs_and_risks_is_said_behind_it() -> None:
    point = Points(("A",), way=("0101",), cost=(("MP", 3), ("hexes", 1), ("boxes", 2)), risk="3:1")
    assert point.price == "3 MP, 1 hex, 2 boxes" and point.text == "3 MP, 1 hex, 2 boxes; 3:1"
    assert (
        point.after("A moves") == "A moves (3 MP, 1 hex, 2 boxes; 3:1)"
        and Points().after("A moves") == "A moves"
    )
    assert Points(cost=(("steps", 1), ("boxes", 1), ("MPs", 1))).price == "1 step, 1 box, 1 MPs"
    assert point.to_json() == {
        "kind": "move",
        "counters": ["A"],
        "way": ["0101"],
        "end": "0101",
        "cost": {"MP": 3, "hexes": 1, "boxes": 2},
        "risk": "3:1",
        "units": ["A"],
    }
    stays = Points(("A",), units=("A", "B"), start="0101", end="", kind="attack", coast="nc")
    assert stays.to_json() == {
        "kind": "attack",
        "counters": ["A"],
        "start": "0101",
        "units": ["A", "B"],
        "coast": "nc",
    }
    assert stays.faults() == [] and Points().to_json() == {"kind": "other"}


def test_a_name_is_registered_once() -> None:
    registry = Registry()

    @procedure("move", rule="1")
    def move() -> None: ...

    @condition("move")
    def may() -> None: ...

    for item in (move, may, move, 5, None):
        registry.add(item)
    assert registry.leaf == {"move": move} and registry.condition == {"move": may}
    with pytest.raises(AssertionError, match="leaf 'move'"):
        registry.add(procedure("move", rule="2")(lambda: None))
