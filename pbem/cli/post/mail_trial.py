"""A test of email settings without mail: connect, log in, and look for the folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.mail.settings import In, Out, Server


class NoTrial(PbemError):
    """A failed test; the message says what is wrong."""


def try_out(out: Out, root: Path) -> str:
    """Return that email can be sent, in words; PbemError says why not.

    Folders begin at `root`.
    """
    from pbem.cli.post.mail import password
    from pbem.mail import carriers

    if out.server is not None:
        way = carriers.Smtp(out.server, password(out.server))
        try:
            way.knock()
        finally:
            way.close()
        return Message("cli.mail-trial.nothing-sent", reached=_reached(out.server))
    if out.program:
        if shutil.which(out.program[0]) is None:
            raise NoTrial(Message("cli.mail-trial.no-program", program=out.program[0]))
        return Message("cli.mail-trial.program-not-called", program=out.program[0])
    folder = root / Path(out.folder).expanduser()
    if not folder.is_dir():
        raise NoTrial(Message("cli.mail-trial.no-folder", folder=folder))
    if not os.access(folder, os.W_OK):
        raise NoTrial(Message("cli.mail-trial.folder-may-not-be-written-to", folder=folder))
    return Message("cli.mail-trial.folder-may-be-written-to", folder=folder)


def try_in(where: In, root: Path) -> str:
    """Return that email can be fetched, in words; PbemError says why not."""
    from pbem.cli.post.mail import password
    from pbem.mail.imap import Imap

    if where.server is not None:
        with Imap(where.server, password(where.server) or "", where.folder):
            pass
        return Message("cli.mail-trial.folder-is-there", reached=_reached(where.server), folder=where.folder)
    missing = [path for path in where.paths if not (root / Path(path).expanduser()).exists()]
    if missing:
        raise NoTrial(Message("cli.mail-trial.is-missing", missing=missing[0]))
    return Message("cli.mail-trial.everything-is-there")


def _reached(server: Server) -> str:
    how = Message("cli.mail-trial.not-encrypted") if server.security == "none" else server.security
    at = Message("cli.mail-trial.port-reached", host=server.host, port=server.port, how=how)
    return Message("cli.mail-trial.lets-in", at=at, user=server.user) if server.user else at
