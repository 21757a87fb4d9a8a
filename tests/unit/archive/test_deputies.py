"""A deputy in a real game: named by all, handed over, ready, charged; takes over and hands back; by mail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import correcting, gm_stage
from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.amending import joining_late, proposing, wishes
from pbem.archive.deputies import charging, handing_over, taking_over
from pbem.archive.folder import two_reports
from pbem.archive.letters.acknowledging import acknowledge
from pbem.archive.letters.awaited import awaited
from pbem.archive.verifying.verify import verify
from pbem.cli.games.standing import stand
from pbem.engine.system import System
from pbem.stages import deputies
from pbem.text.diagnostics import Refused
from pbem.trust import records
from pbem.trust.armour import Signed
from tests.primer import FOG, SYSTEM
from tests.unit.archive.mailing import tree
from tests.unit.archive.table import Seat, Table, begun, chooser, signer_of, statements_in
from tests.unit.archive.test_amendments import agreed, good, refused

DAYS = {"op": "option", "name": "deputy_days", "value": 5}


class Deputised(Table):
    """A table with a deputy, who may run it instead of the GM."""

    deputy: Seat
    late: list[Path]
    by: Seat | None = None

    @property
    def everybody(self) -> list[Seat]:
        return [*super().everybody, *([self.deputy] if hasattr(self, "deputy") else [])]

    def run(self, **options: Any) -> gm_stage.StageResult:
        """The one in charge adjudicates, and everybody gets the report."""
        seat = self.by or self.gm
        result = gm_stage.adjudicate(seat.folder, seat.signer, render=seat.render, **options)
        good(self.post())
        if result.locked:
            self.follow()
            return self.run(**options)
        return result


def with_deputy(tmp_path: Path, system: System, by: tuple[int, ...] = (3, 3), **terms: Any) -> Deputised:
    """A running game in which all have named dora."""
    return named(begun(tmp_path, system, by=by, **terms), tmp_path, chooser(5))


def named(table: Table, tmp_path: Path, choose: Any) -> Deputised:
    """All name dora: she joins from an archive, and signs as well."""
    table.__class__ = Deputised
    assert isinstance(table, Deputised)
    dora = Seat(tmp_path / "dora", "dora")
    player = next(iter(table.players.values()))
    joining_late.join_as_deputy(player.root, dora.root, "dora", dora.person)
    op = wishes.deputy_op(table.gm.folder, statements_in(*dora.mails()))
    table.deputy = dora
    made = agreed(table, table.gm, op)
    assert made.proposal.statement.sender == "gm"
    table.play_stage(choose)
    assert table.gm.folder.need_roster().deputy is not None
    assert dora.folder.need_roster().deputy == table.gm.folder.need_roster().deputy
    return table


def handed_over(table: Deputised) -> None:
    """The GM hands over, the deputy's tool checks every stage, and says to all that everything follows."""
    assert handing_over.due(table.gm.folder)
    handing_over.hand_over(table.gm.folder, table.gm.signer)
    good(table.post())
    assert not handing_over.due(table.gm.folder)
    assert table.deputy.folder.knows_all
    taking_over.confirm(table.deputy.folder, table.deputy.signer)
    good(table.post())
    assert deputies.ready(table.gm.folder.progress, table.gm.folder)


def charged(table: Deputised, to: str, by: Seat) -> None:
    charging.charge(by.folder, by.signer, to)
    good(table.post())
    table.by = table.deputy if to == "dora" else table.gm


def sound(table: Deputised) -> None:
    heads = {seat.folder.progress.head for seat in table.everybody}
    assert len(heads) == 1
    for seat in table.everybody:
        found = verify(seat.root, own=seat.folder.private)
        assert found.ok, (seat.name, found.findings)


