"""Luck that is right: every die belongs to who threw it, and the place is of the dice that are printed.

The ledger of each sample game is reckoned here a second time, from the records and the rules alone: nothing
of `report/whole/ledger.py` and `report/throwers.py` is called for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.games.history import figures, read
from pbem.cli.games.telling import report_view, words_of
from pbem.engine.system import find
from pbem.report.throwers import Throwers, rolled
from pbem.report.whole.ledger import Sums
from pbem.report.whole.stats import Stats
from pbem.report.whole.stats_text import luck_words, nobody_words
from tests.samples.archives import events

ROOT = Path(__file__).parents[2] / "sample_games"
SAMPLES = {
    "ocs": "ocs-crossing-the-tol",
    "totaler-krieg": "totaler-krieg-lodestar",
    "victory": "victory-sarn-strait",
    "wbts": "wbts-marl-crossings",
    "wif": "wif-narrow-sea-1943",
}
Event = Mapping[str, Any]
NOBODY = ""
Thrown = tuple[str, Event, str, int | None]
"""Who threw, the roll, what is good (`low`, `high`, `hits`, or nothing), and the number to reach."""


@dataclass
class Pile:
    """The dice of a player: by what is good, the faces with the sides; and of tries the number to reach."""

    low: list[tuple[int, int]] = field(default_factory=list)
    high: list[tuple[int, int]] = field(default_factory=list)
    hits: list[tuple[int, int, int]] = field(default_factory=list)
    others: list[tuple[int, int]] = field(default_factory=list)


# ---- who throws, by the rules of each system ---------------------------------------------------------


def of_ocs(_: list[Event], event: Event) -> Iterator[Thrown]:
    kind = event["event"]
    if kind == "weather-rolled":  # 4.1.1: one roll for both sides
        yield NOBODY, event["ground_die"], "", None
        yield NOBODY, event["flight_die"], "", None
    elif kind == "first-player-rolled":  # 4.1.2: each side rolls, the higher chooses
        for player, roll in event["dice"].items():
            yield player, roll, "high", None
    elif kind == "combat-resolved":  # 4.9.7: the attacker rolls all of them
        yield event["attacker"], event["surprise"], "high", None
        yield event["attacker"], event["shift_die"], "", None
        yield event["attacker"], event["dice"], "high", None
    elif kind in ("barraged", "ship-fired-at"):  # 4.10: a high barrage hurts more
        yield event["player"], event["dice"], "high", None
        yield event["player"], event["half"], "", None
    elif kind == "air-round":  # 4.11.2: the attacker aborts on a low roll
        yield event["attacker"], event["dice"], "high", None
        yield event["attacker"], event["loss"], "", None
    elif kind == "attrition-rolled":  # 4.5.4: a high roll costs more
        yield event["player"], event["dice"], "low", None
    elif kind in ("flak-rolled", "supply-received", "replacements-received", "drop-rolled", "landing-rolled"):
        yield event["player"], event["dice"], "high", None
    elif kind in ("dump-captured", "points-captured", "dump-blown"):  # 4.4.12: more by a high die
        yield event["player"], event["die"], "high", None
    elif kind == "breakout-rolled":
        yield event["player"], event["die"], "high", None
        yield event["player"], event["delay"], "", None
    elif kind in ("facility-barraged", "aircraft-checked"):
        yield event["player"], event["die"], "", None


def of_totaler_krieg(_: list[Event], event: Event) -> Iterator[Thrown]:
    good = {"attacked": "low", "delayed": "low", "mobilized": "high", "political-rolled": ""}
    if event["event"] in good:
        yield event["power"], event["die"], good[event["event"]], None


def of_victory(_: list[Event], event: Event) -> Iterator[Thrown]:
    if event["event"] in ("block-fired", "block-pursued"):  # 4.6.6: each die at the rating or less hits
        yield event["block"].split()[0], event["roll"], "hits", event["rating"]
    elif event["event"] == "tie-rolled":
        for player, roll in event["dice"].items():
            yield player, roll, "high", None


def of_wbts(before: list[Event], event: Event) -> Iterator[Thrown]:
    kind = event["event"]
    if kind == "chit-drawn":  # 4.1.2: each side draws its own
        yield event["player"], event["die"], "", None
    elif kind == "chits-tied":
        yield NOBODY, event["die"], "", None
    elif kind == "leader-tried":  # 4.5: active up to the leader's initiative
        yield event["player"], event["die"], "hits", event["initiative"]
    elif kind == "leaders-activated":
        for line in event["leaders"]:
            yield event["player"], line["die"], "hits", line["initiative"]
    elif kind == "supply-tested":  # 4.8.7: each side rolls, a low die needs less
        yield event["side"], event["roll"], "low", None
    elif kind == "combat-rolled":  # 4.8.9: the attacker rolls
        attacker = [one["attacker"] for one in before if one["event"] == "battle-began"][-1]
        yield attacker, event["roll"], "high", None
    elif kind == "leader-fate":
        for name in ("roll", "severity", "recovery"):
            if event.get(name):
                yield event["side"], event[name], "", None


def of_wif(before: list[Event], event: Event) -> Iterator[Thrown]:
    other = {"axis": "allied", "allied": "axis"}
    seats = {"GE": "axis", "NO": "allied", "CW": "allied", "US": "allied"}
    kind = event["event"]
    if kind == "weather-rolled":
        yield NOBODY, event["die"], "", None
    elif kind == "initiative-rolled":  # C.1: each side rolls
        for seat, roll in event["dice"].items():
            yield seat, roll, "high", None
    elif kind == "last-impulse-tested":  # I.4: the phasing side rolls
        for roll in event["dice"]:
            yield event["side"], roll, "", None
    elif kind == "attacked":  # 4.7.7
        yield event["power"], event["die"], "high", None
    elif kind == "ground-struck":  # 4.7.4: the side of the bombers, a die for each target
        for id, roll in event["dice"].items():
            yield other[seats[id[:2]]], roll, "hits", event["factors"]
    elif kind == "naval-search":  # 4.7.3: each side searches
        for seat, roll in event["dice"].items():
            yield seat, roll, "hits", event["needed"][seat]
    elif kind == "naval-shots":  # 4.7.3: the side that shoots
        for roll in event["dice"]:
            yield event["side"], roll, "", None
    elif kind in ("flak-fired", "bombed"):  # p.1.6: the opponent of the side that flies
        flown = [
            one["player"]
            for one in before
            if one["event"] == "patrolled"
            and one["part"] in ("mission", "transports")
            and one["hex"] == event["hex"]
        ]
        yield (other[flown[-1]] if kind == "flak-fired" else flown[-1]), event["die"], "high", None


BY_SYSTEM: dict[str, Callable[[list[Event], Event], Iterator[Thrown]]] = {
    "ocs": of_ocs,
    "totaler-krieg": of_totaler_krieg,
    "victory": of_victory,
    "wbts": of_wbts,
    "wif": of_wif,
}


def piles(system: str) -> dict[str, Pile]:
    """Every die of a sample game, once, with its owner."""
    found: dict[str, Pile] = defaultdict(Pile)
    before: list[Event] = []
    for event in events(ROOT / SAMPLES[system]):
        for who, roll, good, rating in BY_SYSTEM[system](before, event):
            sides = int(roll["dice"].split("d")[1])
            for face in roll["result"]:
                if good == "hits":
                    found[who].hits.append((face, sides, rating or 0))
                else:
                    dice = {"low": found[who].low, "high": found[who].high}.get(good, found[who].others)
                    dice.append((face, sides))
        before.append(event)
    return found


def as_good(pile: Pile) -> Fraction | None:
    """How likely fair dice do as well: each die is worth 0 to 1, a hit 1, and all sums are counted."""
    dice = [([int(n <= rating) for n in range(1, sides + 1)], face) for face, sides, rating in pile.hits]
    whole = [(list(range(sides)), sides, face) for face, sides in pile.high]
    whole += [(list(range(sides))[::-1], sides, face) for face, sides in pile.low]
    if not dice and not whole:
        return None
    parts = lcm(*(sides - 1 for _, sides, _ in whole)) if whole else 1
    worths = [([one * parts for one in each], face) for each, face in dice]
    worths += [([one * (parts // (sides - 1)) for one in each], face) for each, sides, face in whole]
    chances = {0: Fraction(1)}
    for each, _ in worths:
        more: dict[int, Fraction] = defaultdict(Fraction)
        for sum_, chance in chances.items():
            for one in each:
                more[sum_ + one] += chance / len(each)
        chances = more
    mine = sum(each[face - 1] for each, face in worths)
    return sum((chance for sum_, chance in chances.items() if sum_ >= mine), Fraction(0))


# ---- beside what is told -----------------------------------------------------------------------------


def stats_of(system: str) -> Stats:
    history = read(ROOT / SAMPLES[system], None)
    return figures(history, None, words_of(history.system, "en"))


def counted(sums: Sums | None) -> tuple[int, int]:
    return (0, 0) if sums is None else (sums.dice, sums.total)


def sum_of(dice: list[tuple[int, int]]) -> tuple[int, int]:
    return len(dice), sum(face for face, _ in dice)


@pytest.mark.parametrize("system", SAMPLES)
def test_the_luck_of_a_whole_game_is_what_its_records_give(system: str) -> None:
    told, mine = stats_of(system), piles(system)
    nobodys = mine.pop(NOBODY, Pile())
    assert {one.player for one in told.luck} == set(mine)
    assert counted(told.nobody) == sum_of(nobodys.others)
    for one in told.luck:
        pile = mine[one.player]
        assert counted(one.high) == sum_of(pile.high), one.player
        assert counted(one.low) == sum_of(pile.low), one.player
        hits = [face <= rating for face, _, rating in pile.hits]
        tried = (0, 0) if one.tried is None else (one.tried.dice, one.tried.hits)
        assert tried == (len(hits), sum(hits)), one.player
        mean = sum(
            (Fraction(min(max(rating, 0), sides), sides) for _, sides, rating in pile.hits), Fraction(0)
        )
        assert (one.tried.expected_hits if one.tried else Fraction(0)) == mean
        assert one.chance == as_good(pile), one.player
        judged = len(pile.high) + len(pile.low) + len(pile.hits)
        if judged:
            assert one.sums.dice == judged and counted(one.others) == sum_of(pile.others), one.player
        else:
            assert counted(one.sums) == sum_of(pile.others), one.player


@pytest.mark.parametrize("system", SAMPLES)
def test_the_place_is_of_the_dice_that_are_printed_before_it(system: str) -> None:
    words, told = words_of(find(system), "en"), stats_of(system)
    for one in told.luck:
        said = luck_words(one, words)
        parts = [part for part in (one.tried, one.high, one.low) if part is not None] or [one.sums]
        assert sum(part.dice for part in parts) == one.sums.dice
        for part in parts:
            average = part.expected if part is not one.tried else part.expected_hits
            assert average is not None and f"(average {words.number(average)})" in said
        assert ("of games" in said) is (one.chance is not None)
        assert ("not judged" in said) is (one.others is not None)
    assert ("Nobody's dice" in nobody_words(told, words)) is (told.nobody is not None)


def test_wif_anti_aircraft_fire_is_the_opponents_also_if_the_bombers_flew_in_an_earlier_stage() -> None:
    """p.1.6: The opponent of the side that flies rolls. A patrol of the opponent's came to the hex later."""
    view = report_view(
        read(ROOT / SAMPLES["wif"], None).view(read(ROOT / SAMPLES["wif"], None).chapters[1], None)
    )
    flown = {"event": "patrolled", "player": "allied", "part": "mission", "hex": "0706", "units": ["CW-B1"]}
    guard = {
        "event": "patrolled",
        "player": "axis",
        "part": "interceptors",
        "hex": "0706",
        "units": ["GE-F1"],
    }
    roll = {"label": ["anti-aircraft", "0706", 1], "dice": "1d10", "result": [4]}
    fired = {
        "event": "flak-fired",
        "hex": "0706",
        "factors": 3,
        "die": roll,
        "total": 7,
        "result": "NE",
        "unit": "",
    }
    for before, events_now in (
        ([[guard, flown]], [fired]),
        ([[guard], [flown]], [fired]),
        ((), [flown, guard, fired]),
    ):
        throwers = Throwers(before)
        found = [entry for one in events_now for entry in throwers.entries(one, 2, view)]
        assert [entry.thrower for entry in found] == ["axis"]


