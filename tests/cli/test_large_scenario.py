"""A scenario as large as people make them: 3,000 counters on 100 x 100 hexes."""

from __future__ import annotations

import random
import re
from pathlib import Path

from pbem.engine.system import find
from pbem.workshop.folders import need_folder
from pbem.workshop.writing import files_of
from tests.cli.play import pbem

MOST = 120_000
"""Bytes of the email with the invitation: any mailbox takes it."""
WIDE, COUNTERS = 100, 3000
WHO = ("--mail", "x@example.org")


def large(folder: Path) -> Path:
    """The Sarn Strait on a sheet of 100 x 100 hexes, with thousands of blocks of infantry more."""
    dice = random.Random("large")
    files = {
        name: re.sub(r"\b(0\d|1[0-2])(0[1-8])\b", r"0\g<1>0\g<2>", text)
        for name, text in files_of(find("victory"), "sarn_strait", "large").items()
    }
    rows = [f'  - "{" ".join(dice.choice("....fhm") for _ in range(WIDE))}"' for _ in range(WIDE)]
    terrain = "\n".join(["terrain:", *rows, ""])
    files["map.yaml"] = re.sub(r"terrain:\n(  - .*\n)+", terrain, files["map.yaml"])
    free = [(column, row) for column in range(13, WIDE + 1) for row in range(9, WIDE + 1)]
    dice.shuffle(free)
    lines = files["counters.csv"].splitlines()
    for n, (column, row) in enumerate(free[: COUNTERS + 1 - len(lines)], 100):
        seat = dice.choice(("red", "blue", "green"))
        lines.append(f"{seat[0].upper()}-IN{n},{seat},IN,{dice.randint(1, 4)},{column:03}{row:03},")
    files["counters.csv"] = "\n".join(lines) + "\n"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_it_is_checked_and_its_invitation_fits_into_any_mailbox(tmp_path: Path) -> None:
    folder = large(tmp_path / "large")
    _, whole = need_folder(folder)
    assert len(whole.data["units"]) == COUNTERS and len(whole.data["map"]["terrain"]) == WIDE
    for name in ("gm", "red"):
        pbem("key", "new", "--no-passphrase", "--file", tmp_path / f"{name}-key")
    pbem("new", folder, tmp_path / "gm", "--name", "Gm", *WHO, "--key", tmp_path / "gm-key")
    (mail,) = (tmp_path / "gm" / "outbox").glob("*.eml")
    assert mail.stat().st_size < MOST
    pbem("join", mail, tmp_path / "red", "--as", "red", "--name", "R", *WHO, "--key", tmp_path / "red-key")
    assert (tmp_path / "red" / "scenario.json").read_bytes() == whole.bytes
