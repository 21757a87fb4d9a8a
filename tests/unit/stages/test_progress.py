"""Where a game stands after each record, and what may be said there: stages, links, rewinds, revisions."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pbem.stages import progress
from pbem.stages.progress import MOST_DEEP, Progress, check_content, check_depth, check_place, equivocations
from pbem.trust.chain import Chain, Checked
from pbem.trust.errors import BadLink, NotAccepted
from pbem.trust.records import Record, events_hash
from pbem.trust.statements import Statement
from tests.unit.archive.paper import last, refusal
from tests.unit.stages.desk import (
    ELSEWHERE,
    LENGTH,
    SALT,
    Desk,
    Shelf,
    chain_of,
    in_force,
    roster_of,
    secret_of,
)

BID = {"north": ["bid"], "south": ["bid"]}


def back_to(desk: Desk, stage: int) -> None:
    """An amendment takes the game back to the end of a stage."""
    amendment = desk.amends({"op": "rewind", "to": stage})
    desk.goes_on(desk.closed(amendment), amendment)


def test_before_the_first_record_nothing_is_asked_and_nothing_is_over() -> None:
    roster = roster_of()
    start = Progress.start(roster, lambda stage: pytest.fail("there is none"))
    assert (start.stage, start.open_stage, start.head, start.seed) == (-1, 0, roster.game, roster.game_id)
    assert not start.over and not start.asked and start.fresh
    assert Desk(roster, asked={}).progress.over, "a scenario that is decided at once"
    with pytest.raises(LookupError, match="17"):
        progress.no_record(17)


def test_a_played_stage_gives_the_next_its_head_seed_links_and_questions() -> None:
    desk = Desk(roster_of())
    assert desk.progress.fresh, "no dice yet"
    zero = desk.progress
    links = {name: desk.link(name).hex() for name in ("gm", "north")}
    one = desk.played(links=links, seed="5" * 64, asked={"south": ["card", "bid"]})
    after = desk.goes_on(one)
    assert (after.stage, after.open_stage, after.position, after.head) == (1, 2, 1, one.head)
    assert after.seed.hex() == "5" * 64 != zero.seed.hex()
    assert after.asked == {"south": ("card", "bid")} and not after.over and not after.fresh
    assert after.links == {name: Checked(1, bytes.fromhex(link)) for name, link in links.items()}
    two = desk.goes_on(desk.played(links={"gm": desk.link("gm").hex()}, asked={}))
    assert two.over and set(two.links) == {"gm", "north"} and two.links["gm"].stage == 2
    assert two.links["north"].stage == 1, "north gave none"


def test_the_game_is_as_far_for_one_who_has_only_the_newest_record() -> None:
    desk = Desk(roster_of(), 3, BID)
    here = desk.progress
    start = Progress.start(desk.roster, desk.records.__getitem__)
    assert Progress.resume(start, desk.records[-1], here.seed, here.links) == here
    nothing = Progress.resume(start, desk.records[0], None, {})
    assert (nothing.seed, nothing.stage, nothing.position, nothing.fresh) == (start.seed, 0, 0, True)
    assert nothing.asked == {"north": ("bid",), "south": ("bid",)}


def test_the_game_is_as_far_for_one_who_has_only_the_newest_record_and_what_amendments_did() -> None:
    desk = Desk(roster_of(), 4, BID)
    new_chain = desk.amends(
        {"op": "chain", "party": "north", "anchor": chain_of("north, later").anchor.hex()}
    )
    told: list[tuple[int, int, bool, tuple[tuple[int, int], ...]]] = []

    def told_again(in_force: Any, newest: Record) -> None:
        start = Progress.start(desk.roster, desk.records.__getitem__)
        here = desk.progress
        assert Progress.resume(start, newest, here.seed, here.links, in_force) == here
        told.append((here.stage, here.position, here.fresh, here.dead))

    desk.goes_on(desk.closed(new_chain), new_chain)
    noted = json.loads(json.dumps(desk.progress.in_force()))
    told_again(noted, desk.records[-1])
    back_to(desk, 1)
    noted = json.loads(json.dumps(desk.progress.in_force()))
    told_again(noted, desk.records[-1])
    for _ in range(2):  # played on, with no further amendment: `noted` is still of stage 5
        desk.goes_on(desk.played(asked=BID))
        told_again(noted, desk.records[-1])
    assert told == [
        (4, 3, True, ()),
        (5, 1, True, ((1, 5),)),
        (6, 6, False, ((1, 5),)),
        (7, 7, False, ((1, 5),)),
    ]
    assert desk.progress.roster.since == {"north": 4}


def test_an_amendment_that_rode_along_in_the_newest_stage_asks_for_no_more_links() -> None:
    desk = Desk(roster_of(), 2, BID)
    skip = desk.amends({"op": "option", "name": "absent", "value": "skip"})
    here = desk.goes_on(desk.played(asked=BID, amends=[skip.sid]), skip)
    start = Progress.start(desk.roster, desk.records.__getitem__)
    again = Progress.resume(start, desk.records[-1], here.seed, here.links, here.in_force())
    assert again == here and not here.fresh and here.roster.terms.absent == "skip"
    torn = Desk(roster_of(), 2, BID)
    assert torn.goes_on(torn.played(asked=BID, amends=[skip.sid])).roster.terms.absent == "stop"


def test_an_order_that_a_rewind_took_back_counts_for_nothing() -> None:
    desk = Desk(roster_of(), 1, BID)
    for n in range(1, 5):
        desk.goes_on(
            desk.played(accepted={"north": f"{n}" * 64, "south": None}, forfeits=["south"], asked=BID)
        )
    assert [desk.progress.accepted(stage, "north") for stage in range(6)] == [
        None,
        *(f"{n}" * 64 for n in range(1, 5)),
        None,
    ]
    assert desk.progress.accepted(2, "south") is None and desk.progress.accepted(2, "gm") is None
    back_to(desk, 2)  # in stage 5
    assert desk.progress.position == 2
    here = [(desk.progress.accepted(stage, "north") or "-")[0] for stage in range(1, 6)]
    assert here == ["1", "2", "-", "-", "-"]


def test_who_goes_back_into_a_stage_that_was_closed_lands_where_that_one_led() -> None:
    desk = Desk(roster_of(), 4, BID)  # 1 to 3 are played
    back_to(desk, 1)  # 4
    drop = desk.amends({"op": "chain", "party": "north", "anchor": "c" * 64})
    desk.goes_on(desk.closed(drop), drop)  # 5
    desk.goes_on(desk.played(asked=BID))  # 6
    paper = desk.amends({"op": "rewind", "to": 1}, stage=4, prev=desk.records[4].prev)
    find = Shelf(paper, drop).find
    assert [desk.progress.position_at(stage, find) for stage in range(7)] == [0, 1, 2, 3, 1, 1, 6]


def test_of_two_amendments_that_go_back_the_last_one_counts_and_others_may_stand_beside_it() -> None:
    desk = Desk(roster_of(), 4, BID)
    back, farther = (desk.amends({"op": "rewind", "to": to}) for to in (2, 1))
    newest = max(back, farther, key=lambda one: one.sid)
    options = [desk.amends({"op": "option", "name": "turns", "value": n}) for n in range(200)]
    after_all = max(options, key=lambda one: one.sid)
    assert after_all.sid > newest.sid, "it stands last in the record"
    after = desk.goes_on(desk.closed(back, farther, after_all), back, farther, after_all)
    assert after.position == newest.amendment.rewinds_to == after.dead[0][0]


@pytest.mark.parametrize(
    ("op", "fresh"),
    [
        ({"op": "chain", "party": "north", "anchor": "c" * 64}, True),
        ([{"op": "chain", "party": "north", "anchor": "c" * 64}, {"op": "rewind", "to": 2}], True),
        ({"op": "drop", "party": "south"}, False),
        ({"op": "rewind", "to": 1}, False),
    ],
)
def test_after_a_new_anchor_the_next_dice_need_all_links(op: Any, fresh: bool) -> None:
    desk = Desk(roster_of(), 3, {"north": ["bid"]})
    amendment = desk.amends(*(op if isinstance(op, list) else [op]))
    after = desk.goes_on(desk.closed(amendment), amendment)
    assert after.fresh is fresh
    assert dict(after.asked) == {"north": ("bid",), **({"south": ("ready",)} if fresh else {})}
    another = desk.amends({"op": "rewind", "to": 2})
    assert desk.goes_on(desk.closed(another), another).fresh is fresh, "nothing was played since"
    assert not desk.goes_on(desk.played(asked=BID)).fresh


def test_with_locked_dice_all_links_come_anyway_and_nobody_else_is_asked() -> None:
    desk = Desk(roster_of(dice="locked"), 3, {"north": ["bid"]})
    chain = desk.amends({"op": "chain", "party": "north", "anchor": "c" * 64})
    after = desk.goes_on(desk.closed(chain), chain)
    assert after.fresh and dict(after.asked) == {"north": ("bid",)}


def test_where_only_somebody_was_asked_who_is_out_the_others_say_that_they_are_ready() -> None:
    desk = Desk(roster_of(players=("north", "south", "west"), dice="locked"), 3, {"south": ["bid"]})
    drop = desk.amends({"op": "drop", "party": "south"})
    after = desk.goes_on(desk.closed(drop), drop)
    assert dict(after.asked) == {"north": ("ready",), "west": ("ready",)}
    ended = Desk(roster_of(), 3, {"north": ["bid"]})
    ended.goes_on(ended.played(asked={}))
    drop = ended.amends({"op": "drop", "party": "south"})
    assert not ended.goes_on(ended.closed(drop), drop).asked, "a game that is over stays over"


def test_a_link_is_of_its_party_its_stage_and_its_newest_anchor() -> None:
    desk = Desk(roster_of(), 3)
    here = desk.progress
    assert here.check_link("north", desk.link("north")) == Checked(3, desk.link("north"))
    assert here.check_link("north", desk.link("north", 5), 5).stage == 5
    for party, link in (("south", desk.link("north")), ("north", desk.link("north", 2)), ("north", b"x")):
        with pytest.raises(BadLink):
            here.check_link(party, link)
    later = Chain(SALT, "north", secret_of("north", "later"), LENGTH)
    moved = replace(
        here, roster=replace(in_force(desk.roster, "north", anchor=later.anchor), since={"north": 2})
    )
    with pytest.raises(BadLink):
        moved.check_link("north", desk.link("north"))
    assert moved.check_link("north", later.link(3, 2)).stage == 3
    checked = replace(here, links={"north": Checked(2, b"x" * 32)})
    with pytest.raises(BadLink):
        checked.check_link("north", desk.link("north"))


# --- what may be said -----------------------------------------------------------------------------------


def test_an_order_comes_from_somebody_who_is_asked_and_follows_the_newest_record() -> None:
    desk = Desk(roster_of(), 2, {"north": ["bid"]})
    order: dict[str, Any] = {"orders": []}
    said = {
        "asked": desk.says("order", "north", order),
        "not asked": desk.says("order", "south", order),
        "elsewhere": desk.says("order", "north", order, prev=ELSEWHERE),
        "standing": desk.says("standing", "south", {"standing": []}),
        "standing elsewhere": desk.says("standing", "south", {"standing": []}, prev=ELSEWHERE),
        "letter elsewhere": desk.says("letter", "south", {"n": 1, "text": "Hello"}, prev=ELSEWHERE),
    }
    assert {name: refusal(partial(check_place, desk.progress, one)) for name, one in said.items()} == {
        "asked": "",
        "not asked": "not-asked not-asked",
        "elsewhere": "prev it-follows-another-record",
        "standing": "",
        "standing elsewhere": "prev it-follows-another-record",
        "letter elsewhere": "",
    }
    with pytest.raises(NotAccepted) as refused:
        check_place(desk.progress, said["elsewhere"])
    assert {len(word) for word in refused.value.args[-1].fields.values()} == {12}
    ahead = [desk.says("order", "north", order, stage=stage) for stage in range(1, 6)]
    assert [progress.when(desk.progress, one) for one in ahead] == ["late", "now", "early", "early", "far"]
    own = desk.progress.own_statement("order", order, "south", 7)
    assert own == desk.says("order", "south", order, rev=7)


def deep(levels: int, kind: Any = list) -> Any:
    value: Any = 0
    for _ in range(levels):
        value = [value] if kind is list else {"a": value}
    return value


@pytest.mark.parametrize("kind", [list, dict])
def test_an_answer_is_nested_as_deep_as_a_report_can_hold_it(kind: Any) -> None:
    check_depth(deep(MOST_DEEP, kind), "here")
    assert refusal(lambda: check_depth(deep(MOST_DEEP + 1, kind), "here")) == "content nested-too-deep"
    assert refusal(lambda: check_depth([0, deep(MOST_DEEP, kind)], "here")) == "content nested-too-deep"


ANSWER: dict[str, Any] = {"decision": "T1/bid", "answer": 1}
NO_ANSWER = "not-answer-with-decision-question-and-answer"
CONTENTS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({"orders": []}, ""),
    "an answer": ({"orders": [ANSWER]}, ""),
    "two": ({"orders": [ANSWER, {**ANSWER, "decision": "T1/card"}]}, ""),
    "with all members": ({"orders": [{**ANSWER, "question": "which", "on_illegal": "skip"}]}, ""),
    "asks if illegal": ({"orders": [{**ANSWER, "on_illegal": "ask"}]}, ""),
    "a commitment beside it": ({"orders": [ANSWER], "commits": {"T1/card": "1" * 64}}, ""),
    "no object": ({"orders": [ANSWER, 5]}, NO_ANSWER),
    "no answer": ({"orders": [{"decision": "T1/bid"}]}, NO_ANSWER),
    "no decision": ({"orders": [{"answer": 1}]}, NO_ANSWER),
    "something more": ({"orders": [{**ANSWER, "why": "so"}]}, NO_ANSWER),
    "a decision with a blank": ({"orders": [{**ANSWER, "decision": "T1 bid"}]}, "this-is-no-decision-id"),
    "a long decision": ({"orders": [{**ANSWER, "decision": "x" * 100}]}, ""),
    "too long a decision": ({"orders": [{**ANSWER, "decision": "x" * 101}]}, "this-is-no-decision-id"),
    "a number": ({"orders": [{**ANSWER, "decision": 5}]}, "this-is-no-decision-id"),
    "a question that is none": ({"orders": [{**ANSWER, "question": 5}]}, "question-must-be-text"),
    "another word": ({"orders": [{**ANSWER, "on_illegal": "stop"}]}, "question-must-be-text"),
    "twice": ({"orders": [ANSWER, ANSWER]}, "decision-is-answered-twice"),
    "open and committed": (
        {"orders": [ANSWER], "commits": {"T1/bid": "1" * 64}},
        "decision-is-answered-twice",
    ),
    "too deep": ({"orders": [{**ANSWER, "answer": deep(MOST_DEEP + 1)}]}, "nested-too-deep"),
    "a list in clear": ({"orders": [], "standing": [{"decision": "bid"}]}, ""),
    "a list too deep": ({"orders": [], "standing": [deep(MOST_DEEP)]}, "nested-too-deep"),
    "a list in clear and sealed": (
        {"orders": [], "standing": [1], "commits": {"standing": "1" * 64}},
        "it-has-standing-orders-both-in-clear",
    ),
    "a list in clear and one for later": (
        {"orders": [], "standing": [1], "commits": {"standing/later": "1" * 64}},
        "it-has-standing-orders-both-in-clear",
    ),
    "a list in clear and a card": ({"orders": [], "standing": [1], "commits": {"card": "1" * 64}}, ""),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_an_order_that_a_run_cannot_read_is_refused_with_its_place(name: str) -> None:
    body, wanted = CONTENTS[name]
    order = Desk(roster_of()).says("order", "north", body)
    assert refusal(lambda: check_content(order)) == (f"content {wanted}" if wanted else "")
    if wanted and "standing" not in body:
        with pytest.raises(Exception, match=f"orders.{len(body['orders']) - 1}"):
            check_content(order)


@pytest.mark.parametrize("name", ["standing", "standing/later", "card"])
def test_where_nothing_is_hidden_nothing_hangs_on_a_sealed_list(name: str) -> None:
    desk = Desk(roster_of())
    order = desk.says("order", "north", {"orders": [], "commits": {name: "1" * 64}})
    sealed = "" if name == "card" else "content its-standing-orders-are-sealed"
    assert refusal(lambda: check_content(order, hidden=False)) == sealed
    assert refusal(lambda: check_content(order, hidden="fog")) == ""
    both = desk.says("order", "north", {"orders": [], "commits": {name: "1" * 64, "bid": "1" * 64}})
    assert refusal(lambda: check_content(both, hidden=False)) == sealed
    listed = desk.says("standing", "north", {"standing": [deep(MOST_DEEP)]})
    assert refusal(lambda: check_content(listed)) == "content nested-too-deep"


# --- revisions ------------------------------------------------------------------------------------------


def orders_of(desk: Desk, sender: str, *revs: int) -> list[Statement]:
    return [
        desk.says("order", sender, {"orders": [{"decision": "bid", "answer": n}]}, rev=rev)
        for n, rev in enumerate(revs)
    ]


def test_the_highest_revision_counts_and_of_two_alike_the_smaller_id() -> None:
    desk = Desk(roster_of())
    first, twin, third, fourth = orders_of(desk, "north", 1, 3, 3, 2)
    others = [*orders_of(desk, "south", 1), desk.says("standing", "north", {"standing": []}, rev=9)]
    listed = progress.revisions([first, *others, third, twin, fourth], "order")
    assert listed["north"] == [*sorted((twin, third), key=lambda one: one.sid), fourth, first]
    assert listed["south"] == others[:1] and set(listed) == {"north", "south"}


def test_what_was_taken_of_somebody_and_what_he_signed_last_are_named() -> None:
    desk = Desk(roster_of())
    mine = progress.revisions(orders_of(desk, "north", 1, 2, 2), "order")["north"]
    first = mine[2]
    taken = progress.took_of(mine, first.sid)
    assert last(taken) == "takes-revision" and "1" in taken and first.sid[:12] not in taken
    twice: Any = progress.took_of(mine, mine[0].sid)
    assert twice.fields["sid"] == mine[0].sid[:12], "two of one revision"
    away: Any = progress.took_of(mine, ELSEWHERE)
    assert away.fields["sid"] == ELSEWHERE[:12]
    assert last(progress.took_of(mine, None)) == "takes-what-is-not-here"
    newest = progress.newest_of(mine)
    assert "2" in newest and mine[0].sid[:12] in newest
    assert mine[2].sid[:12] not in progress.newest_of(mine[2:])


def reports_of(desk: Desk) -> dict[str, Statement]:
    def report(record: Record, events: list[Any], **more: Any) -> Statement:
        body = {"record": record.data, "events": events, **more}
        return desk.says("report", "gm", body, rev=1)

    told: list[Any] = [{"event": "told"}]
    empty, full = desk.played(), desk.played(events=events_hash(told).hex())
    return {
        "plain": report(empty, []),
        "sealed again": report(empty, [], views={"north": "1" * 64}),
        "other events": report(full, told),
        "other head": report(desk.played(asked=BID), []),
    }


def test_a_report_whose_views_are_sealed_again_is_the_same_report() -> None:
    desk = Desk(roster_of())
    made = reports_of(desk)
    plain = made["plain"]
    assert [progress.one_report(plain, one) for one in made.values()] == [True, True, False, False]
    lock = desk.says("lock", "gm", {"accepted": {}, "forfeits": []})
    assert not progress.one_report(plain, lock) and not progress.one_report(lock, plain)
    pairs = equivocations(made.values())
    assert {frozenset((a.sid, b.sid)) for a, b in pairs} <= {
        frozenset((a.sid, b.sid))
        for a in made.values()
        for b in made.values()
        if not progress.one_report(a, b)
    }
    assert len(pairs) >= 2
    assert equivocations([plain, made["sealed again"]]) == equivocations([plain, plain]) == []


def test_two_orders_of_one_revision_contradict_each_other_and_revisions_do_not() -> None:
    desk = Desk(roster_of())
    north, again, second = orders_of(desk, "north", 1, 1, 2)
    (south,) = orders_of(desk, "south", 1)
    standing = desk.says("standing", "north", {"standing": []})
    for listed in ([second, north, standing, south, again], [again, north, second]):
        (pair,) = equivocations(listed)
        assert list(pair) == sorted((north, again), key=lambda one: one.sid)
    links = [desk.says("link", "north", {"link": link * 64, "answers": ELSEWHERE}) for link in "12"]
    assert equivocations(links) == []
    locks = [desk.says("lock", "gm", {"accepted": {}, "forfeits": []}, stage=stage) for stage in (1, 2)]
    assert equivocations(locks) == [], "a lock has no revisions: its stage tells"
