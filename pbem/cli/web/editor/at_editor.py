"""The addresses of the editor: page, folder, work that is checked, kept and saved, picture."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bottle

from pbem.cli.web import guard, serve
from pbem.cli.web.asked import TURN, Answer, body
from pbem.cli.web.desk import Desk
from pbem.cli.web.editor.faces import faces
from pbem.cli.web.editor.model import faults as faults_as_data
from pbem.cli.web.editor.model import geometry, model, state
from pbem.cli.web.rooms import Room, Route
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.writing import write_all
from pbem.workshop import beside
from pbem.workshop.board_values import value_of
from pbem.workshop.editing import GROWING, Work, after_work, digests, open_folder
from pbem.workshop.modules import board_picture, corners_of, laid_board

LONGEST, MOST_PIXELS, MOST_LINE = 8 << 20, 1 << 20, 4000
PAGE = "/edit"
_SHEET = re.compile("[A-Za-z0-9_-]{0,40}")
_ZIP = b"PK\x03\x04"
_SHOWN = re.compile(r"[a-z]+/[^\u0000-\u001f\u202a-\u202e\u2066-\u2069]{0,200}", re.IGNORECASE)


@dataclass(frozen=True)
class Bench(Desk):
    """The folder that is edited: `start`."""

    def first_page(self) -> str:
        """Return the page of the editor."""
        return PAGE


def listening(bench: Bench, port: int, lang: str = "en") -> tuple[Any, guard.Guard]:
    """Return a server that shows the editor and nothing else, and its guard."""
    return serve.listening(bench, port, lang, [AtEditor(bench, lang)])


class AtEditor(Room):
    """The editor of the scenario in one folder."""

    @property
    def root(self) -> Path:
        """Return the folder."""
        return self.place.start

    def routes(self) -> list[Route]:
        """Return the routes: method, address, function."""
        return [
            ("GET", PAGE, self.show),
            ("GET", f"{PAGE}/board", _in_turn(self.board)),
            ("GET", f"{PAGE}/look", _in_turn(self.look)),
            ("POST", f"{PAGE}/board", _in_turn(self.sized)),
            ("POST", f"{PAGE}/check", _in_turn(self.check)),
            ("POST", f"{PAGE}/faces", _in_turn(self.faces)),
            ("POST", f"{PAGE}/line", self.line),
            ("POST", f"{PAGE}/keep", _in_turn(self.keep)),
            ("POST", f"{PAGE}/save", _in_turn(self.save)),
            ("GET", f"{PAGE}/picture", self.picture),
            ("POST", f"{PAGE}/picture", _in_turn(self.take_picture)),
            ("POST", f"{PAGE}/align", _in_turn(self.align)),
        ]

    def show(self) -> str:
        """Return the page; its script asks for the rest."""
        phrases = self.words.phrases
        editor_phrases = {key[5:]: phrases[key] for key in phrases if key.startswith("edit-")}
        return self.plain("editor.html.j2", words=json.dumps(editor_phrases), folder=self.root.name)

    def board(self) -> Answer:
        """Return the folder as it is, work that was not saved, and the picture's alignment."""
        opened = open_folder(self.root)
        kept = beside.read_json(self.root, beside.RECOVERY)
        work = _work_of(kept or {})
        sheets = {"", *opened.board.sheets}
        data = {
            sheet: beside.picture(self.root, sheet) for sheet in sorted(sheets) if _SHEET.fullmatch(sheet)
        }
        return {
            **model(opened, self.lang),
            "recovery": {key: list(both) for key, both in work.items()},
            "pictures": {
                picture: {
                    "file": f"{beside.stem(picture)}.{known[0]}",
                    "laid": beside.alignment(self.root, picture),
                }
                for picture, known in data.items()
                if known is not None
            },
        }

    def sized(self) -> Answer:
        """Return the folder as it will be with the sizes of a work."""
        sent = body(LONGEST)
        opened, work = open_folder(self.root, check=False), _work_of(sent)
        sizes = {key: both for key, both in work.items() if key.startswith(GROWING)}
        made = model(after_work(opened, sizes), self.lang)
        files = {key: opened.values.get(key) for key in sizes}  # what a size was, not what it becomes
        return {**made, "values": {**made["values"], **files}, "conflicts": opened.conflicts(work)}

    def look(self) -> Answer:
        """Return the digests of the files as they are."""
        return {"digests": digests(self.root)}

    def check(self) -> Answer:
        """Return what the check finds with the work done, and the digests of the files as they are."""
        opened = open_folder(self.root, check=False)
        work = _work_of(body(LONGEST))
        try:
            return state(after_work(opened, work))
        except Refused as refused:  # a text that is no scenario any more
            return {
                "faults": faults_as_data(None, refused.diagnostics),
                "mended": [],
                "digests": digests(self.root),
            }

    def faces(self) -> Answer:
        """Return the counters as the map draws them, with the work done."""
        opened = open_folder(self.root, check=False)
        try:
            return faces(after_work(opened, _work_of(body(LONGEST))), self.lang)
        except Refused:  # work that is half done: the check says what is wrong
            return {}

    def line(self) -> Answer:
        """Return the value of one line of YAML."""
        return {"value": value_of(str(body(LONGEST).get("line", ""))[:MOST_LINE])}

    def keep(self) -> Answer:
        """Keep work that was not saved; without any, forget it."""
        sent = body(LONGEST)
        if sent.get("work"):
            beside.keep(self.root, {beside.RECOVERY: json.dumps({"work": sent["work"]}).encode()})
        else:
            beside.drop(self.root, beside.RECOVERY)
        return {"kept": True}

    def save(self) -> Answer:
        """Write the files that the work changes, unless somebody else has changed one of them."""
        sent = body(LONGEST)
        opened, work = open_folder(self.root, check=False), _work_of(sent)
        if sent.get("digests") != digests(self.root) or opened.conflicts(work):
            return {"changed": True, "conflicts": opened.conflicts(work)}
        files = opened.changed(work)
        open_folder(self.root, files, check=False)  # refuse what could not be opened again
        write_all({self.root / name: data for name, data in files.items()})
        beside.drop(self.root, beside.RECOVERY)
        return {"saved": sorted(files), **model(open_folder(self.root), self.lang)}

    # The picture

    def picture(self) -> bytes:
        """Return the picture of the board, or of one sheet."""
        picture = beside.picture(self.root, _sheet(bottle.request.query.sheet))
        if picture is None:
            raise bottle.HTTPError(404, Message("cli.web.no-such-page"))
        bottle.response.content_type = beside.KINDS[picture[0]][1]
        return picture[1]

    def take_picture(self) -> Answer:
        """Keep a picture of the board or of one sheet, or that of a board in a module of VASSAL."""
        sheet, data, alignment = _sheet(bottle.request.query.sheet), bottle.request.body.read(), None
        if data.startswith(_ZIP):
            placed = laid_board(data, self._corners(sheet))
            alignment, data = placed if placed is not None else (None, board_picture(data))
        name = beside.keep_picture(self.root, data, sheet)
        if alignment is not None:
            alignment = {**alignment, "picture": {**alignment["picture"], "file": name}, **_of(sheet)}
        beside.keep_alignment(self.root, alignment, sheet)
        return {"picture": name, "laid": alignment}

    def _corners(self, sheet: str) -> list[str]:
        """Return the hexes by which the grid of a module is recognized as that of the map or a sheet."""
        corners = geometry(open_folder(self.root, check=False))
        names = [hex for hex, *_ in corners["hexes"]]
        hexes = {hex: (x, y) for hex, x, y, on, *_ in corners["hexes"] if sheet in ("", on)}
        return corners_of(hexes, lambda hex: [names[n] for n in corners["near"][names.index(hex)]])

    def align(self) -> Answer:
        """Keep how the grid is laid on a picture; without it, forget it."""
        sent = body(LONGEST)
        sheet = _sheet(sent.get("sheet", ""))
        alignment = None if sent.get("gone") is True else _alignment(sent) | _of(sheet)
        beside.keep_alignment(self.root, alignment, sheet)
        return {"kept": alignment is not None}


