"""The dice ledger: every roll that a reader may see, and the totals beside their averages.

Only integers and fractions; decimal figures are made with a fixed number of places and no floats.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.model.events import Event, rolls_in
from pbem.model.meaning import meaning
from pbem.report.plain import WIDTH, label_text, padded, safe, wrapped
from pbem.report.wording import Wording
from pbem.text.dataclass import dataclass
from pbem.text.sentences import used

Fields = Mapping[str, Any]
_DICE = re.compile(r"([1-9][0-9]{0,3})d([1-9][0-9]{0,9})")


@dataclass(frozen=True)
class Entry:
    """One roll or shuffle.

    `stage` is the one whose seed it came from. `thrower` is the player in the event (of several the one in
    the roll's label), or the last one in the label.

    `hits` and `rating` are there for events whose dice hit at a rating or less, `better` (high or low) for
    those that are good for the thrower when they are so: both are declared in section `luck` of the wording.
    `part` is the field of the event that holds the roll, where one does.
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
    attacker: str | None = None,
) -> list[Entry]:
    """Return the rolls inside events, in order, each once (a roll may be in several events).

    `classes` are the system's events by kind, which declare who throws; `attacker` is that of the battle that
    they follow, for dice that the system says are the attacker's.
    """
    found: list[Entry] = []
    seen: set[tuple[int, tuple[str | int, ...]]] = set()
    thrown = [(event, list(rolls_in(dict(event)))) for event in events]
    if not any(rolls for _, rolls in thrown):
        return found
    for event, rolls in thrown:
        meant = meaning((classes or {}).get(str(event.get("event", ""))), event)
        attacker = next(iter(meant.attackers), attacker) if "battle" in meant.tells else attacker
        said = meant.throwers if rolls else ()
        better = (wording.of("luck").get(str(event.get("event", "")), "") if wording else "").split()
        said = (*said, attacker) if attacker is not None and "attacker" in better else said
        for roll in rolls:
            label = [*reversed(roll["label"])] if isinstance(roll["label"], list | tuple) else []
            own = [who for who in label if who in said] if len(said) > 1 else []
            thrower = next((who for who in (*own, *said, *label) if who in players), None)
            entry = _entry(event, roll, stage, thrower, wording, alone=len(rolls) == 1)
            if better and better[0] in ("high", "low") and _is_meant(roll, event, better[1:]):
                part = next((name for name, value in event.items() if value == roll), "")
                entry = replace(entry, better=better[0], part=part)
            if (entry.stage, entry.label) not in seen:
                seen.add((entry.stage, entry.label))
                found.append(entry)
    return found


def _is_meant(roll: Fields, event: Fields, words: Sequence[str]) -> bool:
    """Return True if the wording for an event's dice applies to this roll: it may name some of its fields."""
    fields = [word for word in words if word != "attacker"]
    return not fields or any(event.get(name) == roll for name in fields)


def _entry(
    event: Fields, roll: Fields, stage: int, thrower: str | None, wording: Wording | None, *, alone: bool
) -> Entry:
    """Return a roll of an event.

    The event counts its hits if it is `alone`. If the event lists whom the dice hit, a roll labelled with one
    of them hit.
    """
    label = tuple(word for word in roll["label"] if isinstance(word, str | int))
    kind = str(event.get("event", ""))
    fields = used(wording.of("luck").get(kind, "")) if wording else []
    hits, rating = (event.get(fields[0]), event.get(fields[1])) if len(fields) == 2 else (None, None)
    if isinstance(hits, list | tuple):
        hits = int(any(word in hits for word in label))
    elif not alone:
        hits = None
    if not (isinstance(hits, int) and isinstance(rating, int)):
        hits = rating = None
    dice = str(roll["dice"]) if "dice" in roll else "shuffle"
    result = tuple(item for item in roll["result"] if isinstance(item, str | int))
    made_in = roll.get("stage")
    return Entry(
        made_in if isinstance(made_in, int) else stage, label, dice, result, kind, thrower, hits, rating
    )


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
    """Return `stage 3 battle/1/red/0606/1 3d6: 2 5 6 = 13 1 hit at 2 or less, expected 1.0`."""
    shown = " ".join(safe(item) for item in entry.result)
    line = f"{entry.dice}: {shown}"
    if entry.sides and len(entry.faces) > 1:
        line += f" = {entry.total}"
    if entry.hits is not None and entry.expected_hits is not None:
        expected = words.number(entry.expected_hits)
        line += "; " + words.say("hits-expected", count=entry.hits, rating=entry.rating, expected=expected)
    elif entry.sides:
        line += "; " + words.say("expected-sum", expected=words.number(entry.expected))
    good = good_words(entry, words)
    line += f"; {good}" if good else ""
    stage = words.say("stage", stage=entry.stage)
    return [*wrapped(f"{stage}  {label_text(entry.label)}"), *wrapped(line, "    ")]


def good_words(entry: Entry, words: Wording) -> str:
    """Return whether high or low is good for the thrower, or "" if unknown."""
    if not entry.better or entry.thrower is None or entry.hits is not None:
        return ""
    return words.say(f"dice-{entry.better}", who=words.text(entry.thrower))


ALL = "*"  # the row of all dice


def sums(group: Sequence[Entry], players: Sequence[str] = ()) -> list[tuple[str, Sums]]:
    """Return sums by player; of unowned dice by procedure (first word of the label); and of all (`ALL`)."""
    rows: list[tuple[str, Sums]] = []
    for player in players:
        mine = [entry for entry in group if entry.thrower == player]
        if mine:
            rows.append((player, Sums.of(mine)))
    by_name: dict[str, list[Entry]] = {}
    for entry in group:
        if entry.thrower not in players:
            by_name.setdefault(str(entry.label[0]) if entry.label else "", []).append(entry)
    if rows or len(by_name) > 1:
        rows += [(name, Sums.of(mine)) for name, mine in sorted(by_name.items())]
    return [*rows, (ALL, Sums.of(group))]


def summary(group: Sequence[Entry], players: Sequence[str] = (), words: Wording | None = None) -> list[str]:
    """Return the sums as a table, then how often each face came up."""
    words = words or Wording()
    rows = [
        (words.say("all") if name == ALL else words.text(name), one) for name, one in sums(group, players)
    ]
    heads = ("rolls", "dice-count", "sum", "expected", "hits", "expected")
    lines = [_row(("", *(words.say(head) for head in heads)))]
    for name, one in rows:
        hits = "" if one.hits is None else str(one.hits)
        luck = "" if one.expected_hits is None else words.number(one.expected_hits)
        figures = (str(one.rolls), str(one.dice), str(one.total), words.number(one.expected), hits, luck)
        lines.append(_row((safe(name, 18), *figures)))
    for sides, counts in faces(group).items():
        if sides <= 20:
            lines += _faces(sides, counts, words)
    return lines


def _row(words: Sequence[str]) -> str:
    return (padded(words[0], 20) + "".join(word.rjust(9) for word in words[1:])).rstrip()


def _faces(sides: int, counts: Counter[int], words: Wording) -> list[str]:
    shown = ", ".join(f"{face}: {counts[face]}" for face in range(1, sides + 1))
    mean = words.number(Fraction(sum(counts.values()), sides))
    told = words.say("each-face", faces=shown, mean=mean)
    return wrapped(told, words.say("faces", sides=sides), columns=WIDTH - 2)  # reports indent it by two


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
