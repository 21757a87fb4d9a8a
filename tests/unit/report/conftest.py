"""A small invented game with a map, for reports: two owners, a ford, a town."""

from __future__ import annotations

import pytest

from pbem.board.map import GameMap
from pbem.board.position import Position
from pbem.model.whereabouts import whereabouts
from pbem.report.reader import Meta, View
from pbem.report.wording import Wording
from tests.unit.report.happenings import KNOWN

WORDS = {
    "events": {"fought": "{attacker} attacked {hex}: {result}", "moved": "{owner} moved to {hex}"},
    "headlines": {"fought": "{attacker} attacked {hex}", "won": "{result}"},
    "decisions": {"bid": "How much do you bid, up to {most}?"},
    "counters": {"known": "{owner} {type} {cv}", "unknown": "{owner} block"},
    "counters-short": {"known": "{type}{cv}", "unknown": "block"},
    "counters-many": {"known": "{count} {type}{cv}", "unknown": "{count} blocks"},
    "places": {"town": "{name}, held by {holder}"},
    "places-short": {"town": "{name}"},
    "map": {"holder": "control"},
    "terrain": {"clear": "", "wood": "w", "sea": "~~"},
    "hexsides": {"river": "#"},
    "links": {"road": "="},
    "tracks": {"turn": "Game turn {turn}", "first": "First: {order_first}"},
    "luck": {"fought": "{hits} {rating}"},
}
CHART = {
    "legend": {".": "clear", "w": "wood", "~": "sea"},
    "terrain": [". w ~", ". . ~"],
    "hexsides": {"river": ["0101/0201"]},
    "links": {"road": ["0101-0102", "0102-0202"]},
    "places": {"town": [{"hex": "0102", "name": "Oxbridge"}]},
}


@pytest.fixture
def chart() -> GameMap:
    return GameMap.from_data(CHART)


@pytest.fixture
def view(chart: GameMap) -> View:
    position = Position(
        {
            "n1": {"owner": "north", "type": "IN", "cv": 3, "hex": "0101"},
            "n2": {"owner": "north", "type": "AR", "cv": 2, "hex": "0102"},
            "n3": {"owner": "north", "type": "IN", "cv": 1, "hex": "0102"},
            "?1": {"owner": "south", "type": "?", "hex": "0202"},
            "?2": {"owner": "south", "type": "?", "hex": "0202"},
        },
        {"turn": 2, "control": {"0102": "north"}, "order": {"first": "south"}},
    )
    words = {section: dict(texts) for section, texts in WORDS.items()}
    words["counters"] = {"known": "{owner} {type} {cv}", "unknown": "{owner} block"}
    return View(position, ("north", "south"), Wording(words), chart, events=KNOWN)


@pytest.fixture
def meta() -> Meta:
    return Meta(
        "The Ford", "ab" * 32, "primer", 4, whereabouts("Game turn 2, Movement", {}), command="pbem report 4"
    )
