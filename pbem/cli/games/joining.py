"""Joining a game: what came with an invitation, keys, and a seat in a running game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.games.people import who
from pbem.cli.shell.console import made, note, to_send
from pbem.cli.shell.keys import Key, game_passphrase, key_of_the_game, playing_key
from pbem.cli.shell.language import writing
from pbem.cli.shell.options import here
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Invitation
    from pbem.trust.roster import Role, Terms


def own_scenario(invitation: Invitation, around: Path) -> list[str]:
    """Return what to know of an invitation's scenario, if it is not the package's; Refused if unsound.

    It is compared with the packaged one, and with folders of the same id that lie `around`.
    """
    if invitation.whole is None:
        return []
    from pbem.engine.scenarios.scenario_check import need_sound
    from pbem.engine.system import find
    from pbem.workshop.telling import beside_mine, own_lines

    system = find(invitation.terms.module.name)
    need_sound(system, invitation.whole)
    return [*own_lines(system, invitation.whole), *beside_mine(system, invitation.whole, around)]


def taking_over(
    source: str,
    directory: str | None,
    seat: str | None,
    name: str,
    mail: str,
    encrypt: bool,
    key_file: str | None,
    game_id: str | None,
    handed: str | None,
    deputy: bool,
) -> None:
    """Make the folder from the archive, and the email with the entry that the others are to sign."""
    from pbem.archive import Person, join_as_deputy, join_running, terms_of
    from pbem.stages import gunboat

    if seat is None:
        words_ = "cli.join.say-an-id-of-your-own" if deputy else "cli.joining.say-whose-seat-you-take-over"
        raise click.UsageError(Message(words_))
    root = Path(directory) if directory else here() / f"{Path(source).absolute().name}-{seat}"
    terms = terms_of(Path(source))
    role: Role = "deputy" if deputy else "gm" if terms is not None and seat == terms.arbiter else "player"
    key = joining_key(terms, root, key_file, role=role)
    name, mail = who(name, mail, key.signer.public)
    words = game_passphrase(encrypt)
    person = Person(name, mail, key.signer, key.file, words, writing)
    old = Path(handed) if handed is not None else None
    place = Path(source), root.absolute()
    if deputy:
        written = join_as_deputy(*place, seat, person, game_id=game_id)
    else:
        written = join_running(*place, seat, person, game_id=game_id, handed=old)
    files = to_send(written)
    made({"seat": seat, "folder": str(root.absolute()), "files": files}, files)
    to_gm = terms is not None and gunboat.of(terms)
    note(Message("cli.joining.mail-one-of-these-files", root=root, gm=to_gm))
    note(
        Message("cli.joining.gm-proposes-you-with" if deputy else "cli.joining.others-propose-you-with"),
        before="  ",
    )
    note(Message("cli.joining.then-sign-as-well", root=root))


def joining_key(terms: Terms | None, root: Path, key_file: str | None, *, role: Role) -> Key:
    """Return the key for a seat: under a pseudonym one made for this game alone, which names nobody."""
    from pbem.archive import need_free
    from pbem.stages import gunboat

    if role != "player" or terms is None or not gunboat.of(terms):
        return playing_key(key_file)
    if key_file is not None and Path(key_file).absolute().parent == root.absolute() / "private":
        return playing_key(key_file)  # it was made for this folder
    if key_file is not None:
        raise click.UsageError(Message("cli.join.no-own-key-under-a-pseudonym"))
    need_free(root.absolute())
    note(Message("cli.join.under-a-pseudonym"))
    return key_of_the_game(root)


def role_of(seat: str | None, *, deputy: bool, observer: bool) -> Role:
    """Return the role that somebody joins in; wrong usage if one without a seat has no id."""
    if deputy and observer:
        raise click.UsageError(Message("cli.join.deputy-or-observer"))
    if (deputy or observer) and seat is None:
        raise click.UsageError(Message("cli.join.say-an-id-of-your-own"))
    return "deputy" if deputy else "observer" if observer else "player"


def lying_about() -> str:
    """Return the one saved invitation nearby; wrong usage unless there is exactly one."""
    from pbem.cli.post.coming import invitations

    paths = invitations(here())
    if len(paths) == 1:
        note(Message("cli.joining.invitation-found", found=paths[0]))
        return str(paths[0])
    if paths:
        listed = ", ".join(str(path) for path in paths[:4])
        raise click.UsageError(Message("cli.joining.several-invitations", count=len(paths), listed=listed))
    raise click.UsageError(Message("cli.joining.name-the-invitation"))
