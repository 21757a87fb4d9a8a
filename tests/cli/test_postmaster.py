"""`pbem postmaster`: runs what is complete, sends, keeps deadlines, and stops for nobody's trouble."""

from __future__ import annotations

import click

from tests.cli.play import pbem
from tests.cli.test_club import Club, club, six

__all__ = ["club", "six"]


def _once(club: Club, code: int = 0) -> str:
    said = pbem("postmaster", "--in", club.games, "--once", code=code)
    return said.out + said.err


def _journal(club: Club) -> str:
    (place,) = (club.root / "data" / "pbem").glob("postmaster-*")
    return (place / "journal.log").read_text()


def _stages(club: Club) -> list[int]:
    return [table.gm.status["stage"] for table in club.tables]


def test_it_runs_each_complete_stage_and_sends_its_report(club: Club) -> None:
    _once(club)
    for path in club.out.iterdir():
        path.unlink()
    for data in club.orders("north", "south"):
        club.into_the_box(data)
    page = _once(club)
    assert _stages(club) == [1] * 6
    assert sum("stage-0001-gm-report" in path.name for path in club.out.iterdir()) == 6
    assert page.count("waits for north") == 6
    assert _journal(club).count("ran stage 1: all orders were here") == 6
    for path in club.out.iterdir():
        club.into_the_box(path.read_bytes())  # to everybody, so to the GM as well
    before = sorted(club.out.iterdir())
    _once(club)
    assert sorted(club.out.iterdir()) == before and _stages(club) == [1] * 6


def test_a_broken_game_stops_alone_and_its_gm_gets_one_email(club: Club) -> None:
    _once(club)
    for data in club.orders("north", "south"):
        club.into_the_box(data)
    for path in club.out.iterdir():
        path.unlink()
    record = club.gms[3].root / "stages" / "0000" / "record.json"
    whole = record.read_bytes()
    record.write_bytes(b"{")
    assert "games/game-4" not in _once(club, code=1)
    notices = [path for path in club.out.iterdir() if path.name.startswith("notice-")]
    assert len(notices) == 1 and b"gm@example.org" in notices[0].read_bytes()
    assert "game-4: stopped" in pbem("postmaster", "--in", club.games, "--state").out
    _once(club, code=1)
    assert len([path for path in club.out.iterdir() if path.name.startswith("notice-")]) == 1
    record.write_bytes(whole)
    _once(club)
    assert _stages(club) == [1] * 6


def test_two_postmasters_on_one_mailbox(club: Club) -> None:
    from pbem.cli.club.postmaster import Postmaster
    from pbem.cli.club.settings import PostmasterSettings

    with Postmaster(lambda: [club.gms[0].root], "elsewhere", PostmasterSettings()):
        said = _once(club, code=1)
        assert "another postmaster is working here" in said
        assert "is reading this mailbox" in pbem("mail", "in", "--in", club.games, code=1).out
    _once(club)


def test_settings_with_faults_are_refused(club: Club) -> None:
    (club.settings / "postmaster.yaml").write_text("ask: [everything]\nevry: 3\n")
    said = _once(club, code=1)
    assert "`ask` is a list of forfeit, ruling" in said and "no setting evry" in said


def test_a_quiet_round_opens_no_game(club: Club) -> None:
    from pbem.cli.club import postmaster as module
    from pbem.cli.club.settings import PostmasterSettings

    roots = [seat.root for seat in club.gms]
    with (
        click.Context(click.Command("pbem")),
        module.Postmaster(lambda: roots, str(club.games), PostmasterSettings()) as one,
    ):
        for _ in range(3):
            assert one.round()
        quiet = one.served
        one.round()
        assert one.served == quiet
        for data in club.orders("north")[:1]:
            club.into_the_box(data)
        one.round()
        assert one.served == quiet + 1
