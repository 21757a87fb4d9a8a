"""The work of a postmaster in one game: complete stages, reminders, deadlines, commits."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.club import fixed_hours
from pbem.cli.club.fixed_hours import Hours
from pbem.cli.club.listing import Entry, entry
from pbem.cli.club.playing_for import play_for_late
from pbem.cli.club.settings import FORFEIT, RULING
from pbem.cli.games import clock
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Awaited, Folder
    from pbem.trust.keys import Signer

_MOST_STAGES = 50
"""Stages run one after the other in one game before the others have their turn."""
_WATCHED = ("", "private", "stages", "inbox", "inbox/early", "inbox/joins", "outbox", "outbox/receipts")
_FILES = ("roster.json", "private/mail.yaml", "private/mail-out.jsonl")
_DAY = timedelta(days=1)
NO_HOURS = Hours()
"""Nothing is sent on but by hand and with reports."""


@dataclass
class Served:
    """The work done in a game, and the rest that its game master must do, in words.

    `wake` is when to look again though nothing has come. `shelved` is the newest stage in git, `kept` the
    newest fixed hour at which players' statements were sent on.
    """

    did: list[str] = field(default_factory=list)
    asks: list[str] = field(default_factory=list)
    entry: Entry | None = None
    wake: datetime | None = None
    shelved: int = -2
    kept: str = ""


def fingerprint(root: Path) -> str:
    """Return a value that changes when anything in a game folder does: times of folders and a few
    files.
    """
    from pbem.archive import layout

    newest = ""
    try:
        newest = max((entry.name for entry in layout.entries(root / "stages")), default="")
    except OSError:
        pass
    names = [*_WATCHED, *_FILES, f"stages/{newest}"]
    return " ".join(_time(root / name) for name in names)


def _time(path: Path) -> str:
    try:
        stat = os.stat(path)
    except OSError:
        return "-"
    return f"{stat.st_mtime_ns:x}.{stat.st_size:x}" if path.suffix else f"{stat.st_mtime_ns:x}"


def serve(folder: Folder, ask: Sequence[str], shelved: int, hours: Hours = NO_HOURS) -> Served:
    """Do everything in a game that its game master has not reserved."""
    done = Served(shelved=shelved, kept=hours.kept)
    signer = _signer(folder, done)
    if signer is not None:
        _deputy(folder, signer, done)
    if signer is not None and _in_charge(folder):
        _runs(folder, signer, ask, done)
        _deadline(folder, signer, ask, done)
        _send_on(folder, signer, hours, done)
    _shelve(folder, done)
    done.entry = entry(folder)
    if folder.acting and done.entry.standing.command in ("pbem sign", "pbem unseal"):
        done.asks.append(Message("cli.club.wants-a-command", command=done.entry.standing.command))
    return done


def _send_on(folder: Folder, signer: Signer, hours: Hours, done: Served) -> None:
    """Send on what players write to each other by way of the GM, if a fixed hour has come."""
    if not hours.each_day or not fixed_hours.carries(folder):
        return
    now = clock.now()
    hour, next_ = hours.due(now), hours.next(now)
    if hour is not None:
        done.kept = hour.isoformat()
        if fixed_hours.send_on(folder, signer):
            done.did.append(Message("cli.club.sent-on", hour=f"{hour:%H:%M}"))
    done.wake = min(done.wake, next_) if done.wake is not None else next_


def _signer(folder: Folder, done: Served) -> Signer | None:
    """Return the key of the GM or the deputy, if this is their folder and it is at hand."""
    from pbem.archive import ended
    from pbem.cli.shell.keys import key_at_hand

    if folder.role not in ("gm", "deputy") or folder.roster is None or (folder.stage >= 0 and ended(folder)):
        return None
    signer = key_at_hand(folder)
    if signer is None:
        done.asks.append(Message("cli.club.key-is-not-at-hand"))
    return signer


def _deputy(folder: Folder, signer: Signer, done: Served) -> None:
    """Confirm a handover as the deputy; as the GM, hand over again what has changed since the first time."""
    from pbem.archive import handing_over, taking_over
    from pbem.cli.post.proxied import lent_keys

    if folder.stage < 0 or folder.unsigned():
        return
    if taking_over.to_confirm(folder):
        taking_over.confirm(folder, signer)
        done.did.append(Message("cli.club.confirmed-the-handover"))
    elif handing_over.due(folder) and handing_over.handed_before(folder):
        handing_over.hand_over(folder, signer, lent_keys(folder))
        done.did.append(Message("cli.club.handed-over-again"))


def _in_charge(folder: Folder) -> bool:
    """Return True if this folder's owner is to run stages: not a GM who charged the deputy."""
    from pbem.stages import deputies

    if folder.stage < 0 or not folder.is_gm:
        return folder.acting
    progress = folder.progress
    return deputies.mandate(progress, folder) is None or deputies.gm_is_back(progress, folder)


