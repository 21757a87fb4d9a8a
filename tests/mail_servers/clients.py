"""Mail programs that people use, called from a script: what they make of a text on its way."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mail_servers.servers import DOMAIN, Servers


def neomutt(
    servers: Servers, folder: Path, sender: str, to: Sequence[str], text: str, *attached: Path
) -> None:
    """NeoMutt with `text_flowed`."""
    settings = folder / "neomuttrc"
    settings.write_text(
        f'set smtp_url = "smtp://127.0.0.1:{servers.smtp}"\nset from = "{sender}@{DOMAIN}"\n'
        "set text_flowed = yes\nset copy = no\nset ssl_starttls = no\nset ssl_force_tls = no\n"
        'set hostname = "example.org"\n'
        'set charset = "utf-8"\nset send_charset = "utf-8"\n'
    )
    files = [word for path in attached for word in ("-a", str(path))]
    command = [_need("neomutt"), "-n", "-F", str(settings), "-s", "orders", *files, "--", *_addresses(to)]
    _send(command, text, folder)


def s_nail(servers: Servers, folder: Path, sender: str, to: Sequence[str], text: str) -> None:
    """s-nail, which writes quoted-printable."""
    options = {
        "v15-compat": "yes",
        "mta": f"smtp://127.0.0.1:{servers.smtp}",
        "smtp-auth": "none",
        "from": f"{sender}@{DOMAIN}",
        "mime-encoding": "quoted-printable",
        "ttycharset": "utf-8",
        "sendcharsets": "utf-8",
        "hostname": DOMAIN,
        "DEAD": "/dev/null",
    }
    settings = [word for name, value in options.items() for word in ("-S", f"{name}={value}")]
    _send([_need("s-nail"), "-:/", *settings, "-s", "orders", *_addresses(to)], text, folder)


def _need(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"{program} is not installed (apt-get install {program})")
    return found


def _addresses(to: Sequence[str]) -> list[str]:
    return [f"{name}@{DOMAIN}" for name in to]


def _send(command: list[str], text: str, folder: Path) -> None:
    done = subprocess.run(
        command, input=text.encode(), capture_output=True, timeout=60, check=False, cwd=folder
    )
    assert done.returncode == 0, (command, done.stderr)
