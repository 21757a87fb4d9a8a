"""The Combat Phase: 4.1.1 to 4.1.5, 4.2, 4.3 (4.13, 4.17 to 4.22)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from pbem.rules import Game, Message, ask, procedure, steps

from ..decisions.combat import Combat, CombatPlan, blitz_allowed
from ..dropping import (
    airdrop,
    airdrop_faults,
    airdrop_landing_faults,
    can_land,
    land,
    landing_faults,
    landing_infantry,
    place_infantry,
    return_strikes,
)
from ..events.fighting import (
    AirdropLanded,
    Airdropped,
    ItemSkipped,
    Landed,
    MarkerRemoved,
    StrikeReturned,
    UnitsTakenOut,
)
from ..fighting import Fight, hard
from ..ground import Ground
from ..guards import holds
from ..orders import Attack, Going
from ..pieces import Piece, Spot, T, piece, pieces, send, world_of
from ..stacking_check import check_stacks
from ..strength import Assault
from ..supply import Supply
from .faction_turn import enter_faction_turn, faction_of, refuse

Segment = Literal["blitz", "regular"]


class CombatPhase:
    """The Combat Phase of one faction, from one answer; a guard that stops asks for another."""

    def __init__(self, game: Game, power: str) -> None:
        self.game, self.power = game, power
        self.t = T.of(game)
        self.allowed = blitz_allowed(game, power)
        self._plan: CombatPlan | None = None
        self._sent: set[str] = set()
        self.round = 0

    async def plan(self, segment: Segment | None = None) -> CombatPlan:
        """Return the answer; ask for it when it is first needed, and again after a stop."""
        if self._plan is None or segment is not None:
            self.round += 1
            of = segment or ("blitz" if self.allowed else "regular")
            self._plan = await ask(Combat(self.game.seat(self.power), self.power, of, self.round))
            self._sent = set()
        return self._plan

    # 4.1

    async def drops(self) -> None:
        """4.17: Carry out airdrops, one at a time."""
        plan = await self.plan()
        for given in plan.airdrops if self.allowed else ():
            if refuse(
                self.game,
                self.power,
                Message("totaler-krieg.combat.airdrop-of", unit=given.unit),
                airdrop_faults(Supply(self.game), self.power, given),
            ):
                continue
            one = piece(self.game, given.unit)
            origin = one.hex or ""
            airdrop(one, given.hex)
            self.game.emit(Airdropped(self.power, one.id, origin, given.hex))

    async def blitz(self) -> None:
        """4.18: Carry out Blitz attacks."""
        if self.allowed:
            await self._attacks("blitz")

    async def landings(self) -> None:
        """4.19: Land units from supplied beachheads."""
        if not self.allowed:
            return
        for id in (await self.plan()).landings:
            if refuse(
                self.game,
                self.power,
                Message("totaler-krieg.combat.landing", id=id),
                landing_faults(self.game, self.power, id),
            ):
                continue
            origin = piece(self.game, id).hex or ""
            self.game.emit(Landed(self.power, id, origin, land(self.game, self.power, id)))

    async def airdrop_landings(self) -> None:
        """4.20: Let each Airdrop marker land an infantry; in every case it goes to the Delay Box."""
        markers = [one for one in pieces(self.game, self.power, "map") if one.role == "airdrop"]
        if not markers:
            return
        listed = (await self.plan()).airdrop_landings
        for marker in markers:
            hex, chosen = marker.hex or "", None
            if listed is None:
                able = landing_infantry(self.game, self.power, marker)
                chosen = able[0] if able and can_land(Supply(self.game), marker) else None
            for given in listed or ():
                if given.marker == marker.id and given.infantry is not None:
                    faults = airdrop_landing_faults(self.game, self.power, given)
                    if not refuse(
                        self.game,
                        self.power,
                        Message("totaler-krieg.combat.landing", id=given.infantry),
                        faults,
                    ):
                        chosen = given.infantry
            send(marker, "delay")
            if chosen is not None:
                place_infantry(self.game, chosen, hex)
            self.game.emit(AirdropLanded(self.power, marker.id, hex, chosen or ""))

    async def strikes(self) -> None:
        """4.21: Move every CV strike in a hex, of any faction, to the used box of its zone."""
        for one, hex in return_strikes(self.game):
            self.game.emit(StrikeReturned(one.owner, one.id, hex, one.hex or ""))
        await check_stacks(self.game)
        self._forget()

    def _forget(self) -> None:
        """2.3: Clear what was used: HQs of both sides may be used again, hexes attacked again."""
        self.t.attacked, self.t.lost = (), 0
        for one in pieces(self.game, spot="map"):
            if one.hq_used:
                one.hq_used = False

    # 4.2, 4.3

    async def regular(self) -> None:
        """4.13: Carry out regular attacks."""
        await self._attacks("regular")
        await check_stacks(self.game)
        self._forget()

    async def _attacks(self, segment: Segment) -> None:
        """Carry out attacks in order; a guard that fails skips one, or opens the question again."""
        plan = await self.plan()
        queue = list(plan.blitz if segment == "blitz" else plan.regular)
        while queue:
            order = queue.pop(0)
            if holds(self.game, self.power, order.guard):
                await self._attack(order, segment)
                continue
            stops = order.guard is not None and order.guard.else_ == "stop"
            self.game.emit(ItemSkipped(self.power, f"attack {order.id}", stops))
            if stops:
                plan = await self.plan(segment)
                queue = list(plan.blitz if segment == "blitz" else plan.regular)

    async def _attack(self, order: Attack, segment: Segment) -> None:
        order = self._without_spent(order, segment)
        faults = hard(Assault(self.game, self.power, order, segment).faults())
        if not refuse(self.game, self.power, f"attack {order.id}", faults):
            self._sent |= {*order.units}
            await Fight(self.game, self.power, order, segment).run()

    def _without_spent(self, order: Attack, segment: Segment) -> Attack:
        """R-301: Return an attack without the units that the same order used in this segment, and tell it.

        An attack of which nobody would be left stays as it is, and is refused.
        """
        attacked = [id for id in order.units if id in self._sent and piece(self.game, id).flag(segment)]
        left = tuple(id for id in order.units if id not in attacked)
        if not attacked or not left:
            return order
        self.game.emit(UnitsTakenOut(self.power, order.id, tuple(attacked)))
        return replace(
            order,
            units=left,
            losses=tuple(id for id in order.losses if id not in attacked),
            advance=_without(order.advance, attacked) if order.advance is not None else None,
            exploit=_without(order.exploit, attacked),
        )

    async def markers(self) -> None:
        """4.22: Send Blitz markers home; remove markers under own units, and beachheads that are cut off."""
        game, power = self.game, self.power
        own = pieces(game, power, "map")
        for one in (one for one in own if one.role == "blitz"):
            self._remove(one, "pool", "used")
        for one in (one for one in own if one.role == "airdrop"):
            self._remove(one, "delay", Message("totaler-krieg.combat.left-over"))
        ground, world = Ground(game), world_of(game)
        mine = [hex for hex in sorted(ground.by_role.get("ground", {})) if ground.units(hex, power)]
        for roles in (("detachment", "logistics", "partisan"), ("air",)):
            for hex in (hex for hex in mine if not ground.enemies(hex, power)):
                for one in (one for role in roles for one in ground.foes(role, hex, power)):
                    self._remove(one, "delay", Message("totaler-krieg.combat.units", power=power, hex=hex))
        for hex, found in sorted(ground.by_role.get("beachhead", {}).items()):
            for one in found:
                to = world.toward(hex, one.facing)
                if one.owner != power and to in mine and not ground.units(hex):
                    self._remove(one, "delay", Message("totaler-krieg.combat.units", power=power, hex=to))
        await check_stacks(game)

    def _remove(self, one: Piece, spot: Spot, why: str) -> None:
        hex = one.hex or ""
        send(one, spot)
        self.game.emit(MarkerRemoved(one.owner, one.id, hex, spot, why))


def _without(goings: tuple[Going, ...], units: Collection[str]) -> tuple[Going, ...]:
    return tuple(one for one in goings if one.unit not in units)


@procedure("combat", rule="4.13")
async def combat(game: Game, phasing: str | None) -> None:
    """4.1 to 4.3: Carry out the Combat Phase."""
    power = faction_of(phasing)
    enter_faction_turn(game, power)
    phase = CombatPhase(game, power)
    await steps(
        game,
        [
            ("4.1.1", phase.drops),
            ("4.1.2", phase.blitz),
            ("4.1.3", phase.landings),
            ("4.1.4", phase.airdrop_landings),
            ("4.1.5", phase.strikes),
            ("4.2", phase.regular),
            ("4.3", phase.markers),
        ],
    )
