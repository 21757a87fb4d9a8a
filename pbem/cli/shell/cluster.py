"""Work on many folders by other machines, with `distributed` (dask).

Each task carries the files of its folder without those that are private, so machines need no common disk.
Nobody checks a worker's result, and workers run whatever they are sent. So use only machines of your own.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from pbem import __version__
from pbem.cli.shell.many import RETRIES, Done, Step, Task, Work
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

_HERE = ("localhost", "127.0.0.1", "::1")
_STAYS = {"private", "outbox", ".git"}
"""Folders of a game that are not sent: secrets, and what no check reads."""
_AHEAD = 4
"""Tasks sent for each thread, so that a thousand archives are not all in the scheduler's memory."""
_PATIENCE = "30s"


def do_there(work: Work, tasks: Sequence[Task], address: str, step: Step) -> list[Done]:
    """Do all tasks on the workers of a scheduler, and return their results in the order given.

    A task whose worker dies is done again by another. One that kills every worker has a fault. Refused
    without encryption, library, scheduler or worker.
    """
    need_safe(address)
    try:
        from distributed import Client, Security
    except ImportError:
        help_ = (Message("cli.cluster.install-dask"),)
        raise Refused(Diagnostic("no-dask", Message("cli.cluster.no-dask"), help=help_)) from None
    done: dict[int, Done] = {}
    try:
        security = Security(require_encryption=True) if address.startswith("tls:") else None
        client: Any = Client(address, security=security, timeout=_PATIENCE, set_as_default=False)
        with client:
            client.wait_for_workers(1, timeout=_PATIENCE)
            run = _Round(client, work, tasks, done, step)
            run.do(range(len(tasks)), _AHEAD * sum(client.nthreads().values()))
            # each task of a worker that dies is blamed: alone, only the one that kills it is
            for number in [n for n, result in done.items() if result.fault.startswith("KilledWorker")]:
                run.do([number], 1)
    except (OSError, TimeoutError, ValueError) as fault:
        message = Message("cli.cluster.unreachable", address=address, why=str(fault) or type(fault).__name__)
        raise Refused(Diagnostic("no-cluster", message, help=(Message("cli.cluster.start-one"),))) from None
    return [done[n] for n in range(len(tasks))]


@dataclass(frozen=True)
class _Round:
    """Tasks sent to a scheduler, and what came of them by number."""

    client: Any
    work: Work
    tasks: Sequence[Task]
    found: dict[int, Done]
    step: Step

    def do(self, numbers: Iterable[int], at_once: int) -> None:
        """Do some tasks, so many at once; ConnectionError if the scheduler is gone."""
        from distributed import as_completed

        waiting, sent = iter(numbers), dict[Any, int]()
        running: Any = as_completed(loop=self.client.loop, with_results=True, raise_errors=False)

        def send(count: int) -> None:
            for number in islice(waiting, count):
                folder, value = self.tasks[number]
                task = (self.work, folder.name, packed(folder), value, __version__)
                future = self.client.submit(_there, *task, retries=RETRIES, pure=False)
                sent[future] = number
                running.add(future)

        send(at_once)
        for future, outcome in running:
            if future.cancelled():
                raise ConnectionError(Message("cli.cluster.scheduler-gone"))
            # a future that nobody holds is forgotten there, with the files of its task
            self.found[sent.pop(future)] = _done(outcome)
            self.step(len(self.found), len(self.tasks))
            send(1)


def need_safe(address: str) -> None:
    """Check that what leaves this machine is encrypted; Refused otherwise."""
    parts = urlsplit(address)
    if parts.scheme == "tls" or (parts.scheme == "tcp" and parts.hostname in _HERE):
        return
    help_ = (Message("cli.cluster.by-tls"),)
    raise Refused(Diagnostic("no-tls", Message("cli.cluster.not-encrypted", address=address), help=help_))


def packed(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their names below it, without private ones and links."""
    packages = {}
    for path in sorted(folder.rglob("*")):
        below = path.relative_to(folder)
        if not _STAYS.intersection(below.parts) and path.is_file() and not path.is_symlink():
            packages[below.as_posix()] = path.read_bytes()
    return packages


def _there(work: Work, name: str, files: Mapping[str, bytes], value: Any, version: str) -> Done:
    """Do a task on a worker, in a folder of its own; the result names the machine."""
    if version != __version__:
        raise RuntimeError(f"pbem {__version__}, not {version}")
    with TemporaryDirectory(prefix="pbem-") as place:
        root = Path(place).resolve() / (name or "folder")
        root.mkdir()
        for below, data in files.items():
            path = root / below
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return Done(work(root, value), by=socket.gethostname())


def _done(outcome: Any) -> Done:
    """Return what a worker found, or the exception that dask gives with its traceback."""
    if isinstance(outcome, Done):
        return replace(outcome, by="" if outcome.by == socket.gethostname() else outcome.by)
    fault = outcome[1] if isinstance(outcome, tuple) else outcome
    return Done(fault=f"{type(fault).__name__}: {str(fault)[:200]}")