@pytest.mark.parametrize("dice", ["swift", "locked"])
@pytest.mark.parametrize("system", [FOG, SYSTEM], ids=["fog", "open"])
def test_a_deputy_takes_over_a_game_and_hands_it_back(tmp_path: Path, system: System, dice: str) -> None:
    table = with_deputy(tmp_path, system, dice=dice)
    handed_over(table)
    charged(table, "dora", table.gm)
    first = table.progress.open_stage
    assert [one.party for one in awaited(table.players["north"].folder) if one.state == "report"] in (
        [],
        ["dora"],
    )
    table.play_stage(chooser(6))
    table.play_stage(chooser(7))
    reports = [table.gm.folder.of(stage, "report") for stage in (first, first + 1)]
    assert [[one.sender for one in listed] for listed in reports] == [["dora"], ["dora"]]
    assert table.gm.folder.state() == table.deputy.folder.state(), "both know the whole truth"
    sound(table)
    charged(table, "gm", table.gm)
    table.play_stage(chooser(8))
    assert [one.sender for one in table.gm.folder.of(first + 2, "report")] == ["gm"]
    sound(table)
    for seat in table.everybody:
        found = {
            (one.code, one.kind, one.stage) for one in verify(seat.root).findings if one.code == "deputy"
        }
        assert found == {("deputy", "proved", first), ("deputy", "proved", first + 1)}
    unseal(table.gm.folder, table.gm.signer, early=True)
    good(table.post())
    for seat in table.everybody:
        found = verify(seat.root)
        assert found.ok, found.findings
        assert "results" in {one.code for one in found.of("proved")}, found.findings


def test_the_dice_and_the_hidden_part_do_not_depend_on_who_acts(tmp_path: Path) -> None:
    """Same secret, same chain: run by the GM or the deputy, a stage has one record."""
    table = with_deputy(tmp_path, FOG)
    handed_over(table)
    charging.charge(table.gm.folder, table.gm.signer, "dora")
    good(table.post())
    for seat in table.asked():
        seat.answer_all(chooser(4))
    good(table.post())
    results = [
        gm_stage.adjudicate(seat.folder, seat.signer, dry_run=True).run for seat in (table.gm, table.deputy)
    ]
    assert results[0] is not None and results[1] is not None
    assert results[0].record == results[1].record
    assert results[0].facts == results[1].facts


def test_mails_that_cross_are_one_report(tmp_path: Path) -> None:
    """GM and deputy run the same stage; whoever comes second is noted, nobody stops, and the GM is back."""
    table = with_deputy(tmp_path, FOG)
    handed_over(table)
    charging.charge(table.gm.folder, table.gm.signer, "dora")
    good(table.post())
    for seat in table.asked():
        seat.answer_all(chooser(4))
    good(table.post())
    stage = table.progress.open_stage
    for seat in (table.gm, table.deputy):
        assert gm_stage.adjudicate(seat.folder, seat.signer, render=seat.render).done
    good(table.post())
    for seat in table.everybody:
        assert seat.folder.fork() is None
        assert {one.sender for one in seat.folder.of(stage, "report")} == {"gm", "dora"}, seat.name
    sound(table)
    assert deputies.mandate(table.progress, table.deputy.folder) is None, (
        "the GM's report took the charge back"
    )
    assert refused(gm_stage.adjudicate, table.deputy.folder, table.deputy.signer) == "charge"
    table.play_stage(chooser(9))
    sound(table)


def forked(tmp_path: Path, system: System) -> tuple[Deputised, int, Seat]:
    """GM and deputy have run one stage with other orders; gives the stage, and whose orders the GM lacked."""
    table = with_deputy(tmp_path, system, absent="skip")
    handed_over(table)
    charged(table, "dora", table.gm)
    late_one, stage = table.asked()[0], table.progress.open_stage
    for seat in table.asked():
        seat.answer_all(chooser(4))
    mails = [mail for seat in table.asked() if seat is not late_one for mail in seat.mails()]
    for seat in table.everybody:
        seat.receive(*mails)
    late = late_one.mails()
    table.deputy.receive(*late)
    gm_stage.adjudicate(table.gm.folder, table.gm.signer, [late_one.name])
    gm_stage.adjudicate(table.deputy.folder, table.deputy.signer)
    assert table.gm.folder.head(stage) != table.deputy.folder.head(stage)
    table.late = late
    return table, stage, late_one


