"""Figures on counters (2.3), for drawings and lists.

Attack, defence and movement of the face that shows, steps left of all.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import Game, Json

from ..rules.pieces import pieces


def faces(game: Game) -> Mapping[str, Mapping[str, Json]]:
    """Return the figures of every ground unit that the reader can identify.

    Of one that waits off the map and shows no face those of its strongest.
    """
    shown: dict[str, dict[str, Json]] = {}
    for piece in pieces(game):
        if piece.role == "ground" and piece.print.faces:
            full = max(piece.print.faces)
            steps = piece.steps if piece.steps in piece.print.faces else full
            face = piece.print.faces[steps]
            figures = f"{face.attack}-{face.defence}-{face.movement}"
            shown[piece.id] = {"figures": figures, "steps": steps, "full": full, "worn": steps < full}
    return shown
