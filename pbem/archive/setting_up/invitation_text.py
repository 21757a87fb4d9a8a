"""The invitation as people read it: what it is, who invites, and how to answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.roster import Terms

_ABSENT = {"stop": "archive.setting-up.game-waits", "skip": "archive.setting-up.it-goes-on-after-deadline"}
_SITE = re.compile(
    r"(?:https://|http://(?:127\.0\.0\.1|localhost)(?=[:/]))[^\s/?#@]{1,253}(?:/[\w./~%-]{0,300})?"
)
_JOIN = "#/join"
"""Where a site takes an invitation."""


def site_address(address: str) -> str:
    """Return the address of a site as it stands in an invitation; Refused if browsers could not use it."""
    if not address:
        return ""
    address = address.strip().partition("#")[0].removesuffix("index.html")
    if _SITE.fullmatch(address) is None:
        message = Message("archive.setting-up.no-address-of-a-site", address=address[:200])
        help_ = (Message("archive.setting-up.site-begins-with-https"),)
        raise Refused(Diagnostic("bad-site", message, help=help_))
    return address if address.endswith("/") else f"{address}/"


def invitation_lines(terms: Terms, seats: Sequence[str], name: str, mail: str, site: str) -> list[str]:
    """Return the lines of an invitation; with a site it says little about a program."""
    game = [
        Message("archive.setting-up.rules", module=terms.module.name, version=terms.module.version),
        Message("archive.setting-up.scenario", scenario=terms.scenario.name),
        Message("archive.setting-up.seats", seats=tuple(seats)),
        Message(
            "archive.setting-up.dice-player-who-does-not-answer",
            dice=terms.dice,
            absent=Message(_ABSENT[terms.absent]),
        ),
        "",
    ]
    return [*_what(terms, name, mail), *game, *(_by_site(site) if site else _by_program())]


def _what(terms: Terms, name: str, mail: str) -> list[str]:
    return [
        Message("archive.setting-up.invites-you", name=name, mail=mail, title=terms.title),
        Message("archive.setting-up.played-by-email"),
        "",
    ]


def _by_site(site: str) -> list[str]:
    return [
        Message("archive.setting-up.open-this-address"),
        "",
        f"    {site}{_JOIN}",
        "",
        Message("archive.setting-up.paste-this-email-there"),
        Message("archive.setting-up.nothing-is-agreed-yet"),
        "",
        Message("archive.setting-up.with-the-program"),
    ]


def _by_program() -> list[str]:
    return [
        Message("archive.setting-up.this-is-played-with-program-pbem"),
        Message("archive.setting-up.to-join-save-this-mail-or-file-among"),
        "",
        "    pbem next",
        "",
        Message("archive.setting-up.it-asks-which-seat-you-take"),
        Message("archive.setting-up.onto-page-and-nothing-is-settled"),
    ]
