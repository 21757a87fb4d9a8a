"""6.1, 7.2, R-305: nobody reads a plan sent ahead, or an order that is sealed, before its question comes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.ordering import order_file, signing
from pbem.systems.ocs import SYSTEM
from tests.unit.archive.table import Seat, Table

PLANS = {
    "aster": {"actions": [{"attack": {"hex": "08.03", "units": ["A-22"]}}], "on_illegal": "skip"},
    "bren": {"actions": [{"attack": {"hex": "07.04", "units": ["B-103"]}}], "on_illegal": "skip"},
}
HOLD = {"defence": {"default": {"supply": "withhold", "option": "hold"}}}


def write(seat: Seat, **parts: Any) -> str:
    folder = seat.folder
    head = {"game": folder.need_roster().game[:12], "stage": folder.progress.open_stage}
    return json.dumps(head | parts, indent=1)


def checked(seat: Seat, **parts: Any) -> order_file.Checked:
    folder = seat.folder
    return order_file.check(folder, order_file.load(folder, write(seat, **parts), "orders.yaml"))


def send(seat: Seat, **parts: Any) -> str:
    """Sign an order file; gives the text of the mail."""
    found = checked(seat, **parts)
    assert found.ok, found.diagnostics
    (mail,) = [
        p for p in signing.sign_orders(seat.folder, found, seat.signer) if p.name.endswith(".pbem.txt")
    ]
    return mail.read_text("utf-8")


@pytest.fixture
def moving(tmp_path: Path) -> tuple[Table, Seat, Seat]:
    """An open game: who is first is asked for his Movement Segment, the other for nothing."""
    table = Table(tmp_path, SYSTEM, "crossing_the_tol", ["aster", "bren"], chain_length=64)
    table.start()
    for _ in range(6):
        asked = [(one.party, one.kind, one.fields) for one in table.gm.folder.view().questions]
        if asked and asked[0][1] == "actions":
            break
        table.play_stage(lambda seat, question: "first" if question.kind == "first-player" else [])
    (who,) = table.progress.asked
    (other,) = [name for name in table.players if name != who]
    return table, table.players[who], table.players[other]


def told(table: Table) -> list[dict[str, Any]]:
    return [dict(one) for n in range(1, table.progress.stage + 1) for one in table.gm.folder.events(n)]  # type: ignore[arg-type]


def key_of(seat: Seat) -> str:
    return next(iter(order_file.questions(seat.folder))).key


def go_on(table: Table) -> list[dict[str, Any]]:
    """Everybody who is asked passes, until the phasing side's Combat Phase is over."""
    for _ in range(8):
        phase = [one for one in told(table) if one["event"] == "order-opened"]
        if phase or table.progress.over:
            break
        table.play_stage(lambda seat, question: 0 if question.kind == "defender-option" else {})
    return told(table)


def plan(seat: Seat, **more: Any) -> list[dict[str, Any]]:
    return [{"decision": "actions", "when": {"segment": "combat"}, "answer": PLANS[seat.name], **more}]


def test_a_plan_sent_ahead_is_read_by_nobody_until_its_segment(moving: tuple[Table, Seat, Seat]) -> None:
    table, first, _ = moving
    ahead, answers = plan(first), {key_of(first): {}}
    found = checked(first, answers=answers, ahead=ahead)
    assert any("sealed until its question is asked" in line for line in found.understood)
    assert "attack" not in send(first, answers=answers, ahead=ahead)
    table.post()
    table.run()
    before = told(table)
    sealed = [one for one in before if one["event"] == "order-sealed"]
    assert [(one["what"], one["segment"]) for one in sealed] == [("actions", "combat")]
    after = go_on(table)
    opened = next(n for n, one in enumerate(after) if one["event"] == "order-opened")
    assert after[opened]["text"].startswith("{answer: {actions: [{attack: {hex: ")
    assert not any(one["event"] == "combat-declared" for one in after[:opened])
    assert any(one["event"] == "combat-declared" for one in after[opened:])
    asked = [one for one in after if one["event"] == "combat-declared"]
    assert asked[0]["attacker"] == first.name


def test_a_plan_with_seal_false_is_for_everybody_to_read(moving: tuple[Table, Seat, Seat]) -> None:
    _, first, _ = moving
    mail = send(first, answers={key_of(first): {}}, ahead=plan(first, seal=False))
    assert "attack" in mail


def test_a_plan_under_answers_is_sealed_too(moving: tuple[Table, Seat, Seat]) -> None:
    _, first, _ = moving
    found = checked(first, answers={key_of(first): {}, "actions/combat": PLANS[first.name]})
    assert "sealed-order/actions/combat" in found.answers
    assert found.answers["sealed-order/actions/combat"].secret and found.standing is None


def test_a_sealed_standing_order_answers_when_its_question_comes(moving: tuple[Table, Seat, Seat]) -> None:
    """R-4: it is opened then, told, and holds from then on everyone can read it."""
    table, _, second = moving
    table.play_stage(lambda seat, question: {})
    for _ in range(8):
        if second.name in table.progress.asked and "actions" in key_of(second):
            break
        table.play_stage(lambda seat, question: {})
    hold = {"defence": {"default": {"supply": "withhold"}}, "seal": True}
    found = checked(second, answers={key_of(second): {}}, standing=[hold])
    assert "sealed-order/defence" in found.answers and found.standing is None
    assert "withhold" not in send(second, answers={key_of(second): {}}, standing=[hold])
    table.post()
    table.run()
    sealed = [one for one in told(table) if one["event"] == "order-sealed"]
    assert [(one["player"], one["what"]) for one in sealed] == [(second.name, "defence")]


def test_what_is_sealed_cannot_be_filed_alone(moving: tuple[Table, Seat, Seat]) -> None:
    _, _, second = moving
    found = checked(second, standing=[HOLD | {"seal": True}])
    assert [one.code for one in found.diagnostics] == ["sealed-alone"]
    assert found.diagnostics[0].span is not None and "seal: false" in found.diagnostics[0].help[0]


def test_two_plans_for_one_segment_are_sealed_together(moving: tuple[Table, Seat, Seat]) -> None:
    """Nobody reads from the commitments how many plans there are."""
    table, first, _ = moving
    ahead = [*plan(first, when={"segment": "combat", "turn": 99}), *plan(first)]
    found = checked(first, answers={key_of(first): {}}, ahead=ahead)
    assert [name for name in found.answers if "sealed" in name] == ["sealed-order/actions/combat"]
    send(first, answers={key_of(first): {}}, ahead=ahead)
    table.post()
    table.run()
    after = go_on(table)
    (opened,) = [one for one in after if one["event"] == "order-opened"]
    assert opened["text"].count("attack") == 2 and "turn: 99" in opened["text"]
    assert any(one["event"] == "combat-declared" for one in after), "the plan that fits is carried out"


def test_the_form_says_that_plans_are_sealed(moving: tuple[Table, Seat, Seat]) -> None:
    from pbem.archive.ordering import order_form

    _, first, _ = moving
    text = order_form.template(first.folder)
    assert "`seal: false`" in text and "`seal: true`" in text
