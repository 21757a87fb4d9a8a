"""Answers sent ahead, as players meet them: order file, status, report, withdrawing; the same for all who
verify."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.ordering import order_file
from pbem.archive.ordering.answers_ahead import with_ids
from pbem.archive.ordering.order_form import template
from pbem.archive.ordering.signing import sign_orders
from pbem.archive.verifying.verify import verify
from pbem.cli.games.reporting.ahead import unused
from pbem.cli.games.standing import stand
from pbem.cli.games.telling import report_of, report_view
from pbem.engine.system import System, find
from pbem.report.text import render
from tests.nightly import IN_CI
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser

MOVES: list[dict[str, Any]] = [
    {"decision": "next-move", "answer": {"unit": "n1", "to": "0102"}},
    {"decision": "next-move", "answer": {}},
]


def table_of(root: Path, system: System, **terms: Any) -> Table:
    return begun(root, system, **terms)


def checked(seat: Seat, **parts: Any) -> order_file.Checked:
    """An order file of the seat with these parts, checked."""
    head = {"game": seat.folder.need_roster().game[:12], "stage": seat.folder.progress.open_stage}
    text = json.dumps(head | parts)
    return order_file.check(seat.folder, order_file.load(seat.folder, text, "orders.yaml"))


def send(seat: Seat, **parts: Any) -> order_file.Checked:
    """The same, signed."""
    made = checked(seat, **parts)
    assert made.ok, made.diagnostics
    sign_orders(seat.folder, made, seat.signer)
    return made


def waiting(seat: Seat) -> list[str]:
    """What `pbem status` lists, by name."""
    return [line.partition(":")[0] for line in stand(seat.folder).ahead]


def text_for(seat: Seat) -> str:
    """The newest report of the seat, as one line."""
    folder = seat.folder
    return " ".join(render(report_of(folder, folder.need_me(), folder.view())).split())


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["open", "fog"])
def test_answers_wait_until_their_question_comes(tmp_path: Path, system: System) -> None:
    table = table_of(tmp_path, system)
    north, south = table.players["north"], table.players["south"]
    made = send(north, answers={"card": "calm"}, ahead=MOVES)
    reading = "sealed" if system.hidden else "everyone can read it"
    assert f"(advance order next-move-1, {reading})" in " ".join(made.understood)
    assert waiting(north) == ["next-move-1", "next-move-1-2"]
    assert all(line.endswith("(signed in this stage)") for line in stand(north.folder).ahead)
    send(south, answers={})
    table.post()
    table.run()
    assert waiting(north) == ["next-move-1", "next-move-1-2"]
    assert waiting(south) == []
    assert "next-move-1" in template(north.folder)
    send(north, answers={"bid": 1})
    send(south, answers={"bid": 0})
    table.post()
    assert table.run().asked == {"south": ["T1/south/movement/next-move"]}, (
        "north's whole turn without a mail"
    )
    assert waiting(north) == []
    assert "of your advance orders were used" in text_for(north)
    assert "next-move-1" not in text_for(north), "names are in his own list"
    assert "advance orders" not in text_for(south)
    table.play_on(chooser(3), 2)
    unseal(table.gm.folder, table.gm.signer, early=not table.progress.over)
    assert verify(table.gm.root).ok, "every stage comes to the same record when it is adjudicated again"


def test_a_plain_answer_to_a_later_question_waits_like_any(tmp_path: Path) -> None:
    table = table_of(tmp_path, FOG)
    north, south = table.players["north"], table.players["south"]
    made = send(north, answers={"card": "calm", "next-move": {"unit": "n1", "to": "0102"}})
    wanted = "(advance order next-move-1 for the next question of this kind, sealed)"
    assert wanted in " ".join(made.understood)
    send(south, answers={})
    table.post()
    table.run()
    assert waiting(north) == ["next-move-1"]


def test_an_answer_that_is_illegal_by_then_is_told_with_the_reason(tmp_path: Path) -> None:
    table = table_of(tmp_path, FOG)
    north, south = table.players["north"], table.players["south"]
    far = {"decision": "next-move", "once": "far", "answer": {"unit": "n1", "to": "0204"}}
    send(north, answers={"card": "calm", "bid": 3}, ahead=[far])
    send(south, answers={"bid": 0})
    table.post()
    assert table.run().asked == {"north": ["T1/north/movement/next-move"]}
    text = text_for(north)
    assert "your advance order far was illegal for next-move: " in text and "is not allowed here" in text
    assert "far" not in text_for(south)
    assert waiting(north) == ["far"], "it stays until it is withdrawn"
    send(north, answers={"next-move": {}}, withdraw=["far"])
    table.post()
    table.run()
    assert waiting(north) == []


def test_an_answer_is_withdrawn_without_being_asked(tmp_path: Path) -> None:
    table = table_of(tmp_path, FOG)
    north, south = table.players["north"], table.players["south"]
    send(north, answers={"card": "calm"}, ahead=MOVES)
    send(south, answers={})
    table.post()
    made = send(north, withdraw="all")
    assert made.only_standing and made.standing == []
    table.post()
    table.run()
    assert waiting(north) == []


def test_what_waits_stays_when_lasting_orders_are_replaced(tmp_path: Path) -> None:
    table = table_of(tmp_path, SYSTEM)
    north = table.players["north"]
    lasting = [{"reaction": {"retreat_at_most": 1}}]
    made = checked(north, answers={"card": "calm"}, standing=lasting, ahead=MOVES[:1])
    assert made.standing == [*lasting, {**MOVES[0], "once": "next-move-1"}]
    send(north, answers={"card": "calm"}, standing=lasting, ahead=MOVES[:1])
    send(table.players["south"], answers={})
    table.post()
    table.run()
    again = checked(north, answers={"bid": 1}, standing=[{"reaction": {"retreat_at_most": 2}}])
    assert again.standing == [{"reaction": {"retreat_at_most": 2}}, {**MOVES[0], "once": "next-move-1"}]
    replacing = [{**MOVES[1], "once": "next-move-1"}]
    assert checked(north, answers={"bid": 1}, standing=replacing).standing == replacing, "of the same name"
    assert checked(north, answers={"bid": 1}).standing is None, "nothing is filed anew that has not changed"


def test_a_secret_cannot_wait_where_everybody_reads_the_list(tmp_path: Path) -> None:
    table = table_of(tmp_path, SYSTEM)
    south = table.players["south"]
    made = checked(south, answers={}, ahead=[{"decision": "card", "answer": "calm"}])
    (fault,) = made.diagnostics
    assert (fault.code, fault.path) == ("not-ahead", ("ahead", 0, "decision"))


def test_a_secret_sent_ahead_for_one_stage_is_told_when_nobody_asked_for_it(tmp_path: Path) -> None:
    """Where it is committed to, it is good for its stage and never opened; a card that is kept is not
    lost."""
    north = table_of(tmp_path, SYSTEM).players["north"].folder
    seen = report_view(north.view())
    said = unused(north.view(), "north", {"north": ["T1/cards/card", "bid", "card"]}, seen.wording)
    assert said == ["your secret advance order for bid is void: nobody asked for it in this stage"]


@pytest.mark.parametrize(
    "parts, code, path",
    [
        ({"ahead": [{"decision": "bid"}]}, "missing-key", ("ahead", 0)),
        ({"ahead": {"decision": "bid"}}, "wrong-type", ("ahead",)),
        ({"ahead": [{"decision": "bid", "answer": 1, "when": {"trun": 1}}]}, "unknown-key", None),
        ({"withdraw": ["bid-1"]}, "unknown-name", ("withdraw", 0)),
        ({"ahead": [{"decision": "bid", "answer": 1, "until": "Q"}]}, "unknown-key", ("ahead", 0, "until")),
    ],
)
def test_faults_are_named_with_their_place(tmp_path: Path, parts: Any, code: str, path: Any) -> None:
    table = table_of(tmp_path, SYSTEM)
    try:
        found = checked(table.players["south"], answers={}, **parts).diagnostics
    except Exception as fault:  # a fault of the file's shape is found while it is loaded
        found = fault.diagnostics  # type: ignore[attr-defined]
    assert code in [one.code for one in found]
    assert path is None or path in [one.path for one in found]


def test_the_order_file_offers_the_next_questions_of_the_player_turn(tmp_path: Path) -> None:
    table = table_of(tmp_path, FOG)
    north, south = table.players["north"], table.players["south"]
    send(north, answers={"card": "calm"})
    send(south, answers={})
    table.post()
    table.run()
    send(north, answers={"bid": 1})
    send(south, answers={"bid": 0})
    table.post()
    table.run()
    lines = template(north.folder).splitlines()
    assert '#   - {decision: next-move, answer: {unit: n1, to: "0102"}}   # n1 to 0102' in lines
    assert "#   bid, card, next-move, reaction, resting" in lines, "and `orders facts` says what of each"


@pytest.mark.parametrize(
    ("system", "dice"), [pytest.param(SYSTEM, "locked", marks=IN_CI), (FOG, "locked"), (SYSTEM, "pair")]
)
def test_all_who_hold_the_statements_come_to_the_same_record(
    tmp_path: Path, system: System, dice: str
) -> None:
    """With locks, and between two without a GM; filed on its own, before anything was asked."""
    table = table_of(tmp_path, system, dice=dice)
    north = table.players["north"]
    table.play_stage(chooser(1))
    made = send(north, ahead=MOVES)
    assert made.only_standing and made.understood[-1] == "they take effect with the next stage"
    assert not [receipt for receipt in table.post() if not receipt.good]
    used: list[str] = []
    while not table.progress.over:
        table.play_stage(chooser(2))
        used += re.findall(r"(\w+) of your advance orders (?:was|were) used", text_for(north))
    assert used in (["2"], ["One", "One"])
    for seat in table.everybody:
        verified = verify(seat.root)
        assert verified.ok, verified.first_bad


def test_an_answer_to_a_question_that_one_sent_ahead_was_refused_for_is_reminded_of_it(
    tmp_path: Path,
) -> None:
    table = table_of(tmp_path, FOG)
    north, south = table.players["north"], table.players["south"]
    far = {"decision": "next-move", "once": "far", "answer": {"unit": "n1", "to": "0204"}}
    send(north, answers={"card": "calm", "bid": 3}, ahead=[far])
    send(south, answers={"bid": 0})
    table.post()
    table.run()
    (warning,) = checked(north, answers={"next-move": {}}).diagnostics
    assert (warning.code, warning.severity) == ("ahead-stays", "warning")
    assert not checked(north, answers={"next-move": {}}, withdraw=["far"]).diagnostics


def test_what_is_filed_twice_in_a_stage_says_which_holds_afterwards(tmp_path: Path) -> None:
    table = table_of(tmp_path, FOG)
    north = table.players["north"]
    send(north, ahead=MOVES[:1])
    (warning,) = checked(north, answers={"card": "calm"}, ahead=MOVES[1:]).diagnostics
    assert (warning.code, warning.severity) == ("standing-twice", "warning")


def test_a_fact_that_is_not_there_now_is_a_warning_for_it_may_come(tmp_path: Path) -> None:
    table = table_of(tmp_path, FOG)
    north = table.players["north"]
    entry = {"decision": "next-move", "answer": {}}
    sure = {**entry, "when": {"unit/n1/hex": "0101"}}
    (warning,) = checked(
        north, answers={"card": "calm"}, ahead=[sure, {**entry, "when": {"unit/n3/hex": "0101"}}]
    ).diagnostics
    assert (warning.code, warning.severity) == ("no-fact-now", "warning")
    assert warning.path == ("ahead", 1, "when", "unit/n3/hex")


def test_what_is_signed_on_its_own_goes_on_from_the_newest_order_of_the_stage(tmp_path: Path) -> None:
    table = table_of(tmp_path, FOG)
    north = table.players["north"]
    for name in ("first", "second"):
        send(north, answers={"card": "calm"}, ahead=[{**MOVES[0], "once": name}])
    made = checked(north, ahead=[{**MOVES[1], "once": "third"}])
    assert [entry["once"] for entry in made.standing or ()] == ["second", "third"]  # type: ignore[index,call-overload]
    send(north, ahead=[{**MOVES[1], "once": "third"}])
    assert checked(north, withdraw=["second"]).standing == [{**MOVES[1], "once": "third"}]
    send(north, withdraw=["second"])
    send(north, withdraw=["third"])
    table.post()
    send(table.players["south"], answers={})
    table.post()
    table.run()
    assert waiting(north) == [], "the second withdrawal goes on from the first"


def test_a_part_of_the_turn_may_be_named_by_its_words() -> None:
    outline, place = find("wbts"), "Week 3, Second player turn, north, Movement phase, Command segment, 1"
    for until, id_ in (
        ("Movement phase", "C.1"),
        ("movement phase", "C.1"),
        ("Week", "GT"),
        ("Second player turn", "C"),
        ("First player turn", "B"),
        ("B.1", "B.1"),
        ("Lunch", "Lunch"),
    ):
        (entry,) = with_ids(outline, [{"decision": "command", "until": until, "answer": {}}], place)
        assert entry["until"] == id_
    before = "Week 3, Determination of the first player, First player"
    (entry,) = with_ids(outline, [{"decision": "command", "until": "Movement phase"}], before)
    assert entry["until"] == "Movement phase", "which of the two is not said: refused with the ids"
