"""Makes a program that needs no Python on the machine it runs on, for the system this is called on.

    python3 .ci/bundle.py            # dist/pbem-<system>-<machine>.zip (or .tar.gz), with `pbem` in it

It makes a virtual environment of its own, installs this checkout and PyInstaller into it, bundles, and tries
what came out: another rules digest than the installed package has, and nothing is written.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYINSTALLER = "pyinstaller>=6.10,<7"
BUNDLED = (  # what is found by name at run time, and so by no search for imports
    *("--collect-all", "pbem", "--copy-metadata", "pbem"),
    *("--collect-all", "ruamel.yaml"),
    *("--collect-data", "jsonschema", "--collect-data", "jsonschema_specifications"),
    *("--collect-submodules", "rich"),
    *("--collect-submodules", "keyring", "--copy-metadata", "keyring"),  # its backends are entry points
)
DIGEST = "from pbem.engine.system import find; print(find('victory').digest)"
WINDOWS = os.name == "nt"


def main() -> None:
    """Build, try, pack."""
    with tempfile.TemporaryDirectory(prefix="pbem-bundle-") as scratch:
        work = Path(scratch)
        python = _environment(work / "venv")
        program = _bundle(python, work)
        _try(program, python, work)
        packed = _pack(program.parent)
    print(f"{packed}  ({packed.stat().st_size // 1_000_000} MB)")


def _environment(path: Path) -> Path:
    venv.create(path, with_pip=True)
    python = path / ("Scripts/python.exe" if WINDOWS else "bin/python")
    extras = f"{ROOT}[mail,png]"
    subprocess.run([python, "-m", "pip", "install", "--quiet", PYINSTALLER, extras], check=True)
    return python


def _bundle(python: Path, work: Path) -> Path:
    start = work / "start.py"
    start.write_text("from pbem.cli.main import main\n\nmain()\n", "utf-8")
    places = ["--distpath", work / "dist", "--workpath", work / "build", "--specpath", work]
    command = [
        python,
        "-m",
        "PyInstaller",
        "--noconfirm",
        "--log-level",
        "WARN",
        "--onedir",
        "--name",
        "pbem",
    ]
    subprocess.run([*command, *BUNDLED, *places, start], check=True, cwd=work)
    return work / "dist" / "pbem" / ("pbem.exe" if WINDOWS else "pbem")


def _try(program: Path, python: Path, work: Path) -> None:
    """A game is begun with nothing of Python in reach, and with the rules that everybody else has."""
    home = work / "home"
    home.mkdir()
    kept = (
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "APPDATA",
        "LOCALAPPDATA",
        "TEMP",
        "TMP",
        "LANG",
    )
    bare = {name: os.environ[name] for name in kept if name in os.environ}
    bare |= {"HOME": str(home), "USERPROFILE": str(home), "PATH": os.defpath}

    def run(*args: str) -> None:
        """With nobody at the keyboard: on a terminal the game would ask its first question."""
        subprocess.run([program, *args], check=True, env=bare, cwd=home, stdin=subprocess.DEVNULL)

    began = time.monotonic()
    run("--version")
    print(f"starts in {time.monotonic() - began:.2f} s")
    run("demo", "--play", "red", "--out", "game")
    wanted = subprocess.run([python, "-c", DIGEST], check=True, capture_output=True, text=True, cwd=home)
    roster = (home / "game" / "red" / "roster.json").read_text("utf-8")
    if wanted.stdout.strip() not in roster:
        sys.exit("the bundle has other rules than the package: its games could not be played with others")


def _pack(folder: Path) -> Path:
    target = ROOT / "dist" / f"pbem-{platform.system().lower()}-{platform.machine().lower()}"
    target.parent.mkdir(exist_ok=True)
    form = "zip" if WINDOWS else "gztar"
    return Path(shutil.make_archive(str(target), form, folder.parent, folder.name))


if __name__ == "__main__":
    main()
