"""Pictures of the table, the lobby and the editor at every size, light and dark, to be looked at.

`python -m tests.tools.make_board_shots FOLDER [SYSTEM ...]`: a file for each page, system, size and theme.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.cli.web.catalogue import seats
from pbem.cli.web.desk import Desk
from tests.browser.tables import IDLE, Step, serving, sit
from tests.browser.test_keys import MAY_MOVE, ROUND, SETTLED

SIZES = {
    "phone": (390, 844),
    "desktop": (1280, 800),
    "wide": (1920, 1080),
    "twice": (640, 400),
}
THEMES = ("light", "dark")
STACK = """(async () => {  // the own stack nearest to the middle that may act
    const { T } = await import("/static/board-state.js"), { M } = await import("/static/board-sheets.js");
    const map = document.getElementById("map").getBoundingClientRect();
    const b = document.getElementById("sheet").getBoundingClientRect();
    const at = (one) => [T.board.centres[one.at][0] * b.width / M.wide + b.left,
        T.board.centres[one.at][1] * b.height / M.high + b.top];
    const middle = [(map.left + map.right) / 2, (map.top + map.bottom) / 2];
    const far = (one) => Math.hypot(at(one)[0] - middle[0], at(one)[1] - middle[1]);
    const own = (one) => T.board.centres[one.at] && one.counters.some((each) => each.mine);
    const { able } = await import("/static/board-hand.js"), may = able();
    const acts = (one) => one.counters.some((each) => may.has(each.id));
    const every = T.board.stacks.filter(own), ready = every.filter(acts);
    const mine = ready.length ? ready : every;
    mine.sort((one, other) => far(one) - far(other));
    return mine.length ? at(mine[0]) : middle;
})()"""


STILL: list[Step] = [{"wait": IDLE}, SETTLED]
TABS = [(name, {"click": f"#tab-{name}"}) for name in ("news", "units", "rules")]


def steps(shot: str, named: Sequence[tuple[str, Step | None]], still: Sequence[Step]) -> list[Step]:
    """Take a picture after each step, once the page is still; no step is the page as it opens."""
    found: list[Step] = [*still]
    for name, step in named:
        found += [step, *still] if step is not None else []
        found.append({"shot": f"{shot}-{name}.png", "full": False})
    return found


def table(out: Path, system: str) -> None:
    """Take pictures of one game, at its first question and at its first list of orders."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = os.environ["XDG_CONFIG_HOME"] = home
        place = Desk(Path(home) / "games")
        place.start.mkdir()
        place.opened.append(place.practice(system, seats()[system][0]))
        with serving(place) as link:

            def shown(page: str, named: Mapping[str, Sequence[tuple[str, Step | None]]]) -> None:
                before = [] if page == system else [{"goto": "/"}]
                still = STILL if page == system else [{"wait": "document.readyState === 'complete'"}]
                jobs: list[dict[str, Any]] = [
                    {
                        "link": link(),
                        "steps": [*before, *steps(str(out / f"{page}-{size}-{theme}"), named[size], still)],
                        "width": wide,
                        "height": high,
                        "theme": theme,
                    }
                    for size, (wide, high) in SIZES.items()
                    for theme in THEMES
                ]
                for one in sit(jobs, {}):
                    for error in one["errors"]:
                        print(f"{page}: {error}")

            for page in ("lobby", system) if system == "victory" else (system,):
                shown(page, dict.fromkeys(SIZES, (("open", None),)))
            played: list[Step] = [*STILL, {"again": MAY_MOVE, "most": 8, "steps": [*ROUND, SETTLED]}]
            sit([{"link": link(), "steps": played, "width": 1280, "height": 800}], {})
            hand: list[tuple[str, Step | None]] = [("asked", None), ("hand", {"at": STACK})]
            half: list[tuple[str, Step | None]] = [("half", {"click": "#grip"})]
            shown(
                system,
                {
                    "phone": [*hand, *half, *TABS],
                    "desktop": [*hand, *TABS],
                    "wide": hand,
                    "twice": [*hand, *TABS],
                },
            )


def main() -> None:
    out = Path(sys.argv[1]).absolute()
    out.mkdir(parents=True, exist_ok=True)
    for system in sys.argv[2:] or sorted(seats()):
        table(out, system)


if __name__ == "__main__":
    main()
