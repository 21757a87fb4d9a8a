"""The order of battle and the places of the map as data, as far as a view shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from pbem.model.facility import Facility
from pbem.report import figures
from pbem.report.plain import safe
from pbem.report.reader import View
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Group:
    """Counters of one owner in one hex that read alike.

    `short` is for lists, with the count in it; `text` one of them in full. In a system that has words for
    types, `one` is a single one in lists, `kind` what it is, and `known` says that these are counters and no
    stand-ins for what the reader cannot see (`?...`). `figures` and `state` are the parts of `one` behind the
    type.
    """

    short: str
    text: str
    ids: tuple[str, ...]
    one: str = ""
    known: bool = False
    kind: str = ""
    figures: str = ""
    state: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """Return the group with its ids: `R-AR2 (AR3)`, `A-21, A-22 infantry (4-3-3)`."""
        ids = ", ".join(safe(id) for id in self.ids)
        if self.one:
            return f"{ids} {self.one}"
        return self.short if all(id in self.short for id in self.ids) else f"{ids} ({self.short})"

    def told(self, *, own: bool) -> str:
        """Return the group as an order of battle has it: with ids where orders name them."""
        return self.named if own or self.known else self.short

    @property
    def plain(self) -> str:
        """Return the group without figures and state: `A-21, A-22 infantry`."""
        return f"{', '.join(safe(id) for id in self.ids)} {self.kind}" if self.known else self.short


@dataclass(frozen=True)
class Stack:
    """Counters of one owner in one hex, and the facilities there.

    `hex` is empty off the map; `name` is that of a place there. A `box` has only its name.
    """

    hex: str
    name: str
    groups: tuple[Group, ...]
    box: bool = False
    facilities: tuple[str, ...] = ()

    def told(self, *, own: bool) -> str:
        """Return everything in the hex, as an order of battle has it."""
        return in_one_line([*(group.told(own=own) for group in self.groups), *self.facilities])

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
    """Return the forces of all owners, the reader's first, then by seat; with `hexes` only those there."""
    owners = owners_of(view)
    if reader in owners:
        owners = [reader, *(owner for owner in owners if owner != reader)]
    return [_force(view, owner, hexes, own=view.seat(owner) == reader) for owner in owners]


def in_one_line(texts: Sequence[str]) -> str:
    """Return texts side by side, parted by more than a comma where one has commas itself."""
    return ("; " if any(", " in text for text in texts) else ", ").join(texts)


def owners_of(view: View) -> list[str]:
    """Return everybody who has counters or facilities, in the order of seats."""
    owner = {view.owner(id) for id in view.position.counters} | {
        facility.owner for facility in view.facilities
    }
    return [p for p in view.players if p in owner] + sorted(o for o in owner if o not in view.players)


def _force(view: View, owner: str, hexes: Collection[str] | None, *, own: bool) -> Force:
    where: dict[str, list[str]] = {}
    for id in view.position.find(**{view.owner_field: owner}):
        hex = view.position.hex(id) or ""
        if hexes is None or hex in hexes:
            where.setdefault(hex, []).append(id)
    lying: dict[str, list[Facility]] = {}
    for facility in view.facilities:
        if facility.owner == owner and (hexes is None or facility.place in hexes):
            lying.setdefault(facility.place, []).append(facility)
    held = sorted({*where, *lying})
    stacks = (_stack(view, owner, hex, where.get(hex, []), lying.get(hex, [])) for hex in held)
    return Force(owner, own, tuple(stacks))


def _stack(view: View, owner: str, hex: str, ids: list[str], lying: list[Facility]) -> Stack:
    """Return the stack of one owner in a hex, cached while nothing in it changes."""
    state = ids, [dict(view.values(id)) for id in ids], view.holder(hex), lying

    def told(_: object) -> Stack:
        name = view.place_name(hex) or view.place_name(hex, signs=True)
        box = bool(name) and view.place(hex) == name
        texts = (figures.facility(view.wording, facility) for facility in lying)
        return Stack(hex, name, groups(view, ids), box, tuple(text for text in texts if text))

    return view.wording.lately(("stack", view.chart, owner, hex), state, told)


def groups(view: View, ids: list[str]) -> tuple[Group, ...]:
    """Return the counters of one hex in groups that read alike."""
    words = view.wording
    alone = [figures.listed(words, view.values(id)) for id in ids]
    counts = Counter(alone)
    listed: list[Group] = []
    for text, count in sorted(counts.items()):
        alike = [id for id, word in zip(ids, alone, strict=True) if word == text]
        first = view.values(alike[0])
        short, full_text = figures.listed(words, first, count), text if words.of("types") else ""
        known = bool(full_text) and not alike[0].startswith("?")
        full = full_text or words.counter(first) + figures.worth(words, first)
        state = tuple(figures.states(words, first))
        kind, printed = figures.typed(words, first), figures.figures(words, first)
        listed.append(Group(short, full, tuple(alike), full_text, known, kind, printed, state))
    return tuple(listed)


def held(view: View) -> list[PlaceLine]:
    """Return the places of the map that have words, with their holders, by kind and hex."""
    if view.chart is None:
        return []
    lines: list[PlaceLine] = []
    for kind in view.wording.of("places"):
        for place in sorted(view.chart.places(kind), key=lambda p: p.number):
            holder = view.holder(place.number)
            known = {name: view.titled(value) for name, value in place.data.items()}
            text = view.wording.place(kind, {**known, "holder": holder or view.wording.say("nobody")})
            name = view.place(place.number)
            if view.chart.kind(place.hex) != "hex" and name not in text:
                text = f"{name}, {text}"
            lines.append(PlaceLine(place.number, safe(kind), text, holder))
    return lines
