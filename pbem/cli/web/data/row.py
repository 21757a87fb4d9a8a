"""The row of questions for the board: its steps, the next one, why it ends, who can read what."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code, spoken
from pbem.cli.web.board import seat_name
from pbem.cli.web.shown import option_data, trails_of
from pbem.cli.web.words import words

if TYPE_CHECKING:
    from pbem.archive import Row, RowStep
    from pbem.cli.web.draft import OrderDraft

Data = dict[str, Any]
FIRST = 60
"""Options of a question that come with it; those of a counter or place are asked for."""


def row_data(orders: OrderDraft) -> Data:
    """Return the row: answered steps, the next question with its options, or why there is none."""
    row = orders.row.row
    data: Data = {
        "steps": [step_data(orders, step) for step in row.steps],
        "question": None,
        "options": [],
        "ends": None,
        "offer": offer(orders),
        "nothing": nothing(orders),
    }
    if row.question is not None:
        data["question"] = step_data(orders, row.question)
        data["options"] = options(orders, row.question)
    elif orders.questions:
        data["ends"] = ends(orders, row)
    return data


def options(orders: OrderDraft, step: RowStep) -> list[Data]:
    """Return the first options of a question, without a counter or place."""
    listed = islice(orders.options(step.question, None), FIRST)
    usual = _usual(step)
    options_ = [
        option_data(number, option) | {"usual": option.answer == usual}
        for number, option in enumerate(listed)
    ]
    return options_ if usual is not None else [option | {"usual": False} for option in options_]


def _usual(step: RowStep) -> Any:
    """Return the default answer, which the page shows first; None for a list."""
    from pbem.engine.decisions import NoDefault
    from pbem.engine.growing import Growing
    from pbem.model.codec import to_json

    if isinstance(step.decision, Growing):
        return None
    try:
        return to_json(step.decision.default(step.game))
    except NoDefault:
        return None


def ends(orders: OrderDraft, row: Row) -> Data:
    """Return why a row ends, in a sentence, and the question behind its end that may be answered."""
    say = words(code()).say
    names = ", ".join(_called(orders, row.players))
    beyond = row.beyond
    further = None
    if beyond is not None:
        further = {
            "question": step_data(orders, beyond),
            "text": say("board-row-go-on", question=sentence(orders, beyond)),
            "reads": reads(orders, beyond),
        }
    why = row.why or "over"
    return {
        "why": why,
        "text": say(f"board-row-ends-{why}", who=names),
        "who": list(row.players),
        "further": further,
    }


def step_data(orders: OrderDraft, step: RowStep) -> Data:
    """Return a question of the row for a page."""
    from pbem.archive import order_form
    from pbem.engine.growing import Growing

    question = step.question
    grows = isinstance(step.decision, Growing)
    answer = orders.answer(question) if step.how != "program" else step.answer
    begun = answer is not None
    elements, moved, complete = orders.drawn_up(question) if grows and begun else ([], {}, begun)
    shown = [spoken(element.text) for element in elements]
    if begun and not elements:
        shown = said_of(step, answer)
    return {
        "key": question.key,
        "kind": question.kind,
        "text": sentence(orders, step),
        "rule": question.rule,
        "subject": list(step.decision.subject()),
        "secret": question.secrecy != "open",
        "how": step.how,
        "list": grows,
        "answered": begun,
        "complete": complete,
        "grows": grows and begun and step.how != "program" and bool(orders.options(question, None)),
        "reads": reads(orders, step),
        "beside": order_form.beside(orders.at(question).view(), step.decision, code()),
        "elements": trails_of(orders, question, elements),
        "moved": moved,
        "said": shown,
        "rest": rest(orders, step),
        "purse": purse(orders, step) if grows and step.how != "program" else [],
    }


def purse(orders: OrderDraft, step: RowStep) -> list[Data]:
    """Return what the answer spends, and what is left of it: "Ferro: 2 of 3 PP left"."""
    from pbem.cli.web.addresses.at_hand import AtHand
    from pbem.cli.web.board import seen
    from pbem.cli.web.in_a_row import Then
    from pbem.cli.writing.naming import Names

    there = orders.at(step.question)
    if not isinstance(there, AtHand | Then):
        return []
    drafting = there.draft(step.question, orders.answer(step.question))
    listed = list(drafting.draft.purse()) if drafting is not None else []
    names = Names(seen(orders.folder, code())) if listed else None
    say = words(code()).say
    lines = []
    for at, unit, left, of in listed:
        assert names is not None
        text = say("board-purse", whose=names.called(at), left=left, of=of, unit=spoken(unit))
        lines.append({"at": at, "unit": unit, "left": left, "of": of, "text": text})
    return lines


def rest(orders: OrderDraft, step: RowStep) -> Data | None:
    """Return what gives this answer to every such question for the rest of the phase, unless attacked."""
    answer = orders.answer(step.question)
    if step.rest is None or answer is None:
        return None
    until = str(step.rest["until"])
    name = f"rest-{step.decision.kind}-{orders.folder.progress.open_stage}"
    return {
        "entry": {**step.rest, "name": name, "answer": answer},
        "text": words(code()).say("board-row-for-the-rest", part=_part(orders, until) or until),
    }


def _part(orders: OrderDraft, node: str) -> str:
    """Return the name of a part of the sequence of play, without its number."""
    node_ = orders.folder.system.outline.find(node)
    return spoken(node_.label.partition("{")[0].rstrip(", ")) if node_ is not None else ""


def said_of(step: RowStep, answer: Any) -> list[str]:
    """Return an answer in words, or nothing while it is not right."""
    from pbem.engine.resolve import faults_of
    from pbem.model.codec import from_json

    if faults_of(step.game, step.decision, answer):
        return []
    return [spoken(line) for line in step.decision.words(step.game, from_json(step.decision.answer, answer))]


def sentence(orders: OrderDraft, step: RowStep) -> str:
    """Return the question of a step as a sentence."""
    from pbem.archive import order_form

    return order_form.sentence(orders.folder.system, step.question, code())


def reads(orders: OrderDraft, step: RowStep) -> str:
    """Return who will be able to read an answer, and when."""
    from pbem.stages.two_players import commits_to, committing

    folder, say = orders.folder, words(code()).say
    how = committing(folder.progress, folder, folder.need_me())
    secrecy = step.question.secrecy
    if step.number and folder.system.hidden:
        return say("board-reads-gm")
    if commits_to(how, secrecy):  # between two that may be an open answer too
        return say(f"board-reads-{'together' if secrecy == 'open' else secrecy}")
    return say("board-reads-ahead" if step.number else "board-reads-all")


def _called(orders: OrderDraft, players: Sequence[str]) -> list[str]:
    """Return players by the names of their seats."""
    return [seat_name(orders.folder, player, code()) for player in players]


def nothing(orders: OrderDraft) -> Data | None:
    """Return what one click answers with "nothing", and who will be able to read it."""
    from pbem.cli.writing.nothing import part_of

    rest_ = orders.nothing_more()
    if rest_ is None:
        return None
    name = "board-nothing-more" if rest_.steps[-1].rest is None else "board-nothing-more-unless"
    text = words(code()).say(name, part=part_of(orders.folder, rest_))
    questions = list(dict.fromkeys(sentence(orders, step) for step in rest_.steps))
    readers = list(dict.fromkeys(reads(orders, step) for step in rest_.steps))
    return {"text": text, "questions": questions, "reads": "; ".join(readers)}


def offer(orders: OrderDraft) -> Data | None:
    """Return the standing order that is offered when the same "nothing" is given a second time."""
    from pbem.cli.web.again import again

    for step in orders.row.row.steps:
        if step.how != "program" and (offered := again(orders, step)) is not None:
            part = _part(orders, str(offered["until"]))
            answer_text = "; ".join(said_of(step, offered["answer"]))
            say = words(code()).say
            return {
                "key": step.question.key,
                "text": say("board-row-offer", answer=answer_text),
                "words": say("board-row-offer-until", part=part, question=sentence(orders, step)),
                "entry": offered,
            }
    return None
