"""2.6, 5.14: Cards, events and victory of a scenario as typed data, with all faults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.board.map import GameMap
from pbem.kit.effects import ALWAYS, Effect, Predicate
from pbem.kit.faults import bad_data
from pbem.rules import Diagnostic, Message, Refused

from .printed import FIRST_DIE, LAST_DIE, STRATEGIC, Due
from .verbs import WORDS
from .world import (
    COLOURS,
    LINKS,
    TABLES,
    Automatic,
    Band,
    Card,
    Conditional,
    CsvRow,
    Data,
    Happening,
    Season,
    World,
)

DataPath = tuple[str | int, ...]
CSV = ("n", "each", "when")
KINDS = ("infantry", "armor", "any")
CARD = (
    "title",
    "colour",
    "type",
    "no_repeat_type",
    "once_per_year",
    "requires",
    "segment_actions",
    "replacements",
    "political_events",
    "conditional_events",
)


def condition_at(world: World, data: Any, path: DataPath, faults: list[Diagnostic]) -> Predicate:
    """Read a predicate of a scenario, and add its faults to `faults`."""
    try:
        return WORDS.predicate_of(data, path, world)
    except Refused as refused:
        faults += refused.diagnostics
        return ALWAYS


def effects_at(world: World, data: Any, path: DataPath, faults: list[Diagnostic]) -> tuple[Effect, ...]:
    """Read a list of effects of a scenario, and add their faults to `faults`."""
    try:
        return WORDS.effects_of(data if data is not None else [], path, world)
    except Refused as refused:
        faults += refused.diagnostics
        return ()


def _steps(world: World, data: Any, path: DataPath, faults: list[Diagnostic]) -> tuple[Due, ...]:
    steps = []
    for n, row in enumerate(data or ()):
        shape = isinstance(row, list) and [type(item) for item in row] == [str, str, int]
        if not shape or row[0] not in world.countries or row[1] not in KINDS:
            wanted = Message("totaler-krieg.reading.country-number", kinds=" or ".join(KINDS))
            faults.append(
                bad_data(
                    "bad-replacement",
                    Message("totaler-krieg.reading.bad-replacement", row=str(row), wanted=wanted),
                    *path,
                    n,
                )
            )
            continue
        steps.append(Due(*row))
    return tuple(steps)


def _names(data: Any, known: Mapping[str, Any], path: DataPath, faults: list[Diagnostic]) -> tuple[str, ...]:
    for n, name in enumerate(data or ()):
        if name not in known:
            message = Message("totaler-krieg.reading.unknown-event", name=name)
            faults.append(bad_data("unknown-event", message, *path, n, name=str(name), names=known))
    return tuple(data or ())


def _type(world: World, scenario: Data, name: Any, path: DataPath, faults: list[Diagnostic]) -> str:
    """2.6: Return the type of a card, one of the table or one that the scenario adds."""
    known = (*world.limits["cards"]["types"], *scenario.get("card_types", ()))
    if name is not None and name not in known:
        message = Message("totaler-krieg.reading.bad-type", name=str(name), known=known)
        faults.append(bad_data("bad-type", message, *path, name=str(name), names=known))
    return name or ""


def _flag(row: Data, key: str, path: DataPath, faults: list[Diagnostic]) -> bool:
    """2.6: Return a flag of a card. Words other than true and false are faults."""
    value = row.get(key, False)
    if not isinstance(value, bool):
        message = Message("totaler-krieg.reading.bad-flag", value=str(value))
        faults.append(bad_data("bad-flag", message, *path, key))
    return value is True


def read_cards(world: World, scenario: Data, faults: list[Diagnostic]) -> dict[str, Card]:
    """Read the option cards of all factions."""
    cards: dict[str, Card] = {}
    for owner, deck in scenario.get("decks", {}).items():
        if owner not in world.factions:
            message = Message("totaler-krieg.reading.no-faction", owner=owner)
            faults.append(
                bad_data("unknown-faction", message, "decks", owner, name=owner, names=world.factions)
            )
        for id, row in deck.items():
            path = ("decks", owner, id)
            for key in row:
                if key not in CARD:
                    faults.append(
                        bad_data(
                            "unknown-key",
                            Message("totaler-krieg.reading.found-key", key=key),
                            *path,
                            key,
                            name=key,
                            names=CARD,
                        )
                    )
            colour = row.get("colour", "red")
            if colour not in COLOURS:
                message = Message("totaler-krieg.reading.bad-colour", colour=colour, colours=tuple(COLOURS))
                faults.append(
                    bad_data("bad-colour", message, *path, "colour", name=str(colour), names=COLOURS)
                )
            cards[id] = Card(
                id,
                owner,
                row.get("title", id),
                colour,
                _type(world, scenario, row.get("type"), (*path, "type"), faults),
                _flag(row, "no_repeat_type", path, faults),
                _flag(row, "once_per_year", path, faults),
                condition_at(world, row.get("requires"), (*path, "requires"), faults),
                effects_at(world, row.get("segment_actions"), (*path, "segment_actions"), faults),
                _steps(world, row.get("replacements"), (*path, "replacements"), faults),
                _names(
                    row.get("political_events"),
                    scenario.get("political_events", {}),
                    (*path, "political_events"),
                    faults,
                ),
                _names(
                    row.get("conditional_events"),
                    scenario.get("conditional_events", {}),
                    (*path, "conditional_events"),
                    faults,
                ),
            )
    return cards


def faces_of(text: str) -> tuple[int, ...]:
    """Return the faces of a die that a key such as "3" or "2-6" names."""
    low, _, high = text.partition("-")
    if not low.isdigit() or (high and not high.isdigit()):
        return ()
    return tuple(range(int(low), int(high or low) + 1))


def read_tables(world: World, scenario: Data, faults: list[Diagnostic]) -> dict[str, Happening]:
    """Read political events and tables, the effects by the face of the die."""
    tables: dict[str, Happening] = {}
    for id, row in scenario.get("political_events", {}).items():
        path = ("political_events", id)
        results: dict[int, tuple[Effect, ...]] = {}
        for key, data in row.get("results", {}).items():
            faces = faces_of(str(key))
            if not faces or faces[0] < FIRST_DIE or faces[-1] > LAST_DIE:
                message = Message("totaler-krieg.reading.bad-faces", key=key)
                faults.append(bad_data("bad-faces", message, *path, "results", str(key)))
                continue
            effects = effects_at(world, data, (*path, "results", str(key)), faults)
            results |= dict.fromkeys(faces, effects)
        missing = [n for n in range(FIRST_DIE, LAST_DIE + 1) if n not in results]
        if missing:
            listed = ", ".join(map(str, missing))
            faults.append(
                bad_data(
                    "missing-faces",
                    Message("totaler-krieg.reading.missing-faces", id=id, listed=listed),
                    *path,
                    "results",
                )
            )
        tables[id] = Happening(id, results, row.get("title", ""))
    return tables


def read_conditional(world: World, scenario: Data, faults: list[Diagnostic]) -> dict[str, Conditional]:
    """Read the conditional events of the scenario."""
    events = {}
    for id, row in scenario.get("conditional_events", {}).items():
        path = ("conditional_events", id)
        if row.get("faction") not in world.factions:
            message = Message("totaler-krieg.reading.no-faction", owner=row.get("faction"))
            faults.append(bad_data("unknown-faction", message, *path, "faction", names=world.factions))
        events[id] = Conditional(
            id,
            row.get("faction", ""),
            condition_at(world, row.get("when"), (*path, "when"), faults),
            bool(row.get("once", False)),
            effects_at(world, row.get("effects"), (*path, "effects"), faults),
            row.get("title", ""),
        )
    return events


def read_seasons(world: World, scenario: Data, faults: list[Diagnostic]) -> tuple[Season, ...]:
    """4.4: Read additional seasonal replacements."""
    return tuple(
        Season(
            row["faction"],
            condition_at(world, row.get("when"), ("additional_replacements", n, "when"), faults),
            _steps(world, row.get("steps"), ("additional_replacements", n, "steps"), faults),
        )
        for n, row in enumerate(scenario.get("additional_replacements", ()))
    )


def read_csv(world: World, scenario: Data, faults: list[Diagnostic]) -> tuple[CsvRow, ...]:
    """4.1: Read the scenario's additions to the victory value."""
    rows = []
    known = {id: printed for id, printed in world.prints.items() if printed.type == STRATEGIC}
    for n, row in enumerate(scenario.get("csv_modifiers", ())):
        path: DataPath = ("csv_modifiers", n)
        for key in row:
            if key not in CSV:
                faults.append(
                    bad_data(
                        "unknown-key",
                        Message("totaler-krieg.reading.found-key", key=key),
                        *path,
                        key,
                        name=key,
                        names=CSV,
                    )
                )
        if not isinstance(row.get("n"), int):
            faults.append(bad_data("missing-key", Message("totaler-krieg.reading.missing-key"), *path, "n"))
            continue
        each = tuple(row.get("each", ()))
        for at, id in enumerate(each):
            if id not in known:
                message = Message("totaler-krieg.reading.unknown-counter", id=id)
                faults.append(
                    bad_data("unknown-counter", message, *path, "each", at, name=str(id), names=known)
                )
        when = condition_at(world, row.get("when"), (*path, "when"), faults)
        rows.append(CsvRow(row["n"], each, when))
    return tuple(rows)


