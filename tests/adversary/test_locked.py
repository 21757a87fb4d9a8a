"""Dice mode `locked`: every cheat of sections 2 and 10 of the protocol, found by a tool or by `verify`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import link_due
from pbem.text.diagnostics import Refused
from pbem.trust.armour import Signed
from tests.adversary.forge import parsed, sid_of
from tests.adversary.modes import Modes, changed, copy_of, of_type
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Table, begun, chooser


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    """Stage 1 is open: both are asked, north for a card that is kept, or the two for bids."""
    tables = {}
    for system in (SYSTEM, FOG):
        root = tmp_path_factory.mktemp(system.name)
        table = begun(root, system, dice="locked")
        while len(table.progress.asked) < 2:
            table.play_stage(chooser(1))
        tables[system.name] = table
    return tables


@pytest.fixture
def start(opened: dict[str, Table], tmp_path: Path) -> Callable[[str], Modes]:
    return lambda name: copy_of(opened[name], tmp_path / "game")


@pytest.fixture(params=["primer", "primer-fog"])
def game(request: pytest.FixtureRequest, start: Callable[[str], Modes]) -> Modes:
    """Both bid in the open stage."""
    return start(request.param)


@pytest.fixture
def clear(start: Callable[[str], Modes]) -> Modes:
    return start("primer")


def ordered(game: Modes) -> list[Signed]:
    """Honest orders of both, in everybody's hands."""
    orders = [*game.order("north"), *game.order("south")]
    for name in ("gm", "north", "south"):
        game.give(name, *orders)
    return orders


def locked(game: Modes) -> Signed:
    """An honest lock, in both players' hands."""
    ordered(game)
    mail = game.adjudicate()
    for name in ("north", "south"):
        assert all(option.good for option in game.give(name, *mail))
    return of_type(mail, "lock")


def test_no_order_has_link_or_opening_before_the_lock(game: Modes) -> None:
    for found in ordered(game):
        body = parsed(found)["body"]
        assert "link" not in body and "openings" not in body and "sealed" not in body


def test_a_lock_that_names_what_is_not_here_waits_and_gets_no_link(game: Modes) -> None:
    """GM and south let south's order stay away until north's link is out."""
    orders = [*game.order("north"), *game.order("south")]
    game.give("gm", *orders)
    lock = of_type(game.adjudicate(), "lock")
    receipt = game.one("north", lock)
    assert receipt.outcome == "waiting" and re.search(
        "the order [0-9a-f]{12} of south is missing", receipt.reason
    )
    assert not link_due.link_due(game.seat("north").folder)
    game.give("north", orders[1])
    assert link_due.link_due(game.seat("north").folder), "it was answered as soon as it could be"


@pytest.mark.parametrize(
    ("accepted", "words"),
    [
        (("north", "north"), "but is the order of north"),
        (("north", None), "exactly the players who were asked: south"),
    ],
)
def test_a_lock_on_something_else_than_orders_of_those_asked_is_refused(
    clear: Modes, accepted: tuple[str, str | None], words: str
) -> None:
    orders = [*clear.order("north"), *clear.order("south")]
    for name in ("north", "south"):
        clear.give(name, *orders)
    sid = sid_of(orders[0])
    named = {name: sid for name, who in zip(("north", "south"), accepted, strict=True) if who}
    receipt = clear.one("north", clear.gm.says("lock", {"accepted": named, "forfeits": []}))
    assert receipt.outcome == "refused" and words in receipt.reason
    assert not link_due.link_due(clear.seat("north").folder)


def test_a_lock_without_my_newest_order_is_answered_only_if_i_say_that_i_was_late(game: Modes) -> None:
    first = game.order("north")
    south = game.order("south")
    second = game.order("north", seed=2)
    for name in ("gm", "south"):
        game.give(name, *first, *south)
    game.give("north", *south)
    mail = game.adjudicate()
    receipt = game.one("north", *mail)
    assert receipt.outcome == "waiting" and "revision 1 of your orders" in receipt.reason
    assert not link_due.link_due(game.seat("north").folder)
    assert game.one("north", *mail, late=True).good
    link = of_type(game.link("north"), "link")
    assert parsed(link)["body"]["answers"] == sid_of(of_type(mail, "lock")) and second


