"""Cards of the kinds of fights that the systems have, by the events and the words of their packages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.board.position import Position
from pbem.engine.system import find
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.codes import spelt
from pbem.report.composing.compose import compose
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.text import fight_words
from pbem.report.wording import Wording
from pbem.testing.examples import examples
from pbem.testing.runner import played_of
from pbem.testing.said import report_of

AIR = "Game Turn 1, Player Turn of aster, Movement Phase, Movement Segment, Air and Naval Barrage"


def report(system: str, at: str, *events: dict[str, Any]) -> Report:
    rules = find(system)
    players = ("aster", "bren") if system == "ocs" else ("north", "south")
    view = View(Position(), players, Wording(rules.wording), events=rules.registry.events)
    told = [Told(PUBLIC, {"rule": "4", "at": at, **one}, n) for n, one in enumerate(events)]
    return compose(None, told, view, Meta(title="", game="ab", system="", stage=1, place=""))


def roll(dice: str, *faces: int) -> dict[str, Any]:
    return {"label": ["x", dice, *faces], "dice": dice, "result": list(faces)}


def flown(mission: str) -> dict[str, Any]:
    return {
        "event": "mission-flown", "player": "aster", "mission": mission, "hex": "09.07",
        "planes": ["A-F1"], "note": "", "escorts": [],
    }  # fmt: skip


def ended(mission: str, done: bool) -> dict[str, Any]:
    return {
        "event": "mission-ended", "player": "aster", "mission": mission, "hex": "09.07",
        "done": ["A-F1"] if done else [], "turned_back": [] if done else ["A-F1"], "steps": 0,
    }  # fmt: skip


def fought(first: int) -> dict[str, Any]:
    return {
        "event": "air-round", "attacker": "aster", "defender": "bren", "hex": "09.07", "plane": "A-F1",
        "against": "B-F1", "dice": roll("2d6", first, 4), "total": 9, "loss": roll("1d6", first),
        "aborts": [],
    }  # fmt: skip


def test_a_sweep_and_a_hip_shoot_at_one_place_are_two_fights() -> None:
    made = report(
        "ocs",
        AIR,
        *(flown("sweep"), fought(1), ended("sweep", True)),
        *(flown("hip_shoot"), fought(2), ended("hip_shoot", False)),
    )
    first, second = made.fights
    assert (first.numbers, second.numbers) == ((1, 2, 3), (4, 5, 6))
    assert fight_words(first, made)[0] == "09.07: Aster against Bren"
    assert "Aster flew A-F1: sweep" in fight_words(first, made)
    told = fight_words(second, made)
    assert "Aster flew A-F1: hip shoot" in told and "The mission was broken off" in told
    assert "reason: A-F1 turned back" in told


def test_a_flight_that_nothing_befell_is_no_fight() -> None:
    """A line among what happened is enough; nobody was met, and flak that hits nobody ends nothing."""
    flak = {
        "event": "flak-rolled", "player": "bren", "hex": "09.07", "dice": roll("2d6", 1, 1), "added": 0,
        "hit": False, "die": "",
    }  # fmt: skip
    assert not report("ocs", AIR, flown("transport"), ended("transport", True)).fights
    assert not report("ocs", AIR, flown("drop"), flak, ended("drop", True)).fights


def test_who_brings_a_fight_on_attacks_though_the_interceptor_fires_first() -> None:
    by_bren = fought(1) | {"attacker": "bren", "defender": "aster", "plane": "B-F1", "against": "A-F1"}
    made = report("ocs", AIR, flown("barrage"), by_bren, ended("barrage", False))
    (card,) = made.fights
    assert fight_words(card, made)[0] == "09.07: Aster against Bren"
    late = replace(card, since=5, stage=6)
    assert fight_words(late, made)[0] == "09.07: Aster against Bren (stages 5 to 6)"


def test_a_railroad_is_bombed_not_the_trainbusting() -> None:
    bombs = {
        "event": "facility-barraged", "player": "aster", "hex": "09.07", "units": ["A-F1"],
        "target": "trainbusting", "strength": 9, "column": "11-20", "paid": 0, "die": roll("1d6", 4),
        "result": "1x(5)", "effect": "railroad cut",
    }  # fmt: skip
    made = report("ocs", AIR, flown("trainbusting"), bombs, ended("trainbusting", True))
    told = fight_words(made.fights[0], made)
    assert told[0] == "09.07: Aster against Bren"
    assert "A-F1 of Aster barraged the railroad with 9 points on column 11-20; die 4: railroad cut" in told


@pytest.mark.parametrize(("unit", "cards"), [("", 0), ("US-X1", 1)])
def test_fire_at_passers_by_is_a_fight_only_if_it_hits(unit: str, cards: int) -> None:
    flak = {
        "event": "flak-fired", "hex": "0705", "factors": 3, "die": roll("d10", 5), "total": 8,
        "result": "destroyed" if unit else "NE", "unit": unit,
    }  # fmt: skip
    assert len(report("wif", "Reorganization, Anti-aircraft fire", flak).fights) == cards


def test_flak_over_a_mission_stands_on_its_card() -> None:
    flak = {
        "event": "flak-rolled", "player": "bren", "hex": "09.07", "dice": roll("2d6", 5, 6), "added": 2,
        "hit": True, "die": "",
    }  # fmt: skip
    hit = {"event": "plane-hit", "player": "aster", "plane": "A-F1", "lost": 1, "why": "flak"}
    barrage = {
        "event": "barraged", "player": "aster", "hex": "09.07", "units": ["A-F1"], "by": "air", "strength": 9,
        "entered": "8-11", "column": "8-11", "paid": 0, "dice": roll("2d6", 3, 3), "half": roll("1d6", 3),
        "result": "DG", "lost": 0,
    }  # fmt: skip
    made = report("ocs", AIR, flown("barrage"), flak, hit, barrage, ended("barrage", True))
    (card,) = made.fights
    told = fight_words(card, made)
    assert "Bren's flak: rolled 11 (5+6), added 2: hit" in told
    assert any(text.startswith("The aircraft barraged with 9 points") for text in told)
    assert "Lost: Aster 1 step" in told
    assert "then: Aster A-F1 lost 1 step (flak)" in told


def test_all_results_of_the_combat_table_have_words() -> None:
    """Also of both sides at once."""
    words = Wording(find("ocs").wording)
    for code in ("Ao1e4 DL1o2", "AL1o1 Do1", "Ae2 DL2o3DG", "AL2", "Ao1 Do1", "[1/2]", "no effect"):
        assert spelt(code, words.of("codes")) != code or code == "no effect", code


@pytest.mark.parametrize(
    ("system", "example", "lines"),
    [
        (
            "wbts",
            "EX-15 a fort",
            ["most likely (33%)"],
        ),
        ("ocs", "WAY-4 it overruns him and goes on", ["forecast: take 07.05: >99%", "most likely (38%)"]),
    ],
)
def test_a_card_says_what_was_to_be_expected_of_the_die(system: str, example: str, lines: list[str]) -> None:
    told = card_of(system, example)
    assert all(any(line.lower().startswith(start) for line in told) for start in lines), told


def test_the_card_of_a_whole_battle_has_its_strengths_though_its_steps_were_asked_for() -> None:
    told = card_of("wbts", "AUD-4.8.15a ships driven off")
    assert told[0] == "0905 Fort Tyler: North against South"
    assert "North attacks with 6: U-IC1 ironclad 6 in 1004" in told, "no leader is not one called nobody"
    assert "reason: North retreated from 1004" in told


def card_of(system: str, example: str) -> list[str]:
    """The card of the only fight of a worked example."""
    found = find(system)
    data = next(data for name, data in examples(found) if example in name)
    played = played_of(found, data)
    assert played is not None
    made = report_of(*played, None)
    (card,) = made.fights
    return fight_words(card, made)


def test_who_was_shot_down_in_the_first_round_is_lost_on_the_card() -> None:
    told = card_of("wif", "Q1-13")
    assert any("Commonwealth lost 1 unit, Germany lost nothing." in line for line in told)


def test_allies_in_two_hands_stand_on_one_side_of_a_card() -> None:
    """A Commonwealth fighter protects a Soviet bomber: both face Germany, though two players lead them."""
    example = {
        "given": {
            "scenario": "two_fronts_1943",
            "counters": {"CW-F1": {"hex": "e0502"}, "SU-L1": {"hex": "e0502"}},
            "tracks": {"turn": 1, "impulse": 1, "phasing": "allied", "action": {"USSR": "land"}},
        },
        "play": "D.2.I.3g",
        "orders": {
            "west": {"impulse-letter": {"own_interceptors": [{"hex": "e0402", "fighters": ["CW-F1"]}]}},
            "east": {"impulse-letter": {"g": [{"aircraft": ["SU-L1"], "hex": "e0402"}]}},
        },
        "standing": {"axis": [{"cap": [{"hex": "e0402", "fighters": ["GE-F1"]}]}]},
        "dice": [[4, 4], [9, 8], [5], [5]],
    }
    played = played_of(find("wif"), example)
    assert played is not None
    (card,) = report_of(*played, None).fights
    assert (card.attackers, card.defenders) == (("USSR",), ("GE",))
    assert [owner for owner, _ in card.forces] == ["USSR", "CW", "GE"]
