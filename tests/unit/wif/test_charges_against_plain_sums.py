"""What reorganization charges beside plain sums from the rules (4.6.2, 4.6.16, 4.8.4): lists by chance; every
success is priced again from the printed figures alone, halves summed for each headquarters, fuel for each
power; what was refused has changed nothing."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from math import floor
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.rules import Game
from pbem.systems.wif import SYSTEM
from pbem.systems.wif.rules.entries import Way, Wish
from pbem.systems.wif.rules.occasions import Done, Failed, begin, work_through
from pbem.systems.wif.rules.pieces import Chit, Occasion, T
from pbem.systems.wif.rules.reorganize import Reorganizer

METHODS = ("hq", "limited", "primary", "rail", "secondary", "supply_unit", "trs", "at_sea", None)
SOURCES = ("0403", "0402", "0302", "0705", "0107", "0801", "CW-HQ1", "CW-HQ2", "US-HQ1", "CW-TR1", "US-TR1")
VALUES = {"CW-HQ1": 3, "CW-HQ2": 4, "US-HQ1": 2}
COSTS = {
    "CW-HQ1": 8,
    "CW-HQ2": 5,
    "US-HQ1": 5,
    "CW-I1": 3,
    "CW-M1": 4,
    "CW-P1": 5,
    "CW-G1": 5,
    "CW-S1": 3,
    "CW-F1": 2,
    "CW-F2": 3,
    "CW-T1": 3,
    "CW-L1": 3,
    "CW-B1": 4,
    "CW-N1": 3,
    "CW-D1": 2,
    "CW-R1": 5,
    "NO-I1": 3,
    "NO-G1": 2,
    "CW-BB1": 2,
    "CW-TR1": 2,
    "CW-CA1": 1,
    "CW-CP1": 1,
    "CW-CP2": 1,
    "US-A1": 4,
    "US-I1": 3,
    "US-X1": 4,
    "US-F1": 2,
    "US-TR1": 2,
    "US-CP1": 1,
    "CW-V1": 0,
    "CW-CP3": 1,
}
AIR = {"CW-F1", "CW-F2", "CW-T1", "CW-L1", "CW-B1", "CW-N1", "US-X1", "US-F1", "CW-V1"}
SHIPS = {"CW-BB1", "CW-TR1", "CW-CA1", "CW-CP1", "CW-CP2", "CW-CP3", "US-TR1", "US-CP1"}
HALF = Fraction(1, 2)
FUEL: dict[str, Fraction | int] = {
    "CW-HQ1": 6,
    "CW-HQ2": 4,
    "US-HQ1": 4,
    "CW-M1": 2,
    "US-A1": 2,
    "CW-G1": 2,
    "CW-F1": 1,
    "US-F1": 1,
    "CW-F2": 2,
    "CW-T1": 2,
    "CW-L1": 2,
    "CW-B1": 2,
    "CW-N1": 2,
    "US-X1": 2,
    "CW-V1": 2,
    "CW-BB1": 1,
    "CW-TR1": 1,
    "CW-CA1": 1,
    "US-TR1": 1,
    "CW-CP1": HALF,
    "CW-CP2": HALF,
    "CW-CP3": HALF,
    "US-CP1": HALF,
}
"""4.8.4 HQ-A 6, HQ-I 4, aircraft of two turns 1, other aircraft and land units 2, ships 1, convoys a half."""
MINOR = {"0402", "0301", "0801", "0705"}


def whole(x: Fraction | int) -> int:
    """4.0.1"""
    return floor(x + HALF)


def owner(id: str) -> str:
    return "USA" if id.startswith("US") else "CW"


def chance(seed: str) -> tuple[Game, Reorganizer, random.Random]:
    """The Allies' occasion: most units face-down, some shattered, a chit or none, little fuel, few points."""
    rng = random.Random(seed)
    state = start(SYSTEM, "narrow_sea_1943", {"fuel": True})
    game = game_of(SYSTEM, state, state.position)
    add = game.position.add
    add("CW-HQ2", {"owner": "CW", "type": "HQ-I", "printed": "4-3 reorg 4 cost 5", "hex": "0804"})
    add("CW-V1", {"owner": "CW", "type": "CVP", "printed": "1/1/1/0 r2 c0", "hex": "0402"})
    add("CW-CP3", {"owner": "CW", "type": "CONV", "printed": "", "hex": "NS.0"})
    for id, fields in list(game.position.counters.items()):
        if fields["owner"] != "GE" and rng.random() < (0.3 if "HQ" in id or "TR" in id else 0.85):
            game.position.set(id, face="down", shattered=rng.random() < 0.1)
    if rng.random() < 0.5:
        game.position.set("CW-S1", hex="0805", face="up")
    t = T.of(game)
    t.turn, t.impulse, t.phasing = 1, 1, "allied"
    t.action = {"CW": "land", "USA": "land"}
    t.rate = {"CW": rng.randrange(12, 50), "USA": rng.randrange(6, 20), "GE": 0}
    t.fuel = {"CW": rng.randrange(4, 30), "USA": rng.randrange(2, 12), "GE": 0}
    t.rail_left = {"CW": 2, "USA": 3}
    kind = rng.choice(["air", "land", "combined", None])
    if kind is not None:
        t.chit["CW"] = Chit(kind, rng.choice(["CW-HQ1", "CW-HQ2"]) if kind != "combined" else None)
    if rng.random() < 0.3:
        t.damaged = tuple(sorted(rng.sample(sorted(MINOR), 1)))
    return game, Reorganizer(game, begin(game, "allied", final=False)), rng


