"""The table of a game: the one page on which a turn is played, and its map."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.web.addresses.at_hand import once
from pbem.cli.web.asked import TURN
from pbem.cli.web.pages import root
from pbem.cli.web.rooms import Room, Route, go

if TYPE_CHECKING:
    from pbem.archive import Folder


class AtTable(Room):
    """The page with the board, and the drawing that it fetches after a stage."""

    def routes(self) -> list[Route]:
        return [
            ("GET", "/g/<name>/table", self.table),
            ("GET", "/g/<name>/map", self.map),
            ("GET", "/g/<name>/picture/<file>", self.picture),
        ]

    def table(self, name: str) -> str:
        """Return the page; without scripts it leads to the page of orders, which needs none."""
        with TURN:
            folder = self.place.at_hand(name)
            if folder.stage < 0:
                go(f"/g/{name}/")
            words = {key: self.words.phrases[key] for key in self.words.phrases if key.startswith("js-")}
            return self.page(
                "board.html.j2", name, folder, words=json.dumps(words), **self._drawn(name, folder)
            )

    def map(self, name: str) -> str:
        """Return the map as it stands now: a script puts it in the place of the one before."""
        with TURN:
            folder = self.place.at_hand(name)
            bottle.response.content_type = "image/svg+xml; charset=utf-8"
            return str(self._drawn(name, folder)["map"]) if folder.stage >= 0 else ""

    def picture(self, name: str, file: str) -> bytes:
        """Return a picture of the owner's board, which the map is on."""
        from pbem.cli.games.board_picture import picture_files
        from pbem.workshop.beside import KINDS

        with TURN:
            kept = next(
                (picture for picture in picture_files(self.place.at_hand(name)) if picture.name == file), None
            )
        if kept is None:
            raise bottle.HTTPError(404)
        bottle.response.content_type = KINDS[kept.suffix[1:]][1]
        return kept.read_bytes()

    def _drawn(self, name: str, folder: Folder) -> dict[str, Any]:
        """Return the map, and the colours of those who have a seat."""
        from pbem.cli.games.board_picture import board_of
        from pbem.cli.games.telling import report_of
        from pbem.report.html import context

        def drawn() -> dict[str, Any]:
            board = board_of(folder, f"{root()}/g/{name}/picture")
            return context(
                report_of(folder, folder.reader, folder.view(), self.lang), screen=True, board=board
            )

        return once(folder, ("drawing", self.lang), drawn)
