"""A large map as SVG, HTML and PNG: 40 x 60 hexes, 300 counters, rivers, roads, areas, moves.

The size is a promise (under 340 kB, with a fan for every stack) and asserted, also by the unit tests; times
are printed.
"""

from __future__ import annotations

from random import Random
from typing import Any

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.engine.system import find
from pbem.model.overlays import Overlay
from pbem.report.reader import View
from pbem.report.svg.canvas import Style
from pbem.report.svg.draw import draw
from pbem.report.svg.look import Look
from pbem.report.wording import Wording
from tests.benchmarks.timing import best, row

LIMIT = 340_000


def large_map(columns: int = 60, rows: int = 40, counters: int = 300) -> tuple[View, list[dict[str, Any]]]:
    """A made-up campaign in the look of `victory`, and some moves and battles."""
    random = Random(60)
    system = find("victory")
    terrain = _terrain(random, columns, rows)
    names = ("clear", "forest", "hills", "swamp", "mountain", "desert", "sea")
    legend = dict(zip(".fhsmd~", names, strict=True))
    numbers = [f"{c:02}{r:02}" for c in range(1, columns + 1) for r in range(1, rows + 1)]
    roads = ["-".join(f"{c:02}{r:02}" for r in range(1, rows + 1)) for c in range(4, columns, 8)]
    rivers = [f"{c:02}{r:02}/{c:02}{r + 1:02}" for c in range(2, columns, 3) for r in range(3, rows - 1, 9)]
    bases = [
        {
            "hex": number,
            "name": f"Place {n}",
            "kind": "city" if n % 3 else "town",
            "pp": n % 4,
            "port": n < 9,
        }
        for n, number in enumerate(random.sample(numbers, 60))
    ]
    chart = GameMap.from_data(
        {
            "legend": legend,
            "terrain": terrain,
            "hexsides": {"river": rivers},
            "links": {"road": roads},
            "places": {"base": bases},
        }
    )
    kinds = ["IN", "AR", "F", "BB", "SU", "?"]
    pieces = {}
    for n in range(counters):
        kind = random.choice(kinds)
        fields: dict[str, Any] = {"owner": random.choice(("red", "blue")), "type": kind}
        fields["hex"] = random.choice(numbers)
        pieces[f"c{n}"] = fields if kind == "?" else {**fields, "cv": random.randint(1, 4)}
    control = {base["hex"]: random.choice(("red", "blue")) for base in bases}
    areas = [
        Overlay("supply", owner, tuple(n for n in numbers if (int(n[:2]) < columns // 2) == (owner == "red")))
        for owner in ("red", "blue")
    ]
    view = View(
        Position(pieces, {"control": control}),
        ("red", "blue"),
        Wording(system.wording),
        chart,
        look_from=lambda: Look(system.look),
        areas_from=lambda: areas,
        events=system.registry.events,
    )
    return view, [_event(random, numbers) for _ in range(40)]


def _terrain(random: Random, columns: int, rows: int) -> list[str]:
    """Woods, hills and seas of some four hexes by three, as on maps of real countries."""
    blocks = [[random.choice("....fhsmd~") for _ in range(columns // 4 + 1)] for _ in range(rows // 3 + 1)]
    return [
        " ".join(
            blocks[min(row + random.randint(0, 1), rows - 1) // 3][
                min(column + random.randint(0, 1), columns - 1) // 4
            ]
            for column in range(columns)
        )
        for row in range(rows)
    ]


def _event(random: Random, numbers: list[str]) -> dict[str, Any]:
    start = random.randrange(len(numbers) - 4)
    way = numbers[start : start + 4]
    if random.random() < 0.3:
        return {"event": "battle-began", "hex": way[0]}
    return {"event": "blocks-marched", "player": random.choice(("red", "blue")), "blocks": 2, "path": way}


def main(smoke: bool = False) -> None:
    view, events = large_map(12, 8, 30) if smoke else large_map()
    drawn = draw(view, events, Style(alone=True), "large")
    size = len(drawn.svg.encode())
    hexes = len(view.chart.grid) if view.chart else 0
    print(f"  {hexes} hexes, {len(view.position.counters)} counters: {size} bytes of SVG")
    if not smoke:
        assert size < LIMIT, f"a map of {size} bytes is larger than {LIMIT}"
    row("SVG", best(lambda: draw(view, events, Style(alone=True)), 3))
    try:
        import resvg_py
    except ImportError:
        print("  PNG: resvg-py is not installed")
        return
    still = draw(view, events, Style("light", still=True)).svg
    row("PNG", best(lambda: resvg_py.svg_to_bytes(svg_string=still, skip_system_fonts=True), 1))


if __name__ == "__main__":
    main()
