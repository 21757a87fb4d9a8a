"""The whole game for one reader, stage by stage, from what `verify` trusts: for books and statistics.

Reads signed statements and what records name, nothing derived; an archive with anything false in it is
refused. How much of it can be told depends on who asks: all facts where the game can be played again (it
hides nothing, is unsealed, or the folder is the GM's), a player's own views in that player's folder, else
only the public events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pbem.archive.adjudicating.publishing import people
from pbem.archive.adjudicating.unsealing import still_hidden
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.private_side import Private
from pbem.archive.verifying.findings import Notes
from pbem.archive.verifying.own_views import is_mine, own_view
from pbem.archive.verifying.read_archive import Archive
from pbem.archive.verifying.results import play_again
from pbem.archive.verifying.verify import Counting, read_evidence
from pbem.engine.answers import NotOpened, Use
from pbem.engine.system import System
from pbem.stages.deputies import acted_for_gm
from pbem.stages.inputs import Opening, Order, Setting, StageInputs
from pbem.stages.inputs_from_statements import Extra, order_of
from pbem.stages.plain_replies import written_down
from pbem.stages.rulings import DECISION as RULING
from pbem.stages.running import Run
from pbem.stages.scenario_terms import system_as_played
from pbem.stages.unseal_checks import openings_in
from pbem.stages.views import PlayerView, known_to, roster_facts, told_to
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message, in_turn
from pbem.trust import groups
from pbem.trust.errors import BadSeal, BadView
from pbem.trust.records import Record, Shown
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement

NO_RULINGS: Mapping[str, Shown] = MappingProxyType({})
Depth = Literal["everything", "own view", "events"]
"""How much of a game is known: all its facts, those of one player, or public events alone."""


@dataclass(frozen=True)
class Chapter:
    """One stage.

    `facts` is empty if only events are known, `uses` if the game was not played again.

    `sent` are the statements that the report took in, and the report itself. `answers` are those that are
    known, by party and decision as they were sent. `asked`: who is asked at the end of the stage, and what.
    `people` is what its report says of those who play, as facts for a renderer.
    """

    stage: int
    record: Record
    events: Sequence[Json]
    facts: Sequence[groups.Fact] = field(default=(), repr=False)
    uses: Sequence[Use] = ()
    sent: Sequence[Statement] = field(default=(), repr=False)
    answers: Mapping[tuple[str, str], Json] = field(default_factory=dict, repr=False)
    by: str = ""
    asked: Mapping[str, Sequence[str]] = field(default_factory=dict)
    people: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class History:
    """A game from its first stage on, with the present roster.

    `owner` is the player whose folder it is.

    `why` says why less is known than possible, mostly because other rules are installed, or is
    empty.
    """

    roster: Roster
    system: System
    depth: Depth
    chapters: tuple[Chapter, ...]
    owner: str | None = None
    unsealed: bool = False
    why: str = ""

    def reader(self, wanted: str | None) -> str | None:
        """Return the reader of this history; Refused for one whose view this folder lacks.

        Without `wanted` it is the one who may know most: the GM, the owner of the folder, or
        everybody.
        """
        everything = self.depth == "everything"
        if wanted is None:
            return self.roster.terms.arbiter if everything and self.system.hidden else self.owner
        if wanted not in self.roster.by_id:
            near = ", ".join(self.roster.by_id)
            raise Refused(
                Diagnostic("unknown-party", Message("archive.folder.unknown-party", reader=wanted, near=near))
            )
        if not everything and wanted != self.owner:
            help_ = (Message("archive.verifying.wait-for-gm-to-unseal-game"),)
            message = Message("archive.verifying.not-yours", wanted=wanted)
            raise Refused(Diagnostic("not-yours", message, help=help_))
        return wanted

    def answers(self, chapter: Chapter, reader: str | None) -> dict[tuple[str, str], Json]:
        """Return the answers of a stage that a reader may know: with hidden units the reader's own."""
        everybodys = not self.system.hidden or (reader is not None and reader == self.roster.terms.arbiter)
        return {key: value for key, value in chapter.answers.items() if everybodys or key[0] == reader}

    def view(self, chapter: Chapter, reader: str | None) -> PlayerView:
        """Return a reader's view at the end of a stage; None for what is public."""
        roster = self.roster
        facts = known_to(chapter.facts, reader, roster.everybody, roster.terms.arbiter if reader else "")
        events = told_to(chapter.events, facts)
        return PlayerView(self.system, roster.terms.scenario.name, reader, chapter.stage, facts, events)


def history(
    root: Path, own: Private | None = None, *, game_id: str | None = None, counting: Counting | None = None
) -> History:
    """Read an archive and, as far as may be known, play it again. Refused if anything in it is false.

    `own` is the private side of the folder, if the reader owns the folder.
    """
    notes = Notes()
    evidence = read_evidence(root, game_id, notes, counting)
    if evidence is None or notes.any_false():
        raise _unsound(notes)
    archive, progress = evidence
    if not archive.reports:
        raise Refused(Diagnostic("not-started", Message("archive.verifying.not-started")))
    system = system_as_played(archive.roster.terms, archive.in_force.terms.module, archive.whole)
    chapters = {stage: _chapter(archive, stage) for stage in sorted(archive.reports)}
    published = archive.unsealed
    depth, owner, why = _fill(archive, system, own, chapters, counting)
    unsealed = published and depth == "everything"
    return History(progress.roster, system, depth, tuple(chapters.values()), owner, unsealed, why)


def _unsound(notes: Notes) -> Refused:
    bad = next((finding for finding in notes.findings if finding.kind == "false"), None)
    reason = bad.in_place if bad is not None else Message("archive.verifying.no-roster")
    message = Message("archive.verifying.archive-not-sound", reason=reason)
    return Refused(
        Diagnostic("not-sound", message, help=(Message("archive.verifying.pbem-verify-says-more"),))
    )


