"""Orders of battle: every fault of every counter at once, and positions that keep no defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from pbem.board.map import GameMap
from pbem.board.position import Fields
from pbem.kit.chart import Chart
from pbem.kit.faults import bad_data
from pbem.kit.set_up import listing_faults
from pbem.model.codec import Range
from pbem.model.typed import Counter
from pbem.text.diagnostics import Diagnostic

CHART = Chart(
    GameMap.from_data({"terrain": [". ~"], "legend": {".": "land", "~": "sea"}, "boxes": {"Pool": None}})
)


class Block(Counter):
    owner: str
    type: str
    hex: str | None = None
    cv: Annotated[int, Range(1, 4)] = 1
    moved: bool = False
    flags: tuple[str, ...] = ()


def dry(id: str, fields: Fields) -> Iterator[Diagnostic]:
    if fields.get("hex") == "0201":
        yield bad_data("wrong-place", f"{id} stands in the sea", "hex")


def faults(**units: Any) -> list[tuple[str, tuple[str | int, ...]]]:
    names = {"type": ("unknown-type", ("tank", "foot")), "owner": ("unknown-player", ("red", "blue"))}
    found = listing_faults(Block, units, CHART, path=("units",), names=names, check=dry)
    listed = list(found)
    assert all(fault.message.startswith(str(fault.path[1])) for fault in listed)
    return [(fault.code, fault.path[1:]) for fault in listed]


def test_a_counter_that_is_well_formed_has_no_faults() -> None:
    assert (
        faults(a={"owner": "red", "type": "tank", "hex": "0101"}, b={"owner": "blue", "type": "foot"}) == []
    )
    assert faults(c={"owner": "red", "type": "tank", "hex": "Pool", "cv": 4, "flags": ["x"]}) == []


def test_every_fault_of_every_counter_is_found_with_its_path() -> None:
    assert faults(
        a={"owner": "rde", "type": "tnak", "hex": "0909", "cv": 9},
        b={"owner": "red"},
        c={"owner": "red", "type": "tank", "movd": True},
        d=7,
        e={"owner": "red", "type": "tank", "hex": "0201"},
        f={"owner": "red", "type": "tank", "hex": "0201", "cv": "much"},
    ) == [
        ("out-of-range", ("a", "cv")),
        ("unknown-type", ("a", "type")),
        ("unknown-player", ("a", "owner")),
        ("unknown-hex", ("a", "hex")),
        ("missing-key", ("b",)),
        ("unknown-key", ("c", "movd")),
        ("wrong-type", ("d",)),
        ("wrong-place", ("e", "hex")),
        ("wrong-type", ("f", "cv")),
    ]
