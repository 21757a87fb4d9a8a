"""Who stands where, who controls what, zones of control, postures: a snapshot of a board (2.8, 2.9, 4.14).

A snapshot holds for the position it was made of; whoever changes the position makes another one.
"""

from __future__ import annotations

from functools import cached_property

from pbem.rules import Board

from .pieces import BLOCKERS, HOLDERS, Piece, T, raw_role, world_of
from .printed import Posture
from .world import SEA, World


class Ground:
    """What lies in each hex, and what follows from it."""

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
        """All counters of a role in a location."""
        return self.by_role.get(role, {}).get(hex, [])

    def own(self, role: str, hex: str, faction: str) -> list[Piece]:
        return [one for one in self.of(role, hex) if one.owner == faction]

    def foes(self, role: str, hex: str, faction: str) -> list[Piece]:
        return [one for one in self.of(role, hex) if one.owner != faction]

    def units(self, hex: str, faction: str | None = None) -> list[Piece]:
        """The ground units in a hex, of a faction when asked."""
        found = self.of("ground", hex)
        return found if faction is None else [one for one in found if one.owner == faction]

    def enemies(self, hex: str, faction: str) -> list[Piece]:
        """Enemy ground units in a hex."""
        return self.foes("ground", hex, faction)

    def blocked(self, hex: str, faction: str) -> bool:
        """Does an enemy ground unit, airdrop, detachment or logistics marker lie there?"""
        return any(self.foes(role, hex, faction) for role in BLOCKERS)

    def beachhead(self, hex: str, faction: str | None = None) -> Piece | None:
        """The beachhead in an All-Sea hex, of a faction when asked."""
        found = self.of("beachhead", hex)
        return next((one for one in found if faction is None or one.owner == faction), None)

    @cached_property
    def beachheads(self) -> dict[frozenset[str], Piece]:
        """The beachheads by their hexside."""
        found: dict[frozenset[str], Piece] = {}
        for hex, markers in self.by_role.get("beachhead", {}).items():
            for marker in markers:
                to = self.world.toward(hex, marker.facing)
                if to is not None:
                    found[frozenset((hex, to))] = marker
        return found

    # hexsides

    def side(self, a: str, b: str) -> str:
        """What lies between two adjacent hexes; a beachhead's hexside is called after its strength."""
        marker = self.beachheads.get(frozenset((a, b)))
        if marker is not None:
            return f"beachhead_{marker.print.beachhead}"
        return self.world.hexside_of(a, b)

    # countries

    def owner_of(self, country: str | None) -> str | None:
        """2.9 rules 2 and 3: the alignment of an active country, the conqueror of a conquered one."""
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
        """2.9 Who controls a hex: whoever stands there, else the owner of its country."""
        for role in HOLDERS:
            for one in self.of(role, hex):
                return one.owner
        return self.owner_of(self.world.country_of(hex))

    def enemy_country(self, hex: str, faction: str) -> bool:
        owner = self.owner_of(self.world.country_of(hex))
        return owner is not None and owner != faction

    def posture(self, country: str | None, faction: str) -> Posture:
        """Of a country toward a faction; war unless something else is said."""
        found = self.postures.get(country or "", {}).get(faction, "war")
        return found if found in ("policy", "truce") else "war"  # type: ignore[return-value]

    def neutral(self, country: str | None) -> bool:
        return country is not None and self.states[country].status == "neutral"

    def closed(self, hex: str, faction: str, *barred: str) -> bool:
        """Is the hex in a neutral country, or one whose posture toward the faction is among those barred?"""
        country = self.world.country_of(hex)
        return self.neutral(country) or self.posture(country, faction) in (barred or ("policy", "truce"))

    def at_war(self, one: str, other: str) -> bool:
        """2.8 A Major Country of one has posture war toward the other (R-105)."""
        return any(
            self.world.countries[country].kind == "major"
            and (
                (state.alignment == one and self.posture(country, other) == "war")
                or (state.alignment == other and self.posture(country, one) == "war")
            )
            for country, state in self.states.items()
        )

    def may_fight(self, one: Piece, other: Piece) -> bool:
        """Neither unit's country keeps a truce or a policy with the other's faction."""
        return (
            self.posture(one.country, other.owner) == "war"
            and self.posture(other.country, one.owner) == "war"
        )

    def pre_war_bars(self, piece: Piece, hex: str) -> bool:
        """2.8 pre_war: no unit outside its own country or its dependents."""
        if self.t.war_state != "pre_war":
            return False
        country = self.world.country_of(hex)
        return country is None or self.world.parent(country) != self.world.parent(piece.country)

    # zones of control

    def ezoc(self, faction: str) -> frozenset[str]:
        """4.14 The hexes in a zone of control of any enemy of the faction, negated or not."""
        if faction not in self._ezoc:
            self._ezoc[faction] = self.ezoc_without(faction)
        return self._ezoc[faction]

    def ezoc_without(self, faction: str, ignored: frozenset[str] = frozenset()) -> frozenset[str]:
        """The same as if these units projected no zone (4.8.4)."""
        found: set[str] = set()
        for hex, units in self.by_role.get("ground", {}).items():
            foes = [one for one in units if one.owner != faction and one.id not in ignored]
            if foes:
                found |= self._projected(hex, foes, faction)
        return frozenset(found)

    def _projected(self, hex: str, foes: list[Piece], faction: str) -> set[str]:
        """Nothing is projected into or from a Policy Affected Country, nor by its units."""
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
        """The hexes that a zone reaches: not over mountains, straits and the sea, but over beaches."""
        near = set(self.world.zoc_beside(hex))
        for side in self.beachheads:
            if hex in side:
                near |= side - {hex}
        return near

    @cached_property
    def policies(self) -> bool:
        """Does any country keep the posture policy?"""
        return any("policy" in row.values() for row in self.postures.values())

    def projected_by(self, faction: str) -> set[str]:
        """The hexes that the zones of a faction's units reach."""
        found: set[str] = set()
        for hex, units in self.by_role.get("ground", {}).items():
            own = [one for one in units if one.owner == faction]
            if own:
                found |= self.zoned_from(hex)
        return found

    def negates(self, hex: str, faction: str) -> bool:
        """A friendly ground unit or airdrop marker negates enemy zones in its hex."""
        return bool(self.units(hex, faction) or self.own("airdrop", hex, faction))

    # markers

    def blitz_markers(self, faction: str) -> list[str]:
        found = self.by_role.get("blitz", {})
        return [hex for hex, markers in sorted(found.items()) if any(m.owner == faction for m in markers)]

    def blitz_enabled(self, one: Piece) -> bool:
        """2.9 A friendly Blitz marker within two hexes, or on a friendly beachhead (R-6, R-101)."""
        if one.hex is None or one.hex not in self.world.index or self.world.kind(one.hex) != "hex":
            return False
        if self.beachhead(one.hex, one.owner) is not None:
            return True
        most = int(self.world.ranges["blitz_enabled"])
        return any(self.world.distance(one.hex, hex) <= most for hex in self.blitz_markers(one.owner))

    # weather

    def weather(self, hex: str) -> str | None:
        """4.15.1 The weather of a land hex; a beachhead has that of the hex its arrow points to."""
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
