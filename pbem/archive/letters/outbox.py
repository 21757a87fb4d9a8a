"""Mail that is ready to send: a `.pbem.txt` to attach or paste, and an `.eml` to all parties.

Protocol 6.1.

Everything is a function of the statements: no clock and no random boundary, so an email made twice
is the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbem.archive.folder.changes import Changes
from pbem.archive.folder.layout import OUTBOX
from pbem.mail.write import MUCH_ATTACHED, Mail, Person, Subject, build
from pbem.text.chars import FORBIDDEN
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, Voice, Worded
from pbem.trust import armour
from pbem.trust.armour import Signed
from pbem.trust.roster import Party, Roster
from pbem.trust.statements import Statement

_OF_WINDOWS = re.compile("con|prn|aux|nul|com[1-9]|lpt[1-9]")  # names that are devices there
MUCH = 4000
"""Characters for people in an email, above which its statements are not in the midst of them."""
LITTLE = 4096
"""Bytes of armour, up to which the statements are in the body alone (17.36)."""


@dataclass(frozen=True)
class Letter:
    """One email: its file name without ending, subject, sender, recipients, lines, and statements.

    It is in no language until it becomes files.

    `id` identifies the email (a sid); `answers` is the id of the email it replies to. `thread` is
    the game id, which its statements name as well: all emails of a game are one thread. `page` tells what
    people read as HTML with a `picture`. `once`: the statements are in the body alone, not attached as well
    (17.36). `behind` is text for people after them.
    """

    name: str
    subject: Subject
    sender: Party
    others: Sequence[Party]
    readable: Sequence[str]
    items: Sequence[Signed]
    id: str
    answers: str = ""
    ending: str = ".pbem.txt"
    thread: str = ""
    page: str = ""
    picture: bytes = b""
    once: bool = False
    behind: str = ""

    def text(self, say: Voice) -> str:
        """Return the `.pbem.txt`: the text for people with the last known head, then the statements."""
        text = armour.write(self._to_read(say), self.items)
        return f"{text}\n{self.behind}" if self.behind else text

    def _to_read(self, say: Voice) -> str:
        from pbem.archive.letters.last_head import of_items

        heads = map(say, of_items(self.items))
        text = FORBIDDEN.sub("?", "\n".join([_said(self.readable, say).rstrip("\n"), *heads, ""]))
        return armour.defused(text)

    def body(self, text: str, attached: str, say: Voice) -> str:
        """Return the body: the `.pbem.txt`, or its readable text if the statements are in a part of their
        own."""
        if not attached:
            return text
        note = say(Message("archive.letters.what-counts-is-in-attached-file"))
        return f"{self._to_read(say)}\n{note}\n"

    def attached(self, say: Voice) -> str:
        """Return the statements alone, as the last part of an email with a page or a long text.

        "" if the `.pbem.txt` itself is attached.
        """
        much = len(_said(self.readable, say)) > MUCH or bool(self.page)
        if not self.items or not (much or self.once):
            return ""
        note = say(Message("archive.letters.what-counts-of-this-mail"))
        text = armour.write(f"{self.subject.text}\n\n{note}", self.items)
        return text if much or len(text) > MUCH_ATTACHED else ""

    def _worded(self, say: Voice) -> Letter:
        """Return the letter with subject and lines in the words of `say`, each said once."""
        subject = replace(self.subject, what=Worded(say(self.subject.what)))
        return replace(self, subject=subject, readable=[Worded(_said(self.readable, say))])

    @property
    def alone(self) -> bool:
        """Return True if the statements travel in the body and not as a file as well."""
        return self.once or len(armour.write("", self.items)) <= LITTLE

    def eml(self, say: Voice) -> bytes:
        """Return the email; with the `.pbem.txt` attached if it carries more than a few statements."""
        letter = self._worded(say)
        return letter._eml(letter.text(say), say)

    def changes(self, say: Voice, *, mail: bool = True) -> Changes:
        """Return the two files for `outbox/`, in the words of `say`; without `mail` only the `.pbem.txt`."""
        changes, letter = Changes(), self._worded(say)
        text = letter.text(say)
        changes.write(f"{OUTBOX}/{self.name}{self.ending}", text)
        if mail:
            changes.write(f"{OUTBOX}/{self.name}.eml", letter._eml(text, say))
        return changes

    def _eml(self, text: str, say: Voice) -> bytes:
        """Return the email to the GM, or from the GM to the players; everybody else gets a copy."""
        people = [other for other in self.others if other.id != self.sender.id]
        gm = [person for person in people if person.role == "gm"]
        to = gm or [person for person in people if person.role == "player"] or people
        attached = self.attached(say)
        return build(
            Mail(
                subject=self.subject,
                sender=_person(self.sender),
                to=[_person(person) for person in to],
                cc=[_person(person) for person in people if person not in to],
                text=self.body(text, attached, say),
                file_name=f"{self.name}{self.ending}" if self.items and (attached or not self.alone) else "",
                id=self.id,
                answers=_before(self),
                automatic=not self.items,
                attached=attached,
                whole=text,
                page=self.page if not armour.opens(self.page) else "",
                picture=self.picture,
            )
        )


def _said(lines: Iterable[str], say: Voice) -> str:
    return "\n".join(map(say, lines))


def subject_of(roster: Roster, stage: int | None, what: str) -> Subject:
    """Return the subject of a mail about a game and a stage of it."""
    return Subject(roster.game, roster.terms.title, stage, what)


def to_all(
    roster: Roster,
    statement: Statement,
    what: str,
    readable: Sequence[str],
    items: Sequence[Signed],
    *,
    file: str,
    answers: str = "",
) -> Letter:
    """Return the email to all with what its sender has signed.

    `what` is its subject, and `file` the end of its name.
    """
    return Letter(
        name=f"stage-{statement.stage:04d}-{statement.sender}-{file}",
        subject=subject_of(roster, statement.stage, what),
        sender=roster.by_id[statement.sender],
        others=roster.active,
        readable=readable,
        items=items,
        id=statement.sid,
        answers=answers,
    )


def root_id(game: str) -> str:
    """Return the id of the email that a game's thread begins with: the GM's with the roster."""
    return f"game-{game[:32]}"


def invitation_id(salt: bytes) -> str:
    """Return the id of the email that comes before the game has an id."""
    return f"invitation-{salt.hex()[:24]}"


def _before(letter: Letter) -> list[str]:
    """Return the ids of the emails before it: the game's first, then the one that it answers."""
    game = _thread(letter)
    ids = [root_id(game) if game else "", letter.answers]
    return [id for id in dict.fromkeys(ids) if id and id != letter.id]


def _thread(letter: Letter) -> str:
    """Return the id of the game whose thread it belongs to; "" before the game."""
    return letter.thread or (_game_of(letter.items[0]) if letter.items else "")


def _game_of(signed: Signed) -> str:
    """Return the game that a statement of ours names; "" for those from before the game."""
    game = json.loads(signed.data).get("game", "")
    return game if isinstance(game, str) else ""


def _person(party: Party) -> Person:
    return Person(party.name, party.mail)


def heading(title: str, lines: Iterable[str]) -> list[str]:
    """Return the readable part: title, then the lines."""
    return [Worded(title), "=" * min(len(title), 78), *lines, ""]


def quoted(text: str) -> str:
    """Return the text of a letter behind the armour: `| ` before each line, and no run of dashes.

    Otherwise it could open a block of its own and swallow the real one (protocol-letters 2.2).
    """
    lines = FORBIDDEN.sub("?", armour.single_dashes(text)).split("\n")
    return armour.defused("\n".join(f"| {line}".rstrip() for line in lines)) + "\n"


def slug(text: str) -> str:
    """Return a title as a file name that every system accepts."""
    name = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "game"
    return f"{name}-game" if _OF_WINDOWS.fullmatch(name) else name
