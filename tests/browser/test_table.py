"""The table in a real browser: newcomers play every system by clicks alone, with a mouse, by keyboard, on a
telephone; nothing goes wrong on any page, and what was played verifies."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import verify
from pbem.cli._memory import Memory
from pbem.cli._practice import Person, table_in
from pbem.cli._table import turn_of
from pbem.cli._web.desk import Desk
from pbem.cli.table import _open
from tests.benchmarks.big_wif import Size
from tests.benchmarks.long_wif_campaign import installed
from tests.browser.conftest import browser
from tests.browser.tables import (
    IDLE,
    SIGNABLE,
    Evening,
    Step,
    answered,
    pages,
    says,
    serving,
    sit,
    text,
)
from tests.cli.test_table_holds import by_link

SYSTEMS = ("victory", "wbts", "ocs", "totaler-krieg", "wif")
PAGES = ("", "orders", "standing", "post", "desk", "trust")


@dataclass
class Played:
    """What came of everything that was played, in one browser."""

    start: Path
    evenings: dict[str, Evening]
    mouse: dict[str, Any]
    keyboard: dict[str, Any]
    systems: dict[str, dict[str, Any]]
    phone: dict[str, dict[str, Any]]
    large: dict[str, Any]

    @property
    def all(self) -> list[dict[str, Any]]:
        return [self.mouse, self.keyboard, self.large, *self.systems.values(), *self.phone.values()]


def middle(of: str) -> str:
    """Where a part of the page is, for the mouse; it is brought into sight."""
    scroll = f"const e = {of}; e.scrollIntoView({{ block: 'center', behavior: 'instant' }});"
    scroll += "const b = e.getBoundingClientRect();"
    return f"(() => {{ {scroll} return [b.x + b.width / 2, b.y + b.height / 2]; }})()"


def spot(hex: str) -> str:
    return middle(f"document.getElementById('hex-{hex}')")


def with_the_mouse(shots: Path | None) -> list[Step]:
    """A game against the computer: a bid, then moves that are made, refused, undone, made together."""
    return [
        says("document.querySelector('h1').textContent"),
        {"axe": True},
        {"click": "form[action='/practice']:has([value=victory]) button"},
        {"wait": "document.querySelector('.go')"},
        {"axe": True},
        {"click": "a.go[href$='/orders']"},
        {"wait": IDLE},
        {"click": ".options li:nth-child(6) button"},  # five Player Turns
        {"wait": SIGNABLE},
        says(text("understood")),
        {"click": "#sign"},
        {"wait": "document.querySelector('h1').textContent === 'Signed'"},
        {"click": ".go"},
        {"wait": "document.getElementById('summary')"},
        {"click": "a.go[href$='/orders']"},
        {"wait": IDLE},
        *_a_turn(shots),
    ]


def _a_turn(shots: Path | None) -> list[Step]:
    """Moves of a turn, as far as a mouse goes."""

    def shot(name: str) -> list[Step]:
        return [{"shot": str(shots / f"table-{name}.png"), "full": False}] if shots else []

    def at(where: str) -> list[Step]:
        return [{"at": where}, {"wait": IDLE}]

    return [
        # a place, a stack opened, a counter, where it may go
        *at(spot("0305")),
        says("document.querySelectorAll('#stack .counter').length"),
        {"click": "#stack .counter.mine"},
        {"wait": IDLE},
        says("document.querySelectorAll('.target').length"),
        *shot("moves"),
        # where it may not go: why not
        *at(spot("1203")),
        says("document.querySelector('#reasons .fault').innerText"),
        says("document.querySelector('#reasons .fault').dataset.code"),
        says("document.querySelector('#reasons .rule').innerText"),
        *shot("why"),
        # dragged to where it may go
        {"drag": f"[{spot('0305')}, {middle('document.querySelector(`.target`)')}]"},
        {"wait": "document.querySelectorAll('#elements li').length === 2"},
        {"wait": IDLE},
        says("document.querySelectorAll('.trail').length"),
        {"click": "#undo"},
        {"wait": "document.querySelectorAll('#elements li').length === 0"},
        {"wait": IDLE},
        {"click": "#redo"},
        {"wait": "document.querySelectorAll('#elements li').length === 2"},
        {"wait": IDLE},
        {"click": "#elements li:last-child .remove"},
        {"wait": "document.querySelectorAll('#elements li').length === 1"},
        {"wait": IDLE},
        # a stack marches
        {"fill": ["#at", "0305"]},
        {"click": "#look"},
        {"wait": IDLE},
        {"click": ".several button"},
        {"wait": IDLE},
        *at(middle("document.querySelector('.target')")),
        says("document.querySelectorAll('#elements li').length"),
        says(text("where")),
        {"axe": True},
        *shot("march"),
        # what a counter is and did
        {"click": "#stack .counter.mine"},
        {"wait": IDLE},
        {"click": ".counter-data summary"},
        {"click": ".counter-data button"},
        {"wait": IDLE},
        says("document.querySelector('.counter-data').innerText"),
    ]


AROUND: list[Step] = [  # whoever is awaited sits down, orders, signs and gets up
    {"click": ".people li:has(strong) a"},
    {"wait": "document.querySelector('form[action$=\"/sit\"]')"},
    says(text("main")),
    {"click": "main button.go"},
    {"wait": "document.getElementById('summary')"},
    {"click": "nav.book a[href$='/orders']"},
    *answered("two alone"),
    {"click": "#sign"},
    {"wait": "document.querySelector('h1').textContent === 'Signed'"},
    {"click": "nav.book form button"},
    {"wait": "document.querySelector('.people')"},
]


def by_keyboard() -> list[Step]:
    """From the first page to a signed bid with nothing but keys."""

    def to(selector: str) -> list[Step]:
        return [
            {
                "again": f"document.activeElement.matches({selector!r})",
                "most": 150,
                "steps": [{"press": "Tab"}],
            }
        ]

    return [
        *to("#seat-victory"),
        {"press": "b"},  # blue
        {"press": "Tab"},
        {"press": "Enter"},
        {"wait": "document.querySelector('#summary')"},
        *to("a.go[href$='/orders']"),
        {"press": "Enter"},
        {"wait": IDLE},
        *to("#at"),
        {"type": "albaport"},
        {"press": "Enter"},
        {"wait": IDLE},
        says(text("stack")),
        *to("#at"),
        {"press": ["Control+a", "Delete", "Enter"]},
        {"wait": IDLE},
        *to("#choices .options li:nth-child(3) button"),
        {"press": "Enter"},
        {"wait": SIGNABLE},
        *to("#sign"),
        {"press": "Enter"},
        {"wait": "document.querySelector('h1').textContent === 'Signed'"},
        says("document.querySelector('main').innerText"),
    ]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Played]:
    """Everything is played once, in one browser; the tests look at what came of it."""
    browser()
    root = tmp_path_factory.mktemp("table")
    kept = request.config.getoption("--shots", default=None)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(root))
        for name in ("SSH_AUTH_SOCK", "PBEM_PASSPHRASE"):
            patch.delenv(name, raising=False)
        start = root / "practice"
        start.mkdir()
        link = stack.enter_context(serving(Desk(start)))
        evenings = {name: Evening(root / name, name) for name in SYSTEMS}
        links = {name: stack.enter_context(serving(one.desk)) for name, one in evenings.items()}
        others = {key: act for one in evenings.values() for key, act in one.others().items()}
        sittings = [
            {"link": link(), "steps": with_the_mouse(Path(kept).absolute() if kept else None)},
            {"link": link(), "steps": [{"goto": "/"}, *by_keyboard()]},
            *(
                {"link": links[name](), "steps": evenings[name].steps(looked_at=name == SYSTEMS[0])}
                for name in SYSTEMS
            ),
        ]
        mouse, keyboard, *systems = sit(sittings, others)
        phone = _on_a_phone(evenings, links, stack)
        by_name = dict(zip(SYSTEMS, systems, strict=True))
        yield Played(start, evenings, mouse, keyboard, by_name, phone, _large(root / "large", stack))


def _large(start: Path, stack: ExitStack) -> dict[str, Any]:
    """Clicks in a war of 500 counters: a letter with nothing in it, then where counters may go."""
    stack.enter_context(installed(Size(24, 16, 4, 3, 500)))
    start.mkdir()
    place = Desk(start)
    name = place.lay("wif", "big", {"allied": Person("You")})
    counters = place.open(name).view().game.position.counters
    mine = [id for id in sorted(counters) if id.startswith(("CW-", "USA-")) and counters[id].get("hex")][
        :40:8
    ]
    orders = [{"goto": f"/g/{name}/orders"}, {"wait": IDLE}]
    steps: list[Step] = [
        {"time": "500 counters: the page of orders", "steps": orders},
        {"click": "#choices .options button"},
        {"wait": SIGNABLE},
        {"click": "#sign"},
        {"wait": "document.querySelector('h1').textContent === 'Signed'"},
        *orders,
    ]
    for id in mine:
        shown = [{"fill": ["#at", id]}, {"click": "#look"}, {"wait": IDLE}]
        steps.append({"time": "500 counters: a click on a counter", "painted": True, "steps": shown})
    steps += [{"fill": ["#at", ""]}, {"click": "#look"}, {"wait": IDLE}]
    chosen = [{"click": "#choices .options button"}, {"wait": IDLE}]
    steps += [{"time": "500 counters: a choice", "painted": True, "steps": chosen}] * 2
    (found,) = sit([{"link": stack.enter_context(serving(place))(), "steps": steps}], {})
    return found


def _on_a_phone(
    evenings: dict[str, Evening], links: dict[str, Callable[[], str]], stack: ExitStack
) -> dict[str, dict[str, Any]]:
    """Every page of every system, narrow and in the dark; and those of a game master."""
    found: dict[str, tuple[str, list[Step]]] = {}
    for name, one in evenings.items():
        (game,) = one.desk.games()
        form = sorted(one.system.standing_forms)[0]
        found[name] = (links[name](), pages(game, *PAGES, f"standing/{form}"))
    gm = Desk(evenings["victory"].table.gm.root)
    (game,) = gm.games()
    more = ("/new", "/new/victory/sarn_strait", "/settings")
    steps = pages(game, "", "post", "desk", "settings")
    steps += [step for one in more for step in ({"goto": one}, {"axe": True}, {"wide": True})]
    found["game master"] = (stack.enter_context(serving(gm))(), steps)
    kitchen = Desk(gm.start.parents[2] / "kitchen")
    kitchen.start.mkdir()
    steps = [
        {"goto": "/around/wif/narrow_sea_1943"},
        {"axe": True},
        {"wide": True},
        {"click": "[name=master][value=nobody]"},
        {"click": "main button.go"},
    ]
    steps += [{"wait": "document.querySelector('form[action$=\"/sit\"]')"}, {"axe": True}, {"wide": True}]
    steps += [{"goto": "/"}, {"axe": True}, {"wide": True}, *AROUND * 4]
    found["several persons"] = (stack.enter_context(serving(kitchen))(), steps)
    jobs = [{"link": link, "steps": steps, "width": 360, "theme": "dark"} for link, steps in found.values()]
    return dict(zip(found, sit(jobs, {}), strict=True))


# ---- what came of it -----------------------------------------------------------------------------------


def test_a_newcomer_bids_and_moves_with_the_mouse(played: Played) -> None:
    (games, bid, stack, targets, why, code, rule, trails, march, marched, data) = played.mouse["values"]
    assert games == "Games" and "bid" in bid
    assert stack >= 4, "a place opens into its counters"
    assert targets > 3, "where the unit may go is marked on the map"
    assert why and code and rule.startswith("["), "what is illegal is explained by the checker, with its rule"
    assert trails == 1, "what was ordered is drawn as an arrow"
    assert march >= 1 and "Moving" in marched, "a stack marches with one click"
    assert "hex" in data and ("No report mentions" in data or ":" in data)


def test_a_bid_is_signed_by_keyboard_alone(played: Played) -> None:
    where, signed = played.keyboard["values"]
    assert "Albaport" in where and "bid" in signed


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_is_played_from_the_invitation_to_the_end_of_a_game_turn_by_clicks(
    played: Played, system: str
) -> None:
    evening, found = played.evenings[system], played.systems[system]
    to_send, summary, sound = found["values"]
    assert f"join-{evening.me}.eml" in to_send
    assert "in short" in summary.lower() and sound.lower().startswith("no errors found")
    assert turn_of(evening.table.gm.folder.state().at) == 2, "a whole game turn lies behind them"
    orders = list(evening.mine.glob(f"outbox/*-{evening.me}-orders-*.eml"))
    assert len(orders) == evening.answers > 2, "each time it was asked its orders were signed"
    for root in (evening.mine, evening.table.gm.root):
        checked = verify(root)
        assert checked.ok and checked.stage == evening.stages - 1, checked.of("false")


def test_nothing_is_fetched_from_elsewhere_and_nothing_goes_wrong(played: Played) -> None:
    for one in played.all:
        assert one["errors"] == [] and one["requests"] == []


def test_the_file_that_opens_a_browser_leads_into_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A strict cookie is not sent along a redirect that began on a file."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    place = Desk(tmp_path / "games", Memory(tmp_path / "games.json"))
    with serving(place) as link:
        _open(tmp_path, link())
        steps = [{"wait": "!!document.querySelector('main')"}, says("location.href"), says("document.cookie")]
        (found,) = sit([{"link": opened[0], "steps": steps}], {})
        table = link().partition("?")[0]
    assert found["values"] == [table, ""] and found["errors"] == []


def test_the_accessibility_checker_finds_nothing_on_any_page(played: Played) -> None:
    assert [line for one in played.all for line in one["violations"]] == []


def test_no_page_is_wider_than_a_telephone(played: Played) -> None:
    assert {name: one["wide"] for name, one in played.phone.items() if one["wide"]} == {}


def test_two_at_one_computer_play_a_turn_each_and_see_nothing_between(played: Played) -> None:
    between = played.phone["several persons"]["values"]
    assert {one.split(":")[0].removeprefix("Give the computer to ").split(".")[0] for one in between} == {
        "allied",
        "axis",
    }
    for seat in ("allied", "axis"):
        root = played.start.parent / "kitchen" / "wif-allied-axis-alone" / seat
        assert list(root.glob(f"outbox/stage-*-{seat}-orders*"))
        found = verify(root)
        assert found.ok and found.stage >= 1, found.of("false")


def test_what_was_played_against_the_computer_verifies(played: Played) -> None:
    practice = table_in(played.start / "victory-red")
    assert practice is not None
    found = verify(practice.folder)
    assert found.ok and found.stage >= 1, found.of("false")


# ---- figures: measured and told, not judged ------------------------------------------------------------


def test_the_figures_are_told(played: Played, tmp_path: Path, record_property: Any) -> None:
    """From the command to the first page; a click to its answer; memory after that."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", "table", "--no-browser", str(played.start)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
    ) as running:
        assert running.stdout is not None
        link = running.stdout.readline().strip()
        port, token = by_link(link)
        for page in ("the first page", "the page of games once more"):
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            line.request("GET", "/", headers={"Cookie": f"pbem-{port}={token}"})
            assert line.getresponse().status == 200
            line.close()
            record_property("figure", f"from the command to {page}: {time.perf_counter() - began:.2f} s")
        record_property("figure", f"memory of the program after it: {_memory(running.pid):.0f} MB")
        running.terminate()
    for one in (*played.systems.values(), played.large):
        for name, times in one["times"].items():
            listed = ", ".join(f"{each:.0f}" for each in times)
            record_property("figure", f"{name} to its answer: {listed} ms")


def _memory(pid: int) -> float:
    """Resident memory of a process in megabytes; 0 where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.is_file() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)
