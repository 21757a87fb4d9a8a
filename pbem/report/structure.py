"""The turn report as one structure, which every form of it (text, HTML, JSON, book) renders.

`compose` is a pure function of the events a reader was told, his view, and the game's facts. Sentences come
from the words of the rules system; headings and small words are the business of each form.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, cached_property, partial
from itertools import chain, groupby
from typing import Any

from pbem.model.events import Told, rolls_in
from pbem.model.facts import PUBLIC
from pbem.report.dates import in_words
from pbem.report.fights import Fight, Happened, Words, accounts, fights
from pbem.report.figures import keys as figure_keys
from pbem.report.headlines import Line, in_few_words, journeys, moves_made, says_nothing_new, told_shortly
from pbem.report.losses import Losses, counted, losses, suffered
from pbem.report.muster import Force, PlaceLine, forces, held
from pbem.report.plain import LONGEST_NAME, safe
from pbem.report.reader import VALUE, Meta, Recipe, View, concerned, hexes_named, story
from pbem.report.taken import OWN, followed, with_captures
from pbem.report.throwers import Throwers
from pbem.report.whole import ledger
from pbem.report.whole.deciding import decided
from pbem.report.wording import Wording
from pbem.report.worth import Worth, is_news, worth_of
from pbem.text.dataclass import dataclass
from pbem.text.sentences import like

WORKING = ("table", "odds", "column", "shifts", "row", "drm", "modifiers")
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
    happened to the reader's side. `working` pairs what a result depends on (`WORKING`, or empty for a whole
    sentence) with its value in words. `hexes` are those of the map that the event names.
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

    `lines` are the headlines that concern him, what matters most first, each with the stages it is of; of
    many the first ones, and `more` says how many there are beside them. `moved` says who moved: how many of
    each player, and from where to where counters that moved in several stages.
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
    told_from: Callable[[], Sequence[tuple[int, Fields]]]
    command: str
    digests: Mapping[str, str]
    view: View = field(repr=False)

    @cached_property
    def decided(self) -> Line | None:
        """Return the stage that decided a finished game, and what happened in it."""
        return decided(self.view.ending_from(), self.told_from(), self.view) if self.finished else None

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


def compose(reader: str | None, told: Iterable[Told], view: View, meta: Meta) -> Report:
    """Return the report of a stage for one reader; hidden data changes nothing in it."""
    seen = with_captures(told_once(story(told, reader, umpire=meta.umpire), view), view)
    side = {reader, *meta.friends} - {None}
    past = _Past(reader, view, meta)
    throwers = Throwers(past.events())
    made = [_item(n, one, side, view, meta, throwers) for n, one in enumerate(seen, 1)]
    items = list(_without_old_scores(made, view, past))
    known, ended = {one.party for one in meta.asked}, accounts((item.event for item in items), view, past)
    return Report(
        reader=party_of(reader, view, meta) if reader else None,
        friends=meta.friends,
        umpire=meta.umpire,
        title=like(meta.title, safe(meta.title, LONGEST_NAME)),
        system=safe(meta.system),
        game=safe(meta.game),
        stage=meta.stage,
        place=safe(view.wording.where(meta.place)),
        parts=tuple(safe(part) for part in view.wording.parts(meta.place) if part),
        players=tuple(party_of(player, view, meta) for player in view.players),
        leading=tuple(safe(text) for text in meta.leading),
        notes=(
            *_defaults(reader, view, meta, own=True),
            *meta.notes,
            *_forfeited(view, meta),
            *_defaults(reader, view, meta, own=False),
        ),
        ended=ended,
        headlines=tuple(summary(reader, items, view, meta, ended)),
        since=_since(reader, items, view, meta, past),
        losses=tuple(losses([one.event for one in seen], view)),
        fights=tuple(_fights(items, view, past, meta)),
        passages=tuple(_passages(items)),
        dice=tuple(_dice(items, view, meta)),
        tracks=tuple(view.tracks()),
        places=tuple(held(view)),
        questions=tuple(_questions(reader, view, meta)),
        refused=tuple(safe(text) for text in meta.refused),
        ahead=tuple(safe(text) for text in meta.ahead),
        unused=tuple(safe(text) for text in meta.unused),
        waiting=tuple(party_of(party, view, meta) for party in meta.waiting if party not in known),
        due=safe(meta.due),
        finished=meta.finished,
        told_from=lambda: _all_told(seen, meta),
        command=safe(meta.command),
        digests={safe(name): safe(digest) for name, digest in sorted(meta.digests.items())},
        view=view,
    )


def party_of(party: str, view: View, meta: Meta) -> Party:
    """Return a seat with its player's name, cut to a length that fits."""
    name = safe(meta.names.get(party, ""), LONGEST_NAME)
    called = view.wording.of("powers").get(party, "")
    return Party(safe(party), safe(view.wording.text(party)), "" if name == party else name, safe(called))


