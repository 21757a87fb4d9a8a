"""Why a click is no order: what the table says of own and other units, places near and far, in two systems.

If a difference is meant, run `pytest tests/golden --update-golden` and read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests import luck
from tests.cli.conftest import _here as _here
from tests.cli.test_board import Sitting
from tests.golden.digests import digest
from tests.nightly import in_ci


def reasons(at: Sitting, ids: list[str | None], places: list[str | None]) -> Iterator[str]:
    """Yield for each unit and place whether it is legal, why not, and the legal order nearest to it."""
    key = at.get("state")["questions"][0]["key"]
    for id in ids:
        for to in places:
            said = at.post("why", key=key, at=id, to=to)
            told = [f"{one['code']} [{one['rule']}] {one['message']}" for one in said["reasons"]]
            near = said["nearest"]["shown"] if said["nearest"] else ""
            head = "legal" if said["legal"] else f"{len(told)} reasons {digest(' '.join(told))}"
            yield f"{id} to {to}: {head}{f', near: {near}' if near else ''}"
            yield from (f"    {line}" for line in told[:2])


CLICKS: dict[str, tuple[str, str, list[str | None], list[str | None]]] = {
    "victory": (
        "red",
        "bid 2",
        ["R-AR2", "R-IN4", "R-SU1", "R-F1", "R-BB1", "0305", "0104", None],
        ["0405", "0505", "0606", "0304", "0101", "0205", "0502", "nowhere", None],
    ),
    "ocs": ("aster", "", ["A-21", "A-1", "07.06", None], ["07.06", "08.06", "06.05", "01.01", None]),
}


@in_ci
@pytest.mark.parametrize("system", CLICKS)
def test_what_is_no_order_is_told_as_it_was(
    system: str, tmp_path: Path, golden: Callable[[str, str], None]
) -> None:
    seat, first, ids, places = CLICKS[system]
    with luck.drawn_for(f"reasons in {system}"):
        at = Sitting(tmp_path, system, seat)
        if first:
            at.choose(at.get("state")["questions"][0]["key"], first)
            at.sign()
        golden(f"table-reasons-{system}.txt", "".join(f"{line}\n" for line in reasons(at, ids, places)))
