"""A site of static files in a browser, in a sub-path: played, left, gone back to without a network, verified.

`tests/browser/sites.py` says what the tests need.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import verify
from pbem.cli.site.serving import KINDS, listening
from pbem.trust.backup import restore
from tests.architecture.code import ROOT
from tests.browser.conftest import HERE, browser
from tests.browser.sites import in_wasm, site
from tests.browser.tables import ANSWER, IDLE, SIGNABLE, Step

VECTORS = HERE.parent / "unit" / "trust" / "primitives_vectors.py"
BEGUN: list[Step] = [
    {"frame": "/t/", "time": "the first page"},
    {"click": "form:has(input[value=victory]) button"},
    {"frame": "/table", "time": "a practice game begun"},
    {"wait": IDLE},
]
SIGNED: list[Step] = [
    {"again": SIGNABLE, "most": 14, "steps": [{"click": ANSWER}, {"wait": IDLE, "time": "a click"}]},
    {"click": "#sign"},
    {"wait": "document.body.dataset.signed", "time": "signed, and the stages that follow"},
    {"wait": IDLE},
]
BACK: list[Step] = [{"frame": "/table", "time": "there again"}, {"wait": IDLE}]
_STOPPED = (
    "window.Worker = class {{ postMessage() {{"
    " setTimeout(() => this.onmessage({{ data: {{ failed: '{}', kept: {} }} }}), 50); }} terminate() {{ }} }}"
)
"""A worker in place of Python's that ends with a fault."""
_DOORS = """
window.shared = [];
const door = (home, name, value) => Object.defineProperty(home, name, { value, configurable: true });
door(navigator, "canShare", () => true);
door(navigator, "share", async (what) => { window.shared.push(what); });
door(window, "launchQueue", { setConsumer(consumer) { window.consumer = consumer; } });
"""
EVERY = """
import importlib, json, sys
finder = next(one for one in sys.meta_path if type(one).__name__ == "Found")
for system in list(finder._later):
    importlib.import_module("pbem.systems." + system)
failed = {}
for name in sorted(finder._files):
    if name.endswith("__main__"):
        continue  # it runs
    try:
        importlib.import_module(name)
    except Exception as fault:
        failed[name] = f"{type(fault).__name__}: {fault}"
json.dumps({"count": len(finder._files), "failed": failed})
"""
NATIVE = {"pbem.cli.site.serving", "pbem.cli.web.patient", "pbem.trust.native"}
"""Servers, and the library of cryptography that is compiled."""
ELSEWHERE = ("click._winconsole", "click.testing", "platformdirs.", "ruamel.yaml.c")
"""Modules of libraries for other systems, for tests and for setting up."""
_FIRST = """(async () => {
  const names = (await caches.keys()).filter((one) => /^pbem-[0-9a-f]{64}$/.test(one));
  const cache = await caches.open(names[0]), at = new URL("started/memory", location);
  %s
})()"""
KEPT = _FIRST % "const held = await cache.match(at); return held ? (await held.blob()).size : 0;"
LOST = _FIRST % "return cache.delete(at);"
UNPACKED = _FIRST % (
    "const packed = await cache.match(new URL('first.pack.zst', location));"
    " const told = performance.getEntriesByType('resource').map((one) => one.name);"
    " return !packed && told.some((one) => one.endsWith('/service.js'));"
)
"""What came packed is gone, and a worker of the page unpacked it: a service worker keeps its memory."""
WORDS = "correct horse"
STAGE = "document.querySelector('header').innerText"


