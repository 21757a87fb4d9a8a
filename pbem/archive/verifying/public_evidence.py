"""The evidence of an archive as data, for other programs that check it, such as a book's page.

The exact bytes of roster and statements with their signatures, stage by stage (protocol 12.2). Nothing
private is read. Sealed views are left out: they are large, and nobody but their reader can look into them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

from pbem.archive.folder import layout
from pbem.text.messages import Message


class StatementText(TypedDict):
    """A statement as it was signed.

    `signatures` are by co-signer, the sender's under an empty name.
    """

    sid: str
    text: str
    signatures: dict[str, str]


class StageTexts(TypedDict):
    """A stage folder.

    `record` and `events` are derived files; they count only where nobody signs reports.
    """

    number: int
    statements: list[StatementText]
    record: str | None
    events: str | None


class ArchiveTexts(TypedDict):
    """A whole archive.

    `signatures` are those under the roster, by party.
    """

    roster: str
    signatures: dict[str, str]
    stages: list[StageTexts]


def public_evidence(root: Path) -> ArchiveTexts:
    """Return the evidence of an archive as texts.

    Raises Refused for odd files, as everywhere (`folder/layout.py`).
    """
    if (root / layout.STAGES).is_symlink():
        raise layout.odd_file(
            layout.STAGES, Message("archive.verifying.is-link-only-regular-folders-are-read")
        )
    return {
        "roster": _text(root, layout.ROSTER, layout.PLAYER_LIMIT) or "",
        "signatures": {
            party: _text(root, layout.roster_signature_name(party), layout.SIG_LIMIT) or ""
            for party in layout.roster_signers(root)
        },
        "stages": [_stage(root, number) for number in layout.stage_numbers(root)],
    }


def _stage(root: Path, number: int) -> StageTexts:
    files = layout.stage_files(root, number)
    folder = layout.stage_name(number)
    listed: list[StatementText] = []
    for sid in files.statements:
        text = _text(root, layout.statement_name(number, sid), layout.GM_LIMIT) or ""
        if _is_view(text):
            continue
        listed.append({"sid": sid, "text": text, "signatures": _signatures(root, number, sid, files)})
    return {
        "number": number,
        "statements": listed,
        "record": _text(root, f"{folder}/record.json", layout.DERIVED_LIMIT),
        "events": _text(root, f"{folder}/events.json", layout.DERIVED_LIMIT),
    }


def _is_view(text: str) -> bool:
    """Return True if this statement is a sealed view.

    Unreadable text is evidence of a fault, and stays.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("type") == "view"


def _signatures(root: Path, number: int, sid: str, files: layout.StageFiles) -> dict[str, str]:
    signatures: dict[str, str] = {}
    for name in sorted(files.signatures):
        if name.startswith(sid):
            who = name.removeprefix(sid).removesuffix(".sig").removeprefix(".")
            signatures[who] = _text(root, f"{layout.stage_name(number)}/{name}", layout.SIG_LIMIT) or ""
    return signatures


def _text(root: Path, name: str, limit: int) -> str | None:
    data = layout.read(root, name, limit)
    return data.decode("utf-8", "replace") if data is not None else None
