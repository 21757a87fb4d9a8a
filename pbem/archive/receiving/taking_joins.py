"""Receiving before the game begins: joins, and the roster with everybody's signatures.

Protocol 4.2, 4.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.joined import joined, seats
from pbem.archive.folder.parts import Changed, Readable
from pbem.archive.setting_up.before_the_game import check_entry
from pbem.archive.setting_up.roster_files import good_signatures, roster_files
from pbem.stages.receipts import Outcome
from pbem.text.canonical import NotCanonical
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message, in_turn
from pbem.trust import joining
from pbem.trust.armour import Signed
from pbem.trust.errors import TrustError
from pbem.trust.roster import OUTSIDE, Party, Roster

Judgement = tuple[Outcome, str, str]
"""Outcome, what it is in words, reason."""


def take_setup(folder: Folder, signed: Signed, type_: str) -> Judgement:
    """Take an invitation, join or roster, and return outcome, words and reason for the receipt."""
    try:
        if type_ == "join":
            return _join(folder, signed)
        if type_ == "roster":
            return _roster(folder, signed)
    except (TrustError, NotCanonical, Refused) as fault:
        words = (
            Message("archive.receiving.a-join") if type_ == "join" else Message("archive.receiving.a-roster")
        )
        return "refused", words, _reason(fault)
    return (
        "noted",
        Message("archive.receiving.an-invitation"),
        Message("archive.receiving.answer-it-with-pbem-join"),
    )


def _reason(fault: Exception) -> str:
    if isinstance(fault, Refused):
        return in_turn(diagnostic.message for diagnostic in fault.diagnostics)
    return str(fault)


def _join(folder: Folder, signed: Signed) -> Judgement:
    party = _entry(folder, signed)
    words = Message("archive.receiving.join", party=party.id, name=party.name)
    if folder.roster is not None:
        return "noted", words, Message("archive.receiving.roster-is-made-already")
    if not folder.initiates:
        return "noted", words, Message("archive.receiving.joins-are-for-who-invited")
    have = joined(folder)
    if have.get(party.id) == party:
        return "duplicate", words, Message("archive.receiving.here-already")
    if party.id in have:
        kept = have[party.id].name
        return (
            "refused",
            words,
            Message("archive.receiving.party-has-joined-before", party=party.id, kept=kept),
        )
    for other in have.values():
        for what in ("sign", "seal", "anchor"):
            if getattr(party, what) is not None and getattr(party, what) == getattr(other, what):
                return "refused", words, Message("archive.receiving.same-key", other=other.id, what=what)
    if party.role == "player" and party.id not in seats(folder):
        return (
            "refused",
            words,
            Message("archive.receiving.there-is-no-such-seat", party=party.id, seats=tuple(seats(folder))),
        )
    if party.role in OUTSIDE and party.id in seats(folder):
        return "refused", words, Message("archive.receiving.seat-and-no-observer", party=party.id)
    changes = Changes()
    changes.write_signed(f"{layout.JOINS}/{party.id}", signed)
    folder.commit(changes)
    free = [seat for seat in seats(folder) if seat not in joined(folder)]
    return (
        "taken",
        words,
        Message("archive.receiving.still-free", free=tuple(free))
        if free
        else Message("archive.receiving.all-seats-are-taken"),
    )


def _entry(folder: Readable, signed: Signed) -> Party:
    """Return the entry, by the signature of its own key."""
    fault: TrustError | None = None
    for signature in signed.signatures:
        try:
            return joining.accept_join(signed.data, signature, folder.terms)
        except TrustError as refusal:
            fault = refusal
    raise fault or TrustError(Message("archive.receiving.join-has-no-signature"))


def _roster(folder: Folder, signed: Signed) -> Judgement:
    roster = Roster.parse(signed.data)
    words = Message("archive.receiving.roster-game", title=roster.terms.title, game=roster.game[:12])
    good = good_signatures(roster, signed.signatures)
    if roster.terms.salt != folder.terms.salt:
        return "refused", words, Message("archive.receiving.it-is-roster-of-another-game")
    have = folder.roster
    if have is None:
        return _first(folder, roster, good, words)
    if have.statement.bytes != signed.data:
        return (
            "refused",
            words,
            Message("archive.receiving.another-roster-is-here", game=have.game[:12]),
        )
    new = sorted(set(good) - set(folder.roster_signatures()))
    if not new:
        return "duplicate", words, Message("archive.receiving.no-signature-in-it-is-new")
    _write(folder, Changes(), {party: good[party] for party in new})
    return "taken", _signed_by(words, new), _left(folder)


def _first(folder: Folder, roster: Roster, good: dict[str, str], words: str) -> Judgement:
    """Accept the first roster: on our terms, with our entry, signed by who invited us."""
    if folder.initiates:
        return "refused", words, Message("archive.receiving.you-make-roster")
    check_entry(folder, roster)
    host = folder.host
    if host not in good:
        return "refused", words, Message("archive.receiving.host-has-not-signed-it", host=host)
    _write(folder, roster_files(folder, roster), good)
    return "taken", _signed_by(words, sorted(good)), _left(folder)


def _signed_by(words: str, parties: Sequence[str]) -> Message:
    return Message("archive.receiving.words-signed-by", what=words, parties=tuple(parties))


def _write(folder: Changed, changes: Changes, signatures: dict[str, str]) -> None:
    for party, signature in signatures.items():
        changes.write(layout.roster_signature_name(party), signature)
    folder.commit(changes)


def _left(folder: Readable) -> str:
    missing = folder.unsigned()
    if not missing:
        return Message("archive.receiving.everybody-signed")
    if folder.me in missing:
        return Message("archive.receiving.compare-game-id-by-another-way", missing=tuple(missing))
    return Message("archive.receiving.not-signed-yet-by-missing", missing=tuple(missing))
