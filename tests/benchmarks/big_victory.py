"""An invented war of any size for `victory`: the land of the Sarn Strait again and again, with its armies."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pbem.systems.victory import SYSTEM
from tests.benchmarks.big_system import BigSystem, with_war

WIDE, HIGH = 12, 8
LAND = ("IN", "AR", "MA", "AB")


def big_system(counters: int) -> BigSystem:
    """The rules of `victory` with a war of at least as many counters."""
    return with_war(SYSTEM, scenario(counters))


def scenario(counters: int) -> dict[str, Any]:
    """The data of the war: copies of the map beside and below each other, land units in all of them."""
    war: dict[str, Any] = deepcopy(dict(SYSTEM.scenario("sarn_strait")))
    here = dict(war["units"])
    armies = {id: one for id, one in here.items() if one["type"] in LAND}
    side = 1
    while len(here) + (side * side - 1) * len(armies) < counters:
        side += 1
    rows = war["map"]["terrain"]
    war["map"]["terrain"] = [" ".join([row] * side) for row in rows * side]
    war |= {"title": "A big war", "scenario": "big"}
    for across in range(side):
        for down in range(side):
            for id, one in armies.items() if across or down else ():
                column, row = int(one["hex"][:2]) + across * WIDE, int(one["hex"][2:]) + down * HIGH
                war["units"][f"{id}-{across}{down}"] = {**one, "hex": f"{column:02}{row:02}"}
    return war
