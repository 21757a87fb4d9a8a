"""A mail storm: ten thousand messages, a hundred megabytes, messages of a thousand parts; time and memory."""

from __future__ import annotations

import base64
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from pbem.trust import armour
from pbem.trust.armour import Signed
from pbem.trust.keys import FileSigner
from tests.benchmarks.timing import row

_FROM = b"From a@b Fri Nov 20 12:00:00 2026\n"
_HEAD = b"From: a@example.org\nTo: b@example.org\nSubject: x\nMIME-Version: 1.0\n"
_CODE = """\
import re, sys, time
from pathlib import Path
from pbem.mail.read import read_path
start = time.perf_counter()
reading = read_path(Path(sys.argv[1]))
seconds = time.perf_counter() - start
status = Path("/proc/self/status")
peak = re.search(r"VmHWM:\\s+(\\d+)", status.read_text()) if status.exists() else None
print(seconds, peak[1] if peak else 0, reading.messages, len(reading.signed))
"""


def _statement(number: int) -> str:
    signer = FileSigner.from_seed(b"a key of the benchmark, no more.")
    data = f'{{"number":{number},"text":"{"x" * 600}"}}'.encode()
    return armour.write("orders", [Signed(data, (signer.sign(data),))])


def _noise(number: int) -> bytes:
    return _HEAD + b"\n" + (f"Message {number}: shall we have lunch?\n" * 12).encode()


def _order(number: int) -> bytes:
    return _HEAD + b"\n" + _statement(number).encode()


def _big(number: int) -> bytes:
    attached = base64.encodebytes(bytes(range(256)) * 3000)
    return (
        _HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsee below\n--b\n"
        b"Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
        + attached
        + b"--b--\n"
    )


def _parts(number: int) -> bytes:
    parts = b"".join(b"--b\nContent-Type: text/plain\n\npart\n" for _ in range(1000))
    return _HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n" + parts + b"--b--\n"


def _huge(number: int) -> bytes:
    return _HEAD + b"\n" + b"PBEM STATEMENT " + b"x" * 60 + b"\n" + b"<a " * 8_000_000


def storms(smoke: bool) -> Iterator[tuple[str, Callable[[int], bytes], int]]:
    """What the storms are made of, and of how many messages."""
    few = 20 if smoke else 1
    yield "messages without a word for us", _noise, 10_000 // few
    yield "messages with an order each, all different", _order, 2_000 // few
    yield "messages with a megabyte attached", _big, 100 // few
    yield "messages of a thousand parts", _parts, 50 // min(few, 10)
    if not smoke:
        yield "message of 24 MB of open tags", _huge, 1


def main(smoke: bool = False) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for number, (words, make, count) in enumerate(storms(smoke)):
            box = Path(scratch) / f"{number}.mbox"
            with box.open("wb") as file:
                for one in range(count):
                    file.write(_FROM + make(one) + b"\n\n")
            size = box.stat().st_size / 1e6
            run = [sys.executable, "-c", _CODE, str(box)]
            done = subprocess.run(run, capture_output=True, text=True, timeout=600, check=True)
            seconds, peak, messages, found = done.stdout.split()
            assert int(messages) == count
            row(f"{count} {words}, {size:.0f} MB", float(seconds))
            print(f"      {int(peak) / 1024:.0f} MiB at most, {found} statements found")
            box.unlink()
