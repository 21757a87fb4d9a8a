"""Air missions from patrol to return to base (4.6.4, p.1.1 to p.1.8).

Reorganization flights, strikes, bombardment, transport and drops are all flown here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from pbem.rules import Game, Message, Roll, ask, dataclass, roll

from .asking import left_undone, letter_of, wants
from .decisions.replies import AirAbort, Base, FlakLoss, Interception, LineUp, Patrol, opponents, patrol_hexes
from .entries import Guard, Guards
from .events.reorganizing import AirAborted, AirRound, Destroyed, FlakFired, Patrolled, Returned
from .events.turn import AnsweredBy
from .flying import difference, fighter_fault, fighters_of, flak, legal_bases, result_of, strength
from .pieces import Unit, destroy, maybe_unit, players_of, side, turn_down
from .plans import Refusal
from .steps import first_way
from .world import world_of


@dataclass
class Flight:
    """One order: aircraft with a purpose, their escorts, and the target hex."""

    power: str
    hex: str
    bombers: list[str]
    escorts: list[str]
    number: int = 0


@dataclass
class Sky:
    """All aircraft of one mission step."""

    step: str
    active: str
    flights: list[Flight] = field(default_factory=list)
    patrols: dict[str, list[str]] = field(default_factory=dict)
    """The opponents' fighters by target hex: patrols, then interceptors."""
    guards: dict[str, list[str]] = field(default_factory=dict)
    """Own interceptors by target hex."""
    home: list[str] = field(default_factory=list)
    """Aborted aircraft on their way back."""
    lost: list[str] = field(default_factory=list)

    def hexes(self) -> list[str]:
        """Return the target hexes, by id."""
        return sorted({flight.hex for flight in self.flights})

    def bombers(self, hex: str) -> list[str]:
        """Return the bombers over a hex, as listed."""
        return [id for f in self.flights if f.hex == hex for id in f.bombers if self.flying(id)]

    def flying(self, id: str) -> bool:
        return id not in self.home and id not in self.lost


async def patrol(game: Game, sky: Sky) -> None:
    """p.1.1: Fly the opponents' combat air patrol."""
    for player in opponents(game):
        asked = await wants(game, player, "p.1.1" if sky.step == "p" else f"I.3{sky.step}", "p.1.1")
        flights = await ask(Patrol(player, sky.step, asked))
        for hex, ids in sorted(flights.items()):
            sky.patrols.setdefault(hex, []).extend(ids)
            game.emit(Patrolled(player, "patrol", hex, tuple(ids)))
        if flights and not asked:
            game.emit(AnsweredBy(player, "p.1.1", "cap"))
        elif not asked and able(game, player, patrol_hexes(game, sky.step)):
            await left_undone(game, player, "cap")


def able(game: Game, player: str, hexes: Sequence[str]) -> bool:
    """Return True if the player has a fighter that may fly to one of these hexes."""
    return any(fighter_fault(game, u, hex) is None for u in fighters_of(game, player) for hex in hexes)


async def intercept(game: Game, sky: Sky) -> None:
    """p.1.3: Send the opponents' interceptors against the flights."""
    targets = tuple(sky.hexes())
    if not targets:
        return
    escorts = tuple(sum(len(f.escorts) for f in sky.flights if f.hex == hex) for hex in targets)
    busy = {id for ids in sky.patrols.values() for id in ids}
    for player in opponents(game):
        asked = await wants(game, player, "p.1.3")
        flights = await ask(Interception(player, sky.step, targets, escorts, asked))
        for hex, ids in sorted(flights.items()):
            free = [id for id in ids if id not in busy]
            busy |= set(free)
            if free:
                sky.patrols.setdefault(hex, []).extend(free)
                game.emit(Patrolled(player, "interceptors", hex, tuple(free)))
        if flights and not asked:
            game.emit(AnsweredBy(player, "p.1.3", "intercept"))
        elif not asked and able(game, player, targets):
            await left_undone(game, player, "intercept")


def guard(game: Game, sky: Sky, guards: Sequence[Guards], player: str) -> None:
    """p.1.4: Send own interceptors to hexes with enough enemy fighters."""
    busy = {id for f in sky.flights for id in (*f.bombers, *f.escorts)}
    busy |= {id for ids in sky.guards.values() for id in ids}
    for entry in guards:
        order, _ = first_way(game, player, entry, lambda way: _needless(sky, way))
        if order is None:
            continue
        fighters = []
        for id in order.fighters:
            u = maybe_unit(game, id)
            if (
                u is not None
                and id not in busy
                and game.seat(u.owner) == player
                and side(game, u) == sky.active
            ):
                if fighter_fault(game, u, order.hex) is None:
                    fighters.append(id)
                    busy.add(id)
        if fighters:
            sky.guards.setdefault(order.hex, []).extend(fighters)
            game.emit(Patrolled(player, Message("wif.missions.own-interceptors"), order.hex, tuple(fighters)))


