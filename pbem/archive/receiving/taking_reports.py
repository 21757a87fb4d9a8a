"""Taking a report into the folder of a player or observer, after all checks of protocol 5.6 and 11.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.archive.adjudicating.closed_stages import closed_run, in_force_files, state_behind
from pbem.archive.adjudicating.publishing import Render, lasting_files, report_name, report_texts
from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.earlier import earlier
from pbem.archive.folder.ended_stages import EndedStage, ended_file
from pbem.archive.folder.named_readers import apart_file
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.stage_files import record_files, run_files, view_files
from pbem.stages import running
from pbem.stages.deputies import acted_for_gm
from pbem.stages.inputs import Setting
from pbem.stages.inputs_from_statements import from_record
from pbem.stages.named_readers import as_facts, kept_faults, view_fault
from pbem.stages.plain_replies import written_down
from pbem.stages.progress import Progress, newest_of, revisions, took_of
from pbem.stages.receipts import whom_to_ask
from pbem.stages.record_checks import first_difference, record_faults, roll_faults
from pbem.stages.scenario_terms import parse_scenario_name
from pbem.stages.view_checks import check_readable, event_fault
from pbem.stages.views import PlayerView, known_to, roster_facts, told_to
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import PbemError
from pbem.text.messages import Message, in_turn
from pbem.trust import dice, groups, readers
from pbem.trust.armour import Signed
from pbem.trust.bodies import READY
from pbem.trust.errors import BadSeal, BadView, NotAccepted
from pbem.trust.keys import seal_public
from pbem.trust.readers import ForReaders
from pbem.trust.records import Record
from pbem.trust.roster import Party, Roster
from pbem.trust.seal import VIEW_KIND, unpack_view, unseal
from pbem.trust.statements import Statement


class Waiting(PbemError):
    """A report that may be right, but needs a missing statement or the user's confirmation."""


@dataclass(frozen=True)
class Arrived:
    """A report with the views that came beside it, by the hash of what is sealed in them."""

    report: Statement
    signed: Signed
    views: Mapping[str, Statement]


def adopt(
    folder: Readable, progress: Progress, arrived: Arrived, *, late: bool, render: Render | None
) -> tuple[Changes, str]:
    """Return the files of a stage whose report passed every check, and a note for its reader.

    Waiting if something is missing, NotAccepted with the first thing that is wrong. `late` is the user's word
    that the last orders were late, so the record may have an older revision of them.
    """
    record = arrived.report.report.record
    events = list(arrived.report.report.events)
    faults = list(record_faults(progress, record, folder))
    wrong = [fault for fault in faults if fault.kind == "false"]
    if wrong:
        raise NotAccepted("record", in_turn(fault.text for fault in wrong))
    if faults:
        named = [*(fault.party for fault in faults if fault.party), arrived.report.sender]
        asked = whom_to_ask(progress.roster, [party for party in named if party != folder.me])
        raise Waiting(f"{'; '.join(fault.text for fault in faults)}; {asked}")
    _check_own(folder, progress, record, late)
    _check_rolls(folder, progress, record, events)
    if not record.closed:
        _check_events(folder, events)
    after, closed = progress.after(record, folder.find), record.closed
    setting = _setting(folder, after.roster if closed else progress.roster, arrived.report)
    own = _own_view(folder, after, arrived, record)
    if setting.system.hidden:
        facts = list(own.facts)
        if facts:
            _check_view(folder, after, facts, events)
        changes = view_files(setting, record, facts, after.asked)
        if not closed:
            changes.update(ended_file(after.stage, EndedStage(facts)))
        if record.amends:
            changes.update(in_force_files(after, setting.system))
    else:
        run = closed_run(folder, record, after, gm=False) if closed else rerun(folder, progress, record)
        facts = roster_facts(run.facts, setting.audience)
        changes = run_files(setting, run, gm=False)
        changes.update(lasting_files(setting, run, after))
    _check_readers(folder, progress, record, own)
    changes.update(record_files(record, events))
    changes.update(apart_file(progress.open_stage, own.apart, arrived.report.rev))
    keep(changes, progress, arrived)
    by = arrived.report.report.by or None
    readers = [folder.me] if folder.me and folder.role == "player" else []
    began, plain, before = progress.roster, written_down(record, folder.find), earlier(folder)
    try:
        all_facts = [*facts, *as_facts(own.apart)]
        texts = report_texts(
            setting, began, record, events, all_facts, after.asked, by, render, readers, before, plain
        )
    except Exception as fault:  # a fault in the GM's content stops this report only
        raise NotAccepted("report", Message("archive.receiving.report", name=type(fault).__name__)) from fault
    if facts:
        changes.write(f"{layout.stage_name(progress.open_stage)}/report.txt", texts[None])
    for reader, text in texts.items():
        if reader is not None:
            changes.write(report_name(progress.open_stage, reader), text)
    return changes, _not_in_force(folder, progress, record)


