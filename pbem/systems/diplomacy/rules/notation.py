"""7: Orders as players write them: `A PAR-BUR`, `f nth c a lon - nwy`.

A line is divided into provinces (the longest runs of words that name one), verbs and kinds of units. The same
reader serves moves, retreats and adjustments, and names what it did not understand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Message, dataclass, did_you_mean

from .atlas import province_of, written
from .spelling import cleaned, plain
from .world import World

RULE = "7.1"


@dataclass(frozen=True)
class Line:
    """An order as read: its verb, and the units and places it names."""

    verb: str
    kind: str = ""
    place: str = ""
    coast: str = ""
    to: str = ""
    to_coast: str = ""
    of_kind: str = ""
    of: str = ""
    via: bool = False

    @property
    def goal(self) -> str:
        """Return the goal as a node."""
        return f"{self.to}.{self.to_coast}" if self.to_coast else self.to

    def text(self) -> str:
        """Return the order in the program's notation: `A MAR S A PAR - BUR`."""
        unit = " ".join(word for word in (self.kind[:1].upper(), self.place) if word)
        helped = " ".join(word for word in (self.of_kind[:1].upper(), self.of) if word)
        goal = f" - {written(self.goal)}" if self.to else ""
        if self.verb == "move":
            return f"{unit}{goal} via convoy" if self.via else f"{unit}{goal}"
        if self.verb in ("support", "convoy"):
            return f"{unit} {self.verb[0].upper()} {helped}{goal}"
        if self.verb == "build":
            where = f"{self.place}.{self.coast}" if self.coast else self.place
            return f"build {self.kind[:1].upper()} {written(where)}"
        letters = {"hold": "H", "disband": "D"}
        return f"{unit} {letters[self.verb]}" if self.verb in letters else self.verb


class NotUnderstood(Exception):
    """The refusal of a line that is no order; `fault` says why."""

    def __init__(self, fault: Diagnostic) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True)
class _Word:
    """A province with its coast, a verb, a kind of unit, or a word without meaning."""

    sort: str
    value: str
    coast: str = ""


def read(world: World, text: str) -> Line:
    """7.1: Return the order that a line means. Raises `NotUnderstood`."""
    return _Reader(world, text).line()


