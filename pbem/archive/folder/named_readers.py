"""Answers for named readers on the private side: `private/readers/0012.json` (protocol-letters 3)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.archive.folder import private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.private_side import Private
from pbem.stages.named_readers import as_facts
from pbem.text.canonical import Json
from pbem.trust.groups import Fact
from pbem.trust.readers import ForReaders


def apart_file(stage: int, entries: Sequence[ForReaders], rev: int) -> Changes:
    """Return the file with the answers of a stage that the owner of the folder may read.

    A correction (`rev`) that leaves none removes the file.
    """
    changes = Changes()
    if entries:
        facts: list[Json] = [[key, value, [*audience]] for key, value, audience in as_facts(entries)]
        changes.write(_name(stage), private_side.to_text(facts))
    elif rev > 1:
        changes.remove(_name(stage))
    return changes


def apart_facts(side: Private, stage: int) -> list[Fact]:
    """Return the answers for named readers of a stage that this folder has, as facts."""
    entries = side.json(_name(stage)) or []
    return [Fact(key, value, tuple(audience)) for key, value, audience in entries]


def _name(stage: int) -> str:
    return f"{private_side.READERS}/{stage:04d}.json"
