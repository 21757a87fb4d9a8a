"""`game.yaml`, which tells people what game a folder holds, and the files that keep git from doing harm.

The tool never reads `game.yaml`: what counts is in the signed roster. So it may be commented freely.
"""

from __future__ import annotations

import json

from pbem.trust import sshsig
from pbem.trust.roster import Roster, Terms

ATTRIBUTES = """\
# signed bytes and files compared byte by byte: git must not change line ends in them
*.json -text
*.sig -text
*.bin binary
state.yaml -text
"""

GITIGNORE = """\
# keys, secrets and what only the owner of this folder may know
private/
outbox/
"""

_HEAD = """\
# What game this folder holds. For people: pbem never reads this file, so comments and notes are welcome.
# What counts is in roster.json, which everybody has signed.
"""


def before_roster(terms: Terms) -> str:
    """The file while people are still joining."""
    return _HEAD + _terms(terms) + "parties: []   # they stand here once everybody has joined\n"


def with_roster(roster: Roster) -> str:
    """The file once the roster is there."""
    lines = [f"game: {_text(roster.game)}   # compare it by another way than mail before you sign"]
    lines.append("parties:")
    for party in roster.parties:
        lines.append(f"  - id: {_text(party.id)}")
        lines.append(f"    role: {party.role}")
        lines.append(f"    name: {_text(party.name)}")
        lines.append(f"    mail: {_text(party.mail)}")
        lines.append(f"    key: {_text(sshsig.fingerprint(party.sign))}")
    return _HEAD + _terms(roster.terms) + "\n".join(lines) + "\n"


def _terms(terms: Terms) -> str:
    return (
        f"title: {_text(terms.title)}\n"
        f"system: {_text(terms.module.name)}   # {terms.module.version}\n"
        f"scenario: {_text(terms.scenario.name)}\n"
        f"dice: {terms.dice}   # one mail per player and stage\n"
        f"absent: {terms.absent}   # what happens when a player does not answer: stop waits, skip goes on\n"
    )


def _text(value: str) -> str:
    """A string that YAML and JSON read alike, with nothing in it that could end a line."""
    return json.dumps(value)
