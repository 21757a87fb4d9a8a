"""Joining a game that is already running, in another's place or with new keys (protocol 4.4).

The newcomer makes a folder from an archive of the game, which is verified first, and writes
the entry that the others sign as an amendment. What only that party may know comes with the report of the
stage which that amendment closes; a GM of hidden units needs the private side of the one before.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.archive.adjudicating.closed_stages import in_force_files
from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes, commit
from pbem.archive.folder.ended_stages import ended_by, ended_file
from pbem.archive.folder.game_yaml import ATTRIBUTES, GITIGNORE, with_roster
from pbem.archive.folder.private_side import Me
from pbem.archive.folder.seat_letters import ADDRESSES, addresses_file, by_seat
from pbem.archive.folder.stage_files import record_files, run_files, view_files
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.archive.setting_up.before_the_game import Person, need_free
from pbem.archive.verifying.findings import Notes
from pbem.archive.verifying.read_archive import Archive
from pbem.archive.verifying.results import at_stage, play_again
from pbem.archive.verifying.verify import read_evidence
from pbem.engine.system import System
from pbem.stages import gunboat
from pbem.stages.inputs import Setting, StageInputs
from pbem.stages.running import Run
from pbem.stages.scenario_terms import system_as_played
from pbem.text.canonical import NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import joining, sshsig
from pbem.trust.armour import Signed
from pbem.trust.errors import TrustError
from pbem.trust.roster import OUTSIDE, Party, Roster, Terms

_HANDED = (private_side.STATE, private_side.FACTS, private_side.KEPT)


def join_running(
    source: Path,
    root: Path,
    seat: str,
    person: Person,
    *,
    game_id: str | None = None,
    handed: Path | None = None,
) -> list[Path]:
    """Make the folder of the person who takes over a seat, and the email with the entry. Return the files.

    `handed` is the private side of the GM before. Refused if the archive is not sound, or has no such seat.
    """
    need_free(root)
    archive = _sound(source, game_id)
    old = archive.in_force.by_id.get(seat)
    if old is None or old.role in OUTSIDE:
        seats = ", ".join(party.id for party in archive.in_force.parties if party.role not in OUTSIDE)
        raise Refused(
            Diagnostic("unknown-seat", Message("archive.amending.unknown-seat", seat=seat, seats=seats))
        )
    system = system_as_played(archive.in_force.terms, whole=archive.whole)
    changes = _files(archive, system)
    changes.update(_entered(archive, old, person))
    changes.update(_known(archive, system, old, handed))
    if handed is not None and (handed / Path(ADDRESSES).name).is_file():
        changes.write(ADDRESSES, (handed / Path(ADDRESSES).name).read_bytes())
    root.mkdir(parents=True, exist_ok=True)
    return commit(root, changes)


def join_as_deputy(
    source: Path, root: Path, id_: str, person: Person, *, game_id: str | None = None
) -> list[Path]:
    """Make the folder of a deputy to be, and the email with the entry. Return the files.

    Refused if the archive is not sound, or the id is not new in the game.
    """
    need_free(root)
    archive = _sound(source, game_id)
    if archive.in_force.terms.arbiter is None:
        raise Refused(Diagnostic("no-deputy", Message("archive.setting-up.no-gm-no-deputy")))
    if id_ in archive.in_force.by_id:
        raise Refused(Diagnostic("seat-taken", Message("trust.inforce.deputy-needs-a-new-id", party=id_)))
    system = system_as_played(archive.in_force.terms, whole=archive.whole)
    changes = _files(archive, system)
    entry = Party(id_, "deputy", person.name, person.mail, person.signer.public)
    changes.update(_entered(archive, entry, person))
    changes.update(_known(archive, system, entry, None))
    root.mkdir(parents=True, exist_ok=True)
    return commit(root, changes)


@dataclass(frozen=True)
class HandedOn:
    """An archive that somebody may join: title and id of the game, and who has, or had, which seat.

    `gm` is "" in a game of two without one; with `masked` players go by their seats.
    """

    title: str
    game: str
    seats: tuple[Party, ...]
    gm: str
    masked: bool


def terms_of(source: Path) -> Terms | None:
    """Return the terms that an archive's game began with, unverified; None if it has no readable roster."""
    data = layout.read(source, layout.ROSTER, layout.PLAYER_LIMIT)
    try:
        return Roster.parse(data).terms if data is not None else None
    except (TrustError, NotCanonical):
        return None


