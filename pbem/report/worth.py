"""The worth of news: the one ranking of subjects, "In short", pages, books and pictures.

A system declares it as data, by the kind of event; a word may depend on fields, as in any sentence.

    news: {conquered: power, spent: order, last-impulse-tested: "[[ends?turn]][[ends!routine]]"}
    map: {worth: vp, capital: kind capital, objectives: strategic}

What a system does not declare has the worth of what its class `tells`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, get_args

from pbem.model.events import Tells
from pbem.report.control import objectives
from pbem.report.losses import counted
from pbem.report.reader import View

Fields = Mapping[str, Any]
Worth = Literal[
    "end",
    "power",
    "capital",
    "score",
    "front",
    "formation",
    "loss",
    "battle",
    "forces",
    "retreat",
    "turn",
    "minor",
    "failure",
    "order",
    "routine",
]
"""Ranks of news, most important first. `score`: points, the level of victory, or a place that counts.
`power`: a power falls, joins, or goes to war. `formation`: a whole unit is gone. `failure`: what a player
ordered in vain, news for that player alone. `order`: what a player ordered, news for the others alone.
`routine`: never news."""
RANKS: tuple[Worth, ...] = get_args(Worth)
OF_TELLS: Mapping[Tells, Worth] = {
    "end": "end",
    "score": "score",
    "capture": "front",
    "outcome": "front",
    "loss": "loss",
    "battle": "battle",
    "prelude": "battle",
    "forces": "forces",
    "retreat": "retreat",
    "turn": "turn",
}
"""The worth of an event of which a system says nothing, by what it tells; else it is minor."""
Rank = tuple[int, int, int, int]


def rank(event: Fields, view: View, side: Collection[str | None] = ()) -> Rank:
    """Return how much an event matters to a reader of this side, the smallest the most.

    It depends on what the event is, on how much it is worth or costs, on whether it concerns that side,
    and on whether its place has a name.
    """
    worth, amount, named = worth_of(event, view), 0, True
    own = bool({view.seat(power) for power in view.means(event).players} & {*side})
    if worth == "front":
        worth, amount, named = _of_place(event, view)
    elif worth == "score":
        needed = objectives(view) if view.means(event).captures else {}
        amount = max((needed.get(capture.place, 0) for capture in view.means(event).captures), default=0)
    elif worth in ("loss", "formation"):
        amount = sum(counted(event, view).values())
    elif worth == ("order" if own else "failure"):
        worth = "routine"
    return RANKS.index(worth), -amount, int(not own), int(not named)


def worth_of(event: Fields, view: View) -> Worth:
    """Return what an event is worth by the system's data, else by what its class tells."""
    text = view.wording.of("news").get(str(event.get("event", "")))
    declared = view.wording.filled(text, event).split() if text else []
    for worth in RANKS:
        if worth in declared:
            return worth
    tells = view.means(event).tells
    return min((OF_TELLS[tell] for tell in tells if tell in OF_TELLS), key=RANKS.index, default="minor")


def is_news(event: Fields, view: View, side: Collection[str | None] = ()) -> bool:
    """Return True if an event is more than routine, or than an order of the reader's own side."""
    return rank(event, view, side)[0] < RANKS.index("routine")


def is_great(event: Fields, view: View) -> bool:
    """Return True if an event is more than the start of a turn, a pass, or an order."""
    return rank(event, view)[0] < RANKS.index("turn")


def _of_place(event: Fields, view: View) -> tuple[Worth, int, bool]:
    """Return the worth of the most that changed hands in an event; less for a place that was held."""
    meaning = view.means(event)
    taken = [capture.place for capture in meaning.captures]
    named = any(view.place_name(place) for place in taken or meaning.here)
    best: tuple[Worth, int, bool] = ("front", int(bool(taken)), named)
    for place in taken:
        worth = place_worth(place, view)
        if worth is not None:
            best = min(best, (*worth, named), key=lambda other: (RANKS.index(other[0]), -other[1]))
    return best


def place_worth(hex: str, view: View) -> tuple[Worth, int] | None:
    """Return what taking a place is worth: a capital, or its points; None for other places."""
    chart, sections = view.chart, view.wording.of("map")
    index = chart.get(hex) if chart is not None else None
    if chart is None or index is None:
        return None
    kinds = dict.fromkeys((*view.wording.of("places"), *sections.get("objectives", "").split()))
    field, _, wanted = sections.get("capital", "").partition(" ")
    amount, capital = 0, False
    for kind in kinds:
        place = chart.place(kind, index)
        if place is None:
            continue
        capital = capital or bool(field and str(place.data.get(field, "")) in (wanted or "True",))
        value = place.data.get(sections.get("worth", ""), 0)
        amount += value if isinstance(value, int) else 0
        amount += kind in sections.get("objectives", "").split()
    if capital:
        return "capital", amount
    return ("score", amount) if amount else None