def way(rng: random.Random) -> Way:
    via: Any = rng.choice(METHODS)
    if rng.random() < 0.1:
        return Way(activate="CW-S1")
    unit = f"port:{rng.choice(sorted(MINOR))}" if rng.random() < 0.05 else rng.choice(sorted(COSTS))
    source = None if via is None or rng.random() < 0.2 else rng.choice(SOURCES)
    return Way(unit, via, source, oos=via == "primary" and rng.random() < 0.3)


def arm(id: str) -> str:
    return "air" if id in AIR else "sea" if id in SHIPS else "land"


class Plain:
    """The books of one occasion, kept from the rules alone."""

    def __init__(self, game: Game) -> None:
        t = T.of(game)
        self.pool, self.fuel = dict(t.pool), dict(t.fuel)
        self.chit = dict(t.chit)
        self.halves: dict[str, Fraction] = defaultdict(Fraction)
        self.burnt: dict[str, Fraction] = defaultdict(Fraction)
        self.counts: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
        self.slots: Counter[str] = Counter()

    def halved(self, hq: str, id: str, via: str) -> bool:
        """4.6.16 Half the cost: an arm for the headquarters of the chit, all of a power by flipping."""
        found = self.chit.get(owner(hq))
        if found is None or hq not in VALUES:
            return False
        return (found.hq == hq and found.kind == arm(id)) or (found.kind == "combined" and via == "hq")

    def success(self, done: Done) -> None:
        plan = done.plan
        id, via, hq = plan.unit, plan.via, plan.source
        if not plan.repair:
            self._fuel(id)
            cost = self._cost(id, via, hq, plan.oos)
            half_count = (
                self.chit.get("CW") is not None
                and self.chit["CW"].kind == arm(id)
                and self.chit["CW"].hq == hq
            )
            if via in ("hq", "supply_unit", "secondary") or (via == "rail" and hq in VALUES):
                self.counts[hq, "secondary" if via == "rail" else via] += HALF if half_count else 1
            for port in plan.path.ports if plan.path else ():
                coast = plan.path is not None and plan.path.coast and port == plan.path.ports[1]
                self.slots[port] += port in MINOR and not coast
        else:
            cost = 2
        assert plan.cost == cost, (id, via, hq, plan.cost, cost)
        self.pool[plan.payer] -= cost
        assert self.pool[plan.payer] >= 0

    def _cost(self, id: str, via: str, hq: str, oos: bool) -> int:
        if via == "supply_unit":
            return 0
        if hq not in VALUES or via not in ("hq", "secondary", "rail"):
            return COSTS[id] * (2 if oos else 1)
        before = self.halves[hq]
        self.halves[hq] += COSTS[id] * (HALF if self.halved(hq, id, via) else 1)
        return whole(self.halves[hq]) - whole(before)

    def _fuel(self, id: str) -> None:
        whose, before = owner(id), self.burnt[owner(id)]
        self.burnt[whose] += FUEL.get(id, 0)
        self.fuel[whose] -= whole(self.burnt[whose]) - whole(before)
        assert self.fuel[whose] >= 0

    def limits(self) -> None:
        """2.4 No counter is above its limit."""
        for (hq, via), used in self.counts.items():
            assert used <= (1 if via == "secondary" else VALUES[hq]), (hq, via, used)
        assert all(used <= 2 for used in self.slots.values()), self.slots


def books(game: Game) -> Any:
    """All that an entry may change."""
    t = T.of(game)
    occasion = Occasion.of(game)
    faces = {id: (f.get("face"), f.get("shattered")) for id, f in game.position.counters.items()}
    counted = {
        n: getattr(occasion, n) for n in ("oil", "corps", "secondary", "limited", "hq", "hq_supply", "slots")
    }
    return dict(t.pool), dict(t.fuel), dict(t.rail_left), dict(t.iso_used), t.damaged, faces, counted


@pytest.mark.parametrize("seed", range(60))
def test_charges_and_counts_are_those_of_plain_sums(seed: int) -> None:
    game, r, rng = chance(f"charges {seed}")
    plain, reorganized = Plain(game), set[str]()
    for _ in range(45):
        payer, entry = rng.choice(["CW", "CW", "USA"]), way(rng)
        before = books(game)
        (out,) = work_through(r, payer, (as_wish(entry),), None)
        if isinstance(out, Failed):
            assert books(game) == before, (entry, out)
        elif isinstance(out, Done):
            assert out.plan.unit not in reorganized
            reorganized |= set() if out.plan.repair else {out.plan.unit}
            plain.success(out)
    t = T.of(game)
    assert dict(t.pool) == plain.pool
    assert dict(t.fuel) == plain.fuel
    plain.limits()


def as_wish(entry: Way) -> Any:

    return Wish(entry.unit, entry.via, entry.source, oos=entry.oos, activate=entry.activate)
