"""What holds after every battle, whatever the blocks, the dice and the options (4.6)."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.engine.game import Game
from pbem.systems.victory import SYSTEM
from pbem.systems.victory.rules.blocks import units
from pbem.systems.victory.rules.sides import Side, stack_limit
from pbem.systems.victory.rules.world import world_of
from tests.unit.victory_battle.helpers import block, came, fight, position

LAND = {"hex": "0606", "march": "0507", "sail": "0605", "assault": "0706", "mission": "0505", "drop": "0305"}
SEA = {"hex": "0703", "sail": "0603", "mission": "0505"}
ENTRY = {"air": "mission", "naval": "sail", "ground": "march"}
TYPES = list(SYSTEM.data("tables/units.yaml")["types"])
CLASSES = {code: t["class"] for code, t in SYSTEM.data("tables/units.yaml")["types"].items()}
STEPS = {code: t["steps"] for code, t in SYSTEM.data("tables/units.yaml")["types"].items()}
LIMIT = {"air": 2, "ground": 2, "naval": 2, "logistic": 2}
RETREATER = {"doctrine": {"rules": [{"when": {"cv_at_most": 1}, "do": "retreat"}]}}


@st.composite
def sides(draw: st.DrawFn, sea: bool) -> dict[str, dict[str, Any]]:
    """Blocks of red attacking blocks of green and blue in one hex, within stack limits."""
    place = SEA if sea else LAND
    allowed = [c for c in TYPES if not sea or CLASSES[c] in ("naval", "air")]
    found: dict[str, dict[str, Any]] = {}
    for role in ("attacker", "defender"):
        codes = [c for c in allowed if role == "defender" or CLASSES[c] != "logistic"]
        chosen = draw(st.lists(st.sampled_from(codes), min_size=1, max_size=5))
        count: dict[str, int] = {}
        for number, code in enumerate(chosen):
            cls = CLASSES[code]
            count[cls] = count.get(cls, 0) + 1
            if count[cls] > LIMIT[cls]:
                continue
            cv = draw(st.sampled_from(STEPS[code]))
            if role == "attacker":
                kind = "assault" if cls == "ground" and draw(st.booleans()) else ENTRY[cls]
                active = draw(st.integers(0, 5)) > 0
                found[f"R-{code}{70 + number}"] = block(
                    "red", code, cv, **came(place["hex"], place[kind], kind, activated=active)
                )
            else:
                owner = draw(st.sampled_from(["blue", "green"]))
                found[f"{owner[0].upper()}-{code}{70 + number}"] = block(owner, code, cv, hex=place["hex"])
    if sea and not any(CLASSES[f["type"]] == "naval" for f in found.values() if f["owner"] != "red"):
        found["B-SS99"] = block("blue", "SS", 1, hex=place["hex"])
    if not any(f["owner"] != "red" for f in found.values()):
        found["G-IN99"] = block("green", "IN", 1, hex=place["hex"])
    return found


@st.composite
def bystanders(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    """Blocks beside the battle hexes, so that ways out are narrow: each hex of one side, within limits."""
    found: dict[str, dict[str, Any]] = {}
    for hex, code in (
        ("0507", "IN"), ("0607", "IN"), ("0707", "IN"), ("0506", "IN"), ("0505", "F"), ("0804", "F"),
        ("0605", "BB"), ("0706", "BB"), ("0603", "BB"), ("0702", "BB"), ("0704", "BB"),
    ):  # fmt: skip
        owner = draw(st.sampled_from(["red", "green", None]))
        for number in range(draw(st.integers(1, 2)) if owner else 0):
            found[f"{str(owner)[0].upper()}-{code}{hex}{number}"] = block(str(owner), code, 3, hex=hex)
    return found


def census(game: Game) -> dict[tuple[str, str], int]:
    """Blocks per owner and type, on the map and in the pools together."""
    found: dict[tuple[str, str], int] = {}
    for unit in units(game):
        found[unit.owner, unit.type] = found.get((unit.owner, unit.type), 0) + 1
    for owner, pool in game.tracks["pool"].items():
        for code, number in pool.items():
            found[owner, code] = found.get((owner, code), 0) + number
    return found


def check_after(game: Game, before: dict[tuple[str, str], int], hex: str, fought: set[str]) -> None:
    assert census(game) == before, "blocks went astray"
    left = [u for u in units(game) if u.id in fought]
    assert not any(u.revealed or u.entry_from or u.entry_kind for u in left)
    owners = {u.owner for u in units(game, hex=hex)}
    assert not any(Side(game, owner).enemies(hex) for owner in owners), "both sides are still there"
    for one in left:
        cls = one.cls
        there = [u for u in Side(game, one.owner).units(one.hex) if u.cls == cls]
        assert len(there) <= stack_limit(game, one.hex, cls), f"{one} stands in a crowd"
        assert not Side(game, one.owner).enemies(one.hex)
        assert one.cls == "naval" or one.aboard or not world_of(game).is_sea(one.hex)
        assert one.cls != "air" or Side(game, one.owner).based(one), f"{one} flies on"
    assert game.tracks["battle"] is None


def with_hosts(around: dict[str, Any], blocks: dict[str, Any]) -> dict[str, Any]:
    """Bystanders, without enemies in the hexes the attackers came from."""
    came_from = {f.get("entry_from") for f in blocks.values()}
    return {id: f for id, f in around.items() if f["owner"] == "red" or f["hex"] not in came_from}


FACES = st.lists(st.integers(1, 6), min_size=7, max_size=31)
MODEST = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
OPTIONS = st.fixed_dictionaries(
    {
        "pursuit": st.booleans(),
        "flak_friendly_fire": st.booleans(),
        "loss_rule": st.sampled_from(["strongest", "owner"]),
        "battle_mode": st.sampled_from(["doctrine", "interactive"]),
    }
)


@MODEST
@given(sides(sea=False), bystanders(), FACES, OPTIONS, st.booleans())
def test_a_land_battle_leaves_one_side_and_legal_stacks(
    blocks: dict[str, Any],
    around: dict[str, Any],
    faces: list[int],
    options: dict[str, Any],
    timid: bool,
) -> None:
    game = position(blocks | with_hosts(around, blocks), only=[], **options)
    before, doctrine = census(game), [RETREATER] if timid else []
    played = fight(game, "red", faces, dict.fromkeys(("red", "blue", "green"), doctrine))
    assert played.ended
    check_after(game, before, LAND["hex"], set(blocks))


@MODEST
@given(sides(sea=True), bystanders(), FACES, OPTIONS, st.booleans())
def test_a_sea_battle_leaves_one_side_and_legal_stacks(
    blocks: dict[str, Any],
    around: dict[str, Any],
    faces: list[int],
    options: dict[str, Any],
    timid: bool,
) -> None:
    game = position(blocks | with_hosts(around, blocks), only=[], **options)
    before, doctrine = census(game), [RETREATER] if timid else []
    assert fight(game, "red", faces, dict.fromkeys(("red", "blue", "green"), doctrine)).ended
    check_after(game, before, SEA["hex"], set(blocks))


@MODEST
@given(sides(sea=False), FACES)
def test_nothing_public_names_a_block_by_its_id(blocks: dict[str, Any], faces: list[int]) -> None:
    game = position(blocks, only=[])
    played = fight(game, "red", faces)
    public = [str(told.event) for told in played.told if told.audience == ("*",)]
    assert not [id for id in blocks for text in public if id in text]


@MODEST
@given(sides(sea=False), FACES)
def test_what_is_told_adds_up_to_what_is_left(blocks: dict[str, Any], faces: list[int]) -> None:
    """A reader who knows the blocks at the start can follow every step loss to the end."""
    game = position(blocks, only=[])
    played = fight(game, "red", faces)
    told = [t.event for t in played.told]
    names = {
        line.partition(" is ")[0]: line.partition(" is ")[2]
        for event in told
        if event["event"] == "blocks-identified"
        for line in event["blocks"]
    }
    assert sorted(names.values()) == sorted(blocks)
    strength = {id: fields["cv"] for id, fields in blocks.items()}
    for event in told:
        if event["event"] == "block-lost-step":
            assert strength[names[event["block"]]] == event["before"]
            strength[names[event["block"]]] = event["after"]
        if event["event"] in ("block-eliminated", "block-overrun", "block-trapped"):
            strength[names[event["block"]]] = 0
    left = {u.id: u.cv for u in units(game)}
    assert {id: cv for id, cv in strength.items() if cv} == left


def test_the_roll_call_of_a_battle_does_not_depend_on_ids() -> None:
    """Two blocks exchange their ids: everybody else reads the same."""
    seen = []
    for first, second in (("G-IN1", "G-IN2"), ("G-IN2", "G-IN1")):
        attack = {"R-AR1": came("0606", "0507", cv=1)}
        game = position({**attack, first: {"cv": 4}, second: {"cv": 2}}, only=[])
        played = fight(game, "red", [6])
        seen.append(next(t.event for t in played.told if t.audience == ("*",)))
    assert seen[0] == seen[1]
    assert seen[0]["defending"] == ["green IN a CV 4", "green IN b CV 2"]
