"""The GM's side of a stage: take what was accepted, run it, sign the report, write the mail (protocol 13)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from pbem.archive import layout, outbox, private, running
from pbem.archive.advance import kept_from, record_files, run_files
from pbem.archive.changes import Changes
from pbem.archive.deadlines import forfeit_fault
from pbem.archive.ending import need_going_on
from pbem.archive.folder import Folder
from pbem.archive.given import later_of, order_of
from pbem.archive.line import Line, revisions
from pbem.archive.names import parse_scenario_name
from pbem.archive.opening import Opened, open_sealed
from pbem.archive.outbox import Letter
from pbem.archive.running import Given, Order, Run, Setting
from pbem.archive.views import PlayerView, known_to, roster_facts, told_to
from pbem.mail.write import subject
from pbem.model.events import Told
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.trust import groups, records, statements
from pbem.trust.armour import Signed
from pbem.trust.chain import Chain
from pbem.trust.errors import NotAccepted
from pbem.trust.keys import Signer
from pbem.trust.seal import VIEW_KIND, pack_view, seal
from pbem.trust.statements import Statement

Render = Callable[[str | None, Sequence[Told], PlayerView, Mapping[str, Json]], str]
"""Makes the report for a reader (None: what is public) from the events he may know, his view, and `meta`."""


@dataclass(frozen=True)
class StageResult:
    """What a run gave. Not `done` if something is `missing`: then nothing was run or written.

    `refused` says, only for files given by hand, which statements were left out and why.
    """

    stage: int
    done: bool
    missing: Mapping[str, str] = field(default_factory=dict)
    run: Run | None = None
    written: Sequence[Path] = ()
    mail: Path | None = None
    refused: Sequence[str] = ()

    @property
    def finished(self) -> bool:
        """The game is over."""
        return self.run is not None and self.run.outcome.finished

    @property
    def asked(self) -> dict[str, list[str]]:
        """Who is asked now, and what."""
        return cast(dict[str, list[str]], self.run.record["asked"]) if self.run else {}

    @property
    def diagnostics(self) -> tuple[tuple[str, Diagnostic], ...]:
        """What was wrong with answers that could not be used, by party."""
        return self.run.outcome.diagnostics if self.run else ()


def adjudicate(
    folder: Folder,
    signer: Signer,
    forfeits: Collection[str] = (),
    *,
    dry_run: bool = False,
    by: str | None = None,
    render: Render | None = None,
) -> StageResult:
    """Run the open stage as far as it goes and write report, state and mail. The first run starts the game.

    `forfeits` are parties whose deadline has passed (games with `absent: skip`), `by` the next deadline as
    text. A dry run writes nothing. Refused if this is not the GM's folder, the game is over, or the rules
    installed are others than the roster's.
    """
    with folder.working():
        folder.need_me("gm")
        _check_ready(folder, signer)
        line = folder.line
        if folder.stage < 0:
            setting = folder.setting(secret=True)
            name, chosen = parse_scenario_name(folder.system, setting.roster.terms.scenario.name)
            done = running.begin(setting, name, chosen)
            taken: list[Signed] = []
        else:
            gm = folder.need_me("gm")
            collected = collect(folder.statements(line.open_stage), line, gm, folder.private.seal_key)
            check_forfeits(line, forfeits, collected.orders)
            missing = collected.missing(line, forfeits)
            if missing:
                return StageResult(line.open_stage, False, missing)
            taken = collected.signed
            given = collected.given(line, frozenset(forfeits), kept_from(folder.private.json(private.KEPT)))
            given = with_own_link(line, given, gm, folder.private.chain(line.roster.terms.chain_length))
            done = running.run(folder.setting(secret=True), folder.state(), given)
        if dry_run:
            return StageResult(line.open_stage, True, {}, done)
        publication = publish(folder.setting(secret=True), signer, line, done, taken, by, render)
        written = folder.commit(publication.changes)
        return finish(folder.root, publication, line.open_stage, done, written)


def _check_ready(folder: Folder, signer: Signer) -> None:
    roster = folder.need_roster()
    unsigned = folder.unsigned()
    if unsigned:
        message = f"the roster is not signed yet by {', '.join(unsigned)}"
        raise Refused(Diagnostic("roster-unsigned", message, help=("`pbem receive` their signatures first",)))
    need_going_on(folder)
    me = roster.by_id[folder.need_me("gm")]
    if signer.public != me.sign:
        raise Refused(Diagnostic("other-key", f"this key is not the one {me.id} has in the roster"))
    folder.check_module()
    folder.check_no_fork()


def check_forfeits(line: Line, forfeits: Collection[str], having: Collection[str]) -> None:
    """Refused unless the game lets these parties forfeit; `having` are those whose orders are here."""
    strangers = sorted(set(forfeits) - set(line.asked))
    if strangers:
        message = (
            f"{', '.join(strangers)} is not asked in stage {line.open_stage}, so there is nothing to forfeit"
        )
        raise Refused(Diagnostic("not-asked", message))
    for party in sorted(forfeits):
        fault = forfeit_fault(line.roster.terms, party, has_order=party in having, fresh=line.fresh)
        if fault is not None:
            help_ = ("wait, remind him with `pbem remind`, or change the game by an amendment",)
            raise Refused(Diagnostic("must-wait", f"this would be no valid stage: {fault}", help=help_))


# --- collecting -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Collected:
    """What has come in for the open stage and can be read: orders and standing orders, by party."""

    orders: Mapping[str, tuple[Statement, Opened]]
    later: Mapping[str, tuple[Statement, Opened]]
    signed: list[Signed]
    unreadable: Mapping[str, str]

    def missing(self, line: Line, forfeits: Collection[str]) -> dict[str, str]:
        """Who is asked, has not answered and must be waited for; with the reason."""
        return {
            party: self.unreadable.get(party, "no order has come")
            for party in line.asked
            if party not in self.orders and party not in forfeits
        }

    def given(self, line: Line, forfeits: frozenset[str], kept: running.Kept) -> Given:
        """The inputs of the run, but for the GM's own link."""
        orders: dict[str, Order | None] = dict.fromkeys(line.asked)
        links: dict[str, bytes] = {}
        for party, (statement, opened) in self.orders.items():
            orders[party] = order_of(statement, opened.openings)
            assert opened.link is not None
            links[party] = opened.link
        return Given(
            stage=line.open_stage,
            prev=line.head,
            seed_before=line.seed,
            orders=orders,
            links=links,
            forfeits=forfeits,
            later={p: (s.sid, later_of(s, o.openings) or []) for p, (s, o) in self.later.items()},
            kept=kept,
        )


