"""D-12, D-13, D-20, D-21: Airdrops, blitz attacks, landings, regular attacks (4.13, 4.17 to 4.20)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any, Literal

from pbem.kit.faults import illegal
from pbem.kit.fights import Sent
from pbem.rules import (
    NOTHING,
    Diagnostic,
    Draft,
    Game,
    Growing,
    Message,
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
    can_land,
    land,
    landing_faults,
    landing_infantry,
    place_infantry,
    return_strikes,
)
from ..guards import guard_words, guarded
from ..orders import Airdrop, Attack, Landing
from ..pieces import Piece, T, piece, pieces, send, world_of
from ..strength import Assault, markers_in
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
"""Faults that may be gone when a guarded attack, or one after an advance, begins."""
BLITZ_SECTIONS = ("airdrops", "blitz", "landings", "airdrop_landings")


@dataclass(frozen=True)
class CombatPlan:
    """A whole combat phase in the order of play.

    Without `airdrop_landings` every marker lands the first infantry by id. If it is empty, none
    land.
    """

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
        return Fighting(game, self.player, self.power, self.segment, self.round)

    def default(self, game: Game) -> CombatPlan:
        return CombatPlan()

    def waits(self, game: Game) -> bool:
        """Return True if the faction can attack, drop or land."""
        return can_act(game, self.power)

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


def can_act(game: Game, power: str) -> bool:
    """Return True if a unit is beside an enemy, on a beachhead, or able to drop."""
    supply = Supply(game)
    ground, world = supply.ground, supply.world
    for hex, units in sorted(ground.by_role.get("ground", {}).items()):
        for unit in units:
            if unit.owner != power:
                continue
            near = any(ground.enemies(n, power) or markers_in(ground, n, power) for n in world.beside(hex))
            if near or ground.beachhead(hex, power) is not None:
                return True
            if unit.print.airdrop_side and ground.blitz_enabled(unit):
                return True
    return bool(ground.by_role.get("airdrop"))


def blitz_allowed(board: Any, power: str) -> bool:
    """4.18, R-101: Return True if a Blitz or Beachhead marker on the map gives a Blitz segment."""
    return any(marker.role in ("blitz", "beachhead") for marker in pieces(board, power, "map"))


class Fighting(Draft[Any]):
    """A combat plan on a draft's board.

    Attacks only use up units and hexes here, because their dice are unknown.
    """

    def __init__(self, game: Game, player: str, power: str, segment: str, round: int) -> None:
        super().__init__(game, player)
        self.power, self.segment, self.again = power, segment, round > 1
        self.going: set[str] = set()
        self.sent: list[tuple[str, Attack]] = []
        self.lands: dict[str, str | None] | None = None
        self.regular_begun = segment != "blitz"
        self._said: str | None = None

    @property
    def fought(self) -> bool:
        """Return True if an attack comes before the element that is judged."""
        return bool(self.sent)

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        blitz = self.segment == "blitz" and not self.regular_begun and blitz_allowed(self.game, self.power)
        if blitz:
            yield from () if self.again else self._drops(of)
            yield from self._attacks("blitz", of)
            yield from self._landings(of)
        later = ("airdrop_landings", "regular")
        if self.segment == "blitz" and not any(element.section in later for element in self.elements):
            yield Next(
                Part("airdrop_landings", NOTHING),
                Message("totaler-krieg.combat.no-airdrop-marker-lands-anybody"),
            )
        if not self.fought or self.regular_begun:
            yield from self._attacks("regular", of)

    def _drops(self, of: str | None) -> Iterator[Next[Any]]:
        supply = Supply(self.game)
        for unit in pieces(self.game, self.power, "map"):
            if unit.print.airdrop_side and self.concerns(of, unit.id):
                for hex in airdrop_hexes(supply, unit):
                    yield self._one("airdrops", Airdrop(unit.id, hex), unit.id, hex)

    def _attacks(self, segment: str, of: str | None) -> Iterator[Next[Any]]:
        """Yield attacks on each target by all units that can, and by each alone.

        Each comes without and with every HQ that can support it.
        """
        supply = Supply(self._board_of(segment))
        world = world_of(self.game)
        number = 1 + sum(
            isinstance(element, Part) and isinstance(element.value, Attack) for element in self.elements
        )
        for target in targets(supply, self.power):
            near = [unit for n in world.beside(target) for unit in supply.ground.units(n, self.power)]
            able = [unit for unit in near if self._may(supply, segment, target, (unit,), None)]
            groups = [able] if len(able) > 1 else []
            groups += [[unit] for unit in able]
            for units in groups:
                if not any(self.concerns(of, unit.id) for unit in units):
                    continue
                for order in self._orders(supply, segment, target, units, number):
                    risk = Assault(supply.board, self.power, order, segment, supply).odds()
                    for part in self._ways_out(segment, order):
                        yield Next(part, self.words(part), _attack(order, target, risk))

    def _orders(
        self, supply: Supply, segment: str, target: str, units: list[Piece], number: int
    ) -> Iterator[Attack]:
        ids = tuple(unit.id for unit in units)
        known = {
            element.value.id
            for element in self.elements
            if isinstance(element, Part) and isinstance(element.value, Attack)
        }
        letter = "B" if segment == "blitz" else "G"
        name = next(id for n in count(number) if (id := f"{letter}{n}") not in known)
        mine = pieces(supply.board, self.power, "map")
        hqs = [unit.id for unit in mine if unit.type == "hq" and unit.id not in ids]
        for hq in (None, *hqs):
            order = Attack(name, target, ids, hq)
            if not Assault(supply.board, self.power, order, segment, supply).faults():
                yield order

    def _ways_out(self, segment: str, order: Attack) -> Iterator[Part[Any]]:
        """4.13.6: Yield an attack that retreats if it may, and for several units one that does not."""
        yield Part(segment, order)
        if len(order.units) > 1:
            yield Part(segment, replace(order, on_ad="loss", on_ex="loss"))

    def _may(
        self, supply: Supply, segment: str, target: str, units: tuple[Piece, ...], hq: str | None
    ) -> bool:
        """Return True if these units could take part in an attack at some odds."""
        order = Attack("A", target, tuple(unit.id for unit in units), hq)
        faults = Assault(supply.board, self.power, order, segment, supply).faults()
        return all(fault.code == "E-ATK-11" for fault in faults)

    def _landings(self, of: str | None) -> Iterator[Next[Any]]:
        for unit in pieces(self.game, self.power, "map"):
            if self.concerns(of, unit.id) and not self._landing_faults(unit.id):
                yield self._one("landings", unit.id, unit.id)

    def _landing_faults(self, id: str) -> list[Diagnostic]:
        return landing_faults(self.game, self.power, id, later=self.fought)

    def _one(self, section: str, value: Any, id: str, end: str | None = None) -> Next[Any]:
        part = Part(section, value)
        kind: Literal["move", "other"] = "move" if end is not None else "other"
        return Next(part, self.words(part), Points((id,), end=end, kind=kind))

    def _odds(self, segment: str, order: Attack) -> str:
        """4.20, 4.13.4: Return the final column at that time, without and with the defender's HQ."""
        return Assault(self._board_of(segment), self.power, order, segment).odds()

    def _board_of(self, segment: str) -> Game:
        """Return the board of a segment, for the first regular attack as segment 4.1 leaves it."""
        if segment != "regular" or self.regular_begun:
            return self.game
        board = self.aside()
        self._end_blitz(board)
        return board

    def _end_blitz(self, board: Game) -> None:
        """4.20, 4.21: Land infantry for Airdrop markers, return CV strikes, begin the next segment."""
        for marker in [counter for counter in pieces(board, self.power, "map") if counter.role == "airdrop"]:
            hex, able = marker.hex or "", landing_infantry(board, self.power, marker)
            may = self.fought or can_land(Supply(board), marker)
            lands = self.lands.get(marker.id) if self.lands is not None else next(iter(able), None)
            send(marker, "delay")
            if may and lands in able:
                place_infantry(board, lands, hex)
        return_strikes(board)
        begin_segment(board)

    def faults(self, element: Any) -> list[Diagnostic]:
        order = element.value
        if order is NOTHING:
            return []
        if self._over(element.section):
            return [illegal("E-GEN-02", "4.28", Message("totaler-krieg.combat.part-of-combat-phase-over"))]
        match element.section:
            case "airdrops":
                return airdrop_faults(Supply(self.game), self.power, order)
            case "landings":
                return [replace(fault, path=()) for fault in self._landing_faults(order)]
            case "airdrop_landings":
                faults = airdrop_landing_faults(self.game, self.power, order, later=self.fought)
                if order.infantry is not None and order.infantry in (self.lands or {}).values():
                    message = Message(
                        "totaler-krieg.combat.lands-for-another-marker", infantry=order.infantry
                    )
                    faults.append(illegal("E-GEN-01", "4.20", message, "infantry"))
                return faults
        return self._attack_faults(element.section, order)

    def _over(self, section: str) -> bool:
        """4.28: Return True for a section that was played before a guard opened the question again."""
        before = BLITZ_SECTIONS if self.segment == "regular" else ("airdrops",)
        return self.again and section in before

    def _attack_faults(self, section: str, order: Attack) -> list[Diagnostic]:
        faults = Assault(self._board_of(section), self.power, order, section).faults()
        if section == "blitz" and not blitz_allowed(self.game, self.power):
            faults.append(
                illegal(
                    "E-GEN-02",
                    "4.18",
                    Message("totaler-krieg.combat.without-blitz-or-beachhead-marker-no-blitz"),
                )
            )
        loose = guarded(order.guard)
        if loose:
            faults = [fault for fault in faults if not self._by_this_order(section, order, fault)]
        if loose or ({*order.units, order.hq} & self.going):
            faults = [fault for fault in faults if fault.code not in LATER]
        return faults

    def _by_this_order(self, section: str, order: Attack, fault: Diagnostic) -> bool:
        """R-301: Return True if an earlier attack of this order is why one with a guard is illegal.

        The earlier attack has the same unit or the same hex.
        """
        earlier = [attack for segment, attack in self.sent if segment == section]
        if fault.code == "E-ATK-04":
            return any(order.units[int(fault.path[-1])] in attack.units for attack in earlier)
        return fault.code == "E-ATK-03" and any(order.target == attack.target for attack in earlier)

    def do(self, element: Any) -> None:
        order = element.value
        self._said = self._expected(element) if self.speaks else None
        if order is NOTHING:
            self.lands = {}
            return
        match element.section:
            case "airdrops":
                airdrop(piece(self.game, order.unit), order.hex)
            case "landings":
                land(self.game, self.power, order)
            case "airdrop_landings":
                self.lands = {**(self.lands or {}), order.marker: order.infantry}
            case "blitz" | "regular":
                self._fight(element.section, order)

    def _fight(self, section: str, order: Attack) -> None:
        if section == "regular" and not self.regular_begun:
            self._end_blitz(self.game)
            self.regular_begun = True
        self.sent.append((section, order))
        self.going |= {going.unit for going in (*(order.advance or ()), *order.exploit)}
        if guarded(order.guard):  # it may not be carried out
            return
        t = T.of(self.game)
        t.attacked = (*t.attacked, order.target)
        assault = Assault(self.game, self.power, order, section)
        for unit in assault.units:
            if section == "blitz":
                unit.attacked_blitz = True
            else:
                unit.attacked_regular = True
        if assault.own_hq is not None:
            assault.own_hq.hq_used = True

    def _expected(self, element: Any) -> str | None:
        """4.13: Return a sentence about an attack with its forecast, on the board before it."""
        order = element.value
        if not isinstance(order, Attack) or guarded(order.guard):
            return None
        board, sent = self._board_of(element.section), Sent.of(order.units, order, element.section)
        forecast = next(iter(self.game.system.forecasts(board, order.target, sent)), None)
        if forecast is None:
            return None
        sentence = self.words(element)
        return Message("totaler-krieg.combat.expected", said=sentence, expected=forecast.sentence())

    def told(self, element: Any) -> str | None:
        """Return the sentence about an attack with its forecast."""
        return self._said

    def doubts(self) -> list[Diagnostic]:
        """R-301: Return warnings about units that two orders name. Only one can be carried out."""
        warnings = []
        for n, (segment, order) in enumerate(self.sent):
            earlier = [attack for other, attack in self.sent[:n] if other == segment]
            for id, attack in (
                (id, attack) for id in order.units for attack in earlier if id in attack.units
            ):
                message = Message("totaler-krieg.combat.if-attacks", id=id, one=attack.id, given=order.id)
                warnings.append(_warning("named-twice", message, "4.28"))
        for id in (element.value for element in self.elements if element.section == "landings"):
            for attack in (
                attack for segment, attack in self.sent if segment == "blitz" and id in attack.units
            ):
                warnings.append(
                    _warning(
                        "named-twice",
                        Message("totaler-krieg.combat.if-attacks-in-does-not-land", id=id, one=attack.id),
                        "4.19",
                    )
                )
        return warnings

    def words(self, element: Any) -> str:
        order = element.value
        name_of = world_of(self.game).name_of
        match order:
            case Airdrop():
                return Message("totaler-krieg.combat.airdrop", unit=order.unit, place=name_of(order.hex))
            case Landing():
                return Message(
                    "totaler-krieg.combat.lands", marker=order.marker, infantry=order.infantry or "nobody"
                )
            case Attack():
                return Message(
                    "totaler-krieg.combat.attack",
                    segment=element.section,
                    attack=order.id,
                    place=name_of(order.target),
                    units=order.units,
                    hq=order.hq,
                    guard=guard_words(order.guard),
                    stands="yes" if order.on_ad == order.on_ex == "loss" else "",
                    odds=self._odds(element.section, order) if self.speaks else "",
                )
        return (
            Message("totaler-krieg.combat.no-airdrop-marker-lands-anybody")
            if order is NOTHING
            else Message("totaler-krieg.combat.lands-from-beachhead", given=order)
        )


def _warning(code: str, message: str, rule: str) -> Diagnostic:
    return Diagnostic(code, message, severity="warning", family="illegal", rule=rule)


def begin_segment(board: Any) -> None:
    """4.18: Clear what was used and attacked, because each segment counts anew."""
    t = T.of(board)
    t.attacked, t.lost = (), 0
    for counter in pieces(board, spot="map"):
        if counter.hq_used:
            counter.hq_used = False


def targets(supply: Supply, power: str) -> list[str]:
    """Return the hexes beside the faction's units with something to attack."""
    ground, world = supply.ground, supply.world
    hexes = set()
    for hex, units in ground.by_role.get("ground", {}).items():
        if any(unit.owner == power for unit in units) and world.kind(hex) == "hex":
            hexes |= {
                n for n in world.beside(hex) if ground.enemies(n, power) or markers_in(ground, n, power)
            }
    return sorted(hexes)


__all__ = ["Combat", "CombatPlan", "landing_infantry"]


def _attack(order: Attack, target: str, risk: str) -> Points:
    return Points((order.units[0],), end=target, risk=risk, kind="attack", units=order.units)
