"""The part of `verify` for readers: `report.txt` and `state.yaml` follow from the game.

Protocol 12.3, 17.24.

Everyone who can make a text again compares it byte by byte: in a game that hides nothing everybody, before
the unseal those who have the public facts of a stage. These are hashed without salt into its
record, so everyone can check that they are the right ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pbem.archive.adjudicating.publishing import Render, report_texts
from pbem.archive.folder import layout
from pbem.archive.folder.stage_files import Asked, public_part
from pbem.archive.verifying.evidence import UNREADABLE, read_derived
from pbem.engine.pins import WORDS, of_files
from pbem.stages.deputies import acted_for_gm
from pbem.stages.plain_replies import written_down
from pbem.stages.progress import one_report
from pbem.stages.running import Run, Setting
from pbem.stages.views import known_to, roster_facts
from pbem.text.canonical import Json, NotCanonical
from pbem.text.diagnostics import PbemError, Refused
from pbem.text.messages import Message
from pbem.trust import groups

if TYPE_CHECKING:
    from pbem.archive.verifying.read_archive import Archive
    from pbem.trust.records import Record
    from pbem.trust.statements import Statement

Facts = Sequence[groups.Fact]


def check_report(archive: Archive, setting: Setting, run: Run) -> None:
    """Compare the public report of a stage that was played again with one made anew."""
    check_text(archive, setting, run.record.stage, roster_facts(run.facts, setting.audience), run.asked)


def check_text(archive: Archive, setting: Setting, stage: int, facts: Facts, asked: Asked) -> None:
    """Compare the public report of a stage with one made of these facts, in the words of each language.

    Only where the rules are the pinned ones. A text that names other words than those installed here is not
    compared (protocol 17.33); `say_other_words` tells which.
    """
    notes, pinned, here = archive.notes, archive.module_of(stage), setting.system
    if archive.renderers is None or pinned.sha256 != here.digest:
        return
    name, marks = f"{layout.stage_name(stage)}/report.txt", set[str]()
    try:
        data = layout.read(archive.root, name, layout.DERIVED_LIMIT)
    except Refused as refused:
        notes.false("odd-file", refused.diagnostics[0].message, stage)
        return
    if data is None:
        return
    reported, record = archive.reports[stage].report, archive.record(stage)
    began, plain = archive.before[stage].roster, written_down(record, archive.find)
    before = _Before(archive)
    for report, render in _ways(archive, stage):  # programs without a renderer write a bare list
        by, here_ = report.report.by or None, replace(setting, deputy=acted_for_gm(began, report))
        texts = report_texts(
            here_, began, record, reported.events, facts, asked, by, render, (), before, plain
        )
        if texts[None].encode() == layout.as_written(data):
            return
        marks.update(WORDS.findall(texts[None]))
    theirs = WORDS.findall(data.decode("utf-8", "replace"))
    # games that pinned the words carry no mark
    of_before = not theirs and pinned.sha256 not in of_files(here)
    if of_before or (theirs and marks.isdisjoint(theirs)):
        archive.other_words.add(stage)
    else:
        notes.false(
            "derived",
            Message("archive.verifying.name-is-not-report-that-follows-from-game", name=name),
            stage,
        )


def _ways(archive: Archive, stage: int) -> Iterator[tuple[Statement, Render | None]]:
    """Yield the reports that the text may be of, each with the words it may have.

    Those are the report that counts, and the same one of the other of GM and deputy (protocol-letters 5).
    """
    counts = archive.reports[stage]
    others = [
        statement
        for statement in archive.of(stage, "report")
        if statement.sid != counts.sid and statement.rev == counts.rev
    ]
    for report in (counts, *(other for other in others if one_report(other, counts))):
        for render in (*archive.renders(), None):
            yield report, render


def say_other_words(archive: Archive) -> None:
    """Name the stages whose reports were made with other words than those installed here (protocol 17.33)."""
    if archive.other_words:
        which = spans(sorted(archive.other_words))
        text = Message("archive.verifying.report-txt-of-other-words", stages=which)
        archive.notes.claimed("texts", text)


class _Before:
    """The public content of an archive's reports before the compared stage."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def since(self, reader: str, record: Record) -> Sequence[Json]:
        return ()

    def at(self, reader: str | None, stage: int) -> Sequence[Json]:
        return self._archive.reports[stage].report.events if stage in self._archive.reports else ()


def not_compared(archive: Archive, stages: Sequence[int]) -> None:
    """Report the stages without a compared text, because the rules of their files are not installed."""
    if archive.renderers is not None and stages:
        which = spans(stages)
        text = Message("archive.verifying.report-txt-names-other-rules", which=which)
        archive.notes.claimed("texts", text)


# --- before the unseal ----------------------------------------------------------------------------------


