"""`pbem rule`: the GM changes the position and gives a reason."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.games.amend import told
from pbem.cli.shell.console import confirmed, note
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

_MANY: dict[str, Any] = {"multiple": True}


@click.command(cls=Command, help="cli.rule.help")
@click.option("--reason", required=True, metavar="TEXT", help="cli.amend-power.option-reason")
@click.option("--move", metavar="ID=HEX", **_MANY, help="cli.rule.option-move")
@click.option("--remove", metavar="ID", **_MANY, help="cli.rule.option-remove")
@click.option("--add", metavar="ID=JSON", **_MANY, help="cli.rule.option-add")
@click.option("--set", "set_", metavar="ID.FIELD=VALUE", **_MANY, help="cli.rule.option-set")
@click.option("--track", metavar="PATH=VALUE", **_MANY, help="cli.rule.option-track")
@click.option("--override", metavar="NAME", **_MANY, help="cli.rule.option-override")
@yes_option
@key_option
@json_option
@in_folder
def command(
    folder: Folder,
    reason: str,
    move: tuple[str, ...],
    remove: tuple[str, ...],
    add: tuple[str, ...],
    set_: tuple[str, ...],
    track: tuple[str, ...],
    override: tuple[str, ...],
    yes: bool,
    key_file: str | None,
    as_json: bool,
) -> None:
    from pbem.archive import proposing
    from pbem.stages.amendment_words import change_words

    changes = _changes(move, remove, add, set_, track, override)
    if not changes:
        raise click.UsageError(Message("cli.rule.say-what-changes"))
    proposing.ruling_op(folder, changes, reason)
    for change in changes:
        note(change_words(change), before="- ")
    confirmed(Message("cli.rule.rule-so"), yes, Message("cli.rule.wants-a-terminal-or-yes"))
    told(folder, proposing.rule(folder, changes, reason, folder_key(folder, key_file)))


def _changes(
    move: tuple[str, ...],
    remove: tuple[str, ...],
    add: tuple[str, ...],
    set_: tuple[str, ...],
    track: tuple[str, ...],
    override: tuple[str, ...],
) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"remove": id_} for id_ in remove]
    made += [{"add": id_, "fields": _fields(text)} for id_, text in map(_pair, add)]
    made += [{"move": id_, "to": hex_} for id_, hex_ in map(_pair, move)]
    for name, text in map(_pair, set_):
        id_, dot, field = name.rpartition(".")
        if not dot:
            raise click.UsageError(Message("cli.rule.wanted-id-field-value", name=name))
        made.append({"set": id_, "fields": {field: _value(text)}})
    made += [{"track": path, "value": _value(text)} for path, text in map(_pair, track)]
    return made + [{"override": name} for name in override]


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(Message("cli.rule.wanted-name-value", text=text))
    return name, value


def _fields(text: str) -> dict[str, Any]:
    value = _value(text)
    if not isinstance(value, dict):
        raise click.UsageError(Message("cli.rule.wanted-fields-of-a-counter", text=text))
    return value


def _value(text: str) -> Any:
    """Return JSON if it is JSON without fractions, else text: hexes such as 0305 are text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, float) else value
