"""Drafts of the orders of one phase, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Draft, Game, Message, Next, Part, Points

from .adjusting import Adjusting
from .atlas import Piece, province_of
from .moving import Moving
from .notation import Line, NotUnderstood, place_words, read
from .retreating import Retreating
from .state import State, alive, dislodged, pieces_of, standing
from .voting import (
    is_secret,
    lists_sharers,
    no_vote_here,
    sharing_faults,
    titled,
    vote_faults,
    vote_in_words,
    votes,
)
from .world import world_of


def in_words(game: Game, line: Line) -> str:
    """Return an order in words."""
    world = world_of(game)
    name, goal = (
        world.name(line.place) if line.place else "",
        place_words(world, line.goal) if line.to else "",
    )
    fields: dict[str, Any] = {"kind": line.kind, "place": name, "goal": goal}
    if line.verb == "hold":
        return Message("diplomacy.drafts.hold", kind=line.kind, place=name)
    if line.verb == "move":
        return Message("diplomacy.drafts.move", via=line.via, **fields)
    if line.verb == "retreat":
        return Message("diplomacy.drafts.retreat", **fields)
    if line.verb == "support":
        return Message("diplomacy.drafts.support", helped=world.name(line.of), **fields)
    if line.verb == "convoy":
        return Message("diplomacy.drafts.convoy", helped=world.name(line.of), **fields)
    if line.verb == "disband":
        return Message("diplomacy.drafts.disband", kind=line.kind, place=name)
    if line.verb == "build":
        where = f"{line.place}.{line.coast}" if line.coast else line.place
        return Message("diplomacy.drafts.build", kind=line.kind, place=place_words(world, where))
    return Message("diplomacy.drafts.waive")


def _attempt(read_line: Any, *args: Any) -> tuple[Any, list[Diagnostic]]:
    """Return the order that a line means, and its faults."""
    try:
        return read_line(*args), []
    except NotUnderstood as fault:
        return None, [fault.fault]


class Movements(Draft[Part[str]]):
    """2: Orders for one power's units, one each, and a vote."""

    free = frozenset({"vote", "sharing"})

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.world = world_of(game)
        self.pieces = pieces_of(game)
        self.moving = Moving(self.world, self.pieces)
        self.ordered: set[str] = set()
        self.listed: dict[str, tuple[Next[Part[str]], ...]] = {}

    def next(self, of: str | None = None) -> Iterator[Next[Part[str]]]:
        ids = _ids(self.game, self.pieces)
        if of is None and not is_secret(
            self.game
        ):  # votes first: after hundreds of orders no player would see them
            yield from self._votes()
        for place, piece in self.pieces.items():
            if piece.power != self.player or place in self.ordered or of not in (None, place, ids[place]):
                continue
            if place not in self.listed:
                self.listed[place] = tuple(self._orders_of(place, ids[place]))
            yield from self.listed[place]

    def _votes(self) -> Iterator[Next[Part[str]]]:
        """6.3, 6.7: Yield the votes and, after a vote for a draw, the powers that may share it."""
        cast = {element.section: element.value for element in self.elements}
        for vote in votes(self.game, self.player) if "vote" not in cast else ():
            yield Next(Part("vote", vote), vote_in_words(vote))
        if cast.get("vote") == "draw" and lists_sharers(self.game):
            named = [element.value for element in self.elements if element.section == "sharing"]
            for power in alive(self.game):
                if power not in named:
                    yield Next(
                        Part("sharing", power), Message("diplomacy.voting.shares", player=titled(power))
                    )

    def _orders_of(self, place: str, id: str) -> Iterator[Next[Part[str]]]:
        """2: Yield the orders of a unit, which do not depend on other orders."""
        for line in self.moving.lines(place):
            yield Next(Part("orders", line.text()), in_words(self.game, line), _points(id, line))

    def faults(self, element: Part[str]) -> list[Diagnostic]:
        if element.section != "orders" and is_secret(self.game) and element.value != "none":
            return no_vote_here()
        if element.section == "vote":
            return vote_faults(self.game, self.player, element.value)
        if element.section == "sharing":
            before = (element.value for element in self.elements if element.section == "sharing")
            return sharing_faults(self.game, element.value, before)
        order, faults = _attempt(self.moving.order, element.value, self.player)
        if order is not None and order.place in self.ordered:
            message = Message("diplomacy.moving.twice", place=self.world.name(order.place))
            return [illegal("E-DIP-14", "2.5", message)]
        return faults

    def do(self, element: Part[str]) -> None:
        if element.section == "orders":
            self.ordered.add(self.moving.order(element.value, self.player).place)

    def words(self, element: Part[str]) -> str:
        if element.section == "vote":
            return vote_in_words(element.value)
        if element.section == "sharing":
            return _shares(element.value)
        line = read(self.world, element.value)
        kind = self.pieces[line.place].kind
        return in_words(self.game, replace(line, kind=kind))

    def pointing(self, element: Part[str]) -> Points:
        if element.section != "orders":
            return Points()
        line = read(self.world, element.value)
        coast = self.moving.order(element.value, self.player).coast if line.verb == "move" else ""
        return _points(_ids(self.game, self.pieces)[line.place], replace(line, to_coast=coast))

    def doubts(self) -> list[Diagnostic]:
        idle = [p for p, piece in self.pieces.items() if piece.power == self.player and p not in self.ordered]
        if not idle or not self.ordered:
            return []
        places = ", ".join(self.world.name(place) for place in idle)
        message = Message("diplomacy.drafts.without-orders", places=places)
        return [Diagnostic("without-orders", message, severity="warning", rule="2.1")]

    def nothing(self) -> str:
        return Message("diplomacy.drafts.all-hold")


