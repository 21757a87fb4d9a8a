"""How a battle goes, round by round and slot by slot, and when it is over (4.6.1 to 4.6.9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.engine.answers import ScriptedSource
from pbem.engine.game import Game
from pbem.engine.play import Played, play
from tests.unit.victory_battle.helpers import AnyDice, block, came, fight, position

MISS = [6]
HIT = [1]
SEA = "0703"


def told(played: Played, *kinds: str) -> list[dict[str, Any]]:
    return [t.event for t in played.told if t.event["event"] in kinds]


def volleys(played: Played) -> list[tuple[int, str]]:
    """(battle round, block) of each volley, in order."""
    return [(e["round"], e["block"]) for e in told(played, "block-fired")]


def rounds(played: Played) -> list[int]:
    return [e["round"] for e in told(played, "battle-round-began")]


def attack(hex: str, *codes: str, cv: int = 2, origin: str = "0507", kind: str = "march") -> dict[str, Any]:
    """Red blocks that have come into a hex."""
    return {
        f"R-{code}{60 + n}": block("red", code, cv, **came(hex, origin, kind)) for n, code in enumerate(codes)
    }


def defence(hex: str, *codes: str, cv: int = 2, owner: str = "green") -> dict[str, Any]:
    return {f"{owner[0].upper()}-{c}{70 + n}": block(owner, c, cv, hex=hex) for n, c in enumerate(codes)}


def battle(*sides: dict[str, Any], faces: Sequence[int] = MISS, standing: Any = None, **options: Any) -> Any:
    game = position({id: f for side in sides for id, f in side.items()}, only=[], **options)
    return game, fight(game, "red", faces, standing)


def test_nobody_is_hit_three_rounds_are_fought_and_the_attacker_leaves() -> None:
    game, played = battle(attack("0606", "AR"), defence("0606", "IN"))
    assert rounds(played) == [1, 2, 3]
    assert told(played, "hex-held")[0]["rounds"] == 3
    assert game.position.hex("R-AR60") == "0507"


def test_slots_run_from_fighters_to_infantry_and_the_defender_comes_first_in_each() -> None:
    _, played = battle(attack("0606", "IN", "AR"), defence("0606", "IN", "AR"))
    first = [who for round, who in volleys(played) if round == 1]
    assert first == ["green AR a", "red AR a", "green IN a", "red IN a"]


def test_everybody_left_acts_once_in_every_round() -> None:
    _, played = battle(attack("0606", "IN", "IN"), defence("0606", "IN"))
    assert [who for _, who in volleys(played)] == ["green IN a", "red IN a", "red IN b"] * 3


def test_a_block_that_died_before_its_slot_does_not_fire() -> None:
    sides = (attack("0606", "AR"), defence("0606", "IN", cv=1), defence("0606", "F", cv=4))
    _, played = battle(*sides, faces=[6, 6, 6, 6, 1, 6])
    assert volleys(played)[0] == (1, "green F a") and "green IN a" not in [who for _, who in volleys(played)]


def test_the_battle_ends_at_once_when_a_side_has_lost_its_last_block() -> None:
    """4.6.9: in mid-round; the infantry of slot 17 does not fire any more."""
    sides = (attack("0606", "AR", cv=4), attack("0606", "IN"), defence("0606", "IN", cv=1))
    _, played = battle(*sides, faces=HIT)
    assert volleys(played) == [(1, "red AR a")]
    assert told(played, "hex-held")[0] | {"role": "attacker", "rounds": 1} == told(played, "hex-held")[0]


def test_the_last_defender_who_retreats_ends_it_too() -> None:
    retreat = {"green": [{"doctrine": {"rules": [{"do": "retreat"}]}}]}
    _, played = battle(attack("0606", "MI"), attack("0606", "IN"), defence("0606", "AB"), standing=retreat)
    assert volleys(played) == [(1, "red MI a")]  # slot 13; airborne leave in slot 14, infantry is 17
    assert rounds(played) == [1]


def test_supply_units_left_alone_with_enemy_ground_blocks_are_overrun_at_the_end_of_the_round() -> None:
    sides = (attack("0606", "IN"), defence("0606", "SU", "RS"))
    game, played = battle(*sides)
    assert [e["block"] for e in told(played, "block-overrun")] == ["green RS a", "green SU a"]
    assert rounds(played) == [1]
    assert game.tracks["pool"]["green"]["SU"] >= 1


def test_with_one_block_that_fights_none_is_overrun() -> None:
    _, played = battle(attack("0606", "IN"), defence("0606", "SU"), defence("0606", "IN"))
    assert not told(played, "block-overrun")


def test_aircraft_and_ships_alone_overrun_nobody() -> None:
    sides = (attack("0606", "HB", kind="mission", origin="0505"), defence("0606", "SU"))
    game, played = battle(*sides)
    assert not told(played, "block-overrun")
    assert rounds(played) == [1, 2, 3] and "G-SU70" in game.position.counters


def test_supply_units_with_an_ally_who_fights_are_not_overrun() -> None:
    sides = (attack("0606", "IN"), defence("0606", "SU"), defence("0606", "IN", owner="blue"))
    assert not told(battle(*sides)[1], "block-overrun")


def test_when_nobody_has_a_target_left_the_battle_is_over() -> None:
    """4.6.9 (c): jets cannot hit ships, submarines cannot hit aircraft."""
    jets = attack(SEA, "JF", kind="mission", origin="0505")
    _, played = battle(jets, defence(SEA, "SS", owner="blue"))
    assert volleys(played) == [] and rounds(played) == [1]


def test_one_side_with_a_target_is_enough_to_go_on() -> None:
    bombers = attack(SEA, "DB", kind="mission", origin="0505")
    _, played = battle(bombers, defence(SEA, "SS", owner="blue"))
    assert volleys(played) == [(1, "red DB a"), (2, "red DB a"), (3, "red DB a")]


def test_a_block_that_was_not_activated_keeps_no_battle_going() -> None:
    idle = attack(SEA, "DB", kind="sail", origin="0603")
    idle["R-DB60"]["activated"] = False
    _, played = battle(idle, defence(SEA, "SS", owner="blue"))
    assert volleys(played) == [] and rounds(played) == [1]


def test_an_assault_whose_infantry_may_not_fire_yet_goes_into_round_2() -> None:
    """4.4.6: only marines fire in round 1 of an assault; that ends no battle."""
    landed = attack("0606", "IN", kind="assault", origin="0605")
    _, played = battle(landed, defence("0606", "F"))
    assert [round for round, who in volleys(played) if who == "red IN a"] == [2, 3]


def test_battles_are_fought_in_the_order_laid_down_and_one_after_the_other() -> None:
    sides = (attack("0606", "IN"), defence("0606", "IN", cv=1), attack("0908", "AR"))
    game = position({**sides[0], **sides[1], **sides[2], "G-IN4": {"cv": 1}}, only=[])
    game.tracks["battles"] = ["0908", "0606"]
    played = fight(game, "red", MISS)
    assert [e["hex"] for e in told(played, "battle-began", "battle-ended")] == [
        "0908",
        "0908",
        "0606",
        "0606",
    ]
    assert game.tracks["battles"] == []


def test_a_listed_hex_without_an_enemy_is_passed_over() -> None:
    game = position({**attack("0606", "IN"), **defence("0707", "IN")}, only=[])
    game.tracks["battles"] = ["0606"]
    played = fight(game, "red", MISS)
    assert not told(played, "battle-began") and game.tracks["battles"] == []


def test_a_battle_of_two_allies_against_nobody_is_none() -> None:
    game = position({**defence("0804", "IN", owner="blue"), **defence("0804", "AR")}, only=[])
    game.tracks["battles"] = ["0804"]
    assert not told(fight(game, "blue", MISS), "battle-began")


def test_without_a_list_the_lowest_battle_hex_is_fought() -> None:
    game = position(
        {**attack("0606", "IN"), **defence("0606", "IN"), **attack("0908", "AR"), "G-IN4": {}}, only=[]
    )
    game.tracks["active"] = "red"
    played = play(game, "2.T.4.3-8", AnyDice(MISS), "red")
    assert [e["hex"] for e in told(played, "battle-began")] == ["0606"]
    assert game.tracks["battles"] == ["0908"]


def test_what_everybody_is_told_when_the_blocks_are_turned_up() -> None:
    sides = (attack("0606", "AR", cv=3), defence("0606", "IN", cv=1), defence("0606", "IN", owner="blue"))
    _, played = battle(*sides)
    (began,) = told(played, "battle-began")
    assert began | {"hex": "0606", "attacker": "red", "defenders": ["blue", "green"]} == began
    assert began["attacking"] == ["red AR a CV 3"]
    assert began["defending"] == ["blue IN a CV 2", "green IN a CV 1"]
    assert told(played, "battle-began", "blocks-identified", "battle-round-began")[0] == began


def test_each_owner_is_told_which_of_his_blocks_is_which() -> None:
    _, played = battle(attack("0606", "AR", "AR", cv=3), defence("0606", "IN"))
    seen = [(t.audience, t.event["blocks"]) for t in played.told if t.event["event"] == "blocks-identified"]
    assert seen == [
        (("blue", "green"), ["green IN a is G-IN70"]),
        (("red",), ["red AR a is R-AR60", "red AR b is R-AR61"]),
    ]


def test_who_has_seen_the_last_enemy_die_retreats_no_more() -> None:
    """4.6.9: the battle ends in mid-round, so the infantry that was to leave in slot 17 stays."""
    leave = {"green": [{"doctrine": {"rules": [{"when": {"type": ["IN"]}, "do": "retreat"}]}}]}
    sides = (attack("0606", "IN", cv=1), defence("0606", "AR", "IN"))
    game, played = battle(*sides, faces=HIT, standing=leave)
    assert not told(played, "block-retreated") and game.position.hex("G-IN71") == "0606"


def shown(game: Game) -> dict[str, Any]:
    track = game.tracks["battle"]
    assert isinstance(track, dict)
    return track


def waiting(counters: dict[str, Any], orders: Any = None, dice: Any = ()) -> tuple[Game, Played]:
    game = position(counters, only=[], battle_mode="interactive")
    game.tracks["active"] = "red"
    return game, play(game, "2.T.4.2", ScriptedSource(orders or {}, list(dice)), "red")


def test_the_track_shows_round_slot_and_strengths_while_the_battle_waits() -> None:
    counters = {**attack("0606", "AR"), **defence("0606", "IN", cv=3)}
    game, played = waiting(counters, dice=[[1, 6]])
    assert [q.kind for q in played.pending] == ["unit-action"]
    assert shown(game) == {
        "hex": "0606", "round": 1, "slot": 17, "blocks": ["green IN a CV 2", "red AR a CV 2"]
    }  # fmt: skip


def test_in_the_second_round_the_track_says_so() -> None:
    counters = {**attack("0606", "AR"), **defence("0606", "IN", cv=3)}
    orders = {"green": {"unit-action": {"in_turn": [{"target": "G"}]}}}
    game, played = waiting(counters, orders, [[6, 6], [6, 6, 6]])
    assert [(q.party, q.kind) for q in played.pending] == [("red", "unit-action")]
    assert (shown(game)["round"], shown(game)["slot"]) == (2, 12)


def test_blocks_that_were_overrun_are_gone_from_the_track_when_the_rest_must_leave() -> None:
    counters = {
        **attack("0606", "IN"),
        **attack("0606", "F", kind="mission", origin="0505"),
        **defence("0606", "SU"),
    }
    stay = {"green": {"unit-action": {"in_turn": [{"do": "hold"}]}}}
    game, played = waiting(counters, stay, [[6, 6], [6, 6]])
    assert [(q.party, q.kind) for q in played.pending] == [("red", "destination")]
    assert shown(game)["blocks"] == ["red F a CV 2", "red IN a CV 2"]


@pytest.mark.parametrize(("cv", "left"), [(1, 0), (2, 1)])
def test_a_hit_counts_from_the_moment_it_falls(cv: int, left: int) -> None:
    """A block reduced before its slot rolls fewer dice (4.6.3)."""
    _, played = battle(attack("0606", "AR", cv=1), defence("0606", "IN", cv=cv), faces=[1])
    fired = [e["cv"] for e in told(played, "block-fired") if e["block"] == "green IN a" and e["round"] == 1]
    assert fired == ([left] if left else [])


def test_named_blocks_act_first_and_the_rest_by_id() -> None:
    order = {"red": [{"doctrine": {"fire_order": ["R-IN61"]}}]}
    _, played = battle(attack("0606", "IN", "IN"), defence("0606", "F"), standing=order)
    (first, second) = [e["block"] for e in told(played, "block-fired") if e["slot"] == 17 and e["round"] == 1]
    assert (first, second) == ("red IN b", "red IN a")


def test_blocks_in_the_loss_order_lose_before_those_that_are_not() -> None:
    order = {"green": [{"doctrine": {"loss_order": ["G-IN71"]}}]}
    _, played = battle(
        attack("0606", "AR", cv=1), defence("0606", "IN", "IN"), faces=[1, 6, 6, 6], standing=order
    )
    assert told(played, "block-lost-step")[0]["block"] == "green IN b"
