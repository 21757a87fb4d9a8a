"""Dice: one seed per stage, rolls by name, checkable without any rules."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.trust import dice
from pbem.trust.errors import BadShape
from pbem.trust.roster import Roster

SEED = bytes(range(32))


@pytest.fixture(scope="module")
def stage_seed(vectors: dict[str, Any]) -> bytes:
    return bytes.fromhex(vectors["seed"]["seed"])


def links(data: dict[str, str], roster: Roster) -> list[tuple[str, bytes]]:
    return [(party.id, bytes.fromhex(data[party.id])) for party in roster.parties if party.id in data]


def test_the_seeds_of_the_vectors(vectors: dict[str, Any], roster: Roster) -> None:
    want = vectors["seed"]
    all_links = links(want["links"], roster)
    assert dice.seed(roster.game_id, 1, roster.game_id, all_links).hex() == want["seed"]
    assert dice.seed(roster.game_id, 1, roster.game_id, all_links[:2]).hex() == want["seed_without_south"]
    for later in (vectors["seed_2"], vectors["amend"]["seed_3"]):
        before = bytes.fromhex(later["before"])
        made = dice.seed(roster.game_id, later["stage"], before, links(later["links"], roster))
        assert made.hex() == later["seed"]


def test_the_hidden_seed_of_the_vectors(vectors: dict[str, Any], roster: Roster, stage_seed: bytes) -> None:
    key = dice.hidden_key(bytes.fromhex(vectors["gm_secret"]), roster.game_id, 1)
    assert key.hex() == vectors["seed"]["hidden_key"]
    hidden = dice.hidden_seed(stage_seed, key)
    assert hidden.hex() == vectors["seed"]["hidden_seed"]
    want = vectors["hidden_roll"]
    label = json.loads(want["label"])
    assert dice.Stream(hidden, label).take(24).hex() == want["first_bytes"]
    assert dice.roll(want["dice"], hidden, label) == want["result"]


def test_the_rolls_of_the_vectors(vectors: dict[str, Any], stage_seed: bytes) -> None:
    assert len(vectors["rolls"]) == 8
    for want in vectors["rolls"]:
        label, first = json.loads(want["label"]), bytes.fromhex(want["first_bytes"])
        assert dice.Stream(stage_seed, label).take(len(first)) == first
        if "dice" in want:
            assert dice.roll(want["dice"], stage_seed, label) == want["result"]
        else:
            assert "".join(dice.shuffle(want["shuffle"], stage_seed, label)) == want["result"]
            assert dice.draw(3, want["shuffle"], stage_seed, label) == list(want["result"][:3])


def test_openssl_gives_the_same_stream(stage_seed: bytes) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl here to compare with")
    label: list[str | int] = ["combat", "n-07", "0713", 1]
    parts = (b"pbem/v1/roll", stage_seed, json.dumps(label, separators=(",", ":")).encode())
    given = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    command = [openssl, "dgst", "-shake256", "-xoflen", "24", "-binary"]
    done = subprocess.run(command, input=given, capture_output=True)
    if done.returncode:
        pytest.skip(f"this openssl does not know SHAKE-256: {done.stderr!r}")
    assert dice.Stream(stage_seed, label).take(24) == done.stdout


# --- streams and numbers --------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 90), max_size=12))
def test_a_stream_is_the_same_in_whatever_pieces_it_is_taken(pieces: list[int]) -> None:
    stream = dice.Stream(SEED, ["x"])
    assert b"".join(map(stream.take, pieces)) == dice.Stream(SEED, ["x"]).take(sum(pieces))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 2**32), st.integers(0, 9))
def test_numbers_stay_in_range(n: int, which: int) -> None:
    assert 0 <= dice.Stream(SEED, ["n", which]).uniform(n) < n


def test_a_choice_of_one_takes_nothing_from_the_stream() -> None:
    stream = dice.Stream(SEED, ["x"])
    assert [stream.uniform(1) for _ in range(3)] == [0, 0, 0]
    assert stream.take(8) == dice.Stream(SEED, ["x"]).take(8)
    for n in (0, -1, 2**32 + 1):
        with pytest.raises(ValueError, match="a choice can be among"):
            stream.uniform(n)


def test_values_at_the_end_of_the_range_are_thrown_again() -> None:
    # 250 leaves 6 of 256 values out: some label's first byte is one of them
    for i in range(500):
        first, second = dice.Stream(SEED, ["r", i]).take(2)
        if first >= 250 > second:
            assert dice.Stream(SEED, ["r", i]).uniform(250) == second
            return
    pytest.fail("no label whose first byte must be rejected")


def test_a_choice_among_many_takes_two_bytes_and_throws_the_rest_of_their_range_again() -> None:
    for i in range(50):  # 33,000 leaves half of 65,536 values out
        taken = dice.Stream(SEED, ["r", i]).take(40)
        pairs = (int.from_bytes(taken[n : n + 2], "big") for n in range(0, 40, 2))
        assert dice.Stream(SEED, ["r", i]).uniform(33_000) == next(pair for pair in pairs if pair < 33_000)


def test_dice_are_fair() -> None:
    counts = Counter(dice.roll("1000d6", SEED, ["fair"]) + dice.roll("1000d6", SEED, ["fair", 2]))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    assert sum((count - 2000 / 6) ** 2 / (2000 / 6) for count in counts.values()) < 20.5  # chi², p = 0.001


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(), max_size=20), st.data())
def test_a_shuffle_loses_nothing_and_a_draw_is_its_beginning(items: list[int], data: st.DataObject) -> None:
    shuffled = dice.shuffle(items, SEED, ["deck"])
    assert sorted(shuffled) == sorted(items)
    count = data.draw(st.integers(0, len(items)))
    assert dice.draw(count, items, SEED, ["deck"]) == shuffled[:count]
    with pytest.raises(ValueError, match="a draw of"):
        dice.draw(len(items) + 1, items, SEED, ["deck"])


def test_d66_is_two_dice_of_one_stream_tens_first() -> None:
    assert dice.roll("d66", SEED, ["event"]) == dice.roll("2d6", SEED, ["event"])
    assert len(dice.roll("1d66", SEED, ["event"])) == 1


@pytest.mark.parametrize(
    "odd",
    ["", "d6", "0d6", "2d0", "02d6", "2d06", "1001d6", "1d4294967297", "2D6", "2d6 ", "-1d6", "2d6+1", "٢d6"],
)
def test_dice_are_written_in_one_way(odd: str) -> None:
    with pytest.raises(ValueError, match="2d6 or d66"):
        dice.roll(odd, SEED, ["x"])
    assert len(dice.roll("1000d6", SEED, ["x"])) == 1000
    assert 1 <= dice.roll("1d4294967296", SEED, ["x"])[0] <= 2**32


@pytest.mark.parametrize("odd", [[], "combat", ["a", 1.5], ["a", None], ["a", True], ["a", ["b"]], [2**53]])
def test_a_label_is_a_list_of_strings_and_integers(odd: Any) -> None:
    with pytest.raises(Exception, match=r"named by|outside of") as caught:
        dice.roll("1d6", SEED, odd)
    assert not isinstance(caught.value, TypeError)


def test_dice_need_no_cryptography() -> None:
    code = "import sys\nfrom pbem.trust import dice\ndice.roll('2d6', bytes(32), ['x'])\n"
    code += "print('cryptography' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# --- rolls in events ------------------------------------------------------------------------------------

ROLL: dict[str, Any] = {"dice": "2d6", "label": ["combat", "n-07", "0713", 1], "result": [5, 4]}


def test_rolls_are_found_at_whatever_depth_and_recomputed(vectors: dict[str, Any], stage_seed: bytes) -> None:
    events: Any = json.loads(vectors["events"]["canonical"])
    assert list(dice.rolls_in(events)) == [ROLL]
    nested: Any = [{"event": "combat", "odds": {"throw": ROLL}, "more": [[{"other": ROLL}], 3, None]}, ROLL]
    found = list(dice.rolls_in(nested))
    assert found == [ROLL] * 3
    assert all(dice.recompute(one, stage_seed) == one["result"] for one in found)
    assert dice.recompute(ROLL, SEED) != [5, 4]
    deck: Any = {"label": ["deck"], "shuffle": ["a", "b", "c"], "result": []}
    assert dice.recompute(deck, SEED) == dice.shuffle(["a", "b", "c"], SEED, ["deck"])
    card: Any = {
        "label": ["deck"],
        "draw": 1,
        "from": ["a", "b", "c"],
        "result": [],
        "stage": 2,
        "hidden": True,
    }
    assert dice.recompute(card, SEED) == dice.draw(1, ["a", "b", "c"], SEED, ["deck"])


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"shuffle": []},
        {"hidden": False},
        {"stage": "1"},
        {"stage": True},
        {"dice": "d6"},
        {"dice": 6},
        {"dice": None},
        {"label": "combat"},
        {"label": []},
        {"from": []},
    ],
)
def test_a_roll_has_exactly_its_members(change: dict[str, Any]) -> None:
    with pytest.raises(BadShape):
        dice.recompute({**ROLL, **change}, SEED)


def test_a_draw_needs_its_list_and_no_more_than_it_has() -> None:
    odds: list[Any] = [
        {"draw": 1},
        {"draw": 2, "from": ["a"]},
        {"draw": True, "from": ["a"]},
        {"draw": 1, "from": "a"},
    ]
    for odd in odds:
        with pytest.raises(BadShape):
            dice.recompute({"label": ["x"], "result": [], **odd}, SEED)
