"""The map as a drawing or a picture: which layers, which part of a large one, on which board.

The picture of one's own board is taken in once for all games on the same map, and kept with the data of this
user. Beside it lies `board.json`, as the editor of scenarios writes it: the pixels of the middles of hexes.
Games of before have both in `private/board`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import note
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.scenarios.whole_scenario import WholeScenario
    from pbem.engine.system import System
    from pbem.report.structure import Report
    from pbem.report.svg.board import Board

PLACE, ALIGNED, EDITOR = "private/board", "board.json", ".editor"
MOST, MOST_JSON = 32 << 20, 1 << 20
KINDS = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp"}
LEAST = 4
"""Hexes that say how a picture lies: the corners of the map."""
OFF = 40
"""Units of the drawing, half a hex, that a corner may be off before the picture is that of another map."""
_PIXEL: dict[str, Any] = {"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000}
_POINTS: dict[str, Any] = {
    "type": "object",
    "maxProperties": 40_000,
    "additionalProperties": {"type": "array", "items": _PIXEL, "minItems": 2, "maxItems": 2},
}
_SIZE: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 100_000}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["pbem_board", "picture", "corners"],
    "properties": {
        "pbem_board": {"const": 1},
        "picture": {
            "type": "object",
            "required": ["wide", "high"],
            "properties": {
                "file": {"type": "string", "maxLength": 200},
                "sha256": {"type": "string", "maxLength": 64},
                "wide": _SIZE,
                "high": _SIZE,
            },
        },
        "corners": _POINTS,
        "moved": _POINTS,
    },
}


def drawing(
    report: Report,
    form: str,
    hidden: tuple[str, ...],
    shown: tuple[str, ...],
    around: tuple[str, ...],
    everything: bool,
    dark: bool,
    board: Board | None = None,
) -> str | bytes:
    """Return the map of a report as a drawing, or as a picture of it or of a part.

    `board` is the picture of one's own board, on which it is drawn.

    Raises Refused for an unknown name.
    """
    from pbem.report.svg.picture import part, png, svg

    _check_layers(hidden, shown)
    chart = report.view.chart
    if chart is None:
        raise Refused(report.view.no_map or Diagnostic("no-map", Message("cli.drawing.no-map")))
    for place in around:
        if place not in chart:
            raise Refused(Diagnostic("unknown-location", Message("cli.drawing.no-such-place", place=place)))
    if around and form != "png":
        raise click.UsageError(Message("cli.drawing.around-is-for-pictures"))
    if form == "svg":
        return svg(report, hidden, dark=dark, shown=shown, board=board)
    hexes = None if everything else part(report, around)
    if hexes is not None and not around:
        note(Message("cli.drawing.only-part-of-the-map-is-shown"))
    return png(report, hidden, dark=dark, shown=shown, hexes=hexes, board=board)


def _check_layers(hidden: tuple[str, ...], shown: tuple[str, ...]) -> None:
    from pbem.report.svg.draw import AREAS, LAYERS

    for names, known in ((hidden, LAYERS), (shown, AREAS)):
        for name in names:
            if name not in known:
                near = did_you_mean(name, known)
                message = Message("cli.drawing.no-such-layer", name=name, known=tuple(known))
                help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
                raise Refused(Diagnostic("unknown-layer", message, help=help_))


def report_at_start(system: System, whole: WholeScenario, lang: str) -> Report:
    """Return the position at the start as a report for whoever may know all of it."""
    from pbem.cli.games.telling import report_view
    from pbem.engine.adjudicate import game_of, start
    from pbem.report.reader import Meta
    from pbem.report.structure import compose
    from pbem.stages.views import PlayerView

    game = game_of(system, start(system, whole.id))
    known = {fact.key: fact.value for fact in game.system.facts(game)}
    view = report_view(PlayerView(game.system, whole.id, None, 0, known, ()), lang)
    title = str(whole.data.get("title", whole.id))
    return compose(None, [], view, Meta(title, "0" * 64, system.title or system.name, 0, title))


# ---- the picture of one's own board ----


def use(folder: Folder, source: Path, aligned: Path | None) -> tuple[Path, int]:
    """Keep a picture for the maps of a game; return where it lies, and by how many hexes.

    `source` is a picture, a VASSAL module with one, or the folder of a scenario in which the editor keeps
    one. Raises Refused, and changes nothing, if nobody says how it lies on this map.
    """
    from hashlib import sha256

    from pbem.report.svg.board import Placing
    from pbem.report.svg.sheet import Fields
    from pbem.text.writing import write_all

    chart = _chart(folder)
    module = source.suffix.lower() == ".vmod" and aligned is None and not _lies_beside(source)
    said = _of_module(source, chart) if module else _read(aligned := aligned or _beside(source))
    picture = source / EDITOR / Path(str(said["picture"].get("file", ""))).name if source.is_dir() else source
    data = _picture(picture)
    wanted = said["picture"].get("sha256")
    if wanted and not source.suffix.lower().endswith(".vmod") and wanted != sha256(data).hexdigest():
        why = Message("cli.board.other-picture", aligned=aligned.name if aligned is not None else "")
        raise Refused(Diagnostic("other-picture", why, help=_lay()))
    data, said = _as_stored(data, said)
    found = Placing(_board(said, ""), chart, Fields(chart))
    if len(found.known) < LEAST:
        sample = tuple(list(said["corners"])[:4])
        raise Refused(
            Diagnostic("other-map", Message("cli.board.other-map", least=LEAST, sample=sample), help=_lay())
        )
    if worst(found) > OFF:
        raise Refused(Diagnostic("other-map", Message("cli.board.does-not-fit"), help=_lay()))
    place = store(chart)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    kept = place / f"board{_kind(data)}"
    kept_said = json.dumps({**said, "picture": {**said["picture"], "file": kept.name}}, indent=1) + "\n"
    files = {kept: data, place / ALIGNED: kept_said.encode()}
    write_all(files, private=tuple(files))
    for other in KINDS:
        if place / f"board{other}" != kept:
            (place / f"board{other}").unlink(missing_ok=True)
    _forget(folder.root / PLACE)
    return kept, len(found.known)


def store(chart: Any) -> Path:
    """Return where this computer keeps the picture of a board: by its hexes and their terrain.

    Rivers, towns and names may differ, as they do between scenarios on one printed map.
    """
    from hashlib import sha256

    from platformdirs import user_data_path

    told = [[chart.number(hex), *chart.spot(hex), chart.terrain(hex)] for hex in chart.hexes]
    name = sha256(json.dumps(told).encode()).hexdigest()[:32]
    return user_data_path("pbem", appauthor=False) / "boards" / name


def _as_stored(data: bytes, said: dict[str, Any]) -> tuple[bytes, dict[str, Any]]:
    """Return a photograph that every program shows the same, and its alignment in those pixels.

    A camera that was held upright says so in the file. Browsers turn the picture by that, others do not.
    """
    from pbem.workshop.photographs import as_stored, turned, untagged

    how, wide, high = turned(data), said["picture"]["wide"], said["picture"]["high"]
    if how == 1:
        return data, said
    points = {
        part: {hex: [*as_stored((at[0], at[1]), how, wide, high)] for hex, at in said.get(part, {}).items()}
        for part in ("corners", "moved")
    }
    size = (high, wide) if how > 4 else (wide, high)
    picture = {**said["picture"], "wide": size[0], "high": size[1]}
    picture.pop("sha256", None)
    return untagged(data), {**said, "picture": picture, **points}


def _of_module(source: Path, chart: Any) -> dict[str, Any]:
    """Return how the grid of a module lies on the picture of its board; Refused if it has another grid."""
    from pbem.report.svg.sheet import Fields
    from pbem.workshop.modules import alignment, corners_of

    fields = Fields(chart)
    hexes = {chart.number(hex): fields.centre(hex) for hex in chart.hexes}
    wanted = corners_of(hexes, lambda one: chart.numbers(chart.beside(chart.index(one))))
    with open(source, "rb") as file:
        found = alignment(file.read(MOST + 1), wanted)
    if found is None:
        raise Refused(
            Diagnostic("not-aligned", Message("cli.board.other-grid", source=source.name), help=_lay())
        )
    return found


def worst(found: Any) -> float:
    """Return by how much the hexes that say how a picture lies contradict each other, in units."""
    rests = found.rests[: len(found.known)]
    ends = [found.place(spot) for spot, _ in rests]
    apart = [
        (((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) / ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)) ** 0.5
        for (p, _), a in zip(rests, ends, strict=True)
        for (q, _), b in zip(rests, ends, strict=True)
        if p != q
    ]
    scale = sum(apart) / len(apart) if apart else 1.0
    return max(((dx * dx + dy * dy) ** 0.5 / (scale or 1.0) for _, (dx, dy) in rests), default=0.0)


def drop(folder: Folder) -> bool:
    """Forget the picture of a game, and of all games on the same map; False if there is none."""
    gone = _forget(folder.root / PLACE)
    return _forget(store(_chart(folder))) or gone


def _forget(place: Path) -> bool:
    there = [path for path in place.glob("board.*") if path.is_file()]
    for path in there:
        path.unlink()
    return bool(there)


def board_of(folder: Folder, address: str = "") -> Board | None:
    """Return the picture for the maps of a game, or None: all of it, or at an address of the table."""
    kept = picture_file(folder)
    if kept is None:
        return None
    href = address
    if not address:
        from base64 import b64encode

        href = f"data:{KINDS[kept.suffix]};base64,{b64encode(kept.read_bytes()).decode()}"
    return _board(_read(kept.parent / ALIGNED), href)


def picture_file(folder: Folder) -> Path | None:
    """Return the picture that is kept for a game."""
    for place in (folder.root / PLACE, *_stored(folder)):
        found = [place / f"board{kind}" for kind in KINDS if (place / f"board{kind}").is_file()]
        if found and (place / ALIGNED).is_file():
            return found[0]
    return None


def _stored(folder: Folder) -> list[Path]:
    """Return where the picture for the map of a game would be, if any board has one on this computer."""
    from platformdirs import user_data_path

    if not (user_data_path("pbem", appauthor=False) / "boards").is_dir():
        return []
    try:
        return [store(_chart(folder))]
    except Refused:
        return []


def _board(said: dict[str, Any], href: str) -> Board:
    from pbem.report.svg.board import Board

    points = [
        {name: (at[0], at[1]) for name, at in said.get(key, {}).items()} for key in ("corners", "moved")
    ]
    return Board(href, said["picture"]["wide"], said["picture"]["high"], points[0], points[1])


def _lies_beside(source: Path) -> bool:
    return any((source.parent / name).is_file() for name in (f"{EDITOR}/{ALIGNED}", ALIGNED))


def _beside(source: Path) -> Path:
    """Return the file that says how a picture lies: beside it, or in the folder of the editor."""
    near = source if source.is_dir() else source.parent
    places = (near / EDITOR / ALIGNED, near / ALIGNED)
    found = next((path for path in places if path.is_file()), None)
    if found is None:
        raise Refused(
            Diagnostic("not-aligned", Message("cli.board.not-aligned", source=source.name), help=_lay())
        )
    return found


def _read(path: Path) -> dict[str, Any]:
    from pbem.text.schema import check

    with open(path, "rb") as file:
        data = file.read(MOST_JSON + 1)
    try:
        said = json.loads(data) if len(data) <= MOST_JSON else None
    except (ValueError, RecursionError):
        said = None
    faults = check(said, SCHEMA) if isinstance(said, dict) else [_fault()]
    if faults or not isinstance(said, dict):
        raise Refused([*faults])
    return said


def _fault() -> Diagnostic:
    return Diagnostic("damaged-file", Message("cli.board.no-alignment", name=ALIGNED))


def _picture(path: Path) -> bytes:
    with open(path, "rb") as file:
        data = file.read(MOST + 1)
    if path.suffix.lower() == ".vmod":
        from pbem.workshop.modules import board_picture

        data = board_picture(data)
    if len(data) > MOST:
        raise Refused(Diagnostic("too-large", Message("cli.board.too-large", most=MOST >> 20)))
    _kind(data)
    return data


def _kind(data: bytes) -> str:
    """Return the ending of a picture by its first bytes; Refused for anything else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return ".png"
    if data.startswith(b"\xff\xd8\xff"):
        return ".jpg"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ".webp"
    raise Refused(Diagnostic("no-picture", Message("cli.board.no-picture")))


def _chart(folder: Folder) -> Any:
    from pbem.cli.games.telling import report_view

    chart = report_view(folder.view()).chart if folder.stage >= 0 else None
    if chart is None or not chart.sheets:
        raise Refused(Diagnostic("no-map", Message("cli.board.no-map")))
    return chart


def _lay() -> tuple[str, ...]:
    return (Message("cli.board.help-lay"),)
