"""The folder of a site: what is in it, from where, and that only the pinned files go in."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.cli.site import build as building
from pbem.cli.site import taking
from pbem.cli.site.build import FIRST, LIBRARY, LIST, RUNTIME, Built, build, put
from pbem.cli.site.compiling import compiled
from pbem.cli.site.packing import END, unpacked
from pbem.cli.site.taking import Pinned
from pbem.cli.web import catalogue
from pbem.engine.installed import entry_points
from pbem.engine.system import find
from pbem.text.diagnostics import Refused
from pbem.text.loading import load_file
from tests.architecture.code import ROOT

NOBLE = b'import { sha512 } from "@noble/hashes/sha2.js";\nexport * from "./utils.js";\n'


def tgz(top: str, files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return held.getvalue()


def wheel(files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return held.getvalue()


LOCK = b'{"info": {"python": "3.14.2"}}'
STANDARD = wheel({"os.py": b"", "pdb.py": b"", "unittest/case.py": b"", "ctypes_of_mine.py": b""})
MADE = {
    ("pyodide", "npm"): tgz(
        "package",
        {name: name.encode() for name in (*RUNTIME, "README.md")}
        | {LIBRARY: STANDARD, "pyodide-lock.json": LOCK},
    ),
    ("@noble/curves", "npm"): tgz(
        "package",
        {"ed25519.js": NOBLE, "deep/b.js": NOBLE, "utils.js": b"import './deep/b.js';", "other.js": NOBLE}
        | {"src/a.js": b"x", "a.d.ts": b"x", "LICENSE": b"free for all"},
    ),
    ("one", "wheel"): wheel(
        {"one/__init__.py": b"", "one/tests/t.py": b"x", "one-1.dist-info/licenses/LICENSE": b"mine"}
    ),
    ("two", "sdist"): tgz("two-1", {"src/two/__init__.py": b"", "src/two/c.c": b"x", "setup.py": b"x"}),
}


def _small(folder: Path) -> list[Pinned]:
    """Write small archives in place of the pinned ones into a folder, and return what pins them."""
    pins = []
    for (name, kind), data in MADE.items():
        address = f"https://example.invalid/{name.rpartition('/')[2]}.x"
        pins.append(Pinned(name, "1", kind, address, hashlib.sha256(data).hexdigest(), "MIT"))
        (folder / pins[-1].file).write_bytes(data)
    return pins


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with small archives in place of the pinned ones."""
    folder = tmp_path / "from"
    folder.mkdir()
    pins = _small(folder)
    monkeypatch.setattr(building, "pinned", lambda: pins)
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A site of small archives, made without Node.js."""
    folder = tmp_path_factory.mktemp("from")
    pins = _small(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "pinned", lambda: pins)
        return build(folder, None)


def inside(site: Built, name: str, kind: str = "files") -> dict[str, bytes]:
    """Return what is in a pack, as the page takes it apart."""
    data = zlib.decompress(site.files[name + END])
    head, _, rest = data.partition(b"\n")
    listed, at, found = json.loads(head), 0, {}
    for each in ("files", "code"):
        for one, size in listed[each]:
            if each == kind:
                found[one] = rest[at : at + size]
            at += size
    assert at == len(rest)
    return found


def test_a_site_is_whole_and_its_list_says_what_is_in_it(site: Built, source: Path, tmp_path: Path) -> None:
    listed = json.loads(site.files[LIST])
    assert hashlib.sha256(site.files[LIST]).hexdigest() == site.fingerprint
    assert site.fingerprint.encode() in site.files["service.js"], "another site is another service worker"
    assert site.files["fingerprint.txt"].decode().strip() == site.fingerprint
    of_itself = {LIST, "service.js", "fingerprint.txt"}
    for name, data in site.files.items():
        assert name in of_itself or listed["files"][name] == hashlib.sha256(data).hexdigest(), name
    assert {one + END for one in listed["archives"]} <= set(site.files)
    assert {"index.html", "shell.js", "worker.mjs", "site.webmanifest"} <= set(site.files)
    assert build(source, None) == site, "the same version gives the same bytes"
    put(site, tmp_path / "site")
    assert {
        p.relative_to(tmp_path / "site").as_posix() for p in (tmp_path / "site").rglob("*") if p.is_file()
    } == set(site.files)


def test_libraries_are_unpacked_and_find_each_other(site: Built) -> None:
    files = site.files
    there = {name.removesuffix(END) for name in files}
    assert {f"runtime/{name}" for name in RUNTIME} <= there and "runtime/README.md" not in there
    assert b'"../hashes/sha2.js"' in files["noble/curves/ed25519.js"]
    assert b'"../../hashes/sha2.js"' in files["noble/curves/deep/b.js"]
    assert not [name for name in files if "noble/curves/src" in name or name.endswith(".d.ts")]
    assert "noble/curves/other.js" not in files, "nothing imports it"
    library = inside(site, "python/library.pack")
    assert {"one/__init__.py", "two/__init__.py", "rpds.py"} <= set(library)
    assert not [name for name in library if "tests/" in name or name.endswith(".c") or "setup" in name]
    assert b"free for all" in files["licences/noble-curves.txt"] and b"mine" in files["licences/one.txt"]


def test_of_pythons_own_library_goes_in_what_may_be_imported(site: Built) -> None:
    whole = zlib.decompress(site.files[f"runtime/{LIBRARY}{END}"])
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        assert archive.namelist() == ["ctypes_of_mine.py", "os.py"]


@pytest.fixture
def with_node(source: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    """A site as if Node.js had been here, which made nothing smaller."""
    loaded = ["/lib/pbem-site/pbem/rules.py", "/lib/python314.zip/os.pyc", "<frozen>"]
    monkeypatch.setattr(building, "compiled", lambda node, runtime, given: dict.fromkeys(given, b"code"))
    monkeypatch.setattr(building, "remembered", lambda node, site: (b"its memory", loaded))
    monkeypatch.setattr(building, "squeezed", lambda node, runtime, data, level: data)
    site = build(source, "node")
    files, _ = unpacked(site.files[FIRST])
    return Built({**site.files, **{name + END: zlib.compress(data) for name, data in files.items()}}, "")


def test_what_is_in_the_memory_of_python_is_not_sent_besides(with_node: Built) -> None:
    """One file has all that a start needs, in the order in which the list names it."""
    listed = json.loads(with_node.files[LIST])
    files, _ = unpacked(with_node.files[FIRST])
    assert listed["inside"] == list(files) and files[listed["memory"]] == b"its memory"
    assert set(listed["archives"]) < set(files) and listed["size"] == len(with_node.files[FIRST])
    assert listed["files"][FIRST] == hashlib.sha256(with_node.files[FIRST]).hexdigest()
    assert {"noble/curves/ed25519.js"} == {name for name in files if "ed25519" in name} - set(with_node.files)
    code = inside(with_node, "python/pbem.pack", "code")
    assert "pbem/rules.py" not in code and "pbem/__main__.py" in code
    with zipfile.ZipFile(io.BytesIO(files[f"runtime/{LIBRARY}"])) as archive:
        assert archive.namelist() == ["ctypes_of_mine.pyc"]


def test_sources_go_where_there_is_bytecode_but_not_those_of_systems(with_node: Built) -> None:
    """Games pin those. What reads its own source keeps it, too."""
    site = with_node
    assert inside(site, "python/pbem.pack", "code")["pbem/__main__.py"] == b"code"
    left = inside(site, "python/pbem.pack")
    assert [name for name in left if name.endswith(".py")] == ["pbem/archive/__init__.py"]
    for path in sorted((ROOT / "pbem").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if "open(__file__" in path.read_text("utf-8"):
            assert name in left, "it reads itself"
    system, code = inside(site, "python/victory.pack"), inside(site, "python/victory.pack", "code")
    assert set(code) == {name for name in system if name.endswith(".py")}
    assert inside(site, "python/library.pack")["pbem_found.py"], "what finds all others is no bytecode"


def test_pbem_goes_in_as_it_is(site: Built) -> None:
    """What a game pins is the same as here, and every system is found by the file that installers write."""
    program = inside(site, "python/pbem.pack")
    points = next(data for name, data in program.items() if name.endswith("/entry_points.txt"))
    for name in entry_points("pbem.systems"):
        assert f"{name} =".encode() in points
        folder = find(name).folder
        held = inside(site, f"python/{folder.name}.pack")
        for path in folder.rglob("rules/**/*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert (
                    held[f"pbem/systems/{folder.name}/{path.relative_to(folder).as_posix()}"]
                    == path.read_bytes()
                )
    words = [name for name in program if name.startswith("pbem/words/")]
    assert words and all(name.endswith(".json") for name in words), "messages are whole, as in the wheel"
    assert "pbem/_schemas/orders.schema.json" in program
    assert not [name for name in program if name.endswith(".pyc") and ".yaml.cpython-314." not in name]


def test_a_browser_need_not_parse_the_data_of_pbem(
    site: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each data file comes with what it holds, where the Python of the site looks for it."""
    held = inside(site, "python/victory.pack")
    for name, data in held.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    files = [name for name in held if name.endswith(".yaml")]
    assert "pbem/systems/victory/rules/sequence.yaml" in files
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-314")
    monkeypatch.setattr("pbem.text.loading.load", None)
    for name in files:
        assert load_file(tmp_path / name, name).data


