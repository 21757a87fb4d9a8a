"""The result of `verify`: all findings, in order, and the end of the archive (protocol 15)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.verifying.findings import Class, Finding
from pbem.archive.verifying.results_note import Verified
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Verification:
    """The result: all findings, and the last head, because a shortened archive is valid (12.3).

    `note` is what an own folder may keep, so that a later verify need not play all of it again.
    """

    findings: Sequence[Finding]
    game: str | None = None
    stage: int = -1
    head: str | None = None
    note: Verified | None = None

    @property
    def ok(self) -> bool:
        """Return True if nothing was found to be false."""
        return self.first_bad is None

    @property
    def first_bad(self) -> Finding | None:
        """Return the first false finding: in the earliest stage, or before all stages."""
        bad = [finding for finding in self.findings if finding.kind == "false"]
        return min(bad, key=lambda finding: -1 if finding.stage is None else finding.stage, default=None)

    def of(self, kind: Class) -> list[Finding]:
        """Return the findings of one class."""
        return [finding for finding in self.findings if finding.kind == kind]
