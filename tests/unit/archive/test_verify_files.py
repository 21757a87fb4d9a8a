"""What `verify` says of files beside the evidence: texts for people, what is missing, what has no place, and
how much of it there may be (protocol 17.24 to 17.26).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.archive.verifying import texts as verify_texts
from pbem.archive.verifying.findings import Finding
from pbem.archive.verifying.verification import Verification
from pbem.archive.verifying.verify import verify
from pbem.cli.games.telling import renderer, renderers
from pbem.cli.games.verified import own_side
from pbem.engine.pins import WORDS
from pbem.engine.system import System
from tests.primer import FOG, SYSTEM
from tests.unit.archive.conftest import Played
from tests.unit.archive.forger import Forger
from tests.unit.archive.table import Table, begun, chooser, signer_of


def looked_at(root: Path, *, own: bool = False) -> Verification:
    return verify(root, renderers=renderers, own=own_side(root) if own else None)


def said(found: Verification, code: str) -> list[Finding]:
    return [finding for finding in found.findings if finding.code == code]


@pytest.fixture
def running(tmp_path: Path, system: System) -> Table:
    """Two stages of a game whose reports are in words, before any unseal."""
    table = Table(tmp_path / "table", system, "ford", ["north", "south"], chain_length=64)
    from pbem.archive.adjudicating import gm_stage as stage

    def run(**options: object) -> object:
        folder = table.gm.folder
        done = stage.adjudicate(folder, table.gm.signer, render=renderer())
        table.post()
        return done

    table.run = run  # type: ignore[method-assign,assignment]
    table.start()
    for _ in range(2):
        table.play_stage(chooser(3))
    return table


def forge(text: Path) -> None:
    text.write_text(text.read_text() + "The game is annulled.\n")


def loses_its_mark(text: Path) -> None:
    lines = text.read_text().splitlines(keepends=True)
    text.write_text("".join(line for line in lines if line.split()[:1] != ["words"]) + "Red has won.\n")


def cut(text: Path) -> None:
    text.write_bytes(text.read_bytes()[:-1])


@pytest.mark.parametrize("change", [forge, loses_its_mark, cut])
def test_a_report_for_people_that_was_changed_is_false_whatever_it_says_of_itself(
    running: Table, system: System, change: Callable[[Path], None]
) -> None:
    """A line appended passed in silence before the unseal, one without its `layout` was claimed only."""
    for seat in (running.gm, running.players["south"]):
        assert looked_at(seat.root, own=True).ok, looked_at(seat.root, own=True).of("false")
        change(seat.root / "stages/0001/report.txt")
        found = looked_at(seat.root, own=True)
        (bad,) = found.of("false")
        assert (bad.code, bad.stage) == ("derived", 1) and "report.txt" in bad.text


def test_a_report_made_with_other_words_is_named_and_accuses_nobody(running: Table, system: System) -> None:
    """17.33: who has other words than those a text was made with cannot say whether it is right."""
    text = running.gm.root / "stages/0001/report.txt"
    (mark,) = WORDS.findall(text.read_text())
    text.write_text(text.read_text().replace(mark, f"en-{'7' * 64}") + "Told in another way.\n")
    found = looked_at(running.gm.root, own=True)
    assert found.ok, found.of("false")
    (one,) = [
        each
        for each in said(found, "texts")
        if "another wording" in each.text or "not installed" in each.text
    ]
    assert one.kind == "claimed" and "stage 1 " in one.text


def test_a_stranger_compares_the_newest_text_and_names_those_he_cannot(
    running: Table, system: System
) -> None:
    root = running.gm.root.parent / "handed-over"
    shutil.copytree(running.gm.root, root, ignore=shutil.ignore_patterns("private", "outbox", "inbox"))
    found = looked_at(root)
    assert found.ok
    texts = [one.text for one in said(found, "texts")]
    if system is SYSTEM:
        assert texts == []
    else:
        assert len(texts) == 1 and texts[0].startswith("report.txt of stages 0 to 1 was not compared")
    forge(root / "stages/0002/report.txt")
    assert [(finding.code, finding.stage) for finding in looked_at(root).of("false")] == [("derived", 2)]


def test_a_state_file_that_says_something_else_is_false_before_the_unseal_too(running: Table) -> None:
    root = running.gm.root
    path = root / "state.yaml"
    text = path.read_text()
    for old, new in (('"turn": 1', '"turn": 7'), ("Test at dawn", "Another title")):
        assert old in text
        path.write_text(text.replace(old, new))
        (bad,) = looked_at(root).of("false")
        assert bad.code == "derived" and "state.yaml" in bad.text
    path.write_text("{")
    assert said(looked_at(root), "derived")


def test_texts_made_with_other_rules_than_are_installed_are_not_compared_and_that_is_said(
    running: Table, system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text names the files of the rules, so nobody else can make it."""
    monkeypatch.setitem(vars(system), "digest", "ab" * 32)
    found = looked_at(running.gm.root)
    assert found.ok
    (line,) = said(found, "texts")
    assert line.text.startswith("report.txt of stages 0 to 2 was not compared")
    assert line.kind == ("claimed" if system is SYSTEM else "consistent")


