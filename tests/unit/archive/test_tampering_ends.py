"""What nobody has counter-signed yet, and what lies outside the stages."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pbem.archive.folder.private_side import Private
from pbem.archive.verifying.verify import verify
from pbem.engine.system import System
from pbem.text import canonical
from pbem.trust import groups, records
from tests.primer import FOG
from tests.unit.archive.conftest import Played
from tests.unit.archive.forger import (
    Data,
    Forger,
    stage_with_events,
    tree_of,
)


def _other_state(f: Forger, stage: int) -> None:
    f.record(stage, lambda record: record.__setitem__("state", "ab" * 32))


def _other_group(f: Forger, stage: int) -> None:
    f.record(stage, lambda record: record["groups"][0].__setitem__(1, "ab" * 32))


def _others_asked(f: Forger, stage: int) -> None:
    """Somebody who should be asked next is left out, and the history after it follows."""
    f.record(f.last, lambda record: record.__setitem__("asked", {"north": ["card"]}))


def _event_left_out(f: Forger, stage: int) -> None:
    def change(data: Data) -> None:
        data["body"]["events"] = []
        data["body"]["record"]["events"] = records.events_hash([]).hex()

    f.report(stage_with_events(f), change)


def _group_and_state(f: Forger, stage: int) -> None:
    """A false group under a state hash that fits it: nothing but the rules or a view can show it."""

    def change(record: Data) -> None:
        record["groups"][-1][1] = "ab" * 32
        game = json.loads((f.root / "state.yaml").read_text())["game"]["id"]
        record["state"] = groups.state_hash(bytes.fromhex(game), stage, record["groups"]).hex()

    f.record(stage, change)


def _stranger_asked(f: Forger, stage: int) -> None:
    f.record(f.last, lambda record: record.__setitem__("asked", {"gm": ["card"]}))


def _stranger_sees(f: Forger, stage: int) -> None:
    def change(record: Data) -> None:
        record["groups"].append([["zoe"], "ab" * 32])
        game = json.loads((f.root / "state.yaml").read_text())["game"]["id"]
        record["state"] = groups.state_hash(bytes.fromhex(game), stage, record["groups"]).hex()

    f.record(stage, change)


LAST: Mapping[str, tuple[Callable[[Forger, int], None], str, str | None]] = {
    "the GM changes the state hash": (_other_state, "state", "state"),
    "the GM changes a group": (_other_group, "state", "state"),
    "the GM changes a group and the state hash": (_group_and_state, "results", None),
    "the GM asks somebody else": (_others_asked, "results", None),
    "the GM asks somebody who does not play": (_stranger_asked, "asked", "asked"),
    "the GM lets a stranger see": (_stranger_sees, "groups", "groups"),
}


@pytest.mark.parametrize("name", LAST)
def test_a_wrong_last_report_is_found(archive: Path, name: str, system: System) -> None:
    """Nobody has counter-signed the last report, so only what it says and the rules can show that it is
    wrong.

    With fog the proof by the rules waits for the unseal.
    """
    change, if_open, if_hidden = LAST[name]
    forger = Forger(archive)
    _drop_unseal(forger)
    change(forger, forger.last)
    (archive / "state.yaml").unlink()  # it says the head
    found = verify(archive)
    wanted = if_hidden if system.hidden else if_open
    if wanted is None:
        assert found.ok and found.of("consistent")
    else:
        assert {(one.code, one.stage) for one in found.of("false")} == {(wanted, forger.last)}


def test_a_player_sees_in_his_own_views_what_others_cannot_see_yet(tmp_path: Path, played: Played) -> None:
    """The group of north is not what north was shown: his own archive says so before the unseal."""
    root = tmp_path / "north"
    shutil.copytree(played(FOG).players["north"].root, root)
    forger = Forger(root)
    _drop_unseal(forger)
    assert verify(root, own=Private(root)).ok

    def change(record: Data) -> None:
        next(group for group in record["groups"] if group[0] == ["gm", "north"])[1] = "ab" * 32
        game = json.loads((root / "state.yaml").read_text())["game"]["id"]
        record["state"] = groups.state_hash(bytes.fromhex(game), forger.last, record["groups"]).hex()

    forger.record(forger.last, change)
    assert [one.code for one in verify(root).of("false")] == ["derived"]  # state.yaml says the head
    (root / "state.yaml").unlink()
    assert verify(root).ok
    found = verify(root, own=Private(root))
    assert found.first_bad is not None
    assert (found.first_bad.code, found.first_bad.stage) == ("view", forger.last)


def test_a_report_without_a_view_for_somebody_is_found(tmp_path: Path, played: Played) -> None:
    root = tmp_path / "copy"
    shutil.copytree(played(FOG).gm.root, root)
    forger = Forger(root)
    _drop_unseal(forger)
    (forger.folder(forger.last) / "views/south.bin").unlink()
    assert verify(root).ok
    forger.report(forger.last, lambda data: data["body"]["views"].pop("south"))
    found = verify(root)
    assert [(one.code, one.stage) for one in found.of("false")] == [("view", forger.last)]


def _drop_unseal(f: Forger) -> None:
    shutil.rmtree(f.folder(f.last + 1))


def test_an_event_left_out_of_the_last_report_is_found(archive: Path, system: System) -> None:
    forger = Forger(archive)
    where = stage_with_events(forger)
    for stage in range(where + 1, forger.last + 2):
        shutil.rmtree(forger.folder(stage))
    _event_left_out(forger, where)
    (archive / "state.yaml").unlink()
    found = verify(archive)
    if system.hidden:
        assert found.ok and found.of("consistent")
    else:
        assert found.first_bad is not None and (found.first_bad.code, found.first_bad.stage) == (
            "results",
            where,
        )


def _roster_text(root: Path) -> None:
    data = json.loads((root / "roster.json").read_bytes())
    data["title"] = "Another title"
    (root / "roster.json").write_bytes(canonical.dumps(data))


def _roster_signature(root: Path) -> None:
    shutil.copy(root / "roster.south.sig", root / "roster.north.sig")


def _roster_unsigned(root: Path) -> None:
    (root / "roster.north.sig").unlink()


def _roster_gone(root: Path) -> None:
    (root / "roster.json").unlink()


def _weak_key(root: Path) -> None:
    data = json.loads((root / "roster.json").read_bytes())
    blob = "AAAAC3NzaC1lZDI1NTE5AAAAIAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    data["parties"][1]["sign"] = f"ssh-ed25519 {blob}"
    (root / "roster.json").write_bytes(canonical.dumps(data))


def _signers(root: Path) -> None:
    text = (root / "allowed_signers").read_text().replace("north@", "south@", 1)
    (root / "allowed_signers").write_text(text)


def _module_lock(root: Path) -> None:
    (root / "module.lock").write_text('[["rules.py", "' + "ab" * 32 + '"]]')


def _state(root: Path) -> None:
    text = (root / "state.yaml").read_text()
    (root / "state.yaml").write_text(text.replace('"turn": 1', '"turn": 3'))


def _roster_link(root: Path) -> None:
    (root / "roster.json").rename(root.parent / "roster.json")
    (root / "roster.json").symlink_to(root.parent / "roster.json")


def _stages_link(root: Path) -> None:
    (root / "stages").rename(root.parent / "stages")
    (root / "stages").symlink_to(root.parent / "stages")


ROSTER: Mapping[str, tuple[Callable[[Path], None], str, str | None]] = {
    "the roster is changed": (_roster_text, "signature", "gm"),
    "a signature under the roster is another's": (_roster_signature, "signature", "north"),
    "a signature under the roster is missing": (_roster_unsigned, "unsigned", "north"),
    "there is no roster": (_roster_gone, "no-roster", None),
    "a key in the roster verifies anything": (_weak_key, "roster", None),
    "allowed_signers has another key": (_signers, "derived", None),
    "module.lock is another list": (_module_lock, "derived", None),
    "state.yaml was edited": (_state, "derived", None),
    "the roster is a link": (_roster_link, "odd-file", None),
    "the stages are a link": (_stages_link, "odd-file", None),
}


@pytest.mark.parametrize("name", ROSTER)
def test_tampering_outside_the_stages_is_named(archive: Path, name: str) -> None:
    change, code, party = ROSTER[name]
    change(archive)
    found = verify(archive)
    assert not found.ok
    assert (code, party) in {(one.code, one.party) for one in found.of("false")}


def test_untouched_archives_verify(archive: Path) -> None:
    found = verify(archive)
    assert found.ok, [str(one) for one in found.of("false")]
    assert found.head


def test_a_shortened_archive_is_a_valid_one_and_names_its_head(archive: Path) -> None:
    forger = Forger(archive)
    for stage in range(forger.last, forger.last + 2):
        shutil.rmtree(forger.folder(stage))
    (archive / "state.yaml").unlink()
    found = verify(archive)
    assert found.ok, [str(one) for one in found.of("false")]
    assert found.stage == forger.last - 1


def test_another_game_id_than_the_one_expected_is_refused(archive: Path) -> None:
    found = verify(archive, "ab" * 32)
    assert [one.code for one in found.of("false")] == ["other-game"]
    known = json.loads((archive / "state.yaml").read_text())["game"]["id"]
    assert verify(archive, known).ok
    short = verify(archive, known[:12])
    assert short.ok and "game-id" in {one.code for one in short.of("claimed")}


def test_odd_names_are_listed_and_not_read(archive: Path) -> None:
    (archive / "stages/0001/\x1b[2Jboo.json").write_text("{}")
    (archive / "stages/évil").mkdir()
    found = verify(archive)
    assert found.ok
    texts = [one.text for one in found.of("claimed") if one.code == "strange-file"]
    assert len(texts) == 2 and all(text.isascii() and text.isprintable() for text in texts)


def test_verify_changes_nothing(archive: Path) -> None:
    before = tree_of(archive)
    verify(archive)
    assert tree_of(archive) == before


def test_equal_results_prove_whatever_version_of_the_rules_gave_them(
    archive: Path, monkeypatch: pytest.MonkeyPatch, system: System
) -> None:
    monkeypatch.setitem(system.__dict__, "digest", "ab" * 32)
    found = verify(archive)
    assert found.ok
    assert any("abababababab" in one.text for one in found.of("proved") if one.code == "results")


def test_results_that_differ_under_other_rules_than_the_pinned_ones_are_a_claim(
    archive: Path, monkeypatch: pytest.MonkeyPatch, system: System
) -> None:
    """Here the other rules tell the weather in other words."""
    monkeypatch.setitem(system.__dict__, "digest", "ab" * 32)
    monkeypatch.setattr(system.registry.events["weather-turned"], "kind", "weather-changed")
    found = verify(archive)
    assert found.ok
    assert "not-readjudicated" in {one.code for one in found.of("claimed")}
    assert "results" not in {one.code for one in found.of("proved")}


def test_progress_goes_up_to_the_end(archive: Path) -> None:
    steps: list[tuple[int, int]] = []
    verify(archive, counting=lambda done, of: steps.append((done, of)))
    assert steps == sorted(steps) and steps[-1][0] == steps[-1][1]