def _shares(power: str) -> str:
    """6.7: Return in words that a power shares the draw."""
    return Message("diplomacy.voting.shares", player=titled(power))


def retreating(game: Game, player: str) -> Retreating:
    """Return the retreats of one player."""
    ways = State.of(game).retreats
    units = {unit.hex: (unit.piece, tuple(ways[unit.id])) for unit in dislodged(game, player).values()}
    return Retreating(world_of(game), units)


class Retreats(Draft[str]):
    """4: Retreats for one power's dislodged units, one each."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.world, self.open = world_of(game), retreating(game, player)
        self.ids = {unit.hex: unit.id for unit in dislodged(game, player).values()}
        self.ordered: set[str] = set()

    def next(self, of: str | None = None) -> Iterator[Next[str]]:
        for place in self.open.units:
            if place not in self.ordered and of in (None, place, self.ids[place]):
                for line in self.open.lines(place):
                    yield Next(line.text(), self.words(line.text()), _points(self.ids[place], line))

    def faults(self, element: str) -> list[Diagnostic]:
        retreat, faults = _attempt(self.open.order, element)
        if retreat is not None and retreat[0] in self.ordered:
            message = Message("diplomacy.moving.twice", place=world_of(self.game).name(retreat[0]))
            return [illegal("E-DIP-14", "2.5", message)]
        return faults

    def do(self, element: str) -> None:
        self.ordered.add(self.open.order(element)[0])

    def words(self, element: str) -> str:
        place, node = self.open.order(element)
        kind = self.open.units[place][0].kind
        to, _, coast = node.partition(".")
        verb = "retreat" if node else "disband"
        return in_words(self.game, Line(verb, kind, place, to=to, to_coast=coast))

    def pointing(self, element: str) -> Points:
        place, node = self.open.order(element)
        to, _, coast = node.partition(".")
        return _points(
            self.ids[place], Line("move" if node else "disband", place=place, to=to, to_coast=coast)
        )

    def nothing(self) -> str:
        return Message("diplomacy.drafts.all-disband")


def adjusting(game: Game, player: str) -> Adjusting:
    """Return the adjustments of one player."""
    return Adjusting(world_of(game), player, pieces_of(game), State.of(game).centres)


class Adjustments(Draft[str]):
    """5: Builds or disbands of one power."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.world, self.due = world_of(game), adjusting(game, player)

    def next(self, of: str | None = None) -> Iterator[Next[str]]:
        ids = _ids(self.game, self.due.mine)
        for line in self.due.lines():
            if of in (None, line.place, ids.get(line.place)):
                points = Points((ids[line.place],)) if line.place in ids else Points(start=line.place or None)
                yield Next(line.text(), in_words(self.game, line), points)

    def faults(self, element: str) -> list[Diagnostic]:
        return _attempt(self.due.order, element)[1]

    def do(self, element: str) -> None:
        self.due.done.append(self.due.order(element))

    def words(self, element: str) -> str:
        return in_words(self.game, self.due.order(element))

    def nothing(self) -> str:
        if self.due.due > 0:
            return Message("diplomacy.drafts.all-waived")
        return Message("diplomacy.drafts.all-disorder")


def _ids(game: Game, pieces: Mapping[str, Piece]) -> dict[str, str]:
    """Return the ids of the units that are not dislodged, by province."""
    return {place: unit.id for place, unit in standing(game).items() if place in pieces}


def _points(id: str, line: Line) -> Points:
    """Return the unit and places of an order, for the map."""
    if line.verb == "move":
        return Points((id,), way=(province_of(line.to),), kind="move", coast=line.to_coast)
    return Points((id,), end=line.to or line.of or line.place, kind="other")
