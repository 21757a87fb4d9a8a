"""A line of the meaning of orders reads alike in a terminal and on a page, but for its question."""

from __future__ import annotations

import pytest

from pbem.cli.shell.language import speaking
from pbem.cli.writing.meaning import line_in_words
from pbem.text.messages import Message

QUESTION = {"GT1/1.1/bid": "How many player turns do you bid?"}
SEALED = Message("archive.ordering.sealed")
BID = Message("archive.ordering.answer-means", name="GT1/1.1/bid", said="bid 2", note=SEALED)
PLAIN = "GT1/1.1/bid: bid 2 (sealed)"


@pytest.mark.parametrize("line", [BID, PLAIN])
def test_a_terminal_keeps_the_key_and_a_page_asks_the_question(line: str) -> None:
    assert line_in_words(line) == PLAIN
    assert line_in_words(line, QUESTION) == "How many player turns do you bid? bid 2 (sealed)"
    assert line_in_words(line, {"GT1/1.1/bid": ""}) == "bid 2 (sealed)"
    assert line_in_words(line, {"feeding": "Whom do you feed?"}) == PLAIN


def test_the_note_is_translated_and_the_key_is_not() -> None:
    with speaking("de"):
        assert line_in_words(BID) == "GT1/1.1/bid: bid 2 (versiegelt)"


def test_an_answer_of_several_lines_has_its_key_above_them() -> None:
    head = Message("archive.ordering.answer-means-below", name="turn-order", note=SEALED)
    element = Message("archive.ordering.element-means", said="R-AR2 march 0405-0506")
    assert [line_in_words(line, QUESTION) for line in (head, element)] == [
        "turn-order (sealed):",
        "  R-AR2 march 0405-0506",
    ]


def test_other_sentences_stay_whole() -> None:
    withdrawn = Message("archive.ordering.withdrawn", name="quiet")
    assert line_in_words(withdrawn) == withdrawn
