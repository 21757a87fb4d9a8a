"""Isles: two fleets, five isles, cards; nobody sees the guns of the other's ships before they meet."""

from pbem.board.map import GameMap
from pbem.kit.decks import decks_seen, decks_told
from pbem.kit.hidden import Hidden
from pbem.rules import System, to_json

from .rules import State, contested


def told(game, hidden):
    yield from decks_told(State.of(game).decks)


def fill(seen):
    seen.tracks["decks"] = to_json(decks_seen(seen.known))


HIDDEN = Hidden(
    shown={"ships": len},  # what everybody sees of a stack: how many
    stand_ins=lambda isle, owner, shown: [
        (f"{owner}-{isle}-{n}", {"guns": 3}) for n in range(shown["ships"])
    ],
    public=("turn", "bonus", "winner"),
    told=told,  # what else is known: of the cards
    fill=fill,
)


def world(system, scenario, options):
    return GameMap.from_data(scenario["map"], legend={}, terrains=["shore"], links=["lane"], layers=["isle"])


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
    facts_hook=HIDDEN.facts,
    view_hook=HIDDEN.view,
    invariants_hook=invariants,
)
