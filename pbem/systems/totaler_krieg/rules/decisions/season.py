"""D-00, D-02 to D-05: Option cards, logistics, partisans, replacements (4.2 to 4.4)."""

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
    """A selection of cards that stays secret until it is revealed."""

    player: str
    power: str

    def options(self, game: Game) -> Iterator[Option]:
        yield Option([], Message("totaler-krieg.season.no-card"))
        cards, sayer = sorted(hand(game, self.power)), Sayer(game)
        for size in range(1, int(world_of(game).limits["cards"]["most"]) + 1):
            for chosen in permutations(cards, size):
                titles = [_titled(game, id) for id in chosen]
                card = Headed(titles[0], tuple(sayer.card(sayer.world.cards[chosen[0]]))).message
                yield Option(list(chosen), card if size == 1 else ", then ".join(titles))

    def check(self, game: Game, answer: tuple[str, ...]) -> list[Diagnostic]:
        return selection_faults(game, self.power, answer)

    def beside(self, game: Game) -> Iterable[Headed]:
        """Return the facts on which a choice of cards depends.

        The cards themselves are described by the options.
        """
        return background(game, world_of(game).enemies(self.power))

    def default(self, game: Game) -> tuple[str, ...]:
        return ()

    def repair(self, game: Game, answer: tuple[str, ...]) -> tuple[str, ...]:
        """4.2: Return the cards as listed. Wrong ones are found when they are revealed."""
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
    """D-00, D-02 Which cards lie face down for the next season, secret even from a game master?"""

    player: str
    power: str
    number: int

    def subject(self) -> tuple[str | int, ...]:
        return (self.power, self.number)


@dataclass(frozen=True)
class SeasonPlan:
    """Logistics markers, partisan bases and replacements, in that order."""

    logistics: tuple[Logistics, ...] = ()
    partisans: tuple[Partisan, ...] = ()
    replacements: tuple[Replacement, ...] = ()


@dataclass(frozen=True)
class ReplacementWishes:
    """Counters in the order of wishes, and hexes in the order in which they are filled."""

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
    """Return the plan by a priority list of counters and hexes on the present board."""
    board = game.copy() if game.viewer is None else game
    left = (*due_steps(board, power), *seasonal_steps(board, power))
    replacements: list[Replacement] = []
    for id in wishes.counters:
        for hex in wishes.hexes:
            order = Replacement(id, hex)
            if id in {replacement.counter for replacement in replacements} or replacement_faults(
                board, power, order, left
            ):
                continue
            n = step_for(piece(board, id), left, None)
            left = spend(left, n if n is not None else 0)
            replacements.append(order)
    return SeasonPlan((), (), tuple(replacements))


class _Planning(Draft[Any]):
    """A season plan on a draft's board. A logistics marker is a Replacement Location at once."""

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
        for replacement in replacements_of(self.game, self.power, self.left):
            if self.concerns(of, replacement.counter):
                part = Part("replacements", replacement)
                yield Next(part, self.words(part), _at(replacement.counter, replacement.hex))

    def faults(self, element: Any) -> list[Diagnostic]:
        order = element.value
        match order:
            case Logistics():
                return logistics_faults(self.game, self.power, order)
            case Partisan():
                return partisan_faults(self.game, self.power, order, self.partisans)
            case Replacement():
                return replacement_faults(self.game, self.power, order, self.left)
        return []

    def do(self, element: Any) -> None:
        order = element.value
        if isinstance(order, Replacement):
            counter = piece(self.game, order.counter)
            n = step_for(counter, self.left, order.kind)
            self.left = spend(self.left, n if n is not None else 0)
            put(counter, order.hex, 1)
            return
        if isinstance(order, Partisan) and order.hex is not None:
            self.partisans.append(world_of(self.game).country_of(order.hex) or "")
        place_marker(piece(self.game, order.marker), order.hex)

    def words(self, element: Any) -> str:
        order, name_of = element.value, world_of(self.game).name_of
        if isinstance(order, Replacement):
            return Message(
                "totaler-krieg.season.replacement-in", counter=order.counter, place=name_of(order.hex)
            )
        return (
            Message("totaler-krieg.season.removed", marker=order.marker)
            if order.hex is None
            else Message(
                "totaler-krieg.administration.marker-in", marker=order.marker, place=name_of(order.hex)
            )
        )

    def doubts(self) -> list[Diagnostic]:
        return stack_doubts(self.game, self.power)


def _at(id: str, hex: str | None) -> Points:
    return Points((id,), end=hex)


def place_marker(marker: Any, hex: str | None) -> None:
    """Put a marker into a hex, or into the Force Pool."""
    if hex is None:
        send(marker, "pool")
    else:
        put(marker, hex)


__all__ = ["FaceDown", "NextCard", "Season", "SeasonPlan", "locations"]
