"""What a position is worth: held places, forces, strength near a place, and what may be beaten next."""

from __future__ import annotations

from pbem.engine.game import Game
from pbem.kit.balance import Force, Scales, Weights, _Stack, remembered
from tests.unit.engine.parade import game


def apart(a: str, b: str) -> int:
    return abs(int(a) - int(b))


def worth(*forces: Force, **prizes: tuple[int, int]) -> int:
    scales = Scales(apart)
    for force in forces:
        scales.put(force)
    for place, (points, holder) in prizes.items():
        scales.prize(place.removeprefix("h"), points, holder)
    return scales.total()


def mine(place: str, strength: int = 4) -> Force:
    return Force(place, True, strength, strength, strength)


def theirs(place: str, strength: int = 4) -> Force:
    return Force(place, False, strength, strength, strength)


def test_a_held_place_is_worth_more_than_an_open_one_and_that_more_than_a_lost_one() -> None:
    values = [worth(mine("1"), theirs("9"), h5=(10, holder)) for holder in (1, 0, -1)]
    assert values == sorted(values, reverse=True) and len(set(values)) == 3


def test_a_step_towards_a_place_that_others_hold_raises_the_value() -> None:
    values = [worth(mine(here), theirs("30"), h20=(10, -1)) for here in ("1", "5", "9", "13")]
    assert values == sorted(values) and len(set(values)) == 4


def test_strength_beside_a_weak_enemy_is_a_gain_and_beside_a_strong_one_a_danger() -> None:
    assert worth(mine("5", 9), theirs("6", 2)) > worth(mine("1", 9), theirs("9", 2))
    assert worth(mine("5", 2), theirs("6", 9)) < worth(mine("1", 2), theirs("9", 9))


def test_a_place_that_nobody_guards_is_in_danger_within_the_reach_of_an_enemy() -> None:
    def near(reach: int, *guards: Force) -> int:
        enemy = Force("9", False, 4, 4, 4, reach)
        return worth(enemy, *guards, h5=(10, 1))

    assert near(3) > near(4)
    assert near(4, mine("5")) > near(4) + worth(mine("5"))


def test_a_counter_without_a_place_counts_for_itself() -> None:
    assert worth(Force(None, True, extra=7)) == 7


def test_a_counter_is_weighed_again_only_when_it_has_changed() -> None:
    asked: list[str] = []

    def weigh(board: Game, id: str) -> Force:
        asked.append(id)
        return Force(None, True, extra=int(str(board.position.counters[id]["hex"])))

    board, weights = game(), Weights(weigh)

    def total() -> int:
        scales = Scales(apart)
        weights.put(scales, board)
        return scales.total()

    before = total()
    assert total() == before and sorted(asked) == list(board.position.ids())
    board.position.move("U3", "5")
    assert total() == before + 1 and asked.count("U3") == 2 and asked.count("U1") == 1


def test_a_distance_is_found_once() -> None:
    asked: list[str] = []

    def far(a: str, b: str) -> int:
        asked.append(a)
        return apart(a, b)

    found = remembered(far)
    assert [found("1", "4"), found("4", "1"), found("1", "4")] == [3, 3, 3] and asked == ["1"]


def test_a_counter_that_nobody_weighs_counts_for_nothing() -> None:
    heavy = {"U3": mine("1")}
    weights = Weights(lambda game, id: heavy.get(id))
    for _ in range(2):
        scales = Scales(apart)
        weights.put(scales, game())
        assert scales.total() == worth(mine("1"))


def test_an_attack_counts_whole_beside_it_and_half_within_its_reach() -> None:
    stack = _Stack()
    stack.attack, stack.reach = 7, {1: 2, 3: 5}
    assert [stack.strikes(far) for far in range(6)] == [14, 14, 5, 5, 0, 0]
