"""4: Retreats of dislodged units."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pbem.kit.faults import illegal
from pbem.rules import Diagnostic, Message, did_you_mean

from .atlas import Atlas, Piece, coast_of, province_of
from .notation import Line, NotUnderstood, place_words, read
from .world import World


def open_nodes(
    atlas: Atlas, piece: Piece, came_from: str, occupied: Collection[str], contested: Collection[str]
) -> tuple[str, ...]:
    """4.1: Return the nodes to which a dislodged unit may retreat.

    It may enter no occupied or contested province, nor the one that the attacker left over a border.
    """
    closed = {*occupied, *contested, came_from}
    return tuple(node for node in atlas.steps(piece) if province_of(node) not in closed)


def retreated(goals: Mapping[str, str]) -> dict[str, str]:
    """4.2: Return the retreats that succeed: those with a goal that no other unit has."""
    places = [province_of(goal) for goal in goals.values()]
    return {unit: goal for unit, goal in goals.items() if places.count(province_of(goal)) == 1}


class Retreating:
    """The retreats open to the dislodged units of one power, by province."""

    def __init__(self, world: World, units: Mapping[str, tuple[Piece, tuple[str, ...]]]) -> None:
        self.world, self.units = world, units

    def lines(self, place: str) -> Iterator[Line]:
        """Yield the orders that one unit may have."""
        piece, nodes = self.units[place]
        for node in nodes:
            yield Line("move", piece.kind, place, to=province_of(node), to_coast=coast_of(node))
        yield Line("disband", piece.kind, place)

    def order(self, text: str) -> tuple[str, str]:
        """4.2: Return the province of a dislodged unit, and the node it goes to or "" if it disbands.

        Raises `NotUnderstood` with the first fault.
        """
        line = read(self.world, text)
        if line.verb not in ("move", "disband"):
            raise NotUnderstood(
                illegal("E-DIP-10", "4.2", Message("diplomacy.moving.not-now", line=line.text()))
            )
        if line.place not in self.units:
            raise NotUnderstood(self._nobody(line))
        piece, nodes = self.units[line.place]
        if line.kind and line.kind != piece.kind:
            place = self.world.name(line.place)
            message = Message("diplomacy.moving.other-kind", place=place, kind=piece.kind)
            raise NotUnderstood(illegal("E-DIP-05", "2.5", message))
        if line.verb == "disband":
            return line.place, ""
        fits = [node for node in nodes if province_of(node) == line.to]
        if line.to_coast and piece.kind == "fleet":
            fits = [node for node in fits if coast_of(node) in ("", line.to_coast)]
        if len(fits) == 1:
            return line.place, fits[0]
        raise NotUnderstood(self._no_way(line, nodes, fits))

    def _nobody(self, line: Line) -> Diagnostic:
        message = Message("diplomacy.retreating.nobody", place=self.world.name(line.place))
        near = did_you_mean(line.place, list(self.units))
        help_ = (
            Message("diplomacy.notation.did-you-mean", near=f"{self.world.name(near)} ({near})")
            if near
            else ()
        )
        return illegal("E-DIP-11", "4.2", message, help=help_)

    def _no_way(self, line: Line, nodes: tuple[str, ...], fits: list[str]) -> Diagnostic:
        where, goal = self.world.name(line.place), place_words(self.world, line.goal)
        if fits:
            coasts = " or ".join(node.replace(".", "/") for node in fits)
            return illegal(
                "E-DIP-07", "2.2.3", Message("diplomacy.moving.which-coast", goal=goal, coasts=coasts)
            )
        near = ", ".join(place_words(self.world, node) for node in nodes)
        help_ = Message("diplomacy.moving.may-go", near=near) if near else ()
        message = Message("diplomacy.retreating.closed", place=where, goal=goal)
        return illegal("E-DIP-11", "4.1", message, help=help_)
