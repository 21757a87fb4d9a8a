"""Python's side in the browser: the table's application, asked without a server, and what it changed.

The worker (`page/worker.mjs`) hands over each request, and stores every file that changed in one transaction
before the answer leaves it.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pbem.cli.web import guard, pages
from pbem.report import html
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from bottle import Bottle

HEADERS = {
    **guard.HEADERS,
    "Content-Security-Policy": guard.POLICY + "'self'",
    "X-Frame-Options": "SAMEORIGIN",
}


NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Changes:
    """The changes to store all at once: contents by hash, the hash of each file, and the files to
    remove.

    A practice game keeps copies of itself to take answers back. Each content is stored once for all of them.
    """

    contents: dict[str, bytes]
    files: dict[str, str]
    files_gone: list[str]
    contents_gone: list[str]


class Watched:
    """The files below a folder that were changed since they were last stored.

    An audit hook hears of everything that is opened for writing, renamed or removed, so nobody who writes
    has to tell.
    """

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self._stored: dict[str, str] = {}
        self._used: Counter[str] = Counter()
        self._touched: dict[str, None] = {}
        self._listening = False

    def begin(self, stored: Mapping[str, str]) -> None:
        """Watch from now on; `stored` are the files that are there, with their hashes."""
        self._stored = dict(stored)
        self._used = Counter(self._stored.values())
        self._listening = True
        sys.addaudithook(self._hear)

    def end(self) -> None:
        """Stop watching. Python keeps its hooks, so this one does nothing from now on."""
        self._listening = False

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if not self._listening:
            return
        if event == "open":
            path, mode, flags = args
            if mode is not None and not set(mode) & set("wax+"):
                return
            if mode is None and not flags & (os.O_WRONLY | os.O_RDWR):
                return
            self._touch(path)
        elif event in ("os.rename", "os.link"):
            self._touch(args[0])
            self._touch(args[1])
        elif event in ("os.remove", "os.rmdir", "os.truncate", "shutil.rmtree"):
            self._touch(args[0])

    def _touch(self, path: Any) -> None:
        if isinstance(path, str | bytes | os.PathLike):
            name = os.fsdecode(path)
            name = name if name.startswith("/") else os.path.abspath(name)
            if name.startswith(self.root + "/"):
                self._touched[name] = None

    def changed(self) -> Changes:
        """Return what is to be stored; from now on it counts as stored."""
        order = sorted(self._stored)
        there: dict[str, None] = {}
        gone: set[str] = set()
        for name in self._touched:
            if os.path.isfile(name):
                there[name] = None
                continue
            if name in self._stored:
                gone.add(name)
            gone |= _below(order, name)
            there |= dict.fromkeys(_files_below(name))
        self._touched.clear()
        contents: dict[str, bytes] = {}
        files: dict[str, str] = {}
        before = [self._stored.pop(name) for name in gone - there.keys()]
        for name in there:
            with open(name, "rb") as file:
                data = file.read()
            digest = hashlib.sha256(data).hexdigest()
            if self._stored.get(name) == digest:
                continue
            if name in self._stored:
                before.append(self._stored[name])
            if not self._used[digest]:
                contents[digest] = data
            self._used[digest] += 1
            self._stored[name] = files[name] = digest
        self._used.subtract(before)
        unused = sorted({path for path in before if not self._used[path]})
        for path in unused:
            del self._used[path]
        return Changes(
            {path: data for path, data in contents.items() if path not in unused},
            files,
            sorted(gone - there.keys()),
            [path for path in unused if path not in contents],
        )


def _below(order: list[str], folder: str) -> set[str]:
    """Return the names below a folder, in a sorted list of names."""
    at = bisect_left(order, f"{folder}/")
    end = bisect_left(order, f"{folder}0", at)  # the next character after the slash
    return set(order[at:end])


def _files_below(folder: str) -> list[str]:
    return [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]


class Own(guard.Guard):
    """The guard of a site: the service worker lets only the site's own frame ask, so no cookie is needed."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers of every answer: the shell may show it in its frame."""
        return HEADERS

    def fault(self, method: str, headers: Mapping[str, str], cookie: str | None) -> str | None:
        """Return why a request is not answered, or None."""
        return None if method in ("GET", "POST") else Message("cli.web.only-get-and-post")


def warm(base: str) -> None:
    """Answer the first page of an empty home, so that Python has imported and built what it needs.

    The templates of all pages are compiled, as that takes Python longer than most pages.
    """
    for templates in (html.environment(), pages.environment()):
        for name in templates.list_templates(extensions=["j2"]):
            templates.get_template(name)
    with TemporaryDirectory() as home:
        table = Answering(home, base, "en")
        table.answer("GET", "/", "", {"host": "localhost"}, b"")
        table.end()


class Answering:
    """The table for one person in a browser: `home` holds games and keys, `base` is where its pages lie.

    The page of games shows the fingerprint of the site, to be compared.
    """

    def __init__(
        self, home: str, base: str, language: str, fingerprint: str = "", stored: Mapping[str, str] = NOTHING
    ) -> None:
        from pbem.cli.games.memory import Memory
        from pbem.cli.web.app import application
        from pbem.cli.web.desk import Desk
        from pbem.report.language import languages

        self.home = Path(home)
        self.base = base.rstrip("/")
        games = self.home / "games"
        games.mkdir(parents=True, exist_ok=True)
        code = language.partition("-")[0].lower()
        known = code if code in languages() else "en"
        place = Desk(games, Memory(self.home / "games.json"))
        pages.environment().globals["fingerprint"] = fingerprint
        self._app: Bottle = application(place, Own(0), lang=known)
        self._watched = Watched(self.home)
        self._watched.begin(stored)

    def answer(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Return status, headers and content for a request at an address below `base`."""
        response: list[Any] = []

        def start(status: str, listed: list[tuple[str, str]], problem: Any = None) -> None:
            response[:] = [int(status.partition(" ")[0]), listed]

        sent = {name.lower(): value for name, value in headers.items()}
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": self.base,
            "PATH_INFO": unquote(path, "latin-1"),
            "QUERY_STRING": query.removeprefix("?"),
            "CONTENT_TYPE": sent.pop("content-type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": "pbem",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in sent.items()},
        }
        answer = self._app(environ, start)
        try:
            content = b"".join(answer)
        finally:
            if hasattr(answer, "close"):
                answer.close()
        return response[0], response[1], content

    def end(self) -> None:
        """Stop watching."""
        self._watched.end()

    def changed(self) -> tuple[list[tuple[str, bytes]], list[tuple[str, str]], list[str], list[str]]:
        """Return what the requests since the last call changed, as lists for JavaScript (`Changes`)."""
        changed = self._watched.changed()
        return (
            list(changed.contents.items()),
            list(changed.files.items()),
            changed.files_gone,
            changed.contents_gone,
        )