def _check_events(folder: Readable, events: list[Json]) -> None:
    """Check that the rules that the game pins are installed and have all these events."""
    folder.check_module()
    strange = event_fault(folder.system, events)
    if strange is not None:
        raise NotAccepted("event", strange)


def _setting(folder: Readable, roster: Roster, report: Statement) -> Setting:
    return Setting(folder.system, roster, deputy=acted_for_gm(roster, report))


def keep(changes: Changes, progress: Progress, arrived: Arrived) -> None:
    """Keep the report itself, and every sealed view that it names."""
    stage, report = progress.open_stage, arrived.report
    changes.keep(stage, report.sid, arrived.signed)
    for party, digest in report.report.views.items():
        if digest in arrived.views:
            changes.write(layout.view_name(stage, party), blob_of(arrived.views[digest]))


# --- checks ---------------------------------------------------------------------------------------------


def _check_own(folder: Readable, progress: Progress, record: Record, late: bool) -> None:
    """Check that my newest order was accepted, or that I agreed that it was late (5.6).

    A link under a lock says so too.
    """
    accepted, me = record.accepted, folder.me
    if me is None or me not in accepted or late or record.lock is not None:
        return
    mine = revisions((statement for statement, _ in folder.statements(progress.open_stage)), "order").get(
        me, []
    )
    if mine and accepted[me] != mine[0].sid:
        raise Waiting(
            Message(
                "archive.receiving.report-takes-other-orders",
                taken=took_of(mine, accepted[me]),
                newest=newest_of(mine),
            )
        )


def _not_in_force(folder: Readable, progress: Progress, record: Record) -> str:
    """Return a note if my newest standing orders came too late for the record."""
    listed = record.standing.values()
    here = revisions((statement for statement, _ in folder.statements(progress.open_stage)), "standing")
    mine = here.get(folder.me or "", [])
    if not mine or mine[0].sid in listed:
        return ""
    which = Message("archive.receiving.your-standing-orders", rev=mine[0].rev)
    return Message("archive.receiving.not-in-it-so-not-in-force", which=which)


def _check_rolls(folder: Readable, progress: Progress, record: Record, events: list[Json]) -> None:
    """Check that every roll in the public events follows from the seeds; hidden ones wait for the end."""
    seeds: dict[int, bytes] = {}
    if record.seed is not None:
        seeds[progress.open_stage] = record.seed
    for roll in dice.rolls_in(events):
        stage = roll.get("stage")
        if isinstance(stage, int) and 0 < stage <= progress.stage:
            earlier = folder.record(stage).seed
            if earlier is not None:
                seeds[stage] = earlier
    hidden = seeds if not folder.system.hidden else {}
    for fault in roll_faults(seeds, hidden, progress.open_stage, events):
        raise NotAccepted("dice", fault.text)


def rerun(folder: Readable, progress: Progress, record: Record) -> running.Run:
    """Adjudicate a stage again in a game that hides nothing; NotAccepted if the results differ."""
    setting = Setting(folder.system, progress.roster)
    if progress.stage < 0:
        name, chosen = parse_scenario_name(folder.system, setting.roster.terms.scenario.name)
        run = running.begin(setting, name, chosen)
    else:
        here = progress.stage == folder.stage
        state = folder.state() if here else state_behind(folder, progress)[0]
        assert state is not None, "in a game that hides nothing everybody has the state"
        run = running.run(setting, state, from_record(progress, record, folder, {}))
    different = first_difference(run.record, record)
    if different is not None:
        message = Message("archive.receiving.results", different=different)
        raise NotAccepted("results", message)
    return run


