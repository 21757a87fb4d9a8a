"""Answers sent ahead: each waits for its question, however many stages it takes, and is used once."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine import resolve
from pbem.engine.adjudicate import Outcome, adjudicate, facts, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.system import System
from pbem.model.state import dump, from_json
from pbem.stages.standing_orders import faults, replaced, usable
from pbem.text.diagnostics import Diagnostic
from pbem.text.schema import check, find
from tests.primer import FOG, SYSTEM


class Play:
    """A game in which the answers of a stage are given by kind, and lists are filed in between."""

    def __init__(self, system: System = SYSTEM) -> None:
        self.system, self.stage = system, 0
        self.outcome: Outcome = adjudicate(system, start(system, "ford"), Inputs(0))

    def file(self, party: str, *entries: dict[str, Any]) -> None:
        """The list takes the place of the party's former one."""
        assert faults(self.system, list(entries)) == []
        standing, spent = replaced(self.system, self.outcome.state, {party: list(entries)})
        state = replace(self.outcome.state, standing=standing, spent=spent)
        self.outcome = replace(self.outcome, state=state)

    def go(self, **by_kind: Any) -> Play:
        """A stage more; what is asked and has no answer here stays open."""
        self.stage += 1
        replies: dict[str, dict[str, Reply]] = {}
        for question in self.outcome.pending:
            name = question.kind.replace("-", "_")
            for answered in (name, f"{question.party}_{name}"):
                if answered in by_kind:
                    replies.setdefault(question.party, {})[question.key] = Reply(by_kind[answered])
        state = from_json(json.loads(dump(self.outcome.state.to_json())))
        inputs = Inputs(
            self.stage, replies, state.standing, seed=bytes([self.stage]) * 32, hidden_seed=b"h" * 32
        )
        self.outcome = adjudicate(self.system, state, inputs)
        return self

    @property
    def asked(self) -> list[tuple[str, str]]:
        return [(question.party, question.kind) for question in self.outcome.pending]

    def names(self, party: str) -> list[str]:
        """What of a party's answers sent ahead still waits."""
        listed: list[Any] = self.outcome.state.standing.get(party, [])
        return [entry.get("once", entry.get("name")) for entry in listed]

    def told(self, party: str) -> list[tuple[str, str]]:
        """What the party is told of its answers sent ahead."""
        listed = [f for f in facts(self.system, self.outcome) if f.key.startswith(f"ahead/{party}/")]
        assert not self.system.hidden or all(fact.audience == (party,) for fact in listed)
        return [(value["name"], value["result"]) for value in (fact.value for fact in listed)]  # type: ignore[index,call-overload,misc]


def move(unit: str, to: str) -> dict[str, Any]:
    return {"unit": unit, "to": to}


def once(name: str, kind: str, answer: Any, **more: Any) -> dict[str, Any]:
    return {"decision": kind, "once": name, "answer": answer, **more}


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=["public", "fog"])
def test_an_answer_waits_over_stages_for_its_question_and_is_used_once(system: System) -> None:
    play = Play(system)
    play.file("north", once("first", "next-move", move("n1", "0102")), once("end", "next-move", {}))
    play.go(card="calm")
    assert play.names("north") == ["first", "end"] and play.told("north") == []
    play.go(bid=1)
    assert play.asked == [("south", "next-move")], "north's movement is over without a mail"
    assert play.told("north") == [("first", "used"), ("end", "used")]
    assert play.names("north") == [] and play.outcome.state.spent == {"north": ["end", "first"]}
    assert check(play.outcome.state.to_json(), find("state")) == [], "a state file that says so is read"
    assert play.outcome.position.counters["n1"]["hex"] == "0102"