# ---- what happened -------------------------------------------------------------------------------


def told_once(seen: Sequence[Told], view: View) -> list[Told]:
    """Return events without moves of "so many counters" that the reader was also told by name."""
    again = _told_by_name([one.event for one in seen], view)
    return [one for number, one in enumerate(seen) if number not in again]


def _told_by_name(events: Iterable[Fields], view: View) -> set[int]:
    """Return which events tell moves of "so many counters" that another tells by name."""
    waiting: dict[tuple[object, ...], list[list[int]]] = {}
    again: set[int] = set()
    for number, event in enumerate(events):
        said = view.means(event)
        if "move" not in said.tells or not said.places:
            continue
        unnamed = waiting.setdefault((said.players, said.places[0], said.places[-1]), [])
        if not said.units and said.count:
            unnamed.append([number, said.count])
        elif said.units and unnamed:
            unnamed[0][1] -= len(said.units)
            if unnamed[0][1] <= 0:
                again.add(unnamed.pop(0)[0])
    return again


def _all_told(seen: Iterable[Told], meta: Meta) -> list[tuple[int, Fields]]:
    """Return all events of a game up to this stage, as the reader was told them, each with its stage."""
    before = meta.before
    stages = range(1, meta.stage) if before is not None else ()
    found = [(stage, event) for stage in stages for event in (before(stage) if before is not None else ())]
    return [*found, *((meta.stage, one.event) for one in seen)]


MOST_STAGES_BACK = 8
"""The number of stages back in which the beginning of a battle is looked for."""


def _fights(items: Iterable[Item], view: View, past: _Past, meta: Meta) -> Iterator[Fight]:
    """Yield the cards of the stages since the reader's last orders, in order.

    A fight that continues in a later stage appears there.
    """
    now = fights((Happened(item.number, item.event, item.words) for item in items), view, past)
    older: list[Fight] = []
    for each in reversed(meta.earlier) if meta.before else ():
        later = [*older, *now]
        happened, before = past.around(each.stage)
        found = [replace(one, numbers=(), stage=each.stage) for one in fights(happened, view, before)]
        older = [
            *(one for one in found if not any(_goes_on(one, each.stage, other) for other in later)),
            *older,
        ]
    yield from (*older, *now)


def _goes_on(fight: Fight, stage: int, later: Fight) -> bool:
    """Return True if a later card tells this fight, which began by that stage."""
    return later.place == fight.place and later.since is not None and later.since <= stage


def _questions(reader: str | None, view: View, meta: Meta) -> Iterator[Question]:
    """Yield the questions of the current stage."""
    for one in meta.asked:
        yield Question(
            party_of(one.party, view, meta),
            one.kind,
            view.asked(one.kind, {"player": one.party, **one.fields}),
            safe(one.rule),
            one.secret,
            one.command.replace(VALUE, view.wording.say("command-value")),
            one.party == reader,
        )


class _Past:
    """The events that the reader saw in earlier stages, the newest first; read only on demand."""

    def __init__(self, reader: str | None, view: View, meta: Meta) -> None:
        self._reader, self._view, self._meta = reader, view, meta
        self._kept: dict[int, list[Happened]] = {}

    def __iter__(self) -> Iterator[list[Happened]]:
        first = max(1, self._meta.stage - MOST_STAGES_BACK)
        for stage in range(self._meta.stage - 1, first - 1, -1) if self._meta.before else ():
            yield self._told(stage)

    def around(self, stage: int) -> tuple[list[Happened], Iterator[list[Happened]]]:
        """Return what was told of a stage as if it were the newest, and what of those before it."""
        told = self._told(stage)
        before = (self._told(n) for n in range(stage - 1, max(0, stage - MOST_STAGES_BACK) - 1, -1))
        return [replace(one, stage=None) for one in told], before

    def _told(self, stage: int) -> list[Happened]:
        if stage not in self._kept:
            assert self._meta.before is not None
            events = list(self._meta.before(stage))
            words = cache(partial(self._words, stage, events))  # of most stages nobody wants them
            self._kept[stage] = [
                Happened(0, event, partial(_one_of, words, n), stage) for n, event in enumerate(events)
            ]
        return self._kept[stage]

    def _words(self, stage: int, events: Iterable[Fields]) -> list[Words]:
        """Return the words of a stage's events: those of all, since who throws hangs on what went before."""
        view, found, throwers = self._view, list[Words](), Throwers()
        for event in events:
            named, rolls = view.named(event), throwers.entries(event, stage, view)
            found.append(Words(view.wording.event(named), view.wording.headline(named), rolls))
        return found

    def events(self) -> Iterator[list[Fields]]:
        """Yield the events of each stage."""
        for stage in self:
            yield [one.event for one in stage]


