"""The questions that a player will be asked next, after these answers.

The sequence of play is rehearsed on what the player may know.

A rehearsal runs the leaves that follow on a copy of the player's view. The player's own questions are
answered by a person or a bot, those of others by their defaults. All dice are as the caller assumes. It ends
where nobody can say any more how it continues. Nothing of it counts: it helps players to answer in
advance, and says how sure each question is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from pbem.engine.answers import Inputs, StageSource
from pbem.engine.cursor import Cursor, Place, frames_at
from pbem.engine.decisions import Decision, NoDefault
from pbem.engine.forced import only_answer
from pbem.engine.game import Game
from pbem.engine.leaf import LeafRun, StageNotes, Suspended
from pbem.engine.outline import Node
from pbem.engine.requests import AskRequest, OpenRequest, Sealed, SealRequest
from pbem.engine.resolve import Question
from pbem.model.codec import from_json, to_json
from pbem.model.state import Entry, GameState, Open
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

Dice = Literal["low", "high"] | int
"""Courses of dice: all low, all high, or one of `SAMPLES` samples that together show each face alike."""

SAMPLES = 6
FALLEN = (
    (3, 0, 5, 2, 1, 4),
    (1, 4, 2, 5, 3, 0),
    (5, 2, 3, 0, 4, 1),
    (0, 3, 4, 1, 5, 2),
    (4, 5, 0, 3, 2, 1),
    (2, 1, 4, 0, 5, 3),
    (0, 2, 1, 4, 3, 5),
)
Speaker = Callable[[Game, Decision[Any], Question], Json]
"""Answers a question of the player on the board as it would be then; NoDefault where he does not know."""

Subject = tuple[str, tuple[str | int, ...]]
"""A kind of question, and what it is about."""

MOST_LEAVES = 400
MOST_ASKED = 60
SUPPOSED = 100  # dice to suppose
MOST_ROLLED = 400


@dataclass(frozen=True)
class Around:
    """The nodes around a leaf, outermost first, with the leaf.

    `passing` tells one pass through each from the next; `phasing` is the player whose turn it is.
    """

    nodes: tuple[Node, ...]
    passing: Mapping[str, Json]
    phasing: str | None

    @property
    def turn(self) -> Node | None:
        """Return the innermost node that is somebody's turn."""
        return next((node for node in reversed(self.nodes) if node.kind in ("each", "powers")), None)

    @property
    def count(self) -> int:
        """Return the count of the outermost loop, which is the game turn; 1 without one."""
        loop = next((node for node in self.nodes if node.kind == "repeat"), None)
        passing = self.passing[loop.id] if loop is not None else 1
        return int(str(passing[-2])) if isinstance(passing, list) else 1

    def same(self, other: Around, node: Node) -> bool:
        """Return True if the other leaf is in the same pass through a node."""
        return node.id in self.passing and other.passing.get(node.id) == self.passing[node.id]

    def same_turn(self, other: Around, player: str) -> bool:
        """Return True if the other leaf is in the same turn, which is this player's."""
        return self.turn is not None and self.phasing == player and self.same(other, self.turn)


@dataclass(frozen=True)
class Passed:
    """A supposed event that nobody can know before it happens: dice, or another's answer.

    `party` and `kind` are those of the other's question; both are empty for dice. `secret`: that answer is
    sealed until all have answered.
    """

    party: str = ""
    kind: str = ""
    secret: bool = False


@dataclass(frozen=True)
class Foreseen:
    """A question of the player as it would come, and the player's answer.

    `known` is what `when:` may test of it. `sure`: nobody else decides before, but in the player's own turn;
    `after_dice`: dice fall before; `around` is where it comes; `passed` is what was supposed before.
    """

    decision: Decision[Any]
    question: Question
    answer: Json
    known: Mapping[str, str | int | bool]
    sure: bool
    after_dice: bool
    around: Around
    passed: tuple[Passed, ...] = ()


@dataclass(frozen=True)
class Rehearsed:
    """The result of a rehearsal: the player's later questions in order, the current place, and any dice.

    `here` is None if the question did not come. `unanswered` is the question at which the speaker did not
    know the answer, if that ended it. `passed` is everything that was supposed.
    """

    asked: tuple[Foreseen, ...]
    here: Around | None
    dice: bool
    unanswered: Foreseen | None = None
    passed: tuple[Passed, ...] = ()


def standpoint(view: Game, question: Question) -> GameState:
    """Return the state that a player assumes when asked: the view, at the leaf that the key names.

    Where a game hides nothing, the state itself is better: it has the earlier answers of the leaf.
    """
    at = frames_at(view, question.key)
    return GameState({}, "", dict(view.options), view.players, at, view.position.copy())


