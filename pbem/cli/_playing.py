"""`pbem demo --play SEAT`: lay a table on this computer, or go back to one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.archive import GM
from pbem.cli._console import is_terminal, note, print_json, result, strong
from pbem.cli._people import as_written
from pbem.cli._practice import Person, Practice, begin, table_in
from pbem.cli._words import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.system import System


def play_at_once(
    ctx: click.Context, system: System, scenario: str, seat: str, out: str | None, dice: str, as_json: bool
) -> None:
    """Begin or go back, say what this is, and on a terminal go on with the first step."""
    people = [as_written(one, system.players(system.scenario(scenario))) for one in seat.split(",")]
    root = Path(out or f"{system.name}-{'-'.join(people)}").absolute()
    there = table_in(root)
    practice = there or _begin(root, system, scenario, people, dice)
    others = [party for party in practice.seats if party not in practice.people]
    others = [*(one for one in others if one != GM), *(["the game master"] if GM in others else [])]
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
        result(strong(f"{title}: you are {practice.you}"))
        result(f"played by this computer: {listed(others)}; everything else is real:")
        result(
            "keys, signed orders, sealed bids, dice that nobody chose, an archive that `pbem verify` checks."
        )
    else:
        result(strong(f"{title}: you are {practice.you}; the game goes on"))
    result(f"your folder: {_short(practice.folder)}")
    result(f"any time:    cd {_short(root)}   and there   pbem next   (also: report, map, status, undo)")
    if is_terminal():
        _go_on(ctx, practice)


def _several(practice: Practice, system: System) -> None:
    """Several persons at this computer: a folder for each, and who is awaited."""
    title = str(system.scenario(practice.scenario).get("title") or system.title or system.name)
    result(strong(f"{title}: {listed(practice.people)} at this computer"))
    for folder in practice.folders:
        result(f"the folder of {folder.name}: {_short(folder)}")
    result(f"awaited: {listed(practice.awaited())}")
    result("each in his own folder: `pbem next`; in a browser, with a page between: `pbem table`")


def _begin(root: Path, system: System, scenario: str, people: list[str], dice: str) -> Practice:
    from pbem.cli._practice import NAME
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.suggest import did_you_mean

    players = system.players(system.scenario(scenario))
    for seat in people:
        if seat not in players:
            near = did_you_mean(seat, players)
            help_ = (f"did you mean '{near}'?",) if near else ()
            message = f"there is no seat '{seat}' in {scenario}, wanted one of: {listed(players)}"
            raise Refused(Diagnostic("unknown-seat", message, help=help_))
    if dice == "pair":
        _need_two(system, scenario, players)
    if root.exists() and any(root.iterdir()) and not (root / NAME).is_file():
        help_ = ("name a new folder with --out",)
        raise Refused(Diagnostic("folder-in-use", f"{root} is not empty", help=help_))
    root.mkdir(parents=True, exist_ok=True)
    note("laying the table: a key and a folder for everybody, invitation, roster, start position ...")
    title = str(system.scenario(scenario).get("title") or system.title or system.name)
    names = {seat: Person("You" if len(people) == 1 else seat.capitalize()) for seat in people}
    return begin(root, system, scenario, names, dice=dice, title=title)


def _need_two(system: System, scenario: str, players: Sequence[str]) -> None:
    """Refused where two cannot play without a game master."""
    from pbem.text.diagnostics import Diagnostic, Refused

    help_ = ("leave --dice pair out: then the computer is the game master",)
    if len(players) != 2:
        message = f"{scenario} has {len(players)} seats; without a GM exactly two can play"
        raise Refused(Diagnostic("not-for-pair", message, help=help_))
    if system.as_played(system.options(system.scenario(scenario), {})).hidden:
        message = (
            f"{system.title or system.name} hides units, and without a GM nobody can hold what is hidden"
        )
        raise Refused(Diagnostic("not-for-pair", message, help=help_))


def _go_on(ctx: click.Context, practice: Practice) -> None:
    from pbem.cli import next as next_command

    ctx.find_root().obj = {"directory": str(practice.folder)}
    note("")
    ctx.invoke(next_command.command, files=(), editor=False, by=None, yes=False, key_file=None, as_json=False)


def _short(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)
