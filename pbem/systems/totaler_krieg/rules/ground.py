"""2.8, 2.9, 4.14: A snapshot of a board: units in hexes, control, zones of control, postures.

A snapshot holds for one position. After a change of the position a new one is needed.
"""

from __future__ import annotations

from functools import cached_property

from pbem.rules import Board

from .pieces import BLOCKERS, HOLDERS, Piece, T, raw_role, world_of
from .printed import Posture
from .world import SEA, World


class Ground:
    """The contents of each hex, and conclusions from them."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.world: World = world_of(board)
        self.t = T.of(board)
        self.by_role: dict[str, dict[str, list[Piece]]] = {}
        for id, fields in sorted(board.position.counters.items()):
            hex = fields.get("hex")
            if isinstance(hex, str) and fields.get("spot", "map") == "map":
                role = self.by_role.setdefault(raw_role(fields), {})
                role.setdefault(hex, []).append(Piece(board, id))
        self._ezoc: dict[str, frozenset[str]] = {}
        self.states = self.t.countries
        self.postures: dict[str, dict[str, str]] = {
            country: {faction: str(value) for faction, value in row.items()}
            for country, row in self.t.postures.items()
        }

    def of(self, role: str, hex: str) -> list[Piece]:
        """Return all counters of a role in a location."""
        return self.by_role.get(role, {}).get(hex, [])

    def own(self, role: str, hex: str, faction: str) -> list[Piece]:
        return [counter for counter in self.of(role, hex) if counter.owner == faction]

    def foes(self, role: str, hex: str, faction: str) -> list[Piece]:
        return [counter for counter in self.of(role, hex) if counter.owner != faction]

    def units(self, hex: str, faction: str | None = None) -> list[Piece]:
        """Return the ground units in a hex, only those of `faction` if it is given."""
        units = self.of("ground", hex)
        return units if faction is None else [unit for unit in units if unit.owner == faction]

    def enemies(self, hex: str, faction: str) -> list[Piece]:
        """Return enemy ground units in a hex."""
        return self.foes("ground", hex, faction)

    def blocked(self, hex: str, faction: str) -> bool:
        """Return True if an enemy ground unit, airdrop, detachment or logistics marker is there."""
        return any(self.foes(role, hex, faction) for role in BLOCKERS)

    def beachhead(self, hex: str, faction: str | None = None) -> Piece | None:
        """Return the beachhead in an All-Sea hex, only that of `faction` if it is given."""
        markers = self.of("beachhead", hex)
        return next((marker for marker in markers if faction is None or marker.owner == faction), None)

    @cached_property
    def beachheads(self) -> dict[frozenset[str], Piece]:
        """Return the beachheads by hexside."""
        by_side: dict[frozenset[str], Piece] = {}
        for hex, markers in self.by_role.get("beachhead", {}).items():
            for marker in markers:
                to = self.world.toward(hex, marker.facing)
                if to is not None:
                    by_side[frozenset((hex, to))] = marker
        return by_side

    def side(self, a: str, b: str) -> str:
        """Return the kind of hexside between two adjacent hexes. A beachhead's has its strength."""
        marker = self.beachheads.get(frozenset((a, b)))
        if marker is not None:
            return f"beachhead_{marker.print.beachhead}"
        return self.world.hexside_of(a, b)

    def owner_of(self, country: str | None) -> str | None:
        """2.9: Return the owner of a country.

        An active country belongs to its alignment, a conquered one to its conqueror.
        """
        if country is None:
            return None
        state = self.states[country]
        parent = self.world.parent(country)
        if parent != country and self.states[parent].status == "active":
            return self.states[parent].alignment
        if state.status == "active":
            return state.alignment
        return state.conqueror if state.status == "conquered" else None

    def control(self, hex: str) -> str | None:
        """2.9: Return the faction that controls a hex.

        Units in the hex decide, else the owner of its country.
        """
        for role in HOLDERS:
            for counter in self.of(role, hex):
                return counter.owner
        return self.owner_of(self.world.country_of(hex))

    def enemy_country(self, hex: str, faction: str) -> bool:
        owner = self.owner_of(self.world.country_of(hex))
        return owner is not None and owner != faction

    def posture(self, country: str | None, faction: str) -> Posture:
        """Return the posture of a country toward a faction, war if no track says otherwise."""
        posture = self.postures.get(country or "", {}).get(faction, "war")
        return posture if posture in ("policy", "truce") else "war"  # type: ignore[return-value]

    def neutral(self, country: str | None) -> bool:
        return country is not None and self.states[country].status == "neutral"

    def closed(self, hex: str, faction: str, *barred: str) -> bool:
        """Return True if the hex's country is neutral, or has a barred posture toward the faction."""
        country = self.world.country_of(hex)
        return self.neutral(country) or self.posture(country, faction) in (barred or ("policy", "truce"))

    def at_war(self, faction: str, other: str) -> bool:
        """2.8: Return True if a Major Country of one faction is at war with the other (R-105)."""
        return any(
            self.world.countries[country].kind == "major"
            and (
                (state.alignment == faction and self.posture(country, other) == "war")
                or (state.alignment == other and self.posture(country, faction) == "war")
            )
            for country, state in self.states.items()
        )

    def may_fight(self, unit: Piece, other: Piece) -> bool:
        """Return True if neither unit's country has a truce or a policy with the other's faction."""
        return (
            self.posture(unit.country, other.owner) == "war"
            and self.posture(other.country, unit.owner) == "war"
        )

    def pre_war_bars(self, piece: Piece, hex: str) -> bool:
        """2.8: Return True if pre_war keeps a unit out.

        The hex is then outside its own country and its dependents.
        """
        if self.t.war_state != "pre_war":
            return False
        country = self.world.country_of(hex)
        return country is None or self.world.parent(country) != self.world.parent(piece.country)

    def ezoc(self, faction: str) -> frozenset[str]:
        """4.14: Return the hexes in a zone of control of any enemy of the faction, negated or not."""
        if faction not in self._ezoc:
            self._ezoc[faction] = self.ezoc_without(faction)
        return self._ezoc[faction]

    def ezoc_without(self, faction: str, ignored: frozenset[str] = frozenset()) -> frozenset[str]:
        """4.8.4: Return the hexes in enemy zones if the ignored units projected none."""
        hexes: set[str] = set()
        for hex, units in self.by_role.get("ground", {}).items():
            foes = [foe for foe in units if foe.owner != faction and foe.id not in ignored]
            if foes:
                hexes |= self._projected(hex, foes, faction)
        return frozenset(hexes)

    def _projected(self, hex: str, foes: list[Piece], faction: str) -> set[str]:
        """Return the hexes that zones reach.

        They do not reach into or out of a Policy Affected Country, and its units project none.
        """
        near = self.zoned_from(hex)
        if not self.policies:
            return near
        if self.posture(self.world.country_of(hex), faction) == "policy":
            return set()
        able = [foe for foe in foes if self.posture(foe.country, faction) != "policy"]
        if not able:
            return set()
        return {n for n in near if self.posture(self.world.country_of(n), able[0].owner) != "policy"}

    def zoned_from(self, hex: str) -> set[str]:
        """Return the hexes that a zone reaches.

        It reaches over beaches, but not over mountains, straits and sea.
        """
        near = set(self.world.zoc_beside(hex))
        for side in self.beachheads:
            if hex in side:
                near |= side - {hex}
        return near

    @cached_property
    def policies(self) -> bool:
        """Return True if any country has the posture policy."""
        return any("policy" in row.values() for row in self.postures.values())

    def projected_by(self, faction: str) -> set[str]:
        """Return the hexes that the zones of a faction's units reach."""
        hexes: set[str] = set()
        for hex, units in self.by_role.get("ground", {}).items():
            own = [unit for unit in units if unit.owner == faction]
            if own:
                hexes |= self.zoned_from(hex)
        return hexes

    def negates(self, hex: str, faction: str) -> bool:
        """Return True if a friendly ground unit or airdrop marker negates enemy zones in its hex."""
        return bool(self.units(hex, faction) or self.own("airdrop", hex, faction))

    def blitz_markers(self, faction: str) -> list[str]:
        by_hex = self.by_role.get("blitz", {})
        return [hex for hex, markers in sorted(by_hex.items()) if any(m.owner == faction for m in markers)]

    def blitz_enabled(self, unit: Piece) -> bool:
        """2.9: Return True if a Blitz marker enables a unit.

        It is friendly and within two hexes, or the unit is on a friendly beachhead (R-6, R-101).
        """
        if unit.hex is None or unit.hex not in self.world.index or self.world.kind(unit.hex) != "hex":
            return False
        if self.beachhead(unit.hex, unit.owner) is not None:
            return True
        most = int(self.world.ranges["blitz_enabled"])
        return any(self.world.distance(unit.hex, hex) <= most for hex in self.blitz_markers(unit.owner))

    def weather(self, hex: str) -> str | None:
        """4.15.1: Return the weather of a hex.

        A beachhead has that of the hex at which its arrow points.
        """
        if self.world.sea(hex):
            marker = self.beachhead(hex)
            to = self.world.toward(hex, marker.facing) if marker is not None else None
            return None if to is None else self.weather(to)
        area = "desert" if self.world.area("weather", hex) == "desert" else "north"
        return self.t.weather[area]

    def enemy_air(self, hex: str, faction: str) -> list[Piece]:
        return self.foes("air", hex, faction)


__all__ = ["SEA", "Ground"]
