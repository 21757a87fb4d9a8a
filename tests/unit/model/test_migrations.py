"""States of other formats: made into today's by steps, or refused for what they are."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.model import migrations
from pbem.model.migrations import migrate
from pbem.text.diagnostics import Refused


@pytest.fixture
def _steps(monkeypatch: pytest.MonkeyPatch) -> None:
    def first(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "format": "f/2", "added": 1}

    def second(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "format": "f/3", "added": data["added"] + 1}

    monkeypatch.setattr(migrations, "STEPS", {"f/1": first, "f/2": second})


def test_todays_format_stays_as_it_is() -> None:
    assert migrate({"format": "f/3", "at": []}, "f/3") == {"format": "f/3", "at": []}


@pytest.mark.parametrize("format_, added", [("f/1", 2), ("f/2", 3)])
@pytest.mark.usefixtures("_steps")
def test_earlier_formats_take_one_step_after_the_other(format_: str, added: int) -> None:
    old = {"format": format_, "added": 2}
    assert migrate(old, "f/3") == {"format": "f/3", "added": added}
    assert old == {"format": format_, "added": 2}


@pytest.mark.parametrize("format_", ["f/4", None, 1, "other"])
@pytest.mark.usefixtures("_steps")
def test_a_format_that_no_step_reads_is_refused(format_: Any) -> None:
    with pytest.raises(Refused) as error:
        migrate({"format": format_}, "f/3")
    assert error.value.diagnostics[0].code == "unknown-format"
    assert error.value.diagnostics[0].message == f"expected format f/3, found format {format_!r}"


@pytest.mark.usefixtures("_steps")
def test_a_leaf_that_is_open_is_never_migrated() -> None:
    with pytest.raises(Refused) as error:
        migrate({"format": "f/1", "open": {"journal": []}}, "f/3")
    assert error.value.diagnostics[0].code == "open-leaf"