def collect(arrived: Sequence[tuple[Statement, Signed]], line: Line, gm: str, seal_key: bytes) -> Collected:
    """Read the statements of the open stage: per party the newest revision whose seal opens counts (5.4,
    8.3).
    """
    here = {one.sid: (one, signed) for one, signed in arrived}
    unreadable: dict[str, str] = {}
    chosen: dict[str, dict[str, tuple[Statement, Opened]]] = {"order": {}, "standing": {}}
    for type_, found in chosen.items():
        for party, listed in revisions((one for one, _ in here.values()), type_).items():
            for statement in listed:
                if party in found or (type_ == "order" and party not in line.asked):
                    break
                try:
                    found[party] = (statement, open_sealed(statement, line, gm, seal_key))
                except NotAccepted as fault:
                    unreadable.setdefault(party, f"the {type_}, revision {statement.rev}: {fault}")
    sids = [s.sid for found in chosen.values() for s, _ in found.values()]
    return Collected(chosen["order"], chosen["standing"], [here[sid][1] for sid in sids], unreadable)


def with_own_link(line: Line, given: Given, gm: str, chain: Chain) -> Given:
    """The inputs with the GM's own link for the stage."""
    own = chain.link(line.open_stage, line.roster.since.get(gm, 0))
    line.check_link(gm, own)
    return replace(given, links={**given.links, gm: own})


# --- publishing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Publication:
    """Everything a finished stage gives the GM to write and to send."""

    changes: Changes
    letter: Letter


def publish(
    setting: Setting,
    signer: Signer,
    line: Line,
    done: Run,
    taken: Sequence[Signed],
    by: str | None,
    render: Render | None,
) -> Publication:
    """Sign the report and put together files and mail; the mail carries every statement accepted (13)."""
    made = sign_report(setting, signer, line, done, by)
    stage = line.open_stage
    changes = record_files(done.record, done.events)
    changes.update(run_files(setting, done, gm=True))
    report = made.statements[0]
    changes.write(layout.statement_name(stage, report.sid), report.bytes)
    changes.write(layout.signature_name(stage, report.sid), made.signed[0].signatures[0])
    for party, blob in made.blobs.items():
        changes.write(layout.view_name(stage, party), blob)
    facts = roster_facts(done.facts, setting.audience)
    texts = report_texts(setting, done.record, done.events, facts, by, render)
    changes.write(f"{layout.stage_name(stage)}/report.txt", texts[None])
    for reader, text in texts.items():
        if reader is not None:
            changes.write(report_name(stage, reader), text)
    letter = Letter(
        name=f"stage-{stage:04d}-{setting.gm}-report",
        subject=subject(line.roster.game, stage, setting.gm, "report"),
        sender=line.roster.by_id[setting.gm],
        others=line.roster.active,
        readable=texts[None],
        items=[*taken, *made.signed],
        id=report.sid,
    )
    changes.update(letter.changes())
    return Publication(changes, letter)


