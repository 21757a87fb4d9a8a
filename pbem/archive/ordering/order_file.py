"""A player's order file: the questions, how it is loaded and checked, and its meaning.

Architecture 4, step 3.

Only the author's own tool reads this YAML. What it says is checked here against the player's own
view, so that its author sees every fault with its line and column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal

from pbem.archive.folder.game_over import need_going_on
from pbem.archive.folder.parts import Readable
from pbem.archive.ordering.in_one_wave import explained
from pbem.archive.ordering.standing_list import Filing
from pbem.engine import schemas
from pbem.engine.answers import short_key
from pbem.engine.decisions import Decision, Option, secrecy_in
from pbem.engine.drafting import Drafting
from pbem.engine.forced import OnlyAnswer, only_answer
from pbem.engine.growing import Growing
from pbem.engine.resolve import Question, normal
from pbem.model.codec import describe, faults_in, from_json, to_json
from pbem.model.elements import lines_of
from pbem.stages.named_readers import are_for_readers, readers_faults
from pbem.stages.two_players import commits_to, committing
from pbem.stages.views import PlayerView
from pbem.text.canonical import Json, NotCanonical, dumps
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused, in_order, nearest_first
from pbem.text.flow import flow
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean
from pbem.text.yaml import Document
from pbem.text.yaml import load as load_yaml

LABEL = 12
"""Hex digits of the game id in an order file."""
_TOP = ("game", "stage", "on_illegal", "answers", "ahead", "withdraw", "standing")
_LONG = 100


@dataclass(frozen=True)
class Answer:
    """One answer as it will be signed: committed to if `secret`. `question` is None if not asked yet."""

    value: Json
    secret: bool
    question: Question | None = None


@dataclass(frozen=True)
class Checked:
    """The result of checking a file.

    It may be signed if `ok`; `understood` says in words what would be signed.

    `only_standing`: there are no answers in it, so it becomes standing orders that hold from the next stage.
    `skip`: open answers that turn out illegal lose their bad parts, as committed ones do; else they are asked
    again. `stage` is the one that was open when they were checked (None: for whichever is).
    """

    answers: Mapping[str, Answer] = field(default_factory=dict)
    standing: list[Json] | None = None
    diagnostics: Sequence[Diagnostic] = ()
    understood: Sequence[str] = ()
    only_standing: bool = False
    skip: bool = False
    stage: int | None = None

    @property
    def ok(self) -> bool:
        """Return True if there is no error, at most warnings."""
        return all(fault.severity != "error" for fault in self.diagnostics)


def questions(folder: Readable) -> list[Question]:
    """Return the questions I have to answer in the current stage, in order of key."""
    return [question for question in _asked(folder) if not question.opening]


def to_open(folder: Readable) -> list[Question]:
    """Return the commitments I am asked to open; signing opens them without an answer (8.1)."""
    return [question for question in _asked(folder) if question.opening]


def _asked(folder: Readable) -> list[Question]:
    me = folder.need_me()
    if me not in folder.progress.asked:
        return []
    asked = set(folder.progress.asked[me])
    return [
        question for question in folder.view().questions if question.party == me and question.key in asked
    ]


def only_ready(folder: Readable) -> bool:
    """Return True if I have nothing to decide.

    I am asked only whether I am ready (protocol 4.4, rule 2), to open what I committed to, or what has one
    legal answer.
    """
    return folder.need_me() in folder.progress.asked and not choices(folder)


def by_program(view: PlayerView, question: Question) -> OnlyAnswer | None:
    """Return the answer that the program gives to a question without a choice; None if there is a choice."""
    decision = view.system.decision(question.kind, question.party, question.fields)
    return only_answer(view.game, decision)


def choices(folder: Readable) -> list[Question]:
    """Return the questions in which I have a choice."""
    view = folder.view()
    return [question for question in questions(folder) if by_program(view, question) is None]


def options(folder: Readable, question: Question) -> Iterator[Option]:
    """Yield the legal answers to a question now; of answers that grow those with at most one element."""
    view = folder.view()
    return view.system.decision(question.kind, question.party, question.fields).options(view.game)


def drafting(
    folder: Readable, question: Question, so_far: Json = None, *, speaks: bool = False
) -> Drafting[Any] | None:
    """Return a growing answer begun with `so_far`, or None for another question.

    With `speaks` it describes its elements in words.
    """
    view = folder.view()
    decision = view.system.decision(question.kind, question.party, question.fields)
    return drafting_of(view, decision, so_far, speaks=speaks)


def drafting_of(
    view: PlayerView, decision: Decision[Any], so_far: Json = None, *, speaks: bool = False
) -> Drafting[Any] | None:
    """Return a growing answer to a question that may not be asked yet, on the present board."""
    if not isinstance(decision, Growing):
        return None
    start = from_json(decision.answer, so_far) if so_far is not None else None
    return Drafting(decision, view.game, start, speaks=speaks)


# --- loading --------------------------------------------------------------------------------------------


def schema(folder: Readable, told: schemas.Told = schemas.in_english) -> dict[str, Any]:
    """Return the JSON Schema of the order file: the questions I owe, and advance orders.

    `told` translates the texts that editors show.
    """
    asked = {question.key: question.kind for question in questions(folder)}
    return schemas.orders(
        folder.system,
        asked,
        Message("archive.ordering.orders-stage", open_stage=folder.progress.open_stage),
        told,
    )


def load(folder: Readable, source: bytes | str, name: str) -> Document:
    """Load an order file, unquoted values typed as the questions ask; Refused with all faults."""
    return load_yaml(source, name, schema(folder))


# --- checking -------------------------------------------------------------------------------------------


def check(folder: Readable, document: Document, *, speaks: bool = True) -> Checked:
    """Check an order file: all faults at once, each with its place; then its meaning.

    Without `speaks` it leaves out the words of answers: their forecasts cost most of the time.
    """
    if not isinstance(document.data, dict):
        message = Message("archive.ordering.wanted-order-file", data=describe(document.data))
        help_ = (Message("archive.ordering.pbem-orders-new-writes-one"),)
        return _faulty(document, [Diagnostic("wrong-type", message, help=help_)])
    wrong_game = _game_fault(folder, document.data)
    if wrong_game is not None:
        return _faulty(document, [wrong_game])
    checker = _Checker(folder, speaks)
    checker.run(document.data)
    faults = nearest_first(in_order(fault.at(document) for fault in checker.faults))
    skip = document.data.get("on_illegal") == "skip"
    understood, alone, stage = checker.understood, checker.only_standing, folder.progress.open_stage
    return Checked(checker.answers, checker.standing, faults, understood, alone, skip, stage)


def _faulty(document: Document, faults: list[Diagnostic]) -> Checked:
    return Checked(diagnostics=[fault.at(document) for fault in faults])


def _game_fault(folder: Readable, data: dict[str, Any]) -> Diagnostic | None:
    """Return the one fault of a file for another game or stage."""
    game, stage = str(data.get("game", "")), data.get("stage")
    wanted, open_stage = folder.need_roster().game, folder.progress.open_stage
    if "game" not in data or "stage" not in data:
        message = Message("archive.ordering.missing-key", wanted=wanted[:LABEL], open_stage=open_stage)
        return Diagnostic(
            "missing-key", message, help=(Message("archive.ordering.begin-with-what-pbem-orders-new-writes"),)
        )
    if len(game) < LABEL or not wanted.startswith(game):
        message = Message("archive.ordering.other-game", game=describe(game), wanted=wanted[:LABEL])
        return Diagnostic("other-game", message, path=("game",))
    if stage != open_stage:
        message = Message("archive.ordering.other-stage", stage=describe(stage), open_stage=open_stage)
        help_ = (Message("archive.ordering.pbem-orders-new-writes-file-for-open-stage"),)
        return Diagnostic("other-stage", message, path=("stage",), help=help_)
    return None


class _Checker:
    """A collector of faults and answers of one file."""

    def __init__(self, folder: Readable, speaks: bool) -> None:
        self.folder = folder
        self.speaks = speaks
        self.system = folder.system
        self.view: PlayerView = folder.view()
        self.mine = {question.key: question for question in questions(folder)}
        progress = folder.progress
        self.how = committing(progress, folder, folder.need_me())
        swift = progress.roster.terms.dice == "swift"
        self.shut = Message("archive.ordering.sealed") if swift else Message("archive.ordering.committed")
        self.faults: list[Diagnostic] = []
        self.answers: dict[str, Answer] = {}
        self.standing: list[Json] | None = None
        self.only_standing = False
        self.understood: list[str] = []

    def run(self, data: dict[str, Any]) -> None:
        for key in data:
            if key not in _TOP:
                self._unknown(key, list(_TOP), (key,), "entry")
        if data.get("on_illegal", "ask") not in ("ask", "skip"):
            message = Message("archive.ordering.not-one-of", data=describe(data["on_illegal"]))
            self.faults.append(Diagnostic("not-one-of", message, path=("on_illegal",)))
        given = data.get("answers")
        if given is not None and not isinstance(given, dict):
            message = Message(
                "archive.ordering.wanted-mapping-from-decision-to-answer", given=describe(given)
            )
            help_ = (Message("archive.ordering.write-key-answer-on-each-line"),)
            self.faults.append(Diagnostic("wrong-type", message, path=("answers",), help=help_))
            given = None
        changes = [data.get(name) for name in ("ahead", "withdraw", "standing")]
        self.only_standing = "answers" not in data and any(change is not None for change in changes)
        skip = data.get("on_illegal") == "skip"
        self.filing = Filing(self.folder, alone=self.only_standing, skip=skip, shut=self.shut)
        answered: set[str] = set()
        for name, value in (given or {}).items():
            self._answer(name, value, answered)
        self.standing = self.filing.signed_list(*changes)
        for name, text in self.filing.sealed.items():
            self.answers[name] = Answer(text, commits_to(self.how, "kept"))
        self.faults += self.filing.faults
        self.understood += self.filing.understood
        if not self.only_standing:
            self._unanswered(answered)

    def _answer(self, name: str, value: Any, answered: set[str]) -> None:
        path = ("answers", name)
        asked = [
            question
            for question in self.mine.values()
            if name in (question.key, short_key(question.key, question.kind), question.kind)
        ]
        if len(asked) > 1 and name not in self.mine:
            keys = tuple(Message("archive.ordering.write-key", key=question.key) for question in asked)
            message = Message("archive.ordering.ambiguous-kind", count=len(asked), name=name)
            self.faults.append(
                Diagnostic("ambiguous-kind", message, family="ambiguous", path=path, help=keys, on_key=True)
            )
            return
        question = self.mine.get(name) or (asked[0] if asked else None)
        if question is None and self._kind_of(name) not in self.system.registry.decisions:
            known = [
                *self.mine,
                *(question.kind for question in self.mine.values()),
                *self.system.registry.decisions,
            ]
            self._unknown(name, list(dict.fromkeys(known)), path, "decision")
        elif value is None and (question is not None or faults_in(self._type(self._kind_of(name)), None)):
            if question is None or not self._by_program(question):
                self._unanswered_at(name, path)
            answered.add(question.key if question else name)
        elif question is None and are_for_readers(self.system, name):
            self._for_readers(name, value, path)
        elif question is None:
            self._ahead(name, value, path)
        elif question.key in answered:
            message = Message("archive.ordering.answered-twice", key=question.key)
            self.faults.append(Diagnostic("answered-twice", message, path=path, on_key=True))
        else:
            answered.add(question.key)
            self._to_question(question, value, path)

    def _kind_of(self, name: str) -> str:
        """Return the kind of an advance order, called by its kind or `kind/subject`."""
        return name.partition("/")[0]

    def _type(self, kind: str) -> Any:
        return self.system.registry.decisions[kind].answer

    def _by_program(self, question: Question) -> bool:
        """Answer a question without a choice; False if there is one."""
        only = by_program(self.view, question)
        if only is None:
            return False
        self._to_question(question, only.answer, ("answers", question.key), only=True)
        return True

    def _to_question(
        self, question: Question, value: Any, path: tuple[str, ...], *, only: bool = False
    ) -> None:
        decision = self.system.decision(question.kind, question.party, question.fields)
        of_it = explained(self.view.game, decision, value, speaks=self.speaks)
        faults = of_it.faults or self._canonical(value)
        self.faults += [replace(fault, path=(*path, *fault.path)) for fault in faults]
        if not faults:
            value = self._laid_apart(question.kind, value)
            final = normal(decision, value)
            self.faults += [replace(doubt, path=(*path, *doubt.path)) for doubt in of_it.doubts]
            secret = commits_to(self.how, question.secrecy)
            self.answers[question.key] = Answer(final, secret, question)
            in_clear: str = Message("archive.ordering.only-legal-answer") if only else ""
            if question.secrecy != "open":
                in_clear = Message("archive.ordering.in-open-nobody-can-use")
            self._understand(question.key, of_it.words, self.shut if secret else in_clear)

    def _ahead(self, name: str, value: Any, path: tuple[str, ...]) -> None:
        """Check a decision that is not asked yet: its shape, not whether it will be legal."""
        kind = self._kind_of(name)
        faults = faults_in(self._type(kind), value) or self._canonical(value)
        secrecy = secrecy_in(self.system.registry.decisions[kind], self.system.hidden)
        if secrecy == "together" and self.folder.need_roster().terms.dice == "pair":
            help_ = (Message("archive.ordering.answer-it-when-it-is-asked"),)
            message = Message("archive.ordering.kind-is-secret-and-nobody-could-open-it", kind=kind)
            faults = [*faults, Diagnostic("not-ahead", message, help=help_)]
        self.faults += [replace(fault, path=(*path, *fault.path)) for fault in faults]
        if not faults and (parted := self._apart(kind, value)) is not None:
            value, faults = parted
            self.faults += [replace(fault, path=(*path, *fault.path)) for fault in faults]
            if value is None and not faults:
                return
        if faults:
            return
        secret = commits_to(self.how, secrecy)
        long = len(flow(value)) > _LONG
        lines = lines_of(self._type(kind), value) if long else [flow(value)]
        entry: dict[str, Json] = {"decision": kind, "answer": value}
        if "/" in name:
            entry["subject"] = list[Json](name.split("/")[1:])
        if not secret and self.system.sealed_as(entry, ahead=True) is not None:
            entry = self.filing.named(entry)
            self.filing.seals(entry, path, ahead=True)
            note = Message(
                "archive.ordering.sent-ahead-shut", name=entry["once"], shut=self.filing.until_asked
            )
            self._understand(name, lines, note)
        elif "/" in name or (secret and (secrecy in ("together", "kept") or not self.system.hidden)):
            self.answers[name] = Answer(value, secret)
            reading: str = self.shut if secret else Message("archive.ordering.everybody-read")
            note = Message("archive.ordering.sent-ahead-for-this-stage", reading=reading)
            self._understand(name, lines, note)
        else:
            entry = self.filing.queue(entry)
            reading = self.filing.reading
            note = Message(
                "archive.ordering.sent-ahead-for-next-question", entry=entry["once"], reading=reading
            )
            self._understand(name, lines, note)

    def _for_readers(self, kind: str, value: Any, path: tuple[str, ...]) -> None:
        """Check a text for named readers, which rides with these orders."""
        decision, me = self.system.decision(kind, self.folder.need_me(), {}), self.folder.need_me()
        of_it = explained(self.view.game, decision, value, speaks=self.speaks)
        faults = [*(of_it.faults or self._canonical(value))]
        if not faults:
            faults = readers_faults(
                self.folder.need_roster(), me, decision.readers(from_json(decision.answer, value))
            )
        self.faults += [replace(fault, path=(*path, *fault.path)) for fault in faults]
        if not faults:
            self.answers[kind] = Answer(normal(decision, value), True)
            self._understand(kind, of_it.words, Message("archive.ordering.for-named-readers"))

    def _apart(self, kind: str, value: Any) -> tuple[Json, list[Diagnostic]] | None:
        """Return the rest of an advance order without parts committed on their own, and its faults.

        None if it has no such parts.
        """
        asked = self.system.registry.decisions[kind]
        rest, parts = asked.apart(from_json(asked.answer, value))
        if self.system.hidden or not parts:
            return None
        decision = self.system.decision(kind, self.folder.need_me(), {})
        if faults := list(explained(self.view.game, decision, value, speaks=False).faults):
            return value, faults
        self._laid_apart(kind, value)
        return None if rest is None else to_json(rest), []

    def _laid_apart(self, kind: str, value: Any) -> Any:
        """Return the answer without its separately committed parts, which become answers of their own."""
        asked = self.system.registry.decisions[kind]
        rest, parts = asked.apart(from_json(asked.answer, value))
        if self.system.hidden or not parts:
            return value
        for name, part in parts.items():
            self.answers[name] = Answer(to_json(part), commits_to(self.how, "kept"))
            self._understand(
                name, [flow(to_json(part))], Message("archive.ordering.for-itself", shut=self.shut)
            )
        return to_json(rest if rest is not None else from_json(asked.answer, {}))

    def _understand(self, name: str, lines: Sequence[str], note: str) -> None:
        """Add the meaning of an answer: on one line with its name, or a line for each element below it."""
        if len(lines) == 1:
            self.understood.append(
                Message("archive.ordering.answer-means", name=name, said=lines[0], note=note)
            )
        else:
            head = Message("archive.ordering.answer-means-below", name=name, note=note)
            self.understood += [
                head,
                *(Message("archive.ordering.element-means", said=meaning) for meaning in lines),
            ]

    def _canonical(self, value: Any) -> list[Diagnostic]:
        try:
            dumps(value)
        except NotCanonical as fault:
            return [fault.diagnostic()]
        return []

    def _unanswered_at(self, name: str, path: tuple[str, ...]) -> None:
        help_ = (Message("archive.ordering.pbem-orders-legal-lists-what-is-allowed"),)
        message = Message("archive.ordering.name-has-no-answer-yet", name=name)
        self.faults.append(Diagnostic("no-answer", message, path=path, help=help_, on_key=True))

    def _unanswered(self, answered: set[str]) -> None:
        """Report unanswered questions, as warnings if a standing order in the file may answer."""
        for key, question in self.mine.items():
            if key not in answered and (self.standing or not self._by_program(question)):
                severity: Literal["error", "warning"] = "warning" if self.standing else "error"
                message = Message("archive.ordering.no-answer", key=key)
                help_ = (Message("archive.ordering.add-it-under-answers", key=key),)
                self.faults.append(
                    Diagnostic("no-answer", message, severity=severity, path=("answers",), help=help_)
                )

    def _unknown(self, word: str, known: list[str], path: tuple[str, ...], what: str) -> None:
        near = did_you_mean(word, known)
        help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
        if word.partition(":")[0] in known:
            help_ = (Message("archive.ordering.write-blank-after-colon"),)
        message = Message("archive.ordering.unknown-key", what=what, word=describe(word), known=tuple(known))
        self.faults.append(Diagnostic("unknown-key", message, path=path, help=help_, on_key=True))


def need_asked(folder: Readable) -> str:
    """Return my party id; Refused if I am not asked anything in the current stage."""
    me = folder.need_me("player")
    progress = folder.progress
    if progress.stage < 0:
        help_ = (Message("archive.ordering.before-it-all-sign-roster"),)
        message = Message("archive.ordering.not-started")
        raise Refused(Diagnostic("not-started", message, help=help_))
    need_going_on(folder)
    if me not in progress.asked:
        waiting = ", ".join(progress.asked)
        message = Message(
            "archive.ordering.not-asked", party=me, open_stage=progress.open_stage, waiting=waiting
        )
        raise Refused(Diagnostic("not-asked", message))
    return me
