"""`pbem` without a command: the state of the game and the next step, or how to begin."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, ready, result, strong
from pbem.cli.shell.language import code, of_game
from pbem.cli.shell.options import here
from pbem.cli.shell.words import safe
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder

_MOST = 200  # entries to examine per folder


def home(ctx: click.Context) -> None:
    """Show the game here or above, else how to begin; of several, the first."""
    from pbem.cli.games.standing import stand
    from pbem.cli.games.standing_printed import tell

    start = here()
    if not start.is_dir():
        raise click.UsageError(Message("cli.options.no-such-folder", start=start))
    root = next(iter(games(start)), None)
    if root is None:
        _how_to_begin()
        return
    folder = open_at(root)
    of_game(folder)
    if root != start.absolute():
        ready(strong(Worded(f"-- {_short(root)}")))
    tell(stand(folder))
    if line := news_of(folder):
        result(line)
    note(Message("cli.home.next-does-it"))


def news_of(folder: Folder) -> str:
    """Return the news of the newest stage, as the subject of its email has it; "" for none."""
    from pbem.cli.games.telling import stage_report
    from pbem.report.news import news
    from pbem.text.diagnostics import PbemError

    if folder.roster is None or folder.me is None or folder.stage < 1:
        return ""
    try:
        report = stage_report(folder, folder.stage, folder.me if folder.role == "player" else None, code())
    except PbemError:  # rules missing or different: the state of the game says so
        return ""
    return Message("cli.home.news", line=safe(news(report), 200))


def _how_to_begin() -> None:
    from pbem.cli.post.coming import unanswered

    for path in unanswered(here()):
        result(Message("cli.home.invitation-lies-here", path=_short(path)))
    result(Message("cli.home.how-to-begin"))


def games(start: Path) -> list[Path]:
    """Return the game folder here or above; else those below, at a table the person's."""
    from pbem.archive import layout, private_side
    from pbem.cli.games.practice import table_in

    start = start.absolute()

    def is_game(root: Path) -> bool:
        return (root / layout.ROSTER).is_file() or (root / private_side.INVITATION).is_file()

    table = table_in(start)
    if table is not None:
        return table.folders
    above = next((root for root in (start, *start.parents) if is_game(root)), None)
    if above is not None:
        return [above]
    paths: list[Path] = []
    try:
        below = sorted(path for path in start.iterdir() if path.is_dir())[:_MOST]
    except OSError:
        return []
    for root in below:
        inner = table_in(root)
        if inner is not None:
            paths += inner.folders
        elif is_game(root) and (root / private_side.ME).is_file():
            paths.append(root)
    return paths


def open_at(root: Path) -> Folder:
    """Return the game folder at a place."""
    from pbem.archive import Folder
    from pbem.cli.shell.keys import passphrase

    return Folder.open(root, passphrase)


def _short(path: Path) -> str:
    try:
        return safe(str(path.relative_to(Path.cwd())))
    except ValueError:
        return safe(str(path))
