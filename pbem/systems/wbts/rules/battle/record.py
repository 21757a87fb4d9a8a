"""4.8: A battle while it is fought, in the track `battle`, with the state shared by its steps.

The track is public in every game. A step writes into it only what both sides may know then.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from pbem.rules import Record

from ..pieces import Unit, left, units

Code = Literal["", "A", "D"]
Role = Literal["attack", "defend"]


class Battle(Record):
    """One battle. Strengths are fractions as text. `stacks` are the attackers by their hex.

    With `cut` the target was emptied in c.3. With `overrun` it had no strength in c.5. `required`
    are defenders that had to retreat and did, `retreated` attackers that did.
    """

    track = "battle"

    number: int
    attacker: str
    defender: str
    target: str
    leader: str | None = None
    naval: bool = False
    stacks: dict[str, tuple[str, ...]] = {}
    declared: tuple[str, ...] = ()
    attack: str = "0"
    defence: str = "0"
    commander: str | None = None
    withheld: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    defenders: tuple[str, ...] = ()
    ratio: int | None = None
    attacker_loss: int = 1
    entrained: tuple[str, ...] = ()
    cut: bool = False
    overrun: bool = False
    table: int = -1
    unsupplied: tuple[str, ...] = ()
    committed: dict[str, str] = {}
    percents: tuple[int, int] = (0, 0)
    code: Code = ""
    required: tuple[str, ...] = ()
    retreated: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """R-19: Return True if there is no more fight, because the target was emptied or overrun."""
        return self.cut or self.overrun

    @property
    def sides(self) -> tuple[str, str]:
        """Return attacker and defender."""
        return self.attacker, self.defender

    def role(self, side: str) -> Role:
        """Return the role of a side in the battle."""
        return "attack" if side == self.attacker else "defend"

    def hexes(self, side: str) -> tuple[str, ...]:
        """Return the combat hexes of a side: its attacking hexes, or the target."""
        return tuple(self.stacks) if side == self.attacker else (self.target,)

    def strength(self, side: str) -> str:
        """Return the present strength of a side."""
        return self.attack if side == self.attacker else self.defence

    @property
    def odds(self) -> tuple[Fraction, Fraction]:
        """Return the present strengths of attack and defence."""
        return Fraction(self.attack), Fraction(self.defence)

    @property
    def listed(self) -> tuple[str, ...]:
        """Return all attacking units, hex by hex, as they were at the beginning."""
        return tuple(id for ids in self.stacks.values() for id in ids)

    @property
    def revealed(self) -> tuple[str, ...]:
        """Return all units shown to both sides in c.2 and c.5."""
        return (*self.listed, *self.defenders, *self.withheld, *self.ships)

    def attacking(self) -> list[Unit]:
        """Return the remaining attacking units, hex by hex in the order named."""
        return left(self.board, self.listed)

    def defending(self) -> list[Unit]:
        """Return the remaining participating land units of the defender."""
        return left(self.board, self.defenders)

    def assisting(self) -> list[Unit]:
        """Return the remaining participating ships of the defender."""
        return left(self.board, self.ships)

    def troops(self, side: str) -> tuple[list[Unit], list[Unit]]:
        """Return the remaining participating land units and ships of a side."""
        engaged = self.attacking() if side == self.attacker else self.defending() + self.assisting()
        return [u for u in engaged if u.is_land], [u for u in engaged if u.is_naval]

    def in_target(self) -> list[Unit]:
        """Return all land units of the defender in the target, with HQs."""
        return [u for u in units(self.board, self.defender, self.target) if u.is_land]

    @property
    def held(self) -> bool:
        """R-24: Return True if a combat unit of the defender is left in the target."""
        return any(u.is_combat for u in self.in_target())


def face(listed: list[Unit]) -> int:
    """Return the strength points on the counters, without factors."""
    return sum(u.sp for u in listed)
