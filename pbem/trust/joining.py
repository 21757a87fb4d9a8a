"""Before the roster: the invitation with the terms, and the entries that answer it (protocol 4.2)."""

from __future__ import annotations

from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.messages import Message
from pbem.trust import sshsig, statements
from pbem.trust.errors import BadRoster, BadSignature
from pbem.trust.roster import Party, Role, Terms, secret_commitment
from pbem.trust.statements import Statement


def invitation(terms: Terms, sender: str, sign: bytes, mail: str = "", whole: Json = None) -> Statement:
    """Return the terms as a statement, signed by the key in it so that damage in the email is found.

    `mail` is where the answers go, `whole` the scenario that the terms pin (17.34).
    """
    terms.check()
    head: dict[str, Json] = {"pbem": statements.VERSION, "type": "invitation", "from": sender}
    if mail:
        head["mail"] = mail
    if whole is not None:
        head["whole"] = whole
    return statements.build({**head, "sign": sshsig.public_line(sign), **terms.data()})


def accept_invitation(data: bytes, armour: str) -> tuple[Terms, str]:
    """Return the terms and the sender's id.

    BadSignature, NotCanonical, BadStatement or BadRoster if there are none.

    An invitation proves nothing about its sender: only the roster counts, which everybody reads before
    signing.
    """
    statement = _self_signed(data, armour, "invitation", "sign")
    terms = Terms.of(statement.data)
    terms.check()
    return terms, statement.sender


def join(party: Party, terms: Terms, secret: bytes | None = None) -> Statement:
    """Return the entry of a party as a statement, to be signed with its own key (4.2).

    `secret`: the secret that a new GM commits to.
    """
    party.check()
    entry = party.entry()
    if secret is not None:
        entry["secret"] = secret_commitment(terms.salt, secret).hex()
    return statements.build(
        {
            "pbem": statements.VERSION,
            "type": "join",
            "from": party.id,
            "salt": terms.salt.hex(),
            "body": entry,
        }
    )


def accept_join(data: bytes, armour: str, terms: Terms) -> Party:
    """Return the party that answers an invitation.

    The arbiter as GM, who has seal and anchor as player, with a seal alone as deputy, else an observer.

    BadSignature if not signed by its own key, BadRoster if it answers another invitation or has keys 4.1
    refuses.
    """
    statement = _self_signed(data, armour, "join", "body", "sign")
    if statement.data["salt"] != terms.salt.hex():
        raise BadRoster(Message("trust.joining.join-answers-another-invitation", sender=statement.sender))
    has = ("seal" in statement.body, "anchor" in statement.body)
    role: Role = "gm" if statement.sender == terms.arbiter else _ROLE.get(has, "player")
    party = Party.of(statement.body, role)
    party.check()
    return party


_ROLE: dict[tuple[bool, bool], Role] = {(True, False): "deputy", (False, False): "observer"}
"""What an entry with a seal key and an anchor, or without, is to be; anything else is a player."""


def secret_of(data: bytes) -> str | None:
    """Return the secret's commitment in the join of a running game's next GM, whose signature was checked."""
    return narrow.optional_text(statements.parse(data).body.get("secret"))


def _self_signed(data: bytes, armour: str, type: str, *path: str) -> Statement:
    """Return a statement signed by a key in it; the signature is checked before parsing (5.3)."""
    if len(data) > statements.MAX_FROM_PLAYER:
        raise BadRoster(
            Message(
                "trust.joining.bytes-most-type",
                count=len(data),
                max_from_player=statements.MAX_FROM_PLAYER,
                type=type,
            )
        )
    public, _ = sshsig.decode(armour)
    sshsig.verify(public, armour, data)
    statement = statements.parse(data)
    if statement.type != type:
        raise BadRoster(Message("trust.joining.statement-type-wanted", type=statement.type, type_2=type))
    value: Json = statement.data
    for name in path:
        value = narrow.mapping(value)[name]
    if value != sshsig.public_line(public):
        raise BadSignature(Message("trust.joining.not-signed-key-in", type=type, sender=statement.sender))
    return statement
