"""Whatever an order names, it is done or refused: nothing else happens (4.0.9, 4.0.12, 4.17)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.model.codec import from_json
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.actions import KINDS, Action, Batch
from pbem.systems.ocs.rules.decisions.loop import Actions
from pbem.systems.ocs.rules.loops import faults_of

SEGMENTS = {
    "movement": "C", "air_naval": "C", "reaction": "E", "all_barrage": "E", "artillery": "F", "combat": "F",
    "exploitation": "G",
}  # fmt: skip


class Scribbler:
    """Orders by chance: any counter, any place, any number."""

    def __init__(self, game: Game, seed: str) -> None:
        self.rng = random.Random(seed)
        self.counters = [*game.position.ids(), "NOBODY"]
        self.places = list(game.world.index)

    def ids(self) -> list[str]:
        return [self.rng.choice(self.counters) for _ in range(self.rng.choice((0, 1, 1, 2)))]

    def id(self) -> str:
        return self.rng.choice(self.counters)

    def hex(self) -> str:
        return self.rng.choice(self.places)

    def way(self) -> list[str]:
        return [self.hex() for _ in range(self.rng.choice((0, 1, 2)))]

    def t(self) -> int:
        return self.rng.choice((0, 1, 4, 99))

    def pick(self, *words: str) -> str:
        return self.rng.choice(words)

    def action(self) -> Any:
        kind = self.rng.choice(KINDS)
        return {kind: getattr(self, f"_{kind}")()}

    def _move(self) -> Any:
        blocked = self.pick("refuse", "stop", "round", "attack")
        steps = [{"to": self.way(), "drop": self.ids(), "overrun": {"hex": self.hex(), "ar": self.id()}}]
        return {
            "units": self.ids(),
            "path": self.way(),
            "steps": steps,
            "fuel": "single",
            "if_blocked": blocked,
        }

    def _stand(self) -> Any:
        return {
            "units": self.ids(),
            "facing": self.pick("combat", "move"),
            "mode": self.pick("plain", "reserve", "strat"),
        }

    def _fuel(self) -> Any:
        return {self.pick("formation", "hq"): self.pick("A5", "B7", "M1", self.id()), "provider": self.id()}

    def _haul(self) -> Any:
        step = {
            "to": self.way(),
            "load": self.t(),
            "unload": self.t(),
            "fuels": self.ids(),
            "drop": self.ids(),
        }
        return {"points": self.ids(), "path": self.way(), "steps": [step]}

    def _rail(self) -> Any:
        return {
            "units": self.ids(),
            "points": self.ids(),
            "tokens": self.t(),
            "origin": self.hex(),
            "path": self.way(),
        }

    def _ship_cargo(self) -> Any:
        return {
            "to": self.hex(),
            "origin": self.hex(),
            "units": self.ids(),
            "points": self.ids(),
            "tokens": self.t(),
        }

    def _naval(self) -> Any:
        return {"ships": self.ids(), "path": self.way()}

    def _air(self) -> Any:
        kind = self.pick("sweep", "barrage", "hip_shoot", "trainbusting", "transport", "drop", "transfer")
        target = self.pick("units", "air_base", "port", "ship")
        return {
            "kind": kind,
            "aircraft": self.ids(),
            "hex": self.hex(),
            "target": target,
            "ship": self.id(),
            "units": self.ids(),
            "tokens": self.t(),
        }

    def _fire(self) -> Any:
        target = self.pick("units", "air_base", "port", "ship")
        return {"units": self.ids(), "hex": self.hex(), "target": target, "ship": self.id(), "hq": self.id()}

    def _attack(self) -> Any:
        return {
            "hex": self.hex(),
            "units": self.ids(),
            "ar": self.id(),
            "dumps": self.way(),
            "along": self.ids(),
        }

    def _build(self) -> Any:
        work = self.pick("air_base", "strip", "hedgehog", "port")
        return {"units": self.ids(), "work": work, "hex": self.hex(), "reduce": self.rng.random() < 0.5}

    def _blow(self) -> Any:
        return {"hex": self.hex(), "tokens": self.t()}

    def _release(self) -> Any:
        return {"units": self.ids()}

    def _breakdown(self) -> Any:
        return {"parent": self.id(), "unit": self.id()}

    def _combine(self) -> Any:
        return {"aircraft": [self.id(), self.id()]}

    def _regroup(self) -> Any:
        return {"points": self.ids(), "into": [1, 2]}

    def _extender(self) -> Any:
        return (
            {self.pick("revert", "collapse"): self.id(), "to": self.hex()}
            if self.rng.random() < 0.5
            else {"form": self.ids()}
        )

    def _embark(self) -> Any:
        return {"craft": self.ids(), "units": self.ids(), "points": self.ids(), "tokens": self.t()}

    def _land(self) -> Any:
        return {
            "craft": self.ids(),
            "hex": self.hex(),
            "units": self.ids(),
            "points": self.ids(),
            "tokens": self.t(),
        }

    def _assault(self) -> Any:
        return {"craft": self.ids(), "hex": self.hex(), "units": self.ids(), "ar": self.id()}


def board(scenario: str, phase: str, side: str) -> Game:
    game = game_of(SYSTEM, start(SYSTEM, scenario, {}))
    game.tracks.update({"phase": phase, "acting": side, "turn": 1})
    return game


@pytest.mark.parametrize("scenario", ["crossing_the_tol", "reed_coast"])
def test_any_order_is_done_or_refused(scenario: str) -> None:
    for segment, phase in SEGMENTS.items():
        for side in ("aster", "bren"):
            game = board(scenario, phase, side)
            before = game.position.copy()
            scribbler = Scribbler(game, f"{scenario} {segment} {side}")
            refused = 0
            for _ in range(120):
                action = from_json(Action, scribbler.action())
                refused += bool(faults_of(game.copy(), side, segment, action, frozenset()))
            assert refused > 60 and game.position == before


def test_all_faults_come_at_once_each_with_its_place() -> None:
    wrong: list[Any] = [
        {"move": {"units": ["B-101"], "path": ["07.06"]}},
        {"move": {"units": ["A-22"], "path": ["08.04", "08.03"]}},
        {"fire": {"units": ["A-31A"], "hex": "08.06"}},
        {"stand": {"units": ["A-24", "A-21"], "mode": "reserve"}},
        {"haul": {"points": ["A-TR1"], "steps": [{"load": 8}, {"to": ["04.05"], "unload": 8}]}},
    ]
    faults = Actions("aster", "movement", 1).check(board("crossing_the_tol", "C", "aster"), batch(wrong))
    assert [(fault.code, fault.path[:3]) for fault in faults] == [
        ("E-MOVE-ELIGIBLE", ("actions", 0, "move")),
        ("E-MOVE-ENEMY", ("actions", 1, "move")),
        ("E-BRG-PHASE", ("actions", 2, "fire")),
        ("E-RES-ZOC", ("actions", 3, "stand")),
        ("E-RES-ZOC", ("actions", 3, "stand")),
        ("E-TP-UNLOAD", ("actions", 4, "haul")),
    ]


def batch(actions: list[Any]) -> Batch:
    return from_json(Batch, {"actions": actions})


def test_an_order_of_500_lines_is_judged_whole() -> None:
    lines: list[Any] = [{"stand": {"units": ["A-24"], "facing": "move"}}]
    lines += [{"move": {"units": ["X"], "path": ["04.11"]}}] * 499
    faults = Actions("aster", "movement", 1).check(board("crossing_the_tol", "C", "aster"), batch(lines))
    assert [fault.path[1] for fault in faults] == list(range(1, 500))
