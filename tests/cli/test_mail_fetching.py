"""`pbem mail in` from servers that misbehave: one bad mail hides no other and is given up; the first fetch
begins where the game began; tokens in place of passwords."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.cli.post.fetching import read_to, stamp_of
from tests.cli.play import Seat, Table, tree
from tests.nightly import IN_CI, in_ci
from tests.unit.mail.damage import mail
from tests.unit.mail.imap_server import Box, imap_server

pytest.importorskip("imap_tools")
# the library leaves the socket of a broken line to the collector
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def _order(table: Table, name: str = "north") -> bytes:
    seat = table.players[name]
    seat.mails()
    table.answer(seat)
    (eml,) = seat.mails()
    return eml.read_bytes()


def _fetch(seat: Seat, port: int, tmp_path: Path, *, more: str = "", code: int = 0, flags: str = "") -> str:
    own = tmp_path / "own.yaml"
    login = (
        more if "token" in more or "password" in more else f"{more}, password: {{variable: PBEM_TEST_MAIL}}"
    )
    own.write_text(f"in: {{way: imap, server: 127.0.0.1, port: {port}, security: none, user: gm{login}}}\n")
    words = ["mail", "in", "--settings", own, *flags.split()]
    said = seat.pbem(*words, code=code, PBEM_TEST_MAIL="demopass", PBEM_TEST_TOKEN="ya29.secret")
    return said.out + said.err


def test_of_a_box_that_only_grew_the_new_end_is_read_and_all_of_one_that_was_written_anew(
    tmp_path: Path,
) -> None:
    box, first, second = tmp_path / "box", b"From ann\n\none\n\n", b"From bob\n\ntwo\n\n"
    box.write_bytes(first)
    seen = stamp_of(box)
    assert seen is not None and read_to(box, seen) == 0, "nothing new"
    box.write_bytes(first + second)
    assert read_to(box, seen) == len(first)
    box.write_bytes(second + first)
    assert read_to(box, seen) == 0


@pytest.mark.parametrize("how", ["refused", pytest.param("deadly", marks=IN_CI)])
def test_a_mail_that_cannot_be_had_hides_no_other_and_is_given_up_after_three_runs(
    table: Table, tmp_path: Path, how: str
) -> None:
    box = Box({1: mail(b"lunch?"), 2: mail(b"poison"), 3: _order(table)})
    getattr(box, how).add(2)
    with imap_server(box) as port:
        runs = [_fetch(table.gm, port, tmp_path) for _ in range(5)]
    assert "accepted     order of north for stage 1" in runs[0]
    assert "given" not in runs[0] and "mail 2" in runs[0]
    assert "could not be fetched in 3 attempts" in runs[2]
    assert "mail 2 in" not in runs[3] + runs[4]
    tries = sum("FETCH 2 (BODY" in asked for asked in box.asked)
    assert tries == 3


def test_a_mail_that_can_be_had_the_second_time_is_taken(table: Table, tmp_path: Path) -> None:
    box = Box({1: mail(b"lunch?"), 2: _order(table), 3: mail(b"dinner?")}, refused={2})
    with imap_server(box) as port:
        first = _fetch(table.gm, port, tmp_path)
        box.refused.clear()
        second = _fetch(table.gm, port, tmp_path)
        third = _fetch(table.gm, port, tmp_path)
    assert "accepted" not in first
    assert "accepted     order of north" in second
    assert "0 new messages" in third


@in_ci
def test_given_up_mail_is_tried_again_when_everything_is_asked_for(table: Table, tmp_path: Path) -> None:
    box = Box({1: _order(table)}, refused={1})
    with imap_server(box) as port:
        for _ in range(4):
            _fetch(table.gm, port, tmp_path)
        box.refused.clear()
        assert "0 new messages" in _fetch(table.gm, port, tmp_path)
        assert "accepted" in _fetch(table.gm, port, tmp_path, flags="--all")


def test_a_line_that_breaks_while_everything_is_read_forgets_no_mail_that_failed(
    table: Table, tmp_path: Path
) -> None:
    box = Box({1: _order(table), 2: mail(b"poison"), 3: mail(b"lunch?")}, refused={1}, deadly={2})
    with imap_server(box) as port:
        _fetch(table.gm, port, tmp_path, flags="--all")
        _fetch(table.gm, port, tmp_path, flags="--all")
        box.deadly.clear()
        box.refused.clear()
        assert "accepted     order of north" in _fetch(table.gm, port, tmp_path)


def test_a_line_that_breaks_at_every_mail_ends_the_run(table: Table, tmp_path: Path) -> None:
    box = Box({uid: mail(b"x") for uid in range(1, 30)}, deadly=set(range(1, 30)))
    with imap_server(box) as port:
        said = _fetch(table.gm, port, tmp_path, code=1)
    assert "broke" in said
    assert sum("BODY" in asked for asked in box.asked) == 6


def test_the_first_fetch_asks_the_server_for_mail_since_the_game_began_here(
    table: Table, tmp_path: Path
) -> None:
    day = datetime.now(UTC).date() - timedelta(days=2)
    box = Box({1: mail(b"old"), 2: _order(table)}, days={1: "1-Jan-2001"})
    with imap_server(box) as port:
        said = _fetch(table.gm, port, tmp_path)
        again = _fetch(table.gm, port, tmp_path)
        everything = _fetch(table.gm, port, tmp_path, flags="--all")
    assert f"emails since {day}" in said and "accepted" in said
    searches = [asked for asked in box.asked if "SEARCH" in asked]
    assert f"SINCE {day.day}-" in searches[0]
    assert not any("SINCE" in asked for asked in searches[1:])
    assert not any("FETCH 1" in asked for asked in box.asked[: box.asked.index(searches[1])])
    assert "since" not in again + everything


def test_the_settings_say_since_when(table: Table, tmp_path: Path) -> None:
    box = Box({1: mail(b"x")})
    with imap_server(box) as port:
        assert "emails since 2026-03-07" in _fetch(table.gm, port, tmp_path, more=", since: 2026-03-07")
    assert any("SINCE 7-Mar-2026" in asked for asked in box.asked)


@pytest.mark.parametrize("offered", [("XOAUTH2",), ("OAUTHBEARER",), ("XOAUTH2", "OAUTHBEARER")])
def test_a_token_in_place_of_a_password(table: Table, tmp_path: Path, offered: tuple[str, ...]) -> None:
    box = Box({1: _order(table)}, mechanisms=offered, token="ya29.secret")
    with imap_server(box) as port:
        said = _fetch(table.gm, port, tmp_path, more=", token: {variable: PBEM_TEST_TOKEN}")
    assert "accepted" in said
    assert box.logins[0].startswith(
        "OAUTHBEARER n,a=gm," if "OAUTHBEARER" in offered else "XOAUTH2 user=gm\x01"
    )


def test_a_token_that_is_refused_says_what_to_do_and_is_not_quoted(table: Table, tmp_path: Path) -> None:
    box = Box({}, mechanisms=("XOAUTH2",), token="another")
    with imap_server(box) as port:
        said = _fetch(table.gm, port, tmp_path, more=", token: {variable: PBEM_TEST_TOKEN}", code=1)
    assert "invalid_token" in said and "new one" in said
    assert "ya29" not in said + str(tree(table.gm.root))


def test_a_server_that_takes_no_tokens_is_named(table: Table, tmp_path: Path) -> None:
    with imap_server(Box({})) as port:
        said = _fetch(table.gm, port, tmp_path, more=", token: {variable: PBEM_TEST_TOKEN}", code=1)
    assert "accepts no tokens" in said


def test_a_password_with_letters_outside_ascii(table: Table, tmp_path: Path) -> None:
    box = Box({1: _order(table)}, mechanisms=("PLAIN",), password="schlüssel")
    own = tmp_path / "own.yaml"
    with imap_server(box) as port:
        own.write_text(
            f"in: {{way: imap, server: 127.0.0.1, port: {port}, security: none, user: gm,"
            " password: {variable: PBEM_TEST_MAIL}}\n"
        )
        good = table.gm.pbem("mail", "in", "--settings", own, PBEM_TEST_MAIL="schlüssel")
        bad = table.gm.pbem("mail", "in", "--settings", own, code=1, PBEM_TEST_MAIL="größer")
    assert "accepted" in good.out
    assert "127.0.0.1 rejected the login of gm\n" in bad.err
    assert "größer" not in bad.out + bad.err and "gr" not in bad.err.partition("login")[2].partition("\n")[0]