def finish(
    root: Path, publication: Publication, stage: int, done: Run, written: Sequence[Path]
) -> StageResult:
    """The result of a stage whose files are written."""
    letter = publication.letter
    mail = root / layout.OUTBOX / f"{letter.name}{letter.ending}"
    return StageResult(stage, True, {}, done, written, mail)


@dataclass(frozen=True)
class Made:
    """Report and views as statements, the report first, signed; and the sealed views by party."""

    statements: list[Statement]
    signed: list[Signed]
    blobs: Mapping[str, bytes]


def sign_report(setting: Setting, signer: Signer, line: Line, done: Run, by: str | None) -> Made:
    """The report of a stage, and the view of each player where anything is not public."""
    roster = setting.roster
    common = {"game": roster.game, "sender": setting.gm, "stage": line.open_stage, "prev": line.head}
    blobs: dict[str, bytes] = {}
    if setting.system.hidden:
        for party in roster.players:
            packed = pack_view(groups.view(done.groups, party, line.open_stage))
            public = roster.by_id[party].seal
            assert public is not None
            args = (roster.game_id, line.open_stage, VIEW_KIND, setting.gm, party)
            blobs[party] = seal(packed, public, *args)
    body: dict[str, Json] = {"record": cast(Json, done.record)}
    if line.open_stage > 0:
        body["events"] = done.events
    if blobs:
        body["views"] = {party: groups.view_hash(blob).hex() for party, blob in blobs.items()}
    if by:
        body["next"] = {"by": by}
    made = [statements.make("report", body, **common)]  # type: ignore[arg-type]
    for blob in blobs.values():
        view: dict[str, Json] = {"head": done.head, "view": base64.b64encode(blob).decode()}
        made.append(statements.make("view", view, **common))  # type: ignore[arg-type]
    signed = [Signed(one.bytes, (signer.sign(one.bytes),)) for one in made]
    return Made(made, signed, blobs)


def report_name(stage: int, party: str) -> str:
    """Where a party's own report lies."""
    return f"{layout.PRIVATE}/reports/{stage:04d}-{party}.txt"


def report_texts(
    setting: Setting,
    record: records.Record,
    events: Sequence[Json],
    facts: Sequence[groups.Fact],
    by: str | None,
    render: Render | None,
    readers: Collection[str] | None = None,
) -> dict[str | None, str]:
    """The public report under None, and one for each reader; without a renderer a bare list of events."""
    roster = setting.roster
    wanted = readers if readers is not None else (roster.players if setting.system.hidden else ())
    meta: dict[str, Json] = {
        "title": roster.terms.title,
        "game": roster.game,
        "stage": record["stage"],
        "head": records.head(record).hex(),
        "asked": record["asked"],
        "by": by,
    }
    for name in ("seed", "state", "forfeits", "accepted"):
        meta[name] = record.get(name)
    texts: dict[str | None, str] = {}
    for reader in (None, *wanted):
        known = known_to(facts, reader, roster.everybody, "")
        view = PlayerView(
            setting.system,
            roster.terms.scenario.name,
            reader,
            cast(int, record["stage"]),
            known,
            told_to(events, known),
        )
        texts[reader] = (render or plain)(reader, view.told, view, meta)
    return texts


def plain(reader: str | None, told: Sequence[Told], view: PlayerView, meta: Mapping[str, Json]) -> str:
    """A report without sentences: kinds of events, and who is asked.

    What there is if nobody renders better.
    """
    asked = ", ".join(sorted(cast(Mapping[str, Json], meta["asked"]))) or "nobody: the game is over"
    lines = [f"stage {meta['stage']}: {view.place}", ""]
    lines += [f"- {one.event.get('event')}" for one in told]
    lines += ["", f"asked next: {asked}", f"record {meta['head']}"]
    return outbox.heading(str(meta["title"]), lines)
