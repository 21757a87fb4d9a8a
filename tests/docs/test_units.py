"""The unit files of the pages about mail and clubs: systemd takes them, and they call commands that exist."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.docs.test_names import faults_in

FOLDER = ROOT / "docs" / "systemd"
UNITS = sorted(FOLDER.iterdir())


def test_there_are_a_service_with_its_timer_and_the_postmaster() -> None:
    assert [path.name for path in UNITS] == [
        "pbem-postmaster.service",
        "pbem-sarn.service",
        "pbem-sarn.timer",
    ]


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("pbem-sarn.service", ["mail in", "adjudicate --wait", "mail out"]),
        ("pbem-postmaster.service", ["postmaster --in"]),
    ],
)
def test_they_call_commands_that_exist_in_the_order_of_the_page(name: str, calls: list[str]) -> None:
    text = (FOLDER / name).read_text("utf-8")
    called = re.findall(r"(?m)^ExecStart=-?/usr/bin/env pbem (.+)$", text)
    assert [faults for one in called for faults in faults_in(one.split())] == []
    assert [" ".join(one.split()[:2]) for one in called] == calls


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_takes_them(tmp_path: Path) -> None:
    for path in UNITS:
        shutil.copy(path, tmp_path)
    files = [str(tmp_path / path.name) for path in UNITS]
    env = os.environ | {"SYSTEMD_LOG_LEVEL": "warning", "HOME": str(tmp_path)}
    run = ["systemd-analyze", "verify", "--man=no", *files]
    done = subprocess.run(run, capture_output=True, text=True, env=env, timeout=60, check=False)
    said = [line for line in done.stderr.splitlines() if "pbem-" in line]
    assert (done.returncode, said) == (0, [])
