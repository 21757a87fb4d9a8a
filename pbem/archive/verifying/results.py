"""The last part of `verify`: the whole game once more, from the scenario, by the installed rules.

Always in a game that hides nothing; in one with hidden units after `unseal`. Before that a player can check
that the owner's views belong to the states of the records.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.archive.folder import layout
from pbem.archive.folder.private_side import Private
from pbem.archive.folder.stage_files import public_part
from pbem.archive.verifying.dice_modes import link_faults
from pbem.archive.verifying.evidence import UNREADABLE, read_derived
from pbem.archive.verifying.findings import Notes
from pbem.archive.verifying.named_readers import check_readers
from pbem.archive.verifying.own_views import is_mine, lost_view, own_view
from pbem.archive.verifying.results_note import Verified
from pbem.archive.verifying.texts import (
    check_public,
    check_report,
    check_state_file,
    gm_facts,
    not_compared,
    spans,
)
from pbem.engine.system import System
from pbem.stages import running
from pbem.stages.inputs import StageInputs
from pbem.stages.inputs_from_statements import Extra, from_record
from pbem.stages.named_readers import are_for_readers, for_readers_alone
from pbem.stages.record_checks import first_difference
from pbem.stages.running import Setting
from pbem.stages.scenario_terms import is_pinned, parse_scenario_name, system_as_played
from pbem.stages.unseal_checks import openings_in
from pbem.stages.view_checks import event_fault
from pbem.stages.views import known_to, roster_facts
from pbem.text.canonical import Json
from pbem.text.diagnostics import PbemError, Refused
from pbem.text.messages import Message, in_turn
from pbem.trust import groups
from pbem.trust.errors import BadSeal, BadView
from pbem.trust.records import Record

if TYPE_CHECKING:
    from pbem.archive.verifying.read_archive import Archive

Step = Callable[[int], None]
Each = Callable[[int, running.Run, StageInputs | None], None]
"""Called with a stage, its run and its inputs (stage 0 has none) once it has come out as recorded."""


def check_results(archive: Archive, own: Private | None, step: Step) -> None:
    """Adjudicate again what can be, and say what depends on what."""
    notes, terms = archive.notes, archive.roster.terms
    last = len(archive.before) - 1
    if last < 0:
        notes.claimed("not-started", Message("archive.verifying.game-has-not-started"))
        return
    system = _system(archive)
    if system is None:
        not_compared(archive, range(last + 1))
        return
    if not _all_known(archive) or (system.hidden and not _all_have_views(archive)):
        return
    if not check_readers(archive, own, system):
        return
    if system.hidden and not archive.unsealed:
        _before_unseal(archive, system, own, step)
        return
    foreign = archive.foreign()
    if foreign:
        not_compared(archive, foreign)
    setting = Setting(system, archive.roster)
    if archive.trusted is not None and _goes_back(archive, archive.trusted.stage):
        archive.trusted = None  # beyond what was proved before, so replay everything
    extra = openings_in(archive.unseals, archive.find_any)
    if not system.hidden:  # the run itself knew no more than the record shows
        extra = for_readers_alone(system, extra)
    final = _played_again(archive, setting, extra, step)
    if final is None:
        return
    archive.final = final
    what = (
        Message("archive.verifying.results-hidden-facts-and-dice-included")
        if system.hidden
        else Message("archive.verifying.results")
    )
    first = _first_looked_at(archive)
    if first <= last:
        notes.proved(
            "results",
            Message(
                "archive.verifying.results-follow-from-rules",
                spans=spans(range(first, last + 1)),
                what=what,
                rules=terms.module.name,
                version=system.version,
                digest=system.digest[:12],
                had=_other_files(archive, foreign),
            ),
        )
    _never_opened(archive, system, extra)
    if last not in foreign:  # the file lists the files of the rules
        if first <= last or not system.hidden:
            _check_state_file(archive, setting, final)
        else:
            check_state_file(archive, setting, last)


def _first_looked_at(archive: Archive) -> int:
    """Return the first stage whose results are played again, and report those left out."""
    if archive.trusted is None:
        return 0
    last = archive.trusted.stage
    text = Message("archive.verifying.trusted", spans=spans(range(last + 1)))
    archive.notes.claimed("trusted", text)
    if archive.renderers is not None and not archive.trusted.texts:
        text = Message("archive.verifying.texts", spans=spans(range(last + 1)))
        archive.notes.claimed("texts", text)
    return last + 1


def _goes_back(archive: Archive, to: int) -> bool:
    """Return True if amendments closed a later stage, and play went on from this one's end or before it."""
    after = range(to + 1, len(archive.before))
    return any(_closed(archive, stage) and archive.behind(stage).position <= to for stage in after)


