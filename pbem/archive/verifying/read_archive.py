"""The content of an archive as `verify` read it: evidence by stage, counting reports, and progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from pbem.archive.adjudicating.publishing import Render
from pbem.archive.folder import layout
from pbem.archive.verifying.evidence import StageEvidence, read_sealed
from pbem.archive.verifying.findings import Finding, Notes
from pbem.archive.verifying.record_of_two import record_of_two
from pbem.archive.verifying.results_note import Verified
from pbem.archive.verifying.sealed_stages import Files, Sealed, digest_of
from pbem.engine import pins
from pbem.engine.scenarios.scenario_check import need_sound
from pbem.engine.scenarios.whole_scenario import WholeScenario
from pbem.engine.system import System, find_pinned, installed
from pbem.stages.letters import Came
from pbem.stages.progress import Progress
from pbem.stages.running import Run
from pbem.stages.scenario_terms import brought, system_as_played
from pbem.stages.unseal_checks import secrets_in, unseal_fault
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Refused
from pbem.text.messages import in_turn
from pbem.trust import dice
from pbem.trust.records import Record
from pbem.trust.roster import Pinned, Roster, secret_commitment
from pbem.trust.statements import Statement

T = TypeVar("T")

Renderers = Callable[[], Iterable[Render]]
"""Gives what makes the reports of a game's stages: one in each language."""


class ByStage(Mapping[int, T], Generic[T]):
    """Values by stage, some of them read only on demand."""

    def __init__(self) -> None:
        self._here: dict[int, T | None] = {}
        self._later: dict[int, Callable[[int], T]] = {}

    def put(self, stage: int, value: T) -> None:
        """Store the value of a stage."""
        self._here[stage] = value

    def promise(self, stage: int, read: Callable[[int], T]) -> None:
        """Store how to read the value of a stage."""
        self._here[stage] = None
        self._later[stage] = read

    def __getitem__(self, stage: int) -> T:
        value = self._here[stage]
        if value is None:
            value = self._here[stage] = self._later[stage](stage)
        return value

    def __iter__(self) -> Iterator[int]:
        return iter(self._here)

    def __len__(self) -> int:
        return len(self._here)


