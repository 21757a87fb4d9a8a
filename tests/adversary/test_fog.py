"""The fog filter (`kit.hidden`) under attack: for a made-up system, and for every system that hides units.

Whatever a player may not know is marked. No fact that he may know bears a mark, nor does his view; and since
he knows the same with and without the marks, his view has the same bytes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.board.position import Fields, Position
from pbem.bot.answers import answer
from pbem.bot.games import stages
from pbem.engine import system as systems
from pbem.engine.adjudicate import game_of
from pbem.engine.game import Game
from pbem.engine.installed import entry_points
from pbem.kit.hidden import Hidden, Seen, Stack, Told
from pbem.model.facts import Fact, may_know
from pbem.text.canonical import Json

MARK = "not for your eyes"


def known(facts: Iterator[Fact] | list[Fact], player: str | None) -> dict[str, Json]:
    return {fact.key: fact.value for fact in facts if may_know(fact.audience, player)}


def bytes_of(view: Position) -> bytes:
    """The view as it is, in the order in which it came about."""
    return json.dumps([dict(view.counters), dict(view.tracks)]).encode()


# a made-up system, with everything that the filter can do

SIDES = {"red": ("pink", "red"), "pink": ("pink", "red"), "blue": ("blue",)}
PLAYERS = st.sampled_from(sorted(SIDES))


def tops(game: Game, hidden: bool) -> Iterator[Told]:
    """How many lie in a hex for everybody; to an owner which of his own lies on top."""
    stacks: dict[tuple[str, str], list[str]] = {}
    for id, fields in sorted(game.position.counters.items()):
        if fields["hex"] is not None and hidden:
            stacks.setdefault((str(fields["hex"]), str(fields["owner"])), []).append(id)
    for (hex, owner), ids in stacks.items():
        yield Told("height", f"{hex}/{owner}", len(ids))
        yield Told("top", f"{hex}/{owner}", ids[0], owner)


def note_tops(seen: Seen) -> None:
    seen.tracks["tops"] = {"/".join(words): value for words, value in seen.told("top")}


def count_of(stack: Stack) -> Json:
    return len(stack)


def strangers(place: str, owner: str, shown: Mapping[str, Json]) -> Iterator[tuple[str, Fields]]:
    yield from ((f"?{owner}-{place}-{n}", {"type": "?"}) for n in range(int(str(shown["blocks"]))))


MADE_UP = Hidden(
    public=("turn",),
    shown={"blocks": count_of},
    stand_ins=strangers,
    own=("plan",),
    owned_by={"orders": lambda game, id: str(game.position.counters[id]["owner"])},
    parts={"stores": lambda game, value: {str(one["owner"]): [one] for one in value}},
    told=tops,
    instead=("deck",),
    fill=note_tops,
    seen=lambda fields: fields["type"] == "marker",
)

COUNTER = st.fixed_dictionaries(
    {
        "owner": PLAYERS,
        "type": st.sampled_from(["tank", "foot", "marker"]),
        "hex": st.sampled_from(["0101", "0102", None]),
    }
)


@st.composite
def games(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """Counters and tracks of a game."""
    counters: dict[str, Any] = draw(st.dictionaries(st.sampled_from("abcdef"), COUNTER))
    owners = draw(st.lists(PLAYERS, max_size=3, unique=True))
    tracks = {
        "turn": 3,
        "plan": dict.fromkeys(owners, "plan"),
        "orders": dict.fromkeys(counters, "go"),
        "stores": [{"owner": owner, "t": "some"} for owner in owners],
        "deck": "cards",
        "new": "nobody has said who knows it",
    }
    return counters, tracks


def marked(counters: dict[str, Any], tracks: dict[str, Any], player: str) -> tuple[Any, Any]:
    """The same game with a mark on everything that a player may not know."""
    friends = SIDES[player]
    strange = {id for id, f in counters.items() if f["owner"] not in friends and f["type"] != "marker"}
    hidden = {id: {**f, "steps": MARK} if id in strange else f for id, f in counters.items()}
    return hidden, tracks | {
        "plan": {owner: plan if owner == player else MARK for owner, plan in tracks["plan"].items()},
        "orders": {
            id: order if counters[id]["owner"] == player else MARK for id, order in tracks["orders"].items()
        },
        "stores": [s if s["owner"] == player else {**s, "t": MARK} for s in tracks["stores"]],
        "deck": MARK,
        "new": MARK,
    }


def made_up(counters: Any, tracks: Any) -> Any:
    return SimpleNamespace(
        position=Position(counters, tracks),
        tracks=tracks,
        system=SimpleNamespace(hidden=True),
        friends=lambda player: SIDES[player],
        powers=tuple(SIDES),
        seat=lambda power: power,
    )


@given(games(), PLAYERS, st.randoms(use_true_random=False))
def test_no_view_of_a_made_up_game_holds_what_its_reader_may_not_know(
    game: tuple[Any, Any], player: str, chance: random.Random
) -> None:
    plain = known(MADE_UP.facts(made_up(*game)), player)
    attacked = known(MADE_UP.facts(made_up(*marked(*game, player))), player)
    assert MARK not in str(attacked)
    assert attacked == plain
    view = bytes_of(MADE_UP.view(plain, player, None))
    assert MARK.encode() not in view and b"new" not in view
    listed = list(attacked.items())
    chance.shuffle(listed)
    assert bytes_of(MADE_UP.view(dict(listed), player, None)) == view, "the order of facts tells something"


@given(games(), PLAYERS)
def test_a_view_of_a_made_up_game_holds_all_that_its_reader_may_know(
    game: tuple[Any, Any], player: str
) -> None:
    counters, tracks = game
    view = MADE_UP.view(known(MADE_UP.facts(made_up(*game)), player), player, None)
    own = {id: f for id, f in counters.items() if f["owner"] in SIDES[player] or f["type"] == "marker"}
    assert {id: f for id, f in view.counters.items() if not id.startswith("?")} == own
    assert view.tracks["plan"] == {owner: p for owner, p in tracks["plan"].items() if owner == player}
    assert view.tracks["orders"] == {id: "go" for id, f in counters.items() if f["owner"] == player}
    assert view.tracks.get("stores", []) == [s for s in tracks["stores"] if s["owner"] == player]


@given(games())
def test_an_outsider_knows_what_everybody_knows(game: tuple[Any, Any]) -> None:
    told = known(MADE_UP.facts(made_up(*game)), None)
    shown = {"counter", "blocks", "height", "track"}
    assert {key.split("/")[0] for key in told} <= shown
    assert all(f["type"] == "marker" for key, f in told.items() if key.startswith("counter/"))
    assert {key for key in told if key.startswith("track/")} == {"track/turn"}


# every system that hides units

FOGS: dict[str, tuple[str, dict[str, Any]]] = {
    "victory": ("sarn_strait", {}),
    "wbts": ("marl_crossings", {"limited_intelligence": True}),
    "ocs": ("crossing_the_tol", {"fow": "gm"}),
    "totaler-krieg": ("lodestar", {}),
}


def positions(name: str, seed: str) -> Iterator[Game]:
    """Positions of a random game."""
    scenario, options = FOGS[name]
    system = systems.find(name)
    for stage in islice(stages(system, scenario, options, seed, answer), 0, 12, 3):
        state = stage.outcome.state
        yield game_of(system.as_played(state.options), state, stage.outcome.position)


def test_every_system_that_hides_units_is_attacked() -> None:
    hiding = {name for name in entry_points("pbem.systems") if systems.find(name).hidden}
    # what `diplomacy` hides are ballots: tests/unit/archive/test_ballots.py
    assert hiding - {"diplomacy"} == set(FOGS)


@pytest.mark.parametrize("name", FOGS)
def test_no_view_holds_what_its_reader_may_not_know(name: str) -> None:
    """A mark on each counter that he may not know, and a track that nobody has named."""
    marks = 0
    for game in positions(name, "fog"):
        assert game.system.hidden
        for player in game.players:
            facts = list(game.system.facts(game))
            plain = known(facts, player)
            view = game.system.view_position(plain, player, game.world)
            attacked = game.copy()
            for fact in facts:
                _, *words = fact.key.split("/")
                id = "/".join(words)
                if not may_know(fact.audience, player) and id in attacked.position.counters:
                    attacked.position.set(id, told_to_none=MARK)
                    marks += 1
            attacked.tracks["told_to_none"] = MARK
            told = known(game.system.facts(attacked), player)
            assert MARK not in str(told) and told == plain
            again = game.system.view_position(dict(reversed(told.items())), player, game.world)
            assert bytes_of(again) == bytes_of(view) and MARK.encode() not in bytes_of(again)
    assert marks, "this game hid nothing from anybody"
