"""`game.yaml`, which tells people what game a folder holds, and files that keep git from doing harm.

The tool never reads `game.yaml`: what counts is in the signed roster. So it may be commented freely.
"""

from __future__ import annotations

import json

from pbem.trust import sshsig
from pbem.trust.roster import Roster, Terms

FORMER_ATTRIBUTES: tuple[str, ...] = (
    """\
# signed bytes and files compared byte by byte: git must not change line ends, here or in a clone
* -text
*.bin binary
""",
)
"""What earlier versions wrote."""
ATTRIBUTES = """\
# signed bytes and files compared byte by byte: git must not change line ends, here or in a clone
* -text
*.bin binary
# what people read in `git log -p` are state.yaml, reports and renderings, not these
stages/**/*.json -diff
stages/**/*.sig -diff
letters/*.json -diff
letters/*.sig -diff
inbox/**/*.json -diff
inbox/**/*.sig -diff
roster.json -diff
roster.*.sig -diff
"""

GITIGNORE = """\
# Only what everybody may read is published. Keys and secrets in private/ never are, nor are order files and
# notes that lie about. To publish a file of your own, add a line such as  !/notes.md
/*
!/.gitattributes
!/.gitignore
!/game.yaml
!/state.yaml
!/roster.json
!/scenario.json
!/roster.*.sig
!/allowed_signers
!/module.lock
!/stages/
!/letters/
!/inbox/
# left by a crash
.pbem-*.tmp
"""

FORMER_ATTRIBUTES += (ATTRIBUTES.replace("letters/*.json -diff\nletters/*.sig -diff\n", ""),)
FORMER_GITIGNORE = (GITIGNORE.replace("!/letters/\n", ""),)
"""Contents that versions without letters wrote."""

_HEAD = """\
# What game this folder holds. For people: pbem never reads this file, so comments and notes are welcome.
# What counts is in roster.json, which everybody has signed.
"""


def before_roster(terms: Terms) -> str:
    """Return the file while people are still joining."""
    return _HEAD + _terms(terms) + "parties: []   # they stand here once everybody has joined\n"


def with_roster(roster: Roster) -> str:
    """Return the file once the roster exists."""
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
    """Return a string that YAML and JSON read alike, on one line."""
    return json.dumps(value)
