"""The last head in every letter.

A missing report or another history is then noticed at once (protocol 5.3, 12.3).

The line is for people and for this comparison; like all readable text it is not signed, so it can only warn.
What is signed is the same head in `prev` of the next statement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.trust import records
from pbem.trust.armour import Signed
from pbem.trust.errors import BadRecord

if TYPE_CHECKING:
    from pbem.archive.folder.parts import Readable


# in any language: stage number, colon, head
_LINE = re.compile(r"(?<![0-9a-f])([0-9]{1,10}):[\s>|]*([0-9a-f]{64})(?![0-9a-f])")


def lines(stage: int, head: str) -> list[str]:
    """Return the lines for a letter; the head has a line of its own, which no known email program wraps."""
    return ["", Message("archive.letters.last-head-here", stage=stage), head]


def of_items(items: Iterable[Signed]) -> list[str]:
    """Return the lines for a letter with these statements of ours: the newest head in them."""
    known = [heads for item in items if (heads := _known(item)) is not None]
    return lines(*max(known)) if known else []


def of_folder(folder: Readable) -> list[str]:
    """Return the lines for a letter that carries no statement."""
    return lines(folder.stage, folder.head(folder.stage)) if folder.stage >= 0 else []


def _known(signed: Signed) -> tuple[int, str] | None:
    """Return the newest stage and head in a statement, or None for those from before the game."""
    data: Any = json.loads(signed.data)
    stage, prev = data.get("stage"), data.get("prev")
    if data.get("type") == "report":
        return stage, records.head(data["body"]["record"]).hex()
    return (stage - 1, prev) if isinstance(stage, int) and isinstance(prev, str) and stage > 0 else None


def said(texts: Iterable[str]) -> set[tuple[int, str]]:
    """Return the (stage, head) pairs mentioned in the texts."""
    return {(int(match[1]), match[2]) for text in texts for match in _LINE.finditer(text)}


def compared(folder: Readable, texts: Sequence[str]) -> str:
    """Return a note about heads in an email's text that differ from this folder's, or ""."""
    for stage, head in sorted(said(texts)):
        try:
            here = folder.head(stage) if stage <= folder.stage else None
        except (Refused, BadRecord):
            continue
        if here is None:
            newest = (
                Message("archive.letters.newest-stage-here-is-stage", stage=folder.stage)
                if folder.stage >= 0
                else Message("archive.letters.none-here")
            )
            return Message("archive.letters.its-sender-has-report-of-stage", stage=stage, newest=newest)
        if here != head and not any(
            statement.report.record.head == head for statement in folder.of(stage, "report")
        ):
            return Message(
                "archive.letters.its-text-names-another-head", stage=stage, head=head[:16], here=here[:16]
            )
    return ""
