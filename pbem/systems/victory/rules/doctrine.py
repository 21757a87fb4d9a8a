"""Battle doctrine (rule 4.6.12): standing orders for all decisions in a battle.

A doctrine is secret data of its owner, including ids of units; others see only its effects. Decisions it
leaves open are made by the defaults of 4.6, or by the owner in interactive battles.
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
    """Conditions of a rule; those not given always hold."""

    role: Literal["attacker", "defender", "any"] = "any"
    hex: tuple[HexNumber, ...] = ()
    unit: tuple[Name, ...] = ()
    type: tuple[Name, ...] = ()
    round_at_least: Annotated[int, Range(1, 3)] = 1
    cv_at_most: Annotated[int, Range(1, 6)] | None = None
    own_le_enemy: tuple[Annotated[int, Range(0, 1000)], Annotated[int, Range(0, 1000)]] | None = None


@dataclass(frozen=True)
class Rule:
    """One rule of a doctrine.

    It says to fire (at the first legal class in `target`) or to retreat (to the first legal hex in `to`).
    """

    when: When = When()
    do: Literal["fire", "retreat"] = "fire"
    target: tuple[Target, ...] = ()
    to: tuple[HexNumber, ...] = ()


@dataclass(frozen=True)
class BattleDoctrine:
    """Rules in order; the order of fire; of losses among equals; and hexes for aircraft afterwards."""

    rules: tuple[Rule, ...] = ()
    fire_order: tuple[Name, ...] = ()
    loss_order: tuple[Name, ...] = ()
    rebase: dict[str, tuple[HexNumber, ...]] = field(default_factory=dict)

    def named(self) -> Iterator[tuple[str, tuple[str | int, ...]]]:
        """Yield every block that the doctrine names, with the path of its id."""
        for i, rule in enumerate(self.rules):
            yield from ((id, ("rules", i, "when", "unit", k)) for k, id in enumerate(rule.when.unit))
        yield from ((id, ("fire_order", i)) for i, id in enumerate(self.fire_order))
        yield from ((id, ("loss_order", i)) for i, id in enumerate(self.loss_order))
        yield from ((id, ("rebase", id)) for id in self.rebase)


@dataclass(frozen=True)
class Situation:
    """The facts that rules test when a unit's turn to act comes.

    `own` and `enemy` are total CV in the hex.
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
    """Return the first rule whose conditions hold, or None if no rule decides."""
    return next((rule for rule in doctrine.rules if holds(rule.when, now)), None)


def merged(doctrines: Iterable[BattleDoctrine]) -> BattleDoctrine:
    """Return several doctrines combined into one.

    Rules and orders follow one another. If two doctrines rebase a unit, the first counts.
    """
    whole = BattleDoctrine()
    for doctrine in doctrines:
        whole = BattleDoctrine(
            rules=whole.rules + doctrine.rules,
            fire_order=whole.fire_order + doctrine.fire_order,
            loss_order=whole.loss_order + doctrine.loss_order,
            rebase={**doctrine.rebase, **whole.rebase},
        )
    return whole
