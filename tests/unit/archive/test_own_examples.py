"""The form of a long answer in the order file names units of whoever reads it."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.ordering.own_examples import in_own_units
from pbem.board.position import Position
from pbem.engine.system import find

COUNTERS = {
    "R-AR1": {"type": "AR", "owner": "red", "hex": "0305"},
    "B-AR7": {"type": "AR", "owner": "blue", "hex": "0806"},
    "B-F2": {"type": "F", "owner": "blue", "hex": "0806"},
    "B-SU1": {"type": "SU", "owner": "blue", "hex": "0806"},
}


def view(*powers: str, counters: Any = COUNTERS) -> Any:
    game = SimpleNamespace(
        players=("red", "blue"),
        powers=("germany", "france") if powers else ("red", "blue"),
        powers_of=lambda me: powers or (me,),
    )
    position = Position.from_json({"counters": counters, "tracks": {}})
    return SimpleNamespace(game=game, position=position, system=find("victory"))


def test_a_unit_becomes_one_of_ones_own_of_its_kind() -> None:
    example = '{unit: R-AR1, kind: march, path: ["0305", "0306"]} and {su: R-SU2, targets: [R-F1]}'
    wanted = '{unit: B-AR7, kind: march, path: ["0305", "0306"]} and {su: B-SU1, targets: [B-F2]}'
    assert in_own_units(example, view(), "blue") == wanted


def test_what_is_mine_stays_and_who_has_nothing_gets_no_example() -> None:
    assert in_own_units("{unit: R-AR1}", view(), "red") == "{unit: R-AR1}"
    assert in_own_units("{unit: R-AR1}", view(), "green") is None


def test_powers_are_ones_own_and_words_that_are_no_ids_stay() -> None:
    counters = {"FR-1": {"owner": "france"}}
    own = in_own_units("germany: [GE-1], ARM: TRUE", view("france", counters=counters), "blue")
    assert own == "germany: [FR-1], ARM: TRUE"


@pytest.mark.parametrize("name", ["ocs", "totaler-krieg", "victory", "wbts", "wif"])
def test_every_form_of_the_five_systems_has_ids_that_are_found(name: str) -> None:
    """What looks like an id in an example is one of the start position, or is given a like one."""
    system = find(name)
    scenario = system.scenarios()[0]
    options = system.options(system.scenario(scenario), {})
    world = system.world(scenario, options)
    position = system.set_up(world, system.scenario(scenario), options)
    field = system.wording.get("map", {}).get("owner", "owner")
    owners = {position.counters[id].get(field) for id in position.counters} - {None, ""}
    for owner in sorted(map(str, owners)):
        theirs = {id for id in position.counters if position.counters[id].get(field) != owner}
        game = SimpleNamespace(players=(owner,), powers=(owner,), powers_of=lambda me: (me,))
        seen: Any = SimpleNamespace(game=game, position=position, system=system)
        for form in system.wording.get("answers", {}).values():
            told = in_own_units(form, seen, owner) or ""
            assert not theirs & set(re.findall(r"[A-Z][A-Za-z0-9-]*", told))
