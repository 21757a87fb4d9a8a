"""`pbem key show`: which key a new game would use."""

from __future__ import annotations

import click

from pbem.cli.shell.console import print_json, ready
from pbem.cli.shell.keys import usual_key
from pbem.cli.shell.language import Command, spoken
from pbem.cli.shell.options import json_option, key_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.key-show.help")
@key_option
@json_option
def command(key_file: str | None, as_json: bool) -> None:
    from pbem.trust import sshsig

    key = usual_key(key_file)
    public = key.signer.public
    line, print_ = sshsig.public_line(public), sshsig.fingerprint(public)
    if as_json:
        print_json({"key": line, "fingerprint": print_, "file": key.file})
        return
    ready(f"{print_}  {key.file or spoken(Message('cli.key-show.in-the-ssh-agent'))}")
    ready(line)
