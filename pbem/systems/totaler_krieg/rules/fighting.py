"""Steps A.1 to A.8: One attack from its order to its advance (4.13, 4.24, 4.25)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from pbem.kit.odds import Working
from pbem.rules import Decision, Diagnostic, Game, Message, Roll, ask, roll

from .advancing import default_advance, going_faults
from .asking import ask_quoted
from .decisions.defence import (
    NOBODY,
    AttackerChoice,
    DefenderHq,
    Exchange,
    Hold,
    Losses,
    RetreatHex,
    stand_in,
)
from .events.fighting import (
    Advanced,
    Attacked,
    ChoiceMade,
    Converted,
    ItemRefused,
    MarkersTaken,
    Retreated,
    StepLost,
)
from .ground import Ground
from .losing import Force
from .orders import Attack, Going
from .pieces import Piece, T, piece, send, world_of
from .retreating import Retreat, can_retreat, held_back
from .strength import STRAITS, Assault, across, first_loss, heads, markers_in

SOFT = ("E-LOSS-01",)
"""Codes of faults that do not stop an attack, because defaults replace what they name."""
AD, EX = "Ad", "Ex"
A = TypeVar("A")


def hard(faults: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the faults for which the attack is refused."""
    return [fault for fault in faults if fault.code not in SOFT]


