"""2.4: Notes of lists on a block beside its type and CV: whether the others see it too."""

from __future__ import annotations

from pbem.rules import Game, Json

from ..rules.blocks import units


def faces(game: Game) -> dict[str, dict[str, Json]]:
    """Return which blocks are face up, of those that the reader knows by their ids."""
    return {
        unit.id: {"face_up": True} for unit in units(game) if unit.revealed and not unit.id.startswith("?")
    }
