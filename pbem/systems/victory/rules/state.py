"""Typed tracks of the position (2.4), initiative (4.1, 4.2.3), and tie rules (4.1.4)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Board, Tracks, dataclass

from .orders import TurnOrder
from .world import Data, world_of


@dataclass(frozen=True)
class Initiative:
    """4.1.3: The initiative: its holder, the turns bid and the turns taken."""

    holder: str | None
    quota: int
    taken: int
    waived: bool
    previous_holder: str | None

    def owed(self, player: str) -> int:
        """Return the turns that the holder still has to take; 0 for all other players."""
        return 0 if player != self.holder or self.waived else self.quota - self.taken


@dataclass(frozen=True)
class Began:
    """4.4.4: Data from the start of a player turn: friendly bases and sites, bases closed to road moves."""

    bases: tuple[str, ...]
    sites: tuple[str, ...]
    closed: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """The public data of the present battle."""

    hex: str
    round: int
    slot: int
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """4.9.2: The result of the game."""

    text: str
    rule: str
    turn: int


class State(Tracks):
    """The tracks of a game. A table in README.md says what each holds, and for whom."""

    turn: int
    round: int
    initiative: Initiative
    control: dict[str, str | None] = {}
    vp: dict[str, int] = {}
    out: tuple[str, ...] = ()
    result: Result | None = None
    acted: bool = False
    passed: dict[str, str] = {}
    place: str | None = None
    active: str | None = None
    taking: bool = False
    turn_began: Began | None = None
    bids: dict[str, int] = {}
    tied: tuple[str, ...] = ()
    battles: tuple[str, ...] = ()
    battle: Shown | None = None
    plan: dict[str, TurnOrder] = {}
    pool: dict[str, dict[str, int]] = {}
    made: dict[str, dict[str, int]] = {}
    gm_unsupplied: tuple[str, ...] = ()

    def order_of(self, player: str) -> TurnOrder:
        """Return the turn order of a player in the present player turn."""
        return self.plan.get(player, TurnOrder("turn"))


def in_play(board: Board) -> tuple[str, ...]:
    """4.0.2: Return the players who are not out, in seat order."""
    out = State.of(board).out
    return tuple(p for p in world_of(board).seats if p not in out)


def in_force(rule: Data, turn: int) -> bool:
    """Return True if a tie rule is in force on a game turn: from `from_turn`, before `until_turn`."""
    return bool(turn >= rule.get("from_turn", 1) and ("until_turn" not in rule or turn < rule["until_turn"]))


@dataclass(frozen=True)
class Tie:
    """The result of the tie rules: the players left, and the number of the deciding rule (0: none)."""

    left: tuple[str, ...]
    number: int = 0
    kind: str = ""


def break_tie(rules: Sequence[Data], turn: int, tied: Sequence[str], previous: str | None) -> Tie:
    """4.1.4: Apply the tie rules in order; dice decide among the players they leave."""
    left = tuple(tied)
    for number, rule in enumerate(rules, start=1):
        if not in_force(rule, turn):
            continue
        kind = rule["kind"]
        if kind == "random":
            return Tie(left, number, kind)
        if kind == "side_wins":
            left = tuple(p for p in left if p in rule["side"]) or left
        elif kind == "fixed_list":
            left = tuple(p for p in rule["order"] if p in left)[:1] or left
        elif kind == "previous_holder" and previous is not None and previous in left:
            left = (previous,)
        if len(left) == 1:
            return Tie(left, number, kind)
    return Tie(left)


def highest_bidders(board: Board, bids: dict[str, int]) -> tuple[int, tuple[str, ...]]:
    """4.1.3: Return the highest bid and its bidders, in seat order."""
    best = max(bids.values(), default=0)
    return best, tuple(p for p in in_play(board) if bids.get(p) == best)