def _needless(sky: Sky, way: Guard) -> Refusal | None:
    """Return the reason why no interceptor is needed: no flight there, or too few enemy fighters."""
    enough = len(sky.patrols.get(way.hex or "", ())) >= way.if_enemy_at_least
    return (
        None
        if way.hex in sky.hexes() and enough
        else Refusal("E-MOVE", Message("wif.missions.nobody-to-be-met"))
    )


async def combats(game: Game, sky: Sky) -> None:
    """p.1.5: Fight air combat in each target hex with aircraft of both sides."""
    for hex in sky.hexes():
        enemies = [id for id in sky.patrols.get(hex, ()) if sky.flying(id)]
        if enemies and sky.bombers(hex):
            await AirCombat(game, sky, hex, enemies).fight()


class AirCombat:
    """Air-to-air combat over one hex."""

    def __init__(self, game: Game, sky: Sky, hex: str, enemies: list[str]) -> None:
        self.game, self.sky, self.hex = game, sky, hex
        self.active = sky.active
        self.inactive = world_of(game).enemy(sky.active)
        mine = [id for f in sky.flights if f.hex == hex for id in f.escorts] + sky.guards.get(hex, [])
        self.fighters = {self.active: [id for id in mine if sky.flying(id)], self.inactive: enemies}
        self.bombers = {self.active: sky.bombers(hex), self.inactive: list[str]()}

    async def fight(self) -> None:
        """Fight rounds until no uncleared bomber is left or a side leaves."""
        for own in (self.active, self.inactive):
            self.fighters[own] = await self._lined_up(own)
        number = 0
        while self.bombers[self.active] and self.fighters[self.inactive]:
            number += 1
            if number > 1 and await self._aborts(number):
                return
            await self._round(number)

    async def _lined_up(self, own: str) -> list[str]:
        """Return the fighters in the order that their players choose, players in power order."""
        fighters: list[str] = []
        for player in players_of(self.game, own):
            ids = tuple(
                id for id in self.fighters[own] if self.game.seat(Unit(self.game, id).owner) == player
            )
            if ids:
                asked = await wants(self.game, player, "p.1.5")
                line_up: tuple[str, ...] = await ask(LineUp(player, self.hex, ids, asked))
                fighters += line_up
        if len(players_of(self.game, own)) > 1:
            fighters.sort(key=lambda id: -Unit(self.game, id).print.ata)
        return fighters

    def difference_for(self, own: str) -> int:
        """p.1.5 (3): Return the difference in strength for a side, its column of the table."""
        other = self.inactive if own == self.active else self.active
        strong = strength(self.game, self.fighters[own], self.bombers[own])
        weak = strength(self.game, self.fighters[other], self.bombers[other])
        return difference(self.game, strong, weak)

    async def _aborts(self, number: int) -> bool:
        """p.1.5 (6): Let each side leave, the active one first. Return True if one did."""
        for own in (self.active, self.inactive):
            ids = [*self.fighters[own], *self.bombers[own]]
            if not ids:
                continue
            player = self.game.seat(Unit(self.game, ids[0]).owner)
            asked = await wants(self.game, player, "p.1.5")
            if await ask(AirAbort(player, self.hex, number, self.difference_for(own), asked)):
                self.sky.home += ids
                self.fighters[own], self.bombers[own] = [], []
                self.game.emit(AirAborted(self.hex, own))
                return True
        return False

    async def _round(self, number: int) -> None:
        """p.1.5 (3), (4): Roll for both sides, the inactive one first, and apply both results."""
        game, order = self.game, (self.inactive, self.active)
        strengths = {s: str(strength(game, self.fighters[s], self.bombers[s])) for s in order}
        differences = {s: self.difference_for(s) for s in order}
        rows = world_of(game).combat["air_to_air"]["results"]
        dice: dict[str, Roll] = {}
        results: dict[str, str] = {}
        for own in order:
            dice[own] = await roll("2d10", "air combat", self.hex, own)
            results[own] = str(result_of(rows, dice[own].total + differences[own]))
        line_up = {s: tuple(self.fighters[s]) for s in order}
        bombers = tuple(self.bombers[self.active])
        aborted, destroyed = self.hits(results)
        self._leave(aborted, destroyed)
        cleared = self.cleared(results)
        game.emit(
            AirRound(
                self.hex,
                number,
                line_up,
                bombers,
                strengths,
                differences,
                dice,
                results,
                tuple(aborted),
                tuple(destroyed),
                tuple(cleared),
            )
        )

    def hits(self, results: dict[str, str]) -> tuple[list[str], list[str]]:
        """Return aborted and destroyed aircraft.

        Hits fall on the line-up at the start of the round.
        """
        aborted: list[str] = []
        destroyed: list[str] = []
        for own in (self.inactive, self.active):
            other = self.inactive if own == self.active else self.active
            fighter, bomber = self.fighters[other][:1], self.bombers[other][:1]
            kind = results[own]
            target = (fighter or bomber) if kind in ("A", "X") else (bomber or fighter)
            if kind in ("A", "AB"):
                aborted += target
            elif kind in ("X", "XB"):
                destroyed += target
        return [id for id in aborted if id not in destroyed], destroyed

    def _leave(self, aborted: list[str], destroyed: list[str]) -> None:
        gone = {*aborted, *destroyed}
        for groups in (self.fighters, self.bombers):
            for own, ids in groups.items():
                groups[own] = [id for id in ids if id not in gone]
        self.sky.home += aborted
        self.sky.lost += destroyed
        for id in destroyed:
            u = Unit(self.game, id)
            self.game.emit(Destroyed(u.owner, (id,), Message("wif.missions.air-combat-over", hex=self.hex)))
            destroy(self.game, u)

    def cleared(self, results: dict[str, str]) -> list[str]:
        """p.1.5 (5): Return the bombers that get through.

        A clear result lets one through, and all do when no enemy fighter is left.
        """
        left = self.bombers[self.active]
        if not self.fighters[self.inactive]:
            self.bombers[self.active] = []
            return left
        if results[self.active] == "C" and left:
            self.bombers[self.active] = left[1:]
            return left[:1]
        return []


