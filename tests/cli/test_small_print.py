"""Small print of mail, postmaster and letters that no game by mail comes to."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace as Like
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.cli.club.postmaster import Game, Postmaster
from pbem.cli.commands.receive import AGAIN
from pbem.cli.games import press
from pbem.cli.main import cli
from pbem.cli.post import fetching, intake
from pbem.mail.read import Reading
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.trust.armour import Signed
from tests.primer import SYSTEM
from tests.unit.archive.table import begun


def test_an_email_is_marked_only_if_a_party_signed_what_is_in_it() -> None:
    """Receipts for what waited come after those for what was read."""
    reading = Reading()
    for data in (b"ours", b"strange"):
        reading.add("a mail", Signed(data, ()))
    outcomes: list[Any] = [Like(outcome=one) for one in ("refused", "unsigned", "taken")]
    assert fetching.counted(reading, outcomes) == {b"ours"}


def test_a_mailbox_with_new_numbers_is_read_from_its_beginning() -> None:
    noted = {"validity": 7, "last": 40, "failed": {"3": 1, "4": fetching.MOST_TRIES}}
    book: Any = Like(how_far=lambda name: noted)

    def far(validity: int, everything: bool = False) -> fetching._HowFar:
        box: Any = Like(name="INBOX", validity=validity)
        return fetching._HowFar.read(book, box, everything)

    assert (far(7).last, far(7).again(), far(7).told) == (40, [3], {4})
    assert far(8) == far(7, everything=True) == fetching._HowFar()


def test_a_mailbox_is_read_on_behind_the_highest_number_and_an_email_that_came_at_last_is_forgotten() -> None:
    seen = fetching._HowFar(9, {4: 2, 5: 1})
    seen.fetched([5, 4], [4])
    assert (seen.last, seen.failed, seen.given_up()) == (9, {4: fetching.MOST_TRIES}, [4])
    seen.told.add(4)
    assert seen.given_up() == seen.again() == []


def test_what_a_full_disk_kept_from_the_gm_is_told_later() -> None:
    said: list[str] = []
    room = [False, True]

    def put(*_: object) -> bool:
        if not room.pop(0):
            raise OSError("no space left on device")
        return True

    postmaster = object.__new__(Postmaster)
    postmaster._told, postmaster.games = set(), {}
    postmaster.notices = Like(put=put)  # type: ignore[assignment]
    postmaster.journal = Like(say=lambda text, name: said.append(str(text)))  # type: ignore[assignment]
    for _ in range(3):
        postmaster._ask(Path("/games/one"), Game(), "the deadline is over")
    assert len(said) == 2 and "no space" in said[0] and "the deadline is over" in said[1]


def test_a_filter_of_a_mail_system_tries_again_only_while_another_command_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begun(tmp_path, SYSTEM)
    letter = tmp_path / "letter.eml"
    letter.write_text("From: a@b\n\nlunch?\n")
    for code, wanted in (("folder-busy", AGAIN), ("damaged-file", 1)):

        def refuses(*_: object, code: str = code, **__: object) -> None:
            raise Refused(Diagnostic(code, "not now"))

        monkeypatch.setattr(intake, "take_in", refuses)
        ran = CliRunner().invoke(cli, ["-C", str(table.gm.root), "receive", "--filter", str(letter)])
        assert ran.exit_code == wanted, ran.output


def test_conversations_with_unread_letters_come_first_then_the_newest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pbem.archive import letters_kept

    def letter(who: str, order: int, read: bool) -> Any:
        inner = Like(n=order, grey=None)
        return Like(statement=Like(sender=who, stage=1, letter=inner), to=("me",), order=order, read=read)

    kept = [letter("old", 1, True), letter("new", 5, True), letter("unread", 2, False)]
    monkeypatch.setattr(letters_kept, "letters", lambda folder: kept)
    folder: Any = Like(me="me")
    assert [one.who for one in press.conversations(folder)] == [("unread",), ("new",), ("old",)]
