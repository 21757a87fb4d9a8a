"""The order file that a player fills in: an entry for each question, with the legal answers."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from pbem.archive.folder.parts import Readable
from pbem.archive.folder.private_side import to_text
from pbem.archive.ordering import answers_ahead
from pbem.archive.ordering.order_file import LABEL, by_program, need_asked, only_ready, questions
from pbem.archive.ordering.order_file import schema as order_schema
from pbem.archive.ordering.own_examples import in_own_units
from pbem.engine.decisions import Decision, NoDefault
from pbem.engine.knowing import is_simple, testable
from pbem.engine.resolve import Question, question_of
from pbem.engine.schemas import Told, in_english
from pbem.engine.system import System
from pbem.model.codec import schema_of, to_json
from pbem.stages.two_players import Committing, commits_to, committing
from pbem.stages.views import PlayerView
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.flow import flow
from pbem.text.messages import Message, Voice, Worded
from pbem.text.sentences import ENGLISH, fill, used
from pbem.text.translating import translated

if TYPE_CHECKING:
    from pbem.archive.ordering.next_questions import NextQuestion

SHOWN = 40
FEW, AHEAD = 8, 3
_WIDE = 96  # characters per comment line
_A_RULE = re.compile(r"\((\w+) (?=[^()\s]*\d\))")
SCHEMA = "private/orders.schema.json"
_SECRET = {
    "together": "archive.form.opened-when-all-have-answered",
    "sealed": "archive.form.read-by-the-gm-alone",
    "kept": "archive.form.opened-when-the-rules-call-for-it",
}


class Comments:
    """The comments of an order file in the words of a voice; what is asked the rules say in `lang`."""

    def __init__(self, system: System, lang: str = ENGLISH, voice: Voice = str) -> None:
        self.system, self.lang, self.voice = system, lang, voice

    def __call__(self, id: str, /, **fields: Any) -> str:
        """Return a line with a comment."""
        return f"# {self.text(id, **fields)}"

    def text(self, id: str, /, **fields: Any) -> str:
        """Return a comment without its sign."""
        return self.voice(Message(id, **fields))

    def asked(self, question: Question) -> list[str]:
        """Return a question with its rule, in lines."""
        words = Worded(sentence(self.system, question, self.lang))
        return _wrapped(self.text("archive.form.question", sentence=words, rule=question.rule))

    def wrapped(self, id: str) -> list[str]:
        """Return a comment of several lines."""
        return [f"# {line}" for line in textwrap.wrap(self.text(id), _WIDE)]


def template(
    folder: Readable,
    schema_line: str | None = SCHEMA,
    beside: Callable[[Question], Sequence[str]] = lambda question: (),
    lang: str = ENGLISH,
    voice: Voice = str,
) -> str:
    """Return the order file for the current stage; Refused if nothing is asked of me.

    `schema_line` is what editors are told of the schema, as a path from where the file will lie. `beside`
    gives lines to stand with a question: the player's units and what they may do. `lang` is that of the
    system's own sentences, `voice` puts all others into words.
    """
    me = need_asked(folder)
    view = folder.view()
    roster, stage = folder.need_roster(), folder.progress.open_stage
    say = Comments(view.system, lang, voice)
    lines = [f"# yaml-language-server: $schema={schema_line}"] if schema_line else []
    lines += [
        say("archive.form.orders", party=me, stage=stage, title=_plain(roster.terms.title), place=view.place),
        say("archive.form.fill-in-the-answers"),
        say("archive.form.comments-stay-here"),
        f'game: "{roster.game[:LABEL]}"',
        f"stage: {stage}",
    ]
    asked = questions(folder)
    if only_ready(folder):
        lines += ["", say("archive.form.nothing-to-decide")]
    lines += ["answers:" if asked else "answers: {}"]
    how = committing(folder.progress, folder, me)
    for question in asked:
        more = [f"  # {_clean(line)}" for line in beside(question)]
        only = by_program(view, question)
        answer = "" if only is None else f" {flow(only.answer)}   {say('archive.form.only-legal-answer')}"
        lines += ["", *_question(view, question, how, more, say), f"  {question.key}:{answer}"]
    if roster.terms.arbiter is not None:
        lines += _for_readers(view, me, say)
    lines += ["", *_ahead(folder, view, me, asked, say), *_standing(folder.system, view, me, say)]
    return "\n".join(lines) + "\n"


def _for_readers(view: PlayerView, me: str, say: Comments) -> list[str]:
    """Return the texts for named readers that may go with these orders, as comments."""
    lines: list[str] = []
    decisions = view.system.registry.decisions
    shown = view.system.wording.get("answers", {})
    for kind in sorted(kind for kind, cls in decisions.items() if cls.secrecy == "readers"):
        question = question_of(view.system.decision(kind, me, {}), kind, hidden=view.system.hidden)
        lines += ["", *say.asked(question)]
        lines += [f"  {say('archive.form.for-named-readers')}", f"  # {kind}:"]
        lines += [f"  #   {line}" for line in shown.get(kind, "").splitlines()]
    return lines


def schema_text(folder: Readable, told: Told = in_english) -> str:
    """Return the schema that the template's first line names; `told` translates its words."""
    return to_text(order_schema(folder, told))


