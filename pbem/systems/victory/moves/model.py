"""What a move is, as players write it (section 6), and the refusals it may meet."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from pbem.rules import Diagnostic, HexNumber, Name

from ..world import World

MoveKind = Literal[
    "march", "road_strat", "sea_strat", "assault", "drop", "mission", "rebase", "sail", "sail_strat"
]
#: Moves that a supply unit may make in step 2.T.5 (4.7.2).
LOGISTIC_KINDS: tuple[MoveKind, ...] = ("march", "road_strat", "sea_strat")
#: The rule of each kind of move, for refusals of the wrong kind of block.
RULES: dict[MoveKind, str] = {
    "march": "4.4.2",
    "road_strat": "4.4.4",
    "sea_strat": "4.4.5",
    "assault": "4.4.6",
    "drop": "4.4.7",
    "mission": "4.4.8",
    "rebase": "4.4.9",
    "sail": "4.4.10",
    "sail_strat": "4.4.11",
}
#: Moves by air name a hex, all others a path (section 6).
BY_AIR: tuple[MoveKind, ...] = ("drop", "mission", "rebase")


@dataclass(frozen=True)
class Move:
    """One move of one unit: along `path` (from where it stands), or by air to the hex `to`.

    `carrier` names the deck a rebasing aircraft lands on where there is a choice (4.4.12).
    """

    unit: Name
    kind: MoveKind
    path: tuple[HexNumber, ...] = ()
    to: HexNumber | None = None
    carrier: Name | None = None

    @property
    def end(self) -> str:
        """The hex where it ends; only for a move whose shape is right."""
        return self.to if self.to is not None else self.path[-1]

    @property
    def text(self) -> str:
        """The move for its owner's eyes."""
        way = "-".join(self.path) if self.path else f"to {self.to}"
        return f"{self.unit} {self.kind} {way}" + (f" onto {self.carrier}" if self.carrier else "")


def illegal(code: str, rule: str, message: str, *path: str | int, help: tuple[str, ...] = ()) -> Diagnostic:
    """A refusal by the rules, with one of the error codes of the specification."""
    return Diagnostic(code, message, family="illegal", rule=rule, path=path, help=help)


def path_faults(world: World, unit: str, start: str, move: Move) -> list[Diagnostic]:
    """E-MOV-03: a path that is missing, starts elsewhere, leaves the map or jumps (4.4.1)."""
    path = move.path
    if len(path) < 2:
        return [
            illegal(
                "E-MOV-03", "4.4.1", f"a {move.kind} needs a path of at least two hexes from {start}", "path"
            )
        ]
    if path[0] != start:
        message = f"the path begins at {path[0]}, {unit} stands in {start}"
        return [illegal("E-MOV-03", "4.4.1", message, "path", 0)]
    for i, (one, to) in enumerate(pairwise(path), start=1):
        if to not in world.terrain:
            return [illegal("E-MOV-03", "4.4.1", f"no hex {to} on this map", "path", i)]
        if not world.adjacent(one, to):
            near = ", ".join(world.neighbours(one))
            help = (f"beside {one}: {near}",)
            return [illegal("E-MOV-03", "4.4.1", f"{to} is not adjacent to {one}", "path", i, help=help)]
    return []


def target_faults(world: World, move: Move) -> list[Diagnostic]:
    """E-MOV-03: a move by air that names no hex of the map."""
    if move.to is None:
        return [illegal("E-MOV-03", "4.4.1", f"a {move.kind} needs `to`, a hex", "kind")]
    if move.to not in world.terrain:
        return [illegal("E-MOV-03", "4.4.1", f"no hex {move.to} on this map", "to")]
    return []
