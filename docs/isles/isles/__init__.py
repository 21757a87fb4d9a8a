"""Isles: two fleets, five isles, cards; nobody sees the guns of the other's ships before they meet."""

from pbem.board.map import GameMap
from pbem.kit.decks import deck_facts, decks_seen
from pbem.kit.hidden import Hidden
from pbem.rules import System, to_json

from .rules import State, contested

HIDDEN = Hidden(
    shown={"ships": len},  # what everybody sees of a stack: how many
    stand_ins=lambda isle, owner, shown: [
        (f"{owner}-{isle}-{n}", {"guns": 3}) for n in range(shown["ships"])
    ],
    public=("turn", "bonus", "winner"),
)


def world(system, scenario, options):
    return GameMap.from_data(scenario["map"], legend={}, terrains=["shore"], links=["lane"], layers=["isle"])


def facts(game):
    yield from HIDDEN.facts(game)
    yield from deck_facts(State.of(game).decks)


def view(known, player, world):
    seen = HIDDEN.view(known, player, world)
    seen.tracks["decks"] = to_json(decks_seen(known))
    return seen


def invariants(game):
    """4.0 Ships of both sides never lie at one isle when a player's turn is over."""
    return [f"both sides lie at {isle}" for isle in contested(game)]


SYSTEM = System(
    "isles",
    __name__,
    "1",
    1,
    modules=["isles.rules"],
    title="Isles",
    hidden=True,
    world_hook=world,
    map_hook=lambda world: world,
    facts_hook=facts,
    view_hook=view,
    invariants_hook=invariants,
)
