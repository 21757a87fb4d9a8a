"""Forged reports, locks and links of a stage: what a reader finds wrong, and whose it is (5.6, 10, 13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.stages import locked_dice, record_checks, two_players
from pbem.stages.faults import named
from pbem.stages.two_players import check_last, check_order, turn_of
from pbem.trust.statements import Statement
from tests.primer import FOG, SYSTEM
from tests.unit.archive.paper import Paper, Stage, kinds, last, other, put, refusal
from tests.unit.archive.table import Table, begun

BID, CARD = "T1/initiative/bid", "T1/cards/card"
ELSEWHERE = "ab" * 32
"""The id of a statement that nobody has, a link of nobody's chain."""


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Table:
    return begun(tmp_path_factory.mktemp("two"), SYSTEM, by=(5, 5, 5), dice="pair")


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Table:
    return begun(tmp_path_factory.mktemp("locked"), SYSTEM, by=(5, 5, 5), dice="locked")


@pytest.fixture(scope="module")
def both(two: Table) -> Stage:
    """Stage 3 of two players: south commits to a bid, north bids openly with a link, south's link ends it."""
    return Stage(two.players["north"].folder, 3)


@pytest.fixture(scope="module")
def alone(two: Table) -> Stage:
    """Stage 2 of two players: only north is asked and gives a link, and south's link ends it."""
    return Stage(two.players["north"].folder, 2)


@pytest.fixture(scope="module")
def bids(locked: Table) -> Stage:
    """Stage 3 under a lock: both commit to a bid, and their links open it."""
    return Stage(locked.players["north"].folder, 3)


# --- two players without a GM ---------------------------------------------------------------------------


def test_whose_turn_it_is_follows_from_what_is_here(both: Stage, alone: Stage) -> None:
    first, second, end = (
        both.paper.one("order", "south"),
        both.paper.one("order", "north"),
        both.paper.one("link", "south"),
    )
    told = []
    for here in ([], [first], [second], [first, second], [first, second, end]):
        turn = turn_of(both.progress, Paper(both.folder, 3, here))
        words = [last(turn.waits_for(party)) for party in ("south", "north")]
        told.append((turn.first, turn.second, turn.last, turn.to_write, len(turn.links), *words))
    sent = "your-order-went-out-with-its-link"
    assert told == [
        ("south", "north", "south", "south", 0, "", "first-order-is-not-here-yet"),
        ("south", "north", "south", "north", 0, "", ""),
        ("south", "north", "south", "south", 0, "", "first-order-is-not-here-yet"),
        ("south", "north", "south", "south", 0, sent, sent),
        ("south", "north", "south", "south", 1, sent, sent),
    ]
    assert turn.answered == second
    order, link = alone.paper.one("order", "north"), alone.paper.one("link", "south")
    told = []
    for here in ([], [order], [order, link]):
        turn = turn_of(alone.progress, Paper(alone.folder, 2, here))
        words = [last(turn.waits_for(party)) for party in ("south", "north")]
        told.append((turn.first, turn.second, turn.last, turn.to_write, len(turn.links), *words))
    nothing = "nothing-is-asked-of-party"
    assert told == [
        ("north", "", "south", "north", 0, nothing, ""),
        ("north", "", "south", "south", 0, nothing, sent),
        ("north", "", "south", "south", 1, nothing, sent),
    ]
    assert turn.answered == order


def test_the_first_may_revise_until_the_second_has_answered(both: Stage) -> None:
    first, second = both.paper.one("order", "south"), both.paper.one("order", "north")
    again = both.said(first, rev=2)
    assert turn_of(both.progress, Paper(both.folder, 3, [first, again])).first_order == again
    assert turn_of(both.progress, Paper(both.folder, 3, [first, again, second])).first_order == first
    elsewhere = both.said(first, prev=ELSEWHERE, rev=3)
    assert turn_of(both.progress, Paper(both.folder, 3, [first, elsewhere])).first_order == first
    later = both.said(second, rev=2)
    assert turn_of(both.progress, Paper(both.folder, 3, [first, second, later])).second_order == second
    links = [both.paper.one("link", "south"), both.said(both.paper.one("link", "south"), prev=ELSEWHERE)]
    assert turn_of(both.progress, Paper(both.folder, 3, [first, *links])).links == links[:1]