def check_public(archive: Archive, setting: Setting, known: Mapping[int, Facts]) -> None:
    """Compare texts before the unseal.

    Those are of stages with `known` public facts, and of the newest one, whose facts are in `state.yaml`.
    Other stages are reported.
    """
    last = len(archive.before) - 1
    everybody = setting.roster.everybody
    shown = {stage: [fact for fact in facts if fact.audience == everybody] for stage, facts in known.items()}
    shown = {stage: facts for stage, facts in shown.items() if is_public(archive, stage, facts)}
    newest = check_state_file(archive, setting, last)
    if newest is not None:
        shown[last] = list(newest)
    if archive.renderers is None:
        return
    foreign = archive.foreign()
    for stage in sorted(set(shown) - set(foreign)):
        here = at(archive, setting, stage)
        check_text(archive, here, stage, shown[stage], archive.behind(stage).asked)
    rest = [stage for stage in range(last + 1) if stage not in shown or stage in foreign]
    if rest:
        text = Message("archive.verifying.report-txt-is-of-unknown-facts", spans=spans(rest))
        archive.notes.consistent("texts", text)


def is_public(archive: Archive, stage: int, facts: Facts) -> bool:
    """Return True if these are all public facts of a stage, with the hash in its record."""
    position = archive.behind(stage).position
    roster = archive.roster
    values = {fact.key: fact.value for fact in facts}
    try:
        digest = groups.group_hash(
            roster.game_id, position, roster.everybody, groups.PUBLIC_SALT, values
        ).hex()
    except NotCanonical:
        return False
    return (roster.everybody, digest) in archive.record(position).groups


def check_state_file(archive: Archive, setting: Setting, last: int) -> Facts | None:
    """Return the public facts of the newest stage from `state.yaml`, if they match its record.

    A file with anything else is false.
    """
    name = layout.STATE
    try:
        data = layout.read(archive.root, name, layout.DERIVED_LIMIT)
        state: Any = json.loads(data) if data is not None else None
        table: Mapping[str, Mapping[str, Json]] = state["facts"] if state is not None else {}
        everybody = setting.roster.everybody
        facts = [
            groups.Fact(f"{section}/{key}" if key else section, value, everybody)
            for section, values in sorted(table.items())
            for key, value in sorted(values.items())
        ]
    except Refused as refused:
        archive.notes.false("odd-file", refused.diagnostics[0].message)
        return None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        archive.notes.false(
            "derived", Message("archive.verifying.file-is-not-public-part-of-state", name=name)
        )
        return None
    if state is None:
        return None
    if not is_public(archive, last, facts):
        archive.notes.false(
            "derived",
            Message("archive.verifying.file-is-not-public-part-of-state-of-stage", name=name, last=last),
        )
        return None
    if last not in archive.foreign():
        _whole(archive, at(archive, setting, last), last, facts)
    return facts


def _whole(archive: Archive, setting: Setting, last: int, facts: Facts) -> None:
    """Check all of `state.yaml`, whose public facts are right."""
    known = known_to(facts, None, setting.roster.everybody, "")
    made = public_part(setting, archive.record(last), known, archive.behind(last).asked)
    derived = read_derived(archive.files, layout.STATE, None, archive.notes, made)
    if derived is UNREADABLE or derived != json.loads(json.dumps(made)):
        archive.notes.false(
            "derived",
            Message(
                "archive.verifying.file-is-not-public-part-of-state-of-stage", name=layout.STATE, last=last
            ),
        )


def at(archive: Archive, setting: Setting, stage: int) -> Setting:
    """Return the setting with the roster in force in a stage."""
    roster = archive.roster_of(stage)
    return replace(setting, system=archive.system_at(stage, roster), roster=roster)


def gm_facts(archive: Archive) -> dict[int, Facts]:
    """Return what the GM's own folder has kept of how each stage ended."""
    from pbem.archive.folder.ended_stages import ended_at
    from pbem.archive.folder.game_folder import Folder

    by_stage: dict[int, Facts] = {}
    for stage in range(len(archive.before)):
        try:
            by_stage[stage] = ended_at(Folder(archive.root), archive.behind(stage).position).facts
        except (PbemError, OSError):
            continue
    return by_stage


def spans(stages: Sequence[int]) -> str:
    """Return `stage 3`; `stages 0 to 3 and 7`."""
    runs: list[list[int]] = []
    for stage in stages:
        if runs and runs[-1][-1] == stage - 1:
            runs[-1].append(stage)
        else:
            runs.append([stage])
    *before, last = [
        str(run[0])
        if len(run) == 1
        else Message("archive.verifying.first-to-last", first=run[0], last=run[-1])
        for run in runs
    ]
    if len(stages) == 1:
        return Message("archive.verifying.stage", stage=last)
    return Message("archive.verifying.stages", before=tuple(before), last=last)
