"""Playing on with another revision of the rules (protocol 4.4, op `module`; decision 43)."""

from __future__ import annotations

from dataclasses import replace

from pbem.archive.folder import private_side
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.stage_files import kept_from
from pbem.archive.verifying.findings import Notes
from pbem.archive.verifying.results import play_again
from pbem.archive.verifying.verify import read_evidence
from pbem.engine import pins
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.stages import scenario_terms
from pbem.stages.arrived_orders import collect
from pbem.stages.attempt import settle
from pbem.stages.inputs import Setting, StageInputs
from pbem.stages.inputs_from_statements import Extra
from pbem.stages.running import Run, options_in_force
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message
from pbem.trust.bodies import READY

_DICE = bytes(32)
"""Dice of a trial: what it looks at comes before any die of the stage is thrown."""


def module_ops(folder: Readable, *, restart: bool = False) -> list[dict[str, Json]]:
    """Return the ops that bring in the installed rules.

    The current stage keeps its orders and its dice, and is run by the new rules. With `restart` it begins
    anew with fresh dice. Refused if the game is played with these rules already, or has not started, or if
    the stage cannot be kept and `restart` is not said.
    """
    pinned = scenario_terms.pin_module(systems.find(folder.terms.module.name))
    if pinned == folder.terms.module:
        raise Refused(Diagnostic("same-rules", Message("archive.amending.same-rules")))
    if folder.stage < 0:
        raise Refused(Diagnostic("not-started", Message("archive.amending.not-started")))
    op: dict[str, Json] = {"op": "module", "module": pinned.data()}
    if restart:
        return [op, {"op": "rewind", "to": folder.stage}]
    check_kept(folder)
    return [op]


def check_kept(folder: Readable) -> None:
    """Check that the installed rules can run the current stage with its orders.

    Raises Refused if not; a folder that cannot tell raises nothing.
    """
    reason = affected(folder, installed(folder))
    if reason is not None:
        message = Message("archive.amending.stage-affected", reason=reason)
        help_ = (Message("archive.amending.pbem-amend-module-restart-proposes-to-begin-stage"),)
        raise Refused(Diagnostic("stage-affected", message, help=help_))


def installed(folder: Readable) -> System:
    """Return the newest installed revision of a game's rules, as the game is played."""
    terms = folder.terms
    return scenario_terms.system_as_played(terms, scenario_terms.pin_module(systems.find(terms.module.name)))


def affected(folder: Readable, system: System) -> str | None:
    """Return why the current stage cannot go on under other rules, or None.

    None also if this folder cannot tell.

    It can if the same questions are asked, and if they accept each answer that the GM has.
    """
    if system.hidden and not folder.knows_all:
        return None
    progress, state = folder.progress, folder.state()
    if not _questions(progress.asked):
        return None  # dice fall before the first question, so there is no answer to keep
    setting = Setting(system, progress.roster, folder.gm_side.gm_secret if folder.knows_all else None)
    kept = kept_from(folder.private.json(private_side.KEPT))
    nothing = StageInputs(
        stage=progress.open_stage,
        prev=progress.head,
        seed_before=progress.seed,
        asked=progress.asked,
        kept=kept,
    )
    try:
        state = replace(state, options=options_in_force(setting))
        asked = settle(setting, state, nothing, _DICE).outcome.pending
        if {(question.party, question.key) for question in asked} != _questions(progress.asked):
            return Message("archive.amending.rules-ask-other-questions")
        if not folder.knows_all:
            return None
        arrived = folder.statements(progress.open_stage)
        collected = collect(arrived, progress, folder.need_gm(), folder.gm_side.seal_key)
        given = replace(collected.given(progress, frozenset(), kept), links={})
        faults = settle(setting, state, given, _DICE).outcome.diagnostics
    except PbemError as fault:
        return str(fault)
    if not faults:
        return None
    party, first = faults[0]
    return Message("archive.amending.rules-refuse-answer", party=party, fault=first.message)


def _questions(asked: object) -> set[tuple[str, str]]:
    assert isinstance(asked, dict)
    return {(party, key) for party, keys in asked.items() for key in keys if key != READY}


def changes(folder: Readable) -> list[str]:
    """Return the lines of the changelogs since the rules that the game pins."""
    return pins.changes_since(installed(folder), folder.terms.module.version)


def differences(folder: Readable) -> list[str]:
    """Return what the installed rules would have decided otherwise since the start, in words.

    It also says if this folder cannot tell, because it lacks what is hidden.
    """
    notes = Notes()
    evidence = read_evidence(folder.root, None, notes)
    if evidence is None or notes.any_false():
        return [Message("archive.amending.game-so-far-cannot-be-played-again")]
    archive, _ = evidence
    system = archive.rules = installed(folder)
    extra: Extra = {}
    if system.hidden and not folder.knows_all:
        return [Message("archive.amending.only-gm-can-play-game-so-far-again")]
    if system.hidden:
        from pbem.archive.verifying.history import gm_openings

        archive.own_secrets = folder.gm_side.gm_secrets
        extra = gm_openings(archive, folder.private)
    done: list[int] = []

    def each(stage: int, run: Run, given: StageInputs | None) -> None:
        done.append(stage)

    heard = Notes()
    try:
        final = play_again(archive, Setting(system, archive.roster), extra, each, heard)
    except Refused as refused:
        return [
            Message(
                "archive.amending.game-cannot-be-played-again-with-these-rules",
                message=refused.diagnostics[0].message,
            )
        ]
    if final is None:
        bad = heard.findings[0]
        where = (
            Message("archive.verifying.stage", stage=bad.stage)
            if bad.stage is not None
            else Message("archive.amending.start")
        )
        return [
            Message("archive.amending.game-is-same-up-to", where=where, text=bad.text),
            Message("archive.amending.nothing-that-happened-changes"),
        ]
    return [Message("archive.amending.stages-come-out-as-they-did", count=len(done))]
