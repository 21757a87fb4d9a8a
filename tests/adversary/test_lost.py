"""Mail that never came: what is missing is named, with whom to ask, and nothing is written out of curiosity
(protocol 12.1, 14).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from pbem.archive.adjudicating import comparing, gm_stage, link_due
from pbem.cli.main import cli
from pbem.text.diagnostics import Refused
from tests.adversary.forge import parsed
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser, statements_in


def run(seat: Seat, *args: str) -> Result:
    return CliRunner().invoke(cli, ["-C", str(seat.root), *args])


def warnings(seat: Seat) -> list[str]:
    found: list[str] = json.loads(run(seat, "status", "--json").stdout)["warnings"]
    return found


def test_a_report_that_was_lost_is_named_with_whom_to_ask(start: Any) -> None:
    """Stage 2's report is there, stage 1's is not: `receive` said "early", `status` nothing."""
    game = start(SYSTEM, absent="skip")
    game.answer()
    first = game.report().mail()
    game.give("north", *first)
    game.answer("north")
    game.adjudicate(forfeits=["south"])
    (mail,) = [path for path in game.table.gm.mails() if "stage-0002" in path.name]
    south = game.seat("south")
    got = game.give("south", *statements_in(mail))
    asked = "the report of stage 1 is missing here; ask gm (Gm <gm@example.org>)"
    early = [one for one in got if one.outcome == "early"]
    assert early and all(asked in one.reason for one in early)
    assert south.folder.stage == 0
    (line,) = warnings(south)
    assert line.startswith("order of north for stage 2, and ") and asked in line
    game.give("south", *first)
    assert south.folder.stage == 2 and warnings(south) == []


def test_what_is_far_ahead_is_refused_and_says_what_is_missing(game: Game) -> None:
    (receipt,) = game.give("south", game.gm.says("ack", {"have": ["00" * 32]}, stage=9, prev="00" * 32))
    assert receipt.outcome == "refused"
    assert "the report of stage 1 is missing here; ask gm (Gm <gm@example.org>)" in receipt.reason


def test_a_report_that_waits_for_an_order_says_so_in_status(game: Game) -> None:
    """Its orders were lost on the way: named with who sent them and who has them."""
    seats = game.table.asked()
    for seat in seats:
        seat.answer_all(chooser(1))
    orders = {seat.name: statements_in(*seat.mails()) for seat in seats}
    for found in orders.values():
        game.give("gm", *found)
    report = game.report()
    south = game.seat("south")
    only = [mail for mail in report.mail() if parsed(mail)["type"] in ("report", "view")]
    told = [option for option in game.give("south", *only) if option.outcome == "waiting"]
    assert told and "is missing; ask north (North <north@example.org>) or gm" in told[0].reason
    (line,) = warnings(south)
    assert line.startswith("report of gm for stage 1 waits: the order ") and "ask north (North" in line


def test_before_the_first_report_status_says_what_is_missing(game: Game) -> None:
    from tests.adversary.play import unbegin

    game.answer()
    mail = game.report().mail()
    unbegin(game)
    game.give("south", *mail)
    (line,) = warnings(game.seat("south"))
    assert "the report of stage 0 is missing here; ask gm" in line


# --- compare --------------------------------------------------------------------------------------------


def pair(tmp_path: Path) -> Table:
    table = begun(tmp_path, SYSTEM, dice="pair")
    table.play_stage(chooser(1))
    return table


def test_compare_out_of_curiosity_signs_nothing(tmp_path: Path) -> None:
    """It wrote a protest where nothing is disputed, and `verify` showed it for ever."""
    table = pair(tmp_path)
    north = table.players["north"]
    before = sorted(north.root.rglob("*"))
    done = run(north, "compare")
    assert done.exit_code == 0, done.output
    assert f"stage 1: your record has the head {north.folder.head(1)}" in done.stdout
    assert "nothing is disputed here" in done.stderr and "--write" in done.stderr
    assert sorted(north.root.rglob("*")) == before
    assert json.loads(run(north, "compare", "--json").stdout)["files"] == []


def test_who_has_the_other_s_record_and_another_one_is_in_dispute(tmp_path: Path) -> None:
    table = pair(tmp_path)
    north, south = table.players["north"], table.players["south"]
    comparing.export(south.folder, south.signer)
    (mail,) = [path for path in south.mails() if "protest" in path.name]
    north.receive(mail)
    assert not comparing.disputed(north.folder)  # it is the same record
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.archive.adjudicating.comparing.Computed.text", lambda self: other_text(self))
        comparing.export(south.folder, south.signer)
    (mail,) = [path for path in south.mails() if "protest" in path.name]
    north.receive(mail)
    assert comparing.disputed(north.folder)


def other_text(mine: comparing.Computed) -> str:
    record = {**mine.record.data, "events": "ab" * 32}
    return json.dumps({"format": comparing.FORMAT, "record": record, "events": []})


# --- two orders of one number ---------------------------------------------------------------------------


def test_an_order_that_was_signed_in_another_folder_is_not_opened_wrongly(tmp_path: Path) -> None:
    """A lock that names the one of two orders that its owner cannot open: he is told where it was signed."""
    import shutil

    table = begun(tmp_path, FOG, dice="locked")
    for seat in table.asked():
        if seat.name != "north":
            seat.answer_all(chooser(1))
    north = table.players["north"]
    twin = Seat(tmp_path / "twin", "north")
    shutil.copytree(north.root, twin.root)
    twin.mails()
    (key,) = north.folder.progress.asked["north"]
    here, there = north.order({key: "calm"}), twin.order({key: "storm"})
    named = min(statements_in(here) + statements_in(there), key=lambda one: sid(one))
    mine = statements_in(here)[0] is named or sid(statements_in(here)[0]) == sid(named)
    table.gm.receive(here, there)
    owner, other = (north, twin) if mine else (twin, north)
    other.receive(here if mine else there)
    table.post()
    gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    (lock,) = [path for path in table.gm.mails() if "lock" in path.name]
    (waiting,) = [receipt for receipt in other.receive(lock) if receipt.words.startswith("lock")]
    assert waiting.outcome in ("waiting", "taken"), waiting
    other.receive(lock, late=True)
    with pytest.raises(Refused) as caught:
        link_due.give_link(other.folder, other.signer)
    assert caught.value.diagnostics[0].code == "other-opening"
    assert "this folder signed other orders with that number" in str(caught.value)
    owner.receive(lock, late=True)
    assert link_due.give_link(owner.folder, owner.signer)


def sid(found: Any) -> str:
    from tests.adversary.forge import sid_of

    return sid_of(found)


def test_of_two_orders_of_one_number_the_report_says_which_it_takes(clear: Game) -> None:
    """It said: the report takes revision 1 of your orders, you have signed revision 1."""
    two = [clear.south.order(), clear.south.order([{"decision": "never", "answer": 1}])]
    small, large = sorted(two, key=sid)
    clear.give("south", small)
    clear.give("south", large)
    clear.answer("north")
    clear.give("gm", large)  # the smaller one came to nobody else
    mail = clear.report().mail()
    (told,) = [option for option in clear.give("south", *mail) if option.outcome == "waiting"]
    assert f"uses revision 1 ({sid(large)[:12]}, one of two with that number) of your orders" in told.reason
    assert f"you signed revision 1 ({sid(small)[:12]}, one of two with that number)" in told.reason
