"""Common parts of the mail commands: settings of user and game, passwords, the time, the log.

A password is fetched when a server asks for it, used once, and is in no message.
"""

from __future__ import annotations

import os
import stat as stat_of
import subprocess
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.games import clock
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.mail.settings import Password, Server, Settings

_LIMIT = 64 << 10  # bytes of a settings file
_LOG_LIMIT = 1 << 20  # bytes after which the log rotates (one old log is kept)
_KNOWN: dict[Path, tuple[tuple[int, ...], Settings]] = {}
"""Settings as read last, for a process that looks after many games for days."""
LOG = "private/mail.log"
PATIENCE = 60  # seconds for a command that prints a password

settings_option = click.option(
    "--settings",
    "settings_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="cli.mail.option-settings",
)


def user_settings() -> Path:
    """Return the file of a user's settings for all games."""
    from platformdirs import user_config_path

    return user_config_path("pbem", appauthor=False) / "mail.yaml"


def settings(folder: Folder, named: str | None) -> Settings:
    """Return the game's settings, completed by the user's; Refused if a file has faults."""
    return settings_at(folder.root, named)


def settings_at(root: Path, named: str | None) -> Settings:
    """Return the settings of the game in a folder, completed by the user's; Refused for faults."""
    from pbem.archive import private_side
    from pbem.text.diagnostics import Diagnostic, Refused

    if named is not None:
        return _load(Path(named))
    game = root / private_side.MAIL_SETTINGS
    settings_ = _load(game)
    if settings_.programs:  # the folder may come from somebody else
        message = Message("cli.mail.program-in-game", game=game)
        help_ = (Message("cli.mail.write-it-into-a-file-of-yours", usual_file=user_settings()),)
        raise Refused(Diagnostic("program-in-game", message, help=help_))
    return settings_.over(_load(user_settings()))


def own_reports(folder: Folder) -> bool:
    """Return True if a report goes to each player alone (`out: {reports: own}`)."""
    out = settings(folder, None).out
    return out is not None and out.own_reports


def letters_in(folder: Folder) -> str:
    """Return the language of a folder's letters and reports: its settings', else the program's.

    Raises Refused for an unknown one.
    """
    from pbem.cli.shell.language import of_user
    from pbem.report.language import language

    language_set = settings(folder, None).language
    if language_set:
        language(language_set)
    return language_set or of_user()


def keep_language(root: Path) -> None:
    """Write the language of a game's letters into its settings, if it is not English.

    A machine that adjudicates at night has none. Existing settings stay.
    """
    from pbem.archive import private_side
    from pbem.cli.shell.language import ENGLISH, of_user
    from pbem.text.writing import write_all

    spoken, path = of_user(), root / private_side.MAIL_SETTINGS
    if spoken != ENGLISH and not path.exists():
        write_all({path: f"language: {spoken}\n".encode()}, private=[path])


def _load(path: Path) -> Settings:
    from pbem.mail.settings import Settings, load

    try:
        stat = path.stat()
    except OSError:
        return Settings()
    if not stat_of.S_ISREG(stat.st_mode):
        return Settings()
    stamp = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
    if path not in _KNOWN or _KNOWN[path][0] != stamp:
        with path.open("rb") as file:
            _KNOWN[path] = stamp, load(file.read(_LIMIT), str(path))
    return _KNOWN[path][1]


def no_settings(folder: Folder, way: str) -> Exception:
    """Return the refusal for missing settings, which names both files."""
    from pbem.archive import private_side
    from pbem.text.diagnostics import Diagnostic, Refused

    message = Message("cli.mail.no-mail-settings", way=way)
    help_ = (
        Message(
            "cli.mail.where-to-write-settings",
            root=folder.root / private_side.MAIL_SETTINGS,
            usual_file=user_settings(),
        ),
        Message("cli.mail.docs-have-one-to-copy"),
    )
    return Refused(Diagnostic("no-mail-settings", message, help=help_))


def password(server: Server) -> str | None:
    """Return the password for a server, or None if it needs none.

    Raises Refused, without quoting anything, if there is none.
    """
    if server.password is None:
        return None
    password_ = _looked_up(server.password, server.user)
    if not password_:
        where = _where(server.password)
        raise _refused(Message("cli.mail.no-password", user=server.user, host=server.host, where=where))
    return password_


def _looked_up(source: Password, user: str) -> str | None:
    if source.variable:
        return os.environ.get(source.variable)
    if source.command:
        return _printed(source.command)
    try:
        import keyring
        import keyring.errors
    except ImportError:
        raise _refused(Message("cli.mail.keyring-wants-a-library")) from None
    try:
        text: str | None = keyring.get_password(source.keyring, user)
    except (keyring.errors.KeyringError, RuntimeError) as fault:
        raise _refused(Message("cli.mail.keyring-cannot-be-opened", name=type(fault).__name__)) from None
    return text


def _printed(command: tuple[str, ...]) -> str | None:
    """Return the first line a program prints; its error output may quote secrets and is not shown."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise _refused(
            Message("cli.mail.password-command-failed", command=safe(command[0]), name=type(fault).__name__)
        ) from None
    if done.returncode:
        raise _refused(
            Message("cli.mail.password-command-exits", command=safe(command[0]), code=done.returncode)
        )
    return done.stdout.decode("utf-8", "replace").partition("\n")[0].rstrip("\r") or None


def _where(source: Password) -> str:
    if source.variable:
        return Message("cli.mail.environment-variable", variable=source.variable)
    if source.command:
        return Message("cli.mail.the-command", command=safe(source.command[0]))
    return Message("cli.mail.the-keyring", keyring=source.keyring)


def _refused(message: Message) -> Exception:
    from pbem.text.diagnostics import Diagnostic, Refused

    return Refused(Diagnostic("no-password", message))


def now() -> datetime:
    """Return the local time."""
    return clock.now().astimezone()


def stamp(moment: datetime) -> str:
    """Return a time for books and logs: `2026-11-20 14:03:05 +0100`."""
    return moment.strftime("%Y-%m-%d %H:%M:%S %z")


def log(folder: Folder, text: str) -> None:
    """Add a line to the game's mail log; a log that cannot be written stops nothing."""
    path = folder.root / LOG
    try:
        if path.exists() and path.stat().st_size > _LOG_LIMIT:
            path.replace(path.with_suffix(".log.1"))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        descriptor = os.open(path, flags, 0o600)
        with os.fdopen(descriptor, "ab") as file:
            file.write(f"{stamp(now())} {safe(text, 500)}\n".encode())
    except OSError:
        return