def sentence(system: System, question: Question, lang: str = ENGLISH) -> str:
    """Return the question in words, from the system's wording in a language."""
    sections = _sections(system, lang)
    text = sections.get("decisions", {}).get(question.kind, question.kind)
    text = text if "power" not in question.fields or "power" in used(text) else f"{{power}}: {text}"
    values = sections.get("values", {})

    def shown(value: Any) -> str:
        return _in_words(value, values)

    return fill(text, {**question.fields, "player": question.party}, shown)


def sentence_of_kind(system: System, kind: str, lang: str = ENGLISH) -> str:
    """Return what a kind of question asks, with dots for what only an asked question says."""
    text = _sections(system, lang).get("decisions", {}).get(kind, kind)
    return fill(text, dict.fromkeys(used(text), "…"), str)


def _sections(system: System, lang: str) -> Mapping[str, Any]:
    return system.wording if lang == ENGLISH else system.wording_in(lang)


def _in_words(value: Any, values: Mapping[str, str]) -> str:
    """Return a field of a question for a sentence."""
    if isinstance(value, list):
        return ", ".join(_in_words(item, values) for item in value)
    return translated(value, values) if isinstance(value, str) else flow(value)


def _question(
    view: PlayerView, question: Question, how: Committing, more: Sequence[str], say: Comments
) -> list[str]:
    """Return comments over one question: sentence, rule, secrecy, legal answers, default."""
    decision = view.system.decision(question.kind, question.party, question.fields)
    lines = say.asked(question)
    if commits_to(how, question.secrecy):
        how_ = Message(_SECRET.get(question.secrecy, _SECRET["together"]))
        lines.append("  " + say("archive.form.secret", how=how_))
    elif question.secrecy != "open":
        lines.append("  " + say("archive.form.in-the-open"))
    offered = list(islice(decision.options(view.game), SHOWN + 1))
    if offered:
        lines.append("  " + say("archive.form.you-may-answer"))
    for option in offered[:SHOWN]:
        after = "" if option.complete else f"   {say.text('archive.form.more-after-it')}"
        words = _plain(say.voice(option.points.after(option.text)))
        lines.append(f"  #   {flow(option.answer)}   {words}{after}")
    if len(offered) > SHOWN:
        lines.append(f"  #   {say.text('archive.form.more-options', key=question.key)}")
    lines += [line for text in beside(view, decision, say.lang) for line in _wrapped(text)]
    lines += more
    form = _example(view, "answers", question)
    if form:
        own = in_own_units(form, view, question.party)
        if own is not None:
            lines.append("  " + say("archive.form.long-answer-with-your-units"))
        else:
            lines.append("  " + say("archive.form.long-answer-of-another-game"))
        lines += [f"  #   {line}" for line in (own or form).splitlines()]
    if examples := in_words(view, question):
        lines.append("  " + say("archive.form.list-in-words"))
        lines += [f"  #     - {line}" for line in examples]
    default = _default(view, decision)
    if default is not None:
        lines.append("  " + say("archive.form.if-you-forfeit", default=default))
    return lines


