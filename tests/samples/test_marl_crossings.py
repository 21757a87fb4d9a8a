"""The sample game of `wbts`: sound, and played again it comes out the same.

`python -m tests.tools.make_sample wbts` makes it anew; that is needed when a rule is changed that it used.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pbem.archive.verifying.verification import Verification
from pbem.model.events import rolls_in
from pbem.text.loading import load_data
from pbem.trust.keys import public_of
from pbem.trust.sshsig import public_line
from tests.samples.archives import events, verified
from tests.tools.make_sample import MARL_CROSSINGS

SAMPLE = Path(__file__).parents[2] / "sample_games/wbts-marl-crossings"


@pytest.fixture(scope="module")
def checked() -> Verification:
    return verified(SAMPLE)


def test_the_archive_is_sound(checked: Verification) -> None:
    hint = "if a rule was changed on purpose: python -m tests.tools.make_sample wbts"
    assert checked.ok, "\n".join([*map(str, checked.findings), hint])


def test_the_results_follow_from_rules_orders_and_dice(checked: Verification) -> None:
    proved = " ".join(finding.text for finding in checked.of("proved"))
    assert "adjudicated again with wbts" in proved


def test_it_is_signed_with_the_published_keys() -> None:
    parties = json.loads((SAMPLE / "roster.json").read_bytes())["parties"]
    for party in parties:
        assert party["sign"] == public_line(public_of(MARL_CROSSINGS.key(party["id"]))), party["id"]


def test_it_is_a_whole_game_to_its_victory_check() -> None:
    kinds = Counter(str(event["event"]) for event in events(SAMPLE))
    assert kinds["first-player"] == 4 and kinds["game-over"] == 1
    for kind in (
        "activated",
        "leader-tried",
        "battle-began",
        "combat-rolled",
        "losses-taken",
        "supply-tested",
    ):
        assert kinds[kind], f"no {kind}"
    assert sum(1 for event in events(SAMPLE) for _ in rolls_in(event)) > 40


def test_its_order_files_are_what_was_played() -> None:
    """The signed orders of the archive stand in the order files, so that it can be played anew from them."""
    compared = 0
    for path in sorted(SAMPLE.glob("stages/*/*.json")):
        statement = json.loads(path.read_bytes()) if len(path.stem) == 64 else {"type": ""}
        if statement["type"] == "order":
            party = statement["from"]
            written = load_data((SAMPLE / "orders" / f"{party}.yaml").read_bytes(), party)["answers"]
            for item in statement["body"]["orders"]:
                assert written[item["decision"]] == item["answer"]
                compared += 1
    assert compared > 5


def test_nothing_private_is_in_it() -> None:
    names = {path.name for path in SAMPLE.iterdir()}
    assert not names & {"private", "inbox", "outbox", "mails"}
    text = b"".join(path.read_bytes() for path in SAMPLE.rglob("*") if path.is_file())
    assert b"PRIVATE KEY" not in text