def test_whoever_wrote_last_orders_first_in_the_next_stage(two: Table, both: Stage, alone: Stage) -> None:
    assert two_players.last_word(both.progress, both.paper) == "south"
    start = two.players["north"].folder.progress_at(0)
    assert two_players.last_word(start, both.paper) == "north", "the first of the roster begins the game"
    end = alone.paper.one("link", "south")
    claimed = [alone.said(end, "north", head=ELSEWHERE), alone.said(end, "gm", head=alone.record.head)]
    for forged in claimed:
        paper = Paper(both.folder, 2, [forged])
        assert two_players.last_word(both.progress, paper) == "north", "another head, another's word"


Forge = Callable[[Stage, Statement], Statement]

ORDERS_OF_TWO: dict[str, tuple[str, Forge, str]] = {
    "first as it is": ("south", lambda s, o: o, ""),
    "first with a link": (
        "south",
        lambda s, o: s.said(o, link=ELSEWHERE),
        "turn first-order-must-not-have-link",
    ),
    "first that answers": (
        "south",
        lambda s, o: s.said(o, answers=ELSEWHERE),
        "turn first-order-must-not-have-link",
    ),
    "second as it is": ("north", lambda s, o: o, ""),
    "second without a link": (
        "north",
        lambda s, o: s.said(o, link=...),
        "turn order-must-have-link",
    ),
    "second with a wrong link": (
        "north",
        lambda s, o: s.said(o, link=ELSEWHERE),
        "link link-stage-does-not-lead",
    ),
    "second that answers nothing": (
        "north",
        lambda s, o: s.said(o, answers=...),
        "turn order-must-name-order",
    ),
    "second that answers what is not here": (
        "north",
        lambda s, o: s.said(o, answers=ELSEWHERE),
        "too-soon it-answers-order-that-is-not-here",
    ),
    "second once more": ("north", lambda s, o: s.said(o, rev=2), "revision revision"),
}


@pytest.mark.parametrize("case", ORDERS_OF_TWO)
def test_an_order_between_two_has_its_place(both: Stage, case: str) -> None:
    who, forge, why = ORDERS_OF_TWO[case]
    order = forge(both, both.paper.one("order", who))
    assert refusal(lambda: check_order(both.progress, order, both.paper)) == why


def test_an_order_of_the_only_one_who_is_asked_answers_nothing(alone: Stage) -> None:
    order = alone.paper.one("order", "north")
    assert refusal(lambda: check_order(alone.progress, order, alone.paper)) == ""
    forged = alone.said(order, answers=ELSEWHERE)
    assert (
        refusal(lambda: check_order(alone.progress, forged, alone.paper)) == "turn order-must-answer-no-other"
    )


LINKS_OF_TWO: dict[str, tuple[Callable[[Stage], tuple[Statement, Paper]], str]] = {
    "as it is": (lambda s: (s.paper.one("link", "south"), s.paper), ""),
    "of the other": (
        lambda s: (s.said(s.paper.one("link", "south"), "north"), s.paper),
        "turn last-word-is-for-another",
    ),
    "that answers what is not here": (
        lambda s: (s.paper.one("link", "south"), s.paper.without(s.paper.one("order", "north"))),
        "too-soon it-answers-no-order-here",
    ),
    "that answers its own order": (
        lambda s: (
            s.said(s.paper.one("link", "south"), answers=s.paper.one("order", "south").sid),
            s.paper,
        ),
        "turn it-answers-another-statement",
    ),
    "that answers a link": (
        lambda s: (
            s.said(s.paper.one("link", "south"), answers=_link_of_north(s).sid),
            s.paper.also(_link_of_north(s)),
        ),
        "turn it-answers-another-statement",
    ),
    "that answers an order without a link": (
        lambda s: _answering(s, s.said(s.paper.one("order", "north"), link=...)),
        "turn it-answers-another-statement",
    ),
    "whose own order is not here": (
        lambda s: (s.paper.one("link", "south"), s.paper.without(s.paper.one("order", "south"))),
        "too-soon order-that-it-opens-is-not-here",
    ),
    "to an order that answers itself another": (
        lambda s: _answering(
            s, s.said(s.paper.one("order", "north"), answers=s.paper.one("order", "north").sid)
        ),
        "too-soon order-that-it-opens-is-not-here",
    ),
    "with a wrong link": (
        lambda s: (s.said(s.paper.one("link", "south"), link=ELSEWHERE), s.paper),
        "link link-stage-does-not-lead",
    ),
    "that opens nothing": (
        lambda s: (s.said(s.paper.one("link", "south"), openings=...), s.paper),
        "opening it-does-not-open-all",
    ),
}


