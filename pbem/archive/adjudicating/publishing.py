"""The publication of a finished stage: signed report, sealed views, texts for people, and the email.

Protocol 13.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from pbem.archive.adjudicating.closed_stages import in_force_files, readers
from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.earlier import Earlier
from pbem.archive.folder.ended_stages import ended_by, ended_file
from pbem.archive.folder.named_readers import apart_file
from pbem.archive.folder.stage_files import Asked, record_files, run_files
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.model.events import Told
from pbem.stages import deadlines
from pbem.stages.progress import Progress
from pbem.stages.running import Run, Setting
from pbem.stages.views import PlayerView, known_to, roster_facts, told_to
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, Worded
from pbem.trust import groups, statements
from pbem.trust import readers as readers_of
from pbem.trust.armour import Signed
from pbem.trust.keys import Signer
from pbem.trust.records import Record
from pbem.trust.roster import Party, Roster
from pbem.trust.seal import VIEW_KIND, pack_view, seal
from pbem.trust.statements import Statement


class Render(Protocol):
    """A maker of the report for a reader (None: the public report).

    It gets the events that the reader may know, the view, and facts about the stage; `before` among these
    gives the events of an earlier stage. A report that nobody reads is "": it is made when it is asked for.
    """

    def __call__(
        self, reader: str | None, told: Sequence[Told], view: PlayerView, meta: Mapping[str, Any], /
    ) -> str: ...

    def say(self, text: str, /) -> str:
        """Return a line of the email in the language of its report."""
        ...

    def to_each(self) -> bool:
        """Return True if each player gets their own report in an email of their own."""
        ...

    def news(self, reader: str | None = None, /) -> str:
        """Return the headline of a reader's last report (None: the public one) for a subject, or ""."""
        ...

    def page(self, reader: str | None, /) -> tuple[str, bytes]:
        """Return that last report as a page for an email, and its picture (PNG); either may be
        empty.
        """
        ...


@dataclass(frozen=True)
class Publication:
    """The files and emails of a finished stage for the GM."""

    changes: Changes
    letter: Letter


def publish(
    setting: Setting,
    signer: Signer,
    progress: Progress,
    done: Run,
    taken: Sequence[Signed],
    by: str | None,
    render: Render | None,
    after: Progress | None = None,
    rev: int = 1,
    earlier: Earlier | None = None,
) -> Publication:
    """Sign the report and make its files and email; the email carries every statement accepted (13).

    `after` is the line with the new record, in a folder; None for files kept by hand, which have no past.
    Of a closed stage `setting` has the roster behind it. `earlier` is what a folder knows of the stages
    before.
    """
    made = sign_report(setting, signer, progress, done, by, rev)
    stage = progress.open_stage
    changes = record_files(done.record, done.events)
    changes.update(run_files(setting, done, gm=True))
    changes.update(apart_file(stage, done.apart, rev))
    report = made.statements[0]
    changes.keep(stage, report.sid, made.signed[0])
    for party, blob in made.blobs.items():
        changes.write(layout.view_name(stage, party), blob)
    if after is not None:
        changes.update(lasting_files(setting, done, after))
    facts = roster_facts(done.facts, setting.audience)
    one_letter_each = render is not None and render.to_each() and after is not None
    only = setting.roster.players if one_letter_each else None
    began = progress.roster
    texts = report_texts(
        setting, began, done.record, done.events, facts, done.asked, by, render, only, earlier, _plain(taken)
    )
    changes.write(f"{layout.stage_name(stage)}/report.txt", texts[None])
    for reader, text in texts.items():
        if reader is not None and setting.system.hidden:
            changes.write(report_name(stage, reader), text)
    letters = _Letters(setting, progress, made, taken, texts, render, rev)
    others = readers(progress, after) if after is not None else progress.roster.active
    alone = [other for other in others if one_letter_each and other.id in texts]
    letter = letters.of(None, [other for other in others if other not in alone])
    say = render.say if render is not None else str
    changes.update(letter.changes(say, mail=len(letter.others) > (1 if alone else 0)))
    for recipient in alone:
        own = letters.of(recipient.id, [recipient])
        changes.write(f"{layout.OWN_LETTERS}/{own.name}.eml", own.eml(say))
    return Publication(changes, letter)


