"""Questions of a fight (D-DEFSUP, D-AOPT, D-DOPT, D-TERR, D-LOSS, D-RETREAT).

A question waits for an answer only if its default would cost a unit (6.2). Otherwise advance and standing
orders answer it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pbem.kit.faults import illegal
from pbem.kit.filed import Unasked, Wish
from pbem.rules import (
    Decision,
    Diagnostic,
    Game,
    LocationId,
    Message,
    Name,
    Option,
    Range,
    dataclass,
    decision,
    fact,
)

from ..fighting.losses import Retreat, by_combat_rule
from ..pieces import T, Unit, maybe_unit


@dataclass(frozen=True)
class Stance:
    """A defender's choices in a hex: supply, internal stocks, rating, option, and retreat.

    `terrain`: the terrain to claim, by the hex of the attackers, or by the defended hex for its own terrain.
    `towards`, `avoid`: the direction of a retreat.
    """

    supply: Literal["pay", "withhold"] = "pay"
    pay_if_T_left_at_least: int | None = None
    internals: Literal["use", "save"] = "use"
    ar: tuple[Name, ...] = ()
    option: Literal["hold", "give_ground"] | None = None
    hold_until_steps: int | None = None
    terrain: dict[str, str] | None = None
    dumps: tuple[LocationId, ...] = ()
    internals_of: dict[str, Literal["use", "save"]] | None = None
    beach: Literal["fight", "yield"] = "fight"
    towards: tuple[LocationId, ...] = ()
    avoid: tuple[LocationId, ...] = ()


@dataclass(frozen=True)
class Defence:
    """A stance for every hex, and others for single hexes."""

    default: Stance = Stance()
    hexes: dict[str, Stance] | None = None

    def at(self, hex: str) -> Stance:
        """6.1: Return the stance for a hex; one given for the hex itself takes precedence."""
        return (self.hexes or {}).get(hex, self.default)


@dataclass(frozen=True)
class AttackStance:
    option: Literal["losses", "retreat"] | None = None
    losses_up_to: int | None = None


@decision(
    "stance", rule="4.9.3", answer=Stance, secrecy="sealed", standing=("defence", Defence), facts=("hex",)
)
class DefenceStance(Unasked[Stance]):
    """How is this hex defended?"""

    player: str
    hex: str

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)

    def options(self, game: Game) -> Iterator[Option]:
        yield Option({}, Message("ocs.fight.pay-combat-supply"))
        yield Option({"supply": "withhold"}, Message("ocs.fight.withhold-combat-supply"))
        yield Option({"option": "hold"}, Message("ocs.fight.hold-take-options-as-losses"))
        yield Option({"option": "give_ground"}, Message("ocs.fight.give-ground"))

    def check(self, game: Game, answer: Stance) -> list[Diagnostic]:
        wrong = [id for id in answer.ar if maybe_unit(game, id) is None]
        return [illegal("E-AR", "4.9.4", Message("ocs.fight.no-unit-in-play", id=id), "ar") for id in wrong]

    def default(self, game: Game) -> Stance:
        return Stance()

    def from_order(self, game: Game, order: Defence) -> Stance:
        return order.at(self.hex)

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


def _group(game: Game, ids: tuple[str, ...]) -> list[Unit]:
    return [u for id in ids if (u := maybe_unit(game, id)) is not None]


def can_retreat(game: Game, ids: tuple[str, ...], n: int, barred: tuple[str, ...]) -> bool:
    """Return True if all units have a legal path, hex by hex."""
    by_hex: dict[str, list[Unit]] = {}
    for u in _group(game, ids):
        by_hex.setdefault(u.hex or "", []).append(u)
    return all(Retreat(game, group, n, frozenset(barred)).possible for group in by_hex.values())


def retreat_losses(game: Game, ids: tuple[str, ...], n: int, barred: tuple[str, ...]) -> int:
    """Return the steps that retreats by default cost."""
    group = _group(game, ids)
    return sum(way.lost for _, way in Retreat(game, group, n, frozenset(barred)).groups() if way is not None)


Losses = Annotated[int, Range(-1, 9)]


@decision(
    "attacker-option",
    rule="4.9.8",
    answer=Losses,
    standing=("attack", AttackStance),
    facts=("hex", "option"),
    secrecy="sealed",
)
class AttackerOption(Unasked[int]):
    """How many steps of the option do you take as losses? The rest is retreat."""

    player: str
    hex: str
    option: int
    units: tuple[str, ...]
    barred: tuple[str, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)

    def options(self, game: Game) -> Iterator[Option]:
        for k in range(self.option, -1, -1):
            yield Option(k, Message("ocs.fight.as-losses-as-retreat", losses=k, retreat=self.option - k))

    def default(self, game: Game) -> int:
        """D-AOPT (R-109): Return the option as losses if steps are left or no retreat is legal, else 0."""
        steps = sum(u.steps for u in _group(game, self.units))
        stay = steps > self.option or not can_retreat(game, self.units, self.option, self.barred)
        return self.option if stay else 0

    def from_order(self, game: Game, order: AttackStance) -> int | None:
        if order.losses_up_to is not None:
            k = min(self.option, order.losses_up_to)
            way = k == self.option or can_retreat(game, self.units, self.option - k, self.barred)
            return k if way else self.default(game)
        return None if order.option is None else self.option if order.option == "losses" else 0


@decision("defender-option", rule="4.9.8", answer=Losses, facts=("hex", "option"), secrecy="sealed")
class DefenderOption(Decision[int]):
    """How many steps of the option do you take as losses? The rest is retreat; -1 ignores it, if allowed."""

    player: str
    hex: str
    option: int
    units: tuple[str, ...]
    barred: tuple[str, ...]
    may_ignore: bool
    stance: str = ""
    until_steps: int = -1

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)

    def options(self, game: Game) -> Iterator[Option]:
        if self.may_ignore:
            yield Option(-1, Message("ocs.fight.ignore"))
        for k in range(self.option, -1, -1):
            yield Option(k, Message("ocs.fight.as-losses-as-retreat", losses=k, retreat=self.option - k))

    def default(self, game: Game) -> int:
        """D-DOPT (R-109): Return -1 if allowed, 0 if retreat is free, or the option if steps are left."""
        if self.may_ignore:
            return -1
        free = can_retreat(game, self.units, self.option, self.barred)
        steps = sum(u.steps for u in _group(game, self.units))
        if self.until_steps >= 0:
            stay = steps - self.option >= self.until_steps
            return self.option if stay or not free else 0
        if self.stance:
            return self.option if self.stance == "hold" or not free else 0
        if free and not retreat_losses(game, self.units, self.option, self.barred):
            return 0
        return self.option if steps > self.option or not free else 0

    def waits(self, game: Game) -> bool:
        """6.2: Return True if the default would eliminate a unit and no order was given before."""
        chosen = self.default(game)
        if self.stance or self.until_steps >= 0 or chosen < 1:
            return False
        gone = by_combat_rule(_group(game, self.units), chosen, None, {})
        dies = any(gone.count(u.id) >= u.steps for u in _group(game, self.units))
        return dies and can_retreat(game, self.units, self.option, self.barred)


@dataclass(frozen=True)
class LossOrder:
    """Kinds or ids of units, in the order in which they take losses."""

    order: tuple[str, ...] = ()


@decision(
    "loss-order", rule="4.0.7", answer=LossOrder, standing=("loss_order", tuple[str, ...]), secrecy="sealed"
)
class LossChoice(Wish[LossOrder]):
    """D-LOSS: In what order do your units take losses?"""

    player: str
    hex: str
    wish = LossOrder(), "ocs.fight.lowest-printed-strength-first"

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)

    def from_order(self, game: Game, order: tuple[str, ...]) -> LossOrder:
        return LossOrder(order)


@dataclass(frozen=True)
class Party:
    """Units that retreat by their own path."""

    units: tuple[Name, ...]
    path: tuple[LocationId, ...]


@dataclass(frozen=True)
class Course:
    """The course of a retreat: hexes to go towards, hexes to avoid, one path, or paths of some units.

    `detach`: divisions whose Breakdown goes along or by its own path (4.4.15).
    """

    towards: tuple[LocationId, ...] = ()
    avoid: tuple[LocationId, ...] = ()
    path: tuple[LocationId, ...] = ()
    parties: tuple[Party, ...] = ()
    detach: tuple[Name, ...] = ()


@decision("retreat", rule="4.9.9", answer=Course, secrecy="sealed", standing=("retreat", Course))
class RetreatCourse(Wish[Course]):
    """D-RETREAT: Which way do your units go?"""

    player: str
    hex: str
    hexes: int
    wish = Course(), "ocs.fight.cheapest-way-towards-hq"

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex,)
