"""The evidence of one stage in a foreign folder: statements with good signatures, sealed blobs.

Everything else in the folder is made anew elsewhere and compared (protocol 12.3). Signatures come before
parsing.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from pbem.archive.folder import layout, statement_words
from pbem.archive.verifying.findings import Finding, Notes, few
from pbem.archive.verifying.sealed_stages import Files
from pbem.stages.amendments import NEW, proposals, roster_to_come, signer_name
from pbem.stages.faults import type_words
from pbem.stages.progress import Progress
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.trust import statements
from pbem.trust.accept import accept
from pbem.trust.amend import needed_keys, signed_by
from pbem.trust.errors import BadStatement, NotAccepted
from pbem.trust.groups import view_hash
from pbem.trust.roster import Party, Roster
from pbem.trust.statements import Statement

_LAID_OUT, _SMALL = 8, 1 << 16
"""How many times longer than its bare text a file for people may be, and what is short enough always."""
_NAMED = 20
"""How many faults of one kind are named one by one in a stage."""
UNREADABLE = object()
"""Stands for a derived file that is there and cannot be read as JSON."""


@dataclass
class StageEvidence:
    """The proved statements of a stage folder by sid, and the sealed views by party.

    `signatures` are all those under an amendment, its sender's first.
    """

    stage: int
    statements: dict[str, Statement] = field(default_factory=dict)
    views: dict[str, str] = field(default_factory=dict)
    signatures: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def of(self, type_: str) -> list[Statement]:
        """Return the statements of one type, in order of sid."""
        return [statement for _, statement in sorted(self.statements.items()) if statement.type == type_]


def read_stage(files: Files, progress: Progress, stage: int, notes: Notes) -> StageEvidence:
    """Read a stage folder; faults of its files become findings.

    Statements count by the keys in force in the stage. A GM whom a complete amendment brings in signs the
    report of the stage that it closes (17.9), and a former GM may open their own secrets at the end (17.10).
    """
    evidence = StageEvidence(stage)
    roster = progress.roster
    named = layout.stage_files(files.root, stage)
    _strange(files.root, stage, named, notes)
    unknown: list[tuple[str, Finding]] = []
    for sid in _to_read(named, stage, notes):
        statement = _statement(files, roster, roster.active, stage, sid, notes, unknown)
        if statement is not None:
            evidence.statements[sid] = statement
            if statement.type == "amend":
                evidence.signatures[sid] = _signatures(files, roster, statement, named.signatures, notes)
    if unknown:
        _by_other_keys(files, progress, evidence, unknown, notes)
    here = set(named.statements)
    alone = [name for name in sorted(named.signatures) if name.split(".")[0] not in here]
    for name in alone[:_NAMED]:
        notes.false("no-statement", Message("archive.verifying.no-statement", name=name[:12]), stage)
    _co_signatures(evidence, named, notes)
    for party, rev, name in layout.view_files(files.root, stage):
        data = _read(files, name, layout.BLOB_LIMIT, stage, notes)
        if data is not None and rev is None:
            evidence.views[party] = view_hash(data).hex()
    _check_renderings(files, evidence, named.renderings, notes)
    return evidence


def _to_read(files: layout.StageFiles, stage: int, notes: Notes) -> Sequence[str]:
    """Return the statements of a stage; beyond any game's number only the first, with a finding."""
    if len(files.statements) > layout.MOST_STATEMENTS:
        text = Message("archive.verifying.too-many", count=len(files.statements), most=layout.MOST_STATEMENTS)
        notes.false("too-many", text, stage)
    return files.statements[: layout.MOST_STATEMENTS]


def _strange(root: Path, stage: int, files: layout.StageFiles, notes: Notes) -> None:
    """Report misplaced files of a stage, however many there are (17.26)."""
    views = [f"views/{name}" for name in layout.strange_views(root, stage)]
    strange = [*(name for name in files.strange if not name.startswith(".pbem-")), *views]
    if strange:
        text = Message(
            "archive.verifying.no-file-of-archive",
            folder=layout.stage_name(stage),
            names=few(strange),
            count=len(strange),
        )
        notes.claimed("strange-file", text, stage)


