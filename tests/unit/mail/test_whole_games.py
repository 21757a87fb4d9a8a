"""All mails of a game through the hands of mail programs, lists and gateways, and then received: nothing is
lost, nothing that nobody signed is taken, and nobody is warned without a cause."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import Folder, follow_up, receive
from pbem.archive.verifying.verify import verify
from pbem.cli.games.table import Table
from pbem.cli.games.telling import in_other_languages, renderer
from pbem.engine import system as systems
from pbem.mail.read import Reading, read
from tests import luck
from tests.nightly import IN_CI
from tests.unit.mail.programs import LOSING, WHOLE, parsed

AWAY = "away"
"""A folder that nobody has looked into since the roster was signed."""


def _played(root: Path, name: str, stages: int) -> Table:
    """The beginning of a game of a system, and the folder of its last player as it was when it began."""
    system = systems.find(name)
    scenario = system.scenarios()[0]
    table = Table(root, system, scenario)
    table.sit_down("The Sarn Strait: Züge")
    shutil.copytree(table.players[-1].root, root / AWAY)
    for seat in table.players:
        seat.standing = system.standing_well(seat.id)
    for _ in range(stages):
        table.play_stage()
    return table


ALL = ("victory", "wbts", "ocs", "totaler-krieg", "wif")
FEW, MANY = 1, 5
"""Stages of a game: with one there are orders, and reports of both sorts, packed and not."""
GAMES = [
    ("victory", FEW),
    pytest.param(("victory", MANY), marks=IN_CI),
    *(pytest.param((one, MANY), marks=pytest.mark.long) for one in ALL[1:]),
]


@pytest.fixture(scope="module", params=GAMES, ids=str)
def table(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Do not change it: copy what is received into."""
    name, stages = request.param
    with luck.drawn_for(f"mails of {name}"):
        yield _played(tmp_path_factory.mktemp(name), name, stages)


def _mails(table: Table) -> list[Path]:
    return sorted((table.root / "mails").glob("*.eml"))


def _of_the_game(table: Table) -> list[Path]:
    """Without those from before it."""
    return [path for path in _mails(table) if "-stage-" in path.name]


def _one_of_each(table: Table) -> list[Path]:
    """Of a short game a mail of each sort, of a longer one all."""
    if len(_mails(table)) > 14:
        return _mails(table)
    return list({path.stem.rstrip("0123456789")[-7:]: path for path in _mails(table)}.values())


@pytest.mark.parametrize("way", WHOLE)
def test_whatever_a_program_makes_of_a_mail_everything_in_it_is_found(table: Table, way: str) -> None:
    for path in _one_of_each(table):
        data = path.read_bytes()
        wanted = set(read(data).signed)
        found = read(WHOLE[way](data), way)
        assert wanted and set(found.signed) == wanted, path.name
        assert not [note for note in found.notes if note.kind == "damaged"], path.name


@pytest.mark.parametrize("way", LOSING)
def test_what_is_dropped_on_the_way_is_not_taken_for_something_else(table: Table, way: str) -> None:
    for path in _one_of_each(table):
        data = path.read_bytes()
        found = read(LOSING[way](data), way)
        assert set(found.signed) <= set(read(data).signed), path.name
        assert found.signed or found.notes, f"{path.name}: nothing found, and nothing said"


def test_what_was_changed_in_a_packed_mail_is_not_taken(table: Table) -> None:
    """A word of one statement in it: the others count."""
    for path in _of_the_game(table):
        message = parsed(path.read_bytes())
        for part in message.walk():
            if part.get_content_type() != "application/gzip":
                continue
            lines = gzip.decompress(part.get_content()).split(b"\n")
            at = lines.index(b"-----BEGIN PBEM STATEMENT-----") + 1
            lines[at] = lines[at].swapcase()
            found = read(gzip.compress(b"\n".join(lines)))
            assert len(found.signed) == len(read(path.read_bytes()).signed) - 1, path.name
            assert [note for note in found.notes if note.kind == "damaged"], path.name


def _taken(root: Path, data: bytes, name: str) -> Reading:
    """A mail taken into a folder as commands do; nobody is warned of texts that nobody changed."""
    folder = Folder.open(root)
    reading = read(data, name)
    receipts = receive(folder, reading.signed, render=renderer())
    assert all(one.good for one in receipts), [(name, one.words, one.reason) for one in receipts]
    done = follow_up(folder, reading, receipts, "2026-11-23 04:00:00", others=in_other_languages(folder))
    assert not done.warnings, (name, done.warnings)
    return reading


def test_a_player_who_gets_every_mail_through_another_program_has_the_same_game(
    table: Table, tmp_path: Path
) -> None:
    """Each of the ways has its turn, several times over, so that each meets orders and reports."""
    ways = list(WHOLE)
    for turn in range(3 if table.mails > 14 else 1):
        root = tmp_path / f"{turn}"
        shutil.copytree(table.root / AWAY, root)
        for number, path in enumerate(_of_the_game(table)):
            way = ways[(turn * 11 + number) % len(ways)]
            _taken(root, WHOLE[way](path.read_bytes()), f"{path.name}, {way}")
        assert Folder.open(root).progress.head == table.gm.folder.progress.head
        assert verify(root).ok
