"""The order of battle as text: whose counters stand where, as far as the view tells it."""

from __future__ import annotations

from collections import Counter

from pbem.report.plain import capital, cut, padded, safe, wrapped
from pbem.report.reader import View


def order_of_battle(view: View, reader: str | None) -> list[str]:
    """A part per owner, the reader first; in it a line per hex with the counters there."""
    owners = _owners(view)
    if reader in owners:
        owners = [reader, *(owner for owner in owners if owner != reader)]
    lines: list[str] = []
    for owner in owners:
        lines += _force(view, owner, own=owner == reader)
    return lines


def _owners(view: View) -> list[str]:
    found = {view.owner(id) for id in view.position.counters}
    return [p for p in view.players if p in found] + sorted(
        owner for owner in found if owner not in view.players
    )


def _force(view: View, owner: str, *, own: bool) -> list[str]:
    where: dict[str, list[str]] = {}
    for id in view.position.find(**{view.owner_field: owner}):
        where.setdefault(view.position.hex(id) or "", []).append(id)
    total, say = sum(len(ids) for ids in where.values()), view.wording.say
    who = capital(safe(view.wording.text(owner))) or say("nobodys")
    lines = wrapped(say("own-force" if own else "force", who=who, count=total))
    for hex, ids in sorted(where.items()):
        lines += wrapped(_stack(view, ids), f"  {padded(cut(_where(view, hex), 22), 22)} ")
    return lines


def _where(view: View, hex: str) -> str:
    if not hex:
        return view.wording.say("off-map")
    index = view.chart.grid.get(hex) if view.chart else None
    if view.chart is None or index is None:
        return safe(hex)
    for kind in view.wording.of("places-short"):
        place = view.chart.place(kind, index)
        if place is not None:
            name = view.wording.place(kind, {**place.data, "holder": view.holder(hex)}, short=True)
            return f"{hex} {name}"
    return hex


def _stack(view: View, ids: list[str]) -> str:
    """Counters of one hex; those that read alike are counted."""
    alone = [view.wording.short({"id": id, **view.position.counters[id]}) for id in ids]
    counts = Counter(alone)
    first = dict(zip(reversed(alone), reversed(ids), strict=True))
    words = [
        view.wording.short({"id": first[text], **view.position.counters[first[text]]}, count)
        for text, count in sorted(counts.items())
    ]
    return ", ".join(words)


def places(view: View) -> list[str]:
    """The places of the map that have words, with their holders, by kind and hex."""
    if view.chart is None:
        return []
    lines: list[str] = []
    for kind in view.wording.of("places"):
        for place in sorted(view.chart.places(kind), key=lambda p: p.number):
            values = {**place.data, "holder": view.holder(place.number) or view.wording.say("nobody")}
            lines += wrapped(view.wording.place(kind, values), f"  {place.number} ")
    return lines
