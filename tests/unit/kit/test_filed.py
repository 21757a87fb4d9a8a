"""Questions that a standing order answers, or for which nobody waits; entries of a mapping."""

from __future__ import annotations

from typing import Any

from pbem.kit.filed import ByOrder, OneOf, Unasked, Wish
from pbem.kit.picking import Entries
from pbem.model.elements import Entry
from pbem.rules import Diagnostic, Game, Message, decision
from pbem.text.messages import in_language
from tests.unit.engine.parade import game

GAME: Any = None


@decision("choice", rule="1.0", answer=str, standing=("choice", str))
class Colour(OneOf):
    player: str
    choices = {"red": "the red one", "blue": "the blue one"}


@decision("bid", rule="1.0", answer=int, standing=("bid", dict[str, int]))
class Bid(Unasked[int]):
    player: str
    turn: int

    def from_order(self, game: Game, order: dict[str, int]) -> int | None:
        return order.get(str(self.turn))


@decision("towards", rule="1.0", answer=tuple[str, ...], standing=("towards", tuple[str, ...]))
class Towards(Wish[tuple[str, ...]]):
    player: str
    wish = (), "anywhere"


@decision("ruled", rule="1.0", answer=str, standing=("ruled", str))
class Ruled(OneOf):
    player: str
    choices = {"local": "kit.calendar.missing-key", "none": "none"}


def test_the_words_of_a_choice_or_a_wish_may_be_ids_of_messages() -> None:
    """A class is made before there are catalogues: the message is made when the option is asked for."""
    local, none = [option.text for option in Ruled("red").options(GAME)]
    assert isinstance(local, Message) and local == "a calendar has at least one turn" and none == "none"
    assert in_language(local, "de") == "ein Kalender hat mindestens einen Zug"


def test_the_first_order_that_says_something_answers() -> None:
    assert Bid("red", 2).from_standing(GAME, [{"1": 4}, {"2": 7}, {"2": 9}]) == 7
    assert Bid("red", 3).from_standing(GAME, [{"1": 4}, {"2": 7}]) is None
    assert Colour("red").from_standing(GAME, ["blue", "red"]) == "blue"
    assert Colour("red").from_standing(GAME, []) is None


def test_an_order_that_says_nothing_counts_as_something() -> None:
    """Zero and an empty list are answers."""
    assert Bid("red", 2).from_standing(GAME, [{"2": 0}, {"2": 9}]) == 0
    assert Towards("red").from_standing(GAME, [(), ("01",)]) == ()


def test_who_is_waited_for() -> None:
    assert Colour("red").waits(GAME) and not Bid("red", 1).waits(GAME) and not Towards("red").waits(GAME)
    assert issubclass(Colour, ByOrder) and not issubclass(Colour, Unasked)


def test_of_named_choices_the_first_is_the_default_and_others_are_refused() -> None:
    colour = Colour("red")
    assert [(option.answer, option.text) for option in colour.options(GAME)] == [
        ("red", "the red one"),
        ("blue", "the blue one"),
    ]
    assert colour.default(GAME) == "red"
    assert not colour.check(GAME, "blue") and colour.check(GAME, "green")


def test_a_wish_may_be_anything() -> None:
    assert Towards("red").default(GAME) == () and not Towards("red").check(GAME, ("nowhere",))
    assert [option.answer for option in Towards("red").options(GAME)] == [[]]


class Shares(Entries[int]):
    code, rule = "E-SHARE", "1.0"

    def values(self, key: str) -> list[int]:
        return [1, 2]

    def wrong(self, key: str, value: int) -> list[Diagnostic]:
        return [] if value < 3 else [Diagnostic("E-MUCH", "too much")]

    def words(self, element: Entry[int]) -> str:
        return f"{element.value} to {element.key}"


def test_entries_name_each_key_once_with_a_value_that_fits() -> None:
    shares = Shares(game(), "red", ["A", "B"])
    assert [option.text for option in shares.next()] == ["1 to A", "2 to A", "1 to B", "2 to B"]
    assert [option.text for option in shares.next("B")] == ["1 to B", "2 to B"]
    shares.elements.append(Entry("A", 1))
    assert [option.text for option in shares.next()] == ["1 to B", "2 to B"]
    assert [f.code for f in shares.faults(Entry("A", 2))] == ["E-SHARE"]
    assert [f.code for f in shares.faults(Entry("B", 5))] == ["E-MUCH"]
    [fault] = shares.faults(Entry("b", 1))
    assert fault.code == "E-SHARE" and "'B'" in fault.help[0]
