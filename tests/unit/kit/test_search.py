"""The searching player: what raises the value is kept, dice are played forward, only a view counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Any

import pytest

from pbem.bot.answers import THOROUGH, thorough
from pbem.bot.games import seen_by, stages
from pbem.engine.answers import Inputs
from pbem.engine.drafting import Drafting
from pbem.engine.game import Game
from pbem.engine.rehearsal import SAMPLES, _Rehearsal, _Supposed, played_out
from pbem.engine.resolve import Question, faults_of
from pbem.engine.system import find
from pbem.kit.search import FEW, _Ahead, search
from pbem.rules import Decision, Json, to_json
from tests.nightly import IN_CI
from tests.primer import make
from tests.tools.compare_bots import Mind
from tests.unit.engine.parade import Leap, Parade, Route, game

PRIMER = make("search-test", hidden=False)


def first(options: Any) -> Any:
    return options[0]


def forward(board: Game) -> int:
    """Worth more the farther red's units are."""
    return sum(int(str(fields["hex"])) for fields in board.position.counters.values())


def walked(board: Game, **worth: int) -> int:
    return sum(worth.get(town, 0) for town in board.tracks.get("walked", []))


def route(budget: int, **worth: int) -> Json:
    return search(game(), Route("red"), lambda: partial(walked, **worth), first, (), budget)


def test_what_raises_the_value_is_added_and_what_lowers_it_is_not() -> None:
    assert route(50, a=1, b=2, c=3) == ["a", "b", "c"]
    assert route(50, a=1, b=2, c=-3) == ["a", "b"]
    assert route(50, a=-1, b=2, c=3) == ["b", "c"]


def test_of_many_ways_of_a_counter_the_one_with_the_best_end_is_taken() -> None:
    assert search(game(), Leap("red"), lambda: forward, first, (), 50) == ["8"]


def test_an_answer_that_cannot_be_sent_goes_on_though_nothing_raises_the_value() -> None:
    assert route(50, a=-1, b=-1, c=-1) == ["a", "b"]


def test_a_plan_is_improved_and_what_it_says_in_later_sections_is_kept() -> None:
    plan: Json = {"word": "march", "steps": [{"unit": "U2", "to": "3"}], "with": True}
    answer: Any = search(game(), Parade("red"), lambda: forward, first, [plan], 80)
    assert answer["steps"][0] == {"unit": "U2", "to": "3"} and len(answer["steps"]) > 1
    assert answer["with"] is True
    assert faults_of(game(), Parade("red"), answer) == []


def test_without_a_budget_the_first_plan_counts_or_else_the_default() -> None:
    plans: list[Json] = [{"word": "march", "steps": [{"unit": "U2", "to": "3"}]}, {"word": "halt"}]
    assert search(game(), Parade("red"), lambda: forward, first, plans) == plans[0]
    assert search(game(), Parade("red"), lambda: forward, first) == {"word": "halt"}


def test_the_same_view_gives_the_same_answer_and_is_not_changed() -> None:
    here = game()
    before = here.position.to_json()
    plan: Json = {"word": "march", "steps": [{"unit": "U2", "to": "3"}]}
    found = [search(here, Parade("red"), lambda: forward, first, [plan], 60) for _ in range(2)]
    assert found[0] == found[1] and here.position.to_json() == before


def test_what_is_added_to_a_fork_is_not_added_to_the_answer() -> None:
    drafting = Drafting(Parade("red"), game(), None)
    drafting.add(list(drafting.next())[1])
    fork = drafting.fork()
    step = next(one for one in fork.next() if one.points.way)
    fork.add(step)
    assert len(fork.elements) == 2 and len(drafting.elements) == 1
    assert fork.draft.game.position.to_json() != drafting.draft.game.position.to_json()
    drafting.add(next(option for option in drafting.next() if option.points.way))
    assert drafting.json() == fork.json()


# ---- played forward ---------------------------------------------------------------------------------


def default(board: Game, decision: Decision[Any], question: Question) -> Json:
    return to_json(decision.default(board))


