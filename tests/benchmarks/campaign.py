"""A made-up campaign: two armies along a front, one corps surrounded, in the look of `ocs`."""

from __future__ import annotations

from random import Random
from typing import Any

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.engine.system import find
from pbem.model.overlays import Overlay
from pbem.report.reader import View
from pbem.report.svg.look import Look
from pbem.report.wording import Wording

ARMS = ("infantry_type", "infantry_type", "infantry_type", "mech", "armor", "artillery")


def campaign(columns: int = 99, rows: int = 60, counters: int = 600) -> tuple[View, list[dict[str, Any]]]:
    """Return the view and what happened: moves of two corps, and a battle."""
    random, system = Random(99), find("ocs")
    names = ("open", "woods", "hills", "swamp", "sea")
    chart = GameMap.from_data(
        {
            "legend": dict(zip(".whs~", names, strict=True)),
            "terrain": _terrain(random, columns, rows),
            "hexsides": {
                "minor_river": [
                    f"{c:02}{r:02}/{c:02}{r + 1:02}" for c in range(6, columns, 20) for r in (9, 30)
                ]
            },
            "links": {"road": ["-".join(f"{c:02}{r:02}" for c in range(1, columns + 1)) for r in (12, 33)]},
            "places": {"settlement": _towns(random, columns, rows)},
        }
    )
    border = [columns // 2 + abs(row % 40 - 20) // 3 + row // 8 for row in range(rows + 1)]
    pocket = f"{min(columns, border[rows // 3] + 14):02}{rows // 3:02}"
    inside = {chart.number(hex) for hex in chart.within(chart.index(pocket), 3)}
    held = {}
    for hex in chart.hexes:
        number = chart.number(hex)
        west = int(number[:2]) <= border[int(number[2:])]
        if chart.terrain(hex) != "sea":
            held[number] = "aster" if west or number in inside else "bren"
    pieces = _pieces(random, chart, held, border, pocket, counters)
    objectives = [
        Overlay("objective", "", (f"{c:02}{r:02}",), worth=3) for c, r in ((8, 20), (columns - 9, 24))
    ]
    printed = {id: {"formation": id.partition("-")[0], "full": 4, "echelon": "div"} for id in pieces}
    view = View(
        Position(pieces),
        ("aster", "bren"),
        Wording(system.wording),
        chart,
        look_from=lambda: Look(system.look),
        areas_from=lambda: objectives,
        holders_from=lambda: held,
        printed_from=lambda: printed,
        events=system.registry.events,
    )
    return view, []


def _terrain(random: Random, columns: int, rows: int) -> list[str]:
    """Woods and hills of some eight hexes by six, and a sea in the south."""
    wide, high = columns // 8 + 2, rows // 6 + 2
    blocks = [[random.choice("....whs") for _ in range(wide)] for _ in range(high)]
    found = []
    for row in range(rows):
        line = [
            blocks[(row + random.randint(0, 1)) // 6][(column + random.randint(0, 1)) // 8]
            for column in range(columns)
        ]
        found.append(" ".join("~" if row > rows - 5 - column % 3 else one for column, one in enumerate(line)))
    return found


def _towns(random: Random, columns: int, rows: int) -> list[dict[str, Any]]:
    spots = sorted({(random.randint(2, columns - 1), random.randint(2, rows - 8)) for _ in range(40)})
    kinds = ("village", "minor_city", "major_city")
    return [
        {"hex": f"{column:02}{row:02}", "name": f"Town {n}", "kind": kinds[n % 3]}
        for n, (column, row) in enumerate(spots)
    ]


def _pieces(
    random: Random, chart: GameMap, held: dict[str, str], border: list[int], pocket: str, counters: int
) -> dict[str, dict[str, Any]]:
    """Twenty-eight corps, each near a hex of its own on its side of the border."""
    found: dict[str, dict[str, Any]] = {}
    around = f"{int(pocket[:2]) + 5:02}{pocket[2:]}"
    for n in range(28):
        owner = ("aster", "bren")[n % 2]
        row = 2 + (n // 2) * (len(border) - 12) // 13
        at = f"{border[row] + (-1 if owner == 'aster' else 2):02}{row:02}"
        centre = chart.index(pocket if n == 10 else around if n in (11, 13) else at)
        near = [hex for hex in chart.within(centre, 2) if held.get(chart.number(hex)) == owner]
        for each in range(counters // 28):
            kind = "hq" if each == 0 else random.choice(ARMS)
            found[f"{owner[0].upper()}{n // 2 + 1}-{each}"] = {
                "owner": owner,
                "kind": kind,
                "type": "?",
                "hex": chart.number(random.choice(near or [centre])),
                "steps": random.randint(1, 4),
            }
    return found
