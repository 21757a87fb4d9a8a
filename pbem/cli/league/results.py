"""The result of a game from its archive: verified first, then read from its last position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.shell.many import Step, do_all
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import History


@dataclass(frozen=True)
class Seat:
    """A seat and its holder at the end of a game: name and fingerprint of the signing key."""

    id: str
    name: str
    key: str
    side: str


@dataclass(frozen=True)
class Result:
    """The result of an archive's game.

    `why` is empty if the result counts, else the reason why it does not. `best` are the seats in the first
    place: one or several winners, or all who share a draw. `words` are the sentences of the last report. `by`
    is the machine whose word this is, "" if this one verified the archive.
    """

    archive: str
    why: str = ""
    game: str = ""
    head: str = ""
    stage: int = -1
    title: str = ""
    system: str = ""
    scenario: str = ""
    seats: tuple[Seat, ...] = ()
    best: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    by: str = ""

    @property
    def counts(self) -> bool:
        """Return True if this is a proved result."""
        return not self.why


def judge(root: Path, _: None = None) -> Result:
    """Verify an archive and return its result, or why it does not count."""
    from pbem.archive import history, verify
    from pbem.cli.games.telling import renderers
    from pbem.text.diagnostics import PbemError, Refused

    archive = str(root)
    try:
        report = verify(root, renderers=renderers)
        if report.first_bad is not None:
            return Result(archive, Message("cli.league.not-sound", text=report.first_bad.in_place))
        return _result(archive, history(root))
    except Refused as refused:
        return Result(archive, refused.diagnostics[0].message)
    except (PbemError, OSError) as fault:
        return Result(archive, str(fault))


def _result(archive: str, history: History) -> Result:
    from pbem.cli.games.telling import chapter_report, words_of
    from pbem.report.whole.ending import first_place, how_it_ended
    from pbem.text.sentences import ENGLISH
    from pbem.trust.sshsig import fingerprint

    last, roster = history.chapters[-1], history.roster
    report = chapter_report(history, last, None, words=words_of(history.system, ENGLISH))
    best = first_place(report) if history.depth == "everything" else None
    parties = [party for party in roster.parties if party.role == "player"]
    return Result(
        archive,
        _why(history, best),
        roster.game,
        last.record.head,
        last.stage,
        roster.terms.title,
        roster.terms.module.name,
        roster.terms.scenario.name.partition(" ")[0],
        tuple(
            Seat(party.id, party.name, fingerprint(party.sign), report.view.side(party.id))
            for party in parties
        ),
        tuple(best or ()),
        tuple(how_it_ended(report)),
    )


def _why(history: History, best: Sequence[str] | None) -> str:
    """Return why the result of a sound archive does not count; "" if it does."""
    if history.chapters[-1].record.asked or history.chapters[-1].record.closed:
        return Message("cli.league.goes-on")
    if history.depth != "everything":
        return history.why or Message("cli.league.not-opened")
    return "" if best is not None else Message("cli.league.no-winner-known")


def judge_all(
    archives: Sequence[Path],
    jobs: int | None = None,
    cluster: str | None = None,
    step: Step = lambda done, of: None,
) -> list[Result]:
    """Verify archives side by side, and return their results in the order given (`many.do_all`)."""
    done = do_all(judge, [(archive, None) for archive in archives], jobs, cluster, step)
    return [
        replace(judged.value, archive=str(path), by=judged.by)
        if not judged.fault
        else Result(str(path), Message("cli.league.worker-failed", why=judged.fault))
        for path, judged in zip(archives, done, strict=True)
    ]


def archives_below(folders: Sequence[Path]) -> list[Path]:
    """Return the archives in these folders or directly below them, each once, in the order given."""
    archives: dict[Path, None] = {}
    for folder in folders:
        below = (
            [folder]
            if (folder / "roster.json").exists()
            else sorted(p.parent for p in folder.glob("*/roster.json"))
        )
        archives.update(dict.fromkeys(path for path in below))
    return list(archives)
