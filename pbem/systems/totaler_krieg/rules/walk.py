"""4.8, 4.9: Operational and reserve movement by hex, port or box, and overruns.

Costs are half movement points. A whole move is judged before it is made. Units that it overruns
project no zone in any of its steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal

from pbem.kit.faults import illegal
from pbem.rules import Board, Diagnostic, Message, dataclass

from .ground import Ground
from .orders import Move
from .pieces import Piece, maybe_piece
from .strength import air_for, hex_shift, reach_of_hq
from .supply import Supply
from .world import SEA, World

Phase = Literal["op", "res"]
RULE, RESERVE_RULE = "4.8.1", "4.9"
STEALING = ("snow", "storms")
ZONE = "zone of control"


@dataclass
class Walked:
    """The result of a move: the cost of each hex in halves, why it stopped, the units it overran."""

    costs: list[int] = field(default_factory=list)
    stopped: str = ""
    overrun: list[str] = field(default_factory=list)
    convoys: list[str] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)

    @property
    def spent(self) -> int:
        return sum(self.costs)


class Walker:
    """Judges moves of a faction's units on a board."""

    def __init__(self, board: Board, faction: str, phase: Phase, supply: Supply | None = None) -> None:
        self.board, self.faction, self.phase = board, faction, phase
        self.supply = supply or Supply(board)
        self.ground: Ground = self.supply.ground
        self.world: World = self.ground.world
        self.rule = RULE if phase == "op" else RESERVE_RULE

    def unit_faults(self, id: str) -> list[Diagnostic]:
        """4.8: Return the reasons why a unit cannot begin a move."""
        unit = maybe_piece(self.board, id)
        if unit is None or unit.owner != self.faction or unit.role != "ground" or unit.spot != "map":
            return [
                illegal(
                    "E-GEN-01",
                    self.rule,
                    Message("totaler-krieg.dropping.no-ground-unit-of-yours-on-map", id=id),
                    "unit",
                )
            ]
        faults = []
        if unit.face.movement < 1:
            faults.append(
                illegal(
                    "E-MOV-01",
                    self.rule,
                    Message("totaler-krieg.walk.has-movement-allowance-0", id=id),
                    "unit",
                )
            )
        if unit.moved_op if self.phase == "op" else unit.moved_res:
            faults.append(
                illegal(
                    "E-MOV-09", self.rule, Message("totaler-krieg.walk.has-moved-in-phase", id=id), "unit"
                )
            )
        free = self.phase == "res" and bool(self.world.options.get("reserve_unsupplied_may_move"))
        if not free and not self.supply.supplied(unit):
            faults.append(
                illegal(
                    "E-MOV-02",
                    self.rule,
                    Message("totaler-krieg.walk.in-unsupplied", id=id, hex=unit.hex),
                    "unit",
                )
            )
        if self.phase == "res" and unit.hex in self.ground.ezoc(self.faction):
            message = Message("totaler-krieg.walk.begins-in-enemy-zone-of-control", id=id, hex=unit.hex)
            faults.append(illegal("E-MOV-08", self.rule, message, "unit"))
        return faults

    def judge(self, move: Move) -> Walked:
        """Judge the whole move, and return its result or its faults."""
        walked = Walked(faults=self.unit_faults(move.unit))
        if walked.faults:
            return walked
        unit = maybe_piece(self.board, move.unit)
        assert unit is not None
        if not move.path:
            walked.faults.append(
                illegal(
                    "E-MOV-03", self.rule, Message("totaler-krieg.walk.given-no-way", unit=move.unit), "path"
                )
            )
        elif move.by == "port":
            self._by_port(unit, move, walked)
        elif move.by == "box":
            self._by_box(unit, move, walked)
        else:
            self._by_hex(unit, move, walked)
        return walked

    def _by_hex(self, unit: Piece, move: Move, walked: Walked) -> None:
        walked.overrun = [foe.id for hex in move.path for foe in self.ground.enemies(hex, self.faction)]
        ignored = frozenset(walked.overrun)
        every = self.ground.ezoc(self.faction)
        zone = self.ground.ezoc_without(self.faction, ignored) if ignored else every
        allowance = unit.face.movement * int(self.world.ground_chart["halves"])
        here = unit.hex or ""
        for n, to in enumerate(move.path):
            fault = self._step_fault(unit, here, to, zone, walked, n)
            cost = None if fault else self.cost(unit, here, to)
            if fault is None and cost is None:
                fault = ("E-MOV-03", Message("totaler-krieg.walk.hexside-impassable", here=here, to=to))
            if fault is None and cost is not None:
                fault = self._spend(cost, allowance, walked, n)
            if fault is not None:
                code, message = fault
                walked.faults.append(
                    illegal(
                        code,
                        self.rule,
                        Message("text.diagnostics.about", what=move.unit, message=message),
                        "path",
                        n,
                    )
                )
                return
            if not walked.stopped:
                walked.stopped = self._stop(unit, here, to, zone, every)
            here = to

    def _spend(self, cost: int, allowance: int, walked: Walked, n: int) -> tuple[str, str] | None:
        """Spend a step's cost, or return the fault.

        `ALL` needs the whole allowance. The first hex may always be entered.
        """
        left = allowance - walked.spent
        if cost == ALL:
            if walked.spent:
                return "E-MOV-06", Message("totaler-krieg.walk.step-takes-entire-allowance")
            cost = allowance
            walked.stopped = Message("totaler-krieg.walk.entire-allowance")
        elif cost > left:
            if n:
                return "E-MOV-06", Message(
                    "totaler-krieg.walk.step-costs-mp", points=points(cost), left=points(left)
                )
            walked.stopped, cost = Message("totaler-krieg.walk.first-hex"), left
        walked.costs.append(cost)
        return None

    def cost(self, unit: Piece, here: str, to: str) -> int | None:
        """5.1, 5.2: Return the cost of a step in halves, `ALL`, or None if this unit cannot pass."""
        world, chart = self.world, self.world.ground_chart
        side = self.ground.side(here, to)
        if side.startswith("beachhead"):
            return ALL
        row = chart["hexside"][side]["cost"]
        link = world.linked_by(here, to)
        if link is not None or row == "link":
            return self._by_link(unit, to)
        if row == "all":
            return ALL
        if row == "marine":
            return ALL if unit.type == "marine" and not world.sea(to) else None
        if row == "prohibited" or world.sea(to):
            return None
        return int(row) + self._hex_cost(to)

    def _by_link(self, unit: Piece, to: str) -> int:
        link = self.world.ground_chart["link"]
        if self.phase == "res" and self.ground.enemy_country(to, self.faction):
            return int(link["reserve_in_enemy_country"])
        return int(link["one_step" if unit.one_step else "multi_step"])

    def _hex_cost(self, hex: str) -> int:
        chart = self.world.ground_chart
        place = self.world.settlements.get(hex)
        if place is not None and place.kind in chart["settlement"]:
            return int(chart["settlement"][place.kind]["cost"])
        if hex in self.world.ports:
            return int(chart["port"]["cost"])
        return int(chart["hex"][self.world.terrain[hex]]["cost"])

    def _step_fault(
        self, unit: Piece, here: str, to: str, zone: frozenset[str], walked: Walked, n: int
    ) -> tuple[str, str] | None:
        """4.8.1: Return the fault of one step (E-MOV)."""
        world, ground = self.world, self.ground
        if walked.stopped:
            code = "E-MOV-07" if walked.stopped.startswith(ZONE) else "E-MOV-06"
            return code, Message("totaler-krieg.walk.stopped", here=here, stopped=walked.stopped)
        if not world.adjacent(here, to):
            return "E-MOV-03", Message("totaler-krieg.walk.not-adjacent", here=here, to=to)
        if here in zone and ground.weather(here) == "mud":
            return "E-MOV-10", Message("totaler-krieg.walk.enemy-zone-of-control-in-mud", here=here)
        if ground.closed(to, self.faction):
            return "E-MOV-05", Message("totaler-krieg.walk.country-that-may-not-be-entered", here=to)
        if ground.pre_war_bars(unit, to):
            return "E-MOV-05", Message("totaler-krieg.walk.before-war-no-unit-leaves-own-country")
        if self.phase == "res" and to in zone:
            return "E-MOV-08", Message("totaler-krieg.walk.enemy-zone-of-control", to=to)
        if world.sea(to) and ground.foes("beachhead", to, self.faction):
            return "E-MOV-03", Message("totaler-krieg.walk.holds-enemy-beachhead", to=to)
        if world.sea(to) and ground.beachhead(to, self.faction) is None:
            return "E-MOV-03", Message("totaler-krieg.walk.sea", to=to)
        foes = ground.enemies(to, self.faction)
        if foes:
            barred = self._no_overrun(unit, here, to, foes)
            if barred:
                return "E-MOV-04", Message("totaler-krieg.walk.holds-enemy-units", to=to, barred=barred)
        side = ground.side(here, to)
        if (world.sea(here) or world.sea(to)) and not side.startswith("beachhead"):
            return "E-MOV-03", Message("totaler-krieg.walk.no-beachhead-hexside", here=here, to=to)
        if side == SEA and unit.type != "marine":
            return "E-MOV-03", Message("totaler-krieg.walk.only-marine-crosses-sea", here=here, to=to)
        return None

    def _stop(self, unit: Piece, here: str, to: str, zone: frozenset[str], every: frozenset[str]) -> str:
        """4.14: Return the reason why the unit stops after this step, empty if it may go on.

        In snow and storms zones of overrun units count as well (R-46).
        """
        for hex in (here, to):
            if hex in every and self.ground.weather(hex) in STEALING:
                return Message("totaler-krieg.walk.zone-of-control-in", weather=self.ground.weather(hex))
        if to not in zone:
            return ""
        others = [other for other in self.ground.units(to, self.faction) if other.id != unit.id]
        negated = others or self.ground.own("airdrop", to, self.faction)
        return "" if negated else Message("totaler-krieg.walk.zone-of-control")

    def _no_overrun(self, unit: Piece, here: str, to: str, foes: list[Piece]) -> str:
        """4.8.4: Return the reason why the units in a hex cannot be overrun, empty if they can."""
        ground, world = self.ground, self.world
        if self.phase == "res":
            return Message("totaler-krieg.walk.no-overruns-in-reserve-movement")
        if not unit.print.armor_type or unit.one_step:
            return Message("totaler-krieg.walk.only-multi-step-armor-overruns")
        if len(foes) != 1 or foes[0].steps != 1 or not world.land(to):
            return Message("totaler-krieg.walk.more-than-one-unit-of-one-step")
        foe = foes[0]
        if not ground.may_fight(unit, foe):
            return Message("totaler-krieg.advancing.posture-forbids")
        side = ground.side(here, to)
        if (
            hex_shift(ground, to)[1]
            or ground.world.ground_chart["hexside"][side]["shift"]
            or "beachhead" in side
        ):
            return Message("totaler-krieg.walk.terrain-helps-defender")
        if ground.weather(to) == "mud" or foe.type == "fortress":
            return "mud" if ground.weather(to) == "mud" else Message("totaler-krieg.walk.fortress")
        if air_for(ground, to, foe.owner, {foe.country}):
            return Message("totaler-krieg.walk.air-unit-helps-defender")
        if self._hq_helps(to, foe):
            return Message("totaler-krieg.walk.hq-could-help-defender")
        return ""

    def _hq_helps(self, to: str, foe: Piece) -> bool:
        return any(
            hq.type == "hq"
            and hq.owner == foe.owner
            and hq.country == foe.country
            and reach_of_hq(self.ground, hex, to)
            and self.supply.supplied(hq)
            for hex, units in self.ground.by_role.get("ground", {}).items()
            for hq in units
        )

    def _by_port(self, unit: Piece, move: Move, walked: Walked) -> None:
        """4.8.2: Judge a move through Open Ports.

        It needs a troop convoy for each zone, and takes the entire allowance.
        """
        if not unit.one_step:
            message = Message("totaler-krieg.walk.has-more-than-one-step", one=unit.id)
            walked.faults.append(illegal("E-MOV-11", "4.8.2", message, "unit"))
            return
        here, used, zone = unit.hex or "", set[str](), self.ground.ezoc(self.faction)
        for n, to in enumerate(move.path):
            leg = self._zone_fault(here, to, zone, walked) or self._leg(here, to, used)
            if isinstance(leg, Diagnostic):
                walked.faults.append(illegal(leg.code, leg.rule or "4.8.2", leg.message, "path", n))
                return
            used.add(leg)
            walked.convoys.append(leg)
            walked.costs.append(0)
            walked.stopped = self._stop(unit, here, to, zone, zone)
            here = to
        if self.ground.closed(here, self.faction) or self.ground.pre_war_bars(unit, here):
            message = Message("totaler-krieg.walk.country-that-may-not-be-entered", here=here)
            walked.faults.append(illegal("E-MOV-05", "4.8.2", message, "path"))
        walked.costs[-1] = unit.face.movement * int(self.world.ground_chart["halves"])
        walked.stopped = "port"

    def _zone_fault(self, here: str, to: str, zone: frozenset[str], walked: Walked) -> Diagnostic | None:
        """4.14: Return the fault of a leg by sea in zones of control.

        Each port is a hex that is entered.
        """
        if walked.stopped:
            return illegal(
                "E-MOV-07", "4.14", Message("totaler-krieg.walk.stopped", here=here, stopped=walked.stopped)
            )
        if here in zone and self.ground.weather(here) == "mud":
            return illegal(
                "E-MOV-10", "4.14", Message("totaler-krieg.walk.enemy-zone-of-control-in-mud", here=here)
            )
        if self.phase == "res" and to in zone:
            return illegal("E-MOV-08", self.rule, Message("totaler-krieg.walk.enemy-zone-of-control", to=to))
        return None

    def _leg(self, here: str, to: str, used: set[str]) -> str | Diagnostic:
        """Return the convoy that carries a unit from port to port, or the fault."""
        common = {*self.world.zones_of(here)} & {*self.world.zones_of(to)} if here != to else set[str]()
        zones = [
            zone
            for zone in sorted(common)
            if all(self.supply.open_port(port, self.faction, zone) for port in (here, to))
        ]
        if not zones:
            return illegal(
                "E-MOV-12", "4.8.2", Message("totaler-krieg.walk.no-open-ports-of-one-zone", here=here, to=to)
            )
        for zone in zones:
            for convoy in self.supply.convoyed(zone, self.faction, "troop"):
                if convoy.id not in used:
                    return convoy.id
        return illegal("E-MOV-11", "4.8.2", Message("totaler-krieg.walk.no-troop-convoy", here=here, to=to))

    def _by_box(self, unit: Piece, move: Move, walked: Walked) -> None:
        """4.8.3: Judge one transfer, for the entire allowance (R-212)."""
        here, to = unit.hex or "", move.path[0]
        fault = self._transfer_fault(unit, here, to)
        if fault is None and len(move.path) > 1:
            fault = "E-MOV-06", Message("totaler-krieg.walk.transfer-takes-entire-allowance")
        if fault is not None:
            code, message = fault
            walked.faults.append(
                illegal(
                    code,
                    "4.8.3",
                    Message("text.diagnostics.about", what=move.unit, message=message),
                    "path",
                    0,
                )
            )
            return
        walked.costs.append(unit.face.movement * int(self.world.ground_chart["halves"]))
        walked.stopped = "transfer"

    def _transfer_fault(self, unit: Piece, here: str, to: str) -> tuple[str, str] | None:
        """Return the fault of a unit's transfer."""
        ground, world = self.ground, self.world
        if to not in world.transfers(here) or world.box_of(to) not in (None, self.faction):
            return "E-MOV-03", Message("totaler-krieg.walk.no-transfer-of-yours", here=here, to=to)
        zone = ground.ezoc(self.faction)
        if here in zone and ground.weather(here) == "mud":
            return "E-MOV-10", Message("totaler-krieg.walk.enemy-zone-of-control-in-mud", here=here)
        if self.phase == "res" and to in zone:
            return "E-MOV-08", Message("totaler-krieg.walk.enemy-zone-of-control", to=to)
        if ground.enemies(to, self.faction):
            return "E-MOV-04", Message("totaler-krieg.supplying.holds-enemy-units", hex=to)
        if ground.closed(to, self.faction):
            return "E-MOV-05", Message("totaler-krieg.walk.country-that-may-not-be-entered", here=to)
        if ground.pre_war_bars(unit, to):
            return "E-MOV-05", Message("totaler-krieg.walk.before-war-no-unit-leaves-own-country")
        return None

    def reachable(self, id: str) -> Iterator[tuple[Move, Walked]]:
        """Yield a unit's cheapest move to every hex in reach, then its moves by port and transfer."""
        if self.unit_faults(id):
            return
        unit = maybe_piece(self.board, id)
        assert unit is not None
        best: dict[str, tuple[int, int]] = {}
        front: list[tuple[str, ...]] = [()]
        while front:
            later = []
            for way in front:
                here = way[-1] if way else unit.hex or ""
                for to in self.world.beside(here):
                    if to in way or to == unit.hex:
                        continue
                    move = Move(id, (*way, to))
                    walked = self.judge(move)
                    rank = (walked.spent, len(move.path))
                    if walked.faults or (to in best and best[to] <= rank):
                        continue
                    best[to] = rank
                    yield move, walked
                    if not walked.stopped:
                        later.append(move.path)
            front = later
        yield from self._ports_from(unit)
        for to in self.world.transfers(unit.hex or ""):
            move = Move(id, (to,), "box")
            if not (walked := self.judge(move)).faults:
                yield move, walked

    def _ports_from(self, unit: Piece) -> Iterator[tuple[Move, Walked]]:
        for zone in self.world.zones_of(unit.hex or ""):
            for to in self.supply.open_ports(zone, self.faction):
                move = Move(unit.id, (to,), "port")
                if to != unit.hex and not (walked := self.judge(move)).faults:
                    yield move, walked


ALL = -1
"""A cost: the whole allowance of a unit that has spent nothing."""


def points(halves: int) -> str:
    """Return half points as players read them."""
    whole, half = divmod(halves, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"
