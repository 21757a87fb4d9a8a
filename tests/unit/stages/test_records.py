"""Records beside each other, what an unseal opens, answers for named readers, and receipts in words."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest

from pbem.stages import named_readers, receipts, unseal_checks
from pbem.stages.inputs import Opening, Setting
from pbem.stages.receipts import Receipt, whom_to_ask, words_for
from pbem.stages.record_checks import MAY_DIFFER, correction_fault, first_difference, record_faults
from pbem.stages.sealed_orders import Opened, check_openings, fits, open_sealed
from pbem.stages.unseal_checks import commits_of, of_letters_alone, openings_in, secrets_in, unseal_fault
from pbem.text.canonical import dumps
from pbem.text.messages import in_turn
from pbem.trust import commit, seal
from pbem.trust.errors import BadSeal
from pbem.trust.groups import state_hash
from pbem.trust.keys import seal_public
from pbem.trust.records import Openings, Record, Shown
from pbem.trust.seal import OPENINGS_KIND
from pbem.trust.seal import Openings as Content
from pbem.trust.statements import Statement
from tests.primer import SYSTEM
from tests.unit.archive.paper import last, refusal
from tests.unit.stages.desk import ELSEWHERE, SECRET, Desk, Shelf, entry_of, roster_of, seal_of

NONCE = "1" * 64


def committed(desk: Desk, party: str, decision: str, value: Any, stage: int | None = None) -> str:
    stage = desk.progress.open_stage if stage is None else stage
    return commit.commitment(desk.roster.game_id, stage, party, decision, bytes.fromhex(NONCE), value).hex()


# --- two records ----------------------------------------------------------------------------------------


def test_the_first_member_that_differs_is_named_causes_before_results() -> None:
    desk = Desk(roster_of(), 3)
    one = desk.played(accepted={"north": ELSEWHERE}, kept={"north": ["card"]})
    assert first_difference(one, one) is None
    assert correction_fault(one, one) is None
    other: dict[str, Any] = {
        "accepted": {"north": "c" * 64},
        "forfeits": ["north"],
        "links": {"gm": "1" * 64},
        "seed": "1" * 64,
        "standing": {"north": ELSEWHERE},
        "events": "1" * 64,
        "openings": {"north": {"bid": {"nonce": NONCE, "value": 1}}},
        "kept": {},
        "state": "1" * 64,
        "asked": {"south": ["bid"]},
        "amends": [ELSEWHERE],
        "lock": ELSEWHERE,
    }
    names = [*other]
    for n, name in enumerate(names):
        if name == "kept":
            continue
        alone = desk.played(**{"accepted": one.data["accepted"], "kept": one.data["kept"], name: other[name]})
        assert first_difference(one, alone) == first_difference(alone, one) == name
        later = {later: other[later] for later in names[n:] if later != "kept"}
        both = desk.played(**{"accepted": one.data["accepted"], "kept": one.data["kept"], **later})
        # what is in no order of causes comes last, by its name
        assert first_difference(one, both) == name or name == "lock"
        fault = correction_fault(one, alone)
        assert (fault is None) is (name in MAY_DIFFER) and (fault is None or name in fault)
    none = desk.played(accepted=one.data["accepted"])
    assert first_difference(one, none) == first_difference(none, one) == "kept"


def test_groups_are_of_the_parties_of_the_game_and_one_of_them_is_of_all() -> None:
    desk = Desk(roster_of(), 3)

    def list_key(who: tuple[str, ...]) -> bytes:
        return dumps([*who])

    def faults(*audiences: tuple[str, ...], **changed: Any) -> set[str]:
        listed: Any = [[list(who), ELSEWHERE] for who in sorted(audiences, key=list_key)]
        state = state_hash(desk.roster.game_id, 3, listed).hex()
        record = desk.played(**{"groups": listed, "state": state, **changed})
        return {one.code for one in record_faults(desk.progress, record, Shelf())} & {
            "groups",
            "state",
            "asked",
        }

    everybody = desk.roster.everybody
    assert faults(everybody) == faults(everybody, ("gm", "north")) == set()
    assert faults(("gm", "north")) == faults(everybody, ("gm", "nobody")) == {"groups"}
    assert faults(everybody, state="c" * 64) == {"state"}
    assert faults(everybody, asked={"gm": ["bid"]}) == faults(everybody, asked={"x": ["bid"]}) == {"asked"}
    assert faults(everybody, asked={"north": ["bid"]}) == set()


# --- what an unseal opens -------------------------------------------------------------------------------


def unsealed(desk: Desk, sender: str, secret: Any = None, **opened: Any) -> Statement:
    body: dict[str, Any] = {"openings": opened} if opened else {}
    return desk.says("unseal", sender, body | ({"secret": secret.hex()} if secret else {}))


def test_an_unseal_opens_what_was_committed_and_no_more() -> None:
    desk = Desk(roster_of("", entry_of("dora", "deputy")), 3)
    order = desk.says(
        "order", "north", {"orders": [], "commits": {"card": committed(desk, "north", "card", "storm")}}
    )
    good = {"card": {"nonce": NONCE, "value": "storm"}}
    find = {order.sid: order}.get
    wrong = "opening-is-not-what-party-committed-to"
    cases: list[tuple[dict[str, Any], str]] = [
        ({order.sid: good}, ""),
        ({order.sid: {"card": {"nonce": NONCE, "value": "calm"}}}, wrong),
        ({order.sid: {"card": {"nonce": "2" * 64, "value": "storm"}}}, wrong),
        ({order.sid: {"bid": {"nonce": NONCE, "value": "storm"}}}, wrong),
        ({order.sid: {**good, "bid": {"nonce": NONCE, "value": 1}}}, wrong),
        ({ELSEWHERE: good}, "it-opens-commitments-that-are-not-here"),
    ]
    for opened, wanted in cases:
        fault = unseal_fault(desk.roster, unsealed(desk, "north", **opened), find)
        assert last(fault or "") == wanted, opened
    away: Any = unseal_fault(desk.roster, unsealed(desk, "north", **{ELSEWHERE: good}), find)
    assert away.fields["sid"] == ELSEWHERE[:12]
    statement = unsealed(desk, "north", **{order.sid: good, ELSEWHERE: good})
    assert openings_in([statement], find) == {order.sid: {"card": Opening(3, NONCE, "storm")}}
    plain = unsealed(desk, "gm", **{order.sid: {"plain": {"nonce": NONCE, "value": "Hello"}}})
    assert openings_in([plain], find) == {}, "no answer of the game"


def test_the_secret_is_published_by_whoever_acts_and_is_the_one_that_was_committed() -> None:
    desk = Desk(roster_of("", entry_of("dora", "deputy")), 3)
    told = {
        (sender, secret): last(
            unseal_fault(desk.roster, unsealed(desk, sender, secret), lambda sid: None) or ""
        )
        for sender in ("gm", "dora", "north")
        for secret in (SECRET, b"x" * 32)
    }
    assert told == {
        ("gm", SECRET): "",
        ("dora", SECRET): "",
        ("north", SECRET): "sender-publishes-secret",
        ("gm", b"x" * 32): "secret-is-not-one-roster-commits",
        ("dora", b"x" * 32): "secret-is-not-one-roster-commits",
        ("north", b"x" * 32): "sender-publishes-secret",
    }
    order = desk.says("order", "north", {"orders": []})
    opens = unsealed(desk, "gm", None, **{order.sid: {"card": {"nonce": NONCE, "value": 1}}})
    assert secrets_in([opens, unsealed(desk, "gm", SECRET)]) == [SECRET]


def test_letters_alone_are_letters_and_nothing_beside_them() -> None:
    desk = Desk(roster_of(), 3)
    letter, card = ({name: {"nonce": NONCE, "value": 1}} for name in ("letter/1", "card"))
    assert of_letters_alone(unsealed(desk, "north", **{ELSEWHERE: letter}))
    assert not of_letters_alone(unsealed(desk, "north", **{ELSEWHERE: {**letter, **card}}))
    assert not of_letters_alone(unsealed(desk, "north", **{ELSEWHERE: letter, "c" * 64: card}))
    assert not of_letters_alone(unsealed(desk, "gm", SECRET, **{ELSEWHERE: letter}))


def test_what_a_statement_commits_to_depends_on_its_kind() -> None:
    desk = Desk(roster_of(), 3)
    order = desk.says("order", "north", {"orders": [], "commits": {"card": ELSEWHERE}, "plain": "c" * 64})
    assert dict(commits_of(order)) == {"card": ELSEWHERE, "plain": "c" * 64}
    ruling = desk.amends({"op": "ruling", "reason": "x", "commit": ELSEWHERE})
    assert dict(commits_of(ruling)) == {"ruling": ELSEWHERE}
    assert dict(commits_of(desk.amends({"op": "option", "name": "turns", "value": 1}))) == {}
    assert dict(commits_of(desk.says("order", "north", {"orders": []}))) == {}


def test_a_statement_is_found_by_its_id_whatever_its_stage() -> None:
    desk = Desk(roster_of(), 1)
    orders = []
    for stage in range(1, 4):
        orders.append(desk.says("order", "north", {"orders": []}))
        record = desk.played(accepted={"north": orders[-1].sid}, asked={"north": ["bid"]})
        desk.goes_on(record if stage != 2 else desk.played(asked={"north": ["bid"]}))
    open_ = desk.says("order", "north", {"orders": []})
    shelf = Shelf(*orders, open_)
    for statement in (*orders, open_):
        assert unseal_checks.find_any(shelf.find, desk.progress, statement.sid) == statement
    assert unseal_checks.find_any(shelf.find, desk.progress, ELSEWHERE) is None


def test_an_unseal_opens_statements_of_the_game_and_letters() -> None:
    desk = Desk(roster_of(), 3)
    order = desk.says(
        "order", "north", {"orders": [], "commits": {"card": committed(desk, "north", "card", "storm")}}
    )
    good = unsealed(desk, "north", **{order.sid: {"card": {"nonce": NONCE, "value": "storm"}}})
    bad = unsealed(desk, "north", **{order.sid: {"card": {"nonce": NONCE, "value": "calm"}}})
    nowhere, here = Shelf().find, Shelf(order).find

    def told(find: Any, statement: Statement, letter: Any = lambda sid: None) -> str:
        return refusal(lambda: unseal_checks.check_unseal(find, desk.progress, statement, letter))

    assert told(here, good) == told(nowhere, good, {order.sid: order}.get) == ""
    assert told(nowhere, good) == "opening it-opens-commitments-that-are-not-here"
    assert told(here, bad) == "opening opening-is-not-what-party-committed-to"


# --- sealed orders --------------------------------------------------------------------------------------


def sealed_order(
    desk: Desk, value: Any = "storm", *, link: bytes | None, opens: dict[str, Any] | None = None, **body: Any
) -> Statement:
    stage, game = desk.progress.open_stage, desk.roster.game_id
    shown = {name: Shown(NONCE, what) for name, what in ({"card": value} if opens is None else opens).items()}
    data = Content(link, shown).pack()
    blob = seal.seal(data, seal_public(seal_of("gm")), game, stage, OPENINGS_KIND, "north", "gm")
    said = {
        "orders": [],
        "commits": {"card": committed(desk, "north", "card", "storm")},
        "sealed": {"gm": b64encode(blob).decode()},
    }
    return desk.says(
        "order", "north", {name: what for name, what in {**said, **body}.items() if what is not None}
    )


def opening_of(desk: Desk, order: Statement) -> str:
    return refusal(lambda: open_sealed(order, desk.progress, "gm", seal_of("gm")))


def test_an_order_seals_its_link_and_what_opens_its_commitments() -> None:
    desk = Desk(roster_of(), 3)
    link = desk.link("north")
    assert open_sealed(sealed_order(desk, link=link), desk.progress, "gm", seal_of("gm")) == Opened(
        link, {"card": Opening(3, NONCE, "storm")}
    )
    why = {
        "another value": sealed_order(desk, "calm", link=link),
        "no link": sealed_order(desk, link=None),
        "a link of another stage": sealed_order(desk, link=desk.link("north", 2)),
        "nothing opened": sealed_order(desk, link=link, opens={}),
        "more opened": sealed_order(desk, link=link, opens={"card": "storm", "bid": 1}),
        "nothing sealed": sealed_order(desk, link=link, sealed=None),
    }
    assert {name: opening_of(desk, order) for name, order in why.items()} == {
        "another value": "unreadable opening-is-not-what-was-committed",
        "no link": "unreadable seal-holds-no-link",
        "a link of another stage": "unreadable link-stage-does-not-lead",
        "nothing opened": "unreadable what-is-sealed-does-not-open",
        "more opened": "unreadable what-is-sealed-opens-more-than-is-committed",
        "nothing sealed": "unreadable what-is-sealed-does-not-open",
    }
    assert refusal(lambda: open_sealed(why["no link"], desk.progress, "gm", seal_of("south"))).startswith(
        "unreadable"
    )


def test_with_locked_dice_an_order_seals_neither_link_nor_openings() -> None:
    desk = Desk(roster_of(dice="locked"), 3)
    assert opening_of(desk, sealed_order(desk, link=None, opens={})) == ""
    link = sealed_order(desk, link=desk.link("north"), opens={})
    assert opening_of(desk, link) == "unreadable seal-holds-link-without-place"
    early = sealed_order(desk, link=None)
    assert opening_of(desk, early) == "unreadable what-is-sealed-opens-more-than-is-committed"
    assert opening_of(desk, sealed_order(desk, link=None, sealed=None)) == ""


@pytest.mark.parametrize("dice", ["swift", "locked"])
def test_a_sealed_list_opens_at_once_and_has_no_link(dice: str) -> None:
    desk = Desk(roster_of(dice=dice), 3)
    listed: Any = [{"decision": "bid", "answer": 1}]
    commits = {"standing/later": committed(desk, "north", "standing/later", listed)}

    def later(value: Any, link: bytes | None = None, **opens: Any) -> Statement:
        order = sealed_order(desk, link=link, opens={"standing/later": value, **opens})
        return desk.says("standing", "north", {"commits": commits, "sealed": order.body["sealed"]})

    assert open_sealed(later(listed), desk.progress, "gm", seal_of("gm")).openings == {
        "standing/later": Opening(3, NONCE, listed)
    }
    assert opening_of(desk, later(listed, desk.link("north"))) == "unreadable seal-holds-link-without-place"
    assert opening_of(desk, later([])) == "unreadable opening-is-not-what-was-committed"


def test_what_is_sealed_is_nested_as_deep_as_a_report_can_hold_it() -> None:
    desk = Desk(roster_of(), 3)
    value: Any = 0
    for _ in range(25):
        value = [value]
    body = {"commits": {"card": committed(desk, "north", "card", value)}}
    deep = sealed_order(desk, value, link=desk.link("north"), **body)
    assert "nested-too-deep" in opening_of(desk, deep)
    two = {name: committed(desk, "north", name, 1) for name in ("b", "a", "card")}
    closed = desk.says("order", "north", {"orders": [], "commits": two})
    with pytest.raises(BadSeal) as refused:
        check_openings(closed, desk.roster, {}, ["card", "b", "a"])
    assert last(refused.value.args[-1]) == "what-is-sealed-does-not-open"
    assert "a, b, card" in str(refused.value)


def test_an_opening_is_of_its_game_stage_party_and_decision() -> None:
    desk = Desk(roster_of(), 3)
    digest = committed(desk, "north", "card", "storm")
    assert fits(Opening(3, NONCE, "storm"), digest, desk.roster, "north", "card")
    other = roster_of("turns=2")
    for opening, roster, party, decision in (
        (Opening(2, NONCE, "storm"), desk.roster, "north", "card"),
        (Opening(3, NONCE, "storm"), other, "north", "card"),
        (Opening(3, NONCE, "storm"), desk.roster, "south", "card"),
        (Opening(3, NONCE, "storm"), desk.roster, "north", "bid"),
        (Opening(3, NONCE, 1.5), desk.roster, "north", "card"),  # type: ignore[arg-type]
    ):
        assert not fits(opening, digest, roster, party, decision)
    order = desk.says("order", "north", {"orders": [], "commits": {"card": digest}})
    earlier: Openings = {"card": Shown(NONCE, "storm", 3)}
    with pytest.raises(BadSeal):
        check_openings(order, desk.roster, earlier, ["card"])


# --- named readers --------------------------------------------------------------------------------------

FOUR = ("north", "south", "west", "gone")


def test_an_author_is_told_which_readers_cannot_be() -> None:
    roster = replace(roster_of("press=private", players=FOUR), dropped=frozenset({"gone"}))

    def told(*named: str, by: str = "north", of: Any = roster) -> list[str]:
        return [last(one.message) for one in named_readers.readers_faults(of, by, named)]

    assert told("south") == told("north", "south") == told() == []
    assert told("south", "nobody") == told("gone") == told("gm") == ["no-reader"]
    assert told("south", "west", of=roster_of(players=FOUR[:3])) == ["everybody"]
    assert told("south", "west") == [], "who is out is one of all, and reads no more"
    assert told("south", of=roster_of("press=none")) == ["everybody"]
    assert told("south", of=roster_of("press=public", players=FOUR)) == ["no-private-letters"]
    assert told(of=roster_of("press=public", players=FOUR)) == []
    assert told("south", of=roster_of(dice="pair")) == ["needs-a-gm"]
    (fault,) = named_readers.readers_faults(roster, "north", ["suoth"])
    assert "suoth" in fault.message and "south" in fault.help[0]
    (everybody,) = named_readers.readers_faults(roster_of(), "north", ["south"])
    assert everybody.help


def record_with(desk: Desk, readers: Any, **kept: list[str]) -> Record:
    listed = [[list(who), "c" * 64] for who in readers]
    return desk.played(**({"readers": listed} if listed else {}), **({"kept": kept} if kept else {}))


def test_the_readers_of_a_record_are_the_game_master_and_some_and_somebody_committed() -> None:
    desk = Desk(roster_of(players=FOUR), 3)

    def faults(*who: str, of: Desk = desk, **kept: list[str]) -> list[str]:
        found = named_readers.faults(of.progress, record_with(of, [who], **kept))
        return [f"{one.code} {last(one.text)} {one.party or '-'}" for one in found]

    assert faults("gm", "north", north=["note"]) == []
    assert faults("gm", "north", "south", south=["note"]) == []
    assert faults("gm", "north", south=["note"]) == faults("gm", "north") == ["readers nothing-committed gm"]
    assert faults("north", "south", north=["note"]) == ["readers no-such-audience gm"]
    assert faults("gm", "gone", "north", "south", "west", north=["note"]) == ["readers no-such-audience gm"]
    assert faults("gm", "nobody", "north", north=["note"]) == ["readers no-such-audience gm"]
    two = Desk(roster_of(dice="pair"), 2)
    assert faults("north", of=two, north=["note"]) == ["readers not-between-two -"]


def test_by_the_rules_each_author_has_readers_and_readers_an_author() -> None:
    desk = Desk(roster_of(players=FOUR), 3)

    def faults(*readers: tuple[str, ...], **kept: list[str]) -> list[str]:
        found = named_readers.kept_faults(SYSTEM, record_with(desk, readers, **kept))
        return [f"{last(one.text)} {one.party or '-'}" for one in found]

    mine = ("gm", "north")
    assert faults(mine, north=["card", "note"]) == []
    assert faults(mine, north=["card"]) == ["nothing-committed -"], "a card is for nobody to read"
    assert faults(north=["note"], south=["note"], west=["card"]) == [
        "answer-for-nobody north",
        "answer-for-nobody south",
    ]
    assert faults(mine, ("gm", "west"), north=["note"]) == ["nothing-committed -"]
    assert named_readers.are_for_readers(SYSTEM, "note") and not named_readers.are_for_readers(SYSTEM, "card")
    assert not named_readers.are_for_readers(SYSTEM, "flight")
    assert named_readers.played(SYSTEM, {"note": "1", "card": "2", "flight": "3"}) == {
        "card": "2",
        "flight": "3",
    }


def test_who_reads_an_answer_follows_from_the_answer() -> None:
    setting = Setting(SYSTEM, roster_of(players=FOUR))
    text: Any = {"text": "Hello"}
    assert named_readers.audience(SYSTEM, setting.roster, "north", "note", text) == ("gm", "north")
    assert named_readers.audience(SYSTEM, setting.roster, "north", "note", {"text": 5}) == ("gm", "north")


# --- receipts -------------------------------------------------------------------------------------------


def test_a_receipt_says_what_became_of_a_statement_and_whether_to_worry() -> None:
    fine = {"taken", "duplicate", "early", "noted"}
    assert {one for one in receipts._SHOWN if Receipt(one, "x").good} == fine  # type: ignore[arg-type]
    shown = [str(Receipt(one, "x").shown) for one in receipts._SHOWN]  # type: ignore[arg-type]
    assert len(set(shown)) == len(receipts._SHOWN)


def test_whom_to_ask_is_named_once_with_an_address() -> None:
    roster = roster_of()
    one: Any = whom_to_ask(roster, ["north", "nobody", "north"])
    assert one.fields["people"] == in_turn(
        ["north (North <north@example.org>)"], "stages.receipts.one-or-another"
    )
    both = whom_to_ask(roster, ["south", "north"])
    assert both.index("south") < both.index("north")
    assert (
        last(whom_to_ask(roster, ["nobody"])) == last(whom_to_ask(roster, [])) == "ask-others-to-send-again"
    )


def test_a_statement_is_named_by_what_whose_and_when() -> None:
    desk = Desk(roster_of(), 3)
    order = desk.says("order", "north", {"orders": []}, rev=2)
    words: Any = words_for(order)
    assert (words.fields["sender"], words.fields["stage"], words.fields["rev"]) == ("north", 3, 2)
    first: Any = words_for(desk.says("order", "north", {"orders": []}))
    assert first.fields["rev"] is None and last(words_for(desk.roster.statement)) == "roster"
