"""The dice ledger: every roll that a reader may see, and the totals beside their averages.

Only integers and fractions; decimal figures are made with a fixed number of places and no floats.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from pbem.model.events import Event, rolls_in
from pbem.model.meaning import meaning
from pbem.report.plain import WIDTH, capital, is_roll, label_text, padded, safe, wrapped
from pbem.report.wording import Wording
from pbem.text.dataclass import dataclass
from pbem.text.sentences import FIELD, used

Fields = Mapping[str, Any]
_DICE = re.compile(r"([1-9][0-9]{0,3})d([1-9][0-9]{0,9})")


@dataclass(frozen=True)
class Entry:
    """One roll or shuffle.

    `stage` is the one whose seed it came from. `thrower` is the player in the event (of several the one in
    the roll's label), or the last one in the label.

    `hits` and `rating` are there for events whose dice hit at a rating or less, `better` (high or low) for
    those that are good for the thrower when they are so: both are declared in section `luck` of the wording.
    `part` is the field of the event that holds the roll, where one does. `veiled`: the reader is told the die
    of such an event alone, and not the number that it was to reach.
    """

    stage: int
    label: tuple[str | int, ...]
    dice: str
    result: tuple[int | str, ...]
    event: str = ""
    thrower: str | None = None
    hits: int | None = None
    rating: int | None = None
    better: str = ""
    part: str = ""
    veiled: bool = False

    @property
    def sides(self) -> int | None:
        """Return the sides of each die, or None for a shuffle."""
        match = _DICE.fullmatch(self.dice)
        if self.dice == "d66":
            return 6
        return int(match[2]) if match else None

    @property
    def faces(self) -> tuple[int, ...]:
        """Return the rolled faces, or () for a shuffle."""
        return tuple(face for face in self.result if isinstance(face, int)) if self.sides else ()

    @property
    def total(self) -> int:
        """Return the sum of the dice."""
        return sum(self.faces)

    @property
    def expected(self) -> Fraction:
        """Return the average sum of fair dice."""
        return Fraction(len(self.faces) * ((self.sides or -1) + 1), 2)

    @property
    def expected_hits(self) -> Fraction | None:
        """Return how many of the dice hit on average."""
        if self.rating is None or not self.sides:
            return None
        return Fraction(len(self.faces) * min(max(self.rating, 0), self.sides), self.sides)


def entries(
    events: Iterable[Fields],
    stage: int,
    players: Sequence[str] = (),
    wording: Wording | None = None,
    classes: Mapping[str, type[Event]] | None = None,
    fight: Fighting | None = None,
) -> list[Entry]:
    """Return the rolls inside events, in order, each once (a roll may be in several events).

    `classes` are the system's events by kind, which declare who throws; `fight` says who attacks and who
    defends where an event happened, and whose a counter is, for dice that the system says are theirs.
    """
    thrown: list[Entry] = []
    known: set[tuple[int, tuple[str | int, ...]]] = set()
    for event in events:
        rolls = [*_held(dict(event), dict(event))]
        if not rolls:
            continue
        luck = _luck(event, wording)
        throwers_named = meaning((classes or {}).get(str(event.get("event", ""))), event).throwers
        if luck.throws:
            throwers_named = (*throwers_named, *_named(luck.throws, event, fight))
        for roll, holder in rolls:
            label = [*reversed(roll["label"])] if isinstance(roll["label"], list | tuple) else []
            own = [player for player in label if player in throwers_named] if len(throwers_named) > 1 else []
            owners = [] if fight is None else [fight.whose(str(word)) for word in label]
            thrower = next(
                (player for player in (*own, *throwers_named, *label, *owners) if player in players), None
            )
            entry = _entry(event, holder, roll, stage, thrower, luck)
            if (entry.stage, entry.label) not in known:
                known.add((entry.stage, entry.label))
                thrown.append(entry)
    return thrown


class Fighting(Protocol):
    """The sides of the fight in which an event happened, as far as the reader was told."""

    def attacker(self) -> str | None:
        """Return who attacks."""

    def defender(self) -> str | None:
        """Return who is attacked."""

    def whose(self, id: str) -> str:
        """Return the owner of a counter; empty if it is no counter."""


@dataclass(frozen=True)
class _Luck:
    """The wording's account of the dice of an event: which are good, who throws, what counts them."""

    better: str = ""
    counted: tuple[str, ...] = ()
    throws: str = ""
    parts: tuple[str, ...] = ()
    veiled: bool = False


def _luck(event: Fields, wording: Wording | None) -> _Luck:
    """Read the luck of an event: `{hits} {rating}`, `low` or `high`, who throws, names of fields."""
    text = wording.of("luck").get(str(event.get("event", "")), "") if wording else ""
    words = FIELD.sub("", text).split()
    rest = [word for word in words if word not in ("low", "high", "veiled", *FIGHTING)]
    return _Luck(
        better=next((word for word in words if word in ("low", "high")), ""),
        counted=used(text),
        throws=next((word for word in words if word in FIGHTING or word.startswith(BY)), ""),
        parts=tuple(word for word in rest if not word.startswith(BY)),
        veiled="veiled" in words,
    )


FIGHTING = ("attacker", "defender")
BY = "by-"
"""The beginning of a word of `luck` that names the field with the player who throws."""


def _named(throws: str, event: Fields, fight: Fighting | None) -> tuple[str, ...]:
    """Return who throws, as the wording says it."""
    if throws.startswith(BY):
        player = event.get(throws.removeprefix(BY))
    else:
        player = None if fight is None else fight.attacker() if throws == "attacker" else fight.defender()
    return (player,) if isinstance(player, str) else ()


def _held(value: Any, holder: Fields) -> Iterator[tuple[Fields, Fields]]:
    """Yield every roll with the innermost record that holds it."""
    if isinstance(value, dict):
        if "label" in value and "result" in value:
            yield value, holder
            return
        own = value if any(is_roll(item) for item in value.values()) else holder
        keyed = own is value and all(is_roll(item) for item in value.values())
        for item in value.values():
            yield from _held(item, holder if keyed else own)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _held(item, holder)


def _entry(
    event: Fields, holder: Fields, roll: Fields, stage: int, thrower: str | None, luck: _Luck
) -> Entry:
    """Return a roll of an event, with what counts it."""
    label = tuple(word for word in roll["label"] if isinstance(word, str | int))
    dice = str(roll["dice"]) if "dice" in roll else "shuffle"
    result = tuple(item for item in roll["result"] if isinstance(item, str | int))
    made_in = roll.get("stage")
    part = next((name for name, value in event.items() if value == roll or value == [roll]), "")
    judged = not luck.parts or part in luck.parts
    hits, rating = _counted(event, holder, label, luck)
    return Entry(
        made_in if isinstance(made_in, int) else stage,
        label,
        dice,
        result,
        str(event.get("event", "")),
        thrower,
        hits,
        rating,
        luck.better if judged else "",
        part,
        luck.veiled,
    )


def _counted(
    event: Fields, holder: Fields, label: Sequence[str | int], luck: _Luck
) -> tuple[int | None, int | None]:
    """Return how many dice of a roll succeed, and at which number or less; None if nothing counts them.

    An event that has several rolls counts none of them by itself: it lists whom they hit, or each roll has a
    record of its own. A rating for each is found by a word of the roll's label.
    """
    if len(luck.counted) != 2:
        return None, None
    hits, rating = (holder.get(name, event.get(name)) for name in luck.counted)
    if isinstance(hits, list | tuple):
        hits = int(any(word in hits for word in label))
    elif len([*rolls_in(dict(holder))]) > 1:
        hits = None
    if isinstance(rating, Mapping):
        rating = next((rating[word] for word in reversed(label) if word in rating), None)
    if not isinstance(hits, int) or not isinstance(rating, int):
        return None, None
    return int(hits), rating


@dataclass(frozen=True)
class Sums:
    """Dice of one group taken together."""

    rolls: int
    dice: int
    total: int
    expected: Fraction
    hits: int | None = None
    expected_hits: Fraction | None = None

    @staticmethod
    def of(group: Sequence[Entry]) -> Sums:
        """Return the sums of these entries, shuffles left out."""
        thrown = [entry for entry in group if entry.sides]
        shots = [entry for entry in thrown if entry.hits is not None]
        return Sums(
            len(thrown),
            sum(len(entry.faces) for entry in thrown),
            sum(entry.total for entry in thrown),
            sum((entry.expected for entry in thrown), Fraction(0)),
            sum(entry.hits or 0 for entry in shots) if shots else None,
            sum((entry.expected_hits or Fraction(0) for entry in shots), Fraction(0)) if shots else None,
        )


def faces(group: Iterable[Entry]) -> dict[int, Counter[int]]:
    """Return how often each face came up, by number of sides."""
    counts: dict[int, Counter[int]] = {}
    for entry in group:
        if entry.sides:
            counts.setdefault(entry.sides, Counter()).update(entry.faces)
    return dict(sorted(counts.items()))


def ledger(group: Sequence[Entry], players: Sequence[str] = (), words: Wording | None = None) -> list[str]:
    """Return all rolls line by line, then the sums by player and by procedure, then the faces."""
    words = words or Wording()
    if not group:
        return [words.say("no-dice")]
    lines = [line for entry in group for line in roll_lines(entry, words)]
    return [*lines, "", *summary(group, players, words)]


def roll_lines(entry: Entry, words: Wording) -> list[str]:
    """Return `stage 3  Red, combat: rolled 13 (2+5+6), average 10.5, low is better`, and its label
    below.
    """
    stage = words.say("stage", stage=entry.stage)
    lines = wrapped(f"{stage}  {entry.dice}  {capital(die_words(entry, words))}", rest="    ")
    return [*lines, *wrapped(label_text(entry.label), "    ")]


def die_words(entry: Entry, words: Wording) -> str:
    """Return a roll in words: who threw it, for what, what it showed, and what is usual."""
    roll_words = roll_name(entry, words)
    if entry.thrower is not None:
        roll_words = words.say("by-thrower", who=safe(words.text(entry.thrower)), what=roll_words)
    shown = [safe(face) for face in entry.result]
    if not entry.sides:
        return f"{roll_words}: {words.say('shuffled')}, {' '.join(shown)}"
    if entry.hits is not None and entry.expected_hits is not None:
        return f"{roll_words}: {words.say('die-rolled', faces=' '.join(shown))}, {hits_words(entry, words)}"
    return f"{roll_words}: {sum_words(entry, words)}"


def hits_words(entry: Entry, words: Wording) -> str:
    """Return how many dice of a roll succeeded: `1 hit at 2 or less (average 0.7)`; else nothing."""
    if entry.hits is None or entry.expected_hits is None:
        return ""
    name, mean = success_name(entry.hits, words), words.number(entry.expected_hits)
    return words.say("die-hits", count=entry.hits, hits=name, rating=entry.rating, mean=mean)


def sum_words(entry: Entry, words: Wording) -> str:
    """Return the sum of a roll beside its average: `rolled 5 (3+2), average 7.0, high is better`."""
    shown = [safe(face) for face in entry.faces]
    rolled = words.say("die-rolled", faces=shown[0]) if len(shown) == 1 else ""
    rolled = rolled or words.say("die-sum", total=entry.total, faces="+".join(shown))
    key = f"die-average-{entry.better}" if entry.better and entry.thrower else "die-average"
    return f"{rolled}, {words.say(key, mean=words.number(entry.expected))}"


def roll_name(entry: Entry, words: Wording) -> str:
    """Return what a roll was for, by the section `rolls`; else the words of its event's kind."""
    names = words.of("rolls")
    name = names.get(f"{entry.event}.{entry.part}") or names.get(entry.event)
    return safe(name or entry.event.replace("-", " "))


def success_name(count: int, words: Wording) -> str:
    """Return what a system calls one success of a die, or several: `hits`."""
    key = "success" if count == 1 else "successes"
    return words.of("rolls").get(key) or words.say(key)


ALL, NOBODY = "*", "-"
"""The rows of all dice, and of those that no player threw."""


def sums(group: Sequence[Entry], players: Sequence[str] = ()) -> list[tuple[str, Sums]]:
    """Return the sums of each player who threw, of dice that nobody threw (`NOBODY`), of all
    (`ALL`).
    """
    rows: list[tuple[str, Sums]] = []
    for player in players:
        mine = [entry for entry in group if entry.thrower == player]
        if mine:
            rows.append((player, Sums.of(mine)))
    nobodys = [entry for entry in group if entry.thrower not in players]
    if nobodys:
        rows.append((NOBODY, Sums.of(nobodys)))
    return [*rows, (ALL, Sums.of(group))]


def row_name(name: str, words: Wording) -> str:
    """Return the name of a row of the sums."""
    own = {ALL: "all", NOBODY: "of-nobody"}.get(name)
    return words.say(own) if own else safe(words.text(name))


def summary(group: Sequence[Entry], players: Sequence[str] = (), words: Wording | None = None) -> list[str]:
    """Return the sums as a table, then how often each face came up."""
    words = words or Wording()
    rows = [(row_name(name, words), sums_of) for name, sums_of in sums(group, players)]
    hits = any(row.hits is not None for _, row in rows)
    heads = [words.say(head) for head in ("rolls", "dice-count", "sum", "average")]
    heads += [success_name(2, words), words.say("average")] if hits else []
    lines = [_row(("", *heads))]
    for name, row in rows:
        figures = [str(row.rolls), str(row.dice), str(row.total), words.number(row.expected)]
        if row.hits is not None and row.expected_hits is not None:
            figures += [str(row.hits), words.number(row.expected_hits)]
        lines.append(_row((safe(name, 18), *figures)))
    for sides, counts in faces(group).items():
        if sides <= 20:
            lines += _faces(sides, counts, words)
    return lines


COLUMNS = (7, 8, 8, 9, 11, 9)
"""The widths of the columns of sums, from the right."""


def _row(words: Sequence[str]) -> str:
    cells = (word.rjust(wide) for word, wide in zip(words[1:], COLUMNS, strict=False))
    return (padded(words[0], 18) + "".join(cells)).rstrip()


def _faces(sides: int, counts: Counter[int], words: Wording) -> list[str]:
    shown = ", ".join(f"{face}: {counts[face]}" for face in range(1, sides + 1))
    mean = words.number(Fraction(sum(counts.values()), sides))
    faces = words.say("each-face", faces=shown, mean=mean)
    return wrapped(faces, words.say("faces", sides=sides), columns=WIDTH - 2)  # reports indent it by two


def as_json(group: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return the entries as plain data; expected values as texts of a fraction ("21/2")."""
    listed: list[dict[str, Any]] = []
    for entry in group:
        data: dict[str, Any] = {
            "stage": entry.stage,
            "label": list(entry.label),
            "dice": entry.dice,
            "result": list(entry.result),
            "event": entry.event,
        }
        if entry.sides:
            data |= {"total": entry.total, "expected": str(entry.expected)}
        if entry.thrower:
            data["thrower"] = entry.thrower
        if entry.hits is not None:
            data |= {"hits": entry.hits, "rating": entry.rating, "expected_hits": str(entry.expected_hits)}
        listed.append(data)
    return listed
