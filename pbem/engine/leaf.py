"""The driver of one leaf.

It replays the leaf's journal, then takes new answers until the procedure ends or an answer or a die is
missing.

A suspension is not an exception thrown through rule code: the driver just stops sending. The
position is taken before the coroutine is closed, because closing runs `finally` blocks.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

from pbem.engine import journal, powers
from pbem.engine.ahead import Queue, lapses
from pbem.engine.answers import NOT_OPENED, DefaultTaken, How, Source, Use
from pbem.engine.attacks import attacked
from pbem.engine.cursor import Place
from pbem.engine.decisions import Decision
from pbem.engine.game import Game, StepLeft
from pbem.engine.requests import (
    AskRequest,
    ConsultRequest,
    LodgeRequest,
    OpenRequest,
    RollRequest,
    Sealed,
    SealRequest,
    ShuffleRequest,
)
from pbem.engine.resolve import Question, Resolver, question_of
from pbem.model.codec import from_json
from pbem.model.events import Roll, Shuffle, Told
from pbem.model.state import Entry, Open
from pbem.text.canonical import Json, dumps
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError
from pbem.text.messages import Message


class Divergence(PbemError):
    """Replay asked for something else than was recorded: the run must not go on."""

    def __init__(self, place: str, index: int, recorded: str, now_wanted: str) -> None:
        super().__init__(
            Message(
                "engine.leaf.journal-does-not-fit-rules",
                place=place,
                index=index + 1,
                recorded=recorded,
                found=now_wanted,
            )
        )


class Suspended(Exception):
    """Raised inside the driver only (never through a procedure): something is missing."""


@dataclass
class StageNotes:
    """The notes that one run collects over all its leaves."""

    labels: Counter[tuple[str | int, ...]] = field(default_factory=Counter)
    used: list[Use] = field(default_factory=list)
    diagnostics: list[tuple[str, Diagnostic]] = field(default_factory=list)
    defaults: list[DefaultTaken] = field(default_factory=list)
    ahead: Queue = field(default_factory=Queue)


@dataclass
class LeafEnd:
    """The end of a run of one leaf.

    `open` is None when it ended; then `kept` are the lodged commitments left.
    """

    open: Open | None
    pending: tuple[Question, ...]
    told: list[Told]
    kept: tuple[Entry, ...] = ()


class LeafRun:
    """One run of one leaf over a game whose position may be changed."""

    def __init__(
        self,
        game: Game,
        place: Place,
        before: Open | None,
        source: Source,
        notes: StageNotes,
        kept: Sequence[Entry] = (),
    ) -> None:
        self.game = game
        self.start = place
        self.source = source
        self.notes = notes
        self.recorded: list[Entry] = list(before.journal) if before else []
        self.before = before
        self.kept = tuple(kept)
        self.journal: list[Entry] = []
        self.pending: list[Question] = []
        self.held: dict[str, Json] = dict(before.held) if before else {}
        self.keys: Counter[tuple[str, str]] = Counter()
        self.chain = hashlib.sha256(place.start.encode())
        self.chained = 0
        self.resolver = Resolver(game, source, notes)
        self.watched = before.told if before else 0

    def run(self) -> LeafEnd:
        """Run to the end of the leaf or to the first thing that is missing."""
        game = self.game
        game.enter(self.start)
        game.told = []
        coroutine = game.system.leaf(self.start.leaf.name)(game, self.start.phasing)
        result: Any = None
        try:
            while True:
                try:
                    request = coroutine.send(result)
                except (StopIteration, StepLeft):
                    break
                result = self._answer(request)
        except Suspended:
            end = LeafEnd(self._left_open(), tuple(self.pending), self._new_events())
            self._close(coroutine)
            return end
        if len(self.journal) < len(self.recorded):
            self._diverge(self.recorded[len(self.journal)], Message("engine.leaf.end-leaf"))
        self._watch()
        return LeafEnd(None, (), self._new_events(), journal.still_kept(self.kept, self.journal))

    @property
    def place(self) -> Place:
        """Return the place of the procedure: its leaf, or the step that it has reached."""
        return self.game.here or self.start

    def _close(self, coroutine: Any) -> None:
        """Close the procedure on a position nobody looks at any more."""
        kept = self.game.position
        self.game.position = kept.copy()
        coroutine.close()
        self.game.position = kept

    def _watch(self) -> None:
        """Let what was sent ahead lapse where its owner is attacked by what was told since the last look."""
        lists = {player: self.source.standing(player) for player in self.game.players}
        if any(lapses(order) for orders in lists.values() for order in orders):
            for told in self.game.told[self.watched :]:
                for player in attacked(self.game, told, self.start.phasing):
                    self.notes.ahead.attacked(player, lists[player])
        self.watched = len(self.game.told)

    def _new_events(self) -> list[Told]:
        return self.game.told[self.before.told if self.before else 0 :]

    def _left_open(self) -> Open:
        return Open(
            journal=self.journal,
            interim=self.game.position.digest(),
            told=len(self.game.told),
            pending=[question.to_json() for question in self.pending],
            held=self.held,
        )

    # ---- the journal ---------------------------------------------------------------------------------

    @property
    def replaying(self) -> bool:
        return len(self.journal) < len(self.recorded)

    def _recall(self, **expected: Json) -> Entry:
        """Return the next recorded entry, which must match the rules' request."""
        entry = self.recorded[len(self.journal)]
        if any(entry.get(name) != value for name, value in expected.items()):
            self._diverge(entry, journal.short(expected))
        self._append({key: value for key, value in entry.items() if key != "h"})
        if self.journal[-1]["h"] != entry["h"]:
            self._diverge(
                entry, Message("engine.leaf.but-events-answers-before-differ", short=journal.short(expected))
            )
        return entry

    def _append(self, entry: Entry) -> None:
        """Add an entry, chained over everything before it, events included."""
        for told in self.game.told[self.chained :]:
            self.chain.update(dumps(journal.without_stage(told.event)))
        self.chained = len(self.game.told)
        self.chain.update(dumps(entry))
        self.journal.append(entry | {"h": self.chain.hexdigest()[:12]})

    def _diverge(self, entry: Entry, now_wanted: str) -> None:
        raise Divergence(
            self.place.text or self.place.key(), len(self.journal), journal.short(entry), now_wanted
        )

    def _join(self) -> None:
        """Check that replay ends at the position where the leaf stopped."""
        before = self.before
        if before and before.interim and len(self.journal) == len(self.recorded):
            if self.game.position.digest() != before.interim or len(self.game.told) != before.told:
                raise Divergence(self.place.text, len(self.journal), "another position", "this one")
            self.before = Open(told=before.told, held=before.held)  # once

    def _answer(self, request: object) -> Any:
        if isinstance(request, LodgeRequest):
            return self._lodge(request)
        if not self.replaying:
            self._join()
        match request:
            case AskRequest():
                return self._ask(request)
            case RollRequest():
                return self._roll(request)
            case ShuffleRequest():
                return self._shuffle(request)
            case ConsultRequest():
                return self._consult(request)
            case SealRequest():
                return self._seal(request)
            case OpenRequest():
                return self._open(request)
        raise AssertionError(f"a procedure awaited {request!r}, which is no request")

    def _key(self, player: str, kind: str, subject: tuple[str | int, ...]) -> str:
        key = self.place.key(kind, *subject)
        self.keys[player, key] += 1
        count = self.keys[player, key]
        return key if count == 1 else f"{key}/{count}"

    def _question(self, decision: Decision[Any], key: str, **how: Any) -> Question:
        powers.check(self.game, decision)
        assert decision.secrecy != "readers", f"{decision.kind} is for named readers: the rules never ask it"
        return question_of(decision, key, hidden=self.game.system.hidden, **how)

    def _ask(self, request: AskRequest) -> list[Any]:
        keys = [self._key(d.player, d.kind, d.subject()) for d in request.decisions]
        asked = list(zip(request.decisions, keys, strict=True))
        if self.replaying:
            entries = [self._recall(ask=key, **powers.answerer(d)) for d, key in asked]
            request.by.extend(str(entry["by"]) for entry in entries)
            return [from_json(d.answer, e["answer"]) for d, e in zip(request.decisions, entries, strict=True)]
        questions = [self._question(d, key, together=request.together) for d, key in asked]
        self._watch()
        hows: list[tuple[Json, How] | None] = []
        for decision, question in zip(request.decisions, questions, strict=True):
            held = self.held.get(question.holder)
            if isinstance(held, dict):
                hows.append((held["answer"], held["by"]))  # type: ignore[arg-type]
            else:
                hows.append(self.resolver.resolve(decision, question))
        if any(answer is None for answer in hows):
            self._hold(questions, hows)
            raise Suspended
        answers = [answer for answer in hows if answer is not None]
        for question, (answer, how) in zip(questions, answers, strict=True):
            self._append(
                {
                    "ask": question.key,
                    "party": question.party,
                    "answer": answer,
                    "by": how,
                    "stage": self.source.stage,
                }
            )
            self.held.pop(question.holder, None)
        request.by.extend(how for _, how in answers)
        return [from_json(d.answer, a) for d, (a, _) in zip(request.decisions, answers, strict=True)]

    def _hold(self, questions: list[Question], given: list[tuple[Json, How] | None]) -> None:
        """Keep what is there of a simultaneous question; ask again only for the rest."""
        for question, answer in zip(questions, given, strict=True):
            if answer is None:
                self.pending.append(question)
            else:
                self.held[question.holder] = {"answer": answer[0], "by": answer[1]}

    def _seal(self, request: SealRequest) -> Sealed:
        decision = request.decision
        key = self._key(decision.player, decision.kind, decision.subject())
        lasting: dict[str, Any] = {"lodged": True} if request.lasting else {}
        if self.replaying:
            self._recall(seal=key, party=decision.player, **lasting)
            return Sealed(key, decision)
        question = self._question(decision, key)
        reply = self.source.reply(decision.player, key, decision.kind)
        if reply is None:
            answer = self.resolver.unasked(decision, question)
            if answer is None:
                self.pending.append(question)
                raise Suspended
            entry = {"seal": key, "party": decision.player, "value": answer[0], "stage": self.source.stage}
            self._append(entry | lasting)
            return Sealed(key, decision)
        self._append(journal.sealed(key, decision.player, self.source.stage, *reply) | lasting)
        return Sealed(key, decision)

    def _lodge(self, request: LodgeRequest) -> Sealed | None:
        """Take a commitment that may be there.

        Nobody waits for it: a missing one leaves no entry and may come in a later stage.
        """
        decision = request.decision
        assert decision.secrecy != "readers", f"{decision.kind} is for named readers: the rules never see it"
        key = self._key(decision.player, decision.kind, decision.subject())
        if self.replaying:
            if self.recorded[len(self.journal)].get("seal") != key:
                return None
            self._recall(seal=key, party=decision.player, lodged=True)
            return Sealed(key, decision)
        ahead = "/".join([decision.kind, *map(str, decision.subject())])
        reply = self.source.reply(decision.player, key, ahead)
        if reply is None:
            return None
        self._append(journal.sealed(key, decision.player, self.source.stage, *reply) | {"lodged": True})
        return Sealed(key, decision)

    def _open(self, request: OpenRequest) -> Any:
        sealed, decision = request.sealed, request.sealed.decision
        if self.replaying:
            return from_json(decision.answer, self._recall(open=sealed.key, party=decision.player)["value"])
        known = (*self.journal, *self.kept)
        entry = next(e for e in known if e.get("seal") == sealed.key and e["party"] == decision.player)
        if "value" in entry:
            value: Any = entry["value"]
        else:
            reply = self.source.opening(decision.player, sealed.key)
            if reply is None or reply.value is NOT_OPENED:
                commit = entry.get("commit")
                self.pending.append(self._question(decision, sealed.key, opening=True, commit=commit))
                raise Suspended
            value = reply.value
        final = self.resolver.final(decision, value)
        self._append(
            {"open": sealed.key, "party": decision.player, "value": final, "stage": self.source.stage}
        )
        sent_as = entry.get("as")
        if isinstance(sent_as, str):
            self.notes.used.append(Use(decision.player, sent_as, "kept"))
        return from_json(decision.answer, final)

    def _label(self, words: tuple[str | int, ...]) -> list[str | int]:
        """Return a label: words and the occurrence of these words within the stage (protocol 9.3)."""
        self.notes.labels[words] += 1
        return [*words, self.notes.labels[words]]

    def _roll(self, request: RollRequest) -> Roll:
        def roll(label: list[str | int]) -> Sequence[int] | None:
            return self.source.roll(request.dice, label, request.hidden)

        entry = self._chance("dice", request.dice, request.words, roll)
        return Roll(
            journal.words(entry["label"]),
            request.dice,
            journal.numbers(entry["result"]),
            self._earlier(entry),
            request.hidden,
        )

    def _shuffle(self, request: ShuffleRequest) -> Shuffle:
        def shuffle(label: list[str | int]) -> Sequence[str | int] | None:
            return self.source.shuffle(list(request.items), label, request.hidden)

        entry = self._chance("shuffle", list(request.items), request.words, shuffle)
        return Shuffle(
            journal.words(entry["label"]),
            request.items,
            journal.words(entry["result"]),
            self._earlier(entry),
            request.hidden,
        )

    def _chance(
        self,
        kind: str,
        of: Json,
        words: tuple[str | int, ...],
        made: Callable[[list[str | int]], Sequence[str | int] | None],
    ) -> Entry:
        """Return the entry of a roll or shuffle, recorded before or made now."""
        if self.replaying:
            return self._recall(**{kind: of}, words=list(words))
        label = self._label(words)
        result = made(label)
        if result is None:
            raise Suspended
        stage = self.source.stage
        self._append(
            {kind: of, "words": list(words), "label": list(label), "result": list(result), "stage": stage}
        )
        return self.journal[-1]

    def _earlier(self, entry: Entry) -> int | None:
        stage = entry["stage"]
        assert isinstance(stage, int)
        return stage if stage != self.source.stage else None

    def _consult(self, request: ConsultRequest) -> list[Any]:
        kind = self.game.system.standing_type(request.form)
        assert kind is not None, f"no decision has the standing form '{request.form}'"
        if self.replaying:
            entry = self._recall(consult=request.form, party=request.player)
        else:
            orders = [
                order[request.form]
                for order in self.source.standing(request.player)
                if isinstance(order, dict) and request.form in order
            ]
            self._append(
                {
                    "consult": request.form,
                    "party": request.player,
                    "orders": orders,
                    "stage": self.source.stage,
                }
            )
            entry = self.journal[-1]
        recorded = entry["orders"]
        assert isinstance(recorded, list)
        return [from_json(kind, order) for order in recorded]
