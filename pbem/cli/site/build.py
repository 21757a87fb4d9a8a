"""Write the folder of a site: pages, runtime, libraries, pbem itself, and the list of their hashes."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pbem
from pbem.cli.site.compiling import beside, compiled
from pbem.cli.site.taking import Pinned, inside, pinned, taken
from pbem.cli.web import catalogue
from pbem.text import catalogues
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message, module
from pbem.text.writing import write_all

PAGE = Path(__file__).parent / "page"
PACKAGE = Path(pbem.__file__).parent
LIST = "site.json"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LIBRARY = "python_stdlib.zip"
AT_ONCE = ("library", "pbem")
"""The archives that every start needs; a rules system is fetched when it is first played."""
_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same version gives the same bytes."""
_SKIPPED = re.compile(
    r"(^|/)(__pycache__|tests?|benchmarks)/|\.(pyc|pyi|c|map)$|/examples/|^pbem/cli/site/page/"
)
_BARE = re.compile(r"""(from|import)(\s*)(['"])@noble/(\w+)/""")


@dataclass(frozen=True)
class Built:
    """A site: its files by name, and the fingerprint that tells this site from any other."""

    files: Mapping[str, bytes]
    fingerprint: str


def build(source: Path | None, node: str | None) -> Built:
    """Return the whole site. What is not pbem comes from the folder `source`, or else is fetched.

    Bytecode is made by Node.js; without `node` the browser compiles at each start.
    """
    files: dict[str, bytes] = {}
    library: dict[str, bytes] = {}
    for one in pinned():
        found = dict(inside(one, taken(one, source)))
        if one.kind == "npm":
            files |= _of_npm(one, found)
        else:
            library |= _of_python(one, found)
        files |= _licences(one, found)
    library["rpds.py"] = (Path(__file__).parent / "replaced" / "rpds.py").read_bytes()
    archives = {"library": library, **own_archives()}
    if node is not None:
        _compile(node, files, archives)
    for name, held in archives.items():
        files[f"python/{name}.zip"] = _zipped(held)
    for path in sorted(PAGE.iterdir()):
        files[path.name] = path.read_bytes()
    files["licences/pbem.txt"] = _own_licence()
    hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    listed = {
        "pbem": pbem.__version__,
        "archives": [f"python/{name}.zip" for name in archives if name in AT_ONCE],
        "later": {name: f"python/{name}.zip" for name in archives if name not in AT_ONCE},
        "files": hashes,
    }
    files[LIST] = (json.dumps(listed, indent=1) + "\n").encode()
    fingerprint = hashlib.sha256(files[LIST]).hexdigest()
    # the browser looks for another service worker by its bytes, so they name the site that it serves
    files["service.js"] = files["service.js"].replace(b"@FINGERPRINT@", fingerprint.encode())
    files["fingerprint.txt"] = f"{fingerprint}\n".encode()
    return Built(files, fingerprint)


def _compile(node: str, files: dict[str, bytes], archives: Mapping[str, dict[str, bytes]]) -> None:
    """Put bytecode beside the sources, which stay, as games pin them.

    Of Python's own library it stands in their place.
    """
    runtime = {name: files[f"runtime/{name}"] for name in RUNTIME}
    with zipfile.ZipFile(io.BytesIO(runtime[LIBRARY])) as held:
        library = {name: held.read(name) for name in held.namelist() if not name.endswith("/")}
    homes = [library, *archives.values()]
    sources = [{name: data for name, data in home.items() if name.endswith(".py")} for home in homes]
    given = {f"{at}/{name}": data for at, home in enumerate(sources) for name, data in home.items()}
    made = compiled(node, runtime, given)
    for at, home in enumerate(homes):
        for name in sources[at]:
            home[f"{name}c" if at == 0 else beside(name)] = made[f"{at}/{name}"]
    for name in sources[0]:
        del library[name]
    files[f"runtime/{LIBRARY}"] = _zipped(library)


def own_archives() -> dict[str, dict[str, bytes]]:
    """Return pbem as it is installed here: one archive for the program, and one for each rules system."""
    found: dict[str, dict[str, bytes]] = {"pbem": {}}
    for path in sorted(PACKAGE.rglob("*")):
        name = f"pbem/{path.relative_to(PACKAGE).as_posix()}"
        if not path.is_file() or _SKIPPED.search(name):
            continue
        parts = name.split("/")
        home = parts[2] if name.startswith("pbem/systems/") and len(parts) > 3 else "pbem"
        found.setdefault(home, {})[name] = path.read_bytes()
    schemas = PACKAGE.parent / "schemas"
    if not (PACKAGE / "_schemas").is_dir():
        for path in sorted(schemas.rglob("*.json")):
            found["pbem"][f"pbem/_schemas/{path.relative_to(schemas).as_posix()}"] = path.read_bytes()
    for room, language in catalogues.homes(PACKAGE):
        _put_in_module(found, room, language)
    found["pbem"] |= _entry_points()
    found["pbem"][f"pbem/{catalogue.KEPT.relative_to(PACKAGE).as_posix()}"] = catalogue.for_a_site()
    return found


