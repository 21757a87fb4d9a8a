"""What `verify` says of many odd files at once: links, files of others, what cannot be read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.folder import statement_words
from pbem.archive.verifying.verify import verify
from pbem.cli.games.telling import renderers
from pbem.trust.statements import make, parse
from tests.copying import copied
from tests.primer import FOG
from tests.unit.archive.conftest import Played
from tests.unit.archive.table import signer_of

_ID = re.compile(r"(?<![0-9a-z])[0-9a-f]{8,64}(?![0-9a-z])|SHA256:[^ ,]+")


def link(root: Path, *patterns: str) -> None:
    """Make links of files or folders, to what they were."""
    for pattern in patterns:
        path = sorted(root.glob(pattern))[0]
        path.rename(root.parent / f"elsewhere-{path.name}")
        path.symlink_to(root.parent / f"elsewhere-{path.name}")


def in_words(root: Path) -> list[Path]:
    """Write the orders of the first stage in words, as they are published."""
    made = [parse(path.read_bytes()) for path in sorted((root / "stages/0001").glob("?" * 64 + ".json"))]
    orders = [statement for statement in made if statement.type == "order"]
    for statement in orders:
        (root / statement_words.name(statement)).write_text(statement_words.text(statement))
    return sorted(root / statement_words.name(statement) for statement in orders)


LINKS = (
    "letters",
    "allowed_signers",
    "module.lock",
    "state.yaml",
    "stages/0001/events.json",
    "stages/0001/report.txt",
    "stages/0002/record.json",
    "stages/0002/views/*.bin",
    "stages/0001/north-order-*.txt",
)
CONTENTS = {
    "allowed_signers": "\n",
    "module.lock": "{}",
    "state.yaml": "[]",
    "stages/0001/record.json": "{",
    "stages/0002/events.json": "[]",
    "stages/0002/report.txt": "All is well.\n",
    "stages/0002/views/north.bin": "?",
}
DEEP = ("module.lock", "state.yaml", "stages/0001/record.json", "roster.json")


def linked(name: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        in_words(root)
        (root / "letters").mkdir()
        link(root, name)

    return change


def holding(name: str, text: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        assert (root / name).exists()
        (root / name).write_text(text)

    return change


def links_in_evidence(root: Path) -> None:
    orders = [
        path for path in (root / "stages/0002").glob("*.json") if b'"type":"order"' in path.read_bytes()
    ]
    link(root, f"stages/0002/{sorted(orders)[0].stem}.sig")


def links_under_the_roster(root: Path) -> None:
    link(root, "roster.north.sig")
    (root / "roster.south.sig").write_bytes((root / "roster.gm.sig").read_bytes())
    (root / "roster.eve.sig").write_text("?")


def without_a_place(root: Path) -> None:
    for name in (
        "stages/0001/north-order-1-00000000.txt",
        "stages/0001/notes.txt",
        "stages/0002/views/eve.txt",
        "stages/0002/views/notes",
        "stages/0002/views/eve.bin",
        "roster.eve.sig",
    ):
        (root / name).write_text("x")
    path, _ = in_words(root)
    path.write_text(path.read_text() + "and more\n")


def letter(root: Path, sender: str, body: dict[str, Any], signs: str, stage: int = 2) -> str:
    order = min((root / "stages/0002").glob("?" * 64 + ".json"))
    first = json.loads(order.read_bytes())
    made = make("letter", body, game=first["game"], sender=sender, stage=stage, prev=first["prev"])
    (root / "letters").mkdir(exist_ok=True)
    (root / f"letters/{made.sid}.json").write_bytes(made.bytes)
    if signs:
        (root / f"letters/{made.sid}.sig").write_text(signer_of(signs).sign(made.bytes))
    return made.sid


def letters(root: Path) -> None:
    sid = letter(root, "north", {"n": 1, "text": "To all."}, "north")
    letter(root, "north", {"n": 1, "text": "To all, twice."}, "north", 3)
    letter(root, "south", {"n": 3, "after": sid, "text": "After what?"}, "south")
    letter(root, "gm", {"n": 1, "text": "At the end."}, "gm", 9)


def letters_that_are_none(root: Path) -> None:
    letter(root, "south", {"n": 1, "text": "Not mine."}, "north")
    letter(root, "south", {"n": 1, "text": "Unsigned."}, "")
    letter(root, "eve", {"n": 1, "text": "A stranger."}, "eve")
    sid = letter(root, "north", {"n": 1, "text": "Elsewhere."}, "north")
    for end in ("json", "sig"):
        (root / f"letters/{sid}.{end}").rename(root / f"letters/{'b' * 64}.{end}")
    (root / "letters/readme.txt").write_text("x")
    (root / f"letters/{'a' * 64}.json").write_text("{}")
    (root / f"letters/{'c' * 64}.json").symlink_to(root / "roster.json")


CASES: dict[str, Callable[[Path], None]] = {
    "links in evidence": links_in_evidence,
    "links under the roster": links_under_the_roster,
    "what has no place": without_a_place,
    "letters": letters,
    "letters that are none": letters_that_are_none,
    **{f"{name} is a link": linked(name) for name in LINKS},
    **{f"{name} holds something else": holding(name, text) for name, text in CONTENTS.items()},
    **{f"{name} is too deep": holding(name, "[" * 100_000) for name in DEEP},
}


@pytest.mark.parametrize("case", CASES)
def test_each_odd_file_is_named(
    case: str,
    tmp_path: Path,
    played: Played,
    golden_block: Callable[[str, list[str], str, list[str]], None],
) -> None:
    root = copied(played(FOG).gm.root, tmp_path / "copy", "outbox", "lock", "private")
    CASES[case](root)
    found = verify(root, renderers=renderers)
    lines = sorted(
        f"{one.kind} {one.code}, {one.party or 'nobody'}: {_ID.sub('<id>', one.in_place)}"
        for one in found.findings
        if one.kind in ("false", "claimed")
    )
    golden_block("verify-odd-files.txt", [*CASES], case, lines)


@pytest.mark.parametrize("given", ["", "0" * 40, "8 digits", "64 digits", "upper case"])
def test_the_id_of_the_game_is_that_of_the_roster(given: str, tmp_path: Path, played: Played) -> None:
    root = played(FOG).gm.root
    game = played(FOG).gm.folder.need_roster().game
    wanted = {"8 digits": game[:8], "64 digits": game, "upper case": f" {game.upper()} "}.get(given, given)
    if not game.startswith(wanted.strip().lower() or "-"):
        found = verify(root, wanted).findings
        assert [(one.kind, one.code) for one in found] == [("false", "other-game")]
        return
    codes = {one.code for one in verify(root, wanted).findings}
    assert ("game-id" in codes) == (given == "8 digits") and "other-game" not in codes
