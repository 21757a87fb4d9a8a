"""The data of reports from a game folder: `archive` and `report` do not know each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from pbem.cli.games import ahead as _ahead
from pbem.text.messages import Message, in_language
from pbem.text.recorded import recalled

if TYPE_CHECKING:
    from pbem.archive import Chapter, Folder, History, Render
    from pbem.engine.resolve import Question
    from pbem.engine.system import System
    from pbem.model.events import Told
    from pbem.report.reader import Asked, Default, Meta, Recipe, View
    from pbem.report.structure import Report
    from pbem.report.wording import Wording
    from pbem.stages.views import PlayerView

_OF_RECORD = ("seed", "state", "asked", "forfeits", "accepted", "kept")


def renderer(
    lang: str = "en", *, to_each: bool = False, pages: bool = True, unread: Collection[str] = ()
) -> Render:
    """Return the renderer that the archive calls for the report of a stage for a reader.

    `to_each`: each player gets a separate email with their own report. `pages`: its email has the report
    as a page too, with a map. `unread`: whose own reports nobody reads, so that none are made.
    """
    return _Renderer(lang, quiet=False, to_each=to_each, pages=pages, unread=unread)


def renderers() -> list[Render]:
    """Return one for each language that a game's reports may be in, English first."""
    from pbem.report.language import languages
    from pbem.text.sentences import ENGLISH

    codes = sorted(languages(), key=lambda code: (code != ENGLISH, code))
    return [_Renderer(code, quiet=True) for code in codes]


class _Renderer:
    """A renderer of reports as texts, which keeps the last one of each reader.

    It serves for its email's subject, and for everybody at one table who would render the same.
    """

    def __init__(
        self,
        lang: str,
        *,
        quiet: bool,
        to_each: bool = False,
        pages: bool = True,
        unread: Collection[str] = (),
    ) -> None:
        self._lang, self._quiet, self._to_each, self._pages = lang, quiet, to_each, pages
        self._unread = unread
        self._made: dict[str | None, Report] = {}
        self._last: dict[str | None, tuple[PlayerView, Mapping[str, Any], str]] = {}
        self._words: dict[str | None, tuple[System, Wording]] = {}

    def __call__(
        self, reader: str | None, events: Sequence[Told], view: PlayerView, facts: Mapping[str, Any]
    ) -> str:
        from pbem.report.composing.compose import compose
        from pbem.report.text import render

        if reader in self._unread:
            return ""
        # what else decides a text, `before`, is of the same reader and game
        known = {name: fact for name, fact in facts.items() if name != "before"}
        last = self._last.get(reader)
        if last is not None and last[:2] == (view, known):
            return last[2]
        words = self._words.get(reader)  # each reader's words remember what that reader was told
        if words is None or words[0].wording is not view.system.wording:
            words = self._words[reader] = view.system, words_of(view.system, self._lang, quiet=self._quiet)
        seen = report_view(view, words=words[1])
        made = compose(reader, events, seen, meta_from(reader, view, facts, seen.wording))
        if reader is None or self._to_each:
            self._made[reader] = made
        text = render(made, whole=False)
        self._last[reader] = view, known, text
        return text

    def to_each(self) -> bool:
        """Return True if each player gets their own report in an email of their own."""
        return self._to_each

    def news(self, reader: str | None = None) -> str:
        """Return the headline of a reader's last report (None: the public one)."""
        from pbem.report.news import news

        return news(self._made[reader]) if reader in self._made else ""

    def page(self, reader: str | None) -> tuple[str, bytes]:
        """Return this report as a page for an email; nothing if no pages are wanted.

        Its map is a picture where one can be made.
        """
        if not self._pages or reader not in self._made:
            return "", b""
        from pbem.report.mail_page import is_quiet, page, picture

        made = self._made[reader]
        if is_quiet(made):
            return "", b""
        shown = picture(made)
        return page(made, with_picture=bool(shown)), shown


