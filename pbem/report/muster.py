"""Who stands where, as far as a view tells it: the order of battle and the places of the map as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from pbem.report.plain import safe
from pbem.report.reader import View
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Group:
    """Counters of one owner in one hex that read alike. `short` is for maps and lists, with the count in it;
    `text` one of them in full."""

    short: str
    text: str
    ids: tuple[str, ...]

    @property
    def named(self) -> str:
        """With the ids that orders name: `R-AR2 (AR3)`; as it is where it says them itself."""
        if all(id in self.short for id in self.ids):
            return self.short
        return f"{', '.join(safe(id) for id in self.ids)} ({self.short})"


@dataclass(frozen=True)
class Stack:
    """Counters of one owner in one hex. `hex` is empty off the map; `name` is that of a place there. A
    `box` goes by its name alone."""

    hex: str
    name: str
    groups: tuple[Group, ...]
    box: bool = False

    @property
    def count(self) -> int:
        return sum(len(group.ids) for group in self.groups)


@dataclass(frozen=True)
class Force:
    """All counters of one owner. `own`: the reader's."""

    owner: str
    own: bool
    stacks: tuple[Stack, ...]

    @property
    def count(self) -> int:
        return sum(stack.count for stack in self.stacks)


@dataclass(frozen=True)
class PlaceLine:
    """A place of the map in words, and who holds it."""

    hex: str
    kind: str
    text: str
    holder: str | None


def forces(view: View, reader: str | None, hexes: Collection[str] | None = None) -> list[Force]:
    """The forces of all owners, the reader's first, then in the order of seats; with `hexes` what of them
    stands there."""
    owners = owners_of(view)
    if reader in owners:
        owners = [reader, *(owner for owner in owners if owner != reader)]
    return [_force(view, owner, hexes, own=view.seat(owner) == reader) for owner in owners]


def owners_of(view: View) -> list[str]:
    """Everybody who has counters, in the order of seats."""
    found = {view.owner(id) for id in view.position.counters}
    return [p for p in view.players if p in found] + sorted(o for o in found if o not in view.players)


def _force(view: View, owner: str, hexes: Collection[str] | None, *, own: bool) -> Force:
    where: dict[str, list[str]] = {}
    for id in view.position.find(**{view.owner_field: owner}):
        hex = view.position.hex(id) or ""
        if hexes is None or hex in hexes:
            where.setdefault(hex, []).append(id)
    return Force(owner, own, tuple(_stack(view, owner, hex, ids) for hex, ids in sorted(where.items())))


def _stack(view: View, owner: str, hex: str, ids: list[str]) -> Stack:
    """What one owner has in a hex, told as last time if nothing of it has changed."""
    counters = view.position.counters
    seen = ids, [dict(counters[id]) for id in ids], view.holder(hex)

    def told(_: object) -> Stack:
        name = view.place_name(hex, signs=True)
        return Stack(hex, name, groups(view, ids), bool(name) and view.place(hex) == name)

    return view.wording.lately(("stack", view.chart, owner, hex), seen, told)


def groups(view: View, ids: list[str]) -> tuple[Group, ...]:
    """Counters of one hex; those that read alike are one group."""
    alone = [view.wording.short({"id": id, **view.position.counters[id]}) for id in ids]
    counts = Counter(alone)
    found: list[Group] = []
    for text, count in sorted(counts.items()):
        alike = [id for id, word in zip(ids, alone, strict=True) if word == text]
        first = {"id": alike[0], **view.position.counters[alike[0]]}
        short = view.wording.short(first, count)
        found.append(Group(short, view.wording.counter(first), tuple(alike)))
    return tuple(found)


def held(view: View) -> list[PlaceLine]:
    """The places of the map that have words, with their holders, by kind and hex."""
    if view.chart is None:
        return []
    found: list[PlaceLine] = []
    for kind in view.wording.of("places"):
        for place in sorted(view.chart.places(kind), key=lambda p: p.number):
            holder = view.holder(place.number)
            known = {name: view.titled(value) for name, value in place.data.items()}
            text = view.wording.place(kind, {**known, "holder": holder or view.wording.say("nobody")})
            found.append(PlaceLine(place.number, safe(kind), text, holder))
    return found
