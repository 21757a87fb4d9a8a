"""Whether a signed statement may count, as far as it can be told without the game's history (protocol 5.3).

What needs the history comes after: who was asked, the open stage, `prev`, revisions, links and openings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.text.canonical import NotCanonical
from pbem.trust import sshsig
from pbem.trust.bodies import STANDING
from pbem.trust.errors import BadKey, BadSignature, BadStatement, NotAccepted
from pbem.trust.roster import Dice, Party
from pbem.trust.statements import MAX_FROM_GM, MAX_FROM_PLAYER, Statement, parse

_PLAYER, _GM, _BOTH = ("player",), ("gm",), ("gm", "player")
_ROLES: Mapping[str, tuple[str, ...]] = {
    "order": _PLAYER,
    "standing": _PLAYER,
    "link": _PLAYER,
    "ack": _GM,
    "lock": _GM,
    "report": _GM,
    "view": _GM,
    "amend": _BOTH,
    "unseal": _BOTH,
    "protest": ("gm", "player", "observer"),
}
_ABSENT_TYPES: Mapping[str, tuple[str, ...]] = {
    "swift": ("lock", "link"),
    "locked": (),
    "pair": ("ack", "lock", "report", "view"),
}


def signer(data: bytes, armour: str, parties: Sequence[Party]) -> Party:
    """The party that signed these bytes; NotAccepted with code size, signer or signature if none did."""
    if len(data) > MAX_FROM_GM:
        raise NotAccepted("size", f"{len(data)} bytes, where a statement has {MAX_FROM_GM} at the most")
    try:
        public, _ = sshsig.decode(armour)
    except BadSignature as fault:
        raise NotAccepted("signature", str(fault)) from None
    party = next((one for one in parties if one.sign == public), None)
    if party is None:
        raise NotAccepted(
            "signer", f"signed by {sshsig.fingerprint(public)}, which is nobody's key in this game"
        )
    if party.role != "gm" and len(data) > MAX_FROM_PLAYER:
        raise NotAccepted(
            "size", f"{len(data)} bytes, where a player's statement has {MAX_FROM_PLAYER} at the most"
        )
    try:
        sshsig.verify(public, armour, data)
    except (BadKey, BadSignature) as fault:
        raise NotAccepted("signature", f"the signature by {party.id}: {fault}") from None
    return party


def accept(data: bytes, armour: str, *, parties: Sequence[Party], game: str, dice: Dice) -> Statement:
    """The statement in these bytes, after all checks of 5.3 that need no history, in its order.

    `parties` are those of the stage, with the keys they have then. NotAccepted names the first check that
    fails; before the code is past `signature` nobody is known to have said anything.
    """
    party = signer(data, armour, parties)
    try:
        statement = parse(data)
    except NotCanonical as fault:
        raise NotAccepted("canonical", str(fault)) from None
    except BadStatement as fault:
        raise NotAccepted("schema", str(fault)) from None
    if statement.type not in _ROLES:
        raise NotAccepted("role", f"a statement of type {statement.type} belongs before the game")
    if statement.sender != party.id:
        raise NotAccepted("sender", f"it says to be from {statement.sender}, but {party.id} signed it")
    if statement.game != game:
        raise NotAccepted("game", f"it is for the game {statement.game[:12]}, where this is {game[:12]}")
    if party.role not in _ROLES[statement.type]:
        raise NotAccepted(
            "role", f"{party.id} is {party.role}, who cannot send a statement of type {statement.type}"
        )
    check_mode(statement, parties, dice)
    return statement


def check_mode(statement: Statement, parties: Sequence[Party], dice: Dice) -> None:
    """NotAccepted with code role if the statement has what this dice mode does not know, or lacks what it
    needs.
    """
    kind = statement.type
    if kind in _ABSENT_TYPES[dice]:
        raise NotAccepted("role", f"a statement of type {kind}, which does not occur with dice {dice}")
    if kind not in ("order", "standing", "link"):
        return
    body = statement.body
    gm = [party.id for party in parties if party.role == "gm"]
    sealed = body.get("sealed")
    if isinstance(sealed, dict) and list(sealed) != gm:
        raise NotAccepted("role", f"sealed to {', '.join(sorted(sealed))}, where only the GM can be")
    if kind == "link":
        if ("head" in body) != (dice == "pair"):
            wanted = "no head" if dice == "locked" else "the head its sender computed"
            raise NotAccepted("role", f"a link with dice {dice} must have {wanted}")
        return
    if kind != "order":
        return
    if dice == "swift" and "openings" in body:
        raise NotAccepted("role", "openings in an order, which with dice swift the GM holds already")
    if dice == "swift" and sealed is None:
        raise NotAccepted("role", "an order without its link sealed to the GM, which dice swift want")
    commits = body.get("commits")
    secret_standing = isinstance(commits, dict) and STANDING in commits
    if dice == "locked" and sealed is not None and not secret_standing:
        raise NotAccepted(
            "role", "an order with a seal, where with dice locked only standing orders are sealed"
        )
    for name in () if dice == "pair" else ("link", "answers"):
        if name in body:
            raise NotAccepted("role", f"an order with {name}, which does not occur with dice {dice}")
