"""Folders that were moved, filled up, locked or cut short: old or new, never half, and the next command says
what it found (product 6).

Moments inside one command are in test_kills.py; here whole commands run as processes of their own.
"""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.archive.adjudicating import gm_stage as stage
from pbem.archive.adjudicating import link_due
from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.amending import proposing
from pbem.archive.folder import layout
from pbem.archive.folder.changes import REDO
from pbem.archive.folder.game_folder import Folder
from pbem.archive.git.merging import merge
from pbem.archive.letters.acknowledging import acknowledge
from pbem.archive.letters.protesting import protest
from pbem.archive.letters.reminding import remind
from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.verify import verify
from pbem.cli.main import cli
from pbem.text.diagnostics import PbemError, Refused
from tests.adversary.conftest import Start
from tests.adversary.forge import bytes_of
from tests.adversary.play import Game
from tests.adversary.test_kills import Act, Bench, Killed, moments, stop_at
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, begun, chooser, statements_in
from tests.unit.archive.test_amendments import NEW_CHAIN, agreed

ROOT = Path(__file__).parents[2]
TEXTS = (
    ".json",
    ".sig",
    ".txt",
    ".yaml",
    ".pem",
    ".eml",
    ".lock",
    ".gitignore",
    ".gitattributes",
    "_signers",
)

# --- killed at every write of every command --------------------------------------------------------------


def _ack(game: Game) -> Act:
    gm = game.seat("gm")
    return lambda: acknowledge(gm.folder, gm.signer)


def _protest(game: Game) -> Act:
    gm = game.seat("gm")
    return lambda: protest(gm.folder, gm.signer, "this is not right")


def _remind(game: Game) -> Act:
    return lambda: remind(game.seat("gm").folder)


def _unseal(game: Game) -> Act:
    gm = game.seat("gm")
    return lambda: unseal(gm.folder, gm.signer, early=True)


def _merge(game: Game) -> Act:
    return lambda: merge(game.seat("gm").folder, game.seat("north").root)


def _propose(game: Game) -> Act:
    gm = game.seat("gm")
    op = {"op": "option", "name": "turns", "value": 1}
    return lambda: proposing.propose(gm.folder, [op], [gm.signer])


COMMANDS: dict[str, Callable[[Game], Act]] = {
    "ack": _ack, "propose": _propose, "protest": _protest,
    "remind": _remind, "unseal": _unseal, "merge": _merge,
}  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_all_or_nothing(start: Start, tmp_path: Path, name: str) -> None:
    """The folder is as before or as after, and a mail is there exactly if its statement is."""
    game = start(FOG)
    game.answer("north")
    if name == "merge":
        for path in (game.gm.root / "stages/0001").iterdir():
            path.unlink()
    bench = Bench(game.seat("gm"), tmp_path)

    def act() -> Act:
        bench.again()
        return COMMANDS[name](game)

    tried = list(moments(act, "replace"))
    new = bytes_of(bench.seat.root)
    assert new != bench.old and len(tried) > 1
    for number in tried:
        run = act()
        with stop_at("replace", number, Killed), pytest.raises(Killed):
            run()
        folder, found = bench.after()
        names = {file for file in found if not file.startswith("private/")}
        assert names in ({n for n in bench.old if not n.startswith("private/")},
                         {n for n in new if not n.startswith("private/")}), (name, number)  # fmt: skip
        assert folder.stage == 0
        assert not verify(bench.seat.root).of("false")


def public_names(found: Iterable[str]) -> list[str]:
    """The files outside `private/`; ids of statements differ from run to run where something is sealed."""
    return sorted(re.sub("[0-9a-f]{64}", "*", name) for name in found if not name.startswith("private/"))


def whole_or_not(seat: Seat, scratch: Path, run: Callable[[], object], call: str = "replace") -> None:
    """Killed at every moment of a command that the folder is left as before or as after."""
    bench = Bench(seat, scratch)

    def act() -> Act:
        bench.again()
        return run

    tried = list(moments(act, call))
    new, old = public_names(bytes_of(seat.root)), public_names(bench.old)
    assert new != old
    for number in tried:
        act()
        with stop_at(call, number, Killed), pytest.raises(Killed):
            run()
        _, found = bench.after()
        assert public_names(found) in (old, new), number
        assert not verify(seat.root).of("false")
    bench.again()
    run()


