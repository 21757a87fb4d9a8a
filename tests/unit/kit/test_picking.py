"""Names picked out of lists: each once, in any order, those that are there."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any

from pbem.engine.game import Game
from pbem.kit.picking import Picks
from pbem.rules import Drafting, Growing, Message, decision
from tests.unit.engine.parade import game as parade


@decision("picked", rule="1", answer=tuple[str, ...])
class Picked(Growing[tuple[str, ...]]):
    """Whom?"""

    player: str

    def draft(self, game: Game) -> Picks:
        return Picks(game, self.player, ("a", "b", "c"), rule="1.2", words="then {id}")


@dataclass(frozen=True)
class Order:
    land: tuple[str, ...] = ()
    first: str | None = None


@decision("picked-by-section", rule="1", answer=Order)
class BySection(Growing[Order]):
    """Who first?"""

    player: str

    def draft(self, game: Game) -> Picks:
        lists = {"land": ("a", "b"), "first": ("b",)}
        return Picks(game, self.player, lists, rule="1.2", words={"land": "{id}", "first": "{id} first"})


def plainly(asked: Growing[Any]) -> list[Any]:
    """Every answer, grown by all that may come next."""
    found, waiting = [], [Drafting(asked, parade())]
    while waiting:
        drafting = waiting.pop()
        found.append(drafting.answer())
        for option in drafting.next():
            longer = Drafting(asked, parade(), drafting.answer())
            longer.add(option)
            waiting.append(longer)
    return found


@decision("told", rule="1", answer=tuple[str, ...])
class Told(Growing[tuple[str, ...]]):
    """Whom, said by a message?"""

    player: str

    def draft(self, game: Game) -> Picks:
        return Picks(
            game,
            self.player,
            ("a", "b"),
            rule="1.2",
            words=lambda id: Message("kit.picking.named-twice", id=id),
        )


def test_what_naming_somebody_means_may_be_a_message() -> None:
    said = [option.text for option in Drafting(Told("red"), parade()).next()]
    assert said == ["a is named twice", "b is named twice"]
    assert all(isinstance(text, Message) for text in said)


def test_every_choice_in_every_order_is_offered_once() -> None:
    wanted = [way for length in range(4) for way in permutations("abc", length)]
    assert sorted(plainly(Picked("red"))) == sorted(wanted)


def test_strangers_and_names_named_twice_are_refused() -> None:
    faults = Picked("red").check(parade(), ("a", "x", "a"))
    assert [(fault.code, fault.path, fault.rule) for fault in faults] == [
        ("illegal-answer", (1,), "1.2"),
        ("illegal-answer", (2,), "1.2"),
    ]
    assert "wanted of: a, b, c" in faults[0].message
    assert Picked("red").repair(parade(), ("a", "x", "a", "b")) == ("a", "b")


def test_each_section_has_its_own_list() -> None:
    found = plainly(BySection("red"))
    assert len(found) == 2 * 5 and Order(("b", "a"), "b") in found
    (fault,) = BySection("red").check(parade(), Order(("a",), "a"))
    assert fault.path == ("first",)
