"""A second implementation of supply and of the combat table, written from the rules alone: slow and plain.

It reads the scenario, the charts and the counters as data and shares no code with the package. 4.0.3 costs,
4.0.4 supply paths, 4.0.5 dumps and throws, 4.4.9 detrainable hexes, 4.5.2 sources, Extenders, trace; 4.9.4 to
4.9.7 strengths, odds, surprise, result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

Data = Mapping[str, Any]
ALL = "ALL"
OTHERS = ("transport", "extender", "aircraft", "ship")


def height(hex: str) -> tuple[int, int]:
    column, row = int(hex[:2]), int(hex[3:])
    return column, 2 * row + (column % 2 == 0)


def around(hex: str) -> list[str]:
    c, h = height(hex)
    spots = [(c, h + 2), (c, h - 2), (c + 1, h + 1), (c + 1, h - 1), (c - 1, h + 1), (c - 1, h - 1)]
    return [f"{x:02}.{(y - (x % 2 == 0)) // 2:02}" for x, y in spots]


class Supply:
    """The supply of one side on one board. `still`: nobody can move, as in every test of trace (R-105)."""

    def __init__(
        self, scenario: Data, chart: Data, counters: Data, tracks: Data, side: str, still: bool = True
    ):
        self.scenario, self.chart, self.tracks, self.side, self.still = scenario, chart, tracks, side, still
        self.enemy = next(seat for seat in scenario["seats"] if seat != side)
        self.rows = {
            row["id"]: row for seat in scenario["seats"] for row in scenario["oob"][seat].get("units", ())
        }
        self.formation = {
            id: name
            for seat in scenario["seats"]
            for name, members in scenario["oob"][seat].get("formations", {}).items()
            for id in members
        }
        self.counters = counters
        self.units = {id: c for id, c in counters.items() if c["kind"] not in OTHERS}
        grid = scenario["map"]["terrain"]
        self.terrain: dict[str, str] = {}
        for n, row in enumerate(grid):
            for c, letter in enumerate(row.split(), 1):
                self.terrain[f"{c:02}.{len(grid) - n:02}"] = scenario["map"]["legend"][letter]
        self.rivers: dict[frozenset[str], list[str]] = {}
        for kind, sides in scenario["map"].get("hexsides", {}).items():
            for one in sides:
                self.rivers.setdefault(frozenset(one.split("/")), []).append(kind)
        self.pairs: dict[frozenset[str], list[str]] = {}
        for kind, chains in scenario["map"].get("links", {}).items():
            for chain in chains:
                for pair in pairwise(chain.split("-")):
                    self.pairs.setdefault(frozenset(pair), []).append(kind)
        self._reached: dict[tuple[str, int, str], dict[str, tuple[int, Fraction]]] = {}
        self.foes = {c["hex"] for c in self.units.values() if c["owner"] == self.enemy}
        self.friends: dict[str, list[str]] = {}
        for id, c in sorted(self.units.items()):
            if c["owner"] == side:
                self.friends.setdefault(c["hex"], []).append(id)
        self.zone = {
            n
            for id, c in self.units.items()
            if c["owner"] == self.enemy and self.zoc(id)
            for n in around(c["hex"])
        }

    # 2.9

    def shows(self, id: str) -> list[Any]:
        facing = self.units[id].get("facing", "combat")
        shown: list[Any] = self.rows[id]["c" if facing == "combat" else "m"]
        return shown

    def zoc(self, id: str) -> bool:
        c = self.units[id]
        if (
            c.get("oos")
            or c.get("facing", "combat") != "combat"
            or c.get("marker", "none") not in ("none", "exploit")
        ):
            return False
        return self.shows(id)[0] is not None

    def may_move(self, id: str) -> bool:
        """4.4.4 Might it spend movement points later in this phase?"""
        c, phase = self.units[id], self.tracks["phase"]
        if self.still or c.get("done") or c.get("committed") or self.tracks["acting"] != self.side:
            return False
        if phase == "C":
            return True
        marks = {"E": ("reserve",), "G": ("reserve", "exploit")}.get(phase, ())
        return bool(marks) and (c.get("marker", "none") in marks or bool(c.get("released")))

    def open(self, hex: str) -> bool:
        """In an enemy zone that nobody negates without being committed."""
        return hex in self.zone and not any(not self.may_move(id) for id in self.friends.get(hex, ()))

    # 4.0.3

    def off_road(self, a: str, b: str, m: str, weather: Data, bridged: bool = False) -> Any:
        put = weather.get("set", {})
        kind = self.terrain[b]
        base = put.get(kind, self.chart["hex"][kind])[m]
        if base == "P":
            return None
        add = weather.get("add", {}).get(m, {}).get(kind, 0)
        side = self.chart["hexside_add"]
        features = self.rivers.get(frozenset((a, b)), ())
        water = [(side[f"bridged_{w}"] if bridged else put.get(w, side[w]))[m] for w in features]
        numbers = [Fraction(w) for w in water if w not in ("P", ALL)]
        over: Any = min(numbers) if numbers else ALL if ALL in water else "P" if water else Fraction(0)
        if over == "P":
            return None
        return ALL if ALL in (base, over) else Fraction(base) + add + over

    def cost(self, a: str, b: str, m: str, state: str, bridged: bool = False) -> Any:
        """With roads; None where it is closed, one way or the other."""
        weather = self.chart["weather"][state]
        kinds = self.pairs.get(frozenset((a, b)), ())
        if kinds:
            more = weather.get("add", {}).get(m, {}).get("track_pair", 0)
            return min(
                Fraction(self.chart["road_pairs"][k][m]) + (more if k == "track" else 0) for k in kinds
            )
        back = self.off_road(b, a, m, weather, bridged)
        return None if back is None else self.off_road(a, b, m, weather, bridged)

    def path_step(self, a: str, b: str, m: str) -> Any:
        """4.0.4 In normal weather, in that of the turn only where it is lower; over bridges (R-301)."""
        over = (False, self.at_work(a) or self.at_work(b))
        grounds = ("dry", self.tracks.get("ground", "dry"))
        both = [self.cost(a, b, m, ground, bridged) for ground in grounds for bridged in over]
        numbers = [one for one in both if one not in (None, ALL)]
        return min(numbers) if numbers else ALL if ALL in both else None

    # 4.0.4

    def reach(self, start: str, limit: int, m: str) -> dict[str, tuple[int, Fraction]]:
        """hex -> (units that must stay, cost), the fewest and then the cheapest; every way is tried."""
        if (start, limit, m) in self._reached:
            return self._reached[start, limit, m]
        labels: dict[str, set[tuple[int, Fraction]]] = {start: {(0, Fraction(0))}}
        todo = [(start, 0, Fraction(0))]
        while todo:
            here, stay, spent = todo.pop()
            for to in around(here):
                if to not in self.terrain or to in self.foes:
                    continue
                step = self.path_step(here, to, m)
                if step is None or (step == ALL and (here != start or spent)):
                    continue
                now = Fraction(limit) if step == ALL else spent + step
                more = stay
                if m == "truck" and self.open(to):
                    if not self.friends.get(to):
                        continue
                    more += 1
                if now > limit or any(s <= more and c <= now for s, c in labels.get(to, ())):
                    continue
                labels.setdefault(to, set()).add((more, now))
                todo.append((to, more, now))
        self._reached[start, limit, m] = {hex: min(found) for hex, found in labels.items()}
        return self._reached[start, limit, m]

    def touch(self, start: str, limit: int, m: str, target: str) -> tuple[int, Fraction] | None:
        if target in self.foes:
            return None
        reached = self.reach(start, limit, m)
        return min((reached[h] for h in (target, *around(target)) if h in reached), default=None)

    # 4.0.5

    def is_hq(self, id: str) -> bool:
        return bool(self.units[id]["kind"] == "hq")

    def draws(self, id: str, target: str) -> tuple[int, Fraction] | None:
        m = self.rows[id].get("throw_mobility", "truck") if self.is_hq(id) else "truck"
        return self.touch(self.units[id]["hex"], 5, m, target)

    def throws(self, hq: str, id: str) -> tuple[int, Fraction] | None:
        row = self.rows[hq]
        range = row.get("throw", [0, 0])[0 if self.units[hq].get("facing", "combat") == "combat" else 1]
        if not range or hq == id or self.units[hq].get("marker") == "strat" or not self.serves(hq, id):
            return None
        return self.touch(
            self.units[hq]["hex"], range, row.get("throw_mobility", "truck"), self.units[id]["hex"]
        )

    def serves(self, hq: str, id: str) -> bool:
        row, one = self.rows[hq], self.rows[id]
        if "divisional_hq" not in row.get("flags", ()):
            return True
        mine = self.formation.get(hq)
        if mine is not None and self.formation.get(id) == mine:
            return True
        independent = self.formation.get(id) is None and one.get("steps", 1) == 1
        return independent and row.get("nation", self.side) == one.get("nation", self.side)

    def hqs(self) -> Iterator[str]:
        return (id for id, c in sorted(self.units.items()) if c["owner"] == self.side and self.is_hq(id))

    def dumps(self) -> dict[str, int]:
        """T by hex, the loads of organic trucks aside."""
        found = {hex: d["t"] for hex, d in self.tracks["dumps"].items() if d["owner"] == self.side}
        for c in self.counters.values():
            if (
                c["kind"] == "transport"
                and c["owner"] == self.side
                and c.get("load")
                and not c.get("organic_of")
            ):
                found[c["hex"]] = found.get(c["hex"], 0) + c["load"]
        return found

    def usable(self, id: str) -> list[tuple[int, int, Fraction, str]]:
        """(units that must stay, thrown, cost, dump) in the order of payment (R-104, R-128, R-203)."""
        found = []
        for hex in self.dumps():
            ways = [(near[0], 0, near[1])] if (near := self.draws(id, hex)) is not None else []
            for hq in self.hqs():
                drawn, thrown = self.draws(hq, hex), self.throws(hq, id)
                if drawn is not None and thrown is not None:
                    ways.append((drawn[0] + thrown[0], 1, drawn[1] + thrown[1]))
            if ways:
                found.append((*min(ways), hex))
        return sorted(found)

    # 4.4.9, 4.5.2: with `still`

    def port_T(self, hex: str) -> int:
        port = self.tracks["ports"][hex]
        return int(
            port["printed_t"] * Fraction((100, 80, 60, 40, 20)[port.get("hits", 0)], 100) + Fraction(1, 2)
        )

    def gives(self, hex: str) -> bool:
        """R-121 A source of the scenario."""
        port = self.tracks["ports"].get(hex)
        if hex in self.foes or self.open(hex) or self.tracks["control"].get(hex) == self.enemy:
            return False
        return port is None or self.port_T(hex) >= 4

    def stop(self, hex: str) -> bool:
        if self.terrain[hex] in ("village", "minor_city", "major_city") or hex in self.tracks["ports"]:
            return True
        return any(
            self.is_hq(id)
            and self.units[id].get("facing", "combat") == "combat"
            and self.units[id].get("marker", "none") in ("none", "dg")
            for id in self.friends.get(hex, ())
        )

    def rails(self, hex: str) -> list[str]:
        return [to for to in around(hex) if "railroad" in self.pairs.get(frozenset((hex, to)), ())]

    def lines(self, starts: list[str]) -> set[str]:
        """Rail hexes that trains of supply come to from these."""
        seen, todo = set(starts), list(starts)
        while todo:
            for to in self.rails(todo.pop()):
                mine = self.tracks["control"].get(to) == self.side
                if to in seen or to in self.foes or self.open(to) or (self.stop(to) and not mine):
                    continue
                seen.add(to)
                todo.append(to)
        return seen

    def sources(self) -> set[str]:
        given = [hex for hex in self.scenario["supply_sources"].get(self.side, ()) if self.gives(hex)]
        heads = [hex for hex in given if self.rails(hex)]
        linked: list[str] = []
        waiting = {
            id: c
            for id, c in self.counters.items()
            if c["kind"] == "extender" and c["owner"] == self.side and not self.open(c["hex"])
        }
        while True:
            ends = self.lines([*heads, *(hex for hex in linked if self.rails(hex))])
            stops = {h for h in ends if self.stop(h) and self.tracks["control"].get(h) == self.side}
            found = {h for h in {*given, *linked, *stops} if h not in self.foes and not self.open(h)}
            more = [
                id
                for id, c in waiting.items()
                if any(self.touch(c["hex"], c["range"], c["mobility"], s) is not None for s in found)
            ]
            if not more:
                return found
            for id in more:
                linked.append(waiting.pop(id)["hex"])

    def traced(self, id: str, sources: set[str]) -> tuple[set[str], set[str]]:
        """The sources a unit draws directly, and the HQs that serve it."""
        drawn = {s for s in sources if self.draws(id, s) is not None}
        served = {
            hq
            for hq in self.hqs()
            if self.throws(hq, id) is not None and any(self.draws(hq, s) is not None for s in sources)
        }
        return drawn, served

    # 4.9.9

    def at_work(self, hex: str) -> bool:
        """An engineer in a hex: here only HQs are."""
        shown = [self.units[id] for id in self.friends.get(hex, ()) if self.is_hq(id)]
        return any(
            c.get("facing", "combat") == "combat" and c.get("marker", "none") in ("none", "dg") for c in shown
        )

    def falls_back_on(self, id: str) -> str:
        side = self.rows[id]["m"] if self.is_hq(id) or self.shows(id)[1] == 0 else self.shows(id)
        return str(side[2])

    def closed(self, group: list[str], a: str, b: str) -> bool:
        """To a group that retreats."""
        if b not in self.terrain or b in self.foes or self.terrain[b] in ("sea", "lake"):
            return True
        things = [self.tracks[name].get(b) for name in ("dumps", "ports", "bases", "hedgehogs")]
        hostile = any(one is not None and one["owner"] == self.enemy for one in things)
        hostile = hostile or any(c["owner"] == self.enemy and c["hex"] == b for c in self.counters.values())
        if hostile and not any(self.fights(id) for id in group):
            return True
        ground, bridged = self.tracks.get("ground", "dry"), self.at_work(a) or self.at_work(b)
        return any(self.cost(a, b, self.falls_back_on(id), ground, bridged) is None for id in group)

    def fights(self, id: str) -> bool:
        return self.shows(id)[0] is not None and self.units[id].get("marker", "none") not in (
            "reserve",
            "strat",
        )

    def retreat(self, group: list[str], n: int) -> tuple[int, tuple[str, ...]] | None:
        """The default path of a group that stays together, and the steps it costs: every path is tried."""
        start = self.units[group[0]]["hex"]
        hqs = [self.units[id]["hex"] for id in self.hqs() if id not in group]
        ways, found = [(start,)], []
        for _ in range(n + 2):
            ways = [
                (*way, to)
                for way in ways
                for to in around(way[-1])
                if to not in way and not self.closed(group, way[-1], to)
            ]
            for way in ways:
                if apart(start, way[-1]) == n:
                    lost, zones = self.price(group, way[1:])
                    there = {*self.friends.get(way[-1], ()), *group}
                    over = max(0, sum(self.size(id) for id in there) - 10)
                    far = min((apart(way[-1], hq) for hq in hqs), default=0)
                    found.append((lost, zones, over, far, way[-1], way[1:]))
            if found:
                best = min(found)
                return best[0], best[-1]
        return None

    def size(self, id: str) -> int:
        return int(self.rows[id].get("re", 1)) - int(self.units[id].get("lost", 0))

    def price(self, group: list[str], way: tuple[str, ...]) -> tuple[int, int]:
        """Steps lost, hexes in zones."""
        left = {id: int(self.rows[id].get("steps", 1)) - int(self.units[id].get("lost", 0)) for id in group}
        dg = {id for id in group if self.units[id].get("marker") == "dg"}
        strat = {id for id in group if self.units[id].get("marker") == "strat"}
        lost = zones = 0
        for n, hex in enumerate(way):
            if hex in self.zone:
                zones += 1
                lost += sum(left[id] for id in strat)
                left |= dict.fromkeys(strat, 0)
                able = sorted(id for id in dg if left[id])
                if able:
                    left[able[0]] -= 1
                    lost += 1
            if hex in self.zone or n == 1:
                dg = set(group)
        return lost, zones


def apart(one: str, other: str) -> int:
    """2.2 The distance of two hexes."""
    (c, h), (x, y) = height(one), height(other)
    return abs(c - x) + max(0, (abs(h - y) - abs(c - x)) // 2)


# combat


def nearest(value: Fraction) -> int:
    return (value + Fraction(1, 2)).__floor__()


def at_level(row: Data) -> int:
    """0 none, 1 light, 2 heavy."""
    flags = row.get("flags", ())
    if row["category"] == "armor" or "anti_tank" in flags or "anti_aircraft" in flags:
        return 2
    if row["category"] == "mech":
        return 2 if "tank_symbol" in flags else 1
    return 0


class Fight:
    """4.9.4 to 4.9.7 One attack. A unit is (row of the scenario, state); attackers come by hex, with the
    features of the hexside they cross."""

    def __init__(self, charts: Data, ground: str, target: list[str], hedgehog: int):
        self.charts, self.ground, self.target, self.hedgehog = charts, ground, target, hedgehog

    def factor(self, terrain: str, category: str, attack: bool) -> Fraction:
        if self.ground == "freeze" and terrain in ("minor_river", "major_river"):
            terrain = f"frozen_{terrain}"
        row = self.charts["hex"].get(terrain) or self.charts["hexside"][terrain]
        return Fraction(str(row["attack" if attack else "defend"][category]).strip("[]"))

    def base(self, row: Data, state: Data, attack: bool) -> Fraction:
        number = row["c" if state.get("facing", "combat") == "combat" else "m"][0]
        if number is None:
            if attack:
                return Fraction(0)
            hq = 5 if state.get("facing", "combat") == "combat" else 1
            number = hq if row["kind"] == "hq" else 1
        value = Fraction(number)
        marker, lost, steps = state.get("marker", "none"), state.get("lost", 0), row.get("steps", 1)
        if marker == "strat":
            return Fraction(0)
        if marker == "dg":
            value /= 2
        if marker == "reserve" and not attack:
            value /= 2
        if state.get("oos"):
            value /= 2
        if not attack and not state.get("supplied", True):
            value /= 2
        if steps > 1 and attack and lost:
            value /= 2
        if steps > 1 and not attack and 2 * lost >= steps:
            value /= 2
        return value

    def rating(self, row: Data, state: Data) -> int:
        if state.get("marker") == "strat":
            return 0
        return int(row["ar"]) - (1 if state.get("marker") == "dg" else 0)

    def strength(self, attackers: list[Any], defenders: list[Any]) -> Fraction:
        """`attackers`: (hexside features, [(row, state)]) for each hex they attack from."""
        level = max([at_level(row) for row, _ in defenders] + ([2] if self.hedgehog else []))
        total = Fraction(0)
        for features, group in attackers:
            options = []
            for terrain in [*self.target, *features]:
                amount = Fraction(0)
                for row, state in group:
                    factor = self.factor(terrain, row["category"], True)
                    own = at_level(row)
                    if row["category"] in ("armor", "mech") and factor == 2 and level and level >= own:
                        factor = Fraction(3, 2)
                    amount += self.base(row, state, True) * factor
                options.append(amount)
            total += min(options)
        return total

    def defence(self, a: Fraction, defenders: list[Any]) -> tuple[Fraction, str, int]:
        """Strength, row, column: the lowest column, the denser row, the higher strength, the name."""
        found = []
        order = list(self.charts["odds"])
        for terrain in self.target:
            d = sum(
                (self.base(r, s, False) * self.factor(terrain, r["category"], False) for r, s in defenders),
                Fraction(0),
            )
            row = self.charts["hex"][terrain]["row"]
            found.append((self.column(row, a, d), -order.index(row), -d, terrain, d, row))
        at, _, _, _, d, row = min(found)
        return d, row, at

    def column(self, row: str, a: Fraction, d: Fraction) -> int:
        labels = self.charts["odds"][row]
        if not d:
            return 12 if a else labels.index("1:1")
        if not a:
            return 0
        if a >= d:
            odds = Fraction(nearest(a / d))
        else:
            odds = Fraction(1, nearest(d / a))
        best = 0
        for n, label in enumerate(labels):
            left, right = label.split(":")
            if Fraction(int(left), int(right)) <= odds:
                best = n
        return best

    def result(
        self, at: int, overrun: bool, edge: int, surprise: int, shift: int, dice: int
    ) -> tuple[int, str]:
        s = surprise + edge - (1 if self.hedgehog else 0)
        if s >= (9 if overrun else 10):
            at += shift
        elif s <= (6 if overrun else 5):
            at -= shift
        at = max(0, min(12, at))
        total = max(1, min(15, dice + edge - self.hedgehog))
        letter = self.charts["crt"]["rows"][str(total)][at]
        place = list(self.charts["crt"]["letters"]).index(letter)
        return at, str(self.charts["crt"]["results"][place])
