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
    found: dict[str, dict[str, Json]] = {}
    for one in pieces(game):
        if one.role == "ground" and one.print.faces:
            full = max(one.print.faces)
            steps = one.steps if one.steps in one.print.faces else full
            face = one.print.faces[steps]
            figures = f"{face.attack}-{face.defence}-{face.movement}"
            found[one.id] = {"figures": figures, "steps": steps, "full": full, "worn": steps < full}
    return found
