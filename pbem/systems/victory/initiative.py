"""Who may pass, who must, and who owes turns (rules 4.1.4, 4.2.3): plain answers from the tracks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from .blocks import Board, in_play, supply_units, units
from .world import Data

Reason = Literal["no units", "quota", "waived", "no SU"]


@dataclass(frozen=True)
class Initiative:
    """The initiative as the track holds it: whose, how many turns he bid for, how many he has taken."""

    holder: str | None
    quota: int
    taken: int
    waived: bool
    previous_holder: str | None

    @classmethod
    def of(cls, board: Board) -> Initiative:
        """What the position says."""
        return cls(**cast("dict[str, Any]", board.position.tracks["initiative"]))

    def owed(self, player: str) -> int:
        """Turns that the holder still has to take; 0 for everybody else."""
        return 0 if player != self.holder or self.waived else self.quota - self.taken


def current_round(board: Board) -> int:
    """The round of the Activation phase, 0 outside it."""
    return cast(int, board.position.tracks["round"])


def forced_pass(board: Board, player: str) -> Reason | None:
    """Why a player must pass now: rows a, b and c of 4.2.3; None when he need not."""
    initiative = Initiative.of(board)
    if not units(board, player):
        return "no units"
    if player == initiative.holder and initiative.waived:
        return "waived"
    if player == initiative.holder and initiative.taken >= initiative.quota:
        return "quota"
    if current_round(board) >= 2 and not supply_units(board, player):
        return "no SU"
    return None


def must_act(board: Board, player: str) -> bool:
    """Whether the holder owes a turn he can take: row d of 4.2.3."""
    return forced_pass(board, player) is None and Initiative.of(board).owed(player) > 0


def step_total(board: Board, player: str) -> int:
    """Steps in the player's supply units together."""
    return sum(len(u.kind.steps) - u.kind.steps.index(u.cv) for u in supply_units(board, player))


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

    @property
    def rolls(self) -> bool:
        """Whether dice must decide among those left."""
        return len(self.left) > 1


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
