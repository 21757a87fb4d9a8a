"""Provinces in a real browser: a turn on the small map is ordered by clicks on their shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.cli.games.practice import Person
from pbem.cli.web.desk import Desk
from tests.browser.conftest import browser
from tests.browser.tables import IDLE, SIGNABLE, SIGNED, Step, says, serving, sit

SCREEN = {"width": 1280, "height": 800}
ORDERS = "import('/static/board-state.js').then((s) => s.orders().map((one) => one.text))"
UNDER = """import("/static/board-sheets.js").then(({ under, M }) => {
    const b = document.getElementById("sheet").getBoundingClientRect();
    return under({ clientX: b.left + 480 * b.width / M.wide, clientY: b.top + 30 * b.height / M.high }).at;
})"""
"""What is under a point that is far from the middle of every province."""
RIM = """import("/static/board-sheets.js").then(({ M }) =>
    [...document.querySelectorAll("#sheet-under .held")]
    .some((one) => one.getAttribute("d") === M.shapes.get("KAR").d))"""
WHERE = """import("/static/board-state.js").then(({ T }) => T.board.stacks
    .filter((one) => ["SWA", "MOR", "HOF"].includes(one.at))
    .flatMap((one) => one.counters).map((one) => one.id).join())"""
TARGETS = "import('/static/board-hand.js').then((h) => [...h.targets().keys()].sort())"


def shape(at: str, across: int = 0, down: int = 0) -> list[Step]:
    """A click on the shape of a province, some units beside the place of its unit."""
    where = f"""(async () => {{
        const {{ M }} = await import("/static/board-sheets.js");
        const {{ T }} = await import("/static/board-state.js");
        const b = document.getElementById("sheet").getBoundingClientRect(), [x, y] = T.board.centres["{at}"];
        return [b.left + (x + {across}) * b.width / M.wide, b.top + (y + {down}) * b.height / M.high];
    }})()"""
    return [{"at": where}, {"wait": IDLE}]


DRAWN = """import('/static/board-state.js').then((s) => s.orders().map((one) => one.trail.join(" ")))"""
SPOKEN = "import('/static/board-state.js').then(({ T }) => T.spoken)"


REACHED = "import('/static/board-keys.js').then(({ K }) => K.at)"
COAST = "import('/static/board-sheets.js').then(({ M }) => M.labels.get('SPA.SC'))"
FRANCE = """import('/static/board-hand.js').then((h) =>
    [...h.targets().keys()].filter((at) => at.startsWith("SPA")).sort())"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Any]:
    browser()
    root = tmp_path_factory.mktemp("provinces")
    kept = request.config.getoption("--shots", default=None)

    def shot(name: str) -> list[Step]:
        return [{"shot": str(Path(kept).absolute() / f"{name}.png"), "full": False}] if kept else []

    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(root))
        for name in ("SSH_AUTH_SOCK", "PBEM_PASSPHRASE"):
            patch.delenv(name, raising=False)
        place = Desk(root / "games")
        place.start.mkdir()
        place.opened.append(place.lay("diplomacy", "three_shores", {"aldar": Person("You")}))
        steps = [
            {"goto": "/"},
            {"click": "section.game h2 a"},
            {"wait": IDLE},
            *shot("provinces-0"),
            *shape("LUM", 40, 26),
            says(TARGETS),
            *shot("provinces-1"),
            *shape("HOF", -40, 30),
            says(ORDERS),
            says(UNDER),
            *shape("KAR"),
            says(RIM),
            *shape("MOR", 10, 10),
            *shape("VEY"),
            *shape("SWA", 60, 5),
            says(ORDERS),
            *shot("provinces-2"),
            says(SIGNABLE),
            *SIGNED,
            says("import('/static/board-state.js').then(({ T }) => T.now.stage)"),
            says(WHERE),
            *shot("provinces-3"),
        ]
        with serving(place) as link:
            (done,) = sit([{"link": link(), "steps": steps, **SCREEN}], {})
        return done


