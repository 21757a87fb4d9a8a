"""Air Response (D-5, rule 4.5): blocks of other players that fly into battles of the defending side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pbem.kit.faults import illegal
from pbem.rules import (
    Diagnostic,
    Draft,
    Drafting,
    Game,
    Growing,
    HexNumber,
    Message,
    Name,
    Next,
    Pattern,
    Points,
    Range,
    dataclass,
    decision,
    fact,
)

from ..blocks import Block, own, units
from ..sides import Side, stack_limit
from ..world import world_of


@dataclass(frozen=True)
class Response:
    """A block and the battle hex it goes to."""

    unit: Name
    to: HexNumber


HexOrAny = Annotated[str, Pattern("any|[A-Za-z0-9.,]{2,14}", 'a hex number such as "0507", or any')]


@dataclass(frozen=True)
class AirResponseOrder:
    """A standing order to respond to attacks. For each battle hex, the first order that fits is used.

    It sends `units` (by default every block that may go, by id) in turn while the hex has room. The last
    `keep_home` of those that could go stay (R-63).
    """

    hex: HexOrAny = "any"
    attacker: Name = "any"
    min_attackers: Annotated[int, Range(0, 99)] = 0
    units: tuple[Name, ...] = ()
    keep_home: Annotated[int, Range(0, 99)] = 0


AirResponseForm = (
    AirResponseOrder | tuple[AirResponseOrder, ...]
)  # one order, or a list tried in order


class Responses:
    """Responses of one side, made one by one on a board that contains the earlier ones (4.5.2, 4.5.3)."""

    def __init__(self, game: Game, player: str) -> None:
        self.game = game
        self.side = Side(game, player)
        self.crossed: dict[str, int] = {}

    def fits(self, block: Block, to: str) -> bool:
        """4.5.3, 4.4.3: Return True if stack limit and, for land blocks, hexside have room for the block."""
        world = self.side.world
        if block.cls != "air":
            crossed = self.crossed.get(world.hexside(block.hex, to), 0)
            if crossed >= world.hexside_limit(block.hex, to):
                return False
        return self.side.room(to, block.type)

    def join(self, block: Block, to: str) -> None:
        """4.5.2: Move the block into the battle hex, and record the hex that it came from."""
        origin = block.hex
        if block.cls != "air":
            over = self.side.world.hexside(origin, to)
            self.crossed[over] = self.crossed.get(over, 0) + 1
        block.aboard, block.responded = None, True
        block.entry_from, block.entry_kind = origin, "response"
        block.go(to)

    def why_unavailable(self, block: Block, fields: tuple[str, ...]) -> str:
        """4.5.2: Return why a block cannot respond at all, or ""."""
        if block.responded:
            return Message("victory.air-response.has-responded-in-player-turn")
        if block.hex in fields:
            return Message("victory.air-response.battle-hex")
        if block.revealed:
            return Message("victory.air-response.face-up")
        return (
            Message("victory.air-response.no-airbase")
            if block.cls == "air" and not self.side.based(block)
            else ""
        )

    def why_out_of_reach(self, block: Block, to: str) -> str:
        """4.5.2, 4.5.6: Return why a block cannot reach the hex (range, or a land step), or ""."""
        world = self.side.world
        away, reach = world.distance(block.hex, to), min(world.numbers.air_response, block.kind.mv)
        if block.cls != "air":
            if not self.mechanised(block):
                return Message("victory.air-response.no-air-unit")
            reach = world.numbers.mech_response
        if away > reach:
            return Message("victory.air-response.hexes-away", away=away, reach=reach)
        if block.cls != "air" and world.march_cost(block.kind, block.hex, to) is None:
            return Message("victory.air-response.may-not-march", ground=world.ground[to].name)
        return ""

    def mechanised(self, block: Block) -> bool:
        """4.5.6: Return True if a land block may respond (option `mech_response`)."""
        return bool(self.game.options["mech_response"]) and block.type in ("MI", "HA")


def may_join(game: Game, player: str, attacker: str, to: str, fields: tuple[str, ...]) -> bool:
    """4.5.1: Return True if a player may join: owners on the defending side and their allies (R-21)."""
    allied = world_of(game).allied
    if to not in fields or allied(player, attacker):
        return False
    return any(allied(player, u.owner) and not allied(u.owner, attacker) for u in units(game, hex=to))


class Answering(Draft[Response]):
    """Responses so far; their blocks are in the battle hexes."""

    def __init__(self, game: Game, question: AirResponse) -> None:
        super().__init__(game, question.player)
        self.question = question
        self.flights = Responses(game, question.player)

    def next(self, of: str | None = None) -> Iterator[Next[Response]]:
        for block in units(self.game, self.player):
            for to in self.question.hexes if self.concerns(of, block.id) else ():
                response = Response(block.id, to)
                if not self.faults(response):
                    away = world_of(self.game).distance(block.hex, to)
                    points = Points(
                        (block.id,),
                        way=(to,),
                        cost=(("hexes", away),),
                        risk=Message("victory.air-response.joins-battle"),
                        kind="attack",
                    )
                    yield Next(response, self.words(response), points)

    def faults(self, element: Response) -> list[Diagnostic]:
        return list(self._faults(element.unit, element.to))

    def _faults(self, id: str, to: str) -> Iterator[Diagnostic]:
        """Yield the first fault."""
        flights, world, hexes = self.flights, world_of(self.game), self.question.hexes
        place = world.place(to) if to in world else to
        block = own(self.game, self.player, id)
        if block is None:
            message = Message("victory.blocks.no-such-unit", player=self.player, unit=id)
            yield illegal("E-GEN-01", "4.5", message, "unit")
        elif not may_join(self.game, self.player, self.question.attacker, to, hexes):
            message = Message(
                "victory.air-response.not-battle-that-may-join", place=place, player=self.player
            )
            yield illegal("E-AIR-03", "4.5.1", message, "to")
        elif sent := [response.to for response in self.elements if response.unit == id]:
            yield illegal(
                "E-AIR-04",
                "4.5.2",
                Message("victory.air-response.already-responds", id=id, sent=sent[0]),
                "unit",
            )
        elif (block.cls == "air" or flights.mechanised(block)) and flights.why_unavailable(block, hexes):
            yield illegal(
                "E-AIR-04",
                "4.5.2",
                Message(
                    "victory.air-response.unit-cannot", unit=id, reason=flights.why_unavailable(block, hexes)
                ),
                "unit",
            )
        elif reason := flights.why_out_of_reach(block, to):
            yield illegal(
                "E-AIR-01",
                "4.5.2",
                Message("victory.air-response.unit-cannot", unit=id, reason=reason),
                "unit",
            )
        elif not flights.fits(block, to):
            limit = stack_limit(self.game, to, block.cls)
            message = Message(
                "victory.air-response.no-room-for-in-most-blocks",
                id=id,
                place=place,
                limit=limit,
                cls=block.cls,
            )
            yield illegal("E-AIR-02", "4.5.3", message, "unit")

    def do(self, element: Response) -> None:
        self.flights.join(Block(self.game, element.unit), element.to)

    def words(self, element: Response) -> str:
        return Message(
            "victory.air-response.from-to",
            unit=element.unit,
            hex=Block(self.game, element.unit).hex,
            to=element.to,
        )

    def nothing(self) -> str:
        return Message("victory.air-response.no-response")


@decision(
    "air-response",
    rule="4.5",
    answer=tuple[Response, ...],
    secrecy="sealed",
    standing=("air_response", AirResponseForm),
    facts=("attacker",),
)
class AirResponse(Growing[tuple[Response, ...]]):
    """Which of your blocks fly into which battles?

    `attacker` is the active player, `hexes` are the battle hexes.
    """

    player: str
    attacker: str
    hexes: tuple[HexNumber, ...]

    def draft(self, game: Game) -> Answering:
        return Answering(game, self)

    def legal(self, game: Game) -> list[Response]:
        """Return every response that is legal by itself, by block and hex."""
        return [option.element for option in Drafting(self, game).next()]

    def from_standing(self, game: Game, orders: list[AirResponseForm]) -> tuple[Response, ...] | None:
        listed = [order for form in orders for order in (form if isinstance(form, tuple) else (form,))]
        drafting, used = Drafting(self, game), False
        for hex in self.hexes:
            order = next((o for o in listed if self._fits(game, o, hex)), None)
            if order is not None:
                used = True
                named = order.units or tuple(u.id for u in units(game, self.player))
                able = [response for id in named if not drafting.draft.faults(response := Response(id, hex))]
                for response in able[: max(0, len(able) - order.keep_home)]:
                    drafting.offer(response)
        return drafting.answer() if used else None

    def _fits(self, game: Game, order: AirResponseOrder, hex: str) -> bool:
        return (
            order.hex in ("any", hex)
            and order.attacker in ("any", self.attacker)
            and len(units(game, self.attacker, hex)) >= order.min_attackers
            and may_join(game, self.player, self.attacker, hex, self.hexes)
        )

    @fact
    def battles(self, game: Game) -> int:
        return len(self.hexes)
