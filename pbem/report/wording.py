"""Sentences of a rules system: data with `{field}` and nothing else (architecture, `report`).

What may stand in a sentence: `text/sentences.py`.

Sections, all flat mappings of texts, from `words/en/*.yaml` of the system:

    events: {kind: sentence}         headlines: {kind: sentence}    # the events that make the summary
    cards: {kind: sentence}          # what the card of a battle says of an event, if not its sentence
    because: {kind: sentence}        # why a fight ended as this event says, if not by who died or fell back
    decisions: {kind: sentence}      tracks: {any: line}            # the state of the game
    counters: {any: text}            # a counter in words: the text of its `type`, else the first that fits,
                                     # that is whose fields are all there
    counters-short: {any: text}      # the same for maps and lists
    counters-many: {any: text}       # with {count}, for several that read alike
    types, figures, figures-mean, states, facilities, facilities-short: what a counter is, its figures and
                                     # state, and what is in a place (`report/figures.py`)
    places: {kind: text}             places-short: {kind: text}     # with {holder}
    names: {type: "{name}"}          # what a counter is called inside sentences, by `type` or `kind`, if not
                                     # by its id
    terrain: {kind: letter}          # two letters fill the hex
    hexsides: {kind: sign}           links: {network: sign}
    map: {holder: track}             # a track that says who holds a hex; of several the first
         {owner: field}              # the field that says whose a counter is, if not `owner`
         {worth: field}              # the field of places that says what holding them is worth
         {capital: field value}      # places whose field has this value are capitals
         {objectives: kinds}         # kinds of places that count for the score
         {lettered: form}            # names of counters that end with a letter to tell alike ones apart
         {score: track}              # the track with the points of each player, or with one number
    luck: {kind: "{hits} {rating}"}  # events whose dice hit at a rating or less; both may be of a record in
                                     # it that holds the roll
         {kind: low}                 # dice that are good when they are low, or `high`
         {kind: high attacker}       # thrown by the attacker of the battle, or by its `defender`
         {kind: high by-side}        # thrown by the player in the field `side`
         {kind: high dice}           # only the roll in the field `dice` is good so
         {kind: low veiled}          # a die without the number that it was to reach, which its player knows
    scores: {kind: field}            # events that tell points, and the field that has them
    news: {kind: worth}              # how much a headline is worth; the words are in `report/worth.py`
    comes: {kind: field values}      # an approach is an attack only if its field is one of these values
    rolls: {kind: words}             # what a card calls the dice of an event, or of its field (`kind.field`)
    members: {kind.field: text}      # one of the records in a field that is a list of them
             {tracks.name: text}     # one of the records in a track
    working: {kind: sentence}        # how a result came about: table, row, column
    codes: {"DL{n}": "{n} lost"}     # codes of results in words, for fields that a sentence names `{x_said}`
    log: {kind: "{place} taken"}     # the line of a stage in the history of an archive, if not its headlines;
         {kind: "{count} battles"}   # counted, and `kind-one` for a single one
    quantities: {step: "step", step-many: "steps"}     # what events say is lost (report/losses.py)
    facts: {name: words}             # what `when:` of a standing order may test
    standing: {form: example}        answers: {kind: example}       # as order files show them, in YAML;
                                     # `kind/subject` where not all of it fits
    spoken: {kind: lines}            # elements of an answer in plain words, as files and pages show them
    shorthand: {word: words}         # what people may write for a word of the rules: `fire: fire fires`
    powers: {id: words}              # what a power is called inside sentences: `the Commonwealth`
    values: {text: text}             # only in a translation: what texts inside events become

A translation, `<package>_words/<language>/*.yaml` beside the package, has the sections that are language,
with the same keys and fields. In `values`, the whole of a text counts, then one with fields (`Round {n}`),
then each of its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from pbem.model.whereabouts import BETWEEN, Stop, Whereabouts
from pbem.report.codes import SAID, spelt
from pbem.report.language import Language, language
from pbem.report.plain import capital, in_words, is_roll, safe
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, worded
from pbem.text.plurals import rule
from pbem.text.sentences import PLURAL, English, fill, used
from pbem.text.translating import translated

SECTIONS = (
    "events", "headlines", "cards", "because", "decisions", "tracks", "counters", "counters-short",
    "counters-many", "types", "figures", "figures-mean", "states", "facilities", "facilities-short",
    "places", "places-short", "names", "terrain", "hexsides", "links", "map", "luck", "comes", "news",
    "scores", "rolls", "members", "working", "codes", "log", "quantities", "facts", "standing", "answers",
    "spoken", "shorthand", "powers", "values",
)  # fmt: skip
_DATA_NAME = re.compile(r"(?<![\w./-])[a-z]+(_[a-z]+)+(?![\w./-])")
IN_FULL = 0
MOST_SHORT = 20_000
"""Counters whose short words are kept: a report tells each several times, and stages tell the same ones."""
SHORT_RESULT = 60
"""Letters of a result in words that stands in a list of several; of a longer one the list shows codes."""
TAKEN = "place-taken"
"""The event that reports add where a place changed hands and no event tells it (`report/taken.py`)."""
Fields = Mapping[str, Any]
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Wording:
    """The sentences of one system.

    An event without one is told by its kind and fields, so that nothing is lost.

    `language` holds the report's own words; `sections` are those of the system in that language.
    """

    sections: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    language: Language = field(default_factory=language)
    lacking: frozenset[tuple[str, str]] = frozenset()  # (section, key) of sentences that are English
    _short: dict[Hashable, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    _lately: dict[Hashable, tuple[Any, Any]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of(self, section: str) -> Mapping[str, str]:
        """Return all texts of a section."""
        return self.sections.get(section, {})

    def say(self, key: str, **values: object) -> str:
        """Return one of the report's own phrases."""
        return self.language.say(key, **values)

    def number(self, value: Fraction, places: int = 1) -> str:
        """Return a figure with decimal places in the reader's language."""
        return self.language.number(value, places)

    def percent(self, value: Fraction) -> str:
        """Return a share of one as `17%`; what is under half of one in a hundred as `<1%`."""
        return "<1%" if 0 < 200 * value < 1 else f"{self.number(100 * value, 0)}%"

    def filled(self, sentence: str, values: Fields) -> str:
        """Return a sentence with its fields filled in, by the plural forms of the language."""
        return fill(sentence, values, self.value, rule(self.language.code))

    def value(self, value: Any) -> str:
        """Return a value of an event for a reader, in the reader's language."""
        if value.__class__ is int:
            return str(value)
        if value.__class__ is str and not self.of("values"):
            return _as_it_stands(value)
        return in_words(self._translated(value))

    def event(self, event: Fields) -> str:
        """Return an event as a sentence."""
        return self._sentence_of("events", event) or self._own(event) or self._bare(event)

    def headline(self, event: Fields) -> str | None:
        """Return an event as a headline for the summary, or None if it has none or an empty one."""
        return self._sentence_of("headlines", event) or self._own(event) or None

    def _own(self, event: Fields) -> str:
        """Return the report's own sentence for a place taken without an event, else ""."""
        if event.get("event") != TAKEN:
            return ""
        names = {key: self.value(self._named(event.get(key, ""))) for key in ("power", "hex", "before")}
        return capital(self.say("place-taken-from" if event.get("before") else "place-taken", **names))

    def card(self, event: Fields) -> str | None:
        """Return the words for an event on a battle's card.

        None if the wording has none; "" if it is not worth a line. Members of a field that is a record are
        fields too: `{working_column}`.
        """
        if str(event.get("event")) not in self.of("cards"):
            return None
        flat = {name: self._changes(value) for name, value in _flat(event).items()}
        return self._sentence_of("cards", flat) or ""

    def _changes(self, value: Any) -> Any:
        """Return shifts and modifiers in a few words: `river -1, armour +1`."""
        if not isinstance(value, list | tuple) or not all(
            isinstance(n, Mapping) and "name" in n for n in value
        ):
            return value
        return [f"{self.value(change.get('name', ''))} {change.get('value', 0):+d}" for change in value]

    def because(self, event: Fields) -> str | None:
        """Return why a fight ended as this event says, or None if the wording does not say."""
        return self._sentence_of("because", event)

    def named_in(self, section: str, kind: str) -> tuple[str, ...]:
        """Return the fields that a sentence names; () without such a sentence."""
        return used(self.of(section).get(kind, ""))

    def several(self, kind: str) -> str | None:
        """Return the field of a headline that may hold several units, or None.

        It is the one whose word depends on the number (`{unit} {unit:was|were} lost`).
        """
        match = PLURAL.search(self.of("headlines").get(kind, ""))
        return match[1] if match and match[2] == ":" else None

    def working(self, event: Fields) -> str | None:
        """Return the working of an event's result, in the system's words, or None if they are empty."""
        text = self.of("working").get(str(event.get("event")))
        empty = text is not None and all(event.get(name) in (None, "", [], {}) for name in used(text))
        return self.filled(text, event) if text and not empty else None

    def question(self, kind: str, values: Fields) -> str:
        """Return a question as a sentence."""
        text = self.of("decisions").get(kind)
        if text and "power" in values and "power" not in used(text):
            text = f"{{power}}: {text}"
        if not text:
            return self._bare({"event": kind, **values})
        return self._tongue("decisions", kind, capital(self.filled(text, values)))

    def counter(self, values: Fields) -> str:
        """Return a counter in words: `Red IN 4`."""
        return self._kept(IN_FULL, values, self._in_full)

    def _in_full(self, values: Fields, _: int) -> str:
        text = self._first_that_fits("counters", values)
        if text is not None:
            return capital(text)
        rest = {key: value for key, value in values.items() if key not in ("id", "owner", "hex")}
        name = safe(values.get("id", ""))
        return f"{name} ({self.value(rest)})" if rest else name

    def name(self, values: Fields) -> str:
        """Return a counter's name for sentences (section `names`, by its type), else its id."""
        names = self.of("names")
        text = names.get(str(values.get("type"))) or names.get(str(values.get("kind")))
        known = text is not None and all(values.get(name) is not None for name in used(text))
        return self.filled(text, values) if text is not None and known else safe(values.get("id", ""))

    def short(self, values: Fields, count: int = 1) -> str:
        """Return a counter for maps and lists: `IN4`; several alike: `3 IN4`."""
        return self._kept(count, values, self._in_short)

    def lately(self, place: Hashable, seen: T, told: Callable[[T], R]) -> R:
        """Return what is told of a place where this is seen, cached while that does not change.

        From stage to stage few places change, and to compare is much quicker than to tell. `seen` is not
        changed afterwards; a field of a counter does not change its type.
        """
        known = self._lately.get(place)
        if known is not None and known[0] == seen:
            last: R = known[1]
            return last
        result = told(seen)
        self._lately[place] = seen, result
        return result

    def _kept(self, count: int, values: Fields, told: Callable[[Fields, int], str]) -> str:
        try:
            key: Hashable = (count, *values.items(), *map(type, values.values()))  # 1 is no True
            known = self._short.get(key)
        except TypeError:  # a field that is no key: told anew each time
            return told(values, count)
        if known is None:
            if len(self._short) >= MOST_SHORT:
                self._short.clear()
            known = self._short[key] = told(values, count)
        return known

    def _in_short(self, values: Fields, count: int) -> str:
        if count > 1:
            many = self._first_that_fits("counters-many", {**values, "count": count})
            if many is not None:
                return many
        short = self._first_that_fits("counters-short", values)
        short = short if short is not None else self.counter(values)
        return short if count == 1 else f"{count} {short}"

    def place(self, kind: str, values: Fields, *, short: bool = False) -> str:
        """Return a place of the map in words; "" for a kind without words."""
        text = self.of("places-short" if short else "places").get(kind)
        return self.filled(text, values) if text else ""

    def tracks(self, tracks: Fields) -> list[str]:
        """Return the lines about the state of the game whose tracks all exist."""
        flat = _flat(tracks)
        lines = {k: t for k, t in self.of("tracks").items() if all(_there(flat, n) for n in used(t))}
        shown = {name: self._records("tracks", name, value) for name, value in flat.items()}
        return [self._tongue("tracks", k, self.filled(t, shown)) for k, t in lines.items()]

    def _records(self, of: str, name: str, value: Any) -> Any:
        """Return a value whose records are told by the section `members`, if that has words for them."""
        text = self.of("members").get(f"{of}.{name}")
        if text is None:
            return value
        if isinstance(value, Mapping):
            return {key: self._records(of, name, item) for key, item in value.items()}
        return [self.filled(text, member) if isinstance(member, Mapping) else member for member in value]

    def _tongue(self, section: str, key: str, sentence: str) -> str:
        """Return a sentence, marked if it is English in another language."""
        return English(sentence) if (section, key) in self.lacking else sentence

    def _sentence_of(self, section: str, event: Fields) -> str | None:
        kind = str(event.get("event"))
        text = self.of(section).get(kind)
        if not text:
            return None
        shown = self._with_members(kind, event)
        if not self.of("luck").get(kind, "").startswith("{"):  # hits are counted die by die
            shown = {name: _summed(value) for name, value in shown.items()}
        for name in used(text):
            if name.endswith(SAID) and name not in shown:
                shown[name] = spelt(
                    str(shown.get(name.removesuffix(SAID), "")), {**self.of("types"), **self.of("codes")}
                )
            elif name in shown:
                shown[name] = self._named(shown[name])
        return self._tongue(section, kind, capital(self.filled(text, shown)))

    def _named(self, value: Any) -> Any:
        """Return a power, or each of several, as sentences call it; anything else as it is."""
        powers = self.of("powers")
        if isinstance(value, list | tuple) and powers:
            return [self._named(power) for power in value]
        return powers.get(value, value) if isinstance(value, str) else value

    def _with_members(self, kind: str, event: Fields) -> dict[str, Any]:
        """Return an event with its lists of records told member by member (section `members`)."""
        shown = dict(event)
        for key, text in self.of("members").items():
            of, _, name = key.partition(".")
            if of == kind and isinstance(event.get(name), list | tuple):
                shown[name] = "; ".join(
                    self.filled(text, member) if isinstance(member, Mapping) else self.value(member)
                    for member in event[name]
                )
        return shown

    def _first_that_fits(self, section: str, values: Fields) -> str | None:
        """Return the filled text of the counter's type, or the first with all fields."""
        texts = self.of(section)
        own = texts.get(str(values.get("type")))
        for text in [own, *texts.values()] if own is not None else texts.values():
            if _has_all(values, used(text)):
                return self.filled(text, values)
        return None

    def _bare(self, event: Fields) -> str:
        """Return an event without a sentence in words."""
        shown = {key: value for key, value in event.items() if key not in ("event", "rule", "at")}
        words = ", ".join(f"{safe(key)} {self.value(value)}" for key, value in shown.items())
        kind = safe(str(event.get("event", "")).replace("-", " "))
        return capital(f"{kind}: {words}" if words else kind)

    def _translated(self, value: Any) -> Any:
        if isinstance(value, bool):
            return self.say("yes" if value else "no")
        if isinstance(value, str):
            return self.text(value)
        if is_roll(value) or not self.of("values"):
            return value
        if isinstance(value, Mapping):
            return {self.text(str(key)): self._translated(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._translated(item) for item in value]
        return value

    def text(self, text: str) -> str:
        """Return a text of an event in the reader's language; names of data (`cavalry_corps`) as two
        words."""
        if isinstance(text, Message):
            return worded(text, self.language.code, self.text)
        return _plain(translated(text, self.of("values")))

    def sentence(self, message: Message | str) -> str:
        """Return a message in the reader's language, in which powers are called as in sentences."""
        if not isinstance(message, Message):
            return self.text(message)
        return worded(
            message, self.language.code, lambda text: self.of("powers").get(text) or self.text(text)
        )

    def inside(self, text: str) -> str:
        """Return a sentence as it stands inside another: `the Commonwealth took`, not `The`."""
        for name in self.of("powers").values():
            if text.startswith(capital(name)) and not text.startswith(name):
                return name + text[len(name) :]
        return text

    def result(self, code: str) -> str:
        """Return a table's result for a list: in words if these are few, else as in the table."""
        spelt_code = spelt(code, self.of("codes"))
        return spelt_code if spelt_code != code and len(spelt_code) <= SHORT_RESULT else self.text(code)

    def where(self, place: str) -> str:
        """Return the place of the game in the reader's language; a message or other text as `text` does."""
        return BETWEEN.join(self.parts(place))

    def parts(self, place: str) -> list[str]:
        """Return the parts of the place of the game; a message or other text is one."""
        return self.places(place) if isinstance(place, Whereabouts) else [self.text(place)]

    def places(self, place: Whereabouts) -> list[str]:
        """Return the parts of a place in the sequence of play."""
        return [self.part(stop) for stop in place.stops]

    def part(self, stop: Stop) -> str:
        """Return one part of such a place: its label in the reader's language, with count and player."""
        label = self.of("values").get(stop.label, stop.label)
        if label == stop.label and (translated := self.text(stop.text)) != stop.text:
            return translated
        return self.filled(label, stop.fields)


def _plain(text: str) -> str:
    return _DATA_NAME.sub(lambda match: match[0].replace("_", " "), text) if "_" in text else text


@lru_cache(maxsize=8192)
def _as_it_stands(text: str) -> str:
    """Return an untranslated text of an event, cached as the same few are in every report."""
    return in_words(_plain(text))


def _summed(value: Any) -> Any:
    """Return a roll of several dice as `5 (3+2)`, also one of each side; anything else as it is."""
    if is_roll(value):
        faces = value["result"]
        numbers = len(faces) > 1 and all(type(face) is int for face in faces)
        return f"{sum(faces)} ({'+'.join(map(str, faces))})" if numbers and value.get("dice") else value
    if isinstance(value, Mapping):
        return {key: _summed(part) for key, part in value.items()}
    return value


def _has_all(values: Fields, names: Sequence[str]) -> bool:
    for name in names:
        if values.get(name) is None:
            return False
    return True


def _flat(tracks: Fields) -> dict[str, Any]:
    """Return tracks, and the members of those that are mappings as `track_member`."""
    flat = dict(tracks)
    for name, value in tracks.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}_{key}": item for key, item in value.items()}
    return flat


def _there(flat: Fields, name: str) -> bool:
    return flat.get(name) not in (None, "", [], {})
