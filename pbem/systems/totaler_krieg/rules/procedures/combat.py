"""4.1 to 4.3: The Combat Phase (4.13, 4.17 to 4.22)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from pbem.rules import Game, Message, ask, procedure, steps

from ..decisions.combat import Combat, CombatPlan, begin_segment, blitz_allowed
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
from ..pieces import Piece, Spot, piece, pieces, send, world_of
from ..stacking_check import check_stacks
from ..strength import Assault
from ..supply import Supply
from .faction_turn import enter_faction_turn, faction_of, refuse

Segment = Literal["blitz", "regular"]


class CombatPhase:
    """The Combat Phase of one faction, from one answer. A guard that stops asks for another."""

    def __init__(self, game: Game, power: str) -> None:
        self.game, self.power = game, power
        self.allowed = blitz_allowed(game, power)
        self._plan: CombatPlan | None = None
        self._sent: set[str] = set()
        self.round = 0

    async def plan(self, segment: Segment | None = None) -> CombatPlan:
        """Return the answer. It is asked for when first needed, and again after a stop."""
        if self._plan is None or segment is not None:
            self.round += 1
            of = segment or ("blitz" if self.allowed else "regular")
            self._plan = await ask(Combat(self.game.seat(self.power), self.power, of, self.round))
            self._sent = set()
        return self._plan

    async def drops(self) -> None:
        """4.17: Carry out airdrops one at a time."""
        plan = await self.plan()
        for order in plan.airdrops if self.allowed else ():
            if refuse(
                self.game,
                self.power,
                Message("totaler-krieg.combat.airdrop-of", unit=order.unit),
                airdrop_faults(Supply(self.game), self.power, order),
            ):
                continue
            unit = piece(self.game, order.unit)
            origin = unit.hex or ""
            airdrop(unit, order.hex)
            self.game.emit(Airdropped(self.power, unit.id, origin, order.hex))

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
        """4.20: Let each Airdrop marker land an infantry, and send it to the Delay Box in any case."""
        markers = [counter for counter in pieces(self.game, self.power, "map") if counter.role == "airdrop"]
        if not markers:
            return
        listed = (await self.plan()).airdrop_landings
        for marker in markers:
            hex, chosen = marker.hex or "", None
            if listed is None:
                able = landing_infantry(self.game, self.power, marker)
                chosen = able[0] if able and can_land(Supply(self.game), marker) else None
            for order in listed or ():
                if order.marker == marker.id and order.infantry is not None:
                    faults = airdrop_landing_faults(self.game, self.power, order)
                    if not refuse(
                        self.game,
                        self.power,
                        Message("totaler-krieg.combat.landing", id=order.infantry),
                        faults,
                    ):
                        chosen = order.infantry
            send(marker, "delay")
            if chosen is not None:
                place_infantry(self.game, chosen, hex)
            self.game.emit(AirdropLanded(self.power, marker.id, hex, chosen or ""))

    async def strikes(self) -> None:
        """4.21: Move every CV strike in a hex, of any faction, to the used box of its zone."""
        for strike, hex in return_strikes(self.game):
            self.game.emit(StrikeReturned(strike.owner, strike.id, hex, strike.hex or ""))
        await check_stacks(self.game)
        begin_segment(self.game)

    async def regular(self) -> None:
        """4.13: Carry out regular attacks."""
        await self._attacks("regular")
        await check_stacks(self.game)
        begin_segment(self.game)

    async def _attacks(self, segment: Segment) -> None:
        """Carry out attacks in order. A guard that fails skips one, or opens the question again."""
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
        """R-301: Return an attack without units that this order already used, and report them.

        An attack with no other unit is returned unchanged, and will be refused.
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
        """4.22: Remove Blitz markers, enemy markers in hexes with own units, and taken beachheads."""
        game, power = self.game, self.power
        own = pieces(game, power, "map")
        for marker in (marker for marker in own if marker.role == "blitz"):
            self._remove(marker, "pool", "used")
        for marker in (marker for marker in own if marker.role == "airdrop"):
            self._remove(marker, "delay", Message("totaler-krieg.combat.left-over"))
        ground, world = Ground(game), world_of(game)
        mine = [hex for hex in sorted(ground.by_role.get("ground", {})) if ground.units(hex, power)]
        for roles in (("detachment", "logistics", "partisan"), ("air",)):
            for hex in (hex for hex in mine if not ground.enemies(hex, power)):
                for marker in (marker for role in roles for marker in ground.foes(role, hex, power)):
                    self._remove(marker, "delay", Message("totaler-krieg.combat.units", power=power, hex=hex))
        for hex, markers in sorted(ground.by_role.get("beachhead", {}).items()):
            for marker in markers:
                to = world.toward(hex, marker.facing)
                if marker.owner != power and to in mine and not ground.units(hex):
                    self._remove(marker, "delay", Message("totaler-krieg.combat.units", power=power, hex=to))
        await check_stacks(game)

    def _remove(self, marker: Piece, spot: Spot, why: str) -> None:
        hex = marker.hex or ""
        send(marker, spot)
        self.game.emit(MarkerRemoved(marker.owner, marker.id, hex, spot, why))


def _without(goings: tuple[Going, ...], units: Collection[str]) -> tuple[Going, ...]:
    return tuple(going for going in goings if going.unit not in units)


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