def handed_on(source: Path) -> HandedOn:
    """Return an archive's offer to a new player; Refused if it has errors."""
    archive = _sound(source, None)
    seats = tuple(party for party in archive.in_force.parties if party.role not in OUTSIDE)
    terms = archive.roster.terms
    return HandedOn(terms.title, archive.roster.game, seats, terms.arbiter or "", gunboat.of(terms))


def _sound(source: Path, game_id: str | None) -> Archive:
    """Return the archive as its statements prove it."""
    notes = Notes()
    evidence = read_evidence(source, game_id, notes)
    if evidence is None or notes.any_false() or not evidence[0].reports:
        bad = next(
            (finding.text for finding in notes.findings if finding.kind == "false"),
            Message("archive.amending.game-has-not-started"),
        )
        help_ = (Message("archive.amending.to-answer-invitation-name-its-file-pbem-invitation"),)
        raise Refused(
            Diagnostic(
                "not-sound", Message("archive.amending.not-sound", source=source, reason=bad), help=help_
            )
        )
    return evidence[0]


def _files(archive: Archive, system: System) -> Changes:
    """Return the archive as it was verified: signed bytes copied, everything else made anew."""
    changes, root = Changes(), archive.root
    names = [layout.ROSTER, *(layout.roster_signature_name(party) for party in layout.roster_signers(root))]
    for stage in sorted(archive.evidence):
        files = layout.stage_files(root, stage)
        folder = layout.stage_name(stage)
        names += [f"{folder}/{sid}.json" for sid in files.statements if archive.find(stage, sid)]
        names += [f"{folder}/{name}" for name in sorted(files.signatures)]
        names += [name for _, _, name in layout.view_files(root, stage)]
    names += [f"{layout.LETTERS}/{sid}.{ending}" for sid in archive.letters for ending in ("json", "sig")]
    for name in names:
        data = layout.read(root, name, layout.GM_LIMIT)
        if data is not None:
            changes.write(name, data)
    if archive.whole is not None:
        changes.write(layout.SCENARIO, archive.whole.bytes)
    changes.write(layout.SIGNERS, archive.in_force.allowed_signers())
    for stage, report in sorted(archive.reports.items()):
        record = report.report.record
        changes.update(record_files(record, report.report.events))
        if record.amends:
            changes.update(in_force_files(archive.behind(stage), system))
    lock = layout.read(root, layout.MODULE_LOCK, layout.PLAYER_LIMIT)
    if system.files_digest == archive.in_force.terms.module.sha256:
        changes.write(layout.MODULE_LOCK, private_side.to_text([[*pair] for pair in system.file_hashes]))
    elif lock is not None:
        changes.write(layout.MODULE_LOCK, lock)
    changes.write(layout.GAME, with_roster(archive.roster))
    changes.write(".gitattributes", ATTRIBUTES)
    changes.write(".gitignore", GITIGNORE)
    return changes


def _entered(archive: Archive, old: Party, person: Person) -> Changes:
    """Return keys, entry and its email; under pseudonyms the entry names nobody, and the GM alone gets it."""
    roster, hidden = archive.in_force, gunboat.of(archive.in_force.terms)
    if not hidden:
        letter, changes = _enter(archive, old, person)
        changes.update(letter.changes(person.say))
        return changes
    gm = next(party.mail for party in roster.parties if party.id == roster.terms.arbiter)
    player = old.role == "player"
    letter, changes = _enter(archive, old, replace(person, name=old.id, mail=gm) if player else person)
    known = {old.id: person.mail} if player else {}
    changes.update(by_seat(letter.changes(person.say), (old.id,), old.id, gm, known))
    changes.update(addresses_file(known) if known else Changes())
    return changes


