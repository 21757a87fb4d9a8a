"""What `verify` has read of an archive: evidence by stage, the reports that count, where the game
stood between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path

from pbem.archive.adjudicating.publishing import Render
from pbem.archive.verifying.evidence import StageEvidence
from pbem.archive.verifying.findings import Notes
from pbem.archive.verifying.results_note import Verified
from pbem.stages.progress import Progress
from pbem.stages.running import Run
from pbem.stages.unseal_checks import secrets_in, unseal_fault
from pbem.text.dataclass import dataclass
from pbem.trust.records import Record
from pbem.trust.roster import Roster, secret_commitment
from pbem.trust.statements import Statement

Renderers = Callable[[Roster], Iterable[Render]]
"""Makes what makes the reports of a game's stages, when its roster is known: one in each language."""


@dataclass
class Archive:
    """What was read of a foreign archive: evidence and the report that counts, by stage.

    `before` says where the game stood before each stage, `progress` behind the last. `own_secrets` are those
    of the GM in his own folder, `superseded` the heads that a correction took the place of. `trusted` is
    where results were proved before, `final` the last run of the game once it was played again.
    """

    root: Path
    roster: Roster
    notes: Notes
    evidence: dict[int, StageEvidence] = field(default_factory=dict)
    reports: dict[int, Statement] = field(default_factory=dict)
    before: list[Progress] = field(default_factory=list)
    seeds: dict[int, bytes] = field(default_factory=dict)
    hidden_seeds: dict[int, bytes] = field(default_factory=dict)
    renderers: Renderers | None = None
    trusted: Verified | None = None
    final: Run | None = None
    progress: Progress | None = None
    own_secrets: list[bytes] = field(default_factory=list)
    superseded: dict[int, set[str]] = field(default_factory=dict)
    _renders: tuple[Roster, tuple[Render, ...]] | None = None

    def renders(self, roster: Roster) -> tuple[Render, ...]:
        """What makes the reports of stages with this roster: the same for all of them, as what it has told of
        one helps it to tell the next."""
        assert self.renderers is not None
        if self._renders is None or self._renders[0] is not roster:
            self._renders = roster, tuple(self.renderers(roster))
        return self._renders[1]

    def find(self, stage: int, sid: str) -> Statement | None:
        """A statement of a stage, if it is here with a good signature."""
        here = self.evidence.get(stage)
        return here.statements.get(sid) if here else None

    def of(self, stage: int, type_: str) -> list[Statement]:
        """The statements of one type in a stage."""
        here = self.evidence.get(stage)
        return here.of(type_) if here else []

    def signatures(self, stage: int, sid: str) -> tuple[str, ...]:
        """All good signatures beside an amendment."""
        here = self.evidence.get(stage)
        return here.signatures.get(sid, ()) if here else ()

    def behind(self, stage: int) -> Progress:
        """Where the game stood with the record of a stage."""
        progress = self.before[stage + 1] if stage + 1 < len(self.before) else self.progress
        assert progress is not None
        return progress

    def roster_of(self, stage: int) -> Roster:
        """The roster that the report of a stage is made with: the one to come, if amendments closed it."""
        closed = self.record(stage).closed
        return self.behind(stage).roster if closed else self.before[stage].roster

    @property
    def in_force(self) -> Roster:
        """The roster as all amendments have left it."""
        return self.progress.roster if self.progress is not None else self.roster

    def find_any(self, sid: str) -> Statement | None:
        """A statement of whatever stage."""
        found = (one.statements.get(sid) for _, one in sorted(self.evidence.items()))
        return next((one for one in found if one is not None), None)

    def record(self, stage: int) -> Record:
        """The record in the report of a stage."""
        return self.reports[stage].report.record

    def accepted(self, stage: int) -> Mapping[str, str | None]:
        """What the record of a stage accepted."""
        return self.record(stage).accepted

    @cached_property
    def unseals(self) -> list[Statement]:
        """What was opened at the end, as far as it fits; to be asked for when all evidence is read."""
        said = [one for _, here in sorted(self.evidence.items()) for one in here.of("unseal")]
        return [one for one in said if unseal_fault(self.in_force, one, self.find_any) is None]

    def secret_at(self, stage: int) -> bytes | None:
        """The secret that a stage was hidden with, if it was published, or is known to whose folder it is."""
        committed, salt = self.in_force.secret_at(stage), self.roster.terms.salt
        known = [*secrets_in(self.unseals), *self.own_secrets]
        return next((one for one in known if secret_commitment(salt, one) == committed), None)

    @property
    def unsealed(self) -> bool:
        """Whether the secrets of all stages are known: those of every GM there was."""
        return bool(self.before) and all(
            self.secret_at(stage) is not None for stage in range(len(self.before))
        )
