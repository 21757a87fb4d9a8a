"""The entries of `ahead` that answer the foreseen questions of a row, by their names in an order file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pbem.archive.ordering.nothing_more import NothingMore
from pbem.archive.ordering.row import RowStep

_NAME = re.compile(r"(?P<kind>[\w-]+)-(?P<stage>\d+)-(?P<number>\d+)")


def name_of(kind: str, stage: int, number: int) -> str:
    """Return the name of the entry that answers the question of this number in the row."""
    return f"{kind}-{stage}-{number}"


def parted(listed: Any, stage: int) -> tuple[dict[int, dict[str, Any]], list[Any]]:
    """Return the entries of `ahead` that belong to the row of a stage, by number, and the others."""
    mine: dict[int, dict[str, Any]] = {}
    others: list[Any] = []
    for entry in listed if isinstance(listed, list) else []:
        name = entry.get("once") if isinstance(entry, dict) else None
        match = _NAME.fullmatch(name) if isinstance(name, str) else None
        ours = match is not None and match["kind"] == entry.get("decision") and match["stage"] == str(stage)
        if match is not None and ours and "answer" in entry:
            mine[int(match["number"])] = entry
        else:
            others.append(entry)
    return mine, others


def entries(steps: Sequence[RowStep], stage: int) -> dict[int, dict[str, Any]]:
    """Return the entries of `ahead` that send the foreseen answers of a row, by number."""
    return {
        step.number: {
            **step.entry,
            "once": name_of(step.decision.kind, stage, step.number),
            "answer": step.answer,
        }
        for step in steps
        if step.number and step.entry is not None
    }


def rest_of(rest: NothingMore, stage: int) -> dict[str, Any] | None:
    """Return the entry that continues answering with "nothing" until the part of the turn is over, if any."""
    last = rest.steps[-1]
    if last.rest is None:
        return None
    return {**last.rest, "name": f"rest-{last.decision.kind}-{stage}", "answer": last.answer}