def _enter(archive: Archive, old: Party, person: Person) -> tuple[Letter, Changes]:
    """Make new secrets, and the entry as a statement signed by the new key."""
    terms = archive.roster.terms
    public = person.signer.public
    me = Me(old.id, old.role, sshsig.public_line(public), person.key_file)
    keys = private_side.create(me, terms.salt, terms.chain_length, passphrase=person.passphrase)
    anchor = keys.anchor if old.role != "deputy" else None
    party = Party(old.id, old.role, person.name, person.mail, public, keys.seal, anchor)
    try:
        statement = joining.join(party, terms, keys.gm_secret)
    except (TrustError, NotCanonical) as fault:
        raise Refused(Diagnostic("bad-entry", str(fault))) from None
    others = [entry for entry in archive.in_force.active if entry.id != old.id]
    takes_over = old.role != "deputy"
    lines = [
        Message("archive.amending.person-takes-over-party", person=person.name, party=old.id, name=old.name)
        if takes_over
        else Message("archive.amending.person-would-be-deputy", person=person.name, party=old.id),
        Message("archive.setting-up.key", fingerprint=sshsig.fingerprint(public)),
        "",
        Message("archive.amending.whoever-agrees-proposes-it")
        if takes_over
        else Message("archive.amending.gm-proposes-deputy"),
    ]
    what = (
        Message("archive.amending.somebody-takes-over-party", party=old.id)
        if takes_over
        else Message("archive.amending.somebody-would-be-deputy", party=old.id)
    )
    letter = Letter(
        name=f"join-{old.id}",
        subject=outbox.subject_of(archive.roster, None, what),
        sender=party,
        others=others,
        readable=outbox.heading(terms.title, lines),
        items=[Signed.by(person.signer, statement.bytes)],
        id=f"join-{terms.salt.hex()[:16]}-{old.id}-{statement.sid[:8]}",
    )
    return letter, keys.changes


def _known(archive: Archive, system: System, old: Party, handed: Path | None) -> Changes:
    """Return what a new player may know now: all of an open game, else what is handed over."""
    last = len(archive.before) - 1
    setting = Setting(system, archive.roster)
    if not system.hidden:
        return _played(archive, setting, gm=old.role == "gm")
    if old.role != "gm":
        after = archive.behind(last)
        here = at_stage(archive, setting, last)
        return view_files(here, archive.record(last), (), after.asked)
    if handed is None:
        message = Message("archive.amending.new-gm-needs-private-side")
        help_ = (Message("archive.amending.have-him-hand-over-pbem-key-backup"),)
        raise Refused(Diagnostic("no-state", message, help=help_))
    return _handed_over(handed, last)


def _played(archive: Archive, setting: Setting, *, gm: bool) -> Changes:
    changes, notes = Changes(), Notes()

    def each(stage: int, run: Run, given: StageInputs | None) -> None:
        if run.position == stage:
            changes.update(ended_file(stage, ended_by(at_stage(archive, setting, stage), run)))

    final = play_again(archive, setting, {}, each, notes)
    if final is None:
        bad = notes.findings[0].text
        help_ = (Message("archive.amending.install-version-of-pbem-that-game-is-played"),)
        raise Refused(
            Diagnostic("other-results", Message("archive.amending.other-results", reason=bad), help=help_)
        )
    changes.update(run_files(at_stage(archive, setting, len(archive.before) - 1), final, gm=gm))
    return changes


def _handed_over(side: Path, last: int) -> Changes:
    """Return the state, how stages ended, and the old secrets, which open what was sealed until now."""
    changes = Changes()
    for name in _HANDED:
        path = side / name.removeprefix(f"{layout.PRIVATE}/")
        if path.is_file():
            changes.write(name, path.read_bytes())
    facts: Mapping[str, Any] = json.loads(changes.files.get(private_side.FACTS, b"{}"))
    if facts.get("stage") != last:
        message = Message("archive.amending.side-lacks-newest-state", side=side, last=last)
        raise Refused(
            Diagnostic(
                "no-state", message, help=(Message("archive.amending.it-must-be-newest-of-gm-before"),)
            )
        )
    for path in sorted((side / "past").glob("*.z")):
        changes.write(f"{layout.PRIVATE}/past/{path.name}", path.read_bytes())
    secrets, seal = side / "secrets.json", side / "seal.pem"
    if not secrets.is_file() or not seal.is_file():
        message = Message("archive.amending.no-secret", side=side)
        raise Refused(Diagnostic("no-secret", message))
    for path in (secrets, seal):
        changes.write(f"{private_side.FORMER}/{last:04d}/{path.name}", path.read_bytes())
    return changes
