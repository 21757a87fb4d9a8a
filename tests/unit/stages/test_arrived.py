"""What has come for the open stage: whose order counts, whom it waits for, what the run gets (5.4, 8.3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pbem.stages.arrived_orders import Collected, collect, with_earlier, with_own_link
from pbem.stages.inputs import Opening
from pbem.stages.inputs_from_statements import commitment_at, earlier_of, later_of, order_of
from pbem.stages.sealed_orders import Opened
from pbem.trust.armour import Signed
from pbem.trust.statements import Statement
from tests.unit.archive.paper import last
from tests.unit.stages.desk import ELSEWHERE, Desk, Shelf, chain_of, roster_of, seal_of
from tests.unit.stages.test_records import NONCE, committed, sealed_order

ASKED = {"north": ["card"], "south": ["bid"]}


def collected(desk: Desk, *statements: Statement) -> Collected:
    came = [(one, Signed(one.bytes, ("signed",))) for one in statements]
    return collect(came, desk.progress, "gm", seal_of("gm"))


def again(desk: Desk, order: Statement, rev: int, **changed: Any) -> Statement:
    outer = {name: changed.pop(name) for name in ("prev", "sender") if name in changed}
    return desk.says("order", outer.pop("sender", "north"), {**order.body, **changed}, rev=rev, **outer)


def test_the_newest_order_that_can_be_read_counts_and_a_newer_one_is_named() -> None:
    desk = Desk(roster_of(), 3, ASKED)
    first = sealed_order(desk, link=desk.link("north"))
    spoilt = again(desk, sealed_order(desk, "calm", link=desk.link("north")), 2)
    elsewhere = again(desk, first, 3, prev=ELSEWHERE)
    here = collected(desk, elsewhere, spoilt, first)
    assert here.orders["north"] == (first, Opened(desk.link("north"), {"card": Opening(3, NONCE, "storm")}))
    assert last(here.unreadable["north"]) == "unreadable" and "2" in here.unreadable["north"]
    assert [signed.data for signed in here.signed] == [first.bytes]
    second = again(desk, first, 2)
    both = collected(desk, first, second)
    assert both.orders["north"][0] == second and not both.unreadable


def test_whoever_is_not_asked_orders_nothing_but_may_file_a_list() -> None:
    desk = Desk(roster_of(), 3, {"south": ["bid"]})
    order = sealed_order(desk, link=desk.link("north"))
    filed = desk.says("standing", "north", {"standing": [{"decision": "bid", "answer": 1}]})
    here = collected(desk, order, filed)
    assert not here.orders and not here.unreadable and here.later["north"][0] == filed
    given = here.given(desk.progress, frozenset(), {})
    assert given.later == {"north": (filed.sid, [{"decision": "bid", "answer": 1}])}
    assert given.orders == {"south": None} and not given.links


def test_the_stage_waits_for_whoever_is_asked_and_has_not_answered() -> None:
    desk = Desk(roster_of(), 3, ASKED)
    spoilt = sealed_order(desk, "calm", link=desk.link("north"))
    here = collected(desk, spoilt)
    assert {party: last(why) for party, why in here.missing(desk.progress, ()).items()} == {
        "north": "unreadable",
        "south": "no-order-has-come",
    }
    assert set(here.missing(desk.progress, {"south"})) == {"north"}
    good = collected(desk, sealed_order(desk, link=desk.link("north")))
    assert set(good.missing(desk.progress, ())) == {"south"}
    under = replace(good, lock=ELSEWHERE, links={"south": Opened(b"x" * 32)})
    assert {party: last(why) for party, why in under.missing(desk.progress, {"north"}).items()} == {
        "north": "link-has-not-come"
    }


def test_a_run_gets_orders_links_and_what_they_open() -> None:
    desk = Desk(roster_of(), 3, ASKED)
    order = sealed_order(desk, link=desk.link("north"))
    given = collected(desk, order).given(desk.progress, frozenset({"south"}), {"north": {}})
    here = desk.progress
    assert (given.stage, given.prev, given.seed_before) == (3, here.head, here.seed)
    assert given.forfeits == frozenset({"south"}) and given.asked == here.asked
    assert dict(given.kept) == {"north": {}} and given.lock is None
    mine = given.orders["north"]
    assert (
        mine is not None
        and mine.openings == {"card": Opening(3, NONCE, "storm")}
        and given.orders["south"] is None
    )
    assert given.links == {"north": desk.link("north")}
    own = with_own_link(replace(here, links={}), given, "gm", chain_of("gm"))
    assert own.links == {"north": desk.link("north"), "gm": desk.link("gm")}
    link = Opened(b"l" * 32, {"bid": Opening(3, NONCE, 1)})
    locked = replace(collected(desk, order), lock=ELSEWHERE, links={"north": link, "south": Opened(None)})
    under = locked.given(here, frozenset(), {})
    theirs = under.orders["north"]
    assert under.lock == ELSEWHERE and theirs is not None and set(theirs.openings) == {"card", "bid"}
    alone = replace(locked, orders={}).given(here, frozenset(), {})
    assert alone.links == {"north": b"l" * 32}, "who gave no link has none"


def test_what_opens_an_earlier_commitment_goes_along() -> None:
    desk = Desk(roster_of(), 2, ASKED)
    earlier = desk.says(
        "order", "north", {"orders": [], "commits": {"card": committed(desk, "north", "card", "storm")}}
    )
    accepted = {"north": earlier.sid, "south": None}
    desk.goes_on(desk.played(accepted=accepted, forfeits=["south"], asked=ASKED))
    find = Shelf(earlier).find
    commit = earlier.said.commits["card"]
    assert commitment_at(desk.progress, "north", "card", 2, find) == commit
    for party, decision, stage in (
        ("south", "card", 2),
        ("north", "bid", 2),
        ("north", "card", 1),
        ("north", "card", 3),
    ):
        assert commitment_at(desk.progress, party, decision, stage, find) is None
    assert commitment_at(desk.progress, "north", "card", 2, Shelf().find) is None
    opened: dict[str, tuple[Any, bool]] = {
        "right": ({"nonce": NONCE, "value": "storm", "stage": 2}, True),
        "another value": ({"nonce": NONCE, "value": "calm", "stage": 2}, False),
        "another stage": ({"nonce": NONCE, "value": "storm", "stage": 1}, False),
    }
    for name, (entry, fits) in opened.items():
        order = sealed_order(desk, link=desk.link("north"), openings={"card": entry})
        assert earlier_of(desk.progress, order, find) == (
            {commit: Opening(2, NONCE, "storm")} if fits else {}
        ), name
        here = collected(desk, order)
        given = with_earlier(desk.progress, here.given(desk.progress, frozenset(), {"south": {}}), here, find)
        assert (
            dict(given.kept["north"]) == ({commit: Opening(2, NONCE, "storm")} if fits else {})
            and "south" in given.kept
        )


def test_an_order_is_what_it_says_openly_and_what_is_known_of_the_rest() -> None:
    desk = Desk(roster_of(), 3)
    items = [
        {"decision": "a", "answer": 1},
        {"decision": "b", "answer": 2, "question": "which", "on_illegal": "skip"},
    ]
    order = desk.says("order", "north", {"orders": items, "standing": [1], "commits": {"card": ELSEWHERE}})
    made = order_of(order, {})
    assert (made.sid, made.standing, made.commits, made.openings) == (
        order.sid,
        (1,),
        {"card": ELSEWHERE},
        {},
    )
    told = {
        name: (reply.value, reply.question, reply.on_illegal, reply.committed)
        for name, reply in made.answers.items()
    }
    assert told == {"a": (1, None, "ask", False), "b": (2, "which", "skip", False)}
    sealed = desk.says("order", "north", {"orders": [], "commits": {"standing": ELSEWHERE}})
    shown: list[tuple[Any, Any]] = [([1, 2], [1, 2]), ("no list", None)]
    for value, standing in shown:
        assert order_of(sealed, {"standing": Opening(3, NONCE, value)}).standing == standing
    assert order_of(sealed, {}).standing is None
    later = desk.says(
        "standing", "north", {"commits": {"standing/later": ELSEWHERE}, "sealed": {"gm": "AAAA"}}
    )
    assert later_of(desk.says("standing", "north", {"standing": [1]}), {}) == [1]
    assert later_of(later, {}) is None
    assert later_of(later, {"standing/later": Opening(3, NONCE, [2])}) == [2]
    assert later_of(later, {"standing/later": Opening(3, NONCE, "no list")}) == []
