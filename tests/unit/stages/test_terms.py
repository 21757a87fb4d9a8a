"""Terms that all have signed: deadlines, letters, plain replies, pseudonyms, and the words that say them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.stages import agreements, deadlines, gunboat, option_words, plain_replies, press
from pbem.stages.agreements import Agreement
from pbem.stages.deadlines import Deadlines
from pbem.stages.press import Press
from pbem.text.diagnostics import Refused
from pbem.trust.roster import Party
from tests.unit.archive.paper import last, refusal
from tests.unit.stages.desk import Desk, Shelf, entry_of, in_force, roster_of, terms_of

GOOD: list[tuple[str, Deadlines]] = [
    ("", Deadlines()),
    ("answer_days=1", Deadlines(answer_days=1)),
    ("answer_days=366", Deadlines(answer_days=366)),
    ("answer_days=0", Deadlines()),
    ("grace_days=007", Deadlines(grace_days=7)),
    ("answer_days=2 grace_days=3 deputy_days=4", Deadlines(2, 3, deputy_days=4)),
    ("overdue=wait", Deadlines(overdue="wait")),
    ("overdue=default", Deadlines(overdue="default")),
    ("no_show=computer", Deadlines(no_show="computer")),
    ("no_show=deputy", Deadlines(no_show="deputy")),
    ("turns=9 press=none", Deadlines()),
]


@pytest.mark.parametrize(("words", "said"), GOOD, ids=[words or "nothing" for words, _ in GOOD])
def test_deadlines_are_what_was_agreed_and_are_written_down_as_they_were_said(
    words: str, said: Deadlines
) -> None:
    assert deadlines.of(terms_of(words)) == said
    again = " ".join(f"{name}={value}" for name, value in said.data().items())
    assert deadlines.parse(again.split()) == said
    assert 0 not in said.data().values()


BAD: list[tuple[str, list[str]]] = [
    ("answer_days=367", ["wanted-number-of-days"]),
    ("answer_days=1000", ["wanted-number-of-days"]),
    ("answer_days=0366", ["wanted-number-of-days"]),
    ("answer_days=-1", ["wanted-number-of-days"]),
    ("answer_days=two", ["wanted-number-of-days"]),
    ("answer_days=²", ["wanted-number-of-days"]),
    ("grace_days=", ["wanted-number-of-days"]),
    ("deputy_days=0", ["wanted-number-of-days"]),
    ("overdue=soon", ["wanted-wait-or-default"]),
    ("no_show=me", ["wanted-computer-or-deputy"]),
    ("grace_days=1 grace_days=1", ["option-is-given-twice"]),
    ("overdue=3 no_show=3", ["wanted-wait-or-default", "wanted-computer-or-deputy"]),
]


@pytest.mark.parametrize(("words", "faults"), BAD, ids=[words for words, _ in BAD])
def test_every_deadline_that_cannot_be_is_named_with_what_was_written(words: str, faults: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        agreements.parse(words.split())
    assert [last(fault.message) for fault in refused.value.diagnostics] == faults
    for fault, word in zip(refused.value.diagnostics, words.split(), strict=False):
        name, _, value = word.partition("=")
        twice = faults == ["option-is-given-twice"]
        assert (name if twice else value) in fault.message


OPEN, SILENT = "party-forfeits-where-game-must-wait", "stage-went-on-where-game-must-wait"
LATE: list[tuple[str, str, str, str, str]] = [
    # dice, absent, words; with an order, without one in a stage like any, without one in the first with dice
    ("swift", "stop", "", OPEN, SILENT),
    ("swift", "stop", "overdue=default", "", SILENT),
    (
        "swift",
        "stop",
        "overdue=wait",
        OPEN,
        SILENT,
    ),
    ("swift", "skip", "", "", ""),
    ("swift", "skip", "overdue=wait", OPEN, ""),
    ("locked", "stop", "", "", ""),
    ("locked", "stop", "overdue=default", "", ""),
    ("locked", "stop", "overdue=wait", OPEN, OPEN),
    (
        "pair",
        "stop",
        "overdue=default",
        "nobody-can-say-that-party-is-late",
        SILENT,
    ),
]


@pytest.mark.parametrize(("dice", "absent", "words", "ordered", "silent"), LATE)
def test_who_may_be_passed_over_follows_from_the_terms(
    dice: Any, absent: Any, words: str, ordered: str, silent: str
) -> None:
    terms = terms_of(words, dice=dice, absent=absent)
    for has_order, wanted in ((True, ordered), (False, silent)):
        fault = deadlines.forfeit_fault(terms, "north", has_order=has_order, fresh=False)
        assert last(fault or "") == wanted
        assert not fault or "north" in fault


def test_in_the_first_stage_with_dice_an_order_of_ones_own_may_be_left_open() -> None:
    skip = terms_of(absent="skip")
    assert deadlines.forfeit_fault(skip, "north", has_order=True, fresh=True) is None
    fault = deadlines.forfeit_fault(skip, "north", has_order=False, fresh=True)
    assert last(fault) == "stage-went-on-where-nobody-may-be-skipped"
    locked = terms_of(dice="locked")
    assert deadlines.forfeit_fault(locked, "north", has_order=False, fresh=True) is None


# --- all together ---------------------------------------------------------------------------------------

ALL = Agreement(
    Deadlines(2, 1, "wait", 9, "deputy"), Press("grey", opened=True), plain_replies=True, gunboat=True
)


def test_an_agreement_is_read_as_it_was_written_down_and_usual_terms_are_not_written() -> None:
    assert agreements.NOTHING.data() == {}
    assert ALL.data() == {
        "answer_days": 2,
        "grace_days": 1,
        "overdue": "wait",
        "deputy_days": 9,
        "no_show": "deputy",
        "press": "grey",
        "press_opened": "yes",
        "plain_replies": "yes",
        "gunboat": "yes",
    }
    words = [f"{name}={value}" for name, value in ALL.data().items()]
    assert agreements.parse(words) == agreements.of(terms_of(" ".join(words))) == ALL
    assert set(ALL.data()) == set(agreements.NAMES)


def test_words_of_the_system_and_words_of_all_systems_are_told_apart() -> None:
    words = [
        "turns=3",
        "press=none",
        "cards",
        "gunboat=yes",
        "answer_days=x",
        "plain_replies=no",
        "no_show=2",
    ]
    assert agreements.split(words) == (["turns=3", "cards"], words[1:2] + words[3:])


@pytest.mark.parametrize("name", [plain_replies.NAME, gunboat.NAME, "press_opened"])
@pytest.mark.parametrize(
    ("words", "faults"),
    [
        (["{}=no"], ["wanted-yes"]),
        (["{}="], ["wanted-yes"]),
        (["{}"], ["wanted-yes"]),
        (["{}=yes", "{}=yes"], ["option-is-given-twice"]),
        (["{}=no", "{}=yes"], ["option-is-given-twice", "wanted-yes"]),
    ],
)
def test_what_is_agreed_to_is_agreed_to_with_yes_and_once(
    name: str, words: list[str], faults: list[str]
) -> None:
    with pytest.raises(Refused) as refused:
        agreements.parse([word.format(name) for word in words])
    assert [last(fault.message) for fault in refused.value.diagnostics] == faults
    assert all(name in fault.message for fault in refused.value.diagnostics)


def test_an_option_keeps_the_first_value_that_was_given() -> None:
    values, faults = option_words.given(["a=1", "b=2", "a=3", "c=4=5", "a=6"], ("a", "c"))
    assert (
        values == {"a": "1", "c": "4=5"}
        and [last(fault.message) for fault in faults] == ["option-is-given-twice"] * 2
    )


@pytest.mark.parametrize("name", ["gunboat", "plain_replies", "press_opened", "overdue"])
def test_a_scenario_may_be_called_like_an_option(name: str) -> None:
    terms = terms_of()
    terms = replace(terms, scenario=replace(terms.scenario, name=f"{name} turns=2"))
    assert agreements.of(terms) == agreements.NOTHING
    assert (deadlines.of(terms), press.of(terms)) == (deadlines.NOTHING, press.USUAL)
    assert not gunboat.of(terms) and not plain_replies.of(terms)


# --- letters --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(4))
def test_each_kind_of_press_allows_what_the_ones_before_it_allow(n: int) -> None:
    agreed = Press(press.KINDS[n])
    assert [agreed.allows(kind) for kind in press.KINDS] == [other <= n for other in range(4)]
    assert press.of(terms_of(f"press={press.KINDS[n]}")) == agreed


def test_where_nothing_is_said_letters_are_private() -> None:
    assert press.of(terms_of("turns=1")) == press.USUAL
    assert press.USUAL.kind == "private" and press.USUAL.data() == {}
    assert Press("private").data() == {"press": "private"}
    with pytest.raises(Refused) as refused:
        press.parse(["press=loud", "press_opened=1", "press=none"])
    assert [last(fault.message) for fault in refused.value.diagnostics] == [
        "option-is-given-twice",
        "wanted-kind",
        "wanted-yes",
    ]


@pytest.mark.parametrize(
    ("words", "players", "dice", "works"),
    [
        ("press=grey", 3, "swift", True),
        ("press=grey", 2, "swift", False),
        ("press=grey", 3, "pair", False),
        ("press=private", 2, "swift", True),
        ("", 2, "pair", True),
    ],
)
def test_grey_letters_want_a_game_master_and_three_players(
    words: str, players: int, dice: str, works: bool
) -> None:
    fault = press.grey_fault(terms_of(words, dice=dice), players)
    assert (fault is None) is works
    assert works or str(players) in str(fault)


THREE, SIX = ("north", "south", "west"), ("a", "b", "c", "d", "e", "f")
ADDRESSES: list[tuple[str, str, tuple[str, ...] | None, bool, str]] = [
    # press, sender, readers, grey
    ("none", "north", None, False, "no-public-letters"),
    ("none", "north", ("south",), False, "no-private-letters"),
    ("none", "north", ("gm",), False, ""),
    ("none", "north", ("gm", "south"), False, "no-private-letters"),
    ("none", "gm", None, False, ""),
    ("none", "gm", ("south",), False, ""),
    ("none", "dora", ("south",), False, ""),
    ("none", "gm", None, True, "no-grey-letters"),
    ("public", "north", None, False, ""),
    ("public", "north", ("south",), False, "no-private-letters"),
    ("private", "north", ("south", "west"), False, ""),
    ("private", "gm", ("south",), True, "no-grey-letters"),
    ("grey", "gm", ("south",), True, ""),
    ("grey", "gm", None, True, ""),
    ("grey", "dora", None, True, "grey-letters-come-from-gm"),
    ("grey", "north", ("south",), True, "grey-letters-come-from-gm"),
    ("grey", "gm", ("watcher",), True, "reader-cannot-read"),
    ("grey", "north", ("nobody",), False, "reader-cannot-read"),
    ("grey", "north", ("watcher",), False, "reader-cannot-read"),
    ("grey", "north", ("south", "west"), False, ""),
    ("grey", "north", ("gone",), False, "reader-cannot-read"),
]


@pytest.mark.parametrize(("kind", "sender", "to", "grey", "wanted"), ADDRESSES)
def test_who_may_write_to_whom(
    kind: str, sender: str, to: tuple[str, ...] | None, grey: bool, wanted: str
) -> None:
    others = (entry_of("watcher", "observer"), entry_of("dora", "deputy"))
    roster = roster_of(f"press={kind}", *others, players=(*THREE, "gone"))
    roster = replace(roster, dropped=frozenset({"gone"}))
    fault = press.fault_of(roster, sender, to, grey=grey)
    assert last(fault or "") == wanted
    if wanted == "reader-cannot-read":
        assert to is not None and to[0] in str(fault)
    if to is None:
        body: dict[str, Any] = {"n": 1, "text": "Hello", **({"grey": "1" * 64} if grey else {})}
        letter = Desk(roster).says("letter", sender, body)
        assert refusal(lambda: press.check_letter(roster, letter)) == (f"press {wanted}" if wanted else "")


def test_a_letter_sent_on_goes_neither_to_its_author_nor_to_the_game_master() -> None:
    roster = roster_of("press=grey", players=THREE)
    told = {to: last(press.on_fault(roster, "north", to) or "") for to in ("public", ("south", "west"))}
    assert set(told.values()) == {""}
    for to in (("north",), ("gm", "south"), ("north", "south")):
        assert last(press.on_fault(roster, "north", to)) == "grey-readers-without-author-and-gm"
    assert press.players_in(roster) == 3
    with_others = roster_of("press=grey", entry_of("watcher", "observer"), entry_of("dora", "deputy"))
    assert press.players_in(with_others) == 2
    assert last(press.on_fault(with_others, "north", "public")) == "no-grey-letters"


# --- plain replies and pseudonyms -----------------------------------------------------------------------


def test_plain_replies_count_of_players_whose_keys_the_game_master_holds_where_all_agreed() -> None:
    def writers(words: str, **how: Any) -> list[str]:
        roster = roster_of(words, players=THREE, **how)
        roster = in_force(in_force(roster, "north", proxy="gm"), "west", proxy="gm")
        return [*plain_replies.writers(replace(roster, dropped=frozenset({"west"})))]

    assert writers("plain_replies=yes") == ["north"]
    assert writers("") == []
    assert plain_replies.writers(roster_of("plain_replies=yes", dice="pair")) == {}
    assert plain_replies.of(terms_of("plain_replies=yes turns=2")) and not plain_replies.of(terms_of())


def test_who_had_something_written_down_is_told_once_and_in_order() -> None:
    desk = Desk(roster_of(players=(*THREE, *SIX)))
    orders = {
        name: desk.says("order", name, {"orders": [], **({"plain": "1" * 64} if name != "north" else {})})
        for name in (*THREE, *SIX)
    }
    listed = desk.says("standing", "south", {"standing": [], "plain": "2" * 64})
    accepted = {name: order.sid for name, order in reversed(orders.items())}
    record = desk.played(accepted=accepted, standing={"south": listed.sid})
    find = Shelf(*orders.values(), listed).find
    assert plain_replies.written_down(record, find) == [*SIX, "south", "west"]
    assert plain_replies.written_down(record, Shelf(orders["west"]).find) == ["west"], "others are not here"


MASKED: list[tuple[str, dict[str, Any], str]] = [
    ("", {}, ""),
    ("", {"name": "North"}, ""),
    ("gunboat=yes", {}, ""),
    ("gunboat=yes", {"name": "North"}, "names-somebody"),
    ("gunboat=yes", {"mail": "north@example.org"}, "names-somebody"),
]


@pytest.mark.parametrize(("words", "changes", "wanted"), MASKED)
def test_behind_a_pseudonym_are_neither_a_name_nor_an_address(
    words: str, changes: dict[str, Any], wanted: str
) -> None:
    entries: list[Party] = [entry_of("gm", "gm"), entry_of("watcher", "observer"), entry_of("dora", "deputy")]
    for name in ("south", "north"):
        masked = replace(entry_of(name), name=name, mail="gm@example.org")
        entries.append(replace(masked, **changes) if name == "north" else masked)
    fault = gunboat.fault_of(terms_of(words), entries)
    assert last(fault or "") == wanted and (not wanted or "north" in str(fault))
    gm_away = gunboat.fault_of(terms_of(words), entries[1:])
    assert last(gm_away or "") == (wanted if "mail" not in changes else ""), "then addresses are unknown"


def test_two_without_a_game_master_have_no_pseudonyms() -> None:
    assert last(gunboat.fault_of(terms_of("gunboat=yes", dice="pair"), [])) == "needs-a-gm"
    assert gunboat.fault_of(terms_of(dice="pair"), []) is None
