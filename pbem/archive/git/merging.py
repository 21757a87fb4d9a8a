"""Merging of two archives of one game: the union of their files (protocol 12.2).

The other archive is a stranger's (12.3): regular files of the names of an archive are read from it, nothing
is run in it, and only what a party of this game has signed is taken over. If both have a file with
different content, that is a fork, and it is shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import islice
from pathlib import Path
from typing import Any

from pbem.archive.adjudicating.publishing import Render
from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.two_reports import FORK, is_ended
from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.findings import shown
from pbem.stages.faults import type_words
from pbem.stages.progress import one_report
from pbem.stages.record_checks import first_difference
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import groups, records, sshsig
from pbem.trust.accept import accept
from pbem.trust.armour import Signed
from pbem.trust.errors import BadKey, BadRecord, BadSignature, NotAccepted
from pbem.trust.roster import Party, Roster
from pbem.trust.statements import Statement


@dataclass
class Merged:
    """The result of a merge: names of new files, stages that came with their reports, and
    conflicts.
    """

    taken: list[str] = field(default_factory=list)
    stages: list[int] = field(default_factory=list)
    forks: list[str] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """Return the result in words."""
        lines: list[str] = [Message("archive.git.taken-from-other-archive", count=len(self.taken))]
        lines += [Message("archive.git.stage-came", stage=stage) for stage in self.stages]
        lines += [Message("archive.git.fork", text=text) for text in self.forks]
        return lines + [Message("archive.git.not-taken", text=text) for text in self.passed_over]

    def data(self) -> dict[str, Any]:
        """Return the result for programs."""
        return {
            "files": self.taken,
            "stages": self.stages,
            "forks": self.forks,
            "not_taken": self.passed_over,
        }


def merge(folder: Folder, other: Path, render: Render | None = None) -> Merged:
    """Copy what another archive of this game has and this one lacks.

    Raises Refused if it is another game.

    Stages that are not here yet are received as if by email, after all checks of 5.6.
    """
    if other.resolve() == folder.root.resolve():
        raise Refused(Diagnostic("same-folder", Message("archive.git.same-folder", other=other)))
    roster = folder.need_roster()
    if layout.read(other, layout.ROSTER, layout.PLAYER_LIMIT) != roster.statement.bytes:
        raise Refused(Diagnostic("other-game", Message("archive.git.other-game", other=other)))
    done = Merged()
    later: list[Signed] = []
    with folder.working():
        union = _Union(folder, other, roster, done)
        for stage in layout.stage_numbers(other):
            if stage <= folder.stage:
                union.stage(stage)
            else:
                later += [signed for _, signed in union.statements(stage)]
        later += union.letters()
        if union.changes:
            folder.commit(union.changes)
    before = folder.stage
    if later:
        came = receive(folder, later, render=render)
        new = [layout.letter_name(receipt.sid) for receipt in came if receipt.outcome == "taken"]
        done.taken += [name for name in new if (folder.root / name).exists()]
        done.stages = list(range(before + 1, folder.stage + 1))
    if max(layout.stage_numbers(other), default=-1) > folder.stage + 1:
        done.passed_over.append(Message("archive.git.later-stages-need-gms-mail", stage=folder.stage))
    return done


class _Union:
    """A walk through the other archive that collects what is to be written."""

    def __init__(self, folder: Readable, other: Path, roster: Roster, done: Merged) -> None:
        self.folder = folder
        self.other = other
        self.roster = roster
        self.done = done
        self.changes = Changes()
        self.parties: tuple[Party, ...] = (*roster.parties, *(entry.party for entry in roster.former))

    def statements(self, stage: int) -> Iterator[tuple[Statement, Signed]]:
        """Yield the statements of a stage of the other archive that a party has signed, as all signed it."""
        for sid in layout.stage_files(self.other, stage).statements:
            try:
                data = layout.read(self.other, layout.statement_name(stage, sid), layout.GM_LIMIT)
                sig = layout.read(self.other, layout.signature_name(stage, sid), layout.SIG_LIMIT)
                armour = (sig or b"").decode("ascii", "replace")
                statement = accept(
                    data or b"",
                    armour,
                    parties=self.parties,
                    game=self.roster.game,
                    dice=self.roster.terms.dice,
                )
            except (NotAccepted, Refused) as fault:
                words = fault.diagnostics[0].message if isinstance(fault, Refused) else str(fault)
                name = layout.statement_name(stage, sid)
                self.done.passed_over.append(Message("text.diagnostics.about", what=name, message=words))
                continue
            if (statement.sid, statement.stage) == (sid, stage):
                others = (more for _, more in self._co_signatures(stage, statement))
                yield statement, Signed(statement.bytes, (armour, *others))

    def letters(self) -> Iterator[Signed]:
        """Yield the letters of the other archive, which are judged as if they came by email."""
        for entry in islice(layout.entries(self.other / layout.LETTERS), 2 * layout.MOST_LETTERS):
            sid = entry.name.removesuffix(".json")
            if sid == entry.name or not layout.is_sid(sid):
                continue
            try:
                data = layout.read(self.other, layout.letter_name(sid), layout.PLAYER_LIMIT)
                sig = layout.read(self.other, f"{layout.LETTERS}/{sid}.sig", layout.SIG_LIMIT)
            except Refused as fault:
                words = fault.diagnostics[0].message
                self.done.passed_over.append(
                    Message("text.diagnostics.about", what=entry.name, message=words)
                )
                continue
            if data is not None and sig is not None:
                yield Signed(data, (sig.decode("ascii", "replace"),))

    def stage(self, stage: int) -> None:
        """Take over what is new in a stage that both have; report contradictions."""
        here = {statement.sid: statement for statement, _ in self.folder.statements(stage)}
        for statement, signed in self.statements(stage):
            if statement.sid not in here and any(one_report(statement, other) for other in here.values()):
                self.done.passed_over.append(
                    Message(
                        "archive.git.statement-name-report-is-here",
                        statement_name=layout.statement_name(stage, statement.sid),
                    )
                )
            elif statement.sid not in here:
                self._take(layout.statement_name(stage, statement.sid), statement.bytes)
                self._take(layout.signature_name(stage, statement.sid), signed.signatures[0].encode())
                self._contradiction(statement, list(here.values()))
                here[statement.sid] = statement
            self._cosigned(stage, statement)
        self._views(stage, [statement for statement in here.values() if statement.type == "report"])
        self._record(stage)

    def _take(self, name: str, data: bytes) -> None:
        if not (self.folder.root / name).exists():
            self.changes.write(name, data)
            self.done.taken.append(name)

    def _contradiction(self, statement: Statement, here: Sequence[Statement]) -> None:
        """Report a second report or lock with one revision: the GM contradicts themselves (5.3)."""
        same = [
            o for o in here if (o.type, o.sender, o.rev) == (statement.type, statement.sender, statement.rev)
        ]
        if statement.kind.twice == "fork" and same and not is_ended(self.folder, statement.stage):
            text = Message(
                "archive.git.party-has-signed-two-of-a-kind",
                sender=statement.sender,
                type=type_words(statement.type),
                stage=statement.stage,
                rev=statement.rev,
            )
            self._fork(statement.stage, text)

    def _fork(self, stage: int, text: str) -> None:
        self.done.forks.append(text)
        note = f"{text}:\nfound when two archives were merged; look into {layout.stage_name(stage)}/\n"
        self.changes.write(f"{layout.INBOX}/{FORK}{stage:04d}.txt", note)

    def _cosigned(self, stage: int, statement: Statement) -> None:
        """Copy further signatures under an amendment."""
        for name, armour in self._co_signatures(stage, statement):
            self._take(f"{layout.stage_name(stage)}/{name}", armour.encode())

    def _co_signatures(self, stage: int, statement: Statement) -> Iterator[tuple[str, str]]:
        """Yield file name and text of each further good signature under an amendment."""
        if statement.type != "amend":
            return
        for name in sorted(layout.stage_files(self.other, stage).signatures):
            if not name.startswith(f"{statement.sid}.") or name == f"{statement.sid}.sig":
                continue
            sig = layout.read(self.other, f"{layout.stage_name(stage)}/{name}", layout.SIG_LIMIT) or b""
            armour = sig.decode("ascii", "replace")
            if self._is_signed(armour, statement):
                yield name, armour

    def _is_signed(self, armour: str, statement: Statement) -> bool:
        """Return True if a party of this game signed, or the new key that the amendment brings."""
        try:
            public = sshsig.decode(armour)[0]
            sshsig.verify(public, armour, statement.bytes)
        except (BadSignature, BadKey):
            return False
        known = public in {party.sign for party in self.parties}
        return known or sshsig.public_line(public).encode() in statement.bytes

    def _views(self, stage: int, reports: Sequence[Statement]) -> None:
        """Copy sealed views that a report names."""
        named: dict[str, set[str]] = {}
        for report in reports:
            for party, digest in report.report.views.items():
                named.setdefault(party, set()).add(digest)
        for party, rev, name in layout.view_files(self.other, stage):
            data = layout.read(self.other, name, layout.BLOB_LIMIT) or b""
            if rev is None and groups.view_hash(data).hex() in named.get(party, ()):
                self._take(name, data)

    def _record(self, stage: int) -> None:
        """Compare the records of both: if they differ, the game has split here."""
        name = f"{layout.stage_name(stage)}/record.json"
        data = layout.read(self.other, name, layout.DERIVED_LIMIT)
        if data is None:
            return
        try:
            theirs = records.check(json.loads(data))
        except (BadRecord, ValueError, RecursionError):
            self.done.passed_over.append(Message("archive.git.no-record", shown=shown(name)))
            return
        ours = self.folder.record(stage)
        different = first_difference(ours, theirs)
        if different is not None:
            text = Message("archive.git.records-of-stage-differ", stage=stage, different=different)
            self.done.forks.append(text)
