"""A game folder that stays open between clicks, while only its order file changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.archive import Folder
from pbem.stages.views import PlayerView

if TYPE_CHECKING:
    from pbem.engine.drafting import Drafting
    from pbem.engine.resolve import Question

_STAGES = 3
"""How many of the last stages are looked at: what came for earlier ones changes nothing on the board."""


_ANSWERS = 6
"""Answers that keep their options: the one as it is, and those that undo leads back to."""
_DRAFTS = 40
"""How many drafts are kept: that of the answer as it is, and those of the ways to begin it."""
T = TypeVar("T")


class AtHand(Folder):
    """A folder that makes each view once.

    Drafts on a view use a copy of its board.
    """

    def view(self, player: str | None = None, *, public: bool = False) -> PlayerView:
        return self.once(("view", player, public), lambda: super(AtHand, self).view(player, public=public))

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """Return what is made of the folder once, until the folder changes."""
        made: dict[Hashable, Any] = self.__dict__.setdefault("_made", {})
        if name not in made:
            made[name] = make()
        value: T = made[name]
        return value

    def draft(self, question: Question, so_far: Any) -> Drafting[Any] | None:
        """Return the draft of an answer, to list what may come next.

        Its board keeps what it knows for the next click. Nothing is added to it.
        """
        from pbem.archive import order_file
        from pbem.text.canonical import dumps

        drafts: dict[Any, Drafting[Any] | None] = self.__dict__.setdefault("_drafts", {})
        name = (question.key, dumps(so_far))
        if name in drafts:
            drafts[name] = drafts.pop(name)  # the one used last is let go last
        else:
            drafts[name] = order_file.drafting(self, question, so_far)
            while len(drafts) > _DRAFTS:
                del drafts[next(iter(drafts))]
        return drafts[name]


def once(folder: Folder, name: Hashable, make: Callable[[], T]) -> T:
    """Return `make()`; for a folder that stays open the earlier result."""
    return folder.once(name, make) if isinstance(folder, AtHand) else make()


def kept_options(
    there: Any, question: Question, so_far: Any, what: Hashable, make: Callable[[], list[T]]
) -> list[T]:
    """Return what may come after an answer so far: a click takes one of the options that were just shown."""
    from pbem.text.canonical import dumps

    answers: dict[Any, dict[Hashable, Any]] = there.__dict__.setdefault("_options", {})
    name = (question.key, dumps(so_far))
    kept = answers[name] = answers.pop(name, {})  # the one used last is let go last
    while len(answers) > _ANSWERS:
        del answers[next(iter(answers))]
    if what not in kept:
        kept[what] = make()
    options: list[T] = kept[what]
    return options


def looks(root: Path) -> tuple[Any, ...]:
    """Return a folder's state without its order files: if it changes, the folder must be read anew."""
    stages = sorted(_entries(root / "stages"))[-_STAGES:]
    private = [entry for entry in _entries(root / "private") if not entry[0].startswith(("orders", "notes"))]
    files = [entry for entry in _entries(root) if entry[0] != "private"]
    inner = [_entries(root / "stages" / stage[0]) for stage in stages]
    return (files, _entries(root / "stages"), inner, sorted(private), _entries(root / "inbox"))


def _entries(folder: Path) -> list[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as listing:
            return sorted((entry.name, entry.stat().st_mtime_ns, entry.stat().st_size) for entry in listing)
    except OSError:
        return []
