"""One run of the engine with a stage's commitments: which were used, may be opened, or wait.

A run must not use what stays closed. In a game that hides nothing, the others run without it;
everywhere, a value that waits for its call must not be in the journal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.engine.adjudicate import Outcome
from pbem.engine.adjudicate import run as run_engine
from pbem.engine.answers import NOT_OPENED, Inputs, NotOpened, Reply, StageSource, Use
from pbem.model.state import GameState
from pbem.stages import standing_orders as standing_orders
from pbem.stages.inputs import Kept, Opening, Setting, StageInputs
from pbem.stages.named_readers import played
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.trust.records import Shown


class _Source(StageSource):
    """The answers of a stage and earlier commitments; it notes which of these the run opened."""

    def __init__(self, inputs: Inputs, earlier: Mapping[tuple[str, str], Reply]) -> None:
        super().__init__(inputs)
        self._earlier = earlier
        self.opened: set[tuple[str, str]] = set()

    def opening(self, party: str, key: str) -> Reply | None:
        if (party, key) in self._earlier:
            self.opened.add((party, key))
            return self._earlier[party, key]
        return None


@dataclass(frozen=True)
class Live:
    """An accepted commitment that is not opened: its key, and the id it was sent under."""

    party: str
    key: str
    sent_as: str
    commit: str


@dataclass(frozen=True)
class Attempt:
    """One run of the engine and its openings.

    Commitments of this stage are by decision id, earlier ones by key.
    """

    given: StageInputs
    outcome: Outcome
    live: tuple[Live, ...]
    earlier: frozenset[tuple[str, str]]

    def used(self) -> list[Use]:
        """Return final uses of this stage's commitments.

        A simultaneous answer is held until all are in.
        """
        held = _held(self.outcome.state)
        return [
            use
            for use in self.outcome.used
            if _committed(self.given, use.party, use.decision) and not _is_held(held, use.party, use.decision)
        ]

    def openings(self) -> dict[str, dict[str, Shown]]:
        """Return the openings that may be public, as in the record (12.1)."""
        shown: dict[str, dict[str, Shown]] = {}
        for use in self.used():
            order = self.given.orders[use.party]
            if use.how != "sealed" and order is not None:
                opening = order.openings[use.decision]
                shown.setdefault(use.party, {})[use.decision] = Shown(opening.nonce, opening.value)
        for commitment in self.live:
            if (commitment.party, commitment.key) in self.earlier:
                opening = self.given.kept[commitment.party][commitment.commit]
                entry = Shown(opening.nonce, opening.value, opening.stage)
                shown.setdefault(commitment.party, {})[commitment.sent_as] = entry
        return shown

    def kept(self) -> dict[str, list[str]]:
        """Return commitments of this stage that are not opened in its record (17.6)."""
        opened = self.openings()
        listed: dict[str, list[str]] = {}
        for party, order in self.given.orders.items():
            here = {d for d, entry in opened.get(party, {}).items() if entry.stage is None}
            listed[party] = sorted(set(order.commits) - here) if order else []
        return {party: decisions for party, decisions in listed.items() if decisions}


def settle(setting: Setting, state: GameState, given: StageInputs, seed: bytes) -> Attempt:
    """Run until the run has used no commitment that stays closed."""
    sent = {
        (party, decision)
        for party, order in given.orders.items()
        if order
        for decision in played(setting.system, order.commits)
    }
    closed = {pair for pair in sent if _opening(given, *pair) is None}
    while True:
        attempt = _attempt_with(setting, state, given, seed, closed)
        if setting.system.hidden:
            waiting = {
                (commit.party, commit.sent_as) for commit in unopened_commitments(attempt.outcome.state)
            } & sent
        else:
            waiting = sent - {(use.party, use.decision) for use in attempt.used()}
        if waiting <= closed:
            return attempt
        closed |= waiting


def _committed(given: StageInputs, party: str, decision: str) -> bool:
    order = given.orders.get(party)
    return order is not None and decision in order.commits


def _opening(given: StageInputs, party: str, decision: str) -> Opening | None:
    order = given.orders.get(party)
    return order.openings.get(decision) if order is not None else None


def _attempt_with(
    setting: Setting, state: GameState, given: StageInputs, seed: bytes, closed: set[tuple[str, str]]
) -> Attempt:
    live = unopened_commitments(state)
    # an id with an unopened commitment cannot be committed to again
    taken = {(commitment.party, commitment.sent_as) for commitment in live}
    replies: dict[str, dict[str, Reply]] = {}
    for party, order in given.orders.items():
        replies[party] = dict(order.answers) if order else {}
        for decision, commit in played(setting.system, order.commits if order else {}).items():
            opening = _opening(given, party, decision)
            shut = opening is None or (party, decision) in closed or (party, decision) in taken
            value: Json | NotOpened = NOT_OPENED if shut or opening is None else opening.value
            replies[party][decision] = Reply(value, committed=True, commit=commit)
    earlier = {
        (commitment.party, commitment.key): Reply(
            given.kept[commitment.party][commitment.commit].value,
            committed=True,
            commit=commitment.commit,
        )
        for commitment in live
        if commitment.commit in given.kept.get(commitment.party, {})
    }
    standing, spent = _standing(setting, state, given)
    hidden_seed = setting.hidden_seed(given.stage, seed)
    inputs = Inputs(
        given.stage,
        replies,
        standing,
        given.forfeits,
        given.asked,
        frozenset(setting.roster.dropped),  # decisions of dropped players take their defaults
        seed,
        hidden_seed,
    )
    source = _Source(inputs, earlier)
    outcome = run_engine(setting.system, replace(state, standing=standing, spent=spent), source)
    return Attempt(given, outcome, live, frozenset(source.opened))


def _standing(
    setting: Setting, state: GameState, given: StageInputs
) -> tuple[dict[str, list[Json]], dict[str, list[str]]]:
    """Return the standing orders in force in this stage, and the spent names.

    Those filed with an order replace the party's earlier ones.
    """
    filed = {party: order.standing for party, order in given.orders.items() if order is not None}
    return standing_orders.replaced(
        setting.system,
        state,
        {party: orders for party, orders in filed.items() if orders is not None},
    )


def unopened_commitments(state: GameState) -> tuple[Live, ...]:
    """Return accepted commitments that are not opened: lodged ones, and those in the open leaf's journal."""
    journal = state.open.journal if state.open else []
    opened = {(entry["party"], entry["open"]) for entry in journal if "open" in entry}
    return tuple(
        Live(*(narrow.text(e[name]) for name in ("party", "seal", "as", "commit")))
        for e in (*state.kept, *journal)
        if "seal" in e and "as" in e and "commit" in e and (e["party"], e["seal"]) not in opened
    )


def _held(state: GameState) -> set[tuple[str, str]]:
    """Return (party, key) of answers to a simultaneous question that others still owe."""
    held = state.open.held if state.open else {}
    return {(party, key) for party, _, key in (holder.partition(":") for holder in held)}


def _is_held(held: set[tuple[str, str]], party: str, decision: str) -> bool:
    """Return True if an answer is held; it may have been sent under the decision's kind in the key."""
    return any(p == party and (key == decision or decision in key.split("/")) for p, key in held)


def still_kept(given: StageInputs, outcome: Outcome) -> Kept:
    """Return the openings of all commitments that the open leaf still waits to open."""
    kept: dict[str, dict[str, Opening]] = {}
    for commit in unopened_commitments(outcome.state):
        known = given.kept.get(commit.party, {}).get(commit.commit)
        order = given.orders.get(commit.party)
        if known is None and order is not None and order.commits.get(commit.sent_as) == commit.commit:
            known = order.openings.get(commit.sent_as)
        if known is not None:
            kept.setdefault(commit.party, {})[commit.commit] = known
    return kept
