"""The work of a site's own Python in Node: bytecode, its memory after a start, and compressed files."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

_HERE = Path(__file__).parent
_SECONDS = 900


def node() -> str | None:
    """Return where Node.js is, or None."""
    return shutil.which("node")


def compiled(program: str, runtime: Mapping[str, bytes], modules: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the bytecode of modules by their own names; Refused if that fails."""
    given = io.BytesIO()
    with zipfile.ZipFile(given, "w") as archive:
        for name in sorted(modules):
            archive.writestr(name, modules[name])
    (made,) = _run(program, "compile.mjs", {**runtime, "given.zip": given.getvalue()}, "made.zip")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def remembered(program: str, site: Mapping[str, bytes]) -> tuple[bytes, list[str]]:
    """Return Python's memory after a start from the files of a site, and the files of the modules in it."""
    files = {**site, "package.json": b'{"type": "module"}'}
    memory, loaded = _run(program, "remember.mjs", files, "memory", "loaded.json")
    return memory, json.loads(loaded)


def squeezed(program: str, runtime: Mapping[str, bytes], data: bytes, level: int) -> bytes:
    """Return data compressed by Zstandard."""
    given = {**runtime, "given": data, "level": str(level).encode()}
    return _run(program, "squeeze.mjs", given, "made")[0]


def _run(program: str, script: str, files: Mapping[str, bytes], *made: str) -> list[bytes]:
    """Return what a script makes of files in a folder of their own."""
    with TemporaryDirectory(prefix="pbem-site-") as folder:
        root = Path(folder)
        for name, data in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        command = [program, str(_HERE / script), folder]
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        if done.returncode:
            output = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
            raise Refused(Diagnostic("site-bytecode", Message("cli.site.no-bytecode", reason=output[-1])))
        return [(root / name).read_bytes() for name in made]