def played_out(
    view: Game, key: str, answer: Json, player: str, speaker: Speaker, *, dice: Dice = "low"
) -> Game | None:
    """Return the board at the end of the leaf in which `player` gives this answer.

    None where `view` cannot tell. `speaker` answers the player's later questions in the leaf, the rules'
    defaults those of others.
    """
    frames = frames_at(view, key)
    if not frames:
        return None
    game = view.copy()
    going = _Rehearsal(player, speaker, {key: answer})
    cursor = Cursor(game.system, game.system.outline, frames)
    going.at(game, cursor)
    source = _Supposed(Inputs(view.stage), dice, going)
    try:
        _RehearsedLeaf(game, cursor.place(game.scenario), None, source, going).run()
    except Exception:
        return None  # the phase went further, or needs what this player cannot know
    return game if going.begun else None


def rehearse(
    view: Game,
    state: GameState,
    answers: Mapping[str, Json],
    player: str,
    speaker: Speaker,
    *,
    standing: Sequence[Json] = (),
    dice: Dice = "low",
    later: Collection[Subject] | None = None,
    watchful: bool = False,
) -> Rehearsed:
    """Go on from where the player is asked with these `answers` (by key), as long as it can be told.

    `view` is the game as the player sees it, `state` where it stands (`standpoint`), `standing` the
    player's standing orders. It is over when the player would be asked a second time after others
    have decided; with `later` sooner, where that question is none of these. `watchful`: in
    `passed`, leave out questions to others that have no choice, as everybody sees, and go on to the
    end of a turn of the player's own that begins meanwhile.
    """
    if not state.at:
        return Rehearsed((), None, False)
    game = view.copy()
    game.position = state.position.copy()
    going = _Rehearsal(player, speaker, answers, later, watchful=watchful)
    cursor = Cursor(game.system, game.system.outline, state.at)
    source = _Supposed(Inputs(view.stage, standing={player: list(standing)}), dice, going)
    before = state.open
    for _ in range(MOST_LEAVES):
        going.at(game, cursor)
        try:
            if (
                _RehearsedLeaf(game, cursor.place(game.scenario), before, source, going).run().open
                is not None
            ):
                break
            cursor.advance(game)
        except Exception:
            if not game.system.hidden:
                raise
            break  # a view cannot tell what follows: the rules need what this player cannot know
        before = None
        if cursor.ended or not going.begun:
            break
    return Rehearsed(tuple(going.asked), going.here, going.rolled, going.unanswered, tuple(going.passed))


class _Rehearsal:
    """The data kept over the leaves of a rehearsal."""

    def __init__(
        self,
        player: str,
        speaker: Speaker,
        answers: Mapping[str, Json],
        later: Collection[Subject] | None = None,
        *,
        watchful: bool = False,
    ) -> None:
        self.later = later
        self.watchful = watchful
        self.player = player
        self.speaker = speaker
        self.answers = answers
        self.asked: list[Foreseen] = []
        self.unanswered: Foreseen | None = None
        self.passed: list[Passed] = []
        self.here: Around | None = None
        self.now = Around((), {}, None)
        self.others = self.rolled = False
        self.notes = StageNotes()

    @property
    def begun(self) -> bool:
        """Return True if the rehearsal has reached the current question."""
        return self.here is not None

    def at(self, game: Game, cursor: Cursor) -> None:
        """Note a leaf that the sequence of play has reached.

        In another player's turn, that player decides, even if another one is asked.
        """
        phasing = None if cursor.phasing is None else game.seat(cursor.phasing)
        self.now = Around(tuple(cursor.around()), cursor.within(), phasing)
        self.others = self.others or (self.begun and phasing not in (None, self.player))

    @property
    def sure(self) -> bool:
        """Return True if nobody else decides before the question now reached, except in the player's own
        turn."""
        begun = [self.here] if self.here is not None else []
        if self.watchful and self.asked and self.asked[-1].sure:
            begun.append(self.asked[-1].around)
        return not self.others or any(loop.same_turn(self.now, self.player) for loop in begun)

    def said(self, run: LeafRun, decision: Decision[Any], question: Question, *, beside: bool) -> Json:
        """Return the answer to a question.

        `beside`: the player is asked at the same time.
        """
        mine = decision.player == self.player
        if mine and question.key in self.answers:
            self.here = self.here or self.now
            return self.answers[question.key]
        if not self.begun or (mine and len(self.asked) == MOST_ASKED):
            raise Suspended
        unasked = run.resolver.unasked(decision, question)
        if unasked is not None:
            return unasked[0]
        if mine:
            return self._foreseen(run.game, decision, question)
        self.others = self.others or not beside
        if not (self.watchful and _without_choice(run.game, decision)):
            self.passed.append(Passed(decision.player, decision.kind, question.secrecy != "open"))
        try:
            return to_json(decision.default(run.game))
        except NoDefault:
            raise Suspended from None

    def _foreseen(self, game: Game, decision: Decision[Any], question: Question) -> Json:
        if self.asked and not self.asked[-1].sure:
            raise Suspended
        if not (self.sure or self.later is None or (decision.kind, decision.subject()) in self.later):
            raise Suspended
        foreseen = Foreseen(
            decision,
            question,
            None,
            decision.known(game),
            self.sure,
            self.rolled,
            self.now,
            tuple(self.passed),
        )
        try:
            answer = self.speaker(game, decision, question)
        except NoDefault:
            self.unanswered = foreseen
            raise Suspended from None
        self.asked.append(replace(foreseen, answer=answer))
        return answer


