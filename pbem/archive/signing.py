"""From checked orders to a signed statement: secret answers committed and sealed to the GM (protocol 8,
13).
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from pbem.archive import layout, outbox, private
from pbem.archive.changes import Changes
from pbem.archive.ending import need_going_on
from pbem.archive.folder import Folder
from pbem.archive.line import revisions
from pbem.archive.orders import Checked, need_asked
from pbem.archive.outbox import Letter
from pbem.mail.write import subject
from pbem.text.canonical import Json
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.flow import flow
from pbem.trust import statements
from pbem.trust.armour import Signed
from pbem.trust.bodies import STANDING, STANDING_LATER
from pbem.trust.commit import commitment, new_nonce
from pbem.trust.keys import Signer
from pbem.trust.seal import OPENINGS_KIND, Openings, seal
from pbem.trust.statements import Statement


def sign(folder: Folder, checked: Checked, signer: Signer) -> list[Path]:
    """Sign checked orders and write the mail. Gives the files written; those in `outbox/` are to be sent.

    Standing orders alone may be filed by anybody at any time. Refused if there are errors, or nobody may
    sign.
    """
    if not checked.ok:
        raise Refused(one for one in checked.diagnostics if one.severity == "error")
    with folder.working():
        folder.need_me("player")
        need_going_on(folder)
        alone = checked.only_standing
        if not alone or folder.stage < 0:
            need_asked(folder)
        _check_signer(folder, signer)
        maker = _Maker(folder, checked, "standing" if alone else "order")
        statement = maker.statement()
        signed = Signed(statement.bytes, (signer.sign(statement.bytes),))
        changes = Changes()
        changes.write(layout.statement_name(statement.stage, statement.sid), statement.bytes)
        changes.write(layout.signature_name(statement.stage, statement.sid), signed.signatures[0])
        if maker.openings:
            name = private.openings_name(statement.stage, statement.type, statement.rev)
            changes.write(name, private.to_text(maker.openings))
        changes.update(_letter(folder, statement, signed).changes())
        return folder.commit(changes)


def _check_signer(folder: Folder, signer: Signer) -> None:
    folder.check_no_fork()
    folder.check_module()
    me = folder.need_roster().by_id[folder.need_me()]
    if signer.public != me.sign:
        raise Refused(Diagnostic("other-key", f"this key is not the one {me.id} has in the roster"))


class _Maker:
    """Puts one statement together; `openings` is what opens its commitments."""

    def __init__(self, folder: Folder, checked: Checked, type_: str) -> None:
        self.folder = folder
        self.checked = checked
        self.type = type_
        self.line = folder.line
        self.roster = folder.need_roster()
        self.me = folder.need_me()
        self.commits: dict[str, str] = {}
        self.openings: dict[str, dict[str, Json]] = {}

    def statement(self) -> Statement:
        """The order, or the standing orders alone."""
        body: dict[str, Json] = {}
        if self.type == "order":
            body["orders"] = self._open_answers()
            for decision, answer in self.checked.answers.items():
                if answer.secret:
                    self._commit(decision, answer.value)
        self._standing(body)
        if self.commits:
            body["commits"] = dict(self.commits)
        if self.commits or self.type == "order":
            body["sealed"] = {self._gm(): base64.b64encode(self._sealed()).decode()}
        return statements.make(
            self.type,
            body,
            game=self.roster.game,
            sender=self.me,
            stage=self.line.open_stage,
            prev=self.line.head,
            rev=self._next_rev(),
        )

    def _open_answers(self) -> list[Json]:
        items: list[Json] = []
        for decision, answer in self.checked.answers.items():
            if not answer.secret:
                item: dict[str, Json] = {"decision": decision, "answer": answer.value}
                if answer.question is not None:
                    item["question"] = answer.question.id
                items.append(item)
        return items

    def _standing(self, body: dict[str, Json]) -> None:
        standing = self.checked.standing
        if standing is None:
            return
        if self.folder.system.hidden:
            self._commit(STANDING if self.type == "order" else STANDING_LATER, standing)
        elif standing or self.type == "standing":
            body["standing"] = standing

    def _commit(self, decision: str, value: Json) -> None:
        """A commitment with a nonce of its own, fresh for every revision."""
        nonce, stage = new_nonce(), self.line.open_stage
        made = commitment(self.roster.game_id, stage, self.me, decision, nonce, value)
        self.commits[decision] = made.hex()
        self.openings[decision] = {"nonce": nonce.hex(), "value": value}

    def _sealed(self) -> bytes:
        """The openings, and with an order the link of this stage and of no other."""
        stage = self.line.open_stage
        link: bytes | None = None
        if self.type == "order":
            since = self.roster.since.get(self.me, 0)
            link = self.folder.private.chain(self.roster.terms.chain_length).link(stage, since)
            self.line.check_link(self.me, link)
        public = self.roster.by_id[self._gm()].seal
        assert public is not None
        packed = Openings(link, self.openings).pack()
        return seal(packed, public, self.roster.game_id, stage, OPENINGS_KIND, self.me, self._gm())

    def _gm(self) -> str:
        assert self.roster.terms.arbiter is not None
        return self.roster.terms.arbiter

    def _next_rev(self) -> int:
        here = revisions((one for one, _ in self.folder.statements(self.line.open_stage)), self.type)
        mine = here.get(self.me, [])
        return 1 + max((one.rev for one in mine), default=0)


def _letter(folder: Folder, statement: Statement, signed: Signed) -> Letter:
    roster = folder.need_roster()
    me = statement.sender
    what = "orders" if statement.type == "order" else "standing orders"
    return Letter(
        name=f"stage-{statement.stage:04d}-{me}-{what.replace(' ', '-')}-rev{statement.rev}",
        subject=subject(roster.game, statement.stage, me, f"{what} rev {statement.rev}"),
        sender=roster.by_id[me],
        others=roster.active,
        readable=outbox.heading(roster.terms.title, public_part(statement)),
        items=[signed],
        id=statement.sid,
        answers=_report_sid(folder, statement.stage - 1),
    )


def public_part(statement: Statement) -> list[str]:
    """What everybody may read of an order: open answers, and how much is sealed."""
    lines = [
        f"{statement.type} of {statement.sender} for stage {statement.stage}, revision {statement.rev}",
        "",
    ]
    items = statement.body.get("orders", [])
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            lines.append(f"{item['decision']}: {flow(item['answer'])}")
    commits = statement.body.get("commits", {})
    for decision in sorted(commits) if isinstance(commits, Mapping) else []:
        lines.append(f"{decision}: sealed")
    standing = statement.body.get("standing")
    if isinstance(standing, list):
        lines.append(f"standing orders, {len(standing)}:")
        lines += [f"  {flow(order)}" for order in standing]
    return lines if len(lines) > 2 else [*lines, "ready"]


def _report_sid(folder: Folder, stage: int) -> str:
    """The mail this one answers: the report of the stage before."""
    return next((one.sid for one, _ in folder.statements(stage) if one.type == "report"), "")
