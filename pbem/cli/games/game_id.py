"""The roster as it is read before it is signed, and the game id in groups that can be read out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.trust.roster import Roster

ENOUGH = 32
"""Hex digits of a game id that nobody can forge."""


def shown(roster: Roster) -> list[str]:
    from pbem.cli.shell.language import spoken
    from pbem.cli.shell.words import safe
    from pbem.trust import sshsig

    terms = roster.terms
    lines = [
        Message("cli.game-id.title", title=safe(terms.title)),
        Message("cli.game-id.rules", name=safe(terms.module.name), version=safe(terms.module.version or "")),
        Message("cli.game-id.scenario", scenario=safe(terms.scenario.name)),
        Message("cli.game-id.dice-absent", dice=terms.dice, absent=terms.absent),
        Message("cli.game-id.game-id", digits=grouped(roster.game[:ENOUGH])),
        f"          {grouped(roster.game[ENOUGH:])}",
        Message("cli.game-id.first-line-is-enough"),
    ]
    for party in roster.parties:
        address = f"{safe(party.name)} <{safe(party.mail)}>"
        key = sshsig.fingerprint(party.sign)
        words = spoken(Message("cli.game-id.key-and-who-holds-it", key=key, proxy=party.proxy))
        lines.append(Worded(f"  {party.id:<16} {spoken(party.role):<8} {address}  {words}"))
    return lines


def grouped(digits: str) -> str:
    """Return groups that can be read out: `cc60 3a0b 1a7d d1e7 fb70 db71 aff0 7aee`."""
    groups = [digits[n : n + 4] for n in range(0, len(digits), 4)]
    return "  ".join(" ".join(groups[n : n + 4]) for n in range(0, len(groups), 4))


def compare(given: str, game: str) -> None:
    from pbem.text.diagnostics import Diagnostic, Refused

    digits = "".join(given.lower().split()).replace("-", "")
    if len(digits) < ENOUGH:
        message = Message("cli.game-id.short-game-id", count=len(digits))
        raise Refused(Diagnostic("short-game-id", message))
    if not game.startswith(digits):
        help_ = (Message("cli.game-id.do-not-sign-it"),)
        raise Refused(Diagnostic("other-game", Message("cli.game-id.other-game"), help=help_))
