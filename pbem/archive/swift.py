"""One stage in dice mode `swift`, as a pure function: accepted statements in, record, events and facts out
(protocol 9, 12.1).

Whoever has the same statements gets the same record. In a game that hides nothing that is everybody: there
a commitment which the run did not open stays unknown to the others, so the GM's run must not have used it
either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from pbem.archive import standing as standing_orders
from pbem.engine.adjudicate import Outcome, adjudicate, facts, start
from pbem.engine.adjudicate import run as run_engine
from pbem.engine.answers import NOT_OPENED, Inputs, NotOpened, Reply, StageSource, Use
from pbem.engine.system import System
from pbem.model.facts import PUBLIC, Audience, Fact
from pbem.model.state import GameState
from pbem.text.canonical import Json
from pbem.trust import dice, groups, records
from pbem.trust.bodies import READY
from pbem.trust.roster import Roster


@dataclass(frozen=True)
class Opening:
    """What opens a commitment; `stage` is that of the commitment."""

    stage: int
    nonce: str
    value: Json


@dataclass(frozen=True)
class Order:
    """An accepted order as a run needs it. `openings` holds those that are known here."""

    sid: str
    answers: Mapping[str, Reply] = field(default_factory=dict)
    commits: Mapping[str, str] = field(default_factory=dict)
    openings: Mapping[str, Opening] = field(default_factory=dict)
    standing: Sequence[Json] | None = None


EVERYBODY = "all"
"""Stands for the audience in the keys of public events that are facts."""

Kept = Mapping[str, Mapping[str, Opening]]
"""Openings of earlier commitments that still wait: party -> commitment -> opening."""


@dataclass(frozen=True)
class Setting:
    """What does not change during a game. `secret` is the GM's, or None for those who do not know it."""

    system: System
    roster: Roster
    secret: bytes | None = None

    @property
    def gm(self) -> str:
        """The GM's party id."""
        assert self.roster.terms.arbiter is not None, "dice swift want a GM"
        return self.roster.terms.arbiter

    def audience(self, players: Audience) -> tuple[str, ...]:
        """The engine's audience as party ids, the GM among them.

        In a game that hides nothing all is for everybody.
        """
        if players == PUBLIC or not self.system.hidden:
            return self.roster.everybody
        return tuple(sorted({*players, self.gm}))

    def hidden_seed(self, stage: int, seed: bytes) -> bytes | None:
        """The seed of hidden rolls, None where the GM's secret is not known; a game that hides nothing has
        the seed itself.
        """
        if not self.system.hidden:
            return seed
        if self.secret is None:
            return None
        return dice.hidden_seed(seed, dice.hidden_key(self.secret, self.roster.game_id, stage))


@dataclass(frozen=True)
class Given:
    """The inputs of one stage.

    `later` are standing orders that hold from the next stage on: party -> (sid, list).
    """

    stage: int
    prev: str
    seed_before: bytes
    orders: Mapping[str, Order | None] = field(default_factory=dict)
    links: Mapping[str, bytes] = field(default_factory=dict)
    forfeits: frozenset[str] = frozenset()
    later: Mapping[str, tuple[str, Sequence[Json]]] = field(default_factory=dict)
    kept: Kept = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """What a stage gives. `kept` are the openings that go on waiting, with those of this stage."""

    state: GameState
    outcome: Outcome
    record: records.Record
    events: list[Json]
    facts: tuple[Fact, ...]
    groups: tuple[groups.Group, ...]
    kept: Kept

    @property
    def head(self) -> str:
        """The head of the record."""
        return records.head(self.record).hex()


# --- running --------------------------------------------------------------------------------------------


def begin(setting: Setting, scenario: str, options: Mapping[str, Json]) -> Run:
    """Stage 0: from the start position to the first question. There are no dice in it (protocol 9.4)."""
    outcome = adjudicate(setting.system, start(setting.system, scenario, options), Inputs(stage=0))
    listed = [*facts(setting.system, outcome), *_first_events(outcome)]
    grouped = group(setting, 0, listed)
    record = records.record_zero(setting.roster.game_id, grouped, _asked(setting, outcome, first=True))
    state = _with_game(setting, outcome.state, record, "")
    return Run(state, outcome, record, [], tuple(listed), grouped, {})


def _first_events(outcome: Outcome) -> list[Fact]:
    """Public events of stage 0 as facts, because its record and report have no place for events."""
    told = [told for told in outcome.told if told.audience == PUBLIC]
    return [
        Fact(f"event/{EVERYBODY}/{n:04}", {"after": 0, "event": one.event}) for n, one in enumerate(told, 1)
    ]


