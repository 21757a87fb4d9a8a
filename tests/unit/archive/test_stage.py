"""The GM's side: running stages, what is missing, who is skipped, what is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import gm_stage
from pbem.archive.adjudicating.by_hand import StateFile, adjudicate_files, side_of
from pbem.archive.ordering import order_file, signing
from pbem.archive.ordering.order_file import Answer, Checked
from pbem.archive.verifying.dice_rolls import dice_ledger
from pbem.archive.verifying.verify import verify
from pbem.engine.system import System
from pbem.text.diagnostics import Refused
from tests.nightly import IN_CI
from tests.primer import FOG, SYSTEM
from tests.unit.archive.mailing import tree
from tests.unit.archive.table import Seat, Table, begun, chooser


def record_of(table: Table, number: int) -> dict[str, Any]:
    return dict(table.gm.folder.record(number).data)


def test_a_stage_waits_for_everybody_and_says_for_whom(started: Table) -> None:
    first, *others = started.asked()
    first.answer_all(chooser(1))
    started.post()
    before = tree(started.gm.root)
    result = gm_stage.adjudicate(started.gm.folder, started.gm.signer)
    assert not result.done
    assert result.missing == {seat.name: "no orders have arrived" for seat in others}
    assert tree(started.gm.root) == before


def test_a_dry_run_writes_nothing_and_gives_the_same(started: Table) -> None:
    for seat in started.asked():
        seat.answer_all(chooser(1))
    started.post()
    before = tree(started.gm.root)
    dry = gm_stage.adjudicate(started.gm.folder, started.gm.signer, dry_run=True)
    assert tree(started.gm.root) == before
    wet = gm_stage.adjudicate(started.gm.folder, started.gm.signer)
    assert dry.run is not None and wet.run is not None
    assert dry.run.record == wet.run.record


def test_only_the_gm_adjudicates_and_with_his_key(started: Table) -> None:
    with pytest.raises(Refused) as error:
        gm_stage.adjudicate(started.players["north"].folder, started.players["north"].signer)
    assert error.value.diagnostics[0].code == "wrong-role"
    with pytest.raises(Refused) as error:
        gm_stage.adjudicate(started.gm.folder, started.players["north"].signer)
    assert error.value.diagnostics[0].code == "other-key"


def test_nobody_is_skipped_where_the_game_waits(started: Table) -> None:
    with pytest.raises(Refused) as error:
        gm_stage.adjudicate(started.gm.folder, started.gm.signer, ["north"])
    assert error.value.diagnostics[0].code == "must-wait"


@pytest.fixture
def casual(tmp_path: Path, system: System) -> Table:
    return begun(tmp_path, system, absent="skip")


def test_a_casual_game_goes_on_without_a_late_player_on_his_defaults(casual: Table) -> None:
    with pytest.raises(Refused) as error:
        gm_stage.adjudicate(casual.gm.folder, casual.gm.signer, ["south"])
    assert error.value.diagnostics[0].code == "must-wait"  # stage 1 needs all links
    casual.play_stage(chooser(1))
    late = casual.asked()[0].name
    with pytest.raises(Refused) as error:
        gm_stage.adjudicate(casual.gm.folder, casual.gm.signer, ["nobody"])
    assert error.value.diagnostics[0].code == "not-asked"
    for seat in casual.asked()[1:]:
        seat.answer_all(chooser(2))
    casual.post()
    result = casual.run(forfeits=[late])
    assert result.done
    record = record_of(casual, 2)
    assert record["accepted"][late] is None and record["forfeits"] == [late] and late not in record["links"]
    casual.play_on(chooser(3), 3)
    for seat in casual.everybody:
        verified = verify(seat.root)
        assert verified.ok, [str(finding) for finding in verified.of("false")]
        assert ("forfeit", late) in {(finding.code, finding.party) for finding in verified.of("claimed")}


def test_the_deadline_stands_in_the_report(started: Table) -> None:
    for seat in started.asked():
        seat.answer_all(chooser(1))
    started.post()
    started.run(by="Sunday, 20:00")
    folder = started.players["north"].folder
    (report,) = [found for found, _ in folder.statements(1) if found.type == "report"]
    assert report.body["next"] == {"by": "Sunday, 20:00"}


def test_a_finished_game_takes_no_stage_more(tmp_path: Path, system: System) -> None:
    table = begun(tmp_path, system, over=7)
    with pytest.raises(Refused) as error:
        gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    assert error.value.diagnostics[0].code == "game-over"


def test_a_state_edited_by_hand_is_noticed_and_shown(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    for seat in table.asked():
        seat.answer_all(chooser(1))
    table.post()
    path = table.gm.root / "state.yaml"
    text = path.read_text()
    assert '"steps": 2' in text
    path.write_text(text.replace('"steps": 2', '"steps": 9', 1))
    with pytest.raises(Refused) as error:
        gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    (fault,) = error.value.diagnostics
    assert fault.code == "edited-state"
    assert any(note.startswith("+") and '"steps": 9' in note for note in fault.notes)
    path.write_text(text)
    assert gm_stage.adjudicate(table.gm.folder, table.gm.signer).done


def test_the_hidden_state_edited_by_hand_is_noticed(tmp_path: Path) -> None:
    table = begun(tmp_path, FOG)
    for seat in table.asked():
        seat.answer_all(chooser(1))
    table.post()
    path = table.gm.root / "private/state.yaml"
    path.write_text(path.read_text().replace('"steps": 2', '"steps": 9', 1))
    with pytest.raises(Refused) as error:
        gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    assert error.value.diagnostics[0].code == "edited-state"


def test_what_is_hidden_stays_out_of_every_file_that_may_be_published(tmp_path: Path) -> None:
    table = begun(tmp_path, FOG, over=7)
    for seat in table.everybody:
        for path in seat.root.rglob("*"):
            if path.name == "scenario.json" or path.suffix == ".pbem-invitation":
                continue  # the scenario is everybody's before the first move (17.34)
            if path.is_file() and "private" not in path.relative_to(seat.root).parts:
                text = path.read_bytes().decode("utf-8", "replace")
                assert '"steps"' not in text and "moved-unit" not in text, path
    own = json.loads((table.players["north"].root / "private/view.yaml").read_text())
    assert any(name.startswith("n") for name in own["facts"]["unit"])
    assert not any(name.startswith("s") for name in own["facts"]["unit"])


def test_in_an_open_game_everybody_holds_the_same_state(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    for number in range(1, 6):
        states = {(seat.root / "state.yaml").read_bytes() for seat in table.everybody}
        assert len(states) == 1, number
        table.play_stage(chooser(number))


def test_views_show_a_player_his_own_and_the_public_part_only(tmp_path: Path) -> None:
    table = begun(tmp_path, FOG)
    gm, north = table.gm.folder, table.players["north"].folder
    assert gm.view("north").facts == north.view().facts
    assert set(gm.view(public=True).facts) < set(north.view().facts)
    assert "unit/s1" in gm.view().facts and "unit/s1" not in north.view().facts
    assert north.view().position.counters["n1"]["steps"] == 2
    with pytest.raises(Refused) as error:
        north.view("south")
    assert error.value.diagnostics[0].code == "not-yours"
    with pytest.raises(Refused) as error:
        gm.view("east")
    assert error.value.diagnostics[0].code == "unknown-party"


# ---- commitments that wait ---------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [SYSTEM, pytest.param(FOG, marks=IN_CI)], ids=["open", "fog"])
def test_a_kept_card_is_opened_stages_later_with_the_stage_of_its_commitment(
    tmp_path: Path, system: System
) -> None:
    """In game turn 3 somebody is asked between the card and its opening."""
    table = begun(tmp_path, system, over=11, chain_length=128, options={"turns": 3})
    kept: dict[tuple[str, str], int] = {}
    opened: dict[tuple[str, str], int] = {}
    for number in range(1, table.gm.folder.stage + 1):
        record = record_of(table, number)
        for party, decisions in record.get("kept", {}).items():
            kept.update({(party, decision): number for decision in decisions})
        for party, entries in record.get("openings", {}).items():
            opened.update({(party, d): e["stage"] for d, e in entries.items() if "stage" in e})
    (late,) = [pair for pair in opened if pair[1] == "T3/cards/card"]
    assert opened[late] == kept[late]
    for seat in table.everybody:
        verified = verify(seat.root, own=seat.folder.private)
        assert verified.ok, [str(finding) for finding in verified.of("false")]
    assert not json.loads((table.gm.root / "private/kept.json").read_text())


def sign_partly(seat: Seat, answers: Mapping[str, Answer]) -> None:
    """Another program than ours may send an order that leaves a question out."""
    signing.sign_orders(seat.folder, Checked(answers), seat.signer)


def test_a_bid_that_another_one_waits_for_is_not_shown_before_both_are_in(
    tmp_path: Path, system: System
) -> None:
    table = begun(tmp_path, system)
    north, south = table.players["north"], table.players["south"]
    north.order({"card": "calm"})
    south.order({})
    table.post()
    table.run()
    assert table.gm.folder.progress.asked == {
        "north": ("T1/initiative/bid",),
        "south": ("T1/initiative/bid",),
    }
    north.order({"bid": 3})
    sign_partly(south, {})
    table.post()
    result = table.run()
    record = record_of(table, 2)
    assert "openings" not in record
    assert record["kept"] == {"north": ["T1/initiative/bid"]}
    assert "south" in result.asked
    for seat in table.asked():
        (question,) = order_file.questions(seat.folder)
        assert question.kind == "bid"
        seat.order({"bid": 2})
    table.post()
    table.run()
    assert "south" in record_of(table, 3)["openings"]
    assert table.gm.folder.events(3)[0]["event"] == "bids-opened"  # type: ignore[index,call-overload]
    table.play_on(chooser(1), 2)
    from pbem.archive.adjudicating.unsealing import unseal

    unseal(table.gm.folder, table.gm.signer, early=not table.progress.over)
    table.post()
    for seat in table.everybody:
        verified = verify(seat.root)
        assert verified.ok, [str(finding) for finding in verified.of("false")]


def test_a_malformed_secret_answer_takes_its_default_and_is_not_asked_again(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    north, south = table.players["north"], table.players["south"]
    (question,) = order_file.questions(north.folder)
    sign_partly(north, {question.key: Answer({"rubbish": [1]}, True, question)})
    sign_partly(south, {"bid": Answer(99, True)})
    table.post()
    result = table.run()
    assert {party for party, _ in result.diagnostics} == {"north"}
    assert "north" in result.asked and result.asked["north"] == ["T1/initiative/bid"]
    assert verify(south.root).ok


def test_bad_standing_orders_do_not_stop_a_game(tmp_path: Path, system: System) -> None:
    table = begun(tmp_path, system)
    north, south = table.players["north"], table.players["south"]
    rubbish: list[Any] = [
        1,
        {},
        {"decision": "bid"},
        {"decision": "nothing", "answer": 1},
        {"decision": "bid", "when": [1], "answer": 1},
        {"decision": "bid", "when": {"turn": {"at_least": "x"}}, "answer": 1},
        {"reaction": {"retreat_at_most": "many"}},
        {"reaction": {}, "bid": {}},
        {"decision": "bid", "answer": 2},
    ]
    (question,) = order_file.questions(north.folder)
    checked = Checked({question.key: Answer("calm", True, question)}, standing=rubbish)
    signing.sign_orders(north.folder, checked, north.signer)
    sign_partly(south, {"bid": Answer(1, True)})
    table.post()
    result = table.run()
    assert result.run is not None
    assert result.run.state.standing == {"north": [{"decision": "bid", "answer": 2}]}
    assert result.run.events[0]["bids"] == {"north": 2, "south": 1}  # type: ignore[index,call-overload]
    assert verify(south.root).ok


# ---- by hand, dice -----------------------------------------------------------------------------------------


def test_files_kept_by_hand_give_the_same_stage_as_a_folder(started: Table, tmp_path: Path) -> None:
    state = started.gm.folder.state_name
    where = started.gm.root / state
    side = side_of(where, started.gm.root)
    for number in range(1, 5):
        mails = [seat.answer_all(chooser(number)) for seat in started.asked()]
        out = tmp_path / f"out{number}"
        result = adjudicate_files(StateFile.open(where), mails, out, side, started.gm.signer)
        assert result.done and result.run is not None and not result.refused
        started.post()
        wanted = started.run()
        assert wanted.run is not None and result.run.record == wanted.run.record
        where = out / state
        assert where.read_bytes() == (started.gm.root / state).read_bytes()
        assert list((out / "outbox").glob("*.pbem.txt"))


def test_files_by_hand_that_do_not_fit_are_refused_with_a_reason(started: Table, tmp_path: Path) -> None:
    state = StateFile.open(started.gm.root / started.gm.folder.state_name)
    side, signer = side_of(state.path, started.gm.root), started.gm.signer
    note = tmp_path / "note.txt"
    note.write_text("my orders: attack!")
    out = tmp_path / "out"
    result = adjudicate_files(state, [note], out, side, signer)
    assert not result.done and set(result.missing) == set(started.gm.folder.progress.asked)
    assert result.refused == [f"{note} contains nothing signed"]
    assert not out.exists()
    for text in ('{"format": "pbem-state/1"}', "- 1", "[" * 1000, '{"format": "other"}', ""):
        note.write_text(text)
        with pytest.raises(Refused):
            StateFile.open(note)
    with pytest.raises(Refused):
        StateFile.open(tmp_path / "nowhere.yaml")


def test_the_ledger_shows_how_to_make_each_roll_again(tmp_path: Path, system: System) -> None:
    import shutil
    import subprocess

    table = begun(tmp_path, system, over=7)
    rolls = dice_ledger(table.players["south"].folder)
    assert rolls and all(roll.fits for roll in rolls)
    die = next(roll for roll in rolls if roll.what in ("1d6", "2d6"))
    assert die.command is not None and "-shake256" in die.command and "252 or more" in str(die.how)
    if not (shutil.which("openssl") and shutil.which("xxd")):
        pytest.skip("openssl or xxd is not installed")
    done = subprocess.run(["sh", "-c", die.command], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this openssl cannot do it: {done.stderr[:80]}")
    stream = bytes.fromhex(done.stdout.strip().split("= ")[-1])
    faces = [1 + byte % 6 for byte in stream if byte < 252]
    assert faces[: len(die.result)] == die.result


def test_the_deepest_secret_that_is_taken_can_be_recorded_and_unsealed(
    tmp_path: Path, system: System
) -> None:
    from pbem.archive.adjudicating.unsealing import unseal
    from pbem.stages.progress import MOST_DEEP

    table = begun(tmp_path, system)
    north, south = table.players["north"], table.players["south"]
    deep: Any = 1
    for _ in range(MOST_DEEP):
        deep = [deep]
    (question,) = order_file.questions(north.folder)
    sign_partly(north, {question.key: Answer(deep, True, question), "reaction": Answer(deep, True)})
    signing.sign_orders(south.folder, Checked(standing=[deep[0]]), south.signer)
    table.post()
    assert table.run().done
    assert record_of(table, 1)["openings"]["north"][question.key]["value"] == deep
    unseal(table.gm.folder, table.gm.signer, early=True)
    table.post()
    verified = verify(south.root)
    assert verified.ok, [str(finding) for finding in verified.of("false")]
