"""Battle cards: who is named, in which order, and nothing twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.board.position import Position
from pbem.model.forecasts import Fought
from pbem.report.fights.cards import accounts
from pbem.report.fights.grouping import Happened
from pbem.report.fights.sides import in_order
from pbem.report.reader import Meta, View
from pbem.report.text import fight_words
from tests.unit.report.test_fights import assault, before, report
from tests.unit.report.test_fights import words as words

HELD = {"event": "held", "hex": "0102", "player": "south"}
FELL_BACK = {"event": "fell-back", "block": "north IN A", "hex": "0102", "destination": "0101"}


def test_a_capture_that_a_system_calls_no_news_does_not_stand_for_its_fight(words: View, meta: Meta) -> None:
    """ "South took 0202" told nothing where the place counts for nobody."""
    view = replace(words, fought_from=lambda _: Fought("0102", ("south",), ("north",), "taken", (2, 1)))
    taken = {"event": "taken", "hex": "0102", "now": "south"}
    told = accounts(events := before(assault("0102"), HELD, taken), view)
    assert list(told) == [id(events[2])]
    view.wording.sections["news"] = {"taken": "minor"}  # type: ignore[index]
    told = accounts(events := before(assault("0102"), HELD, taken), view)
    assert list(told) == [id(events[1])]


def test_the_account_of_a_fight_stands_in_the_report_that_tells_its_end(words: View) -> None:
    """What told the outcome in the stage before is not told again: its account is that of an event here."""
    words.wording.sections["headlines"]["fell-back"] = "{block} fell back"
    view = replace(words, fought_from=lambda _: Fought("0102", ("south",), ("north",), "taken", (2, 1)))
    past = [Happened(n, one, stage=3) for n, one in enumerate(before(assault("0102"), HELD))]
    (fled,) = before(FELL_BACK)
    assert list(accounts([fled], view, [past])) == [id(fled)]


def test_who_is_neither_player_nor_power_plans_no_attack(words: View, meta: Meta) -> None:
    planned = {"event": "planned", "player": "chance", "hex": "0102"}
    (card,) = report(words, meta, planned, assault("0102")).fights
    assert card.attackers == ("south",)


def test_a_seat_does_not_defend_beside_the_power_that_it_leads(words: View, meta: Meta) -> None:
    seats = {"france": "north", "prussia": "south"}
    tracks = {**words.position.tracks, "seats": seats}
    view = replace(words, position=Position(words.position.counters, tracks))
    lost = [{"event": "hurt", "owner": who, "steps": 1, "gone": 0} for who in ("north", "france")]
    stormed = {"event": "stormed", "attacker": "prussia", "hex": "0102"}
    (card,) = report(view, meta, stormed, *lost).fights
    assert (card.attackers, card.defenders) == (("prussia",), ("france",))


def test_friends_of_the_attacker_stand_before_the_enemy(words: View) -> None:
    sides = {"south": "allies", "west": "allies", "north": "north"}
    view = replace(words, sides_from=lambda: sides)
    forces = {"n1": "north", "n2": "west", "?1": "south"}
    assert [who for who, _ in in_order(forces, ("south",), ("north",), view)] == ["south", "west", "north"]


def test_what_befell_others_is_no_reason_why_a_third_one_holds_the_place(words: View, meta: Meta) -> None:
    sections = words.wording.sections
    sections["headlines"]["fell-back"] = "{block} fell back"
    told: dict[str, Any] = {}
    for holder in ("south", "west"):
        made = report(words, meta, assault("0102"), FELL_BACK, {**HELD, "player": holder})
        told[holder] = fight_words(made.fights[0], made)[-1]
    assert told == {"south": "reason: North IN A fell back", "west": "then: North IN A fell back"}


def test_what_the_system_gives_as_the_reason_does_not_follow_again(words: View, meta: Meta) -> None:
    sections = words.wording.sections
    sections["headlines"]["fell-back"] = "{block} fell back"
    sections["because"] = {"held": "North IN A fell back"}  # type: ignore[index]
    made = report(words, meta, assault("0102"), FELL_BACK, HELD)
    assert fight_words(made.fights[0], made)[-2:] == [
        "South held 0102 Oxbridge",
        "reason: North IN A fell back",
    ]


def test_a_fight_is_told_from_its_beginning_through_what_lay_within_it(words: View, meta: Meta) -> None:
    """A battle in the air within a battle on the ground is a phase of its own, and no end of the other."""
    hurt = {"event": "hurt", "owner": "north", "steps": 1, "gone": 0}
    air = {**hurt, "at": "Game turn 2, Combat, battle 1, Air combat, Losses"}
    stages = {
        1: before({"event": "passed", "player": "south"}),
        2: before(assault("0102")),
        3: before(air, hurt),
    }
    late = replace(meta, before=stages.__getitem__)
    (card,) = report(words, late, hurt).fights
    assert card.since == 2 and card.began == "South assaults 0102 Oxbridge"
    assert [(one.player, one.lost) for one in card.losses] == [("north", (("step", 3),))]
