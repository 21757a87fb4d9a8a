"""An order file that is written by clicking: questions, what may come next, the file itself in private/."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.diagnostics import Diagnostic, Refused

if TYPE_CHECKING:
    from pbem.archive import Checked, Folder
    from pbem.cli._legal import Legal
    from pbem.engine.resolve import Question

MOST = 400
"""Options that are sent to a page at once."""


class OrderDraft:
    """The order file of the open stage, as the page sees it."""

    def __init__(self, folder: Folder) -> None:
        """Read what there is; a file that cannot be read stays, and is the user's to mend (Refused)."""
        from pbem.archive import order_file
        from pbem.cli import _orders

        self.folder = folder
        self.path: Path = _orders.order_file(folder)
        self.questions: list[Question] = order_file.questions(folder)
        self.data: dict[str, Any] = {}
        if self.path.is_file():
            loaded = order_file.load(folder, self.path.read_bytes(), str(self.path))
            self.data = dict(loaded.data) if isinstance(loaded.data, dict) else {}
        given = self.data.get("answers")
        self.answers: dict[str, Any] = dict(given) if isinstance(given, dict) else {}

    def question(self, key: str) -> Question:
        """The question of this key; Refused if it is not asked."""
        for one in self.questions:
            if one.key == key:
                return one
        raise Refused(Diagnostic("not-asked", "this is not asked any more; open the page again"))

    def answer(self, question: Question) -> Any:
        """What is answered so far, under whichever of its names."""
        return self.answers.get(question.key, self.answers.get(question.kind))

    def options(self, question: Question, at: str | None) -> list[Legal]:
        """What may be answered, or come next: what begins with a counter or at a place, if one is named."""
        from pbem.cli._legal import legal

        return list(islice(legal(self.folder, question, self.answer(question), at), MOST))

    def choose(self, question: Question, at: str | None, number: int, text: str) -> None:
        """Put an option into the answer; Refused if it is another one by now."""
        found = self.options(question, at)
        if not 0 <= number < len(found) or found[number].text != text:
            raise Refused(Diagnostic("changed", "the orders have changed meanwhile; look at them again"))
        self.answers.pop(question.kind, None)
        self.answers[question.key] = self._with(question, found[number])

    def _with(self, question: Question, one: Legal) -> Any:
        from pbem.model.elements import form_of

        if one.added is None:
            return one.answer
        system = self.folder.system
        decision = system.decision(question.kind, question.party, question.fields)
        before = self.answer(question) if one.given else one.before
        return form_of(decision.answer).add(before, one.added, instead=one.instead is not None)

    def back(self, question: Question) -> None:
        """Take away the last element of an answer that grows, or the whole answer."""
        from pbem.archive import order_file

        drafting = order_file.drafting(self.folder, question, self.answer(question))
        self.answers.pop(question.kind, None)
        if drafting is None or len(drafting.elements) < 2:
            self.answers[question.key] = None
            return
        drafting.back()
        self.answers[question.key] = drafting.json()

    def clear(self, question: Question) -> None:
        """Begin an answer again."""
        self.answers.pop(question.kind, None)
        self.answers[question.key] = None

    def save(self) -> None:
        """Write the order file, 0600, as every command reads it."""
        from pbem.text.writing import write_all

        write_all({self.path: self.text().encode()}, private=[self.path])

    def text(self) -> str:
        """The order file: an element a line, so that people can go on with it in an editor."""
        from pbem.archive import order_file
        from pbem.text.flow import flow

        lines = [
            f"# Orders for stage {self.folder.line.open_stage}, written at the table; go on here or there.",
            f'game: "{self.folder.need_roster().game[: order_file.LABEL]}"',
            f"stage: {self.folder.line.open_stage}",
        ]
        keys = [one.key for one in self.questions]
        answers = {key: self.answers.get(key) for key in keys} | self.answers
        lines.append("answers:" if answers else "answers: {}")
        for key, value in answers.items():
            lines += _entry(key, value)
        for key, value in self.data.items():
            if key not in ("game", "stage", "answers"):
                lines.append(f"{key}: {flow(value)}")
        return "\n".join(lines) + "\n"

    def checked(self) -> Checked:
        """What the file would mean, and everything that is wrong with it."""
        from pbem.archive import order_file

        return order_file.check(self.folder, order_file.load(self.folder, self.text(), self.path.name))


def _entry(key: str, value: Any) -> list[str]:
    """An answer as lines of YAML: lists of a section item by item."""
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


def state(draft: OrderDraft) -> dict[str, Any]:
    """What the page shows of the orders: questions, what is understood, what is wrong."""
    from pbem.archive import order_form

    folder, checked = draft.folder, draft.checked()
    return {
        "stage": folder.line.open_stage,
        "questions": [
            {
                "key": one.key,
                "text": order_form.sentence(folder.system, one),
                "rule": one.rule,
                "secret": one.secrecy != "open",
                "answered": draft.answer(one) is not None,
            }
            for one in draft.questions
        ],
        "understood": list(checked.understood),
        "faults": faults(checked.diagnostics),
        "ok": checked.ok,
        "text": draft.text(),
    }


def faults(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Diagnostics for a page."""
    return [
        {
            "severity": one.severity,
            "message": one.message,
            "rule": one.rule or "",
            "line": one.span.line if one.span is not None else None,
            "help": [*one.notes, *one.help],
        }
        for one in diagnostics
    ]


def option_data(number: int, one: Legal) -> dict[str, Any]:
    """An option for a page: what it says, costs and risks, and where it leads on the map."""
    points = one.points
    return {
        "number": number,
        "text": one.text,
        "note": points.text,
        "more": not one.complete,
        "start": points.start,
        "counters": list(points.counters),
        "way": list(points.way),
        "end": points.last,
    }
