"""The protocol's test vectors, the keys behind them, and a small game to say things in."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.trust.keys import FileSigner
from pbem.trust.roster import Roster

_ROOT = Path(__file__).parents[3]


def vector_secret(name: str) -> bytes:
    """The secrets of the vectors are made from strings (protocol 16)."""
    return hashlib.sha256(f"pbem test vector {name}".encode()).digest()


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((_ROOT / "tests/data/protocol-vectors.json").read_text("utf-8"))
    return data


@pytest.fixture(scope="session")
def secret() -> Any:
    return vector_secret


@pytest.fixture(scope="session")
def signers() -> dict[str, FileSigner]:
    return {name: FileSigner.from_seed(vector_secret(f"ed25519 {name}")) for name in ("gm", "north", "south")}


@pytest.fixture(scope="session")
def roster(vectors: dict[str, Any]) -> Roster:
    return Roster.parse(vectors["roster_canonical"].encode())


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Outside test data, which the project does not commit; a test that needs it skips where it is not."""
    folder = _ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"no outside test data at {folder}")
    return folder


@pytest.fixture
def game(roster: Roster, vectors: dict[str, Any]) -> SimpleNamespace:
    """What every statement of stage 1 of the vectors' game has in common."""
    return SimpleNamespace(game=roster.game, prev=vectors["record_0"]["head"], stage=1)
