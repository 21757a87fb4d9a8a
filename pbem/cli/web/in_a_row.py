"""The row of questions of an order file: the boards for its answers."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from pbem.cli.web.addresses.at_hand import AtHand

if TYPE_CHECKING:
    from pbem.archive import Folder, Row, RowStep
    from pbem.engine.drafting import Drafting
    from pbem.engine.game import Game
    from pbem.engine.resolve import Question
    from pbem.stages.views import PlayerView

_KEPT = 6
"""Rows that are kept: that of the draft as it is, and those of the last clicks."""


class Then:
    """A game folder as it stands when a foreseen question comes: another board, else the same."""

    def __init__(self, folder: Folder, game: Game) -> None:
        self.folder = folder
        self.system = folder.system
        self._view = copy(folder.view())
        self._view.__dict__["game"] = game
        self._drafts: dict[str, Drafting[Any] | None] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.folder, name)

    def view(self, player: str | None = None, *, public: bool = False) -> PlayerView:
        """Return the owner's view on that board."""
        return self._view

    def draft(self, question: Question, so_far: Any) -> Drafting[Any] | None:
        """Return the draft of an answer on that board; nothing is added to it."""
        from pbem.archive import order_file
        from pbem.text.canonical import dumps

        name = question.key + str(dumps(so_far))
        if name not in self._drafts:
            self._drafts[name] = order_file.drafting(self, question, so_far)
        return self._drafts[name]


class Kept:
    """A row, with the folder as it then stands for each of its foreseen questions."""

    def __init__(self, folder: Folder, row: Row) -> None:
        self.row = row
        self.folder = folder
        self._then: dict[str, Then] = {}

    def step(self, key: str) -> RowStep | None:
        """Return the step of a question, the next and the one behind the end among them."""
        last = (self.row.question, self.row.beyond)
        steps = [*self.row.steps, *(step for step in last if step is not None)]
        return next((step for step in steps if step.question.key == key), None)

    def then(self, step: RowStep) -> Then:
        """Return the folder as it stands when this question comes."""
        key = step.question.key
        if key not in self._then:
            self._then[key] = Then(self.folder, step.game)
        return self._then[key]


def kept(folder: Folder, name: str, make: Any) -> Kept:
    """Return the row of this name; a folder that stays open has the last ones at hand."""
    if not isinstance(folder, AtHand):
        return Kept(folder, make())
    rows: dict[str, Kept] = folder.__dict__.setdefault("_rows", {})
    if name in rows:
        rows[name] = rows.pop(name)
    else:
        rows[name] = Kept(folder, make())
        while len(rows) > _KEPT:
            del rows[next(iter(rows))]
    return rows[name]
