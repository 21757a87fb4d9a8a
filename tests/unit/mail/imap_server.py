"""A mailbox on a server in this process, with whatever manners a test wants of it (a little of RFC 3501)."""

from __future__ import annotations

import base64
import re
import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Box:
    """Mails by number with the day they came; which cannot be had (`refused`), at which the line goes dead
    (`deadly`); what logging in takes; whether it announces mail (`idle`); and what was asked."""

    mails: dict[int, bytes]
    days: dict[int, str] = field(default_factory=dict)
    refused: set[int] = field(default_factory=set)
    deadly: set[int] = field(default_factory=set)
    mechanisms: tuple[str, ...] = ()
    token: str = ""
    password: str = "demopass"
    idle: bool = False
    asked: list[str] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)


class _Session(socketserver.StreamRequestHandler):
    server: _Server
    told = 0

    def handle(self) -> None:
        self.box = self.server.box
        self._say("* OK ready")
        while line := self.rfile.readline():
            tag, _, rest = line.decode().rstrip("\r\n").partition(" ")
            self.box.asked.append(rest)
            command = rest.upper().split()
            if command[0] == "LOGOUT":
                self._say("* BYE bye", f"{tag} OK done")
                return
            if not self._answer(tag, command, rest):
                return

    def _say(self, *lines: str) -> None:
        for line in lines:
            self.wfile.write(line.encode() + b"\r\n")

    def _answer(self, tag: str, command: list[str], rest: str) -> bool:
        match command:
            case ["CAPABILITY"]:
                auth = "".join(f" AUTH={name}" for name in self.box.mechanisms)
                idle = " IDLE" if self.box.idle else ""
                self._say(f"* CAPABILITY IMAP4rev1{auth}{idle}", f"{tag} OK done")
            case ["IDLE"]:
                new = f"* {len(self.box.mails)} EXISTS\r\n" if len(self.box.mails) != self.told else ""
                self.told = len(self.box.mails)
                self.wfile.write(f"+ idling\r\n{new}".encode())  # in one piece, as Dovecot does
                self.rfile.readline()  # DONE
                self._say(f"{tag} OK done")
            case ["LOGIN", *_]:
                ok = rest.endswith(f'"{self.box.password}"')
                self._say(f"{tag} {'OK' if ok else 'NO'} login")
            case ["AUTHENTICATE", name]:
                self._authenticate(tag, name)
            case ["SELECT" | "EXAMINE", *_]:
                self.told = len(self.box.mails)
                self._say(f"* {self.told} EXISTS", "* OK [UIDVALIDITY 7]", f"{tag} OK done")
            case ["LIST", *_]:
                self._say('* LIST (\\Noselect) "/" ""', f"{tag} OK done")
            case ["UID", "SEARCH", *_]:
                self._say("* SEARCH " + " ".join(map(str, self._found(rest))), f"{tag} OK done")
            case ["UID", "FETCH", *_]:
                return self._fetch(tag, rest)
            case _:
                self._say(f"{tag} OK done")
        return True

    def _authenticate(self, tag: str, name: str) -> None:
        self._say("+ ")
        said = base64.b64decode(self.rfile.readline()).decode()
        self.box.logins.append(f"{name} {said}")
        if name == "PLAIN":
            ok = said.endswith("\0" + self.box.password)
        else:
            ok = f"auth=Bearer {self.box.token}\x01" in said
            if not ok:
                reason = b'{"status":"invalid_token","schemes":"bearer"}'
                self._say("+ " + base64.b64encode(reason).decode())
                self.rfile.readline()
        self._say(f"{tag} {'OK' if ok else 'NO'} authenticate")

    def _found(self, rest: str) -> list[int]:
        first = re.search(r"UID (\d+):", rest, re.IGNORECASE)
        since = re.search(r"SINCE (\d+-\w+-\d+)", rest)
        low = int(first[1]) if first else 1
        found = [uid for uid in sorted(self.box.mails) if uid >= low]
        return [uid for uid in found if not since or self.box.days.get(uid, since[1]) == since[1]]

    def _fetch(self, tag: str, rest: str) -> bool:
        uids = [int(word) for word in rest.split()[2].split(",")]
        for uid in uids:
            data = self.box.mails[uid]
            if "BODY" not in rest:
                self._say(f"* 1 FETCH (UID {uid} RFC822.SIZE {len(data)})")
            elif uid in self.box.deadly:
                self.connection.shutdown(socket.SHUT_RDWR)
                return False
            elif uid in self.box.refused:
                self._say(f"{tag} NO [SERVERBUG] internal error")
                return True
            else:
                self.wfile.write(
                    f"* 1 FETCH (UID {uid} BODY[] {{{len(data)}}}\r\n".encode() + data + b")\r\n"
                )
        self._say(f"{tag} OK done")
        return True


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    box: Box


@contextmanager
def imap_server(box: Box) -> Iterator[int]:
    """The server on a free port of this machine."""
    with _Server(("127.0.0.1", 0), _Session) as server:
        server.box = box
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
