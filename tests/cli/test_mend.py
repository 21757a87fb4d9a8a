"""`orders check --fix`: offers, shows, asks, and keeps the file as it was beside the mended one."""

from __future__ import annotations

import stat

from tests.cli.play import Seat, Table, order_file


def _damaged(seat: Seat) -> str:
    option = next(one for one in seat.pbem("orders", "legal", "--json").json if one["complete"])
    text = order_file(seat, {option["decision"]: option["answer"]})
    return "".join(f"> {line}\n" for line in text.replace('"stage"', "\u201cstage\u201d").splitlines())


def _asked(table: Table) -> Seat:
    return next(seat for seat in table.players.values() if seat.owes)


def test_without_a_terminal_it_says_what_it_would_do_and_does_nothing(table: Table) -> None:
    seat = _asked(table)
    file = seat.root / "private" / "mine.yaml"
    file.write_text(_damaged(seat))
    said = seat.pbem("orders", "check", file, "--fix", code=1)
    assert f"{file}:1:1: the > before every line is removed" in said.out
    assert "curly quotes become straight ones" in said.out
    assert "nothing was changed" in said.err
    assert file.read_text() == _damaged(seat)
    assert not file.with_name("mine.yaml.orig").exists()


def test_with_yes_it_mends_and_keeps_the_old_file(table: Table) -> None:
    seat = _asked(table)
    file = seat.root / "private" / "mine.yaml"
    file.write_text(_damaged(seat))
    said = seat.pbem("orders", "check", file, "--fix", "--yes")
    assert "understood" in said.out
    old = file.with_name("mine.yaml.orig")
    assert old.read_text() == _damaged(seat)
    assert stat.S_IMODE(old.stat().st_mode) == 0o600
    seat.pbem("orders", "sign", file)


def test_on_a_terminal_it_asks(table: Table, monkeypatch: object) -> None:
    import pytest

    assert isinstance(monkeypatch, pytest.MonkeyPatch)
    seat = _asked(table)
    file = seat.root / "private" / "mine.yaml"
    file.write_text(_damaged(seat))
    monkeypatch.setattr("pbem.cli.writing.mending.is_terminal", lambda: True)
    assert (
        "Repair the file like this?" in seat.pbem("orders", "check", file, "--fix", code=1, stdin=b"n\n").err
    )
    assert file.read_text() == _damaged(seat)
    seat.pbem("orders", "check", file, "--fix", stdin=b"y\n")
    assert ">" not in file.read_text()


def test_a_sound_file_has_nothing_to_mend(table: Table) -> None:
    seat = _asked(table)
    file = seat.root / "private" / "mine.yaml"
    option = next(one for one in seat.pbem("orders", "legal", "--json").json if one["complete"])
    file.write_text(order_file(seat, {option["decision"]: option["answer"]}))
    said = seat.pbem("orders", "check", file, "--fix", "--yes")
    assert "no damage by a mail program found" in said.err


def test_lost_indentation_is_named_before_everything_else(table: Table) -> None:
    seat = _asked(table)
    file = seat.root / "private" / "mine.yaml"
    game = seat.status["game"][:12]
    file.write_text(f'game: "{game}"\nstage: 1\nanswers:\ncard: 1\n')
    said = seat.pbem("orders", "check", file, "--fix", "--yes", code=1)
    assert said.err.index("lost-indentation") < said.err.index(
        "error[", said.err.index("lost-indentation") + 5
    )


def test_a_tab_is_reported_with_line_and_column(table: Table) -> None:
    seat = _asked(table)
    file = seat.root / "private" / "mine.yaml"
    game = seat.status["game"][:12]
    file.write_text(f'game: "{game}"\nstage: 1\nanswers:\n\tcard: 1\n')
    said = seat.pbem("orders", "check", file, "--fix", "--yes", code=1)
    assert ":4:1: error[tab]" in said.err


def test_repairs_are_data_too(table: Table) -> None:
    seat = _asked(table)
    file = seat.root / "private" / "mine.yaml"
    file.write_text(_damaged(seat))
    told = seat.pbem("orders", "check", file, "--fix", "--yes", "--json").json
    assert [one["code"] for one in told["repairs"]] == ["quote-prefix", "curly-quote"]
    assert told["written"] is True and told["ok"] is True
