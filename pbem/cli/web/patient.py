"""A server that many silent connections do not keep from answering.

Any program at this computer can connect and say nothing. Waitress accepts nobody else then, until the silent
ones time out.
"""

from __future__ import annotations

from waitress.server import TcpWSGIServer

MOST = 64
"""Connections at a time. One more closes the oldest of those that nobody is being answered on."""


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Waitress on one port, with room for the next connection at any time."""

    def handle_accept(self) -> None:
        """Accept a connection, and close another where that makes too many."""
        super().handle_accept()
        waiting = [channel for channel in self.active_channels.values() if not channel.requests]
        if len(self.active_channels) > MOST and len(waiting) > 1:
            min(waiting, key=lambda channel: channel.creation_time).handle_close()
