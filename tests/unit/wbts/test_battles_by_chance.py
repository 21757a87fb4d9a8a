"""Battles between stacks put anywhere, answered by chance: they end, and what must hold holds."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from pbem.bot.answers import answer
from pbem.engine.adjudicate import Outcome, adjudicate, game_of, start
from pbem.engine.answers import Inputs, Reply
from pbem.engine.system import find
from pbem.model.state import GameState
from tests.unit.wbts.test_battle_mails import COMBAT

WBTS = find("wbts")
LAND = [
    hex
    for hex, kind in WBTS.build_world(WBTS.scenario("marl_crossings"), {}).terrain.items()
    if kind != "sea"
]


def scattered(rng: random.Random, *, fog: bool = False) -> GameState:
    """Everybody within a few hexes, most leaders of the north active, some units on trains or entrenched."""
    state = start(WBTS, "marl_crossings", {"limited_intelligence": fog})
    position = state.position
    world = game_of(WBTS, state).world
    middle = rng.choice(LAND)
    near = [hex for hex in world.within(middle, 2) if hex in LAND]
    sides = {hex: rng.choice(["north", "south"]) for hex in near}
    for id, fields in sorted(position.counters.items()):
        if fields["type"] in ("naval", "entrenchment", "garrison") or fields.get("naval"):
            continue
        mine = [hex for hex, side in sides.items() if side == fields["side"]]
        if mine and fields["type"] != "hq" and fields.get("hq") is None:
            position.move(id, rng.choice(mine))
            if fields["type"] in ("infantry", "cavalry") and rng.random() < 0.2:
                position.set(id, entrained=True)
    for hq in sorted(id for id, fields in position.counters.items() if fields["type"] == "hq"):
        mine = [hex for hex, side in sides.items() if side == position.counters[hq]["side"]]
        if mine:
            goal = rng.choice(mine)
            for id in (hq, *position.find(hq=hq)):
                position.move(id, goal)
    enemies = {hex for hex, side in sides.items()}
    for id, fields in sorted(position.counters.items()):
        if (
            fields["type"] == "garrison"
            and fields["hex"] in enemies
            and sides[str(fields["hex"])] != fields["side"]
        ):
            position.remove(id)
        elif fields["type"] == "entrenchment":
            position.remove(id)
        elif fields["type"] == "leader" and fields["side"] == "north" and rng.random() < 0.7:
            position.set(id, active=True)
    for hex, side in sorted(sides.items()):
        troops = [id for id in position.at(hex) if position.counters[id]["type"] in ("infantry", "militia")]
        if troops and rng.random() < 0.3 and hex not in world.forts:
            position.add(
                f"ENT-{hex}",
                {"type": "entrenchment", "side": side, "hex": hex, "built_gt": rng.choice([-1, 0, 1])},
            )
    position.tracks["order"] = ["north", "south"]
    position.tracks["gt"] = rng.choice([1, 3])
    return replace(state, at=COMBAT, position=position)


def points(outcome: Outcome) -> dict[str, int]:
    """Strength points on the map and lost, by side: no battle makes or unmakes any."""
    tracks: Any = outcome.position.tracks
    found = dict(tracks["losses_sp"])
    for fields in outcome.position.counters.values():
        found[str(fields["side"])] += int(fields.get("sp", 0))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("seed", range(15))
def test_any_battle_comes_to_an_end(seed: int) -> None:
    rng = random.Random(f"battles {seed}")
    state = scattered(rng)
    replies: dict[str, dict[str, Reply]] = {}
    before = None
    for number in range(1, 120):
        dice = rng.randbytes(32)
        outcome = adjudicate(WBTS, state, Inputs(number, replies, seed=dice, hidden_seed=dice))
        assert not outcome.diagnostics, outcome.diagnostics
        game = game_of(WBTS, outcome.state, outcome.position)
        assert WBTS.invariants(game) == []
        assert before is None or points(outcome) == before
        before = points(outcome)
        if any(question.kind == "cleanup" for question in outcome.pending):
            return
        replies = {}
        for question in outcome.pending:
            decision = WBTS.decision(question.kind, question.party, question.fields)
            given = answer(game, decision, rng)
            committed = question.secrecy == "together"
            reply = Reply(given, committed=committed, commit="0" * 64 if committed else None)
            replies.setdefault(question.party, {})[question.key] = reply
        state = outcome.state
    pytest.fail("the combat phase does not end")
