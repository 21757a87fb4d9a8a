"""The bots: legal answers by chance, long answers grown, sensible ones where the system has an opinion."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.board.position import Position
from pbem.bot import answers
from pbem.bot.answers import DeadEnd, answer, clever
from pbem.engine.game import Game
from pbem.engine.system import System
from pbem.rules import Decision, Diagnostic, Draft, Drafting, Growing, Next, Option, decision, from_json
from tests.primer import make
from tests.unit.engine.parade import Orders, Parade, Route
from tests.unit.engine.parade import game as parade


@decision("number", rule="1", answer=int)
class Number(Decision[int]):
    player: str
    most: int

    def options(self, game: Game) -> Iterator[Option]:
        for n in range(self.most):
            yield Option(n, str(n))


class Nowhere(Draft[str]):
    """A way that can be begun and never sent."""

    def next(self, of: str | None = None) -> Iterator[Next[str]]:
        if not self.elements:
            yield Next("a", "to a", complete=False)

    def do(self, element: str) -> None:
        pass

    def lacking(self) -> list[Diagnostic]:
        return [Diagnostic("short", "too short")]


@decision("lost", rule="1", answer=tuple[str, ...])
class Lost(Growing[tuple[str, ...]]):
    player: str

    def draft(self, game: Game) -> Nowhere:
        return Nowhere(game, self.player)


def game(**hooks: Any) -> Game:
    system: System = make("bot-test", hidden=False)
    for name, hook in hooks.items():
        setattr(system, name, hook)
    return Game(system, {}, {}, ("red",), Position())


def many(asked: Decision[Any]) -> list[Any]:
    return [answer(game(), asked, random.Random(n)) for n in range(60)]


def test_answers_that_grow_are_complete_and_of_all_lengths() -> None:
    found = many(Route("red"))
    assert {len(route) for route in found} == {2, 3}
    assert all(len(set(route)) == len(route) for route in found)


def test_answers_with_sections_are_legal_and_have_elements_of_every_section() -> None:
    found = [answer(parade(), Parade("red"), random.Random(n)) for n in range(300)]
    assert {key for one in found for key in one} == {"word", "loads", "steps", "rear", "pay", "with"}
    for one in found:
        assert Parade("red").check(parade(), from_json(Orders, one)) == []


def test_where_much_may_come_next_a_counter_is_drawn_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.bot.answers.MANY", 2)
    listed: list[str | None] = []
    next_of = Drafting.next
    monkeypatch.setattr(Drafting, "next", lambda self, of=None: (listed.append(of), next_of(self, of))[1])
    found = [answer(parade(), Parade("red"), random.Random(n)) for n in range(100)]
    assert {"U1", "U2", "W1", "E1"} <= set(listed)
    assert {key for one in found for key in one} == {"word", "loads", "steps", "rear", "pay", "with"}


def test_every_answer_of_a_short_list_comes_up() -> None:
    assert set(many(Number("red", 4))) == {0, 1, 2, 3}


def test_the_same_dice_give_the_same_answer() -> None:
    assert many(Route("red")) == many(Route("red"))


@pytest.mark.parametrize("asked", [Number("red", 0), Lost("red")])
def test_a_decision_without_a_legal_answer_is_a_fault_of_the_system(asked: Decision[Any]) -> None:
    with pytest.raises(DeadEnd):
        answer(game(), asked, random.Random(1))


def test_clever_asks_the_system_and_is_legal_where_it_has_no_opinion() -> None:
    taught = game(play_well_hook=lambda game, decision, pick: pick([7]))
    assert clever(taught, Number("red", 4), random.Random(1)) == 7
    assert clever(game(), Number("red", 4), random.Random(1)) in range(4)


def test_an_answer_that_an_element_left_incomplete_is_sent_as_it_was_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    added: list[str] = []

    class Growing_:
        decision, elements = None, added

        @property
        def complete(self) -> bool:
            return len(added) != 1

        def json(self) -> list[str]:
            return list(added)

        def add(self, element: str) -> None:
            added.append(element)

    monkeypatch.setattr(answers, "_element", lambda drafting, rng: None if added else "half")
    drafting: Any = Growing_()
    rng: Any = SimpleNamespace(randrange=lambda most: 1)
    assert answers._grown(drafting, rng) == [] and added == ["half"]
