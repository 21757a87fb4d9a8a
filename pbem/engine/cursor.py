"""Where a game stands in the outline, and how it goes on: a list of frames, saved as data.

A frame is `{"in": node id, "do": index of the child}`, with `"n"` (count) in a loop, and `"players"`,
`"k"` in
`each_player`, whose order is fixed when the node is entered (procedures change initiative).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.engine.outline import Node

if TYPE_CHECKING:
    from pbem.engine.game import Game
    from pbem.engine.system import System

ENDED = [{"in": "end", "do": 0}]


@dataclass(frozen=True)
class Place:
    """A leaf to run: its node, the phasing player, the loop labels for keys, and the words for people."""

    leaf: Node
    phasing: str | None
    loops: tuple[str, ...]
    words: tuple[str, ...]

    def key(self, *parts: str | int) -> str:
        """A key below this place: loops, leaf, parts."""
        return "/".join([*self.loops, self.leaf.id, *map(str, parts)])

    @property
    def text(self) -> str:
        """`Game turn 3, Activation, Round 2, red player turn, Movement`."""
        return ", ".join(self.words)


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
        self.frames[-1]["do"] += 1
        self._settle(game)

    def _settle(self, game: Game) -> None:
        """From an index that may point past the end or at a node with a condition, find the next leaf or
        the end."""
        while self.frames:
            frame = self.frames[-1]
            node = self._nodes[frame["in"]]
            if frame["do"] >= len(node.children):
                self._end_of_body(game, frame, node)
                continue
            child = node.children[frame["do"]]
            if child.when and not self.system.condition(child.when)(game, self.phasing):
                frame["do"] += 1
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
        if node.kind == "each" and frame["k"] + 1 < len(frame["players"]):
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
        elif child.kind == "each":
            players = list(self.system.player_order(child.name)(game))
            if not players:
                frame["do"] += 1
                return
            self.frames.append({"in": child.id, "do": 0, "players": players, "k": 0})
        else:
            self.frames.append({"in": child.id, "do": 0})

    @property
    def phasing(self) -> str | None:
        """Whose player turn it is, if anybody's."""
        for frame in reversed(self.frames):
            if "players" in frame:
                return str(frame["players"][frame["k"]])
        return None

    def place(self) -> Place:
        """The leaf the cursor points at."""
        loops: list[str] = []
        words: list[str] = []
        for frame in self.frames:
            node = self._nodes[frame["in"]]
            if "n" in frame:
                dash = "-" if node.id[-1].isdigit() else ""  # `GT3`, but `2.T.4.2-3`
                loops.append(f"{node.id}{dash}{frame['n']}")
            elif "players" in frame and "part" not in frame:
                loops.append(str(frame["players"][frame["k"]]))
            if node.label:
                words.append(self._label(node, frame))
        frame = self.frames[-1]
        leaf = self._nodes[frame["in"]].children[frame["do"]]
        if leaf.label:
            words.append(self._label(leaf, frame))
        return Place(leaf, self.phasing, tuple(loops), tuple(words))

    def _label(self, node: Node, frame: dict[str, Any]) -> str:
        text = node.label.replace("{n}", str(frame.get("n", "")))
        return text.replace("{player}", self.phasing or "")
