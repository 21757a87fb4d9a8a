"""`pbem join`: answer an invitation."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.games.joining import joining_key, lying_about, own_scenario, role_of, taking_over
from pbem.cli.games.memory import opened
from pbem.cli.games.people import as_written, mail_option, name_option, who
from pbem.cli.post.coming import invitation_in
from pbem.cli.post.proxied import hand_in_entry
from pbem.cli.shell.console import is_terminal, made, note, to_send
from pbem.cli.shell.keys import game_passphrase
from pbem.cli.shell.language import Command, spoken, writing
from pbem.cli.shell.options import here, json_option, key_option
from pbem.cli.shell.words import safe
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.join.help")
@click.argument("invitation", required=False, type=click.Path(exists=True))
@click.argument("directory", metavar="[DIR]", required=False, type=click.Path())
@click.option("--as", "seat", metavar="SEAT", help="cli.join.option-as")
@click.option("--proxy", is_flag=True, help="cli.join.option-proxy")
@click.option("--observer", is_flag=True, help="cli.join.option-observer")
@click.option("--deputy", is_flag=True, help="cli.join.option-deputy")
@name_option
@mail_option
@click.option("--game", "game_id", metavar="ID", help="cli.join.option-game")
@click.option(
    "--private",
    "handed",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False),
    help="cli.join.option-private",
)
@click.option("--encrypt", is_flag=True, help="cli.join.option-encrypt")
@key_option
@json_option
def command(
    invitation: str | None,
    directory: str | None,
    seat: str | None,
    proxy: bool,
    observer: bool,
    deputy: bool,
    name: str,
    mail: str,
    game_id: str | None,
    handed: str | None,
    encrypt: bool,
    key_file: str | None,
    as_json: bool,
) -> None:
    from pbem.archive import Person, join, outbox, read_invitation

    invitation = invitation or lying_about()
    if Path(invitation).is_dir():
        taking_over(invitation, directory, seat, name, mail, encrypt, key_file, game_id, handed, deputy)
        return

    invited = invitation_in(Path(invitation)) or read_invitation(b"")  # reports that there is none
    title, scenario = safe(invited.terms.title), safe(invited.terms.scenario.name)
    note(Message("cli.join.invites", title=title, scenario=scenario, sender=safe(invited.sender)))
    for line in own_scenario(invited, here()):
        note(line)
    role = role_of(seat, deputy=deputy, observer=observer)
    seat = as_written(seat, invited.seats) if seat else _ask_seat(invited.seats)
    root = Path(directory) if directory else here() / f"{outbox.slug(invited.terms.title)}-{seat}"
    key = joining_key(invited.terms, root, key_file, role=role)
    name, mail = who(name, mail, key.signer.public)
    words = game_passphrase(encrypt)
    person = Person(name, mail, key.signer, key.file, words, writing)
    written = join(root.absolute(), invited, seat, person, role=role, proxy=proxy)
    files = to_send(written)
    opened(root.absolute())
    made({"seat": seat, "folder": str(root.absolute()), "files": files}, files)
    to = f"{safe(invited.sender)}, {safe(invited.mail)}" if invited.mail else safe(invited.sender)
    note(Message("cli.join.your-seat-and-folder", seat=seat, root=root))
    if proxy and hand_in_entry(root.absolute()):
        note(Message("cli.proxied.entry-is-in-your-game", party=seat))
        return
    note(Message("cli.join.mail-one-of-these-files", to=to))
    note(Message("cli.join.when-the-roster-comes", root=root))


def _ask_seat(seats: tuple[str, ...]) -> str:
    if not is_terminal():
        raise click.UsageError(Message("cli.join.say-which-seat-you-take", seats=tuple(seats)))
    while True:
        words = spoken(Message("cli.join.which-seat", seats=tuple(seats)))
        typed = as_written(click.prompt(words, default="", show_default=False, err=True), seats)
        if typed in seats:
            return typed
        note(Message("cli.join.type-one-of-these", seats=tuple(seats)))
