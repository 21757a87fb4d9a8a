"""25 MiB of the worst that can be sent take no reader more than 250 MB of memory."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.adversary import worst

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="only Linux says how much it was"
)
ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_games" / "wbts-marl-crossings"
QUICK = (
    "small armours",
    "winmail.dat with two bombs",
)


def _holds(reader: str, path: Path) -> None:
    """Read it in a process of its own."""
    run = [sys.executable, "-m", "tests.adversary.worst", reader, str(path)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) < worst.MEMORY, f"{int(done.stdout) >> 10} MiB"


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in worst.MAILS]
)
def test_a_mail(name: str, tmp_path: Path) -> None:
    path = tmp_path / "mail"
    path.write_bytes(worst.MAILS[name]())
    assert path.stat().st_size <= worst.MOST
    _holds("mail", path)


@pytest.mark.long
@pytest.mark.dozens
def test_a_maildir_of_several(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "cur").mkdir()
    for number, name in enumerate(("markers", "a gzip bomb", "empty lines", "base64", "an mbox of mails")):
        (tmp_path / "new" / f"{number}").write_bytes(worst.MAILS[name]())
    _holds("mail", tmp_path)


def _texts() -> list[Any]:
    """A state takes ten seconds to read: of each reader, all but one at night."""
    pairs = [(reader, piece) for reader in ("order file", "state", "statement") for piece in worst.JSON]
    late = [pair for pair in pairs if pair[1] != worst.JSON[0]]
    return [pytest.param(*pair, marks=pytest.mark.long) if pair in late else pair for pair in pairs]


@pytest.mark.parametrize(("reader", "piece"), _texts())
def test_a_text_of_values(reader: str, piece: bytes, tmp_path: Path) -> None:
    for size in (worst.MOST, 8 << 20, 250 << 10):
        path = tmp_path / "text"
        path.write_bytes(worst.values(piece, size))
        _holds(reader, path)


@pytest.mark.parametrize(
    "piece",
    [b"a: 1\n", b"- a\n", b"? a\n: b\n", b"[", b"{a: ", b'- "\\u263A"\n', b"\n", b"&a ", b"- |\n x\n"],
)
def test_an_order_file(piece: bytes, tmp_path: Path) -> None:
    for size in (worst.MOST, 250 << 10):
        path = tmp_path / "orders.yaml"
        path.write_bytes(piece * (size // len(piece)))
        _holds("order file", path)


@pytest.mark.parametrize("name", worst.IMPORTS)
def test_a_file_of_another_program(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(worst.IMPORTS[name]())
    assert path.stat().st_size <= worst.MOST
    _holds("import", path)


@pytest.mark.parametrize("name", worst.BACKUPS)
def test_a_copy_of_a_private_side(name: str, tmp_path: Path) -> None:
    path = tmp_path / "backup.txt"
    path.write_bytes(worst.BACKUPS[name]())
    _holds("backup", path)


@pytest.mark.parametrize(
    "name", ["wide characters", "markers", "small armours", "one armour", "a bare file of braces"]
)
def test_a_certificate(name: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.txt"
    path.write_bytes(worst.MAILS[name]())
    _holds("certificate", path)


def test_the_archive_of_a_game_on_a_page(tmp_path: Path) -> None:
    path = tmp_path / "game.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("roster.json", "{}")
        archive.writestr("stages/0000/record.json", bytes(255 << 20))
    _holds("page", path)
    path.write_bytes(worst.many_entries())
    _holds("page", path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("roster.json", "{}")
        archive.writestr("stages/0000/record.json", bytes(100 << 20))
    _holds("page", path)


@pytest.mark.parametrize("name", [*worst.FILES, *(f"stages/0001/{name}" for name in worst.STAGE)])
def test_a_file_of_an_archive(name: str, tmp_path: Path) -> None:
    root = tmp_path / "game"
    shutil.copytree(SAMPLE, root)
    stage = root / "stages" / "0001"
    sid = min(path.stem for path in stage.glob("*.sig") if (stage / f"{path.stem}.json").exists())
    name = name.replace("STATEMENT", sid).replace("VIEW", "views/north")
    (root / name).parent.mkdir(exist_ok=True)
    for piece in (b"[]", b'{"a":1}'):
        (root / name).write_bytes(worst.values(piece))
        _holds("archive", root)
