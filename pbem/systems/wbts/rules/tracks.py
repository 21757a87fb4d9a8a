"""2.5: The tracks of a wbts game beside its counters."""

from __future__ import annotations

from typing import Any

from pbem.rules import Tracks, dataclass


@dataclass(frozen=True)
class Result:
    """The winner, or None for a draw, and the reason."""

    winner: str | None
    why: str


class T(Tracks):
    """The tracks.

    By side: chit, free_used, rail_points, losses_sp, vp, militia_ready (by state), made (numbers of
    new ids), fought (battles so far by role), secrets (keys of sealed choices), battle_list.

    `spans` are the `units` and `leaders` that leaders command besides their rosters. `done` are the
    segments in which the phasing player has passed. `militia_placed` counts points by state in this
    cleanup. `defence` hands the defender's order from c.4 to c.5. `plan` is empty, but games of
    earlier revisions kept orders there.
    """

    gt: int
    cup: tuple[int, ...]
    chit: dict[str, int]
    order: tuple[str, ...]
    done: tuple[str, ...]
    free_used: dict[str, int]
    rail_points: dict[str, int]
    militia_ready: dict[str, dict[str, int]]
    militia_placed: dict[str, int]
    losses_sp: dict[str, int]
    vp: dict[str, int]
    spans: dict[str, dict[str, tuple[str, ...]]]
    settlement_owner: dict[str, str]
    fort_owner: dict[str, str]
    rail_owner: dict[str, str]
    rail_cut: tuple[str, ...]
    made: dict[str, dict[str, int]]
    plan: dict[str, Any]
    battle_list: dict[str, Any]
    fought: dict[str, dict[str, int]]
    secrets: dict[str, dict[str, str]]
    result: Result | None
    defence: Any = None

    def pass_segment(self, segment: str) -> None:
        """End a segment of the phasing player."""
        self.done = (*self.done, segment)
