"""The editor in a real browser: a map is painted, undone, saved, recovered; one is made by the page alone."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.board.map import GameMap
from pbem.text import yaml
from pbem.workshop import beside
from tests.browser.benches import (
    CHECKED,
    KEPT,
    READY,
    SAVE,
    click,
    drag,
    edge,
    editing,
    from_tray,
    next_corner,
    option,
    tool,
    value,
)
from tests.browser.photographs import HIGH, WIDE, photograph
from tests.browser.tables import Step, says, sit
from tests.cli.play import Table, pbem
from tests.cli.test_large_scenario import large

KARSK = "0202, offen, base Karsk, Straße ×1, R-IN4 IN 3 (red), R-HB1 HB 2 (red)"
UNSAVED = "document.body.dataset.unsaved"
SAID = says("document.getElementById('said').innerText")
HERE = says("document.getElementById('here').innerText")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    pbem("scenario", "new", "victory", tmp_path / "my-river")
    return tmp_path / "my-river"


def data(root: Path) -> Any:
    return yaml.load((root / "map.yaml").read_bytes(), "map.yaml").data


def rows(root: Path) -> dict[str, dict[str, str]]:
    return {row["id"]: row for row in csv.DictReader(io.StringIO((root / "counters.csv").read_text("utf-8")))}


def visit(root: Path, steps: list[Step], others: Any = None, **more: Any) -> dict[str, Any]:
    """What a browser found at the editor of a folder, in which nothing went wrong."""
    with editing(root, more.pop("lang", "en")) as link:
        sitting = {"link": link(), "width": 1280, "height": 800, **more, "steps": [{"wait": READY}, *steps]}
        found = sit([sitting], others or {})[0]
    assert not any(found[what] for what in ("errors", "violations", "wide", "requests")), found
    return found


def test_a_map_is_painted_undone_and_saved(root: Path) -> None:
    before = (root / "map.yaml").read_text("utf-8")
    found = visit(
        root,
        [
            {"axe": True},
            *tool("terrain"),
            *option("m"),
            drag("0302", "0306"),  # a brush
            {"click": "#form button:has-text('Rectangle')"},
            *option("h"),
            drag("1001", "1203"),
            {"click": "#form button:has-text('Fill')"},
            *option("d"),
            click("0605"),  # the sea
            {"press": ["Control+z"]},
            value("t/0605"),
            {"press": ["Control+Shift+z"]},
            value("t/0605"),
            {"press": ["Control+z"]},
            *tool("sides"),
            {"at": edge("0405", "0406")},
            {"at": edge("0507", "0407")},  # there was one
            *tool("links"),
            click("0208"),
            click("0508"),
            *tool("places"),
            click("0508"),
            {"wait": "document.querySelector('#form h2').innerText.includes('0508')"},
            {"click": "#place-base"},
            {"wait": "document.getElementById('place-base-name')"},
            {"fill": ["#place-base-name", "Neustadt"]},
            {"fill": ["#place-base-pp", "2"]},
            {"pick": ["#place-base-home", "green"]},
            *tool("counters"),
            drag("0306", "0307"),
            {"wait": CHECKED},
            {"axe": True},
            *SAVE,
            says(UNSAVED),
        ],
    )
    assert found["values"] == ["~", "d", "0"]
    now = data(root)
    column = [row.split()[2] for row in now["terrain"]]
    assert column[1:6] == ["m"] * 5
    assert [row.split()[9:] for row in now["terrain"]][:3] == [["h"] * 3] * 3
    assert now["terrain"][4].split()[5] == "~", "undone"
    assert now["hexsides"]["river"] == ["0405/0406", "0406/0507", "0506/0507"]
    assert any(road.startswith("0208-") and road.endswith("-0508") for road in now["links"]["road"]), now[
        "links"
    ]
    assert now["places"]["base"][-1] == {
        "hex": "0508", "name": "Neustadt", "kind": "city", "pp": 2, "port": False, "home": "green"
    }  # fmt: skip
    assert rows(root)["R-IN2"]["hex"] == "0307"
    assert (root / "map.yaml").read_text("utf-8").startswith(before[: before.index("terrain:")]), "comments"


def test_work_that_was_not_saved_is_offered_after_a_crash(root: Path) -> None:
    visit(root, [*tool("terrain"), *option("m"), drag("0302", "0304"), {"wait": KEPT}])
    assert data(root)["terrain"][2].split()[2] == "."
    undecided = [*tool("terrain"), *option("f"), click("0308"), {"wait": KEPT}]
    visit(root, [{"wait": "!document.getElementById('recovery').hidden"}, *undecided])
    found = visit(
        root,
        [
            {"wait": "!document.getElementById('recovery').hidden"},
            {"click": "#recover"},
            {"wait": f"{UNSAVED} === '4'"},
            value("t/0303"),
            *SAVE,
        ],
    )
    assert found["values"] == ["m"] and data(root)["terrain"][2].split()[2] == "m"
    found = visit(root, [says("document.getElementById('recovery').hidden")])
    assert found["values"] == [True]


def test_changes_of_a_spreadsheet_are_taken_in_and_clashes_are_asked_about(root: Path) -> None:
    def replaced(old: str, new: str) -> None:
        path = root / "counters.csv"
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")

    def moved() -> None:
        replaced("R-IN3,red,IN,3,0502", "R-IN3,red,IN,3,0202")

    def clashing() -> None:
        replaced("R-IN2,red,IN,4,0306", "R-IN2,red,IN,4,0206")

    found = visit(
        root,
        [
            *tool("counters"),
            drag("0306", "0307"),
            {"tell": "moved"},
            {"wait": "document.getElementById('said').innerText.includes('counters.csv')"},
            value("c/counters.csv/R-IN3/hex"),
            value("c/counters.csv/R-IN2/hex"),
            {"tell": "clashing"},
            {"wait": "document.getElementById('dialog').open"},
            says("document.getElementById('dialog').innerText"),
            {"axe": True},
            {"click": "#all-theirs"},
            {"wait": "!document.getElementById('dialog').open"},
            {"wait": f"{UNSAVED} === '0'"},
            value("c/counters.csv/R-IN2/hex"),
        ],
        {"moved": moved, "clashing": clashing},
    )
    assert found["values"][:2] == ["0202", "0307"] and found["values"][3] == "0206"
    assert "0307" in found["values"][2] and "0206" in found["values"][2]


def test_everything_can_be_done_by_keys(root: Path) -> None:
    found = visit(
        root,
        [
            {"value": "document.getElementById('map').focus()"},
            {"press": ["t", "ArrowDown", "ArrowDown", "ArrowRight"]},
            HERE,
            *option("m"),
            {"value": "document.getElementById('map').focus()"},
            {"press": ["Enter", "ArrowDown", "Enter", "e", "4", "r", "2", "1"]},
            {"press": ["Control+s"]},
            {"wait": f"{UNSAVED} === '0'"},
            HERE,
            {"press": ["u", "u"]},
            {"wait": f"{UNSAVED} === '2'"},
        ],
        lang="de",
        theme="dark",
    )
    assert found["values"][1] == KARSK and found["values"][3].startswith("0302, "), found["values"]
    here = data(root)
    assert [n + 1 for n, row in enumerate(here["terrain"]) if row.split()[1] == "m"] == [2, 3, 4]
    assert "0203/0204" in here["hexsides"]["river"]
    assert here["links"]["road"][-1] == "0203-0303", "0302-0303 was there"


SEATS = {"red": ("R-IN1", "R-IN2", "0203", "0204"), "blue": ("B-IN1", "B-IN2", "1803", "1804"),
         "green": ("G-IN1", "G-IN2", "1008", "1108")}  # fmt: skip


def built(counters: list[str]) -> list[Step]:
    """From a copy of the Sarn Strait to a map of 200 hexes of one's own, by the page alone."""
    steps: list[Step] = [
        *tool("size"),
        {"fill": ["#columns", "20"]},
        {"fill": ["#rows", "10"]},
        {"pick": ["#fill", "."]},
        {"click": "#empty"},
        {"click": "#resize"},
        {"wait": "document.body.dataset.hexes === '200'"},
        *tool("terrain"),
        {"click": "#form button:has-text('Rectangle')"},
        *option("~"),
        drag("0701", "0906"),
        *option("f"),
        drag("1401", "1503"),
        {"click": "#form button:has-text('Brush')"},
        *option("h"),
        drag("0401", "0410"),
        *tool("sides"),
        *({"at": edge(f"12{n:02}", f"13{n:02}")} for n in range(2, 9)),
        *tool("links"),
        click("0203"),
        click("0208"),
        click("1008"),
        click("1803"),
        click("1803"),
        *tool("places"),
    ]
    return [
        *steps,
        *towns(),
        *troops(counters),
        *tool("text"),
        {
            "value": """(() => {
            const text = document.getElementById("text");
            text.value = text.value.replace(/^title: .*$/m, "title: Two Rivers");
            text.dispatchEvent(new Event("change"));
        })()"""
        },
        {"wait": CHECKED},
        says("document.getElementById('found').innerText"),
        *SAVE,
    ]


