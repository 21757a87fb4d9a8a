"""What a long answer costs, counted in boards copied and elements done: no time is judged."""

from __future__ import annotations

import pytest

from pbem.rules import Drafting
from tests.benchmarks.bench_growing import ASKED, counted, main, march
from tests.benchmarks.big_orders import front


def test_a_growing_answer_copies_the_board_once_and_does_each_element_once() -> None:
    game = front(400)
    with counted() as work:
        drafting = march(game, 100)
    assert len(drafting.elements) == 100
    assert (work.copies, work.done) == (1, 100)


def test_listing_does_nothing_again_however_long_the_answer_is() -> None:
    drafting = march(front(400), 100)
    with counted() as work:
        assert len(list(drafting.next())) > 500 and list(drafting.next("N-199"))
    assert (work.copies, work.done) == (0, 0)


def test_a_longer_form_of_the_last_element_does_nothing_again() -> None:
    drafting = Drafting(ASKED, front(100))
    with counted() as work:
        drafting.add(next(drafting.next()))
        drafting.add(next(option for option in drafting.next() if option.instead))
    assert (work.copies, work.done) == (0, 1) and drafting.answer().recruits[0].steps == 2


def test_check_and_repair_of_a_whole_answer_do_each_element_once() -> None:
    game = front(200)
    answer = march(game, 50).answer()
    with counted() as work:
        assert ASKED.check(game, answer) == []
        assert ASKED.repair(game, answer) == answer
    assert (work.copies, work.done) == (2, 100)


def test_the_benchmark_runs(capsys: pytest.CaptureFixture[str]) -> None:
    main(smoke=True)
    assert capsys.readouterr().out.count("last against first") == 2
