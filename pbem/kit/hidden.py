"""Stacks known only to their owner: facts with audiences, and a player's view rebuilt from them.

    HIDDEN = Hidden(
        shown={"blocks": lambda stack: len(stack)},                  # what everybody sees of a stack
        stand_ins=lambda place, owner, shown: unknown_blocks(...),   # what stands for it in a view
        public="turn vp control".split(),                            # tracks that everybody knows
        own=("plan", "pool"),                                        # {owner: what only the owner knows}
    )
    SYSTEM = System(..., facts_hook=HIDDEN.facts, view_hook=HIDDEN.view)

All systems with hidden units use this one filter: it alone gives a fact its audience and makes a view, of
these facts and of nothing else. What a system adds to it says only what is told of a position, and to whom
(`told`), or works on what a reader knows already (`fill`).

An owner is a player, or a power, whose present player knows what the power knows.

Facts: `counter/<id>` for the owner and the owner's friends, `<section>/<location>/<owner>` for everybody,
`track/<name>` for everybody or `track/<name>/<owner>` for the owner alone. A track that is named nowhere is
the GM's alone, so that a new one is hidden until somebody says otherwise. In a game without hidden units
everything is public.

Rule of thumb: what everybody sees of a stack is a function of the stack; where it needs more (dumps beside
it, what was seen before), `told` looks at the whole game: attack it in tests. Ids of stand-ins are made of
location and owner, never of the counters behind them. `tests/adversary/test_fog.py` attacks the filter and
every system that uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from pbem.board.position import Fields, Position
from pbem.engine import powers
from pbem.engine.game import Game
from pbem.model.facts import GM_ONLY, PUBLIC, Audience, Fact, audience_of
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

Stack = Mapping[str, Fields]  # counters of one owner in one location, by id
Shown = Callable[[Stack], Json]
StandIns = Callable[[str, str, Mapping[str, Json]], Iterable[tuple[str, Fields]]]
OwnerOf = Callable[[Game, str], str | None]
Parts = Callable[[Game, Any], Mapping[str, Json]]
TRACK = "track"
EVERYBODY = "*"


@dataclass(frozen=True)
class Told:
    """A fact beside counters and tracks: a key below its section, and the owner who is told."""

    section: str
    key: str
    value: Json
    to: str = EVERYBODY


@dataclass
class Seen:
    """A view in the making: the reader's facts and the position built from them so far.

    `mine` are the owners whose every counter the reader knows.
    """

    known: Mapping[str, Json]
    mine: set[str]
    counters: dict[str, Fields] = field(default_factory=dict)
    tracks: dict[str, Json] = field(default_factory=dict)

    def told(self, section: str) -> Iterator[tuple[tuple[str, ...], Json]]:
        """Yield what the reader knows of a section: the parts of each key below it, and the value."""
        for key, value in sorted(self.known.items()):
            name, *rest = key.split("/")
            if name == section:
                yield tuple(rest), value


def nothing_more(game: Game, hidden: bool) -> Iterator[Told]:
    """Yield nothing: counters and tracks are all there is."""
    yield from ()


def no_stand_ins(place: str, owner: str, shown: Mapping[str, Json]) -> Iterator[tuple[str, Fields]]:
    """Yield nothing: unknown stacks have no stand-ins."""
    yield from ()


def as_it_is(seen: Seen) -> None:
    """Leave a view as it is."""


def nobody(fields: Fields) -> bool:
    """Return False: no counter is visible to everybody."""
    return False


def _seat(game: Game, owner: str) -> str:
    """Return the player who knows what an owner knows: the player, or who controls the power."""
    return game.seat(owner) if owner in game.powers else owner


def _friends(game: Game, owner: str) -> Audience:
    """Return the audience that knows an owner's counters."""
    return audience_of(*game.friends(_seat(game, owner)))


def _reader(game: Game, to: str) -> Audience:
    """Return the audience of a fact for an owner: the owner alone."""
    return PUBLIC if to == EVERYBODY else audience_of(_seat(game, to))