def in_words(view: PlayerView, question: Question) -> list[str]:
    """Return elements of an answer in plain words with the player's units, or [] if the rules read none."""
    spoken = _example(view, "spoken", question)
    return (in_own_units(spoken, view, question.party) or "").splitlines() if spoken else []


def _example(view: PlayerView, section: str, question: Question) -> str | None:
    """Return the example of a question: that of its kind and subject, else that of its kind."""
    shown = view.system.wording.get(section, {})
    subject = view.system.decision(question.kind, question.party, question.fields).subject()
    example: str | None = shown.get("/".join(map(str, (question.kind, *subject))), shown.get(question.kind))
    return example


def beside(view: PlayerView, decision: Decision[Any], lang: str = ENGLISH) -> list[str]:
    """Return the facts that the rules show before an answer, a line for each heading."""
    values = (view.system.wording if lang == ENGLISH else view.system.wording_in(lang)).get("values", {})
    return [heading.line(lambda text: translated(text, values)) for heading in decision.beside(view.game)]


def _default(view: PlayerView, decision: Decision[Any]) -> str | None:
    try:
        return flow(to_json(decision.default(view.game)))
    except NoDefault:
        return None


def _ahead(
    folder: Readable, view: PlayerView, me: str, asked: Sequence[Question], say: Comments
) -> list[str]:
    """Return my next questions, to answer in advance, and the advance orders that wait."""
    in_force = answers_ahead.in_view(view, me)
    lines = [
        *say.wrapped("archive.form.you-may-answer-ahead"),
        "# ahead:",
        "#   - {decision: KIND, when: {FACT: VALUE}, until: PART, answer: ANSWER}",
    ]
    from pbem.archive.ordering.next_questions import next_questions

    if view.system.seals:
        lines += say.wrapped("archive.form.plans-are-sealed")
    coming = next_questions(folder, asked, {}, in_force, most=AHEAD)
    if coming:
        lines += ["#", *say.wrapped("archive.form.comes-next-after-defaults")]
    for question in _first_of_each(coming):
        lines += ["#", *next_lines(question, say, most=AHEAD)]
    seen = [(question.decision.kind, question.decision.subject()) for question in coming]
    for decision in _offered(view, asked):
        if (decision.kind, decision.subject()) not in seen:
            lines += ["#", *_offer(view, decision, say)]
    lines += ["#", say("archive.form.kind-is-one-of")]
    lines += [f"#   {line}" for line in textwrap.wrap(", ".join(kinds(view.system)), 92)]
    waiting = answers_ahead.waiting(in_force)
    if waiting:
        lines += [
            say("archive.form.waiting-now"),
            *(f"#   - {flow(entry)}" for entry in waiting),
        ]
    return lines


def next_lines(question: NextQuestion, say: Comments, *, most: int) -> list[str]:
    """Return a question that may come: its sentence, and legal answers as entries of `ahead`."""
    lines = [f"#{line[3:]}" for line in say.asked(question.question)]
    if question.after_dice or question.after_others:
        lines.append(
            say("archive.form.decided-before", dice=question.after_dice, others=question.after_others)
        )
    for option in question.options[:most]:
        more = "" if option.complete else f" {say.text('archive.form.more-after-it')}"
        if question.entry is not None:
            entry = flow({**question.entry, "answer": option.answer})
            lines.append(f"#   - {entry}   # {_plain(say.voice(option.text))}{more}")
        else:
            answer = f"{question.decision.kind}: {flow(option.answer)}"
            under = say.text("archive.form.under-answers", option=option.text)
            lines.append(f"#   {answer}   # {_plain(under)}{more}")
    if len(question.options) > most:
        lines.append(f"#   {say.text('archive.form.more')}")
    if question.rest is not None:
        entry = flow({**question.rest, "name": f"rest-{question.decision.kind}", "answer": question.supposed})
        node = say.system.outline.find(str(question.rest["until"]))
        words = _plain(node.label.partition("{")[0].rstrip(", ")) if node is not None else ""
        rest = say.text("archive.form.for-the-rest-of", part=words or str(question.rest["until"]))
        lines.append(f"#   - {entry}   # {rest}")
    return lines