def _put_in_module(found: dict[str, dict[str, bytes]], room: str, language: str) -> None:
    """Put a catalogue of messages as a module, as in the wheel: Python keeps its bytecode."""
    name = f"pbem/{module(room, language).relative_to(PACKAGE).as_posix()}"
    parts = name.split("/")
    home = parts[2] if name.startswith("pbem/systems/") else "pbem"
    if name not in found[home]:
        found[home][name] = catalogues.compiled(room, language).encode()
    if home == "pbem":  # a system's own files are pinned, those of pbem are in the wheel in place of these
        folder = name.removesuffix(".py")
        for other in [one for one in found[home] if one.startswith(f"{folder}/") and one.endswith(".yaml")]:
            del found[home][other]


def _entry_points() -> dict[str, bytes]:
    """Return what tells Python that pbem is installed, and with which rules systems."""
    from importlib.metadata import distribution

    installed = distribution("pbem")
    folder = f"pbem-{pbem.__version__}.dist-info"
    return {
        f"{folder}/{name}": text.encode()
        for name in ("METADATA", "entry_points.txt")
        if (text := installed.read_text(name)) is not None
    }


def _of_npm(one: Pinned, found: Mapping[str, bytes]) -> dict[str, bytes]:
    if one.name == "pyodide":
        return {f"runtime/{name}": found[name] for name in RUNTIME}
    room = one.name.rpartition("/")[2]
    return {
        f"noble/{room}/{name}": _related(name, data)
        for name, data in found.items()
        if name.endswith(".js") and not name.startswith(("src/", "esm/"))
    }


def _related(name: str, data: bytes) -> bytes:
    """Return a module of `@noble/*` that finds the others by their place: workers know no bare names."""
    up = "../" * (name.count("/") + 1)
    return _BARE.sub(rf"\1\2\3{up}\4/", data.decode()).encode()


def _of_python(one: Pinned, found: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the modules of a library; a source archive has them below `src`."""
    if one.kind == "sdist":
        found = {name.removeprefix("src/"): data for name, data in found.items() if name.startswith("src/")}
        found = {name: data for name, data in found.items() if ".egg-info/" not in name}
    return {name: data for name, data in found.items() if not _SKIPPED.search(name) and ".data/" not in name}


def _licences(one: Pinned, found: Mapping[str, bytes]) -> dict[str, bytes]:
    texts = [data for name, data in sorted(found.items()) if re.search(r"(?i)(^|/)licen[cs]e[^/]*$", name)]
    head = f"{one.name} {one.version}: {one.licence}\n{one.address}\n\n".encode()
    return {f"licences/{one.name.replace('/', '-').lstrip('@')}.txt": head + b"\n\n".join(texts)}


def _own_licence() -> bytes:
    from importlib.metadata import distribution

    for file in distribution("pbem").files or ():
        if file.name == "LICENSE":
            return Path(str(file.locate())).read_bytes()
    return b"pbem: MIT\n"


def _zipped(files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _DAY), files[name], zipfile.ZIP_DEFLATED, 9)
    return held.getvalue()


def put(built: Built, folder: Path) -> None:
    """Write a site into a folder, in place of an older one; Refused for a folder with anything else."""
    if folder.exists() and any(folder.iterdir()) and not (folder / LIST).is_file():
        help_ = (Message("cli.site.name-another-folder"),)
        raise Refused(Diagnostic("folder-in-use", Message("cli.site.not-a-site", folder=folder), help=help_))
    before = _named(folder / LIST)
    write_all({folder / name: data for name, data in built.files.items()})
    for name in before - set(built.files):
        path = folder / name
        if folder.resolve() in path.resolve().parents:
            path.unlink(missing_ok=True)


def _named(path: Path) -> set[str]:
    """Return the files of the site that is there, by its list."""
    try:
        return set(json.loads(path.read_bytes())["files"])
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def told(built: Built) -> list[str]:
    """Return what somebody wants to know of a site that was written: its size, and its fingerprint."""
    size = sum(map(len, built.files.values()))
    return [
        Message("cli.site.written", count=len(built.files), size=f"{size / 1e6:.1f}"),
        Message("cli.site.fingerprint", fingerprint=built.fingerprint),
    ]
