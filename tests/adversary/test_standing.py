"""Standing orders: from which stage they hold, and that nobody can use them to stop or bend a game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.adversary.conftest import Start
from tests.adversary.forge import parsed, sid_of
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM

BID: list[Any] = [{"decision": "bid", "answer": 3}]


def _in_force(game: Game) -> dict[str, Any]:
    return game.seat("gm").folder.state().standing


def _all_receive(game: Game, *found: Any) -> None:
    for name in ("gm", "north", "south"):
        assert [r.outcome for r in game.give(name, *found)] == ["taken"] * len(found)


def test_a_standing_statement_holds_from_the_next_stage_and_does_not_touch_its_own(game: Game) -> None:
    hidden = game.table.system.hidden
    filed = game.south.later(BID, hidden=hidden)
    _all_receive(game, game.north.order(secret={"T1/cards/card": "calm"}), game.south.order(), filed)
    game.run()
    record = game.south.record(1)
    assert record["standing"] == {"south": sid_of(filed)}
    assert set(record["links"]) == {"gm", "north", "south"}
    assert "south" in record["asked"], "in stage 1 it answered nothing yet"
    assert _in_force(game) == {"south": BID}
    _all_receive(game, game.north.order(secret={"T1/initiative/bid": 1}), game.south.order())
    game.run()
    assert game.south.record(2)["accepted"]["south"]
    bids = game.seat("gm").folder.events(2)[0]
    assert bids["bids"] == {"north": 1, "south": 3}  # type: ignore[index,call-overload]
    assert game.verify() == []


def test_standing_orders_in_an_order_hold_in_the_run_of_its_stage(game: Game) -> None:
    hidden = game.table.system.hidden
    order = game.south.order(secret={"standing": BID}) if hidden else game.south.order(standing=BID)
    cards = game.north.order(secret={"T1/cards/card": "calm", "bid": 1})
    _all_receive(game, cards, order)
    game.run()
    assert game.seat("gm").folder.events(1)[0]["bids"]["south"] == 3  # type: ignore[index,call-overload]
    assert ("standing" in game.south.record(1).get("kept", {}).get("south", [])) == hidden
    assert game.verify() == []


def test_an_empty_list_cancels_from_the_next_stage(game: Game) -> None:
    hidden = game.table.system.hidden
    _all_receive(game, game.north.order(), game.south.order(), game.south.later(BID, hidden=hidden))
    game.run()
    assert _in_force(game) == {"south": BID}
    orders = [getattr(game, seat.name).order() for seat in game.table.asked()]
    _all_receive(game, *orders, game.south.later([], hidden=hidden))
    game.run()
    assert _in_force(game) == {}
    assert game.verify() == []


def test_the_highest_revision_in_time_is_listed(clear: Game) -> None:
    sent = [clear.south.later([{"decision": "bid", "answer": n}], rev=n) for n in (1, 3, 2)]
    _all_receive(clear, clear.north.order(), clear.south.order(), *sent)
    clear.run()
    assert clear.south.record(1)["standing"] == {"south": sid_of(sent[1])}


def test_a_late_one_is_told_to_its_owner_and_does_not_hold(game: Game) -> None:
    hidden = game.table.system.hidden
    late = game.south.later(BID, hidden=hidden)
    _all_receive(game, game.north.order(), game.south.order())
    game.give("south", late)
    mail = game.report().mail()
    assert game.one("gm", late).outcome == "late"
    (told,) = [r for r in game.give("south", *mail) if "report" in r.words]
    assert told.outcome == "taken" and "not in force" in told.reason
    assert _in_force(game) == {}
    assert game.give("north", *mail)[-1].outcome == "taken"


def test_somebody_who_is_not_asked_may_file_them(start: Start) -> None:
    game = start(SYSTEM)
    game.play(1)
    while len(game.table.asked()) > 1:
        game.play(1)
    (asked,) = game.table.asked()
    idle = game.north if asked.name == "south" else game.south
    filed = idle.later(BID)
    _all_receive(game, filed)
    game.play(1)
    assert game.gm.record(game.gm.last)["standing"] == {idle.name: sid_of(filed)}
    assert idle.name not in game.gm.record(game.gm.last)["links"]
    assert game.verify() == []


@pytest.mark.parametrize("where", ["in an order", "alone"])
def test_what_is_sealed_to_the_gm_alone_cannot_change_a_game_that_hides_nothing(
    clear: Game, where: str
) -> None:
    """The others could not adjudicate it again: a player would stop the game, or move it unseen."""
    if where == "alone":
        filed, order = clear.south.later(BID, hidden=True), clear.south.order()
    else:
        filed = order = clear.south.order(secret={"standing": BID})
    others = [clear.north.order(secret={"bid": 1}), order, clear.south.order(rev=2)]
    for name in ("gm", "north", "south"):
        receipts = clear.give(name, filed, *others)
        assert [r.outcome for r in receipts if r.sid == sid_of(filed)] == ["refused"]
    clear.run()
    clear.play(1)
    assert clear.verify() == [] and clear.verify("north", own=True) == []


SPOILT: dict[str, Any] = {
    "not a list": {"a": 1},
    "null": None,
    "a word": "attack",
    "thousands": [{"decision": "bid", "answer": 1}] * 3000,
}


@pytest.mark.parametrize("name", SPOILT)
def test_sealed_standing_orders_that_are_none_stop_nobody(fog: Game, name: str) -> None:
    filed = fog.south.later(SPOILT[name], hidden=True)
    _all_receive(fog, fog.north.order(), fog.south.order(), filed)
    fog.run()
    assert fog.south.record(1)["standing"] == {"south": sid_of(filed)}
    fog.play(1)
    assert fog.verify("south", own=True) == []


def test_a_sealed_list_with_a_link_in_it_is_unreadable(fog: Game) -> None:
    """It would give a link away ahead of its stage."""
    body, inside = fog.south.committed({"standing/later": BID}, 1)
    inside["link"] = fog.south.link(1)
    filed = fog.south.says("standing", {**body, "sealed": {"gm": fog.south.seals(inside)}})
    receipt = fog.one("gm", filed)
    assert receipt.outcome == "unreadable" and "contains a link" in receipt.reason


def test_a_list_sent_in_clear_in_a_game_with_hidden_units_counts_like_another(fog: Game) -> None:
    """It harms nobody but its owner, and everybody has the same bytes."""
    filed = fog.south.later(BID)
    _all_receive(fog, fog.north.order(), fog.south.order(), filed)
    fog.run()
    assert _in_force(fog) == {"south": BID}


def test_the_gm_cannot_list_older_standing_orders_again(start: Start) -> None:
    """What was filed for stage 1 is not for stage 2, whoever lists it."""
    game = start(FOG)
    filed = game.south.later(BID, hidden=True)
    _all_receive(game, game.north.order(), game.south.order(), filed)
    game.run()
    orders = [getattr(game, seat.name).order() for seat in game.table.asked()]
    _all_receive(game, *orders)
    report = game.report()
    report.record["standing"] = {"south": sid_of(filed)}
    told = [r for r in game.give("south", *report.mail()) if parsed_type(r) == "report"]
    assert told[0].outcome in ("refused", "waiting") and "standing" in told[0].reason
    assert game.seat("south").folder.stage == 1


def parsed_type(receipt: Any) -> str:
    return str(receipt.words.split()[0])


def test_a_condition_on_what_is_no_number_never_holds(start: Start) -> None:
    """Bounds are for numbers; a player must not stop the run with bounds on a word or a truth value."""
    from pbem.engine.conditions import find, holds

    assert holds(3, {"at_least": 1}) and not holds(3, {"at_least": 4})
    for value in ("red", ""):
        assert not holds(value, {"at_least": 1})
    facts: Any = {"a": {"b": [1]}, "a/b": {"c": 1}, "": 1}
    for name in ("a/b", "a/b/c/d", "/", "//", "x/y", "a/"):
        assert find(facts, name) is None
    assert find(facts, "a/b/c") == 1


@pytest.mark.parametrize(
    "more",
    [
        {"once": ["a"]}, {"once": None}, {"once": "a" * 61}, {"once": "a", "until": ["T"]},
        {"once": "a", "until": {"T": 1}}, {"name": "a"}, {"name": "a", "until": None},
        {"once": "a", "name": "b"},
        {"once": "a", "subject": [[1]]}, {"once": "a", "subject": [True]}, {"once": "a", "subject": "x"},
        {"once": "a", "on_illegal": []}, {"once": "a", "when": []}, {"once": "a", "when": {"x/y": {}}},
        {"once": "a", "answer": {"deep": []}}, {"until": "T"}, {"subject": []}, {"on_illegal": "skip"},
    ],
)  # fmt: skip
def test_an_answer_ahead_that_makes_no_sense_is_dropped_and_stops_nothing(more: Any) -> None:
    """What a hostile program signs is read by everybody's program."""
    from pbem.stages.standing_orders import faults, usable

    entry = {"decision": "bid", "answer": 1, **more}
    assert usable(SYSTEM, [entry]) == [] and faults(SYSTEM, [entry])


def test_the_statement_that_is_listed_is_the_one_that_was_sent(clear: Game) -> None:
    filed = clear.south.later(BID)
    assert parsed(filed)["body"] == {"standing": BID}
