"""The whole game stage by stage: who may be told what, and from which folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem.archive.amending import proposing
from pbem.archive.folder.private_side import Private
from pbem.archive.verifying import results
from pbem.archive.verifying.history import History, history
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.stages.views import PlayerView
from pbem.text.diagnostics import Refused
from pbem.trust import sshsig
from tests.primer import FOG, SYSTEM
from tests.unit.archive.conftest import Played
from tests.unit.archive.table import Table, begun, chooser, signer_of
from tests.unit.archive.test_amendments import agreed, co_sign, propose


def of(root: Path) -> History:
    """The history as the owner of a folder gets it."""
    return history(root, Private(root, None))


def told(view: PlayerView) -> tuple[object, object, object]:
    return dict(view.facts), view.told, view.place


@pytest.fixture(scope="module")
def fog_going_on(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Table:
    """A game with hidden units after a few stages, not unsealed. Nobody changes it."""
    return begun(tmp_path_factory.mktemp("going-on"), FOG, by=(3, 3, 3))


def test_a_player_is_told_his_own_views_while_the_game_goes_on(fog_going_on: Table) -> None:
    north = fog_going_on.players["north"]
    found = of(north.root)
    assert (found.depth, found.owner) == ("own view", "north")
    assert [chapter.stage for chapter in found.chapters] == list(range(north.folder.stage + 1))
    for reader in ("north", None):
        here = north.folder.view(reader, public=reader is None)
        assert told(found.view(found.chapters[-1], reader)) == told(here)
    with pytest.raises(Refused, match="this archive doesn't contain south's view"):
        found.reader("south")
    with pytest.raises(Refused, match="this archive doesn't contain gm's view"):
        found.reader("gm")


def test_the_gm_may_tell_it_through_anybodys_eyes(fog_going_on: Table) -> None:
    gm = fog_going_on.gm
    found = of(gm.root)
    assert (found.depth, found.reader(None)) == ("everything", "gm")
    for reader in ("gm", "north", "south"):
        assert told(found.view(found.chapters[-1], found.reader(reader))) == told(gm.folder.view(reader))
    assert told(found.view(found.chapters[-1], None)) == told(gm.folder.view(public=True))


def test_a_stranger_is_told_the_public_events_of_a_game_that_goes_on(
    fog_going_on: Table, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(fog_going_on.gm.root, copy, ignore=shutil.ignore_patterns("private"))
    found = of(copy)
    assert (found.depth, found.reader(None)) == ("events", None)
    assert [list(chapter.events) for chapter in found.chapters[1:]] == [
        fog_going_on.gm.folder.events(stage) for stage in range(1, len(found.chapters))
    ]
    assert not any(chapter.facts for chapter in found.chapters)
    with pytest.raises(Refused, match="this archive doesn't contain north's view"):
        found.reader("north")


def test_after_the_unseal_everybody_is_told_everything(played: Played, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(played(FOG).gm.root, copy, ignore=shutil.ignore_patterns("private"))
    found = of(copy)
    assert (found.depth, found.reader(None)) == ("everything", "gm")
    gm = of(played(FOG).gm.root)
    for here, there in zip(found.chapters, gm.chapters, strict=True):
        assert told(found.view(here, "gm")) == told(gm.view(there, "gm"))


def test_in_a_game_that_hides_nothing_a_stranger_is_told_everything(played: Played, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(played(SYSTEM).gm.root, copy, ignore=shutil.ignore_patterns("private"))
    found = of(copy)
    assert found.depth == "everything"
    assert found.view(found.chapters[-1], None).position.counters


def test_who_sent_what_is_told_by_the_records(fog_going_on: Table) -> None:
    for chapter in of(fog_going_on.gm.root).chapters[1:]:
        asked = fog_going_on.gm.folder.record(chapter.stage - 1).asked
        assert {statement.sender for statement in chapter.sent if statement.type == "order"} == set(asked)  # type: ignore[arg-type]
        assert chapter.sent[-1].type == "report"


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["open", "fog"])
def test_a_game_with_locks_is_told_too_and_its_links_are_mails(system: System, tmp_path: Path) -> None:
    table = begun(tmp_path, system, by=(5, 5), dice="locked")
    found = of(table.gm.root)
    assert (found.depth, len(found.chapters)) == ("everything", 3)
    types = {statement.type for chapter in found.chapters for statement in chapter.sent}
    assert types == {"order", "lock", "link", "report"}
    assert told(found.view(found.chapters[-1], "north")) == told(table.gm.folder.view("north"))


def test_the_gm_is_told_what_a_link_opens_to_him_alone(tmp_path: Path) -> None:
    """With dice locked a Player Turn of victory is opened by the link, sealed; and so is a ruling."""
    table = Table(tmp_path, systems.find("victory"), "sarn_strait_two", ["red", "blue"], dice="locked")
    table.start()
    table.play_stage(chooser(3))
    unit = next(iter(table.gm.folder.state().position.counters))
    proposing.rule(table.gm.folder, [{"set": unit, "fields": {"cv": 2}}], "misplaced", table.gm.signer)
    table.post()
    table.play_stage(chooser(3))
    found = of(table.gm.root)
    assert found.depth == "everything"
    assert told(found.view(found.chapters[-1], "gm")) == told(table.gm.folder.view("gm"))


@pytest.mark.parametrize(("system", "depth"), [(SYSTEM, "events"), (FOG, "own view")], ids=["open", "fog"])
def test_with_other_rules_than_the_games_less_is_told_and_it_says_why(
    system: System, depth: str, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = played(system).players["north"].root
    whole = of(root)
    monkeypatch.setattr(results, "is_pinned", lambda *args: False)  # as if the scenario were changed
    with pytest.raises(Refused, match="can't be played again"):
        of(root)
    monkeypatch.setitem(system.__dict__, "digest", "0" * 64)
    less = of(root)
    assert (less.depth, less.unsealed) == (depth, False)
    assert "the scenario is not the one" in less.why and "0" * 12 in less.why and not whole.why
    for before, after in zip(whole.chapters, less.chapters, strict=True):
        assert after.events == before.events
        if depth == "own view":
            assert told(less.view(after, "north")) == told(whole.view(before, "north"))


def test_a_game_of_two_without_a_gm_is_told_by_either(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, by=(5,), dice="pair")
    for name, seat in table.players.items():
        found = of(seat.root)
        assert (found.depth, found.reader(None)) == ("everything", name)
        assert told(found.view(found.chapters[-1], name)) == told(seat.folder.view(name))


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["open", "fog"])
def test_after_a_player_has_left_and_play_went_back_the_last_stage_is_told_as_in_the_folders(
    system: System, tmp_path: Path
) -> None:
    table = begun(tmp_path, system, by=(3, 3, 3))
    agreed(table, table.players["south"], {"op": "rewind", "to": table.gm.folder.stage - 1})
    table.run()
    made = propose(table.gm, {"op": "drop", "party": "north"})
    table.post()
    co_sign(table.players["south"], made)
    table.post()
    table.run()
    for seat in (table.gm, table.players["south"]):
        found = of(seat.root)
        assert [chapter.stage for chapter in found.chapters] == list(range(seat.folder.stage + 1))
        for reader in (seat.name, None):
            here = seat.folder.view(reader, public=reader is None)
            assert told(found.view(found.chapters[-1], reader)) == told(here)


def test_people_are_those_of_the_roster_as_it_is_now(tmp_path: Path) -> None:
    table = begun(tmp_path, FOG)
    north, new = table.players["north"], signer_of("north, later")
    op = {"op": "key", "party": "north", "sign": sshsig.public_line(new.public), "mail": "new@example.org"}
    propose(north, op, extra=[new])
    table.post()
    table.play_stage(chooser(1))
    found = of(table.gm.root)
    assert found.roster.by_id["north"].mail == "new@example.org"
    assert found.roster.game == table.gm.folder.need_roster().game


def test_an_archive_with_anything_false_in_it_is_refused(played: Played, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(played(SYSTEM).gm.root, copy)
    record = copy / "stages/0002/record.json"
    record.write_text(json.dumps({**json.loads(record.read_text()), "stage": 7}))
    with pytest.raises(Refused, match="the archive is false: stage 2"):
        of(copy)


def test_derived_files_are_not_read(played: Played, tmp_path: Path) -> None:
    """What can be made anew is made anew, so a report or a state that lies is not even looked at."""
    copy = tmp_path / "copy"
    shutil.copytree(played(SYSTEM).gm.root, copy, ignore=shutil.ignore_patterns("private"))
    wanted = of(copy)
    (copy / "state.yaml").write_text("lies")
    (copy / "stages/0001/report.txt").write_text("lies")
    assert [told(wanted.view(c, None)) for c in of(copy).chapters] == [
        told(wanted.view(c, None)) for c in wanted.chapters
    ]


def test_a_folder_without_a_game_says_so(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"the archive is false: there is no roster\.json"):
        of(tmp_path)
