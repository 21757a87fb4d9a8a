"""D-12, D-13, D-20, D-21: airdrops, blitz attacks, landings, regular attacks (4.13, 4.17 to 4.20)."""

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
"""What may still come right before an attack begins that has a guard, or whose units advance before."""
BLITZ_SECTIONS = ("airdrops", "blitz", "landings", "airdrop_landings")


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
        return Fighting(game, self.player, self.power, self.segment, self.round)

    def default(self, game: Game) -> CombatPlan:
        return CombatPlan()

    def waits(self, game: Game) -> bool:
        """Return True if the faction could attack, drop or land at all."""
        return can_act(game, self.power)

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


def can_act(game: Game, power: str) -> bool:
    """Return True if any unit is beside an enemy, on a beachhead, or able to drop."""
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
    """4.18, R-101: Return True if there is a Blitz segment: a Blitz or a Beachhead marker is on the map."""
    return any(one.role in ("blitz", "beachhead") for one in pieces(board, power, "map"))


class Fighting(Draft[Any]):
    """Attacks change nothing here but what has attacked: what they will do, only dice know."""

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
        """Return True if an attack comes before what is judged."""
        return bool(self.sent)

    # next

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        blitz = self.segment == "blitz" and not self.regular_begun and blitz_allowed(self.game, self.power)
        if blitz:
            yield from () if self.again else self._drops(of)
            yield from self._attacks("blitz", of)
            yield from self._landings(of)
        later = ("airdrop_landings", "regular")
        if self.segment == "blitz" and not any(one.section in later for one in self.elements):
            yield Next(
                Part("airdrop_landings", NOTHING),
                Message("totaler-krieg.combat.no-airdrop-marker-lands-anybody"),
            )
        if not self.fought or self.regular_begun:
            yield from self._attacks("regular", of)

    def _drops(self, of: str | None) -> Iterator[Next[Any]]:
        supply = Supply(self.game)
        for one in pieces(self.game, self.power, "map"):
            if one.print.airdrop_side and self.concerns(of, one.id):
                for hex in airdrop_hexes(supply, one):
                    yield self._one("airdrops", Airdrop(one.id, hex), one.id, hex)

    def _attacks(self, segment: str, of: str | None) -> Iterator[Next[Any]]:
        """Yield attacks of each target: by every unit that can, by each alone; with an HQ that can
        support."""
        supply = Supply(self._board_of(segment))
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
                    risk = Assault(supply.board, self.power, order, segment, supply).odds()
                    for part in self._ways_out(segment, order):
                        yield Next(part, self.words(part), _attack(order, target, risk))

    def _orders(
        self, supply: Supply, segment: str, target: str, units: list[Piece], number: int
    ) -> Iterator[Attack]:
        ids = tuple(one.id for one in units)
        known = {
            one.value.id for one in self.elements if isinstance(one, Part) and isinstance(one.value, Attack)
        }
        letter = "B" if segment == "blitz" else "G"
        name = next(one for n in count(number) if (one := f"{letter}{n}") not in known)
        mine = pieces(supply.board, self.power, "map")
        hqs = [one.id for one in mine if one.type == "hq" and one.id not in ids]
        for hq in (None, *hqs):
            order = Attack(name, target, ids, hq)
            if not Assault(supply.board, self.power, order, segment, supply).faults():
                yield order

    def _ways_out(self, segment: str, order: Attack) -> Iterator[Part[Any]]:
        """4.13.6: Yield an attack that retreats where it may, and one of several units that stands."""
        yield Part(segment, order)
        if len(order.units) > 1:
            yield Part(segment, replace(order, on_ad="loss", on_ex="loss"))

    def _may(
        self, supply: Supply, segment: str, target: str, units: tuple[Piece, ...], hq: str | None
    ) -> bool:
        """Return True if these could take part in some attack, whatever the odds."""
        order = Attack("A", target, tuple(one.id for one in units), hq)
        found = Assault(supply.board, self.power, order, segment, supply).faults()
        return all(fault.code == "E-ATK-11" for fault in found)

    def _landings(self, of: str | None) -> Iterator[Next[Any]]:
        for one in pieces(self.game, self.power, "map"):
            if self.concerns(of, one.id) and not self._landing_faults(one.id):
                yield self._one("landings", one.id, one.id)

    def _landing_faults(self, id: str) -> list[Diagnostic]:
        return landing_faults(self.game, self.power, id, later=self.fought)

    def _one(self, section: str, value: Any, id: str, end: str | None = None) -> Next[Any]:
        part = Part(section, value)
        kind: Literal["move", "other"] = "move" if end is not None else "other"
        return Next(part, self.words(part), Points((id,), end=end, kind=kind))

    def _odds(self, segment: str, given: Attack) -> str:
        """4.20, 4.13.4: Return the final column as the board is then, without and with the defender's HQ."""
        return Assault(self._board_of(segment), self.power, given, segment).odds()

    def _board_of(self, segment: str) -> Game:
        """Return the board of a segment; before the first regular attack, as 4.1 leaves it."""
        if segment != "regular" or self.regular_begun:
            return self.game
        board = self.aside()
        self._end_blitz(board)
        return board

    def _end_blitz(self, board: Game) -> None:
        """4.20, 4.21: Land infantry for Airdrop markers, return the CV strikes, begin the next segment."""
        for marker in [one for one in pieces(board, self.power, "map") if one.role == "airdrop"]:
            hex, able = marker.hex or "", landing_infantry(board, self.power, marker)
            may = self.fought or can_land(Supply(board), marker)
            lands = self.lands.get(marker.id) if self.lands is not None else next(iter(able), None)
            send(marker, "delay")
            if may and lands in able:
                place_infantry(board, lands, hex)
        return_strikes(board)
        begin_segment(board)

    # faults and effects

    def faults(self, element: Any) -> list[Diagnostic]:
        given = element.value
        if given is NOTHING:
            return []
        if self._over(element.section):
            return [illegal("E-GEN-02", "4.28", Message("totaler-krieg.combat.part-of-combat-phase-over"))]
        match element.section:
            case "airdrops":
                return airdrop_faults(Supply(self.game), self.power, given)
            case "landings":
                return [replace(fault, path=()) for fault in self._landing_faults(given)]
            case "airdrop_landings":
                found = airdrop_landing_faults(self.game, self.power, given, later=self.fought)
                if given.infantry is not None and given.infantry in (self.lands or {}).values():
                    message = Message(
                        "totaler-krieg.combat.lands-for-another-marker", infantry=given.infantry
                    )
                    found.append(illegal("E-GEN-01", "4.20", message, "infantry"))
                return found
        return self._attack_faults(element.section, given)

    def _over(self, section: str) -> bool:
        """4.28: Return True for what came before the attack whose guard opened the question again."""
        before = BLITZ_SECTIONS if self.segment == "regular" else ("airdrops",)
        return self.again and section in before

    def _attack_faults(self, section: str, given: Attack) -> list[Diagnostic]:
        found = Assault(self._board_of(section), self.power, given, section).faults()
        if section == "blitz" and not blitz_allowed(self.game, self.power):
            found.append(
                illegal(
                    "E-GEN-02",
                    "4.18",
                    Message("totaler-krieg.combat.without-blitz-or-beachhead-marker-no-blitz"),
                )
            )
        loose = guarded(given.guard)
        if loose:
            found = [fault for fault in found if not self._by_this_order(section, given, fault)]
        if loose or ({*given.units, given.hq} & self.going):
            found = [fault for fault in found if fault.code not in LATER]
        return found

    def _by_this_order(self, section: str, given: Attack, fault: Diagnostic) -> bool:
        """R-301: Return True if an attack with a guard is illegal only because of this order.

        It named the attack's unit or its hex before.
        """
        earlier = [one for segment, one in self.sent if segment == section]
        if fault.code == "E-ATK-04":
            return any(given.units[int(fault.path[-1])] in one.units for one in earlier)
        return fault.code == "E-ATK-03" and any(given.target == one.target for one in earlier)

    def do(self, element: Any) -> None:
        given = element.value
        self._said = self._expected(element) if self.speaks else None
        if given is NOTHING:
            self.lands = {}
            return
        match element.section:
            case "airdrops":
                airdrop(piece(self.game, given.unit), given.hex)
            case "landings":
                land(self.game, self.power, given)
            case "airdrop_landings":
                self.lands = {**(self.lands or {}), given.marker: given.infantry}
            case "blitz" | "regular":
                self._fight(element.section, given)

    def _fight(self, section: str, given: Attack) -> None:
        if section == "regular" and not self.regular_begun:
            self._end_blitz(self.game)
            self.regular_begun = True
        self.sent.append((section, given))
        self.going |= {one.unit for one in (*(given.advance or ()), *given.exploit)}
        if guarded(given.guard):  # it may not come to it
            return
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

    def _expected(self, element: Any) -> str | None:
        """4.13: Return an attack in words with what to expect of it, on the board before it."""
        given = element.value
        if not isinstance(given, Attack) or guarded(given.guard):
            return None
        board, sent = self._board_of(element.section), Sent.of(given.units, given, element.section)
        found = next(iter(self.game.system.forecasts(board, given.target, sent)), None)
        if found is None:
            return None
        said = self.words(element)
        return Message("totaler-krieg.combat.expected", said=said, expected=found.sentence())

    def told(self, element: Any) -> str | None:
        """Return an attack with what to expect of it."""
        return self._said

    def doubts(self) -> list[Diagnostic]:
        """R-301: Warn of each unit that the order names twice: only one of the two can be carried out."""
        found = []
        for n, (segment, given) in enumerate(self.sent):
            earlier = [one for other, one in self.sent[:n] if other == segment]
            for id, one in ((id, one) for id in given.units for one in earlier if id in one.units):
                message = Message("totaler-krieg.combat.if-attacks", id=id, one=one.id, given=given.id)
                found.append(_warning("named-twice", message, "4.28"))
        for id in (one.value for one in self.elements if one.section == "landings"):
            for one in (one for segment, one in self.sent if segment == "blitz" and id in one.units):
                found.append(
                    _warning(
                        "named-twice",
                        Message("totaler-krieg.combat.if-attacks-in-does-not-land", id=id, one=one.id),
                        "4.19",
                    )
                )
        return found

    def words(self, element: Any) -> str:
        given = element.value
        name_of = world_of(self.game).name_of
        match given:
            case Airdrop():
                return Message("totaler-krieg.combat.airdrop", unit=given.unit, place=name_of(given.hex))
            case Landing():
                return Message(
                    "totaler-krieg.combat.lands", marker=given.marker, infantry=given.infantry or "nobody"
                )
            case Attack():
                return Message(
                    "totaler-krieg.combat.attack",
                    segment=element.section,
                    attack=given.id,
                    place=name_of(given.target),
                    units=given.units,
                    hq=given.hq,
                    guard=guard_words(given.guard),
                    stands="yes" if given.on_ad == given.on_ex == "loss" else "",
                    odds=self._odds(element.section, given) if self.speaks else "",
                )
        return (
            Message("totaler-krieg.combat.no-airdrop-marker-lands-anybody")
            if given is NOTHING
            else Message("totaler-krieg.combat.lands-from-beachhead", given=given)
        )


def _warning(code: str, message: str, rule: str) -> Diagnostic:
    return Diagnostic(code, message, severity="warning", family="illegal", rule=rule)


def begin_segment(board: Any) -> None:
    """4.18: Clear what was used and attacked, since each segment counts anew."""
    t = T.of(board)
    t.attacked, t.lost = (), 0
    for one in pieces(board, spot="map"):
        if one.hq_used:
            one.hq_used = False


def targets(supply: Supply, power: str) -> list[str]:
    """Return the hexes beside units of the faction with something to attack."""
    ground, world = supply.ground, supply.world
    found = set()
    for hex, units in ground.by_role.get("ground", {}).items():
        if any(one.owner == power for one in units) and world.kind(hex) == "hex":
            found |= {
                n for n in world.beside(hex) if ground.enemies(n, power) or markers_in(ground, n, power)
            }
    return sorted(found)


__all__ = ["Combat", "CombatPlan", "landing_infantry"]


def _attack(order: Attack, target: str, risk: str) -> Points:
    return Points((order.units[0],), end=target, risk=risk, kind="attack", units=order.units)
