"""D-12, D-13, D-20, D-21: airdrops, blitz attacks, landings, regular attacks (4.13, 4.17 to 4.20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pbem.rules import (
    NOTHING,
    Diagnostic,
    Draft,
    Game,
    Growing,
    Name,
    Next,
    Part,
    Points,
    dataclass,
    decision,
    fact,
)

from ..dropping import (
    airdrop,
    airdrop_faults,
    airdrop_hexes,
    airdrop_landing_faults,
    land,
    landing_faults,
    landing_infantry,
)
from ..guards import guard_words
from ..orders import Airdrop, Attack, Landing
from ..pieces import Piece, T, piece, pieces, world_of
from ..strength import Assault, heads, markers_in
from ..supply import Supply

LATER = (
    "E-ATK-01",
    "E-ATK-02",
    "E-ATK-05",
    "E-ATK-06",
    "E-ATK-09",
    "E-ATK-11",
    "E-ATK-12",
    "E-LOSS-01",
    "E-GEN-01",
)
"""What may still come right before an attack begins that has a guard, or whose units advance before."""


@dataclass(frozen=True)
class CombatPlan:
    """A whole combat phase in the order of play. `airdrop_landings` left out: every marker lands the first
    infantry by id; empty: nobody lands."""

    airdrops: tuple[Airdrop, ...] = ()
    blitz: tuple[Attack, ...] = ()
    landings: tuple[Name, ...] = ()
    airdrop_landings: tuple[Landing, ...] | None = None
    regular: tuple[Attack, ...] = ()


@decision("combat", rule="4.13", answer=CombatPlan, facts=("segment", "round"))
class Combat(Growing[CombatPlan]):
    """D-12, D-13, D-20, D-21 Which airdrops, attacks and landings?"""

    skips = True
    player: str
    power: str
    segment: str = "blitz"
    round: int = 1

    def draft(self, game: Game) -> Draft[Any]:
        return Fighting(game, self.player, self.power, self.segment)

    def default(self, game: Game) -> CombatPlan:
        return CombatPlan()

    def waits(self, game: Game) -> bool:
        """Only where the faction could attack, drop or land at all."""
        return can_act(game, self.power)

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


def can_act(game: Game, power: str) -> bool:
    """Is any unit beside an enemy, on a beachhead, or able to drop?"""
    supply = Supply(game)
    ground, world = supply.ground, supply.world
    for hex, units in sorted(ground.by_role.get("ground", {}).items()):
        for one in units:
            if one.owner != power:
                continue
            near = any(ground.enemies(n, power) or markers_in(ground, n, power) for n in world.beside(hex))
            if near or ground.beachhead(hex, power) is not None:
                return True
            if one.print.airdrop_side and ground.blitz_enabled(one):
                return True
    return bool(ground.by_role.get("airdrop"))


def blitz_allowed(board: Any, power: str) -> bool:
    """4.18, R-101 The Blitz segment is skipped without a Blitz and a Beachhead marker on the map."""
    return any(one.role in ("blitz", "beachhead") for one in pieces(board, power, "map"))


class Fighting(Draft[Any]):
    """Attacks change nothing here but what has attacked: what they will do, only dice know."""

    def __init__(self, game: Game, player: str, power: str, segment: str) -> None:
        super().__init__(game, player)
        self.power, self.segment = power, segment
        self.going: set[str] = set()
        self.fought = False
        self.regular_begun = segment != "blitz"

    # next

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        blitz = self.segment == "blitz" and not self.regular_begun and blitz_allowed(self.game, self.power)
        if blitz:
            yield from self._drops(of)
            yield from self._attacks("blitz", of)
            yield from self._landings(of)
        later = ("airdrop_landings", "regular")
        if self.segment == "blitz" and not any(one.section in later for one in self.elements):
            yield Next(Part("airdrop_landings", NOTHING), "no Airdrop marker lands anybody")
        if not self.fought or self.regular_begun:
            yield from self._attacks("regular", of)

    def _drops(self, of: str | None) -> Iterator[Next[Any]]:
        supply = Supply(self.game)
        for one in pieces(self.game, self.power, "map"):
            if one.print.airdrop_side and self.concerns(of, one.id):
                for hex in airdrop_hexes(supply, one):
                    yield self._one("airdrops", Airdrop(one.id, hex), one.id, hex)

    def _attacks(self, segment: str, of: str | None) -> Iterator[Next[Any]]:
        """For each target: every unit that can, and each unit alone; with an HQ where one can support."""
        supply = Supply(self.game)
        world = world_of(self.game)
        number = 1 + sum(isinstance(one, Part) and isinstance(one.value, Attack) for one in self.elements)
        for target in targets(supply, self.power):
            near = [one for n in world.beside(target) for one in supply.ground.units(n, self.power)]
            able = [one for one in near if self._may(supply, segment, target, (one,), None)]
            groups = [able] if len(able) > 1 else []
            groups += [[one] for one in able]
            for units in groups:
                if not any(self.concerns(of, one.id) for one in units):
                    continue
                for order in self._orders(supply, segment, target, units, number):
                    yield self._one(segment, order, order.units[0], target)

    def _orders(
        self, supply: Supply, segment: str, target: str, units: list[Piece], number: int
    ) -> Iterator[Attack]:
        ids = tuple(one.id for one in units)
        known = {
            one.value.id for one in self.elements if isinstance(one, Part) and isinstance(one.value, Attack)
        }
        name = f"{'B' if segment == 'blitz' else 'G'}{number}"
        assert name not in known, name
        hqs = [one for one in pieces(self.game, self.power, "map") if one.type == "hq" and one.id not in ids]
        for hq in (None, *(one.id for one in hqs)):
            order = Attack(name, target, ids, hq)
            if not Assault(self.game, self.power, order, segment, supply).faults():
                yield order

    def _may(
        self, supply: Supply, segment: str, target: str, units: tuple[Piece, ...], hq: str | None
    ) -> bool:
        """Could these take part in some attack? Odds apart."""
        order = Attack("A", target, tuple(one.id for one in units), hq)
        found = Assault(self.game, self.power, order, segment, supply).faults()
        return all(fault.code == "E-ATK-11" for fault in found)

    def _landings(self, of: str | None) -> Iterator[Next[Any]]:
        for one in pieces(self.game, self.power, "map"):
            if self.concerns(of, one.id) and not landing_faults(self.game, self.power, one.id):
                yield self._one("landings", one.id, one.id)

    def _one(self, section: str, value: Any, id: str, end: str | None = None) -> Next[Any]:
        part = Part(section, value)
        risk = ""
        if isinstance(value, Attack):
            found = Assault(self.game, self.power, value, section)
            risk = heads(found.world)[found.final()] if found.defenders else ""
        return Next(part, self.words(part), Points((id,), end=end, risk=risk))

    def _odds(self, segment: str, given: Attack) -> str:
        """4.13 What the attack comes to as the board stands then, for whoever checks his order."""
        found = Assault(self.game, self.power, given, segment) if self.speaks else None
        return heads(found.world)[found.final()] if found is not None and found.defenders else ""

    # faults and effects

    def faults(self, element: Any) -> list[Diagnostic]:
        given = element.value
        if given is NOTHING:
            return []
        match element.section:
            case "airdrops":
                return airdrop_faults(Supply(self.game), self.power, given)
            case "landings":
                found = landing_faults(self.game, self.power, given)
                return [replace(fault, path=()) for fault in found]
            case "airdrop_landings":
                return airdrop_landing_faults(self.game, self.power, given, later=self.fought)
        return self._attack_faults(element.section, given)

    def _attack_faults(self, section: str, given: Attack) -> list[Diagnostic]:
        board = self.game
        if section == "regular" and not self.regular_begun:
            board = self.aside()
            begin_segment(board)
        found = Assault(board, self.power, given, section).faults()
        if section == "blitz" and not blitz_allowed(self.game, self.power):
            from pbem.kit.faults import illegal

            found.append(
                illegal("E-GEN-02", "4.18", "without a Blitz or Beachhead marker there is no Blitz segment")
            )
        if given.guard is not None or ({*given.units, given.hq} & self.going):
            found = [fault for fault in found if fault.code not in LATER]
        return found

    def do(self, element: Any) -> None:
        given = element.value
        if given is NOTHING:
            return
        match element.section:
            case "airdrops":
                airdrop(piece(self.game, given.unit), given.hex)
            case "landings":
                land(self.game, self.power, given)
            case "blitz" | "regular":
                self._fight(element.section, given)

    def _fight(self, section: str, given: Attack) -> None:
        if section == "regular" and not self.regular_begun:
            self.regular_begun = True
            begin_segment(self.game)
        self.fought = True
        t = T.of(self.game)
        t.attacked = (*t.attacked, given.target)
        found = Assault(self.game, self.power, given, section)
        for one in found.units:
            if section == "blitz":
                one.attacked_blitz = True
            else:
                one.attacked_regular = True
        if found.own_hq is not None:
            found.own_hq.hq_used = True
        self.going |= {one.unit for one in (*(given.advance or ()), *given.exploit)}

    def words(self, element: Any) -> str:
        given = element.value
        name_of = world_of(self.game).name_of
        match given:
            case Airdrop():
                return f"airdrop of {given.unit} on {name_of(given.hex)}"
            case Landing():
                return f"{given.marker} lands {given.infantry or 'nobody'}"
            case Attack():
                hq = f" with {given.hq}" if given.hq else ""
                units = f"{', '.join(given.units)}{hq}{guard_words(given.guard)}"
                said = f"{element.section} {given.id} on {name_of(given.target)}: {units}"
                odds = self._odds(element.section, given)
                return f"{said}; odds {odds}" if odds else said
        return "no Airdrop marker lands anybody" if given is NOTHING else f"{given} lands from its beachhead"


def begin_segment(board: Any) -> None:
    """4.18 What was used and attacked is counted anew for each segment."""
    t = T.of(board)
    t.attacked, t.lost = (), 0
    for one in pieces(board, spot="map"):
        if one.hq_used:
            one.hq_used = False


def targets(supply: Supply, power: str) -> list[str]:
    """Hexes beside units of the faction with something to attack."""
    ground, world = supply.ground, supply.world
    found = set()
    for hex, units in ground.by_role.get("ground", {}).items():
        if any(one.owner == power for one in units) and world.kind(hex) == "hex":
            found |= {
                n for n in world.beside(hex) if ground.enemies(n, power) or markers_in(ground, n, power)
            }
    return sorted(found)


__all__ = ["Combat", "CombatPlan", "landing_infantry"]
