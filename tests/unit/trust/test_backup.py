"""The encrypted copy of a game's private side."""

from __future__ import annotations

import base64

import pytest

from pbem.trust.backup import backup, restore
from pbem.trust.errors import BadBackup

DATA = b'{"c0":"00"}' * 40


def test_a_backup_comes_back_from_text_that_went_by_mail() -> None:
    text = backup(DATA, "correct horse")
    assert DATA not in base64.b64decode("".join(text.splitlines()[1:-1]))
    assert max(map(len, text.splitlines())) == 64
    mangled = "Here it is:\r\n\r\n" + "".join(f"> {line}\r\n" for line in text.splitlines())
    assert restore(text, "correct horse") == restore(mangled, "correct horse") == DATA
    assert backup(DATA, "correct horse") != text


def test_the_passphrase_counts_by_its_letters_not_by_how_they_are_composed() -> None:
    assert restore(backup(b"x", "M\u00fcnchen"), "Mu\u0308nchen") == b"x"


def test_a_wrong_passphrase_and_damage_are_told() -> None:
    text = backup(DATA, "correct horse")
    with pytest.raises(BadBackup, match="the passphrase is wrong"):
        restore(text, "wrong")
    lines = text.splitlines()
    swapped = "\n".join([*lines[:3], lines[4], lines[3], *lines[5:]])
    with pytest.raises(BadBackup, match="damaged"):
        restore(swapped, "correct horse")
    with pytest.raises(BadBackup, match="no PBEM KEY BACKUP"):
        restore("hello", "x")
    with pytest.raises(BadBackup, match="version"):
        restore("-----BEGIN PBEM KEY BACKUP-----\nAAAA\n-----END PBEM KEY BACKUP-----\n", "x")
    for attempt in (lambda: backup(b"", ""), lambda: restore(text, "")):
        with pytest.raises(BadBackup, match="the passphrase is empty"):
            attempt()


@pytest.mark.parametrize("asked", [0, 18, 40])
def test_a_backup_cannot_ask_for_all_memory(asked: int) -> None:
    blob = base64.b64decode("".join(backup(b"x", "y").splitlines()[1:-1]))
    at = blob.index(b"\n") + 1
    greedy = base64.b64encode(blob[:at] + bytes([asked]) + blob[at + 1 :]).decode()
    with pytest.raises(BadBackup, match="memory"):
        restore(f"-----BEGIN PBEM KEY BACKUP-----\n{greedy}\n-----END PBEM KEY BACKUP-----\n", "y")


OLD = """-----BEGIN PBEM KEY BACKUP-----
cGJlbS1iYWNrdXAvMQoBa4J1MF2vTA7RAK2588ucINTuBJhLpuJ6uVYYWW3IatHW
/eABaI0Gty5ynD80TD7fSbX7IPmiv4fDJ5YpEztYUvo=
-----END PBEM KEY BACKUP-----
"""


def test_a_backup_made_long_ago_still_opens() -> None:
    """Made once and kept here: a change of the key, the nonce or what is bound to it would lock out all."""
    assert restore(OLD, "correct horse") == b"what was kept in 2026"
