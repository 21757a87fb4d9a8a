"""The attack of 4.26 a second time, as plainly as it can be written: dictionaries, no classes of the system.

Nothing is shared with the package but its data files. Choices nobody gives are the defaults of 5.15.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

Unit = dict[str, Any]
ODD = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1)]
EVEN = [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
ARMOR = ("armor", "mech", "cav_mech")
NOT_INFANTRY = (*ARMOR, "hq", "fortress")


def cube(hex: str) -> tuple[int, int]:
    x, row = int(hex[:2]) - 1, int(hex[2:]) - 1
    return x, row - (x - x % 2) // 2


def distance(a: str, b: str) -> int:
    (q, r), (u, v) = cube(a), cube(b)
    return max(abs(q - u), abs(r - v), abs(q + r - u - v))


class Plain:
    """A map, and units on it."""

    def __init__(self, scenario: Any, combat: Any) -> None:
        rows = [row.split() for row in scenario["map"]["terrain"]]
        self.letter = {
            f"{c + 1:02}{r + 1:02}": rows[r][c] for r in range(len(rows)) for c in range(len(rows[0]))
        }
        self.sides = {
            frozenset(side.split("/")): kind
            for kind, sides in scenario["map"]["hexsides"].items()
            for side in sides
        }
        self.links: dict[frozenset[str], str] = {}
        for kind in ("road", "rail"):
            for chain in scenario["map"]["links"][kind]:
                hexes = chain.split("-")
                self.links |= {frozenset(pair): kind for pair in pairwise(hexes)}
        places = scenario["map"]["places"]
        self.cities = {one["hex"] for one in places["settlement"]}
        self.ports = {one["hex"]: one["zones"] for one in places["port"]}
        self.zone_of = {
            hex: zone for zone, row in scenario["map"]["areas"]["zone"].items() for hex in row["members"]
        }
        self.desert = {hex for hex, letter in self.letter.items() if letter == "D"}
        self.desert |= set(scenario["map"]["areas"]["weather"]["desert"])
        self.country: dict[str, str] = {}
        for name, members in scenario["map"]["areas"]["country"].items():
            for text in members:
                low, _, high = text.partition("..")
                high = high or low
                for c in range(int(low[:2]), int(high[:2]) + 1):
                    for r in range(int(low[2:]), int(high[2:]) + 1):
                        if self.letter[f"{c:02}{r:02}"] != "S":
                            self.country[f"{c:02}{r:02}"] = name
        self.countries = scenario["countries"]
        self.truce = {tuple(pair) for pair in scenario["postures"]["truce"]}
        self.crt = combat["results"]
        self.units: dict[str, Unit] = {}
        self.weather = {"north": "clear", "desert": "clear"}

    # the map

    def around(self, hex: str) -> list[str]:
        column, row = int(hex[:2]), int(hex[2:])
        near = [f"{column + c:02}{row + r:02}" for c, r in (ODD if column % 2 else EVEN)]
        return [other for other in near if other in self.letter]

    def side(self, a: str, b: str) -> str:
        for u in self.units.values():
            if u["where"] == "map" and u["back"] == "beachhead" and u["hex"] in (a, b):
                column = int(u["hex"][:2])
                c, r = (ODD if column % 2 else EVEN)[u["facing"] - 1]
                arrow = f"{column + c:02}{int(u['hex'][2:]) + r:02}"
                if {a, b} == {u["hex"], arrow}:
                    return f"beachhead{u['strength']}"
        if frozenset((a, b)) in self.sides:
            return str(self.sides[frozenset((a, b))])
        return "sea" if "S" in (self.letter[a], self.letter[b]) else "plain"

    def weather_in(self, hex: str) -> str | None:
        if self.letter[hex] == "S":
            beach = self.there(hex, "beachhead")
            if not beach:
                return None
            c, r = (ODD if int(hex[:2]) % 2 else EVEN)[beach[0]["facing"] - 1]
            hex = f"{int(hex[:2]) + c:02}{int(hex[2:]) + r:02}"
        return self.weather["desert" if hex in self.desert else "north"]

    def closed(self, hex: str, faction: str) -> bool:
        name = self.country.get(hex)
        return name is not None and (
            self.countries[name].get("status") == "neutral" or (name, faction) in self.truce
        )

    def owner(self, hex: str) -> str | None:
        name = self.country.get(hex)
        if name is None:
            return None
        row = self.countries[name]
        if row.get("status") == "conquered":
            return str(row["conqueror"])
        return None if row.get("status") == "neutral" else str(row["alignment"])

    # who is where

    def there(self, hex: str, role: str = "ground") -> list[Unit]:
        found = [u for u in self.units.values() if u["where"] == "map" and u["hex"] == hex]
        return sorted((u for u in found if u["role"] == role), key=lambda u: u["id"])

    def foes(self, hex: str, faction: str) -> list[Unit]:
        return [u for u in self.there(hex) if u["f"] != faction]

    def own(self, hex: str, faction: str) -> list[Unit]:
        return [u for u in self.there(hex) if u["f"] == faction]

    def in_zone(self, hex: str, faction: str) -> bool:
        for near in self.around(hex):
            side = self.side(near, hex)
            if side in ("mountain", "sea", "strait_connected", "strait_unconnected"):
                continue
            if self.foes(near, faction):
                return True
        return False

    def control(self, hex: str) -> str | None:
        for u in self.there(hex):
            return str(u["f"])
        return self.owner(hex)

    # 4.12

    def may_enter(self, hex: str, faction: str) -> bool:
        if self.foes(hex, faction) or [u for u in self.there(hex, "airdrop") if u["f"] != faction]:
            return False
        if self.closed(hex, faction):
            return False
        if self.letter[hex] == "S":
            if not [u for u in self.there(hex, "beachhead") if u["f"] == faction]:
                return False
        if not self.own(hex, faction) and self.in_zone(hex, faction):
            return False
        if hex in self.cities or hex in self.ports:
            if self.owner(hex) not in (None, faction) and self.control(hex) != faction:
                return False
        return True

    def may_cross(self, a: str, b: str, faction: str) -> bool:
        if frozenset((a, b)) not in self.sides and "S" in (self.letter[a], self.letter[b]):
            return any(u["f"] == faction for hex in (a, b) for u in self.there(hex, "beachhead"))
        return True

    def open_port(self, hex: str, faction: str) -> bool:
        if self.foes(hex, faction):
            return False
        if self.letter[hex] == "S":
            return any(u["f"] == faction for u in self.there(hex, "beachhead"))
        if self.own(hex, faction):
            return True
        row = self.countries[self.country[hex]]
        at_home = row["kind"] != "dependent" and row.get("status", "active") == "active"
        return at_home and self.owner(hex) == faction

    def zones(self, hex: str) -> list[str]:
        if self.letter[hex] == "S":
            return [self.zone_of[hex]] if hex in self.zone_of else []
        return list(self.ports.get(hex, []))

    def supplied(self, unit: Unit, start: str | None = None) -> bool:
        """4.12.3 forwards from the counter: free hexes, then links and sea."""
        faction, start = unit["f"], start or unit["hex"]
        row = self.countries[unit["c"]]
        cities = (
            self.countries[row["parent"]]["home_cities"] if row["kind"] == "dependent" else row["home_cities"]
        )
        goals = {
            hex
            for hex in cities
            if not self.foes(hex, faction)
            and not [u for u in self.there(hex, "airdrop") if u["f"] != faction]
        }
        if start in goals:
            return True
        todo = [(start, "free", 0)]
        seen = set(todo)
        while todo:
            hex, mode, n = todo.pop()
            for step in self._onward(hex, mode, n, faction):
                if step not in seen and self.may_enter(step[0], faction):
                    if step[0] in goals:
                        return True
                    seen.add(step)
                    todo.append(step)
        return False

    def _onward(self, hex: str, mode: str, n: int, faction: str) -> list[tuple[str, str, int]]:
        found: list[tuple[str, str, int]] = []
        near = [to for to in self.around(hex) if self.may_cross(hex, to, faction)]
        if mode == "free" and n < 2:
            found += [(to, "free", n + 1) for to in near]
        state = "new" if mode == "free" else mode
        for to in near:
            link = self.links.get(frozenset((hex, to)))
            if link == "rail":
                found.append((to, "new" if state == "new" else "done", 0))
            if link == "road" and state in ("new", "road"):
                found.append((to, "road", 0))
        for zone in self.zones(hex):
            convoys = [u for u in self.there(f"{zone}.convoys", "convoy") if u["f"] == faction]
            if any(u["side"] == "supply" for u in convoys) and self.open_port(hex, faction):
                beaches = [
                    u["hex"] for u in self.units.values() if u["where"] == "map" and u["role"] == "beachhead"
                ]
                for port in (*self.ports, *beaches):
                    if port != hex and zone in self.zones(port) and self.open_port(port, faction):
                        found.append((port, "new", 0))
        return found

    # A.1 to A.4

    def hq_reach(self, start: str, target: str) -> bool:
        far = distance(start, target)

        def bad(hex: str) -> bool:
            return bool(self.countries.get(self.country.get(hex, ""), {}).get("status") == "neutral")

        if far > 2 or bad(target):
            return False
        return far < 2 or any(not bad(mid) and target in self.around(mid) for mid in self.around(start))

    def enabled(self, unit: Unit) -> bool:
        if any(u["f"] == unit["f"] for u in self.there(unit["hex"], "beachhead")):
            return True
        return any(
            u["role"] == "blitz"
            and u["where"] == "map"
            and u["f"] == unit["f"]
            and distance(u["hex"], unit["hex"]) <= 2
            for u in self.units.values()
        )

    def shifts(self, target: str, mine: list[Unit], hq: Unit | None, dhq: Unit | None, blitz: bool) -> int:
        faction = mine[0]["f"]
        defenders = self.foes(target, faction)
        net = 0
        if blitz:
            net += any(u["t"] in ARMOR and self.supplied(u) for u in mine)
            net += sum(u["f"] == faction for u in self.there(target, "airdrop"))
            wet = [u for u in mine if self.side(u["hex"], target)[:5] in ("beach", "strai", "sea")]
            net += any(u["t"] == "marine" and self.supplied(u) for u in wet)
        net -= any(u["t"] == "fortress" for u in defenders)
        own = hq or next((u for u in mine if u["t"] == "hq"), None)
        other = next((u for u in defenders if u["t"] == "hq"), None) or dhq
        net += own is not None and self.supplied(own)
        net -= other is not None and self.supplied(other)
        weather = self.weather_in(target)
        for hex in (target, *self.around(target)):
            if weather == "mud" or (weather in ("snow", "storms") and hex != target):
                continue
            for air in self.there(hex, "air"):
                if air["f"] == faction and air["c"] in {u["c"] for u in [*mine, *([hq] if hq else [])]}:
                    net += not blitz or self.enabled(air)
                if air["f"] == defenders[0]["f"]:
                    net -= air["c"] in {u["c"] for u in [*defenders, *([dhq] if dhq else [])]}
        net -= weather == "mud"
        if target in self.cities:
            net -= 1
        elif target not in self.ports and self.letter[target] == "R":
            net -= 1
        cost = {"plain": 0, "river": 1, "mountain": 2, "strait_unconnected": 2, "sea": 2}
        edges = [self.side(u["hex"], target) for u in mine]
        return net - min(cost.get(side, 0) if side in cost else int(side[-1]) for side in edges)

    def column(self, target: str, mine: list[Unit], hq: Unit | None, dhq: Unit | None, blitz: bool) -> int:
        attack = sum(u["face"][0] for u in mine) + (hq["face"][0] if hq else 0)
        defence = sum(u["face"][1] for u in self.foes(target, mine[0]["f"])) + (dhq["face"][1] if dhq else 0)
        ratios = [(1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (8, 1), (9, 1)]
        index = 0
        for n, (top, below) in enumerate(ratios):
            if attack * below >= defence * top:
                index = n
        return max(0, min(10, index + self.shifts(target, mine, hq, dhq, blitz)))

    def legal(self, target: str, mine: list[Unit], hq: Unit | None, blitz: bool) -> bool:
        """A.1"""
        faction = mine[0]["f"]
        defenders = self.foes(target, faction)
        if not defenders or self.closed(target, faction):
            return False
        for u in mine:
            if target not in self.around(u["hex"]) or u["face"][0] < 1:
                return False
            if self.side(u["hex"], target) == "sea" and u["t"] != "marine":
                return False
            if blitz and not self.enabled(u):
                return False
            for d in defenders:
                if (u["c"], d["f"]) in self.truce or (d["c"], faction) in self.truce:
                    return False
        if sum(u["t"] == "hq" for u in mine) + (hq is not None) > 1:
            return False
        if len({u["c"] for u in mine if self.countries[u["c"]]["kind"] == "minor"}) > 1:
            return False
        if hq is not None:
            near = self.hq_reach(hq["hex"], target) and hq["c"] in {u["c"] for u in mine}
            if not near or not self.supplied(hq) or (blitz and not self.enabled(hq)):
                return False
        attack = sum(u["face"][0] for u in mine) + (hq["face"][0] if hq else 0)
        if 3 * attack < sum(u["face"][1] for u in defenders):
            return False
        if blitz and self.weather_in(target) in ("mud", "snow", "storms"):
            return all(self.hardy(u) for u in [*mine, *([hq] if hq else [])])
        return True

    def hardy(self, unit: Unit) -> bool:
        if "ss" in unit["traits"] or "blitz_weather" in self.countries[unit["c"]].get("traits", []):
            return True
        hexes = [unit["hex"], *self.around(unit["hex"])]
        return unit["c"] == "norland" and any(
            "ss" in u["traits"] for hex in hexes for u in self.own(hex, unit["f"])
        )

    # losses and retreats

    def stand_in(self, unit: Unit, steps: int) -> Unit | None:
        if unit["t"] in ("hq", "fortress"):
            return None
        able = [
            u
            for u in self.units.values()
            if u["where"] == "pool"
            and u["f"] == unit["f"]
            and u["c"] == unit["c"]
            and steps in u["faces"]
            and (u["t"] in ARMOR if unit["t"] in ARMOR else False or u["t"] not in NOT_INFANTRY)
        ]
        if not able and unit["t"] in ARMOR:
            able = [
                u
                for u in self.units.values()
                if u["where"] == "pool"
                and u["f"] == unit["f"]
                and u["c"] == unit["c"]
                and steps in u["faces"]
                and u["t"] not in NOT_INFANTRY
            ]
        return min(able, key=lambda u: (u["t"] not in ("infantry", "armor"), u["id"]), default=None)

    def worth(self, unit: Unit) -> tuple[int, int, str]:
        left = unit["steps"] - 1
        rest = unit["faces"].get(left)
        if rest is None and left:
            other = self.stand_in(unit, left)
            rest = other["faces"][left] if other else None
        attack, defence = (rest[0], rest[1]) if rest else (0, 0)
        return sum(unit["face"][:2]) - attack - defence, unit["face"][0] - attack, unit["id"]

    def hit(self, force: list[str], must: set[str]) -> bool:
        """One step; who must take the first one does."""
        able = [self.units[id] for id in force if self.units[id]["where"] == "map"]
        able = [u for u in able if u["id"] in must] or able
        if not able:
            return False
        unit = min(able, key=self.worth)
        left = unit["steps"] - 1
        if left in unit["faces"]:
            unit["steps"], unit["face"] = left, unit["faces"][left]
            return True
        other = self.stand_in(unit, left) if left else None
        unit["where"] = "delay" if unit["delay"] else "pool"
        hex, unit["hex"] = unit["hex"], None
        if other is not None:
            other |= {"where": "map", "hex": hex, "steps": left, "face": other["faces"][left]}
            force[force.index(unit["id"])] = other["id"]
        return True

    def ways(self, force: list[str], at: str, origin: str, far: int) -> list[str]:
        faction = self.units[force[0]]["f"]
        good = []
        for hex in sorted(self.around(at)):
            if distance(origin, hex) <= far or self.side(at, hex) == "sea" or self.closed(hex, faction):
                continue
            if self.foes(hex, faction) or [u for u in self.there(hex, "airdrop") if u["f"] != faction]:
                continue
            beach = self.there(hex, "beachhead")
            if self.letter[hex] == "S" and not [u for u in beach if u["f"] == faction]:
                continue
            good.append(hex)
        free = [hex for hex in good if not self.in_zone(hex, faction)]
        if free:
            return free
        return [
            hex
            for hex in good
            if any(u["f"] == faction for role in ("ground", "airdrop", "air") for u in self.there(hex, role))
        ]

    def too_many(self, hex: str, units: list[Unit]) -> bool:
        tight = hex == "0607" or bool(self.there(hex, "beachhead"))
        minors = {u["c"] for u in units if self.countries[u["c"]]["kind"] == "minor"}
        kinds = [u["t"] for u in units]
        return (
            kinds.count("hq") > 1
            or kinds.count("fortress") > 1
            or len(minors) > 1
            or len(units) > 3
            or sum(u["steps"] for u in units) > (3 if tight else 6)
        )

    def best(self, force: list[str], at: str, origin: str, far: int) -> str | None:
        units = [self.units[id] for id in force if self.units[id]["where"] == "map"]
        lead = min(units, key=lambda u: u["id"])
        homes = (
            self.countries[lead["c"]].get("home_cities")
            or self.countries[self.countries[lead["c"]]["parent"]]["home_cities"]
        )

        def rank(hex: str) -> Any:
            rest = [u for u in self.own(hex, lead["f"]) if u["id"] not in force]
            near = min(distance(hex, home) for home in homes)
            return self.too_many(hex, rest + units), not self.supplied(lead, hex), near, hex

        return min(self.ways(force, at, origin, far), key=rank, default=None)

    def stuck(self, force: list[str]) -> bool:
        return any(self.units[id]["face"][2] == 0 or self.units[id]["t"] == "hq" for id in force)

    def flee(self, force: list[str], hexes: int, origin: str, far: int) -> tuple[int, list[str]]:
        """Hexes not retreated, and everybody who took part."""
        at = self.units[force[0]]["hex"]
        part = list(force)
        left, barred, moved = hexes, self.stuck(force), False
        while left and not barred:
            if moved:
                force += [
                    u["id"]
                    for u in self.own(at, self.units[force[0]]["f"])
                    if u["id"] not in force and u["face"][2]
                ]
            to = self.best(force, at, origin, far)
            if to is None:
                break
            part += [u["id"] for u in self.own(to, self.units[force[0]]["f"])]
            for id in force:
                self.units[id]["hex"] = to
            at, far, moved, left = to, max(far, distance(origin, to)), True, left - 1
        part += force
        return left, list(dict.fromkeys(part))

    # 4.26

    def attack(self, target: str, ids: list[str], hq_id: str | None, blitz: bool, die: int, hold: int) -> str:
        """One attack from A.1 to A.8; the final retreat result, or "refused"."""
        mine = [self.units[id] for id in ids]
        hq = self.units[hq_id] if hq_id else None
        if not self.legal(target, mine, hq, blitz):
            return "refused"
        faction, sides = mine[0]["f"], [self.side(u["hex"], target) for u in mine]
        defenders = [u["id"] for u in self.foes(target, faction)]
        enemy = self.units[defenders[0]]["f"]
        dhq = self.support(target, mine, hq, blitz, enemy)
        index = self.column(target, mine, hq, dhq, blitz)
        code, _, losses = str(self.crt[str(die)][index]).partition(" ")
        if self.weather_in(target) in ("mud", "snow", "storms"):
            code = {"Dr3": "Dr2", "Dr2": "Dr1", "Dr1": "Ex"}.get(code, code)
        wet = [side[:5] in ("beach", "strai", "sea") for side in sides]
        must = {
            u["id"] for u, w in zip(mine, wet, strict=True) if u["t"] in ARMOR or (u["t"] == "marine" and w)
        }
        force, held = [u["id"] for u in mine], list(defenders)
        withdrew = False
        if code in ("Ad", "Ex"):
            groups: dict[str, list[str]] = {}
            for u in mine:
                groups.setdefault(u["hex"], []).append(u["id"])
            if all(not self.stuck(ids) and self.ways(ids, hex, target, 1) for hex, ids in groups.items()):
                withdrew = True
                for _, group in sorted(groups.items()):
                    self.flee(group, 1, target, 1)
            else:
                must = set() if self.hit(force, must) else must
                if code == "Ex":
                    self.exchange(held, target)
        else:
            held = self.driven(held, int(code[2]), target, sides, hold, enemy)
        for _ in range(int(losses.split("/")[0])):
            must = set() if self.hit(force, must) else must
        for _ in range(int(losses.split("/")[1])):
            self.hit(held, set())
        if not withdrew and not self.foes(target, faction) and self.letter[target] != "S":
            self.follow(force, target)
        return code

    def support(self, target: str, mine: list[Unit], hq: Unit | None, blitz: bool, enemy: str) -> Unit | None:
        held = [u for u in self.there(target) if u["f"] == enemy]
        if any(u["t"] == "hq" for u in held):
            return None
        best, least = None, self.column(target, mine, hq, None, blitz)
        for u in sorted(self.units.values(), key=lambda u: u["id"]):
            if (
                u["t"] != "hq"
                or u["where"] != "map"
                or u["f"] != enemy
                or u["c"] not in {d["c"] for d in held}
            ):
                continue
            if not self.hq_reach(u["hex"], target) or not self.supplied(u):
                continue
            found = self.column(target, mine, hq, u, blitz)
            if found < least:
                best, least = u, found
        return best

    def exchange(self, held: list[str], target: str) -> None:
        alive = [id for id in held if self.units[id]["where"] == "map"]
        steps = sum(self.units[id]["steps"] for id in alive)
        can = not self.stuck(alive) and bool(self.ways(alive, target, target, 0))
        if steps > 1 or not can:
            self.hit(held, set())
        else:
            _, part = self.flee(alive, 1, target, 0)
            held += [id for id in part if id not in held]

    def driven(
        self, held: list[str], hexes: int, target: str, sides: list[str], hold: int, enemy: str
    ) -> list[str]:
        hard = all(side == "mountain" or side[:5] in ("beach", "strai") for side in sides)
        marked = any(u["f"] != enemy for u in self.there(target, "blitz"))
        chosen = min(hold, hexes) if hard or (target in self.cities and not marked) else 0
        for _ in range(chosen):
            self.hit(held, set())
        alive = [id for id in held if self.units[id]["where"] == "map"]
        if alive and hexes > chosen:
            left, part = self.flee(alive, hexes - chosen, target, 0)
            for _ in range(left):
                self.hit(alive, set())
            held += [id for id in [*part, *alive] if id not in held]
        return held

    def follow(self, force: list[str], target: str) -> None:
        able = []
        for id in force:
            u = self.units[id]
            if u["where"] != "map" or target not in self.around(u["hex"]) or u["face"][2] < 1:
                continue
            if (self.side(u["hex"], target) != "sea" or u["t"] == "marine") and self.supplied(u):
                able.append(u)
        if able:
            min(able, key=lambda u: (-u["face"][1], u["id"]))["hex"] = target
