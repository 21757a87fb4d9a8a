"""The state of a game as one folder knows it: joining, signing, in play, over (product, 6)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from pbem.cli.games.deputy_state import lines_of_deputy, unconfirmed
from pbem.cli.shell.language import ENGLISH, code
from pbem.cli.writing.owed import in_words
from pbem.text import narrow
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Awaited, Folder, Step
    from pbem.engine.resolve import Question
    from pbem.trust.statements import Statement

READY = "ready"


@dataclass(frozen=True)
class PartyState:
    """The state of a party: what it has sent, and what is still missing.

    `awaited`: the game waits for it.

    In play also since which stage nothing of it counted, decisions without an answer, why what it
    sent does not count, and what may follow; `arrived` is when the email with it came, by this
    computer's clock: nothing depends on that.
    """

    id: str
    state: str
    words: str
    awaited: bool
    since: int | None = None
    owes: Sequence[str] = ()
    reason: str = ""
    steps: Sequence[Step] = ()
    arrived: str = ""


@dataclass(frozen=True)
class Standing:
    """The content of `pbem status`.

    `mine` are my open questions as sentences, `ahead` my answers to later ones, `powers` who leads which
    (empty if players have none), `command` is what to do next.

    `due` is the deadline as the GM wrote it, `left` how far away it is, if that is a date. `letters` says who
    wrote.
    """

    title: str
    game: str
    scenario: str
    me: str | None
    stage: int
    place: str
    parties: Sequence[PartyState] = ()
    due: str = ""
    left: str = ""
    warnings: Sequence[str] = ()
    mine: Sequence[str] = ()
    ahead: Sequence[str] = ()
    powers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    command: str = ""
    finished: bool = False
    letters: Sequence[str] = ()

    @property
    def awaited(self) -> bool:
        """Return True if the game still waits for anybody."""
        return any(party.awaited for party in self.parties)


def stand(folder: Folder) -> Standing:
    """Read it from the folder; nothing is written."""
    if folder.roster is None:
        return _joining(folder)
    if folder.unsigned() or folder.stage < 0:
        return _signing(folder)
    from pbem.cli.games.press import news

    standing = replace(_playing(folder), letters=tuple(news(folder)))
    return replace(standing, place=place_in_words(folder, standing.place))


def place_in_words(folder: Folder, place: str) -> str:
    """Return the place of the game as reports name it: `Game turn 2`, not the label of the rules."""
    from pbem.cli.games.telling import words_of

    return words_of(folder.system, code(), quiet=True).where(place)


def _joining(folder: Folder) -> Standing:
    from pbem.archive import joined, seats

    have = joined(folder)
    parties = []
    if folder.initiates:
        for seat in seats(folder):
            there = seat in have
            words = have[seat].name if there else Message("cli.standing.seat-is-free")
            parties.append(
                PartyState(
                    seat,
                    Message("cli.standing.joined") if there else Message("cli.standing.free"),
                    words,
                    not there,
                )
            )
    free = [party.id for party in parties if party.awaited]
    place: str
    command: str
    if not folder.initiates:
        place, command = (
            Message("cli.standing.waiting-for-the-roster"),
            Message("cli.standing.receive-when-the-roster-comes"),
        )
    elif free:
        place, command = (
            Message("cli.standing.waiting-for-players"),
            Message("cli.standing.receive-when-answers-come"),
        )
    else:
        place, command = Message("cli.standing.everybody-joined"), "pbem sign"
    terms = folder.terms
    return Standing(_title(folder), "", terms.scenario.name, folder.me, -1, place, parties, command=command)


def _title(folder: Folder) -> str:
    from pbem.cli.games.reporting.meta import in_its_tongue
    from pbem.text.diagnostics import PbemError

    title, language = folder.terms.title, code()
    if language == ENGLISH:
        return title
    try:
        return in_its_tongue(title, folder.system, language)
    except PbemError:  # rules missing or different: the command says so itself
        return title


def _signing(folder: Folder) -> Standing:
    roster = folder.need_roster()
    missing = folder.unsigned()
    parties = [
        PartyState(
            party.id,
            Message("cli.standing.not-signed") if party.id in missing else Message("cli.standing.signed"),
            Message("cli.standing.role-and-name", role=party.role, name=party.name),
            party.id in missing,
        )
        for party in roster.parties
    ]
    if folder.me in missing:
        command = "pbem sign"
    elif not missing and (folder.is_gm or folder.terms.dice == "pair"):
        command = "pbem adjudicate"
    else:
        command = Message("cli.standing.receive-when-mail-comes")
    starts = (
        Message("cli.standing.can-begin")
        if folder.terms.dice == "pair"
        else Message("cli.standing.gm-starts-game")
    )
    place = (
        Message("cli.standing.roster-being-signed")
        if missing
        else Message("cli.standing.everybody-signed", how_it_starts=starts)
    )
    terms = roster.terms
    return Standing(
        _title(folder),
        roster.game,
        terms.scenario.name,
        folder.me,
        folder.stage,
        place,
        parties,
        warnings=_warnings(folder),
        command=command,
    )


def _warnings(folder: Folder) -> list[str]:
    """Return why nothing may be signed here: two reports of one stage, or a false one."""
    from pbem.archive import lost, two_reports
    from pbem.text.diagnostics import Refused

    try:
        folder.check_no_fork()
    except Refused as fault:
        ending = _amendments(folder) if two_reports.disputed(folder) is not None else []
        return [*(fault_.message for fault_ in fault.diagnostics), *ending]
    missing = [*lost(folder), *_two_with_one_number(folder)]
    return [
        *missing,
        *_proxies(folder),
        *lines_of_deputy(folder),
        *_amendments(folder),
        *_undelivered(folder),
    ]


def _undelivered(folder: Folder) -> list[str]:
    """Return letters that did not arrive, from the book of sent email and delivery reports."""
    from pbem.archive import private_side

    if not (folder.root / private_side.MAIL_SENT).exists():
        return []
    from pbem.archive import undelivered, waiting_letters

    book = waiting_letters.book(folder)
    return undelivered(folder, waiting_letters.letters(folder, book, since=folder.stage))


def _two_with_one_number(folder: Folder) -> list[str]:
    """Return who has signed two different things with one number in the current stage (17.25)."""
    from pbem.stages.progress import equivocations

    here = [statement for statement, _ in folder.statements(folder.progress.open_stage)]
    return [
        Message(
            "cli.standing.signed-two-different-statements",
            sender=statement.sender,
            type=statement.type,
            revision=statement.rev,
            sid=statement.sid[:12],
            other_sid=other.sid[:12],
        )
        for statement, other in equivocations(here)
    ]


def _stopped(folder: Folder) -> str:
    """Return what to do where nothing may be signed any more, or ""."""
    from pbem.text.diagnostics import Refused

    try:
        folder.check_no_fork()
    except Refused as fault:
        return _ending(folder) or fault.diagnostics[0].help[0]
    return ""


def _ending(folder: Folder) -> str:
    """Return how the owner helps to end a fork for which an amendment is proposed, or ""."""
    from pbem.archive import two_reports

    if two_reports.disputed(folder) is None:
        return ""
    listed = two_reports.proposed(folder)
    if folder.is_gm and any(proposal.complete and proposal.closes for proposal in listed):
        return "pbem adjudicate"
    mine = next(
        (proposal for proposal in listed if proposal.fault is None and folder.me in proposal.missing), None
    )
    return f"pbem amend sign {mine.statement.sid[:12]}" if mine is not None else ""


def _proxies(folder: Folder) -> list[str]:
    held = [party for party in folder.need_roster().active if party.proxy is not None]
    return [Message("cli.standing.proxy-holds-keys", proxy=party.proxy, party=party.id) for party in held]


def _amendments(folder: Folder) -> list[str]:
    """Return proposals that wait for somebody, and orders that a correction has replaced."""
    if folder.stage < 0:
        return []
    from pbem.archive import orders_to_sign_again, two_reports
    from pbem.stages.amendments import state_of

    lines: list[str] = [
        Message(
            "cli.standing.amendment-waits",
            sid=proposal.statement.sid[:12],
            sender=proposal.statement.sender,
            state=state_of(proposal),
        )
        for proposal in two_reports.proposed(folder)
    ]
    if folder.role == "player" and orders_to_sign_again(folder) is not None:
        lines.append(Message("cli.standing.report-was-corrected"))
    return lines


def _playing(folder: Folder) -> Standing:
    from pbem.archive import arrivals, awaited, ended, unsealed
    from pbem.cli.games import clock as clock
    from pbem.cli.games.reporting import ahead
    from pbem.cli.games.reporting.meta import powers_of
    from pbem.cli.games.telling import deadline
    from pbem.stages.progress import revisions

    roster, progress = folder.need_roster(), folder.progress
    here = [statement for statement, _ in folder.statements(progress.open_stage)]
    sent = revisions(here, "order")
    questions = _questions(folder)
    powers: Collection[str] = _fact(folder, "track/seats") or ()
    asked_words = in_words(folder, progress.asked, questions, powers)
    times = arrivals.arrivals(folder)
    came = {party: times.get(orders[0].sid, "") for party, orders in sent.items()}
    parties = [
        _party(
            party,
            progress.asked.get(party.party, ()),
            asked_words,
            progress.open_stage,
            came.get(party.party, ""),
        )
        for party in awaited(folder)
    ]
    mine, command = _my_part(folder, sent, questions)
    place, finished = _place(folder), ended(folder)
    if finished:
        opened = unsealed(folder)
        early = "" if progress.over else place
        place = Message("cli.standing.game-is-over", before_its_end=early, opened=opened)
        parties, mine = [], []
        command = "pbem unseal" if folder.acting and not opened else "pbem verify"
    due = "" if finished else deadline(folder)
    at = clock.due_in(folder) if due else None
    left = at.words if at else ""
    stopped = _stopped(folder)
    if stopped and not finished:
        mine, command = [], stopped
    return Standing(
        _title(folder),
        roster.game,
        roster.terms.scenario.name,
        folder.me,
        folder.stage,
        place,
        parties,
        due,
        left,
        _warnings(folder),
        mine,
        [] if finished else ahead.waiting(folder, _fact(folder, f"standing/{folder.me}")),
        {} if finished else powers_of(_fact(folder, "track/seats")),
        command,
        finished,
    )


_SHOWN = {
    "nothing": "cli.standing.owes",
    "waits": "cli.standing.waits",
    "invalid": "cli.standing.invalid",
    "sent": "cli.standing.sent",
    "not-opened": "cli.standing.not-opened",
    "opened-wrong": "cli.standing.opened-wrong",
    "done": "cli.standing.done",
    "report": "cli.standing.owes",
}


def _party(
    awaited: Awaited, asked: Sequence[str], asked_words: Mapping[str, str], stage: int, came: str
) -> PartyState:
    """Return what a party owes, as questions, and the result of what it sent."""
    words = _together(asked, asked_words)
    if tuple(asked) == (READY,):
        words = Message("cli.standing.to-say-that-he-is-ready")
    left = _together(awaited.owes, asked_words)
    if awaited.state == "report":
        words = Message("cli.standing.report-is-missing", stage=stage)
    elif awaited.state == "sent":
        words = Message("cli.standing.revision-sent", revision=awaited.rev, words=words, left=left)
    elif awaited.state == "not-opened":
        words = Message("cli.standing.his-link-is-wanted")
    elif awaited.state == "done":
        words = ""
    if awaited.reason:
        words = Message("cli.standing.does-not-count", words=words, reason=awaited.reason)
    if awaited.state == "waits":
        words = Message("cli.standing.other-writes-first")
    if awaited.signs:
        sids = ", ".join(sid[:8] for sid in awaited.signs)
        words = Message("cli.standing.his-signature-is-wanted", words=words, sids=sids)
    if awaited.wanting and awaited.since < stage:
        words = Message("cli.standing.nothing-since-stage", words=words, since=awaited.since)
    return PartyState(
        awaited.party,
        Message(_SHOWN[awaited.state]),
        words,
        awaited.wanting,
        since=awaited.since,
        owes=awaited.owes,
        reason=awaited.reason,
        steps=awaited.steps,
        arrived=came,
    )


def _together(keys: Sequence[str], asked_words: Mapping[str, str]) -> str:
    """Return the questions, each sentence once."""
    return " ".join(dict.fromkeys(asked_words.get(key, key) for key in keys))


def _questions(folder: Folder) -> list[Question]:
    """Return the pending questions that this folder may know of."""
    from pbem.engine.resolve import Question

    questions = sorted((fact.key, fact.value) for fact in folder.facts() if fact.key.startswith("asked/"))
    return [Question.from_json(narrow.mapping(value)) for _, value in questions]


def _fact(folder: Folder, key: str) -> Any:
    """Return the value of a fact that this folder may know, or None."""
    return next((fact.value for fact in folder.facts() if fact.key == key), None)


def _place(folder: Folder) -> str:
    from pbem.stages.views import place_in_words

    place = place_in_words(folder.system, folder.terms.scenario.name, _fact(folder, "game/place"))
    return place or Message("cli.standing.stage-is-open", stage=folder.progress.open_stage)


def _my_part(
    folder: Folder, sent: Mapping[str, Sequence[Statement]], questions: Sequence[Question]
) -> tuple[list[str], str]:
    """Return my open questions in words, and the command for what I can do now."""
    from pbem.archive import link_due

    progress, me = folder.progress, folder.me
    if folder.role == "deputy" and (word := unconfirmed(folder)):
        return word
    if folder.acting:
        return [], _gm_part(folder, sent)
    if link_due(folder):
        return [Message("cli.standing.your-link-is-wanted")], "pbem link"
    coming = (
        Message("cli.standing.mail-of-the-other")
        if progress.roster.terms.dice == "pair"
        else Message("cli.standing.mail-of-the-gm")
    )
    waits = _before_me(folder)
    if me not in progress.asked or waits:
        return [waits] if waits else [], Message("cli.standing.receive-when-it-comes", what=coming)
    if me in sent:
        return [], Message("cli.standing.mail-your-orders-then-receive", what=coming)
    from pbem.archive import order_file, order_form
    from pbem.cli.games.reporting.meta import answer_command

    view = folder.view()
    asked = [
        question
        for question in questions
        if question.party == me and question.key in progress.asked[me] and not question.opening
        if order_file.by_program(view, question) is None
    ]
    mine = [f"{order_form.sentence(folder.system, question, code())} [{question.rule}]" for question in asked]
    return mine or [Message("cli.standing.word-that-you-are-ready")], answer_command(folder.system, asked)


def _gm_part(folder: Folder, sent: Mapping[str, Sequence[Statement]]) -> str:
    """Return what the GM waits for, or can run now."""
    from pbem.archive import lock_of, two_reports

    progress, lock = folder.progress, lock_of(folder)
    if any(proposal.complete and proposal.closes for proposal in two_reports.proposed(folder)):
        return "pbem adjudicate"
    if lock is not None:
        here = {statement.sender for statement in folder.of(lock.stage, "link")}
        away = [party for party in progress.roster.players if party not in here]
        return Message("cli.standing.receive-when-links-come") if away else "pbem adjudicate"
    missing = [party for party in progress.asked if party not in sent]
    return Message("cli.standing.receive-when-orders-come") if missing else "pbem adjudicate"


def _before_me(folder: Folder) -> str:
    """Return what must come before I may order in a game of two, in words, or ""."""
    from pbem.stages.two_players import turn_of

    progress, me = folder.progress, folder.me
    if progress.roster.terms.dice != "pair" or me not in progress.asked:
        return ""
    turn = turn_of(progress, folder)
    return turn.waits_for(me or "") if turn.both and me != turn.first and turn.first_order is None else ""
