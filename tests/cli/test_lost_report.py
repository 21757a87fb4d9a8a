"""A report that was lost, at the command line: what is missing and whom to ask, said once."""

from __future__ import annotations

from pathlib import Path

from tests.cli.play import Seat, Table, order_file


def owing(table: Table) -> list[str]:
    return [name for name, seat in table.players.items() if seat.owes]


def reported(table: Table, mover: Seat) -> list[Path]:
    """He moves a unit, which is not all he may do; the game master reports; nobody else has the mails."""
    last = mover.pbem("orders", "legal", "--json").json[-1]
    file = table.root / "orders.yaml"
    file.write_text(order_file(mover, {last["decision"]: last["answer"]}))
    mover.pbem("orders", "sign", file)
    table.gm.pbem("receive", *mover.mails())
    table.gm.pbem("adjudicate", "--by", "Sunday")
    mails = [mail for mail in table.gm.mails() if "report" in mail.name]
    mover.pbem("receive", *mails)
    return mails


def test_what_waits_for_a_lost_report_is_explained_once(fog: Table) -> None:
    while len(owing(fog)) > 1:
        for name in owing(fog):
            fog.answer(fog.players[name])
        fog.post()
        fog.run()
    (name,) = owing(fog)
    mover = fog.players[name]
    idle = next(seat for other, seat in fog.players.items() if other != name)
    stage = fog.gm.status["stage"]
    lost, later = reported(fog, mover), reported(fog, mover)
    ran = idle.pbem("receive", *later, code=None)
    said = (ran.out + ran.err).splitlines()
    assert sum(f"the sender has the report of stage {stage + 2}" in line for line in said) == 1, said
    assert any(f"the report of stage {stage + 1} is missing here; ask gm" in line for line in said)
    assert f"the report of stage {stage + 1} is missing here" in idle.pbem("status").out
    idle.pbem("receive", *lost)
    assert idle.status["stage"] == stage + 2, "what waited is taken with it"
