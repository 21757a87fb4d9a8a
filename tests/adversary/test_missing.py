"""The missing player is a state: each has its name, since when, what is owed, and what may follow
(product 6, protocol 14)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.archive.letters.acknowledging import acknowledge
from pbem.archive.letters.awaited import Awaited, awaited
from pbem.archive.letters.protesting import protest
from pbem.archive.letters.reminding import remind
from pbem.stages.agreements import Agreement
from pbem.stages.deadlines import Deadlines
from pbem.text.diagnostics import Refused
from tests.adversary.conftest import Start
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import begun, chooser, statements_in

CARD = "T1/cards/card"


def seen(game: Game, by: str = "gm") -> dict[str, Awaited]:
    """What a folder knows of everybody."""
    return {awaited_party.party: awaited_party for awaited_party in awaited(game.seat(by).folder)}


def steps(one: Awaited) -> list[str]:
    return [step.what for step in one.steps]


def test_nothing_sent(game: Game) -> None:
    game.answer("south")
    found = seen(game)
    assert (found["south"].state, found["south"].wanting) == ("sent", False)
    north = found["north"]
    assert (north.state, north.wanting, north.since, north.rev) == ("nothing", True, 1, 0)
    assert north.owes == (CARD,)
    assert steps(north) == ["wait", "remind", "amend"]


def test_sent_and_refused_is_invalid_with_the_reason(game: Game) -> None:
    game.give("gm", game.south.order(prev="00" * 32))
    south = seen(game)["south"]
    assert (south.state, south.wanting) == ("invalid", True)
    assert "follows the record 000000000000" in south.reason
    game.give("gm", game.south.order())
    assert seen(game)["south"].state == "sent"


def test_sealed_so_that_it_does_not_open_is_opened_wrong_for_the_gm_and_after_his_ack_for_all(
    game: Game,
) -> None:
    def other_value(body: Any, inside: Any) -> None:
        inside["openings"][CARD]["value"] = "storm"

    bad = game.south.order(secret={CARD: "calm"}, change=other_value)
    for name in ("gm", "north"):
        game.give(name, bad)
    assert seen(game)["south"].state == "opened-wrong"
    assert "is not what was committed" in seen(game)["south"].reason
    assert seen(game, "north")["south"].state == "sent"  # he cannot know
    written = acknowledge(game.seat("gm").folder, game.table.gm.signer)
    mail = next(path for path in written if path.name.endswith(".pbem.txt"))
    game.give("north", *statements_in(mail))
    south = seen(game, "north")["south"]
    assert (south.state, south.wanting) == ("opened-wrong", True)
    assert "send a higher revision, which has a new seal" in south.reason


def test_when_all_is_in_the_players_wait_for_the_report(game: Game) -> None:
    game.answer()
    assert {one.state for one in seen(game).values()} == {"sent"}
    found = seen(game, "north")
    assert (found["gm"].state, found["gm"].wanting) == ("report", True)
    assert "another GM takes over," in found["gm"].steps[-1].words
    game.run()
    assert seen(game, "north")["north"].since == 2


def test_who_was_skipped_is_missing_since_that_stage(start: Start) -> None:
    game = start(SYSTEM, absent="skip")
    game.play(1)
    (gone, *_) = seen(game)
    for _ in range(2):
        others = [name for name in seen(game) if name != gone]
        game.answer(*others or ["nobody"])
        absent = [gone] if gone in seen(game) else []
        assert game.adjudicate(forfeits=absent).done
        game.table.post()
    found = seen(game).get(gone)
    assert found is None or found.since <= 3
    record = game.seat("gm").folder.record(2)
    assert record.forfeits == (gone,)


def test_a_game_of_the_past_has_nobody_missing(over: Game) -> None:
    assert awaited(over.seat("gm").folder) == ()


# --- deadlines that were agreed -------------------------------------------------------------------------


def agreed(tmp_path: Any, deadlines: Deadlines, **terms: Any) -> Game:
    table = begun(tmp_path, SYSTEM, agreed=Agreement(deadlines), **terms)
    return Game(table)


def test_deadlines_stand_in_the_roster_that_all_sign(tmp_path: Any) -> None:
    game = agreed(tmp_path, Deadlines(7, 3, "default"))
    name = game.gm.roster["scenario"]["name"]
    assert name == "ford answer_days=7 grace_days=3 overdue=default"
    assert game.verify() == []


def left_open(game: Game) -> None:
    """Orders of both that answer nothing."""
    for name in ("north", "south"):
        order = getattr(game, name).order()
        for reader in ("gm", "north", "south"):
            game.give(reader, order)
    found = seen(game)
    assert [one.state for one in found.values()] == ["sent", "sent"]
    assert found["north"].owes == (CARD,)


def test_what_an_accepted_order_leaves_open_is_asked_again_where_that_was_agreed(tmp_path: Any) -> None:
    game = agreed(tmp_path, Deadlines(overdue="wait"))
    left_open(game)
    with pytest.raises(Refused) as error:
        game.adjudicate(forfeits=["north"])
    assert "overdue: wait" in error.value.diagnostics[0].message
    game.run()
    assert CARD in game.seat("gm").folder.progress.asked["north"]


def test_it_takes_its_default_where_that_was_agreed_and_all_are_told(tmp_path: Any) -> None:
    game = agreed(tmp_path, Deadlines(overdue="default"))
    left_open(game)
    game.adjudicate(forfeits=["north"])
    game.table.post()
    folder = game.seat("south").folder
    assert folder.record(1).forfeits == ("north",) and folder.record(1).accepted["north"]
    assert CARD not in folder.progress.asked.get("north", ())
    assert game.verify("south") == []


@pytest.mark.parametrize("overdue", [None, "wait", "default"])
def test_nobody_is_left_out_where_the_roster_says_stop(tmp_path: Any, overdue: Any) -> None:
    game = agreed(tmp_path, Deadlines(overdue=overdue))
    game.play(1)
    with pytest.raises(Refused) as error:
        game.adjudicate(forfeits=[next(iter(seen(game)))])
    assert "absent: stop" in error.value.diagnostics[0].message


# --- letters --------------------------------------------------------------------------------------------


def test_a_reminder_says_what_is_owed_and_brings_the_newest_report_again(start: Start) -> None:
    game = start(FOG)
    game.answer("south")
    gm = game.seat("gm")
    written = remind(gm.folder, by="Sunday")
    mail = next(path for path in written if path.name.endswith(".pbem.txt"))
    text = mail.read_text("utf-8")
    for words in ("The game waits for north in stage 1", CARD, "by Sunday", "pbem orders new"):
        assert words in text
    eml = mail.with_name(mail.name.replace(".pbem.txt", ".eml")).read_text()
    assert "north@example.org" in eml and "south@example.org" not in eml
    receipts = game.give("north", *statements_in(mail))
    assert {receipt.outcome for receipt in receipts} == {"duplicate"}
    again = remind(gm.folder, ["north"])
    assert {path.name for path in again}.isdisjoint(path.name for path in written)


def test_nobody_is_reminded_of_what_he_does_not_owe(game: Game) -> None:
    game.answer("north")
    with pytest.raises(Refused, match="the game does not wait for north, but for south"):
        remind(game.seat("gm").folder, ["north"])
    game.answer("south")
    with pytest.raises(Refused, match="the game waits for nobody"):
        remind(game.seat("gm").folder)


def test_a_protest_can_be_signed_when_nothing_else_can(start: Start) -> None:
    game = start(SYSTEM)
    game.answer()
    report = game.report()
    second = game.gm.says(
        "report",
        {**report.data["body"], "record": {**report.record, "state": "00" * 32}},
        stage=1,
        prev=report.data["prev"],
    )
    game.give("north", *report.mail())
    assert any(option.outcome == "fork" for option in game.give("north", second))
    north = game.seat("north")
    with pytest.raises(Refused):
        north.folder.check_no_fork()
    sids = sorted(path.stem for path in (north.root / "stages/0001").glob("*.json") if len(path.stem) == 64)
    written = protest(north.folder, north.signer, "two reports", [sid[:12] for sid in sids[:2]])
    mail = next(path for path in written if path.name.endswith(".pbem.txt"))
    (receipt,) = game.give("south", *statements_in(mail))
    assert receipt.outcome in ("taken", "early")
    said = next(one for one, _ in north.folder.statements(2) if one.type == "protest")
    assert said.body == {"about": sids[:2], "text": "two reports"}


def test_a_protest_names_only_what_is_there(game: Game) -> None:
    north = game.seat("north")
    for word in ("123", "00" * 32):
        with pytest.raises(Refused, match="matches no statement or head here"):
            protest(north.folder, north.signer, "why?", [word])
    with pytest.raises(Refused, match="this protest can't be sent"):
        protest(north.folder, north.signer, "\x1b[2J")
    assert north.folder.statements(1) == []


def test_a_reminder_needs_somebody_else(game: Game) -> None:
    with pytest.raises(Refused, match="only the GM can do this"):
        remind(game.seat("north").folder)


def test_an_ack_lists_what_is_in_hand(game: Game) -> None:
    game.answer("north")
    (path, *_) = acknowledge(game.seat("gm").folder, game.table.gm.signer)
    assert path.exists()
    seat = game.seat("north")
    seat.answer_all(chooser(2))
    assert seen(game, "north")["north"].rev == 2


def test_what_comes_after_the_unseal_does_not_count(start: Start) -> None:
    """The GM opens everything, and then signs a report for the stage that no longer follows."""
    from pbem.archive.adjudicating.unsealing import unseal

    game = start(FOG)
    game.answer()
    gm = game.seat("gm")
    report = game.report()
    opened = game.gm.says("unseal", {"secret": game.gm.secrets["gm"]}, stage=1, prev=report.data["prev"])
    assert game.one("north", opened).outcome == "taken"
    told = game.give("north", *report.mail())
    (refused,) = [event_told for event_told in told if event_told.words.startswith("report")]
    assert (
        refused.outcome == "refused"
        and "the game ended before stage 1: the GM has unsealed it" in refused.reason
    )
    assert game.seat("north").folder.stage == 0
    with pytest.raises(Refused):
        unseal(gm.folder, gm.signer)


def test_a_fact_that_a_decision_does_not_have_is_refused_in_a_standing_order() -> None:
    from pbem.stages.standing_orders import fact_faults

    order = {"decision": "bid", "when": {"trun": 1}, "answer": 1}
    (fault,) = fact_faults(SYSTEM, [order])
    assert (fault.code, fault.path) == ("unknown-key", ("standing", 0, "when", "trun"))
    assert fault.help == ("did you mean 'turn'?",)
    assert fact_faults(SYSTEM, [{**order, "when": {"turn": 1}}]) == []
    (fault,) = fact_faults(SYSTEM, [{"decision": "card", "when": {"turn": 1}, "answer": "calm"}])
    assert "unknown fact" in fault.message


# --- the other modes ------------------------------------------------------------------------------------


def states(seat: Any) -> dict[str, str]:
    return {awaited_party.party: awaited_party.state for awaited_party in awaited(seat.folder)}


def test_with_locks_a_link_that_does_not_come_is_named(tmp_path: Any) -> None:
    """Committed, and not opened: the game waits for him, whoever was asked."""
    table = begun(tmp_path, FOG, dice="locked")
    gm, north, south = table.gm, table.players["north"], table.players["south"]
    before = states(gm)
    assert set(before.values()) == {"nothing"}
    for seat in table.asked():
        seat.answer_all(chooser(1))
    table.post()
    assert set(states(gm).values()) == {"sent"}
    assert states(north)["gm"] == "report"
    from pbem.archive.adjudicating import gm_stage, link_due

    gm_stage.adjudicate(gm.folder, gm.signer)
    table.post()
    assert states(gm) == {"north": "not-opened", "south": "not-opened"}
    link_due.give_link(south.folder, south.signer)
    table.post()
    assert states(gm) == {"north": "not-opened", "south": "done"}
    (missing,) = [awaited_party for awaited_party in awaited(gm.folder) if awaited_party.wanting]
    assert [step.what for step in missing.steps] == ["wait", "remind", "amend"]
    text = next(path for path in remind(gm.folder) if path.name.endswith(".pbem.txt")).read_text()
    assert "Your link is missing. It decrypts your secret answers" in text


def test_between_two_it_is_one_s_turn_and_the_other_waits(tmp_path: Any) -> None:
    table = begun(tmp_path, SYSTEM, dice="pair")
    for _ in range(2):
        turns = []
        for seat in table.everybody:
            found = states(seat)
            assert set(found) == {"north", "south"}
            turns.append([party for party, state in found.items() if state in ("nothing", "not-opened")])
        assert turns[0] == turns[1] and len(turns[0]) == 1
        table.play_stage(chooser(3))


def test_between_two_nobody_forfeits(tmp_path: Any) -> None:
    table = begun(tmp_path, SYSTEM, dice="pair")
    for awaited_party in awaited(table.players["north"].folder):
        assert "forfeit" not in [step.what for step in awaited_party.steps]


def test_an_amendment_that_wants_a_signature_says_whose(clear: Game) -> None:
    from tests.unit.archive.test_amendments import propose

    propose(clear.table.gm, {"op": "option", "name": "turns", "value": 1})
    clear.table.post()
    found = seen(clear)
    assert all(len(one.signs) == 1 for one in found.values())
