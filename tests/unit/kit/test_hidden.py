"""Hidden stacks: what is shown is what everybody may see, and the view of a player is made of it alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.board.position import Fields, Position
from pbem.kit.hidden import Hidden, Stack
from pbem.model.facts import may_know
from pbem.text.canonical import Json

SIDES = {"red": ("pink", "red"), "pink": ("pink", "red"), "blue": ("blue",)}


def shown_up(stack: Stack) -> Json:
    return [fields["type"] for _, fields in sorted(stack.items()) if fields.get("up")] or None


def stand_ins(place: str, owner: str, shown: Mapping[str, Json]) -> Iterator[tuple[str, Fields]]:
    count = shown["blocks"]
    assert isinstance(count, int)
    for n in range(count):
        yield f"?{owner}-{place}-{n}", {"type": "?"}


HIDDEN = Hidden(
    shown={"blocks": len, "face-up": shown_up},
    stand_ins=stand_ins,
    public=("turn",),
    own=("plan",),
    owned_by={
        "spans": lambda game, id: (
            game.position.counters[id]["owner"] if id in game.position.counters else None
        )
    },
    seen=lambda fields: fields["type"] == "marker",
)

COUNTER = st.fixed_dictionaries(
    {
        "owner": st.sampled_from(sorted(SIDES)),
        "type": st.sampled_from(["tank", "foot", "marker"]),
        "hex": st.sampled_from(["0101", "0102", None]),
        "up": st.booleans(),
        "steps": st.integers(1, 3),
    }
)
POSITIONS = st.dictionaries(st.sampled_from("abcdefgh"), COUNTER)


def game(counters: Mapping[str, Any], tracks: Mapping[str, Any] | None = None, *, hidden: bool = True) -> Any:
    return SimpleNamespace(
        position=Position(counters, tracks or {}),
        tracks=tracks or {},
        system=SimpleNamespace(hidden=hidden),
        friends=lambda player: SIDES[player],
        powers=("blue", "red", "pink"),
        seat=lambda power: power,
    )


def known(facts: Any, player: str) -> dict[str, Json]:
    return {fact.key: fact.value for fact in facts if may_know(fact.audience, player)}


@given(POSITIONS, st.sampled_from(sorted(SIDES)))
def test_a_view_has_the_counters_of_friends_and_as_many_strangers_as_there_are(
    counters: dict[str, Any], player: str
) -> None:
    view = HIDDEN.view(known(HIDDEN.facts(game(counters)), player), player, None)
    for id, fields in counters.items():
        if fields["owner"] in SIDES[player] or fields["type"] == "marker":
            assert view.counters[id] == fields
        else:
            assert id not in view.counters
    for place in ("0101", "0102"):
        there = [f for f in counters.values() if f["hex"] == place]
        assert sorted(str(view.counters[id]["owner"]) for id in view.at(place)) == sorted(
            f["owner"] for f in there
        )


@given(POSITIONS, st.sampled_from("abcdefgh"), st.sampled_from(sorted(SIDES)))
def test_what_an_enemy_counter_hides_changes_nothing_that_a_player_knows(
    counters: dict[str, Any], id: str, player: str
) -> None:
    if id not in counters or counters[id]["owner"] in SIDES[player] or counters[id]["type"] == "marker":
        return
    other = {**counters, id: {**counters[id], "steps": 9}}
    assert known(HIDDEN.facts(game(counters)), player) == known(HIDDEN.facts(game(other)), player)


def test_tracks_are_public_or_their_owners_or_the_gms() -> None:
    counters = {"a": {"owner": "red", "type": "tank"}, "b": {"owner": "blue", "type": "tank"}}
    tracks = {"turn": 3, "plan": {"red": [1], "blue": [2]}, "secret": 7, "spans": {"a": 1, "b": 2, "gone": 3}}
    facts = list(HIDDEN.facts(game(counters, tracks)))
    assert HIDDEN.view(known(facts, "red"), "red", None).tracks == {
        "turn": 3,
        "plan": {"red": [1]},
        "spans": {"a": 1},
    }
    assert HIDDEN.view(known(facts, "blue"), "blue", None).tracks["spans"] == {"b": 2}
    assert "track/secret" in {fact.key for fact in facts}


def test_without_hidden_units_everything_is_public() -> None:
    counters = {"a": {"owner": "red", "type": "tank", "hex": "0101"}}
    facts = list(HIDDEN.facts(game(counters, {"secret": 7, "plan": {"red": 1}}, hidden=False)))
    assert known(facts, "blue") == {"counter/a": counters["a"], "track/secret": 7, "track/plan": {"red": 1}}
    assert HIDDEN.view(known(facts, "blue"), "blue", None).counters == counters


def test_who_runs_a_power_knows_what_is_its_own() -> None:
    counters = {
        "a": {"owner": "italy", "type": "tank", "hex": "0101"},
        "n": {"owner": "nobody", "type": "marker"},
    }
    here = game(counters, {"plan": {"italy": [1]}})
    here.powers, here.seat = ("italy",), lambda power: "red"
    here.friends = lambda player: SIDES.get(player, (player,))
    facts = list(HIDDEN.facts(here))
    assert known(facts, "red")["track/plan/italy"] == [1]
    assert "counter/a" in known(facts, "pink") and "counter/a" not in known(facts, "blue")
