"""A folder from a stranger: `verify` is neither fooled by it nor stopped, and writes nothing anywhere."""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.folder import layout
from pbem.archive.folder.game_folder import Folder
from pbem.archive.verifying.findings import Finding
from pbem.archive.verifying.verify import verify
from pbem.cli.main import cli
from pbem.text.diagnostics import Refused
from pbem.trust.armour import Signed
from tests.adversary.conftest import Start
from tests.adversary.forge import bytes_of, sid_of
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM


def put(root: Path, stage: int, found: Signed) -> None:
    """Lay a statement into a stage folder, as whoever hands over an archive can."""
    (root / layout.stage_name(stage)).mkdir(exist_ok=True)
    (root / layout.statement_name(stage, sid_of(found))).write_bytes(found.data)
    (root / layout.signature_name(stage, sid_of(found))).write_text(found.signatures[0])


def false(root: Path) -> list[Finding]:
    return verify(root).of("false")


# --- what others may have said ----------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["first", "last"])
def test_a_secret_made_up_by_a_player_does_not_make_a_liar_of_the_gm(over: Game, where: str) -> None:
    gm = over.gm
    stage = 1 if where == "first" else gm.last + 1
    prev = gm.record(stage)["prev"] if where == "first" else gm.head
    put(gm.root, stage, over.south.says("unseal", {"secret": "00" * 32}, stage=stage, prev=prev))
    found = false(gm.root)
    assert {one.party for one in found} == {"south"}, [str(one) for one in found]
    assert {one.code for one in found} == {"unseal"}


def test_openings_made_up_by_a_player_are_named_in_whatever_stage(over: Game) -> None:
    gm = over.gm
    sid = next(sid for sid in gm.record(1)["accepted"].values() if sid)
    body = {"openings": {sid: {"T1/cards/card": {"nonce": "00" * 32, "value": "storm"}}}}
    put(gm.root, 1, over.south.says("unseal", body, stage=1, prev=gm.record(1)["prev"]))
    assert {(fault.code, fault.party, fault.stage) for fault in false(gm.root)} == {("unseal", "south", 1)}


def test_standing_orders_that_were_passed_over_are_listed(clear: Game) -> None:
    clear.play(1)
    orders = [getattr(clear, seat.name).order() for seat in clear.table.asked()]
    filed = clear.south.later([{"decision": "bid", "answer": 1}])
    for name in ("gm", "north", "south"):
        clear.give(name, *orders)
    clear.run()
    put(clear.gm.root, 2, filed)
    listed = [finding for finding in verify(clear.gm.root).of("claimed") if finding.code == "left-out"]
    assert [(one.stage, one.party) for one in listed] == [(2, "south")]


def test_a_report_for_people_that_says_something_else_is_named(over: Game) -> None:
    gm = over.gm
    path = gm.root / "stages/0002/report.txt"
    path.write_text(path.read_text() + "\nNorth loses all his units.\n")
    done = CliRunner().invoke(cli, ["verify", str(gm.root), "--json"])
    codes = {
        (f["code"], f["stage"]) for f in json.loads(done.stdout)["findings"] if "report.txt" in f["text"]
    }
    assert codes == {("derived", 2)}, done.stdout
    honest = CliRunner().invoke(cli, ["verify", str(over.seat("north").root), "--json"])
    assert not [f for f in json.loads(honest.stdout)["findings"] if "report.txt" in f["text"]]


# --- files that bite --------------------------------------------------------------------------------------


