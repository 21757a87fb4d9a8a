"""One list of all games with what is due and awaited, the soonest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.club.games import name_of
from pbem.cli.club.receiving import broken_data, open_folder, reason_of, tell_broken
from pbem.cli.games import clock
from pbem.cli.games.home import news_of
from pbem.cli.games.standing import Standing, stand
from pbem.cli.shell.console import ready, result, strong
from pbem.cli.shell.words import listed, safe
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder


@dataclass(frozen=True)
class Entry:
    """The state of one game.

    `at` is its deadline as a time, None if it has none. `mine` is True if it waits for the owner of the
    folder. `news` are those of its newest stage, if they were asked for.
    """

    root: Path
    standing: Standing
    at: datetime | None
    mine: bool
    news: str = ""

    @property
    def awaited(self) -> list[str]:
        """Return the parties that the game waits for."""
        return [party.id for party in self.standing.parties if party.awaited]

    @property
    def lines(self) -> list[str]:
        """Return the deadline and who else is awaited, as sentences."""
        others = [party for party in self.awaited if party != self.standing.me]
        due = safe(self.standing.due)
        sentences = [self.news] if self.news else []
        sentences += [Message("cli.status.due", due=due, left=self.standing.left)] if due else []
        return [*sentences, *([Message("cli.club.waits-for", parties=listed(others))] if others else [])]


@dataclass
class Listing:
    """All games, the soonest first, and those that are broken, with the reason."""

    entries: list[Entry] = field(default_factory=list)
    broken: dict[Path, str] = field(default_factory=dict)


def look(roots: Iterable[Path], *, news: bool = False) -> Listing:
    """Return the state of all games: first what is due, by its deadline, then what waits for you."""
    listing = Listing()
    for root in roots:
        try:
            folder = open_folder(root)
            listing.entries.append(replace(entry(folder), news=news_of(folder) if news else ""))
        except Exception as fault:  # one broken game must not stop the others
            listing.broken[root] = reason_of(fault)
    listing.entries.sort(key=soonest)
    return listing


def entry(folder: Folder) -> Entry:
    """Return the state of one game."""
    standing = stand(folder)
    going = folder.roster is not None and folder.stage >= 0 and not standing.finished
    due = clock.due_in(folder) if going else None
    awaited = any(party.id == folder.me and party.awaited for party in standing.parties)
    run = folder.acting and standing.command in ("pbem adjudicate", "pbem sign", "pbem unseal")
    return Entry(folder.root, standing, due.at if due else None, awaited or run)


def soonest(entry: Entry) -> tuple[object, ...]:
    """Return the sort key of games: by deadline, then those that wait for the owner."""
    finished = entry.standing.finished
    return (
        finished,
        entry.at is None,
        entry.at.isoformat() if entry.at else "",
        not entry.mine,
        str(entry.root),
    )


def tell(listing: Listing) -> None:
    """Print each game in three or four lines."""
    from pbem.cli.games.standing_printed import tell as tell_one

    for entry in listing.entries:
        ready(strong(Worded(f"-- {name_of(entry.root)}")))
        tell_one(entry.standing, brief=True)
        for line in entry.lines:
            result(line)
        if entry.mine and entry.standing.command:
            result(Message("cli.next.next-command", command=_here(entry.standing.command, entry.root)))
    tell_broken(listing.broken, {})


def _here(command: str, root: Path) -> str:
    """Return the command of a game as it is typed from here."""
    if not command.startswith("pbem "):
        return command
    import shlex

    return f"pbem -C {shlex.quote(name_of(root))} {command.removeprefix('pbem ')}"


def data(listing: Listing) -> dict[str, Any]:
    """Return the list for programs."""
    from pbem.cli.games.standing_printed import data_of

    games = [
        {
            "folder": str(entry.root),
            "due_at": entry.at.strftime("%Y-%m-%dT%H:%MZ") if entry.at else None,
            "mine_now": entry.mine,
            **data_of(entry.standing),
        }
        for entry in listing.entries
    ]
    return {"games": games, "broken": broken_data(listing.broken, {})["broken"]}


@dataclass
class Reminded:
    """The reminders written in each game, and the games that are broken, with the reason."""

    written: dict[Path, list[str]] = field(default_factory=dict)
    broken: dict[Path, str] = field(default_factory=dict)


def remind_all(roots: Iterable[Path]) -> Reminded:
    """Write reminders in each game that the owner runs and that waits for a player.

    A game whose deadline is more than a day away is left alone.
    """
    from pbem.archive import awaited, remind
    from pbem.cli.shell.console import to_send

    done = Reminded()
    for root in roots:
        try:
            folder = open_folder(root)
            if folder.roster is None or folder.stage < 0 or not folder.acting:
                continue
            due = clock.due_in(folder)
            late = [waiting.party for waiting in awaited(folder) if waiting.wanting]
            if late and (due is None or due.soon):
                done.written[root] = to_send(remind(folder, late, by=clock.due_words(folder)))
        except Exception as fault:  # one broken game must not stop the others
            done.broken[root] = reason_of(fault)
    return done
