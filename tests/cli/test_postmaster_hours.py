"""The postmaster of a game with pseudonyms sends on at fixed hours, so that no hour tells who wrote."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.archive import Folder, protest, seat_addresses
from pbem.cli.club.fixed_hours import Hours
from pbem.cli.club.serving import Served, serve
from pbem.cli.games import clock
from tests.primer import SYSTEM
from tests.unit.archive.table import Table, begun, chooser
from tests.unit.archive.test_gunboat import MASKS

HOURS = ("06:00", "18:00")


class Day:
    """A GM's machine through a day: what it keeps between two looks, and the emails to South."""

    def __init__(self, table: Table, patch: pytest.MonkeyPatch) -> None:
        self.table, self.patch, self.kept = table, patch, ""

    @property
    def gm(self) -> Folder:
        return self.table.gm.folder

    def at(self, hour: str, *, forgets: bool = False) -> Served:
        moment = datetime.fromisoformat(f"2026-11-28T{hour}").replace(tzinfo=UTC)
        self.patch.setattr(clock, "now", lambda: moment)
        done = serve(self.gm, [], -2, Hours(HOURS, "" if forgets else self.kept))
        self.kept = done.kept
        return done

    def to_south(self) -> int:
        return len(list((self.gm.root / "private/letters").glob("*to-south*sent-on*.eml")))

    def acks(self) -> int:
        return len(self.gm.of(self.gm.progress.open_stage, "ack"))


@pytest.fixture
def day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Day:
    table = begun(tmp_path, SYSTEM, agreed=MASKS)
    for seat in ("north", "south"):
        seat_addresses.set_address(table.gm.folder, seat, f"{seat}@home.example")
    key = tmp_path / "key"
    me = table.gm.root / "private/me.json"
    key.write_bytes(key_bytes())
    me.write_text(json.dumps({**json.loads(me.read_text()), "key_file": str(key)}), "utf-8")
    return Day(table, monkeypatch)


def key_bytes() -> bytes:
    """The GM's key as a file: that of `signer_of`."""
    import hashlib

    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = hashlib.sha256(b"pbem test gm").digest()
    key = Ed25519PrivateKey.from_private_bytes(seed)
    return key.private_bytes(s.Encoding.PEM, s.PrivateFormat.OpenSSH, s.NoEncryption())


def test_what_a_player_writes_goes_at_the_next_fixed_hour_and_not_before(day: Day) -> None:
    north = day.table.players["north"]
    protest(north.folder, north.signer, "My mail is slow.")
    north.answer_all(chooser(1))
    day.table.post()
    assert day.at("05:10").wake == datetime(2026, 11, 28, 6, tzinfo=UTC)
    assert day.to_south() == day.acks() == 0
    assert [str(one) for one in day.at("06:00:20").did] == ["sent on at 06:00 UTC what players wrote"]
    assert day.to_south() == day.acks() == 1, "and the orders that have come are acknowledged"
    assert day.at("06:00:40").wake == datetime(2026, 11, 28, 18, tzinfo=UTC)
    protest(north.folder, north.signer, "Still slow.")
    day.table.post()
    for hour in ("06:20", "12:00", "17:59:59"):
        day.at(hour)
        assert day.to_south() == 1, hour
    day.at("18:30")
    assert day.to_south() == 2


def test_a_postmaster_that_was_stopped_at_the_hour_waits_for_the_next(day: Day) -> None:
    north = day.table.players["north"]
    protest(north.folder, north.signer, "My mail is slow.")
    day.table.post()
    assert day.at("07:30", forgets=True).did == [] and day.to_south() == 0
    day.at("18:00", forgets=True)
    assert day.to_south() == 1


def test_hours_around_midnight_and_none_at_all() -> None:
    late = datetime(2026, 11, 28, 0, 5, tzinfo=UTC)
    hours = Hours(("23:50",))
    assert hours.due(late) == late.replace(day=27, hour=23, minute=50)
    assert hours.next(late) == late.replace(hour=23, minute=50)
    assert Hours(("23:50",), "2026-11-27T23:50:00+00:00").due(late) is None
    assert hours.due(late + timedelta(hours=1)) is None and Hours().due(late) is None
