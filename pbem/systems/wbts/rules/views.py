"""Section 7: Knowledge of players.

Without `limited_intelligence` all know everything but secret choices. With it a player sees that a
hex has an enemy stack and whether it has a leader, and works and forts. Stocks, rosters and militia
pools are known to their owner.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.board.position import Fields
from pbem.kit.hidden import Hidden, Stack
from pbem.rules import Game, Json

from .statics import UNKNOWN


def _occupied(stack: Stack) -> Json:
    return {"leader": any(fields["type"] == "leader" for fields in stack.values())}


def _unknown(hex: str, side: str, shown: Mapping[str, Json]) -> Iterator[tuple[str, Fields]]:
    """Yield an enemy stack in a view as one counter of type `?`."""
    occupied = shown["occupied"]
    assert isinstance(occupied, dict)
    yield f"{UNKNOWN}{side}-{hex}", {"type": UNKNOWN, "leader": occupied["leader"]}


def _side_of(game: Game, leader: str) -> str | None:
    return str(game.position.counters[leader]["side"]) if leader in game.position.counters else None


HIDDEN = Hidden(
    shown={"occupied": _occupied},
    stand_ins=_unknown,
    public=(
        "gt cup chit order done free_used rail_points losses_sp vp settlement_owner fort_owner rail_owner"
        " rail_cut militia_placed result battle fought secrets"
    ).split(),
    own=("militia_ready", "made", "plan", "battle_list"),
    owned_by={"spans": _side_of},
    owner="side",
    seen=lambda fields: fields["type"] == "entrenchment",
)
