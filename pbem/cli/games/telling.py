"""The data of reports from a game folder: `archive` and `report` do not know each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.cli.games.reporting.meta import meta_from
from pbem.cli.shell.language import spoken_in
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Chapter, Folder, History, Render
    from pbem.engine.system import System
    from pbem.model.events import Told
    from pbem.report.reader import Meta, View
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

    def say(self, text: str) -> str:
        """Return a line of the report's email in its language."""
        return spoken_in(self._lang, text)

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


def deadline(folder: Folder, stage: int | None = None) -> str:
    """Return when answers are due, as the GM wrote it in a report (by default the newest)."""
    from pbem.archive import deadline_in, report_taken

    return deadline_in(report_taken(folder, folder.stage if stage is None else stage))
