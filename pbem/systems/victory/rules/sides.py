"""2.5, 2.6, 4.4.12: A player and allies on the map: blocks, control, room."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from pbem.kit.control import Control
from pbem.kit.stacking import Limit, excess
from pbem.rules import Board, Capture, Message

from .blocks import Block, units
from .state import State, in_play
from .world import Class, world_of

CLASSES: tuple[Class, ...] = ("air", "naval", "ground", "logistic")


class Side:
    """A player with their allies (4.0.3), on a position or a view of it."""

    def __init__(self, board: Board, player: str) -> None:
        self.board, self.player, self.world = board, player, world_of(board)
        self.members = self.world.side(player)

    def units(self, hex: str | None = None) -> list[Block]:
        """Return the blocks of the player and allies, by id."""
        return [u for u in units(self.board, hex=hex) if u.owner in self.members]

    def enemies(self, hex: str | None = None) -> list[Block]:
        """4.0.3: Return the blocks of all other players, by id."""
        return [u for u in units(self.board, hex=hex) if u.owner not in self.members]

    def enemy_in(self, hex: str) -> bool:
        """2.5: Return True if a hex is enemy-occupied: by any block on land, by a naval block at sea."""
        there = self.enemies(hex)
        return any(u.cls == "naval" for u in there) if self.world.is_sea(hex) else bool(there)

    def battle_hexes(self) -> tuple[str, ...]:
        """4.4.13: Return the hexes with blocks of the player and of an enemy, in ascending order."""
        mine = {u.hex: True for u in units(self.board, self.player)}
        return tuple(sorted(h for h in mine if self.enemies(h)))

    def controls(self, hex: str) -> bool:
        """Return True if the side controls a base or resource site."""
        return controller(self.board, hex) in self.members

    def friendly_base(self, hex: str) -> bool:
        """Return True if a hex is a base controlled by the player or an ally."""
        return hex in self.world.bases and self.controls(hex)

    def foreign_base(self, hex: str) -> bool:
        """Return True if a hex is a base controlled by an enemy, even if vacant."""
        return hex in self.world.bases and controller(self.board, hex) not in (None, *self.members)

    def friendly_port(self, hex: str) -> bool:
        """Return True if a hex is a friendly base with a port."""
        return self.world.is_port(hex) and self.controls(hex)

    def bases(self) -> list[str]:
        """4.8.1: Return the side's supply bases: all friendly bases, by number."""
        return [h for h in sorted(self.world.bases) if self.controls(h)]

    def cities(self) -> list[str]:
        """Return the cities that the side controls, by number."""
        return [h for h in self.bases() if self.world.bases[h].city]

    def room(self, hex: str, code: str, count: int = 1, ignore: Collection[str] = ()) -> bool:
        """2.6: Return True if the side has room in a hex for ``count`` more blocks of a type."""
        cls = self.world.types[code].class_
        there = [u for u in self.units(hex) if u.cls == cls and u.id not in ignore]
        return len(there) + count <= stack_limit(self.board, hex, cls)

    def deck(self, air: Block, hex: str, carrier: str | None = None) -> str | None:
        """4.4.12: Return the carrier (`carrier` or the first) on which an air block may land, or None."""
        capacity = self.world.numbers.air_on_carrier
        if not air.kind.has("carrier"):
            return None
        for ship in self.units(hex):
            if ship.known and ship.cls == "naval" and ship.kind.has("airbase") and carrier in (None, ship.id):
                if len([p for p in ship.passengers if p.id != air.id]) < capacity:
                    return ship.id
        return None

    def landing(self, air: Block, hex: str, carrier: str | None = None) -> tuple[bool, str | None]:
        """4.4.12: Return True if an air block may land in a hex, and its carrier (None for the ground).

        Unless `carrier` is given, a friendly base comes first, then a carrier, then an engineer that has not
        moved. The block itself takes no room.
        """
        if not self.room(hex, air.type, ignore=(air.id,)):
            return False, None
        if carrier is None and self.friendly_base(hex):
            return True, None
        deck = self.deck(air, hex, carrier)
        return deck is not None or (carrier is None and self.beside_engineer(air, hex)), deck

    def beside_engineer(self, air: Block, hex: str) -> bool:
        """4.4.12: Return True if an engineer that has not moved this player turn has room for an aircraft."""
        there = self.units(hex)
        fields = [u for u in there if u.cls == "ground" and u.known and u.kind.has("airbase") and not u.moved]
        guests = [u for u in there if u.cls == "air" and u.aboard is None and u.id != air.id]
        return len(guests) < len(fields) * self.world.numbers.air_on_engineer

    def based(self, air: Block) -> bool:
        """4.4.12, 4.6.10: Return True if an air block is on an airbase."""
        aboard = air.aboard is not None and air.aboard in self.board.position.counters
        return aboard or self.friendly_base(air.hex) or self.beside_engineer(air, air.hex)

    def airbases(self, air: Block, radius: int) -> list[str]:
        """4.4.12: Return the hexes in a radius where an air block may land, nearest first, by number."""
        bases, at = self.world.bases, self.board.position.at
        able = [h for h in self.world.within(air.hex, radius) if h in bases or at(h)]
        near = sorted((self.world.distance(air.hex, h), h) for h in able)
        return [hex for _, hex in near if self.landing(air, hex)[0]]

    def bases_in_reach(self, air: Block) -> list[str]:
        """4.6.11: Return the airbases with room within `mv`; other hexes only if free of enemies (R-58)."""
        bases = self.airbases(air, air.kind.mv)
        return [hex for hex in bases if hex == air.hex or not self.enemy_in(hex)]


