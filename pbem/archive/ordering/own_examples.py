"""Examples of long answers, rewritten with the player's own units and places.

A unit becomes one of the player's of the same kind, so that the rule fits it. A formation becomes one of the
player's, and a place becomes one that is on this map, near that unit. A line for which the player has
nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.board.map import GameMap
    from pbem.board.position import Position
    from pbem.stages.views import PlayerView

_ID = re.compile(r"(?<![\w.\"-])[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*(?![\w\"-])")
_PLACE = re.compile(r"(?<![\w.-])\w+(?:\.\w+)*(?![\w-])")
_KIND = ("type", "kind", "class")
_LETTERS = re.compile(r"[^A-Z]+")


def in_own_units(example: str, view: PlayerView, me: str) -> str | None:
    """Return the example with the player's units, powers and places, or None if none fit.

    It shows the form of an answer, not what to do.
    """
    own = _Own(view, me)
    if not own.ids:
        return None
    lines = [(line, own.line(line)) for line in example.splitlines()]
    kept = [line for n, line in enumerate(lines) if line[1] is not None and not _bare(lines, n)]
    return "\n".join(str(made) for _, made in kept) if any(not _heads(line) for line, _ in kept) else None


def _heads(line: str) -> bool:
    """Return True if a line is only the key of the lines below it."""
    return line.rstrip().endswith(":")


def _bare(lines: Sequence[tuple[str, str | None]], n: int) -> bool:
    """Return True if all lines below a line were left out."""
    deep = _indent(lines[n][0])
    below: list[str | None] = []
    for line, made in lines[n + 1 :]:
        if _indent(line) <= deep:
            break
        below.append(None if _heads(line) else made)
    return _heads(lines[n][0]) and not any(made is not None for made in below)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


class _Own:
    """A player's own units and places for examples; each unit once, as long as there are others."""

    def __init__(self, view: PlayerView, me: str) -> None:
        self.view, self.game = view, view.game
        powers = [power for power in self.game.powers_of(me) if power != me]
        self.owners = {me, *powers}
        others = [power for power in self.game.powers if power not in (*self.game.players, *powers)]
        self.powers: dict[str, str] = dict(zip(others, powers, strict=False))
        self.foreign = [power for power in others if power not in self.powers]
        self.taken: dict[str, str] = {}

    @cached_property
    def ids(self) -> list[str]:
        """Return the ids of the player's counters, in order; then those of units to come."""
        field = self.view.system.wording.get("map", {}).get("owner", "owner")
        counters = self.view.position.counters
        there = sorted(id for id in counters if counters[id].get(field) in self.owners)
        return [
            *there,
            *sorted(id for id, printed in self.absent.items() if printed.get(field) in self.owners),
        ]

    @cached_property
    def absent(self) -> Mapping[str, Mapping[str, Any]]:
        return self.view.system.absent(self.game)

    @cached_property
    def printed(self) -> Mapping[str, Mapping[str, Any]]:
        return self.view.system.printed(self.game)

    @cached_property
    def sample(self) -> tuple[Position, GameMap | None]:
        """Return the start of the system's first scenario, which most examples use."""
        system = self.view.system
        name = system.scenarios()[0]
        options = system.options(system.scenario(name), {})
        world = system.world(name, options)
        return system.set_up(world, system.scenario(name), options), system.map_of(world)

    @cached_property
    def chart(self) -> GameMap | None:
        world = getattr(self.game, "world", None)
        return self.view.system.map_of(world) if world is not None else None

    def line(self, text: str) -> str | None:
        """Return a line of an example in the player's units and places; None if nothing fits."""
        for power in self.foreign:
            text = re.sub(rf"(, )?\b{re.escape(power)}: \w+", "", text)
            if re.search(rf"\b{re.escape(power)}\b(?!-)", text):
                return None
        now: dict[str, str] = {}
        for id in dict.fromkeys(match[0] for match in _ID.finditer(text)):
            if id in self.powers or id in self.ids or self._kind(id) or not self._is_unit(id):
                continue
            like = self._like(id, list(now.values()))
            if like is None:
                return None
            now[id] = like
        self.taken |= now
        places = self._places(text, now)
        text = _ID.sub(lambda match: self.powers.get(match[0]) or now.get(match[0], match[0]), text)
        return _PLACE.sub(lambda match: places.get(match[0], match[0]), text)

    # ---- units

    def _is_unit(self, id: str) -> bool:
        """Return True if this is a counter in play, or a word that looks like an id: `R-AR2`, `UST1`."""
        return id in self.view.position.counters or bool(re.search(r"-[A-Z0-9]|\d$", id))

    def _fields(self, id: str) -> Mapping[str, Any]:
        """Return the fields of an example's unit: in this game, or in the scenario it comes from."""
        counters = self.view.position.counters.get(id) or self.absent.get(id)
        return counters or self.sample[0].counters.get(id) or {}

    def _like(self, id: str, now: Sequence[str]) -> str | None:
        """Return the unused own unit most like another, of its kind, or None."""
        if names := self._names(id):
            return next(iter(names), None)
        fields = self._fields(id)
        kind = {name: fields[name] for name in _KIND if fields.get(name) is not None}
        to_come = id in self.absent
        near = [own for own in self.ids if (own in self.absent) == to_come]
        fitting = [own for own in near if own not in now and self._is_of(own, kind)]
        used = self.taken.values()

        def unlike(own: str) -> tuple[bool, bool]:
            return own in used, _stem(own) != _stem(id)

        return min(fitting, key=unlike, default=None)

    def _is_of(self, own: str, kind: Mapping[str, Any]) -> bool:
        fields = self.view.position.counters.get(own) or self.absent.get(own) or {}
        return all(fields.get(name) == value for name, value in kind.items())

    def _names(self, id: str) -> list[str]:
        """Return own names for what is printed on units, such as a formation."""
        if id in self.view.position.counters:
            return []
        stands = {key for printed in self.printed.values() for key, value in printed.items() if value == id}
        stands = stands or ({"formation"} if not self._fields(id) and "-" not in id else set())
        mine = (self.printed.get(own, {}).get(key) for own in self.ids for key in sorted(stands))
        return list(dict.fromkeys(str(name) for name in mine if name is not None))

    # ---- places

    def _kind(self, word: str) -> str | None:
        """Return what a word is on this map or on that of the examples: a hex, a box, an area, or nothing."""
        for chart in (self.chart, self.sample[1]):
            if chart is not None and (index := chart.get(word)) is not None:
                return chart.kind(index)
        return None

    def _places(self, text: str, now: Mapping[str, str]) -> dict[str, str]:
        """Return replacements for places not on this map or of changed units, near the line's first own
        unit."""
        if self.chart is None:
            return {}
        words = [replaced[0] for replaced in _PLACE.finditer(text)]
        named = [word for word in dict.fromkeys(words) if word not in now and self._kind(word)]
        hexes = [word for word in named if self._kind(word) == "hex"]
        strange = [word for word in named if self._is_strange(word)]
        if not strange and not (now and hexes):
            return {}
        mine = [now.get(replaced[0], replaced[0]) for replaced in _ID.finditer(text)]
        start = self._stands(mine) or self._stands(self.ids)
        where = {str(self._fields(id).get("hex")): start for id in now if start} if not strange else {}
        near = self._near(start) if start is not None else iter(())
        replaced: dict[str, str] = {}
        for word in (*hexes, *(hex for hex in strange if hex not in hexes)):
            to = where.get(word) or (next(near, None) if word in hexes else self._of_kind(word))
            if to is not None:
                replaced[word] = to
        return replaced

    def _is_strange(self, place: str) -> bool:
        """Return True if a place of an example is not on this map, or is one of another scenario."""
        assert self.chart is not None
        index = self.chart.get(place)
        return index is None or (self.chart.kind(index) == "hex" and self.chart is not self.sample[1])

    def _stands(self, ids: Sequence[str]) -> str | None:
        assert self.chart is not None
        for id in ids:
            hex = self.view.position.hex(id) if id in self.view.position.counters else None
            if hex is not None and (index := self.chart.get(hex)) is not None:
                if self.chart.kind(index) == "hex":
                    return hex
        return None

    def _near(self, hex: str) -> Iterator[str]:
        """Yield hexes each beside the last, of its terrain first."""
        chart = self.chart
        assert chart is not None
        last, seen = chart.index(hex), {chart.index(hex)}
        while True:
            terrain = chart.terrain(last)
            beside = sorted(
                (n for n in chart.beside(last) if n not in seen), key=lambda n: chart.terrain(n) != terrain
            )
            if not beside:
                return
            last = beside[0]
            seen.add(last)
            yield chart.number(last)

    def _of_kind(self, word: str) -> str | None:
        """Return a location of this map like one of another: an area for an area, a box for a box."""
        sample, chart = self.sample[1], self.chart
        assert chart is not None
        index = sample.get(word) if sample is not None else None
        if sample is None or index is None:
            return None
        kind = sample.kind(index)
        return next((chart.number(i) for i in range(len(chart)) if chart.kind(i) == kind), None)


def _stem(id: str) -> str:
    """Return the kind of unit in an id: `AR` of `R-AR2`, `ST` of `UST1`."""
    head, dash, tail = id.partition("-")
    return _LETTERS.sub("", tail if dash else head[1:])
