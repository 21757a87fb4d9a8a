"""What events say by the types of their fields: players, places, units, losses, captures."""

from __future__ import annotations

from typing import Annotated, Any

import pytest

from pbem.model.codec import Means
from pbem.model.events import Event, Roll, event
from pbem.model.meaning import (
    After,
    Attacker,
    Before,
    Capture,
    Count,
    Destination,
    Loser,
    Losses,
    Lost,
    Meaning,
    Origin,
    Phrase,
    Place,
    PlayerName,
    Thrower,
    UnitIds,
    Way,
    meaning,
)
from pbem.rules import Decision, decision


@event(rule="1", to="public", tells=("retreat", "loss"), costs={"block": 1})
class FellBack(Event):
    player: PlayerName
    against: PlayerName
    units: UnitIds
    origin: Origin
    path: Way
    goal: Destination
    lost: Annotated[int, Lost("step")]
    reason: str
    bids: dict[PlayerName, int]
    roll: Roll | None = None


TOLD: dict[str, Any] = {
    "event": "fell-back",
    "rule": "1",
    "at": "red player turn",
    "player": "red",
    "against": "blue",
    "units": ["a", "b"],
    "origin": "0101",
    "path": ["0102", "0103", "0102"],
    "goal": "0104",
    "lost": 2,
    "reason": "green",
    "bids": {"green": 1},
}


def test_players_places_and_units_are_those_of_declared_fields_and_no_others() -> None:
    said = meaning(FellBack, TOLD)
    assert said.players == ("red", "blue", "green") and said.units == ("a", "b")
    assert said.places == ("0101", "0102", "0103", "0104") and said.here == ()
    assert (said.origins, said.way, said.goals) == (("0101",), ("0102", "0103", "0102"), ("0104",))
    assert said.tells == ("retreat", "loss")
    assert meaning(FellBack, {**TOLD, "player": "", "against": ""}).players == ("green",)


def test_losses_are_what_the_class_costs_and_what_its_fields_say() -> None:
    assert meaning(FellBack, TOLD).losses == {"block": 1, "step": 2}
    assert meaning(FellBack, {**TOLD, "lost": 0}).losses == {"block": 1}


def test_who_bears_the_losses_and_who_threw_can_be_said() -> None:
    @event(rule="1", to="public")
    class Fought(Event):
        attacker: PlayerName
        defender: Loser
        firing: Thrower
        lost: Losses

    told = {"attacker": "red", "defender": "blue", "firing": "red", "lost": {"step": 3, "unit": 0}}
    said = meaning(Fought, told)
    assert said.losers == ("blue",) and said.throwers == ("red",) and said.losses == {"step": 3}


def test_a_text_put_together_of_parts_is_read_by_its_declared_form() -> None:
    @event(rule="1", to="public")
    class Left(Event):
        block: Annotated[str, Phrase("{player} {type} {letter}")]
        moves: tuple[Annotated[str, Phrase("{unit} to {to}")], ...]

    said = meaning(Left, {"block": "red AR a", "moves": ["U-1D to 0507", "hello"]})
    assert said.players == ("red",) and said.units == ("U-1D",) and said.goals == ("0507",)


def test_of_a_text_put_together_each_name_is_one_word_and_the_last_all_that_is_left() -> None:
    @event(rule="1", to="public")
    class Went(Event):
        move: Annotated[str, Phrase("{unit} to {place}")]

    assert meaning(Went, {"move": "U-1D to Fort Ash"}).here == ("Fort Ash",)
    assert meaning(Went, {"move": "the U-1D to Fort Ash"}) == Meaning()
    assert meaning(Went, {"move": "U-1D to "}) == Meaning()


def test_a_capture_is_a_mapping_or_a_place_with_who_held_it_before_and_after() -> None:
    @event(rule="1", to="public", tells="capture")
    class Changed(Event):
        hex: Place
        before: Before
        now: After

    @event(rule="1", to="public")
    class Taken(Event):
        taken: tuple[Capture, ...]

    @event(rule="1", to="public", tells="capture")
    class Took(Event):
        player: PlayerName
        hex: Place

    wanted = (Capture("0101", "red", "blue"),)
    assert meaning(Changed, {"hex": "0101", "before": "red", "now": "blue"}).captures == wanted
    as_mapping = {"taken": [{"place": "0101", "before": "red", "after": "blue"}]}
    assert meaning(Taken, as_mapping).captures == wanted
    assert meaning(Taken, as_mapping).players == ("red", "blue") and meaning(Taken, as_mapping).here
    assert meaning(Took, {"hex": "0101", "player": "blue"}).captures == (Capture("0101", "", "blue"),)


