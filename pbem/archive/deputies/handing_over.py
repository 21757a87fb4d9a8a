"""The GM's side of a deputy: the handover, sealed to the deputy alone and never archived."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.archive.deputies.lent import Keys, lent_to
from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.private_side import Private
from pbem.archive.folder.seat_letters import addresses, of_seats
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.stages import gunboat, handovers
from pbem.stages.handovers import Handover
from pbem.stages.progress import Progress
from pbem.text.canonical import Json, NotCanonical
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import sshsig, statements
from pbem.trust.armour import Signed
from pbem.trust.chain import Chain
from pbem.trust.errors import BadStatement
from pbem.trust.keys import Signer, load_seal_key
from pbem.trust.records import Shown
from pbem.trust.roster import Party, Roster
from pbem.trust.statements import Statement

DIGEST = f"{private_side.HANDOVERS}/newest.json"
"""What the newest handover held, by its hash: what has changed since must be handed over again."""


def hand_over(folder: Folder, signer: Signer, lent: Mapping[str, Keys] | None = None) -> list[Path]:
    """Sign a handover and write its email, to the deputy alone. Return the files written.

    `lent` are the keys of players whose keys this GM holds, as far as they are here.

    Refused without a deputy, or if this is not the GM's folder.
    """
    with folder.working():
        me, deputy = folder.need_me("gm"), need_deputy(folder)
        progress = folder.progress
        if signer.public != progress.roster.by_id[me].sign:
            raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=me)))
        made = contents(folder)
        assert deputy.seal is not None
        roster = progress.roster
        with_keys = replace(made, proxies=lent or {})
        blob = handovers.sealed(with_keys, deputy.id, deputy.seal, roster.game_id, progress.open_stage, me)
        rev = 1 + max(
            (handover.rev for handover in kept(folder) if handover.stage == progress.open_stage), default=0
        )
        statement = _statement(progress, me, deputy.id, blob, rev)
        signed = Signed.by(signer, statement.bytes)
        changes = keep(statement, signed)
        noted: dict[str, Json] = {"sha256": _digest(made), "to": deputy.id, "lent": _lent(roster, me)}
        changes.write(DIGEST, private_side.to_text(noted))
        changes.update(_letter(roster, statement, signed, deputy).changes(folder.say))
        return folder.commit(changes)


def _statement(progress: Progress, me: str, to: str, blob: bytes, rev: int) -> Statement:
    sealed: dict[str, Json] = {to: base64.b64encode(blob).decode()}
    return progress.own_statement("handover", {"sealed": sealed}, me, rev)


def due(folder: Readable) -> bool:
    """Return True if this GM's deputy has no handover, or one from before a change of keys or a ruling."""
    if not folder.is_gm or folder.roster is None or folder.stage < 0 or folder.unsigned():
        return False
    deputy = folder.need_roster().deputy
    if deputy is None:
        return False
    noted: dict[str, Any] = folder.private.json(DIGEST) or {}
    if noted.get("lent", []) != _lent(folder.need_roster(), folder.need_me("gm")):
        return True
    if (folder.root / private_side.SECRETS_LOCKED).exists():  # nobody types a passphrase for a look
        return noted.get("to") != deputy.id
    return noted.get("to") != deputy.id or noted.get("sha256") != _digest(contents(folder))


def handed_before(folder: Readable) -> bool:
    """Return True if this GM has handed over to the present deputy already."""
    deputy, noted = folder.need_roster().deputy, folder.private.json(DIGEST) or {}
    return deputy is not None and noted.get("to") == deputy.id


def _lent(roster: Roster, gm: str) -> list[Json]:
    """Return whose keys this GM holds, and which these are."""
    return [[party.id, sshsig.fingerprint(party.sign)] for party in lent_to(roster, gm)]


def _digest(made: Handover) -> str:
    from hashlib import sha256

    return sha256(made.pack()).hexdigest()