def _link_of_north(stage: Stage) -> Statement:
    return stage.said(stage.paper.one("link", "south"), "north")


def _answering(stage: Stage, order: Statement) -> tuple[Statement, Paper]:
    """The last link as an answer to a forged order of north's, the only one that is here."""
    link = stage.said(stage.paper.one("link", "south"), answers=order.sid)
    return link, stage.paper.without(stage.paper.one("order", "north")).also(order)


@pytest.mark.parametrize("case", LINKS_OF_TWO)
def test_the_last_link_between_two_answers_and_opens_what_it_must(both: Stage, case: str) -> None:
    make, why = LINKS_OF_TWO[case]
    link, paper = make(both)
    assert refusal(lambda: check_last(both.progress, link, paper, SYSTEM)) == why


def test_the_turn_of_a_last_link_has_the_orders_that_it_ends(both: Stage, alone: Stage) -> None:
    order, answer = both.paper.one("order", "south"), both.paper.one("order", "north")
    turn = check_last(both.progress, both.paper.one("link", "south"), both.paper, SYSTEM)
    assert (turn.both, turn.first, turn.last, turn.first_order, turn.second_order) == (
        True,
        "south",
        "south",
        order,
        answer,
    )
    assert turn.second == "north"
    only = alone.paper.one("order", "north")
    turn = check_last(alone.progress, alone.paper.one("link", "south"), alone.paper, SYSTEM)
    assert (turn.both, turn.first, turn.last, turn.first_order, turn.second_order) == (
        False,
        "north",
        "south",
        only,
        None,
    )
    forged = alone.said(alone.paper.one("link", "south"), answers=alone.paper.one("link", "south").sid)
    assert refusal(lambda: check_last(alone.progress, forged, alone.paper, SYSTEM)) == (
        "turn it-answers-another-statement"
    )


def _paired(stage: Stage, record: Any, paper: Paper) -> list[str]:
    return kinds(list(two_players.pair_faults(stage.progress, record, paper)))


def test_a_record_between_two_holds_who_answered_whom(both: Stage, alone: Stage) -> None:
    for stage in (both, alone):
        assert _paired(stage, stage.record, stage.paper) == []
    missing = ["turn order-or-last-link-of-stage-is-missing -"]
    for gone in ("order south", "order north", "link south"):
        paper = both.paper.without(both.paper.one(*gone.split()))
        assert _paired(both, both.record, paper) == missing, gone
    for gone in ("order north", "link south"):
        assert _paired(alone, alone.record, alone.paper.without(alone.paper.one(*gone.split()))) == missing


def test_a_record_between_two_with_a_forged_last_link(both: Stage) -> None:
    end = both.paper.one("link", "south")
    paper = both.paper.without(end)
    wrong = "turn last-word-is-not-that-of-last"
    forged = both.said(end, answers=both.paper.one("order", "south").sid)
    assert _paired(both, both.record, paper.also(forged)) == [f"{wrong} south"]
    forged = both.said(end, "north")
    assert _paired(both, both.record, paper.also(forged)) == [
        f"{wrong} north",
        "link link-in-record-is-not-one-given north",
    ]


@pytest.mark.parametrize(
    ("who", "change"),
    [("north", {"answers": ELSEWHERE}), ("south", {"link": ELSEWHERE})],
    ids=["the second answers another", "the first has a link"],
)
def test_a_record_between_two_whose_second_did_not_answer_the_first(
    both: Stage, who: str, change: dict[str, Any]
) -> None:
    order, end = both.paper.one("order", who), both.paper.one("link", "south")
    forged = both.said(order, **change)
    orders = put(both.record.accepted, **{who: forged.sid})
    answered = orders["north"]
    answer = both.paper.one("order", "north") if who == "south" else forged
    if who == "south":
        answer = both.said(answer, answers=forged.sid)
        answered = answer.sid
    record = both.recorded(accepted=put(orders, north=answered))
    paper = Paper(
        both.folder,
        3,
        [
            forged if who == "south" else both.paper.one("order", "south"),
            answer,
            both.said(end, answers=answer.sid, head=record.head),
        ],
    )
    assert _paired(both, record, paper) == ["turn second-did-not-answer-order-of-first north"]


