"""Advance orders: the entries of a standing list that are used once, or until a phase is over.

    {decision: kind, once: NAME, subject: [...], when: {fact: test}, until: node, on_illegal: skip,
     answer: ...}
    {decision: kind, name: NAME, until: node, when: {...}, answer: ...}

They form a queue for each kind of decision, in the order filed. An entry waits until its question comes (with
its subject, if it names one) and its conditions hold; the first that does answers. One that is illegal by
then holds up those behind it, because they may build on it: its owner is asked. What was used, or has expired
because the sequence of play left the node that `until` names, is spent: the state remembers its name, so that
a list signed before the owner knew does not bring it back. `unless: attacked` lets an entry lapse as soon as
a battle that another began, or a loss, a retreat or a place lost in another's turn, concerns its owner.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Literal

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic

Entry = dict[str, Json]
Result = Literal["used", "refused", "waits", "expired", "lapsed"]
UNLESS = ("attacked",)
"""Values of `unless`."""


def name_of(order: Json) -> str | None:
    """Return the name under which an entry is spent, or None for a standing order."""
    if not isinstance(order, dict):
        return None
    name = order.get("once", order.get("name"))
    return name if isinstance(name, str) else None


def expires(order: Json) -> bool:
    """Return True if an entry holds only until a part of the turn is over."""
    return isinstance(order, dict) and "until" in order


def lapses(order: Json) -> bool:
    """Return True if an entry holds only unless something happens."""
    return name_of(order) is not None and isinstance(order, dict) and "unless" in order


@dataclass(frozen=True)
class Tried:
    """The result for an advance order: owner, name, kind, question, and why it was not used."""

    party: str
    name: str
    decision: str
    key: str
    result: Result
    faults: tuple[Diagnostic, ...] = ()

    def to_json(self) -> dict[str, Json]:
        why: list[Json] = [
            {"code": fault.code, "message": fault.message, "rule": fault.rule or ""} for fault in self.faults
        ]
        members: dict[str, Json] = {"name": self.name, "decision": self.decision, "result": self.result}
        return members | ({"key": self.key} if self.key else {}) | ({"why": why} if why else {})


@dataclass
class Queue:
    """The answers sent ahead in one run: which are spent, and what was tried."""

    spent: dict[str, list[str]] = field(default_factory=dict)
    tried: list[Tried] = field(default_factory=list)

    @staticmethod
    def of(spent: Mapping[str, Sequence[str]]) -> Queue:
        """Return the queue at the beginning of a run, as the state remembers it."""
        return Queue({party: list(names) for party, names in spent.items()})

    def entries(self, party: str, orders: Iterable[Json]) -> list[Entry]:
        """Return the entries of a list that can still be used, in the order filed."""
        spent = self.spent.get(party, ())
        return [
            order
            for order in orders
            if isinstance(order, dict) and (name := name_of(order)) is not None and name not in spent
        ]

    def note(self, tried: Tried) -> None:
        """Keep for the owner what became of an entry. What is used, expired or lapsed is spent."""
        self.tried.append(tried)
        if tried.result in ("used", "expired", "lapsed"):
            self.spend(tried.party, tried.name)

    def spend(self, party: str, name: str) -> None:
        """Record that the entry is not used again."""
        self.spent.setdefault(party, []).append(name)

    def attacked(self, party: str, orders: Sequence[Json]) -> None:
        """Drop the entries that hold unless the party is attacked, because it now is."""
        for entry in self.entries(party, orders):
            if lapses(entry):
                self.note(Tried(party, str(name_of(entry)), str(entry["decision"]), "", "lapsed"))

    def left(
        self, party: str, orders: Sequence[Json], before: Mapping[str, object], after: Mapping[str, object]
    ) -> None:
        """Spend the entries that held until a node that play has now left.

        The sequence of play went from the nodes `before` to the nodes `after`. An entry that was never used
        is reported.
        """
        for entry in self.entries(party, orders):
            node = entry.get("until")
            if isinstance(node, str) and node in before and after.get(node) != before[node]:
                name = str(name_of(entry))
                if "once" in entry:
                    self.note(Tried(party, name, str(entry["decision"]), "", "expired"))
                else:
                    self.spend(party, name)

    def remaining(self, standing: Mapping[str, Sequence[Json]]) -> dict[str, list[Json]]:
        """Return the lists without the spent entries."""
        kept = {party: without(orders, self.spent.get(party, ())) for party, orders in standing.items()}
        return {party: orders for party, orders in kept.items() if orders}

    def remembered(self) -> dict[str, list[str]]:
        """Return the spent names that the state has to remember."""
        return {party: sorted(set(names)) for party, names in sorted(self.spent.items()) if names}


def without(orders: Iterable[Json], spent: Iterable[str]) -> list[Json]:
    """Return a list without the entries of these names."""
    gone = set(spent)
    return [order for order in orders if name_of(order) not in gone]


def filed(
    spent: Mapping[str, Sequence[str]], party: str, orders: Sequence[Json]
) -> tuple[list[Json], dict[str, list[str]]]:
    """Return a list that replaces the party's former one, and the spent names to remember.

    Spent entries are left out. A name is remembered only while the list still has it.
    """
    names = {name_of(order) for order in orders}
    kept = {whose: list(gone) for whose, gone in spent.items() if whose != party}
    mine = [name for name in spent.get(party, ()) if name in names]
    return without(orders, mine), kept | ({party: mine} if mine else {})
