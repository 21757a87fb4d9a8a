"""The common parts of the table's rooms: the place, its words, and the making of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.web import desk, pages, signing
from pbem.cli.web.words import words
from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.report.language import Language


def go(path: str) -> None:
    """Lead to another page of the table."""
    bottle.redirect(pages.root() + path, 303)


Route = tuple[str, str, Callable[..., Any]]


@dataclass
class Room:
    """Related pages.

    A game is named by a short hash of its folder.
    """

    place: desk.Desk
    lang: str = "en"

    def routes(self) -> list[Route]:
        """Return the routes: method, address, function."""
        raise NotImplementedError

    @property
    def words(self) -> Language:
        """Return the table's own words."""
        return words(self.lang)

    def plain(self, template: str, **values: Any) -> str:
        """Return a page that is about no game."""
        return pages.page(template, **{"t": self.words.say, "lang": self.lang, **values})

    def page(self, template: str, name: str, folder: Folder, **values: Any) -> str:
        """Return a page about a game."""
        from pbem.cli.games.standing import stand
        from pbem.cli.shell.language import of_game

        of_game(folder)
        known = {
            "name": name,
            "folder": folder,
            "standing": stand(folder),
            "gm": folder.is_gm,
            "locked": signing.locked(folder),
            "take_back": signing.can_take_back(folder),
            "practice": signing.is_practice(folder),
            "around": desk.around(folder.root),
        }
        return self.plain(template, **{**known, **values})

    def field(self, name: str) -> str:
        """Return a field of the form that was sent, or ""."""
        return str(bottle.request.forms.getunicode(name, "")).strip()

    def fields(self, name: str) -> list[str]:
        """Return all fields of a name."""
        return [str(value) for value in bottle.request.forms.decode().getall(name)]

    def passphrase(self) -> str | None:
        """Return the typed passphrase: used once, kept nowhere."""
        return bottle.request.forms.getunicode("passphrase", "") or None

    def sent(self) -> list[tuple[str, bytes]]:
        """Return sent files, and pasted text, with their names."""
        parts = [(str(part.raw_filename), part.file.read()) for part in bottle.request.files.getall("file")]
        pasted = bottle.request.forms.getunicode("text", "")
        if pasted.strip():
            parts.append((self.words.say("pasted-text"), pasted.replace("\r\n", "\n").encode()))
        return [(called, data) for called, data in parts if data]
