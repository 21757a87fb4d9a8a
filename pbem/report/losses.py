"""What each player lost, counted from the events by the system's words (section `losses` of its wording).

losses: {block-lost-step: "{block}: 1 step", starved: "{owner}: {reduced} step, {eliminated} block"}
quantities: {step: "step", step-many: "steps", block: "block", block-many: "blocks"}
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.report.reader import View, names_in
from pbem.report.wording import fill, used

_QUANTITY = re.compile(r"\s*([0-9]{1,6}) +([a-z][a-z0-9-]*)\s*")


@dataclass(frozen=True)
class Losses:
    """What one player lost: quantity (`step`) to number, in the order of the system's words; none is 0."""

    player: str
    lost: tuple[tuple[str, int], ...]


def suffered(event: Mapping[str, Any], view: View) -> dict[str, Counter[str]]:
    """What each player loses by one event; an event that costs nobody anything gives an empty mapping."""
    text = view.wording.of("losses").get(str(event.get("event", "")))
    who, colon, what = (text or "").partition(":")
    if not colon:
        return {}
    players = set().union(*(names_in(event.get(name), view.players) for name in used(who)), set())
    amounts: Counter[str] = Counter()
    for part in fill(what, event).split(","):
        found = _QUANTITY.fullmatch(part)
        if found and int(found[1]):
            amounts[found[2]] += int(found[1])
    return {player: Counter(amounts) for player in sorted(players)} if amounts else {}


def losses(events: Iterable[Mapping[str, Any]], view: View) -> list[Losses]:
    """The losses of everybody who had any, in the order of seats."""
    sums: dict[str, Counter[str]] = {}
    for event in events:
        for player, amounts in suffered(event, view).items():
            sums.setdefault(player, Counter()).update(amounts)
    order = [key for key in view.wording.of("quantities") if not key.endswith("-many")]
    return [
        Losses(player, tuple((key, sums[player][key]) for key in order if sums[player][key]))
        for player in view.players
        if player in sums
    ]


def in_words(one: Losses, view: View) -> list[str]:
    """`3 steps`, `1 block`."""
    names = view.wording.of("quantities")
    return [f"{n} {names.get(f'{key}-many', key) if n != 1 else names.get(key, key)}" for key, n in one.lost]
