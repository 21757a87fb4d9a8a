"""A stage as a pure function: what stage 0 says, what the state carries on, and a stage that was closed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.system import System
from pbem.stages import attempt, running
from pbem.stages.inputs import Opening, Order, Setting, StageInputs
from pbem.stages.running import Run, begin, close, group
from pbem.text.diagnostics import Refused
from tests.primer import FOG, SYSTEM
from tests.unit.archive.paper import last
from tests.unit.stages.desk import SECRET, Desk, chain_of, roster_of

BOTH = pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["open", "fog"])
SEED = "5" * 64


def setting_of(system: System = SYSTEM, **how: Any) -> Setting:
    return Setting(system, roster_of(**how), SECRET)


def begun(setting: Setting) -> Run:
    return begin(setting, "ford", setting.system.options(setting.system.scenario("ford"), {}))


@BOTH
@pytest.mark.parametrize("dice", ["swift", "locked"])
def test_in_stage_0_everybody_is_asked_where_all_links_must_come(system: System, dice: str) -> None:
    run = begun(setting_of(system, dice=dice))
    card = {"north": ["T1/cards/card"]}
    assert run.asked == (card | {"south": ["ready"]} if dice == "swift" else card)
    assert (run.position, run.head, run.record.kind) == (0, run.record.head, "zero")


@BOTH
def test_the_state_carries_the_game_on_and_has_no_seed_before_there_are_dice(system: System) -> None:
    setting = setting_of(system)
    run = begun(setting)
    game: Any = run.state.game
    roster = setting.roster
    assert {name: game[name] for name in ("id", "title", "stage", "head")} == {
        "id": roster.game,
        "title": roster.terms.title,
        "stage": 0,
        "head": run.head,
    }
    assert game["asked"] == run.record.data["asked"] and game["roster"] == roster.statement.data
    assert "seed" not in game
    after: Any = running.with_game(setting, run.state, run.record, SEED, {}).game
    assert after["seed"] == SEED and after["asked"] == {}


@BOTH
def test_facts_are_in_the_order_in_which_they_are_read_again(system: System) -> None:
    run = begun(setting_of(system))
    values = [fact.value for fact in run.facts]
    assert json.dumps(values) == json.dumps(values, sort_keys=True)


@BOTH
def test_whoever_does_not_know_the_secret_has_the_public_group_alone(system: System) -> None:
    setting = setting_of(system)
    run = begun(setting)
    blind = group(replace(setting, secret=None), 0, run.facts)
    everybody = setting.roster.everybody
    assert [one.audience for one in blind] == [everybody]
    assert (len(run.groups) == 1) is (system is SYSTEM)
    (public,) = [one for one in run.groups if one.audience == everybody]
    assert blind[0].facts == public.facts and blind[0].hash == public.hash


def played(setting: Setting, run: Run, **changed: Any) -> Run:
    """Stage 1: north keeps a card, south says nothing."""
    parties = ("gm", "north", "south")
    links = {party: chain_of(party).link(1) for party in parties}
    given = StageInputs(
        stage=1,
        prev=run.head,
        seed_before=setting.roster.game_id,
        orders={"south": Order("b" * 64), "north": Order("a" * 64)},
        links=links,
        asked={"north": ["T1/cards/card"], "south": ["ready"]},
    )
    return running.run(setting, run.state, replace(given, **changed))


@BOTH
def test_a_stage_names_what_it_was_made_of(system: System) -> None:
    setting = setting_of(system)
    zero = begun(setting)
    run = played(setting, zero)
    record = run.record
    assert (record.stage, record.prev, record.accepted) == (
        1,
        zero.head,
        {"north": "a" * 64, "south": "b" * 64},
    )
    assert set(record.links) == {"gm", "north", "south"}
    game: Any = run.state.game
    assert record.seed is not None and game["seed"] == record.seed.hex() and run.position == 1
    other = played(setting, zero, links={"gm": chain_of("gm").link(1)})
    assert other.record.seed != record.seed
    late = played(
        setting, zero, orders={"north": None, "south": None}, forfeits=frozenset({"north", "south"})
    )
    assert late.record.forfeits == ("north", "south") and late.record.accepted["north"] is None
    assert late.outcome.defaults and late.record.asked != record.asked
    silent: Any = {"north": None, "south": None}
    engine_1 = played(setting, zero, orders=silent, forfeits=frozenset(silent), asked=None)
    assert not engine_1.outcome.defaults, "games of the first engine tell of none"
    filed: Any = [{"decision": "bid", "answer": 2}, {"decision": "flight"}]
    later = played(setting, zero, later={"south": ("c" * 64, filed)})
    assert later.record.standing == {"south": "c" * 64} and later.state.standing == {"south": filed[:1]}
    locked = played(setting, zero, lock="d" * 64)
    assert locked.record.lock == "d" * 64


def test_options_in_force_are_those_of_the_roster() -> None:
    assert (
        running.options_in_force(setting_of())["turns"]
        == SYSTEM.options(SYSTEM.scenario("ford"), {})["turns"]
    )
    more = replace(setting_of(), roster=roster_of("press=none turns=3"))
    assert running.options_in_force(more)["turns"] == 3
    with pytest.raises(Refused) as refused:
        running.options_in_force(replace(setting_of(), roster=roster_of("flights=3")))
    assert last(refused.value.diagnostics[0].message)


def test_a_closed_stage_keeps_position_questions_and_seed() -> None:
    setting = setting_of()
    desk = Desk(setting.roster, 2, {"north": ["bid"], "south": ["card"]})
    run = played(setting, begun(setting))
    amendment = desk.amends({"op": "drop", "party": "south"})
    before = desk.progress
    record = desk.closed(amendment)
    after = desk.goes_on(record, amendment)
    made = close(setting, run.state, run.facts, {}, after, record)
    assert (made.head, made.position, made.events) == (record.head, before.position, [])
    assert made.asked == {party: list(keys) for party, keys in after.asked.items()} == {"north": ["bid"]}
    game: Any = made.state.game
    assert (game["stage"], game["head"], game["seed"]) == (2, record.head, before.seed.hex())
    assert made.state.position == run.state.position and made.facts == run.facts
    fresh = replace(after, seed=setting.roster.game_id)
    unseeded: Any = close(setting, run.state, run.facts, {}, fresh, record).state.game
    assert "seed" not in unseeded, "nobody has thrown dice yet"


def test_what_opens_a_commitment_that_still_waits_is_kept_where_it_is_known() -> None:
    run = begun(setting_of())
    waits: Any = {"party": "north", "seal": "T1/card", "as": "card", "commit": "c" * 64, "lodged": True}
    outcome = replace(run.outcome, state=replace(run.outcome.state, kept=[waits]))
    opening = Opening(1, "1" * 64, "storm")

    def kept(order: Order | None = None, **before: Any) -> Any:
        given = StageInputs(2, run.head, b"", orders={"north": order, "south": Order("a" * 64)}, kept=before)
        return attempt.still_kept(given, outcome)

    mine = {"north": {"c" * 64: opening}}
    assert kept() == kept(Order("a" * 64)) == {}, "it is not known here"
    assert kept(north={"c" * 64: opening}) == mine
    assert kept(south={"c" * 64: opening}) == kept(north={"d" * 64: opening}) == {}
    sent = Order("a" * 64, commits={"card": "c" * 64}, openings={"card": opening})
    assert kept(sent) == mine and kept(replace(sent, openings={})) == {}
    assert kept(replace(sent, commits={"card": "d" * 64})) == {}, "another one of the same name"
    assert attempt.still_kept(StageInputs(2, run.head, b"", kept=mine), run.outcome) == {}