def _zero(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


def _fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _text(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text)


def _folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


BITES: dict[str, Callable[[Path], object]] = {
    "endless": _zero,
    "a pipe": _fifo,
    "nothing": _text(""),
    "no JSON": _text("{"),
    "a list": _text("[1]"),
    "another shape": _text('{"party": 1}'),
    "deep": _text("[" * 100_000),
    "a huge number": _text('{"party": ' + "9" * 10_000 + "}"),
    "bytes": lambda path: path.write_bytes(b"\xff\xfe\x00"),
    "a folder": _folder,
}


@pytest.mark.parametrize("bite", BITES)
def test_no_file_in_it_stops_the_reading_or_shows_a_traceback(fog: Game, bite: str) -> None:
    for player, names in (("north", ["private/me.json", "state.yaml"]), ("south", ["private/seal.pem"])):
        root = fog.seat(player).root
        for name in names:
            BITES[bite](root / name)
            done = CliRunner().invoke(cli, ["verify", str(root)])
            assert done.exit_code in (0, 1), done.output
            assert "Traceback" not in done.output and "mistake" not in done.output, done.output


def _redo(root: Path, files: dict[str, str]) -> None:
    packed = {name: base64.b64encode(text.encode()).decode() for name, text in files.items()}
    (root / "private/redo.json").write_text(json.dumps({"files": packed, "removed": []}))


def test_a_change_left_over_in_it_is_not_carried_out_by_verify(game: Game, tmp_path: Path) -> None:
    root = game.north.root
    _redo(root, {"state.yaml": "gone"})
    before = bytes_of(root)
    CliRunner().invoke(cli, ["verify", str(root)])
    assert bytes_of(root) == before


@pytest.mark.parametrize("link", ["stages", "stages/0001", "inbox", "private/reports"])
def test_a_change_left_over_in_it_cannot_reach_out_through_a_link(
    game: Game, tmp_path: Path, link: str
) -> None:
    """Whoever opens the folder would write into his own home."""
    home = tmp_path / "home"
    home.mkdir()
    root = game.north.root
    if (root / link).exists():
        shutil.move(root / link, tmp_path / "moved")
    (root / link).symlink_to(home)
    _redo(root, {f"{link}/authorized_keys": "x"})
    with pytest.raises(Refused) as error:
        Folder.open(root)
    assert error.value.diagnostics[0].code == "damaged-redo"
    assert list(home.iterdir()) == []


# --- the end ----------------------------------------------------------------------------------------------


def test_an_unseal_by_the_gm_in_the_middle_is_named_where_the_game_goes_on(start: Start) -> None:
    """Everything was open from then on: whoever reads the archive has to know."""
    game = start(FOG)
    game.play(2)
    gm = game.gm
    opened = gm.says("unseal", {"secret": gm.secrets["gm"]}, stage=2, prev=gm.record(2)["prev"])
    put(gm.root, 2, opened)
    found = [str(finding) for finding in verify(gm.root).findings if finding.code == "unsealed-early"]
    assert found, [str(finding) for finding in verify(gm.root).findings]


def test_an_unseal_that_leaves_an_opening_out_proves_nothing_of_it(fog: Game) -> None:
    filed = fog.south.later([{"decision": "bid", "answer": 2}], hidden=True)
    for name in ("gm", "north", "south"):
        fog.give(name, filed)
    fog.answer()
    fog.run()
    unseal(fog.seat("gm").folder, fog.seat("gm").signer, early=True)
    gm = fog.gm
    assert fog.verify() == []
    (path,) = [
        path
        for path in (gm.root / f"stages/{gm.last + 1:04}").glob("*.json")
        if b'"unseal"' in path.read_bytes()
    ]
    data: dict[str, Any] = json.loads(path.read_bytes())
    assert list(data["body"].pop("openings")) == [sid_of(filed)]
    path.unlink()
    path.with_suffix(".sig").unlink()
    put(gm.root, gm.last + 1, gm.says("unseal", data["body"]))
    assert {(fault.code, fault.stage) for fault in false(gm.root)} == {("results", 1)}


def test_an_archive_of_an_open_game_needs_no_unseal(start: Start) -> None:
    game = start(SYSTEM)
    game.play(3)
    assert "results" in {finding.code for finding in verify(game.gm.root).of("proved")}
