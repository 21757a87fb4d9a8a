"""What a folder refuses by name in play, and that nothing changes by it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import comparing, correcting, unsealing
from pbem.archive.adjudicating import gm_stage as stage
from pbem.archive.amending import new_rules, proposing, wishes
from pbem.archive.folder import ended_stages
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.git import commits, merging
from pbem.archive.letters import protesting, reminding
from pbem.archive.ordering import order_file
from pbem.archive.setting_up import before_the_game
from pbem.archive.verifying import history, results_note
from pbem.archive.verifying.verify import verify
from pbem.stages import standing_orders
from pbem.text.diagnostics import Refused
from pbem.trust import records
from tests.adversary.conftest import Start
from tests.adversary.forge import bytes_of
from tests.adversary.play import Game
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Table, begun, chooser
from tests.unit.archive.test_amendments import propose


def refused(root: Path, call: Callable[..., Any], *args: Any, **more: Any) -> str:
    """The code of a refusal that leaves the folder as it was."""
    before = bytes_of(root)
    with pytest.raises(Refused) as caught:
        call(*args, **more)
    assert bytes_of(root) == before
    assert all(fault.message for fault in caught.value.diagnostics)
    return caught.value.diagnostics[0].code


def test_what_needs_a_gm_or_a_partner_says_so(game: Game, tmp_path: Path) -> None:
    north = game.seat("north")
    assert refused(north.root, comparing.claim, north.folder, north.signer) == "has-gm"
    table = begun(tmp_path / "pair", SYSTEM, dice="pair")
    seat = table.players["south"]
    while not table.progress.over:
        table.play_stage(chooser(1))
    assert refused(seat.root, comparing.claim, seat.folder, seat.signer) == "nothing-owed"
    assert refused(seat.root, unsealing.unseal, seat.folder, seat.signer) in (
        "nothing-to-open",
        "unsealed-already",
    )


def test_a_player_with_nothing_left_to_open(over: Game) -> None:
    seat = over.seat("north")
    assert refused(seat.root, unsealing.unseal, seat.folder, seat.signer) == "nothing-to-open"


def test_a_protest_that_cannot_be_sent_or_names_nothing(still: Game) -> None:
    seat = still.seat("north")
    args = (seat.folder, seat.signer)
    assert refused(seat.root, protesting.protest, *args, "\x1b[2J") == "bad-text"
    assert refused(seat.root, protesting.protest, *args, "why?", ["00" * 32]) == "unknown-sid"


def test_nobody_is_reminded_of_nothing(game: Game) -> None:
    game.answer("north")
    gm = game.seat("gm")
    assert refused(gm.root, reminding.remind, gm.folder, ["north"]) == "not-awaited"


def test_a_table_that_has_not_started(tmp_path: Path) -> None:
    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64)
    table.post()
    gm, north = table.gm, table.players["north"]
    before_the_game.sign_roster(gm.folder, gm.signer)
    table.post()
    assert refused(gm.root, stage.adjudicate, gm.folder, gm.signer) == "roster-unsigned"
    for seat in table.players.values():
        before_the_game.sign_roster(seat.folder, seat.signer)
    table.post()
    for call, args in (
        (protesting.protest, (north.folder, north.signer, "late")),
        (order_file.need_asked, (north.folder,)),
        (proposing.ruling_op, (gm.folder, [], "why")),
        (history.history, (north.root,)),
    ):
        assert refused(north.root, call, *args) == "not-started", call
    (one,) = [finding for finding in verify(north.root).of("claimed") if finding.code == "not-started"]
    assert "the game has not begun" in one.text


def test_an_amendment_that_needs_no_signature_of_mine(clear: Game) -> None:
    table = clear.table
    made = propose(table.gm, {"op": "ruling", "reason": "a slip", "changes": [{"move": "n1", "to": "0102"}]})
    table.post()
    north = clear.seat("north")
    sid = made.proposal.statement.sid
    assert refused(north.root, proposing.co_sign, north.folder, sid, [north.signer]) == "not-needed"


def test_rules_that_are_in_force_already(still: Game) -> None:
    assert refused(still.seat("gm").root, new_rules.module_ops, still.seat("gm").folder) == "same-rules"


def test_no_entry_of_anybody_in_a_file(still: Game) -> None:
    gm = still.seat("gm")
    assert refused(gm.root, wishes.takeover_op, gm.folder, []) == "no-entry"


def test_a_correction_that_comes_too_late_or_is_none(clear: Game) -> None:
    gm = clear.seat("gm")
    assert refused(gm.root, correcting.correct, gm.folder, gm.signer) == "too-late"  # stage 0
    clear.play(1)
    with pytest.MonkeyPatch.context() as patch:
        usual = correcting.run_again

        def other_orders(*args: Any) -> Any:
            from dataclasses import replace

            done = usual(*args)
            return replace(done, record=records.read({**done.record.data, "seed": "ab" * 32}))

        patch.setattr(correcting, "run_again", other_orders)
        assert refused(gm.root, correcting.correct, gm.folder, gm.signer) == "other-inputs"


def ruled(game: Game, *changes: Any) -> Any:
    """A ruling while the phase of moves is under way, in which a unit has moved."""
    from pbem.engine.adjudicate import Outcome
    from pbem.stages.rulings import Ruling, with_rulings

    folder = game.seat("gm").folder
    state = folder.state()
    assert state.open is not None and state.open.journal
    outcome = Outcome(state, state.position.copy(), (), (), (), (), None)
    return with_rulings(folder.setting(), outcome, [Ruling(folder.stage, "a slip", list(changes))])


def moved(start: Start) -> tuple[Game, str]:
    """A game in whose open phase a unit has moved; which one."""
    game = start(SYSTEM)
    for seed in range(40):
        game.play(1, seed)
        state = game.seat("gm").folder.state()
        journal = state.open.journal if state.open else []
        answers = [
            entry["answer"] for entry in journal if "ask" in entry and isinstance(entry["answer"], dict)
        ]
        units = [str(answer["unit"]) for answer in answers if "unit" in answer]
        if units:
            return game, units[0]
    raise AssertionError("nobody ever moved")


def test_a_ruling_against_the_phase_under_way(start: Start) -> None:
    """The open phase is played again on the changed position, and must come out as it did."""
    game, unit = moved(start)
    root = game.seat("gm").root
    assert refused(root, ruled, game, {"remove": unit}) == "ruling-in-phase"


def test_a_ruling_beside_the_phase_under_way(start: Start) -> None:
    """A unit that has no part in it may be taken away or put there: that was refused as impossible."""
    game, unit = moved(start)
    counters = game.seat("gm").folder.state().position.counters
    other = next(id_ for id_ in sorted(counters) if id_ != unit and not ruling_moves(game, id_))
    after = ruled(game, {"remove": other})
    assert other not in after.position.counters
    put = ruled(game, {"add": "x9", "fields": {"owner": "north", "hex": "0103", "steps": 1}})
    assert "x9" in put.position.counters


def ruling_moves(game: Game, unit: str) -> bool:
    journal = game.seat("gm").folder.state().open.journal  # type: ignore[union-attr]
    return any(unit in json.dumps(entry) for entry in journal)


def test_a_folder_is_not_merged_with_itself(still: Game) -> None:
    gm = still.seat("gm")
    assert refused(gm.root, merging.merge, gm.folder, gm.root) == "same-folder"


# --- files that are missing or damaged ------------------------------------------------------------------


def test_files_that_are_missing_or_damaged(game: Game) -> None:
    game.play(1)
    root = game.seat("north").root

    def opened() -> Folder:
        return Folder.open(root)

    (root / "stages/0001/record.json").write_text("{}")
    assert refused(root, opened().record, 1) == "damaged-file"
    (root / "stages/0001/events.json").write_text("[")
    assert refused(root, opened().events, 1) == "damaged-file"
    (root / "private/facts.json").unlink()
    assert refused(root, opened().facts) == "no-facts"
    (root / "private/past/0001.z").write_bytes(zlib.compress(b"{"))
    assert refused(root, ended_stages.ended_at, opened(), 1) == "damaged-file"
    (root / "private/past/0000.z").unlink()
    assert refused(root, ended_stages.ended_at, opened(), 0) == "no-past"
    assert refused(root, results_note.read, opened().private) == "no-note"
    changes = Changes()
    changes.write(results_note.NAME, '{"game": 1}')
    opened().commit(changes)
    assert refused(root, results_note.read, opened().private) == "damaged-file"


def test_a_note_of_another_history(clear: Game) -> None:
    clear.play(1)
    root = clear.seat("gm").root
    note = verify(root).note
    assert note is not None
    from dataclasses import replace

    assert refused(root, verify, root, since=replace(note, head="ab" * 32)) == "other-history"


def test_a_view_that_is_gone_stops_the_book_of_one_s_own_game(fog: Game) -> None:
    fog.play(1)
    seat = fog.seat("north")
    (seat.root / "stages/0001/views/north.bin").unlink()
    assert refused(seat.root, history.history, seat.root, seat.folder.private) == "bad-view"


@pytest.mark.parametrize("secret", ["private/secrets.json", "outbox/a.eml"])
def test_a_repository_that_has_secrets_in_it(still: Game, secret: str) -> None:
    class Repository:
        def open(self, *args: Any) -> None:
            """Nothing to open."""

        def tracked(self) -> set[str]:
            return {secret, "roster.json"}

    gm = still.seat("gm")
    told: Any = lambda stage: commits.Words("a stage")  # noqa: E731
    assert refused(gm.root, commits.shelve, gm.folder, Repository(), told) == "secrets-in-git"


# --- orders ---------------------------------------------------------------------------------------------


def codes(game: Game, name: str, text: str) -> list[str]:
    seat = game.seat(name)
    folder = seat.folder
    document = order_file.load(folder, text.encode(), "orders.yaml")
    return [fault.code for fault in order_file.check(folder, document).diagnostics]


def test_answers_under_two_names_are_one_too_many(start: Start) -> None:
    game = start(FOG)
    folder = game.seat("north").folder
    head = f'game: "{folder.need_roster().game[:12]}"\nstage: 1\nanswers:\n'
    assert codes(game, "north", f"{head}  T1/cards/card: calm\n  card: storm\n") == ["answered-twice"]


def test_one_standing_order_has_one_form() -> None:
    (fault,) = standing_orders.faults(SYSTEM, [{"reaction": {"retreat_at_most": 1}, "other": {}}])
    assert fault.code == "two-forms"


def test_orders_that_answer_the_report_that_counts_are_not_signed_again(still: Game) -> None:
    from click.testing import CliRunner

    from pbem.cli.main import cli

    ran = CliRunner().invoke(cli, ["-C", str(still.seat("north").root), "orders", "again"])
    assert ran.exit_code == 1 and "error[nothing-to-sign]" in ran.output


def test_two_questions_of_one_kind_are_told_apart(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer by the kind would not say which of them it is for."""
    from dataclasses import replace

    game = start(FOG)
    usual = order_file.questions

    def twice(folder: Folder) -> Any:
        (one,) = usual(folder)
        return [one, replace(one, key=f"{one.key}/2", id="ab" * 6)]

    monkeypatch.setattr(order_file, "questions", twice)
    folder = game.seat("north").folder
    head = f'game: "{folder.need_roster().game[:12]}"\nstage: 1\nanswers:\n'
    assert "ambiguous-kind" in codes(game, "north", f"{head}  card: calm\n")


# --- taking over, and the table of the demonstration ----------------------------------------------------


def test_nobody_takes_over_a_game_that_his_rules_play_otherwise(clear: Game, tmp_path: Path) -> None:
    from pbem.archive.amending import joining_late

    clear.play(1)
    source = clear.seat("gm").root
    person = clear.table.players["north"].person

    def differs(archive: Any, setting: Any, extra: Any, each: Any, notes: Any) -> None:
        notes.false("results", "rules, orders and dice give a different result")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joining_late, "play_again", differs)
        args = (source, tmp_path / "new", "north", person)
        assert refused(source, joining_late.join_running, *args) == "other-results"
    assert not (tmp_path / "new").exists()


def test_the_table_of_the_demonstration_says_what_went_wrong(tmp_path: Path) -> None:
    from pbem.cli.games.table import Table as DemoTable

    table = DemoTable(tmp_path, SYSTEM, "ford")
    table.sit_down("At dawn")
    with pytest.raises(Refused) as caught:
        table.adjudicate()  # nobody has ordered anything
    assert caught.value.diagnostics[0].code == "table-fault"
    assert "stage 1 can't be run" in str(caught.value)
