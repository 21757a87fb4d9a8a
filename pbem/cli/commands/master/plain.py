"""`pbem plain`: replies by plain email that wait for the GM, and the questions that they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import made, note, result, wants_json
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.post.plain_replies import Waits


@click.command(cls=Command, help="cli.plain.help")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--sign", is_flag=True, help="cli.plain.option-sign")
@click.option("--drop", is_flag=True, help="cli.plain.option-drop")
@click.option("--send", metavar="PLAYER", help="cli.plain.option-send")
@json_option
@in_folder
def command(
    folder: Folder, name: str | None, sign: bool, drop: bool, send: str | None, as_json: bool
) -> None:
    from pbem.cli.post import plain_replies

    folder.need_me("gm")
    if (sign or drop) and (name is None or (sign and drop)):
        raise click.UsageError(Message("cli.plain.name-a-reply"))
    if send is not None:
        _send(folder, send)
    elif name is None:
        _show(plain_replies.waiting(folder.root))
    elif sign:
        outcome = plain_replies.accept(folder, plain_replies.named(folder, name))
        made({"signed": name, "told": outcome}, [outcome])
        note(Message("cli.plain.send-the-receipt"))
    elif drop:
        plain_replies.drop(folder, plain_replies.named(folder, name))
        made({"dropped": name}, [])
    else:
        _show([plain_replies.named(folder, name)])


def _send(folder: Folder, party: str) -> None:
    """Write the questions of a player once more."""
    from pbem.cli.post.plain_lists import send_list
    from pbem.stages.plain_replies import writers
    from pbem.text.diagnostics import Diagnostic, Refused

    known = writers(folder.need_roster())
    entry = known.get(party.strip().lower())
    if entry is None:
        message = Message("cli.plain.does-not-play-so", party=party, known=tuple(known))
        raise Refused(Diagnostic("not-proxied", message))
    files = send_list(folder, entry, again=True)
    made({"files": files}, files)


def _show(replies: list[Waits]) -> None:
    if wants_json():
        from dataclasses import asdict

        from pbem.cli.shell.console import print_json

        print_json({"waiting": [{"name": reply.name, **asdict(reply)} for reply in replies]})
        return
    for reply in replies:
        result(Message("cli.plain.waits", party=reply.party, why=reply.why, name=reply.name))
        for line in reply.text.split("\n"):
            result(safe(line, 400), before="  | ")
        if reply.clear:
            result(Message("cli.plain.understood-so", said=safe(reply.said, 2000)))
            note(Message("cli.plain.sign-or-drop", name=reply.name))
        else:
            result(Message("cli.plain.not-understood", fault=safe(reply.fault, 400)))
            note(Message("cli.plain.write-it-down", party=reply.party, name=reply.name))
    if not replies:
        note(Message("cli.plain.nothing-waits"))
