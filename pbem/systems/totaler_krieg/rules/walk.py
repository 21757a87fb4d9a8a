"""Movement: hex by hex, overruns, port to port, box to box; operational and reserve (4.8, 4.9).

Costs are half movement points. A whole move is judged before it is made: what it overruns projects no zone
in any of its steps.
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
    """The outcome of a move: the cost of each hex in halves, why it stopped, whom it overran."""

    costs: list[int] = field(default_factory=list)
    stopped: str = ""
    overrun: list[str] = field(default_factory=list)
    convoys: list[str] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)

    @property
    def spent(self) -> int:
        return sum(self.costs)


class Walker:
    """Judges moves of a faction's units on a board as it stands."""

    def __init__(self, board: Board, faction: str, phase: Phase, supply: Supply | None = None) -> None:
        self.board, self.faction, self.phase = board, faction, phase
        self.supply = supply or Supply(board)
        self.ground: Ground = self.supply.ground
        self.world: World = self.ground.world
        self.rule = RULE if phase == "op" else RESERVE_RULE

    # may it move at all

    def unit_faults(self, id: str) -> list[Diagnostic]:
        """4.8: Return the reasons why a unit cannot begin a move."""
        one = maybe_piece(self.board, id)
        if one is None or one.owner != self.faction or one.role != "ground" or one.spot != "map":
            return [
                illegal(
                    "E-GEN-01",
                    self.rule,
                    Message("totaler-krieg.dropping.no-ground-unit-of-yours-on-map", id=id),
                    "unit",
                )
            ]
        found = []
        if one.face.movement < 1:
            found.append(
                illegal(
                    "E-MOV-01",
                    self.rule,
                    Message("totaler-krieg.walk.has-movement-allowance-0", id=id),
                    "unit",
                )
            )
        if one.moved_op if self.phase == "op" else one.moved_res:
            found.append(
                illegal(
                    "E-MOV-09", self.rule, Message("totaler-krieg.walk.has-moved-in-phase", id=id), "unit"
                )
            )
        free = self.phase == "res" and bool(self.world.options.get("reserve_unsupplied_may_move"))
        if not free and not self.supply.supplied(one):
            found.append(
                illegal(
                    "E-MOV-02",
                    self.rule,
                    Message("totaler-krieg.walk.in-unsupplied", id=id, hex=one.hex),
                    "unit",
                )
            )
        if self.phase == "res" and one.hex in self.ground.ezoc(self.faction):
            message = Message("totaler-krieg.walk.begins-in-enemy-zone-of-control", id=id, hex=one.hex)
            found.append(illegal("E-MOV-08", self.rule, message, "unit"))
        return found

    def judge(self, move: Move) -> Walked:
        """Judge the whole move, and return its outcome or its faults."""
        found = Walked(faults=self.unit_faults(move.unit))
        if found.faults:
            return found
        one = maybe_piece(self.board, move.unit)
        assert one is not None
        if not move.path:
            found.faults.append(
                illegal(
                    "E-MOV-03", self.rule, Message("totaler-krieg.walk.given-no-way", unit=move.unit), "path"
                )
            )
        elif move.by == "port":
            self._by_port(one, move, found)
        elif move.by == "box":
            self._by_box(one, move, found)
        else:
            self._by_hex(one, move, found)
        return found

    # hex by hex

    def _by_hex(self, one: Piece, move: Move, found: Walked) -> None:
        found.overrun = [foe.id for hex in move.path for foe in self.ground.enemies(hex, self.faction)]
        ignored = frozenset(found.overrun)
        every = self.ground.ezoc(self.faction)
        zone = self.ground.ezoc_without(self.faction, ignored) if ignored else every
        allowance = one.face.movement * int(self.world.ground_chart["halves"])
        here = one.hex or ""
        for n, to in enumerate(move.path):
            fault = self._step_fault(one, here, to, zone, found, n)
            cost = None if fault else self.cost(one, here, to)
            if fault is None and cost is None:
                fault = ("E-MOV-03", Message("totaler-krieg.walk.hexside-impassable", here=here, to=to))
            if fault is None and cost is not None:
                fault = self._spend(cost, allowance, found, n)
            if fault is not None:
                code, message = fault
                found.faults.append(
                    illegal(
                        code,
                        self.rule,
                        Message("text.diagnostics.about", what=move.unit, message=message),
                        "path",
                        n,
                    )
                )
                return
            if not found.stopped:
                found.stopped = self._stop(one, here, to, zone, every)
            here = to

    def _spend(self, cost: int, allowance: int, found: Walked, n: int) -> tuple[str, str] | None:
        """Spend a step's cost, or return the fault; ALL wants everything, the first hex may be entered
        always."""
        left = allowance - found.spent
        if cost == ALL:
            if found.spent:
                return "E-MOV-06", Message("totaler-krieg.walk.step-takes-entire-allowance")
            cost = allowance
            found.stopped = Message("totaler-krieg.walk.entire-allowance")
        elif cost > left:
            if n:
                return "E-MOV-06", Message(
                    "totaler-krieg.walk.step-costs-mp", points=points(cost), left=points(left)
                )
            found.stopped, cost = Message("totaler-krieg.walk.first-hex"), left
        found.costs.append(cost)
        return None

    def cost(self, one: Piece, here: str, to: str) -> int | None:
        """5.1, 5.2: Return the cost of a step in halves; `ALL`; None where nobody or not this unit passes."""
        world, chart = self.world, self.world.ground_chart
        side = self.ground.side(here, to)
        if side.startswith("beachhead"):
            return ALL
        row = chart["hexside"][side]["cost"]
        link = world.linked_by(here, to)
        if link is not None or row == "link":
            return self._by_link(one, to)
        if row == "all":
            return ALL
        if row == "marine":
            return ALL if one.type == "marine" and not world.sea(to) else None
        if row == "prohibited" or world.sea(to):
            return None
        return int(row) + self._hex_cost(to)

    def _by_link(self, one: Piece, to: str) -> int:
        link = self.world.ground_chart["link"]
        if self.phase == "res" and self.ground.enemy_country(to, self.faction):
            return int(link["reserve_in_enemy_country"])
        return int(link["one_step" if one.one_step else "multi_step"])

    def _hex_cost(self, hex: str) -> int:
        chart = self.world.ground_chart
        place = self.world.settlements.get(hex)
        if place is not None and place.kind in chart["settlement"]:
            return int(chart["settlement"][place.kind]["cost"])
        if hex in self.world.ports:
            return int(chart["port"]["cost"])
        return int(chart["hex"][self.world.terrain[hex]]["cost"])

    def _step_fault(
        self, one: Piece, here: str, to: str, zone: frozenset[str], found: Walked, n: int
    ) -> tuple[str, str] | None:
        """E-MOV: Return the fault of one step (4.8.1)."""
        world, ground = self.world, self.ground
        if found.stopped:
            code = "E-MOV-07" if found.stopped.startswith(ZONE) else "E-MOV-06"
            return code, Message("totaler-krieg.walk.stopped", here=here, stopped=found.stopped)
        if not world.adjacent(here, to):
            return "E-MOV-03", Message("totaler-krieg.walk.not-adjacent", here=here, to=to)
        if here in zone and ground.weather(here) == "mud":
            return "E-MOV-10", Message("totaler-krieg.walk.enemy-zone-of-control-in-mud", here=here)
        if ground.closed(to, self.faction):
            return "E-MOV-05", Message("totaler-krieg.walk.country-that-may-not-be-entered", here=to)
        if ground.pre_war_bars(one, to):
            return "E-MOV-05", Message("totaler-krieg.walk.before-war-no-unit-leaves-own-country")
        if self.phase == "res" and to in zone:
            return "E-MOV-08", Message("totaler-krieg.walk.enemy-zone-of-control", to=to)
        if world.sea(to) and ground.foes("beachhead", to, self.faction):
            return "E-MOV-03", Message("totaler-krieg.walk.holds-enemy-beachhead", to=to)
        if world.sea(to) and ground.beachhead(to, self.faction) is None:
            return "E-MOV-03", Message("totaler-krieg.walk.sea", to=to)
        foes = ground.enemies(to, self.faction)
        if foes:
            barred = self._no_overrun(one, here, to, foes)
            if barred:
                return "E-MOV-04", Message("totaler-krieg.walk.holds-enemy-units", to=to, barred=barred)
        side = ground.side(here, to)
        if (world.sea(here) or world.sea(to)) and not side.startswith("beachhead"):
            return "E-MOV-03", Message("totaler-krieg.walk.no-beachhead-hexside", here=here, to=to)
        if side == SEA and one.type != "marine":
            return "E-MOV-03", Message("totaler-krieg.walk.only-marine-crosses-sea", here=here, to=to)
        return None

    def _stop(self, one: Piece, here: str, to: str, zone: frozenset[str], every: frozenset[str]) -> str:
        """4.14: Return the reason why the unit stops after this step; empty if it may go on.

        In snow and storms the zones of those it overruns count as well (R-46).
        """
        for hex in (here, to):
            if hex in every and self.ground.weather(hex) in STEALING:
                return Message("totaler-krieg.walk.zone-of-control-in", weather=self.ground.weather(hex))
        if to not in zone:
            return ""
        others = [unit for unit in self.ground.units(to, self.faction) if unit.id != one.id]
        negated = others or self.ground.own("airdrop", to, self.faction)
        return "" if negated else Message("totaler-krieg.walk.zone-of-control")

    # overruns

    def _no_overrun(self, one: Piece, here: str, to: str, foes: list[Piece]) -> str:
        """4.8.4: Return the reason why the units in a hex cannot be overrun; empty if they can."""
        ground, world = self.ground, self.world
        if self.phase == "res":
            return Message("totaler-krieg.walk.no-overruns-in-reserve-movement")
        if not one.print.armor_type or one.one_step:
            return Message("totaler-krieg.walk.only-multi-step-armor-overruns")
        if len(foes) != 1 or foes[0].steps != 1 or not world.land(to):
            return Message("totaler-krieg.walk.more-than-one-unit-of-one-step")
        foe = foes[0]
        if not ground.may_fight(one, foe):
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

    # port to port

    def _by_port(self, one: Piece, move: Move, found: Walked) -> None:
        """4.8.2: Judge a move through Open Ports.

        A troop convoy for each zone; it takes the entire allowance.
        """
        if not one.one_step:
            message = Message("totaler-krieg.walk.has-more-than-one-step", one=one.id)
            found.faults.append(illegal("E-MOV-11", "4.8.2", message, "unit"))
            return
        here, used, zone = one.hex or "", set[str](), self.ground.ezoc(self.faction)
        for n, to in enumerate(move.path):
            leg = self._zone_fault(here, to, zone, found) or self._leg(here, to, used)
            if isinstance(leg, Diagnostic):
                found.faults.append(illegal(leg.code, leg.rule or "4.8.2", leg.message, "path", n))
                return
            used.add(leg)
            found.convoys.append(leg)
            found.costs.append(0)
            found.stopped = self._stop(one, here, to, zone, zone)
            here = to
        if self.ground.closed(here, self.faction) or self.ground.pre_war_bars(one, here):
            message = Message("totaler-krieg.walk.country-that-may-not-be-entered", here=here)
            found.faults.append(illegal("E-MOV-05", "4.8.2", message, "path"))
        found.costs[-1] = one.face.movement * int(self.world.ground_chart["halves"])
        found.stopped = "port"

    def _zone_fault(self, here: str, to: str, zone: frozenset[str], found: Walked) -> Diagnostic | None:
        """4.14: Return what a zone of control forbids on a leg by sea; each port is a hex that is entered."""
        if found.stopped:
            return illegal(
                "E-MOV-07", "4.14", Message("totaler-krieg.walk.stopped", here=here, stopped=found.stopped)
            )
        if here in zone and self.ground.weather(here) == "mud":
            return illegal(
                "E-MOV-10", "4.14", Message("totaler-krieg.walk.enemy-zone-of-control-in-mud", here=here)
            )
        if self.phase == "res" and to in zone:
            return illegal("E-MOV-08", self.rule, Message("totaler-krieg.walk.enemy-zone-of-control", to=to))
        return None

    def _leg(self, here: str, to: str, used: set[str]) -> str | Diagnostic:
        """Return the convoy that carries a unit from port to port, or what is wrong."""
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

    # box to box

    def _by_box(self, one: Piece, move: Move, found: Walked) -> None:
        """4.8.3: Judge one transfer, for the entire allowance (R-212)."""
        here, to = one.hex or "", move.path[0]
        fault = self._transfer_fault(one, here, to)
        if fault is None and len(move.path) > 1:
            fault = "E-MOV-06", Message("totaler-krieg.walk.transfer-takes-entire-allowance")
        if fault is not None:
            code, message = fault
            found.faults.append(
                illegal(
                    code,
                    "4.8.3",
                    Message("text.diagnostics.about", what=move.unit, message=message),
                    "path",
                    0,
                )
            )
            return
        found.costs.append(one.face.movement * int(self.world.ground_chart["halves"]))
        found.stopped = "transfer"

    def _transfer_fault(self, one: Piece, here: str, to: str) -> tuple[str, str] | None:
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
        if ground.pre_war_bars(one, to):
            return "E-MOV-05", Message("totaler-krieg.walk.before-war-no-unit-leaves-own-country")
        return None

    # what can be reached

    def reachable(self, id: str) -> Iterator[tuple[Move, Walked]]:
        """Yield moves of a unit to every hex it can reach, the cheapest way to each; then those by port."""
        if self.unit_faults(id):
            return
        one = maybe_piece(self.board, id)
        assert one is not None
        best: dict[str, tuple[int, int]] = {}
        front: list[tuple[str, ...]] = [()]
        while front:
            later = []
            for way in front:
                here = way[-1] if way else one.hex or ""
                for to in self.world.beside(here):
                    if to in way or to == one.hex:
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
        yield from self._ports_from(one)
        for to in self.world.transfers(one.hex or ""):
            move = Move(id, (to,), "box")
            if not (walked := self.judge(move)).faults:
                yield move, walked

    def _ports_from(self, one: Piece) -> Iterator[tuple[Move, Walked]]:
        for zone in self.world.zones_of(one.hex or ""):
            for to in self.supply.open_ports(zone, self.faction):
                move = Move(one.id, (to,), "port")
                if to != one.hex and not (walked := self.judge(move)).faults:
                    yield move, walked


ALL = -1
"""A cost: the whole allowance of a unit that has spent nothing."""


def points(halves: int) -> str:
    """Return half points as players read them."""
    whole, half = divmod(halves, 2)
    return f"{whole or ('' if half else 0)}{'½' if half else ''}"
