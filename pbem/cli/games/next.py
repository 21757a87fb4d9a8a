"""The steps of `pbem next`: take in what came, then do my one step, by the state of the folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.games import next_orders
from pbem.cli.games.next_orders import Done, Wishes, give_orders
from pbem.cli.shell.console import agrees, note, result, strong, wants_json
from pbem.cli.shell.language import spoken
from pbem.cli.shell.words import listed, safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.games.standing import Standing

_MOST_LETTERS = 4
ASK_BY = "cli.next.ask-for-the-next-deadline"


def step(ctx: click.Context, folder: Folder, wishes: Wishes) -> Done:
    """Do one step in a folder."""
    done = Done()
    _came_in(ctx, folder, wishes, done)
    folder.refresh()
    _mine(ctx, folder, wishes, done)
    folder.refresh()
    _closing(ctx, folder, done)
    return done


# ---- what came ---------------------------------------------------------------------------------------------


def _came_in(ctx: click.Context, folder: Folder, wishes: Wishes, done: Done) -> None:
    from pbem.cli.games.practice import practice_of
    from pbem.cli.post.mailing import carried

    practice = practice_of(folder)
    if practice is not None:
        count = carried(practice)
        if count:
            done.did.append(Message("cli.next.others-played", count=count))
        return
    if _has_settings(folder):
        from pbem.cli.commands.mail import mail_in
        from pbem.cli.post.mail import settings

        if settings(folder, None).in_ is not None:
            _call(ctx, mail_in.command, everything=False, only_try=False, settings_file=None)
            done.did.append(Message("cli.next.mail-fetched"))
    _lying_about(folder, wishes, done)


def _lying_about(folder: Folder, wishes: Wishes, done: Done) -> None:
    """Take in named files, and those saved in the usual places."""
    from pbem.cli.post.coming import came, note_read
    from pbem.cli.post.intake import TakenIn, show, take_in
    from pbem.mail.read import read_path, together

    named = [Path(name) for name in wishes.files]
    paths = [*named, *(path for path in came(folder) if path not in named)]
    if not paths:
        return
    before, taken = folder.stage, TakenIn()
    take_in(folder, together(read_path(path) for path in paths), taken)
    note_read(folder, paths)
    quiet = () if named else ("duplicate", "unsigned")
    taken.receipts = [receipt for receipt in taken.receipts if receipt.outcome not in quiet]
    if not named:
        taken.notes, taken.empty = [], 0
    if taken.receipts:
        if not wants_json():
            show(folder, taken, before, False)
        good = sum(receipt.good for receipt in taken.receipts)
        done.did.append(Message("cli.next.statements-taken-in", count=good))


def _has_settings(folder: Folder) -> bool:
    from pbem.archive import private_side
    from pbem.cli.post.mail import user_settings

    return (folder.root / private_side.MAIL_SETTINGS).is_file() or user_settings().is_file()


def _call(ctx: click.Context, command: click.Command, **options: Any) -> None:
    """Call another command in this folder, and go on after its exit."""
    try:
        ctx.invoke(command, as_json=False, **options)
    except click.exceptions.Exit:
        return


# ---- my part -----------------------------------------------------------------------------------------------


def _mine(ctx: click.Context, folder: Folder, wishes: Wishes, done: Done) -> None:
    """Do the one step that is mine now."""
    from pbem.archive import ended, joined, link_due, seats, taking_over

    if folder.me is None:
        return
    if folder.roster is None:
        if folder.initiates and not set(seats(folder)) - set(joined(folder)):
            _sign_roster(ctx, wishes, done)
        return
    if folder.me in folder.unsigned():
        _sign_roster(ctx, wishes, done)
        return
    if folder.unsigned() or (folder.stage >= 0 and ended(folder)):
        return
    if folder.stage >= 0 and taking_over.to_confirm(folder):
        _confirm(ctx, folder, wishes, done)
        return
    if folder.acting or (folder.stage < 0 and folder.terms.dice == "pair"):
        _run(folder, wishes, done)
        return
    if folder.stage < 0:
        return
    if link_due(folder):
        from pbem.cli.commands import link

        _call(ctx, link.command, key_file=wishes.key_file)
        done.did.append(Message("cli.next.gave-link"))
        return
    if _owes(folder):
        give_orders(folder, wishes, done)


def _sign_roster(ctx: click.Context, wishes: Wishes, done: Done) -> None:
    from pbem.cli.commands import sign

    if not (next_orders.asks() or wishes.yes):
        done.next = "pbem sign"
        return
    ctx.invoke(sign.command, compared=None, yes=wishes.yes, key_file=wishes.key_file, as_json=False)
    done.did.append(Message("cli.next.signed-roster"))


def _confirm(ctx: click.Context, folder: Folder, wishes: Wishes, done: Done) -> None:
    """Say that everything follows from the handover: the deputy's step."""
    from pbem.cli.commands.deputy import deputy_ready

    if not (next_orders.asks() or wishes.yes):
        done.next = "pbem deputy ready"
        return
    _call(ctx, deputy_ready.command, key_file=wishes.key_file)
    done.did.append(Message("cli.next.confirmed-the-handover"))


