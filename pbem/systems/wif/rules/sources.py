"""Sources of supply, units in supply (S-7 to S-9), isolation (4.6.10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pbem.rules import Board, dataclass

from .ground import Ground
from .paths import Flood, Goal, Paths
from .pieces import Unit, control, country, maybe_unit, port_damaged, side_units, units, weather_at
from .world import world_of

Kind = Literal["primary", "secondary", "limited"]


@dataclass(frozen=True)
class Who:
    """The owner of a unit that needs a source.

    The power, and the unit's country, or None for a port under repair (R-107).
    """

    power: str
    country: str | None


@dataclass(frozen=True)
class Secondary:
    """A secondary source: its id (an HQ, or the hex of a city), its hex, its controller."""

    id: str
    hex: str
    power: str


@dataclass(frozen=True)
class Supplied:
    """S-8: The primary sources, and the secondary ones in supply, for one kind of unit."""

    primary: frozenset[str]
    secondary: frozenset[str]
    starts: tuple[str, ...]


class Supply:
    """The supply of one side at one moment.

    Call `stale` when sources change: a supply unit was activated, a port repaired, or a
    headquarters is no longer shattered.
    """

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side, self.world = board, side, world_of(board)
        self.ground = Ground(board, side)
        self.paths = Paths(self.ground, int(self.world.options.get("minor_port_limit", 2)))
        self.longest = max(self.world.supply["length"].values())
        heads = self.world.units["headquarters"]
        self._providers = [u.id for u in side_units(board, side) if u.type == "SUPPLY" or u.type in heads]
        self._floods: dict[Flood, dict[str, int]] = {}
        self.stale()

    def stale(self) -> None:
        """Forget all results about sources.

        Floods keep their results unless the ports changed.
        """
        before = self.ground.__dict__.pop("ports", None)
        if before != self.ground.ports:
            self._floods = {}
        self._supplied: dict[Who, Supplied] = {}
        self._isolated: dict[tuple[str, str], bool] = {}
        self._kinds: dict[tuple[str, Who], Kind | None] = {}
        self._cities: dict[tuple[str, str], frozenset[str]] = {}
        self.offers: dict[tuple[str, Who, str], list[str]] = {}
        """Sources of a kind by payer and unit, kept by `choosing`."""
        mine = [u for id in self._providers if (u := maybe_unit(self.board, id)) is not None]
        self.hqs = [
            u for u in mine if u.print.headquarters and not u.shattered and self.world.land(u.hex or "")
        ]
        self.depots: dict[str, list[str]] = {}
        for u in mine:
            if u.type == "SUPPLY" and not u.down and u.active is None and u.hex is not None:
                self.depots.setdefault(u.hex, []).append(u.owner)
        self.primary_hqs = {hq.id for hq in self.hqs if serving(self.board, hq) is not None}

    def moved(self, hexes: Iterable[str], *, sources: bool) -> None:
        """Record that a land unit moved over these hexes.

        Supply changes only if one of them opened or closed to paths. With `sources` hexes were
        taken or a source moved.
        """
        support = self.world.units["support"]
        changed: set[str] = set()
        for hex in hexes:
            counters = (self.board.position.counters[id] for id in self.board.position.at(hex))
            occupied = any(
                f["type"] in self.world.units["land"]
                and f["type"] not in support
                and self.world.side_of.get(str(f["owner"])) == self.side
                and f.get("aboard") is None
                for f in counters
            )
            if self.ground.stands(hex, occupied):
                changed.add(hex)
        if changed:
            self.paths.moved()
            self._supplied, self._isolated = {}, {}
            kept = self._floods.items()
            self._floods = {of: costs for of, costs in kept if self.paths.stands(of, costs, changed)}
        if sources:
            self.stale()

    def kind(self, hex: str, who: Who) -> Kind | None:
        """S-7: Return the kind of source that a hex is for such a unit, or None.

        The first kind that fits counts (R-101).
        """
        key = (hex, who)
        if key not in self._kinds:
            self._kinds[key] = self._kind(hex, who)
        return self._kinds[key]

    def _kind(self, hex: str, who: Who) -> Kind | None:
        world, site = self.world, self.world.sites.get(hex)
        power = control(self.board).of(hex)
        if site is None or power is None or world.side_of[power] != self.side:
            return None
        name = world.area("country", hex)
        if site.city and name is not None and self._primary_country(name, who):
            return "primary"
        if site.city and name is not None and world.countries[name].capital == hex:
            state = country(self.board, name)
            if (
                world.countries[name].kind == "minor"
                and state.status == "aligned"
                and state.power == who.power
            ):
                return "secondary"
        if site.city and any(world.cooperate(owner, who.power) for owner in self.depots.get(hex, ())):
            return "secondary"
        return "limited" if site.city or site.port is not None else None

    def _primary_country(self, name: str, who: Who) -> bool:
        world = self.world
        if country(self.board, name).status == "conquered":
            return False
        if name == who.country:
            return True
        own = world.countries[name]
        return own.kind == "major" and own.power is not None and world.cooperate(own.power, who.power)

    def payer_of(self, hex: str, who: Who) -> tuple[str, ...]:
        """4.6.3: Return the powers that may pay as controllers of a city or port.

        This is the power of the hex. If only a supply unit makes it secondary, it is the owners of
        such units.
        """
        power = control(self.board).of(hex)
        if self.kind(hex, who) == "secondary" and not self._capital(hex, who):
            return tuple(o for o in self.depots.get(hex, ()) if self.world.cooperate(o, who.power))
        return () if power is None else (power,)

    def _capital(self, hex: str, who: Who) -> bool:
        name = self.world.capitals.get(hex)
        if name is None or self.world.countries[name].kind != "minor":
            return False
        state = country(self.board, name)
        return state.status == "aligned" and state.power == who.power

    def supplied(self, who: Who) -> Supplied:
        """S-8: Return the sources in supply, found outwards from the primary ones (R-103)."""
        supplied = self._supplied.get(who)
        if supplied is None:
            supplied = self._supplied[who] = self._outwards(who)
        return supplied

    def _outwards(self, who: Who) -> Supplied:
        world = self.world
        primary = {h for h in world.sites if self.kind(h, who) == "primary"}
        starts = set(primary)
        pending: list[Secondary] = []
        for hq in self.hqs:
            if not world.cooperate(hq.owner, who.power):
                continue
            if hq.id in self.primary_hqs:
                starts.add(hq.place)
            else:
                pending.append(Secondary(hq.id, hq.place, hq.owner))
        for hex in sorted(world.sites):
            if self.kind(hex, who) == "secondary":
                pending += [Secondary(hex, hex, p) for p in self.payer_of(hex, who)[:1]]
        secondary: set[str] = set()
        while pending:
            left, changed = [], False
            for source in pending:
                reached = self._flood(Flood(tuple(sorted(starts)), source.power, self.longest))
                cost = reached.get(source.hex)
                if cost is not None and cost <= self.length(source.hex):
                    secondary.add(source.id)
                    changed = True
                else:
                    left.append(source)
            if not changed:
                break
            starts |= {source.hex for source in pending if source.id in secondary}
            pending = left
        return Supplied(frozenset(primary), frozenset(secondary), tuple(sorted(starts)))

    def _flood(self, of: Flood) -> dict[str, int]:
        costs = self._floods.get(of)
        if costs is None:
            costs = self._floods[of] = self.paths.flood(of)
        return costs

    def length(self, hex: str | None) -> int:
        """S-3: Return the greatest length of a path to this hex, by its weather."""
        return int(self.world.supply["length"][weather_at(self.board, hex)])

    def limited_in_supply(self, hex: str, who: Who) -> bool:
        """S-8: Return True if rails and overseas legs alone connect a limited source with another."""
        power = control(self.board).of(hex)
        if power is None:
            return False
        return hex in self._flood(Flood(self.supplied(who).starts, power, None, rails_only=True))

    def source_in_supply(self, id: str, hex: str, who: Who) -> bool:
        """S-8: Return True if a source of any kind is in supply."""
        if id != hex:
            return id in self.primary_hqs or id in self.supplied(who).secondary
        kind = self.kind(hex, who)
        if kind == "primary":
            return True
        if kind == "secondary":
            return hex in self.supplied(who).secondary
        return kind == "limited" and self.limited_in_supply(hex, who)

    def in_supply(self, u: Unit) -> bool:
        """S-9: Return True if a unit is in supply.

        At sea it always is. Elsewhere it needs a basic path or a limited source in supply.
        """
        if u.hex is None:
            return False
        if u.at_sea:
            return True
        who = Who(u.owner, u.home)
        if self.kind(u.hex, who) == "limited" and not port_damaged(self.board, u.hex):
            if self.limited_in_supply(u.hex, who):
                return True
        limit = self.length(u.hex)
        over = self._overland(who)
        if over.get(u.hex, limit + 1) <= limit:
            return True
        return self.paths.by_sea(u.owner, over, goal_of(u), limit)

    def _overland(self, who: Who) -> dict[str, int]:
        """Return the cost of each hex from the sources in supply, over land only."""
        return self._flood(Flood(self.supplied(who).starts, "", self.longest, rail=False))

    def isolated(self, hex: str, who: Who) -> bool:
        """4.6.10: Return True if no path of any length connects this primary city with another."""
        power = control(self.board).of(hex) or who.power
        name = self.world.area("country", hex) or ""
        key = (hex, power)
        if key not in self._isolated:
            fellows = self._fellows(power, name)
            every = Flood((hex,), power, None, rail=False)
            reached = self.paths.flood(every, until=lambda h: h != hex and h in fellows)
            self._isolated[key] = not any(h != hex and h in fellows for h in reached)
        return self._isolated[key]

    def _fellows(self, power: str, name: str) -> frozenset[str]:
        """Return all primary cities with which a city of this country may be connected."""
        key = (power, name)
        if key not in self._cities:
            self._cities[key] = frozenset(h for h in self.world.sites if self._fellow(h, power, name))
        return self._cities[key]

    def _fellow(self, hex: str, power: str, name: str) -> bool:
        """Return True if this is a primary city of a home country or of this minor country."""
        site, held = self.world.sites.get(hex), control(self.board).of(hex)
        other = self.world.area("country", hex)
        if site is None or not site.city or held is None or other is None:
            return False
        if self.world.side_of[held] != self.side or country(self.board, other).status == "conquered":
            return False
        own = self.world.countries[other]
        if own.kind == "major":
            return own.power is not None and self.world.cooperate(own.power, power)
        return other == name


def serving(board: Board, hq: Unit) -> Unit | None:
    """4.6.13: Return the supply unit that makes a headquarters a primary source.

    It is active, face-up and in the same hex.
    """
    if hq.hex is None:
        return None
    for u in units(board, at=hq.hex):
        if u.type == "SUPPLY" and u.active == hq.id and not u.down:
            return u
    return None


def goal_of(u: Unit) -> Goal:
    """Return the goal of a path to a unit."""
    return Goal(u.hex or "", coast=u.print.lands_on_coast)


def who_of(u: Unit) -> Who:
    return Who(u.owner, u.home)