@dataclass(frozen=True)
class Hidden:
    """A way to split a position.

    `facts` and `view` are the hooks of a system.

    `shown` has, by the section of the key, what everybody sees of a stack (None: nothing); `stand_ins` gives
    id and fields of the counters that stand for it in a view, from location, owner and what is shown of it.
    Counters for which `seen` holds are known to everybody and are in no stack.

    Tracks: `public` ones; `own` ones, {owner: what only the owner knows}; `owned_by` finds the owner of an
    entry whose key is none (a leader, say); `parts` splits others by owner. `told` says what else is told
    (its second argument: are there hidden units?), `instead` of some tracks; `fill` puts it into a view.
    """

    public: Collection[str]
    shown: Mapping[str, Shown] = field(default_factory=dict)
    stand_ins: StandIns = no_stand_ins
    own: Collection[str] = ()
    owned_by: Mapping[str, OwnerOf] = field(default_factory=dict)
    parts: Mapping[str, Parts] = field(default_factory=dict)
    told: Callable[[Game, bool], Iterable[Told]] = nothing_more
    instead: Collection[str] = ()
    fill: Callable[[Seen], None] = as_it_is
    owner: str = "owner"
    section: str = "counter"
    seen: Callable[[Fields], bool] = nobody

    # facts

    def facts(self, game: Game) -> Iterator[Fact]:
        """Yield the position as facts with their audiences."""
        hidden = bool(game.system.hidden)
        stacks: dict[tuple[str, str], dict[str, Fields]] = {}
        for id, fields in sorted(game.position.counters.items()):
            owner, open_ = str(fields[self.owner]), not hidden or self.seen(fields)
            yield Fact(f"{self.section}/{id}", dict(fields), PUBLIC if open_ else _friends(game, owner))
            place = game.position.hex(id)
            if place is not None and not open_:
                stacks.setdefault((place, owner), {})[id] = fields
        for (place, owner), stack in sorted(stacks.items()):
            for section, look in self.shown.items():
                if (value := look(stack)) is not None:
                    yield Fact(f"{section}/{place}/{owner}", value, PUBLIC)
        for fact in self.told(game, hidden):
            yield Fact(f"{fact.section}/{fact.key}", fact.value, _reader(game, fact.to))
        yield from self._tracks(game, hidden)

    def _tracks(self, game: Game, hidden: bool) -> Iterator[Fact]:
        split = {*self.own, *self.owned_by, *self.parts}
        for name, value in sorted(game.tracks.items()):
            if not hidden or name in self.public or name == powers.TRACK:
                yield Fact(f"{TRACK}/{name}", value, PUBLIC)
            elif name in split:
                for owner, part in sorted(self._parts(game, name, value).items()):
                    yield Fact(f"{TRACK}/{name}/{owner}", part, _reader(game, owner))
            elif name not in self.instead:
                yield Fact(f"{TRACK}/{name}", value, GM_ONLY)

    def _parts(self, game: Game, name: str, value: Mapping[str, Json]) -> Mapping[str, Json]:
        if name in self.own:
            return value
        if name in self.parts:
            return self.parts[name](game, value)
        parts: dict[str, dict[str, Json]] = {}
        for key, entry in sorted(value.items()):
            if (owner := self.owned_by[name](game, key)) is not None:
                parts.setdefault(owner, {})[key] = entry
        return dict(parts)

    # the view of a player

    def view(self, known: Mapping[str, Json], player: str, world: object) -> Position:
        """Return the position as far as these facts show it; unknown stacks have their stand-ins.

        If one counter of an owner is known (apart from those that everybody sees), all of them are.
        """
        seen = Seen(known, {player}, tracks={name: {} for name in (*self.own, *self.owned_by)})
        for words, counter in seen.told(self.section):
            if isinstance(counter, dict):
                seen.counters["/".join(words)] = counter
                if not self.seen(counter):
                    seen.mine.add(str(counter[self.owner]))
        for (name, *owner), value in seen.told(TRACK):
            if owner:
                self._take_in(seen.tracks, name, owner[0], value)
            else:
                seen.tracks[name] = value
        shown: dict[tuple[str, str], dict[str, Json]] = {}
        for section in self.shown:
            for (place, whose), value in seen.told(section):
                shown.setdefault((place, whose), {})[section] = value
        for (place, whose), stack in sorted(shown.items()):
            if whose not in seen.mine:
                for id, fields in self.stand_ins(place, whose, stack):
                    seen.counters[id] = {self.owner: whose, "hex": place, **fields}
        self.fill(seen)
        return Position(seen.counters, seen.tracks)

    def _take_in(self, tracks: dict[str, Json], name: str, owner: str, value: Json) -> None:
        """Put the part of an owner into a track: beside those of others, or among them."""
        old = tracks.get(name)
        if name in self.own:
            assert isinstance(old, dict), f"track {name} is both whole and split"
            old[owner] = value
        elif isinstance(value, dict):
            tracks[name] = {**(old if isinstance(old, dict) else {}), **value}
        elif isinstance(value, list):
            tracks[name] = [*(old if isinstance(old, list) else ()), *value]
        else:
            tracks[name] = value
