"""What a folder makes of locks and links, of the end of a fork, and of much that comes at once.

Each case is a block of a golden file, as in `test_reports_received`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from pbem.archive.adjudicating import gm_stage
from pbem.archive.ordering import signing
from pbem.archive.ordering.order_file import Checked
from pbem.trust.armour import Signed
from tests.unit.archive.mailing import resigned
from tests.unit.archive.reported_games import Reported, south
from tests.unit.archive.table import Seat, chooser, signer_of, statements_in
from tests.unit.archive.test_refusals import Block, asked, north
from tests.unit.archive.test_reports_received import Lines, of, read, second, without
from tests.unit.archive.test_what_is_received import said

Case = Callable[[Reported], Lines]


def changed(parts: list[Signed], type_: str, change: Callable[[dict[str, Any]], object]) -> list[Signed]:
    """The statement of a type with something changed, signed by who made it."""
    (one,) = of(parts, type_)
    return [resigned(one, json.loads(one.data)["from"], change)]


def accepts_nothing(data: dict[str, Any]) -> None:
    """The lock says that nobody's orders came in time."""
    accepted = data["body"]["accepted"]
    data["body"] = {"accepted": dict.fromkeys(accepted), "forfeits": sorted(accepted)}


def newer_order(r: Reported) -> tuple[Seat, Signed]:
    """One who was asked signs again, too late for the lock."""
    seat = r.alone(asked(r.told[0]))
    return seat, statements_in(seat.answer_all(chooser(6)))[-1]


LOCKS: dict[str, Case] = {
    "a lock": lambda r: read(r, north(r.told[0]), r.told[1], r.told[1]),
    "a lock whose order is missing, then the order": lambda r: read(
        r, _without_orders(r), of(r.told[1], "lock"), without(r.told[1], "lock")
    ),
    "a lock that takes older orders": lambda r: read(r, newer_order(r)[0], r.told[1]),
    "a lock that takes older orders, which were late": lambda r: read(
        r, newer_order(r)[0], r.told[1], late=True
    ),
    "a lock that a player has signed": lambda r: read(
        r,
        north(r.told[0]),
        [resigned(of(r.told[1], "lock")[0], "south", lambda data: data.update({"from": "south"}))],
    ),
    "another lock": lambda r: read(
        r, north(r.told[0]), r.told[1], changed(r.told[1], "lock", accepts_nothing)
    ),
    "two locks at once": lambda r: read(
        r, north(r.told[0]), [*r.told[1], *changed(r.told[1], "lock", accepts_nothing)]
    ),
    "a lock of an order that was never sent": lambda r: read(
        r,
        north(r.told[0]),
        changed(
            r.told[1],
            "lock",
            lambda data: data["body"]["accepted"].update({asked(r.told[0]).name: "ab" * 32}),
        ),
    ),
    "a link": lambda r: read(r, north(r.linked[0]), of(r.linked[1], "link"), of(r.linked[1], "link")),
    "a link to the GM": lambda r: read(r, r.linked[0].gm, r.linked[1]),
    "a link before its lock": lambda r: read(
        r, north(r.told[0]), of(r.linked[1], "link"), of(r.linked[1], "lock")
    ),
    "a link with its lock": lambda r: read(r, north(r.told[0]), r.linked[1]),
    "a link to a GM who has lost the lock": lambda r: read(r, _without_lock(r), r.linked[1]),
    "a link that answers another lock": lambda r: read(
        r,
        r.linked[0].gm,
        changed(r.linked[1], "link", lambda data: data["body"].update(answers="ab" * 32)),
    ),
    "a link that leads to no anchor": lambda r: read(
        r, r.linked[0].gm, changed(r.linked[1], "link", lambda data: data["body"].update(link="ab" * 32))
    ),
    "a second link": lambda r: read(r, r.linked[0].gm, r.linked[1], changed(r.linked[1], "link", second)),
    "an order after the lock": lambda r: read(r, r.told[0].gm, [newer_order(r)[1]]),
    "a report under a lock without the links": lambda r: read(r, north(r.linked[0]), _hasty(r)),
}


def _without_orders(r: Reported) -> Seat:
    seat = r.alone(south(r.told[0]))
    for file in (seat.root / "stages/0003").iterdir():
        file.unlink()
    return seat


def _without_lock(r: Reported) -> Seat:
    seat = r.alone(r.linked[0].gm)
    for file in (seat.root / "stages/0003").glob("*.json"):
        if b'"type":"lock"' in file.read_bytes():
            file.unlink()
            file.with_suffix(".sig").unlink()
    return seat


def _hasty(r: Reported) -> list[Signed]:
    """The report of the stage, which names a link that does not come with it."""
    table = r.linked[0].copy(r.place())
    table.gm.receive_signed(*r.linked[1])
    table.follow()
    assert gm_stage.adjudicate(table.gm.folder, table.gm.signer).done
    return of(statements_in(*table.gm.mails()), "report")