def towns() -> list[Step]:
    """Two bases for each seat."""
    steps: list[Step] = []
    for seat, (_, _, city, town) in SEATS.items():
        for hex, name, points in ((city, f"{seat.title()} City", "3"), (town, f"{seat.title()} Town", "1")):
            steps += [
                click(hex),
                {"wait": f"document.querySelector('#form h2').innerText.includes({hex!r})"},
                {"click": "#place-base"},
                {"wait": "document.getElementById('place-base-name')"},
                {"fill": ["#place-base-name", name]},
                {"fill": ["#place-base-pp", points]},
                {"pick": ["#place-base-home", seat]},
            ]
    return steps


def troops(counters: list[str]) -> list[Step]:
    """Two counters for each seat, and no others."""
    kept = {id for ids in SEATS.values() for id in ids[:2]}
    steps: list[Step] = [*tool("counters"), {"click": "#form button:has-text('All')"}]
    for id in counters:
        if id not in kept:
            steps += [
                {"click": f"[data-counter={id}]"},
                {"wait": f"document.querySelector('#form legend')?.innerText === {id!r}"},
                {"click": "#form button:has-text('Remove the counter')"},
                {"wait": f"!document.querySelector('[data-counter={id}]')"},
            ]
    for first, second, city, town in SEATS.values():
        for id, hex in ((first, city), (second, town)):
            steps += [
                {"click": f"[data-counter={id}]"},
                {"wait": f"document.querySelector('#form legend')?.innerText === {id!r}"},
                click(hex),
                {"wait": f"document.querySelector('[data-counter={id}] small').innerText.includes({hex!r})"},
            ]
    return steps


