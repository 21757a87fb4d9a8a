"""One order on its way from mail to record goes down through the rooms: none calls one above it.

What a lower room needs of an upper one it is handed: a protocol of a few methods, or a function. Each
of these is named here, with what it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pbem.engine import system as systems
from tests.architecture.code import room_of
from tests.architecture.test_imports import allowed_for, table
from tests.primer import FOG
from tests.unit.archive.table import begun, chooser

HANDED_DOWN = {
    "StatementsKept.find": "`Shelf`: where statements lie",
    "StatementsKept.of": "`Shelf`",
    "RecordsKept.record": "`Recorded`: gives the record of an earlier stage",
    "_in_letters": "`Folder.say`: the language of a game's letters",
}
RULES = table()


def climbs(act: Callable[[], object]) -> dict[str, str]:
    """Calls from a room to one that it may not import while something is done: who is called -> by whom."""
    found: dict[str, str] = {}
    rooms: dict[str, str] = {}
    may: dict[tuple[str, str], bool] = {}

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame.f_back is None or frame.f_code.co_name == "<genexpr>":
            return  # a generator that is handed down is data
        names = [str(one.f_globals.get("__name__", "")) for one in (frame.f_back, frame)]
        if not all(name.startswith("pbem.") for name in names):
            return
        by, to = (rooms.setdefault(name, room_of(name)) for name in names)
        if (by, to) not in may:
            known = allowed_for(by, RULES)
            may[by, to] = by == to or known is None or to in known
        if not may[by, to]:
            found.setdefault(frame.f_code.co_qualname, f"{names[0]}:{frame.f_back.f_lineno}")

    sys.setprofile(seen)
    try:
        act()
    finally:
        sys.setprofile(None)
    return found


def test_an_order_climbs_back_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = systems.find
    monkeypatch.setattr(systems, "find", lambda name: FOG if name == FOG.name else usual(name))
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    game = begun(tmp_path, FOG)
    found: dict[str, str] = {}
    for seat in game.players.values():
        found |= climbs(lambda seat=seat: seat.answer_all(chooser(1)))
    found |= climbs(game.post)
    found |= climbs(game.run)  # and everybody receives the report
    assert {seat.folder.stage for seat in game.everybody} == {1}
    assert found, "nothing was seen, not even what is handed down"
    assert set(found) <= set(HANDED_DOWN), {to: by for to, by in found.items() if to not in HANDED_DOWN}


def test_the_walk_would_see_a_climb() -> None:
    """A room below that is handed a function of an upper one and calls it."""
    from pbem.archive.folder import layout
    from pbem.stages import unseal_checks

    class Line:
        stage, open_stage = 0, 1

    def above(stage: int, sid: str) -> None:
        return None

    lifted: Any = type(above)(above.__code__, vars(layout), "above")
    assert set(climbs(lambda: unseal_checks.find_any(lifted, Line(), "x"))) == {above.__code__.co_qualname}  # type: ignore[arg-type]