def test_a_file_that_is_not_the_pinned_one_is_refused(source: Path) -> None:
    (source / "one.x").write_bytes(MADE["one", "wheel"] + b"x")
    with pytest.raises(Refused, match=r"one\.x.*SHA-256") as refused:
        build(source, None)
    assert refused.value.diagnostics[0].code == "site-file"
    (source / "one.x").unlink()
    with pytest.raises(Refused, match=r"one\.x"):
        build(source, None)


def test_a_folder_with_anything_else_is_left_alone(site: Built, tmp_path: Path) -> None:
    other = tmp_path / "mine"
    other.mkdir()
    (other / "diary.txt").write_text("x")
    with pytest.raises(Refused, match="no site"):
        put(site, other)
    assert [path.name for path in other.iterdir()] == ["diary.txt"]


def test_a_site_is_written_over_an_older_one(site: Built, tmp_path: Path) -> None:
    put(site, tmp_path / "site")
    listed = json.loads(site.files[LIST])
    (tmp_path / "site" / "old.js").write_text("x")
    (tmp_path / "outside.js").write_text("x")
    listed["files"] |= {"old.js": "", "../outside.js": ""}
    (tmp_path / "site" / LIST).write_text(json.dumps(listed))
    put(site, tmp_path / "site")
    assert not (tmp_path / "site" / "old.js").exists()
    assert (tmp_path / "outside.js").exists(), "a list leads to no file beside the folder"