def test_a_scenario_of_200_hexes_is_made_by_the_page_alone_and_played(root: Path, tmp_path: Path) -> None:
    found = visit(root, built(list(rows(root))))
    assert found["values"][-1] == "nothing wrong", found["values"]
    now = data(root)
    assert len(now["terrain"]) == 10 and len(now["terrain"][0].split()) == 20
    assert set(rows(root)) == {id for ids in SEATS.values() for id in ids[:2]}
    assert pbem("scenario", "check", root).out == ""
    table = Table(tmp_path / "game", str(root), tuple(SEATS))
    table.start()
    table.run()
    for seat in table.players.values():
        table.answer(seat)
    table.post()
    table.run()
    for seat in table.everybody:
        assert seat.status["stage"] >= 1
        seat.pbem("verify")


def test_a_counter_is_dragged_from_the_tray_and_one_line_changes(root: Path) -> None:
    before = (root / "counters.csv").read_text("utf-8")
    (root / "counters.csv").write_text(before.replace("R-IN1,red,IN,4,0305,", "R-IN1,red,IN,4,,"), "utf-8")
    found = visit(
        root,
        [
            *tool("counters"),
            {"wait": "document.querySelector('[data-counter=R-IN1]')"},
            says("document.querySelectorAll('#counters button').length"),
            from_tray("R-IN1", "0405"),
            {"wait": "!document.querySelector('[data-counter=R-IN1]')"},
            SAID,
            *SAVE,
        ],
    )
    assert found["values"] == [1, "R-IN1 is in 0405"]
    assert (root / "counters.csv").read_text("utf-8") == before.replace(
        "R-IN1,red,IN,4,0305", "R-IN1,red,IN,4,0405"
    )


def test_names_with_markup_and_turned_text_stay_text(root: Path) -> None:
    """A folder of somebody else: nothing in it runs, and the check names what no scenario may hold."""
    evil = "<img src=x onerror=window.hit=1>"
    text = (root / "map.yaml").read_text("utf-8").replace("name: Karsk", f'name: "{evil}"')
    (root / "map.yaml").write_text(text + f'names: {{"0101": "a\\u202eb", "0103": "{evil}"}}\n', "utf-8")
    table = (root / "counters.csv").read_text("utf-8")
    (root / "counters.csv").write_text(table.replace("R-IN2,red,IN", f'R-IN2,"{evil}",IN'), "utf-8")
    found = visit(
        root,
        [
            says("document.querySelectorAll('#faults li').length"),
            *tool("places"),
            click("0202"),
            {"wait": "document.getElementById('place-base-name')"},
            says("document.getElementById('place-base-name').value"),
            *tool("counters"),
            {"click": "#form button:has-text('All')"},
            {"wait": "document.querySelector('[data-counter=R-IN2]')"},
            {"click": "[data-counter=R-IN2]"},
            says("window.hit || document.querySelectorAll('img').length"),
        ],
    )
    assert found["values"][0] >= 2 and found["values"][1:] == [evil, 0]


