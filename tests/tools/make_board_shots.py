"""Pictures of the table, the lobby and the editor at every size, light and dark, to be looked at.

`python -m tests.tools.make_board_shots FOLDER [SYSTEM ...]`: a file for each page, system, size and theme.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from pbem.cli.web.catalogue import seats
from pbem.cli.web.desk import Desk
from tests.browser.tables import IDLE, Step, serving, sit

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
    const mine = T.board.stacks.filter(own);
    mine.sort((one, other) => far(one) - far(other));
    return mine.length ? at(mine[0]) : middle;
})()"""


def steps(shot: Path) -> list[Step]:
    """The table as it opens, then with a stack in hand, then the panel's other pages."""
    named = [("open", None), ("hand", {"at": STACK})]
    named += [("half", {"click": "#grip"})] if "phone" in shot.name else []
    named += [(one, {"click": f"#tab-{one}"}) for one in ("news", "units", "rules")]
    found: list[Step] = [{"wait": IDLE}]
    for name, step in named:
        found += [step, {"wait": IDLE}] if step is not None else []
        found.append({"shot": f"{shot}-{name}.png", "full": False})
    return found


def table(out: Path, system: str) -> None:
    """Shots of one game, at its first question and at its first list of orders."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = os.environ["XDG_CONFIG_HOME"] = home
        place = Desk(Path(home) / "games")
        place.start.mkdir()
        name = place.practice(system, seats()[system][0])
        place.opened.append(name)
        with serving(place) as link:
            jobs: list[dict[str, Any]] = []
            for size, (wide, high) in SIZES.items():
                for theme in THEMES:
                    shot = out / f"{system}-{size}-{theme}"
                    said = steps(shot) if size in ("phone", "desktop") else steps(shot)[:4]
                    jobs.append(
                        {"link": link(), "steps": said, "width": wide, "height": high, "theme": theme}
                    )
            jobs += [
                {
                    "link": link(),
                    "steps": [
                        {"goto": "/"},
                        {"wait": "document.readyState === 'complete'"},
                        {"shot": str(out / f"lobby-{size}-{theme}.png"), "full": False},
                    ],
                    "width": SIZES[size][0],
                    "height": SIZES[size][1],
                    "theme": theme,
                }
                for size in (SIZES if system == "victory" else ())
                for theme in THEMES
            ]
            for one in sit(jobs, {}):
                for error in one["errors"]:
                    print(f"{system}: {error}")


def main() -> None:
    out = Path(sys.argv[1]).absolute()
    out.mkdir(parents=True, exist_ok=True)
    for system in sys.argv[2:] or sorted(seats()):
        table(out, system)


if __name__ == "__main__":
    main()