class Fight:
    """One attack that is being carried out."""

    def __init__(self, game: Game, power: str, order: Attack, segment: str) -> None:
        self.game, self.power, self.order, self.segment = game, power, order, segment
        self.assault = Assault(game, power, order, segment)
        self.world = world_of(game)
        self.hex = order.target
        self.attackers = Force(game, order.units, first_loss(self.assault))
        self.stands_in: dict[str, str] = {}
        self.sides = {id: across(self.assault.ground, piece(game, id), self.hex) for id in order.units}
        self.defender = self.assault.defender or ""
        self.defenders = Force(game, [unit.id for unit in self.assault.defenders])
        self.wanted = list(order.losses)
        self.code, self.attrition = "", (0, 0)
        self.withdrew = False
        self.quoted: set[str] = set()

    async def _ask(self, decision: Decision[A]) -> A:
        """Ask a question of this fight, and quote each standing order that answers once."""
        return await ask_quoted(self.game, decision, self.quoted)

    async def run(self) -> str:
        """Carry out all eight steps, and return the final retreat result."""
        markers = markers_in(self.assault.ground, self.hex, self.power)
        if not self.assault.defenders:
            self._mark()
            self._take(markers)
            await self._advance(exploits=False)
            return ""
        await self._support()
        await self._roll()
        self._mark()
        if self.code in (AD, EX):
            await self._no_way()
        else:
            await self._driven(int(self.world.combat["retreats"][self.code]))
        await self._attrition()
        T.of(self.game).results = {**dict(T.of(self.game).results), self.order.id: self.code}
        if not self.withdrew:
            await self._advance(exploits=True)
        return self.code

    def _mark(self) -> None:
        """4.26: Mark hex, units and HQs of both sides as used in this segment."""
        t = T.of(self.game)
        t.attacked = (*t.attacked, self.hex)
        for unit in self.assault.units:
            if self.segment == "blitz":
                unit.attacked_blitz = True
            else:
                unit.attacked_regular = True
        for hq in (self.assault.own_hq, self.assault.defender_hq, self.assault.local_hq):
            if hq is not None:
                hq.hq_used = True

    def _take(self, markers: Sequence[Piece]) -> None:
        for marker in markers:
            send(marker, "delay")
        self.game.emit(MarkersTaken(self.power, self.hex, tuple(marker.id for marker in markers)))

    async def _support(self) -> None:
        able = self.assault.eligible_hqs()
        if not able:
            return
        best = self.assault.default_hq() or NOBODY
        column = heads(self.world)[self.assault.column_with(None)]
        ids = tuple(hq.id for hq in able)
        chosen = await self._ask(
            DefenderHq(self.game.seat(self.defender), self.defender, self.hex, ids, column, best)
        )
        self.assault.defender_hq = next((hq for hq in able if hq.id == chosen), None)

    async def _roll(self) -> None:
        """A.3 to A.6: Roll the attack: odds, modifiers, die, weather."""
        assault = self.assault
        listed = heads(self.world)
        shifts, first, last = tuple(assault.modifiers()), assault.entered(), assault.final()
        die = await roll("1d6", "attack", T.of(self.game).turn, self.power, self.segment, self.hex)
        printed = str(self.world.combat["results"][str(die.total)][last])
        code, _, losses = printed.partition(" ")
        weather = assault.ground.weather(self.hex) or ""
        changed = code
        if weather in self.world.combat["reduces_retreats"]:
            changed = self.world.combat["weather_dr"].get(code, code)
        self.code = changed
        mine, _, theirs = losses.partition("/")
        self.attrition = (int(mine), int(theirs))
        working = Working(
            "combat",
            f"{assault.attack}:{assault.defence}",
            listed[first],
            listed[last],
            str(die.total),
            printed,
            shifts,
        )
        self._tell(die, working, f"{changed} {losses}", weather)

    def _tell(self, die: Roll, working: Working, result: str, weather: str) -> None:
        assault = self.assault
        local, distant = assault.local_hq, assault.defender_hq
        self.game.emit(
            Attacked(
                self.power,
                self.order.id,
                self.segment,
                self.hex,
                self.order.units,
                self.order.hq or "",
                self.defender,
                tuple(unit.id for unit in assault.defenders),
                distant.id if distant else local.id if local else "",
                assault.attack,
                assault.defence,
                die,
                working,
                result,
                weather,
            )
        )

    def _groups(self) -> dict[str, list[str]]:
        """R-109: Return the attackers by the hex from which they attack, in the order of the hexes."""
        groups: dict[str, list[str]] = {}
        for unit in self.attackers.alive:
            groups.setdefault(unit.hex or "", []).append(unit.id)
        return dict(sorted(groups.items()))

    async def _no_way(self) -> None:
        """4.13.6: Resolve Ad and Ex.

        The attackers retreat, or one loses a step. After Ex the defenders then do so.
        """
        groups = self._groups()
        can = all(can_retreat(self.game, ids, self.hex, 1) for ids in groups.values())
        wish = self.order.on_ad if self.code == AD else self.order.on_ex
        choice = str(wish) if wish is not None and (can or wish == "loss") else ""
        if not choice:
            asked = AttackerChoice(self.game.seat(self.power), self.power, self.hex, self.code, can)
            choice = await ask(asked)
        self.game.emit(ChoiceMade(self.power, self.hex, choice))
        if choice == "retreat":
            self.withdrew = True
            for ids in list(groups.values()):
                await self._retreat(ids, 1, 1, self.power)
            return
        await self._lose(self.attackers, 1, self.power)
        if self.code == EX and self.defenders:
            await self._exchange()

    async def _exchange(self) -> None:
        ids = tuple(unit.id for unit in self.defenders.alive)
        can = can_retreat(self.game, ids, self.hex, 0)
        asked = Exchange(self.game.seat(self.defender), self.defender, self.hex, ids, can)
        choice = await self._ask(asked)
        self.game.emit(ChoiceMade(self.defender, self.hex, choice))
        if choice == "retreat":
            await self._retreat(ids, 1, 0, self.defender)
        else:
            await self._lose(self.defenders, 1, self.defender)

    async def _driven(self, hexes: int) -> None:
        """4.13.6: Resolve DrN.

        First hexes are converted by choice, then the force retreats, then the rest is converted.
        """
        chosen = 0
        if self._may_hold():
            chosen = await self._ask(Hold(self.game.seat(self.defender), self.defender, self.hex, hexes))
        if chosen:
            self.game.emit(
                Converted(self.defender, self.hex, chosen, Message("totaler-krieg.fighting.by-choice"))
            )
            await self._lose(self.defenders, chosen, self.defender)
        ids = [unit.id for unit in self.defenders.alive]
        if ids:
            await self._retreat(ids, hexes - chosen, 0, self.defender)

    def _may_hold(self) -> bool:
        """4.24: Return True if the defender may convert by choice.

        All attacks cross straits, beachheads or mountains, or the hex is a city without an enemy
        Blitz marker (R-38).
        """
        hard_to_cross = ("mountain", *STRAITS)
        if all(side in hard_to_cross or side.startswith("beachhead") for side in self.sides.values()):
            return True
        return self.world.city(self.hex) and not self.assault.ground.foes("blitz", self.hex, self.defender)

    async def _retreat(self, ids: Sequence[str], hexes: int, far: int, power: str) -> None:
        """4.24: Retreat one hex at a time. The remaining hexes become step losses."""
        retreat = Retreat(self.game, ids, self.hex, far)
        start, left, swept = retreat.at, hexes, list[str]()
        barred = held_back(retreat.units)
        while left and not barred:
            if retreat.way:
                swept += [unit.id for unit in retreat.sweep()]
            legal = retreat.ranked(retreat.legal())
            if not legal:
                break
            named = tuple(retreat.ids)
            able = tuple(legal)
            seat = self.game.seat(power)
            hex = await self._ask(RetreatHex(seat, power, self.hex, retreat.at, left, named, able))
            retreat.go(hex)
            left -= 1
        if retreat.way:
            moved = tuple(unit.id for unit in retreat.units)
            self.game.emit(Retreated(power, moved, start, tuple(retreat.way), tuple(swept)))
        if power == self.defender:
            self.defenders.join([*retreat.ids, *retreat.met()])
        if left:
            why = (
                Message("totaler-krieg.fighting.held-back")
                if barred
                else Message("totaler-krieg.fighting.no-way")
            )
            self.game.emit(Converted(power, retreat.at, left, why))
            force = self.defenders if power == self.defender else self.attackers
            own = Force(self.game, retreat.ids, force.first)
            await self._lose(own, left, power)
            force.first = own.first
            force.join(own.ids)

    async def _attrition(self) -> None:
        """4.13.7: Take attrition, first from the attacker, then from the defender."""
        mine, theirs = self.attrition
        await self._lose(self.attackers, mine, self.power)
        await self._lose(self.defenders, theirs, self.defender)

    async def _lose(self, force: Force, steps: int, power: str) -> None:
        """4.25: Take steps one at a time as ordered, as the owner answers, or by default."""
        if not steps or not force:
            return
        wanted = self.wanted
        if power != self.power:
            ids = tuple(unit.id for unit in force.able())
            seat = self.game.seat(power)
            answer: tuple[str, ...] = await self._ask(Losses(seat, power, self.hex, steps, ids))
            wanted = list(answer)
        for _ in range(steps):
            unit = force.next(wanted)
            if unit is None:
                return
            lost = force.take(unit, await stand_in(self.game, unit))
            if power == self.power:
                T.of(self.game).lost += 1
                if lost.instead:
                    self.stands_in[lost.unit] = lost.instead
            self.game.emit(
                StepLost(power, lost.unit, lost.hex, lost.left, lost.instead, lost.went, lost.steps)
            )

    async def _advance(self, *, exploits: bool) -> None:
        """4.13.8: Advance as ordered, unit by unit, or by default without an order."""
        if Ground(self.game).enemies(self.hex, self.power) or self.world.sea(self.hex):
            return
        going = (*(self.order.advance or ()), *self.order.exploit)
        if self.order.advance is None and not self.order.exploit:
            going = default_advance(self.game, self.power, self.attackers.alive, self.hex)
        for move in going:
            self._go(replace(move, unit=self._now(move.unit)), exploits)

    def _now(self, id: str) -> str:
        """R-110: Return the counter that now stands in for one of the attackers."""
        while id in self.stands_in:
            id = self.stands_in[id]
        return id

    def _go(self, going: Going, exploits: bool) -> None:
        further = self.further if exploits else 0
        able = {attacker.id for attacker in self.attackers.alive}
        faults = going_faults(self.game, self.power, going, able, self.hex, further)
        if faults:
            what = Message("totaler-krieg.fighting.advance", unit=going.unit)
            self.game.emit(ItemRefused(self.power, what, faults[0].code, faults[0].message))
            return
        unit = piece(self.game, going.unit)
        origin, unit.hex = unit.hex or "", going.path[-1]
        self.game.emit(Advanced(self.power, going.unit, origin, going.path))

    @property
    def further(self) -> int:
        """4.13.8: Return the further hexes of an exploitation by the final retreat result (5.17)."""
        return int(self.world.options.get(f"exploit_{self.code.lower()}", 0))
