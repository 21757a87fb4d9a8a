"""Amendments: whether one closes its stage, and whose signatures it needs (protocol 4.4).

`inforce` applies its effects.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.text import narrow
from pbem.text.messages import Message
from pbem.trust import sshsig
from pbem.trust.bodies import CLOSING
from pbem.trust.errors import BadKey, BadSignature, BadStatement
from pbem.trust.roster import OUTSIDE, Dice, Party
from pbem.trust.statements import Statement

_BY_ALL = frozenset(("option", "module", "chain", "rewind"))


def closes(amendment: Statement) -> bool:
    """Return True if no orders count in the stage of this amendment."""
    return any(op["op"] in CLOSING for op in amendment.amendment.ops)


def needed_keys(amendment: Statement, parties: Sequence[Party], dice: Dice) -> frozenset[bytes]:
    """Return the keys that must all have signed; `parties` are those of the stage, without dropped ones.

    BadStatement if an op names a party that is not in the game, or one that `pair` does not know.
    """
    playing = {party.id: party.sign for party in parties if party.role not in OUTSIDE}
    everybody = {party.id: party.sign for party in parties}
    keys: set[bytes] = set()
    for i, op in enumerate(amendment.amendment.ops):
        name, party = narrow.text(op["op"]), narrow.text(op.get("party", ""))
        if name == "deputy" and "sign" in op:
            keys |= {*playing.values(), sshsig.parse_public_line(narrow.text(op["sign"]))}
            continue
        if name != "party" and "party" in op and party not in everybody:
            raise BadStatement(Message("trust.amend.not-in-game", party=party), ("body", "ops", i, "party"))
        if dice == "pair" and name == "drop":
            raise BadStatement(Message("trust.amend.nobody-can-dropped-from-game"), ("body", "ops", i))
        if name == "key":
            keys.add(everybody[party])
        elif name == "deputy":  # the GM ends it, or the deputy where a player says so
            by_gm = amendment.sender in (entry.id for entry in parties if entry.role == "gm")
            keys.add(everybody[amendment.sender if by_gm else party])
        elif name in _BY_ALL or (name == "ruling" and dice == "pair"):
            keys.update(playing.values())
        elif name == "ruling":
            keys.update(entry.sign for entry in parties if entry.role == "gm")
        else:  # for party and drop: all others sign; in `pair` the old key too; a dropped party has none
            keys.update(sign for player, sign in playing.items() if player != party or dice == "pair")
        if "sign" in op:
            keys.add(sshsig.parse_public_line(narrow.text(op["sign"])))
    return frozenset(keys)


def signed_by(amendment: Statement, signatures: Iterable[str], keys: frozenset[bytes]) -> frozenset[bytes]:
    """Return the needed keys that have signed, by good signatures over the same bytes.

    Bad ones do not count.
    """
    keys_ = set()
    for armour in signatures:
        try:
            public, _ = sshsig.decode(armour)
            if public in keys:
                sshsig.verify(public, armour, amendment.bytes)
                keys_.add(public)
        except (BadSignature, BadKey):
            continue
    return frozenset(keys_)
