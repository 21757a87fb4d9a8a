"""`pbem sign`: sign the roster, the only thing that all parties sign."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import click

from pbem.cli._console import confirmed, made, note, to_send
from pbem.cli._keys import folder_key
from pbem.cli._options import in_folder, json_option, key_option, yes_option

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.trust.roster import Roster


ENOUGH = 32
"""Hex digits of a game id that nobody can forge."""


@click.command()
@click.option("--game", "compared", metavar="ID", help="The game id you compared: 32 digits or more of it.")
@yes_option
@key_option
@json_option
@in_folder
def command(folder: Folder, compared: str | None, yes: bool, key_file: str | None, as_json: bool) -> None:
    """Sign the roster, after reading it. The GM makes it first, once everybody has joined.

    Orders are signed with `pbem orders sign` (or `pbem next`), amendments with `pbem amend sign`.

    Compare the game id with the others by another way than mail (telephone, a club's page): it covers
    all keys at once. With --game the comparison is made for you.

    \b
    Example:  pbem sign --game 94901e555ec7eb8a004cadeef9119356
    """
    from pbem.archive import build_roster, sign_roster
    from pbem.cli._telling import renderer

    gm = folder.roster is None and folder.initiates
    if folder.roster is not None and folder.me not in folder.unsigned():
        _signed_already(folder)
    roster = build_roster(folder) if gm else folder.need_roster()
    for line in _shown(roster):
        note(line)
    if compared is not None:
        _compare(compared, roster.game)
    question = "sign it?" if gm else "is this what you joined, and is the game id the same for the others?"
    confirmed(question, yes or compared is not None, "sign needs a terminal to ask, or --game ID, or --yes")
    written = sign_roster(folder, folder_key(folder, key_file), render=renderer(folder))
    missing, files = folder.unsigned(), to_send(written)
    made({"game": roster.game, "files": files, "unsigned": list(missing)}, files)
    if missing:
        note(f"mail it to {_reader(folder)}; not signed yet: {', '.join(missing)}")
    else:
        note(f"mail it to {_reader(folder)}; all have signed" + _starts(folder))


def _shown(roster: Roster) -> list[str]:
    from pbem.cli._words import safe
    from pbem.trust import sshsig

    terms = roster.terms
    lines = [
        f"title     {safe(terms.title)}",
        f"rules     {safe(terms.module.name)} {safe(terms.module.version or '')}",
        f"scenario  {safe(terms.scenario.name)}",
        f"dice      {terms.dice}, absent: {terms.absent}",
        f"game id   {grouped(roster.game[:ENOUGH])}",
        f"          {grouped(roster.game[ENOUGH:])}",
        "          the first line is enough to compare; blanks and capitals do not matter",
    ]
    for party in roster.parties:
        who = f"{safe(party.name)} <{safe(party.mail)}>"
        held = f"; his keys are held by {party.proxy}" if party.proxy is not None else ""
        lines.append(f"  {party.id:<16} {party.role:<8} {who}  {sshsig.fingerprint(party.sign)}{held}")
    return lines


def grouped(digits: str) -> str:
    """In groups that can be read out: `cc60 3a0b 1a7d d1e7  fb70 db71 aff0 7aee`."""
    groups = [digits[n : n + 4] for n in range(0, len(digits), 4)]
    return "  ".join(" ".join(groups[n : n + 4]) for n in range(0, len(groups), 4))


def _compare(given: str, game: str) -> None:
    from pbem.text.diagnostics import Diagnostic, Refused

    digits = "".join(given.lower().split()).replace("-", "")
    if len(digits) < ENOUGH:
        message = f"--game has {len(digits)} digits: compare 32 or more, fewer can be forged"
        raise Refused(Diagnostic("short-game-id", message))
    if not game.startswith(digits):
        help_ = ("do not sign it: somebody between you and the others may have changed the keys",)
        raise Refused(Diagnostic("other-game", "the roster here has another game id", help=help_))


def _reader(folder: Folder) -> str:
    """Who needs the signature: the GM's first report brings it to the others."""
    arbiter = folder.terms.arbiter
    if arbiter is None or folder.is_gm:
        return "everybody"
    return f"{arbiter}, whose first report brings it to everybody"


def _starts(folder: Folder) -> str:
    """How the game starts, for whoever starts it."""
    if folder.terms.dice == "pair":
        return ": `pbem status` says whose turn it is"
    return ": `pbem adjudicate` starts the game" if folder.is_gm else ""


def _signed_already(folder: Folder) -> NoReturn:
    """Refused: what is probably meant is something else."""
    from pbem.archive import waiting_letters
    from pbem.text.diagnostics import Diagnostic, Refused

    name = f"roster-{folder.me}"
    waits = [
        one.name
        for one in waiting_letters.letters(folder, waiting_letters.book(folder))
        if name in one.name and one.state == "ready"
    ]
    help_ = [f"its letter is {waits[0]}"] if waits and folder.stage < 0 else []
    help_ += ["orders are signed with `pbem orders sign`, amendments with `pbem amend sign`"]
    raise Refused(Diagnostic("signed-already", "you have signed the roster already", help=tuple(help_)))
