"""Who comes and who leaves stands in the report of the stage that closes with it, and `verify` makes the same
text (protocol 17.24, 17.29)."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.archive.adjudicating import correcting
from pbem.archive.amending import proposing
from pbem.archive.letters.acknowledging import acknowledge
from pbem.archive.verifying.verification import Verification
from pbem.archive.verifying.verify import verify
from pbem.cli.games.telling import renderer, renderers, stage_report
from pbem.cli.games.verified import own_side
from pbem.engine.system import System
from pbem.report.text import render
from tests.primer import SYSTEM
from tests.unit.archive.table import Table, begun, chooser
from tests.unit.archive.test_amendments import agreed, co_sign, good, new_chain, propose
from tests.unit.archive.test_corrections import a_bug
from tests.unit.archive.test_takeovers import newcomer, taken_over


@pytest.fixture
def table(tmp_path: Path, system: System) -> Table:
    """Two stages are over, and reports are in words from now on."""
    made = begun(tmp_path, system, by=(3, 3))
    for seat in made.everybody:
        seat.renderer = renderer
    return made


def looked_at(root: Path) -> Verification:
    return verify(root, own=own_side(root), renderers=renderers)


def text_of(table: Table, stage: int) -> str:
    return (table.gm.root / f"stages/{stage:04d}/report.txt").read_text("utf-8")


def test_a_takeover_by_another_name_names_both_and_is_sound(table: Table) -> None:
    """The report was made with the old name and compared with the new one."""
    new = newcomer(table, "north", called="Cora")
    taken_over(table, new, [table.gm, table.players["south"]])
    closed = table.run().stage
    old = table.players["north"]
    table.players["north"] = table.players.pop("new")
    table.play_stage(chooser(1))
    assert "north: now Cora, previously North" in text_of(table, closed)
    assert "Cora" not in text_of(table, closed - 1)
    for seat in [*table.everybody, old]:
        assert looked_at(seat.root).ok, (seat.name, looked_at(seat.root).of("false"))


def dropped(table: Table, party: str) -> int:
    made = propose(table.gm, {"op": "drop", "party": party}, aware=True)
    good(table.post())
    for name, seat in table.players.items():
        if name != party:
            co_sign(seat, made, aware=True)
            good(table.post())
    return table.run().stage


def test_the_report_of_the_closing_stage_says_who_left(table: Table) -> None:
    closed = dropped(table, "north")
    assert "north: North left the game" in text_of(table, closed)
    north = table.players.pop("north")
    table.play_stage(chooser(1))
    assert "left the game" not in text_of(table, closed + 1)
    for seat in [*table.everybody, north]:
        assert looked_at(seat.root).ok, (seat.name, looked_at(seat.root).of("false"))
    again = stage_report(table.players["south"].folder, closed, None)
    assert "north: North left the game" in render(again)


@pytest.mark.parametrize("acknowledged", [False, True])
def test_no_order_counts_in_a_closed_stage_and_nobody_was_late(table: Table, acknowledged: bool) -> None:
    """It was said that the order came too late, or that the GM lied who had acknowledged it."""
    table.players["north"].answer_all(chooser(1))
    good(table.post())
    if acknowledged:
        acknowledge(table.gm.folder, table.gm.signer)
        good(table.post())
    dropped(table, "north")
    del table.players["north"]
    table.play_stage(chooser(1))
    for seat in table.everybody:
        found = looked_at(seat.root)
        assert found.ok, found.of("false")
        assert not {"left-out", "acknowledged"} & {finding.code for finding in found.findings}


def test_a_name_that_changed_in_a_stage_is_not_in_its_corrected_report(table: Table) -> None:
    north = table.players["north"]
    proposing.propose(north.folder, [{"op": "key", "party": "north", "name": "Cora"}], [north.signer])
    good(table.post())
    with a_bug(table.system):
        stage = table.play_stage(chooser(3)).stage
    correcting.correct(table.gm.folder, table.gm.signer, render=table.gm.render)
    good(table.post())
    assert "Cora" not in text_of(table, stage)
    for seat in table.everybody:
        assert looked_at(seat.root).ok, looked_at(seat.root).of("false")


@pytest.mark.parametrize("system", [SYSTEM])
def test_a_correction_behind_a_closed_stage_has_the_state_that_follows(table: Table) -> None:
    agreed(table, table.gm, new_chain(table.players["north"]))
    table.run()
    with a_bug(table.system):
        table.play_stage(chooser(3))
    correcting.correct(table.gm.folder, table.gm.signer, render=table.gm.render)
    good(table.post())
    for seat in table.everybody:
        assert looked_at(seat.root).ok, looked_at(seat.root).of("false")
