"""One player's production, element by element: points per city, prices, what may be bought where (rules
4.10.1-4.10.5).

The decision tries orders out on a copy of the position, the procedure applies them to the real one;
both by this.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pbem.rules import Name, Pattern, Range, did_you_mean

from .blocks import (
    Board,
    Unit,
    controller,
    eliminate,
    enemy_occupied,
    friendly_base,
    gain_step,
    place_new,
    pool_of,
    stack_room,
    world_of,
)
from .blocks import unit as block_of
from .supply import Lines
from .supply_status import city_yield
from .world import UnitType

How = Literal["add", "build", "front"]
City = Annotated[str, Pattern("[^\\n]{1,40}", "a city by hex number or name")]


@dataclass(frozen=True)
class Spend:
    """Points of one city.

    For a block in it (`add`), a new block (`build`, a type), or one in the field (`front`).
    """

    city: City
    steps: Annotated[int, Range(1, 4)]
    add: Name | None = None
    build: Name | None = None
    front: Name | None = None

    @property
    def how(self) -> How | None:
        """Which of the three it is; None when none or several are given."""
        given: list[How] = []
        if self.add is not None:
            given.append("add")
        if self.build is not None:
            given.append("build")
        if self.front is not None:
            given.append("front")
        return given[0] if len(given) == 1 else None

    @property
    def what(self) -> str:
        """The block or type it is for."""
        return self.add or self.build or self.front or ""


@dataclass(frozen=True)
class Fault:
    """One thing wrong with an element: error code (4.10.4), words, and the entry at fault."""

    code: str
    words: str
    entry: str


class Ledger:
    """Accounts of one player.

    `board` is changed by `deliver` and `spend`; `frozen` is the position after Attrition.
    """

    def __init__(self, board: Board, frozen: Board, player: str, options: Mapping[str, Any]) -> None:
        self.board = board
        self.player = player
        self.options = options
        self._frozen = frozen
        self._lines: dict[str, Lines] = {}
        self.new: dict[str, str] = {}
        self.points: dict[str, int] = {}
        self.cost: dict[str, int] = {}
        for hex, base in sorted(world_of(board).bases.items()):
            if base.city and controller(frozen, hex) == player:
                self.points[hex] = city_yield(frozen, hex, bool(options["city_supply"]))

    def left(self, hex: str) -> int:
        """PP of a city not yet spent; below zero when overdrawn."""
        return self.points.get(hex, 0) - self.cost.get(hex, 0)

    def hex_of(self, city: str) -> str | None:
        """The hex of a city named by number or name."""
        bases = world_of(self.board).bases
        named = [h for h, base in bases.items() if base.name.casefold() == city.casefold()]
        hex = city if city in bases else next(iter(named), None)
        return hex if hex is not None and bases[hex].city else None

    def own(self, id: str) -> Unit | None:
        """A block of the player that was on the map before production, if it still is."""
        for board in (self._frozen, self.board):
            counter = board.position.counters.get(id)
            if counter is None or counter["owner"] != self.player:
                return None
        return block_of(self.board, id)

    # resource blocks

    def delivery_fault(self, id: str) -> Fault | None:
        """Why a resource block cannot be delivered where it stands (4.10.2)."""
        block = self.own(id)
        if block is None or block.type != "RS":
            return Fault("E-GEN-01", f"no such unit: {self.player} has no resource block {id} to deliver", "")
        base = world_of(self.board).bases.get(block.hex)
        if base is None or not base.city or not friendly_base(self._frozen, self.player, block.hex):
            place = world_of(self.board).place(block.hex)
            return Fault(
                "E-PRO-03", f"unit not in the city: {id} stands in {place}, wanted a friendly city", ""
            )
        return None

    def deliver(self, id: str) -> tuple[str, int, int]:
        """Turn a resource block into PP of its city: (hex, CV, PP)."""
        block = block_of(self.board, id)
        hex, cv = block.hex, block.cv
        pp = cv * world_of(self.board).bases[hex].pp
        self.points[hex] = self.points.get(hex, 0) + pp
        eliminate(self.board, id)
        return hex, cv, pp

    # spending

    def price(self, one: Spend) -> int:
        """PP for an element; 0 when its price cannot be told."""
        if one.how == "build":
            kind = world_of(self.board).types.get(one.what)
            factor = world_of(self.board).numbers.cadre_cost_factor if self.options["building_cadres"] else 1
            return (kind.cost or 0) * one.steps * factor if kind else 0
        block = self.own(one.what)
        return (block.kind.cost or 0) * one.steps if block else 0

    def fault(self, one: Spend) -> Fault | None:
        """Why an element is not possible, points aside (4.10.3, 4.10.4)."""
        if one.how is None:
            return Fault("ambiguous-purchase", "found none or several of add, build, front, wanted one", "")
        hex = self.hex_of(one.city)
        if hex is None or hex not in self.points:
            known = [world_of(self.board).bases[h].name for h in self.points]
            near = did_you_mean(one.city, known)
            hint = f", did you mean {near}?" if near and hex is None else ""
            return Fault("E-PRO-02", f"not your city: {one.city}{hint}", "city")
        if one.how == "build":
            return self._build_fault(one, hex)
        if one.what in self.new:
            return Fault("E-PRO-09", f"a new cadre gets no more steps this turn: {one.what}", one.how)
        block = self.own(one.what)
        if block is None:
            return Fault("E-GEN-01", f"no such unit: {self.player} has no {one.what} on the map", one.how)
        fault = self._front_fault(block, hex) if one.how == "front" else self._add_fault(block, hex)
        return fault or self._strength_fault(one, block.kind, block.cv, block.id)

    def _strength_fault(self, one: Spend, kind: UnitType, cv: int, name: str) -> Fault | None:
        room = kind.steps.index(cv) if cv else len(kind.steps)
        if one.steps <= room:
            return None
        return Fault(
            "E-PRO-05", f"above maximum strength: {name} takes {room} more steps, not {one.steps}", "steps"
        )

    def _add_fault(self, block: Unit, hex: str) -> Fault | None:
        base = world_of(self.board).bases[hex]
        if block.hex != hex:
            place = world_of(self.board).place(block.hex)
            return Fault(
                "E-PRO-03", f"unit not in the city: {block.id} is in {place}, not in {base.name}", "add"
            )
        if block.kind.cost is None:
            return Fault("E-PRO-06", "cannot build here: resource blocks are never bought", "add")
        return None

    def _front_fault(self, block: Unit, hex: str) -> Fault | None:
        allowed = self.options["front_line_replacements"]
        if allowed == "off":
            reason = "not in use in this game"
        elif block.kind.cost is None:
            reason = "resource blocks are never bought"
        elif allowed == "su" and block.type != "SU":
            reason = "only SU blocks"
        elif not self.lines(hex).reach(block.hex):
            reason = f"{block.id} cannot trace a supply line to {world_of(self.board).bases[hex].name}"
        else:
            return None
        return Fault("E-PRO-04", f"front-line replacements: {reason}", "front")

    def _build_fault(self, one: Spend, hex: str) -> Fault | None:
        world = world_of(self.board)
        base, kind = world.bases[hex], world.types.get(one.what)
        if kind is None:
            return Fault("E-PRO-07", f"no block of that type in the pool: {one.what} is no type", "build")
        if kind.cost is None:
            return Fault("E-PRO-06", "cannot build here: resource blocks are never bought", "build")
        if base.home != self.player:
            return Fault(
                "E-PRO-06", f"cannot build here: {base.name} is no home city of {self.player}", "city"
            )
        if enemy_occupied(self._frozen, self.player, hex):
            return Fault("E-PRO-06", f"cannot build here: an enemy block stands in {base.name}", "city")
        if kind.cls == "naval" and not base.port:
            return Fault("E-PRO-06", f"cannot build here: {base.name} has no port", "city")
        if pool_of(self.board, self.player).get(kind.code, 0) < 1:
            return Fault("E-PRO-07", f"no block of that type in the pool: {kind.code}", "build")
        if not stack_room(self.board, self.player, hex, kind.code):
            return Fault("E-PRO-08", f"stack limit: no room for {kind.code} in {base.name}", "build")
        if self.options["building_cadres"] and one.steps > 1:
            return Fault("E-PRO-09", "a new cadre gets no more steps this turn: it arrives with 1", "steps")
        return self._strength_fault(one, kind, 0, kind.code)

    def lines(self, hex: str) -> Lines:
        """Supply lines to a city in the position after Attrition (4.10.5)."""
        if hex not in self._lines:
            self._lines[hex] = Lines(self._frozen, self.player, [hex])
        return self._lines[hex]

    def spend(self, one: Spend) -> tuple[str, str, int, int]:
        """Buy an element that has no fault: (hex, block id, CV before, CV now)."""
        hex = self.hex_of(one.city)
        assert hex is not None and one.how is not None
        self.cost[hex] = self.cost.get(hex, 0) + self.price(one)
        if one.how == "build":
            cv = world_of(self.board).types[one.what].steps[-one.steps]
            id = place_new(self.board, self.player, one.what, cv, hex)
            self.new[id] = hex
            return hex, id, 0, cv
        before = block_of(self.board, one.what).cv
        for _ in range(one.steps):
            gain_step(self.board, one.what)
        return hex, one.what, before, block_of(self.board, one.what).cv
