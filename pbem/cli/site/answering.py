"""Python's side in the browser: the table's application, asked without a server, and what it changed.

The worker (`page/worker.mjs`) hands over each request, and stores every file that changed in one transaction
before the answer leaves it.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pbem.cli.web import guard, pages
from pbem.text.messages import Message

if TYPE_CHECKING:
    from bottle import Bottle

HEADERS = {
    **guard.HEADERS,
    "Content-Security-Policy": guard.POLICY + "'self'",
    "X-Frame-Options": "SAMEORIGIN",
}


class Watched:
    """The files below a folder that were changed since they were last stored.

    An audit hook hears of everything that is opened for writing, renamed or removed, so nobody who writes
    has to tell.
    """

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self._stored: set[str] = set()
        self._touched: dict[str, None] = {}
        self._listening = False

    def begin(self) -> None:
        """Take what is there as stored, and watch from now on."""
        self._stored = set(_files_below(self.root))
        self._listening = True
        sys.addaudithook(self._hear)

    def end(self) -> None:
        """Hear no more: Python keeps its hooks."""
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

    def changed(self) -> tuple[dict[str, bytes], list[str]]:
        """Return files to store with their content, and names to remove; from now on they count as stored."""
        put: dict[str, bytes] = {}
        gone: set[str] = set()
        for name in self._touched:
            if os.path.isfile(name):
                put[name] = b""
                continue
            gone |= {one for one in self._stored if one == name or one.startswith(name + "/")}
            put |= dict.fromkeys(_files_below(name), b"")
        self._touched.clear()
        for name in put:
            with open(name, "rb") as file:
                put[name] = file.read()
        gone -= put.keys()
        self._stored = (self._stored | put.keys()) - gone
        return put, sorted(gone)


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


class Answering:
    """The table for one person in a browser: `home` holds games and keys, `base` is where its pages lie.

    The page of games shows the fingerprint of the site, to be compared.
    """

    def __init__(self, home: str, base: str, language: str, fingerprint: str = "") -> None:
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
        self._watched.begin()

    def answer(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Return status, headers and content for a request at an address below `base`."""
        told: list[Any] = []

        def start(status: str, listed: list[tuple[str, str]], problem: Any = None) -> None:
            told[:] = [int(status.partition(" ")[0]), listed]

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
        return told[0], told[1], content

    def end(self) -> None:
        """Watch no more."""
        self._watched.end()

    def changed(self) -> tuple[list[tuple[str, bytes]], list[str]]:
        """Return what the requests since the last call changed: files to store, names to remove."""
        put, gone = self._watched.changed()
        return list(put.items()), gone
