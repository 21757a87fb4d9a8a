"""`pbem next`, `pbem undo` and `pbem demo --play`: one command does what is next, and says what it did."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from pbem.archive.verifying.verify import verify
from pbem.cli.games import next_orders
from pbem.cli.writing import asking
from pbem.cli.writing.filling import filled
from pbem.text.writing import _Job
from tests.cli.play import Ran, Seat, Table, order_file, pbem, tree
from tests.nightly import IN_CI


class Typist:
    """Somebody at the keyboard: what he types, in order; what is left over was never asked for."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.typed: list[str] = []
        patch.setattr(next_orders, "asks", lambda: True)
        patch.setattr(click, "prompt", self._prompt)
        patch.setattr(click, "edit", self._edit)
        self.opened: list[str] = []
        self.writes: list[str] = []

    def _prompt(self, *_: Any, default: str = "", **__: Any) -> str:
        return (self.typed.pop(0) if self.typed else "q") or default

    def _edit(self, filename: str, editor: str | None = None) -> None:
        self.opened.append(filename)
        if self.writes:
            Path(filename).write_text(self.writes.pop(0))


@pytest.fixture
def typist(monkeypatch: pytest.MonkeyPatch) -> Typist:
    return Typist(monkeypatch)


def asked(table: Table) -> Seat:
    return next(seat for seat in table.players.values() if seat.owes)


def signed(seat: Seat) -> list[str]:
    return sorted(path.name for path in (seat.root / "outbox").glob("stage-*-orders-*.eml"))


# ---- without a terminal ------------------------------------------------------------------------------------


def test_it_writes_the_order_file_and_signs_it_only_when_told(table: Table) -> None:
    seat = asked(table)
    said = seat.pbem("next")
    assert "fill in" in said.out and signed(seat) == []
    (path,) = (seat.root / "private").glob("orders-*.yaml")
    assert "has errors (above)" in seat.pbem("next").out, "nothing was filled in"
    option = seat.pbem("orders", "legal", "--json").json[0]
    path.write_text(order_file(seat, {option["decision"]: option["answer"]}))
    said = seat.pbem("next")
    assert "understood:" in said.out and "nothing is signed yet" in said.out and signed(seat) == []
    said = seat.pbem("next", "--yes")
    assert len(signed(seat)) == 1 and signed(seat)[0] in said.out
    assert signed(seat)[0] in seat.pbem("next").out, "what waits to be mailed is named until it is away"
    seat.pbem("mail", "out", "--sent", signed(seat)[0])
    assert signed(seat)[0] not in seat.pbem("next").out


def test_the_usual_file_need_not_be_named(table: Table) -> None:
    seat = asked(table)
    said = seat.pbem("orders", "check", code=1).err
    assert "error[no-file]" in said and "run `pbem orders new` to write it" in said
    seat.pbem("orders", "new")
    option = seat.pbem("orders", "legal", "--json").json[0]
    (path,) = (seat.root / "private").glob("orders-*.yaml")
    path.write_text(order_file(seat, {option["decision"]: option["answer"]}))
    assert "understood:" in seat.pbem("orders", "check").out
    seat.pbem("orders", "sign")
    assert len(signed(seat)) == 1


def test_a_whole_game_is_played_with_next_and_mails_that_lie_about(table: Table) -> None:
    """Letters saved in the folder `mail` are found; nobody names a file, and each is looked at once."""
    seats = [table.gm, *table.players.values()]
    for _ in range(12):
        for seat in seats:
            if seat is not table.gm and seat.owes:
                options = seat.pbem("orders", "legal", "--json").json
                stage = seat.status["stage"] + 1
                path = seat.root / "private" / f"orders-{stage:04d}.yaml"
                path.write_text(order_file(seat, {one["decision"]: one["answer"] for one in options}))
            seat.pbem("next", "--yes")
            for mail in seat.mails():
                for other in seats:
                    if other is not seat:
                        (other.root / "mail").mkdir(exist_ok=True)
                        shutil.copy(mail, other.root / "mail" / mail.name)
    assert table.gm.status["stage"] > 3
    assert verify(table.players["north"].root).ok
    north = table.players["north"]
    north.pbem("next")
    assert north.pbem("next", "--json").json["did"] == []


def test_what_came_late_or_twice_troubles_no_later_run(table: Table) -> None:
    seat = asked(table)
    (seat.root / "mail").mkdir()
    (seat.root / "mail" / "odd.txt").write_text("no statement at all")
    first = seat.pbem("receive", code=1)
    assert "nothing signed" in first.err
    assert "no new emails in" in seat.pbem("receive").err
    assert seat.pbem("next").code == 0


def test_a_file_that_is_named_is_told_of_though_it_is_known(table: Table) -> None:
    seat = asked(table)
    table.answer(seat)
    (mail,) = seat.mails()
    assert table.gm.pbem("next", str(mail), "--json").json["did"] == ["accepted: 1 statement"]
    assert "already here" in table.gm.pbem("next", str(mail)).out


