"""The way from checked orders to a signed statement: secret answers committed and sealed to the GM."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.folder import private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_over import need_going_on
from pbem.archive.folder.parts import Readable
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.archive.ordering.order_body import Maker
from pbem.archive.ordering.order_file import Checked, need_asked
from pbem.stages.amendments import signed_closing
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.flow import flow
from pbem.text.messages import Message, Voice, Worded
from pbem.trust.armour import Signed
from pbem.trust.keys import Signer
from pbem.trust.records import Shown
from pbem.trust.said import OrderSaid, StandingSaid
from pbem.trust.statements import Statement


def sign_orders(folder: Folder, checked: Checked, signer: Signer, plain: Shown | None = None) -> list[Path]:
    """Sign checked orders, write the email, and return the files; those in `outbox/` are to be
    sent.

    Standing orders alone may be filed by anybody at any time. `plain` is the unsigned email that they were
    written down from. Refused if there are errors, or nobody may sign.
    """
    if not checked.ok:
        raise Refused(fault for fault in checked.diagnostics if fault.severity == "error")
    with folder.working():
        folder.need_me("player")
        need_going_on(folder)
        alone = checked.only_standing
        if not alone:
            _need_same_stage(folder, checked)
        if not alone or folder.stage < 0:
            need_asked(folder)
        check_signer(folder, signer)
        closing = signed_closing(folder.progress, folder, folder.need_me())
        if closing is not None and not alone:
            message = Message("archive.ordering.stage-closing", sid=closing.statement.sid[:12])
            help_ = (Message("archive.ordering.wait-for-its-report"),)
            raise Refused(Diagnostic("stage-closing", message, help=help_))
        maker = Maker(folder, checked, "standing" if alone else "order", plain)
        statement = maker.statement()
        signed = Signed.by(signer, statement.bytes)
        changes = Changes()
        changes.keep(statement.stage, statement.sid, signed)
        if maker.openings:
            name = private_side.openings_name(statement.stage, statement.type, statement.rev)
            changes.write(
                name, private_side.to_text({key: opening.data() for key, opening in maker.openings.items()})
            )
        if plain is not None:
            changes.write(private_side.plain_name(statement.sid), private_side.to_text(plain.data()))
        changes.update(_letter(folder, statement, signed).changes(folder.say))
        return folder.commit(changes)


def _need_same_stage(folder: Readable, checked: Checked) -> None:
    """Check that no report came in since the answers were checked; Refused if one did."""
    now = folder.progress.open_stage
    if checked.stage not in (None, now):
        message = Message("archive.ordering.stage-over", stage=checked.stage, now=now)
        help_ = (Message("archive.ordering.nothing-was-signed"),)
        raise Refused(Diagnostic("stage-over", message, help=help_))


def check_signer(folder: Readable, signer: Signer, *, rules: bool = True) -> None:
    """Check that this key may sign for the owner now; Refused for a fork or other rules.

    Without `rules` others may be installed: nothing is run.
    """
    folder.check_no_fork()
    if rules:
        folder.check_module()
    me = folder.need_roster().by_id[folder.need_me()]
    if signer.public != me.sign:
        raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=me.id)))


def _letter(folder: Readable, statement: Statement, signed: Signed) -> Letter:
    roster, rev = folder.need_roster(), statement.rev
    what = "orders" if statement.type == "order" else Message("archive.ordering.standing-orders")
    sender = statement.sender
    if statement.type == "order":
        about = (
            Message("archive.ordering.orders", sender=sender)
            if rev == 1
            else Message("archive.ordering.orders-revision", sender=sender, rev=rev)
        )
    else:
        about = (
            Message("archive.ordering.standing-orders-of-sender", sender=sender)
            if rev == 1
            else Message("archive.ordering.standing-orders-of-sender-revision", sender=sender, rev=rev)
        )
    return outbox.to_all(
        roster,
        statement,
        about,
        outbox.heading(roster.terms.title, map(Worded, public_part(statement, folder.say))),
        [*_last_link(folder, statement), signed],
        file=f"{what.replace(' ', '-')}-rev{rev}",
        answers=_report_sid(folder, statement.stage - 1),
    )


def _last_link(folder: Readable, statement: Statement) -> list[Signed]:
    """Return my link that ended the stage before between two, so that one email is enough (13)."""
    if folder.progress.roster.terms.dice != "pair" or statement.stage < 2:
        return []
    before = folder.statements(statement.stage - 1)
    return [
        signed for earlier, signed in before if (earlier.type, earlier.sender) == ("link", statement.sender)
    ]


_ORDER, _STANDING = "archive.ordering.order-of-stage", "archive.ordering.standing-orders-of-stage"
_MARKS = {"party": "{a}", "stage": "{b}", "rev": "{c}"}
"""Fields that stay in a head until it is in a language: names and numbers are the same in all."""


def beginning(statement: Statement, say: Voice) -> str:
    """Return the heading of an order: its party and stage."""
    begun = _head(statement, say)
    begun = begun[: begun.find("{b}") if begun.find("{a}") < begun.find("{b}") else begun.find("{c}")]
    return begun.replace("{a}", statement.sender).replace("{b}", str(statement.stage))


def _head(statement: Statement, say: Voice) -> str:
    return say(Message(_ORDER if statement.type == "order" else _STANDING, **_MARKS))


def public_part(statement: Statement, say: Voice) -> list[str]:
    """Return the public part of an order: open answers, and how much is sealed.

    `say` translates its few words; names and answers are data.
    """
    fields = {"{a}": statement.sender, "{b}": str(statement.stage), "{c}": str(statement.rev)}
    head = _head(statement, say)
    for field, value in fields.items():
        head = head.replace(field, value)
    lines = [head, ""]
    contents = statement.said
    given = contents.given if isinstance(contents, OrderSaid) else ()
    lines += [f"{answer.decision}: {flow(answer.answer)}" for answer in given]
    shut = say(
        Message("archive.ordering.sealed") if contents.sealed else Message("archive.ordering.committed")
    )
    lines += [f"{decision}: {shut}" for decision in sorted(contents.commits)]
    standing = contents.standing if isinstance(contents, OrderSaid | StandingSaid) else None
    if standing is not None:
        lines.append(say(Message("archive.ordering.number-of-standing-orders", count=len(standing))))
        lines += [f"  {flow(order)}" for order in standing]
    return lines if len(lines) > 2 else [*lines, say(Message("archive.ordering.ready"))]


def _report_sid(folder: Readable, stage: int) -> str:
    """Return the sid of the report that an order answers: that of the previous stage."""
    return next(
        (statement.sid for statement, _ in folder.statements(stage) if statement.type == "report"), ""
    )
