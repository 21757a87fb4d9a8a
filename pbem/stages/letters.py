"""Letters in their conversations: numbers, gaps, second versions, heads (protocol-letters 2.1, 2.3).

Nothing here refuses a letter. What is odd about one is shown beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.errors import BadOpening, BadSeal, NotAccepted
from pbem.trust.letters import Content, check, unsealed
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.seal import MAX_LETTER
from pbem.trust.statements import Statement

Series = tuple[str, int, tuple[str, ...] | None, bool]
"""A sender, how many held the place before, the readers (None: all), and whether the GM sends it on."""
HeadAt = Callable[[int], str | None]
"""Gives our head of a stage, or None if its record is not here."""
MOST_A_STAGE = 100
"""Letters of one sender that name one stage; more are not kept."""
MOST_NAMED = 20
"""Missing numbers that are named; a sender can sign any number."""
MOST_A_DAY = 30
"""Letters that a sender's tool signs in one day without asking."""


@dataclass(frozen=True)
class Came:
    """A letter that is here: its statement, the key it is signed with, and its content if that is open.

    `order`: the place in which it came here, or was written. `day`: the day on which it was written here.
    """

    statement: Statement
    key: bytes
    content: Content | None
    order: int = 0
    read: bool = True
    day: str = ""

    @property
    def text(self) -> str:
        """Return its text; "" for a private letter that is not open here."""
        return self.content.text if self.content is not None else ""

    @property
    def to(self) -> tuple[str, ...] | None:
        """Return its readers; None for a letter to all."""
        return self.statement.letter.to


@dataclass(frozen=True)
class Doubt:
    """An oddity of a letter, with the code that `verify` has for it."""

    code: Literal["letter-gap", "letter-twice", "letter-head", "letter-key"]
    text: str


def content_of(letter: Statement, shown: Shown | None, gm: str | None) -> Content | None:
    """Return the content of a letter; None for a private one without its opening.

    Raises BadOpening if the opening is not what its sender committed to.
    """
    body = letter.letter
    if body.to is None:
        return Content(body.text, body.re)
    return None if shown is None else check(letter, shown, gm)


def check_size(letter: Statement) -> None:
    """Check that a letter to all is no longer than a private one can be; NotAccepted with code `size`."""
    body = letter.letter
    size = Content(body.text, body.re).size if body.to is None else 0
    if size > MAX_LETTER:
        raise NotAccepted("size", Message("stages.letters.too-long", size=size, most=MAX_LETTER))


def opened(letter: Statement, me: str | None, keys: Iterable[bytes], gm: str | None) -> Shown | None:
    """Return the opening of a letter to me, by one of the seal keys that I ever had; None of one to all.

    NotAccepted with code `reader`, `seal` or `opening` if it is not for me, or not what it must be.
    """
    body = letter.letter
    if body.to is None:
        return None
    if me is None or me not in body.to:
        raise NotAccepted("reader", Message("stages.letters.not-for-you"))
    for key in keys:
        try:
            shown = unsealed(letter, me, key)
        except BadSeal:
            continue
        try:
            check(letter, shown, gm)
        except BadOpening as fault:
            raise NotAccepted("opening", str(fault)) from None
        return shown
    raise NotAccepted("seal", Message("stages.letters.seal-does-not-open", sender=letter.sender))


# --- conversations --------------------------------------------------------------------------------------


def tenures(roster: Roster) -> dict[bytes, int]:
    """Return for each signing key that the game ever had how many persons held its place before.

    A takeover (`party`) brings new keys and a new anchor; other changes leave one of them.
    """
    held: dict[bytes, int] = {}
    for now in roster.parties:
        entries = [*(entry.party for entry in roster.former if entry.party.id == now.id), now]
        count = 0
        for before, entry in zip([entries[0], *entries], entries, strict=False):
            parts = [(before.sign, entry.sign), (before.seal, entry.seal), (before.anchor, entry.anchor)]
            count += all(old != new for old, new in parts)
            held.setdefault(entry.sign, count)
    return held


