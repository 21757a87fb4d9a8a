"""Somebody takes over a place in mid-game: he gets an archive and the mails, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.archive.amending import joining_late, proposing, wishes
from pbem.archive.amending.joining_late import join_running
from pbem.archive.setting_up.before_the_game import Person
from pbem.archive.verifying.verify import verify
from pbem.trust.armour import Signed
from tests.unit.archive.mailing import one, order_of
from tests.unit.archive.table import Seat, Table, chooser, signer_of, statements_in
from tests.unit.archive.test_amendments import good, is_sound, refused, running  # noqa: F401


class Newcomer(Seat):
    """Somebody who takes over a place: another person, with another name and other keys."""

    def __init__(self, root: Path, seat: str, called: str) -> None:
        super().__init__(root, seat)
        self.called = called
        self.signer = signer_of(f"{seat}, now {called}")

    @property
    def person(self) -> Person:
        return Person(self.called, f"{self.called.lower()}@example.org", self.signer)


def newcomer(table: Table, seat: str, handed: Path | None = None, called: str = "") -> Seat:
    """A person with a key of his own, who makes his folder from a copy of the public archive."""
    source = table.gm.root.parent / "handed-over"
    hidden = shutil.ignore_patterns("private", "outbox", "inbox")
    shutil.copytree(table.players["south"].root, source, ignore=hidden)
    new = Newcomer(table.gm.root.parent / f"{seat}-new", seat, called or seat.capitalize())
    new.renderer = table.gm.renderer
    join_running(
        source, new.root, seat, new.person, game_id=table.gm.folder.need_roster().game, handed=handed
    )
    return new


def taken_over(table: Table, new: Seat, by: list[Seat]) -> None:
    """The others propose and sign, he signs, and the stage is closed; each by mail."""
    entry = statements_in(*new.mails())
    op = wishes.takeover_op(by[0].folder, entry)
    made = proposing.propose(by[0].folder, [op], [by[0].signer], aware=True)
    table.players["new"] = new
    good(table.post())
    for seat in [*by[1:], new]:
        if seat.signer.public not in [by[0].signer.public]:
            proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer], aware=True)
            good(table.post())


def test_another_player_takes_over_and_plays_on(running: Table) -> None:  # noqa: F811
    new = newcomer(running, "north")
    taken_over(running, new, [running.gm, running.players["south"]])
    running.run()
    old = running.players.pop("north")
    running.players["north"] = running.players.pop("new")
    assert running.gm.folder.need_roster().by_id["north"].sign == new.signer.public
    if running.system.hidden:
        assert new.folder.view().position == old.folder.view("north").position or new.folder.view().facts
    assert set(running.gm.folder.progress.asked) == {"north", "south"}
    assert not new.folder.coming_in, "he has come in: he signs what is proposed as anyone does"
    running.play_stage(chooser(1))
    claimed = {each.code for each in verify(new.root).of("claimed")}
    assert "takeover" in claimed, "the old key did not sign: it is the others' word"
    is_sound(running)


def test_the_old_key_says_nothing_any_more(running: Table) -> None:  # noqa: F811
    new, old = newcomer(running, "north"), running.players["north"]
    taken_over(running, new, [running.gm, running.players["south"]])
    running.run()
    order = order_of(running.players.pop("new"))
    signed = old.signer.sign(order.data)

    receipt = one(running.players["south"], Signed(order.data, (signed,)))
    assert receipt.outcome == "unsigned", receipt
    assert refused(proposing.propose, old.folder, [{"op": "rewind", "to": 0}], [old.signer]) == "other-key"


def test_a_new_gm_goes_on_with_what_the_old_one_handed_over(running: Table) -> None:  # noqa: F811
    if running.system.hidden:
        assert refused(newcomer, running, "gm") == "no-state"
        shutil.rmtree(running.gm.root.parent / "handed-over")
        handed = running.gm.root.parent / "old-private"
        shutil.copytree(running.gm.root / "private", handed)
        facts = handed / "facts.json"
        newest = facts.read_text("utf-8")
        stage = running.gm.folder.stage
        facts.write_text(newest.replace(f'"stage": {stage}', f'"stage": {stage - 1}', 1), "utf-8")
        assert refused(newcomer, running, "gm", handed) == "no-state", "that of the stage before"
        shutil.rmtree(running.gm.root.parent / "handed-over")
        facts.write_text(newest, "utf-8")
    else:
        handed = None
    new = newcomer(running, "gm", handed)
    taken_over(running, new, [running.players["north"], running.players["south"]])
    running.players.pop("new")
    running.gm = new
    running.run()
    assert {seat.folder.need_roster().by_id["gm"].sign for seat in running.everybody} == {new.signer.public}
    is_sound(running)


def test_nobody_joins_an_archive_that_is_not_sound(running: Table, tmp_path: Path) -> None:  # noqa: F811
    source = tmp_path / "bad"
    shutil.copytree(running.gm.root, source)
    sig = next((source / "stages/0001").glob("*.sig"))
    sig.write_text("nonsense")
    person = Seat(tmp_path / "x", "north").person
    assert refused(join_running, source, tmp_path / "new", "north", person) == "not-sound"


@pytest.mark.parametrize("seat", ["east", "west"])
def test_only_seats_of_the_game_are_taken_over(running: Table, tmp_path: Path, seat: str) -> None:  # noqa: F811
    person = Seat(tmp_path / "x", "north").person
    assert refused(join_running, running.gm.root, tmp_path / "new", seat, person) == "unknown-seat"


def test_a_seat_that_was_dropped_is_taken_again(running: Table) -> None:  # noqa: F811
    """The others sign, and the new key; the newcomer answers, and old key and new one are told apart."""
    gm, south, old = running.gm, running.players["south"], running.players["north"]
    made = proposing.propose(gm.folder, [{"op": "drop", "party": "north"}], [gm.signer], aware=True)
    good(running.post())
    proposing.co_sign(south.folder, made.proposal.statement.sid[:12], [south.signer], aware=True)
    good(running.post())
    running.run()
    del running.players["north"]
    running.play_stage(chooser(2))
    new = newcomer(running, "north", called="Bea")
    op = wishes.takeover_op(gm.folder, statements_in(*new.mails()))
    made = proposing.propose(gm.folder, [op], [gm.signer], aware=True)
    assert set(made.proposal.missing) == {"south", "north.new"}, "nobody asks the dropped key"
    running.players["new"] = new
    good(running.post())
    for seat in (south, new):
        proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer], aware=True)
        good(running.post())
    running.run()
    running.players["north"] = running.players.pop("new")
    roster = gm.folder.need_roster()
    assert roster.players == ("north", "south") and roster.by_id["north"].sign == new.signer.public
    assert "north" in gm.folder.progress.asked
    running.play_stage(chooser(1))
    order = gm.folder.progress.own_statement("protest", {"text": "I am still here"}, "north")
    (receipt,) = gm.receive_signed(Signed(order.bytes, (old.signer.sign(order.bytes),)))
    assert receipt.outcome == "unsigned", receipt
    for seat in running.everybody:
        verified = verify(seat.root, own=seat.folder.private)
        assert verified.ok, verified.findings
        assert {"dropped", "takeover"} <= {finding.code for finding in verified.of("claimed")}
    is_sound(running)


def test_a_seat_without_the_signature_of_all_others_stays_free(running: Table) -> None:  # noqa: F811
    gm, south = running.gm, running.players["south"]
    made = proposing.propose(gm.folder, [{"op": "drop", "party": "north"}], [gm.signer], aware=True)
    good(running.post())
    proposing.co_sign(south.folder, made.proposal.statement.sid[:12], [south.signer], aware=True)
    good(running.post())
    running.run()
    del running.players["north"]
    new = newcomer(running, "north", called="Bea")
    op = wishes.takeover_op(gm.folder, statements_in(*new.mails()))
    proposing.propose(gm.folder, [op], [gm.signer], aware=True)
    good(running.post())
    running.play_stage(chooser(2))
    assert gm.folder.need_roster().players == ("south",)
    assert refused(joining_late.join_running, south.root, new.root.parent / "x", "east", new.person) == (
        "unknown-seat"
    )


def test_orders_for_a_stage_that_an_amendment_closed_are_noted_and_nobody_gets_an_error(
    running: Table,  # noqa: F811
) -> None:
    gm, south, north = running.gm, running.players["south"], running.players["north"]
    late = next(seat for seat in running.asked())
    order = order_of(late)
    made = proposing.propose(gm.folder, [{"op": "rewind", "to": 1}], [gm.signer], aware=True)
    late.mails()
    good(running.post())
    for seat in (north, south):
        proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer], aware=True)
        good(running.post())
    running.run()
    (receipt,) = gm.receive_signed(order)
    assert receipt.outcome == "noted", receipt
    assert "closed" in receipt.reason and "too-late" not in " ".join(map(str, gm.mails()))
    running.play_stage(chooser(1))
    for seat in running.everybody:
        assert verify(seat.root, own=seat.folder.private).ok
