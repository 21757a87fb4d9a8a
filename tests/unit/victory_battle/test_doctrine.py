"""A doctrine answers for its owner: conditions, first rule that holds, orders of fire and loss (4.6.12)."""

from __future__ import annotations

import pytest

from pbem.rules import Refused, from_json, to_json
from pbem.systems.victory.rules.doctrine import (
    BattleDoctrine,
    Situation,
    first_rule,
    merged,
)

NOW = Situation(role="defender", hex="0606", unit="G-IN1", type="IN", round=2, cv=3, own=3, enemy=7)


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ({}, True),
        ({"role": "defender"}, True),
        ({"role": "attacker"}, False),
        ({"role": "any", "hex": ["0606", "0707"]}, True),
        ({"hex": ["0707"]}, False),
        ({"unit": ["G-IN2"]}, False),
        ({"type": ["AR", "IN"]}, True),
        ({"round_at_least": 2}, True),
        ({"round_at_least": 3}, False),
        ({"cv_at_most": 3}, True),
        ({"cv_at_most": 2}, False),
        ({"own_le_enemy": [1, 2]}, True),  # 3 x 2 <= 7 x 1
        ({"own_le_enemy": [1, 3]}, False),  # 3 x 3 > 7 x 1
        ({"own_le_enemy": [3, 7]}, True),  # 21 <= 21: equal counts
        ({"type": ["IN"], "cv_at_most": 2}, False),
    ],
)
def test_a_rule_holds_when_every_given_condition_holds(when: dict[str, object], holds: bool) -> None:
    doctrine = from_json(BattleDoctrine, {"rules": [{"when": when, "do": "retreat"}]})
    assert (first_rule(doctrine, NOW) is not None) is holds


def test_the_first_rule_that_holds_wins() -> None:
    rules = [
        {"when": {"role": "attacker"}, "do": "retreat"},
        {"target": ["A"]},
        {"do": "retreat"},
    ]
    rule = first_rule(from_json(BattleDoctrine, {"rules": rules}), NOW)
    assert rule is not None and (rule.do, rule.target) == ("fire", ("A",))


def test_several_doctrines_count_one_after_another() -> None:
    first = BattleDoctrine(fire_order=("A",), rebase={"F1": ("0101",)})
    second = BattleDoctrine(fire_order=("B",), rebase={"F1": ("0202",), "F2": ("0303",)})
    whole = merged([first, second])
    assert whole.fire_order == ("A", "B")
    assert whole.rebase == {"F1": ("0101",), "F2": ("0303",)}


def test_everything_wrong_with_a_doctrine_is_said_at_once() -> None:
    data = {"rules": [{"when": {"hex": ["606"], "rol": "any"}, "do": "flee"}], "loss_order": "R-IN1"}
    with pytest.raises(Refused) as refused:
        from_json(BattleDoctrine, data)  # type: ignore[arg-type]
    assert {d.code for d in refused.value.diagnostics} == {
        "bad-pattern",
        "unknown-key",
        "not-one-of",
        "wrong-type",
    }


def test_an_empty_doctrine_writes_nothing() -> None:
    assert to_json(BattleDoctrine()) == {}
