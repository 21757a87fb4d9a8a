"""Battle doctrine (rule 4.6.12): standing orders that answer everything a battle may ask of an owner.

A doctrine is data of its owner and secret, unit ids included; only its effects are seen. What it leaves open
is answered by the defaults of 4.6 (or, in interactive battles, by its owner).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Annotated, Literal

from pbem.rules import HexNumber, Name, Range, dataclass

Role = Literal["attacker", "defender"]
Target = Literal["G", "N", "A"]


@dataclass(frozen=True)
class When:
    """What must hold for a rule; what is not given always holds."""

    role: Literal["attacker", "defender", "any"] = "any"
    hex: tuple[HexNumber, ...] = ()
    unit: tuple[Name, ...] = ()
    type: tuple[Name, ...] = ()
    round_at_least: Annotated[int, Range(1, 3)] = 1
    cv_at_most: Annotated[int, Range(1, 6)] | None = None
    own_le_enemy: tuple[Annotated[int, Range(0, 1000)], Annotated[int, Range(0, 1000)]] | None = None


@dataclass(frozen=True)
class Rule:
    """One line of a doctrine.

    Fire (at the first legal class of `target`) or retreat (to the first legal hex of `to`).
    """

    when: When = When()
    do: Literal["fire", "retreat"] = "fire"
    target: tuple[Target, ...] = ()
    to: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class BattleDoctrine:
    """Rules in order, who fires first, who loses first among equals, and where aircraft fly afterwards."""

    rules: tuple[Rule, ...] = ()
    fire_order: tuple[Name, ...] = ()
    loss_order: tuple[Name, ...] = ()
    rebase: dict[str, tuple[HexNumber, ...]] = field(default_factory=dict)

    def named(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """Yield every block it names, with its path."""
        for i, rule in enumerate(self.rules):
            yield from ((id, ("rules", i, "when", "unit", k)) for k, id in enumerate(rule.when.unit))
        yield from ((id, ("fire_order", i)) for i, id in enumerate(self.fire_order))
        yield from ((id, ("loss_order", i)) for i, id in enumerate(self.loss_order))
        yield from ((id, ("rebase", id)) for id in self.rebase)


@dataclass(frozen=True)
class Situation:
    """The facts for a rule when a unit's slot comes.

    `own` and `enemy` are steps in the hex, as sums of CV.
    """

    role: Role
    hex: str
    unit: str
    type: str
    round: int
    cv: int
    own: int
    enemy: int


def holds(when: When, now: Situation) -> bool:
    """Return True if every given condition holds."""
    if when.own_le_enemy is not None:
        a, b = when.own_le_enemy
        if now.own * b > now.enemy * a:
            return False
    return (
        when.role in ("any", now.role)
        and (not when.hex or now.hex in when.hex)
        and (not when.unit or now.unit in when.unit)
        and (not when.type or now.type in when.type)
        and now.round >= when.round_at_least
        and (when.cv_at_most is None or now.cv <= when.cv_at_most)
    )


def first_rule(doctrine: BattleDoctrine, now: Situation) -> Rule | None:
    """Return the first rule whose every given condition holds, or None.

    The defaults count (or the owner is asked).
    """
    return next((rule for rule in doctrine.rules if holds(rule.when, now)), None)


def merged(doctrines: Iterable[BattleDoctrine]) -> BattleDoctrine:
    """Return several doctrines as one.

    Rules and orders one after another; of two rebase lists for a unit the first counts.
    """
    whole = BattleDoctrine()
    for one in doctrines:
        whole = BattleDoctrine(
            rules=whole.rules + one.rules,
            fire_order=whole.fire_order + one.fire_order,
            loss_order=whole.loss_order + one.loss_order,
            rebase={**one.rebase, **whole.rebase},
        )
    return whole