def run(setting: Setting, state: GameState, given: Given) -> Run:
    """Run one stage. Raises what the engine raises if the journal does not fit the rules."""
    game = setting.roster.game_id
    contributing = [
        (party.id, given.links[party.id]) for party in setting.roster.parties if party.id in given.links
    ]
    seed = dice.seed(game, given.stage, given.seed_before, contributing)
    attempt = _settle(setting, state, given, seed)
    outcome = _with_later(setting, attempt.outcome, given)
    listed = facts(setting.system, outcome)
    grouped = group(setting, given.stage, listed)
    events = _public_events(outcome)
    record = records.record(
        game,
        given.stage,
        bytes.fromhex(given.prev),
        accepted={party: order.sid if order else None for party, order in given.orders.items()},
        forfeits=given.forfeits,
        links=dict(contributing),
        openings=attempt.openings(),
        seed=seed,
        events=records.events_hash(events),
        groups=grouped,
        asked=_asked(setting, outcome),
        kept=attempt.kept(),
        standing={party: sid for party, (sid, _) in given.later.items()},
    )
    state_after = _with_game(setting, outcome.state, record, seed.hex())
    return Run(state_after, outcome, record, events, tuple(listed), grouped, _still_kept(given, outcome))


def _with_game(setting: Setting, state: GameState, record: records.Record, seed: str) -> GameState:
    """The state with what the protocol needs to go on from it; the same for all who hold it."""
    game: dict[str, Json] = {
        "id": setting.roster.game,
        "title": setting.roster.terms.title,
        "stage": record["stage"],
        "head": records.head(record).hex(),
        "asked": record["asked"],
        "roster": setting.roster.statement.data,
    }
    return replace(state, game=game | ({"seed": seed} if seed else {}))


def _with_later(setting: Setting, outcome: Outcome, given: Given) -> Outcome:
    """The outcome with the standing orders that hold from the next stage on."""
    standing = dict(outcome.state.standing)
    for party, (_, orders) in given.later.items():
        standing[party] = standing_orders.usable(setting.system, orders)
    in_force = {party: orders for party, orders in standing.items() if orders}
    return replace(outcome, state=replace(outcome.state, standing=in_force))


def group(setting: Setting, stage: int, listed: Sequence[Fact]) -> tuple[groups.Group, ...]:
    """The facts by audience; only the public group where the GM's secret is not known."""
    everybody = setting.roster.everybody
    split = [groups.Fact(fact.key, fact.value, setting.audience(fact.audience)) for fact in listed]
    if setting.secret is None:
        split = [fact for fact in split if fact.audience == everybody]
    game = setting.roster.game_id
    return groups.build(split, game=game, stage=stage, everybody=everybody, secret=setting.secret)


def _public_events(outcome: Outcome) -> list[Json]:
    return [told.event for told in outcome.told if told.audience == PUBLIC]


def _asked(setting: Setting, outcome: Outcome, *, first: bool = False) -> dict[str, list[str]]:
    """Who is asked in the next stage, and what; in the first stage everybody, so that all links are in
    (4.4, rule 2).
    """
    asked: dict[str, list[str]] = {}
    for party in setting.roster.players:
        keys = sorted({question.key for question in outcome.pending if question.party == party})
        if keys or (first and not outcome.finished):
            asked[party] = keys or [READY]
    return asked


# --- commitments ----------------------------------------------------------------------------------------


class _Source(StageSource):
    """The answers of a stage, with earlier commitments beside them; notes which of these the run opened."""

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
    """A commitment that a leaf still open has taken in and not opened: its key, and the id it was sent
    under.
    """

    party: str
    key: str
    sent_as: str
    commit: str


@dataclass(frozen=True)
class _Attempt:
    """One run of the engine and what it opened: commitments of this stage by decision id, earlier ones by
    key.
    """

    given: Given
    outcome: Outcome
    live: tuple[Live, ...]
    earlier: frozenset[tuple[str, str]]

    def used(self) -> list[Use]:
        """Uses of this stage's commitments that are for good: a simultaneous answer is held until all are
        in.
        """
        held = _held(self.outcome.state)
        return [
            use
            for use in self.outcome.used
            if _committed(self.given, use.party, use.decision) and not _is_held(held, use.party, use.decision)
        ]

    def openings(self) -> dict[str, dict[str, dict[str, Json]]]:
        """The openings that may be public, as the record has them (12.1)."""
        shown: dict[str, dict[str, dict[str, Json]]] = {}
        for use in self.used():
            order = self.given.orders[use.party]
            if use.how != "sealed" and order is not None:
                opening = order.openings[use.decision]
                shown.setdefault(use.party, {})[use.decision] = {
                    "nonce": opening.nonce,
                    "value": opening.value,
                }
        for one in self.live:
            if (one.party, one.key) in self.earlier:
                opening = self.given.kept[one.party][one.commit]
                entry: dict[str, Json] = {
                    "nonce": opening.nonce,
                    "value": opening.value,
                    "stage": opening.stage,
                }
                shown.setdefault(one.party, {})[one.sent_as] = entry
        return shown

    def kept(self) -> dict[str, list[str]]:
        """Commitments of this stage that are not opened in its record (17.6)."""
        opened = self.openings()
        listed: dict[str, list[str]] = {}
        for party, order in self.given.orders.items():
            here = {d for d, entry in opened.get(party, {}).items() if "stage" not in entry}
            listed[party] = sorted(set(order.commits) - here) if order else []
        return {party: decisions for party, decisions in listed.items() if decisions}


