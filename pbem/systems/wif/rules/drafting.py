"""Steps of an impulse in a letter's draft: faults, effects and what may come next, by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.kit.faults import illegal, under
from pbem.rules import NOTHING, Diagnostic, Game, Message, Next, Part, Points

from .conditions import fault as unreadable
from .crowding import arrivals, leavers
from .entries import Attacks, Carries, Drops, Moves, Rebases, Sails, SeaFlights, Searches, Strikes
from .land import activity, rail_reach
from .naval import aboard, fighting_areas
from .pieces import T, Unit, powers_of, side_units, units
from .plans import Refusal
from .retreating import stack_class, stacked
from .steps import AIR, STEPS, Impulse, condition_fault, listed_ways, wanted
from .world import world_of

Found = Iterator[tuple[Any, str, Points]]
DICE = (*AIR, "n", "d")
AFTER = "p"
"""The point after the last step of an impulse: reorganization."""


def filled(elements: Sequence[Part[Any]]) -> list[Part[Any]]:
    """Return the elements without empty sections."""
    return [element for element in elements if element.value is not NOTHING]


def _given(value: Any) -> list[Any]:
    """Return the alternatives of an entry, none for an empty section."""
    return [] if value is NOTHING else listed_ways(value)


def name_faults(game: Game, way: Any) -> Iterator[Diagnostic]:
    """Yield a fault for each unknown name in an entry of a reorganization list."""
    world, counters = world_of(game), game.position.counters
    if (bad := unreadable(way.if_)) is not None:
        yield illegal("bad-condition", "6.1", bad, "if")
    if way.unit is not None:
        port = way.unit.removeprefix("port:")
        known = port in world.sites if way.unit.startswith("port:") else way.unit in counters
        if not known:
            yield illegal("E-UNIT", "4.6.3", Message("wif.drafting.no-unit", unit=way.unit), "unit")
    if way.source is not None and way.source not in counters and way.source not in world.index:
        yield illegal("E-SOURCE", "4.6.3", Message("wif.drafting.no-source", source=way.source), "source")
    if way.activate is not None and way.activate not in counters:
        yield illegal(
            "E-PROVIDER", "4.6.13", Message("wif.drafting.no-supply-unit", activate=way.activate), "activate"
        )


class Steps:
    """Orders of steps a to o on a draft's board."""

    def __init__(self, game: Game, player: str) -> None:
        self.game, self.player = game, player
        self.impulse = Impulse(game)
        self.powers = powers_of(game, player, self.impulse.side)
        self.labels: list[str] = []
        self.coming: Sequence[Part[Any]] = ()
        """The later elements of a whole letter."""
        self.landed: dict[str, str] = {}
        """Ships that landed units, and the step after which they turn face-down (4.5.4)."""
        self.hopes: list[tuple[str, str]] = []
        """Orders into hexes that others may still leave or drop into: the step and a sentence."""

    def at(self, step: str) -> None:
        """4.5.4: Show ships that landed units as they are in a step: face-down after the landing."""
        order = (*STEPS, AFTER)
        for ship, landing in self.landed.items():
            over = order.index(step) > order.index(landing)
            Unit(self.game, ship).face = "down" if over else "up"

    def begin(self, step: str) -> None:
        """Begin a step for good. Ships of earlier steps stay face-down until they are served."""
        self.at(step)
        self.landed = {ship: landing for ship, landing in self.landed.items() if landing == step}

    def faults(self, step: str, order: Any) -> list[Diagnostic]:
        """Return the faults of an entry on this board.

        An entry with a condition has none, nor has one with a legal alternative.
        """
        if (bad := condition_fault(order)) is not None:
            return [illegal("bad-condition", "6.1", bad, "if")]
        if order.if_ is not None:
            return []
        self.at(step)
        faults: list[Diagnostic] = []
        for n, way in enumerate(listed_ways(order)):
            refused = self._refused(step, way)
            if refused is None:
                return []
            fault = illegal(refused.code, "4.7", refused.message)
            faults += under([fault], "first", n) if order.first else [fault]
        return faults

    def _refused(self, step: str, way: Any) -> Refusal | None:
        """Return the reason why an order is illegal here.

        A full hex is no reason if later orders of this step make room. Nor is it if another
        player's units fill it, for these may leave (R-216), or if an earlier drop may still fail
        (R-219).
        """
        refused = self.impulse.fault(step, self.player, way)[1]
        if refused is None or not refused.crowds:
            return refused
        return None if self._will_have_room(step, way) else refused

    def _will_have_room(self, step: str, way: Any) -> bool:
        game, most = self.game, world_of(self.game).units["stacking"]
        hex, came = arrivals(game, step, way)
        ways = [w for element in self.coming if element.section == step for w in _given(element.value)]
        leaving = {u.id for w in ways if arrivals(game, step, w)[0] != hex for u in leavers(game, step, w)}
        for kind in sorted({stack_class(u.print) for u in came}):
            stay = {u.id for u in stacked(game, self.impulse.side, hex, kind)} - leaving
            mine = {id for id in stay if step != "m" and Unit(game, id).owner in self.powers}
            coming = {u.id for u in came if stack_class(u.print) == kind}
            if len(mine | coming) > int(most[kind]):
                return False
            if len(stay | coming) > int(most[kind]):
                others = ", ".join(sorted(stay - mine))
                text = (
                    Message("wif.drafting.full-unless-one-does-not-get-through", hex=hex, others=others)
                    if step == "m"
                    else ""
                )
                self.hopes.append(
                    (step, text or Message("wif.drafting.full-unless-leave", hex=hex, others=others))
                )
        return True

    def do(self, step: str, order: Any) -> None:
        """Carry out the first legal alternative, or count it as spent if dice decide."""
        self.begin(step)
        if not wanted(self.game, order, self.labels):
            return
        for way in listed_ways(order):
            if not wanted(self.game, way, self.labels) or self._refused(step, way) is not None:
                continue
            if step in DICE:
                self.impulse.spend(step, way)
            elif (ship := self.impulse.do(step, way)) is not None:
                self.landed[ship] = step
            self.labels += [label for label in (order.label, way.label) if label]
            return

    def next(self, step: str, of: str | None) -> Iterator[Next[Part[Any]]]:
        """Yield the legal entries of a step."""
        self.at(step)
        self.impulse.at(step)
        makers: dict[str, Callable[[str | None], Found]] = {
            "b": self._sea_flights,
            "c": self._sails,
            "d": self._searches,
            "h": self._rails,
            "i": self._moves,
            "j": self._transports,
            "k": lambda of: self._landings(of, False),
            "l": lambda of: self._landings(of, True),
            "m": self._drops,
            "n": self._attacks,
            "o": self._rebases,
        }
        make = makers.get(step) or (lambda of: self._strikes(step, of))
        for order, text, points in make(of):
            if step == "i" or self.impulse.fault(step, self.player, order)[1] is None:
                yield Next(Part(step, order), text, points)

    def _mine(self, of: str | None, *, arm: str = "") -> Iterator[Unit]:
        """Yield the own counters that match `of`."""
        named = of is not None and of in self.game.position.counters
        for power in self.powers:
            for u in [Unit(self.game, str(of))] if named else units(self.game, power, of):
                if u.owner == power and (not arm or u.print.arm == arm):
                    yield u

    def needy(self, side: str) -> list[tuple[str, tuple[str, ...]]]:
        """Return the hexes with face-down units of a side, each with these units."""
        down: dict[str, list[str]] = {}
        for u in side_units(self.game, side):
            if u.down and u.hex is not None and world_of(self.game).land(u.hex):
                down.setdefault(u.hex, []).append(u.id)
        return [(hex, tuple(ids)) for hex, ids in sorted(down.items())]

    def _moves(self, of: str | None) -> Found:
        called = world_of(self.game).called
        for u in self._mine(of, arm="land"):
            if u.hex is not None and not u.at_sea:
                for path, cost in self.impulse.land.ways(u):
                    yield (
                        Moves(u.id, path),
                        Message("wif.drafting.moves", unit=u.id, place=called(path[-1])),
                        Points((u.id,), way=path, cost=(("MP", cost),)),
                    )

    def _rails(self, of: str | None) -> Found:
        called = world_of(self.game).called
        if not any(T.of(self.game).rail_left.get(p, 0) for p in self.powers):
            return
        for u in self._mine(of):
            if u.print.arm != "sea" and u.hex in world_of(self.game).on("rail"):
                for to in sorted(rail_reach(self.game, self.impulse.ground, u)):
                    yield (
                        Carries(u.id, to),
                        Message("wif.drafting.by-rail", unit=u.id, place=called(to)),
                        Points((u.id,), end=to, kind="move"),
                    )

    def _sails(self, of: str | None) -> Found:
        called = world_of(self.game).called
        world = world_of(self.game)
        for u in self._mine(of, arm="sea"):
            if u.down:
                continue
            for to in (*world.areas, *(h for h, s in world.sites.items() if s.port)):
                if to not in (u.area, u.hex):
                    yield (
                        Sails((u.id,), to),
                        Message("wif.drafting.sails", unit=u.id, place=called(to)),
                        Points((u.id,), end=to, kind="move"),
                    )

    def _searches(self, of: str | None) -> Found:
        called = world_of(self.game).called
        if of is not None and of not in world_of(self.game).areas:
            return
        for area in fighting_areas(self.game, self.impulse.side):
            if of in (None, area):
                yield (
                    Searches(area),
                    Message("wif.battle.combat", hex=called(area)),
                    Points(start=area, kind="attack"),
                )

    def _sea_flights(self, of: str | None) -> Found:
        called = world_of(self.game).called
        for u in self._mine(of, arm="air"):
            for area in world_of(self.game).areas:
                yield (
                    SeaFlights((u.id,), area),
                    Message("wif.drafting.flies", unit=u.id, place=called(area)),
                    Points((u.id,), end=area, kind="move"),
                )

    def _strikes(self, step: str, of: str | None) -> Found:
        called = world_of(self.game).called
        world = world_of(self.game)
        able = [
            u
            for u in self._mine(of, arm="air")
            if not u.down and activity(self.game, u.owner, "air_missions", 1) is None
        ]
        if not able:
            return
        enemy = world.enemy(self.impulse.side)
        hexes = sorted(
            {u.hex for u in side_units(self.game, enemy) if u.hex is not None and world.land(u.hex)}
        )
        if step == "f":
            hexes = [h for h, s in world.sites.items() if s.factories]
        for u in able:
            for hex in hexes:
                yield (
                    Strikes((u.id,), hex),
                    Message("wif.drafting.against", unit=u.id, place=called(hex)),
                    Points((u.id,), end=hex, kind="attack"),
                )

    def _transports(self, of: str | None) -> Found:
        called = world_of(self.game).called
        world = world_of(self.game)
        for plane in self._mine(of, arm="air"):
            if plane.type == "ATR" and not plane.down and plane.hex is not None:
                for u in units(self.game, plane.owner, plane.hex):
                    for to in (h for h, s in world.sites.items() if s.city and h != plane.hex):
                        yield (
                            Carries(u.id, to, atr=plane.id),
                            Message("wif.drafting.carries", plane=plane.id, unit=u.id, place=called(to)),
                            Points((plane.id,), end=to, kind="move"),
                        )

    def _landings(self, of: str | None, invasion: bool) -> Found:
        called = world_of(self.game).called
        world = world_of(self.game)
        for ship in self._mine(of, arm="sea"):
            if ship.area is None:
                continue
            for u in aboard(self.game, ship.id):
                for to in world.shores[ship.area]:
                    text = Message("wif.drafting.ashore", unit=u.id, place=called(to))
                    yield Carries(u.id, to, ship.id), text, Points((u.id,), end=to, kind="move")

    def _drops(self, of: str | None) -> Found:
        called = world_of(self.game).called
        world = world_of(self.game)
        for plane in self._mine(of, arm="air"):
            if plane.type != "ATR" or plane.hex is None or plane.down:
                continue
            for u in units(self.game, plane.owner, plane.hex):
                if u.type == "PARA":
                    for hex in world.within(plane.hex, plane.print.range):
                        yield (
                            Drops(plane.id, u.id, hex),
                            Message("wif.drafting.drops", unit=u.id, place=called(hex)),
                            Points((plane.id,), end=hex, kind="move"),
                        )

    def _attacks(self, of: str | None) -> Found:
        called = world_of(self.game).called
        world, game = world_of(self.game), self.game
        invading = dict(T.of(game).invading)
        only: set[str | None] | None = None
        if of is not None and of in game.position.counters:
            u = Unit(game, of)  # A unit attacks a hex beside it, or the one where it comes ashore.
            if u.owner not in self.powers or u.print.arm != "land":
                return
            only = {*(world.beside(u.hex) if u.hex in world.index else ()), invading.get(of)}
        for hex in sorted(self.impulse.ground.enemies):
            if only is not None and hex not in only:
                continue
            near = [u for n in world.beside(hex) for u in units(game, at=n)] if hex in world.index else []
            able = [
                u
                for u in near
                if u.owner in self.powers and u.print.arm == "land" and not u.print.support and not u.down
            ]
            able = [u for u in able if u.id not in T.of(game).fought and world.open_side(u.place, hex)]
            ids = [*sorted(u.id for u in able), *sorted(id for id, to in invading.items() if to == hex)]
            if not ids or (of is not None and of not in ids and of != hex):
                continue
            text = Message("wif.drafting.attack", ids=tuple(ids), place=called(hex))
            yield Attacks(hex, tuple(ids)), text, Points(tuple(ids), end=hex, kind="attack")
            for id in ids if len(ids) > 1 else ():
                yield (
                    Attacks(hex, (id,)),
                    Message("wif.drafting.attacks", unit=id, place=called(hex)),
                    Points((id,), end=hex, kind="attack"),
                )

    def _rebases(self, of: str | None) -> Found:
        called = world_of(self.game).called
        world = world_of(self.game)
        for u in self._mine(of, arm="air"):
            if not u.down:
                for to in world.sites:
                    yield (
                        Rebases(u.id, to),
                        Message("wif.drafting.rebases", unit=u.id, place=called(to)),
                        Points((u.id,), end=to, kind="move"),
                    )
