"""Dice that nobody can choose and everybody can check: the stage seed and its rolls (protocol 9).

Needs nothing but `hashlib`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from pbem.text import canonical
from pbem.text.canonical import Json
from pbem.text.messages import Message
from pbem.trust.errors import BadShape
from pbem.trust.hashing import H, lp, u32

T = TypeVar("T")
Label = Sequence[str | int]

MAX_SIDES = 2**32
MAX_DICE = 1000
_DICE = re.compile(r"([1-9][0-9]{0,3})d([1-9][0-9]{0,9})")
_KINDS = ("dice", "shuffle", "draw")


def seed(game: bytes, stage: int, before: bytes, links: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the stage seed.

    `before` is the newest earlier seed, else the game id.

    `links` in roster order (9.1).
    """
    fields = [field for party, link in links for field in (party.encode(), link)]
    return H("seed", game, u32(stage), before, *fields)


def hidden_key(secret: bytes, game: bytes, stage: int) -> bytes:
    """Return the GM's key to the hidden rolls of a stage (9.4)."""
    return H("hidden", secret, game, u32(stage))


def hidden_seed(stage_seed: bytes, key: bytes) -> bytes:
    """Return the seed of rolls whose result is still hidden from somebody (9.4)."""
    return H("hidden-seed", stage_seed, key)


class Stream:
    """The endless bytes of one label under one seed, and the fair numbers made from them (9.2)."""

    def __init__(self, stage_seed: bytes, label: Label) -> None:
        """Make the stream of a label.

        `label` is a list of strings and integers that names the roll, unique within its stage (9.3).
        """
        self._shake = hashlib.shake_256(lp(b"pbem/v1/roll") + lp(stage_seed) + lp(label_bytes(label)))
        self._buffer = b""
        self._at = 0

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        end = self._at + count
        if end > len(self._buffer):
            self._buffer = self._shake.digest(max(64, 2 * end))
        data = self._buffer[self._at : end]
        self._at = end
        return data

    def uniform(self, n: int) -> int:
        """Return a number from 0 to n - 1, each equally likely; n from 1 to 2^32."""
        if not 1 <= n <= MAX_SIDES:
            raise ValueError(Message("trust.dice.choice-among-1-possible", n=n, max_sides=MAX_SIDES))
        if n == 1:
            return 0
        width = ((n - 1).bit_length() + 7) // 8
        span = 256**width
        limit = span - span % n
        while (value := int.from_bytes(self.take(width), "big")) >= limit:
            pass
        return value % n

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.uniform(i + 1)
            order[i], order[j] = order[j], order[i]
        return order


def label_bytes(label: Label) -> bytes:
    """Return the canonical bytes of a label.

    ValueError unless it is a list of strings and integers with one at least.
    """
    if isinstance(label, str | bytes) or not label:
        raise ValueError(Message("trust.dice.roll-must-named-list-strings"))
    if any(type(part) not in (str, int) for part in label):
        raise ValueError(Message("trust.dice.roll-must-named-strings-integers", label=repr(label)))
    return canonical.dumps([*label])


def parse_dice(dice: str) -> tuple[int, int]:
    """Return number and sides of "2d6"; "d66" is two dice of six. ValueError for anything else."""
    if dice == "d66":
        return 2, 6
    match = _DICE.fullmatch(dice)
    count, sides = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 1 <= count <= MAX_DICE or not 1 <= sides <= MAX_SIDES:
        raise ValueError(Message("trust.dice.dice-something-such-2d6-d66", dice=repr(dice)))
    return count, sides


def roll(dice: str, stage_seed: bytes, label: Label) -> list[int]:
    """Return the single dice of a roll such as "2d6", in the order thrown; for "d66" tens first."""
    count, sides = parse_dice(dice)
    stream = Stream(stage_seed, label)
    return [1 + stream.uniform(sides) for _ in range(count)]


def shuffle(items: Sequence[T], stage_seed: bytes, label: Label) -> list[T]:
    """Return the items in a random order."""
    return Stream(stage_seed, label).shuffled(items)


def draw(count: int, items: Sequence[T], stage_seed: bytes, label: Label) -> list[T]:
    """Return `count` of the items: the first of their shuffle.

    Raises ValueError if there are too few.
    """
    if not 0 <= count <= len(items):
        raise ValueError(Message("trust.dice.draw-from", count=count, count_2=len(items)))
    return shuffle(items, stage_seed, label)[:count]


# --- checking rolls in events ---------------------------------------------------------------------------


def rolls_in(events: Json) -> Iterator[dict[str, Json]]:
    """Yield every roll in the events of a stage, at any depth.

    The objects with label, result and a kind (9.2).
    """
    if isinstance(events, list):
        for item in events:
            yield from rolls_in(item)
    elif isinstance(events, dict):
        if "label" in events and "result" in events and any(kind in events for kind in _KINDS):
            yield events
        else:
            for item in events.values():
                yield from rolls_in(item)


def recompute(rolled: Mapping[str, Json], stage_seed: bytes) -> Json:
    """Return the result that a roll of an event must have under this seed; BadShape if it breaks 9.2.

    The caller chooses the seed: by `stage` if the roll has one, the hidden one if `hidden` is set.
    """
    kinds = [kind for kind in _KINDS if kind in rolled]
    wanted = {"label", "result", *kinds} | ({"from"} if kinds == ["draw"] else set())
    if len(kinds) != 1 or set(rolled) - {"stage", "hidden"} != wanted:
        raise BadShape(Message("trust.dice.roll-members", one=tuple(sorted(rolled))))
    if rolled.get("hidden", True) is not True or ("stage" in rolled and type(rolled["stage"]) is not int):
        raise BadShape(Message("trust.dice.roll-stage-no-number-hidden"))
    label, kind = rolled["label"], kinds[0]
    if not isinstance(label, list):
        raise BadShape(Message("trust.dice.roll-label-no-list"))
    name = [part for part in label if isinstance(part, str | int)]
    try:
        if len(name) != len(label):
            raise ValueError(Message("trust.dice.roll-must-named-strings-integers", label=repr(label)))
        if kind == "dice" and isinstance(dice := rolled["dice"], str):
            return [*roll(dice, stage_seed, name)]
        if kind == "shuffle" and isinstance(items := rolled["shuffle"], list):
            return shuffle(items, stage_seed, name)
        if (
            kind == "draw"
            and type(count := rolled["draw"]) is int
            and isinstance(items := rolled["from"], list)
        ):
            return draw(count, items, stage_seed, name)
    except ValueError as fault:
        raise BadShape(str(fault)) from None
    raise BadShape(Message("trust.dice.roll", kind=kind, one=repr(rolled[kind])))
