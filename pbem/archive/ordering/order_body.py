"""The content of an order by dice mode: open, committed, sealed and opened parts, and the link.

Protocol 5.1, 8, 13.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.archive.folder.parts import Readable
from pbem.archive.ordering.order_file import Checked, to_open
from pbem.archive.ordering.undone import used_revisions
from pbem.stages.inputs import Opening
from pbem.stages.progress import revisions
from pbem.stages.sealed_orders import fits
from pbem.stages.two_players import turn_of
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.bodies import STANDING, STANDING_LATER
from pbem.trust.commit import commitment, new_nonce, plain_commitment
from pbem.trust.records import Shown
from pbem.trust.roster import Dice
from pbem.trust.seal import OPENINGS_KIND, Openings, seal
from pbem.trust.statements import Statement

Body = dict[str, Json]


class Maker:
    """A maker of one statement; `openings` open its commitments, `plain` is the email it was written from."""

    def __init__(self, folder: Readable, checked: Checked, type_: str, plain: Shown | None = None) -> None:
        self.folder = folder
        self.checked = checked
        self.type = type_
        self.plain = plain
        self.progress = folder.progress
        self.roster = folder.need_roster()
        self.me = folder.need_me()
        self.commits: dict[str, str] = {}
        self.openings: dict[str, Shown] = {}

    def statement(self) -> Statement:
        """Return the order, or the standing orders alone."""
        body: Body = {}
        if self.type == "order":
            _ORDERS[self.roster.terms.dice](self, body)
        else:
            self._standing(body)
            if self.commits:
                body["sealed"] = self._sealed(None, self.openings)
        if self.commits:
            body["commits"] = dict(self.commits)
        if self.plain is not None:
            game, stage = self.roster.game_id, self.progress.open_stage
            body["plain"] = plain_commitment(game, stage, self.me, self.plain)
        return self.progress.own_statement(self.type, body, self.me, self._next_rev())

    # ---- by mode -----------------------------------------------------------------------------------------

    def _swift(self, body: Body) -> None:
        """Put everything in one email: secrets and the link are sealed to the GM."""
        self._answers(body)
        self._standing(body)
        body["sealed"] = self._sealed(own_link(self.folder), self.openings)

    def _locked(self, body: Body) -> None:
        """Link and openings follow when the lock is out; only standing orders are sealed already (17.3)."""
        self._answers(body)
        self._standing(body)
        if STANDING in self.openings:
            body["sealed"] = self._sealed(None, {STANDING: self.openings[STANDING]})
        self._open_kept(body)

    def _pair(self, body: Body) -> None:
        """Protocol 13: Commit to everything without a link as the first of two, add the link as the second.

        Nobody decides anything after that link.
        """
        turn = turn_of(self.progress, self.folder)
        waits = turn.waits_for(self.me)
        if waits:
            raise Refused(
                Diagnostic(
                    "not-your-turn", waits, help=(Message("archive.ordering.pbem-receive-what-comes-first"),)
                )
            )
        self._answers(body)
        self._standing(body)
        self._open_kept(body)
        if turn.both and turn.first == self.me:
            return
        body["link"] = own_link(self.folder).hex()
        if turn.both:
            assert turn.first_order is not None
            body["answers"] = turn.first_order.sid

    # ---- parts -------------------------------------------------------------------------------------------

    def _answers(self, body: Body) -> None:
        """Add open answers, and commitments to those that were checked as secret."""
        items: list[Json] = []
        for decision, answer in self.checked.answers.items():
            if answer.secret:
                self._commit(decision, answer.value)
            else:
                item: dict[str, Json] = {"decision": decision, "answer": answer.value}
                if answer.question is not None:
                    item["question"] = answer.question.id
                if self.checked.skip:
                    item["on_illegal"] = "skip"
                items.append(item)
        body["orders"] = items

    def _standing(self, body: Body) -> None:
        standing = self.checked.standing
        if standing is None:
            return
        if self.folder.system.hidden:
            self._commit(STANDING if self.type == "order" else STANDING_LATER, standing)
        elif standing or self.type == "standing":
            body["standing"] = standing

    def _commit(self, decision: str, value: Json) -> None:
        """Add a commitment with a nonce of its own, new for every revision."""
        nonce, stage = new_nonce(), self.progress.open_stage
        made = commitment(self.roster.game_id, stage, self.me, decision, nonce, value)
        self.commits[decision] = made.hex()
        self.openings[decision] = Shown(nonce.hex(), value)

    def _open_kept(self, body: Body) -> None:
        """Open earlier commitments that the rules ask for now (8.1)."""
        asked = to_open(self.folder)
        if asked:
            openings = dict(earlier_opening(self.folder, question.commit or "") for question in asked)
            body["openings"] = {decision: opening.data() for decision, opening in openings.items()}

    def _sealed(self, link: bytes | None, openings: Mapping[str, Shown]) -> Json:
        return seal_to_gm(self.folder, Openings(link, openings))

    def _next_rev(self) -> int:
        here = revisions(
            (statement for statement, _ in self.folder.statements(self.progress.open_stage)), self.type
        )
        mine = here.get(self.me, [])
        undone = used_revisions(self.folder, self.progress.open_stage).get(self.type, 0)
        return 1 + max((undone, *(order.rev for order in mine)))


_ORDERS: Mapping[Dice, Callable[[Maker, Body], None]] = {
    "swift": Maker._swift,
    "locked": Maker._locked,
    "pair": Maker._pair,
}


# --- what is one's own ----------------------------------------------------------------------------------


def own_link(folder: Readable) -> bytes:
    """Return my link for the current stage, checked against my anchor."""
    progress, me = folder.progress, folder.need_me()
    chain = folder.own_chain()
    link = chain.link(progress.open_stage, progress.roster.since.get(me, 0))
    progress.check_link(me, link)
    return link


def seal_to_gm(folder: Readable, content: Openings) -> Json:
    """Return the member `sealed` of a statement for the current stage."""
    progress, me = folder.progress, folder.need_me()
    gm = progress.roster.terms.arbiter
    assert gm is not None, "there is a GM to seal to"
    public = progress.roster.by_id[gm].seal
    assert public is not None
    blob = seal(content.pack(), public, progress.roster.game_id, progress.open_stage, OPENINGS_KIND, me, gm)
    return {gm: base64.b64encode(blob).decode()}


def openings_of(folder: Readable, order: Statement) -> dict[str, Shown]:
    """Return the openings for the commitments of an order of mine.

    Raises Refused if they are lost, or the order was signed in another folder, where a revision of this
    number may differ.
    """
    known = folder.private.openings(order.stage, order.type, order.rev)
    commits = order.said.commits
    missing = sorted(set(commits) - set(known))
    if missing:
        raise _lost(missing[0])
    for decision, commit in sorted(commits.items()):
        opening = Opening.of(known[decision], order.stage)
        if not fits(opening, commit, folder.need_roster(), order.sender, decision):
            message = Message("archive.ordering.other-opening", sid=order.sid[:12], rev=order.rev)
            help_ = (Message("archive.ordering.go-on-where-it-was-signed"),)
            raise Refused(Diagnostic("other-opening", message, help=help_))
    return known


def earlier_opening(folder: Readable, commit: str) -> tuple[str, Shown]:
    """Return the decision of an earlier commitment of mine, and its opening with the stage (17.6)."""
    progress, me = folder.progress, folder.need_me()
    for stage in range(progress.stage, 0, -1):
        sid = progress.accepted(stage, me)
        order = folder.find(stage, sid) if sid else None
        for decision, made in order.said.commits.items() if order is not None else ():
            if made == commit and order is not None:
                return decision, replace(openings_of(folder, order)[decision], stage=stage)
    raise _lost(commit[:12])


def _lost(what: str) -> Refused:
    message = Message("archive.ordering.no-opening", what=what)
    return Refused(
        Diagnostic(
            "no-opening", message, help=(Message("archive.ordering.bring-it-back-with-pbem-key-restore"),)
        )
    )
