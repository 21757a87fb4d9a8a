"""Write the folder of a site: pages, runtime, libraries, pbem itself, and the list of their hashes."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any

import pbem
from pbem.cli.site.compiling import compiled, remembered, squeezed
from pbem.cli.site.packing import END, pack, packed, unpacked
from pbem.cli.site.taking import Pinned, inside, pinned, taken, unwanted
from pbem.cli.web import catalogue
from pbem.text import catalogues
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.loading import cached, load_file
from pbem.text.messages import Message
from pbem.text.messages import compiled as place
from pbem.text.writing import write_all

PAGE = Path(__file__).parent / "page"
PACKAGE = Path(pbem.__file__).parent
LIST = "site.json"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
LIBRARY = "python_stdlib.zip"
AT_ONCE = ("library", "pbem")
"""The archives that every start needs; a rules system is fetched when it is first played."""
MEMORY = "started/memory"
"""Python's memory after a start; its folder sorts behind the runtime, of which it has much (see `_first`)."""
FIRST = "first.pack.zst"
LEVEL = 19
UNPACKER = "fzstd.js"
"""The library that unpacks `FIRST`; the service worker begins with it."""
_LIB = "/lib/pbem-site/"
_DAY = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same version gives the same bytes."""
_SKIPPED = re.compile(
    r"(^|/)(__pycache__|tests?|benchmarks)/|\.(pyc|pyi|c|map)$|/examples/|^pbem/cli/site/page/|^pbem/testing/conformance/"
    r"|\.dist-info/(?!METADATA$|entry_points\.txt$)"
)
SENT_PACKED = (".pack", ".wasm", "pyodide.asm.mjs", LIBRARY, "pyodide-lock.json")
READ = ("pbem_found.py", "pbem/archive/__init__.py")
"""Modules whose source is read: the first finds all others, the second lists its own names."""
_BRIDGED = re.compile(r'from "\./noble/([^"]+)"')
_IMPORTED = re.compile(r"""(?:from|import)\s*['"](\.[^'"]+)['"]""")
_BARE = re.compile(r"""(from|import)(\s*)(['"])@noble/(\w+)/""")


@dataclass(frozen=True)
class Built:
    """A site: its files by name, and the fingerprint that tells this site from any other."""

    files: Mapping[str, bytes]
    fingerprint: str


def build(source: Path | None, node: str | None, level: int = LEVEL) -> Built:
    """Return the whole site. What is not pbem comes from the folder `source`, or else is fetched.

    Bytecode and Python's memory are made by Node.js; without `node` the browser compiles and starts anew
    each time.
    """
    files: dict[str, bytes] = {}
    library: dict[str, bytes] = {}
    for archive in pinned():
        files_in = dict(inside(archive, taken(archive, source)))
        if archive.kind == "npm":
            files |= _of_npm(archive, files_in)
        else:
            library |= _of_python(archive, files_in)
        files |= _licences(archive, files_in)
    here = Path(__file__).parent
    library["rpds.py"] = (here / "replaced" / "rpds.py").read_bytes()
    library["pbem_found.py"] = (here / "finding.py").read_bytes()
    archives = {"library": library, **own_archives()}
    for name in [file for file in files if file.startswith("noble/") and file not in _wanted(files)]:
        del files[name]
    python = json.loads(files["runtime/pyodide-lock.json"])["info"]["python"]
    for name, held in archives.items():
        if name != "library":
            held |= _parsed(held, python)
    code: Mapping[str, Mapping[str, bytes]] = {}
    if node is not None:
        code = _compiled(node, files, archives)
    for name, held in archives.items():
        files[_pack(name)] = pack(_left(name, held, code), code.get(name, {}))
    files[f"runtime/{LIBRARY}"] = _standard(files[f"runtime/{LIBRARY}"], code.get("", {}))
    for path in sorted(PAGE.iterdir()):
        files[path.name] = path.read_bytes()
    files["service.js"] = files.pop(UNPACKER, b"") + files["service.js"]
    listed: dict[str, Any] = {
        "pbem": pbem.__version__,
        "archives": [_pack(name) for name in archives if name in AT_ONCE],
        "later": {name: _pack(name) for name in archives if name not in AT_ONCE},
    }
    if node is not None:
        listed |= _first(node, files, listed, level)
    for name in [file for file in files if file.endswith(SENT_PACKED)]:
        files[name + END] = packed(files.pop(name))
    files["licences/pbem.txt"] = _own_licence()
    hashes = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
    listed["files"] = hashes
    files[LIST] = (json.dumps(listed, indent=1) + "\n").encode()
    fingerprint = hashlib.sha256(files[LIST]).hexdigest()
    # the browser looks for another service worker by its bytes, so they name the site that it serves
    files["service.js"] = files["service.js"].replace(b"@FINGERPRINT@", fingerprint.encode())
    files["fingerprint.txt"] = f"{fingerprint}\n".encode()
    return Built(files, fingerprint)


def _pack(name: str) -> str:
    return f"python/{name}.pack"


def _compiled(
    node: str, files: Mapping[str, bytes], archives: Mapping[str, Mapping[str, bytes]]
) -> dict[str, dict[str, bytes]]:
    """Return bytecode for each archive, and for Python's own library under no name."""
    runtime = {name: files[f"runtime/{name}"] for name in RUNTIME}
    homes = {"": _unzipped(runtime[LIBRARY]), **archives}
    given = {f"{home}/{name}": data for home, held in homes.items() for name, data in held.items()}
    made = compiled(node, runtime, {name: data for name, data in given.items() if name.endswith(".py")})
    code: dict[str, dict[str, bytes]] = {home: {} for home in homes}
    for name, data in made.items():
        home, _, module = name.partition("/")
        code[home][module] = data
    return code


def _first(node: str, files: dict[str, bytes], listed: Mapping[str, Any], level: int) -> dict[str, Any]:
    """Put what every start needs into one file, with Python's memory in place of the modules in it.

    It is compressed as a whole, as memory, runtime and bytecode repeat each other. Return what the list
    says of it.
    """
    runtime = {name: files[f"runtime/{name}"] for name in RUNTIME}
    memory, loaded = remembered(node, {**files, LIST: json.dumps(listed).encode()})
    there = {name.removeprefix(_LIB) for name in loaded if name.startswith(_LIB)}
    held = {name: files.pop(name) for name in [path for path in files if path in listed["archives"]]}
    for name, data in held.items():
        kept, code = unpacked(data)
        held[name] = pack(kept, {path: kept_data for path, kept_data in code.items() if path not in there})
    standard = _unzipped(files.pop(f"runtime/{LIBRARY}"))
    zipped = {name.partition(".zip/")[2] for name in loaded}
    held[f"runtime/{LIBRARY}"] = _zipped(
        {name: data for name, data in standard.items() if name not in zipped}
    )
    alike = ("runtime/pyodide.asm.mjs", "runtime/pyodide.asm.wasm")
    held |= {name: files.pop(name) for name in [*files] if name in alike or name.startswith("noble/")}
    held[MEMORY] = memory
    files[FIRST] = squeezed(node, runtime, pack(held, {}), level)
    return {"memory": MEMORY, "first": FIRST, "inside": sorted(held), "size": len(files[FIRST])}


def _left(name: str, held: Mapping[str, bytes], code: Mapping[str, Mapping[str, bytes]]) -> dict[str, bytes]:
    """Return the files of an archive beside its bytecode.

    Sources are those of systems alone, as games pin them.
    """
    if name not in AT_ONCE:
        return dict(held)
    return {path: data for path, data in held.items() if path in READ or path not in code.get(name, {})}


def _standard(zipped: bytes, code: Mapping[str, bytes]) -> bytes:
    """Return Python's own library as its bytecode, and without what pbem never imports."""
    never = re.compile(rf"^({'|'.join(map(re.escape, unwanted()))})(/|\.py$)")
    held = {name: data for name, data in _unzipped(zipped).items() if not never.search(name)}
    return _zipped(
        {f"{name}c" if name in code else name: code.get(name, data) for name, data in held.items()}
    )


def _unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def _wanted(files: Mapping[str, bytes]) -> set[str]:
    """Return the modules of `@noble/*` that the bridge imports, with those that they import."""
    todo, wanted = (
        [f"noble/{name}" for name in _BRIDGED.findall((PAGE / "bridge.mjs").read_text("utf-8"))],
        set(),
    )
    while todo:
        name = todo.pop()
        if name not in wanted and name in files:
            wanted.add(name)
            folder = PurePosixPath(name).parent
            todo += [normpath(folder / imported) for imported in _IMPORTED.findall(files[name].decode())]
    return wanted


def own_archives() -> dict[str, dict[str, bytes]]:
    """Return pbem as it is installed here: one archive for the program, and one for each rules system."""
    archives: dict[str, dict[str, bytes]] = {"pbem": {}}
    for path in sorted(PACKAGE.rglob("*")):
        name = f"pbem/{path.relative_to(PACKAGE).as_posix()}"
        if not path.is_file() or _SKIPPED.search(name):
            continue
        parts = name.split("/")
        home = parts[2] if name.startswith("pbem/systems/") and len(parts) > 3 else "pbem"
        archives.setdefault(home, {})[name] = path.read_bytes()
    schemas = PACKAGE.parent / "schemas"
    if not (PACKAGE / "_schemas").is_dir():
        for path in sorted(schemas.rglob("*.json")):
            archives["pbem"][f"pbem/_schemas/{path.relative_to(schemas).as_posix()}"] = path.read_bytes()
    for room, language in catalogues.homes(PACKAGE):
        _put_in_one(archives["pbem"], room, language)
    archives["pbem"] |= _entry_points()
    archives["pbem"][f"pbem/{catalogue.KEPT.relative_to(PACKAGE).as_posix()}"] = catalogue.for_a_site()
    return archives


def _parsed(held: Mapping[str, bytes], python: str) -> dict[str, bytes]:
    """Return the caches of the data files in an archive of pbem, by the names that this Python looks for.

    A third of the time until a practice game begins was spent on parsing them.
    """
    tag = "cpython-" + "".join(python.split(".")[:2])
    return {
        f"{path.parent}/__pycache__/{path.name}.{tag}.pyc": cached(
            held[str(path)], load_file(PACKAGE.parent / path, str(path)).data
        )
        for path in map(PurePosixPath, held)
        if path.suffix == ".yaml"
    }


def _put_in_one(held: dict[str, bytes], room: str, language: str) -> None:
    """Put a catalogue of messages as one file, as in the wheel."""
    name = f"pbem/{place(room, language).relative_to(PACKAGE).as_posix()}"
    if name not in held:
        held[name] = catalogues.compiled(room, language).encode()
    # a system's own files are pinned, those of pbem are in the wheel in place of these
    folder = name.removesuffix(".json")
    for other in [path for path in held if path.startswith(f"{folder}/") and path.endswith(".yaml")]:
        del held[other]


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


def _of_npm(archive: Pinned, files: Mapping[str, bytes]) -> dict[str, bytes]:
    if archive.name == "pyodide":
        return {f"runtime/{name}": files[name] for name in RUNTIME}
    if archive.name == "fzstd":
        return {UNPACKER: files["umd/index.js"] + b"\n"}
    room = archive.name.rpartition("/")[2]
    return {
        f"noble/{room}/{name}": _related(name, data)
        for name, data in files.items()
        if name.endswith(".js") and not name.startswith(("src/", "esm/"))
    }


def _related(name: str, data: bytes) -> bytes:
    """Return a module of `@noble/*` that finds the others by their place: workers know no bare names."""
    up = "../" * (name.count("/") + 1)
    return _BARE.sub(rf"\1\2\3{up}\4/", data.decode()).encode()


def _of_python(archive: Pinned, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the modules of a library; a source archive has them below `src`."""
    if archive.kind == "sdist":
        files = {name.removeprefix("src/"): data for name, data in files.items() if name.startswith("src/")}
        files = {name: data for name, data in files.items() if ".egg-info/" not in name}
    return {name: data for name, data in files.items() if not _SKIPPED.search(name) and ".data/" not in name}


def _licences(archive: Pinned, files: Mapping[str, bytes]) -> dict[str, bytes]:
    texts = [data for name, data in sorted(files.items()) if re.search(r"(?i)(^|/)licen[cs]e[^/]*$", name)]
    head = f"{archive.name} {archive.version}: {archive.licence}\n{archive.address}\n\n".encode()
    return {f"licences/{archive.name.replace('/', '-').lstrip('@')}.txt": head + b"\n\n".join(texts)}


def _own_licence() -> bytes:
    from importlib.metadata import distribution

    for file in distribution("pbem").files or ():
        if file.name == "LICENSE":
            return Path(str(file.locate())).read_bytes()
    return b"pbem: MIT\n"


def _zipped(files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:  # compressed as a whole, so that Python unpacks nothing
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _DAY), files[name])
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
    """Return the size and the fingerprint of a written site."""
    size = sum(map(len, built.files.values()))
    return [
        Message("cli.site.written", count=len(built.files), size=f"{size / 1e6:.1f}"),
        Message("cli.site.fingerprint", fingerprint=built.fingerprint),
    ]
