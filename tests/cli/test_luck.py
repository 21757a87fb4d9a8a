"""Luck that is right: every die belongs to who threw it, and the place is of the dice that are printed.

The sums of the sample games are reckoned here a second time, from the records alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import History
from pbem.cli._history import figures, read
from pbem.cli._telling import report_view, words_of
from pbem.report.ledger import Entry
from pbem.report.stats import Luck, Stats
from pbem.report.stats_text import luck_words
from pbem.report.throwers import rolled
from tests.samples.archives import events

ROOT = Path(__file__).parents[2] / "sample_games"


def stats_of(sample: str) -> Stats:
    history = read(ROOT / sample, None)
    return figures(history, None, words_of(history.system, "en"))


def luck_of(sample: str) -> dict[str, Luck]:
    return {one.player: one for one in stats_of(sample).luck}


def sum_of(rolls: list[Mapping[str, Any]]) -> tuple[int, int]:
    """How many dice, and their sum."""
    faces = [face for roll in rolls for face in roll["result"]]
    return len(faces), sum(faces)


def test_wbts_the_combat_die_is_the_attackers_over_the_end_of_a_stage() -> None:
    high: dict[str, list[Any]] = defaultdict(list)
    low: dict[str, list[Any]] = defaultdict(list)
    attacker = ""
    for event in events(ROOT / "wbts-marl-crossings"):
        if event["event"] == "battle-began":
            attacker = event["attacker"]
        elif event["event"] == "combat-rolled":
            high[attacker].append(event["roll"])
        elif event["event"] == "supply-tested":
            low[event["side"]].append(event["roll"])
    told = luck_of("wbts-marl-crossings")
    assert high and told.keys() == {"north", "south"}
    for side, one in told.items():
        assert one.low is not None and one.low.dice >= len(low[side]) > 0
        parts = [part for part in (one.high, one.low) if part is not None]
        assert sum_of(high[side]) == ((one.high.dice, one.high.total) if one.high is not None else (0, 0))
        assert one.sums.dice == sum(part.dice for part in parts)


def test_wif_ground_strikes_belong_to_the_side_of_the_aircraft() -> None:
    seats = {"GE": "axis", "NO": "allied", "CW": "allied", "US": "allied"}
    struck: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    fought: Counter[str] = Counter()
    for event in events(ROOT / "wif-narrow-sea-1943"):
        if event["event"] == "ground-struck":
            (hit,) = {seats[id[:2]] for id in event["dice"]}
            mine = {"axis": "allied", "allied": "axis"}[hit]
            struck[mine] += len(event["dice"])
            hits[mine] += len(event["hits"])
        elif event["event"] == "attacked":
            fought[event["power"]] += 1
    told = luck_of("wif-narrow-sea-1943")
    assert sum(struck.values()) > 0 and fought
    for seat, count in struck.items():
        assert (told[seat].sums.dice, told[seat].sums.hits) == (count, hits[seat])
    for power, count in fought.items():
        high = told[power].high
        assert high is not None and high.dice == count


def test_ocs_each_first_player_roll_belongs_to_its_player() -> None:
    history = read(ROOT / "ocs-crossing-the-tol", None)
    rolls = [one for one in events(ROOT / "ocs-crossing-the-tol") if one["event"] == "first-player-rolled"]
    assert rolls
    told = {entry.label: entry.thrower for entry in entries_of(history)}
    for event in rolls:
        assert {told[tuple(roll["label"])] for roll in event["dice"].values()} == set(event["dice"])
        for player, roll in event["dice"].items():
            assert told[tuple(roll["label"])] == player


def entries_of(history: History) -> Iterator[Entry]:
    view = report_view(history.view(history.chapters[-1], None))
    stages = [
        (one.stage, [told.event for told in history.view(one, None).told], view) for one in history.chapters
    ]
    for found in rolled(stages).values():
        yield from found


def as_good(thrown: Sequence[Entry]) -> Fraction | None:
    """How likely dice do as well: every die adds to a table of what all of them may come to."""
    shots = any(one.hits is not None for one in thrown)
    ways: Counter[int] = Counter({0: 1})
    mine = 0
    for one in thrown:
        if one.sides is None or (one.hits is None if shots else not one.better):
            continue
        mine += (one.hits or 0) if shots else sum(one.faces) * (1 if one.better == "high" else -1)
        for _ in one.faces:
            more: Counter[int] = Counter()
            for before, count in ways.items():
                for face in range(1, one.sides + 1):
                    worth = int(face <= (one.rating or 0)) if shots else face
                    more[before + (worth if shots or one.better == "high" else -worth)] += count
            ways = more
    all_ways = sum(ways.values())
    return Fraction(sum(n for sum_, n in ways.items() if sum_ >= mine), all_ways) if all_ways > 1 else None


@pytest.mark.parametrize("sample", sorted(path.name for path in ROOT.iterdir() if path.is_dir()))
def test_the_place_is_of_the_dice_that_stand_before_it(sample: str) -> None:
    history = read(ROOT / sample, None)
    words, thrown = words_of(history.system, "en"), list(entries_of(history))
    for one in figures(history, None, words).luck:
        told = luck_words(one, words)
        parts = [part for part in (one.high, one.low) if part is not None] or [one.sums]
        assert sum(part.dice for part in parts) == one.sums.dice
        for part in parts:
            assert f"{part.total}, expected {words.number(part.expected)}" in told
        assert ("of 100 games" in told) is (one.chance is not None)
        assert ("not included" in told) is (one.others is not None)
        assert as_good([each for each in thrown if each.thrower == one.player]) == one.chance
