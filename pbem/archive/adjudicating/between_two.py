"""Dice mode `pair`: both players run the stage for themselves and get one record, or stop.

Protocol 13.

The player who signs last computes first and signs the head. The other computes the same head. It
also settles which standing orders count (17.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product

from pbem.archive.adjudicating.closed_stages import closed_record, closed_run
from pbem.archive.adjudicating.gm_stage import StageResult
from pbem.archive.adjudicating.publishing import (
    Render,
    lasting_files,
    news_of,
    report_name,
    report_texts,
    with_page,
)
from pbem.archive.folder import layout
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.earlier import earlier
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.stage_files import record_files, run_files
from pbem.archive.letters import outbox
from pbem.archive.ordering.order_body import earlier_opening, openings_of, own_link
from pbem.archive.ordering.signing import check_signer
from pbem.engine.resolve import Question
from pbem.stages import running
from pbem.stages.amendments import counting, proposals, riding
from pbem.stages.inputs import Opening, Setting, StageInputs
from pbem.stages.inputs_from_statements import earlier_of, later_of, order_of
from pbem.stages.locked_dice import commits_of, opens, own_openings
from pbem.stages.progress import Progress, revisions
from pbem.stages.running import Run
from pbem.stages.scenario_terms import parse_scenario_name
from pbem.stages.two_players import TooSoon, Turn, check_last, turn_of
from pbem.stages.views import roster_facts
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message, Worded
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.keys import Signer
from pbem.trust.records import Openings, Shown
from pbem.trust.statements import Statement

_MOST_TRIES = 64
Later = Mapping[str, tuple[str, Sequence[Json]]]


@dataclass(frozen=True)
class Choice:
    """The last signer's choice: which standing orders and amendments the record has (12.1,
    17.7).
    """

    later: Later
    amends: tuple[Statement, ...] = ()


class Differs(PbemError):
    """A conflict: the other player has computed another head from the same statements, so both stop (5.3)."""


# --- the start ------------------------------------------------------------------------------------------


def begin(folder: Readable, render: Render | None) -> Changes:
    """Return the files of record 0, which each player makes once everyone has signed the roster."""
    setting = folder.setting()
    name, chosen = parse_scenario_name(folder.system, setting.roster.terms.scenario.name)
    return stage_files(folder, running.begin(setting, name, chosen), render)


def closed(folder: Readable, render: Render | None) -> Changes | None:
    """Return the files of the current stage if an amendment closes it, else None.

    It needs no last link: both have signed the amendment (4.4).
    """
    progress = folder.progress
    counted = counting(progress, proposals(progress, folder, folder.system)) if folder.stage >= 0 else []
    if not any(proposal.closes for proposal in counted):
        return None
    record = closed_record(progress, counted)
    after = progress.after(record, folder.find)
    done = closed_run(folder, record, after, gm=False)
    return stage_files(folder, done, render, Setting(folder.system, after.roster))


def stage_files(
    folder: Readable, done: Run, render: Render | None, setting: Setting | None = None
) -> Changes:
    """Return the files of a stage for the folder that computed it."""
    setting, stage = setting or folder.setting(), folder.progress.open_stage
    changes = record_files(done.record, done.events)
    changes.update(run_files(setting, done, gm=False))
    changes.update(lasting_files(setting, done, folder.progress.after(done.record, folder.find)))
    facts = roster_facts(done.facts, setting.audience)
    readers = [folder.me] if folder.me and folder.role == "player" else []
    began = folder.progress.roster
    texts = report_texts(
        setting, began, done.record, done.events, facts, done.asked, None, render, readers, earlier(folder)
    )
    changes.write(f"{layout.stage_name(stage)}/report.txt", texts[None])
    for reader, text in texts.items():
        if reader is not None:
            changes.write(report_name(stage, reader), text)
    return changes


# --- the last word --------------------------------------------------------------------------------------


def due(folder: Readable) -> bool:
    """Return True if only my link is missing in a running game, because nobody has decisions left.

    False if an amendment closes the stage, so that nothing can be decided.
    """
    if any(proposal.closes for proposal in counting(folder.progress, proposals(folder.progress, folder))):
        return True
    turn = turn_of(folder.progress, folder)
    return turn.answered is not None and turn.last == folder.me and not _given_already(folder, turn)


def _given_already(folder: Readable, turn: Turn) -> bool:
    return any(link.sender == folder.me for link in turn.links)


def close_between_two(
    folder: Folder, signer: Signer, *, dry_run: bool = False, render: Render | None = None
) -> StageResult:
    """Run the stage and sign my link with the head. Return what is missing if it is not my turn."""
    with folder.working():
        folder.need_me("player")
        progress = folder.progress
        ended = closed(folder, render) if folder.stage >= 0 else None
        check_signer(folder, signer, rules=ended is None)  # a change of rules closes the stage
        if folder.stage < 0:
            written = [] if dry_run else folder.commit(begin(folder, render))
            return StageResult(0, True, {}, None, written)
        if ended is not None:
            written = [] if dry_run else folder.commit(ended)
            return StageResult(progress.open_stage, True, {}, None, written)
        turn = turn_of(progress, folder)
        if turn.answered is None or turn.last != folder.me:
            return StageResult(progress.open_stage, False, {turn.to_write: _awaited(turn)})
        openings, done = _computed(folder, progress, turn)
        if dry_run:
            return StageResult(progress.open_stage, True, {}, done)
        link = _link(folder, progress, turn.answered, openings, done.head)
        signed = Signed.by(signer, link.bytes)
        changes = stage_files(folder, done, render)
        changes.keep(link.stage, link.sid, signed)
        readable = changes.files[f"{layout.stage_name(link.stage)}/report.txt"].decode()
        answers = link.said.answers or ""
        roster, what = folder.need_roster(), news_of(render)
        letter = outbox.to_all(roster, link, what, [Worded(readable)], [signed], file="link", answers=answers)
        letter = with_page(letter, render)
        changes.update(letter.changes(folder.say))
        written = folder.commit(changes)
        mail = folder.root / layout.OUTBOX / f"{letter.name}{letter.ending}"
        return StageResult(link.stage, True, {}, done, written, mail)


def _awaited(turn: Turn) -> str:
    return (
        Message("archive.adjudicating.his-link-has-not-come")
        if turn.answered is not None
        else Message("archive.adjudicating.no-order-has-come")
    )


def _computed(folder: Readable, progress: Progress, turn: Turn) -> tuple[dict[str, Shown], Run]:
    """Return the openings in my link, and the run with it.

    All my openings that the run needs are in it: the last signer must not choose whether it
    continues.
    """
    me, answered = folder.need_me(), turn.answered
    assert answered is not None, "it is the last one's turn"
    mine = turn.first_order if turn.both else None
    known = openings_of(folder, mine) if mine is not None else {}
    first = commits_of(mine) if mine is not None else {}
    openings = {d: known[d] for d in first if opens(folder.system, d) != "later"}
    choice = next(_choices(folder, progress))
    link = own_link(folder)
    while True:
        tried = _link(folder, progress, answered, openings, "0" * 64, link)
        done = run_with(folder, progress, turn, tried, choice)
        called = [question for question in called_of(done, me) if question.commit]
        if not called:
            return openings, done
        for question in called:
            here = next((d for d, commit in first.items() if commit == question.commit), None)
            if here is not None:
                openings[here] = known[here]
            else:
                decision, opening = earlier_opening(folder, question.commit or "")
                openings[decision] = opening


def called_of(done: Run, party: str) -> list[Question]:
    """Return the openings that a run needs from a party."""
    return [question for question in done.outcome.pending if question.opening and question.party == party]


def _link(
    folder: Readable,
    progress: Progress,
    answered: Statement,
    openings: Openings,
    head: str,
    link: bytes | None = None,
) -> Statement:
    body: dict[str, Json] = {"answers": answered.sid, "link": (link or own_link(folder)).hex(), "head": head}
    if openings:
        body["openings"] = {decision: opening.data() for decision, opening in openings.items()}
    return progress.own_statement("link", body, folder.need_me())


# --- running --------------------------------------------------------------------------------------------


def run_with(folder: Readable, progress: Progress, turn: Turn, link: Statement, choice: Choice) -> Run:
    """Return the stage as this last link completes it."""
    return running.run(folder.setting(), folder.state(), given_by(folder, progress, turn, link, choice))


def given_by(
    folder: Readable, progress: Progress, turn: Turn, link: Statement, choice: Choice
) -> StageInputs:
    """Return the inputs of the stage."""
    orders = {order.sender: order for order in (turn.first_order, turn.second_order) if order is not None}
    opened = own_openings(link)
    kept: dict[str, dict[str, Opening]] = {}
    for order in [*orders.values(), link]:
        kept.setdefault(order.sender, {}).update(earlier_of(progress, order, folder.find))
    given = ((order.sender, order.said.link) for order in (*orders.values(), link))
    links = {party: value for party, value in given if value is not None}
    return StageInputs(
        stage=progress.open_stage,
        prev=progress.head,
        seed_before=progress.seed,
        orders={
            party: order_of(orders[party], opened if party == link.sender else {})
            for party in progress.roster.players
            if party in orders
        },
        links=links,
        later=choice.later,
        kept=kept,
        amends=choice.amends,
        asked=progress.asked,
    )


def _standing(folder: Readable, progress: Progress) -> dict[str, list[Statement]]:
    here = [
        statement
        for statement in folder.of(progress.open_stage, "standing")
        if statement.prev == progress.head
    ]
    return revisions(here, "standing")


def _choices(folder: Readable, progress: Progress) -> Iterator[Choice]:
    """Yield possible contents of the record, the likeliest first.

    That is each party's newest standing orders, and all complete amendments.
    """
    standing = _standing(folder, progress)
    options = [[*standing[party], None] for party in standing]
    riders = tuple(riding(progress, proposals(progress, folder, folder.system)))
    kept_riders = [
        riders,
        *(kept for n in range(len(riders) - 1, -1, -1) for kept in combinations(riders, n)),
    ]
    for amends, chosen in islice(product(kept_riders, product(*options)), _MOST_TRIES):
        later = {
            order.sender: (order.sid, later_of(order, {}) or []) for order in chosen if order is not None
        }
        yield Choice(later, amends)


# --- taking the other's last word -----------------------------------------------------------------------


def take_last(
    folder: Readable, progress: Progress, link: Statement, render: Render | None
) -> tuple[Changes, str]:
    """Return the files of the stage that this link ends, and a note for its reader.

    TooSoon if something is missing, NotAccepted if it cannot be the last word, Differs if its head is another
    than the one computed here.
    """
    turn = check_last(progress, link, folder, folder.system)
    folder.check_module()
    claimed = sum(opening.stage is not None for opening in link.said.openings.values())
    if len(earlier_of(progress, link, folder.find)) != claimed:
        raise NotAccepted(
            "opening", Message("archive.adjudicating.it-opens-what-sender-did-not-commit", sender=link.sender)
        )
    done, later = _same_head(folder, progress, turn, link)
    changes = stage_files(folder, done, render)
    note = ""
    mine = _standing(folder, progress).get(folder.me or "", [])
    if mine and mine[0].sid not in {sid for sid, _ in later.values()}:
        note = Message("archive.adjudicating.your-standing-orders-are-not-in-lock", rev=mine[0].rev)
    return changes, note


def _same_head(folder: Readable, progress: Progress, turn: Turn, link: Statement) -> tuple[Run, Later]:
    first: Run | None = None
    for choice in _choices(folder, progress):
        done = run_with(folder, progress, turn, link, choice)
        if done.head == link.given_link.head:
            if called_of(done, link.sender):
                called = ", ".join(question.key for question in called_of(done, link.sender))
                raise NotAccepted(
                    "opening",
                    Message("archive.adjudicating.it-does-not-open-what-run-calls-for", called=called),
                )
            return done, choice.later
        first = first or done
    assert first is not None
    raise Differs(
        Message(
            "archive.adjudicating.sender-computed-head-for-stage",
            sender=link.sender,
            head=str(link.given_link.head)[:12],
            stage=link.stage,
            own_head=first.head[:12],
        )
    )


def own_record(folder: Readable, link: Statement) -> Run:
    """Return this folder's result for a link whose head differs; Refused if there is none."""
    progress = folder.progress
    try:
        turn = check_last(progress, link, folder, folder.system)
    except (NotAccepted, TooSoon) as fault:
        raise Refused(
            Diagnostic("no-record", Message("archive.adjudicating.no-record", fault=fault))
        ) from None
    return run_with(folder, progress, turn, link, next(_choices(folder, progress)))
