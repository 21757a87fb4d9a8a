"""Two players without a GM: what either may try, found by the other's tool or by `verify` (10, 13)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import between_two as between
from pbem.archive.adjudicating import comparing, link_due
from pbem.mail.read import read_path
from pbem.stages.two_players import turn_of
from pbem.text.diagnostics import Refused
from pbem.trust import statements
from pbem.trust.armour import Signed
from tests.adversary.forge import parsed, sid_of
from tests.adversary.modes import Modes, changed, copy_of, of_type
from tests.primer import SYSTEM
from tests.unit.archive.table import Table, begun, chooser


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    """`both`: both bid in the open stage. `one`: only one is asked."""
    root = tmp_path_factory.mktemp("pair")
    table = begun(root / "a", SYSTEM, dice="pair")
    tables: dict[str, Table] = {}
    while len(tables) < 2:
        name = "both" if len(table.progress.asked) == 2 else "one"
        if name not in tables and table.progress.stage > 0:
            tables[name] = copy_of(table, root / name).table
        table.play_stage(chooser(1))
    return tables


@pytest.fixture
def both(opened: dict[str, Table], tmp_path: Path) -> Modes:
    return copy_of(opened["both"], tmp_path / "game")


@pytest.fixture
def one(opened: dict[str, Table], tmp_path: Path) -> Modes:
    return copy_of(opened["one"], tmp_path / "game")


def places(game: Modes) -> tuple[str, str]:
    """Who orders first, and the other."""
    progress = game.table.progress
    turn = turn_of(progress, game.seat("north").folder)
    return turn.first, "south" if turn.first == "north" else "north"


def refusal(call: Any, *args: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*args)
    return caught.value.diagnostics[0].code


def test_the_first_of_two_shows_nothing_and_keeps_his_link(both: Modes) -> None:
    first, second = places(both)
    body = parsed(of_type(both.order(first), "order"))["body"]
    assert body["orders"] == [] and body["commits"] and "link" not in body and "openings" not in body
    assert refusal(both.order, second) == "not-your-turn"


def test_an_order_that_comes_first_with_its_link_is_refused(both: Modes) -> None:
    """The other would know the dice before he orders."""
    first, second = places(both)
    honest = of_type(both.order(first), "order")
    own = both.parties[first]
    receipt = both.one(second, changed(own, honest, link=own.link(own.stage)))
    assert receipt.outcome == "refused" and "must not have a link yet" in receipt.reason


def test_an_order_alone_must_have_its_link(one: Modes) -> None:
    first, second = places(one)
    honest = of_type(one.order(first), "order")
    receipt = one.one(second, changed(one.parties[first], honest, link=None))
    assert receipt.outcome == "refused" and "must have a link" in receipt.reason


def test_an_order_with_its_link_cannot_be_revised(one: Modes) -> None:
    """Neither by his own tool, nor by another program."""
    first, second = places(one)
    honest = of_type(one.order(first), "order")
    assert refusal(one.order, first, 2) == "not-your-turn"
    assert one.one(second, honest).good
    data = parsed(honest)
    other = one.parties[first].says("order", data["body"], rev=2)
    receipt = one.one(second, other)
    assert receipt.outcome == "refused" and "can't be revised" in receipt.reason


def test_two_orders_with_one_revision_are_kept_as_proof_and_one_counts(one: Modes) -> None:
    first, second = places(one)
    honest = of_type(one.order(first), "order")
    other = changed(one.parties[first], honest, orders=[{"decision": "bid", "answer": 1}])
    receipts = one.give(second, honest, other)
    assert all(each.good for each in receipts) and "proof" in receipts[1].reason
    link = of_type(one.link(second), "link")
    assert parsed(link)["body"]["answers"] == min(sid_of(honest), sid_of(other))
    assert "equivocation" in one.proved(second)


def test_what_the_first_committed_to_must_be_opened_and_fit(both: Modes) -> None:
    first, second = places(both)
    orders = both.order(first)
    assert all(each.good for each in both.give(second, *orders))
    assert all(each.good for each in both.give(first, *both.order(second)))
    honest = of_type(both.link(first), "link")
    opening = parsed(honest)["body"]["openings"]
    (decision,) = opening
    wrong = {decision: opening[decision] | {"value": (opening[decision]["value"] + 1) % 4}}
    for openings, words in ((None, "does not reveal T1/initiative/bid"), (wrong, "is not what")):
        receipt = both.one(second, changed(both.parties[first], honest, openings=openings))
        assert receipt.outcome == "refused" and words in receipt.reason
    assert both.one(second, honest).outcome == "taken"
    assert both.seat(second).folder.progress.head == both.seat(first).folder.progress.head


def test_a_wrong_link_is_refused(one: Modes) -> None:
    first, second = places(one)
    assert one.one(second, *one.order(first)).good
    honest = of_type(one.link(second), "link")
    own = one.parties[second]
    lie = changed(own, honest, link=own.link(parsed(honest)["stage"] + 1))
    assert one.one(first, lie).outcome == "refused"


def test_the_last_word_belongs_to_one_only(one: Modes) -> None:
    first, second = places(one)
    order = of_type(one.order(first), "order")
    assert one.one(second, order).good
    body = {"answers": sid_of(order), "link": parsed(order)["body"]["link"], "head": "ab" * 32}
    receipt = one.one(second, one.parties[first].says("link", body))
    assert receipt.outcome == "refused" and f"{second} ends this stage, not " in receipt.reason


def disputed(game: Modes) -> tuple[str, str, Signed]:
    """The one with the last word signs another head than the stage has."""
    first, second = places(game)
    assert game.one(second, *game.order(first)).good
    honest = of_type(game.link(second), "link")
    return first, second, changed(game.parties[second], honest, head="ab" * 32)


def test_another_head_stops_the_game_and_nothing_is_signed_on_it(one: Modes) -> None:
    first, _, lie = disputed(one)
    assert one.one(first, lie).outcome == "fork"
    folder = one.seat(first).folder
    assert folder.stage < parsed(lie)["stage"] and not link_due.link_due(folder)
    with pytest.raises(Refused) as caught:
        folder.check_no_fork()
    assert "computed the head abababababab" in str(caught.value)


def test_compare_names_the_first_member_that_differs(one: Modes) -> None:
    """Each writes his record; here the other's rules have given other events."""
    first, second, lie = disputed(one)
    one.give(first, lie)
    mine, other = one.seat(first), one.seat(second)
    assert comparing.own(mine.folder).stage == parsed(lie)["stage"], "the stage over which he has stopped"
    written = comparing.export(other.folder, other.signer)
    mail = next(path for path in written if path.suffix == ".eml")
    theirs = comparing.read(mine.folder, read_path(mail).signed)
    assert comparing.difference(comparing.own(mine.folder, theirs.stage), theirs).member is None
    text = json.loads(theirs.text())
    text["record"]["links"][second] = "cd" * 32
    bent = one.parties[second].says("protest", {"text": json.dumps(text)})
    found = comparing.difference(comparing.own(mine.folder), comparing.read(mine.folder, [bent]))
    assert found.member == "links" and any("cdcd" in line for line in found.lines)


