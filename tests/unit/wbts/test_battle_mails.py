"""How many mails a battle takes: without instructions one for each choice, with them the attack alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.engine.adjudicate import Outcome, adjudicate, facts, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.system import find
from pbem.model.facts import may_know
from pbem.model.state import GameState, dump, from_json

WBTS = find("wbts")
COMBAT: list[Any] = [
    {"in": "GT", "do": 1, "n": 1},
    {"in": "B", "do": 2, "players": ["north"], "k": 0},
    {"in": "B.2", "do": 2},
    {"in": "B.2.c", "do": 0, "n": 1},
]
ATTACK = {
    "leader": "U-VANCE",
    "target": "0505",
    "stacks": [{"hex": "0504", "units": ["U-1D", "U-2D"]}, {"hex": "0404", "units": ["U-3D", "U-4D"]}],
}
SECOND = {"target": "0905", "naval": ["U-IC1"]}
NORTH = [
    {"supply_order": ["UST2"]},
    {"losses": {"land": ["U-1D"]}},
    {"retreat": {"exempt": "stay"}},
    {"voluntary": {"attack": {}}},
    {"advance": "all"},
]
SOUTH = [
    {"rbc": {"mode": "stay"}},
    {"def_leader": {"prefer": ["C-BECK"]}},
    {"defence": {}},
    {"supply_order": []},
    {"losses": {}},
    {"retreat": {"exempt": "stay"}},
    {"voluntary": {"defend": {}}},
]

CAUTIOUS = [{"intensity": {"defend": [{"chit": 0}]}}, {"commit": {"1": "none", "2": "none", "3": "none"}}]


def at_combat() -> GameState:
    """The first week's combat phase of the north; Vance is active and Lorne's divisions are his."""
    state = start(WBTS, "marl_crossings")
    position = state.position
    for id in ("U-3D", "U-4D"):
        position.drop(id, "hq")
    position.set("U-VANCE", active=True)
    position.tracks["order"] = ["north", "south"]
    position.tracks["spans"] = {"U-VANCE": {"units": ["U-3D", "U-4D"], "leaders": []}}
    return replace(state, at=COMBAT, position=position)


class Post:
    """The game master: runs a stage whenever the answers are in, and counts."""

    def __init__(self, standing: Mapping[str, Any], seed: int = 1) -> None:
        self.standing = standing
        self.seed = seed
        self.number = 0
        self.asked: list[dict[str, list[str]]] = []
        self.outcome: Outcome | None = None
        self.run(at_combat(), {})

    def run(self, state: GameState, replies: Mapping[str, Mapping[str, Reply]]) -> None:
        self.number += 1
        seed = bytes([self.seed, self.number]) * 16
        self.outcome = adjudicate(
            WBTS, state, Inputs(self.number, replies, standing=self.standing, seed=seed, hidden_seed=seed)
        )
        assert not self.outcome.diagnostics, self.outcome.diagnostics
        asked: dict[str, list[str]] = {}
        for question in self.outcome.pending:
            asked.setdefault(question.party, []).append(question.kind)
        self.asked.append(asked)

    def answer(self, **orders: Mapping[str, Any]) -> None:
        """A stage in which these orders come in, each answer secret or not as its decision wants."""
        assert self.outcome is not None
        replies = {
            party: {
                name: Reply(value, committed=_secret(name), commit=f"{n:064x}" if _secret(name) else None)
                for n, (name, value) in enumerate(answers.items())
            }
            for party, answers in orders.items()
        }
        state = from_json(json.loads(dump(self.outcome.state.to_json())))  # as it goes through its file
        self.run(state, replies)

    @property
    def events(self) -> list[str]:
        assert self.outcome is not None
        return [str(told.event["event"]) for told in self.outcome.told]


def _secret(name: str) -> bool:
    return name.split("/")[0] in ("intensity", "commit-leader", "sealed-intensity", "sealed-commit")


def test_without_instructions_every_choice_is_a_mail_of_its_own() -> None:
    post = Post({})
    assert post.asked == [{"north": ["battles"]}]
    post.answer(north={"battles": {"battles": [ATTACK]}})
    assert post.asked[-1] == {"south": ["defending-leader"]}
    post.answer(south={"defending-leader": "C-BECK"})
    assert post.asked[-1] == {"north": ["intensity"], "south": ["intensity"]}
    post.answer(north={"intensity": 1}, south={"intensity": 1})
    stages = 4
    while "cleanup" not in str(post.asked[-1]):
        kinds = {party: {kind: DEFAULTS[kind] for kind in asked} for party, asked in post.asked[-1].items()}
        post.answer(**kinds)
        stages += 1
    assert "battle-ended" in post.events
    assert 8 <= stages <= 11, post.asked
    assert len({party for asked in post.asked for party in asked}) == 2


DEFAULTS: dict[str, Any] = {
    "supply-sources": [],
    "commit-leader": "none",
    "losses": {},
    "required-retreat": {},
    "voluntary-retreat": {},
    "advance": [],
}


def test_with_instructions_of_both_the_attack_is_the_only_mail() -> None:
    secrets = {"sealed-intensity/attack/1": [{"chit": 2}], "sealed-commit/attack/1": {"2": "U-VANCE"}}
    standing = {
        "north": NORTH,
        "south": [*SOUTH, {"intensity": {"defend": [{"chit": 1}]}}, {"commit": {"3": "C-BECK"}}],
    }
    post = Post(standing)
    post.answer(north={"battles": {"battles": [ATTACK]}, **secrets})
    assert post.asked == [{"north": ["battles"]}, {"north": ["cleanup"]}]
    assert "chits-revealed" in post.events and "battle-ended" in post.events
    assert post.outcome is not None
    chits = next(t.event for t in post.outcome.told if t.event["event"] == "chits-revealed")
    assert (chits["attack"], chits["defend"], chits["table"]) == (2, 1, 3)
    used = {(use.party, use.decision, use.how) for use in post.outcome.used}
    assert ("north", "sealed-intensity/attack/1", "kept") in used


def test_what_is_sealed_for_the_second_battle_outlives_the_stop_in_the_first() -> None:
    """The defender has left nothing: he is asked in between, and the attacker is not asked again."""
    secrets = {
        "sealed-intensity/attack/1": [{"chit": 1}],
        "sealed-commit/attack/1": {"1": "U-VANCE"},
        "sealed-commit/attack/2": {"1": "U-DANE"},
    }
    post = Post({"north": NORTH})
    post.answer(north={"battles": {"battles": [ATTACK, SECOND]}, **secrets})
    assert post.asked[-1] == {"south": ["defending-leader"]}
    assert post.outcome is not None
    kept = post.outcome.position.tracks["secrets"]
    assert isinstance(kept, dict) and isinstance(kept["north"], dict)
    assert sorted(kept["north"]) == sorted(secrets), "all are laid down before the first battle"
    post.answer(
        south={
            "defending-leader": "C-BECK",
            "sealed-intensity/defend/1": [],
            "sealed-commit/defend/1": {},
            "losses": {},
            "voluntary-retreat": {},
        }
    )
    assert post.asked[-1] == {"south": ["defence"]}, "the second battle, against the fort"
    assert [entry["as"] for entry in post.outcome.state.kept] == ["sealed-commit/attack/2"]
    assert post.outcome.state.kept[0]["seal"] != "sealed-commit/attack/2", "a key of the place it came in"
    post.answer(south={"defence": {}})
    committed = [t.event for t in post.outcome.told if t.event["event"] == "leaders-committed"]
    assert [event["attack"] for event in committed] == ["Dane"]
    assert post.outcome.state.kept == []
    assert all("north" not in asked for asked in post.asked[1:-1]), post.asked


def test_what_is_laid_down_is_told_without_what_it_says() -> None:
    post = Post({"north": NORTH})
    post.answer(north={"battles": {"battles": [ATTACK]}, "sealed-intensity/attack/1": [{"chit": 3}]})
    assert post.outcome is not None
    lodged = [t.event for t in post.outcome.told if t.event["event"] == "secret-lodged"]
    assert [(event["side"], event["name"]) for event in lodged] == [("north", "sealed-intensity/attack/1")]
    assert "chit" not in json.dumps(lodged)
    known = [f for f in facts(WBTS, post.outcome) if may_know(f.audience, "south")]
    assert not any('"chit": 3' in json.dumps(fact.value) for fact in known)


def test_a_sealed_chit_above_the_initiative_counts_as_the_limit() -> None:
    post = Post(
        {
            "north": NORTH,
            "south": [*SOUTH, {"intensity": {"defend": [{"chit": 0}]}}, {"commit": {"1": "none"}}],
        }
    )
    post.answer(
        north={
            "battles": {"battles": [ATTACK]},
            "sealed-intensity/attack/1": [{"chit": 9}],
            "sealed-commit/attack/1": {},
        },
    )
    assert post.outcome is not None
    chits = next(t.event for t in post.outcome.told if t.event["event"] == "chits-revealed")
    assert chits["attack"] == chits["attack_limit"] == 3


def test_the_battle_leaves_nothing_behind_that_does_not_belong_to_the_game() -> None:
    post = Post(
        {
            "north": NORTH,
            "south": [*SOUTH, {"intensity": {"defend": [{"chit": 0}]}}, {"commit": {"1": "none"}}],
        }
    )
    post.answer(
        north={
            "battles": {"battles": [ATTACK]},
            "sealed-intensity/attack/1": [{"chit": 1}],
            "sealed-commit/attack/1": {},
        }
    )
    assert post.outcome is not None
    tracks = post.outcome.position.tracks
    assert tracks["battle"] is None and tracks["battle_list"] == {} and tracks["secrets"]["north"] == {}  # type: ignore[index,call-overload]
    assert WBTS.invariants(game_of(WBTS, post.outcome.state, post.outcome.position)) == []
