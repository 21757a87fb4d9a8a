"""2.3 to 2.8: Counters and tracks of a game, typed, and functions that find them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pbem.board.position import Fields
from pbem.kit.decks import Piles
from pbem.rules import Board, Counter, Message, Tracks, dataclass

from .printed import AIR, AIRBORNE, GROUND, NOBODY, STRATEGIC, Due, Face, Posture, Print, Status, read_print
from .world import World

Spot = Literal["map", "pool", "delay", "naval_delay", "track", "strategic", "out", "country"]
Back = Literal["", "airdrop", "detachment", "beachhead", "strike"]
Facing = Literal["", "supply", "troop"]
Role = Literal[
    "ground",
    "airdrop",
    "detachment",
    "beachhead",
    "air",
    "fleet",
    "blitz",
    "convoy",
    "logistics",
    "partisan",
    "strategic",
]
HOLDERS = ("ground", "detachment", "logistics")
PLAIN_MARKERS = ("blitz", "convoy", "logistics", STRATEGIC)
BLOCKERS = ("ground", "airdrop", "detachment", "logistics")


def world_of(board: Board) -> World:
    """Return the world of a board."""
    assert isinstance(board.world, World)
    return board.world


class Piece(Counter):
    """A counter with its changeable state (2.3 to 2.5).

    `hex` is a location of the map, `spot` the place of a counter elsewhere. The last fields are
    flags of a faction turn.
    """

    owner: str
    type: str
    country: str
    hex: str | None = None
    spot: Spot = "map"
    due: int = 0
    steps: int = 1
    back: Back = ""
    facing: int = 0
    side: Facing = ""
    seen: bool = False
    printed: dict[str, Any] | None = None
    moved_op: bool = False
    moved_res: bool = False
    attacked_blitz: bool = False
    attacked_regular: bool = False
    hq_used: bool = False
    overran: bool = False

    @property
    def print(self) -> Print:
        """Return the figures printed on the counter."""
        world = world_of(self.board)
        own = self.position.counters[self.id].get("printed")
        if own is None:
            return world.prints[self.id]
        assert isinstance(own, Mapping)
        return world.own_print(self.id, self.owner, self.country, self.type, own)

    @property
    def face(self) -> Face:
        """Return the face that shows."""
        return self.print.faces[self.steps]

    @property
    def role(self) -> Role:
        """Return the role of the counter at its present place."""
        if self.back:
            return "air" if self.back == "strike" else self.back
        if self.type in GROUND:
            return "ground"
        if self.type in AIR:
            return "air"
        if self.type == "partisan_base":
            return "partisan"
        return self.type if self.type in PLAIN_MARKERS else "fleet"  # type: ignore[return-value]

    @property
    def one_step(self) -> bool:
        return self.steps == 1

    @property
    def factors(self) -> int:
        """Return attack and defence together, by which defaults choose (5.15)."""
        return self.face.attack + self.face.defence

    def flag(self, segment: str) -> bool:
        """Return True if the unit has attacked in this segment."""
        return self.attacked_blitz if segment == "blitz" else self.attacked_regular


@dataclass(frozen=True)
class State:
    """2.8: The state of a country now."""

    status: Status = "active"
    alignment: str | None = None
    conqueror: str | None = None


@dataclass(frozen=True)
class Played:
    card: str
    turn: int


@dataclass(frozen=True)
class Truce:
    """4.10: A truce, or the offer of one.

    `turns` are left, counted in the offerer's 6.1. `countries` had their posture changed by it, and
    are at war again at its end (R-113).
    """

    offered_by: str
    to: str
    turns: int
    accepted: bool = False
    countries: tuple[str, ...] = ()


class T(Tracks):
    """The state of the game beside the counters."""

    turn: int
    csv: int
    marker: Literal["neutral", "axis_tide", "allied_tide"] = "neutral"
    csv_modifier: int = 0
    war_state: Literal["pre_war", "limited", "total"]
    weather: dict[str, str]
    countries: dict[str, State]
    postures: dict[str, dict[str, Posture]]
    drm: dict[str, dict[str, int]]
    decks: dict[str, Piles] = {}
    current: dict[str, str] = {}
    last_type: dict[str, str] = {}
    played: dict[str, tuple[Played, ...]] = {}
    pending: dict[str, tuple[str, ...]] = {}
    sealed: dict[str, str] = {}
    boxes: dict[str, tuple[str, ...]] = {}
    due_steps: dict[str, tuple[tuple[str, str, int], ...]] = {}
    added_steps: dict[str, tuple[tuple[str, str, int], ...]] = {}
    truces: tuple[Truce, ...] = ()
    removed: dict[str, tuple[str, ...]] = {}
    attacked: tuple[str, ...] = ()
    results: dict[str, str] = {}
    lost: int = 0
    acting: str = ""
    begun: str = ""
    selections: dict[str, int] = {}
    happened: dict[str, tuple[str, ...]] = {}
    card_open: bool = False
    result: str | None = None


def piece(board: Board, id: str) -> Piece:
    """Return a counter by its id. Raises `LookupError` if there is none."""
    if id not in board.position.counters:
        raise LookupError(Message("totaler-krieg.defence.no-counter", element=id))
    return Piece(board, id)


def maybe_piece(board: Board, id: str | None) -> Piece | None:
    """Return a counter by its id, or None."""
    return Piece(board, id) if id is not None and id in board.position.counters else None


def pieces(board: Board, owner: str | None = None, spot: Spot | None = None) -> list[Piece]:
    """Return counters by id, only those of an owner or in a spot if these are given."""
    return [
        Piece(board, id)
        for id, fields in sorted(board.position.counters.items())
        if (owner is None or fields["owner"] == owner) and (spot is None or fields.get("spot", "map") == spot)
    ]


def raw_role(fields: Fields) -> str:
    """Return the role of a counter from its fields, without a `Piece`."""
    if back := fields.get("back"):
        return "air" if back == "strike" else str(back)
    kind = str(fields["type"])
    if kind in GROUND:
        return "ground"
    if kind in AIR:
        return "air"
    if kind == "partisan_base":
        return "partisan"
    return kind if kind in PLAIN_MARKERS else "fleet"


def pool(board: Board, faction: str) -> list[Piece]:
    """2.6: Return the Force Pool of a faction."""
    return pieces(board, faction, "pool")


def free(counter: Piece) -> None:
    """Clear a counter's state on the map: side, facing, flags."""
    counter.back, counter.facing, counter.side, counter.due = "", 0, "", 0
    counter.moved_op = counter.moved_res = counter.attacked_blitz = counter.attacked_regular = False
    counter.hq_used = counter.overran = False
    counter.steps = 1


def put(counter: Piece, hex: str, steps: int | None = None) -> None:
    """Put a counter onto the map, where all know it from now on."""
    counter.spot, counter.hex, counter.seen = "map", hex, True
    if steps is not None:
        counter.steps = steps


def send(counter: Piece, spot: Spot, due: int = 0) -> None:
    """Send a counter from the map to a box, the pool, the turn track or out of the game.

    A strategic marker has no pool. It goes to the Strategic Warfare Box of its faction (R-213).
    """
    free(counter)
    if counter.type == STRATEGIC and spot in ("pool", "delay"):
        spot = "strategic"
    counter.spot, counter.due, counter.seen = spot, due, True
    counter.hex = world_of(counter.board).box(counter.owner, spot, due)


def take_off(counter: Piece) -> Spot:
    """2.6: Remove a counter, to the Delay Box if it has the stripe, else to the Force Pool."""
    spot: Spot = "delay" if counter.print.delay else "pool"
    send(counter, spot)
    return spot


__all__ = ["AIRBORNE", "NOBODY", "Due", "Piece", "T", "read_print"]
