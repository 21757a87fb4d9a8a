"""Victory with a supply-based turn sequence, a rules system. This file only registers; read README.md first.

Every module in `decisions`, `events` and `procedures` is part of the system.
"""

from __future__ import annotations

import pkgutil
from pathlib import Path
from typing import Any

from pbem.rules import Decision, Game, Json, System

from .invariants import invariants
from .set_up import set_up
from .views import facts, friends, view_position
from .world import build_world

PARTS = ("decisions", "events", "procedures")


def _modules() -> list[str]:
    here = Path(__file__).parent
    found = [(part, m.name) for part in PARTS for m in pkgutil.iter_modules([str(here / part)])]
    return sorted(f"{__name__}.{part}.{name}" for part, name in found)


def _play_well(game: Game, decision: Decision[Any], pick: Any) -> Json:
    from .play_well import play_well  # only demonstrations need it

    return play_well(game, decision, pick)


SYSTEM = System(
    name="victory",
    package=__name__,
    title="Victory, supply-based turn sequence",
    edition="supply-1",
    revision=1,
    modules=_modules(),
    hidden=True,
    world_hook=build_world,
    set_up_hook=set_up,
    facts_hook=facts,
    view_hook=view_position,
    friends_hook=friends,
    play_well_hook=_play_well,
    invariants_hook=invariants,
)