def _without_choice(game: Game, decision: Decision[Any]) -> bool:
    return not game.system.hidden and only_answer(game, decision) is not None


class _Supposed(StageSource):
    """Standing orders of one player, and dice that always roll low or high.

    After many such rolls (a tie is rolled again until somebody wins) they go through all faces, each die at
    its own pace.
    """

    def __init__(self, inputs: Inputs, dice: Dice, going: _Rehearsal) -> None:
        super().__init__(inputs)
        self.dice = dice
        self.going = going
        self.rolls = 0

    def roll(self, dice: str, label: list[str | int], hidden: bool) -> list[int] | None:
        if not self.going.begun or self.rolls >= MOST_ROLLED:
            return None
        self.going.rolled = True
        self.going.passed.append(Passed())
        self.rolls += 1
        number, _, sides = ("2", "", "6") if dice == "d66" else dice.partition("d")
        last = int(sides)
        if isinstance(self.dice, int):
            return [self._sampled(n, last) for n in range(int(number))]
        shift = max(0, self.rolls - SUPPOSED)
        faces = [(shift + shift // last) * (n + 1) % last for n in range(int(number))]
        return [face + 1 if self.dice == "low" else last - face for face in faces]

    def _sampled(self, n: int, last: int) -> int:
        """Return the face of a die: over all samples each die shows its faces evenly, in an order of its
        own."""
        assert isinstance(self.dice, int)
        at = FALLEN[(self.rolls + n) % len(FALLEN)][self.dice % SAMPLES]
        return (2 * at + 1) * last // (2 * SAMPLES) + 1

    def shuffle(self, items: list[str | int], label: list[str | int], hidden: bool) -> list[Any] | None:
        if not self.going.begun:
            return None
        self.going.rolled = True
        self.going.passed.append(Passed())
        return list(items)


class _RehearsedLeaf(LeafRun):
    """A leaf whose questions are answered at once."""

    def __init__(
        self, game: Game, place: Place, before: Open | None, source: StageSource, going: _Rehearsal
    ) -> None:
        super().__init__(game, place, before, source, going.notes)
        self.going = going

    def _append(self, entry: Entry) -> None:
        """Append without chaining: nobody reads this journal, and only replayed entries are chained."""
        if self.replaying:
            super()._append(entry)
        else:
            self.journal.append(entry)

    def _left_open(self) -> Open:
        return Open()

    def _ask(self, request: AskRequest) -> list[Any]:
        if self.replaying:
            return super()._ask(request)
        me = self.going.player
        questions = [
            self._question(d, self._key(d.player, d.kind, d.subject()), together=request.together)
            for d in request.decisions
        ]
        answers: dict[str, Json] = {}
        for mine in (True, False):  # find questions asked at the same time first
            for decision, question in zip(request.decisions, questions, strict=True):
                if (question.party == me) is mine:
                    beside = any(asked.party == me for asked in questions)
                    answers[question.holder] = self.going.said(self, decision, question, beside=beside)
        pairs = zip(request.decisions, questions, strict=True)
        return [from_json(decision.answer, answers[question.holder]) for decision, question in pairs]

    def _seal(self, request: SealRequest) -> Sealed:
        if self.replaying:
            return super()._seal(request)
        decision = request.decision
        key = self._key(decision.player, decision.kind, decision.subject())
        value = self.going.said(self, decision, self._question(decision, key), beside=False)
        self._append({"seal": key, "party": decision.player, "value": value, "stage": self.source.stage})
        return Sealed(key, decision)

    def _open(self, request: OpenRequest) -> Any:
        """End the rehearsal at a commitment of an earlier leaf, whose value it does not know."""
        if not self.replaying and not any(entry.get("seal") == request.sealed.key for entry in self.journal):
            raise Suspended
        return super()._open(request)