def report_view(view: PlayerView, lang: str = "en", words: Wording | None = None) -> View:
    """Return the position a reader may know, with map and words; `words` avoids merging them again."""
    from pbem.engine.drawn import shapes_of
    from pbem.report.reader import View
    from pbem.report.svg.look import Look

    game = view.game
    return View(
        game.position,
        game.players,
        words or words_of(view.system, lang),
        view.system.map_of(game.world),
        look_from=lambda: Look(view.system.look),
        shapes_from=lambda: shapes_of(view.system, view.system.map_of(game.world)),
        areas_from=lambda: view.system.overlays(game),
        forecasts_from=lambda: view.system.forecasts(game),
        printed_from=lambda: view.system.printed(game),
        facilities_from=lambda: view.system.facilities(game),
        holders_from=lambda: view.system.holders(game),
        sides_from=lambda: view.system.sides(game),
        points_from=lambda: view.system.points(game),
        titles_from=lambda: view.system.titles(game),
        background_from=lambda: view.system.background(game),
        absent_from=lambda: view.system.absent(game),
        outlook_from=lambda events: view.system.outlook(game, events),
        fought_from=lambda events: view.system.fought(game, events),
        ending_from=lambda: view.system.ending(game),
        captures_from=lambda events: view.system.captures(game, events),
        events=view.system.registry.events,
        labels=view.system.labels(game.scenario),
        no_map=view.system.map_faults(game.scenario),
    )


def words_of(system: System, lang: str = "en", *, quiet: bool = False) -> Wording:
    """Return the words of a system and of reports in a language; Refused for an unknown one.

    Words that the system lacks in that language are English. A note on standard error says how
    many, unless nobody has asked for that language (`quiet`).
    """
    from pbem.report.language import language
    from pbem.report.wording import Wording
    from pbem.text.sentences import ENGLISH

    if lang == ENGLISH:
        return Wording(system.wording)
    spoken = language(lang)
    if not quiet:
        _count_missing(system, lang)
    there = system.translation(lang)
    english = {(section, key) for section, texts in system.wording.items() for key in texts}
    own = {(section, key) for section, texts in there.items() for key in texts}
    return Wording(system.wording_in(lang), spoken, frozenset(english - own))


def _count_missing(system: System, lang: str) -> None:
    from pbem.cli.shell.console import note
    from pbem.report.translation import translation_faults

    faults = translation_faults(system.wording, system.translation(lang))
    missing = sum(1 for fault in faults if fault.code == "no-sentence")
    if missing:
        note(
            Message(
                "cli.telling.told-in-english",
                count=missing,
                system=system.name,
                lang=lang,
            )
        )


def report_of(folder: Folder, reader: str | None, view: PlayerView, lang: str = "en") -> Report:
    """Return a stage of a folder as a report for the reader of this view."""
    from pbem.report.composing.compose import compose

    seen = report_view(view, lang)
    return compose(reader, view.told, seen, meta_of(folder, reader, view, seen.wording))


def stage_report(folder: Folder, stage: int, reader: str | None, lang: str = "en") -> Report:
    """Return a stage of a folder as a report for a reader; None for what is public.

    Raises Refused for a reader whose view the folder lacks.

    The newest stage is at hand, an earlier one where the folder has kept how it ended; somebody else's view
    after the unseal is in the history.
    """
    from pbem.archive import unsealed, view_at
    from pbem.cli.games.history import read
    from pbem.report.language import language

    language(lang)  # refuse an unknown language before any work
    at_hand = folder.me is not None and stage == folder.stage
    if at_hand and (reader in (None, folder.me) or folder.knows_all or not unsealed(folder)):
        return report_of(folder, reader, folder.view(reader, public=reader is None), lang)
    folder.record(stage)  # refuse a missing stage
    kept = view_at(folder, stage, reader)
    if kept is not None:
        return report_of(folder, reader, kept, lang)
    history = read(folder.root, folder.private)
    recipient = history.reader(reader) if reader is not None else None
    return chapter_report(history, history.chapters[stage], recipient, lang, since=True)