def test_declarations_do_not_change_the_json_of_an_event() -> None:
    @event(rule="1", to="public", tells="move", costs={"step": 1})
    class Went(Event):
        player: PlayerName
        in_: Place
        blocks: Count

    assert Went("red", "0101", 2).as_json() == {
        "event": "went", "rule": "1", "player": "red", "in": "0101", "blocks": 2
    }  # fmt: skip


@pytest.mark.parametrize("name", ["event", "rule", "at", "to", "kind", "tells", "costs", "as_json", "at_"])
def test_an_event_with_a_reserved_field_is_refused_when_it_is_made(name: str) -> None:
    with pytest.raises(TypeError, match=f"event Odd: no field may be called '{name}'"):
        event(rule="1")(type("Odd", (Event,), {"__annotations__": {name: str}}))


@pytest.mark.parametrize("name", ["kind", "rule", "answer", "secrecy", "subject", "options", "facts"])
def test_a_decision_with_a_reserved_field_is_refused_when_it_is_made(name: str) -> None:
    with pytest.raises(TypeError, match=f"decision Odd: no field may be called '{name}'"):
        annotations = {"player": str, name: str}
        decision("odd", rule="1", answer=int)(type("Odd", (Decision,), {"__annotations__": annotations}))


# ---- foreign data, and the parts of types ---------------------------------------------------------------


@event(rule="1", to="public", tells="move")
class Many(Event):
    player: PlayerName
    near: Annotated[str, Means("place"), Means("place", "from")]
    pair: tuple[PlayerName, int]
    several: tuple[PlayerName, ...]
    blocks: Count
    more: Count
    lost: Annotated[int, Lost("step")]
    losses: Losses
    taken: tuple[Capture, ...]
    plain: dict[str, str]


def test_what_is_not_of_its_declared_type_means_nothing() -> None:
    odd = {
        "player": 7,
        "near": ["0101"],
        "pair": "red",
        "several": {"red": 1},
        "blocks": True,
        "lost": "2",
        "losses": [["step", 2]],
        "taken": [{"place": 1, "before": "red", "after": "blue"}, "0101"],
    }
    assert meaning(Many, odd) == Meaning(tells=("move",), players=("red", "blue"), losers=("red", "blue"))
    assert meaning(Many, {"losses": {"step": "2", "unit": True, "block": 1}}).losses == {"block": 1}
    assert meaning(None, TOLD) == Meaning()


def test_of_several_marks_the_last_counts() -> None:
    said = meaning(Many, {"near": "0101"})
    assert said.origins == ("0101",) and said.here == ()


def test_each_member_of_a_tuple_has_its_own_type_and_of_counts_the_first_is_taken() -> None:
    said = meaning(Many, {"pair": ["red", 3], "several": ["blue", "red"], "blocks": 2, "more": 5, "lost": 1})
    assert said.players == ("red", "blue") and said.count == 2 and said.losses == {"step": 1}
    assert meaning(Many, {"plain": {"red": "blue"}}).players == ()


def test_a_capture_that_is_told_is_not_made_up_again() -> None:
    @event(rule="1", to="public", tells="capture")
    class Taken(Event):
        hex: Place
        taken: tuple[Capture, ...]

    told = {"hex": "0101", "taken": [{"place": "0202", "before": "", "after": "red"}]}
    assert meaning(Taken, told).captures == (Capture("0202", "", "red"),)

    @event(rule="1", to="public")
    class Stood(Event):
        hex: Place
        player: PlayerName

    assert meaning(Stood, {"hex": "0101", "player": "red"}).captures == ()


@event(rule="1", to="public", tells="loss")
class Worn(Event):
    attacker: Attacker
    owner: PlayerName
    lost: Annotated[int, Lost("step")]


def test_who_is_named_plainly_loses_and_not_who_attacked() -> None:
    said = meaning(Worn, {"event": "worn", "attacker": "red", "owner": "blue", "lost": 1})
    assert (said.losers, said.players) == (("blue",), ("red", "blue"))
    alone = meaning(Worn, {"event": "worn", "attacker": "red", "lost": 1})
    assert alone.losers == ("red",), "where nobody else is named"
