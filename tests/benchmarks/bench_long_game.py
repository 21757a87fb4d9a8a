"""A long game: what its stages leave in git, what commands cost, and letters from outside."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pbem.bot.answers import answer
from pbem.text.writing import thrown_away
from pbem.trust import armour
from pbem.trust.armour import Signed
from pbem.trust.keys import FileSigner
from tests.benchmarks.bench_commands import pbem
from tests.benchmarks.bench_commands import stages as played
from tests.benchmarks.bench_commands import table as begun
from tests.benchmarks.bench_verify import game
from tests.benchmarks.timing import row

LETTERS = 500
_HEAD = "From: someone@example.org\nTo: gm@example.org\nSubject: {}\nMIME-Version: 1.0\n"
_HTML = "Content-Type: text/html; charset=utf-8\n\n<html><body>{}</body></html>\n"


def main(smoke: bool = False) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        if smoke:
            with thrown_away():
                table = begun(Path(scratch) / "game", 0)
                played(table, 1)
        else:
            table = game(Path(scratch), 0, 99, answer)
        root, stages = table.gm.root, table.gm.folder.stage + 1
        in_git(root, stages, 1 if smoke else 3)
        box = Path(scratch) / "box.mbox"
        count = 6 if smoke else LETTERS
        box.write_text("".join(f"From a@b Fri Nov 20 12:00:00 2026\n{one}\n" for one in letters(count)))
        seconds = pbem("receive", str(box), "--filter", where=root)
        row(f"pbem receive of {count} letters from outside, {box.stat().st_size / 1e6:.1f} MB", seconds)


def in_git(root: Path, stages: int, runs: int) -> None:
    """A commit a stage, the size of it packed, and the commands in such a folder."""
    git(root, "init", "-q")
    git(root, "config", "user.name", "Benchmark")
    git(root, "config", "user.email", "benchmark@example.org")
    row(f"pbem archive of {stages} stages, a commit each", pbem("archive", where=root))
    git(root, "gc", "-q")
    packed = next(line for line in git(root, "count-objects", "-v").splitlines() if "size-pack" in line)
    size = int(packed.split()[1]) * 1024
    evidence = sum(path.stat().st_size for path in (root / "stages").rglob("*") if path.is_file())
    kept, each, here = size / 1e6, size / stages / 1000, evidence / 1e6
    print(f"      packed {kept:.2f} MB, {each:.1f} kB a stage; on the disk {here:.1f} MB")
    for words in (("archive",), ("status",), ("report",)):
        seconds = min(pbem(*words, where=root) for _ in range(runs))
        row(f"pbem {words[0]} then{', with nothing new' if words[0] == 'archive' else ''}", seconds)


def git(root: Path, *words: str) -> str:
    """What git says."""
    return subprocess.run(("git", *words), cwd=root, check=True, capture_output=True, text=True).stdout


def letters(count: int) -> Iterator[str]:
    """What comes to an address that is known: talk, newsletters, statements that strangers have signed."""
    stranger = FileSigner.from_seed(b"a key of the benchmark, no more.")
    for number in range(count):
        head = _HEAD.format(f"letter {number}")
        if number % 3 == 0:
            yield head + "\n" + f"Message {number}: shall we have lunch?\n" * 12
        elif number % 3 == 1:
            yield head + _HTML.format(f"<p>News {number}: <b>buy</b> now!</p>" * 200)
        else:
            data = f'{{"number":{number},"text":"{"x" * 600}"}}'.encode()
            yield head + "\n" + armour.write("orders", [Signed(data, (stranger.sign(data),))])


if __name__ == "__main__":
    main("--smoke" in sys.argv)
