"""The sources of a report: the events a reader was told, the reader's view, and facts about the game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.board.shapes import Shapes
from pbem.model.endings import Ending
from pbem.model.events import Event, Told
from pbem.model.facility import Facility
from pbem.model.facts import PUBLIC, may_know
from pbem.model.forecasts import Forecast, Fought
from pbem.model.headed import Headed
from pbem.model.meaning import Capture, Meaning, meaning, start, ways, with_names
from pbem.model.overlays import Overlay
from pbem.model.whereabouts import Labels, Whereabouts, whereabouts
from pbem.report.plain import safe
from pbem.report.svg.look import Look
from pbem.report.taken import OWN
from pbem.report.wording import Wording
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message
from pbem.text.sentences import used

Fields = Mapping[str, Any]
_TWICE = re.compile(r"^(\S+): (?=(?:.* )?\1\b)")
"""The subject of a sentence that names it twice: `N-IN2: N-IN2 is in no hex`."""
_ID = re.compile(r"[A-Za-z0-9][\w.-]*\w|\w")


@dataclass(frozen=True)
class View:
    """The position as far as the reader may know it, its map, and the words of the system.

    `players` are the seats in their order. `chart` is None in a system without a map, or in one that does not
    say where it keeps it: then `no_map` tells what to do. How it is drawn, the areas that the system works
    out from what the reader may know, and what is printed on counters are made when wanted. `events` are the
    classes of the system's events by kind: they declare what an event means. `labels` are those of the
    outline: they make words of the places of events.
    """

    position: Position
    players: tuple[str, ...]
    wording: Wording = field(default_factory=Wording)
    chart: GameMap | None = None
    look_from: Callable[[], Look] = Look
    shapes_from: Callable[[], Shapes | None] = lambda: None
    areas_from: Callable[[], Iterable[Overlay]] = tuple
    forecasts_from: Callable[[], Iterable[Forecast]] = tuple
    printed_from: Callable[[], Mapping[str, Fields]] = dict
    facilities_from: Callable[[], Iterable[Facility]] = tuple
    titles_from: Callable[[], Mapping[str, str]] = dict
    background_from: Callable[[], Iterable[Headed]] = tuple
    holders_from: Callable[[], Mapping[str, str]] = dict
    sides_from: Callable[[], Mapping[str, str]] = dict
    points_from: Callable[[], Mapping[str, int]] = dict
    absent_from: Callable[[], Mapping[str, Fields]] = dict
    outlook_from: Callable[[Sequence[Fields]], Forecast | None] = lambda _: None
    fought_from: Callable[[Sequence[Fields]], Fought | None] = lambda _: None
    ending_from: Callable[[], Ending | None] = lambda: None
    captures_from: Callable[[Sequence[Fields]], Mapping[int, Sequence[Capture]]] = lambda _: {}
    events: Mapping[str, type[Event]] = field(default_factory=dict)
    labels: Labels = field(default_factory=dict)
    no_map: Sequence[Diagnostic] = ()
    _meanings: dict[int, tuple[Fields, Meaning]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _places: dict[str, Whereabouts] = field(default_factory=dict, init=False, repr=False, compare=False)

    def at(self, event: Fields) -> Whereabouts:
        """Return where in the sequence of play an event happened."""
        at = event.get("at")
        key = at if isinstance(at, str) else repr(at)
        if key not in self._places:
            self._places[key] = whereabouts(at, self.labels)
        return self._places[key]

    def declared(self, event: Fields) -> type[Event] | None:
        """Return the class that says what an event means: the system's, or one of reports themselves."""
        kind = str(event.get("event", ""))
        return self.events.get(kind) or OWN.get(kind)

    def means(self, event: Fields) -> Meaning:
        """Return what an event says, by its class; an empty meaning for an unknown one.

        A report asks many times of the same event; it is read once.
        """
        known = self._meanings.get(id(event))
        if known is None or known[0] is not event:
            meant = meaning(self.declared(event), event)
            known = self._meanings[id(event)] = (event, meant)
        return known[1]

    def named(self, event: Fields) -> Fields:
        """Return an event for sentences.

        Places have their names (`0906 Gant`), ways are `0505 to 0507 by 0506` from their start, and units
        have the wording's names (`names`), else their ids.
        """
        cls = self.declared(event)
        named = with_names(cls, event, self._name)
        for key in ways(cls) if cls is not None else ():
            value = named.get(key)
            if isinstance(value, list) and value:
                first = named.get(start(cls) or "") if cls is not None else None
                way = [first, *value] if first and value[0] != first else value
                named[key] = self._way(way) if len(way) > 1 else value
        return named

    def place_name(self, hex: str, *, signs: bool = False) -> str:
        """Return the name of the first place in a location that has one, else the map's name.

        With `signs` also the signs on maps for places without a name, behind the name of a box or an area.
        """
        index = self.chart.get(hex) if self.chart else None
        if self.chart is None or index is None:
            return ""
        for kind, text in self.wording.of("places-short").items():
            place = self.chart.place(kind, index)
            if place is not None and (signs or "name" in used(text)):
                in_words = self.wording.place(kind, {**place.data, "holder": self.holder(hex)}, short=True)
                bare = self.chart.kind(index) == "hex" or "name" in used(text)
                return (
                    in_words
                    if bare
                    else f"{safe(self.wording.text(self.chart.name(index)))} {in_words}".strip()
                )
        return safe(self.wording.text(self.chart.name(index)))

    def place(self, hex: str) -> str:
        """Return a location with its name, `0906 Gant`; a named box or area by its name alone."""
        name = self.place_name(hex)
        index = self.chart.get(hex) if self.chart is not None and name else None
        if self.chart is not None and index is not None and self.chart.kind(index) != "hex":
            return name
        return f"{hex} {name}".rstrip()

    def _name(self, kind: str, id: str) -> str:
        if kind == "place":
            return self.place(id)
        if kind == "form":  # translated before it gets its names, which are translated already
            return self.wording.of("values").get(id, id)
        if kind == "title":
            return self.titles.get(id, id)
        if kind == "prose" and (id in self.position.counters or id in self.absent):
            return self._name("unit", id)
        if kind == "prose":
            id = self.wording.text(id) if isinstance(id, Message) and self.wording.of("values") else id
            id = _TWICE.sub("", id, count=1)
            return _ID.sub(lambda match: self._called(match[0]), id)
        values = self.position.counters.get(id) or self.absent.get(id)
        return self.wording.name({"id": id, **values}) if values is not None else self.titles.get(id, id)

    def unit(self, id: str) -> str:
        """Return a counter by the wording's name, else by its title, else by its id."""
        return safe(self._name("unit", id))

    def _called(self, word: str) -> str:
        """Return a word of a text: the name of what it is the id of, else the word."""
        if word in self.titles:
            return self.titles[word]
        if word in self.rollers:
            return self.wording.text(word)
        return self.place(word) if self._is_place(word) and not word.isalpha() else word

    def _is_place(self, id: str) -> bool:
        return self.chart is not None and self.chart.get(id) is not None and id not in self.rollers

    def asked(self, kind: str, fields: Fields) -> str:
        """Return a question in words, with names of places, counters and titles for their ids."""
        return self.wording.question(kind, {key: self._spoken(value) for key, value in fields.items()})

    def _spoken(self, value: Any) -> Any:
        """Return a value of a question with names for its ids."""
        if isinstance(value, str):
            if value in self.position.counters:
                return self._name("unit", value)
            return self.place(value) if self._is_place(value) else self.titles.get(value, value)
        if isinstance(value, list | tuple):
            return [self._spoken(part) for part in value]
        return value

    def _way(self, way: Sequence[str]) -> str:
        first, *between, last = map(self.wording.value, way)
        key = "way-by" if between else "way"
        return self.wording.say(key, first=first, last=last, between=", ".join(between))

    @cached_property
    def tells_outcomes(self) -> bool:
        """Return True if the system's events say who holds a place after a fight, which ends it."""
        return any("outcome" in event.tells for event in self.events.values())

    @cached_property
    def powers(self) -> tuple[str, ...]:
        """Return the owners of counters, places and losses.

        They are the powers, seat by seat, where seats lead some (the track `seats` of the engine), else the
        seats.
        """
        seats = self.position.tracks.get("seats")
        if not isinstance(seats, Mapping) or not seats:
            return self.players
        rank = {seat: number for number, seat in enumerate(self.players)}
        return tuple(sorted(seats, key=lambda power: (rank.get(str(seats[power]), len(rank)), power)))

    def seat(self, power: str) -> str:
        """Return who leads a power; a seat leads itself."""
        seats = self.position.tracks.get("seats")
        return str(seats.get(power, power)) if isinstance(seats, Mapping) else power

    @cached_property
    def _sides(self) -> Mapping[str, str]:
        return self.sides_from()

    def side(self, power: str) -> str:
        """Return the side of a power or seat; a seat that shares its side with no other is a side itself."""
        seat = self.seat(power)
        return self._sides.get(power, self._sides.get(seat, seat))

    @cached_property
    def rollers(self) -> tuple[str, ...]:
        """Return who rolls dice: powers, and seats for rolls for all their powers."""
        return tuple(dict.fromkeys((*self.powers, *self.players)))

    @cached_property
    def look(self) -> Look:
        """Return how the map and the counters are drawn."""
        return self.look_from()

    @cached_property
    def shapes(self) -> Shapes | None:
        """Return the shapes of the map's areas, or None without any."""
        return self.shapes_from()

    @cached_property
    def overlays(self) -> tuple[Overlay, ...]:
        """Return supply, zones of control and other areas."""
        return tuple(self.areas_from())

    @cached_property
    def unsupplied(self) -> frozenset[str]:
        """Return the ids of counters out of supply, of owners whose supply the reader may know."""
        return frozenset(
            id for overlay in self.overlays if overlay.layer == "unsupplied" for id in overlay.counters
        )

    @cached_property
    def printed(self) -> Mapping[str, Fields]:
        """Return the printed values of counters beside their fields, by id."""
        return self.printed_from()

    def values(self, id: str) -> Fields:
        """Return the fields of a counter by name.

        Its id, its fields, what is printed on it, whether it is out of supply.
        """
        values = {"id": id, **self.printed.get(id, {}), **self.position.counters[id]}
        if _HUNGRY in self.wording.of("states") and id in self.unsupplied:
            values[_HUNGRY] = True
        return values

    @cached_property
    def facilities(self) -> tuple[Facility, ...]:
        """Return the facilities, which are in places and no counters."""
        return tuple(self.facilities_from())

    @cached_property
    def points(self) -> Mapping[str, int]:
        """Return everybody's present points, where no track has them."""
        return self.points_from()

    @cached_property
    def absent(self) -> Mapping[str, Fields]:
        """Return counters outside the position, with their owner and type."""
        return self.absent_from()

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Return the titles of cards and other things, by id."""
        return {id: safe(title) for id, title in self.titles_from().items()}

    def tracks(self) -> list[str]:
        """Return the lines about the state of the game."""
        tracks: Fields = self.position.tracks
        titled = {name: self.titled(value) for name, value in tracks.items()} if self.titles else tracks
        return [*self.wording.tracks(titled), *self.background()]

    def background(self) -> list[str]:
        """Return what everybody may know beside the position, a line for each heading."""
        return [safe(heading.line(self.wording.text)) for heading in self.background_from()]

    def titled(self, value: Any) -> Any:
        """Return a value of a track with titles in place of ids."""
        if isinstance(value, str):
            return self.titles.get(value, value)
        if isinstance(value, Mapping):
            return {self.titles.get(str(key), key): self.titled(item) for key, item in value.items()}
        return [self.titled(item) for item in value] if isinstance(value, list | tuple) else value

    @cached_property
    def forecasts(self) -> tuple[Forecast, ...]:
        """Return the forecasts of the announced battles."""
        return tuple(self.forecasts_from())

    @cached_property
    def owner_field(self) -> str:
        """Return the field with the owner of a counter."""
        return self.wording.of("map").get("owner", "owner")

    def whose(self, id: str) -> str:
        """Return the owner of a counter, also of one out of play; '' if unknown."""
        known = self.position.counters.get(id) or self.absent.get(id) or {}
        return str(known.get(self.owner_field, ""))

    def owner(self, id: str) -> str:
        """Return the owner of a counter; "" if nobody owns it."""
        return str(self.position.counters[id].get(self.owner_field, ""))

    def holder(self, hex: str) -> str | None:
        """Return who holds a hex: by the system, else by the first of the wording's tracks that has it."""
        return self.holders.get(hex)

    @cached_property
    def holders(self) -> dict[str, str]:
        """Return who holds each hex that anybody holds."""
        holders = dict(self.holders_from())
        if holders:
            return holders
        for track in reversed(self.wording.of("map").get("holder", "").split()):
            held = self.position.tracks.get(track)
            if isinstance(held, dict):
                holders |= {hex: holder for hex, holder in held.items() if isinstance(holder, str)}
        return holders


