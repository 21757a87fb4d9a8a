"""The sample game of `wif`: sound, and played again it comes out the same.

`python -m tests.tools.make_sample wif` makes it anew, when a rule is changed that it used.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pbem.archive.verifying.verification import Verification
from pbem.trust.keys import public_of
from pbem.trust.sshsig import public_line
from tests.samples.archives import events, verified
from tests.tools.make_sample import NARROW_SEA

SAMPLE = Path(__file__).parents[2] / "sample_games/wif-narrow-sea-1943"


@pytest.fixture(scope="module")
def checked() -> Verification:
    return verified(SAMPLE)


def test_the_archive_is_sound(checked: Verification) -> None:
    hint = "if a rule was changed on purpose: python -m tests.tools.make_sample wif"
    assert checked.ok, "\n".join([*map(str, checked.findings), hint])


def test_the_results_follow_from_rules_orders_and_dice(checked: Verification) -> None:
    proved = " ".join(finding.text for finding in checked.of("proved"))
    assert "adjudicated again with wif" in proved


def test_it_is_signed_with_the_published_keys() -> None:
    parties = json.loads((SAMPLE / "roster.json").read_bytes())["parties"]
    for party in parties:
        assert party["sign"] == public_line(public_of(NARROW_SEA.key(party["id"]))), party["id"]


def test_it_is_a_whole_game_to_its_last_turn() -> None:
    kinds = Counter(str(event["event"]) for event in events(SAMPLE))
    assert kinds["game-won"] == 1 and kinds["scored"] == NARROW_SEA.turns
    for kind in (
        "reorganized",
        "delivered",
        "ground-struck",
        "attacked",
        "marched",
        "taken",
        "arrived",
        "spent",
    ):
        assert kinds[kind], f"no {kind}"


def test_an_impulse_is_a_stage() -> None:
    """One letter an impulse; the letters before the first turn and after each are a stage of their own. The
    last stage plays out the last letters."""
    kinds = Counter(str(event["event"]) for event in events(SAMPLE))
    stages = len(list((SAMPLE / "stages").glob("*/record.json")))  # what follows the end has none
    assert stages <= kinds["impulse-began"] + NARROW_SEA.turns + 2
