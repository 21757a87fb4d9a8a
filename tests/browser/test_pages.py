"""Reports and maps in a real browser: accessible, usable by keyboard, without network, without surprises."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.report.html import render
from pbem.report.svg.picture import svg
from tests.browser.conftest import Visit
from tests.golden.test_reports import composed
from tests.unit.report.test_html import HOSTILE, hostile_page

FOCUSED = "document.activeElement.className + '|' + document.activeElement.textContent.trim().slice(0, 40)"
NAMED = "document.querySelector('.map-says').textContent"
AT = "location.hash"
SHOWN = "getComputedStyle(document.querySelector('.m-L-units')).display !== 'none'"
RING = "getComputedStyle(document.activeElement).strokeWidth"
ACTIVE = "document.activeElement.id"
SUPPLY = "document.getElementById('layer-supply').getAttribute('display')"
SAYS = "document.getElementById('says').textContent"
PAPER = (
    "getComputedStyle(document.body).backgroundColor",
    "getComputedStyle(document.querySelector('.switches')).display",
    "getComputedStyle(document.querySelector('.m-paper')).fill",
)
ON_PAPER = (
    "(() => { const s = document.querySelector('.map-frame svg'), r = s.getBoundingClientRect(),"
    " f = document.querySelector('.map-frame').getBoundingClientRect(), v = s.viewBox.baseVal,"
    " drawn = [...s.querySelectorAll('.m-L-units > *')].map(one => one.getBoundingClientRect());"
    " return [r.left >= 0 && r.right <= document.documentElement.clientWidth + 1,"
    " Math.abs(r.width / r.height - v.width / v.height) < .02, f.height >= r.height - 1,"
    " drawn.length > 0 && drawn.every(one => one.left >= 0 && one.right <= r.right + 1)]; })()"
)
"""Of the map on paper: it lies on the sheet, it fills its frame, nothing cuts it off, and its counters are
there."""
KEY = (
    "[...document.querySelectorAll('.key li')].filter(one => one.offsetParent)"
    ".map(one => one.textContent.trim())"
)
WITH_SUPPLY = f"(document.getElementById('layer-supply').checked = true, {KEY})"
OUTLINE = "parseFloat(getComputedStyle(document.activeElement).outlineWidth)"
BAD = '<!DOCTYPE html><title>x</title><p style="color:#ccc;background:#fff">pale</p><img src="data:,">'


def says(what: str) -> dict[str, Any]:
    return {"value": what}


def key(*names: str) -> dict[str, Any]:
    return {"press": list(names)}


# into the map, to its first hex, two further, and along its link
HEX_STEPS = [
    says(NAMED), {"focus": ".map-frame"}, key("Tab"), says(NAMED), says(RING),
    key("Tab", "Tab"), says(NAMED), key("Enter"), key("Enter"), says(AT),
]  # fmt: skip
SWITCH_STEPS = [
    {"click": ".layers summary"}, says(SHOWN), {"focus": "#layer-units"}, key("Space"), says(SHOWN),
    key("Space"), says(SHOWN),
]  # fmt: skip
MAP_STEPS = [
    says(SUPPLY), {"focus": "[data-layer=supply]"}, key("Space"), says(SUPPLY),
    {"hover": "#hex-0505"}, says(SAYS), {"focus": "#hex-0405"}, says(SAYS),
]  # fmt: skip


FANNED = (
    "[...document.querySelectorAll('.m-fan')].filter(one => getComputedStyle(one).display !== 'none')"
    ".map(one => one.dataset.fan).join()"
)
BESIDE = (
    "(() => { const f = document.querySelector('.m-fan.m-open .m-panel').getBoundingClientRect(),"
    " hex = document.getElementById('hex-' + document.querySelector('.m-open').dataset.fan),"
    " h = hex.getBoundingClientRect(), by = 1;"
    " return f.right <= h.left + by || f.left >= h.right - by"
    " || f.bottom <= h.top + by || f.top >= h.bottom - by; })()"
)


def fan_steps(page: str) -> list[dict[str, Any]]:
    """Two stacks opened and closed by clicks, by Enter and by Escape."""
    one, other = re.findall('data-fan="([^"]+)"', page)[:2]
    return [
        {"click": f"#hex-{one}"}, says(FANNED), says(BESIDE), key("Escape"), says(FANNED),
        {"click": f"#hex-{one}"}, {"click": f"#hex-{one}"}, says(FANNED),
        {"focus": f"#hex-{one}"}, key("Enter"), says(FANNED), {"click": f"#hex-{other}"}, says(FANNED),
        says(f"'{one},{other}'"),
    ]  # fmt: skip


SCRIPTLESS = [{"click": ".layers summary"}, says(SHOWN), {"click": "#layer-units"}, says(SHOWN)]


def jobs(folder: Path) -> dict[str, dict[str, Any]]:
    """What is opened, and what is done there; the accessibility checker takes its time with each page."""
    files = {
        "red": render(composed(4, "red")),
        "public": render(composed(4, None)),
        "start": render(composed(0, "red")),
        "hostile": hostile_page(HOSTILE[0]),
        "turned": hostile_page(HOSTILE[4]),
        "long": hostile_page(HOSTILE[5]),
        "bad": BAD,
        "smuggled": render(composed(4, "red")).replace("<h1>", "<h1><script>alert(1)</script>"),
    }
    for name, text in files.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    (folder / "map.svg").write_text(svg(composed(4, "red")), "utf-8")

    def page(name: str, **more: Any) -> dict[str, Any]:
        return {"file": str(folder / f"{name}.html"), "width": 1400, "height": 1000, **more}

    return {
        "light": page("red"),
        "dark": page("red", theme="dark", axe=True),
        "narrow": page("red", width=320, height=640, axe=True),
        "public": page("public", theme="dark", width=800),
        "start": page("start", axe=True),
        "hostile": page("hostile", axe=True),
        "turned": page("turned"),
        "long": page("long", width=320, axe=True),
        "bad": page("bad", axe=True),
        "smuggled": page("smuggled", steps=[says(NAMED)]),
        "unfolded": page(
            "red", axe=True, steps=[says("document.querySelectorAll('details').forEach(d => d.open = true)")]
        ),
        "skip": page("red", steps=[key("Tab"), says(FOCUSED), says(OUTLINE), key("Enter"), says(ACTIVE)]),
        "hex": page("red", steps=HEX_STEPS),
        "fan": page("red", steps=fan_steps(files["red"])),
        "pointed": page("red", steps=[{"hover": "#hex-0505"}, says(NAMED)]),
        "switch": page("red", steps=SWITCH_STEPS),
        "scriptless": page("red", script=False, steps=SCRIPTLESS),
        "link": page("red", hash="#hex-0505", steps=[says(NAMED)]),
        "paper": page("red", theme="dark", media="print", steps=[says(one) for one in PAPER]),
        "small-paper": page(
            "red", width=720, media="print", steps=[says(ON_PAPER), says(KEY), says(WITH_SUPPLY)]
        ),
        "map": {"file": str(folder / "map.svg"), "width": 1200, "height": 1000, "steps": MAP_STEPS},
    }


@pytest.fixture(scope="module")
def seen(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    return visit(jobs(tmp_path_factory.mktemp("pages")))


CHECKED = ("dark", "narrow", "start", "hostile", "long", "unfolded")
"""`unfolded` is all of `light`, and `public` holds less than `dark`."""
PAGES = (*CHECKED, "light", "public", "turned")


@pytest.mark.parametrize("name", CHECKED)
def test_the_accessibility_checker_finds_nothing(seen: dict[str, dict[str, Any]], name: str) -> None:
    assert seen[name]["violations"] == []


def test_the_checker_does_find_what_is_wrong(seen: dict[str, dict[str, Any]]) -> None:
    found = " ".join(seen["bad"]["violations"])
    assert "color-contrast" in found and "image-alt" in found and "html-has-lang" in found


@pytest.mark.parametrize("name", [*PAGES, "scriptless", "map"])
def test_nothing_is_fetched_and_nothing_goes_wrong(seen: dict[str, dict[str, Any]], name: str) -> None:
    """An alert of a hostile name would be among the errors."""
    assert seen[name]["requests"] == [] and seen[name]["errors"] == []


def test_a_script_that_somebody_smuggled_in_does_not_run_and_ours_does(
    seen: dict[str, dict[str, Any]],
) -> None:
    errors = seen["smuggled"]["errors"]
    assert len(errors) == 1 and "Content Security Policy" in errors[0] and "dialog" not in errors[0]
    assert seen["smuggled"]["values"][0].startswith("To read what is in a hex, point at it")


@pytest.mark.parametrize("name", ["light", "narrow", "public", "turned", "long"])
def test_a_page_does_not_scroll_sideways(seen: dict[str, dict[str, Any]], name: str) -> None:
    assert not seen[name]["wide"]


def test_the_first_tab_leads_past_the_contents(seen: dict[str, dict[str, Any]]) -> None:
    _, focused, outline, _, arrived = seen["skip"]["values"]
    assert focused == "skip|Skip to the report" and outline >= 2 and arrived == "main"


def test_the_keyboard_reaches_every_hex_reads_it_and_goes_to_its_line(
    seen: dict[str, dict[str, Any]],
) -> None:
    hint, _, _, first, ring, _, third, _, _, at = seen["hex"]["values"]
    assert hint.startswith("To read what is in a hex, point at it")
    assert first[:4] != third[:4] and first[:4].isdigit() and third[:4].isdigit()
    assert ring == "4px"
    assert at == f"#at-{third[:4]}"


def test_what_is_pointed_at_or_linked_to_is_named(seen: dict[str, dict[str, Any]]) -> None:
    assert seen["pointed"]["values"][1].startswith("0505")
    assert seen["link"]["values"][0].startswith("0505")


def test_layers_are_switched_by_keyboard_and_without_a_script(seen: dict[str, dict[str, Any]]) -> None:
    values = seen["switch"]["values"]
    assert [values[1], values[4], values[6]] == [True, False, True]
    assert [seen["scriptless"]["values"][n] for n in (1, 3)] == [True, False]


def test_paper_is_white_whatever_the_screen_is(seen: dict[str, dict[str, Any]]) -> None:
    background, switches, paper = seen["paper"]["values"]
    assert background == "rgb(255, 255, 255)" and switches == "none" and paper == "rgb(246, 241, 224)"


def test_a_map_lies_whole_on_the_paper(seen: dict[str, dict[str, Any]]) -> None:
    assert seen["small-paper"]["values"][0] == [True, True, True, True]


def test_the_key_on_paper_leaves_out_what_is_switched_off(seen: dict[str, dict[str, Any]]) -> None:
    _, without, with_supply = seen["small-paper"]["values"]
    assert "clear" in without and "supplied" not in without and "zone of control" not in without
    assert [text for text in with_supply if text not in without] == ["supplied"]


def test_a_map_of_its_own_is_switched_and_read_by_keyboard(seen: dict[str, dict[str, Any]]) -> None:
    values = seen["map"]["values"]
    assert values[0] == "none" and values[3] == "inline"
    assert values[5].startswith("0505") and values[7].startswith("0405")


def test_a_stack_is_fanned_out_beside_its_hex_by_click_and_key(seen: dict[str, dict[str, Any]]) -> None:
    values = [value for value in seen["fan"]["values"] if value is not None]
    open_, beside, escaped, twice, entered, moved, named = values
    one, other = named.split(",")
    assert (open_, escaped, twice, entered, moved) == (one, "", "", one, other)
    assert beside, "it never covers its own hex"
    assert seen["fan"]["errors"] == []
