"""Statements in words: the files beside the signed bytes in a stage's folder (protocol 6.1).

It is made from the public part of the statement alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.parts import Readable
from pbem.stages.faults import type_words
from pbem.text.canonical import Json
from pbem.text.chars import FORBIDDEN
from pbem.text.flow import flow
from pbem.text.messages import Message
from pbem.trust.statements import Statement

_LONG = 400


def name(statement: Statement) -> str:
    """Return `stages/0012/red-order-1-67dc7c2b.txt`."""
    file = f"{statement.sender}-{statement.type}-{statement.rev}-{statement.sid[:8]}.txt"
    return f"{layout.stage_name(statement.stage)}/{file}"


def text(statement: Statement) -> str:
    """Return the statement in words: its sender, and a line for each item."""
    head = Message(
        "archive.folder.stage-revision",
        type=type_words(statement.type),
        sender=statement.sender,
        stage=statement.stage,
        rev=statement.rev,
    )
    lines = [head, f"sid {statement.sid}", ""]
    for key in sorted(statement.body):
        lines += _member(key, statement.body[key])
    return FORBIDDEN.sub("?", "\n".join(lines)) + "\n"


def missing(folder: Readable, stage: int) -> Changes:
    """Return the renderings of a stage that are not in the folder yet."""
    changes = Changes()
    for statement, _ in folder.statements(stage):
        if statement.kind.rendered and not (folder.root / name(statement)).exists():
            changes.write(name(statement), text(statement))
    return changes


def _member(key: str, value: Json) -> list[str]:
    if key == "sealed" and isinstance(value, dict):
        return [f"sealed to {', '.join(sorted(value))}"]
    if key == "orders" and isinstance(value, list):
        return [_answer(item) for item in value] or [Message("archive.folder.no-open-answers")]
    if key == "commits" and isinstance(value, dict):
        return [f"{decision}: committed" for decision in sorted(value)]
    if key == "openings" and isinstance(value, dict):
        return [f"{key}:", *_opened(value)]
    if isinstance(value, Mapping):
        return [f"{key}:", *(f"  {inner}: {_short(value[inner])}" for inner in sorted(value))]
    if isinstance(value, list):
        return [f"{key}:", *(f"  - {_short(item)}" for item in value)]
    return [f"{key}: {value if isinstance(value, str) else _short(value)}"]


def _opened(value: Json, of: str = "") -> list[str]:
    """Return the committed answers without nonces; in an unseal by the statement they were in."""
    lines: list[str] = []
    for name, entry in sorted(value.items()) if isinstance(value, dict) else ():
        if isinstance(entry, dict) and "nonce" in entry:
            lines.append(f"  {of}{name}: {_short(entry.get('value'))}")
        else:
            lines += _opened(entry, f"{name[:8]} ")
    return lines


def _answer(item: Json) -> str:
    if not isinstance(item, dict) or "decision" not in item or "answer" not in item:
        return _short(item)
    return f"{item['decision']}: {flow(item['answer'])}"


def _short(value: Json) -> str:
    shown = flow(value)
    return shown if len(shown) <= _LONG else shown[: _LONG - 3] + "..."