def contents(folder: Readable) -> Handover:
    """Return what this GM hands over now."""
    roster, private = folder.need_roster(), folder.private
    gm = roster.by_id[folder.need_me("gm")]
    assert gm.anchor is not None
    chain = private.chain(roster.terms.chain_length, gm.anchor)
    former = None
    for side in _former(private):
        former = _of_before(side, roster, former)
    return Handover(
        gm.anchor,
        chain.start,
        private.gm_secret,
        (private.seal_key,),
        _rulings(folder),
        mail=of_seats(addresses(private)) if gunboat.of(roster.terms) else {},
        former=former,
    )


def _rulings(folder: Readable) -> dict[str, Shown]:
    """Return the openings of the rulings that this GM committed to."""
    shown: dict[str, Shown] = {}
    for stage in range(1, folder.progress.open_stage + 1):
        for statement in folder.of(stage, "amend"):
            if any("commit" in op for op in statement.amendment.ops):
                ruling = folder.private.ruling(statement.sid)
                if ruling is not None:
                    shown[statement.sid] = ruling
    return shown


def _former(private: Private) -> list[Path]:
    """Return the private sides of GMs before, the oldest first."""
    place = private.side / private_side.FORMER.removeprefix(f"{layout.PRIVATE}/")
    return sorted(path.parent for path in place.glob("*/secrets.json"))


def _of_before(side: Path, roster: Roster, before: Handover | None) -> Handover | None:
    held = json.loads((side / "secrets.json").read_bytes())
    if "gm" not in held:
        return before
    start = bytes.fromhex(held["chain"])
    anchor = Chain(roster.terms.salt, held["party"], start, roster.terms.chain_length).anchor
    key = load_seal_key((side / "seal.pem").read_bytes(), None, side.name)
    return Handover(anchor, start, bytes.fromhex(held["gm"]), (key,), former=before)


def need_deputy(folder: Readable) -> Party:
    """Return the deputy; Refused if the game has none, or has not started."""
    if folder.stage < 0:
        raise Refused(Diagnostic("not-started", Message("archive.deputies.not-started")))
    deputy = folder.need_roster().deputy
    if deputy is None:
        help_ = (Message("archive.deputies.name-one-with-amend-deputy"),)
        raise Refused(Diagnostic("no-deputy", Message("stages.deputies.no-deputy"), help=help_))
    return deputy


def _letter(roster: Roster, statement: Statement, signed: Signed, deputy: Party) -> Letter:
    lines = [
        Message("archive.deputies.handover-to", deputy=deputy.name),
        Message("archive.deputies.save-it-and-receive"),
    ]
    return Letter(
        name=f"stage-{statement.stage:04d}-{statement.sender}-handover-{statement.sid[:8]}",
        subject=outbox.subject_of(
            roster, statement.stage, Message("archive.deputies.handover-subject", deputy=deputy.id)
        ),
        sender=roster.by_id[statement.sender],
        others=[deputy],
        readable=outbox.heading(roster.terms.title, lines),
        items=[signed],
        id=statement.sid,
        once=True,
    )


# --- kept on both private sides -----------------------------------------------------------------------------


def keep(statement: Statement, signed: Signed) -> Changes:
    """Return the files of a handover, in the private side alone."""
    changes = Changes()
    changes.write_signed(f"{private_side.HANDOVERS}/{statement.sid}", signed)
    return changes


def kept(folder: Readable) -> list[Statement]:
    """Return the handovers that were signed or came here, the newest last."""
    handovers = [statement for statement, _ in kept_signed(folder)]
    return sorted(handovers, key=lambda handover: (handover.stage, handover.rev))


def kept_signed(folder: Readable) -> Sequence[tuple[Statement, Signed]]:
    """Return the handovers that are here with their signatures, in order of sid."""
    place = folder.private.side / private_side.HANDOVERS.removeprefix(f"{layout.PRIVATE}/")
    letters: list[tuple[Statement, Signed]] = []
    for path in sorted(place.glob("*.json")):
        if not layout.is_sid(path.stem) or not path.with_suffix(".sig").is_file():
            continue
        data = path.read_bytes()
        try:
            handover = statements.parse(data)
        except (NotCanonical, BadStatement):
            continue
        letters.append((handover, Signed(data, (path.with_suffix(".sig").read_text("ascii"),))))
    return letters