def test_two_locks_stop_everything_and_are_proof(game: Modes) -> None:
    orders = [*game.order("north"), *game.order("south"), *game.order("south", seed=2)]
    for name in ("gm", "north", "south"):
        game.give(name, *orders)
    sids = [sid_of(order) for order in orders]
    locks = [
        game.gm.says("lock", {"accepted": {"north": sids[0], "south": sid}, "forfeits": []})
        for sid in sids[1:]
    ]
    assert game.one("north", locks[0]).good
    game.link("north")
    assert game.one("north", locks[1]).outcome == "fork"
    with pytest.raises(Refused) as caught:
        link_due.give_link(game.seat("north").folder, game.seat("north").signer)
    assert caught.value.diagnostics[0].code == "fork" and "two different locks" in str(caught.value)


def test_a_link_shows_others_the_lock_it_answers(game: Modes) -> None:
    """So two locks come out with the first link, before any report."""
    orders = [*game.order("north"), *game.order("south"), *game.order("south", seed=2)]
    for name in ("gm", "north", "south"):
        game.give(name, *orders)
    sids = [sid_of(order) for order in orders]
    bodies = [{"accepted": {"north": sids[0], "south": sid}, "forfeits": []} for sid in sids[1:]]
    assert game.one("north", game.gm.says("lock", bodies[0])).good
    game.give("south", game.gm.says("lock", bodies[1]), late=True)
    outcomes = {option.outcome for option in game.give("south", *game.link("north"))}
    assert "fork" in outcomes


def test_a_player_answers_one_lock_of_a_stage_ever(game: Modes) -> None:
    lock = locked(game)
    game.link("north")
    seat = game.seat("north")
    for path in (seat.root / "stages").rglob("*.json"):
        if path.stem == sid_of(lock) or '"type":"link"' in path.read_text():
            path.unlink(missing_ok=True)
            path.with_suffix(".sig").unlink(missing_ok=True)
    other = game.gm.says("lock", parsed(lock)["body"] | {"forfeits": ["south"]})
    game.give("north", other)
    with pytest.raises(Refused) as caught:
        link_due.give_link(seat.folder, seat.signer)
    assert caught.value.diagnostics[0].code in ("answered-already", "fork")


def test_a_link_that_lacks_an_opening_or_opens_wrong_counts_as_not_sent(clear: Modes) -> None:
    locked(clear)
    honest = of_type(clear.link("south"), "link")
    opening = parsed(honest)["body"]["openings"]
    (decision,) = opening
    wrong = {decision: opening[decision] | {"value": (opening[decision]["value"] + 1) % 4}}
    own = clear.south
    for body, words in (
        ({"openings": None}, "does not reveal T1/initiative/bid"),
        ({"openings": wrong}, "is not what south committed to"),
        ({"openings": opening | {"card": opening[decision]}}, "too early"),
        ({"link": own.link(own.stage + 1)}, "chain"),
        ({"answers": "ab" * 32}, "answers the lock"),
    ):
        receipt = clear.one("gm", changed(own, honest, **body))
        assert receipt.outcome == "refused", (body, receipt)
        assert words in receipt.reason or words == "chain", receipt.reason
    assert clear.one("gm", honest).good


def test_no_report_without_every_link(game: Modes) -> None:
    from pbem.archive.adjudicating.gm_stage import adjudicate

    locked(game)
    game.give("gm", *game.link("north"))
    result = adjudicate(game.table.gm.folder, game.table.gm.signer)
    assert not result.done and set(result.missing) == {"south"}


def test_a_seal_in_a_link_that_does_not_open_is_answered(start: Callable[[str], Modes]) -> None:
    """In the fog a link may have a seal; one that it needs not is no less wrong than one that lacks."""
    fog = start("primer-fog")
    locked(fog)
    honest = of_type(fog.link("south"), "link")
    bad = changed(fog.south, honest, sealed={"gm": fog.south.seals({"openings": {}})})
    assert fog.one("gm", bad).outcome == "refused"


@pytest.mark.parametrize("change", [{"lock": "ab" * 32}, {"lock": None}, {"forfeits": ["south"]}])
def test_a_report_under_another_lock_is_not_believed(clear: Modes, change: dict[str, Any]) -> None:
    """The GM locks, takes the links, and reports what another lock would have given."""
    locked(clear)
    for name in ("north", "south"):
        clear.give("gm", *clear.link(name))
    mail = clear.adjudicate()
    report = of_type(mail, "report")
    record = parsed(report)["body"]["record"]
    body = {name: value for name, value in (record | change).items() if value is not None}
    lie = changed(clear.gm, report, record=body)
    receipt = clear.one("north", *[mail for mail in mail if mail is not report], lie)
    assert receipt.outcome in ("refused", "waiting"), receipt
    assert clear.seat("north").folder.stage < record["stage"]


