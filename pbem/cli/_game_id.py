"""The roster as it is read before it is signed, and the game id in groups that can be read out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.trust.roster import Roster

ENOUGH = 32
"""Hex digits of a game id that nobody can forge."""


def shown(roster: Roster) -> list[str]:
    from pbem.cli._language import spoken
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
        key = sshsig.fingerprint(party.sign)
        lines.append(f"  {party.id:<16} {spoken(party.role):<8} {who}  {key}{held}")
    return lines


def grouped(digits: str) -> str:
    """In groups that can be read out: `cc60 3a0b 1a7d d1e7  fb70 db71 aff0 7aee`."""
    groups = [digits[n : n + 4] for n in range(0, len(digits), 4)]
    return "  ".join(" ".join(groups[n : n + 4]) for n in range(0, len(groups), 4))


def compare(given: str, game: str) -> None:
    from pbem.text.diagnostics import Diagnostic, Refused

    digits = "".join(given.lower().split()).replace("-", "")
    if len(digits) < ENOUGH:
        message = f"--game has too few digits, {len(digits)}: compare 32 or more, fewer can be forged"
        raise Refused(Diagnostic("short-game-id", message))
    if not game.startswith(digits):
        help_ = ("do not sign it: somebody between you and the others may have changed the keys",)
        raise Refused(Diagnostic("other-game", "the roster here has another game id", help=help_))
