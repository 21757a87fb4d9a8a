"""`mail.yaml`: how mail is handed over and fetched. It says where a password is, and never holds one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.schema import find, load_checked
from pbem.text.yaml import Document

Security = Literal["starttls", "tls", "none"]
_LOCAL = ("localhost", "127.0.0.1", "::1")
_PORTS: dict[str, dict[str, int]] = {
    "smtp": {"starttls": 587, "tls": 465, "none": 25},
    "imap": {"starttls": 143, "tls": 993, "none": 143},
}
_ONLY = {
    "smtp": ("server", "port", "security", "user", "password", "token", "certificates"),
    "sendmail": ("program",),
    "folder": ("folder",),
    "imap": (
        *("server", "port", "security", "user", "password", "token", "certificates"),
        *("folder", "move_to", "since"),
    ),
    "files": ("paths",),
}


@dataclass(frozen=True)
class Password:
    """The place of a password.

    `keyring` is a service, `variable` one of the environment, and `command` prints it.
    """

    keyring: str = ""
    variable: str = ""
    command: tuple[str, ...] = ()


@dataclass(frozen=True)
class Server:
    """A mail server and its login.

    `certificates`: a file of those to trust beside the usual.

    `oauth`: what `password` gives is an access token (RFC 7628), which lives for an hour or so.
    """

    host: str
    port: int
    security: Security
    user: str = ""
    password: Password | None = None
    certificates: str = ""
    oauth: bool = False


@dataclass(frozen=True)
class Out:
    """The way to send email: a server, a program, or a folder.

    `cc_all`: everybody gets a copy; `one_subject`: all letters of a game have one subject; `own_reports`:
    each player gets their own report alone.
    """

    server: Server | None = None
    program: tuple[str, ...] = ()
    folder: str = ""
    sender: str = ""
    cc_all: bool = True
    one_subject: bool = False
    own_reports: bool = False


@dataclass(frozen=True)
class In:
    """The sources of email: a server and folders on it, or paths.

    `since`: the first fetch looks at mail of this day and later ("2026-11-20"; "": as the game began).
    """

    server: Server | None = None
    folder: str = "INBOX"
    move_to: str = ""
    since: str = ""
    paths: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """The settings for sending and fetching; None if a file has none.

    `language` is that of the letters; "" if nothing sets it.
    """

    out: Out | None = None
    in_: In | None = None
    language: str = ""

    @property
    def programs(self) -> bool:
        """Return True if the settings make us run a program."""
        servers = [way.server for way in (self.out, self.in_) if way is not None and way.server is not None]
        commands = any(server.password is not None and server.password.command for server in servers)
        return commands or bool(self.out is not None and self.out.program)

    def over(self, other: Settings) -> Settings:
        """Return these settings completed by the other ones: a game's before those of its user."""
        return Settings(self.out or other.out, self.in_ or other.in_, self.language or other.language)


def load(source: bytes, name: str) -> Settings:
    """Read the file; Refused with all faults."""
    try:
        document = load_checked(source, name, find("mail"))
    except Refused as refused:
        raise Refused([_discreet(fault) for fault in refused.diagnostics]) from None
    data: Mapping[str, Any] = document.data or {}
    faults = [fault for key in ("out", "in") if key in data for fault in _faults(data[key], key, document)]
    if faults:
        raise Refused([_discreet(fault) for fault in faults])
    return Settings(
        _out(data["out"]) if "out" in data else None,
        _in(data["in"]) if "in" in data else None,
        data.get("language", ""),
    )


def _faults(data: Mapping[str, Any], key: str, document: Document) -> list[Diagnostic]:
    """Return faults beyond the shape: members of another way, and a connection that others could read."""
    way = data["way"]
    mine = {"way", *_ONLY[way], *(("from", "cc", "subjects", "reports") if key == "out" else ())}
    faults = [
        Diagnostic(
            "other-way", Message("mail.settings.other-way", way=way, name=name), path=(key, name), on_key=True
        ).at(document)
        for name in data
        if name not in mine
    ]
    if data.get("security") == "none" and data.get("server") not in _LOCAL:
        message = Message("mail.settings.in-the-clear")
        help_ = (Message("mail.settings.write-starttls-or-tls"),)
        faults.append(Diagnostic("in-the-clear", message, path=(key, "security"), help=help_).at(document))
    secrets = [name for name in ("password", "token") if name in data]
    if len(secrets) > 1:
        message = Message("mail.settings.password-and-token")
        faults.append(Diagnostic("two-logins", message, path=(key, "token"), on_key=True).at(document))
    if way in _PORTS and ("user" in data) != bool(secrets):
        message = Message("mail.settings.half-a-login")
        faults.append(Diagnostic("half-a-login", message, path=(key,)).at(document))
    return faults


def _discreet(fault: Diagnostic) -> Diagnostic:
    """Return the fault without its line and value, because people write passwords there."""
    span = fault.span
    where = f"{span.file}:{span.line}:{span.column}" if span is not None else ""
    what = next((name for name in ("password", "token") if name in fault.path), None)
    if what is None or fault.code == "two-logins":
        message: str = fault.message
        if where:
            message = Message("text.diagnostics.about", what=where, message=message)
        return replace(fault, message=message, span=None)
    message = Message("mail.settings.wanted-where-secret-is", where=where, what=what)
    help_ = (
        Message("mail.settings.never-secret-itself", what=what),
        Message("mail.settings.example-of-command", what=what),
    )
    return Diagnostic(fault.code, message, path=fault.path, help=help_)


def _out(data: Mapping[str, Any]) -> Out:
    way = data["way"]
    return Out(
        server=_server(data, "smtp", "starttls") if way == "smtp" else None,
        program=tuple(data.get("program", ("/usr/sbin/sendmail",))) if way == "sendmail" else (),
        folder=data.get("folder", ""),
        sender=data.get("from", ""),
        cc_all=data.get("cc", "all") == "all",
        one_subject=data.get("subjects", "news") == "one",
        own_reports=data.get("reports", "public") == "own",
    )


def _in(data: Mapping[str, Any]) -> In:
    return In(
        server=_server(data, "imap", "tls") if data["way"] == "imap" else None,
        folder=data.get("folder", "INBOX"),
        move_to=data.get("move_to", ""),
        since=data.get("since", ""),
        paths=tuple(data.get("paths", ())),
    )


def _server(data: Mapping[str, Any], kind: str, usual: Security) -> Server:
    security = data.get("security", usual)
    password = data.get("password", data.get("token"))
    return Server(
        host=data["server"],
        port=data.get("port", _PORTS[kind][security]),
        security=security,
        user=data.get("user", ""),
        password=_password(password) if password else None,
        certificates=data.get("certificates", ""),
        oauth="token" in data,
    )


def _password(data: Mapping[str, Any]) -> Password:
    return Password(data.get("keyring", ""), data.get("variable", ""), tuple(data.get("command", ())))
