"""Facts about a stage for the head and the foot of its report, in the words of its reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.cli.games.reporting import ahead
from pbem.text.messages import Message, in_language
from pbem.text.recorded import recalled

if TYPE_CHECKING:
    from pbem.engine.resolve import Question
    from pbem.engine.system import System
    from pbem.report.reader import Asked, Default, Meta, Recipe
    from pbem.report.wording import Wording
    from pbem.stages.views import PlayerView


def _due(facts: Mapping[str, Any], words: Wording) -> str:
    """Return by when answers are due: as the report says, else the days that were agreed on."""
    days = facts.get("days") or 0
    return str(facts.get("by") or "") or (words.say("due-days", count=days) if days else "")


def in_its_tongue(title: str, system: System, language: str) -> str:
    """Return the title of a game for a page, marked as English if its scenario has it."""
    from pbem.text.sentences import ENGLISH, English

    if language == ENGLISH:
        return title
    own = (system.scenario(name).get("title") for name in system.scenarios())
    return English(title) if title in own else title


def meta_from(
    reader: str | None,
    view: PlayerView,
    facts: Mapping[str, Any],
    words: Wording,
) -> Meta:
    """Return facts about a stage for a report; `facts` are those that the archive gives a renderer."""
    from pbem.report.reader import Earlier, Meta

    asked, accepted = facts.get("asked") or {}, facts.get("accepted") or {}
    stage = int(facts["stage"])
    system = view.system
    mark = _words_mark(system, words.language.code, bool(facts.get("plain")))
    digests = {name: str(facts[name]) for name in ("head", "state", "seed") if facts.get(name)}
    mine = (v for key, v in sorted(view.facts.items()) if key.startswith(f"refused/{reader}/"))
    refused = [words.text(_refusal(v)) for v in mine]
    friends = view.game.friends(reader) if reader in view.game.players else ()
    return Meta(
        title=in_its_tongue(str(facts["title"]), system, words.language.code),
        game=str(facts["game"]),
        system=words.say(
            "edition",
            title=words.text(system.title or system.name),
            edition=system.edition,
            revision=system.revision,
        ),
        stage=stage,
        place=view.place,
        names=facts.get("names") or {},
        friends=tuple(friend for friend in friends if friend != reader),
        asked=[_asked(system, question, view.questions) for question in view.questions],
        waiting=sorted(asked),
        due=_due(facts, words),
        refused=refused,
        ahead=ahead.used(view, reader, words),
        unused=ahead.unused(view, reader, facts.get("kept") or {}, words),
        finished=not asked,
        umpire=reader is not None and reader not in view.game.players,
        command=f"pbem report {stage}" + (f" --as {reader}" if reader else ""),
        forfeited={party: accepted.get(party) is not None for party in facts.get("forfeits") or ()},
        defaults=_defaults(view),
        notes=_notes(view, facts, words),
        leading=_leading(view, words),
        digests=digests | {"rules": system.digest, "words": mark},
        recipe=_recipes(facts.get("seed"), words.language.code),
        earlier=[Earlier(fact["stage"], fact["events"]) for fact in facts.get("earlier") or ()],
        before=facts.get("before"),
    )


def _words_mark(system: System, code: str, plain: bool) -> str:
    """Return the mark of a report's words and layout in a language (protocol 17.33).

    `plain`: the report has the sentence about plain replies, which few reports have.
    """
    from pbem.engine.pins import words_mark
    from pbem.report import LAYOUT

    more = [("plain", by_plain_mail("", code).encode())] if plain else []
    return words_mark(system, code, [*_own_words(code), *more], LAYOUT)


@cache
def _own_words(code: str) -> list[tuple[str, bytes]]:
    """Return what reports in a language take from `pbem` itself: its words, and messages of the rules."""
    from pbem.engine.package import TOLD_IN_EVENTS
    from pbem.report.language import files
    from pbem.text.canonical import dumps
    from pbem.text.messages import catalogue
    from pbem.text.sentences import ENGLISH

    taken = [(path.name, path.read_bytes()) for path in files(code)]
    for room in TOLD_IN_EVENTS:
        for language in sorted({ENGLISH, code}):
            taken.append((f"{language}/{room}", dumps(dict(catalogue(room, language)))))
    return taken


def _defaults(view: PlayerView) -> list[Default]:
    """Return the defaults of the stage that the view knows of."""
    from pbem.report.reader import Default

    taken: list[tuple[str, Any]] = [
        (key.split("/")[1], view.facts[key]) for key in sorted(view.facts) if key.startswith("default/")
    ]
    return [
        Default(party, str(default["decision"]), default["fields"], _answer_on_one_line(default["answer"]))
        for party, default in taken
        if isinstance(default, Mapping)
    ]


def _answer_on_one_line(answer: Any) -> str:
    """Return an answer on one line; empty if it orders nothing."""
    from pbem.engine.forced import is_empty
    from pbem.text.flow import flow

    return "" if answer == "" or is_empty(answer) else flow(answer)


def _one_line(text: object) -> str:
    """Return a player's reason on one line."""
    return " ".join(str(text).split())


