"""Emails by which a postmaster tells a game master what it cannot do by itself; each leaves once."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from pbem.cli.shell.language import spoken

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.mail.settings import Out

_OUTBOX = "outbox"


class Notices:
    """An outbox of the postmaster's own, with a book like that of a game.

    It is outside the game folders, so that a game that cannot be written to can be reported as
    well.
    """

    def __init__(self, place: Path) -> None:
        self.place = place

    def put(self, to: str, title: str, about: str, lines: list[str]) -> bool:
        """Write an email to a game master, unless the same one was written before; True if it is new.

        `about` names what it is about: a game and a stage.
        """
        from pbem.mail.write import Mail, Person, Subject, build
        from pbem.text.writing import write_all

        text = "\n".join(spoken(line) for line in lines) + "\n"
        digest = hashlib.sha256(f"{about}\0{text}".encode()).hexdigest()[:24]
        path = self.place / _OUTBOX / f"notice-{digest}.eml"
        if path.exists() or not to:
            return False
        me = Person("pbem postmaster", to)
        data = build(
            Mail(
                subject=Subject("", title, None, spoken(lines[0])),
                sender=me,
                to=[me],
                cc=[],
                text=text,
                file_name="",
                id=f"postmaster-{digest}",
                automatic=True,
            )
        )
        write_all({path: data}, private=[path])
        return True

    def send(self, out: Out) -> int:
        """Send what waits, and return how many left. What failed waits for the next call."""
        from pbem.archive import waiting_letters
        from pbem.cli.post.handing import hand_over

        if not (self.place / _OUTBOX).is_dir():
            return 0
        # an outbox needs no more of a game folder than this
        folder = cast("Folder", SimpleNamespace(root=self.place, stage=-1, roster=None, coming_in=True))
        ledger = waiting_letters.book(folder)
        chosen = [letter for letter in waiting_letters.letters(folder, ledger) if letter.goes]
        if not chosen:
            return 0
        (self.place / "private").mkdir(mode=0o700, exist_ok=True)
        handed: list[Any] = hand_over(folder, ledger, out, chosen)
        return sum(letter.good for letter in handed)
