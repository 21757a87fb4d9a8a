"""The way from a question to an answer: reply, standing order, default; and the repair of a bad one."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pbem.engine.ahead import Entry, Tried, name_of
from pbem.engine.answers import NOT_OPENED, DefaultTaken, How, Reply, Source, Use
from pbem.engine.conditions import applies
from pbem.engine.decisions import Decision, NoDefault, Secrecy, secrecy_in, shape_faults
from pbem.engine.game import Game
from pbem.engine.growing import Growing
from pbem.model.codec import faults_in, from_json, to_json
from pbem.model.located import strays
from pbem.text.canonical import Json, dumps
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.leaf import StageNotes


@dataclass(frozen=True)
class Question:
    """A pending decision as data.

    `id` changes with the question, so an answer to an outdated one is refused.
    """

    key: str
    id: str
    party: str
    kind: str
    rule: str
    fields: dict[str, Json]
    secrecy: Secrecy
    opening: bool = False
    commit: str | None = None

    @property
    def holder(self) -> str:
        """Return the key under which an early answer to this question is stored."""
        return f"{self.party}:{self.key}"

    def to_json(self) -> dict[str, Json]:
        members: dict[str, Json] = {
            "key": self.key,
            "id": self.id,
            "party": self.party,
            "kind": self.kind,
            "rule": self.rule,
            "fields": self.fields,
            "secrecy": self.secrecy,
        }
        if self.opening:
            members |= {"opening": True} | ({"commit": self.commit} if self.commit else {})
        return members

    @staticmethod
    def from_json(data: dict[str, Any]) -> Question:
        return Question(**data)


def question_of(
    decision: Decision[Any],
    key: str,
    *,
    hidden: object,
    together: bool = False,
    opening: bool = False,
    commit: str | None = None,
) -> Question:
    """Return the question for a decision.

    Its id hashes only what is in the question: it must not reveal hidden things.
    """
    fields = decision.fields_json()
    seen = dumps([decision.player, key, decision.kind, fields])
    secrecy = secrecy_in(decision, hidden)
    if together and secrecy == "open":
        secrecy = "together"
    return Question(
        key,
        sha256(seen).hexdigest()[:12],
        decision.player,
        decision.kind,
        decision.rule,
        fields,
        secrecy,
        opening,
        commit,
    )


class Resolver:
    """Finds answers for one leaf run."""

    def __init__(self, game: Game, source: Source, notes: StageNotes) -> None:
        self.game = game
        self.source = source
        self.notes = notes

    def resolve(self, decision: Decision[Any], question: Question) -> tuple[Json, How] | None:
        """Return the answer and its origin, or None if the game must wait."""
        given = self.source.reply(decision.player, question.key, decision.kind)
        if given is not None:
            answer = self._from_reply(decision, question, *given)
            if answer is not None:
                return answer
            if not self.source.forfeits(decision.player, question.key):
                return None
        return self.unasked(decision, question)

    def unasked(self, decision: Decision[Any], question: Question) -> tuple[Json, How] | None:
        """Return an advance order, a standing order, or the default.

        The default counts where nobody waits or the deadline has passed.
        """
        standing, held_up, waiting = self._from_ahead(decision, question)
        if standing is None and not held_up:
            standing = self._from_standing(decision)
        if standing is not None:
            self.notes.used.append(Use(decision.player, question.key, "standing"))
            return standing, "standing"
        waits = decision.waits(self.game)
        if waits and not self.source.forfeits(decision.player, question.key):
            for order in waiting:
                self.notes.ahead.note(order)
            return None
        try:
            default = to_json(decision.default(self.game))
        except NoDefault:
            return None
        if waits:
            self.notes.used.append(Use(decision.player, question.key, "default"))
            taken = DefaultTaken(
                question.party, question.key, question.kind, question.rule, question.fields, default
            )
            self.notes.defaults.append(taken)
        return default, "default"

    def _from_reply(
        self, decision: Decision[Any], question: Question, sent_as: str, reply: Reply
    ) -> tuple[Json, How] | None:
        how: How = question.secrecy if reply.committed else "open"
        if reply.question is not None and reply.question != question.id:
            message = Message(
                "engine.resolve.outdated-answer", question=reply.question, question_2=question.id
            )
            self.notes.diagnostics.append((decision.player, Diagnostic("outdated-answer", message)))
            return None
        if reply.value is NOT_OPENED:
            return None
        value: Any = reply.value
        final = reply.committed or reply.on_illegal == "skip"
        final = final or self.source.forfeits(decision.player, question.key)
        final = final or settled(self.game, decision, value)
        if final:
            try:
                answer = self.final(decision, value)
            except NoDefault:  # no default replaces a bad answer: ask again
                return None
            self.notes.used.append(Use(decision.player, sent_as, how))
            return answer, how
        faults = faults_of(self.game, decision, value)
        if faults:
            self.notes.diagnostics.extend((decision.player, fault) for fault in faults)
            return None
        self.notes.used.append(Use(decision.player, sent_as, how))
        return normal(decision, value), how

    def final(self, decision: Decision[Any], value: Json) -> Json:
        """Return the part of a final answer that counts.

        It is not asked again: bad parts are dropped, or the default counts (protocol 8.1).
        """
        faults = faults_of(self.game, decision, value)
        if not faults:
            return normal(decision, value)
        self.notes.diagnostics.extend((decision.player, fault) for fault in faults)
        if shape_faults(decision, value) or strays_in(self.game, decision, value):
            return to_json(decision.default(self.game))
        return to_json(decision.repair(self.game, from_json(decision.answer, value)))

    def _from_ahead(
        self, decision: Decision[Any], question: Question
    ) -> tuple[Json | None, bool, list[Tried]]:
        """Return the advance answer to this question, whether one is blocked, and those still waiting.

        The second is True if the owner's advance order is illegal now, so that no standing order may answer
        in its place. The third are those whose conditions do not hold.
        """
        queue, party = self.notes.ahead, decision.player
        waiting: list[Tried] = []
        for entry in queue.entries(party, self._orders(decision)):
            if entry["decision"] != decision.kind or not _about(entry, decision):
                continue
            name = str(name_of(entry))
            if not applies(self.game, decision, entry.get("when")):
                waiting.append(Tried(party, name, decision.kind, question.key, "waits"))
                continue
            answer, faults = self._ahead_answer(decision, entry)
            if answer is None:
                queue.note(Tried(party, name, decision.kind, question.key, "refused", tuple(faults)))
                return None, True, []
            if "once" in entry:
                queue.note(Tried(party, name, decision.kind, question.key, "used", tuple(faults)))
            return answer, False, []
        return None, False, waiting

    def _ahead_answer(self, decision: Decision[Any], entry: Entry) -> tuple[Json | None, list[Diagnostic]]:
        """Return the answer of an entry and its faults.

        The bad parts are left out if its owner wanted that.
        """
        value = entry["answer"]
        faults = faults_of(self.game, decision, value)
        if not faults:
            return normal(decision, value), []
        if settled(self.game, decision, value):
            return normal(decision, value), faults
        if entry.get("on_illegal") != "skip" or shape_faults(decision, value):
            return None, faults
        if strays_in(self.game, decision, value):
            return None, faults
        try:
            return to_json(decision.repair(self.game, from_json(decision.answer, value))), faults
        except NoDefault:
            return None, faults

    def _orders(self, decision: Decision[Any]) -> list[Json]:
        """Return the orders that may answer, opened sealed ones before those of the player's list.

        Opened orders with a faulty shape are left out.
        """
        player, forms = decision.player, decision.standing_forms
        opened: list[Json] = []
        for order in self.game.system.laid_open(self.game, player):
            if not isinstance(order, dict):
                continue
            mine = [name for name in order if name in forms]
            fits = order.get("decision") == decision.kind and not shape_faults(decision, order.get("answer"))
            if fits or (mine and not any(faults_in(forms[name], order[name]) for name in mine)):
                opened.append(order)
        return [*opened, *self.source.standing(player)]

    def _from_standing(self, decision: Decision[Any]) -> Json | None:
        listed = self._orders(decision)
        orders = [o for o in listed if isinstance(o, dict) and name_of(o) is None]
        forms = decision.standing_forms
        typed = [from_json(forms[name], order[name]) for order in orders for name in order if name in forms]
        if typed:
            answer = decision.from_standing(self.game, typed)
            if answer is not None and not self._complain(decision, to_json(answer)):
                return to_json(answer)
        for order in orders:
            if order.get("decision") != decision.kind:
                continue
            if not applies(self.game, decision, order.get("when")):
                continue
            if not self._complain(decision, order["answer"]):
                return normal(decision, order["answer"])
        return None

    def _complain(self, decision: Decision[Any], answer: Json) -> bool:
        """Note what is wrong with a standing order; True if it cannot be used."""
        faults = faults_of(self.game, decision, answer)
        self.notes.diagnostics.extend((decision.player, fault) for fault in faults)
        return bool(faults) and not settled(self.game, decision, answer)


def _about(entry: Entry, decision: Decision[Any]) -> bool:
    """Return True if an entry is for a question with this subject."""
    return "subject" not in entry or entry["subject"] == list(decision.subject())


def faults_of(game: Game, decision: Decision[Any], value: Json) -> list[Diagnostic]:
    """Return every fault of an answer: of shape first, then of legality."""
    faults = shape_faults(decision, value)
    if faults:
        return faults
    off_map = strays_in(game, decision, value)
    if off_map:
        return off_map
    try:
        return decision.check(game, from_json(decision.answer, value))
    except Refused as refused:
        return list(refused.diagnostics)


def settled(game: Game, decision: Decision[Any], value: Json) -> bool:
    """Return True if an answer itself says what becomes of its illegal parts later.

    Its shape and places must be right.
    """
    if shape_faults(decision, value):
        return False
    answer, chart = from_json(decision.answer, value), game.system.map_of(game.world)
    return decision.settles(answer) and not (
        chart is not None and list(strays(decision.answer, answer, chart))
    )


def strays_in(game: Game, decision: Decision[Any], value: Json) -> list[Diagnostic]:
    """Return the locations in an answer that are not on the map.

    Growing answers check each element themselves.
    """
    chart = game.system.map_of(game.world)
    if chart is None or isinstance(decision, Growing):
        return []
    return list(strays(decision.answer, from_json(decision.answer, value), chart))


def normal(decision: Decision[Any], value: Json) -> Json:
    """Return the one JSON form of an answer (defaults left out)."""
    return to_json(from_json(decision.answer, value))