def test_a_reaction_that_interrupts_does_not_throw_the_rest_away() -> None:
    play = Play()
    play.file(
        "north",
        once("a", "next-move", move("n1", "0102")),
        once("b", "next-move", move("n2", "0202")),
        once("c", "next-move", {}),
    )
    play.file("south", once("s", "next-move", move("s1", "0103")))
    play.go(card="calm").go(north_bid=0, south_bid=3)
    # south went first and was asked for its second move; north's answers wait
    assert play.asked == [("south", "next-move")] and play.names("north") == ["a", "b", "c"]
    play.go(next_move=move("s2", "0203")).go(next_move={})
    assert play.told("north")[:2] == [("a", "used"), ("b", "used")]


def test_what_is_illegal_by_then_stays_holds_up_the_rest_and_its_owner_is_told_why() -> None:
    play = Play()
    lasting = {"decision": "next-move", "answer": {}}
    play.file("north", lasting, once("far", "next-move", move("n1", "0204")), once("end", "next-move", {}))
    play.go(card="calm").go(bid=1)
    assert play.asked == [("north", "next-move")], (
        "neither what is behind it nor what lasts answers in its place"
    )
    assert play.names("north") == [None, "far", "end"]
    (fact,) = [f for f in facts(SYSTEM, play.outcome) if f.key.startswith("ahead/north/")]
    value: Any = fact.value
    assert (value["name"], value["result"]) == ("far", "refused") and value["key"].endswith(
        "movement/next-move"
    )
    assert value["why"][0]["code"] == "illegal-answer" and value["why"][0]["rule"] == "4.1"


def test_what_may_lose_its_bad_parts_is_repaired_as_a_final_answer_is() -> None:
    play = Play()
    play.file("north", once("far", "next-move", move("n1", "0204"), on_illegal="skip"))
    play.go(card="calm").go(bid=1)
    assert play.asked == [("south", "next-move")], "the default is the end of movement"
    assert play.told("north") == [("far", "used")]


def test_an_answer_with_a_place_off_the_map_is_not_repaired_but_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def strays_in(game: Any, decision: Any, value: Any) -> list[Diagnostic]:
        return [Diagnostic("no-such-place", "not on the map")] if value == move("n1", "9999") else []

    monkeypatch.setattr(resolve, "strays_in", strays_in)
    play = Play()
    play.file("north", once("far", "next-move", move("n1", "9999"), on_illegal="skip"))
    play.go(card="calm").go(bid=1)
    assert play.asked == [("north", "next-move")] and play.names("north") == ["far"]
    assert play.told("north") == [("far", "refused")]


def test_conditions_choose_between_answers() -> None:
    play = Play()
    play.file(
        "south",
        once("weak", "bid", 0, when={"turn": {"at_least": 2}}),
        once("strong", "bid", 3, when={"turn": 1}),
    )
    play.go(card="calm")
    assert play.told("south") == [("strong", "used")] and play.names("south") == ["weak"]
    play.go(north_bid=1)
    assert play.asked == [("south", "next-move")], "the higher bid moves first"


def test_its_owner_is_told_when_the_question_came_and_the_condition_did_not_hold() -> None:
    play = Play()
    play.file("south", once("weak", "bid", 0, when={"turn": {"at_least": 2}}))
    play.go(card="calm")
    assert ("south", "bid") in play.asked and play.told("south") == [("weak", "waits")]


def test_a_subject_names_the_one_question_it_is_for() -> None:
    state = start(SYSTEM, "ford")
    state.position.move("s2", "0202")
    play = Play()
    play.outcome = adjudicate(SYSTEM, state, Inputs(0))
    play.file(
        "south",
        once("other", "reaction", "retreat", subject=["0104"]),
        once("else", "reaction", "retreat", subject=["0201"], when={"unit": "s1"}),
        once("this", "reaction", "stand", subject=["0201"]),
    )
    play.file("north", once("attack", "next-move", move("n2", "0202")))
    play.go(card="calm").go(bid=1)
    assert ("this", "used") in play.told("south") and play.names("south") == ["other", "else"]