def _one_of(words: Callable[[], Sequence[Words]], number: int) -> Words:
    return words()[number]


def _item(
    number: int, one: Told, side: Collection[str | None], view: View, meta: Meta, throwers: Throwers
) -> Item:
    event = one.event
    named = view.named(event)
    headline = view.wording.headline(named)
    private = one.audience != PUBLIC
    ours = bool(side) and not meta.umpire
    told_us = private or headline is not None
    hurt = bool(suffered(event, view).keys() & side)
    return Item(
        number=number,
        kind=str(event.get("event", "")),
        text=view.wording.event(named),
        rule=safe(event.get("rule", "")),
        place=tuple(safe(word) for word in view.wording.places(view.at(event)) if word),
        headline=headline,
        private=private,
        mine=ours and (hurt or (told_us and _is_about(event, side, view))),
        hexes=tuple(hexes_named(event, view)),
        working=tuple(working(event, named, view)),
        rolls=tuple(throwers.entries(event, meta.stage, view)),
        event=event,
    )


def _without_old_scores(items: Sequence[Item], view: View, past: _Past) -> Iterator[Item]:
    """Yield items; one that repeats earlier points is no headline."""
    for number, item in enumerate(items):
        earlier = chain(
            (one.event for one in reversed(items[:number])),
            (one.event for stage in past for one in reversed(stage)),
        )
        old = item.headline is not None and says_nothing_new(item.event, earlier, view)
        yield replace(item, headline=None) if old else item


def _passages(items: Iterable[Item]) -> list[Passage]:
    """Return items in a row that happened in the same phase."""
    return [Passage(place, tuple(row)) for place, row in groupby(items, key=lambda item: item.place)]


FEW = 3
"""Events of a stage without headlines that are its news themselves."""


def summary(
    reader: str | None, items: Sequence[Item], view: View, meta: Meta, ended: Mapping[int, str]
) -> list[str]:
    """Return the headlines that concern the reader's side, or no player at all, the most important first.

    `worth.py` ranks them. Routine and the reader's own orders are left out. If nothing concerns the reader,
    all headlines are returned. Without any, the losses of a fight that goes on are the news. `ended` are
    accounts of fights (`Report.ended`).
    """
    told = [one.event for one in items if one.headline is not None]
    own = {reader} if reader is not None and not meta.umpire else set[str | None]()
    if own:
        side = {reader, *meta.friends}
        fought = _fought_by(side, (one.event for one in items), view)
        told = [one for one in told if _is_about(one, side, view, fought)] or told
    lines = in_few_words([one for one in told if is_news(one, view, own)], view, own, ended)
    if not lines:
        news = [one for one in items if is_news(one.event, view, own)]
        lines = [one.text for one in news if len(items) <= FEW or any(counted(one.event, view).values())]
    moved = moves_made((one.event for one in items), view)
    return [*lines, *([moved] if moved else [])]


MOST_SINCE = 8
"""Headlines of several stages that a report begins with."""


def _since(reader: str | None, items: Sequence[Item], view: View, meta: Meta, past: _Past) -> Since | None:
    """Return the news since the reader's last answer, or None without earlier stages."""
    if reader is None or not meta.earlier:
        return None
    told = [(each.stage, event) for each in meta.earlier for event in each.events]
    again = _told_by_name([event for _, event in told], view)
    told = [one for number, one in enumerate(told) if number not in again]
    told += [(meta.stage, item.event) for item in items if item.kind not in OWN]
    told = [(told[number][0], one) for number, one in followed([event for _, event in told], view)]
    side = {reader, *meta.friends}
    heard = [one for one in told if view.wording.headline(view.named(one[1])) is not None]
    fought = _fought_by(side, (event for _, event in told), view)
    heard = [one for one in heard if _is_about(one[1], side, view, fought)] or heard
    before = past.around(meta.earlier[0].stage)[1] if meta.before else ()
    ended = accounts((event for _, event in told), view, before)
    lines = told_shortly([one for one in heard if is_news(one[1], view, {reader})], view, {reader}, ended)
    moved = moves_made((event for _, event in told), view)
    return Since(
        meta.earlier[0].stage,
        meta.stage,
        tuple(lines[:MOST_SINCE]),
        max(0, len(lines) - MOST_SINCE),
        tuple(filter(None, (moved, *journeys(told, view)))),
        tuple(losses([event for _, event in told], view)),
    )