def later_standing(r: Reported) -> Seat:
    """The other of two, who has filed standing orders that the last word does not have."""
    _, reader, _ = r.last
    seat = r.alone(reader)
    signing.sign_orders(seat.folder, Checked(standing=[], only_standing=True), seat.signer)
    return seat


TWO: dict[str, Case] = {
    "the last word": lambda r: read(r, r.last[1], r.last[2], r.last[2]),
    "the last word beside standing orders": lambda r: read(r, later_standing(r), r.last[2]),
    "the last word with another head": lambda r: read(
        r,
        r.last[1],
        changed(r.last[2], "link", lambda data: data["body"].update(head="ab" * 32)),
        [said(r.alone(north(r.last[0])), "protest", {"text": "no"})],
    ),
    "the last word with a link that leads to no anchor": lambda r: read(
        r, r.last[1], changed(r.last[2], "link", lambda data: data["body"].update(link="ab" * 32))
    ),
    "the last word of who has spoken": lambda r: read(
        r,
        r.last[1],
        [resigned(r.last[2][-1], r.last[1].name, lambda data: data.update({"from": r.last[1].name}))],
    ),
    "the last word with a second revision": lambda r: read(
        r, r.last[1], r.last[2], changed(r.last[2], "link", second)
    ),
}


def end_only(r: Reported) -> list[Signed]:
    """The report that ends the fork, with the amendment, without the two that it ends."""
    stage = r.torn[1]
    report = [
        one for one in of(r.torn[2]["end"], "report") if json.loads(one.data)["body"]["record"].get("amends")
    ]
    return [
        *of(r.torn[2]["end"], "amend"),
        *(one for one in report if json.loads(one.data)["stage"] == stage),
    ]


def who(r: Reported, name: str) -> Seat:
    assert r.torn
    seat: Seat = getattr(r, name)
    return seat


FORKS: dict[str, Case] = {
    "the end of a fork": lambda r: read(r, who(r, "disputing"), r.torn[2]["end"], r.torn[2]["end"]),
    "the end of a fork of which one report is here": lambda r: read(r, who(r, "has_one"), r.torn[2]["end"]),
    "the end of a fork to who has read nothing": lambda r: read(r, who(r, "untouched"), r.torn[2]["end"]),
    "the end of a fork without the reports it ends": lambda r: read(
        r, who(r, "has_one"), end_only(r), r.torn[2]["dora"]
    ),
    "the end of a fork that not all have signed": lambda r: read(
        r, who(r, "disputing"), r.torn[2]["half"], of(end_only(r), "report")
    ),
    "a report of a fork that has ended": lambda r: read(
        r,
        who(r, "untouched"),
        r.torn[2]["end"],
        [resigned(of(r.torn[2]["gm"], "report")[0], "gm", other_dice)],
    ),
    "both reports after the end of their fork": lambda r: read(
        r, who(r, "disputing"), r.torn[2]["end"], r.torn[2]["gm"], r.torn[2]["dora"]
    ),
    "all at once": lambda r: read(
        r, who(r, "untouched"), [*r.torn[2]["dora"], *r.torn[2]["end"], *r.torn[2]["gm"]]
    ),
}


def other_dice(data: dict[str, Any]) -> None:
    data["body"]["record"].update(seed="ab" * 32)


def at_any_time(r: Reported) -> list[Signed]:
    """Protests of every stage with the new key, and with the old one."""
    seat = south(r.renewed[0])
    return [
        said(seat, "protest", {"text": f"no {signer} {stage}"}, signer_of(signer), stage=stage)
        for stage in (2, 3, 4, 5)
        for signer in ("south", "south, later")
    ]


TOGETHER: dict[str, Case] = {
    "all since a new key": lambda r: read(r, r.renewed[1], r.renewed[2]),
    "all since a new key, backwards": lambda r: read(r, r.renewed[1], r.renewed[2][::-1]),
    "protests with the old key and the new one": lambda r: read(
        r, r.renewed[1], [*at_any_time(r), *r.renewed[2]]
    ),
    "protests with both keys before all else": lambda r: read(
        r, r.renewed[1], at_any_time(r)[:6], r.renewed[2]
    ),
    "a protest that waits until its key is replaced": lambda r: read(
        r, r.renewed[1], at_any_time(r)[6:7], r.renewed[2]
    ),
    "an order of a stage that all have closed": lambda r: read(r, r.closed[0].gm, [r.closed[1]]),
    "an order of a closed stage beside all that closed it": lambda r: read(
        r, north(r.before["open"]), [r.closed[1], *statements_in(*r.closed[0].sent)]
    ),
}

CASES: dict[str, dict[str, Case]] = {
    "locks": LOCKS,
    "links-of-two": TWO,
    "forks": FORKS,
    "together": TOGETHER,
}


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name, cases in CASES.items() for title in cases]
)
def test_what_becomes_of_it_is_told(reported: Reported, golden_block: Block, name: str, title: str) -> None:
    golden_block(f"received-{name}.txt", list(CASES[name]), title, CASES[name][title](reported))
