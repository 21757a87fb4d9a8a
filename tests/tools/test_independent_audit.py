"""The audit that knows only the protocol agrees with us about the sample game, and sees a changed die."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

import pytest

from pbem.engine import system as systems
from pbem.engine.system import System
from tests.primer import FOG, SYSTEM
from tests.tools.independent_audit import Audit
from tests.tools.make_must_fail import unpack
from tests.unit.archive.table import begun, chooser

SAMPLE = Path(__file__).parents[2] / "sample_games" / "victory-sarn-strait"


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_a_program_without_a_line_of_ours_finds_the_sample_game_sound() -> None:
    audit = Audit(SAMPLE)
    audit.run()
    assert audit.faults == []
    assert audit.counts["rolls"] > 20 and audit.counts["records"] > 10


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_it_reads_text_for_named_readers_and_what_opens_it(tmp_path: Path) -> None:
    unpack.put(tmp_path / "sound", unpack.base("notes"))
    audit = Audit(tmp_path / "sound")
    audit.run()
    assert audit.faults == [] and audit.counts["readers"] == 2
    seen = [case for case in unpack.cases() if case["base"] == "notes" and not case["expect"]["needs_rules"]]
    assert len(seen) >= 6
    for case in seen:
        root = tmp_path / case["name"]
        unpack.put(root, unpack.base("notes"))
        unpack.put(root, case["changes"])
        forged = Audit(root)
        forged.run()
        assert any("text for" in fault or "unseal: note" in fault for fault in forged.faults), case["name"]


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_it_sees_a_changed_order(tmp_path: Path) -> None:
    copy = tmp_path / "archive"
    shutil.copytree(SAMPLE, copy)
    order = next(
        path
        for path in sorted(copy.glob("stages/0001/*.json"))
        if len(path.stem) == 64 and json.loads(path.read_bytes())["type"] == "order"
    )
    order.write_bytes(order.read_bytes().replace(b'"rev":1', b'"rev":2'))
    audit = Audit(copy)
    audit.run()
    assert any("signature" in fault for fault in audit.faults)


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
@pytest.mark.parametrize(("system", "dice"), [(FOG, "locked"), (SYSTEM, "pair")])
def test_it_knows_locks_and_the_records_of_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: System, dice: str
) -> None:
    usual = systems.find
    monkeypatch.setattr(systems, "find", lambda name: system if name == system.name else usual(name))
    table = begun(tmp_path, system, dice=dice)
    for _ in range(4):
        table.play_stage(chooser(3))
    root = table.players["south"].root
    audit = Audit(root)
    audit.run()
    assert audit.faults == [] and audit.counts["links"] >= 8
    link = next(p for p in sorted(root.glob("stages/0003/*.json")) if b'"type":"link"' in p.read_bytes())
    link.unlink()
    link.with_suffix(".sig").unlink()
    again = Audit(root)
    with contextlib.suppress(KeyError, ValueError):
        again.run()
    assert any("stage 3" in fault for fault in again.faults)