def _notes(view: PlayerView, facts: Mapping[str, Any], words: Wording) -> list[str]:
    """Return who came and left, and what rests on the GM's word: rulings, and keys that the GM
    holds.
    """
    names = facts.get("names") or {}
    rulings = [value for key, value in sorted(view.facts.items()) if key.startswith("ruling/")]
    ruled = [
        words.say("ruling", number=ruling["stage"], reason=_one_line(ruling["reason"]))
        for ruling in rulings
        if isinstance(ruling, Mapping)
    ]
    came = [
        words.say("renamed", who=party, old=_name(old), new=_name(new))
        for party, old, new in facts.get("renamed") or ()
    ]
    left = [
        words.say("left", who=party, name=_name(names.get(party, party))) for party in facts.get("left") or ()
    ]
    deputy = facts.get("deputy")
    acted = [_by_deputy(words, names.get(deputy, deputy))] if deputy else []
    held = [words.say("proxied", who=party) for party in facts.get("proxies") or ()]
    plain = [by_plain_mail(party, words.language.code) for party in facts.get("plain") or ()]
    return [*acted, *came, *left, *ruled, *held, *plain]


def _by_deputy(words: Wording, name: object) -> str:
    return words.sentence(Message("cli.telling.run-by-the-deputy", who=_name(str(name))))


def by_plain_mail(party: str, code: str) -> str:
    """Return that the GM wrote a party's orders down from an unsigned email, in a language."""
    return in_language(Message("cli.telling.by-plain-mail", party=party), code)


def _name(text: str) -> str:
    """Return a name that somebody chose, on one line and not too long."""
    from pbem.report.plain import LONGEST_NAME, safe

    return safe(_one_line(text), LONGEST_NAME)


def _leading(view: PlayerView, words: Wording) -> list[str]:
    """Return who leads which powers, called as in sentences."""
    from pbem.report.plain import capital

    def called(who: str) -> str:
        return words.of("powers").get(who) or words.text(who)

    led = powers_of(view.facts.get("track/seats")).items()
    leads = [
        words.say(
            "leads", who=called(seat), powers=words.language.listed([called(power) for power in powers])
        )
        for seat, powers in led
    ]
    return [capital(line) if not n else line for n, line in enumerate(leads)]


def powers_of(seats: Any) -> dict[str, list[str]]:
    """Return seat -> the powers that it controls, from the public track; {} if players have none."""
    led: dict[str, list[str]] = {}
    for power, seat in sorted(seats.items()) if isinstance(seats, Mapping) else ():
        led.setdefault(str(seat), []).append(str(power))
    return dict(sorted(led.items()))


def _recipes(seed: object, language: str) -> Callable[[Mapping[str, Any]], Recipe | None]:
    """Return a maker of recipes for rolls of this stage; None for hidden and other rolls."""

    def recipe(roll: Mapping[str, Any]) -> Recipe | None:
        from pbem.archive import dice_recipe
        from pbem.cli.shell.language import words
        from pbem.report.reader import Recipe
        from pbem.text.translating import translated

        if not isinstance(seed, str) or "stage" in roll or roll.get("hidden"):
            return None
        command, how = dice_recipe(dict(roll), bytes.fromhex(seed))
        return Recipe(command, translated(how, words(language)))

    return recipe


def _asked(system: System, question: Question, all_questions: Sequence[Question]) -> Asked:
    """Return a question as in the report, with the command that answers it."""
    from pbem.report.reader import Asked

    mine = [other for other in all_questions if other.party == question.party]
    secret = question.secrecy != "open"
    return Asked(
        question.party, question.kind, question.fields, question.rule, secret, answer_command(system, mine)
    )


def answer_command(system: System, questions: Sequence[Question]) -> str:
    """Return the command for these answers: `pbem bid VALUE` for one secret number, else an order file."""
    from pbem.report.reader import VALUE

    single = len(questions) == 1 and is_secret_number(system, questions[0])
    return f"pbem bid {VALUE}" if single else "pbem orders new"


def is_secret_number(system: System, question: Question) -> bool:
    """Return True if `pbem bid` answers this kind of question."""
    if question.secrecy == "open" or question.opening:
        return False
    return _is_number(_answer_schema(system, question.kind))


def _answer_schema(system: System, kind: str) -> Mapping[str, Any]:
    """Return the published schema of an answer if there is one: importing a system takes longer."""
    from pbem.model.codec import schema_of
    from pbem.text.schema import NoSuchSchema, find

    try:
        return find(f"{system.name}/{kind}")
    except NoSuchSchema:
        decision = system.registry.decisions.get(kind)
        return schema_of(decision.answer) if decision is not None else {}


def _is_number(schema: Mapping[str, Any]) -> bool:
    values = schema.get("enum", [])
    return schema.get("type") == "integer" or (bool(values) and all(type(value) is int for value in values))


def _refusal(value: Any) -> str:
    return str(recalled(value.get("message", ""))) if isinstance(value, dict) else str(value)
