"""Editors that a browser opens: the server for a folder, and where things are on the map."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pbem.cli.web.editor.at_editor import Bench, listening
from pbem.cli.web.serve import run, stop
from tests.browser.tables import Step

READY = "document.body.classList.contains('ready')"
CHECKED = "document.body.dataset.checking === ''"
KEPT = "document.body.dataset.kept === '1'"


@contextmanager
def editing(folder: Path, lang: str = "en") -> Iterator[Callable[[], str]]:
    """What gives links to the editor of a folder, each for one use."""
    server, gate = listening(Bench(folder), 0, lang)
    thread = threading.Thread(target=run, args=(server,), daemon=True)
    thread.start()
    try:
        yield gate.link
    finally:
        stop(server)
        thread.join(10)


def _js(what: str) -> str:
    """A point of the screen, from hexes by their numbers (`c`) and parts of the way to others."""
    return f"""(async () => {{
        const {{ S }} = await import("/static/edit-state.js");
        const {{ G }} = await import("/static/edit-geometry.js");
        const {{ screen }} = await import("/static/edit-view.js");
        const b = document.getElementById("map").getBoundingClientRect();
        const c = (hex) => [G.x[S.index.get(hex)], G.y[S.index.get(hex)]];
        const on = (x, y) => {{ const [sx, sy] = screen(x, y); return [b.left + sx, b.top + sy]; }};
        return {what};
    }})()"""


def spot(hex: str) -> str:
    return _js(f'on(...c("{hex}"))')


def on_map(x: int, y: int) -> str:
    """A point of the drawing."""
    return _js(f"on({x}, {y})")


def on_area(area: str) -> str:
    """Where a unit stands in an area that has an outline."""
    return _js(f'on(...(await import("/static/edit-shapes.js")).stand("{area}"))')


def edge(hex: str, other: str) -> str:
    """Inside a hex, near its side to another."""
    return _js(
        f'on(c("{hex}")[0] * 0.58 + c("{other}")[0] * 0.42, c("{hex}")[1] * 0.58 + c("{other}")[1] * 0.42)'
    )


def click(hex: str) -> Step:
    return {"at": spot(hex)}


def drag(hex: str, other: str) -> Step:
    return {"drag": _js(f'[on(...c("{hex}")), on(...c("{other}"))]')}


def from_tray(counter: str, hex: str) -> Step:
    """A counter dragged from the list onto the map."""
    box = f'document.querySelector("[data-counter={counter}]").getBoundingClientRect()'
    return {"drag": _js(f'[[{box}.left + 20, {box}.top + 12], on(...c("{hex}"))]')}


def tool(name: str) -> list[Step]:
    return [
        {"click": f"#tool-{name}"},
        {"wait": f"document.querySelector('#tool-{name}[aria-pressed=true]')"},
    ]


def option(value: str) -> list[Step]:
    """Choose a terrain, a kind of hexside, a road."""
    at = f"#form [data-value={value!r}]"
    return [{"click": at}, {"wait": f'document.querySelector("{at}[aria-pressed=true]")'}]


def value(key: str) -> Step:
    """A value of the folder as the page has it."""
    return {"value": f"""import("/static/edit-store.js").then((s) => s.get({key!r}))"""}


def next_corner(at: Mapping[str, tuple[float, float]]) -> Step:
    """A click on the picture, on the hex for which the page asks; `at` says where hexes are on it."""
    hex = "S.picture.laying.left[0]"
    return {"at": _js(f"on(...{json.dumps(at)}[{hex}])")}


SAVE: list[Step] = [{"click": "#save"}, {"wait": "document.body.dataset.unsaved === '0'"}]
