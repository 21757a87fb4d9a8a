"""The sample game: sound, signed with the published keys, and played again it comes out the same.

`python -m tests.tools.make_sample` makes it anew; that is needed when a rule is changed that the game used.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.verifying.verification import Verification
from pbem.model.events import rolls_in
from pbem.text.loading import load_data
from pbem.trust.keys import public_of
from pbem.trust.sshsig import public_line
from tests.samples.archives import verified

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_games/victory-sarn-strait"
KEYS = ROOT / "tests/data/keys"


def load(name: str) -> Any:
    return json.loads((SAMPLE / name).read_bytes())


@pytest.fixture(scope="module")
def checked() -> Verification:
    return verified(SAMPLE)


def events() -> list[Any]:
    names = sorted(path for path in (SAMPLE / "stages").glob("*/events.json"))
    return [event for path in names for event in json.loads(path.read_bytes())]


def test_the_archive_is_sound(checked: Verification) -> None:
    hint = "if a rule was changed on purpose: python -m tests.tools.make_sample"
    assert checked.ok, "\n".join([*map(str, checked.findings), hint])


def test_the_whole_game_was_adjudicated_again_hidden_part_included(checked: Verification) -> None:
    proved = " ".join(finding.text for finding in checked.of("proved"))
    assert "including hidden facts and dice" in proved
    assert [finding.code for finding in checked.of("claimed")] == ["last-head"]


def test_it_is_signed_with_the_published_keys() -> None:
    parties = {party["id"]: party["sign"] for party in load("roster.json")["parties"]}
    assert set(parties) == {"gm", "red", "blue", "green"}
    for party, key in parties.items():
        assert key == public_line(public_of((KEYS / party).read_bytes())), party


def test_it_is_a_whole_game_of_four_turns_with_something_of_everything() -> None:
    kinds = Counter(str(event["event"]) for event in events())
    assert kinds["game-turn-began"] + 1 == 4, "the first is in stage 0, which has no public events"
    assert kinds["game-won"] == 1
    for kind in ("bids-revealed", "battle-began", "blocks-responded", "supply-unit-revealed", "blocks-built"):
        assert kinds[kind], f"no {kind}"
    assert sum(1 for event in events() for _ in rolls_in(event)) > 50


def test_its_order_files_are_what_was_played() -> None:
    """The opened orders of the archive stand in the order files, so that the game can be played anew from
    them."""
    for party in ("red", "blue", "green"):
        written = load_data((SAMPLE / "orders" / f"{party}.yaml").read_bytes(), party)["answers"]
        unseal = next(
            statement
            for path in sorted(SAMPLE.glob("stages/*/*.json"))
            if len(path.stem) == 64 and (statement := json.loads(path.read_bytes()))["type"] == "unseal"
        )
        opened = [entry for by_id in unseal["body"]["openings"].values() for entry in by_id.items()]
        played = {key: entry["value"] for key, entry in opened if key in written}
        assert played and all(written[key] == value for key, value in played.items() if f"/{party}/" in key)


def test_nothing_private_is_in_it() -> None:
    names = {path.name for path in SAMPLE.iterdir()}
    assert not names & {"private", "inbox", "outbox", "mails"}
    assert not any(path.is_symlink() for path in SAMPLE.rglob("*"))
    text = b"".join(path.read_bytes() for path in SAMPLE.rglob("*") if path.is_file())
    assert b"PRIVATE KEY" not in text