def _all_known(archive: Archive) -> bool:
    """Return True if all public events are of kinds and with fields that the pinned rules have (17.32).

    Of stages that were played with other rules nothing is said.
    """
    for stage in sorted(set(archive.reports) - set(archive.sealed) - set(archive.foreign())):
        system = archive.system_at(stage, archive.roster_of(stage))
        fault = event_fault(system, archive.reports[stage].report.events)
        if fault is not None:
            archive.notes.false("event", fault, stage, archive.roster.terms.arbiter)
            return False
    return True


def _all_have_views(archive: Archive) -> bool:
    """Return True if with hidden units every report names a view for each player (11.2)."""
    for stage, report in sorted(archive.reports.items()):
        named = report.report.views
        for party in archive.roster_of(stage).players:
            if party not in named:
                text = Message("archive.receiving.report-has-no-view-for-party", party=party)
                archive.notes.false("view", text, stage, archive.roster.terms.arbiter)
                return False
    return True


def _system(archive: Archive) -> System | None:
    """Return the installed rules that the game is played with now."""
    pinned = archive.in_force.terms.module
    try:
        system = system_as_played(archive.roster.terms, pinned, archive.whole)
    except PbemError:
        text = Message("archive.verifying.not-adjudicated-again-without-rules", rules=pinned.name)
        archive.notes.claimed("not-readjudicated", text)
        return None
    return system


def _other_files(archive: Archive, foreign: Sequence[int]) -> tuple[str, ...]:
    """Return the digests of other rules that gave the same results (4.3: equal results prove)."""
    return tuple(dict.fromkeys(archive.module_of(stage).sha256[:12] for stage in foreign))


def _played_again(archive: Archive, setting: Setting, extra: Extra, step: Step) -> running.Run | None:
    """Return the last stage, played again from the first; None, and why, at a difference.

    Where the installed rules are not the pinned ones, a difference accuses nobody: it is then "not
    adjudicated again" (15).
    """
    notes, system, foreign = Notes(), setting.system, archive.foreign()
    try:
        checks = _checked(archive, setting, step)
        final = play_again(archive, setting, extra, checks, notes, archive.trusted)
    except Refused as refused:
        text = in_turn(fault.message for fault in refused.diagnostics)
        notes.false("results", Message("archive.amending.other-results", reason=text))
        final = None
    bad = notes.findings[0] if notes.findings else None
    if final is not None or bad is None or not foreign or (bad.stage is not None and bad.stage < foreign[0]):
        archive.notes.findings += notes.findings
        return final
    pinned = archive.module_of(foreign[0] if bad.stage is None else min(bad.stage, len(archive.before) - 1))
    text = Message(
        "archive.verifying.not-adjudicated-again-by-other-rules",
        rules=pinned.name,
        version=pinned.version,
        sha256=pinned.sha256[:12],
        installed=system.version,
        digest=system.digest[:12],
        text=bad.text,
    )
    archive.notes.claimed("not-readjudicated", text, bad.stage)
    return None


def _checked(archive: Archive, setting: Setting, step: Step) -> Each:
    """Return the check of each stage played again: compare its report, and count."""

    def each(stage: int, run: running.Run, given: StageInputs | None) -> None:
        check_report(archive, at_stage(archive, setting, stage), run)
        step(stage + 1)

    return each


