"""The sample game of `totaler-krieg`: sound, and played again it comes out the same.

`python -m tests.tools.make_sample totaler-krieg` makes it anew, when a rule is changed that it used.
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
from tests.tools.make_sample import LODESTAR

FACTION_TURNS = 12
SAMPLE = Path(__file__).parents[2] / "sample_games/totaler-krieg-lodestar"


@pytest.fixture(scope="module")
def checked() -> Verification:
    return verified(SAMPLE)


def test_the_archive_is_sound(checked: Verification) -> None:
    hint = "if a rule was changed on purpose: python -m tests.tools.make_sample totaler-krieg"
    assert checked.ok, "\n".join([*map(str, checked.findings), hint])


def test_the_results_follow_from_rules_orders_and_dice(checked: Verification) -> None:
    proved = " ".join(finding.text for finding in checked.of("proved"))
    assert "adjudicated again with totaler-krieg" in proved


def test_it_is_signed_with_the_published_keys() -> None:
    parties = json.loads((SAMPLE / "roster.json").read_bytes())["parties"]
    for party in parties:
        assert party["sign"] == public_line(public_of(LODESTAR.key(party["id"]))), party["id"]


def test_it_is_a_whole_game_to_its_victory_check() -> None:
    kinds = Counter(str(event["event"]) for event in events(SAMPLE))
    assert kinds["game-won"] == 1 and kinds["turn-began"] == 3 and kinds["victory-checked"] >= 3
    for kind in ("card-revealed", "replaced", "placed", "organized", "moved", "attacked", "delayed"):
        assert kinds[kind], f"no {kind}"


def test_a_faction_turn_takes_few_mails() -> None:
    stages = len(list((SAMPLE / "stages").iterdir()))
    assert stages <= 6 * FACTION_TURNS, "at most six stages a faction turn"