@pytest.mark.parametrize("dice", ["locked", "pair"])
def test_locks_links_and_last_words_are_all_or_nothing(tmp_path: Path, dice: str) -> None:
    table = begun(tmp_path / "game", SYSTEM, dice=dice)
    gm, players = table.gm, table.players
    for name in ("lock", "order", "link"):
        (tmp_path / name).mkdir()
    if dice == "locked":
        for seat in table.asked():
            seat.answer_all(chooser(1))
        table.post()
        whole_or_not(gm, tmp_path / "lock", lambda: stage.adjudicate(gm.folder, gm.signer))
    else:
        (first,) = [seat for seat in table.everybody if seat.name in seat.folder.progress.asked][:1]
        whole_or_not(first, tmp_path / "order", lambda: first.answer_all(chooser(1)))
    table.post()
    owing = next(seat for seat in players.values() if link_due.link_due(seat.folder))
    whole_or_not(owing, tmp_path / "link", lambda: link_due.give_link(owing.folder, owing.signer))


def test_a_stage_that_an_amendment_closes_is_closed_or_not(start: Start, tmp_path: Path) -> None:
    game = start(FOG)
    agreed(game.table, game.seat("gm"), {"op": "chain", "party": "north", "anchor": NEW_CHAIN})
    whole_or_not(game.seat("gm"), tmp_path, lambda: game.adjudicate())
    assert game.seat("gm").folder.record(1).closed


def test_the_next_command_says_what_it_found(start: Start) -> None:
    game = start(FOG)
    game.answer()
    with stop_at("replace", 3, Killed), pytest.raises(Killed):
        game.adjudicate()
    root = str(game.gm.root)
    said = CliRunner().invoke(cli, ["-C", root, "status"])
    assert said.exit_code == 0 and "an earlier command here was cut short" in said.stderr
    assert "now:" in said.stdout
    assert CliRunner().invoke(cli, ["-C", root, "status"]).stderr == ""
    assert game.seat("gm").folder.stage == 1


# --- real processes --------------------------------------------------------------------------------------

SCRIPT = """
import sys
from pbem.engine import system as systems
from tests.primer import FOG, SYSTEM
known, usual = {one.name: one for one in (SYSTEM, FOG)}, systems.find
systems.find = lambda name: known.get(name) or usual(name)
from pathlib import Path
from pbem.archive.adjudicating import gm_stage as stage
from tests.unit.archive.table import Seat
seat = Seat(Path(sys.argv[1]), "gm")
print("begin", flush=True)
try:
    print(stage.adjudicate(seat.folder, seat.signer).done)
except Exception as fault:
    print(type(fault).__name__, fault)
    sys.exit(1)
"""


def _begin(root: Path, limit: int | None = None) -> subprocess.Popen[bytes]:
    def limited() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", SCRIPT, str(root)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                            preexec_fn=limited)  # fmt: skip


def _killed_again_and_again(game: Game, tmp_path: Path, times: int) -> None:
    """SIGKILL at a random moment after the command has begun."""
    game.answer()
    bench = Bench(game.seat("gm"), tmp_path)
    rng, outcomes = random.Random(5), set()
    for _ in range(times):
        bench.again()
        process = _begin(bench.seat.root)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.random() * 0.08)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        folder, found = bench.after()
        outcomes.add(folder.stage)
        if folder.stage == 0:
            assert found == bench.old
            assert game.adjudicate().done
        assert not verify(bench.seat.root).of("false")
        assert Folder.open(bench.seat.root).stage == 1
    assert outcomes <= {0, 1}


def test_killed_at_a_random_moment(start: Start, tmp_path: Path) -> None:
    _killed_again_and_again(start(FOG), tmp_path, 2)


@pytest.mark.long
def test_killed_at_many_random_moments(start: Start, tmp_path: Path) -> None:
    _killed_again_and_again(start(FOG), tmp_path, 60)


