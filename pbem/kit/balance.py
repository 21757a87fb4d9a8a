"""The value of a position: forces, places that count, and what each side could do next.

    weights = Weights(weigh)                 # weigh(game, id) -> Force or None
    scales = Scales(remembered(world.distance))
    weights.put(scales, game)
    scales.prize("0905", 30, holder=1)       # 1: held by the player, -1: by an enemy, 0: by nobody
    scales.total()

It is a rule of thumb for a search and no rule of a game: whole numbers, the same for both sides. What is
held and who is left counts most. A step towards an open place and strength beside a weak enemy raise the
value a little, so that a search finds its way; a place or a stack that an enemy may beat next lowers it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pbem.engine.game import Game
from pbem.text.canonical import Json

Distance = Callable[[str, str], int]
FAR = 99
HOLD = 100
"""The weight of a point of a prize while it is held."""
SHARE, KEEP = 80, 20
"""The weight of a point of a prize for strength near it, shared by both sides: of others, of one's own."""
FORCE = 10
"""The weight of a point of worth of a force."""
REACH = 3
"""Hexes within which a force may strike next, where a system says nothing else."""
CHANCES = (0, 0, 20, 80, 200, 350, 500, 600, 700, 780, 850, 920, 1000)
"""The chance in thousandths that a stack is beaten, by halves of the odds."""
BOLD, WARY = 40, 40
"""The weights of a chance to beat an enemy and of a danger, in hundredths."""


class Force(NamedTuple):
    """A counter on the scales. Without a `place` only `extra` counts, for the player where it is above 0."""

    place: str | None
    mine: bool
    attack: int = 0
    defence: int = 0
    worth: int = 0
    reach: int = REACH
    extra: int = 0


class Weights:
    """The weights of counters, remembered while their fields stay the same."""

    def __init__(self, weigh: Callable[[Game, str], Force | None]) -> None:
        self.weigh = weigh
        self._known: dict[str, tuple[Mapping[str, Json], Force | None]] = {}

    def put(self, scales: Scales, game: Game) -> None:
        """Put every counter of a game on the scales."""
        for id, fields in game.position.counters.items():
            known = self._known.get(id)
            if known is None or known[0] is not fields:
                known = self._known[id] = fields, self.weigh(game, id)
            if known[1] is not None:
                scales.put(known[1])


class _Stack:
    """The forces of one side in one place."""

    __slots__ = ("attack", "defence", "reach", "worth")

    def __init__(self) -> None:
        self.attack = self.defence = self.worth = 0
        self.reach: dict[int, int] = {}

    def strikes(self, far: int) -> int:
        """Return twice the attack that counts at a distance: all beside it, half within reach."""
        if far <= 1:
            return 2 * self.attack
        return sum([attack for reach, attack in self.reach.items() if far <= reach])


NOBODY = _Stack()


class Scales:
    """One position, weighed for one player."""

    def __init__(self, distance: Distance) -> None:
        self.distance = distance
        self.stacks: tuple[dict[str, _Stack], dict[str, _Stack]] = ({}, {})
        self.prizes: dict[str, tuple[int, int]] = {}
        self.extra = 0

    def put(self, force: Force) -> None:
        """Add a counter."""
        self.extra += force.extra
        if force.place is None:
            return
        side = self.stacks[force.mine]
        stack = side.get(force.place)
        if stack is None:
            stack = side[force.place] = _Stack()
        stack.attack += force.attack
        stack.defence += force.defence
        stack.worth += force.worth
        stack.reach[force.reach] = stack.reach.get(force.reach, 0) + force.attack

    def prize(self, place: str, worth: int, holder: int) -> None:
        """Add a place that counts."""
        self.prizes[place] = worth, holder

    def total(self) -> int:
        """Return what the position is worth to the player."""
        theirs, mine = self.stacks
        held = sum([HOLD * worth * holder for worth, holder in self.prizes.values()])
        left = sum([asset.worth for asset in mine.values()]) - sum([asset.worth for asset in theirs.values()])
        near = sum([self._share(place, *prize) for place, prize in self.prizes.items()])
        gain = sum([self._beaten(place, mine=True) for place in self._held_by(0)])
        risk = sum([self._beaten(place, mine=False) for place in self._held_by(1)])
        return held + FORCE * left + near + (BOLD * gain - WARY * risk) // 100 + self.extra

    def _share(self, place: str, worth: int, holder: int) -> int:
        """Return how much nearer the player's strength is to a place than the enemy's."""
        theirs, mine = (
            sum([self._pull(place, at, asset) for at, asset in side.items()]) for side in self.stacks
        )
        share = KEEP if holder == 1 else SHARE
        return share * worth * (mine - theirs) // (mine + theirs) if mine + theirs else 0

    def _pull(self, place: str, at: str, stack: _Stack) -> int:
        return 240 * max(stack.attack, stack.defence) // (1 + self.distance(at, place)) ** 2

    def _held_by(self, side: int) -> list[str]:
        """Return where a side has something to lose: its stacks, and its prizes that nobody guards."""
        empty = [
            place
            for place, (_, holder) in self.prizes.items()
            if holder == 2 * side - 1 and place not in self.stacks[side]
        ]
        return [*self.stacks[side], *empty]

    def _beaten(self, place: str, *, mine: bool) -> int:
        """Return what a side may lose in a place to the enemies near it, who are the player's if `mine`."""
        attack = sum([asset.strikes(self.distance(at, place)) for at, asset in self.stacks[mine].items()])
        if not attack:
            return 0
        stack = self.stacks[not mine].get(place, NOBODY)
        chance = CHANCES[min(len(CHANCES) - 1, attack // max(1, stack.defence))]
        worth, held = self.prizes.get(place, (0, 0))
        lost = HOLD * worth if held == (-1 if mine else 1) else 0
        return chance * (FORCE * stack.worth + lost) // 1000


def remembered(distance: Distance) -> Distance:
    """Return the same distances, each found once."""
    known: dict[tuple[str, str], int] = {}

    def found(a: str, b: str) -> int:
        if (a, b) not in known:
            known[a, b] = known[b, a] = distance(a, b)
        return known[a, b]

    return found
