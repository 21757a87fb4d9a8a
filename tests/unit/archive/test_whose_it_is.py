"""Whose something is: a handover, a lent seat, a letter, a secret; and when something came."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.deputies import handing_over, lent
from pbem.archive.folder.changes import Changes
from pbem.archive.git.merging import merge
from pbem.archive.receiving import following_up
from pbem.archive.receiving.receive import Receipt
from pbem.archive.verifying.verify import verify
from pbem.stages import press, unseal_checks
from pbem.stages.views import blank_state
from pbem.trust.accept import signer
from pbem.trust.errors import NotAccepted
from pbem.trust.roster import Former, Party, secret_commitment
from pbem.trust.statements import MAX_FROM_PLAYER
from tests.primer import FOG, SYSTEM
from tests.unit.archive.mailing import order_of
from tests.unit.archive.table import begun, chooser, signer_of
from tests.unit.archive.test_amendments import agreed

# --- deputies -------------------------------------------------------------------------------------------


def test_a_handover_to_the_deputy_before_is_none_to_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it held: the new one can't open it. Nor is one enough that lacks keys lent since."""
    monkeypatch.setattr(handing_over, "contents", lambda folder: None)
    monkeypatch.setattr(handing_over, "_digest", lambda made: "aa")
    lent: list[Any] = []
    monkeypatch.setattr(handing_over, "lent_to", lambda roster, gm: lent)
    noted = {"sha256": "aa", "to": "dora", "lent": []}
    private = SimpleNamespace(json=lambda name: noted)
    roster = SimpleNamespace(deputy=SimpleNamespace(id="dora"))
    folder: Any = SimpleNamespace(is_gm=True, roster=roster, stage=1, private=private, root=tmp_path)
    folder.unsigned, folder.need_roster, folder.need_me = lambda: (), lambda: roster, lambda *roles: "gm"
    assert not handing_over.due(folder) and handing_over.handed_before(folder)
    roster.deputy.id = "emil"
    assert handing_over.due(folder) and not handing_over.handed_before(folder)
    roster.deputy.id, lent[:] = "dora", [SimpleNamespace(id="south", sign=bytes(32))]
    assert handing_over.due(folder)


def test_a_deputy_plays_lent_seats_only_while_in_charge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lent, "lent_to", lambda roster, gm: [SimpleNamespace(id="south")])
    monkeypatch.setattr(lent, "_held", lambda folder: {"south": {}, "north": {}})
    monkeypatch.setattr(lent, "fits", lambda roster, party, held: True)
    roster = SimpleNamespace(terms=SimpleNamespace(arbiter="gm"))
    folder: Any = SimpleNamespace(role="deputy", knows_all=True, acting=True, root=tmp_path)
    folder.need_roster = lambda: roster
    assert lent.folders(folder) == {"south": tmp_path / "lent-south"}
    for name, value in (("acting", False), ("knows_all", False), ("role", "gm")):
        other: Any = SimpleNamespace(**{**vars(folder), name: value})
        assert lent.folders(other) == {}, name


def test_the_folder_of_a_lent_seat_has_what_its_owner_knows(tmp_path: Path) -> None:
    """And not what another player, or the GM alone, knows."""
    table = begun(tmp_path, FOG, by=(2,))
    root = tmp_path / "lent"
    (root / "private").mkdir(parents=True)
    lent.bring_level(table.gm.folder, root, "south")
    mine = json.loads((root / "private" / "facts.json").read_text("utf-8"))["facts"]
    south = json.loads((table.players["south"].root / "private" / "facts.json").read_text("utf-8"))["facts"]
    assert sorted(mine) == sorted(south)


# --- receiving ------------------------------------------------------------------------------------------


