"""A process that serves several games writes to each in the language of its own letters."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.archive import Folder, protest, remind
from pbem.cli.games.memory import Memory
from pbem.cli.shell.keys import key_at_hand
from pbem.cli.shell.language import in_its_language, speaking
from pbem.cli.web.desk import Desk
from tests.cli.play import Table

SUBJECTS = {"de": "1: north protestiert", "en": "1: north protests"}
WAITS = {"de": "Die Partie wartet in Etappe 1 auf south.", "en": "The game waits for south in stage 1."}


@pytest.fixture
def folders(started_open: Table, tmp_path: Path) -> dict[str, Folder]:
    """The same player's folder twice, as the table opens it: once with German letters, once with English."""
    for code in SUBJECTS:
        shutil.copytree(started_open.players["north"].root, tmp_path / code)
        (tmp_path / code / "private/mail.yaml").write_text(f"language: {code}\n", "utf-8")
    desk = Desk(tmp_path, Memory(tmp_path / "memory"))
    return {root.name: desk.open(name) for name, root in desk.games().items()}


@pytest.mark.parametrize("own", SUBJECTS)
def test_each_game_of_a_table_is_written_to_in_its_own_language(folders: dict[str, Folder], own: str) -> None:
    """Whatever the program speaks itself, and what is signed is the same."""
    signed = []
    for code, folder in folders.items():
        signer = key_at_hand(folder)
        assert signer is not None
        with speaking(own):
            files = protest(folder, signer, "That was late.")
        mail = next(file for file in files if file.suffix == ".eml").read_bytes().decode()
        assert SUBJECTS[code] in mail.partition("\r\n\r\n")[0].replace("\r\n ", " ")
        signed += [file.read_bytes() for file in files if file.suffix == ".json"]
    assert len(folders) == 2 and signed[0] == signed[1]


def test_a_folder_that_no_command_has_opened_writes_english(started_open: Table, tmp_path: Path) -> None:
    root = started_open.copy(tmp_path / "gm").gm.root
    (root / "private/mail.yaml").write_text("language: de\n", "utf-8")
    for folder, code in ((Folder.open(root), "en"), (in_its_language(Folder.open(root)), "de")):
        mail = next(file for file in remind(folder, ["south"]) if file.suffix == ".txt")
        assert WAITS[code] in mail.read_text("utf-8"), code
