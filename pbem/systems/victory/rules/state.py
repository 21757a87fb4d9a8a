"""The tracks of the position, typed (2.4), and who has the initiative (4.1, 4.2.3)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules import Board, Tracks, dataclass

from .orders import TurnOrder
from .world import Data, world_of


@dataclass(frozen=True)
class Initiative:
    """4.1.3: The initiative: its holder, the turns bid for and the turns taken."""

    holder: str | None
    quota: int
    taken: int
    waived: bool
    previous_holder: str | None

    def owed(self, player: str) -> int:
        """Return the turns that the holder still has to take; 0 for everybody else."""
        return 0 if player != self.holder or self.waived else self.quota - self.taken


@dataclass(frozen=True)
class Began:
    """4.4.4: The start of a Player Turn: friendly bases and sites; bases closed to moves by road."""

    bases: tuple[str, ...]
    sites: tuple[str, ...]
    closed: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """The public view of the present battle."""

    hex: str
    round: int
    slot: int
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class Result:
    """4.9.2: The end of the game and its result."""

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
        """Return the turn order of the present Player Turn."""
        return self.plan.get(player, TurnOrder("turn"))


def in_play(board: Board) -> tuple[str, ...]:
    """4.0.2: Return players who are not out, in seat order."""
    out = State.of(board).out
    return tuple(p for p in world_of(board).seats if p not in out)


# ties (4.1.4)


def in_force(rule: Data, turn: int) -> bool:
    """Return True if a tie rule counts on a game turn: from `from_turn` on, before `until_turn`."""
    return bool(turn >= rule.get("from_turn", 1) and ("until_turn" not in rule or turn < rule["until_turn"]))


@dataclass(frozen=True)
class Tie:
    """The result of the tie rules: who is left, and the number of the rule that ended it (0: none)."""

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
    """4.1.3: Return the highest bid and its bidders, in seat order."""
    best = max(bids.values(), default=0)
    return best, tuple(p for p in in_play(board) if bids.get(p) == best)
