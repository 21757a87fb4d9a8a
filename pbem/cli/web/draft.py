"""An order file that is written by clicking: questions, next elements, the file in private/."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.web import in_a_row
from pbem.cli.web.addresses import at_hand
from pbem.cli.web.addresses.at_hand import AtHand, once
from pbem.cli.web.shown import faults
from pbem.engine.points import NOWHERE, Points
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder, NothingMore, RowStep
    from pbem.cli.writing.legal import Legal
    from pbem.engine.decisions import Decision
    from pbem.engine.drafting import Drafting
    from pbem.engine.game import Game
    from pbem.engine.growing import Next
    from pbem.engine.resolve import Question
    from pbem.model.elements import Written
    from pbem.text.yaml import Document

MOST = 400
"""Options of one counter or place that are sent to a page at once."""
ANYWHERE = 60
"""The same where none is named: enough to see what sorts of them there are."""


@dataclass(frozen=True)
class Element:
    """One element of a long answer: its words, its text, its place, its faults."""

    text: str
    written: Written
    path: tuple[Any, ...]
    faults: tuple[Diagnostic, ...]
    points: Points = NOWHERE


class OrderDraft:
    """The order file of the current stage, as the page sees it."""

    def __init__(self, folder: Folder) -> None:
        """Read the file. Refused if it cannot be read; it stays for the user to mend."""
        from pbem.archive import order_file, row_entries
        from pbem.cli.writing import orders as _orders

        self.folder = folder
        self.path: Path = _orders.order_file(folder)
        self.questions: list[Question] = order_file.questions(folder)
        self.data: dict[str, Any] = {}
        if self.path.is_file():
            loaded = self._loaded(self.path.read_bytes())
            self.data = dict(loaded.data) if isinstance(loaded.data, dict) else {}
        given = self.data.get("answers")
        self.answers: dict[str, Any] = dict(given) if isinstance(given, dict) else {}
        stage = folder.progress.open_stage
        self.later, self.others = row_entries.parted(self.data.get("ahead"), stage)
        self.past = False

    def _loaded(self, source: bytes | str) -> Document:
        """Return an order file as read for the current stage; Refused with all its faults."""
        from pbem.archive import order_file
        from pbem.text.yaml import load

        shape = once(self.folder, "orders-shape", lambda: order_file.schema(self.folder))
        return load(source, str(self.path), shape)

    def question(self, key: str) -> Question:
        """Return the question of this key, asked or of the row; Refused if it is neither."""
        for question in self.questions:
            if question.key == key:
                return question
        step = self.row.step(key)
        if step is not None:
            return step.question
        raise Refused(Diagnostic("not-asked", Message("cli.web.not-asked")))

    def answer(self, question: Question) -> Any:
        """Return the answer so far, under any of its names."""
        step = self.foreseen(question)
        if step is not None and step.entry is not None:
            entry = self.later.get(step.number, {})
            return entry.get("answer") if entry.get("decision") == question.kind else None
        return self.answers.get(question.key, self.answers.get(question.kind))

    # ---- the row -----------------------------------------------------------------------------------------

    @property
    def row(self) -> in_a_row.Kept:
        """Return the questions in a row, as the answers so far leave them."""
        from pbem.archive import row
        from pbem.text.canonical import dumps

        if self.folder.me not in self.folder.progress.asked:
            return in_a_row.Kept(self.folder, row.Row(()))
        waiting = self._waiting()
        later: list[Any] = [*self.later.values(), *self.later]
        name = str(dumps([self.answers, later, waiting, self.past]))

        def made() -> row.Row:
            return row.row(self.folder, self.questions, self._given(), self._later, waiting, past=self.past)

        return in_a_row.kept(self.folder, name, made)

    def nothing_more(self) -> NothingMore | None:
        """Return the questions of this part of the turn that one click answers with "nothing"."""
        from pbem.archive import nothing_more

        if self.folder.me not in self.folder.progress.asked:
            return None
        return nothing_more.nothing_more(
            self.folder, self.questions, self._given(), self._later, self._waiting()
        )

    def do_nothing_more(self) -> None:
        """Write these answers, as if they had been given one by one; Refused if there are none by now."""
        from pbem.archive import row_entries

        rest_ = self.nothing_more()
        if rest_ is None:
            raise Refused(Diagnostic("changed", Message("cli.web.changed")))
        stage = self.folder.progress.open_stage
        for step in rest_.steps:
            if not step.number:
                self.answers.pop(step.question.kind, None)
                self.answers[step.question.key] = step.answer
        self.later |= row_entries.entries(rest_.steps, stage)
        rest = row_entries.rest_of(rest_, stage)
        self.others += [rest] if rest is not None else []

    def _given(self) -> dict[str, Any]:
        """Return the legal answers so far to the questions that are asked now, by key."""
        given = {question.key: self.answer_as_asked(question) for question in self.questions}
        return {key: value for key, value in given.items() if self._legal(key, value)}

    def answer_as_asked(self, question: Question) -> Any:
        """Return the answer so far to a question that is asked now."""
        return self.answers.get(question.key, self.answers.get(question.kind))

    def foreseen(self, question: Question) -> RowStep | None:
        """Return the step of a question that is not asked yet; None for one that is."""
        if any(question_.key == question.key for question_ in self.questions):
            return None
        return self.row.step(question.key)

    def begun_ahead(self) -> list[Question]:
        """Return the foreseen questions that have an answer, and the next one."""
        if not self.later:
            return []
        row = self.row.row
        return [step.question for step in (*row.steps, row.question) if step is not None and step.number]

    def _legal(self, key: str, value: Any) -> bool:
        from pbem.engine.resolve import faults_of

        if value is None:
            return False
        question = self.question(key)
        decision = self.folder.system.decision(question.kind, question.party, question.fields)
        return not faults_of(self.folder.view().game, decision, value)

    def _later(self, number: int, game: Game, decision: Decision[Any]) -> Any:
        """Return the answer to a foreseen question, if it is one still."""
        from pbem.engine.resolve import faults_of

        entry = self.later.get(number)
        kind = decision.kind
        value = entry["answer"] if entry is not None and entry["decision"] == kind else None
        return None if value is None or faults_of(game, decision, value) else value

    def _waiting(self) -> list[Any]:
        """Return the standing and advance orders that answer beside the row."""
        from pbem.archive import answers_ahead

        in_force = once(self.folder, "in-force", lambda: answers_ahead.in_force(self.folder))
        standing = self.data.get("standing")
        named = [
            other for other in self.others if isinstance(other, dict) and ("once" in other or "name" in other)
        ]
        lasting = standing if isinstance(standing, list) else answers_ahead.lasting(in_force)
        return [*lasting, *answers_ahead.waiting(in_force), *named]

    def at(self, question: Question) -> Any:
        """Return the folder as it stands when a question comes."""
        step = self.foreseen(question)
        return self.folder if step is None else self.row.then(step)

    def give(self, question: Question, value: Any) -> None:
        """Put an answer in the place of the one before; None begins it again."""
        step = self.foreseen(question)
        if step is None or step.entry is None:
            self.answers.pop(question.kind, None)
            self.answers[question.key if step is None else question.kind] = value
            if step is not None and value is None:
                del self.answers[question.kind]
        elif value is None:
            self.later.pop(step.number, None)
        else:
            self.later[step.number] = {**step.entry, "answer": value}

    def settle(self, *, whole: bool = False) -> None:
        """Put the conditions of the foreseen answers right, and drop what no longer follows.

        `whole`: add the answers that the program gives, as they are signed.
        """
        from pbem.archive import row_entries

        if not self.later and not whole:
            return
        row, stage = self.row.row, self.folder.progress.open_stage
        begun = None
        if row.question is not None and row.question.number and row.question.entry is not None:
            begun = self.later.get(row.question.number)
        self.later = row_entries.entries(row.steps, stage)
        if begun is not None and row.question is not None and row.question.entry is not None:
            kind, number = row.question.decision.kind, row.question.number
            if begun["decision"] == kind:  # it lacks something still
                name = row_entries.name_of(kind, stage, number)
                self.later[number] = {**row.question.entry, "once": name, "answer": begun["answer"]}

    def options(self, question: Question, at: str | None) -> list[Legal]:
        """Return the options or next elements; those of a counter or place, if one is named."""
        from pbem.cli.writing.legal import legal, openers

        there, so_far = self.at(question), self.answer(question)
        most = MOST if at is not None else ANYWHERE
        keeps = isinstance(there, AtHand | in_a_row.Then)
        if not keeps:
            return list(islice(legal(there, question, so_far, at), most))
        kept = partial(at_hand.kept_options, there, question, so_far)
        folder: Any = there  # a board of later stands in for the folder

        def opened(drafting: Drafting[Any]) -> list[Next[Any]]:
            return kept("begun by", lambda: openers(drafting))

        def listed() -> list[Legal]:
            return list(islice(legal(folder, question, so_far, at, there.draft, opened), most))

        return kept(("of", at), listed)

    def choose(self, question: Question, at: str | None, number: int, text: str) -> None:
        """Put an option into the answer; Refused if it is another one by now."""
        options = self.options(question, at) if number >= 0 else []
        if not 0 <= number < len(options) or options[number].text != text:
            raise Refused(Diagnostic("changed", Message("cli.web.changed")))
        self.give(question, self._with(question, options[number]))

    def _with(self, question: Question, legal: Legal) -> Any:
        from pbem.model.elements import form_of

        if legal.added is None:
            return legal.answer
        system = self.folder.system
        decision = system.decision(question.kind, question.party, question.fields)
        before = self.answer(question) if legal.given else legal.before
        return form_of(decision.answer).add(before, legal.added, instead=legal.instead is not None)

    def march(self, question: Question, counters: Sequence[str], to: str | None) -> list[dict[str, Any]]:
        """Add for each of these counters an order to a place.

        The option with most of them together comes first. Returns those that cannot go there, each with the
        reasons.
        """
        from pbem.cli.web.why import why

        left: list[dict[str, Any]] = []
        waiting = list(dict.fromkeys(counters))
        while waiting:
            first = waiting[0]
            leading = [
                option
                for option in self.options(question, first)
                if option.points.last == to and set(option.points.counters) <= set(waiting)
            ]
            if not leading:
                left.append({"counter": first, "faults": faults(why(self, question, first, to).reasons)})
                waiting.pop(0)
                continue
            best = max(leading, key=lambda option: len(option.points.counters))
            self.give(question, self._with(question, best))
            gone = best.points.counters or (first,)
            waiting = [counter for counter in waiting if counter not in gone]
        return left

    def take(self, question: Question, at: str | None, to: str | None) -> None:
        """Put in what was clicked if the checker accepts it, though no list offers it."""
        from pbem.cli.web.why import why

        reasons = why(self, question, at, to)
        if reasons.answer is None:
            raise Refused(Diagnostic("changed", Message("cli.web.changed")))
        self.give(question, reasons.answer)

    def back(self, question: Question) -> None:
        """Take away the last element of an answer that grows, or the whole answer."""
        self._keep(question, self.elements(question)[:-1])

    def remove(self, question: Question, number: int) -> None:
        """Take one element away; what was built on it stays and is told to be wrong."""
        kept = self.elements(question)
        del kept[number : number + 1]
        self._keep(question, kept)

    def shift(self, question: Question, number: int, by: int) -> None:
        """Put an element before or behind its neighbour; where the rules care for the order they say so."""
        kept = self.elements(question)
        other = number + (1 if by > 0 else -1)
        if 0 <= number < len(kept) and 0 <= other < len(kept):
            kept[number], kept[other] = kept[other], kept[number]
        self._keep(question, kept)

    def put(self, text: str) -> None:
        """Write the order file as it was at another time, to undo and redo."""
        from pbem.text.writing import write_all

        self._loaded(text)
        write_all({self.path: text.encode()}, private=[self.path])

    def elements(self, question: Question) -> list[Element]:
        """Return the elements of an answer that grows, in words, each with its faults; else []."""
        return self.drawn_up(question)[0]

    def drawn_up(self, question: Question) -> tuple[list[Element], dict[str, str], bool]:
        """Return the elements of an answer, the moved counters, and whether it may be sent as it is.

        Moved counters are by id, with their place after the answer.
        """
        from pbem.archive import order_file
        from pbem.engine.growing import Growing
        from pbem.model.codec import faults_in, from_json
        from pbem.model.elements import spelled

        value = self.answer(question)
        decision = self.folder.system.decision(question.kind, question.party, question.fields)
        if value is None or not isinstance(decision, Growing) or faults_in(decision.answer, value):
            return [], {}, value is not None
        there = self.at(question)
        drafting = order_file.drafting(there, question, speaks=True)
        assert drafting is not None
        lines = []
        judged = list(drafting.judged(from_json(decision.answer, value)))
        texts = iter(drafting.said)
        for path, element, wrong in judged:
            text = spelled(element) if wrong else next(texts)
            points = NOWHERE if wrong else drafting.draft.pointing(element)
            lines.append(Element(text, drafting.written(element), tuple(path), tuple(wrong), points))
        before, after = there.view().game.position, drafting.draft.game.position
        places = {id: after.hex(id) for id in after.counters if id in before.counters}
        moved = {id: at for id, at in places.items() if at is not None and at != before.hex(id)}
        return lines, moved, drafting.complete

    def _keep(self, question: Question, elements: list[Element]) -> None:
        from pbem.model.elements import form_of

        if not elements:
            self.give(question, None)
            return
        decision = self.folder.system.decision(question.kind, question.party, question.fields)
        self.give(question, form_of(decision.answer).together(element.written for element in elements))

    def clear(self, question: Question) -> None:
        """Begin an answer again."""
        self.give(question, None)

    def save(self) -> None:
        """Write the order file, 0600, as every command reads it."""
        from pbem.text.writing import write_all

        self.settle()
        write_all({self.path: self.text().encode()}, private=[self.path])

    def text(self) -> str:
        """Return the order file: an element a line, so that people can continue in an editor."""
        from pbem.archive import order_file
        from pbem.text.flow import flow

        lines = [
            f"# Orders for stage {self.folder.stage + 1}, written at the table; go on here or there.",
            f'game: "{self.folder.need_roster().game[: order_file.LABEL]}"',
            f"stage: {self.folder.progress.open_stage}",
        ]
        keys = [question.key for question in self.questions]
        answers = {key: self.answers.get(key) for key in keys} | self.answers
        if answers or self.folder.me in self.folder.progress.asked:
            lines.append("answers:" if answers else "answers: {}")
        for key, value in answers.items():
            lines += _entry(key, value)
        ahead = [*(self.later[number] for number in sorted(self.later)), *self.others]
        if ahead:
            lines += ["ahead:", *(f"  - {flow(entry)}" for entry in ahead)]
        for key, value in self.data.items():
            if key not in ("game", "stage", "answers", "ahead"):
                lines.append(f"{key}: {flow(value)}")
        return "\n".join(lines) + "\n"

    def checked(self) -> Checked:
        """Return the meaning of the file, and all its faults."""
        from pbem.archive import order_file

        return order_file.check(self.folder, self._loaded(self.text()))


def _entry(key: str, value: Any) -> list[str]:
    """Return an answer as lines of YAML: lists of a section item by item."""
    from pbem.text.flow import flow

    if value is None:
        return [f"  {key}:"]
    if isinstance(value, list) and value:
        return [f"  {key}:", *(f"    - {flow(item)}" for item in value)]
    if not isinstance(value, dict) or not value:
        return [f"  {key}: {flow(value)}"]
    lines = [f"  {key}:"]
    for name, part in value.items():
        if isinstance(part, list) and part:
            lines += [f"    {flow(name)}:", *(f"      - {flow(item)}" for item in part)]
        else:
            lines.append(f"    {flow(name)}: {flow(part)}")
    return lines
