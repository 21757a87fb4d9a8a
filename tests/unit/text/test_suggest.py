"""Did you mean: the nearest known word, or none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text.suggest import did_you_mean, edits


@pytest.mark.parametrize(
    ("word", "words", "meant"),
    [
        ("mvoe", ["attack", "move", "pass"], "move"),
        ("612", ["0612", "0613"], "0612"),
        ("Move", ["move", "remove"], "move"),
        ("MOVE", ["move"], "move"),
        ("untis", ["units", "unit"], "units"),
        ("16-pz-div", ["16-pz", "21-pz-div"], "21-pz-div"),
        ("x", ["attack"], None),
        ("colour", ["player", "orders"], None),
        ("", ["a"], None),
        ("a", [], None),
        ("move", ["move"], None),
        ("m" * 10_000, ["m" * 9_999], None),
    ],
)
def test_the_nearest_word_within_reach_is_taken(word: str, words: list[str], meant: str | None) -> None:
    assert did_you_mean(word, words) == meant


def test_of_equally_near_words_the_first_in_the_alphabet_is_taken_whatever_their_order() -> None:
    assert (
        did_you_mean("0612", ["0613", "0611", "0712"])
        == did_you_mean("0612", ["0712", "0611", "0613"])
        == "0611"
    )


words = st.text("abc", max_size=6)


@given(words, words, words)
@settings(max_examples=100, deadline=None)
def test_edits_are_counted_as_a_distance(one: str, two: str, three: str) -> None:
    assert (edits(one, two) == 0) == (one == two)
    assert edits(one, two) == edits(two, one)
    assert abs(len(one) - len(two)) <= edits(one, two) <= max(len(one), len(two))
    assert edits(one + three, two + three) <= edits(one, two)


def test_a_swap_of_neighbours_is_one_edit() -> None:
    assert edits("ab", "ba") == 1
    assert edits("mvoe", "move") == 1
    assert edits("kitten", "sitting") == 3
