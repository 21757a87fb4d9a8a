"""Answers sent ahead: a game master who uses one twice, makes one up or leaves out that one was withdrawn
is found out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.receiving.receive import Receipt
from pbem.archive.verifying.verify import verify
from pbem.engine import ahead
from tests.adversary.conftest import Start
from tests.adversary.forge import Signed
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM

ENDS: dict[str, Any] = {"decision": "next-move", "once": "end-of-move", "answer": {}}


def of_type(receipts: list[Receipt], type_: str) -> Receipt:
    return next(receipt for receipt in receipts if str(receipt.words).split()[0] == type_)


def all_receive(game: Game, *found: Signed) -> None:
    for name in ("gm", "north", "south"):
        game.give(name, *found)


def filed(game: Game, *entries: Any, hidden: bool = False) -> Signed:
    """South sends these ahead on the day the game begins, and everybody has orders and list."""
    later = game.south.later(list(entries), hidden=hidden)
    all_receive(game, game.north.order(), game.south.order(), later)
    return later


def until_told(game: Game, cheating: Any, most: int = 8) -> list[Receipt]:
    """Play on, the game master with a program that cheats, until somebody's tool does not take a report; what
    it said then. Empty if it never comes to that."""
    for number in range(most):
        if game.seat("gm").folder.progress.over:
            break
        if number:
            game.answer()
        with cheating():
            found = game.report().mail()
        receipts = game.give("north", *found)
        game.give("south", *found)
        if of_type(receipts, "report").outcome != "taken":
            return receipts
    return []


@contextmanager
def nothing_is_spent() -> Iterator[None]:
    """A queue from which south's answers are never taken."""
    usual = ahead.Queue.spend
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            ahead.Queue, "spend", lambda queue, party, name: party == "south" or usual(queue, party, name)
        )
        yield


@contextmanager
def one_is_made_up() -> Iterator[None]:
    """A queue with an answer that south has never sent."""
    usual = ahead.Queue.entries
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            ahead.Queue,
            "entries",
            lambda queue, party, orders: usual(
                queue, party, [*orders, *([ENDS] if party == "south" else [])]
            ),
        )
        yield


def test_an_answer_that_the_game_master_uses_twice_is_found_out_by_everybody(start: Start) -> None:
    game = start(SYSTEM)
    filed(game, ENDS)
    told = until_told(game, nothing_is_spent)
    assert told and of_type(told, "report").outcome in ("false", "refused", "fork"), told
    assert not verify(game.seat("gm").root).ok


def test_an_answer_that_the_game_master_makes_up_is_found_out_by_everybody(start: Start) -> None:
    game = start(SYSTEM)
    filed(game)
    told = until_told(game, one_is_made_up)
    assert told and of_type(told, "report").outcome in ("false", "refused", "fork"), told
    assert not verify(game.seat("gm").root).ok


@pytest.mark.parametrize("cheating", [nothing_is_spent, one_is_made_up])
def test_with_hidden_units_it_is_found_out_when_the_game_is_unsealed(start: Start, cheating: Any) -> None:
    game = start(FOG)
    filed(game, *([ENDS] if cheating is nothing_is_spent else []), hidden=True)
    until_told(game, cheating)
    for _ in range(60):
        if game.seat("gm").folder.progress.over:
            break
        game.play(1)
    unseal(game.table.gm.folder, game.table.gm.signer)
    verified = verify(game.seat("gm").root)
    assert not verified.ok
    assert {finding.party for finding in verified.of("false")} <= {"gm", None}


def test_a_withdrawal_that_the_game_master_leaves_out_is_told_to_whoever_withdrew(start: Start) -> None:
    """He may say that it never came: its owner learns at once that it is not in force, and others who have it
    can show it."""
    game = start(SYSTEM)
    filed(game, ENDS)
    game.run()
    assert game.seat("south").folder.state().standing["south"]
    orders = [getattr(game, seat.name).order() for seat in game.table.asked()]
    withdrawn = game.south.later([])
    for name in ("gm", "north", "south"):
        game.give(name, *orders)
    for name in ("north", "south"):
        assert game.one(name, withdrawn).outcome == "taken"
    mail = game.report().mail()
    told = of_type(game.give("south", *mail), "report")
    assert told.outcome == "taken" and "not in force" in told.reason
    game.give("north", *mail)
    verified = verify(game.seat("north").root)
    (said,) = [finding for finding in verified.findings if finding.code == "left-out"]
    assert verified.ok and said.kind == "claimed" and (said.stage, said.party) == (2, "south")
    assert said.text == (
        "the record uses no standing orders of south, but standing orders of revision 1 are here too; "
        "the GM says that it came too late"
    )
