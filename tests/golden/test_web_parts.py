"""What parts of the table's pages come to: the command of each button, the fields of each kind of form, the
fragments about rules and charts, and the lists of games to begin.

If a difference is meant, run `pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli.shell.language import speaking
from pbem.cli.shell.tables import table_names
from pbem.cli.web import catalogue, forms
from pbem.cli.web.actions import ACTIONS, Form
from pbem.cli.web.data.rule import chart, chart_of, rule
from pbem.engine import system as systems
from pbem.engine.system import find, installed
from pbem.text.diagnostics import Refused
from tests.golden.digests import digest

SYSTEMS = sorted(installed())
SPARED = 3
"""Of so many rules one is looked up."""
ODDS = ("1:2", "3:1", "2-1", "1-2 (fort)", "40%", "132%", "165%", "500%", "")


def actions() -> Iterator[str]:
    """Yield the command of each button, of a form with everything in it and of an empty one."""
    filled = Form(lambda field: f"<{field}>", lambda field: [f" <{field}>\n", f"\n<{field} too>\n<third>"])
    empty = Form(lambda field: "", lambda field: [])
    for name, action in ACTIONS.items():
        yield f"{name}{' (shown first)' if action.looks else ''}: {action.words(filled)}"
        yield f"    {action.words(empty)}"
    deputy = Form(lambda field: "", lambda field: ["ready", "--help", "return"])
    yield f"deputy: {ACTIONS['deputy'].words(deputy)}"


NAME = {"type": "string", "pattern": "^[a-z]+$"}
SCHEMAS: dict[str, tuple[dict[str, Any], list[Any], list[dict[str, str]]]] = {
    "yes or no": (
        {"type": ["boolean", "null"]},
        [True, False, "yes"],
        [{"f": "yes"}, {"f": "no"}, {"f": "x"}],
    ),
    "choice": (
        {"enum": ["a", 2, None, "c d"]},
        ["a", 2, None],
        [{"f": "a"}, {"f": "2"}, {"f": "c d"}, {"f": "z"}],
    ),
    "number": (
        {"type": "integer", "minimum": 0, "maximum": 9, "description": "how many"},
        [0, 7, "x"],
        [{"f": " 7 "}, {"f": "-12"}, {"f": "123456789"}, {"f": "1234567890"}, {"f": "1.5"}, {"f": "x1"}],
    ),
    "text": ({"type": "string"}, ["", "a b", 5, ["x"]], [{"f": " a b "}, {"f": "5"}, {"f": "  "}]),
    "names": (
        {"type": "array", "items": NAME},
        [["a", "b"], "a"],
        [{"f": "a b,c"}, {"f": " a "}, {"f": ","}],
    ),
    "sentences": (
        {"type": "array", "items": {"type": "string"}},
        [["a b", "c"]],
        [{"f": "a b , c d,"}, {"f": "a"}],
    ),
    "numbers": ({"type": "array", "items": {"type": "integer"}}, [[1, 2], []], [{"f": "1 2,x"}, {"f": "-1"}]),
    "one or several": (
        {"type": ["array", "string"], "pattern": "^all$", "items": NAME},
        ["all", ["a"]],
        [{"f": "all"}, {"f": "a"}, {"f": "all a"}],
    ),
    "one or more without a pattern": ({"type": ["array", "string"]}, ["x"], [{"f": "a"}, {"f": "a, b"}]),
    "anything": (
        {"type": ["array", "integer"]},
        [[[1]], {"a": 1}],
        [{"f": "[1, a]"}, {"f": "{a: ["}, {"f": ""}],
    ),
    "lists": ({"type": "array", "items": {"type": "array"}}, [[[1]]], [{"f": "[[1]]"}]),
    "group": (
        {
            "type": "object",
            "required": ["how_many"],
            "description": "a group",
            "properties": {"how_many": {"type": "integer"}, "who": NAME, "again": {"type": ["boolean"]}},
        },
        [{"how_many": 3}, {"who": "a", "again": False}, ["x"], "x"],
        [
            {"f.how_many": "3", "f.who": ""},
            {"f.again": "no", "f.who": "b"},
            {"f": "[1]"},
            {"f": "a", "f.who": "b"},
        ],
    ),
    "rows": (
        {
            "type": "array",
            "items": {"type": "object", "properties": {"at": NAME, "n": {"type": "integer"}}},
        },
        [[{"at": "a"}, {"n": 2}], "x", []],
        [
            {"f.0.at": "a", "f.1.at": "", "f.2.n": "3"},
            {"f.10.n": "1", "f.2.at": "b", "g.1.at": "x", "fx0.at": "y"},
            {"f.1000.n": "1"},
            {},
        ],
    ),
    "pairs": (
        {"type": "object", "additionalProperties": {"type": "integer"}},
        [{"a": 1, "b": 2}, ["x"]],
        [
            {"f.0.key": " a ", "f.0.value": "1", "f.1.key": "b", "f.1.value": ""},
            {"f.0.value": "1", "f.3.key": "c", "f.3.value": "4"},
            {},
        ],
    ),
    "rows of anything": (
        {"type": "array", "items": {"type": ["object", "string"], "properties": {"a": {}}}},
        [],
        [],
    ),
    "more properties": ({"type": "object", "additionalProperties": True}, [{"a": 1}], [{"f": "{a: 1}"}]),
}


def fields() -> Iterator[str]:
    """Yield the fields of each kind of schema, with values in them, and what filled ones come to."""

    def told(field: forms.Field, inside: str = "    ") -> Iterator[str]:
        says = [field.help, field.value, field.choices, field.bounds]
        yield f"{inside}{field.kind} {field.name} {field.label!r} {says}"
        for part in field.parts:
            yield from told(part, inside + "    ")

    for name, (schema, values, sent) in SCHEMAS.items():
        for value in (forms.EMPTY, *values):
            yield f"{name}: {'empty' if value is forms.EMPTY else value}"
            yield from told(forms.fields(schema, "f", "a label", value))
        for filled in (*sent, {"g": "x"}):
            value = forms.value_of(schema, "f", filled)
            yield f"{name} < {filled}: {'empty' if value is forms.EMPTY else repr(value)}"


def _shown(make: Callable[[], dict[str, str]]) -> str:
    try:
        made = make()
    except Refused as refused:
        return refused.diagnostics[0].code
    text = re.sub(r"<[^>]+>", " ", made["html"])
    return f"{made['title']} {digest(made['html'])} {' '.join(text.split())[:90]}"


def rules() -> Iterator[str]:
    """Yield what is said of each rule that something of a system names, and of odd numbers."""
    for name in SYSTEMS:
        folder: Any = SimpleNamespace(system=find(name))
        named = {one.rule for one in folder.system.registry.decisions.values()}
        named |= {part.rule for part in folder.system.outline.walk() if part.rule}
        numbers = {found[0] for one in named for found in re.finditer(r"[A-Z]?-?\d+(\.\d+)*", one)}
        numbers |= {one.rpartition(".")[0] for one in numbers}
        for number in (*sorted(numbers)[::SPARED], "0", "4x7", "4."):
            yield f"{name} {number}: {_shown(partial(rule, folder, number))}"


def charts() -> Iterator[str]:
    """Yield each table of each system, with a row and a column marked, and which of them odds are in."""
    for name in SYSTEMS:
        folder: Any = SimpleNamespace(system=find(name))
        for table in table_names(folder.system):
            whole = chart(folder, table, "", "")["html"]
            heads = re.findall(r"<th>([^<]+)</th>", whole)
            for row in (heads[-1:] or [""])[0], "":
                column = heads[0] if heads else ""
                marked = chart(folder, table, row, column)["html"].count('class="here"')
                said = _shown(partial(chart, folder, table, row, column))
                yield f"{name} {table} {row!r} {column!r}: {marked} marked, {said}"
        for odds in ODDS:
            yield f"{name} at {odds!r}: {chart_of(folder.system, odds)}"


@pytest.mark.parametrize(
    ("part", "lang"), [(actions, "en"), (fields, "en"), (charts, "en"), (rules, "en"), (rules, "de")]
)
def test_parts_of_pages_come_to_what_they_did(
    part: Callable[[], Iterator[str]], lang: str, golden: Callable[[str, str], None]
) -> None:
    with speaking(lang):
        golden(f"web-{part.__name__}-{lang}.txt", "".join(f"{line}\n" for line in part()))


def offered() -> list[Any]:
    """Everything that the page of games says of what may be begun."""
    listed = {title: [astuple(row) for row in rows] for title, rows in catalogue.listed().items()}
    return [catalogue.seats(), catalogue.titles(), catalogue.firsts(), listed]


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Nothing is kept of what may be begun, before and after."""
    kept = [one for one in vars(catalogue).values() if hasattr(one, "cache_clear")]
    for one in kept:
        one.cache_clear()
    yield
    for one in kept:
        one.cache_clear()


