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
from pbem.cli.commands.table import _open
from pbem.cli.games.memory import Memory
from pbem.cli.games.practice import Person, table_in
from pbem.cli.games.table import turn_of
from pbem.cli.web.desk import Desk
from tests.benchmarks.big_wif import Size
from tests.benchmarks.long_wif_campaign import installed
from tests.browser.conftest import browser
from tests.browser.tables import (
    ANSWER,
    IDLE,
    SIGNABLE,
    SIGNED,
    Evening,
    Step,
    answered,
    hex,
    pages,
    says,
    serving,
    sit,
    text,
)
from tests.cli.test_table_holds import by_link

SYSTEMS = ("victory", "wbts", "ocs", "totaler-krieg", "wif")
PAGES = ("table", "", "orders", "standing", "post", "desk", "trust")


@dataclass
class Played:
    """What came of everything that was played, in one browser."""

    start: Path
    evenings: dict[str, Evening]
    keyboard: dict[str, Any]
    systems: dict[str, dict[str, Any]]
    phone: dict[str, dict[str, Any]]
    large: dict[str, Any]

    @property
    def all(self) -> list[dict[str, Any]]:
        return [self.keyboard, self.large, *self.systems.values(), *self.phone.values()]


AROUND: list[Step] = [  # whoever is awaited sits down, orders, signs and gets up
    {"click": ".people li:has(strong) a"},
    {"wait": "document.querySelector('form[action$=\"/sit\"]')"},
    says(text("main")),
    {"click": "main button.go"},
    {"wait": "document.getElementById('summary')"},
    {"click": "nav.book a[href$='/table']"},
    *answered("two alone"),
    *SIGNED,
    {"click": ".menu summary"},
    {"click": ".menu form button"},
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
        {"press": "Tab"},
        {"press": "Enter"},
        {"wait": IDLE},
        *to("#ask .answers button"),
        *to("#ask .answers button:nth-child(6)"),  # five Player Turns
        {"press": "Enter"},
        {"wait": SIGNABLE},
        {"wait": IDLE},
        *to("#map"),
        {"press": "s"},
        {"press": "Enter"},
        {"wait": "document.body.dataset.signed"},
        {"wait": IDLE},
        # on the board with arrows: the next unit that may act, then a mark, then Enter
        {"wait": "document.querySelector('.under .asked')"},
        *to("#map"),
        {"press": "n"},
        {"wait": IDLE},
        says("document.querySelector('#tray').innerText + document.querySelector('#line').innerText"),
        {"press": ["Tab", "Enter"]},
        {"wait": IDLE},
        says(text("tab-orders")),
    ]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """Everything is played once, in one browser; the tests look at what came of it."""
    browser()
    root = tmp_path_factory.mktemp("table")
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
            {"link": link(), "steps": [{"goto": "/"}, *by_keyboard()]},
            *(
                {"link": links[name](), "steps": evenings[name].steps(looked_at=name == SYSTEMS[0])}
                for name in SYSTEMS
            ),
        ]
        keyboard, *systems = sit(sittings, others)
        phone = _on_a_phone(evenings, links, stack)
        by_name = dict(zip(SYSTEMS, systems, strict=True))
        yield Played(start, evenings, keyboard, by_name, phone, _large(root / "large", stack))


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
    orders = [{"goto": f"/g/{name}/table"}, {"wait": IDLE}]
    steps: list[Step] = [
        {"time": "500 counters: the table", "steps": orders},
        {"click": ANSWER},
        {"wait": SIGNABLE},
        *SIGNED,
    ]
    position = place.open(name).view().game.position
    for id in mine:
        shown = [*hex(str(position.hex(id)))]
        steps.append({"time": "500 counters: a click on a counter", "painted": True, "steps": shown})
    chosen = [{"click": ANSWER}, {"wait": IDLE}]
    steps += [
        {"press": "Escape"},
        *[{"time": "500 counters: a choice", "painted": True, "steps": chosen}] * 2,
    ]
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
    steps = [
        *pages(game, "table"),
        {"wait": IDLE},
        says(text("ask")),
        *pages(game, "", "post", "desk", "settings"),
    ]
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


def test_a_bid_is_signed_and_a_unit_moved_by_keyboard_alone(played: Played) -> None:
    hand, orders = played.keyboard["values"]
    assert "R-" in hand and any(one.isdigit() for one in orders), "an order stands on the tab of orders"


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


def test_a_game_master_sees_on_the_table_what_is_undone(played: Played) -> None:
    (undone,) = played.phone["game master"]["values"]
    assert "Look first" in undone and "Run the stage" in undone


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