def test_two_different_reports_of_gm_and_deputy_are_a_fork_with_signers_and_charge(tmp_path: Path) -> None:
    table, stage, late_one = forked(tmp_path, SYSTEM)
    north = next(seat for name, seat in table.players.items() if name != late_one.name)
    receipts = north.receive(*table.gm.mails(), *table.deputy.mails(), *table.late)
    assert "fork" in {one.outcome for one in receipts}, receipts
    note = north.folder.fork()
    assert note is not None
    text = (north.root / "inbox" / note).read_text("utf-8")
    (charge,) = north.folder.of(stage, "charge")
    assert "gm" in text and "dora" in text and charge.sid[:12] in text
    found = verify(north.root)
    assert not found.ok and "fork" in {one.code for one in found.of("false")}


@pytest.mark.parametrize("system", [FOG, SYSTEM], ids=["fog", "open"])
def test_an_amendment_of_all_ends_a_fork_of_gm_and_deputy(tmp_path: Path, system: System) -> None:
    """One player has the GM's report, one the deputy's, and one both at once; all play on in one game."""
    table, stage, late_one = forked(tmp_path, system)
    north, south = late_one, next(seat for seat in table.players.values() if seat is not late_one)
    reports = {"gm": table.gm.mails(), "dora": table.deputy.mails()}
    south.receive(*reports["gm"])  # and orders for the next stage, on a report that will not count
    if south.name in south.folder.progress.asked:
        south.answer_all(chooser(5))
        south.mails()
    north.receive(*reports["dora"], *table.late)
    twice = south.copy(tmp_path / "twice")
    twice.folder.check_no_fork()
    for seat in table.everybody:
        seat.receive(*reports["gm"], *reports["dora"], *table.late)
        assert refused(seat.folder.check_no_fork) == "fork", seat.name
    assert refused(proposing.propose, north.folder, [DAYS], [north.signer]) == "fork"
    ops = [{"op": "rewind", "to": stage - 1}]
    made = proposing.propose(north.folder, ops, [north.signer], aware=True)
    assert made.proposal.statement.stage == stage
    good(table.post())
    assert refused(gm_stage.adjudicate, table.gm.folder, table.gm.signer) == "fork", "not all have signed yet"
    assert stand(south.folder).command == f"pbem amend sign {made.proposal.statement.sid[:12]}"
    for seat in (table.gm, south):
        proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer], aware=True)
        good(table.post())
    assert stand(table.gm.folder).command == "pbem adjudicate"
    closing = gm_stage.adjudicate(table.gm.folder, table.gm.signer, render=table.gm.render)
    mails = table.gm.mails()
    assert closing.done and closing.stage == stage
    for seat in table.everybody:
        seat.receive(*mails)
        assert seat.folder.fork() is None, seat.name
        seat.folder.check_no_fork()
        assert seat.folder.record(stage).closed
    receipts = twice.receive(*mails)  # who never saw the other report gets both with the one that ends it
    assert twice.folder.fork() is None and twice.folder.record(stage).closed, receipts
    south.receive(*reports["dora"])  # an old email does no harm
    south.folder.check_no_fork()
    for seat in table.everybody:
        found = verify(seat.root, own=seat.folder.private)
        assert found.ok, (seat.name, found.findings)
        assert ("fork-ended", stage) in {(one.code, one.stage) for one in found.of("proved")}
    table.by = table.gm
    table.play_stage(chooser(6))
    table.play_stage(chooser(7))
    sound(table)


