"""D-00, D-02 to D-05: option cards, logistics, partisans, replacements (4.2 to 4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

from pbem.rules import (
    Decision,
    Diagnostic,
    Draft,
    Game,
    Growing,
    Headed,
    Message,
    Name,
    Next,
    Option,
    Part,
    Points,
    dataclass,
    decision,
    fact,
)

from ..background import Sayer, background
from ..cards import hand, selection_faults
from ..orders import Logistics, Partisan, Replacement
from ..pieces import T, piece, put, send, world_of
from ..stacking_check import stack_doubts
from ..supplying import (
    due_steps,
    locations,
    logistics_faults,
    markers_of,
    partisan_faults,
    replacement_faults,
    replacements_of,
    seasonal_steps,
    spend,
    step_for,
)


class Selecting:
    """A selection of cards, which stays secret until it is revealed."""

    player: str
    power: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option([], Message("totaler-krieg.season.no-card"))
        cards, said = sorted(hand(game, self.power)), Sayer(game)
        for size in range(1, int(world_of(game).limits["cards"]["most"]) + 1):
            for chosen in permutations(cards, size):
                titles = [_titled(game, id) for id in chosen]
                card = Headed(titles[0], tuple(said.card(said.world.cards[chosen[0]]))).message
                yield Option(list(chosen), card if size == 1 else ", then ".join(titles))

    def check(self, game: Game, answer: tuple[str, ...]) -> list[Diagnostic]:
        return selection_faults(game, self.power, answer)

    def beside(self, game: Game) -> Iterable[Headed]:
        """Return all that a choice of cards hangs on but the cards themselves, which the options describe."""
        return background(game, world_of(game).enemies(self.power))

    def default(self, game: Game) -> tuple[str, ...]:
        return ()

    def repair(self, game: Game, answer: tuple[str, ...]) -> tuple[str, ...]:
        """4.2: Return the cards as listed: what is wrong is found when it is revealed."""
        return answer

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


def _titled(game: Game, id: str) -> str:
    card = world_of(game).cards.get(id)
    return f"{id} {card.title}" if card else id


@decision("next-card", rule="4.2", answer=tuple[Name, ...], secrecy="sealed")
class NextCard(Selecting, Decision[tuple[str, ...]]):
    """D-00, D-02 Which cards lie face down for the next season, in order of preference?"""

    player: str
    power: str


@decision("face-down", rule="4.2", answer=tuple[Name, ...], secrecy="kept")
class FaceDown(Selecting, Decision[tuple[str, ...]]):
    """D-00, D-02 The same where nobody may see it, not even a game master."""

    player: str
    power: str
    number: int

    def subject(self) -> tuple[str | int, ...]:
        return (self.power, self.number)


@dataclass(frozen=True)
class SeasonPlan:
    """Logistics markers, partisan bases, replacements, in that order."""

    logistics: tuple[Logistics, ...] = ()
    partisans: tuple[Partisan, ...] = ()
    replacements: tuple[Replacement, ...] = ()


@dataclass(frozen=True)
class ReplacementWishes:
    """Counters in the order in which they are wanted, and hexes in the order in which they are filled."""

    counters: tuple[Name, ...] = ()
    hexes: tuple[Name, ...] = ()


@decision("season", rule="4.4", answer=SeasonPlan, standing=("replacements", ReplacementWishes))
class Season(Growing[SeasonPlan]):
    """D-03 to D-05 Which logistics markers, partisan bases and replacements are placed?"""

    player: str
    power: str

    def draft(self, game: Game) -> Draft[Any]:
        return _Planning(game, self.player, self.power)

    def default(self, game: Game) -> SeasonPlan:
        return SeasonPlan()

    def from_standing(self, game: Game, orders: list[ReplacementWishes]) -> SeasonPlan | None:
        return wished_plan(game, self.power, orders[0]) if orders else None

    def waits(self, game: Game) -> bool:
        """Return True if there is something to decide."""
        markers = [*markers_of(game, self.power, "logistics"), *markers_of(game, self.power, "partisan_base")]
        steps = (*due_steps(game, self.power), *seasonal_steps(game, self.power))
        return bool(markers or steps)

    @fact
    def turn(self, game: Game) -> int:
        return T.of(game).turn


def wished_plan(game: Game, power: str, wishes: ReplacementWishes) -> SeasonPlan:
    """Return the plan from a priority list of counters and hexes, on a board as it is."""
    board = game.copy() if game.viewer is None else game
    left = (*due_steps(board, power), *seasonal_steps(board, power))
    found: list[Replacement] = []
    for id in wishes.counters:
        for hex in wishes.hexes:
            given = Replacement(id, hex)
            if id in {one.counter for one in found} or replacement_faults(board, power, given, left):
                continue
            n = step_for(piece(board, id), left, None)
            left = spend(left, n if n is not None else 0)
            found.append(given)
    return SeasonPlan((), (), tuple(found))


class _Planning(Draft[Any]):
    """Places what was placed before, so that a logistics marker is a Replacement Location at once."""

    def __init__(self, game: Game, player: str, power: str) -> None:
        super().__init__(game, player)
        self.power = power
        self.left = (*due_steps(game, power), *seasonal_steps(game, power))
        self.partisans: list[str] = []

    def next(self, of: str | None = None) -> Iterator[Next[Any]]:
        world = world_of(self.game)
        for marker in markers_of(self.game, self.power, "logistics"):
            if self.concerns(of, marker.id):
                for hex in (None, *world.hexes):
                    placed = Logistics(marker.id, hex)
                    if not logistics_faults(self.game, self.power, placed):
                        yield Next(
                            Part("logistics", placed),
                            self.words(Part("logistics", placed)),
                            _at(marker.id, hex),
                        )
        for marker in markers_of(self.game, self.power, "partisan_base"):
            if self.concerns(of, marker.id):
                for hex in (None, *world.hexes):
                    base = Partisan(marker.id, hex)
                    if not partisan_faults(self.game, self.power, base, self.partisans):
                        yield Next(
                            Part("partisans", base), self.words(Part("partisans", base)), _at(marker.id, hex)
                        )
        for one in replacements_of(self.game, self.power, self.left):
            if self.concerns(of, one.counter):
                part = Part("replacements", one)
                yield Next(part, self.words(part), _at(one.counter, one.hex))

    def faults(self, element: Any) -> list[Diagnostic]:
        given = element.value
        match given:
            case Logistics():
                return logistics_faults(self.game, self.power, given)
            case Partisan():
                return partisan_faults(self.game, self.power, given, self.partisans)
            case Replacement():
                return replacement_faults(self.game, self.power, given, self.left)
        return []

    def do(self, element: Any) -> None:
        given = element.value
        if isinstance(given, Replacement):
            one = piece(self.game, given.counter)
            n = step_for(one, self.left, given.kind)
            self.left = spend(self.left, n if n is not None else 0)
            put(one, given.hex, 1)
            return
        if isinstance(given, Partisan) and given.hex is not None:
            self.partisans.append(world_of(self.game).country_of(given.hex) or "")
        place_marker(piece(self.game, given.marker), given.hex)

    def words(self, element: Any) -> str:
        given, name_of = element.value, world_of(self.game).name_of
        if isinstance(given, Replacement):
            return Message(
                "totaler-krieg.season.replacement-in", counter=given.counter, place=name_of(given.hex)
            )
        return (
            Message("totaler-krieg.season.removed", marker=given.marker)
            if given.hex is None
            else Message(
                "totaler-krieg.administration.marker-in", marker=given.marker, place=name_of(given.hex)
            )
        )

    def doubts(self) -> list[Diagnostic]:
        return stack_doubts(self.game, self.power)


def _at(id: str, hex: str | None) -> Points:
    return Points((id,), end=hex)


def place_marker(one: Any, hex: str | None) -> None:
    """Put a marker into a hex, or into the Force Pool."""
    if hex is None:
        send(one, "pool")
    else:
        put(one, hex)


__all__ = ["FaceDown", "NextCard", "Season", "SeasonPlan", "locations"]
