"""Text for named readers in a game that hides nothing: who gets it, what hangs on it (letters 3)."""

from __future__ import annotations

import base64
import json
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import gm_stage, unsealing
from pbem.archive.ordering import order_file
from pbem.archive.receiving import taking_reports
from pbem.archive.verifying.verify import verify
from pbem.cli.games.telling import stage_report
from pbem.report.data import as_json
from pbem.stages import named_readers
from pbem.stages.agreements import Agreement
from pbem.stages.press import Press
from pbem.systems.diplomacy import SYSTEM
from pbem.trust import records
from pbem.trust.readers import ForReaders
from pbem.trust.records import Record
from tests.cli.play import pbem
from tests.unit.archive.table import Seat, Table, begun

SEATS = ("aldar", "brenn", "corva")
WORD = "Quorvelzyxandria"
NOTE = {"to": ["brenn"], "text": f"I hold the strait for you. {WORD}"}


def game(root: Path, **terms: Any) -> Table:
    return begun(root, SYSTEM, "three_shores", SEATS, **terms)


@pytest.fixture(params=["swift", "locked"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Table:
    return game(tmp_path, dice=request.param)


def order(seat: Seat, note: Any = None) -> Path:
    folder = seat.folder
    answers: dict[str, Any] = {question.key: {"orders": []} for question in order_file.questions(folder)}
    return seat.order(answers | ({} if note is None else {"note": note}))


def play(table: Table, notes: dict[str, Any]) -> Record:
    for seat in table.asked():
        order(seat, notes.get(seat.name))
    wrong = [receipt for receipt in table.post() if not receipt.good]
    assert not wrong, wrong
    assert table.run().done
    return table.gm.folder.record(table.gm.folder.stage)


def holding(seat: Seat) -> set[str]:
    """The files of a folder in which the private word stands, in clear or as base64."""
    word = WORD.encode()
    plain = [word, *(base64.b64encode(b"x" * n + word)[4 if n else 0 : -4] for n in range(3))]
    files = (path for path in seat.root.rglob("*") if path.is_file())
    return {
        path.relative_to(seat.root).as_posix()
        for path in files
        if any(one in path.read_bytes() for one in plain)
    }


def findings(seat: Seat, code: str = "readers") -> list[tuple[str, str]]:
    verified = verify(seat.root, own=seat.folder.private)
    assert not [finding for finding in verified.findings if finding.kind == "false"], verified.findings
    return [(finding.kind, str(finding.text)) for finding in verified.findings if finding.code == code]


def told(seat: Seat, reader: str | None) -> str:
    folder = seat.folder
    return json.dumps(as_json(stage_report(folder, folder.stage, reader)))


def test_only_author_gm_and_the_readers_it_names_get_it(table: Table) -> None:
    record = play(table, {"aldar": NOTE})
    assert [who for who, _ in record.readers] == [("aldar", "brenn", "gm")]
    assert record.kept == {"aldar": ("note",)} and set(record.openings["aldar"]) == {"Y1/S.1/moves"}
    aldar, brenn, corva = (table.players[name] for name in SEATS)
    for seat in (aldar, brenn, table.gm):
        found = holding(seat)
        assert found and all(name.startswith("private/") for name in found), found
        for name in found:
            assert stat.S_IMODE((seat.root / name).stat().st_mode) == 0o600
        assert WORD in told(seat, seat.name)
        assert WORD not in told(seat, None)
    assert holding(corva) == set()
    assert WORD not in told(corva, "corva")
    assert findings(aldar)[0][0] == findings(brenn)[0][0] == "proved"
    ((kind, text),) = findings(corva)
    assert kind == "claimed" and "aldar, brenn, gm" in text


def test_no_public_result_hangs_on_it(tmp_path: Path) -> None:
    table = game(tmp_path / "one")
    twin = table.copy(tmp_path / "two")
    notes = {
        "aldar": NOTE,
        "brenn": {"to": ["aldar"], "text": "No."},
        "corva": {"to": ["brenn"], "text": "?"},
    }
    records, events = [], []
    for each, given in ((table, notes), (twin, {})):
        play(each, given)
        records.append(play(each, {}))
        events.append([each.gm.folder.events(stage) for stage in (1, 2)])
    assert events[0] == events[1]
    states = [each.gm.folder.state().to_json() for each in (table, twin)]
    for state in states:
        del state["game"], state["previous"]
    assert states[0] == states[1]
    assert records[0].asked == records[1].asked
    assert len(table.gm.folder.record(1).readers) == 2, "aldar and brenn share one audience"
    assert "readers" not in table.gm.folder.record(2).data


def test_a_reader_finds_the_note_in_later_reports_and_the_gm_too(tmp_path: Path) -> None:
    table = game(tmp_path)
    play(table, {"aldar": NOTE})
    play(table, {})
    for seat in (table.players["brenn"], table.gm):
        assert WORD in json.dumps(as_json(stage_report(seat.folder, 1, seat.name)))
    assert WORD not in json.dumps(as_json(stage_report(table.players["corva"].folder, 1, "corva")))
    assert holding(table.players["corva"]) == set()
    brenn = table.players["brenn"].root
    pbem("-C", str(brenn), "book", str(tmp_path / "book"))
    pages = [one.read_text() for one in (tmp_path / "book").rglob("*.html")]
    assert not [one for one in pages if WORD in one], "in no book, not even a reader's own"
    assert "This book leaves it out (stage 1)." in (tmp_path / "book" / "index.html").read_text()


Change = Callable[[ForReaders], ForReaders]


def _changed(one: ForReaders, **facts: Any) -> ForReaders:
    return replace(one, facts={**one.facts, **facts})


LIES: dict[str, tuple[Change, str]] = {
    "another text": (
        lambda one: _changed(one, **{"answer/aldar/note": {**NOTE, "text": "I come for you."}}),
        "not what",
    ),
    "an event nobody wrote": (
        lambda one: _changed(one, **{"event/aldar.brenn.gm/0002": {"after": 0, "event": {"event": "noted"}}}),
        "do not follow",
    ),
    "another nonce": (lambda one: replace(one, nonces={"aldar": {"note": "0" * 64}}), "not what"),
    "other readers": (
        lambda one: replace(
            one,
            audience=("aldar", "corva", "gm"),
            facts={"answer/aldar/note": NOTE},
        ),
        "not for the readers",
    ),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_a_gm_who_changes_it_is_found_out_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: tuple[Change, str]
) -> None:
    table, (change, words) = game(tmp_path), lie
    honest = named_readers.of_orders
    with monkeypatch.context() as lying:
        lying.setattr(named_readers, "of_orders", lambda *args: _each(honest(*args), change))
        mails = _report(table, {"aldar": NOTE})
    reasons = _refused(table, mails)
    assert words in reasons["aldar"]
    assert all(words in reason and WORD not in reason for reason in reasons.values())
    assert len(reasons) == 2, "its author, and whoever was shown it"


def _each(found: tuple[ForReaders, ...] | None, change: Change) -> tuple[ForReaders, ...] | None:
    return None if found is None else tuple(map(change, found))


def test_a_gm_who_withholds_it_is_found_out_by_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = game(tmp_path)
    with monkeypatch.context() as lying:
        lying.setattr(named_readers, "of_orders", lambda *args: ())
        mails = _report(table, {"aldar": NOTE})
    assert set(_refused(table, mails)) == set(SEATS)


def _report(table: Table, notes: dict[str, Any]) -> list[Path]:
    """Play a stage whose report is wrong; gives its mails."""
    for seat in table.asked():
        order(seat, notes.get(seat.name))
    table.post()
    gm_stage.adjudicate(table.gm.folder, table.gm.signer)
    return table.gm.mails()


def _refused(table: Table, mails: list[Path]) -> dict[str, str]:
    """Why each player refuses what came."""
    return {
        seat.name: str(receipt.reason)
        for seat in table.players.values()
        for receipt in seat.receive(*mails)
        if not receipt.good
    }


def test_unseal_opens_it_only_where_that_was_agreed(tmp_path: Path) -> None:
    for opened in (False, True):
        table = game(tmp_path / str(opened), agreed=Agreement(press=Press(opened=opened)))
        play(table, {"aldar": NOTE})
        unsealing.unseal(table.gm.folder, table.gm.signer, early=True)
        table.post()
        corva = table.players["corva"]
        assert bool(holding(corva)) == opened
        ((kind, _),) = findings(corva)
        assert kind == ("proved" if opened else "claimed")


def _checked(seat: Seat, note: Any) -> Any:
    (question,) = order_file.questions(seat.folder)
    document = order_file.load(
        seat.folder, seat.file({question.key: {"orders": []}, "note": note}), "orders.yaml"
    )
    (fault,) = order_file.check(seat.folder, document).diagnostics
    return fault


REFUSED = {
    "everybody": ({"to": ["brenn", "corva"], "text": "x"}, "everyone"),
    "a stranger": ({"to": ["zeta"], "text": "x"}, "not a power"),
    "himself": ({"to": ["aldar"], "text": "x"}, "not a power"),
    "nobody": ({"to": [], "text": "x"}, "name the powers"),
    "two lines": ({"to": ["brenn"], "text": "x\ny"}, "one line"),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_sent_is_refused_with_its_place(tmp_path: Path, case: tuple[Any, str]) -> None:
    note, words = case
    fault = _checked(game(tmp_path).players["aldar"], note)
    assert words in str(fault.message) and fault.span is not None


def test_press_none_forbids_it(tmp_path: Path) -> None:
    table = game(tmp_path, agreed=Agreement(press=Press("none")))
    assert _checked(table.players["aldar"], NOTE).code == "no-readers"


def test_verify_calls_a_lie_false_where_a_tool_had_let_it_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, change = game(tmp_path), LIES["another text"][0]
    honest = named_readers.of_orders
    with monkeypatch.context() as lying:
        lying.setattr(named_readers, "of_orders", lambda *args: _each(honest(*args), change))
        mails = _report(table, {"aldar": NOTE})
    with monkeypatch.context() as careless:
        careless.setattr(taking_reports, "view_fault", lambda *args: None)
        brenn, corva = table.players["brenn"], table.players["corva"]
        assert all(receipt.good for seat in (brenn, corva) for receipt in seat.receive(*mails))
    found = verify(brenn.root, own=brenn.folder.private).findings
    (false,) = [one for one in found if one.kind == "false"]
    assert (false.code, false.stage, false.party) == ("readers", 1, "gm")
    assert "not what" in str(false.text) and WORD not in str(false.text)
    assert findings(corva)[0][0] == "claimed", "who cannot read it sees nothing wrong"


@pytest.mark.parametrize(
    "readers",
    [
        [[["aldar", "brenn", "corva", "gm"], "0" * 64]],
        [[["aldar", "brenn"], "0" * 64]],
        [[["corva", "gm"], "0" * 64]],
        [[["aldar", "gm", "zeta"], "0" * 64]],
    ],
    ids=["everyone", "without the GM", "without an author", "a stranger"],
)
def test_readers_that_cannot_be_are_seen_by_all(tmp_path: Path, readers: Any) -> None:
    table = game(tmp_path)
    record = play(table, {"aldar": NOTE})
    spoilt = records.check({**record.data, "readers": readers})
    assert list(named_readers.faults(table.gm.folder.progress_at(0), spoilt))
    assert not list(named_readers.faults(table.gm.folder.progress_at(0), record))
