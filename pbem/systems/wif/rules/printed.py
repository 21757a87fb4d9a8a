"""Printed values of a counter (2.3, 5.1), read from a line such as `corps 5-3 cost 3`.

    land      [corps|division|support] strength-move [move 3] [reorg 3, or a leader: Rommel] [aa 3] [cost 8]
              [motorized]
    aircraft  air-to-air/tactical/air-to-sea/strategic r9 c3 [large] [flying_boat]
    ships     [att 5] [def 6] [move 4] [range 4] [cost1 2] [cost2 3]

A figure that is not there is that of the chart for the class.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from pbem.kit.faults import bad_data
from pbem.rules import Message, Refused, dataclass

Data = Mapping[str, Any]
Arm = Literal["land", "air", "sea"]
FLAGS = ("motorized", "large", "flying_boat")
NUMBERED = ("move", "reorg", "cost", "aa", "att", "def", "range", "cost1", "cost2", "str")
SIZES = ("corps", "division", "support")


@dataclass(frozen=True)
class Print:
    """The figures of a counter.

    `cost` is the cost of reorganization before anything changes it (4.6.2). `turns` is the building
    time, for a ship that of each cycle. `cost2` is the cost of a ship's second cycle, 0 if it has
    none.
    """

    type: str
    arm: Arm
    cost: int
    turns: int
    oil: bool
    gearing: str
    size: str = ""
    strength: int = 0
    move: int = 0
    reorg: int = 0
    aa: int = 0
    mechanised: bool = False
    ata: int = 0
    tac: int = 0
    ats: int = 0
    strategic: int = 0
    range: int = 0
    large: bool = False
    flying_boat: bool = False
    attack: int = 0
    defence: int = 0
    cost2: int = 0
    headquarters: bool = False
    support: bool = False
    fuel: Fraction = Fraction(0)

    @property
    def corps(self) -> bool:
        """R-22: Return True if it is a corps: a land unit that is neither division nor support."""
        return self.arm == "land" and self.size == "corps"

    @property
    def lands_on_coast(self) -> bool:
        """4.6.7: Return True if it may land on a coastal hex without a port."""
        division = self.arm == "land" and self.size == "division" and self.gearing == "INF"
        return division or self.type == "MAR" or self.flying_boat


def read_print(chart: Data, type: str, text: str, path: tuple[str | int, ...] = ()) -> Print:
    """Read the printed line of a counter.

    Raises `Refused` if it makes no sense.
    """
    arm = arm_of(chart, type)
    if arm is None:
        raise Refused(
            [
                bad_data(
                    "unknown-type",
                    Message("wif.printed.unknown-type", type=type),
                    *path,
                    name=type,
                    names=types(chart),
                )
            ]
        )
    flags, figures, words = _taken_apart(text, chart["leaders"])
    if words:
        raise Refused(
            [bad_data("bad-print", Message("wif.printed.bad-print", words=words[0], text=text), *path)]
        )
    if arm == "land":
        return _land(chart, type, flags, figures)
    if arm == "air":
        return _air(chart, type, flags, figures)
    return _ship(chart, type, figures)


def types(chart: Data) -> list[str]:
    """Return all types of the chart."""
    return [type for arm in ("land", "air", "sea") for type in chart[arm]]


def arm_of(chart: Data, type: str) -> Arm | None:
    """Return land, air or sea, or None for an unknown type."""
    for arm in ("land", "air", "sea"):
        if type in chart[arm]:
            return arm
    return None


def _taken_apart(text: str, leaders: Data) -> tuple[set[str], dict[str, int], list[str]]:
    """Return flags, figures by name, and words that are neither."""
    flags: set[str] = set()
    figures: dict[str, int] = {}
    unknown: list[str] = []
    words = text.split()
    while words:
        word = words.pop(0)
        if word in FLAGS or word in SIZES:
            flags.add(word)
        elif word in leaders:
            figures.setdefault("reorg", int(leaders[word]))
        elif word in NUMBERED and words and words[0].isdigit():
            figures[word] = int(words.pop(0))
        elif match := re.fullmatch(r"(\d+)-(\d+)", word):
            figures |= {"strength": int(match[1]), "move": int(match[2])}
        elif match := re.fullmatch(r"(\d+)/(\d+)/(\d+)/(\d+)", word):
            figures |= dict(zip(("ata", "tac", "ats", "strategic"), map(int, match.groups()), strict=True))
        elif match := re.fullmatch(r"([rc])(\d+)", word):
            figures["range" if match[1] == "r" else "cost"] = int(match[2])
        else:
            unknown.append(word)
    return flags, figures, unknown


def _gearing(chart: Data, type: str) -> str:
    return next((name for name, members in chart["gearing"].items() if type in members), "")


def _land(chart: Data, type: str, flags: set[str], figures: dict[str, int]) -> Print:
    rows = {size: (int(cost), int(turns)) for size, cost, turns in map(str.split, chart["land"][type])}
    size = next((size for size in SIZES if size in flags), next(iter(rows)))
    cost, turns = rows.get(size, next(iter(rows.values())))
    standard = chart["land_defaults"].get(type, {})
    oil = type in chart["oil_dependent"] or (type in chart["oil_if_motorized"] and "motorized" in flags)
    fuel = chart["fuel"]
    return Print(
        type,
        "land",
        figures.get("cost", cost),
        turns,
        oil,
        _gearing(chart, type),
        size=size,
        strength=figures.get("strength", standard.get("strength", 0)),
        move=figures.get("move", standard.get("move", 0)),
        reorg=figures.get("reorg", 0),
        aa=figures.get("aa", 0),
        mechanised=type in chart["mechanised_move"] or "motorized" in flags,
        headquarters=type in chart["headquarters"],
        support=size == "support",
        fuel=Fraction(fuel.get(type, fuel["land"])) if oil else Fraction(0),
    )


def _frames(rows: Any) -> dict[int, int]:
    """Return the building time in turns by airframe cost."""
    return {int(cost): int(turns) for cost, turns in map(str.split, rows)}


def _air(chart: Data, type: str, flags: set[str], figures: dict[str, int]) -> Print:
    row = _frames(chart["air"][type])
    cost = figures.get("cost", max(row) if "large" in flags else min(row))
    turns = row.get(cost, max(row.values()))
    quick = turns <= min(t for rows in chart["air"].values() for t in _frames(rows).values())
    return Print(
        type,
        "air",
        cost,
        turns,
        True,
        _gearing(chart, type),
        ata=figures.get("ata", 0),
        tac=figures.get("tac", 0),
        ats=figures.get("ats", 0),
        strategic=figures.get("strategic", 0),
        range=figures.get("range", 0),
        large="large" in flags,
        flying_boat="flying_boat" in flags,
        fuel=Fraction(chart["fuel"]["quick_air" if quick else "air"]),
    )


def _ship(chart: Data, type: str, figures: dict[str, int]) -> Print:
    standard = chart["ship_defaults"][type]
    cost1 = figures.get("cost1", chart["sea"][type])
    return Print(
        type,
        "sea",
        cost1,
        int(chart["naval_turns"]),
        True,
        _gearing(chart, type),
        attack=figures.get("att", standard["att"]),
        defence=figures.get("def", standard["def"]),
        move=figures.get("move", standard["move"]),
        range=figures.get("range", standard["range"]),
        cost2=0 if type in chart["one_cycle"] else figures.get("cost2", 0),
        fuel=Fraction(chart["fuel"].get(type, chart["fuel"]["ship"])),
    )