def sides_of(board: Board) -> list[Side]:
    """Return every side of the game once, under its first player, in seat order."""
    world = world_of(board)
    return [Side(board, p) for p in world.seats if p == world.side(p)[0]]


def stack_limit(board: Board, hex: str, cls: Class) -> int:
    """2.6: Return the most blocks of a class that a side may have in a hex."""
    world, n = world_of(board), world_of(board).numbers
    match cls:
        case "air":
            return n.stack_air
        case "logistic":
            return n.stack_logistic
        case "naval":
            return n.stack_naval_port if world.is_port(hex) else n.stack_naval_sea
        case _:
            return n.stack_ground_city if world.is_city(hex) else n.stack_ground_open


def _limit(board: Board, cls: Class) -> Limit[Block]:
    return Limit(f"{cls} blocks", lambda unit: unit.cls == cls, lambda hex: stack_limit(board, hex, cls))


def crowds(board: Board) -> Iterator[tuple[str, Side, str]]:
    """2.6: Yield hexes where a side has too many blocks of a class: hex, side, sentence."""
    limits = [_limit(board, cls) for cls in CLASSES]
    for side in sides_of(board):
        for hex in sorted({u.hex: True for u in side.units()}):
            for over in excess(limits, side.units(hex), hex):
                yield (
                    hex,
                    side,
                    Message("victory.sides.at-most", found=over.found, limit=over.limit.name, most=over.most),
                )


def home_of(board: Board, hex: str) -> str | None:
    """4.0.2: Return the home player of a base or site, or None if neutral or the home player is out."""
    home = world_of(board).home(hex)
    return home if home in in_play(board) else None


def controller(board: Board, hex: str) -> str | None:
    """Return the player who controls a base or resource site, or None if it is neutral."""
    return _control(board).of(hex)


def _control(board: Board) -> Control:
    return Control(State.of(board).control, lambda hex: home_of(board, hex))


def occupants(board: Board, hex: str) -> list[str]:
    """2.5, step 1: Return the players with a non-logistic block in the hex, in seat order."""
    there = {u.owner: True for u in units(board, hex=hex) if u.cls != "logistic"}
    return [p for p in world_of(board).seats if p in there]


def control_now(board: Board, hex: str) -> str | None:
    """2.5: Return a hex's controller by the four steps, from its occupants and previous controller."""
    world, state, home = world_of(board), State.of(board), home_of(board, hex)
    there = occupants(board, hex)
    if not there or (home is not None and any(world.allied(home, p) for p in there)):
        return home
    order = (controller(board, hex), state.active, *world.clockwise_from(state.initiative.holder))
    return next(player for player in order if player in there)


def recompute_control(board: Board, hexes: Iterable[str] | None = None) -> tuple[Capture, ...]:
    """2.5: Update control everywhere, or in some hexes; return the changes."""
    world, control = world_of(board), _control(board)
    everywhere = sorted({**world.bases, **world.sites})
    named = () if hexes is None else tuple(hexes)
    wanted = everywhere if hexes is None else [hex for hex in everywhere if hex in named]
    return tuple(
        capture for hex in wanted if (capture := control.take(hex, control_now(board, hex))) is not None
    )


def vacant_neutral(board: Board, hex: str) -> bool:
    """Return True if a hex is a base without home player and without non-logistic blocks."""
    return hex in world_of(board).bases and home_of(board, hex) is None and not occupants(board, hex)