def series(letter: Came, held: Mapping[bytes, int]) -> Series:
    """Return the series in which a letter is numbered."""
    body = letter.statement.letter
    return letter.statement.sender, held.get(letter.key, 0), body.to, body.grey is not None


def next_in(
    letters: Iterable[Came], roster: Roster, sender: str, to: tuple[str, ...] | None, grey: bool
) -> tuple[int, str | None]:
    """Return the number of a sender's next letter to these readers, and the sid of the one before."""
    held = tenures(roster)
    wanted = (sender, held[roster.by_id[sender].sign], to, grey)
    before = [letter for letter in letters if series(letter, held) == wanted]
    if not before:
        return 1, None
    last = max(before, key=lambda came: (came.statement.letter.n, came.order))
    return last.statement.letter.n + 1, last.statement.sid


def doubts(
    letters: Sequence[Came], roster: Roster, me: str | None, head_at: HeadAt
) -> dict[str, tuple[Doubt, ...]]:
    """Return what is odd about letters, by sid; `me` is whose letters they are.

    `roster` is the newest one. What was sent before my entry came into the game is no gap.
    """
    held = tenures(roster)
    newcomer = me is not None and me in roster.by_id and held[roster.by_id[me].sign] > 0
    by_series: dict[Series, list[Came]] = {}
    for letter in letters:
        by_series.setdefault(series(letter, held), []).append(letter)
    by_letter: dict[str, list[Doubt]] = {letter.statement.sid: [] for letter in letters}
    for listed in by_series.values():
        for sid, doubt in _in_series(listed, newcomer):
            by_letter[sid].append(doubt)
    keys = {entry.sign for entry in roster.active}
    for letter in letters:
        if letter.key not in keys:
            by_letter[letter.statement.sid].append(
                Doubt("letter-key", Message("stages.letters.key-no-longer-holds"))
            )
        doubt_of_head = _head(letter.statement, head_at)
        if doubt_of_head is not None:
            by_letter[letter.statement.sid].append(doubt_of_head)
    return {sid: tuple(doubts_of) for sid, doubts_of in by_letter.items() if doubts_of}


def _in_series(listed: Sequence[Came], newcomer: bool) -> Iterable[tuple[str, Doubt]]:
    """Yield gaps, and letters with one number, of one series."""
    numbered: dict[int, list[Came]] = {}
    for letter in listed:
        numbered.setdefault(letter.statement.letter.n, []).append(letter)
    before = min(numbered) - 1 if newcomer else 0
    for n in sorted(numbered):
        for letter in numbered[n]:
            sender = letter.statement.sender
            if len(numbered[n]) > 1:
                yield (
                    letter.statement.sid,
                    Doubt("letter-twice", Message("stages.letters.two-with-one-number", sender=sender, n=n)),
                )
            if n > before + 1:
                missing = tuple(map(str, range(before + 1, min(n, before + 1 + MOST_NAMED))))
                yield (
                    letter.statement.sid,
                    Doubt(
                        "letter-gap",
                        Message("stages.letters.numbers-missing", sender=sender, missing=missing),
                    ),
                )
            elif n - 1 in numbered and all(
                letter.statement.letter.after != earlier.statement.sid for earlier in numbered[n - 1]
            ):
                yield (
                    letter.statement.sid,
                    Doubt(
                        "letter-gap", Message("stages.letters.follows-another", sender=sender, before=n - 1)
                    ),
                )
        before = n


def _head(letter: Statement, head_at: HeadAt) -> Doubt | None:
    """Compare the head that a letter follows with ours; None if they are one, or ours is not here."""
    here = head_at(letter.stage - 1) if letter.stage > 0 else None
    if here is None or here == letter.prev:
        return None
    return Doubt(
        "letter-head",
        Message(
            "stages.letters.another-head",
            sender=letter.sender,
            stage=letter.stage - 1,
            head=letter.prev[:16],
            here=here[:16],
        ),
    )