# ---- taking back ---------------------------------------------------------------------------------------


def test_what_is_not_mailed_can_be_taken_back_and_its_number_is_not_used_again(table: Table) -> None:
    seat = asked(table)
    before = tree(seat.root)
    option = seat.pbem("orders", "legal", "--json").json[0]
    file = seat.root.parent / "o.yaml"
    file.write_text(order_file(seat, {option["decision"]: option["answer"]}))
    seat.pbem("orders", "sign", file)
    assert "taken back: order of" in seat.pbem("undo", "--yes").out
    after = tree(seat.root)
    assert after.pop("private/undone.json")
    assert after == before
    seat.pbem("orders", "sign", file)
    assert [name.endswith("-rev2.eml") for name in signed(seat)] == [True]


def test_a_revision_that_is_taken_back_leaves_the_one_before(table: Table) -> None:
    seat = asked(table)
    first, second = seat.pbem("orders", "legal", "--json").json[:2]
    file = seat.root.parent / "o.yaml"
    for option in (first, second):
        file.write_text(order_file(seat, {option["decision"]: option["answer"]}))
        seat.pbem("orders", "sign", file)
    seat.pbem("undo", "--yes")
    assert [name.endswith("-rev1.eml") for name in signed(seat)] == [True]
    assert not seat.owes


def test_what_was_mailed_stays(table: Table) -> None:
    seat = asked(table)
    option = seat.pbem("orders", "legal", "--json").json[0]
    file = seat.root.parent / "o.yaml"
    file.write_text(order_file(seat, {option["decision"]: option["answer"]}))
    seat.pbem("orders", "sign", file)
    seat.pbem("mail", "out", "--sent", signed(seat)[0])
    before = tree(seat.root)
    said = seat.pbem("undo", "--yes", code=1)
    assert (
        "error[mailed-already]" in said.err and "can't be taken back" in said.err and "sign again" in said.err
    )
    assert tree(seat.root) == before


def test_there_may_be_nothing_to_take_back(table: Table) -> None:
    said = asked(table).pbem("undo", "--yes", code=1).err
    assert "error[nothing-to-undo]: you have signed nothing" in said


# ---- asked on a terminal -------------------------------------------------------------------------------


def test_a_choice_is_made_by_its_number_and_stands_in_the_order_file(table: Table, typist: Typist) -> None:
    seat = asked(table)
    typist.typed = ["nonsense", "99", "1", "sign"]
    said = seat.pbem("next")
    option = seat.pbem("orders", "legal", "--json", code=None)
    assert typist.typed == [] and len(signed(seat)) == 1, said
    assert option.code in (0, 1)


def test_who_leaves_finds_his_answers_again(table: Table, typist: Typist) -> None:
    seat = asked(table)
    typist.typed = ["1", "leave"]
    seat.pbem("next")
    assert signed(seat) == []
    typist.typed = ["sign"]
    seat.pbem("next")
    assert len(signed(seat)) == 1


def test_the_editor_gets_the_file_and_faults_come_back_to_it(table: Table, typist: Typist) -> None:
    seat = asked(table)
    option = seat.pbem("orders", "legal", "--json").json[0]
    right = order_file(seat, {option["decision"]: option["answer"]})
    typist.writes = [order_file(seat, {"nonsense": 1}), right]
    typist.typed = ["editor", "sign"]
    said = seat.pbem("next", "--editor")
    assert "unknown decision" in said.err
    assert len(typist.opened) == 2 and len(signed(seat)) == 1


def test_a_template_is_filled_without_touching_its_comments() -> None:
    text = "answers:\n\n  # why\n  bid:\n\n  move:\n# end\n"
    assert filled(text, {"bid": 2, "move": {"to": ["a"]}}) == (
        "answers:\n\n  # why\n  bid: 2\n\n  move: {to: [a]}\n# end\n"
    )


# ---- at one computer ---------------------------------------------------------------------------------------


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def at_table(*args: str) -> Ran:
    return pbem("-C", "primer-north", *args)


