"""4.25: Step losses: lower faces, stand-ins, and the unit that loses by default (5.15)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.rules import Board, dataclass

from .pieces import Piece, piece, pool, put, take_off


@dataclass(frozen=True)
class Lost:
    """The result of one step loss (4.25).

    The counter, its stand-in, the box of the counter that left the map, and the steps it cost.
    Without a stand-in it costs all steps that were left.
    """

    unit: str
    left: int
    instead: str
    went: str
    hex: str
    steps: int


def stand_ins(board: Board, unit: Piece, steps: int) -> list[Piece]:
    """4.25, 5.15: Return the counters that may stand in with these steps, the default first."""
    printed = unit.print
    if not (printed.armor_type or printed.infantry_type):
        return []
    able = [
        other
        for other in pool(board, unit.owner)
        if other.country == unit.country
        and steps in other.print.faces
        and (other.print.infantry_type or (printed.armor_type and other.print.armor_type))
    ]
    if any(other.print.armor_type for other in able):
        able = [other for other in able if other.print.armor_type]
    return sorted(able, key=lambda other: (other.type not in ("infantry", "armor"), other.id))


def remaining(board: Board, unit: Piece) -> tuple[int, int]:
    """Return attack and defence after one step loss with the default stand-in."""
    left = unit.steps - 1
    if left in unit.print.faces:
        face = unit.print.faces[left]
        return face.attack, face.defence
    able = stand_ins(board, unit, left)
    if able:
        face = able[0].print.faces[left]
        return face.attack, face.defence
    return 0, 0


def dies(board: Board, unit: Piece) -> bool:
    """Return True if one step loss would remove the unit without a stand-in."""
    left = unit.steps - 1
    return left not in unit.print.faces and not stand_ins(board, unit, left)


def loss_rank(board: Board, unit: Piece) -> tuple[int, int, str]:
    """5.15: Return the rank in losses (default_loss): factors lost, attack lost, id."""
    attack, defence = remaining(board, unit)
    face = unit.face
    return face.attack + face.defence - attack - defence, face.attack - attack, unit.id


def choices(board: Board, unit: Piece) -> list[Piece]:
    """4.25: Return the stand-ins from which the owner chooses, empty if a lower face is left."""
    left = unit.steps - 1
    return [] if left in unit.print.faces else stand_ins(board, unit, left)


def lose_step(board: Board, unit: Piece, instead: str | None = None) -> Lost:
    """4.25: Take one step from a unit.

    It turns to a lower face. Without one a stand-in replaces it, the one named if legal, else the
    default. Without a stand-in it leaves the map.
    """
    hex, left = unit.hex or "", unit.steps - 1
    if left in unit.print.faces:
        unit.steps = left
        return Lost(unit.id, left, "", "", hex, 1)
    able = stand_ins(board, unit, left)
    flags = (unit.moved_op, unit.moved_res, unit.attacked_blitz, unit.attacked_regular, unit.hq_used)
    went = take_off(unit)
    if not able:
        return Lost(unit.id, 0, "", went, hex, left + 1)
    other = next((counter for counter in able if counter.id == instead), able[0])
    put(other, hex, left)
    other.moved_op, other.moved_res, other.attacked_blitz, other.attacked_regular, other.hq_used = flags
    return Lost(unit.id, left, other.id, went, hex, 1)


class Force:
    """Units that take losses together. `first` tests which of them may take the first step (4.25)."""

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
        """Return the ground units that are still on the map."""
        units = [piece(self.board, id) for id in self.ids]
        return [unit for unit in units if unit.spot == "map" and unit.role == "ground"]

    @property
    def steps(self) -> int:
        return sum(unit.steps for unit in self.alive)

    def join(self, ids: Iterable[str]) -> None:
        self.ids += [id for id in ids if id not in self.ids]

    def able(self) -> list[Piece]:
        """Return the units that may take the next step, the default first."""
        units = self.alive
        if self.first is not None and any(map(self.first, units)):
            units = [unit for unit in units if self.first(unit)]
        return sorted(units, key=lambda unit: loss_rank(self.board, unit))

    def next(self, wanted: list[str]) -> Piece | None:
        """Return the unit that takes the next step, or None if none is left.

        It is the first of `wanted` that may, and is then removed from that list, or else the
        default.
        """
        able = self.able()
        if not able:
            return None
        known = {unit.id: unit for unit in able}
        named = next((id for id in wanted if id in known), None)
        if named is not None:
            wanted.remove(named)
        return known[named] if named is not None else able[0]

    def take(self, unit: Piece, instead: str | None = None) -> Lost:
        """Take a step from a unit of the force."""
        lost = lose_step(self.board, unit, instead)
        self.first = None
        if lost.instead:  # the stand-in may have been lost from this force before
            self.ids = [id for id in self.ids if id != lost.instead]
            self.ids[self.ids.index(lost.unit)] = lost.instead
        return lost
