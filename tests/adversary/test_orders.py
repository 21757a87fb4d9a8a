"""A player signs whatever he likes: what does not keep to the protocol never counts and stops nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.archive.folder import layout
from pbem.trust.armour import Signed
from tests.adversary.conftest import Start
from tests.adversary.forge import Data, Party, parsed, sid_of, signed
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM
from tests.tools.independent_audit import canonical

Spoil = Callable[[Data, Data], None]


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


DEEP = nested(24)


def _commit(body: Data, inside: Data, party: Party, maker: str, stage: int = 1, game: str = "") -> None:
    """A commitment that is sound, but of another party, stage or game."""
    from tests.adversary.forge import commitment

    nonce = "5a" * 32
    body["commits"] = {"x": commitment(game or party.game, stage, maker, "x", nonce, 3)}
    inside["openings"] = {"x": {"nonce": nonce, "value": 3}}


def _opening(**members: Any) -> Spoil:
    """An honest commitment whose opening is changed."""

    def spoil(body: Data, inside: Data) -> None:
        inside["openings"]["x"].update(members)

    return spoil


UNREADABLE: dict[str, Callable[[Party, Party], Signed]] = {
    "the link of the next stage": lambda me, _: me.order(change=lambda b, i: i.update(link=me.link(2))),
    "the anchor as link": lambda me, _: me.order(change=lambda b, i: i.update(link=me.link(0))),
    "the link of another player": lambda me, you: me.order(change=lambda b, i: i.update(link=you.link(1))),
    "no link": lambda me, _: me.order(change=lambda b, i: i.pop("link") and None),
    "a link that is no hex": lambda me, _: me.order(change=lambda b, i: i.update(link="AB" * 32)),
    "an opening of nothing": lambda me, _: me.order(
        change=lambda b, i: i.update(openings={"x": {"nonce": "00" * 32, "value": 1}})
    ),
    "a commitment without opening": lambda me, _: me.order(
        change=lambda b, i: b.update(commits={"x": "00" * 32})
    ),
    "another value": lambda me, _: me.order(secret={"x": 3}, change=_opening(value=4)),
    "the value as text": lambda me, _: me.order(secret={"x": 3}, change=_opening(value="3")),
    "another nonce": lambda me, _: me.order(secret={"x": 3}, change=_opening(nonce="00" * 32)),
    "an opening with a stage": lambda me, _: me.order(secret={"x": 3}, change=_opening(stage=1)),
    "a commitment made for another player": lambda me, you: me.order(
        change=lambda b, i: _commit(b, i, me, you.name)
    ),
    "a commitment made for another stage": lambda me, _: me.order(
        change=lambda b, i: _commit(b, i, me, me.name, stage=2)
    ),
    "a commitment made for another game": lambda me, _: me.order(
        change=lambda b, i: _commit(b, i, me, me.name, game="12" * 32)
    ),
    "a seal made for another stage": lambda me, _: me.order(
        change=lambda b, i: b.update(sealed={"gm": me.seals(i, 2)})
    ),
    "a seal to somebody else": lambda me, you: me.order(
        change=lambda b, i: b.update(sealed={"gm": me.seals(i, to=you.name)})
    ),
    "a seal of another kind": lambda me, _: me.order(
        change=lambda b, i: b.update(sealed={"gm": me.seals(i, kind="view")})
    ),
    "a seal lifted from another player": lambda me, you: me.order(
        change=lambda b, i: b.update(sealed=parsed(you.order())["body"]["sealed"])
    ),
    "an unknown member in the seal": lambda me, _: me.order(change=lambda b, i: i.update(more=1)),
    "empty openings in the seal": lambda me, _: me.order(change=lambda b, i: i.update(openings={})),
    "a seal around no JSON": lambda me, _: me.order(
        change=lambda b, i: b.update(sealed={"gm": me.seals(b"\xff\x00")})
    ),
    "a seal around JSON that is not canonical": lambda me, _: me.order(
        change=lambda b, i: b.update(sealed={"gm": me.seals(canonical(i) + b"\n")})
    ),
    "a value that no record could carry": lambda me, _: me.order(secret={"bid": nested(27)}),
    "a seal cut short": lambda me, _: me.order(change=lambda b, i: b.update(sealed={"gm": "AAAA"})),
}

REFUSED: dict[str, tuple[Callable[[Party, Party], Signed], str]] = {
    "sealed to two": (
        lambda me, you: me.order(change=lambda b, i: b.update(sealed={"gm": "AAAA", you.name: "AAAA"})),
        "only sealing for the GM is possible",
    ),
    "sealed to nobody": (lambda me, _: me.order(change=lambda b, i: b.update(sealed={})), "leave it out"),
    "no seal": (lambda me, _: me.says("order", {"orders": []}), "need a link"),
    "empty commits": (lambda me, _: me.order(change=lambda b, i: b.update(commits={})), "leave it out"),
    "empty standing": (lambda me, _: me.order(standing=[]), "leave it out"),
    "no orders": (lambda me, _: me.order(change=lambda b, i: b.update(orders=None)), "orders is missing"),
    "an unknown member": (lambda me, _: me.order(change=lambda b, i: b.update(note="x")), "unknown member"),
    "an unknown member outside": (lambda me, _: me.order(cc="x"), "unknown member"),
    "for stage 0": (lambda me, _: me.order(stage=0, change=lambda b, i: i.update(link="00" * 32)), "number"),
    "revision 0": (lambda me, _: me.order(rev=0), "number from 1"),
    "revision true": (lambda me, _: me.order(rev=True), "number from 1"),
    "revision 2^31": (lambda me, _: me.order(rev=2**31), "number from 1"),
    "a head in capitals": (lambda me, _: me.order(prev=me.head.upper()), "lower-case hex"),
    "of another version": (lambda me, _: me.order(pbem=2), "pbem"),
    "version true": (lambda me, _: me.order(pbem=True), "pbem"),
    "a link in clear": (
        lambda me, _: me.order(change=lambda b, i: b.update(link=i["link"])),
        "with dice swift, orders can't have link",
    ),
    "an answer to another order": (
        lambda me, _: me.order(change=lambda b, i: b.update(answers="00" * 32)),
        "with dice swift, orders can't have answers",
    ),
    "a decision both open and committed": (
        lambda me, _: me.order([{"decision": "x", "answer": 1}], {"x": 2}),
        "answered twice",
    ),
    "signed in another's name": (lambda me, you: you.order(by=me.name), "signed it"),
    "a report": (lambda me, _: me.says("report", {"record": me.record(0)}, stage=0, prev=me.game), "player"),
    "a view": (lambda me, _: me.says("view", {"head": "00" * 32, "view": "AAAA"}), "player"),
    "an ack": (lambda me, _: me.says("ack", {"have": ["00" * 32]}), "player"),
    "a lock": (lambda me, _: me.says("lock", {"accepted": {}, "forfeits": []}), "player"),
    "a link": (lambda me, _: me.says("link", {"answers": "00" * 32, "link": me.link(1)}), "swift"),
    "the GM's secret, made up": (lambda me, _: me.says("unseal", {"secret": "00" * 32}), "only the GM has"),
    "an amendment about a stranger": (
        lambda me, _: me.says("amend", {"ops": [{"op": "drop", "party": "stranger"}]}),
        "not in the game",
    ),
    "an answer that no record could carry": (
        lambda me, _: me.order([{"decision": "bid", "answer": nested(27)}]),
        "nested more than",
    ),
    "standing orders twice in one statement": (
        lambda me, _: me.order(secret={"standing": [1]}, standing=[1]),
        "both unsealed and committed",
    ),
    "standing orders neither clear nor committed": (lambda me, _: me.says("standing", {}), "either"),
    "an empty unseal": (lambda me, _: me.says("unseal", {}), "reveals nothing"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_the_seal_holds_must_be_what_was_promised(still: Game, name: str) -> None:
    found = UNREADABLE[name](still.south, still.north)
    receipt = still.one("gm", found)
    assert receipt.outcome == "unreadable", receipt
    assert not (still.gm.root / layout.statement_name(1, sid_of(found))).exists()


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_as_the_protocol_says_is_refused_by_all(still: Game, name: str) -> None:
    make, words = REFUSED[name]
    found = make(still.south, still.north)
    for reader in ("gm", "north"):
        receipt = still.one(reader, found)
        assert receipt.outcome == "refused" and words in receipt.reason, receipt
        assert not (still.seat(reader).root / layout.statement_name(1, sid_of(found))).exists()


def test_a_mail_of_nothing_but_attacks_stops_nobody(game: Game) -> None:
    attacks = [make(game.south, game.north) for make in UNREADABLE.values()]
    attacks += [make(game.south, game.north) for make, _ in REFUSED.values()]
    for name in ("gm", "north"):
        game.give(name, *attacks)
    honest = game.south.order(rev=7)
    assert game.one("gm", honest).outcome == "taken"
    assert game.one("north", honest).outcome == "taken"
    game.answer("north")
    game.run()
    assert game.north.record(1)["accepted"]["south"] == sid_of(honest)
    assert game.verify() == [] and game.verify("north", own=True) == []


def test_the_first_thing_that_is_wrong_is_named_in_the_order_of_the_protocol(clear: Game) -> None:
    """Faults are added from the last check to the first: each hides all that come after it."""
    me = clear.south

    def ack(data: Data) -> None:
        data |= {"type": "ack", "body": {"have": ["00" * 32]}}

    ladder: list[tuple[Callable[[Data], object], str]] = [
        (lambda d: d.update(prev="00" * 32), "newest one here"),
        (lambda d: d.update(stage=9), "but the current stage is 1"),
        (ack, "and can't send"),
        (lambda d: d.update(game="00" * 32), "for game 000000"),
        (lambda d: d.update({"from": "north"}), "signed it"),
        (lambda d: d["body"].update(more=1), "unknown member"),
    ]
    data = parsed(me.order(change=lambda b, i: i.update(link="00" * 32)))
    assert clear.one("gm", signed("south", data)).outcome == "unreadable"
    for change, words in ladder:
        change(data)
        assert words in clear.one("gm", signed("south", data)).reason
    spaced = canonical(data).replace(b":", b": ", 1)
    assert "canonical" in clear.one("gm", signed("south", spaced)).reason
    stranger = clear.one("gm", signed("mallory", spaced))
    assert stranger.outcome == "unsigned" and "not a key of this game" in stranger.reason
    broken = Signed(spaced + b" ", signed("south", spaced).signatures)
    assert clear.one("gm", broken).outcome == "unsigned"
    huge = signed("south", b"x" * (layout.PLAYER_LIMIT + 1))
    assert "bytes" in clear.one("gm", huge).reason


def test_signatures_of_strangers_under_a_statement_neither_help_nor_harm(clear: Game) -> None:
    good, bad = clear.south.order(), clear.south.order(cc="x")
    by_others = [signed(name, good.data).signatures[0] for name in ("mallory", "north")]
    (receipt,) = clear.give("gm", Signed(good.data, (*by_others, *good.signatures)))
    assert receipt.outcome == "taken"
    path = clear.gm.root / layout.signature_name(1, sid_of(good))
    assert path.read_text() == good.signatures[0]
    stranger = signed("mallory", bad.data).signatures[0]
    (receipt,) = clear.give("gm", Signed(bad.data, (stranger, *bad.signatures)))
    assert receipt.outcome == "refused" and "unknown member" in receipt.reason
    assert "-south." in receipt.mail
    assert (clear.gm.root / f"inbox/{sid_of(bad)}.sig").read_text() == bad.signatures[0]


def test_what_another_player_signed_is_no_reason_to_refuse_it_of_its_author(clear: Game) -> None:
    order = clear.south.order()
    copied = signed("north", order.data)
    assert clear.one("gm", copied).outcome == "refused"
    assert clear.one("gm", order).outcome == "taken"


def test_an_order_of_another_game_with_the_same_players_and_keys_is_refused(start: Start) -> None:
    here, there = start(SYSTEM), start(FOG)
    receipt = here.one("gm", there.south.order())
    assert receipt.outcome == "refused" and "for game" in receipt.reason


def test_an_order_sent_again_later_is_late_and_changes_nothing(game: Game) -> None:
    again = game.south.order(rev=5)
    game.play(1)
    for name in ("gm", "north"):
        head = game.seat(name).folder.progress.head
        assert game.one(name, again).outcome == "late"
        assert game.seat(name).folder.progress.head == head
        assert game.one(name, again).outcome == "late"
    assert game.verify() == []


def test_an_order_for_a_stage_ahead_waits_and_is_judged_then(game: Game) -> None:
    """Its `prev` cannot be right before the stage has come; a guess is refused when it has."""
    ahead = game.south.order(stage=2, prev="00" * 32)
    far = game.south.order(stage=4, prev="00" * 32)
    assert game.one("gm", ahead).outcome == "early"
    receipt = game.one("gm", far)
    assert receipt.outcome == "refused" and "but the current stage is 1" in receipt.reason
    game.play(1)
    receipts = game.give("gm", far)
    assert [r.outcome for r in receipts if r.sid == sid_of(ahead)] == ["refused"]
    assert not (game.seat("gm").root / layout.statement_name(2, sid_of(ahead))).exists()


def test_somebody_who_is_not_asked_has_no_order_that_counts(game: Game) -> None:
    """Accepting it or not would be a choice between two seeds."""
    game.play(1)
    while len(game.table.asked()) > 1:
        game.play(1)
    (asked,) = game.table.asked()
    idle = game.north if asked.name == "south" else game.south
    found = idle.order()
    for name in ("gm", asked.name):
        receipt = game.one(name, found)
        assert receipt.outcome == "refused" and f"{idle.name} has no question in stage" in receipt.reason


# --- revisions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_the_highest_revision_counts_and_of_two_equal_ones_the_smaller_sid(
    clear: Game, order: tuple[int, ...]
) -> None:
    me = clear.south
    sent = [
        me.order(rev=1),
        me.order(rev=2),
        me.order(rev=3),
        me.order([{"decision": "x", "answer": 1}], rev=3),
    ]
    receipts = [clear.one("gm", sent[i]) for i in order]
    assert {r.outcome for r in receipts} == {"taken"}
    assert sum("both are kept as proof" in r.reason for r in receipts) == 1
    clear.answer("north")
    clear.run()
    assert clear.gm.record(1)["accepted"]["south"] == min(map(sid_of, sent[2:]))
    assert any("two different orders" in str(one) for one in _claims(clear))


def _claims(game: Game) -> list[object]:
    from pbem.archive.verifying.verify import verify

    return [one for one in verify(game.seat("gm").root).of("proved") if one.code == "equivocation"]


def test_an_unreadable_revision_leaves_the_one_before_it_in_force(clear: Game) -> None:
    good = clear.south.order(rev=1)
    bad = clear.south.order(rev=2, change=lambda b, i: i.update(link="00" * 32))
    assert [r.outcome for r in clear.give("gm", good, bad)] == ["taken", "unreadable"]
    clear.answer("north")
    clear.adjudicate()
    assert clear.gm.record(1)["accepted"]["south"] == sid_of(good)


# --- what is well formed and nonsense ---------------------------------------------------------------------


NONSENSE: dict[str, Callable[[Party], Signed]] = {
    "an answer to what nobody asks": lambda me: me.order([{"decision": "no/such", "answer": 1}]),
    "an answer deep as a well": lambda me: me.order([{"decision": "bid", "answer": DEEP}]),
    "a huge number": lambda me: me.order([{"decision": "bid", "answer": 2**53 - 1}]),
    "an answer for another question": lambda me: me.order(
        [{"decision": "bid", "answer": 1, "question": "000000000000"}]
    ),
    "an answer to being ready": lambda me: me.order([{"decision": "ready", "answer": {"x": None}}]),
    "an answer called standing": lambda me: me.order([{"decision": "standing", "answer": [1]}]),
    "an answer that says skip": lambda me: me.order(
        [{"decision": "next-move", "answer": {"unit": "n1"}, "on_illegal": "skip"}]
    ),
    "a committed deep answer": lambda me: me.order(secret={"bid": DEEP}),
    "a committed null": lambda me: me.order(secret={"bid": None, "card": None, "reaction": None}),
    "commitments to what nobody asks": lambda me: me.order(secret={f"d{i}": i for i in range(50)}),
    "a commitment called ready": lambda me: me.order(secret={"ready": True}),
    "standing orders that are none": lambda me: me.order(standing=[1, None, [], {}, nested(23), "x"]),
    "standing orders with odd conditions": lambda me: me.order(
        standing=[
            {"decision": "bid", "when": {"turn": [1, "x", True]}, "answer": 1},
            {"decision": "bid", "when": {"nothing": 1}, "answer": 1},
            {"decision": "bid", "when": {"turn": {"at_least": -5, "at_most": 2**53 - 1}}, "answer": 99},
        ]
    ),
}


SEALED_NONSENSE: dict[str, Callable[[Party], Signed]] = {
    "committed standing orders that are none": lambda me: me.order(secret={"standing": {"x": 1}}),
    "committed later standing orders in an order": lambda me: me.order(
        secret={"standing/later": [{"decision": "bid", "answer": 1}]}
    ),
}


def test_sealed_nonsense_is_played_like_anything_else(fog: Game) -> None:
    for rev, make in enumerate(SEALED_NONSENSE.values(), 1):
        found = make(fog.south)
        again = signed("south", parsed(found) | {"rev": rev})
        for reader in ("gm", "north", "south"):
            assert fog.one(reader, again).outcome == "taken"
    fog.answer("north")
    fog.run()
    fog.play(1)
    assert fog.verify() == [] and fog.verify("north", own=True) == []


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_in_good_form_is_played_and_proved_like_anything_else(game: Game, name: str) -> None:
    found = NONSENSE[name](game.south)
    for reader in ("gm", "north", "south"):
        receipt = game.one(reader, found)
        assert receipt.outcome == "taken", receipt
    game.answer("north")
    game.run()
    assert game.north.record(1)["accepted"]["south"] == sid_of(found)
    game.play(1)
    assert game.verify("north", own=True) == []