@dataclass(frozen=True)
class _Letters:
    """The emails of a report: the public one, and each reader's own with the same statements."""

    setting: Setting
    progress: Progress
    made: Made
    taken: Sequence[Signed]
    texts: Mapping[str | None, str]
    render: Render | None
    rev: int

    def of(self, reader: str | None, others: Sequence[Party]) -> Letter:
        """Return the email with the report of a reader (None: the public one)."""
        roster, acting, stage = self.progress.roster, self.setting.acting, self.progress.open_stage
        report, rev = self.made.statements[0], self.rev
        what = news_of(self.render, reader)
        if rev > 1:
            what = Message("archive.adjudicating.report-corrected", rev=rev, what=what)
        name = f"stage-{stage:04d}-{acting}-report" + (f"-to-{reader}" if reader is not None else "")
        letter = Letter(
            name=name + (f"-rev{rev}" if rev > 1 else ""),
            subject=outbox.subject_of(roster, stage, what),
            sender=self.setting.roster.by_id[acting],
            others=others,
            readable=[Worded(self.texts[reader])],
            items=[*self.taken, *self.made.signed],
            id=report.sid if reader is None else f"{reader}-{report.sid}",
        )
        return with_page(letter, self.render, reader)


def news_of(render: Render | None, reader: str | None = None) -> str:
    """Return the news in the subject of a report's mail."""
    news = render.news(reader) if render is not None else ""
    return Worded(news) if news else Message("archive.adjudicating.report")


def with_page(letter: Letter, render: Render | None, reader: str | None = None) -> Letter:
    """Return the letter with the last report of a reader as a page, and its picture."""
    if render is None:
        return letter
    page, picture = render.page(reader)
    return replace(letter, page=page, picture=picture)


@dataclass(frozen=True)
class Made:
    """Report and views as statements, the report first, signed; and the sealed views by party."""

    statements: list[Statement]
    signed: list[Signed]
    blobs: Mapping[str, bytes]


def sign_report(
    setting: Setting, signer: Signer, progress: Progress, done: Run, by: str | None, rev: int = 1
) -> Made:
    """Sign the report of a stage, and the view of each player if anything is not public.

    In a game that hides nothing only those have one for whom there is an answer.
    """
    roster, stage = setting.roster, progress.open_stage
    common = {
        "game": roster.game,
        "sender": setting.acting,
        "stage": stage,
        "prev": progress.head,
        "rev": rev,
    }
    blobs: dict[str, bytes] = {}
    named = {party for sealed in done.apart for party in sealed.audience}
    for party in roster.players:
        if setting.system.hidden or party in named:
            apart = readers_of.in_view(done.apart, party)
            packed = pack_view(groups.view(done.groups, party, done.position, apart))
            public = roster.by_id[party].seal
            assert public is not None
            args = (roster.game_id, progress.open_stage, VIEW_KIND, setting.acting, party)
            blobs[party] = seal(packed, public, *args)
    body: dict[str, Json] = {"record": done.record.data}
    if progress.open_stage > 0:
        body["events"] = done.events
    if blobs:
        body["views"] = {party: groups.view_hash(blob).hex() for party, blob in blobs.items()}
    if by:
        body["next"] = {"by": by}
    made = [statements.make("report", body, **common)]  # type: ignore[arg-type]
    for blob in blobs.values():
        view: dict[str, Json] = {"head": done.head, "view": base64.b64encode(blob).decode()}
        made.append(statements.make("view", view, **common))  # type: ignore[arg-type]
    signed = [Signed.by(signer, statement.bytes) for statement in made]
    return Made(made, signed, blobs)


def lasting_files(setting: Setting, done: Run, after: Progress) -> Changes:
    """Return the lasting files of a stage: how it ended, and what amendments left in force."""
    changes = Changes()
    if not done.record.closed:
        changes.update(ended_file(after.stage, ended_by(setting, done)))
    if done.record.amends:
        changes.update(in_force_files(after, setting.system))
    return changes


