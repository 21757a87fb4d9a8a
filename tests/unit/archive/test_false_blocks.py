"""What others write stands beside the armour of a mail: it opens no block of its own there (protocol 6.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.archive.amending import proposing
from pbem.archive.letters.protesting import protest
from pbem.cli.games.telling import renderer
from pbem.engine.system import System
from pbem.mail.read import Reading, read
from pbem.trust import armour
from tests.unit.archive.table import Seat, Table, begun, chooser, signer_of

LONE = signer_of("nobody here").sign(b"something else")
"""A good signature of a stranger's, over something that is not in the mail."""


def block(begin: str = "BEGIN", dash: str = "-----") -> str:
    """A false armour whose words and dashes are written in some way."""
    end = begin.replace("BEGIN", "END").replace("EGIN", "ND").replace("&#66;", "&#69;")
    signature = LONE.replace("-----", dash).replace("BEGIN", begin).replace("END", end)
    return f"{dash}{begin} PBEM STATEMENT{dash}\nAAAA\n{dash}{end} PBEM STATEMENT{dash}\n{signature}"


ATTACKS = {
    "as it is": block(),
    "behind quote marks": "\n".join(f"> | {line}" for line in block().split("\n")),
    "with invisible letters": block("BE\u200bGIN"),
    "with fillers": block("BE\u3164GIN"),
    "with entities": block("&#66;EGIN"),
    "in quoted-printable": block("=42EGIN"),
    "in tags": f"<p>{block('BE<b></b>GIN')}</p>",
    "with long dashes": block(dash="\u2014"),
    "with dashes apart": block(dash="-\u200b-"),
    "open at its end": "AAAA\n-----BEGIN PBEM STATEMENT",
    "open, with invisible letters": "AAAA\n-----BE\u200bGIN PBEM STATEMENT",
    "flowed": block("BEGIN \n"),
}
MANY = 70
"""More blocks than a reader takes from one text."""


@pytest.fixture
def table(tmp_path: Path, system: System) -> Table:
    made = begun(tmp_path, system, by=(3,))
    for seat in made.everybody:
        seat.renderer = renderer
    made.post()
    return made


def whole(seat: Seat, before: set[Path]) -> list[Reading]:
    """Every new mail of a seat as it comes out of the mail room, with all that was put into it."""
    found = []
    for file in sorted(
        {*(seat.root / "outbox").rglob("*.eml"), *(seat.root / "outbox").glob("*.pbem.txt")} - before
    ):
        reading = read(file.read_bytes(), file.name)
        assert reading.signed, f"{file.name}: nothing was found"
        assert not reading.notes, (file.name, reading.notes)
        found.append(reading)
    assert found
    return found


def sent(seat: Seat) -> set[Path]:
    return {*(seat.root / "outbox").rglob("*.eml"), *(seat.root / "outbox").glob("*.pbem.txt")}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_protest_opens_no_block(table: Table, attack: str) -> None:
    north = table.players["north"]
    before = sent(north)
    protest(north.folder, north.signer, "\n".join([ATTACKS[attack]] * MANY))
    for reading in whole(north, before):
        assert len(reading.signed) == 1 and b'"type":"protest"' in reading.signed[0].data


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_ruling_opens_no_block_in_its_own_mail_nor_in_later_reports(table: Table, attack: str) -> None:
    gm, before = table.gm, sent(table.gm)
    unit = next(iter(gm.folder.state().position.counters))
    reason = "\n".join([ATTACKS[attack]] * MANY)
    changes: list[Any] = [{"set": unit, "fields": {"steps": 2}}]
    proposing.rule(gm.folder, changes, reason, gm.signer)
    assert all(b'"type":"amend"' in one.signed[0].data for one in whole(gm, before))
    table.post()
    before = sent(gm)
    for seat in table.asked():
        seat.answer_all(chooser(1))
    table.post()
    assert table.run(by=one_line(attack)).done
    for reading in whole(gm, before):
        assert sum(b'"type":"report"' in signed.data for signed in reading.signed) == 1


def one_line(attack: str) -> str:
    return " ".join(ATTACKS[attack].split())[:400]


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_name_opens_no_block(table: Table, attack: str) -> None:
    north = table.players["north"]
    before = sent(north)
    op = {"op": "key", "party": "north", "name": one_line(attack), "mail": "north@example.org"}
    proposing.propose(north.folder, [op], [north.signer])
    whole(north, before)
    table.post()
    before = sent(table.gm)
    table.play_stage(chooser(1))
    table.play_stage(chooser(1))
    for reading in whole(table.gm, before):
        assert sum(b'"type":"report"' in signed.data for signed in reading.signed) == 1


def test_what_is_harmless_stays_as_it_was_written() -> None:
    for text in (
        "a -- b",
        "| 12.05 ---- 13.05 |",
        "<b>&amp;</b> = 3",
        "BEGIN of it",
        "der Beginn – so – hier",
    ):
        assert armour.defused(text) == text and not armour.opens(text)


def test_runs_of_dashes_are_one() -> None:
    assert armour.single_dashes("-- \u2014 \u2013\u2013 - \u2500\u2500\u2500") == "- - - - -"
