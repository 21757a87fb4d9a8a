"""The page of a book that checks the game: one more implementation of the protocol, in the browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.verifying.public_evidence import public_evidence
from pbem.report.book import CHECK_WORDS
from pbem.report.html import PAGES
from pbem.text.diagnostics import Refused
from tests.samples.test_must_fail import CASES, unpack

HERE = Path(__file__).parent
SAMPLES = Path(__file__).parents[2] / "sample_games"
BASES = ["open", "fog", "pair", "locked"]


def name_of(case: dict[str, Any]) -> str:
    return f"{case['base']}-{case['name'].replace(' ', '-')}"


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What the script says of each archive, by name; of one that no page would be made of, why."""
    if shutil.which("node") is None:
        pytest.skip("no Node.js here")
    folder = tmp_path_factory.mktemp("archives")
    files: dict[str, Path] = {}
    found: dict[str, dict[str, Any]] = {}

    def keep(name: str, root: Path) -> None:
        try:
            data = public_evidence(root)
        except Refused as fault:
            found[name] = {"refused": str(fault)}
            return
        files[name] = folder / f"{name}.json"
        files[name].write_text(json.dumps(data), "utf-8")

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
    done = subprocess.run(
        ["node", str(HERE / "audit.mjs"), str(PAGES / "audit.js")],
        input=json.dumps([str(path) for path in files.values()]),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return found | dict(zip(files, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("name", [*BASES, "victory-sarn-strait", "wbts-marl-crossings"])
def test_a_sound_game_is_found_sound(checked: dict[str, dict[str, Any]], name: str) -> None:
    found = checked[name]
    assert found.get("wrong") == [], found
    assert found["counts"]["signatures"] > 3 and found["counts"]["links"] > 2


def test_bids_and_dice_are_made_again(checked: dict[str, dict[str, Any]]) -> None:
    counts = checked["victory-sarn-strait"]["counts"]
    assert counts["openings"] > 5 and counts["rolls"] > 50


def test_everything_that_can_be_wrong_has_words() -> None:
    script = (PAGES / "audit.js").read_text("utf-8")
    calls = re.findall(r"expect\((?:[^;]|\n)*?\);", script)
    said = {word for call in calls for word in re.findall(r', "([a-z-]+)"(?:, [^,"]+)?\);$', call)}
    assert {"signature", "seed", "roll", "opening", "prev"} <= said
    assert not {f"wrong-{word}" for word in said} - set(CHECK_WORDS)


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


NOT_LOOKED_AT = {"results", "view", "unseal", "derived", "scenario", "no-view"}
"""What takes the rules of the game, a secret, or files beside the evidence."""


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_forged_game_is_called_so(checked: dict[str, dict[str, Any]], case: dict[str, Any]) -> None:
    found = checked[name_of(case)]
    if case["expect"]["needs_rules"] or case["expect"]["code"] in NOT_LOOKED_AT:
        return
    assert found.get("wrong") or "error" in found or "refused" in found, case["expect"]
