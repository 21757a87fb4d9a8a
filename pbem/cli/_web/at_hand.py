"""A game folder that stays open between two clicks, while nothing in it has changed but the order file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pbem.archive import Folder
from pbem.stages.views import PlayerView

_STAGES = 3
"""How many of the last stages are looked at: what came for earlier ones changes nothing on the board."""


class AtHand(Folder):
    """A folder that makes each view once. What is drafted on a view works on a copy of its board."""

    def view(self, player: str | None = None, *, public: bool = False) -> PlayerView:
        made: dict[Any, PlayerView] = self.__dict__.setdefault("_views", {})
        if (player, public) not in made:
            made[player, public] = super().view(player, public=public)
        return made[player, public]


def looks(root: Path) -> tuple[Any, ...]:
    """How a folder looks from outside, its order files apart: if it looks otherwise it must be read anew."""
    stages = sorted(_entries(root / "stages"))[-_STAGES:]
    private = [one for one in _entries(root / "private") if not one[0].startswith("orders")]
    files = [one for one in _entries(root) if one[0] != "private"]
    inner = [_entries(root / "stages" / one[0]) for one in stages]
    return (files, _entries(root / "stages"), inner, sorted(private), _entries(root / "inbox"))


def _entries(folder: Path) -> list[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as found:
            return sorted((one.name, one.stat().st_mtime_ns, one.stat().st_size) for one in found)
    except OSError:
        return []
