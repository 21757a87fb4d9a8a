"""Air Response (D-5, rule 4.5): blocks of the other players that fly into battles of the defending side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from pbem.rules import (
    Decision,
    Diagnostic,
    Game,
    HexNumber,
    Name,
    Option,
    Pattern,
    Range,
    decision,
    fact,
    to_json,
)

from ..blocks import Board, Unit, on_airbase, side_units, stack_limit, unit, units, world_of
from ..world import hexside


@dataclass(frozen=True)
class Response:
    """One block and the battle hex it goes to."""

    unit: Name
    to: HexNumber


HexOrAny = Annotated[str, Pattern("any|[0-9]{4}|[0-9]{6}", 'a hex number such as "0507", or any')]


@dataclass(frozen=True)
class AirResponseOrder:
    """Standing order: who responds to an attack. For each battle hex the first order that fits is used.

    `units` (none given: every block that may, by id) are sent in turn while there is room in the hex,
    but the last
    `keep_home` of those that could go stay.
    """

    hex: HexOrAny = "any"
    attacker: Name = "any"
    min_attackers: Annotated[int, Range(0, 99)] = 0
    units: tuple[Name, ...] = ()
    keep_home: Annotated[int, Range(0, 99)] = 0


AirResponseForm = AirResponseOrder | tuple[AirResponseOrder, ...]  # one, or a list walked in order (D-5)


def mechanised(game: Game, block: Unit) -> bool:
    """Whether a land block may respond at all (option `mech_response`, 4.5.6)."""
    return bool(game.options["mech_response"]) and block.type in ("MI", "HA")


def why_unavailable(game: Game, block: Unit, fields: tuple[str, ...]) -> str:
    """Why a block cannot respond to anything (4.5.2), or nothing."""
    if block.responded:
        return "has responded in this Player Turn"
    if block.hex in fields:
        return "is in a battle hex"
    if block.revealed:
        return "is face up"
    if block.cls == "air" and not on_airbase(game, block):
        return "is on no airbase"
    return ""


def why_out_of_reach(game: Game, block: Unit, to: str) -> str:
    """Why a block cannot get there.

    Range, or for mechanised blocks the march step (4.5.2, 4.5.6), or nothing.
    """
    world = world_of(game)
    away = world.distance(block.hex, to)
    if block.cls == "air":
        reach = min(world.numbers.air_response, block.kind.mv)
        return "" if away <= reach else f"is {away} hexes away, wanted at most {reach}"
    if not mechanised(game, block):
        return "is no air unit"
    if away > world.numbers.mech_response:
        return f"is {away} hexes away, wanted at most {world.numbers.mech_response}"
    if world.march_cost(block.kind, block.hex, to) is None:
        return f"may not march into {world.terrain[to].name}"
    return ""


def may_join(game: Game, player: str, attacker: str, to: str, fields: tuple[str, ...]) -> bool:
    """Only the defending side is joined, by its owners and their allies (4.5.1)."""
    world = world_of(game)
    if to not in fields or world.allied(player, attacker):
        return False
    defenders = [u for u in units(game, hex=to) if not world.allied(u.owner, attacker)]
    return any(world.allied(player, u.owner) for u in defenders)


class Room:
    """Room left in the battle hexes, for a side, while responses are counted one by one (4.5.3, 4.4.3)."""

    def __init__(self, board: Board, player: str) -> None:
        self.board = board
        self.player = player
        self._taken: dict[tuple[str, str], int] = {}
        self._crossed: dict[str, int] = {}

    def free(self, block: Unit, to: str) -> int:
        """How many more blocks of this one's class the hex takes."""
        there = [u for u in side_units(self.board, self.player, to) if u.cls == block.cls]
        return stack_limit(self.board, to, block.cls) - len(there) - self._taken.get((to, block.cls), 0)

    def fits(self, block: Unit, to: str) -> bool:
        """Whether the stack limit and, on the ground, the hexside take the block."""
        if self.free(block, to) < 1:
            return False
        crossed = self._crossed.get(hexside(block.hex, to), 0)
        return block.cls == "air" or crossed < world_of(self.board).hexside_limit(block.hex, to)

    def take(self, block: Unit, to: str) -> None:
        """Count the block as being there."""
        self._taken[to, block.cls] = self._taken.get((to, block.cls), 0) + 1
        if block.cls != "air":
            side = hexside(block.hex, to)
            self._crossed[side] = self._crossed.get(side, 0) + 1