def _settle(setting: Setting, state: GameState, given: Given, seed: bytes) -> _Attempt:
    """Run until the run has used no commitment that stays closed.

    What nobody opens must not have mattered: in a game that hides nothing because the others run without
    it, and everywhere because a value that waits for its call must not lie in the journal.
    """
    sent = {(party, decision) for party, order in given.orders.items() if order for decision in order.commits}
    closed = {pair for pair in sent if _opening(given, *pair) is None}
    while True:
        attempt = _attempt(setting, state, given, seed, closed)
        if setting.system.hidden:
            waiting = {(one.party, one.sent_as) for one in live_commitments(attempt.outcome.state)} & sent
        else:
            waiting = sent - {(use.party, use.decision) for use in attempt.used()}
        if waiting <= closed:
            return attempt
        closed |= waiting


def _committed(given: Given, party: str, decision: str) -> bool:
    order = given.orders.get(party)
    return order is not None and decision in order.commits


def _opening(given: Given, party: str, decision: str) -> Opening | None:
    order = given.orders.get(party)
    return order.openings.get(decision) if order is not None else None


def _attempt(
    setting: Setting, state: GameState, given: Given, seed: bytes, closed: set[tuple[str, str]]
) -> _Attempt:
    live = live_commitments(state)
    taken = {
        (one.party, one.sent_as) for one in live
    }  # an id that waits to be opened cannot be committed to anew
    replies: dict[str, dict[str, Reply]] = {}
    for party, order in given.orders.items():
        replies[party] = dict(order.answers) if order else {}
        for decision, commit in (order.commits if order else {}).items():
            opening = _opening(given, party, decision)
            shut = opening is None or (party, decision) in closed or (party, decision) in taken
            value: Json | NotOpened = NOT_OPENED if shut or opening is None else opening.value
            replies[party][decision] = Reply(value, committed=True, commit=commit)
    earlier = {
        (one.party, one.key): Reply(
            given.kept[one.party][one.commit].value, committed=True, commit=one.commit
        )
        for one in live
        if one.commit in given.kept.get(one.party, {})
    }
    standing = _standing(setting, state, given)
    hidden_seed = setting.hidden_seed(given.stage, seed)
    source = _Source(Inputs(given.stage, replies, standing, given.forfeits, seed, hidden_seed), earlier)
    outcome = run_engine(setting.system, replace(state, standing=standing), source)
    return _Attempt(given, outcome, live, frozenset(source.opened))


def _standing(setting: Setting, state: GameState, given: Given) -> dict[str, list[Json]]:
    """Standing orders in force in this stage: those filed with an order take the place of the party's
    earlier ones.
    """
    lists = {party: list(orders) for party, orders in state.standing.items()}
    for party, order in given.orders.items():
        if order is not None and order.standing is not None:
            lists[party] = standing_orders.usable(setting.system, order.standing)
    return {party: orders for party, orders in lists.items() if orders}


def live_commitments(state: GameState) -> tuple[Live, ...]:
    """Commitments in the journal of the open leaf that were not opened yet."""
    if state.open is None:
        return ()
    opened = {(entry["party"], entry["open"]) for entry in state.open.journal if "open" in entry}
    return tuple(
        Live(cast(str, e["party"]), cast(str, e["seal"]), cast(str, e["as"]), cast(str, e["commit"]))
        for e in state.open.journal
        if "seal" in e and "as" in e and "commit" in e and (e["party"], e["seal"]) not in opened
    )


def _held(state: GameState) -> set[tuple[str, str]]:
    """(party, key) of answers to a simultaneous question that others still owe."""
    held = state.open.held if state.open else {}
    return {(party, key) for party, _, key in (holder.partition(":") for holder in held)}


def _is_held(held: set[tuple[str, str]], party: str, decision: str) -> bool:
    """An answer may have been sent under the kind of its decision, which is a part of the key."""
    return any(p == party and (key == decision or decision in key.split("/")) for p, key in held)


def _still_kept(given: Given, outcome: Outcome) -> Kept:
    """Openings of all commitments that the open leaf still waits to open."""
    kept: dict[str, dict[str, Opening]] = {}
    for one in live_commitments(outcome.state):
        known = given.kept.get(one.party, {}).get(one.commit)
        order = given.orders.get(one.party)
        if known is None and order is not None and order.commits.get(one.sent_as) == one.commit:
            known = order.openings.get(one.sent_as)
        if known is not None:
            kept.setdefault(one.party, {})[one.commit] = known
    return kept