def test_the_gm_cannot_forget_what_a_link_has_opened(clear: Modes) -> None:
    """He reports as if south had opened nothing; everybody who runs the stage sees a different result."""
    locked(clear)
    for name in ("north", "south"):
        clear.give("gm", *clear.link(name))
    mail = clear.adjudicate()
    report = of_type(mail, "report")
    record = parsed(report)["body"]["record"]
    (decision,) = record["openings"]["south"]
    lie = record | {
        "openings": {"north": record["openings"]["north"]},
        "kept": {**record.get("kept", {}), "south": [decision]},
    }
    others = [mail for mail in mail if mail is not report]
    receipt = clear.one("north", *others, changed(clear.gm, report, record=lie))
    assert receipt.outcome == "refused" and "a different result" in receipt.reason


def test_a_player_who_orders_after_his_link_changes_nothing(game: Modes) -> None:
    lock = locked(game)
    game.link("north")
    later = game.north.order(rev=2, change=lambda body, _: body.update(sealed=None))
    for name in ("gm", "south"):
        game.give(name, later)
    for name in ("north", "south"):
        if name == "south":
            game.give("gm", *game.link("south"))
    assert parsed(lock)["body"]["accepted"]["north"] != sid_of(later)


def test_verify_names_two_locks_and_a_link_for_another(clear: Modes) -> None:
    lock = locked(clear)
    for name in ("north", "south"):
        clear.give("gm", *clear.link(name))
    mail = clear.adjudicate()
    for name in ("north", "south"):
        assert all(option.good for option in clear.give(name, *mail))
    stage, prev = parsed(lock)["stage"], parsed(lock)["prev"]
    assert clear.false("south") == []
    other = clear.gm.says("lock", parsed(lock)["body"] | {"forfeits": ["south"]}, stage=stage, prev=prev)
    link = next(mail for mail in mail if parsed(mail)["type"] == "link" and parsed(mail)["from"] == "north")
    answered = changed(clear.north, link, answers=sid_of(other))
    clear.file("south", answered)
    assert {"two-locks", "other-lock"} <= set(clear.claimed("south"))
    clear.file("south", other)
    assert "fork" in clear.false("south")


def test_verify_finds_a_link_that_is_missing(clear: Modes) -> None:
    locked(clear)
    for name in ("north", "south"):
        clear.give("gm", *clear.link(name))
    mail = clear.adjudicate()
    clear.give("south", *mail)
    link = next(mail for mail in mail if parsed(mail)["type"] == "link" and parsed(mail)["from"] == "north")
    folder = clear.seat("south").root / f"stages/{parsed(link)['stage']:04}"
    (folder / f"{sid_of(link)}.json").unlink()
    (folder / f"{sid_of(link)}.sig").unlink()
    assert "missing" in clear.false("south")


def test_who_is_called_absent_gives_no_link_before_he_agrees(clear: Modes) -> None:
    """The GM "lost" south's order; the lock says so before anybody knows the dice, and his link is needed."""
    north, south = clear.order("north"), clear.order("south")
    clear.give("gm", *north)
    clear.give("south", *north)
    mail = clear.adjudicate(forfeits=("south",))
    assert parsed(of_type(mail, "lock"))["body"]["accepted"]["south"] is None
    receipt = clear.one("south", *mail)
    assert receipt.outcome == "waiting" and "the lock uses none of your orders" in receipt.reason
    clear.give("gm", *clear.link("north") if clear.one("north", *mail).good else [])
    from pbem.archive.adjudicating.gm_stage import adjudicate

    assert set(adjudicate(clear.table.gm.folder, clear.table.gm.signer).missing) == {"south"}
    assert clear.one("south", *mail, late=True).good
    clear.give("gm", *clear.link("south"))
    report = clear.adjudicate()
    for name in ("north", "south"):
        assert all(option.good for option in clear.give(name, *report)), name
    assert "forfeit" in clear.claimed("north") and clear.false("north") == [] and south
