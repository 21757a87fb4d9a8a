"""R-306: in a scenario with token trucks, points are captured by tokens, four of which are a point."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.system import System
from pbem.systems.ocs import SYSTEM
from pbem.testing.runner import run

FOOT = {
    "name": "Foot",
    "size": "bn",
    "kind": "infantry_type",
    "category": "other",
    "ar": 4,
    "c": [4, 4, "leg"],
}
CAPTURE: dict[str, Any] = {
    "example": "a quarter of three points is three tokens",
    "given": {
        "only": ["B-HQ4"],
        "tracks": {"phase": "C", "acting": "aster"},
        "counters": {
            "Y-TR": {
                "owner": "bren",
                "kind": "transport",
                "hex": "13.04",
                "type": "truck",
                "points": 3,
                "ma": 40,
                "mobility": "truck",
                "load": 12,
            },
            "X-BN": {
                "owner": "aster",
                "kind": "infantry_type",
                "hex": "13.03",
                "printed": {**FOOT, "m": [4, 4, "leg"]},
            },
        },
    },
    "play": "T.2.C.2.m",
    "phasing": "aster",
    "orders": {
        "aster": {"actions/movement": {"actions": [{"move": {"units": ["X-BN"], "path": ["13.04"]}}]}}
    },
    "dice": [[3]],
    "expect": {
        "counters": {
            "Y-TR": {"points": 2, "tokens": 1, "load": 9},
            "A-CP1": {"points": 0, "tokens": 3, "load": 3},
        }
    },
}


def test_a_quarter_of_three_points_is_three_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    known = System.scenario

    def with_tokens(system: System, name: str) -> dict[str, Any]:
        return {**known(system, name), "token_trucks": True}

    monkeypatch.setattr(System, "scenario", with_tokens)
    assert run(SYSTEM.as_played({"fow": "open"}), CAPTURE) == []
