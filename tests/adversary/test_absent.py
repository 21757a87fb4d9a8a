"""Who does not answer, and who is said not to have answered (protocol 9.1, 10, 14)."""

from __future__ import annotations

import pytest

from pbem.archive.verifying.verify import verify
from pbem.text.diagnostics import Refused
from tests.adversary.conftest import Start
from tests.adversary.play import without_south
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import chooser, statements_in


def test_absent_skip_does_not_hold_in_stage_1(start: Start) -> None:
    game = start(FOG, absent="skip")
    game.answer()
    report = game.report()
    without_south(report)
    told = [r for r in game.give("north", *report.mail()) if r.outcome == "refused"]
    assert told and "nobody can be skipped" in told[0].reason


def test_a_lost_mail_gives_no_link(start: Start) -> None:
    """The GM must not call a mail lost and still throw with its link."""
    game = start(FOG, absent="skip")
    game.play(1)
    for seat in game.table.asked():
        seat.answer_all(chooser(1))
    game.table.post()
    report = game.report()
    absent = next(iter(report.record["accepted"]))
    report.record["accepted"][absent] = None
    report.record["forfeits"] = [absent]
    report.record.get("openings", {}).pop(absent, None)
    report.record.get("kept", {}).pop(absent, None)
    for name in ("openings", "kept"):
        if report.record.get(name) == {}:
            del report.record[name]
    other = "south" if absent == "north" else "north"
    told = [r for r in game.give(other, *report.mail()) if r.outcome == "refused"]
    assert told and f"{absent} has a link but must not" in told[0].reason


def test_whoever_was_called_absent_though_he_had_answered_is_asked_what_happened(start: Start) -> None:
    game = start(SYSTEM, absent="skip")
    game.play(1)
    orders = {seat.name: getattr(game, seat.name).order() for seat in game.table.asked()}
    absent = sorted(orders)[0]
    for name, order in orders.items():
        game.give(name, order)
        if name != absent:
            game.give("gm", order)
    game.adjudicate(forfeits=[absent])
    mail = statements_in(*game.table.gm.mails())
    (told,) = [r for r in game.give(absent, *mail) if r.outcome == "waiting"]
    assert "uses none of your orders, you signed revision 1" in told.reason
    assert game.seat(absent).folder.stage == 1
    game.give(absent, *mail, late=True)
    assert game.seat(absent).folder.stage == 2
    claims = [finding.code for finding in verify(game.seat(absent).root).of("claimed")]
    assert "forfeit" in claims and "left-out" in claims


def test_nobody_adjudicates_past_a_player_who_must_be_waited_for(start: Start) -> None:
    stop, skip = start(FOG), start(FOG, absent="skip")
    for game in (stop, skip):
        game.answer("north")
        with pytest.raises(Refused) as error:
            game.adjudicate(forfeits=["south"])
        assert error.value.diagnostics[0].code == "must-wait"
        assert game.seat("gm").folder.stage == 0