@pytest.mark.parametrize("limit", [0, 700, 4000])
def test_a_disk_that_takes_no_more_bytes(start: Start, tmp_path: Path, limit: int) -> None:
    """The kernel itself refuses to write on: files of this process may not grow beyond the limit."""
    game = start(FOG)
    game.answer()
    bench = Bench(game.seat("gm"), tmp_path)
    process = _begin(bench.seat.root, limit)
    out, err = (data.decode() for data in process.communicate())
    assert process.returncode == 1 and "NotWritten" in out and "file too large" in out, (out, err)
    folder, found = bench.after()
    assert folder.stage == 0 and found == bench.old
    assert game.adjudicate().done


# --- folders one may only read ---------------------------------------------------------------------------


class ReadOnly(OSError):
    def __init__(self) -> None:
        super().__init__(30, "Read-only file system")


@pytest.fixture
def sealed_off(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing can be created, changed or removed, whoever one is."""
    real = os.open

    def opening(path: str, flags: int, *args: int, **more: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise ReadOnly
        return real(path, flags, *args, **more)

    def refused(*args: object, **options: object) -> None:
        raise ReadOnly

    monkeypatch.setattr(os, "open", opening)
    for name in ("mkdir", "replace", "unlink", "rename"):
        monkeypatch.setattr(os, name, refused)
    yield


def test_a_folder_that_may_only_be_read(
    start: Start, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    game = start(FOG)
    game.answer("north")
    order = game.south.order()
    before = bytes_of(game.gm.root)
    request.getfixturevalue("sealed_off")
    folder = game.seat("gm").folder
    assert folder.view().stage == 0 and folder.progress.open_stage == 1
    assert verify(game.gm.root).ok
    for act in (lambda: receive(folder, [order]), lambda: game.adjudicate(), lambda: remind(folder)):
        with pytest.raises((OSError, PbemError), match="ead-only file system"):
            act()
    monkeypatch.undo()
    assert bytes_of(game.gm.root) == before


# --- another operating system ----------------------------------------------------------------------------


def to_crlf(root: Path) -> None:
    """Every text file, as a tool that means well converts it."""
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.name.endswith(TEXTS):
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


def test_files_with_other_line_ends_verify_and_play_on(game: Game) -> None:
    game.play(1)
    for seat in game.table.everybody:
        to_crlf(seat.root)
        assert not verify(seat.root).of("false")
    game.play(1)
    for seat in game.table.everybody:
        to_crlf(seat.root)
        assert not verify(seat.root).of("false")
        assert seat.folder.stage == 2


def test_mails_with_other_line_ends_are_taken(game: Game) -> None:
    game.answer()
    game.adjudicate()
    for mail in game.table.gm.mails():
        mail.write_bytes(mail.read_bytes().replace(b"\n", b"\r\n"))
        assert all(option.good for option in game.give("north", *statements_in(mail)))
    assert game.seat("north").folder.stage == 1


def test_names_stay_apart_where_case_does_not_count(over: Game) -> None:
    for seat in over.table.everybody:
        names = [path.relative_to(seat.root).as_posix() for path in seat.root.rglob("*")]
        assert len({name.casefold() for name in names}) == len(names)
        assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_./") for name in names), names


# --- archives that are too much --------------------------------------------------------------------------


def test_a_folder_with_endless_entries_is_not_read_to_its_end(
    fog: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "MOST_ENTRIES", 50)
    stage = fog.gm.root / "stages/0000"
    for number in range(60):
        (stage / f"junk-{number}").touch()
    with pytest.raises(Refused, match="more than 50 entries"):
        verify(fog.gm.root)


def test_a_derived_file_far_longer_than_what_it_should_hold_is_not_parsed(fog: Game) -> None:
    fog.play(1)
    (fog.gm.root / "stages/0001/events.json").write_text("[" + "{}," * 2_000_000 + "{}]")
    (finding,) = verify(fog.gm.root).of("false")
    assert finding.code == "derived" and "events.json differs from the signed report" in finding.text


def test_a_second_process_meets_the_lock_of_the_first(start: Start, tmp_path: Path) -> None:
    from pbem.archive.folder import one_command

    game = start(SYSTEM)
    game.answer()
    with one_command.hold(game.gm.root):
        process = _begin(game.gm.root)
        out, _ = process.communicate()
    assert process.returncode == 1 and b"another pbem command is running" in out
    assert not (game.gm.root / REDO).exists() and game.seat("gm").folder.stage == 0
    assert game.adjudicate().done