def chapter_report(
    history: History,
    chapter: Chapter,
    reader: str | None,
    lang: str = "en",
    words: Wording | None = None,
    *,
    since: bool = False,
) -> Report:
    """Return a stage of a game's history as a report; `words` avoids merging them for each stage.

    `since`: it begins with all stages since the reader's last orders. A book tells each by itself.
    """

    from pbem.archive import since_answer
    from pbem.report.composing.compose import compose
    from pbem.stages import deadlines

    roster, view = history.roster, history.view(chapter, reader)
    seen = report_view(view, lang, words)
    facts: dict[str, Any] = {name: chapter.record.data.get(name) for name in _OF_RECORD}
    facts |= {"title": roster.terms.title, "game": roster.game, "stage": chapter.stage, "by": chapter.by}
    facts["days"] = deadlines.of(roster.terms).answer_days
    facts |= {"head": chapter.record.head, "asked": dict(chapter.asked)}
    facts |= chapter.people
    if since and reader in roster.players:
        stages = since_answer(reader, chapter.record, lambda stage: history.chapters[stage].record)
        facts["earlier"] = [
            {"stage": n, "events": list(history.view(history.chapters[n], reader).events)} for n in stages
        ]
    facts["before"] = lambda stage: history.view(history.chapters[stage], reader).events
    return compose(reader, view.told, seen, meta_from(reader, view, facts, seen.wording))


def meta_of(folder: Folder, reader: str | None, view: PlayerView, words: Wording) -> Meta:
    """Return facts about the stage of a view, for a report made anew."""
    from pbem.archive import earlier, people
    from pbem.stages import deadlines, plain_replies

    roster = folder.need_roster()
    record, began = folder.record(view.stage), folder.progress_at(view.stage - 1).roster
    facts: dict[str, Any] = {name: record.data.get(name) for name in _OF_RECORD}
    facts |= {"title": roster.terms.title, "game": roster.game, "stage": view.stage}
    facts |= {"head": record.head, "by": deadline(folder, view.stage)}
    facts["days"] = deadlines.of(roster.terms).answer_days
    behind = folder.progress_at(view.stage).roster if record.closed else began
    facts |= people(began, behind, plain_replies.written_down(record, folder.find))
    before = earlier(folder)
    facts["before"] = partial(before.at, reader)
    if reader is not None and reader in roster.players:
        facts["earlier"] = before.since(reader, record)
    facts["asked"] = dict(folder.progress_at(view.stage).asked)
    return meta_from(reader, view, facts, words)


def in_other_languages(folder: Folder) -> Callable[[int], Iterator[str]]:
    """Return a maker of a stage's texts in every language, the public and the owner's.

    They are as in an email of somebody with that language.
    """

    def texts(stage: int) -> Iterator[str]:
        from pbem.report.language import languages
        from pbem.report.text import render

        me = folder.me if folder.role == "player" else None
        for code in languages() if stage == folder.stage else ():
            for reader in dict.fromkeys((me, None)):
                view = folder.view(reader, public=reader is None)
                yield render(report_of(folder, reader, view, code), whole=False)

    return texts


def _due(facts: Mapping[str, Any], words: Wording) -> str:
    """Return by when answers are due: as the report says, else the days that were agreed on."""
    days = facts.get("days") or 0
    return str(facts.get("by") or "") or (words.say("due-days", count=days) if days else "")


def deadline(folder: Folder, stage: int | None = None) -> str:
    """Return when answers are due, as the GM wrote it in a report (by default the newest)."""
    from pbem.archive import deadline_in, report_taken

    return deadline_in(report_taken(folder, folder.stage if stage is None else stage))


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
        ahead=_ahead.used(view, reader, words),
        unused=_ahead.unused(view, reader, facts.get("kept") or {}, words),
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
        Default(party, str(default["decision"]), default["fields"], _said(default["answer"]))
        for party, default in taken
        if isinstance(default, Mapping)
    ]


def _said(answer: Any) -> str:
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
    rulings_told = [
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
    return [*acted, *came, *left, *rulings_told, *held, *plain]


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
