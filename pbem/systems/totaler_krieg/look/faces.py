"""Figures on counters (2.3), for drawings and lists.

Attack, defence and movement of the face that shows, steps left of all.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Game, Json

from ..rules.pieces import pieces


def faces(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """Return the figures of every ground unit that the reader can identify."""
    found: dict[str, dict[str, Json]] = {}
    for one in pieces(game):
        if one.role == "ground" and one.steps in one.print.faces:
            face = one.face
            figures = f"{face.attack}-{face.defence}-{face.movement}"
            full = max(one.print.faces)
            found[one.id] = {"figures": figures, "steps": one.steps, "full": full, "worn": one.steps < full}
    return found
