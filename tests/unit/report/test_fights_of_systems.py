"""Cards of the kinds of fights that the systems have, by the events and the words of their packages."""

from __future__ import annotations

from typing import Any

from pbem.board.position import Position
from pbem.engine.system import find
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.codes import spelt
from pbem.report.reader import Meta, View
from pbem.report.structure import Report, compose
from pbem.report.text import fight_words
from pbem.report.wording import Wording

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
    assert fight_words(first, made)[0] == "09.07: aster against bren"
    assert "A-F1 of aster flew: sweep" in fight_words(first, made)
    told = fight_words(second, made)
    assert "A-F1 of aster flew: hip shoot" in told and "The mission was broken off" in told
    assert "because: A-F1 turned back" in told


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
    assert "Flak of bren: 5 6 and 2, hit" in told
    assert any(text.startswith("The aircraft barraged with 9 points") for text in told)
    assert "Lost: aster 1 step" in told
    assert "then: Aster A-F1 lost a step (flak)" in told


def test_all_results_of_the_combat_table_have_words() -> None:
    """Also of both sides at once."""
    words = Wording(find("ocs").wording)
    for code in ("Ao1e4 DL1o2", "AL1o1 Do1", "Ae2 DL2o3DG", "AL2", "Ao1 Do1", "[1/2]", "no effect"):
        assert spelt(code, words.of("codes")) != code or code == "no effect", code