def test_a_turn_of_the_small_map_is_ordered_by_clicks_on_shapes(seen: dict[str, Any]) -> None:
    targets, one, shape, rim, three, ready, stage, moved, errors = [*seen["values"], seen["errors"]]
    assert {"FEN", "HOF", "KAR", "MOR", "VEY"} <= {*targets}, "the provinces next to Lumen"
    assert one == ["army Lumen moves to Hofmoor"]
    assert shape == "SWA", "a click far from any unit is on the sea whose shape is there"
    assert rim, "what is in hand has its own outline"
    assert three == [
        "army Lumen moves to Hofmoor",
        "army Karne moves to Morrow Heath",
        "fleet Veyle moves to Swan Sea",
    ]
    assert ready and stage >= 1, "signed, and the computer's powers answered"
    assert "AL" in moved and not errors


@pytest.fixture(scope="module")
def coasts(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Any]:
    """France goes to sea in the first spring and can land on either coast of Spain in the fall."""
    browser()
    root = tmp_path_factory.mktemp("coasts")
    kept = request.config.getoption("--shots", default=None)
    shot: list[Step] = [{"shot": str(Path(kept).absolute() / "coasts.png"), "full": False}] if kept else []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(root))
        for name in ("SSH_AUTH_SOCK", "PBEM_PASSPHRASE"):
            patch.delenv(name, raising=False)
        place = Desk(root / "games")
        place.start.mkdir()
        place.opened.append(place.lay("diplomacy", "standard", {"france": Person("You")}))
        steps = [
            {"goto": "/"},
            {"click": "section.game h2 a"},
            {"wait": IDLE},
            *shape("BRE"),
            *shape("MAO"),
            says(DRAWN),
            *shape("MAR"),
            *shape("BUR"),
            *shape("PAR"),
            *shape("BUR"),
            says("document.querySelector('#line button').innerText"),
            {"click": "#line button"},
            {"wait": IDLE},
            says("document.activeElement.id"),
            says(ORDERS),
            says("getComputedStyle(document.querySelector('.tip')).fill"),
            *SIGNED,
            *shape("MAO"),
            says(FRANCE),
            says(COAST),
            *shot,
            *shape("SPA.SC"),
            says(ORDERS),
            says(DRAWN),
            {"click": "#undo"},
            {"wait": IDLE},
            *shape("MAO"),
            {"focus": "#map"},
            {"press": ["Tab", "Tab"]},
            says(REACHED),
            {"press": ["Enter"]},
            {"wait": IDLE},
            says(ORDERS),
        ]
        with serving(place) as link:
            (done,) = sit([{"link": link(), "steps": steps, **SCREEN}], {})
        return done


def test_each_coast_of_a_province_is_a_goal_of_its_own(coasts: dict[str, Any]) -> None:
    drawn, _, _, _, _, targets, name, orders, again, *rest = coasts["values"]
    assert drawn == ["BRE MAO"], "an order that was given is drawn as a way"
    assert targets == ["SPA", "SPA.NC", "SPA.SC"]
    assert name.startswith("SPA Spain") and name.endswith("south coast")
    assert orders == ["fleet Mid-Atlantic Ocean moves to Spain (south coast)"]
    assert again == ["MAO SPA.SC"]
    assert [one for one in rest if one] == [
        "SPA.NC",
        ["fleet Mid-Atlantic Ocean moves to Spain (north coast)"],
    ]
    assert not coasts["errors"]


def test_the_support_of_ones_own_move_is_offered_first(coasts: dict[str, Any]) -> None:
    _, first, focus, orders, head, *_ = coasts["values"]
    assert first == "army Paris supports Marseilles to Burgundy"
    assert orders[-2:] == ["army Marseilles moves to Burgundy", first]
    assert focus == "map", "who goes by keys is back on the map"
    assert head != "none", "an arrow has a head"