def test_a_site_offers_the_same_games_and_reads_no_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None
) -> None:
    langs = ("en", "de")
    with_rules = {}
    for lang in langs:
        with speaking(lang):
            with_rules[lang] = offered()
    assert with_rules["en"] != with_rules["de"]
    monkeypatch.setattr(catalogue, "KEPT", tmp_path / "kept.json")
    catalogue.KEPT.write_bytes(catalogue.for_a_site())
    for one in (catalogue._catalogue_of_the_site, catalogue.seats, catalogue.firsts):
        one.cache_clear()

    def no_rules(name: str) -> None:
        raise AssertionError(f"the rules of {name} are read")

    monkeypatch.setattr(systems, "find", no_rules)
    for lang in langs:
        with speaking(lang):
            assert json.dumps(offered()) == json.dumps(with_rules[lang])


def test_what_may_be_begun_is_what_it_was(golden: Callable[[str, str], None]) -> None:
    """Each scenario with its seats and options, and whether two may play it alone."""
    lines = []
    for lang in ("en", "de"):
        with speaking(lang):
            for title, rows in catalogue.listed().items():
                if rows[0].system not in SYSTEMS:
                    continue  # a toy of other tests
                lines.append(
                    f"{title}: {catalogue.firsts()[rows[0].system]} {catalogue.seats()[rows[0].system]}"
                )
                for row in rows:
                    found = catalogue.scenario(row.system, row.name)
                    options = digest(json.dumps(found.options, sort_keys=True, default=str))
                    alone = ", two alone" if found.alone else ""
                    lines.append(f"    {row.name}: {found.title}, {row.seats}{alone}, {options}")
    golden("web-catalogue.txt", "".join(f"{line}\n" for line in lines))
    for system, scenario in (("none", "x"), ("victory", "x")):
        with pytest.raises(Refused) as refused:
            catalogue.scenario(system, scenario)
        assert refused.value.diagnostics[0].code == "no-scenario"
