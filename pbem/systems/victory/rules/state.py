"""The tracks of the position, typed (2.4), and who has the initiative (4.1, 4.2.3)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Board, Tracks, dataclass

from .orders import TurnOrder
from .world import Data, world_of


@dataclass(frozen=True)
class Initiative:
    """Whose it is, how many turns he bid for, how many he has taken (4.1.3)."""

    holder: str | None
    quota: int
    taken: int
    waived: bool
    previous_holder: str | None

    def owed(self, player: str) -> int:
        """Turns that the holder still has to take; 0 for everybody else."""
        return 0 if player != self.holder or self.waived else self.quota - self.taken


@dataclass(frozen=True)
class Began:
    """4.4.4 How a Player Turn found the map: friendly bases and sites; bases closed to moves by road."""

    bases: tuple[str, ...]
    sites: tuple[str, ...]
    closed: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """What everybody sees of the battle that is going on."""

    hex: str
    round: int
    slot: int
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """How the game ended (4.9.2)."""

    text: str
    rule: str
    turn: int


class State(Tracks):
    """See the table in README.md: what each holds, and who may know it."""

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
        """The turn order of the Player Turn that is going on."""
        return self.plan.get(player, TurnOrder("turn"))


def in_play(board: Board) -> tuple[str, ...]:
    """Players who are not out, in seat order (4.0.2)."""
    out = State.of(board).out
    return tuple(p for p in world_of(board).seats if p not in out)


# ties (4.1.4)


def in_force(rule: Data, turn: int) -> bool:
    """Whether a tie rule counts on a game turn: from `from_turn` on, before `until_turn`."""
    return bool(turn >= rule.get("from_turn", 1) and ("until_turn" not in rule or turn < rule["until_turn"]))


@dataclass(frozen=True)
class Tie:
    """How far the tie rules came: who is left, and the number of the rule that ended it (0: none did)."""

    left: tuple[str, ...]
    number: int = 0
    kind: str = ""


def break_tie(rules: Sequence[Data], turn: int, tied: Sequence[str], previous: str | None) -> Tie:
    """Walk the tie rules in order (4.1.4). What they leave undecided is for the dice."""
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
    """The highest bid and who made it, in seat order (4.1.3)."""
    best = max(bids.values(), default=0)
    return best, tuple(p for p in in_play(board) if bids.get(p) == best)
