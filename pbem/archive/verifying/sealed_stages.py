"""The results of an earlier verify for each stage, so that `--since` need not check it again.

A stage is taken as found only while each byte that `verify` reads of it is what it was, and so is every stage
before it. One that has changed is looked at again, and with it all that follow.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.archive.folder import layout
from pbem.archive.verifying.findings import Finding
from pbem.engine.system import ENGINE_VERSION
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Refused

PROGRAM = f"{__version__}+engine{ENGINE_VERSION}"
"""Whose findings they are: those of another version are not taken over."""


@dataclass
class Files:
    """A reader of an archive's files that keeps the digest of the bytes it read."""

    root: Path
    digests: dict[str, str] = field(default_factory=dict)

    def read(self, name: str, limit: int) -> bytes | None:
        """Return a file as `layout.read` does: None if missing, Refused for an irregular or large one."""
        data = layout.read(self.root, name, limit)
        if data is not None:
            self.digests[name] = sha256(data).hexdigest()
        return data

    def digest(self, name: str) -> str:
        """Return the digest of a file's bytes as they were read, or as they are; Refused as above."""
        if name not in self.digests:
            self.read(name, layout.DERIVED_LIMIT)
        return self.digests.get(name, "")


@dataclass(frozen=True)
class Sealed:
    """The results for a stage.

    `files` is the digest of its folder, `report` the sid of the report that counts (of none between two),
    `superseded` the heads that it replaced, `commits` the commitments of the orders in its record, by party.
    """

    files: str
    report: str
    statements: int
    rolls: int
    superseded: tuple[str, ...] = ()
    commits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def to_json(self) -> list[Json]:
        """Return the data for the note; rare members come last, and are left out if empty."""
        parts: list[Json] = [self.files, self.report, self.statements, self.rolls]
        commits: dict[str, Json] = {party: list(names) for party, names in self.commits.items()}
        findings: list[Json] = [
            [finding.kind, finding.code, finding.text, finding.stage, finding.party]
            for finding in self.findings
        ]
        rest: list[Json] = [list(self.superseded), commits, findings]
        return [*parts, *rest] if any(rest) else parts

    @classmethod
    def of(cls, data: Any) -> Sealed:
        """Return the results in a note.

        Raises what Python raises for malformed data.
        """
        files, report, statements, rolls, *rest = data
        superseded, commits, findings = rest or ((), {}, ())
        return cls(
            str(files),
            str(report),
            int(statements),
            int(rolls),
            tuple(str(head) for head in superseded),
            {str(party): tuple(names) for party, names in commits.items()},
            tuple(Finding(*finding) for finding in findings),
        )


def digest_of(files: Files, stage: int) -> str | None:
    """Return the digest of a stage folder: of the names and bytes of every file in it (protocol 17.31).

    None if something in it is no file that can be read, or there is no record to go on from.
    """
    folder = layout.stage_name(stage)
    listed: dict[str, Json] = {}
    try:
        for entry in layout.entries(files.root / folder):
            if entry.name == "views":
                for view in layout.entries(files.root / folder / "views"):
                    name = f"views/{view.name}"
                    listed[name] = files.digest(f"{folder}/{name}")
            else:
                listed[entry.name] = files.digest(f"{folder}/{entry.name}")
    except Refused:
        return None
    if "record.json" not in listed:
        return None
    return sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()