class _Reader:
    """A reader of one line, from its first word to its last."""

    def __init__(self, world: World, text: str) -> None:
        self.world, self.text, self.spelling = world, text, world.spelling
        self.words = [word for word in self._sorted(_split(world, text)) if word.sort != "idle"]
        self.at = 0

    def _sorted(self, words: list[str]) -> Iterator[_Word]:
        at = 0
        while at < len(words):
            length = next(
                (n for n in range(min(4, len(words) - at), 0, -1) if self._named(words[at : at + n])), 0
            )
            if length and not self._is_verb(words, at, length):
                place = self.world.names[" ".join(words[at : at + length])]
                at += length
                coast, more = self.spelling.coast(words[at:])
                at += more
                yield _Word("place", place, coast)
                continue
            word = words[at]
            at += 1
            if word in self.spelling.kinds:
                yield _Word("kind", self.spelling.kinds[word])
            elif word in self.spelling.verbs:
                yield _Word("verb", self.spelling.verbs[word])
            elif word in self.spelling.idle or word == "/":
                yield _Word("idle", word)
            else:
                yield _Word("unknown", word)

    def _named(self, words: list[str]) -> bool:
        return " ".join(words) in self.world.names

    def _is_verb(self, words: list[str], at: int, length: int) -> bool:
        """Return True if a letter that also names a province is a verb or a kind of unit here."""
        known = (*self.spelling.verbs, *self.spelling.kinds)
        return length == 1 and len(words[at]) == 1 and words[at] in known

    def peek(self, sort: str, *values: str) -> bool:
        if self.at >= len(self.words):
            return False
        word = self.words[self.at]
        return word.sort == sort and (not values or word.value in values)

    def take(self) -> _Word:
        self.at += 1
        return self.words[self.at - 1]

    def place(self) -> _Word:
        """Return the province that must come next, or refuse the line."""
        if self.peek("place"):
            return self.take()
        if self.peek("unknown"):
            name = self.take().value
            near = did_you_mean(name, list(self.world.names))
            help_ = Message("diplomacy.notation.did-you-mean", near=self._both(near)) if near else ()
            message = Message("diplomacy.notation.no-province", name=name)
            raise NotUnderstood(illegal("E-DIP-01", RULE, message, help=help_))
        raise self.wrong()

    def _both(self, word: str) -> str:
        id = self.world.names[word]
        return f"{self.world.name(id)} ({id})"

    def wrong(self) -> NotUnderstood:
        """Return the refusal of a line that has no form of an order."""
        message = Message("diplomacy.notation.not-understood", line=self.text.strip())
        return NotUnderstood(illegal("E-DIP-02", RULE, message, help=Message("diplomacy.notation.shapes")))

    def kind(self) -> str:
        return self.take().value if self.peek("kind") else ""

    def line(self) -> Line:
        """Return the whole line as an order."""
        if self.peek("verb", "build", "disband", "waive"):
            verb = self.take().value
            if verb == "waive":
                return self.ended(Line("waive"))
            kind, where = self.kind(), self.place()
            return self.ended(Line(verb, kind, where.value, where.coast))
        kind, where = self.kind(), self.place()
        unit = Line("hold", kind, where.value, where.coast)
        if self.at >= len(self.words):
            return unit
        if self.peek("unknown"):
            self.place()
        if kind and self.peek("place"):
            return self.ended(self.move(unit))
        if not self.peek("verb"):
            raise self.wrong()
        verb = self.words[self.at].value
        if verb == "to":
            return self.ended(self.move(unit))
        self.at += 1
        if verb in ("hold", "disband", "build"):
            return self.ended(replace(unit, verb=verb))
        if verb in ("support", "convoy"):
            return self.ended(self.help(unit, verb))
        raise self.wrong()

    def move(self, unit: Line) -> Line:
        """2.2: Return a move; provinces before the last one are those of a convoy.

        Without a dash, a single province is the goal: `A BUD SER`.
        """
        passed = -1
        goal = self.take() if self.peek("place") else None
        while self.peek("verb", "to"):
            self.at += 1
            if self.peek("verb", "to"):  # "moves to"
                continue
            goal = self.place()
            passed += 1
        if goal is None:
            raise self.wrong()
        via = passed > 0
        if self.peek("verb", "via"):
            self.at += 1
            via = True
            while self.peek("verb", "convoy") or self.peek("place"):
                self.at += 1
        return replace(unit, verb="move", to=goal.value, to_coast=goal.coast, via=via)

    def help(self, unit: Line, verb: str) -> Line:
        """2.3, 2.4: Return a support or a convoy."""
        of_kind, helped = self.kind(), self.place()
        line = replace(unit, verb=verb, of_kind=of_kind, of=helped.value)
        if self.peek("verb", "hold"):
            self.at += 1
        elif self.peek("verb", "to") or self.peek("place"):
            moved = self.move(unit)
            line = replace(line, to=moved.to, to_coast=moved.to_coast)
        if verb == "convoy" and not line.to:
            raise self.wrong()
        return line

    def ended(self, line: Line) -> Line:
        """Return the order if nothing is left of the line, or else refuse the line."""
        if self.peek("unknown"):
            self.place()
        if self.at < len(self.words):
            raise self.wrong()
        return line


def _split(world: World, text: str) -> list[str]:
    """Return the words of a line in small letters; a hyphen between places is its own word."""
    line = plain(text)
    before, colon, after = line.partition(":")
    line = cleaned(after if colon and before.strip() in world.powers else line)
    for name in world.hyphened:
        line = line.replace(name, name.replace("-", " "))
    return line.replace("/", " / ").replace("-", " - ").split()


def place_words(world: World, node: str) -> str:
    """Return a node in words: `Spain (south coast)`."""
    name = world.name(province_of(node))
    _, _, coast = node.partition(".")
    return f"{name} ({world.spelling.coast_names[coast]})" if coast else name