def test_a_pass_for_the_rest_of_a_phase_answers_every_time_and_expires_with_it() -> None:
    play = Play()
    play.file("north", {"decision": "next-move", "name": "pass", "until": "P", "answer": {}})
    play.file("south", {"decision": "next-move", "name": "pass", "until": "T", "answer": {}})
    play.go(card="calm").go(bid=1)
    assert play.names("north") == [] and play.names("south") == [], (
        "both turns are over, and so is game turn 1"
    )
    assert play.asked == [("north", "card")] and play.outcome.place.startswith("Game turn 2")
    assert play.outcome.state.spent == {"north": ["pass"], "south": ["pass"]}


def test_an_answer_that_expires_unused_is_told() -> None:
    play = Play()
    play.file("north", once("late", "reaction", "stand", until="T"))
    play.file("south", {"decision": "next-move", "name": "pass", "until": "T", "answer": {}})
    play.go(card="calm").go(bid=1).go(next_move={})
    assert play.told("north") == [("late", "expired")] and play.names("north") == []


def test_a_list_signed_before_the_owner_knew_does_not_bring_back_what_is_spent() -> None:
    play = Play()
    first = once("first", "next-move", move("n1", "0102"))
    play.file("north", first)
    play.go(card="calm").go(bid=1)
    play.file("north", first, once("end", "next-move", {}))
    assert play.names("north") == ["end"] and play.outcome.state.spent == {"north": ["first"]}
    play.file("north", once("end", "next-move", {}))
    assert play.outcome.state.spent == {}, "no list names it any more"
    play.file("north", first)
    assert play.names("north") == ["first"]


def test_games_without_answers_ahead_are_saved_as_ever() -> None:
    play = Play().go(card="calm").go(bid=1)
    assert "spent" not in play.outcome.state.to_json()
    assert not [fact for fact in facts(SYSTEM, play.outcome) if fact.key.startswith("ahead/")]


@pytest.mark.parametrize(
    "entry, code, path",
    [
        (once("a b", "bid", 1), "bad-name", "once"),
        (once("a", "bid", 1, until="X"), "unknown-key", "until"),
        ({"decision": "bid", "answer": 1, "until": "T"}, "missing-key", "until"),
        ({"decision": "bid", "answer": 1, "subject": [1]}, "missing-key", "subject"),
        ({"decision": "bid", "answer": 1, "name": "x"}, "missing-key", "name"),
        (once("a", "bid", 1) | {"name": "b"}, "two-names", "name"),
        (once("a", "bid", 1, subject="x"), "wrong-type", "subject"),
        (once("a", "bid", 1, on_illegal="drop"), "wrong-type", "on_illegal"),
    ],
)
def test_an_entry_that_cannot_be_used_is_named_with_its_place(entry: Any, code: str, path: str) -> None:
    found = faults(SYSTEM, [entry])
    assert [(fault.code, fault.path) for fault in found] == [(code, ("standing", 0, path))]
    assert usable(SYSTEM, [entry]) == []


def test_two_entries_of_one_name_are_a_fault_and_the_first_counts() -> None:
    both: list[Any] = [once("a", "bid", 1), once("a", "bid", 2)]
    assert [fault.code for fault in faults(SYSTEM, both)] == ["same-name"]
    assert usable(SYSTEM, both) == both[:1]


def test_conditions_test_the_position_as_the_owner_may_know_it() -> None:
    """Own units by their fields, the enemy's only as far as they are seen; nobody learns more from his
    orders."""
    mine, seen, hidden = "unit/n1/hex", "blocks/0104/south", "unit/s1/hex"
    for name, test, holds in [
        (mine, "0101", True), (mine, ["0102", "0103"], False), (seen, {"at_least": 1}, True),
        (hidden, "0104", False), ("blocks/0102/south", {"at_most": 0}, True), ("blocks/0102/south", 0, False),
        ("track/turn", 1, True), ("unit/n1", "0101", False), ("unit/n1/steps", {"at_least": 2}, True),
    ]:  # fmt: skip
        play = Play(FOG)
        play.file("north", once("if", "bid", 3, when={name: test}))
        play.go(card="calm")
        assert (("if", "used") in play.told("north")) is holds, name
