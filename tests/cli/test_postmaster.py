"""`pbem postmaster`: runs what is complete, sends, keeps deadlines, and stops for nobody's trouble."""

from __future__ import annotations

import errno
import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from pbem.archive import Folder, verify
from pbem.cli.club.serving import serve
from pbem.cli.games import clock
from pbem.cli.shell import keys
from pbem.trust.keys import locked
from tests.cli.play import Table, pbem
from tests.cli.test_club import Club, made
from tests.cli.test_plain_replies import PlainTable
from tests.copying import copied
from tests.unit.mail.damage import mail
from tests.unit.mail.imap_server import Box, imap_server


@pytest.fixture
def club(started_open: Table, started_fog: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club of two games, one with hidden units."""
    return made([started_open, started_fog], tmp_path, monkeypatch)


def _once(club: Club, code: int = 0) -> str:
    said = pbem("postmaster", "--in", club.games, "--once", code=code)
    return said.out + said.err


def _journal(club: Club) -> str:
    (place,) = (club.root / "data" / "pbem").glob("postmaster-*")
    return (place / "journal.log").read_text()


def _stages(club: Club) -> list[int]:
    return [table.gm.status["stage"] for table in club.tables]


def test_it_runs_each_complete_stage_and_sends_its_report(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.mail import carriers

    _once(club)
    for path in club.out.iterdir():
        path.unlink()
    for data in club.orders("north", "south"):
        club.into_the_box(data)
    real, then = carriers.IntoFolder.hand_over, list[list[int]]()

    def hand_over(self: carriers.IntoFolder, name: str, *rest: Any) -> object:
        if "gm-report" in name:
            then.append([Folder.open(seat.root).stage for seat in club.gms])
        return real(self, name, *rest)

    monkeypatch.setattr(carriers.IntoFolder, "hand_over", hand_over)
    page = _once(club)
    assert _stages(club) == [1, 1]
    assert then == [[1, 0], [1, 1]], "a report leaves before the next game has its turn"
    assert sum("stage-0001-gm-report" in path.name for path in club.out.iterdir()) == 2
    assert page.count("waits for north") == 2
    assert _journal(club).count("ran stage 1: all orders were here") == 2
    for path in club.out.iterdir():
        club.into_the_box(path.read_bytes())  # to everybody, so to the GM as well
    before = sorted(club.out.iterdir())
    _once(club)
    assert sorted(club.out.iterdir()) == before and _stages(club) == [1, 1]


def test_it_asks_once_for_the_passphrase_of_a_key_that_runs_several_games(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = club.gms[0].root
    me = json.loads((first / "private" / "me.json").read_text())
    key = club.root / "shut"
    key.write_bytes(locked(Path(me["key_file"]).read_bytes(), "pst"))
    (first / "private" / "me.json").write_text(json.dumps({**me, "key_file": str(key)}))
    copied(first, club.games / "more")
    for data in club.orders("north", "south"):
        club.into_the_box(data)
    assert "key needs a passphrase" in _once(club) and _stages(club) == [0, 1], "unattended, it goes on"
    asked, typed = list[str](), ["pts"]
    monkeypatch.setattr(keys, "is_terminal", lambda: True)
    monkeypatch.setattr(keys, "_hidden", lambda words: asked.append(words) or typed[0])
    assert "passphrase is wrong" in _once(club, code=1)
    typed[0] = ""
    assert "key needs a passphrase" in _once(club) and _stages(club) == [0, 1]
    typed[0] = "pst"
    _once(club)
    assert asked == [f"passphrase of {key}"] * 3 and _stages(club) == [1, 1]


def test_a_broken_game_stops_alone_and_its_gm_gets_one_email(club: Club) -> None:
    _once(club)
    for data in club.orders("north", "south"):
        club.into_the_box(data)
    for path in club.out.iterdir():
        path.unlink()
    record = club.gms[1].root / "stages" / "0000" / "record.json"
    whole = record.read_bytes()
    record.write_bytes(b"{")
    assert "games/game-2" not in _once(club, code=1)
    notices = [path for path in club.out.iterdir() if path.name.startswith("notice-")]
    assert len(notices) == 1 and b"gm@example.org" in notices[0].read_bytes()
    assert "game-2: stopped" in pbem("postmaster", "--in", club.games, "--state").out
    _once(club, code=1)
    assert len([path for path in club.out.iterdir() if path.name.startswith("notice-")]) == 1
    record.write_bytes(whole)
    _once(club)
    assert _stages(club) == [1, 1]


def test_the_gm_hears_of_a_game_whose_roster_is_damaged_before_it_begins(club: Club) -> None:
    """Its parties can't be read, so the email goes to the GM of the other games."""
    roster = club.gms[1].root / "roster.json"
    roster.write_bytes(b"{")
    said = _once(club, code=1)
    (notice,) = (path for path in club.out.iterdir() if path.name.startswith("notice-"))
    assert b"To: pbem postmaster <gm@example.org>" in notice.read_bytes()
    assert f"{roster} is damaged: restore it" in said


def test_two_postmasters_on_one_mailbox(club: Club) -> None:
    from pbem.cli.club.postmaster import Postmaster
    from pbem.cli.club.settings import PostmasterSettings

    with Postmaster(lambda: [club.gms[0].root], "elsewhere", PostmasterSettings()):
        said = _once(club, code=1)
        assert "another postmaster is working here" in said and "[mailbox-busy]" in said
        assert "is reading this mailbox" in pbem("mail", "in", "--in", club.games, code=1).out
    _once(club)


def test_settings_with_faults_are_refused(club: Club) -> None:
    (club.settings / "postmaster.yaml").write_text('ask: [everything]\nevry: 3\nsend_on: ["25:00"]\n')
    said = _once(club, code=1)
    assert "`ask` is a list of forfeit, ruling" in said and "no setting evry" in said
    assert "`send_on` is a list of hours in UTC" in said
    assert "[bad-settings]" in said


def test_a_quiet_round_opens_no_game(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.cli.club import postmaster as module
    from pbem.cli.club.settings import PostmasterSettings

    really, served = module.serve, list[Path]()

    def serve(folder: Any, *rest: Any) -> Any:
        served.append(folder.root)
        return really(folder, *rest)

    monkeypatch.setattr(module, "serve", serve)
    roots = [seat.root for seat in club.gms]
    with (
        click.Context(click.Command("pbem")),
        module.Postmaster(lambda: roots, str(club.games), PostmasterSettings()) as one,
    ):
        for _ in range(3):
            assert one.round()
        quiet = len(served)
        assert quiet, "games are opened in the rounds before"
        one.round()
        assert len(served) == quiet
        for data in club.orders("north")[:1]:
            club.into_the_box(data)
        one.round()
        assert len(served) == quiet + 1


# ---- deadlines --------------------------------------------------------------------------------------------


def _days(days: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this computer's clock be so many days on."""
    real = datetime.now(UTC)
    monkeypatch.setattr(clock, "now", lambda: real + timedelta(days=days))


@pytest.fixture
def dated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club of one game with three answer days in which the game goes on without whoever is late."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    agreed = ("answer_days=3", "grace_days=1", "overdue=default")
    options = ("--absent", "skip", *(word for one in agreed for word in ("--option", one)))
    table = Table(tmp_path / "games", "primer", ("north", "south"), *options)
    table.start()
    table.play_stage()
    players = tmp_path / "players"
    players.mkdir()
    for name, seat in table.players.items():
        seat.root = seat.root.rename(players / name)
    return Club(tmp_path, [table])


def _reminders(club: Club) -> list[str]:
    return sorted(path.name for path in (club.gms[0].root / "outbox").glob("*reminder*.eml"))


def test_it_reminds_once_a_day_before_the_deadline(dated: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    _once(dated)
    assert _reminders(dated) == []
    _days(3, monkeypatch)
    _once(dated)
    first = _reminders(dated)
    assert len(first) == 2
    _days(4, monkeypatch)
    _once(dated)
    assert _reminders(dated) == first
    assert _journal(dated).count("reminded north, south") == 1


def test_after_the_deadline_it_does_what_the_game_agreed_on(
    dated: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    (dated.settings / "postmaster.yaml").write_text("ask: [ruling]\n")
    for data in dated.orders("north"):
        dated.into_the_box(data)
    before = _stages(dated)
    _days(4, monkeypatch)
    _once(dated)
    assert _stages(dated) == before
    _days(5, monkeypatch)
    _once(dated)
    assert _stages(dated)[0] > before[0]
    assert "without south: the deadline is over" in _journal(dated)


def test_in_the_first_stage_the_gm_hears_why_the_game_waits_and_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It agreed to go on without whoever is late, but the first dice hang on everybody's link."""
    table = Table(tmp_path, "primer", ("north", "south"), "--absent", "skip", "--option", "answer_days=3")
    table.start()
    _days(9, monkeypatch)
    (said,) = (str(one) for one in serve(Folder.open(table.gm.root), [], -2).asks)
    assert "these dice need an answer from everyone" in said and "`pbem amend drop north`" in said


@pytest.mark.parametrize("absent", ["stop", "skip"])
def test_the_computer_plays_for_a_late_player_whose_keys_the_gm_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, absent: str
) -> None:
    """From the first stage on, whose dice need everyone's link; and verify says whose word it is."""
    club = lent(tmp_path, monkeypatch, "no_show=computer", "--absent", absent)
    _days(3.5, monkeypatch)
    _once(club)
    assert _stages(club) == [0], "there are days of grace"
    _days(5.1, monkeypatch)
    _once(club)
    assert "the computer played for south" in _journal(club)
    folder = Folder.open(club.gms[0].root)
    assert folder.record(1).accepted["south"] is not None and folder.record(1).links["south"]
    assert folder.record(1).data["forfeits"] == []
    found = verify(club.gms[0].root)
    assert found.ok and [one.party for one in found.of("claimed") if one.code == "proxy"] == ["south"]


def test_with_locks_the_link_of_such_a_player_goes_out_with_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = lent(tmp_path, monkeypatch, "no_show=computer", "--dice", "locked")
    _once(club)
    folder = Folder.open(club.gms[0].root)
    assert [one.sender for one in folder.of(1, "link")] == ["south"]


def test_a_late_player_is_played_for_by_hand_if_that_was_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = lent(tmp_path, monkeypatch, "no_show=deputy")
    _days(5.1, monkeypatch)
    page = _once(table)
    assert _stages(table) == [0] and "pbem orders new --as south" in page


def lent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agreed: str, *options: str) -> Club:
    """A game at its first stage in which the GM holds the keys of South, who never writes; North has."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    words = [word for one in ("answer_days=3", "grace_days=1", agreed) for word in ("--option", one)]
    table = PlainTable(tmp_path / "games", "primer", ("north", "south"), *words, *options)
    table.start()
    north = table.players["north"]
    north.root = north.root.rename(tmp_path / "north")
    club = Club(tmp_path, [table])
    for data in club.orders("north"):
        club.into_the_box(data)
    return club


def test_forfeits_are_left_to_the_gm_unless_they_say_otherwise(
    dated: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _stages(dated)
    _days(9, monkeypatch)
    page = _once(dated)
    assert _stages(dated) == before
    assert "run `pbem adjudicate --forfeit north --forfeit south`" in page
    _once(dated)
    assert sum(path.name.startswith("notice-") for path in dated.out.iterdir()) == 1


def test_a_protest_holds_the_stage_for_the_gm(club: Club) -> None:
    table = club.tables[0]
    south = table.players["south"]
    for data in club.orders("north", "south"):
        club.into_the_box(data)
    south.mails()
    south.pbem("protest", "This die was not rolled.")
    club.into_the_box(south.mails()[0].read_bytes())
    assert "someone protests in stage 1" in _once(club)
    assert _stages(club) == [0, 1]


# ---- killed at any moment ---------------------------------------------------------------------------------


class _Killed(BaseException):
    """The process ends here."""


def test_killed_while_handing_over_it_sends_the_same_bytes_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.mail import carriers

    _once(club)
    for data in club.orders("north", "south"):
        club.into_the_box(data)
    sent: dict[bytes, set[bytes]] = {}
    real = carriers.IntoFolder.hand_over

    def dying(self: carriers.IntoFolder, name: str, sender: str, to: list[str], data: bytes) -> object:
        message = data.partition(b"Message-ID: ")[2].partition(b"\r\n")[0]
        again = message in sent
        sent.setdefault(message, set()).add(data)
        done = real(self, name, sender, to, data)
        if not again:
            raise _Killed  # it is out, and the book does not know
        return done

    monkeypatch.setattr(carriers.IntoFolder, "hand_over", dying)
    for _ in range(60):
        try:
            _once(club)
        except _Killed:
            continue
        break
    assert _stages(club) == [1, 1]
    reports = [one for one in sent.values() if any(b"report" in data for data in one)]
    assert len(sent) > 2 and reports and all(len(one) == 1 for one in sent.values())
    monkeypatch.undo()


def test_a_full_disk_loses_no_email(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.text import writing

    for data in club.orders("north", "south"):
        club.into_the_box(data)
    real = os.fsync

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing.os, "fsync", full)
    said = _once(club, code=1)
    assert "no space left" in said.lower()
    monkeypatch.setattr(writing.os, "fsync", real)
    _once(club)
    assert _stages(club) == [1, 1]


def test_git_gets_each_stage_where_the_game_has_a_repository(club: Club) -> None:
    before = len(club.gms[0].pbem("archive", "--json").json["commits"])
    for data in club.orders("north", "south"):
        club.into_the_box(data)
    _once(club)
    log = subprocess.run(
        ["git", "log", "--format=%s"], cwd=club.gms[0].root, capture_output=True, text=True, check=True
    )
    assert len(log.stdout.splitlines()) > before
    assert not (club.gms[1].root / ".git").exists()
    assert "commit" in _journal(club)


# ---- a mailbox on a server --------------------------------------------------------------------------------


def test_one_line_to_a_server_serves_all_games_and_waits_for_its_word(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.cli.club import postmaster as module
    from pbem.cli.club.settings import PostmasterSettings

    pytest.importorskip("imap_tools")
    monkeypatch.setenv("PBEM_TEST_MAIL", "demopass")
    box = Box(dict(enumerate(club.orders("north", "south"), 1)), idle=True)
    roots = [seat.root for seat in club.gms]
    with imap_server(box) as port:
        (club.settings / "mail.yaml").write_text(
            f"in: {{way: imap, server: 127.0.0.1, port: {port}, security: none, user: gm,"
            f" password: {{variable: PBEM_TEST_MAIL}}}}\nout: {{way: folder, folder: {club.out}}}\n"
        )
        with (
            click.Context(click.Command("pbem")),
            module.Postmaster(lambda: roots, "here", PostmasterSettings(every=600)) as one,
        ):
            assert one.round()
            assert _stages(club) == [1, 1]
            box.mails[9] = mail(b"lunch?")
            one.wait()  # ends at once, for the server has something to say
            assert one.round()
    assert sum("LOGIN" in asked for asked in box.asked) == 1
    assert sum(asked.upper() == "IDLE" for asked in box.asked) == 1
    assert sum("BODY" in asked for asked in box.asked) == 5


def test_beside_a_folder_a_server_is_asked_when_it_announces_something_or_after_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The folder is looked into every two seconds; a server says itself when an email came."""
    from pbem.cli.club import postmaster as module
    from pbem.cli.club.settings import PostmasterSettings

    now, announced, read = [1000.0], [False], []
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(module, "wait_for_word", lambda lines, seconds: announced[0])
    monkeypatch.setattr(module, "read_one", lambda box, reader, line: read.append(box.where.server))
    line: Any = SimpleNamespace(announces=True, look=lambda: None)
    one = module.Postmaster(list, "here", PostmasterSettings())
    one._lines["server"] = line
    for name, server in (("folder", None), ("server", "mail.example.org")):
        box: Any = SimpleNamespace(where=SimpleNamespace(server=server))
        one._boxes[name] = box
    monkeypatch.setattr(module.Reader, "what_waits", lambda self: None)

    def round_after(seconds: float) -> list[str | None]:
        read.clear()
        one.wait()
        now[0] += seconds
        one._receive(module.Index.of([]), module.Round())
        return list(read)

    assert round_after(2) == [None, "mail.example.org"], "the first time"
    assert round_after(2) == round_after(2) == [None]
    announced[0] = True
    assert round_after(2) == [None, "mail.example.org"]
    announced[0] = False
    assert round_after(2) == [None]
    assert round_after(60) == [None, "mail.example.org"]


def test_after_a_full_disk_the_same_process_reads_the_email_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.cli.club import postmaster as module
    from pbem.cli.club.settings import PostmasterSettings
    from pbem.text import writing

    for data in club.orders("north", "south"):
        path = club.into_the_box(data)
    for part in ("new", "cur"):  # untouched for a while
        os.utime(path.parent.parent / part, ns=(10**18, 10**18))
    roots = [seat.root for seat in club.gms]
    real = os.fsync

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with (
        click.Context(click.Command("pbem")),
        module.Postmaster(lambda: roots, "here", PostmasterSettings()) as one,
    ):
        monkeypatch.setattr(writing.os, "fsync", full)
        assert not one.round()
        monkeypatch.setattr(writing.os, "fsync", real)
        one.round()
    assert _stages(club) == [1, 1]


def test_a_game_that_stopped_is_tried_again_after_a_while_and_told_of_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in its folder changes when a disk or a network comes back."""
    from pbem.cli.club import postmaster as module
    from pbem.cli.club.settings import PostmasterSettings

    roots = [club.gms[1].root]

    def unreachable(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    said: list[str] = []
    with (
        click.Context(click.Command("pbem")),
        module.Postmaster(lambda: roots, "here", PostmasterSettings()) as one,
    ):
        monkeypatch.setattr(one.journal, "say", lambda text, game="": said.append(text))
        with monkeypatch.context() as patch:
            patch.setattr(module, "serve", unreachable)
            for days in (0, 1):
                _days(days, patch)
                one.round()
                assert one.games[roots[0]].broken
        _days(2, monkeypatch)
        one.round()
        assert not one.games[roots[0]].broken
    assert sum("input/output error" in text.lower() for text in said) == 1, said


def test_what_is_due_first_is_listed_first(dated: Club, started_open: Table) -> None:
    copied(started_open.gm.root, dated.games / "a-first-by-name")
    said = pbem("status", "--in", dated.games, "--json").json["games"]
    assert [Path(one["folder"]).name for one in said] == ["gm", "a-first-by-name"]
    assert said[0]["due_at"] and said[1]["due_at"] is None
    assert pbem("next", "--in", dated.games).out.startswith("-- games/gm")


# ---- a clock that jumps -----------------------------------------------------------------------------------


def test_a_clock_that_jumps_back_and_forth_reminds_once_and_loses_nothing(
    dated: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ahead, back before the game began, right again: no reminder twice, and nothing runs too early."""
    (dated.settings / "postmaster.yaml").write_text("ask: [forfeit, ruling]\n")
    before = _stages(dated)
    for days in (3, -400, 3, 0, 40, -1):
        _days(days, monkeypatch)
        _once(dated)
    assert len(_reminders(dated)) == 2 and _stages(dated) == before
    for data in dated.orders("north", "south"):
        dated.into_the_box(data)
    _days(-400, monkeypatch)
    _once(dated)
    assert _stages(dated)[0] > before[0], "complete orders wait for no clock"


def test_a_clock_that_jumps_while_it_runs_wakes_the_games_again(
    dated: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.cli.club import postmaster as module
    from pbem.cli.club.settings import PostmasterSettings

    roots = [seat.root for seat in dated.gms]
    with (
        click.Context(click.Command("pbem")),
        module.Postmaster(lambda: roots, "here", PostmasterSettings()) as one,
    ):
        for days in (0, -30, 3):
            _days(days, monkeypatch)
            assert one.round()
    assert len(_reminders(dated)) == 2
