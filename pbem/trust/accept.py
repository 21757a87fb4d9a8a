"""The checks of a signed statement that need no history of the game (protocol 5.3).

What needs the history comes after: who was asked, the current stage, `prev`, revisions, links and openings.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.text.canonical import NotCanonical
from pbem.text.messages import Message
from pbem.trust import sshsig
from pbem.trust.armour import Found, Signed, sound
from pbem.trust.bodies import STANDING
from pbem.trust.errors import BadKey, BadSignature, BadStatement, NotAccepted
from pbem.trust.roster import Dice, Party
from pbem.trust.statements import MAX_FROM_GM, MAX_FROM_PLAYER, Statement, parse


def validly_signed(signed: Signed, type: str) -> Statement | None:
    """Return the statement of this type in validly signed bytes, whoever signed; None for anything else."""
    if f'"type":"{type}"'.encode() not in signed.data or not sound(
        [Found((signed.data,), signed.signatures)]
    ):
        return None
    try:
        statement = parse(signed.data)
    except (NotCanonical, BadStatement):
        return None
    return statement if statement.type == type else None


def signer(data: bytes, armour: str, parties: Sequence[Party]) -> Party:
    """Return the party that signed these bytes.

    Raises NotAccepted with code size, signer or signature if none did.
    """
    if len(data) > MAX_FROM_GM:
        raise NotAccepted("size", Message("trust.accept.size", count=len(data), max_from_gm=MAX_FROM_GM))
    try:
        public, _ = sshsig.decode(armour)
    except BadSignature as fault:
        raise NotAccepted("signature", str(fault)) from None
    party = next((candidate for candidate in parties if candidate.sign == public), None)
    if party is None:
        raise NotAccepted("signer", Message("trust.accept.signer", fingerprint=sshsig.fingerprint(public)))
    if party.role not in ("gm", "deputy") and len(data) > MAX_FROM_PLAYER:
        raise NotAccepted(
            "size",
            Message(
                "trust.accept.bytes-player-s-statement-most", count=len(data), max_from_player=MAX_FROM_PLAYER
            ),
        )
    try:
        sshsig.verify(public, armour, data)
    except (BadKey, BadSignature) as fault:
        raise NotAccepted(
            "signature", Message("trust.accept.signature", party=party.id, fault=fault)
        ) from None
    return party


def accept(data: bytes, armour: str, *, parties: Sequence[Party], game: str, dice: Dice) -> Statement:
    """Return the statement in these bytes, after all checks of 5.3 that need no history, in its order.

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
    if statement.kind.group == "setup":
        raise NotAccepted("role", Message("trust.accept.role", type=statement.type))
    if statement.sender != party.id:
        raise NotAccepted("sender", Message("trust.accept.sender", sender=statement.sender, party=party.id))
    if statement.game != game:
        raise NotAccepted("game", Message("trust.accept.game", game=statement.game[:12], game_2=game[:12]))
    if party.role not in statement.kind.senders:
        raise NotAccepted(
            "role",
            Message(
                "trust.accept.cannot-send-statement-type",
                party=party.id,
                role=party.role,
                type=statement.type,
            ),
        )
    check_mode(statement, parties, dice)
    return statement


def check_mode(statement: Statement, parties: Sequence[Party], dice: Dice) -> None:
    """Check that a statement fits the dice mode.

    Raises NotAccepted with code role if it has an unknown part or lacks a needed one.
    """
    kind = statement.type
    if dice not in statement.kind.modes:
        raise NotAccepted("role", Message("trust.accept.statement-type-does-not-occur", kind=kind, dice=dice))
    if kind not in ("order", "standing", "link"):
        return
    body = statement.body
    gm = [party.id for party in parties if party.role == "gm"]
    sealed = body.get("sealed")
    if isinstance(sealed, dict) and list(sealed) != gm:
        raise NotAccepted("role", Message("trust.accept.sealed-only-gm-can", sealed=tuple(sorted(sealed))))
    if kind == "link":
        if ("head" in body) != (dice == "pair"):
            locked = dice == "locked"
            raise NotAccepted("role", Message("trust.accept.link-dice-must", dice=dice, locked=locked))
        return
    if kind != "order":
        return
    if dice == "swift" and "openings" in body:
        raise NotAccepted("role", Message("trust.accept.openings-in-order-dice-swift"))
    if dice == "swift" and sealed is None:
        raise NotAccepted("role", Message("trust.accept.order-without-link-sealed-gm"))
    commits = body.get("commits")
    secret_standing = isinstance(commits, dict) and STANDING in commits
    if dice == "locked" and sealed is not None and not secret_standing:
        raise NotAccepted("role", Message("trust.accept.order-seal-dice-locked-only"))
    for name in () if dice == "pair" else ("link", "answers"):
        if name in body:
            raise NotAccepted("role", Message("trust.accept.order-does-not-occur-dice", name=name, dice=dice))
