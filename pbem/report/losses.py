"""Losses of each player, counted from the declarations of events (`model/meaning.py`).

The types of their fields and `costs` declare them; the wording's `quantities` names them.

    quantities: {step: "step", step-many: "steps", block: "block", block-many: "blocks"}
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.report.reader import View
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Losses:
    """The losses of one player: quantity (`step`) to number, in the system's order; none is 0."""

    player: str
    lost: tuple[tuple[str, int], ...]


def suffered(event: Mapping[str, Any], view: View) -> dict[str, Counter[str]]:
    """Return each player's losses by one event, or {} without any."""
    meaning = view.means(event)
    if not meaning.losses:
        return {}
    return {player: Counter(meaning.losses) for player in sorted({*meaning.losers} & {*view.powers})}


def counted(event: Mapping[str, Any], view: View) -> dict[str, int]:
    """Return what each player loses by one event, as one number.

    It is in the first of the system's quantities (a block that loses its last step is one step lost, not
    two), else the sum of all quantities.
    """
    first = first_quantity(view)
    return {
        player: amounts[first] or sum(amounts.values()) for player, amounts in suffered(event, view).items()
    }


def first_quantity(view: View) -> str:
    """Return the quantity that a system counts its losses in first: `step`."""
    return next((key for key in view.wording.of("quantities") if not key.endswith("-many")), "")


def losses(events: Iterable[Mapping[str, Any]], view: View) -> list[Losses]:
    """Return the losses of everybody who had any, in the order of seats."""
    sums: dict[str, Counter[str]] = {}
    for event in events:
        for player, amounts in suffered(event, view).items():
            sums.setdefault(player, Counter()).update(amounts)
    order = [key for key in view.wording.of("quantities") if not key.endswith("-many")]
    return [
        Losses(player, tuple((key, sums[player][key]) for key in order if sums[player][key]))
        for player in view.powers
        if player in sums
    ]


def in_words(suffered: Losses, view: View) -> list[str]:
    """Return `3 steps`, `1 block`."""
    names = view.wording.of("quantities")
    return [
        f"{n} {names.get(f'{key}-many', key) if n != 1 else names.get(key, key)}" for key, n in suffered.lost
    ]
