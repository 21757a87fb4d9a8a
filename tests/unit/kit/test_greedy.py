"""A greedy player: the best element first, judged on the board as it then is; always an answer to send."""

from __future__ import annotations

from typing import Any

from pbem.engine.game import Game
from pbem.kit.greedy import greedy
from pbem.rules import Next
from tests.unit.engine.parade import Parade, Route, game


def test_the_best_element_comes_first_until_none_is_worth_it() -> None:
    def worth(board: Game, one: Next[str]) -> int | None:
        return {"a": 1, "b": 5, "c": 3}[one.element] if len(board.tracks.get("walked", [])) < 2 else None

    assert greedy(Route("red"), game(), worth) == ["b", "c"]


def test_of_equals_the_one_offered_first_is_taken_and_a_limit_holds() -> None:
    assert greedy(Route("red"), game(), lambda board, one: 1) == ["a", "b", "c"]
    assert greedy(Route("red"), game(), lambda board, one: 1, most=2) == ["a", "b"]


def test_an_answer_that_cannot_be_sent_goes_on_though_nothing_is_worth_it() -> None:
    assert greedy(Route("red"), game(), lambda board, one: 0) == ["a", "b"]


def test_where_nothing_can_be_sent_the_default_is() -> None:
    def worth(board: Game, one: Next[Any]) -> int:
        return 9 if one.element.section == "word" and one.element.value == "march" else 0

    assert greedy(Parade("red"), game(), worth, most=1) == {"word": "halt"}
    assert greedy(Parade("red"), game(), worth)["word"] == "march"  # type: ignore[index, call-overload]


def test_the_game_is_not_changed() -> None:
    here = game()
    before = here.position.to_json()
    greedy(Parade("red"), here, lambda board, one: 1, most=9)
    assert here.position.to_json() == before
