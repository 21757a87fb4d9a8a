"""Games under pseudonyms: entries that name somebody are refused, and so are terms that cannot be."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.archive.amending import proposing
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.seat_letters import (
    ADDRESSES,
    addresses,
    by_seat,
    newcomer,
    of_seats,
    settled_file,
)
from pbem.archive.letters import seat_addresses, sending_on
from pbem.archive.setting_up import before_the_game
from pbem.stages import gunboat
from pbem.stages.agreements import Agreement
from pbem.text.diagnostics import Refused
from pbem.trust.roster import Party
from tests.primer import SYSTEM
from tests.unit.archive.table import Table, begun, signer_of

MASKS = Agreement(gunboat=True)


def code(error: pytest.ExceptionInfo[Refused]) -> str:
    return error.value.diagnostics[0].code


def entries(table: Table) -> tuple[Party, ...]:
    return table.gm.folder.need_roster().parties


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return begun(tmp_path, SYSTEM, agreed=MASKS)


def test_a_roster_that_names_a_player_is_not_signed(table: Table) -> None:
    terms = table.gm.folder.terms
    assert gunboat.fault_of(terms, entries(table)) is None
    for named in ({"name": "North"}, {"mail": "north@example.org"}):
        spoilt = [replace(one, **named) if one.id == "north" else one for one in entries(table)]
        assert gunboat.fault_of(terms, spoilt), named
        with pytest.raises(Refused) as refused:
            before_the_game._check_agreed(terms, 2, spoilt)
        assert code(refused) == "names-somebody"


def test_two_without_a_gm_cannot_hide_from_each_other(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        Table(tmp_path, SYSTEM, "ford", ("north", "south"), dice="pair", agreed=MASKS)
    assert code(refused) == "names-somebody"


def test_no_amendment_ends_the_pseudonyms_or_names_a_player(table: Table) -> None:
    north = table.players["north"]
    for op in (
        {"op": "option", "name": "gunboat", "value": "no"},
        {"op": "key", "party": "north", "name": "Quentin"},
        {"op": "key", "party": "north", "mail": "quentin@example.org"},
    ):
        with pytest.raises(Refused):
            proposing.propose(north.folder, [op], [north.signer])


def test_an_address_is_set_by_hand_where_there_are_pseudonyms(table: Table, tmp_path: Path) -> None:
    assert seat_addresses.without_address(table.gm.folder) == ["north", "south"]
    with pytest.raises(Refused) as refused:
        seat_addresses.set_address(table.gm.folder, "north", "nowhere")
    assert code(refused) == "bad-address"
    seat_addresses.set_address(table.gm.folder, "north", "q@example.org")
    assert seat_addresses.without_address(table.gm.folder) == ["south"]
    with pytest.raises(Refused) as refused:
        seat_addresses.set_address(begun(tmp_path / "open", SYSTEM).gm.folder, "north", "q@example.org")
    assert code(refused) == "no-pseudonyms"


def test_the_gm_alone_proposes_a_newcomer_and_needs_an_address(table: Table) -> None:
    op = {"op": "party", "party": "north", "sign": signer_of("new").public.hex()}
    gm = table.gm.folder
    for folder, wanted in ((gm, "bad-address"), (table.players["south"].folder, "role")):
        with pytest.raises(Refused) as refused:
            seat_addresses.of_newcomer(folder, op, None)
        assert code(refused) == wanted
    with pytest.raises(Refused):
        seat_addresses.of_newcomer(gm, op, "nowhere")
    more = seat_addresses.of_newcomer(gm, op, "new@example.org")
    seat_addresses.add_addresses(gm, more)
    assert seat_addresses.of_newcomer(gm, op, None) == {}, "it is known by now"
    assert of_seats(addresses(gm.private)) == {}, "until all have signed, nobody has the seat"
    assert seat_addresses.of_newcomer(gm, {**op, "party": "gm"}, None) == {}


def test_an_email_that_names_a_seat_twice_is_for_who_is_to_have_it_too() -> None:
    known = {"north": "n@a.b", newcomer("north", "key 1"): "new@a.b", newcomer("south", "key 2"): "s@a.b"}
    twice = EML.replace(b"south <gm@x.y>", b"north <gm@x.y>")
    made = by_seat(
        Changes({"outbox/stage-0003-gm-amend.eml": twice}), ("north", "south"), "gm", "g@x.y", known
    )
    to = sorted(re.search(rb"To: (.*)\r", data)[1] for data in made.files.values())  # type: ignore[index]
    assert to == [b"Eve <eve@x.y>", b"n@a.b", b"new@a.b"]
    roster = {"roster": {"parties": [{"id": "north", "sign": "key 1"}, {"id": "south", "sign": "key 3"}]}}
    settled = json.loads(settled_file(known, json.dumps(roster).encode()).files[ADDRESSES])
    assert settled == {"north": "new@a.b", newcomer("south", "key 2"): "s@a.b"}
    other = {"roster": {"parties": [{"id": "north", "sign": "key 0"}]}}
    assert not settled_file(known, json.dumps(other).encode()).files


def test_nothing_waits_in_a_game_without_pseudonyms(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    assert sending_on.waiting(table.gm.folder) == 0 and sending_on.send_on(table.gm.folder) == []


EML = (
    b"Subject: x\r\nFrom: gm <gm@x.y>\r\nTo: north <gm@x.y>,\r\n south <gm@x.y>\r\n"
    b"Cc: Eve <eve@x.y>\r\n\r\nTo: body\r\n"
)


def test_an_email_to_several_is_one_to_each_and_the_body_stays() -> None:
    changes = Changes({"outbox/stage-0003-gm-ack-rev2.eml": EML, "outbox/a.pbem.txt": b"x"})
    made = by_seat(changes, ("north", "south"), "gm", "gm@x.y", {"north": "n@a.b"}).files
    assert set(made) == {
        "outbox/stage-0003-gm-ack-rev2.eml",
        "outbox/a.pbem.txt",
        "private/letters/stage-0003-to-north-gm-ack-rev2.eml",
        "private/letters/stage-0003-to-south-gm-ack-rev2.eml",
    }
    north = made["private/letters/stage-0003-to-north-gm-ack-rev2.eml"]
    assert north == b"To: n@a.b\r\nSubject: x\r\nFrom: gm <gm@x.y>\r\n\r\nTo: body\r\n"
    assert b"To: " not in made["private/letters/stage-0003-to-south-gm-ack-rev2.eml"].split(b"\r\n\r\n")[0]
    assert b"To: Eve <eve@x.y>\r\n" in made["outbox/stage-0003-gm-ack-rev2.eml"]


def test_a_player_writes_to_the_gm_alone() -> None:
    made = by_seat(Changes({"outbox/x.eml": EML}), ("north", "south"), "north", "gm@x.y", {"north": "n@a.b"})
    head = made.files["outbox/x.eml"].split(b"\r\n\r\n")[0]
    assert head == b"From: n@a.b\r\nTo: gm@x.y\r\nSubject: x"
    assert signer_of("north").public
