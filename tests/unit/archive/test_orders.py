"""What a player writes: the template, the check with its faults, and what is signed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.ordering import order_file, signing
from pbem.archive.ordering.order_file import Checked
from pbem.archive.ordering.order_form import schema_text, template
from pbem.engine.system import System
from pbem.text.diagnostics import Diagnostic, Refused
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser, statements_in


def check(seat: Seat, text: str) -> Checked:
    folder = seat.folder
    return order_file.check(folder, order_file.load(folder, text, "orders.yaml"))


def codes(checked: Checked) -> list[str]:
    return [fault.code for fault in checked.diagnostics]


def head_of(seat: Seat) -> str:
    folder = seat.folder
    return f'game: "{folder.need_roster().game[:12]}"\nstage: {folder.progress.open_stage}\n'


@pytest.fixture
def moving(tmp_path: Path, system: System) -> Seat:
    """A player who is asked for a move, an open answer with hex numbers in it."""
    for stages in range(9):
        seat = begun(tmp_path / str(stages), system, by=range(stages)).asked()[0]
        if [question.kind for question in order_file.questions(seat.folder)] == ["next-move"]:
            return seat
    raise AssertionError("nobody is asked for a move")


def first_move(seat: Seat) -> dict[str, Any]:
    (question,) = order_file.questions(seat.folder)
    answers = [option.answer for option in order_file.options(seat.folder, question)]
    return next(answer for answer in answers if isinstance(answer, dict) and answer)


def test_the_template_says_everything_needed_and_wants_an_answer(moving: Seat) -> None:
    text = template(moving.folder)
    assert text.startswith("# yaml-language-server: $schema=private/orders.schema.json\n")
    assert "Move a unit, or end your movement (rule 4.1)" in text
    assert "end of movement" in text and "if you miss the deadline: {}" in text
    assert "reaction: {retreat_at_most: 0-9}" in text
    checked = check(moving, text)
    assert codes(checked) == ["no-answer"]
    assert checked.diagnostics[0].span is not None


def test_a_filled_in_template_is_understood_in_words(moving: Seat) -> None:
    (question,) = order_file.questions(moving.folder)
    move = first_move(moving)
    line = f"  {question.key}:"
    text = template(moving.folder).replace(line, f"{line} {json.dumps(move)}")
    checked = check(moving, text)
    assert checked.ok, checked.diagnostics
    assert checked.understood == [f"{question.key}: {move['unit']} to {move['to']}"]


def test_hex_numbers_need_no_quotes(moving: Seat) -> None:
    move = first_move(moving)
    text = f"{head_of(moving)}answers:\n  next-move:\n    unit: {move['unit']}\n    to: {move['to']}\n"
    checked = check(moving, text)
    assert checked.ok
    (answer,) = checked.answers.values()
    assert answer.value == move


def test_a_file_for_another_game_or_stage_is_one_fault(moving: Seat) -> None:
    good = head_of(moving)
    other = good.replace(good[7:11], "beef" if good[7:11] != "beef" else "dead")
    assert codes(check(moving, other + "answers: {nonsense: 1}\nextra: 2\n")) == ["other-game"]
    stage = check(moving, good.replace("stage: ", "stage: 9") + "answers: {nonsense: 1}\n")
    assert codes(stage) == ["other-stage"]
    assert stage.diagnostics[0].span is not None and stage.diagnostics[0].span.line == 2
    assert codes(check(moving, "answers: {}\n")) == ["missing-key"]
    assert codes(check(moving, "- 1\n")) == ["wrong-type"]


def test_all_faults_come_at_once_each_with_its_place(moving: Seat) -> None:
    text = (
        f"{head_of(moving)}answers:\n"
        "  next-mov: {}\n"
        "  card: rain\n"
        "standing:\n"
        "  - {decision: bid, answer: 9}\n"
        "  - {reaction: {retreat_at_mos: 1}}\n"
        "  - {decision: bid, when: {turn: [[1]]}, answer: 1}\n"
        "speed: 3\n"
    )
    checked = check(moving, text)
    found = {(fault.code, fault.span.line if fault.span else 0) for fault in checked.diagnostics}
    assert ("unknown-key", 4) in found
    assert ("not-one-of", 5) in found
    assert ("out-of-range", 7) in found
    assert ("unknown-key", 8) in found
    assert ("bad-test", 9) in found
    assert ("unknown-key", 10) in found
    assert any("did you mean 'next-move'" in help_ for fault in checked.diagnostics for help_ in fault.help)
    with pytest.raises(Refused):
        signing.sign_orders(moving.folder, checked, moving.signer)


def test_an_illegal_answer_names_the_rule(moving: Seat) -> None:
    checked = check(moving, f"{head_of(moving)}answers: {{next-move: {{unit: x9, to: '0101'}}}}\n")
    (fault,) = checked.diagnostics
    assert (fault.family, fault.rule) == ("illegal", "4.1")
    assert fault.span is not None and fault.span.line == 3


def test_the_schema_knows_the_questions(moving: Seat) -> None:
    (question,) = order_file.questions(moving.folder)
    schema = json.loads(schema_text(moving.folder))
    assert question.key in schema["properties"]["answers"]["properties"]


def test_a_decision_may_be_sent_ahead_and_is_used_when_it_comes(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    north, south = table.players["north"], table.players["south"]
    north.order({"card": "storm", "bid": 3})
    south.order({"bid": 1})
    table.post()
    result = table.run()
    assert result.asked == {"north": ["T1/north/movement/next-move"]}
    assert result.run is not None
    assert result.run.events[0]["bids"] == {"north": 3, "south": 1}  # type: ignore[index,call-overload]


def test_what_is_sent_ahead_says_who_can_read_it(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    south = table.players["south"]
    checked = check(south, f"{head_of(south)}answers: {{card: storm, bid: 1}}\n")
    assert [answer.secret for answer in checked.answers.values()] == [True]
    assert checked.standing == [{"decision": "bid", "once": "bid-1", "answer": 1}]
    assert "sealed" in checked.understood[0] and "everyone can read it" in checked.understood[1]


def test_rules_that_cannot_seal_a_standing_order_say_so(tmp_path: Path) -> None:
    north = begun(tmp_path, SYSTEM).players["north"]
    standing = "standing: [{reaction: {retreat_at_most: 7}, seal: true}]"
    checked = check(north, f"{head_of(north)}answers: {{card: storm}}\n{standing}\n")
    assert codes(checked) == ["not-sealed"]


def test_secrets_are_neither_in_the_mail_nor_in_the_statement(tmp_path: Path) -> None:
    table = begun(tmp_path, FOG)
    north = table.players["north"]
    mail = north.order({"card": "storm"}, standing=[{"reaction": {"retreat_at_most": 7}}])
    text = mail.read_text()
    (signed,) = statements_in(mail)
    assert "storm" not in text and "retreat_at_most" not in text
    assert b"storm" not in signed.data and b"retreat_at_most" not in signed.data
    assert "sealed" in text
    kept = json.loads((north.root / "private/openings/0001-order-1.json").read_text())
    assert kept["T1/cards/card"]["value"] == "storm" and "standing" in kept


def test_every_revision_has_fresh_nonces(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    north = table.players["north"]
    first, second = (statements_in(north.order({"card": "calm"}))[0] for _ in range(2))
    one, two = json.loads(first.data), json.loads(second.data)
    assert (one["rev"], two["rev"]) == (1, 2)
    assert one["body"]["commits"]["T1/cards/card"] != two["body"]["commits"]["T1/cards/card"]


def test_the_mail_is_ready_to_send_and_reads_back(tmp_path: Path) -> None:
    from pbem.mail.read import read

    table = begun(tmp_path, SYSTEM)
    north = table.players["north"]
    text = north.order({"card": "calm"})
    assert text.name == "stage-0001-north-orders-rev1.pbem.txt"
    eml = text.with_name("stage-0001-north-orders-rev1.eml").read_bytes()
    head = eml.split(b"\r\n\r\n")[0].decode()
    game = north.folder.need_roster().game
    assert f"Subject: Test at dawn 1: orders of north [pbem {game[:8]}]" in head
    assert "gm@example.org" in head and "south@example.org" in head
    assert read(eml).signed == tuple(statements_in(text))


def test_nobody_signs_what_he_is_not_asked(started: Table) -> None:
    while len(started.asked()) > 1:
        started.play_stage(chooser(1))
    idle = next(seat for seat in started.players.values() if seat not in started.asked())
    with pytest.raises(Refused) as error:
        template(idle.folder)
    assert error.value.diagnostics[0].code == "not-asked"
    with pytest.raises(Refused):
        idle.order({})


def test_standing_orders_alone_hold_from_the_next_stage(system: System, tmp_path: Path) -> None:
    table = begun(tmp_path, system)
    south = table.players["south"]
    text = f"{head_of(south)}standing:\n  - {{decision: bid, when: {{turn: {{at_least: 1}}}}, answer: 2}}\n"
    checked = check(south, text)
    assert checked.ok and checked.only_standing
    assert "they take effect with the next stage" in checked.understood
    signing.sign_orders(south.folder, checked, south.signer)
    table.post()
    result = table.play_stage(chooser(3))
    assert result.run is not None and result.run.record.standing
    assert result.run.state.standing.get("south")
    key = "standing/south"
    mine = south.folder.view().facts
    assert mine[key] == [{"decision": "bid", "when": {"turn": {"at_least": 1}}, "answer": 2}]
    theirs = table.players["north"].folder.view().facts
    assert (key in theirs) == (not system.hidden)


def test_an_empty_list_cancels_standing_orders(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    north = table.players["north"]
    assert codes(check(north, f"{head_of(north)}answers: {{card: calm}}\nstanding: []\n")) == [
        "empty-standing"
    ]
    assert check(north, f"{head_of(north)}standing: []\n").ok


def test_a_player_who_is_only_asked_whether_he_is_ready_signs_an_empty_order(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    south = table.players["south"]
    assert order_file.only_ready(south.folder)
    text = template(south.folder)
    assert "you are ready" in text
    checked = check(south, text)
    assert checked.ok
    written = signing.sign_orders(south.folder, checked, south.signer)
    (signed,) = statements_in(*[path for path in written if path.name.endswith(".pbem.txt")])
    assert json.loads(signed.data)["body"]["orders"] == []


def test_another_key_cannot_sign(started: Table) -> None:
    seat = started.asked()[0]
    with pytest.raises(Refused) as error:
        signing.sign_orders(seat.folder, Checked(), started.gm.signer)
    assert error.value.diagnostics[0].code == "other-key"


HOSTILE = {
    "truncated": b'game: "ab',
    "wrong encoding": "game: é".encode("utf-16"),
    "a million brackets": b"[" * 1_000_000,
    "an alias bomb": b"a: &a [x]\nb: [*a, *a]\n",
    "a duplicate key": b"game: a\ngame: b\n",
    "huge": b"a: " + b"x" * 300_000,
    "nothing": b"",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_and_change_nothing(moving: Seat, name: str) -> None:
    before = sorted(str(path) for path in moving.root.rglob("*"))
    try:
        folder = moving.folder
        checked = order_file.check(folder, order_file.load(folder, HOSTILE[name], "orders.yaml"))
        assert not checked.ok
    except Refused as refused:
        assert refused.diagnostics
    assert sorted(str(path) for path in moving.root.rglob("*")) == before


def items_of(written: list[Path]) -> list[dict[str, Any]]:
    """The open answers of the order that was written."""
    signed = next(path for path in written if path.parent.name != "outbox" and path.suffix == ".json")
    items: list[dict[str, Any]] = json.loads(signed.read_bytes())["body"]["orders"]
    return items


def test_an_order_file_may_ask_that_what_turns_out_illegal_is_skipped(moving: Seat) -> None:
    """Every open answer of the signed order carries the wish; without it no answer does."""
    (question,) = order_file.questions(moving.folder)
    body = f"answers: {{{question.key}: {json.dumps(first_move(moving))}}}\n"
    (plain,) = items_of(
        signing.sign_orders(moving.folder, check(moving, head_of(moving) + body), moving.signer)
    )
    assert "on_illegal" not in plain
    checked = check(moving, head_of(moving) + "on_illegal: skip\n" + body)
    (skipping,) = items_of(signing.sign_orders(moving.folder, checked, moving.signer))
    assert skipping == {**plain, "on_illegal": "skip"}


def test_on_illegal_is_ask_or_skip(moving: Seat) -> None:
    checked = check(moving, head_of(moving) + "on_illegal: perhaps\nanswers: {}\n")
    fault = next(fault for fault in checked.diagnostics if fault.code == "not-one-of")
    assert fault.span is not None and fault.span.line == 3 and not checked.ok


def test_a_warning_of_the_rules_is_shown_and_refuses_nothing(
    moving: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    (question,) = order_file.questions(moving.folder)
    asked = type(moving.folder.system.decision(question.kind, question.party, question.fields))
    doubt = Diagnostic("risky", "the road is long", severity="warning", path=("path",))
    monkeypatch.setattr(asked, "warnings", lambda self, game, answer: [doubt])
    checked = check(
        moving, head_of(moving) + f"answers: {{{question.kind}: {json.dumps(first_move(moving))}}}\n"
    )
    assert codes(checked) == ["risky"] and checked.ok
    assert checked.diagnostics[0].path[-2:] == (question.kind, "path")
