"""One piece of work on many folders: side by side, done again where a process died, never in the clear."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from pbem import __version__
from pbem.cli.shell import cluster
from pbem.cli.shell.cluster import need_safe, packed
from pbem.cli.shell.many import Done, do_all
from pbem.text.diagnostics import Refused
from tests.cli.play import pbem
from tests.unit.many import work


def test_results_come_in_the_order_of_the_tasks(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    tasks = [(tmp_path, number) for number in (5, 3, 4)]
    done = do_all(work.names, tasks, jobs=1, step=lambda *now: steps.append(now))
    assert [one.value for one in done] == [([], 10), ([], 6), ([], 8)]
    assert steps == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.long
def test_a_process_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    tasks = [(tmp_path, (number, str(tmp_path / "mark"))) for number in range(4)]
    done = do_all(work.kills, tasks, jobs=2)
    assert [(one.value, one.fault) for one in done] == [(0, ""), (1, ""), (2, ""), (3, "")]


@pytest.mark.long
def test_a_task_that_kills_every_process_has_the_fault_alone(tmp_path: Path) -> None:
    done = do_all(work.kills, [(tmp_path, (number, "")) for number in range(3)], jobs=2)
    assert [one.value for one in done] == [0, None, 2]
    assert [bool(one.fault) for one in done] == [False, True, False]


@pytest.mark.parametrize("address", ["tcp://club.example.org:8786", "ws://127.0.0.1:80", "club.example.org"])
def test_what_leaves_this_machine_is_encrypted(tmp_path: Path, address: str) -> None:
    with pytest.raises(Refused) as fault:
        do_all(work.names, [(tmp_path, 1)], cluster=address)
    assert fault.value.diagnostics[0].code == "no-tls" and "tls://HOST:PORT" in str(
        fault.value.diagnostics[0].help
    )


@pytest.mark.parametrize(
    "address", ["tls://club.example.org:8786", "tcp://127.0.0.1:8786", "tcp://localhost:1"]
)
def test_this_machine_needs_no_encryption(address: str) -> None:
    need_safe(address)


def test_without_the_library_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(Refused) as fault:
        do_all(work.names, [(tmp_path, 1)], cluster="tcp://127.0.0.1:1")
    assert fault.value.diagnostics[0].code == "no-dask"
    assert "pbem[cluster]" in str(fault.value.diagnostics[0].help)


def test_nothing_private_is_sent(tmp_path: Path) -> None:
    secret = ("private/secrets.json", "outbox/x.eml", ".git/config", "lent-south/private/signing-key")
    for name in ("roster.json", "stages/0001/a.json", *secret):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to("private/secrets.json")
    assert packed(tmp_path) == {name: name.encode() for name in ("roster.json", "stages/0001/a.json")}


def test_a_game_that_could_not_be_played_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pbem("scenario", "new", "victory", tmp_path / "river")
    monkeypatch.setattr("pbem.cli.shell.many.do_all", lambda *_: [Done(fault="KilledWorker: x")])
    said = pbem("scenario", "try", tmp_path / "river", "--games", "1", code=1)
    assert "error[worker-failed]" in said.err and "KilledWorker: x" in said.err


def test_a_worker_does_its_task_in_a_folder_of_its_own_and_says_who_it_is() -> None:
    """The folder has the name it has at home, and nothing but the files that came along."""
    files = {"roster.json": b"{}", "stages/0001/a.json": b"a"}
    places: list[Path] = []

    def looks(folder: Path, value: int) -> tuple[str, object]:
        places.append(folder)
        return folder.name, work.names(folder, value)

    for name, called in (("sarn", "sarn"), ("", "folder")):
        done = cluster._there(looks, name, files, 4, __version__)
        assert done == Done((called, (sorted(files), 8)), by=socket.gethostname())
    assert not any(place.exists() for place in places), "nothing is left there"
    with pytest.raises(RuntimeError, match=r"not 0\.0\.1"):
        cluster._there(looks, "sarn", files, 4, "0.0.1")


def test_a_machine_is_named_unless_it_is_this_one_and_a_fault_has_its_kind() -> None:
    here = socket.gethostname()
    assert cluster._done(Done(5, by=here)) == Done(5)
    assert cluster._done(Done(5, by="elsewhere")) == Done(5, by="elsewhere")
    for outcome in (ValueError("x" * 300), (ValueError, ValueError("x" * 300), None)):
        assert cluster._done(outcome) == Done(fault="ValueError: " + "x" * 200)
