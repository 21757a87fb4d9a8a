"""The first part of `verify`: the roster, everybody's signature under it, and the files made from it."""

from __future__ import annotations

import json
from pathlib import Path

from pbem.archive.folder import layout
from pbem.archive.verifying.findings import Notes
from pbem.stages import gunboat
from pbem.text.canonical import NotCanonical, dumps
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.trust import sshsig
from pbem.trust.errors import BadKey, BadSignature, TrustError
from pbem.trust.roster import Roster

SURE = 32
"""Digits of a game id that cannot be forged; fewer are a label (protocol 4.3)."""


def check_roster(root: Path, game_id: str | None, notes: Notes) -> Roster | None:
    """Return the valid roster of the wanted game with all signatures; else None, with findings."""
    try:
        data = layout.read(root, layout.ROSTER, layout.PLAYER_LIMIT)
    except Refused as refused:
        notes.false("odd-file", refused.diagnostics[0].message)
        return None
    if data is None:
        notes.false("no-roster", Message("archive.verifying.there-is-no-roster-here", roster=layout.ROSTER))
        return None
    try:
        roster = Roster.parse(data)
    except (TrustError, NotCanonical) as fault:
        notes.false(
            "roster",
            Message(
                "archive.verifying.roster-is-no-roster-that-may-be-signed", roster=layout.ROSTER, fault=fault
            ),
        )
        return None
    if game_id is not None and not _is_game(roster, game_id, notes):
        return None
    named = gunboat.fault_of(roster.terms, roster.parties)
    if named is not None:
        notes.false("roster", named)
    _signatures(root, roster, notes)
    if notes.any_false():
        return None
    notes.proved(
        "roster",
        Message("archive.verifying.roster-is-signed-by-all", game=roster.game, count=len(roster.parties)),
    )
    return roster


def _is_game(roster: Roster, game_id: str, notes: Notes) -> bool:
    wanted = game_id.strip().lower()
    if not wanted or not roster.game.startswith(wanted):
        notes.false(
            "other-game",
            Message("archive.verifying.other-game", game=roster.game[:32], wanted=f"{wanted[:64]!a}"),
        )
        return False
    if len(wanted) < SURE:
        text = Message("archive.verifying.game-id", count=len(wanted), sure=SURE)
        notes.claimed("game-id", text)
    return True


def _signatures(root: Path, roster: Roster, notes: Notes) -> None:
    for party in roster.parties:
        try:
            sig = layout.read(root, layout.roster_signature_name(party.id), layout.SIG_LIMIT)
        except Refused as refused:
            notes.false("odd-file", refused.diagnostics[0].message, None, party.id)
            continue
        if sig is None:
            notes.false("unsigned", Message("archive.verifying.unsigned", party=party.id), None, party.id)
            continue
        try:
            sshsig.verify(party.sign, sig.decode("ascii", "replace"), roster.statement.bytes)
        except (BadSignature, BadKey) as fault:
            notes.false(
                "signature",
                Message("archive.verifying.rosters-signature-by-party", party=party.id, fault=fault),
                None,
                party.id,
            )
    for party_id in layout.roster_signers(root):
        if party_id not in roster.by_id:
            notes.claimed("strange-file", Message("archive.verifying.strange-file", party=party_id))


def check_files(root: Path, roster: Roster, notes: Notes) -> None:
    """Compare `allowed_signers` and `module.lock` with the roster in force."""
    try:
        signers = layout.read(root, layout.SIGNERS, layout.PLAYER_LIMIT)
        lock = layout.read(root, layout.MODULE_LOCK, layout.PLAYER_LIMIT)
    except Refused as refused:
        notes.false("odd-file", refused.diagnostics[0].message)
        return
    if signers is not None and _lines(signers) != _lines(roster.allowed_signers().encode()):
        notes.false(
            "derived", Message("archive.verifying.file-does-not-say-what-roster-says", file=layout.SIGNERS)
        )
    if lock is not None and not _is_lock(lock, roster):
        notes.false(
            "derived", Message("archive.verifying.file-is-not-list-in-roster", file=layout.MODULE_LOCK)
        )


def _lines(data: bytes) -> list[bytes]:
    return sorted(line.strip() for line in data.splitlines() if line.strip())


def _is_lock(data: bytes, roster: Roster) -> bool:
    from hashlib import sha256

    try:
        return sha256(dumps(json.loads(data))).hexdigest() == roster.terms.module.sha256
    except (ValueError, RecursionError, NotCanonical):
        return False
