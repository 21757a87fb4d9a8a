"""Mail settings tried without a mail: connect, log in, look whether the folder is there, and nothing else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.text.diagnostics import PbemError

if TYPE_CHECKING:
    from pbem.mail.settings import In, Out, Server


class NoTrial(PbemError):
    """Mail would not go, or come, this way; the message says what is wrong."""


def try_out(out: Out, root: Path) -> str:
    """Whether mail could be handed over, in words; PbemError says why not. Folders begin at `root`."""
    from pbem.cli._mail import password
    from pbem.mail import carriers

    if out.server is not None:
        way = carriers.Smtp(out.server, password(out.server))
        try:
            way.knock()
        finally:
            way.close()
        return f"{_reached(out.server)}; nothing was sent"
    if out.program:
        if shutil.which(out.program[0]) is None:
            raise NoTrial(f"there is no program {out.program[0]}")
        return f"the program {out.program[0]} is there; it was not called"
    folder = root / Path(out.folder).expanduser()
    if not folder.is_dir():
        raise NoTrial(f"there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise NoTrial(f"nothing may be written into {folder}")
    return f"the folder {folder} is there, and may be written to; nothing was put there"


def try_in(where: In, root: Path) -> str:
    """Whether mail could be fetched, in words; PbemError says why not."""
    from pbem.cli._mail import password
    from pbem.mail.imap import Imap

    if where.server is not None:
        with Imap(where.server, password(where.server) or "", where.folder):
            pass
        return f"{_reached(where.server)}, and the folder {where.folder} is there; nothing was fetched"
    missing = [one for one in where.paths if not (root / Path(one).expanduser()).exists()]
    if missing:
        raise NoTrial(f"there is no {missing[0]}")
    return "everything named is there; nothing was fetched"


def _reached(server: Server) -> str:
    how = "not encrypted" if server.security == "none" else server.security
    at = f"{server.host}, port {server.port} ({how}), is reached"
    return f"{at}, and lets {server.user} in" if server.user else at
