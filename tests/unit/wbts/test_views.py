"""Nobody learns from facts, events or reports what limited intelligence keeps from him (section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.bot.answers import clever
from pbem.bot.games import Stage, stages
from pbem.engine.adjudicate import game_of
from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import play
from pbem.model.facts import PUBLIC, may_know
from tests.unit.wbts.boards import WBTS, board, facts_for, view

HIDDEN = {"limited_intelligence": True}
SOUTHERN = ("C-1D", "C-2D", "C-3D", "C-4D", "C-C1", "C-M1", "CST1", "CD1", "GAR-south-0507")


def test_without_the_option_everybody_sees_everything() -> None:
    game = board()
    assert facts_for(game, "north") == facts_for(game, "south") == facts_for(game, None)
    assert view(game, "north").position == game.position


def test_an_enemy_stack_is_occupied_with_or_without_a_leader() -> None:
    known = facts_for(board(hidden=True), "north")
    assert known["occupied/0505/south"] == {"leader": True}
    assert known["occupied/0506/south"] == {"leader": False}
    assert not any(key.startswith("counter/C-") for key in known)
    assert "track/militia_ready/north" in known and "track/militia_ready/south" not in known


def test_installations_are_seen_by_all() -> None:
    known = facts_for(board(hidden=True), "north")
    assert known["counter/ENT-0505"]["built_gt"] == 0  # type: ignore[call-overload,index]
    assert known["track/fort_owner"] == {"0903": "north", "0905": "south"}


def test_a_view_has_one_unknown_counter_for_a_stack() -> None:
    seen = view(board(hidden=True), "north")
    there = seen.position.at("0505")
    assert there == ("?south-0505", "ENT-0505")
    assert seen.position.counters["?south-0505"] == {
        "type": "?", "side": "south", "hex": "0505", "leader": True,
    }  # fmt: skip
    assert seen.position.counters["U-1D"] == board().position.counters["U-1D"]


hidden_strengths = st.fixed_dictionaries({id: st.integers(1, 3) for id in SOUTHERN})


def disguised(game: Game, strengths: dict[str, int]) -> Game:
    """The same stacks with other strengths, stocks, rosters and types in them."""
    for number, (id, sp) in enumerate(strengths.items()):
        game.position.set(id, sp=sp, supply=sp + number)
        if id in ("C-1D", "C-3D") and sp == 3:
            game.position.set(id, type="cavalry")
            game.position.drop(id, "hq")
    game.tracks["militia_ready"]["south"] = {"Lowmark": strengths["C-1D"]}
    return game


@settings(max_examples=25, deadline=None)
@given(one=hidden_strengths, other=hidden_strengths)
def test_positions_that_differ_in_what_the_south_hides_are_one_to_the_north(one: Any, other: Any) -> None:
    first, second = disguised(board(hidden=True), one), disguised(board(hidden=True), other)
    assert facts_for(first, "north") == facts_for(second, "north")
    assert facts_for(first, None) == facts_for(second, None)
    assert view(first, "north").position == view(second, "north").position


MOVES = {"activations": [{"activate": "C-3D", "moves": [{"units": ["C-3D"], "path": ["0506"]}]}]}


def heard(orders: Any, strengths: dict[str, int]) -> list[Any]:
    """What the north is told while the south moves."""
    game = disguised(board(hidden=True, tracks={"chit": {"south": 2}}), strengths)
    game.position.drop("C-3D", "hq")
    played = play(game, "C.1.b", ScriptedSource({"south": {"free-initiative": orders}}), "south")
    assert not played.diagnostics and not played.pending
    return [t.event for t in played.told if may_know(t.audience, "north")]


def test_of_a_march_the_enemy_hears_that_the_chit_was_used() -> None:
    told = heard(MOVES, dict.fromkeys(SOUTHERN, 2))
    assert [event["event"] for event in told] == ["chit-used"]
    assert told == heard(MOVES, dict.fromkeys(SOUTHERN, 3)) == heard(MOVES, dict.fromkeys(SOUTHERN, 1))


def test_what_was_not_revealed_and_is_destroyed_is_named_to_its_owner_alone() -> None:
    """A train and an HQ that nobody had seen fall to an advance."""
    battle = {
        "number": 1, "attacker": "north", "defender": "south", "target": "0606", "stacks": {"0605": ["U-1D"]},
        "defenders": ["C-C1"],
    }  # fmt: skip
    game = board(
        {"U-1D": {"hex": "0605", "hq": None}, "CST1": {"hex": "0606"}, "C-A": {"hex": "0606"}},
        {"gt": 3, "battle": battle},
        remove=("C-C1", "C-C2", "C-CC", "C-DORSEY"),
        hidden=True,
    )
    game.position.drop("C-BECK", "hq")
    played = play(game, "B.2.c.14", ScriptedSource({"north": {"advance": ["U-1D"]}}), "north")
    told = {kind: {t.audience for t in played.told if t.event["event"] == kind} for kind in KINDS}
    assert told == {"left-behind": {("south",)}, "headquarters-lost": {("south",)}, "advanced": {PUBLIC}}
    assert "CST1" not in game.position.counters and "C-A" not in game.position.counters


KINDS = ("left-behind", "headquarters-lost", "advanced")


def told_of(node: str, orders: dict[str, Any], dice: list[list[int]]) -> tuple[list[Any], list[Any]]:
    """What the north and the south are told of a step of the south's turn."""
    game = board(hidden=True, tracks={"gt": 3})
    played = play(game, node, ScriptedSource({"south": orders}, dice), "south")
    assert not played.diagnostics
    return tuple([t.event for t in played.told if may_know(t.audience, who)] for who in ("north", "south"))  # type: ignore[return-value]


