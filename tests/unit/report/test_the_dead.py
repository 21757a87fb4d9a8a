"""Units that are gone are named with their type: who was lost is news."""

from __future__ import annotations

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import find


@pytest.mark.parametrize(
    ("system", "id", "field", "value"),
    [
        ("ocs", "A5-R", "kind", "recon"),
        ("ocs", "A-23", "kind", "infantry_type"),  # it arrives in a later turn
        ("wbts", "C-2D", "type", "infantry"),
    ],
)
def test_a_unit_that_was_eliminated_is_known_by_its_type(
    system: str, id: str, field: str, value: str
) -> None:
    rules = find(system)
    game = game_of(rules, start(rules, rules.scenarios()[0]))
    if id in game.position.counters:
        game.position.remove(id)
    game.tracks.pop("coming", None)
    assert rules.absent(game)[id][field] == value


@pytest.mark.parametrize(
    ("system", "options"), [("ocs", {"fow": "gm"}), ("wbts", {"limited_intelligence": True})]
)
def test_who_is_unseen_is_not_told_as_gone(system: str, options: dict[str, object]) -> None:
    """The type of a counter that a reader does not see stays hidden."""
    rules = find(system)
    game = game_of(rules, start(rules, rules.scenarios()[0], options))
    gone = [id for id in rules.absent(game) if "-" in id and id in game.position.counters]
    assert gone == []