def test_a_record_that_nobody_in_the_game_signed_is_not_compared(one: Modes) -> None:
    first, _ = places(one)
    assert refusal(comparing.read, one.seat(first).folder, []) == "no-record"


def test_who_is_left_alone_signs_a_claim(one: Modes) -> None:
    first, second = places(one)
    seat = one.seat(first)
    assert refusal(comparing.claim, seat.folder, seat.signer) == "your-turn"
    one.order(first)
    written = comparing.claim(seat.folder, seat.signer, "nothing since spring")
    found = read_path(next(path for path in written if path.suffix == ".eml")).signed
    assert one.one(second, *found).good
    assert "protest" in one.claimed(second)


def test_whoever_answers_another_history_is_told_with_what_ended_the_stage(one: Modes) -> None:
    first, second = places(one)
    honest = of_type(one.order(first), "order")
    data = parsed(honest)
    lie = one.parties[first].says("order", data["body"], prev="ab" * 32)
    receipt = one.one(second, lie)
    assert receipt.outcome == "refused" and receipt.mail
    found = read_path(one.seat(second).root / receipt.mail).signed
    assert {parsed(each)["type"] for each in found} >= {"order", "link"}


def finished(game: Modes) -> tuple[str, str]:
    """The open stage is played honestly."""
    first, second = places(game)
    assert game.one(second, *game.order(first)).good
    assert all(each.good for each in game.give(first, *game.link(second)))
    return first, second


def test_verify_finds_a_record_that_nobody_signed(one: Modes) -> None:
    first, _ = finished(one)
    folder = one.seat(first).root / f"stages/{one.seat(first).folder.stage:04}"
    record = json.loads((folder / "record.json").read_text())
    for change in ({"seed": "ab" * 32}, {"accepted": {}}, {"prev": "cd" * 32}):
        (folder / "record.json").write_text(json.dumps(record | change))
        assert one.false(first), change
    (folder / "record.json").write_text("[" * 100_000)
    assert one.false(first)


def test_verify_finds_events_that_are_not_those_of_the_record(both: Modes) -> None:
    first, second = places(both)
    both.give(second, *both.order(first))
    both.give(first, *both.order(second))
    both.give(second, *both.link(first))
    folder = both.seat(second).root / f"stages/{both.seat(second).folder.stage:04}"
    (folder / "events.json").write_text("[]")
    assert "record" in both.false(second)


def test_verify_finds_two_last_words(one: Modes) -> None:
    first, second = finished(one)
    folder = one.seat(first).folder
    link = next(each for each in folder.of(folder.stage, "link"))
    bent = {**link.body, "head": "ab" * 32}
    lie = one.parties[second].says("link", bent, stage=link.stage, prev=link.prev)
    one.file(first, lie)
    assert "fork" in one.false(first)


def test_verify_says_who_has_signed_the_last_head(one: Modes) -> None:
    from pbem.archive.verifying.verify import verify

    first, second = finished(one)
    (found,) = [each for each in verify(one.seat(first).root).of("claimed") if each.code == "last-head"]
    assert f"is signed by {second} only" in found.text


def test_a_kept_card_that_the_run_calls_for_cannot_be_held_back_by_the_last_word(tmp_path: Path) -> None:
    """Who has the last word knows the dice: he must not choose whether the run goes on."""
    options = {"turns": 3}
    table = begun(tmp_path, SYSTEM, dice="pair", options=options)
    game = Modes(table)
    while True:
        progress = table.progress
        first, last = places(game)
        if progress.asked and "T3/cards/bid" in progress.asked.get(first, ()):
            break
        table.play_stage(chooser(4))
    assert all(each.good for each in game.give(last, *game.order(first)))
    honest = of_type(game.link(last), "link")
    (opening,) = parsed(honest)["body"]["openings"].values()
    assert opening["stage"] < parsed(honest)["stage"]
    folder = game.seat(first).folder
    held = statements.parse(changed(game.parties[last], honest, openings=None).data)
    without = between.run_with(
        folder, folder.progress, turn_of(folder.progress, folder), held, between.Choice({})
    )
    lie = changed(game.parties[last], honest, openings=None, head=without.head)
    receipt = game.one(first, lie)
    assert receipt.outcome == "refused" and "which the stage needs" in receipt.reason
    assert game.one(first, honest).good
    assert game.false(first) == []
