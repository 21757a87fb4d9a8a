"""What a player reads of units and places in lists (2.3 to 2.7): figures, state, dumps.

With fog it is never more than is seen (7.1)."""

from __future__ import annotations

from pbem.cli.games.telling import report_view
from pbem.engine.adjudicate import game_of, start
from pbem.engine.game import Game
from pbem.model.facts import may_know
from pbem.report.composing.compose import compose
from pbem.report.data import as_json
from pbem.report.muster import Force, forces, held
from pbem.report.reader import Meta, View
from pbem.stages.views import PlayerView
from pbem.systems.ocs import SYSTEM
from pbem.text.schema import check
from pbem.text.schema import find as find_schema

SCENARIO = "crossing_the_tol"


def board(fow: str = "open") -> Game:
    return game_of(SYSTEM, start(SYSTEM, SCENARIO, {"fow": fow}))


def seen(game: Game, reader: str | None, lang: str = "en") -> View:
    known = {f.key: f.value for f in game.system.facts(game) if may_know(f.audience, reader)}
    named = SCENARIO if game.options["fow"] == "open" else f"{SCENARIO} fow=gm"
    return report_view(PlayerView(SYSTEM, named, reader, 1, known, ()), lang)


def told(view: View, owner: str, reader: str | None) -> dict[str, str]:
    """By hex what a side has there, as the order of battle says it."""
    force: Force = next(force for force in forces(view, reader) if force.owner == owner)
    return {stack.hex: stack.told(own=force.own) for stack in force.stacks}


def test_both_sides_of_a_unit_and_what_holds_of_it_are_told() -> None:
    game = board()
    game.position.set("A-21", lost=2, marker="dg", oos=True, internal="exhausted")
    game.position.set("A5-R", fuelled=True, marker="reserve", facing="move")
    here = told(seen(game, "aster"), "aster", "aster")
    assert here["07.06"] == (
        "A-21 infantry (16-3-3 leg; turned 8-3-5 leg), 2 of 4 steps, DG, out of supply, Exhausted"
    )
    assert here["06.04"] == (
        "A5-R reconnaissance (2-5-16 track; turned 4-5-8 track), formation A5, Reserve, fuelled"
    )


def test_range_load_and_active_are_told() -> None:
    here = told(seen(board(), "aster"), "aster", "aster")
    assert "A-31A artillery (b20-3-3 leg, range 3; turned b10-3-12 truck)" in here["06.06"]
    assert "A5-OT transport (1 point of trucks, 45 MP), organic to A5, loaded with 4 T" in here["05.05"]
    assert "A-X1 aircraft (Tpt (0)-0, range 40, carries 1), Inactive" in here["03.05"]
    assert here["06.01"] == "A-DD ship (6-3, flak 1, protection 1)"


def test_what_lies_in_a_place_is_told_with_its_level_and_damage() -> None:
    game = board()
    game.position.tracks["ports"] = {"05.02": {"owner": "aster", "printed_t": 8, "hits": 2}}
    view = seen(game, "aster")
    mine, theirs = told(view, "aster", "aster"), told(view, "bren", "aster")
    assert mine["03.06"].endswith("dump of 32 T (8 SP)")
    assert mine["03.05"].endswith("air base of level 2")
    assert mine["05.02"] == "dump of 8 T (2 SP); port of 5 T, 2 hits"
    assert theirs["08.06"].endswith("hedgehog of level 1")


def test_enemies_are_told_with_their_ids_and_stocks_in_an_open_game() -> None:
    assert told(seen(board(), "aster"), "bren", "aster")["03.10"] == (
        "B-9 infantry (4-2-2 leg; turned 2-2-4 leg), no supply path now, Low"
    )


def test_with_fog_nothing_is_told_that_is_not_seen() -> None:
    """7.1: Losses, stocks, fuel, and how much lies in a dump are the owner's; so are the units beneath."""
    game = board("gm")
    game.position.set("A-21", lost=2, internal="low", fuelled=True)
    theirs = told(seen(game, "bren"), "aster", "bren")
    assert theirs["07.06"] == "A-21 infantry (16-3-3 leg; turned 8-3-5 leg)"
    assert theirs["03.06"].endswith("dump") and "2 points" not in theirs["03.06"]
    assert "A5-1T" not in theirs["05.05"] and " T" not in theirs["05.05"]
    mine = told(seen(game, "aster"), "aster", "aster")
    assert "2 of 4 steps, Low, fuelled" in mine["07.06"] and "dump of 32 T" in mine["03.06"]


def test_in_german_too() -> None:
    here = told(seen(board(), "aster", "de"), "aster", "aster")
    assert here["06.04"] == ("A5-R Aufklärung (4-5-8 Kette; gedreht 2-5-16 Kette), Formation A5")


def test_a_unit_that_is_alike_on_both_sides_is_told_once_and_places_name_their_holder() -> None:
    game = board()
    game.position.add("A-PAX-1", {"owner": "aster", "kind": "repl_pax", "type": "repl_pax", "hex": "01.06"})
    view = seen(game, "aster")
    here = told(view, "aster", "aster")["01.06"]
    assert "A-PAX-1 Pax replacement (0-0-5 leg)" in here and "turned" not in here
    assert {place.hex: place.text for place in held(view)}["08.06"] == "Tolmark, held by Bren"


def test_the_report_as_data_has_figures_states_and_what_lies_in_a_place() -> None:
    game = board()
    game.position.set("A-21", marker="dg")
    data = as_json(compose("aster", [], seen(game, "aster"), Meta("", "", "ocs", 1, "")))
    assert check(data, find_schema("report")) == []
    stacks = {one["hex"]: one for force in data["forces"] for one in force["stacks"]}
    (counter,) = stacks["07.06"]["counters"]
    assert counter["text"].endswith("(16-3-3 leg; turned 8-3-5 leg), DG")
    assert stacks["03.06"]["facilities"] == ["dump of 32 T (8 SP)"]