@pytest.fixture(scope="module")
def folder() -> Path:
    return site()


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    server = listening(folder, 0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/games/pbem/"
    server.shutdown()
    server.server_close()
    thread.join(10)


def visit(address: str, *phases: dict[str, Any], **more: Any) -> dict[str, Any]:
    job = {"chromium": browser(), "address": address, "phases": phases, **more}
    done = subprocess.run(
        ["node", str(HERE / "site.mjs")], input=json.dumps(job), capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["fault"] == "", found["fault"]
    return found


def test_a_stage_is_played_kept_and_taken_out(address: str, tmp_path: Path, record_property: Any) -> None:
    """From a folder of files, in a sub-path, and offline after the first visit."""
    out, saved = tmp_path / "game.zip", tmp_path / "game.pbem-backup"
    found = visit(
        address,
        {"steps": [*BEGUN, *SIGNED, {"value": STAGE}]},
        {"reload": True, "offline": True, "steps": [*BACK, {"value": STAGE}, *SIGNED, {"value": STAGE}]},
        {"close": True, "offline": True, "steps": [{"frame": "/t/"}, {"click": ".game a[href$='/table']"}]},
        {"stay": True, "offline": True, "steps": [*BACK, {"value": STAGE}]},
        {
            "stay": True,
            "offline": True,
            "steps": [
                {"click": ".menu summary"},
                {"click": ".menu a[href='trust']"},
                {"frame": "/trust"},
                {"download": "a[href$='/archive']", "to": str(out)},
                {"fill": "#backup-pass", "with": "correct horse"},
                {"download": "form[action$='/backup'] button", "to": str(saved)},
            ],
        },
    )
    begun, reloaded, later, kept = found["values"]
    assert begun == reloaded, "a reload finds the game where it was"
    assert later == kept != begun, "so does a tab that was closed"
    assert found["errors"] == []
    assert [one for one in found["requests"] if not one.startswith(address)] == []
    for name, took in found["said"]:
        record_property("figure", f"site, {name}: {took} ms")
    assert b'"private/me.json"' in restore(saved.read_text(), "correct horse"), "it opens on a computer"
    game = tmp_path / "game"
    with zipfile.ZipFile(out) as archive:
        archive.extractall(game)
    checked = verify(game)
    assert checked.ok, checked.findings
    command = [sys.executable, "-m", "pbem", "-C", str(game), "verify"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_second_tab_plays_as_well_and_takes_over(address: str) -> None:
    """What it asks goes to the tab that leads; when that is closed it leads itself."""
    found = visit(
        address,
        {"steps": [*BEGUN, {"value": STAGE}]},
        {"second": True, "steps": [{"frame": "/t/"}, {"click": ".game a[href$='/table']"}]},
        {"stay": True, "steps": [*BACK, *SIGNED, {"value": STAGE}]},
        {"close_first": True, "stay": True, "steps": [*SIGNED, {"value": STAGE}]},
        {"reload": True, "steps": [*BACK, {"value": STAGE}]},
    )
    assert found["errors"] == []
    first, second, third, again = found["values"]
    assert len({first, second, third}) == 3 and again == third


def test_a_tab_closed_while_signing_leaves_a_whole_game(address: str) -> None:
    """Before or after: never between."""
    steps: list[Step] = [*BEGUN, SIGNED[0], {"value": STAGE}, {"click": "#sign"}]
    again = {"close": True, "steps": [{"frame": "/t/"}, {"click": ".game a[href$='/table']"}]}
    found = visit(
        address, {"steps": steps}, again, {"stay": True, "steps": [*BACK, *SIGNED, {"value": STAGE}]}
    )
    assert found["errors"] == []
    assert found["values"][0] != found["values"][1], "and it goes on"


def test_tabs_closed_while_signing_leave_a_whole_game_twenty_times(address: str, tmp_path: Path) -> None:
    """Each a little later after the click than the one before; the archive verifies after all of them."""
    out = tmp_path / "game.zip"
    back: list[Step] = [{"frame": "/t/"}, {"click": ".game a[href$='/table']"}, *BACK, SIGNED[0]]
    phases: list[dict[str, Any]] = [{"steps": [*BEGUN, SIGNED[0], {"click": "#sign"}, {"pause": 0}]}]
    for number in range(1, 20):
        steps = [*back, {"click": "#sign"}, {"pause": 60 * number}]
        phases.append({"close": True, "steps": steps})
    last: list[Step] = [{"click": ".menu summary"}, {"click": ".menu a[href='trust']"}, {"frame": "/trust"}]
    last.append({"download": "a[href$='/archive']", "to": str(out)})
    phases.append({"close": True, "steps": [*back, *last]})
    found = visit(address, *phases)
    assert found["errors"] == []
    with zipfile.ZipFile(out) as archive:
        archive.extractall(tmp_path / "game")
    checked = verify(tmp_path / "game")
    assert checked.ok, checked.findings


def test_a_site_whose_data_was_erased_goes_on_from_a_backup(address: str, tmp_path: Path) -> None:
    """Browsers forget: the game is gone, and the file brings it back with its key, to be played on."""
    saved = str(tmp_path / "game.pbem-backup")
    found = visit(
        address,
        {"steps": [*BEGUN, *SIGNED, {"value": STAGE}]},
        {
            "stay": True,
            "steps": [
                {"click": ".menu summary"},
                {"click": ".menu a[href='trust']"},
                {"frame": "/trust"},
                {"fill": "#backup-pass", "with": WORDS},
                {"download": "form[action$='/backup'] button", "to": saved},
                {"erase": True},
            ],
        },
        {
            "close": True,
            "hash": "#/",
            "steps": [{"frame": "/t/"}, {"value": "document.querySelectorAll('.game').length"}],
        },
        {"stay": True, "steps": [*restored(saved), {"value": STAGE}, *SIGNED, {"value": STAGE}]},
    )
    before, games, again, later = found["values"]
    assert games == 0, "nothing was left"
    assert again == before != later and found["errors"] == []


def restored(saved: str) -> list[Step]:
    """Go on from a backup."""
    return [
        {"click": "a[href$='/restore']"},
        {"frame": "/restore"},
        {"file": "#backup-file", "from": saved},
        {"fill": "#restore-pass", "with": WORDS},
        {"click": "main form button"},
        *BACK,
    ]


def test_every_visit_starts_from_the_memory_that_the_site_has(address: str) -> None:
    """It comes with all that a start needs, in one file; one that the browser lost is loaded again."""
    kept: Step = {"value": KEPT, "shell": True}
    lost: Step = {"value": LOST, "shell": True}
    unpacked: Step = {"value": UNPACKED, "shell": True}
    back = {"close": True, "steps": [{"frame": "/t/"}, {"click": ".game a[href$='/table']"}]}
    found = visit(
        address,
        {"steps": [*BEGUN, {"value": STAGE}, unpacked, kept, lost, kept]},
        back,
        {"stay": True, "steps": [*BACK, {"value": STAGE}, kept]},
    )
    begun, apart, size, gone, nothing, again, anew = found["values"]
    assert found["errors"] == [] and begun == again and apart
    assert 1e7 < size < 4e7 and gone and nothing == 0 and anew == size


def test_a_telephone_speaks_german_and_fits(address: str) -> None:
    found = visit(
        address,
        {
            "steps": [
                *BEGUN,
                {"value": "document.documentElement.lang"},
                {"value": "document.documentElement.scrollWidth <= innerWidth"},
            ]
        },
        width=390,
        height=844,
        touch=True,
        locale="de-DE",
    )
    assert found["values"] == ["de", True] and found["errors"] == []


def three(address: str, folder: Path, system: str, by_hand: str, seats: tuple[str, str]) -> dict[str, Any]:
    """Play with a GM and two players in browsers, one of them a phone, and one who replies by email."""
    archives = {name: str(folder / f"{name}.zip") for name in ("gm", *seats)}
    job = {"chromium": browser(), "address": address, "system": system, "by_hand": by_hand, "seats": seats}
    job |= {"archives": archives, "backup": str(folder / "saved.pbem-backup"), "words": WORDS, "most": 60}
    done = subprocess.run(
        ["node", str(HERE / "three.mjs")], input=json.dumps(job), capture_output=True, text=True, timeout=9000
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["fault"] == "" and found["errors"] == [], found
    assert "Game turn 2" in found["place"] and found["plain"]
    assert all(f"signed for {by_hand} by plain email" in one for one in found["plain"])
    assert [one for one in found["requests"] if not one.startswith(address)] == []
    for name, path in archives.items():
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder / name)
        checked = verify(folder / name)
        assert checked.ok and {one.code for one in checked.findings} >= {"plain", "proxy"}, checked.findings
    return found


def test_three_people_and_one_without_a_program_play_wif_by_files_alone(address: str, tmp_path: Path) -> None:
    """From the invitation to the second game turn; the first answer of each list is given."""
    three(address, tmp_path, "wif/two_fronts_1943", "east", ("west", "axis"))


def test_three_people_and_one_without_a_program_play_by_files_alone(address: str, tmp_path: Path) -> None:
    """From the invitation to the second game turn; then one goes on by the command line, and back."""
    found = three(address, tmp_path, "victory/sarn_strait", "green", ("red", "blue"))
    assert len(found["plain"]) >= found["stages"]
    red = tmp_path / "red-on-a-computer"
    _pbem("key", "restore", str(tmp_path / "saved.pbem-backup"), "--into", str(red), PBEM_PASSPHRASE=WORDS)
    _pbem("-C", str(red), "bid", "0")
    _pbem("-C", str(red), "verify")
    again = tmp_path / "again.pbem-backup"
    _pbem("-C", str(red), "key", "backup", str(again), "--whole", PBEM_PASSPHRASE=WORDS)
    back = visit(
        address,
        {
            "steps": [
                {"frame": "/t/"},
                *restored(str(again)),
                {"value": STAGE},
                {"value": "document.body.dataset.signed !== undefined || document.body.innerText"},
            ]
        },
    )
    assert "Game turn 2" in back["values"][0] and back["errors"] == []


def _pbem(*words: str, **environment: str) -> None:
    command = [sys.executable, "-m", "pbem", *words]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr


WRONG: Step = {"wait": "!document.getElementById('wrong').hidden", "shell": True}
SAID: Step = {"value": "document.getElementById('wrong').textContent", "shell": True}


@pytest.mark.parametrize(
    ("init", "said"),
    [
        ("delete window.WebAssembly", "it lacks WebAssembly"),
        ("delete window.indexedDB; delete Window.prototype.indexedDB", "it lacks IndexedDB"),
        ("delete Navigator.prototype.serviceWorker", "it lacks Service Worker"),
        (_STOPPED.format("RangeError: WebAssembly.instantiate(): Out of memory", "true"), "440 MB"),
        (_STOPPED.format("InvalidStateError", "false"), "This window keeps nothing"),
    ],
    ids=["WebAssembly", "IndexedDB", "service worker", "memory", "storage"],
)
def test_a_browser_that_cannot_run_it_is_told_so_in_a_sentence(address: str, init: str, said: str) -> None:
    found = visit(address, {"steps": [WRONG, SAID]}, init=init)
    (sentence,) = found["values"]
    assert said in sentence and sentence.count(".") <= 2
    assert said == "440 MB" or any(one in sentence for one in ("Chrome", "usual window"))


def test_a_device_without_room_is_told_so(address: str) -> None:
    found = visit(address, {"steps": [WRONG, SAID]}, quota=3_000_000)
    assert "no room" in found["values"][0]


def test_a_broken_download_is_noticed_and_loaded_again(folder: Path) -> None:
    """A damaged file is asked for again; after many times that is said, and a click tries once more."""
    once, ever = "runtime/pyodide-lock.json.packed", "first.pack.zst"
    with served(folder / "games" / "pbem", {once: 2, ever: 6}) as (address, asked):
        found = visit(
            address,
            {"steps": [WRONG, SAID, {"click": "#again", "shell": True}, {"frame": "/t/"}]},
            {"stay": True, "steps": [{"value": "document.querySelector('h1').textContent"}]},
        )
    sentence, title = found["values"]
    assert (
        f"could not be loaded: {ever} is damaged" in sentence
        and "Nothing of yours is lost" in sentence
        and title
    )
    assert asked[once] == 3 and asked[ever] == 7, "what came whole is not loaded twice"


@contextmanager
def served(folder: Path, damaged: dict[str, int]) -> Iterator[tuple[str, Counter[str]]]:
    """Serve a folder; each of the damaged files comes cut short so many times."""
    asked: Counter[str] = Counter()

    class Poor(SimpleHTTPRequestHandler):
        extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **KINDS}

        def log_message(self, format: str, *args: object) -> None: ...

        def do_GET(self) -> None:
            name = self.path.lstrip("/")
            asked[name] += 1
            if asked[name] > damaged.get(name, 0):
                super().do_GET()
                return
            data = (folder / name).read_bytes()[:-100]
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Poor, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", asked
    server.shutdown()
    server.server_close()
    thread.join(10)


def test_emails_are_shared_with_the_site_and_by_it(address: str) -> None:
    """The browser's own doors, as far as a page sees them: share_target, file_handlers, navigator.share."""
    letter = {"name": "letter.eml", "text": "From: a@example.org\nSubject: hello\n\nnothing for pbem\n"}
    opened = f"new File([{json.dumps(letter['text'])}], 'opened.eml')"
    of = "(one) => [one.files[0].name, one.files[0].type, one.files[0].size > 500]"
    words: Step = {"value": "document.querySelector('main').innerText"}
    found = visit(
        address,
        {"steps": [{"frame": "/t/"}, {"share": letter}]},
        {"stay": True, "steps": [{"frame": "/mail"}, words]},
        {"reload": True, "hash": "", "steps": [{"frame": "/t/"}]},
        {"close": True, "steps": [{"frame": "/t/"}]},
        {
            "stay": True,
            "steps": [
                {
                    "value": f"void consumer({{ files: [{{ getFile: async () => {opened} }}] }})",
                    "shell": True,
                },
                {"frame": "/mail"},
                words,
                {"frame": "/mail"},
            ],
        },
        {
            "close": True,
            "hash": "#/new/victory/sarn_strait",
            "steps": [
                {"frame": "/new/"},
                {"fill": "#name", "with": "Gina"},
                {"fill": "#mail", "with": "gina@example.org"},
                {"click": "main form button.go"},
                {"frame": "/keep"},
                {"click": "a[href$='post']"},
                {"frame": "/post"},
                {"click": "button.share"},
                {"value": f"shared.map({of})"},
            ],
        },
        init=_DOORS,
    )
    by_form, nothing, by_system, shared = found["values"]
    assert "neither an invitation nor" in by_form and by_form == by_system and nothing is None
    ((name, kind, full),) = shared
    assert name.endswith(".txt") and kind == "text/plain" and full


def test_a_frozen_tab_loses_the_lead_and_stores_nothing_any_more(address: str) -> None:
    """Another one that is looked at takes the lock when there was no answer for a while."""
    older = (
        "new Promise((done) => { const asked = indexedDB.open('pbem ' + new URL('.', location).pathname);"
        " asked.onsuccess = () => { const work = asked.result.transaction(['lead'], 'readwrite');"
        " work.objectStore('lead').put(1e6, 'lead'); work.oncomplete = () => done('put'); }; })"
    )
    found = visit(
        address,
        {"steps": [*BEGUN, SIGNED[0], {"value": STAGE}]},
        {"second": True, "steps": [{"frame": "/t/"}, {"freeze": True}]},
        {"stay": True, "steps": [{"click": ".game a[href$='/table']"}]},
        {"stay": True, "steps": [*BACK, *SIGNED, {"value": STAGE}]},
        {
            "stay": True,
            "steps": [SIGNED[0], {"value": older, "shell": True}, {"click": "#sign"}, WRONG, SAID],
        },
        {"reload": True, "steps": [*BACK, {"value": STAGE}]},
    )
    first, second, put, said, again = found["values"]
    assert first != second and put == "put" and "another tab leads now" in said
    assert again == second, "what an older leader did is not stored"


def test_the_vectors_hold_in_the_browsers_own_cryptography(tmp_path: Path) -> None:
    """In WebAssembly, by @noble/*: the same file as on computers."""
    program = VECTORS.read_text("utf-8") + (
        "\nimport json\nfrom pbem.trust.primitives import home\n"
        "json.dumps([type(home()).__name__, check(home())])\n"
    )
    assert in_wasm(tmp_path, program) == ["Noble", []]


def test_chance_is_anew_in_each_start_and_nothing_of_the_builder_is_in_the_memory(tmp_path: Path) -> None:
    """All visitors begin with one memory: their keys, dice and names of files must differ all the same."""
    program = (
        "import json, os, random, secrets, sys\n"
        "chance = [secrets.token_hex(16), random.random(), random.Random().random(), os.urandom(9).hex()]\n"
        "json.dumps([chance, [sys.executable, *sys.argv, *os.environ.values()]])\n"
    )
    (one, there), (other, _) = (in_wasm(tmp_path / each, program) for each in ("one", "other"))
    assert all(a != b for a, b in zip(one, other, strict=True)), (one, other)
    assert str(ROOT) not in str(there), there


def test_every_module_can_be_imported_there(tmp_path: Path) -> None:
    """Python's own library is not there as a whole. Some modules of libraries need what no browser has."""
    found = in_wasm(tmp_path, EVERY)
    assert found["count"] > 900
    assert {name for name in found["failed"] if name.startswith("pbem")} <= NATIVE, found["failed"]
    rest = {name: why for name, why in found["failed"].items() if not name.startswith("pbem")}
    assert all(name.startswith(ELSEWHERE) for name in rest), rest
