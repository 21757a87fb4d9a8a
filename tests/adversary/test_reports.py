"""The GM signs whatever he likes: a player takes no report that does not follow, and names what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.trust import dice
from tests.adversary.forge import Report, sid_of
from tests.adversary.play import Game, Pending, honest_orders, unbegin, without_south

Lie = Callable[[Game, Report], object]


def _forgotten(game: Game, report: Report) -> None:
    """South is not mentioned at all."""
    del report.record["accepted"]["south"], report.record["links"]["south"]
    report.reseed()


def _link(party: str, value: Callable[[Game], str | None]) -> Lie:
    """Another link, or none, and the seed that follows from it."""

    def lie(game: Game, report: Report) -> None:
        found = value(game)
        if found is None:
            del report.record["links"][party]
        else:
            report.record["links"][party] = found
        report.reseed()

    return lie


def _record(**members: Any) -> Lie:
    return lambda game, report: report.record.update(members)


def _group(change: Callable[[list[Any]], object]) -> Lie:
    """Other groups in the record, with the state hash that belongs to them."""

    def lie(game: Game, report: Report) -> None:
        change(report.record["groups"])
        report.restate()

    return lie


def _kept_both(game: Game, report: Report) -> None:
    report.record["kept"]["north"].insert(0, "a/made-up")


# what is wrong whatever the game hides; `words` is what the player is told
def _own_stage(game: Game, report: Report) -> None:
    """17.6: an opening that names a stage is of an earlier one, so that `kept` still says what waits."""
    report.record["openings"]["north"]["T1/cards/card"]["stage"] = 1
    report.record.setdefault("kept", {})["north"] = ["T1/cards/card"]


LIES: dict[str, tuple[Lie, str]] = {
    "a player who has answered is left out": (lambda g, r: without_south(r), "went on without south"),
    "a forfeit where the game must wait": (
        _record(forfeits=["south"]),
        "south forfeits questions, but this game must wait",
    ),
    "an order that nobody has": (
        lambda g, r: r.record["accepted"].update(south="00" * 32),
        "order 000000000000 of south is missing",
    ),
    "the order of another player": (
        lambda g, r: r.record["accepted"].update(south=r.record["accepted"]["north"]),
        "is named as the order of south, but is the order of north",
    ),
    "somebody was not asked": (lambda g, r: r.record["accepted"].update(gm=None), "gm"),
    "somebody who was asked is not mentioned": (
        _forgotten,
        "exactly the players who were asked: south",
    ),
    "no link of the GM": (_link("gm", lambda g: None), "gm's link is missing"),
    "no link of a player": (_link("south", lambda g: None), "south's link is missing"),
    "the GM's link of the next stage": (
        _link("gm", lambda g: g.gm.link(2)),
        "does not lead back to the anchor",
    ),
    "the GM's anchor as link": (_link("gm", lambda g: g.gm.link(0)), "does not lead back to the anchor"),
    "a link of another player's": (
        _link("south", lambda g: g.north.link(1)),
        "does not lead back to the anchor",
    ),
    "a link of a stranger": (_link("east", lambda g: "00" * 32), "east has a link"),
    "a seed of his choice": (_record(seed="5e" * 32), "the seed does not follow"),
    "a commitment is not mentioned": (lambda g, r: r.record.pop("kept"), "either revealed or kept"),
    "a commitment that nobody made": (_kept_both, "either revealed or kept"),
    "a commitment kept for who is not asked": (
        lambda g, r: r.record["kept"].update(east=["later"]),
        "either revealed or kept",
    ),
    "an opening of nothing": (
        _record(openings={"north": {"bid": {"nonce": "00" * 32, "value": 1}}}),
        "never committed to bid",
    ),
    "an opening of another stage that was none": (
        _record(openings={"north": {"T1/cards/card": {"nonce": "00" * 32, "value": "calm", "stage": 1}}}),
        "never committed to",
    ),
    "the true opening of this stage, as if of a stage before": (
        _own_stage,
        "never committed to T1/cards/card",
    ),
    "an opening of a later stage": (
        _record(openings={"north": {"T1/cards/card": {"nonce": "00" * 32, "value": "calm", "stage": 9}}}),
        "never committed to",
    ),
    "an opening of a commitment that opens otherwise": (
        lambda g, r: r.record["openings"]["north"].update(
            {"T1/cards/card": {"nonce": "00" * 32, "value": 1}}
        ),
        "not what north committed to",
    ),
    "a state that is not that of the groups": (_record(state="00" * 32), "state"),
    "a group of strangers": (
        _group(lambda groups: groups.append([["observer"], "00" * 32])),
        "not in the game",
    ),
    "no public group": (_group(lambda groups: groups.pop(0)), "public group is missing|groups: empty"),
    "a stranger is asked": (_record(asked={"east": ["bid"]}), "east is asked"),
    "the GM is asked": (_record(asked={"gm": ["bid"]}), "gm is asked"),
    "a lock": (_record(lock="00" * 32), "lock"),
    "amendments that nobody has": (_record(amends=["00" * 32]), "amendment 000000000000 is missing"),
    "standing orders that nobody has": (
        _record(standing={"south": "00" * 32}),
        "standing 000000000000 of south is missing",
    ),
    "an order as standing orders": (
        lambda g, r: r.record.update(standing={"south": r.record["accepted"]["south"]}),
        "is named as the standing of south",
    ),
    "an empty member": (_record(standing={}), "leave it out"),
    "nothing kept by somebody": (lambda g, r: r.record["kept"].update(south=[]), "leave it out"),
    "no amendments": (_record(amends=[]), "leave it out"),
    "an unknown member": (_record(note="x"), "unknown member"),
    "the record of another stage": (_record(stage=2), "another stage or history"),
    "the record of another history": (_record(prev="00" * 32), "another stage or history"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_false_record_is_taken_by_nobody(pending: Pending, name: str) -> None:
    lie, words = LIES[name]
    report = pending.report
    lie(pending.game, report)
    mail = report.mail()
    for player in ("north", "south"):
        told = pending.told(player, mail)
        assert told and re.search(words, told[0].reason), told


POOL: list[Any] = [None, 0, 1, True, "", "north", "gm", "00" * 32, [], {}, ["north"], {"north": "00" * 32}]


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from _paths(one, (*path, name))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_change_anywhere_in_a_record_is_believed(pending: Pending, data: st.DataObject) -> None:
    """With hidden units some of it waits for the unseal: who is asked, what was opened, others' groups."""
    report = pending.report
    later = {"asked", "openings", "kept", "groups"} if report.hidden else set()
    later.add("events")  # they are hashed anew when the report is signed
    names = [path for path in sorted(_paths(report.record), key=repr) if path[0] not in later]
    *way, last = data.draw(st.sampled_from(names))
    place: Any = report.record
    for step in way:
        place = place[step]
    before = place[last]
    value = data.draw(st.sampled_from([one for one in [*POOL, "gone"] if repr(one) != repr(before)]))
    if value == "gone":
        del place[last]
    else:
        place[last] = value
    if (*way, last)[0] == "groups" and "groups" in report.record and data.draw(st.booleans()):
        report.restate()
    assert pending.told("north", report.mail())


