"""3: Adjudication of the moves of a phase, from units and orders alone.

The method is the recursion with guesses published by L. B. Kruijswijk in "The Math of Adjudication". An order
is decided from the orders it depends on. If it depends on itself, both results are tried. If one is
consistent, it is the result. If both are, the orders are a circle of moves, which succeeds. If neither is,
they are a paradox of convoys, in which the convoys fail (Szykman's rule).
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.rules import dataclass

from .atlas import Atlas, Order, Piece, Why

NO_REASON: Why = ""


@dataclass(frozen=True)
class Verdict:
    """The result of one order: if it succeeded, the reason if not, and if the move went by convoy."""

    order: Order
    done: bool
    why: Why = ""
    by_sea: bool = False


@dataclass(frozen=True)
class Outcome:
    """The results of a phase.

    `dislodged`: for each province where a unit was dislodged, the province that the attacker left. It is ""
    if the attacker came by convoy, because that province stays open for a retreat. `contested`: the provinces
    where moves bounced.
    """

    verdicts: Mapping[str, Verdict]
    dislodged: Mapping[str, str]
    contested: frozenset[str]


def adjudicate(atlas: Atlas, pieces: Mapping[str, Piece], orders: Mapping[str, Order]) -> Outcome:
    """3: Return the results of legal orders; a unit without an order holds."""
    return _Adjudication(atlas, pieces, orders).outcome()


class _Adjudication:
    """Decisions about one set of orders, by province, which has at most one unit and one order."""

    def __init__(self, atlas: Atlas, pieces: Mapping[str, Piece], orders: Mapping[str, Order]) -> None:
        self.atlas, self.pieces = atlas, pieces
        self.orders = {place: orders.get(place) or Order(place) for place in sorted(pieces)}
        self.moving: dict[str, list[str]] = {}  # province -> provinces of the units that are ordered to it
        self.helping: dict[str, list[str]] = {}  # province -> units that support the unit in it
        self.ferrying: dict[str, list[str]] = {}  # province -> fleets that convoy the army in it
        for place, order in self.orders.items():
            if order.verb == "move":
                self.moving.setdefault(order.to, []).append(place)
            elif order.verb == "support" and self._fits(order):
                self.helping.setdefault(order.of, []).append(place)
            elif order.verb == "convoy" and self._fits(order):
                self.ferrying.setdefault(order.of, []).append(place)
        self.by_sea = {place: self._goes_by_sea(place) for place in self.orders}
        self._decided: dict[str, bool] = {}
        self._guessed: dict[str, bool] = {}
        self._leaning: list[str] = []  # orders whose results depend on a guess so far

    def _fits(self, order: Order) -> bool:
        """2.3, 2.4: Return True if the supported or convoyed unit has the order that this order helps."""
        helped = self.orders.get(order.of)
        if helped is None:
            return False
        if not order.to:
            return helped.verb != "move"
        same_coast = not order.coast or order.coast == helped.coast
        return helped.verb == "move" and helped.to == order.to and same_coast

    def _goes_by_sea(self, place: str) -> bool:
        """2.4.3: Return True if a move goes by convoy.

        Between provinces with a common border it does so only if a whole chain was ordered, and the order
        says so or a fleet of the same power takes part (R-3).
        """
        order, piece = self.orders[place], self.pieces[place]
        if order.verb != "move" or piece.kind != "army":
            return False
        if order.to not in self.atlas.army[place]:
            return True
        ferries = self.ferrying.get(place, ())
        wanted = order.via or any(self.pieces[ferry].power == piece.power for ferry in ferries)
        return wanted and self.atlas.chain(place, order.to, ferries)

    def succeeds(self, place: str) -> bool:
        """Return True if the order of the unit in this province succeeds."""
        if place in self._decided:
            return self._decided[place]
        if place in self._guessed:
            if place not in self._leaning:
                self._leaning.append(place)
            return self._guessed[place]
        before = len(self._leaning)
        self._guessed[place] = False
        first = self._judge(place)
        if len(self._leaning) == before:  # no guess was needed
            del self._guessed[place]
            self._decided[place] = first
            return first
        if self._leaning[before] != place:  # it depends on the guess of an outer call
            if place not in self._leaning:
                self._leaning.append(place)
            self._guessed[place] = first
            return first
        self._forget(before, keep=place)
        self._guessed[place] = True
        second = self._judge(place)
        if first == second:
            self._forget(before)
            self._guessed.pop(place, None)
            self._decided[place] = first
            return first
        self._back_up(before)
        return self.succeeds(place)

    def _forget(self, before: int, keep: str = "") -> list[str]:
        """Drop the guesses made since `before`; return the provinces they were about."""
        circle = self._leaning[before:]
        del self._leaning[before:]
        for place in circle:
            if place != keep:
                self._guessed.pop(place, None)
        return circle

    def _back_up(self, before: int) -> None:
        """3.6: Decide a circle that has two solutions or none."""
        circle = self._forget(before)
        convoys = [place for place in circle if self.orders[place].verb == "convoy"]
        if convoys:
            self._decided |= dict.fromkeys(convoys, False)
        else:
            self._decided |= {place: True for place in circle if self.orders[place].verb == "move"}

    def _judge(self, place: str) -> bool:
        verb = self.orders[place].verb
        if verb == "move":
            return self._moves(place)
        if verb == "support":
            return not self._cut(place)
        return not any(self.succeeds(other) for other in self.moving.get(place, ()))

    def _moves(self, place: str) -> bool:
        """3.1, 3.2: Return True if a move is stronger than the province's hold and other moves to it."""
        order = self.orders[place]
        attack = self._attack(place)
        if attack == 0:
            return False
        facing = self._facing(place)
        if attack <= (self._defend(order.to) if facing else self._hold(order.to)):
            return False
        return all(attack > self._prevent(other) for other in self.moving[order.to] if other != place)

    def _facing(self, place: str) -> bool:
        """3.3: Return True if the unit in the goal moves the opposite way, and neither goes by convoy."""
        there = self.orders.get(self.orders[place].to)
        if there is None or there.verb != "move" or there.to != place:
            return False
        return not self.by_sea[place] and not self.by_sea[there.place]

    def path(self, place: str) -> bool:
        """2.4: Return True if a move has a path: a border, or a chain of convoys that succeed."""
        if not self.by_sea[place]:
            return True
        working = [ferry for ferry in self.ferrying.get(place, ()) if self.succeeds(ferry)]
        return self.atlas.chain(place, self.orders[place].to, working)

    def _backers(self, place: str, against: str = "") -> int:
        """3.1: Return the number of supports that count, without those of the power `against`."""
        helpers = self.helping.get(place, ())
        return sum(self.pieces[helper].power != against and self.succeeds(helper) for helper in helpers)

    def _hold(self, place: str) -> int:
        """3.1: Return the strength with which a province is held."""
        order = self.orders.get(place)
        if order is None:
            return 0
        if order.verb == "move":
            return 0 if self.succeeds(place) else 1
        return 1 + self._backers(place)

    def _attack(self, place: str) -> int:
        """3.1, 3.4: Return the strength of an attack; no power dislodges its own unit, or helps to."""
        if not self.path(place):
            return 0
        order, power = self.orders[place], self.pieces[place].power
        there = self.orders.get(order.to)
        if there is None or (there.verb == "move" and not self._facing(place) and self.succeeds(order.to)):
            return 1 + self._backers(place)
        owner = self.pieces[order.to].power
        return 0 if owner == power else 1 + self._backers(place, against=owner)

    def _defend(self, place: str) -> int:
        """3.3: Return the strength of a unit in a head-to-head battle."""
        return 1 + self._backers(place)

    def _prevent(self, place: str) -> int:
        """3.2: Return the strength with which a move keeps other moves out of its goal."""
        if not self.path(place):
            return 0
        if self._facing(place) and self.succeeds(self.orders[place].to):
            return 0
        return 1 + self._backers(place)

    def _cut(self, place: str) -> bool:
        """3.5: Return True if a support is cut.

        Any attack by another power cuts it. An attack from the province against which the support goes cuts
        it only by dislodging the unit.
        """
        order, power = self.orders[place], self.pieces[place].power
        if not self._fits(order):
            return True
        for other in self.moving.get(place, ()):
            if self.succeeds(other):
                return True
            if self.pieces[other].power != power and other != order.to and self.path(other):
                return True
        return False

    def outcome(self) -> Outcome:
        """Return the results of all orders."""
        done = {place: self.succeeds(place) for place in self.orders}
        dislodged: dict[str, str] = {}
        contested: set[str] = set()
        for goal, comers in self.moving.items():
            entered = [place for place in comers if done[place]]
            if entered and goal in self.orders and not (self.orders[goal].verb == "move" and done[goal]):
                dislodged[goal] = "" if self.by_sea[entered[0]] else entered[0]
            if not entered and any(self._prevent(place) for place in comers):
                contested.add(goal)
        verdicts = {place: self._verdict(place, done, dislodged) for place in self.orders}
        return Outcome(verdicts, dislodged, frozenset(contested))

    def _verdict(self, place: str, done: Mapping[str, bool], dislodged: Mapping[str, str]) -> Verdict:
        order, why = self.orders[place], NO_REASON
        if order.verb == "move":
            why = "" if done[place] else ("bounced" if self.path(place) else "no-convoy")
        elif order.verb == "hold":
            return Verdict(order, place not in dislodged, "dislodged" if place in dislodged else "")
        elif not self._fits(order):
            why = "no-match"
        elif place in dislodged:
            why = "dislodged"
        elif order.verb == "support":
            why = "" if done[place] else "cut"
        return Verdict(order, not why, why, self.by_sea[place])
