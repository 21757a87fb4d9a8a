"""The place of a game in the outline and how it advances: a list of frames, saved as data.

A frame is `{"in": node id, "do": place among the children}`, with `"n"` (count) in a loop, and `"players"`,
`"k"` in `each_player` and `each_power`, whose order is fixed when the node is entered (procedures change
initiative). A leaf with steps takes up as many places as it has steps: a game that was saved at a
leaf which has since become a step goes on at that step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pbem.engine.outline import Node, label_of
from pbem.model.whereabouts import Stop, Whereabouts, stop_at
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from pbem.engine.game import Game
    from pbem.engine.system import System

ENDED = [{"in": "end", "do": 0}]
NOTHING: Mapping[str, Any] = MappingProxyType({})
PLACES_ARE_DATA = 8
"""The revision of the engine from which events hold their place as data (model/whereabouts.py)."""


@dataclass(frozen=True)
class Place:
    """A leaf to run: its node, the phasing player, the loop labels for keys, and the labels for people.

    `passes` are the loops around it by node, each with its count or its player. `step` is the step that the
    game has reached within it, if any.
    """

    leaf: Node
    phasing: str | None
    loops: tuple[str, ...]
    passes: Mapping[str, int | str]
    stops: tuple[Stop, ...]
    step: Node | None = None

    def key(self, *parts: str | int) -> str:
        """Return a key below this place: loops, step or leaf, parts."""
        return "/".join([*self.loops, (self.step or self.leaf).id, *map(str, parts)])

    @property
    def text(self) -> Whereabouts:
        """Return the place in words: `Game turn 3, Activation, Round 2, red player turn, Movement`."""
        step = [stop_of(self.step, None, self.phasing)] if self.step and self.step.label else []
        return Whereabouts([*self.stops, *step])

    def recorded(self, engine: int) -> Json:
        """Return the place in the form that events have under this revision of the engine."""
        if engine < PLACES_ARE_DATA:
            return str(self.text)
        return {"node": (self.step or self.leaf).id, "passes": dict(self.passes)}

    @property
    def start(self) -> str:
        """Return the key with which the journal of a run begins.

        A leaf with steps begins at one of them.
        """
        first = self.step or (self.leaf.steps[0] if self.leaf.steps else None)
        return replace(self, step=first).key()

    def at(self, name: str) -> Place:
        """Return the place at a step of this leaf."""
        return replace(self, step=self.leaf.step(name))


def stop_of(
    node: Node, count: int | None, phasing: str | None, scenario: Mapping[str, Any] = NOTHING
) -> Stop:
    """Return the label of a node with the count of the innermost loop and the player.

    `{n+1900}` of the outline is the count and 1900 more; `{n from first_year}` counts from a number of the
    scenario.
    """
    return stop_at(label_of(node, scenario), count, phasing)


class Cursor:
    """Walks one outline. `frames` are plain data and may be saved at any time."""

    def __init__(self, system: System, root: Node, frames: list[Any]) -> None:
        self.system = system
        self.root = root
        self.frames: list[dict[str, Any]] = [dict(frame) for frame in frames]
        self._nodes = {node.id: node for node in root.walk()}

    @property
    def ended(self) -> bool:
        return self.frames == ENDED

    def start(self, game: Game, phasing: str | None = None) -> None:
        """Go to the first leaf. `phasing` is for playing a part of an outline on its own."""
        self.frames = [
            {"in": self.root.id, "do": 0} | ({"players": [phasing], "k": 0, "part": 1} if phasing else {})
        ]
        if self.root.kind == "repeat":
            self.frames[0]["n"] = 1
        self._settle(game)

    def advance(self, game: Game) -> None:
        """Leave the leaf that has ended and go to the next."""
        leaf, step = self._child(self.frames[-1])
        self.frames[-1]["do"] += leaf.width - step
        self._settle(game)

    def go_to(self, step: Node) -> None:
        """Move from the leaf to one of its steps."""
        leaf, now = self._child(self.frames[-1])
        self.frames[-1]["do"] += leaf.steps.index(step) - now

    def _child(self, frame: dict[str, Any]) -> tuple[Node, int]:
        """Return the child that a frame points at, and the number of its step."""
        place = frame["do"]
        for child in self._nodes[frame["in"]].children:
            if place < child.width:
                return child, place
            place -= child.width
        raise AssertionError(f"{frame['in']} has no place {frame['do']}")

    def _settle(self, game: Game) -> None:
        """Advance to the next leaf or the end.

        The index may point past the end or at a node with a condition.
        """
        while self.frames:
            frame = self.frames[-1]
            node = self._nodes[frame["in"]]
            if frame["do"] >= sum(child.width for child in node.children):
                self._end_of_body(game, frame, node)
                continue
            child, _ = self._child(frame)
            if child.when and not self.system.condition(child.when)(game, self.phasing):
                frame["do"] += child.width
            elif child.kind == "leaf":
                return
            else:
                self._enter(game, frame, child)
        self.frames = [dict(frame) for frame in ENDED]

    def _end_of_body(self, game: Game, frame: dict[str, Any], node: Node) -> None:
        if node.kind == "repeat" and self.system.condition(node.name)(game, self.phasing):
            frame["do"] = 0
            frame["n"] += 1
            return
        if node.kind in ("each", "powers") and frame["k"] + 1 < len(frame["players"]):
            frame["do"] = 0
            frame["k"] += 1
            return
        self.frames.pop()
        if self.frames:
            self.frames[-1]["do"] += 1

    def _enter(self, game: Game, frame: dict[str, Any], child: Node) -> None:
        if child.kind == "repeat":
            if not self.system.condition(child.name)(game, self.phasing):
                frame["do"] += 1
                return
            self.frames.append({"in": child.id, "do": 0, "n": 1})
        elif child.kind in ("each", "powers"):
            players = list(self.system.order(child)(game))
            if not players:
                frame["do"] += 1
                return
            self.frames.append({"in": child.id, "do": 0, "players": players, "k": 0})
        else:
            self.frames.append({"in": child.id, "do": 0})

    @property
    def phasing(self) -> str | None:
        """Return the phasing player, or None."""
        for frame in reversed(self.frames):
            if "players" in frame:
                return str(frame["players"][frame["k"]])
        return None

    def within(self) -> dict[str, Json]:
        """Return the nodes around the current leaf and the leaf, each with the loop counts and players.

        These distinguish one pass through a node from the next.
        """
        passes: dict[str, Json] = {}
        passing: list[Json] = []
        for frame in self.frames if not self.ended else ():
            passing = [*passing, frame["in"], frame.get("n", 0), frame.get("k", 0)]
            passes[frame["in"]] = list(passing)
        if passes:
            leaf, _ = self._child(self.frames[-1])
            passes[leaf.id] = passing
        return passes

    def around(self) -> list[Node]:
        """Return the nodes around the current leaf, outermost first, and that leaf."""
        if self.ended:
            return []
        return [*(self._nodes[frame["in"]] for frame in self.frames), self._child(self.frames[-1])[0]]

    def place(self, scenario: Mapping[str, Any] = NOTHING) -> Place:
        """Return the leaf the cursor points at, with the labels of this scenario."""
        loops: list[str] = []
        passes: dict[str, int | str] = {}
        stops: list[Stop] = []
        count: int | None = None
        for frame in self.frames:
            node = self._nodes[frame["in"]]
            if "n" in frame:
                count = passes[node.id] = frame["n"]
                dash = "-" if node.id[-1].isdigit() else ""  # `GT3`, but `2.T.4.2-3`
                loops.append(f"{node.id}{dash}{frame['n']}")
            elif "players" in frame:
                player = passes[node.id] = str(frame["players"][frame["k"]])
                loops += [player] if "part" not in frame else []
            if node.label:
                stops.append(stop_of(node, count, self.phasing, scenario))
        leaf, step = self._child(self.frames[-1])
        if leaf.label:
            stops.append(stop_of(leaf, count, self.phasing, scenario))
        begun = leaf.steps[step] if step else None
        return Place(leaf, self.phasing, tuple(loops), passes, tuple(stops), begun)


def frames_at(game: Game, key: str) -> list[Json]:
    """Return the frames of a cursor at the leaf or step of a question's key, or [] if there is none.

    The phasing player in `each_player` is asked of this game, which may be a view: the order may have been
    another when the node was entered.
    """
    words = key.split("/")
    for path, leaf in _leaves(game.system.outline, ()):
        for step in leaf.steps or (None,):
            frames = _frames(game, path, leaf, step, words)
            if frames is not None:
                return frames
    return []


def _leaves(node: Node, path: tuple[Node, ...]) -> Iterator[tuple[tuple[Node, ...], Node]]:
    """Yield each leaf with the nodes around it."""
    for child in node.children:
        if child.kind == "leaf":
            yield (*path, node), child
        else:
            yield from _leaves(child, (*path, node))


def _frames(
    game: Game, path: tuple[Node, ...], leaf: Node, step: Node | None, words: list[str]
) -> list[Json] | None:
    """Return the frames if a key begins with the loops of this path and the id of this leaf or step."""
    left = list(words)
    frames: list[Json] = []
    for node, child in zip(path, (*path[1:], leaf), strict=True):
        at = node.children.index(child)
        frame: dict[str, Json] = {"in": node.id, "do": sum(earlier.width for earlier in node.children[:at])}
        if node.kind == "repeat":
            counted = left.pop(0).removeprefix(node.id).removeprefix("-") if left else ""
            if not counted.isdigit():
                return None
            frame["n"] = int(counted)
        elif node.kind in ("each", "powers"):
            who = left.pop(0) if left else ""
            players = list(game.system.order(node)(game))
            players = players if who in players else [who]
            frame |= {"players": list[Json](players), "k": players.index(who)}
        frames.append(frame)
    if not left or left[0] != (step or leaf).id:
        return None
    last = frames[-1]
    assert isinstance(last, dict) and isinstance(last["do"], int)
    last["do"] += leaf.steps.index(step) if step else 0
    return frames
