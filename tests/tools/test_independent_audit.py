"""The audit that knows only the protocol agrees with us about the sample game, and sees a changed die."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.tools.independent_audit import Audit

SAMPLE = Path(__file__).parents[2] / "sample_games" / "victory-sarn-strait"


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_a_program_without_a_line_of_ours_finds_the_sample_game_sound() -> None:
    audit = Audit(SAMPLE)
    audit.run()
    assert audit.faults == []
    assert audit.counts["rolls"] > 20 and audit.counts["records"] > 10


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