def test_which_stages_are_named_together() -> None:
    assert verify_texts.spans([3]) == "stage 3"
    assert verify_texts.spans([0, 1, 2, 3]) == "stages 0 to 3"
    assert verify_texts.spans([0, 2, 3, 7]) == "stages 0, 2 to 3 and 7"


# --- two things said ------------------------------------------------------------------------------------


def test_two_orders_of_one_revision_in_the_open_stage_are_proved_against_their_sender(running: Table) -> None:
    """`status` and `verify` were silent (17.25)."""
    from tests.adversary.forge import Party, sid_of

    asked = running.asked()[0]
    party = Party(asked)
    one, other = party.order([]), party.order([{"decision": "never", "answer": 1}])
    from pbem.archive.receiving.receive import receive

    receive(running.gm.folder, [one, other])
    found = looked_at(running.gm.root)
    (twice,) = said(found, "equivocation")
    assert (twice.kind, twice.stage, twice.party) == ("proved", 3, asked.name)
    assert sid_of(one)[:12] in twice.text and sid_of(other)[:12] in twice.text
    from click.testing import CliRunner

    from pbem.cli.main import cli

    ran = CliRunner().invoke(cli, ["-C", str(running.gm.root), "status", "--json"])
    assert any("signed two different orders" in line for line in json.loads(ran.stdout)["warnings"])


def test_two_locks_in_the_open_stage_are_a_fork(tmp_path: Path) -> None:
    from tests.adversary.forge import Party

    table = begun(tmp_path, SYSTEM, dice="locked")
    gm = Party(table.gm)
    for orders in ("11", "22"):
        lock = gm.says("lock", {"accepted": {"north": orders * 32}, "forfeits": []})
        put(table.gm.root, 1, lock.data, lock.signatures[0])
    assert [(finding.code, finding.stage) for finding in verify(table.gm.root).of("false")] == [("fork", 1)]


def put(root: Path, stage: int, data: bytes, signature: str) -> None:
    from pbem.trust import statements

    name = statements.sid(data)
    folder = root / f"stages/{stage:04}"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_bytes(data)
    (folder / f"{name}.sig").write_text(signature)


# --- what is not there, and what has no place -----------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["state.yaml", "allowed_signers", "module.lock", "stages/0001/report.txt", "stages/0001/events.json"],
)
def test_a_derived_file_that_is_missing_is_named_and_is_no_fault(archive: Path, name: str) -> None:
    (archive / name).unlink()
    verified = verify(archive)
    assert verified.ok
    (gone,) = said(verified, "no-derived")
    assert gone.kind == "claimed" and name in gone.text


