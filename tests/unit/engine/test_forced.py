"""Questions without a choice: the program answers them."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.decisions import Decision, Option, decision
from pbem.engine.forced import only_answer


@decision("pick", rule="1.1", answer=int)
class Pick(Decision[int]):
    """Which?"""

    player: str
    most: int
    done: bool = True

    def options(self, game: Any) -> Any:
        for n in range(self.most):
            yield Option(n, str(n), self.done)


@pytest.mark.parametrize(
    ("most", "done", "answer"), [(0, True, None), (1, True, 0), (2, True, None), (1, False, None)]
)
def test_one_whole_answer_is_no_choice(most: int, done: bool, answer: int | None) -> None:
    found = only_answer(None, Pick("red", most, done))  # type: ignore[arg-type]
    assert (found.answer if found is not None else None) == answer
