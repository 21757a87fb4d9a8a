"""`pbem demo --play SEAT`: begin a game on this computer, or go back to one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.archive import GM
from pbem.cli.games.people import as_written
from pbem.cli.games.practice import Person, Practice, begin, table_in
from pbem.cli.shell.console import is_terminal, note, print_json, result, strong
from pbem.cli.shell.words import listed
from pbem.text.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.system import System


def play_at_once(
    ctx: click.Context, system: System, scenario: str, seat: str, out: str | None, dice: str, as_json: bool
) -> None:
    """Begin or go back, say what this is, and on a terminal continue with the first step."""
    people = [as_written(name, system.players(system.scenario(scenario))) for name in seat.split(",")]
    root = Path(out or f"{system.name}-{'-'.join(people)}").absolute()
    there = table_in(root)
    practice = there or _begin(root, system, scenario, people, dice)
    others = [party for party in practice.seats if party not in practice.people]
    others = [
        *(other for other in others if other != GM),
        *([Message("cli.playing.the-game-master")] if GM in others else []),
    ]
    if as_json:
        seats = [party for party in practice.seats if party not in (*practice.people, GM)]
        data = {"folder": str(practice.folder), "table": str(root), "you": practice.you, "others": seats}
        print_json(data | {"people": list(practice.people)})
        return
    if len(practice.people) > 1:
        _several(practice, system)
        return
    title = str(system.scenario(practice.scenario).get("title") or system.title or system.name)
    if there is None:
        result(strong(Message("cli.playing.you-are", title=title, you=practice.you)))
        result(Message("cli.playing.played-by-the-computer", others=listed(others)))
        result(Message("cli.playing.what-is-real"))
    else:
        result(strong(Message("cli.playing.you-are-and-it-goes-on", title=title, you=practice.you)))
    result(Message("cli.playing.your-folder", folder=_short(practice.folder)))
    result(Message("cli.playing.any-time", folder=_short(root)))
    if is_terminal():
        _go_on(ctx, practice)


def _several(practice: Practice, system: System) -> None:
    """Show the table of several persons: a folder for each, and who is awaited."""
    title = str(system.scenario(practice.scenario).get("title") or system.title or system.name)
    result(
        strong(Message("cli.playing.people-at-this-computer", title=title, people=listed(practice.people)))
    )
    for folder in practice.folders:
        result(Message("cli.playing.folder-of", folder=folder.name, path=_short(folder)))
    result(Message("cli.playing.awaited", awaited=listed(practice.awaited())))
    result(Message("cli.playing.each-in-his-folder"))


def _begin(root: Path, system: System, scenario: str, people: list[str], dice: str) -> Practice:
    from pbem.cli.games.practice import NAME
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.suggest import did_you_mean

    players = system.players(system.scenario(scenario))
    for seat in people:
        if seat not in players:
            near = did_you_mean(seat, players)
            help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
            message = Message(
                "cli.playing.no-such-seat", seat=seat, scenario=scenario, players=listed(players)
            )
            raise Refused(Diagnostic("unknown-seat", message, help=help_))
    if dice == "pair":
        _need_two(system, scenario, players)
    if root.exists() and any(root.iterdir()) and not (root / NAME).is_file():
        help_ = (Message("cli.playing.name-a-new-folder"),)
        raise Refused(
            Diagnostic("folder-in-use", Message("cli.demo.folder-is-not-empty", root=root), help=help_)
        )
    root.mkdir(parents=True, exist_ok=True)
    note(Message("cli.playing.laying-the-table"))
    title = str(system.scenario(scenario).get("title") or system.title or system.name)
    names = {seat: Person("You" if len(people) == 1 else seat.capitalize()) for seat in people}
    return begin(root, system, scenario, names, dice=dice, title=title)


def _need_two(system: System, scenario: str, players: Sequence[str]) -> None:
    """Check that two can play without a game master; Refused if not."""
    from pbem.text.diagnostics import Diagnostic, Refused

    help_ = (Message("cli.playing.leave-pair-out"),)
    if len(players) != 2:
        message = Message("cli.playing.pair-wants-two-seats", scenario=scenario, count=len(players))
        raise Refused(Diagnostic("not-for-pair", message, help=help_))
    if system.as_played(system.options(system.scenario(scenario), {})).hidden:
        message = Message("cli.playing.hides-units-without-gm", title=system.title or system.name)
        raise Refused(Diagnostic("not-for-pair", message, help=help_))


def _go_on(ctx: click.Context, practice: Practice) -> None:
    from pbem.cli.commands import next as next_command

    ctx.find_root().obj = {"directory": str(practice.folder)}
    note("")
    ctx.invoke(next_command.command, files=(), editor=False, by=None, yes=False, key_file=None, as_json=False)


def _short(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