@decision(
    "air-response",
    rule="4.5",
    answer=tuple[Response, ...],
    secrecy="sealed",
    standing=("air_response", AirResponseForm),
    facts=("attacker",),
)
class AirResponse(Decision[tuple[Response, ...]]):
    """Which of your blocks fly into which battles? `attacker` is the active player, `hexes` are the
    battle hexes.
    """

    player: str
    attacker: str
    hexes: tuple[HexNumber, ...]

    def options(self, game: Game, so_far: tuple[Response, ...] | None = None) -> Iterator[Option]:
        if so_far is None:
            yield Option([], "no response")
        given = so_far or ()
        for one in self.legal(game):
            longer = (*given, one)
            if not self.check(game, longer):
                yield Option(to_json(longer), f"{one.unit} from {unit(game, one.unit).hex} to {one.to}")

    def legal(self, game: Game) -> list[Response]:
        """Every single response that is legal on its own, by block and hex."""
        mine = units(game, self.player)
        single = [Response(u.id, to) for u in mine for to in self.hexes]
        return [one for one in single if not self.check(game, (one,))]

    def check(self, game: Game, answer: tuple[Response, ...]) -> list[Diagnostic]:
        faults: list[Diagnostic] = []
        room = Room(game, self.player)
        sent: dict[str, str] = {}
        for number, one in enumerate(answer):
            fault = self._fault(game, one, room, sent)
            if fault is None:
                room.take(unit(game, one.unit), one.to)
                sent[one.unit] = one.to
                continue
            code, message = fault
            rule = {"E-GEN-01": "4.5", "E-AIR-02": "4.5.3", "E-AIR-03": "4.5.1"}.get(code, "4.5.2")
            entry = "to" if code == "E-AIR-03" else "unit"
            faults.append(Diagnostic(code, message, family="illegal", rule=rule, path=(number, entry)))
        return faults

    def _fault(self, game: Game, one: Response, room: Room, sent: dict[str, str]) -> tuple[str, str] | None:
        """The first thing wrong with one element."""
        mine = [u.id for u in units(game, self.player)]
        if one.unit not in mine:
            return "E-GEN-01", f"no such unit: {self.player} has no {one.unit} on the map"
        block, place = (
            unit(game, one.unit),
            world_of(game).place(one.to) if one.to in world_of(game).terrain else one.to,
        )
        if not may_join(game, self.player, self.attacker, one.to, self.hexes):
            return "E-AIR-03", f"{place} is not a battle that {self.player} may join"
        if one.unit in sent:
            return "E-AIR-04", f"{one.unit} already responds to {sent[one.unit]}"
        if block.cls == "air" or mechanised(game, block):
            reason = why_unavailable(game, block, self.hexes)
            if reason:
                return "E-AIR-04", f"{one.unit} {reason}"
        reason = why_out_of_reach(game, block, one.to)
        if reason:
            return "E-AIR-01", f"{one.unit} {reason}"
        if not room.fits(block, one.to):
            limit = stack_limit(game, one.to, block.cls)
            return (
                "E-AIR-02",
                f"no room for {one.unit} in {place}: at most {limit} {block.cls} blocks of a side",
            )
        return None

    def default(self, game: Game) -> tuple[Response, ...]:
        return ()

    def repair(self, game: Game, answer: tuple[Response, ...]) -> tuple[Response, ...]:
        kept: tuple[Response, ...] = ()
        for one in answer:
            if not self.check(game, (*kept, one)):
                kept = (*kept, one)
        return kept

    def from_standing(self, game: Game, orders: list[AirResponseForm]) -> tuple[Response, ...] | None:
        listed = [one for form in orders for one in (form if isinstance(form, tuple) else (form,))]
        sent: tuple[Response, ...] = ()
        used = False
        for hex in self.hexes:
            order = next((o for o in listed if self._fits(game, o, hex)), None)
            if order is not None:
                used = True
                sent += self._send(game, order, hex, sent)
        return sent if used else None

    def _fits(self, game: Game, order: AirResponseOrder, hex: str) -> bool:
        attackers = len(units(game, self.attacker, hex))
        return (
            order.hex in ("any", hex)
            and order.attacker in ("any", self.attacker)
            and attackers >= order.min_attackers
            and may_join(game, self.player, self.attacker, hex, self.hexes)
        )

    def _send(
        self, game: Game, order: AirResponseOrder, hex: str, sent: tuple[Response, ...]
    ) -> tuple[Response, ...]:
        """Those of the order who can go, without the last `keep_home`, as long as there is room."""
        named = order.units or tuple(u.id for u in units(game, self.player))
        able = [id for id in named if not self.check(game, (*sent, Response(id, hex)))]
        going: tuple[Response, ...] = ()
        for id in able[: max(0, len(able) - order.keep_home)]:
            if not self.check(game, (*sent, *going, Response(id, hex))):
                going = (*going, Response(id, hex))
        return going

    @fact
    def battles(self, game: Game) -> int:
        return len(self.hexes)
