"""The loader against the cases of the YAML test suite, which lie outside of the project."""

import json
import re
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.text.diagnostics import Refused
from pbem.text.yaml import load

SUITE = Path(__file__).parents[4] / "shared" / "data" / "yaml-test-suite" / "src"

# The YAML library accepts these although it should not; nothing in them is misread.
TOLERATED = {"9C9N", "9JBA", "CVW2", "DK95/1", "G5U8", "QB6E", "S98Z", "SU5Z", "X4QW", "YJV2"}
# Values read differently: fractions stay text, on purpose; of the last two the library drops an empty line.
DIFFERENT = {"229Q", "GH63", "RR7F", "SYW4", "YD5X", "ZF4X", "JEF9/2", "L24T/1"}


def unescaped(text: str) -> str:
    """The input with the signs replaced that stand for what cannot be seen."""
    text = re.sub("\u2014*\u00bb", "\t", text.replace("\u2423", " "))
    for sign, meant in {"\u2190": "\r", "\u21d4": "\ufeff", "\u21b5": ""}.items():
        text = text.replace(sign, meant)
    return re.sub("\u220e\n$", "", text)


@cache
def cases() -> dict[str, dict[str, Any]]:
    if not SUITE.is_dir():
        pytest.skip("../shared/data/yaml-test-suite is not here")
    from ruamel.yaml import YAML

    found = {}
    for path in sorted(SUITE.glob("*.yaml")):
        before: dict[str, Any] = {}
        several = YAML(typ="safe").load(path.read_text("utf-8"))
        for number, case in enumerate(several):
            before = {key: value for key, value in before.items() if key != "fail"} | case
            found[f"{path.stem}/{number}" if len(several) > 1 else path.stem] = before
    return found


def outcome(name: str, case: dict[str, Any], pure: bool) -> Any:
    """The value, or `Refused`; every fault has a place within reach of the file."""
    text = unescaped(case["yaml"])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            document = load(text, name, pure=pure)
    except Refused as refusal:
        for one in refusal.diagnostics:
            assert one.span and 1 <= one.span.line <= text.count("\n") + text.count("\r") + 2, (name, one)
        return Refused
    document.span(())
    return document.data


def test_every_case_is_read_or_refused_and_the_scanners_never_read_differently() -> None:
    for name, case in cases().items():
        read = [value for pure in (False, True) if (value := outcome(name, case, pure)) is not Refused]
        assert len(read) < 2 or read[0] == read[1], name


def test_what_the_suite_calls_wrong_is_refused(pure: bool) -> None:
    bad = {name: case for name, case in cases().items() if case.get("fail")}
    assert len(bad) == 94
    accepted = {name for name, case in bad.items() if outcome(name, case, pure) is not Refused}
    assert accepted <= TOLERATED


def test_what_is_read_has_the_value_the_suite_says(pure: bool) -> None:
    compared, different = 0, set()
    for name, case in cases().items():
        if case.get("fail") or not (case.get("json") or "").strip():
            continue
        value = outcome(name, case, pure)
        try:
            wanted = json.loads(case["json"])
        except ValueError:  # several documents
            assert value is Refused, name
            continue
        if value is not Refused:
            compared += 1
            if value != wanted:
                different.add(name)
    assert different <= DIFFERENT
    assert compared > 90
