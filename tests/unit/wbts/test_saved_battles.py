"""Games saved in the middle of a battle play on, whatever was asked, open and with limited intelligence.

The states were written while fourteen leaves made up a battle. `python -m tests.tools.make_battle_states
--answers FILE` works out anew what becomes of them, when a rule is changed that they used.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.engine.adjudicate import adjudicate
from pbem.model.state import from_json
from tests.tools.make_battle_states import inputs_of, outcome_as_json, read
from tests.unit.wbts.boards import WBTS

SAVED = read(Path(__file__).parents[2] / "fixtures/battles/marl_crossings.json.xz")


@pytest.mark.parametrize("asked", sorted(SAVED))
def test_a_game_saved_in_a_battle_plays_on(asked: str) -> None:
    for one in SAVED[asked]:
        outcome = adjudicate(WBTS, from_json(one["state"]), inputs_of(one["inputs"]))
        found: dict[str, Any] = outcome_as_json(outcome)
        for part, wanted in one["then"].items():
            assert found[part] == wanted, part


def test_every_choice_of_a_battle_is_among_them() -> None:
    kinds = {kind for name in SAVED for kind in name.split(",")[0].split(" (")[0].split(" and ")}
    assert kinds >= {
        "advance", "battles", "commit-leader", "defence", "defending-leader", "intensity", "losses",
        "required-retreat", "retreat-before-combat", "supply-sources", "voluntary-retreat",
    }  # fmt: skip
