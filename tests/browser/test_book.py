"""A book in a real browser: opened from the disk, stepped through by keyboard, checked, printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Visit
from tests.cli.play import pbem

SAMPLE = Path(__file__).parents[2] / "sample_games/victory-sarn-strait"
NOW = "document.getElementById('now').textContent"
PICTURE = "document.getElementById('picture').getAttribute('src')"
LOADED = "document.getElementById('picture').naturalWidth > 0"
TOLD = "document.getElementById('slide').getAttribute('aria-valuetext')"
BACK = "document.querySelector('[data-step=back]').disabled"
STEPPER = "getComputedStyle(document.getElementById('stepper')).display"
PAGE = "document.getElementById('page').getAttribute('href')"
SLIDING = "document.querySelectorAll('#slides g').length > 0"
CHOOSE_RED = "eyes.value = 'red', eyes.dispatchEvent(new Event('change'))"
FOCUS = "document.activeElement.id || document.activeElement.dataset.step || document.activeElement.className"
WHERE = "location.pathname.split('/').slice(-2).join('/') + location.hash"


POINTED = """(() => {
  const map = document.getElementById('picture'), box = map.getBoundingClientRect();
  for (let x = 20; x < box.width; x += 20) for (let y = 20; y < box.height; y += 20) {
    const at = {bubbles: true, clientX: box.left + x, clientY: box.top + y};
    map.dispatchEvent(new MouseEvent('click', at));
    if (document.querySelector('#standing a')) return document.getElementById('spot').textContent;
  }
  return '';
})()"""
CAREER = "(document.querySelector(':target') || document.body).className"


def says(what: str) -> dict[str, Any]:
    return {"value": what}


def key(*names: str) -> dict[str, Any]:
    return {"press": list(names)}


STEPS: dict[str, list[dict[str, Any]]] = {
    "start": [says(NOW), says(PICTURE), says(LOADED), says(BACK)],
    "keys": [key("Home"), says(NOW), says(BACK), key("ArrowRight", "ArrowRight"), says(PICTURE), says(PAGE)],
    "slider": [{"focus": "#slide"}, key("Home"), key("ArrowRight"), says(NOW), says(TOLD)],
    "buttons": [
        {"click": "[data-step=back]"},
        says(NOW),
        {"click": "[data-step=first]"},
        says(NOW),
        says(BACK),
    ],
    "battle": [key("Home"), key("b"), says(NOW), says(SLIDING), key("b"), says(NOW)],
    "fog": [{"value": CHOOSE_RED}, says(PICTURE)],
    "linked": [says(NOW), says(PICTURE)],
    "tabbed": [{"focus": "#main"}, key("Tab"), says(FOCUS), key("Enter"), says(NOW)],
    "without": [says(STEPPER), says(PICTURE), {"click": ".all-maps li:nth-child(5) a"}, says(WHERE)],
    "counter": [
        says(LOADED),
        says(POINTED),
        {"click": "#on-map summary"},
        {"wait": "document.querySelector('#every a')"},
        {"click": "#standing a"},
        says(WHERE),
        says(CAREER),
    ],
    "paging": [{"click": "a[rel=next]"}, says(WHERE), {"click": "a[rel=prev]"}, says(WHERE)],
}


@pytest.fixture(scope="module")
def seen(visit: Visit, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    book = tmp_path_factory.mktemp("book")
    pbem("book", book, SAMPLE)

    def page(name: str, **more: Any) -> dict[str, Any]:
        return {"file": str(book / name), "width": 1400, "height": 1000, **more}

    jobs = {
        f"{name}-{theme}-{width}": page(f"{name}.html", axe=True, theme=theme, width=width)
        for name, theme, width in SIZES
    }
    for name in ("start", "keys", "slider", "buttons", "tabbed", "battle", "fog", "counter"):
        jobs[name] = page("map.html", steps=STEPS[name])
    jobs["calm"] = page("map.html", media="calm", steps=STEPS["battle"])
    jobs["check"] = page("check.html", axe=True, steps=CHECKED)
    (book / "forged.html").write_text(forged((book / "check.html").read_text("utf-8")), "utf-8")
    jobs["forged"] = page("forged.html", steps=CHECKED)
    jobs["linked"] = page("map.html", hash="#s12", steps=STEPS["linked"])
    jobs["without"] = page("map.html", script=False, steps=STEPS["without"])
    jobs["paging"] = page("stages/0004.html", steps=STEPS["paging"])
    jobs["paper"] = page("map.html", media="print", theme="dark", steps=[says(STEPPER)])
    return visit(jobs)


CHECKED: list[dict[str, Any]] = [
    {"click": "#check-run"},
    {"wait": "!document.getElementById('check-run').disabled"},
    says("document.getElementById('check-said').innerText"),
]


def forged(page: str) -> str:
    """The page with one die of the game turned."""
    at = page.index('\\"dice\\":\\"1d6\\"')
    before = re.search(r'\\"result\\":\[(\d)\]', page[at:])
    assert before is not None
    place = at + before.start(1)
    return page[:place] + ("1" if page[place] != "1" else "2") + page[place + 1 :]


SIZES = [
    *(("map", theme, width) for theme, width in (("light", 1400), ("dark", 1400), ("light", 320))),
    ("index", "light", 320),
    ("figures", "dark", 320),
    ("check", "light", 320),
    ("careers", "dark", 1400),
    ("hidden", "light", 320),
    ("stages/0004", "dark", 800),
]
"""The styles are the same on all pages: the map has every size, of the others each has one."""


@pytest.mark.parametrize(("name", "theme", "width"), SIZES)
def test_the_accessibility_checker_finds_nothing(
    seen: dict[str, dict[str, Any]], name: str, theme: str, width: int
) -> None:
    assert seen[f"{name}-{theme}-{width}"]["violations"] == []


@pytest.mark.parametrize(("name", "theme", "width"), SIZES)
def test_a_page_does_not_scroll_sideways(
    seen: dict[str, dict[str, Any]], name: str, theme: str, width: int
) -> None:
    assert not seen[f"{name}-{theme}-{width}"]["wide"]


@pytest.mark.parametrize("name", [*STEPS])
def test_nothing_but_the_book_is_read_and_nothing_goes_wrong(
    seen: dict[str, dict[str, Any]], name: str
) -> None:
    assert seen[name]["errors"] == []
    assert all(url.startswith("file:///") and "/book" in url for url in seen[name]["requests"])


def test_it_opens_at_the_newest_stage_or_where_a_link_leads(seen: dict[str, dict[str, Any]]) -> None:
    now, picture, loaded, back = seen["start"]["values"]
    assert (picture, loaded, back) == (f"maps/{int(now):04}.svg", True, False)
    assert seen["linked"]["values"] == ["12", "maps/0012.svg"]


def test_a_click_on_a_counter_of_the_map_leads_to_its_career(seen: dict[str, dict[str, Any]]) -> None:
    _, hex, _, _, _, where, shown = seen["counter"]["values"]
    assert len(hex) == 4, "clicked where counters stand"
    assert "/careers.html#" in where and shown == "career"


def test_arrow_keys_step_wherever_the_focus_is(seen: dict[str, dict[str, Any]]) -> None:
    _, first, back, _, picture, page = seen["keys"]["values"]
    assert (first, back, picture, page) == ("0", True, "maps/0002.svg", "stages/0002.html")
    _, _, _, now, told = seen["slider"]["values"]
    assert now == "1" and told.startswith("Stage 1: Game turn 1")


def test_buttons_and_the_tab_key_work_too(seen: dict[str, dict[str, Any]]) -> None:
    last = int(seen["start"]["values"][0])
    assert [seen["buttons"]["values"][n] for n in (1, 3, 4)] == [str(last - 1), "0", True]
    assert [seen["tabbed"]["values"][n] for n in (2, 4)] == ["first", "0"]


def test_without_its_script_the_maps_are_links(seen: dict[str, dict[str, Any]]) -> None:
    hidden, picture, _, where = seen["without"]["values"]
    assert hidden == "none" and picture.startswith("maps/")
    assert where == "stages/0004.html#position"


def test_pages_of_stages_lead_to_the_next_and_back(seen: dict[str, dict[str, Any]]) -> None:
    assert [seen["paging"]["values"][n] for n in (1, 3)] == ["stages/0005.html", "stages/0004.html"]


def test_a_key_leads_to_the_next_battle_and_its_moves_slide(seen: dict[str, dict[str, Any]]) -> None:
    _, _, first, sliding, _, second = seen["battle"]["values"]
    assert sliding is True and int(first) < int(second)


def test_who_asks_for_less_motion_gets_none(seen: dict[str, dict[str, Any]]) -> None:
    assert seen["calm"]["values"][3] is False


def test_the_map_changes_to_what_one_player_saw(seen: dict[str, dict[str, Any]]) -> None:
    assert seen["fog"]["values"][1].endswith("-red.svg")


def test_on_paper_there_are_no_buttons(seen: dict[str, dict[str, Any]]) -> None:
    assert seen["paper"]["values"] == ["none"]


def test_the_page_that_checks_the_game_says_what_it_found(seen: dict[str, dict[str, Any]]) -> None:
    said = seen["check"]["values"][2]
    assert said.startswith("proved") and "public rolls match their seeds" in said
    assert seen["check"]["violations"] == [] and seen["forged"]["errors"] == []


def test_a_turned_die_is_found_by_the_page(seen: dict[str, dict[str, Any]]) -> None:
    said = seen["forged"]["values"][2]
    assert said.startswith("FALSE") and "the signature is not valid" in said
