"""Names of cards, countries and events in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.kit.effects import Effect
from pbem.rules import Game

from ..rules.background import in_words
from ..rules.pieces import world_of
from ..rules.world import World


def titles(game: Game) -> dict[str, str]:
    """Return the title of each card, country, political table and conditional event.

    An event without one is called by what it does, and when.
    """
    return dict(_titles(world_of(game)))


def _titles(world: World) -> Iterator[tuple[str, str]]:
    names = {country.id: country.title for country in world.countries.values()}
    yield from names.items()
    for zone in world.zones:
        yield zone, world.map.name(world.at(zone)) or zone
    for card in world.cards.values():
        yield card.id, card.title
    for table in world.tables_of_events.values():
        first = next((effects for _, effects in sorted(table.results.items()) if effects), ())
        yield table.id, table.title or _effects_in_words(world, names, first) or table.id
    for event in world.conditional.values():
        when = in_words(world, names, event.when.said(world.tables["verbs"]["when"]))
        done = _effects_in_words(world, names, event.effects)
        yield event.id, event.title or (f"{done}, if {when}" if done else event.id)


def _effects_in_words(world: World, names: dict[str, str], effects: Iterable[Effect]) -> str:
    texts = [in_words(world, names, effect.said(world.tables["verbs"]["effects"])) for effect in effects]
    return "; ".join(texts)
