"""The post: what came in, what waits to be sent, what went out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.web import post, signing
from pbem.cli.web.rooms import Room, Route
from pbem.text.diagnostics import PbemError

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.web.intake import Entry


class AtPost(Room):
    """The pages for letters in and out."""

    def routes(self) -> list[Route]:
        return [
            ("GET", "/g/<name>/post", self.post),
            ("POST", "/g/<name>/post", self.take_in),
            ("GET", "/g/<name>/letter/<letter>", self.letter),
        ]

    def post(self, name: str, done: list[str] | None = None, entries: Sequence[Entry] = ()) -> str:
        """Return the page of letters; `entries` of new players for seats came just now."""
        folder = self.place.open(name)
        goes, comes = settled(folder)
        values: dict[str, Any] = {
            "done": done,
            "entries": entries,
            "letters": post.letters(folder),
            "invitations": [
                (invitation, post.letter(folder, invitation).decode())
                for invitation in post.invitations(folder)
            ],
            "gone": [
                letter for letter in post.letters(folder, whole=True) if letter.state in ("sent", "old")
            ][:20],
            "came": post.came_in(folder),
            "goes": goes,
            "comes": comes,
            "signed": signing.signed_here(folder),
            "practice": signing.is_practice(folder),
        }
        return self.page("post.html.j2", name, folder, **values)

    def take_in(self, name: str) -> str:
        """Take in emails and files that were dropped or pasted."""
        from pbem.cli.web.intake import entries

        folder, sent = self.place.open(name), self.sent()
        reading = post.read(sent)
        lines = (post.take_in(folder, reading) or [post.nothing_in(reading)]) if sent else []
        self.place.play_on(folder.root)
        return self.post(name, lines or [self.words.say("nothing-sent")], entries(folder, sent))

    def letter(self, name: str, letter: str) -> bytes:
        """Return a letter to save, or to open in a mail program."""
        data = post.letter(self.place.open(name), letter)
        bottle.response.content_type = (
            "message/rfc822" if letter.endswith(".eml") else "application/octet-stream"
        )
        bottle.response.set_header("Content-Disposition", f'attachment; filename="{letter}"')
        return data


def settled(folder: Folder) -> tuple[bool, bool]:
    """Return whether settings for sending and for fetching exist."""
    from pbem.cli.post.mail import settings

    try:
        current = settings(folder, None)
    except PbemError:
        return False, False
    return current.out is not None, current.in_ is not None