def test_views_that_were_removed_are_named(tmp_path: Path, played: Played) -> None:
    root = tmp_path / "copy"
    shutil.copytree(played(FOG).gm.root, root)
    shutil.rmtree(root / "stages/0001/views")
    verified = verify(root)
    assert verified.ok and {one.party for one in said(verified, "no-view")} == {"north", "south"}


@pytest.mark.parametrize(
    "name",
    ["evil.sh", "stages/notes.txt", "stages/0001/notes.txt", "stages/0001/views/red.exe", "stages/0001/x/y"],
)
def test_a_file_that_has_no_place_is_named_and_not_read(archive: Path, name: str) -> None:
    path = archive / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("rm -rf ~")
    verified = verify(archive)
    assert verified.ok
    (strange,) = said(verified, "strange-file")
    assert strange.kind == "claimed" and Path(name).parts[-1 if "/x/" not in name else -2] in strange.text


def test_a_co_signature_of_a_stranger_is_named(archive: Path) -> None:
    f = Forger(archive)
    order = f.find(f.stage_with("order", "north"), "order", "north")
    order.with_name(f"{order.stem}.west.sig").write_text(signer_of("west").sign(order.read_bytes()))
    verified = verify(archive)
    assert verified.ok
    (odd,) = said(verified, "strange-signature")
    assert f"{order.stem[:12]}....west.sig" in odd.text


def test_a_hundred_thousand_files_of_junk_are_one_line_and_cost_little(archive: Path) -> None:
    """They cost 89 s: each was a finding, and each finding was looked at for each."""
    folder = archive / "stages/0001"
    for n in range(20_000):
        (folder / f"junk-{n:06}").touch()
    verified = verify(archive)
    assert verified.ok
    (line,) = said(verified, "strange-file")
    assert "and 19995 more are not part of an archive" in line.text


def test_more_statements_than_any_game_has_are_not_read(
    archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.archive.folder import layout
    from pbem.archive.verifying import evidence

    monkeypatch.setattr(layout, "MOST_STATEMENTS", 50)
    read: list[str] = []
    usual = evidence._statement
    monkeypatch.setattr(evidence, "_statement", lambda *given: read.append(given[4]) or usual(*given))  # type: ignore[func-returns-value]
    for n in range(300):
        (archive / f"stages/0001/{n:064x}.json").write_text("{}")
    verified = verify(archive)
    assert "too-many" in {finding.code for finding in verified.of("false")}
    assert len([sid for sid in read if sid.startswith("0000")]) <= 50


def test_a_view_of_one_s_own_that_is_gone_is_named_and_makes_nothing_false(tmp_path: Path) -> None:
    """Who lost a file has not been lied to; his other views are looked at all the same."""
    table = begun(tmp_path / "table", FOG, by=(3, 3, 3))
    root = table.players["north"].root
    (root / "stages/0001/views/north.bin").unlink()
    found = looked_at(root, own=True)
    assert found.ok, found.of("false")
    assert [one.stage for one in said(found, "no-view") if "north's sealed view" in one.text] == [1]
    (proved,) = said(found, "views")
    assert proved.text.startswith("stages 0 and 2 to 3: north's views are part")
    shutil.copy(root / "stages/0002/views/north.bin", root / "stages/0001/views/north.bin")
    assert not looked_at(root, own=True).ok


def test_a_folder_without_files_is_no_stage(running: Table) -> None:
    root = running.gm.root
    (root / "stages/0099/views").mkdir(parents=True)
    found = looked_at(root)
    assert found.ok, found.of("false")
    assert [one.text for one in said(found, "strange-file")] == [
        "stages: '0099' does not belong in an archive, so not read"
    ]
    (root / "stages/0099/report.txt").write_text("Red wins.\n")
    assert [finding.code for finding in looked_at(root).of("false")] == ["gap"]
