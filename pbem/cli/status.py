"""`pbem status`: where the game stands, who owes what, and the command that does my part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pbem.cli._console import bad, good, print_json, result, strong
from pbem.cli._failures import AWAITED, DONE
from pbem.cli._options import in_folder, json_option
from pbem.cli._standing import PartyState, Standing, stand
from pbem.cli._words import safe

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command()
@click.option("--exit-code", is_flag=True, help="Exit with 3 where something is still awaited.")
@json_option
@in_folder
@click.pass_context
def command(ctx: click.Context, folder: Folder, exit_code: bool, as_json: bool) -> None:
    """Show where the game stands, who owes what by when, and what you owe with the command that does it.

    \b
    Example:  pbem status
              pbem status --exit-code || echo "not all orders are in"
    """
    found = stand(folder)
    if as_json:
        print_json(_data(found))
    else:
        tell(found)
    ctx.exit(AWAITED if exit_code and found.awaited else DONE)


def tell(found: Standing, *, brief: bool = False) -> None:
    """How a game stands; `brief`: in three lines."""
    result(strong(safe(found.title)))
    if brief:
        result(f"you are {found.me or 'a reader'}; now: {safe(found.place)}")
        for line in found.mine:
            result(f"you owe: {safe(line, 400)}")
        return
    game = f"game {found.game[:12]}, " if found.game else ""
    result(f"{game}{safe(found.scenario)}, you are {found.me or 'a reader without a private side'}")
    result(f"now: {safe(found.place)}")
    for party in found.parties:
        mark = bad(f"{party.state:<12}") if party.awaited else good(f"{party.state:<12}")
        came = f", came {safe(party.arrived)}" if party.arrived else ""
        result(f"  {party.id:<16} {mark} {safe(party.words, 300)}{came}".rstrip())
        for step in party.steps:
            if step.command and step.what != "amend":  # nobody is put out of a game by habit
                result(f"  {'':<16} {'':<12} {step.words}: {step.command}")
    if found.due:
        result(f"due: {safe(found.due)}{f' ({found.left})' if found.left else ''}")
    for line in found.warnings:
        result(bad(f"warning: {safe(line, 400)}"))
    for line in found.mine:
        result(f"you owe: {safe(line, 400)}")
    for seat, led in found.powers.items():
        result(f"  {safe(seat):<16} leads {safe(', '.join(led), 400)}")
    for line in found.ahead:
        result(f"ahead: {safe(line, 400)}")
    if found.command:
        result(f"next: {found.command}")


def _data(found: Standing) -> dict[str, Any]:
    return {
        "title": found.title,
        "game": found.game or None,
        "scenario": found.scenario,
        "me": found.me,
        "stage": found.stage,
        "place": found.place,
        "finished": found.finished,
        "parties": [_party(one) for one in found.parties],
        "due": found.due or None,
        "due_left": found.left or None,
        "warnings": list(found.warnings),
        "mine": list(found.mine),
        "ahead": list(found.ahead),
        "powers": {seat: list(led) for seat, led in found.powers.items()},
        "next": found.command or None,
        "awaited": found.awaited,
    }


def _party(one: PartyState) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": one.id, "state": one.state, "awaited": one.awaited, "words": one.words}
    shown["arrived"] = one.arrived or None
    if one.since is None:
        return shown
    steps = [{"what": step.what, "words": step.words, "command": step.command or None} for step in one.steps]
    return {**shown, "since": one.since, "owes": list(one.owes), "reason": one.reason or None, "next": steps}