def _forfeited(view: View, meta: Meta) -> list[str]:
    """Return whose deadline had passed, for everybody: nothing defaults silently."""
    return [
        view.wording.say(
            "forfeited-rest" if answered else "forfeited-all", who=party_of(party, view, meta).text
        )
        for party, answered in sorted(meta.forfeited.items())
    ]


def _defaults(reader: str | None, view: View, meta: Meta, *, own: bool) -> list[str]:
    """Return every default by name; the reader's own come before anything else (17.23)."""
    return [
        view.wording.say(
            "default-taken",
            who=party_of(one.party, view, meta).text,
            question=view.asked(one.kind, {"player": one.party, **one.fields}),
            answer=safe(one.answer),
        )
        for one in meta.defaults
        if (one.party == reader) is own
    ]


def _fought_by(side: Collection[str | None], events: Iterable[Fields], view: View) -> frozenset[str]:
    """Return where a side fought, lost or retreated.

    Such a place still concerns it, although somebody else is there now.
    """
    found: set[str] = set()
    for event in events:
        said = view.means(event)
        if {"battle", "loss", "retreat"} & set(said.tells) and set(said.players) & set(side):
            found |= {*said.here, *said.origins}
    return frozenset(found)


OF_ALL: frozenset[Worth] = frozenset(("end", "power", "capital", "score", "front", "formation", "loss"))
"""News of this worth is everybody's business."""


def _is_about(
    event: Fields, side: Collection[str | None], view: View, fought: Collection[str] = frozenset()
) -> bool:
    """Return True if an event concerns the side.

    It names one of the side, nobody at all, or a hex where the side is, which it holds, or where it `fought`.
    What changes the score, the front or the strength of anybody concerns everybody (`OF_ALL`).
    """
    named = concerned(event, view)
    if not named or named & set(side) or worth_of(event, view) in OF_ALL:
        return True
    for hex in hexes_named(event, view):
        if hex in fought:
            return True
        owners = {view.owner(id) for id in view.position.at(hex)} | {view.holder(hex)}
        if owners & set(side):
            return True
    return False


def working(event: Fields, named: Fields, view: View) -> list[tuple[str, str]]:
    """Return the working of a result: table, odds, column, shifts, row, modifiers.

    Or the system's own sentence, with the names that `named` gives.
    """
    whole = event.get("working")
    told = {**event, **whole} if isinstance(whole, Mapping) else event
    there = [name for name in WORKING if told.get(name) not in (None, "", [], {})]
    found = [(name, _in_words(told[name], view)) for name in there]
    sentence = view.wording.working(named)
    return [*found, ("", sentence)] if sentence else found


def _in_words(value: Any, view: View) -> str:
    """Return a value of the working; a list of modifiers as `river -1 [7.4], hills -1 [7.5]`."""
    if isinstance(value, list | tuple) and value and all(isinstance(one, Mapping) for one in value):
        return ", ".join(_modifier(one, view) for one in value)
    return view.wording.value(value)


def _modifier(one: Fields, view: View) -> str:
    name, amount, rule = one.get("name"), one.get("value"), one.get("rule")
    if name is None or amount is None:
        return view.wording.value(one)
    number = isinstance(amount, int) and not isinstance(amount, bool)
    shown = f"{amount:+d}" if number else view.wording.value(amount)
    return f"{view.wording.value(name)} {shown}" + (f" [{safe(rule)}]" if rule else "")


# ---- dice ----------------------------------------------------------------------------------------


def _dice(items: Iterable[Item], view: View, meta: Meta) -> list[Die]:
    """Return every roll once, with the item it belongs to."""
    dice_: list[Die] = []
    told: set[tuple[int, tuple[str | int, ...]]] = set()
    for item in items:
        raw = {tuple(roll["label"]): roll for roll in rolls_in(dict(item.event))}
        for entry in item.rolls:
            if (entry.stage, entry.label) not in told:
                told.add((entry.stage, entry.label))
                recipe = meta.recipe(raw[entry.label]) if meta.recipe and entry.label in raw else None
                dice_.append(Die(entry, item, recipe))
    return dice_
