"""What the GM seals to a player: nothing but what the state entitles him to, and nothing that bites."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.adversary.forge import Report, parsed
from tests.adversary.play import Game, Pending

Lie = Callable[[Game, Report], object]


def _blind_to(*audience: str) -> Lie:
    return lambda game, report: report.blind.add(tuple(sorted(audience)))


def _swapped(game: Game, report: Report) -> None:
    """Everybody gets the other's view, sealed to him as his own."""
    honest = report.view
    report.view = lambda party: honest({"north": "south", "south": "north"}[party])  # type: ignore[method-assign]


def _other_fact(game: Game, report: Report) -> None:
    """The view shows something else than what the record has committed to."""
    honest = report.of
    report.of = lambda audience: honest(audience) | {"unit/made-up": 1}  # type: ignore[method-assign]


VIEWS: dict[str, tuple[Lie, str]] = {
    "my own group is left out": (_blind_to("gm", "north"), "leaves out the group of gm, north"),
    "what all may see is left out": (_blind_to("gm", "north", "south"), "leaves out"),
    "something is made up": (_other_fact, "is not in the state"),
    "the view of another player": (_swapped, "the seal from gm to north for stage 1 can't be decrypted"),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_that_is_not_what_the_state_entitles_me_to_is_refused(fog: Game, name: str) -> None:
    lie, words = VIEWS[name]
    fog.answer()
    report = fog.report()
    lie(fog, report)
    told = [r for r in fog.give("north", *report.mail()) if r.outcome == "refused"]
    assert told and words in told[0].reason
    assert fog.seat("north").folder.stage == 0


def test_a_report_without_views_is_no_report_of_a_game_with_hidden_units(fog: Game) -> None:
    fog.answer()
    report = fog.report()
    report.hidden = False
    del report.data["body"]["views"]
    told = [r for r in fog.give("north", *report.mail()) if r.outcome == "refused"]
    assert told and "no view for north" in told[0].reason


FACTS: dict[str, tuple[str, Any]] = {
    "a counter that is a number": ("unit/n1", 5),
    "a key without its parts": ("blocks/0101", 1),
    "many where a number is wanted": ("blocks/0101/south", "many"),
    "a place that is a table": ("game/place", {"a": 1}),
    "a question without members": ("asked/north/x", {}),
    "a question that is a number": ("asked/north/x", 5),
    "an event that is a number": ("event/north/0001", 5),
    "an event at no time": ("event/north/0001", {"after": "x", "event": {}}),
    "standing orders that are a number": ("standing/north", 5),
}


@pytest.mark.parametrize("name", FACTS)
def test_facts_that_no_game_can_have_are_refused_and_stop_no_command(fog: Game, name: str) -> None:
    """The GM commits to them and seals them rightly; whoever took them could not use his folder any more."""
    key, value = FACTS[name]
    fog.answer()
    report = fog.report()
    report.facts = {(a, k): v for (a, k), v in report.facts.items() if k != key}
    report.facts[("gm", "north"), key] = value
    report.regroup()
    told = [r for r in fog.give("north", *report.mail()) if r.outcome == "refused"]
    assert told and "is impossible by these rules" in told[0].reason
    assert fog.seat("north").folder.stage == 0


@pytest.mark.parametrize("event", [5, "x", None, []])
def test_an_event_that_is_none_is_refused(pending: Pending, event: Any) -> None:
    report = pending.report
    report.events.append(event)
    assert "is not an object" in pending.told("north", report.mail())[0].reason


def test_a_question_that_the_view_does_not_show_is_refused(fog: Game) -> None:
    fog.answer()
    report = fog.report()
    report.record["asked"]["north"] = ["T9/secret/question"]
    told = [r for r in fog.give("north", *report.mail()) if r.outcome == "refused"]
    assert told and "doesn't show the question" in told[0].reason


def test_a_report_that_keeps_a_view_from_another_player_is_refused_by_all(fog: Game) -> None:
    """Whoever signs on top of it would sign a stage that `verify` calls false."""
    fog.answer()
    report = fog.report()
    honest = report.mail
    mail = honest()
    data = parsed(next(mail for mail in mail if parsed(mail)["type"] == "report"))
    del data["body"]["views"]["south"]
    others = [mail for mail in mail if parsed(mail)["type"] != "report"]
    false = fog.gm.says("report", data["body"], stage=1, prev=data["prev"])
    told = [r for r in fog.give("north", *others, false) if r.outcome == "refused"]
    assert told and "no view for south" in told[0].reason


def test_a_view_of_the_stage_before_is_refused(fog: Game) -> None:
    fog.answer()
    report = fog.report()
    before = (fog.gm.root / "stages/0000/views/north.bin").read_bytes()
    report.view = lambda party: before  # type: ignore[method-assign]
    told = [r for r in fog.give("north", *report.mail()) if r.outcome == "refused"]
    assert told and "the seal from gm to north for stage 1 can't be decrypted" in told[0].reason


def test_a_view_under_another_head_is_not_the_one_of_the_report(fog: Game) -> None:
    """The GM tells in the view what he does not tell in the report."""
    fog.answer()
    report = fog.report()
    *rest, first, second = report.mail()
    twisted = []
    for view in (first, second):
        data = parsed(view)
        data["body"]["head"] = "00" * 32
        twisted.append(fog.gm.says("view", data["body"], stage=1, prev=data["prev"]))
    receipts = fog.give("north", *rest, *twisted)
    assert fog.seat("north").folder.stage == 0, receipts
    assert any("another head" in r.reason for r in receipts)
