"""The results of a roster: its files, its email, and the signatures under it (protocol 4.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_yaml import before_roster, with_roster
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message, Worded
from pbem.trust import sshsig
from pbem.trust.armour import Signed
from pbem.trust.errors import BadSignature
from pbem.trust.roster import Party, Roster


def roster_files(folder: Readable, roster: Roster) -> Changes:
    """Return the files of a roster: itself, `allowed_signers`, `module.lock`, `game.yaml`."""
    changes = Changes()
    changes.write(layout.ROSTER, roster.statement.bytes)
    changes.write(layout.SIGNERS, roster.allowed_signers())
    if folder.system.files_digest == roster.terms.module.sha256:
        changes.write(
            layout.MODULE_LOCK, private_side.to_text([[*pair] for pair in folder.system.file_hashes])
        )
    current = layout.read(folder.root, layout.GAME, layout.PLAYER_LIMIT)
    if current in (
        None,
        before_roster(roster.terms).encode(),
    ):  # leave a file alone that somebody has commented
        changes.write(layout.GAME, with_roster(roster))
    return changes


def _entry(party: Party) -> str:
    who = f"{party.name} <{party.mail}>"
    entry = Worded(f"{party.id:<16} {party.role:<8} {who}  {sshsig.fingerprint(party.sign)}")
    if party.proxy is None:
        return entry
    held = Message("archive.setting-up.his-keys-are-held-by-proxy", proxy=party.proxy)
    return Message("archive.setting-up.entry-with-proxy", entry=entry, held=held)


def roster_letter(roster: Roster, me: str, signatures: Mapping[str, str]) -> Letter:
    """Return the email with the roster and all signatures that are here."""
    missing = [party.id for party in roster.parties if party.id not in signatures]
    lines = [
        Message("archive.setting-up.game-id", game=roster.game[:32], rest=roster.game[32:]),
        Message("archive.setting-up.compare-its-first-part-by-another-way-than"),
        "",
        *(_entry(party) for party in roster.parties),
        "",
        Message(
            "archive.amending.signed", signatures=tuple(p.id for p in roster.parties if p.id in signatures)
        ),
        Message("archive.setting-up.not-yet", missing=tuple(missing))
        if missing
        else Message("archive.setting-up.everybody-has-signed"),
    ]
    return Letter(
        name=f"roster-{me}",
        subject=outbox.subject_of(roster, None, Message("archive.setting-up.roster-signed", party=me)),
        sender=roster.by_id[me],
        others=roster.parties,
        readable=outbox.heading(roster.terms.title, lines),
        items=[Signed(roster.statement.bytes, tuple(signatures.values()))],
        id=outbox.root_id(roster.game) if me == roster.terms.arbiter else f"roster-{roster.game[:16]}-{me}",
        answers=outbox.invitation_id(roster.terms.salt) if me == roster.terms.arbiter else "",
        thread=roster.game,
    )


def good_signatures(roster: Roster, armours: Sequence[str]) -> dict[str, str]:
    """Return those signatures under a roster's bytes that its parties made, by party."""
    by_key = {party.sign: party.id for party in roster.parties}
    good: dict[str, str] = {}
    for armour in armours:
        try:
            public, _ = sshsig.decode(armour)
            if public in by_key:
                sshsig.verify(public, armour, roster.statement.bytes)
                good[by_key[public]] = armour
        except (BadSignature, PbemError):
            continue
    return good