@pytest.mark.parametrize("who", ["north", "south"])
def test_a_record_between_two_with_another_link(both: Stage, who: str) -> None:
    record = both.recorded(links=put(both.record.data["links"], **{who: ELSEWHERE}))
    end = both.paper.one("link", "south")
    paper = both.paper.without(end).also(both.said(end, head=record.head))
    assert _paired(both, record, paper) == [f"link link-in-record-is-not-one-given {who}"]


# --- locks ----------------------------------------------------------------------------------------------

LOCKS: dict[str, tuple[Callable[[Stage, Statement], Statement], str]] = {
    "as it is": (lambda s, lock: lock, ""),
    "of another history": (lambda s, lock: s.said(lock, prev=ELSEWHERE), "prev prev gm"),
    "without one who is asked": (
        lambda s, lock: s.said(lock, accepted=put(lock.lock.accepted, south=...)),
        "lock lock-is-not-about-exactly-those-asked south",
    ),
    "with one who is not asked": (
        lambda s, lock: s.said(lock, accepted=put(lock.lock.accepted, gm=ELSEWHERE)),
        "lock lock-is-not-about-exactly-those-asked gm",
    ),
    "with an order that is not here": (
        lambda s, lock: s.said(lock, accepted=put(lock.lock.accepted, south=ELSEWHERE)),
        "missing not-here south",
    ),
    "with the order of the other": (
        lambda s, lock: s.said(lock, accepted=put(lock.lock.accepted, south=lock.lock.accepted["north"])),
        "accepted another-statement south",
    ),
    "without an order": (
        lambda s, lock: s.said(lock, accepted=put(lock.lock.accepted, south=None), forfeits=["south"]),
        "",
    ),
}


@pytest.mark.parametrize("case", LOCKS)
def test_nobody_answers_a_lock_with_a_fault(bids: Stage, case: str) -> None:
    forge, why = LOCKS[case]
    lock = forge(bids, bids.paper.one("lock", "gm"))
    fault = locked_dice.lock_fault(bids.progress, lock, bids.paper)
    assert (kinds([fault])[0] if fault else "") == why
    assert fault is None or (fault.kind == "missing") == why.startswith("missing")


def _under(stage: Stage, record: Any = None, paper: Paper | None = None) -> list[str]:
    found = list(locked_dice.lock_faults(stage.progress, record or stage.record, paper or stage.paper))
    assert all((one.kind == "missing") == (one.code == "missing") for one in found)
    return kinds(found)


def test_a_record_names_the_lock_that_everyone_answered(bids: Stage, both: Stage) -> None:
    lock = bids.paper.one("lock", "gm")
    assert _under(bids) == [] and _under(both) == []
    assert _under(bids, bids.recorded(lock=...)) == ["lock record-names-no-lock -"]
    assert _under(both, both.recorded(lock=lock.sid)) == ["mode mode -"]
    assert _under(bids, paper=bids.paper.without(lock)) == ["missing lock-is-not-here -"]
    none = ["lock named-as-lock-and-is-none -"]
    assert _under(bids, bids.recorded(lock=bids.paper.one("order", "north").sid)) == none
    for forged in (bids.said(lock, prev=ELSEWHERE), bids.said(lock, "north")):
        paper = bids.paper.also(forged)
        assert _under(bids, bids.recorded(lock=forged.sid), paper) == none


def test_a_record_says_what_its_lock_says(bids: Stage) -> None:
    changed = bids.recorded(accepted=put(bids.record.accepted, south=ELSEWHERE))
    assert _under(bids, changed) == ["lock accepted-is-not-what-lock-says gm"]
    changed = bids.recorded(forfeits=["south"])
    assert _under(bids, changed) == ["lock forfeits-is-not-what-lock-says gm"]


