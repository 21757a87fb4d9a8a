"""One stage as a pure function, in every dice mode: statements in, record, events and facts out.

The same statements give the same record. In a game that hides nothing, everyone has them: a
commitment that the run did not open stays unknown to the others, so no run may use it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from pbem.engine.adjudicate import Outcome, adjudicate, facts, start
from pbem.engine.answers import Inputs
from pbem.engine.system import System
from pbem.model import state as states
from pbem.model.facts import PUBLIC, Fact
from pbem.model.state import GameState
from pbem.stages import named_readers as named_readers
from pbem.stages import standing_orders as standing_orders
from pbem.stages.attempt import settle, still_kept
from pbem.stages.inputs import Kept, Opening, Order, Setting, StageInputs
from pbem.stages.progress import Progress
from pbem.stages.rulings import rulings_in, with_rulings
from pbem.stages.scenario_terms import parse_scenario_name
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.recorded import MESSAGES_ARE_DATA, recorded
from pbem.trust import dice, groups, readers, records
from pbem.trust.bodies import READY

_TELLING = ("ahead/", "event/", "refused/")
"""Facts that tell players something, and so may hold messages."""

__all__ = ["EVERYBODY", "Kept", "Opening", "Order", "Run", "Setting", "StageInputs", "begin", "group", "run"]

EVERYBODY = "all"
"""Stands for the audience in the keys of public events that are facts."""


@dataclass(frozen=True)
class Run:
    """The result of a stage.

    `kept` are the openings that still wait, with those of this stage.

    `position` is the stage whose record holds groups and position: an earlier one where an amendment closed
    the stage, and then `carried` says who is asked. `apart` are the answers for named readers, where their
    openings are known here.
    """

    state: GameState
    outcome: Outcome
    record: records.Record
    events: list[Json]
    facts: tuple[Fact, ...]
    groups: tuple[groups.Group, ...]
    kept: Kept
    carried: Mapping[str, Sequence[str]] = field(default_factory=dict)
    position: int = -1
    apart: tuple[readers.ForReaders, ...] = ()

    @property
    def asked(self) -> dict[str, list[str]]:
        """Return who is asked next, and what: from the record, or carried over a closed stage."""
        asked_keys: Mapping[str, Sequence[str]] = self.carried if self.record.closed else self.record.asked
        return {party: list(keys) for party, keys in asked_keys.items()}

    @property
    def head(self) -> str:
        """Return the head of the record."""
        return self.record.head


# --- running --------------------------------------------------------------------------------------------


def begin(setting: Setting, scenario: str, options: Mapping[str, Json]) -> Run:
    """Return stage 0: from the start position to the first question. It has no dice (protocol
    9.4).
    """
    outcome = adjudicate(setting.system, start(setting.system, scenario, options), Inputs(stage=0))
    listed = _ordered_facts([*facts(setting.system, outcome), *_first_events(outcome)], setting.system)
    grouped = group(setting, 0, listed)
    record = records.record_zero(setting.roster.game_id, grouped, _asked(setting, outcome, first=True))
    state = with_game(setting, outcome.state, record, "", record.data["asked"])
    return Run(state, outcome, record, [], tuple(listed), grouped, {}, position=0)


def resume(state: GameState, kept: Kept, record: records.Record) -> Run:
    """Return a stage that ended with this state, with only what is needed to go on."""
    return Run(state, Outcome(state, state.position, (), (), (), (), None), record, [], (), (), kept)


def _first_events(outcome: Outcome) -> list[Fact]:
    """Return public events of stage 0 as facts, because its record and report have no place for events."""
    public = [event for event in outcome.told if event.audience == PUBLIC]
    return [
        Fact(f"event/{EVERYBODY}/{n:04}", {"after": 0, "event": entry.event})
        for n, entry in enumerate(public, 1)
    ]


def run(setting: Setting, state: GameState, given: StageInputs) -> Run:
    """Run one stage. Raises what the engine raises if the journal does not fit the rules."""
    game = setting.roster.game_id
    state = replace(state, options=options_in_force(setting))
    contributing = [
        (party.id, given.links[party.id]) for party in setting.roster.parties if party.id in given.links
    ]
    seed = dice.seed(game, given.stage, given.seed_before, contributing)
    attempt = settle(setting, state, given, seed)
    outcome = _with_later(setting, attempt.outcome, given)
    if given.asked is None:
        outcome = replace(outcome, defaults=())
    outcome = with_rulings(setting, outcome, rulings_in(given.amends, given.ruled))
    listed = _ordered_facts(facts(setting.system, outcome), setting.system)
    grouped = group(setting, given.stage, listed)
    events = _public_events(outcome, setting.system)
    apart = named_readers.of_orders(setting, given.orders)
    listed_apart = given.readers if apart is None else readers.listed(apart, game, given.stage)
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
        lock=given.lock,
        amends=[amend.sid for amend in given.amends],
        readers=listed_apart,
    )
    state_after = with_game(setting, outcome.state, record, seed.hex(), record.data["asked"])
    kept = still_kept(given, outcome)
    return Run(
        state_after,
        outcome,
        record,
        events,
        tuple(listed),
        grouped,
        kept,
        position=given.stage,
        apart=apart or (),
    )


def options_in_force(setting: Setting) -> dict[str, Json]:
    """Return the options of the game after amendments."""
    name, chosen = parse_scenario_name(setting.system, setting.roster.terms.scenario.name)
    return dict(setting.system.options(setting.system.scenario(name), chosen))


def close(
    setting: Setting,
    state: GameState,
    listed: Sequence[Fact],
    kept: Kept,
    progress: Progress,
    record: records.Record,
) -> Run:
    """Return a stage that an amendment closed: the position of an earlier one stays (4.4).

    State, facts and kept openings are those in which that one ended; `progress` is behind the closed stage.
    """
    seed = progress.seed.hex() if progress.seed != progress.roster.game_id else ""
    asked: dict[str, Json] = {party: list(keys) for party, keys in progress.asked.items()}
    after = with_game(setting, state, record, seed, asked)
    outcome = Outcome(after, after.position, (), (), (), (), None)
    grouped = group(setting, progress.position, listed)
    return Run(after, outcome, record, [], tuple(listed), grouped, kept, progress.asked, progress.position)


def with_game(
    setting: Setting, state: GameState, record: records.Record, seed: str, asked: Json
) -> GameState:
    """Return the state with the protocol's data to go on; it is the same for all who hold it."""
    game: dict[str, Json] = {
        "id": setting.roster.game,
        "title": setting.roster.terms.title,
        "stage": record.stage,
        "head": record.head,
        "asked": asked,
        "roster": setting.roster.statement.data,
    }
    with_state = replace(state, game=game | ({"seed": seed} if seed else {}))
    return states.from_json(_ordered(with_state.to_json()))