def play_again(
    archive: Archive,
    setting: Setting,
    extra: Extra,
    each: Each,
    notes: Notes,
    trusted: Verified | None = None,
) -> running.Run | None:
    """Return the last stage played again from the start; None at the first result unlike its record.

    With `trusted` only those after the stage whose state it holds: none of them may go back behind it.
    """
    name, chosen = parse_scenario_name(setting.system, archive.roster.terms.scenario.name)
    ends: dict[int, running.Run] = {}
    first = trusted.stage + 1 if trusted is not None else 0
    later = range(first, len(archive.before))
    needed = {archive.behind(stage).position for stage in later if _closed(archive, stage)}
    if trusted is None:
        run = running.begin(at_stage(archive, setting, 0), name, chosen)
    else:
        run = running.resume(trusted.state, trusted.kept, archive.record(trusted.stage))
    for stage in later:
        given = None
        if _closed(archive, stage):
            run = _closed_run(archive, setting, stage, ends)
        elif stage > 0:
            given = _inputs(archive, extra, stage, run)
            try:
                run = _run(at_stage(archive, setting, stage), run, given, archive.record(stage), notes)
            except PbemError as fault:
                notes.false(
                    "results", Message("archive.verifying.stage-cannot-be-played-again", fault=fault), stage
                )
                return None
        elif not is_pinned(setting.system, archive.roster.terms):
            notes.false("scenario", Message("archive.verifying.scenario"), stage)
            return None
        if stage in needed:
            ends[stage] = run
        if not _is_recorded(archive, setting, stage, run, notes):
            return None
        each(stage, run, given)
    return run


def _inputs(archive: Archive, extra: Extra, stage: int, before: running.Run) -> StageInputs:
    """Return the inputs of a stage played again: what its record names, and earlier openings kept."""
    given = from_record(archive.before[stage], archive.record(stage), archive, extra)
    return replace(given, kept=_both(before.kept, given.kept))


def _is_recorded(archive: Archive, setting: Setting, stage: int, run: running.Run, notes: Notes) -> bool:
    """Return True if the stage gives its record, and the links open what they must."""
    different = first_difference(run.record, archive.record(stage))
    if different is not None:
        text = Message("archive.receiving.results", different=different)
        notes.false("results", text, stage, archive.reports[stage].sender)
        return False
    for party, fault in link_faults(archive, archive.before[stage], setting.system, run):
        notes.false("opening", fault, stage, party)
        return False
    return True


def _run(here: Setting, before: running.Run, given: StageInputs, record: Record, notes: Notes) -> running.Run:
    """Return a stage played again.

    Games begun with engine 1 may have stages as that one ran them: a party that forfeited got defaults until
    the run came to rest, also for what nobody had asked (17.23).
    """
    run = running.run(here, before.state, given)
    late = bool(given.forfeits or here.roster.dropped)
    old = (here.roster.terms.module.version or "").endswith("+engine1")
    if not (late and old) or first_difference(run.record, record) is None:
        return run
    again = running.run(here, before.state, replace(given, asked=None))
    if first_difference(again.record, record) is not None:
        return run
    text = Message("archive.verifying.ran-on", forfeits=tuple(sorted(given.forfeits)))
    if given.forfeits:
        notes.claimed("ran-on", text, given.stage)
    return again


def _closed_run(
    archive: Archive, setting: Setting, stage: int, ends: Mapping[int, running.Run]
) -> running.Run:
    """Return a stage that amendments closed: an earlier position stays, hidden as it was then."""
    after = archive.behind(stage)
    end, secret = ends[after.position], _secret(archive, setting, after.position)
    here = replace(at_stage(archive, setting, stage), secret=secret)
    return running.close(here, end.state, end.facts, end.kept, after, archive.record(stage))


def at_stage(archive: Archive, setting: Setting, stage: int) -> Setting:
    """Return the setting with the roster in force in a stage, and with its secret, if known."""
    roster = archive.roster_of(stage)
    system = archive.system_at(stage, roster)
    return replace(setting, system=system, roster=roster, secret=_secret(archive, setting, stage))