def test_wbts_dice_whose_number_is_veiled_are_judged_low_for_all_tries_of_their_player() -> None:
    """R-301: With limited intelligence the other side learns of a failure the die alone. To count the others
    as successes would make every such player lucky."""
    history = read(ROOT / SAMPLES["wbts"], None)
    view = report_view(history.view(history.chapters[1], None))
    die = {"label": ["try", 1], "dice": "1d6", "result": [2]}
    tried = {"event": "leader-tried", "leader": "U-VANCE", "player": "north", "printed": 3, "initiative": 3,
             "modifiers": [], "success": True, "die": die}  # fmt: skip
    vain = {
        "event": "tried-in-vain",
        "player": "north",
        "die": {"label": ["try", 2], "dice": "1d6", "result": [6]},
    }
    alone = rolled([(1, [tried], view)])[1]
    both = rolled([(1, [tried], view), (2, [vain], view)])
    assert [(one.hits, one.rating) for one in alone] == [(1, 3)]
    assert [(one.hits, one.better, one.thrower) for mine in both.values() for one in mine] == [
        (None, "low", "north"), (None, "low", "north"),
    ]  # fmt: skip


@pytest.mark.parametrize("system", SAMPLES)
def test_each_roll_has_a_name_for_what_it_was_for(system: str) -> None:
    """Of the sample games; a card or a ledger names no label."""
    names = words_of(find(system), "en").of("rolls"), words_of(find(system), "de").of("rolls")
    for event in events(ROOT / SAMPLES[system]):
        for key, value in event.items():
            if isinstance(value, dict) and "label" in value and "result" in value:
                for each in names:
                    assert f"{event['event']}.{key}" in each or event["event"] in each