@dataclass
class Archive:
    """The content of a foreign archive: evidence and the report that counts, by stage.

    `before` says where the game stood before each stage, `progress` behind the last. `own_secrets` are those
    of the GM in the GM's folder, `superseded` the heads that a correction replaced. `trusted` is
    the note of an earlier verify, `sealed` what is in it of the first stages where nothing of them has
    changed, `said` the findings about each stage, `final` the last run of the game once it was played again.
    """

    root: Path
    roster: Roster
    notes: Notes
    evidence: ByStage[StageEvidence] = field(default_factory=ByStage)
    reports: ByStage[Statement] = field(default_factory=ByStage)
    before: list[Progress] = field(default_factory=list)
    seeds: dict[int, bytes] = field(default_factory=dict)
    hidden_seeds: dict[int, bytes] = field(default_factory=dict)
    renderers: Renderers | None = None
    trusted: Verified | None = None
    final: Run | None = None
    progress: Progress | None = None
    own_secrets: list[bytes] = field(default_factory=list)
    superseded: dict[int, set[str]] = field(default_factory=dict)
    sealed: dict[int, Sealed] = field(default_factory=dict)
    said: dict[int, tuple[Finding, ...]] = field(default_factory=dict)
    rules: System | None = None
    """The rules to try on all stages; None for those that each stage was agreed to be run by."""
    whole: WholeScenario | None = None
    """The scenario that came with the game; None for one of the package."""
    letters: dict[str, Came] = field(default_factory=dict)
    """The letters with good signatures, by sid."""
    other_words: set[int] = field(default_factory=set)
    """The stages whose report was made with words that are not installed here."""
    _systems: dict[Pinned, System] = field(default_factory=dict)
    _records: dict[int, Record] = field(default_factory=dict)
    _rolls: dict[int, int] = field(default_factory=dict)
    _renders: tuple[Render, ...] = ()

    def renders(self) -> tuple[Render, ...]:
        """Return the renderers of reports.

        They are the same for all stages, as each stage's report uses the earlier ones.
        """
        assert self.renderers is not None
        self._renders = self._renders or tuple(self.renderers())
        return self._renders

    def read_scenario(self) -> None:
        """Read the scenario in the archive; it is false unless it is the one that the roster pins (17.34)."""
        terms = self.roster.terms
        try:
            if terms.module.name in installed():
                whole = brought(terms, layout.read(self.root, layout.SCENARIO, layout.PLAYER_LIMIT))
                if whole is not None:
                    need_sound(find_pinned(terms.module.name, terms.module.sha256), whole)
                self.whole = whole
        except Refused as refused:
            self.notes.false("scenario", in_turn(fault.message for fault in refused.diagnostics))

    @cached_property
    def files(self) -> Files:
        """Return the reader of the archive's files."""
        return Files(self.root)

    def take(self, stage: int, known: Sealed, record: Record) -> None:
        """Take over the findings of an earlier verify about a stage whose files are unchanged."""
        self.sealed[stage], self._records[stage] = known, record
        self.said[stage] = known.findings
        self.notes.findings += known.findings
        self.evidence.promise(stage, lambda stage: read_sealed(self.files, stage))
        self.reports.promise(stage, self._sealed_report)
        if known.superseded:
            self.superseded[stage] = set(known.superseded)
        if record.seed is not None:
            self.seeds[stage] = record.seed

    def _sealed_report(self, stage: int) -> Statement:
        sid = self.sealed[stage].report
        report = self.find(stage, sid) if sid else self.record_of_two(stage)
        assert report is not None
        return report

    def record_of_two(self, stage: int) -> Statement | None:
        """Return the record of a stage between two players, or None (with a finding) if not the signed
        one."""
        return record_of_two(self.root, self.roster, stage, self.of(stage, "link"), self.notes)

    def seal(self, stage: int) -> Sealed | None:
        """Return what a later verify may reuse of a checked stage; None if it has to check itself.

        It has to where something was opened, because that concerns other stages too.
        """
        if stage in self.sealed:
            return self.sealed[stage]
        evidence, report = self.evidence[stage], self.reports[stage]
        digest = None if evidence.of("unseal") else digest_of(self.files, stage)
        if digest is None:
            return None
        return Sealed(
            digest,
            report.sid if report.sid in evidence.statements else "",
            len(evidence.statements),
            self.rolls(stage),
            tuple(sorted(self.superseded.get(stage, ()))),
            self.commits(stage),
            self.said.get(stage, ()),
        )

    def rolls(self, stage: int) -> int:
        """Return how many rolls there are in the public events of a stage."""
        if stage in self.sealed:
            return self.sealed[stage].rolls
        if stage not in self._rolls:
            self._rolls[stage] = len(list(dice.rolls_in(list(self.reports[stage].report.events))))
        return self._rolls[stage]

    def commits(self, stage: int) -> dict[str, tuple[str, ...]]:
        """Return the commitments in the orders of a record, by party; parties without any are left out."""
        if stage in self.sealed:
            return dict(self.sealed[stage].commits)
        taken = {party: self.find(stage, sid) for party, sid in self.accepted(stage).items() if sid}
        commits = {
            party: tuple(sorted(order.said.commits)) for party, order in sorted(taken.items()) if order
        }
        return {party: names for party, names in commits.items() if names}

    def find(self, stage: int, sid: str) -> Statement | None:
        """Return a statement of a stage, if it is here with a good signature."""
        here = self.evidence.get(stage)
        return here.statements.get(sid) if here else None

    def of(self, stage: int, type_: str) -> list[Statement]:
        """Return the statements of one type in a stage."""
        here = self.evidence.get(stage)
        return here.of(type_) if here else []

    def signatures(self, stage: int, sid: str) -> tuple[str, ...]:
        """Return all good signatures beside an amendment."""
        here = self.evidence.get(stage)
        return here.signatures.get(sid, ()) if here else ()

    def behind(self, stage: int) -> Progress:
        """Return the progress of the game after the record of a stage."""
        progress = self.before[stage + 1] if stage + 1 < len(self.before) else self.progress
        assert progress is not None
        return progress

    def system_at(self, stage: int, roster: Roster) -> System:
        """Return the installed rules of a stage; `rules` if they are to be tried on every stage."""
        module = self.module_of(stage)
        if self.rules is not None:
            return self.rules.with_engine(module.version)
        if module not in self._systems:
            self._systems[module] = system_as_played(roster.terms, module, self.whole)
        return self._systems[module]

    def foreign(self) -> list[int]:
        """Return the stages that were run by rules or an engine that are not installed here."""
        return [stage for stage in range(len(self.before)) if not self._is_installed(stage)]

    def _is_installed(self, stage: int) -> bool:
        module = self.module_of(stage)
        return pins.plays(self.system_at(stage, self.roster_of(stage)), module.sha256, module.version)

    def module_of(self, stage: int) -> Pinned:
        """Return the agreed rules of a stage; an amendment counts in its own stage (decision 43)."""
        return self.behind(stage).roster.terms.module

    def roster_of(self, stage: int) -> Roster:
        """Return the roster of a stage's report: the next one, if amendments closed the stage."""
        closed = self.record(stage).closed
        return self.behind(stage).roster if closed else self.before[stage].roster

    @property
    def in_force(self) -> Roster:
        """Return the roster after all amendments."""
        return self.progress.roster if self.progress is not None else self.roster

    def find_any(self, sid: str) -> Statement | None:
        """Return a statement of any stage."""
        there = (
            stage
            for stage in sorted(self.evidence)
            if stage not in self.sealed or (self.root / layout.statement_name(stage, sid)).is_file()
        )
        statements = (self.find(stage, sid) for stage in there)
        letter = self.letters[sid].statement if sid in self.letters else None
        return next((statement for statement in statements if statement is not None), letter)

    def record(self, stage: int) -> Record:
        """Return the record in the report of a stage."""
        if stage in self._records:
            return self._records[stage]
        return self.reports[stage].report.record

    def accepted(self, stage: int) -> Mapping[str, str | None]:
        """Return what the record of a stage accepted."""
        return self.record(stage).accepted

    def sealed_by(self, stage: int, party: str) -> str | None:
        """Return who signed the report that names the sealed view of a party that is here."""
        digest = self.evidence[stage].views.get(party)
        named = (
            statement for statement in self.of(stage, "report") if statement.report.views.get(party) == digest
        )
        return next((report.sender for report in named), None)

    @cached_property
    def unseals(self) -> list[Statement]:
        """Return the valid unseals; call it when all evidence is read."""
        looked_at = (stage for stage in sorted(self.evidence) if stage not in self.sealed)
        unsealing = [statement for stage in looked_at for statement in self.of(stage, "unseal")]
        return [unseal for unseal in unsealing if unseal_fault(self.in_force, unseal, self.find_any) is None]

    def secret_at(self, stage: int) -> bytes | None:
        """Return the secret that a stage was hidden with, if it is published, or the owner's."""
        committed, salt = self.in_force.secret_at(stage), self.roster.terms.salt
        known = [*secrets_in(self.unseals), *self.own_secrets]
        return next((secret for secret in known if secret_commitment(salt, secret) == committed), None)

    @property
    def unsealed(self) -> bool:
        """Return True if the secrets of all stages are known: those of every GM there was."""
        return bool(self.before) and all(
            self.secret_at(stage) is not None for stage in range(len(self.before))
        )
