"""The way from the history of a game to the data of statistics and books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.text.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.archive import Chapter, History, Private
    from pbem.engine.system import System
    from pbem.report.whole.stats import Asking, Seen, Stats
    from pbem.report.wording import Wording
    from pbem.text.canonical import Json


def read(root: Path, own: Private | None) -> History:
    """Return the history of an archive, with a progress bar, and a note if it is incomplete."""
    from pbem.archive import history
    from pbem.cli.shell.console import note, progress

    with progress(Message("cli.history.reading-the-game")) as step:
        seen = history(root, own, counting=step)
    if seen.why:
        note(Message("cli.history.less-to-tell", why=seen.why))
    return seen


def figures(
    history: History, reader: str | None, words: Wording, times: Mapping[str, str] | None = None
) -> Stats:
    """Return the figures of a game for a reader; None for what is public.

    `times` says when statements came in, by sid, where that was noted.
    """
    from pbem.report.whole.stats import stats

    gm = history.roster.terms.arbiter
    parties = [*history.roster.players, *([gm] if gm else [])]
    return stats(seen_stages(history, reader, words, times or {}), parties)


def seen_stages(history: History, reader: str | None, words: Wording, times: Mapping[str, str]) -> list[Seen]:
    """Return each stage as far as the reader may know it."""
    from dataclasses import replace

    from pbem.cli.games.telling import report_view
    from pbem.report.reader import story
    from pbem.report.whole.stats import Seen

    seen: list[Seen] = []
    umpire = reader is not None and reader == history.roster.terms.arbiter
    asked: Sequence[tuple[str, Asking]] = ()
    for chapter in history.chapters:
        view = history.view(chapter, reader)
        events = story(view.told, reader, umpire=umpire)
        sent = Counter(statement.sender for statement in chapter.sent)
        shown = report_view(view, words=words)
        standing = _standing(history, chapter, umpire)
        answers = history.answers(chapter, reader)
        waited = [replace(question, answer=_answer(answers, key, question)) for key, question in asked]
        days = [_day(times[statement.sid]) for statement in chapter.sent if statement.sid in times]
        came = [day for day in days if day is not None]
        seen.append(Seen(chapter.stage, events, shown, waited, sent, standing, came))
        asked = [
            (key, replace(asking, why=_why(history, view.facts, reader, key, asking)))
            for key, asking in askings(history.system, chapter)
        ]
    return seen


def _why(
    history: History, facts: Mapping[str, Json], reader: str | None, key: str, asked: Asking
) -> str | None:
    """Return why a question cost an email, from its advance orders.

    None for a reader who may not know that of this party.
    """
    gm = history.roster.terms.arbiter
    if history.system.hidden and reader not in (asked.party, gm):
        return None
    results = {"refused": "illegal", "waits": "conditions", "lapsed": "attacked", "expired": "expired"}
    tried = [fact for name, fact in sorted(facts.items()) if name.startswith(f"ahead/{asked.party}/")]
    reasons = [
        results[str(entry["result"])]
        for entry in tried
        if isinstance(entry, dict)
        and str(entry["result"]) in results
        and entry["decision"] == asked.kind
        and entry.get("key", key) == key
    ]
    return next(
        (reason for reason in ("illegal", "conditions", "attacked", "expired") if reason in reasons),
        "nothing",
    )


def _day(time: str) -> int | None:
    """Return the day of a time as this computer's clock wrote it; None for other text."""
    from datetime import date

    try:
        return date.fromisoformat(time[:10]).toordinal()
    except ValueError:
        return None


def _standing(history: History, chapter: Chapter, umpire: bool) -> dict[str, int] | None:
    """Return how often standing orders answered, for readers who may know everything."""
    if history.depth != "everything" or (history.system.hidden and not umpire):
        return None
    return Counter(use.party for use in chapter.uses if use.how == "standing")


def askings(system: System, chapter: Chapter) -> list[tuple[str, Asking]]:
    """Return the questions at the end of a stage by key, with the standing orders that could answer."""
    from pbem.report.whole.stats import Asking

    asked: list[tuple[str, Asking]] = []
    for party, keys in sorted(chapter.asked.items()):
        kinds = {key: kind_of(system, key) for key in keys}
        asked += [(key, Asking(party, kind, forms_for(system, kind))) for key, kind in kinds.items()]
    return asked


def _answer(answers: Mapping[tuple[str, str], Json], key: str, asked: Asking) -> str | None:
    """Return the answer, sent by the key or kind of the question, or None if unknown."""
    from pbem.text.flow import flow

    for name in (key, asked.kind):
        if (asked.party, name) in answers:
            return flow(answers[asked.party, name])
    return None


def kind_of(system: System, key: str) -> str:
    """Return the kind of decision in a key: the word after the leaf; other keys stay."""
    words = key.split("/")
    leaves = {node.id for node in system.outline.walk() if node.kind in ("leaf", "step")}
    for leaf, kind in pairwise(words):
        if leaf in leaves and kind in system.registry.decisions:
            return kind
    return words[-1]


def forms_for(system: System, kind: str) -> tuple[str, ...]:
    """Return standing orders that answer a kind of decision, as in order files; else the general form."""
    if kind not in system.registry.decisions:
        return ()
    examples = system.wording.get("standing", {})
    own = sorted(form for form, answers in system.standing_forms.items() if answers == kind)
    shown = tuple(f"- {examples[form]}" for form in own if form in examples)
    return shown or (f"- {{decision: {kind}, when: {{FACT: VALUE}}, answer: ANSWER}}",)


def told_to(history: History, reader: str | None, words: Wording) -> str:
    """Return the reader in words."""
    from pbem.report.plain import LONGEST_NAME, safe

    gm = history.roster.terms.arbiter
    seen = reader is None if not history.system.hidden else (reader == gm and history.unsealed)
    if seen and history.depth == "everything":
        return words.say("stats-all")
    if reader is None:
        return words.say("public-report")
    name = safe(history.roster.by_id[reader].name, LONGEST_NAME)
    return words.say("report-for", who=f"{safe(words.text(reader))} ({name})")