def read_victory(
    world: World, scenario: Data, faults: list[Diagnostic]
) -> tuple[tuple[Automatic, ...], tuple[Band, ...]]:
    """4.1, 4.23: Read automatic victory and the bands of the end."""
    data = scenario.get("victory", {})
    automatic = tuple(
        Automatic(
            row["winner"], condition_at(world, row["when"], ("victory", "automatic", n, "when"), faults)
        )
        for n, row in enumerate(data.get("automatic", ()))
    )
    final = tuple(
        Band(
            row["result"],
            condition_at(world, row["when"], ("victory", "final", n, "when"), faults),
            tuple(row.get("shared_by", ())),
            row.get("of", ""),
        )
        for n, row in enumerate(data.get("final", ()))
    )
    return automatic, final


def _declarations(world: World, scenario: Data, faults: list[Diagnostic]) -> dict[tuple[str, str], Predicate]:
    """4.10: Return the conditions for declarations of war, by faction and country."""
    return {
        (faction, id): condition_at(world, data, ("countries", id, "may_declare", faction), faults)
        for id, country in world.countries.items()
        for faction, data in country.may_declare.items()
    }


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """Build everything static of a scenario.

    A faulty map, card or order of battle is refused with all faults.
    """
    tables = {name: system.data(f"tables/{name}.yaml") for name in TABLES}
    terrain = tables["terrain"]
    sides = [kind for kind in terrain["hexside"] if not kind.startswith("beachhead")]
    chart = GameMap.from_data(
        scenario["map"],
        terrains=terrain["hex"],
        hexsides=[kind for kind in sides if kind != "plain"],
        links=LINKS,
        places=("settlement", "port", "limited", "strategic"),
        layers=("zone", "country", "weather", "off"),
        path=("map",),
    )
    world = World(chart, scenario, tables, options)
    _read_words(world, scenario)
    return world


def _read_words(world: World, scenario: Data) -> None:
    """Read cards, events and victory, which are written in verbs and conditions."""
    faults: list[Diagnostic] = []
    world.cards = {}
    world.tables_of_events = {}
    world.conditional = {}
    world.cards = read_cards(world, scenario, faults)
    world.tables_of_events = read_tables(world, scenario, faults)
    world.conditional = read_conditional(world, scenario, faults)
    world.seasons = read_seasons(world, scenario, faults)
    world.csv_rows = read_csv(world, scenario, faults)
    world.automatic, world.final = read_victory(world, scenario, faults)
    world.may_declare = _declarations(world, scenario, faults)
    if faults:
        raise Refused(faults)