async def anti_aircraft(game: Game, sky: Sky) -> None:
    """p.1.6: Fire at the bombers that got through (AsA option 3)."""
    world = world_of(game)
    if not world.options.get("aa_units", True):
        return
    for hex in sky.hexes():
        bombers = sky.bombers(hex)
        factors = flak(game, hex, sky.active)
        if not bombers or not factors:
            continue
        die = await roll("1d10", "anti-aircraft", hex)
        total = die.total + factors
        kind = str(result_of(world.combat["anti_aircraft"]["results"], total))
        id = ""
        if kind != "NE":
            firer = kind != "owner"
            player = opponents(game)[0] if firer else game.seat(Unit(game, bombers[0]).owner)
            asked = await wants(game, player, "p.1.6")
            id = await ask(FlakLoss(player, hex, tuple(bombers), firer, asked))
        game.emit(FlakFired(hex, factors, die, total, kind, id))
        if kind == "destroyed":
            u = Unit(game, id)
            sky.lost.append(id)
            game.emit(Destroyed(u.owner, (id,), Message("wif.missions.anti-aircraft-fire")))
            destroy(game, u)
        elif id:
            sky.home.append(id)


async def go_home(game: Game, sky: Sky) -> None:
    """p.1.8: Bring all that flew to a base, face-down. Aircraft without a base are destroyed."""
    targets: dict[str, str] = {}
    for flight in sky.flights:
        targets |= dict.fromkeys((*flight.bombers, *flight.escorts), flight.hex)
    for groups in (sky.patrols, sky.guards):
        for hex, ids in groups.items():
            targets |= dict.fromkeys(ids, hex)
    for id, hex in sorted(targets.items()):
        u = maybe_unit(game, id)
        if u is None:
            continue
        among = tuple(legal_bases(game, u, hex))
        if not among:
            game.emit(Destroyed(u.owner, (id,), Message("wif.missions.no-base-in-range")))
            destroy(game, u)
            continue
        player = game.seat(u.owner)
        base = await ask(Base(player, id, hex, among, await wants(game, player, "p.1.8")))
        u.hex = base
        turn_down(u)
        game.emit(Returned(u.owner, id, base))


async def fly(game: Game, sky: Sky, at: Callable[[str], None] | None = None) -> None:
    """Fly from interception to anti-aircraft fire.

    `at` is called with the name of each step of p.1.
    """
    step = at or (lambda _: None)
    step("p.1.3")
    await intercept(game, sky)
    step("p.1.4")
    for player in players_of(game, sky.active):
        letter = letter_of(game, player)
        guard(game, sky, letter.own_interceptors, player)
    step("p.1.5")
    await combats(game, sky)
    step("p.1.6")
    await anti_aircraft(game, sky)


def survivors(sky: Sky, flight: Flight) -> list[str]:
    """Return the bombers of a flight that got through."""
    return [id for id in flight.bombers if sky.flying(id)]
