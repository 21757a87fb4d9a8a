"""`pbem sign`: sign the roster, the only thing that all parties sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

from pbem.cli.games.game_id import compare, shown
from pbem.cli.shell.console import confirmed, made, note, to_send
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import in_folder, json_option, key_option, yes_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


@click.command(cls=Command, help="cli.sign.help")
@click.option("--game", "compared", metavar="ID", help="cli.sign.option-game")
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, compared: str | None, yes: bool, key_file: str | None, as_json: bool) -> None:
    from pbem.archive import build_roster, sign_roster
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.mail import letters_in

    gm = folder.roster is None and folder.initiates
    if folder.roster is not None and folder.me not in folder.unsigned():
        _signed_already(folder)
    roster = build_roster(folder) if gm else folder.need_roster()
    for line in [*shown(roster), *_own_scenario(folder), *_pseudonyms(folder)]:
        note(line)
    if compared is not None:
        compare(compared, roster.game)
    question = Message("cli.amend.sign-it") if gm else Message("cli.sign.is-this-what-you-joined")
    confirmed(question, yes or compared is not None, Message("cli.sign.wants-a-terminal-or-yes"))
    render = renderer(letters_in(folder))
    written = sign_roster(folder, folder_key(folder, key_file), render=render)
    if folder.is_gm:
        from pbem.cli.post.proxied import sign_for_held

        for party in sign_for_held(folder):
            note(Message("cli.proxied.signed-for", party=party))
    missing, files = folder.unsigned(), to_send(written)
    made({"game": roster.game, "files": files, "unsigned": list(missing)}, files)
    if missing:
        note(Message("cli.sign.mail-not-signed-yet", reader=_reader(folder), missing=tuple(missing)))
    else:
        note(
            Message(
                "cli.sign.mail-it-all-have-signed",
                reader=_reader(folder),
                pair=folder.terms.dice == "pair",
                gm=folder.is_gm,
            )
        )


def _pseudonyms(folder: Folder) -> list[str]:
    """Return what to compare before signing in a game where all email goes by way of the GM."""
    from pbem.stages import gunboat

    if not gunboat.of(folder.terms):
        return []
    return [
        Message("cli.sign.compare-on-a-page" if folder.role == "player" else "cli.sign.publish-on-a-page")
    ]


def _own_scenario(folder: Folder) -> list[str]:
    """Return what to know of the game's scenario, if it is not the package's."""
    if folder.scenario is None:
        return []
    from pbem.engine.system import find
    from pbem.workshop.telling import own_lines

    return own_lines(find(folder.scenario.system), folder.scenario)


def _reader(folder: Folder) -> str:
    """Return who needs the signature: the GM's first report brings it to the others."""
    from pbem.stages import gunboat

    arbiter = folder.terms.arbiter
    if folder.is_gm and gunboat.of(folder.terms):
        return Message("cli.sign.each-player-alone")
    if arbiter is None or folder.is_gm:
        return Message("cli.sign.everybody")
    return Message("cli.sign.arbiter-brings-it-to-everybody", gm=arbiter)


def _signed_already(folder: Folder) -> NoReturn:
    """Refuse a second signature, and name what was probably meant."""
    from pbem.archive import waiting_letters
    from pbem.text.diagnostics import Diagnostic, Refused

    name = f"roster-{folder.me}"
    waits = [
        letter.name
        for letter in waiting_letters.letters(folder, waiting_letters.book(folder))
        if name in letter.name and letter.state == "ready"
    ]
    help_ = [Message("cli.sign.letter-waits", waits=waits[0])] if waits and folder.stage < 0 else []
    help_ += [Message("cli.sign.orders-are-signed-otherwise")]
    raise Refused(Diagnostic("signed-already", Message("cli.sign.signed-already"), help=tuple(help_)))
