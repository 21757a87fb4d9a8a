"""Journal entries of a leaf as plain data: their form in messages, and those that outlive the leaf."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pbem.engine.answers import NOT_OPENED, Reply
from pbem.model.state import Entry
from pbem.text.canonical import Json


def sealed(key: str, party: str, stage: int, sent_as: str, reply: Reply) -> Entry:
    """Return the entry of a commitment that was sent, with its value if that is known here."""
    entry: Entry = {"seal": key, "party": party, "stage": stage, "as": sent_as}
    if reply.commit:
        entry["commit"] = reply.commit
    if reply.value is not NOT_OPENED:
        entry["value"] = reply.value  # type: ignore[assignment]
    return entry


def still_kept(before: Iterable[Entry], journal: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the lodged commitments, earlier ones and those of this leaf, that were not opened in it."""
    entries = list(journal)
    opened = {(entry["party"], entry["open"]) for entry in entries if "open" in entry}
    lodged = [{k: v for k, v in entry.items() if k != "h"} for entry in entries if "lodged" in entry]
    return tuple(e for e in (*before, *lodged) if (e["party"], e["seal"]) not in opened)


def words(value: Json) -> tuple[str | int, ...]:
    assert isinstance(value, list)
    return tuple(item for item in value if isinstance(item, str | int))


def numbers(value: Json) -> tuple[int, ...]:
    assert isinstance(value, list)
    return tuple(item for item in value if isinstance(item, int))


def short(entry: dict[str, Json]) -> str:
    shown = {
        key: value
        for key, value in entry.items()
        if key not in ("h", "stage", "by", "answer", "value", "orders")
    }
    return ", ".join(f"{key} {value}" for key, value in shown.items()) or "nothing"


def without_stage(value: Any) -> Any:
    """Return an event without the stages of its rolls.

    They differ between the stage of the roll and later ones.
    """
    if value.__class__ is str or value.__class__ is int:
        return value
    if isinstance(value, dict):
        roll = "label" in value and "result" in value
        return {k: without_stage(v) for k, v in value.items() if not (roll and k == "stage")}
    if isinstance(value, list):
        return [without_stage(item) for item in value]
    return value