def _run(folder: Folder, wishes: Wishes, done: Done) -> None:
    """Run the stage if everything is here: the GM's step."""
    from pbem.cli.games.outcome import told
    from pbem.cli.games.running import run_folder
    from pbem.cli.games.standing import stand

    standing = stand(folder)
    if standing.command != "pbem adjudicate":
        return
    by = wishes.by
    if not (next_orders.asks() or wishes.yes):
        done.next = standing.command
        done.tell(Message("cli.next.everything-is-here"))
        return
    if not wishes.yes:
        if not agrees(Message("cli.next.run-the-stage"), default=True):
            raise click.Abort
        if by is None:
            by = click.prompt(spoken(Message(ASK_BY)), default="", err=True) or None
    outcome = run_folder(wishes.key_file, (), False, False, by)
    if not wants_json():
        told(outcome, False)
    done.did.append(Message("cli.next.stage-was-run", stage=outcome.stage, done=outcome.done))


def _owes(folder: Folder) -> bool:
    """Return True if I am asked, may write, and have signed nothing yet."""
    from pbem.stages.progress import revisions
    from pbem.stages.two_players import turn_of

    progress, me = folder.progress, folder.need_me()
    if me not in progress.asked:
        return False
    here = [statement for statement, _ in folder.statements(progress.open_stage)]
    if revisions(here, "order").get(me):
        return False
    return not (progress.roster.terms.dice == "pair" and turn_of(progress, folder).waits_for(me))


# ---- what is left ------------------------------------------------------------------------------------------


def _closing(ctx: click.Context, folder: Folder, done: Done) -> None:
    """Send the waiting email, or name it; then say where things are and what comes next."""
    from pbem.cli.games.practice import practice_of
    from pbem.cli.games.standing import stand

    if practice_of(folder) is None and folder.me is not None:
        _mail(ctx, folder, done)
    standing = stand(folder)
    done.next = done.next or standing.command
    if wants_json():
        return
    _where(folder, standing, done)


def _mail(ctx: click.Context, folder: Folder, done: Done) -> None:
    from pbem.archive import layout, waiting_letters

    waiting = [
        letter
        for letter in waiting_letters.letters(folder, waiting_letters.book(folder))
        if letter.state == "ready"
    ]
    if not waiting:
        return
    if _has_settings(folder):
        from pbem.cli.commands.mail import mail_out
        from pbem.cli.post.mail import settings

        if settings(folder, None).out is not None:
            _call(
                ctx,
                mail_out.command,
                names=(),
                again=False,
                sent=False,
                to=(),
                dry_run=False,
                settings_file=None,
            )
            done.did.append(Message("cli.next.letters-mailed", count=len(waiting)))
            return
    letters = [
        waiting_letter
        for waiting_letter in waiting
        if not waiting_letter.name.startswith(layout.RECEIPTS) and _wanted(folder, waiting_letter.name)
    ]
    done.mail = [str(folder.root / letter.name) for letter in letters[-_MOST_LETTERS:]]
    if wants_json():
        return
    for letter in letters[-_MOST_LETTERS:]:
        result(
            Message(
                "cli.next.mail-this-letter", root=folder.root / letter.name, to=safe(listed(letter.to), 300)
            )
        )
    if letters:
        note(Message("cli.next.attach-it-or-open-it"))
    if len(letters) > _MOST_LETTERS:
        note(Message("cli.next.letters-wait-in-all", count=len(letters)))
    if len(waiting) > len(letters):
        note(Message("cli.next.receipts-may-go", count=len(waiting) - len(letters)))


def _wanted(folder: Folder, name: str) -> bool:
    """Return True if a letter still says something new, as far as this folder shows.

    An entry is in the roster, a roster in the first report, and a report was read by everyone who sent orders
    on it.
    """
    stem = name.rpartition("/")[2]
    if stem.startswith("join-"):
        return folder.roster is None
    if stem.startswith("roster-"):
        return folder.stage < 0
    return not (stem.endswith("-gm-report.eml") and stem < f"stage-{folder.stage:04d}")


def _where(folder: Folder, standing: Standing, done: Done) -> None:
    waits = [party.id for party in standing.parties if party.awaited and party.id != folder.me]
    result(Message("cli.next.now", place=safe(standing.place)))
    for line in standing.letters:
        result(line)
    for line in standing.mine:
        result(Message("cli.next.you-owe", line=safe(line, 400)))
    if not standing.mine and waits:
        result(Message("cli.next.game-waits", waits=safe(listed(waits))))
    command = "pbem next" if standing.mine else standing.command
    if "pbem receive FILE" in command:
        result(Message("cli.next.save-the-mail-that-comes"))
    elif command:
        result(Message("cli.next.next-command", command=strong(command)))
