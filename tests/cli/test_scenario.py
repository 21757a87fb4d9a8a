"""Scenarios of one's own: a folder of plain files, checked, played by mail, verified."""

from __future__ import annotations

import html
import json
import shutil
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem.archive import Folder
from pbem.cli.web.desk import Desk
from pbem.cli.web.handing_on import packed, unpacked
from pbem.engine.installed import entry_points
from pbem.engine.system import find
from tests.cli.play import Table, pbem
from tests.cli.test_table import Visitor

SYSTEMS = sorted(entry_points("pbem.systems"))
WHO = ("--name", "Gm", "--mail", "gm@example.org")


@pytest.fixture
def river(tmp_path: Path) -> Path:
    """A folder like the Sarn Strait with a river less."""
    folder = tmp_path / "my-river"
    pbem("scenario", "new", "victory", folder)
    text = (folder / "map.yaml").read_text("utf-8")
    (folder / "map.yaml").write_text(text.replace('"0406/0507", ', ""), "utf-8")
    return folder


def test_a_new_folder_says_what_can_go_there_and_can_be_played(tmp_path: Path) -> None:
    ran = pbem("scenario", "new", "victory", tmp_path / "my-war", "--like", "sarn_strait")
    assert [Path(line).name for line in ran.lines] == ["counters.csv", "map.yaml", "scenario.yaml"]
    text = (tmp_path / "my-war" / "scenario.yaml").read_text("utf-8")
    assert "# tie_rules:" in text and "hold: {hexes: [place]" in text
    assert pbem("scenario", "check", tmp_path / "my-war").out == ""
    assert "not empty" in pbem("scenario", "new", "victory", tmp_path / "my-war", code=1).err
    pbem("scenario", "new", "victory", tmp_path / "other", "--like", "nowhere", code=1)


def test_every_fault_has_its_file_and_line_or_cell(river: Path) -> None:
    counters = (river / "counters.csv").read_text("utf-8").splitlines()
    counters[1] = "R-IN1,red,IN,77,0305,"
    counters[2] = 'R-"><script>,red,IN,4,0306,'
    counters[3] = "R-IN3,rot,IN,3,0502,"
    counters[4] = "R-IN4,red,IN,3,2026-05-03,"
    (river / "counters.csv").write_text("\n".join(counters), "utf-8")
    (river / "map.yaml").write_text(
        (river / "map.yaml").read_text("utf-8").replace("river:", "rivre:"), "utf-8"
    )
    ran = pbem("scenario", "check", river, code=1)
    assert "counters.csv:5:5" in ran.out and "is a date" in ran.out and "cell E5" in ran.out
    counters[4] = "R-IN4,red,IN,3,0202,"
    (river / "counters.csv").write_text("\n".join(counters), "utf-8")
    found = json.loads(pbem("scenario", "check", river, "--json", code=1).out)
    places = {(one["file"], one["start"]["line"]) for one in found}
    assert ("counters.csv", 2) in places and ("counters.csv", 3) in places, found


def test_faults_of_the_map_are_told_beside_those_of_other_files(river: Path) -> None:
    """Found as a new author: one wrong key in scenario.yaml hid a river between hexes that do not touch."""
    for name, old, new in (
        ("scenario.yaml", "last_turn:", "last_turm:"),
        ("map.yaml", 'river: ["', 'river: ["0405/0805", "'),
    ):
        text = (river / name).read_text("utf-8")
        assert old in text
        (river / name).write_text(text.replace(old, new), "utf-8")
    found = json.loads(pbem("scenario", "check", river, "--json", code=1).out)
    assert {(one["file"], one["code"]) for one in found} == {
        ("map.yaml", "bad-hexside"), ("scenario.yaml", "missing-key"), ("scenario.yaml", "unknown-key")
    }  # fmt: skip


def test_a_rule_that_names_a_counter_points_to_its_row(tmp_path: Path) -> None:
    """Found by drawing it into the wrong hex in the editor: the check named line 2 of scenario.yaml."""
    pbem("scenario", "new", "wbts", tmp_path / "war")
    table = tmp_path / "war" / "counters.csv"
    text = table.read_text("utf-8").replace("C-1D,south,infantry,,8,0505", "C-1D,south,infantry,,8,0506")
    table.write_text(text, "utf-8")
    line = text[: text.index("C-1D")].count("\n") + 1
    assert (
        f"counters.csv:{line}:1: error[bad-roster]" in pbem("scenario", "check", tmp_path / "war", code=1).out
    )