def _co_signatures(evidence: StageEvidence, files: layout.StageFiles, notes: Notes) -> None:
    """Report co-signatures of anything but amendments, which mean nothing (17.26)."""
    amends = set(evidence.signatures)
    beside = [
        name
        for name in sorted(files.signatures)
        if name.count(".") > 1 and (sid := name.split(".")[0]) in evidence.statements and sid not in amends
    ]
    if beside:
        names = few([f"{name[:12]}...{name[64:]}" for name in beside])
        text = Message(
            "archive.verifying.strange-signature", folder=layout.stage_name(evidence.stage), names=names
        )
        notes.claimed("strange-signature", text, evidence.stage)


def _check_renderings(files: Files, evidence: StageEvidence, names: Iterable[str], notes: Notes) -> None:
    """Check that the words beside a statement are today's; another version may have had others."""
    named = {statement_words.name(statement): statement for statement in evidence.statements.values()}
    for file in names:
        name = f"{layout.stage_name(evidence.stage)}/{file}"
        statement = named.get(name)
        data = _read(files, name, layout.GM_LIMIT, evidence.stage, notes)
        if statement is None:
            text = Message("archive.verifying.name-is-about-no-statement-that-is-here", name=name)
            notes.claimed("strange-file", text, evidence.stage)
        elif data is not None and layout.as_written(data) != statement_words.text(statement).encode():
            text = Message("archive.verifying.name-does-not-say-what-statement-says", name=name)
            notes.claimed("derived", text, evidence.stage, statement.sender)


def _signatures(
    files: Files, roster: Roster, amendment: Statement, names: Collection[str], notes: Notes
) -> tuple[str, ...]:
    """Return the signatures beside an amendment; a bad or misnamed one is a finding."""
    stage, sid = amendment.stage, amendment.sid
    try:
        signatures = layout.signatures(files.root, stage, sid)
        needed = needed_keys(amendment, roster.active, roster.terms.dice)
    except Refused as refused:
        notes.false("odd-file", refused.diagnostics[0].message, stage)
        return ()
    except BadStatement:
        return signatures  # its faults are reported where they matter
    signers = {signer_name(roster, key, amendment) for key in needed}
    for name in sorted(name for name in names if name.startswith(f"{sid}.") and name != f"{sid}.sig"):
        data = _read(files, f"{layout.stage_name(stage)}/{name}", layout.SIG_LIMIT, stage, notes) or b""
        good = signed_by(amendment, [data.decode("ascii", "replace")], needed)
        who = name.removeprefix(f"{sid}.").removesuffix(".sig")
        if who not in signers or {signer_name(roster, key, amendment) for key in good} != {who}:
            text = Message("archive.verifying.signature", who=who, sid=sid[:12])
            notes.false("signature", text, stage, who.removesuffix(NEW))
    return signatures


def _by_other_keys(
    files: Files,
    progress: Progress,
    evidence: StageEvidence,
    unknown: list[tuple[str, Finding]],
    notes: Notes,
) -> None:
    """Add statements by keys that are not in force in the stage: of a GM to come, or of a former one."""
    roster, shelf = progress.roster, _Shelf(evidence)
    coming = roster_to_come(progress, proposals(progress, shelf)) if evidence.signatures else roster
    for sid, finding in unknown:
        heard = Notes()
        new = _statement(files, roster, coming.active, evidence.stage, sid, heard, [])
        gone = [*(entry.party for entry in roster.former), *roster.active]
        old = _statement(files, roster, gone, evidence.stage, sid, heard, []) if new is None else None
        if new is not None and new.kind.group == "results":
            evidence.statements[sid] = new
        elif old is not None and old.type == "unseal":
            evidence.statements[sid] = old
        else:
            notes.findings.append(finding)


def read_sealed(files: Files, stage: int) -> StageEvidence:
    """Return the evidence of a stage whose files are unchanged since an earlier verify."""
    evidence = StageEvidence(stage)
    for sid in layout.stage_files(files.root, stage).statements:
        statement = statements.parse(files.read(layout.statement_name(stage, sid), layout.GM_LIMIT) or b"")
        if statement.sid == sid:
            evidence.statements[sid] = statement
            if statement.type == "amend":
                evidence.signatures[sid] = layout.signatures(files.root, stage, sid)
    return evidence


