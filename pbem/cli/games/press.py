"""Letters in words: conversations, who wrote, and what is odd about a letter.

Each line of a letter has its author's name before it, so that no letter can look like anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import spoken
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.report.html import Letters
    from pbem.stages.letters import Came, Doubt

Odd = dict[str, tuple["Doubt", ...]]


@dataclass(frozen=True)
class Conversation:
    """Letters between the same people, in the order in which they were signed; to all if `who` is empty.

    `grey`: the GM passed them on for somebody.
    """

    who: tuple[str, ...]
    grey: bool
    letters: tuple[Came, ...]

    @property
    def unread(self) -> int:
        """Return how many of them were not shown yet."""
        return sum(not letter.read for letter in self.letters)

    @property
    def newest(self) -> int:
        """Return the place, by arrival, of the letter that came last."""
        return max(letter.order for letter in self.letters)

    @property
    def title(self) -> Message:
        """Return whom it is with."""
        return Message("cli.press.conversation", who=self.who, to_all=not self.who, grey=self.grey)


def conversations(folder: Folder) -> list[Conversation]:
    """Return the conversations of a folder: those with unread letters first, then the newest."""
    from pbem.archive import letters_kept

    threads: dict[tuple[tuple[str, ...], bool], list[Came]] = {}
    for letter in letters_kept.letters(folder):
        threads.setdefault(_key(letter, folder.me), []).append(letter)
    listed = [Conversation(readers, grey, _in_turn(letters)) for (readers, grey), letters in threads.items()]
    return sorted(
        listed, key=lambda conversation: (conversation.unread == 0, -conversation.newest, conversation.who)
    )


def _in_turn(letters: Iterable[Came]) -> tuple[Came, ...]:
    """Return letters by stage and as they came, but a late one before the later numbers of its sender."""
    placed: dict[str, int] = {}
    keyed: list[tuple[int, int, int, Came]] = []
    for letter_in in sorted(
        letters,
        key=lambda letter_in: (-letter_in.statement.stage, -letter_in.statement.letter.n, letter_in.order),
    ):
        letter = letter_in.statement
        at = placed[letter.sender] = min(letter_in.order, placed.get(letter.sender, letter_in.order))
        keyed.append((letter.stage, at, letter.letter.n, letter_in))
    return tuple(letter_in for *_, letter_in in sorted(keyed, key=lambda key: key[:3]))


def _key(came: Came, me: str | None) -> tuple[tuple[str, ...], bool]:
    letter = came.statement
    grey = letter.letter.grey is not None
    if came.to is None:
        return (), grey
    return tuple(sorted({letter.sender, *came.to} - {me or ""})), grey


def odd(folder: Folder, listed: Iterable[Conversation]) -> Odd:
    """Return what is odd about the letters of all conversations of a folder, by sid."""
    from pbem.archive import letters_kept

    return letters_kept.doubts_of(
        folder, [letter for conversation in listed for letter in conversation.letters]
    )


def told(came: Came, doubts: Sequence[Doubt], me: str | None) -> list[str]:
    """Return a letter as lines: where it belongs, what is odd about it, and its text."""
    letter, content = came.statement, came.content
    sender = letter.sender
    head = Message(
        "cli.press.letter",
        stage=letter.stage,
        sender=sender,
        mine=sender == me,
        readers=came.to or (),
        to_all=came.to is None,
        unread=not came.read,
        grey=letter.letter.grey is not None,
        sid=letter.sid[:8],
    )
    lines = [spoken(head)]
    if content is not None and content.grey is not None:
        on = () if content.grey == "public" else content.grey
        lines.append("  " + spoken(Message("cli.press.to-pass-on", readers=on, to_all=not on)))
    if content is not None and content.re is not None:
        lines.append("  " + spoken(Message("cli.press.answers", sid=content.re[:8])))
    lines += ["  " + spoken(doubt.text) for doubt in doubts]
    return [*lines, *(f"  {sender}| {line}".rstrip() for line in came.text.split("\n"))]


def since_orders(folder: Folder) -> list[tuple[Came, tuple[Doubt, ...]]]:
    """Return the letters since the owner's last orders, each with what is odd about it."""
    from pbem.archive import letters_kept

    me = folder.me
    if me is None:
        return []
    ordered = (
        stage for stage in range(folder.stage, 0, -1) if folder.progress.accepted(stage, me) is not None
    )
    since = next(ordered, 0)
    here = letters_kept.letters(folder)
    listed = [came for came in here if came.statement.stage >= since]
    doubts = letters_kept.doubts_of(folder, here) if listed else {}
    return [(came, doubts.get(came.statement.sid, ())) for came in listed]


def section(folder: Folder) -> str:
    """Return the letters since the owner's last orders, as the end of the owner's report; "" if none came.

    It is the owner's alone: the report that all share never has it.
    """
    listed = since_orders(folder)
    if not listed:
        return ""
    title = spoken(Message("cli.press.letters-since-your-last-orders"))
    lines = [title, "-" * len(title)]
    for came, doubts in listed:
        lines += ["  " + line for line in told(came, doubts, folder.me)]
    return "\n".join(["", *lines, ""])


def for_page(folder: Folder) -> Letters | None:
    """Return the same letters for the owner's report as a page; None if none came."""
    from pbem.report.html import Letters

    listed = since_orders(folder)
    if not listed:
        return None
    made = []
    for came, doubts in listed:
        head, *odd = told(came, doubts, folder.me)[: -len(came.text.split("\n"))]
        made.append((head, [line.strip() for line in odd], came.statement.sender, came.text.split("\n")))
    return Letters(spoken(Message("cli.press.letters-since-your-last-orders")), made)


def for_programs(folder: Folder) -> list[dict[str, Any]]:
    """Return the same letters for the owner's report as data."""
    return [_data(order, doubts) for order, doubts in since_orders(folder)]


def _data(letter: Came, doubts: Iterable[Doubt]) -> dict[str, Any]:
    return {
        "sid": letter.statement.sid,
        "stage": letter.statement.stage,
        "n": letter.statement.letter.n,
        "from": letter.statement.sender,
        "to": None if letter.to is None else list(letter.to),
        "text": letter.text,
        "read": letter.read,
        "odd": [str(doubt.text) for doubt in doubts],
    }


def data(folder: Folder, listed: Iterable[Conversation], doubts: Odd) -> list[dict[str, Any]]:
    """Return conversations for programs."""
    return [
        {
            "with": list(conversation.who) if conversation.who else None,
            "grey": conversation.grey,
            "unread": conversation.unread,
            "letters": [
                _data(letter, doubts.get(letter.statement.sid, ())) for letter in conversation.letters
            ],
        }
        for conversation in listed
    ]


def news(folder: Folder) -> list[str]:
    """Return one line that says who wrote and was not read yet, and one if letters can be published now."""
    from pbem.archive import grey_letters, letters_kept, published_letters

    if folder.roster is None or folder.unsigned():
        return []
    lines: list[str] = []
    count: dict[str, int] = {}
    for came in letters_kept.book(folder).values():
        if not came.read:
            count[came.sender] = count.get(came.sender, 0) + 1
    senders = tuple(f"{name} ({n})" for name, n in sorted(count.items()))
    if senders:
        lines.append(Message("cli.press.new-letters", who=senders))
    if folder.is_gm and (waiting := len(grey_letters.pending(folder))):
        lines.append(Message("cli.press.grey-wait", count=waiting))
    if waiting := len(published_letters.to_publish(folder)):
        lines.append(Message("cli.press.may-be-published", count=waiting))
    return lines
