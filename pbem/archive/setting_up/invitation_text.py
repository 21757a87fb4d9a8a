"""The invitation as people read it: what it is, who invites, and how to answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem import __version__
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.roster import Terms

_ABSENT = {"stop": "archive.setting-up.game-waits", "skip": "archive.setting-up.it-goes-on-after-deadline"}
_ADDRESS = re.compile(
    r"(?:https://|http://(?:127\.0\.0\.1|localhost)(?=[:/]))[^\s/?#@]{1,253}(?:/[\w./~%-]{0,300})?"
)
_JOIN = "#/join"
"""Where a site takes an invitation."""


@dataclass(frozen=True)
class Places:
    """Addresses in an invitation: a `site` to play at in a browser, and where to get the `program`."""

    site: str = ""
    program: str = ""

    @classmethod
    def of(cls, site: str, program: str) -> Places:
        """Return them as they stand in an invitation; Refused if browsers could not use one."""
        site = _address(site).removesuffix("index.html")
        return cls(site if site.endswith("/") or not site else f"{site}/", _address(program))


def _address(address: str) -> str:
    address = address.strip().partition("#")[0]
    if address and _ADDRESS.fullmatch(address) is None:
        message = Message("archive.setting-up.no-address-of-a-site", address=address[:200])
        help_ = (Message("archive.setting-up.site-begins-with-https"),)
        raise Refused(Diagnostic("bad-site", message, help=help_))
    return address


def invitation_lines(terms: Terms, seats: Sequence[str], name: str, mail: str, places: Places) -> list[str]:
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
    how = _by_site(places) if places.site else _by_program(name, places.program)
    return [*_what(terms, name, mail), *game, *how]


def _what(terms: Terms, name: str, mail: str) -> list[str]:
    return [
        Message("archive.setting-up.invites-you", name=name, mail=mail, title=terms.title),
        Message("archive.setting-up.played-by-email"),
        "",
    ]


def _by_site(places: Places) -> list[str]:
    return [
        Message("archive.setting-up.open-this-address"),
        "",
        f"    {places.site}{_JOIN}",
        "",
        Message("archive.setting-up.paste-this-email-there"),
        Message("archive.setting-up.nothing-is-agreed-yet"),
        "",
        Message("archive.setting-up.with-the-program"),
        *([Message("archive.setting-up.program-is-there", address=places.program)] if places.program else []),
    ]


def _by_program(name: str, address: str) -> list[str]:
    there = Message("archive.setting-up.program-is-there", address=address)
    return [
        Message("archive.setting-up.this-is-played-with-program-pbem", version=__version__),
        there if address else Message("archive.setting-up.ask-for-the-program", name=name),
        "",
        Message("archive.setting-up.to-join-save-this-mail-or-file-among"),
        "",
        "    pbem next",
        "",
        Message("archive.setting-up.it-asks-which-seat-you-take"),
        Message("archive.setting-up.onto-page-and-nothing-is-settled"),
    ]