def _run(folder: Folder, signer: Signer, ask: Sequence[str], done: Served, late: Sequence[str] = ()) -> bool:
    """Run the current stage if it is complete, or without those who are `late`; True if it was run."""
    from pbem.cli.games.running import run_as_gm
    from pbem.cli.games.standing import stand
    from pbem.cli.post.mail import letters_in
    from pbem.cli.post.plain_replies import held_back, receipts_wait

    if stand(folder).command != "pbem adjudicate" and not late:
        return False
    stage = folder.stage + 1
    if not late and (back := held_back(folder)):
        done.asks += back
        return False
    if receipts_wait(folder):  # a player without a program hears first what was understood
        done.wake = clock.now()
        return False
    if RULING in ask and _protests(folder):
        done.asks.append(Message("cli.club.protest-waits", stage=stage))
        return False
    result = run_as_gm(folder, signer, late, lang=letters_in(folder))
    if not result.done:
        return False
    if late:
        done.did.append(Message("cli.club.went-on-without", stage=stage, parties=tuple(late)))
    elif result.locked:
        done.did.append(Message("cli.club.locked-a-stage", stage=stage))
    else:
        done.did.append(Message("cli.club.ran-a-stage", stage=stage))
    return result.run is not None and not result.finished


def _protests(folder: Folder) -> bool:
    """Return True if somebody protests in the current stage."""
    if folder.stage < 0:
        return False
    return any(statement.type == "protest" for statement, _ in folder.statements(folder.progress.open_stage))


# --- deadlines ----------------------------------------------------------------------------------------------


def _deadline(folder: Folder, signer: Signer, ask: Sequence[str], done: Served) -> None:
    """Remind a day before the deadline; after it do what the game agreed on for a no-show."""
    from pbem.archive import awaited, ended

    if folder.stage < 0 or ended(folder):
        return
    due = clock.due_in(folder)
    late = [waiting for waiting in awaited(folder) if waiting.wanting]
    if due is None or not late:
        return
    if not due.soon:
        done.wake = due.at - _DAY
        return
    _remind(folder, late, done)
    if not due.passed:
        done.wake = due.grace + timedelta(seconds=1)
        return
    did, asks = play_for_late(
        folder, [party.party for party in late if party.state in ("nothing", "invalid")]
    )
    done.did += did
    done.asks += asks
    if did:
        _runs(folder, signer, ask, done)
        return  # what is still late is looked at in the next round
    names = [party.party for party in late]
    stuck = [party.party for party in late if all(step.what != "forfeit" for step in party.steps)]
    if stuck:
        first = folder.progress.fresh and folder.need_roster().terms.absent == "skip"
        id = "cli.club.first-dice-need-everyone" if first else "cli.club.deadline-over-and-game-must-wait"
        done.asks.append(Message(id, parties=tuple(stuck), command=f"pbem amend drop {stuck[0]}"))
    elif FORFEIT in ask:
        done.asks.append(Message("cli.club.deadline-over-for", parties=tuple(names), command=_forfeit(names)))
    elif _run(folder, signer, ask, done, names):
        _runs(folder, signer, ask, done)


def _runs(folder: Folder, signer: Signer, ask: Sequence[str], done: Served) -> None:
    """Run stages one after the other as long as they are complete."""
    for _ in range(_MOST_STAGES):
        if not _run(folder, signer, ask, done):
            break


def _forfeit(parties: Sequence[str]) -> str:
    return "pbem adjudicate " + " ".join(f"--forfeit {party}" for party in parties)


def _remind(folder: Folder, late: Sequence[Awaited], done: Served) -> None:
    """Write a reminder to those who have had none in this stage."""
    from pbem.archive import remind, was_reminded

    open_ = [party.party for party in late if not was_reminded(folder, party.party)]
    if open_:
        remind(folder, open_, by=clock.due_words(folder))
        done.did.append(Message("cli.club.reminded", parties=tuple(open_)))


# --- git ----------------------------------------------------------------------------------------------------


def _shelve(folder: Folder, done: Served) -> None:
    """Commit new stages, if the game folder has a repository of its own."""
    if folder.stage <= done.shelved or not (folder.root / ".git").exists():
        return
    from pbem.cli.games.shelving import shelved
    from pbem.cli.shell.git import Git

    commits = shelved(folder, Git(os.environ)).commits
    done.shelved = folder.stage
    if commits:
        done.did.append(Message("cli.club.put-into-git", count=len(commits)))