def test_a_gm_cannot_take_a_stage_back_by_a_report_that_ends_no_fork(tmp_path: Path) -> None:
    """The signatures of all are there, but the stage was played and nobody contradicts anybody."""
    table = with_deputy(tmp_path, SYSTEM)
    table.play_stage(chooser(4))
    north = table.players["north"]
    stage = north.folder.stage
    before = north.folder.progress_at(stage - 1)
    assert two_reports.to_amend(north.folder).open_stage == stage + 1
    body: Any = {"ops": [{"op": "rewind", "to": stage - 1}]}
    amend = before.own_statement("amend", body, "gm")
    signed = Signed(
        amend.bytes, tuple(seat.signer.sign(amend.bytes) for seat in (table.gm, *table.players.values()))
    )
    record = records.closed(stage, bytes.fromhex(before.head), [amend.sid])
    report = before.own_statement("report", {"record": record.data, "events": []}, "gm", 2)
    receipts = north.receive_signed(signed, Signed.by(table.gm.signer, report.bytes))
    assert not north.folder.record(stage).closed, receipts
    north.folder.check_no_fork()
    name = north.root / "stages" / f"{stage:04d}"
    (name / f"{report.sid}.json").write_bytes(report.bytes)
    (name / f"{report.sid}.sig").write_text(table.gm.signer.sign(report.bytes))
    assert "correction" in {one.code for one in verify(north.root).of("false")}


def test_a_deputy_alone_takes_over_only_where_all_agreed_on_days(tmp_path: Path) -> None:
    table = with_deputy(tmp_path, SYSTEM)
    handed_over(table)
    dora = table.deputy
    assert refused(charging.charge, dora.folder, dora.signer, "dora") == "charge"
    made = proposing.propose(table.gm.folder, [DAYS], [table.gm.signer])
    good(table.post())
    for seat in table.players.values():
        proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer])
        good(table.post())
    table.play_stage(chooser(4))
    charged(table, "dora", dora)
    gm = table.gm
    assert refused(charging.charge, gm.folder, gm.signer, "dora") == "charge", "she is in charge already"
    table.play_stage(chooser(4))
    stage = table.progress.stage
    found = [one for one in verify(table.gm.root).findings if one.code == "deputy"]
    assert [(one.kind, one.stage, one.party) for one in found] == [("claimed", stage, "dora")]
    charged(table, "gm", dora)  # hands back
    for to in ("gm", "dora"):  # who is in charge already, and who is not again before the next stage
        assert refused(charging.charge, gm.folder, gm.signer, to) == "charge"
    assert refused(gm_stage.adjudicate, dora.folder, dora.signer) == "charge"
    table.play_stage(chooser(4))
    sound(table)


def test_nobody_believes_a_deputy_without_a_charge(tmp_path: Path) -> None:
    table = with_deputy(tmp_path, FOG)
    handed_over(table)
    dora, north = table.deputy, table.players["north"]
    for name in (gm_stage.adjudicate, acknowledge):
        assert refused(name, dora.folder, dora.signer) == "charge"
    for seat in table.asked():
        seat.answer_all(chooser(4))
    good(table.post())
    folder = dora.folder
    folder.__dict__["_why_not_acting"] = lambda: None  # a tool that was tampered with
    assert gm_stage.adjudicate(folder, dora.signer).done
    receipts = north.receive(*dora.mails())
    assert [one for one in receipts if one.outcome == "refused"], receipts
    assert any("charge" in str(one.reason) for one in receipts)
    north.folder.check_no_fork()  # and nothing is stopped by it
    found = verify(dora.root)
    assert "charge" in {one.code for one in found.of("false")}


def test_a_handover_is_in_no_archive_and_no_other_folder(tmp_path: Path) -> None:
    table = with_deputy(tmp_path, FOG)
    handed_over(table)
    (signed,) = [one for one, _ in handing_over.kept_signed(table.gm.folder)]
    secret = table.gm.folder.private.gm_secret.hex().encode()
    for seat in table.everybody:
        for name, data in tree(seat.root).items():
            mine = name.startswith("private/") and seat in (table.gm, table.deputy)
            sent = name.startswith("outbox/") and seat is table.gm
            if not mine and not sent:
                assert signed.sid.encode() not in data or b'"ack"' in data or "ready" in name, (
                    seat.name,
                    name,
                )
                assert b'"handover"' not in data, (seat.name, name)
                assert secret not in data, (seat.name, name)
    mode = {path.stat().st_mode & 0o777 for path in (table.deputy.root / "private").rglob("*.json")}
    assert mode == {0o600}


