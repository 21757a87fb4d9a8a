"""A small server of files on this computer, to try a site before it is uploaded."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ADDRESS = "127.0.0.1"
KINDS = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".webmanifest": "application/json",
    ".svg": "image/svg+xml",
    ".zip": "application/zip",
    ".txt": "text/plain",
}


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **KINDS}

    def log_message(self, format: str, *args: object) -> None:
        """Log no request."""


def listening(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of the files in a folder (port 0: any free one); OSError if the port is taken."""
    return ThreadingHTTPServer((ADDRESS, port), partial(_Files, directory=str(folder)))