def test_each_player_gave_the_link_of_the_record_under_this_very_lock(bids: Stage) -> None:
    mine = bids.paper.one("link", "south")
    assert _under(bids, paper=bids.paper.without(mine)) == ["missing link-of-party-is-not-here south"]
    elsewhere = bids.said(mine, answers=ELSEWHERE)
    assert _under(bids, paper=bids.paper.without(mine).also(elsewhere)) == [
        "link party-gave-link-for-another-lock south"
    ]
    wrong = bids.recorded(links=put(bids.record.data["links"], south=ELSEWHERE))
    assert _under(bids, wrong) == ["link link-of-party-in-record-is-not-one south"]
    assert _under(bids, paper=bids.paper.also(bids.said(mine, rev=2, link=ELSEWHERE))) == []
    without = bids.recorded(links=put(bids.record.data["links"], south=...))
    assert _under(bids, without) == [], "that a link is missing is said once, elsewhere"


def _opened(of: Stage, **changed: Any) -> dict[str, Any]:
    entry: Any = of.paper.one("link", "south").body["openings"]
    return {BID: put(entry[BID], **changed)}


LINKS: dict[str, tuple[Callable[[Stage], dict[str, Any]], str]] = {
    "as it is": (lambda s: {}, ""),
    "with a wrong link": (lambda s: {"link": ELSEWHERE}, "link link-stage-does-not-lead"),
    "that opens nothing": (lambda s: {"openings": ...}, "opening it-does-not-open-all"),
    "that opens another value": (
        lambda s: {"openings": _opened(s, value=1)},
        "opening its-opening-is-not-what-was-committed",
    ),
    "that opens with another nonce": (
        lambda s: {"openings": _opened(s, nonce=ELSEWHERE)},
        "opening its-opening-is-not-what-was-committed",
    ),
    "that opens more": (
        lambda s: {"openings": {**_opened(s), "T1/cards/card": _opened(s)[BID]}},
        "opening it-opens-too-early",
    ),
    "that opens an earlier stage": (
        lambda s: {"openings": {**_opened(s), "T1/cards/card": _opened(s, stage=1)[BID]}},
        "opening it-opens-commitments-of-earlier-stages",
    ),
    "that seals something": (lambda s: {"sealed": {"gm": "A" * 400}}, "opening counts-as-not-sent"),
}


@pytest.mark.parametrize("case", LINKS)
def test_a_link_opens_what_its_order_committed_to_and_no_more(bids: Stage, case: str) -> None:
    change, why = LINKS[case]
    order = bids.paper.one("order", "south")
    link = bids.said(bids.paper.one("link", "south"), **change(bids))
    assert refusal(lambda: locked_dice.check_link(bids.progress, link, order, SYSTEM)) == why


def test_a_link_without_an_order_opens_nothing(bids: Stage) -> None:
    link = bids.paper.one("link", "south")
    check = locked_dice.check_link
    assert refusal(lambda: check(bids.progress, link, None, SYSTEM)) == "opening it-opens-too-early"
    bare = bids.said(link, openings=...)
    assert refusal(lambda: check(bids.progress, bare, None, SYSTEM)) == ""


def test_when_a_commitment_is_opened_follows_from_the_rules_alone() -> None:
    for system, decision, when in (
        (SYSTEM, BID, "all"),
        (SYSTEM, CARD, "later"),
        (FOG, CARD, "later"),
        (SYSTEM, "nothing/known", "all"),
        (SYSTEM, "bid", "all"),
        (SYSTEM, "cards/card/extra", "later"),
    ):
        assert locked_dice.opens(system, decision) == when, decision


# --- records of any game --------------------------------------------------------------------------------


def _read(stage: Stage, record: Any = None, paper: Paper | None = None) -> list[str]:
    found = record_checks.record_faults(stage.progress, record or stage.record, paper or stage.paper)
    return kinds(list(found))