def _ordered(value: Json) -> Any:
    """Return the value with sorted members, as read from bytes.

    A rule or a report must find the same order where the value was made.
    """
    return json.loads(json.dumps(value, sort_keys=True))


def _ordered_facts(listed: Sequence[Fact], system: System) -> list[Fact]:
    recorded_values = [fact.value for fact in listed]
    if system.engine >= MESSAGES_ARE_DATA:
        recorded_values = [
            recorded(fact.value) if fact.key.startswith(_TELLING) else fact.value for fact in listed
        ]
    values = _ordered(recorded_values)
    return [Fact(fact.key, value, fact.audience) for fact, value in zip(listed, values, strict=True)]


def _with_later(setting: Setting, outcome: Outcome, given: StageInputs) -> Outcome:
    """Return the outcome with the standing orders that hold from the next stage on."""
    later = {party: orders for party, (_, orders) in given.later.items()}
    standing, spent = standing_orders.replaced(setting.system, outcome.state, later)
    return replace(outcome, state=replace(outcome.state, standing=standing, spent=spent))


def group(setting: Setting, stage: int, listed: Sequence[Fact]) -> tuple[groups.Group, ...]:
    """Return the facts by audience; only the public group if the GM's secret is unknown."""
    everybody = setting.roster.everybody
    split = [groups.Fact(fact.key, fact.value, setting.audience(fact.audience)) for fact in listed]
    if setting.secret is None:
        split = [fact for fact in split if fact.audience == everybody]
    game = setting.roster.game_id
    return groups.build(split, game=game, stage=stage, everybody=everybody, secret=setting.secret)


def _public_events(outcome: Outcome, system: System) -> list[Json]:
    events: list[Json] = [event.event for event in outcome.told if event.audience == PUBLIC]
    return narrow.items(_ordered(recorded(events) if system.engine >= MESSAGES_ARE_DATA else events))


def _asked(setting: Setting, outcome: Outcome, *, first: bool = False) -> dict[str, list[str]]:
    """Return who is asked in the next stage, and what.

    In the first stage everybody, so that all links are in (4.4, rule 2); with dice locked and pair they are,
    and everybody is asked only if nobody else would be.
    """
    owed = {
        party: sorted({question.key for question in outcome.pending if question.party == party})
        for party in setting.roster.players
    }
    everybody = first and not outcome.finished
    if everybody and setting.roster.terms.dice != "swift":
        everybody = not any(owed.values())
    return {party: keys or [READY] for party, keys in owed.items() if keys or everybody}
