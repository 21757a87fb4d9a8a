"""4.4, 4.9, 4.10: Actions in a few words: `A5-1T, A5-2T to 07.06`, `fuel A5`, `A-31A fires at 08.06`.

A line becomes the action that it names, for a whole stack too. The rules judge it as they judge any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.rules import Draft, Next, Part, Points

from ..rules.actions import Action, Attack, Build, Fire, Fuel, Move
from ..rules.decisions.loop import Acting
from ..rules.moving import fuelled, unit_ways
from ..rules.pieces import Unit, units, world_of

VERBS = ("move", "fuel", "fire", "attack", "build", "reduce")
WORKS = ("air_base", "strip", "hedgehog", "port")


def shorthand(draft: Draft[Any], words: Sequence[str]) -> Iterator[Next[Any]]:
    """Yield the action that some words mean: ids, places, and the wording's verbs (`VERBS`, `WORKS`).

    Nothing for other lines.
    """
    if isinstance(draft, Acting):
        action = _Line(draft, words).action()
        if action is not None:
            text = ", ".join(words)
            yield Next(Part("actions", action), text, Points(tuple(sorted(action.all_named))))


class _Line:
    """The words of a line, sorted by what they are."""

    def __init__(self, draft: Acting, words: Sequence[str]) -> None:
        self.draft, self.game = draft, draft.game
        world = world_of(self.game)
        counters = self.game.position.counters
        self.ids = [w for w in words if w in counters and counters[w]["owner"] == draft.player]
        self.places = [word for word in words if word in world.terrains]
        self.verbs = [word for word in words if word in VERBS]
        self.works = [word for word in words if word in WORKS]
        self.others = [
            word for word in words if word not in (*self.ids, *self.places, *self.verbs, *self.works)
        ]
        if len(self.places) > 1 and not self.ids:  # a stack by the place where it stands
            self.ids = [u.id for u in units(self.game, draft.player, self.places.pop(0))]

    def action(self) -> Action | None:
        """Return the action that the line means; None if it means none."""
        verb = self.verbs[0] if self.verbs else "move"
        if len(self.verbs) > 1 or (self.others and verb != "fuel"):
            return None
        if verb in ("build", "reduce"):
            return self._work(reduce=verb == "reduce")
        if verb == "fuel":
            return self._fuel()
        if not self.ids or not self.places or self.works:
            return None
        if verb == "fire":
            return Action(fire=Fire(tuple(self.ids), self.places[-1])) if len(self.places) == 1 else None
        if verb == "attack":
            return Action(attack=Attack(self.places[-1], tuple(self.ids))) if len(self.places) == 1 else None
        return self._move()

    def _fuel(self) -> Action | None:
        """4.4.5: Return fuel for a formation, by its name or one of its units, or for an HQ."""
        named = {name.casefold(): name for name in world_of(self.game).formations}
        if len(self.others) == 1 and not self.ids:
            formation = named.get(self.others[0].casefold())
            return Action(fuel=Fuel(formation=formation)) if formation else None
        if len(self.ids) != 1 or self.others:
            return None
        listed = self._units()
        if listed and listed[0].is_hq:
            return Action(fuel=Fuel(hq=listed[0].id))
        return Action(fuel=Fuel(formation=listed[0].formation)) if listed and listed[0].formation else None

    def _work(self, *, reduce: bool) -> Action | None:
        """4.4.7: Return work on what is named, in the hex of the units if none is named."""
        if len(self.works) != 1 or not self.ids or len(self.places) > 1:
            return None
        hex = self.places[0] if self.places else self.game.position.hex(self.ids[0])
        work: Any = self.works[0]
        return Action(build=Build(tuple(self.ids), work, hex, reduce)) if hex is not None else None

    def _move(self) -> Action | None:
        """4.4.2: Return the cheapest legal move of a stack to a place via the earlier ones.

        Fuel for single units is paid only if the stack needs it.
        """
        stack = self._units()
        if len(stack) != len(self.ids) or len({u.hex for u in stack}) != 1:
            return None
        free = self.draft.segment != "movement" and all(u.marker == "reserve" for u in stack)
        aside = self.draft.aside()
        ways: dict[tuple[str, ...], Any] = {}
        for u in stack:
            for path, cost in unit_ways(aside, Unit(aside, u.id), released=free):
                if path[-1] == self.places[-1] and _through(path, self.places):
                    ways[path] = max(cost, ways.get(path, cost))
        full_path = tuple(self.places)
        tried = [
            *sorted(ways, key=lambda path: (ways[path], path)),
            *([full_path] if full_path not in ways else []),
        ]
        fuels: tuple[Any, ...] = (None,) if all(fuelled(self.game, u) for u in stack) else ("single", None)
        orders = [Move(tuple(self.ids), path, fuel=fuel, release=free) for path in tried for fuel in fuels]
        legal = (order for order in orders if not self.draft.faults(Part("actions", Action(move=order))))
        return Action(move=next(legal, orders[0]))

    def _units(self) -> list[Unit]:
        """Return the combat units among the named counters."""
        there = self.game.position.counters
        return [Unit(self.game, id) for id in self.ids if Unit.is_one(there[id]) and there[id].get("hex")]


def _through(path: Sequence[str], places: Sequence[str]) -> bool:
    """Return True if a way enters these places in their order."""
    rest = iter(path)
    return all(place in rest for place in places)
