"""The reason why a click is illegal: it becomes an order, and the order checker judges it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.cli.web.data.odds import board_of
from pbem.cli.web.sorts import attacks_elsewhere, elsewhere, examples, left_over
from pbem.engine.growing import Growing
from pbem.model.elements import Written, form_of
from pbem.report.plain import in_words
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, measures
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.cli.web.draft import OrderDraft
    from pbem.cli.writing.legal import Legal
    from pbem.engine.resolve import Question

PATTERNS = 8
"""Sorts of orders after whose pattern a click is tried."""
LOOKED_AT = 300
REASONS = 4
_SORTS = ("kind", "role", "class")
"""Fields by which counters are of one sort or another."""


@dataclass(frozen=True)
class Judged:
    """The reasons against a click, or the answer with it if there are none.

    Neither if its meaning is unknown.
    """

    reasons: tuple[Diagnostic, ...] = ()
    answer: Any = None


def why(orders: OrderDraft, question: Question, at: str | None, to: str | None) -> Judged:
    """Return the checker's faults of an order that begins with the counter or place `at` and ends at `to`.

    The reason nearest to what was meant comes first: of orders that this counter can give, then of those of
    others; of attacks where an enemy stands, else of moves; and what is too far or too dear, with its
    numbers, before what is of the wrong sort. Where nothing attacks now: which question is about that.
    """
    asking = _Asking(orders, question, at, to)
    reasons: list[tuple[tuple[bool | int, ...], Diagnostic]] = []
    beside: list[Diagnostic] = []  # faults about other things in an order of this sort
    meant = False
    for of, pattern in asking.patterns():
        faults, answer = asking.judged(pattern)
        if not faults and (to is None or answer is None):  # the listed order itself, not the click
            continue
        if not faults:
            return Judged(answer=answer)
        strange = left_over(asking.game, pattern, (at, to))
        fits, other = asking.fits(pattern), asking.unlike_nearest(pattern)
        meant = meant or fits
        for fault in faults:
            if any(name in fault.message for name in strange):
                beside.append(fault)
            else:
                source = 0 if of is not None else 1 if asking.alike(pattern) else 3
                reasons.append(((source, not fits, other, not measures(fault), len(faults)), fault))
    if len(reasons) < REASONS or all(rank[0] == 3 for rank, _ in reasons):
        step = asking if to is not None else _Asking(orders, question, at, asking.a_step())
        reasons += [((2, False, True, not measures(fault), 0), fault) for fault in step.of_examples()]
    others = elsewhere(asking.game, question, aims=to is not None)
    if not meant and reasons and to is not None and not asking.leads_away:
        reasons += [((False,), fault) for fault in others]  # this question has no such order at all
    far = asking.too_far()
    reasons = [
        (rank, reason)
        for rank, reason in reasons
        if not any(_same_numbers(reason, far_reason) for far_reason in far)
    ]
    reasons += [((-1,), fault) for fault in far]
    if asking.only_moves():
        reasons += [((-1, 1), fault) for fault in attacks_elsewhere(asking.game, question)]
    lines = {reason.message: reason for _, reason in sorted(reasons, key=lambda pair: pair[0])}
    kept = list(lines.values()) or list({fault.message: fault for fault in beside}.values()) or others
    return Judged(tuple(kept[:REASONS]))


def nearest(
    orders: OrderDraft, question: Question, at: str | None, to: str | None
) -> tuple[int, Legal] | None:
    """Return the legal order of a counter that ends nearest to a place, with its number; None without one."""
    if at is None or to is None:
        return None
    asking = _Asking(orders, question, at, to)
    away = asking.away()
    listed = [
        (not asking.fits(option), away[option.points.last], number, option)
        for number, option in enumerate(orders.options(question, at))
        if option.points.last is not None and option.points.last in away
    ]
    best = min(listed, key=lambda pair: pair[:3], default=None)
    return None if best is None else (best[2], best[3])


class _Asking:
    """One click without a legal order."""

    def __init__(self, orders: OrderDraft, question: Question, at: str | None, to: str | None) -> None:
        self.orders, self.question, self.at, self.to = orders, question, at, to
        self.there = orders.at(question)
        self.game = self.there.view().game
        self.position = self.game.position
        self.chart = self.game.system.map_of(self.game.world)
        self.seen: list[Any] = []
        self.listed: list[Legal] = []
        self._form: tuple[Any, ...] | None = None
        self.leads_away = False  # whether an order of what was clicked ends at another place
        self.decision = orders.folder.system.decision(question.kind, question.party, question.fields)

    def patterns(self) -> Iterator[tuple[str | None, Legal]]:
        """Yield legal orders, one of each kind: those that begin here first, then those of others (None)."""
        from pbem.cli.writing.legal import legal

        folder, so_far = self.there, self.orders.answer(self.question)
        seen = self.seen
        for of in dict.fromkeys((self.at, None)):
            listed = list(islice(legal(folder, self.question, so_far, of), LOOKED_AT))
            self.listed += listed
            if of is not None:
                self.leads_away = any(option.points.last not in (None, self._start()) for option in listed)
            for option in sorted(listed, key=lambda option: self._far(option)):
                sort = (of, option.points.sort, _shape(_value(option)))
                if sort in seen or not (option.points.counters or option.points.start) or self._short(option):
                    continue
                seen.append(sort)
                yield of, option
                if len(seen) >= PATTERNS:
                    return

    def fits(self, legal: Legal) -> bool:
        """Return True if an order is of the kind that the click means: at an enemy an attack, else a move."""
        if self.to is None:
            return True
        return legal.points.sort == ("attack" if self._enemy() else "move")

    def too_far(self) -> list[Diagnostic]:
        """Return what a move there needs and what the counter has, if that is why it cannot go."""
        mine = self._standing()
        moves = (option for option in self.listed if option.points.sort == "move")
        if mine is None or self.to is None or not any(mine in move.points.counters for move in moves):
            return []
        board = board_of(self.orders, self.question)
        reach = board.system.reach(board, mine) if mine in board.position.counters else None
        if reach is None:
            return []
        beside = [hex for hex in self._beside() if hex in reach.costs]
        near = beside and self.to not in reach.costs and self._enemy()
        place = min(beside, key=lambda hex: reach.costs[hex]) if near else self.to
        if (needs := reach.needs(place)) is None:
            return []
        points = {"needs": in_words(str(needs)), "has": in_words(str(reach.has))}
        fields: dict[str, Any] = {"unit": mine, "place": self.to, **points}
        message = Message("cli.web.too-far-to-come-beside" if near else "cli.web.too-far", **fields)
        return [Diagnostic("too-far", message, family="illegal", rule=reach.rule)]

    def _beside(self) -> list[str]:
        """Return the places beside the click."""
        at = self.chart.get(self.to) if self.chart is not None and self.to is not None else None
        return (
            []
            if self.chart is None or at is None
            else list(map(self.chart.number, self.chart.neighbours(at)))
        )

    def a_step(self) -> str | None:
        """Return a place beside what was clicked: a unit that can do nothing was meant to move."""
        start = self._start()
        i = self.chart.get(start) if self.chart is not None and start is not None else None
        if i is None or self.chart is None:
            return None
        return next((self.chart.number(place) for place in self.chart.neighbours(i)), None)

    def _enemy(self) -> bool:
        """Return True if others stand where was clicked."""
        return self.to is not None and any(not self._own(id) for id in self.position.at(self.to))

    def only_moves(self) -> bool:
        """Return True if the click is at an enemy, and nothing attacks in what is asked."""
        return self._enemy() and all(option.points.sort != "attack" for option in self.listed)

    def unlike_nearest(self, legal: Legal) -> bool:
        """Return True if an order is of another form than the legal one that ends nearest to the click."""
        if self._form is None:
            moves = [move for move in self.listed if move.points.way == self._nearest_way()]
            self._form = (_shape(_value(moves[0])),) if moves else ()
        return bool(self._form) and _shape(_value(legal)) != self._form[0]

    def alike(self, legal: Legal) -> bool:
        """Return True if the counter of an order is of the sort of the one that was clicked."""
        counters, mine = self.position.counters, self._standing()
        theirs = legal.points.counters[0] if legal.points.counters else None
        if mine is None or theirs is None or theirs not in counters:
            return True
        return all(counters[mine].get(name) == counters[theirs].get(name) for name in _SORTS)

    def _standing(self) -> str | None:
        """Return the counter that was clicked, or one of the player's at the place that was."""
        if self.at is None or self.at in self.position.counters:
            return self.at
        return next((id for id in self.position.at(self.at) if self._own(id)), None)

    def away(self) -> dict[str, int]:
        """Return how many steps each place is away from the click."""
        chart = self.chart
        goal = chart.get(self.to) if chart is not None and self.to is not None else None
        if chart is None or goal is None:
            return {}
        waves, wave = {goal: 0}, deque([goal])
        while wave:
            here = wave.popleft()
            for beside in chart.neighbours(here):
                if beside not in waves:
                    waves[beside] = waves[here] + 1
                    wave.append(beside)
        return {chart.number(place): steps for place, steps in waves.items()}

    def of_examples(self) -> list[Diagnostic]:
        """Return the checker's faults of kinds of orders that are never legal now, from the rules'
        example."""
        if not isinstance(self.decision, Growing):
            return []
        tried = [shape for _, _, shape in self.seen]
        faults: list[Diagnostic] = []
        for pattern in examples(self.game, self.decision, self._before()):
            shape = _shape(_value(pattern))
            if shape in tried or self._short(pattern) or (self.to is None and pattern.points.way):
                continue
            tried.append(shape)
            reasons = [result for result in self.judged(pattern)[0] if result.code != "missing-key"]
            strange = left_over(self.game, pattern, (self.at, self.to))
            known = [fault.message for fault in faults]
            faults += [
                reason
                for reason in reasons
                if reason.message not in known and not any(name in reason.message for name in strange)
            ]
        return faults

    def _before(self) -> Any:
        """Return the answer so far, or what must precede its first order."""
        so_far = self.orders.answer(self.question)
        if so_far is not None:
            return so_far
        begun = (option.before for option in self.listed if option.added is not None and option.before)
        return next(begun, form_of(self.decision.answer).together([]))

    def _short(self, legal: Legal) -> bool:
        """Return True if an order goes nowhere, or to another kind of place than the click."""
        if self.to is None:
            return False
        first = next(iter(legal.points.counters), None)
        start = self.position.hex(first) if first is not None else legal.points.start
        if self.chart is None or legal.points.last in (None, start):
            return legal.points.last in (None, start)
        end, goal = self.chart.get(legal.points.last), self.chart.get(self.to)
        return end is None or goal is None or self.chart.kind(end) != self.chart.kind(goal)

    def _far(self, legal: Legal) -> int:
        """Return how far it ends from the click."""
        if self.to is None or legal.points.last is None or self.chart is None:
            return 0
        end, goal = self.chart.get(legal.points.last), self.chart.get(self.to)
        if end is None or goal is None:
            return 1 << 20
        return 0 if end == goal else 1 if goal in self.chart.neighbours(end) else 2

    def judged(self, pattern: Legal) -> tuple[list[Diagnostic], Any]:
        """Return the checker's faults of the pattern with the click in it, and the answer with it.

        No answer if nothing in the pattern was clicked.
        """
        from pbem.engine.resolve import faults_of

        names = self._instead(pattern)
        value = _changed(_value(pattern), names, self._ways(pattern))
        same = value == _value(pattern) and pattern.points.last != self.to
        if pattern.added is None:
            return list(faults_of(self.game, self.decision, value)), None if same else value
        before = self.orders.answer(self.question) if pattern.given else pattern.before
        added = pattern.added
        key = names.get(added.key, added.key) if added.key is not None else None
        written = Written(added.under, value, added.listed, key)
        answer = form_of(self.decision.answer).add(before, written, instead=pattern.instead is not None)
        known = [fault.message for fault in faults_of(self.game, self.decision, before)] if before else []
        faults = faults_of(self.game, self.decision, answer)
        new = [fault for fault in faults if fault.message not in known and fault.severity == "error"]
        return new, None if same and key == added.key else answer

    def _ways(self, pattern: Legal) -> list[tuple[list[str], list[str]]]:
        """Return the ways in an order that may be written, with and without start, and their replacements."""
        way, route = list(pattern.points.way), self._route()
        if not way or not route:
            return []
        first = pattern.points.counters[0] if pattern.points.counters else None
        start = pattern.points.start or (self.position.hex(first) if first is not None else None)
        mine = self._start()
        replacements = [(way, route)]
        if start is not None and mine is not None:
            replacements.append(([start, *way], [mine, *route]))
        return replacements

    def _start(self) -> str | None:
        at = self.at
        return self.position.hex(at) if at is not None and at in self.position.counters else at

    def _instead(self, pattern: Legal) -> dict[str, str]:
        """Return the replacements: the counter, its place, its end."""
        points, names = pattern.points, {}
        mine = self.at if self.at is not None and self.at in self.position.counters else None
        place = (self.position.hex(mine) if mine is not None else self.at) or None
        first = points.counters[0] if points.counters else None
        start = points.start or (self.position.hex(first) if first is not None else None)
        if mine is None and first is not None and place is not None and place != start:
            standing = [id for id in self.position.at(place) if self._own(id)]
            mine = standing[0] if standing else None
        if first is not None and mine is not None and mine not in points.counters:
            names[first] = mine
        if start is not None and place is not None:
            names[start] = place
        if self.to is not None and points.last is not None:
            names[points.last] = self.to
        return names

    def _own(self, id: str) -> bool:
        owner = self.position.counters[id].get("owner")
        return owner in (self.question.party, *self.game.powers_of(self.question.party))

    def _route(self) -> list[str]:
        """Return a way to the click: on from the legal move that ends nearest to it, else around enemies.

        So the reason is that the click is too far, not that some hex on the shortest way is closed.
        """
        begun = self._nearest_way()
        if begun and begun[-1] == self.to:
            return [*begun]
        if begun:
            return [*begun, *self._way(lambda place: False, begun[-1])]
        around = self._way(lambda place: any(not self._own(id) for id in self.position.at(place)))
        return around if len(around) > 1 else self._way(lambda place: False)

    def _nearest_way(self) -> tuple[str, ...]:
        """Return the way of the legal move of what was clicked that ends nearest to the click."""
        away, mine = self.away(), self._standing()
        moves = [
            (away[option.points.last], len(option.points.way), tuple(option.points.way))
            for option in self.listed
            if option.points.last in away
            and option.points.way
            and mine in option.points.counters
            and self.fits(option)
        ]
        return min(moves, default=(0, 0, ()))[2]

    def _way(self, shut: Callable[[str], bool], start: str | None = None) -> list[str]:
        start = start or self._start()
        chart = self.chart
        if chart is None or start is None or self.to is None:
            return [self.to] if self.to is not None else []
        begin, goal = chart.get(start), chart.get(self.to)
        if begin is None or goal is None:
            return [self.to]
        came, wave = {begin: begin}, deque([begin])
        while wave and goal not in came:
            here = wave.popleft()
            for beside in chart.neighbours(here):
                if beside not in came and (beside == goal or not shut(chart.number(beside))):
                    came[beside] = here
                    wave.append(beside)
        way: list[str] = []
        while goal in came and goal != begin:
            way.insert(0, chart.number(goal))
            goal = came[goal]
        return way or [self.to]


def _same_numbers(fault: Diagnostic, far: Diagnostic) -> bool:
    """Return True if a fault says of a way what is said of all ways: what it needs and what there is."""
    values = [str(value) for value in fault.fields.values()]
    return measures(fault) and all(far.fields[name] in values for name in ("unit", "needs", "has"))


def _value(legal: Legal) -> Any:
    return legal.answer if legal.added is None else legal.added.value


def _changed(value: Any, names: Mapping[str, str], ways: list[tuple[list[str], list[str]]]) -> Any:
    """Return a value with other names in it, and another way in place of the way."""
    if isinstance(value, str):  # a name, or a line of them as in `A BUD - GAL`
        return " ".join(names.get(word, word) for word in value.split(" "))
    if isinstance(value, list):
        for way, route in ways:
            if value == way:
                return route
        return [_changed(item, names, ways) for item in value]
    if isinstance(value, dict):
        return {names.get(key, key): _changed(item, names, ways) for key, item in value.items()}
    return value


def _shape(value: Any) -> Any:
    """Return the form of a value: two orders of one form are of one kind."""
    if isinstance(value, dict):
        return tuple(sorted(value))
    return type(value).__name__
