"""`pbem compare`: show where the records of two players first differ, if their heads do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import bad, good, made, note, result, to_send, wants_json
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Computed, Folder


@click.command(cls=Command, help="cli.compare.help")
@click.argument("file", required=False, type=click.Path(exists=True))
@click.option("--write", is_flag=True, help="cli.compare.option-write")
@key_option
@json_option
@in_folder
@click.pass_context
def command(
    ctx: click.Context, folder: Folder, file: str | None, write: bool, key_file: str | None, as_json: bool
) -> None:
    from pbem.archive import comparing
    from pbem.mail.read import read_path

    folder.need_me()
    if file is None and not (write or comparing.disputed(folder)):
        _undisputed(comparing.own(folder))
        return
    if file is None:
        files = to_send(comparing.export(folder, folder_key(folder, key_file)))
        mine = comparing.own(folder)
        made({"stage": mine.stage, "head": mine.head, "files": files}, files)
        note(Message("cli.compare.mail-your-record-to-the-other", stage=mine.stage, head=mine.head))
        return
    other = comparing.read(folder, read_path(Path(file)).signed)
    ctx.exit(_compared(comparing.own(folder, other.stage), other))


def _undisputed(mine: Computed) -> None:
    made({"stage": mine.stage, "head": mine.head, "files": []}, [])
    if not wants_json():
        result(Message("cli.compare.your-record-has-this-head", stage=mine.stage, head=mine.head))
        note(Message("cli.compare.nothing-is-disputed"))


def _compared(mine: Computed, other: Computed) -> int:
    from pbem.archive import comparing

    difference = comparing.difference(mine, other)
    if wants_json():
        heads = {mine.by: mine.head, other.by: other.head}
        made(
            {
                "stage": mine.stage,
                "member": difference.member,
                "lines": list(difference.lines),
                "heads": heads,
            },
            [],
        )
    elif difference.member is None:
        result(good(Message("cli.compare.both-have-this-head", stage=mine.stage, head=mine.head)))
    else:
        result(
            bad(Message("cli.compare.first-member-that-differs", stage=mine.stage, member=difference.member))
        )
        for line in difference.lines:
            result(safe(line, 400), before="  ")
    return 0 if difference.member is None else 1
