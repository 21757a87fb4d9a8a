"""Views of the players (section 7): the parts of a position that each may see.

All players see how many blocks of each owner are in a hex, and type and strength of face-up blocks. Only the
owner and allies know which block is which; pools and turn orders are known to the owner alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.board.position import Fields
from pbem.kit.hidden import Hidden, Stack
from pbem.rules import Game, Json

from .world import UNKNOWN, world_of


def face_up(stack: Stack) -> Json:
    """Return type and strength of the face-up blocks in a stack, strongest first within a type."""
    up = [fields for fields in stack.values() if fields.get("revealed")]
    listed = sorted((str(fields["type"]), -int(str(fields["cv"]))) for fields in up)
    return [{"type": type, "cv": -cv} for type, cv in listed] or None


def stand_ins(hex: str, owner: str, shown: Mapping[str, Json]) -> Iterator[tuple[str, Fields]]:
    """Yield blocks for a hex of which only the number is known: face-up blocks first, then unknown ones."""
    up, count = shown.get("face-up", []), shown["blocks"]
    assert isinstance(up, list) and isinstance(count, int)
    seen: list[Fields] = [{**fields, "revealed": True} for fields in up if isinstance(fields, dict)]
    seen += [{"type": UNKNOWN} for _ in range(count - len(seen))]
    yield from ((f"{UNKNOWN}{owner}-{hex}-{n}", fields) for n, fields in enumerate(seen, 1))


HIDDEN = Hidden(
    shown={"blocks": len, "face-up": face_up},
    stand_ins=stand_ins,
    public="acted active battle battles bids control initiative out passed place result round taking tied"
    " turn turn_began vp".split(),
    own=("plan", "pool", "made"),
    section="block",
)


def friends(game: Game, player: str) -> tuple[str, ...]:
    """Return the player and allies, who share their view (section 7)."""
    return tuple(sorted(world_of(game).side(player)))
