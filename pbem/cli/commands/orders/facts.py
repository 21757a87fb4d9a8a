"""`pbem orders facts`: what conditions of orders may test of the position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import print_json, ready, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

_OTHERS = ("asked", "standing", "event", "refused", "default", "ahead", "ruling", "game")


@click.command(cls=Command, help="cli.orders-facts.help")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@json_option
@in_folder
def command(folder: Folder, words: tuple[str, ...], as_json: bool) -> None:
    from pbem.archive import order_form

    facts = folder.view().facts
    chosen = {
        name: value
        for key in sorted(facts)
        if key.split("/")[0] not in _OTHERS
        for name, value in _simple(key, facts[key])
        if all(word in name for word in words)
    }
    if as_json:
        print_json([{"fact": name, "value": value} for name, value in chosen.items()])
        return
    for name, value in chosen.items():
        shown = str(value).lower() if isinstance(value, bool) else safe(str(value), 200)
        ready(f"{safe(name, 200)}: {shown}")
    for kind, names in order_form.kinds(folder.system).items():
        if names and all(any(word in name_part for name_part in (kind, *names)) for word in words):
            result(Message("cli.orders-facts.question", kind=kind, names=tuple(names)))


def _simple(name: str, value: Any) -> Iterator[tuple[str, str | int]]:
    """Yield the ways into a value that end at a text or a number."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _simple(f"{name}/{key}", value[key])
    elif isinstance(value, str | int) and "/" in name:
        yield name, value
