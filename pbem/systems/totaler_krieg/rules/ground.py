"""2.8, 2.9, 4.14: Units in hexes, control, zones of control, postures: a snapshot of a board.

A snapshot holds for the position it was made of; whoever changes the position makes another one.
"""

from __future__ import annotations

from functools import cached_property

from pbem.rules import Board

from .pieces import BLOCKERS, HOLDERS, Piece, T, raw_role, world_of
from .printed import Posture
from .world import SEA, World


class Ground:
    """The contents of each hex, and what follows from them."""

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

    # who is where

    def of(self, role: str, hex: str) -> list[Piece]:
        """Return all counters of a role in a location."""
        return self.by_role.get(role, {}).get(hex, [])

    def own(self, role: str, hex: str, faction: str) -> list[Piece]:
        return [one for one in self.of(role, hex) if one.owner == faction]

    def foes(self, role: str, hex: str, faction: str) -> list[Piece]:
        return [one for one in self.of(role, hex) if one.owner != faction]

    def units(self, hex: str, faction: str | None = None) -> list[Piece]:
        """Return the ground units in a hex, of a faction when asked."""
        found = self.of("ground", hex)
        return found if faction is None else [one for one in found if one.owner == faction]

    def enemies(self, hex: str, faction: str) -> list[Piece]:
        """Return enemy ground units in a hex."""
        return self.foes("ground", hex, faction)

    def blocked(self, hex: str, faction: str) -> bool:
        """Return True if an enemy ground unit, airdrop, detachment or logistics marker is there."""
        return any(self.foes(role, hex, faction) for role in BLOCKERS)

    def beachhead(self, hex: str, faction: str | None = None) -> Piece | None:
        """Return the beachhead in an All-Sea hex, of a faction when asked."""
        found = self.of("beachhead", hex)
        return next((one for one in found if faction is None or one.owner == faction), None)

    @cached_property
    def beachheads(self) -> dict[frozenset[str], Piece]:
        """Return the beachheads by their hexside."""
        found: dict[frozenset[str], Piece] = {}
        for hex, markers in self.by_role.get("beachhead", {}).items():
            for marker in markers:
                to = self.world.toward(hex, marker.facing)
                if to is not None:
                    found[frozenset((hex, to))] = marker
        return found

    # hexsides

    def side(self, a: str, b: str) -> str:
        """Return what lies between two adjacent hexes; a beachhead's hexside is called after its strength."""
        marker = self.beachheads.get(frozenset((a, b)))
        if marker is not None:
            return f"beachhead_{marker.print.beachhead}"
        return self.world.hexside_of(a, b)

    # countries

    def owner_of(self, country: str | None) -> str | None:
        """2.9: Return the owner of a country.

        The alignment of an active one, the conqueror of a conquered one.
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

        By its units there, else the owner of the hex's country.
        """
        for role in HOLDERS:
            for one in self.of(role, hex):
                return one.owner
        return self.owner_of(self.world.country_of(hex))

    def enemy_country(self, hex: str, faction: str) -> bool:
        owner = self.owner_of(self.world.country_of(hex))
        return owner is not None and owner != faction

    def posture(self, country: str | None, faction: str) -> Posture:
        """Return the posture of a country toward a faction; war unless something else is said."""
        found = self.postures.get(country or "", {}).get(faction, "war")
        return found if found in ("policy", "truce") else "war"  # type: ignore[return-value]

    def neutral(self, country: str | None) -> bool:
        return country is not None and self.states[country].status == "neutral"

    def closed(self, hex: str, faction: str, *barred: str) -> bool:
        """Return True if the hex's country is neutral, or its posture toward the faction is barred."""
        country = self.world.country_of(hex)
        return self.neutral(country) or self.posture(country, faction) in (barred or ("policy", "truce"))

    def at_war(self, one: str, other: str) -> bool:
        """2.8: Return True if a Major Country of one has posture war toward the other (R-105)."""
        return any(
            self.world.countries[country].kind == "major"
            and (
                (state.alignment == one and self.posture(country, other) == "war")
                or (state.alignment == other and self.posture(country, one) == "war")
            )
            for country, state in self.states.items()
        )

    def may_fight(self, one: Piece, other: Piece) -> bool:
        """Return True if neither unit's country keeps a truce or a policy with the other's faction."""
        return (
            self.posture(one.country, other.owner) == "war"
            and self.posture(other.country, one.owner) == "war"
        )

    def pre_war_bars(self, piece: Piece, hex: str) -> bool:
        """2.8: Return True if pre_war keeps a unit out: the hex is outside its own country and its
        dependents."""
        if self.t.war_state != "pre_war":
            return False
        country = self.world.country_of(hex)
        return country is None or self.world.parent(country) != self.world.parent(piece.country)

    # zones of control

    def ezoc(self, faction: str) -> frozenset[str]:
        """4.14: Return the hexes in a zone of control of any enemy of the faction, negated or not."""
        if faction not in self._ezoc:
            self._ezoc[faction] = self.ezoc_without(faction)
        return self._ezoc[faction]

    def ezoc_without(self, faction: str, ignored: frozenset[str] = frozenset()) -> frozenset[str]:
        """4.8.4: Return the hexes in enemy zones as if these units projected none."""
        found: set[str] = set()
        for hex, units in self.by_role.get("ground", {}).items():
            foes = [one for one in units if one.owner != faction and one.id not in ignored]
            if foes:
                found |= self._projected(hex, foes, faction)
        return frozenset(found)

    def _projected(self, hex: str, foes: list[Piece], faction: str) -> set[str]:
        """Return the hexes that zones reach: none into or from a Policy Affected Country, nor by its
        units."""
        near = self.zoned_from(hex)
        if not self.policies:
            return near
        if self.posture(self.world.country_of(hex), faction) == "policy":
            return set()
        able = [one for one in foes if self.posture(one.country, faction) != "policy"]
        if not able:
            return set()
        return {n for n in near if self.posture(self.world.country_of(n), able[0].owner) != "policy"}

    def zoned_from(self, hex: str) -> set[str]:
        """Return the hexes that a zone reaches: not over mountains, straits and the sea, but over beaches."""
        near = set(self.world.zoc_beside(hex))
        for side in self.beachheads:
            if hex in side:
                near |= side - {hex}
        return near

    @cached_property
    def policies(self) -> bool:
        """Return True if any country keeps the posture policy."""
        return any("policy" in row.values() for row in self.postures.values())

    def projected_by(self, faction: str) -> set[str]:
        """Return the hexes that the zones of a faction's units reach."""
        found: set[str] = set()
        for hex, units in self.by_role.get("ground", {}).items():
            own = [one for one in units if one.owner == faction]
            if own:
                found |= self.zoned_from(hex)
        return found

    def negates(self, hex: str, faction: str) -> bool:
        """Return True if a friendly ground unit or airdrop marker negates enemy zones in its hex."""
        return bool(self.units(hex, faction) or self.own("airdrop", hex, faction))

    # markers

    def blitz_markers(self, faction: str) -> list[str]:
        found = self.by_role.get("blitz", {})
        return [hex for hex, markers in sorted(found.items()) if any(m.owner == faction for m in markers)]

    def blitz_enabled(self, one: Piece) -> bool:
        """2.9: Return True if a Blitz marker enables a unit.

        A friendly one within two hexes, or on a friendly beachhead (R-6, R-101).
        """
        if one.hex is None or one.hex not in self.world.index or self.world.kind(one.hex) != "hex":
            return False
        if self.beachhead(one.hex, one.owner) is not None:
            return True
        most = int(self.world.ranges["blitz_enabled"])
        return any(self.world.distance(one.hex, hex) <= most for hex in self.blitz_markers(one.owner))

    # weather

    def weather(self, hex: str) -> str | None:
        """4.15.1: Return the weather of a land hex; a beachhead has that of the hex its arrow points to."""
        if self.world.sea(hex):
            marker = self.beachhead(hex)
            to = self.world.toward(hex, marker.facing) if marker is not None else None
            return None if to is None else self.weather(to)
        area = "desert" if self.world.area("weather", hex) == "desert" else "north"
        return self.t.weather[area]

    # air

    def enemy_air(self, hex: str, faction: str) -> list[Piece]:
        return self.foes("air", hex, faction)


__all__ = ["SEA", "Ground"]
