"""Supply (4.12) and what it needs of 2.8, 2.9 and 4.14 a second time, as plainly as it can be: a line is
followed forwards from the counter. Nothing is shared with the package but the scenario's data.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

Row = dict[str, Any]
Step = tuple[str, str, int]
ODD = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1)]
EVEN = [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
AIR = ("air_force", "bomber", "interceptor")
FLEETS = ("cv_fleet", "surface_fleet", "sub_fleet")
MARKERS = ("blitz", "convoy", "logistics", "partisan_base")


def distance(a: str, b: str) -> int:
    """2.2 Cube distance."""
    (q, r), (u, v) = ((int(h[:2]) - 1, int(h[2:]) - 1 - (int(h[:2]) - 1) // 2) for h in (a, b))
    return max(abs(q - u), abs(r - v), abs(q + r - u - v))


def role(row: Row) -> str:
    """What a counter counts as where it lies."""
    if row.get("back"):
        return "air" if row["back"] == "strike" else str(row["back"])
    kind = row["type"]
    if kind in AIR:
        return "air"
    if kind in FLEETS:
        return "fleet"
    return kind if kind in MARKERS else "ground"


class Lines:
    """A map and the counters on it."""

    def __init__(self, scenario: Any, counters: dict[str, Row], countries: Any, postures: Any) -> None:
        chart = scenario["map"]
        rows = [text.split() for text in chart["terrain"]]
        self.letter = {f"{c + 1:02}{r + 1:02}": x for r, row in enumerate(rows) for c, x in enumerate(row)}
        self.sides = {
            frozenset(s.split("/")): kind for kind, sides in chart["hexsides"].items() for s in sides
        }
        self.links: dict[frozenset[str], set[str]] = {}
        for kind in ("road", "rail"):
            for chain in chart["links"][kind]:
                for pair in pairwise(chain.split("-")):
                    self.links.setdefault(frozenset(pair), set()).add(kind)
        self.cities = {one["hex"] for one in chart["places"]["settlement"] if one["kind"] != "town"}
        self.ports = {one["hex"]: list(one["zones"]) for one in chart["places"]["port"]}
        self.zone = {hex: z for z, row in chart["areas"]["zone"].items() for hex in row["members"]}
        self.country: dict[str, str] = {}
        for name, members in chart["areas"]["country"].items():
            for text in members:
                low, _, high = text.partition("..")
                for hex in self.letter:
                    if low[:2] <= hex[:2] <= (high or low)[:2] and low[2:] <= hex[2:] <= (high or low)[2:]:
                        if self.letter[hex] != "S":
                            self.country[hex] = name
        self.data, self.countries, self.postures = scenario["countries"], countries, postures
        self.on: dict[str, list[Row]] = {}
        for id, row in counters.items():
            if row.get("spot", "map") == "map" and row.get("hex"):
                self.on.setdefault(row["hex"], []).append({**row, "id": id, "role": role(row)})

    # 2.2 the map

    def around(self, hex: str) -> list[str]:
        c, r = int(hex[:2]), int(hex[2:])
        near = [f"{c + dc:02}{r + dr:02}" for dc, dr in (ODD if c % 2 else EVEN)]
        return [other for other in near if other in self.letter]

    def side(self, a: str, b: str) -> str:
        if frozenset((a, b)) in self.sides:
            return str(self.sides[frozenset((a, b))])
        return "sea" if "S" in (self.letter[a], self.letter[b]) else "plain"

    def arrow(self, a: str, b: str) -> bool:
        """Is it the hexside that a beachhead points across?"""
        for here, there in ((a, b), (b, a)):
            for one in self.lying(here, "beachhead"):
                c, r = int(here[:2]), int(here[2:])
                dc, dr = (ODD if c % 2 else EVEN)[one["facing"] - 1]
                if there == f"{c + dc:02}{r + dr:02}":
                    return True
        return False

    def lying(self, where: str, *roles: str) -> list[Row]:
        return [one for one in self.on.get(where, []) if one["role"] in roles]

    def foes(self, where: str, faction: str, *roles: str) -> list[Row]:
        return [one for one in self.lying(where, *roles) if one["owner"] != faction]

    def own(self, where: str, faction: str, *roles: str) -> list[Row]:
        return [one for one in self.lying(where, *roles) if one["owner"] == faction]

    # 2.8, 2.9 countries

    def posture(self, country: str | None, faction: str) -> str:
        return str(self.postures.get(country or "", {}).get(faction, "war"))

    def owner(self, hex: str) -> str | None:
        """Rules 2 and 3 of control."""
        name = self.country.get(hex)
        if name is None:
            return None
        data = self.data[name]
        if data["kind"] == "dependent" and self.countries[data["parent"]]["status"] == "active":
            name = data["parent"]
        now = self.countries[name]
        if now["status"] == "active":
            return now["alignment"] and str(now["alignment"])
        return str(now["conqueror"]) if now["status"] == "conquered" else None

    def control(self, hex: str) -> str | None:
        there = self.lying(hex, "ground", "detachment", "logistics")
        return str(there[0]["owner"]) if there else self.owner(hex)

    # 4.14

    def zoc(self, hex: str, faction: str) -> bool:
        """Is the hex in an enemy zone of control, negated or not?"""
        for near in self.around(hex):
            side = self.side(near, hex)
            if side in ("mountain", "sea", "strait_connected", "strait_unconnected"):
                if not self.arrow(near, hex):
                    continue
            if self.posture(self.country.get(near), faction) == "policy":
                continue
            for foe in self.foes(near, faction, "ground"):
                into = self.posture(self.country.get(hex), foe["owner"])
                if self.posture(foe["country"], faction) != "policy" and into != "policy":
                    return True
        return False

    # 4.12.4

    def entered(self, hex: str, faction: str) -> bool:
        """May a line enter the hex?"""
        if self.foes(hex, faction, "ground", "airdrop", "detachment", "logistics"):
            return False
        friends = self.own(hex, faction, "ground")
        if not friends and (self.zoc(hex, faction) or self.foes(hex, faction, "partisan_base")):
            return False
        name = self.country.get(hex)
        if name and (self.countries[name]["status"] == "neutral" or self.posture(name, faction) != "war"):
            return False
        if (hex in self.cities or hex in self.ports) and self.owner(hex) not in (None, faction):
            return self.control(hex) == faction
        return self.letter[hex] != "S" or bool(self.own(hex, faction, "beachhead"))

    def crossed(self, a: str, b: str, faction: str) -> bool:
        side = self.side(a, b)
        if side == "sea":
            return any(self.own(hex, faction, "beachhead") for hex in (a, b))
        return side != "lake"

    # 2.9 ports and bases

    def zones(self, hex: str) -> list[str]:
        if self.letter[hex] == "S":
            return [self.zone[hex]] if hex in self.zone else []
        return self.ports.get(hex, [])

    def open_port(self, hex: str, faction: str, zone: str, air: bool) -> bool:
        if zone not in self.zones(hex) or self.foes(hex, faction, "ground"):
            return False
        if self.letter[hex] == "S":
            held = bool(self.own(hex, faction, "beachhead"))
        else:
            name = self.country.get(hex)
            at_home = (
                name is not None
                and self.data[name]["kind"] != "dependent"
                and self.countries[name]["status"] == "active"
                and self.countries[name].get("alignment") == faction
            )
            held = at_home or bool(self.own(hex, faction, "ground", "detachment", "logistics"))
        station = f"{zone}.on_station"
        if not held or self.foes(station, faction, "fleet"):
            return False
        hostile = {one["owner"] for one in self.foes(station, faction, "air")} if air else set()
        return not any(
            distance(base, hex) <= 3 and self.naval_base(base, foe) for foe in hostile for base in self.ports
        )

    def naval_base(self, hex: str, faction: str) -> bool:
        """R-107 Its supply is traced as if no air unit closed any port."""
        if self.foes(hex, faction, "air"):
            return False
        held = self.own(hex, faction, "ground", "detachment", "logistics")
        return any(self.supplied(one, air=False) for one in held)

    # 4.12.2, 4.12.3

    def sources(self, country: str, faction: str) -> set[str]:
        data = self.data[country]
        home = self.data[data["parent"]] if data["kind"] == "dependent" else data
        found = set(home["home_cities"])
        if data["kind"] == "minor":
            found |= {
                hex
                for hex in self.letter
                if self.country.get(hex) == country and self.own(hex, faction, "partisan_base")
            }
        return {
            hex
            for hex in found
            if not self.foes(hex, faction, "ground", "airdrop", "detachment", "logistics")
        }

    def supplied(self, one: Row, air: bool = True) -> bool:
        """Forwards: up to two free hexes, then links and sea, until a source is entered."""
        start, faction = one["hex"], one["owner"]
        goals = self.sources(one["country"], faction)
        if start in goals:
            return True
        todo: list[Step] = [(start, "free", 0)]
        seen = set(todo)
        while todo:
            for step in self._onward(todo.pop(), faction, air):
                if step in seen or not self.entered(step[0], faction):
                    continue
                if step[0] in goals:
                    return True
                seen.add(step)
                todo.append(step)
        return False

    def _onward(self, at: Step, faction: str, air: bool) -> Iterator[Step]:
        hex, part, n = at
        near = [to for to in self.around(hex) if self.crossed(hex, to, faction)]
        if part == "free" and n < 2:
            yield from ((to, "free", n + 1) for to in near)
        used = "nothing" if part == "free" else part
        for to in near:
            kinds = self.links.get(frozenset((hex, to)), set())
            if "rail" in kinds:
                yield to, "nothing" if used == "nothing" else "all", 0
            if "road" in kinds and used in ("nothing", "road"):
                yield to, "road", 0
            shores = all(any(shore in pair for pair in self.links) for shore in (hex, to))
            if self.side(hex, to) == "strait_connected" and used == "nothing" and shores:
                yield to, "all", 0
        for zone in self.zones(hex):
            convoys = self.own(f"{zone}.convoys", faction, "convoy")
            if not any(one["side"] == "supply" for one in convoys):
                continue
            if self.open_port(hex, faction, zone, air):
                for to in self.letter:
                    if to != hex and self.zones(to) and self.open_port(to, faction, zone, air):
                        yield to, "nothing", 0
