"""The sources of answers and dice, in order: reply, advance order, standing order, default."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, Protocol

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

How = Literal["open", "together", "sealed", "kept", "readers", "standing", "default"]


class NotOpened:
    """The value in a Reply of a commitment that nobody here can open yet."""


NOT_OPENED = NotOpened()


@dataclass(frozen=True)
class Reply:
    """One answer from a signed order.

    `committed` ones are final; `question` is the id it was written for.
    """

    value: Json | NotOpened
    committed: bool = False
    commit: str | None = None
    question: str | None = None
    on_illegal: Literal["ask", "skip"] = "ask"


@dataclass(frozen=True)
class Inputs:
    """The inputs that a run may use.

    `stage` is the number of the stage; without `seed` a roll makes the run wait.

    `forfeits` are parties whose deadline has passed; their defaults answer the keys that `asked` names, and
    nothing that comes up later in the run (protocol 17.23). Without `asked` they answer whatever comes up.
    `absent` are parties that are out of the game: nobody asks them anything.
    """

    stage: int
    replies: Mapping[str, Mapping[str, Reply]] = field(default_factory=dict)
    standing: Mapping[str, Sequence[Json]] = field(default_factory=dict)
    forfeits: frozenset[str] = frozenset()
    asked: Mapping[str, Collection[str]] | None = None
    absent: frozenset[str] = frozenset()
    seed: bytes | None = None
    hidden_seed: bytes | None = None


@dataclass(frozen=True)
class Use:
    """An answer that the run used: whose, under which id it was sent, and how it was given."""

    party: str
    decision: str
    how: How


@dataclass(frozen=True)
class DefaultTaken:
    """A question that an awaited player left open, and the answer that was used instead."""

    party: str
    key: str
    kind: str
    rule: str
    fields: Mapping[str, Json]
    answer: Json


def short_key(key: str, kind: str) -> str:
    """Return the end of a question's key, from its kind on: `attack/italy`."""
    words = key.split("/")
    return "/".join(words[words.index(kind) :]) if kind in words else kind


class Source(Protocol):
    """A source of answers and dice for a run: `ScriptedSource` (examples) or `StageSource` (games)."""

    stage: int

    def reply(self, party: str, key: str, kind: str) -> tuple[str, Reply] | None:
        """Return the reply to this question and the id it was sent under, each at most once."""

    def standing(self, party: str) -> Sequence[Json]:
        """Return all standing orders of a party, in order."""

    def forfeits(self, party: str, key: str) -> bool:
        """Return True if this question takes its default because nobody waits for the party any more."""

    def opening(self, party: str, key: str) -> Reply | None:
        """Return the opening of an earlier commitment that was given under this key."""

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int] | None:
        """Return the result of a roll, or None while there is no seed."""

    def shuffle(self, items: list[str | int], label: list[str | int], hidden: bool) -> list[Any] | None:
        """Return the shuffled list, or None while there is no seed."""


class StageSource:
    """The inputs of one stage. Orders sent ahead are found by the kind of the decision."""

    def __init__(self, inputs: Inputs) -> None:
        self.stage = inputs.stage
        self._inputs = inputs
        self._taken: set[tuple[str, str]] = set()

    def reply(self, party: str, key: str, kind: str) -> tuple[str, Reply] | None:
        replies = self._inputs.replies.get(party, {})
        for decision_id in (key, kind):
            if decision_id in replies and (party, decision_id) not in self._taken:
                self._taken.add((party, decision_id))
                return decision_id, replies[decision_id]
        return None

    def standing(self, party: str) -> Sequence[Json]:
        return self._inputs.standing.get(party, [])

    def forfeits(self, party: str, key: str) -> bool:
        given = self._inputs
        late = party in given.forfeits and (given.asked is None or key in given.asked.get(party, ()))
        return late or party in given.absent

    def opening(self, party: str, key: str) -> Reply | None:
        return self._inputs.replies.get(party, {}).get(key)

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int] | None:
        from pbem.trust.dice import roll

        seed = self._inputs.hidden_seed if hidden else self._inputs.seed
        return None if seed is None else roll(dice, seed, label)

    def shuffle(self, items: list[str | int], label: list[str | int], hidden: bool) -> list[Any] | None:
        from pbem.trust.dice import shuffle

        seed = self._inputs.hidden_seed if hidden else self._inputs.seed
        return None if seed is None else shuffle(items, seed, label)


class ScriptError(AssertionError):
    """An example gave too few, too many or wrong dice."""


class ScriptedSource:
    """Answers and dice written down beforehand, for worked examples.

    A list of answers under one id is used in turn.
    """

    def __init__(
        self,
        orders: Mapping[str, Mapping[str, Any]],
        dice: Sequence[Sequence[int]] = (),
        standing: Mapping[str, Sequence[Json]] | None = None,
        forfeits: Sequence[str] = (),
        stage: int = 1,
    ) -> None:
        self.stage = stage
        self._orders = orders
        self._dice = [list(d) for d in dice]
        self._standing = standing or {}
        self._forfeits = frozenset(forfeits)
        self._used: Counter[tuple[str, str]] = Counter()
        self.rolled: list[list[str | int]] = []

    def reply(self, party: str, key: str, kind: str) -> tuple[str, Reply] | None:
        given = self._orders.get(party, {})
        for decision_id in (key, short_key(key, kind), kind):
            if decision_id not in given:
                continue
            answers = given[decision_id]
            listed = (
                answers["in_turn"] if isinstance(answers, dict) and set(answers) == {"in_turn"} else [answers]
            )
            used = self._used[party, decision_id]
            if used < len(listed):
                self._used[party, decision_id] += 1
                return decision_id, Reply(listed[used])
        return None

    def standing(self, party: str) -> Sequence[Json]:
        return self._standing.get(party, [])

    def forfeits(self, party: str, key: str) -> bool:
        return party in self._forfeits

    def opening(self, party: str, key: str) -> Reply | None:
        return None

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int] | None:
        if not self._dice:
            raise ScriptError(f"no dice left for {dice} {label}")
        result = self._dice.pop(0)
        wanted = 2 if dice == "d66" else int(dice.partition("d")[0])
        if len(result) != wanted:
            raise ScriptError(f"{label} wants {dice}, the script gives {result}")
        self.rolled.append(label)
        return result

    def shuffle(self, items: list[str | int], label: list[str | int], hidden: bool) -> list[Any] | None:
        if not self._dice:
            raise ScriptError(f"no order left for the shuffle {label}")
        return [items[i - 1] for i in self._dice.pop(0)]

    def leftover(self) -> list[list[int]]:
        """Return the dice that nobody rolled."""
        return self._dice

    def unused_orders(self) -> list[str]:
        """Return the answers that nobody asked for."""
        left: list[str] = []
        for party, answers in self._orders.items():
            for decision_id, answer in answers.items():
                many = isinstance(answer, dict) and set(answer) == {"in_turn"}
                count = len(answer["in_turn"]) if many else 1
                if self._used[party, decision_id] < count:
                    left.append(f"{party}: {decision_id}")
        return left
