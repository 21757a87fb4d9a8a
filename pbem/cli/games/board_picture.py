"""The picture of the user's own board, on which maps are drawn.

It is imported once for all games on the same map, and kept with the data of this user. Beside it is
`board.json`, as the editor of scenarios writes it: the pixels of the middles of hexes. A sheet may have a
picture of its own, `board-SHEET`. Older games have both files in `private/board`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.workshop import beside

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.board.map import GameMap
    from pbem.board.shapes import Shapes
    from pbem.report.svg.board import Board, Picture, Placing

PLACE, EDITOR = "private/board", ".editor"
MOST_JSON = 1 << 20
LEAST = 4
"""Hexes that align a picture: the corners of the map."""
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
        "sheet": {"type": "string", "pattern": "^[A-Za-z0-9_-]{0,40}$"},
    },
}
Said = dict[str, Any]
"""The content of a `board.json`: a picture and the places of hexes on it."""


def use(folder: Folder, source: Path, aligned: Path | None) -> tuple[list[Path], int]:
    """Keep pictures for the maps of a game; return their paths, and how many hexes align them.

    `source` is a picture, a VASSAL module with one, or the folder of a scenario in which the editor keeps
    one, or one of each sheet. Raises Refused, and changes nothing, if nothing aligns it with this map.
    """
    from pbem.text.writing import write_all

    chart, shapes = _map(folder)
    as_stored = [_as_stored(data, alignment) for data, alignment in _offered(source, aligned, chart)]
    count = sum(_count(alignment, chart, shapes) for _, alignment in as_stored)
    place = store(chart, shapes)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    files: dict[Path, bytes] = {}
    pictures: list[Path] = []
    for data, alignment in as_stored:
        path = place / f"{beside.stem(alignment.get('sheet', ''))}.{_kind(data)}"
        named = {**alignment, "picture": {**alignment["picture"], "file": path.name}}
        files |= {path: data, path.with_suffix(".json"): (json.dumps(named, indent=1) + "\n").encode()}
        pictures.append(path)
    write_all(files, private=tuple(files))
    # a picture of the whole takes the place of all, that of a sheet leaves those of other sheets
    gone = {beside.BOARD, *(path.stem for path in pictures)}
    whole_board = beside.BOARD in {path.stem for path in pictures}
    for path in place.iterdir():
        if path not in files and (whole_board or path.stem in gone):
            path.unlink()
    _forget(folder.root / PLACE)
    return pictures, count


def _offered(source: Path, aligned: Path | None, chart: GameMap) -> list[tuple[bytes, Said]]:
    """Return pictures with their alignment: from the editor, a module, or a file beside a
    picture.
    """
    from hashlib import sha256

    kept = sorted((source / EDITOR).glob(f"{beside.BOARD}*.json")) if source.is_dir() and not aligned else []
    if kept:
        return [(_picture(source / EDITOR / _name(alignment)), alignment) for alignment in map(_read, kept)]
    module = source.suffix.lower() == ".vmod"
    if module and aligned is None and not _lies_beside(source):
        return _of_module(source, chart)
    aligned = aligned or _beside(source)
    alignment = _read(aligned)
    data = _picture(source / EDITOR / _name(alignment) if source.is_dir() else source)
    wanted = alignment["picture"].get("sha256")
    if wanted and not module and wanted != sha256(data).hexdigest():
        why = Message("cli.board.other-picture", aligned=aligned.name)
        raise Refused(Diagnostic("other-picture", why, help=_lay()))
    return [(data, alignment)]


def _name(alignment: Said) -> str:
    return Path(str(alignment["picture"].get("file", ""))).name


def _count(alignment: Said, chart: GameMap, shapes: Shapes | None) -> int:
    """Return how many hexes of this map align a picture; Refused if it is that of another map."""
    from pbem.report.svg.board import Placing, on_areas, on_hexes
    from pbem.report.svg.sheet import Fields

    spot = (
        on_areas(shapes) if shapes is not None else on_hexes(chart, Fields(chart), alignment.get("sheet", ""))
    )
    placing = Placing(_laid(alignment, ""), spot)
    if len(placing.known) < LEAST:
        sample = tuple(list(alignment["corners"])[:4])
        raise Refused(
            Diagnostic("other-map", Message("cli.board.other-map", least=LEAST, sample=sample), help=_lay())
        )
    if shapes is None and worst(placing) > OFF:
        raise Refused(Diagnostic("other-map", Message("cli.board.does-not-fit"), help=_lay()))
    return len(placing.known)


def store(chart: GameMap, shapes: Shapes | None = None) -> Path:
    """Return where this computer keeps the pictures of a board: by its hexes and their terrain.

    Rivers, towns and names may differ, as they do between scenarios on one printed map. A map of areas is
    told by where its units are drawn.
    """
    from hashlib import sha256

    from platformdirs import user_data_path

    key: list[Any] = [[chart.number(hex), *chart.spot(hex), chart.terrain(hex)] for hex in chart.hexes]
    if shapes is not None:
        key = [[id, *shape.stand] for id, shape in sorted(shapes.areas.items())]
    name = sha256(json.dumps(key).encode()).hexdigest()[:32]
    return user_data_path("pbem", appauthor=False) / "boards" / name


def _as_stored(data: bytes, alignment: Said) -> tuple[bytes, Said]:
    """Return a photograph that every program shows the same, and its alignment in those pixels.

    A camera that was held upright says so in the file. Browsers turn the picture by that, others do not.
    """
    from pbem.workshop.photographs import as_stored, turned, untagged

    how, wide, high = turned(data), alignment["picture"]["wide"], alignment["picture"]["high"]
    if how == 1:
        return data, alignment
    points = {
        part: {
            hex: [*as_stored((at[0], at[1]), how, wide, high)] for hex, at in alignment.get(part, {}).items()
        }
        for part in ("corners", "moved")
    }
    size = (high, wide) if how > 4 else (wide, high)
    picture = {**alignment["picture"], "wide": size[0], "high": size[1]}
    picture.pop("sha256", None)
    return untagged(data), {**alignment, "picture": picture, **points}


def _of_module(source: Path, chart: GameMap) -> list[tuple[bytes, Said]]:
    """Return the boards of a module whose grids number a map as the game does, or each of its sheets."""
    from pbem.report.svg.sheet import Fields
    from pbem.workshop.modules import corners_of, laid_board

    with open(source, "rb") as file:
        data = file.read(beside.MOST_PICTURE + 1)
    fields = Fields(chart)
    for sheets in (chart.sheets,), tuple((sheet,) for sheet in chart.sheets):
        boards = []
        for shown in sheets:
            name = shown[0].name if len(sheets) > 1 else ""
            there = (hex for hex in chart.hexes if chart.sheet(hex) in shown)
            hexes = {chart.number(hex): fields.centre(hex) for hex in there}
            wanted = corners_of(hexes, lambda hex: chart.numbers(chart.beside(chart.index(hex))))
            if (board := laid_board(data, wanted)) is not None:
                boards.append((board[1], {**board[0], **({"sheet": name} if name else {})}))
        if boards:
            return boards
    why = Message("cli.board.other-grid", source=source.name)
    raise Refused(Diagnostic("not-aligned", why, help=_lay()))


def worst(placing: Placing) -> float:
    """Return by how much the hexes that align a picture contradict each other, in units."""
    rests = placing.rests[: len(placing.known)]
    ends = [placing.place(spot) for spot, _ in rests]
    apart = [
        (((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) / ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2)) ** 0.5
        for (p, _), a in zip(rests, ends, strict=True)
        for (q, _), b in zip(rests, ends, strict=True)
        if p != q
    ]
    scale = sum(apart) / len(apart) if apart else 1.0
    return max(((dx * dx + dy * dy) ** 0.5 / (scale or 1.0) for _, (dx, dy) in rests), default=0.0)


def drop(folder: Folder) -> bool:
    """Forget the pictures of a game, and of all games on the same map; False if there is none."""
    gone = _forget(folder.root / PLACE)
    return _forget(store(*_map(folder))) or gone


def _forget(place: Path) -> bool:
    there = [path for path in place.glob(f"{beside.BOARD}*.*") if path.is_file()]
    for path in there:
        path.unlink()
    return bool(there)


def board_of(folder: Folder, address: str = "") -> Board | None:
    """Return the pictures for the maps of a game, or None: all of each, or at addresses of the table."""
    from base64 import b64encode

    from pbem.report.svg.board import Board

    pictures = []
    for path in picture_files(folder):
        href = f"{address}/{path.name}"
        if not address:
            kind = beside.KINDS[path.suffix[1:]][1]
            href = f"data:{kind};base64,{b64encode(path.read_bytes()).decode()}"
        pictures.append(_laid(_read(path.with_suffix(".json")), href))
    return Board(tuple(pictures)) if pictures else None


def picture_files(folder: Folder) -> list[Path]:
    """Return the pictures that are kept for a game, each with the file that aligns it."""
    for place in (folder.root / PLACE, *_stored(folder)):
        paths = [
            path
            for path in sorted(place.glob(f"{beside.BOARD}*.*"))
            if path.suffix[1:] in beside.KINDS and path.with_suffix(".json").is_file()
        ]
        if paths:
            return paths
    return []


def _stored(folder: Folder) -> list[Path]:
    """Return where the picture for the map of a game would be, if any board has one on this computer."""
    from platformdirs import user_data_path

    if not (user_data_path("pbem", appauthor=False) / "boards").is_dir():
        return []
    try:
        return [store(*_map(folder))]
    except Refused:
        return []


def _laid(alignment: Said, href: str) -> Picture:
    from pbem.report.svg.board import Picture

    points = [
        {name: (at[0], at[1]) for name, at in alignment.get(key, {}).items()} for key in ("corners", "moved")
    ]
    size = alignment["picture"]
    return Picture(href, size["wide"], size["high"], points[0], points[1], alignment.get("sheet", ""))


def _lies_beside(source: Path) -> bool:
    return any(path.is_file() for path in _places(source))


def _places(source: Path) -> list[Path]:
    """Return the files that may align a picture: of its own name, or those of the whole map."""
    near = source if source.is_dir() else source.parent
    names = [f"{beside.BOARD}.json"]
    if source.stem.startswith(beside.BOARD):
        names.insert(0, f"{source.stem}.json")
    return [place / name for name in names for place in (near / EDITOR, near)]


def _beside(source: Path) -> Path:
    """Return the file that aligns a picture: beside it, or in the folder of the editor."""
    alignment = next((path for path in _places(source) if path.is_file()), None)
    if alignment is None:
        raise Refused(
            Diagnostic("not-aligned", Message("cli.board.not-aligned", source=source.name), help=_lay())
        )
    return alignment


def _read(path: Path) -> Said:
    from pbem.text.schema import check

    with open(path, "rb") as file:
        data = file.read(MOST_JSON + 1)
    try:
        alignment = json.loads(data) if len(data) <= MOST_JSON else None
    except (ValueError, RecursionError):
        alignment = None
    fault = Diagnostic("damaged-file", Message("cli.board.no-alignment", name=path.name))
    faults = check(alignment, SCHEMA) if isinstance(alignment, dict) else [fault]
    if faults or not isinstance(alignment, dict):
        raise Refused([*faults])
    return alignment


def _picture(path: Path) -> bytes:
    with open(path, "rb") as file:
        data = file.read(beside.MOST_PICTURE + 1)
    if path.suffix.lower() == ".vmod":
        from pbem.workshop.modules import board_picture

        data = board_picture(data)
    if len(data) > beside.MOST_PICTURE:
        raise Refused(Diagnostic("too-large", Message("cli.board.too-large", most=beside.MOST_PICTURE >> 20)))
    _kind(data)
    return data


def _kind(data: bytes) -> str:
    """Return the ending of a picture by its first bytes; Refused for anything else."""
    kind = beside.kind_of(data)
    if kind is None:
        raise Refused(Diagnostic("no-picture", Message("cli.board.no-picture")))
    return kind


def _map(folder: Folder) -> tuple[GameMap, Shapes | None]:
    """Return the map of a game, and the shapes of its areas if it has no hexes; Refused without either."""
    from pbem.cli.games.telling import report_view

    view = report_view(folder.view()) if folder.stage >= 0 else None
    if view is None or view.chart is None or not (view.chart.sheets or view.shapes):
        raise Refused(Diagnostic("no-map", Message("cli.board.no-map")))
    return view.chart, None if view.chart.sheets else view.shapes


def _lay() -> tuple[str, ...]:
    return (Message("cli.board.help-lay"),)
