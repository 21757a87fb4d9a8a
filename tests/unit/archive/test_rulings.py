"""The GM's word: he may change the position; everybody sees that he did, and the archive keeps it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.amending import proposing
from pbem.archive.verifying.verify import verify
from pbem.engine.game import Game
from pbem.stages import rulings
from tests.unit.archive.table import Table, chooser
from tests.unit.archive.test_amendments import good, is_sound, refused, running  # noqa: F401

MOVE = {"move": "s1", "to": "0203"}


def rule(table: Table, *changes: object, reason: str = "misplaced") -> proposing.Proposed:
    made = proposing.rule(table.gm.folder, list(changes), reason, table.gm.signer)  # type: ignore[arg-type]
    good(table.post())
    return made


def test_a_ruling_changes_the_position_at_the_end_of_its_stage_and_is_marked_for_ever(
    running: Table,  # noqa: F811
) -> None:
    unit = next(iter(running.gm.folder.state().position.counters))
    rule(running, {"set": unit, "fields": {"steps": 7}}, reason="it had seven steps")
    assert running.gm.folder.state().position.counters[unit]["steps"] != 7
    stage = running.play_stage(chooser(1)).stage
    assert running.gm.folder.state().position.counters[unit]["steps"] == 7
    running.play_stage(chooser(1))
    for seat in running.everybody:
        facts = seat.folder.view().facts
        assert facts["ruling/001"]["reason"] == "it had seven steps"  # type: ignore[index, call-overload]
        assert facts["ruling/001"]["stage"] == stage  # type: ignore[index, call-overload]
        claimed = [finding for finding in verify(seat.root).of("claimed") if finding.code == "ruling"]
        assert [one.stage for one in claimed] == [stage]
    is_sound(running)


def test_where_units_are_hidden_nobody_learns_from_a_ruling_what_it_changed(running: Table) -> None:  # noqa: F811
    if not running.system.hidden:
        pytest.skip("here everybody sees all")
    unit = next(iter(running.gm.folder.state().position.counters))
    made = rule(running, {"set": unit, "fields": {"steps": 7}})
    assert b"steps" not in made.proposal.statement.bytes
    running.play_stage(chooser(1))
    for seat in running.players.values():
        assert "changes" not in seat.folder.view().facts["ruling/001"]  # type: ignore[operator]
    running.play_on(chooser(2), 2)
    unseal(running.gm.folder, running.gm.signer, early=not running.progress.over)
    good(running.post())
    verified = verify(running.players["north"].root)
    assert verified.ok and "results" in {finding.code for finding in verified.of("proved")}, verified.findings


@pytest.mark.parametrize(
    "change",
    [
        {"move": "x9", "to": "0203"},
        {"remove": "x9"},
        {"add": "s1", "fields": {"owner": "south", "hex": "0203", "steps": 1}},
        {"set": "x9", "fields": {"steps": 2}},
        {"track": "moon/phase", "value": 2},
        {"teleport": "s1"},
        {"move": "s1", "to": "0203", "fast": True},
    ],
)
def test_what_cannot_be_changed_is_named(running: Table, change: object) -> None:  # noqa: F811
    gm = running.gm
    assert refused(proposing.rule, gm.folder, [change], "x", gm.signer) == "bad-change"


def test_only_the_gm_rules_and_not_without_a_reason(running: Table) -> None:  # noqa: F811
    north = running.players["north"]
    assert refused(proposing.rule, north.folder, [MOVE], "x", north.signer) == "wrong-role"
    assert refused(proposing.rule, running.gm.folder, [MOVE], " ", running.gm.signer) == "no-reason"


@pytest.fixture
def strict(running: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:  # noqa: F811
    """The same game under rules that never allow more than two steps."""

    def invariants(game: Game) -> list[str]:
        steps = {id_: c["steps"] for id_, c in sorted(game.position.counters.items())}
        return [f"{id_} has {n} steps, at most 2" for id_, n in steps.items() if isinstance(n, int) and n > 2]

    monkeypatch.setattr(running.system, "invariants_hook", invariants)
    yield running


def test_each_check_that_a_ruling_breaks_must_be_overridden_by_name(strict: Table) -> None:
    folder = strict.gm.folder
    unit = next(iter(folder.state().position.counters))
    change = {"set": unit, "fields": {"steps": 3}}
    assert refused(rulings.check_ruling, folder.system, folder.state(), [change]) == "against-the-rules"
    rulings.check_ruling(folder.system, folder.state(), [change, {"override": unit}])
    idle = [{"set": unit, "fields": {"steps": 1}}, {"override": unit}]
    assert refused(rulings.check_ruling, folder.system, folder.state(), idle) == "idle-override"


def test_a_ruling_that_no_longer_fits_is_left_out_and_the_stage_is_played(running: Table) -> None:  # noqa: F811
    units = list(running.gm.folder.state().position.counters)
    rule(running, {"remove": units[0]})
    rule(running, {"set": units[0], "fields": {"steps": 1}})
    result = running.play_stage(chooser(1))
    assert result.done
    named = result.run.record.amends if result.run else ()
    assert len(named) + len(result.refused) == 2
    is_sound(running)


def test_rulings_are_kept_in_the_state_and_left_out_where_there_are_none(running: Table) -> None:  # noqa: F811
    state = running.gm.folder.state()
    assert "rulings" not in state.to_json()
    assert "rulings" in replace(state, rulings=[{"stage": 1, "reason": "x"}]).to_json()
