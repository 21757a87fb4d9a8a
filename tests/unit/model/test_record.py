"""A record in one track: live, without what is usual in its JSON, and gone when it is over."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.board.position import Position
from pbem.model.typed import Record


class Siege(Record):
    track = "siege"

    city: str
    guns: int = 0
    towers: tuple[str, ...] = ()
    breaches: dict[str, int] = {}


def board(**tracks: Any) -> Any:
    return SimpleNamespace(position=Position({}, tracks), world=None)


def test_what_it_is_given_is_in_the_track_without_what_is_usual() -> None:
    here = board(siege=None)
    siege = Siege.begin(here, city="0405", guns=0)
    assert here.position.tracks["siege"] == {"city": "0405"}
    siege.guns += 2
    siege.towers = ("a", "b")
    siege.breaches = {**siege.breaches, "north": 1}
    assert here.position.tracks["siege"] == {
        "city": "0405",
        "guns": 2,
        "towers": ["a", "b"],
        "breaches": {"north": 1},
    }
    siege.guns = 0
    assert "guns" not in here.position.tracks["siege"]


def test_it_shows_the_track_as_it_is_now() -> None:
    here = board(siege={"city": "0405", "towers": ["a"]})
    siege = Siege.of(here)
    assert (siege.city, siege.guns, siege.towers, siege.breaches) == ("0405", 0, ("a",), {})
    here.position.tracks["siege"]["guns"] = 3
    assert siege.guns == 3
    siege.breaches["north"] = 1
    assert siege.breaches == {}, "mappings are replaced as a whole"


def test_it_begins_and_ends() -> None:
    here = board()
    assert not Siege.begun(here)
    siege = Siege.begin(here, city="0405")
    assert Siege.begun(here)
    siege.end()
    assert not Siege.begun(here) and here.position.tracks == {"siege": None}


def test_mistakes_are_told() -> None:
    with pytest.raises(TypeError, match="no field 'town'"):
        Siege.begin(board(), town="0405")
    with pytest.raises(AttributeError, match="city"):
        _ = Siege.of(board(siege={})).city
