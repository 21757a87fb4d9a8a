"""The table of one player: odds from elsewhere, standing orders tried, settings of email, notes, archives."""

from __future__ import annotations

import html
import json
import sys
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from pbem.archive import order_file
from pbem.cli.web import handing_on, notes, trial
from pbem.cli.web.addresses.at_hand import looks
from pbem.cli.web.addresses.at_settings import rewritten
from pbem.cli.web.asked import Turn, text, texts
from pbem.cli.web.in_a_row import Then
from pbem.text.diagnostics import Refused
from tests.cli.play import Table
from tests.cli.test_board import Sitting

FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}


@pytest.fixture
def victory(tmp_path: Path) -> Sitting:
    return Sitting(tmp_path, "victory", "red")


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Sitting:
    """The game after its first stage. Do not change it."""
    sitting = Sitting(tmp_path_factory.mktemp("second"), "victory", "red")
    sitting.choose("GT1/1.1/bid", "bid 2")
    sitting.sign()
    return sitting


def fill(at: Sitting, path: str, **fields: str) -> str:
    sent = urlencode({key.replace("_", "-"): value for key, value in fields.items()}).encode()
    return html.unescape(at.visitor.ask("POST", f"/g/{at.name}/{path}", sent, **FORM).text)


# ---- odds


def test_odds_may_be_those_after_a_move(second: Sitting) -> None:
    """As if the units stood there: nothing of it is kept, on the board or in the orders."""
    before = second.get("board")
    fights = {
        start: second.post("odds", target="0606", units=["R-AR1"], **({"from": start} if start else {}))
        for start in (None, "0605", "0607", "0506", "0706", "0505", "0707", "nowhere", "0101")
    }
    assert fights["nowhere"] == fights[None], "a place that there is not changes nothing"
    assert fights["0605"]["place"] == fights[None]["place"] == "0606"
    assert "retreat: " in fights["0605"]["sentence"] and "retreat: " not in fights[None]["sentence"]
    assert second.post("odds", target="0606", units=["R-AR1"]) == fights[None]
    assert second.get("board") == before


# ---- standing orders on the stages that were played


def test_standing_orders_are_tried_on_each_question_of_the_past(second: Sitting) -> None:
    folder = second.folder
    orders: list[Any] = [
        {"bid": {"value": 2, "turn": "any"}},
        {"decision": "bid", "answer": 3},
        {"decision": "bid", "answer": 99},
        {"decision": "bid", "answer": 3, "when": {"turn": 9}},
        {"decision": "bid"},
        {"decision": "other", "answer": 3},
        "no order",
        {"bid": "no form"},
    ]
    answered = trial.tried(folder, orders)
    assert len(answered) == len(orders)
    (form,), (good,), (wrong,), *none = answered
    assert form.startswith("0: ") and "→" in form and "2" in form.partition("→")[2]
    assert good.startswith("0: ") and "3" in good.partition("→")[2]
    assert "✗" in wrong and "→" not in wrong
    assert none == [[]] * 5
    assert trial.tried(folder, []) == []


# ---- settings of email


@pytest.mark.parametrize(
    ("before", "data", "after"),
    [
        ("# mine\n", {"out": {"way": "smtp"}}, "# mine\nout:\n  way: smtp\n"),
        ("a: [\n", {"out": {"way": "smtp"}}, "out:\n  way: smtp\n"),
        ("- 1\n# kept\n", {"in": {"way": "files"}}, "# kept\nin:\n  way: files\n"),
        (
            "out: {way: 'smtp', port: 25} # by hand\nin: {way: files}\n",
            {"out": {"way": "smtp", "port": 26}},
            "out: {way: 'smtp', port: 26} # by hand\n",
        ),
        ("out: x\n", {"out": {"way": "smtp"}, "language": "de"}, "out:\n  way: smtp\nlanguage: de\n"),
        ("out: {way: smtp, cc: all}\n", {"out": {"way": "smtp"}}, "out: {way: smtp}\n"),
    ],
)
def test_a_file_of_settings_keeps_what_its_owner_wrote(before: str, data: Any, after: str) -> None:
    said = rewritten(before, data)
    assert said.endswith(after) if before.startswith("a: [") else said == after