def test_what_comes_again_came_when_it_came_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody signed came at no time."""
    monkeypatch.setattr(following_up, "arrivals", lambda folder: {"aa": "on Monday"})
    monkeypatch.setattr(following_up, "noted", lambda folder: {})
    receipts = [
        Receipt(outcome, "order", sid=sid)  # type: ignore[arg-type]
        for outcome, sid in (("duplicate", "aa"), ("taken", "bb"), ("unsigned", "cc"))
    ]
    folder: Any = None
    came = following_up._arrived(folder, receipts, "on Friday", Changes())
    assert came == {"aa": "on Monday", "bb": "on Friday"}


def test_unsigned_orders_are_answered_to_who_must_sign_them_and_to_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not to who may answer by plain email, not to oneself, not to a stranger."""
    monkeypatch.setattr(following_up, "writers", lambda roster: ("south",))
    monkeypatch.setattr(following_up, "_letter", lambda folder, place, file, to, *more: [f"{place} {to.id}"])
    parties = [
        SimpleNamespace(id=name, mail=f"{name.title()}@example.org") for name in ("gm", "north", "south")
    ]
    folder: Any = SimpleNamespace(me="gm", need_roster=lambda: SimpleNamespace(parties=parties))

    def drafts(name: str) -> list[str]:
        reply: Any = SimpleNamespace(sender=f"{name}@example.org", digest="ab" * 32)
        return following_up._draft(folder, reply, Changes())

    assert drafts("north") == ["outbox/drafts north"]
    assert drafts("south") == drafts("gm") == drafts("mallory") == []


def test_a_letter_to_a_dropped_player_is_not_allowed(tmp_path: Path) -> None:
    roster = begun(tmp_path, SYSTEM).gm.folder.need_roster()
    assert press.fault_of(roster, "north", ("south",)) is None
    gone = replace(roster, dropped=frozenset({"south"}))
    assert press.fault_of(gone, "north", ("south",)) is not None


def test_a_former_gm_s_secret_may_be_published_and_no_other(tmp_path: Path) -> None:
    """All that they hid is opened with it."""
    table = begun(tmp_path, FOG)
    now = table.gm.folder.need_roster()
    old, new = b"o" * 32, b"n" * 32
    salt = now.terms.salt
    before = Former(1, now.by_id["gm"], secret_commitment(salt, old))
    roster = replace(now, secret=secret_commitment(salt, new), former=(before,))

    def fault(secret: bytes) -> str | None:
        said: Any = SimpleNamespace(sender="gm", unseal=SimpleNamespace(secret=secret, opened={}))
        return unseal_checks.unseal_fault(roster, said, lambda sid: None)

    assert fault(old) is fault(new) is None
    assert fault(b"x" * 32) is not None


# --- merging --------------------------------------------------------------------------------------------


def test_an_amendment_comes_from_another_archive_with_the_signatures_of_all(tmp_path: Path) -> None:
    """Who has read no emails merges: nobody is accused, and the game goes on."""
    table = begun(tmp_path, SYSTEM)
    north, south = table.players["north"], table.players["south"]
    then = south.copy(tmp_path / "then")
    agreed(table, table.gm, {"op": "option", "name": "turns", "value": 1})
    table.play_stage(chooser(1))
    merge(then.folder, north.root)
    assert not [path.name for path in (then.root / "inbox").glob("false-*")]
    assert then.folder.progress == south.folder.progress
    assert verify(then.root).ok


def test_orders_that_come_when_everything_is_open_are_refused(tmp_path: Path) -> None:
    """Their sender may have known all secrets."""
    table = begun(tmp_path, FOG)
    late = table.asked()[0]
    order = order_of(late)
    unseal(table.gm.folder, table.gm.signer, early=True)
    mails = table.gm.mails()
    for seat in table.players.values():
        seat.receive(*mails)
    other = next(seat for seat in table.players.values() if seat is not late)
    for seat in (table.gm, other):
        (receipt,) = seat.receive_signed(order)
        assert receipt.outcome == "refused" and "ended before stage 1" in receipt.reason


def test_a_deputy_s_report_may_be_as_large_as_the_gm_s() -> None:
    data, dora = b" " * (MAX_FROM_PLAYER + 1), signer_of("dora")
    for role, allowed in (("deputy", True), ("gm", True), ("player", False), ("observer", False)):
        party = Party("dora", role, "Dora", "d@example.org", dora.public)  # type: ignore[arg-type]
        try:
            assert signer(data, dora.sign(data), [party]) == party and allowed
        except NotAccepted as fault:
            assert fault.code == "size" and not allowed


def test_a_state_without_options_says_so() -> None:
    """Records hold its digest: the member was there from the beginning, also where it is empty."""
    state = replace(blank_state(SYSTEM, "ford"), options={})
    assert state.to_json()["options"] == {} and "standing" not in state.to_json()
