"""Units and leaders on the map: typed looks at the counters of a position (2.3-2.5).

A counter keeps no field that is false, nothing, or 0 supply. Everything here works on a player's view too,
where an enemy stack that he may not know is one counter of type `?`: it counts as a combat unit with a zone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from pbem.kit.boards import Board as Board
from pbem.kit.boards import Sim as Sim

from .statics import CARRIERS, COMBAT, LOGISTIC, STATIC, UNKNOWN, ZONE
from .tabled import UnitType
from .world import World

NO_UNITS = ("leader", "entrenchment")


def world_of(board: Board) -> World:
    """The world, typed."""
    return cast(World, board.world)


class _Piece:
    """A look at one counter; always shows the position as it is now."""

    __slots__ = ("_position", "id", "world")

    def __init__(self, board: Board, id: str) -> None:
        self.id = id
        self.world = world_of(board)
        self._position = board.position

    @property
    def fields(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self._position.counters[self.id])

    def __repr__(self) -> str:
        return f"<{self.id} {self.fields}>"

    @property
    def side(self) -> str:
        return str(self.fields["side"])

    @property
    def type(self) -> str:
        return str(self.fields["type"])

    @property
    def hex(self) -> str:
        """Where it is; empty for a leader who is off the map."""
        return str(self.fields.get("hex") or "")

    @property
    def hq(self) -> str | None:
        """The HQ a unit is on the roster of, or that a leader commands when he is with it."""
        return cast("str | None", self.fields.get("hq"))

    @property
    def moved(self) -> bool:
        return bool(self.fields.get("moved"))


class Unit(_Piece):
    """A typed look at one unit."""

    __slots__ = ()

    @property
    def known(self) -> bool:
        """False for an enemy stack in a view."""
        return self.type != UNKNOWN

    @property
    def key(self) -> str:
        """Its line of the unit chart: the type, for ships and HQs the kind."""
        return str(self.fields["kind"]) if self.type in ("naval", "hq") else self.type

    @property
    def row(self) -> UnitType:
        """What the unit chart says of it."""
        return self.world.tables.types[self.key]

    @property
    def sp(self) -> int:
        return int(self.fields.get("sp") or 0)

    @property
    def ma(self) -> int:
        return self.row.ma

    @property
    def state(self) -> str | None:
        """The state a militia belongs to."""
        return cast("str | None", self.fields.get("state"))

    @property
    def entrained(self) -> bool:
        return bool(self.fields.get("entrained"))

    @property
    def attacked(self) -> bool:
        return bool(self.fields.get("attacked"))

    @property
    def supply(self) -> int:
        return int(self.fields.get("supply") or 0)

    @property
    def carries(self) -> bool:
        """Whether it can hold supply points: depot, supply train, army HQ."""
        return self.known and self.key in CARRIERS

    @property
    def room(self) -> int | None:
        """How many more supply points it can hold; None is no limit."""
        return None if self.type == "depot" else self.row.cargo - self.supply

    @property
    def constituents(self) -> list[dict[str, Any]]:
        """What a depot was made from."""
        return cast("list[dict[str, Any]]", self.fields.get("constituents", []))

    @property
    def is_combat(self) -> bool:
        """Infantry, militia, cavalry, garrison."""
        return not self.known or self.type in COMBAT

    @property
    def is_zoc(self) -> bool:
        """Infantry, militia or cavalry with strength: it has a zone of control."""
        return not self.known or (self.type in ZONE and self.sp >= 1)

    @property
    def is_logistic(self) -> bool:
        return self.type in LOGISTIC

    @property
    def is_static(self) -> bool:
        return self.type in STATIC

    @property
    def is_naval(self) -> bool:
        return self.type == "naval"

    @property
    def is_hq(self) -> bool:
        return self.type == "hq"

    @property
    def is_land(self) -> bool:
        """Any unit that is no ship."""
        return not self.is_naval

    @property
    def occupies(self) -> bool:
        """A land unit that makes its hex enemy-occupied for the other side: HQs and ships do not (2.2)."""
        return self.is_combat or self.is_logistic

    @property
    def can_attack(self) -> bool:
        """A combat unit with strength that is not printed in parentheses: infantry, militia, cavalry."""
        return self.type in COMBAT and not self.row.parenthesised and self.sp >= 1


class Leader(_Piece):
    """A typed look at one leader."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return str(self.fields.get("name", self.id))

    @property
    def stars(self) -> int:
        return int(self.fields["stars"])

    @property
    def initiative(self) -> int:
        """As printed."""
        return int(self.fields.get("initiative", 0))

    @property
    def combat(self) -> int:
        return int(self.fields.get("combat", 0))

    @property
    def span(self) -> int:
        """As printed."""
        return int(self.fields.get("span", 0))

    @property
    def cavalry(self) -> bool:
        return bool(self.fields.get("cavalry"))

    @property
    def naval(self) -> bool:
        return bool(self.fields.get("naval"))

    @property
    def status(self) -> str:
        return str(self.fields.get("status", "on_map"))

    @property
    def on_map(self) -> bool:
        return self.status == "on_map"

    @property
    def attempted(self) -> bool:
        return bool(self.fields.get("attempted"))

    @property
    def active(self) -> bool:
        return bool(self.fields.get("active"))


