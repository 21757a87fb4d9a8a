"""Static data of a game: map, atlas of the rules, powers, and the names that orders may use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

from pbem.board.map import GameMap
from pbem.kit.chart import Chart
from pbem.kit.faults import bad_data, refuse
from pbem.rules import Board, Diagnostic, Message, dataclass

from .atlas import Atlas, Province, Terrain, coast_of, province_of
from .spelling import Spelling, cleaned, plain

Data = Mapping[str, Any]
TERRAINS = ("inland", "coast", "sea")


@dataclass(frozen=True)
class Centre:
    """A supply centre, and the power whose home it is (None: no power's)."""

    hex: str
    home: str | None = None


class World(Chart):
    """Map and powers of one scenario."""

    def __init__(self, map: GameMap, scenario: Data, spelling: Spelling) -> None:
        super().__init__(map)
        self.spelling = spelling
        self.powers: tuple[str, ...] = tuple(scenario["seats"])
        self.first_year, self.to_win = int(scenario["first_year"]), int(scenario["to_win"])
        centres = self.places_of("centre", Centre)
        names = {id: map.name(i) or id for id, i in self.index.items()}
        borders = scenario["borders"]
        coasts = _coasts(borders)
        self.atlas = Atlas(
            {
                id: Province(
                    id,
                    names[id],
                    cast(Terrain, self.terrain[id]),
                    coasts.get(id, ()),
                    id in centres,
                    centres[id].home if id in centres else None,
                )
                for id in self.locations
            },
            borders,
        )
        self._aliases = scenario.get("aliases", {})
        refuse(self._faults())

    def _faults(self) -> list[Diagnostic]:
        wrong = [bad_data("bad-border", message, "borders") for message in self.atlas.faults()]
        for id in self._aliases:
            if id not in self.index:
                message = Message("diplomacy.atlas.no-province", place=id)
                wrong.append(bad_data("bad-alias", message, "aliases", id, name=id, names=self.index))
        return wrong

    @cached_property
    def names(self) -> dict[str, str]:
        """7.2: Return the province of each word: ids, names and aliases, in small letters."""
        names: dict[str, str] = {}
        for id in self.locations:
            for word in (id, self.atlas.provinces[id].name, *self._aliases.get(id, ())):
                names.setdefault(" ".join(cleaned(plain(word)).replace("-", " ").split()), id)
        return names

    @cached_property
    def hyphened(self) -> tuple[str, ...]:
        """7.2: Return the names and aliases with their own hyphen, the longest first."""
        aliases = (word for words in self._aliases.values() for word in words)
        words = (cleaned(plain(word)) for word in (*self.atlas_names, *aliases))
        return tuple(sorted({word for word in words if "-" in word}, key=lambda word: (-len(word), word)))

    @property
    def atlas_names(self) -> tuple[str, ...]:
        """Return the names of all provinces."""
        return tuple(self.name(id) for id in self.locations)

    def name(self, id: str) -> str:
        """Return the name of a province."""
        return self.atlas.provinces[id].name


def _coasts(borders: Data) -> dict[str, tuple[str, ...]]:
    """Return the coasts of provinces with several, as the borders name them."""
    named: dict[str, set[str]] = {}
    for kind in borders.values():
        for start, others in kind.items():
            for node in (start, *others):
                if coast := coast_of(node):
                    named.setdefault(province_of(node), set()).add(coast)
    return {id: tuple(sorted(coasts)) for id, coasts in sorted(named.items())}


def world_of(board: Board) -> World:
    """Return the world of a board."""
    assert isinstance(board.world, World)
    return board.world


def build_world(system: Any, scenario: Data, options: Data) -> World:
    """Return the world of a scenario. Raises `Refused` with all faults of the map."""
    chart = GameMap.from_data(
        {**scenario["map"], "links": {"border": {"far": True, "chains": _chains(scenario["borders"])}}},
        legend={},
        terrains=TERRAINS,
        links=("border",),
        places=("centre",),
        layers=("province",),
        path=("map",),
    )
    return World(chart, scenario, Spelling(system.data("spellings.yaml")))


def _chains(borders: Data) -> list[Any]:
    """Return each border once, as links of the map."""
    pairs = {
        tuple(sorted((province_of(start), province_of(end))))
        for kind in borders.values()
        for start, others in kind.items()
        for end in others
    }
    return [list(pair) for pair in sorted(pairs)]
