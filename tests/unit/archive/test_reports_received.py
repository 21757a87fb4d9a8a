"""What a folder makes of reports: those that count, wait or contradict others, and what came with them.

Each case is a block of a golden file, as in `test_what_is_received`. It also says where the folder is then,
and what its notes about false or contradicting reports say.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from pbem.trust.armour import Signed
from tests.unit.archive.games_at_points import Rooms
from tests.unit.archive.mailing import resigned, tree
from tests.unit.archive.reported_games import Reported
from tests.unit.archive.table import Seat, Table, chooser, statements_in
from tests.unit.archive.test_refusals import Block, north
from tests.unit.archive.test_what_is_received import _ID, got, said

Lines = list[str]
T = TypeVar("T")


def type_of(signed: Signed) -> str:
    name: str = json.loads(signed.data)["type"]
    return name


def of(parts: list[Signed], *types: str) -> list[Signed]:
    return [signed for signed in parts if type_of(signed) in types]


def without(parts: list[Signed], *types: str) -> list[Signed]:
    return [signed for signed in parts if type_of(signed) not in types]


Case = Callable[[Reported], Lines]


def read(r: Rooms, reader: Seat, *mails: list[Signed], late: bool = False) -> Lines:
    """What a copy of a folder makes of emails, one after the other, and how it is left."""
    seat = r.alone(reader)
    lines: Lines = []
    for mail in mails:
        lines += [*(["then"] if lines else []), *got(r, seat, *mail, late=late, copy=False)]
    folder = seat.folder
    lines.append(f"stage {folder.progress.open_stage} is open")
    for note in sorted((seat.root / "inbox").glob("[ef]*-*.txt")):
        lines += [f"{note.name} says:", *note.read_text("utf-8").splitlines()]
    return [_ID.sub("<id>", line) for line in lines]


def backup(r: Reported, name: str, lacks: str = "") -> Seat:
    """The GM's folder of before stage 3, restored; it may lack somebody's orders of that stage."""
    table = r.before[name]
    seat = r.alone(table.gm)
    played, _ = r.plain if name == "open" else r.foggy
    orders = [pair for _, pair in played.gm.folder.statements(3) if type_of(pair) == "order"]
    seat.receive_signed(*(one for one in orders if json.loads(one.data)["from"] != lacks))
    return seat


def false(parts: list[Signed], change: Callable[[dict[str, Any]], object], by: str = "gm") -> list[Signed]:
    """The same with another report, signed by who made it; the views are for what it says."""
    (report,) = of(parts, "report")
    return [resigned(one, by, change) if one is report else one for one in parts]


def other_state(data: dict[str, Any]) -> None:
    data["body"]["record"].update(state="ab" * 32)


def second(data: dict[str, Any]) -> None:
    data.update(rev=2)


def of_a_later_stage(data: dict[str, Any]) -> None:
    data.update(stage=4, prev="ab" * 32)
    data["body"]["record"].update(stage=4, prev="ab" * 32)


def deadline(data: dict[str, Any]) -> None:
    """The report says when answers are due: it has the same result."""
    data["body"].update(next={"by": "on Sunday"})


PLAIN: dict[str, Case] = {
    "a report": lambda r: read(r, north(r.plain[0]), r.plain[1]),
    "a report with hidden units": lambda r: read(r, north(r.foggy[0]), r.foggy[1]),
    "a report twice": lambda r: read(r, north(r.foggy[0]), r.foggy[1], r.foggy[1]),
    "a report without its view, then the view": lambda r: read(
        r, north(r.foggy[0]), without(r.foggy[1], "view"), of(r.foggy[1], "view")
    ),
    "a view, then its report": lambda r: read(
        r, north(r.foggy[0]), of(r.foggy[1], "view"), without(r.foggy[1], "view")
    ),
    "a report whose orders are missing, then these": lambda r: read(
        r, north(r.before["open"]), of(r.plain[1], "report"), without(r.plain[1], "report")
    ),
    "two copies of a report in one email": lambda r: read(
        r, north(r.plain[0]), [*false(r.plain[1], deadline), *of(r.plain[1], "report")]
    ),
    "another copy of a report that is here": lambda r: read(
        r, north(r.plain[0]), r.plain[1], of(false(r.plain[1], deadline), "report")
    ),
    "a copy of a report whose view is sealed anew": lambda r: read(
        r, north(r.foggy[0]), r.foggy[1], [_sealed_anew(one) for one in of(r.foggy[1], "report", "view")]
    ),
    "a report of a later stage": lambda r: read(
        r, north(r.plain[0]), of(false(r.plain[1], of_a_later_stage), "report")
    ),
    "a report that is false": lambda r: read(r, north(r.plain[0]), false(r.plain[1], other_state)),
    "a false report beside the right one of a higher revision": lambda r: read(
        r, north(r.plain[0]), [*false(r.plain[1], other_state), *of(false(r.plain[1], second), "report")]
    ),
    "a report that a player has signed": lambda r: read(
        r,
        north(r.plain[0]),
        of(false(r.plain[1], lambda data: data.update({"from": "south"}), "south"), "report"),
    ),
    "two reports of a stage that is open": lambda r: read(
        r, north(r.plain[0]), [*r.plain[1], *of(false(r.plain[1], other_state), "report")]
    ),
    "two reports of a stage, then a protest and a third": lambda r: read(
        r,
        north(r.plain[0]),
        [*r.plain[1], *of(false(r.plain[1], other_state), "report")],
        [said(r.plain[0].players["south"], "protest", {"text": "no"})],
        of(false(r.plain[1], second), "report"),
    ),
    "a second report of a stage that has ended": lambda r: read(
        r, north(r.plain[0]), r.plain[1], of(false(r.plain[1], other_state), "report")
    ),
    "orders after the report": lambda r: read(r, north(r.plain[0]), r.plain[1], [_late(r)]),
}


def _sealed_anew(signed: Signed) -> Signed:
    """The report names another sealed copy of each view, as if it was sealed and signed twice."""

    def change(data: dict[str, Any]) -> None:
        if data["type"] == "report":
            data["body"]["views"] = dict.fromkeys(data["body"]["views"], "ef" * 32)
        else:
            data["body"]["view"] = "AAAA" * 100

    return resigned(signed, "gm", change)


def _late(r: Reported) -> Signed:
    """The first order of stage 3 with another revision."""
    table = r.plain[0]
    (order, *_) = (pair for one, pair in table.gm.folder.statements(3) if one.type == "order")
    return resigned(order, json.loads(order.data)["from"], second)


OWN: dict[str, Case] = {
    "a report of one's own": lambda r: read(r, backup(r, "open"), r.plain[1]),
    "a report of one's own with hidden units": lambda r: read(r, backup(r, "fog"), r.foggy[1]),
    "a report of one's own whose orders are missing": lambda r: read(
        r, r.before["fog"].gm, of(r.foggy[1], "report")
    ),
    "a report of one's own in another's name": lambda r: read(
        r, backup(r, "open"), of(false(r.plain[1], lambda data: None, "north"), "report")
    ),
    "a report of one's own that names another result": lambda r: read(
        r, backup(r, "open"), of(false(r.plain[1], other_state), "report")
    ),
    "a report of one's own with other dice": lambda r: read(
        r,
        backup(r, "fog"),
        of(
            false(
                r.foggy[1],
                lambda data: data["body"]["record"]["links"].update(gm="ab" * 32),
            ),
            "report",
        ),
    ),
    "the deputy's report, with the same result": lambda r: read(r, r.crossed[0].gm, r.crossed[2]),
    "the GM's report, to a deputy who has reported": lambda r: read(r, r.crossed[0].deputy, r.crossed[1]),
    "the GM's report, to a deputy who has not": lambda r: read(r, _deputy(r), r.crossed[1]),
    "a correction by a deputy without a charge": lambda r: read(
        r, north(r.handed), [_by_the_deputy(r)], of(_as_sent(r), "report")
    ),
    "an acknowledgement of a deputy on a charge of another history": lambda r: read(
        r,
        north(r.handed),
        [
            said(r.handed.deputy, "ack", {"have": ["ab" * 32, "cd" * 32]}),
            said(r.handed.gm, "charge", {"to": "dora"}, prev="ab" * 32),
        ],
    ),
    "the reports of GM and deputy": lambda r: read(
        r, north(r.crossed[0]), [*r.crossed[1], *r.crossed[2]], r.crossed[2]
    ),
    "the reports of deputy and GM, one after the other": lambda r: read(
        r, north(r.crossed[0]), r.crossed[2], r.crossed[1], r.crossed[2]
    ),
    "the reports of GM and deputy, without the charge": lambda r: read(
        r, _uncharged(r), r.crossed[2], r.crossed[1]
    ),
}


def _deputy(r: Reported) -> Seat:
    """The deputy in charge, before stage 4 has been reported."""
    assert r.crossed
    return r.waiting_deputy


def _as_sent(r: Reported) -> list[Signed]:
    folder = r.handed.gm.folder
    return [pair for _, pair in folder.statements(folder.stage)]


def _by_the_deputy(r: Reported) -> Signed:
    """The newest report once more as a second revision, which the deputy has signed."""
    (report,) = of(_as_sent(r), "report")
    return resigned(report, "dora", lambda data: data.update({"from": "dora", "rev": 2}))


def _uncharged(r: Reported) -> Seat:
    """A player to whom the charge of the deputy did not come."""
    seat = r.alone(north(r.crossed[0]))
    for stage in (seat.root / "stages").iterdir():
        for file in stage.glob("*.json"):
            if b'"type":"charge"' in file.read_bytes():
                file.unlink()
                file.with_suffix(".sig").unlink()
    return seat


CORRECTED: dict[str, Case] = {
    "a correction": lambda r: read(r, north(r.wrong[0]), r.wrong[1]),
    "a correction with hidden units": lambda r: read(r, north(r.wrong_fog[0]), r.wrong_fog[1]),
    "a correction without its view, then the view": lambda r: read(
        r, north(r.wrong_fog[0]), without(r.wrong_fog[1], "view"), of(r.wrong_fog[1], "view")
    ),
    "a correction twice": lambda r: read(r, north(r.wrong[0]), r.wrong[1], r.wrong[1]),
    "a correction after orders": lambda r: read(r, _has_answered(r), r.wrong[1]),
    "a correction, then orders on the report before": lambda r: read(
        r, north(r.wrong[0]), r.wrong[1], [_order_before(r)]
    ),
    "a correction that is false": lambda r: read(
        r, north(r.wrong[0]), of(false(r.wrong[1], other_state), "report")
    ),
    "a correction beside a fork": lambda r: read(
        r,
        north(r.wrong[0]),
        of(false(r.wrong[1], lambda data: (other_state(data), data.update(rev=1))), "report"),
        r.wrong[1],
    ),
    "a correction of a stage before": lambda r: read(r, north(r.wrong[0]), [_second_of(r.wrong[0], 2)]),
    "a correction of the set-up": lambda r: read(r, north(r.wrong[0]), [_second_of(r.wrong[0], 0)]),
    "the third revision without the second": lambda r: read(
        r, north(r.wrong[0]), of(false(r.wrong[1], lambda data: data.update(rev=3)), "report"), r.wrong[1]
    ),
    "two corrections of one revision": lambda r: read(
        r, north(r.wrong[0]), [*r.wrong[1], *of(false(r.wrong[1], other_state), "report")]
    ),
    "a correction to a GM who has lost it": lambda r: read(r, _lost(r, "open"), of(r.wrong[1], "report")),
    "a correction with hidden units to a GM who has lost it": lambda r: read(
        r, _lost(r, "fog"), r.wrong_fog[1]
    ),
    "report and correction at once": lambda r: read(r, r.alone(north(r.before["open"])), _both(r.wrong)),
    "report and correction at once with hidden units": lambda r: read(
        r, r.alone(north(r.before["fog"])), _both(r.wrong_fog)
    ),
}


def _second_of(table: Table, stage: int) -> Signed:
    """A second revision of an old report."""
    (report,) = (pair for one, pair in table.gm.folder.statements(stage) if one.type == "report")
    return resigned(report, "gm", second)


def _lost(r: Reported, name: str) -> Seat:
    """The folder of a GM who restored a backup of before the correction."""
    assert r.wrong and r.wrong_fog
    return r.alone(r.uncorrected[name])


def _both(corrected: tuple[Table, list[Signed]]) -> list[Signed]:
    """All that was said of stage 3, and the correction."""
    table, parts = corrected
    return [*parts, *statements_in(*table.sent)]


def _has_answered(r: Reported) -> Seat:
    seat = r.alone(r.wrong[0].asked()[0])
    seat.answer_all(chooser(5))
    return seat


def _order_before(r: Reported) -> Signed:
    seat = r.alone(r.wrong[0].asked()[0])
    return statements_in(seat.answer_all(chooser(5)))[-1]


CASES: dict[str, dict[str, Case]] = {"reports": PLAIN, "own-reports": OWN, "corrections": CORRECTED}


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name, cases in CASES.items() for title in cases]
)
def test_what_becomes_of_a_report_is_told(
    reported: Reported, golden_block: Block, name: str, title: str
) -> None:
    golden_block(f"received-{name}.txt", list(CASES[name]), title, CASES[name][title](reported))


@pytest.mark.parametrize("name", ["open", "fog"])
@pytest.mark.parametrize("stage", ["reported", "corrected"])
def test_a_gm_who_restored_a_backup_has_afterwards_what_there_was(
    reported: Reported, name: str, stage: str
) -> None:
    if stage == "reported":
        table, parts = reported.plain if name == "open" else reported.foggy
        seat = backup(reported, name)
    else:
        table, parts = reported.wrong if name == "open" else reported.wrong_fog
        seat = _lost(reported, name)
    seat.receive_signed(*parts)
    mine = ("outbox", "inbox", "private/order-book")
    now, then = (
        {file: data for file, data in tree(root).items() if not file.startswith(mine)}
        for root in (seat.root, table.gm.root)
    )
    assert [file for file in {**now, **then} if now.get(file) != then.get(file)] == []
