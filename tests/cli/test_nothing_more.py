"""The offer "nothing more": answers to what is asked now, advance orders for what follows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.ordering.nothing_more import NothingMore
from pbem.cli.writing.nothing import entries_of, words_of


def step(number: int, rest: Any = None) -> Any:
    """A question of the row: 0 is asked now, the others follow."""
    kind = f"kind{number}"
    return SimpleNamespace(
        number=number,
        question=SimpleNamespace(key=f"T1/{kind}/red", kind=kind),
        decision=SimpleNamespace(kind=kind),
        answer={"none": number},
        entry={"decision": kind, "when": {"round": number}} if number else None,
        rest=rest,
    )


@pytest.mark.parametrize("until", [None, {"decision": "kind2", "until": "T1.2"}])
def test_each_answer_goes_where_its_question_is_asked(until: Any) -> None:
    folder: Any = SimpleNamespace(progress=SimpleNamespace(open_stage=7))
    rest = NothingMore("Player Turn", (step(0), step(1), step(2, until)))
    answers, ahead = entries_of(folder, rest)
    assert answers == {"T1/kind0/red": {"none": 0}}
    following = [
        {"decision": f"kind{n}", "when": {"round": n}, "once": f"kind{n}-7-{n}", "answer": {"none": n}}
        for n in (1, 2)
    ]
    lasting = [{**until, "name": "rest-kind2-7", "answer": {"none": 2}}] if until else []
    assert ahead == [*following, *lasting]


def test_the_offer_names_the_part_until_which_it_answers() -> None:
    labels = {"T1.2": SimpleNamespace(label="Player Turn, {side}")}
    folder: Any = SimpleNamespace(system=SimpleNamespace(outline=SimpleNamespace(find=labels.get)))
    rest = NothingMore("Combat Phase", (step(0), step(1, {"until": "T1.2"})))
    said = "Nothing more in Player Turn: no action in 2 questions, unless you are attacked"
    assert words_of(folder, rest) == said