def test_a_file_of_settings_with_faults_is_shown_and_mended(victory: Sitting) -> None:
    kept = victory.folder.root / "private" / "mail.yaml"
    kept.write_text("out: {way: pigeon}\n")
    page = html.unescape(victory.visitor.ask("GET", f"/g/{victory.name}/settings").text)
    assert "pigeon" in page and kept.read_text() == "out: {way: pigeon}\n"
    assert html.unescape(victory.visitor.ask("GET", f"/g/{victory.name}/post").text)
    fill(victory, "settings", out_way="folder", out_folder="away")
    assert "way: folder" in kept.read_text() and "pigeon" not in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_typed_passwords_need_a_keyring(victory: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library none is offered, and one that is typed all the same is kept nowhere."""
    monkeypatch.setitem(sys.modules, "keyring", None)
    sent = {"out_way": "smtp", "out_server": "a.example", "out_user": "ann", "out_secret": "keyring"}
    page = fill(victory, "settings", **sent, out_typed="my secret words")
    assert "keyring" in page and "my secret words" not in page
    assert not (victory.folder.root / "private" / "mail.yaml").exists()
    put: list[tuple[str, str, str]] = []
    library = SimpleNamespace(set_password=lambda *given: put.append(given))
    monkeypatch.setitem(sys.modules, "keyring", library)
    fill(victory, "settings", **sent, out_typed="my secret words")
    assert put == [("pbem", "ann", "my secret words")]
    fill(victory, "settings", **sent, out_typed="")
    assert len(put) == 1, "one that was not typed again stays"
    text_ = (victory.folder.root / "private" / "mail.yaml").read_text()
    assert "keyring: pbem" in text_ and "secret" not in text_


# ---- private notes


def test_notes_are_few_short_and_their_writers_own(second: Sitting, tmp_path: Path) -> None:
    folder: Any = SimpleNamespace(root=tmp_path, stage=-1)
    assert notes.notes(folder) == [] and notes.turn(folder) == ""
    (tmp_path / "private").mkdir()
    notes.note(folder, "0101", "first")
    notes.note(folder, "", "all of it")
    notes.note(folder, "0202", "second")
    notes.note(folder, "0101", "again")
    listed = notes.note(folder, "0202", "  ")
    assert [(one["at"], one["text"]) for one in listed] == [("", "all of it"), ("0101", "again")]
    assert notes.notes(folder) == listed
    path = tmp_path / notes.NAME
    assert path.stat().st_mode & 0o777 == 0o600
    notes.note(folder, "0303", "x" * notes.LONGEST)
    with pytest.raises(Refused):
        notes.note(folder, "0303", "x" * (notes.LONGEST + 1))
    many = [{"at": str(n), "turn": "", "text": "x"} for n in range(notes.MOST - 1)]
    path.write_text(json.dumps({"notes": [*many, 5, {"text": 6}, {"no": "text"}]}))
    assert len(notes.note(folder, "a", "x")) == notes.MOST
    with pytest.raises(Refused):
        notes.note(folder, "b", "x")
    assert len(notes.notes(folder)) == notes.MOST, "what is refused is not written"
    for odd in ("[", "[1]", '{"notes": null}', "\udcff"):
        path.write_bytes(odd.encode("utf-8", "surrogateescape"))
        assert notes.notes(folder) == []
    assert notes.turn(second.folder) == "Game turn 1"


# ---- clicks


def test_what_a_question_says_is_read_as_what_it_is() -> None:
    assert [text(data, "a") for data in ({"a": "x"}, {"a": ""}, {"a": 5}, {}, {"a": None})] == [
        "x", None, None, None, None,
    ]  # fmt: skip
    assert texts({"a": ["x", 5, "y", "z"]}, "a", 3) == ["x", "y"]
    assert texts({"a": "xyz"}, "a", 3) == [] == texts({}, "a", 3)


def _takes(turn: Turn) -> None:
    with turn:
        pass


def test_a_turn_says_who_waits_for_it() -> None:
    turn = Turn()
    assert not turn.awaited()
    with turn:
        assert not turn.awaited(), "who has it does not wait"
        with turn:
            assert not turn.awaited()
        other = Thread(target=_takes, args=[turn])
        other.start()
        until = monotonic() + 20
        while not turn.awaited() and monotonic() < until:
            sleep(0.001)
        assert turn.awaited(), "somebody else does"
    other.join(20)
    assert not turn.awaited()


def test_a_folder_is_read_anew_if_anything_but_drafts_has_changed(victory: Sitting) -> None:
    root = victory.folder.root
    before = looks(root)
    for name in ("private/orders-0009.yaml", "private/notes.json"):
        (root / name).write_text("x")
    assert looks(root) == before
    for name in (
        "private/x",
        "inbox/x",
        "stages/x",
        "x",
        f"stages/{min((root / 'stages').iterdir()).name}/x",
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("x")
        after = looks(root)
        assert after != before, name
        (root / name).write_text("longer")
        assert looks(root) != after, name
        before = looks(root)
    folder = victory.place.at_hand(victory.name)
    assert victory.place.at_hand(victory.name) is folder
    (root / "private" / "y").write_text("x")
    assert victory.place.at_hand(victory.name) is not folder


# ---- archives of games


def test_an_archive_of_a_game_is_taken_within_bounds(after: Any, tmp_path: Path, monkeypatch: Any) -> None:
    table: Table = after("open", 2)
    from pbem.archive import Folder

    data = handing_on.packed(Folder.open(table.gm.root))
    handing_on.unpacked(data, tmp_path / "whole")
    made = {path.relative_to(tmp_path / "whole").as_posix() for path in (tmp_path / "whole").rglob("*")}
    assert "roster.json" in made and not any(name.startswith(("private", "outbox/")) for name in made)
    monkeypatch.setattr(handing_on, "MOST_FILES", 3)
    with pytest.raises(Refused) as refused:
        handing_on.unpacked(data, tmp_path / "many")
    assert refused.value.diagnostics[0].code == "too-large" and not (tmp_path / "many").exists()


@pytest.mark.parametrize(
    ("names", "most", "code"),
    [
        (["a/b/roster.json", "a/b/game.yaml", "roster.json.txt", "c/game.yaml"], 10, ""),
        (["game.yaml"], 10, "no-archive"),
        (["roster.json", "game.yaml"], 1, "too-large"),
    ],
)
def test_a_folder_zipped_by_hand_is_taken_from_where_its_roster_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], most: int, code: str
) -> None:
    with ZipFile(tmp_path / "a.zip", "w", ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, f"in {name}")
    monkeypatch.setattr(handing_on, "MOST_BYTES", 1 if code == "too-large" else 1 << 20)
    data, into = (tmp_path / "a.zip").read_bytes(), tmp_path / "into"
    if code:
        with pytest.raises(Refused) as refused:
            handing_on.unpacked(data, into)
        assert refused.value.diagnostics[0].code == code and not into.exists()
        return
    handing_on.unpacked(data, into)
    assert (into / "roster.json").read_text() == "in a/b/roster.json"
    assert {path.name for path in into.iterdir()} <= {"roster.json", "game.yaml"}


def test_an_archive_that_is_packed_in_an_unusual_way_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "a.zip", "w", ZIP_BZIP2) as archive:
        archive.writestr("roster.json", "x" * 1000)
    with pytest.raises(Refused) as refused:
        handing_on.unpacked((tmp_path / "a.zip").read_bytes(), tmp_path / "into")
    assert refused.value.diagnostics[0].code == "no-archive"


def test_the_board_of_later_stands_in_for_the_folder(second: Sitting) -> None:
    """It has another position, and everything else of the folder."""
    folder = second.place.at_hand(second.name)
    game = folder.view().game.copy()
    id = next(iter(game.position.counters))
    game.position.remove(id)
    there: Any = Then(folder, game)
    assert id not in there.view().game.position.counters and id in folder.view().game.position.counters
    assert there.root == folder.root and there.me == "red"
    question = order_file.questions(folder)[0]
    assert there.draft(question, None) is there.draft(question, None)