@dataclass(frozen=True)
class OwnView:
    """The content of the owner's sealed view: facts, and answers for named readers."""

    facts: tuple[groups.Fact, ...] = ()
    apart: tuple[ForReaders, ...] = ()


def _own_view(folder: Readable, after: Progress, arrived: Arrived, record: Record) -> OwnView:
    """Return what the sealed view shows, checked against the public record (11.2, protocol-letters 3).

    Observers have none, nor do players who are out of the game. In a game that hides nothing, only
    players have one whom an answer names. `after` is the progress behind the record.
    """
    me = folder.need_me()
    mine = after.roster.by_id[me]
    if mine not in after.roster.active or mine.role != "player" or not _is_mine(folder, mine):
        return OwnView()
    named = arrived.report.report.views
    named_ones = {party for who, _ in record.readers for party in who if party != after.roster.terms.arbiter}
    viewing = [me, *after.roster.players] if folder.system.hidden else sorted(named_ones)
    if me not in viewing:
        return OwnView()
    for party in viewing:
        if party not in named:
            raise NotAccepted("view", Message("archive.receiving.report-has-no-view-for-party", party=party))
    digest = named[me]
    if digest not in arrived.views:
        raise Waiting(
            Message(
                "archive.receiving.view-of-party-is-not-here",
                party=me,
                whom=whom_to_ask(after.roster, [arrived.report.sender]),
            )
        )
    holding = record if after.position == after.stage else folder.record(after.position)
    sealed_by = arrived.views[digest].sender
    own = read_view(folder, after, holding, blob_of(arrived.views[digest]), record, sealed_by)
    if arrived.views[digest].view.head != record.head:
        raise NotAccepted(
            "view", Message("archive.receiving.view-of-party-is-for-another-head-than", party=me)
        )
    return own


def _check_readers(folder: Readable, progress: Progress, record: Record, own: OwnView) -> None:
    """Check answers for named readers: those for me, and what all can see of the others."""
    for fault in kept_faults(folder.system, record):
        raise NotAccepted("readers", fault.text)
    if own.apart:
        setting, me = Setting(folder.system, progress.roster), folder.need_me()
        wrong = view_fault(setting, record, own.apart, me, folder.find)
        if wrong is not None:
            raise NotAccepted("readers", wrong)


def _is_mine(folder: Readable, entry: Party) -> bool:
    """Return True if an entry has the seal key of this folder: another may have taken over the seat."""
    return seal_public(folder.private.seal_key) == entry.seal


def _check_view(
    folder: Readable, after: Progress, facts: Sequence[groups.Fact], events: Sequence[Json]
) -> None:
    """Check that the rules can read my view, and that it shows what I am asked."""
    roster, me = after.roster, folder.need_me()
    known = known_to(facts, me, roster.everybody, "")
    readable = told_to(events, {key: value for key, value in known.items() if not key.startswith("event/")})
    check_readable(PlayerView(folder.system, roster.terms.scenario.name, me, after.stage, known, readable))
    for decision in after.asked.get(me, ()):
        if decision != READY and f"asked/{me}/{decision}" not in known:
            message = Message("archive.receiving.view-does-not-show-question", decision=decision, party=me)
            raise NotAccepted("view", message)


def read_view(
    folder: Readable, after: Progress, holding: Record, blob: bytes, record: Record, by: str
) -> OwnView:
    """Unseal the owner's view and check it; NotAccepted if it is not in the state.

    `holding` has the position shown; it is the record of the stage, or an earlier one in a closed stage.
    `by`: who sealed it, the GM or the deputy.
    """
    roster, me = after.roster, folder.need_me()
    try:
        key = folder.private.seal_key
        view = unpack_view(unseal(blob, key, roster.game_id, after.stage, VIEW_KIND, by, me))
        facts = groups.check_view(
            view,
            party=me,
            listed=holding.data["groups"],
            game=roster.game_id,
            stage=holding.stage,
            everybody=roster.everybody,
        )
        apart = narrow.mapping(view).get("readers", [])
        return OwnView(facts, readers.check_view(apart, me, record.readers, roster.game_id, record.stage))
    except (BadSeal, BadView) as fault:
        raise NotAccepted("view", str(fault)) from None


def blob_of(view: Statement) -> bytes:
    """Return the sealed bytes in a view statement."""
    return view.view.blob
