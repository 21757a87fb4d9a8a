"""After the end: what is over says so, nothing is owed, and nobody is led to do more than verify."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.play import Seat, Table, order_file, pbem, tree

END = ("unseal", "--early", "--yes")


@pytest.fixture(params=["open", "hidden"])
def opened(request: pytest.FixtureRequest, table: Table, fog: Table) -> Table:
    """A game that all agreed to end while answers were owed; everybody has the GM's last mail."""
    chosen = table if request.param == "open" else fog
    assert any(seat.owes for seat in chosen.players.values())
    chosen.gm.pbem(*END)
    chosen.post()
    return chosen


def test_status_says_that_all_is_over_and_opened_and_nothing_is_owed(opened: Table) -> None:
    for seat in opened.everybody:
        said = seat.pbem("status", "--exit-code")
        assert "now: the game is over, before its end, at: Game turn 1" in said.out
        assert "everything is unsealed; there is nothing to do" in said.out
        assert said.lines[-1] == "next: pbem verify"
        assert "owes" not in said.out and "due:" not in said.out
        status = seat.status
        assert status["finished"] and not status["awaited"] and not status["mine"] and not status["parties"]
        assert seat.pbem("verify").code == 0


def test_nobody_can_order_or_adjudicate_any_more(opened: Table) -> None:
    for seat in opened.everybody:
        file = opened.root / "answers.yaml"
        file.write_text(order_file(seat, {}))
        before = tree(seat.root)
        commands: list[tuple[str | Path, ...]] = [("orders", "check", file), ("orders", "sign", file)]
        if seat is opened.gm:
            commands += [("adjudicate",), ("adjudicate", "--dry-run")]
        else:
            commands += [("orders", "new"), ("orders", "legal"), ("bid", "1")]
        for command in commands:
            said = seat.pbem(*command, code=1)
            assert said.out == ""
            assert "error[game-over]: the game is over and unsealed" in said.err
            assert "help: run `pbem verify`" in said.err
        assert tree(seat.root) == before


def test_standing_orders_are_not_signed_either(opened: Table) -> None:
    seat = next(iter(opened.players.values()))
    file = opened.root / "standing.yaml"
    data = order_file(seat, {}, standing=[]).replace('"answers": {},\n', "")
    file.write_text(data)
    assert "answers" not in file.read_text()
    assert "error[game-over]" in seat.pbem("orders", "sign", file, code=1).err


def test_opening_it_twice_is_refused(opened: Table) -> None:
    before = tree(opened.gm.root)
    assert "error[unsealed-already]" in opened.gm.pbem(*END, code=1).err
    assert tree(opened.gm.root) == before


def test_a_game_that_came_to_its_end_waits_for_the_gm_to_open_it(fog: Table) -> None:
    _play_to_the_end(fog)
    gm, north = fog.gm, fog.players["north"]
    for seat, command, way_out in ((gm, "unseal", "`pbem unseal`"), (north, "verify", "`pbem verify`")):
        said = seat.pbem("status")
        assert "now: the game is over; there is nothing to do" in said.out
        assert said.lines[-1] == f"next: pbem {command}"
        refused = seat.pbem(
            "adjudicate" if seat is gm else "orders", *([] if seat is gm else ["new"]), code=1
        )
        assert "error[game-over]: the game is over: there are no more questions" in refused.err
        assert way_out in refused.err


def _play_to_the_end(table: Table) -> None:
    for _ in range(40):
        if table.gm.status["finished"]:
            return
        table.play_stage()
    raise AssertionError("the game does not end")


def test_a_player_cannot_end_the_game(fog: Table) -> None:
    north: Seat = fog.players["north"]
    said = north.pbem(*END, code=1)
    assert "error[wrong-role]" in said.err
    assert north.owes and pbem("-C", north.root, "orders", "legal").code == 0
