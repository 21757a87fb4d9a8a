"""The letters of a game: conversations, writing one, and messages that go with the next email."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.web import asked, commands, post
from pbem.cli.web.addresses.at_post import settled
from pbem.cli.web.asked import Answer
from pbem.cli.web.rooms import Room, Route, go
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

LONGEST = 20_000
"""Characters of a letter that are looked at; fewer can be sent."""


class AtLetters(Room):
    """The page of letters, which works without scripts, and the address for the board."""

    def routes(self) -> list[Route]:
        in_turn = partial(asked.in_turn, self.place)
        return [
            ("GET", "/g/<name>/letters", self.letters),
            ("POST", "/g/<name>/letters", self.write),
            ("GET", "/g/<name>/talk", in_turn(self.waiting, post=False)),
            ("POST", "/g/<name>/talk", in_turn(self.talk)),
        ]

    def letters(self, name: str, outcome: commands.Said | None = None, text: str = "") -> str:
        """Return the page with the conversations, unread letters first, and the form for a letter.

        `said` is what came of writing one, `text` what was not sent.
        """
        from pbem.archive import published_letters
        from pbem.cli.games import press

        folder = self._open(name)
        listed, me = press.conversations(folder), folder.me
        doubts = press.odd(folder, listed)
        shown = [
            (
                conversation,
                [
                    press.told(letter, doubts.get(letter.statement.sid, ()), me)
                    for letter in conversation.letters
                ],
            )
            for conversation in listed
        ]
        values: dict[str, Any] = {
            "conversations": shown,
            "readers": readers(folder),
            "may": may(folder),
            "said": outcome,
            "text": text,
            "letters": post.letters(folder) if outcome is not None and outcome.ok else [],
            "goes": settled(folder)[0],
            "waiting": _waiting(folder),
            "unread": sum(conversation.unread for conversation in listed),
            "over": len(published_letters.to_publish(folder)),
        }
        return self.page("letters.html.j2", name, folder, **values)

    def write(self, name: str) -> str:
        """Sign a letter and write its email: the command `pbem letter` does it, with its own checks."""
        folder = self._open(name)
        if self.field("read"):
            return self._all_read(name, folder)
        text = bottle.request.forms.getunicode("words", "")[:LONGEST].replace("\r\n", "\n")
        to = [field for field in self.fields("to") if field in readers(folder)]
        words = ["letter", *(f"--to={reader}" for reader in to), f"--text={text}"]
        words += ["--public"] if self.field("public") else []
        words += ["--grey"] if self.field("grey") else []
        words += ["--yes"] if self.field("yes") else []
        outcome = commands.run(folder.root, *words, passphrase=self.passphrase())
        return self.letters(name, outcome, "" if outcome.ok else text)

    def _all_read(self, name: str, folder: Folder) -> str:
        """Mark all letters as read, and show the page again."""
        from pbem.archive import letters_kept

        with folder.working():
            listed = [letter.statement.sid for letter in letters_kept.letters(folder)]
            folder.commit(letters_kept.mark_read(folder, listed))
        go(f"/g/{name}/letters")
        return ""

    def waiting(self, folder: Folder) -> Answer:
        """Return the messages that go with the next email."""
        return {"waiting": _waiting(folder)}

    def talk(self, folder: Folder) -> Answer:
        """Add a message to those that go with the next email; one without text takes those to them away."""
        from pbem.archive import letter_writing, letters_kept

        _need_game(folder)
        data = asked.body()
        wanted = asked.texts(data, "to", 50)
        to = None if data.get("public") is True else tuple(sorted(set(wanted)))
        text = (asked.text(data, "text") or "")[:LONGEST]
        listed = [letter for letter in letters_kept.unsent(folder) if text.strip() or letter.to != to]
        if text.strip():
            listed.append(letter_writing.checked(folder, to, text))
        if len(listed) > letter_writing.MOST_WAITING:
            raise Refused(
                Diagnostic("too-many", Message("cli.web.too-many-messages", most=letter_writing.MOST_WAITING))
            )
        with folder.working():
            folder.commit(letters_kept.waiting(listed))
        return {"waiting": _waiting(folder)}

    def _open(self, name: str) -> Folder:
        folder = self.place.open(name)
        _need_game(folder)
        return folder


def readers(folder: Folder) -> list[str]:
    """Return to whom letters can be written."""
    from pbem.archive import letter_writing

    return letter_writing.possible_readers(folder.need_roster(), folder.me)


def may(folder: Folder) -> dict[str, bool]:
    """Return what kinds of letters the owner may write."""
    from pbem.stages import press

    roster, me = folder.need_roster(), folder.me or ""
    agreed = press.of(roster.terms)
    writes = folder.role in ("gm", "player", "deputy") and me not in roster.dropped
    gm = me == roster.terms.arbiter
    return {
        "write": writes,
        "public": writes and (gm or agreed.allows("public")),
        "private": writes and (gm or agreed.allows("private")),
        "grey": writes and not gm and agreed.allows("grey"),
    }


def _waiting(folder: Folder) -> list[dict[str, Any]]:
    from pbem.archive import letters_kept

    everybody = readers(folder)
    return [
        {
            "to": list(letter.to) if letter.to is not None else everybody,
            "text": letter.text,
            "public": letter.to is None,
        }
        for letter in letters_kept.unsent(folder)
    ]


def _need_game(folder: Folder) -> None:
    """Check that letters can be written yet; Refused if not."""
    if folder.roster is None or folder.unsigned():
        raise Refused(Diagnostic("not-begun", Message("cli.web.letters-after-the-roster")))
