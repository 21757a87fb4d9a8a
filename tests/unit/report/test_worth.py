"""News is ranked by worth, which a system declares: subjects, "In short", pages and the book use it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.adjudicate import game_of, start
from pbem.engine.system import System, find
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.news import news
from pbem.report.reader import Meta, View
from pbem.report.structure import Report
from pbem.report.whole.acts import acts
from pbem.report.wording import Wording
from pbem.report.worth import RANKS, is_news, place_worth, rank, worth_of

SYSTEMS = ("ocs", "totaler-krieg", "victory", "wbts", "wif")
AT = "Game turn 2, Somebody's turn, Some phase"


def view_of(name: str) -> View:
    system: System = find(name)
    state = start(system, system.scenarios()[0], None)
    game = game_of(system, state, state.position, stage=0)
    return View(
        state.position,
        game.players,
        Wording(system.wording),
        system.map_of(game.world),
        events=system.registry.events,
        holders_from=lambda: system.holders(game),
        sides_from=lambda: system.sides(game),
        titles_from=lambda: system.titles(game),
        absent_from=lambda: system.absent(game),
    )


def told(name: str, *events: dict[str, Any], reader: str | None = None) -> Report:
    seen = [Told(PUBLIC, {"rule": "1", "at": AT, **one}, number) for number, one in enumerate(events)]
    meta = Meta("A game", "ab" * 32, name, 9, AT, waiting=("nobody",))
    return compose(reader, seen, view_of(name), meta)


BOUGHT = {"event": "spent", "power": "CW", "built": 3, "units": [], "reorganization": 0, "saved": 0}
WENT_ON = {
    "event": "last-impulse-tested", "side": "axis", "bonus": 0, "number": 9, "threshold": 24, "ends": False,
    "dice": [{"label": ["last impulse", 1], "dice": "1d10", "result": [3]}],
}  # fmt: skip


def taken(hex: str, power: str = "GE", before: str = "CW") -> dict[str, Any]:
    return {"event": "taken", "power": power, "hex": hex, "before": before}


def destroyed(*units: str) -> dict[str, Any]:
    return {"event": "destroyed", "power": "CW", "units": list(units), "reason": "combat"}


BACK = taken("0805", "CW", "GE")


@pytest.mark.parametrize("name", SYSTEMS)
def test_each_system_declares_the_worth_of_news_in_words_of_the_ranking(name: str) -> None:
    system = find(name)
    declared = system.wording.get("news", {})
    assert declared, "its news is told by what its classes tell alone"
    for kind, text in declared.items():
        assert kind in system.registry.events
        words = text.replace("[", " ").replace("]", " ").replace("?", " ").replace("!", " ").split()
        assert set(words) & set(RANKS), (kind, text)


def test_what_counts_comes_first_then_the_front_then_units_and_orders_last() -> None:
    """wif: a place worth points, a hex, a corps, then what was bought; it happened in another order."""
    report = told("wif", BOUGHT, destroyed("CW-I1"), BACK, taken("0705"), reader="axis")
    assert "0705 Ruvray" in report.headlines[0] and "0805" in report.headlines[1]
    assert "eliminated" in report.headlines[2] and "bought" in report.headlines[3]
    assert news(report).startswith("Germany took Ruvray")


def test_a_capital_and_a_power_come_before_everything_but_the_end() -> None:
    view = view_of("totaler-krieg")
    assert place_worth("0804", view) == ("capital", 1) and place_worth("0703", view) is None
    war = {"event": "war-declared", "power": "axis", "country": "weyland"}
    lost = {"event": "step-lost", "power": "soviet", "unit": "R-IN1", "hex": "0905", "left": 0, "steps": 1}
    ended = {"event": "game-won", "result": "axis", "why": "", "csv": 4}
    value = {"event": "victory-checked", "held": [], "lost": [], "modifier": 0, "csv": 1}
    ranked = sorted((lost, value, war, ended), key=lambda one: rank(one, view))
    assert [one["event"] for one in ranked] == ["game-won", "war-declared", "victory-checked", "step-lost"]


def test_what_the_reader_ordered_himself_is_no_news_to_him_and_is_to_others() -> None:
    own, other, public = (told("wif", BOUGHT, reader=who).headlines for who in ("allied", "axis", None))
    assert own == ()
    assert other == public == ("The Commonwealth bought 3 units",)
    mine = told("wif", BOUGHT, reader="allied")
    assert "bought" not in news(mine), "nor does it make the subject"


def test_a_stage_in_which_only_the_reader_did_something_has_no_news_for_him() -> None:
    """His own combination, clean-up and pass stood below "In short" as if they were news."""
    event = {"event": "cleaned-up", "player": "aster", "dg": [], "exploit": [], "fuel": ["A-21"], "rails": []}
    own, other = (told("ocs", event, reader=who) for who in ("aster", "bren"))
    assert own.headlines == ()
    assert other.headlines == ("Aster cleans up; fuel spent: A-21 infantry",)


def test_a_stage_of_a_fight_is_told_in_the_words_of_its_card() -> None:
    """ "(line 1-10, rolled 6, column 7)" is no news; that half the strength counts is."""
    event = {
        "event": "supply-tested", "hex": "0305", "side": "south", "need": 2, "sp": 5, "available": None,
        "paid": None, "supplied": False, "before": "5", "strength": "5/2", "row": "1-10", "column": 7,
        "roll": {"label": ["supply", 1], "dice": "1d6", "result": [6]},
    }  # fmt: skip
    assert told("wbts", event, reader="south").headlines == ("South is not supplied: strength 5 is now 2½",)


def bounced(who: str, unit: str, hex: str, goal: str) -> dict[str, Any]:
    move = {"event": "move-failed", "player": who, "unit": unit, "type": "army", "hex": hex}
    return {**move, "goal": goal, "why": "bounced"}


def centre(hex: str, before: str, after: str) -> dict[str, Any]:
    return {"event": "centre-taken", "hex": hex, "before": before, "after": after}


def test_what_the_reader_ordered_in_vain_is_news_to_him_alone() -> None:
    events = bounced("austria", "AU1", "BUD", "RUM"), bounced("russia", "RU4", "WAR", "GAL")
    own = told("diplomacy", *events, reader="austria").headlines
    assert own == ("Army Budapest did not get to Rumania: bounced",)
    assert not any("Budapest" in line for line in told("diplomacy", *events, reader="russia").headlines)


def test_of_what_is_worth_as_much_the_readers_own_comes_first() -> None:
    events = centre("BUL", "", "turkey"), centre("DEN", "", "germany"), centre("VIE", "austria", "germany")
    first, *_ = told("diplomacy", *events, reader="austria").headlines
    assert first == "Germany took Vienna from Austria"
    assert told("diplomacy", *events).headlines[0] == "Turkey took Bulgaria", "in order for everybody"


def test_routine_is_no_news_to_anybody_and_is_told_below() -> None:
    view = view_of("wif")
    assert worth_of({**WENT_ON, "ends": True}, view) == "turn" and worth_of(WENT_ON, view) == "routine"
    report = told("wif", WENT_ON, BOUGHT, taken("0805"))
    assert not any("turn continues" in line for line in report.headlines)
    assert any("24" in item.text for item in report.items)
    assert not is_news(WENT_ON, view)


def test_pages_and_the_book_rank_as_reports_do() -> None:
    report = told("wif", BOUGHT, destroyed("CW-I1"), BACK, taken("0705"))
    (act,) = acts([report])
    assert act.headlines == report.headlines[:3] and act.minor == report.headlines[3:]
    assert act.title == "; ".join(report.headlines[:2])


def test_a_system_that_declares_nothing_is_ranked_by_what_its_classes_tell() -> None:
    view = view_of("wif")
    bare = replace(view, wording=Wording({k: v for k, v in view.wording.sections.items() if k != "news"}))
    assert worth_of(taken("0805"), bare) == "front" and worth_of(destroyed("CW-I1"), bare) == "loss"
    assert worth_of(BOUGHT, bare) == "minor"


def test_wbts_a_destroyed_division_has_a_headline() -> None:
    losses = {
        "event": "losses-taken", "number": 1, "hex": "0405", "side": "north", "percent": 40, "sp": 6,
        "working": "", "points": 6, "lost": ["U-3D 6"], "destroyed": ["U-3D"],
    }  # fmt: skip
    report = told("wbts", losses)
    assert report.headlines == ("U-3D infantry was eliminated in 0405",)
    (weaker,) = told("wbts", {**losses, "destroyed": []}).items
    assert weaker.headline is None, "a division that is weaker has none"


def test_totaler_krieg_a_choice_names_the_battle_and_not_where_the_unit_is() -> None:
    chosen = {"event": "choice-made", "power": "axis", "hex": "0905", "choice": "loss"}
    (item,) = told("totaler-krieg", chosen).items
    assert item.text == "The Axis chose to lose a step in the battle at 0905"


def test_ocs_a_town_that_was_marched_into_is_the_first_news() -> None:
    march = {"event": "hex-taken", "player": "aster", "hex": "12.06", "before": "bren"}
    lost = {"event": "unit-eliminated", "player": "bren", "unit": "B-9", "hex": "03.10"}
    report = told("ocs", lost, march, reader="bren")
    assert report.headlines[0] == "Aster took 12.06 Kest from Bren"


def test_ocs_a_dump_of_which_nothing_was_captured_is_no_headline() -> None:
    words = Wording(find("ocs").wording)
    event = {"event": "dump-captured", "player": "aster", "captured": 0, "found": 4, "hex": "11.06"}
    assert words.headline(event) is None
    assert words.headline({**event, "captured": 3}) == "Aster captured 3 of 4 T of a dump in 11.06"