def _secret(archive: Archive, setting: Setting, stage: int) -> bytes | None:
    return archive.secret_at(stage) if setting.system.hidden else None


def _closed(archive: Archive, stage: int) -> bool:
    return archive.record(stage).closed


def _both(kept: running.Kept, other: running.Kept) -> running.Kept:
    return {party: {**kept.get(party, {}), **other.get(party, {})} for party in sorted({*kept, *other})}


# --- what is left open ----------------------------------------------------------------------------------


def _before_unseal(archive: Archive, system: System, own: Private | None, step: Step) -> None:
    """Check a running game with hidden units: consistency, and the owner's views."""
    notes, setting = archive.notes, Setting(system, archive.roster)
    last = len(archive.before) - 1
    role = own.me.role if own is not None and own.me is not None else None
    if own is None or own.me is None or role != "player":
        notes.consistent("hidden", Message("archive.verifying.results-wait-for-unseal", last=last))
        knows_all = own is not None and own.has_gm_side
        check_public(archive, setting, gm_facts(archive) if knows_all else {})
        return
    me = own.me.party
    known: dict[int, Sequence[groups.Fact]] = {}
    for stage in range(last + 1):
        if not is_mine(archive, own, stage) or lost_view(archive, me, stage):
            continue
        try:
            known[stage] = own_view(archive, own, stage)
        except (BadSeal, BadView, Refused) as fault:
            notes.false(
                "view",
                Message("archive.verifying.view", party=me, fault=fault),
                stage,
                archive.roster.terms.arbiter,
            )
            return
        step(stage + 1)
    if known:
        text = Message("archive.verifying.views", spans=spans(sorted(known)), party=me)
        notes.proved("views", text)
    notes.consistent("hidden", Message("archive.verifying.completeness-waits-for-unseal", last=last))
    check_public(archive, setting, known)


def _never_opened(archive: Archive, system: System, extra: Extra) -> None:
    """Report commitments that nobody has opened (17.10): they had no effect and stay unknown."""
    shown: set[tuple[str, str, int]] = set()
    for stage in sorted(archive.reports):
        for party, entries in archive.record(stage).openings.items():
            shown |= {
                (party, decision, stage if entry.stage is None else entry.stage)
                for decision, entry in entries.items()
            }
    for stage in sorted(archive.reports):
        for party, commits in archive.commits(stage).items():
            sid = archive.accepted(stage)[party]
            for decision in commits:
                known = (party, decision, stage) in shown or decision in extra.get(sid or "", {})
                if not known and not are_for_readers(system, decision):
                    text = Message("archive.verifying.never-opened", party=party, decision=decision)
                    archive.notes.claimed("never-opened", text, stage, party)


def _as_any_rules_have_it(*states: dict[str, Json]) -> list[dict[str, Json]]:
    """Return states without parts that differ between equivalent rules files.

    These are the links to earlier states and, in the middle of a leaf, where that began.
    """
    drop = {"previous", "rules"} | (
        {"at", "open", "position"} if any("open" in state for state in states) else set()
    )
    return [{key: value for key, value in state.items() if key not in drop} for state in states]


def _check_state_file(archive: Archive, setting: Setting, final: running.Run) -> None:
    """Check that `state.yaml`, which is for people, follows from the game."""
    setting = at_stage(archive, setting, len(archive.before) - 1)
    if setting.system.hidden:
        facts = roster_facts(final.facts, setting.audience)
        known = known_to(facts, None, archive.roster.everybody, "")
        made: Json = public_part(setting, final.record, known, final.asked)
    else:
        made = final.state.to_json()
    state = read_derived(archive.files, layout.STATE, None, archive.notes, made)
    if state is None:
        return
    made = json.loads(json.dumps(made))
    if isinstance(state, dict) and isinstance(made, dict):
        if archive.foreign():
            state, made = _as_any_rules_have_it(state, made)
    if state is UNREADABLE or state != made:
        archive.notes.false("derived", Message("archive.verifying.derived", state=layout.STATE))