STROKE = """(async () => {
    const { S } = await import("/static/edit-state.js"), { G } = await import("/static/edit-geometry.js");
    const { screen } = await import("/static/edit-view.js"), times = [];
    const map = document.getElementById("map"), b = map.getBoundingClientRect();
    const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const to = (kind, hex) => {
        const i = S.index.get(hex), [x, y] = screen(G.x[i], G.y[i]);
        const at = { clientX: b.left + x, clientY: b.top + y };
        map.dispatchEvent(new PointerEvent(kind, { ...at, pointerId: 1, button: 0, bubbles: true }));
    };
    map.setPointerCapture = () => {};
    await painted();
    S.drawn = {};
    to("pointerdown", "030050");
    for (let n = 31; n <= 60; n++) {
        const began = performance.now();
        to("pointermove", "0" + n + "050");
        await painted();
        times.push(performance.now() - began);
    }
    to("pointerup", "060050");
    return [times.sort((one, other) => one - other), S.drawn];
})()"""


def test_a_stroke_on_a_large_map_draws_its_own_hexes_alone(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """100 x 100 hexes and 3,000 counters: neither the map nor the counters are drawn anew under the brush."""
    root = large(tmp_path / "large")
    steps = [*tool("terrain"), *option("s"), {"value": STROKE}, *SAVE]
    times, drawn = visit(root, steps)["values"][0]
    assert set(drawn) <= {"hand"}, drawn
    row = data(root)["terrain"][49].split()
    assert row[29:60] == ["s"] * 31
    middle, slow = times[len(times) // 2], times[len(times) * 9 // 10]
    record_property(
        "figure", f"a brush on 10,000 hexes, to the frame: {middle:.0f} ms, 9 of 10 below {slow:.0f} ms"
    )


# ---- a picture of the board ------------------------------------------------------------------------------


COLUMNS, ROWS = 16, 11
OFF = """(async () => {
    const { S } = await import("/static/edit-state.js"), { G } = await import("/static/edit-geometry.js");
    const at = %s, far = ([n], i) => Math.hypot(G.x[i] - at[n][0], G.y[i] - at[n][1]);
    return Math.max(...S.model.hexes.map(far)) / G.radius;
})()"""
"""The worst error of a hex on the picture, in radii of a hex."""


def countryside(seed: int) -> GameMap:
    """A map of seven terrains in patches, as boards have them."""
    luck = random.Random(seed)
    spots = [(luck.randrange(COLUMNS), luck.randrange(ROWS), kind) for kind in ".~fhmsd" * 2]

    def letter(c: int, r: int) -> str:
        return min(spots, key=lambda one: (one[0] - c) ** 2 + (one[1] - r) ** 2)[2]

    rows = [" ".join(letter(c, r) for c in range(COLUMNS)) for r in range(ROWS)]
    kinds = {
        ".": "clear",
        "~": "sea",
        "f": "forest",
        "h": "hills",
        "m": "mountain",
        "s": "swamp",
        "d": "desert",
    }
    return GameMap.from_data({"legend": kinds, "terrain": rows})


def emptied(root: Path, chart: GameMap) -> None:
    """Make the map of a folder one of clear terrain, as large as another."""
    grid = chart.sheets[0].grid
    empty = f'  - "{" ".join("." * grid.columns)}"\n' * grid.rows
    text = (root / "map.yaml").read_text("utf-8")
    (root / "map.yaml").write_text(re.sub(r'terrain:\n(  - ".*"\n)+', f"terrain:\n{empty}", text), "utf-8")


def laid(picture: Path, at: Mapping[str, tuple[float, float]]) -> list[Step]:
    """A picture is chosen, and the six hexes for which the page asks are clicked on it."""
    return [
        *tool("picture"),
        {"files": ["#picture-file", str(picture)]},
        {"wait": "document.body.dataset.picture === '1'"},
        *([next_corner(at)] * 6),
        {"wait": "document.body.dataset.aligned === '1'"},
    ]


LETTERS = {"clear": ".", "sea": "~"}


def samples(chart: GameMap, seed: int = 2) -> dict[str, list[str]]:
    """Up to four hexes of each terrain."""
    luck, found = random.Random(seed), dict[str, list[str]]()
    for hex in chart.hexes:
        found.setdefault(chart.terrain(hex), []).append(chart.number(hex))
    return {terrain: luck.sample(hexes, min(4, len(hexes))) for terrain, hexes in found.items()}


def sampled(chart: GameMap) -> list[Step]:
    """Some hexes of each terrain are painted, and the others proposed."""
    steps = [*tool("terrain")]
    for terrain, hexes in samples(chart).items():
        steps += [*option(LETTERS.get(terrain, terrain[0])), *map(click, hexes)]
    return [
        *steps,
        *tool("picture"),
        {"click": "#propose"},
        {"wait": "document.getElementById('accept-all')"},
    ]


def test_the_grid_is_laid_on_a_photograph_and_terrain_proposed_from_it(root: Path) -> None:
    """Turned, skewed, and darker to one side. Of each terrain four hexes are painted."""
    chart = countryside(5)
    data_, at = photograph(chart)
    (root.parent / "board.png").write_bytes(data_)
    emptied(root, chart)
    placed = json.dumps(at)
    found = visit(
        root,
        [
            *laid(root.parent / "board.png", at),
            says(OFF % placed),
            drag("0503", "0603"),  # a hex that is off: it goes where it is dragged, and back
            {"wait": "document.body.dataset.aligned === '1'"},
            says(OFF % placed),
            {"press": ["Control+z"]},
            says(OFF % placed),
            *sampled(chart),
            {"axe": True},
            {"value": """import("/static/edit-state.js").then(({ S }) =>
                [...S.proposals].map(([i, letter]) => [S.model.hexes[i][0], letter]))"""},
            {"click": "#accept-all"},
            {"wait": CHECKED},
            {"press": ["Control+z"]},
            value("t/0101"),
            {"press": ["Control+Shift+z"]},
            *SAVE,
        ],
    )  # fmt: skip
    off, dragged, undone, proposed = found["values"][:4]
    assert off < 0.15 and undone == off and dragged > 1, found["values"][:3]
    meant = {chart.number(hex): chart.terrain(hex) for hex in chart.hexes}
    right = [LETTERS.get(meant[hex], meant[hex][0]) == letter for hex, letter in proposed]
    assert len(right) == len(chart.hexes) - sum(map(len, samples(chart).values()))
    assert sum(right) >= 0.97 * len(right), f"{sum(right)} of {len(right)}"
    kept = root / ".editor" / "board.json"
    assert json.loads(kept.read_text("utf-8"))["moved"] == {} and kept.stat().st_mode & 0o777 == 0o600


def test_a_module_lays_its_grid_by_itself(root: Path) -> None:
    from tests.unit.workshop.test_modules import grid, module

    data_ = module(grid().replace("86.6", "60").replace("100.0", "70"))
    (root.parent / "game.vmod").write_bytes(data_)
    at = {
        f"{c:02}{r:02}": (60 * c, 50 + 70 * (r - 1) + 35 * (1 - c % 2))
        for c in range(1, 13)
        for r in range(1, 9)
    }
    found = visit(
        root,
        [
            *tool("picture"),
            {"files": ["#picture-file", str(root.parent / "game.vmod")]},
            {"wait": "document.body.dataset.picture === '1'"},
            SAID,
            says(OFF % json.dumps(at)),
        ],
    )
    assert "laid its grid" in found["values"][0] and found["values"][1] < 0.05, found["values"]


def test_the_picture_is_there_again_when_the_editor_is_opened_again(root: Path) -> None:
    chart = GameMap.from_data(data(root), legend=dict.fromkeys(".~fhmsd", "clear"))
    picture, at = photograph(chart)
    beside.keep_picture(root, picture)
    corners = {
        hex: [round(one) for one in at[hex]] for hex in ("0101", "1201", "0108", "1208", "0102", "0201")
    }
    said = {"pbem_board": 1, "picture": {"file": "board.png", "wide": WIDE, "high": HIGH}, "corners": corners}
    beside.keep_alignment(root, {**said, "moved": {}})
    found = visit(
        root,
        [
            says(OFF % json.dumps(at)),
            says(UNSAVED),
            *tool("picture"),
            {"click": "#picture-show"},
            says("document.getElementById('picture-show').checked"),
            *tool("counters"),
            drag("0306", "0307"),
            *SAVE,
        ],
        width=390,
        height=844,
        theme="dark",
    )
    assert found["values"][0] < 0.15 and found["values"][1:] == ["0", False]
    assert rows(root)["R-IN2"]["hex"] == "0307"