# reading


def is_leader(board: Board, id: str) -> bool:
    """Whether a counter is a leader."""
    fields = board.position.counters.get(id)
    return fields is not None and fields["type"] == "leader"


def is_unit(board: Board, id: str) -> bool:
    """Whether a counter is a unit: neither leader nor marker."""
    fields = board.position.counters.get(id)
    return fields is not None and fields["type"] not in NO_UNITS


def unit(board: Board, id: str) -> Unit:
    """One unit, which must be on the map."""
    assert is_unit(board, id), f"{id} is no unit on the map"
    return Unit(board, id)


def leader(board: Board, id: str) -> Leader:
    """One leader, on the map or not."""
    assert is_leader(board, id), f"{id} is no leader"
    return Leader(board, id)


def _ids(board: Board, hex: str | None) -> Iterable[str]:
    return sorted(board.position.counters) if hex is None else board.position.at(hex)


def units(board: Board, side: str | None = None, hex: str | None = None) -> list[Unit]:
    """Units on the map, by id; of one side or in one hex when asked."""
    counters = board.position.counters
    return [
        Unit(board, id)
        for id in _ids(board, hex)
        if counters[id]["type"] not in NO_UNITS and (side is None or counters[id]["side"] == side)
    ]


def leaders(board: Board, side: str | None = None, hex: str | None = None) -> list[Leader]:
    """Leaders on the map, by id; of one side or in one hex when asked."""
    counters = board.position.counters
    found = (Leader(board, id) for id in _ids(board, hex) if counters[id]["type"] == "leader")
    return [each for each in found if each.on_map and (side is None or each.side == side)]


def combat_units(board: Board, side: str, hex: str) -> list[Unit]:
    """Infantry, militia, cavalry and garrisons of a side in a hex."""
    return [each for each in units(board, side, hex) if each.is_combat]


def has_troops(board: Board, ids: Iterable[str]) -> bool:
    """Whether a combat unit is among them: only then they drive enemy leaders and HQs off (R-103)."""
    return any(is_unit(board, id) and unit(board, id).is_combat for id in ids)


def entrenchments(board: Board) -> Iterator[tuple[str, str, int]]:
    """All entrenchment markers: hex, side, game turn in which each was built."""
    for _, fields in sorted(board.position.counters.items()):
        if fields["type"] == "entrenchment":
            yield str(fields["hex"]), str(fields["side"]), int(cast(int, fields["built_gt"]))


def entrenchment_age(board: Board, hex: str, side: str | None = None) -> int | None:
    """The age in game turns of the entrenchment in a hex (of a side, if asked); None where there is none."""
    fields = board.position.counters.get(f"ENT-{hex}")
    if fields is None or (side is not None and fields["side"] != side):
        return None
    return gt(board) - int(cast(int, fields["built_gt"]))


def gt(board: Board) -> int:
    """The game turn."""
    return int(cast(int, board.position.tracks["gt"]))


def cycle(board: Board) -> int:
    """The cycle of weeks the game is in, counted from 1: rail points and wounds go by it (2.5, 4.10)."""
    return (gt(board) - 1) // world_of(board).cycle_weeks + 1


def winter(board: Board) -> bool:
    """Whether it is winter (2.5)."""
    return world_of(board).winter(gt(board))


def mark(board: Board, id: str, **fields: Any) -> None:
    """Set fields of a counter other than its hex; what is false, nothing or empty is not kept."""
    for name, value in fields.items():
        if value is None or value is False or value == [] or (name == "supply" and value == 0):
            board.position.drop(id, name)
        else:
            board.position.set(id, **{name: value})