@pytest.mark.parametrize("dice", ["1d6", "2d6", "d66", "1d10"])
def test_over_all_samples_each_die_shows_its_faces_evenly(dice: str) -> None:
    rolls: list[list[int]] = []
    for sample in range(SAMPLES):
        going = _Rehearsal("red", default, {})
        going.here = going.now
        rolls.append(_Supposed(Inputs(0), sample, going).roll(dice, [], False) or [])
    last = 10 if dice.endswith("10") else 6
    for faces in zip(*rolls, strict=True):
        assert len(set(faces)) == SAMPLES and 2 * sum(faces) == SAMPLES * (last + 1)


def asked(kind: str) -> tuple[Game, Decision[Any]]:
    """The view of a player who is asked this in the primer."""
    for stage in stages(PRIMER, PRIMER.scenarios()[0], seed="search"):
        for question in stage.outcome.pending:
            if question.kind == kind:
                view = seen_by(PRIMER, stage.outcome, question.party)
                view.asked = question.key
                return view, PRIMER.decision(kind, question.party, question.fields)
    raise AssertionError(kind)


def test_an_option_is_chosen_by_what_comes_of_it() -> None:
    view, decision = asked("next-move")
    moves = [option.answer for option in decision.options(view)]
    for wanted in moves[1:3]:
        assert isinstance(wanted, dict)

        def judge(board: Game, unit: str = str(wanted["unit"]), to: str = str(wanted["to"])) -> int:
            return int(board.position.counters.get(unit, {}).get("hex") == to)

        assert search(view, decision, lambda judge=judge: judge, first, (), 4000) == wanted


def test_an_answer_that_is_no_better_at_first_is_played_on_and_one_that_is_worse_is_not() -> None:
    view, decision = asked("next-move")

    class Told(_Ahead):
        def _values(self, answer: Any, samples: Iterable[int]) -> list[int]:
            return [answer[n] for n in samples]

    ahead = Told(view, decision, lambda board: 0, 1000)
    ahead.best, ahead.few = 4 * SAMPLES, 4 * FEW
    lucky = [4] * FEW + [9] * (SAMPLES - FEW)
    assert ahead.gain(lucky) == 5 * (SAMPLES - FEW)
    assert ahead.gain([3, *lucky[1:]]) == 0
    assert ahead.gain([4] * FEW + [1] * (SAMPLES - FEW)) == 0


def test_the_default_stays_where_nothing_is_better_or_nobody_can_tell() -> None:
    view, decision = asked("next-move")
    assert search(view, decision, lambda: lambda board: 0, first, (), 2000) == {}
    view.asked = "0/nowhere/next-move"
    assert played_out(view, view.asked, {}, decision.player, default) is None
    assert search(view, decision, lambda: forward, first, (), 2000) == {}


# ---- the five systems -------------------------------------------------------------------------------

SYSTEMS = {
    "victory": "sarn_strait",
    "wbts": "marl_crossings",
    "ocs": "crossing_the_tol",
    "totaler-krieg": "lodestar",
    "wif": "narrow_sea_1943",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "wbts" else IN_CI) for name in SYSTEMS]
)
def test_no_answer_of_the_searching_player_is_refused(name: str) -> None:
    for stage in islice(stages(find(name), SYSTEMS[name], seed="fir", brains=thorough), 12):
        assert not stage.outcome.diagnostics


USED = {
    "victory": {"turn-order.moves", "turn-order.reveal", "turn-order.doctrine", "production.spend"},
    "wbts": {"battles.battles", "command", "free-initiative.activations", "cleanup.militia"},
    "ocs": {
        f"actions.actions.{name}"
        for name in ("move", "stand", "fuel", "haul", "rail", "fire", "attack", "air", "naval", "build")
    },
    "totaler-krieg": {"combat.blitz", "combat.regular", "administration.place", "final.reserve"},
    "wif": {f"impulse-letter.{step}" for step in ("chit", "g", "h", "i", "n", "atr", "reorganize")},
}


@pytest.mark.long
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_player_uses_what_its_system_has(name: str) -> None:
    system, used = find(name), Counter[str]()
    hook = system.play_well_hook
    assert hook is not None
    for seed in ("yew", "fir"):
        mind = Mind(hook, budget=THOROUGH)
        for _ in stages(system, SYSTEMS[name], seed=seed, brains=mind):
            pass
        used += mind.used
    assert USED[name] <= set(used)
