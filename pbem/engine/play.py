"""A runner for one part of an outline on a given position with a script.

Worked examples and rules tests use it.
"""

from __future__ import annotations

from pbem.engine.answers import Source
from pbem.engine.cursor import Cursor
from pbem.engine.game import Game
from pbem.engine.leaf import LeafRun, StageNotes
from pbem.engine.outline import Node
from pbem.engine.resolve import Question
from pbem.model.events import Told, numbered
from pbem.model.state import Entry
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic


@dataclass(frozen=True)
class Played:
    """The result of playing a node; the position is that of the given game."""

    told: tuple[Told, ...]
    pending: tuple[Question, ...]
    diagnostics: tuple[tuple[str, Diagnostic], ...]
    ended: bool


def play(game: Game, node_id: str, source: Source, phasing: str | None = None) -> Played:
    """Run the node with this id (leaf, step or group) once, to its end or to the first missing answer.

    A step is played alone; `B.2.c.6..` plays its leaf from this step on.
    """
    wanted = node_id.removesuffix("..")
    node = game.system.outline.find(wanted)
    if node is None:
        known = ", ".join(n.id for n in game.system.outline.walk())
        raise ValueError(f"no node '{node_id}' in the outline of {game.system.name}: {known}")
    top = game.system.outline.leaf_of(node) if node.kind == "step" else node
    root = top if top.kind in ("group", "repeat") else Node("part", "group", "", "", "", None, (top,))
    cursor = Cursor(game.system, root, [])
    cursor.start(game, phasing)
    if node.kind == "step" and not cursor.ended:
        cursor.go_to(node)
        game.alone = wanted == node_id
    notes = StageNotes()
    told: list[Told] = []
    pending: tuple[Question, ...] = ()
    kept: tuple[Entry, ...] = ()
    while not cursor.ended:
        place = cursor.place(game.scenario)
        if node.kind == "step":
            place = place.at(node.id)
        end = LeafRun(game, place, None, source, notes, kept).run()
        told += numbered(end.told, told)
        pending = end.pending
        if end.open is not None:
            break
        kept = end.kept
        cursor.advance(game)
    return Played(tuple(told), pending, tuple(notes.diagnostics), cursor.ended)