def _sheet(name: Any) -> str:
    """Return the name of a sheet, "" for the whole map; HTTPError for what names no sheet."""
    if not isinstance(name, str) or not _SHEET.fullmatch(name):
        raise bottle.HTTPError(404, Message("cli.web.no-such-page"))
    return name


def _of(sheet: str) -> dict[str, str]:
    return {"sheet": sheet} if sheet else {}


def _in_turn(answer: Callable[[], Answer]) -> Callable[[], Answer]:
    """Return a route that answers one question after the other."""

    def answered() -> Answer:
        with TURN:
            return answer()

    return answered


def _work_of(sent: Mapping[str, Any]) -> Work:
    """Return a work of a page: keys with what they were and are; others are left out."""
    changes = sent.get("work")
    work = {}
    for key, both in changes.items() if isinstance(changes, dict) else ():
        if isinstance(both, list) and len(both) == 2 and _SHOWN.fullmatch(key):
            work[key] = (both[0], both[1])
    return work


def _alignment(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return an alignment of whole pixels; Refused for anything else."""
    picture = sent.get("picture")
    points = {part: _points(sent.get(part)) for part in ("corners", "moved")}
    if not isinstance(picture, dict) or not all(
        isinstance(picture.get(side), int) for side in ("wide", "high")
    ):
        raise Refused(Diagnostic("no-alignment", Message("workshop.editing.odd-work")))
    drawn = {"file": str(picture.get("file", ""))[:40], "wide": picture["wide"], "high": picture["high"]}
    return {"pbem_board": 1, "picture": drawn, **points}


def _points(listed: Any) -> dict[str, list[int]]:
    """Return whole pixels by hex; everything else is left out."""
    points = {}
    for hex, point in listed.items() if isinstance(listed, dict) else ():
        if isinstance(point, list) and len(point) == 2 and all(type(number) is int for number in point):
            if max(map(abs, point)) < MOST_PIXELS:
                points[str(hex)[:40]] = point
    return points
