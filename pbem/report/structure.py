"""The turn report as one structure, which every form of it (text, HTML, JSON, book) renders.

Sentences come from the words of the rules system; headings and small words are the business of each form.
`pbem.report.composing` makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from pbem.report.dates import in_words
from pbem.report.fights.cards import Fight
from pbem.report.fights.grouping import Words
from pbem.report.figures import keys as figure_keys
from pbem.report.headlines import Line
from pbem.report.losses import Losses
from pbem.report.muster import Force, PlaceLine, forces
from pbem.report.reader import Recipe, View
from pbem.report.whole import ledger
from pbem.report.whole.deciding import decided
from pbem.report.wording import Wording
from pbem.text.dataclass import dataclass

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Party:
    """A seat: its id, its name in the reader's language, and its player's name (empty if unknown).

    `called` is the name inside a sentence, if it differs: `the Axis`.
    """

    id: str
    seat: str
    name: str = ""
    called: str = ""

    @property
    def text(self) -> str:
        """Return a seat with its player's name: `red (Anna)`."""
        return f"{self.seat} ({self.name})" if self.name else self.seat

    @property
    def inside(self) -> str:
        """Return a seat with its player as sentences call it: `the Axis (Anna)`."""
        called = self.called or self.seat
        return f"{called} ({self.name})" if self.name else called


@dataclass(frozen=True)
class Item:
    """One event: its sentence, its rule, how its result came about, and the dice in it.

    `number` counts the items of a report from 1. `private`: only some were told. `mine`: it belongs to what
    happened to the reader's side. `working` pairs what a result depends on (empty for a whole sentence) with
    its value in words. `hexes` are those of the map that the event names.
    """

    number: int
    kind: str
    text: str
    rule: str
    place: tuple[str, ...]
    headline: str | None
    private: bool
    mine: bool
    hexes: tuple[str, ...]
    working: tuple[tuple[str, str], ...]
    rolls: tuple[ledger.Entry, ...]
    event: Fields = field(repr=False)

    def words(self) -> Words:
        """Return what the card of a fight says of it."""
        return Words(self.text, self.headline, self.rolls)


@dataclass(frozen=True)
class Passage:
    """The events of one phase.

    `place` is the place in the sequence of play, outermost first.
    """

    place: tuple[str, ...]
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Die:
    """A line of the dice ledger: the roll, the item it belongs to, and how to make it again without pbem."""

    entry: ledger.Entry
    item: Item
    recipe: Recipe | None = None


@dataclass(frozen=True)
class Question:
    """A question to a seat.

    `mine`: to the reader.
    """

    party: Party
    kind: str
    text: str
    rule: str
    secret: bool
    command: str
    mine: bool


@dataclass(frozen=True)
class Since:
    """The events since the reader's last signed answer: in stages `first` to `last`, that of the report.

    `lines` are the headlines that concern the reader, the most important first, each with the stages it is
    of; of many the first ones, and `more` says how many there are beside them. `moved` says who moved: how
    many of each player, and from where to where counters that moved in several stages.
    """

    first: int
    last: int
    lines: tuple[Line, ...]
    more: int
    moved: tuple[str, ...]
    losses: tuple[Losses, ...]


@dataclass(frozen=True)
class Report:
    """A turn report for one reader; `reader` None is the public one. Texts are on one line, fit to print.

    `parts` are those of `place`, outermost first. `ended` are the accounts of its fights, by the `id` of the
    event that each replaces in headlines.
    """

    reader: Party | None
    friends: tuple[str, ...]
    umpire: bool
    title: str
    system: str
    game: str
    stage: int
    place: str
    parts: tuple[str, ...]
    players: tuple[Party, ...]
    leading: tuple[str, ...]
    notes: tuple[str, ...]
    headlines: tuple[str, ...]
    ended: Mapping[int, str]
    since: Since | None
    losses: tuple[Losses, ...]
    fights: tuple[Fight, ...]
    passages: tuple[Passage, ...]
    dice: tuple[Die, ...]
    tracks: tuple[str, ...]
    places: tuple[PlaceLine, ...]
    questions: tuple[Question, ...]
    refused: tuple[str, ...]
    ahead: tuple[str, ...]
    unused: tuple[str, ...]
    waiting: tuple[Party, ...]
    due: str
    finished: bool
    all_events_from: Callable[[], Sequence[tuple[int, Fields]]]
    command: str
    digests: Mapping[str, str]
    view: View = field(repr=False)

    @cached_property
    def decided(self) -> Line | None:
        """Return the stage that decided a finished game, and what happened in it."""
        return decided(self.view.ending_from(), self.all_events_from(), self.view) if self.finished else None

    @cached_property
    def forces(self) -> tuple[Force, ...]:
        """Return the forces, the reader's first."""
        return tuple(self.forces_at(None))

    def forces_at(self, hexes: Collection[str] | None) -> list[Force]:
        """Return the forces in some hexes alone: in a large war nobody needs all."""
        return forces(self.view, self.reader.id if self.reader else None, hexes)

    @cached_property
    def figures_mean(self) -> tuple[str, ...]:
        """Return the meaning of the counters' figures, a line for each kind."""
        return tuple(figure_keys(self.words, map(self.view.values, self.view.position.counters)))

    @property
    def summary(self) -> tuple[str, ...]:
        """Return the summary for a reader: decisions for or about the reader, news, advance orders."""
        return (*self.notes, *self.headlines, *self.ahead)

    @property
    def words(self) -> Wording:
        """Return the words of the report and of its system, in its language."""
        return self.view.wording

    @property
    def due_words(self) -> str:
        """Return the deadline for answers, with dates as people read them."""
        return in_words(self.due, self.words)

    @property
    def dice_command(self) -> str:
        """Return the command that shows how to make the dice of this stage again."""
        return f"pbem dice --stage {self.stage} --how"

    @property
    def items(self) -> tuple[Item, ...]:
        """Return everything that the reader saw happen, in order."""
        return tuple(item for passage in self.passages for item in passage.items)

    @property
    def mine(self) -> tuple[Item, ...]:
        """Return the events of the reader's side."""
        return tuple(item for item in self.items if item.mine)

    @property
    def owed(self) -> tuple[Question, ...]:
        """Return the questions to the reader."""
        return tuple(question for question in self.questions if question.mine)

    @property
    def entries(self) -> list[ledger.Entry]:
        """Return the rolls of the ledger."""
        return [die.entry for die in self.dice]
