"""The outline has the nodes of the player's sheet, all of them, in its order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from pbem.systems.totaler_krieg import SYSTEM

SEGMENTS = "0.1 1.1 1.2 1.3 2.1 2.2 2.3 3 4.1 4.2 4.3 5 6.1 6.2 7.1 7.2".split()
BLITZ = ["4.1.1", "4.1.2", "4.1.3", "4.1.4", "4.1.5"]
FACTIONS = ("axis", "western", "soviet")


def played(node: Any) -> Iterator[str]:
    """The ids of what is carried out, in order: steps, and leaves without any."""
    if "steps" in node:
        yield from (step["id"] for step in node["steps"])
    elif "leaf" in node:
        yield node["id"]
    for inner in node.get("do", ()):
        yield from played(inner)


def test_every_segment_of_the_sheet_is_played_in_its_order() -> None:
    ids = [id for id in played(SYSTEM.data("sequence.yaml")) if id != "D-00"]
    assert [id for id, _ in groupby(ids, lambda id: ".".join(id.split(".")[:2]))] == SEGMENTS


def test_the_blitz_segment_has_its_five_steps_in_order() -> None:
    assert [id for id in played(SYSTEM.data("sequence.yaml")) if id.startswith("4.1.")] == BLITZ


def test_the_factions_play_in_the_order_of_the_sheet() -> None:
    assert tuple(SYSTEM.scenario("lodestar")["factions"]) == FACTIONS
