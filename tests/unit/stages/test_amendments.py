"""Amendments: who must sign one, what is against it, which count together, what a record names (4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.system import System
from pbem.stages import amendments
from pbem.stages.amendment_words import op_words
from pbem.stages.amendments import Proposal, amend_faults, judge, what_is_against
from pbem.trust import sshsig
from pbem.trust.roster import make_roster
from pbem.trust.statements import Statement
from tests.primer import FOG, SYSTEM
from tests.unit.archive.paper import kinds, last
from tests.unit.archive.table import signer_of
from tests.unit.stages.desk import ELSEWHERE, SECRET, Desk, Shelf, entry_of, roster_of, terms_of

ALL = ("gm", "north", "south")
SKIP = {"op": "option", "name": "absent", "value": "skip"}
STOP = {**SKIP, "value": "stop"}
BACK = {"op": "rewind", "to": 1}
RULING = {"op": "ruling", "reason": "a slip", "changes": []}
NEW_RULES: dict[str, Any] = {
    "op": "module",
    "module": {"name": "primer", "version": "2+1", "sha256": "e" * 64},
}
LATER = signer_of("north, later")
NEW_KEY = {"op": "key", "party": "north", "sign": sshsig.public_line(LATER.public)}


def desk_of(words: str = "", open_: int = 3, **how: Any) -> Desk:
    return Desk(roster_of(words, **how), open_, {"north": ["bid"], "south": ["bid"]})


def signed(statement: Statement, *names: str) -> list[str]:
    return [signer_of(name).sign(statement.bytes) for name in names]


def proposed(desk: Desk, *ops: Any, by: Sequence[str] = ALL, sender: str = "gm", **changed: Any) -> Proposal:
    statement = desk.amends(*ops, sender=sender, **changed)
    return judge(desk.progress, statement, signed(statement, *by))


def shelf_of(desk: Desk, *listed: tuple[Statement, Sequence[str]]) -> Shelf:
    return Shelf(*(one for one, _ in listed), signed={one.sid: signed(one, *names) for one, names in listed})


# --- signatures -----------------------------------------------------------------------------------------


def test_an_amendment_is_complete_when_all_have_signed_it_and_says_who_has_not() -> None:
    desk = desk_of()
    open_ = proposed(desk, SKIP, by=("north", "gm"))
    assert (open_.needed, tuple(open_.signatures), open_.missing) == (ALL, ("north", "gm"), ("south",))
    assert not open_.complete and last(amendments.state_of(open_)) == "still-sign"
    assert "south" in amendments.state_of(open_) and "north" not in amendments.state_of(open_)
    whole = proposed(desk, SKIP)
    assert whole.complete and not whole.missing and last(amendments.state_of(whole)) == "all-have-signed"
    assert amendments.state_of(proposed(desk, BACK)) != amendments.state_of(whole), (
        "that one closes its stage"
    )
    assert not proposed(desk, SKIP, by=("gm", "north", "mallory")).complete
    statement = desk.amends(SKIP)
    other = signed(desk.amends(STOP), "south")
    assert judge(desk.progress, statement, [*signed(statement, "gm", "north"), *other]).missing == ("south",)


def test_a_new_key_signs_beside_the_old_one_and_is_named_behind_it() -> None:
    desk = desk_of()
    alone = proposed(desk, NEW_KEY, by=("north",), sender="north")
    assert alone.needed == ("north", "north.new") and alone.missing == ("north.new",)
    statement = desk.amends(NEW_KEY, sender="north")
    both = judge(desk.progress, statement, signed(statement, "north", "north, later"))
    assert both.complete and set(both.signatures) == {"north", "north.new"}
    beside = proposed(desk, NEW_KEY, SKIP, by=("gm",), sender="north")
    assert beside.needed == ("gm", "north", "north.new", "south"), "in the order of the roster"
    with pytest.raises(KeyError):
        amendments.signer_name(desk.roster, signer_of("mallory").public, statement)


def test_its_sender_has_signed_also_where_nobody_asks_him_to() -> None:
    drop = {"op": "drop", "party": "south"}
    of_south = proposed(desk_of(), drop, sender="south")
    assert of_south.needed == ("gm", "north") and set(of_south.signatures) == {*ALL} and of_south.complete
    assert set(proposed(desk_of(), drop, by=("south",), sender="gm").signatures) == set()


def test_what_an_amendment_does_is_told_by_its_ops() -> None:
    made = proposed(desk_of(), SKIP, NEW_RULES)
    assert made.ops == (SKIP, NEW_RULES)
    assert made.does("option") and made.does("module") and not made.does("rewind")
    assert not made.closes and proposed(desk_of(), SKIP, BACK).closes


# --- what is against it ---------------------------------------------------------------------------------

COMMITTED = {"op": "ruling", "reason": "a slip", "commit": "c" * 64}


def option(name: str, value: Any) -> dict[str, Any]:
    return {"op": "option", "name": name, "value": value}


AGAINST: list[tuple[System | None, str, list[Any], str]] = [
    # the rules if they are installed, the words of the terms, the ops
    (SYSTEM, "", [SKIP], ""),
    (SYSTEM, "", [option("dice", "locked")], ""),
    (SYSTEM, "", [option("turns", 2)], ""),
    (SYSTEM, "", [option("turns", "many")], "*"),
    (None, "", [option("turns", "many")], ""),
    (SYSTEM, "", [option("nonsense", 1)], "*"),
    (SYSTEM, "", [option("gunboat", "yes")], "option-cannot-change-in-play"),
    (SYSTEM, "", [option("press", "none")], ""),
    (SYSTEM, "", [option("press", "grey")], "grey-wants-gm-and-three-players"),
    (SYSTEM, "", [option("press", "loud")], "*"),
    (SYSTEM, "", [RULING], ""),
    (SYSTEM, "", [COMMITTED], "ruling-is-committed-in-game-with-hidden-units"),
    (FOG, "", [COMMITTED], ""),
    (FOG, "", [RULING], "ruling-is-committed-in-game-with-hidden-units"),
    (None, "", [RULING], ""),
    (None, "", [COMMITTED], ""),
    (SYSTEM, "", [SKIP, RULING], ""),
    (SYSTEM, "", [RULING, RULING], "amendment-holds-one-ruling-at-most"),
    (SYSTEM, "", [BACK], ""),
    (SYSTEM, "", [{"op": "rewind", "to": 2}], ""),
    (SYSTEM, "", [{"op": "rewind", "to": 3}], "it-goes-back-to-later-stage"),
    (SYSTEM, "", [SKIP, {"op": "rewind", "to": 4}], "it-goes-back-to-later-stage"),
    (SYSTEM, "", [{"op": "drop", "party": "gm"}], "*"),
    (SYSTEM, "", [{"op": "key", "party": "north", "mail": "nora@example.org"}], ""),
]


@pytest.mark.parametrize(("system", "words", "ops", "wanted"), AGAINST, ids=range(len(AGAINST)))
def test_what_is_against_an_amendment_is_named_before_anybody_signs(
    system: System | None, words: str, ops: list[Any], wanted: str
) -> None:
    desk = desk_of(words)
    statement = desk.amends(*ops)
    fault = what_is_against(desk.progress, statement, system)
    assert (fault is None) if not wanted else (fault and ("*" in wanted or last(fault) == wanted)), fault
    if wanted != "amendment-holds-one-ruling-at-most":
        made = judge(desk.progress, statement, signed(statement, *ALL), system)
        assert made.fault == fault and made.complete is (fault is None)
        assert fault is None or amendments.state_of(made) == fault


def test_nothing_is_amended_before_the_game_has_started() -> None:
    desk = desk_of(open_=1)
    statement = desk.amends(SKIP)
    before = replace(desk.progress, stage=-1)
    assert last(what_is_against(before, statement)) == "game-has-not-started"
    assert what_is_against(desk.progress, statement) is None


def test_an_amendment_about_somebody_who_is_not_in_the_game_needs_nobody_and_cannot_count() -> None:
    made = proposed(desk_of(), {"op": "drop", "party": "nobody"})
    assert (made.needed, made.signatures) == ((), {}) and made.fault and not made.complete


def test_under_pseudonyms_nobody_takes_a_name_or_an_address() -> None:
    masked = [replace(entry_of(one), name=one, mail="gm@example.org") for one in ("north", "south")]
    desk = Desk(make_roster([entry_of("gm", "gm"), *masked], terms_of("gunboat=yes"), SECRET), 3)
    for change, fine in (
        ({"name": "Nora"}, False),
        ({"mail": "n@example.org"}, False),
        ({"proxy": "gm"}, True),
    ):
        statement = desk.amends({"op": "key", "party": "north", **change}, sender="north")
        fault = what_is_against(desk.progress, statement)
        assert (fault is None) is fine and (fine or last(fault) == "names-somebody")


# --- what counts ----------------------------------------------------------------------------------------


def test_proposals_are_those_of_the_open_stage_on_our_head() -> None:
    desk = desk_of()
    here, elsewhere = desk.amends(SKIP), desk.amends(STOP, prev=ELSEWHERE)
    earlier = desk.amends(SKIP, stage=2, prev=desk.records[1].head)
    shelf = shelf_of(desk, (here, ALL), (elsewhere, ALL), (earlier, ALL))
    (only,) = amendments.proposals(desk.progress, shelf)
    assert only.statement == here and only.complete


def test_complete_amendments_count_and_of_two_that_contradict_the_first() -> None:
    desk = desk_of()
    skip, waits = proposed(desk, SKIP), proposed(desk, STOP, by=("gm",))
    first, second = (
        proposed(desk, NEW_RULES),
        proposed(desk, {**NEW_RULES, "module": {**NEW_RULES["module"], "name": "other"}}),
    )
    drop, chain = ({"op": "drop", "party": "south"}, {"op": "chain", "party": "south", "anchor": "c" * 64})
    dropped, chained = proposed(desk, drop), proposed(desk, chain)
    assert amendments.counting(desk.progress, [waits, skip, second, first]) == [skip, first]
    assert amendments.counting(desk.progress, [dropped, chained]) == [dropped], "who is out has no chain"
    assert amendments.counting(desk.progress, [chained, dropped]) == [chained, dropped]
    assert amendments.roster_to_come(desk.progress, [waits, skip]).terms.absent == "skip"
    assert amendments.roster_to_come(desk.progress, [waits]) == desk.roster


def test_one_that_closes_the_stage_leaves_no_ruling_and_lets_nothing_ride_along() -> None:
    desk = desk_of()
    ruling, skip, back = proposed(desk, RULING), proposed(desk, SKIP), proposed(desk, BACK)
    unsigned = proposed(desk, BACK, by=("gm",))
    assert amendments.counting(desk.progress, [ruling, skip, back]) == [skip, back]
    assert amendments.counting(desk.progress, [back, ruling]) == [back]
    assert amendments.counting(desk.progress, [ruling, skip, unsigned]) == [ruling, skip]
    assert amendments.riding(desk.progress, [ruling, skip, unsigned]) == [ruling.statement, skip.statement]
    assert amendments.riding(desk.progress, [skip, back]) == []


def test_new_rules_run_the_very_stage_that_they_ride_along_in() -> None:
    desk = desk_of()
    rules, skip, back = proposed(desk, NEW_RULES), proposed(desk, SKIP), proposed(desk, BACK)
    unsigned = proposed(desk, NEW_RULES, by=("gm",))
    now = desk.roster.terms.module
    for listed, version in (
        ([], "1+1"),
        ([skip], "1+1"),
        ([rules], "2+1"),
        ([skip, rules], "2+1"),
        ([rules, skip], "2+1"),
        ([unsigned], "1+1"),
        ([unsigned, skip], "1+1"),
        ([rules, back], "1+1"),
    ):
        assert amendments.module_in_play(desk.progress, listed).version == version
    assert now.version == "1+1"


def test_whoever_has_signed_what_closes_the_stage_orders_nothing_in_it() -> None:
    desk = desk_of()
    back, skip = desk.amends(BACK), desk.amends(SKIP)
    far = desk.amends({"op": "rewind", "to": 7})
    of_north = shelf_of(desk, (back, ("gm", "north")), (skip, ALL), (far, ALL))
    closing = amendments.signed_closing(desk.progress, of_north, "north")
    assert closing is not None and closing.statement == back
    assert amendments.signed_closing(desk.progress, of_north, "south") is None
    new = desk.amends(NEW_KEY, BACK, sender="north")
    by_new_key = Shelf(new, signed={new.sid: signed(new, "north, later")})
    assert amendments.signed_closing(desk.progress, by_new_key, "north") is not None
    assert amendments.signed_closing(replace(desk.progress, stage=-1), of_north, "north") is None


# --- what a record says ---------------------------------------------------------------------------------


def faults(
    desk: Desk, *listed: tuple[Statement, Sequence[str]], closed: bool, away: Sequence[Statement] = ()
) -> list[str]:
    made = [one for one, _ in listed]
    sids = sorted(one.sid for one in made)
    record = desk.closed(*made) if closed else desk.played(amends=sids) if sids else desk.played()
    shelf = shelf_of(desk, *(entry for entry in listed if entry[0] not in away))
    return kinds(list(amend_faults(desk.progress, record, shelf)))


def test_the_amendments_of_a_record_are_here_signed_and_in_their_place() -> None:
    desk = desk_of()
    skip, back, ruling = desk.amends(SKIP), desk.amends(BACK), desk.amends(RULING)
    new = desk.amends(NEW_KEY, sender="north")
    assert faults(desk, closed=False) == []
    assert faults(desk, (skip, ALL), (ruling, ("gm",)), closed=False) == []
    assert faults(desk, (skip, ALL), (back, ALL), closed=True) == []
    assert faults(desk, (skip, ALL), closed=False, away=[skip]) == ["missing amendment-is-not-here -"]
    assert faults(desk, (skip, ("gm", "north")), closed=False) == ["unsigned-amend unsigned-amend south"]
    assert faults(desk, (new, ("north",)), closed=False) == ["unsigned-amend unsigned-amend north"]
    assert faults(desk, (skip, ALL), closed=True) == ["amend no-amendment-closes-stage -"]
    assert faults(desk, (back, ALL), closed=False) == ["amend amendment-closes-stage-that-was-played -"]
    assert sorted(faults(desk, (back, ALL), (ruling, ALL), closed=True)) == [
        "amend amendment-is-ruling-in-closed-stage -"
    ]
    far = desk.amends({"op": "rewind", "to": 7})
    assert faults(desk, (far, ALL), closed=True) == ["amend fault-in-amendment gm"]


def test_what_a_record_names_as_an_amendment_is_one_of_its_stage_and_history() -> None:
    desk = desk_of()
    none = ["amend named-as-amendment-and-is-none -"]
    order = desk.says("order", "north", {"orders": []})
    elsewhere = desk.amends(SKIP, prev=ELSEWHERE)
    assert faults(desk, (order, ALL), closed=False) == faults(desk, (elsewhere, ALL), closed=False) == none
    earlier = desk.amends(SKIP, stage=2, prev=desk.progress.head)

    class Loose(Shelf):
        def find(self, stage: int, sid: str) -> Statement | None:
            return next((one for one in self.here if one.sid == sid), None)

    record = desk.played(amends=[earlier.sid])
    assert kinds(list(amend_faults(desk.progress, record, Loose(earlier)))) == none


def test_amendments_of_a_record_that_contradict_each_other_are_found() -> None:
    desk = desk_of()
    drop = desk.amends({"op": "drop", "party": "south"})
    chains = [desk.amends({"op": "chain", "party": "south", "anchor": f"{n:064x}"}) for n in range(1, 200)]
    after = max(chains, key=lambda one: one.sid)
    assert after.sid > drop.sid
    found = faults(desk, (drop, ALL), (after, ALL), closed=True)
    assert found == ["amend amendments-contradict-each-other -"]
    wrong = desk.amends({"op": "drop", "party": "gm"})
    assert faults(desk, (wrong, ALL), closed=True) == ["amend fault-in-amendment gm"], "one fault, said once"


def test_a_change_that_is_none_is_shown_as_it_was_written() -> None:
    desk = desk_of()
    ops = {"op": "ruling", "reason": "a slip", "changes": [5, {"remove": "n1"}]}
    words: Any = op_words(desk.progress, ops)
    first, second = words.fields["what"].fields["first"], words.fields["what"]
    assert "5" in str(first) and "n1" in second and "remove: n1" not in second
