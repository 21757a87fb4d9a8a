"""The sample game of `ocs`: sound, and played again it comes out the same.

`python -m tests.tools.make_sample ocs` makes it anew, when a rule is changed that it used.
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
from tests.tools.make_sample import CROSSING_THE_TOL

SAMPLE = Path(__file__).parents[2] / "sample_games/ocs-crossing-the-tol"


@pytest.fixture(scope="module")
def checked() -> Verification:
    return verified(SAMPLE)


def test_the_archive_is_sound(checked: Verification) -> None:
    hint = "if a rule was changed on purpose: python -m tests.tools.make_sample ocs"
    assert checked.ok, "\n".join([*map(str, checked.findings), hint])


def test_the_results_follow_from_rules_orders_and_dice(checked: Verification) -> None:
    proved = " ".join(finding.text for finding in checked.of("proved"))
    assert "adjudicated again with ocs" in proved


def test_it_is_signed_with_the_published_keys() -> None:
    parties = json.loads((SAMPLE / "roster.json").read_bytes())["parties"]
    for party in parties:
        assert party["sign"] == public_line(public_of(CROSSING_THE_TOL.key(party["id"]))), party["id"]


def test_it_is_a_whole_game_to_its_victory_check_with_something_of_everything() -> None:
    kinds = Counter(str(event["event"]) for event in events(SAMPLE))
    assert kinds["game-won"] == 1 and kinds["victory-counted"] == 1
    for kind in (
        "supply-received",
        "railed",
        "fuelled",
        "moved",
        "mission-flown",
        "barraged",
        "combat-resolved",
        "trace-checked",
        "supply-used",
    ):
        assert kinds[kind], f"no {kind}"


def test_a_player_turn_takes_few_stages() -> None:
    """With standing orders and orders ahead on both sides: at most four a Player Turn on the average."""
    stages = len([path for path in (SAMPLE / "stages").iterdir() if path.is_dir()])
    assert stages <= 4 * 2 * CROSSING_THE_TOL.turns
