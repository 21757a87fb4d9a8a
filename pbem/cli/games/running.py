"""`pbem adjudicate` in a game folder: by the GM, or in a game of two by the player who writes last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pbem.cli.games.people import as_written
from pbem.cli.post.mail import letters_in, log, own_reports
from pbem.cli.shell.keys import folder_key
from pbem.cli.shell.options import open_folder
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder, StageResult
    from pbem.trust.keys import Signer


def run_folder(
    key_file: str | None,
    forfeits: tuple[str, ...],
    passed: bool,
    dry_run: bool,
    by: str | None,
    lang: str | None = None,
) -> StageResult:
    """Run the stage of the folder by its dice mode.

    The report is in this language, else in that of the folder's letters.
    """
    from pbem.archive import StageResult, awaited_before_the_game
    from pbem.cli.games.clock import check_passed
    from pbem.report.language import language

    if lang is not None:
        language(lang)  # refuse an unknown language
    folder = open_folder()
    lang = lang or letters_in(folder)
    if folder.stage < 0 and (missing := awaited_before_the_game(folder)):
        return StageResult(0, False, missing)
    if folder.terms.dice == "pair":
        return _between_two(folder, key_file, forfeits, dry_run, lang)
    folder.need_acting()
    if forfeits and not passed:
        check_passed(folder)
    parties = [party.id for party in folder.need_roster().parties]
    forfeits = tuple(as_written(forfeit, parties) for forfeit in forfeits)
    return run_as_gm(folder, folder_key(folder, key_file), forfeits, dry_run=dry_run, by=by, lang=lang)


def run_as_gm(
    folder: Folder,
    signer: Signer,
    forfeits: Sequence[str] = (),
    *,
    dry_run: bool = False,
    by: str | None = None,
    lang: str,
) -> StageResult:
    """Run the current stage of a game with a GM, and note it in the mail log.

    Nobody's deadline is checked.
    """
    from pbem.archive import adjudicate, grey_letters, letter_writing, sending_on
    from pbem.cli.games.clock import next_deadline, now
    from pbem.cli.games.telling import renderer
    from pbem.cli.post.plain_lists import send_lists
    from pbem.cli.post.proxied import give_links

    by = next_deadline(folder.terms, by)
    render = renderer(lang, to_each=own_reports(folder))
    done = adjudicate(folder, signer, forfeits, dry_run=dry_run, by=by, render=render)
    if done.locked and not dry_run:
        give_links(folder)
    if done.done and not dry_run:
        log(
            folder,
            Message(
                "cli.running.stage-was-adjudicated",
                stage=done.stage,
                asked=", ".join(done.asked) or "nobody",
            ),
        )
        send_lists(folder)
        grey_letters.pass_on(folder, signer)
        sending_on.send_on(folder)
        letter_writing.write_waiting(folder, signer, now().date().isoformat())
    return done


def _between_two(
    folder: Folder, key_file: str | None, forfeits: tuple[str, ...], dry_run: bool, lang: str
) -> StageResult:
    """Close the stage without a GM, if the last statement is mine."""
    from pbem.archive import close_between_two
    from pbem.cli.games.telling import renderer

    if forfeits:
        raise click.UsageError(Message("cli.running.nobody-judges-deadlines"))
    return close_between_two(folder, folder_key(folder, key_file), dry_run=dry_run, render=renderer(lang))