@pytest.mark.parametrize("dice", [pytest.param("swift", marks=IN_CI), "locked", "pair"])
def test_a_game_on_one_computer_is_left_and_taken_up_until_its_end(
    dice: str, away: Path, typist: Typist, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = pbem("demo", "primer", "--play", "north", "--dice", dice)
    assert "you are north" in said.out and "primer-north" in said.out
    mine = away / "primer-north" / "north"
    for _ in range(200):
        if at_table("status", "--json").json["finished"]:
            break
        typist.typed = ["1", "s"]
        monkeypatch.setattr(asking._Growing, "ask", lambda self: self.drafting.json())
        at_table("next")
    assert at_table("status", "--json").json["finished"]
    found = verify(mine)
    others = ("south",) if dice == "pair" else ("gm", "south")
    assert found.ok and all(verify(away / "primer-north" / who).ok for who in others)
    assert (away / "primer-north" / "gm").exists() is (dice != "pair")
    assert "the game continues" in pbem("demo", "primer", "--play", "north", "--dice", dice).out


def test_orders_signed_by_hand_are_answered_at_the_table(away: Path) -> None:
    pbem("demo", "primer", "--play", "north")
    before = at_table("status", "--json").json["stage"]
    option = at_table("orders", "legal", "--json").json[0]
    seat = Seat(away / "primer-north" / "north")
    (away / "o.yaml").write_text(order_file(seat, {option["decision"]: option["answer"]}))
    said = at_table("orders", "sign", "o.yaml")
    assert at_table("status", "--json").json["stage"] > before
    assert at_table("verify").code == 0, "beside the game, as the other commands"
    assert "pbem report" in said.out


def test_a_table_whose_key_is_gone_says_which_and_what_is_left_to_do(away: Path) -> None:
    pbem("demo", "primer", "--play", "north")
    mine = away / "primer-north" / "north" / "private" / "id_ed25519"
    mine.rename(away / "elsewhere")
    said = pbem("-C", "primer-north", "next", code=1).err
    assert "error[no-key]" in said and str(mine) in said and "pbem demo --play" in said
    (away / "elsewhere").rename(mine)
    assert at_table("next").code == 0


def test_a_table_that_was_cut_short_while_it_was_laid_is_laid_anew(away: Path) -> None:
    pbem("demo", "primer", "--play", "north")
    note = away / "primer-north" / "table.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"ready": False}))
    shutil.rmtree(away / "primer-north" / "south")
    pbem("demo", "primer", "--play", "north")
    assert at_table("next").code == 0


def test_a_full_disk_at_a_table_stops_before_anything_is_signed(
    away: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pbem("demo", "primer", "--play", "north")
    option = at_table("orders", "legal", "--json").json[0]
    (away / "o.yaml").write_text(
        order_file(Seat(away / "primer-north" / "north"), {option["decision"]: option["answer"]})
    )
    before = at_table("status").out

    create = _Job._create

    def full(job: _Job, path: Path, folder: Path, mode: int) -> int:
        if "before" in path.parts:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        return create(job, path, folder, mode)

    with monkeypatch.context() as here:
        here.setattr(_Job, "_create", full)
        said = pbem("-C", "primer-north", "orders", "sign", "o.yaml", code=1).err
        german = pbem("--lang", "de", "-C", "primer-north", "orders", "sign", "o.yaml", code=1).err
    assert "no space left on device" in said and "free some space on that disk" in said
    assert "kein Platz mehr" in german and "noch einmal" in german
    assert not list((away / "primer-north" / "before").iterdir())
    assert at_table("status").out == before
    at_table("orders", "sign", "o.yaml")
    assert at_table("status").out != before


def test_a_list_of_games_that_cannot_be_written_keeps_nobody_from_reading(
    away: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (away / "config").write_text("a file where a folder is wanted")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(away / "config"))
    pbem("demo", "primer", "--play", "north")
    assert "you are north" in at_table("status").out


def test_a_report_that_did_not_arrive_is_carried_at_the_next_call(away: Path) -> None:
    """Cut short between the GM's stage and its delivery, nothing is lost."""
    pbem("demo", "primer", "--play", "north")
    kept = away / "kept"
    shutil.copytree(away / "primer-north" / "north", kept)
    option = at_table("orders", "legal", "--json").json[0]
    (away / "o.yaml").write_text(
        order_file(Seat(away / "primer-north" / "north"), {option["decision"]: option["answer"]})
    )
    at_table("orders", "sign", "o.yaml")
    stage = at_table("status", "--json").json["stage"]
    shutil.rmtree(away / "primer-north" / "north")
    shutil.move(kept, away / "primer-north" / "north")
    at_table("next")
    assert at_table("status", "--json").json["stage"] == stage


@pytest.mark.parametrize(
    ("args", "words", "code"),
    [
        (("--play", "nroth"), "did you mean 'north'?", 1),
        (("--play", "west"), "Use one of: north and south", 1),
    ],
)
def test_no_table_is_laid_for_what_cannot_be(
    args: tuple[str, ...], words: str, code: int, away: Path
) -> None:
    assert words in pbem("demo", "primer", *args, code=code).err
    assert list(away.iterdir()) == []


@pytest.mark.parametrize(
    ("game", "seat", "why"),
    [("victory/sarn_strait", "red", "exactly two can play"), ("primer-fog/ford", "north", "hides units")],
)
def test_without_a_game_master_two_play_and_nothing_is_hidden(
    game: str, seat: str, why: str, away: Path
) -> None:
    said = pbem("demo", game, "--play", seat, "--dice", "pair", code=1).err
    assert why in said and "the computer is the game master" in said
    assert list(away.iterdir()) == []


def test_a_folder_with_something_in_it_is_left_alone(away: Path) -> None:
    (away / "primer-north").mkdir()
    (away / "primer-north" / "thesis.txt").write_text("x")
    assert "is not empty" in pbem("demo", "primer", "--play", "north", code=1).err
    assert [path.name for path in (away / "primer-north").iterdir()] == ["thesis.txt"]
