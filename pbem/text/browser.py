"""The place where this process runs: a computer, or a browser, which has no other programs."""

import sys


def in_browser() -> bool:
    """Return True in a browser: no processes, no sockets, and one thread."""
    return sys.platform == "emscripten"