def test_a_wrong_handover_is_refused_and_told_to_the_gm_only(tmp_path: Path) -> None:
    table = with_deputy(tmp_path, FOG)
    gm, dora = table.gm, table.deputy
    right = handing_over.contents
    import dataclasses

    wrong = {
        "chain": b"\1" * 32,
        "secret": b"\2" * 32,
        "seal": (b"\3" * 32,),
    }
    for member, value in wrong.items():
        false = dataclasses.replace(right(gm.folder), **{member: value})
        folder = gm.folder
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(handing_over, "contents", lambda _, found=false: found)
            handing_over.hand_over(folder, gm.signer)
        (receipt,) = dora.receive(*gm.mails())
        assert receipt.outcome == "refused", (member, receipt)
        assert not dora.folder.knows_all
        answer = [path for path in (dora.root / "outbox").glob("refused-*") if "gm" in path.name]
        assert answer, member
    handing_over.hand_over(gm.folder, gm.signer)
    (receipt,) = dora.receive(*gm.mails())
    assert receipt.outcome == "taken"


def test_a_committed_ruling_is_handed_over_again(tmp_path: Path) -> None:
    """The GM rules under seal after the handover: the deputy waits for the opening, then goes on."""
    table = with_deputy(tmp_path, FOG)
    handed_over(table)
    unit = next(iter(table.gm.folder.state().position.counters))
    change = {"set": unit, "fields": {"steps": 7}}
    proposing.rule(table.gm.folder, [change], "misplaced", table.gm.signer)
    good(table.post())
    assert handing_over.due(table.gm.folder)
    for seat in table.asked():
        seat.answer_all(chooser(4))
    good(table.post())
    gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    mails = table.gm.mails()
    receipts = table.deputy.receive(*mails)
    assert "waiting" in {one.outcome for one in receipts}, receipts
    handing_over.hand_over(table.gm.folder, table.gm.signer)
    receipts = table.deputy.receive(*table.gm.mails())
    assert table.deputy.folder.progress.head == table.gm.folder.progress.head, receipts
    assert table.deputy.folder.state() == table.gm.folder.state()


def test_a_correction_by_the_deputy_takes_the_next_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = with_deputy(tmp_path, SYSTEM)
    handed_over(table)
    charged(table, "dora", table.gm)
    table.play_stage(chooser(5))
    assert refused(correcting.correct, table.deputy.folder, table.deputy.signer) == "nothing-to-correct"


def test_the_deputy_ends_by_the_gm_alone_and_then_nothing_of_hers_counts(tmp_path: Path) -> None:
    table = with_deputy(tmp_path, FOG)
    handed_over(table)
    charged(table, "dora", table.gm)
    made = proposing.propose(table.gm.folder, [{"op": "deputy", "party": "dora"}], [table.gm.signer])
    assert made.proposal.complete
    good(table.post())
    table.by = table.gm
    table.play_stage(chooser(4))
    assert table.gm.folder.need_roster().deputy is None
    assert refused(charging.charge, table.gm.folder, table.gm.signer, "dora") == "no-deputy"
    one = table.gm.folder.progress.own_statement("charge", {"to": "gm"}, "dora")
    receipts = table.gm.receive_signed(Signed(one.bytes, (signer_of("dora").sign(one.bytes),)))
    assert [each.outcome for each in receipts] == ["unsigned"]
    del table.deputy
    table.play_stage(chooser(4))
    for seat in table.everybody:
        assert verify(seat.root, own=seat.folder.private).ok


