"""The last head stands in every letter, and is compared by itself when mail comes in: nobody need telephone
to learn that he lacks a report or was told another story (protocol 5.3, 12.3).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.archive.letters import last_head
from pbem.archive.letters.acknowledging import acknowledge
from pbem.archive.letters.reminding import remind
from tests.adversary.play import Game
from tests.unit.archive.table import Seat, chooser


def told(reader: Seat, *mails: Path) -> str:
    """What `pbem receive` says beside the receipts."""
    from pbem.cli.main import cli

    return CliRunner().invoke(cli, ["-C", str(reader.root), "receive", *map(str, mails)]).stderr


def letters(seat: Seat) -> list[Path]:
    return sorted((seat.root / "outbox").glob("stage-*.pbem.txt"))


def heads(mail: Path) -> set[tuple[int, str]]:
    return last_head.said([mail.read_text("utf-8")])


def test_every_letter_of_a_game_names_the_last_head_its_sender_knows(game: Game) -> None:
    game.play(1)
    for seat in game.table.asked():
        seat.answer_all(chooser(1))
    gm = game.seat("gm")
    game.table.post()
    acknowledge(gm.folder, gm.signer)
    head = {stage: gm.folder.head(stage) for stage in (0, 1)}
    seen = set()
    for seat in game.table.everybody:
        for mail in letters(seat):
            stage = int(mail.name.split("-")[1])
            own = "report" in mail.name
            wanted = stage if own else stage - 1
            assert heads(mail) == {(wanted, head[wanted])}, mail.name
            seen.add(mail.name.split("-")[3].split(".")[0])
    assert seen >= {"report", "orders", "ack"}


def test_a_reminder_names_the_newest(game: Game) -> None:
    game.play(1)
    (mail, *_) = [path for path in remind(game.seat("gm").folder) if path.name.endswith(".pbem.txt")]
    assert heads(mail) == {(1, game.seat("gm").folder.head(1))}


def test_genuine_mail_warns_nobody(game: Game) -> None:
    game.answer()
    game.adjudicate()
    for mail in game.table.gm.mails():
        for name in ("north", "south"):
            assert "head" not in told(game.seat(name), mail)


def test_another_head_in_a_letter_is_told_at_once(game: Game) -> None:
    """Whoever was told another story has other heads in his letters."""
    game.play(1)
    for seat in game.table.asked():
        seat.answer_all(chooser(1))
    sender = game.table.asked()[0]
    mail = next(path for path in letters(sender) if "stage-0002" in path.name)
    text = mail.read_text("utf-8")
    mail.write_text(text.replace(sender.folder.head(1), "ab" * 32))
    said = told(game.seat("gm"), mail)
    assert "stage 1 ended with the head abababababababab..." in said and "a different history" in said


@pytest.mark.parametrize("quote", ["", "> ", "> > ", "| "])
def test_a_letter_from_ahead_says_that_a_report_is_missing(game: Game, quote: str) -> None:
    game.answer()
    north = game.seat("north")
    order = next(path for path in letters(north) if "stage-0001" in path.name)
    head = "cd" * 32
    lines = "\n".join(f"{quote}{line}" for line in last_head.lines(4, head))
    order.write_text(f"{lines}\n\n{order.read_text('utf-8')}")
    said = told(game.seat("gm"), order)
    assert "the sender has the report of stage 4, and the newest stage here is stage 0" in said
