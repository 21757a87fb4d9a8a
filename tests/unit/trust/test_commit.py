"""Commitments: fixed now, shown later, of use to nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.text.canonical import NotCanonical
from pbem.trust.commit import commitment, new_nonce
from pbem.trust.roster import Roster


def test_the_commitments_of_the_vectors(vectors: dict[str, Any], roster: Roster, secret: Any) -> None:
    want = vectors["commit"]
    nonce = bytes.fromhex(want["nonce"])
    assert nonce == secret("nonce")

    def commit(value: Any, party: str = "north") -> str:
        return commitment(roster.game_id, 1, party, "initiative-bid", nonce, value).hex()

    assert commit(3) == want["commit"]
    assert commit(4) == want["commit_value_4"]
    assert commit("3") == want["commit_string_3"]
    assert commit(3, "south") == want["commit_south"]


def test_a_commitment_opens_with_its_own_value_only() -> None:
    nonce = new_nonce()
    made = commitment(bytes(32), 4, "north", "bid", nonce, {"hex": "0713"})
    assert commitment(bytes(32), 4, "north", "bid", nonce, {"hex": "0713"}) == made
    assert commitment(bytes(32), 4, "north", "bid", nonce, {"hex": "0714"}) != made
    assert commitment(bytes(32), 5, "north", "bid", nonce, {"hex": "0713"}) != made
    assert commitment(bytes(32), 4, "north", "bid-2", nonce, {"hex": "0713"}) != made
    assert commitment(bytes(32), 4, "north", "bid", new_nonce(), {"hex": "0713"}) != made
    assert new_nonce() != nonce


def test_a_value_that_json_cannot_say_is_not_committed() -> None:
    with pytest.raises(NotCanonical):
        commitment(bytes(32), 1, "north", "bid", bytes(32), 1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(b"", 1, "north", "bid", bytes(32), 1)
