"""`pbem` alone: where your games stand, and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, ready, result, strong
from pbem.cli.shell.language import Told, code, of_game
from pbem.cli.shell.options import here
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder

_MOST = 200  # entries to examine per folder


def home(ctx: click.Context) -> None:
    """Show the game here, else those below, else those that this computer knows, else how to begin."""
    from pbem.cli.games.standing_told import tell

    start = here()
    if not start.is_dir():
        raise click.UsageError(Message("cli.options.no-such-folder", start=start))
    found = games(start)
    if not found:
        _elsewhere()
        return
    for root in found:
        from pbem.cli.games.standing import stand

        folder = open_at(root)
        of_game(folder)
        if len(found) > 1 or root != start.absolute():
            ready(strong(Told(f"-- {_short(root)}")))
        tell(stand(folder), brief=len(found) > 1)
        _tell_news(folder)
    if len(found) == 1:
        note(Message("cli.home.next-does-it"))
    else:
        note(Message("cli.home.go-into-one-of-the-folders"))


def _tell_news(folder: Folder) -> None:
    """Print the news of the newest stage, as the subject of its email has it."""
    from pbem.cli.games.telling import stage_report
    from pbem.report.news import news
    from pbem.text.diagnostics import PbemError

    if folder.roster is None or folder.me is None or folder.stage < 1:
        return
    try:
        report = stage_report(folder, folder.stage, folder.me if folder.role == "player" else None, code())
    except PbemError:  # rules missing or different: the state of the game says so
        return
    result(Message("cli.home.news", line=safe(news(report), 200)))


def _elsewhere() -> None:
    """Show the games that were opened before, anywhere; else how to begin."""
    from pbem.cli.games.memory import Memory, usual
    from pbem.cli.games.standing import stand
    from pbem.cli.games.standing_told import tell
    from pbem.cli.post.coming import unanswered
    from pbem.text.diagnostics import PbemError

    known = Memory(usual()).games()
    for path in unanswered(here()):
        result(Message("cli.home.invitation-lies-here", path=_short(path)))
    if not known:
        result(Message("cli.home.how-to-begin"))
        return
    for root in known:
        ready(strong(Told(f"-- {_short(root)}")))
        try:
            tell(stand(open_at(root)), brief=True)
        except PbemError as fault:
            note(str(fault))
    note(Message("cli.home.go-into-one-of-the-folders"))


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
    found: list[Path] = []
    try:
        below = sorted(path for path in start.iterdir() if path.is_dir())[:_MOST]
    except OSError:
        return []
    for root in below:
        inner = table_in(root)
        if inner is not None:
            found += inner.folders
        elif is_game(root) and (root / private_side.ME).is_file():
            found.append(root)
    return found


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
