"""The turn report: what is in it, in which order, for whom; and that it is safe to print."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.model.events import Told
from pbem.model.facts import GM_ONLY, PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.data import as_json
from pbem.report.plain import width
from pbem.report.reader import Asked, Meta, View, concerned, story
from pbem.report.text import render as as_text
from pbem.text.schema import check, find

HEADINGS = [
    "In short",
    "Battles",
    "What happened",
    "Dice",
    "Position",
    "Order of battle",
    "Places",
    "Questions",
    "How this report was made",
]


def render(reader: str | None, told: Iterable[Told], view: View, meta: Meta) -> str:
    return as_text(compose(reader, told, view, meta))


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"event": kind, "rule": "4.1", "at": "Game turn 2, Movement", **fields}


def fight(attacker: str, hex: str, label: int) -> dict[str, Any]:
    roll = {"label": ["combat", hex, label], "dice": "2d6", "result": [2, 5]}
    return event(
        "fought",
        attacker=attacker,
        hex=hex,
        result="D1",
        roll=roll,
        hits=1,
        rating=2,
        table="crt",
        column="2:1",
        row="7",
        modifiers={"river": -1},
    )


def parts(text: str) -> dict[str, str]:
    """The report by heading."""
    lines = text.splitlines()
    heads = [
        n for n, line in enumerate(lines) if n + 1 < len(lines) and line and lines[n + 1] == "-" * len(line)
    ]
    return {lines[n]: "\n".join(lines[n + 2 : end]) for n, end in zip(heads, [*heads[1:], None], strict=True)}


def test_the_order_is_what_happened_to_me_then_everything_then_dice_position_and_questions(
    view: View, meta: Meta
) -> None:
    told = [Told(PUBLIC, fight("south", "0101", 1), 0)]
    asked = replace(
        meta, asked=[Asked("north", "bid", {"most": 5}, "3.1", True, "pbem bid VALUE")], waiting=["north"]
    )
    text = render("north", told, view, asked)
    assert list(parts(text)) == HEADINGS
    assert all(width(line) <= 74 for line in text.splitlines())


def test_a_die_is_told_with_what_it_was_for_table_column_row_and_modifiers(view: View, meta: Meta) -> None:
    dice = parts(render("north", [Told(PUBLIC, fight("south", "0101", 1), 0)], view, meta))["Dice"]
    for word in (
        "Fought: rolled 2 5",
        "table crt",
        "column 2:1",
        "row 7",
        "modifiers river -1",
        "1 success at 2 or less (average 0.7)",
    ):
        assert word in " ".join(dice.split())


def test_only_what_concerns_my_side_is_in_short(view: View, meta: Meta) -> None:
    told = [
        Told(PUBLIC, fight("south", "0301", 1), 0),
        Told(PUBLIC, event("won", result="the rain stops"), 1),
    ]
    assert "South attacked" not in parts(render("north", told, view, meta))["In short"]
    assert (
        "South attacked" in parts(render("north", told, view, replace(meta, friends=("south",))))["In short"]
    )
    assert "South attacked" in parts(render(None, told, view, meta))["In short"]
    assert "The rain stops" in parts(render("north", told, view, meta))["In short"]


def test_what_happens_where_i_stand_concerns_me_too(view: View, meta: Meta) -> None:
    here, there = Told(PUBLIC, fight("south", "0102", 1), 0), Told(PUBLIC, fight("south", "0301", 1), 0)
    assert "South attacked 0102" in parts(render("north", [here], view, meta))["In short"]
    both = parts(render("north", [here, there], view, meta))["In short"]
    assert "South attacked 0102" in both and "0301" not in both


def test_what_became_of_a_place_where_i_fought_concerns_me_too(view: View, meta: Meta) -> None:
    """The enemy stands there now: who was driven out reads it all the same."""
    mine, theirs = Told(PUBLIC, fight("north", "0301", 1), 0), Told(PUBLIC, fight("south", "0301", 2), 1)
    assert "South attacked 0301" in parts(render("north", [mine, theirs], view, meta))["In short"]


def test_who_was_in_nothing_reads_what_others_did(view: View, meta: Meta) -> None:
    there = Told(PUBLIC, fight("south", "0301", 1), 0)
    short = parts(render("north", [there], view, meta))["In short"]
    assert "South attacked 0301" in short and "nothing happened" not in short


def test_headlines_that_repeat_are_counted(view: View, meta: Meta) -> None:
    told = [Told(PUBLIC, fight("north", "0101", n), n) for n in range(3)]
    assert parts(render("north", told, view, meta))["In short"].strip() == "* North attacked 0101 (3 times)"


def test_private_events_stand_where_they_happened() -> None:
    told = [
        Told(PUBLIC, event("moved", owner="north", hex="0101"), 0),
        Told(PUBLIC, event("moved", owner="north", hex="0102"), 1),
        Told(("north",), event("moved", owner="north", hex="9999"), 1),
        Told(("south",), event("moved", owner="south", hex="8888"), 0),
        Told(GM_ONLY, event("moved", owner="gm", hex="7777"), 0),
    ]
    assert [t.event["hex"] for t in story(told, "north")] == ["0101", "9999", "0102"]
    assert [t.event["hex"] for t in story(told, None)] == ["0101", "0102"]
    assert len(story(told, "gm", umpire=True)) == 5


def test_what_others_are_told_leaves_no_trace(view: View, meta: Meta) -> None:
    public = [Told(PUBLIC, event("moved", owner="north", hex="0101"), 0)]
    secret = [Told(("south",), fight("south", "0202", 1), 0), Told(GM_ONLY, fight("south", "0202", 2), 1)]
    assert render("north", public, view, meta) == render("north", [*secret, *public], view, meta)
    assert render(None, public, view, meta) == render(None, [*public, *secret], view, meta)


def test_questions_say_what_who_and_how(view: View, meta: Meta) -> None:
    asked = replace(
        meta,
        asked=[Asked("north", "bid", {"most": 5}, "3.1", True, "pbem bid VALUE")],
        waiting=["north", "south"],
        names={"south": "Sue"},
        due="Sunday 18:00",
        refused=["7 is too much (E-BID-01)"],
    )
    words = parts(render("north", [], view, asked))["Questions"]
    assert "your answer was rejected: 7 is too much" in words
    assert "you: How much do you bid, up to 5? [3.1]" in words
    assert "answer with: pbem bid VALUE (secret" in words
    assert "Waiting for south (Sue)" in words
    assert "Deadline: Sunday 18:00" in words


def test_a_game_that_is_over_asks_nothing(view: View, meta: Meta) -> None:
    words = parts(render(None, [], view, replace(meta, finished=True)))["Questions"]
    assert words.strip() == "none: the game is over"


def test_the_end_says_how_it_was_made(view: View, meta: Meta) -> None:
    made = parts(render(None, [], view, replace(meta, digests={"head": "cd" * 32})))[
        "How this report was made"
    ]
    assert "pbem report 4" in made and "cd" * 32 in made


def test_the_same_input_gives_the_same_bytes(view: View, meta: Meta) -> None:
    told = [Told(PUBLIC, fight("south", "0101", 1), 0)]
    assert render("north", told, view, meta) == render("north", list(told), view, replace(meta))


@settings(max_examples=40, deadline=None)
@given(title=st.text(), name=st.text(), field=st.text(), place=st.text())
def test_hostile_text_from_anybody_cannot_act_on_a_terminal(
    title: str, name: str, field: str, place: str
) -> None:
    view = View(position_with(field), ("north", "south"))
    meta = Meta(
        title, "ab" * 32, "x", 1, place, names={"north": name}, due=field, refused=[field], command=field
    )
    told = [Told(PUBLIC, {"event": field, "rule": field, "at": place, "who": field, "all": [field]}, 0)]
    text = render("north", told, view, meta)
    for line in text.split("\n"):
        assert all(char.isprintable() or char == "\u00a0" for char in line), ascii(line)
        assert width(line) <= 74


def position_with(name: str) -> Any:
    from pbem.board.position import Position

    return Position({name or "x": {"owner": name, "hex": name, "type": name}})


def test_an_event_names_the_players_that_its_fields_declare(view: View) -> None:
    assert concerned({"event": "north", "rule": "north", "at": "north player turn"}, view) == set()
    assert concerned({"event": "fell-back", "block": "north AR a"}, view) == {"north"}
    assert concerned({"event": "won", "result": "north"}, view) == set(), "a text names nobody"
    assert concerned({"event": "moved", "owner": "northern", "hex": "0101"}, view) == set()


def test_as_data_it_says_the_same(view: View, meta: Meta) -> None:
    told = [Told(PUBLIC, fight("south", "0101", 1), 0)]
    asked = replace(meta, asked=[Asked("north", "bid", {"most": 5})], waiting=["north"])
    data = as_json(compose("north", told, view, asked))
    assert json.loads(json.dumps(data)) == data
    assert check(data, find("report")) == []
    assert data["events"][0]["text"] == "South attacked 0101: D1"
    assert data["dice"][0]["hits"] == 1
    assert data["asked"][0]["text"] == "How much do you bid, up to 5?"
    assert data["position"]["counters"]["n1"]["hex"] == "0101"
