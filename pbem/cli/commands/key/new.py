"""`pbem key new`: the key that signs: make a new one."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell.console import made, note
from pbem.cli.shell.keys import new_passphrase, own_key_file
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import json_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.key-new.help")
@click.option("--file", "file", type=click.Path(), help="cli.key-new.option-file")
@click.option("--no-passphrase", is_flag=True, help="cli.key-new.option-no-passphrase")
@json_option
def command(file: str | None, no_passphrase: bool, as_json: bool) -> None:
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.writing import write_all
    from pbem.trust import keys, sshsig

    path = Path(file) if file is not None else own_key_file()
    public_path = path.with_name(path.name + ".pub")
    if path.exists() or public_path.exists():
        help_ = (
            Message("cli.key-new.used-without-being-told"),
            Message("cli.key-new.one-more-for-another-seat", path=path.name),
        )
        raise Refused(
            Diagnostic("key-exists", Message("cli.made.file-is-there-already", file=path), help=help_)
        )
    data = keys.make_key(None if no_passphrase else new_passphrase(Message("cli.keys.new-key")))
    line = sshsig.public_line(keys.public_of(data))
    write_all({path: data, public_path: f"{line}\n".encode()}, private=[path])
    fingerprint = sshsig.fingerprint(keys.public_of(data))
    made({"file": str(path), "key": line, "fingerprint": fingerprint}, [str(path)])
    note(Message("cli.key-new.public-key", line=line))
    note(Message("cli.key-new.fingerprint", fingerprint=fingerprint))
    if file is None:
        note(Message("cli.key-new.used-from-now-on"))
    else:
        note(Message("cli.key-new.use-it-with", path=path))
