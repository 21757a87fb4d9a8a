"""The private side under a passphrase: what lies in it is read with it and not without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.archive.folder.private_side import COMING, SECRETS_LOCKED, Private
from pbem.text.diagnostics import Refused
from pbem.trust import backup
from pbem.trust.chain import Chain

SALT, FIRST, LATER = b"s" * 32, b"1" * 32, b"2" * 32


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a chain from joining and one made since, both encrypted."""
    secrets = {"salt": SALT.hex(), "party": "red", "chain": FIRST.hex()}
    for name, held in ((SECRETS_LOCKED, secrets), (f"{COMING}/chain-1.asc", {"chain": LATER.hex()})):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(backup.backup(json.dumps(held).encode(), "correct horse"), "ascii")
    return tmp_path


def test_with_the_passphrase_each_secret_is_found(root: Path) -> None:
    side = Private(root, lambda name: "correct horse")
    assert side.salt == SALT
    for start in (FIRST, LATER):
        chain = Chain(SALT, "red", start, 4)
        assert side.chain(4, chain.anchor).anchor == chain.anchor


@pytest.mark.parametrize("passphrase", [None, lambda name: "", lambda name: None])
def test_without_it_the_player_is_told_what_is_missing(root: Path, passphrase: object) -> None:
    with pytest.raises(Refused, match="encrypted, and no passphrase was given"):
        print(Private(root, passphrase).salt)  # type: ignore[arg-type]
