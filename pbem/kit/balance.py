"""What a position is worth: the sum over forces, places that count, and what each side could do next.

    scales = Scales(distance)                       # hexes between two places, FAR where there is no way
    scales.force("0804", mine=True, attack=9, defence=8, worth=17)
    scales.prize("0905", 30, holder=1)              # 1: held by the player, -1: by an enemy, 0: by nobody
    scales.total()

It is a rule of thumb for a search and no rule of a game: whole numbers, the same for both sides. A step towards
an open place, strength beside a weak enemy and a held place each raise it a little, so that a search finds its
way; what is held and who is left counts most.
"""

from __future__ import annotations

from collections.abc import Callable

FAR = 99
HOLD = 100
"""What a point of a prize counts while it is held."""
SHARE, KEEP = 80, 20
"""What a point of a prize counts for strength near it, shared by both sides: of others, of one's own."""
FORCE = 10
"""What a point of worth of a force counts."""
FADE = (4, 4, 2, 1)
"""Quarters of its attack that a force has at these distances."""
CHANCES = (0, 0, 20, 80, 200, 350, 500, 600, 700, 780, 850, 920, 1000)
"""The chance in thousandths that a stack is beaten, by halves of the odds."""
BOLD, WARY = 40, 40
"""What a chance to beat an enemy counts, and a danger, in hundredths."""


class Stack:
    """The forces of one side in one place."""

    __slots__ = ("attack", "defence", "worth")

    def __init__(self) -> None:
        self.attack = self.defence = self.worth = 0


class Scales:
    """One position, weighed for one player."""

    def __init__(self, distance: Callable[[str, str], int]) -> None:
        self.distance = distance
        self.stacks: tuple[dict[str, Stack], dict[str, Stack]] = ({}, {})
        self.prizes: dict[str, tuple[int, int]] = {}
        self.extra = 0

    def force(self, place: str, *, mine: bool, attack: int, defence: int, worth: int) -> None:
        """Add a force that is on the map."""
        stack = self.stacks[mine].setdefault(place, Stack())
        stack.attack, stack.defence = stack.attack + attack, stack.defence + defence
        stack.worth += worth

    def prize(self, place: str, worth: int, holder: int) -> None:
        """Add a place that counts."""
        self.prizes[place] = worth, holder

    def total(self) -> int:
        """Return what the position is worth to the player."""
        theirs, mine = self.stacks
        held = sum(HOLD * worth * holder for worth, holder in self.prizes.values())
        left = sum(one.worth for one in mine.values()) - sum(one.worth for one in theirs.values())
        near = sum(self._share(place, *prize) for place, prize in self.prizes.items())
        gain = sum(self._beaten(place, 1) for place in self._held_by(0))
        risk = sum(self._beaten(place, -1) for place in self._held_by(1))
        return held + FORCE * left + near + (BOLD * gain - WARY * risk) // 100 + self.extra

    def _share(self, place: str, worth: int, holder: int) -> int:
        """Return how much nearer the player's strength is to a place than the enemy's."""
        theirs, mine = (sum(self._pull(place, at, one) for at, one in side.items()) for side in self.stacks)
        share = KEEP if holder == 1 else SHARE
        return share * worth * (mine - theirs) // (mine + theirs) if mine + theirs else 0

    def _pull(self, place: str, at: str, stack: Stack) -> int:
        return 240 * max(stack.attack, stack.defence) // (1 + self.distance(at, place)) ** 2

    def _held_by(self, side: int) -> list[str]:
        """Return where a side has something to lose: its stacks, and its prizes that nobody guards."""
        empty = [
            place
            for place, (_, holder) in self.prizes.items()
            if holder == 2 * side - 1 and place not in self.stacks[side]
        ]
        return [*self.stacks[side], *empty]

    def _beaten(self, place: str, by: int) -> int:
        """Return what a side may lose in a place to the enemies near it; `by` is 1 where these are mine."""
        mine = by == 1
        attack = 0
        for at, one in self.stacks[mine].items():
            far = self.distance(at, place)
            if far < len(FADE):
                attack += one.attack * FADE[far]
        if not attack:
            return 0
        stack = self.stacks[not mine].get(place, NONE)
        chance = CHANCES[min(len(CHANCES) - 1, attack // (2 * max(1, stack.defence)))]
        worth, held = self.prizes.get(place, (0, 0))
        return chance * (FORCE * stack.worth + HOLD * worth * (held == -by)) // 1000


NONE = Stack()
