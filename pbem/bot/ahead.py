"""The advance orders that an ordinary player sends with an answer: whatever can be decided now.

The bot rehearses the next questions (`engine/rehearsal.py`) on what the player may know. It answers the
player's own questions of this turn at once, on the board that the answers leave. For dice in between it
assumes those that allow most; answers that the real dice forbid are left out. Of the questions after
others' decisions it answers the first, if the rules offer that (`Decision.ahead`): unless the player is
attacked, and only if the question is as expected. A player who passes now, and would pass again, passes for
the rest of the phase unless attacked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from pbem.engine.ahead import Entry, name_of
from pbem.engine.decisions import secrecy_in
from pbem.engine.foreseen import for_the_rest, waiting_for
from pbem.engine.rehearsal import Foreseen, Rehearsed, Speaker, rehearse
from pbem.engine.resolve import Question
from pbem.model.state import GameState
from pbem.rules import Game, Json, dataclass


@dataclass(frozen=True)
class Ahead:
    """The data sent with an answer.

    It has entries of the standing list and, by their kind, secrets that may not be in a list. `kinds` are
    those that the player has reconsidered: their older entries are withdrawn. `answers` are all that is sent,
    by the keys of the foreseen questions.
    """

    entries: list[Entry] = field(default_factory=list)
    secrets: dict[str, Json] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    answers: dict[str, Json] = field(default_factory=dict)

    def list_with(self, before: Sequence[Json]) -> list[Json]:
        """Return the player's standing list from now on."""
        return [*(entry for entry in before if entry not in self.withdrawn(before)), *self.entries]

    def withdrawn(self, before: Sequence[Json]) -> list[Json]:
        """Return the older entries that are withdrawn."""
        waiting = (entry for entry in before if name_of(entry) is not None)
        return [entry for entry in waiting if isinstance(entry, dict) and entry["decision"] in self.kinds]


def answers_ahead(
    view: Game,
    state: GameState,
    asked: Sequence[Question],
    given: Mapping[str, Json],
    player: str,
    speaker: Callable[[], Speaker],
    *,
    standing: Sequence[Json] = (),
    secrets: bool = True,
    last: int | None = None,
) -> Ahead:
    """Return the advance orders of `player` with the answers `given` (by key).

    `speaker` makes a brain that answers for the player, the same for every rehearsal. With `secrets`, secrets
    may be sent ahead. `last` is the last game turn to answer for.
    """
    if not asked:
        return Ahead()
    lasting = [entry for entry in standing if name_of(entry) is None]
    mine = [view.system.decision(question.kind, player, question.fields) for question in asked]
    later = [
        (next_question.kind, next_question.subject())
        for decision in mine
        for next_question in decision.ahead(view)
    ]
    best = _best(
        rehearse(view, state, given, player, speaker(), standing=lasting, dice=dice, later=later)
        for dice in ("low", "high")
    )
    made = _Made(view, asked, given)
    for question in best.asked:
        if last is not None and question.around.count > last:
            break
        made.add(question, best, secrets=secrets)
    kinds = dict.fromkeys(
        [*(question.kind for question in asked), *(str(e["decision"]) for e in made.entries)]
    )
    return Ahead(made.entries, made.secrets, tuple(kinds), made.answers)


def _best(rehearsals: Iterable[Rehearsed]) -> Rehearsed:
    """Return the rehearsal with most orders; one is enough if no dice matter."""
    best: Rehearsed | None = None
    for rehearsal in rehearsals:
        if best is None or _ordered(rehearsal) > _ordered(best):
            best = rehearsal
        if not any(next_question.after_dice for next_question in rehearsal.asked):
            break
    assert best is not None
    return best


def _ordered(rehearsed: Rehearsed) -> int:
    return sum(_size(next_question.answer) for next_question in rehearsed.asked)


def _size(value: Json) -> int:
    """Return how many words and numbers an answer has."""
    if isinstance(value, dict):
        return sum(_size(part) for part in value.values())
    return sum(_size(part) for part in value) if isinstance(value, list) else 1


class _Made:
    """A collector of the data sent with an answer."""

    def __init__(self, view: Game, asked: Sequence[Question], given: Mapping[str, Json]) -> None:
        self.view = view
        self.asked = {question.kind for question in asked}
        self.given = [(question.kind, given[question.key]) for question in asked if question.key in given]
        self.entries: list[Entry] = []
        self.secrets: dict[str, Json] = {}
        self.answers: dict[str, Json] = {}

    def add(self, foreseen: Foreseen, rehearsed: Rehearsed, *, secrets: bool) -> None:
        """Add the answer to one foreseen question."""
        kind = foreseen.decision.kind
        secrecy = secrecy_in(foreseen.decision, self.view.system.hidden)
        if secrecy in ("together", "kept"):
            # a secret answer is found by kind alone, so it would answer an open question of that kind twice
            alone = kind not in self.secrets and kind not in self.asked
            if secrets and secrecy == "together" and alone:
                self.secrets[kind] = self.answers[foreseen.question.key] = foreseen.answer
            return
        self.answers[foreseen.question.key] = foreseen.answer
        name = f"{kind}-{self.view.stage}-{len(self.entries) + 1}"
        rest = for_the_rest(foreseen, rehearsed) if (kind, foreseen.answer) in self.given else None
        entry = (
            rest | {"name": name} if rest is not None else waiting_for(foreseen, rehearsed) | {"once": name}
        )
        self.entries.append(entry | {"answer": foreseen.answer})
