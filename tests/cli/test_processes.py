"""The console script as a process of its own: pipes, odd terminals, two at once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.play import tree

SCRIPT = "from pbem.cli.main import main; main()"
WHO = ("--name", "Ann", "--mail", "ann@example.org")


def _env(home: Path, **more: str) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    root = str(Path(__file__).parents[2])
    return {**kept, "HOME": str(home), "XDG_DATA_HOME": str(home), "PYTHONPATH": root, **more}


def _run(home: Path, *args: str | Path, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", SCRIPT, *map(str, args)]
    return subprocess.run(command, input=stdin, capture_output=True, env=_env(home, **env), timeout=120)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A victory game that waits for its players."""
    assert _run(tmp_path, "key", "new", "--no-passphrase").returncode == 0
    done = _run(tmp_path, "new", "victory/sarn_strait", tmp_path / "game", *WHO)
    assert done.returncode == 0, done.stderr
    return tmp_path / "game"


def test_help_and_version(tmp_path: Path) -> None:
    done = _run(tmp_path, "--help")
    assert done.returncode == 0 and b"Usage: pbem" in done.stdout and done.stderr == b""


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    heavy = ("cryptography", "ruamel", "jsonschema", "rich", "pbem.archive", "pbem.engine", "pbem.trust")
    code = (
        "import sys\n"
        "from pbem.cli.main import main\n"
        "try:\n    main()\n"
        "finally:\n    print([n for n in sys.modules if n.startswith(" + repr(heavy) + ")], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, env=_env(tmp_path), timeout=60
    )
    assert done.stderr.strip() == b"[]"


def test_a_mail_comes_by_standard_input(game: Path, tmp_path: Path) -> None:
    invitation = next((game / "outbox").glob("*.pbem-invitation"))
    key = ("--key", tmp_path / "other")
    assert _run(tmp_path, "key", "new", "--no-passphrase", "--file", tmp_path / "other").returncode == 0
    joined = _run(tmp_path, "join", invitation, tmp_path / "red", "--as", "red", *WHO, *key)
    assert joined.returncode == 0, joined.stderr
    mail = next((tmp_path / "red" / "outbox").glob("*.eml")).read_bytes()
    done = _run(tmp_path, "-C", game, "receive", "-", stdin=mail)
    assert done.returncode == 0 and done.stdout.startswith(b"accepted"), done


def test_nothing_on_standard_input_is_said(game: Path, tmp_path: Path) -> None:
    before = tree(game)
    done = _run(tmp_path, "-C", game, "receive", "-")
    assert done.returncode == 1 and b"nothing signed" in done.stderr
    assert tree(game) == before


def test_a_terminal_without_unicode_shows_question_marks(tmp_path: Path, game: Path) -> None:
    for args in (("-C", game, "status"), ("rules", "show", "victory"), ("sequence", "victory")):
        done = _run(tmp_path, *args, PYTHONIOENCODING="ascii", LC_ALL="C")
        assert done.returncode == 0, done.stderr
        done.stdout.decode("ascii")


def test_whoever_stops_reading_gets_no_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, "rules", "show", "victory", "--json"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_env(tmp_path, PYTHONUNBUFFERED="1")
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait()
    assert said == b""


def test_two_commands_at_once_do_not_get_in_each_others_way(game: Path, tmp_path: Path) -> None:
    """While one holds the folder the other is told so and changes nothing."""
    from pbem.archive.folder import one_command

    before = tree(game)
    mail = next((game / "outbox").glob("*.pbem-invitation"))
    with one_command.hold(game):
        done = _run(tmp_path, "-C", game, "receive", mail)
    assert done.returncode == 1
    assert b"error[folder-busy]" in done.stderr
    assert {name: data for name, data in tree(game).items() if name != "private/lock"} == before


def test_the_installed_script_is_this_program(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("pbem")
    if not script.exists():
        pytest.skip("pbem is not installed beside this Python")
    done = subprocess.run([script, "--version"], capture_output=True, env=_env(tmp_path), timeout=60)
    assert done.stdout.startswith(b"pbem ")
