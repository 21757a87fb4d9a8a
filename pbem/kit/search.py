"""The computer as a player: an answer built from legal options while its value rises.

    def play_well(game, decision, pick):
        judge = partial(Judge, game, decision.player)
        return search(game, decision, judge, pick, plans(game, decision), game.budget)

A system says one thing: what a position is worth to a player (`Judge`). Everything else comes from the
list of legal options. An option that moves counters is first tried by moving them on the board, the best
of these by carrying them out on a copy. Where carrying out changes nothing that can be valued (an attack:
dice will decide) the answer is played forward to the end of its leaf on the player's view, with dice that
show all faces alike, and the mean value counts.

The player knows only the view. The budget counts positions looked at; there is no clock. Of equals the
option listed first is taken, or the default, so that the same view gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from pbem.engine.decisions import Decision, NoDefault, Option
from pbem.engine.drafting import Drafting
from pbem.engine.game import Game
from pbem.engine.growing import Growing, Next
from pbem.engine.rehearsal import SAMPLES, played_out
from pbem.engine.resolve import Question
from pbem.model.codec import from_json, to_json
from pbem.model.elements import Part
from pbem.text.canonical import Json

Judge = Callable[[Game], int]
"""The worth of a position to one player: more is better."""

Pick = Callable[[Sequence[Any]], Any]

PLAYED = 20
"""Positions for which an answer played forward counts: it takes as long."""
TRIED = 2
"""Ways of a counter that are carried out, those that seem best."""
SWEEPS = 2
"""The number of passes over the options of a section."""
LISTED = 20
"""Options listed for a position that is looked at."""
FEW = 2
"""Samples of dice that show whether an answer deserves all of them."""


def search(
    game: Game,
    decision: Decision[Any],
    judging: Callable[[], Judge],
    pick: Pick,
    plans: Iterable[Json] = (),
    budget: int = 0,
) -> Json:
    """Return the best answer found.

    `plans` are whole answers to begin with, the likeliest first: each is
    improved, and the one that leads to the best positions is taken. Without any the answer grows from
    nothing, and without a budget the first plan counts, or else the default.
    """
    if budget <= 0:
        return _usual(game, decision, pick, plans)
    ahead = _Ahead(game, decision, judging(), budget)
    if not isinstance(decision, Growing):
        return _chosen(ahead, decision, pick, plans)
    listed: list[Json] = [*plans] or [None]
    answers: list[Json] = []
    for plan in listed:
        ahead.left = budget // len(listed)
        answer = _Growth(decision, ahead, plan).answer()
        if answer not in answers:
            answers.append(answer)
    if len(answers) == 1 or not ahead.begin(answers[0]):
        return answers[0]
    ahead.left = budget
    gains = sorted((-ahead.gain(answer), n) for n, answer in enumerate(answers[1:], 1))
    return answers[gains[0][1] if gains[0][0] else 0]


def _usual(game: Game, decision: Decision[Any], pick: Pick, plans: Iterable[Json]) -> Json:
    """Return the first plan, else the default, else an option by chance."""
    for plan in plans:
        return plan
    try:
        return _default(game, decision)
    except NoDefault:
        option: Option = pick(list(decision.options(game)))
        return option.answer


def _default(game: Game, decision: Decision[Any]) -> Json:
    return to_json(decision.default(game))


def _speaker(game: Game, decision: Decision[Any], question: Question) -> Json:
    """Answer the player's own later questions by the rules' defaults."""
    return _default(game, decision)


class _Ahead:
    """Plays answers to one question forward, and counts what it costs.

    `best` is the value of the best answer so far, `few` what the first samples gave for it.
    """

    def __init__(self, game: Game, decision: Decision[Any], judge: Judge, budget: int) -> None:
        self.game, self.player, self.judge, self.left = game, decision.player, judge, budget
        self.best = self.few = 0

    def begin(self, answer: Json) -> bool:
        """Take an answer for the best so far. Return False where nobody can tell what becomes of it."""
        values = self._values(answer, range(SAMPLES)) if self.game.asked else []
        self.best, self.few = sum(values), sum(values[:FEW])
        return bool(values)

    def gain(self, answer: Json) -> int:
        """Return how much better an answer is than the best so far; 0 if it is not."""
        few = self._values(answer, range(FEW)) if self.left > 0 else []
        if not few or sum(few) < self.few:
            return 0
        rest = self._values(answer, range(FEW, SAMPLES))
        return max(0, sum(few) + sum(rest) - self.best) if rest else 0

    def _values(self, answer: Json, samples: Iterable[int]) -> list[int]:
        """Return what an answer comes to in some samples of dice; nothing where one cannot be told."""
        values = []
        for dice in samples:
            self.left -= PLAYED
            board = played_out(self.game, self.game.asked, answer, self.player, _speaker, dice=dice)
            if board is None:
                return []
            values.append(self.judge(board))
        return values


def _chosen(ahead: _Ahead, decision: Decision[Any], pick: Pick, plans: Iterable[Json]) -> Json:
    """Return the option that leads to the best positions.

    The first plan counts, or else the default, where no other is better.
    """
    usual = _usual(ahead.game, decision, pick, plans)
    if not ahead.begin(usual):
        return usual
    most = max(1, ahead.left // (PLAYED * FEW))
    answers = [option.answer for option in islice(decision.options(ahead.game), most)]
    gains = [(-gain, n) for n, answer in enumerate(answers) if (gain := ahead.gain(answer))]
    return answers[min(gains)[1]] if gains else usual


class _Growth:
    """An answer that grows while its value rises, section by section.

    A plan's part of a section comes first; what it has in later ones is kept in `rest`.
    """

    def __init__(self, decision: Growing[Any], ahead: _Ahead, plan: Json) -> None:
        self.game, self.decision, self.judge, self.ahead = ahead.game, decision, ahead.judge, ahead
        self.drafting = Drafting(decision, self.game)
        form = self.drafting.form
        self.rest = (
            []
            if plan is None
            else [element for _, element in form.elements(from_json(decision.answer, plan))]
        )
        self.now = self.judge(self.drafting.draft.game)

    def answer(self) -> Json:
        """Return the answer, or the default where what grew cannot be sent."""
        for section in self.drafting.form.sections or (None,):
            name = "" if section is None else section.name
            mine = [element for element in self.rest if _section(element) == name]
            self.rest = [element for element in self.rest if _section(element) != name]
            for element in mine:
                self.drafting.offer(element)
            if mine:
                self.now = self.judge(self.drafting.draft.game)
            self._grow(name)
        _complete(self.drafting)
        return self.drafting.json() if self.drafting.complete else _default(self.game, self.decision)

    def _grow(self, section: str) -> None:
        """Add what raises the value in one section, counter by counter."""
        groups: dict[str, list[Next[Any]]] = {}
        for option in islice(self._listed(section), LISTED * max(0, self.ahead.left)):
            counter = option.points.counters[0] if option.points.counters else option.points.start or ""
            groups.setdefault(counter, []).append(option)
        unclear: list[Next[Any]] = []
        for _ in range(SWEEPS):
            before, unclear = len(self.drafting.elements), []
            for options in groups.values():
                unclear += self._best_of(options)
            if len(self.drafting.elements) == before:
                break
        self._played(unclear)

    def _listed(self, section: str) -> Iterator[Next[Any]]:
        """Yield what may come next in a section."""
        number = self.drafting.form.number
        for option in self.drafting.next():
            if _section(option.element) == section:
                yield option
            elif section and number(_section(option.element)) > number(section):
                return

    def _best_of(self, options: Sequence[Next[Any]]) -> list[Next[Any]]:
        """Add the best of some options if it raises the value. Return those whose worth cannot be seen."""
        if self.ahead.left <= 0:
            return []
        unclear, best, best_plan = [], self.now, None
        for option in self._promising(options):
            value = self._carried_out(option)
            if value == self.now:
                unclear.append(option)
            elif value is not None and value > best:
                best, best_plan = value, option
        if best_plan is None:
            return unclear
        self.drafting.put(best_plan.element, instead=best_plan.instead)
        self.now = best
        return []

    def _carried_out(self, option: Next[Any]) -> int | None:
        """Return what the position is worth after an option; None if it has become illegal."""
        if not self._fits(option):
            return None
        self.ahead.left -= 1
        fork = self.drafting.fork()
        fork.put(option.element, instead=option.instead)
        return self.judge(fork.draft.game)

    def _fits(self, option: Next[Any]) -> bool:
        """Return True if an option may still follow what has been added since it was listed."""
        return not option.instead and not self.drafting.draft.faults(option.element)

    def _promising(self, options: Sequence[Next[Any]]) -> list[Next[Any]]:
        """Return what is worth carrying out: of ways of the same counters those with the best ends."""
        moves = [option for option in options if option.points.way]
        others = [option for option in options if not option.points.way]
        if len(moves) > TRIED:
            moves = moves[:: self._stride(len(moves))]
            ranked = sorted((-self._glance(move), n) for n, move in enumerate(moves))
            moves = [moves[n] for _, n in ranked[:TRIED]]
        return [*moves, *others[:: self._stride(len(others))]]

    def _stride(self, count: int) -> int:
        """Return how many options are skipped for one that is looked at, as the budget shrinks."""
        return 1 + count // max(1, self.ahead.left)

    def _glance(self, option: Next[Any]) -> int:
        """Return what the position would be worth with the counters at the end of their way."""
        self.ahead.left -= 1
        game, end = self.drafting.draft.game, option.points.last
        position, before = game.position, {}
        for id in option.points.counters:
            if id in position.counters:
                before[id] = position.counters[id].get("hex")
                position.set(id, hex=end)
        value = self.judge(game)
        for id, hex in before.items():
            position.set(id, hex=hex)
        return value

    def _played(self, unclear: Sequence[Next[Any]]) -> None:
        """Add what raises the mean value of the answer played forward, the best first."""
        ahead = self.ahead
        if not unclear or ahead.left <= 0 or not ahead.begin(self._whole(self.drafting)):
            return
        most = max(1, ahead.left // (PLAYED * (FEW + 1)))
        listed = unclear[:: 1 + len(unclear) // most]
        gains = sorted((-gain, n) for n, option in enumerate(listed) if (gain := self._gain(option)))
        for _, n in gains:
            if self._gain(listed[n]):
                self.drafting.put(listed[n].element, instead=listed[n].instead)
                ahead.begin(self._whole(self.drafting))
        self.now = self.judge(self.drafting.draft.game)

    def _gain(self, option: Next[Any]) -> int:
        """Return the gain in value from adding one element to the answer, played forward."""
        if self.ahead.left <= 0 or not self._fits(option):
            return 0
        fork = self.drafting.fork()
        fork.put(option.element, instead=option.instead)
        return self.ahead.gain(self._whole(fork))

    def _whole(self, drafting: Drafting[Any]) -> Json:
        """Return an answer with what the plan has for later sections."""
        fork = drafting.fork()
        for element in self.rest:
            fork.offer(element)
        _complete(fork)
        return fork.json() if fork.complete else _default(self.game, self.decision)


def _section(element: Any) -> str:
    return element.section if isinstance(element, Part) else ""


def _complete(drafting: Drafting[Any]) -> None:
    """Add what must be there, the first that is listed."""
    while not drafting.complete:
        option = next(drafting.next(), None)
        if option is None:
            return
        drafting.add(option)
