"""Who acts for the game master: charges, the word of a deputy, and what ends it (protocol-letters 5)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.stages import deputies
from pbem.stages.deputies import (
    acted_for_gm,
    charge_fault,
    check_charge,
    gm_is_back,
    is_ready,
    judges,
    mandate,
    needs_charge,
    ready,
)
from pbem.trust.statements import Statement
from tests.unit.archive.paper import last, refusal
from tests.unit.stages.desk import ELSEWHERE, Desk, Shelf, entry_of, roster_of

DORA = entry_of("dora", "deputy")
BID = {"north": ["bid"], "south": ["bid"]}


def desk_of(words: str = "deputy_days=5", open_: int = 4) -> Desk:
    return Desk(roster_of(words, DORA), open_, BID)


def charge(desk: Desk, sender: str, to: str, stage: int) -> Statement:
    return desk.says("charge", sender, {"to": to}, stage=stage, prev=desk.records[stage - 1].head)


def report(desk: Desk, sender: str, stage: int) -> Statement:
    record = desk.records[stage] if stage < len(desk.records) else desk.played()
    body = {"record": record.data, "events": []}
    return desk.says("report", sender, body, stage=stage, prev=record.prev)


def test_the_game_master_and_a_deputy_run_stages_and_between_two_nobody_does() -> None:
    assert judges(roster_of("", DORA)) == ("gm", "dora")
    assert judges(roster_of()) == ("gm",)
    assert judges(roster_of(dice="pair")) == ()


def test_a_report_says_who_acted() -> None:
    desk = desk_of()
    assert acted_for_gm(desk.roster, report(desk, "gm", 4)) is None
    assert acted_for_gm(desk.roster, report(desk, "dora", 4)) == "dora"
    two = Desk(roster_of(dice="pair"))
    assert acted_for_gm(two.roster, two.says("order", "north", {"orders": []})) is None


@pytest.mark.parametrize(
    ("words", "sender", "to", "wanted"),
    [
        ("", "gm", "dora", ""),
        ("", "gm", "gm", ""),
        ("", "dora", "gm", ""),
        ("", "gm", "north", "charge-to-nobody"),
        ("", "dora", "dora", "not-agreed"),
        ("answer_days=5", "dora", "dora", "not-agreed"),
        ("deputy_days=5", "dora", "dora", ""),
    ],
)
def test_a_deputy_takes_over_alone_where_days_were_agreed(
    words: str, sender: str, to: str, wanted: str
) -> None:
    desk = desk_of(words)
    fault = charge_fault(desk.roster, charge(desk, sender, to, 4))
    assert last(fault or "") == wanted and (not wanted or to in str(fault))
    alone = Desk(roster_of(words), 4, BID)
    assert last(charge_fault(alone.roster, charge(alone, "gm", "gm", 4))) == "no-deputy"


Said = tuple[str, str, int]
GIVEN: dict[str, tuple[list[Said], list[tuple[str, int]], Said | None]] = {
    # charges (by, to, stage), reports (by, stage), and the charge on which dora acts in stage 4
    "nothing was said": ([], [], None),
    "now": ([("gm", "dora", 4)], [], ("gm", "dora", 4)),
    "earlier": ([("gm", "dora", 2)], [], ("gm", "dora", 2)),
    "in the first stage": ([("gm", "dora", 1)], [], ("gm", "dora", 1)),
    "by herself": ([("dora", "dora", 3)], [], ("dora", "dora", 3)),
    "by both: the GM's own word": ([("dora", "dora", 3), ("gm", "dora", 3)], [], ("gm", "dora", 3)),
    "the newest": ([("gm", "dora", 2), ("gm", "dora", 3)], [], ("gm", "dora", 3)),
    "for somebody else": ([("gm", "north", 3)], [], None),
    "taken back": ([("gm", "dora", 2), ("gm", "gm", 3)], [], None),
    "taken back in the same stage": ([("gm", "dora", 3), ("gm", "gm", 3)], [], None),
    "taken back now": ([("gm", "dora", 2), ("gm", "gm", 4)], [], ("gm", "dora", 2)),
    "handed back by her": ([("gm", "dora", 2), ("dora", "gm", 3)], [], None),
    "given again": ([("gm", "dora", 1), ("gm", "gm", 2), ("gm", "dora", 3)], [], ("gm", "dora", 3)),
    "the GM reported since": ([("gm", "dora", 2)], [("gm", 3)], None),
    "the GM reported that stage": ([("gm", "dora", 2)], [("gm", 2)], None),
    "the GM reported before": ([("gm", "dora", 2)], [("gm", 1)], ("gm", "dora", 2)),
    "the GM reports now": ([("gm", "dora", 2)], [("gm", 4)], ("gm", "dora", 2)),
    "she reported": ([("gm", "dora", 2)], [("dora", 2), ("dora", 3)], ("gm", "dora", 2)),
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_charge_holds_until_the_game_master_is_back(name: str) -> None:
    charges, reports, wanted = GIVEN[name]
    desk = desk_of()
    said = {one: charge(desk, *one) for one in charges}
    shelf = Shelf(*said.values(), *(report(desk, *one) for one in reports))
    given = mandate(desk.progress, shelf)
    assert (given.charge if given else None) == (said[wanted] if wanted else None)
    assert given is None or given.alone == (wanted is not None and wanted[0] == "dora")
    view: Any = {"head": desk.progress.head, "view": "AAAA"}
    said_by_her = refusal(lambda: check_charge(desk.progress, shelf, desk.says("view", "dora", view)))
    assert said_by_her == ("" if wanted else "charge no-charge")
    back = any(to == "gm" and stage == 4 for _, to, stage in charges) or ("gm", 4) in reports
    assert gm_is_back(desk.progress, shelf) == back


def test_a_charge_that_comes_with_the_same_mail_counts() -> None:
    desk = desk_of()
    given = charge(desk, "gm", "dora", 4)
    assert (acts := mandate(desk.progress, Shelf(), [given])) is not None and acts.charge == given
    before = Shelf(charge(desk, "gm", "dora", 2))
    assert mandate(desk.progress, before, [charge(desk, "gm", "gm", 4)]) is not None, "it ends the next stage"


def test_a_charge_of_her_own_counts_only_while_days_are_agreed() -> None:
    desk = desk_of("")
    mine, of_gm = charge(desk, "dora", "dora", 3), charge(desk, "gm", "dora", 2)
    given = mandate(desk.progress, Shelf(mine, of_gm))
    assert given is not None and given.charge == of_gm
    assert mandate(desk.progress, Shelf(mine)) is None
    alone = Desk(roster_of(), 4, BID)
    assert mandate(alone.progress, Shelf(of_gm)) is None


def ack(desk: Desk, sender: str, have: list[str], unreadable: list[str], stage: int = 4) -> Statement:
    body = {name: listed for name, listed in (("have", have), ("unreadable", unreadable)) if listed}
    return desk.says("ack", sender, body, stage=stage, prev=desk.records[stage - 1].head)


def test_what_a_deputy_says_needs_a_charge_but_for_the_word_that_everything_follows() -> None:
    desk = desk_of()
    one, two = ELSEWHERE, "cd" * 32
    for listed, needs in (
        (([one], []), False),
        (([one, two], []), True),
        (([one], [two]), True),
        (([], [one]), True),
    ):
        said = ack(desk, "dora", *listed)
        assert (is_ready(said), needs_charge(desk.roster, said)) == (not needs, needs)
        assert not needs_charge(desk.roster, ack(desk, "gm", *listed))
    lock: Any = {"accepted": {}, "forfeits": []}
    acts: dict[str, Any] = {
        "lock": lock,
        "report": None,
        "unseal": {"secret": one},
        "view": {"head": one, "view": "AAAA"},
    }
    for type_, body in acts.items():
        said = report(desk, "dora", 4) if body is None else desk.says(type_, "dora", body)
        assert needs_charge(desk.roster, said), type_
        results = type_ in ("lock", "report", "view")
        assert needs_charge(roster_of(), said) == results, "she is not the deputy, or not yet"
    assert not needs_charge(desk.roster, charge(desk, "dora", "dora", 4))
    assert not needs_charge(desk.roster, desk.says("letter", "dora", {"n": 1, "text": "Hello"}))
    assert set(deputies.ACTS) == {"ack", *acts}


def test_a_deputy_is_ready_after_her_word_in_any_stage_about_what_is_no_order() -> None:
    desk = desk_of()
    order = desk.says("order", "north", {"orders": []}, stage=2, prev=desk.records[1].head)
    told = {
        "nothing": [],
        "of the handover": [ack(desk, "dora", [ELSEWHERE], [])],
        "in the first stage": [ack(desk, "dora", [ELSEWHERE], [], 1)],
        "by the GM": [ack(desk, "gm", [ELSEWHERE], [])],
        "of an order": [ack(desk, "dora", [order.sid], [], 2)],
        "of two": [ack(desk, "dora", [ELSEWHERE, order.sid], [])],
        "of both": [ack(desk, "dora", [order.sid], [], 2), ack(desk, "dora", [ELSEWHERE], [], 3)],
    }
    assert [name for name, said in told.items() if ready(desk.progress, Shelf(order, *said))] == [
        "of the handover",
        "in the first stage",
        "of both",
    ]
    alone = Desk(roster_of(), 4, BID)
    assert not ready(alone.progress, Shelf(*told["of the handover"]))
