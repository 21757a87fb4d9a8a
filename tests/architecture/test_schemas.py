"""The published schemas: sound, fresh, with dispatch that gives good messages; they take what pbem writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pbem.text.schema import check, find
from tests.architecture.code import ROOT
from tests.tools.make_schemas import stale, write

SCHEMAS = ROOT / "schemas"
NAMES = sorted(path.relative_to(SCHEMAS).as_posix() for path in SCHEMAS.rglob("*.json"))


def load(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((SCHEMAS / name).read_text("utf-8"))
    return schema


def nodes(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value inside a schema with the way to it."""
    yield path, value
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(item, dict | list):
            yield from nodes(item, (*path, key))


def test_the_formats_of_the_project_have_a_schema() -> None:
    assert {"state", "public", "game", "orders", "standing", "report", "stats"} <= {
        n.split(".")[0] for n in NAMES if "/" not in n
    }


def test_generated_schemas_are_fresh() -> None:
    assert stale() == [], "run `python -m tests.tools.make_schemas`"


def test_stale_schemas_are_noticed_and_made_anew(tmp_path: Path) -> None:
    made = write(tmp_path)
    assert "victory/bid.schema.json" in made and stale(tmp_path) == []
    (tmp_path / "victory" / "bid.schema.json").write_text("{}\n")
    (tmp_path / "victory" / "gone.schema.json").write_text("{}\n")
    (tmp_path / "victory" / "orders.schema.json").unlink()
    old = ["victory/bid.schema.json", "victory/gone.schema.json", "victory/orders.schema.json"]
    assert stale(tmp_path) == old == write(tmp_path)
    assert stale(tmp_path) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_sound_and_says_what_it_is(name: str) -> None:
    schema = load(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    assert schema["$id"] == f"https://pbem.invalid/schemas/{name}"
    assert schema["title"]
    assert find(name.removesuffix(".schema.json")) == schema


@pytest.mark.parametrize("name", NAMES)
def test_dispatch_is_by_if_and_then(name: str) -> None:
    """`oneOf` and `anyOf` give messages that name no fault; only scalars may stand side by side, as types."""
    choices = [
        path
        for path, value in nodes(load(name))
        if isinstance(value, dict) and {"oneOf", "anyOf"} & set(value)
    ]
    assert choices == []


@pytest.mark.parametrize("name", NAMES)
def test_references_stay_in_the_file_and_lead_somewhere(name: str) -> None:
    schema = load(name)
    references = [value["$ref"] for _, value in nodes(schema) if isinstance(value, dict) and "$ref" in value]
    known = {f"#/$defs/{key}" for key in schema.get("$defs", {})}
    assert set(references) <= known
    assert known <= set(references), "definitions that nothing uses"


@pytest.mark.parametrize("name", NAMES)
def test_mappings_say_what_may_stand_in_them(name: str) -> None:
    """A mapping with named members is closed: a misspelt member is told, not passed over."""
    schema = load(name)
    open_ones = [
        path
        for path, value in nodes(schema)
        if isinstance(value, dict)
        and value.get("type") == "object"
        and "properties" in value
        and "additionalProperties" not in value
        and "unevaluatedProperties" not in value
    ]
    assert open_ones == []


# ---- what they take and refuse ----------------------------------------------------------------------

TURN = "GT1/2.R1/red/2.C/turn-order"
ORDERS: dict[str, Any] = {
    "game": "0123456789ab",
    "stage": 3,
    "answers": {"bid": 2, TURN: {"choice": "pass"}},
    "standing": [
        {"pass_from_round": 3},
        {"decision": "bid", "when": {"turn": {"at_least": 2}, "holder": [True]}, "answer": 1},
        {"decision": "turn-order", "answer": {"choice": "pass"}},
    ],
}
STANDING: list[Any] = ORDERS["standing"]
GAME: dict[str, Any] = {
    "title": "A game",
    "system": "victory",
    "scenario": "sarn_strait battle_mode=interactive",
    "dice": "swift",
    "absent": "stop",
    "game": "ab" * 32,
    "parties": [
        {"id": "gm", "role": "gm", "name": "G", "mail": "g@example.org", "key": "SHA256:" + "a" * 43},
    ],
}
Change = Callable[[Any], Any]


def put(*path: str | int, value: Any) -> Change:
    """The same data with another value there."""

    def change(data: Any) -> Any:
        copy = json.loads(json.dumps(data))
        here = copy
        for step in path[:-1]:
            here = here[step]
        here[path[-1]] = value
        return copy

    return change


def without(key: str) -> Change:
    return lambda data: {name: value for name, value in data.items() if name != key}


BROKEN: dict[str, tuple[str, Any, Change, str]] = {
    # name -> schema, sound data, what breaks it, code of the fault
    "orders without a game": ("victory/orders", ORDERS, without("game"), "missing-key"),
    "a game that is too short": ("victory/orders", ORDERS, put("game", value="0123"), "bad-pattern"),
    "a stage in words": ("victory/orders", ORDERS, put("stage", value="three"), "wrong-type"),
    "a misspelt member": ("victory/orders", ORDERS, put("answer", value={}), "unknown-key"),
    "a misspelt decision": ("victory/orders", ORDERS, put("answers", "bit", value=1), "unknown-key"),
    "a bid in words": ("victory/orders", ORDERS, put("answers", "bid", value="two"), "wrong-type"),
    "an answer under a key that does not fit": (
        "victory/orders", ORDERS, put("answers", TURN, "choise", value="pass"), "unknown-key",
    ),
    "the second question of a kind": (
        "victory/orders", ORDERS, put("answers", "GT1/1.1/bid/2", value="two"), "wrong-type",
    ),
    "an unknown standing order": (
        "victory/orders", ORDERS, put("standing", 0, value={"pas_if": 1}), "unknown-key",
    ),
    "a standing order of two forms": (
        "victory/orders", ORDERS, put("standing", 0, "bid", value={"turn": "any", "value": 2}), "too-many",
    ),
    "an unknown decision": (
        "victory/orders", ORDERS, put("standing", 1, "decision", value="bit"), "not-one-of",
    ),
    "a standing answer that does not fit": (
        "victory/orders", ORDERS, put("standing", 1, "answer", value="two"), "wrong-type",
    ),
    "a bound that there is not": (
        "victory/orders", ORDERS, put("standing", 1, "when", "turn", value={"atleast": 2}), "unknown-key",
    ),
    "no standing order at all": ("orders", ORDERS, put("standing", 0, value={}), "too-few"),
    "answers in a list": ("orders", ORDERS, put("answers", value=[1]), "wrong-type"),
    "an answer to no name": ("orders", ORDERS, put("answers", "a b", value=1), "bad-key"),
    "general and own form together": ("standing", STANDING, put(1, "bid", value=1), "unknown-key"),
    "a general form without an answer": (
        "standing", STANDING, put(1, value={"decision": "bid"}), "missing-key",
    ),
    "a fraction": ("standing", STANDING, put(1, "when", "turn", value=1.5), "wrong-type"),
    "dice that there are not": ("game", GAME, put("dice", value="fair"), "not-one-of"),
    "a key that is none": ("game", GAME, put("parties", 0, "key", value="MD5:00"), "bad-pattern"),
    "a party without a mail": (
        "game", GAME, lambda game: {**game, "parties": [without("mail")(GAME["parties"][0])]}, "missing-key",
    ),
    "a game without a title": ("game", GAME, without("title"), "missing-key"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_is_refused_by_the_one_fault_it_has(case: str) -> None:
    name, sound, change, code = BROKEN[case]
    assert check(sound, find(name)) == []
    assert [fault.code for fault in check(change(sound), find(name))] == [code]


def test_notes_of_ones_own_may_stand_in_game_yaml() -> None:
    assert check({**GAME, "x-where": "the club"}, find("game")) == []
