"""The dice ledger: every roll once, and what dice were expected to do, in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from pbem.model.events import Event, Roll, event
from pbem.model.meaning import Phrase
from pbem.report.whole import ledger
from pbem.report.wording import Wording

WORDS = Wording({"luck": {"fought": "{hits} {rating}"}})


def fought(dice: str, result: list[int], *label: str | int, **more: Any) -> dict[str, Any]:
    roll = {"label": list(label), "dice": dice, "result": result}
    return {
        "event": "fought",
        "rule": "4",
        "hits": sum(d <= 2 for d in result),
        "rating": 2,
        "roll": roll,
        **more,
    }


def test_totals_and_expectation() -> None:
    (entry,) = ledger.entries([fought("3d6", [1, 2, 6], "combat", "north", 1)], 3, ("north",), WORDS)
    assert (entry.total, entry.expected) == (9, Fraction(21, 2))
    assert (entry.hits, entry.expected_hits) == (2, Fraction(1))
    assert (entry.stage, entry.thrower) == (3, "north")


def test_a_roll_told_twice_counts_once() -> None:
    twice = [fought("1d6", [4], "combat", 1), fought("1d6", [4], "combat", 1, event="fought-too")]
    assert len(ledger.entries(twice, 1)) == 1


def test_a_roll_made_in_an_earlier_stage_stands_under_that_stage() -> None:
    event = fought("1d6", [4], "combat", 1)
    event["roll"]["stage"] = 2
    assert ledger.entries([event], 5)[0].stage == 2


def test_two_dice_that_are_read_as_tens_and_ones_have_six_sides_each() -> None:
    (entry,) = ledger.entries([fought("d66", [3, 5], "loss", 1)], 1)
    assert (entry.sides, entry.expected) == (6, Fraction(7))


def test_a_shuffle_is_listed_and_expected_to_do_nothing() -> None:
    event = {
        "event": "shuffled",
        "rule": "1",
        "deck": {"label": ["deck", 1], "shuffle": ["a", "b"], "result": ["b", "a"]},
    }
    entries = ledger.entries([event], 1)
    assert (entries[0].dice, entries[0].faces, entries[0].total) == ("shuffle", (), 0)
    assert ledger.Sums.of(entries).rolls == 0


def test_a_label_names_its_thrower_by_the_last_player_in_it() -> None:
    players = ("red", "green")
    (entry,) = ledger.entries([fought("1d6", [4], "battle", "red", "0606", "green", 1)], 1, players)
    assert entry.thrower == "green"
    (entry,) = ledger.entries([fought("1d6", [4], "battle", "red", "0606", "green AR a", 1)], 1, players)
    assert entry.thrower == "red", "a word that only begins with a player names nobody"


def test_an_event_says_who_throws() -> None:
    @event(rule="4", to="public")
    class Fought(Event):
        block: Annotated[str, Phrase("{thrower} {type} {letter}")]
        roll: Roll

    told = fought("1d6", [4], "battle", "red", "0606", 1, block="green AR a")
    (entry,) = ledger.entries([told], 1, ("red", "green"), classes={"fought": Fought})
    assert entry.thrower == "green"


def test_of_two_who_throw_in_an_event_the_label_says_whose_roll_it_is() -> None:
    @event(rule="4", to="public")
    class Fought(Event):
        block: Annotated[str, Phrase("{thrower} {type} {letter}")]
        against: Annotated[str, Phrase("{thrower} {type} {letter}")]
        roll: Roll

    for who in ("red", "green"):
        told = fought("1d6", [4], "battle", who, "0606", 1, block="red AR a", against="green AR b")
        (entry,) = ledger.entries([told], 1, ("red", "green"), classes={"fought": Fought})
        assert entry.thrower == who


def test_no_more_dice_than_were_thrown_are_expected_to_hit() -> None:
    (entry,) = ledger.entries([fought("3d6", [1, 2, 6], "combat", 1, rating=9)], 1, (), WORDS)
    assert entry.expected_hits == 3
    (entry,) = ledger.entries([fought("3d6", [1, 2, 6], "combat", 1, rating=-1)], 1, (), WORDS)
    assert entry.expected_hits == 0


def test_the_sums_add_up() -> None:
    events = [
        fought("2d6", [1, 6], "battle", "red", 1),
        fought("1d6", [2], "battle", "blue", 1),
        fought("1d10", [7], "weather", 1),
    ]
    entries = ledger.entries(events, 1, ("red", "blue"), WORDS)
    whole = ledger.Sums.of(entries)
    assert (whole.rolls, whole.dice, whole.total, whole.expected) == (3, 4, 16, Fraction(16))
    lines = ledger.summary(entries, ("red", "blue"))
    assert [line.split()[0] for line in lines[1:6]] == ["red", "blue", "nobody", "all", "d6"], (
        "what somebody threw is theirs, the rest is nobody's"
    )
    assert lines[1].split() == ["red", "1", "2", "7", "7.0", "1", "0.7"]
    assert ledger.faces(entries) == {6: {1: 1, 2: 1, 6: 1}, 10: {7: 1}}


def test_lines_fit_the_page() -> None:
    long = fought("40d6", [3] * 40, "battle", "a very long word that never ends", 1)
    lines = ledger.ledger(ledger.entries([long], 1, ("red",), WORDS), ("red",))
    assert all(len(line) <= 72 for line in lines)


def test_an_empty_ledger_says_so() -> None:
    assert ledger.ledger([]) == ["no dice were rolled"]
    assert ledger.as_json([]) == []


def test_as_data_expectations_are_fractions_in_text() -> None:
    (entry,) = ledger.as_json(ledger.entries([fought("3d6", [1, 2, 6], "combat", 1)], 3, ("north",), WORDS))
    assert entry["expected"] == "21/2" and entry["expected_hits"] == "1" and entry["hits"] == 2


def test_a_line_says_whether_it_is_good_to_throw_high_or_low() -> None:
    told = Wording({"luck": {"tried": "low", "rolled": "high"}})
    roll = {"label": ["combat", "north", 1], "dice": "1d6", "result": [2]}
    for kind, said in (("tried", "low is better"), ("rolled", "high is better")):
        (entry,) = ledger.entries([{"event": kind, "rule": "4", "roll": roll}], 3, ("north",), told)
        assert said in " ".join(ledger.roll_lines(entry, told))
    (plain,) = ledger.entries([{"event": "other", "rule": "4", "roll": roll}], 3, ("north",), told)
    assert "good" not in " ".join(ledger.roll_lines(plain, told))