def test_what_a_spreadsheet_did_is_undone_where_that_is_sure(river: Path) -> None:
    before = pbem("scenario", "diff", "victory/sarn_strait", river).lines
    text = (river / "counters.csv").read_text("utf-8").replace("0305", "305").replace(",", ";")
    (river / "counters.csv").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    ran = pbem("scenario", "check", river)
    assert "E2: 305 is 0305" in ran.err
    assert pbem("scenario", "diff", "victory/sarn_strait", river).lines == before


def test_a_point_and_a_lost_zero_are_named_and_not_guessed(tmp_path: Path) -> None:
    from pbem.workshop.cells import Numbering

    numbering = Numbering((2, 2), ".")
    assert numbering.mended("5.06") == ("05.06", True) and numbering.mended("05.06") == ("05.06", True)
    assert numbering.mended("5.1") == ("5.1", False), "05.01 and 05.10 both become 5.1"
    assert Numbering().mended("305") == ("0305", True) and Numbering().mended("Box") == ("Box", True)


def test_two_folders_are_compared_in_words(river: Path) -> None:
    text = (river / "counters.csv").read_text("utf-8").replace("R-IN1,red,IN,4", "R-IN1,red,IN,2")
    (river / "counters.csv").write_text(text, "utf-8")
    rows = (river / "map.yaml").read_text("utf-8").replace('"f . h . ~', '"f m h . ~')
    (river / "map.yaml").write_text(rows, "utf-8")
    assert pbem("scenario", "diff", "victory/sarn_strait", river).lines == [
        "0201 is mountain instead of clear",
        'map / hexsides / river: without "0406/0507"',
        "units / R-IN1 / cv: 2 instead of 4",
    ]
    assert pbem("scenario", "diff", river, river).lines == []


def test_a_scenario_of_ones_own_is_played_by_mail_and_verified(river: Path, tmp_path: Path) -> None:
    table = Table(tmp_path / "game", str(river), ("red", "blue", "green"))
    ran = pbem(
        "join", table.invitation, tmp_path / "late", "--as", "red", *WHO, "--key", tmp_path / "game/keys/red"
    )
    assert "has its own scenario" in ran.err and 'river: without "0406/0507"' in ran.err
    table.start()
    table.run()
    for seat in table.players.values():
        table.answer(seat)
    table.post()
    table.run()
    bytes_ = {(seat.root / "scenario.json").read_bytes() for seat in table.everybody}
    assert len(bytes_) == 1
    for seat in table.everybody:
        assert seat.status["stage"] >= 1
        seat.pbem("verify")
        seat.pbem("report")
        seat.pbem("map", "--out", tmp_path / "map.svg")

    (tmp_path / "handed").mkdir()
    unpacked(packed(Folder.open(table.gm.root)), tmp_path / "handed")
    pbem("verify", tmp_path / "handed")
    key = ("--key", tmp_path / "new-key")
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "new-key")
    pbem("join", tmp_path / "handed", tmp_path / "taken-over", "--as", "green", *WHO, *key)
    assert (tmp_path / "taken-over" / "scenario.json").read_bytes() in bytes_
    kept = (tmp_path / "handed" / "scenario.json").read_bytes()
    (tmp_path / "handed" / "scenario.json").unlink()
    assert "scenario.json is missing" in pbem("verify", tmp_path / "handed", code=1).out
    (tmp_path / "taken-over" / "scenario.json").unlink()
    assert "copy scenario.json" in pbem("-C", tmp_path / "taken-over", "report", code=1).err
    (tmp_path / "taken-over" / "scenario.json").write_bytes(kept)
    pbem("-C", tmp_path / "taken-over", "report")
    changed = table.gm.root / "scenario.json"
    changed.write_bytes(changed.read_bytes().replace(b'"last_turn":4', b'"last_turn":5'))
    ran = pbem("verify", table.gm.root, code=1)
    assert "is not the one that its terms pin" in ran.out + ran.err


def test_another_river_under_the_same_name_is_named_before_anyone_signs(tmp_path: Path) -> None:
    """The digest of the start position was the same, and the difference later accused the GM."""
    folder = tmp_path / "sarn"
    pbem("scenario", "new", "victory", folder, "--like", "sarn_strait")
    text = (folder / "map.yaml").read_text("utf-8")
    (folder / "map.yaml").write_text(text.replace('"0406/0507", ', ""), "utf-8")
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "gm-key")
    pbem("key", "new", "--no-passphrase", "--file", tmp_path / "key")
    pbem("new", folder, tmp_path / "gm", *WHO, "--key", tmp_path / "gm-key")
    (invitation,) = (tmp_path / "gm" / "outbox").glob("*.pbem-invitation")
    ran = pbem("join", invitation, tmp_path / "p", "--as", "red", *WHO, "--key", tmp_path / "key")
    assert "differs from the packaged scenario sarn_strait in 1 place" in ran.err
    assert 'map / hexsides / river: without "0406/0507"' in ran.err


