"""Events that concern a reader: they name the side, its places, or where it fought."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pbem.report.reader import View, concerned, hexes_named
from pbem.report.worth import Worth, worth_of

Fields = Mapping[str, Any]

OF_ALL: frozenset[Worth] = frozenset(("end", "power", "capital", "score", "front", "formation", "loss"))
"""News of this worth is everybody's business."""


def is_about(
    event: Fields, side: Collection[str | None], view: View, fought: Collection[str] = frozenset()
) -> bool:
    """Return True if an event concerns the side.

    It names one of the side, nobody at all, or a hex where the side is, which it holds, or where it `fought`.
    What changes the score, the front or the strength of anybody concerns everybody (`OF_ALL`).
    """
    named = concerned(event, view)
    if not named or named & set(side) or worth_of(event, view) in OF_ALL:
        return True
    for hex in hexes_named(event, view):
        if hex in fought:
            return True
        owners = {view.owner(id) for id in view.position.at(hex)} | {view.holder(hex)}
        if owners & set(side):
            return True
    return False


def fought_by(side: Collection[str | None], events: Iterable[Fields], view: View) -> frozenset[str]:
    """Return where a side fought, lost or retreated.

    Such a place still concerns it, although somebody else is there now.
    """
    units: set[str] = set()
    for event in events:
        meaning = view.means(event)
        if {"battle", "loss", "retreat"} & set(meaning.tells) and set(meaning.players) & set(side):
            units |= {*meaning.here, *meaning.origins}
    return frozenset(units)
