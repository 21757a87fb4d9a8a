"""Real schedulers and workers of dask: a worker killed, a task that kills each, encryption, a league."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.league.results import judge_all
from pbem.cli.shell.many import do_all
from pbem.text.diagnostics import Refused
from tests.unit.many import work

distributed = pytest.importorskip("distributed", reason="pip install '.[cluster]'")
pytestmark = [
    pytest.mark.long,
    # warnings of the library and its sockets, not of ours
    pytest.mark.filterwarnings("default"),
]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A scheduler and two workers, each a process of its own."""
    # what a worker gives back may not depend on where it is: it gets no folder of ours
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found


def test_a_worker_is_killed_at_work_and_all_are_done(cluster: Any, tmp_path: Path) -> None:
    tasks = [(tmp_path / "empty", (number, str(tmp_path))) for number in range(20)]
    (tmp_path / "empty").mkdir()
    killed: list[int] = []

    def step(done: int, of: int) -> None:
        if done in (3, 8):
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    done = do_all(work.waits, tasks, cluster=cluster.scheduler_address, step=step)
    assert len(set(killed)) == 2
    assert [(one.value, one.fault) for one in done] == [(number, "") for number in range(20)]
    begun = [path.name.partition("-")[0] for path in tmp_path.glob("*-*")]
    assert len(begun) > 20, "what the dead were at was begun again"


def test_a_task_that_kills_each_worker_has_the_fault_alone(cluster: Any, tmp_path: Path) -> None:
    tasks = [(tmp_path, (number, "")) for number in range(4)]
    done = do_all(work.kills, tasks, cluster=cluster.scheduler_address)
    assert [one.value for one in done] == [0, None, 2, 3]
    assert done[1].fault.startswith("KilledWorker")


def test_a_fault_of_a_worker_is_told_in_words(cluster: Any, tmp_path: Path) -> None:
    done = do_all(work.fails, [(tmp_path, number) for number in range(3)], cluster=cluster.scheduler_address)
    assert [one.value for one in done] == [0, None, 2]
    assert done[1].fault == "RuntimeError: no disk here"


def test_a_scheduler_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.cli.shell.cluster._PATIENCE", "1s")
    with pytest.raises(Refused, match="can't be reached") as fault:
        do_all(work.names, [(tmp_path, 1)], cluster="tcp://127.0.0.1:9")
    assert fault.value.diagnostics[0].code == "no-cluster"


def test_a_league_of_other_machines_says_whose_word_it_is(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.unit.league.voted_games import games

    games(tmp_path, 6, "cluster")
    archives = sorted(tmp_path.iterdir())
    (archives[4] / "roster.json").write_text("{}")
    here = judge_all(archives, 1)
    killed: list[int] = []

    def step(done: int, of: int) -> None:
        if not killed:
            killed.append(next(iter(cluster.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    there = judge_all(archives, None, cluster.scheduler_address, step)
    assert [(one.archive, one.game, one.head, one.best, one.counts) for one in there] == [
        (one.archive, one.game, one.head, one.best, one.counts) for one in here
    ]
    assert sum(one.counts for one in there) == 5 and killed
    assert {one.by for one in there} == {""}, "this machine's own workers"
    from tests.cli.play import pbem

    monkeypatch.setattr(socket, "gethostname", lambda: "desk")
    said = pbem("league", tmp_path, "--cluster", cluster.scheduler_address)
    worker = there[0].by or os.uname().nodename
    assert f"{worker} verified 6 games: that is its word, not checked here." in said.out
    told = pbem("league", tmp_path, "--cluster", cluster.scheduler_address, "--json").json
    assert {one["verified_by"] for one in (*told["games"], *told["not_counted"])} == {worker}


def test_tls_is_used_and_a_stranger_is_not_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import dask

    keys = {name: certificate(tmp_path, name) for name in ("club", "stranger")}
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/a.txt").write_text("a")

    def settings(name: str) -> dict[str, Any]:
        cert, key = keys[name]
        both = {"cert": cert, "key": key}
        whose = {f"distributed.comm.tls.{who}": both for who in ("client", "scheduler", "worker")}
        return {"distributed.comm.tls.ca-file": cert, **whose}

    with dask.config.set(settings("club")):
        security = distributed.Security(require_encryption=True)
        with distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=True,
            protocol="tls://",
            security=security,
            dashboard_address=None,
        ) as cluster:
            address = cluster.scheduler_address
            assert address.startswith("tls://")
            (found,) = do_all(work.names, [(tmp_path / "folder", 2)], cluster=address)
            assert found.value == (["a.txt"], 4)
            monkeypatch.setattr("pbem.cli.shell.cluster._PATIENCE", "2s")
            with dask.config.set(settings("stranger")), pytest.raises(Refused, match="can't be reached"):
                do_all(work.names, [(tmp_path / "folder", 2)], cluster=address)


def certificate(place: Path, name: str) -> tuple[str, str]:
    """Make a certificate that signs itself, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (place / f"{name}.crt").write_bytes(made.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (place / f"{name}.key").write_bytes(private)
    return str(place / f"{name}.crt"), str(place / f"{name}.key")


def test_games_of_the_computer_are_the_same_wherever_they_are_played(cluster: Any, tmp_path: Path) -> None:
    from tests.cli.play import pbem

    pbem("scenario", "new", "victory", tmp_path / "river")
    file = tmp_path / "river/scenario.yaml"  # one game turn
    file.write_text(file.read_text("utf-8").replace("at_least: 9,", "at_least: 0,"), "utf-8")
    tried = [
        pbem("scenario", "try", tmp_path / "river", "--games", "3", *way, "--json").out
        for way in (("--jobs", "1"), ("--jobs", "2"), ("--cluster", cluster.scheduler_address))
    ]
    assert tried[0] == tried[1] == tried[2] and json.loads(tried[0])["games"] == 3