def _plain(taken: Sequence[Signed]) -> list[str]:
    """Return the parties whose orders were written down from unsigned email."""
    read = [narrow.mapping(json.loads(statement.data)) for statement in taken]
    bodies = [
        (statement["from"], statement["body"])
        for statement in read
        if statement.get("type") in ("order", "standing")
    ]
    return sorted({narrow.text(party) for party, body in bodies if "plain" in narrow.mapping(body)})


def report_name(stage: int, party: str) -> str:
    """Return the name of a party's own report."""
    return f"{layout.PRIVATE}/reports/{stage:04d}-{party}.txt"


def people(began: Roster, behind: Roster, plain: Sequence[str] = ()) -> dict[str, Any]:
    """Return what a report says of the people in a stage, for the facts of a renderer (protocol 17.29).

    `began` is the roster when the stage began: its names are those of the text. `behind` is the roster that
    the report is made with. It differs only behind a closed stage, whose report names new parties and those
    who left. `plain` are the parties whose orders the GM wrote down from unsigned email.
    """
    return {
        "names": {party.id: party.name for party in began.parties},
        "renamed": [
            [party.id, began.by_id[party.id].name, party.name]
            for party in behind.active
            if party.name != began.by_id[party.id].name
        ],
        "left": sorted(behind.dropped - began.dropped),
        "proxies": [party.id for party in behind.active if party.proxy is not None],
        "plain": list(plain),
    }


def report_texts(
    setting: Setting,
    began: Roster,
    record: Record,
    events: Sequence[Json],
    facts: Sequence[groups.Fact],
    asked: Asked,
    by: str | None,
    render: Render | None,
    only: Collection[str] | None = None,
    earlier: Earlier | None = None,
    unsigned: Sequence[str] = (),
) -> dict[str | None, str]:
    """Return the public report under None, and one for each reader but those who read none.

    Without a renderer they are a bare list of events. `unsigned` are the parties whose orders the GM wrote
    down from unsigned email.

    `began` is the roster with which the stage began. `earlier` tells what a reader's own report begins with,
    the stages since the reader's last answer, and how current battles began.
    """
    roster = setting.roster
    wanted = only if only is not None else (roster.players if setting.system.hidden else ())
    meta: dict[str, Any] = {
        **people(began, roster, unsigned),
        "deputy": setting.deputy,
        "title": roster.terms.title,
        "game": roster.game,
        "stage": record.stage,
        "head": record.head,
        "asked": {party: list(keys) for party, keys in asked.items()},
        "by": by,
        "days": deadlines.of(roster.terms).answer_days,
    }
    for name in ("seed", "state", "forfeits", "accepted"):
        meta[name] = record.data.get(name)
    texts: dict[str | None, str] = {}
    for reader in (None, *wanted):
        known = known_to(facts, reader, roster.everybody, "")
        view = PlayerView(
            setting.system,
            roster.terms.scenario.name,
            reader,
            record.stage,
            known,
            told_to(events, known),
        )
        since = list(earlier.since(reader, record)) if earlier is not None and reader is not None else []
        given_meta: dict[str, Any] = {**meta, "earlier": since}
        if earlier is not None:
            given_meta["before"] = partial(earlier.at, reader)
        text = (render or plain)(reader, view.told, view, given_meta)
        if text:
            texts[reader] = text
    return texts


def plain(reader: str | None, told: Sequence[Told], view: PlayerView, meta: Mapping[str, Any]) -> str:
    """Return a report without sentences: kinds of events, and who is asked.

    It is used where no renderer is given.
    """
    asked = ", ".join(sorted(narrow.mapping(meta["asked"]))) or Message(
        "archive.adjudicating.nobody-game-is-over"
    )
    lines = [f"stage {meta['stage']}: {view.place}", ""]
    lines += [f"- {entry.event.get('event')}" for entry in told]
    lines += ["", f"asked next: {asked}", f"record {meta['head']}"]
    return "\n".join(outbox.heading(str(meta["title"]), lines))