def test_a_closed_record_waits_for_its_amendments(game: Game) -> None:
    game.answer()
    report = game.report()
    report.data["body"]["record"] = {"stage": 1, "prev": report.record["prev"], "amends": ["00" * 32]}
    report.data["body"]["events"] = []
    found = game.gm.says("report", report.data["body"], stage=1, prev=report.record["prev"])
    receipt = game.one("north", found)
    assert receipt.outcome == "waiting" and "the amendment 000000000000 is missing" in receipt.reason


def test_a_report_waits_for_an_order_with_secret_answers(game: Game) -> None:
    """The order is not here, so nobody can say yet whether its commitments are rightly listed."""
    game.give("gm", *honest_orders(game))
    report = game.report()
    mail = report.mail()
    accepted = report.record["accepted"]["north"]
    without = [mail for mail in mail if sid_of(mail) != accepted]
    receipts = game.give("south", *without)
    assert {r.outcome for r in receipts} <= {"taken", "waiting", "early"}, receipts
    assert [r.outcome for r in game.give("south", *mail) if r.outcome == "refused"] == []
    assert game.seat("south").folder.stage == 1


# --- stage 0 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [{"north": ["T1/cards/card"]}, {"south": ["ready"]}])
def test_the_first_dice_need_everybody_s_link(game: Game, asked: dict[str, list[str]]) -> None:
    """GM and one player whose chains were made to fit each other must not throw alone (4.4, rule 2)."""
    report = Report(game.gm, unbegin(game), 0)
    report.record["asked"] = asked
    for player in ("north", "south"):
        told = [r for r in game.give(player, *report.mail(prev=game.gm.game)) if r.outcome == "refused"]
        assert told and "which needs everyone's link" in told[0].reason
        assert game.seat(player).folder.stage == -1


