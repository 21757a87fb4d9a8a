"""The sample game of `diplomacy`: sound, and played again it comes out the same.

`python -m tests.tools.make_sample diplomacy` makes it anew. There are no dice, so its order files, written by
hand, decide it.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from pbem.text.loading import load_data
from pbem.trust.keys import public_of
from pbem.trust.sshsig import public_line
from tests.samples.archives import events, verified
from tests.tools.make_sample import THREE_SHORES

SAMPLE = Path(__file__).parents[2] / "sample_games/diplomacy-three-shores"


def test_the_archive_is_sound_and_the_results_follow_from_rules_and_orders() -> None:
    checked = verified(SAMPLE)
    assert checked.ok, "\n".join(map(str, checked.findings))
    assert "adjudicated again with diplomacy" in " ".join(one.text for one in checked.of("proved"))


def test_it_is_signed_with_the_published_keys() -> None:
    for party in json.loads((SAMPLE / "roster.json").read_bytes())["parties"]:
        assert party["sign"] == public_line(public_of(THREE_SHORES.key(party["id"]))), party["id"]


def test_it_shows_every_kind_of_order_and_ends_with_seven_supply_centres() -> None:
    told = events(SAMPLE)
    kinds = Counter(str(event["event"]) for event in told)
    for kind in ("moved", "held", "supported", "convoyed", "dislodged", "retreated", "built", "disbanded"):
        assert kinds[kind], f"no {kind}"
    (won,) = [event for event in told if event["event"] == "won"]
    assert (won["winner"], won["centres"]) == ("brenn", 7)


def test_its_order_files_are_what_was_played() -> None:
    """Each move in the order files was carried out: none was illegal and thought of anew."""
    for party in ("aldar", "brenn", "corva"):
        written = load_data((SAMPLE / "orders" / f"{party}.yaml").read_bytes(), party)["answers"]
        orders = [len(answer["orders"]) for key, answer in written.items() if key.endswith("/moves")]
        verbs = ("moved", "move-failed", "supported", "convoyed", "held")
        told = [event for event in events(SAMPLE) if event.get("player") == party and event["event"] in verbs]
        assert len(orders) == 6 and sum(orders) == len(told), party
