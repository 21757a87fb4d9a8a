"""Letters in their conversations: whose number comes next, and what is odd about one (protocol-letters 2)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from pbem.stages import letters
from pbem.stages.letters import MOST_NAMED, Came
from pbem.trust import letters as sealing
from pbem.trust.errors import BadOpening
from pbem.trust.keys import seal_public
from pbem.trust.letters import Content
from pbem.trust.records import Shown
from pbem.trust.roster import Roster
from pbem.trust.seal import MAX_LETTER
from pbem.trust.statements import Statement
from tests.unit.archive.paper import last, refusal
from tests.unit.archive.table import signer_of
from tests.unit.stages.desk import ELSEWHERE, Desk, chain_of, entry_of, in_force, roster_of, seal_of

NORTH = signer_of("north").public


def to_all(desk: Desk, sender: str, n: int, after: str = ELSEWHERE, **more: Any) -> Statement:
    outer = {name: more.pop(name) for name in ("stage", "prev") if name in more}
    body = {"n": n, "text": "Hello", **({"after": after} if n > 1 else {}), **more}
    return desk.says("letter", sender, body, **outer)


def private(
    desk: Desk, sender: str, to: tuple[str, ...], text: str = "Hello", keys: Mapping[str, bytes] | None = None
) -> tuple[Statement, Shown]:
    """A first letter to these readers, and what opens it."""
    stage, game = desk.progress.open_stage, desk.roster.game_id
    shown = Shown("1" * 64, {"text": text})
    public = {name: seal_public((keys or {}).get(name, seal_of(name))) for name in to}
    blobs = sealing.sealed(game, stage, sender, 1, shown, public)
    body = {
        "n": 1,
        "to": list(to),
        "commit": sealing.commitment(game, stage, sender, 1, shown),
        "sealed": {name: b64encode(blob).decode() for name, blob in blobs.items()},
    }
    return desk.says("letter", sender, body), shown


def came(letter: Statement, order: int = 0, key: bytes | None = None, **more: Any) -> Came:
    return Came(letter, signer_of(letter.sender).public if key is None else key, None, order, **more)


# --- numbers --------------------------------------------------------------------------------------------


def test_whoever_takes_over_a_place_begins_a_conversation_of_his_own() -> None:
    roster = roster_of("", entry_of("dora", "deputy"))
    keys = [signer_of(f"north {n}").public for n in range(4)]
    roster = in_force(roster, "north", sign=keys[0])  # a new key of the same person
    roster = in_force(roster, "north", sign=keys[1], seal=b"2" * 32, anchor=b"2" * 32)  # a takeover
    roster = in_force(roster, "north", anchor=b"3" * 32)
    roster = in_force(roster, "north", sign=keys[2], seal=b"4" * 32)
    roster = in_force(roster, "north", sign=keys[3], seal=b"5" * 32, anchor=b"5" * 32)
    roster = in_force(roster, "dora", mail="new@example.org")
    held = letters.tenures(roster)
    assert [held[key] for key in (NORTH, *keys)] == [0, 0, 1, 1, 2]
    assert [held[signer_of(name).public] for name in ("gm", "south", "dora")] == [0, 0, 0]


def test_the_next_number_is_that_of_this_sender_to_these_readers() -> None:
    desk = Desk(roster_of())
    sent = [to_all(desk, "north", n) for n in (1, 2)]
    others = [
        to_all(desk, "south", 7),
        to_all(desk, "north", 9, grey="1" * 64),
        private(desk, "north", ("gm",))[0],
    ]
    listed = [came(letter) for letter in (*sent, *others)]
    assert letters.next_in(listed, desk.roster, "north", None, False) == (3, sent[1].sid)
    assert letters.next_in(listed, desk.roster, "north", None, True) == (10, others[1].sid)
    assert letters.next_in(listed, desk.roster, "south", None, False) == (8, others[0].sid)
    assert letters.next_in(listed, desk.roster, "north", ("gm",), False) == (2, others[2].sid)
    assert letters.next_in(listed, desk.roster, "north", ("south",), False) == (1, None)
    assert letters.next_in([], desk.roster, "north", None, False) == (1, None)


def test_of_two_letters_with_one_number_the_later_one_is_answered() -> None:
    desk = Desk(roster_of())
    twins = [
        came(to_all(desk, "north", 2, text=text), order) for text, order in (("a", 1), ("b", 2), ("c", 0))
    ]
    assert letters.next_in(twins, desk.roster, "north", None, False) == (3, twins[1].statement.sid)
    assert (
        letters.next_in([came(to_all(desk, "north", 3)), *twins], desk.roster, "north", None, False)[0] == 4
    )


# --- what is odd ----------------------------------------------------------------------------------------


def doubts(
    desk: Desk,
    *listed: Came,
    me: str | None = "south",
    roster: Roster | None = None,
    heads: Callable[[int], str | None] = lambda stage: None,
) -> dict[str, list[str]]:
    found = letters.doubts(listed, roster or desk.roster, me, heads)
    return {sid: [f"{one.code} {last(one.text)}" for one in odd] for sid, odd in found.items()}


def test_letters_in_their_order_raise_no_doubt() -> None:
    desk = Desk(roster_of())
    one = to_all(desk, "north", 1)
    two = to_all(desk, "north", 2, one.sid)
    assert doubts(desk, came(two), came(one), came(to_all(desk, "south", 1))) == {}


def test_a_letter_that_is_missing_is_named_by_its_number_at_the_one_behind_it() -> None:
    desk = Desk(roster_of())
    one, four, five = to_all(desk, "north", 1), to_all(desk, "north", 4), to_all(desk, "north", 5)
    found = letters.doubts([came(one), came(four), came(five)], desk.roster, "south", lambda stage: None)
    assert set(found) == {four.sid, five.sid}
    (gap,), (follows,) = found[four.sid], found[five.sid]
    assert (gap.code, last(gap.text), last(follows.text)) == (
        "letter-gap",
        "numbers-missing",
        "follows-another",
    )
    assert (
        all(word in gap.text for word in ("north", "2", "3")) and "4" not in follows.text.split("4")[0][-1:]
    )
    assert "4" in follows.text and "north" in follows.text
    assert doubts(desk, came(two := to_all(desk, "north", 2))) == {two.sid: ["letter-gap numbers-missing"]}


@pytest.mark.parametrize(
    ("n", "named"), [(MOST_NAMED + 1, MOST_NAMED), (MOST_NAMED + 2, MOST_NAMED), (10**9, MOST_NAMED)]
)
def test_at_most_twenty_missing_numbers_are_named(n: int, named: int) -> None:
    desk = Desk(roster_of())
    (gap,) = letters.doubts(
        [came(letter := to_all(desk, "north", n))], desk.roster, "south", lambda stage: None
    )[letter.sid]
    message: Any = gap.text
    assert message.fields["missing"] == tuple(str(one) for one in range(1, named + 1))


def test_two_letters_with_one_number_are_both_named_and_either_may_be_followed() -> None:
    desk = Desk(roster_of())
    one, twin = to_all(desk, "north", 1), to_all(desk, "north", 1, text="Bye")
    twice = ["letter-twice two-with-one-number"]
    for first in (one, twin):
        two = to_all(desk, "north", 2, first.sid)
        assert doubts(desk, came(one), came(twin), came(two)) == {one.sid: twice, twin.sid: twice}
    three = to_all(desk, "north", 2, ELSEWHERE)
    assert doubts(desk, came(one), came(twin), came(three))[three.sid] == ["letter-gap follows-another"]
    other = to_all(desk, "south", 1)
    assert doubts(desk, came(one), came(other)) == {}, "each sender counts for himself"


def test_what_was_written_before_i_came_is_no_gap_for_me() -> None:
    desk = Desk(roster_of())
    five, seven = to_all(desk, "north", 5), to_all(desk, "north", 7)
    newcomer = in_force(
        desk.roster, "south", sign=signer_of("sue").public, seal=b"2" * 32, anchor=chain_of("sue").anchor
    )
    seen = {seven.sid: ["letter-gap numbers-missing"]}
    assert doubts(desk, came(five), came(seven), roster=newcomer) == seen
    for me in ("north", "gm", None, "nobody"):
        assert set(doubts(desk, came(five), came(seven), me=me, roster=newcomer)) == {five.sid, seven.sid}
    message: Any = letters.doubts([came(five), came(seven)], newcomer, "south", lambda stage: None)[
        seven.sid
    ][0].text
    assert message.fields["missing"] == ("6",)


def test_a_key_that_no_longer_holds_is_named() -> None:
    desk = Desk(roster_of())
    letter = to_all(desk, "north", 1)
    moved = in_force(desk.roster, "north", sign=signer_of("north later").public)
    assert doubts(desk, came(letter), roster=moved) == {letter.sid: ["letter-key key-no-longer-holds"]}
    out = replace(desk.roster, dropped=frozenset({"north"}))
    assert doubts(desk, came(letter), roster=out) == {letter.sid: ["letter-key key-no-longer-holds"]}


def test_another_head_is_named_where_ours_is_here() -> None:
    desk = Desk(roster_of(), 3)
    heads = {2: desk.progress.head, 1: desk.records[1].head, -1: ELSEWHERE}
    ours, other = to_all(desk, "north", 1), to_all(desk, "north", 1, prev=ELSEWHERE)
    odd = ["letter-head another-head"]
    assert doubts(desk, came(ours), heads=heads.get) == {}
    assert doubts(desk, came(other), heads=heads.get) == {other.sid: odd}
    assert doubts(desk, came(other)) == {}, "no record is here"
    later = to_all(desk, "north", 1, prev=ELSEWHERE, stage=9)
    assert doubts(desk, came(later), heads=heads.get) == {}
    start = to_all(desk, "north", 1, prev=desk.roster.game, stage=0)
    assert doubts(desk, came(start), heads=heads.get) == {}, "before stage 0 there is no record"
    (doubt,) = letters.doubts([came(other)], desk.roster, "south", heads.get)[other.sid]
    assert ELSEWHERE[:16] in doubt.text and desk.progress.head[:16] in doubt.text and "stage 2" in doubt.text


# --- reading --------------------------------------------------------------------------------------------


def test_a_letter_is_open_to_its_readers_with_any_key_they_ever_had() -> None:
    desk = Desk(roster_of())
    letter, shown = private(desk, "north", ("south",))
    old, new = seal_of("south"), seal_of("south later")
    for keys in ([old], [new, old], [old, new]):
        assert letters.opened(letter, "south", keys, "gm") == shown
    assert refusal(lambda: letters.opened(letter, "south", [new], "gm")) == "seal seal-does-not-open"
    assert refusal(lambda: letters.opened(letter, "south", [], "gm")) == "seal seal-does-not-open"
    for me in ("gm", "north", None):
        assert refusal(lambda me=me: letters.opened(letter, me, [old], "gm")) == "reader not-for-you"  # type: ignore[misc]
    assert letters.opened(to_all(desk, "north", 1), "south", [old], "gm") is None


def test_what_a_letter_seals_is_what_its_sender_committed_to() -> None:
    desk = Desk(roster_of())
    letter, _ = private(desk, "north", ("south",))
    body = {**letter.body, "commit": ELSEWHERE}
    forged = desk.says("letter", "north", body)
    assert (
        refusal(lambda: letters.opened(forged, "south", [seal_of("south")], "gm"))
        == "opening opening-does-not-fit"
    )


def test_the_content_of_a_letter_is_its_text_and_what_it_answers() -> None:
    desk = Desk(roster_of())
    letter, shown = private(desk, "north", ("south",), "Secret")
    assert letters.content_of(letter, None, "gm") is None
    assert letters.content_of(letter, shown, "gm") == Content("Secret")
    with pytest.raises(BadOpening):
        letters.content_of(letter, Shown("2" * 64, shown.value), "gm")
    open_ = to_all(desk, "north", 1, re=ELSEWHERE)
    assert letters.content_of(open_, None, "gm") == Content("Hello", ELSEWHERE)
    assert came(letter).text == "" and Came(letter, NORTH, Content("Secret")).text == "Secret"
    assert came(letter).to == ("south",) and came(open_).to is None


def test_a_letter_to_all_is_no_longer_than_a_private_one_can_be() -> None:
    desk = Desk(roster_of())
    room = MAX_LETTER - Content("").size
    letters.check_size(to_all(desk, "north", 1, text="x" * room))
    assert (
        refusal(lambda: letters.check_size(to_all(desk, "north", 1, text="x" * (room + 1))))
        == "size too-long"
    )
    answering = Content("", ELSEWHERE).size - Content("").size
    fits = "x" * (room - answering)
    letters.check_size(to_all(desk, "north", 1, text=fits, re=ELSEWHERE))
    assert (
        refusal(lambda: letters.check_size(to_all(desk, "north", 1, text=f"{fits}x", re=ELSEWHERE)))
        == "size too-long"
    )
    letters.check_size(private(desk, "north", ("south",))[0])
