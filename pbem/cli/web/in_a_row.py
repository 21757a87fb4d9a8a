"""The row of questions of an order file: the answers that wait in it, and the boards for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from pbem.cli.web.addresses.at_hand import AtHand

if TYPE_CHECKING:
    from pbem.archive import Folder, Row, RowStep
    from pbem.engine.drafting import Drafting
    from pbem.engine.game import Game
    from pbem.engine.resolve import Question
    from pbem.stages.views import PlayerView

_NAME = re.compile(r"(?P<kind>[\w-]+)-(?P<stage>\d+)-(?P<number>\d+)")
_KEPT = 6
"""Rows that are kept: that of the draft as it is, and those of the last clicks."""


def name_of(kind: str, stage: int, number: int) -> str:
    """Return the name of the entry that answers the question of this number in the row."""
    return f"{kind}-{stage}-{number}"


def parted(listed: Any, stage: int) -> tuple[dict[int, dict[str, Any]], list[Any]]:
    """Return the entries of `ahead` that belong to the row of a stage, by number, and the others."""
    mine: dict[int, dict[str, Any]] = {}
    others: list[Any] = []
    for entry in listed if isinstance(listed, list) else []:
        name = entry.get("once") if isinstance(entry, dict) else None
        found = _NAME.fullmatch(name) if isinstance(name, str) else None
        ours = found is not None and found["kind"] == entry.get("decision") and found["stage"] == str(stage)
        if found is not None and ours and "answer" in entry:
            mine[int(found["number"])] = entry
        else:
            others.append(entry)
    return mine, others


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
        found = [*self.row.steps, *(one for one in last if one is not None)]
        return next((one for one in found if one.question.key == key), None)

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


def entries(steps: Sequence[RowStep], stage: int) -> dict[int, dict[str, Any]]:
    """Return the entries of `ahead` that send the foreseen answers of a row, by number."""
    return {
        step.number: {
            **step.entry,
            "once": name_of(step.decision.kind, stage, step.number),
            "answer": step.answer,
        }
        for step in steps
        if step.number and step.entry is not None
    }
