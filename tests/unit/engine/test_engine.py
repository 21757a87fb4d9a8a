"""What the engine promises, shown with the primer."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.adjudicate import Outcome, adjudicate, facts, run, start
from pbem.engine.answers import Inputs, Reply, StageSource
from pbem.engine.game import Game
from pbem.engine.leaf import Divergence
from pbem.engine.requests import ask_all
from pbem.engine.system import System
from pbem.model.events import rolls_in
from pbem.model.facts import GM_ONLY, PUBLIC
from pbem.model.state import dump, from_json
from tests.primer import FOG, SYSTEM
from tests.primer.rules import Bid, BidsOpened
from tests.unit.engine.conftest import play_on, play_out, random_answer


def saved_and_loaded(outcome: Outcome) -> Outcome:
    state = from_json(json.loads(dump(outcome.state.to_json())))
    assert state.to_json() == outcome.state.to_json()
    return replace(outcome, state=state)


def first(system: System) -> Outcome:
    return adjudicate(system, start(system, "ford"), Inputs(0))


def answer(system: System, outcome: Outcome, stage: int, **by_kind: Any) -> Outcome:
    return play_on(system, outcome, stage, lambda o, q: by_kind[q.kind.replace("-", "_")])


def test_before_the_first_stage_the_game_waits_without_dice(system: System) -> None:
    outcome = first(system)
    assert [(q.party, q.kind) for q in outcome.pending] == [("north", "card")]
    assert outcome.place == "Game turn 1, Card choice"


def test_a_whole_game_ends_and_every_state_survives_saving(system: System) -> None:
    outcomes = play_out(system, seed=1)
    assert outcomes[-1].finished
    for outcome in outcomes:
        saved_and_loaded(outcome)


@pytest.mark.parametrize("seed", range(4))
def test_replay_from_the_saved_state_gives_the_same_game(system: System, seed: int) -> None:
    rng, twin = random.Random(seed), random.Random(seed)
    one = two = first(system)
    for stage in range(1, 400):
        if one.finished:
            break
        one = play_on(system, one, stage, lambda o, q: random_answer(system, o, q, rng))
        two = play_on(system, saved_and_loaded(two), stage, lambda o, q: random_answer(system, o, q, twin))
        assert one.state.to_json() == two.state.to_json()
        assert [t.event for t in one.told] == [t.event for t in two.told]
    assert one.finished


class OnePerRun(StageSource):
    """Gives the answers of a whole script, but lets the leaf stop after each; dice in a fixed order."""

    def __init__(self, script: list[tuple[str, Any]], dice: random.Random, cut: bool) -> None:
        super().__init__(Inputs(1))
        self.script, self.dice, self.cut, self.given = script, dice, cut, 0

    def reply(self, party: str, key: str, kind: str) -> tuple[str, Reply] | None:
        if not self.script or (self.cut and self.given) or self.script[0][0] != kind:
            return None
        self.given += 1
        return key, Reply(self.script.pop(0)[1])

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int] | None:
        return [self.dice.randint(1, 6) for _ in range(int(dice.partition("d")[0]))]

    def shuffle(self, items: list[str | int], label: list[str | int], hidden: bool) -> list[Any] | None:
        return items[::-1]


SCRIPT: list[tuple[str, Any]] = [
    ("card", "calm"),
    ("bid", 1),
    ("bid", 3),
    ("next-move", {"unit": "s1", "to": "0103"}),
    ("next-move", {"unit": "s2", "to": "0203"}),
    ("next-move", {}),
    ("next-move", {"unit": "n1", "to": "0102"}),
    ("next-move", {}),
    ("card", "storm"),
    ("bid", 0),
    ("bid", 0),
    ("next-move", {"unit": "s1", "to": "0102"}),
    ("reaction", "stand"),
    ("next-move", {}),
    ("next-move", {}),
]


def test_stopping_after_every_answer_changes_nothing() -> None:
    whole = run(SYSTEM, first(SYSTEM).state, OnePerRun(list(SCRIPT), random.Random(7), cut=False))
    script, dice = list(SCRIPT), random.Random(7)
    outcome = first(SYSTEM)
    told = []
    while script:
        before = len(script)
        outcome = run(SYSTEM, saved_and_loaded(outcome).state, OnePerRun(script, dice, cut=True))
        told += outcome.told
        assert len(script) < before
    assert whole.finished and outcome.finished
    assert outcome.position == whole.position
    assert [unlabelled(t.event) for t in told] == [unlabelled(t.event) for t in whole.told]


def unlabelled(event: dict[str, Any]) -> str:
    """The occurrence in a label counts within a stage, so it may differ when a game is cut in more."""
    for roll in rolls_in(event):
        roll["label"] = roll["label"][:-1]
    return json.dumps(event)


def test_events_are_told_once(system: System) -> None:
    outcomes = play_out(system, seed=5)
    opened = [t.event for o in outcomes for t in o.told if t.event["event"] == "bids-opened"]
    assert len(opened) == 2


def test_each_event_knows_how_many_public_ones_came_before_it_in_its_stage(system: System) -> None:
    private_after_some = 0
    for outcome in play_out(system, seed=3):
        public = 0
        for told in outcome.told:
            assert told.after == public
            private_after_some += public > 0 and told.audience != PUBLIC
            public += told.audience == PUBLIC
    assert private_after_some > 3


def test_a_simultaneous_answer_waits_for_the_other_and_is_not_asked_again() -> None:
    outcome = answer(SYSTEM, first(SYSTEM), 1, card="calm")
    assert [(q.party, q.kind, q.secrecy) for q in outcome.pending] == [
        ("north", "bid", "together"),
        ("south", "bid", "together"),
    ]
    key = outcome.pending[0].key
    only_north = adjudicate(SYSTEM, outcome.state, Inputs(2, {"north": {key: Reply(2)}}, seed=b"s" * 32))
    assert [(q.party, q.kind) for q in only_north.pending] == [("south", "bid")]
    both = adjudicate(SYSTEM, only_north.state, Inputs(3, {"south": {key: Reply(3)}}, seed=b"s" * 32))
    assert both.told[0].event["bids"] == {"north": 2, "south": 3}


def test_an_answer_that_waited_answers_no_later_question_of_its_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    async def twice(game: Game, phasing: str | None) -> None:
        first, second = game.tracks["order"]
        for _ in range(2):
            bids = await ask_all([Bid(first), Bid(second)])
            game.emit(BidsOpened({first: bids[0], second: bids[1]}, first))

    monkeypatch.setitem(SYSTEM.registry.leaf, "initiative", twice)
    outcome = answer(SYSTEM, first(SYSTEM), 1, card="calm")
    told: list[Any] = []
    for stage, party in enumerate(("north", "south", "north", "south"), 2):
        (question,) = (one for one in outcome.pending if one.party == party)
        reply = {party: {question.key: Reply(stage % 4)}}
        outcome = adjudicate(SYSTEM, outcome.state, Inputs(stage, reply, seed=b"s" * 32))
        told += [one.event["bids"] for one in outcome.told if one.event["event"] == "bids-opened"]
        held = outcome.state.open.held if outcome.state.open else {}
        assert len(held) == (party == "north"), "an answer is held until the other is there"
    assert told == [{"north": 2, "south": 3}, {"north": 0, "south": 1}]


def test_an_illegal_open_answer_is_refused_and_asked_again() -> None:
    outcome = answer(SYSTEM, answer(SYSTEM, first(SYSTEM), 1, card="calm"), 2, bid=0)
    again = answer(SYSTEM, outcome, 3, next_move={"unit": "n1", "to": "0204"})
    assert [(party, fault.code) for party, fault in again.diagnostics] == [("north", "illegal-answer")]
    assert [q.kind for q in again.pending] == ["next-move"]


def test_an_illegal_open_answer_of_one_who_forfeits_takes_the_default() -> None:
    outcome = answer(SYSTEM, first(SYSTEM), 1, card="calm")
    key = outcome.pending[0].key
    replies = {"north": {key: Reply(99)}, "south": {key: Reply(1)}}
    inputs = Inputs(2, replies, seed=b"s" * 32, forfeits=frozenset({"north"}))
    outcome = adjudicate(SYSTEM, outcome.state, inputs)
    assert outcome.told[0].event["bids"] == {"north": 0, "south": 1}


def test_a_committed_illegal_answer_takes_the_default() -> None:
    outcome = answer(SYSTEM, first(SYSTEM), 1, card="calm")
    key = outcome.pending[0].key
    replies = {"north": {key: Reply(99, committed=True)}, "south": {key: Reply(1, committed=True)}}
    outcome = adjudicate(SYSTEM, outcome.state, Inputs(2, replies, seed=b"s" * 32))
    assert outcome.told[0].event["bids"] == {"north": 0, "south": 1}
    assert [fault.code for _, fault in outcome.diagnostics] == ["out-of-range"]


def test_an_answer_to_an_outdated_question_is_refused() -> None:
    outcome = first(SYSTEM)
    key = outcome.pending[0].key
    bids = answer(SYSTEM, outcome, 1, card="calm")
    old = {"north": {bids.pending[0].key: Reply(1, question="0" * 12)}}
    waiting = adjudicate(SYSTEM, bids.state, Inputs(2, old, seed=b"s" * 32))
    assert [fault.code for _, fault in waiting.diagnostics] == ["outdated-answer"]
    assert key != bids.pending[0].key


def test_an_order_sent_ahead_by_kind_answers_a_later_question() -> None:
    outcome = answer(SYSTEM, first(SYSTEM), 1, card="calm")
    key = outcome.pending[0].key
    replies = {
        "north": {key: Reply(1), "next-move": Reply({"unit": "n1", "to": "0102"})},
        "south": {key: Reply(0)},
    }
    ahead = adjudicate(SYSTEM, outcome.state, Inputs(2, replies, seed=b"s" * 32))
    assert "moved" in [t.event["event"] for t in ahead.told]


def attack(system: System, standing: dict[str, Any]) -> Outcome:
    """n1 walks into s1 at once; who is asked depends on the standing orders."""
    state = start(system, "ford")
    state.position.set("n1", hex="0103")
    state.position.set("s2", hex="0202")
    outcome = adjudicate(system, state, Inputs(1, {"north": {"card": Reply("calm")}}))
    key = outcome.pending[0].key
    replies = {
        "north": {key: Reply(1), "next-move": Reply({"unit": "n1", "to": "0104"})},
        "south": {key: Reply(0)},
    }
    return adjudicate(system, outcome.state, Inputs(2, replies, standing=standing, seed=b"s" * 32))


def test_a_standing_order_answers_a_reaction_and_saves_a_mail(system: System) -> None:
    asked = attack(system, {})
    assert [(q.party, q.kind) for q in asked.pending] == [("south", "reaction")]
    saved = attack(system, {"south": [{"reaction": {"retreat_at_most": 2}}]})
    assert "retreated" in [t.event["event"] for t in saved.told]
    general = attack(system, {"south": [{"decision": "reaction", "when": {}, "answer": "stand"}]})
    assert "fought" in [t.event["event"] for t in general.told]


def test_a_bound_on_a_fact_that_is_no_number_does_not_hold() -> None:
    order = {"decision": "reaction", "when": {"origin": {"at_least": 1}}, "answer": "stand"}
    assert [(q.party, q.kind) for q in attack(SYSTEM, {"south": [order]}).pending] == [("south", "reaction")]


def test_an_answer_of_a_stage_is_used_once() -> None:
    source = StageSource(Inputs(1, {"red": {"attack": Reply(1), "attack/2": Reply(2)}}))
    assert source.reply("red", "attack/2", "attack") == ("attack/2", Reply(2))
    assert source.reply("red", "attack/1", "attack") == ("attack", Reply(1))
    assert source.reply("red", "attack/2", "attack") is None
    assert source.reply("red", "attack/3", "attack") is None


def test_after_the_deadline_the_default_answers() -> None:
    asked = attack(SYSTEM, {})
    late = adjudicate(SYSTEM, asked.state, Inputs(3, forfeits=frozenset({"south"}), seed=b"s" * 32))
    assert "fought" in [t.event["event"] for t in late.told]
    assert ("south", "default") in [(use.party, use.how) for use in late.used]


def test_an_illegal_answer_is_not_asked_again_after_the_deadline() -> None:
    asked = attack(SYSTEM, {})
    (reaction,) = asked.pending
    standing = {"south": [{"reaction": {"retreat_at_most": 2}}]}
    flees = {"south": {reaction.key: Reply("flee")}}
    late = adjudicate(SYSTEM, asked.state, Inputs(3, flees, standing, frozenset({"south"}), seed=b"s" * 32))
    assert [fault.code for _, fault in late.diagnostics] == ["not-one-of"]
    assert "fought" in [t.event["event"] for t in late.told], "its default counts, no order sent before it"


def test_a_default_answers_what_was_asked_and_nothing_that_comes_up_later() -> None:
    """Who is asked is who may forfeit (protocol 17.23)."""
    asked = attack(SYSTEM, {})
    (reaction,) = asked.pending
    late = Inputs(3, forfeits=frozenset({"south"}), asked={"south": [reaction.key]}, seed=b"s" * 32)
    after = adjudicate(SYSTEM, asked.state, late)
    assert [one.key for one in after.defaults] == [reaction.key]
    assert after.pending and not after.finished
    other = Inputs(3, forfeits=frozenset({"south"}), asked={"south": ["ready"]}, seed=b"s" * 32)
    waits = adjudicate(SYSTEM, asked.state, other)
    assert [one.key for one in waits.pending] == [reaction.key] and waits.defaults == ()
    gone = Inputs(3, absent=frozenset({"south"}), seed=b"s" * 32)
    assert {one.party for one in adjudicate(SYSTEM, asked.state, gone).defaults} == {"south"}


def test_a_roll_without_its_dice_waits_and_no_question_is_open() -> None:
    asked = attack(SYSTEM, {})
    key = asked.pending[0].key
    waiting = adjudicate(SYSTEM, asked.state, Inputs(3, {"south": {key: Reply("stand")}}))
    assert waiting.pending == () and waiting.state.open is not None
    rolled = adjudicate(SYSTEM, waiting.state, Inputs(4, seed=b"s" * 32))
    assert "fought" in [t.event["event"] for t in rolled.told]


def test_labels_are_unique_within_a_stage(system: System) -> None:
    for outcome in play_out(system, seed=9):
        labels = [json.dumps(roll["label"]) for told in outcome.told for roll in rolls_in(told.event)]
        assert len(labels) == len(set(labels))


def test_a_changed_journal_is_noticed() -> None:
    outcome = answer(SYSTEM, answer(SYSTEM, first(SYSTEM), 1, card="calm"), 2, bid=0)
    outcome = answer(SYSTEM, outcome, 3, next_move={"unit": "n1", "to": "0102"})
    assert outcome.state.open is not None
    outcome.state.open.journal[0]["answer"] = {"unit": "n2", "to": "0202"}
    with pytest.raises(Divergence, match="the journal doesn't match the rules"):
        answer(SYSTEM, outcome, 4, next_move={})


def test_a_changed_position_is_noticed() -> None:
    outcome = answer(SYSTEM, answer(SYSTEM, first(SYSTEM), 1, card="calm"), 2, bid=0)
    outcome = answer(SYSTEM, outcome, 3, next_move={"unit": "n1", "to": "0102"})
    outcome.state.position.set("s1", steps=1)
    with pytest.raises(Divergence):
        answer(SYSTEM, outcome, 4, next_move={})


def test_facts_of_a_fog_game_keep_units_from_the_other_side() -> None:
    outcome = first(FOG)
    listed = facts(FOG, outcome)
    assert {f.audience for f in listed if f.key == "unit/n1"} == {("north",)}
    assert {f.audience for f in listed if f.key.startswith("blocks/")} == {PUBLIC}
    assert {f.audience for f in listed if f.key.startswith("asked/")} == {("north",)}


def test_what_a_default_was_is_for_its_player_alone_where_units_are_hidden(system: System) -> None:
    asked = first(system)
    (question,) = asked.pending
    outcome = adjudicate(system, asked.state, Inputs(1, forfeits=frozenset({question.party}), seed=b"s" * 32))
    taken = [fact for fact in facts(system, outcome) if fact.key.startswith("default/")]
    assert taken[0].key == f"default/{question.party}/001"
    assert {fact.audience for fact in taken} == {(question.party,) if system.hidden else PUBLIC}


def test_events_for_the_gm_alone_are_facts_for_the_gm_alone() -> None:
    outcomes = play_out(FOG, seed=2)
    omens = [f for o in outcomes for f in facts(FOG, o) if f.key.startswith("event/gm/")]
    assert omens and all(f.audience == GM_ONLY for f in omens)