def test_what_is_pinned_is_named_whole() -> None:
    pins = taking.pinned()
    assert {"pyodide", "@noble/curves", "@noble/ciphers", "@noble/hashes", "fzstd", "bottle", "jinja2"} <= {
        one.name for one in pins
    }
    for one in pins:
        assert one.version in one.file and len(one.sha256) == 64 and one.licence, one.name
        home = {"npm": "https://registry.npmjs.org/"}.get(
            one.kind, "https://files.pythonhosted.org/packages/"
        )
        assert one.address.startswith(home), one.name


def test_bytecode_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    failing = tmp_path / "node"
    failing.write_text("#!/bin/sh\necho first >&2; echo no memory >&2; exit 3\n")
    failing.chmod(0o755)
    with pytest.raises(Refused, match="no memory") as refused:
        compiled(str(failing), {}, {"one.py": b""})
    assert refused.value.diagnostics[0].code == "site-bytecode"


def test_nothing_of_a_page_comes_from_another_origin() -> None:
    for path in sorted((ROOT / "pbem" / "cli" / "site" / "page").iterdir()):
        text = path.read_text("utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "http://" not in text and "https://" not in text, path.name
    page = (ROOT / "pbem" / "cli" / "site" / "page" / "index.html").read_text("utf-8")
    assert "default-src 'self'; script-src 'self' 'wasm-unsafe-eval';" in page
    assert "<script>" not in page and "style=" not in page


def test_the_bridge_has_all_that_python_calls() -> None:
    tree = ast.parse((ROOT / "pbem" / "trust" / "noble.py").read_text("utf-8"))
    bridge = next(one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == "Bridge")
    wanted = {one.name for one in bridge.body if isinstance(one, ast.FunctionDef)}
    text = (ROOT / "pbem" / "cli" / "site" / "page" / "bridge.mjs").read_text("utf-8")
    there = text.partition("export const noble = {")[2]
    assert wanted and all(f"  {name}:" in there for name in wanted)


def test_a_rules_system_comes_when_it_is_first_played(site: Built) -> None:
    """Every start needs the program and its libraries alone; the page of games knows the rest by heart."""
    listed = json.loads(site.files[LIST])
    assert listed["archives"] == ["python/library.pack", "python/pbem.pack"]
    systems = {path.parent.name for path in (ROOT / "pbem" / "systems").glob("*/__init__.py")}
    assert set(listed["later"]) == systems and "victory" in systems
    core = inside(site, "python/pbem.pack")
    assert not [name for name in core if name.startswith("pbem/systems/")]
    known = json.loads(core[f"pbem/cli/web/{catalogue.KEPT.name}"])
    titled = dict(known["scenarios"]["en"])["Victory, supply-based turn sequence"]
    assert ["victory", "sarn_strait", "The Sarn Strait", ["red", "blue", "green"]] in titled
    assert known["seats"]["victory"] == ["red", "blue", "green"] and known["titles"]["de"]["diplomacy"]
