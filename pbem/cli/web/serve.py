"""The server: waitress on the loopback address, until it is told to end."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli.web import guard
from pbem.text import dataclass

if TYPE_CHECKING:
    from pbem.cli.web.desk import Desk
    from pbem.cli.web.rooms import Room

ADDRESS = "127.0.0.1"


def listening(
    place: Desk, port: int, lang: str = "en", rooms: Sequence[Room] | None = None
) -> tuple[Any, guard.Guard]:
    """Return a server that listens on a loopback port (0: any free one), and its guard.

    `run` answers until `stop`. OSError if the port is taken. `rooms` are other pages than the table's.
    """
    from waitress.adjustments import Adjustments

    from pbem.cli.web.app import application
    from pbem.cli.web.patient import Server

    quiet = logging.getLogger("waitress")  # nothing of what is asked or answered is written anywhere
    quiet.addHandler(logging.NullHandler())
    quiet.propagate = False
    later: dict[str, Any] = {}

    def answer(environ: dict[str, Any], start: Any) -> Any:
        return later["app"](environ, start)

    adjusted = Adjustments(
        host=ADDRESS,
        port=port,
        threads=4,
        ident="",
        max_request_body_size=guard.MOST,
        max_request_header_size=1 << 16,
        channel_timeout=30,
        connection_limit=100,
    )
    server = Server(answer, adj=adjusted)
    gate = guard.Guard(int(server.effective_port))

    def end() -> None:
        """End the server once the answer is sent."""
        threading.Timer(1.0, stop, [server]).start()

    later["app"] = application(place, gate, lang=lang, end=end, rooms=rooms)
    return server, gate


def run(server: Any) -> None:
    """Answer until the server is told to `stop`, or Ctrl-C."""
    dataclass.no_waiting()  # four threads answer
    server.run()


def stop(server: Any) -> None:
    """End `run`, from whichever thread: those who are being answered get their answer first.

    The thread that answers closes its connections itself; closed from outside they are missed by it.
    """

    def close() -> None:
        server.task_dispatcher.shutdown()
        server.asyncore.close_all(server._map)

    server.trigger.pull_trigger(close)
