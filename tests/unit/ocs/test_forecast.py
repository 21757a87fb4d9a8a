"""4.9: What the forecast of an attack takes for granted and names beside it, and how a fight is told."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import play
from pbem.model.forecasts import Forecast, Fought
from pbem.systems.ocs import SYSTEM
from pbem.systems.ocs.rules.actions import Action, Fire, Move, Overrun, Step
from pbem.systems.ocs.rules.decisions.telling import described
from pbem.systems.ocs.rules.pieces import T, world_of
from pbem.testing.examples import examples
from pbem.testing.runner import played_of, prepare

PHASE = {"phase": "F", "acting": "aster"}
BESIDE = {"A5-M": {"hex": "07.07"}}
TWO = ("A-21", "A5-M")


def board(**counters: Any) -> Game:
    moved = {id.replace("_", "-"): fields for id, fields in counters.items()}
    return prepare(SYSTEM, {"tracks": PHASE, "counters": {**BESIDE, **moved}})


def attack(game: Game, hex: str, *units: str) -> Forecast:
    found, *_ = SYSTEM.forecasts(game, hex, units)
    assert found.faults() == []
    return found


def test_what_the_defender_may_do_is_named_with_its_chances() -> None:
    found = attack(board(), "08.06", *TWO)
    assert found.case == "if the defender pays combat supply"
    named = {one.case: one.chance("taken") for one in found.others}
    assert list(named) == [
        "if the defender pays no supply",
        "if the defender holds and loses steps",
        "after a barrage that disorganizes them",
    ]
    assert named["if the defender pays no supply"] > found.chance("taken")
    assert named["if the defender holds and loses steps"] < found.chance("taken")


def test_supply_that_is_not_there_is_a_condition() -> None:
    """4.9.2: 1 T for each step; A-21 has four."""
    game = board(A_21={"internal": "exhausted"})
    T.of(game).dumps.clear()
    found = attack(game, "08.06", "A-21")
    assert "if 4 T of combat supply reach the attackers" in found.case
    assert not T.of(game).dumps, "the board itself is as it was"


def test_units_already_disorganized_are_not_barraged_first() -> None:
    game = board(B_101={"marker": "dg"})
    assert "after a barrage that disorganizes them" not in [
        one.case for one in attack(game, "08.06", *TWO).others
    ]


def test_who_may_not_attack_is_told_why() -> None:
    """4.9.1: a unit in Move Mode without a strength there, one that is not adjacent."""
    far = attack(board(), "08.06", "A-24")
    assert not far.ends and far.sentence() == far.case and "A-24" in far.case


def test_a_defender_with_no_way_back_dies_where_a_free_one_gives_ground() -> None:
    """4.9.8, 4.9.9: who cannot retreat takes options as losses."""
    free = attack(board(), "08.06", *TWO)
    around = {"09.06": "A-24", "09.07": "A-25", "08.07": "A-1P", "08.05": "A-41E", "09.05": "A5-I"}
    shut = attack(board(**{id: {"hex": hex} for hex, id in around.items()}), "08.06", *TWO)
    assert free.losses[1] is not None and shut.losses[1] is not None
    assert shut.losses[1] > free.losses[1] and shut.chance("taken") < free.chance("taken")


def fought(game: Game, dice: list[list[int]], *units: str) -> Fought:
    action = {"attack": {"hex": "08.06", "units": list(units), "advance": "all"}}
    orders = {"aster": {"actions/combat": {"actions": [action]}}}
    source = ScriptedSource(orders, dice, forfeits=["aster", "bren"])
    played = play(game, "T.2.F.2", source, "aster")
    told = SYSTEM.fought(game, [one.event for one in played.told])
    assert told is not None and told.faults() == []
    return told


@pytest.mark.parametrize(
    ("dice", "sentence", "cost", "why"),
    [
        # no surprise, 6-6: the attackers take their option as a loss, the defender loses one and gives ground
        ([[3, 4], [1], [6, 6]], "aster took 08.06", "aster lost 1 step, bren lost 1 step", "retreated"),
        # 1-1: two steps of the attackers, the defender is where he was
        ([[3, 4], [1], [1, 1]], "bren held 08.06", "aster lost 2 steps, bren lost nothing", "stayed"),
    ],
)  # fmt: skip
def test_a_fight_is_told_by_who_holds_the_hex_and_what_it_cost(
    dice: list[list[int]], sentence: str, cost: str, why: str
) -> None:
    told = fought(board(), dice, *TWO)
    assert (told.sentence(), told.cost()) == (sentence, cost) and why in told.why


TANKS = {"X-1": {"kind": "armor", "type": "A5-1T"}, "X-2": {"kind": "armor", "type": "A5-1T"}}


def test_an_overrun_is_forecast_before_it_is_ordered_and_when_orders_are_checked() -> None:
    """4.4.6: the same sentence in `pbem odds` and in `orders check`; surprise is more likely than usual."""
    tanks = {
        id: {**one, "owner": "aster", "hex": "12.03", "fuelled": True, "facing": "combat"}
        for id, one in TANKS.items()
    }
    game = prepare(
        SYSTEM,
        {
            "only": ["B-9"],
            "tracks": {"phase": "C", "acting": "aster", "dumps": {"12.03": {"owner": "aster", "t": 8}}},
            "counters": {**tanks, "B-9": {"hex": "13.03"}},
        },
    )
    regular, over = SYSTEM.forecasts(game, "13.03", tuple(TANKS))
    assert over.case.startswith("in an overrun") and not regular.case.startswith("in an overrun")
    assert over.faults() == [] and over.chances != regular.chances
    move = Move(units=tuple(TANKS), steps=(Step(overrun=Overrun("13.03")),))
    said = described(game.copy(), "aster", "movement", Action(move=move), frozenset())
    assert over.sentence() in said and said.endswith("then the dice")


def test_a_barrage_is_forecast_before_it_is_fired_and_when_orders_are_checked() -> None:
    """4.10: guns and aircraft on their own; together with others the attack is forecast."""
    game = prepare(SYSTEM, {"tracks": PHASE, "counters": {"A-31A": {"hex": "07.06"}}})
    (one,) = SYSTEM.forecasts(game, "08.06", ("A-31A",))
    assert one.case.startswith("barrage with ") and "steps expected" in one.case
    assert sum(chance for _, chance in one.chances) == 1
    fire = Action(fire=Fire(units=("A-31A",), hex="08.06"))
    said = described(game.copy(), "aster", "artillery", fire, frozenset())
    assert one.case in said and said.endswith("then the dice")
    flown, met = SYSTEM.forecasts(game, "08.06", ("A-T1",))
    assert met.case.startswith("if B-F1 intercepts: ")
    assert "steps of aircraft lost to flak · if B-F1 intercepts: " in flown.case
    assert all("barrage with" not in f.case for f in SYSTEM.forecasts(game, "08.06", ("A-31A", "A-21")))


def test_a_barrage_of_a_facility_is_forecast_by_every_face_of_its_die() -> None:
    """4.10 step 6, BM-11 and 2B-8: the card has it, and it is what the real procedure brings."""
    for name, words in (("BM-11 ", "barrage of the air base"), ("2B-8 ", "barrage of the port")):
        data = next(data for known, data in examples(SYSTEM) if name in known)
        played = played_of(SYSTEM, data)
        assert played is not None
        game, stage = played
        (shot,) = [one.event for one in stage.told if one.event["event"] == "facility-barraged"]
        card = SYSTEM.outlook(game, [shot])
        assert card is not None and card.case.startswith(words) and card.faults() == []
        ids = [str(id) for id in shot["units"]]
        before = prepare(SYSTEM, data["given"])
        told = [one.case for one in SYSTEM.forecasts(before, str(shot["hex"]), ids)]
        begin = card.case.partition(": ")[0] if shot["target"] == "air_base" else card.case
        assert any(case.startswith(begin) for case in told), (card.case, told)
    chart = world_of(before).tables["barrage"]["facility"]
    column = next(n for n, most in enumerate(chart["upper"]) if most is None or most >= shot["strength"])
    hits = sum(chart["rows"][str(die)][column][:1].isdigit() for die in range(1, 7))
    assert f"{round(100 * hits / 6)}% to hit" in card.case