def test_the_honest_first_report_is_taken(game: Game) -> None:
    game.give("north", *unbegin(game))
    assert game.seat("north").folder.stage == 0


# --- dice -------------------------------------------------------------------------------------------------


def _roll(report: Report, label: list[Any], spec: str = "1d6", **members: Any) -> dict[str, Any]:
    result = dice.roll(spec, bytes.fromhex(report.record["seed"]), label)
    return {"label": label, "dice": spec, "result": result, **members}


ROLLS: dict[str, tuple[Callable[[Report], list[dict[str, Any]]], str]] = {
    "a result of his choice": (
        lambda r: [_roll(r, ["a", 1]) | {"result": [7]}],
        "the seed gives",
    ),
    "one label for two purposes": (lambda r: [_roll(r, ["a", 1]), _roll(r, ["a", 1])], "names two rolls"),
    "one label for two purposes, the second as if of before": (
        lambda r: [_roll(r, ["a", 1]), _roll(r, ["a", 1], stage=1)],
        "from stage 1, which is not an earlier one",
    ),
    "a roll of the future": (lambda r: [_roll(r, ["a", 1], stage=2)], "stage 2"),
    "a roll of a stage without dice": (lambda r: [_roll(r, ["a", 1], stage=0)], "stage 0"),
    "a stage that is a list": (lambda r: [_roll(r, ["a", 1], stage=[1])], "stage"),
    "a stage that is a word": (lambda r: [_roll(r, ["a", 1], stage="1")], "stage"),
    "a stage that is true": (lambda r: [_roll(r, ["a", 1], stage=True)], "stage"),
    "a label that is a word": (lambda r: [_roll(r, ["a", 1]) | {"label": "a"}], "label"),
    "a label with a list in it": (
        lambda r: [_roll(r, ["a", 1]) | {"label": [["a"]]}],
        "strings and integers",
    ),
    "an empty label": (lambda r: [_roll(r, ["a", 1]) | {"label": []}], "strings and integers"),
    "a member more": (lambda r: [_roll(r, ["a", 1], comment="lucky")], "members"),
    "two kinds of roll in one": (lambda r: [_roll(r, ["a", 1], shuffle=[1, 2])], "members"),
    "a thousand and one dice": (lambda r: [_roll(r, ["a", 1]) | {"dice": "1001d6"}], "1001d6"),
    "hidden, but not true": (lambda r: [_roll(r, ["a", 1], hidden=1)], "hidden"),
    "hidden and false": (lambda r: [_roll(r, ["a", 1], hidden=False)], "hidden"),
    "a hidden roll of no shape": (lambda r: [_roll(r, ["a", 1], hidden=True) | {"dice": 6}], "dice"),
    "a hidden roll under the label of an open one": (
        lambda r: [_roll(r, ["a", 1]), _roll(r, ["a", 1], hidden=True)],
        "names two rolls",
    ),
    "more drawn than there are": (
        lambda r: [{"label": ["a", 1], "draw": 3, "from": [1, 2], "result": [1, 2, 1]}],
        "draw of 3 from 2",
    ),
}


@pytest.mark.parametrize("name", ROLLS)
def test_dice_that_the_seed_does_not_give_are_named_at_once(pending: Pending, name: str) -> None:
    """In a game with hidden units too, where the rest of the events is believed until the unseal."""
    make, words = ROLLS[name]
    report = pending.report
    report.events += [{"event": "fought", "deep": [{"down": roll}]} for roll in make(report)]
    told = pending.told("north", report.mail())
    assert told and words in told[0].reason, told


def test_an_honest_roll_at_any_depth_is_taken(fog: Game) -> None:
    fog.answer()
    report = fog.report()
    deep = [{"down": _roll(report, ["a", 1])}]
    report.events.append({"event": "fought", "attacker": "north", "hex": "0101", "die": deep, "result": ""})
    fog.give("north", *report.mail())
    assert fog.seat("north").folder.stage == 1
