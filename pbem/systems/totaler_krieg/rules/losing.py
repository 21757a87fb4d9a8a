"""Step losses (4.25): which face is left, which counter stands in, who goes by default (5.15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.rules import Board, dataclass

from .pieces import Piece, piece, pool, put, take_off


@dataclass(frozen=True)
class Lost:
    """The outcome of one step loss.

    The counter, the one that stands in for it, where what left the map went, and the steps it cost: all that
    are left where nothing stands in (4.25).
    """

    unit: str
    left: int
    instead: str
    went: str
    hex: str
    steps: int


def stand_ins(board: Board, one: Piece, steps: int) -> list[Piece]:
    """4.25: Return the pool's counters that may stand in with exactly so many steps, the default first.

    Protocol 5.15.
    """
    printed = one.print
    if not (printed.armor_type or printed.infantry_type):
        return []
    able = [
        other
        for other in pool(board, one.owner)
        if other.country == one.country
        and steps in other.print.faces
        and (other.print.infantry_type or (printed.armor_type and other.print.armor_type))
    ]
    if any(other.print.armor_type for other in able):
        able = [other for other in able if other.print.armor_type]
    return sorted(able, key=lambda other: (other.type not in ("infantry", "armor"), other.id))


def remaining(board: Board, one: Piece) -> tuple[int, int]:
    """Attack and defence that are left after one step loss with the default stand-in."""
    left = one.steps - 1
    if left in one.print.faces:
        face = one.print.faces[left]
        return face.attack, face.defence
    able = stand_ins(board, one, left)
    if able:
        face = able[0].print.faces[left]
        return face.attack, face.defence
    return 0, 0


def dies(board: Board, one: Piece) -> bool:
    """Return True if one step loss would take the unit from the map with nothing in its place."""
    left = one.steps - 1
    return left not in one.print.faces and not stand_ins(board, one, left)


def loss_rank(board: Board, one: Piece) -> tuple[int, int, str]:
    """5.15: Return the rank in losses (default_loss): factors lost, attack lost, id."""
    attack, defence = remaining(board, one)
    face = one.face
    return face.attack + face.defence - attack - defence, face.attack - attack, one.id


def choices(board: Board, one: Piece) -> list[Piece]:
    """4.25: Return the counters for the owner's choice at the next step loss; none if a face is left."""
    left = one.steps - 1
    return [] if left in one.print.faces else stand_ins(board, one, left)


def lose_step(board: Board, one: Piece, instead: str | None = None) -> Lost:
    """4.25: Take one step from a unit.

    The lower face, else a stand-in from the pool (the one named if it may, else by default), else it leaves
    the map.
    """
    hex, left = one.hex or "", one.steps - 1
    if left in one.print.faces:
        one.steps = left
        return Lost(one.id, left, "", "", hex, 1)
    able = stand_ins(board, one, left)
    flags = (one.moved_op, one.moved_res, one.attacked_blitz, one.attacked_regular, one.hq_used)
    went = take_off(one)
    if not able:
        return Lost(one.id, 0, "", went, hex, left + 1)
    other = next((each for each in able if each.id == instead), able[0])
    put(other, hex, left)
    other.moved_op, other.moved_res, other.attacked_blitz, other.attacked_regular, other.hq_used = flags
    return Lost(one.id, left, other.id, went, hex, 1)


class Force:
    """Units that suffer together. `first` says which of them may take the attacker's first step (4.25)."""

    def __init__(
        self, board: Board, ids: Iterable[str], first: Callable[[Piece], bool] | None = None
    ) -> None:
        self.board = board
        self.ids = list(dict.fromkeys(ids))
        self.first = first

    def __bool__(self) -> bool:
        return bool(self.alive)

    @property
    def alive(self) -> list[Piece]:
        """Return those still on the map."""
        found = [piece(self.board, id) for id in self.ids]
        return [one for one in found if one.spot == "map" and one.role == "ground"]

    @property
    def steps(self) -> int:
        return sum(one.steps for one in self.alive)

    def join(self, ids: Iterable[str]) -> None:
        self.ids += [id for id in ids if id not in self.ids]

    def able(self) -> list[Piece]:
        """Return the units that may take the next step, by default first."""
        found = self.alive
        if self.first is not None and any(map(self.first, found)):
            found = [one for one in found if self.first(one)]
        return sorted(found, key=lambda one: loss_rank(self.board, one))

    def next(self, wanted: list[str]) -> Piece | None:
        """Return the first of those wanted who may take the next step, else the default; None: nobody is
        left.

        The one returned is struck out of those wanted.
        """
        able = self.able()
        if not able:
            return None
        known = {one.id: one for one in able}
        named = next((id for id in wanted if id in known), None)
        if named is not None:
            wanted.remove(named)
        return known[named] if named is not None else able[0]

    def take(self, one: Piece, instead: str | None = None) -> Lost:
        """Take a step from one of the force."""
        lost = lose_step(self.board, one, instead)
        self.first = None
        if lost.instead:  # who stands in may have been lost from this force before
            self.ids = [id for id in self.ids if id != lost.instead]
            self.ids[self.ids.index(lost.unit)] = lost.instead
        return lost