class _Shelf:
    """The evidence of one stage while it is being read."""

    def __init__(self, evidence: StageEvidence) -> None:
        self.found = evidence

    def find(self, stage: int, sid: str) -> Statement | None:
        return self.found.statements.get(sid)

    def of(self, stage: int, type_: str) -> list[Statement]:
        return self.found.of(type_)

    def signatures(self, stage: int, sid: str) -> tuple[str, ...]:
        return self.found.signatures.get(sid, ())


def _statement(
    files: Files,
    roster: Roster,
    parties: Sequence[Party],
    stage: int,
    sid: str,
    notes: Notes,
    unknown: list[tuple[str, Finding]],
) -> Statement | None:
    """Return a statement signed by one of these parties; note any other as unknown."""
    data = _read(files, layout.statement_name(stage, sid), layout.GM_LIMIT, stage, notes)
    sig = _read(files, layout.signature_name(stage, sid), layout.SIG_LIMIT, stage, notes)
    if data is None:
        return None
    if sig is None:
        notes.false("no-signature", Message("archive.verifying.no-signature", sid=sid[:12]), stage)
        return None
    armour = sig.decode("ascii", "replace")
    try:
        statement = accept(data, armour, parties=parties, game=roster.game, dice=roster.terms.dice)
    except NotAccepted as fault:
        text, sender = (
            Message("archive.verifying.statement-fault", sid=sid[:12], fault=fault),
            _claimed_sender(data, roster),
        )
        if fault.code == "signer":
            unknown.append((sid, Finding("false", fault.code, text, stage, sender)))
        else:
            notes.false(fault.code, text, stage, sender)
        return None
    if statement.sid != sid:
        text = Message("archive.verifying.other-name", sid=statement.sid[:12], file=sid[:12])
        notes.false("other-name", text, stage, statement.sender)
        return None
    if statement.stage != stage:
        text = Message(
            "archive.verifying.other-stage",
            type=type_words(statement.type),
            sid=sid[:12],
            sender=statement.sender,
            stage=statement.stage,
        )
        notes.false("other-stage", text, stage, statement.sender)
        return None
    return statement


def _claimed_sender(data: bytes, roster: Roster) -> str | None:
    """Return the party that unsigned bytes claim to be from, if they can be read at all."""
    try:
        sender = statements.parse(data).data.get("from")
    except Exception:  # unsigned bytes must never stop the reader
        return None
    return sender if isinstance(sender, str) and sender in roster.by_id else None


def _read(files: Files, name: str, limit: int, stage: int | None, notes: Notes) -> bytes | None:
    try:
        return files.read(name, limit)
    except Refused as refused:
        notes.false("odd-file", refused.diagnostics[0].message, stage)
        return None


def read_derived(files: Files, name: str, stage: int | None, notes: Notes, made: Json) -> Any:
    """Return the value of a derived JSON file; None if missing, UNREADABLE if malformed."""
    data = _read(files, name, layout.DERIVED_LIMIT, stage, notes)
    if data is None:
        return None
    # don't parse what is far too long: it may be meant to exhaust memory
    if len(data) > _SMALL and len(data) > _LAID_OUT * len(json.dumps(made)) + _SMALL:
        return UNREADABLE
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return UNREADABLE


def check_derived(files: Files, evidence: StageEvidence, report: Statement, notes: Notes) -> None:
    """Check that `record.json`, `events.json` and the sealed views agree with the report."""
    stage = evidence.stage
    reported = report.report
    made: dict[str, Json] = {"record.json": reported.record.data, "events.json": list(reported.events)}
    for name, value in made.items():
        derived = read_derived(files, f"{layout.stage_name(stage)}/{name}", stage, notes, value)
        if derived is not None and derived != value:
            notes.false(
                "derived", Message("archive.verifying.name-is-not-what-signed-report-says", name=name), stage
            )
    named = reported.views
    for party, digest in sorted(evidence.views.items()):
        if named.get(party) != digest:
            notes.false(
                "view",
                Message("archive.verifying.sealed-view-of-party-is-not-one-report", party=party),
                stage,
                party,
            )
    for party in sorted(set(named) - set(evidence.views)):
        notes.claimed("no-view", Message("archive.verifying.no-view", party=party), stage, party)