def _offer(view: PlayerView, decision: Decision[Any], say: Comments) -> list[str]:
    """Return a later question that the rules name, with the legal answers on the present board."""
    question = question_of(decision, decision.kind, hidden=view.system.hidden)
    lines = [f"#{line[3:]}" for line in say.asked(question)]
    fields_of = narrow.mapping(to_json(decision))
    tested: dict[str, Json] = {
        n: v for n, v in fields_of.items() if n != "player" and isinstance(v, str | int)
    }
    when = f", when: {flow(tested)}" if tested else ""
    for option in islice(decision.options(view.game), FEW):
        entry = f"{{decision: {decision.kind}{when}, answer: {flow(option.answer)}}}"
        more = "" if option.complete else f" {say.text('archive.form.more-after-it')}"
        lines.append(f"#   - {entry}   # {_plain(say.voice(option.text))}{more}")
    return lines


def kinds(system: System) -> dict[str, list[str]]:
    """Return every kind of decision for advance orders, with the facts that `when` may test."""
    return {
        kind: [name for name, fact in testable(asked).items() if is_simple(fact.type)]
        for kind, asked in sorted(system.registry.decisions.items())
        if answers_ahead.may_wait(system, kind)
    }


def _first_of_each(coming: Sequence[NextQuestion]) -> Iterator[NextQuestion]:
    """Yield the first of each kind among repeated questions."""
    seen: set[str] = set()
    for question in coming:
        if question.decision.kind not in seen:
            seen.add(question.decision.kind)
            yield question


def _offered(view: PlayerView, asked: Sequence[Question]) -> Iterator[Decision[Any]]:
    """Yield what may come next by the rules, each once; nothing secret in an open game."""
    seen: list[Decision[Any]] = []
    for question in asked:
        for decision in view.system.decision(question.kind, question.party, question.fields).ahead(view.game):
            if decision not in seen and answers_ahead.may_wait(view.system, decision.kind):
                seen.append(decision)
                yield decision


def _standing(system: System, view: PlayerView, me: str, say: Comments) -> list[str]:
    """Return the forms of standing orders here, and those in force."""
    lines = [
        *say.wrapped("archive.form.standing-orders"),
        "# standing:",
        "#   - {decision: KIND, when: {FACT: VALUE}, answer: ANSWER}",
    ]
    if system.seals:
        lines += [
            *say.wrapped("archive.form.standing-orders-may-be-sealed"),
            "#   - {FORM: ..., seal: true}",
        ]
    examples = system.wording.get("standing", {})
    for form, kind in sorted(system.standing_forms.items()):
        shown = in_own_units(examples[form], view, me) if form in examples else None
        shown = shown or f"{{{form}: {_shape(schema_of(system.standing_type(form)))}}}"
        lines.append(f"#   - {shown}   {say('archive.form.answers-kind', kind=Worded(kind))}")
    in_force = answers_ahead.lasting(answers_ahead.in_view(view, me))
    if in_force:
        lines.append(say("archive.form.in-force-now"))
        lines += [f"#   - {flow(order)}" for order in in_force]
    return lines


def _shape(schema: Mapping[str, Any]) -> str:
    """Return a form in one line: its fields, with their types."""
    if "properties" in schema:
        inner = ", ".join(f"{name}: {_shape(part)}" for name, part in schema["properties"].items())
        return f"{{{inner}}}"
    if "enum" in schema:
        return " | ".join(flow(value) for value in schema["enum"])
    if "minimum" in schema:
        return f"{schema['minimum']}-{schema['maximum']}"
    if schema.get("type") == "array":
        return f"[{_shape(schema['items'])}, ...]" if "items" in schema else "[...]"
    return str(schema.get("description") or schema.get("type", "anything")).upper()


def _wrapped(text: str) -> list[str]:
    kept = _A_RULE.sub(r"(\1\0", _plain(text))  # on one line with its number
    return [f"  # {line}".replace("\0", " ") for line in textwrap.wrap(kept, 96)]


def _clean(text: str) -> str:
    """Return text for a comment line, with its blanks kept."""
    return "".join(c if c.isprintable() else " " for c in text)


def _plain(text: str) -> str:
    """Return text for a comment line, with single blanks."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
