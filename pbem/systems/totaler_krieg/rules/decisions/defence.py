"""D-14 to D-18, D-24: Questions of a fight. None waits for an answer if its default costs no unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import ByOrder, Unasked
from pbem.kit.picking import Picks
from pbem.kit.retreats import nearest_first, wished
from pbem.rules import (
    Decision,
    Diagnostic,
    Draft,
    Game,
    Growing,
    LocationId,
    Message,
    Name,
    Option,
    Range,
    dataclass,
    decision,
    fact,
)

from ..asking import ask_quoted
from ..losing import Force, choices, dies
from ..pieces import Piece, T, maybe_piece, world_of
from ..strength import heads

NOBODY = "none"


@dataclass(frozen=True)
class OnlyIf:
    """A condition on the final column without the HQ."""

    column_at_least: str = "1-3"


@dataclass(frozen=True)
class HqOrder:
    """An HQ that may be involved: for these hexes, from a column on, by priority.

    `for: any` means all hexes.
    """

    hq: Name
    for_: tuple[LocationId, ...] | Literal["any"] = "any"
    only_if: OnlyIf | None = None
    priority: int = 1


Hqs = tuple[HqOrder, ...]


class InFight:
    """The facts of every question in a fight for `when:`."""

    player: str
    power: str
    hex: str

    def subject(self) -> tuple[str | int, ...]:
        return (self.power, self.hex)

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


@decision("defender-hq", rule="4.13.2", answer=Name, standing=("hq", Hqs), facts=("hex", "column"))
class DefenderHq(InFight, Decision[str]):
    """D-14 Does an HQ support the defence of this hex?"""

    player: str
    power: str
    hex: str
    able: tuple[str, ...]
    column: str
    best: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option(NOBODY, Message("totaler-krieg.defence.no-hq"))
        for id in self.able:
            yield Option(
                id,
                Message("totaler-krieg.defence.hq-supports", hq=id, place=world_of(game).name_of(self.hex)),
            )

    def default(self, game: Game) -> str:
        return self.best

    def from_standing(self, game: Game, orders: list[Hqs]) -> str | None:
        """Return the HQ by standing orders.

        If none of the orders fits, no HQ is involved.
        """
        if not orders:
            return None
        listed = heads(world_of(game))
        fitting = [
            (order.priority, n, order.hq)
            for n, order in enumerate(orders[0])
            if order.hq in self.able
            and (order.for_ == "any" or self.hex in order.for_)
            and (
                order.only_if is None
                or listed.index(self.column) >= listed.index(order.only_if.column_at_least)
            )
        ]
        return min(fitting)[2] if fitting else NOBODY

    def waits(self, game: Game) -> bool:
        return False


@decision("attacker-choice", rule="4.13.6", answer=Literal["retreat", "loss"], facts=("hex", "result"))
class AttackerChoice(InFight, Decision[str]):
    """D-15 Do all attackers retreat one hex, or does one lose a step?"""

    player: str
    power: str
    hex: str
    result: str
    can: bool

    def options(self, game: Game) -> Iterator[Option]:
        if self.can:
            yield Option("retreat", Message("totaler-krieg.defence.all-attacking-units-retreat-one-hex"))
        yield Option("loss", Message("totaler-krieg.defence.one-attacking-unit-loses-step"))

    def default(self, game: Game) -> str:
        return "retreat" if self.can else "loss"

    def waits(self, game: Game) -> bool:
        return False


@dataclass(frozen=True)
class RetreatOrder:
    """An order to retreat toward a hex, through `prefer` first and not through `avoid`.

    `of` names the units or hexes that it holds for, empty for all.
    """

    toward: LocationId | None = None
    prefer: tuple[LocationId, ...] = ()
    avoid: tuple[LocationId, ...] = ()
    of: tuple[Name, ...] = ()


@decision(
    "retreat", rule="4.24", answer=LocationId, standing=("retreat", RetreatOrder), facts=("hex", "left")
)
class RetreatHex(InFight, Decision[str]):
    """D-16 Which hex does the force enter next?"""

    player: str
    power: str
    hex: str
    at: str
    left: int
    units: tuple[str, ...]
    able: tuple[str, ...]

    def options(self, game: Game) -> Iterator[Option]:
        for hex in self.able:
            name_of = world_of(game).name_of
            yield Option(
                hex,
                Message(
                    "totaler-krieg.defence.from-to",
                    units=tuple(self.units),
                    start=name_of(self.at),
                    end=name_of(hex),
                ),
            )

    def check(self, game: Game, answer: str) -> list[Diagnostic]:
        if answer in self.able:
            return []
        message = Message(
            "totaler-krieg.defence.force-cannot-retreat", answer=answer, able=tuple(sorted(self.able))
        )
        return [illegal("E-RET-01", "4.24", message)]

    def default(self, game: Game) -> str:
        return self.able[0]

    def from_standing(self, game: Game, orders: list[RetreatOrder]) -> str | None:
        """4.28: Return the hex by standing orders.

        `prefer` counts before `toward`. `avoid` is obeyed while another legal hex exists.
        """
        for order in orders:
            if order.of and not {*order.of} & {self.hex, self.at, *self.units}:
                continue
            legal = [hex for hex in self.able if hex not in order.avoid] or list(self.able)
            if (hex := wished(legal, order.prefer)) is not None:
                return hex
            if order.toward is not None:
                return nearest_by_default(game, legal, order.toward)
            return legal[0]
        return None

    def waits(self, game: Game) -> bool:
        return False


def nearest_by_default(game: Game, legal: Sequence[str], goal: str) -> str:
    """Return the hex nearest to a goal. Ties go by the order of the defaults."""
    rank = {hex: n for n, hex in enumerate(legal)}
    world = world_of(game)
    nearest = nearest_first(legal, [goal], world.distance)
    least = world.distance(nearest[0], goal)
    return min((hex for hex in legal if world.distance(hex, goal) == least), key=lambda hex: rank[hex])


@dataclass(frozen=True)
class HoldOrder:
    """Cities and other hexes to hold by losing steps instead of retreating."""

    hexes: tuple[LocationId, ...] = ()
    max_steps: int = 1


@decision(
    "hold",
    rule="4.24",
    answer=Annotated[int, Range(0, 3)],
    standing=("hold", HoldOrder),
    facts=("hex", "most"),
)
class Hold(InFight, Unasked[int]):
    """D-17 How many hexes of the retreat become step losses?"""

    player: str
    power: str
    hex: str
    most: int

    def options(self, game: Game) -> Iterator[Option]:
        for n in range(self.most + 1):
            yield Option(
                n, Message("totaler-krieg.defence.hexes-become-step-losses", n=n, most=self.most - n)
            )

    def default(self, game: Game) -> int:
        return 0

    def from_order(self, game: Game, order: HoldOrder) -> int | None:
        return min(self.most, order.max_steps) if self.hex in order.hexes else None


@dataclass(frozen=True)
class ExOrder:
    """Hexes where an exchange is answered by a retreat, and those where it is by a loss."""

    retreat: tuple[LocationId, ...] = ()
    loss: tuple[LocationId, ...] = ()


@decision(
    "exchange", rule="4.13.6", answer=Literal["retreat", "loss"], standing=("ex", ExOrder), facts=("hex",)
)
class Exchange(InFight, ByOrder[str]):
    """D-17 Do the defenders retreat one hex, or does one of them lose a step?"""

    player: str
    power: str
    hex: str
    units: tuple[str, ...]
    can: bool

    def options(self, game: Game) -> Iterator[Option]:
        if self.can:
            yield Option("retreat", Message("totaler-krieg.defence.defenders-retreat-one-hex"))
        yield Option("loss", Message("totaler-krieg.defence.one-defending-unit-loses-step"))

    def default(self, game: Game) -> str:
        """5.15: Return a loss for a force of two steps or more, else a retreat if one is possible."""
        steps = sum(unit.steps for id in self.units if (unit := maybe_piece(game, id)) is not None)
        return "loss" if steps > 1 or not self.can else "retreat"

    def from_order(self, game: Game, order: ExOrder) -> str | None:
        if self.hex in order.loss:
            return "loss"
        return "retreat" if self.hex in order.retreat and self.can else None

    def waits(self, game: Game) -> bool:
        """Return True if the default costs a unit that could retreat."""
        if not self.can or self.default(game) == "retreat":
            return False
        first = Force(game, self.units).able()
        return bool(first) and dies(game, first[0])


@decision(
    "losses",
    rule="4.25",
    answer=tuple[Name, ...],
    standing=("losses", tuple[Name, ...]),
    facts=("hex", "steps"),
)
class Losses(InFight, ByOrder[tuple[str, ...]], Growing[tuple[str, ...]]):
    """D-18 Which units take the steps, one each time they are named?"""

    player: str
    power: str
    hex: str
    steps: int
    units: tuple[str, ...]

    def draft(self, game: Game) -> Draft[str]:
        return _Taking(game, self.player, self.units, self.steps)

    def default(self, game: Game) -> tuple[str, ...]:
        return ()

    def waits(self, game: Game) -> bool:
        """Return True if the default costs a unit though another could take the loss."""
        force = Force(game, self.units)
        able = force.able()
        return len(able) > 1 and force.steps > self.steps and dies(game, able[0])


class _Taking(Picks):
    """A list of units that take steps. It may name a unit again, or a counter that stands in."""

    def __init__(self, game: Game, player: str, able: Sequence[str], steps: int) -> None:
        super().__init__(
            game,
            player,
            able,
            rule="4.25",
            words=lambda id: Message("totaler-krieg.defence.takes-a-step", id=id),
            nothing=Message("totaler-krieg.defence.by-default"),
        )
        self.steps = steps

    def faults(self, element: str) -> list[Diagnostic]:
        unit = maybe_piece(self.game, element)
        if unit is None:
            return [illegal("E-GEN-01", "4.25", Message("totaler-krieg.defence.no-counter", element=element))]
        return []


@decision(
    "stand-in", rule="4.25", answer=Name, standing=("stand_in", tuple[Name, ...]), facts=("hex", "unit")
)
class StandIn(InFight, Unasked[str]):
    """D-18 Which counter of the Force Pool stands in for a unit that loses a step and has no such face?"""

    player: str
    power: str
    hex: str
    unit: str
    able: tuple[str, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.power, self.hex, self.unit)

    def options(self, game: Game) -> Iterator[Option]:
        for id in self.able:
            yield Option(id, Message("totaler-krieg.defence.stands", id=id, unit=self.unit))

    def default(self, game: Game) -> str:
        """5.15: Return the first stand-in (default_swap)."""
        return self.able[0]

    def from_order(self, game: Game, order: tuple[str, ...]) -> str | None:
        return next((id for id in order if id in self.able), None)


async def stand_in(game: Game, unit: Piece) -> str | None:
    """4.25: Ask the owner which stand-in a unit's next step loss takes.

    Returns None if there is no choice.
    """
    able = tuple(other.id for other in choices(game, unit))
    if len(able) < 2:
        return None
    return await ask_quoted(game, StandIn(game.seat(unit.owner), unit.owner, unit.hex or "", unit.id, able))


@decision(
    "overstack",
    rule="4.16",
    answer=tuple[Name, ...],
    standing={"overstack": tuple[Name, ...], "losses": tuple[Name, ...]},
    facts=("hex",),
)
class Overstack(InFight, Unasked[tuple[str, ...]], Growing[tuple[str, ...]]):
    """D-24 Which units go from this stack first?"""

    player: str
    power: str
    hex: str
    why: str
    units: tuple[str, ...]

    def draft(self, game: Game) -> Draft[str]:
        return _Taking(game, self.player, self.units, 1)

    def from_order(self, game: Game, order: tuple[str, ...]) -> tuple[str, ...] | None:
        """D-24: Return the first order that names a unit of the stack, `overstack` before `losses`."""
        return order if {*order} & {*self.units} else None

    def default(self, game: Game) -> tuple[str, ...]:
        return ()