def test_two_players_with_the_same_id_and_another_river_hear_of_it_before_they_sign(
    river: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither has the packaged scenario: one river more or less is found by the folder of who joins."""
    for name in ("gm-key", "key"):
        pbem("key", "new", "--no-passphrase", "--file", tmp_path / name)
    pbem("new", river, tmp_path / "gm", *WHO, "--key", tmp_path / "gm-key")
    (invitation,) = (tmp_path / "gm" / "outbox").glob("*.pbem-invitation")
    other = tmp_path / "other" / "mine"
    other.parent.mkdir()
    shutil.copytree(river, other)
    (other.parent / "damaged").mkdir()
    (other.parent / "damaged" / "scenario.yaml").write_text("{", "utf-8")
    monkeypatch.chdir(other.parent)
    text = (other / "map.yaml").read_text("utf-8")
    (other / "map.yaml").write_text(text.replace('"0407/0507", ', ""), "utf-8")
    take = ("join", invitation, "--name", "P", "--mail", "p@example.org", "--key", tmp_path / "key", "--as")
    said = pbem(*take, "red", tmp_path / "p").err
    assert "It differs from your folder mine in 1 place:" in said
    assert 'map / hexsides / river: also "0407/0507"' in said, said
    pasted = urlencode({"text": invitation.read_text("utf-8")}).encode()
    form = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}
    shown = Visitor(Desk(other.parent)).ask("POST", "/mail", pasted, **form)
    page = html.unescape(shown.text)
    assert "You are invited" in page and 'map / hexsides / river: also "0407/0507"' in page, "and on the page"
    (other / "map.yaml").write_text(text, "utf-8")
    assert "It is the scenario in your folder mine." in pbem(*take, "blue", tmp_path / "q").err


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_packaged_scenario_written_out_is_the_same_byte_for_byte(name: str, tmp_path: Path) -> None:
    from pbem.workshop.folders import need_folder

    system = find(name)
    for n, scenario in enumerate(system.scenarios()):
        folder = tmp_path / str(n)
        pbem("scenario", "new", name, folder, "--like", scenario)
        assert need_folder(folder)[1].bytes == system.whole(scenario).bytes


def test_the_size_of_a_map_of_areas_is_told_in_areas(tmp_path: Path) -> None:
    """Found as a new author: «Its map has 0 hexes.»"""
    pbem("scenario", "new", "diplomacy", tmp_path / "my")
    said = pbem("scenario", "check", tmp_path / "my").err
    assert "Its map has 75 areas." in said and "hexes" not in said


def test_a_folder_that_is_no_scenario_says_what_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert "no-scenario" in pbem("scenario", "check", folder, code=1).out
    (folder / "scenario.yaml").write_text("title: Nothing\n", "utf-8")
    assert "no-system" in pbem("scenario", "check", folder, code=1).out
    (folder / "scenario.yaml").write_text("system: victory\n", "utf-8")
    found = {one["code"] for one in json.loads(pbem("scenario", "check", folder, "--json", code=1).out)}
    assert {"other-version", "missing-key", "no-counters"} <= found
    (folder / "scenario.yaml").write_text("pbem: 1\nsystem: victory\nid: a\nmap: {}\n", "utf-8")
    assert "other-file" in pbem("scenario", "check", folder, code=1).out
    (folder / "map.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert "odd-file" in pbem("scenario", "check", folder, code=1).out
    pbem("scenario", "diff", "victory", "wbts", code=1)


def test_tables_with_odd_rows_are_refused_cell_by_cell(river: Path) -> None:
    head, *rows = (river / "counters.csv").read_text("utf-8").splitlines()

    def codes(*lines: str) -> set[str]:
        (river / "counters.csv").write_text("\n".join(lines), "utf-8")
        return {one["code"] for one in json.loads(pbem("scenario", "check", river, "--json", code=1).out)}

    assert codes("") == {"empty-file"}
    assert "unknown-column" in codes(head.replace("cv", "strenght"), *rows)
    assert "missing-column" in codes(head.replace("id", "note"), *rows)
    assert "listed-twice" in codes(head, rows[0], *rows) and "listed-twice" in codes(f"{head},cv", *rows)
    assert "bad-cell" in codes(head, "R-IN9,red,IN,=1+3,0305,", *rows)
    assert "missing-cell" in codes(head, ",red,IN,3,0305,", *rows)
    assert "too-many" in codes(head, *(f"R-X{n},red,IN,3,0305," for n in range(5001)))
    (river / "counters.yaml").write_text("{}", "utf-8")
    assert "listed-twice" in codes(head, *rows)


def test_a_scenario_is_drawn_with_its_counters(river: Path, tmp_path: Path) -> None:
    pbem("scenario", "draw", river, "--out", tmp_path / "map.svg")
    drawn = (tmp_path / "map.svg").read_text("utf-8")
    assert "R-IN1" in drawn and "Karsk" in drawn
    assert "Karsk" in pbem("scenario", "draw", river).out


def test_the_computer_says_that_a_scenario_is_lopsided(river: Path) -> None:
    """Red needs no city to win at once, so whoever plays blue has nothing to do."""
    text = (river / "scenario.yaml").read_text("utf-8").replace("at_least: 9,", "at_least: 0,")
    (river / "scenario.yaml").write_text(text, "utf-8")
    found = json.loads(pbem("scenario", "try", river, "--games", "5", "--json").out)
    assert found["lopsided"] == "Red decisive victory" and found["results"] == {"Red decisive victory": 5}
    assert found["games"] == 5 and found["unfinished"] == 0 and "B-AC1" in found["never_moved"]
    lines = pbem("scenario", "try", river, "--games", "1").out
    assert "1 game" in lines and "Result Red decisive victory" in lines and "lopsided" in lines


def test_hostile_folders_are_refused_without_reading_beyond_them(river: Path, tmp_path: Path) -> None:
    def refused() -> str:
        return pbem("scenario", "check", river, code=1).out

    secret = tmp_path / "secret.yaml"
    secret.write_text("terrain: [secret]\n", "utf-8")
    whole = (river / "map.yaml").read_bytes()
    (river / "map.yaml").unlink()
    (river / "map.yaml").symlink_to(secret)
    assert "links are not followed" in refused() and "secret" not in refused().replace("secret.yaml", "")
    (river / "map.yaml").unlink()
    (river / "map.yaml").mkdir()
    assert "not a regular file" in refused()
    (river / "map.yaml").rmdir()
    (river / "map.yaml").write_bytes(b"a: b\n" * (1 << 20))
    assert "too large" in refused()
    (river / "map.yaml").write_bytes(whole + b"x: &a [*a]\n")
    refused()
    (river / "map.yaml").write_bytes(whole + b"x: !!python/object/apply:os.system [ls]\n")
    refused()
    (river / "map.yaml").write_bytes(b"\xff\xfe\x00" + whole)
    refused()
    (river / "map.yaml").write_bytes(whole)
    (river / "charts").mkdir()
    (river / "charts" / "..yaml").write_text("a: 1\n", "utf-8")
    refused()
    (river / "charts" / "..yaml").unlink()
    (river / "charts" / "UNITS.yaml").write_text("a: 1\n", "utf-8")
    assert "unknown-chart" in refused() and "did you mean" in refused()


def test_names_of_a_scenario_are_told_in_its_own_words(river: Path) -> None:
    text = (river / "map.yaml").read_text("utf-8").replace("name: Karsk", "name: Westwall")
    (river / "map.yaml").write_text(text, "utf-8")
    (river / "words.yaml").write_text("de:\n  Westwall: Der Wall im Westen\n", "utf-8")
    pbem("scenario", "check", river)
    assert "Westwall" in pbem("scenario", "draw", river, "--format", "svg").out
    assert "Der Wall im Westen" in pbem("scenario", "draw", river, "--format", "svg", "--lang", "de").out
    (river / "words.yaml").write_text("de:\n  Westwall: [Der, Wall]\n", "utf-8")
    assert "words.yaml:2" in pbem("scenario", "check", river, code=1).out


def test_the_worked_example_of_the_page_goes_as_it_says(tmp_path: Path) -> None:
    """docs/own-scenarios.md, A first scenario."""
    folder = tmp_path / "my-river"
    assert len(pbem("scenario", "new", "victory", folder).lines) == 3
    text = (folder / "map.yaml").read_text("utf-8")
    assert '"0406/0507", ' in text
    (folder / "map.yaml").write_text(text.replace('"0406/0507", ', ""), "utf-8")
    counters = (folder / "counters.csv").read_text("utf-8")
    (folder / "counters.csv").write_text(counters.replace("R-IN1,red,IN,4", "R-IN1,red,IN,9"), "utf-8")
    assert "counters.csv:2:4" in pbem("scenario", "check", folder, code=1).out
    (folder / "counters.csv").write_text(counters.replace("R-IN1,red,IN,4", "R-IN1,red,IN,2"), "utf-8")
    pbem("scenario", "check", folder)
    assert len(pbem("scenario", "diff", "victory/sarn_strait", folder).lines) == 2
