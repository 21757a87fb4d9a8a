"""The one structure of a report: what is mine, what was lost, how a result came about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.kit.odds import Modifier, Working
from pbem.model.codec import to_json
from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.report.composing.compose import compose
from pbem.report.losses import in_words
from pbem.report.reader import Meta, Recipe, View
from pbem.report.wording import Wording
from tests.unit.report.test_text import event, fight


@pytest.fixture
def counting(view: View) -> View:
    """The little game with words for what is lost."""
    sections = {name: dict(texts) for name, texts in view.wording.sections.items()}
    sections["events"]["hurt"] = "{owner} lost {steps}"
    sections["quantities"] = {"step": "step", "step-many": "steps", "block": "block", "block-many": "blocks"}
    sections["working"] = {"hurt": "table T, row of {owner}"}
    return replace(view, wording=Wording(sections))


def hurt(owner: str, steps: int, gone: int = 0) -> Told:
    return Told(PUBLIC, event("hurt", owner=owner, steps=steps, gone=gone), 0)


def test_losses_are_added_up_for_each_player_in_the_order_of_seats(counting: View, meta: Meta) -> None:
    told = [hurt("south", 2), hurt("north", 1), hurt("south", 1, 1)]
    report = compose("north", told, counting, meta)
    assert [(one.player, in_words(one, counting)) for one in report.losses] == [
        ("north", ["1 step"]),
        ("south", ["3 steps", "1 block"]),
    ]


def test_an_event_that_costs_nothing_is_no_loss(counting: View, meta: Meta) -> None:
    assert compose(None, [hurt("north", 0)], counting, meta).losses == ()


def test_mine_is_what_hurt_me_what_i_alone_was_told_and_headlines_about_me(
    counting: View, meta: Meta
) -> None:
    told = [
        hurt("south", 1),
        hurt("north", 1),
        Told(("north",), event("moved", owner="north", hex="0101"), 2),
        Told(PUBLIC, event("moved", owner="north", hex="0102"), 3),
        Told(PUBLIC, fight("south", "0102", 1), 4),
        Told(PUBLIC, fight("south", "0301", 2), 5),
    ]
    assert [item.number for item in compose("north", told, counting, meta).mine] == [2, 3, 5]
    assert compose(None, told, counting, meta).mine == ()
    assert compose("gm", told, counting, replace(meta, umpire=True)).mine == ()


def test_passages_follow_the_sequence_of_play(view: View, meta: Meta) -> None:
    told = [
        Told(PUBLIC, event("moved", owner="north", hex="0101", at="Turn 1, Movement"), n) for n in range(2)
    ]
    told += [Told(PUBLIC, event("moved", owner="north", hex="0101", at="Turn 1, Combat"), 2)]
    found = compose(None, told, view, meta).passages
    assert [(p.place, len(p.items)) for p in found] == [
        (("Turn 1", "Movement"), 2),
        (("Turn 1", "Combat"), 1),
    ]


def test_the_working_names_table_column_row_and_each_modifier_with_its_rule(view: View, meta: Meta) -> None:
    modifiers = [{"name": "river", "value": -1, "rule": "7.4"}, {"name": "leader", "value": 2}]
    told = [Told(PUBLIC, {**fight("south", "0101", 1), "modifiers": modifiers, "odds": "3:1"}, 0)]
    (item,) = compose(None, told, view, meta).items
    assert item.working == (
        ("table", "crt"),
        ("odds", "3:1"),
        ("column", "2:1"),
        ("row", "7"),
        ("modifiers", "river -1 [7.4], leader +2"),
    )


def test_an_event_may_have_its_working_as_one_member(view: View, meta: Meta) -> None:
    working = Working("crt", "5:2", "2:1", "1:1", "", "A", shifts=(Modifier("river", "7.4", -1),))
    told = [Told(PUBLIC, event("fell", owner="north", hex="0101", working=to_json(working)), 0)]
    (item,) = compose(None, told, view, meta).items
    assert item.working == (
        ("table", "crt"),
        ("odds", "5:2"),
        ("column", "1:1"),
        ("shifts", "river -1 [7.4]"),
    )


def test_a_system_says_in_its_words_how_a_result_came_about(counting: View, meta: Meta) -> None:
    (item,) = compose(None, [hurt("north", 1)], counting, meta).items
    assert item.working == (("", "table T, row of north"),)
    (nobody,) = compose(None, [hurt("", 1)], counting, meta).items
    assert nobody.working == ()


def test_each_die_is_told_once_with_the_way_to_make_it_again(view: View, meta: Meta) -> None:
    same = fight("south", "0101", 1)
    told = [Told(PUBLIC, same, 0), Told(("north",), same, 1)]

    def recipe(roll: Any) -> Recipe:
        return Recipe(f"echo {roll['dice']}", "each byte")

    dice = compose("north", told, view, replace(meta, recipe=recipe)).dice
    assert [(die.item.number, die.recipe) for die in dice] == [(1, Recipe("echo 2d6", "each byte"))]
    assert compose("north", told, view, meta).dice[0].recipe is None


def test_what_a_fight_that_goes_on_cost_is_news_without_a_headline(counting: View, meta: Meta) -> None:
    """Four events, none with a headline: "no headlines" hid that two steps were lost."""
    quiet = [Told(PUBLIC, {"event": "stirred", "rule": "4", "at": "x"}, n) for n in range(1, 4)]
    made = compose("north", [hurt("north", 2), hurt("south", 0), *quiet], counting, meta)
    assert list(made.headlines) == [made.items[0].text]