_HUNGRY = "unsupplied"
"""The layer of counters out of supply, and the state that tells it in lists."""
VALUE = "VALUE"
"""The place of the number in a command: each language has its own word for it."""


@dataclass(frozen=True)
class Asked:
    """A pending question that the reader may see. `secret`: the answer is committed and sealed."""

    party: str
    kind: str
    fields: Fields = field(default_factory=dict)
    rule: str = ""
    secret: bool = False
    command: str = "pbem orders new"


@dataclass(frozen=True)
class Recipe:
    """The way to make a roll again without pbem: a command that prints bytes, and their use."""

    command: str
    how: str


@dataclass(frozen=True)
class Default:
    """A question that nobody answered in time, and what it took instead, as text; empty for no orders."""

    party: str
    kind: str
    fields: Fields
    answer: str


@dataclass(frozen=True)
class Earlier:
    """A stage before this one, and the events that the reader was told of it."""

    stage: int
    events: Sequence[Fields]


@dataclass(frozen=True)
class Meta:
    """Further data for a report.

    Times come as text: only the CLI knows a clock.

    `names` are the parties' own names for themselves, `friends` the reader's allies, `waiting` all
    parties that owe something, `leading` says who leads which powers, `forfeited` those whose
    deadline had passed (True: with an order that left something open, False: without one),
    `defaults` what was taken for whom as far as the reader may know, `notes` what will always rest
    on the GM's word, `refused` the reader's answers that were rejected, `ahead` what became of
    answers sent ahead, `unused` which of them answered nothing, and why, `digests` what the report
    was made from. `umpire`: the reader may know everything. `recipe` tells of a roll (as JSON) how
    to make it again, None if its seed is not known. `earlier` are the stages before this one since
    the reader's last signed answer, oldest first: the report begins with what happened in all of
    them. `before` gives the events of any earlier stage that the reader was told: a battle that
    began there is told whole.
    """

    title: str
    game: str
    system: str
    stage: int
    place: str
    names: Mapping[str, str] = field(default_factory=dict)
    friends: tuple[str, ...] = ()
    asked: Sequence[Asked] = ()
    waiting: Sequence[str] = ()
    due: str = ""
    forfeited: Mapping[str, bool] = field(default_factory=dict)
    defaults: Sequence[Default] = ()
    notes: Sequence[str] = ()
    leading: Sequence[str] = ()
    refused: Sequence[str] = ()
    ahead: Sequence[str] = ()
    unused: Sequence[str] = ()
    finished: bool = False
    umpire: bool = False
    command: str = ""
    digests: Mapping[str, str] = field(default_factory=dict)
    recipe: Callable[[Fields], Recipe | None] | None = None
    earlier: Sequence[Earlier] = ()
    before: Callable[[int], Sequence[Fields]] | None = None


def story(events: Iterable[Told], reader: str | None, *, umpire: bool = False) -> list[Told]:
    """Return the events this reader was told, in the order in which they happened.

    Private events stand where the public ones before them say (`after`), so that what others were told
    leaves no trace.
    """
    seen = [happening for happening in events if umpire or may_know(happening.audience, reader)]
    ranked = sorted(enumerate(seen), key=lambda pair: _rank(pair[1], pair[0]))
    return [happening for _, happening in ranked]


def _rank(event: Told, number: int) -> tuple[int, int, tuple[str, ...], int]:
    return (event.after, 1 if event.audience == PUBLIC else 0, event.audience, number)


def concerned(event: Fields, view: View) -> set[str]:
    """Return the players that an event names."""
    return set(view.means(event).players) & set(view.players)


def hexes_named(event: Fields, view: View) -> list[str]:
    """Return the hexes of the map that an event names, sorted."""
    if view.chart is None:
        return []
    return sorted(place for place in view.means(event).places if place in view.chart)