def test_a_deputy_joins_with_the_invitation_and_signs_the_roster(tmp_path: Path) -> None:
    from pbem.archive.setting_up import before_the_game

    table = Table(tmp_path, FOG, "ford", ("north", "south"), chain_length=64)
    table.__class__ = Deputised
    assert isinstance(table, Deputised)
    dora = Seat(tmp_path / "dora", "dora")
    (invitation,) = (table.gm.root / "outbox").glob("*.pbem-invitation")
    found = before_the_game.read_invitation(invitation.read_bytes())
    before_the_game.join(dora.root, found, "dora", dora.person, role="deputy")
    table.deputy = dora
    table.start()
    roster = table.gm.folder.need_roster()
    assert roster.deputy is not None and roster.deputy.role == "deputy"
    handed_over(table)
    charged(table, "dora", table.gm)
    table.play_stage(chooser(1))
    assert [one.sender for one in dora.folder.of(1, "report")] == ["dora"]
    sound(table)


def test_a_deputy_ends_the_game_with_the_unseal(tmp_path: Path) -> None:
    table = with_deputy(tmp_path, FOG)
    handed_over(table)
    charged(table, "dora", table.gm)
    table.play(chooser(5))
    assert refused(unseal, table.players["north"].folder, table.players["north"].signer) == "nothing-to-open"
    unseal(table.deputy.folder, table.deputy.signer)
    good(table.post())
    for seat in table.everybody:
        found = verify(seat.root)
        assert found.ok, found.findings
        assert "results" in {one.code for one in found.of("proved")}


def test_what_may_not_be_in_an_archive_is_found_with_its_code(tmp_path: Path) -> None:
    """A charge that cannot be, what a deputy never says, and a handover: a secret that got out."""
    table = with_deputy(tmp_path, SYSTEM)
    gm, dora = table.gm, table.deputy
    progress = gm.folder.progress
    handing_over.hand_over(gm.folder, gm.signer)
    ((handover, handed),) = handing_over.kept_signed(gm.folder)
    charge = progress.own_statement("charge", {"to": "dora"}, "dora")
    amend = progress.own_statement("amend", {"ops": [DAYS]}, "dora")
    table.play_stage(chooser(4))
    assert verify(gm.root).ok
    for one, signed, kind, party in (
        (charge, Signed.by(dora.signer, charge.bytes), ("false", "charge"), "dora"),
        (amend, Signed.by(dora.signer, amend.bytes), ("false", "role"), "dora"),
        (handover, handed, ("claimed", "handover"), "gm"),
    ):
        place = gm.root / f"stages/{one.stage:04d}/{one.sid}"
        place.with_suffix(".json").write_bytes(one.bytes)
        place.with_suffix(".sig").write_text(signed.signatures[0])
        found = verify(gm.root)
        assert (*kind, party) in {(each.kind, each.code, each.party) for each in found.findings}, (
            found.findings
        )
        assert found.ok == (kind[0] != "false")
        for ending in (".json", ".sig"):
            place.with_suffix(ending).unlink()
    with pytest.raises(Refused):
        charging.charge(table.players["north"].folder, table.players["north"].signer, "north")


def test_under_pseudonyms_the_handover_has_the_addresses(tmp_path: Path) -> None:
    """If the GM is gone, players could not find each other (protocol-letters 4)."""
    from pbem.archive.letters.seat_addresses import set_address
    from tests.unit.archive.test_gunboat import MASKS

    table = with_deputy(tmp_path, SYSTEM, agreed=MASKS)
    for seat in ("north", "south"):
        set_address(table.gm.folder, seat, f"real-{seat}@example.org")
    handed_over(table)
    known = json.loads((table.deputy.root / "private" / "addresses.json").read_text("utf-8"))
    assert known == {seat: f"real-{seat}@example.org" for seat in ("north", "south")}


def test_a_look_at_an_encrypted_folder_asks_nobody_for_a_passphrase(tmp_path: Path) -> None:
    from pbem.archive.folder.game_folder import Folder

    table = with_deputy(tmp_path, FOG)
    handed_over(table)
    (secrets,) = (table.deputy.root / "private" / "coming").glob("handover-*.json")
    secrets.rename(secrets.with_suffix(".asc"))

    def asks(what: str) -> str:
        raise AssertionError(f"asked for a passphrase: {what}")

    folder = Folder(table.deputy.root, asks)
    assert folder.knows_all and not folder.acting
    assert not taking_over.to_confirm(folder)
