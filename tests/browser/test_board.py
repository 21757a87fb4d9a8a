"""The board in a real browser: a turn is played on one screen, without a page between two clicks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import Folder, verify
from pbem.cli.games.practice import table_in
from pbem.cli.games.table import Table
from pbem.cli.web.catalogue import seats
from pbem.cli.web.desk import Desk
from pbem.engine.system import find
from tests.browser.conftest import browser
from tests.browser.tables import IDLE, SIGNABLE, SIGNED, Step, hex, says, serving, sit, text
from tests.nightly import IN_CI
from tests.practising import practising

STEPS = (
    """import("/static/board-state.js").then((s) => s.orders().filter((one) => one.trail.length).length)"""
)
MARKS = "document.querySelectorAll('.under .may').length"
CUT = """[...document.querySelectorAll("#ask, #line, #foot, #sign, #undo, #map, .bar")].filter((one) => {
    // where the panel scrolls as one, in a short window, the question begins in view, with its first answer
    const whole = one.id !== "ask" || getComputedStyle(one.closest(".scrolls")).overflowY !== "auto";
    const last = whole ? one : one.querySelector(".answers button") || one.querySelector("h2");
    const low = whole ? innerHeight : document.getElementById("foot").getBoundingClientRect().top;
    const b = one.getBoundingClientRect();
    const hides = one.id === "ask" && whole && one.scrollHeight > one.clientHeight + 1;
    const out = last.getBoundingClientRect().bottom > low + 1 || hides;
    return out || b.left < -1 || b.top < -1 || b.right > innerWidth + 1 || b.width < 20 || b.height < 20;
}).map((one) => one.id || one.className)"""
"""What must always be in view and is not."""
WIDEST = """Promise.all([import("/static/board-sheets.js")]).then(([m]) =>
    80 * document.getElementById("sheet").getBoundingClientRect().width / m.M.wide)"""
"""How wide a hex is on the screen."""
AIMED_AT = """(async () => {  // the pointer rests on a place; what the line then says
    const { T } = await import("/static/board-state.js"), { M } = await import("/static/board-sheets.js");
    const b = document.getElementById("sheet").getBoundingClientRect(), [x, y] = T.board.centres["0304"];
    const [clientX, clientY] = [b.left + x * b.width / M.wide, b.top + y * b.height / M.high];
    const move = new PointerEvent("pointermove", { bubbles: true, clientX, clientY, pointerType: "mouse" });
    document.getElementById("map").dispatchEvent(move);
    for (let n = 0; n < 400 && !(T.then && T.then.at === "0304"); n++) {
        await new Promise((done) => setTimeout(done, 25));
    }
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [document.getElementById("line").innerText, document.getElementById("pages").innerText];
})()"""
SCROLLS = (
    "document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth"
)
RUN = """(() => {
    const all = [...document.querySelectorAll("#ask .answers button")];
    const b = all.find((one) => one.innerText === "Run the stage").getBoundingClientRect();
    return [b.left + 9, b.top + 9];
})()"""
"""Where the button is that runs a stage."""
KEPT = "window.kept === 1"
"""False after a page was loaded."""


SCREEN = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844, "theme": "dark", "touch": True}


@dataclass
class Seen:
    """What a browser found at the table."""

    start: Path
    mouse: dict[str, Any]
    phone: dict[str, Any]
    master: dict[str, Any]


def shot(folder: Path | None, name: str) -> list[Step]:
    return [{"shot": str(folder / f"{name}.png"), "full": False}] if folder else []


def bids(text: str) -> list[Step]:
    """The bid of the first question, signed."""
    return [{"wait": IDLE}, {"click": f"#ask .answers button:has-text({text!r})"}, {"wait": SIGNABLE}]


def clicks(steps: list[Step]) -> int:
    return sum(1 for one in steps if "at" in one or "click" in one)


ORDERED: list[Step] = [  # a stack and three others move: four orders
    *hex("0305"),
    *hex("0205"),
    *hex("0306"),
    *hex("0406"),
    *hex("0405"),
    *hex("0507"),
    *hex("0202"),
    *hex("0303"),
]
AIMED: list[
    Step
] = [  # a fight that several may join: a unit, the enemy, another unit of one's own; the odds follow
    *hex("0405"),
    *hex("0606"),
    *hex("0505"),
]


def with_the_mouse(pictures: Path | None) -> list[Step]:
    return [
        {"wait": IDLE},
        says("document.querySelector('#ask h2').innerText"),
        says(CUT),
        says(SCROLLS),
        {"axe": True},
        says("window.kept = 1"),
        *bids("bid 5"),
        *SIGNED,
        # a stack in hand, where it may go, why not, undone and done again
        *hex("0305"),
        says(MARKS),
        says("document.querySelectorAll('#tray button').length"),
        says(AIMED_AT),
        *shot(pictures, "table-hand"),
        *hex("1203"),
        says("document.querySelector('#pages .fact').innerText"),
        says("document.querySelectorAll('#pages .fact .rule').length"),
        says(text("line")),
        {"axe": True},
        *shot(pictures, "table-why"),
        *hex("0405", low=True),  # join one's own: the lower rim
        says(STEPS),
        {"click": "#undo"},
        {"wait": IDLE},
        says(STEPS),
        {"click": "#redo"},
        {"wait": IDLE},
        says(STEPS),
        {"click": "#undo"},
        {"wait": IDLE},
        {"press": "Escape"},
        *AIMED,
        {"wait": "document.querySelector('.under .join')"},
        says(text("line")),
        *shot(pictures, "table"),
        {"axe": True},
        {"press": "Escape"},
        # a whole Player Turn
        *ORDERED,
        says(STEPS),
        *SIGNED,
        says(KEPT),
        says("document.querySelector('#ask h2').innerText"),
        *shot(pictures, "table-after"),
        # a note on this game turn is there when the table is opened again
        {"click": "#pages details:has(textarea) summary"},
        {"fill": ["#pages textarea", "hold <b>0606</b>"]},
        {"click": "#pages details:has(textarea) button"},
        {"wait": IDLE},
        {"goto": "/"},
        {"click": "section.game h2 a"},
        {"wait": IDLE},
        says("document.querySelector('#pages textarea').value"),
    ]


def on_a_phone(pictures: Path | None) -> list[Step]:
    return [
        {"goto": "/"},
        {"click": "section.game h2 a"},
        {"wait": IDLE},
        says(CUT),
        says(WIDEST),
        says("document.getElementById('panel').getBoundingClientRect().height"),
        {"axe": True},
        *hex("0305"),
        says("document.getElementById('panel').dataset.open"),
        *shot(pictures, "table-phone"),
        {"click": "#grip"},
        {"wait": IDLE},
        says("document.getElementById('panel').dataset.open"),
        says("document.getElementById('grip').getAttribute('aria-expanded')"),
        {"click": "#tab-units"},
        {"wait": "document.querySelectorAll('#pages tr').length > 5"},
        {"axe": True},
        {"wide": True},
        says(CUT),
        *shot(pictures, "table-phone-half"),
    ]


def as_game_master(stage: str) -> list[Step]:
    """What is undone, from one screen: remind, look, and a forfeit that says what it would do first."""
    undone, told = says(text("ask")), says(text("pages"))
    return [
        {"wait": IDLE},
        says(CUT.replace("#sign, #undo, ", "#sign, ")),
        says(SCROLLS),
        undone,
        told,
        {"axe": True},
        {"at": RUN},  # it looks as if it could not be pressed, and says why when it is
        {"wait": IDLE},
        says(text("line")),
        *[{"click": "#ask .answers button:has-text('Look first')"}, {"wait": IDLE}, told],
        *[{"click": "#ask .answers button:has-text('Remind')"}, {"wait": IDLE}, told],
        *[{"click": "#sign"}, {"wait": IDLE}, told],
        says(stage),
    ]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Seen]:
    """A practice game of `pbem table --practice`, by mouse, then on a phone in the dark."""
    browser()
    root = tmp_path_factory.mktemp("board")
    kept = request.config.getoption("--shots", default=None)
    pictures = Path(kept).absolute() if kept else None
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            patch.setenv(name, str(root))
        for name in ("SSH_AUTH_SOCK", "PBEM_PASSPHRASE"):
            patch.delenv(name, raising=False)
        place = Desk(root / "games")
        place.start.mkdir()
        place.opened.append(practising(place, "victory", "red"))
        link = stack.enter_context(serving(place))
        mouse, phone = sit(
            [
                {"link": link(), "steps": with_the_mouse(pictures), **SCREEN},
                {"link": link(), "steps": on_a_phone(pictures), **PHONE},
            ],
            {},
        )
        gm = Desk(place.start / "victory-red" / "gm")
        (name,) = gm.games()
        steps = as_game_master("import('/static/board-state.js').then(({ T }) => T.now.stage)")
        link = stack.enter_context(serving(gm))
        (master,) = sit([{"link": link(), "steps": [{"goto": f"/g/{name}/table"}, *steps], **SCREEN}], {})
        yield Seen(place.start, mouse, phone, master)


def test_a_player_turn_is_played_on_one_screen_in_nine_clicks_with_one_signing(seen: Seen) -> None:
    first, cut, scrolls, _, targets, tray, (line_before, now_before), *rest = seen.mouse["values"]
    why, rules, line, one, none, again, odds, four, kept, after, note = rest
    assert "bid" in first, "a practice game opens at its first question"
    assert cut == [] and not scrolls
    assert targets > 10 and tray == 4
    assert "0304" in line_before and "may go" in line_before and "unknown" in line_before
    assert "0304" in now_before and "unknown" in now_before, "what a move means is told before it is made"
    assert why and rules >= 1 and "R-" in line, (
        "the reason stands in the panel with its rule, and in the line"
    )
    assert one > 0 and none == 0 and again == one, "undone and done again"
    assert four >= 5, "five counters move"
    assert clicks(ORDERED) + 1 <= 9
    assert "%" in odds, "the line gives the odds of the fight aimed at"
    assert kept and after != first, "no page was loaded between two clicks"
    assert note == "hold <b>0606</b>", "a private note is text, and it is kept"


def test_a_phone_shows_question_answers_and_sign_and_its_sheet_stays_down(seen: Seen) -> None:
    cut, hex_, high, after_tap, opened, expanded, cut_open = seen.phone["values"]
    assert cut == [] and cut_open == []
    assert hex_ >= 44 and high <= 190
    assert (after_tap, opened, expanded) == ("peek", "half", "true")
    assert seen.phone["wide"] == []


def test_a_game_master_does_what_is_undone_on_one_screen_and_nothing_by_accident(seen: Seen) -> None:
    cut, scrolls, undone, owed, early, looked, reminded, forfeit, stage = seen.master["values"]
    assert cut == [] and not scrolls
    assert "missing: 1" in undone and "Red" in owed and "owes" in owed
    assert "An answer is missing" in early, "a stage that must wait says so when it is clicked"
    assert "waits" in looked and "red" in looked
    assert reminded != looked and "red" in reminded
    assert "must wait" in forfeit and "error[" not in forfeit, "its words, not those of the command line"
    practice = table_in(seen.start / "victory-red")
    assert practice is not None and stage == Folder.open(practice.folder).stage + 1, "and nothing was run"
    assert seen.master["errors"] == [] and seen.master["violations"] == []


def test_the_accessibility_checker_finds_nothing_on_the_board(seen: Seen) -> None:
    assert seen.mouse["violations"] == [] and seen.phone["violations"] == []


def test_nothing_is_fetched_from_elsewhere_and_nothing_goes_wrong_on_the_board(seen: Seen) -> None:
    for one in (seen.mouse, seen.phone):
        assert one["errors"] == [] and one["requests"] == []


def test_what_was_played_on_the_board_verifies(seen: Seen) -> None:
    practice = table_in(seen.start / "victory-red")
    assert practice is not None
    found = verify(practice.folder)
    assert found.ok and found.stage >= 2, found.of("false")


def test_a_message_for_the_next_email_is_written_and_taken_back_on_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    table = Table(tmp_path / "game", find("victory"), "sarn_strait", seed="talk")
    table.sit_down("Talk", options={})
    place = Desk(tmp_path / "game" / "red")
    told = says("[...document.querySelectorAll('#pages details .fact')].map((one) => one.innerText)")
    steps: list[Step] = [
        {"goto": f"/g/{next(iter(place.games()))}/table"},
        {"wait": IDLE},
        *[{"click": "#tab-news"}, {"wait": IDLE}],
        *[{"click": "#pages details summary"}, {"fill": ["#pages textarea", "meet <i>at</i> Velm"]}],
        *[{"click": "#pages details > button"}, {"wait": IDLE}, says(text("line"))],  # to nobody: it waits
        *[{"click": "#pages input[aria-label=Blue]"}, {"fill": ["#pages textarea", "meet <i>at</i> Velm"]}],
        *[{"click": "#pages details > button"}, {"wait": IDLE}, told, {"axe": True}],
        *[{"click": "#pages details .fact button"}, {"wait": IDLE}, told],
    ]
    with serving(place) as link:
        (found,) = sit([{"link": link(), "steps": steps, **SCREEN}], {})
    refused, (written,), none = found["values"]
    assert "name at least one reader" in refused, (
        "no reader is chosen beforehand: nothing goes to all by accident"
    )
    assert "meet <i>at</i> Velm" in written and "blue" in written and none == []
    assert all("409" in one for one in found["errors"]) and found["violations"] == []


SIZES = {
    "desktop": (1280, 800),
    "wide": (1920, 1080),
    "phone": (390, 844),
    "side": (844, 390),
    "twice": (640, 400),
}


@pytest.mark.parametrize(
    "system", [pytest.param(one, marks=IN_CI) for one in ("wbts", "ocs", "totaler-krieg", "wif")]
)
def test_every_system_fits_every_window_in_light_and_dark(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    place = Desk(tmp_path / "games")
    place.start.mkdir()
    place.opened.append(practising(place, system, seats()[system][0]))
    with serving(place) as link:
        jobs = [
            {
                "link": link(),
                "steps": [{"wait": IDLE}, {"axe": True}, says(CUT), {"wide": True}],
                "width": wide,
                "height": high,
                "theme": theme,
            }
            for wide, high in SIZES.values()
            for theme in ("light", "dark")
        ]
        found = sit(jobs, {})
    for one in found:
        assert one["errors"] == [] and one["violations"] == [] and one["wide"] == []
        assert one["values"] == [[]], "what must always be in view is"