RECORDS: dict[str, tuple[Callable[[Stage], dict[str, Any]], list[str]]] = {
    "as it is": (lambda s: {}, []),
    "of another head": (
        lambda s: {"prev": ELSEWHERE},
        ["prev record-does-not-follow-head-of-stage -"],
    ),
    "of another stage": (lambda s: {"stage": 4}, ["prev record-does-not-follow-head-of-stage -"]),
    "with another state": (
        lambda s: {"state": other(s.record.data["state"])},
        ["state state-hash-is-not-that-of-groups -"],
    ),
    "that asks a stranger": (
        lambda s: {"asked": {"east": ["x"], "gm": ["x"]}},
        ["asked party-is-asked-and-no-player east", "asked party-is-asked-and-no-player gm"],
    ),
    "with another seed": (
        lambda s: {"seed": other(s.record.data["seed"])},
        ["seed seed-does-not-follow-from-links-and-seed -"],
    ),
    "without a link": (
        lambda s: {"links": put(s.record.data["links"], gm=...)},
        ["links link-missing gm", "seed seed-does-not-follow-from-links-and-seed -"],
    ),
    "with a stranger's link": (
        lambda s: {"links": put(s.record.data["links"], east=ELSEWHERE)},
        ["links party-has-link-and-must-not east"],
    ),
    "with a wrong link": (
        lambda s: {"links": put(s.record.data["links"], gm=ELSEWHERE)},
        ["link link-stage-does-not-lead gm", "seed seed-does-not-follow-from-links-and-seed -"],
    ),
    "that opens another value": (
        lambda s: {"openings": put(s.record.data["openings"], south=_opened(s, value=1))},
        ["opening opening-is-not-what-party-committed-to south"],
    ),
    "that opens what nobody committed to": (
        lambda s: {"openings": put(s.record.data["openings"], south={**_opened(s), CARD: _opened(s)[BID]})},
        ["opening party-never-committed-to-decision south"],
    ),
    "that opens what nobody committed to in an earlier stage": (
        lambda s: {
            "openings": put(s.record.data["openings"], south={**_opened(s), CARD: _opened(s, stage=1)[BID]})
        },
        ["opening party-never-committed-to-decision south"],
    ),
    "that neither opens nor keeps": (
        lambda s: {"openings": put(s.record.data["openings"], south=...)},
        ["kept commitments-of-party-are-not-each-either-opened south"],
    ),
    "that keeps for one without commitments": (
        lambda s: {"kept": {"gm": ["x"]}},
        ["kept commitments-of-party-are-not-each-either-opened gm"],
    ),
    "that names standing orders nobody has": (
        lambda s: {"standing": {"south": ELSEWHERE}},
        ["missing not-here south"],
    ),
}


@pytest.mark.parametrize("case", RECORDS)
def test_a_forged_record_is_named_by_what_is_wrong(bids: Stage, case: str) -> None:
    change, wanted = RECORDS[case]
    assert _read(bids, bids.recorded(**change(bids))) == wanted


def test_a_record_that_leaves_one_out_says_so_once(bids: Stage) -> None:
    accepted = put(bids.record.accepted, south=...)
    record = bids.recorded(accepted=accepted, openings=put(bids.record.data["openings"], south=...))
    found = _read(bids, record)
    assert found[0] == "accepted accepted-is-not-about-exactly-those-asked south"


def test_what_is_not_here_is_missing_and_not_false(bids: Stage) -> None:
    paper = bids.paper.without(bids.paper.one("order", "south"))
    assert _read(bids, paper=paper) == ["missing not-here south"], "whether its openings fit is not known"


NAMED: dict[str, tuple[dict[str, Any], str]] = {
    "as it is": ({}, ""),
    "of another party": ({"sender": "south"}, "accepted another-statement north"),
    "of another history": ({"prev": ELSEWHERE}, "prev prev north"),
    "with an answer twice": (
        {"orders": [{"decision": "a", "answer": 1}, {"decision": "a", "answer": 2}]},
        "content content north",
    ),
}


@pytest.mark.parametrize("case", NAMED)
def test_an_order_that_a_record_names_is_one_of_that_party_and_history(both: Stage, case: str) -> None:
    change, why = NAMED[case]
    order = both.said(both.paper.one("order", "north"), **change)
    found, fault = named(both.progress, "north", order.sid, "order", both.paper.also(order).find)
    assert (kinds([fault])[0] if fault else "") == why
    assert (found == order) == (why == "")


def test_a_link_is_no_order(both: Stage) -> None:
    link = both.paper.one("link", "south")
    found, fault = named(both.progress, "south", link.sid, "order", both.paper.find)
    assert found is None and fault is not None and kinds([fault]) == ["accepted another-statement south"]