TRIES = {"leader-initiative": {"leaders": [{"leader": "C-BECK"}]}}


def test_a_leader_who_tries_in_vain_is_not_named_to_the_enemy() -> None:
    """R-301 It learns the side, the roll, and that it failed; the words of the die do not name him either."""
    north, south = told_of("C.1.c", TRIES, [[6]])
    assert [event["event"] for event in north] == ["tried-in-vain"]
    assert "C-BECK" not in str(north) and north[0]["player"] == "south"
    assert [event["event"] for event in south] == ["tried-in-vain", "leader-failed"]
    assert south[1]["leader"] == "C-BECK"


def test_he_is_named_when_he_is_activated() -> None:
    """R-301"""
    north, _ = told_of("C.1.c", TRIES, [[1]])
    assert [(event["event"], event["leader"]) for event in north] == [("leader-tried", "C-BECK")]


def test_leaders_who_stay_inactive_in_the_combat_phase_are_not_named_to_the_enemy() -> None:
    """R-301, 4.7"""
    leaders = [u["name"] for u in board().position.counters.values() if u["type"] == "leader"]
    assert leaders
    count = sum(
        1
        for u in board().position.counters.values()
        if u["type"] == "leader" and u["side"] == "south" and not u.get("naval")
    )
    north, south = told_of("C.2.b", {}, [[6]] * count)
    assert [event["event"] for event in north] == ["tried-in-vain"] * count + ["leaders-activated"]
    assert "C-" not in str(north) and north[-1]["active"] == north[-1]["leaders"] == []
    assert sum(1 for event in south if event["event"] == "leader-failed") == count


# ---- whole games -------------------------------------------------------------------------------------


@cache
def rowan() -> tuple[Stage, ...]:
    """The first stages of a game between sensible players."""
    return tuple(islice(stages(WBTS, "marl_crossings", HIDDEN, "rowan", clever), 40))


def test_no_event_outside_battles_tells_the_enemy_of_a_unit() -> None:
    """Leaders are named when they are active; units only in battles, which reveal them."""
    units = {
        id
        for stage in rowan()
        for id, fields in stage.outcome.position.counters.items()
        if fields["type"] not in ("leader", "entrenchment")
    }
    seen = 0
    for stage in rowan():
        for told in stage.outcome.told:
            if told.audience != PUBLIC or told.event["at"]["node"].startswith(("B.2.c.", "C.2.c.")):
                continue
            seen += 1
            assert not set(words_in(told.event)) & units, told.event
    assert seen > 20


def words_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from words_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from words_in(item)


def test_what_is_legal_on_the_view_is_legal_on_the_whole_truth() -> None:
    """Unknown stacks count as troops with a zone: whoever orders within that is never refused for it."""
    compared = 0
    for stage in rowan()[::4]:
        truth = game_of(WBTS, stage.outcome.state, stage.outcome.position)
        for question in stage.outcome.pending:
            if question.kind not in ("free-initiative", "leader-initiative", "command", "cleanup"):
                continue
            decision = WBTS.decision(question.kind, question.party, question.fields)
            seen = view(truth, question.party)
            for option in islice(decision.options(seen), 60):
                answer = from_answer(decision, option.answer)
                assert not decision.check(truth, answer), option
                compared += 1
    assert compared > 40


def from_answer(decision: Any, answer: Any) -> Any:
    from pbem.model.codec import from_json

    return from_json(decision.answer, answer)
