"""The page of a book that checks the game: one more implementation of the protocol, in the browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.verifying.public_evidence import public_evidence
from pbem.report.html import PAGES
from pbem.report.whole.book import CHECK_WORDS
from pbem.text.diagnostics import Refused
from tests.browser.auditing import audited
from tests.nightly import in_ci
from tests.samples.test_must_fail import CASES, unpack
from tests.unit.archive.forger import Forger
from tests.unit.archive.tampering_pages import say
from tests.unit.archive.tampering_readers import READERS

SAMPLES = Path(__file__).parents[2] / "sample_games"
BASES = ["open", "fog", "pair", "locked", "notes"]


def name_of(case: dict[str, Any]) -> str:
    return f"{case['base']}-{case['name'].replace(' ', '-')}"


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What the script says of each archive, by name; of one that no page would be made of, why."""
    folder = tmp_path_factory.mktemp("archives")
    evidence: dict[str, Any] = {}
    found: dict[str, dict[str, Any]] = {}

    def keep(name: str, root: Path) -> None:
        try:
            evidence[name] = public_evidence(root)
        except Refused as fault:
            found[name] = {"refused": str(fault)}

    for base in BASES:
        unpack.put(folder / base, unpack.base(base))
        keep(base, folder / base)
    for case in CASES:
        root = folder / name_of(case)
        unpack.put(root, unpack.base(case["base"]))
        unpack.put(root, case["changes"])
        keep(name_of(case), root)
    for sample in ("victory-sarn-strait", "wbts-marl-crossings"):
        keep(sample, SAMPLES / sample)
    return found | dict(zip(evidence, audited(list(evidence.values()), folder), strict=True))


@pytest.mark.parametrize("name", [*BASES, "victory-sarn-strait", "wbts-marl-crossings"])
def test_a_sound_game_is_found_sound(checked: dict[str, dict[str, Any]], name: str) -> None:
    found = checked[name]
    assert found.get("wrong") == [], found
    assert found["counts"]["signatures"] > 3 and found["counts"]["links"] > 2


def test_bids_and_dice_are_made_again(checked: dict[str, dict[str, Any]]) -> None:
    counts = checked["victory-sarn-strait"]["counts"]
    assert counts["openings"] > 5 and counts["rolls"] > 50


def test_two_runs_of_one_result_are_one_report_on_the_page_too(tmp_path: Path) -> None:
    """Seals and the line for people differ; head and events are equal (protocol 17.35)."""
    unpack.put(tmp_path / "game", unpack.base("open"))
    forger = Forger(tmp_path / "game")
    data = forger.data(forger.find(2, "report"))
    data["body"]["next"] = {"by": "Sunday"}
    say(tmp_path / "game", 2, data, "gm")
    (found,) = audited([public_evidence(tmp_path / "game")], tmp_path)
    assert found["wrong"] == []


def test_everything_that_can_be_wrong_has_words() -> None:
    script = (PAGES / "audit.js").read_text("utf-8")
    said = set(re.findall(r'(?:number|place|null), "([a-z-]+)"', script)) - set(claimed_in(script))
    assert {"signature", "seed", "roll", "opening", "prev", "role", "kept"} <= said
    assert not {f"wrong-{word}" for word in said} - set(CHECK_WORDS)


def claimed_in(script: str) -> list[str]:
    return re.findall(r'claim\((?:stage\.)?(?:number|place|null), "([a-z-]+)"', script)


def test_what_an_order_says_inside_does_not_hide_it(tmp_path: Path) -> None:
    """Only views are left out: the type that counts is that of the statement itself."""
    unpack.put(tmp_path, unpack.base("open"))
    sid = "ab" * 32
    order = '{"body":{"orders":[{"type":"view"}]},"type":"order"}'
    (tmp_path / "stages/0001" / f"{sid}.json").write_text(order, "utf-8")
    view = '{"body":{},"type":"view"}'
    (tmp_path / "stages/0001" / f"{'cd' * 32}.json").write_text(view, "utf-8")
    texts = [one["text"] for one in public_evidence(tmp_path)["stages"][1]["statements"]]
    assert order in texts and view not in texts


NOT_CHECKED = {
    "results": "results",
    "event": "results",
    "scenario": "scenario",
    "view": "views",
    "no-view": "views",
    "derived": "files",
    "readers": "texts",
}
"""What takes the rules of the game, a sealed view, or files that a page does not hold.

The code of the finding, and the name under which the page says that it did not look at it.
"""


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_forged_game_is_called_so_or_the_page_says_what_it_did_not_check(
    checked: dict[str, dict[str, Any]], case: dict[str, Any]
) -> None:
    found, code = checked[name_of(case)], case["expect"]["code"]
    assert "error" not in found, "the page would only say that it can't be read"
    if found.get("wrong") or "refused" in found:
        return
    assert NOT_CHECKED.get(code) in found["unchecked"], (code, found)
    assert case["name"] in EXCUSED, "the page passes this"


EXCUSED = {
    "the GM changes a group and the state hash",
    "the GM asks somebody else",
    "the GM makes up an event of no kind",
    "the GM makes up a field of an event",
    "allowed_signers has another key",
    "module.lock is another list",
    "state.yaml was edited",
    "a report for people says more",
    "a report for people says more, with hidden units",
    "an opened note is not what the record hashes",
    "a note that was committed to is for nobody",
    *(name for name, one in READERS.items() if one.reader),
}
"""What a page cannot find, each by name, so that no other slips in."""


@in_ci
def test_without_a_roster_the_page_says_so(tmp_path: Path) -> None:
    unpack.put(tmp_path / "game", unpack.base("open"))
    evidence = public_evidence(tmp_path / "game")
    rosters = ("", "{", "[]", '{"parties":[]}')
    for found in audited([{**evidence, "roster": roster} for roster in rosters], tmp_path):
        assert found["wrong"] == [{"stage": None, "what": "roster", "who": ""}]


def test_most_are_named_and_of_few_no_page_is_made(checked: dict[str, dict[str, Any]]) -> None:
    """What docs/auditing.md says."""
    cases = [checked[name_of(case)] for case in CASES]
    refused = sum("refused" in one for one in cases)
    named = sum(bool(one.get("wrong")) for one in cases)
    said = " ".join((Path(__file__).parents[2] / "docs/auditing.md").read_text("utf-8").split())
    assert f"Of the {len(cases)} archives" in said and f"the page names {named}" in said
    assert f"refuses {refused}" in said and f"The other {len(cases) - named - refused} " in said


def test_the_page_has_words_for_all_that_it_claims_and_leaves_unchecked(
    checked: dict[str, dict[str, Any]],
) -> None:
    script = (PAGES / "audit.js").read_text("utf-8")
    claimed = set(claimed_in(script))
    assert {"forfeit", "ruling", "left-out"} <= claimed
    left = set(checked["fog"]["unchecked"])
    assert "results" in left
    assert not {f"claim-{one}" for one in claimed} - set(CHECK_WORDS)
    assert not {f"unchecked-{one}" for one in left} - set(CHECK_WORDS)