def _chapter(archive: Archive, stage: int) -> Chapter:
    """Return a stage as in its report."""
    report, record = archive.reports[stage], archive.record(stage)
    statements = (archive.find(stage, sid) for sid in record.sids)
    sent = [statement for statement in statements if statement is not None]
    sent += [statement_ for kind in ("lock", "link") for statement_ in archive.evidence[stage].of(kind)]
    by, events = report.report.by, report.report.events
    asked = archive.behind(stage).asked
    plain = written_down(record, archive.find)
    who = people(archive.before[stage].roster, archive.roster_of(stage), plain)
    who["deputy"] = acted_for_gm(archive.before[stage].roster, report)
    return Chapter(stage, record, events, sent=[*sent, report], by=by, asked=asked, people=who)


# ---- what can be known -------------------------------------------------------------------------------


def _fill(
    archive: Archive,
    system: System,
    own: Private | None,
    chapters: dict[int, Chapter],
    counting: Counting | None,
) -> tuple[Depth, str | None, str]:
    """Put the reader's facts into the chapters. Return depth, owner, and why no more is known."""
    me = own.me if own is not None else None
    published, why = archive.unsealed, ""
    if own is not None and own.gm_side is not None:
        archive.own_secrets = own.gm_side.gm_secrets
    if not system.hidden or published or archive.unsealed:
        extra: Extra = {}
        if system.hidden:
            opened = openings_in(archive.unseals, archive.find_any)
            extra = opened if published or own is None else gm_openings(archive, own)
        setting = Setting(system, archive.roster)
        why = _play(archive, setting, extra, chapters, counting)
        if not why:
            return "everything", me.party if me is not None and me.role == "player" else None, ""
    if system.hidden and own is not None and me is not None and me.role == "player":
        for stage, chapter in chapters.items():
            if not is_mine(archive, own, stage):
                continue
            try:
                facts = own_view(archive, own, stage)
            except (BadSeal, BadView, Refused) as fault:
                message = Message("archive.verifying.bad-view", stage=stage, fault=fault)
                raise Refused(Diagnostic("bad-view", message)) from None
            answers = _own_answers(archive, own, me.party, stage)
            chapters[stage] = replace(chapter, facts=facts, answers=answers)
        return "own view", me.party, why
    return "events", None, why


def _play(
    archive: Archive,
    setting: Setting,
    extra: Extra,
    chapters: dict[int, Chapter],
    counting: Counting | None,
) -> str:
    """Play the game again. Return why other rules can't do it; Refused if a result is false."""
    notes, count, pinned = Notes(), len(chapters), archive.roster.terms.module
    played = dict(chapters)

    def each(stage: int, run: Run, given: StageInputs | None) -> None:
        facts = roster_facts(run.facts, setting.audience)
        answers = _answers(given.orders) if given is not None else {}
        played[stage] = replace(chapters[stage], facts=facts, uses=run.outcome.used, answers=answers)
        if counting:
            counting(count + stage + 1, 2 * count)

    try:
        final = play_again(archive, setting, extra, each, notes)
    except Refused as refused:
        notes.false("results", in_turn(fault.message for fault in refused.diagnostics))
        final = None
    if final is not None:
        chapters.update(played)
        return ""
    bad = notes.findings[0]
    message = Message("archive.amending.other-results", reason=bad.in_place)
    if not archive.foreign():
        raise Refused(
            Diagnostic("not-sound", message, help=(Message("archive.verifying.pbem-verify-says-more"),))
        )
    return Message(
        "archive.verifying.not-played-again-by-other-rules",
        message=message,
        rules=pinned.name,
        version=pinned.version,
        digest=pinned.sha256[:12],
        installed=setting.system.version,
        installed_digest=setting.system.digest[:12],
    )


def _answers(orders: Mapping[str, Order | None]) -> dict[tuple[str, str], Json]:
    """Return the answers in orders, open or opened."""
    answers: dict[tuple[str, str], Json] = {}
    for party, order in orders.items():
        if order is not None:
            open_ = {name: reply.value for name, reply in order.answers.items()}
            answers |= {
                (party, name): value for name, value in open_.items() if not isinstance(value, NotOpened)
            }
            answers |= {(party, decision): opening.value for decision, opening in order.openings.items()}
    return answers


def _own_answers(archive: Archive, own: Private, me: str, stage: int) -> dict[tuple[str, str], Json]:
    """Return the owner's answers, from the openings kept in the folder."""
    sid = archive.accepted(stage).get(me)
    order = archive.find(stage, sid) if sid else None
    if order is None:
        return {}
    kept = own.openings(stage, "order", order.rev)
    opened = {name: Opening.of(opening, stage) for name, opening in kept.items()}
    return _answers({me: order_of(order, opened)})


def gm_openings(archive: Archive, own: Private, rulings: Mapping[str, Shown] = NO_RULINGS) -> Extra:
    """Return what only the GM can open during the game, from a folder with the GM's secrets.

    That is sealed content of orders, standing orders and links, and rulings; `rulings` are further ones.
    """
    folder = Folder(archive.root)
    folder.private = own
    openings: dict[str, dict[str, Opening]] = {}
    for sid, entries in still_hidden(folder, folder.progress).items():
        statement = archive.find_any(sid)
        stage = statement.stage if statement is not None else 0
        openings[sid] = {name: Opening.of(entry, stage) for name, entry in entries.items()}
    for sid, shown in rulings.items():
        ruling = archive.find_any(sid)
        if ruling is not None:
            openings.setdefault(sid, {})[RULING] = Opening.of(shown, ruling.stage)
    return openings
